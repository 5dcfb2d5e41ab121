"""Who is asked for what, and what is legal: every refusal names its rule (CC-S2, CC-A1, CC-P1, CC-E1, CC-O2).

A refusal rests on what the seat itself may know: never on what others have sealed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from adjudicator.game import Decision, Problem, Seat, count, listed, remember_last, suggest
from adjudicator.games.checkpoint_charlie import components as parts
from adjudicator.games.checkpoint_charlie.components import ENOUGH, FACES, Colour, Config, Face, SuspectId
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Clue, Pass, Swap, Wait
from adjudicator.games.checkpoint_charlie.purse import adler_of, left_open, may_announce, may_swap, partners, swappable
from adjudicator.games.checkpoint_charlie.state import Stage, State

CLUE: Final = "clue"
WINDOW: Final = "window"
LAST_CALL: Final = "last-call"
HEARING: Final = "hearing"
_MOST_SUGGESTED: Final = 6
_FACES: Final = frozenset(Face)
_COLOURS: Final = frozenset(Colour)
_WRITTEN: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?")
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@remember_last
def kinds_due(state: State) -> Mapping[Seat, str]:
    """Return the seats with a decision due, each with its kind."""
    match state.stage:
        case Stage.CLUES:
            return {agent.seat: CLUE for agent in state.agents if agent.trait is not None}
        case Stage.WINDOW:
            silent = state.silent
            return {agent.seat: WINDOW for agent in state.agents if agent.answer is None and agent.seat in silent}
        case Stage.LAST_CALL:
            # CC-A2: one after the other, from the next to turn a card.
            return dict.fromkeys(_in_turn(state, state.silent)[:1], LAST_CALL)
        case Stage.SCORING:
            heard = state.speaking
            return {agent.seat: HEARING for agent in state.agents if agent.statement is None and agent.seat in heard}
    return {}


def _in_turn(state: State, seats: Collection[Seat]) -> tuple[Seat, ...]:
    """Return those of ``seats`` in playing order, from the next to turn a card."""
    if not state.to_turn or not seats:
        return ()
    all_seats = [agent.seat for agent in state.agents]
    at = all_seats.index(state.to_turn)
    return tuple([seat for seat in (*all_seats[at:], *all_seats[:at]) if seat in seats])


def due(config: Config, state: State) -> tuple[Seat, ...]:
    """Return the seats of the decisions due, in playing order."""
    return _in_turn(state, kinds_due(state))


def decision(config: Config, state: State, seat: Seat) -> Decision | None:
    """Return the decision that is due from ``seat``, or ``None``; the seats asked are public."""
    kind = kinds_due(state).get(seat)
    return None if kind is None else Decision(seat, kind, *_question(config, state, seat, kind))


def _question(config: Config, state: State, seat: Seat, kind: str) -> tuple[str, str]:
    if kind == CLUE:
        ask = f"choose a clue for round {state.round}: CLUE"
        if state.watched == seat:
            when = " when all have chosen" if config.is_opened_last else ""
            return f"{ask} (it will lie open{when}: the Stasi officer watches)", "CC-O1"
        return ask, "CC-S2"
    if kind == WINDOW:
        return f"accuse or wait in window {state.window} of round {state.round}: ACCUSE or WAIT", "CC-P1"
    if kind == LAST_CALL:
        return "accuse a suspect now, as the deck is empty: ACCUSE", "CC-A2"
    # What a seat may have to say, by what all know of it.
    if not may_announce(config, state, seat):
        return "swap a Café Adler marker or pass: SWAP or PASS", "CC-O2"
    swap = ", SWAP (a Café Adler marker)" if may_swap(config, state, seat) else ""
    return f"announce or pass: ANNOUNCE ({ENOUGH} points or more){swap} or PASS", "CC-E1"


def validate(config: Config, order: Any) -> Problem | None:
    """Return why ``order`` is wrong in every position, or ``None``."""
    match order:
        case Clue(face=face) if face not in _FACES:
            known, written = tuple(known.words for known in Face), face.replace("_", " ")
            message = f"no clue counter has the face “{written}”"
            return META.problem("unknown-face", message, "CC-C2", "face", suggest(written, known) or known)
        case Accuse(suspect=suspect) if suspect not in config.looks:
            return META.unknown("suspect", suspect, config.looks, "CC-C1")
        case Accuse(received=str(received)) if not is_time(received):
            message = f"{received.replace('T', ' ')} is not a valid time"
            return META.problem("bad-time", message, "CC-P1", "received", ("received 2026-11-20 18:05",))
        case Wait(times=times) if not 1 <= times <= parts.MOST_WAITS:
            message = f"WAIT is for 1 to {parts.MOST_WAITS} windows, not {times}"
            near = "WAIT" if times < 1 else f"WAIT {parts.MOST_WAITS}"
            return META.problem("too-many-waits", message, "CC-P1", "times", (near,))
        case Wait(of_round=int(of_round)) if not 1 <= of_round <= config.rounds:
            message = f"there is no round {of_round}: the game has {count(config.rounds, 'round')}"
            return META.problem("no-such-round", message, "CC-E1", "of_round")
        case Swap():
            return _validate_swap(config, order)
    return None


def is_time(received: str) -> bool:
    """Return whether ``received`` is a valid date and time, not before 1970."""
    if _WRITTEN.fullmatch(received) is None:
        return False
    year, month, day, hour, minute, second = map(int, re.split("[-T:]", f"{received}:00")[:6])
    if year < 1970 or not 1 <= month <= 12 or hour > 23 or minute > 59 or second > 59:
        return False
    is_leap_day = (month, day) == (2, 29) and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] or is_leap_day


def _validate_swap(config: Config, order: Swap) -> Problem | None:
    if order.colour not in _COLOURS:
        message = f"markers are gold, white or black, not {order.colour}"
        return META.problem("unknown-colour", message, "CC-C3", "colour", suggest(order.colour, Colour))
    if config.seat_called(order.who) is None:
        names = [name for seat in config.seats for name in (seat, config.investigators[seat])]
        whom = (
            f"no seat plays {order.who}"
            if order.who in parts.INVESTIGATORS
            else f"this game has no player or investigator {order.who}"
        )
        near = suggest(order.who, names) or tuple(config.investigators.values())
        return META.problem("unknown-investigator", whom, "CC-C2", "investigator", near)
    if not config.adlers.get(Colour(order.colour)):
        message = f"no {order.colour} Café Adler marker is in this game"
        return META.problem("no-adler-marker", message, "CC-O2", "colour")
    return None


def check(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    """Return why ``order``, valid in itself, is illegal for ``seat`` now, or ``None``."""
    kind = kinds_due(state).get(seat, "")
    checked = _CHECKED.get((kind, type(order)))
    return _not_due(config, state, seat, kind) if checked is None else checked(config, state, seat, order)


def accusable(config: Config, state: State) -> tuple[SuspectId, ...]:
    """Return who may be accused now, in the order of the component set (CC-A1).

    With ``accuse=rows`` that is the suspects in rows; in a last call, if all of those are accused, anybody shown.
    """
    accused = {accusation.suspect for accusation in state.accusations}
    free = {suspect for suspect in state.shown if suspect not in accused}
    in_rows = free.intersection(suspect for agent in state.agents for suspect in agent.row)
    if config.is_rows_only and (in_rows or state.stage is not Stage.LAST_CALL):
        free = in_rows
    return tuple(suspect for suspect in config.looks if suspect in free)


def _candidates(config: Config, state: State, seat: Seat) -> Iterator[Any]:
    """Yield what may be legal for ``seat``, grouped by kind.

    It yields the shortest form of an order: ``WAIT`` without a number, an accusation without its time.
    """
    kind = kinds_due(state).get(seat, "")
    trait = state.agent(seat).trait
    if kind == CLUE and trait is not None:
        yield from (Clue(face.value) for face in FACES[trait])
    if kind == WINDOW:
        yield Wait()
    if kind in (WINDOW, LAST_CALL):
        yield from map(Accuse, accusable(config, state))
    if kind == HEARING:
        yield Pass()
        yield Announce()
        for colour in Colour:
            if adler_of(config, state, seat, colour) is not None:
                for other in partners(config, state, seat, colour):
                    yield Swap(colour.value, config.investigators[other])


def candidates(config: Config, state: State, seat: Seat) -> Iterator[Any]:
    """Yield every order that ``check`` accepts from ``seat`` now: all candidates but an announcement of too few points."""
    for order in _candidates(config, state, seat):
        if type(order) is not Announce or _check_announce(config, state, seat, order) is None:
            yield order


_INSTEAD: Final[dict[str, tuple[str, str, str, tuple[str, ...]]]] = {
    CLUE: ("clue-first", "lay the clue counter first", "CC-S2", ()),
    WINDOW: ("window-open", "a window is open: answer ACCUSE or WAIT", "CC-P1", ("ACCUSE …", "WAIT")),
    LAST_CALL: ("must-accuse", "the deck is empty: all must accuse now", "CC-A2", ()),
    HEARING: ("hearing-open", "the round is over: answer ANNOUNCE, SWAP or PASS", "CC-E1", ("PASS",)),
}


def _not_due(config: Config, state: State, seat: Seat, kind: str) -> Problem:
    """Return the refusal of an order that the seat is not asked for, with what it is asked instead."""
    if kind:
        code, message, rule, suggestions = _INSTEAD[kind]
        if kind == LAST_CALL:
            suggestions = tuple(f"ACCUSE {suspect}" for suspect in accusable(config, state)[:_MOST_SUGGESTED])
        return META.problem(code, message, rule, suggestions=suggestions or _own_clues(state, seat))
    accused = state.accused(seat)
    if accused is not None and state.stage in (Stage.WINDOW, Stage.LAST_CALL):
        message = f"{config.named(seat)} has already accused {accused}: one accusation a round, and it is final"
        return META.problem("accused-already", message, "CC-A1")
    seats = due(config, state)
    others = listed(seats) or "nobody"
    agent = state.agent(seat)
    is_laid = state.stage is Stage.CLUES and agent.clue is not None
    if is_laid or agent.answer is not None or agent.statement is not None:
        return META.problem("answered-already", f"{seat} has answered: the game waits for {others}", "CC-P1")
    message = f"{seat} is not asked now: {others} {'are' if len(seats) > 1 else 'is'} to answer"
    return META.problem("not-asked", message, "CC-P1")


def _own_clues(state: State, seat: Seat) -> tuple[str, ...]:
    trait = state.agent(seat).trait
    return () if trait is None else tuple(f"CLUE {face.words}" for face in FACES[trait])


def _check_clue(_config: Config, state: State, seat: Seat, order: Clue) -> Problem | None:
    """CC-S2: a face of the counter that the seat has drawn."""
    if state.agent(seat).trait is Face(order.face).trait:
        return None
    message = f"“{Face(order.face).words}” is not on the clue counter of {seat}"
    return META.problem("not-on-counter", message, "CC-S2", "face", _own_clues(state, seat))


def _check_accuse(config: Config, state: State, _seat: Seat, order: Accuse) -> Problem | None:
    """CC-A1: a suspect shown this round whom no other seat accuses; with ``accuse=rows`` one in a row."""
    accuser = state.accuser(order.suspect)
    if accuser is None:
        # Quick for the many that are legal.
        for agent in state.agents:
            if order.suspect in agent.row or (order.suspect in agent.pile and not config.is_rows_only):
                return None
    free = accusable(config, state)
    if order.suspect in free:
        return None
    near = suggest(order.suspect, free) or free[:_MOST_SUGGESTED]
    if accuser is not None:
        message = f"{config.named(accuser)} has already accused {order.suspect}"
        return META.problem("accused-by-another", message, "CC-A1", "suspect", near)
    if order.suspect in state.shown:
        message = f"{order.suspect} is among the innocent: in this game only suspects in a row can be accused"
        return META.problem("not-in-a-row", message, "CC-A1", "suspect", near)
    return META.problem("not-shown", f"{order.suspect} has not been turned this round", "CC-A1", "suspect", near)


def _check_wait(_config: Config, state: State, _seat: Seat, order: Wait) -> Problem | None:
    if order.of_round in (None, state.round):
        return None
    message = f"this is round {state.round}, not round {order.of_round}"
    return META.problem("another-round", message, "CC-P1", "of_round", ("WAIT",))


def _check_announce(config: Config, state: State, seat: Seat, _order: Announce) -> Problem | None:
    """CC-E1: ten points or more, in a game that does not end anyway."""
    if state.ending is not None:
        return META.problem("ends-anyway", "the game ends with this round anyway", "CC-E1", suggestions=("PASS",))
    points = config.points(state.agent(seat).markers)
    if points < ENOUGH:
        message = f"the markers of {seat} are worth {count(points, 'point')}: announcing takes {ENOUGH}"
        return META.problem("too-few-points", message, "CC-E1", suggestions=("PASS",))
    return None


def _check_swap(config: Config, state: State, seat: Seat, order: Swap) -> Problem | None:
    """CC-O2: a Café Adler marker of the seat, not exchanged yet, for another's face-down marker of the same colour."""
    colour, other = Colour(order.colour), config.seat_called(order.who)
    if adler_of(config, state, seat, colour) is None:
        message = f"{seat} holds no {colour} Café Adler marker that can be exchanged"
        return META.problem("no-adler-held", message, "CC-O2", "colour", ("PASS",))
    near = tuple(config.investigators[partner] for partner in partners(config, state, seat, colour))
    if other == seat or other is None:
        return META.problem("own-markers", "a swap needs another player", "CC-O2", "investigator", near)
    if not swappable(config, state, other, colour):
        stay = [marker for marker in left_open(config, state.agent(other)) if config.colour_of(marker) is colour]
        if stay:
            have = "has" if len(stay) == 1 else "have"
            message = f"{config.named(other)} has no {colour} marker face down: {listed(stay)} {have} been exchanged before"
            return META.problem("exchanged-before", message, "CC-O2", "investigator", near or ("PASS",))
        message = f"{config.named(other)} has no {colour} marker to exchange"
        return META.problem("nothing-to-exchange", message, "CC-O2", "investigator", near)
    return None


_CHECKED: Final[dict[tuple[str, type], Callable[[Config, State, Seat, Any], Problem | None]]] = {
    (CLUE, Clue): _check_clue,
    (WINDOW, Accuse): _check_accuse,
    (WINDOW, Wait): _check_wait,
    (LAST_CALL, Accuse): _check_accuse,
    (HEARING, Announce): _check_announce,
    (HEARING, Swap): _check_swap,
    (HEARING, Pass): lambda _config, _state, _seat, _order: None,
}
