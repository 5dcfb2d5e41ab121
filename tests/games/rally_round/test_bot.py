"""Simulated crews: one that plans its speeds as well as they can be planned, one that tries whatever is allowed."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from portion import portion

from adjudicator.audit.decide import audit_game
from adjudicator.audit.recorded_orders import reader
from adjudicator.core.ids import Seat
from adjudicator.games.rally_round import bot
from adjudicator.games.rally_round.bot import advise, plan_of, planned
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.session import open_session
from adjudicator.simulate.plan import Plan
from adjudicator.simulate.play import play_game
from adjudicator.simulate.players import advise_of
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

sys.path.insert(0, str(Path(__file__).parent))

from tables import on


def best(drive):
    """Return the order of the crew that plans."""
    session = drive.session
    return planned(session.config, session.game.state.crew(Seat("red"))).text()


def driven(drive, most=30):
    """Drive the section as planned; return the drive."""
    while not drive.crew().is_done(drive.session.config) and most:
        drive.take(best(drive))
        most -= 1
    return drive


def test_a_road_section_is_driven_to_its_target_time(road):
    drive = driven(road("." * 22))
    assert drive.crew().penalty == 0
    assert drive.crew().lines[0].time == 7 * 60


def test_a_whole_section_is_one_line(road):
    assert best(road("." * 13)).startswith("TC2: 10 20 ")


def test_a_stage_is_driven_as_fast_as_it_goes(road):
    drive = driven(road("." * 13, timing="stage"))
    assert drive.crew().lines[0].speeds == (10, 20, 30, 40, 50)


def test_a_limit_is_kept_where_going_off_would_cost_more(road):
    drive = driven(road("........b....", timing="stage"))
    assert not [words for words in drive.told if "off the road" in words]


def test_passage_controls_and_give_ways_are_landed_on(road):
    drive = driven(road("......g......", controls=("A1", "D1 W", "M1 W road")))
    assert not [part for part in drive.why if part[0] == 1800]


def test_a_regularity_is_driven_to_the_second_that_comes_nearest(road):
    drive = driven(road("." * 13, controls=("A1", "M1 W regularity 25")))
    assert drive.crew().penalty <= 12


def test_nobody_stops_in_a_ford_or_on_a_hazard_without_need(road):
    drive = driven(road("...f....!....", timing="stage"))
    assert not [words for words in drive.told if "flooded" in words or "draws" in words]


def test_a_better_kit_does_better(road, with_card, world):
    plain = driven(road("." * 25, timing="stage"))
    quick = driven(road("." * 25, timing="stage", kit=with_card(world.effect("accelerate", 30, 30, 30))))
    assert quick.crew().penalty < plain.crew().penalty


def test_a_kept_card_is_used_where_it_saves_time(road, world):
    hazards = (world.hazard("H1", world.effect("start", 60, 60, 60)),)
    crew = {"kit": tuple(card.id for card in world.STANDARD), "held": ("H1",), "drawn": 1}
    drive = road("." * 19, timing="stage", hazards=hazards, crew=crew)
    assert best(drive) == "SPEED 60 using H1"


def test_a_hidden_track_is_taken_where_the_card_allows_it(road, with_card, world):
    lanes = ["C1 C2 C3 D3 E3 F3 G3 G2 G1"]
    controls = ("A1", "C3 N", "M1 W stage")
    plain = road("." * 13, lanes=lanes, tracks=["C3 G1"], controls=controls, timing="stage")
    card = with_card(world.effect("hidden-track"))
    assert "via" not in best(plain)
    drive = driven(road("." * 13, lanes=lanes, tracks=["C3 G1"], controls=controls, kit=card))
    assert drive.crew().out is None
    assert drive.crew().penalty < driven(plain).crew().penalty


def test_a_short_cut_is_driven_to_its_end_though_it_begins_off_the_way(road, with_card, world):
    """Each turn is planned anew: a crew between the correct route and the hidden track still knows where it is going."""
    lanes = ["C1 C2 C3 C4 C5 C6 D6 E6 F6 G6 H6 I6 J6 K6 K5 K4 K3 K2 K1", "D1 D2 D3 D4"]
    found = {"lanes": lanes, "tracks": ["D4 H1"], "black_spots": "F1", "timing": "stage"}
    plain = driven(road("." * 13, **found))
    drive = driven(road("." * 13, **found, kit=with_card(world.effect("hidden-track"))))
    squares = [square for line in drive.session.game.journal for event in line.entry.events
               for square in getattr(event, "squares", ())]  # fmt: skip
    assert squares == ["B1", "C1", "D1", "D2", "D3", "D4", "HT1", "H1", "I1", "J1", "K1", "L1", "M1"]
    assert drive.crew().penalty < plain.crew().penalty


def test_a_crew_that_has_left_a_control_behind_drives_on(road, with_card, world):
    card = with_card(world.effect("hidden-track"))
    crew = {
        "kit": tuple(one.id for one in card),
        "trail": ("A1", "B1", "C1", "D1", "E1", "F1"),
        "speeds": (50,),
        "speed": 50,
    }
    controls = ("A1", "D1 W", "M1 W stage")
    drive = road("." * 13, lanes=["C1 C2 D2 E2 E1"], tracks=["C2 H1"], controls=controls, kit=card, crew=crew)
    assert best(drive).startswith(("SPEED", "TC"))


def test_a_black_spot_is_passed_where_the_card_allows_it(road, with_card, world):
    lanes = ["C1 C2 D2 E2 E1"]
    card = with_card(world.effect("black-spot"))
    plain = driven(road("." * 13, lanes=lanes, black_spots="D1", timing="stage"))
    drive = driven(road("." * 13, lanes=lanes, black_spots="D1", timing="stage", kit=card))
    assert drive.crew().out is None
    assert drive.crew().penalty < plain.crew().penalty


def test_the_plan_knows_what_will_come_of_it(road):
    """The least penalty that is found is what the rules then come to, without chance."""
    for main in ("..b..h...q...", "....f..g.r...", "..>....<.....", "...}....{...."):
        for timing in ("road", "stage", "selective"):
            drive = road(main, colours="r" * 9 + "wwww", timing=timing)
            crew, config = drive.crew(), drive.session.config
            car, rights = crew.car(config), crew.rights(config)
            cost, _ = plan_of(config, car, rights, 0).best(car, 0)
            assert driven(drive).crew().penalty == cost


def test_who_has_nothing_to_choose_gets_no_advice(road):
    session = road("." * 13).session
    bystander = session.rules.view(session.config, session.game.state, None)
    assert advise(session.config, bystander, Random(1), plans=True) is None


OPTIONS = [
    {},
    {"illegal-speed": "reject", "sheets": "open"},
    {"mode": "table"},
    {"mode": "table", "kit": "deal", "parts": "2"},
    {"mode": "table", "kind": "stage", "illegal-speed": "reject"},
    {"mode": "table", "solo": "competitive"},
]


PLAYERS = ("random", "greedy", "mixed")
SEATINGS = [(PLAYERS[(number + turn) % 3], options) for number, options in enumerate(OPTIONS) for turn in range(3)]


@pytest.mark.parametrize("seating", portion(SEATINGS, 3), ids=lambda seating: " ".join((seating[0], *seating[1].values())))
def test_games_of_simulated_crews_come_to_an_end_and_are_verified(seating):
    player, options = seating
    plan = Plan(ruleset="rally-round", games=2, players=2, seed=3, player=player, options=options, most_orders=900)
    for number in plan.numbers:
        played = play_game(plan, number)
        assert played.is_finished
        assert audit_game(open_session(load_game(dump_game(played.session.game)))).divergence is None


def test_a_crew_that_is_far_too_late_does_not_put_off_the_end(road):
    """What is not looked at any more is worse than any end that is: else a crew would roll back on a hill for ever."""
    drive = road("....{........", timing="stage")
    config, crew = drive.session.config, drive.crew()
    car = crew.car(config)
    for late in (0, 40, 200):
        cost, speed = plan_of(config, car, crew.rights(config), late).best(car, late)
        assert speed
        assert cost >= 60 * late - car.section.target


MISSED = {"controls": ("A1", "C1 W", "M1 W stage"), "timing": "stage"}
"""A section whose passage control the crew below has left behind."""


def late_crew(late, speed=20):
    """Return a crew that has missed a control, and stands two squares before a steep gradient so many turns too late."""
    trail = ("A1", "B1", "C1", "D1", "E1")
    return {"kit": ("D1", "N1", "E1", "S1", "A1", "B1"), "trail": trail, "speeds": (20,) * late, "speed": speed}


@pytest.mark.parametrize("late", [3, 9, 20, 40, 90])
def test_a_crew_that_has_missed_a_control_does_not_put_off_the_end(road, late):
    """Its fault is due at the end, and would not be if it rolled back on the hill for ever: it is due all the same."""
    drive = driven(road("......{......", **MISSED, crew=late_crew(late)))
    assert drive.crew().is_done(drive.session.config)


@pytest.mark.parametrize("late", [3, 40])
def test_of_speeds_that_cost_the_same_the_one_that_gets_further_is_taken(road, late):
    drive = road("......{......", **MISSED, crew=late_crew(late))
    config, crew = drive.session.config, drive.crew()
    car, rights = crew.car(config), crew.rights(config)
    plan = plan_of(config, car, rights, late)
    step = plan.step(car, plan.best(car, late)[1], rights)
    assert plan.left(step.car) < plan.left(car)


@pytest.mark.parametrize("timing", ["road", "selective", "stage", "regularity 25"])
@pytest.mark.parametrize("main", ["....{........", "..{.{.{......", "...{g....{...", "..}...<.g<...", "....f{!.b{..."])
def test_no_position_comes_again_once_a_crew_is_late(road, main, timing):
    drive = road(main, controls=("A1", "C1 W", f"M1 W {timing}"), crew=late_crew(60, speed=0))
    config, been = drive.session.config, []
    while not drive.crew().is_done(config):
        crew = drive.crew()
        been.append((crew.trail, crew.speed, crew.met, crew.faulted))
        assert len(been) == len(set(been))
        speed = str(planned(config, crew).speed)
        drive.take(f"SPEED {speed}")


def test_a_rally_in_which_a_crew_rolled_back_for_ever_comes_to_an_end():
    options = {"mode": "table", "kind": "stage", "kit": "deal", "parts": "2", "solo": "competitive", "illegal-speed": "miss"}
    plan = Plan(
        ruleset="rally-round", games=1, players=3, seed=3870397342, player="greedy", options=options, most_orders=900
    )
    assert play_game(plan, 1).is_finished


def test_a_route_on_which_one_black_spot_must_lie_before_another_is_completed():
    """Three ways were left: each first Black Spot cut off a later leg, and everybody passed for ever."""
    options = {"mode": "table", "kind": "stage", "kit": "deal", "illegal-speed": "reject"}
    plan = Plan(ruleset="rally-round", games=1, players=2, seed=1201225238, options=options, most_orders=900)
    assert play_game(plan, 1).is_finished


def test_off_a_hill_no_speed_is_tried_that_only_the_hill_allows(road):
    """20 mph is always legal uphill (RR-M2), but not by a lane that leaves before the hill."""
    drive = road(".<...........", lanes=["A1 A2 A3 A4 B4 C4 D4 E4 F4 F3 F2 F1"], options={"illegal-speed": "reject"})
    session, tried = drive.session, []
    seen = session.rules.view(session.config, session.game.state, Seat("red"))
    for number in range(1_000):
        (order,) = advise(session.config, seen, Random(number), plans=False).orders
        tried.append(order)
        assert session.rules.refusal(session.config, session.game.state, Seat("red"), order) is None, order
    assert any(getattr(order, "via", ()) == ("a2",) for order in tried)


def tried(session, seat="red", *, plans=False, times=600):
    """Return the texts of the first orders of many simulated crews in the place of one."""
    view = session.rules.view(session.config, session.game.state, Seat(seat))
    return [next(iter(advise(session.config, view, Random(n), plans=plans).orders)).text() for n in range(times)]


def test_a_crew_that_plans_drives_as_planned_and_another_tries_everything(road, world):
    hazards = (world.hazard("H1", world.effect("waterproof")),)
    crew = {"kit": tuple(card.id for card in world.STANDARD), "held": ("H1",), "drawn": 1, "trail": ("A1", "B1", "C1")}
    drive = road("." * 13, lanes=["C1 C2 C3"], hazards=hazards, crew={**crew, "speed": 20, "speeds": (20,)})
    assert {*tried(drive.session, plans=True, times=20)} == {best(drive)}
    texts = tried(drive.session)
    legal, illegal = {"SPEED 10", "SPEED 20", "SPEED 30"}, {f"SPEED {speed}" for speed in range(40, 121, 10)}
    assert legal | illegal | {"TURN ROUND", "SPEED 20 using H1", "SPEED 20 via C2", "SPEED 20 30 40"} <= {*texts}
    assert all(text.split()[1] in ("10", "20", "30", "ROUND") or text in illegal for text in texts if " using " not in text)
    assert sum(text in legal for text in texts) > 200


def test_a_crew_that_plans_lets_nobody_overtake_when_it_is_asked(at_table, world):
    crews = {"red": on("A1 B1 C1", 50), "blue": on("A1 B1 C1 D1 E1", 20, is_asking=True)}
    drive = at_table(crews=crews, queue=("red",), effects=(world.effect("unovertaken"),)).take("SPEED 50")
    assert {*tried(drive.session, "blue", plans=True, times=3)} == {"BLOCK yes"}


def test_at_a_table_a_crew_that_does_not_plan_blocks_and_lands_on_both_sides(at_table, world):
    crews = {"red": on("A1 B1 C1", 20), "blue": on("A1 B1", 20)}
    drive = at_table(crews=crews, queue=("blue", "red"), effects=(world.effect("unovertaken"),))
    texts = {*tried(drive.session, seat="blue")}
    assert {"SPEED 20", "SPEED 20 ahead", "SPEED 20 behind", "TURN ROUND", "BLOCK never", "BLOCK ask"} <= texts
    assert "BLOCK always" not in texts  # that is its answer already
    drive = at_table(crews=crews, queue=("red", "blue"), effects=(world.effect("unovertaken"),))
    assert not any(text.startswith("BLOCK") for text in tried(drive.session))  # red has no card


@pytest.mark.parametrize("options", [{"mode": "internet"}, {"mode": "table", "kit": "deal", "kind": "stage"}])
def test_what_a_crew_orders_is_what_its_words_say(options, monkeypatch):
    """Else the audit reads another order than the one that was carried out."""
    ordered, advise = [], bot.advise

    def noted(*arguments, **named):
        advice = advise(*arguments, **named)
        orders = [] if advice is None else list(advice.orders)
        ordered.extend(orders)
        return advice and advice._replace(orders=orders)

    monkeypatch.setattr(bot, "advise", noted)
    advise_of.cache_clear()
    for player in ("random", "greedy"):
        play_game(Plan(ruleset="rally-round", games=1, players=3, seed=1, player=player, options=options), 1)
    advise_of.cache_clear()
    read = reader(RULESET)
    assert any(getattr(order, "via", ()) for order in ordered)
    for order in ordered:
        again = read(RULESET.language.text(order))
        assert again is not None
        assert again.expression == order
