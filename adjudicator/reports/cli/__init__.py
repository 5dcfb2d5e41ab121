"""Write the output of commands, in addition to reports and their parts.

* Audits and archives: ``audits.py``, ``archives.py``. Rules: ``rules.py``.
* Games that have not begun: ``promise.py``. Clubs: ``club.py``.
* Tables of results as text, HTML and CSV: ``classification.py``.
"""
