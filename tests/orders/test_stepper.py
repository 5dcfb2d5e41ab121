"""The stepper reads exactly what Lark reads."""

from __future__ import annotations

import marshal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark, Tree
from lark.exceptions import LarkError
from lark_oracle import position_parser, value_parser
from lark_oracle import stop as lark_stop

from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders import grammar, grammar_source
from adjudicator.orders.languages import rules_with_languages
from adjudicator.orders.lark_tables import tables_of
from adjudicator.orders.line_parser import Part, line_parser, stepper
from adjudicator.orders.stepper import Stepper, Tables, UnreadableError
from adjudicator.rulesets import ruleset
from adjudicator.store.load import load_game

RECORDED = Path(__file__).parents[1] / "data" / "games"

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
    assert said(line_parser(RULESET), line) == said(value_parser(RULESET).parse, line)


@given(LINE)
@settings(max_examples=150, deadline=None)
def test_it_reads_what_lark_reads(line: str) -> None:
    assert_same(line)


# Lines made from the grammar itself; what links cells and tiles counts only before one, so that is told by hand.
SOURCE = grammar_source.own_file(RULESET).read_text("utf-8")
GRAMMAR = Lark(grammar._put_together(RULESET, SOURCE), **grammar_source.OPTIONS)
LINKS = {"_STEP": st.sampled_from(["-", "->", " then ", "/"]), "_ALSO": st.sampled_from([" and ", "&", "+"])}
MADE = from_lark(GRAMMAR, start="line", explicit=LINKS, alphabet=st.characters(max_codepoint=127))


@given(MADE)
@settings(max_examples=60, deadline=None)
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


def parser(source: str, **options: Any) -> Lark:
    return Lark(source, parser="lalr", **options)


def read(lark: Lark) -> Any:
    """Return a function that reads like ``lark``, without builders."""
    small = Stepper(tables_of(lark))
    makers = small.makers(lambda name: partial(Part, name))
    return lambda line: plain(small.read(line, makers, small.text))


def tree(lark: Lark, line: str) -> Any:
    return plain(lark.parse(line))


def plain(found: Any) -> Any:
    """Return a tree of Lark's or of parts as lists."""
    match found:
        case Tree(data=name, children=children) | Part(name=name, children=children):
            return [str(name), *map(plain, children)]
        case _:
            return found


def test_words_that_lark_distinguishes_from_names() -> None:
    small = parser('start: ("if" NAME)+ "end"\nNAME: /[a-z]+/\n%ignore " "')
    assert read(small)("if a if b end") == tree(small, "if a if b end") == ["start", "a", "b"]
    with pytest.raises(UnreadableError):
        read(small)("if if if")


def test_an_empty_rule_and_an_empty_line() -> None:
    small = parser('start: sign NAME*\nsign: "-"?\nNAME: /[a-z]+/\n%ignore " "')
    for text in ("", " ", "-", "- a", "a b"):
        assert read(small)(text) == tree(small, text)
    with pytest.raises(UnreadableError):
        read(small)("a -")


def test_a_rule_without_a_builder_is_a_part_of_its_children() -> None:
    small = parser('start: pair\n?pair: NAME NAME | NAME\nNAME: /[a-z]+/\n%ignore " "')
    assert read(small)("a b") == tree(small, "a b") == ["start", ["pair", "a", "b"]]
    assert read(small)("a") == tree(small, "a") == ["start", "a"]


SMALL = parser('start: "a" "b"+\n%ignore " "')


@pytest.mark.parametrize(
    ("line", "index", "accepted"),
    [
        ("a ?", 2, {"B"}),  # No terminal at all begins so.
        ("a b a", 4, {"B", "$END"}),
        ("a", 1, {"B"}),
        ("", 0, {"A"}),
        ("a b", 3, {"B", "$END"}),  # Nothing is wrong.
    ],
)
def test_how_far_a_line_can_be_read(line: str, index: int, accepted: set[str]) -> None:
    small = Stepper(tables_of(SMALL))
    reached, states, _ = small.walk(line)
    assert reached == index
    assert {kind for kind in (*small.terminals, "$END") if small.after(states, kind)} == accepted
    assert (reached, accepted) == (lark_stop(SMALL, line)[0], lark_stop(SMALL, line)[1].accepts())


def test_a_step_that_does_not_fit_gives_no_states() -> None:
    steps = stepper(RULESET)
    _, states, _ = steps.walk("MOVE C3")
    assert steps.after(states, "LPAR") == ()
    assert steps.after(states, "$END")


@pytest.mark.parametrize("line", ["(" * 19 + "DRAW" + ")" * 19, "IF minutes < 3 THEN (" * 12 + "DRAW" + ")" * 12])
def test_a_deeply_nested_line_is_read_as_lark_reads_it(line: str) -> None:
    assert_same(line)


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*/recorded-003.json")), ids=lambda path: path.parent.name)
def test_stored_tables_read_what_lark_reads(path: Path) -> None:
    """In every game, each line of a recorded game."""
    game = load_game(path)
    rules = ruleset(game.ruleset.id)
    steps = Stepper(Tables(*marshal.loads(marshal.dumps(tuple(stepper(rules).tables)))))
    builders = line_parser(rules).keywords["makers"]
    entries = [link.entry for link in game.journal[1:]]
    lines = {words for entry in entries for words in (entry.order, entry.written, f"{entry.seat}: {entry.order}") if words}
    for line in sorted(lines | {"", "red:", "IF x THEN", "turn 7", "game x turn 3", "WITHDRAW", "WITHDRAW from order 2"}):
        right = said(value_parser(rules).parse, line)
        assert said(lambda line: steps.read(line, builders, steps.text), line) == right, line


@pytest.mark.parametrize(
    "line", ["ziehe", "rot: lege H3 auf C2", "wenn Minuten < 3 dann ziehe sonst nimm U7", "ziehhe", "lege"]
)
def test_other_languages_are_read_as_lark_reads_them(line: str) -> None:
    spoken = rules_with_languages(RULESET, ("de",))
    assert said(line_parser(spoken), line) == said(value_parser(spoken).parse, line)
    _, state = lark_stop(position_parser(spoken), line)
    steps = stepper(spoken)
    start, states, _ = steps.walk(line)
    assert start == lark_stop(position_parser(spoken), line)[0]
    accepted = {kind for kind in (*steps.terminals, "$END") if steps.after(states, kind)}
    assert accepted == {str(kind) for kind in state.accepts()}
