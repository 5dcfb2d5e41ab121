"""Show a position, for people and for machines: what ``show`` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.core.ruleset import Standing
from adjudicator.core.values import Seat, Value, Viewer
from adjudicator.reports.drawing_text import drawing_text, key_of
from adjudicator.reports.heading import Heading, ShownHeading, due_lines, head_lines, standing_rows
from adjudicator.reports.texts import GAP, STRONG, count_of, folded_lines, painted, printable, table_lines
from adjudicator.results import Decision, LogRow, gathered
from adjudicator.scenes import letter_ink, seat_color, seat_ink
from adjudicator.scenes.drawing import Drawing


class ShownPosition(ShownHeading, kw_only=True):
    """The position of a game, as the ``viewer`` (``None``: the public) may see it.

    ``ruleset`` is the id of the rules, ``name`` their name; ``turn`` is the number to write above orders. ``head`` proves
    the journal, as far as the viewer may see it. ``words`` are the words of players for chance by seat, ``promise`` fixed
    the rest before they were known (``None``: it was not published), ``without`` are the seats without a word. ``pending``
    counts the pending orders by seat. ``view`` is the position itself, in the terms of the game: its ``state`` has the
    fields of the game file, without those that the viewer may not see.
    """

    due: tuple[Decision, ...]
    standings: tuple[Standing, ...]
    pending: Mapping[Seat, int]
    warnings: tuple[str, ...]
    view: Any


class ReplayedMove(LogRow, kw_only=True, omit_defaults=True):
    """A line of the log for the entry's own seat; ``also`` has those of other seats whose clocks it moved.

    ``position`` is the position after it, if boards were asked for.
    """

    also: tuple[LogRow, ...] = ()
    position: ShownPosition | None = None


class PlainView(Value):
    """The ``state`` as ``viewer`` sees it, without secrets, and the decisions that are ``due``."""

    viewer: Viewer
    state: Any
    due: tuple[Decision, ...]


class Position(Value, kw_only=True):
    """A position as one viewer may know it.

    ``drawing`` and ``view`` are those of the viewer in ``heading``; ``view`` is for machines only and may be left out.
    ``pending`` counts the pending orders by seat, only those of the viewer, because orders of others can reveal their
    plans. ``warnings`` are the remarks of the ruleset on the position.
    """

    heading: Heading
    drawing: Drawing
    due: tuple[Decision, ...] = ()
    standings: tuple[Standing, ...] = ()
    pending: Mapping[Seat, int]
    warnings: tuple[str, ...] = ()
    view: PlainView | None = None

    @property
    def standings_title(self) -> str:
        """The title of the standings: at the end of a game they are its result."""
        return "Result" if any(standing.is_final for standing in self.standings) else "Standings"

    @property
    def standing_rows(self) -> list[tuple[str, ...]]:
        """A row for each seat: its place, its player, its score, the unit of the score, and the note."""
        return standing_rows(self.standings, self.heading.unit, self.heading.holders)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the game: each has a standing."""
        return tuple(standing.seat for standing in self.standings)

    @property
    def players(self) -> dict[str, str]:
        """The name of each seat for people, its player and itself, in the order of the set-up."""
        return {seat: self.heading.called(seat) for seat in self.heading.seats or self.seats}


def position_text(position: Position, *, color: bool = False, width: int | None = None, is_past: bool = False) -> str:
    """Return ``position`` for people: heading, drawing, decisions due, standings, pending orders, warnings.

    With a ``width`` in columns, no line is wider. For a turn that ``is_past`` there is no number to write above orders.
    """
    heading, room = position.heading, None if width is None else width - len(GAP)
    top = head_lines(heading, is_past=is_past)
    first, *others = folded_lines(top, width) if width else top
    head = "\n".join([painted(first, STRONG, color=color), *others])
    drawn = drawing_text(position.drawing, color=color, seats=position.seats, width=width)
    pending = (f"{heading.called(seat)}: {count_of(count, 'order')}" for seat, count in position.pending.items())
    sections = {
        "Decisions due": due_lines(position.due, heading.holders),
        position.standings_title: table_lines((), position.standing_rows, room),
        "Pending orders": map(printable, pending),
        "Please note": map(printable, position.warnings),
    }
    blocks = [head, drawn] if drawn else [head]
    for title, lines in sections.items():
        body = [GAP + line for line in (folded_lines(lines, room) if room else lines)]
        if body:
            blocks.append("\n".join([painted(title, STRONG, color=color), *body]))
    return "\n\n".join(blocks)


def shown_position(position: Position) -> ShownPosition:
    """Return ``position`` for machines, with ``view`` in place of the ``drawing`` that is made from it."""
    return gathered(ShownPosition, position.heading, position)


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
