"""Describe the players of a game for web pages: the badge of each, as on the board, and the name."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.values import Value
from adjudicator.reports.position import Position
from adjudicator.reports.sanitize import printable
from adjudicator.reports.seat_key import key_of
from adjudicator.scenes.colors import letter_ink, seat_color, seat_ink


class ShownPlayer(Value, kw_only=True):
    """A player on a page: the ``seat``, the class of its colour, the ``letters`` of its badge, and the name."""

    seat: str
    ink: str
    letters: str
    name: str


def shown_players(position: Position) -> Iterator[ShownPlayer]:
    """Yield the players of ``position`` in the order of the set-up."""
    players = position.players
    key = key_of(position.drawing, players)
    for seat in map(printable, players):
        letters = "" if letter_ink(seat_ink(seat, key.seats)) == "#ffffff" else " dark"
        ink = f"ink-{seat_color(seat, key.seats)}{letters}"
        yield ShownPlayer(seat=seat, ink=ink, letters=key.initial(seat, seat), name=key.players[key.seats.index(seat)])
