"""Drive space by space, until the drive ends or the crew must decide how to pay for a tile (GR-D)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Annotated, Any

from adjudicator.game import (
    PUBLIC,
    Chance,
    Event,
    Meta,
    Name,
    Problem,
    Public,
    Said,
    Seat,
    count,
    listed,
    ordinal,
    replace,
)
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import LineKind, SpaceId, TileId
from adjudicator.games.great_race.config import Amount, Config, OneTile, levels_told
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import RaceOrder, cards_drawn, check_helps, check_uses, give_guard, pour_can
from adjudicator.games.great_race.state import (
    BAG,
    GUARDS,
    SEALED,
    Assistants,
    Crew,
    Drive,
    Gauge,
    Help,
    Here,
    Laid,
    Loss,
    Moves,
    State,
    Use,
)
from adjudicator.games.great_race.terms import Losing, losing_of, using_words
from adjudicator.games.great_race.tolls import Short, Toll, aids_at, city_toll, tile_toll

_Path = Annotated[tuple[SpaceId, ...], PUBLIC, Said(lambda _config, path: " ".join(path))]
_Fares = Annotated[Amount, Said(lambda _config, many: f", with {count(many, 'Transport card')}" if many else "")]


class DriveBegun(Event):
    """A seat set off along ``path``, for at most ``steps`` spaces; its choices for the way are sealed."""

    says = "{seat} sets off for {path} (at most {steps:space})"
    seat: Public[Seat]
    path: _Path
    steps: Amount
    loss: Annotated[Loss | None, SEALED]
    using: Annotated[tuple[Use, ...] | None, SEALED]
    rule: Name = "GR-D1"

    def apply(self, config: Config, state: State) -> State:
        drive = Drive(seat=self.seat, path=self.path, steps=self.steps, loss=self.loss, using=self.using)
        return replace(state, pending=drive)


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
        laid, drive = (*state.laid, Laid(self.space, self.tile)), replace(state.pending_as(Drive), is_fresh=True)
        return replace(state, laid=laid, pending=drive)


class PaymentAsked(Event):
    """The crew must say how to pay for the tile."""

    seat: Public[Seat]
    rule: Name = "GR-D3"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, pending=replace(state.pending_as(Drive), is_asked=True))


class DangerCancelled(Event):
    """A crew cancelled the danger of a tile."""

    says = "{seat} cancels the danger of {space} with {guard}"
    seat: Public[Seat]
    space: Public[SpaceId]
    guard: Public[Help]
    rule: Name = "GR-D2"


class SpaceEntered(Event):
    """A vehicle came to ``space`` and paid for it."""

    says = ""
    seat: Public[Seat]
    space: Public[SpaceId]
    fuel: Amount
    engine: Amount
    chassis: Amount
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        drive, lanes, markers, crew = state.pending_as(Drive), config.roads.lanes, state.markers, state.of(self.seat)
        loss = drive.loss
        if loss is not None and loss.most is not None:
            loss = None if drive.is_fresh else loss.after(self.chassis)
        path, steps = drive.path[1:], drive.steps - 1
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

    says = ""
    becomes = {"pending": None}
    seat: Public[Seat]
    words: Annotated[str, Meta(max_length=200), PUBLIC]
    rule: Name

    def tell(self, config: Config) -> str:
        return f"{self.seat} {self.words}" if self.words else ""


class SeatArrived(Event):
    """A vehicle is in the finish city: it drops its cards and assistants, and this is the last round."""

    seat: Public[Seat]
    place: Annotated[int, Meta(ge=1, le=4), PUBLIC]
    cards: Public[tuple[CardId, ...]]
    rule: Name = "GR-F1"

    def apply(self, config: Config, state: State) -> State:
        discards = (*state.discards, *self.cards)
        return state.with_own(self.seat, {"discards": discards}, arrival=self.place, hand=(), active=Assistants())

    def tell(self, config: Config) -> str:
        return f"{self.seat} has reached the finish, {ordinal(self.place)}{'; this is the last round' * (self.place == 1)}"


# Space by space


def drive_on(at: Here, chance: Chance) -> Moves:
    """Drive on, space by space, until the drive ends or the crew must say how to pay for a tile."""
    while isinstance(drive := at.state.pending, Drive) and not drive.is_asked:
        at = yield from _drive_a_space(at, drive, chance)


def _drive_a_space(at: Here, drive: Drive, chance: Chance) -> Moves:
    """Drive to the next space, lay a tile there, ask how it is paid, or end the drive."""
    seat, state = drive.seat, at.state
    if state.of(seat).engine == 0:
        return (yield DriveEnded(seat=seat, words="has broken down and must be repaired", rule="GR-D6"))
    if not drive.path or not drive.steps:
        return (yield DriveEnded(seat=seat, words="", rule="GR-D1"))
    space = drive.path[0]
    if at.config.roads.is_city(space):
        return (yield from _enter_city(at, seat, space, aids_at(drive.using, space), chance))
    if space in state.tiles:
        return (yield from _enter_tile(at))
    bag = BAG.left(at.config, state)
    if not bag:
        return (yield DriveEnded(seat=seat, words=f"stops: no tile is left for {space}", rule="GR-H9"))
    drawn = TileId(chance.pick(f"the tile at {space}", bag))
    return (yield BlindTileLaid(seat=seat, space=space, tile=drawn))


def _enter_city(at: Here, seat: Seat, space: SpaceId, aids: Collection[Help], chance: Chance) -> Moves:
    toll = city_toll(at.config, at.of(seat), aids)
    if isinstance(toll, Short):
        return (yield DriveEnded(seat=seat, words=f"stops: it {toll.why}", rule=toll.rule))
    at = yield from _pay(at, seat, space, toll, "GR-D4")
    if space == at.config.roads.finish:
        at = yield DriveEnded(seat=seat, words="", rule="GR-D4")
        return (yield SeatArrived(seat=seat, place=at.state.arrived + 1, cards=at.of(seat).hand))
    yield from cards_drawn(at, seat, at.config.roads.spaces[space].cards, chance, "GR-D4")
    return (yield DriveEnded(seat=seat, words="", rule="GR-D4"))


def _enter_tile(at: Here) -> Moves:
    ahead = Ahead(at)
    toll = ahead.toll(ahead.loss, ahead.aids)
    if ahead.drive.is_fresh and ahead.must_ask(toll):
        return (yield PaymentAsked(seat=ahead.crew.seat))
    return (yield from _turn_back(ahead, toll) if isinstance(toll, Short) else _enter(at, ahead, toll))


class Ahead:
    """The tile ahead of a ``drive``, as its ``crew`` comes to it: what the drive named for it, and what it costs."""

    def __init__(self, at: Here) -> None:
        """Look at the tile ahead of the drive in ``at``."""
        state = at.state
        self.config, self.drive = at.config, state.pending_as(Drive)
        self.crew, self.space = state.of(self.drive.seat), self.drive.path[0]
        self.tile = state.tiles[self.space]
        self.goes_on = len(self.drive.path) > 1 and self.drive.steps > 1

    @property
    def aids(self) -> frozenset[Help]:
        """The helps that the drive named for this space; on a tile just drawn, also those of the standing answer."""
        drive, reaction = self.drive, self.crew.to_tiles
        if drive.using is not None or not drive.is_fresh:
            return aids_at(drive.using, self.space)
        return frozenset(reaction.against(self.config.tile_parts(self.tile)) if reaction else ())

    @property
    def loss(self) -> Loss | None:
        """The loss that the drive named: an exact split holds only for tiles that were known (GR-D1)."""
        loss = self.drive.loss
        return None if self.drive.is_fresh and loss is not None and loss.most is not None else loss

    def toll(self, loss: Loss | None, aids: Collection[Help]) -> Toll | Short:
        """Return the toll of the tile with this loss and these helps."""
        return tile_toll(self.config, self.space, self.tile, self.crew, loss, aids, goes_on=self.goes_on)

    def toll_with(self, losing: Losing | None, using: tuple[Use, ...] | None) -> Toll | Short:
        """Return the toll with a payment: its helps, and those of the drive unless it says ``using nothing`` (GR-D3).

        An escort or a Ranger replaces the guards that the drive named.
        """
        named = frozenset([use.help for use in using or ()])
        if using != ():
            named |= self.aids - GUARDS if named & GUARDS else self.aids
        return self.toll(loss_of(losing) or self.loss, named)

    def must_ask(self, toll: Toll | Short) -> bool:
        """Return whether the crew must say how to pay for the tile, just drawn: it matters, and the drive named nothing.

        Others must not learn whether a hand could help, so the program asks wherever there is a hand.
        """
        crew, kind = self.crew, self.config.tiles[self.tile]
        has_cards, has_help = bool(crew.hand), bool(crew.hand) or crew.active.escort > 0
        is_danger, is_stop = kind.danger and crew.to_tiles is None, kind.stop and self.goes_on
        helps = has_help and (is_danger or isinstance(toll, Short))
        if self.drive.using is None and (helps or (is_stop and has_cards)):
            return True
        if isinstance(toll, Short) or self.loss is not None:
            return False
        parts = toll.engine + toll.chassis
        return max(0, parts - crew.engine) < min(parts, crew.chassis)


def _enter(at: Here, ahead: Ahead, toll: Toll) -> Moves:
    """Pay ``toll`` for the tile ahead, drive there, and end the drive where the tile stops it."""
    seat, space = ahead.crew.seat, ahead.space
    at = yield from _pay(at, seat, space, toll, "GR-D1")
    if toll.has_caravan:
        return (yield dealt.CardPlayed(seat=seat, card=CardId.CARAVAN, rule="GR-D2"))
    if toll.stops and at.of(seat).engine:
        return (yield DriveEnded(seat=seat, words=f"stops at {space}", rule="GR-D2"))
    return at


def _pay(at: Here, seat: Seat, space: SpaceId, toll: Toll, rule: str) -> Moves:
    for _ in range(toll.cans):
        at = yield from pour_can(at, seat)
    if toll.guard is not None:
        yield give_guard(seat, toll.guard, "GR-D2")
        yield DangerCancelled(seat=seat, space=space, guard=toll.guard)
    paid = {"fuel": toll.fuel, "engine": toll.engine, "chassis": toll.chassis}
    return (yield SpaceEntered(seat=seat, space=space, rule=rule, **paid))


def _turn_back(ahead: Ahead, short: Short) -> Moves:
    """End a drive before a tile that the crew cannot pay for, and charge nothing (GR-D3)."""
    crew, words, rule = ahead.crew, f"{short.why}: it stops at {ahead.crew.space}", short.rule
    if ahead.drive.is_fresh:
        words, rule = f"{short.why}: it goes back to {crew.space} and pays nothing", "GR-D3"
    return (yield DriveEnded(seat=crew.seat, words=words, rule=rule))


# How the crew pays for a tile just drawn


class Pay(RaceOrder):
    """Pay for the tile that was drawn: ``losing`` and ``using`` as in ``Drive`` (``None``: the help named before)."""

    examples = ("PAY", "PAY engine 1 chassis 1", "PAY engine using ranger", "PAY using nothing")

    sealed = "PAY"
    losing: Losing | None = None
    using: tuple[Use, ...] | None = None

    @classmethod
    def read(cls, children: list[Any]) -> Pay:
        losses = [child for child in children if isinstance(child, tuple) and child[0] in ("engine", "chassis")]
        given: dict[str, Any] = dict(child for child in children if isinstance(child, tuple))
        using, _ = given.get("using", (None, 0))
        return cls(losing_of(losses) if losses else None, using)

    def text(self) -> str:
        losing = () if self.losing is None else (self.losing.text(),)
        return " ".join(("PAY", *losing, *using_words(self.using)))

    def mistake(self, config: Config) -> Problem | None:
        return check_uses(config, self.using)

    def refusal(self, at: Here) -> Problem | None:
        """GR-H3: require that the crew can pay for the tile this way, and that the split adds up."""
        ahead = Ahead(at)
        problem = check_helps(at, self.using, (ahead.space,))
        if problem is not None:
            return problem
        toll, exact = ahead.toll_with(self.losing, self.using), self.losing
        if isinstance(toll, Short):
            return toll.problem(at.seat, "", ("BACK",))
        if exact is None or exact.fits(toll.engine, toll.chassis):
            return None
        split = f"engine {exact.engine} chassis {exact.chassis}"
        message = f"the tile costs {count(toll.engine + toll.chassis, 'part')}, and {split} cannot pay that"
        fitting = Pay(Losing("", toll.engine, toll.chassis), self.using).text()
        return META.problem("does-not-add-up", message, "GR-D1", "loss", (fitting,))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        ahead = Ahead(at)
        yield cls()
        if ahead.aids:
            yield cls(None, ())
        for aids in choices_of_help(ahead.crew):
            yield cls(None, aids)

    def effect(self, at: Here, chance: Chance) -> Moves:
        ahead = Ahead(at)
        toll = ahead.toll_with(self.losing, self.using)
        assert isinstance(toll, Toll)
        yield from _enter(at, ahead, toll)


class Back(RaceOrder):
    """Go back to where the vehicle came from, and pay nothing."""

    examples = ("BACK",)

    def refusal(self, at: Here) -> Problem | None:
        """GR-H3: require payment if the crew can pay without help."""
        ahead = Ahead(at)
        if isinstance(ahead.toll_with(None, ()), Short):
            return None
        message = f"the vehicle can pay for {ahead.space} without help, so it must pay"
        return META.problem("must-pay", message, "GR-H3", near=("PAY",))

    def effect(self, at: Here, chance: Chance) -> Moves:
        ahead = Ahead(at)
        short = ahead.toll_with(None, ())
        assert isinstance(short, Short)
        yield from _turn_back(ahead, short)


def loss_of(losing: Losing | None) -> Loss | None:
    """Return the loss that an order names: which gauge loses parts first, or an exact split."""
    if losing is None:
        return None
    return Loss(Gauge(losing.first)) if losing.first else Loss(most=losing.chassis)


def choices_of_help(crew: Crew) -> Iterator[tuple[Use, ...]]:
    """Yield each choice of the helps that ``crew`` has, at least one."""
    helps = [Use(one) for one in Help if crew.has(one)]
    for many in range(1, len(helps) + 1):
        yield from combinations(helps, many)
