"""Makes the recorded games of Rally Round anew: whole rallies, searched until every situation is met.

    python tests/recorded/rally-round/make.py [FOLDER]

The search is seeded: the same rules and the same program give the same files. The rallies up to 300, and the simulated ones
up to 100, were begun by version 1 of the rules and stay as they are. The later ones are begun by version 2.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, ClassVar

sys.path.insert(0, str(Path(__file__).parents[1]))

import making
from situations import SITUATIONS

from adjudicator.core.chance import CommittedChance
from adjudicator.core.ids import Seat
from adjudicator.core.step import carry_out
from adjudicator.corrections.correct import amend
from adjudicator.games.rally_round.components import Control, Kind, Rally, Side, SquareId, Timing
from adjudicator.games.rally_round.kits import Pick
from adjudicator.games.rally_round.moving import legal_speeds
from adjudicator.games.rally_round.state import Position, course
from adjudicator.games.rally_round.steering import way_ahead
from adjudicator.games.rally_round.turns import Speed, TurnRound
from adjudicator.session import Session
from adjudicator.simulate.plan import Plan
from adjudicator.simulate.play import play_game
from adjudicator.store.save import dump_game
from adjudicator.testing.orders import read

ALL = ("red", "blue", "green", "yellow", "white")
MOST_ORDERS = 260
FIRST = 12
"""So many rallies are kept whatever they show."""
FIRST_NUMBER = 301
"""The first rally by version 2 of the rules."""
FIRST_SIMULATED = 101
"""The first of those that simulated crews drive by version 2."""


def _control(square: str, side: str = "", section: str = "", speed: int | None = None) -> Control:
    return Control(
        square=SquareId(square),
        side=Side(side) if side else None,
        section=Timing(section) if section else None,
        speed=speed,
    )


SHORT = Rally(
    id="short",
    name="Short",
    controls=(
        _control("A4"),
        _control("E3", "N"),
        _control("K5", "S", "road"),
        _control("P4", "N", "stage"),
        _control("P10", "N", "regularity", 30),
        _control("T9", "S", "selective"),
    ),
    black_spots=(SquareId("O6"),),
)


@dataclass(kw_only=True)
class Run(making.Recipe):
    """How one rally is set up and driven.

    ``daring`` is how often a crew does something else than the careful thing; crews that are ``even`` all do the same.
    """

    game: ClassVar[str] = "rally-round"
    daring: float
    is_even: bool


def recipe(number: int) -> Run:
    """Return the recipe of attempt ``number``: every choice comes round."""
    return Run(
        number=number,
        seats=ALL[: (2, 1, 3, 2, 5)[number % 5]],
        options=_table(number)
        if number % 4 == 0
        else {
            "illegal-speed": "reject" if number % 7 == 4 else "miss",
            "sheets": "open" if number % 4 == 1 else "sealed",
        },
        position=Position(rally=SHORT) if number % 3 and number % 4 else None,
        is_recorded=number % 7 == 3,
        is_wordy=number % 6 == 4,
        is_corrected=number % 5 == 3,
        entropy=making.words_of_players(number) if number % 5 != 1 else {},
        daring=(0.05, 0.3, 0.6)[number % 3],
        is_even=number % 9 == 5,
    )


def _table(number: int) -> dict[str, str]:
    """Return the options of a game at a table."""
    turn = number // 4
    return {
        "mode": "table",
        "kit": ("draft", "deal")[turn % 2],
        "parts": ("1", "2")[turn % 3 == 1],
        "solo": "competitive" if turn % 5 == 2 else "off",
        "wrong-marker": "reject" if turn % 4 == 3 else "lose",
    }


LAID = {
    1: ("PLACE PC at E3 from N", "PLACE TC3 at K3 from S"),
    2: ("PLACE PC2 at P4 from N", "PLACE PC at P12 from N", "PLACE TC at G16 from E"),
}
"""What players at a table lay, in each part."""


def _at_table(session: Session, seat: Seat, recipe: Run, luck: Random) -> str:
    """Return what a player at a table orders."""
    state, text = session.game.state, session.rules.language.text
    kind = session.rules.awaiting(session.config, state)[0].kind
    match kind:
        case "start":
            return "START at A4"
        case "finish":
            return f"FINISH at {('K3', 'G16')[state.part - 1]}"
        case "place" if not session.config.rejects_markers and luck.random() < recipe.daring / 4:
            return f"PLACE BLACKSPOT at {state.controls[0].square}"
        case "place" if luck.random() < 0.3:
            return "PASS" if state.black_spots else "PLACE BLACKSPOT at Z28"
        case "place":
            return LAID[state.part][len(state.controls) - 1]
        case "kit" | "choose":
            return text(luck.choice(list(session.rules.legal(session.config, state, seat))))
    speed = _careful(session, seat, luck)
    if luck.random() < recipe.daring:
        odd = luck.choice(
            [
                "TURN ROUND",
                f"SPEED {speed} behind",
                f"SPEED {speed + 30}",
                f"SPEED {speed} ahead",
                "BLOCK never",
                "BLOCK always",
            ]
        )
        if not odd.startswith("BLOCK") or odd in map(text, session.rules.legal(session.config, state, seat)):
            return odd
    return f"SPEED {speed}"


def played(recipe: Run) -> Session | None:
    """Return the game of ``recipe``, or ``None`` if it grows too long."""
    chance, luck = making.LoggedChance(recipe.secret), Random(f"recorded {recipe.number}")
    step = partial(_step, recipe=recipe, luck=luck, chance=chance)
    past = making.course(making.begun(recipe, chance), step, MOST_ORDERS, CORRECTIONS if recipe.is_corrected else ())
    return None if past is None else past[-1]


def _step(session: Session, seat: Seat, recipe: Run, luck: Random, chance: making.LoggedChance) -> Session:
    if session.config.is_table:
        words = _at_table(session, seat, recipe, luck)
        if recipe.is_recorded:
            return making.by_hand(session, seat, read(session.rules, words), chance)
        return making.by_mail(session, seat, words)
    crew = session.game.state.crew(seat)
    if recipe.is_even:
        luck = Random(f"even {recipe.number} {len(crew.kit)} {len(crew.lines)} {len(crew.speeds)}")
    order = _kit(session, seat, luck) if not crew.has_kit() else _line(session, seat, recipe, luck)
    words = session.rules.language.text(order)
    if recipe.is_recorded:
        return making.by_hand(session, seat, order, chance)
    if recipe.is_wordy and luck.random() < 0.3:
        words = luck.choice(
            [
                f"KIT D1 OR {words}",
                f"IF penalty >= 0 THEN {words} ELSE TURN ROUND",
                f"IF turns > 99 THEN TURN ROUND ELSE {words}",
            ]
        )
    return making.by_mail(session, seat, words)


def _kit(session: Session, seat: Seat, luck: Random) -> Pick:
    config, taken = session.config, session.game.state.crew(seat).kit
    kinds = [kind for kind in Kind if all(config.kit[card].kind is not kind for card in taken)]
    chosen = [luck.choice([card.id for card in config.components.kit if card.kind is kind]) for kind in kinds]
    return Pick(chosen[0], tuple(chosen[1:]))


def _line(session: Session, seat: Seat, recipe: Run, luck: Random) -> Any:
    """Return a whole section in one line where nothing comes between, or a single turn with something odd about it."""
    crew = session.game.state.crew(seat)
    if luck.random() < recipe.daring:
        odd = _odd(session, seat, luck)
        if session.rules.refusal(session.config, session.game.state, seat, odd) is None:
            return odd
    if crew.speeds or luck.random() < recipe.daring:
        return Speed(_careful(session, seat, luck))
    speeds, after, section = [], session, len(crew.lines)
    while len(after.game.state.crew(seat).lines) == section and not after.game.state.crew(seat).is_done(after.config):
        speed = _careful(after, seat, luck)
        before = len(after.game.state.crew(seat).speeds)
        state = carry_out(
            after.rules, after.config, after.game.state, seat, Speed(speed), CommittedChance(b"0" * 32, {})
        ).state
        missed = len(state.crew(seat).speeds) - before - 1 if len(state.crew(seat).lines) == section else 0
        speeds += [speed, *[0] * missed]
        after = after.with_game(_with_state(after, state))
        if len(speeds) > 30:
            break
    number = session.config.sections[section].end.number
    return Speed(speeds[0], then=tuple(speeds[1:]), to=number)


def _with_state(session: Session, state: Any) -> Any:
    return replace(session.game, state=state)


def _careful(session: Session, seat: Seat, luck: Random) -> int:
    """Return a legal speed that breaks no limit in sight, most of the time the highest for the section."""
    crew, config = session.game.state.crew(seat), course(session.config, session.game.state)
    car, rights = crew.car(config), crew.rights(config)
    speeds = legal_speeds(config, car, rights, way_ahead(config, car, 1)[0])
    wanted = 60 if car.section.timing is Timing.STAGE else 40
    best = [speed for speed in speeds if speed <= wanted] or [speeds[0]]
    return luck.choice(best[-2:])


def _odd(session: Session, seat: Seat, luck: Random) -> Any:
    crew, config = session.game.state.crew(seat), session.config
    car = crew.car(config)
    speeds = list(legal_speeds(config, car, crew.rights(config), way_ahead(config, car, 1)[0]))
    beside = config.network.neighbours(car.at)
    return luck.choice(
        [
            TurnRound(),
            Speed(speeds[-1]),
            Speed(speeds[0], then=(speeds[0] + 10, speeds[0] + 20, 90, 40)),
            Speed(luck.choice(speeds), via=(luck.choice(beside),)),
            Speed(luck.choice(speeds), using=luck.choice(crew.held)) if crew.held else Speed(speeds[-1]),
        ]
    )


def _amend(session: Session) -> Session:
    crew = session.game.state.crews[0]
    if crew.is_done(session.config) or session.config.is_table:
        return session
    return amend(session, ["crews[0].penalty=" + str(crew.penalty + 1800)], "a fault was overlooked")


def _retire(session: Session) -> Session:
    last = session.game.state.crews[-1]
    if session.config.is_table:
        return session
    return session if last.is_done(session.config) else amend(session, [f"crews[{last.seat}].out=retired"], "no sheet came")


CORRECTIONS = (
    (6, making.handing_over),
    (10, _amend),
    (14, making.undoing(2, "an order of the wrong week was read")),
    (18, _retire),
)


def make(folder: Path) -> None:
    """Write the first rallies that are short enough, then others for what they do not show, then simulated ones."""
    games = making.Collection(folder, SITUATIONS, f"recorded-{FIRST_NUMBER // 100}*")
    attempts = map(played, map(recipe, count(FIRST_NUMBER)))
    games.fill(attempts, FIRST)
    games.complete(attempts, (name for name in SITUATIONS if not name.startswith("version 1")))
    simulate(folder)


VARIANTS: tuple[dict[str, str], ...] = (
    {},
    {"sheets": "open"},
    {"illegal-speed": "reject"},
    {"sheets": "open", "illegal-speed": "reject"},
    {"mode": "table"},
    {"mode": "table", "kit": "deal"},
    {"mode": "table", "kind": "stage"},
    {"mode": "table", "parts": "2"},
    {"mode": "table", "solo": "competitive"},
    {"mode": "table", "illegal-speed": "reject", "wrong-marker": "reject"},
    {"mode": "table", "kind": "stage", "kit": "deal", "parts": "3"},
    {"mode": "table", "kind": "stage", "solo": "competitive", "illegal-speed": "reject"},
)
"""Both modes, and every value of every option but other rallies."""
OF_EACH = 3


def simulate(folder: Path) -> None:
    """Write rallies of crews that try whatever is allowed, or plan their speeds, over all variants and the present set."""
    for old in folder.glob("rally-round-001*.json"):
        old.unlink()
    for number, options in enumerate(VARIANTS * OF_EACH, FIRST_SIMULATED):
        player = ("random", "mixed", "greedy")[(number - FIRST_SIMULATED) // len(VARIANTS)]
        plan = Plan(ruleset="rally-round", games=999, players=1 + number % 4, player=player, options=options)
        game = play_game(plan, number).session.game
        (folder / f"{game.id}.json").write_bytes(dump_game(game))


if __name__ == "__main__":
    making.run(make, __file__)
