"""Rally Round: a motor rally on a map of roads, timed to the minute or the second, by mail or at a table.

Its larger mechanisms have their own files:

* Whom the game asks what, phase by phase: ``phases.py``. Each order says itself when it is legal and what it does:
  ``orders.py``.
* A turn of a car: ``drive.py`` (what it meets), ``way.py`` (the way ahead, legal speeds, limits).
* The map and its shortest ways: ``roads.py``. The route, its Black Spots, times and penalties: ``route.py``. How the
  players of a table lay it: ``laying.py``.
* The map in pictures and in text, and all other tables: ``picture.py``.
* The tools of an organiser, with their own commands: ``office/``.
"""
