"""Write the heading of every report (game, turn, reader, proofs), and lines about decisions and standings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from adjudicator.core.chance import Head
from adjudicator.core.phrases import listed
from adjudicator.core.ruleset import Standing, Unit
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import signed
from adjudicator.results import Decision

_DOT: Final = " · "
COMMITMENT: Final = re.compile(r"\bcommitment\s+([0-9a-f]{64})(?![0-9a-f])", re.IGNORECASE)
PROMISE: Final = re.compile(r"\bpromise\s+([0-9a-f]{64})(?![0-9a-f])", re.IGNORECASE)
_EVERYBODY: Final = "everybody"
_MOST_WINNERS: Final = 6
"""A headline names at most this many winners."""
HEAD: Final = re.compile(r"\bhead +([0-9]{1,9})\s+([0-9a-f]{16,64})(?![0-9a-f])", re.IGNORECASE)
"""A head as ``head_text`` writes it, or as people shorten it, to no fewer than the first 16 digits of the proof."""


class ShownHeading(Value, kw_only=True):
    """The heading that outputs for machines begin with.

    ``game`` is the id of the game, ``ruleset`` the id of its rules, ``name`` the name of the rules, ``turn`` the number to
    write above orders, ``components`` the id of the component set, ``unit`` the unit of costs (short, long),
    ``viewer`` the reader. ``commitment`` fixed the secret of chance on the first day (``None``: the outcomes are recorded).
    ``head`` proves the journal as far as the viewer may know it (``None``: the outcomes are recorded). ``words`` are the
    words that players added to the chance, by seat; ``without`` are the seats that added none. ``promise`` fixed all the
    rest before the words, if it was published.
    """

    game: str
    ruleset: str
    name: str
    turn: int
    components: str
    unit: Unit
    viewer: Viewer
    over: bool
    commitment: str | None
    promise: str | None
    words: Mapping[Seat, str]
    without: tuple[Seat, ...]
    head: Head | None


class Heading(ShownHeading, kw_only=True):
    """The heading of a report for people.

    ``holders`` are the players by seat, if they have names; ``seats`` are all seats in the order of the set-up; ``result``
    is the result of the game as text.
    """

    holders: Mapping[Seat, str]
    seats: tuple[Seat, ...]
    result: str = ""

    def called(self, seat: str) -> str:
        """Return the name of ``seat`` for people: its player and itself, ``Ann (red)``, or itself alone."""
        return player_name(seat, self.holders)


def player_name(seat: str, holders: Mapping[Seat, str]) -> str:
    """Return the player and the seat, ``Ann (red)``; only ``seat`` if ``holders`` has no other name for it."""
    holder = holders.get(Seat(seat), "")
    return f"{holder} ({seat})" if holder and holder.casefold() != seat.casefold() else seat


def result_words(standings: Iterable[Standing], holders: Mapping[Seat, str]) -> str:
    """Return the winners by the final ``standings`` as text; several share the first place, and it can be empty."""
    winners = [player_name(one.seat, holders) for one in standings if one.place == 1]
    if len(winners) > _MOST_WINNERS:
        return f"{len(winners):,} players share the first place"
    if len(winners) > 1:
        return f"{listed(winners)} share the first place"
    return f"{winners[0]} has won" if winners else "no winner"


def standing_rows(
    standings: Iterable[Standing], unit: Unit, holders: Mapping[Seat, str]
) -> list[tuple[str, str, str, str, str]]:
    """Return a row for each seat: its place, its player, its score, the unit of the score, and the note."""
    named = [(row, printable(player_name(row.seat, holders))) for row in standings]
    short = printable(unit[0])
    return [(f"{row.place}.", name, signed(row.score, unit), short, printable(row.note)) for row, name in named]


def question(decision: Decision) -> str:
    """Return the question of a decision with its rule."""
    return f"{decision.ask} ({decision.rule})" if decision.rule else decision.ask


def title_line(heading: Heading) -> str:
    """Return the game, its turn and the reader on one line."""
    words = (heading.game, heading.name, turn_words(heading), f"components {heading.components}", reader(heading))
    return printable(_DOT.join(words))


def proof_lines(heading: Heading) -> list[str]:
    """Return the proofs of the game and its chance, each on a line."""
    lines = []
    if heading.commitment is not None:
        lines.append(f"commitment {heading.commitment}")
    if heading.promise is not None:
        lines.append(f"promise    {heading.promise}")
    sent = _sent(heading)
    if sent:
        lines.append(printable(f"words      {sent}"))
    if heading.head is not None:
        lines.append(head_text(heading.head))
    return lines


def record_of(heading: Heading) -> tuple[tuple[str, str], ...]:
    """Return the proofs of the game, each with its name: components, commitment, promise, words and head."""
    head = heading.head
    found = (
        ("components", heading.components),
        ("commitment", heading.commitment or ""),
        ("promise", heading.promise or ""),
        ("words", _sent(heading)),
        ("head", "" if head is None else f"{head.n} {head.proof}"),
    )
    return tuple((name, value) for name, value in found if value)


def turn_words(heading: Heading) -> str:
    """Return the turn as text; at the end of the game `over` with the result."""
    if heading.over:
        return f"over: {heading.result}" if heading.result else "over"
    return f"turn {heading.turn}"


def _sent(heading: Heading) -> str:
    words = [f"{seat}: {word}" for seat, word in heading.words.items()]
    return _DOT.join([*words, *(f"{seat}: no word" for seat in heading.without)])


def head_text(head: Head) -> str:
    """Return ``head`` on one line that is short enough for a mail. ``HEAD`` reads it back."""
    return f"head {head.n} {head.proof}"


def head_lines(heading: Heading) -> list[str]:
    """Return title and proofs of ``heading``, then the number to write above orders, unless the game is over."""
    return [title_line(heading), *proof_lines(heading), *([] if heading.over else [to_write(heading.turn)])]


def to_write(turn: int, whose: str = "your") -> str:
    """Return the advice to write the number ``turn`` above orders; ``whose`` orders, by default those of the reader."""
    return f"write `turn {turn}` above {whose} orders"


def reader(heading: Heading) -> str:
    """Return the reader as text, ``as Ann (red) sees it``."""
    if heading.viewer == MODERATOR:
        return f"as the {MODERATOR} sees it"
    return f"as {_EVERYBODY if heading.viewer is None else heading.called(heading.viewer)} sees it"
