"""Drive space by space, until the drive ends or the crew must decide something (GR-D)."""

from __future__ import annotations

from collections.abc import Collection, Generator
from typing import Any

from adjudicator.game import Chance, Part, Seat, Spent
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import drive_events as driven
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.components import CardId, LineKind, SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.drawing import cards_drawn
from adjudicator.games.great_race.names import path_of, space_called
from adjudicator.games.great_race.order_parts import Aid, Losing
from adjudicator.games.great_race.state import GUARDS, HELPS, Crew, Drive, Help, Loss, Pending, State, Use
from adjudicator.games.great_race.tolls import (
    FIRST,
    Short,
    Toll,
    aids_at,
    can_of,
    city_toll,
    parts_at,
    reaction_aids,
    tile_toll,
)

Moves = Generator[Any, State, Any]


def begin_drive(config: Config, state: State, seat: Seat, order: Any) -> Moves:
    """Set off as a legal ``Drive`` or ``PlayDriver`` says; ``proceed`` drives on."""
    crew = state.crew(seat)
    path = path_of(config, order)
    if order.line:
        state = yield from _board(config, state, seat, LineKind(order.line), path[0], order.transports)
    yield driven.DriveBegun(
        seat=seat, path=path, steps=crew.engine, loss=loss_of(order.losing), using=uses_of(config, order.using)
    )


def loss_of(losing: Losing | None) -> Loss | None:
    """Return the loss that an order names: which gauge loses parts first, or an exact split."""
    if losing is None:
        return None
    return FIRST[losing.first] if losing.first else Loss(most=losing.chassis)


def uses_of(config: Config, using: tuple[Aid, ...] | None) -> tuple[Use, ...] | None:
    """Return the helps that an order names."""
    if using is None:
        return None
    return tuple([Use(HELPS[aid.help], space_called(config, aid.at) if aid.at else None) for aid in using])


def fare(config: Config, kind: LineKind, here: SpaceId, there: SpaceId, cards: int) -> int:
    """Return the price of a line with so many Transport cards (GR-D5)."""
    line = config.roads.line(kind, here, there)
    assert line is not None
    return max(0, line.price - cards * config.cards[CardId.TRANSPORT].amount) if cards else line.price


def _board(config: Config, state: State, seat: Seat, kind: LineKind, city: SpaceId, cards: int) -> Moves:
    price = fare(config, kind, state.crew(seat).space, city, cards)
    for _ in range(cards):
        state = yield dealt.CardPlayed(seat=seat, card=CardId.TRANSPORT, rule="GR-D5")
    state = yield driven.LineTaken(seat=seat, by=kind, city=city, cards=cards)
    if price:
        cash = state.crew(seat).cash
        part = Part(-price, f"the {kind.value} line to {city}", "GR-D5")
        state = yield Spent(seat=seat, before=cash, after=cash - price, why=(part,))
    return state


def drive_on(config: Config, state: State, drive: Pending | None, chance: Chance) -> Moves:
    """Drive on, space by space, until the drive ends or the crew must say how to pay for a tile."""
    while isinstance(drive, Drive) and not drive.is_asked:
        state = yield from _drive_a_space(config, state, drive, chance)
        drive = state.pending


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
    aids = aids_ahead(config, crew, drive, tile)
    toll = _toll(config, crew, drive, tile, aids)
    if drive.is_fresh and must_ask(config, crew, drive, tile, toll):
        return (yield driven.PaymentAsked(seat=drive.seat))
    return (yield from turn_back(state, drive, toll) if isinstance(toll, Short) else enter(config, state, drive, toll))


def aids_ahead(config: Config, crew: Crew, drive: Drive, tile: TileId) -> frozenset[Help]:
    """Return the helps that the drive named for the space ahead; on a tile just drawn, also those of the standing answer."""
    if drive.using is not None or not drive.is_fresh:
        return aids_at(drive.using, drive.path[0])
    return reaction_aids(crew.to_tiles, parts_at(config, tile, None))


def _toll(config: Config, crew: Crew, drive: Drive, tile: TileId, aids: Collection[Help]) -> Toll | Short:
    goes_on = len(drive.path) > 1 and drive.steps > 1
    return tile_toll(config, drive.path[0], tile, crew, _loss(drive), aids, goes_on=goes_on)


def _loss(drive: Drive) -> Loss | None:
    """Return the loss that the drive named: an exact split holds only for tiles that were known (GR-D1)."""
    return None if drive.is_fresh and drive.loss is not None and drive.loss.most is not None else drive.loss


def must_ask(config: Config, crew: Crew, drive: Drive, tile: TileId, toll: Toll | Short) -> bool:
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


def enter(config: Config, state: State, drive: Drive, toll: Toll) -> Moves:
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


def turn_back(state: State, drive: Drive, short: Short) -> Moves:
    """End a drive before a tile that the crew cannot pay for, and charge nothing (GR-D3)."""
    here = state.crew(drive.seat).space
    if drive.is_fresh:
        words, rule = f"{short.why}: it goes back to {here} and pays nothing", "GR-D3"
    else:
        words, rule = f"{short.why}: it stops at {here}", short.rule
    return (yield driven.DriveEnded(seat=drive.seat, words=words, rule=rule))


def pay_as_said(config: Config, state: State, drive: Drive, order: Any) -> Moves:
    """Pay for a tile just drawn as a legal ``Pay`` says."""
    toll = said_toll(config, state, drive, order.losing, order.using)
    assert isinstance(toll, Toll)
    yield from enter(config, state, drive, toll)


def said_toll(
    config: Config, state: State, drive: Drive, losing: Losing | None, using: tuple[Aid, ...] | None
) -> Toll | Short:
    """Return the toll of the tile just drawn with this payment."""
    space, goes_on = drive.path[0], len(drive.path) > 1 and drive.steps > 1
    crew, tile, loss = state.crew(drive.seat), state.tiles[space], loss_of(losing) or _loss(drive)
    return tile_toll(config, space, tile, crew, loss, _aids_to_pay(config, crew, drive, tile, using), goes_on=goes_on)


def _aids_to_pay(config: Config, crew: Crew, drive: Drive, tile: TileId, using: tuple[Aid, ...] | None) -> frozenset[Help]:
    """Return the helps for a payment: its own, and those of the drive unless it says ``using nothing`` (GR-D3).

    An escort or a Ranger replaces the guards that the drive named.
    """
    named = frozenset([HELPS[aid.help] for aid in using or ()])
    if using == () or not config.kept_for_payment:
        return named
    ahead = aids_ahead(config, crew, drive, tile)
    return named | (ahead - GUARDS if named & GUARDS else ahead)
