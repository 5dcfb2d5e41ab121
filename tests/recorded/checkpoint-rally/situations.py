"""What can happen in a game of Checkpoint Rally that the recorded games must show, read from the events of a journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from journals import EVERYWHERE, Test, entries_of, events_of, happened, is_over, option, players, winner, written_of

from adjudicator.core.game import Game
from adjudicator.core.step import SKIPPED

FEWEST = 90
"""So many games at least are kept."""


def notes_of(game: Game) -> Iterator[str]:
    return (note for entry in entries_of(game) for note in entry.notes)


def finishers(game: Game) -> list[Any]:
    return [racer for racer in game.state.racers if racer.place is not None]


def place_of(game: Game, seat: str) -> int | None:
    return next(racer.place for racer in game.state.racers if racer.seat == seat)


def is_won_by_place(game: Game, places: Iterable[int]) -> bool:
    return bool(winner(game)) and place_of(game, winner(game)) in places


def has_lost_finisher(game: Game) -> bool:
    """Tell whether somebody used the last chance to finish and did not win for all that."""
    return any(racer.place > 1 and racer.seat != winner(game) for racer in finishers(game))


def is_passed_by_all_at_once(game: Game) -> bool:
    """Tell whether the last chance of everybody but the one finisher was over after a single action."""
    begun, ended = events_of(game, "last-chance-begun"), events_of(game, "last-chance-ended")
    if len(finishers(game)) != 1 or not ended or len(begun) != len(ended):
        return False
    entries = entries_of(game)
    first = next(n for n, entry in enumerate(entries) if any(event.kind == "car-finished" for event in entry.events))
    actions = [entry for entry in entries[first + 1 :] if any(event.kind == "spent" for event in entry.events)]
    return len(actions) == len(ended)


def is_ended_beyond(game: Game, *, finished: bool) -> bool:
    """Tell whether a last chance ended because the marker passed a finished car, or a seat that was still to act."""
    gone: set[str] = set()
    for entry in entries_of(game):
        for event in entry.events:
            if event.kind == "car-finished":
                gone.add(event.seat)
            elif event.kind == "last-chance-ended" and (event.passed in gone) is finished:
                return True
    return False


def has_tied_finishers(game: Game) -> bool:
    minutes = [racer.minutes for racer in finishers(game)]
    return len(set(minutes)) < len(minutes)


def actions_beyond(game: Game) -> Iterator[tuple[str, bool]]:
    """Yield each action of 0 minutes in a last chance of a marker that lies beyond that of a finished car.

    With its word, and whether it ended the chance. Games with corrections are passed over.
    """
    clocks = dict.fromkeys(game.setup.seats, 0)
    gone: set[str] = set()
    acting = None
    if any(entry.seat == "moderator" for entry in entries_of(game)):
        return
    for entry in entries_of(game):
        before, was_acting = dict(clocks), acting
        kinds = {event.kind for event in entry.events}
        for event in entry.events:
            if event.kind == "spent":
                clocks[event.seat] = event.after
            elif event.kind == "car-finished":
                gone.add(event.seat)
            elif event.kind == "last-chance-begun":
                acting = event.seat
        word = entry.order.split()[0] if entry.order else ""
        is_free = entry.seat and entry.seat == was_acting and clocks == before and word in ("TAKE", "PLACE")
        if is_free and any(clocks[seat] < clocks[entry.seat] for seat in gone):
            yield word, "last-chance-ended" in kinds


def goes_on(word: str, *, version: int, ends: bool) -> Test:
    """Tell whether in a game of ``version`` such an action beyond a finished car ended the chance, or did not."""
    return lambda game: game.ruleset.version == version and (word, ends) in actions_beyond(game)


def goes_on_where_every_marker_counts(game: Game) -> bool:
    is_literal = game.ruleset.version == 2 and game.setup.options["last-chance"] == "any-marker"
    return is_literal and any(not ended for _, ended in actions_beyond(game))


def begun_by(version: int, component_set: int) -> Test:
    return lambda game: (game.ruleset.version, game.components.version) == (version, component_set) and is_over(game)


def has_free_placement(game: Game) -> bool:
    return any(
        any(event.kind == "tile-placed" for event in entry.events)
        and any(event.kind == "spent" and event.before == event.after for event in entry.events)
        for entry in entries_of(game)
    )


SITUATIONS: dict[str, Test] = {
    **EVERYWHERE,
    "2 players": players(2),
    "3 players": players(3),
    "4 players": players(4),
    "the first to finish wins": lambda game: is_won_by_place(game, (1,)),
    "a later finisher wins by time": lambda game: is_won_by_place(game, (2, 3, 4)),
    "a third finisher": lambda game: any(racer.place == 3 for racer in finishers(game)),
    "a last chance used and lost": has_lost_finisher,
    "a last chance not used": lambda game: bool(events_of(game, "last-chance-ended")) and is_over(game),
    "everybody else passed at once": is_passed_by_all_at_once,
    "a last chance ended beyond a finished car": lambda game: is_ended_beyond(game, finished=True),
    "a last chance ended by a seat still to act": lambda game: is_ended_beyond(game, finished=False),
    "everybody finished": lambda game: len(finishers(game)) == len(game.setup.players),
    "finishers tied on minutes": has_tied_finishers,
    "any marker ends a chance": option("last-chance", "any-marker"),
    "the tiles laid as a cross": option("layout", "cross"),
    "the upper maps": option("map", "upper"),
    "the lower maps": option("map", "lower"),
    "the stack renewed": happened("stack-renewed"),
    "more than two laps of the dial": lambda game: any(racer.minutes > 60 for racer in game.state.racers),
    "a placement free of minutes": has_free_placement,
    "a tile taken from the row": happened("tile-taken"),
    "a replaced tile kept": lambda game: any(event.is_kept for event in events_of(game, "tile-placed")),
    "KEEP": lambda game: any(words.startswith("KEEP") for words in written_of(game)),
    "DISCARD": lambda game: any(entry.order.startswith("DISCARD") and not entry.written for entry in entries_of(game)),
    "version 1 and its house set": begun_by(1, 1),
    "version 2 and its house set": begun_by(2, 2),
    "version 1: a tile taken ends a last chance": goes_on("TAKE", version=1, ends=True),
    "version 1: a tile placed for nothing ends a last chance": goes_on("PLACE", version=1, ends=True),
    "version 2: a tile taken ends no last chance": goes_on("TAKE", version=2, ends=False),
    "version 2: a tile placed for nothing ends no last chance": goes_on("PLACE", version=2, ends=False),
    "version 2: nor where every marker counts": goes_on_where_every_marker_counts,
    "a condition that held": lambda game: any(
        ": yes (the cost is" in note or ": yes (gps is" in note for note in notes_of(game)
    ),
    "a condition that did not hold": lambda game: any(": no (row is" in note for note in notes_of(game)),
    "an order skipped for its condition": lambda game: any(entry.order == SKIPPED for entry in entries_of(game)),
}
"""Each situation and whether a game shows it."""
