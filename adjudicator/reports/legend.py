"""Assign letters, strokes and signs to the grounds, roads and badges of a drawing, and explain them in a legend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Final

from adjudicator.core.drawing import (
    Badge,
    Chart,
    Drawing,
    Icon,
    Legend,
    Panels,
    Stroke,
    of_seats,
)
from adjudicator.core.frozen import frozen
from adjudicator.core.scene import Scene, Sign, Token
from adjudicator.core.tableau import Tableau
from adjudicator.reports.sanitize import printable
from adjudicator.reports.scene_parts import found_in
from adjudicator.reports.terminal_colors import painted, seat_style, word_style
from adjudicator.scenes.names import SIGNS, short_name

ICONS: Final = {Icon.DROP: "~", Icon.NUT: "*", Icon.BOLT: "!", Icon.STOP: "■", Icon.CARD: "+"}
"""The character for each icon, which follows its number."""
HATCHED: Final = "▒"
RINGED: Final = "◎"

_LINES: Final = {Stroke.DOUBLE: "══", Stroke.SINGLE: "──", Stroke.DOTTED: "∙∙"}
_BETWEEN: Final = "   "
_FEW: Final = 8


@frozen
class Key:
    """The signs of one drawing: ``letters`` and ``styles`` of grounds, and ``strokes`` of roads, by name.

    ``names`` are the texts of all badges with a sign, in their order; shortened names must differ from them.
    ``seats`` are all seats that can have pieces; they determine the
    colours. ``players`` are the names of ``seats`` in the legend, in their order.
    """

    letters: Mapping[str, str]
    styles: Mapping[str, str]
    strokes: Mapping[str, Stroke]
    names: tuple[str, ...]
    seats: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Return a hash for caches of drawings; it must be fast, because each badge needs it."""
        return hash((len(self.names), self.names[:_FEW], self.seats[:_FEW]))

    def letter(self, ground: str) -> str:
        """Return the letter of ``ground``: the one in the legend, else the first of its name."""
        return self.letters.get(ground) or printable(ground)[:1]

    def style(self, ground: str) -> str:
        """Return the colour of ``ground``."""
        return self.styles.get(ground) or word_style(ground)

    def seat_style(self, badge: Badge) -> str:
        """Return the colour of ``badge`` on a terminal: the colour of its seat, none for plain words."""
        return "" if badge.sign is Sign.NOTE else seat_style(badge.seat or badge.text, self.seats)

    def initial(self, badge: Badge) -> str:
        """Return the text on a small disc for ``badge``."""
        return self.initial_of(badge.text, badge.seat or badge.text)

    def initial_of(self, text: str, seat: str) -> str:
        """Return the letters for ``text`` on a token of ``seat``: one or two unique letters, else the number of the seat."""
        short = self.short_name(text, 1).upper()
        return short if len(short) < 3 or seat not in self.seats else str(self.seats.index(seat) + 1)

    def short_name(self, name: str, longest: int) -> str:
        """Return ``name`` cut to ``longest`` characters, or to more if it would be identical to others.

        For names with a long common beginning, return the beginning and a unique end.
        """
        return short_name(name, self.names, longest)


def key_of(drawing: Drawing, seats: Iterable[str] = ()) -> Key:
    """Return the key of ``drawing`` from its legends.

    ``seats`` are those of the game, by default those in the drawing. A mapping also has the name of each.
    """
    legends = [shape for shape in drawing.shapes if isinstance(shape, Legend)]
    charts = [shape for shape in drawing.shapes if isinstance(shape, Chart)]
    panels = [panel.seat for shape in drawing.shapes if isinstance(shape, Panels) for panel in shape.panels]
    places = [place.seat for shape in drawing.shapes if isinstance(shape, Tableau) for place in shape.places if place.seat]
    badges = [*(as_badge(badge) for badge in chain.from_iterable(lying)), *of_seats(map(printable, places), Sign.PIECE)]
    found = (one.token for shape in drawing.shapes if isinstance(shape, Scene) for one in found_in(shape))
    badges += [as_badge(badge_of(token)) for token in found if token is not None]
    signed = [badge for badge in badges if badge.sign is not Sign.NOTE]
    all_seats = sorted({*map(printable, (*seats, *panels)), *(badge.seat or badge.text for badge in signed)})
    names = tuple(sorted({badge.text for badge in signed}))
    letters, styles, strokes = _meanings(tuple(legends))
    called = {printable(seat): printable(name) for seat, name in seats.items()} if isinstance(seats, Mapping) else {}
    players = tuple(called.get(seat, seat) for seat in all_seats)
    return _same(Key(letters, styles, strokes, names, tuple(all_seats), players))


@lru_cache(maxsize=64)
def _same(key: Key) -> Key:
    """Return the first key that was equal to ``key``, so that caches of drawings find it quickly."""
    return key


_Meanings = tuple[Mapping[str, str], Mapping[str, str], Mapping[str, Stroke]]


@lru_cache(maxsize=64)
def _meanings(legends: tuple[Legend, ...]) -> _Meanings:
    """Return letters and styles of grounds, and strokes of roads: the same for every picture of a game."""
    entries = [entry for legend in legends for entry in legend.entries]
    strokes = dict(road for legend in legends for road in legend.roads)
    styles = {word: word_style(name, at) for at, (letter, name) in enumerate(entries) for word in (letter, name)}
    letters = {word: printable(letter)[:1] for letter, name in entries for word in (name, letter)}
    return letters, styles, strokes


def badge_of(token: Token) -> Badge:
    """Return the badge that means the same as ``token``."""
    return Badge(token.text, token.sign, token.seat)


def as_badge(badge: Badge | str) -> Badge:
    """Return ``badge`` with visible characters only; plain words become a note."""
    if isinstance(badge, str):
        return Badge(printable(badge))
    text, seat = printable(badge.text), printable(badge.seat)
    return badge if text == badge.text and seat == badge.seat else Badge(text, badge.sign, seat)


def road_entries(roads: Iterable[tuple[str, Stroke]]) -> list[str]:
    """Return the legend entry of each of ``roads`` (name, stroke)."""
    return [f"{_LINES[stroke]} {printable(name)}" for name, stroke in roads]


def legend_lines(legend: Legend, *, color: bool) -> list[str]:
    """Return the lines of ``legend``: grounds, then roads, then badges; without empty lines."""
    grounds = [
        painted(f"{printable(letter)} {printable(name)}", word_style(name, at), color=color)
        for at, (letter, name) in enumerate(legend.entries)
    ]
    signs = [f"{SIGNS[sign]} {printable(words)}".lstrip() for sign, words in legend.signs]
    signs += [f"{ICONS[icon]} {printable(words)}" for icon, words in legend.icons]
    signs += [f"{sign} {printable(words)}" for sign, words in ((HATCHED, legend.hatched), (RINGED, legend.ringed)) if words]
    return [_BETWEEN.join(line) for line in (grounds, road_entries(legend.roads), signs) if line]
