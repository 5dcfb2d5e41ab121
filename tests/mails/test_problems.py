"""Why a line cannot be read: in a player's words, with the place, the rule, and with what was probably meant."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudicator as adj
from tests.drivers.mails import RALLY, Reading, found, lines_run, new_game, read, read_at_turn_7, read_file

ORDERS = "orders are: PLACE, MOVE, DRAW, REFRESH, TAKE, DISCARD, KEEP"
ROTATION = "a rotation such as `rot 90`"
TILE = "a tile such as H3"
CELL = "a cell such as C2"
COMPARISON = "a comparison such as `=`, `<` or `has`"
END = "the end of the line"
BELOW = "; the orders below this line do not count"

# The line, what stands above the carets (empty: just behind the line), the code, the message, the suggestions.
UNREADABLE = [
    ("PLAEC H3 at C2", "PLAEC", "unknown-order", f"“PLAEC” is not an order; {ORDERS}", "PLACE H3 at C2"),
    ("MVOE C3", "MVOE", "unknown-order", f"“MVOE” is not an order; {ORDERS}", "MOVE C3"),
    ("PLAEC H3", "PLAEC", "unknown-order", f"“PLAEC” is not an order; {ORDERS}", "PLACE H3 at C2 rot 90"),
    ("MOVE C3 OR FLY", "FLY", "unknown-order", f"“FLY” is not an order; {ORDERS}", ""),
    ("red: DROW", "DROW", "unknown-order", f"“DROW” is not an order; {ORDERS}", "red: DRAW"),
    ("7", "7", "unknown-order", f"“7” is not an order; {ORDERS}", ""),
    ("IF hand < 3 THEN FLY", "FLY", "unknown-order", f"“FLY” is not an order; {ORDERS}", ""),
    ("PLACE", "", "incomplete", f"the line ends too early: expected {TILE}", ""),
    ("PLACE H3", "", "incomplete", f"the line ends too early: expected {CELL} or {ROTATION}", ""),
    ("PLACE H3 at C2 rot", "", "incomplete", "the line ends too early: expected a number", ""),
    ("MOVE", "", "incomplete", f"the line ends too early: expected {CELL}", ""),
    ("DRAW OR", "", "incomplete", "the line ends too early: expected an order", ""),
    ("DRAW [H5", "", "incomplete", "the line ends too early: expected an outcome such as H5 or `]`", ""),
    ("turn", "", "incomplete", f"the line ends too early: expected a number{BELOW}", ""),
    ("game", "", "incomplete", f"the line ends too early: expected the name of a game{BELOW}", ""),
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
    ("DRAW 3", "3", "unexpected", f"“3” does not fit here: expected {END}", ""),
    ("DRAW)", ")", "unexpected", f"“)” does not fit here: expected {END}", "DRAW"),
    ("DRAW ELSE MOVE C3", "ELSE", "unexpected", f"“ELSE” does not fit here: expected {END}", ""),
    ("DRAW []", "]", "unexpected", "“]” does not fit here: expected an outcome such as H5", ""),
    ("TAKE U7 U8", "U8", "unexpected", f"“U8” does not fit here: expected {END}", ""),
    ("turn x", "x", "unexpected", f"“x” does not fit here: expected a number{BELOW}", ""),
    ("game foo bar", "bar", "unexpected", f"“bar” does not fit here: expected `turn` or {END}{BELOW}", ""),
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
]


def below_red(line: str) -> Reading:
    """Return what is read in a text of red's at turn 7 with one line, which may name the seat or the turn itself."""
    return read_at_turn_7(line if re.match(r"(red|game|turn)\b", line) else f"red:\n{line}")


@pytest.mark.parametrize(("line", "above", "code", "message", "suggestion"), UNREADABLE, ids=[row[0] for row in UNREADABLE])
def test_unreadable(line: str, above: str, code: str, message: str, suggestion: str) -> None:
    problem = below_red(line).only
    assert (problem.code, problem.message, problem.seat) == (f"orders/{code}", message, problem.seat)
    assert problem.suggestions == ((suggestion,) if suggestion else ())
    place = line.rindex(above) if above else len(line)
    assert (problem.column, problem.width) == (place + 1, max(1, len(above)))


@pytest.mark.parametrize("line", [row[0] for row in UNREADABLE if row[4]])
def test_suggestions_can_be_read(line: str) -> None:
    for suggestion in below_red(line).only.suggestions:
        assert below_red(suggestion).codes in ([], ["empty"]), suggestion


RULES = [
    (RALLY, "TAKE", "CR-C2"),
    (RALLY, "PLACE 33 at C2", "CR-C2"),
    (RALLY, "PLACE H3 at 33", "CR-C1"),
    (RALLY, "PLACE H3 at C2 rot x", ""),  # any number may stand there: which, the game says of the order that is read
    (RALLY, "PLACE H3", ""),  # a cell by one rule, a rotation by another
    (RALLY, "DRAW 3", ""),
    (RALLY, "FLY", ""),
    (RALLY, "IF row has", ""),
    ("rally-round", "SPEED fast", "RR-M1"),
    ("rally-round", "PLACE TC at 33", "RR-C1"),
    ("checkered-flag", "GEAR x", "CF-C3"),
    ("checkpoint-charlie", "ACCUSE", "CC-C1"),
    ("great-race", "PLAY jerycan", "GR-C3"),
]


@pytest.mark.parametrize("line", ["REACT", "REACT danger", "REACT danger maybe"])
def test_what_only_older_rules_know_is_named_as_such(line: str) -> None:
    expected = "expected a limit (older rules only), `ask`, `never`, `using` or `with`"
    assert read(line, "great-race").only.message.endswith(expected)


@pytest.mark.parametrize(("game", "line", "rule"), RULES)
def test_the_rule_is_named_by_which_something_else_should_stand_there(game: str, line: str, rule: str) -> None:
    assert read(line, game).only.rule == rule


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
    ("checkpoint-rally", "draw2", "DRAW 2"),
    ("checkered-flag", "brake2", "BRAKE 2"),
    # Whatever stands for a name, an ending of the verb is none:
    ("checkpoint-rally", "keeping H3", "KEEP H3"),
    ("checkpoint-rally", "takes H3", "TAKE H3"),
]


OTHERS = [
    # Letters in another order are the likelier slip:
    ("great-race", "plna", "PLAN scouts 2 mechanics 2 escort 1"),
    ("great-race", "paly Saboteur", "PLAY Saboteur"),
    # A name of several words is put right as a whole:
    ("great-race", "take spare prats", "take Spare parts"),
    ("great-race", "take sparts parts", "take Spare parts"),
    ("great-race", "take trial hunter", "take Trail hunter"),
    # A word in a condition is only completed with a fact of the game:
    (RALLY, "IF minutes blue < 5 THEN draw", "IF minutes of blue < 5 THEN draw"),
    (RALLY, "TAKE U7 if it is still there, else draw", ""),
    (RALLY, "IF my minutes < 5 THEN DRAW", ""),
    (RALLY, "DRAW if I can", ""),
    # Letters with accents, and of another alphabet:
    ("rally-round", "Kít d1 n1 e4 s2 a2 b5", "KIT d1 n1 e4 s2 a2 b5"),
    ("great-race", "L\u0391Y mud at C2", "LAY mud at C2"),
    # A code with letters of a keyword is none:
    ("rally-round", "at FI6 OR SPEED 10", "SPEED 10"),
    # Letters that look like digits:
    ("rally-round", "TC3: 10 20 3O 20", "TC3: 10 20 30 20"),
    ("rally-round", "TC3: l0 20", "TC3: 10 20"),
    ("rally-round", "TC3: 10 2o", "TC3: 10 20"),
    ("rally-round", "TC3: I0 2O", "TC3: 10 20"),
    ("rally-round", "TC3: I0 2O 3l", ""),
    # A letter for the sign of degrees is no digit: `rot 90o` was mended to `rot 900`.
    *((RALLY, f"PLACE H3 at C2 rot {turn}", f"PLACE H3 at C2 rot {turn[:-1]}") for turn in ("90o", "180o", "270O")),
    (RALLY, "PLACE H3 at C2 rot 18O", "PLACE H3 at C2 rot 180"),
    # A courtesy with a slip in it is left out:
    (RALLY, "draw pleas", "draw"),
    (RALLY, "draw plaese", "draw"),
    (RALLY, "PLACE H3 at C2 rot 90 thaks", "PLACE H3 at C2 rot 90"),
    (RALLY, "DRAW. chers", "DRAW."),
    (RALLY, "draw tiels", "draw tiles"),
    (RALLY, "PLACE H3 at C2 rot 90 gsp", "PLACE H3 at C2 rot 90 gps"),
    (RALLY, "DRAW please 3", ""),
    (RALLY, "pls mvoe C3", "MOVE C3"),
    (RALLY, "please move", ""),
    (RALLY, "please H3 at C2 rot 90", "PLACE H3 at C2 rot 90"),
    (RALLY, "H3 at C2 rot 90", "PLACE H3 at C2 rot 90"),
    (RALLY, "C3", ""),
    (RALLY, "IF hand < 3 THEN please draw", "IF hand < 3 THEN draw"),
]


@pytest.mark.parametrize(("game", "line", "meant"), [*TWO_SLIPS, *GLUED, *OTHERS])
def test_what_was_probably_meant_is_suggested(game: str, line: str, meant: str) -> None:
    """Two slips are mended together, and a blank that is missing is put in: `speed20 30` was mended to `SPEED 30`."""
    suggestions = read(line, game).only.suggestions
    assert suggestions[:1] == ((meant,) if meant else ())


@pytest.mark.parametrize(
    ("game", "line", "never"),
    [
        (RALLY, "PLACE H3 at C2 rot 180 degrees counterclockwise", "clockwise"),
        (RALLY, "PLACE H3 at C2 rot 90 ccw", "cw"),
        ("checkpoint-charlie", "please! C3", "PASS"),
        ("checkpoint-charlie", "PASS not", "PASS"),
        ("great-race", "buy 2 tyres", "buy 2"),
        ("rally-round", "BLOCK not ever", "BLOCK"),
    ],
)
def test_no_suggestion_turns_the_meaning_round(game: str, line: str, never: str) -> None:
    (problem,) = (one for one in read(line, game).raw if one.line)
    assert problem.code.startswith("orders/")
    assert [suggestion for suggestion in problem.suggestions if suggestion.strip().endswith(never)] == []


def test_a_long_word_is_shortened_and_a_place_is_where_the_words_end() -> None:
    long = below_red("TAKE U7 " + "X" * 400).only
    assert long.message.startswith("“" + "X" * 39 + "…”")
    assert long.column + long.width == len(long.text) + 1 < 400, "as much as is quoted"
    assert below_red("DRAW OR ,,  ").only.column == len("DRAW OR ,,") + 1
    assert below_red("DRAW" + " ," * 200 + "+" * 50).only.code == "orders/unexpected"


FOREIGN = {"i": "İı", "k": "\u212a", "s": "ſ"}
"""The letters beyond ASCII that Python's patterns take for one of the alphabet, in any case."""
FOLDED = (
    *("IF hand is 3 THEN DRAW", "IF hand is at least 3 THEN DRAW", "IF hand has G1 THEN DRAW ELSE REFRESH"),
    *("IF G1 is in hand THEN DISCARD G1", "PLACE G1 at A1 rot 90 using gps", "DISCARD G1 and G2", "DRAW two tiles"),
)


@pytest.mark.parametrize("line", FOLDED)
def test_a_foreign_letter_in_a_keyword_is_a_problem_of_its_line(line: str) -> None:
    """`IF hand ıs 3` comes from a Turkish keyboard: it was a failure of the program."""
    assert below_red(line).problems == []
    places = [(at, other) for at, letter in enumerate(line) for other in FOREIGN.get(letter.lower(), "")]
    assert places
    for at, other in places:
        problem = below_red(f"{line[:at]}{other}{line[at + 1 :]}").only
        assert problem.code.startswith("orders/")
        assert problem.line in (0, 2)


@pytest.mark.parametrize("line", ["GEAR firſt", "SHİFT to 2", "bra\u212ae 2", "gear thırd"])
def test_so_it_is_in_the_words_of_a_game(line: str) -> None:
    assert read(f"GEAR 1\n\n{line}\nGEAR 2", "checkered-flag").red == ["GEAR 1"] or read(line, "checkered-flag").problems


# Where the blame lies, of problems that no position can change.

PLACES = [
    ("MOVE C3 Z9", ["unknown-cell Z9"]),
    ("red: MOVE Z9-D3", ["unknown-cell Z9"]),
    ("MOVE C3 OR MOVE C3 Z9", ["unknown-cell Z9"]),
    ("place h3@z9 rot 90° gps", ["unknown-cell z9"]),
    ("PLACE H3 at C2 rot 91", ["bad-rotation rot 91"]),
    ("PLACE H3 C2 45 deg", ["bad-rotation 45 deg"]),
    ("PLACE H3 rot 45 at C2", ["bad-rotation rot 45"]),
    ("**MOVE** “Z9”", ["unknown-cell Z9"]),
    ("TAKE u99 from the row", ["unknown-tile u99"]),
    ("DISCARD G7 and H99", ["unknown-tile H99"]),
    ("IF cost of TAKE U99 < 1 THEN TAKE U7", ["unknown-tile U99"]),
    ("IF row has U7 THEN TAKE U7 ELSE TAKE U98", ["unknown-tile U98"]),
    ("(TAKE U7 OR (TAKE U98 OR DRAW))", ["unknown-tile U98"]),
    ("IF cost of MOVE Z9 < 2 THEN DRAW", ["unknown-cell Z9"]),
    ("PLACE H99 C2 OR PLACE H3 Q9 OR PLACE H3 C2 45", ["unknown-tile H99", "unknown-cell Q9", "bad-rotation 45"]),
    ("IF hnad < 3 AND wor has U7 THEN MOVE C3 D3 E3", ["unknown-fact hnad", "unknown-fact wor", "three-steps E3"]),
    ("IF hand < 3 AND tiel at C3 = H3 THEN DRAW", ["unknown-fact tiel at C3"]),
    ("KEEP H3 H3 U7", ["tile-twice H3"]),
    ("DRAW IF tile at C3 = H3", []),
    ("DRAW IF tile at Z9 = H3 AND row has X9", ["unknown-name Z9", "unknown-name X9"]),
    ("DRAW IF X9 in row OR DRAW IF row of blue has H3", ["unknown-name X9", "no-argument blue"]),
    ("DRAW IF minutes of pink > 3", ["unknown-name pink"]),
    ("DRAW; DRAW; MOVE C3 OR MOVE Z9", ["unknown-cell Z9"]),
]


@pytest.mark.parametrize(("line", "told"), PLACES, ids=[line for line, _ in PLACES])
def test_the_caret_stands_under_the_part_that_is_to_blame(line: str, told: list[str]) -> None:
    problems = sorted(below_red(line).raw, key=lambda one: one.column)
    assert sorted(f"{one.code.partition('/')[2]} {found(one).above}" for one in problems) == sorted(told)
    assert {one.text for one in problems} <= {line}


@pytest.mark.parametrize(("line", "column"), [("KEEP H3 U1 H3", 12), ("MOVE C3 C3 C3", 12)])
def test_of_several_words_alike_the_later_is_to_blame(line: str, column: int) -> None:
    assert below_red(line).raw[0].column == column


@pytest.mark.parametrize("reader", [read, read_file], ids=["a mail", "a file"])
def test_a_player_and_the_moderator_see_the_same_place(reader: Any) -> None:
    line = "DRAW, then MOVE Z9 please."
    seat = new_game().seats[0]
    (own,) = new_game().seen_by(seat).check(f"{seat}:\n{line}").problems
    (whole,) = new_game().apply(f"{seat}:\n{line}").problems
    assert found(own) == found(whole) == (2, "checkpoint-rally/unknown-cell", "Z9")
    assert reader(line).problems == []  # the words can be read


GOOD = [
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


LEAK = re.compile(r"__ANON|\$END|\b_[A-Z]|\\[sdw]|\(\?|\b(LPAR|RPAR|LSQB|RSQB|COLON|RELATION|INT|NAME|ID|OUTCOME|SEAT)\b")


def assert_fit_for_players(line: str) -> None:
    if line.strip():
        for one in (one for one in below_red(line).raw if one.line):
            told = re.sub(r"“[^”]*”", "", one.message)  # What the player wrote may be anything.
            assert not LEAK.search(told), told
            assert 1 <= one.column <= len(one.text) + 1
            assert 1 <= one.width <= max(1, len(one.text) + 1 - one.column)
            assert one.message.isprintable()


@given(st.sampled_from(GOOD), st.lists(MUTATION, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_messages_are_in_a_player_s_words(line: str, mutations: list[tuple[str, int, str]]) -> None:
    assert_fit_for_players(mutated(line, mutations))


@pytest.mark.soak
@given(st.sampled_from(GOOD), st.lists(MUTATION, min_size=1, max_size=8))
@settings(max_examples=10_000, deadline=None)
def test_messages_are_in_a_player_s_words_at_length(line: str, mutations: list[tuple[str, int, str]]) -> None:
    assert_fit_for_players(mutated(line, mutations))


def test_what_is_explained_once_costs_little_again() -> None:
    texts = [f"red:\nTAKE U7 once{number} for{number} all" for number in range(50)]
    first = lines_run(lambda: read_at_turn_7(texts[0]))
    later = [lines_run(lambda text=text: read_at_turn_7(text)) for text in texts[1:]]  # type: ignore[misc]
    assert max(later) <= 2 * max(first, min(later))


def test_a_line_is_checked_with_what_only_its_own_seat_knows() -> None:
    """What a player's own file knows gives the same answer as the game."""
    game = new_game()
    own = adj.open(game.seen_by("red").own_file())
    assert [found(one) for one in own.seen_by().check({"red": "DROW"}).problems] == [
        found(one) for one in game.seen_by("red").check({"red": "DROW"}).problems
    ]
