"""Tables to play on: a set of plain tiles, positions made by hand, whole games from a seed.

Test modules are imported by path, so everything they share comes as a fixture: ``tile`` and ``parts`` make components,
``scene`` a position whose random outcomes are told beside each order, ``deal`` a set-up, ``start`` a game from a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from itertools import permutations
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter

from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.engine import Outcome, adjudicate, begin
from adjudicator.core.event import Spent
from adjudicator.core.game import ComponentsRef, Game, RulesetRef
from adjudicator.core.options import fill_options
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Player, Setup
from adjudicator.games.checkpoint_rally.components import BorderPiece, Car, Card, Components, Road, Side, Terrain, Tile
from adjudicator.games.checkpoint_rally.orders import Move, Place
from adjudicator.games.checkpoint_rally.position import Position, SeatAt, TileAt
from adjudicator.games.checkpoint_rally.ruleset import RULESET
from adjudicator.games.checkpoint_rally.state import Racer, State

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
    maps: Mapping[str, Sequence[str]] | None = None,
    cars: Mapping[str, tuple[int, int, int]] | None = None,
) -> Components:
    """Make a component set: the plain tiles and ``extra`` ones, or just ``tiles``.

    ``borders`` gives five letters for the front of each piece (the backs are desert), ``maps`` the checkpoints of each
    card on both halves, ``cars`` the minutes on highway, gravel and urban roads.
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
    )


def _game(table: Any, setup: Setup, chance: ChanceRecord, recorded: Sequence[str] = ()) -> Game:
    components = ComponentsRef(setup.components.id, setup.components.version, "0" * 64)
    reference = RulesetRef(RULESET.meta.id, RULESET.meta.version)
    game = Game(
        id="test",
        ruleset=reference,
        components=components,
        chance=chance,
        setup=setup,
        journal=(),
        pending=(),
        state=None,
    )
    return begin(RULESET, table, game, recorded)


def _setup(seats: Sequence[str], parts: Components, options: Mapping[str, str], position: Position | None = None) -> Setup:
    filled = fill_options(RULESET.meta, seats, options)
    return Setup(tuple(Player(seat) for seat in seats), filled, parts, position)


def _named(options: Mapping[str, str]) -> dict[str, str]:
    """Return options written as keywords by their names: ``corner_red`` is ``corner.red``."""
    return {"last-chance" if name == "last_chance" else name.replace("_", "."): value for name, value in options.items()}


class Told(tuple[Any, ...]):
    """The events of one order."""

    def of(self, kind: type) -> list[Any]:
        """Return the events of ``kind``, in order."""
        return [event for event in self if isinstance(event, kind)]

    @property
    def minutes(self) -> int:
        """What the order cost, by the clock before and after it."""
        return sum(spent.after - spent.before for spent in self.of(Spent))

    @property
    def why(self) -> list[tuple[int, str, str]]:
        """The parts of the cost: minutes, for what, by which rule."""
        return [(part.amount, part.what, part.rule) for spent in self.of(Spent) for part in spent.why]


@dataclass
class Scene:
    """A game that moves on with every order; what chance gives is told beside the order."""

    table: Any
    game: Game

    @property
    def state(self) -> State:
        return self.game.state

    def racer(self, seat: str) -> Racer:
        return self.state.racer(seat)

    def due(self) -> list[tuple[str, str]]:
        """Return who is asked for what."""
        return [(decision.seat, decision.kind) for decision in RULESET.awaiting(self.table, self.state)]

    def send(self, seat: str, *orders: Any, draws: Sequence[str] = ()) -> Outcome:
        """Adjudicate a sheet of ``orders``; ``draws`` stands beside the first. The game goes on from there."""
        lines = [Instruction(order, tuple(draws) if n == 0 else ()) for n, order in enumerate(orders)]
        outcome = adjudicate(RULESET, self.table, self.game, [Sheet(seat, tuple(lines))])
        self.game = outcome.game
        return outcome

    def do(self, seat: str, order: Any, *draws: str) -> Told:
        """Carry out one order, for which exactly ``draws`` come by chance; return its events."""
        outcome = self.send(seat, order, draws=draws)
        assert not outcome.findings, [finding.problem for finding in outcome.findings]
        (accepted,) = outcome.accepted
        return Told(accepted.entry.events)

    def refuse(self, seat: str, order: Any) -> Problem:
        """Return why ``order`` is refused; it must be, and must leave no trace."""
        before = self.game
        outcome = self.send(seat, order)
        assert not outcome.accepted
        assert self.game == before
        (finding,) = outcome.findings
        return finding.problem

    def why_not(self, seat: str, order: Any) -> tuple[str, str]:
        """Return the code (without the game's name) and the rule of the refusal of ``order``."""
        problem = self.refuse(seat, order)
        game, _, code = problem.code.partition("/")
        assert game == "checkpoint-rally"
        return code, problem.rule

    def wrong(self, seat: str, order: Any) -> tuple[str, str]:
        """Return the code and the rule by which ``check`` refuses ``order`` now, also where the engine would let it wait."""
        problem = RULESET.check(self.table, self.state, seat, order)
        assert problem is not None
        return problem.code.partition("/")[2], problem.rule

    def allows(self, seat: str, order: Any) -> bool:
        return RULESET.check(self.table, self.state, seat, order) is None

    def minutes(self, seat: str, order: Any) -> int:
        """Return what ``order`` would cost now; it must be legal."""
        why = RULESET.cost(self.table, self.state, seat, order)
        assert why is not None, RULESET.check(self.table, self.state, seat, order)
        return sum(part.amount for part in why)

    def legal(self, seat: str, kind: type) -> list[Any]:
        return [order for order in RULESET.legal(self.table, self.state, seat) if isinstance(order, kind)]

    def view(self, viewer: str | None) -> Any:
        return RULESET.view(self.table, self.state, viewer)

    def fact(self, viewer: str | None, name: str, argument: str = "") -> Any:
        value = RULESET.facts(self.table, self.view(viewer))[name]
        return value(argument) if callable(value) else value

    def places(self) -> list[tuple[int, str]]:
        return [(standing.place, standing.seat) for standing in RULESET.standings(self.table, self.state)]

    def is_over(self) -> bool:
        return RULESET.is_over(self.table, self.state)


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
    text = (files("adjudicator.games.checkpoint_rally") / "data" / "house.json").read_text(encoding="utf-8")
    return TypeAdapter(Components).validate_json(text)


@pytest.fixture
def scene() -> Callable[..., Scene]:
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
        options: Mapping[str, str] | None = None,
        stack: str | None = None,
        row: str = "",
        discard: str = "",
        border: Any = None,
        order: str | None = None,
        acting: str | None = None,
        outcomes: str = "",
        **seats: dict[str, Any],
    ) -> Scene:
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
        everything = _parts(extra=extra, borders=borders, maps=maps, cars=cars)
        if stack is not None:
            named = {name for _, name, _ in tiles} | {name for one in at for name in one.hand}
            named.update(f"{row} {discard} {stack}".split())
            few = [piece for piece in everything.tiles if piece.id in named]
            everything = _parts(tiles=few, borders=borders, maps=maps, cars=cars)
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
        setup = _setup(tuple(seats), everything, options or {}, position)
        table = RULESET.lay(setup)
        return Scene(table, _game(table, setup, ChanceRecord(source="recorded"), outcomes.split()))

    return make


@pytest.fixture
def deal() -> Callable[..., Scene]:
    """Set a game up by the recorded ``outcomes``."""

    def make(seats: int, outcomes: Sequence[str], parts: Components | None = None, **options: str) -> Scene:
        setup = _setup(SEATS[:seats], parts or _parts(), _named(options))
        table = RULESET.lay(setup)
        return Scene(table, _game(table, setup, ChanceRecord(source="recorded"), outcomes))

    return make


@pytest.fixture(scope="session")
def start() -> Callable[..., Scene]:
    """Set a game up from a seed."""

    def make(seats: int, seed: int, parts: Components, **options: str) -> Scene:
        secret = sha256(str(seed).encode()).digest()
        setup = _setup(SEATS[:seats], parts, _named(options))
        table = RULESET.lay(setup)
        chance = ChanceRecord(source="committed", commitment=commitment(secret), secret=secret.hex())
        return Scene(table, _game(table, setup, chance))

    return make


def _pick(rally: Scene, seat: str, rng: Random) -> Any:
    """Return an order of ``seat``: mostly to a checkpoint if one is near, else a drive or a tile, else anything legal."""
    orders = list(RULESET.legal(rally.table, rally.state, seat))
    racer = rally.racer(seat)
    wanted = set(rally.table.maps[racer.card]).difference(racer.marked)
    moves = [order for order in orders if isinstance(order, Move)]
    near = [order for order in moves if wanted.intersection(order.path)]
    for some, chance in ((near, 0.9), (moves, 0.5), ([order for order in orders if isinstance(order, Place)], 0.3)):
        if some and rng.random() < chance:
            return rng.choice(some)
    return rng.choice(orders)


def _is_endless(rally: Scene) -> bool:
    """Return whether every car is locked in on its start tile, so that nobody can ever finish."""
    return len(RULESET.lint(rally.table, rally.state)) == len(rally.table.seats)


@pytest.fixture(scope="session")
def wander() -> Callable[..., Scene]:
    """Play random legal orders, chosen by ``seed``: at least ``steps``, then on ``until`` something holds or all is over.

    A game in which every car is locked in has no end (CR-S6): it is played for ``steps`` only. The orders are added to
    ``played`` as (seat, order).
    """

    def go_on(
        rally: Scene,
        steps: int,
        seed: int,
        played: list[tuple[str, Any]] | None = None,
        until: Callable[[Scene], bool] = lambda _rally: True,
    ) -> Scene:
        rng = Random(seed)
        while (due := rally.due()) and (steps > 0 or not (until(rally) or _is_endless(rally))):
            steps -= 1
            seat, _ = due[0]
            order = _pick(rally, seat, rng)
            outcome = rally.send(seat, order)
            assert outcome.accepted, (seat, order, outcome.findings)
            if played is not None:
                played.append((seat, order))
        return rally

    return go_on
