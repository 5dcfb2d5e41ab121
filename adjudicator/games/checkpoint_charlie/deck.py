"""Turning cards: the deck is a bag of unseen suspects, with investigator cards in its upper half (CC-S3, CC-V)."""

from __future__ import annotations

from collections.abc import Generator

from adjudicator.core.chance import Chance
from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_charlie.components import FACES, Face, SuspectId
from adjudicator.games.checkpoint_charlie.config import Config, trait_order
from adjudicator.games.checkpoint_charlie.events import (
    DeckEmptied,
    Event,
    InvestigatorTurned,
    SuspectTurned,
    WindowOpened,
)
from adjudicator.games.checkpoint_charlie.state import State

Moves = Generator[Event, State, State]


def turn_card(config: Config, state: State, seat: Seat, chance: Chance) -> Moves:
    """Turn the next card for ``seat``, and open a window or call for the last accusations where that is due."""
    if not state.cards_left:
        return (yield DeckEmptied())
    card = chance.pick(f"the card that {seat} turns", odds(state))
    if card in state.cards:
        face = Face(chance.pick("the public clue", tuple(face.value for face in bag_faces(state))))
        state = yield InvestigatorTurned(seat=seat, card=card, face=face)
    else:
        suspect = SuspectId(card)
        clue = state.agent(seat).clue
        is_match = clue is not None and config.looks_like(suspect, clue)
        state = yield SuspectTurned(seat=seat, suspect=suspect, is_match=is_match)
    if not state.cards_left:
        return (yield DeckEmptied())
    if not config.is_lap_window or card not in config.looks or state.to_turn == state.first:
        state = yield WindowOpened(number=state.window + 1)
    return state


def odds(state: State) -> tuple[str, ...]:
    """Return the cards that can come next, each as often as its chance has it (CC-S3).

    Of ``upper`` suspects and some investigator cards in the upper half each is equally likely on top; which suspect it is,
    each one not seen yet is equally likely, since the halves were made without looking.
    """
    suspects, cards = state.deck, state.cards
    if not cards:
        return suspects
    if not state.upper or not suspects:
        return cards
    return suspects + cards + suspects * (state.upper - 1) + cards * (len(suspects) - 1)


def bag_faces(state: State) -> tuple[Face, ...]:
    """Return the faces of the clue counters in the bag."""
    return tuple(face for trait in trait_order(state.bag) for face in FACES[trait])
