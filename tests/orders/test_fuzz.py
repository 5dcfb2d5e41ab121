"""Whatever arrives is answered: never an exception, and every finding has a place that is there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudicator.core.ids import Seat
from adjudicator.core.order import instruction_text
from adjudicator.games.checkpoint_rally.ruleset import RULESET
from adjudicator.orders.line import read_expression
from adjudicator.orders.locate import locate
from adjudicator.orders.turnfile import Addressee, read_turn_files
from adjudicator.reports.findings import findings_text

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
    for finding in found.findings:
        assert finding.source in sources
        assert finding.problem.code.startswith("orders/")
        assert finding.problem.message
        if finding.line:
            assert 1 <= finding.column <= len(finding.text) + 1
            assert finding.width == 1 or finding.column + finding.width <= len(finding.text) + 1
            assert finding.text[finding.column - 1 : finding.column].strip(" \t\u00a0") or finding.column > 1
        assert locate(RULESET, finding) == finding
    assert findings_text(found.findings) or not found.findings
    assert_sheets(found)
    assert read_turn_files(RULESET, ADDRESSEE, sources.items()) == found


def assert_sheets(found: Any) -> None:
    assert len({sheet.seat for sheet in found.sheets}) == len(found.sheets)
    for sheet in found.sheets:
        assert sheet.seat in ADDRESSEE.seats
        numbers = [instruction.line for instruction in sheet.instructions]
        assert numbers == sorted(set(numbers))
        for instruction in sheet.instructions:
            text = instruction_text(instruction, RULESET.language.text)
            assert read_expression(RULESET, text) == (instruction.expression, instruction.draws)
        if "orders/missing-colon" in {finding.problem.code for finding in found.findings}:
            continue  # Such a line begins a sheet too, but not one that anything is taken from.
        closed = [
            finding.line
            for finding in found.findings
            if sheet.instructions
            and (finding.seat, finding.source) == (sheet.seat, sheet.instructions[0].source)
            and finding.problem.code != "orders/second-sheet"
        ]
        assert not closed or numbers[-1] < min(closed)
        assert not sheet.unheard or not closed or sheet.unheard[0].line > min(closed)


@given(st.lists(FILE, max_size=3))
@example([b"\xff\xfe"])
@example([b"\xfe\xff\0"])
@example([b"\xef\xbb\xbf"])
@example(["red: İ\nturn ⅷ\nﬀ:".encode()])
@example(["red:\n  (\u200b(((\u201cDRAW\u2028".encode()])
@settings(max_examples=300, deadline=None)
def test_whatever_arrives_is_answered(files: list[bytes]) -> None:
    assert_answered(files)


@pytest.mark.soak
@given(st.lists(FILE, max_size=3))
@settings(max_examples=30_000, deadline=None)
def test_whatever_arrives_is_answered_at_length(files: list[bytes]) -> None:
    assert_answered(files)
