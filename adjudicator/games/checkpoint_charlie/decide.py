"""What follows from a legal order: the events, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final

from adjudicator.core.chance import Chance
from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_charlie.components import Colour, Face
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.events import Accused, Answered, ClueChosen, Event, Stated
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Clue, Pass, Swap, Wait
from adjudicator.games.checkpoint_charlie.scoring import hearing_rule
from adjudicator.games.checkpoint_charlie.state import Answer, Speech, Stage, State, Statement


def decide(config: Config, state: State, seat: Seat, order: Any, _chance: Chance) -> Generator[Event, State, None]:
    """Yield the events of ``order``, which ``check`` has passed; what comes of sealed answers, ``proceed`` tells."""
    yield _DECIDED[type(order)](config, state, seat, order)


def _clue(_config: Config, state: State, seat: Seat, order: Clue) -> Event:
    is_open = state.agent(seat).is_watched
    return ClueChosen(seat=seat, face=Face(order.face), is_open=is_open, rule="CC-O1" if is_open else "CC-S2")


def _accuse(_config: Config, state: State, seat: Seat, order: Accuse) -> Event:
    if state.stage is Stage.LAST_CALL:
        return Accused(seat=seat, suspect=order.suspect, place=len(state.accusations) + 1, rule="CC-A2")
    return Answered(seat=seat, answer=Answer(order.suspect, order.received))


def _wait(_config: Config, _state: State, seat: Seat, _order: Wait) -> Event:
    return Answered(seat=seat, answer=Answer())


def _announce(config: Config, _state: State, seat: Seat, _order: Announce) -> Event:
    return Stated(seat=seat, statement=Statement(Speech.ANNOUNCE), rule=hearing_rule(config))


def _swap(config: Config, _state: State, seat: Seat, order: Swap) -> Event:
    statement = Statement(Speech.SWAP, Colour(order.colour), config.seat_called(order.who))
    return Stated(seat=seat, statement=statement, rule=hearing_rule(config))


def _pass(config: Config, _state: State, seat: Seat, _order: Pass) -> Event:
    return Stated(seat=seat, statement=Statement(Speech.PASS), rule=hearing_rule(config))


_DECIDED: Final[dict[type, Callable[[Config, State, Seat, Any], Event]]] = {
    Clue: _clue,
    Accuse: _accuse,
    Wait: _wait,
    Announce: _announce,
    Swap: _swap,
    Pass: _pass,
}
