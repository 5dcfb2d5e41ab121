"""Every mistake that a crew can make: its code, the rule, the words of the order at fault, and what would be right.

The list has a row for each code of a refusal in this game, and for each rule by which it is given.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import scenes

from adjudicator.core.frozen import change
from adjudicator.games.great_race.rules import RULESET

HOME = "E2 sand D2 track D1 bandits E3 steppe"
"""Tiles beside Algiers, and one in a risk zone behind them; F1 and F2 are blank."""
SET = json.loads((Path(__file__).parent / "set.json").read_text("utf-8"))
NO_TILE = " ".join(" ".join([tile["id"]] * tile["count"]) for tile in SET["tiles"])
POSITIONS: dict[str, dict[str, Any]] = {
    "planning": {"stage": "planning", "red": {"hand": "jerrycan"}},
    "sequence": {
        "red": {"mechanics": 1, "fuel": 8, "hand": "ranger", "cash": 30},
        "blue": {"mechanics": 1, "space": "D2"},
        "tiles": f"{HOME} K6 mud",
    },
    "in the country": {"red": {"mechanics": 1, "fuel": 2, "cash": 30, "space": "E3"}, "tiles": f"{HOME} D3 pass"},
    "in need": {"red": {"mechanics": 1, "fuel": 1, "engine": 1, "chassis": 1, "cash": 10}, "tiles": f"{HOME} F1 pass"},
    "on foot": {"red": {"mechanics": 1, "engine": 0, "cash": 70, "hand": "toolbox spare-parts"}, "tiles": HOME},
    "short drives": {"red": {"mechanics": 1, "engine": 2, "chassis": 0}, "tiles": "E2 village F1 pass D2 track D3 track"},
    "at sea": {"red": {"mechanics": 1, "cash": 30, "hand": "transport ranger"}, "tiles": HOME},
    "in Dakar": {"red": {"mechanics": 1, "space": "Dakar", "cash": 50}},
    "in the north": {"red": {"mechanics": 1, "space": "I3"}, "tiles": "I3 track J3 track"},
    "dangers": {
        "red": {"mechanics": 1, "hand": "tracker cheater saboteur"},
        "blue": {"mechanics": 1, "space": "D2", "engine": 1, "chassis": 3},
        "green": {"space": "Cape-Town", "arrival": 1},
        "tiles": f"{HOME} K6 mud",
    },
    "plain cards": {"red": {"mechanics": 1, "hand": "ranger toolbox transport refuelling trail-hunter driver"}},
    "no assistant left": {"red": {"scouts": 1, "escort": 1}, "tiles": HOME, "blue": {"mechanics": 1, "space": "D2"}},
    "scouts": {"red": {"scouts": 1}, "tiles": HOME},
    "passed": {"red": {"mechanics": 1}, "blue": {"has_passed": True}},
    "too many cards": {"red": {"scouts": 1, "chassis": 1, "hand": "caravan"}},
    "drawing tiles": {"red": {"scouts": 1}, "tiles": HOME},
    "hunting": {"red": {"mechanics": 1, "hand": "trail-hunter caravan"}},
    "paying": {"red": {"mechanics": 1, "hand": "caravan"}},
    "paying with help": {"red": {"mechanics": 1, "engine": 1, "chassis": 1, "hand": "ranger"}},
    "unpaid": {"red": {"mechanics": 1, "fuel": 0, "cash": 80, "space": "I3"}, "tiles": "I3 track"},
    "weak": {"red": {"mechanics": 1, "engine": 1, "chassis": 0}, "tiles": "E2 bandits D2 pass F1 ravine"},
    "no tiles left": {"red": {"mechanics": 1, "scouts": 1, "hand": "cartographer"}, "removed": NO_TILE},
    "planned": {"stage": "planning", "red": {"hand": "jerrycan"}},
    "bought too late": {"red": {"mechanics": 1, "fuel": 5, "hand": "financial"}},
    "version 1": {
        "red": {"mechanics": 1, "hand": "cheater saboteur"},
        "blue": {"mechanics": 1, "engine": 0, "chassis": 0},
        "tiles": "E2 sand K6 sand",
        "version": 1,
    },
    "arrived": {
        "red": {"mechanics": 2, "space": "H15"},
        "blue": {"funding": 1, "space": "H15"},
        "tiles": "H15 road",
    },
    "repairs": {"red": {"mechanics": 1, "engine": 5, "chassis": 5, "hand": "toolbox spare-parts mechanic", "cash": 20}},
    "threatened": {
        "red": {"mechanics": 1, "hand": "cheater"},
        "blue": {"mechanics": 2, "hand": "caravan"},
        "tiles": HOME,
        "turn": "blue",
    },
}
BEFORE = {
    "too many cards": [("red", "SCOUT card", "ranger")],
    "drawing tiles": [("red", "SCOUT tiles", "mud pass")],
    "hunting": [("red", "PLAY Trail hunter", "ranger toolbox cheater")],
    "paying": [("red", "DRIVE F1", "pass")],
    "paying with help": [("red", "DRIVE F1", "ravine")],
    "planned": [("red", "PLAN mechanics 5", "")],
    "bought too late": [("red", "PLAY Financial", "")],
    "arrived": [("red", "DRIVE Cape-Town", "")],
    "threatened": [
        ("blue", "REACT cards ask", ""),
        ("blue", "DRIVE D2", ""),
        ("red", "PLAY Cheater swap D2 with E2", ""),
    ],
}
"""The orders that lead from a position to the mistake, with what chance gives."""
MISTAKES = """
bivouac
    blue TAKE Tolbox | unknown-card GR-C3 | Tolbox | Toolbox
    blue TAKE Caravan | not-offered GR-B1 | Caravan | Jerrycan / Toolbox / Ranger
    blue PLAN mechanics 5 | take-first GR-B1
    red TAKE Jerrycan | not-due GR-V1
planning
    red PLAN scouts 1 mechanics 3 | does-not-add-up GR-L1 | scouts 1 | PLAN scouts 1 mechanics 3 funding 1
    red DRIVE E2 | plan-first GR-L1 |  | PLAN mechanics 3 funding 2
sequence
    red DRIVE Q9 | unknown-space GR-C1 | Q9 | F9 / G9 / H9
    red DRIVE E2 using escort at Q9 | unknown-space GR-C1 | using escort at Q9 | F9 / G9 / H9
    red DRIVE E3 | no-way GR-D1 | E3 | D1 / F1 / D2 / E2
    red DRIVE E2 Cairo | no-way GR-D1 | Cairo | D2 / F2 / Algiers / F1 / E3 / F3
    red DRIVE E2 K9 | no-way GR-D1 | K9 | D2 / F2 / Algiers / F1 / E3 / F3
    red DRIVE E2 using ranger at E3 | not-on-the-way GR-D2 | using ranger at E3 | E2
    red DRIVE E2 using caravan | not-in-hand GR-K1 | using caravan | Ranger
    red DRIVE E2 using escort | no-escort GR-A3 | using escort
    red DRIVE air Cairo | no-line GR-D5 | Cairo | sea Cairo
    red DRIVE sea Cairo | too-dear GR-D5 | sea
    red DRIVE E2 using transport 1 | no-line GR-D5 | using transport 1 | sea Cairo
    red DRIVE E2 losing engine 1 chassis 1 | does-not-add-up GR-D1 | losing engine 1 chassis 1 | losing engine 0 chassis 0
    red DRIVE F1 losing engine 1 chassis 1 | not-known-yet GR-D3 | losing engine 1 chassis 1 | losing chassis / losing engine
    red DRIVE D1 C2 losing engine 1 | does-not-add-up GR-D1 | losing engine 1 | losing engine 2 chassis 0
    red BUY fuel 3 | no-room GR-S2 |  | BUY fuel 2
    red BUY fuel 0 | nothing-bought GR-V1 |  | BUY fuel 1
    red BUY parts 2 | parts-in-a-repair GR-H6 | parts | REPAIR buy 2
    red SCOUT card | no-assistant GR-V1 |  | DRIVE … / REPAIR … / PASS
    red LAY mud at F1 | not-in-a-sequence GR-V1 |  | PASS
    red LAY lava at F1 | unknown-tile GR-C2 | lava
    red CANCEL with ranger | no-danger GR-K4 |  | REACT danger ask
    red PLAY Jerrycan | not-in-hand GR-K1 |  | Ranger
    red PLAY Driver E2 | not-in-hand GR-K1 |  | Ranger
    red PLAY Trail hunter keeping Ranger, Driver | not-in-hand GR-K1 | Trail hunter | Ranger
    red DISCARD Ranger | not-in-a-sequence GR-V1 |  | PASS
    red REPAIR | nothing-to-repair-with GR-H6 |  | PASS
    red REPAIR using parts 1 | not-in-hand GR-K1 | parts 1 | Ranger
    red REPAIR buy 1 | no-room GR-H6 | buy 1
    blue PASS | not-due GR-V1
    red DRIVE E2 D2 Q9 | unknown-space GR-C1 | Q9 | F9 / G9 / H9
    red ESCORT remove Q9 | unknown-space GR-C1 | Q9 | F9 / G9 / H9
    red PLAY Jerrycan keeping Ranger | not-in-hand GR-K1 | Jerrycan | Ranger
in the country
    red DRIVE D3 | cannot-pay GR-D1 | D3
    red DRIVE Tamanrasset F4 | city-ends-drive GR-D4 | F4
    red BUY fuel 2 | too-dear GR-V1 |  | BUY fuel 1
in need
    red DRIVE E2 | cannot-pay GR-D1 | E2
    red DRIVE F1 | cannot-pay GR-D1 | F1
    red REPAIR buy 1 | too-dear GR-A2 | buy 1
    red BUY fuel 2 | too-dear GR-V1 |  | BUY fuel 1
    red DRIVE D2 D1 | too-far GR-D1 | D1 | D2
    red PLAY Saboteur on blue | not-in-hand GR-K1
on foot
    red DRIVE D2 | broken-down GR-D6 |  | REPAIR …
    red REPAIR engine 1 chassis 1 using parts 1 buy 5 | too-dear GR-A2 | buy 5 | REPAIR engine 4 using parts 1 buy 3
    red REPAIR engine 2 using parts 2 | not-in-hand GR-K1 | parts 2 | Toolbox / Spare parts
    red REPAIR engine 1 using toolbox 1 | does-not-add-up GR-A2 | engine 1 | REPAIR engine 3 using toolbox 1
    red PLAY Mechanic using toolbox 1 | not-in-hand GR-K1 |  | Toolbox / Spare parts
short drives
    red DRIVE E2 E3 | stops-there GR-D2 | E3 | E2
    red DRIVE F1 F2 | breaks-down GR-D6 | F2 | F1
    red DRIVE D2 D3 C3 | too-far GR-D1 | C3 | D2 D3
at sea
    red DRIVE sea Cairo | too-dear GR-D5 | sea | sea Cairo using transport 1
    red DRIVE sea Cairo using transport 2 | not-in-hand GR-K1 | using transport 2 | Transport / Ranger
in Dakar
    red DRIVE sea Dakar | no-line GR-D5 | Dakar | sea Lagos
in the north
    red DRIVE Cairo J3 | city-ends-drive GR-D4 | J3
dangers
    red PLAY Tracker remove F1 | no-tile-there GR-K1 | F1 | D1 / E2 / E3
    red PLAY Tracker remove D2 | vehicle-there GR-H7 | D2 | D1 / E2 / E3
    red PLAY Tracker remove K6 | no-path GR-K1 | K6 | D1 / E2 / E3
    red PLAY Tracker remove Q9 | unknown-space GR-C1 | Q9 | F9 / G9 / H9
    red PLAY Cheater swap E2 with F1 | no-tile-there GR-K1 | F1 | E2 / D2 / D1 / E3 / K6
    red PLAY Cheater swap F1 with E2 | no-tile-there GR-K1 | F1 | E2 / D2 / D1 / E3 / K6
    red PLAY Cheater swap K6 with E4 | unknown-space GR-C1 | E4 | B4 / C4 / D4
    red PLAY Cheater swap Q9 with E2 | unknown-space GR-C1 | Q9 | F9 / G9 / H9
    red PLAY Cheater swap E2 with E2 | same-space GR-K1 | E2
    red PLAY Saboteur on red | no-such-target GR-H7 | red | blue
    red PLAY Saboteur on green | no-such-target GR-H7 | green | blue
    red PLAY Saboteur on white | no-such-target GR-H7 | white | blue
    red PLAY Saboteur on blue engine 1 | does-not-add-up GR-K1 | engine 1 | PLAY Saboteur on blue engine 1 chassis 1
    red PLAY Saboteur on blue engine 2 | does-not-add-up GR-K1 | engine 2 | PLAY Saboteur on blue engine 1 chassis 1
    green PASS | arrived GR-F1
plain cards
    red PLAY Ranger | say-more GR-K3 | Ranger | DRIVE … using ranger
    red PLAY Toolbox | say-more GR-K2 | Toolbox | REPAIR using toolbox …
    red PLAY Driver | say-more GR-K1 |  | PLAY Driver …
    red PLAY Refuelling keeping Ranger | nothing-to-keep GR-K1 | keeping Ranger
no assistant left
    red FUND | no-assistant GR-V1 |  | SCOUT tiles / ESCORT remove … / PASS
    red REPAIR buy 1 | no-assistant GR-V1 |  | SCOUT tiles / ESCORT remove … / PASS
    red ESCORT remove F1 | no-tile-there GR-A3 | F1 | D1 / E2
    red ESCORT remove D2 | vehicle-there GR-A3 | D2 | D1 / E2
    red ESCORT remove E3 | not-beside GR-A3 | E3 | D1 / E2
scouts
    red ESCORT remove E2 | no-assistant GR-V1 |  | SCOUT tiles / PASS
    red SCOUT tiles F1 E2 | tile-there GR-A1 | E2 | F1 / C2 / F2 / H2 / D3 / F3 / I3 / J3
    red SCOUT tiles Cairo | city GR-A1 | Cairo | F1 / C2 / F2 / H2 / D3 / F3 / I3 / J3
    red SCOUT tiles F1 F1 | space-twice GR-A1 | F1
    red SCOUT tiles F1 F2 F3 | too-many-spaces GR-A1 | F3
    red SCOUT tiles F1 K9 | no-path GR-A1 | K9 | F1 / C2 / F2 / H2 / D3 / F3 / I3 / J3
    red SCOUT tiles first F1 then Q9 | unknown-space GR-C1 | Q9 | F9 / G9 / H9
passed
    blue PASS | passed-already GR-V1
too many cards
    red DISCARD Caravan, Ranger | too-few-left GR-H1 | Ranger
    red DISCARD Caravan, Toolbox | not-in-hand GR-K1 | Toolbox | Caravan / Ranger
    red PASS | too-many-cards GR-H1 |  | DISCARD … / PLAY Jerrycan
drawing tiles
    red LAY sand at F1 | not-drawn GR-A1 | sand | mud / pass
    red LAY mud at K9 | no-path GR-A1 | K9 | F1 / C2 / F2 / H2 / D3 / F3 / I3 / J3
    red PASS | lay-first GR-A1 |  | LAY …
hunting
    red KEEP Toolbox, Driver | not-drawn GR-K1 | Driver | Ranger / Toolbox / Cheater
    red KEEP Toolbox, Ranger, Cheater | keep-two GR-K1 |  | Ranger / Toolbox / Cheater
    red KEEP Ranger, Caravan | not-drawn GR-K1 | Caravan | Ranger / Toolbox / Cheater
    red PASS | keep-first GR-K1 |  | KEEP …
paying
    red PAY engine 2 chassis 1 | does-not-add-up GR-D1 | engine 2 | PAY engine 1 chassis 1
    red PAY using ranger | not-in-hand GR-K1 | using ranger | Caravan
    red PAY using escort | no-escort GR-A3 | using escort
    red PAY using caravan at Q9 | unknown-space GR-C1 | using caravan at Q9 | F9 / G9 / H9
    red PAY using caravan at E2 | not-on-the-way GR-D2 | using caravan at E2 | F1
    red BACK | must-pay GR-H3 |  | PAY
    red PASS | pay-first GR-D3 |  | PAY / BACK
paying with help
    red PAY | cannot-pay GR-H3 |  | BACK
unpaid
    red DRIVE Cairo | cannot-pay GR-D4 | Cairo
weak
    red DRIVE E2 | cannot-pay GR-H3 | E2
    red DRIVE D2 | cannot-pay GR-D1 | D2
    red DRIVE F1 | cannot-pay GR-H3 | F1
no tiles left
    red DRIVE F1 | bag-empty GR-H9 | F1
    red SCOUT tiles | bag-empty GR-H9
    red PLAY Cartographer first F1 then F2 | bag-empty GR-H9
planned
    red DRIVE E2 | planned-already GR-L1
    blue DRIVE E2 | plan-first GR-L1 |  | PLAN mechanics 3 funding 2
bought too late
    red BUY fuel 1 | too-late-to-buy GR-V1
version 1
    red PLAY Cheater swap E2 with K6 | nothing-to-swap GR-K1 | K6
    red DRIVE F1 losing engine 1 | not-known-yet GR-D3 | losing engine 1 | losing chassis / losing engine
    red PLAY Saboteur on blue | no-such-target GR-H7 | blue
arrived
    red PASS | arrived GR-F1
repairs
    red REPAIR engine 3 buy 1 | does-not-add-up GR-A2 | engine 3 | REPAIR engine 1 buy 1
    red REPAIR chassis 2 using toolbox | does-not-add-up GR-A2 | chassis 2 | REPAIR using toolbox 1
    red REPAIR using toolbox buy 1 | no-room GR-S2 | buy 1 | REPAIR using toolbox 1
    red PLAY Mechanic buy 2 | too-dear GR-A2 | buy 2 | PLAY Mechanic engine 1 buy 1
threatened
    blue CANCEL with escort | no-escort GR-A3 | escort | ACCEPT
    blue CANCEL with ranger | not-in-hand GR-K1 | ranger | ACCEPT
    blue PASS | react-first GR-K4 |  | CANCEL with … / ACCEPT
"""


@pytest.mark.parametrize(("where", "seat", "order", "code", "rule", "fault", "instead"), scenes.mistakes(MISTAKES))
def test_a_mistake_is_told_with_its_rule_at_its_place_and_with_what_would_be_right(
    race, start, where, seat, order, code, rule, fault, instead
):
    table = race(**POSITIONS[where]) if where in POSITIONS else start(2, "jerrycan toolbox ranger")
    for other, words, draws in BEFORE.get(where, ()):
        table.do(other, words, draws)
    problem = table.says_no(seat, order)
    assert (problem.code, problem.rule) == (f"great-race/{code}", rule)
    assert scenes.at_fault(RULESET, order, problem) == fault
    assert " / ".join(problem.suggestions) == instead
    assert problem.message


def test_no_mistake_is_left_out():
    """Those that only another component set, or an order that no player can write, leads to have tests of their own."""
    texts = [
        path.read_text("utf-8") for path in files("adjudicator.games.great_race").iterdir() if path.name.endswith(".py")
    ]
    pattern = r"""(?:META\.problem\(|code, rule,[^=\n]*=)\s*"([a-z-]+)\""""
    codes = {code for text in texts for code in re.findall(pattern, text)}
    codes |= {f"unknown-{what}" for text in texts for what in re.findall(r'META\.unknown\("([a-z]+)"', text)}
    assert codes - {row.values[3] for row in scenes.mistakes(MISTAKES)} == {"no-free-space", "deck-empty", "unknown-line"}


@pytest.mark.parametrize(
    "order",
    [
        "PLAY Ranger",
        "PLAY Ranger keeping Toolbox",
        "PLAY Trail hunter keeping Toolbox, Ranger, Driver",
        "KEEP Toolbox, Ranger",
        "DISCARD Toolbox, Ranger",
        "TAKE Ranger",
    ],
)
def test_gr_c3_a_card_that_the_set_does_not_have_is_told_at_its_place(race, house, order):
    parts = change(house, cards=tuple(card for card in house.cards if card.id != "ranger"))
    problem = race(parts=parts).says_no("red", order)
    assert (problem.code, problem.rule, scenes.at_fault(RULESET, order, problem)) == (
        "great-race/unknown-card",
        "GR-C3",
        "Ranger",
    )


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("REPAIR buy 1", "1 part would cost 20 F here, and red has 15 F"),
        ("BUY fuel 2", "2 levels of fuel would cost 20 F here, and red has 15 F"),
        ("PLAN mechanics 1", "the plan has 1 assistant: place 5"),
    ],
)
def test_numbers_agree_with_what_they_count(race, order, told):
    assert race(red={"mechanics": 1, "cash": 15, "fuel": 5, "engine": 3}).says_no("red", order).message == told


def test_gr_d1_a_payment_that_does_not_add_up_says_what_the_tile_costs(race):
    table = race(red={"mechanics": 1})
    table.do("red", "DRIVE F1", "stones")
    told = "the tile costs 1 part, and engine 0 chassis 2 cannot pay that"
    assert table.says_no("red", "PAY chassis 2").message == told
