"""What games are written with: flaws, things in one place, the own thing of a view, events of several modules."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import is_dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest

from adjudicator import game
from adjudicator.core import drawing
from adjudicator.core.event import Spent, events_of
from adjudicator.core.frozen import hints_of
from adjudicator.core.hooks import Hooks
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.phrases import ordinal
from adjudicator.core.problem import Flaw, Problem, SetupError, several
from adjudicator.core.rules import Rules
from adjudicator.core.ruleset import ComponentSet, Configuration
from adjudicator.core.view import View
from adjudicator.games.checkpoint_charlie import board, events, score_events
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.rules import CheckpointCharlie
from adjudicator.rulesets import metas, ruleset


class Unfit(CheckpointCharlie):
    """Rules that no set-up fits."""

    def configure(self, setup, version):
        own = Flaw("in its own way", "CC-C2", "own-code", ("better",))
        self.refuse("unfit-set", ("in words alone", Flaw("by a rule", "CC-C1"), own))


def test_a_flaw_may_have_a_code_of_its_own():
    """One problem after the other, so that all are told at once."""
    with pytest.raises(SetupError) as error:
        Unfit().configure(SimpleNamespace(), 1)
    assert [(problem.code, problem.rule, problem.suggestions) for problem in error.value.problems] == [
        ("checkpoint-charlie/unfit-set", "", ()),
        ("checkpoint-charlie/unfit-set", "CC-C1", ()),
        ("checkpoint-charlie/own-code", "CC-C2", ("better",)),
    ]


def test_a_view_knows_what_is_the_viewers_own():
    red, blue = SimpleNamespace(seat="red"), SimpleNamespace(seat="blue")
    assert View(Seat("blue"), None, ()).own((red, blue)) is blue
    assert View(MODERATOR, None, ()).own((red, blue)) is None
    assert View(None, None, ()).own((red, blue)) is None


def test_events_of_several_modules_share_the_common_ones_once():
    first, second = events_of(events.__name__), events_of(score_events.__name__)
    assert events_of(events.__name__, score_events.__name__) == (*first[:-1], *second)
    assert (first[-1], second[-1]) == (Spent, Spent)


def test_what_is_there_several_times_is_told_once_in_the_order_of_its_first_place():
    assert list(several(["b", "a", "b", "c", "a", "b"])) == [("b", 3), ("a", 2)]
    assert list(several([])) == []


def test_of_a_table_of_flaws_those_are_told_that_are_so():
    assert list(
        Flaw.where((1 > 2, "never", "XY-A1"), (["row"], "so", "XY-A2"), ((), "nor this", ""), (True, "this too", ""))
    ) == [
        Flaw("so", "XY-A2"),
        Flaw("this too"),
    ]


def test_a_name_that_is_not_there_is_a_problem_of_the_game_with_what_may_be_meant():
    assert META.unknown("suspect", "Boris", {"Boris"}, "CC-C1") is None
    assert META.unknown("suspect", "Bors", ("Boris", "Nessie"), "CC-C1", "suspect:1") == Problem(
        "checkpoint-charlie/unknown-suspect", "there is no suspect Bors", "CC-C1", "suspect:1", ("Boris",)
    )
    missing = META.unknown("suspect", "Zzz", ("Boris",), "CC-C1")
    assert missing is not None
    assert (missing.part, missing.suggestions) == ("suspect", ())


def test_places_have_words():
    assert [ordinal(place) for place in (1, 2, 8, 10)] == ["first", "second", "eighth", "tenth"]
    with pytest.raises(IndexError):
        ordinal(11)


def test_a_table_takes_values_and_counts_its_rows():
    rows = [("H3", 2, ("A1", "B2"), None), ("H4", 0, (), "x")]
    plain = drawing.table("Tiles", ("tile", "n", "at", ""), iter(rows))
    assert plain == drawing.Columns("Tiles", ("tile", "n", "at", ""), (("H3", "2", "A1 B2", ""), ("H4", "0", "", "x")))
    assert drawing.table("Tiles", ("tile",), rows, is_counted=True).title == "Tiles (2)"


def test_a_box_begins_with_the_name_and_the_note_of_its_set():
    legend = drawing.Legend(())
    drawn = drawing.box(ComponentSet("house", 1, "House set", "made up"), legend)
    assert drawn.shapes == (drawing.Fields("", (("House set", "made up"),)), legend)


def test_a_hook_may_be_a_function_of_another_module():
    class Borrowed(Rules):
        draw = staticmethod(board.draw)

    assert Borrowed.draw is board.draw
    assert Borrowed.impossible is Rules.impossible


@pytest.mark.parametrize("name", ["no_hook_at_all", "awaiting", "lint", "refuse", "view", "language"])
def test_a_public_name_that_is_not_a_hook_is_refused(name):
    """Neither a misspelled hook, nor one of an earlier version, nor an operation of the program is passed over."""
    with pytest.raises(TypeError, match=f"Wrong: “{name}” is not the name of a hook"):
        type("Wrong", (Rules,), {name: lambda config, state: None})


def test_helpers_of_rules_have_private_names():
    assert type("Helped", (Rules,), {"_help": lambda config, state: None})


def test_a_game_has_at_most_25_hooks_each_with_a_docstring():
    hooks = {name: hook for name, hook in vars(Hooks).items() if callable(hook) and not name.startswith("_")}
    assert len(hooks) <= 25
    assert all(hook.__doc__ for hook in hooks.values())


def test_a_table_of_records_has_their_headings():
    rows = [{"seat": "red", "spaces": 3, "lap": None}, {"seat": "blue", "spaces": 2, "lap": (1, 2)}]
    found = drawing.records("Race", rows)
    assert found == drawing.Columns("Race", ("seat", "spaces", "lap"), (("red", "3", ""), ("blue", "2", "1 2")))
    assert drawing.records("Race", iter(rows), is_counted=True).title == "Race (2)"


def test_after_the_last_seat_comes_the_first():
    seats = (Seat("red"), Seat("blue"), Seat("green"))
    begun = Configuration(seats, None, ())
    assert [begun.after(seat) for seat in seats] == ["blue", "green", "red"]


ROOT = Path(__file__).parents[2]
KIT = ("adjudicator.game", "adjudicator.core.ruleset")
FOR_OTHERS = {"NOBODY"}
"""Names that docs/rulesets.md shows for games of other packages; the games here import from the module."""


def users(name):
    """Return the games that import ``name`` from the kit, and ``tutorial`` if the page that builds a game uses it."""
    found = {"tutorial"} if f"game.{name}" in (ROOT / "docs" / "own-ruleset.md").read_text("utf-8") else set()
    return found | USERS[name]


def imported():
    """Return the games that import each name; ``meta.py`` imports from the core, since it is loaded without the rules."""
    names = defaultdict(set)
    for path in (ROOT / "adjudicator" / "games").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in KIT:
                for alias in node.names:
                    names[alias.name].add(path.relative_to(ROOT / "adjudicator" / "games").parts[0])
    return names


USERS = imported()


def test_the_kit_has_at_most_sixty_names_that_two_games_or_the_tutorial_use():
    assert len(game.__all__) == len(set(game.__all__)) <= 60
    assert {name for name in game.__all__ if len(users(name)) < 2 and "tutorial" not in users(name)} == FOR_OTHERS
    page = (ROOT / "docs" / "rulesets.md").read_text("utf-8")
    assert {name for name in FOR_OTHERS if not re.search(rf"\b{name}\b", page)} == set()


def test_the_docstring_of_the_kit_lists_its_names_by_purpose():
    lists = re.findall(r"^- .+?: (.+)$", game.__doc__, re.MULTILINE)
    assert " ".join(lists).split() == game.__all__


@pytest.mark.parametrize("name", [name for name, _ in metas()])
def test_the_places_of_pieces_are_fields_of_the_state(name):
    """A misspelled place would hold no pieces: its cards would be in the deck, too."""
    rules, parts = ruleset(name), set()
    _collect(rules.state, parts)
    known = {member for part in parts for member in dir(part)}
    for pieces in rules.pieces:
        assert known.issuperset(field for place in pieces.places for field in place.split("."))


def _collect(hint, parts):
    """Add the classes that values of the type ``hint`` consist of to ``parts``."""
    for inner in get_args(hint):
        _collect(inner, parts)
    if isinstance(hint, type) and hint not in parts:
        parts.add(hint)
        for inner in hints_of(hint).values() if is_dataclass(hint) else ():
            _collect(inner, parts)


@pytest.mark.parametrize("name", [name for name, _ in metas()])
def test_every_game_has_an_order_of_play_and_orders_that_check_themselves(name):
    rules = ruleset(name)
    assert rules.order_of_play is not Hooks.order_of_play
    assert {"due", "validate", "proceed"}.isdisjoint(vars(type(rules)))
