"""The rules of Checkpoint Charlie (CC): the order of play, the parts of orders, the facts, the hooks, and who has won."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from adjudicator.game import (
    Fact,
    FactValue,
    Flaw,
    Order,
    Phase,
    Rules,
    Seen,
    Setup,
    Standing,
    Term,
    View,
    at_stage,
    count,
    events_of,
    replace,
)
from adjudicator.games.checkpoint_charlie import components as parts
from adjudicator.games.checkpoint_charlie import markers, positions, rounds
from adjudicator.games.checkpoint_charlie import state as states
from adjudicator.games.checkpoint_charlie.components import INVESTIGATORS, Colour, Components, Config, SuspectId
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.rounds import Accuse, Clue
from adjudicator.games.checkpoint_charlie.state import DECK, Agent, Here, Stage, State, in_turn, sees_markers

if TYPE_CHECKING:
    from adjudicator.game import advice, drawing

# --- the order of play: whom each phase asks what, and what follows -----------------------------------------------------

PHASES: Final = (
    Phase("CC-S2", at_stage(Stage.CLUES), rounds.choosers, rounds.begin_round),
    Phase("CC-V1", at_stage(Stage.TURNING), follow=rounds.turn_card),
    Phase("CC-P1", at_stage(Stage.WINDOW), rounds.waiting_in_window, rounds.close_window),
    Phase(
        "CC-A2",
        at_stage(Stage.LAST_CALL),
        lambda at: rounds.LAST_CALL.to(*in_turn(at, at.state.silent)[:1]),
        rounds.end_accusing,
    ),
    Phase("CC-E1", lambda at: at.state.stage is Stage.SCORING and at.state.speaking, markers.hear, markers.close_hearing),
    Phase("CC-K1", at_stage(Stage.SCORING), follow=markers.score_round),
)


# --- orders: the classes of all of them, and the parts of their grammar -------------------------------------------------

ORDERS: Final = (Clue, Accuse, rounds.Wait, markers.Announce, markers.Swap, markers.Pass)
_STAMP: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\D+(\d{1,2}):(\d{2})(?::(\d{2}))?")


def _received(children: list[Any]) -> str:
    """Return the time as ``YYYY-MM-DDTHH:MM`` with seconds where there are any: such strings sort by time."""
    found = _STAMP.search(children[0])
    assert found is not None
    year, month, day, hour, minute, second = found.groups()
    written = f"{year}-{month:0>2}-{day:0>2}T{hour:0>2}:{minute}"
    return written if second is None else f"{written}:{second}"


def _instruction(children: list[Any]) -> tuple[Any, tuple[str, ...]]:
    """Return a line's expression and recorded outcomes; a time at its end is that of all its accusations without one.

    In the record, each accusation has its own.
    """
    expression, received, draws = children
    *_, last = Order.all_in(expression)
    received = received or (last.received if isinstance(last, Accuse) else None)
    stamped = Order.changed_in(
        expression, lambda one: replace(one, received=one.received or received) if isinstance(one, Accuse) else one
    )
    return (stamped if received else expression), draws or ()


TERMS: Final = {
    "instruction": Term("", _instruction),
    "face": Term(
        "a face of the clue counter such as `no hat`",
        lambda children: (
            "no_" * bool(children[0]) + str(children[1]).lower().replace("gray", "grey").replace("coloured", "")
        ),
        "CC-S2",
    ),
    "suspect": Term("a suspect such as Boris", lambda children: SuspectId(children[0].capitalize()), "CC-C1"),
    "colour": Term("gold, white or black", lambda children: children[0].lower(), "CC-C3"),
    "investigator": Term(
        "an investigator such as Laces",
        lambda children: name if (name := str(children[0]).capitalize()) in INVESTIGATORS else str(children[0]).lower(),
        "CC-C2",
    ),
    "times": Term.number("a number of windows", rule="CC-P1"),
    "received": Term("a time such as `received 2026-11-20 18:05`", _received),
    "of_round": Term.number(""),
}
"""The parts of the grammar."""


# --- facts for conditions: suspects, clues, markers, accusations --------------------------------------------------------

_of_seat: Final = partial(Fact.of_seat, find=Config.seat_called)


def _of_colour(colour: Colour) -> Fact:
    words = f"how many {colour} markers you have; `{colour} of X`"
    return _of_seat(words, lambda at: markers.colours(at.config, at.own).count(colour))


def _accused(at: Here, argument: str) -> FactValue:
    state = at.state
    if argument:
        seat = at.config.seat_called(argument)
        return None if seat is None else state.accused(seat)
    by_seat = (state.accused(agent.seat) for agent in state.agents)
    return tuple(suspect for suspect in by_seat if suspect is not None)


def _holder(at: Here, argument: str) -> tuple[Agent | None, bool]:
    """Return whose markers are asked about, by default the viewer's, and whether the viewer sees them."""
    seat = at.config.seat_called(argument or at.seat or "")
    agent = None if seat is None else at.of(seat)
    return agent, agent is not None and sees_markers(at.config, at.state, agent, at.seat)


def _markers(at: Here, argument: str) -> FactValue:
    agent, is_seen = _holder(at, argument)
    return None if agent is None else agent.markers if is_seen else len(agent.markers)


def _points(at: Here, argument: str) -> FactValue:
    agent, is_seen = _holder(at, argument)
    return None if agent is None or not is_seen else at.config.points(agent.markers)


def _pool(at: Here, argument: str) -> FactValue:
    left, colour = markers.colours_left(at.config, at.state), argument.lower()
    if not colour:
        return left.total()
    return left[Colour(colour)] if colour in set(Colour) else None


FACTS: Final = {
    "round": Fact.of_game("the number of the round, from 1", lambda at: at.state.round),
    "window": Fact.of_game("the number of the round's latest window, from 1", lambda at: at.state.window),
    "shown": Fact.of_game("the suspects turned this round, or how many", lambda at: at.state.shown),
    "deck": Fact.of_game(
        "cards left in the deck, including investigators' cards",
        lambda at: len(DECK.left(at.config, at.state)) + len(at.state.cards),
    ),
    "row": _of_seat("the suspects of your row, or how many; `row of X` for an investigator or a seat", "row"),
    "pile": _of_seat("your pile of the innocent, or how many; `pile of X`", "pile"),
    "accused": Fact("all accused suspects, or how many; `accused of X`: the suspect whom X accuses", _accused, "seat"),
    "public": Fact.of_game(
        "the public clues, or how many; a face is one word, such as no_hat",
        lambda at: tuple(face.value for face in at.state.public),
    ),
    "clue": _of_seat(
        "your clue, in one word; `clue of X` if it lies open",
        lambda at: at.own.seen_clue and at.own.seen_clue.value,
    ),
    "looks": Fact(
        "`looks of SUSPECT`: its five faces, such as hat or no_newspaper",
        lambda at, name: (
            tuple([face.value for face in looks])
            if (looks := at.config.looks.get(SuspectId(name.capitalize()))) is not None
            else None
        ),
        "seat",
    ),
    "matches": Fact(
        "`matches of SUSPECT`: how many of the clues that you know it matches: yours and the open ones",
        lambda at, name: (
            len(at.config.matched(SuspectId(name.capitalize()), at.state.clues))
            if name.capitalize() in at.config.looks
            else None
        ),
        "seat",
    ),
    "markers": Fact("your score markers by id, or how many; `markers of X`: how many", _markers, "seat"),
    "open": _of_seat(
        "your open markers, or how many: the Stasi marker, exchanged Café Adler markers; `open of X`",
        lambda at: (
            *at.own.spent,
            *(held[1:] if (held := markers.stasi_holder(at.config, at.state)) and held[0] == at.seat else ()),
        ),
    ),
    "points": Fact("the value of your markers; `points of X` when the game is over", _points, "seat"),
    **{colour.value: _of_colour(colour) for colour in Colour},
    "pool": Fact("the number of score markers left; `pool of gold`", _pool, "seat"),
}
"""What conditions may ask for; X is an investigator or a seat, in any case."""


# --- the hooks ----------------------------------------------------------------------------------------------------------


class CheckpointCharlie(Rules[Config, State]):
    """The rules of a deduction game for 3 to 5 players, who each know one of five clues to the chief of spies."""

    meta = META
    components, position, state, pieces = Components, positions.Position, State, states.PIECES
    events = events_of(rounds.__name__, markers.__name__)
    orders, terms, facts = ORDERS, TERMS, FACTS
    phases, candidates_are_legal, has_windows = PHASES, True, True
    not_due = "not-asked", "CC-P1"

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup, version)

    def begin(self) -> State:
        return states.begin(self.config)

    def place(self, position: Any) -> State:
        return positions.place(self.config, super().place(position), position)

    def impossible(self, state: State, position: Any) -> Iterable[Flaw]:
        return positions.impossible(self, state, position)

    def suppose(self, view: View[Config, State, Agent], known: Seen, luck: advice.Luck) -> State:
        return positions.supposed(view, known, luck)

    def draw(self, view: View[Config, State, Agent]) -> drawing.Drawing:
        from adjudicator.games.checkpoint_charlie import picture

        return picture.draw(view)

    @classmethod
    def catalogue(cls, components: Components) -> drawing.Drawing:
        from adjudicator.games.checkpoint_charlie import picture

        return picture.catalogue(components)

    def is_over(self, state: State) -> bool:
        return state.stage is Stage.OVER

    def public_text(self, at: Here, order: Any) -> str | None:
        match order:
            case Clue():
                return "CLUE"
            case Accuse() if at.state.stage is Stage.LAST_CALL:
                return None
            case _:
                return "(sealed answer)"

    def standings(self, state: State) -> tuple[Standing, ...]:
        is_final = self.is_over(state)

        def by_colours(agent: Agent) -> tuple[int, ...]:
            """Rank by the most gold, then white, then the fewest black (CC-K3)."""
            gold, white, black = (markers.colours(self.config, agent).count(colour) for colour in Colour)
            return (-gold, -white, black)

        return Standing.ranking(
            state.agents,
            key=(lambda agent: markers.points_rank(self.config, agent)) if is_final else by_colours,
            score=lambda agent: self.config.points(agent.markers) if is_final else 0,
            note=lambda agent: markers.colours_told(markers.colours(self.config, agent)),
            is_final=is_final,
        )

    def warnings(self, state: State) -> Iterable[str]:
        """Warn of each colour with too few markers for all seats (CC-K3)."""
        left = markers.colours_next(self.config, state)
        for colour in () if self.is_over(state) else (Colour.WHITE, Colour.BLACK):
            if left[colour] < len(self.config.seats):
                few = count(left[colour], f"{colour} marker is", f"{colour} markers are")
                few = few if left[colour] else f"no {colour} markers are"
                yield f"{few} left: who draws late may get none, and once they have run out the game ends (CC-K3, CC-E1)"
