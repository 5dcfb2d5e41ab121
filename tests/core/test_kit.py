"""What games are written with: flaws with a code of their own, events of several modules."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from adjudicator.core.event import Spent, events_of
from adjudicator.core.problem import Flaw, SetupError
from adjudicator.games.checkpoint_charlie import events, score_events
from adjudicator.games.checkpoint_charlie.rules import CheckpointCharlie


class Unfit(CheckpointCharlie):
    """Rules that no set-up fits."""

    def unfit(self, setup):
        return ("in words alone", Flaw("by a rule", "CC-C1"), Flaw("in its own way", "CC-C2", "own-code"))


def test_a_flaw_may_have_a_code_of_its_own():
    """One problem after the other, so that all are told at once."""
    with pytest.raises(SetupError) as error:
        Unfit().record().configure(SimpleNamespace(), 1)
    assert [(problem.code, problem.rule) for problem in error.value.problems] == [
        ("checkpoint-charlie/unfit-set", ""),
        ("checkpoint-charlie/unfit-set", "CC-C1"),
        ("checkpoint-charlie/own-code", "CC-C2"),
    ]


def test_events_of_several_modules_share_the_common_ones_once():
    first, second = events_of(events.__name__), events_of(score_events.__name__)
    assert events_of(events.__name__, score_events.__name__) == (*first[:-1], *second)
    assert (first[-1], second[-1]) == (Spent, Spent)
