"""Drive with a mechanic or with a Driver card: what a space costs, the way of an order, the drive itself (GR-D, GR-H3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations, islice
from typing import Annotated, Any, Final, NamedTuple

from adjudicator.core.graph import cheapest_ways
from adjudicator.game import (
    PUBLIC,
    Chance,
    Event,
    Meta,
    Name,
    Order,
    Part,
    Problem,
    Public,
    Said,
    Seat,
    Value,
    count,
    listed,
    ordinal,
    piles,
    replace,
)
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.actions import (
    Action,
    Means,
    cards_drawn,
    check_held,
    check_help,
    guard_given,
    pour_can,
    settle,
)
from adjudicator.games.great_race.components import (
    Amount,
    CardId,
    Config,
    LineKind,
    OneTile,
    SpaceId,
    TileId,
    card_words,
    levels_told,
    other_end,
    tile_told,
)
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.state import (
    BAG,
    DECK,
    SEALED,
    SPACES,
    Assistants,
    Crew,
    Gauge,
    Help,
    Here,
    Laid,
    Loss,
    Moves,
    Slot,
    State,
    Use,
)
from adjudicator.games.great_race.state import Drive as OnTheWay

_CAN, _ESCORT, _RANGER, _CARAVAN = Help
_GUARDS: Final = (_ESCORT, _RANGER)
"""The helps that cancel a danger, an escort before a Ranger, which the crew could keep (GR-D2)."""
_NOTHING: Final[frozenset[Help]] = frozenset()
_MOST_PATHS: Final = 60
"""The most paths of several spaces in the list, the cheapest first: others are legal, too."""


# What a space costs


class Toll(NamedTuple):
    """The payment for a space: levels, jerrycans poured in first, a guard against danger, a Caravan against the stop."""

    fuel: int
    engine: int = 0
    chassis: int = 0
    cans: int = 0
    guard: Help | None = None
    has_caravan: bool = False
    stops: bool = False


class Short(NamedTuple):
    """Why a crew cannot pay for a space, as text, and by which rule."""

    why: str
    rule: str


def toll_of(
    config: Config,
    tiles: Mapping[SpaceId, TileId],
    space: SpaceId,
    crew: Crew,
    loss: Loss | None = None,
    aids: Collection[Help] = _NOTHING,
    goes_on: bool = False,
) -> Toll | Short | None:
    """Return what ``space`` costs ``crew`` with the helps ``aids``, or why it cannot pay; ``None`` if the space is blank.

    GR-D4: a city costs its fuel. GR-D1: a tile costs fuel, more in a risk zone, and parts. GR-D2: a danger costs parts more
    unless a guard cancels it, and a stop ends the drive unless a Caravan cancels it, which is used if the drive ``goes_on``.
    GR-H3: engine and chassis together must cover the parts.
    """
    tile, engine, chassis, guard, has_caravan, stops = tiles.get(space), 0, 0, None, False, False
    if tile is not None:
        kind, what, rule, fuel = config.tiles[tile], str(space), "GR-D1", config.tile_fuel(space, tile)
        parts = kind.parts
        if kind.danger:
            if aids:
                guard = next((one for one in _GUARDS if one in aids and crew.has(one)), None)
            parts += 0 if guard else config.components.danger
        if parts:
            if parts > crew.engine + crew.chassis:
                return Short(f"cannot lose the {parts} parts that {space} costs", "GR-H3" if kind.danger else "GR-D1")
            loss = loss or Loss()
            if loss.first is Gauge.CHASSIS:
                most = crew.chassis if loss.most is None else min(crew.chassis, loss.most)
                chassis = max(min(parts, most), parts - crew.engine)
                engine = parts - chassis
            else:  # the engine goes to 0 only if the chassis has nothing left
                engine = max(min(parts, max(crew.engine - 1, 0)), parts - crew.chassis)
                chassis = parts - engine
        if kind.stop:
            has_caravan = goes_on and _CARAVAN in aids and crew.has(_CARAVAN) > 0
            stops = not has_caravan
    elif config.roads.is_city(space):
        what, rule, fuel = "a city", "GR-D4", config.components.city_fuel
    else:
        return None
    cans = max(0, -((crew.fuel - fuel) // config.can))
    if cans and (_CAN not in aids or cans > crew.has(_CAN) or fuel > config.components.gauges.fuel):
        return Short(f"has not the {fuel} fuel that {what} costs", rule)
    return Toll(fuel, engine, chassis, cans, guard, has_caravan, stops)


def _after(config: Config, crew: Crew, toll: Toll) -> Crew:
    """Return ``crew`` after paying ``toll``."""
    fuel = crew.fuel
    if toll.cans:
        fuel = min(fuel + toll.cans * config.can, config.components.gauges.fuel)
    levels = {"fuel": fuel - toll.fuel, "engine": crew.engine - toll.engine, "chassis": crew.chassis - toll.chassis}
    if not toll.cans and toll.guard is None and not toll.has_caravan:
        return replace(crew, **levels)
    cards = [CardId.JERRYCAN] * toll.cans + [CardId.RANGER] * (toll.guard is _RANGER) + [CardId.CARAVAN] * toll.has_caravan
    active = replace(crew.active, escort=crew.active.escort - (toll.guard is _ESCORT))
    return replace(crew, hand=piles.without(crew.hand, *cards), active=active, **levels)


def _aids_at(using: Iterable[Use] | None, space: SpaceId) -> frozenset[Help]:
    return frozenset([use.help for use in using if use.at is None or use.at == space]) if using else _NOTHING


# The parts of orders that say how to pay


class Losing(Value):
    """The gauge that loses parts ``first``, or (empty) how many parts each gauge loses."""

    first: str = ""
    engine: int = 0
    chassis: int = 0

    @classmethod
    def read(cls, losses: list[tuple[str, int | None]]) -> Losing:
        """Read ``losses``, pairs of gauge and number: a gauge without a number loses parts first."""
        many = {gauge: many for gauge, many in losses if many is not None}
        return cls("", many.get("engine", 0), many.get("chassis", 0)) if many else cls(losses[0][0])

    def text(self) -> str:
        """Return the words after ``losing``."""
        return self.first or " ".join(levels_told(engine=self.engine, chassis=self.chassis)) or "engine 0"

    def loss(self) -> Loss:
        """Return it for a drive on its way."""
        return Loss(Gauge(self.first)) if self.first else Loss(most=self.chassis)

    def fault(self, what: str, engine: int, chassis: int, part: str, near: str) -> Problem | None:
        """GR-D1: require that an exact split is what ``what`` costs each gauge."""
        if self.first or (self.engine, self.chassis) == (engine, chassis):
            return None
        split = f"engine {self.engine} chassis {self.chassis}"
        message = f"{what} costs {count(engine + chassis, 'part')}: {split} does not match"
        return META.problem("does-not-add-up", message, "GR-D1", part, (near,))


def _wrong_uses(config: Config, using: Iterable[Use] | None) -> Problem | None:
    """GR-C1: require that the board has the spaces at which an order uses helps."""
    unknown = (use.at for use in using or () if use.at and use.at not in config.roads.spaces)
    return next((SPACES.unknown(META, config, space, "using", str) for space in unknown), None)


def _check_uses(at: Here, using: Iterable[Use] | None, way: tuple[SpaceId, ...]) -> Problem | None:
    """GR-K2, GR-K3, GR-A3: require the helps that an order names, and the spaces of its ``way`` for them."""
    for use in using or ():
        problem = check_help(at, use.help, "using")
        if problem is None and use.at and use.at not in way:
            problem = META.problem("not-on-the-way", f"{use.at} is not on the way", "GR-D2", "using", way)
        if problem is not None:
            return problem
    return None


def _choices_of_help(crew: Crew) -> Iterator[tuple[Use, ...]]:
    """Yield each choice of the helps that ``crew`` has, at least one."""
    helps = [Use(one) for one in Help if crew.has(one)]
    for many in range(1, len(helps) + 1):
        yield from combinations(helps, many)


# The order


class Drive(Action):
    """Drive along ``path``; by sea or air along a ``line`` to a city, with so many Transport cards.

    ``losing`` names the gauge that loses parts first, ``using`` the helps (none: no help; ``None``: ask where it matters).
    """

    examples = (
        *("DRIVE K4", "DRIVE K4 K5 Tamanrasset losing chassis", "DRIVE K4 K5 using jerrycan, escort at K5, ranger"),
        *("DRIVE K4 losing engine using nothing", "DRIVE sea Mombasa using transport 1"),
        *("PLAY Driver K4 K5", "PLAY Driver K4 K5 using ranger, caravan"),
    )
    template = "{verb}[ {line}] {path}[ losing {losing}][ using {help}]"
    own_verb = "DRIVE"
    path: tuple[SpaceId, ...]
    line: str = ""
    transports: int = 0
    losing: Losing | None = None
    using: tuple[Use, ...] | None = None
    by: Means = Slot.MECHANICS

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        line, *path, losing, help_given = children
        using, fares = help_given or (None, 0)
        return cls(tuple(path), line or "", fares, losing, using)

    @property
    def help(self) -> str:
        """The words for the helps on the way, and for so many Transport cards."""
        words = [*(use.text() for use in self.using or ()), *([f"transport {self.transports}"] if self.transports else [])]
        return ", ".join(words) or ("" if self.using is None else "nothing")

    @property
    def sealed(self) -> str | None:
        """The words that others may read, ``None`` for all: how a crew pays is secret."""
        hides = self.losing is not None or self.using is not None
        return replace(self, losing=None, using=None).text() if hides else None

    def wrong(self, config: Config) -> Problem | None:
        problem = _wrong_uses(config, self.using)
        if problem is None and self.transports and CardId.TRANSPORT not in config.cards:
            return DECK.unknown(META, config, CardId.TRANSPORT, "using", lambda _config, card: card_words(card))
        if problem is None and self.losing is not None and not self.losing.first and not config.is_older:
            message = "say which gauge loses parts first: only a PAY splits them by number"
            return META.problem("no-split", message, "GR-D1", "losing", ("losing chassis", "losing engine"))
        return problem

    def refusal(self, at: Here) -> Problem | None:
        """GR-D: require an engine, a line, spaces that join, and that the crew can pay for the known ones before a blank."""
        config, crew, path, line = at.config, at.own, self.path, self.line
        if not crew.engine:
            message = f"{at.seat} has broken down: repair the engine first"
            return META.problem("broken-down", message, "GR-D6", near=("REPAIR …",))
        if line or self.transports:
            problem = self._check_line(at, crew)
            if problem is not None:
                return problem
        here, last = crew.space, len(path) - 1
        for place, space in enumerate(path):
            if space not in (beside := config.roads.beside(here)) and not (place == 0 and line):
                return META.problem("no-way", f"{space} is not beside {here}", "GR-D1", f"space:{place}", beside)
            if place < last and config.roads.is_city(space):
                return META.problem("city-ends-drive", f"the drive ends in {space}", "GR-D4", f"space:{place + 1}")
            here = space
        if last >= crew.engine:
            message = f"the way has {count(len(path), 'space')}, but the engine is at {crew.engine}"
            return META.problem("too-far", message, "GR-D1", f"space:{crew.engine}", _way(path, crew.engine))
        problem = _check_uses(at, self.using, path) if self.using else None
        if problem is not None:
            return problem
        engine, chassis, loss = 0, 0, self.losing.loss() if self.losing else None
        for place, space in enumerate(path):
            toll = toll_of(config, at.state.tiles, space, crew, loss, _aids_at(self.using, space), place < last)
            if toll is None and not BAG.many_left(config, at.state):
                return META.problem("bag-empty", f"no tile is left in the bag for {space}", "GR-H9", f"space:{place}")
            if toll is None:
                break
            if isinstance(toll, Short):
                return META.problem("cannot-pay", f"{at.seat} {toll.why}", toll.rule, f"space:{place}", _way(path, place))
            engine, chassis = engine + toll.engine, chassis + toll.chassis
            if place < last and (toll.stops or crew.engine == toll.engine):
                code, rule, message = "stops-there", "GR-D2", f"{space} stops the drive, and the order uses no Caravan"
                if not toll.stops:
                    code, rule = "breaks-down", "GR-D6"
                    message = f"the engine is at 0 after {space}: the vehicle breaks down there"
                return META.problem(code, message, rule, f"space:{place + 1}", _way(path, place + 1))
            crew, loss = _after(config, crew, toll), loss and loss.after(toll.chassis)
        if self.losing is None:
            return None
        return self.losing.fault("the known way", engine, chassis, "losing", f"losing engine {engine} chassis {chassis}")

    def _check_line(self, at: Here, crew: Crew) -> Problem | None:
        """GR-D5: require a line between the two cities, its price, and Transport cards of the hand."""
        config, roads, here = at.config, at.config.roads, crew.space
        lines = [(line.kind, other_end(line, here)) for line in roads.lines.get(here, ())]
        near = tuple(f"{kind} {city}" for kind, city in lines)
        if not self.line:
            return META.problem("no-line", "use Transport cards only with a line by sea or air", "GR-D5", "using", near)
        kind, goal = LineKind(self.line), self.path[0]
        if (kind, goal) not in lines:
            message = f"no line by {self.line} leads from {here} to {goal}"
            return META.problem("no-line", message, "GR-D5", "space", near)
        problem = check_held(at, CardId.TRANSPORT, self.transports, "using")
        price = _fare(config, kind, here, goal, self.transports)
        if problem is not None or price <= crew.cash:
            return problem
        paid = []  # the lines that the crew can pay, with the fewest Transport cards, those to the goal first
        for kind, city in sorted(lines, key=lambda line: line[1] != goal):
            for cards in range(crew.hand.count(CardId.TRANSPORT) + 1):
                if _fare(config, kind, here, city, cards) <= crew.cash:
                    paid.append(f"{kind} {city}" + (f" using transport {cards}" if cards else ""))
                    break
        message = f"the line costs {price} F, and {at.seat} has {crew.cash} F"
        return META.problem("too-dear", message, "GR-D5", "way", tuple(paid))

    @classmethod
    def ways(cls, at: Here, by: Means) -> Iterator[Any]:
        """Yield drives that may be legal: to each neighbour, without help, or else with each choice of helps.

        Longer paths: the cheapest to each space over known tiles, and to the blank spaces after those.
        """
        config, crew, tiles, has_tiles = at.config, at.own, at.state.tiles, BAG.many_left(at.config, at.state) > 0
        if not crew.engine:
            return
        near = [
            cls((other_end(line, crew.space),), line.kind.value, cards, by=by)
            for line in config.roads.lines.get(crew.space, ())
            for cards in range(crew.hand.count(CardId.TRANSPORT) + 1)
        ]
        for one in (*near, *(cls((space,), by=by) for space in config.roads.beside(crew.space))):
            if one.refusal(at) is None:
                yield one
            else:
                yield from (replace(one, using=uses) for uses in _choices_of_help(crew))

        def onward(path: tuple[SpaceId, ...], load: Crew) -> Iterator[tuple[int, SpaceId, Crew]]:
            """Yield the next spaces: a city, a blank space, a stop or a breakdown ends a drive."""
            tile = tiles.get(path[-1]) if path else None
            is_stopped = tile is None or config.tiles[tile].stop or not load.engine or len(path) == crew.engine
            if path and is_stopped:
                return
            for space in config.roads.beside(path[-1] if path else crew.space):
                toll = toll_of(config, tiles, space, load)
                if isinstance(toll, Toll):
                    yield toll.fuel + 2 * (toll.engine + toll.chassis), space, _after(config, load, toll)
                elif toll is None and has_tiles:
                    yield 0, space, load

        paths = (path for path, _ in cheapest_ways(crew.space, crew, onward) if len(path) > 1)
        yield from (cls(path, by=by) for path in islice(paths, _MOST_PATHS))

    def cost(self, at: Here) -> tuple[Part, ...]:
        if not self.line:
            return ()
        francs = _fare(at.config, LineKind(self.line), at.own.space, self.path[0], self.transports)
        return (Part(-francs, f"the {self.line} line to {self.path[0]}", "GR-D5"),) if francs else ()

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Board a ship or a plane, and set off; ``drive_on`` drives on."""
        steps, path = at.own.engine, self.path
        if self.line:
            for _ in range(self.transports):
                at = yield happened.CardPlayed(seat=at.seat, card=CardId.TRANSPORT, rule="GR-D5")
            at = yield LineTaken(seat=at.seat, by=LineKind(self.line), city=path[0], cards=self.transports)
            yield from settle(at, at.seat, self.cost(at))
        loss = self.losing.loss() if self.losing else None
        yield DriveBegun(seat=at.seat, path=path, steps=steps, loss=loss, using=self.using)


def _fare(config: Config, kind: LineKind, here: SpaceId, there: SpaceId, cards: int) -> int:
    """Return the price of a line with so many Transport cards (GR-D5)."""
    line = next(line for line in config.roads.lines[here] if line.kind is kind and there in line.ends)
    return max(0, line.price - cards * config.amount(CardId.TRANSPORT))


def _way(path: tuple[SpaceId, ...], many: int) -> tuple[str, ...]:
    return (" ".join(path[:many]),) if many else ()


# On the way


def drive_on(at: Here, chance: Chance) -> Moves:
    """Drive on, space by space, until the drive ends or the crew must say how to pay for a tile."""
    while isinstance(drive := at.state.pending, OnTheWay) and not drive.is_asked:
        seat, crew = drive.seat, at.of(drive.seat)
        if crew.engine == 0:
            at = yield DriveEnded(seat=seat, words="has broken down and must be repaired", rule="GR-D6")
        elif not drive.path or not drive.steps:
            at = yield DriveEnded(seat=seat, words="", rule="GR-D1")
        elif (toll := _ahead(at)) is None:  # a blank space: draw its tile (GR-D3)
            space, bag = drive.path[0], BAG.left(at.config, at.state)
            if bag:
                at = yield BlindTileLaid(seat=seat, space=space, tile=TileId(chance.pick(f"the tile at {space}", bag)))
            else:
                at = yield DriveEnded(seat=seat, words=f"stops: no tile is left for {space}", rule="GR-H9")
        elif drive.is_fresh and _must_ask(at, toll):
            at = yield PaymentAsked(seat=seat)
        elif isinstance(toll, Toll):
            at = yield from _enter(at, toll, chance)
        else:
            at = yield _turned_back(at, toll)


def _ahead(at: Here, losing: Losing | None = None, using: tuple[Use, ...] | None = None) -> Toll | Short | None:
    """Return the toll of the space ahead of the drive, with the choices of the drive or those of a payment (GR-D3).

    A payment adds help to that of the drive; its escort or Ranger replaces the guard there; ``using nothing`` declines all.
    """
    drive: OnTheWay = at.state.pending_as(OnTheWay)
    space, crew, loss = drive.path[0], at.of(drive.seat), losing.loss() if losing else drive.loss_ahead
    aids, named = _aids_named(at, drive, crew), frozenset([use.help for use in using or ()])
    if using is not None:
        aids = named and (named | (aids.difference(_GUARDS) if named.intersection(_GUARDS) else aids))
    return toll_of(at.config, at.state.tiles, space, crew, loss, aids, len(drive.path) > 1 and drive.steps > 1)


def _aids_named(at: Here, drive: OnTheWay, crew: Crew) -> frozenset[Help]:
    """Return the helps that the drive named for the space ahead; on a tile just drawn, also those of the standing answer."""
    if drive.using is not None or not drive.is_fresh:
        return _aids_at(drive.using, drive.path[0])
    reaction = crew.to_tiles
    return frozenset(reaction.against(at.config.tile_parts(at.state.tiles[drive.path[0]])) if reaction else ())


def _must_ask(at: Here, toll: Toll | Short) -> bool:
    """Return whether the crew must say how to pay for the tile, just drawn: it matters, and the drive named nothing (GR-D3).

    Others must not learn whether a hand could help, so the program asks wherever there is a hand.
    """
    drive = at.state.pending_as(OnTheWay)
    crew, kind = at.of(drive.seat), at.config.tiles[at.state.tiles[drive.path[0]]]
    if drive.using is None:
        is_danger, is_stop = kind.danger and crew.to_tiles is None, kind.stop and len(drive.path) > 1 and drive.steps > 1
        has_help = bool(crew.hand) or crew.active.escort > 0
        if (has_help and (is_danger or isinstance(toll, Short))) or (is_stop and crew.hand):
            return True
    if isinstance(toll, Short) or drive.loss_ahead is not None:
        return False
    parts = toll.engine + toll.chassis
    return max(0, parts - crew.engine) < min(parts, crew.chassis)


def _enter(at: Here, toll: Toll, chance: Chance) -> Moves:
    """Pay ``toll`` for the space ahead, drive there, and end the drive in a city or where the tile stops it."""
    drive, roads = at.state.pending_as(OnTheWay), at.config.roads
    seat, space = drive.seat, drive.path[0]
    is_city = roads.is_city(space)
    for _ in range(toll.cans):
        at = yield from pour_can(at, seat)
    if toll.guard is not None:
        yield guard_given(seat, toll.guard, "GR-D2")
        yield DangerCancelled(seat=seat, space=space, guard=toll.guard)
    paid = {"fuel": toll.fuel, "engine": toll.engine, "chassis": toll.chassis}
    at = yield SpaceEntered(seat=seat, space=space, rule="GR-D4" if is_city else "GR-D1", **paid)
    if space == roads.finish:
        at = yield DriveEnded(seat=seat, words="", rule="GR-D4")
        return (yield SeatArrived(seat=seat, place=at.state.arrived + 1, cards=at.of(seat).hand))
    if is_city:
        yield from cards_drawn(at, seat, roads.spaces[space].cards, chance, "GR-D4")
        return (yield DriveEnded(seat=seat, words="", rule="GR-D4"))
    if toll.has_caravan:
        return (yield happened.CardPlayed(seat=seat, card=CardId.CARAVAN, rule="GR-D2"))
    if toll.stops and at.of(seat).engine:
        return (yield DriveEnded(seat=seat, words=f"stops at {space}", rule="GR-D2"))
    return at


def _turned_back(at: Here, short: Short) -> DriveEnded:
    """Return the end of a drive before a space that the crew cannot pay for, which costs nothing (GR-D3)."""
    drive = at.state.pending_as(OnTheWay)
    here, rule = at.of(drive.seat).space, short.rule
    words = f"stops: it {short.why}" if at.config.roads.is_city(drive.path[0]) else f"{short.why}: it stops at {here}"
    if drive.is_fresh:
        words, rule = f"{short.why}: it goes back to {here} and pays nothing", "GR-D3"
    return DriveEnded(seat=drive.seat, words=words, rule=rule)


def payment_asked(at: Here) -> str:
    """Say what the tile drawn costs, and between which gauges the crew splits it."""
    config, crew, space = at.config, at.own, at.state.pending_as(OnTheWay).path[0]
    tile = at.state.tiles[space]
    fuel, parts = config.tile_fuel(space, tile), config.tile_parts(tile)
    words = f"{space} is {tile_told(config, tile)}: it costs {fuel} fuel of {crew.fuel}"
    if parts:
        unless = " unless an escort or a Ranger cancels the danger" if config.tiles[tile].danger else ""
        split = f"split over engine {crew.engine} and chassis {crew.chassis} as the order says"
        words += f", {count(parts, 'part')}{unless}, {split}"
    return f"{words}: PAY, or BACK if that takes help"


class Pay(Order):
    """Pay for the tile that was drawn: ``losing`` and ``using`` as in ``Drive`` (``None``: the help named before)."""

    examples = ("PAY", "PAY engine 1 chassis 1", "PAY engine using ranger", "PAY using nothing")
    template = "PAY[ {losing}][ using {using:, }]"
    sealed = "PAY"
    losing: Losing | None = None
    using: tuple[Use, ...] | None = None

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        *losses, help_given = children
        return cls(Losing.read(losses) if losses else None, help_given and help_given[0])

    def wrong(self, config: Config) -> Problem | None:
        return _wrong_uses(config, self.using)

    def check(self, at: Here) -> Problem | None:
        """GR-H3: require that the crew can pay for the tile this way, and that the split adds up."""
        path = at.state.pending_as(OnTheWay).path
        problem = _check_uses(at, self.using, path[:1])
        if problem is not None:
            return problem
        toll = _ahead(at, self.losing, self.using)
        if not isinstance(toll, Toll):
            assert toll is not None
            return META.problem("cannot-pay", f"{at.seat} {toll.why}", toll.rule, "", ("BACK",))
        if self.losing is None:
            return None
        near = Pay(Losing("", toll.engine, toll.chassis), self.using).text()
        return self.losing.fault("the tile", toll.engine, toll.chassis, "loss", near)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        yield cls()
        if _aids_named(at, at.state.pending_as(OnTheWay), at.own):
            yield cls(None, ())
        yield from (cls(None, uses) for uses in _choices_of_help(at.own))

    def decide(self, at: Here, chance: Chance) -> Moves:
        toll = _ahead(at, self.losing, self.using)
        assert isinstance(toll, Toll)
        yield from _enter(at, toll, chance)


class Back(Order):
    """Go back to where the vehicle came from, and pay nothing."""

    examples = ("BACK",)

    def check(self, at: Here) -> Problem | None:
        """GR-H3: require payment if the crew can pay without help."""
        if isinstance(_ahead(at, None, ()), Short):
            return None
        message = f"the vehicle can pay for {at.state.pending_as(OnTheWay).path[0]} without help, so it must pay"
        return META.problem("must-pay", message, "GR-H3", near=("PAY",))

    def decide(self, at: Here, chance: Chance) -> Moves:
        short = _ahead(at, None, ())
        assert isinstance(short, Short)
        yield _turned_back(at, short)


# What happens


_Path = Annotated[tuple[SpaceId, ...], PUBLIC, Said(lambda _config, path: " ".join(path))]
_Fares = Annotated[Amount, Said(lambda _config, many: f", with {count(many, 'Transport card')}" if many else "")]


class DriveBegun(Event):
    """A seat set off along ``path``, for at most ``steps`` spaces; its choices for the way are sealed."""

    says = "{seat} sets off for {path} (at most {steps:space})"
    sets = {"pending": OnTheWay}
    seat: Public[Seat]
    path: _Path
    steps: Amount
    loss: Annotated[Loss | None, SEALED]
    using: Annotated[tuple[Use, ...] | None, SEALED]
    rule: Name = "GR-D1"


class LineTaken(Event):
    """A seat boards a ship or a plane."""

    says = "{seat} travels by {by} to {city}{cards}"
    seat: Public[Seat]
    by: Public[LineKind]
    city: Public[SpaceId]
    cards: _Fares
    rule: Name = "GR-D5"


class BlindTileLaid(Event):
    """A tile was drawn for the blank space ahead, and stays there however the drive ends."""

    says = "{space} is blank: {seat} draws {tile}"
    seat: Public[Seat]
    space: Public[SpaceId]
    tile: Public[OneTile]
    rule: Name = "GR-D3"

    def apply(self, config: Config, state: State) -> State:
        laid, drive = (*state.laid, Laid(self.space, self.tile)), replace(state.pending_as(OnTheWay), is_fresh=True)
        return replace(state, laid=laid, pending=drive)


class PaymentAsked(Event):
    """The crew must say how to pay for the tile."""

    seat: Public[Seat]
    rule: Name = "GR-D3"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, pending=replace(state.pending_as(OnTheWay), is_asked=True))


class DangerCancelled(Event):
    """A crew cancelled the danger of a tile."""

    says = "{seat} cancels the danger of {space} with {guard}"
    seat: Public[Seat]
    space: Public[SpaceId]
    guard: Public[Help]
    rule: Name = "GR-D2"


class SpaceEntered(Event):
    """A vehicle came to ``space`` and paid for it."""

    seat: Public[Seat]
    space: Public[SpaceId]
    fuel: Amount
    engine: Amount
    chassis: Amount
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        drive, lanes, markers, crew = state.pending_as(OnTheWay), config.roads.lanes, state.markers, state.of(self.seat)
        path, steps, loss = drive.path[1:], drive.steps - 1, drive.loss_ahead
        loss = loss and loss.after(self.chassis)
        goes_on = replace(drive, path=path, steps=steps, loss=loss, is_fresh=False, is_asked=False)
        if lanes[self.space] != lanes[crew.space]:
            markers = (*[seat for seat in markers if seat != self.seat], self.seat)
        fuel, engine, chassis = crew.fuel - self.fuel, crew.engine - self.engine, crew.chassis - self.chassis
        crew = replace(crew, space=self.space, fuel=fuel, engine=engine, chassis=chassis)
        return state.with_own(crew, {"pending": goes_on, "markers": markers})

    def tell(self, config: Config) -> str:
        paid = [f"{self.fuel} fuel"] if self.fuel else []
        paid += levels_told(engine=self.engine, chassis=self.chassis)
        return f"{self.seat} drives to {self.space}: {listed(paid) or 'nothing to pay'}"


class DriveEnded(Event):
    """A drive ended, for a reason."""

    becomes = {"pending": None}
    seat: Public[Seat]
    words: Annotated[str, Meta(max_length=200), PUBLIC]
    rule: Name

    def tell(self, config: Config) -> str:
        return f"{self.seat} {self.words}" if self.words else ""


class SeatArrived(Event):
    """A vehicle is in the finish city: it drops its cards and assistants, and this is the last round."""

    sets = {"own.arrival": "place"}
    becomes = {"own.active": Assistants()}
    moves = "cards: own.hand > discards"
    seat: Public[Seat]
    place: Annotated[int, Meta(ge=1, le=4), PUBLIC]
    cards: Public[tuple[CardId, ...]]
    rule: Name = "GR-F1"

    def tell(self, config: Config) -> str:
        return f"{self.seat} has reached the finish, {ordinal(self.place)}{'; this is the last round' * (self.place == 1)}"
