"""Makes the recorded games of Checkpoint Charlie anew: whole games, searched until every situation is met.

    python tests/recorded/checkpoint-charlie/make.py [FOLDER]

The search is seeded: the same rules and the same program give the same files. The games up to 44 and those from 501 on are
begun by version 1 of the rules, those from 201 on by version 2.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from random import Random
from typing import Any, ClassVar

sys.path.insert(0, str(Path(__file__).parents[1]))

import making
from situations import OF_VERSION_1, SITUATIONS

from adjudicator.core.ids import Seat
from adjudicator.corrections.correct import amend
from adjudicator.games.checkpoint_charlie.components import Face, MarkerId
from adjudicator.games.checkpoint_charlie.orders import Accuse, Swap, Wait
from adjudicator.games.checkpoint_charlie.state import DECK, POOL, Position, SeatAt
from adjudicator.session import Session
from adjudicator.simulate.players import choose_greedily

SEATS = ("red", "blue", "green", "yellow", "white")
MOST_ENTRIES = 320
GAMES = 40
FIRST_OF_VERSION_2 = 201
GAMES_OF_VERSION_2 = 6
PLACED = 500
LATER_PLACED = 600
"""The numbers of games that begin in a position made for something rare come after this, by version 1 and by version 2."""


@dataclass(kw_only=True)
class Hunt(making.Recipe):
    """How one game is set up and played: ``haste`` of 100 accusations are made as soon as there is anybody to accuse."""

    game: ClassVar[str] = "checkpoint-charlie"
    haste: int = 0
    is_patient: bool = False
    is_timed: bool = False


def recipe(number: int) -> Hunt:
    """Return the recipe of attempt ``number`` by version 1 of the rules: every choice comes round."""
    options: dict[str, str] = {}
    if number % 3 == 1:
        options["stasi"] = "on"
    if number % 4 in (1, 2):
        options["adler"] = "on"
    if number % 5 == 3:
        options["window"] = "lap"
    if number % 7 in (2, 5):
        options["accuse"] = "rows"
    if number % 6 in (0, 2, 4):
        options["rounds"] = str(1 + number % 6 // 2)
    if number % 8 == 5:
        options["investigator.red"] = "Meridian"
    is_patient = number % 10 == 7
    if is_patient:
        options["rounds"] = "1"
    return Hunt(
        number=number,
        seats=SEATS[: (3, 4, 5, 3)[number % 4]],
        options=options,
        haste=(15, 30, 45)[number % 3],
        is_patient=is_patient,
        is_recorded=number % 7 == 3,
        is_timed=number % 2 == 0,
        is_wordy=number % 6 in (1, 4),
        is_corrected=number % 9 == 5,
        entropy=making.words_of_players(number),
        version=1,
    )


def later_recipe(number: int) -> Hunt:
    """Return the recipe of attempt ``number`` by version 2: with the Stasi officer and Café Adler, which it has changed."""
    return replace(recipe(number), options={"stasi": "on", "adler": "on", "window": "lap"}, version=2, is_patient=False)


def placed(number: int) -> Hunt:
    """Return the recipe of a game that begins before the last accusations, with markers that make something rare likely.

    It is begun by version 1 of the rules.
    """
    rows = {"red": ("Viktor", "Emil", "Lash"), "blue": ("Igor", "Fleming", "Magda"), "green": ()}
    markers = (
        {"red": ("WA", "G5a", "G4a"), "blue": ("WB",), "green": ("W2a", "B0a")},
        {"red": ("G5a", "W2a", "B0a", "B0b", "B0c", "B1a"), "blue": ("G3a", "W2b", "W2c"), "green": ("B1d", "B1c", "G4a")},
        {"red": ("G5a",), "blue": ("G3b", "W2b"), "green": ("W2a", "W2c", "W1c")},
    )[number % 3]
    clues = {"red": Face.HAT, "blue": Face.GLASSES, "green": Face.RAINCOAT}
    seats = tuple(SeatAt(seat=Seat(seat), clue=clue, row=rows[seat], markers=markers[seat]) for seat, clue in clues.items())
    position = Position(seats=seats, round=4, is_window=True)
    options = {"rounds": "4"} | ({"adler": "on"} if number % 3 == 0 else {})
    return Hunt(number=number, seats=SEATS[:3], options=options, haste=40, position=position, version=1)


def later_placed(number: int) -> Hunt:
    """Return the recipe of a game by version 2 in which two Café Adler markers are for the one white marker of a third."""
    at = ("red", Face.HAT, ("Viktor", "Emil", "Lash"), "WA G5a"), ("blue", Face.GLASSES, ("Igor", "Fleming", "Magda"), "WB")
    seats = tuple(
        SeatAt(seat=Seat(seat), clue=clue, row=row, markers=tuple(map(MarkerId, markers.split())))
        for seat, clue, row, markers in (*at, ("green", Face.RAINCOAT, (), "W2a"))
    )
    position = Position(seats=seats, round=4, is_window=True)
    options = {"rounds": "4", "adler": "on"}
    return Hunt(number=number, seats=SEATS[:3], options=options, haste=40, position=position, version=2)


def played(recipe: Hunt) -> Session | None:
    """Return the game of ``recipe``, or ``None`` if it grows too long."""
    chance, luck = making.LoggedChance(recipe.secret), Random(f"recorded {recipe.number}")
    step = partial(_step, recipe=recipe, luck=luck, chance=chance)
    corrections = CORRECTIONS if recipe.is_corrected and not recipe.is_recorded else ()
    past = making.course(making.begun(recipe, chance), step, MOST_ENTRIES, corrections)
    return None if past is None else past[-1]


def _step(session: Session, seat: Seat, recipe: Hunt, luck: Random, chance: making.LoggedChance) -> Session:
    order = _chosen(session, seat, recipe, luck)
    if isinstance(order, Accuse) and recipe.is_timed and session.game.state.stage == "window":
        order = replace(order, received=f"2026-11-{luck.randint(10, 28)}T{luck.randint(10, 23)}:{luck.randint(10, 59)}")
    if recipe.is_recorded:
        return making.by_hand(session, seat, order, chance)
    words = session.rules.language.text(order)
    if recipe.is_wordy:
        words = _wordy(session, order, words, luck)
    return making.by_mail(session, seat, words)


def _chosen(session: Session, seat: Seat, recipe: Hunt, luck: Random) -> Any:
    orders = list(session.rules.legal(session.config, session.game.state, seat))
    swaps = [order for order in orders if isinstance(order, Swap)]
    if swaps and recipe.version == 2 and recipe.position is not None:
        return next((order for order in swaps if order.who == "Britton"), swaps[0])
    if swaps:
        return luck.choice(swaps)
    if session.game.state.stage == "window":
        if recipe.is_patient or luck.randrange(100) >= recipe.haste:
            return Wait()
        accusations = [order for order in orders if isinstance(order, Accuse)]
        if recipe.number % 5 == 4 and accusations:
            return luck.choice(accusations[:2])
    return choose_greedily(session, seat, luck)


def _wordy(session: Session, order: Any, words: str, luck: Random) -> str:
    if isinstance(order, Wait):
        return luck.choice(["WAIT", "WAIT 2", "WAIT 3", "IF deck < 0 THEN ACCUSE Boris ELSE WAIT"])
    if isinstance(order, Accuse) and order.received is None:
        hidden = next(iter(DECK.left(session.config, session.game.state)), None)
        return luck.choice(
            [words, f"IF {order.suspect} in shown THEN {words} ELSE WAIT"]
            + ([f"ACCUSE {hidden} OR {words}"] if hidden else [])
        )
    return words


def _amend(session: Session) -> Session:
    agent = session.game.state.agents[0]
    pool = POOL.left(session.config, session.game.state)
    held = next(marker for marker in pool if marker.startswith("W1"))
    changes = [f"agents[{agent.seat}].markers+={held}"]
    return amend(session, changes, "a white marker was forgotten at the table")


CORRECTIONS = ((9, making.handing_over), (22, _amend), (30, making.undoing(3, "an answer of the wrong window was read")))


def make(folder: Path) -> None:
    """Write the first games of each version that are short enough, then others for what they do not show."""
    games, attempts = making.Collection(folder, SITUATIONS), map(played, map(recipe, count(1)))
    games.fill(attempts, GAMES)
    rare = map(played, map(placed, count(PLACED + 1)))
    games.complete(chain.from_iterable(zip(attempts, rare, strict=False)), OF_VERSION_1)
    later = map(played, map(later_recipe, count(FIRST_OF_VERSION_2)))
    games.fill(later, GAMES_OF_VERSION_2)
    placed_later = map(played, map(later_placed, count(LATER_PLACED + 1)))
    games.complete(chain.from_iterable(zip(later, placed_later, strict=False)))


if __name__ == "__main__":
    making.run(make, __file__)
