"""Where reading a line comes to a stop, whatever the grammar makes of the rest."""

from __future__ import annotations

import pytest

from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.parse_failure import parse_failure, verbs


@pytest.mark.parametrize(
    ("line", "before", "word"),
    [
        ("PLACE H3 at C2 foo 90", "PLACE H3 at C2", "foo"),
        ("MOVE C3,  ¿D3", "MOVE C3", "¿"),
        ("DRAW OR", "DRAW OR", ""),
        ("DRAW [H5 ]]", "DRAW [H5 ]", "]"),
        ("rally-042 begins", "", "rally-042"),
    ],
)
def test_the_stop_and_what_stands_there(line: str, before: str, word: str) -> None:
    failure = parse_failure(RULESET, line)
    assert (failure.before, failure.word) == (before, word)


def test_the_verbs_are_those_of_the_examples() -> None:
    assert list(verbs(RULESET)) == ["place", "move", "draw", "refresh", "take", "discard", "keep"]
    assert verbs(RULESET)["move"] == "MOVE C3 D3"
