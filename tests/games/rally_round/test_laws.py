"""Rally Round keeps the laws of every game, on random play over a short rally on the house map."""

import pytest

from adjudicator.games.rally_round import table_events as events
from adjudicator.games.rally_round.components import Control, Rally, Side, SquareId, Timing
from adjudicator.games.rally_round.events import Disqualified, LineDropped
from adjudicator.games.rally_round.kits import Choose
from adjudicator.games.rally_round.laying import Finish, Pass, Place, Start
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.games.rally_round.state import Position
from adjudicator.games.rally_round.turns import Block
from adjudicator.testing import LAWS, play_games


def control(square, side=None, section=None, speed=None):
    return Control(square=SquareId(square), side=side and Side(side), section=section and Timing(section), speed=speed)


SHORT = Rally(
    id="short",
    name="Short",
    controls=(
        control("A4"),
        control("E3", "N"),
        control("K5", "S", "road"),
        control("P4", "N", "stage"),
        control("P10", "N", "regularity", 30),
        control("T9", "S", "selective"),
    ),
)
"""Four sections on the house map: over hazards, a ford, gradients, bends, Give Ways."""
TABLE = (
    events.StartDrawn, events.StartChosen, events.FinishChosen, events.ControlPlaced, events.BlackSpotPlaced,
    events.MarkerPassed, events.MarkerRemoved,
    events.CrewChosen, events.MinuteBegun, events.TurnTaken, events.MustMiss, events.TurnLost,
    events.Displaced, events.Held, events.BlockSet, events.BlockAsked, events.BlockAnswered,
    events.TableHazardDrawn, events.PartEnded,
    Start, Finish, Place, Pass, Choose, Block,
)  # fmt: skip
"""What happens at a table only: see ``test_laws_table.py``."""
RARE = (Disqualified, LineDropped, *TABLE)
"""What players come to who name ways and write whole lines: the tests by rule number have it."""
OPTIONS = [
    {"mode": "internet", "illegal-speed": illegal, "sheets": sheets}
    for illegal in ("miss", "reject")
    for sheets in ("sealed", "open")
]


@pytest.fixture(scope="module", params=[10, pytest.param(50, marks=pytest.mark.soak)])
def games(request):
    return play_games(
        RULESET,
        games=8,
        players=(1, 2, 3),
        options=OPTIONS,
        positions=(Position(rally=SHORT),),
        most_orders=150,
        positions_looked_at=request.param,
        rare=RARE,
    )


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept(games, law):
    law(games)
