"""Makes the recorded games of The Great Race anew: whole races, and positions that make rare things happen.

    python tests/recorded/great-race/make.py [FOLDER]

The search is seeded: the same rules and the same program give the same files. Each file holds the component set that it is
played with, so that the house set can change. The games up to 400 are begun by version 1 of the rules, the others by
version 2. Those from 201 and from 501 begin with the mails of ``tables.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, ClassVar

sys.path.insert(0, str(Path(__file__).parents[1]))

import making
from situations import VERSION_1, VERSION_2
from tables import PINNED, TABLES, TABLES_2, Table

from adjudicator.core.ids import Seat
from adjudicator.corrections.correct import amend
from adjudicator.games.great_race import orders as given
from adjudicator.games.great_race.components import Components
from adjudicator.games.great_race.state import Stage
from adjudicator.session import Session
from adjudicator.simulate.players import choose_greedily, choose_random

SEATS = ("red", "blue", "green", "yellow")
CITIES = {"africa": ("Algiers", "Cape-Town"), "asia": ("Paris", "Peking")}
MOST_ENTRIES, GAMES, GAMES_2 = 260, 20, 10
FIRST_TABLE, FIRST_2, FIRST_TABLE_2 = 201, 401, 501
REACTIONS = (
    "REACT danger ask",
    "REACT cards with ranger, escort only if parts > 1",
    "REACT tiles with escort",
    "REACT cards never",
)


@dataclass(kw_only=True)
class Race(making.Recipe):
    """How one race is set up and driven: of 100 orders ``whim`` are any that are legal, the others planned."""

    game: ClassVar[str] = "great-race"
    whim: int = 0
    parts: Components = PINNED
    mails: tuple[str, ...] = ()


def recipe(number: int) -> Race:
    """Return the recipe of attempt ``number``: every choice comes round."""
    board = "asia" if number % 2 else "africa"
    return Race(
        number=number,
        seats=SEATS[: 2 + number % 3],
        options={"board": board} | ({"start": CITIES[board][1]} if number % 5 in (2, 4) else {}),
        version=1 if number < FIRST_2 else 2,
        whim=(0, 20, 45)[number % 3 if number < FIRST_TABLE or FIRST_2 <= number < FIRST_TABLE_2 else 2],
        is_recorded=number % 7 == 3,
        is_wordy=number % 4 in (0, 1),
        is_corrected=number % 9 == 5,
        entropy=making.words_of_players(number),
    )


def at_table(number: int, table: Table) -> Race:
    """Return the recipe of a race that begins at ``table``."""
    of_table = recipe(number)
    return replace(
        of_table,
        seats=tuple(table.seats),
        options={"board": table.board},
        whim=10,
        position=table.position,
        parts=table.parts,
        mails=table.mails,
        is_recorded=False,
        is_corrected=False,
    )


def played(recipe: Race) -> Session | None:
    """Return the game of ``recipe``, or ``None`` if it grows too long."""
    chance, luck = making.LoggedChance(recipe.secret), Random(f"recorded {recipe.number}")
    session = making.begun(recipe, chance, recipe.parts)
    for words in recipe.mails:
        session = making.by_mail(session, Seat(words.partition(":")[0]), words.partition(": ")[2])
    step = partial(_step, recipe=recipe, luck=luck, chance=chance)
    corrections = CORRECTIONS if recipe.is_corrected and not recipe.is_recorded else ()
    past = making.course(session, step, MOST_ENTRIES, corrections)
    return None if past is None else past[-1]


def _step(session: Session, seat: Seat, recipe: Race, luck: Random, chance: making.LoggedChance) -> Session:
    choose = choose_random if luck.randrange(100) < recipe.whim else choose_greedily
    order = choose(session, seat, luck)
    if recipe.is_recorded:
        return making.by_hand(session, seat, order, chance)
    words = session.rules.language.text(order)
    if not recipe.is_wordy:
        return making.by_mail(session, seat, words)
    if isinstance(order, given.Plan):
        return _planned(session, seat, words, luck)
    return making.by_mail(session, seat, _wordy(seat, order, words, luck))


def _planned(session: Session, seat: Seat, words: str, luck: Random) -> Session:
    """Plan, at times with a standing answer, and at times anew before the plans are opened (GR-L1)."""
    if luck.random() < 0.4:
        session = making.by_mail(session, seat, luck.choice(REACTIONS))
    session = making.by_mail(session, seat, words)
    if session.game.state.stage is Stage.PLANNING and luck.random() < 0.3:
        session = making.by_mail(session, seat, "PLAN scouts 1 mechanics 2 escort 1 funding 1")
    return session


def _wordy(seat: Seat, order: Any, words: str, luck: Random) -> str:
    """Return ``words`` as a player may put them who thinks of more than one case."""
    if luck.random() > 0.35:
        return words
    said = [f"IF round > 0 THEN {words} ELSE PASS", f"IF fuel < 0 THEN PASS ELSE {words}", _skipping(seat, words)]
    match order:
        case given.Take():
            said += [f"TAKE Caravan OR TAKE Ranger OR {words}"]
        case given.Drive() | given.Repair() | given.Buy():
            said += [f"CANCEL with ranger OR {words}", f"BUY fuel 99 OR {words}"]
    return luck.choice(said)


def _skipping(seat: Seat, words: str) -> str:
    """Put before ``words`` an order that is skipped: its condition does not hold, and nothing else is asked for."""
    return f"IF round > 99 THEN FUND\n{seat}: {words}"


def _amend(session: Session) -> Session:
    crew = session.game.state.crews[0]
    return amend(session, [f"crews[{crew.seat}].cash={crew.cash + 10}"], "ten francs were forgotten at the table")


CORRECTIONS = ((9, making.handing_over), (22, _amend), (30, making.undoing(3, "an order of the wrong week was read")))


def make(folder: Path) -> None:
    """Write the first races that are short enough, one of each table, then others for what none of them shows."""
    _make(making.Collection(folder, VERSION_1, "recorded-[0-3]??"), GAMES, TABLES, (1, FIRST_TABLE, 301))
    _make(making.Collection(folder, VERSION_2, "recorded-[4-9]??"), GAMES_2, TABLES_2, (FIRST_2, FIRST_TABLE_2, 601))


def _make(games: making.Collection, many: int, tables: Sequence[Table], first: tuple[int, int, int]) -> None:
    races, first_table, others = first
    games.fill(map(played, map(recipe, count(races))), many)
    at_tables = [at_table(first_table + place, table) for place, table in enumerate(tables)]
    games.fill(map(played, at_tables), len(at_tables))
    games.complete(map(played, map(recipe, count(others))))


if __name__ == "__main__":
    making.run(make, __file__)
