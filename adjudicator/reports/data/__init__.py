"""Hold the parts of a report as data, and write each as text.

* The report of a turn: ``report.py``, divided into blocks in ``report_blocks.py``; ``heading.py`` (with heads).
* The position: ``position.py``; decisions that are due and the result: ``outcome.py``.
* Orders: ``log.py``, ``legal.py``, ``legal_outline.py`` (many legal orders in sections), ``order_form.py``, ``waiting.py``;
  mails: ``receipt.py``, ``diagnostics.py``, ``ignored.py``.
* Statistics of many games: ``statistics.py``; of a player's turns and seats: ``player_standing.py``; of a club: ``club.py``.
"""
