"""Rally Round: what `check` foresees, cards of the house set, simulated crews, sums that hold in every rally, pictures."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import adjudicator as adj
from adjudicator.core.values import Seat
from adjudicator.games.rally_round.bot import advise, plan_of, planned
from adjudicator.rulesets import ruleset
from adjudicator.store.game_file import reference, shipped
from tests.drivers.counted import calls
from tests.drivers.rally import (
    PLAIN,
    ROWS,
    begin,
    changed,
    crew_of,
    drawn,
    effect,
    events,
    hazard,
    plain_kit,
    rally,
    require_room,
    require_sums,
    section,
    table_position,
    town,
)  # fmt: skip

Run = Callable[..., Any]
KIT = f"red: KIT {' '.join(PLAIN)}"


# What a crew is told before it sends its sheet ---------------------------------------------------------------------------

STOP, KEPT = hazard("H1", effect("miss", turns=2)), hazard("H1", effect("accelerate", 50))
DRAWS = "1 “10” RR-F8 you would draw a hazard card on B1: the program cannot predict what follows"


@pytest.mark.parametrize(
    ("main", "more", "lines", "foreseen"),
    [
        (".......", {}, "TC2: 10 20 30", []),
        (".....", {}, "TC2: 10 20 50 20", [
            "1 “50” RR-M4 50 mph is illegal for red, who may go 10 to 30 mph here; you would miss the turn -> 30",
            "1 “20” RR-M4 red does not drive 20: it goes on with no legal Starting Speed",
        ]),
        ("......b.", {"colours": "rrrrrrwr"}, "TC2: 10 20 30 0 10", ["1 “30” RR-F11"]),
        ("...f.", {}, "TC2: 10 20 0 0 10", [
            "1 “20” RR-F7 red stops in the ford on D1: the engine is flooded; you would miss 2 turns",
        ]),
        ("..g...", {}, "TC2: 10 20 20", ["1 “20” RR-F5"]),
        ("...f....", {}, "TC2: 10 20 0 0 30", ["1 “20” RR-F7", "1 “30” RR-M4"]),
        (".......", {}, "TC2: 10 20", [
            "1 “20” RR-M1 too few speeds for TC2: they end on D1, 3 squares before it, and the program will ask you again",
        ]),
        ("......", {}, "TC2: 10 20 20 10", ["1 “10” RR-H6 red does not drive 10: the section is over"]),
        (".......", {}, "TC2: 10 20\n SPEED 30", []),
        ("." * 11, {"controls": "A1 G1:W:road K1:W:road"}, "TC2: 10 20 30\n TC2: 10", [
            "2 “TC2:” RR-H2 the next time control is TC3, not number 2",
        ]),
        ("." * 11, {"controls": "A1 D1:W G1:W K1:W:road"}, "PC2: 10 20\n PC3: 10 20\n TC4: 10 20 10", []),
        ("." * 11, {"controls": "A1 D1:W G1:W K1:W:road"}, "PC2: 10 20\n PC3: 10", [
            "2 “10” RR-M1 too few speeds for PC3: they end on E1, 2 squares before it, and the program will ask you again",
        ]),
        (".!.....", {"hazards": [STOP]}, "TC2: 10 60 60 60", [DRAWS]),
        (".!.....", {"hazards": [KEPT]}, "TC2: 10 60 60 60", [DRAWS]),
    ],
)  # fmt: skip
def test_a_crew_is_told_what_would_come_of_its_sheet_but_nothing_of_its_pack(
    run: Run, tmp_path: Path, main: str, more: dict[str, Any], lines: str, foreseen: list[str]
) -> None:
    section(tmp_path, main, **more).save("g.json")
    Path("mail.txt").write_text(f"red: {lines}\n")
    found = json.loads(run("check", "g.json", "mail.txt", "--as", "red", "--json", code=None).stdout)
    told = [
        f"{one['line']} “{one['text'][one['column'] - 1 :][: one['width']]}” {one['rule']} {one['message']}"
        + "".join(f" -> {instead}" for instead in one["suggestions"])
        for one in found.get("foreseen", ())
    ]
    assert len(told) == len(foreseen), told
    assert [one for one, words in zip(told, foreseen, strict=True) if not one.startswith(words)] == []


@pytest.mark.parametrize(
    ("line", "cost"),
    [("SPEED 10", 0), ("TC2: 10 10 10 10", None), ("TC2: 10 0 0 10", None), ("SPEED 20", 0)],
)
def test_rr_f8_no_plan_of_a_crew_shows_what_lies_in_its_pack(tmp_path: Path, line: str, cost: int | None) -> None:
    game = section(tmp_path, ".!.....", hazards=[STOP])
    red = game.seen_by("red")
    played = red.what_if({"red": f"red: {line}"})
    assert "H1" not in str(played.rows)
    assert played.ends == ("your-turn" if line == "SPEED 20" else "chance")
    assert [one.min for one in red.costs({"red": f"red: {line}"})] == [cost]
    assert ("hazard-drawn" in [one["kind"] for one in events(game.apply(f"red: {line}").game)]) == (line != "SPEED 20")


def test_rr_k1_the_question_counts_the_cards_that_a_crew_has_chosen() -> None:
    game = adj.new("rally-round", ["red"])
    assert "six kinds: KIT D1" in game.due[0].ask
    assert "six kinds (2 cards chosen): KIT D1" in game.apply("red: KIT D1 N1").game.due[0].ask


@pytest.mark.parametrize(
    ("line", "option", "warned"),
    [
        ("PLACE PC at C1 from W", "lose", "a wrong marker, which would lose the turn: C1 is 2 squares from TC1: 3 at least"),
        ("PLACE PC at D1 from W", "lose", ""),
        ("PASS", "lose", ""),
        ("PLACE PC at C1 from W", "reject", ""),
    ],
)
def test_rr_l3_a_wrong_marker_is_told_to_who_places_it(
    run: Run, tmp_path: Path, line: str, option: str, warned: str
) -> None:
    game = begin(tmp_path, ROWS, "red blue", mode="table", wrong_marker=option, recorded=["red", "blue"])
    game = game.apply("red: START at A1\nblue: FINISH at Z1").game
    game.save("g.json")
    Path("mail.txt").write_text(f"red: {line}\n")
    found = json.loads(run("check", "g.json", "mail.txt", "--as", "red", "--json", code=None).stdout)
    assert [one["message"] for one in found.get("foreseen", ())] == [warned][: bool(warned)]
    if warned:
        (why,) = next(row for row in game.seen_by("red").legal if row.order == line).why
        assert (why.amount, why.what, why.rule) == (0, warned.replace("would lose", "loses"), "RR-L3")


@pytest.mark.parametrize(
    ("main", "order"),
    [
        (".........", "SPEED 10 20 30"),
        ("..g..f......", "SPEED 10 20 10 10"),
        (".!......", "SPEED 10 40 10"),
        ("..!.....", "SPEED 10 10 20"),
    ],
)
def test_rr_m4_where_illegal_speeds_are_refused_a_line_is_driven_as_otherwise(tmp_path: Path, main: str, order: str) -> None:
    hazards = [hazard("H1", effect("stop"))]
    each = [section(tmp_path, main, hazards=hazards, options={"illegal_speed": how}) for how in ("reject", "miss")]
    refusing, missing = (events(game.apply(f"red: {order}").game) for game in each)
    assert len(refusing) > 2
    assert refusing == missing[: len(refusing)]


def test_rr_m4_legal_speeds_and_those_that_miss_a_turn_are_a_line_each(run: Run, tmp_path: Path) -> None:
    game = section(tmp_path, "." * 40)
    for orders, legal, missed in (
        ("", "SPEED 10 ", "SPEED 20 | 30 | … | 200"),
        ("red: SPEED 10\nSPEED 20", "SPEED 10 | 20 | 30 ", "SPEED 40 | 50 | … | 200"),
    ):
        game = game.apply(orders).game if orders else game
        game.save("g.json", force=True)
        text = run("legal", "g.json", code=0).stdout
        assert legal in text and missed in text
        assert f"a missed turn: {'only 10 mph is' if not orders else '10 to 30 mph are'} legal here" in text


def test_rr_k1_the_cards_that_a_crew_can_pick_and_has_are_explained_to_it_and_no_way_is_named_as_on_the_map(
    tmp_path: Path,
) -> None:
    game = begin(tmp_path, ROWS, "red blue", mode="table", recorded=["red", "blue"])
    game = game.apply("red: START at A1\nblue: FINISH at Z1").game
    assert game.seen_by("red").choices == ()
    game = game.apply("red: PLACE TC2 at Z1 from W\nblue: PICK D1").game
    red_, blue = ([name for name, _ in game.seen_by(seat).choices] for seat in ("red", "blue"))
    assert ("D1" in red_, "D2" in red_, "D1" in blue, "D2" in blue) == (False, True, True, False)
    crew = {"trail": ["D1", "D2"], "speed": 10, "speeds": [10]}
    game = section(tmp_path, "." * 13, lanes=["D1 D2 D3"], crew=crew)
    for way, words in (("main road", "Main Road"), ("b1", "B1")):
        (problem,) = game.apply(f"red: SPEED 10 via {way}").problems
        assert problem.message == f"no way leads from D2 to {words} without turning round"


# The house set -----------------------------------------------------------------------------------------------------------

PUBLISHED = {
    1: "c924052017d0d0356eea2e41cda6215b156b1a53e4d6adc7b4db996cf16b4039",
    2: "7715f0ac83f71489ec386a31260e1bd44e93778ed921daa5be8e45623a13a8ac",
    3: "1710ac5fa463e49df354f45311fc637e7b3d18e1b0320fc0e7de800b9a18333c",
}
"""The hash of each version in the files of games."""


@pytest.mark.parametrize("version", PUBLISHED)
def test_each_version_of_the_house_set_is_what_it_was_and_only_kit_cards_differ(version: int) -> None:
    now = shipped(ruleset("rally-round"), "house", max(PUBLISHED))[0]
    old = shipped(ruleset("rally-round"), "house", version)[0]
    found = reference(old)
    assert (found.id, found.version, found.hash) == ("house", version, PUBLISHED[version])
    for part in ("squares", "roads", "tracks", "hazards", "rallies"):
        assert getattr(old, part) == getattr(now, part)
    assert (old.kit == now.kit) == (version == max(PUBLISHED))
    assert adj.new("rally-round", ["red"]).components.hash == PUBLISHED[now.version]


def house_set(run: Run) -> dict[str, Any]:
    run("games", "rally-round", "-o", "house.json", code=0)
    found: dict[str, Any] = json.loads(Path("house.json").read_text("utf-8"))
    return found


def test_the_house_set_has_even_shares_and_something_to_choose(run: Run) -> None:
    house = house_set(run)
    colours = Counter(square["colour"] for square in house["squares"])
    assert (len(house["squares"]), len(house["tracks"]), len(house["hazards"])) == (299, 7, 32)
    assert all(65 <= many <= 85 for many in colours.values())
    assert {*Counter(card["kind"] for card in house["kit"]).values()} == {6}
    assert len({square.get("feature") for square in house["squares"]}) == 11
    effects = {one["does"] for card in (*house["kit"], *house["hazards"]) for one in card["effects"]}
    assert len(effects) == 15
    worth = {card["id"]: gains(card) for card in house["kit"]}
    pairs = [(a, b) for a in house["kit"] for b in house["kit"] if a["kind"] == b["kind"] and a is not b]
    assert len(pairs) == 180
    worse = [
        (a["id"], b["id"]) for a, b in pairs if all(worth[b["id"]].get(it, 0) >= mph for it, mph in worth[a["id"]].items())
    ]
    assert worse == []


def gains(card: dict[str, Any]) -> dict[tuple[str, str], int]:
    """Return what a card gives, by effect and colour."""
    found = {(one["does"], colour): one[colour] for one in card["effects"] for colour in ("red", "yellow", "white")}
    return {it: mph for it, mph in found.items() if mph} | {
        (one["does"], ""): 1 for one in card["effects"] if not (one["red"] or one["yellow"] or one["white"])
    }


def test_each_card_of_the_house_set_is_told_in_words(run: Run) -> None:
    text = run("games", "rally-round", code=0).stdout
    for card, words in (
        ("D2", "take bends faster by 20 mph on yellow, 20 mph on white; take bridges faster by 10 mph"),
        ("D6", "drive through Quiet Zones faster by 20 mph; take bends faster by 20 mph on red, 10 mph on yellow"),
        ("E5", "stop in fords without flooding the engine; drive through Quiet Zones faster by 20 mph; take bends"),
        ("H3", "miss 2 turns"),
        ("H2", "speed up by up to 30 mph"),
    ):
        assert re.search(rf"^ +{card} .*{re.escape(words)}", text, re.MULTILINE), card


# Simulated crews ---------------------------------------------------------------------------------------------------------


def red(game: adj.Game) -> Any:
    return game.record.state.of(Seat("red"))


def best(game: adj.Game) -> str:
    """Return the order of the crew that plans."""
    return planned(game.rules.config, red(game)).text()


def driven(game: adj.Game, most: int = 30) -> adj.Game:
    """Drive on as planned."""
    while game.due and most:
        result = game.apply(f"red: {best(game)}")
        assert not result.problems
        game, most = result.game, most - 1
    return game


LANE = {"lanes": ["C1 C2 C3 D3 E3 F3 G3 G2 G1"], "tracks": ["C3 G1"], "controls": "A1 C3:N M1:W:stage"}
ROUNDABOUT = {
    "lanes": ["C1 C2 C3 C4 C5 C6 D6 E6 F6 G6 H6 I6 J6 K6 K5 K4 K3 K2 K1", "D1 D2 D3 D4"],
    "tracks": ["D4 H1"],
    "black_spots": "F1",
    "timing": "stage",
}
SPOT = {"lanes": ["C1 C2 D2 E2 E1"], "black_spots": "D1", "timing": "stage"}


@pytest.mark.parametrize(
    ("main", "more", "penalty", "never"),
    [
        ("." * 22, {}, 0, ""),
        ("." * 13, {"timing": "stage"}, 180, "speed-refused"),
        ("........b....", {"timing": "stage"}, 300, "left-road"),
        ("......g......", {"controls": "A1 D1:W M1:W:road"}, 300, "faulted"),
        ("." * 13, {"controls": "A1 M1:W:regularity:25"}, 12, ""),
        ("...f....!....", {"timing": "stage"}, 300, "flooded hazard-drawn"),
        ("." * 25, {"timing": "stage", "kit": plain_kit(effect("accelerate", 30))}, 120, ""),
        ("." * 13, {**LANE, "kit": plain_kit(effect("hidden-track"))}, 300, "disqualified"),
        ("." * 13, {**ROUNDABOUT, "kit": plain_kit(effect("hidden-track"))}, 300, "disqualified"),
        ("." * 13, {**SPOT, "kit": plain_kit(effect("black-spot"))}, 180, "disqualified"),
    ],
)
def test_a_crew_that_plans_keeps_limits_and_uses_its_cards(
    tmp_path: Path, main: str, more: dict[str, Any], penalty: int, never: str
) -> None:
    game = driven(section(tmp_path, main, **more))
    assert not game.due
    assert crew_of(game)["penalty"] <= penalty
    assert not {event["kind"] for event in events(game)} & {*never.split()}
    plain = driven(section(tmp_path, main, **{**more, "kit": ()}))
    if "kit" in more:
        assert crew_of(plain)["penalty"] > crew_of(game)["penalty"]
        assert crew_of(plain).get("out") is None


def test_a_whole_section_is_one_line_and_a_kept_card_is_used_where_it_saves_time(tmp_path: Path) -> None:
    assert best(section(tmp_path, "." * 13)).startswith("TC2: 10 20 ")
    hazards = [hazard("H1", effect("start", 60))]
    game = section(tmp_path, "." * 19, timing="stage", hazards=hazards, crew={"held": ["H1"], "drawn": 1})
    assert best(game) == "SPEED 60 using H1"


LATE = {"controls": "A1 C1:W M1:W:stage", "timing": "stage"}


def late_crew(late: int, speed: int = 20) -> dict[str, Any]:
    """Return a crew that has missed a control, and is so many turns too late."""
    return {"trail": ["A1", "B1", "C1", "D1", "E1"], "speeds": [20] * late, "speed": speed}


@pytest.mark.parametrize("timing", ["road", "stage", "selective"])
@pytest.mark.parametrize("main", ["..b..h...q...", "....f..g.r...", "..>....<.....", "...}....{...."])
def test_the_plan_knows_what_will_come_of_it(tmp_path: Path, main: str, timing: str) -> None:
    game = section(tmp_path, main, colours="r" * 9 + "wwww", timing=timing)
    crew, config = red(game), game.rules.config
    car = crew.car(config)
    for late in (0, 40, 200):
        cost, speed = plan_of(config, car, config.rights(crew.kit), late).best(car, late)
        assert speed and cost >= 60 * late - car.section.target
        if not late:
            assert crew_of(driven(game))["penalty"] == cost


@pytest.mark.parametrize("late", [3, 9, 40, 90])
def test_a_crew_that_has_missed_a_control_does_not_put_off_the_end(tmp_path: Path, late: int) -> None:
    game = section(tmp_path, "......{......", **LATE, crew=late_crew(late))
    crew, config = red(game), game.rules.config
    car, rights = crew.car(config), config.rights(crew.kit)
    plan = plan_of(config, car, rights, late)
    assert late in (9, 90) or plan.left(plan.step(car, plan.best(car, late)[1], rights).car) < plan.left(car)
    assert not driven(game).due


@pytest.mark.parametrize("timing", ["road", "selective", "stage", "regularity:25"])
@pytest.mark.parametrize("main", ["..{.{.{......", "...{g....{...", "..}...<.g<...", "....f{!.b{..."])
def test_no_position_comes_again_once_a_crew_is_late(tmp_path: Path, main: str, timing: str) -> None:
    game = section(tmp_path, main, controls=f"A1 C1:W M1:W:{timing}", crew=late_crew(60, speed=0))
    been = []
    while game.due:
        crew = red(game)
        been.append((crew.trail, crew.speed, crew.met, crew.faulted))
        assert len(been) == len({*been})
        game = game.apply(f"red: SPEED {planned(game.rules.config, crew).speed}").game


def tried(game: adj.Game, seat: str = "red", *, plans: bool = False, times: int = 600) -> list[str]:
    """Return the texts of the first orders of many simulated crews in the place of one."""
    session = game
    view = session.rules.view(session.record.state, Seat(seat))
    return [next(iter(advise(view, Random(n), plans=plans).orders)).text() for n in range(times)]


def test_a_crew_that_does_not_plan_tries_everything(tmp_path: Path) -> None:
    crew = {"held": ["H1"], "drawn": 1, "trail": ["A1", "B1", "C1"], "speed": 20, "speeds": [20]}
    hazards = [hazard("H1", effect("waterproof"))]
    game = section(tmp_path, "." * 13, lanes=["C1 C2 C3"], hazards=hazards, crew=crew)
    assert {*tried(game, plans=True, times=20)} == {best(game)}
    texts = tried(game)
    legal, illegal = {"SPEED 10", "SPEED 20", "SPEED 30"}, {f"SPEED {speed}" for speed in range(40, 121, 10)}
    assert legal | illegal | {"TURN ROUND", "SPEED 20 using H1", "SPEED 20 via C2", "SPEED 20 30 40"} <= {*texts}
    assert sum(text in legal for text in texts) > 200
    hill = section(
        tmp_path, ".<...........", lanes=["A1 A2 A3 A4 B4 C4 D4 E4 F4 F3 F2 F1"], options={"illegal_speed": "reject"}
    )
    texts = tried(hill)
    assert "SPEED 10 via A2" in texts
    assert [text for text in {*texts} if hill.apply(f"red: {text}").problems] == []
    assert advise(game.rules.view(game.record.state, None), Random(1), plans=True) is None


def test_at_a_table_crews_block_and_land_on_both_sides(tmp_path: Path) -> None:
    position = changed(table_position(queue=["blue", "red"]), "blue.trail=A1,B1")
    game = begin(tmp_path, ROWS, "red blue", position=position, mode="table")
    texts = {*tried(game, "blue")}
    assert {"SPEED 20", "SPEED 20 ahead", "SPEED 20 behind", "TURN ROUND", "BLOCK never"} <= texts
    assert "BLOCK always" not in texts  # that is its answer already
    position = changed(table_position(queue=["red"]), "red.speed=50 red.speeds=50 blue.is_asking=true")
    game = begin(tmp_path, ROWS, "red blue", position=position, mode="table")
    assert not [text for text in tried(game, times=100) if text.startswith("BLOCK")]  # red has no card
    assert {*tried(game.apply("red: SPEED 50").game, "blue", plans=True, times=3)} == {"BLOCK yes"}


# Whole rallies -----------------------------------------------------------------------------------------------------------

VARIANTS = (
    ("mixed", 3, 1, {"sheets": "open", "illegal-speed": "reject"}),
    ("mixed", 3, 3, {"mode": "table", "kit": "deal", "parts": "2", "illegal-speed": "reject"}),
    ("random", 2, 3, {"mode": "table"}),
    # A crew rolled back for ever; one Black Spot must lie before another.
    ("greedy", 3, 3870397342, {"mode": "table", "kind": "stage", "kit": "deal", "parts": "2", "solo": "competitive"}),
    ("random", 2, 1201225238, {"mode": "table", "kind": "stage", "kit": "deal", "illegal-speed": "reject"}),
)


@pytest.mark.parametrize(("player", "players", "seed", "options"), VARIANTS)
def test_rallies_of_simulated_crews_end_are_verified_and_add_up(
    player: str, players: int, seed: int, options: dict[str, str]
) -> None:
    (game,) = adj.simulate_games("rally-round", players=players, player=player, seed=seed, options=options, most_orders=900)
    assert game.is_over
    again = adj.open(game.to_bytes())
    assert again.audit().divergence is None
    require_sums(again)
    require_room(again)


@pytest.mark.parametrize("seed", range(8))
def test_rr_l4_any_route_of_legal_markers_can_be_completed(tmp_path: Path, seed: int) -> None:
    """The finish stays in reach, and Black Spots leave fewer ways until one is left, or none of them is legal."""
    luck, made = Random(seed), town(5)[0]
    for square in made["squares"]:
        square["feature"] = "chequered" if square["id"] in ("A1", "E5", "C1") else None
    game = begin(tmp_path, made, mode="table", wrong_marker="reject", seed=seed)
    turns = 0
    while game.due[0].kind != "kit" and turns < 60:
        orders = [row.order for row in game.seen_by("red").legal if row.order != "PASS"]
        ends = re.search(r"(PLACE TC at .*?) ends the route", game.due[0].ask)
        is_end = ends and turns > luck.choice((2, 4, 8))
        game, turns = game.apply(f"red: {ends[1] if is_end and ends else luck.choice(orders)}").game, turns + 1
    assert 2 < turns < 60


def test_rr_l4_of_ways_that_no_black_spot_can_tell_apart_the_first_is_the_route(tmp_path: Path) -> None:
    """The second leg needs both squares of one of the ways, so a Black Spot on any of them leaves no way to the finish."""
    lanes = ["H1 H3 K3 K1", "O1 O5 I5 I1", "J1 J4 J5 J6 Z6 Z5 Z4 Z1"]
    kit = [{**one, "id": f"{one['id'][0]}{number}"} for one in plain_kit() for number in (1, 2)]
    made = drawn("#" + "." * 24 + "#", lanes=lanes, kit=kit)
    game = begin(tmp_path, made, "red blue", mode="table", wrong_marker="reject", recorded=["red", "blue"])
    game = game.apply("red: START at A1\nblue: FINISH at Z1\nred: PLACE TC2 at N1 from W").game
    assert "there are 2 ways of 13 squares" in game.due[0].ask
    game = game.apply("blue: PLACE TC3 at Z1 from S").game
    assert game.due[0].kind == "kit"
    text = adj.render(game.seen_by().position)
    assert re.search(r"TC2 +N1 +W +13", text) and re.search(r"TC3 +Z1 +S +12", text)


def test_players_know_the_rally_of_an_explicit_position_and_not_where_others_stand(tmp_path: Path) -> None:
    seats = [{"seat": "red", "kit": PLAIN, "trail": ["A1", "B1", "C1"]}, {"seat": "blue", "kit": PLAIN}]
    game = begin(tmp_path, ROWS, "red blue", position={"rally": rally("A1 M1:W:road"), "seats": seats})
    red_, blue = (json.dumps(json.loads(game.seen_by(seat).own_file())) for seat in ("red", "blue"))
    assert ('A1", "B1' in red_, 'A1", "B1' in blue.partition("components")[0]) == (True, False)
    assert "M1" in blue


# Pictures ----------------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def shown(run: Run) -> Callable[..., ElementTree.Element]:
    """Return the picture of a game."""

    def call(game: adj.Game, *options: str) -> ElementTree.Element:
        game.save("g.json", force=True)
        return ElementTree.fromstring(run("show", "g.json", "--svg", "-", *options, code=0).stdout)

    return call


def test_a_picture_has_every_square_sign_name_and_car_in_readable_letters_of_its_own(shown: Run, tmp_path: Path) -> None:
    hostile = '<script>a"b&c'
    made = drawn("..b>!qf" + "." * 7, tracks=["B1 K1"], controls="A1 H1:W M1:W:road")
    made["squares"][3]["place"] = hostile
    made["name"] = hostile
    game = begin(tmp_path, made, "red blue").apply(f"{KIT}\n SPEED 10\n{KIT.replace('red', 'blue')}\n SPEED 10").game
    root = shown(game, "--as", "red")
    letters = [text.text for text in root.iter(f"{SVG}text")]
    assert {"A1", "N1", "TC1", "PC2", "TC3", "40", "→", "!", "~", "Give Way"} - {*letters} == set()
    assert any(hostile[:8] in text for text in letters if text)
    assert {child.tag.removeprefix(SVG) for child in root.iter()} <= {"svg", "title", "desc", "g", "rect", "text", "path"}
    assert min(float(text.get("font-size", 99)) for text in root.iter(f"{SVG}text")) >= 9
    assert letters.count("▲") == 1 or "red" in letters  # blue is sealed


def test_kinds_of_road_are_told_apart_without_their_colours(shown: Run, tmp_path: Path) -> None:
    """By how light their squares are, and by the lines around them."""
    light, looks = [], set()
    for colour in "royw":
        paths = shown(begin(tmp_path, drawn("." * 13, colours=colour * 13))).iter(f"{SVG}path")
        squares = [one for one in paths if one.get("stroke") == "#3a3a3a" and one.get("fill") not in (None, "none")]
        kinds = Counter((one.get("fill"), one.get("stroke-dasharray")) for one in squares)
        (fill, dashes), many = kinds.most_common(1)[0]
        assert fill and many == 14  # all squares, and the legend
        light.append(sum(part * int(fill[at : at + 2], 16) for part, at in ((0.299, 1), (0.587, 3), (0.114, 5))))
        looks.add((round(light[-1] / 20), dashes))
    assert light == sorted(light)
    assert len(looks) == 4


def test_a_map_that_is_too_wide_for_a_mail_says_so(tmp_path: Path) -> None:
    made = drawn("." * 13)
    made["squares"].append({"id": "X", "x": 99, "y": 1, "colour": "red"})
    made["roads"].append({"name": "Far", "squares": ["M1", "X"]})
    assert "too wide for text, 99 columns: see the picture" in adj.render(begin(tmp_path, made).seen_by().position)


# Hundreds of entrants ----------------------------------------------------------------------------------------------------

WHOLE = "KIT D1 N1 E1 S1 A1 B1\n TC2: 10 20 30 30 30"
BEGUN = "KIT D1 N1 E1 S1 A1 B1\n SPEED 10"


def sheets(game: adj.Game, lines: str) -> str:
    return "".join(f"{seat}:\n {lines}\n" for seat in game.seats)


def over(game: adj.Game) -> adj.Game:
    return game.apply(sheets(game, WHOLE)).game


def begun(game: adj.Game) -> adj.Game:
    return game.apply(sheets(game, BEGUN)).game


PARTS: dict[str, tuple[Callable[[adj.Game], adj.Game], Callable[[adj.Game], Any]]] = {
    "all finish": (lambda game: game, lambda game: [result := game.apply(sheets(game, WHOLE)), result.receipts, result.log]),
    "all are mistaken": (lambda game: game, lambda game: game.apply(sheets(game, "KIT D1 D2 D3")).problems),
    "single sheets": (begun, lambda game: game.apply("crew0: SPEED 10").game.apply("crew1: SPEED 10")),
    "the file": (over, lambda game: adj.open(game.to_bytes())),
    "the audit": (over, lambda game: game.audit()),
    "what a crew sees": (over, lambda game: adj.render(game.seen_by("crew0").position, "json")),
    "what a crew sees before the end": (begun, lambda game: adj.render(game.seen_by("crew0").position, "json")),
    "what the moderator reads": (over, lambda game: game.seen_by("moderator").log()),
}


@pytest.mark.parametrize("part", PARTS)
def test_each_crew_takes_the_same_time_however_many_there_are(tmp_path: Path, part: str) -> None:
    prepare, run_it = PARTS[part]
    many = [prepare(begin(tmp_path, drawn("." * 13), " ".join(f"crew{n}" for n in range(size)))) for size in (40, 40, 160)]
    run_it(many[0])  # what the process builds once is built by now, and nothing of the other two
    assert calls(lambda: run_it(many[2])) < 1.2 * 4 * calls(lambda: run_it(many[1]))
