"""Keep the game that a page has open, and describe it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import adjudicator as adj

Values = Mapping[str, Any]
Files = Sequence[bytes]


class OpenGame:
    """The game that one page has open, if any."""

    def __init__(self) -> None:
        """Begin without a game."""
        self._game: adj.Game | None = None
        self._result: adj.Result | None = None
        """The result of the latest orders, until the game changes in another way."""

    @property
    def game(self) -> adj.Game:
        """The open game. Raises ``RequestError`` if none is open."""
        if self._game is None:
            raise adj.RequestError("open a game first")
        return self._game

    def change(self, game: adj.Game, result: adj.Result | None = None) -> Any:
        """Make ``game`` the open game, with the ``result`` of the orders that led to it, if any; return its summary."""
        self._game, self._result = game, result
        return self.summary()

    def written_report(self, viewer: str | None) -> adj.Report:
        """Return the report to ``viewer``; after orders, with what followed from them and the results of the mails."""
        return self.game.seen_by(viewer).report() if self._result is None else self._result.report(viewer)

    def summary(self) -> Any:
        """Return what every answer says about the game: its players, whose turn it is, whether it is over."""
        game = self.game
        return {
            "game": {
                "id": game.id,
                "ruleset": game.meta.id,
                "name": game.meta.name,
                "unit": game.meta.unit,
                "seats": game.seats,
                "players": game.players,
                "own": game.own_seat,
                "due": game.due_seats,
                "turn": game.turn,
                "over": game.is_over,
            }
        }
