"""What happens without anybody's order: the set-up, the start of the race, last chances, the end (CR-S, CR-F2)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from adjudicator.core.chance import Chance
from adjudicator.games.checkpoint_rally.components import HAND_DEALT, ROTATIONS, ROW, SIDES, Cell, Rotation, TileId
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.events import (
    BorderLaid,
    Event,
    GameEnded,
    LastChanceBegun,
    MarkersStacked,
    RaceStarted,
    RowFilled,
    SeatPrepared,
    TileDealt,
    TilesDrawn,
)
from adjudicator.games.checkpoint_rally.stack import draw_tiles
from adjudicator.games.checkpoint_rally.state import Frame, Stage, State
from adjudicator.games.checkpoint_rally.turn import awaiting, next_to_act

Moves = Generator[Event, State, State]
_SIDE_NAMES: Final = dict(zip(SIDES, ("north", "east", "south", "west"), strict=True))


def proceed(config: Config, state: State, chance: Chance) -> Generator[Event, State, None]:
    """Yield what happens next without an order, or nothing; to be handed the state after each event."""
    if state.stage is Stage.DEALING:
        yield from _deal(config, state, chance)
    elif state.stage is Stage.STARTING:
        yield from _go_on_starting(config, state, chance)
    elif state.stage is Stage.RACING and state.finishers and state.acting is None:
        yield from _go_on_finishing(config, state)


def _deal(config: Config, state: State, chance: Chance) -> Moves:
    """Lay the table in the rulebook's order (CR-S1 to CR-S5)."""
    for step in (_lay_border, _deal_board, _deal_row, _deal_corners, _prepare_seats, _stack_markers):
        state = yield from step(config, state, chance)
    return state


def _lay_border(config: Config, _state: State, chance: Chance) -> Moves:
    """CR-S1: random pieces in random order, random side up."""
    left = list(config.pieces)
    frames = []
    for side in SIDES:
        where = _SIDE_NAMES[side]
        piece = chance.pick(f"the border piece in the {where}", left)
        left.remove(piece)
        face = chance.pick(f"the side up of border piece {piece}", ("front", "back"))
        frames.append(Frame(piece, "front" if face == "front" else "back"))
    north, east, south, west = frames
    return (yield BorderLaid(frames=(north, east, south, west)))


def _deal_board(config: Config, state: State, chance: Chance) -> Moves:
    """CR-S2: the edge middles, the cells between them, the centre."""
    for cell in config.dealt_cells:
        state = yield _dealt(state, chance, cell, "CR-S2")
    return state


def _deal_row(config: Config, state: State, chance: Chance) -> Moves:
    """CR-S3: three tiles face up."""
    tiles, state = yield from draw_tiles(config, state, chance, ROW, "a tile of the stack for the row")
    return (yield RowFilled(tiles=tiles, rule="CR-S3"))


def _deal_corners(config: Config, state: State, chance: Chance) -> Moves:
    """CR-S3: a tile in each corner that nobody starts from."""
    for cell in config.unused_corners:
        state = yield _dealt(state, chance, cell, "CR-S3")
    return state


def _dealt(state: State, chance: Chance, cell: Cell, rule: str) -> TileDealt:
    tile = TileId(chance.pick(f"a tile of the stack for {cell}", state.stack))
    turned = chance.pick(f"the rotation of {tile}", tuple(str(rotation) for rotation in ROTATIONS))
    rot: Rotation = next(rotation for rotation in ROTATIONS if str(rotation) == turned)
    return TileDealt(tile=tile, cell=cell, rot=rot, rule=rule)


def _prepare_seats(config: Config, state: State, chance: Chance) -> Moves:
    """CR-S4: a car (drawn among those nobody chose) and a secret card each."""
    cars = [car for car in config.cars if car not in config.chosen_cars.values()]
    cards = list(config.maps)
    for seat in config.seats:
        car = config.chosen_cars.get(seat) or chance.pick(f"the car of {seat}", cars)
        if car in cars:
            cars.remove(car)
        card = chance.pick(f"the checkpoint card of {seat}", cards)
        cards.remove(card)
        state = yield SeatPrepared(seat=seat, car=car, card=card)
    return state


def _stack_markers(config: Config, _state: State, chance: Chance) -> Moves:
    """CR-S5: the last marker drawn lies on top and plays first."""
    left = list(config.seats)
    drawn = []
    while left:
        seat = chance.pick("the next marker of the stack", left)
        left.remove(next(other for other in left if other == seat))
        drawn.append(next(other for other in config.seats if other == seat))
    return (yield MarkersStacked(seats=tuple(drawn)))


def _go_on_starting(config: Config, state: State, chance: Chance) -> Generator[Event, State, None]:
    """CR-S6: deal a hand to the next to start, or start the race."""
    if not state.starting:
        yield RaceStarted()
    elif not awaiting(config, state) or state.racer(state.starting[0]).hand:
        return
    elif awaiting(config, state)[0].seat == state.starting[0]:
        seat = state.starting[0]
        tiles, state = yield from draw_tiles(config, state, chance, HAND_DEALT, f"a tile of the stack for {seat}")
        yield TilesDrawn(seat=seat, tiles=tiles, rule="CR-S6")


def _go_on_finishing(config: Config, state: State) -> Generator[Event, State, None]:
    """CR-F2: the next last chance begins once a discard that is due is made; without one left, the game is over."""
    seat = next_to_act(state)
    if seat is None:
        winner = min(state.finishers, key=lambda racer: (racer.minutes, racer.place or 0))
        yield GameEnded(winner=winner.seat)
    elif not any(decision.kind == "discard" for decision in awaiting(config, state)):
        yield LastChanceBegun(seat=seat)
