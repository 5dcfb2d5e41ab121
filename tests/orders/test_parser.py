"""Case is folded once, before the grammar, for A to Z: no other letter is taken for one of a keyword."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from lark_oracle import position_parser

from adjudicator.orders.build import OrderLine
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import reader
from adjudicator.rulesets import ruleset

GAMES = ("checkpoint-rally", "checkpoint-charlie", "checkered-flag")
FOREIGN = re.findall("[a-z]", "".join(map(chr, range(128, 0x1FFFF))), re.IGNORECASE)
FOLDED = {
    plain: [other for other in FOREIGN if re.fullmatch(plain, other, re.IGNORECASE)]
    for plain in "abcdefghijklmnopqrstuvwxyz"
}
"""The letters beyond ASCII that Python's patterns take for one of the alphabet."""
CONDITIONS = (
    "IF hand is 3 THEN DRAW",
    "IF hand is at least 3 THEN DRAW",
    "IF hand has G1 THEN DRAW ELSE REFRESH",
    "IF hand contains G1 THEN KEEP G1",
    "IF hand includes G1 THEN TAKE U7",
    "IF G1 is in hand THEN DISCARD G1",
    "IF G1 is not in hand THEN MOVE A1",
    "IF minutes less than 3 AND NOT hand has G1 THEN DRAW",
    "PLACE G1 at A1 rot 90 using gps",
    "DISCARD G1 and G2",
    "DRAW two tiles",
    "TAKE U7 from the row",
)


def test_python_folds_what_no_keyword_means() -> None:
    assert {plain: found for plain, found in FOLDED.items() if found} == {"i": ["İ", "ı"], "k": ["\u212a"], "s": ["ſ"]}


def variants(line: str) -> Iterator[str]:
    for at, letter in enumerate(line):
        for other in FOLDED.get(letter.lower(), ()):
            yield f"{line[:at]}{other}{line[at + 1 :]}"


@pytest.mark.parametrize("line", CONDITIONS)
def test_a_foreign_letter_in_a_keyword_is_told(line: str) -> None:
    """`IF hand ıs 3` comes from a Turkish keyboard: it is a problem on that line, never a failure of the program."""
    rules = ruleset("checkpoint-rally")
    assert isinstance(reader(rules).read(line), OrderLine), line
    for written in variants(line):
        said = reader(rules).read(written)
        assert isinstance(said, LineProblem), written
        assert said.fault is None, written
        assert said.problem.code.startswith("orders/")


@pytest.mark.parametrize("line", ["GEAR firſt", "SHİFT to 2", "bra\u212ae 2", "gear thırd"])
def test_so_are_those_in_the_words_of_a_game(line: str) -> None:
    said = reader(ruleset("checkered-flag")).read(line)
    assert isinstance(said, LineProblem)
    assert said.fault is None


@pytest.mark.parametrize("game", GAMES)
def test_no_terminal_takes_a_letter_that_only_looks_like_its_own(game: str) -> None:
    """What a keyword's pattern takes is ASCII, but for the signs that the grammar names."""
    parser: Any = position_parser(ruleset(game))
    foreign = [other for others in FOLDED.values() for other in others]
    for terminal in parser.terminals:
        if terminal.name == "OUTCOME" or terminal.name in parser.lexer_conf.ignore:
            continue
        pattern = re.compile(terminal.pattern.to_regexp(), parser.lexer_conf.g_regex_flags)
        assert not [letter for letter in foreign if pattern.fullmatch(letter)], terminal.name
