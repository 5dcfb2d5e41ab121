"""Rally Round keeps the laws of every game at a table as well, on random play over a small map."""

import pytest

from adjudicator.games.rally_round import events
from adjudicator.games.rally_round import table_events as table
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.games.rally_round.turns import Block
from adjudicator.testing import LAWS, play_games

RARE = (
    events.Disqualified, events.LineDropped, events.HazardDrawn, events.TurnsMissed, events.Flooded,
    events.Faulted, events.LeftRoad, table.Held, table.BlockSet, table.BlockAsked, table.BlockAnswered,
    table.Displaced, table.MarkerRemoved, table.PartEnded, Block,
)  # fmt: skip
"""What is by internet only, or hardly comes about in so few games: the tests by rule number have it."""
OPTIONS = [
    {"mode": "table"},
    {"mode": "table", "kit": "deal", "parts": "2"},
    {"mode": "table", "kind": "stage", "solo": "competitive"},
    {"mode": "table", "illegal-speed": "reject"},
]


@pytest.fixture(scope="module", params=[10, pytest.param(60, marks=pytest.mark.soak)])
def games(request, world):
    lanes = ["H1 H2 H3 I3 J3 K3 K2 K1", "M1 M2 M3 N3 O3 P3 Q3 Q2 Q1"]
    small = world.parts(
        "#..!.h..b...!...>..f.g..!#",
        "rrrrrrrroooooooyyyyyywwwwr",
        lanes=lanes,
        tracks=["C1 F1"],
        hazards=HAZARDS(world),
        kit=None,
    )
    return play_games(
        RULESET,
        games=9,
        players=(1, 2, 3),
        components=[small],
        options=OPTIONS,
        most_orders=150,
        positions_looked_at=request.param,
        rare=RARE,
    )


def HAZARDS(world):  # noqa: N802
    return [
        world.hazard("H1", world.effect("stop")),
        world.hazard("H2", world.effect("start", 40, 40, 40)),
        world.hazard("H3", world.effect("miss", turns=2)),
        world.hazard("H4", world.effect("accelerate", 30, 30, 30)),
    ]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept(games, law):
    law(games)
