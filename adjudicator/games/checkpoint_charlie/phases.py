"""The order of play: whom each phase asks what, and what follows until a round is scored (CC-S, CC-V, CC-A, CC-P).

The deck is a bag of unseen suspects, investigators in its upper half.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from adjudicator.game import Ask, Chance, Moves, Phase, Seat, at_stage, piles, replace
from adjudicator.games.checkpoint_charlie import events as happened
from adjudicator.games.checkpoint_charlie.components import FACES, UPPER_HALF, Face, SuspectId, Trait
from adjudicator.games.checkpoint_charlie.markers import close_hearing, hear, score_round
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.orders import Accuse, Clue, Wait, accusations, own_clues
from adjudicator.games.checkpoint_charlie.state import DECK, Here, Stage, in_turn

# --- CC-S: clues -------------------------------------------------------------------------------------------------------


CLUE: Final = Ask(
    "clue",
    "CC-S2",
    lambda at: f"choose a clue for round {at.state.round}: CLUE",
    (Clue,),
    lambda at: META.problem("clue-first", "lay the clue counter first", "CC-S2", near=own_clues(at.own)),
)
_WATCHED: Final = "(it will lie open when all have chosen: the Stasi officer watches)"
WATCHED: Final = replace(CLUE, rule="CC-O1", words=lambda at: f"choose a clue for round {at.state.round}: CLUE {_WATCHED}")


def _choosers(at: Here) -> tuple[Ask, ...]:
    state = at.state
    seats = [agent.seat for agent in state.agents if agent.trait is not None]
    return tuple([ask for seat in in_turn(at, seats) for ask in (WATCHED if state.watched == seat else CLUE).to(seat)])


def begin_round(at: Here, chance: Chance) -> Moves:
    """Draw the first player and a clue counter for each; once all clues are laid, open the watched one (CC-S1, CC-S2)."""
    config, state, first = at.config, at.state, at.state.first
    if all(agent.clue is None for agent in state.agents):
        if first is None:
            first = Seat(chance.pick("the first player", config.seats))
            yield happened.FirstDrawn(seat=first)
            at = yield happened.RoundBegun(round=state.round, first=first)
        for seat in config.clockwise(first):
            trait = Trait(chance.pick(f"the clue counter of {seat}", at.state.bag))
            at = yield happened.CounterDrawn(seat=seat, trait=trait)
        return
    face = None if state.watched is None else at.of(state.watched).clue
    if state.watched is not None and face is not None:
        yield happened.ClueOpened(seat=state.watched, face=face)
    yield happened.DeckReady()


# --- CC-V: cards -------------------------------------------------------------------------------------------------------


def turn_card(at: Here, chance: Chance) -> Moves:
    """Turn the next card, and open a window or call for the last accusations where that is due (CC-V1, CC-V2, CC-P1)."""
    config, state, seat = at.config, at.state, at.state.to_turn
    assert seat is not None
    deck = DECK.left(config, state)
    cards, is_last = odds(deck, state.cards), len(deck) + len(state.cards) == 1
    if not cards:
        yield happened.DeckEmptied()
        return
    card = chance.pick(f"the card that {seat} turns", cards)
    if card in state.cards:
        face = Face(chance.pick("the public clue", tuple(face for trait in state.bag for face in FACES[trait])))
        at = yield happened.InvestigatorTurned(seat=seat, card=card, face=face)
    else:
        suspect = SuspectId(card)
        is_match = state.of(seat).clue in config.looks[suspect]
        at = yield happened.SuspectTurned(seat=seat, suspect=suspect, is_match=is_match)
    if is_last:
        yield happened.DeckEmptied()
    elif not config.is_lap_window or card not in config.looks or at.state.to_turn == at.state.first:
        yield happened.WindowOpened(number=at.state.window + 1)


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


# --- CC-P1, CC-A: accusations ------------------------------------------------------------------------------------------

WINDOW: Final = Ask(
    "window",
    "CC-P1",
    lambda at: f"accuse or wait in window {at.state.window} of round {at.state.round}: ACCUSE or WAIT",
    (Wait, Accuse),
    META.problem("window-open", "a window is open: answer ACCUSE or WAIT", "CC-P1", near=("ACCUSE …", "WAIT")),
)
ANSWERED: Final = replace(WINDOW, answered_in=lambda at: at.state.with_own(at.seat, answer=None))
"""Until the window closes, an answer can be given anew."""


def _suspicious(at: Here) -> tuple[Ask, ...]:
    state = at.state
    answered = tuple([agent.seat for agent in state.agents if agent.answer is not None])
    waiting = [seat for seat in state.silent if seat not in answered]
    return _asked_in_window(in_turn(at, waiting), answered, (state.round, state.window))


@lru_cache(maxsize=1 << 9)
def _asked_in_window(waiting: tuple[Seat, ...], answered: tuple[Seat, ...], number: tuple[int, int]) -> tuple[Ask, ...]:
    return (*WINDOW.to(*waiting, key=number), *ANSWERED.to(*answered, key=number))


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
            at = yield happened.ClaimVoid(seat=seat, suspect=suspect)
        elif accuser is not None:
            at = yield happened.ClaimRejected(seat=seat, suspect=suspect, by=accuser)
        else:
            at = yield happened.Accused(seat=seat, suspect=suspect, place=len(at.state.accusations) + 1)
    if len(at.state.silent) == 1:
        yield happened.RoundEnded(late=at.state.silent[0])
    else:
        yield happened.WindowClosed()


LAST_CALL: Final = Ask(
    "last-call",
    "CC-A2",
    "accuse a suspect now, as the deck is empty: ACCUSE",
    (Accuse,),
    lambda at: META.problem("must-accuse", "the deck is empty: all must accuse now", "CC-A2", near=accusations(at)),
)


def _end(_at: Here, _chance: Chance) -> Moves:
    yield happened.RoundEnded(late=None)


PHASES: Final = (
    Phase("CC-S2", at_stage(Stage.CLUES), _choosers, begin_round),
    Phase("CC-V1", at_stage(Stage.TURNING), follow=turn_card),
    Phase("CC-P1", at_stage(Stage.WINDOW), _suspicious, close_window),
    Phase("CC-A2", at_stage(Stage.LAST_CALL), lambda at: LAST_CALL.to(*in_turn(at, at.state.silent)[:1]), _end),
    Phase("CC-E1", lambda at: at.state.stage is Stage.SCORING and at.state.speaking, hear, close_hearing),
    Phase("CC-K1", at_stage(Stage.SCORING), follow=score_round),
)
