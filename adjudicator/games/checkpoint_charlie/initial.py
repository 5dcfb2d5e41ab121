"""The state a game begins with: nothing drawn yet, or the position that was given."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem, SetupError
from adjudicator.games.checkpoint_charlie.components import TRAIT_OF, TRAITS, Face, Power, SuspectId
from adjudicator.games.checkpoint_charlie.position import Position, SeatAt
from adjudicator.games.checkpoint_charlie.state import Agent, Stage, State
from adjudicator.games.checkpoint_charlie.table import Table
from adjudicator.games.checkpoint_charlie.whereabouts import (
    Holding,
    accusation_problems,
    card_problems,
    counter_problems,
    half_problems,
    marker_problems,
    watch_problems,
)


def initial(table: Table) -> State:
    """Return the first state. Raises ``SetupError`` with everything that is wrong with an explicit position."""
    position = table.position
    if position is None:
        return _before_all(table)
    problems = tuple(_position_problems(table, position))
    if problems:
        raise SetupError(problems)
    return _placed(table, position)


def _before_all(table: Table) -> State:
    return State(
        stage=Stage.DRAWING,
        round=1,
        first=None,
        to_turn=None,
        deck=tuple(table.rank),
        cards=table.unused,
        bag=TRAITS,
        public=(),
        agents=tuple(Agent(seat=seat) for seat in table.seats),
        accusations=(),
        window=0,
        pool=tuple(table.markers),
        spent=(),
        swaps=(),
        speaking=(),
        ending=None,
    )


def _placed(table: Table, position: Position) -> State:
    first = position.first or table.seats[0]
    held = {marker for at in position.seats for marker in at.markers}
    taken = {TRAIT_OF[face] for face in _faces(position)}
    return State(
        stage=_stage(position),
        round=position.round,
        first=first,
        to_turn=position.to_turn or first,
        deck=_deck(table, position),
        cards=_cards(table, position),
        bag=tuple(trait for trait in TRAITS if trait not in taken),
        public=position.public,
        agents=tuple(_agent(_seat(position, seat)) for seat in table.seats),
        accusations=_accusations(table, position),
        window=1 if position.is_window else 0,
        pool=tuple(marker for marker in table.markers if marker not in held),
        spent=table.sorted_markers(position.spent),
        swaps=position.swaps,
        speaking=(),
        ending=None,
    )


def _stage(position: Position) -> Stage:
    if not _has_clues(position):
        return Stage.DRAWING
    return Stage.WINDOW if position.is_window else Stage.TURNING


def _agent(at: SeatAt) -> Agent:
    trait = None if at.clue is None else TRAIT_OF[at.clue]
    return Agent(
        seat=at.seat,
        trait=trait,
        clue=at.clue,
        row=at.row,
        pile=at.pile,
        accused=at.accused,
        markers=at.markers,
        is_watched=at.is_watched,
    )


def _seat(position: Position, seat: Seat) -> SeatAt:
    return next(at for at in position.seats if at.seat == seat)


def _has_clues(position: Position) -> bool:
    return all(at.clue is not None for at in position.seats)


def _faces(position: Position) -> list[Face]:
    return [*(at.clue for at in position.seats if at.clue is not None), *position.public]


def _deck(table: Table, position: Position) -> tuple[SuspectId, ...]:
    shown = {suspect for at in position.seats for suspect in (*at.row, *at.pile)}
    return tuple(suspect for suspect in table.rank if suspect not in shown)


def _cards(table: Table, position: Position) -> tuple[str, ...]:
    if position.cards is not None:
        return tuple(card for card in table.unused if card in position.cards)
    return table.unused[len(position.public) :]


def _accusations(table: Table, position: Position) -> tuple[Seat, ...]:
    if position.accusations is not None:
        return position.accusations
    return tuple(seat for seat in table.seats if _seat(position, seat).accused is not None)


def _position_problems(table: Table, position: Position) -> Iterator[Problem]:
    """Yield everything that cannot be so in a position."""
    seats = [at.seat for at in position.seats]
    if sorted(seats) != sorted(table.seats):
        yield _problem(f"the position is for the seats {', '.join(seats)}, the game for {', '.join(table.seats)}")
        return
    for message in (*_part_problems(table, position), *_round_problems(table, position), *_deck_problems(table, position)):
        yield _problem(message)


def _part_problems(table: Table, position: Position) -> Iterator[str]:
    holdings = [_holding(at) for at in position.seats]
    taken = {TRAIT_OF[face] for face in _faces(position)}
    held = {marker for at in position.seats for marker in at.markers}
    yield from card_problems(table, holdings, _deck(table, position))
    yield from counter_problems(holdings, position.public, (trait for trait in TRAITS if trait not in taken))
    pool = (marker for marker in table.markers if marker not in held)
    yield from marker_problems(table, holdings, pool, position.spent)
    yield from accusation_problems(holdings, _accusations(table, position))
    if any(marker in table.markers and table.is_power(marker, Power.STASI) for marker in held):
        yield "the Stasi marker is in the pool between two scoring phases"
    yield from watch_problems(table, (at.seat for at in position.seats if at.is_watched))


def _holding(at: SeatAt) -> Holding:
    trait = None if at.clue is None else TRAIT_OF[at.clue]
    return Holding(at.seat, trait, at.clue, at.row, at.pile, at.accused, at.markers)


def _round_problems(table: Table, position: Position) -> Iterator[str]:
    if position.round > table.rounds:
        yield f"there are {table.rounds} rounds, this would be round {position.round}"
    for what, seat in (("to begin the round", position.first), ("to turn the next card", position.to_turn)):
        if seat is not None and seat not in table.seats:
            yield f"there is no seat {seat} {what}"
    if 0 < sum(at.clue is not None for at in position.seats) < len(position.seats):
        yield "either every seat has a clue, or none has one yet"
    if not _has_clues(position) and (position.is_window or position.public):
        yield "a window or a public clue comes after all clues are laid"
    if position.is_window and not any(at.row or at.pile for at in position.seats) and not position.public:
        yield "a window opens after a card has been turned"
    if sum(at.accused is not None for at in position.seats) >= len(position.seats) - 1:
        yield "once all but one have accused, the round is over"


def _deck_problems(table: Table, position: Position) -> Iterator[str]:
    cards = position.cards or ()
    for card in cards:
        if card not in table.unused:
            yield f"investigator {card} is not in the deck: {', '.join(table.unused) or 'none'} can be"
    if len(set(cards)) < len(cards):
        yield "an investigator card is in the deck twice"
    if len(_cards(table, position)) + len(position.public) != len(table.unused):
        yield f"{len(table.unused)} investigator cards are in the deck, or their public clues are on the table"
    yield from half_problems(_deck(table, position), _cards(table, position))
    if position.is_window and not (_deck(table, position) or _cards(table, position)):
        yield "no window opens after the last card: all must accuse then"


def _problem(message: str) -> Problem:
    return Problem("checkpoint-charlie/impossible-position", message)
