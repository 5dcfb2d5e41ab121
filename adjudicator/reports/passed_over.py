"""What of a text was not taken for orders, in a few lines for each stretch of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, Protocol

from adjudicator.core.frozen import frozen
from adjudicator.outputs import orders as outputs

_SHOWN: Final = 3
"""Lines of a stretch that are written out."""
_LONGEST: Final = 100
_MOST: Final = 200
"""Lines written out of all that was passed over."""


class PassedOver(Protocol):
    """A line that was passed over: its number (0: something beside the text), its words, why, and the text it is in."""

    @property
    def line(self) -> int:
        """Return the number of the line from 1."""

    @property
    def text(self) -> str:
        """Return the line as it was written."""

    @property
    def why(self) -> str:
        """Return why it was passed over."""

    @property
    def source(self) -> str:
        """Return what the text is called."""


@frozen
class LeftOut:
    """A line that was passed over, as it is told."""

    source: str
    line: int
    why: str
    text: str


def left_out(line: outputs.PassedOver) -> LeftOut:
    """Return the ``line`` of an output as the report tells it."""
    return LeftOut(line.source, line.line, line.reason, line.text)


def passed_over_data(line: PassedOver) -> outputs.PassedOver:
    """Return the ``line`` for machines."""
    return outputs.PassedOver(source=line.source, line=line.line, reason=line.why, text=line.text)


def passed_over_lines(ignored: Iterable[PassedOver]) -> Iterator[str]:
    """Yield the lines that were not taken for orders, those of one kind that follow each other together, up to a number."""
    written = list(_stretches(ignored))
    yield from written[:_MOST]
    if len(written) > _MOST:
        yield f"… and {len(written) - _MOST:,} more lines about what was passed over"


def _stretches(ignored: Iterable[PassedOver]) -> Iterator[str]:
    numbered = enumerate(ignored)
    for (source, why, _), block in groupby(numbered, key=lambda item: (item[1].source, item[1].why, item[1].line - item[0])):
        lines = [line for _, line in block]
        first, last = lines[0].line, lines[-1].line
        place = f", line {first}" if first == last else f", lines {first} to {last}"
        yield f"passed over: {source}{place if first else ''} ({why}){':' if lines[0].text else ''}"
        yield from (f"  {line.text.strip()[:_LONGEST]}" for line in lines[:_SHOWN] if line.text)
        if len(lines) > _SHOWN:
            yield f"  … and {len(lines) - _SHOWN} more"
