"""Draw all suspects as a wall of cards: those that miss a known clue are crossed off, those not turned yet are pale."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from adjudicator.games.checkpoint_charlie.cards import HIGH, STRIP, WIDE, card_parts, strip_parts
from adjudicator.games.checkpoint_charlie.tableau import Card
from adjudicator.scenes import Element, Group, Kept, Path, Scene, group, text_lines, words

_ACROSS: Final = 3
_GAP: Final = 7
_PITCH: Final = WIDE + _GAP
_TITLE: Final = 16
WIDTH: Final = _ACROSS * _PITCH - _GAP
_TOLD: Final = "Suspects. Crossed off: misses a clue you know. Pale: not turned yet."
_BOX: Final = 5
"""The number of whole cards side by side."""
_CROSS: Final[dict[str, Any]] = {"stroke": "#b3261e", "stroke_width": 2, "stroke_opacity": 0.75, "stroke_linecap": "round"}


def wall_scene(cards: Sequence[Card], crossed: Collection[str], absent: Collection[str]) -> Scene:
    """Return ``cards`` in rows, with a cross over the ``crossed`` ones; ``absent`` cards do not lie on the table yet."""
    lines = text_lines(_TOLD, WIDTH, 12)
    parts: list[Element] = [words(text, 0, 12 + at * _TITLE, 12, "start", fill="#55524a") for at, text in enumerate(lines)]
    top = len(lines) * _TITLE + _GAP
    for at, card in enumerate(cards):
        x, y = at % _ACROSS * _PITCH, top + at // _ACROSS * (STRIP + _GAP)
        parts.append(_CARDS.of((card.label, at), card, card.label in crossed, card.label in absent, x, y))
    height = top + -(-len(cards) // _ACROSS) * (STRIP + _GAP)
    return Scene("wall", "Suspects", tuple(parts), WIDTH, height, is_beside=True)


def box_scene(cards: Sequence[Card]) -> Scene:
    """Return all ``cards`` of a component set, whole."""
    drawn = (
        group((card_parts(card, ""),), at % _BOX * _PITCH, at // _BOX * (HIGH + _GAP), id=card.label)
        for at, card in enumerate(cards)
    )
    return Scene("wall", "Suspects", tuple(drawn), _BOX * _PITCH - _GAP, -(-len(cards) // _BOX) * (HIGH + _GAP))


def _card(card: Card, is_crossed: bool, is_absent: bool, x: float, y: float) -> Group:
    """Return a card of the wall; it is no place, because the table shows the changes of the same card."""
    inner = Group(tuple(strip_parts(card)), opacity=0.6 if is_absent or is_crossed else 1)
    return group((inner, *(_cross() if is_crossed else ())), x, y, id=card.label)


def _cross() -> Iterator[Element]:
    yield Path(f"M4 4L{WIDE - 4} {STRIP - 4}M{WIDE - 4} 4L4 {STRIP - 4}", **_CROSS)


_CARDS: Final = Kept(_card)
