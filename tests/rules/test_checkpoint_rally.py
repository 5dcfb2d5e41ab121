"""Checkpoint Rally beyond its scenarios: the sets of components, whole games, simulated drivers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.rulesets import component_set
from tests.drivers.scenarios import RULES, table

ROOT = Path(__file__).parents[2]
HOUSE = component_set("checkpoint-rally").parts
TINY = json.loads((ROOT / "examples/checkpoint-rally/own-set/tiny-set.json").read_text("utf-8"))
PLAIN = json.loads((RULES / "checkpoint-rally/plain.json").read_text("utf-8"))
CELLS = [f"{column}{row}" for row in "12345" for column in "ABCDE"]
CORNERS = ("A1", "E1", "E5", "A5")
ROADS = {"highway": "H", "gravel": "G", "urban": "U"}
TERRAINS = ("city", "mountains", "grassland", "desert")
SEATS = ("red", "blue", "green", "yellow")

# --- the house set, and the tiny one of the examples: what the rulebook says, and what makes them fair -----------------


def of_road(parts: Mapping[str, Any], road: str) -> list[dict[str, Any]]:
    return [tile for tile in parts["tiles"] if tile["road"] == road]


def turned(ring: Any) -> Any:
    """Return a description of what lies at the four sides that is the same however the tile is turned."""
    return min(tuple(ring[n:]) + tuple(ring[:n]) for n in range(4))


def shape(tile: Mapping[str, Any]) -> str:
    exits = "".join(tile["exits"])
    return {2: "straight" if exits in ("NS", "EW") else "bend", 3: "junction", 4: "crossing"}[len(exits)]


def maps(parts: Mapping[str, Any], half: str) -> list[list[str]]:
    return [card[half] for card in parts["cards"]]


def steps(start: str, end: str) -> int:
    return abs(ord(start[0]) - ord(end[0])) + abs(ord(start[1]) - ord(end[1]))


def tours(cells: list[str]) -> list[int]:
    """Return the steps of the shortest walk from each corner through ``cells``, in any order, without return."""
    return [min(sum(steps(*leg) for leg in pairwise((corner, *tour))) for tour in permutations(cells)) for corner in CORNERS]


def test_cr_c2_tiles_are_in_balance() -> None:
    """42 tiles, 14 of each road: as many straights, bends, junctions and crossings, and as much of every terrain."""
    assert len(HOUSE["tiles"]) == 42
    for road, letter in ROADS.items():
        tiles = of_road(HOUSE, road)
        assert [tile["id"] for tile in tiles] == [f"{letter}{n}" for n in range(1, 15)]
        assert Counter(map(shape, tiles)) == {"straight": 4, "bend": 5, "junction": 3, "crossing": 2}
        assert Counter(terrain for tile in tiles for terrain in tile["sides"]) == dict.fromkeys(TERRAINS, 14)
        assert Counter(terrain for tile in tiles for terrain in set(tile["sides"])) == dict.fromkeys(TERRAINS, 9)
        through = Counter(tile["sides"]["NESW".index(side)] for tile in tiles for side in tile["exits"])
        assert set(through) == set(TERRAINS) and set(through.values()) <= {8, 9}
        patterns = Counter(tuple(sorted(Counter(tile["sides"]).values(), reverse=True)) for tile in tiles)
        assert patterns == {(2, 1, 1): 6, (2, 2): 4, (3, 1): 3, (1, 1, 1, 1): 1}
    pairs = Counter(pair for tile in HOUSE["tiles"] for pair in combinations(sorted(set(tile["sides"])), 2))
    assert len(pairs) == 6 and max(pairs.values()) - min(pairs.values()) <= 1
    assert {shape(tile) for tile in HOUSE["tiles"] if len(set(tile["sides"])) == 4} == {"straight"}
    assert len({turned(tile["sides"]) for tile in HOUSE["tiles"]}) == 42, "no two rings of terrain are alike"


@pytest.mark.parametrize("parts", [HOUSE, TINY], ids=["house", "tiny"])
def test_cr_c2_a_set_holds_together(parts: dict[str, Any]) -> None:
    """Names once; known roads and terrains; exits in order, two or more; no twins; borders balanced; maps fair."""
    ids = [part["id"] for kind in ("tiles", "borders", "cards", "cars") for part in parts[kind]]
    assert len(ids) == len(set(ids))
    assert {tile["road"] for tile in parts["tiles"]} == set(ROADS)
    for tile in parts["tiles"]:
        assert tile["exits"] == [side for side in "NESW" if side in tile["exits"]] and len(tile["exits"]) >= 2
        assert len(tile["sides"]) == 4 and set(tile["sides"]) <= set(TERRAINS)
    faces = [
        (tile["road"], turned([(s in tile["exits"], t) for s, t in zip("NESW", tile["sides"], strict=True)]))
        for tile in parts["tiles"]
    ]
    assert len(set(faces)) == len(faces)
    assert parts["border_order"] == "clockwise"
    assert [piece["id"] for piece in parts["borders"]] == ["P1", "P2", "P3", "P4"]
    sides = [tuple(piece[face]) for piece in parts["borders"] for face in ("front", "back")]
    assert Counter(terrain for side in sides for terrain in side) == dict.fromkeys(TERRAINS, 10)
    assert len({min(side, side[::-1]) for side in sides}) == 8, "no two sides are equal, from whichever end"
    assert all(len(side) == 5 and all(len(set(side[n : n + 3])) > 1 for n in range(3)) for side in sides)
    for half in ("upper", "lower"):
        cards = maps(parts, half)
        assert len(set(map(frozenset, cards))) == len(cards)
        for cells in cards:
            assert cells == sorted(set(cells)) and set(cells) <= set(CELLS) - set(CORNERS)
            assert all(steps(*two) > 1 for two in combinations(cells, 2)), "two checkpoints side by side are one stop"
            assert max(tours(cells)) - min(tours(cells)) <= 2, "a map is as far from every corner"


@pytest.mark.parametrize(("half", "many", "long"), [("upper", 4, 10), ("lower", 3, 8)])
def test_cr_c4_twenty_cards_are_races_of_one_length(half: str, many: int, long: int) -> None:
    cards = maps(HOUSE, half)
    assert [card["id"] for card in HOUSE["cards"]] == [f"K{n}" for n in range(1, 21)]
    assert {len(cells) for cells in cards} == {many}
    assert {sum(tours(cells)) for cells in cards} == {4 * long}
    assert len({sum(column) for column in zip(*map(tours, cards), strict=True)}) == 1, "no corner is the better seat"
    assert max(len(set(one) & set(two)) for one, two in combinations(cards, 2)) <= 2
    used = Counter(cell for cells in cards for cell in cells)
    assert len(used) == 21 and max(used.values()) - min(used.values()) <= 1 and used["C3"] == min(used.values())
    assert all(len(set(card["upper"]) & set(card["lower"])) <= 1 for card in HOUSE["cards"])


def test_cr_c5_six_cars_have_each_order_of_two_four_five() -> None:
    """Named in the rulebook's order; a car is fast where its name promises."""
    cars = {car["id"]: tuple(car[road] for road in ROADS) for car in HOUSE["cars"]}
    assert [*cars] == ["race-car", "electric-car", "rally-car", "four-wheel-drive", "sports-car", "buggy"]
    assert sorted(cars.values()) == sorted(permutations((2, 4, 5)))
    for car, road in (("race-car", 0), ("rally-car", 1), ("four-wheel-drive", 1), ("electric-car", 2)):
        assert cars[car][road] == 2


def test_cr_c2_the_tiny_set_is_enough_for_two_and_plays_fast() -> None:
    assert Counter(tile["road"] for tile in TINY["tiles"]) == dict.fromkeys(ROADS, 8)
    assert len(TINY["tiles"]) == 9 + 3 + 2 + 2 * 4 + 2
    assert Counter(map(shape, TINY["tiles"]))["crossing"] == 12
    assert {len(cells) for half in ("upper", "lower") for cells in maps(TINY, half)} == {2}
    assert [min(car[road] for car in TINY["cars"]) for road in ROADS] == [2, 2, 2]


def test_cr_c3_the_house_set_of_version_1_differs_in_its_border_alone_and_its_hash_stands(tmp_path: Path) -> None:
    """It is in the heading of every game begun with that set, and so in every hash of its journal."""
    old = json.loads((ROOT / "adjudicator/games/checkpoint_rally/data/house-1.json").read_text("utf-8"))
    assert "border_order" not in old
    assert {name for name in HOUSE if HOUSE[name] != old.get(name)} == {"version", "border_order", "borders"}
    heading = {}
    for version in (1, 2):
        name = "house" if version == 2 else "house-1"
        seed = "5" * 64
        lines = (f"components {name}", f"seed {seed}", "seat red", "seat blue")
        game = table("checkpoint-rally", *lines, folder=tmp_path)
        file = json.loads(game.to_bytes())
        assert file["setup"]["components"] is None, "a shipped set is only named"
        assert adj.open(game.to_bytes()) == game
        heading[version] = (file["components"]["version"], file["components"]["hash"])
    assert heading[1] == (1, "b50762564f6fde582437ff0184d6e3af8d60186ec787a809c4eba22a677a63ee")
    assert heading[2] == (2, component_set("checkpoint-rally").reference.hash)


@pytest.mark.parametrize("order", [None, "compass", "clockwise"])
def test_cr_c3_a_set_of_ones_own_keeps_its_border_order_in_the_file(tmp_path: Path, order: str | None) -> None:
    """By the compass it is written without the member, as old sets were, so that their hashes stand."""
    own = {name: value for name, value in HOUSE.items() if name != "border_order"}
    (tmp_path / "own.json").write_text(json.dumps({**own, "id": "own", **({"border_order": order} if order else {})}))
    game = adj.new("checkpoint-rally", SEATS[:2], seed=1, components=str(tmp_path / "own.json"))
    written = json.loads(game.to_bytes())["setup"]["components"]
    assert written.get("border_order") == ("clockwise" if order == "clockwise" else None)
    assert adj.open(game.to_bytes()) == game


def begun(folder: Path, parts: dict[str, Any], players: int, **options: str) -> list[tuple[str, str]]:
    """Return the code and the rule of each problem by which a game with ``parts`` is refused; none if it can begin."""
    (folder / "set.json").write_text(json.dumps(parts))
    named = {name.replace("_", "."): value for name, value in options.items()}
    try:
        adj.new("checkpoint-rally", SEATS[:players], seed=1, components=str(folder / "set.json"), options=named)
    except adj.SetupError as error:
        return [(problem.code.partition("/")[2], problem.rule) for problem in error.problems]
    return []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cr_c2_a_set_must_have_enough_tiles(tmp_path: Path, players: int) -> None:
    """Nine cells, the row, the unused corners and four for each hand: one tile fewer is too few."""
    needed = 9 + 3 + (4 - players) + 4 * players
    assert begun(tmp_path, {**PLAIN, "tiles": PLAIN["tiles"][:needed]}, players) == []
    assert begun(tmp_path, {**PLAIN, "tiles": PLAIN["tiles"][: needed - 1]}, players) == [("unfit-set", "CR-C2")]


def odd(**fields: Any) -> dict[str, Any]:
    """Return the plain set with one more tile that is odd in ``fields``."""
    tile = {"id": "X1", "road": "urban", "exits": ["N"], "sides": ["city"] * 4, **fields}
    return {**PLAIN, "tiles": [*PLAIN["tiles"], tile]}


def card(cells: list[str]) -> dict[str, Any]:
    return {**PLAIN, "cards": [*PLAIN["cards"], {"id": "X1", "upper": cells, "lower": ["A1"]}]}


def twice(kind: str) -> dict[str, Any]:
    return {**PLAIN, kind: [*PLAIN[kind], PLAIN[kind][0]]}


FEW = {**PLAIN, "cards": PLAIN["cards"][:2], "cars": PLAIN["cars"][:2]}
UNFIT: dict[str, tuple[dict[str, Any], int, list[tuple[str, str]]]] = {
    "two cards and two cars are enough for two": (FEW, 2, []),
    "but not for three": (FEW, 3, [("unfit-set", "CR-C4"), ("unfit-set", "CR-C5")]),
    "two tiles of one name": (twice("tiles"), 2, [("unfit-set", "CR-C2")]),
    "two border pieces": (twice("borders"), 2, [("unfit-set", "CR-C3")]),
    "two cards": (twice("cards"), 2, [("unfit-set", "CR-C4")]),
    "two cars": (twice("cars"), 2, [("unfit-set", "CR-C5")]),
    "a name in small letters": (odd(id="h1"), 2, [("unfit-set", "CR-C2")]),
    "a name that begins with a digit": (odd(id="1H"), 2, [("unfit-set", "CR-C2")]),
    "a name with a dash": (odd(id="H-1"), 2, [("unfit-set", "CR-C2")]),
    "a name with a space": (odd(id="H 1"), 2, [("unfit-set", "CR-C2")]),
    "a name with an umlaut": (odd(id="Ä1"), 2, [("unfit-set", "CR-C2")]),
    "an exit named twice": (odd(exits=["N", "N"]), 2, [("unfit-set", "CR-C2")]),
    "a tile without exits": (odd(exits=[]), 2, []),
    "a checkpoint off the board": (card(["A1", "A6"]), 2, [("unfit-set", "CR-C1")]),
    "a checkpoint named twice": (card(["A1", "C3", "A1"]), 2, [("unfit-set", "CR-C4")]),
}


@pytest.mark.parametrize("what", UNFIT)
def test_an_unfit_set_is_refused_with_the_rule(tmp_path: Path, what: str) -> None:
    parts, players, problems = UNFIT[what]
    assert begun(tmp_path, parts, players) == problems


def test_what_is_wrong_with_a_set_hides_no_wish_that_cannot_be(tmp_path: Path) -> None:
    problems = begun(tmp_path, odd(exits=["N", "N"]), 2, car_red="tractor", corner_red="A1", corner_blue="A5")
    assert problems == [("unfit-set", "CR-C2"), ("unknown-car", "CR-C5"), ("corners-not-opposite", "CR-S4")]


# --- whole games -----------------------------------------------------------------------------------------------------


@dataclass
class Moment:
    """An order of a played game: who gave it, what it made happen, and the position before and after it, as all see it."""

    game: adj.Game
    seat: str
    order: str
    events: list[dict[str, Any]]
    before: dict[str, Any]
    after: dict[str, Any]
    later: adj.Game

    @property
    def is_action(self) -> bool:
        return self.order.split()[0] not in ("DISCARD", "KEEP")


def state_of(game: adj.Game) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(adj.render(game.seen_by("moderator").position, "json"))["view"]["state"]
    return found


def racer(state: dict[str, Any], seat: str) -> dict[str, Any]:
    return next(one for one in state["racers"] if one["seat"] == seat)


def played(players: int, seed: int, **how: Any) -> list[Moment]:
    """Play a game, half by chance and half well, so that it ends."""
    luck = Random(seed)
    game = adj.new("checkpoint-rally", SEATS[:players], seed=seed, **how)
    state = state_of(game)
    found: list[Moment] = []
    while not game.is_over and len(found) < 400:
        (seat,) = game.due_seats
        order = (
            luck.choice(game.seen_by(seat).legal).order if luck.random() < 0.6 else adj.choose_order(game, seat, "greedy")
        )
        result = game.apply({seat: order})
        assert not result.problems
        after = state_of(result.game)
        found.append(Moment(game, seat, order, [], state, after, result.game))
        game, state = result.game, after
    entries = [link["entry"] for link in json.loads(game.to_bytes())["journal"]]
    for moment, entry in zip(found, entries[1:], strict=True):
        moment.events = entry["events"]
    return found


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[list[Moment]]:
    """Whole games: two, three and four players, few tiles, every option."""
    few = tmp_path_factory.mktemp("few") / "few.json"
    few.write_text(json.dumps({**PLAIN, "tiles": PLAIN["tiles"][:60:2][:22]}))
    found = [played(2, 1), played(4, 1), played(2, 0, components=str(few), options={"map": "lower"})]
    found.append(played(3, 3, options={"last-chance": "any-marker", "layout": "cross"}))
    found.append(played(2, 4))
    assert all(moments[-1].later.is_over for moments in found)
    return found


def actions(games: list[list[Moment]]) -> Iterator[Moment]:
    yield from (moment for moments in games for moment in moments if moment.is_action)


def of(events: list[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    return [event for event in events if event["kind"] in kinds]


def test_everything_happens_in_these_games(games: list[list[Moment]]) -> None:
    """What holds in them has been tried on every kind of event and of order."""
    kinds = {event["kind"] for moments in games for moment in moments for event in moment.events}
    assert kinds == {
        *("tiles-drawn", "stack-renewed", "stack-ran-out", "row-filled", "row-cleared", "tile-taken", "tile-placed"),
        *("car-driven", "checkpoint-marked", "spent", "car-finished", "tiles-discarded", "race-started"),
        *("last-chance-begun", "last-chance-ended", "game-ended"),
    }
    words = {moment.order.split()[0] for moments in games for moment in moments}
    assert words == {"PLACE", "MOVE", "DRAW", "REFRESH", "TAKE", "DISCARD", "KEEP"}


def test_cr_c2_every_tile_is_in_one_place(games: list[list[Moment]]) -> None:
    """On the board, in a hand, in the row, on the discard pile, or else in the stack, which shows how many are left."""
    for moments in games:
        for moment in moments:
            state = moment.after
            out = [laid["tile"] for laid in state["board"] if laid] + state["row"] + state["discard"]
            out += [tile for one in state["racers"] for tile in one["hand"]]
            assert len(out) == len(set(out))
        text = adj.render(moments[-1].later.seen_by().position)
        size = 22 if "plain" in text else 42
        assert f"stack         {size - len(out)} tile" in text


def test_cr_t2_clocks_draw_lines_hands_and_updates(games: list[list[Moment]]) -> None:
    """Only the own clock moves, and falls only by the bonus; each 15 minutes draw a tile; nobody acts with four."""
    lines = 0
    for moment in actions(games):
        spent = of(moment.events, "spent")
        for own in moment.before["racers"]:
            change = racer(moment.after, own["seat"])["minutes"] - own["minutes"]
            bonus = sum(part["amount"] for event in spent for part in event["why"] if part["rule"] == "CR-F1")
            assert -4 <= bonus <= 0
            assert change >= bonus if own["seat"] == moment.seat else change == 0
            kept = of(moment.events, "tile-taken") + [one for one in of(moment.events, "tile-placed") if one["is_kept"]]
            used = len(kept) if own["seat"] == moment.seat else 0
            assert racer(moment.after, own["seat"])["gps"] == own["gps"] - used >= 0
        if moment.game.due[0].kind == "action":
            assert all(len(one["hand"]) <= 3 for one in moment.before["racers"] if one["cell"])
        if spent and not of(moment.events, "car-finished"):
            crossed = sum(minute % 15 == 0 for minute in range(spent[0]["before"] + 1, spent[0]["after"] + 1))
            later = moment.events[moment.events.index(spent[0]) :]
            own_draws = [event for event in of(later, "tiles-drawn") if event["rule"] == "CR-T2"]
            missing = sum(event["missing"] for event in of(later, "stack-ran-out"))
            assert sum(len(event["tiles"]) for event in own_draws) + missing == crossed
            lines += crossed
    assert lines > 50


def test_cr_f2_each_has_one_unbroken_chance_which_ends_exactly_when_it_must(games: list[list[Moment]]) -> None:
    """When another with a chance, or a finished car, has less time (any-marker: anybody), and only after time."""
    free = 0
    for moments in games:
        game, began, acting = moments[0].game, [], None
        is_literal = game.options["last-chance"] == "any-marker"
        for moment in moments:
            old, new = racer(moment.before, moment.seat), racer(moment.after, moment.seat)
            if moment.is_action:
                assert acting in (None, moment.seat)
                if new["minutes"] == old["minutes"] and new["place"] is None:
                    assert len(new["hand"]) + 2 * new["gps"] < len(old["hand"]) + 2 * old["gps"], "it uses something up"
                    free += 1
            for event in of(moment.events, "last-chance-begun", "last-chance-ended", "car-finished"):
                if event["kind"] == "last-chance-begun":
                    began.append(event["seat"])
                    acting = event["seat"]
                else:
                    assert acting in (None, event["seat"])
                    acting = None
            if moment.is_action and moment.before["acting"] == moment.seat and new["place"] is None:
                counts = [
                    one["minutes"]
                    for one in moment.before["racers"]
                    if one["seat"] != moment.seat and (is_literal or one["place"] or not one["chance_over"])
                ]
                may_end = new["minutes"] != old["minutes"]
                assert new["chance_over"] == (may_end and min(counts) < new["minutes"])
        last = moments[-1].after["racers"]
        assert sorted(began) == sorted(one["seat"] for one in last if one["place"] != 1)
        finishers = [one for one in last if one["place"]]
        best = min(finishers, key=lambda one: (one["minutes"], one["place"]))
        assert moments[-1].events[-1]["winner"] == best["seat"] == moments[-1].later.standings[0].seat
        assert sorted(one["place"] for one in finishers) == [*range(1, len(finishers) + 1)]
    assert free > 20


# --- a second reading of the rules: from coordinates and printed sides --------------------------------------------------


@cache
def tile_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(tile for tile in HOUSE["tiles"] if tile["id"] == name)
    return found


def lying(name: str, rot: int) -> tuple[str, set[str], dict[str, str]]:
    """Return road, exits and terrains (N, E, S, W) of a tile as it lies."""
    tile, turn = tile_of(name), rot // 90
    exits = {"NESW"[("NESW".index(side) + turn) % 4] for side in tile["exits"]}
    return tile["road"], exits, {side: tile["sides"][(at - turn) % 4] for at, side in enumerate("NESW")}


def around(cell: str) -> Iterator[tuple[str, str | None, int]]:
    """Yield each side with the neighbour there (``None``: the border) and how far along the border the cell lies."""
    column, row = "ABCDE".index(cell[0]), int(cell[1])
    for side, right, down in (("N", 0, -1), ("E", 1, 0), ("S", 0, 1), ("W", -1, 0)):
        inside = 0 <= column + right < 5 and 1 <= row + down <= 5
        along = column if side in "NS" else row - 1
        yield side, f"{'ABCDE'[column + right]}{row + down}" if inside else None, along


FACING = {"N": "S", "E": "W", "S": "N", "W": "E"}


def minutes_to_place(state: dict[str, Any], name: str, cell: str, rot: int) -> int:
    """Return what laying a tile costs, by the rulebook: 4 less one for each match, never under 0."""
    board = dict(zip(CELLS, state["board"], strict=True))
    road, exits, terrain = lying(name, rot)
    bonus = 0
    for side, neighbour, along in around(cell):
        if neighbour is None:
            frame = state["border"]["NESW".index(side)]
            strip = next(piece for piece in HOUSE["borders"] if piece["id"] == frame["piece"])[frame["face"]]
            # Clockwise: the fifth terrain lies in the west of the south, in the north of the west.
            bonus += strip[along if side in "NE" else 4 - along] == terrain[side]
        elif laid := board[neighbour]:
            other_road, other_exits, other_terrain = lying(laid["tile"], laid["rot"])
            bonus += other_terrain[FACING[side]] == terrain[side]
            bonus += other_road == road and side in exits and FACING[side] in other_exits
    if laid := board[cell]:
        old_road, _, old_terrain = lying(laid["tile"], laid["rot"])
        bonus += len({*old_terrain.values()} & {*terrain.values()}) + (old_road == road)
    return max(0, 4 - bonus)


def ways(state: dict[str, Any], here: str) -> set[str]:
    board = dict(zip(CELLS, state["board"], strict=True))

    def on(cell: str) -> Iterator[str]:
        exits = lying(board[cell]["tile"], board[cell]["rot"])[1]
        for side, neighbour, _ in around(cell):
            if side in exits and neighbour and (laid := board[neighbour]) and FACING[side] in lying(*laid_at(laid))[1]:
                yield neighbour

    return {*on(here)} | {f"{first} {second}" for first in on(here) for second in on(first)}


def laid_at(laid: dict[str, Any]) -> tuple[str, int]:
    return laid["tile"], laid["rot"]


def test_cr_p1_cr_m1_what_is_legal_and_what_it_costs_agrees_with_a_second_reading(games: list[list[Moment]]) -> None:
    """Every action and every place, in every eighth position; and what is listed beforehand is what the clock shows."""
    seen = 0
    cars = {car["id"]: car for car in HOUSE["cars"]}
    for moment in (moment for moments in (*games[:2], games[3]) for moment in moments[::6]):
        (due,), state, own = moment.game.due, moment.before, racer(moment.before, moment.seat)
        rows = {row.order: row for row in moment.game.seen_by(moment.seat).legal}
        if due.kind == "discard":
            sizes = (("DISCARD", len(own["hand"]) - 3), ("KEEP", 3))
            wanted = {(word, frozenset(few)) for word, many in sizes for few in combinations(own["hand"], many)}
            assert {(order.split()[0], frozenset(order.split()[1:])) for order in rows} == wanted
            continue
        corner = dict(zip(moment.game.seats, (("A1", "E5") if len(moment.game.seats) == 2 else CORNERS), strict=False))
        is_start = due.kind == "start"
        stood_on = {one["cell"] for one in state["racers"]}
        tiles = {
            f"PLACE {name} at {cell} rot {rot}{gps}"
            for name in own["hand"]
            for cell, laid in zip(CELLS, state["board"], strict=True)
            for rot in (0, 90, 180, 270)
            for gps in ("", " gps")
            if cell not in stood_on and (not gps or (laid and own["gps"]))
            if not is_start or cell == corner[moment.seat]
        }
        others = set() if is_start else {"DRAW", "REFRESH", *(f"TAKE {tile}" for tile in state["row"] if own["gps"])}
        moves = set() if is_start else {f"MOVE {way}" for way in ways(state, own["cell"])}
        assert rows.keys() == tiles | others | moves
        for order in sorted(tiles):
            _, name, _, cell, _, rot = order.removesuffix(" gps").split()
            parts = [part for part in rows[order].why if part.rule not in ("CR-S6", "CR-F1")]
            assert sum(part.amount for part in parts) == minutes_to_place(state, name, cell, int(rot))
            seen += 1
        for order in sorted(moves):
            driven = [part.amount for part in rows[order].why if part.rule == "CR-M1"]
            laid = [state["board"][CELLS.index(cell)] for cell in order.split()[1:]]
            entered = [cars[own["car"]][lying(*laid_at(one))[0]] for one in laid]
            assert driven == entered[: len(driven)] and driven
            seen += 1
        spent = of(moment.events, "spent")
        charged = [(part["amount"], part["rule"]) for event in spent for part in event["why"]]
        assert charged == [(part.amount, part.rule) for part in rows[moment.order].why]
    assert seen > 5_000


# --- seats that are not due --------------------------------------------------------------------------------------------


def test_who_is_not_due_looks_ahead_as_if_it_were_but_not_past_a_discard(tmp_path: Path) -> None:
    lines = ["components plain.json", "blue cell=A1 minutes=6 hand=HC2", "board C3:HC1 A1:HC3 D3:HC4", "row UM1 UM2 UM3"]
    game = table("checkpoint-rally", *lines, "red cell=C3 hand=GM1,GM2,GM3", folder=tmp_path)
    assert game.due_seats == ("red",) and not game.seen_by("blue").legal
    ahead = {row.order for row in game.seen_by("blue").legal_ahead or ()}
    assert {"DRAW", "REFRESH", "TAKE UM1", "PLACE HC2 at D3 rot 0"} <= ahead
    game = game.apply("red: DRAW [UG1 UG2]").game
    assert game.seen_by("blue").legal_ahead is None, "a discard may change what it sees"


def test_cr_f2_who_waits_for_its_last_chance_looks_ahead_to_it(tmp_path: Path) -> None:
    lines = ["components plain.json", "red card=E1 marked=E1 place=1 minutes=20", "board C3:HC1 A1:HC3 B1:HC2"]
    game = table("checkpoint-rally", *lines, "blue cell=C3 minutes=10", "green cell=A1 minutes=12", folder=tmp_path)
    assert game.due_seats == ("blue",)
    assert {row.order for row in game.seen_by("green").legal_ahead or ()} == {"DRAW", "REFRESH", "MOVE B1", "MOVE B1 A1"}


def test_cr_f2_a_seat_that_is_asked_no_more_is_told_why(tmp_path: Path) -> None:
    lines = ["components plain.json", "red card=E1 marked=E1 place=1 minutes=20", "board C3:HC1"]
    game = table("checkpoint-rally", *lines, "blue cell=C3 minutes=44 hand=UG1,UG2,UG3", folder=tmp_path)
    assert (game.seen_by("blue").eliminated, game.seen_by("red").legal_ahead) == ("", None)
    assert "red has finished" in str(game.seen_by("red").eliminated)
    game = game.apply("blue: DRAW [UC1 UC2 UC3]").game
    assert game.is_over and len(racer(state_of(game), "blue")["hand"]) == 6
    assert "the last chance of blue is over" in str(game.seen_by("blue").eliminated)


# --- simulated drivers -------------------------------------------------------------------------------------------------


def test_a_driver_that_plans_wins_against_one_that_does_not() -> None:
    wins: Counter[str] = Counter()
    for seed in range(3):
        game = adj.new("checkpoint-rally", ("red", "blue"), seed=seed)
        bots = {"red": "greedy", "blue": "random"}
        while not game.is_over:
            (seat,) = game.due_seats
            game = game.apply({seat: adj.choose_order(game, seat, bots[seat])}).game
        wins[game.standings[0].seat] += 1
    assert wins == {"red": 3}


@pytest.mark.parametrize(
    ("laid", "hand", "order"),
    [("C3:HC1 D3:HC2 E3:HM1", "none", "MOVE D3 E3"), ("C3:HC1 E3:HM1 B3:HM2", "HC5", "PLACE HC5 at D3")],
)
def test_it_drives_to_its_checkpoints_and_lays_a_road_where_there_is_none(
    tmp_path: Path, laid: str, hand: str, order: str
) -> None:
    seats = (f"red cell=C3 card=D3E3 hand={hand}", "blue cell=C3 minutes=9")
    game = table("checkpoint-rally", "components plain.json", *seats, f"board {laid}", folder=tmp_path)
    assert adj.choose_order(game, "red", "greedy").startswith(order)


def test_its_choice_depends_on_nothing_that_its_seat_does_not_know(tmp_path: Path) -> None:
    """Whatever blue holds, and wherever it goes, red chooses the same."""
    choices = set()
    for hand, card in (("HG1,HG2", "E1"), ("UM1,GD2", "B2D4"), ("UC3,HM4", "D2B4")):
        game = table(
            "checkpoint-rally",
            "components plain.json",
            "red cell=C3 hand=HC2,GM1,UM5 card=A5D3E5",
            f"blue cell=A1 minutes=9 hand={hand} card={card}",
            "board C3:HC1 A1:UC5 D3:HNSCCCC:90",
            folder=tmp_path,
        )
        choices.add(adj.choose_order(game, "red", "greedy"))
    assert len(choices) == 1
