"""The named values that conditions may use, and that everybody sees the same."""

import pytest

from adjudicator.core.conditions import Compare, Comparison, CostOf, FactOf, Number, Word, evaluate
from adjudicator.core.order import FirstOf, When
from adjudicator.core.step import evaluation_context
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift
from adjudicator.games.checkered_flag.rules import RULESET


@pytest.fixture(scope="module")
def race(scene):
    """Red on 4 of lap 2 in third gear with 6 and 5 spun; blue has crashed on 17 of lap 1."""
    return scene(red={"position": 4, "lap": 2, "gear": 3}, blue={"position": 17, "lost": 1}, spun=(6, 5), laps=2)


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [
        ("gear", "", 3),
        ("gear", "blue", 2),
        ("gear", "BLUE", 2),
        ("gear", "green", None),
        ("position", "", 4),
        ("position", "blue", 17),
        ("lap", "", 2),
        ("lap", "blue", 1),
        ("driven", "", 34),
        ("driven", "blue", 17),
        ("left", "", 26),
        ("left", "blue", 43),
        ("gap", "", 17),
        ("ahead", "", 17),
        ("ahead", "blue", 0),
        ("danger", "", 2),
        ("danger", "blue", 7),
        ("narrow", "", 17),
        ("narrow", "blue", 4),
        ("ground", "", "straight"),
        ("ground", "16", "danger"),
        ("ground", "31", None),
        ("ground", "0", None),
        ("ground", "x", None),
        ("width", "", "wide"),
        ("width", "25", "narrow"),
        ("lost", "", 0),
        ("lost", "blue", 1),
        ("spin", "", 11),
        ("braking", "", 10),
    ],
)
def test_a_fact(race, name, argument, value):
    assert race.fact("red", name, argument) == value


def test_every_fact_is_explained(race):
    assert set(RULESET.fact_values(race.config, race.view("red"))) == set(RULESET.fact_names)


def test_before_the_spin_there_is_none_to_know(scene):
    race = scene(red={"position": 4, "gear": 2})
    assert race.fact("red", "spin") is race.fact("red", "braking") is None


def test_behind_the_last_zone_no_danger_comes(scene):
    race = scene(red={"position": 27, "gear": 2})
    assert race.fact("red", "danger") is race.fact("red", "narrow") is None


def test_at_the_line_a_car_stands_on_no_ground(scene):
    assert scene().fact("red", "ground") is None


def test_a_bystander_has_no_own_car(race):
    assert race.fact(None, "gear") is None
    assert race.fact(None, "ground") is None
    assert race.fact(None, "gear", "red") == 3


def test_beyond_the_finish_there_is_no_position(scene):
    race = scene(red={"position": 30, "gear": 1})
    race.do("red", Shift(1), 1, 1)
    assert race.fact("red", "position") is None
    assert race.fact("red", "lap") == 1
    assert race.fact("red", "left") == 0
    assert race.fact("blue", "gap") == 31


def when(name, how, value, then, otherwise=None, argument=""):
    left = FactOf(name, argument, "of" if argument else "")
    right = Number(value) if isinstance(value, int) else Word(value)
    return When(Compare(left, how, right), then, otherwise)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (when("danger", Comparison.AT_MOST, 3, Shift(1), Shift(3, Go())), "GEAR 1"),
        (when("gear", Comparison.EQUAL, 2, Shift(2, Go()), Shift(1)), "GEAR 2 go"),
        (
            when("position", Comparison.MORE, 4, Shift(1), Shift(2, Brake()), argument="blue"),
            "GEAR 2 brake before danger",
        ),
        (FirstOf((Shift(0), Shift(1))), "GEAR 1"),
        (when("ground", Comparison.EQUAL, "straight", Shift(1)), "GEAR 1"),
    ],
)
def test_conditions_choose_an_order(scene, expression, words):
    race = scene(red={"position": 3, "gear": 2}, blue={"gear": 1})
    outcome = race.send("red", expression, draws=("1", "1"))
    assert not outcome.diagnostics
    assert outcome.accepted[0].entry.order == words


def test_an_answer_may_depend_on_the_spin(scene):
    race = scene(red={"position": 4, "gear": 3}, blue={"gear": 1}, spun=(6, 5))
    answer = when("braking", Comparison.AT_MOST, 3, Brake(), Go())
    outcome = race.send("red", answer, draws=("6", "6", "6"))
    assert outcome.accepted[0].entry.order == "GO"


def test_what_an_answer_is_worth_may_be_asked(scene):
    race = scene(red={"position": 4, "gear": 3}, blue={"gear": 1}, spun=(6, 5))
    answer = When(Compare(CostOf(Brake(3)), Comparison.EQUAL, Number(8)), Brake(3), Go())
    assert race.send("red", answer, draws=("6", "6")).accepted[0].entry.order == "BRAKE 3"


def test_everybody_sees_the_same(race):
    from dataclasses import replace

    seen = [replace(race.view(viewer), viewer=None) for viewer in ("red", "blue", None, "moderator")]
    assert all(one == seen[0] for one in seen)
    for entry in race.game.journal:
        for event in entry.entry.events:
            assert all(RULESET.redact(race.config, event, viewer) is event for viewer in ("red", "blue", None))
    for order in (Go(), Shift(2), Brake(3)):
        assert RULESET.public_text(race.config, race.state, "red", order) is None


@pytest.mark.parametrize(
    ("fact", "place", "word", "holds"),
    [
        ("ground", "16", "danger", True),
        ("ground", "1", "danger", False),
        ("width", "25", "narrow", True),
        ("width", "1", "narrow", False),
        ("ground", "1", "straight", True),
    ],
)
def test_what_a_position_is_like_can_be_asked_by_its_name(race, fact, place, word, holds):
    """Danger and narrow are facts as well, distances: beside a name they are names."""
    context = evaluation_context(RULESET, race.config, race.state, "red")
    assert evaluate(Compare(FactOf(fact, place, "at"), Comparison.EQUAL, Word(word)), context).holds is holds
