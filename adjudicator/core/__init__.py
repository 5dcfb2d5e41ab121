"""Hold what every game shares: pure functions and frozen values; no files, no clock, no text formats.

* Play: ``engine.py`` (the queue of orders and its messages), ``step.py`` (one order), ``conditions.py`` (``IF row has U7``,
  and facts), ``unknown.py`` (orders in a position with secrets).
* The record: ``game.py`` (a game, with published proofs and orders set aside), ``journal.py``, ``timeline.py`` (all that
  follows from a journal), ``entries.py`` (entries that are no orders, and any entry decided again), ``chance.py`` (with
  players' words for it), ``corrections.py`` (a class for each, and the names in their sentences).
* What authors of games use: ``rules.py`` (rules and phases), ``at.py`` (states, positions and questions),
  ``ruleset.py``, ``event.py``, ``order.py``, ``wording.py``, ``visibility.py``, ``drawing.py``, ``scene.py``,
  ``catalogue.py``, ``piles.py`` (pieces, decks and bags), ``graph.py`` (shortest ways), ``remember.py``
  (caches). They import most of it from ``adjudicator.game``.
* Simulated players: ``advice.py`` (what games tell them), ``planner.py`` (their choice).
* Values: ``frozen.py`` (frozen classes and their copies), ``bounds.py`` (bounds of their fields), ``json_types.py``
  (their types for msgspec), ``canonical.py`` (their bytes), ``ids.py`` (names), ``problem.py``, ``options.py``,
  ``diff.py``.
* Texts: ``phrases.py`` (counts and lists), ``suggestions.py`` (similar names), ``languages.py``, ``width.py`` (in
  terminal columns).

What a viewer may know follows from the marks on the fields of a game's state and events (``visibility.py``); for the
journal, from ``adjudicator/present.py``.
"""
