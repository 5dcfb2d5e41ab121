"""Write the heading of every report (game, turn, reader, proofs), and lines about decisions and standings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from adjudicator.core.chance import Head
from adjudicator.core.phrases import listed
from adjudicator.core.ruleset import Standing, Unit
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer
from adjudicator.reports.texts import printable, signed, table_lines
from adjudicator.results import Decision

_DOT: Final = " · "
COMMITMENT: Final = re.compile(r"\bcommitment\s+([0-9a-f]{64})(?![0-9a-f])", re.IGNORECASE)
PROMISE: Final = re.compile(r"\bpromise\s+([0-9a-f]{64})(?![0-9a-f])", re.IGNORECASE)
_MOST_WINNERS: Final = 6
"""A headline names at most this many winners."""
_MANY: Final = 20
"""If more seats have the same decision, one line counts them."""
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


def standing_rows(standings: Iterable[Standing], unit: Unit, holders: Mapping[Seat, str]) -> list[tuple[str, ...]]:
    """Return five cells for each seat: its place, its player, its score, the unit of the score, and the note."""
    return [
        (f"{one.place}.", *map(printable, (player_name(one.seat, holders), signed(one.score, unit), unit[0], one.note)))
        for one in standings
    ]


def standing_lines(standings: Iterable[Standing], unit: Unit, holders: Mapping[Seat, str]) -> list[str]:
    """Return ``standing_rows`` as lines in columns: place and player, score in ``unit``, note."""
    rows = standing_rows(standings, unit, holders)
    return table_lines((), [(f"{place} {name}", f"{score} {short}", note) for place, name, score, short, note in rows])


def question(decision: Decision) -> str:
    """Return the question of a decision with its rule."""
    return f"{decision.ask} ({decision.rule})" if decision.rule else decision.ask


def due_lines(decisions: Iterable[Decision], holders: Mapping[Seat, str]) -> list[str]:
    """Return a line for each decision that is due: the player, the decision and its rule; one for many seats alike.

    ``holders`` are the names of the players by seat.
    """
    due, alike = list(decisions), dict[str, list[Seat]]()
    for decision in due:
        alike.setdefault(question(decision), []).append(decision.seat)
    lines: dict[str, None] = {}
    for decision in due:
        asked = question(decision)
        seats = alike[asked]
        is_many = len(seats) > _MANY
        who = f"{len(seats):,} seats, {seats[0]} to {seats[-1]}" if is_many else player_name(decision.seat, holders)
        lines[printable(f"{who}: {asked}")] = None
    return list(lines)


def title_line(heading: Heading) -> str:
    """Return the game, its turn and the reader on one line."""
    words = (heading.game, heading.name, turn_words(heading), f"components {heading.components}", reader(heading))
    return printable(_DOT.join(words))


def proof_lines(heading: Heading) -> list[str]:
    """Return the proofs of the game and its chance, each on a line: commitment, promise, words and head."""
    words = [*(f"{seat}: {word}" for seat, word in heading.words.items()), *(f"{seat}: no word" for seat in heading.without)]
    found = (
        heading.commitment and f"commitment {heading.commitment}",
        heading.promise and f"promise    {heading.promise}",
        words and printable(f"words      {_DOT.join(words)}"),
        heading.head and head_text(heading.head),
    )
    return [line for line in found if line]


def turn_words(heading: Heading) -> str:
    """Return the turn as text; at the end of the game `over` with the result."""
    if heading.over:
        return f"over: {heading.result}" if heading.result else "over"
    return f"turn {heading.turn}"


def head_text(head: Head) -> str:
    """Return ``head`` on one line that is short enough for a mail. ``HEAD`` reads it back."""
    return f"head {head.n} {head.proof}"


def head_lines(heading: Heading, *, is_past: bool = False) -> list[str]:
    """Return title and proofs of ``heading``, then the number to write above orders, unless the game or the turn is over."""
    return [title_line(heading), *proof_lines(heading), *([] if heading.over or is_past else [to_write(heading.turn)])]


def to_write(turn: int, whose: str = "your") -> str:
    """Return the advice to write the number ``turn`` above orders; ``whose`` orders, by default those of the reader."""
    return f"write `turn {turn}` above {whose} orders"


def reader(heading: Heading) -> str:
    """Return the reader as text, ``as Ann (red) sees it``."""
    if heading.viewer == MODERATOR:
        return f"as the {MODERATOR} sees it"
    return f"as {'everybody' if heading.viewer is None else heading.called(heading.viewer)} sees it"
