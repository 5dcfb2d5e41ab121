"""Pictures that are nearly the same, kept as what they have in common: each piece of text once, and which follow which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.core.frozen import frozen

_PIECE: Final = re.compile(r"<[^>]*>(?:[^<]*</[^>]*>)?|[^<]+|<")
"""A tag, with its words and its end where nothing else is in it; or what stands between. Together they are the text."""
_CUT: Final = 16
_SHORTEST: Final = 4
_BEGINNING: Final = 80
"""Characters by which a run that was met before is looked for."""


@frozen
class Frames:
    """Texts in pieces: ``parts`` has each piece once, ``runs`` each sequence of them, ``frames`` the runs of each text."""

    parts: tuple[str, ...]
    runs: tuple[tuple[int, ...], ...]
    frames: tuple[tuple[int, ...], ...]


@frozen
class _Run:
    """A run by its ``number``, with its ``text``; it ``needs_more`` if it was cut off only because the text ended there.

    One that ``is_open`` ends in a tag that what stands behind it may belong to.
    """

    number: int
    text: str
    needs_more: bool
    is_open: bool

    def stands_in(self, text: str, at: int) -> bool:
        """Return whether ``text``, cut from ``at`` on, has this run first."""
        if not text.startswith(self.text, at):
            return False
        end = at + len(self.text)
        if self.needs_more or self.is_open:
            return end == len(text) or not (self.needs_more or text.startswith("</", end) or text[end] != "<")
        return True


class FrameRecorder:
    """Takes texts one after the other; each differs from those before in a few places, wherever these are.

    A run ends behind pieces that are chosen by their number, and so in the same places in every text that has them: what
    was put in or left out before does not move the ends of the runs behind. Runs that were met before are not cut again:
    the one that came next the last time is tried first, then one that begins like what stands there.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._parts: dict[str, int] = {}
        self._runs: dict[tuple[int, ...], _Run] = {}
        self._frames: dict[tuple[int, ...], int] = {}
        self._next: dict[int, _Run] = {}
        self._like: dict[str, _Run] = {}

    def add(self, text: str) -> int:
        """Return the number of the frame that is ``text``; the same text has the same number."""
        return self._frames.setdefault(tuple(self._cut(text)), len(self._frames))

    def frames(self) -> Frames:
        """Return everything that was added."""
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
        """Return the run that is first in ``text`` from ``start`` on, cut piece by piece."""
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


def frame_text(frames: Frames, number: int) -> str:
    """Return the text of frame ``number``, exactly as it was added: what the script of the page does, too."""
    runs: Sequence[tuple[int, ...]] = [frames.runs[run] for run in frames.frames[number]]
    return "".join(frames.parts[part] for run in runs for part in run)
