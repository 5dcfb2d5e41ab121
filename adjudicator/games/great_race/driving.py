"""Drive space by space, until the drive ends or the crew must decide how to pay for a tile (GR-D)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Any

from adjudicator.game import Chance, Problem, Seat, order
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import RaceOrder, cards_drawn, check_help, check_uses
from adjudicator.games.great_race.state import GUARDS, Crew, Drive, Gauge, Help, Loss, Moves, State, Use
from adjudicator.games.great_race.terms import Losing, losing_of, using_words
from adjudicator.games.great_race.tolls import Short, Toll, aids_at, can_of, city_toll, tile_toll


def drive_on(config: Config, state: State, chance: Chance) -> Moves:
    """Drive on, space by space, until the drive ends or the crew must say how to pay for a tile."""
    while isinstance(drive := state.pending, Drive) and not drive.is_asked:
        state = yield from _drive_a_space(config, state, drive, chance)


def _drive_a_space(config: Config, state: State, drive: Drive, chance: Chance) -> Moves:
    """Drive to the next space, lay a tile there, ask how it is paid, or end the drive."""
    seat = drive.seat
    if state.crew(seat).engine == 0:
        return (yield happened.DriveEnded(seat=seat, words="has broken down and must be repaired", rule="GR-D6"))
    if not drive.path or not drive.steps:
        return (yield happened.DriveEnded(seat=seat, words="", rule="GR-D1"))
    space = drive.path[0]
    if config.roads.is_city(space):
        return (yield from _enter_city(config, state, seat, space, aids_at(drive.using, space), chance))
    if space in state.tiles:
        return (yield from _enter_tile(config, state))
    bag = state.bag(config)
    if not bag:
        return (yield happened.DriveEnded(seat=seat, words=f"stops: no tile is left for {space}", rule="GR-H9"))
    drawn = TileId(chance.pick(f"the tile at {space}", bag))
    return (yield happened.BlindTileLaid(seat=seat, space=space, tile=drawn))


def _enter_city(config: Config, state: State, seat: Seat, space: SpaceId, aids: Collection[Help], chance: Chance) -> Moves:
    toll = city_toll(config, state.crew(seat), aids)
    if isinstance(toll, Short):
        return (yield happened.DriveEnded(seat=seat, words=f"stops: it {toll.why}", rule=toll.rule))
    state = yield from _pay(config, state, seat, space, toll, "GR-D4")
    if space == config.roads.finish:
        state = yield happened.DriveEnded(seat=seat, words="", rule="GR-D4")
        return (yield happened.SeatArrived(seat=seat, place=state.arrived + 1, cards=state.crew(seat).hand))
    yield from cards_drawn(config, state, seat, config.roads.spaces[space].cards, chance, "GR-D4")
    return (yield happened.DriveEnded(seat=seat, words="", rule="GR-D4"))


def _enter_tile(config: Config, state: State) -> Moves:
    ahead = Ahead(config, state)
    toll = ahead.toll(ahead.loss, ahead.aids)
    if ahead.drive.is_fresh and ahead.must_ask(toll):
        return (yield happened.PaymentAsked(seat=ahead.crew.seat))
    return (yield from _turn_back(ahead, toll) if isinstance(toll, Short) else _enter(config, state, ahead, toll))


class Ahead:
    """The tile ahead of a ``drive``, as its ``crew`` comes to it: what the drive named for it, and what it costs."""

    def __init__(self, config: Config, state: State) -> None:
        """Look at the tile ahead of the drive in ``state``."""
        self.config, self.drive = config, state.pending_as(Drive)
        self.crew, self.space = state.crew(self.drive.seat), self.drive.path[0]
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

        An escort or a Ranger replaces the guards that the drive named. Version 1 of the rules forgets the help of the drive.
        """
        named = frozenset([use.help for use in using or ()])
        if using != () and self.config.version >= 2:
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


def _enter(config: Config, state: State, ahead: Ahead, toll: Toll) -> Moves:
    """Pay ``toll`` for the tile ahead, drive there, and end the drive where the tile stops it."""
    seat, space = ahead.crew.seat, ahead.space
    state = yield from _pay(config, state, seat, space, toll, "GR-D1")
    if toll.has_caravan:
        return (yield dealt.CardPlayed(seat=seat, card=CardId.CARAVAN, rule="GR-D2"))
    if toll.stops and state.crew(seat).engine:
        return (yield happened.DriveEnded(seat=seat, words=f"stops at {space}", rule="GR-D2"))
    return state


def _pay(config: Config, state: State, seat: Seat, space: SpaceId, toll: Toll, rule: str) -> Moves:
    for _ in range(toll.cans):
        state = yield from pour_can(config, state, seat)
    if toll.guard is not None:
        yield give_guard(seat, toll.guard, "GR-D2")
        yield happened.DangerCancelled(seat=seat, space=space, guard=toll.guard)
    paid = {"fuel": toll.fuel, "engine": toll.engine, "chassis": toll.chassis}
    return (yield happened.SpaceEntered(seat=seat, space=space, rule=rule, **paid))


def pour_can(config: Config, state: State, seat: Seat) -> Moves:
    """Play a jerrycan (GR-K3)."""
    state = yield dealt.CardPlayed(seat=seat, card=CardId.JERRYCAN, rule="GR-K3")
    return (yield fuel_gained(config, state, seat, can_of(config), "GR-K3"))


def fuel_gained(config: Config, state: State, seat: Seat, levels: int, rule: str) -> happened.FuelGained:
    """Return the event of ``levels`` of fuel filled in; levels that do not fit are lost (GR-S2)."""
    fuel = state.crew(seat).fuel
    full = min(fuel + levels, config.components.gauges.fuel)
    return happened.FuelGained(seat=seat, levels=full - fuel, fuel=full, rule=rule)


def give_guard(seat: Seat, guard: Help, rule: str) -> happened.EscortGiven | dealt.CardPlayed:
    """Return the event of an escort or a Ranger that is given up."""
    if guard is Help.ESCORT:
        return happened.EscortGiven(seat=seat, rule=rule)
    return dealt.CardPlayed(seat=seat, card=CardId.RANGER, rule=rule)


def _turn_back(ahead: Ahead, short: Short) -> Moves:
    """End a drive before a tile that the crew cannot pay for, and charge nothing (GR-D3)."""
    crew, words, rule = ahead.crew, f"{short.why}: it stops at {ahead.crew.space}", short.rule
    if ahead.drive.is_fresh:
        words, rule = f"{short.why}: it goes back to {crew.space} and pays nothing", "GR-D3"
    return (yield happened.DriveEnded(seat=crew.seat, words=words, rule=rule))


# How the crew pays for a tile just drawn


@order("PAY", "PAY engine 1 chassis 1", "PAY engine using ranger", "PAY using nothing")
class Pay(RaceOrder):
    """Pay for the tile that was drawn: ``losing`` and ``using`` as in ``Drive`` (``None``: the help named before)."""

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

    def refusal(self, config: Config, state: State, seat: Seat) -> Problem | None:
        """GR-H3: require that the crew can pay for the tile this way, and that the split adds up."""
        ahead = Ahead(config, state)
        for use in self.using or ():
            problem = check_help(state, seat, use.help, "using")
            if problem is None and use.at not in (None, ahead.space):
                problem = META.problem("not-on-the-way", f"now pay for {ahead.space}", "GR-D2", "using")
            if problem is not None:
                return problem
        toll, exact = ahead.toll_with(self.losing, self.using), self.losing
        if isinstance(toll, Short):
            return toll.problem(seat, "", ("BACK",))
        if exact is None or exact.fits(toll.engine, toll.chassis):
            return None
        split = f"engine {exact.engine} chassis {exact.chassis}"
        message = f"the tile costs {toll.engine + toll.chassis} parts, and {split} cannot pay that"
        fitting = Pay(Losing("", toll.engine, toll.chassis), self.using).text()
        return META.problem("does-not-add-up", message, "GR-D1", "loss", (fitting,))

    @classmethod
    def offers(cls, config: Config, state: State, seat: Seat) -> Iterator[Any]:
        ahead = Ahead(config, state)
        yield cls()
        if config.version >= 2 and ahead.aids:
            yield cls(None, ())
        for aids in choices_of_help(ahead.crew):
            yield cls(None, aids)

    def effect(self, config: Config, state: State, seat: Seat, chance: Chance) -> Moves:
        ahead = Ahead(config, state)
        toll = ahead.toll_with(self.losing, self.using)
        assert isinstance(toll, Toll)
        yield from _enter(config, state, ahead, toll)


@order("BACK")
class Back(RaceOrder):
    """Go back to where the vehicle came from, and pay nothing."""

    def refusal(self, config: Config, state: State, seat: Seat) -> Problem | None:
        """GR-H3: require payment if the crew can pay without help."""
        ahead = Ahead(config, state)
        if isinstance(ahead.toll_with(None, ()), Short):
            return None
        message = f"the vehicle can pay for {ahead.space} without help, so it must pay"
        return META.problem("must-pay", message, "GR-H3", suggestions=("PAY",))

    def effect(self, config: Config, state: State, seat: Seat, chance: Chance) -> Moves:
        ahead = Ahead(config, state)
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
