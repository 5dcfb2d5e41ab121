"""A board or a track as a picture: SVG, for letters and pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from adjudicator.core.drawing import Badge, Drawing, Grid, Legend, Sign, Stroke, Track
from adjudicator.core.frozen import frozen
from adjudicator.reports.legend import Key, as_badge, key_of
from adjudicator.reports.picture_colors import ground_ink
from adjudicator.reports.picture_grid import grid_parts
from adjudicator.reports.picture_track import track_parts
from adjudicator.reports.sketch import Part, badge_parts, road_line
from adjudicator.reports.svg import element, words

_MARGIN: Final = 16
_HEAD: Final = 28
_LINE: Final = 22


def picture(drawing: Drawing, title: str) -> str | None:
    """Return the boards and tracks of ``drawing`` under ``title`` as an SVG document, ``None`` if there is none."""
    boards = [shape for shape in drawing.shapes if isinstance(shape, (Grid, Track))]
    if not boards:
        return None
    page = _Page(key_of(drawing), _grounds(drawing), _seats(boards))
    parts = [*(page.board(board) for board in boards), page.legend(drawing)]
    width = max(part.width for part in parts) + 2 * _MARGIN
    drawn = [words(title, _MARGIN, 20, size=14, anchor="start", font_weight="bold")]
    top: float = _HEAD
    for part in parts:
        drawn.append(element("g", *part.drawn, transform=f"translate({_MARGIN} {top})"))
        top += part.height + _MARGIN
    paper = element("rect", width=width, height=top, fill="#ffffff")
    head = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {top}", "width": width, "height": top}
    return element("svg", paper, *drawn, font_family="sans-serif", **head) + "\n"


@frozen
class _Page:
    """What all parts of a picture share: the key, the grounds and the seats in the order of their colours."""

    key: Key
    grounds: Sequence[str]
    seats: Sequence[str]

    def board(self, board: Grid | Track) -> Part:
        if isinstance(board, Track):
            return track_parts(board, self.key, self.grounds, self.seats)
        return grid_parts(board, self.key, self.grounds, self.seats)

    def legend(self, drawing: Drawing) -> Part:
        """Say what colours, roads and signs mean, one to a line each."""
        legends = [shape for shape in drawing.shapes if isinstance(shape, Legend)]
        lines = [line for line in (self._ground_line(legends), _road_line(legends), _sign_line(legends)) if line]
        drawn = [element("g", *line, transform=f"translate(0 {at * _LINE})", font_size=11) for at, line in enumerate(lines)]
        return Part(tuple(drawn), 480, len(lines) * _LINE)

    def _ground_line(self, legends: Iterable[Legend]) -> list[str]:
        names = [name for legend in legends for _, name in legend.entries]
        return list(
            chain.from_iterable(
                (_swatch(at * 110, ground_ink(name, self.grounds)), words(name, at * 110 + 20, 11, anchor="start"))
                for at, name in enumerate(names)
            )
        )


def _swatch(x: float, ink: str) -> str:
    return element("rect", x=x, y=0, width=14, height=14, fill=ink, stroke="#888888")


def _road_line(legends: Iterable[Legend]) -> list[str]:
    roads: list[tuple[str, Stroke]] = [road for legend in legends for road in legend.roads]
    return list(
        chain.from_iterable(
            (*road_line(stroke, (at * 110, 7), (at * 110 + 30, 7)), words(name, at * 110 + 36, 11, anchor="start"))
            for at, (name, stroke) in enumerate(roads)
        )
    )


def _sign_line(legends: Iterable[Legend]) -> list[str]:
    signs = [entry for legend in legends for entry in legend.signs]
    return list(
        chain.from_iterable(
            (*badge_parts(Badge("", sign), at * 190 + 8, 7, "#555555"), words(told, at * 190 + 22, 11, anchor="start"))
            for at, (sign, told) in enumerate(signs)
        )
    )


def _grounds(drawing: Drawing) -> list[str]:
    """Return the names of all grounds: those of the legends first, in their order."""
    named = [name for shape in drawing.shapes if isinstance(shape, Legend) for _, name in shape.entries]
    return list(dict.fromkeys(named))


def _seats(boards: Iterable[Grid | Track]) -> list[str]:
    return sorted({badge.seat or badge.text for badge in _badges(boards) if badge.sign is not Sign.NOTE})


def _badges(boards: Iterable[Grid | Track]) -> Iterator[Badge]:
    for board in boards:
        places = board.spaces if isinstance(board, Track) else board.squares
        yield from (as_badge(badge) for place in places for badge in place.badges)
