"""What games are written with: flaws, things in one place, the own thing of a view, events of several modules."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from adjudicator.core.event import Spent, events_of
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.problem import Flaw, SetupError, in_one_place
from adjudicator.core.view import View
from adjudicator.games.checkpoint_charlie import events, score_events
from adjudicator.games.checkpoint_charlie.rules import CheckpointCharlie


class Unfit(CheckpointCharlie):
    """Rules that no set-up fits."""

    def unfit(self, setup):
        return ("in words alone", Flaw("by a rule", "CC-C1"), Flaw("in its own way", "CC-C2", "own-code", ("better",)))


def test_a_flaw_may_have_a_code_of_its_own():
    """One problem after the other, so that all are told at once."""
    with pytest.raises(SetupError) as error:
        Unfit().record().configure(SimpleNamespace(), 1)
    assert [(problem.code, problem.rule, problem.suggestions) for problem in error.value.problems] == [
        ("checkpoint-charlie/unfit-set", "", ()),
        ("checkpoint-charlie/unfit-set", "CC-C1", ()),
        ("checkpoint-charlie/own-code", "CC-C2", ("better",)),
    ]


def test_each_thing_is_in_one_place():
    tiles = ("H1", "H2", "X9", "H2", "H1", "H1")
    assert list(in_one_place("tile", tiles, {"H1", "H2"}, "XY-C1")) == [
        Flaw("tile H1 is in 3 places", "XY-C1"),
        Flaw("tile H2 is in 2 places", "XY-C1"),
        Flaw("there is no tile X9 in this game", "XY-C1"),
    ]
    assert list(in_one_place("tile", tiles, {"H1", "H2"}, asked={"H2", "H3"})) == [Flaw("tile H2 is in 2 places")]


def test_a_view_knows_what_is_the_viewers_own():
    red, blue = SimpleNamespace(seat="red"), SimpleNamespace(seat="blue")
    assert View(Seat("blue"), None, ()).own((red, blue)) is blue
    assert View(MODERATOR, None, ()).own((red, blue)) is None
    assert View(None, None, ()).own((red, blue)) is None


def test_events_of_several_modules_share_the_common_ones_once():
    first, second = events_of(events.__name__), events_of(score_events.__name__)
    assert events_of(events.__name__, score_events.__name__) == (*first[:-1], *second)
    assert (first[-1], second[-1]) == (Spent, Spent)
