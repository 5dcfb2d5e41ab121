"""Who is due and how a game ended: the short lines under what `apply`, `check` and `replay` tell."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.ruleset import Decision, Standing, Unit
from adjudicator.reports.table import signed


def due_lines(decisions: Iterable[Decision]) -> list[str]:
    """Return a line for each decision that is awaited: whose, what is asked, and the rule."""
    return [f"  {decision.seat}: {decision.ask} ({decision.rule})" for decision in decisions]


def outcome_lines(standings: Iterable[Standing], unit: Unit) -> list[str]:
    """Return a line for each of the final ``standings``: place, seat, score in ``unit``, and the remark on it."""
    return [f"  {row.place}. {row.seat}  {signed(row.score, unit)} {unit[0]}  {row.note}" for row in standings]
