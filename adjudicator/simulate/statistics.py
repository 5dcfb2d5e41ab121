"""Compute statistics of many games of one ruleset: lengths, results, winners and events; as text and as a plot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.ruleset import GameMeta
from adjudicator.core.values import Seat, Value
from adjudicator.library.game import Game
from adjudicator.reports.texts import count_of, printable, table_lines

_NO_TRAITS: Final = frozenset({"seat", "rule", "kind"})
_MOST_VALUES: Final = 12
"""Text and plot omit a trait with more values than this, because nearly all counts would be 1."""
_FORMATS: Final = (".png", ".svg")
"""The file extensions of a plot."""
_ABREAST: Final = 3
"""Plots in a row."""


class CannotPlotError(AdjudicatorError):
    """Report why a plot cannot be drawn, and what helps."""


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


def tally_game(game: Game, number: int) -> GameTally:
    """Return the tally of ``game``; ``number`` orders it among the others."""
    entries = [link.entry for link in game.record.journal]
    turns = {seat: at for at, seat in enumerate(dict.fromkeys(entry.seat for entry in entries[1:] if entry.seat), 1)}
    kinds = Counter(event.kind for entry in entries for event in entry.events)  # undone ones included
    traits: dict[Any, dict[str, str]] = {seat: {} for seat in game.seats}
    for event in entries[0].events:  # every word that a seat got at the set-up
        owner = traits.get(getattr(event, "seat", None), {})
        words = {name: getattr(event, name) for name in event.__struct_fields__ if name not in _NO_TRAITS}
        owner.update((name, value) for name, value in words.items() if isinstance(value, str))
    seats = tuple(
        SeatTally(one.seat, one.place, one.score, one.note, turns.get(one.seat, 0), traits.get(one.seat, {}))
        for one in game.standings
    )
    return GameTally(number, game.is_over, len(entries) - 1, seats, dict(kinds))


def statistics(tallies: Iterable[GameTally]) -> GameStatistics:
    """Return the statistics of ``tallies``: at least one, in any order. ``winning``, ``scores``: in the game's unit."""
    games = sorted(tallies, key=lambda tally: tally.number)
    finished = [tally for tally in games if tally.is_finished]
    seats = [seat for tally in finished for seat in tally.seats]
    winners = [seat for seat in seats if seat.place == 1]
    wins = {
        "seat": _share((one.seat, one.place) for one in seats),
        "order of play": _share((str(one.turn), one.place) for one in seats if one.turn),
    }
    for trait in dict.fromkeys(name for one in seats for name in one.traits):
        wins[trait] = _share((one.traits[trait], one.place) for one in seats if trait in one.traits)
    events: dict[str, list[int]] = {}
    for tally in games:
        for kind, count in tally.events.items():
            events.setdefault(kind, []).append(count)
    return GameStatistics(
        games=len(games),
        unfinished=len(games) - len(finished),
        orders=_spread([tally.orders for tally in games]),
        winning=_spread([seat.score for seat in winners]) if winners else None,
        scores=_spread([seat.score for seat in seats]) if seats else None,
        wins=wins,
        results=_counted(seat.note for seat in seats),
        winners=_counted(seat.note for seat in winners),
        events={kind: EventCount(sum(counts), len(counts)) for kind, counts in sorted(events.items())},
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


def require_plot(path: str | Path) -> None:
    """Raise ``CannotPlotError`` if no plot can be drawn for ``path``; call it before you simulate the games."""
    path = Path(path)
    if path.suffix.lower() not in _FORMATS:
        raise CannotPlotError(f"the name of a plot ends with {' or '.join(_FORMATS)}, not “{path.name}”")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise CannotPlotError("a plot needs the extra `plot`: pip install 'pbem-adjudicator[plot]'") from None


def draw_plot(tallies: Sequence[GameTally], about: GameMeta, path: str | Path) -> None:
    """Draw the results in ``tallies`` as a plot, and write it to ``path``, whose extension selects PNG or SVG.

    Raises ``CannotPlotError``.
    """
    path = Path(path)
    require_plot(path)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    found = statistics(tallies)
    shares = [(by, values) for by, values in found.wins.items() if 1 < len(values) <= _MOST_VALUES]
    rows = -(-(3 + len(shares)) // _ABREAST)
    figure = Figure(figsize=(5 * _ABREAST, 4 * rows), layout="constrained")
    axes = list(figure.subplots(rows, _ABREAST, squeeze=False).flat)

    def draw_histogram(title: str, values: Sequence[int], unit: str) -> None:
        axis = axes.pop(0)
        axis.hist(values, bins=30)
        axis.set(title=title, xlabel=unit, ylabel="games")

    def draw_bars(title: str, names: Sequence[str], lengths: Sequence[float], unit: str) -> None:
        axis = axes.pop(0)
        axis.barh(names, lengths)
        axis.set(title=title, xlabel=unit)
        axis.invert_yaxis()

    scores = [seat.score for tally in tallies if tally.is_finished for seat in tally.seats if seat.place == 1]
    draw_histogram("length", [tally.orders for tally in tallies], "orders")
    draw_histogram("the winner", scores, about.unit[1])
    for by, values in shares:
        won = [100 * share.won / share.played for share in values]
        draw_bars(f"won, by {by}", [share.value for share in values], won, "% of games")
    endings = dict(list(found.results.items())[:_MOST_VALUES])
    draw_bars("how seats ended", list(endings), list(endings.values()), "seats")
    for axis in axes:
        axis.set_axis_off()
    figure.suptitle(f"{about.name}: {found.games} games")
    try:
        # No date and no random ids: the same games give the same file.
        with mpl.rc_context({"svg.hashsalt": "adjudicator"}):
            maker = (
                {"Date": None, "Creator": "adjudicator"} if path.suffix.lower() == ".svg" else {"Software": "adjudicator"}
            )
            figure.savefig(path, metadata=maker)
    except OSError as error:
        raise CannotPlotError(f"{path} cannot be written: {error.strerror or error}") from error


def percent(part: int, whole: int) -> str:
    """Return ``part`` of ``whole`` in percent with one decimal, rounded half up; 0 if ``whole`` is 0."""
    return f"{(2000 * part + whole) // (2 * whole) / 10:.1f}" if whole else "0.0"


def _spread(numbers: Sequence[int]) -> NumberSpread:
    ordered, count = sorted(numbers), len(numbers)
    mean = f"{(20 * sum(ordered) + count) // (2 * count) / 10:.1f}"
    return NumberSpread(least=ordered[0], median=ordered[(count - 1) // 2], mean=mean, most=ordered[-1])


def _share(found: Iterable[tuple[str, int]]) -> tuple[WinShare, ...]:
    """Return the wins by value; ``found`` has the value and the place of each seat."""
    seats = list(found)
    played, won = Counter(value for value, _ in seats), Counter(value for value, place in seats if place == 1)

    def natural(value: str) -> tuple[str, int, str]:  # K2 comes before K10
        word = value.rstrip("0123456789")
        return word, int(value[len(word) :] or 0), value

    return tuple(WinShare(value, won[value], played[value]) for value in sorted(played, key=natural))


def _counted(words: Iterable[str]) -> dict[str, int]:
    counts = Counter(words)
    return {word: counts[word] for word in sorted(counts, key=lambda word: (-counts[word], word))}
