"""Orders in the words of players, and what they are read as."""

from __future__ import annotations

import pytest

from adjudicator.games.great_race.rules import RULESET
from adjudicator.testing.orders import read

WRITTEN = {
    "PLAN scout 1, mechanics 2 and escort 2": "PLAN scouts 1 mechanics 2 escort 2",
    "plan 2 scouts and 3 mechanics": "PLAN scouts 2 mechanics 3",
    "drive k4 then k5": "DRIVE K4 K5",
    "drive k4, k5 and k6 using ranger and guide": "DRIVE K4 K5 K6 using ranger, caravan",
    "drive to k4 -> k5 -> Tamanrasset": "DRIVE K4 K5 Tamanrasset",
    "drive k4 losing engine 1 and chassis 2": "DRIVE K4 losing engine 1 chassis 2",
    "drive k4 lose chassis with a jerry can": "DRIVE K4 losing chassis using jerrycan",
    "drive k4 using jerry cans and escort at k4": "DRIVE K4 using jerrycan, escort at K4",
    "drive by boat to Cairo with transport cards 2": "DRIVE sea Cairo using transport 2",
    "drive k4 using no help": "DRIVE K4 using nothing",
    "scout tiles first k4 then k5": "SCOUT tiles first K4 then K5",
    "scout tiles k4 and k5": "SCOUT tiles K4 K5",
    "play cheater swap m2 and k4": "PLAY Cheater swap K4 with M2",
    "repair engine 2 and chassis 1 using parts 2 and toolbox and buy 1": (
        "REPAIR engine 2 chassis 1 using parts 2 toolbox 1 buy 1"
    ),
    "lay sand to k4": "LAY sand at K4",
    "pay engine 1 and chassis 1 using ranger": "PAY engine 1 chassis 1 using ranger",
    "play saboteur on blue, engine 1 and chassis 1": "PLAY Saboteur on blue engine 1 chassis 1",
    "use the pilot k4 k5": "PLAY Driver K4 K5",
    "play geographer": "PLAY Cartographer",
    "discard guide and tool box": "DISCARD Caravan, Toolbox",
    "keep toolbox, ranger": "KEEP Ranger, Toolbox",
    "react danger with escort and ranger": "REACT danger with escort, ranger",
    "ask": "REACT danger ask",
    "react tiles only if parts over 2": "REACT tiles with escort, ranger only if parts > 2",
    "buy 3 levels of fuel": "BUY fuel 3",
    "buy 3 petrol": "BUY fuel 3",
    "go back": "BACK",
    "let it happen": "ACCEPT",
    "cancel with a ranger": "CANCEL with ranger",
}


@pytest.mark.parametrize("written", WRITTEN)
def test_an_order_is_read_in_the_words_of_players(written):
    order = read(RULESET, written)
    assert (None if order is None else RULESET.language.text(order)) == WRITTEN[written]
