"""List the decisions that are due, and the standings or the result of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from adjudicator.core.ruleset import Standing, Unit
from adjudicator.core.values import Seat
from adjudicator.reports.heading import player_name, question, standing_rows
from adjudicator.reports.sanitize import printable
from adjudicator.results import Decision

_MANY: Final = 20
"""If more seats have the same decision, one line counts them."""


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
