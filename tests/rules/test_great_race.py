"""The Great Race beside its scenarios: component sets and their flaws, simulated crews, pictures, sums, words of orders."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Callable
from copy import deepcopy
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import adjudicator as adj
from adjudicator.library.rulesets import component_set
from tests.drivers.race_sums import require_sums
from tests.drivers.scenarios import game_at

RULES = Path(__file__).parent / "great-race"
RECORDED = sorted((Path(__file__).parents[1] / "recorded/great-race").glob("*.json"))
HOUSE: dict[str, Any] = component_set("great-race").parts
OLD = component_set("great-race", str(files("adjudicator.games") / "great_race/data/house-1.json"))
Parts = dict[str, Any]


# Flaws of a set or a board that somebody transcribed

ID = "an id has letters and digits, begins with a letter, and may join parts with “-”"
FLAWS = """
B3 next+ = ["Tamanraset"]
    GR-C1 africa, B3: “next” names Tamanraset, but there is no such space -> Tamanrasset
B3 next = ["B2", "B4"]
    GR-C1 africa, C3: “next” names B3, but not the other way round: add C3 to “next” of B3, or remove B3 here
boards 0 spaces+ = [{"id": "b3", "kind": "terrain", "lane": 3, "x": 40, "y": 3, "next": []}]
    GR-C1 africa, b3: 2 spaces have this id (capitals make no difference)
    GR-C1 africa, b3: it has no neighbour and no line, so no vehicle can reach it
    GR-C1 africa: no way leads from Algiers to b3
B3 x = 5
    GR-C1 africa, B3: C3 has the same place, x 5 y 3
Dakar cards = 0
    GR-C1 africa, Dakar: a city gives at least 1 card (cards)
Dakar risk = true
    GR-H8 africa, Dakar: a city cannot be a risk zone: it costs no more to enter
B3 cards = 2 & B3 purple = true
    GR-C1 africa, B3: only a city gives cards
    GR-C1 africa, B3: only a city is purple
    GR-C1 africa: exactly two cities must be purple, not 3: Algiers, B3 and Cape-Town
Cape-Town purple = false
    GR-C1 africa: exactly two cities must be purple, not 1: Algiers
Cape-Town purple = false & Algiers purple = false
    GR-C1 africa: exactly two cities must be purple, not none
Cape-Town purple = false & Khartoum purple = true
    GR-S1 africa: the purple cities must be in the first and the last lane (1 and 16), not in 1 and 5
B3 next+ = ["B3", "C3"]
    GR-C1 africa, B3: C3 is named 2 times in “next”
    GR-C1 africa, B3: it cannot lie beside itself
boards 0 lines 0 ends = ["Cairo", "J3"] & boards 0 lines 2 ends = ["Lagos", "Lagos"]
    GR-D5 africa, sea line Cairo–J3: J3 is not a city
    GR-D5 africa, sea line Lagos–Lagos: both ends are the same city
boards 0 lines 0 ends = ["Lagos", "Dakar"] & boards 0 lines 2 ends = ["Dakar", "K9"]
    GR-D5 africa, sea line Dakar–K9: K9 is not a city -> Mombasa
    GR-D5 africa: there are 2 sea lines between Dakar and Lagos
boards 0 lines 1 ends = ["Dacar", "Lagos"]
    GR-D5 africa, sea line Dacar–Lagos: there is no space Dacar -> Dakar / Cairo
B3 next+ = ["B5"] & B5 next+ = ["B3"]
    GR-N1 africa, B5: it is in lane 5, but its neighbour is B3 in lane 3
tiles 0 id = "ROAD" & tiles 1 id = "road" & tiles 2 id = "2nd"
    GR-C2 the component set has the tile road 2 times
    GR-C2 tile 2nd: an id has letters and digits, begins with a letter, and may join parts with “-”
cards 14 id = "tracker" & cards financial amount = 0 & cards ranger amount = 1
    GR-C3 the component set has the card tracker 2 times
    GR-C3 card financial: it needs an amount
    GR-C3 card ranger: it has no amount
purses 1 cash = [80, 80] & purses 1 bonus = [20, 10, 0, 0] & purses 2 players = 2
    GR-S2 the component set has a table of cash and bonus for 2 players 2 times
    GR-S2 no table of cash and bonus is for 4 players
    GR-S2 cash for 3 players has 2 amounts
    GR-N3 bonus for 3 players has 4 amounts
    GR-S2 cash for 2 players has 4 amounts
    GR-N3 bonus for 2 players has 4 amounts
funding = [10, 20]
    GR-A4 funding has 2 amounts for 5 assistants
cards = [{"id": "jerrycan", "name": "Jerrycan", "count": 4, "amount": 1}]
    GR-B1 4 players need at least 5 cards for the bivouac, the set has 4
B3 next+ = ["K99"] & Dakar cards = 0 & boards 1 id = "Africa" & boards 1 spaces Paris risk = true
    GR-C1 the component set has the board africa 2 times
    GR-C1 africa, B3: “next” names K99, but there is no such space -> K9
    GR-C1 africa, Dakar: a city gives at least 1 card (cards)
    GR-H8 Africa, Paris: a city cannot be a risk zone: it costs no more to enter
"""
SEATS = ("red", "blue", "green", "yellow")


def spoilt(changes: str = "") -> Parts:
    """Return the house set with ``changes``: a space of Africa or a path, and the value there; `+` adds to a list."""
    parts = deepcopy(HOUSE)
    for change in changes.split(" & ") if changes else ():
        path, value = change.split(" = ")
        *steps, last = (f"boards 0 spaces {path}" if path[0].isupper() else path).split()
        where: Any = parts
        for step in steps:
            where = where[step] if isinstance(where, dict) else where[int(step)] if step.isdigit() else named(where, step)
        where[last.rstrip("+")] = where[last[:-1]] + json.loads(value) if last.endswith("+") else json.loads(value)
    return parts


def named(where: list[Any], name: str) -> Any:
    return next(one for one in where if one["id"] == name)


def flaws(parts: Parts, folder: Path) -> list[str]:
    """Return what is wrong with ``parts`` for four crews: rule, message and suggestions of each flaw."""
    file = folder / "set.json"
    file.write_text(json.dumps(parts | {"id": "own"}), "utf-8")
    try:
        adj.new("great-race", SEATS, components=str(file))
    except adj.SetupError as refused:
        return [
            f"{one.rule} {one.message} -> {' / '.join(one.suggestions)}".removesuffix(" -> ") for one in refused.problems
        ]
    return []


@pytest.mark.parametrize(("changes", "told"), re.findall(r"^(\S.*)\n((?:    .*\n)+)", FLAWS, re.MULTILINE))
def test_a_flaw_of_a_set_is_told_by_space_with_its_rule(changes: str, told: str, tmp_path: Path) -> None:
    assert flaws(spoilt(changes), tmp_path) == [line.strip() for line in told.splitlines()]


def test_gr_c1_nothing_is_wrong_with_the_house_set_nor_with_an_island_that_a_line_leads_to(tmp_path: Path) -> None:
    assert flaws(HOUSE, tmp_path) == []
    parts = spoilt("Dakar next = []")
    for space in parts["boards"][0]["spaces"]:
        space["next"] = [other for other in space["next"] if other != "Dakar"]
    assert flaws(parts, tmp_path) == []


def test_gr_s1_no_way_from_start_to_finish(tmp_path: Path) -> None:
    """Everything south of the equator is cut off, and the lines that lead there are taken out."""
    parts = spoilt()
    board = parts["boards"][0]
    south = {space["id"] for space in board["spaces"] if space["lane"] > 9}
    for space in board["spaces"]:
        space["next"] = [other for other in space["next"] if (other in south) is (space["id"] in south)]
    board["lines"] = [line for line in board["lines"] if (line["ends"][0] in south) is (line["ends"][1] in south)]
    assert flaws(parts, tmp_path) == [
        "GR-S1 africa: there is no way from Algiers to Cape-Town",
        "GR-C1 africa: no way leads from Algiers to F10, Matadi, H10, I10, J10, Mombasa, G11, H11 and 25 others",
    ]


@pytest.mark.parametrize("written", ["K 4", "4K", "K4,", "Zürich", "-K4", "K4-"])
def test_gr_c1_an_id_is_a_word_that_orders_can_hold(written: str, tmp_path: Path) -> None:
    text = json.dumps(spoilt()).replace('"A5"', json.dumps(written))
    assert flaws(json.loads(text), tmp_path) == [f"GR-C1 africa, {written}: {ID}"]


def test_gr_n1_a_lane_that_jumps_is_told_at_the_space_to_blame_and_no_lane_is_left_out(tmp_path: Path) -> None:
    (told,) = flaws(spoilt("C3 lane = 13"), tmp_path)
    assert told.startswith("GR-N1 africa, C3: it is in lane 13, but its neighbour is B3 in lane 3, ")
    assert told.endswith(" -> lane 3")
    parts = spoilt()
    for space in parts["boards"][0]["spaces"]:
        space["lane"] += space["lane"] > 8
    assert "GR-C1 africa: no space is in lane 9, though there are 17" in flaws(parts, tmp_path)


def test_a_board_full_of_unknown_names_is_refused_with_suggestions_for_the_first_alone(tmp_path: Path) -> None:
    """4,800 names would cost minutes otherwise."""
    spaces = [
        {"id": f"Terra-{at}", "kind": "terrain", "lane": 1, "x": at % 20 + 1, "y": at // 20 + 1}
        | {"next": [f"Terror-{at}-{n}" for n in range(12)]}
        for at in range(400)
    ]
    parts = spoilt("boards 0 lines = []")
    parts["boards"][0]["spaces"] = spaces
    found = flaws(parts, tmp_path)
    assert len(found) > 4_800
    assert 1 <= sum(" -> " in told for told in found) <= 20


# The house set: what the rulebook says of it, and what makes it good to play


def test_gr_c2_gr_c3_gr_s2_gr_a4_cards_cash_prices_and_prestige_are_those_of_the_rulebook() -> None:
    assert "designed for this program" in HOUSE["note"] and "transcription" in HOUSE["note"]
    cards = " ".join(f"{card['id']} {card['count']} {card['amount'] or '-'}" for card in HOUSE["cards"])
    assert cards == (
        "tracker 2 - financial 2 30 transport 2 50 mechanic 3 - ranger 3 - driver 3 - cartographer 3 3 saboteur 3 2 "
        "trail-hunter 2 3 cheater 2 - jerrycan 8 1 refuelling 2 5 spare-parts 6 1 toolbox 2 3 caravan 2 -"
    )
    assert [(purse["players"], purse["cash"], purse["bonus"]) for purse in HOUSE["purses"]] == [
        (2, [80, 70], [20, 0]),
        (3, [80, 80, 70], [20, 10, 0]),
        (4, [80, 80, 80, 70], [20, 10, 0, 0]),
    ]
    assert (HOUSE["assistants"], HOUSE["funding"]) == (5, [10, 20, 40, 70, 110])
    assert HOUSE["prices"] == {"fuel_in_city": 10, "fuel_outside": 20, "part_in_city": 20, "part_outside": 40}
    assert (HOUSE["surcharge"], HOUSE["city_fuel"], HOUSE["danger"]) == (1, 1, 2)
    assert HOUSE["prestige"] == {"arrivals": [5, 3, 1], "francs": 50}


def test_gr_c2_sixty_tiles_no_two_kinds_alike_and_all_can_be_paid_even_in_a_risk_zone() -> None:
    tiles = HOUSE["tiles"]
    assert sum(tile["count"] for tile in tiles) == 60
    assert [sum(tile["count"] for tile in tiles if tile.get(sign)) for sign in ("danger", "stop")] == [11, 10]
    assert {tile["fuel"] for tile in tiles} == {0, 1, 2, 3} and {tile["parts"] for tile in tiles} == {0, 1, 2}
    kinds = Counter((tile["fuel"], tile["parts"], tile.get("danger"), tile.get("stop")) for tile in tiles)
    assert set(kinds.values()) == {1} == set(Counter(tile["name"] for tile in tiles).values())
    gauges = HOUSE["gauges"]
    for tile in tiles:
        assert tile["fuel"] + HOUSE["surcharge"] <= gauges["fuel"]
        assert tile["parts"] + tile.get("danger", 0) * HOUSE["danger"] < gauges["engine"] + gauges["chassis"]


def steps(spaces: Parts, start: str, is_open: Callable[[str], bool] = lambda _space: True) -> dict[str, int]:
    """Return how many spaces each is from ``start`` by land."""
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for space in spaces[here]["next"]:
            if space not in found and is_open(space):
                found[space] = found[here] + 1
                queue.append(space)
    return found


@pytest.mark.parametrize("board", HOUSE["boards"], ids=lambda board: board["id"])
def test_gr_c1_gr_d5_a_house_board_is_good_to_race_on(board: Parts) -> None:
    spaces = {space["id"]: space for space in board["spaces"]}
    start, finish = (name for name, space in spaces.items() if space.get("purple"))
    lanes = max(space["lane"] for space in spaces.values())
    cities = [space for space in spaces.values() if space["kind"] == "city"]
    assert (60 <= len(spaces) <= 120, 8 <= len(cities) <= 14, 12 <= lanes <= 16) == (True, True, True)
    assert {space["cards"] for space in cities} == {1, 2, 3}
    assert 8 <= sum(space.get("risk", False) for space in spaces.values()) <= len(spaces) // 3
    assert (spaces[start]["lane"], spaces[finish]["lane"]) == (1, lanes)
    down = board["course"] == "north-south"
    assert {space["y" if down else "x"] - space["lane"] for space in spaces.values()} == {0}
    near = {(2, 0), (1, 1)} if down else {(0, 2), (1, 1)}  # one grid of hexagons: the map shows every way, and no other
    apart = {
        (abs(space["x"] - spaces[other]["x"]), abs(space["y"] - spaces[other]["y"]))
        for space in spaces.values()
        for other in space["next"]
    }
    assert apart == near
    assert min(len(space["next"]) for space in spaces.values()) >= 2
    for closed in spaces.keys() - {start, finish}:  # no space is a trap
        assert len(steps(spaces, start, lambda space, closed=closed: space != closed)) == len(spaces) - 1
    straight, safe = steps(spaces, start)[finish], steps(spaces, start, lambda space: not spaces[space].get("risk"))[finish]
    assert lanes - 1 <= straight <= safe <= straight + 6  # there is a price for going straight, through risk zones
    assert {line["kind"] for line in board["lines"]} == {"sea", "air"}
    poorest = min(min(purse["cash"]) for purse in HOUSE["purses"])
    joined: Parts = {name: {"next": []} for name in spaces}
    for line in board["lines"]:
        here, there = line["ends"]
        assert 20 <= line["price"] <= 80
        assert line["price"] >= 15 * abs(spaces[here]["lane"] - spaces[there]["lane"])
        assert line["price"] <= poorest or not {here, there} & {start, finish}  # else it decides the race at the start
        joined[here]["next"].append(there)
        joined[there]["next"].append(here)
    for city in (start, finish):  # a chain of lines never leads all the way: a race is driven and not bought
        reached = steps(joined, city)
        assert max(abs(spaces[other]["lane"] - spaces[city]["lane"]) for other in reached) <= lanes // 2


def test_version_1_of_the_house_set_is_what_it_was() -> None:
    assert (HOUSE["version"], OLD.reference.version) == (2, 1)
    assert OLD.reference.hash == "41c22e10f4fdc732f38dacc974bd22c7d6a73e60c9f7410e9765cbfc987cbe5c"


# Simulated crews


@pytest.mark.parametrize(("players", "board"), [(2, "africa"), (3, "asia"), (4, "africa")])
def test_simulated_crews_finish_in_due_time(players: int, board: str) -> None:
    played = [*adj.simulate_games("great-race", 2, players=players, player="greedy", seed=5, options={"board": board})]
    for game in played:
        state = json.loads(game.to_bytes())["state"]
        assert game.is_over and 3 <= state["round"] <= 12
        assert [crew["arrival"] for crew in state["crews"]].count(1) == 1
    assert len(played) == 2


WORN = "red space=H14 fuel=3 engine=1 chassis=0 assistants.mechanics=2; tiles H14:sand,H15:pass,G15:pass"
ASKED = "turn blue; blue hand=ranger assistants.mechanics=1; blue: REACT danger ask / PASS; red: PLAY"


@pytest.mark.parametrize(
    ("position", "order"),
    [
        ("red space=H15 assistants.escort=1 hand=ranger,jerrycan", "DRIVE Cape-Town.*"),  # with all help
        ("red space=H14", "DRIVE H15 Cape-Town.*"),  # over the cheap tiles
        ("red space=H15 engine=1 hand=toolbox", "REPAIR using toolbox 1"),
        ("red space=Windhoek fuel=1 cash=50", "BUY fuel .*"),
        ("red space=Windhoek hand=financial", "PLAY Financial"),
        (f"round 3; {WORN}; red cash=50", "BUY fuel .*"),
        (f"round 20; {WORN}; red cash=50", "REPAIR buy 1"),  # late in a race that drags on it saves for parts
        (f"round 20; {WORN}; red cash=10", "PASS"),
        ("round 3; tiles none; red space=Khartoum cash=0 assistants.funding=1 assistants.mechanics=2", "DRIVE .*"),
        (
            "round 20; tiles none; red space=Khartoum cash=0 assistants.funding=1 assistants.mechanics=2",
            "FUND",
        ),  # for a line
        ("turn none; stage planning; red assistants.mechanics=0", "PLAN .*"),
        ("red engine=1 chassis=1 hand=ranger; red: DRIVE E2 [ravine]", "PAY chassis using ranger"),
        ("red fuel=2 hand=jerrycan; red: DRIVE E2 [sand]", "PAY chassis using jerrycan"),
        (f"red hand=saboteur; {ASKED} Saboteur on blue", "CANCEL with ranger"),  # what harms it
        (f"red hand=cheater; tiles D2:track,E2:sand; {ASKED} Cheater swap D2 with E2", "ACCEPT"),
    ],
)
def test_a_simulated_crew(position: str, order: str, tmp_path: Path) -> None:
    usual = "components set.json\nturn red\nred assistants.mechanics=1\nblue\ntiles H14:sand,G15:dunes,H15:track\n"
    game = game_at(tmp_path, "great-race", usual + position.replace("; ", "\n"))
    chosen = adj.choose_order(game, game.due_seats[0])
    assert re.fullmatch(order, chosen), chosen


# Mails, and orders in the words of players

CARDS = (
    "Ranger, Jerrycan, Driver, Mechanic, Caravan, Financial, Toolbox, Spare parts, Trail hunter, Cartographer, Saboteur, "
    "Cheater, Tracker, Refuelling, Transport"
)
FIRST = f"""{" OR ".join(f"TAKE {card}" for card in CARDS.split(", "))}
REACT danger with escort, ranger
PLAN scouts 1 mechanics 2 escort 1 funding 1"""
SECOND = """IF hand has financial THEN PLAY Financial
IF hand has trail_hunter THEN PLAY Trail hunter keeping Ranger, Jerrycan, Toolbox
SCOUT tiles cheap {one} then {other} OR SCOUT card
DRIVE {one} {other} Tamanrasset losing chassis using escort OR DRIVE {one} losing chassis using nothing OR PASS
IF excess > 0 THEN (DISCARD Ranger OR DISCARD Jerrycan OR DISCARD Toolbox)
DRIVE {one} losing chassis using nothing OR DRIVE D4 losing engine using nothing OR PASS
FUND OR PASS
IF escorts > 0 THEN PASS"""


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_gr_v1_a_round_takes_two_mails_of_each_where_answers_are_given_ahead(seats: int, seed: int) -> None:
    ways = dict(zip(SEATS[:seats], ("E2 E3", "F1 F2", "D2 D3", "D1 C2"), strict=False))
    game = adj.new("great-race", SEATS[:seats], seed=seed, components=str(RULES / "set.json"))
    planned = game.apply(dict.fromkeys(ways, FIRST))
    assert not planned.problems
    assert [one.kind for one in planned.game.due] == ["turn"]
    driven = planned.game.apply(
        {seat: SECOND.format(one=way.split()[0], other=way.split()[1]) for seat, way in ways.items()}
    )
    # Who had to pass early has orders left for which the bivouac of the next round has no use.
    assert {one.code for one in driven.problems} <= {"great-race/take-first"}
    assert json.loads(driven.game.to_bytes())["state"]["round"] == 2


WRITTEN = {
    "PLAN scout 1, mechanics 2 and escort 2": "PLAN scouts 1 mechanics 2 escort 2",
    "plan 2 scouts and 3 mechanics": "PLAN scouts 2 mechanics 3",
    "drive k9 then j9": "DRIVE K9 J9",
    "drive k9, j9 and i8 using ranger and guide": "DRIVE K9 J9 I8 using ranger, caravan",
    "drive to k9 -> j9 -> Buta": "DRIVE K9 J9 Buta",
    "drive k9 lose chassis with a jerry can": "DRIVE K9 losing chassis using jerrycan",
    "drive k9 using jerry cans and escort at k9": "DRIVE K9 using jerrycan, escort at K9",
    "drive by boat to Cairo with transport cards 2": "DRIVE sea Cairo using transport 2",
    "drive k9 k8 using ranger at k8, escort at k8, ranger at k9, ranger, ranger": (
        "DRIVE K9 K8 using escort at K8, ranger, ranger at K8, ranger at K9"
    ),
    "drive k9 using no help": "DRIVE K9 using nothing",
    "scout tiles first k9 then k8": "SCOUT tiles first K9 then K8",
    "scout tiles k9 and k8": "SCOUT tiles K9 K8",
    "play cheater swap k9 and e2": "PLAY Cheater swap E2 with K9",
    "repair engine 2 and chassis 1 using parts 2 and toolbox and buy 1": (
        "REPAIR engine 2 chassis 1 using parts 2 toolbox 1 buy 1"
    ),
    "lay sand to k9": "LAY sand at K9",
    "pay engine 1 and chassis 1 using ranger": "PAY engine 1 chassis 1 using ranger",
    "play saboteur on blue, engine 1 and chassis 1": "PLAY Saboteur on blue engine 1 chassis 1",
    "use the pilot k9 k8": "PLAY Driver K9 K8",
    "play geographer": "PLAY Cartographer",
    "discard guide and tool box": "DISCARD Caravan, Toolbox",
    "discard the jerrycan and the guide": "DISCARD Jerrycan, Caravan",
    "keep toolbox, ranger": "KEEP Ranger, Toolbox",
    "react danger with escort and ranger": "REACT danger with escort, ranger",
    "ask": "REACT danger ask",
    "react to dangers with ranger": "REACT danger with ranger",
    "buy 3 levels of fuel": "BUY fuel 3",
    "buy 3 petrol": "BUY fuel 3",
    "go back": "BACK",
    "let it happen": "ACCEPT",
    "cancel with a ranger": "CANCEL with ranger",
}


def test_an_order_is_read_in_the_words_of_players() -> None:
    game = adj.new("great-race", ["red", "blue"], seed=1, components=str(RULES / "set.json"))
    result = game.apply("red:\n" + "\n".join(WRITTEN))
    (waiting,) = result.game.seen_by("red").pending.waiting
    assert [*waiting.orders] == [*WRITTEN.values()]


def test_gr_k1_the_receipt_notes_an_order_without_effect(tmp_path: Path) -> None:
    text = "components set.json\nturn red\nred assistants.mechanics=1 hand=cheater\nblue\ntiles E2:sand,K6:sand"
    (order,) = game_at(tmp_path, "great-race", text).apply("red: PLAY Cheater swap E2 with K6").receipts[0].orders
    assert order.reason == "entry 1; note: the Cheater of red changes nothing: both tiles are alike (GR-K1)"


# Pictures

Box = tuple[float, float, float, float]
PICTURED = [path for path in RECORDED if path.stem.endswith(("1", "4"))]


def around(x: float, y: float, wide: float, high: float) -> Box:
    return x - wide, y - high, x + wide, y + high


def covers(one: Box, other: Box) -> float:
    """Return by how much one rectangle covers another."""
    return min(one[2], other[2], key=float) - max(one[0], other[0]) if one[1] < other[3] and other[1] < one[3] else 0


def drawn(game: adj.Game) -> ElementTree.Element:
    """Return the picture of the board in the report of the moderator."""
    page = adj.render(game.seen_by("moderator").report(), "html")
    start = page.index("<svg", page.index("<figure"))
    return ElementTree.fromstring(page[start : page.index("</svg>", start) + 6])


@pytest.mark.parametrize("path", PICTURED, ids=lambda path: path.stem)
def test_lines_cross_no_label_and_prices_cover_no_sign_and_no_vehicle(path: Path) -> None:
    game = adj.open(path)
    lines = re.findall(r"(?:sea|air) line (\S+) – (\S+): (\d+ F)", adj.render(game.seen_by().position))
    picture = drawn(game)
    _, _, wide, high = map(float, picture.attrib["viewBox"].split())
    labels, signs, vehicles, prices = {}, [], [], []
    for group in picture.iter("g"):
        moved = re.match(r"translate\((\S+) (\S+)\)", group.get("transform", ""))
        words = group.find("text")
        if group.get("data-id") and moved:
            vehicles.append(around(float(moved[1]), float(moved[2]), 8, 8))
        elif moved:
            signs.append(around(float(moved[1]), float(moved[2]), 7, 8))
        elif words is not None and group.get("data-id"):
            x, y, size = (float(words.attrib[name]) for name in ("x", "y", "font-size"))
            labels[words.text or ""] = around(x, y - 0.36 * size, 0.28 * size * len(words.text or ""), 0.36 * size)
        elif words is not None and re.fullmatch(r"\d+ F", words.text or ""):
            prices.append((words.text, around(float(words.attrib["x"]), float(words.attrib["y"]) - 4, 17, 7)))
    assert len(labels) >= 60 and len(vehicles) == 2 * len(game.seats)
    assert [price for price, _ in prices] == [price for _, _, price in lines]
    assert all(box[0] >= 0 and box[2] <= wide and box[1] >= 0 and box[3] <= high for box in (*labels.values(), *vehicles))
    assert not [(price, box) for price, box in prices for other in (*labels.values(), *signs) if covers(box, other) > 2]
    curves = [way.attrib["d"] for way in picture.iter("path") if "Q" in way.attrib["d"] and way.get("stroke-width") == "7"]
    for way, (one, other, _) in zip(curves, lines, strict=True):
        x1, y1, x2, y2, x3, y3 = map(float, re.findall(r"-?[0-9.]+", way))
        for at in (n / 200 for n in range(201)):
            x, y = ((1 - at) ** 2 * a + 2 * at * (1 - at) * b + at**2 * c for a, b, c in ((x1, x2, x3), (y1, y2, y3)))
            crossed = [name for name, box in labels.items() if covers(around(x, y, 2, 2), box) > 0]
            assert not {*crossed} - {one, other}, (one, other, crossed)


def test_vehicles_in_a_city_stand_side_by_side_and_everybody_can_read_the_cities(tmp_path: Path) -> None:
    game = adj.new("great-race", SEATS, seed=1)
    picture = drawn(game)
    places = [
        [*map(float, re.findall(r"[0-9.]+", group.attrib["transform"]))]
        for group in picture.iter("g")
        if group.get("data-id") in SEATS
    ][: len(SEATS)]  # before the markers of the lanes, since a page begins at the first piece of its reader
    assert len({y for _, y in places}) == 1
    assert all(there - here >= 16 for (here, _), (there, _) in pairwise(places))
    cities = {space["id"] for space in HOUSE["boards"][0]["spaces"] if space["kind"] == "city"}
    sizes = [float(text.attrib["font-size"]) for text in picture.iter("text") if text.text in cities]
    assert len(sizes) == len(cities) and min(sizes) >= 10


@pytest.mark.parametrize("board", ["africa", "asia"])
def test_the_board_fits_into_a_mail_and_is_described_in_the_picture(board: str) -> None:
    game = adj.new("great-race", SEATS, seed=1, options={"board": board})
    for viewer in ("red", "moderator", None):
        assert max(map(len, adj.render(game.seen_by(viewer).position).splitlines())) <= 120
    words = " ".join(game.seen_by("moderator").report().description)
    for told in (
        "sea line",
        "air line",
        "city, cards 1, start and finish, red (vehicle), blue (vehicle)",
        "Empty, risk zone",
    ):
        assert told.lower() in words.lower()
    assert "url(#hatch" in ElementTree.tostring(drawn(game), "unicode")


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", 'a"b', "a&b"])
def test_names_of_a_set_are_never_markup(hostile: str, tmp_path: Path) -> None:
    parts = spoilt(f"boards 0 name = {json.dumps(hostile)} & tiles track name = {json.dumps(hostile)}")
    (tmp_path / "set.json").write_text(json.dumps(parts | {"id": "own"}), "utf-8")
    game = adj.new("great-race", SEATS, seed=1, components=str(tmp_path / "set.json"))
    assert drawn(game).get("aria-label") == f"Map: {hostile}"
    assert "<script>alert" not in adj.render(game.seen_by("red").report(), "html")


# What must hold in every race


@pytest.mark.parametrize("seats", [2, 3])
def test_francs_levels_tiles_and_cards_are_all_accounted_for(seats: int, tmp_path: Path) -> None:
    """Random crews near the finish and in the middle of the board, with a deck that is soon empty."""
    near = """
turn red
red space=H15 assistants.scouts=1 assistants.mechanics=2 hand=driver
blue space=I15
tiles G15:stones,H15:track,I15:bandits,H16:village,I16:sand,H14:ruts
"""
    middle = f"""
turn red
round 4
red space=Tamanrasset assistants.mechanics=3 assistants.escort=1 hand=saboteur,cheater,trail-hunter
blue space=F5 assistants.scouts=2 assistants.mechanics=1 hand=ranger,tracker,cartographer
green space=Lagos assistants.funding=2 assistants.escort=2 hand=transport,caravan,toolbox,mechanic
tiles F5:stones,E6:track,D6:bandits,F6:village
discards {",".join(["jerrycan"] * 8 + ["spare-parts"] * 6 + ["financial"] * 2 + ["driver"] * 3 + ["refuelling"] * 2)}
"""
    for seed in range(3):
        game = game_at(tmp_path, "great-race", f"components set.json\nseed {seed:064x}\n" + (near if seats == 2 else middle))
        for number in range(150):
            if game.is_over:
                break
            game = game.apply({game.due_seats[0]: adj.choose_order(game, game.due_seats[0], "random", number)}).game
        require_sums(game)
        assert game.audit().divergence is None


# What the scenarios cannot say


def test_gr_k3_in_a_script_a_jerrycan_needs_no_turn() -> None:
    begun = "script great-race\nid case\nseat red\nseat blue\nrecorded ranger jerrycan toolbox\n\nturn 1\n"
    plans = "blue: TAKE Jerrycan\nred: TAKE Ranger\nred: PLAN scouts 5\nblue: PLAN mechanics 5\n"
    drive = "red: SCOUT card [ranger]\nblue: DRIVE E2 losing engine [sand]\n"
    played = adj.play_script(f"{begun}{plans}{drive}blue: PLAY Jerrycan\nred: PASS\n")
    assert played.game is not None and not played.problems
    assert [line.order for line in played.game.seen_by().log()][-2:] == ["PLAY Jerrycan", "PASS"]
    assert played.game.audit().divergence is None
    (problem,) = adj.play_script(f"{begun}blue: TAKE Toolbox\nblue: PLAY Jerrycan\nred: TAKE Ranger\n").problems
    assert problem.code == "script/not-due"


def test_gr_b1_gr_v1_players_look_ahead_to_their_own_card_and_sequence(tmp_path: Path) -> None:
    begun = adj.new("great-race", SEATS[:2], seed=1)
    assert [row.order for row in begun.seen_by("red").legal_ahead or ()] == [
        row.order for row in begun.seen_by(begun.due_seats[0]).legal
    ]
    text = "components set.json\nturn red\nred assistants.mechanics=1\nblue assistants.mechanics=1\ngreen has_passed=true\n"
    game = game_at(tmp_path, "great-race", text + "tiles E2:road")
    assert "DRIVE E2" in [row.order for row in game.seen_by("blue").legal_ahead or ()]
    assert game.seen_by("green").legal_ahead is None


def test_cards_are_explained_to_those_who_hold_take_or_keep_them(tmp_path: Path) -> None:
    text = "components set.json\nturn red\nred assistants.mechanics=1 hand=trail-hunter,jerrycan\nblue hand=ranger\n"
    game = game_at(tmp_path, "great-race", text + "red: PLAY Trail hunter [toolbox driver toolbox]")
    assert dict(game.seen_by("red").choices) == {
        "Toolbox": "repair points: 3; play it with a repair (GR-K2)",
        "Driver": "drive as with a mechanic; play it before an assistant (GR-K1)",
        "Jerrycan": "get 1 fuel; play it at any time (GR-K3)",
    }
    assert dict(game.seen_by("blue").choices) == {"Ranger": "cancel a danger; play it at any time (GR-K3)"}
    told = {}
    for card in HOUSE["cards"]:
        begun = game_at(tmp_path, "great-race", f"components set.json\nred\nblue\nrecorded {card['id']} jerrycan toolbox")
        told |= dict(begun.seen_by("blue").choices)
    assert len(told) == 15
    assert all("; play it " in words and "{" not in words for words in told.values())
    amounts = {card["name"]: card["amount"] for card in HOUSE["cards"]}
    assert all((str(amounts[card]) in words) is (amounts[card] > 0) for card, words in told.items())


def test_the_box_shows_boards_tiles_cards_and_tables(run: Any) -> None:
    text = run("games", "great-race").stdout
    tables = ("Map: Africa", "Map: Asia", "Terrain tiles (60)", "Resource cards (45)", "80, 80, 80, 70")
    prices = ("sea to Cairo, 40 F; air to Khartoum, 70 F", "10 F in a city, 20 F outside", "4: 70 F, 5: 110 F")
    assert [told for told in (*tables, *prices) if told not in text] == []
