"""Whether an order is legal: all legality lives here, and every refusal names its rule.

A refusal rests on what the seat itself may know: never on what others have sealed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem
from adjudicator.core.suggestions import suggest
from adjudicator.games.checkpoint_charlie.components import (
    ENOUGH,
    FACES,
    INVESTIGATORS,
    MOST_WAITS,
    TRAIT_OF,
    Colour,
    Face,
    SuspectId,
)
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Clue, Pass, Swap, Wait
from adjudicator.games.checkpoint_charlie.purse import adler_of, partners, swappable
from adjudicator.games.checkpoint_charlie.state import Stage, State
from adjudicator.games.checkpoint_charlie.turn import CLUE, HEARING, LAST_CALL, WINDOW, awaiting, decision_kind

_MOST_SUGGESTED: Final = 6
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def validate(config: Config, order: Any) -> Problem | None:
    """Return what is wrong with ``order`` in every position, or ``None``.

    Codes: ``unknown-face``, ``unknown-suspect``, ``bad-time``, ``too-many-waits``, ``no-such-round``, ``unknown-colour``,
    ``unknown-investigator``, ``no-adler-marker``.
    """
    return _VETTED[type(order)](config, order)


def check(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    """Return why ``seat`` may not do ``order`` now, or ``None`` if it may."""
    problem = validate(config, order)
    if problem is not None:
        return problem
    kind = decision_kind(config, state, seat)
    checked = _CHECKED.get((kind, type(order)))
    if checked is None:
        return _not_due(config, state, seat, kind)
    return checked(config, state, seat, order)


def accusable(config: Config, state: State) -> tuple[SuspectId, ...]:
    """Return who may be accused now, in the order of the component set (CC-A1).

    With ``accuse=rows`` that is the suspects in rows; in a last call, if all of those are accused, anybody shown.
    """
    accused = {agent.accused for agent in state.agents}
    free = {suspect for suspect in state.shown if suspect not in accused}
    in_rows = free.intersection(suspect for agent in state.agents for suspect in agent.row)
    if config.is_rows_only and (in_rows or state.stage is not Stage.LAST_CALL):
        return config.sorted(in_rows)
    return config.sorted(free)


def _problem(code: str, message: str, rule: str, part: str = "", suggestions: tuple[str, ...] = ()) -> Problem:
    return Problem(f"checkpoint-charlie/{code}", message, rule, part, suggestions)


def _not_due(config: Config, state: State, seat: Seat, kind: str) -> Problem:
    """Say what is asked instead of this kind of order."""
    if kind == CLUE:
        return _problem("clue-first", "first the clue counter is laid", "CC-S2", suggestions=_own_clues(state, seat))
    if kind == WINDOW:
        message = "a window is open: one accuses or waits"
        return _problem("window-open", message, "CC-P1", suggestions=("ACCUSE …", "WAIT"))
    if kind == LAST_CALL:
        suggestions = tuple(f"ACCUSE {suspect}" for suspect in accusable(config, state)[:_MOST_SUGGESTED])
        return _problem("must-accuse", "the deck is empty: all must accuse now", "CC-A2", suggestions=suggestions)
    if kind == HEARING:
        message = "the round is over: one may announce or swap, or else say PASS"
        return _problem("hearing-open", message, "CC-E1", suggestions=("PASS",))
    accused = state.agent(seat).accused
    if accused is not None and state.stage in (Stage.WINDOW, Stage.LAST_CALL):
        message = f"{config.named(seat)} has accused {accused}: once a round, and there is no taking back"
        return _problem("accused-already", message, "CC-A1")
    if _has_spoken(state, seat):
        others = " and ".join(decision.seat for decision in awaiting(config, state)) or "nobody"
        return _problem("answered-already", f"{seat} has answered: the adjudicator waits for {others}", "CC-P1")
    due = " and ".join(decision.seat for decision in awaiting(config, state)) or "nobody"
    return _problem("not-asked", f"{seat} is not asked now: {due} is to answer", "CC-P1")


def _has_spoken(state: State, seat: Seat) -> bool:
    agent = state.agent(seat)
    is_laid = state.stage is Stage.CLUES and agent.clue is not None
    return is_laid or agent.answer is not None or agent.statement is not None


def _own_clues(state: State, seat: Seat) -> tuple[str, ...]:
    trait = state.agent(seat).trait
    return () if trait is None else tuple(f"CLUE {face.words}" for face in FACES[trait])


# What no position can change ----------------------------------------------------------------------------------------


def _validate_clue(_config: Config, order: Clue) -> Problem | None:
    if order.face in set(Face):
        return None
    written = order.face.replace("_", " ")
    message = f"no clue counter has the face “{written}”"
    near = suggest(written, [face.words for face in Face])
    return _problem("unknown-face", message, "CC-C2", "face", near or tuple(face.words for face in Face))


def _validate_accuse(config: Config, order: Accuse) -> Problem | None:
    if order.suspect not in config.rank:
        message = f"there is no suspect {order.suspect}"
        return _problem("unknown-suspect", message, "CC-C1", "suspect", suggest(order.suspect, config.rank))
    if order.received is not None and not _is_time(order.received):
        message = f"there is no such time as {order.received.replace('T', ' ')}"
        return _problem("bad-time", message, "CC-P1", "received", ("received 2026-11-20 18:05",))
    return None


def _is_time(received: str) -> bool:
    day_of, _, clock = received.partition("T")
    year, month, day = (int(digits) for digits in day_of.split("-"))
    hour, minute, second = (int(digits) for digits in f"{clock}:00".split(":")[:3])
    is_day = year >= 1970 and 1 <= month <= 12 and 1 <= day <= _days_in(year, month)
    return is_day and hour < 24 and minute < 60 and second < 60


def _days_in(year: int, month: int) -> int:
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and is_leap else _DAYS[month - 1]


def _validate_wait(config: Config, order: Wait) -> Problem | None:
    if not 1 <= order.times <= MOST_WAITS:
        message = f"one waits for 1 to {MOST_WAITS} windows, not {order.times}"
        near = "WAIT" if order.times < 1 else f"WAIT {MOST_WAITS}"
        return _problem("too-many-waits", message, "CC-P1", "times", (near,))
    if order.of_round is not None and not 1 <= order.of_round <= config.rounds:
        message = f"there are {config.rounds} rounds, no round {order.of_round}"
        return _problem("no-such-round", message, "CC-E1", "of_round")
    return None


def _validate_swap(config: Config, order: Swap) -> Problem | None:
    if order.colour not in set(Colour):
        message = f"markers are gold, white or black, not {order.colour}"
        return _problem("unknown-colour", message, "CC-C3", "colour", suggest(order.colour, Colour))
    if config.seat_called(order.who) is None:
        names = [name for seat in config.seats for name in (seat, config.investigators[seat])]
        whom = f"nobody plays {order.who}" if order.who in INVESTIGATORS else f"there is no {order.who} in this game"
        near = suggest(order.who, names) or tuple(config.investigators.values())
        return _problem("unknown-investigator", whom, "CC-C2", "investigator", near)
    if not any(marker.colour == order.colour and marker.power == "adler" for marker in config.markers.values()):
        message = f"no {order.colour} Café Adler marker is in this game"
        return _problem("no-adler-marker", message, "CC-O2", "colour")
    return None


def _validate_nothing(_config: Config, _order: Any) -> None:
    return None


# What depends on the position ---------------------------------------------------------------------------------------


def _check_clue(_config: Config, state: State, seat: Seat, order: Clue) -> Problem | None:
    """CC-S2: a face of the counter that the seat has drawn."""
    trait = state.agent(seat).trait
    if trait is TRAIT_OF[Face(order.face)]:
        return None
    message = f"“{Face(order.face).words}” is not on the clue counter of {seat}"
    return _problem("not-on-counter", message, "CC-S2", "face", _own_clues(state, seat))


def _check_accuse(config: Config, state: State, _seat: Seat, order: Accuse) -> Problem | None:
    """CC-A1: a suspect shown this round whom nobody else accuses; with ``accuse=rows`` one in a row."""
    free = accusable(config, state)
    if order.suspect in free:
        return None
    near = suggest(order.suspect, free) or free[:_MOST_SUGGESTED]
    accuser = next((agent.seat for agent in state.agents if agent.accused == order.suspect), None)
    if accuser is not None:
        message = f"{order.suspect} is accused by {config.named(accuser)} already"
        return _problem("accused-by-another", message, "CC-A1", "suspect", near)
    if order.suspect in state.shown:
        message = f"{order.suspect} is among the innocent: in this game only suspects in a row are accused"
        return _problem("not-in-a-row", message, "CC-A1", "suspect", near)
    message = f"{order.suspect} has not been turned this round"
    return _problem("not-shown", message, "CC-A1", "suspect", near)


def _check_wait(_config: Config, state: State, _seat: Seat, order: Wait) -> Problem | None:
    if order.of_round in (None, state.round):
        return None
    message = f"this is round {state.round}, not round {order.of_round}"
    return _problem("another-round", message, "CC-P1", "of_round", ("WAIT",))


def _check_announce(config: Config, state: State, seat: Seat, _order: Announce) -> Problem | None:
    """CC-E1: ten points or more, and there must be something left to end."""
    if state.ending is not None:
        return _problem("ends-anyway", "the game ends with this round anyway", "CC-E1", suggestions=("PASS",))
    points = config.points(state.agent(seat).markers)
    if points < ENOUGH:
        message = f"the markers of {seat} are worth {points}: it takes {ENOUGH} to announce"
        return _problem("too-few-points", message, "CC-E1", suggestions=("PASS",))
    return None


def _check_swap(config: Config, state: State, seat: Seat, order: Swap) -> Problem | None:
    """CC-O2: an own Café Adler marker that nobody has exchanged yet, for another's marker of the same colour."""
    colour, other = Colour(order.colour), config.seat_called(order.who)
    if adler_of(config, state, seat, colour) is None:
        message = f"{seat} holds no {colour} Café Adler marker that can be exchanged"
        return _problem("no-adler-held", message, "CC-O2", "colour", ("PASS",))
    near = tuple(config.investigators[partner] for partner in partners(config, state, seat, colour))
    if other == seat or other is None:
        return _problem("own-markers", "one swaps with another player", "CC-O2", "investigator", near)
    if not swappable(config, state, other, colour):
        message = f"{config.named(other)} has no {colour} marker to exchange"
        return _problem("nothing-to-exchange", message, "CC-O2", "investigator", near)
    return None


def _check_nothing(_config: Config, _state: State, _seat: Seat, _order: Any) -> None:
    return None


_VETTED: Final[dict[type, Callable[[Config, Any], Problem | None]]] = {
    Clue: _validate_clue,
    Accuse: _validate_accuse,
    Wait: _validate_wait,
    Announce: _validate_nothing,
    Swap: _validate_swap,
    Pass: _validate_nothing,
}

_CHECKED: Final[dict[tuple[str, type], Callable[[Config, State, Seat, Any], Problem | None]]] = {
    (CLUE, Clue): _check_clue,
    (WINDOW, Accuse): _check_accuse,
    (WINDOW, Wait): _check_wait,
    (LAST_CALL, Accuse): _check_accuse,
    (HEARING, Announce): _check_announce,
    (HEARING, Swap): _check_swap,
    (HEARING, Pass): _check_nothing,
}
