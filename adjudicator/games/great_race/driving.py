"""Drive space by space, until the drive ends or the crew must decide how to pay for a tile (GR-D)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Any

from adjudicator.game import Chance, Problem, Seat, change, order
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import drive_events as driven
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import RaceOrder, cards_drawn, check_held, check_uses, space_called
from adjudicator.games.great_race.state import GUARDS, Crew, Drive, Help, Loss, Moves, State, Use
from adjudicator.games.great_race.terms import Losing, losing_of, using_words
from adjudicator.games.great_race.tolls import FIRST, Short, Toll, aids_at, can_of, city_toll, tile_toll

# The helps on the way


def check_help(state: State, crew: Crew, help_: Help) -> Problem | None:
    """GR-K2, GR-K3, GR-A3: require that ``crew`` has that help."""
    if help_ is Help.ESCORT and not crew.active.escort:
        return META.problem("no-escort", f"{crew.seat} has no escort", "GR-A3", "using")
    return None if crew.has(help_) else check_held(state, crew.seat, help_.value, 1, "using")


def choices_of_help(crew: Crew) -> Iterator[tuple[Use, ...]]:
    """Yield each choice of the helps that ``crew`` has, at least one."""
    helps = [Use(one) for one in Help if crew.has(one)]
    for many in range(1, len(helps) + 1):
        yield from combinations(helps, many)


def loss_of(losing: Losing | None) -> Loss | None:
    """Return the loss that an order names: which gauge loses parts first, or an exact split."""
    if losing is None:
        return None
    return FIRST[losing.first] if losing.first else Loss(most=losing.chassis)


def uses_of(config: Config, using: tuple[Use, ...] | None) -> tuple[Use, ...] | None:
    """Return the helps that an order names."""
    if using is None:
        return None
    return tuple([change(use, at=space_called(config, use.at)) if use.at else use for use in using])


# Space by space


def drive_on(config: Config, state: State, chance: Chance) -> Moves:
    """Drive on, space by space, until the drive ends or the crew must say how to pay for a tile."""
    while isinstance(drive := state.pending, Drive) and not drive.is_asked:
        state = yield from _drive_a_space(config, state, drive, chance)


def _drive_a_space(config: Config, state: State, drive: Drive, chance: Chance) -> Moves:
    """Drive to the next space, lay a tile there, ask how it is paid, or end the drive."""
    seat = drive.seat
    crew = state.crew(seat)
    if crew.engine == 0:
        return (yield driven.DriveEnded(seat=seat, words="has broken down and must be repaired", rule="GR-D6"))
    if not drive.path or not drive.steps:
        return (yield driven.DriveEnded(seat=seat, words="", rule="GR-D1"))
    space = drive.path[0]
    if config.roads.is_city(space):
        return (yield from _enter_city(config, state, drive, crew, chance))
    tile = state.tiles.get(space)
    if tile is not None:
        return (yield from _enter_tile(config, state, drive, crew, tile))
    bag = state.bag(config)
    if not bag:
        return (yield driven.DriveEnded(seat=seat, words=f"stops: no tile is left for {space}", rule="GR-H9"))
    drawn = TileId(chance.pick(f"the tile at {space}", bag))
    return (yield driven.BlindTileLaid(seat=seat, space=space, tile=drawn))


def _enter_city(config: Config, state: State, drive: Drive, crew: Crew, chance: Chance) -> Moves:
    seat, space = drive.seat, drive.path[0]
    toll = city_toll(config, crew, aids_at(drive.using, space))
    if isinstance(toll, Short):
        return (yield driven.DriveEnded(seat=seat, words=f"stops: it {toll.why}", rule=toll.rule))
    state = yield from _pay(config, state, seat, space, toll, "GR-D4")
    if space == config.roads.finish:
        state = yield driven.DriveEnded(seat=seat, words="", rule="GR-D4")
        return (yield driven.SeatArrived(seat=seat, place=state.arrived + 1, cards=state.crew(seat).hand))
    yield from cards_drawn(config, state, seat, config.roads.spaces[space].cards, chance, "GR-D4")
    return (yield driven.DriveEnded(seat=seat, words="", rule="GR-D4"))


def _enter_tile(config: Config, state: State, drive: Drive, crew: Crew, tile: TileId) -> Moves:
    aids = _aids_ahead(config, crew, drive, tile)
    toll = _toll(config, crew, drive, tile, _loss(drive), aids)
    if drive.is_fresh and _must_ask(config, crew, drive, tile, toll):
        return (yield driven.PaymentAsked(seat=drive.seat))
    return (yield from _turn_back(state, drive, toll) if isinstance(toll, Short) else _enter(config, state, drive, toll))


def _aids_ahead(config: Config, crew: Crew, drive: Drive, tile: TileId) -> frozenset[Help]:
    """Return the helps that the drive named for the space ahead; on a tile just drawn, also those of the standing answer."""
    if drive.using is not None or not drive.is_fresh:
        return aids_at(drive.using, drive.path[0])
    return frozenset(crew.to_tiles.against(config.tile_parts(tile)) if crew.to_tiles else ())


def _toll(config: Config, crew: Crew, drive: Drive, tile: TileId, loss: Loss | None, aids: Collection[Help]) -> Toll | Short:
    return tile_toll(config, drive.path[0], tile, crew, loss, aids, goes_on=len(drive.path) > 1 and drive.steps > 1)


def _loss(drive: Drive) -> Loss | None:
    """Return the loss that the drive named: an exact split holds only for tiles that were known (GR-D1)."""
    return None if drive.is_fresh and drive.loss is not None and drive.loss.most is not None else drive.loss


def _must_ask(config: Config, crew: Crew, drive: Drive, tile: TileId, toll: Toll | Short) -> bool:
    """Return whether the crew must say how to pay for ``tile``, just drawn: it matters, and the drive named nothing.

    Others must not learn whether a hand could help, so the program asks wherever there is a hand.
    """
    kind = config.tiles[tile]
    if drive.using is None:
        has_cards, has_help = bool(crew.hand), bool(crew.hand) or crew.active.escort > 0
        if kind.danger and crew.to_tiles is None and has_help:
            return True
        if isinstance(toll, Short) and has_help:
            return True
        if kind.stop and len(drive.path) > 1 and drive.steps > 1 and has_cards:
            return True
    if isinstance(toll, Short) or _loss(drive) is not None:
        return False
    parts = toll.engine + toll.chassis
    return max(0, parts - crew.engine) < min(parts, crew.chassis)


def _enter(config: Config, state: State, drive: Drive, toll: Toll) -> Moves:
    """Pay ``toll`` for the tile ahead, drive there, and end the drive where the tile stops it."""
    seat, space = drive.seat, drive.path[0]
    state = yield from _pay(config, state, seat, space, toll, "GR-D1")
    if toll.has_caravan:
        return (yield dealt.CardPlayed(seat=seat, card=CardId.CARAVAN, rule="GR-D2"))
    if toll.stops and state.crew(seat).engine:
        return (yield driven.DriveEnded(seat=seat, words=f"stops at {space}", rule="GR-D2"))
    return state


def _pay(config: Config, state: State, seat: Seat, space: SpaceId, toll: Toll, rule: str) -> Moves:
    for _ in range(toll.cans):
        state = yield from pour_can(config, state, seat)
    if toll.guard is not None:
        state = yield from give_guard(state, seat, toll.guard, "GR-D2")
        state = yield driven.DangerCancelled(seat=seat, space=space, guard=toll.guard)
    return (
        yield driven.SpaceEntered(
            seat=seat, space=space, fuel=toll.fuel, engine=toll.engine, chassis=toll.chassis, rule=rule
        )
    )


def pour_can(config: Config, state: State, seat: Seat) -> Moves:
    """Play a jerrycan (GR-K3)."""
    state = yield dealt.CardPlayed(seat=seat, card=CardId.JERRYCAN, rule="GR-K3")
    return (yield from gain_fuel(config, state, seat, can_of(config), "GR-K3"))


def gain_fuel(config: Config, state: State, seat: Seat, levels: int, rule: str) -> Moves:
    """Fill in ``levels`` of fuel; levels that do not fit are lost (GR-S2)."""
    fuel = state.crew(seat).fuel
    full = min(fuel + levels, config.components.gauges.fuel)
    return (yield happened.FuelGained(seat=seat, levels=full - fuel, fuel=full, rule=rule))


def give_guard(state: State, seat: Seat, guard: Help, rule: str) -> Moves:
    """Give up an escort or a Ranger."""
    if guard is Help.ESCORT:
        return (yield happened.EscortGiven(seat=seat, rule=rule))
    return (yield dealt.CardPlayed(seat=seat, card=CardId.RANGER, rule=rule))


def _turn_back(state: State, drive: Drive, short: Short) -> Moves:
    """End a drive before a tile that the crew cannot pay for, and charge nothing (GR-D3)."""
    here = state.crew(drive.seat).space
    if drive.is_fresh:
        words, rule = f"{short.why}: it goes back to {here} and pays nothing", "GR-D3"
    else:
        words, rule = f"{short.why}: it stops at {here}", short.rule
    return (yield driven.DriveEnded(seat=drive.seat, words=words, rule=rule))


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

    def validate(self, config: Config) -> Problem | None:
        return check_uses(config, self.using)

    def check(self, config: Config, state: State, seat: Seat) -> Problem | None:
        """GR-H3: require that the crew can pay for the tile this way, and that the split adds up."""
        crew, drive = state.crew(seat), state.pending_as(Drive)
        for use in self.using or ():
            problem = check_help(state, crew, use.help)
            if problem is not None:
                return problem
            if use.at and use.at != drive.path[0]:
                return META.problem("not-on-the-way", f"now pay for {drive.path[0]}", "GR-D2", "using")
        toll = _said_toll(config, state, self.losing, self.using)
        if isinstance(toll, Short):
            return toll.problem(seat, "", ("BACK",))
        exact = self.losing
        if exact is None or exact.first or (exact.engine, exact.chassis) == (toll.engine, toll.chassis):
            return None
        split = f"engine {exact.engine} chassis {exact.chassis}"
        message = f"the tile costs {toll.engine + toll.chassis} parts, and {split} cannot pay that"
        fitting = Pay(Losing("", toll.engine, toll.chassis), self.using).text()
        return META.problem("does-not-add-up", message, "GR-D1", "loss", (fitting,))

    @classmethod
    def offers(cls, config: Config, state: State, crew: Crew) -> Iterator[Any]:
        yield cls()
        drive = state.pending_as(Drive)
        if config.kept_for_payment and _aids_ahead(config, crew, drive, state.tiles[drive.path[0]]):
            yield cls(None, ())
        for aids in choices_of_help(crew):
            yield cls(None, aids)

    def decide(self, config: Config, state: State, seat: Seat, chance: Chance) -> Moves:
        toll = _said_toll(config, state, self.losing, self.using)
        assert isinstance(toll, Toll)
        yield from _enter(config, state, state.pending_as(Drive), toll)


@order("BACK")
class Back(RaceOrder):
    """Go back to where the vehicle came from, and pay nothing."""

    def check(self, config: Config, state: State, seat: Seat) -> Problem | None:
        """GR-H3: require payment if the crew can pay without help."""
        if isinstance(_said_toll(config, state, None, ()), Short):
            return None
        message = f"the vehicle can pay for {state.pending_as(Drive).path[0]} without help, so it must pay"
        return META.problem("must-pay", message, "GR-H3", suggestions=("PAY",))

    def decide(self, config: Config, state: State, seat: Seat, chance: Chance) -> Moves:
        short = _said_toll(config, state, None, ())
        assert isinstance(short, Short)
        yield from _turn_back(state, state.pending_as(Drive), short)


def _said_toll(config: Config, state: State, losing: Losing | None, using: tuple[Use, ...] | None) -> Toll | Short:
    """Return the toll of the tile just drawn with this payment."""
    drive = state.pending_as(Drive)
    crew, tile = state.crew(drive.seat), state.tiles[drive.path[0]]
    aids = _aids_to_pay(config, crew, drive, tile, using)
    return _toll(config, crew, drive, tile, loss_of(losing) or _loss(drive), aids)


def _aids_to_pay(config: Config, crew: Crew, drive: Drive, tile: TileId, using: tuple[Use, ...] | None) -> frozenset[Help]:
    """Return the helps for a payment: its own, and those of the drive unless it says ``using nothing`` (GR-D3).

    An escort or a Ranger replaces the guards that the drive named.
    """
    named = frozenset([use.help for use in using or ()])
    if using == () or not config.kept_for_payment:
        return named
    ahead = _aids_ahead(config, crew, drive, tile)
    return named | (ahead - GUARDS if named & GUARDS else ahead)
