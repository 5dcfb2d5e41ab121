"""A round until it is scored: counters are drawn, cards turned, windows closed (CC-S, CC-V, CC-A, CC-P).

The deck is a bag of unseen suspects, investigators in its upper half.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from adjudicator.game import Chance, Seat
from adjudicator.games.checkpoint_charlie import events as happened
from adjudicator.games.checkpoint_charlie.components import FACES, UPPER_HALF, Config, Face, SuspectId, Trait
from adjudicator.games.checkpoint_charlie.state import DECK, Here, State

Moves = Generator[Any, Here, Any]


def draw_counters(at: Here, chance: Chance) -> Moves:
    """CC-S1, CC-S2: the first player by chance, then a clue counter each."""
    config, first = at.config, at.state.first
    if first is None:
        first = Seat(chance.pick("the first player", config.seats))
        at = yield happened.FirstDrawn(seat=first)
        at = yield happened.RoundBegun(round=at.state.round, first=first)
    for seat in config.clockwise(first):
        trait = chance.pick(f"the clue counter of {seat}", tuple(trait.value for trait in at.state.bag))
        at = yield happened.CounterDrawn(seat=seat, trait=Trait(trait))


def start_turning(at: Here, _chance: Chance) -> Moves:
    """Open the watched seat's clue, and begin to turn cards, after all clues are laid (CC-O1)."""
    watched = at.state.watched
    face = None if watched is None else at.of(watched).clue
    if watched is not None and face is not None:
        yield happened.ClueOpened(seat=watched, face=face)
    yield happened.DeckReady()


def turn_card(at: Here, chance: Chance) -> Moves:
    """Turn the next card, and open a window or call for the last accusations where that is due."""
    config, state = at.config, at.state
    seat = state.to_turn
    if seat is None:
        return
    deck = DECK.left(config, state)
    cards, is_last = odds(deck, state.cards), len(deck) + len(state.cards) == 1
    if not cards:
        yield happened.DeckEmptied()
        return
    card = chance.pick(f"the card that {seat} turns", cards)
    if card in state.cards:
        faces = tuple(face.value for trait in state.bag for face in FACES[trait])
        face = Face(chance.pick("the public clue", faces))
        at = yield happened.InvestigatorTurned(seat=seat, card=card, face=face)
    else:
        suspect = SuspectId(card)
        is_match = state.of(seat).clue in config.looks[suspect]
        at = yield happened.SuspectTurned(seat=seat, suspect=suspect, is_match=is_match)
    if is_last:
        yield happened.DeckEmptied()
    elif not config.is_lap_window or card not in config.looks or at.state.to_turn == at.state.first:
        yield happened.WindowOpened(number=at.state.window + 1)


def odds(suspects: tuple[SuspectId, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards of a deck that can come next, each as often as its chance has it (CC-S3).

    Each of the ``suspects`` and investigator ``cards`` in the upper half is equally likely on top; for a suspect, each one
    not seen yet is equally likely, since the halves were made without looking.
    """
    upper = len(suspects) - UPPER_HALF
    if not cards:
        return suspects
    if upper <= 0:
        return cards
    return suspects + cards + suspects * (upper - 1) + cards * (len(suspects) - 1)


def close_window(at: Here, _chance: Chance) -> Moves:
    """Settle the sealed claims one after the other; the one that makes all but one ends the round (CC-A1, CC-A2)."""
    for seat, suspect in claims(at.config, at.state):
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


def claims(config: Config, state: State) -> list[tuple[Seat, SuspectId]]:
    """Return the sealed claims in the order in which they count.

    That is the time received if every claim has one; claims of the same time, and all others, go in playing order from the
    next to turn a card (CC-P1).
    """
    assert state.to_turn is not None
    found = []
    for seat in config.clockwise(state.to_turn):
        answer = state.of(seat).answer
        if answer is not None and answer.suspect is not None:
            found.append((answer.received, seat, answer.suspect))
    if all(received is not None for received, _, _ in found):
        # A minute without its seconds is its beginning.
        found.sort(key=lambda claim: f"{claim[0]}:00"[: len("2026-11-20T18:05:00")])
    return [(seat, suspect) for _, seat, suspect in found]
