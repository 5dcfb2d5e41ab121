"""The office of an organiser: lay routes on a map, and score time sheets that were kept by hand.

* ``commands.py``: `route` lays, checks, compares and describes a route, `sheet` scores; ``outputs.py``: their JSON.
* ``texts.py``: how people type a route and a time sheet.
* ``sheets.py``: a time sheet, its score from its own entries, its classification and its text; ``drive.py`` drives one on
  a map.

Unlike the rules, the office uses files, typer and the reports of the program. Nothing outside the game imports it.
"""
