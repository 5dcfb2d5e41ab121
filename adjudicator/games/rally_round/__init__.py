"""Rally Round: a motor rally on a map of roads, timed to the minute or the second, by mail or at a table.

Its larger mechanisms have their own files:

* The route: ``route.py`` (shortest ways), ``ways.py``, ``spots.py`` (Black Spots that settle ambiguities).
* The tools of an organiser, with their own commands: ``office/``.
* The result of a seat's orders for ``check --as``: ``foreseeing.py``.
"""
