"""Rally Round: a motor rally on a map of roads, timed to the minute or the second, by mail or at a table.

Its larger mechanisms have their own files:

* A route on a map: ``route_text.py`` (its form), ``route.py`` (shortest ways), ``ambiguity.py`` (several of them),
  ``road_book.py``.
* A time sheet kept by hand: ``sheet_text.py`` (its form), ``sheet_entries.py``, ``sheet.py``, ``scoring.py``; on a map:
  ``driven.py`` (the car), ``drive_notes.py`` (compared with the sheet); ties and classes: ``classified.py``.
* The result of a seat's orders for ``check --as``: ``foreseeing.py``.
* Simulated players: ``planning.py`` (the best speeds of a section), ``bot_route.py`` (markers at a table).
"""
