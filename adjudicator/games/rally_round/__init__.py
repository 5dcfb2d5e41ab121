"""Rally Round: a motor rally on a map of roads, timed to the minute or the second, by mail or at a table.

Its larger mechanisms have their own files:

* Whom the game asks what, phase by phase: ``order_of_play.py``. Each order says itself when it is legal and what it does:
  ``kits.py``, ``laying.py`` (markers), ``turns.py`` (speeds, overtaking); ``orders.py`` lists them.
* A turn of a car: ``driving.py`` (its events), ``moving.py`` (the rules of one move), ``steering.py`` (its way),
  ``traffic.py`` (other cars).
* The route: ``route.py`` (shortest ways), ``ways.py``, ``spots.py`` (Black Spots that settle ambiguities).
* The tools of an organiser, with their own commands: ``office/``.
* The result of a seat's orders for ``check --as``: ``preview.py``.
"""
