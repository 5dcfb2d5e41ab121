"""The order of play: the set-up, whom each phase asks what, and what follows (CR-S, CR-T1, CR-T2)."""

from __future__ import annotations

from typing import Any, Final, cast

from adjudicator.game import Ask, Chance, Event, Moves, Name, Phase, Public, Seat, Secret, at_stage, count, replace
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally import last_chance
from adjudicator.games.checkpoint_rally.components import HAND_DEALT, HAND_LIMIT, Cell, Config, Frame, Laid, Rotation, TileId
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.orders import (
    Discard,
    DrawTwo,
    Keep,
    Move,
    Place,
    Refresh,
    Take,
    draw_into_hand,
    fill_row,
)
from adjudicator.games.checkpoint_rally.state import Here, Stage, State


class BorderLaid(Event):
    """The border pieces lie around the board: north, east, south, west."""

    sets = {"border": "frames"}
    frames: Public[tuple[Frame, Frame, Frame, Frame]]
    rule: Name = "CR-S1"

    def tell(self, config: Config) -> str:
        sides = zip(parts.SIDE_NAMES, self.frames, strict=True)
        return "border: " + ", ".join(f"{side} {frame.piece} ({frame.face})" for side, frame in sides)


class TileDealt(Event):
    """A tile of the stack was laid on the board at the set-up."""

    says = "{tile} is dealt to {cell}, turned {rot}°"
    tile: Public[TileId]
    cell: Public[Cell]
    rot: Public[Rotation]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return replace(state, board=state.with_tile(self.cell, Laid(self.tile, self.rot)))


class SeatPrepared(Event):
    """A seat got its car and its secret checkpoint card."""

    sets = {"own.car": "car", "own.card": "card"}
    seat: Public[Seat]
    car: Public[Name]
    card: Secret[Name | None]
    rule: Name = "CR-S4"

    def tell(self, config: Config) -> str:
        car = config.cars[self.car]
        cost = f"highway {car.highway}, gravel {car.gravel}, urban {car.urban}"
        card = f"; checkpoints {' '.join(config.maps[self.card])} (card {self.card})" if self.card else ""
        return f"{self.seat} starts in {config.corners[self.seat]} and drives the {car.name} ({cost}){card}"


class MarkersStacked(Event):
    """The markers were drawn onto the 30-minute mark: ``seats`` from the bottom to the top of the stack."""

    seats: Public[tuple[Seat, ...]]
    rule: Name = "CR-S5"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, order=tuple(reversed(self.seats)))

    def tell(self, config: Config) -> str:
        return f"order of play: {' '.join(reversed(self.seats))}"


def _deal(at: Here, chance: Chance) -> Moves:
    """Lay the table in the rulebook's order (CR-S1 to CR-S5)."""
    config = at.config

    def picked(purpose: str, among: list[Any]) -> Any:
        one = chance.pick(purpose, among)
        among.remove(one)
        return one

    def dealt(cell: Cell, rule: str) -> TileDealt:
        tile = TileId(chance.pick(f"a tile of the stack for {cell}", at.state.stack(config)))
        rot = int(chance.pick(f"the rotation of {tile}", tuple(map(str, parts.ROTATIONS))))
        return TileDealt(tile=tile, cell=cell, rot=cast("Rotation", rot), rule=rule)

    pieces, frames = list(config.pieces), list[Any]()
    for side in parts.SIDE_NAMES:
        piece = picked(f"the border piece in the {side}", pieces)
        face = chance.pick(f"the side up of border piece {piece}", ("front", "back"))
        frames.append(Frame(piece, "front" if face == "front" else "back"))
    at = yield BorderLaid(frames=cast("Any", tuple(frames)))
    for cell in (*parts.EDGE_MIDDLES, *config.layout, parts.CENTRE):
        at = yield dealt(cell, "CR-S2")
    at = yield from fill_row(at, chance, parts.ROW, "CR-S3")
    for cell in parts.CORNERS:
        if cell not in config.corners.values():
            at = yield dealt(cell, "CR-S3")
    # CR-S4: a car, drawn among those that nobody has chosen, and a secret card for each.
    cars, cards = [car for car in config.cars if car not in config.chosen_cars.values()], list(config.maps)
    for seat in config.seats:
        car = config.chosen_cars.get(seat) or picked(f"the car of {seat}", cars)
        yield SeatPrepared(seat=seat, car=car, card=picked(f"the checkpoint card of {seat}", cards))
    # CR-S5: the last marker drawn lies on top and plays first.
    markers = list(config.seats)
    stacked = tuple(picked("the next marker of the stack", markers) for _ in config.seats)
    return (yield MarkersStacked(seats=stacked))


class RaceStarted(Event):
    """All start tiles lie: the race is on."""

    says = "all start tiles lie: the race is on"
    becomes = {"stage": Stage.RACING}
    rule: Name = "CR-T1"


def _start_race(_at: Here, _chance: Chance) -> Moves:
    return (yield RaceStarted())


START: Final = Ask(
    "start",
    "CR-S6",
    lambda at: f"place a start tile in {at.config.corners[at.seat]}",
    (Place,),
    lambda at: META.problem(
        "start-first",
        f"place the start tile first, in the corner {at.config.corners[at.seat]}",
        "CR-S6",
        near=(f"PLACE {at.own.hand[0]} at {at.config.corners[at.seat]} rot 0",),
    ),
)
ACTION: Final = Ask(
    "action",
    "CR-T1",
    "choose an action: PLACE, MOVE, DRAW, REFRESH or TAKE",
    (Place, Move, DrawTwo, Refresh, Take),
    lambda at: META.problem(
        "no-discard-due",
        f"there is nothing to discard: the hand holds {count(len(at.own.hand), 'tile')}, {HAND_LIMIT} may stay",
        "CR-T2",
    ),
)
DISCARD: Final = Ask(
    "discard",
    "CR-T2",
    lambda at: f"discard {at.own.excess} of {len(at.own.hand)} tiles: DISCARD or KEEP",
    (Discard, Keep),
    lambda at: META.problem(
        "discard-first",
        f"discard {count(at.own.excess, 'tile')} first: the hand holds {' '.join(at.own.hand)}, {HAND_LIMIT} may stay",
        "CR-T2",
        near=(f"KEEP {' '.join(at.own.hand[:HAND_LIMIT])}",),
    ),
)


def _overfull(at: Here) -> list[Seat]:
    """Return the seats with too many tiles and the car on the board (CR-T2)."""
    return [racer.seat for racer in at.state.racers if len(racer.hand) > HAND_LIMIT and racer.cell is not None]


PHASES: Final = (
    Phase("CR-F3", at_stage(Stage.OVER)),
    Phase("CR-S1", lambda at: not at.state.order, follow=_deal),
    Phase("CR-S6", lambda at: at.state.stage is Stage.STARTING and not at.state.starting, follow=_start_race),
    last_chance.END,
    Phase("CR-T2", _overfull, lambda at: DISCARD.to(_overfull(at)[0])),
    Phase(  # each seat has a hand dealt, then is asked: it completes its start before the next
        "CR-S6",
        at_stage(Stage.STARTING),
        lambda at: START.to(*[seat for seat in at.state.starting[:1] if at.of(seat).hand]),
        lambda at, chance: draw_into_hand(at, chance, at.state.starting[0], HAND_DEALT, "CR-S6"),
    ),
    last_chance.BEGIN,
    last_chance.asks(ACTION),
    Phase("CR-T1", at_stage(Stage.RACING), lambda at: ACTION.to(at.state.next_to_act)),
)
