"""Whatever arrives is answered: never an exception, and every diagnostic has a place that is there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudicator.core.ids import Seat
from adjudicator.core.order import instruction_text
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.locate import locate
from adjudicator.orders.parser import read_expression
from adjudicator.orders.submission import Addressee
from adjudicator.orders.turnfile import read_turn_files
from adjudicator.reports.data.diagnostics import diagnostics_text

ADDRESSEE = Addressee("rally-042", 7, (Seat("red"), Seat("blue")))
PIECES = [
    "red:",
    "blue :",
    "red",
    "purple:",
    "game rally-042",
    "game other",
    "turn 7",
    "turn 6",
    "turn",
    "PLACE H3 at C2 rot 90 gps",
    "place h3 c2",
    "rot 90",
    "MOVE C3 D3",
    "move c3 then",
    "DRAW",
    "DROW",
    "IF row has U7 THEN",
    "TAKE U7 ELSE",
    "OR",
    "[H5 G2]",
    "(",
    ")",
    ";",
    "#",
    "-- ",
    "--",
    ">",
    "- ",
    "*",
    "1.",
    "\u201c",
    "\u200b",
    "\u00a0",
    "\ufeff",
    "\u2028",
    "é",
    "İ",
    "ﬀ",
    "C3",
    "Ｃ３",
    "С3",
    "On Friday you wrote:",
    "-----",
    "9" * 30,
    "x" * 520,
    "(" * 30,
    "\x1b[31m",
]
ENDS = ["\n", "\n", "\n", "\r\n", "\r", " ", ""]
MAIL = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(ENDS)), max_size=20).map(
    lambda pieces: "".join(text + end for text, end in pieces)
)
CHARSET = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
FILE = st.one_of(
    st.binary(max_size=200),
    st.builds(lambda text, charset: text.encode(charset, "replace"), st.text(max_size=80), CHARSET),
    st.builds(lambda text, charset: text.encode(charset, "replace"), MAIL, CHARSET),
    st.builds(lambda text, junk: text.encode() + junk, MAIL, st.binary(max_size=20)),
)


def assert_answered(files: list[bytes]) -> None:
    sources = {f"{number}.txt": data for number, data in enumerate(files)}
    found = read_turn_files(RULESET, ADDRESSEE, sources.items())
    for diagnostic in found.diagnostics:
        assert diagnostic.source in sources
        assert diagnostic.problem.code.startswith("orders/")
        assert diagnostic.problem.message
        if diagnostic.line:
            assert 1 <= diagnostic.column <= len(diagnostic.text) + 1
            assert diagnostic.width == 1 or diagnostic.column + diagnostic.width <= len(diagnostic.text) + 1
            assert diagnostic.text[diagnostic.column - 1 : diagnostic.column].strip(" \t\u00a0") or diagnostic.column > 1
        assert locate(RULESET, diagnostic) == diagnostic
    assert diagnostics_text(found.diagnostics) or not found.diagnostics
    assert_sheets(found)
    assert read_turn_files(RULESET, ADDRESSEE, sources.items()) == found


def assert_sheets(found: Any) -> None:
    assert len({sheet.seat for sheet in found.sheets}) == len(found.sheets)
    for sheet in found.sheets:
        assert sheet.seat in ADDRESSEE.seats
        places = [(instruction.line, instruction.place or (0, 0)) for instruction in sheet.instructions]
        assert places == sorted(set(places))  # two orders may share a line
        for instruction in sheet.instructions:
            text = instruction_text(instruction, RULESET.language.text)
            assert read_expression(RULESET, text) == (instruction.expression, instruction.draws)
        if "orders/missing-colon" in {diagnostic.problem.code for diagnostic in found.diagnostics}:
            continue  # Such a line begins a sheet too, but not one that anything is taken from.
        closed = [
            diagnostic.line
            for diagnostic in found.diagnostics
            if sheet.instructions
            and (diagnostic.seat, diagnostic.source) == (sheet.seat, sheet.instructions[0].source)
            and diagnostic.problem.code != "orders/second-sheet"
        ]
        assert not closed or places[-1][0] < min(closed)
        assert not sheet.check_only or not closed or sheet.check_only[0].line > min(closed)


@given(st.lists(FILE, max_size=3))
@example([b"\xff\xfe"])
@example([b"\xfe\xff\0"])
@example([b"\xef\xbb\xbf"])
@example([b"red:PLACE\tA\tA\tPLACE\tA\tA"])
@example(["red: İ\nturn ⅷ\nﬀ:".encode()])
@example(["red:\n  (\u200b(((\u201cDRAW\u2028".encode()])
@settings(max_examples=150, deadline=None)
def test_whatever_arrives_is_answered(files: list[bytes]) -> None:
    assert_answered(files)


@pytest.mark.soak
@given(st.lists(FILE, max_size=3))
@settings(max_examples=30_000, deadline=None)
def test_whatever_arrives_is_answered_at_length(files: list[bytes]) -> None:
    assert_answered(files)
