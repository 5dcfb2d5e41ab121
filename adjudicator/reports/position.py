"""Show a position, for people and for machines: what ``show`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.core.ruleset import Standing
from adjudicator.core.values import Seat, Value, Viewer
from adjudicator.reports.drawing_text import drawing_text
from adjudicator.reports.fold import folded, folded_lines
from adjudicator.reports.heading import Heading, ShownHeading, head_lines, question, standing_rows
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import GAP, count_of, table_lines
from adjudicator.reports.terminal_colors import STRONG, painted
from adjudicator.results import Decision, LogRow, gathered
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
    def standing_rows(self) -> list[tuple[str, str, str, str, str]]:
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


def position_text(position: Position, *, color: bool = False, width: int | None = None) -> str:
    """Return ``position`` for people: heading, drawing, decisions due, standings, pending orders, warnings.

    With a ``width`` in columns, no line is wider.
    """
    room = None if width is None else width - len(GAP)
    standings, called = table_lines((), position.standing_rows, room), position.heading.called
    pending = [printable(f"{called(seat)}: {count_of(count, 'order')}") for seat, count in position.pending.items()]
    blocks = [
        _heading(position.heading, color=color, width=width),
        drawing_text(position.drawing, color=color, seats=position.seats, width=width),
        _block("Decisions due", decision_lines(position), room, color=color),
        _block(position.standings_title, standings, room, color=color),
        _block("Pending orders", pending, room, color=color),
        _block("Please note", map(printable, position.warnings), room, color=color),
    ]
    return "\n\n".join(block for block in blocks if block)


def shown_position(position: Position) -> ShownPosition:
    """Return ``position`` for machines, with ``view`` in place of the ``drawing`` that is made from it."""
    return gathered(ShownPosition, position.heading, position)


def _heading(heading: Heading, *, color: bool, width: int | None) -> str:
    first, *others = head_lines(heading)
    titles = folded(first, width) if width else [first]
    proofs = folded_lines(others, width) if width else others
    return "\n".join((*(painted(title, STRONG, color=color) for title in titles), *proofs))


def decision_lines(position: Position) -> list[str]:
    """Return a line for each decision that is due: the player, the question and the rule."""
    called = position.heading.called
    return [printable(f"{called(decision.seat)}: {question(decision)}") for decision in position.due]


def _block(title: str, lines: Iterable[str], room: int | None, *, color: bool) -> str:
    """Return ``lines``, folded to ``room`` columns, indented under ``title``; empty without lines."""
    body = [GAP + line for line in (folded_lines(lines, room) if room else lines)]
    return "\n".join([painted(title, STRONG, color=color), *body]) if body else ""
