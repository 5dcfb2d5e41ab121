"""The office of an organiser: lay routes on a map, and score time sheets that were kept by hand.

* Commands: ``commands.py``, ``route_command.py`` (`route`), ``sheet_command.py`` (`sheet`); their data: ``outputs.py``.
* Texts: ``lines.py`` (words, unreadable parts with their places).
* Routes: ``route_text.py`` (how people type one), ``routes.py`` (lay, check, describe, compare), ``road_book.py``,
  ``route_report.py`` (text).
* Time sheets: ``sheet_text.py`` and ``sheet_entries.py`` (how people type one), ``sheet.py`` (as written),
  ``time_sheets.py`` (read, score), ``scoring.py`` (without a map), ``drive_check.py`` and ``drive_notes.py`` (on a map),
  ``classification.py`` (ranks), ``sheet_report.py`` (text).

Unlike the rules, the office uses files, typer and the reports of the program. Nothing outside the game imports it.
"""
