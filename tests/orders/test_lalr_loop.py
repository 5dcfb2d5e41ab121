"""The quick loop reads exactly what Lark reads."""

from __future__ import annotations

import marshal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark, Token
from lark.exceptions import LarkError

from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders import grammar, grammar_source, lalr_loop
from adjudicator.orders.lalr_loop import UnreadableError, accelerated, stored_loop
from adjudicator.orders.loop_tables import to_store
from adjudicator.orders.parser import _Builder, _fast, fast_parser, line_parser
from adjudicator.orders.shapes import OFTEN
from adjudicator.rulesets import ruleset
from adjudicator.store.load import load_game

RECORDED = Path(__file__).parents[1] / "recorded"

TEXT = (
    "PLACE MOVE DRAW REFRESH TAKE DISCARD KEEP at to rot 90 ° gps C3 D3 H3 U7 - -> / and then via OR IF THEN ELSE AND NOT "
    "IN in is not has < <= = != ( ) [ ] : game turn 7 red minutes row of cost , . ! x 2 two tiles the from with r-4 é →"
)
WORDS = TEXT.split()
LINE = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.lists(st.sampled_from(WORDS), max_size=8).map(
    "".join
)


def said(parse: Any, line: str) -> Any:
    try:
        return parse(line)
    except (LarkError, UnreadableError):
        return None


def assert_same(line: str) -> None:
    """The first time the loop reads a shape, then it is followed, then known."""
    right = said(fast_parser(RULESET), line)
    for _ in range(OFTEN + 1):
        assert said(line_parser(RULESET), line) == right


@pytest.fixture(autouse=True, scope="module")
def enough_lines_for_shapes() -> None:
    for _ in range(lalr_loop._FEW):
        line_parser(RULESET)("DRAW")


@given(LINE)
@settings(max_examples=150, deadline=None)
def test_it_reads_what_lark_reads(line: str) -> None:
    assert_same(line)


# Lines made from the grammar itself; what links cells and tiles counts only before one, so that is told by hand.
SOURCE = grammar_source.own_file(RULESET).read_text("utf-8")
GRAMMAR = Lark(grammar._put_together(RULESET, SOURCE), **grammar_source.OPTIONS)
LINKS = {"_STEP": st.sampled_from(["-", "->", " then ", "/"]), "_ALSO": st.sampled_from([" and ", "&", "+"])}
MADE = from_lark(GRAMMAR, start="line", explicit=LINKS, alphabet=st.characters(codec="ascii"))


@given(MADE)
@settings(max_examples=200, deadline=None)
def test_it_reads_what_lark_reads_of_lines_made_from_the_grammar(line: str) -> None:
    assert_same(line)


@pytest.mark.soak
@given(LINE)
@settings(max_examples=30_000, deadline=None)
def test_it_reads_what_lark_reads_at_length(line: str) -> None:
    assert_same(line)


@pytest.mark.soak
@given(MADE)
@settings(max_examples=3_000, deadline=None)
def test_it_reads_what_lark_reads_of_lines_made_from_the_grammar_at_length(line: str) -> None:
    assert_same(line)


def test_it_is_in_use() -> None:
    """Should a new Lark look different inside, its own loop takes over, and this says so."""
    assert line_parser(RULESET).__module__ == "adjudicator.orders.lalr_loop"
    with pytest.raises(UnreadableError):
        line_parser(RULESET)("DROW")


def parser(source: str, **options: Any) -> Lark:
    return Lark(source, parser="lalr", **options)


def test_words_that_lark_tells_from_names_in_a_way_of_its_own() -> None:
    small = parser('start: ("if" NAME)+ "end"\nNAME: /[a-z]+/\n%ignore " "')
    assert accelerated(small)("if a if b end") == small.parse("if a if b end")
    with pytest.raises(UnreadableError):
        accelerated(small)("if if if")


@pytest.mark.parametrize(
    "options",
    [
        {"lexer": "basic"},
        {"lexer_callbacks": {"NAME": lambda token: Token("NAME", token.upper())}},
        {"transformer": type("Upper", (), {"NAME": lambda self, token: token.upper()})()},
    ],
)
def test_what_only_lark_can_do_is_left_to_lark(options: dict[str, Any]) -> None:
    small = parser('start: NAME+\nNAME: /[a-z]+/\n%ignore " "', **options)
    assert accelerated(small)("a b") == small.parse("a b")
    with pytest.raises(UnreadableError):
        accelerated(small)("-")


def test_an_empty_rule_and_an_empty_line() -> None:
    small = parser('start: sign NAME*\nsign: "-"?\nNAME: /[a-z]+/\n%ignore " "')
    for text in ("", " ", "-", "- a", "a b"):
        assert accelerated(small)(text) == small.parse(text)


def test_a_lark_with_other_insides_is_left_to_itself() -> None:
    class Other:
        def parse(self, text: str) -> str:
            return text

    other: Any = Other()
    assert accelerated(other)("x") == "x"


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*/recorded-003.json")), ids=lambda path: path.parent.name)
def test_stored_tables_read_what_lark_reads(path: Path) -> None:
    """In every game, line by line of what a recorded game has; and nothing of it is left to Lark."""
    game = load_game(path)
    rules = ruleset(game.ruleset.id)
    read = stored_loop(marshal.loads(marshal.dumps(to_store(_fast(rules)))), _Builder(rules), never)
    for _ in range(lalr_loop._FEW):
        read("turn 7")
    entries = [link.entry for link in game.journal[1:]]
    lines = {words for entry in entries for words in (entry.order, entry.written, f"{entry.seat}: {entry.order}") if words}
    for line in sorted(lines | {"", "red:", "IF x THEN", "turn 7", "game x turn 3", "WITHDRAW", "WITHDRAW from order 2"}):
        right = said(fast_parser(rules), line)
        for _ in range(OFTEN + 1):
            assert said(read, line) == right, line


def never() -> Any:
    raise AssertionError("Lark is asked")


def test_where_only_lark_can_find_the_first_word_it_goes_on_finding_it() -> None:
    """Shapes are learned after some lines, and cannot be there."""
    rules = ruleset("checkpoint-rally")
    tables = to_store(_fast(rules))
    alone = {**tables, "scanners": {**tables["scanners"], tables["first"]: None}}
    read = stored_loop(alone, _Builder(rules), lambda: _fast(rules))
    for _ in range(lalr_loop._FEW + OFTEN):
        assert read("DRAW") == fast_parser(rules)("DRAW")
