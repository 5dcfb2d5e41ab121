"""Why a line cannot be read: in a player's words, with the place, and with what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders import expected, explain
from adjudicator.orders.clean import clean
from adjudicator.orders.line_parser import stepper
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import reader
from adjudicator.rulesets import ruleset

ORDERS = "orders are: PLACE, MOVE, DRAW, REFRESH, TAKE, DISCARD, KEEP"
ROTATION = "a rotation such as `rot 90`"
TILE = "a tile such as H3"
CELL = "a cell such as C2"
COMPARISON = "a comparison such as `=`, `<` or `has`"
END = "the end of the line"

# The line, what stands above the carets (empty: just behind the line), the code, the message, the suggestions.
UNREADABLE = [
    ("PLAEC H3 at C2", "PLAEC", "unknown-order", f"“PLAEC” is not an order; {ORDERS}", "PLACE H3 at C2"),
    ("MVOE C3", "MVOE", "unknown-order", f"“MVOE” is not an order; {ORDERS}", "MOVE C3"),
    ("DRAWING", "DRAWING", "unknown-order", f"“DRAWING” is not an order; {ORDERS}", "DRAW"),
    ("PLAEC H3", "PLAEC", "unknown-order", f"“PLAEC” is not an order; {ORDERS}", "PLACE H3 at C2 rot 90"),
    ("MOVE C3 OR FLY", "FLY", "unknown-order", f"“FLY” is not an order; {ORDERS}", ""),
    ("red: DROW", "DROW", "unknown-order", f"“DROW” is not an order; {ORDERS}", "red: DRAW"),
    ("Hello", "Hello", "unknown-order", f"“Hello” is not an order; {ORDERS}", ""),
    ("Hi there, my orders:", "Hi", "unknown-order", f"“Hi” is not an order; {ORDERS}", ""),
    ("7", "7", "unknown-order", f"“7” is not an order; {ORDERS}", ""),
    ("IF hand < 3 THEN FLY", "FLY", "unknown-order", f"“FLY” is not an order; {ORDERS}", ""),
    ("PLACE", "", "incomplete", f"the line ends too early: expected {TILE}", ""),
    ("PLACE H3", "", "incomplete", f"the line ends too early: expected {CELL} or {ROTATION}", ""),
    ("PLACE H3 at C2 rot", "", "incomplete", "the line ends too early: expected a number", ""),
    ("MOVE", "", "incomplete", f"the line ends too early: expected {CELL}", ""),
    ("DRAW OR", "", "incomplete", "the line ends too early: expected an order", ""),
    ("DRAW [H5", "", "incomplete", "the line ends too early: expected an outcome such as H5 or `]`", ""),
    ("(DRAW", "", "incomplete", "the line ends too early: expected `)`", ""),
    ("turn", "", "incomplete", "the line ends too early: expected a number", ""),
    ("game", "", "incomplete", "the line ends too early: expected the name of a game", ""),
    ("IF", "", "incomplete", "the line ends too early: expected a fact such as `minutes`", ""),
    ("IF row", "", "incomplete", f"the line ends too early: expected {COMPARISON}, `of`, `in` or `not in`", ""),
    ("IF row has", "", "incomplete", "the line ends too early: expected a number or a name", ""),
    ("IF row has U7", "", "incomplete", "the line ends too early: expected `of`, `AND` or `THEN`", ""),
    ("IF row has U7 THEN", "", "incomplete", "the line ends too early: expected an order", ""),
    ("IF tile at", "", "incomplete", "the line ends too early: expected a name", ""),
    (
        "PLACE H3 at C2 foo",
        "foo",
        "unexpected",
        f"“foo” does not fit here: expected {ROTATION}, `gps` or {END}",
        "",
    ),
    (
        "PLACE H3 at C2 rto 90",
        "rto",
        "unexpected",
        f"“rto” does not fit here: expected {ROTATION}, `gps` or {END}",
        "PLACE H3 at C2 rot 90",
    ),
    ("PLACE 33 at C2", "33", "unexpected", f"“33” does not fit here: expected {TILE}", ""),
    ("PLACE H3 at 33", "33", "unexpected", f"“33” does not fit here: expected {CELL}", ""),
    (
        "PLACE H3 at C2 90 gsp",
        "gsp",
        "unexpected",
        f"“gsp” does not fit here: expected `gps` or {END}",
        "PLACE H3 at C2 90 gps",
    ),
    ("PLACE H3 C2 rot 1234567", "1234567", "unexpected", "“1234567” is too large: a number has at most 6 digits", ""),
    ("DRAW please", "please", "unexpected", f"“please” does not fit here: expected {END}", "DRAW"),
    ("DRAW 3", "3", "unexpected", f"“3” does not fit here: expected {END}", ""),
    ("DRAW)", ")", "unexpected", f"“)” does not fit here: expected {END}", "DRAW"),
    ("DRAW ELSE MOVE C3", "ELSE", "unexpected", f"“ELSE” does not fit here: expected {END}", ""),
    ("DRAW []", "]", "unexpected", "“]” does not fit here: expected an outcome such as H5", ""),
    ("TAKE U7 U8", "U8", "unexpected", f"“U8” does not fit here: expected {END}", ""),
    ("turn x", "x", "unexpected", "“x” does not fit here: expected a number", ""),
    ("game foo bar", "bar", "unexpected", f"“bar” does not fit here: expected `turn` or {END}", ""),
    ("red::", ":", "unexpected", "“:” does not fit here: expected an order", "red:"),
    ("¿DRAW?", "¿", "unexpected", "“¿” does not fit here: expected an order", ""),
    (
        "IF row hsa U7 THEN DRAW",
        "hsa",
        "unexpected",
        f"“hsa” does not fit here: expected {COMPARISON}, `of`, `in` or `not in`",
        "IF row has U7 THEN DRAW",
    ),
    (
        "IF row has U7 TEHN DRAW",
        "TEHN",
        "unexpected",
        "“TEHN” does not fit here: expected `of`, `AND` or `THEN`",
        "IF row has U7 THEN DRAW",
    ),
    (
        "IF hand < 3 DRAW",
        "DRAW",
        "unexpected",
        "“DRAW” does not fit here: expected `AND` or `THEN`",
        "IF hand < 3 THEN DRAW",
    ),
    (
        "IF (hand < 3 OR gps = 1 THEN DRAW",
        "THEN",
        "unexpected",
        "“THEN” does not fit here: expected `)` or `AND`",
        "IF (hand < 3 OR gps = 1) THEN DRAW",
    ),
    (
        "IF hand < 3 OR gps = 1 THEN DRAW",
        "OR",
        "unexpected",
        "“OR” does not fit here: expected `AND` or `THEN`; put brackets around conditions with OR between them",
        "IF (hand < 3 OR gps = 1) THEN DRAW",
    ),
    (
        "MOVE С3",  # A letter of the Cyrillic alphabet.
        "С3",
        "unexpected",
        f"“С3” does not fit here: expected {CELL} (“С” is not one of the letters A to Z)",
        "",
    ),
    ("DRAW DRAW", "DRAW", "two-orders", "“DRAW” begins a second order: write each order on its own line", ""),
    ("DRAW, MOVE C3", "MOVE", "two-orders", "“MOVE” begins a second order: write each order on its own line", ""),
    ("MOVE C3 and draw", "draw", "two-orders", "“draw” begins a second order: write each order on its own line", ""),
    ("MOVE C3 & then DRAW", "DRAW", "two-orders", "“DRAW” begins a second order: write each order on its own line", ""),
]


@pytest.mark.parametrize(("line", "above", "code", "message", "suggestion"), UNREADABLE, ids=[row[0] for row in UNREADABLE])
def test_unreadable(
    problem: Callable[[str], LineProblem], line: str, above: str, code: str, message: str, suggestion: str
) -> None:
    found = problem(line)
    assert found.problem.code == f"orders/{code}"
    assert found.problem.message == message
    assert found.problem.suggestions == ((suggestion,) if suggestion else ())
    place = line.rindex(above) if above else len(line)
    assert (found.column, found.width) == (place + 1, max(1, len(above)))


@pytest.mark.parametrize("line", [row[0] for row in UNREADABLE if row[4]])
def test_suggestions_can_be_read(problem: Callable[[str], LineProblem], line: str) -> None:
    for suggestion in problem(line).problem.suggestions:
        assert not isinstance(reader(RULESET).read(clean(suggestion)), LineProblem)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("TAKE", "CR-C2"),
        ("PLACE 33 at C2", "CR-C2"),
        ("PLACE H3 at 33", "CR-C1"),
        ("PLACE H3 at C2 rot x", ""),  # any number may stand there: which, the game says of the order that is read
        ("PLACE H3", ""),  # a cell by one rule, a rotation by another
        ("DRAW 3", ""),
        ("FLY", ""),
        ("IF row has", ""),
    ],
)
def test_the_rule_is_named_by_which_something_else_should_stand_there(
    problem: Callable[[str], LineProblem], line: str, rule: str
) -> None:
    assert problem(line).problem.rule == rule


@pytest.mark.parametrize(
    ("game", "line", "rule"),
    [
        ("rally-round", "SPEED fast", "RR-M1"),
        ("rally-round", "PLACE TC at 33", "RR-C1"),
        ("checkered-flag", "GEAR x", "CF-C3"),
        ("checkpoint-charlie", "ACCUSE", "CC-C1"),
        ("great-race", "PLAY jerycan", "GR-C3"),
    ],
)
def test_so_it_is_in_the_other_games(game: str, line: str, rule: str) -> None:
    parsed = reader(ruleset(game)).read(line)
    assert isinstance(parsed, LineProblem)
    assert parsed.problem.rule == rule


@pytest.mark.parametrize(("line", "verb"), [("plna", "PLAN"), ("paly Saboteur", "PLAY")])
def test_letters_in_another_order_are_the_likelier_slip(line: str, verb: str) -> None:
    parsed = reader(ruleset("great-race")).read(line)
    assert isinstance(parsed, LineProblem)
    assert parsed.problem.suggestions[0].split()[0] == verb


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("TC3: 10 20 3O 20", "TC3: 10 20 30 20"),
        ("TC3: l0 20", "TC3: 10 20"),
        ("TC3: 10 2o", "TC3: 10 20"),
        ("TC3: I0 2O", "TC3: 10 20"),
        ("TC3: I0 2O 3l", ""),
    ],
)
def test_letters_that_look_like_digits(line: str, meant: str) -> None:
    parsed = reader(ruleset("rally-round")).read(line)
    assert isinstance(parsed, LineProblem)
    assert parsed.problem.suggestions[:1] == ((meant,) if meant else ())


TWO_SLIPS = [
    ("checkpoint-rally", "palce H3 a1 rot 9O", "PLACE H3 a1 rot 90"),
    ("checkpoint-rally", "PLACE H3 a1 rto 9O", "PLACE H3 a1 rot 90"),
    ("checkpoint-rally", "PLACE H3 a1 rto 90 gsp", "PLACE H3 a1 rot 90 gps"),
    ("checkpoint-rally", "IF row hsa U7 TEHN DRAW", "IF row has U7 THEN DRAW"),
    ("checkpoint-rally", "IF row hsa U7 THEN DRWA", "IF row has U7 THEN DRAW"),
    ("checkpoint-rally", "palce H3 a1 rot 90 please", "PLACE H3 a1 rot 90"),
    ("checkpoint-rally", "PLACE H3 a1 rot 9O gsp", "PLACE H3 a1 rot 90 gps"),
    ("rally-round", "seped 3O", "SPEED 30"),
    # The second is none, or lies where the first does:
    ("checkpoint-rally", "palce H3", "PLACE H3 at C2 rot 90"),
    ("checkpoint-rally", "palce 33 a1 rot 90", "PLACE H3 at C2 rot 90"),
    ("checkpoint-rally", "PLACE H3 a1 rto 90 DRAW", ""),
    # Three are too many to be sure:
    ("checkpoint-rally", "palce H3 a1 rto 9O", "PLACE H3 at C2 rot 90"),
    ("checkpoint-rally", "PLACE H3 a1 rto 9O gsp", ""),
    # What is left out as a second slip must mean nothing:
    ("checkpoint-charlie", "LCUE no please hat", "CLUE no hat"),
    ("checkpoint-rally", "palce H3 a1 rot 90 quickly", "PLACE H3 at C2 rot 90"),
    ("checkpoint-rally", "PLACE H3 a1 rot 9O x", ""),
]


@pytest.mark.parametrize(("game", "line", "meant"), TWO_SLIPS)
def test_two_slips_of_a_line_are_mended_together(game: str, line: str, meant: str | tuple[str, ...]) -> None:
    parsed = reader(ruleset(game)).read(line)
    assert isinstance(parsed, LineProblem)
    assert parsed.problem.suggestions == (meant if isinstance(meant, tuple) else (meant,) if meant else ())


GLUED = [
    ("checkered-flag", "gear1", "GEAR 1"),
    ("checkered-flag", "gaer1", "GEAR 1"),
    ("checkered-flag", "gear1brake to 3", "GEAR 1brake to 3"),
    ("checkered-flag", "gear 1 braketo 3", "gear 1 brake to 3"),
    ("checkpoint-rally", "placeH3 at C2 rot 90", "PLACE H3 at C2 rot 90"),
    ("checkpoint-rally", "palceH3 C2", "PLACE H3 C2"),
    ("checkpoint-rally", "movec3 d3", "MOVE c3 d3"),
    ("checkpoint-rally", "takeh3", "TAKE h3"),
    ("checkpoint-rally", "if minutes<5 thenplace H3 at C2", "if minutes<5 THEN place H3 at C2"),
    ("rally-round", "speed20 30", "SPEED 20 30"),
    ("rally-round", "turnround", "TURN ROUND"),
    ("checkpoint-rally", "draw2", "DRAW 2"),
    ("checkered-flag", "brake2", "BRAKE 2"),
    # Whatever stands for a name, an ending of the verb is none:
    ("checkpoint-rally", "keeping H3", "KEEP H3"),
    ("checkpoint-rally", "takes H3", "TAKE H3"),
]


@pytest.mark.parametrize(("game", "line", "meant"), GLUED)
def test_a_blank_that_is_missing_is_put_in(game: str, line: str, meant: str) -> None:
    """`speed20 30` was mended to `SPEED 30`, and `gear1` to an example with another gear."""
    parsed = reader(ruleset(game)).read(line)
    assert isinstance(parsed, LineProblem)
    assert parsed.problem.suggestions[:1] == (meant,)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("take spare prats", "take Spare parts"),
        ("take sparts parts", "take Spare parts"),
        ("take trial hunter", "take Trail hunter"),
    ],
)
def test_a_name_of_several_words_is_put_right_as_a_whole(line: str, meant: str) -> None:
    """The second word was left out: `take spare`."""
    parsed = reader(ruleset("great-race")).read(line)
    assert isinstance(parsed, LineProblem)
    assert parsed.problem.suggestions == (meant,)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("draw pleas", "draw"),
        ("draw plaese", "draw"),
        ("draw pls", "draw"),
        ("PLACE H3 at C2 rot 90 pls", "PLACE H3 at C2 rot 90"),
        ("PLACE H3 at C2 rot 90 thaks", "PLACE H3 at C2 rot 90"),
        ("DRAW. chers", "DRAW."),
        ("draw tiels", "draw tiles"),
        ("PLACE H3 at C2 rot 90 gsp", "PLACE H3 at C2 rot 90 gps"),
        ("DRAW please 3", ""),
        ("please draw", "draw"),
        ("Please, draw", "draw"),
        ("pls mvoe C3", "MOVE C3"),
        ("please move", ""),
        ("please H3 at C2 rot 90", "PLACE H3 at C2 rot 90"),
        ("IF hand < 3 THEN please draw", "IF hand < 3 THEN draw"),
    ],
)
def test_a_courtesy_with_a_slip_in_it_is_left_out(problem: Callable[[str], LineProblem], line: str, meant: str) -> None:
    assert problem(line).problem.suggestions == ((meant,) if meant else ())


def test_a_long_word_is_shortened(problem: Callable[[str], LineProblem]) -> None:
    found = problem("X" * 400)
    assert found.problem.message.startswith("“" + "X" * 39 + "…” is not an order")
    assert found.width == 400


def test_blanks_before_the_end_do_not_count(problem: Callable[[str], LineProblem]) -> None:
    assert problem("DRAW OR ,,  ").column == len("DRAW OR ,,") + 1


def test_separators_are_looked_through_in_no_time(problem: Callable[[str], LineProblem]) -> None:
    assert problem("DRAW" + " ," * 200 + "+" * 50).problem.code == "orders/unexpected"


def test_what_could_stand_at_a_place_is_found_out_once_for_all_lines_that_stop_there(
    problem: Callable[[str], LineProblem], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []
    real = expected._Place
    monkeypatch.setattr(expected, "_Place", lambda *given: found.append(given[2]) or real(*given))
    messages = {problem(f"TAKE U7 once{number} for{number} all").problem.message.partition("”")[2] for number in range(50)}
    assert messages == {f" does not fit here: expected {END}"}
    assert len(found) <= 1


def test_a_line_that_comes_again_is_explained_once(
    problem: Callable[[str], LineProblem], monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[str] = []
    real = explain.parse_failure
    monkeypatch.setattr(explain, "parse_failure", lambda rules, line: stopped.append(line) or real(rules, line))
    assert problem("MOVE C3 again and again") == problem("MOVE C3 again and again")
    assert stopped == ["MOVE C3 again and again"]


GRAMMAR_WORDS = {*stepper(RULESET).terminals} - {
    "COST",  # Words that players may write themselves.
    "NAME",
    "ID",
    "INT",
    "LINK",
} | {symbol for symbol in stepper(RULESET).tables.openings if "_" in symbol}
LEAK = re.compile(r"__ANON|\$END|\b_[A-Z]|\\[sdw]|\(\?|" + "|".join(rf"\b{re.escape(word)}\b" for word in GRAMMAR_WORDS))
GOOD = [row[4] for row in UNREADABLE if row[4]] + [
    "game rally-042 turn 7",
    "turn 7",
    "red: PLACE H3 at C2 rot 90 gps [H5 G2]",
    "IF tile at C3 = H3 AND NOT (gps = 0 OR minutes of blue > 5) THEN (DRAW OR MOVE C3) ELSE KEEP H3 U1 U2",
    "TAKE U7 IF cost of MOVE C3 D3 <= 4 OR DISCARD G7 and H2",
]
PIECES = [
    "THEN",
    "IF",
    "OR",
    "(",
    ")",
    "[",
    "]",
    ":",
    "rot",
    "gps",
    "90",
    "C3",
    "of",
    "in",
    "x",
    "é",
    "°",
    "<",
    "\u200b",
    "#",
    "-",
]
MUTATION = st.tuples(st.sampled_from(["cut", "drop", "swap", "put"]), st.integers(0, 99), st.sampled_from(PIECES))


def mutated(line: str, mutations: list[tuple[str, int, str]]) -> str:
    words = line.split(" ")
    for how, where, piece in mutations:
        at = where % len(words) if words else 0
        if how == "put" or not words:
            words.insert(at, piece)
        elif how == "drop":
            del words[at]
        elif how == "swap":
            words[at], words[0] = words[0], words[at]
        else:
            letter = where % (len(words[at]) or 1)
            words[at] = words[at][:letter] + words[at][letter + 1 :]
    return " ".join(words)


def assert_fit_for_players(line: str, parsed: Any) -> None:
    if not isinstance(parsed, LineProblem):
        return
    told = re.sub(r"“[^”]*”", "", parsed.problem.message)  # What the player wrote may be anything.
    assert not LEAK.search(told), told
    assert 1 <= parsed.column <= len(line) + 1
    assert 1 <= parsed.width <= max(1, len(line) + 1 - parsed.column)
    assert parsed.problem.message.isprintable()
    assert parsed.problem.code.startswith("orders/")
    for suggestion in parsed.problem.suggestions:
        assert not isinstance(reader(RULESET).read(clean(suggestion)), LineProblem)


@given(st.sampled_from(GOOD), st.lists(MUTATION, min_size=1, max_size=4))
@settings(max_examples=80, deadline=None)
def test_messages_are_in_a_player_s_words(line: str, mutations: list[tuple[str, int, str]]) -> None:
    cleaned = clean(mutated(line, mutations))
    assert_fit_for_players(cleaned, reader(RULESET).read(cleaned))


@pytest.mark.soak
@given(st.sampled_from(GOOD), st.lists(MUTATION, min_size=1, max_size=8))
@settings(max_examples=30_000, deadline=None)
def test_messages_are_in_a_player_s_words_at_length(line: str, mutations: list[tuple[str, int, str]]) -> None:
    cleaned = clean(mutated(line, mutations))
    assert_fit_for_players(cleaned, reader(RULESET).read(cleaned))
