"""Write the table as tables and as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.game import drawing
from adjudicator.games.checkpoint_charlie.tableau import Card, Cards, Counters, Place, Tableau

NOTHING: Final = "–"


def told_cards(cards: Cards) -> str:
    """Return the names of ``cards`` as text."""
    down = f"{cards.down} face down" if cards.down else ""
    return cards.told or " ".join(filter(None, (*(card.label for card in cards.cards), down))) or NOTHING


def told_counters(counters: Counters) -> str:
    """Return the names of ``counters`` as text."""
    return counters.told or ", ".join(counter.text for counter in counters.counters) or NOTHING


def place_rows(place: Place) -> tuple[tuple[str, str], ...]:
    """Return the contents of ``place``, each with its label."""
    counters = ((one.label, told_counters(one)) for one in place.counters)
    return (*place.rows, *counters, *((one.label, told_cards(one)) for one in place.cards))


def tableau_tables(shape: Tableau) -> Iterator[drawing.Fields | drawing.Columns]:
    """Yield a list of the middle, a table of the places of seats, and for each place a table of its open cards."""
    for place in shape.places:
        if not place.seat:
            yield drawing.Fields(place.title, place_rows(place))
    before = [(place, place_rows(place)) for place in shape.places if place.seat]
    if before:
        headings = ("", *(label for label, _ in before[0][1]))
        rows = tuple((place.title, *(value for _, value in rows)) for place, rows in before)
        yield drawing.Columns(shape.title, headings, rows)
    headings = (shape.card, *shape.features, "lies", shape.pieces, shape.remark)
    for place in shape.places:
        cells = tuple(_card_row(card, cards.label, len(shape.features)) for cards in place.cards for card in cards.cards)
        if cells:
            yield drawing.Columns(f"{shape.cards}: {place.title}", headings, cells)


def _card_row(card: Card, where: str, most: int) -> tuple[str, ...]:
    """Return the table row of ``card``, with ``most`` features; a card without a person has fewer."""
    features = [NOTHING if feature.is_missing else feature.text for feature in card.features[:most]]
    features += [NOTHING] * (most - len(features))
    return (card.label, *features, where, ", ".join(card.pieces) or NOTHING, card.remark or NOTHING)


def tableau_sentences(shape: Tableau) -> Iterator[str]:
    """Yield a sentence for each place, and one for each card."""
    titles = {place.seat: place.title for place in shape.places if place.seat}
    for place in shape.places:
        yield f"{place.title}: {'; '.join(f'{label} {value}' for label, value in place_rows(place))}."
        for cards in place.cards:
            for card in cards.cards:
                pieces = (f"{shape.pieces} {titles.get(seat, seat)}" for seat in card.pieces)
                remark = (f"{shape.remark} {card.remark}".lstrip(),) if card.remark else ()
                words = (*(feature.text for feature in card.features), *pieces, *remark)
                yield f"{card.label}, {cards.label} of {place.title}: {', '.join(words)}."
