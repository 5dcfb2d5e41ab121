"""What the core owes the rules: every hook is asked with the game's configuration, a state of it, and one of its seats."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Annotated, Any

import pytest

from adjudicator.core.chance import ImpossibleOutcomeError, RecordedChance
from adjudicator.core.conditions import Both, Compare, Comparison, CostOf, FactOf, Number
from adjudicator.core.engine import Outcome
from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.core.hooks import Hooks
from adjudicator.core.ids import Seat
from adjudicator.core.messages import outcome_problem
from adjudicator.core.order import FirstOf, When
from adjudicator.core.ruleset import Readiness
from adjudicator.core.step import EngineFaultError, carry_out, gist, go_on
from adjudicator.core.visibility import Mark, Public, redactor

NewGame = Callable[..., Game]
Play = Callable[..., Outcome]
OF_A_SEAT = ("decision", "decide", "check", "cost", "continuation", "readiness", "public_text", "position_before_answer")
WITH_STATE = (*OF_A_SEAT, "due", "evolve", "proceed", "is_over")


@pytest.fixture
def watched(toy: ModuleType, new_game: NewGame) -> tuple[Game, Any]:
    """Return a game and its rules, which fail where they are asked with anything else than what is theirs."""
    game = new_game(mode="together")

    def watch(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def asked(config: Any, *rest: Any) -> Any:
            assert config is game.setup, name
            assert name not in WITH_STATE or type(rest[0]) is toy.State, name
            assert name not in OF_A_SEAT or rest[1] in game.setup.seats, name
            assert None not in rest, name
            return function(config, *rest)

        return asked

    hooks = {
        name: getattr(toy.RULES, name) for name in {*WITH_STATE, *OF_A_SEAT, "validate", "names", "fact_values", "redact"}
    }
    left = {
        "continuation": lambda _config, _state, _seat, order: toy.Add(1) if order == toy.Add(2) else None,
        "readiness": lambda _config, _state, _seat, order: Readiness.EXPIRED if order == toy.Add(9) else Readiness.READY,
    }
    return game, toy.RULES.changed(**{name: watch(name, hook) for name, hook in {**hooks, **left}.items()})


def test_every_hook_is_asked_with_what_is_its_own(toy: ModuleType, play: Play, watched: tuple[Game, Any]) -> None:
    game, rules = watched
    rich = Both(
        (Compare(FactOf("coins"), Comparison.AT_LEAST, Number(0)), Compare(CostOf(toy.Add(2)), Comparison.LESS, Number(9)))
    )
    lines = (FirstOf((toy.Add(7), toy.Add(2))), When(rich, toy.Add(1)), toy.Hide(), toy.Roll(), toy.Add(8), toy.Quit())
    outcome = play(game, toy.sheet("red", *lines), toy.sheet("blue", *lines), rules=rules)
    taken = [link.entry.order for link in outcome.accepted if link.entry.seat == "red"]
    assert taken == ["ADD 2", "ADD 1", "ADD 1", "HIDE or ADD 1", "ROLL 1"]
    assert [diagnostic.seat for diagnostic in outcome.diagnostics] == ["red", "blue"]
    notes = [words for _, words in outcome.notes]
    assert notes == ["1 order after line 5 not applied; please send new ones"] * 2


def test_the_rest_of_a_step_waits_as_one_that_is_begun_and_without_its_outcomes(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    rest = {toy.Roll(2): toy.Roll(1)}
    rules = toy.RULES.changed(continuation=lambda _config, _state, _seat, order: rest.get(order))
    sheet = toy.sheet("red", (toy.Roll(2), ("4", "2")), toy.Add(1))
    (waiting,) = play(new_game("red", "blue", recorded=()), sheet, rules=rules).game.pending
    assert (waiting.is_begun, [order.order for order in waiting.orders]) == (True, ["ROLL 1", "ADD 1"])
    (waiting,) = play(new_game(), toy.sheet("blue", toy.Add(1)), rules=rules).game.pending
    assert not waiting.is_begun


def test_what_is_carried_out_is_the_order_that_was_taken(toy: ModuleType, new_game: NewGame) -> None:
    game = new_game()
    taken = carry_out(toy.RULES, game.setup, game.state, Seat("red"), toy.Add(2), RecordedChance(()))
    assert (taken.order, taken.public_text) == (toy.Add(2), "ADD 2")


@pytest.mark.parametrize("spoil", ["cost", "for ever"])
def test_a_fault_names_the_ruleset_that_it_is_of(toy: ModuleType, new_game: NewGame, spoil: str) -> None:
    game = new_game()

    def decide(_config: Any, _state: Any, seat: Seat, _order: Any, _chance: Any) -> Any:
        yield toy.Spent(seat=seat, before=0, after=2, why=(toy.Part(1, "coins", "TC-1"),))

    def proceed(_config: Any, _state: Any, _chance: Any) -> Any:
        while True:
            yield toy.RoundEnded(lucky="red")

    def spoiled() -> None:
        if spoil == "cost":
            rules = toy.RULES.changed(decide=decide)
            carry_out(rules, game.setup, game.state, Seat("red"), toy.Add(1), RecordedChance(()))
        else:
            go_on(toy.RULES.changed(proceed=proceed), game.setup, game.state, RecordedChance(()))

    with pytest.raises(EngineFaultError) as fault:
        spoiled()
    assert fault.value.ruleset == "toy-coins"


def test_orders_after_the_end_are_told_in_words(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game("red", goal="1"), toy.sheet("red", toy.Add(1), toy.Add(2)))
    assert [diagnostic.problem.message for diagnostic in outcome.diagnostics] == [
        "the game is over: no more orders are taken"
    ]


@pytest.mark.parametrize(
    ("written", "asked", "part"),
    [
        ((), ("a die", ("1", "2")), "draws"),
        (("9",), ("a die", ("1", "2")), "draw=9"),
        (("1", "2"), ("a die", ("1", "2")), "draw=2"),
    ],
)
def test_the_outcome_to_blame_is_named(written: tuple[str, ...], asked: tuple[str, tuple[str, ...]], part: str) -> None:
    chance = RecordedChance(written)

    def drawn() -> None:
        chance.pick(*asked)
        chance.finish()

    with pytest.raises(ImpossibleOutcomeError) as impossible:
        drawn()
    assert outcome_problem(impossible.value).part == part


def test_a_missing_outcome_names_its_draw() -> None:
    chance = RecordedChance(("12",))
    assert chance.pick("wheel A", ("3", "12")) == "12"
    with pytest.raises(ImpossibleOutcomeError) as missing:
        chance.pick("wheel B", ("3", "12"))
    assert (missing.value.purpose, missing.value.among) == ("wheel B", ("3", "12"))


def test_what_a_note_asked_and_came_to_is_its_gist() -> None:
    assert gist("coins at least 3: held (coins 4)") == "coins at least 3: held"


@frozen
class Letter:
    words: Annotated[str, Mark(lambda config, _whole, _holder, viewer: viewer in config)]


@frozen
class Parcel:
    weight: Annotated[int, Mark(lambda config, _whole, _holder, viewer: viewer in config)]


@frozen
class Post:
    first: Public[Letter | Parcel | None]
    several: Public[tuple[Letter, ...] | Parcel]


@pytest.mark.parametrize("viewer", ["red", "blue"])
def test_things_of_several_classes_are_redacted_by_the_configuration(viewer: str) -> None:
    redact = redactor(Post)
    assert redact is not None
    letter, parcel = Letter("come"), Parcel(7)
    for post in (Post(letter, (letter,)), Post(parcel, parcel), Post(None, ())):
        seen = redact(("red",), post, post, Seat(viewer))
        assert (seen == post) is (viewer == "red" or post.first is None)


def test_every_hook_is_watched_here_or_elsewhere() -> None:
    """Those of setting up, of telling and of corrections are asked with what their own tests look at."""
    elsewhere = {"configure", "begin", "place", "impossible", "position_if_due", "candidates", "spent", "standings"}
    elsewhere |= {"draw", "catalogue", "choices", "warnings", "preview"}
    hooks = {name for name, hook in vars(Hooks).items() if callable(hook) and not name.startswith("_")}
    assert hooks - elsewhere - {*WITH_STATE} == {"validate"}
