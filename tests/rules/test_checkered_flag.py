"""Checkered Flag beside its scenarios: component sets and their flaws, the planning player, pictures, words, sums."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations, groupby
from math import dist, hypot, prod
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import adjudicator as adj
from adjudicator.library.rulesets import component_set
from tests.drivers.scenarios import game_at

DRAWN: dict[str, Any] = json.loads((Path(__file__).parent / "checkered-flag/drawn.json").read_text("utf-8"))
HOUSE: dict[str, Any] = component_set("checkered-flag").parts
SEATS = ("red", "blue")
Parts = dict[str, Any]


def begun(folder: Path, parts: Parts, **given: Any) -> adj.Game:
    """Begin a race with the component set ``parts``."""
    (folder / "own.json").write_text(json.dumps(parts | {"id": "own"}), "utf-8")
    return adj.new("checkered-flag", SEATS, components=str(folder / "own.json"), **{"seed": 1, **given})


# Flaws of a set


def zone(name: str, *curves: tuple[int, int], title: str = "") -> Parts:
    return {
        "id": name,
        "name": title or f"Zone {name.upper()}",
        "curves": [{"first": first, "last": last} for first, last in curves],
    }


A, B, D = zone("a", (6, 8)), zone("b", (13, 14), (15, 17)), zone("d", (24, 26))
MIXED_UP = [*DRAWN["track"][:4], DRAWN["track"][6], *DRAWN["track"][5:]]
TOGETHER = "contiguous danger positions are one zone"


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ({"track": MIXED_UP}, ["CF-C1 the track counts its positions 1, 2, … in order; 7 is out of order"]),
        ({"zones": [A, B | {"id": "a"}, D]}, ["CF-C1 the component set has the zone a 2 times"]),
        (
            {"shape": "20 R90 10 L40"},
            ["CF-C1 the shape has 30 spaces and turns right by 50 degrees; it needs 31, with the line, and 360"],
        ),
        (
            {"wheel_a": [3, 3], "wheel_b": [2]},
            ["CF-C2 two wheels with one number each would spin for the first turn forever"],
        ),
        ({"zones": [A, B, D, zone("x", (7, 6))]}, ["CF-D1 a curve cannot go from 7 to 6 on a track of 30 positions"]),
        ({"zones": [A, B, D, zone("x", (29, 31))]}, ["CF-D1 a curve cannot go from 29 to 31 on a track of 30 positions"]),
        ({"zones": [A, B, D, zone("x", (31, 31))]}, ["CF-D1 a curve cannot go from 31 to 31 on a track of 30 positions"]),
        ({"zones": [zone("a", (6, 7), (7, 8)), B, D]}, ["CF-D1 the curves of Zone A do not follow each other"]),
        ({"zones": [A, zone("b", (15, 17), (13, 14)), D]}, ["CF-D1 the curves of Zone B do not follow each other"]),
        ({"zones": [A, zone("x", (6, 8)), B, D]}, [f"CF-C1 Zone A and Zone X overlap: {TOGETHER}"]),
        ({"zones": [A, zone("b", (13, 17), (28, 29)), D]}, [f"CF-C1 Zone B and Zone D overlap: {TOGETHER}"]),
        ({"zones": [zone("a", (6, 6), (12, 12)), B, D]}, [f"CF-C1 Zone A and Zone B touch: {TOGETHER}"]),
        ({"zones": [A, zone("b", (13, 14)), zone("c", (15, 17)), D]}, [f"CF-C1 Zone B and Zone C touch: {TOGETHER}"]),
        (
            {"zones": [A | {"name": "Zone B"}, B, D | {"name": "Zone\nD"}]},
            [
                "CF-C1 the component set has the zone name Zone B 2 times",
                "CF-C1 the name of zone d is not one line of plain text",
            ],
        ),
        (
            {"zones": [zone("a", (1, 2)), zone("d", (29, 30))]},
            ["CF-C1 danger on both sides of the line would be one zone from one lap into the next"],
        ),
        (
            {"wheel_a": [1], "wheel_b": [1], "track": MIXED_UP, "zones": [zone("a", (5, 7), (9, 9)), zone("a", (8, 9)), D]},
            [
                "CF-C2 two wheels with one number each would spin for the first turn forever",
                "CF-C1 the track counts its positions 1, 2, … in order; 7 is out of order",
                "CF-C1 the component set has the zone a 2 times",
                "CF-C1 the component set has the zone name Zone A 2 times",
                f"CF-C1 Zone A and Zone A overlap: {TOGETHER}",
            ],
        ),
    ],
)
def test_a_set_that_cannot_be_played_with_is_refused_with_every_reason(
    spoilt: Parts, told: list[str], tmp_path: Path
) -> None:
    with pytest.raises(adj.SetupError) as refused:
        begun(tmp_path, DRAWN | spoilt)
    assert [f"{one.rule} {one.message}" for one in refused.value.problems] == told


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"wheel_a": [3, 3], "wheel_b": [2, 3]},
        {"zones": [zone("a", (1, 2))]},
        {"zones": [zone("d", (29, 30))]},
        {"zones": [A, zone("b", (13, 13), (16, 17)), D]},
        {"zones": [A, zone("c", (10, 11)), B, D]},
    ],
)
def test_a_set_may_have_odd_wheels_danger_on_one_side_of_the_line_between_curves_and_close_zones(
    odd: Parts, tmp_path: Path
) -> None:
    assert begun(tmp_path, DRAWN | odd).due_seats


def test_cf_c1_the_house_track_has_what_the_rulebook_asks_for() -> None:
    danger = {at for one in HOUSE["zones"] for curve in one["curves"] for at in range(curve["first"], curve["last"] + 1)}
    narrow = {spot["number"] for spot in HOUSE["track"] if spot["width"] == "narrow"}
    assert len(HOUSE["track"]) == 54
    assert sorted(len(one["curves"]) for one in HOUSE["zones"]) == [1, 1, 1, 2, 2]
    assert narrow & danger and any(number + 1 in danger for number in narrow - danger)
    assert not {1, 54} & danger
    runs = [(is_danger, len([*spots])) for is_danger, spots in groupby(range(1, 55), danger.__contains__)]
    assert [is_danger for is_danger, _ in runs] == [False, True] * 5 + [False]
    assert min(count for is_danger, count in runs if not is_danger) >= 4  # a car can shift down between two zones


def events(game: adj.Game) -> list[Parts]:
    return [event for link in json.loads(game.to_bytes())["journal"] for event in link["entry"]["events"]]


def test_cf_c2_cf_s1_each_face_of_a_wheel_comes_up() -> None:
    games = [adj.new("checkered-flag", SEATS, seed=seed) for seed in range(40)]
    spins = [(event["a"], event["b"]) for game in games for event in events(game) if event["kind"] == "start-spun"]
    assert {a for a, _ in spins} == {b for _, b in spins} == set(range(1, 7))
    assert len({*spins}) > 20


# Words

WRITTEN = {
    "GEAR 2": "GEAR 2",
    "gear n": "GEAR N",
    "gear neutral": "GEAR N",
    "gear first": "GEAR 1",
    "gear 3rd": "GEAR 3",
    "gear: 2": "GEAR 2",
    "Gear=2 go": "GEAR 2 go",
    "shift to 2": "GEAR 2",
    "Shift up to third gear": "GEAR 3",
    "Gear up to 3": "GEAR 3",
    "shift down into 2nd": "GEAR 2",
    "stay in 2nd gear": "GEAR 2",
    "change to gear 2": "GEAR 2",
    "gear 3, and go": "GEAR 3 go",
    "gear 3 - go!": "GEAR 3 go",
    "gear 3 don't brake": "GEAR 3 go",
    "gear 3 no braking": "GEAR 3 go",
    "gear 3, brake before the next danger zone.": "GEAR 3 brake before danger",
    "gear 3 but brake before the first curve": "GEAR 3 brake before danger",
    "gear 3 – brake": "GEAR 3 brake before danger",
    "gear 3 brake 2": "GEAR 3 brake 2",
    "gear 1, brake by 2 spaces": "GEAR 1 brake 2",
    "gear 2 brake to 36": "GEAR 2 brake to 36",
    "stay in 2nd gear but brake to position 36": "GEAR 2 brake to 36",
    "brake to 36": "BRAKE to 36",
    "brake to space 36": "BRAKE to 36",
    "brake 2": "BRAKE 2",
    "brake by 2 spaces": "BRAKE 2",
    "brake 1 space": "BRAKE 1",
    "brake": "BRAKE before danger",
    "go": "GO",
    "do not brake": "GO",
    "BRAKE 3 IF cost of BRAKE 3 > cost of GO ELSE GO": "IF cost of BRAKE 3 > cost of GO THEN BRAKE 3 ELSE GO",
}


def test_an_order_is_read_in_the_words_of_players() -> None:
    game = adj.new("checkered-flag", SEATS, seed=1)
    other = next(seat for seat in SEATS if seat not in game.due_seats)
    result = game.apply({other: "\n".join(WRITTEN)})
    (waiting,) = result.game.seen_by(other).pending.waiting
    assert [*waiting.orders] == [*WRITTEN.values()]


def test_cf_b2_the_receipt_notes_braking_that_the_spin_did_not_allow(tmp_path: Path) -> None:
    result = game_at(tmp_path, "checkered-flag", "components drawn.json\nturn red\nred position=9 gear=2\nblue").apply(
        "red: GEAR 2 brake 2 [3 3]"
    )
    (order,) = result.receipts[0].orders
    assert order.reason == "entry 1; note: red cannot brake 2 spaces with this spin: it goes on (CF-B2)"


def test_cf_v1_after_the_race_both_are_told_how_it_ended(tmp_path: Path) -> None:
    game = game_at(
        tmp_path, "checkered-flag", "components drawn.json\nturn red\nred position=30 gear=1\nblue\nred: GEAR 1 [1 1]"
    )
    told = [str(game.seen_by(seat).eliminated) for seat in SEATS]
    assert (
        "the race is over: red has won the race" in told[0] and "the race is over: blue has lost the race to red" in told[1]
    )


def test_a_seat_looks_ahead_to_its_own_turn_until_the_race_is_over(tmp_path: Path) -> None:
    game = game_at(
        tmp_path, "checkered-flag", "components drawn.json\nturn red\nred position=4 gear=3\nblue gear=1\nspun 6:5"
    )
    orders = [row.order for row in game.seen_by("blue").legal_ahead or ()]
    assert "GEAR 2 go" in orders and "GO" not in orders
    text = "components drawn.json\nturn red\nred position=30 gear=1\nblue\nred: GEAR 1 [1 1]"
    assert game_at(tmp_path, "checkered-flag", text).seen_by("blue").legal_ahead is None


# The planning player


@pytest.mark.parametrize(
    ("position", "order"),
    [
        ("red position=10 gear=1", "GEAR 2"),
        ("red position=1 gear=2", "GEAR 3"),
        ("red position=26 gear=2", "GEAR 3"),
        ("red position=4 gear=3\nspun 6:5", "GO"),
        ("red position=2 gear=3\nspun 6:5", "BRAKE 1"),
        ("red position=17 gear=3\nspun 6:1", "BRAKE 1"),
    ],
)
def test_the_planning_player_takes_what_leaves_the_fewest_turns(position: str, order: str, tmp_path: Path) -> None:
    game = game_at(tmp_path, "checkered-flag", f"components drawn.json\nturn red\nblue\n{position}")
    assert adj.choose_order(game, "red") == order


def test_planning_players_brake_at_times_go_on_at_times_and_finish() -> None:
    games = [*adj.simulate_games("checkered-flag", 6, player="greedy")]
    orders = {row.order.split()[0] for game in games for row in game.seen_by().log() if row.order}
    assert len(games) == 6 and all(game.is_over for game in games)
    assert orders == {"GEAR", "BRAKE", "GO"}


class Scripted:
    """A chance that gives the outcomes with the numbers of a script, then the first ones; it notes among how many."""

    drawn = 0

    def __init__(self, script: list[int]) -> None:
        self.script, self.among = script, list[int]()

    def pick(self, _purpose: str, among: Any) -> Any:
        number = self.script[len(self.among)] if len(self.among) < len(self.script) else 0
        self.among.append(len(among))
        return among[number]


@pytest.mark.parametrize("blue", [0, 25])
@pytest.mark.parametrize(
    "red", ["position=4 gear=3;5:4", "position=10 gear=2;2:5", "position=20 gear=3;5:4", "position=2 gear=2"]
)
def test_what_the_planning_player_foresees_is_the_average_over_all_that_chance_may_give(
    red: str, blue: int, tmp_path: Path
) -> None:
    from adjudicator.core.step import carry_out
    from adjudicator.games.checkered_flag.bot import turns_after, turns_to_finish
    from adjudicator.games.checkered_flag.orders import Go, Shift

    place, _, spun = red.partition(";")
    text = f"components drawn.json\nturn red\nred {place}\nblue position={blue} gear=1\nspun {spun or 'none'}"
    session = game_at(tmp_path, "checkered-flag", text)
    rules, config, state = session.rules, session.rules.config, session.record.state
    after, (before, _) = turns_after(config, state, state.of("red")), turns_to_finish(config)
    assert len(after) > 1
    for order, foreseen in after.items():
        done = Shift(order.gear, Go()) if isinstance(order, Shift) else order
        scripts: list[list[int]] = [[]]
        left = 0.0
        while scripts:
            chance = Scripted(script := scripts.pop())
            taken = carry_out(rules, state, rules.at(state, "red"), done, chance)
            if len(chance.among) > len(script):
                scripts += [[*script, number] for number in range(chance.among[len(script)])]
            else:
                own = taken.state.of("red")
                turns = own.lost + before[0 if own.lost else own.gear][own.driven] if own.driven <= config.distance else 0
                left += turns / prod(chance.among)
        assert foreseen == pytest.approx(left), order


# Pictures


def svgs(game: adj.Game) -> list[ElementTree.Element]:
    return figures(adj.render(game.seen_by("moderator").report(), "html"))


def figures(page: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(one) for one in re.findall(r"<figure[^>]*>(<svg.*?</svg>)", page, re.DOTALL)]


def description(game: adj.Game) -> str:
    return " ".join(game.seen_by("moderator").report().description)


def told(picture: ElementTree.Element) -> list[str | None]:
    return [text.text for text in picture.iter("text")]


def at(folder: Path, text: str) -> adj.Game:
    return game_at(folder, "checkered-flag", "components drawn.json\nturn red\n" + text)


def test_the_track_has_every_number_car_zone_kerb_hatching_and_the_line_and_says_it_in_words(tmp_path: Path) -> None:
    game = at(tmp_path, "red position=14 gear=2\nblue position=21 gear=1")
    track, *levers = svgs(game)
    assert {*map(str, range(1, 31)), "R", "B", "Zone A", "Zone B"} <= {*told(track)}
    page = ElementTree.tostring(track, "unicode")
    assert "url(#hatch-" in page and 'stroke-dasharray="6 6"' in page and page.count("#111111") == 1
    assert {one.get("data-id") for one in track.iter()} >= {"red", "blue", "line", *(f"to {at}" for at in range(1, 31))}
    words = description(game)
    for said in (
        "Space 14: danger 1, red (car).",
        "Space 22: narrow.",
        "Red's lever: at 2.",
    ):
        assert said in words
    assert {"N", "1", "2", "3"} <= {*told(levers[0])}


def test_things_have_the_words_of_the_orders_that_name_them_and_others_cannot_be_clicked(tmp_path: Path) -> None:
    """A space, a gear and braking by so many spaces were all called 2, and the lever of the other seat, too."""
    page = adj.render(at(tmp_path, "red position=14 gear=2\nblue position=21 gear=1").seen_by("red").report(), "html")
    found = [{name for one in figure.iter() if (name := one.get("data-id"))} for figure in figures(page)]
    assert {*(f"to {at}" for at in range(1, 31)), "line", "red", "blue"} == found[0]
    assert {"GEAR N", "GEAR 1", "GEAR 2", "GEAR 3"} in [{one for one in ids if one.startswith("GEAR")} for ids in found]
    assert sum("GEAR 2" in ids for ids in found) == 1 and not any(one.isdigit() for ids in found for one in ids)


def test_a_narrow_space_has_one_lane(tmp_path: Path) -> None:
    track = svgs(at(tmp_path, "red\nblue"))[0]
    ways = {one.get("data-id"): way.attrib["d"] for one in track.iter("g") if (way := one.find("path")) is not None}
    wide = {}
    for label in ("to 3", "to 21"):
        first, *_, last = ways[label][1:-1].split("L")
        (x, y), (u, v) = (map(float, point.split()) for point in (first, last))
        wide[label] = hypot(x - u, y - v)
    assert wide == {"to 3": pytest.approx(56, abs=0.3), "to 21": pytest.approx(38, abs=0.3)}


def test_a_crashed_car_stands_in_a_burst_with_its_turns_and_a_winner_beside_the_line(tmp_path: Path) -> None:
    game = at(tmp_path, "red position=5 gear=2\nblue position=9 lost=2 gear=3")
    crashed = svgs(game)
    page = ElementTree.tostring(crashed[0], "unicode")
    assert "−2" in told(crashed[0]) and page.count("#ffd84d") == 1
    assert "blue (car, stands still and loses 2 turns)." in description(game)
    won = svgs(at(tmp_path, "red position=30 gear=1\nblue\nred: GEAR 1 [1 1]"))[0]
    assert ElementTree.tostring(won, "unicode").count("#111111") == 2


def test_a_crash_hides_neither_the_number_of_the_space_nor_a_car_beside_it(tmp_path: Path) -> None:
    board = svgs(at(tmp_path, "red position=9 gear=2\nblue position=9 lost=2 gear=3"))[0]
    page = ElementTree.tostring(board, "unicode")
    assert page.index("#ffd84d") < page.index('data-id="red"') < page.index(">9<")
    (burst,) = (one.attrib["d"] for one in board.iter("path") if one.get("fill") == "#ffd84d")
    points = [[*map(float, point.split())] for point in burst[1:-1].split("L")]
    assert max(abs(y) for _, y in points) < 12  # half of its lane, and the gap to the car in the other one


def test_a_set_gives_the_circuit_its_shape(tmp_path: Path) -> None:
    square = "4 4 R90 4 4 R90 4 4 R90 3 4 R90"
    board = svgs(begun(tmp_path, DRAWN | {"shape": square}))[0]
    oval = svgs(begun(tmp_path, DRAWN))[0]
    sides = [[float(side) for side in one.attrib["viewBox"].split()[2:]] for one in (board, oval)]
    assert abs(sides[0][0] - sides[0][1]) < 40 < abs(sides[1][0] - sides[1][1])


@pytest.mark.parametrize(("place", "order", "reach"), [(9, "GEAR 1 [1 1]", hypot(14, 6)), (5, "GEAR 2 go [1 1 1]", 22)])
def test_the_mark_of_a_car_that_moved_lies_under_all_cars_and_around_its_own(
    place: int, order: str, reach: float, tmp_path: Path
) -> None:
    """A ring through its body hid all but its letter; it reaches to its wing, or to the burst of a crash."""
    game = at(tmp_path, f"red position=9 gear=2\nblue position={place} gear=1").play_turn({"red": "GEAR 2 [1 1]"}).game
    page = adj.render(game.play_turn({"blue": order}).reports[0], "html")
    board = figures(page)[0]
    (parent,) = (one for one in board.iter() if any(child.get("class") == "new" for child in one))
    mark = next(n for n, child in enumerate(parent) if child.get("class") == "new")
    assert {"red", "blue"} <= {one.get("data-id") for child in [*parent][mark + 1 :] for one in child.iter()}
    assert max(float(ring.attrib["rx"]) for ring in parent[mark].iter("rect")) - 1.3 > reach - 0.5


def test_a_lever_that_was_moved_is_marked_outside_its_knob(tmp_path: Path) -> None:
    game = at(tmp_path, "red position=9 gear=1\nblue").play_turn({"red": "GEAR 2 [1 1]"}).game
    page = adj.render(game.play_turn({"blue": "GEAR 1 [1 1]"}).reports[0], "html")
    marks = [one for figure in figures(page)[1:] for one in figure.iter("g") if one.get("class") == "new"]
    frames = [rect for one in marks for rect in one.iter("rect")]
    assert any(float(rect.attrib["height"]) / 2 - 2.5 >= 22 + 10.5 for rect in frames)  # the knob of an upper gear


@pytest.mark.parametrize("number", [20, 33, 200])
def test_a_track_of_any_length_is_drawn_without_numbers_that_touch(number: int, tmp_path: Path) -> None:
    track = [{"number": at, "width": "wide"} for at in range(1, number + 1)]
    game = begun(tmp_path, DRAWN | {"track": track, "zones": [zone("a", (12, 13))]})
    words = {*told(svgs(game)[0])}
    assert {*map(str, range(1, number + 1))} <= words
    for viewer in ("red", None):
        assert max(map(len, adj.render(game.seen_by(viewer).position).splitlines())) <= 100


def numbered(picture: ElementTree.Element) -> dict[str, tuple[float, float, float, float]]:
    """Return the box of each number in its space."""
    boxes = {}
    for one in picture.iter("text"):
        if one.get("fill") == "#222222" and re.fullmatch(r"\d+", one.text or ""):
            x, y, size = (float(one.attrib[name]) for name in ("x", "y", "font-size"))
            half = 0.28 * size * len(one.text or "")
            boxes[one.text or ""] = (x - half, y - 0.75 * size, x + half, y)
    return boxes


@pytest.mark.parametrize("parts", [HOUSE, DRAWN], ids=["house", "drawn"])
def test_numbers_are_on_the_outer_side_in_the_order_of_travel_and_no_two_run_together(parts: Parts, tmp_path: Path) -> None:
    """The track leads clockwise: outside is to the left of its direction."""
    picture = svgs(begun(tmp_path, parts))[0]
    places = {}
    for one in picture.iter("g"):
        way = one.find("path")
        if one.get("data-id", "").startswith("to ") and way is not None:
            points = [[*map(float, point.split())] for point in way.attrib["d"][1:-1].split("L")]
            places[one.attrib["data-id"][3:]] = [sum(axis) / len(points) for axis in zip(*points, strict=True)]
    boxes = numbered(picture)
    assert len(places) == len(parts["track"]) and len(boxes) >= len(places) - 2
    for one, other in combinations(boxes.values(), 2):
        assert min(one[2], other[2]) <= max(one[0], other[0]) or min(one[3], other[3]) <= max(one[1], other[1])
    for label, (left, top, right, bottom) in boxes.items():
        middle = [(left + right) / 2, (top + bottom) / 2]
        assert min(places, key=lambda name: dist(middle, places[name])) == label, "a number is in its space"
    for label in range(3, len(places) - 1):
        (x, y), (u, v), (a, b) = (places[str(label + step)] for step in (-1, 1, 0))
        here, before = boxes[str(label)], boxes[str(label - 1)]
        ahead, aside = u - x, v - y
        assert ahead * ((here[1] + here[3]) / 2 - b) - aside * ((here[0] + here[2]) / 2 - a) < 0, label
        assert (ahead * (here[0] - before[0]) + aside * (here[1] - before[1])) / hypot(ahead, aside) > -6, label


@pytest.mark.parametrize("hostile", ["<script>alert()</script>", 'a"b]]>&{{x}}'])
def test_names_of_zones_are_never_markup(hostile: str, tmp_path: Path) -> None:
    game = begun(tmp_path, DRAWN | {"zones": [A | {"name": hostile}, B, D]})
    assert hostile in told(svgs(game)[0])
    assert "<script>alert" not in adj.render(game.seen_by("red").report(), "html")


# What must hold in every race


def played(folder: Path) -> Iterator[adj.Game]:
    """Yield races of random drivers, over one lap and more."""
    for seed in range(8):
        options = {"laps": str(1 + seed % 3), "braking": ("free", "last")[seed % 2]}
        game = begun(folder, (HOUSE, DRAWN)[seed % 3 > 0], seed=seed, options=options)
        for number in range(400):
            if game.is_over:
                break
            (seat,) = game.due_seats
            game = game.apply({seat: adj.choose_order(game, seat, "random", number)}).game
        yield game


def test_each_move_is_what_its_spin_its_brakes_and_its_crash_leave(tmp_path: Path) -> None:
    moves = crashes = 0
    for game in played(tmp_path):
        driven, gears, lost = dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, 0)
        spaces = braked = limit = 0
        is_crash = False
        for event in events(game):
            seat = event.get("seat", "")
            match event["kind"]:
                case "gear-shifted":
                    assert event["came_from"] == gears[seat] and abs(event["gear"] - gears[seat]) == 1 and not lost[seat]
                    gears[seat] = event["gear"]
                case "wheels-spun":
                    a, b, limit = event["a"], event["b"], event["gear"] - 1
                    spaces, braked, is_crash = (min(a, b), max(a, b), a + b)[limit], 0, False
                    assert event["spaces"] == spaces
                case "car-braked":
                    braked = event["forced"] + event["chosen"]
                    assert braked > 0
                case "brakes-checked" | "curve-checked" as kind:
                    most = braked if kind == "brakes-checked" else limit
                    assert not is_crash
                    assert (event["limit"], event["is_crash"]) == (most, event["b"] <= most)
                    is_crash = event["is_crash"]
                case "spent":
                    assert event["before"] == driven[seat] <= event["after"]
                    assert sum(part["amount"] for part in event["why"]) == event["after"] - event["before"]
                    assert event["after"] - event["before"] <= spaces - braked
                    assert is_crash or event["after"] - event["before"] == spaces - braked
                    driven[seat] = event["after"]
                    moves += 1
                case "car-crashed":
                    assert is_crash and event["turns"] == limit
                    lost[seat] = event["turns"]
                    crashes += 1
                case "turn-lost":
                    lost[seat] -= 1
                    assert event["left"] == lost[seat]
                    gears[seat] = gears[seat] if lost[seat] else 0
        racers = json.loads(game.to_bytes())["state"]["racers"]
        assert {racer["seat"]: (racer["driven"], racer["lost"]) for racer in racers} == {
            seat: (driven[seat], lost[seat]) for seat in SEATS
        }
        assert game.is_over and not game.due_seats
    assert moves > 100 and crashes > 10


def test_everybody_sees_the_same_and_all_but_clock_and_turn_is_told(tmp_path: Path) -> None:
    game = next(played(tmp_path))
    seen = [
        json.loads(adj.render(game.seen_by(viewer).position, "json"))["view"]["state"]
        for viewer in ("red", "blue", None, "moderator")
    ]
    assert all(one == seen[0] for one in seen)
    logs = [[(row.order, row.told) for row in game.seen_by(viewer).log()] for viewer in ("red", "blue", None)]
    assert logs[0] == logs[1] == logs[2]
    silent = [event for event in events(game) if event["kind"] in ("spent", "turn-passed")]
    assert sum(len(row.told) for row in game.seen_by("moderator").log()) == len(events(game)) - len(silent)
