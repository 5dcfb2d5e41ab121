"""Play danger cards, and let others cancel them: in seat order, asked or by a standing answer (GR-K1, GR-K4, GR-H4).

No player learns who could have reacted: the record names every seat that has not arrived, in the same words.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import combinations
from typing import Any

from adjudicator.game import Problem, Seat, change, count
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import drive_events as driven
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.components import CardId, SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.driving import give_guard
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.names import not_in_hand, space_called
from adjudicator.games.great_race.orders import Cancel, PlayCheater, PlaySaboteur, PlayTracker
from adjudicator.games.great_race.state import Crew, Help, Reaction, State, Threat

Moves = Generator[Any, State, Any]
_MOST_SUGGESTED = 8


# Playing one


def check_tracker(config: Config, state: State, seat: Seat, order: PlayTracker) -> Problem | None:
    """GR-K1, GR-H7: require a tile on a path joined with the vehicle, with no vehicle on it."""
    space, tiles = space_called(config, order.space), state.tiles
    near = trackable(config, state, seat)
    if space in near:
        return None
    if space not in tiles:
        return META.problem("no-tile-there", f"there is no tile at {space}", "GR-K1", "space", near[:_MOST_SUGGESTED])
    if space in state.occupied:
        return META.problem("vehicle-there", f"a vehicle is at {space}", "GR-H7", "space", near[:_MOST_SUGGESTED])
    message = f"no unbroken path leads from {state.crew(seat).space} to {space}"
    return META.problem("no-path", message, "GR-K1", "space", near[:_MOST_SUGGESTED])


def trackable(config: Config, state: State, seat: Seat) -> tuple[SpaceId, ...]:
    """Return the spaces whose tile a Tracker of ``seat`` may remove."""
    tiles, occupied = state.tiles, state.occupied
    reached = config.roads.connected(state.crew(seat).space, tiles)
    return tuple(space for space in reached if space in tiles and space not in occupied)


def check_cheater(config: Config, state: State, _seat: Seat, order: PlayCheater) -> Problem | None:
    """GR-K1: require two laid tiles; version 1 of the rules requires different ones."""
    tiles = state.tiles
    spaces = space_called(config, order.one), space_called(config, order.other)
    for at, space in enumerate(spaces):
        if space not in tiles:
            near = tuple(tiles)[:_MOST_SUGGESTED]
            return META.problem("no-tile-there", f"there is no tile at {space}", "GR-K1", f"space:{at}", near)
    if spaces[0] == spaces[1]:
        return META.problem("same-space", f"a Cheater swaps two tiles, and {spaces[0]} has only one", "GR-K1", "space:1")
    if tiles[spaces[0]] == tiles[spaces[1]] and not config.may_be_idle:
        return META.problem(
            "nothing-to-swap", "both tiles are of the same kind: name two different tiles", "GR-K1", "space:1"
        )
    return None


def swaps(config: Config, state: State) -> Iterator[PlayCheater]:
    """Yield every pair of tiles that a Cheater may swap."""
    for one, other in combinations(sorted(state.laid, key=lambda laid: laid.space), 2):
        if config.may_be_idle or one.tile != other.tile:
            yield PlayCheater(one.space, other.space)


def check_saboteur(config: Config, state: State, seat: Seat, order: PlaySaboteur) -> Problem | None:
    """GR-K1, GR-H7: require another player who has not arrived, and a split that adds up."""
    near = victims(config, state, seat)
    if order.target not in near:
        reason = "is in the finish city" if order.target in config.seats else "is not a seat of this game"
        if order.target == seat:
            reason = "would harm itself: a Saboteur needs another seat"
        elif order.target in config.seats and state.crew(Seat(order.target)).arrival is None:
            reason = "has no parts left to lose"
        return META.problem("no-such-target", f"{order.target} {reason}", "GR-H7", "target", near)
    if order.engine is None and order.chassis is None:
        return None
    crew = state.crew(Seat(order.target))
    engine, chassis, parts = order.engine or 0, order.chassis or 0, _stake(config, crew)
    fitting = min(parts, crew.engine)
    splits = (change(order, engine=fitting, chassis=parts - fitting).text(),)
    if engine + chassis != parts:
        message = f"{order.target} loses {count(parts, 'part')}, but engine {engine} chassis {chassis} is {engine + chassis}"
        return META.problem("does-not-add-up", message, "GR-K1", "loss", splits)
    if engine > crew.engine or chassis > crew.chassis:
        message = f"{order.target} has engine {crew.engine} and chassis {crew.chassis}"
        return META.problem("does-not-add-up", message, "GR-K1", "loss", splits)
    return None


def victims(config: Config, state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats that a Saboteur of ``seat`` can harm."""
    crews = (state.crew(other) for other in config.seats if other != seat)
    return tuple(crew.seat for crew in crews if crew.arrival is None and (crew.parts or config.may_be_idle))


def _stake(config: Config, crew: Crew) -> int:
    return min(config.cards[CardId.SABOTEUR].amount, crew.parts)


def threaten(config: Config, state: State, seat: Seat, order: Any) -> Moves:
    """Put a danger card on the table."""
    card, spaces, target, engine, chassis = CardId.SABOTEUR, tuple[SpaceId, ...](), None, 0, 0
    match order:
        case PlayTracker(space=space):
            card, spaces = CardId.TRACKER, (space_called(config, space),)
        case PlayCheater(one=one, other=other):
            card, spaces = CardId.CHEATER, (space_called(config, one), space_called(config, other))
        case PlaySaboteur():
            target = Seat(order.target)
            crew = state.crew(target)
            parts = _stake(config, crew)
            engine, chassis = order.engine or 0, order.chassis or 0
            if order.engine is None and order.chassis is None:
                engine = min(parts, crew.engine)
                chassis = parts - engine
    yield dealt.CardBegun(seat=seat, card=card, rule="GR-K1")
    if _is_idle(state, spaces, target):
        yield dealt.CardWasted(seat=seat, card=card, target=target)
    left = tuple(other for other in after(config, seat) if state.crew(other).arrival is None)
    yield driven.DangerThreatened(
        seat=seat, card=card, spaces=spaces, target=target, engine=engine, chassis=chassis, left=left
    )


def _is_idle(state: State, spaces: tuple[SpaceId, ...], target: Seat | None) -> bool:
    """Return whether a danger card changes nothing: its two tiles are alike, or its target has no parts."""
    if target is not None:
        return not state.crew(target).parts
    return len(spaces) > 1 and len({state.tiles[space] for space in spaces}) == 1


def after(config: Config, seat: Seat) -> tuple[Seat, ...]:
    """Return the other seats, from the next on."""
    at = config.seats.index(seat)
    return (*config.seats[at + 1 :], *config.seats[:at])


# Answering it


def react_on(config: Config, state: State, threat: Threat) -> Moves:
    """Ask the next seat that may cancel the card; when all have let it happen, carry it out."""
    if not threat.left:
        yield driven.DangerDone()
        yield from _effect(state, threat)
        return
    seat = threat.left[0]
    crew = state.crew(seat)
    if crew.to_cards is None and (crew.hand or crew.active.escort):
        yield driven.ReactionAsked(seat=seat)
        return
    guard = standing_guard(crew, crew.to_cards, threat)
    if guard is None:
        yield driven.DangerAccepted(seat=seat)
    else:
        yield from cancel(state, seat, guard)


def standing_guard(crew: Crew, reaction: Reaction | None, threat: Threat) -> Help | None:
    """Return the guard that a standing answer uses against ``threat``."""
    parts = threat.engine + threat.chassis if threat.target == crew.seat else 0
    if reaction is None or parts <= reaction.over:
        return None
    return next((guard for guard in reaction.helps if has_guard(crew, guard)), None)


def has_guard(crew: Crew, guard: Help) -> bool:
    """Return whether ``crew`` has an escort or a Ranger."""
    return crew.active.escort > 0 if guard is Help.ESCORT else CardId.RANGER in crew.hand


def cancel(state: State, seat: Seat, guard: Help) -> Moves:
    """Cancel the card on the table."""
    yield from give_guard(state, seat, guard, "GR-K4")
    yield driven.CardCancelled(seat=seat, guard=guard)


def _effect(state: State, threat: Threat) -> Moves:
    match threat.card:
        case CardId.TRACKER:
            space = threat.spaces[0]
            yield dealt.TileRemoved(seat=threat.seat, space=space, tile=state.tiles[space], rule="GR-K1")
        case CardId.CHEATER:
            one, other = threat.spaces
            tiles = state.tiles
            yield dealt.TilesSwapped(seat=threat.seat, one=one, other=other, one_tile=tiles[one], other_tile=tiles[other])
        case _:
            assert threat.target is not None
            yield happened.PartsLost(seat=threat.target, engine=threat.engine, chassis=threat.chassis)


def check_cancel(_config: Config, state: State, seat: Seat, order: Cancel) -> Problem | None:
    """GR-K4: require an escort or a Ranger of the seat."""
    crew = state.crew(seat)
    if has_guard(crew, Help(order.guard)):
        return None
    if order.guard == Help.ESCORT.value:
        return META.problem("no-escort", f"{seat} has no escort", "GR-A3", "guard", ("ACCEPT",))
    problem = not_in_hand(seat, CardId.RANGER, 1, 0, "guard", ())
    return META.problem("not-in-hand", problem.message, problem.rule, "guard", ("ACCEPT",))
