"""Read, play, audit and write scripts: whole games as one text, also games kept by hand.

From text to game: ``read.py`` (to ``parts.py``), ``headings.py``, ``setup.py``, ``play.py``; ``files.py`` opens what a
script names, ``corrections.py`` is for undo and the like. Numbers that people wrote down: ``minutes.py``,
``claims.py`` (at the end). From game to text: ``export.py``, ``outcomes.py`` (its draws), ``assignments.py`` (an
amendment as text). Both ways: ``quoting.py``. ``audit.py`` audits a script.
"""
