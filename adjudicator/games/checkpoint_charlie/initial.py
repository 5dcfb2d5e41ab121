"""The state a game begins with: nothing drawn yet, or the position that was given."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem, SetupError
from adjudicator.games.checkpoint_charlie.components import TRAIT_OF, TRAITS, Face, Power, SuspectId
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.position import Position, SeatAt
from adjudicator.games.checkpoint_charlie.state import Agent, Stage, State
from adjudicator.games.checkpoint_charlie.whereabouts import (
    Holding,
    accusation_problems,
    card_problems,
    counter_problems,
    half_problems,
    marker_problems,
    watch_problems,
)


def initial(config: Config) -> State:
    """Return the first state. Raises ``SetupError`` with everything that is wrong with an explicit position."""
    position = config.position
    if position is None:
        return _before_all(config)
    problems = tuple(_position_problems(config, position))
    if problems:
        raise SetupError(problems)
    return _placed(config, position)


def _before_all(config: Config) -> State:
    return State(
        stage=Stage.DRAWING,
        round=1,
        first=None,
        to_turn=None,
        deck=tuple(config.rank),
        cards=config.unused,
        bag=TRAITS,
        public=(),
        agents=tuple(Agent(seat=seat) for seat in config.seats),
        accusations=(),
        window=0,
        pool=tuple(config.markers),
        spent=(),
        swaps=(),
        speaking=(),
        ending=None,
    )


def _placed(config: Config, position: Position) -> State:
    first = position.first or config.seats[0]
    held = {marker for at in position.seats for marker in at.markers}
    taken = {TRAIT_OF[face] for face in _faces(position)}
    return State(
        stage=_stage(position),
        round=position.round,
        first=first,
        to_turn=position.to_turn or first,
        deck=_deck(config, position),
        cards=_cards(config, position),
        bag=tuple(trait for trait in TRAITS if trait not in taken),
        public=position.public,
        agents=tuple(_agent(_seat(position, seat)) for seat in config.seats),
        accusations=_accusations(config, position),
        window=1 if position.is_window else 0,
        pool=tuple(marker for marker in config.markers if marker not in held),
        spent=config.sorted_markers(position.spent),
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


def _deck(config: Config, position: Position) -> tuple[SuspectId, ...]:
    shown = {suspect for at in position.seats for suspect in (*at.row, *at.pile)}
    return tuple(suspect for suspect in config.rank if suspect not in shown)


def _cards(config: Config, position: Position) -> tuple[str, ...]:
    if position.cards is not None:
        return tuple(card for card in config.unused if card in position.cards)
    return config.unused[len(position.public) :]


def _accusations(config: Config, position: Position) -> tuple[Seat, ...]:
    if position.accusations is not None:
        return position.accusations
    return tuple(seat for seat in config.seats if _seat(position, seat).accused is not None)


def _position_problems(config: Config, position: Position) -> Iterator[Problem]:
    """Yield everything that cannot be so in a position."""
    seats = [at.seat for at in position.seats]
    if sorted(seats) != sorted(config.seats):
        yield _problem(f"the position is for the seats {', '.join(seats)}, the game for {', '.join(config.seats)}")
        return
    for message in (
        *_part_problems(config, position),
        *_round_problems(config, position),
        *_deck_problems(config, position),
    ):
        yield _problem(message)


def _part_problems(config: Config, position: Position) -> Iterator[str]:
    holdings = [_holding(at) for at in position.seats]
    taken = {TRAIT_OF[face] for face in _faces(position)}
    held = {marker for at in position.seats for marker in at.markers}
    yield from card_problems(config, holdings, _deck(config, position))
    yield from counter_problems(holdings, position.public, (trait for trait in TRAITS if trait not in taken))
    pool = (marker for marker in config.markers if marker not in held)
    yield from marker_problems(config, holdings, pool, position.spent)
    yield from accusation_problems(holdings, _accusations(config, position))
    if any(marker in config.markers and config.is_power(marker, Power.STASI) for marker in held):
        yield "the Stasi marker is in the pool between two scoring phases"
    yield from watch_problems(config, (at.seat for at in position.seats if at.is_watched))


def _holding(at: SeatAt) -> Holding:
    trait = None if at.clue is None else TRAIT_OF[at.clue]
    return Holding(at.seat, trait, at.clue, at.row, at.pile, at.accused, at.markers)


def _round_problems(config: Config, position: Position) -> Iterator[str]:
    if position.round > config.rounds:
        yield f"there are {config.rounds} rounds, this would be round {position.round}"
    for what, seat in (("to begin the round", position.first), ("to turn the next card", position.to_turn)):
        if seat is not None and seat not in config.seats:
            yield f"there is no seat {seat} {what}"
    if 0 < sum(at.clue is not None for at in position.seats) < len(position.seats):
        yield "either every seat has a clue, or none has one yet"
    if not _has_clues(position) and (position.is_window or position.public):
        yield "a window or a public clue comes after all clues are laid"
    if position.is_window and not any(at.row or at.pile for at in position.seats) and not position.public:
        yield "a window opens after a card has been turned"
    if sum(at.accused is not None for at in position.seats) >= len(position.seats) - 1:
        yield "once all but one have accused, the round is over"


def _deck_problems(config: Config, position: Position) -> Iterator[str]:
    cards = position.cards or ()
    for card in cards:
        if card not in config.unused:
            yield f"investigator {card} is not in the deck: {', '.join(config.unused) or 'none'} can be"
    if len(set(cards)) < len(cards):
        yield "an investigator card is in the deck twice"
    if len(_cards(config, position)) + len(position.public) != len(config.unused):
        yield f"{len(config.unused)} investigator cards are in the deck, or their public clues are on the table"
    yield from half_problems(_deck(config, position), _cards(config, position))
    if position.is_window and not (_deck(config, position) or _cards(config, position)):
        yield "no window opens after the last card: all must accuse then"


def _problem(message: str) -> Problem:
    return Problem("checkpoint-charlie/impossible-position", message)
