"""Turn shapes of a drawing into tables: lists, tables, the panels of seats, and the cards on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.core.drawing import Columns, Fields, Panels, Shape, Shelf, Square
from adjudicator.core.tableau import Card, Cards, Counters, Place, Tableau
from adjudicator.reports.kept import Kept
from adjudicator.reports.sanitize import printable

TableText = tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]
"""A title, headings (empty: each row begins with its label), and rows, safe to show."""
Tabled = Fields | Columns | Shelf | Panels | Tableau
"""The shapes that become tables."""
NOTHING: Final = "–"
_SIDES: Final = ("N", "E", "S", "W")


def shape_tables(shape: Shape) -> tuple[TableText, ...]:
    """Return ``shape`` as tables; empty for shapes that only have a picture."""
    return _TABLES.of((type(shape), shape.title), shape) if isinstance(shape, Tabled) else ()


def _tables(shape: Tabled) -> tuple[TableText, ...]:
    return tuple(_tables_of(shape))


_TABLES: Final = Kept(_tables)


def _tables_of(shape: Tabled) -> Iterator[TableText]:
    match shape:
        case Fields(title=title, rows=rows):
            yield _shown(title, (), rows)
        case Columns(title=title, headings=headings, rows=rows):
            yield _shown(title, headings, rows)
        case Shelf(title=title, rows=lying):
            squares = [_square_row(where, square) for where, row in lying for square in row if square.edges]
            yield _shown(title, ("where", "tile", "road", "exits", *_SIDES), tuple(squares))
        case Panels():
            yield _shown(shape.title, *_panel_rows(shape))
        case Tableau():
            yield from _tableau_tables(shape)


def cards_text(cards: Cards) -> str:
    """Return the names of ``cards`` as text."""
    down = f"{cards.down} face down" if cards.down else ""
    return cards.told or " ".join(filter(None, (*(card.label for card in cards.cards), down))) or NOTHING


def counters_text(counters: Counters) -> str:
    """Return the names of ``counters`` as text."""
    return counters.told or ", ".join(counter.text for counter in counters.counters) or NOTHING


def place_rows(place: Place) -> tuple[tuple[str, str], ...]:
    """Return the contents of ``place``, each with its label."""
    counters = ((one.label, counters_text(one)) for one in place.counters)
    return (*place.rows, *counters, *((one.label, cards_text(one)) for one in place.cards))


def _shown(title: str, headings: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> TableText:
    return printable(title), tuple(map(printable, headings)), tuple([tuple(map(printable, row)) for row in rows])


def _square_row(where: str, square: Square) -> tuple[str, ...]:
    """Return the table row of a ``square`` that is face up."""
    roads = " ".join(dict.fromkeys(edge.road for edge in square.edges if edge.road))
    exits = "".join(side for side, edge in zip(_SIDES, square.edges, strict=False) if edge.road)
    grounds = [edge.ground for edge in square.edges[: len(_SIDES)]]
    return (where, square.label, roads, exits, *grounds, *[""] * (len(_SIDES) - len(grounds)))


def _panel_rows(shape: Panels) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    if not shape.panels:
        return (), ()
    first = shape.panels[0]
    headings = ("", *(gauge.label for gauge in first.gauges), *(label for label, _ in first.rows))
    rows = tuple(
        (panel.title, *(f"{gauge.level}/{gauge.most}" for gauge in panel.gauges), *(value for _, value in panel.rows))
        for panel in shape.panels
    )
    return headings, rows


def _tableau_tables(shape: Tableau) -> Iterator[TableText]:
    """Yield a list of the middle, a table of the places of seats, and for each place a table of its open cards."""
    for place in shape.places:
        if not place.seat:
            yield _shown(place.title, (), place_rows(place))
    before = [(place, place_rows(place)) for place in shape.places if place.seat]
    if before:
        headings = ("", *(label for label, _ in before[0][1]))
        yield _shown(shape.title, headings, tuple((place.title, *(value for _, value in rows)) for place, rows in before))
    headings = (shape.card, *shape.features, "lies", shape.pieces, shape.remark)
    for place in shape.places:
        rows = tuple(_card_row(card, cards.label, len(shape.features)) for cards in place.cards for card in cards.cards)
        if rows:
            yield _shown(f"{shape.cards}: {place.title}", headings, rows)


def _card_row(card: Card, where: str, most: int) -> tuple[str, ...]:
    """Return the table row of ``card``, with ``most`` features; a card without a person has fewer."""
    features = [NOTHING if feature.is_missing else feature.text for feature in card.features[:most]]
    features += [NOTHING] * (most - len(features))
    return (card.label, *features, where, ", ".join(card.pieces) or NOTHING, card.remark or NOTHING)
