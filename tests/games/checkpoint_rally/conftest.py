"""Tables to play on: a set of plain tiles, positions made by hand, whole games from a seed.

Test modules are imported by path, so everything they share comes as a fixture: ``tile`` and ``parts`` make components,
``scene`` a position whose random outcomes are told beside each order, ``deal`` a set-up, ``start`` a game from a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Any, ClassVar

import pytest
import scenes

from adjudicator.core.event import Spent
from adjudicator.games.checkpoint_rally.components import (
    BorderOrder,
    BorderPiece,
    Car,
    Card,
    Components,
    Road,
    Side,
    Terrain,
    Tile,
)
from adjudicator.games.checkpoint_rally.orders import Move, Place
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.games.checkpoint_rally.state import Position, Racer, SeatAt, TileAt

SEATS = ("red", "blue", "green", "yellow")
ROADS = {"H": Road.HIGHWAY, "G": Road.GRAVEL, "U": Road.URBAN}
TERRAINS = {"c": Terrain.CITY, "m": Terrain.MOUNTAINS, "g": Terrain.GRASSLAND, "d": Terrain.DESERT}
COPIES = 5


def _terrains(letters: str) -> tuple[Any, ...]:
    return tuple(TERRAINS[letter] for letter in letters)


def _tile(name: str, exits: str, sides: str) -> Tile:
    return Tile(name, ROADS[name[0]], tuple(Side(letter) for letter in exits), _terrains(sides))


def _plain_tiles() -> tuple[Tile, ...]:
    """HC1 is a crossing of highways with city on every side, GD2 one of gravel roads in the desert, and so on."""
    return tuple(
        _tile(f"{road}{terrain.upper()}{number}", "NESW", terrain * 4)
        for road in ROADS
        for terrain in TERRAINS
        for number in range(1, COPIES + 1)
    )


def _parts(
    *,
    tiles: Iterable[Tile] | None = None,
    extra: Iterable[Tile] = (),
    borders: Sequence[str] = (),
    border_order: BorderOrder = BorderOrder.CLOCKWISE,
    maps: Mapping[str, Sequence[str]] | None = None,
    cars: Mapping[str, tuple[int, int, int]] | None = None,
) -> Components:
    """Make a component set: the plain tiles and ``extra`` ones, or just ``tiles``.

    ``borders`` gives five letters for the front of each piece (the backs are desert), ``border_order`` says in which order
    they lie, ``maps`` gives the checkpoints of each card on both halves, ``cars`` the minutes on highway, gravel and urban
    roads.
    """
    fronts = borders or ("ddddd",) * 4
    cards = maps or {f"K{n}": cells.split() for n, cells in enumerate(("A3 C1", "E3 C5", "B2 D4", "D2 B4"), 1)}
    minutes = cars or {"".join(map(str, times)): times for times in permutations((2, 4, 5))}
    return Components(
        id="plain",
        version=1,
        name="Plain set",
        note="for tests",
        tiles=(*extra, *(_plain_tiles() if tiles is None else tiles)),
        borders=tuple(BorderPiece(f"P{n}", _terrains(front), _terrains("ddddd")) for n, front in enumerate(fronts, 1)),
        cards=tuple(Card(card, tuple(cells), tuple(cells)) for card, cells in cards.items()),
        cars=tuple(Car(car, f"Car {car}", *times) for car, times in minutes.items()),
        border_order=border_order,
    )


def _named(options: Mapping[str, str]) -> dict[str, str]:
    """Return options written as keywords by their names, ``last_chance`` among them."""
    return scenes.dotted({name.replace("last_chance", "last-chance"): value for name, value in options.items()})


class Told(scenes.Told):
    """The events of one order."""

    @property
    def minutes(self) -> int:
        """What the order cost, by the clock before and after it."""
        return sum(spent.after - spent.before for spent in self.of(Spent))

    @property
    def why(self) -> list[tuple[int, str, str]]:
        """The parts of the cost: minutes, for what, by which rule."""
        return [(part.amount, part.what, part.rule) for part in self.parts]


class Rally(scenes.Scene):
    """A game that moves on with every order; what chance gives is told beside the order."""

    rules: ClassVar[Any] = RULESET

    @property
    def stack(self) -> tuple[str, ...]:
        return self.state.stack(self.config)

    def racer(self, seat: str) -> Racer:
        return self.state.racer(seat)

    def do(self, seat: str, order: Any, *draws: object) -> Told:
        return Told(super().do(seat, order, *draws))

    def why_not(self, seat: str, order: Any) -> tuple[str, str]:
        """Return the code (without the game's name) and the rule of the refusal of ``order``."""
        return self.code_and_rule(self.refuse(seat, order))

    def minutes(self, seat: str, order: Any) -> int:
        """Return what ``order`` would cost now; it must be legal."""
        minutes = self.cost(seat, order)
        assert minutes is not None, self.rules.refusal(self.config, self.state, seat, order)
        return minutes

    def places(self) -> list[tuple[int, str]]:
        return [(standing.place, standing.seat) for standing in self.rules.standings(self.config, self.state)]

    def wander(
        self,
        steps: int,
        seed: int,
        played: list[tuple[str, Any]] | None = None,
        until: Callable[[Any], bool] = lambda _rally: True,
    ) -> Rally:
        """Play on as every game does; one in which every car is locked in has no end (CR-S6): only ``steps`` are played."""
        return super().wander(steps, seed, played, lambda rally: until(rally) or rally.is_endless())

    def is_endless(self) -> bool:
        """Return whether every car is locked in on its start tile, so that nobody can ever finish."""
        return len(tuple(self.rules.warnings(self.config, self.state))) == len(self.config.seats)

    def pick(self, seat: str, rng: Random) -> Any:
        """Return an order: mostly to a checkpoint if one is near, else a drive or a tile, else anything legal."""
        orders = self.legal(seat)
        racer = self.racer(seat)
        wanted = set(self.config.maps[racer.card]).difference(racer.marked)
        moves = [order for order in orders if isinstance(order, Move)]
        near = [order for order in moves if wanted.intersection(order.path)]
        for some, chance in ((near, 0.9), (moves, 0.5), ([order for order in orders if isinstance(order, Place)], 0.3)):
            if some and rng.random() < chance:
                return rng.choice(some)
        return rng.choice(orders)


@pytest.fixture(scope="session")
def tile() -> Callable[..., Tile]:
    """Make a tile: its id begins with H, G or U for the road; exits as ``NE``; terrains of N, E, S, W as ``cmgd``."""
    return _tile


@pytest.fixture(scope="session")
def parts() -> Callable[..., Components]:
    """Make a component set, see ``_parts``."""
    return _parts


@pytest.fixture(scope="session")
def house() -> Components:
    """Return the component set that is shipped."""
    return scenes.shipped(Components)


@pytest.fixture
def scene() -> Callable[..., Rally]:
    """Make a position.

    Seats are keywords with the fields of ``SeatAt``, ``map`` (their checkpoints, far away by default) among them, and
    ``drives`` (minutes on highway, gravel, urban). ``board`` maps cells to a tile or to a tile and its rotation; ``extra``
    tiles join the plain ones. Hands, ``map``, ``row``, ``discard``, ``stack`` and ``order`` are words in one string, as are
    the ``outcomes`` of what happens before the first order.

    The stack is every tile that is nowhere else. Where ``stack`` is given, the set has no more tiles than those named.
    """

    def make(
        board: Mapping[str, Any] | None = None,
        *,
        extra: Iterable[Tile] = (),
        borders: Sequence[str] = (),
        border_order: BorderOrder = BorderOrder.CLOCKWISE,
        version: int = 0,
        options: Mapping[str, str] | None = None,
        stack: str | None = None,
        row: str = "",
        discard: str = "",
        border: Any = None,
        order: str | None = None,
        acting: str | None = None,
        outcomes: str = "",
        **seats: dict[str, Any],
    ) -> Rally:
        far = {"red": "A1 A5", "blue": "E1 E5", "green": "A1 E5", "yellow": "E1 A5"}
        maps, cars, at = {}, {}, []
        for (seat, fields), times in zip(seats.items(), permutations((2, 4, 5)), strict=False):
            given = dict(fields)
            maps[f"K{seat}"] = given.pop("map", far[seat]).split()
            cars[f"car-{seat}"] = given.pop("drives", times)
            for name in ("hand", "marked"):
                given[name] = tuple(given.get(name, "").split())
            at.append(SeatAt(seat=seat, car=f"car-{seat}", card=f"K{seat}", **given))
        tiles = [(cell, *((laid, 0) if isinstance(laid, str) else laid)) for cell, laid in (board or {}).items()]
        everything = _parts(extra=extra, borders=borders, border_order=border_order, maps=maps, cars=cars)
        if stack is not None:
            named = {name for _, name, _ in tiles} | {name for one in at for name in one.hand}
            named.update(f"{row} {discard} {stack}".split())
            few = [piece for piece in everything.tiles if piece.id in named]
            everything = _parts(tiles=few, borders=borders, border_order=border_order, maps=maps, cars=cars)
        position = Position(
            seats=tuple(at),
            board=tuple(TileAt(cell=cell, tile=name, rot=rot) for cell, name, rot in tiles),
            row=tuple(row.split()),
            discard=tuple(discard.split()),
            stack=None if stack is None else tuple(stack.split()),
            border=border,
            order=None if order is None else tuple(order.split()),
            acting=acting,
        )
        return Rally.begin(
            tuple(seats), everything, options or {}, position=position, outcomes=outcomes.split(), version=version
        )

    return make


@pytest.fixture
def deal() -> Callable[..., Rally]:
    """Set a game up by the recorded ``outcomes``."""

    def make(seats: int, outcomes: Sequence[str], parts: Components | None = None, **options: str) -> Rally:
        return Rally.begin(SEATS[:seats], parts or _parts(), _named(options), outcomes=outcomes)

    return make


@pytest.fixture(scope="session")
def start() -> Callable[..., Rally]:
    """Set a game up from a seed, by the present rules or an earlier ``version`` of them."""

    def make(seats: int, seed: int, parts: Components, version: int = 0, **options: str) -> Rally:
        return Rally.begin(SEATS[:seats], parts, _named(options), seed=seed, version=version)

    return make
