"""What a phone cuts from boards, and how large their letters are there, in a real browser."""

from __future__ import annotations

from typing import Any, Final

WIDTHS: Final = (360, 375)
"""The widths of phones in pixels."""
SCROLLING: Final = {
    "checkpoint-rally": "the board of five tiles a side, with names, rotations and grounds on each tile",
    "great-race": "the map, if it has more than nine columns or lanes",
    "rally-round": "the map of all roads; reports show the current section first",
}
"""The boards that scroll on a phone by their game, because their letters would be too small; every other board fits."""
_MEASURED: Final = """rooms => {
  const shown = (one) => [...one.querySelectorAll('svg')];
  const lines = (svg) => [...svg.querySelectorAll('text')].filter(text => text.textContent.trim() && !text.closest('defs'));
  const size = (text) => {
    const {a, b, c, d} = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(a * d - b * c));
  };
  const all = [...document.querySelectorAll(rooms)].filter(room => room.checkVisibility());
  return {
    scrolling: all.map((room, at) => room.scrollWidth > room.clientWidth + 1 ? at : -1).filter(at => at >= 0),
    least: Math.min(...all.flatMap(shown).flatMap(lines).map(size)),
    cut: all.flatMap(shown).flatMap(svg => {
      const paper = svg.getBoundingClientRect();
      return lines(svg).filter(text => {
        const box = text.getBoundingClientRect();
        const isBeside = box.left < paper.left - 1 || box.right > paper.right + 1;
        return isBeside || box.top < paper.top - 2 || box.bottom > paper.bottom + 2;
      }).map(text => text.textContent);
    }),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}"""


def least_letters(page: Any, rooms: str) -> float:
    """Return the size in pixels of the smallest letters of the boards in ``rooms`` (a selector)."""
    return float(page.evaluate(_MEASURED, rooms)["least"])


def check_phone(page: Any, game: str, rooms: str) -> None:
    """Check at each width that boards in ``rooms`` (a selector) show all words in readable letters and do not scroll.

    Only one room may scroll, in a game with a large board.
    """
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        found = page.evaluate(_MEASURED, rooms)
        assert found["wide"] <= 0, f"the page is wider than {width} pixels"
        assert (width, found["cut"]) == (width, [])
        assert found["least"] >= 9.95
        assert len(found["scrolling"]) <= (game in SCROLLING)
