"""The rules of Checkpoint Rally, the facts for conditions, and who has won (CR). ``phases.py`` has the order of play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from adjudicator.game import (
    MODERATOR,
    Fact,
    FactValue,
    Flaw,
    Problem,
    Rules,
    Seat,
    Seen,
    Setup,
    Standing,
    View,
    count,
    events_of,
    ordinal,
    replace,
)
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally import last_chance, positions
from adjudicator.games.checkpoint_rally import orders as turn
from adjudicator.games.checkpoint_rally import phases as order_of_play
from adjudicator.games.checkpoint_rally.components import INDEX, NEIGHBOURS, Cell, Components, Config
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.orders import TERMS, Discard, Keep
from adjudicator.games.checkpoint_rally.phases import ACTION, DISCARD, PHASES
from adjudicator.games.checkpoint_rally.state import PIECES, STACK, Here, Racer, Stage, State

if TYPE_CHECKING:
    from adjudicator.game import advice, drawing


def _hand(at: View[Config, State, Racer], argument: str) -> FactValue:
    seat = argument.lower() or at.seat
    if seat not in at.config.seats:
        return None
    hand = at.of(seat).hand
    return hand if at.seat in (seat, MODERATOR) else len(hand)


_FACTS: Final = {
    "minutes": Fact.of_seat("minutes spent; `minutes of SEAT` for another seat", "minutes"),
    "dial": Fact.of_seat("the minute the marker shows, 1 to 30; `dial of SEAT`", "dial"),
    "hand": Fact("the tiles of your hand, or how many; `hand of SEAT`: how many", _hand, "seat"),
    "row": Fact.of_game("the tiles of the row, or how many", lambda at: at.state.row),
    "stack": Fact.of_game("tiles left in the stack", lambda at: STACK.many_left(at.config, at.state)),
    "discards": Fact.of_game("the tiles of the discard pile, or how many", lambda at: at.state.discard),
    "gps": Fact.of_seat("GPS updates left; `gps of SEAT`", "gps"),
    "checkpoints": Fact.of_seat("the checkpoints marked, or how many; `checkpoints of SEAT`", "marked"),
    "left": Fact.of_seat("your checkpoints not marked yet, or how many", lambda at: at.own.left(at.config)),
    "car": Fact.of_seat("the cell of the car; `car of SEAT`", "cell"),
    "tile": Fact(
        "`tile at CELL`: the tile on that cell",
        lambda at, cell: (
            laid.tile
            if (index := INDEX.get(Cell(cell.upper()))) is not None and (laid := at.state.board[index]) is not None
            else None
        ),
        "place",
    ),
}


class CheckpointRally(Rules[Config, State]):
    """The rules of a race for 2 to 4 players over tiles that they lay themselves."""

    meta = META
    components, position, state, pieces = Components, positions.Position, State, PIECES
    events = events_of(*(module.__name__ for module in (order_of_play, turn, last_chance)))
    orders, terms, facts = (*ACTION.orders, *DISCARD.orders), TERMS, _FACTS
    not_due = "not-your-turn", "CR-T1"
    phases, tells_rules, candidates_are_legal = PHASES, False, True

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup, version)

    def place(self, position: Any) -> State:
        return positions.place(self.config, super().place(position), position)

    def impossible(self, state: State, position: Any) -> Iterator[Flaw]:
        return positions.impossible(self.config, state, position)

    def retired(self, state: State, seat: Seat) -> Problem | None:
        racer = state.of(seat)
        if self.is_due(state, seat):
            return None
        if racer.place is not None:
            return META.problem("finished", f"{seat} has finished the race and takes no more turns", "CR-F1")
        if racer.chance_over and (self.is_over(state) or not racer.excess):
            return last_chance.over(seat)
        return None

    def position_if_due(self, state: State, seat: Seat) -> State | None:
        racer = state.of(seat)
        if state.stage is not Stage.RACING or not racer.has_chance or any(each.excess for each in state.racers):
            return None
        others = [other for other in state.order if other != seat]
        # It acts in its last chance once a car has finished.
        return replace(state, order=(seat, *others), acting=seat if state.finishers else None)

    def draw(self, view: View[Config, State, Racer]) -> drawing.Drawing:
        from adjudicator.games.checkpoint_rally import picture

        return picture.draw(view)

    @classmethod
    def catalogue(cls, components: Components) -> drawing.Drawing:
        from adjudicator.games.checkpoint_rally import picture

        return picture.catalogue(components)

    def suppose(self, view: View[Config, State, Racer], known: Seen, luck: advice.Luck) -> State:
        return positions.with_cards(self.config, super().suppose(view, known, luck), known, luck)

    def is_over(self, state: State) -> bool:
        return state.stage is Stage.OVER

    def public_text(self, at: Here, order: Any) -> str | None:
        # KEEP would tell what stays in the hand.
        is_kept = isinstance(order, Keep)
        return Discard.read([*order.gone(at)]).text() if is_kept else None

    def standings(self, state: State) -> tuple[Standing, ...]:
        is_over = self.is_over(state)

        def note(racer: Racer) -> str:
            """Describe its public progress, without the number of checkpoints on a secret card."""
            if racer.place is not None:
                return f"finished {ordinal(racer.place)}"
            return f"{'not classified, ' if is_over else ''}{count(len(racer.marked), 'checkpoint')}"

        return Standing.ranking(
            state.racers, key=lambda racer: racer.rank, score=lambda racer: racer.minutes, note=note, is_final=is_over
        )

    def warnings(self, state: State) -> Iterator[str]:
        """Warn of each car whose tile has no exit onto the board: it is locked in for good (CR-S6, CR-P1)."""
        for racer in state.racers:
            if racer.cell is None or (laid := state.at(racer.cell)) is None:
                continue
            sides = zip(self.config.face(laid).exits, NEIGHBOURS[INDEX[racer.cell]], strict=True)
            if not any(has_exit and neighbour is not None for has_exit, neighbour in sides):
                where = f"no road leaves {racer.cell} onto the board"
                yield f"{racer.seat}: {where}, and a tile under a car stays: it is locked in (CR-S6)"
