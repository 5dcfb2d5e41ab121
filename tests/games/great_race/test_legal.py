"""Which orders are listed as legal, in positions of every kind: all of them, in their order."""

from __future__ import annotations

from typing import Any

import pytest

TILES = "E2 sand D2 track"
REACTIONS = """
REACT danger ask
REACT danger never
REACT danger with escort
REACT danger with ranger
REACT danger with escort, ranger
REACT danger with ranger, escort
"""
CHEATED = (("blue", "REACT cards ask", ""), ("blue", "DRIVE D2", ""), ("red", "PLAY Cheater swap D2 with E2", ""))
CHEATER = {"red": {"mechanics": 1, "hand": "cheater"}, "tiles": TILES, "turn": "blue"}
LISTED: dict[str, tuple[dict[str, Any], tuple[tuple[str, str, str], ...], str]] = {
    "who buys fuel, removes tiles and has funding": (
        {
            "red": {"escort": 1, "funding": 2, "fuel": 7, "cash": 40, "space": "E2"},
            "blue": {"mechanics": 1, "space": "F3"},
            "tiles": "E2 sand F3 mud D2 track F1 road",
        },
        (),
        f"BUY fuel 1\nBUY fuel 2\nESCORT remove D2\nESCORT remove F1\nFUND\nPASS\n{REACTIONS}",
    ),
    "who has broken down in a city": (
        {"red": {"mechanics": 1, "engine": 0, "chassis": 5, "cash": 50, "hand": "toolbox spare-parts"}},
        (),
        f"""
REPAIR buy 1
REPAIR buy 2
REPAIR using toolbox 1
REPAIR using toolbox 1 buy 1
REPAIR using toolbox 1 buy 2
REPAIR using parts 1
REPAIR using parts 1 buy 1
REPAIR using parts 1 buy 2
REPAIR using parts 1 toolbox 1
REPAIR using parts 1 toolbox 1 buy 1
REPAIR using parts 1 toolbox 1 buy 2
PASS
{REACTIONS}""",
    ),
    "whose cards give more points than there is room for": (
        {"red": {"mechanics": 1, "engine": 0, "chassis": 6, "cash": 10, "hand": "toolbox toolbox spare-parts spare-parts"}},
        (),
        f"""
REPAIR using toolbox 1
REPAIR using toolbox 2
REPAIR using parts 1
REPAIR using parts 1 toolbox 1
REPAIR using parts 1 toolbox 2
REPAIR using parts 2
REPAIR using parts 2 toolbox 1
REPAIR using parts 2 toolbox 2
PASS
{REACTIONS}""",
    ),
    "who repairs in the country, where parts are dear": (
        {"red": {"mechanics": 1, "engine": 0, "chassis": 5, "cash": 90, "space": "E2"}, "tiles": TILES},
        (),
        f"REPAIR buy 1\nREPAIR buy 2\nPASS\n{REACTIONS}",
    ),
    "who has room for one part": (
        {"red": {"mechanics": 1, "engine": 6, "chassis": 5, "cash": 90, "fuel": 0}},
        (),
        f"BUY fuel 1\nBUY fuel 2\nBUY fuel 3\nBUY fuel 4\nBUY fuel 5\nBUY fuel 6\nBUY fuel 7\nBUY fuel 8\nBUY fuel 9\n"
        f"REPAIR buy 1\nDRIVE D1\nDRIVE F1\nDRIVE D2\nDRIVE E2\nPASS\n{REACTIONS}",
    ),
    "who drives with few parts": (
        {
            "red": {"mechanics": 1, "engine": 2, "chassis": 3, "cash": 30, "fuel": 4, "hand": "transport transport ranger"},
            "tiles": "E2 bandits D2 ravine D1 sand F1 pass F2 track",
        },
        (),
        f"""
BUY fuel 1
BUY fuel 2
BUY fuel 3
REPAIR buy 1
DRIVE sea Cairo using transport 1
DRIVE sea Cairo using transport 2
DRIVE D1
DRIVE F1
DRIVE D2
DRIVE E2
DRIVE D1 C2
DRIVE E2 E3
DRIVE E2 F3
DRIVE E2 F2
DRIVE D2 D3
PASS
{REACTIONS}""",
    ),
    "who needs help on the way": (
        {
            "red": {"mechanics": 1, "escort": 1, "chassis": 0, "engine": 1, "space": "I3"},
            "tiles": "I3 track J3 bandits I4 village H4 mud",
        },
        (),
        f"""
REPAIR buy 1
REPAIR buy 2
DRIVE H3
DRIVE J3 using escort
DRIVE H2
DRIVE Cairo
DRIVE H4
DRIVE I4
ESCORT remove J3
ESCORT remove H4
ESCORT remove I4
PASS
{REACTIONS}""",
    ),
    "who holds cards with a target": (
        {
            "red": {"scouts": 1, "engine": 0, "hand": "tracker cheater saboteur driver mechanic cartographer"},
            "blue": {"mechanics": 1, "space": "D2"},
            "green": {},
            "tiles": f"{TILES} K6 mud",
        },
        (),
        f"""
PLAY Tracker remove E2
PLAY Cheater swap D2 with E2
PLAY Cheater swap D2 with K6
PLAY Cheater swap E2 with K6
PLAY Saboteur on blue
PLAY Saboteur on green
PLAY Mechanic buy 1
PLAY Mechanic buy 2
PLAY Mechanic buy 3
PLAY Mechanic buy 4
PLAY Cartographer
SCOUT tiles
SCOUT card
PASS
{REACTIONS}""",
    ),
    "who holds plain cards": (
        {"red": {"scouts": 1, "hand": "financial refuelling trail-hunter ranger toolbox jerrycan"}},
        (),
        f"""
PLAY Financial
PLAY Refuelling
PLAY Trail hunter
SCOUT tiles
SCOUT card
PASS
{REACTIONS}
PLAY Jerrycan""",
    ),
    "who has too many cards": (
        {"red": {"scouts": 1, "chassis": 1, "hand": "jerrycan"}},
        (("red", "SCOUT card", "caravan"),),
        "DISCARD Jerrycan\nDISCARD Caravan\nPLAY Jerrycan",
    ),
    "who lays tiles on spaces that were named": (
        {"red": {"scouts": 1}, "tiles": TILES},
        (("red", "SCOUT tiles F1 F2", "mud pass"),),
        "LAY mud at F1\nLAY mud at F2\nLAY pass at F1\nLAY pass at F2",
    ),
    "who keeps two cards of three, of which two are alike": (
        {"red": {"mechanics": 1, "hand": "trail-hunter"}},
        (("red", "PLAY Trail hunter", "ranger toolbox ranger"),),
        "KEEP Ranger, Ranger\nKEEP Ranger, Toolbox",
    ),
    "who cannot pay for a tile without help": (
        {"red": {"mechanics": 1, "escort": 1, "fuel": 0, "hand": "ranger jerrycan"}},
        (("red", "DRIVE E2", "ravine"),),
        """
PAY using jerrycan
PAY using jerrycan, escort
PAY using jerrycan, ranger
PAY using jerrycan, escort, ranger
BACK
PLAY Jerrycan""",
    ),
    "who named help for a tile": (
        {"red": {"mechanics": 1, "escort": 1, "hand": "ranger"}},
        (("red", "DRIVE E2 using escort", "ravine"),),
        "PAY\nPAY using nothing\nPAY using escort\nPAY using ranger\nPAY using escort, ranger",
    ),
    "who can cancel a danger": (
        {**CHEATER, "blue": {"mechanics": 2, "escort": 1, "hand": "ranger jerrycan"}},
        CHEATED,
        "CANCEL with escort\nCANCEL with ranger\nACCEPT\nPLAY Jerrycan",
    ),
    "who can only accept a danger": ({**CHEATER, "blue": {"mechanics": 2, "hand": "caravan"}}, CHEATED, "ACCEPT"),
}
"""Positions, the orders that lead from there to the question, and all that the seat asked can do."""


@pytest.mark.parametrize("who", LISTED)
def test_all_legal_orders_are_listed_and_no_others(race, who):
    given, before, listed = LISTED[who]
    table = race(**given)
    for seat, words, draws in before:
        table.do(seat, words, draws)
    ((seat, _),) = table.due()
    assert table.words(seat) == [line for line in listed.splitlines() if line]


def test_gr_b1_the_cards_of_the_bivouac_are_listed_each_once(start):
    assert start(2, "jerrycan toolbox jerrycan").words("blue") == ["TAKE Jerrycan", "TAKE Toolbox"]


def test_gr_l1_all_plans_of_five_assistants_are_listed(race):
    planning = race(stage="planning", red={"hand": "jerrycan"}).words("red")
    plans = [words for words in planning if words.startswith("PLAN")]
    assert len(plans) == len({*plans}) == 56
    assert {"PLAN scouts 5", "PLAN mechanics 5", "PLAN escort 5", "PLAN funding 5"} < {*plans}
    assert planning[56:] == [*REACTIONS.split("\n")[1:-1], "PLAY Jerrycan"]
