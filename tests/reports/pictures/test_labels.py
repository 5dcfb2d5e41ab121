"""Words of boards cover no other words and no piece: measured with the metrics of the font, for all recorded games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import hypot
from pathlib import Path

import pytest
from portion import portion

from adjudicator.core.ids import MODERATOR
from adjudicator.core.scene import Element, Group, Scene, Symbol, Text, Token
from adjudicator.present import position_of
from adjudicator.scenes import Box, text_width
from adjudicator.session import open_session
from adjudicator.store.load import load_game

ROOT = Path(__file__).parents[3]
RECORDED = sorted((ROOT / "tests/data/games").glob("*/*.json"))


def boxes(parts: Iterable[Element], x: float = 0, y: float = 0, by: float = 1) -> Iterator[tuple[str, Box]]:
    """Yield the words and the pieces of a scene with their rectangles; words of turned groups are left out."""
    for one in parts:
        match one:
            case Group() if not one.angle:
                yield from boxes(one.parts, x + by * one.x, y + by * one.y, by * one.scale)
            case Symbol():
                yield from boxes(one.parts, x + by * one.x, y + by * one.y, by)
            case Text():
                wide = text_width(one.text, one.size, is_bold=one.is_bold)
                left = one.x - {"start": 0, "middle": wide / 2, "end": wide}[one.anchor]
                top, bottom = one.y - 0.73 * one.size, one.y  # small letters below the line may touch
                yield one.text, Box(x + by * left, y + by * top, x + by * (left + wide), y + by * bottom)
            case Token():
                left, top, wide = x + by * (one.x - 7), y + by * (one.y - 7), by * 14
                yield f"({one.text})", Box(left, top, left + wide, top + wide)


def collisions(scene: Scene) -> list[str]:
    """Return the pairs of words and pieces that cover each other by more than a hair."""
    found = [(text, box) for text, box in boxes((*scene.parts, *scene.over)) if text.strip()]
    return [f"{one} × {other}" for (one, a), (other, b) in combinations(found, 2) if do_collide(one, a, other, b)]


def do_collide(one: str, a: Box, other: str, b: Box) -> bool:
    """Return whether two rectangles overlap; two pieces are round."""
    if one.startswith("(") and other.startswith("("):
        return hypot(a.left - b.left, a.top - b.top) < a.right - a.left
    return a.overlap(b) > 1.5


@pytest.mark.parametrize("path", portion(RECORDED, 16), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_words_of_boards_do_not_overlap(path: Path) -> None:
    session = open_session(load_game(path))
    position = position_of(session, MODERATOR)
    for scene in position.drawing.shapes:
        if isinstance(scene, Scene):
            assert collisions(scene) == [], scene.title
