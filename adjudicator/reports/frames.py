"""Pictures that are nearly the same, kept as what they have in common: each piece of text once, and which follow which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from adjudicator.core.frozen import frozen

_PIECE: Final = re.compile(r"<[^>]*>(?:[^<]*</[^>]*>)?|[^<]+|<")
"""A tag, with its words and its end where nothing else is in it; or what stands between. Together they are the text."""
_CUT: Final = 16
_SHORTEST: Final = 4


@frozen
class Frames:
    """Texts in pieces: ``parts`` has each piece once, ``runs`` each sequence of them, ``frames`` the runs of each text."""

    parts: tuple[str, ...]
    runs: tuple[tuple[int, ...], ...]
    frames: tuple[tuple[int, ...], ...]


class FrameRecorder:
    """Takes texts one after the other; each differs from those before in a few places, wherever these are.

    A run ends behind pieces that are chosen by their number, and so in the same places in every text that has them: what
    was put in or left out before does not move the ends of the runs behind.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._parts: dict[str, int] = {}
        self._runs: dict[tuple[int, ...], int] = {}
        self._frames: dict[tuple[int, ...], int] = {}
        self._known: dict[str, int] = {}

    def add(self, text: str) -> int:
        """Return the number of the frame that is ``text``; the same text has the same number."""
        number = self._known.get(text)
        if number is None:
            frame = tuple(self._runs.setdefault(run, len(self._runs)) for run in self._cut(text))
            self._known[text] = number = self._frames.setdefault(frame, len(self._frames))
        return number

    def frames(self) -> Frames:
        """Return everything that was added."""
        return Frames(tuple(self._parts), tuple(self._runs), tuple(self._frames))

    def _cut(self, text: str) -> Iterable[tuple[int, ...]]:
        parts = self._parts
        run: list[int] = []
        for piece in _PIECE.findall(text):
            number = parts.setdefault(piece, len(parts))
            run.append(number)
            if number % _CUT == 0 and len(run) >= _SHORTEST:
                yield tuple(run)
                run = []
        if run:
            yield tuple(run)


def frame_text(frames: Frames, number: int) -> str:
    """Return the text of frame ``number``, exactly as it was added: what the script of the page does, too."""
    runs: Sequence[tuple[int, ...]] = [frames.runs[run] for run in frames.frames[number]]
    return "".join(frames.parts[part] for run in runs for part in run)
