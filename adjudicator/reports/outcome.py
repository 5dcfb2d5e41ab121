"""Who is due and how a game ended: the short lines under what `apply`, `check` and `replay` tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from adjudicator.core.ruleset import Decision, Standing, Unit
from adjudicator.reports.table import signed

_MANY: Final = 20
"""So many seats that are asked the same are not listed one by one."""


def due_lines(decisions: Iterable[Decision]) -> list[str]:
    """Return a line for each decision that is awaited: whose, what is asked, and the rule; of very many alike, one line."""
    alike: dict[str, list[str]] = {}
    lines: dict[str, None] = {}
    listed = [(decision.seat, f"{decision.ask} ({decision.rule})") for decision in decisions]
    for seat, asked in listed:
        alike.setdefault(asked, []).append(seat)
    for seat, asked in listed:
        seats = alike[asked]
        who = f"{len(seats):,} seats, {seats[0]} to {seats[-1]}" if len(seats) > _MANY else seat
        lines[f"  {who}: {asked}"] = None
    return list(lines)


def outcome_lines(standings: Iterable[Standing], unit: Unit) -> list[str]:
    """Return a line for each of the final ``standings``: place, seat, score in ``unit``, and the remark on it."""
    return [f"  {row.place}. {row.seat}  {signed(row.score, unit)} {unit[0]}  {row.note}" for row in standings]
