"""What the situations of every game are read with, and the situations that every game must show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from adjudicator.core.game import Game
from adjudicator.core.journal import Entry

Test = Callable[[Game], bool]
ENDINGS = ("game-ended", "race-ended")


def entries_of(game: Game) -> list[Entry]:
    return [link.entry for link in game.journal]


def events_of(game: Game, kind: str) -> list[Any]:
    return [event for entry in entries_of(game) for event in entry.events if event.kind == kind]


def written_of(game: Game) -> Iterator[str]:
    """Yield what the sheets said where it was not the order itself."""
    return (entry.written for entry in entries_of(game)[1:] if entry.written)


def is_over(game: Game) -> bool:
    return any(events_of(game, kind) for kind in ENDINGS)


def winner(game: Game) -> str:
    """Return the only winner, or nothing while there is none."""
    return events_of(game, "game-ended")[-1].winner if is_over(game) else ""


def players(count: int) -> Test:
    return lambda game: len(game.setup.players) == count and is_over(game)


def option(name: str, value: str) -> Test:
    return lambda game: game.setup.options[name] == value and is_over(game)


def happened(kind: str, **fields: Any) -> Test:
    """Tell whether there is an event of ``kind`` with these values."""
    return lambda game: any(
        all(getattr(event, name) == value for name, value in fields.items()) for event in events_of(game, kind)
    )


def wrote(words: str) -> Test:
    return lambda game: any(words in written for written in written_of(game))


EVERYWHERE: Mapping[str, Test] = {
    "alternatives": wrote(" OR "),
    "notes on the branch taken": lambda game: any(entry.notes for entry in entries_of(game)),
    "an undo": happened("undone"),
    "an amendment": happened("amended"),
    "a seat handed over": happened("seat-handed"),
    "recorded chance": lambda game: game.chance.source == "recorded" and is_over(game),
    "players' words in the chance": lambda game: bool(game.chance.entropy),
}
"""The situations of every game and whether a game shows them."""


def shown_by(game: Game, situations: Mapping[str, Test]) -> set[str]:
    """Return those of the ``situations`` that ``game`` shows."""
    return {name for name, shows in situations.items() if shows(game)}
