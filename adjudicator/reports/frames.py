"""Store nearly identical pictures compactly: each piece of text once, and the sequence of pieces of each picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from adjudicator.core.values import Value

_PIECE: Final = re.compile(r"<[^>]*>(?:[^<]*</[^>]*>)?|[^<]+|<")
"""A piece of text: a tag, with its words and its end tag if it contains no other tag; or the text between two tags."""
_CUT: Final = 16
_SHORTEST: Final = 4
_BEGINNING: Final = 80
"""The number of characters by which the recorder finds an earlier run."""


class Frames(Value):
    """Texts in pieces: ``parts`` has each piece once, ``runs`` each sequence of them, ``frames`` the runs of each text."""

    parts: tuple[str, ...]
    runs: tuple[tuple[int, ...], ...]
    frames: tuple[tuple[int, ...], ...]


class _Run(Value):
    """A run of pieces with its ``number`` and ``text``; it ``needs_more`` if only the end of the text has ended it.

    A run that ``is_open`` ends in a tag to which the text after it may belong.
    """

    number: int
    text: str
    needs_more: bool
    is_open: bool

    def stands_in(self, text: str, at: int) -> bool:
        """Return whether ``text`` begins with this run at ``at``."""
        if not text.startswith(self.text, at):
            return False
        end = at + len(self.text)
        if self.needs_more or self.is_open:
            return end == len(text) or not (self.needs_more or text.startswith("</", end) or text[end] != "<")
        return True


class FrameRecorder:
    """Records texts one after the other; each differs from the earlier texts in only a few places.

    A run ends after pieces that the recorder chooses by their number, and therefore at the same pieces in every text: an
    insertion or a deletion does not move the ends of later runs. The recorder does not cut known runs again: it first tries
    the run that came next the last time, then a run with the same beginning.
    """

    def __init__(self) -> None:
        """Make an empty recorder."""
        self._parts: dict[str, int] = {}
        self._runs: dict[tuple[int, ...], _Run] = {}
        self._frames: dict[tuple[int, ...], int] = {}
        self._next: dict[int, _Run] = {}
        self._like: dict[str, _Run] = {}

    def add(self, text: str) -> int:
        """Return the number of the frame with ``text``; the same text has the same number."""
        return self._frames.setdefault(tuple(self._cut(text)), len(self._frames))

    def frames(self) -> Frames:
        """Return all recorded texts."""
        return Frames(tuple(self._parts), tuple(self._runs), tuple(self._frames))

    def _cut(self, text: str) -> Iterator[int]:
        at, before = 0, -1
        while at < len(text):
            run = self._next.get(before)
            if run is None or not run.stands_in(text, at):
                run = self._like.get(text[at : at + _BEGINNING])
                if run is None or not run.stands_in(text, at):
                    run = self._new(text, at)
                self._next[before] = run
            yield run.number
            at, before = at + len(run.text), run.number

    def _new(self, text: str, start: int) -> _Run:
        """Return the first run in ``text`` from ``start`` on, cut piece by piece."""
        parts, pieces = self._parts, list[int]()
        at, is_ended, piece = start, False, ""
        while at < len(text) and not is_ended:
            found = _PIECE.match(text, at)
            assert found is not None
            piece, at = found[0], found.end()
            number = parts.setdefault(piece, len(parts))
            pieces.append(number)
            is_ended = number % _CUT == 0 and len(pieces) >= _SHORTEST
        cut = tuple(pieces)
        run = self._runs.get(cut)
        if run is None:
            run = _Run(len(self._runs), text[start:at], not is_ended, "<" not in piece[1:])
            self._runs[cut] = run
        self._like[text[start : start + _BEGINNING]] = run
        return run
