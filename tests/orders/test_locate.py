"""Where the blame lies: the caret stands under the part of the order that a problem names."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.step import validate_expression
from adjudicator.games.checkpoint_rally.components import CELLS
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders import locate as locating
from adjudicator.orders.locate import Locator, locate, words_at

# The line, the order of it that is to blame (empty: none in particular), the part, how often the text above the carets
# stands on the line before it, and that text.
PLACES = [
    ("PLACE H3 at C2 rot 90", "PLACE H3 at C2 rot 90", "tile", 0, "H3"),
    ("place h3@c2 rot 90° gps", "PLACE H3 at C2 rot 90 gps", "cell", 0, "c2"),
    ("PLACE H3 at C2 rot 91", "PLACE H3 at C2 rot 91", "turned", 0, "rot 91"),
    ("PLACE H3 C2 45 deg", "PLACE H3 at C2 rot 45", "turned", 0, "45 deg"),
    ("PLACE H3 rot 45 at C2", "PLACE H3 at C2 rot 45", "turned", 0, "rot 45"),
    ("PLACE H3 at C2 rot 90 with gps", "PLACE H3 at C2 rot 90 gps", "gps", 0, "with gps"),
    ("red: MOVE C3-D3", "MOVE C3 D3", "cell:0", 0, "C3"),
    ("red: MOVE C3-D3", "MOVE C3 D3", "cell:1", 0, "D3"),
    ("MOVE C3 D3 E3", "MOVE C3 D3 E3", "cell:2", 0, "E3"),
    ("MOVE C3 C3", "MOVE C3 C3", "cell:1", 1, "C3"),
    ("TAKE u7 from the row", "TAKE U7", "tile", 0, "u7"),
    ("DISCARD G7 and H2", "DISCARD G7 H2", "tile=H2", 0, "H2"),
    ("discard h12, h1", "DISCARD H1 H12", "tile=H1", 1, "h1"),
    ("KEEP H3 U1 H3", "KEEP H3 H3 U1", "tile=H3", 1, "H3"),
    ("- DRAW # a remark", "DRAW", "", 0, "DRAW"),
    ("  DISCARD G7 H2  ", "DISCARD G7 H2", "", 0, "DISCARD G7 H2"),
    ("**MOVE** “C3”", "MOVE C3", "cell", 0, "C3"),
    # Of several orders on a line the one that is meant:
    ("MOVE C3 OR MOVE C3 D3", "MOVE C3 D3", "cell:0", 1, "C3"),
    ("MOVE C3 OR MOVE D3 OR DRAW", "DRAW", "", 0, "DRAW"),
    ("PLACE H3 C2 90 OR PLACE H3 C2 OR DRAW", "PLACE H3 at C2 rot 0", "tile", 1, "H3"),
    ("(TAKE U7 OR (TAKE U8 OR DRAW))", "TAKE U8", "tile", 0, "U8"),
    ("IF row has U7 THEN TAKE U7 ELSE TAKE U8", "TAKE U7", "tile", 1, "U7"),
    ("IF row has U7 THEN TAKE U7 ELSE TAKE U8", "TAKE U8", "tile", 0, "U8"),
    ("TAKE U8 IF row has U8", "TAKE U8", "tile", 0, "U8"),
    ("IF cost of TAKE U7 < 1 THEN TAKE U7", "TAKE U7", "tile", 1, "U7"),
    ("IF cost of MOVE C3 < 9 THEN TAKE U7 OR MOVE C3", "MOVE C3", "cell", 1, "C3"),
    ("IF cost of MOVE Z9 < 9 THEN TAKE U7", "MOVE Z9", "cell", 0, "Z9"),
    # Conditions and outcomes stand beside the order:
    ("IF hnad < 3 THEN DRAW", "", "fact=hnad", 0, "hnad"),
    ("IF hand < 3 AND tiel at C3 = H3 THEN DRAW", "", "fact=tiel", 0, "tiel at C3"),
    ("IF Hnad < 3 THEN DRAW", "", "fact=hnad", 0, "Hnad"),
    ("DRAW [H5 G2]", "DRAW", "draw=G2", 0, "G2"),
    ("DRAW [H5 G2]", "DRAW", "draw=h5", 0, "H5"),
    ("DRAW OR REFRESH [H5 G2]", "REFRESH", "draws", 0, "[H5 G2]"),
    ("DRAW OR REFRESH", "REFRESH", "draws", 0, "REFRESH"),
    # What is nowhere on the line: the whole order, or all orders.
    ("MOVE C3", "MOVE C3", "cell:5", 0, "MOVE C3"),
    ("MOVE C3", "MOVE C3", "tile=H3", 0, "MOVE C3"),
    ("red: MOVE C3 OR DRAW", "", "", 0, "MOVE C3 OR DRAW"),
    ("MOVE C3 OR DRAW", "TAKE U7", "tile", 0, "MOVE C3 OR DRAW"),
]


@pytest.mark.parametrize(
    ("line", "blamed", "part", "skipped", "above"), PLACES, ids=[f"{row[0]}|{row[2]}" for row in PLACES]
)
def test_places(order: Callable[[str], Any], line: str, blamed: str, part: str, skipped: int, above: str) -> None:
    diagnostic = Diagnostic(
        Problem("x/y", "z", part=part), "red", 3, order(blamed) if blamed else None, text=line, source="a.txt"
    )
    place = -1
    for _ in range(skipped + 1):
        place = line.index(above, place + 1)
    located = locate(RULESET, diagnostic)
    assert (located.column - 1, located.width) == (place, len(above))
    assert (located.problem, located.seat, located.line, located.text) == (diagnostic.problem, "red", 3, line)


@pytest.mark.parametrize("text", ["", "DROW", "# nothing", "(" * 600])
def test_a_line_that_cannot_be_read_has_no_places(text: str) -> None:
    diagnostic = Diagnostic(Problem("x/y", "z", part="cell"), text=text)
    assert locate(RULESET, diagnostic) == diagnostic
    assert words_at(RULESET, text) == []


def test_a_place_that_is_known_is_kept(order: Callable[[str], Any]) -> None:
    diagnostic = Diagnostic(Problem("x/y", "z"), order=order("DRAW"), text="DRAW", column=2, width=1)
    assert locate(RULESET, diagnostic) is diagnostic


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("game rally-042, turn 7", ["rally-042", "7"]),
        ("turn: 007", ["007"]),
        ("red: PLACE H3 at C2 rot 90", ["red", "H3", "C2", "90"]),
    ],
)
def test_words(line: str, words: list[str]) -> None:
    assert [line[slice(*span)] for span in words_at(RULESET, line)] == words


TABLE: Any = SimpleNamespace(seats=("red", "blue"), rank={"H3": 0, "U7": 1}, names=("H3", "U7", *CELLS))
"""As much of a config as it takes to validate orders: the tiles there are."""


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("MOVE C3 Z9", ["unknown-cell Z9"]),
        ("IF cost of MOVE Z9 < 2 THEN DRAW", ["unknown-cell Z9"]),
        ("PLACE H9 C2 OR PLACE H3 Q9 OR PLACE H3 C2 45", ["unknown-tile H9", "unknown-cell Q9", "bad-rotation 45"]),
        ("IF hnad < 3 AND wor has U7 THEN MOVE C3 D3 E3", ["three-steps E3", "unknown-fact hnad", "unknown-fact wor"]),
        ("KEEP H3 H3 U7", ["tile-twice H3"]),
        ("DRAW IF tile at C3 = H3", []),
        ("DRAW IF tile at Z9 = H3 AND row has X9", ["unknown-name Z9", "unknown-name X9"]),
        ("DRAW IF X9 in row OR DRAW IF row of blue has H3", ["unknown-name X9", "no-argument blue"]),
        ("DRAW IF minutes of pink > 3", ["unknown-name pink"]),
    ],
)
def test_every_problem_of_a_line_that_no_position_can_change_has_its_place(
    order: Callable[[str], Any], line: str, codes: list[str]
) -> None:
    told = []
    for blamed, problem in validate_expression(RULESET, TABLE, order(line)):
        diagnostic = locate(RULESET, Diagnostic(problem, order=blamed, text=line))
        told.append(
            f"{problem.code.partition('/')[2]} {line[diagnostic.column - 1 : diagnostic.column - 1 + diagnostic.width]}"
        )
    assert told == codes


def test_each_order_of_a_line_is_built_once_for_all_its_problems(
    order: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    real = locating._built
    monkeypatch.setattr(locating, "_built", lambda rules, text: built.append(text) or real(rules, text))
    locator, line = Locator(RULESET), "TAKE U7 OR TAKE U8 OR DRAW"
    for wanted, column in (("TAKE U7", 6), ("TAKE U8", 17), ("TAKE U7", 6), ("TAKE U8", 17)):
        found = locator.locate(Diagnostic(Problem("x/y", "", part="tile"), "red", 1, order(wanted), text=line))
        assert found.column == column
    assert built == ["TAKE U7", "TAKE U8"]


def test_a_line_that_stands_in_many_texts_is_read_again_once(
    order: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = locating.part_parser(RULESET)
    monkeypatch.setattr(locating, "part_parser", lambda _rules: lambda line: read.append(line) or real(line))
    lines = ["TAKE U7", "TAKE U8 OR DRAW"] * 3
    wrong = Problem("x/y", "", part="tile")
    found = Locator(RULESET).located(
        Diagnostic(wrong, "red", number, order(line.partition(" OR")[0]), text=line) for number, line in enumerate(lines)
    )
    assert [(one.line, one.column, one.text) for one in found] == [(number, 6, line) for number, line in enumerate(lines)]
    assert read == ["TAKE U7", "TAKE U8 OR DRAW"]


def test_a_line_that_is_one_order_is_not_built_to_know_that(
    order: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locating, "_built", lambda _rules, text: pytest.fail(text))
    found = locate(RULESET, Diagnostic(Problem("x/y", "", part="tile"), "red", 1, order("TAKE U7"), text="red: TAKE U7"))
    assert (found.column, found.width) == (11, 2)
