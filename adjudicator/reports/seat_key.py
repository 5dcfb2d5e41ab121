"""Find the seats of a drawing, and short names for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.core.values import Value
from adjudicator.reports.sanitize import printable
from adjudicator.scenes import Sign, Token, things
from adjudicator.scenes.drawing import Drawing
from adjudicator.scenes.letters import initial


class Badge(Value):
    """What tells the tokens on a place apart: the text, the sign, and the seat."""

    text: str
    sign: Sign
    seat: str = ""


def badge_of(token: Token) -> Badge:
    """Return what tells ``token`` apart, with visible characters only."""
    return Badge(printable(token.text), token.sign, printable(token.seat))


class Key(Value):
    """The seats of one drawing: ``names`` are the texts of all its tokens, in their order; short names must differ.

    ``seats`` are all seats that can have tokens; they determine the colours. ``players`` are the names of ``seats`` in the
    legend, in their order.
    """

    names: tuple[str, ...]
    seats: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    def initial(self, text: str, seat: str) -> str:
        """Return the letters for ``text`` on a token of ``seat``: one or two unique letters, else the number of the seat."""
        return initial(text, self.names, seat, self.seats)


def key_of(drawing: Drawing, seats: Iterable[str] = ()) -> Key:
    """Return the key of ``drawing``.

    ``seats`` are those of the game, by default those in the drawing. A mapping also has the name of each.
    """
    badges = [badge_of(thing.token) for scene in drawing.scenes for thing in things(scene) if thing.token is not None]
    signed = [badge for badge in badges if badge.sign is not Sign.NOTE]
    called = {printable(seat): printable(name) for seat, name in seats.items()} if isinstance(seats, Mapping) else {}
    all_seats = tuple(sorted({*map(printable, seats), *(badge.seat or badge.text for badge in signed)}))
    # Every seat has a letter, also one without a token on the board.
    names = tuple(sorted({*all_seats, *(badge.text for badge in signed)}))
    return Key(names, all_seats, tuple(called.get(seat, seat) for seat in all_seats))
