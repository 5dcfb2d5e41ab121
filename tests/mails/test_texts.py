"""Texts with the orders of any seats: heads, sheets, several texts, and all that can be wrong, each with its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import adjudicator as adj
from tests.drivers.mails import (
    Found,
    at_turn_7,
    bound,
    found,
    lines_run,
    new_game,
    pending_after,
    portion,
    read,
    read_at_turn_7,
    read_file,
)

MOST_BYTES, MOST_LINES, MOST_COLUMNS, MOST_PROBLEMS, MOST_IGNORED = 1_000_000, 20_000, 500, 100, 1_000
USUAL = """\
game rally-042                 # optional
turn 7
red:
  PLACE H3 at C2 rot 90
  DISCARD G7
blue: MOVE C3 D3               # one-line form
"""
SAID = {"red": ["PLACE H3 at C2 rot 90", "DISCARD G7"], "blue": ["MOVE C3 D3"]}


def test_the_usual_turn_file() -> None:
    found = read_at_turn_7(USUAL)
    assert (found.orders, found.raw, found.passed) == (SAID, [], [])


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_charsets_and_line_ends(charset: str, end: str) -> None:
    assert read_at_turn_7(USUAL.replace("\n", end).encode(charset)).orders == SAID


@pytest.mark.parametrize(
    "text",
    [
        "red:\nDRAW\nMOVE C3",
        "RED:\n- draw\n- move c3",
        "**Red:**\n1. DRAW\n2. MOVE C3",
        "red: DRAW\nMOVE C3",
        "red:DRAW\n\n\n\tMOVE C3",
        "red:\n* *DRAW*\n* *MOVE* C3",
        "red:\u00a0DRAW\n\u00a0\u00a0MOVE\u00a0C3",
        "\ufeffred: “DRAW”\nMOVE ‘C3’",
        "red:\n> DRAW, really?\nDRAW\n>> MOVE C4\nMOVE C3",
        "red:\nDRAW\n-----\nMOVE C3\n",
        "red:\nDRAW\nMOVE C3\n-- \nAnn\nRally since 1999\n",
        "red:\nDRAW\nMOVE C3\n\nOn 3 May, the moderator wrote:\n> turn 6\n> red: REFRESH\n",
        "TURN: 7\nred:\nDRAW\nMOVE C3",
        "Game Rally-042, turn 7\nred:\nDRAW\nMOVE C3",
    ],
)
def test_what_mail_programs_make_of_a_text_is_survived(text: str) -> None:
    found = read_at_turn_7(text)
    assert (found.orders, found.raw) == ({"red": ["DRAW", "MOVE C3"]}, [])


CLEANED = {
    # What stands around and in an order and says nothing. Every character keeps its place, as carets show.
    "DRAW": [
        *("DRAW  ", "DRAW # why not", "DRAW; why not", "DRAW ; # both", "red: 1. DRAW", "  Red :12) draw", "red:\n- DRAW"),
        *("\tDRAW\t", "\ufeffDRAW", "DRAW\u200b", "\u202eDRAW\u202c", "“DRAW”", "„DRAW‟", "«DRAW»", "'DRAW'", "`DRAW`"),
        *("**DRAW**", "• DRAW", "- DRAW", "– DRAW", "  1. DRAW", "12) DRAW", "＊ＤＲＡＷ＊", "~~MOVE C3~~ DRAW"),
        *(f"{sign}DRAW{sign}" for sign in "\u202a\u202e\u2066\u2069\ufe00\ufe0f\u200b\u3000"),
    ],
    "MOVE C3 D3": ["MOVE C3 — D3", "MOVE\vC3\fD3", "MOVE\u00a0C3\u2009D3", "MOVE C3\u2028D3", "MOVE C3 ~~E3~~ D3"],
    "PLACE H3 at C2 rot 90": ["ｒｅｄ：ＰＬＡＣＥ　Ｈ３　ａｔ　Ｃ２　ｒｏｔ　９０", "1) PLACE “H3” at ‘C2’ rot 90"],
}


@pytest.mark.parametrize("order", CLEANED)
def test_signs_around_an_order_say_nothing(order: str) -> None:
    texts = [text if ":" in text or "：" in text else f"red:\n{text}" for text in CLEANED[order]]
    assert [text for text in texts if read_at_turn_7(text).red != [order]] == []


@pytest.mark.parametrize(
    "line", ["~~DRAW~~", "  ~~red: MOVE C3~~", "# DRAW", "> DRAW", ">DRAW", "  >> DRAW", "\u00a0> DRAW", "＞ DRAW"]
)
def test_what_is_struck_out_quoted_or_a_comment_is_no_order(line: str) -> None:
    found = read_at_turn_7(f"red:\nREFRESH\n{line}\nMOVE C3")
    assert (found.red, found.raw) == (["REFRESH", "MOVE C3"], [])
    assert len(found.ignored) == ("#" not in line)


@pytest.mark.parametrize("line", ["~~DRAW", "~~~DRAW~~~", "~~ DRAW ~~", "~DRAW~"])
def test_what_is_only_nearly_struck_out_is_a_problem(line: str) -> None:
    assert read_at_turn_7(f"red:\nREFRESH\n{line}\nMOVE C3").wrong == [3]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=40))
@example("12) #-")
@example("\u00b2 x")  # A digit to Python that is none to a player.
@example("\u0661. x")
@example("-\u00a0DRAW")
@settings(max_examples=60, deadline=None)
def test_no_cleaning_moves_a_character(prefix: str) -> None:
    """Whatever stands before a mistake, its caret stands under it."""
    for one in read_at_turn_7(f"red:\nDRAW {prefix} MOVE Z9").raw:
        assert one.column <= len(one.text) + 1
        assert (
            "Z9" not in one.message
            or found(one).above == "Z9"
            or one.line == 0
            or "Z9" in prefix
            or one.code != "checkpoint-rally/unknown-cell"
        )


# What is passed over, and what of it is told.


def test_what_is_passed_over_is_told() -> None:
    text = "red:\nDRAW\n> quoted\n=====\nWhat a race\n-- \nAnn"
    found = read_at_turn_7(text)
    assert found.ignored == [
        (3, "quoted from an earlier mail"),
        (4, "a line without words"),
        (5, "not understood"),
        (6, "part of a signature"),
        (7, "part of a signature"),
    ]
    assert [one.text for one in found.passed] == text.split("\n")[2:]
    assert {one.source for one in found.passed} == {"1.txt"}


@pytest.mark.parametrize(
    "line", ["red: DRAW; good luck", "; DRAW", "red: DRAW # DRAW; DRAW", "red: DRAW; a joke", "", "\u00a0"]
)
def test_a_comment_that_is_one_is_not_worth_telling(line: str) -> None:
    assert read_at_turn_7(line).ignored == []


@pytest.mark.parametrize("line", ["-----", "=====", "___", "~~~~", "...", "?"])
def test_lines_without_words(line: str) -> None:
    found = read_at_turn_7(f"red:\nDRAW\n{line}\nREFRESH")
    assert (found.red, found.ignored) == (["DRAW", "REFRESH"], [(3, "a line without words")])


@pytest.mark.parametrize("mark", ["-- ", "--", "—", "__", "--\u00a0", " -- "])
def test_a_signature_ends_at_the_next_head(mark: str) -> None:
    found = read_at_turn_7(f"red:\nDRAW\n{mark}\nBob\n\nDRAW\n> quote\nblue:\nREFRESH\n{mark}\nAnn\nred: MOVE C3")
    assert found.orders == {"red": ["DRAW", "MOVE C3"], "blue": ["REFRESH"]}
    assert [(number, why) for number, why in found.ignored if "signature" not in why] == []
    assert [number for number, _ in found.ignored] == [3, 4, 6, 7, 10, 11]


@pytest.mark.parametrize("line", ["- DRAW", "-", "---"])
def test_other_lines_begin_no_signature(line: str) -> None:
    assert "REFRESH" in read_at_turn_7(f"red:\n{line}\nREFRESH").red


@pytest.mark.parametrize("below", ["> DRAW", "\n> DRAW", "\n  \n>"])
def test_the_line_that_introduces_a_quote(below: str) -> None:
    found = read_at_turn_7(f"red:\nDRAW\nOn Friday, Ann wrote:\n{below}")
    assert (found.red, found.ignored[0]) == (["DRAW"], (3, "it introduces a quote"))


LONG = "> PLACE H3 at C2 rot 90 OR PLACE H3 at C2 rot 180 OR PLACE H3 at D2 OR"


@pytest.mark.parametrize(
    ("text", "orders", "wrong"),
    [
        (f"{LONG}\nDRAW", [], []),
        (f"{LONG} DRAW\nMOVE C3", ["MOVE C3"], []),
        (f"{LONG} PLACE H3\nat C2", [], []),
        ("> DRAW OR\nDRAW", ["DRAW"], []),
        (f"{LONG}\n\nDRAW", ["DRAW"], []),
        (f"> {'x' * 60}\nwhatever\n> more", [], []),
        (f"> {'x' * 60}\nwhatever\nmore", [], []),
        (f"> {'x' * 60}\nDROW\n> more", [], [2]),
        (f"> {'x' * 60}\nC3 or so\n> more", [], []),
        (f"> {'x' * 60}\nDRAW\n> more", ["DRAW"], []),
    ],
)
def test_the_rest_of_a_quoted_line_is_no_order(text: str, orders: list[str], wrong: list[int]) -> None:
    found = read_at_turn_7(bound(f"REFRESH\n{text}"))
    assert (found.red, [line - 1 for line in found.wrong]) == (["REFRESH", *orders], wrong)


def test_lines_passed_over_are_listed_up_to_a_number_and_counted_beyond() -> None:
    found = read_at_turn_7("red:\nDRAW\n" + "> quoted\n" * (MOST_IGNORED + 7), "> quoted\nblue: DRAW")
    assert (found.ignored[:2], len(found.ignored)) == ([(n, found.ignored[0][1]) for n in (3, 4)], MOST_IGNORED + 2)
    last, other = found.passed[-2:]
    assert (last.line, last.reason, last.source) == (0, "7 more lines of this text not listed here", "1.txt")
    assert (other.line, other.source) == (1, "2.txt")
    assert "1,500" in read_at_turn_7("> quoted\n" * 1_500).only.message


# Everything that can be wrong.

DRAWN = {"red": ["DRAW"]}
WRONG: dict[str, tuple[str, list[tuple[int, str, str]], dict[str, list[str]]]] = {
    # The text, what is found (line, code, text above the carets), the orders that stand.
    "unknown verb": ("red: DROW", [(1, "unknown-order", "DROW")], {}),
    "unreadable words": ("red:\nPLACE H3 at C2 foo", [(2, "unexpected", "foo")], {}),
    "half an order": ("red: MOVE", [(1, "incomplete", "")], {}),
    "two orders on a line": ("red: DRAW OR REFRESH MOVE C3", [(1, "two-orders", "MOVE")], {}),
    "wrong game": ("game other\nred: DRAW", [(1, "wrong-game", "other")], {}),
    "wrong game called game": ("game game\nred: DRAW", [(1, "wrong-game", "game")], {}),
    "wrong game, other language": ("game other\npurple:\nturn 99", [(0, "empty", ""), (1, "wrong-game", "other")], {}),
    "stale turn": ("turn 6\nred: DRAW", [(1, "wrong-turn", "6")], {}),
    "future turn": ("turn 77\nred: DRAW", [(1, "wrong-turn", "77")], {}),
    "stale turn beside the game": ("game rally-042 turn 6\nred: DRAW", [(1, "wrong-turn", "6")], {}),
    "garbled turn": ("turn seven\nred: DRAW", [(1, "unexpected", "seven")], {}),
    "garbled game": ("game rally 042\nred: DRAW", [(1, "unexpected", "042")], {}),
    "unknown seat": ("purple: DRAW\nMOVE C3", [(1, "unknown-seat", "purple")], {}),
    "unknown seat and verb": ("purple: DROW\nMVOE C3", [(1, "unknown-seat", "purple"), (2, "unknown-order", "MVOE")], {}),
    "sheet gone on with, unreadable": ("red: DRAW\nred: DROW", [(2, "unknown-order", "DROW")], DRAWN),
    "sheet gone on with after a bad line": ("red: DROW\nred: DRAW", [(1, "unknown-order", "DROW")], {}),
    "no seat": (" DRAW # now\nMOVE C3", [(1, "no-seat", "DRAW")], {}),
    "no seat, then one": ("DRAW\nred: DRAW", [(1, "no-seat", "DRAW")], DRAWN),
    "no seat, unreadable": ("DROW\nMVOE", [(1, "unknown-order", "DROW"), (2, "unknown-order", "MVOE")], {}),
    "missing colon": ("red MOVE C3\nDRAW", [(1, "missing-colon", "red")], {}),
    "missing colon below a sheet": ("red:\nDRAW\nBlue MOVE C3\nDRAW", [(3, "missing-colon", "Blue")], DRAWN),
    "missing colon, then none": ("red MOVE C3\nred: DRAW", [(1, "missing-colon", "red")], DRAWN),
    "wrapped line": ("red:\nDRAW\nPLACE H3 at C2\nrot 90\nDRAW", [(4, "wrapped-line", "rot 90")], DRAWN),
    "wrapped condition": ("red: TAKE U7 IF row has U7\n  ELSE DRAW", [(2, "wrapped-line", "ELSE DRAW")], {}),
    "wrapped names": ("red: DISCARD G7\nH2", [(2, "wrapped-line", "H2")], {}),
    "name below a move": ("red: MOVE C3\nBob", [], {"red": ["MOVE C3"]}),
    "name far below a move": ("red: MOVE C3\n\nD3", [(3, "unknown-order", "D3")], {"red": ["MOVE C3"]}),
    "empty file": ("", [(0, "empty", "")], {}),
    "only blanks": ("  \n\t\n", [(0, "empty", "")], {}),
    "only comments": ("# DRAW\n; DRAW", [(0, "empty", "")], {}),
    "only headers": ("game rally-042\nturn 7\nred:\nblue:", [(0, "empty", "")], {}),
    "only quotes": ("> red: DRAW", [(0, "empty", "")], {}),
    "line too long": ("red: DRAW\nDRAW " + "x" * (MOST_COLUMNS - 2), [(2, "line-too-long", "xxx")], DRAWN),
    "million characters": ("red: DRAW" + "x" * 900_000, [(0, "empty", "")], {}),
    "deep brackets": ("red:\n " + "(" * 21 + "DRAW" + ")" * 21, [(2, "too-deep", "(" * 21 + "DRAW" + ")" * 21)], {}),
    "too many lines": ("red:\n" + "DRAW\n" * MOST_LINES, [(0, "too-many-lines", "")], {}),
    "binary": ("\0\1\2", [(0, "not-text", "")], {}),
    "letters that lengthen in lower case": ("İ İ\nturn ⅷ", [(2, "unexpected", "ⅷ")], {}),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(case: str) -> None:
    text, told, standing = WRONG[case]
    found = read_at_turn_7(text)
    assert (found.problems, found.orders) == ([Found(*one) for one in told], standing)


@pytest.mark.parametrize(
    ("line", "code", "marked"),
    [("TC3: 30 3O 20", "unexpected", "O"), ("RTC3: 10 fast", "unexpected", "fast"), ("TC3:", "incomplete", "")],
)
def test_the_beginning_of_an_order_is_no_seat(line: str, code: str, marked: str) -> None:
    """An order may begin with a word and a colon: what is wrong with it is told then, not that there is no such seat."""
    assert read_file(f"red:\n  {line}", "rally-round").problems == [Found(2, code, marked)]
    assert pending_after(new_game("rally-round"), "gren: TC3: 3O\n").codes == ["unknown-seat"]


def test_all_problems_at_once_and_other_sheets_unaffected() -> None:
    text = """turn 6\nred: REFRESH\nturn 7\nred:\n  DRAW\n  DROW\n  MVOE C3\n  REFRESH\npink: DRAW\n  TKAE U7
blue:\n  MOVE C3\nred: KEEP H3"""
    found = read_at_turn_7(text)
    assert found.problems == [
        Found(1, "wrong-turn", "6"),
        Found(6, "unknown-order", "DROW"),
        Found(7, "unknown-order", "MVOE"),
        Found(9, "unknown-seat", "pink"),
        Found(10, "unknown-order", "TKAE"),
    ]
    assert found.orders == {"red": ["DRAW"], "blue": ["MOVE C3"]}
    fates = [(one.line, one.fate) for receipt in at_turn_7().apply(text).receipts for one in receipt.orders]
    assert [line for line, fate in fates if fate == "ignored"] == [8, 13]


def test_below_an_unreadable_line_only_what_is_always_wrong_is_told() -> None:
    found = read_at_turn_7("red:\nDRAW\nDROW\nMOVE Z9\nblue: DROW\nred: REFRESH\nblue: MOVE C3\npink: MOVE C3")
    assert found.orders == {"red": ["DRAW"]}
    assert found.problems == [
        Found(3, "unknown-order", "DROW"),
        Found(4, "checkpoint-rally/unknown-cell", "Z9"),
        Found(5, "unknown-order", "DROW"),
        Found(8, "unknown-seat", "pink"),
    ]


def test_problems_know_whose_sheet_it_is() -> None:
    found = read_at_turn_7("DROW\nred: DROW\nblue:\nDROW\nred: DROW")
    assert [one.seat for one in found.raw] == ["", "red", "blue", "red"]
    (problem,) = read_at_turn_7("blue: DRAW\n\nred\n  MOVE C3 D3\n").raw
    assert (problem.seat, problem.line, problem.text) == ("red", 3, "red")


SUGGESTED = [
    ("red MOVE C3", "missing-colon", "red: MOVE C3"),
    ("Red - move c3.", "missing-colon", "red: move c3"),
    ("red, MOVE C3", "missing-colon", "red: MOVE C3"),
    ("red. MOVE C3", "missing-colon", "red: MOVE C3"),
    ("red MVOE C3", "missing-colon", "red:"),
    ("red\nMOVE C3", "missing-colon", "red:"),
    ("red; MOVE C3", "missing-colon", "red:"),
    ("red (Ann): MOVE C3", "missing-colon", "red:"),
    ("game rally-041\nred: DRAW", "wrong-game", "game rally-042"),
    ("turn 6\nred: DRAW", "wrong-turn", "turn 7"),
    ("bleu: DRAW", "unknown-seat", "blue"),
    ("red: PLACE H3 at C2\nrot 90", "wrapped-line", "red: PLACE H3 at C2 rot 90"),
]


@pytest.mark.parametrize(("text", "code", "suggestion"), SUGGESTED)
def test_a_head_with_a_mistake_is_told_with_what_was_meant(text: str, code: str, suggestion: str) -> None:
    problem = read_at_turn_7(text).only
    assert (problem.code, problem.suggestions) == (f"orders/{code}", (suggestion,))


@pytest.mark.parametrize("text", ["red", "red -", "Ann Smith", "red is my favourite colour"])
def test_a_mail_that_only_names_a_seat_or_a_player_has_no_orders(text: str) -> None:
    assert read(text).codes == ["empty"]


@pytest.mark.parametrize("text", ["C3 looked nice", "Draw your own conclusions"])
def test_a_line_in_the_place_of_an_order_is_told_once(text: str) -> None:
    found = read(f"{text}\nHello Bob,")
    assert (found.wrong, found.ignored) == ([1], [(2, "a greeting")])


@pytest.mark.parametrize("line", ["orders for turn 1 MOVE", "my orders for turn 1: DRAW"])
def test_an_order_after_a_heading_is_told_once(line: str) -> None:
    found = read(line)
    assert (len(found.wrong) + len(found.orders), found.ignored) == (1, [])


def test_messages_say_what_to_know() -> None:
    assert "turn 6 is over, and the game is at turn 7" in read_at_turn_7("turn 6\nred: DRAW").only.message
    assert "turn 8 has not begun yet, and the game is at turn 7" in read_at_turn_7("turn 8\nred: DRAW").only.message
    empty = read_at_turn_7("> red: DRAW\n> DRAW").only.message
    assert empty.endswith("; 2 lines were ignored (quotes, signatures, remarks)")
    garbled = read_at_turn_7("turn seven\nred: DRAW\nturn 7\nblue: DRAW")
    assert garbled.only.message.endswith("; the orders below this line do not count")
    assert garbled.orders == {"blue": ["DRAW"]}


HEADS = [
    ("game other\nturn 7\nred: MOVE A1\ngame rally-042\nred: MOVE B1\nturn 8\nblue: MOVE C1\nturn 7\nblue: MOVE D1",
     {"red": ["MOVE B1"], "blue": ["MOVE D1"]}, ["wrong-game", "wrong-turn"]),
    ("turn 6\nred: DRAW\ngame rally-042\nblue: MOVE B1", {"blue": ["MOVE B1"]}, ["wrong-turn"]),
    ("red:\nDRAW\ngame rally-042\nMOVE B1\nblue: MOVE C1", {"red": ["DRAW"], "blue": ["MOVE C1"]}, ["no-seat"]),
    ("red:\nDRAW\nturn 7\nMOVE B1", {"red": ["DRAW"]}, ["no-seat"]),
    ("game other turn 7\nturn 3\nred: DRAW\ngame rally-042 turn 7\nred: REFRESH", {"red": ["REFRESH"]}, ["wrong-game"]),
    ("GAME RALLY-042\nred: DRAW", {"red": ["DRAW"]}, []),
    ("Game rally-042, turn 7\n**Turn: 007**\nred: DRAW", {"red": ["DRAW"]}, []),
    ("red: DRAW\nblue: REFRESH\nRed:\nMOVE C3\nred: DRAW", {"red": ["DRAW", "MOVE C3", "DRAW"], "blue": ["REFRESH"]}, []),
    ("red: DRAW; blue: PLACE H3 foo", {"red": ["DRAW"]}, []),
    ("pink:\nDRAW\nEND\npink: REFRESH\nred: DRAW", {"red": ["DRAW"]}, ["unknown-seat"]),
    ("From: Ann <ann@example.org>\nTo: x\nSubject: turn 7\nDate: Sun, 1 Mar 2026\n\nred:\nDRAW\n", {"red": ["DRAW"]}, []),
    *(
        (f"red:\nDRAW\n\n{head}\n\nMOVE C3\nblue:\nREFRESH", {"red": ["DRAW"], "blue": ["REFRESH"]}, ["no-seat"])
        for head in ("From: Bob", "Subject: turn 7\nDate: today", "From: Bob\nSubject: turn 7")
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "orders", "codes"), HEADS)
def test_a_header_rules_until_the_next(text: str, orders: dict[str, list[str]], codes: list[str]) -> None:
    """A game begins a mail anew, a turn closes the sheet before it; the head of a mail is passed over."""
    found = read_at_turn_7(text)
    assert (found.orders, found.codes) == (orders, codes)


@pytest.mark.parametrize("data", [b"red: DRAW\n".ljust(MOST_BYTES + 1), b"red: DRAW\n".ljust(10_000_000)])
def test_a_file_too_large(data: bytes) -> None:
    problem = read_at_turn_7(data).only
    assert (problem.code, problem.line, problem.source) == ("orders/too-large", 0, "1.txt")
    assert read_at_turn_7(b"red: DRAW\n".ljust(MOST_BYTES)).red == ["DRAW"]


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01",
        bytes(range(256)),
        b"\xff\xfe\0\0r\0\0\0",
        b"\x1f\x8b\x08\x02\x03\x04\x05\x06\x07\x01\x02\x03\x04",
        b"red: DRAW" * 30 + b"\0",
        b"\0",
        b"\x81\x8d\x8f\x90" * 5,
        b"\x01" * 5 + b"red: DRAW".ljust(35),
        "red: DRAW".encode("utf-16-le"),
        "red: DRAW".encode("utf-16-be"),
    ],
)
def test_binary_files_are_no_text(data: bytes) -> None:
    problem = read_at_turn_7(data).only
    assert problem.code == "orders/not-text"
    assert "binary" in problem.message


@pytest.mark.parametrize(
    "data",
    [
        b"\x01" * 4 + b"\nred: DRAW".ljust(40),
        "red: DRAW".encode("utf-16") + b"\n\0\x01\xd8",
        b"\xef\xbb\xbfred: \x93DRAW\x94",
        b"\xfe\xff" + "red: DRAW # яя".encode("utf-16-be"),
    ],
)
def test_a_text_may_have_a_few_strange_signs(data: bytes) -> None:
    assert read_at_turn_7(data).red == ["DRAW"]


@pytest.mark.parametrize(
    "line", portion(["MVOE{0}", "red MVOE{0}", "turn {0}\nturn 7", "seat{0}: DRAW", "red: DROW{0}\nred: DRAW"], 3)
)
def test_many_problems_are_counted(line: str) -> None:
    text = "red:\nDRAW\n" + "".join(line.format(number + 10) + "\n" for number in range(2 * MOST_PROBLEMS)) + "blue: DRAW"
    found = read_at_turn_7(text)
    last = found.raw[-1] if found.raw[-1].line == 0 else found.raw[0]
    assert len(found.raw) == MOST_PROBLEMS + 1
    assert (last.code, last.line) == ("orders/too-many-problems", 0)
    assert "more problems of this file are not listed" in last.message
    assert found.orders == {"red": ["DRAW"], "blue": ["DRAW"]}


@pytest.mark.parametrize(
    ("line", "deep"),
    [
        ("(" * 20 + "DRAW" + ")" * 20, False),
        ("(" * 21 + "DRAW" + ")" * 21, True),
        ("IF (hand = 1 OR (hand = 1 AND (hand = 1 OR hand = 2))) THEN DRAW", False),
        ("IF " + "NOT " * 18 + "hand = 1 THEN DRAW", False),
        ("IF " + "NOT " * 21 + "hand = 1 THEN DRAW", True),
        ("IF hand=1 THEN " * 21 + "DRAW", True),
        ("IF hand=1 THEN " * 19 + "DRAW", False),
        ("if " + "not " * 21 + "hand = 1 then draw", True),
        ("IF gps=1 THEN DRAW ELSE " * 19 + "IF gps=1 THEN DRAW ELSE DRAW", False),
        ("DRAW IF hand = 1 OR " * 21 + "DRAW", False),
        ("(DRAW) OR " * 22 + "(DRAW)", False),
    ],
)
def test_only_so_many_brackets_and_conditions_in_each_other(line: str, deep: bool) -> None:
    assert read_at_turn_7(f"red:\n{line}").codes == (["too-deep"] if deep else [])


# Several texts: which of them counts.

SEVERAL = [
    (["red: DRAW\nblue: DRAW", "red: MOVE C3"], {"blue": ["DRAW"], "red": ["MOVE C3"]}, []),
    (["red: DRAW", "blue: DRAW"], {"red": ["DRAW"], "blue": ["DRAW"]}, []),
    # A later sheet that cannot be read leaves the earlier one.
    *((["red: DRAW", later], DRAWN, ["2.txt"]) for later in ("red: DROW", "red:\nMVOE C3", "red MOVE C3")),
    (["red: DRAW", "red: DROW", "red: MOVE C3"], {"red": ["MOVE C3"]}, []),
    (["red: DROW\nMOVE C3", "red: DRAW\nDROW", "red: REFRESH\nDROW"], DRAWN, ["1.txt", "2.txt", "3.txt"]),
    (["red: DROW\nMVOE C3", "red: DRAW"], DRAWN, []),  # what was wrong is settled by a later one
    (["red: DROW\nblue: DROW", "red: DRAW"], DRAWN, ["1.txt"]),
    *(
        (["red: DRAW", later], DRAWN, ["2.txt"])
        for later in ("game other\nred: MOVE C3", "turn 6\nred: MOVE C3", "pink: MOVE C3")
    ),
    (["red: DRAW", "# nothing"], DRAWN, ["2.txt"]),
    (["game other\nred: REFRESH", b"\0", "red: DRAW"], DRAWN, ["1.txt", "2.txt"]),
    (
        ["red: DRAW\n-- \nAnn", "turn 7\nblue:\nMOVE C3\n--\nBob: a name like a seat"],
        {"red": ["DRAW"], "blue": ["MOVE C3"]},
        [],
    ),
]


@pytest.mark.parametrize(("texts", "orders", "sources"), SEVERAL)
def test_of_several_texts_the_last_that_can_be_read_counts(
    texts: list[Any], orders: dict[str, list[str]], sources: list[str]
) -> None:
    found = read_at_turn_7(*texts)
    assert (found.orders, list(dict.fromkeys(one.source for one in found.raw))) == (orders, sources)


@pytest.mark.parametrize(
    ("mails", "stands"),
    [
        (["DRAW\nMOVE C3", "WITHDRAW from 2\nREFRESH"], ["DRAW", "REFRESH"]),
        (["DRAW\nMOVE C3", "WITHDRAW from 2\nDROW"], ["DRAW"]),
        *((["DRAW\nMOVE C3", f"WITHDRAW from {n}\nREFRESH"], ["DRAW", "MOVE C3"]) for n in (0, 3)),
        (["DRAW", "WITHDRAW\nREFRESH\nDROW"], ["REFRESH"]),
        (["DRAW", "WITHDRAW", "MOVE C3\nDROW"], ["MOVE C3"]),
        (["DRAW", "WITHDRAW", "MOVE C3"], ["MOVE C3"]),
        (["DRAW", "DROW", "WITHDRAW from 1\nMOVE C3"], ["MOVE C3"]),
        *((["DROW", f"WITHDRAW from {n}\nMOVE C3"], []) for n in (0, 2)),
    ],
)
def test_a_withdrawal_takes_back_what_stands_of_mails_before(mails: list[str], stands: list[str]) -> None:
    found = read_at_turn_7(*(bound(text, name=f"{n}.eml") for n, text in enumerate(mails, 1)))
    assert found.red == stands


@pytest.mark.parametrize(
    "words", ["WITHDRAW", "withdraw my orders.", "Withdraw all", "- WITHDRAW!", "WITHDRAW from order 1"]
)
def test_withdraw_is_read_in_every_spelling(words: str) -> None:
    assert read_at_turn_7("red: DRAW", f"red:\n{words}\n").orders == {}
    game = at_turn_7().apply("red: DRAW\nREFRESH").game
    assert pending_after(game, f"red:\n{words}\nMOVE C3").orders == {"red": ["MOVE C3"]}
    assert pending_after(game, "red: WITHDRAW from order 2").orders == {"red": ["DRAW"]}


@pytest.mark.parametrize(
    ("line", "code", "above"),
    [
        ("WITHDRAW OR DRAW", "unexpected", "OR"),
        ("DRAW OR WITHDRAW", "unknown-order", "WITHDRAW"),
        ("IF hand < 3 THEN WITHDRAW", "unknown-order", "WITHDRAW"),
        ("WITHDRAW 2", "unexpected", "2"),
    ],
)
def test_withdraw_is_no_part_of_an_order(line: str, code: str, above: str) -> None:
    found = read_at_turn_7(f"red: {line}")
    assert (found.orders, found.problems) == ({}, [Found(1, code, above)])
    assert read_at_turn_7("red: DRAW; WITHDRAW").problems == [Found(1, "late-withdrawal", "WITHDRAW")]


TIMES = [
    (None, None, "second"), (None, 5, "second"), (5, None, "second"), (5, 6, "second"), (5, 5, "second"), (6, 5, "first"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "counts"), TIMES)
@pytest.mark.parametrize("seat", ["red", None])
def test_the_mail_received_later_counts(first: int | None, second: int | None, counts: str, seat: str | None) -> None:
    head = "" if seat else "red:\n"
    mails = [
        bound(f"{head}{order}", seat, name, "" if at is None else f"Mon, 2 Mar 2026 12:0{at}:00 +0000")
        for name, order, at in (("a.eml", "DRAW", first), ("b.eml", "MOVE C3", second))
    ]
    assert read_at_turn_7(*mails).red == ["DRAW" if counts == "first" else "MOVE C3"]
    old, new = ("b.eml", "a.eml") if counts == "first" else ("a.eml", "b.eml")
    notes = at_turn_7().apply(mails).notes
    assert f"the sheet in {old} is replaced by the later one in {new}" in str(notes)


def test_a_later_mail_without_orders_replaces_nothing_and_is_no_problem() -> None:
    found = read_at_turn_7(bound("DRAW"), bound("Thanks for the report!", name="b.eml"))
    assert (found.red, found.raw) == (["DRAW"], [])
    assert read_at_turn_7(bound("Thanks!")).codes == ["empty"]
    both = read_at_turn_7(bound("red: DRAW\nblue: DRAW\nDROW", None), bound("blue: REFRESH", None, "b.eml"))
    assert (both.orders, both.raw) == ({"red": ["DRAW"], "blue": ["REFRESH"]}, [])  # of a mail for two, one may be replaced


# END.


@pytest.mark.parametrize("end", ["END", "end", "  End.", "**END**", "END!", "END of orders"])
def test_end_ends_a_sheet(end: str) -> None:
    found = read_at_turn_7(f"red:\nDRAW\n{end}\nwhatever this is\nMOVE C3\n\nblue:\nREFRESH")
    assert (found.orders, found.raw) == ({"red": ["DRAW"], "blue": ["REFRESH"]}, [])
    assert found.ignored == [(4, "it is below END"), (5, "it is below END")]


@pytest.mark.parametrize("line", ["The end", "END OF STORY", "END red", "MOVE END", "# END", "> END"])
def test_other_lines_end_no_sheet(line: str) -> None:
    found = read_at_turn_7(f"red:\nDRAW\n{line}\nMOVE C3")
    assert [why for _, why in found.ignored if "END" in why] == []
    assert found.raw or found.red == ["DRAW", "MOVE C3"]


@pytest.mark.parametrize("below", ["red: DROW", "red: DRAW"])
def test_who_has_written_end_says_no_more(below: str) -> None:
    found = read_at_turn_7(f"red:\n  DRAW\nEND\nblue: DRAW\n{below}\nMOVE C3 D3\n")
    assert (found.orders, found.raw) == ({"red": ["DRAW"], "blue": ["DRAW"]}, [])
    assert found.ignored == [(5, "red wrote END above"), (6, "red wrote END above")]


@pytest.mark.parametrize(
    ("text", "seat", "orders"),
    [
        ("red:\nDRAW\nEND\nblue:\nREFRESH\nEND\n\n*** Max, last week ***\nturn 6\nred: DROW", None,
         {"red": ["DRAW"], "blue": ["REFRESH"]}),
        ("red:\nDRAW\nEND\nblue: MOVE C3", None, {"red": ["DRAW"]}),
        ("DRAW\nEND\nred: MOVE C3\nblue: MOVE C3", "red", {"red": ["DRAW"]}),
        ("red:\nDRAW\n\n-----Original Message-----\nred: MOVE C3\nEND", None, {"red": ["DRAW"]}),
    ],
)  # fmt: skip
def test_in_a_mail_nothing_counts_below_the_last_end(text: str, seat: str | None, orders: dict[str, list[str]]) -> None:
    found = read_at_turn_7(bound(text, seat))
    assert (found.orders, found.raw) == (orders, [])


@pytest.mark.parametrize(
    ("language", "end"), [("de", "ENDE"), ("fr", "FIN"), ("es", "Fin."), ("it", "fine"), ("nl", "EINDE")]
)
def test_a_sheet_ends_in_the_languages_of_the_game(language: str, end: str) -> None:
    game = at_turn_7().with_languages([language])
    sheet = f"red:\nDRAW\n{end}\nREFRESH"
    for text in (sheet, bound(f"DRAW\n{end}\nREFRESH")):
        found = pending_after(game, text)
        assert (found.red, found.ignored) == (["DRAW"], [(4 - (text != sheet), "it is below END")])


# A mail of a known seat.


@pytest.mark.parametrize("head", ["", "red:\n", "Red:\n", "Ann:\n", "game rally-042, turn 7\n"])
def test_in_a_bound_mail_orders_need_no_head(head: str) -> None:
    found = read_at_turn_7(bound(f"{head}DRAW\nMOVE C3"))
    assert (found.orders, found.raw) == ({"red": ["DRAW", "MOVE C3"]}, [])


@pytest.mark.parametrize("header", ["turn 6", "game other", "turn seven"])
def test_in_a_bound_mail_headers_count_as_ever(header: str) -> None:
    found = read_at_turn_7(bound(f"{header}\nDRAW\nMOVE C3"))
    assert (found.orders, found.wrong) == ({}, [1])
    assert read_at_turn_7(bound("turn 6\nDRAW\nturn 7\nMOVE C3")).red == ["MOVE C3"]


@pytest.mark.parametrize("other", ["blue", "bluee", "Bob"])
def test_in_a_bound_mail_other_seats_are_refused_and_nothing_is_told_about_them(other: str) -> None:
    """Whether there is such a seat, whether its orders can be read, whether it has sent any: it is all the same."""
    for orders in ("DRAW", "", "DROW", "DRAW; MOVE C3", "\nDRAW\nDROW\nMVOE C3\nPLACE", "\nHi Bob,\nDRAW\n-----\nthanks"):
        found = read_at_turn_7(bound(f"DRAW\n{other}: {orders}\nred:\nMOVE C3"), bound("blue: DRAW", None, "b.eml"))
        assert found.orders == {"red": ["DRAW", "MOVE C3"], "blue": ["DRAW"]}
        assert (found.wrong, found.codes, found.only.seat) == ([2], ["not-yours"], "red")
        assert found.only.message == f"this text is from red: it cannot have orders for “{other.lower()}”"
        assert [why for _, why in found.ignored] == ["a line without words"] * ("-----" in orders)


def test_a_bound_mail_that_names_a_seat_wrongly() -> None:
    found = read_at_turn_7(bound("DRAW\nblue MOVE C3\nREFRESH"))
    assert (found.red, found.problems) == (["DRAW"], [Found(2, "not-yours", "blue")])
    assert read_at_turn_7(bound("red MOVE C3")).codes == ["missing-colon"]
    mistyped = read_at_turn_7(bound("rde: DRAW\nMOVE C3"))
    assert (mistyped.orders, mistyped.only.suggestions) == ({}, ("red",))


@pytest.mark.parametrize(
    ("name", "seat"),
    [("Ann", "red"), ("ann", "red"), ("Bob", "blue"), ("BLUE", "blue"), ("Smith", None), ("Carl", None)],
)
def test_a_holder_s_name_is_the_name_of_the_seat(name: str, seat: str | None) -> None:
    found = read_at_turn_7(bound(f"{name}:\nDRAW", None))
    assert found.orders == ({seat: ["DRAW"]} if seat else {})
    assert bool(found.raw) is (seat is None)


@pytest.mark.parametrize("holders", [("Ann Smith", "Ann Miller"), ("Ann", "Ann"), ("Blue", "")])
def test_a_name_that_means_two_is_none(holders: tuple[str, str]) -> None:
    """The seat that is not due can send orders ahead in its own name only."""
    game = adj.new("checkpoint-rally", dict(zip(("red", "blue"), holders, strict=True)), seed=7)
    (seat,) = {"red", "blue"} - {*game.due_seats}
    assert (
        pending_after(game, bound("Ann: DRAW" if holders[1] else "Blue: DRAW", None)).orders.get("red") is None
        or seat == "blue"
    )
    assert pending_after(game, bound(f"{seat}: DRAW", None)).orders == {seat: ["DRAW"]}


def test_what_comes_with_a_mail_is_told_and_what_must_not_be_read_is_not() -> None:
    parts = b"--b\n\nred: DRAW\n--b\nContent-Type: image/png; name=map.png\n\n"
    attached = b"From: x\nContent-Type: multipart/mixed; boundary=b\n\n" + parts
    found = read_at_turn_7(adj.read_mail(attached))
    assert (found.red, found.passed[0].line, found.passed[0].text) == (["DRAW"], 0, "map.png (image/png, 0 bytes)")
    large = read_at_turn_7(adj.read_mail(b"From: x\n\n" + b"x" * 1_000_001, seat="red")).only  # type: ignore[arg-type]
    assert (large.code, large.seat, large.line) == ("mail/too-large", "red", 0)


# Two orders on a line: both are read, and a problem with either keeps the whole line.

TOGETHER = {
    "move a1 b1 thanks!": ["MOVE A1 B1"],
    "draw please": ["DRAW"],
    "draw pls": ["DRAW"],
    "Please, draw.": ["DRAW"],
    "DRAW, good luck to all!": ["DRAW"],
    "DRAW :-)": ["DRAW"],
    "PLACE H3 at C2 rot 90 thanks Bob": ["PLACE H3 at C2 rot 90"],
    "PLACE H3 at C2; MOVE A2": ["PLACE H3 at C2 rot 0", "MOVE A2"],
    "DRAW; MOVE A2; REFRESH": ["DRAW", "MOVE A2", "REFRESH"],
    "DRAW; good luck": ["DRAW"],
    "DRAW # MOVE A2": ["DRAW"],
    "DRAW MOVE A2": ["DRAW", "MOVE A2"],
    "DRAW, MOVE A2": ["DRAW", "MOVE A2"],
    "DRAW, then MOVE A2.": ["DRAW", "MOVE A2"],
    "MOVE C3 and draw": ["MOVE C3", "DRAW"],
    "MOVE C3 & then DRAW": ["MOVE C3", "DRAW"],
    "DRAW and MOVE A2 please": ["DRAW", "MOVE A2"],
}


@pytest.mark.parametrize("line", TOGETHER)
def test_courtesy_and_two_orders_on_a_line_are_read(line: str) -> None:
    found = read(f"{line}\nREFRESH")
    assert (found.red, found.raw) == ([*TOGETHER[line], "REFRESH"], [])


@pytest.mark.parametrize(
    ("line", "above"),
    [
        ("DRAW; MVOE A2", "MVOE"),
        ("DRAW; REFRESH; PLACE H3 at C2 foo", "foo"),
        ("PLACE H3 at C2 foo; DRAW", "foo"),
        ("DRAW and MOVE A2 and WITHDRAW 4", "MOVE"),
        ("DRAW; MVOE A2, thanks Bob", "MVOE"),
        ("DRAW OR REFRESH MOVE A2", "MOVE"),
        ("DRAW please if row has U7", None),
        ("DRAW please and MVOE A2", None),
        ("DRAW unless C3", None),
        ("Bitte ziehen: DRAW", None),
    ],
)
def test_a_problem_keeps_the_whole_line_and_what_may_change_an_order_is_no_courtesy(line: str, above: str | None) -> None:
    found = read(f"{line}\nREFRESH")
    assert (found.wrong, found.only.text) == ([1], line)
    assert "REFRESH" not in found.red or ";" in line  # as one of the orders of that line
    assert above is None or found.problems[0].above == above


def test_a_withdrawal_of_what_is_not_there_keeps_the_whole_line() -> None:
    problem = read_at_turn_7("red:\nDRAW", "red:\nWITHDRAW from 3; MOVE C3").only
    assert (problem.code, problem.text) == ("core/nothing-waits", "WITHDRAW from 3; MOVE C3")


# What was read in other words than it was written is shown by the receipt, in canonical words.


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("put H3 on C2   # quick", ["PLACE H3 at C2 rot 0"]),
        ("PLACE H3 at C2", ["PLACE H3 at C2 rot 0"]),
        ("IF hand > 0 THEN PLACE H3 at C2 OR DRAW", ["(IF hand > 0 THEN PLACE H3 at C2 rot 0) OR DRAW"]),
        ("keep u1 and H3, u2", ["KEEP H3 U1 U2"]),
        ("TAKE „U7”.", ["TAKE U7"]),
        ("ＤＲＡＷ", ["DRAW"]),
        ("draw two tiles\ntake 'U7'", ["DRAW", "TAKE U7"]),
    ],
)
def test_a_receipt_shows_how_an_order_was_read(line: str, orders: list[str]) -> None:
    (receipt,) = at_turn_7().apply({"red": line}).receipts
    assert [one.order for one in receipt.orders] == orders


# Linear time, for the lines of a text.

HOSTILE: dict[str, Callable[[int], list[str]]] = {
    "prose": lambda size: ["The weather is so bad that nobody goes out any more"] * size,
    "prose and quotes": lambda size: [f"> {'x' * 60}", "whatever"] * size,
    "quoted orders that go on": lambda size: [LONG, "DRAW"] * size,
    "courtesies": lambda size: ["Thanks", "Ann"] * size,
    "closings": lambda size: ["Regards,", "x 1"] * size,
    "footers": lambda size: ["This message and any attachments", "are"] * size,
    "heads": lambda size: ["pink:", "red:", "blue: DROW"] * size,
    "ends": lambda size: ["red:", "DRAW", "END"] * size,
    "headers": lambda size: ["turn 7", "game rally-042", "red: DRAW"] * size,
    "long words": lambda size: ["x" * 400] * size,
    "many words": lambda size: ["so on and on " * 38] * size,
    "semicolons": lambda size: ["DRAW; DRAW"] * size,
    "wrapped orders": lambda size: ["PLACE H3 at C2", "rot 90"] * size,
    "forms": lambda size: ["orders of rally-042, turn 7, as red", "DRAW", "END of orders"] * size,
    "quoted forms": lambda size: ["> orders of rally-042, turn 7, as red", "> DRAW", "> END of orders"] * size,
    "forms without an end": lambda size: ["orders of rally-042, turn 7, as red", "DRAW"] * size,
    "a broken comment": lambda size: ["orders of rally-042, turn 7, as red", "# x", *["so on and on " * 6] * size],
    "headings of reports": lambda size: ["rally-042 · x", *["as " * 20] * size, "orders of rally-042, turn 7, as red"],
    "wishes": lambda size: ["take care"] * size,
}


@pytest.mark.parametrize("case", portion([(kind, seat) for seat in ("red", "") for kind in HOSTILE], 3), ids=" ".join)
def test_the_steps_grow_with_the_lines_and_no_faster(case: tuple[str, str]) -> None:
    kind, seat = case

    def steps(size: int) -> int:
        text = bound("\n".join(HOSTILE[kind](size)), seat or None)
        return lines_run(lambda: at_turn_7().apply([text]))

    steps(20)  # what is explained and remembered is so by now
    assert steps(200) <= 5.5 * steps(40)


# The pages say what is so.

ROOT = Path(__file__).parents[2]
ORDERS_PAGE = (ROOT / "docs" / "orders.md").read_text("utf-8")


def test_the_limits_are_what_the_page_says() -> None:
    table = ORDERS_PAGE.partition("| limit |")[2].partition("\n\n")[0].replace(",", "")
    numbers = [int(number) for number in re.findall(r"\d+", table)]
    assert numbers == [MOST_BYTES, MOST_LINES, MOST_COLUMNS, 20, 6, MOST_PROBLEMS]


@pytest.mark.parametrize("text", re.findall(r"```orders\n(.*?)```", ORDERS_PAGE, re.DOTALL))
def test_the_turn_files_of_the_page_are_read(text: str) -> None:
    game = re.search(r"game (\S+)", text)
    found = read_at_turn_7(text.replace(game[1], "rally-042") if game else text)
    assert found.orders or found.raw
    assert [one for one in found.raw if not one.code.startswith("core/")] == []  # nothing waits, and chance is committed


PROBLEMS = {
    "unknown-order": "red: DROW",
    "unexpected": "red: PLACE H3 at C2 rto 90",
    "incomplete": "red: PLACE H3",
    "two-orders": "red: DRAW OR REFRESH MOVE C3",
    "among-words": "red: DRAW\nI will REFRESH soon",
    "command": "red: DRAW\nThis is a PREVIEW",
    "wrapped-line": "red: PLACE H3 at C2\nrot 90",
    "unknown-fact": "red: IF hnad < 3 THEN DRAW",
    "unknown-name": "red: IF minutes of pink > 3 THEN DRAW",
    "no-argument": "red: IF row of blue has U7 THEN DRAW",
    "unreadable": "red:\nmove right",
    "missing-colon": "red MOVE C3",
    "late-withdrawal": "red: DRAW\nWITHDRAW",
    "no-seat": "DRAW",
    "unknown-seat": "pink: DRAW",
    "wrong-game": "game rally-041",
    "wrong-turn": "turn 6",
    "empty": "# nothing",
}


@pytest.mark.parametrize("code", PROBLEMS)
def test_each_kind_of_mistake_has_its_code(code: str) -> None:
    codes = read_at_turn_7(PROBLEMS[code]).codes
    assert set(codes) - {"empty"} == {code} - {"empty"}
    assert codes


# Whatever arrives is answered: never an exception, and every problem has a place that is there.

PIECES = [
    *(
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
    ),
    *("place h3 c2", "rot 90", "MOVE C3 D3", "move c3 then", "DRAW", "DROW", "IF row has U7 THEN", "TAKE U7 ELSE", "OR"),
    *("[H5 G2]", "(", ")", ";", "#", "-- ", "--", ">", "- ", "*", "1.", "\u201c", "\u200b", "\u00a0", "\ufeff", "\u2028"),
    *("é", "İ", "ﬀ", "C3", "Ｃ３", "С3", "On Friday you wrote:", "-----", "9" * 30, "x" * 520, "(" * 30, "\x1b[31m"),
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
    found = read_at_turn_7(*files)
    for one in found.raw:
        assert one.code.startswith(("orders/", "core/", "mail/", "checkpoint-rally/"))
        assert one.message
        if one.line:
            assert 1 <= one.column <= len(one.text) + 1
            assert one.width == 1 or one.column + one.width <= len(one.text) + 1
    for seat, orders in found.orders.items():  # canonical words are read as what they were
        again = read_at_turn_7("\n".join([f"{seat}:", *orders]))
        assert (again.orders, again.codes) == ({seat: orders}, [])
    assert read_at_turn_7(*files) == found


@given(st.lists(FILE, max_size=3))
@example([b"\xff\xfe"])
@example([b"\xfe\xff\0"])
@example([b"\xef\xbb\xbf"])
@example([b"red:PLACE\tA\tA\tPLACE\tA\tA"])
@example([b"game rally-042" + b"x" * 500])
@example(["red: İ\nturn ⅷ\nﬀ:".encode()])
@example(["red:\n  (\u200b(((\u201cDRAW\u2028".encode()])
@settings(max_examples=80, deadline=None)
def test_whatever_arrives_is_answered(files: list[bytes]) -> None:
    assert_answered(files)


@pytest.mark.soak
@given(st.lists(FILE, max_size=3))
@settings(max_examples=20_000, deadline=None)
def test_whatever_arrives_is_answered_at_length(files: list[bytes]) -> None:
    assert_answered(files)
