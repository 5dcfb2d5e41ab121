"""Makes recorded games of Checkered Flag anew: whole races, searched until every situation is met.

    python tests/recorded/checkered-flag/make.py [FOLDER]

The search is seeded: the same rules and the same program give the same files. The games up to 300 were begun by version 1 of
the rules, those up to 400 by version 2. They stay as they are, because players choose from other orders now. The games from
401 are begun by version 3.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import ClassVar

sys.path.insert(0, str(Path(__file__).parents[1]))

import making
from situations import VERSION_3

from adjudicator.core.ids import Seat
from adjudicator.corrections.correct import amend
from adjudicator.games.checkered_flag.state import Position, SeatAt
from adjudicator.session import Session
from adjudicator.simulate.players import PLAYERS

SEATS = ("red", "blue")
MOST_ORDERS = 160
FIRST, FEWEST = 401, 10
SIDE_BY_SIDE = Position(
    seats=(SeatAt(seat=Seat("red"), position=33, gear=2), SeatAt(seat=Seat("blue"), position=36, gear=1)), turn=Seat("red")
)
"""Blue stands on the narrow underpass, red comes from behind."""


@dataclass(kw_only=True)
class Race(making.Recipe):
    """How one race is set up and driven."""

    game: ClassVar[str] = "checkered-flag"
    players: tuple[str, str]


def recipe(number: int) -> Race:
    """Return the recipe of attempt ``number``: every choice comes round."""
    return Race(
        number=number,
        seats=SEATS,
        options={"laps": str((1, 1, 2, 1, 3)[number % 5]), "braking": ("free", "free", "last")[number % 4 % 3]},
        players=(("greedy", "greedy"), ("greedy", "random"), ("random", "random"))[number % 3],
        position=SIDE_BY_SIDE if number % 11 == 7 else None,
        is_recorded=number % 7 == 3,
        is_wordy=number % 6 == 4,
        is_corrected=number % 9 == 5,
        entropy=making.words_of_players(number),
    )


def played(recipe: Race) -> Session | None:
    """Return the game of ``recipe``, or ``None`` if it grows too long."""
    chance, luck = making.LoggedChance(recipe.secret), Random(f"recorded {recipe.number}")
    step = partial(_step, recipe=recipe, luck=luck, chance=chance)
    past = making.course(making.begun(recipe, chance), step, MOST_ORDERS, CORRECTIONS if recipe.is_corrected else ())
    return None if past is None else past[-1]


def _step(session: Session, seat: Seat, recipe: Race, luck: Random, chance: making.LoggedChance) -> Session:
    order = PLAYERS[recipe.players[SEATS.index(seat)]](session, seat, luck)
    if recipe.is_recorded:
        return making.by_hand(session, seat, order, chance)
    words = session.rules.language.text(order)
    if recipe.is_wordy and luck.random() < 0.3:
        words = luck.choice(
            [
                f"BRAKE 99 OR {words}",
                f"IF left >= 0 THEN {words} ELSE GEAR 1",
                f"IF left < 0 THEN GEAR 1 ELSE (BRAKE 99 OR {words})",
            ]
        )
    return making.by_mail(session, seat, words)


def _amend(session: Session) -> Session:
    racer = session.game.state.racers[0]
    changed = f"racers[{racer.seat}].driven={racer.driven + 1}"
    return amend(session, [changed, "spun=null"], "a space was forgotten at the table")


CORRECTIONS = ((6, making.handing_over), (12, _amend), (18, making.undoing(2, "an order of the wrong week was read")))


def make(folder: Path) -> None:
    """Write the first races that are short enough, then others for what they do not show."""
    games, attempts = making.Collection(folder, VERSION_3, "recorded-[4-9]??"), map(played, map(recipe, count(FIRST)))
    games.fill(attempts, FEWEST)
    games.complete(attempts)


if __name__ == "__main__":
    making.run(make, __file__)
