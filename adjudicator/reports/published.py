"""What the check of published logs came to, in words."""

from __future__ import annotations

from adjudicator.outputs.audits import CheckedLogs
from adjudicator.reports.sanitize import printable

_SHOWN = 20


def published_text(found: CheckedLogs) -> str:
    """Return ``found`` for people: what fits, what does not, and what could not be checked."""
    fits = "the secret is the one committed to" if found.compared else "is it the one that was published? No log has it"
    lines = [f"commitment  {found.commitment}: {fits}"]
    lines.append(f"checked     {_count(found.entries, 'entry', 'entries')} of {found.listed}, with {found.draws} draws")
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


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
