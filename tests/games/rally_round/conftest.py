"""Maps drawn in letters, rallies on them, and crews that drive: what the tests of Rally Round share, as fixtures."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from play import begin
from tables import KITS

from adjudicator.core.event import Spent
from adjudicator.core.ids import Seat
from adjudicator.games.rally_round.components import (
    Colour,
    Control,
    Does,
    Effect,
    Feature,
    HazardCard,
    Kind,
    KitCard,
    Rally,
    Road,
    Side,
    Square,
    SquareId,
    Timing,
    Track,
)
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.games.rally_round.state import Crew, Position
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.store.components import shipped

SIGNS = {
    "b": (Feature.BEND, None),
    "h": (Feature.BRIDGE, None),
    "q": (Feature.QUIET, None),
    "f": (Feature.FORD, None),
    "!": (Feature.HAZARD, None),
    "r": (Feature.ROUGH, None),
    "#": (Feature.CHEQUERED, None),
    ">": (Feature.GRADIENT, Side.EAST),
    "<": (Feature.GRADIENT, Side.WEST),
    "}": (Feature.STEEP, Side.EAST),
    "{": (Feature.STEEP, Side.WEST),
    "g": (Feature.GIVE_WAY, Side.EAST),
    "G": (Feature.GIVE_WAY, Side.WEST),
}
COLOURS = {"r": Colour.RED, "o": Colour.ORANGE, "y": Colour.YELLOW, "w": Colour.WHITE}
STANDARD = tuple(
    KitCard(id=name, kind=kind, name=f"Plain {kind}", effects=(Effect(does=Does.UNOVERTAKEN),))
    for kind, name in zip(Kind, ("D1", "N1", "E1", "S1", "A1", "B1"), strict=True)
)
"""Six cards that change nothing for a crew alone on the road."""


def effect(does: str, *mph: int, turns: int = 0) -> Effect:
    red, yellow, white = mph or (0, 0, 0)
    return Effect(does=Does(does), red=red, yellow=yellow, white=white, turns=turns)


def hazard(name: str, *effects: Effect) -> HazardCard:
    return HazardCard(id=name, name=f"Card {name}", effects=effects)


def _square(x: int, y: int, sign: str = ".", colour: Colour = Colour.RED, limit=None) -> Square:
    feature, toward = SIGNS.get(sign, (None, None))
    return Square(id=f"{chr(64 + x)}{y}", x=x, y=y, colour=colour, feature=feature, toward=toward, limit=limit)


def _control(words: str) -> Control:
    square, *rest = words.split()
    speed = next((int(word) for word in rest if word.isdigit()), None)
    timing = next((Timing(word) for word in rest if word in set(Timing)), None)
    side = next((Side(word) for word in rest if word in set(Side)), None)
    return Control(square=SquareId(square), side=side, section=timing, speed=speed)


def parts(main: str = "." * 26, colours: str = "", *, lanes=(), tracks=(), hazards=(), kit=STANDARD, limits=None):
    """Make a component set: a main road from A1 to the east, drawn in signs and colours, with more ``lanes`` of squares."""
    colours = colours or "r" * len(main)
    limits = limits or {}
    squares = {}
    for x, (sign, colour) in enumerate(zip(main, colours, strict=True), 1):
        made = _square(x, 1, sign, COLOURS[colour], limits.get(f"{chr(64 + x)}1"))
        squares[made.id] = made
    roads = [Road("Main Road", tuple(squares))]
    for number, lane in enumerate(lanes, 1):
        for square in lane.split():
            x, y = ord(square[0]) - 64, int(square[1:])
            squares.setdefault(square, _square(x, y, ".", Colour.YELLOW))
        roads.append(Road(f"Lane {number}", tuple(map(SquareId, lane.split()))))
    hidden = tuple(
        Track(SquareId(f"HT{number}"), f"Path {number}", tuple(ends.split())) for number, ends in enumerate(tracks, 1)
    )
    house, _ = shipped(RULESET)
    return replace(
        house,
        id="drawn",
        squares=tuple(squares.values()),
        roads=tuple(roads),
        tracks=hidden,
        hazards=tuple(hazards),
        kit=house.kit if kit is None else kit,
    )


def rally(*controls: str, black_spots: str = "") -> Rally:
    return Rally(id="drawn", name="Drawn", controls=tuple(map(_control, controls)), black_spots=tuple(black_spots.split()))


class Drive:
    """A rally of ``red`` alone (or of several seats), and what comes of its orders."""

    def __init__(self, components, marked, *, seats=("red",), crew=None, version=0, **options) -> None:
        position = Position(rally=marked, seats=(crew and (Crew(seat=Seat("red"), **crew),)) or ())
        options = {name.replace("_", "-"): value for name, value in options.items()}
        chosen = {"components": components, "options": options, "position": position, "version": version}
        self.session = begin("rally-round", " ".join(seats), id="test", secret=None, **chosen)
        self.problems = []

    def take(self, text: str, seat: str = "red") -> Drive:
        """Adjudicate the lines of ``text``, all of which must be taken."""
        self.give(text, seat)
        assert not self.problems, self.problems
        return self

    def give(self, text: str, seat: str = "red") -> list[str]:
        """Adjudicate the lines of ``text``; return the codes of what is wrong with them."""
        self.before = len(self.session.game.journal)
        done = adjudicate_files(self.session, [("orders.txt", f"{seat}:\n{text}\n".encode())])
        self.session, self.diagnostics = done.session, done.diagnostics
        self.problems = [found.problem.code.partition("/")[2] for found in done.diagnostics]
        return self.problems

    def kit(self, *cards: str, seat: str = "red") -> Drive:
        return self.take(f"KIT {' '.join(cards or ('D1', 'N1', 'E1', 'S1', 'A1', 'B1'))}", seat)

    def crew(self, seat: str = "red"):
        return self.session.game.state.crew(Seat(seat))

    @property
    def events(self):
        return [event for link in self.session.game.journal[self.before :] for event in link.entry.events]

    @property
    def told(self) -> list[str]:
        """What the last orders led to, each with its rule; without the sheets that are opened in the end."""
        tell, config = self.session.rules.tell, self.session.config
        return [words for event in self.events if (words := tell(config, event)) and "is opened" not in words]

    @property
    def why(self) -> list[tuple[int, str]]:
        """What they cost, in seconds, each with its rule."""
        return [(part.amount, part.rule) for event in self.events if isinstance(event, Spent) for part in event.why]

    @property
    def at(self) -> str:
        return self.crew().trail[-1]


@pytest.fixture(scope="session")
def world():
    """What makes maps, rallies and drives, such as ``world.parts``, ``world.rally`` and ``world.Drive``."""

    class World:
        pass

    found = World()
    found.rules = RULESET
    for name in ("parts", "rally", "effect", "hazard", "Drive", "STANDARD", "KitCard", "Kind"):
        setattr(found, name, globals()[name])
    return found


@pytest.fixture(scope="session")
def road(world):
    """Begin a section of the ``main`` road from A1 to its last square, or to the ``controls``, with a kit chosen."""

    def begin(
        main, colours="", controls=None, timing="road", kit=(), black_spots="", crew=None, options=None, version=0, **more
    ):
        components = world.parts(main, colours, kit=tuple(kit) or STANDARD, **more)
        controls = controls or ("A1", f"{chr(64 + len(main))}1 W {timing}")
        drive = world.Drive(
            components, world.rally(*controls, black_spots=black_spots), crew=crew, version=version, **(options or {})
        )
        cards = [next(card.id for card in components.kit if card.kind is kind) for kind in Kind]
        return drive if crew else drive.kit(*cards)

    return begin


@pytest.fixture(scope="session")
def with_card(world):
    """Return the plain kit with one card that has the given effects."""

    def exchange(*effects):
        card = KitCard(id="X1", kind=Kind.DRIVER, name="Special", effects=effects)
        return (card, *(plain for plain in STANDARD if plain.kind is not Kind.DRIVER))

    return exchange


@pytest.fixture
def cards(world):
    """Three plain kits; with effects on the drivers of blue and green."""

    def make(*effects):
        plain = world.effect("waterproof")
        return [
            KitCard(
                id=f"{letter}{n}",
                kind=kind,
                name=f"{kind} {n}",
                effects=effects if letter == "D" and n > 1 and effects else (plain,),
            )
            for kind, letter in zip(Kind, "DNESAB", strict=True)
            for n in (1, 2, 3)
        ]

    return make


@pytest.fixture
def at_table(world, cards):
    """Sit down at a table: the orders of laying are given, or crews on their way with the route laid."""

    def sit(
        main="#" + "." * 24 + "#",
        *,
        colours="",
        lanes=(),
        crews=None,
        effects=(),
        hazards=(),
        minute=9,
        queue=("red", "blue"),
        tcs=("Z1",),
        pcs=(),
        on_house_map=False,
        version=0,
        **options,
    ):
        parts = (
            shipped(world.rules)[0]
            if on_house_map
            else world.parts(main, colours, lanes=lanes, kit=tuple(cards(*effects)), hazards=hazards)
        )
        position = None
        if crews is not None:
            timing = Timing.STAGE if options.get("kind") == "stage" else Timing.ROAD
            controls = (
                Control(square=SquareId("A1")),
                *(
                    Control(square=SquareId(square), side=Side.WEST, section=timing if square in tcs else None)
                    for square in sorted((*tcs, *pcs))
                ),
            )
            seats = tuple(Crew(seat=Seat(name), kit=KITS[name], **crews[name]) for name in crews)
            order = tuple(map(Seat, crews))
            position = Position(
                seats=seats,
                order=order,
                finish=SquareId("Z1"),
                controls=controls,
                minute=minute,
                queue=tuple(map(Seat, queue)),
            )
        drive = world.Drive.__new__(world.Drive)
        named = {"mode": "table", **{name.replace("_", "-"): value for name, value in options.items()}}
        chosen = {"components": parts, "options": named, "position": position, "secret": "07" * 32, "version": version}
        drive.session, drive.problems, drive.before = (
            begin("rally-round", " ".join(crews or ("red", "blue")), **chosen),
            [],
            0,
        )
        return drive

    return sit
