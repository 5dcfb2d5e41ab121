"""Draw all suspects as a wall of cards: those that miss a known clue are crossed off, those not turned yet are dashed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from adjudicator.games.checkpoint_charlie.cards import EDGE, PAPER, fitted
from adjudicator.games.checkpoint_charlie.figures import figure_parts
from adjudicator.games.checkpoint_charlie.tableau import Card
from adjudicator.scenes import Element, Entry, Group, Kept, Path, Scene, group, rect, words

_ACROSS: Final = 8
_WIDE: Final = 120
_HIGH: Final = 118
_GAP: Final = 9
WIDTH: Final = _ACROSS * (_WIDE + _GAP)
_LETTERS: Final = 16
"""The size of letters, readable on a phone, too."""
_FIGURE: Final = 1.2
"""The scale of the person."""
_DASH: Final = "7 5"
_CROSS: Final[dict[str, Any]] = {"stroke": "#b3261e", "stroke_opacity": 0.8, "stroke_linecap": "round"}


def wall_scene(cards: Sequence[Card], crossed: Collection[str] = (), absent: Collection[str] = ()) -> Scene:
    """Return ``cards`` in columns, with a cross over the ``crossed`` ones; ``absent`` cards do not lie on the table yet."""
    rows = max(1, -(-len(cards) // _ACROSS))
    parts = []
    for at, card in enumerate(cards):
        column, row = divmod(at, rows)
        x, y = column * (_WIDE + _GAP) + _GAP / 2, row * (_HIGH + _GAP) + _GAP / 2
        parts.append(_CARDS.of((card.label, at), card, card.label in crossed, card.label in absent, x, y))
    return Scene("wall", "Suspects", tuple(parts), WIDTH, rows * (_HIGH + _GAP), fold=rows * _ACROSS // 2)


def wall_entries() -> Iterator[Entry]:
    """Yield the meaning of a cross and of a dashed card."""
    yield Entry("crossed off: misses a clue you know", (_small(), _cross(1, 1, 15, 13, 1.6)), 22)
    yield Entry("dashed: not turned yet", (_small(stroke_dasharray="3 2"),), 22)


def _small(**look: Any) -> Path:
    return rect(16, 14, rx=2, fill=PAPER, stroke=EDGE, stroke_width=1.2, **look)


def _card(card: Card, is_crossed: bool, is_absent: bool, x: float, y: float) -> Group:
    """Return a card of the wall; it is no place, because the table shows the changes of the same card."""
    parts: list[Element] = [
        rect(_WIDE - 2, _HIGH - 2, 1, 1, 6, fill=PAPER, stroke=EDGE, stroke_dasharray=_DASH if is_absent else "")
    ]
    person = tuple(figure_parts(card.features))
    at, top = (_WIDE - 86 * _FIGURE) / 2, _HIGH - 2 - 78 * _FIGURE
    parts.append(Group(person, at, top, scale=_FIGURE, opacity=0.45 if is_crossed else 0.65 if is_absent else 1))
    parts.append(fitted(card.label, _WIDE / 2, 17, _WIDE - 6, _LETTERS))
    parts.append(words(card.remark, _WIDE - 5, 62, _LETTERS, "end"))
    if is_crossed:
        parts.append(_cross(9, 27, _WIDE - 9, _HIGH - 6, 3))
    return group(parts, x, y, id=card.label)


def _cross(left: float, top: float, right: float, bottom: float, width: float) -> Path:
    return Path(f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}", stroke_width=width, **_CROSS)


_CARDS: Final = Kept(_card)
