"""Decide games again and say whether rules, chance and clock really gave what their files say.

* Finding games in folders, zip and tar archives and behind URLs: ``sources.py``, ``candidates.py``, ``places.py``,
  ``archives.py``, ``tars.py``.
* One game: ``audit_source.py`` reads it, ``decide.py`` decides each entry again, ``compare.py`` compares it with the
  record. ``corrections.py`` audits corrections, ``words.py`` players' words for chance.
* Many games: ``run.py`` uses a pool of processes with a time limit, ``warden.py`` runs rulesets of other packages.
* Players check their logs: ``published_logs.py`` reads logs, ``published_setup.py`` sets the game up, ``published.py``
  decides it.
* Moderators compare publications with a game file: ``published_texts.py`` reads them, ``against_published.py``
  compares.
"""
