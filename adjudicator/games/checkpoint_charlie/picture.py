"""Show the table: the wall of suspects, the middle, and before each seat its clue, its markers, its row and its pile.

On the wall, suspects that miss a known clue are crossed off, and those not turned yet are dashed. What lies on the table is
the same in the panels and in the tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from adjudicator.game import Seat, View, drawing
from adjudicator.games.checkpoint_charlie.components import (
    FACES,
    TRAITS,
    Colour,
    Components,
    Config,
    Face,
    Looks,
    Power,
    Trait,
)
from adjudicator.games.checkpoint_charlie.markers import colours, colours_left, colours_told, stasi_holder
from adjudicator.games.checkpoint_charlie.state import DECK, SEALED, Agent, Stage, State, lies_open, sees_markers
from adjudicator.scenes import (
    SEAT,
    Element,
    Entry,
    Frame,
    Group,
    Hatch,
    Legend,
    Path,
    Scene,
    Token,
    circle,
    ellipse,
    fitting,
    group,
    rect,
    text_lines,
    text_width,
    words,
)

Seen = View[Config, State, Agent]
_NOTHING: Final = "–"
_EDGE: Final = "#55524a"
_CARD: Final = "#fffdf7"
_WIDE: Final = 100
"""The width of a card: two of them fit beside a pile on a phone."""
_HIGH: Final = 120
_STRIP: Final = 35
"""The visible height of a covered card in a pile: its name and the signs of its person."""
_DISC: Final = 12
"""The radius of a counter."""
_GROUNDS: Final = {
    Colour.GOLD: ("#e3b23c", "#000000"),
    Colour.WHITE: ("#ffffff", "#000000"),
    Colour.BLACK: ("#222222", "#ffffff"),
}
"""The colours of markers, each with the colour of the text on it."""


class Card(NamedTuple):
    """An open card: a suspect, how many clues it matches (``3/4``, empty without clues), and the seat that accuses it."""

    name: str
    looks: Looks
    matches: str = ""
    by: Seat | None = None


class Disc(NamedTuple):
    """A clue counter with its face, a marker with its colour and a short text, or without both one whose face is hidden.

    ``id`` is what orders call it.
    """

    shows: Face | Colour | None
    text: str = ""
    id: str = ""


class Place(NamedTuple):
    """What lies before a ``seat``, or (empty) in the middle: words, counters and cards, all under names.

    ``told`` of counters describes them, ``down`` are the cards of the deck. ``name`` is what orders call the seat.
    """

    title: str
    seat: str
    name: str
    rows: tuple[tuple[str, str], ...]
    discs: tuple[tuple[str, tuple[Disc, ...], str], ...]
    cards: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    down: int = 0
    deck: str = ""

    def told(self) -> Iterator[tuple[str, str]]:
        """Yield all that lies here in words, each with its name."""
        yield from self.rows
        yield from ((name, told) for name, _, told in self.discs)
        yield from ((name, " ".join(card.name for card in cards) or _NOTHING) for name, cards in self.cards)
        if not self.seat:
            yield "deck", self.deck


def draw(view: Seen) -> drawing.Drawing:
    """Return the wall of suspects, the middle and the places of seats: as pictures, with a legend, and as tables."""
    config, state = view.config, view.state
    middle, places = _middle(config, state), [_before(view, agent) for agent in state.agents]
    wall = _wall([_card(config, state, name) for name in config.looks], state.clues, DECK.left(config, state))
    shapes, titles = list[drawing.Shape]((wall,)), tuple((place.seat, place.title) for place in (middle, *places))
    for place in (middle, *places):
        part, height = _panel(place, titles)
        name = f"panel of {place.seat}" if place.seat else "table"
        shapes.append(Scene(name, place.title, (part,), _WIDTH, height, is_beside=True))
    shapes.append(Legend(((*_LOOKS, *_SIGNS),)))
    shapes.append(drawing.Fields(middle.title, tuple(middle.told())))
    headings = ("", *(name for name, _ in places[0].told()))
    told = ((place.title, *(words for _, words in place.told())) for place in places)
    shapes.append(drawing.table("Investigators", headings, told))
    headings = ("suspect", *TRAITS, "lies", "accused by", "matches")
    for place in places:
        cells = []
        for where, cards in place.cards:
            for card in cards:
                looks = [face.words if face.look is face else _NOTHING for face in card.looks]
                cells.append((card.name, *looks, where, card.by or _NOTHING, card.matches or _NOTHING))
        if cells:
            shapes.append(drawing.table(f"Suspects: {place.title}", headings, cells))
    rows = []
    for agent in state.agents:
        for marker in agent.markers if sees_markers(config, state, agent, view.seat) else agent.spent:
            held, name = config.markers[marker], config.investigators[agent.seat]
            remark = {Power.NONE: "", Power.STASI: "Stasi officer", Power.ADLER: "Café Adler"}[held.power]
            spent = ", exchanged" if marker in agent.spent else ""
            rows.append((name, marker, held.colour.value, held.points, f"{remark}{spent}"))
    if rows:
        shapes.append(drawing.table("Visible score markers", ("of", "marker", "colour", "points", ""), rows))
    return drawing.Drawing(tuple(shapes))


def catalogue(components: Components) -> drawing.Drawing:
    """Return the suspects of a component set as cards, with the meaning of their signs, and the whole set as tables."""
    wall = _wall([Card(suspect.id, suspect.looks) for suspect in components.suspects])
    return drawing.Drawing((wall, Legend((_LOOKS,)), *drawing.listed_set(components).shapes))


# --- what lies where ---------------------------------------------------------------------------------------------------


def _middle(config: Config, state: State) -> Place:
    deck, cards = DECK.left(config, state), len(state.cards)
    rows = [
        ("first player", config.named(state.first) if state.first else _NOTHING),
        ("turns next", config.named(state.to_turn) if state.to_turn else _NOTHING),
        ("not turned yet", " ".join(deck) or "nobody"),
        ("counters in the bag", str(state.bag_size)),
        ("markers left", colours_told(colours_left(config, state).elements())),
    ]
    stasi = stasi_holder(config, state)
    watched = stasi[0] if stasi else state.watched
    if watched is not None:
        rows.append(("Stasi officer", f"with {config.named(watched)}"))
    discs = (("public clues", tuple(map(Disc, state.public)), ", ".join(face.words for face in state.public) or _NOTHING),)
    told = f"{len(deck)} suspects" + (f", {cards} of investigators" if cards else "")
    return Place(f"Round {state.round} of {config.rounds}", "", "", tuple(rows), discs, (), len(deck) + cards, told)


def _before(view: Seen, agent: Agent) -> Place:
    config, state = view.config, view.state
    rows = [("accuses", state.accused(agent.seat) or _NOTHING)]
    if state.speaking or state.stage in (Stage.CLUES, Stage.WINDOW):
        answer: Any = agent.answer or agent.statement
        is_in = answer == SEALED or (state.stage is Stage.CLUES and agent.clue is not None)
        awaited = "awaited" if view.is_due(agent.seat) else _NOTHING
        rows.append(("answer", "in" if is_in else awaited if answer is None else answer.text()))
    name, clue, is_own = config.investigators[agent.seat], agent.seen_clue, view.seat == agent.seat
    drawn = "secret" if agent.trait in (None, SEALED) else f"{agent.trait} counter"
    opens = " (open)" if lies_open(config, state, agent) else " (open when all have chosen)"
    told = (clue.words if clue else drawn) + (opens if state.watched == agent.seat else "")
    counters: tuple[Disc, ...] = (Disc(clue),)
    if is_own and agent.trait not in (None, SEALED):  # both sides, to choose from
        counters = tuple(Disc(face, id=face.words) for face in FACES[Trait(agent.trait)])
    markers = list[Disc]()
    for marker in agent.markers:
        colour = config.colour_of(marker)
        points = "" if isinstance(marker, Colour) else config.points([marker])
        text = f"{colour[0].upper()}{points}".replace("-", "−")
        markers.append(Disc(colour, text, colour.value if is_own else f"{colour.value} with {name}"))
    held = colours_told(colours(config, agent)) + (f" ({' '.join(agent.spent)} open)" if agent.spent else "")
    discs = (("clue", counters, told), ("markers", tuple(markers), held))
    lying = (("row", agent.row), ("pile", agent.pile))
    cards = tuple((where, tuple([_card(config, state, suspect) for suspect in suspects])) for where, suspects in lying)
    return Place(config.named(agent.seat), agent.seat, name, tuple(rows), discs, cards)


def _card(config: Config, state: State, name: Any) -> Card:
    known = len(state.clues)
    matches = f"{len(config.matched(name, state.clues))}/{known}" if known else ""
    return Card(name, config.looks[name], matches, state.accuser(name))


# --- persons, and small signs for clothes and things -------------------------------------------------------------------
#
# Each thing has its own shape or, without one, its first letter; orange cloth has stripes. No reader depends on colour.

_DARK: Final = "#2b2b2b"
_SKIN: Final = "#f3d9bd"
_GREY: Final = "#8b929a"
_PAPER: Final = "#ffffff"
_ORANGE: Final = Hatch("#8a3f0a", 2.4, 7, -35, "#f0913a")
"""Orange cloth."""
_STROKE: Final[dict[str, Any]] = {
    "stroke": _DARK,
    "stroke_width": 1.6,
    "stroke_linejoin": "round",
    "stroke_linecap": "round",
}
_THIN: Final = {**_STROKE, "stroke_width": 1}
_OPEN: Final = {**_STROKE, "fill": "none"}

_HEAD: Final = (
    rect(x=38, y=36, width=10, height=10, fill=_SKIN, **_THIN),
    ellipse(cx=43, cy=26, rx=13, ry=15, fill=_SKIN, **_STROKE),
    Path("M43 27 l-2 5 h3", **{**_OPEN, "stroke_width": 1}),
    Path("M39 36 q4 2 8 0", **{**_OPEN, "stroke_width": 1.2}),
)
_HAIR: Final = (Path("M29.5 24 C28 8 38 7 46 9 C56 10 58 18 56.5 24 C54 18 50 17 45 18 C39 19 33 17 29.5 24 Z", fill=_DARK),)
_HAT: Final = (
    Path("M30 17 C30 6 33 1 38 1 Q43 4 48 1 C53 1 56 6 56 17 Z", fill=_DARK, **_STROKE),
    Path("M30 12.5 h26 v4 h-26 Z", fill=_PAPER, **_THIN),
    Path("M20 17 Q43 12 66 17 Q62 22 43 20.5 Q24 22 20 17 Z", fill=_DARK, **_STROKE),
)
_EYES: Final = tuple(circle(cx=x, cy=26, r=1.5, fill=_DARK) for x in (37.5, 48.5))
_GLASSES: Final = (
    *(
        circle(cx=x, cy=26, r=r, **look)
        for x in (36.8, 49.2)
        for r, look in ((5.2, {"fill": "#eaf4fb", "stroke": _DARK, "stroke_width": 2.4}), (1.4, {"fill": _DARK}))
    ),
    Path("M41.6 25 q1.4 -1.4 2.8 0 M31.6 25 l-2 -1 M54.4 25 l2 -1", **{**_OPEN, "stroke_width": 2}),
)
_NEWSPAPER: Final = (
    group(
        (
            Path("M0 0 H26 V27 H0 Z", fill=_PAPER, **_STROKE),
            rect(x=3, y=3, width=20, height=5, fill=_DARK),
            Path("M3 12 H12 M3 16 H12 M3 20 H12 M3 24 H12 M15 12 H23 M15 22 H23", **{**_OPEN, "stroke_width": 1.4}),
            rect(x=15, y=14.5, width=8, height=5, fill="#b5b5b5"),
            circle(cx=1, cy=19, r=4, fill=_SKIN, **_STROKE),
        ),
        *(56, 47),
        angle=6,
    ),
)
"""A newspaper held before the breast, with its head, its lines, and the hand at its edge."""
_EMPTY_HAND: Final = (circle(cx=70, cy=76, r=4, fill=_SKIN, **_STROKE),)
_ICONS: Final[Mapping[Face, tuple[Element, ...]]] = {
    Face.HAT: (
        Path("M-4.5 2 C-4.5 -4 -3 -6 -1.5 -6 Q0 -4.6 1.5 -6 C3 -6 4.5 -4 4.5 2 Z", fill=_DARK),
        Path("M-7 2 H7 Q5 5 0 4.4 Q-5 5 -7 2 Z", fill=_DARK),
    ),
    Face.GLASSES: (
        *(circle(cx=x, cy=0, r=3, fill=_PAPER, stroke=_DARK, stroke_width=1.8) for x in (-3.8, 3.8)),
        Path("M-1 -0.6 q1 -1 2 0", **_OPEN),
    ),
    Face.RAINCOAT: (
        Path("M-2.5 -6.5 L-5.5 -4 L-6.5 6.5 H6.5 L5.5 -4 L2.5 -6.5 L0 -2 Z", fill=_PAPER, **_THIN),
        Path("M0 -2 V6.5", **_THIN),
        rect(x=-6, y=1, width=12, height=2, fill=_DARK),
    ),
    Face.SWEATER: (
        Path("M-2.5 -6 Q0 -3.5 2.5 -6 L7 -3 L5.5 0 L4 -0.8 V6.5 H-4 V-0.8 L-5.5 0 L-7 -3 Z", fill=_PAPER, **_THIN),
        Path("M-4 4 H4 M-2 4 V6.5 M0 4 V6.5 M2 4 V6.5", **_THIN),
    ),
    Face.GREY: (rect(x=-6, y=-6, width=12, height=12, rx=2, fill=_GREY, **_THIN),),
    Face.ORANGE: (rect(x=-6, y=-6, width=12, height=12, rx=2, fill=_ORANGE, **_THIN),),
    Face.NEWSPAPER: (
        rect(x=-5.5, y=-6.5, width=11, height=13, fill=_PAPER, **_THIN),
        rect(x=-3.7, y=-4.7, width=7.4, height=2.6, fill=_DARK),
        Path("M-3.5 0 H3.5 M-3.5 2.3 H3.5 M-3.5 4.5 H1", **_THIN),
    ),
}


def person(looks: Collection[Face]) -> Iterator[Element]:
    """Yield the person with ``looks``, 86 pixels wide and 78 high, with the corner at 0, 0."""
    cloth = _ORANGE if Face.ORANGE in looks else _GREY
    if Face.RAINCOAT in looks:  # A long coat: a collar turned up, lapels, buttons and a belt, wider below.
        yield Path("M43 44 L27 48 Q18 51 16 60 L10 78 H76 L70 60 Q68 51 59 48 Z", fill=cloth, **_STROKE)
        yield Path("M43 60 V78", **_OPEN)
        yield Path("M33 38 L30 50 L43 60 L37 47 Z M53 38 L56 50 L43 60 L49 47 Z", fill=_PAPER, **_STROKE)
        yield Path("M15 68 H71 V73 H15 Z", fill=_DARK)
        yield rect(x=38, y=66.5, width=10, height=8, fill=_PAPER, **_STROKE)
        yield from (circle(cx=47, cy=y, r=1.5, fill=_PAPER, **_THIN) for y in (62.5, 77))
    else:  # A knitted sweater: a round neck, sleeves, and ribs at its hem.
        yield Path("M34 45 Q22 47 20 56 L17 78 H69 L66 56 Q64 47 52 45 Q43 52 34 45 Z", fill=cloth, **_STROKE)
        yield Path("M33.5 44 Q43 53 52.5 44 L54 47.5 Q43 58 32 47.5 Z", fill=_PAPER, **_STROKE)
        yield Path("M27 59 L26 71 M59 59 L60 71", **_OPEN)
        yield rect(x=26, y=71, width=34, height=7, fill=_PAPER, **_STROKE)
        yield Path(" ".join(f"M{x} 71 V78" for x in range(30, 60, 4)), **{**_OPEN, "stroke_width": 1})
    yield from _HEAD
    yield from _HAT if Face.HAT in looks else _HAIR
    yield from _GLASSES if Face.GLASSES in looks else _EYES
    yield from _NEWSPAPER if Face.NEWSPAPER in looks else _EMPTY_HAND
    unusual = (face for face in looks if face.look is face and face not in _ICONS)
    yield from (group(sign(face), 9, 9 + 16 * at) for at, face in enumerate(unusual))


@cache
def sign(face: Face) -> tuple[Element, ...]:
    """Return the small sign of ``face`` around 0, 0, 14 pixels wide and high; crossed out for a look that is missing."""
    inner = _ICONS.get(face.look) or (words(face.look.words[0].upper(), 0, 4, 13, is_bold=True),)
    if face.look is face:
        return inner
    line = "M-7 7L7 -7"
    crossed = Path(line, stroke="#ffffff", stroke_width=4), Path(line, stroke="#b3261e", stroke_width=2.2)
    return Group(inner, opacity=0.4), *crossed


# --- the wall ----------------------------------------------------------------------------------------------------------

_ACROSS: Final = 8
_WALL_CARD: Final = (120, 118)
_WALL_GAP: Final = 9
_FIGURE: Final = 1.2
"""The scale of the person."""
_CROSS: Final[dict[str, Any]] = {"stroke": "#b3261e", "stroke_opacity": 0.8, "stroke_linecap": "round"}


def _wall(cards: Sequence[Card], clues: Sequence[Face] = (), absent: Collection[str] = ()) -> Scene:
    """Return ``cards`` in columns, with a cross over those that miss one of ``clues``; ``absent`` ones are dashed."""
    rows, (wide, high) = max(1, -(-len(cards) // _ACROSS)), _WALL_CARD
    parts = []
    for at, card in enumerate(cards):
        column, row = divmod(at, rows)
        x, y = column * (wide + _WALL_GAP) + _WALL_GAP / 2, row * (high + _WALL_GAP) + _WALL_GAP / 2
        is_crossed = any(clue not in card.looks for clue in clues)
        # Accusations are shown on the table only.
        parts.append(_wall_card(card._replace(by=None), is_crossed, card.name in absent, x, y))
    width, height = _ACROSS * (wide + _WALL_GAP), rows * (high + _WALL_GAP)
    return Scene("wall", "Suspects", tuple(parts), width, height, fold=rows * _ACROSS // 2)


@lru_cache(maxsize=1 << 10)
def _wall_card(card: Card, is_crossed: bool, is_absent: bool, x: float, y: float) -> Group:
    """Return a card of the wall; it is no place, because the table shows the changes of the same card."""
    wide, high = _WALL_CARD
    dashes = "7 5" if is_absent else ""
    pale = 0.45 if is_crossed else 0.65 if is_absent else 1
    parts: list[Element] = [
        rect(wide - 2, high - 2, 1, 1, 6, fill=_CARD, stroke=_EDGE, stroke_dasharray=dashes),
        _person(card.looks, (wide - 86 * _FIGURE) / 2, high - 2 - 78 * _FIGURE, _FIGURE, pale),
        _fitted(card.name, wide / 2, 17, wide - 6, 16),
        words(card.matches, wide - 5, 62, 16, "end"),
    ]
    if is_crossed:
        parts.append(_cross(9, 27, wide - 9, high - 6, 3))
    return group(parts, x, y, id=card.name)


@lru_cache(maxsize=1 << 9)
def _person(looks: Looks, x: float, y: float, scale: float = 1, opacity: float = 1) -> Group:
    """Return a person, which is drawn once for all cards of a suspect."""
    return Group(tuple(person(looks)), x, y, scale=scale, opacity=opacity)


def _cross(left: float, top: float, right: float, bottom: float, width: float) -> Path:
    return Path(f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}", stroke_width=width, **_CROSS)


_LOOKS: Final = tuple(
    Entry(look.value, (group(sign(look), 8, 7),), 22) for look in dict.fromkeys(face.look for face in Face)
)
"""The meaning of the signs, for pictures only: text has words for them."""
_CARD_LOOK: Final[dict[str, Any]] = {"rx": 2, "fill": _CARD, "stroke": _EDGE, "stroke_width": 1.2}
_SIGNS: Final = (
    Entry("crossed off: misses a clue you know", (group((rect(16, 14, **_CARD_LOOK), _cross(1, 1, 15, 13, 1.6))),), 22),
    Entry("dashed: not turned yet", (group((rect(16, 14, stroke_dasharray="3 2", **_CARD_LOOK),)),), 22),
    Entry("on a suspect: accused by this player", (Token("", 8, 7, ink="#555555", is_key=True),), 22),
)


# --- the panels --------------------------------------------------------------------------------------------------------

_WIDTH: Final = 334
"""The width of a panel, that of a phone."""
_PAD: Final = 9
_GAP: Final = 7
_BELOW: Final = 11
"""Pixels from the base line of a label to the cards below it, so that no frame covers the label."""
_PILE: Final = 30
"""The top of a pile."""
_ROW_TOP: Final = 22
"""Pixels from the words above a row to its cards."""
_TITLE: Final = 15
_SIZE: Final = 12
_LINE: Final = 16


@lru_cache(maxsize=64)
def _panel(place: Place, titles: tuple[tuple[str, str], ...]) -> tuple[Group, float]:
    """Return the panel of ``place`` and its height; an order changes one or two panels."""
    return _Panel(place, dict(titles)).part()


class _Panel:
    """The drawing of a place: the deck on the left, a pile on the right; words, counters and a row between."""

    def __init__(self, place: Place, titles: Mapping[str, str]) -> None:
        self.place, self.titles, self.drawn = place, titles, list[Element]()
        self.left, self.right, self.y = float(_PAD), float(_WIDTH - _PAD), 32.0

    def part(self) -> tuple[Group, float]:
        """Return all contents of the place in a frame, and its height."""
        place, bottom = self.place, 0.0
        row, pile = [cards for _, cards in place.cards] or ((), ())
        if not place.seat:
            self._draw_deck()
            bottom = _PAD + 6 + _HIGH + _PAD
        if pile:  # below its label, each card partly covers the previous one
            self.right -= _WIDE
            self.drawn.append(words("pile", self.right, _PILE - _BELOW, _SIZE, "start", fill=_EDGE))
            for at, card in enumerate(pile):
                self._draw_card(card, "pile", self.right, _PILE + at * _STRIP, is_covered=at < len(pile) - 1)
            bottom = _PILE + (len(pile) - 1) * _STRIP + _HIGH + _PAD
            self.right -= _PAD
        title = words(place.title, self.left + 22 * bool(place.seat), 22, _TITLE, "start", is_bold=True)
        wide = text_width(place.title, _TITLE, is_bold=True)
        if place.seat:
            self.drawn.append(Token(place.seat, self.left + 8, 17, seat=place.seat, text=place.seat, is_key=True))
            self.drawn.append(group((title,), id=place.name))
        else:
            self.drawn.append(title)
            self._note(place.title, self.left - 6, 8, wide + 12, 18)
        for name, told in place.rows:
            self._draw_text(f"{name}: {told}", name, told)
        if place.deck:
            self._draw_text(f"deck: {place.deck}")
        for name, discs, told in place.discs:
            self._draw_discs(name, discs, told)
        if row:  # side by side, in as many lines as they need
            self.drawn.append(words("row", self.left, self.y + 4 + _ROW_TOP - _BELOW, _SIZE, "start", fill=_EDGE))
            each = max(1, int((self.right - self.left + _GAP) // (_WIDE + _GAP)))
            for at, card in enumerate(row):
                line, column = divmod(at, each)
                y = self.y + 4 + _ROW_TOP + line * (_HIGH + _GAP)
                self._draw_card(card, "row", self.left + column * (_WIDE + _GAP), y)
            self.y += _ROW_TOP + -(-len(row) // each) * (_HIGH + _GAP) - _GAP + _PAD
        height = max(self.y + 4, bottom)
        look = (
            {"fill": "#fbfaf6", "stroke": SEAT, "stroke_width": 2.5} if place.seat else {"fill": "#e9efe6", "stroke": _EDGE}
        )
        return group((rect(_WIDTH - 3, height - 3, 1.5, 1.5, 8, **look), *self.drawn), seat=place.seat), height

    def _draw_deck(self) -> None:
        """Draw the deck face down, with its number; an empty frame for no cards."""
        top, down = _PAD + 6, self.place.down
        parts: list[Element] = []
        if down:
            for at in range(min(down, 4) - 1, -1, -1):
                parts.append(rect(_WIDE, _HIGH, at * 2, -at * 2, 6, fill="#3f5f7d", stroke="#ffffff"))
            lattice = " ".join(f"M{x} 8 L{x + 18} 26 M{x + 18} 8 L{x} 26" for x in range(5, _WIDE - 18, 18))
            for row in range(0, 104, 18):
                parts.append(group((Path(lattice, stroke="#9fb6cb"),), 0, row - 1))
            parts.append(circle(_WIDE / 2, _HIGH / 2, 19, fill="#ffffff", stroke="#3f5f7d", stroke_width=2))
            parts.append(words(str(down), _WIDE / 2, _HIGH / 2 + 6, 18, is_bold=True))
        else:
            parts.append(rect(_WIDE, _HIGH, rx=6, stroke=_EDGE, stroke_dasharray="5 4"))
            parts.append(words("empty", _WIDE / 2, _HIGH / 2 + 4, 12, fill=_EDGE))
        self.drawn.append(group(parts, self.left, top))
        self._note("deck", self.left, top, _WIDE, _HIGH, (down, self.place.deck), self.place.deck)
        self.left += _WIDE + 8 + _PAD

    def _draw_card(self, card: Card, lies: str, x: float, y: float, *, is_covered: bool = False) -> None:
        """Draw ``card``, with the piece of the seat that accuses it in its upper corner, and a frame in its colour."""
        high, rim = (_STRIP, 0) if is_covered else (_HIGH, 3)
        inner: list[Element] = [_card_parts(card, is_covered=is_covered)]
        if card.by:
            inner.append(group((rect(_WIDE, high, rx=6, stroke=SEAT, stroke_width=4),), seat=card.by))
        frame = Frame(_WIDE / 2, high / 2, _WIDE + 2 * rim, high + 2 * rim)
        matches = (f"matches {card.matches}",) if card.matches else ()
        told = ", ".join((f"in the {lies} of {self.place.title}", *(face.words for face in card.looks), *matches))
        holds = card.looks, lies, self.place.title
        x, y = round(x, 1), round(y, 1)
        self.drawn.append(group(inner, x, y, id=card.name, frame=frame, holds=holds, told=told))
        if card.by:  # A piece on a card comes from a stock, never from another card.
            accuser = f"{self.titles[card.by]} accuses this suspect"
            self.drawn.append(
                Token(card.by, x + _WIDE - 9, y + 10, card.name, card.by, card.by, field=card.name, told=accuser)
            )

    def _draw_text(self, text: str, name: str = "", holds: str = "") -> None:
        """Draw ``text`` in lines; its place has a ``name`` if it ``holds`` something that can change."""
        if name:
            self._note(self._named(name), self.left - 6, self.y + 1, self.right - self.left, _LINE, holds, holds)
        for line in text_lines(text, self.right - self.left, _SIZE):
            self.drawn.append(words(line, self.left, self.y + 11, _SIZE, "start"))
            self.y += _LINE

    def _draw_discs(self, name: str, discs: Sequence[Disc], told: str) -> None:
        """Draw counters in lines: their name, the counters, and what they are."""
        slot, line, top = 2 * _DISC + 3, 2 * _DISC + 8, self.y
        self.drawn.append(words(name, self.left, top + _DISC + 7, _SIZE, "start", fill=_EDGE))
        at = self.left + text_width(name, _SIZE) + 8
        for disc in discs:
            if at + slot > self.right:
                at, self.y = self.left, self.y + line
            self.drawn.append(group((_disc(disc),), round(at + _DISC, 1), self.y + _DISC + 3))
            at += slot
        is_beside = at + 2 + text_width(told, _SIZE) <= self.right
        if is_beside:
            self.drawn.append(words(told, round(at + 2, 1), self.y + _DISC + 7, _SIZE, "start"))
        self.y += line
        if not is_beside:
            self._draw_text(told)
        wide, high = self.right - self.left, self.y - top - 8
        self._note(self._named(name), self.left - 6, top + 3, wide, high, (told, discs), told)

    def _named(self, name: str) -> str:
        return f"{self.place.title}, {name}" if self.place.seat else name

    def _note(
        self, name: str, x: float, y: float, width: float, height: float, holds: object = None, told: str = ""
    ) -> None:
        """Note the place of ``name`` by its corner, for marks of changes and for sentences."""
        frame = Frame(x + width / 2, y + height / 2, width, height)
        self.drawn.append(group((), name=name, frame=frame, holds=holds, told="" if told == _NOTHING else told))


@lru_cache(maxsize=1 << 9)
def _card_parts(card: Card, *, is_covered: bool) -> Group:
    """Return ``card`` with its corner at 0, 0; only its strip if it ``is_covered``."""
    inner: list[Element] = [rect(_WIDE, _HIGH, rx=6, fill=_CARD, stroke=_EDGE, stroke_width=1.2)]
    if is_covered:
        room = _WIDE - (26 if card.by else 8) - text_width(card.matches, 11)
        inner.append(_fitted(card.name, 5, 14, room, 12, anchor="start"))
        inner.append(words(card.matches, _WIDE - (20 if card.by else 5), 14, 11, "end"))
        step = min(16, 64 / max(1, len(card.looks) - 1))
        inner += (group(sign(face), 11 + at * step, 25) for at, face in enumerate(card.looks))
    else:
        inner.append(_fitted(card.name, _WIDE / 2, 15, _WIDE - (36 if card.by else 8)))
        inner.append(_person(card.looks, (_WIDE - 86) / 2, 22))
        inner.append(Path(f"M0 100H{_WIDE}", stroke=_EDGE, stroke_width=1.2))
        told = f"matches {card.matches}" if card.matches else ""
        inner.append(_fitted(told, _WIDE / 2, 114, _WIDE - 6, 12, is_bold=False))
    return group(inner)


@lru_cache(maxsize=1 << 9)
def _disc(disc: Disc) -> Group:
    """Return ``disc`` around 0, 0: its face, its text, or a dotted disc with a question mark if that is hidden."""
    ground, ink = _GROUNDS[disc.shows] if isinstance(disc.shows, Colour) else ("#ffffff", "#000000")
    dashes = "" if disc.shows else "2 2"
    edge = circle(0, 0, _DISC, fill=ground, stroke=_EDGE, stroke_width=1.6, stroke_dasharray=dashes)
    if isinstance(disc.shows, Face):
        return Group((edge, *sign(disc.shows)), id=disc.id)
    return Group((edge, _fitted(disc.text or "?", 0, 4, 2 * _DISC - 2, 12, fill=ink)), id=disc.id)


def _fitted(text: str, x: float, y: float, room: float, most: int = 13, **look: Any) -> Element:
    """Return ``text`` in the largest letters, at most ``most``, in which it fits into ``room`` pixels."""
    return words(text, x, y, fitting([text], room, range(most, 6, -1), is_bold=True), **{"is_bold": True, **look})
