"""Hold what every game shares: pure functions and frozen values; no files, no clock, no text formats.

* Play: ``engine.py`` (the queue of orders and its messages), ``step.py`` (one entry: an order, a correction, any entry
  decided again, an order in a seat's view), ``conditions.py`` (``IF row has U7``, and facts).
* The record: ``game.py`` (a game and its orders set aside), ``journal.py``, ``timeline.py`` (all that follows from a
  journal), ``chance.py`` (with players' words for it), ``corrections.py`` (a class for each, and the names in their
  sentences).
* What authors of games use: ``rules.py`` (rules and phases), ``at.py`` (states, positions and questions),
  ``ruleset.py``, ``event.py``, ``order.py`` (also the words of orders), ``visibility.py``, ``piles.py`` (pieces, decks
  and bags), ``graph.py`` (shortest ways), ``remember.py`` (caches), ``advice.py`` (what games tell simulated
  players, and what these suppose). They import most of it from ``adjudicator.game``.
* Values: ``values.py`` (frozen structs, names, their bytes), ``problem.py``.
* Texts: ``phrases.py`` (counts and lists, and widths in terminal columns).

What a viewer may know follows from the marks on the fields of a game's state and events (``visibility.py``); for the
journal, from ``timeline.py``.
"""
