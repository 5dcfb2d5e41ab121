"""The orders of a round until it is scored: a clue, accusations, waiting (CC-S2, CC-A1, CC-P1), and the grammar of all.

A refusal rests on what the seat itself may know: never on what others have sealed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Final

from adjudicator.game import Chance, Moves, Order, Problem, Said, Term, count, replace, suggest
from adjudicator.games.checkpoint_charlie import events as happened
from adjudicator.games.checkpoint_charlie import state as states
from adjudicator.games.checkpoint_charlie.components import FACES, INVESTIGATORS, Config, Face, SuspectId
from adjudicator.games.checkpoint_charlie.markers import Announce, Pass, Swap
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.state import Answer, Here, Stage, State

_MOST_WAITS: Final = 99
"""Windows that one ``WAIT`` may pass (CC-P1)."""
_MOST_SUGGESTED: Final = 6
_FACES: Final = frozenset(Face)
_STAMP: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\D+(\d{1,2}):(\d{2})(?::(\d{2}))?")
_DATE: Final = r"(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_WRITTEN: Final = re.compile(rf"{_DATE}T([01][0-9]|2[0-3])(:[0-5][0-9]){{1,2}}")
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Clue(Order):
    """Lay the clue counter with ``face`` up: the value of a ``Face``, or the unknown word in its place."""

    examples = ("CLUE no hat",)
    template = "CLUE {face}"
    face: Annotated[str, Said(lambda _config, face: face.replace("no_", "no "))]

    def wrong(self, config: Config) -> Problem | None:
        if self.face in _FACES:
            return None
        known, written = tuple(known.words for known in Face), self.face.replace("_", " ")
        message = f"no clue counter has the face “{written}”"
        return META.problem("unknown-face", message, "CC-C2", "face", suggest(written, known) or known)

    def check(self, at: Here) -> Problem | None:
        """CC-S2: a face of the counter that the seat has drawn."""
        if at.own.trait is Face(self.face).trait:
            return None
        message = f"“{Face(self.face).words}” is not on the clue counter of {at.seat}"
        return META.problem("not-on-counter", message, "CC-S2", "face", own_clues(at.own))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        trait = at.own.trait
        return (cls(face.value) for face in (() if trait is None else FACES[trait]))

    def decide(self, at: Here, chance: Chance) -> Moves:
        is_open = states.lies_open(at.config, at.state, at.own)
        rule = "CC-O1" if is_open else "CC-S2"
        yield happened.ClueChosen(seat=at.seat, face=Face(self.face), is_open=is_open, rule=rule)


class Accuse(Order):
    """Accuse ``suspect``; ``received`` is when the order came in, as ``2026-11-20T18:05`` with or without seconds."""

    examples = ("ACCUSE Fleming",)
    template = "ACCUSE {suspect}[ received {received}]"
    suspect: SuspectId
    received: str | None = None

    def wrong(self, config: Config) -> Problem | None:
        if self.received is None or is_time(self.received):
            return None
        message = f"{self.received.replace('T', ' ')} is not a valid time"
        return META.problem("bad-time", message, "CC-P1", "received", ("received 2026-11-20 18:05",))

    def check(self, at: Here) -> Problem | None:
        """CC-A1: a suspect shown this round whom no other seat accuses; with ``accuse=rows`` one in a row."""
        config, state = at.config, at.state
        accuser, free = state.accuser(self.suspect), accusable(config, state)
        if self.suspect in free:
            return None
        near = suggest(self.suspect, free) or free[:_MOST_SUGGESTED]
        if accuser is not None:
            message = f"{config.named(accuser)} has already accused {self.suspect}"
            return META.problem("accused-by-another", message, "CC-A1", "suspect", near)
        if self.suspect in state.shown:
            message = f"{self.suspect} is among the innocent: in this game only suspects in a row can be accused"
            return META.problem("not-in-a-row", message, "CC-A1", "suspect", near)
        return META.problem("not-shown", f"{self.suspect} has not been turned this round", "CC-A1", "suspect", near)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, accusable(at.config, at.state))

    def decide(self, at: Here, chance: Chance) -> Moves:
        if at.state.stage is Stage.LAST_CALL:
            yield happened.Accused(seat=at.seat, suspect=self.suspect, place=len(at.state.accusations) + 1, rule="CC-A2")
        else:
            yield happened.Answered(seat=at.seat, answer=Answer(self.suspect, self.received))


class Wait(Order):
    """Do not accuse in this window and the next, ``times`` in all; with ``of_round`` only in that round."""

    examples = ("WAIT 3",)
    template = "WAIT[ {times}][ in round {of_round}]"
    times: int = 1
    of_round: int | None = None

    def wrong(self, config: Config) -> Problem | None:
        if not 1 <= self.times <= _MOST_WAITS:
            message = f"WAIT is for 1 to {_MOST_WAITS} windows, not {self.times}"
            near = "WAIT" if self.times < 1 else f"WAIT {_MOST_WAITS}"
            return META.problem("too-many-waits", message, "CC-P1", "times", (near,))
        if self.of_round is None or 1 <= self.of_round <= config.rounds:
            return None
        message = f"there is no round {self.of_round}: the game has {count(config.rounds, 'round')}"
        return META.problem("no-such-round", message, "CC-E1", "of_round")

    def check(self, at: Here) -> Problem | None:
        if self.of_round in (None, at.state.round):
            return None
        message = f"this is round {at.state.round}, not round {self.of_round}"
        return META.problem("another-round", message, "CC-P1", "of_round", ("WAIT",))

    def decide(self, at: Here, chance: Chance) -> Moves:
        yield happened.Answered(seat=at.seat, answer=Answer())

    def rest(self, at: Here) -> Wait | None:
        """CC-P1: while windows of this round go on. It names the round, so that it cannot run on into the next."""
        is_more = self.times > 1 and at.state.stage is Stage.WINDOW
        return Wait(self.times - 1, at.state.round) if is_more else None

    def has_expired(self, at: Here) -> bool:
        """CC-P1: a wait for a round whose windows are over."""
        state, of_round = at.state, self.of_round
        is_done = state.is_scored or state.stage is Stage.LAST_CALL
        return of_round is not None and (of_round < state.round or (of_round == state.round and is_done))


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


def accusations(at: Here) -> tuple[str, ...]:
    """Return some accusations to suggest."""
    return tuple(f"ACCUSE {suspect}" for suspect in accusable(at.config, at.state)[:_MOST_SUGGESTED])


def is_time(received: str) -> bool:
    """Return whether ``received`` is a valid date and time, not before 1970."""
    found = _WRITTEN.fullmatch(received)
    if found is None:
        return False
    year, month, day = map(int, found.groups()[:3])
    is_leap_day = (month, day) == (2, 29) and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _DAYS[month - 1] or is_leap_day


def own_clues(agent: states.Agent) -> tuple[str, ...]:
    """Return the orders that lay the counter of ``agent``."""
    return () if agent.trait is None else tuple(f"CLUE {face.words}" for face in FACES[agent.trait])


ORDERS: Final = (Clue, Accuse, Wait, Announce, Swap, Pass)


def _face(children: list[Any]) -> str:
    no, name = children
    words = str(name).lower().replace("gray", "grey").replace("coloured", "")
    return f"no_{words}" if no else words


def _who(children: list[Any]) -> str:
    name = str(children[0])
    return name.capitalize() if name.capitalize() in INVESTIGATORS else name.lower()


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
    "face": Term("a face of the clue counter such as `no hat`", _face, "CC-S2"),
    "suspect": Term("a suspect such as Boris", lambda children: SuspectId(children[0].capitalize()), "CC-C1"),
    "colour": Term("gold, white or black", lambda children: children[0].lower(), "CC-C3"),
    "investigator": Term("an investigator such as Laces", _who, "CC-C2"),
    "times": Term.number("a number of windows", rule="CC-P1"),
    "received": Term("a time such as `received 2026-11-20 18:05`", _received),
    "of_round": Term.number(""),
}
"""The parts of the grammar."""
