"""Write the result of the check of published logs."""

from __future__ import annotations

from adjudicator.outputs.audits import CheckedLogs
from adjudicator.reports.text.sanitize import printable
from adjudicator.reports.text.table import count_of

_SHOWN = 20


def published_text(found: CheckedLogs) -> str:
    """Return ``found`` for people: matches, mismatches and unchecked entries."""
    fits = "matches the secret and the logs" if found.compared else "no log has it: compare it with the published one"
    lines = [f"commitment  {found.commitment}: {fits}"]
    lines.append(f"checked     {count_of(found.entries, 'entry', 'entries')} of {found.listed}, with {found.draws} draws")
    if found.mismatch:
        lines.append(f"MISMATCH    {found.mismatch}")
    if found.unchecked:
        lines.append(f"not checked  {found.unchecked}")
    if found.hidden:
        shown = count_of(found.hidden, "entry", "entries")
        lines.append(f"not shown   parts of {shown}: all other entries follow from them, but nothing else is checked")
    if found.untold:
        numbers = ", ".join(map(str, found.untold[:_SHOWN])) + (", …" if len(found.untold) > _SHOWN else "")
        lines.append(f"not told    entries {numbers} are in no log: presumably their conditions did not hold")
    if not found.mismatch:
        end = "as far as it could be checked" if found.unchecked else "every draw follows from the secret"
        lines.append(f"sound       {end}")
    return "\n".join(map(printable, lines))
