"""Facts: help and value in one place, with an argument or without."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from adjudicator.core.facts import Fact, FactValues
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.view import View

CONFIG = SimpleNamespace(seats=("red", "blue"), agents={"boris": "blue"})
POINTS = {"red": 3, "blue": 5}


def view(viewer: str | None = "red") -> View[Any]:
    return View(None if viewer is None else Seat(viewer), POINTS, ())


def asked(one: Fact, argument: str = "", viewer: str | None = "red") -> Any:
    return FactValues({"one": one}, CONFIG, view(viewer))["one"](argument)  # type: ignore[operator]


def test_a_fact_without_an_argument_is_not_known_with_one() -> None:
    best = Fact.of_game("the most points", lambda config, view: max(view.state.values()))
    assert asked(best) == 5
    assert asked(best, "red") is None
    assert best.help == "the most points"


def test_a_fact_with_an_argument_takes_it_as_it_is_written() -> None:
    echo = Fact.at("`echo of WORD`", lambda config, view, argument: argument or "nothing")
    assert (asked(echo), asked(echo, "Red")) == ("nothing", "Red")


@pytest.mark.parametrize(
    ("argument", "viewer", "points"),
    [
        ("", "red", 3),
        ("", "blue", 5),
        ("blue", "red", 5),
        ("BLUE", "red", 5),
        ("blue", None, 5),
        ("", None, None),
        ("", MODERATOR, None),
        ("green", "red", None),
    ],
)
def test_a_fact_of_a_seat_is_the_viewers_own_or_that_of_who_is_named(argument: str, viewer: Any, points: Any) -> None:
    of_seat = Fact.of_seat("points; `points of SEAT`", lambda config, view, seat: view.state[seat])
    assert asked(of_seat, argument, viewer) == points


def test_seats_may_have_other_names() -> None:
    names = lambda config, name: config.agents.get(name.lower())  # noqa: E731
    of_agent = Fact.of_seat("`points of AGENT`", lambda config, view, seat: view.state[seat], names)
    assert asked(of_agent, "Boris") == 5
    assert asked(of_agent, "blue") is None


def test_facts_are_worked_out_when_they_are_asked_for() -> None:
    calls = []
    late = Fact.of_game("late", lambda config, view: calls.append(config) or 1)
    found = FactValues({"late": late}, CONFIG, view())
    assert calls == []
    assert found["late"]("") == 1  # type: ignore[operator]
    assert calls == [CONFIG]


@frozen
class Purse:
    seat: Seat
    coins: int

    @property
    def is_rich(self) -> bool:
        return self.coins > 4


@frozen
class Table:
    purses: tuple[Purse, ...]


@pytest.mark.parametrize(
    ("viewer", "argument", "found"),
    [("red", "", 30), ("blue", "", 50), (None, "", None), ("red", "7", 70), (None, "7", 70), ("red", "x", None)],
)
def test_a_fact_of_a_place_is_that_of_the_own_one_or_of_one_that_is_named(viewer: Any, argument: str, found: Any) -> None:
    seen = View(viewer, Table((Purse(Seat("red"), 3), Purse(Seat("blue"), 5))), ())

    def called(_config: Any, word: str) -> int | None:
        return int(word) if word.isdigit() else None

    one = Fact.of_place("tens", lambda _config, at: 10 * at, called, lambda _config, purse: purse.coins)
    assert one.value(CONFIG, seen, argument) == found
    nowhere = Fact.of_place("tens", lambda _config, at: 10 * at, called)
    assert nowhere.value(CONFIG, seen, argument) == (found if argument else None)


def test_the_help_of_a_fact_of_a_seat_tells_how_another_is_named() -> None:
    assert Fact.of_own("the coins", "coins").explained("coins") == "the coins; `coins of SEAT`"
    assert Fact.of_own("the coins, or `coins of X`", "coins").explained("coins") == "the coins, or `coins of X`"
    assert Fact.of_seat("the coins", lambda _config, _view, _seat: 1).explained("money") == "the coins; `money of SEAT`"
    assert Fact.of_game("all coins", lambda _config, _view: 1).explained("coins") == "all coins"


@pytest.mark.parametrize(("argument", "coins"), [("", 3), ("blue", 5), ("Blue", 5), ("green", None)])
def test_a_fact_of_what_belongs_to_a_seat_is_a_field_or_worked_out(argument: str, coins: int | None) -> None:
    seen = View(Seat("red"), Table((Purse(Seat("red"), 3), Purse(Seat("blue"), 5))), ())

    def value(one: Fact, argument: str = argument) -> Any:
        return one.value(CONFIG, seen, argument)

    assert value(Fact.of_own("coins", "coins")) == coins
    assert value(Fact.of_own("rich", "is_rich")) == (None if coins is None else coins > 4)
    doubled = Fact.of_own("doubled", lambda config, purse: purse.coins * len(config.seats))
    assert value(doubled) == (None if coins is None else 2 * coins)
    assert value(Fact.of_own("by name", "coins", lambda config, name: config.agents.get(name)), "boris") == 5
