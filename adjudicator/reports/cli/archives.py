"""Write about an archive of many games: a line for each game, and a summary."""

from __future__ import annotations

from typing import Final

from adjudicator.reports.table import count_of
from adjudicator.results import ArchivedGame, ArchiveEnd, UnmadePage

_MEGABYTE: Final = 1_000_000


def row_text(row: ArchivedGame) -> str:
    """Return the line of one game: its number, bytes, ruleset, id and name."""
    return f"{row.n:>7,}  {row.size:>10,}  {row.ruleset or '–'}  {row.game or '–'}  {row.name}"


def end_text(end: ArchiveEnd) -> str:
    """Return the size of the archive, and the results of the command."""
    times = f": {end.loose / end.size:.1f} times smaller than its games, {_size(end.loose)}" if end.loose else ""
    lines = [f"{end.file}: {count_of(end.games, 'game')}, {_size(end.size)}{times}"]
    same = f", {end.same:,} there already" if end.same else ""
    if end.task in ("made", "added"):
        lines.append(f"{count_of(end.taken, 'game')} put in{same}")
    if end.task == "extracted":
        lines.append(f"{count_of(end.taken, 'game')} written to {end.folder}{same}")
    if end.unsound:
        lines.append(f"{end.unsound:,} could not be added or read: see above")
    elif end.task == "checked":
        lines.append("every game agrees with the index and with its hash")
    return "\n".join(lines)


def _size(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f} MB" if size >= _MEGABYTE else f"{size:,} bytes"


def unmade_text(page: UnmadePage) -> str:
    """Return as one line which ``page`` of a site could not be made, and why."""
    return "  ".join(filter(None, ("not made ", page.page, page.cause, page.source)))
