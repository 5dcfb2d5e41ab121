"""Combine the rights of a crew's kit and of the hazard card in use (RR-K, RR-C3)."""

from __future__ import annotations

from adjudicator.game import frozen, remembered
from adjudicator.games.rally_round.components import CardId, Colour, Does, Effect
from adjudicator.games.rally_round.config import Config


@frozen
class Rights:
    """The rights of a kit and the card in use: the best effect of each kind counts."""

    effects: tuple[Effect, ...] = ()

    def can(self, what: Does) -> bool:
        """Return whether a card gives the right to ``what``."""
        return any(effect.does is what for effect in self.effects)

    def mph(self, what: Does, colour: Colour) -> int:
        """Return the mph of the best card for ``what`` on a road of ``colour``, 0 without one."""
        best = 0
        for effect in self.effects:
            if effect.does is what:
                best = max(best, effect.on(colour))
        return best


@remembered
def rights_of(config: Config, kit: tuple[CardId, ...], using: CardId | None = None) -> Rights:
    """Return the rights by the cards of a ``kit``, and by the hazard card in use."""
    cards = [config.kit[card].effects for card in kit] + ([config.hazards[using].effects] if using else [])
    return Rights(tuple(effect for effects in cards for effect in effects))
