"""What players may write: every variant is the same order as its canonical words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from lark.exceptions import GrammarError
from lark_oracle import value_parser

from adjudicator.core.frozen import change
from adjudicator.core.order import expression_text
from adjudicator.core.ruleset import Language, Meta
from adjudicator.core.step import EngineFaultError
from adjudicator.games.checkpoint_rally.orders import DrawTwo
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders import grammar
from adjudicator.orders.build import GameHeader, OrderLine, TurnHeader
from adjudicator.orders.clean import clean
from adjudicator.orders.line_parser import line_parser, part_parser
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import reader

VARIANTS = {
    "PLACE H3 at C2 rot 90": [
        "place h3 c2 90",
        "PLACE H3 AT C2 ROTATE 90",
        "Place h3 at c2, rot 90.",
        "place h3@c2 rot90",
        "PLACE H3 @ C2 90°",
        "PLACE H3 at C2 90º",
        "place H3 in C2 rotated 90 deg",
        "place H3 on C2, rotation: 90 degrees",
        "place H3 to C2 rot=90",
        "put H3 onto C2 turn 90",
        "lay H3 at C2 rotated by 90 degrees clockwise",
        "put the H3 tile at C2, turned 90",
        "put the tile H3 on C2 turned 90",
        "PLACE H3 -> C2 90",
        "PLACE H3 → C2 90° cw",
        "PLACE H3 rot 90 at C2",
        "place h3 90 c2",
        "PLACE “H3” at ‘C2’ rot 90",
        "PLACE\tH3\tat\tC2\trot\t90",
        "PLACE\u00a0H3\u00a0at C2\u2009rot 90",
        "PLACE H3 at C2 rot 90 # it fits there",
        "PLACE H3 at C2 rot 90; it fits there",
        "ＰＬＡＣＥ　Ｈ３　ａｔ　Ｃ２　ｒｏｔ　９０",
    ],
    "PLACE H3 at C2 rot 0": ["place h3 c2", "PLACE H3 at C2", "PLACE H3 at C2 rot 0"],
    "PLACE H3 at C2 rot 90 gps": [
        "place h3 c2 90 gps",
        "PLACE H3 at C2 gps rot 90",
        "PLACE H3 rot 90 at C2 gps",
        "PLACE H3 at C2 rot 90 with GPS",
        "PLACE H3 at C2 rot 90, using gps!",
    ],
    "MOVE C3": ["move c3", "Move to C3", "drive C3", "*MOVE* c3", "**Move C3**", "`MOVE C3`"],
    "MOVE C3 D3": [
        "move to c3 then d3",
        "MOVE C3-D3",
        "MOVE C3 - D3",
        "MOVE C3 – D3",
        "MOVE C3 — D3",
        "MOVE C3 -> D3",
        "MOVE C3->D3",
        "MOVE C3 --> D3",
        "MOVE C3 => D3",
        "MOVE C3 > D3",
        "MOVE C3 → D3",
        "MOVE C3/D3",
        "MOVE C3, D3",
        "MOVE C3, then D3",
        "move c3 and d3",
        "move c3 and then to d3",
        "drive to C3 via D3",
        "- MOVE C3 D3",
        "– MOVE C3 D3",
        "* MOVE C3 D3",
        "• MOVE C3 D3",
        "1. MOVE C3 D3",
        "12) MOVE C3 D3",
    ],
    "DRAW": [
        "draw",
        "Draw.",
        "DRAW!",
        "- draw",
        "1. DRAW",
        "* DRAW",
        "*DRAW*",
        "draw 2",
        "DRAW two tiles",
        "draw tiles",
        "draw two cards",
        "(DRAW)",
    ],
    "REFRESH": ["refresh", "REFRESH row", "Refresh the row."],
    "TAKE U7": ["take u7", "Take U7 from the row", "TAKE U7 from row", "take the U7 tile from the row"],
    "DISCARD G7 H2": ["discard h2 g7", "DISCARD G7 and H2", "discard g7 + h2", "DISCARD G7 & the H2"],
    "KEEP H3 U1 U2": ["keep u2 u1 h3", "KEEP H3, U1 and U2", "KEEP H3,U1,U2"],
    "MOVE C3 OR DRAW": ["move c3 or draw", "MOVE C3, OR DRAW.", "(MOVE C3) or (DRAW)", "(MOVE C3 OR DRAW)"],
    "IF row has U7 THEN TAKE U7 ELSE DRAW": [
        "if row has u7 then take u7 else draw",
        "If row contains U7, then take U7, otherwise draw.",
        "IF row includes U7 THEN TAKE U7 ELSE DRAW",
        "TAKE U7 IF row has U7 ELSE DRAW",
        "(TAKE U7) if row has U7 otherwise draw",
    ],
    "IF U7 in row THEN TAKE U7": ["take u7 if u7 in row", "TAKE U7 if U7 is in row"],
    "IF NOT U7 in row THEN REFRESH": ["refresh if u7 not in row", "REFRESH IF U7 is not in row", "refresh if not U7 in row"],
    "IF minutes <= 3 THEN DRAW": [
        "draw if minutes ≤ 3",
        "draw if minutes =< 3",
        "draw if minutes at most 3",
        "DRAW IF minutes is at most 3",
    ],
    "IF minutes >= 3 THEN DRAW": ["draw if minutes => 3", "draw if minutes ≥ 3", "DRAW IF minutes is at least 3"],
    "IF minutes < 3 THEN DRAW": ["draw if minutes less than 3", "draw if minutes is fewer than 3", "draw if minutes<3"],
    "IF minutes > 3 THEN DRAW": ["draw if minutes more than 3", "draw if minutes is more than 3"],
    "IF minutes = 3 THEN DRAW": ["draw if minutes is 3", "draw if minutes == 3"],
    "IF minutes != 3 THEN DRAW": ["draw if minutes is not 3", "draw if minutes <> 3", "draw if minutes ≠ 3"],
    "IF tile at C3 = H3 AND NOT gps = 0 THEN (DRAW OR MOVE C3)": [
        "if tile at c3 is H3 and not gps is 0 then (draw or move c3)"
    ],
    "IF (minutes < 5 OR cost of MOVE C3 D3 > 2) THEN DRAW": ["if (minutes < 5 or cost of move c3 d3 > 2) then draw"],
    "IF minutes < cost of MOVE C3 AND hand < 3 THEN DRAW": ["draw if minutes < cost of move to c3 and hand < 3"],
    "IF minutes < cost of MOVE C3 AND U7 in row THEN DRAW": ["draw if minutes < cost of move c3 and U7 in row"],
    "IF minutes = cost of DISCARD G7 AND U7 in row THEN DRAW": ["draw if minutes = cost of discard g7 and U7 is in row"],
    "IF cost of MOVE C3 D3 <= 4 THEN MOVE C3 D3": ["move c3 d3 if cost of move c3-d3 <= 4"],
    "(IF hand < 3 THEN TAKE U7) OR DRAW": ["TAKE U7 if hand < 3 or draw"],
    "IF hand < 3 THEN DRAW ELSE (IF row has U7 THEN TAKE U7 ELSE REFRESH)": [
        "if hand < 3 then draw else if row has U7 then take U7 else refresh"
    ],
    "IF hand < 3 THEN (DRAW OR REFRESH)": ["(draw or refresh) if hand < 3", "if hand < 3 then (draw or refresh)"],
}


PAIRS = [(canonical, written) for canonical, several in VARIANTS.items() for written in several]


@pytest.mark.parametrize(("canonical", "written"), PAIRS)
def test_a_variant_is_the_order_it_means(order: Callable[[str], Any], canonical: str, written: str) -> None:
    words = expression_text(order(written), RULESET.language.text)
    assert words.casefold() == canonical.casefold()  # The names in conditions stay as written.
    assert order(words) == order(written)


@pytest.mark.parametrize("text", VARIANTS)
def test_canonical_words_are_what_the_order_says_of_itself(order: Callable[[str], Any], text: str) -> None:
    assert expression_text(order(text), RULESET.language.text) == text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("game rally-042", GameHeader("rally-042")),
        ("GAME: Rally.042_b", GameHeader("Rally.042_b")),
        ("Game rally-042, turn 7", GameHeader("rally-042", 7)),
        ("turn 7", TurnHeader(7)),
        ("Turn: 007", TurnHeader(7)),
        ("**Turn 7**", TurnHeader(7)),
        ("red:", OrderLine("red", None, ())),
        ("Red :", OrderLine("red", None, ())),
        ("*Red:*", OrderLine("red", None, ())),
        ("Red：", OrderLine("red", None, ())),
        ("Drawer: DRAW", OrderLine("drawer", DrawTwo(), ())),
        ("games: DRAW", OrderLine("games", DrawTwo(), ())),
    ],
)
def test_headers(written: str, meant: Any) -> None:
    assert reader(RULESET).read(clean(written)) == meant


@pytest.mark.parametrize("word", ["draw", "Place", "IF", "game", "turn"])
def test_a_seat_cannot_be_called_like_a_word_of_the_language(word: str) -> None:
    assert isinstance(reader(RULESET).read(f"{word}:"), LineProblem)


@pytest.mark.parametrize(
    ("written", "draws"),
    [
        ("DRAW [H5 G2]", ("H5", "G2")),
        ("draw [h5, g2]", ("h5", "g2")),
        ("red: DRAW [H5,G2].", ("H5", "G2")),
        ("MOVE C3 OR DRAW [N1:front 90]", ("N1:front", "90")),
        ("DRAW", ()),
    ],
)
def test_recorded_outcomes_stand_in_brackets(written: str, draws: tuple[str, ...]) -> None:
    parsed: Any = reader(RULESET).read(clean(written))
    assert parsed.draws == draws


def test_words_of_the_language_may_be_names_where_only_names_stand(order: Callable[[str], Any]) -> None:
    assert order("IF row has IN THEN DRAW").condition.right.text == "IN"


def test_every_example_of_the_language_is_an_order_in_canonical_words(order: Callable[[str], Any]) -> None:
    for example in RULESET.language.examples:
        assert RULESET.language.text(order(example)) == example


@pytest.mark.parametrize("text", ["DRAW", "red: MOVE C3 D3 OR DRAW [H5]", "game x turn 3", "IF row has U7 THEN TAKE U7"])
def test_every_parser_reads_the_same_language(text: str) -> None:
    assert line_parser(RULESET)(text) == value_parser(RULESET).parse(text)
    assert part_parser(RULESET)(text)


def test_parsers_are_built_once_for_a_ruleset_and_anew_for_a_ruleset_loaded_anew(no_parsers: Any) -> None:
    assert line_parser(RULESET) is line_parser(RULESET)
    assert part_parser(RULESET) is part_parser(RULESET)
    again = RULESET.changed()
    first = reader(RULESET)
    assert reader(again) is not first
    assert reader(again) is reader(again)
    assert line_parser(again) is not line_parser(RULESET)


PACKAGED = r"""
%override order: jump

jump: "jump" [HIGH] INT
HIGH: "high"
"""

IMPORTING = rf"""
%import .common (line, game_header, turn_header, sheet_line, order_line, seat_name)
%import .common (instruction, choice, alternative, when, when_after, bracketed, order, draws, draw)
%import .common (condition, part, not_condition, either, comparison, compare, is_in, is_not_in, fact, cost_of)
%import .common (value, number, word, argument, name, relation)
%import .common (_GAME, _TURN, _OR, _AND, _NOT, _IF, _THEN, _ELSE, _IN, _NOT_IN, _FULL_STOP)
%import .common (COST, LINK, RELATION, NOTHING, SEAT, NAME, ID, INT, OUTCOME)
{PACKAGED}
%ignore /[ ,]+/
"""


@pytest.fixture
def packaged(no_parsers: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Return a ruleset of another package with the given grammar: as much of it as it takes to read orders."""

    def ruleset(text: str) -> Any:
        package = tmp_path / "other_game"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "orders.lark").write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        builders = {"jump": lambda children: (children[0], int(children[1]))}
        language = Language("other_game:orders.lark", builders, {tuple: str}, {"jump": "a jump"}, ("jump 3",))
        meta = Meta("other-game", "Other", 1, "OG", (1, 2), ("metre", "m"), (), (), "other_game:RULESET")
        return SimpleNamespace(meta=meta, language=language, fact_names={})

    yield ruleset
    sys.modules.pop("other_game", None)


@pytest.mark.parametrize("text", [PACKAGED, IMPORTING, PACKAGED + "%ignore /[ ,]+/\n", PACKAGED + "%ignore /[~]+/\n"])
def test_a_grammar_may_come_from_another_package(packaged: Callable[[str], Any], text: str) -> None:
    """Words written as plain strings, which Lark tells from names in a way of its own, are read as well."""
    other = packaged(text)
    assert reader(other).read("red: jump high 3") == OrderLine("red", ("high", 3), ())
    assert reader(other).read("jump 4 OR jump 5").expression.options == ((None, 4), (None, 5))
    refused: Any = reader(other).read("jmup 4")
    assert refused.problem.code == "orders/unknown-order"
    assert refused.problem.suggestions == ("jump 4",)


def test_a_grammar_takes_the_spellings_of_names_from_the_game(packaged: Callable[[str], Any]) -> None:
    other = packaged(PACKAGED.replace('"high"', "/<height>/i"))
    language = change(other.language, spellings={"height": ("high", "very[ -]high")})
    other = SimpleNamespace(**{**vars(other), "language": language})
    assert reader(other).read("jump very high 4").expression == ("very high", 4)
    assert reader(other).read("jump high 4").expression == ("high", 4)


def test_what_a_grammar_ignores_besides_is_ignored(packaged: Callable[[str], Any]) -> None:
    other = packaged(PACKAGED + "%ignore /[~]+/\n")
    assert reader(other).read("jump ~ 4").expression == (None, 4)


def test_a_grammar_that_forgets_an_import_is_told_which(packaged: Callable[[str], Any]) -> None:
    other = packaged(IMPORTING.replace(", when_after, bracketed,", ", when_after,").replace("_THEN, ", ""))
    with pytest.raises(EngineFaultError, match=r"other-game .*must import from common\.lark by name: THEN, bracketed"):
        reader(other)


FAULTY = {
    "jump: JUMP INT": ("%override order: jump\n\njump: JUMP INT\n", "'JUMP' used but not defined (in rule jump)"),
    "no bar": ("\n%override order: jump\njump: ) INT\n", "at line 3 column 7\n\njump: ) INT\n"),
    "ends too early": ('\n%override order: jump\njump: INT\nHIGH: "high', "line 4"),
    "two orders": (
        "order: jump\njump: INT\n",
        "more than once; list the orders with `%override order: …`",
    ),
    "a name of common": (
        "%override order: jump\njump: name\nname: INT\n",
        "Rule 'name' defined more than once; common.lark defines it: use that definition, rename yours, or write "
        "`%override name`",
    ),
    "a terminal of common": (
        "%override order: jump\njump: INT\nINT.2: /[0-9]/\n",
        "Terminal 'INT' defined more than once; common.lark defines it",
    ),
    "an import of Lark's": (
        "%import common.INT\n%override order: jump\njump: INT\n",
        "Cannot import 'INT' from 'common.lark': Symbol already defined; common.lark defines it: use that definition",
    ),
    "a name of its own": ("%override order: jump\njump: INT\njump: INT INT\n", "Rule 'jump' defined more than once"),
    "nothing overridden": ("jump: INT\n", "no order uses these (does `%override order` name every order?): jump"),
    "an order without a class": (
        "%override order: jump | hop\njump: INT\nhop: NAME foot\nfoot: NAME     -> left_foot\n",
        "these need an order or a term of the same name: hop, left_foot",
    ),
    "a group with the name of a terminal": (
        "%override order: jump\njump: HIGH\nHIGH: /(?P<HIGH>up)[0-9]/\n",
        "redefinition of group name 'HIGH'",
    ),
    "nowhere": ("%import .nowhere (jump)\n%override order: jump\n", "no grammar is called nowhere.lark"),
}


@pytest.mark.parametrize("case", FAULTY)
def test_what_is_wrong_with_a_grammar_is_told_to_its_author(packaged: Callable[[str], Any], case: str) -> None:
    """As the fault of that ruleset, with the file, and the line as the author counts it."""
    text, words = FAULTY[case]
    with pytest.raises(EngineFaultError) as caught:
        reader(packaged(text))
    assert str(caught.value).startswith("the grammar of other-game (other_game:orders.lark) cannot be used: ")
    assert words in str(caught.value)
    assert caught.value.ruleset == "other-game"
    assert case != "a name of its own" or "common.lark" not in str(caught.value)


def test_a_builder_for_a_terminal_is_refused(packaged: Callable[[str], Any]) -> None:
    other = packaged(PACKAGED)
    other.language.builders["HIGH"] = str
    with pytest.raises(EngineFaultError, match=r"no order uses these .*: HIGH"):
        reader(other)


def test_rules_that_hand_on_what_they_find_need_no_builder(packaged: Callable[[str], Any]) -> None:
    other = packaged('%override order: jump\njump: [HIGH] height\n?height: _far\n_far: INT\nHIGH: "high"\n')
    assert reader(other).read("high 7").expression == ("high", 7)


def test_a_grammar_that_is_not_there_is_named() -> None:
    assert grammar._import_grammar("", "common.lark")[1].startswith("// What every game")
    with pytest.raises(GrammarError, match=r"nowhere\.lark"):
        grammar._import_grammar("", "nowhere.lark")


def test_what_lark_ships_can_be_imported_besides(packaged: Callable[[str], Any]) -> None:
    other = packaged('%import common.SIGNED_INT\n%override order: jump\njump: [HIGH] SIGNED_INT\nHIGH: "high"\n')
    assert reader(other).read("high -7").expression == ("high", -7)
