"""The rules of Checkpoint Rally: who is asked, what is legal, what follows, who has won (CR)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from adjudicator.game import (
    Chance,
    Decision,
    Flaw,
    Moves,
    Part,
    Problem,
    Rules,
    Seat,
    Setup,
    Spent,
    Standing,
    View,
    change,
    count,
    drawing,
    suggest,
)
from adjudicator.games.checkpoint_rally import actions
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally import orders as given
from adjudicator.games.checkpoint_rally import state as states
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, Cell, Components, Config, TileId
from adjudicator.games.checkpoint_rally.deal import deal, draw_into_hand
from adjudicator.games.checkpoint_rally.facts import FACTS
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Keep, Move, Place, Refresh, Take, in_order
from adjudicator.games.checkpoint_rally.roads import is_locked_in, paths, reachable
from adjudicator.games.checkpoint_rally.state import ACTION, DISCARD, START, Position, Racer, Stage, State

_MOST_STEPS: Final = 2
_ORDERS_OF: Final[dict[str, tuple[type, ...]]] = {
    START: (Place,),
    ACTION: (Place, Move, DrawTwo, Refresh, Take),
    DISCARD: (Discard, Keep),
}


class CheckpointRally(Rules[Config, State]):
    """The rules of a race for 2 to 4 players over tiles that they lay themselves."""

    meta = META
    components, position, state, pieces = Components, Position, State, states.PIECES
    events, orders, terms, facts = happened.EVENTS, given.ORDERS, given.TERMS, FACTS
    upgrades = states.UPGRADES
    tells_rules = False
    candidates_are_legal = True

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup, version)

    def place(self, config: Config, position: Any) -> State:
        return states.normalized(config, position if isinstance(position, State) else states.place(config, position))

    def impossible(self, config: Config, state: State, position: Any) -> Iterator[Flaw]:
        if position is not None:
            yield from states.misplaced(config, position)
        yield from states.impossible(config, state)

    def decision(self, config: Config, state: State, seat: Seat) -> Decision | Problem | None:
        racer, due = state.racer(seat), state.due
        if due is None or due[0] != seat:
            return self._finished(config, state, racer)
        kind = due[1]
        if kind == START:
            return Decision(seat, kind, f"place a start tile in {config.corners[seat]}", "CR-S6")
        if kind == DISCARD:
            return Decision(seat, kind, f"discard {racer.excess} of {len(racer.hand)} tiles: DISCARD or KEEP", "CR-T2")
        when, rule = ("", "CR-T1") if state.acting is None else (" in the last chance", "CR-F2")
        return Decision(seat, kind, f"choose an action{when}: PLACE, MOVE, DRAW, REFRESH or TAKE", rule)

    def due(self, config: Config, state: State) -> tuple[Seat, ...]:
        return () if (due := state.due) is None else (due[0],)

    def position_if_due(self, config: Config, state: State, seat: Seat) -> State | None:
        racer = state.racer(seat)
        others = [other for other in state.order if other != seat]
        if state.stage is not Stage.RACING or not racer.has_chance or any(each.excess for each in state.racers):
            return None
        return change(state, order=(seat, *others), acting=None)

    def draw(self, config: Config, view: View[State]) -> drawing.Drawing:
        from adjudicator.games.checkpoint_rally import board

        return board.draw(config, view)

    def catalogue(self, components: Components) -> drawing.Drawing:
        from adjudicator.games.checkpoint_rally import board

        return board.catalogue(components)

    def is_over(self, config: Config, state: State) -> bool:
        return state.stage is Stage.OVER

    def _finished(self, config: Config, state: State, racer: Racer) -> Problem | None:
        seat = racer.seat
        if racer.place is not None:
            return META.problem("finished", f"{seat} has finished the race and takes no more turns", "CR-F1")
        if racer.chance_over and (self.is_over(config, state) or not racer.excess):
            return META.problem("chance-over", f"the last chance of {seat} is over", "CR-F2")
        return None

    def validate(self, config: Config, order: Any) -> Problem | None:
        match order:
            case Place(tile=tile, cell=cell, rot=rot):
                return _unknown_tile(config, tile) or _unknown_cell(cell, "cell") or _bad_rotation(rot)
            case Move(path=path):
                unknown = (_unknown_cell(cell, f"cell:{number}") for number, cell in enumerate(path))
                return next(filter(None, unknown), None) or _bad_length(path)
            case Take(tile=tile):
                return _unknown_tile(config, tile)
            case Discard(tiles=tiles) | Keep(tiles=tiles):
                wrong = (tile for tile in tiles if tile not in config.rank or tiles.count(tile) > 1)
                return next((_unknown_or_twice(config, tile) for tile in wrong), None)
        return None

    def check(self, config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
        racer, due = state.racer(seat), state.due
        kind = due[1] if due is not None and due[0] == seat else ""
        if not kind or not isinstance(order, _ORDERS_OF[kind]):
            return self._not_asked(config, state, racer, kind)
        match order:
            case Place():
                check = _check_start if kind == START else _check_place
                return check(config, state, racer, order)
            case Move():
                return _check_move(config, state, racer, order)
            case Take():
                return _check_take(state, racer, order)
            case Discard(tiles=tiles):
                return _check_tiles(racer, tiles, racer.excess, f"discard {count(racer.excess, 'tile')}")
            case Keep(tiles=tiles):
                return _check_tiles(racer, tiles, parts.HAND_LIMIT, f"keep exactly {count(parts.HAND_LIMIT, 'tile')}")
        return None

    def _not_asked(self, config: Config, state: State, racer: Racer, kind: str) -> Problem:
        """Return the refusal of an order that the seat is not asked for, with what it is asked instead."""
        hand, corner = racer.hand, config.corners[racer.seat]
        if kind == START:
            message = f"place the start tile first, in the corner {corner}"
            return META.problem("start-first", message, "CR-S6", suggestions=(f"PLACE {hand[0]} at {corner} rot 0",))
        if kind == DISCARD:
            tiles, keep = count(racer.excess, "tile"), f"KEEP {' '.join(hand[: parts.HAND_LIMIT])}"
            message = f"discard {tiles} first: the hand holds {' '.join(hand)}, {parts.HAND_LIMIT} may stay"
            return META.problem("discard-first", message, "CR-T2", suggestions=(keep,))
        if kind == ACTION:
            message = f"there is nothing to discard: the hand holds {count(len(hand), 'tile')}, {parts.HAND_LIMIT} may stay"
            return META.problem("no-discard-due", message, "CR-T2")
        return self.not_due(config, state, racer.seat, "not-your-turn", "CR-T1")

    def candidates(self, config: Config, state: State, seat: Seat) -> Iterator[Any]:
        racer, due = state.racer(seat), state.due
        if due == (seat, START):
            yield from (Place(tile, config.corners[seat], rot) for tile in racer.hand for rot in parts.ROTATIONS)
        elif due == (seat, DISCARD):
            yield from (Discard(in_order(tiles)) for tiles in combinations(racer.hand, racer.excess))
            yield from (Keep(in_order(tiles)) for tiles in combinations(racer.hand, parts.HAND_LIMIT))
        elif due == (seat, ACTION):
            yield from _places(state, racer)
            yield from map(Move, paths(config, state, racer.cell or config.corners[seat]))
            yield from (DrawTwo(), Refresh())
            yield from (Take(tile) for tile in state.row if racer.gps)

    def cost(self, config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        return actions.why(config, state, seat, order)

    def decide(self, config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves[State]:
        return actions.carried_out(config, state, seat, order, chance)

    def proceed(self, config: Config, state: State, chance: Chance) -> Moves[State]:
        if not state.order:
            yield from deal(config, state, chance)
        elif state.stage is Stage.STARTING:
            # CR-S6: each gets a hand when it is due, and completes its start before the next.
            first = next(iter(state.starting), None)
            if first is None:
                yield happened.RaceStarted()
            elif state.due == (first, START) and not state.racer(first).hand:
                yield from draw_into_hand(config, state, chance, first, parts.HAND_DEALT, "CR-S6")
        elif state.stage is Stage.RACING and state.acting is None and any(racer.place for racer in state.racers):
            # CR-F2: the next last chance begins once a discard that is due is made; without one left, the game is over.
            seat = state.next_to_act
            if seat is None:
                winner = min(state.finishers, key=lambda racer: (racer.minutes, racer.place))
                yield happened.GameEnded(winner=winner.seat)
            elif state.due == (seat, ACTION):
                yield happened.LastChanceBegun(seat=seat)

    def spent(self, config: Config, state: State, event: Spent) -> State:
        if event.before == event.after:
            return state  # An action of 0 minutes leaves the marker where it is (CR-T1).
        # A marker that arrives lies on top of its stack: it is due before all that are there.
        others = [other for other in state.order if other != event.seat]
        at = bisect_left(others, event.after, key=lambda other: state.racer(other).minutes)
        order = (*others[:at], event.seat, *others[at:])
        return state.with_racer(event.seat, {"order": order}, minutes=event.after)

    def public_text(self, config: Config, state: State, seat: Seat, order: Any) -> str | None:
        # KEEP would tell what stays in the hand.
        return Discard(in_order(actions.discarded(config, state.racer(seat), order))).text() if type(order) is Keep else None

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        is_over = self.is_over(config, state)
        return Standing.ranking(
            state.racers,
            key=lambda racer: racer.rank,
            score=lambda racer: racer.minutes,
            note=lambda racer: racer.note(is_over=is_over),
            is_final=is_over,
        )

    def warnings(self, config: Config, state: State) -> Iterator[str]:
        """Warn of each car whose tile has no exit onto the board: it is locked in for good (CR-S6, CR-P1)."""
        for racer in state.racers:
            if racer.cell is not None and is_locked_in(config, state, racer.cell):
                where = f"no road leaves {racer.cell} onto the board"
                yield f"{racer.seat}: {where}, and a tile under a car stays: it is locked in (CR-S6)"


def _places(state: State, racer: Racer) -> Iterator[Place]:
    cars = {other.cell for other in state.racers}
    for tile in racer.hand:
        for cell, laid in zip(CELLS, state.board, strict=True):
            if cell in cars:
                continue
            yield from (Place(tile, cell, rot) for rot in parts.ROTATIONS)
            if laid is not None and racer.gps:
                yield from (Place(tile, cell, rot, gps=True) for rot in parts.ROTATIONS)


# What no position can change ----------------------------------------------------------------------------------------


def _unknown_tile(config: Config, tile: TileId, part: str = "") -> Problem | None:
    return META.unknown("tile", tile, config.rank, "CR-C2", part)


def _unknown_cell(cell: Cell, part: str) -> Problem | None:
    if cell in INDEX:
        return None
    return META.problem("unknown-cell", f"{cell} is not on the board (A1 to E5)", "CR-C1", part, suggest(cell, CELLS))


def _bad_rotation(rot: int) -> Problem | None:
    if rot in parts.ROTATIONS:
        return None
    message = f"a tile is turned by 0, 90, 180 or 270 degrees clockwise, not {rot}"
    # 27 is more likely 270 with a digit lost than anything else.
    near = suggest(str(rot), map(str, parts.ROTATIONS)) or map(str, parts.ROTATIONS)
    return META.problem("bad-rotation", message, "CR-C2", "turned", tuple(f"rot {rotation}" for rotation in near))


def _bad_length(path: tuple[Cell, ...]) -> Problem | None:
    if 1 <= len(path) <= _MOST_STEPS:
        return None
    message, short = f"a move is one or two steps, not {len(path)}", f"MOVE {' '.join(path[:_MOST_STEPS])}"
    return META.problem("three-steps", message, "CR-M1", f"cell:{_MOST_STEPS}", (short,))


def _unknown_or_twice(config: Config, tile: TileId) -> Problem:
    part = f"tile={tile}"
    return _unknown_tile(config, tile, part) or META.problem("tile-twice", f"{tile} is named twice", "CR-T2", part)


# What depends on the position ---------------------------------------------------------------------------------------


def _check_start(config: Config, _state: State, racer: Racer, order: Place) -> Problem | None:
    """CR-S6: one of the four tiles drawn, in the own corner, which is empty."""
    corner = config.corners[racer.seat]
    if order.cell != corner:
        message = f"the start tile goes into the seat's own corner, {corner}"
        return META.problem("not-your-corner", message, "CR-S6", "cell", (corner,))
    if order.gps:
        return META.problem("nothing-to-keep", "no tile is replaced at the start", "CR-P5", "gps")
    return _not_in_hand(racer, order.tile, "tile", "CR-P1")


def _check_place(_config: Config, state: State, racer: Racer, order: Place) -> Problem | None:
    """CR-P1: a tile of the hand, on an empty cell or over a tile without a car; CR-P5 for the replaced tile."""
    problem = _not_in_hand(racer, order.tile, "tile", "CR-P1")
    if problem is not None:
        return problem
    cars = [other.seat for other in state.racers if other.cell == order.cell]
    if cars:
        message = f"{order.cell} carries the car of {' and '.join(cars)}: a tile under a car stays"
        return META.problem("car-on-cell", message, "CR-P1", "cell")
    if not order.gps:
        return None
    if state.at(order.cell) is None:
        message = f"{order.cell} is empty: there is no tile to keep with a GPS update"
        return META.problem("nothing-to-keep", message, "CR-P5", "gps")
    return _no_gps(racer, "gps")


def _check_move(config: Config, state: State, racer: Racer, order: Move) -> Problem | None:
    """CR-M1: each step to a neighbouring tile, by a road that both tiles have on the shared side."""
    here = racer.cell or config.corners[racer.seat]  # Who is asked for an action has a car on the board.
    for number, cell in enumerate(order.path):
        ways = tuple(reachable(config, state, here))
        if cell not in ways:
            code, message = "no-road", f"no road leads from {here} to {cell}: both tiles need an exit there"
            if INDEX[cell] not in parts.NEIGHBOURS[INDEX[here]]:
                code, message = "not-adjacent", f"{cell} does not touch {here}"
            elif state.at(cell) is None:
                code, message = "no-tile", f"no tile lies on {cell}"
            return META.problem(code, message, "CR-M1", f"cell:{number}", ways)
        here = cell
    return None


def _check_take(state: State, racer: Racer, order: Take) -> Problem | None:
    """CR-G1: a tile of the row, for a GPS update."""
    if order.tile not in state.row:
        message = f"{order.tile} is not in the row, which {_holding(state.row)}"
        return META.problem("not-in-row", message, "CR-G1", "tile", state.row)
    return _no_gps(racer, "tile")


def _check_tiles(racer: Racer, tiles: tuple[TileId, ...], due: int, must: str) -> Problem | None:
    """CR-T2: the tiles over the hand limit go, exactly the hand limit stays."""
    problem = next((_not_in_hand(racer, tile, f"tile={tile}", "CR-T2") for tile in tiles if tile not in racer.hand), None)
    if problem is not None or len(tiles) == due:
        return problem
    return META.problem("wrong-count", f"{must}, not {len(tiles)}: the hand holds {' '.join(racer.hand)}", "CR-T2")


def _not_in_hand(racer: Racer, tile: TileId, part: str, rule: str) -> Problem | None:
    if tile in racer.hand:
        return None
    message = f"{tile} is not in the hand, which {_holding(racer.hand)}"
    return META.problem("not-in-hand", message, rule, part, suggest(tile, racer.hand))


def _holding(tiles: tuple[TileId, ...]) -> str:
    return f"holds {' '.join(tiles)}" if tiles else "is empty"


def _no_gps(racer: Racer, part: str) -> Problem | None:
    return None if racer.gps else META.problem("gps-spent", "both GPS updates are spent", "CR-C6", part)


RULESET: Final = CheckpointRally()
