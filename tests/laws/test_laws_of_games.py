"""Every game keeps the laws of `adjudicator.testing`, in random play from the set-up and from explicit positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.library.rulesets import component_set
from adjudicator.testing import LAWS, Games, Law, play_games
from tests.drivers.scenarios import Scenario, begin

RULES = Path(__file__).parent.parent / "rules"
SHORT = """rally {"id": "short", "name": "Short", "controls": [{"square": "A4"}, {"square": "E3", "side": "N"},
 {"square": "K5", "side": "S", "section": "road"}, {"square": "P4", "side": "N", "section": "stage"},
 {"square": "P10", "side": "N", "section": "regularity", "speed": 30},
 {"square": "T9", "side": "S", "section": "selective"}]}
red
blue"""
"""Four sections on the house map: over hazards, a ford, gradients, bends, Give Ways."""
PLAYS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "flag": ("checkered-flag", {"games": 10, "options": [{"laps": "1"}, {"laps": "2"}]}, []),
    "flag, amid a race": (
        "checkered-flag",
        {"games": 8},
        [
            "turn red\nred position=9 gear=3\nblue position=20 gear=1",
            "turn blue\nspun a=5 b=4\nred position=18 gear=2\nblue position=4 gear=3",
            "turn red\nred position=30 gear=2\nblue position=23 lost=2",
        ],
    ),
    "charlie": ("checkpoint-charlie", {"games": 8, "most_orders": 120}, []),
    "checkpoint rally": ("checkpoint-rally", {"games": 6, "most_orders": 150}, []),
    "checkpoint rally, near the end": (
        "checkpoint-rally",
        {"games": 4, "players": (2,), "options": [{"last-chance": "any-marker"}, {}]},
        [
            "board A3:U1 B3:H1:90 C1:G1 C3:G2 D3:U3 E3:H2\nred cell=B3 minutes=31 hand=H3,G3\n"
            "blue cell=D3 minutes=33 gps=0 hand=U5,H5,G5"
        ],
    ),
    "great race": ("great-race", {"games": 6, "most_orders": 150, "options": [{}, {"start": "Cape-Town"}]}, []),
    "great race, near the end": (
        "great-race",
        {"games": 4, "players": (2,), "most_orders": 80},
        [
            "turn red\nround 9\ntiles G15:stones,H15:track,I15:bandits,H16:village,I16:sand,H14:ruts\n"
            "red space=H15 assistants.scouts=1 assistants.mechanics=2 hand=driver\nblue space=I15"
        ],
    ),
    "rally round": (
        "rally-round",
        {
            "games": 8,
            "players": (2,),
            "most_orders": 120,
            "options": [
                {"mode": "internet", "illegal-speed": illegal, "sheets": sheets}
                for illegal in ("miss", "reject")
                for sheets in ("sealed", "open")
            ],
        },
        [SHORT.replace("\n ", " ")],
    ),
    "rally round, at a table": (
        "rally-round",
        {
            "games": 8,
            "players": (1, 2, 3),
            "most_orders": 150,
            "options": [
                {"mode": "table"},
                {"mode": "table", "kit": "deal", "parts": "2"},
                {"mode": "table", "kind": "stage", "solo": "competitive"},
                {"mode": "table", "illegal-speed": "reject"},
            ],
        },
        [f"components rows.json\noption mode=table\nseat red\nseed {1:064x}"],
    ),
}
"""What is played: a game, how, and positions from which every other game begins, or component sets."""


@pytest.fixture(scope="module", params=PLAYS)
def games(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Games:
    """Play the games of a row: few positions are looked at here, many with the marker `soak`."""
    name, how, positions = PLAYS[request.param]
    more: dict[str, Any] = {}
    for text in positions:
        lines = [*enumerate(text.splitlines())]
        begun = begin(Scenario(RULES / name / "law", request.param, lines), tmp_path_factory.mktemp("law"))
        assert begun.game is not None, begun.problems
        setup = begun.game.record.setup
        if setup.position is None:
            more["components"] = [setup.components]
        else:
            more.setdefault("positions", []).append(setup.position)
    rules = component_set(name).rules
    rare = (*rules.types.events, *rules.language.texts)  # scenarios have all of them
    return play_games(rules, rare=rare, positions_looked_at=5, **how, **more)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept(games: Games, law: Law) -> None:
    law(games)
