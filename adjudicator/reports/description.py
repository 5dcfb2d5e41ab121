"""Describe the pictures of a position in sentences, for screen readers and for readers without pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from adjudicator.core.drawing import (
    Badge,
    Chart,
    Drawing,
    Icon,
    Legend,
    Mark,
    Region,
    Shape,
)
from adjudicator.core.phrases import listed
from adjudicator.core.scene import Scene, Sign
from adjudicator.core.tableau import Tableau
from adjudicator.reports.legend import as_badge
from adjudicator.reports.sanitize import printable
from adjudicator.reports.shape_tables import place_rows
from adjudicator.scenes.kept import Kept

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


_DESCRIBED: Final = (Scene, Chart, Tableau)
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
        case Scene(sentences=sentences):
            yield from sentences
        case Chart():
            yield from _chart_lines(shape, words)
        case Tableau():
            yield from _tableau_lines(shape)


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


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
