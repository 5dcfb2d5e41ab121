"""Combine the rights of a crew's kit and of the hazard card in use (RR-K, RR-C3)."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from adjudicator.game import frozen
from adjudicator.games.rally_round.components import Colour, Does, Effect


@frozen
class Rights:
    """The rights of a kit and the card in use: the best effect of each kind counts; ``known`` is a cache.

    ``changes`` caches the speeds that may follow one on a road of a colour (RR-M3).
    """

    effects: tuple[Effect, ...] = ()
    known: dict[Any, int] = field(default_factory=dict, compare=False, repr=False)
    changes: dict[tuple[int, Colour], range] = field(default_factory=dict, compare=False, repr=False)

    def can(self, what: Does) -> bool:
        """Return whether a card gives the right to ``what``."""
        if what not in self.known:
            self.known[what] = any(effect.does is what for effect in self.effects)
        return bool(self.known[what])

    def mph(self, what: Does, colour: Colour) -> int:
        """Return the mph of the best card for ``what`` on a road of ``colour``, 0 without one."""
        asked = what, colour
        if asked not in self.known:
            self.known[asked] = max((effect.on(colour) for effect in self.effects if effect.does is what), default=0)
        return self.known[asked]
