"""Compute statistics of many games of one ruleset: lengths, results, winners and events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from adjudicator.core.ruleset import GameMeta
from adjudicator.core.values import Seat, Value
from adjudicator.library.game import Game
from adjudicator.reports.sanitize import printable
from adjudicator.reports.texts import count_of, table_lines
from adjudicator.simulate.plan import Plan

_NO_TRAITS: Final = frozenset({"seat", "rule", "kind"})
_MOST_VALUES: Final = 12
"""The text omits a trait with more values than this, because nearly all counts would be 1."""


class SeatTally(Value):
    """The result of one seat: its ``place``, ``score`` and ``note`` in the final standings, and its set-up.

    ``turn`` is its place in the order of play, from 1 (0: never asked); ``traits`` are named values of the set-up, such as
    its car.
    """

    seat: Seat
    place: int
    score: int
    note: str
    turn: int
    traits: Mapping[str, str]


class GameTally(Value):
    """The counts of one game: accepted ``orders``, the result of each seat, and the number of events of each kind."""

    number: int
    is_finished: bool
    orders: int
    seats: tuple[SeatTally, ...]
    events: Mapping[str, int]


class NumberSpread(Value, kw_only=True):
    """The least, the median (the lower of two), the mean (text with one decimal) and the greatest of some numbers."""

    least: int
    median: int
    mean: str
    most: int


class WinShare(Value):
    """How often seats with this ``value`` won: ``won`` of ``played``. Seats that share the first place have both won."""

    value: str
    won: int
    played: int


class EventCount(Value):
    """The number of events of one kind: ``count`` in ``games`` games."""

    count: int
    games: int


class GameStatistics(Value, kw_only=True):
    """Statistics of games; the ``unfinished`` ones count only for length.

    ``orders`` is the number of orders in a game, ``winning`` and ``scores`` are the results of the winner and of every seat.
    ``wins`` has shares by seat, by order of play and by each trait; ``results`` counts final notes, ``winners`` those of
    winners.
    """

    games: int
    unfinished: int
    orders: NumberSpread
    winning: NumberSpread | None
    scores: NumberSpread | None
    wins: Mapping[str, tuple[WinShare, ...]]
    results: Mapping[str, int]
    winners: Mapping[str, int]
    events: Mapping[str, EventCount]


class Simulation(GameStatistics, kw_only=True):
    """Statistics of simulated games, with their plan, and the number of ``audited`` games."""

    plan: Plan
    audited: int


def tally_game(game: Game, number: int) -> GameTally:
    """Return the tally of ``game``; ``number`` orders it among the others."""
    rules, record = game.rules, game.record
    traits, first = _traits_of(game), dict.fromkeys(link.entry.seat for link in record.journal[1:] if link.entry.seat)
    turns = {seat: at for at, seat in enumerate(first, 1)}
    kinds = Counter(event.kind for link in record.journal for event in link.entry.events)  # undone ones included
    seats = tuple(
        SeatTally(
            standing.seat,
            standing.place,
            standing.score,
            standing.note,
            turns.get(standing.seat, 0),
            traits.get(standing.seat, {}),
        )
        for standing in rules.standings(record.state)
    )
    return GameTally(number, rules.is_over(record.state), len(record.journal) - 1, seats, dict(kinds))


def _traits_of(game: Game) -> Mapping[Seat, Mapping[str, str]]:
    """Return what each seat got at the set-up: every word in its events, such as its car."""
    traits: dict[Seat, dict[str, str]] = {seat: {} for seat in game.seats}
    for event in game.record.journal[0].entry.events:
        owner = traits.get(getattr(event, "seat", None))  # type: ignore[arg-type]
        if owner is None:
            continue
        for name in event.__struct_fields__:
            value: Any = getattr(event, name)
            if name not in _NO_TRAITS and isinstance(value, str):
                owner[name] = value
    return traits


def statistics(tallies: Iterable[GameTally]) -> GameStatistics:
    """Return the statistics of ``tallies``: at least one, in any order. ``winning``, ``scores``: in the game's unit."""
    games = sorted(tallies, key=lambda tally: tally.number)
    finished = [tally for tally in games if tally.is_finished]
    seats = [seat for tally in finished for seat in tally.seats]
    winners = [seat for seat in seats if seat.place == 1]
    kinds = sorted({kind for tally in games for kind in tally.events})
    counts = {kind: [tally.events[kind] for tally in games if kind in tally.events] for kind in kinds}
    return GameStatistics(
        games=len(games),
        unfinished=len(games) - len(finished),
        orders=_spread([tally.orders for tally in games]),
        winning=_spread([seat.score for seat in winners]) if winners else None,
        scores=_spread([seat.score for seat in seats]) if seats else None,
        wins=dict(_shares(seats)),
        results=_counted(seat.note for seat in seats),
        winners=_counted(seat.note for seat in winners),
        events={kind: EventCount(sum(numbers), len(numbers)) for kind, numbers in counts.items()},
    )


def statistics_text(found: GameStatistics, about: GameMeta, width: int | None = None) -> str:
    """Return ``found`` as tables of ``width`` columns."""
    unfinished = f", {found.unfinished} of them unfinished" if found.unfinished else ""
    blocks = [[f"{about.name}: {count_of(found.games, 'game')}{unfinished}"]]
    lengths: list[tuple[str, NumberSpread | None]] = [
        ("orders", found.orders),
        (f"{about.unit[1]} of the winner", found.winning),
        (f"{about.unit[1]} of a seat", found.scores),
    ]
    rows = [(name, str(one.least), str(one.median), one.mean, str(one.most)) for name, one in lengths if one is not None]
    blocks.append(table_lines(("a game", "least", "median", "mean", "most"), rows, width))
    for by, shares in found.wins.items():
        if 0 < len(shares) <= _MOST_VALUES:
            headings = (f"by {printable(by)}", "won", "played", "%")
            cells = [(printable(one.value), str(one.won), str(one.played), percent(one.won, one.played)) for one in shares]
            blocks.append(table_lines(headings, cells, width))
    results = [(printable(note), str(count), str(found.winners.get(note, 0))) for note, count in found.results.items()]
    if results:
        blocks.append(table_lines(("result of a seat", "seats", "winners"), results, width))
    kinds = [(kind, str(one.count), str(one.games)) for kind, one in found.events.items()]
    blocks.append(table_lines(("event", "times", "games"), kinds, width))
    return "\n\n".join("\n".join(block) for block in blocks if block)


def percent(part: int, whole: int) -> str:
    """Return ``part`` of ``whole`` in percent with one decimal, rounded half up; 0 if ``whole`` is 0."""
    return _tenths((2000 * part + whole) // (2 * whole)) if whole else "0.0"


def _spread(numbers: Sequence[int]) -> NumberSpread:
    ordered = sorted(numbers)
    count, whole = len(ordered), sum(ordered)
    mean = _tenths((20 * whole + count) // (2 * count))
    return NumberSpread(least=ordered[0], median=ordered[(count - 1) // 2], mean=mean, most=ordered[-1])


def _shares(seats: Sequence[SeatTally]) -> Iterable[tuple[str, tuple[WinShare, ...]]]:
    """Yield wins by seat, by order of play, and by each trait that a seat has."""
    yield "seat", _share(seats, lambda seat: seat.seat)
    yield "order of play", _share(seats, lambda seat: str(seat.turn) if seat.turn else None)
    for trait in dict.fromkeys(name for seat in seats for name in seat.traits):
        yield trait, _share(seats, lambda seat, name=trait: seat.traits.get(name))  # type: ignore[misc]


def _share(seats: Sequence[SeatTally], value_of: Callable[[SeatTally], str | None]) -> tuple[WinShare, ...]:
    played = Counter(value for seat in seats if (value := value_of(seat)) is not None)
    won = Counter(value for seat in seats if seat.place == 1 and (value := value_of(seat)) is not None)
    return tuple(WinShare(value, won[value], played[value]) for value in sorted(played, key=_natural))


def _natural(value: str) -> tuple[str, int, str]:
    """Return a key that sorts K2 before K10."""
    word = value.rstrip("0123456789")
    return (word, int(value[len(word) :] or 0), value)


def _counted(words: Iterable[str]) -> dict[str, int]:
    counts = Counter(words)
    return {word: counts[word] for word in sorted(counts, key=lambda word: (-counts[word], word))}


def _tenths(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"
