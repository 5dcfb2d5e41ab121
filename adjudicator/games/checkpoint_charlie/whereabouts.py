"""Where every card, counter and marker is: what positions and amendments are checked against (CC-C)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_charlie.components import (
    TRAIT_OF,
    TRAITS,
    UPPER_HALF,
    Face,
    MarkerId,
    Power,
    SuspectId,
    Trait,
)
from adjudicator.games.checkpoint_charlie.config import Config

H = TypeVar("H", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Holding:
    """What one seat has, as a position or a state says."""

    seat: Seat
    trait: Trait | None
    clue: Face | None
    row: tuple[SuspectId, ...]
    pile: tuple[SuspectId, ...]
    accused: SuspectId | None
    markers: tuple[MarkerId, ...]


def card_problems(config: Config, holdings: Iterable[Holding], deck: Iterable[SuspectId]) -> Iterator[str]:
    """Yield what cannot be so of the suspects: places, rows against clues, accusations (CC-V1, CC-A1)."""
    holdings = tuple(holdings)
    everywhere = [*deck, *(suspect for holding in holdings for suspect in (*holding.row, *holding.pile))]
    yield from _places("suspect", everywhere, config.rank)
    for holding in holdings:
        yield from _row_problems(config, holding)
    shown = {suspect for holding in holdings for suspect in (*holding.row, *holding.pile)}
    for holding in holdings:
        if holding.accused is not None and holding.accused not in shown:
            yield f"{holding.seat}: {holding.accused} is accused, but has not been turned"
    accused = Counter(holding.accused for holding in holdings if holding.accused is not None)
    for suspect, count in accused.items():
        if count > 1:
            yield f"{suspect} is accused by {count} seats"


def _row_problems(config: Config, holding: Holding) -> Iterator[str]:
    if holding.clue is None:
        if holding.row or holding.pile:
            yield f"{holding.seat}: cards are turned only once the clue is laid"
        return
    for where, suspects, is_match in (("row", holding.row, True), ("pile", holding.pile, False)):
        for suspect in suspects:
            if suspect in config.looks and config.looks_like(suspect, holding.clue) is not is_match:
                fits = "does not match" if is_match else "matches"
                yield f"{holding.seat}: {suspect} {fits} the clue “{holding.clue.words}”, so it is not in the {where}"


def counter_problems(holdings: Iterable[Holding], public: Iterable[Face], bag: Iterable[Trait]) -> Iterator[str]:
    """Yield what cannot be so of the clue counters: each is in one place (CC-C2)."""
    drawn = [holding.trait for holding in holdings if holding.trait is not None]
    yield from _places("clue counter", [*drawn, *(TRAIT_OF[face] for face in public), *bag], dict.fromkeys(TRAITS))


def marker_problems(
    config: Config, holdings: Iterable[Holding], pool: Iterable[MarkerId], spent: Iterable[MarkerId]
) -> Iterator[str]:
    """Yield what cannot be so of the score markers (CC-C3)."""
    held = [marker for holding in holdings for marker in holding.markers]
    yield from _places("marker", [*held, *pool], config.markers)
    for marker in spent:
        if marker not in config.markers or not config.is_power(marker, Power.ADLER) or marker not in held:
            yield f"marker {marker} cannot have been exchanged: only a Café Adler marker that somebody holds can"


def accusation_problems(holdings: Iterable[Holding], order: Iterable[Seat]) -> Iterator[str]:
    """Yield what cannot be so of the order of accusing: it names those who have accused, each once."""
    accusers = sorted(holding.seat for holding in holdings if holding.accused is not None)
    if sorted(order) != accusers:
        yield f"the order of accusing must name once each who has accused: {', '.join(accusers) or 'nobody'}"


def half_problems(deck: Iterable[SuspectId], cards: Iterable[str]) -> Iterator[str]:
    """Yield what cannot be so of the deck: investigator cards lie in its upper half (CC-S3)."""
    left, cards = len(tuple(deck)), tuple(cards)
    if cards and left < UPPER_HALF:
        yield f"the upper half of the deck is turned by now, {' and '.join(cards)} with it: only {left} suspects are left"


def watch_problems(config: Config, watched: Iterable[Seat]) -> Iterator[str]:
    """Yield what cannot be so of the Stasi officer, who watches one seat at most (CC-O1)."""
    seats = tuple(watched)
    if seats and not any(config.is_power(marker, Power.STASI) for marker in config.markers):
        yield f"nobody is watched, neither {' nor '.join(seats)}: this game has no Stasi officer"
    elif len(seats) > 1:
        yield f"the Stasi officer watches one seat, not {' and '.join(seats)}"


def _places(what: str, found: Iterable[H], known: Mapping[H, object]) -> Iterator[str]:
    counts = Counter(found)
    for name, count in counts.items():
        if name not in known:
            yield f"there is no {what} {name} in this game"
        elif count > 1:
            yield f"{what} {name} is in {count} places"
    missing = [str(name) for name in known if name not in counts]
    if missing:
        yield f"{what} {', '.join(missing)}: nowhere"
