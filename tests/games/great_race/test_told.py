"""What the log tells of a race: each order of a story, and below it the events with their rules, as moderators read them.

An event without words stands in brackets, and what a crew gets or pays with its sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from adjudicator.core.event import Spent
from adjudicator.games.great_race.card_events import (
    CardsDrawn,
    CardsKept,
    CardsMissed,
    DeckShuffled,
    TilesReturned,
    TilesScouted,
)
from adjudicator.games.great_race.events import PlanMade

STORIES: dict[str, tuple[dict[str, Any], str]] = {
    "a round": (
        {},
        """
the race goes from Algiers to Cape-Town; the turn order is red and blue (GR-S1)
the bivouac offers Jerrycan, Toolbox and Ranger (GR-B1)
blue: TAKE Toolbox
    blue takes Toolbox (GR-B1)
red: TAKE Ranger
    red takes Ranger (GR-B1)
    blue takes Jerrycan (GR-B1)
    [planning-begun GR-L1]
red: REACT danger never
    from now on red answers danger cards with nothing (GR-K4)
    from now on red answers the danger of tiles drawn with nothing (GR-K4)
red: PLAN scouts 1 mechanics 2 escort 2
    red plans scouts 1, mechanics 2, escort 2 (sealed) (GR-L1)
red: PLAN mechanics 3 escort 2
    red plans mechanics 3, escort 2 (sealed) (GR-L1)
blue: REACT cards with escort only if parts > 1
    from now on blue answers danger cards with escort, if it would lose more than 1 part (GR-K4)
blue: PLAN funding 5
    blue plans funding 5 (sealed) (GR-L1)
    red has planned mechanics 3, escort 2 (GR-L1)
    blue has planned funding 5 (GR-L1)
    red is next (GR-V1)
red: DRIVE E2 E3 losing chassis using nothing [stones sand]
    red plays a mechanic (GR-A2)
    red sets off for E2 E3 (at most 6 spaces) (GR-D1)
    E2 is blank: red draws Stony ground (1 fuel, 1 part) (GR-D3)
    red drives to E2: 1 fuel and chassis 1 (GR-D1)
    E3 is blank: red draws Soft sand (3 fuel) (GR-D3)
    red drives to E3: 4 fuel (GR-D1)
    [drive-ended GR-D1]
    blue is next (GR-V1)
blue: FUND
    blue plays its funding (GR-A4)
    blue +110: funding of 5 (GR-A4)
    red is next (GR-V1)
red: PASS [financial driver caravan]
    red passes (GR-V1)
    the turn order of the next round is red, blue (GR-N1)
    red +20: first on the way (GR-N3)
    the bivouac offers Financial, Driver and Caravan (GR-B1)
""",
    ),
    "sequences": (
        {
            "red": {
                "mechanics": 2,
                "scouts": 2,
                "escort": 1,
                "fuel": 5,
                "engine": 4,
                "hand": "jerrycan spare-parts financial refuelling cartographer",
            },
            "tiles": "E2 bandits D2 village",
        },
        """
red: PLAY Jerrycan
    red plays Jerrycan (GR-K3)
    red gains 1 level of fuel and has 6 (GR-K3)
red: BUY fuel 1
    red -10: 1 fuel (GR-V1)
    red gains 1 level of fuel and has 7 (GR-V1)
red: PLAY Financial
    red plays Financial (GR-K1)
    red +30: Financial (GR-K1)
    [card-spent GR-H9]
red: PLAY Refuelling
    red plays Refuelling (GR-K1)
    red gains 3 levels of fuel and has 10 (GR-K1)
    [card-spent GR-H9]
red: PLAY Cartographer first F1 then F2 then F3 [mud pass sand]
    red plays Cartographer (GR-K1)
    red draws Mud (2 fuel, 1 part, stop), Mountain pass (2 fuel, 2 parts) and Soft sand (3 fuel) (GR-K1)
    red lays Mud (2 fuel, 1 part, stop) at F1 (GR-K1)
    red lays Mountain pass (2 fuel, 2 parts) at F2 (GR-K1)
    red lays Soft sand (3 fuel) at F3 (GR-K1)
    [card-spent GR-H9]
red: REPAIR using parts 1 buy 1
    red plays a mechanic (GR-A2)
    red plays Spare parts (GR-K2)
    red -20: 1 part (GR-A2)
    red repairs engine 2, chassis 0 (GR-A2)
    blue is next (GR-V1)
blue: PASS
    blue passes (GR-V1)
    red is next (GR-V1)
red: SCOUT tiles first D1 then C2 [track road]
    red plays a scout (GR-A1)
    red draws Desert track (1 fuel) and Made road (no cost) (GR-A1)
    red lays Desert track (1 fuel) at D1 (GR-A1)
    red lays Made road (no cost) at C2 (GR-A1)
    red is next (GR-V1)
red: DRIVE E2 using escort
    red plays a mechanic (GR-A2)
    red sets off for E2 (at most 6 spaces) (GR-D1)
    red gives up an escort (GR-D2)
    red cancels the danger of E2 with escort (GR-D2)
    red drives to E2: 1 fuel (GR-D1)
    [drive-ended GR-D1]
    red is next (GR-V1)
red: SCOUT card [caravan tracker tracker jerrycan]
    red plays a scout (GR-A1)
    red draws Caravan (GR-A1)
    the turn order of the next round is red, blue (GR-N1)
    red +20: first on the way (GR-N3)
    the bivouac offers Tracker, Tracker and Jerrycan (GR-B1)
""",
    ),
    "dangers": (
        {
            "red": {"mechanics": 2, "escort": 1, "hand": "tracker cheater saboteur saboteur trail-hunter transport"},
            "blue": {"mechanics": 1, "escort": 1, "hand": "jerrycan", "chassis": 2},
            "tiles": "E2 sand D2 track K6 mud J3 mud",
        },
        """
red: PLAY Tracker remove E2
    red plays Tracker (GR-K1)
    red wants to remove the tile at E2 (GR-K4)
    blue lets it happen (GR-K4)
    [danger-done GR-K4]
    red removes Soft sand (3 fuel) from E2, permanently (GR-K1)
    [card-spent GR-H9]
red: PLAY Cheater swap K6 with D2
    red plays Cheater (GR-K1)
    red wants to swap the tiles at D2 and K6 (GR-K4)
    blue lets it happen (GR-K4)
    [danger-done GR-K4]
    red swaps Desert track (1 fuel) at D2 with Mud (2 fuel, 1 part, stop) at K6 (GR-K1)
    [card-spent GR-H9]
red: PLAY Saboteur on blue
    red plays Saboteur (GR-K1)
    red wants to take engine 2 of blue (GR-K4)
    blue gives up an escort (GR-K4)
    blue cancels it with escort (GR-K4)
    [card-spent GR-H9]
red: PLAY Trail hunter keeping Driver [toolbox driver cheater]
    red plays Trail hunter (GR-K1)
    red draws Toolbox, Driver and Cheater, and discards one of them (GR-K1)
    red keeps Driver and Toolbox and discards Cheater (GR-K1)
    [card-spent GR-H9]
red: PLAY Saboteur on blue engine 1 chassis 1
    red plays Saboteur (GR-K1)
    red wants to take engine 1 and chassis 1 of blue (GR-K4)
    blue lets it happen (GR-K4)
    [danger-done GR-K4]
    blue loses engine 1, chassis 1 (GR-K1)
    [card-spent GR-H9]
red: PLAY Driver sea Cairo using transport 1 [caravan ranger]
    red plays Driver (GR-K1)
    red plays Transport (GR-D5)
    red travels by sea to Cairo, with 1 Transport card (GR-D5)
    red sets off for Cairo (at most 6 spaces) (GR-D1)
    red drives to Cairo: 1 fuel (GR-D4)
    red draws Caravan and Ranger (GR-D4)
    [drive-ended GR-D4]
    [card-spent GR-H9]
red: ESCORT remove J3
    red plays an escort (GR-A3)
    red removes Mud (2 fuel, 1 part, stop) from J3, permanently (GR-A3)
    blue is next (GR-V1)
blue: PASS
    blue passes (GR-V1)
    red is next (GR-V1)
red: PASS [cartographer jerrycan jerrycan]
    red passes (GR-V1)
    the turn order of the next round is red, blue (GR-N1)
    red +20: first on the way (GR-N3)
    the bivouac offers Cartographer, Jerrycan and Jerrycan (GR-B1)
""",
    ),
    "who is asked": (
        {
            "red": {"mechanics": 2, "hand": "cheater saboteur"},
            "blue": {"mechanics": 2, "hand": "ranger", "engine": 0, "chassis": 1},
            "turn": "blue",
            "tiles": "E2 sand D2 sand",
        },
        """
blue: REACT cards ask
    from now on blue answers danger cards when asked (GR-K4)
blue: PASS
    blue passes (GR-V1)
    red is next (GR-V1)
red: PLAY Cheater swap D2 with E2
    red plays Cheater (GR-K1)
    the Cheater of red changes nothing: both tiles are alike (GR-K1)
    red wants to swap the tiles at D2 and E2 (GR-K4)
    blue must say whether it cancels the danger (GR-K4)
blue: ACCEPT
    blue lets it happen (GR-K4)
    [danger-done GR-K4]
    red swaps Soft sand (3 fuel) at D2 with Soft sand (3 fuel) at E2 (GR-K1)
    [card-spent GR-H9]
red: PLAY Saboteur on blue
    red plays Saboteur (GR-K1)
    red wants to take chassis 1 of blue (GR-K4)
    blue must say whether it cancels the danger (GR-K4)
blue: CANCEL with ranger
    blue plays Ranger (GR-K4)
    blue cancels it with ranger (GR-K4)
    [card-spent GR-H9]
""",
    ),
    "drives": (
        {
            "red": {"mechanics": 2, "engine": 2, "chassis": 1, "hand": "caravan"},
            "blue": {"mechanics": 1, "chassis": 1, "hand": "caravan"},
            "tiles": "E2 village E3 stones D2 ford D3 pass",
        },
        """
red: DRIVE E2 E3 losing chassis using caravan
    red plays a mechanic (GR-A2)
    red sets off for E2 E3 (at most 2 spaces) (GR-D1)
    red drives to E2: nothing to pay (GR-D1)
    red plays Caravan (GR-D2)
    red drives to E3: 2 fuel and chassis 1 (GR-D1)
    [drive-ended GR-D1]
    blue is next (GR-V1)
blue: DRIVE D2
    blue plays a mechanic (GR-A2)
    blue sets off for D2 (at most 6 spaces) (GR-D1)
    blue drives to D2: 1 fuel and chassis 1 (GR-D1)
    blue stops at D2 (GR-D2)
blue: DISCARD Caravan
    blue discards Caravan (GR-H1)
    red is next (GR-V1)
red: DRIVE D3 [tracker tracker jerrycan]
    red plays a mechanic (GR-A2)
    red sets off for D3 (at most 2 spaces) (GR-D1)
    red drives to D3: 3 fuel and engine 2 (GR-D1)
    red has broken down and must be repaired (GR-D6)
    the turn order of the next round is red, blue (GR-N1)
    red +20: first on the way (GR-N3)
    the bivouac offers Tracker, Tracker and Jerrycan (GR-B1)
""",
    ),
    "the end": (
        {
            "red": {"mechanics": 1, "space": "H15", "hand": "ranger", "cash": 60},
            "blue": {"mechanics": 1, "space": "G15", "cash": 120, "engine": 3},
            "green": {"mechanics": 1},
            "tiles": "H15 road G15 road",
        },
        """
red: DRIVE Cape-Town
    red plays a mechanic (GR-A2)
    red sets off for Cape-Town (at most 6 spaces) (GR-D1)
    red drives to Cape-Town: 1 fuel (GR-D4)
    [drive-ended GR-D4]
    red has reached the finish, first; this is the last round (GR-F1)
    blue is next (GR-V1)
blue: DRIVE Cape-Town
    blue plays a mechanic (GR-A2)
    blue sets off for Cape-Town (at most 3 spaces) (GR-D1)
    blue drives to Cape-Town: 1 fuel (GR-D4)
    [drive-ended GR-D4]
    blue has reached the finish, second (GR-F1)
    green is next (GR-V1)
green: DRIVE F1 [ravine]
    green plays a mechanic (GR-A2)
    green sets off for F1 (at most 6 spaces) (GR-D1)
    F1 is blank: green draws Ravine (1 fuel, 1 part, danger) (GR-D3)
    [payment-asked GR-D3]
green: PAY engine
    green drives to F1: 1 fuel and engine 3 (GR-D1)
    [drive-ended GR-D1]
    red has 18 points of prestige: 5 for arriving first, 12 for engine and chassis, 1 for money (GR-F2)
    blue has 14 points of prestige: 3 for arriving second, 9 for engine and chassis, 2 for money (GR-F2)
    green has not arrived and cannot win (GR-F2)
    the race is over (GR-F1)
""",
    ),
    "turning back": (
        {
            "red": {"mechanics": 1, "fuel": 2, "hand": "jerrycan"},
            "blue": {"mechanics": 2, "fuel": 1, "engine": 2},
            "tiles": "D2 road D1 track F2 sand E3 steppe",
        },
        """
red: DRIVE E2 [sand]
    red plays a mechanic (GR-A2)
    red sets off for E2 (at most 6 spaces) (GR-D1)
    E2 is blank: red draws Soft sand (3 fuel) (GR-D3)
    [payment-asked GR-D3]
red: BACK
    red has not the 3 fuel that E2 costs: it goes back to Algiers and pays nothing (GR-D3)
    blue is next (GR-V1)
blue: DRIVE D1 C2 losing chassis using nothing [track]
    blue plays a mechanic (GR-A2)
    blue sets off for D1 C2 (at most 2 spaces) (GR-D1)
    blue drives to D1: 1 fuel (GR-D1)
    C2 is blank: blue draws Desert track (1 fuel) (GR-D3)
    blue has not the 1 fuel that C2 costs: it goes back to D1 and pays nothing (GR-D3)
    blue is next (GR-V1)
blue: PASS [tracker tracker jerrycan]
    blue passes (GR-V1)
    the turn order of the next round is red, blue (GR-N2)
    red +20: first on the way (GR-N3)
    the bivouac offers Tracker, Tracker and Jerrycan (GR-B1)
""",
    ),
}
"""For each story the position (empty: a new race), and what is told."""


def told(table: Any, events: Any, indent: str = "    ") -> Iterator[str]:
    """Yield the lines of a story for ``events``."""
    for event in events:
        if isinstance(event, Spent):
            yield from (f"{indent}{event.seat} {part.amount:+}: {part.what} ({part.rule})" for part in event.why)
        else:
            yield indent + (table.rules.tell(table.config, event) or f"[{event.kind} {event.rule}]")


def played(race: Any, start: Any, story: str) -> tuple[Any, list[str], list[Any]]:
    """Return the table after all orders of ``story``, what was told, and the events."""
    given, text = STORIES[story]
    table = race(**given) if given else start(2, "jerrycan toolbox ranger")
    events = [] if given else [*table.game.journal[0].entry.events]
    lines = [*told(table, events, "")]
    for seat, order, draws in re.findall(r"^(\w+): ([^\[\n]+?)(?: \[(.*)\])?$", text, re.MULTILINE):
        happened = table.do(seat, order, draws)
        lines += [f"{seat}: {order}{f' [{draws}]' if draws else ''}", *told(table, happened)]
        events += happened
    return table, lines, events


@pytest.mark.parametrize("story", STORIES)
def test_a_story_is_told_in_these_words(race, start, story):
    _, lines, _ = played(race, start, story)
    assert lines == STORIES[story][1].strip().splitlines()


def test_no_event_is_left_out(race, start):
    """Three more happen only when bag, deck or board are empty: the tests of GR-H9 have them."""
    found, rules = {DeckShuffled, CardsMissed, TilesReturned}, race().rules
    for story in STORIES:
        found |= {type(event) for event in played(race, start, story)[2]}
    assert set(rules.events) - found == set()


@pytest.mark.parametrize(
    ("story", "kind", "others"),
    [
        ("a round", PlanMade, "red has planned (GR-L1)"),
        ("sequences", TilesScouted, "red draws 3 tiles (GR-K1)"),
        ("sequences", CardsDrawn, "red draws 1 card (GR-A1)"),
        ("dangers", CardsDrawn, "red draws 2 cards (GR-D4)"),
        ("dangers", CardsKept, "red keeps 2 cards and discards Cheater (GR-K1)"),
    ],
)
def test_gr_h2_others_read_less_of_what_is_secret(race, start, story, kind, others):
    table, _, events = played(race, start, story)
    event = next(event for event in events if isinstance(event, kind))
    for viewer in ("blue", None):
        assert table.rules.tell(table.config, table.rules.redact(table.config, event, viewer)) == others
    assert table.rules.tell(table.config, table.rules.redact(table.config, event, "red")) != others
