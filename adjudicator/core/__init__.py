"""Hold what every game shares: pure functions and frozen values; no files, no clock, no text formats.

* Play: ``engine.py`` (the queue of orders), ``step.py`` (one order), ``validation.py`` (wrong in every position),
  ``conditions.py`` (``IF row has U7``, and facts), ``messages.py`` (texts of the engine), ``waiting.py`` (orders
  set aside), ``unknown.py`` (orders in a position with secrets).
* The record: ``game.py``, ``journal.py``, ``timeline.py`` (the states and turn numbers that follow from a journal),
  ``entry_numbers.py`` (the numbers of entries for players), ``head.py`` (published proofs), ``chance.py``,
  ``words.py`` (players' words for chance), ``prepared.py`` (a game begun in steps).
* Corrections: ``corrections.py`` (events and sentences), ``apply_correction.py`` (effects), ``naming.py`` (names in
  them).
* What authors of games use: ``rules.py`` (rules and phases), ``at.py`` (states, positions and questions),
  ``ruleset.py``, ``event.py``, ``order.py`` (also the words of orders), ``visibility.py``, ``piles.py`` (pieces, decks
  and bags), ``graph.py`` (shortest ways), ``remember.py`` (caches), ``advice.py`` (what games tell simulated players).
  They import most of it from ``adjudicator.game``.
* Values: ``values.py`` (frozen structs, names, their bytes), ``problem.py``.
* Texts: ``phrases.py`` (counts and lists), ``width.py`` (in terminal columns).

What a viewer may know follows from the marks on the fields of a game's state and events (``visibility.py``); for the
journal, from ``adjudicator/present.py``.
"""
