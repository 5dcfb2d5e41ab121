"""List the ignored lines of texts: lines that were not read as orders, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from adjudicator.results import Ignored

_SHOWN: Final = 3
"""The number of lines that are quoted from one block of ignored lines."""
_MOST: Final = 200
"""The number of lines in the whole list."""


def ignored_lines(ignored: Iterable[Ignored]) -> Iterator[str]:
    """Yield the ignored lines, consecutive lines with the same reason together, up to a maximum."""
    written = list(_stretches(ignored))
    yield from written[:_MOST]
    if len(written) > _MOST:
        yield f"… and {len(written) - _MOST:,} more lines about ignored text"


def _stretches(ignored: Iterable[Ignored]) -> Iterator[str]:
    numbered = enumerate(ignored)
    for (source, why, _), block in groupby(numbered, lambda item: (item[1].source, item[1].reason, item[1].line - item[0])):
        lines = [line for _, line in block]
        first, last = lines[0].line, lines[-1].line
        numbers = f"line {first}" if first == last else f"lines {first} to {last}"
        place = ", ".join(part for part in (source, numbers if first else "") if part)
        yield f"ignored: {place} ({why}){':' if lines[0].text else ''}"
        yield from (f"  {line.text.strip()}" for line in lines[:_SHOWN] if line.text)
        if len(lines) > _SHOWN:
            yield f"  … and {len(lines) - _SHOWN} more"
