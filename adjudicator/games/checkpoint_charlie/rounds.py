"""Play a round until it is scored: clues, cards, and accusations in windows (CC-S, CC-V, CC-A, CC-P).

The deck is a bag of unseen suspects, investigators in its upper half. A refusal rests on what the seat itself may know,
never on what others have sealed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, Final

from adjudicator.game import (
    OWNER,
    PUBLIC,
    Ask,
    Chance,
    Event,
    Mark,
    Meta,
    Moves,
    Name,
    Order,
    Positive,
    Problem,
    Public,
    Said,
    Seat,
    Secret,
    count,
    piles,
    replace,
    suggest,
)
from adjudicator.games.checkpoint_charlie import components as parts
from adjudicator.games.checkpoint_charlie import state as states
from adjudicator.games.checkpoint_charlie.components import FACES, UPPER_HALF, Config, Face, SuspectId, Trait, Who
from adjudicator.games.checkpoint_charlie.meta import META, MOST_ROUNDS
from adjudicator.games.checkpoint_charlie.state import Accusation, Agent, Answer, Here, Stage, State, in_turn

# --- CC-S: clues -------------------------------------------------------------------------------------------------------


class FirstDrawn(Event):
    """Chance gave the first player of the game."""

    says = "{seat} is drawn to begin"
    sets = {"first": "seat", "to_turn": "seat"}
    seat: Who
    rule: Name = "CC-S1"


class RoundBegun(Event):
    """All cards and counters went back, and the next round began with ``first``."""

    says = "round {round} begins; {first} is first"
    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS), PUBLIC]
    first: Who
    rule: Name = "CC-S1"

    def apply(self, config: Config, state: State) -> State:
        agents = tuple(Agent(seat=agent.seat, markers=agent.markers, spent=agent.spent) for agent in state.agents)
        kept = replace(states.begin(config), agents=agents, watched=state.watched, swaps=state.swaps)
        return replace(kept, round=self.round, first=self.first, to_turn=self.first)


_Drawn = Annotated[Trait | None, Said(lambda _config, trait: tuple(f"“{face.words}”" for face in FACES[trait]))]


class CounterDrawn(Event):
    """A seat drew a clue counter; ``trait`` is ``None`` to the others."""

    says = "{seat} draws the clue counter with {trait}"
    unseen = "{seat} draws a clue counter"
    sets = {"own.trait": "trait"}
    seat: Who
    trait: Secret[_Drawn]
    rule: Name = "CC-S2"


def own_clues(agent: Agent) -> tuple[str, ...]:
    """Return the orders that lay the counter of ``agent``."""
    return () if agent.trait is None else tuple(f"CLUE {face.words}" for face in FACES[agent.trait])


_FACES: Final = frozenset(Face)


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
        yield ClueChosen(seat=at.seat, face=Face(self.face), is_open=False)


_Openly = Annotated[bool, Said(lambda _config, is_open: ", open to all: the Stasi officer is watching" if is_open else "")]
_OPEN: Final = Mark(lambda _config, laid, _holder, viewer: laid.is_open or viewer == laid.seat)


class ClueChosen(Event):
    """A seat laid its clue counter; ``face`` is ``None`` to the others.

    By version 1 of the rules it ``is_open`` at once where the Stasi officer watches (CC-O1).
    """

    says = "{seat} lays the clue “{face.words}”{is_open}"
    unseen = "{seat} lays a clue"
    sets = {"own.clue": "face"}
    becomes = {"own.trait": None}
    seat: Who
    face: Annotated[Face | None, _OPEN]
    is_open: Public[_Openly]
    rule: Name = "CC-S2"


_CLUE: Final = Ask(
    "clue",
    "CC-S2",
    lambda at: f"choose a clue for round {at.state.round}: CLUE",
    (Clue,),
    lambda at: META.problem("clue-first", "lay the clue counter first", "CC-S2", near=own_clues(at.own)),
)
_WATCHED: Final = replace(
    _CLUE,
    rule="CC-O1",
    words=lambda at: (
        f"choose a clue for round {at.state.round}: CLUE (it will lie open when all have chosen: the Stasi officer watches)"
    ),
)


def choosers(at: Here) -> tuple[Ask, ...]:
    """Ask the seats that have drawn a counter for its face, in playing order."""
    state = at.state
    seats = [agent.seat for agent in state.agents if agent.trait is not None]
    return tuple([ask for seat in in_turn(at, seats) for ask in (_WATCHED if state.watched == seat else _CLUE).to(seat)])


class ClueOpened(Event):
    """All have chosen their clues, and that of the seat under the Stasi officer's watch was opened."""

    says = "{seat} opens the clue “{face.words}”: the Stasi officer is watching"
    seat: Who
    face: Public[Face]
    rule: Name = "CC-O1"


class DeckReady(Event):
    """All clues are laid: cards are turned from now on."""

    becomes = {"stage": Stage.TURNING}
    rule: Name = "CC-S3"


def begin_round(at: Here, chance: Chance) -> Moves:
    """Draw the first player and a clue counter for each; once all clues are laid, open the watched one (CC-S1, CC-S2)."""
    config, state, first = at.config, at.state, at.state.first
    if all(agent.clue is None for agent in state.agents):
        if first is None:
            first = Seat(chance.pick("the first player", config.seats))
            yield FirstDrawn(seat=first)
            at = yield RoundBegun(round=state.round, first=first)
        for seat in config.clockwise(first):
            trait = Trait(chance.pick(f"the clue counter of {seat}", at.state.bag))
            at = yield CounterDrawn(seat=seat, trait=trait)
        return
    if state.watched is not None and (face := at.of(state.watched).clue) is not None:
        yield ClueOpened(seat=state.watched, face=face)
    yield DeckReady()


# --- CC-V: cards -------------------------------------------------------------------------------------------------------


class SuspectTurned(Event):
    """A seat turned a suspect: into its row, or onto its pile of the innocent."""

    seat: Who
    suspect: Public[SuspectId]
    is_match: Public[bool]
    rule: Name = "CC-V1"

    def apply(self, config: Config, state: State) -> State:
        place = "row" if self.is_match else "pile"
        turned = (*getattr(state.of(self.seat), place), self.suspect)
        return state.with_own(self.seat, {"to_turn": config.after(self.seat)}, **{place: turned})

    def tell(self, config: Config) -> str:
        where = "a suspect, into the row" if self.is_match else "innocent, onto the pile"
        return f"{config.named(self.seat)} turns {self.suspect} ({parts.faces_told(config.looks[self.suspect])}): {where}"


class InvestigatorTurned(Event):
    """A seat turned an investigator card and tossed a counter of the bag: ``face`` is a public clue."""

    says = "{seat} turns {card}, an investigator: the public clue is “{face.words}”"
    moves = ("card: cards >", "face: > public")
    seat: Who
    card: Public[Name]
    face: Public[Face]
    rule: Name = "CC-V2"


def turn_card(at: Here, chance: Chance) -> Moves:
    """Turn the next card, and open a window or call for the last accusations where that is due (CC-V1, CC-V2, CC-P1)."""
    config, state, seat = at.config, at.state, at.state.to_turn
    assert seat is not None
    deck = states.DECK.left(config, state)
    cards, is_last = odds(deck, state.cards), len(deck) + len(state.cards) == 1
    if not cards:
        return (yield DeckEmptied())
    card = chance.pick(f"the card that {seat} turns", cards)
    if card in state.cards:
        face = Face(chance.pick("the public clue", tuple(face for trait in state.bag for face in FACES[trait])))
        at = yield InvestigatorTurned(seat=seat, card=card, face=face)
    else:
        suspect = SuspectId(card)
        is_match = state.of(seat).clue in config.looks[suspect]
        at = yield SuspectTurned(seat=seat, suspect=suspect, is_match=is_match)
    is_due = not config.is_lap_window or card not in config.looks or at.state.to_turn == at.state.first
    if is_due and not is_last:
        yield WindowOpened(number=at.state.window + 1)


def odds(suspects: tuple[str, ...], cards: tuple[str, ...]) -> Sequence[str]:
    """Return the cards of a deck that can come next, each as often as its chance has it (CC-S3).

    Each of the ``suspects`` and investigator ``cards`` in the upper half is equally likely on top; for a suspect, each one
    not seen yet is equally likely, since the halves were made without looking.
    """
    upper = len(suspects) - UPPER_HALF
    if not cards:
        return suspects
    if upper <= 0:
        return cards
    return piles.Odds((suspects + cards, 1), (suspects, upper - 1), (cards, len(suspects) - 1))


# --- CC-A1: an accusation, final ---------------------------------------------------------------------------------------


_MOST_SUGGESTED: Final = 6


def accusable(at: Here) -> tuple[SuspectId, ...]:
    """Return who may be accused now, in the order of the component set (CC-A1).

    With ``accuse=rows`` that is the suspects in rows; in a last call, if all of those are accused, anybody shown.
    """
    config, state = at.config, at.state
    accused = {accusation.suspect for accusation in state.accusations}
    free = {suspect for suspect in state.shown if suspect not in accused}
    in_rows = free.intersection(suspect for agent in state.agents for suspect in agent.row)
    if config.is_rows_only and (in_rows or state.stage is not Stage.LAST_CALL):
        free = in_rows
    return tuple(suspect for suspect in config.looks if suspect in free)


def accusations(at: Here) -> tuple[str, ...]:
    """Return some accusations to suggest."""
    return tuple(f"ACCUSE {suspect}" for suspect in accusable(at)[:_MOST_SUGGESTED])


class Accused(Event):
    """A seat made its final accusation, as the ``place``-th of the round."""

    says = "{seat} accuses {suspect}, {place:th} to accuse"
    seat: Who
    suspect: Public[SuspectId]
    place: Annotated[int, Meta(ge=1, le=5), PUBLIC]
    rule: Name = "CC-A1"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, accusations=(*state.accusations, Accusation(self.seat, self.suspect)))


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
        accuser, free = at.state.accuser(self.suspect), accusable(at)
        if self.suspect in free:
            return None
        near = suggest(self.suspect, free) or free[:_MOST_SUGGESTED]
        if accuser is not None:
            message = f"{at.config.named(accuser)} has already accused {self.suspect}"
            return META.problem("accused-by-another", message, "CC-A1", "suspect", near)
        if self.suspect in at.state.shown:
            message = f"{self.suspect} is among the innocent: in this game only suspects in a row can be accused"
            return META.problem("not-in-a-row", message, "CC-A1", "suspect", near)
        return META.problem("not-shown", f"{self.suspect} has not been turned this round", "CC-A1", "suspect", near)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, accusable(at))

    def decide(self, at: Here, chance: Chance) -> Moves:
        if at.state.stage is Stage.LAST_CALL:
            yield Accused(seat=at.seat, suspect=self.suspect, place=len(at.state.accusations) + 1, rule="CC-A2")
        else:
            yield Answered(seat=at.seat, answer=Answer(self.suspect, self.received))


# --- CC-P1: a window, in which all accuse or wait ----------------------------------------------------------------------


class WindowOpened(Event):
    """Everybody without an accusation may accuse or wait."""

    becomes = {"stage": Stage.WINDOW}
    sets = {"window": "number"}
    number: Annotated[Positive, PUBLIC]
    rule: Name = "CC-P1"


_Sealed = Annotated[Answer | None, Said(lambda _config, answer: answer.text())]


class Answered(Event):
    """A seat answered in a window, sealed: ``answer`` is ``None`` to the others."""

    says = "{seat} {answer} (sealed)"
    unseen = "{seat} has answered"
    sets = {"own.answer": "answer"}
    seat: Who
    answer: Secret[_Sealed]
    rule: Name = "CC-P1"


_DATE: Final = r"(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME: Final = re.compile(rf"{_DATE}T([01][0-9]|2[0-3])(:[0-5][0-9]){{1,2}}")
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_time(received: str) -> bool:
    """Return whether ``received`` is a valid date and time, not before 1970."""
    found = _TIME.fullmatch(received)
    if found is None:
        return False
    year, month, day = map(int, found.groups()[:3])
    is_leap_day = (month, day) == (2, 29) and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _DAYS[month - 1] or is_leap_day


_MOST_WAITS: Final = 99
"""Windows that one ``WAIT`` may pass."""


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
        yield Answered(seat=at.seat, answer=Answer())

    def rest(self, at: Here) -> Wait | None:
        """CC-P1: while windows of this round go on. It names the round, so that it cannot run on into the next."""
        is_more = self.times > 1 and at.state.stage is Stage.WINDOW
        return Wait(self.times - 1, at.state.round) if is_more else None

    def has_expired(self, at: Here) -> bool:
        """CC-P1: a wait for a round whose windows are over."""
        state, of_round = at.state, self.of_round
        is_done = state.is_scored or state.stage is Stage.LAST_CALL
        return of_round is not None and (of_round < state.round or (of_round == state.round and is_done))


_WINDOW: Final = Ask(
    "window",
    "CC-P1",
    lambda at: f"accuse or wait in window {at.state.window} of round {at.state.round}: ACCUSE or WAIT",
    (Wait, Accuse),
    META.problem("window-open", "a window is open: answer ACCUSE or WAIT", "CC-P1", near=("ACCUSE …", "WAIT")),
)
_ANSWERED: Final = replace(_WINDOW, answered_in=lambda at: at.state.with_own(at.seat, answer=None))
"""Until the window closes, a seat can replace its answer."""


def waiting_in_window(at: Here) -> tuple[Ask, ...]:
    """Ask all without an accusation; those that have answered may answer again."""
    state = at.state
    answered = tuple([agent.seat for agent in state.agents if agent.answer is not None])
    waiting = [seat for seat in state.silent if seat not in answered]
    return _asked_in_window(in_turn(at, waiting), answered, (state.round, state.window))


@lru_cache(maxsize=1 << 9)
def _asked_in_window(waiting: tuple[Seat, ...], answered: tuple[Seat, ...], number: tuple[int, int]) -> tuple[Ask, ...]:
    return (*_WINDOW.to(*waiting, key=number), *_ANSWERED.to(*answered, key=number))


def close_window(at: Here, _chance: Chance) -> Moves:
    """Settle the sealed claims one after the other; the one that makes all but one ends the round (CC-A1, CC-A2).

    They count in the order of the time received if every claim has one; claims of the same time, and all others, go in
    playing order from the next to turn a card.
    """
    assert at.state.to_turn is not None
    answers = [(seat, at.of(seat).answer) for seat in at.config.clockwise(at.state.to_turn)]
    claims = [(answer.received, seat, answer.suspect) for seat, answer in answers if answer and answer.suspect]
    if all(received is not None for received, _, _ in claims):
        # A minute without its seconds is its beginning.
        claims.sort(key=lambda claim: f"{claim[0]}:00"[: len("2026-11-20T18:05:00")])
    for _, seat, suspect in claims:
        accuser = at.state.accuser(suspect)
        if len(at.state.silent) == 1:
            at = yield ClaimVoid(seat=seat, suspect=suspect)
        elif accuser is not None:
            at = yield ClaimRejected(seat=seat, suspect=suspect, by=accuser)
        else:
            at = yield Accused(seat=seat, suspect=suspect, place=len(at.state.accusations) + 1)
    if len(at.state.silent) == 1:
        yield RoundEnded(late=at.state.silent[0])
    else:
        yield WindowClosed()


class ClaimRejected(Event):
    """A seat accused a suspect whom ``by`` had accused just before: it has no accusation yet. Only it learns of this."""

    says = "{seat} accuses {suspect} too, but {by} came first: no accusation yet"
    seen_by = OWNER
    seat: Who
    suspect: Public[SuspectId]
    by: Who
    rule: Name = "CC-P1"


class ClaimVoid(Event):
    """A seat accused after all but one had: the round was over by then."""

    says = "{seat} accuses {suspect} too late: all but one had accused by then"
    seat: Who
    suspect: Public[SuspectId]
    rule: Name = "CC-P1"


class WindowClosed(Event):
    """All have answered, and the window closed."""

    rule: Name = "CC-P1"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, stage=Stage.TURNING, agents=state.unsealed)


# --- CC-A2: the end of the accusations ---------------------------------------------------------------------------------


class DeckEmptied(Event):
    """The last card was turned: all who have not accused must, one after the other."""

    says = "the deck is empty: all who have not accused must do so now"
    becomes = {"stage": Stage.LAST_CALL}
    rule: Name = "CC-A2"


class RoundEnded(Event):
    """All have accused, or all but ``late``."""

    late: Public[Seat | None]
    rule: Name = "CC-A2"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, stage=Stage.SCORING, watched=None, agents=state.unsealed)

    def tell(self, config: Config) -> str:
        late = "" if self.late is None else f" but {config.named(self.late)}"
        return f"the round is over: all{late} have accused"


LAST_CALL: Final = Ask(
    "last-call",
    "CC-A2",
    "accuse a suspect now, as the deck is empty: ACCUSE",
    (Accuse,),
    lambda at: META.problem("must-accuse", "the deck is empty: all must accuse now", "CC-A2", near=accusations(at)),
)


def end_accusing(_at: Here, _chance: Chance) -> Moves:
    """End a round in which all have accused."""
    yield RoundEnded(late=None)
