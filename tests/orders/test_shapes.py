"""Lines of a shape that was read before are read without the parser; what is not as expected is left to it."""

from __future__ import annotations

from typing import Any

import pytest
from adjudicator.orders.lalr_loop import _Loop, _named, _wrapped
from adjudicator.orders.loop_tables import _may_begin_with_space, taken_from
from adjudicator.orders.shapes import Shapes, UnknownShapeError

from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders import lalr_loop, shapes
from adjudicator.orders.line_parser import line_parser
from adjudicator.orders.parser import _Builder, _fast, fast_parser


@pytest.fixture
def known() -> Shapes:
    tables, builder = taken_from(_fast(RULESET)), _Builder(RULESET)
    return _Loop(tables, [_wrapped(wrappers, _named(builder, name)) for name, wrappers in tables["rules"]]).shapes(builder)


def learned(known: Shapes, line: str) -> Any:
    for _ in range(shapes.OFTEN - 1):
        with pytest.raises(UnknownShapeError):
            known.read(line)
    return known.read(line)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("PLACE H3 at C2 rot 90", "put  u17,on a1 turned 0"),
        ("red: DRAW", "blue : draw"),
        ("KEEP H3 U1", "keep G1, G2"),
        ("IF minutes < 3 THEN DRAW ELSE (REFRESH OR MOVE C3)", "if clock >= 10 then draw else (refresh or move D4)"),
        ("DRAW [H3 G2]", "draw [a b]"),
        ("turn 7", "TURN 123"),
        ("WITHDRAW from order 2", "withdraw from order 11"),
    ],
)
def test_another_line_of_the_same_shape_is_read_as_the_parser_reads_it(known: Shapes, line: str, other: str) -> None:
    assert learned(known, line) == fast_parser(RULESET)(line)
    assert known.read(other) == fast_parser(RULESET)(other)


def test_what_cannot_be_read_is_left_to_the_parser_again_and_again(known: Shapes) -> None:
    for line in ("DROW", "DRAW DRAW", "PLACE H3", "", "PLACE H3 at C2 rot 90 )"):
        for _ in range(3):
            with pytest.raises(UnknownShapeError):
                known.read(line)


def test_the_shapes_that_are_kept_are_bounded(known: Shapes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert learned(known, "DRAW") == fast_parser(RULESET)("DRAW")
    monkeypatch.setattr(shapes, "_MOST_SHAPES", known._count)
    for _ in range(3):
        with pytest.raises(UnknownShapeError):
            known.read("REFRESH")
    assert known.read("draw") == fast_parser(RULESET)("draw")


def test_a_line_of_very_many_words_is_left_to_the_parser(known: Shapes) -> None:
    line = " OR ".join(["DRAW"] * shapes._LONGEST)
    for _ in range(3):
        with pytest.raises(UnknownShapeError):
            known.read(line)
    assert known._count <= shapes._LONGEST + 1


@pytest.mark.parametrize("line", ["(" * 19 + "DRAW" + ")" * 19, "IF minutes < 3 THEN (" * 12 + "DRAW" + ")" * 12])
def test_a_line_nested_deeply_is_read_as_the_parser_reads_it(line: str) -> None:
    right = fast_parser(RULESET)(line)
    for _ in range(lalr_loop._FEW + shapes.OFTEN + 1):
        assert line_parser(RULESET)(line) == right


def test_what_python_cannot_nest_is_left_to_the_parser(known: Shapes, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: Any) -> Any:
        raise SyntaxError("too many nested parentheses")

    monkeypatch.setattr(shapes, "generate_function", too_deep)
    for _ in range(shapes.OFTEN + 2):
        with pytest.raises(UnknownShapeError):
            known.read("DRAW")


def test_what_a_builder_fails_with_comes_out(known: Shapes) -> None:
    def fails(_children: list[Any]) -> Any:
        raise ZeroDivisionError

    learned(known, "TAKE U7")
    names: Any = known._names
    names.update(dict.fromkeys(names, fails))
    with pytest.raises(ZeroDivisionError):
        learned(known, "KEEP U7")


@pytest.mark.parametrize(
    ("pattern", "may"),
    [
        ("[ ,]+", True),
        ("[A-Z][A-Z0-9_]*", False),
        ("(?:at|on)(?![A-Z])|@", False),
        ("(?:at| on)", True),
        ("x*", True),
        ("x*y", False),
        (" ?y", True),
        ("(?= )y", False),
        ("(?:is +not|[<>!=]=)", False),
        ("[^a]", True),
        (".", True),
        (r"\s", True),
        (r"[\w]", True),
        ("(?P<a>(?i:b+))", False),
        ("(?>b)", True),
    ],
)
def test_which_patterns_may_begin_with_a_space(pattern: str, may: bool) -> None:
    assert _may_begin_with_space(pattern) is may
