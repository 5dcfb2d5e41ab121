"""Describe the pictures of a position in sentences, for screen readers and for readers without pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from adjudicator.core.drawing import (
    Badge,
    Chart,
    Circuit,
    Dial,
    Drawing,
    Edge,
    Grid,
    Icon,
    Legend,
    Mark,
    Region,
    Roadmap,
    Shape,
    Shelf,
    Sign,
    Space,
    Square,
    Track,
)
from adjudicator.core.phrases import listed
from adjudicator.core.tableau import Tableau
from adjudicator.reports.kept import Kept
from adjudicator.reports.legend import as_badge
from adjudicator.reports.sanitize import printable
from adjudicator.reports.shape_tables import place_rows

_SIDES: Final = ("north", "east", "south", "west")
_SIGNS: Final = {Sign.PIECE: "", Sign.MARK: "mark", Sign.GOAL: "goal", Sign.NOTE: ""}
"""The names of badges that the legend does not explain."""


def description_lines(drawing: Drawing) -> tuple[str, ...]:
    """Return sentences about the boards, tracks and maps of ``drawing``, one line for each piece or place.

    Empty places are omitted, and so are tables, which are text already.
    """
    words = _words(tuple([shape for shape in drawing.shapes if isinstance(shape, Legend)]))
    shapes = (shape for shape in drawing.shapes if isinstance(shape, _DESCRIBED))
    described = (_LINES.of((type(shape), getattr(shape, "title", "")), shape, words) for shape in shapes)
    return tuple([line for lines in described for line in lines])


_DESCRIBED: Final = (Grid, Shelf, Dial, Track, Roadmap, Chart, Tableau)
Names = Mapping[str, str]
Signs = Mapping[Sign, str]


class _Words:
    """The words of ``legends`` for ``grounds``, ``signs`` and ``icons``: the same for all pictures with these legends."""

    def __init__(self, legends: tuple[Legend, ...]) -> None:
        self.legends = legends
        self.grounds: Names = {letter: name for legend in legends for letter, name in legend.entries}
        self.signs: Signs = {sign: words for legend in legends for sign, words in legend.signs}
        self.icons: Mapping[Icon, str] = {icon: words for legend in legends for icon, words in legend.icons}


@lru_cache(maxsize=64)
def _words(legends: tuple[Legend, ...]) -> _Words:
    return _Words(legends)


def _shape_lines(shape: Shape, words: _Words) -> tuple[str, ...]:
    return tuple(map(printable, _described(shape, words)))


_LINES: Final = Kept(_shape_lines)


def _described(shape: Shape, words: _Words) -> Iterator[str]:
    match shape:
        case Grid():
            yield from _grid_lines(shape, words)
        case Shelf():
            yield from _shelf_lines(shape)
        case Dial():
            yield from _dial_lines(shape)
        case Track():
            yield from _track_lines(shape, words.grounds, words.signs)
        case Roadmap():
            yield from _map_lines(shape, words.grounds, words.signs)
        case Chart():
            yield from _chart_lines(shape, words)
        case Tableau():
            yield from _tableau_lines(shape)


def _grid_lines(grid: Grid, words: _Words) -> Iterator[str]:
    columns = len(grid.columns)
    yield from _around_lines(grid.columns, grid.rows, grid.frame, grid.is_apart, words)
    for at, square in enumerate(grid.squares):
        if square.label or square.edges or square.badges:
            row, column = divmod(at, max(columns, 1))
            name = f"{grid.columns[column]}{grid.rows[row]}"
            yield _SQUARES.of(name, name, square, words)
    empty = sum(not (square.label or square.edges or square.badges) for square in grid.squares)
    if empty and not grid.is_apart:
        yield f"{_count(empty, 'square')} {'is' if empty == 1 else 'are'} empty."


@lru_cache(maxsize=64)
def _around_lines(
    columns: tuple[str, ...], rows: tuple[str, ...], frame: tuple[tuple[str, ...], ...], is_apart: bool, words: _Words
) -> tuple[str, ...]:
    """Return the size and the frame of a grid as sentences."""
    lines = []
    if not is_apart:
        names = f", {_span(columns)} from west to east, {_span(rows)} from north to south" if rows and columns else ""
        lines.append(f"Board of {_count(len(columns), 'column')} and {_count(len(rows), 'row')}{names}.")
    for side, beside in zip(_SIDES, frame, strict=False):
        named = zip(columns if side in ("north", "south") else rows, beside, strict=False)
        lying = (f"{name} {words.grounds.get(ground, ground)}" for name, ground in named if ground)
        lines.append(f"The {side} border: {listed(lying)}.")
    return tuple(lines)


def _shelf_lines(shelf: Shelf) -> Iterator[str]:
    """Yield the squares of each row by name; a table shows their faces."""
    for title, squares in shelf.rows:
        if squares:
            yield f"{title.capitalize()}: {listed(square.label or 'a hidden face' for square in squares)}."


def _dial_lines(dial: Dial) -> Iterator[str]:
    for stack in dial.stacks:
        under = ", the first on top" if len(stack.badges) > 1 else ""
        yield f"{dial.title}, at {stack.at}: {listed(badge.text for badge in map(as_badge, stack.badges))}{under}."


def _square_words(name: str, square: Square, words: _Words) -> str:
    grounds, signs = words.grounds, words.signs
    label = " ".join(filter(None, (square.label, square.corner)))
    edges = [_edge_words(side, edge, grounds) for side, edge in zip(_SIDES, square.edges, strict=False)]
    parts = [*filter(None, (label,)), *filter(None, edges), *(_badge_words(badge, signs) for badge in square.badges)]
    return f"{name}: {', '.join(parts)}."


_SQUARES: Final = Kept(_square_words)


def _edge_words(side: str, edge: Edge, grounds: Names) -> str:
    ground = grounds.get(edge.ground, edge.ground)
    road = f"with {edge.road}" if edge.road else ""
    return " ".join((side, *filter(None, (ground, road)))) if ground or road else ""


def _track_lines(track: Track, grounds: Names, signs: Signs) -> Iterator[str]:
    if track.title:
        yield f"{track.title}."
    for space in track.spaces:
        if space.badges:
            yield f"On {space.label}: {listed(_badge_words(badge, signs) for badge in space.badges)}."
    for (ground, mark), run in groupby(track.spaces, key=lambda space: (space.ground, space.mark)):
        if ground:
            yield f"{_span([space.label for space in run])}: {' '.join(filter(None, (grounds.get(ground, ground), mark)))}."
    most = max((space.lanes for space in track.spaces), default=0)
    for lanes in range(most):
        narrow = [_span([space.label for space in run]) for is_so, run in _runs(track.spaces, lanes) if is_so]
        if narrow:
            yield f"Lanes: {lanes} on {listed(narrow)}; {most} elsewhere."
    if isinstance(track, Circuit):
        yield from _beside_lines(track)


def _beside_lines(circuit: Circuit) -> Iterator[str]:
    """Yield the seats that stand still, the positions of the levers, and the numbers on the wheels of ``circuit``."""
    yield from (f"{seat} stands still and loses {_count(turns, 'turn')}." for seat, turns in circuit.stopped)
    for panel in circuit.panels:
        lever = (f"lever at {panel.lever.at}",) if panel.lever else ()
        shown = (*lever, *(f"{wheel.label} at {wheel.value}" for wheel in panel.wheels))
        if shown:
            yield f"{panel.title}: {listed(shown)}."


def _runs(spaces: Iterable[Space], lanes: int) -> Iterator[tuple[bool, list[Space]]]:
    for is_so, run in groupby(spaces, key=lambda space: space.lanes == lanes):
        yield is_so, list(run)


def _map_lines(roadmap: Roadmap, grounds: Names, signs: Signs) -> Iterator[str]:
    title = f"{roadmap.title}: " if roadmap.title else ""
    yield f"{title}{_count(len(roadmap.spots), 'spot')} and {_count(len(roadmap.roads), 'road')} between them."
    if roadmap.route:
        yield f"The marked route begins at {roadmap.route[0]} and ends at {roadmap.route[-1]}."
    for spot in roadmap.spots:
        if not (spot.badges or spot.name):
            continue
        ground = grounds.get(spot.ground, spot.ground)
        parts = [
            *filter(None, (spot.name, ground and f"on {ground}", spot.sign)),
            *(_badge_words(badge, signs) for badge in spot.badges),
        ]
        yield f"{spot.label}: {', '.join(parts)}."


def _chart_lines(chart: Chart, words: _Words) -> Iterator[str]:
    legends, grounds, signs, icons = words.legends, words.grounds, words.signs, words.icons
    title = f"{chart.title}: " if chart.title else ""
    yield f"{title}{_count(len(chart.regions), 'region')}."
    for passage in chart.passages:
        yield f"{passage.kind.capitalize()} from {passage.ends[0]} to {passage.ends[1]}: {passage.text}."
    for lane in chart.lanes:
        if lane.badges:
            yield f"On lane {lane.label}: {listed(_badge_words(badge, signs) for badge in lane.badges)}."
    for region in chart.regions:
        if region.ground or region.badges:
            parts = [
                *filter(None, (grounds.get(region.ground, region.ground),)),
                *(_mark_words(mark, icons) for mark in region.marks),
                *_edge_signs(region, legends),
                *(_badge_words(badge, signs) for badge in region.badges),
            ]
            yield f"{region.label}: {', '.join(parts)}."
    empty = [region for region in chart.regions if not (region.ground or region.badges)]
    hatched = [region.label for region in empty if region.is_hatched]
    plain = [region.label for region in empty if not region.is_hatched]
    for labels, what in ((plain, ""), (hatched, next((f", {one.hatched}" for one in legends if one.hatched), ""))):
        if labels:
            yield f"Empty{what}: {', '.join(labels)}."


def _tableau_lines(shape: Tableau) -> Iterator[str]:
    titles = {place.seat: place.title for place in shape.places if place.seat}
    for place in shape.places:
        yield f"{place.title}: {'; '.join(f'{label} {value}' for label, value in place_rows(place))}."
        for cards in place.cards:
            for card in cards.cards:
                pieces = (f"{shape.pieces} {titles.get(seat, seat)}" for seat in card.pieces)
                remark = (f"{shape.remark} {card.remark}".lstrip(),) if card.remark else ()
                words = (*(feature.text for feature in card.features), *pieces, *remark)
                yield f"{card.label}, {cards.label} of {place.title}: {', '.join(words)}."


def _mark_words(mark: Mark, icons: Mapping[Icon, str]) -> str:
    """Return a mark as text, with its meaning in the legend: ``fuel 2``."""
    words = icons.get(mark.icon, mark.icon.value)
    return f"{words} {mark.number}" if mark.number else words


def _edge_signs(region: Region, legends: Sequence[Legend]) -> Iterator[str]:
    for legend in legends:
        if region.is_hatched and legend.hatched:
            yield legend.hatched
        if region.is_ringed and legend.ringed:
            yield legend.ringed


def _badge_words(badge: Badge | str, signs: Signs) -> str:
    shown = as_badge(badge)
    sign = signs.get(shown.sign, _SIGNS[shown.sign])
    return f"{shown.text} ({sign})" if sign else shown.text


def _span(names: list[str] | tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
