"""Hold what every game shares: pure functions and frozen values; no files, no clock, no text formats.

* Play: ``engine.py`` (the queue of orders), ``step.py`` (one order), ``validation.py`` (wrong in every position),
  ``conditions.py`` and ``facts.py`` (``IF row has U7``), ``messages.py`` (texts of the engine), ``waiting.py`` (orders
  set aside), ``unknown.py`` (orders in a position with secrets).
* The record: ``game.py``, ``journal.py``, ``timeline.py`` (all that follows from a journal), ``entries.py`` (entries that
  are no orders, and any entry decided again), ``head.py`` (published proofs), ``chance.py`` (with players' words for it),
  ``prepared.py`` (a game begun in steps).
* Corrections: ``corrections.py`` (a class for each), ``naming.py`` (names in them).
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
