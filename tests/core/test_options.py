"""Options of a game: filled in, checked, all that is wrong told at once."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.options import fill_options, options_in_any_case, options_in_play
from adjudicator.core.problem import SetupError
from adjudicator.core.ruleset import Option

SEATS = (Seat("red"), Seat("blue"))


def test_what_is_not_given_has_its_default_for_every_seat(toy: ModuleType) -> None:
    assert fill_options(toy.META, SEATS, {}) == {
        "mode": "turns",
        "goal": "1000",
        "luck.red": "none",
        "luck.blue": "none",
    }


def test_what_is_given_is_taken(toy: ModuleType) -> None:
    options = fill_options(toy.META, SEATS, {"mode": "together", "luck.blue": "much", "goal": "anything at all"})
    assert (options["mode"], options["luck.blue"], options["luck.red"]) == ("together", "much", "none")
    assert options["goal"] == "anything at all"


def test_every_wrong_name_and_value_is_told_with_what_was_meant(toy: ModuleType) -> None:
    given = {"mod": "turns", "mode": "togehter", "luck": "much", "luck.green": "much", "luck.red": "some"}
    with pytest.raises(SetupError) as caught:
        fill_options(toy.META, SEATS, given)
    problems = caught.value.problems
    assert [problem.code for problem in problems] == ["core/unknown-option"] * 3 + ["core/bad-choice"] * 2
    assert problems[0].message == "there is no option “mod”; this game has: mode, goal, luck.red, luck.blue"
    assert problems[0].suggestions[0] == "mode"
    assert problems[3].message == "option mode cannot be “togehter”; it may be: turns, together"
    assert problems[3].suggestions == ("together",)


def test_a_game_without_options_has_none(toy: ModuleType) -> None:
    assert fill_options(replace(toy.META, options=()), SEATS, {}) == {}


def test_an_option_that_came_later_is_not_of_an_earlier_version(toy: ModuleType) -> None:
    later = Option("speed", ("slow", "fast"), "fast", "", since=3, before="slow")
    meta = replace(toy.META, version=4, options=(later,))
    assert fill_options(meta, SEATS, {}) == {"speed": "fast"}
    assert fill_options(meta, SEATS, {}, 3) == {"speed": "fast"}
    assert fill_options(meta, SEATS, {}, 2) == {}
    with pytest.raises(SetupError):
        fill_options(meta, SEATS, {"speed": "slow"}, 2)
    assert options_in_play(meta, SEATS, {}, 2) == {"speed": "slow"}
    assert options_in_play(meta, SEATS, {"speed": "fast"}, 3) == {"speed": "fast"}
    assert options_in_play(meta, SEATS, {}, 3) == {}


@pytest.mark.parametrize(
    ("oldest", "version", "can"), [(0, 3, True), (0, 2, False), (2, 2, True), (2, 1, False), (1, 4, False)]
)
def test_which_versions_rules_can_decide(toy: ModuleType, oldest: int, version: int, can: bool) -> None:
    assert replace(toy.META, version=3, oldest=oldest).can_decide(version) is can


def test_options_may_be_typed_in_any_case(toy: ModuleType) -> None:
    given = {"MODE": "Together", "Luck.RED": "MUCH", "goal": "As It Stands", "mod": "TURNS"}
    spelled = {"mode": "together", "luck.red": "much", "goal": "As It Stands", "mod": "TURNS"}
    assert options_in_any_case(toy.META, SEATS, given) == spelled


def test_of_choices_that_differ_in_case_alone_the_one_written_exactly_is_meant(toy: ModuleType) -> None:
    option = Option("size", ("a", "A"), "a", "")
    meta = replace(toy.META, options=(option,))
    assert options_in_any_case(meta, SEATS, {"SIZE": "A"}) == {"size": "A"}
    meta = replace(toy.META, options=(replace(option, choices=("ab", "Ab")),))
    with pytest.raises(SetupError, match="option size cannot be “AB”"):
        fill_options(meta, SEATS, options_in_any_case(meta, SEATS, {"size": "AB"}))


def test_an_option_given_twice_in_two_cases_is_told(toy: ModuleType) -> None:
    with pytest.raises(SetupError, match="option mode is given twice"):
        options_in_any_case(toy.META, SEATS, {"mode": "turns", "MODE": "together"})
