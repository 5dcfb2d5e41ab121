"""Makes the recorded games of Checkpoint Rally anew: whole games, searched until every situation is met.

    python tests/recorded/checkpoint-rally/make.py [FOLDER]

The search is seeded: the same rules and the same program give the same files. The games up to 60 are begun by version 1 of
the rules and with the house set of that time, those from 201 by version 2.
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
from journals import shown_by
from situations import SITUATIONS

from adjudicator.core.corrections import CorrectionError
from adjudicator.core.ids import Seat
from adjudicator.corrections.correct import amend
from adjudicator.games.checkpoint_rally.orders import Move, Place, Refresh, Take
from adjudicator.session import Session
from adjudicator.simulate.players import choose_greedily

SEATS = ("red", "blue", "green", "yellow")
MOST_ORDERS = 150
GAMES = 60
FIRST_OF_VERSION_2 = 201
GAMES_OF_VERSION_2 = 30
BRANCHES = 8
WAITING = 1_000
"""The numbers of games in which players wait for each other begin after this."""
RARE = {
    "a later finisher wins by time",
    "a last chance used and lost",
    "everybody finished",
    "finishers tied on minutes",
    "a last chance ended by a seat still to act",
}
"""What is looked for by playing the end of a game otherwise."""


@dataclass(kw_only=True)
class Rally(making.Recipe):
    """How one game is set up and played."""

    game: ClassVar[str] = "checkpoint-rally"
    is_patient: bool = False
    is_waiting: bool = False
    is_dawdling: bool = False


def recipe(number: int) -> Rally:
    """Return the recipe of attempt ``number`` by version 1 of the rules: every choice comes round."""
    options: dict[str, str] = {}
    if number % 4 == 1:
        options["layout"] = "cross"
    if number % 3 == 1:
        options["last-chance"] = "any-marker"
    if number % 7 in (2, 5):
        options["map"] = "upper" if number % 7 == 2 else "lower"
    return Rally(
        number=number,
        seats=SEATS[: (2, 3, 4, 4, 3)[number % 5]],
        options=options,
        is_recorded=number % 7 == 3,
        is_patient=number % 2 == 0,
        is_wordy=number % 6 == 4,
        is_corrected=number % 9 == 5,
        entropy=making.words_of_players(number),
        version=1,
        component_set="house-1",
    )


def later_recipe(number: int) -> Rally:
    """Return the recipe of attempt ``number`` by version 2: every second player of a last chance takes its time."""
    return replace(recipe(number), version=2, component_set="house", is_dawdling=number % 2 == 0)


def played(recipe: Rally, missing: set[str]) -> Session | None:
    """Return the game of ``recipe``, or ``None`` if it grows too long; its end may be varied for ``missing``."""
    chance = making.LoggedChance(recipe.secret)
    corrections = CORRECTIONS if recipe.is_corrected else ()
    past = _course(making.begun(recipe, chance), recipe, Random(f"recorded {recipe.number}"), chance, corrections)
    if past is None or recipe.is_recorded:
        return None if past is None else past[-1]
    if not recipe.is_patient or not missing & RARE:
        return past[-1]
    for branch in range(BRANCHES):
        fork = past[-min(len(past), 10 + branch)]
        other = _course(fork, recipe, Random(f"recorded {recipe.number} {branch}"), chance)
        if other is not None and shown_by(other[-1].game, SITUATIONS) & missing & RARE:
            return other[-1]
    return past[-1]


def _course(
    session: Session,
    recipe: Rally,
    luck: Random,
    chance: making.LoggedChance,
    corrections: Sequence[tuple[int, making.Correction]] = (),
) -> list[Session] | None:
    """Return the session after each order until the game is over, or ``None`` if it grows too long."""
    return making.course(session, partial(_step, recipe=recipe, luck=luck, chance=chance), MOST_ORDERS, corrections)


def _step(session: Session, seat: Seat, recipe: Rally, luck: Random, chance: making.LoggedChance) -> Session:
    order = _free(session, seat, luck) if recipe.is_dawdling and session.game.state.acting == seat else None
    order = order or choose_greedily(session, seat, luck)
    if recipe.is_patient and _finishes_alone(session, seat, order, all if not recipe.is_waiting else any):
        order = Refresh()
    if recipe.is_recorded:
        return making.by_hand(session, seat, order, chance)
    words = session.rules.language.text(order)
    if recipe.is_wordy and luck.random() < 0.3:
        words = _wordy(session, words, luck)
    return making.by_mail(session, seat, words)


def _free(session: Session, seat: Seat, luck: Random) -> Any:
    """Return in two of three cases an action of 0 minutes, if there is one, else ``None``."""
    rules, config, state = session.rules, session.config, session.game.state
    orders = [order for order in rules.legal(config, state, seat) if isinstance(order, (Place, Take))]
    why = {order: rules.cost_if_legal(config, state, seat, order) or () for order in orders}
    free = [order for order in orders if sum(part.amount for part in why[order]) == 0]
    kinds = [kind for kind in (Place, Take) if any(isinstance(order, kind) for order in free)]
    if not kinds or luck.random() > 2 / 3:
        return None
    kind = luck.choice(kinds)
    return luck.choice([order for order in free if isinstance(order, kind)])


def _finishes_alone(session: Session, seat: Seat, order: Any, quantifier: Any) -> bool:
    """Tell whether ``order`` would finish the race while ``all`` others, or ``any``, have two checkpoints to go."""
    state, maps = session.game.state, session.config.maps
    if not isinstance(order, Move) or state.finishers or max(racer.minutes for racer in state.racers) > 75:
        return False
    racer = state.racer(seat)
    left = set(maps[racer.card]) - set(racer.marked) - set(order.path)
    others = [other for other in state.racers if other.seat != seat]
    return not left and quantifier(len(maps[other.card]) - len(other.marked) > 1 for other in others)


def _wordy(session: Session, words: str, luck: Random) -> str:
    absent = next(tile for tile in session.config.rank if tile not in session.game.state.row)
    return luck.choice(
        [
            f"TAKE {absent} OR {words}",
            f"IF cost of {words} <= 2 THEN {words} ELSE ({words} OR DRAW)",
            f"IF row has {absent} THEN TAKE {absent} ELSE {words}",
            f"{words} IF gps >= 1 OR {words}",
            f"TAKE {absent} IF {absent} in row",
        ]
    )


def _amend(session: Session) -> Session:
    racer = session.game.state.racers[0]
    try:
        return amend(session, [f"racers[{racer.seat}].minutes={racer.minutes + 1}"], "a minute was forgotten at the table")
    except CorrectionError:
        return session


CORRECTIONS = ((10, making.handing_over), (25, _amend), (40, making.undoing(3, "an order of the wrong week was read")))


def _waiting(number: int) -> Rally:
    """Return the recipe of a game in which everybody waits for the others before the finish."""
    seats = SEATS[: 2 + number % 2]
    return replace(later_recipe(number), seats=seats, is_patient=True, is_waiting=True, is_recorded=False)


def make(folder: Path) -> None:
    """Write the first games of each version that are short enough, then others for what they do not show."""
    games = making.Collection(folder, SITUATIONS)
    games.fill((played(recipe(number), games.missing) for number in count(1)), GAMES)
    later = count(FIRST_OF_VERSION_2)
    games.fill((played(later_recipe(number), games.missing) for number in later), GAMES_OF_VERSION_2)
    games.complete(played(_waiting(number), games.missing) for number in count(WAITING + 1))


if __name__ == "__main__":
    making.run(make, __file__)
