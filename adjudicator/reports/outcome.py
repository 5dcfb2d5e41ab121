"""List the decisions that are due, and the standings or the result of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Decision, Standing, Unit
from adjudicator.reports.heading import player_name
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import signed

_MANY: Final = 20
"""If more seats have the same decision, one line counts them."""


def question(decision: Decision) -> str:
    """Return the question of a decision with its rule."""
    return f"{decision.ask} ({decision.rule})" if decision.rule else decision.ask


def due_lines(decisions: Iterable[Decision], holders: Mapping[Seat, str]) -> list[str]:
    """Return a line for each decision that is due: the player, the decision and its rule.

    ``holders`` are the names of the players by seat.
    """
    alike: dict[str, list[str]] = {}
    lines: dict[str, None] = {}
    listed = [(decision.seat, question(decision)) for decision in decisions]
    for seat, asked in listed:
        alike.setdefault(asked, []).append(seat)
    for seat, asked in listed:
        seats = alike[asked]
        who = (
            f"{len(seats):,} seats, {seats[0]} to {seats[-1]}"
            if len(seats) > _MANY
            else printable(player_name(seat, holders))
        )
        lines[f"  {who}: {asked}"] = None
    return list(lines)


def outcome_lines(standings: Iterable[Standing], unit: Unit, holders: Mapping[Seat, str]) -> list[str]:
    """Return a line for each of the final ``standings``: place, player, score in ``unit``, and its note."""
    rows = standing_rows(standings, unit, holders)
    return [f"  {place} {name}  {score} {short}  {note}" for place, name, score, short, note in rows]


def standing_rows(
    standings: Iterable[Standing], unit: Unit, holders: Mapping[Seat, str]
) -> list[tuple[str, str, str, str, str]]:
    """Return a row for each seat: its place, its player, its score, the unit of the score, and the note."""
    named = [(row, printable(player_name(row.seat, holders))) for row in standings]
    short = printable(unit[0])
    return [(f"{row.place}.", name, signed(row.score, unit), short, printable(row.note)) for row, name in named]
