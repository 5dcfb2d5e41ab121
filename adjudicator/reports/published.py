"""What the check of published logs came to, in words and as data."""

from __future__ import annotations

from typing import Any

from adjudicator.core.canonical import json_value
from adjudicator.reports.sanitize import printable
from adjudicator.reports.verdict import Published

_SHOWN = 20


def published_text(found: Published) -> str:
    """Return ``found`` for people: what fits, what does not, and what could not be checked."""
    fits = "the secret is the one committed to" if found.is_published else "is it the one that was published? No log has it"
    lines = [f"commitment  {found.commitment}: {fits}"]
    lines.append(f"checked     {_count(found.entries, 'entry', 'entries')} of {found.published}, with {found.draws} draws")
    if found.mismatch:
        lines.append(f"DOES NOT FIT  {found.mismatch}")
    if found.unchecked:
        lines.append(f"not checked  {found.unchecked}")
    if found.hidden:
        shown = _count(found.hidden, "entry", "entries")
        lines.append(f"not shown   something in {shown}: of that it is only certain that all the rest follows from it")
    if found.untold:
        numbers = ", ".join(map(str, found.untold[:_SHOWN])) + (", …" if len(found.untold) > _SHOWN else "")
        lines.append(f"not told    entries {numbers} stand in no log: taken for conditions that did not hold")
    if not found.mismatch:
        end = "as far as it could be checked" if found.unchecked else "every draw is as the secret has it"
        lines.append(f"sound       {end}")
    return "\n".join(map(printable, lines))


def published_data(found: Published) -> dict[str, Any]:
    """Return ``found`` as plain values."""
    data: dict[str, Any] = json_value(found)
    return {**data, "sound": not found.mismatch}


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
