"""A game on the moderator's desk: its record, its rules, and the table they are played on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from adjudicator.core.game import Game
from adjudicator.core.ids import MODERATOR, Seat, Viewer
from adjudicator.core.near import nearest
from adjudicator.core.ruleset import Ruleset
from adjudicator.rulesets import ruleset


class UnknownViewerError(Exception):
    """The game has no such seat to look from."""

    def __init__(self, wanted: str, seats: tuple[Seat, ...]) -> None:
        """Say that ``wanted`` is none of ``seats``."""
        near = nearest(wanted, (*seats, MODERATOR), 1)
        hint = f" (did you mean “{near[0]}”?)" if near else ""
        super().__init__(f"no seat “{wanted}” in this game{hint}; there are: {', '.join(seats)}, and {MODERATOR}")


@dataclass(frozen=True, slots=True)
class Desk:
    """A game with the rules that decide it and its table."""

    game: Game
    rules: Ruleset[Any, Any, Any]
    table: Any

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of the set-up."""
        return tuple(player.seat for player in self.game.setup.players)

    def with_game(self, game: Game) -> Desk:
        """Return the same desk with ``game`` as it has become."""
        return replace(self, game=game)

    def viewer(self, name: str | None) -> Viewer:
        """Return the viewer called ``name`` (``None``: a bystander). Raises ``UnknownViewerError``."""
        if name is None:
            return None
        seat = Seat(name.lower())
        if seat not in (*self.seats, MODERATOR):
            raise UnknownViewerError(name, self.seats)
        return seat


def lay_out(game: Game) -> Desk:
    """Return ``game`` with its rules and its table. Raises ``UnknownRuleset``, ``UnusableRuleset``, ``SetupError``."""
    rules = ruleset(game.ruleset.id)
    return Desk(game, rules, rules.lay(game.setup))
