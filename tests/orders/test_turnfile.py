"""Turn files: headers, sheets, and everything that can be wrong with them, each with its place."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from portion import portion

from adjudicator.core.ids import Seat
from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.games.rally_round.rules import RULESET as ROUND
from adjudicator.orders.clean import MOST_BYTES, MOST_COLUMNS, MOST_LINES
from adjudicator.orders.parser import reader
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.turnfile import TurnFile, read_turn_files

Read = Callable[..., TurnFile]
Words = Callable[..., dict[str, list[str]]]
Summary = Callable[[TurnFile], list[tuple[str, int, str]]]

USUAL = """\
game rally-042                 # optional
turn 7
red:
  PLACE H3 at C2 rot 90
  DISCARD G7
blue: MOVE C3 D3               # one-line form
"""
SAID = {"red": ["PLACE H3 at C2 rot 90", "DISCARD G7"], "blue": ["MOVE C3 D3"]}


def test_the_usual_turn_file(read: Read, words: Words) -> None:
    assert words(USUAL) == SAID
    assert read(USUAL).diagnostics == ()
    assert read(USUAL).ignored == ()


def test_instructions_know_where_they_stood(read: Read) -> None:
    red, blue = read(USUAL).sheets
    assert [(item.line, item.text, item.source) for item in red.instructions] == [
        (4, "  PLACE H3 at C2 rot 90", "1.txt"),
        (5, "  DISCARD G7", "1.txt"),
    ]
    assert blue.instructions[0].text == "blue: MOVE C3 D3               # one-line form"


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_charsets_and_line_ends(words: Words, charset: str, end: str) -> None:
    assert words(USUAL.replace("\n", end).encode(charset)) == SAID


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
        "Game Rally-042, turn 7:".removesuffix(":") + "\nred:\nDRAW\nMOVE C3",
    ],
)
def test_mail_is_survived(read: Read, words: Words, text: str) -> None:
    assert words(text) == {"red": ["DRAW", "MOVE C3"]}
    assert read(text).diagnostics == ()


def test_mails_one_after_another(words: Words) -> None:
    mails = ["red: DRAW\n-- \nAnn", "turn 7\nblue:\nMOVE C3\n--\nBob: a name like a seat"]
    assert words("\n".join(mails)) == words(*mails) == {"red": ["DRAW"], "blue": ["MOVE C3"]}


def test_what_is_passed_over_is_told(read: Read) -> None:
    ignored = read("red:\nDRAW\n> quoted\n=====\nWhat a race\n-- \nAnn").ignored
    assert [(item.source, item.line, item.text, item.why) for item in ignored] == [
        ("1.txt", 3, "> quoted", "quoted from an earlier mail"),
        ("1.txt", 4, "=====", "a line without words"),
        ("1.txt", 5, "What a race", "not understood"),
        ("1.txt", 6, "-- ", "part of a signature"),
        ("1.txt", 7, "Ann", "part of a signature"),
    ]
    assert [item.is_remark for item in ignored] == [False, False, True, False, False]


@pytest.mark.parametrize("line", ["red: DRAW; good luck", "; DRAW", "red: DRAW # DRAW; DRAW", "red: DRAW; a joke"])
def test_a_comment_that_is_one_is_not_worth_telling(read: Read, line: str) -> None:
    assert read(line).ignored == ()


DRAWN = {"red": ["DRAW"]}
WRONG: dict[str, tuple[str, list[tuple[str, int, str]], dict[str, list[str]]]] = {
    # The text, what is found (code, line, text above the carets), the orders that stand.
    "unknown verb": ("red: DROW", [("unknown-order", 1, "DROW")], {}),
    "unreadable words": ("red:\nPLACE H3 at C2 foo", [("unexpected", 2, "foo")], {}),
    "half an order": ("red: MOVE", [("incomplete", 1, "")], {}),
    "two orders on a line": ("red: DRAW OR REFRESH MOVE C3", [("two-orders", 1, "MOVE")], {}),
    "wrong game": ("game other\nred: DRAW", [("wrong-game", 1, "other")], {}),
    "wrong game called game": ("game game\nred: DRAW", [("wrong-game", 1, "game")], {}),
    "wrong game, other language": ("game other\npurple:\nturn 99", [("wrong-game", 1, "other"), ("empty", 0, "")], {}),
    "stale turn": ("turn 6\nred: DRAW", [("wrong-turn", 1, "6")], {}),
    "future turn": ("turn 77\nred: DRAW", [("wrong-turn", 1, "77")], {}),
    "stale turn beside the game": ("game rally-042 turn 6\nred: DRAW", [("wrong-turn", 1, "6")], {}),
    "garbled turn": ("turn seven\nred: DRAW", [("unexpected", 1, "seven")], {}),
    "garbled game": ("game rally 042\nred: DRAW", [("unexpected", 1, "042")], {}),
    "unknown seat": ("purple: DRAW\nMOVE C3", [("unknown-seat", 1, "purple")], {}),
    "unknown seat and verb": ("purple: DROW\nMVOE C3", [("unknown-seat", 1, "purple"), ("unknown-order", 2, "MVOE")], {}),
    "sheet gone on with, unreadable": ("red: DRAW\nred: DROW", [("unknown-order", 2, "DROW")], DRAWN),
    "sheet gone on with after a bad line": ("red: DROW\nred: DRAW", [("unknown-order", 1, "DROW")], {}),
    "no seat": (" DRAW # now\nMOVE C3", [("no-seat", 1, "DRAW")], {}),
    "no seat, then one": ("DRAW\nred: DRAW", [("no-seat", 1, "DRAW")], DRAWN),
    "no seat, unreadable": ("DROW\nMVOE", [("unknown-order", 1, "DROW"), ("unknown-order", 2, "MVOE")], {}),
    "missing colon": ("red MOVE C3\nDRAW", [("missing-colon", 1, "red")], {}),
    "missing colon below a sheet": ("red:\nDRAW\nBlue MOVE C3\nDRAW", [("missing-colon", 3, "Blue")], DRAWN),
    "missing colon, then none": ("red MOVE C3\nred: DRAW", [("missing-colon", 1, "red")], DRAWN),
    "wrapped line": ("red:\nDRAW\nPLACE H3 at C2\nrot 90\nDRAW", [("wrapped-line", 4, "rot 90")], DRAWN),
    "wrapped condition": ("red: TAKE U7 IF row has U7\n  ELSE DRAW", [("wrapped-line", 2, "ELSE DRAW")], {}),
    "wrapped names": ("red: DISCARD G7\nH2", [("wrapped-line", 2, "H2")], {}),
    "name below a move": ("red: MOVE C3\nBob", [], {"red": ["MOVE C3"]}),
    "name far below a move": ("red: MOVE C3\n\nD3", [], {"red": ["MOVE C3"]}),
    "empty file": ("", [("empty", 0, "")], {}),
    "only blanks": ("  \n\t\n", [("empty", 0, "")], {}),
    "only comments": ("# DRAW\n; DRAW", [("empty", 0, "")], {}),
    "only headers": ("game rally-042\nturn 7\nred:\nblue:", [("empty", 0, "")], {}),
    "only quotes": ("> red: DRAW", [("empty", 0, "")], {}),
    "line too long": ("red: DRAW\nDRAW " + "x" * (MOST_COLUMNS - 2), [("line-too-long", 2, "xxx")], DRAWN),
    "million characters": ("red: DRAW" + "x" * 900_000, [("empty", 0, "")], {}),
    "deep brackets": ("red:\n " + "(" * 21 + "DRAW" + ")" * 21, [("too-deep", 2, "(" * 21 + "DRAW" + ")" * 21)], {}),
    "deep conditions": ("red:\n" + "IF a = 1 THEN " * 21 + "DRAW", [("too-deep", 2, "IF a = 1 THEN " * 21 + "DRAW")], {}),
    "too many lines": ("red:\n" + "DRAW\n" * MOST_LINES, [("too-many-lines", 0, "")], {}),
    "binary": ("\0\1\2", [("not-text", 0, "")], {}),
    "letters that lengthen in lower case": ("İ İ\nturn ⅷ", [("unexpected", 2, "ⅷ")], {}),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(read: Read, words: Words, summary: Summary, case: str) -> None:
    text, found, standing = WRONG[case]
    assert summary(read(text)) == found
    assert words(text) == standing


@pytest.mark.parametrize(
    ("line", "code", "marked"),
    [("TC3: 30 3O 20", "unexpected", "O"), ("RTC3: 10 fast", "unexpected", "fast"), ("TC3:", "incomplete", "")],
)
def test_the_beginning_of_an_order_is_no_seat(line: str, code: str, marked: str) -> None:
    """An order may begin with a word and a colon: what is wrong with it is told then, not that there is no such seat."""
    found = read_turn_files(ROUND, Addressee("x", 1, (Seat("red"), Seat("blue"))), [("1.txt", f"red:\n  {line}\n".encode())])
    (wrong,) = found.diagnostics
    assert (wrong.seat, wrong.problem.code, wrong.line) == ("red", f"orders/{code}", 2)
    assert not marked or wrong.text[wrong.column - 1 :][: wrong.width] == marked
    (other,) = read_turn_files(ROUND, Addressee("x", 1, (Seat("red"),)), [("1.txt", b"gren: TC3: 3O\n")]).diagnostics
    assert other.problem.code == "orders/unknown-seat"


def test_all_problems_at_once_and_other_sheets_unaffected(read: Read, words: Words, summary: Summary) -> None:
    text = "\n".join(
        [
            "turn 6",
            "red: REFRESH",
            "turn 7",
            "red:",
            "  DRAW",
            "  DROW",
            "  MVOE C3",
            "  REFRESH",
            "pink: DRAW",
            "  TKAE U7",
            "blue:",
            "  MOVE C3",
            "red: KEEP H3",
        ]
    )
    assert summary(read(text)) == [
        ("wrong-turn", 1, "6"),
        ("unknown-order", 6, "DROW"),
        ("unknown-order", 7, "MVOE"),
        ("unknown-seat", 9, "pink"),
        ("unknown-order", 10, "TKAE"),
    ]
    assert words(text) == {"red": ["DRAW"], "blue": ["MOVE C3"]}
    assert [[item.line for item in sheet.check_only] for sheet in read(text).sheets] == [[8, 13], []]


def test_what_stands_behind_an_unreadable_line_is_kept_apart(read: Read) -> None:
    text = "red:\nDRAW\nDROW\nMOVE Z9\nblue: DROW\nred: REFRESH\nblue: MOVE C3\npink: MOVE C3"
    red, blue = read(text).sheets
    assert [item.text for item in red.instructions] == ["DRAW"]
    assert [item.text for item in red.check_only] == ["MOVE Z9", "red: REFRESH"]
    assert blue.instructions == ()
    assert [item.line for item in blue.check_only] == [7]


def only(found: TurnFile) -> Diagnostic:
    (diagnostic,) = found.diagnostics
    return diagnostic


def test_findings_know_whose_sheet_it_is(read: Read) -> None:
    assert [diagnostic.seat for diagnostic in read("DROW\nred: DROW\nblue:\nDROW\nred: DROW").diagnostics] == [
        "",
        "red",
        "blue",
        "red",
    ]


def test_of_two_files_with_a_sheet_of_one_seat_the_later_counts_and_that_is_told(read: Read, words: Words) -> None:
    found = read("red: DRAW\nblue: DRAW", "red: MOVE C3")
    assert found.diagnostics == ()
    assert found.replaced == (("red", "the sheet in 1.txt is replaced by the later one in 2.txt"),)
    assert words("red: DRAW\nblue: DRAW", "red: MOVE C3") == {"blue": ["DRAW"], "red": ["MOVE C3"]}
    assert read("red: DRAW", "blue: DRAW").replaced == ()


@pytest.mark.parametrize("later", ["red: DROW", "red:\nMVOE C3", "red MOVE C3"])
def test_a_later_sheet_that_cannot_be_read_leaves_the_earlier_one(read: Read, words: Words, later: str) -> None:
    """As if they had come one after the other: nothing gives way to a sheet with a mistake in it."""
    assert words("red: DRAW", later) == DRAWN
    found = read("red: DRAW", later)
    assert [diagnostic.source for diagnostic in found.diagnostics] == ["2.txt"]
    note = "the sheet in 2.txt has a mistake and does not count: the earlier one in 1.txt still counts"
    assert found.replaced == (("red", note),)
    assert words("red: DRAW", later, "red: MOVE C3") == {"red": ["MOVE C3"]}
    again = read("red: DRAW", later, "red: MOVE C3")
    assert again.diagnostics == ()
    assert [sent.later for sent in again.arrived] == ["3.txt", "3.txt", ""]
    assert [[item.text for item in one.orders] for one in again.counted[Seat("red")].replaced] == [["red: DRAW"]]


def test_of_sheets_that_all_have_a_mistake_the_first_that_says_something_counts(read: Read, words: Words) -> None:
    assert words("red: DROW\nMOVE C3", "red: DRAW\nDROW", "red: REFRESH\nDROW") == DRAWN
    found = read("red: DROW\nMOVE C3", "red: DRAW\nDROW", "red: REFRESH\nDROW")
    assert [diagnostic.source for diagnostic in found.diagnostics] == ["1.txt", "2.txt", "3.txt"]
    assert found.flawed == {"red"}


@pytest.mark.parametrize(
    ("mails", "stands"),
    [
        (["DRAW\nMOVE C3", "WITHDRAW from 2\nREFRESH"], ["DRAW", "REFRESH"]),
        (["DRAW\nMOVE C3", "WITHDRAW from 2\nDROW"], ["DRAW"]),
        (["DRAW\nMOVE C3", "WITHDRAW from 3\nREFRESH"], ["DRAW", "MOVE C3"]),
        (["DRAW", "WITHDRAW\nREFRESH\nDROW"], ["REFRESH"]),
        (["DRAW", "WITHDRAW", "MOVE C3\nDROW"], ["MOVE C3"]),
        (["DRAW", "WITHDRAW", "MOVE C3"], ["MOVE C3"]),
        (["DRAW", "DROW", "WITHDRAW from 1\nMOVE C3"], ["MOVE C3"]),
        (["DROW", "WITHDRAW from 2\nMOVE C3"], ["MOVE C3"]),
    ],
)
def test_a_withdrawal_takes_back_what_stands_of_mails_before(given: Given, mails: list[str], stands: list[str]) -> None:
    found = given(*(mail(text, "red", n, f"{n}.eml") for n, text in enumerate(mails, 1)))
    assert texts(found) == {"red": stands}


def test_what_was_wrong_with_a_sheet_is_settled_by_a_later_one(read: Read, words: Words) -> None:
    assert read("red: DROW\nMVOE C3", "red: DRAW").diagnostics == ()
    assert words("red: DROW\nMVOE C3", "red: DRAW") == DRAWN
    assert [diagnostic.seat for diagnostic in read("red: DROW\nblue: DROW", "red: DRAW").diagnostics] == ["blue"]


@pytest.mark.parametrize("later", ["game other\nred: MOVE C3", "turn 6\nred: MOVE C3", "pink: MOVE C3", "# nothing", "red:"])
def test_a_file_without_a_sheet_that_counts_replaces_none(read: Read, words: Words, later: str) -> None:
    assert words("red: DRAW", later) == DRAWN
    assert read("red: DRAW", later).replaced == ()


def test_two_sheets_of_one_seat_in_one_file_are_one_in_order(read: Read, words: Words) -> None:
    text = "red: DRAW\nblue: REFRESH\nRed:\nMOVE C3\nred: DRAW"
    assert words(text) == {"red": ["DRAW", "MOVE C3", "DRAW"], "blue": ["REFRESH"]}
    assert read(text).diagnostics == ()


def test_the_sheets_come_in_the_order_of_the_texts_that_count(words: Words) -> None:
    assert list(words("red: DRAW\nblue: DRAW", "red: MOVE C3")) == ["blue", "red"]


def test_a_bad_file_leaves_the_others_alone(read: Read, words: Words) -> None:
    files = ["game other\nred: REFRESH", b"\0", "red: DRAW"]
    assert [diagnostic.source for diagnostic in read(*files).diagnostics] == ["1.txt", "2.txt"]
    assert words(*files) == {"red": ["DRAW"]}


def test_a_header_rules_until_the_next(words: Words) -> None:
    text = "game other\nturn 7\nred: MOVE A1\ngame rally-042\nred: MOVE B1\nturn 8\nblue: MOVE C1\nturn 7\nblue: MOVE D1"
    assert words(text) == {"red": ["MOVE B1"], "blue": ["MOVE D1"]}


def test_a_game_header_begins_a_mail_anew(read: Read, words: Words) -> None:
    """Neither the turn nor the open sheet of what stands before it counts any more."""
    assert words("turn 6\nred: DRAW\ngame rally-042\nblue: MOVE B1") == {"blue": ["MOVE B1"]}
    text = "red:\nDRAW\ngame rally-042\nMOVE B1\nblue: MOVE C1"
    assert words(text) == {"red": ["DRAW"], "blue": ["MOVE C1"]}
    assert [(one.problem.code, one.line) for one in read(text).diagnostics] == [("orders/no-seat", 4)]


def test_a_turn_header_closes_the_sheet_before_it(read: Read, words: Words) -> None:
    text = "red:\nDRAW\nturn 7\nMOVE B1"
    assert words(text) == {"red": ["DRAW"]}
    assert [(one.problem.code, one.line) for one in read(text).diagnostics] == [("orders/no-seat", 4)]


def test_the_turn_of_another_game_is_not_looked_at(read: Read, words: Words) -> None:
    text = "game other turn 7\nturn 3\nred: DRAW\ngame rally-042 turn 7\nred: REFRESH"
    assert [(one.problem.code, one.line) for one in read(text).diagnostics] == [("orders/wrong-game", 1)]
    assert words(text) == {"red": ["REFRESH"]}


def test_a_garbled_header_refuses_what_follows_and_says_so(read: Read, words: Words) -> None:
    text = "turn seven\nred: DRAW\nturn 7\nblue: DRAW"
    assert only(read(text)).problem.message.endswith("; the orders below this line do not count")
    assert words(text) == {"blue": ["DRAW"]}


def test_the_game_may_be_written_in_any_case(words: Words) -> None:
    assert words("GAME RALLY-042\nred: DRAW") == {"red": ["DRAW"]}


@pytest.mark.parametrize(
    ("line", "suggestion"),
    [
        ("red MOVE C3", "red: MOVE C3"),
        ("Red - move c3.", "red: move c3"),
        ("red, MOVE C3", "red: MOVE C3"),
        ("red. MOVE C3", "red: MOVE C3"),
        ("red MVOE C3", "red:"),
        ("red\nMOVE C3", "red:"),
        ("red; MOVE C3", "red:"),
        ("red (Ann): MOVE C3", "red:"),
    ],
)
def test_a_seat_without_its_colon(read: Read, line: str, suggestion: str) -> None:
    problem = only(read(line)).problem
    assert problem.code == "orders/missing-colon"
    assert problem.suggestions == (suggestion,)


def test_suggestions_for_headers_and_seats(read: Read) -> None:
    assert only(read("game rally-041\nred: DRAW")).problem.suggestions == ("game rally-042",)
    assert only(read("turn 6\nred: DRAW")).problem.suggestions == ("turn 7",)
    assert only(read("bleu: DRAW")).problem.suggestions == ("blue",)
    assert only(read("red: PLACE H3 at C2\nrot 90")).problem.suggestions == ("red: PLACE H3 at C2 rot 90",)


def test_a_wrong_turn_says_which_way(read: Read) -> None:
    assert "turn 6 is over, and the game is at turn 7" in only(read("turn 6\nred: DRAW")).problem.message
    assert "turn 8 has not begun yet, and the game is at turn 7" in only(read("turn 8\nred: DRAW")).problem.message


def test_an_empty_file_says_what_was_passed_over(read: Read) -> None:
    assert only(read("> red: DRAW\n> DRAW")).problem.message.endswith("; 2 lines were ignored (quotes, signatures, remarks)")


@pytest.mark.parametrize("size", [MOST_BYTES + 1, 10_000_000])
def test_a_file_too_large(read: Read, size: int) -> None:
    diagnostic = only(read(b"red: DRAW\n".ljust(size)))
    assert (diagnostic.problem.code, diagnostic.line, diagnostic.source) == ("orders/too-large", 0, "1.txt")


@pytest.mark.parametrize(
    "line", portion(["MVOE{0}", "red MVOE{0}", "turn {0}\nturn 7", "seat{0}: DRAW", "red: DROW{0}\nred: DRAW"], 3)
)
def test_many_problems_are_counted(read: Read, line: str) -> None:
    count = 2 * MOST_PROBLEMS
    text = "red:\nDRAW\n" + "".join(line.format(number + 10) + "\n" for number in range(count)) + "blue: DRAW"
    found = read(text)
    diagnostics = found.diagnostics
    assert len(diagnostics) == MOST_PROBLEMS + 1
    assert diagnostics[-1].problem.code == "orders/too-many-problems"
    assert "more problems of this file are not listed" in diagnostics[-1].problem.message
    assert diagnostics[-1].line == 0
    orders = {sheet.seat: [RULESET.language.text(item.expression) for item in sheet.instructions] for sheet in found.sheets}
    assert orders == {"red": ["DRAW"], "blue": ["DRAW"]}


def test_lines_are_remembered(read: Read, no_parsers: Any) -> None:
    read("red:\n" + "DRAW\n" * 500)
    assert reader(RULESET).parse.cache_info().misses == 2


def test_nothing_at_all(read: Read) -> None:
    assert read() == TurnFile((), (), ())


def test_the_head_of_a_mail_is_passed_over(read: Read, words: Words) -> None:
    text = "From: Ann <ann@example.org>\nTo: the moderator\nSubject: turn 7\nDate: Sun, 1 Mar 2026\n\nred:\nDRAW\n"
    assert words(text) == {"red": ["DRAW"]}
    received = read(text)
    assert received.diagnostics == ()
    assert [(ignored.line, ignored.why) for ignored in received.ignored] == [(n, "the head of a mail") for n in (1, 2, 3, 4)]


@pytest.mark.parametrize("head", ["From: Bob", "Subject: turn 7\nDate: today", "From: Bob\nSubject: turn 7"])
def test_orders_below_the_head_of_another_mail_are_not_those_of_the_seat_above(read: Read, words: Words, head: str) -> None:
    text = f"red:\nDRAW\n\n{head}\n\nMOVE C3"
    assert words(text) == {"red": ["DRAW"]}
    assert only(read(text)).problem.code == "orders/no-seat"
    assert words(f"{text}\nblue:\nREFRESH") == {"red": ["DRAW"], "blue": ["REFRESH"]}


def test_a_seat_may_be_called_like_a_word_of_a_mail_s_head() -> None:
    files = [("1.txt", b"from: DRAW\n")]
    (sheet,) = read_turn_files(RULESET, Addressee("rally-042", 7, (Seat("from"), Seat("blue"))), files).sheets
    assert sheet.seat == "from"


def mail(text: str, seat: str = "", received: int | None = None, source: str = "a.eml") -> Submission:
    return Submission(source, tuple(text.split("\n")), Seat(seat) if seat else None, received, is_mail=True)


@pytest.fixture
def given(read: Read) -> Callable[..., TurnFile]:
    """Read mails for turn 7 of the game `rally-042`; Ann holds red, and so on."""
    holders = {Seat("red"): "Ann Smith", Seat("blue"): "Bob"}

    def read_mails(*mails: Submission, seats: tuple[str, ...] = ("red", "blue"), names: Any = holders) -> TurnFile:
        return read_turn_files(RULESET, Addressee("rally-042", 7, tuple(map(Seat, seats)), names), mails)

    return read_mails


def texts(found: TurnFile) -> dict[str, list[str]]:
    return {sheet.seat: [item.text.strip() for item in sheet.instructions] for sheet in found.sheets if sheet.instructions}


Given = Callable[..., TurnFile]


@pytest.mark.parametrize("end", ["END", "end", "  End.", "**END**", "END!", "END of orders"])
def test_end_ends_a_sheet(read: Read, words: Words, end: str) -> None:
    text = f"red:\nDRAW\n{end}\nwhatever this is\nMOVE C3\n\nblue:\nREFRESH"
    assert words(text) == {"red": ["DRAW"], "blue": ["REFRESH"]}
    assert read(text).diagnostics == ()
    assert [(item.line, item.why) for item in read(text).ignored] == [(4, "it is below END"), (5, "it is below END")]


@pytest.mark.parametrize("line", ["The end", "END OF STORY", "END red", "MOVE END", "# END", "> END"])
def test_other_lines_end_no_sheet(read: Read, line: str) -> None:
    assert [item.line for item in read(f"red:\nDRAW\n{line}\nMOVE C3").ignored if "END" in item.why] == []


def test_who_has_written_end_says_no_more(read: Read, words: Words) -> None:
    text = "red:\nDRAW\nEND\nred: MOVE C3\nDROW\nREFRESH\nblue: DRAW\nred: TAKE U7"
    assert words(text) == {"red": ["DRAW"], "blue": ["DRAW"]}
    assert read(text).diagnostics == ()
    assert all("END" in item.why for item in read(text).ignored)
    assert {item.line for item in read(text).ignored} == {4, 5, 6, 8}


def test_in_a_mail_nothing_counts_below_the_last_end(given: Given) -> None:
    found = given(mail("red:\nDRAW\nEND\nblue:\nREFRESH\nEND\n\n*** Max, last week ***\nturn 6\nred: DROW\nblue: MOVE C3"))
    assert texts(found) == {"red": ["DRAW"], "blue": ["REFRESH"]}
    assert found.diagnostics == ()
    assert texts(given(mail("red:\nDRAW\nEND\nblue: MOVE C3"))) == {"red": ["DRAW"]}
    assert texts(given(mail("DRAW\nEND\nred: MOVE C3\nblue: MOVE C3", "red"))) == {"red": ["DRAW"]}
    old = "-----Original Message-----\nred: MOVE C3\nEND"
    assert texts(given(mail(f"red:\nDRAW\n\n{old}"))) == {"red": ["DRAW"]}


@pytest.mark.parametrize("head", ["", "red:\n", "Red:\n", "Ann:\n"])
def test_in_a_bound_mail_orders_need_no_head(given: Given, head: str) -> None:
    found = given(mail(f"{head}DRAW\nMOVE C3", "red"))
    assert texts(found) == {"red": ["DRAW", "MOVE C3"]}
    assert found.diagnostics == ()
    assert found.sent == {"red"}


def test_in_a_bound_mail_headers_count_as_ever(given: Given) -> None:
    assert texts(given(mail("game rally-042, turn 7\nDRAW", "red"))) == {"red": ["DRAW"]}
    for header in ("turn 6", "game other", "turn seven"):
        found = given(mail(f"{header}\nDRAW\nMOVE C3", "red"))
        assert texts(found) == {}
        assert [item.line for item in found.diagnostics] == [1]
        assert found.sent == frozenset()
    assert texts(given(mail("turn 6\nDRAW\nturn 7\nMOVE C3", "red"))) == {"red": ["MOVE C3"]}


def foreign(found: TurnFile) -> list[tuple[int, str, str, tuple[str, ...]]]:
    return [
        (
            item.line,
            item.problem.code,
            item.problem.message.replace(item.text.split(":")[0].split()[0].lower(), "X"),
            item.seat,
        )
        for item in found.diagnostics
    ]


@pytest.mark.parametrize("other", ["blue", "bluee", "Bob"])
def test_in_a_bound_mail_other_seats_are_refused_and_nothing_is_told_about_them(given: Given, other: str) -> None:
    """Whether there is such a seat, whether its orders can be read, whether it has sent any: it is all the same."""
    refused = [(2, "orders/not-yours", "this text is from red: it cannot have orders for “X”", "red")]
    for orders in ("DRAW", "", "DROW", "DRAW; MOVE C3", "\nDRAW\nDROW\nMVOE C3\nPLACE", "\nHi Bob,\nDRAW\n-----\nthanks"):
        found = given(mail(f"DRAW\n{other}: {orders}\nred:\nMOVE C3", "red"), mail("blue: DRAW", source="b.eml"))
        assert texts(found) == {"red": ["DRAW", "MOVE C3"], "blue": ["blue: DRAW"]}
        assert foreign(found) == refused
        assert found.replaced == ()
        assert [item.text for item in found.ignored] == ["-----"] * ("-----" in orders)


def test_in_a_bound_mail_a_line_that_begins_with_another_seat_is_refused_like_its_sheet(given: Given) -> None:
    found = given(mail("DRAW\nblue MOVE C3\nREFRESH", "red"))
    assert texts(found) == {"red": ["DRAW"]}
    assert [(item.line, item.problem.code) for item in found.diagnostics] == [(2, "orders/not-yours")]
    assert [item.problem.code for item in given(mail("red MOVE C3", "red")).diagnostics] == ["orders/missing-colon"]


def test_a_mistyped_own_seat_is_suggested(given: Given) -> None:
    assert only(given(mail("rde: DRAW\nMOVE C3", "red"))).problem.suggestions == ("red",)
    assert texts(given(mail("rde: DRAW\nMOVE C3", "red"))) == {}


@pytest.mark.parametrize(
    ("name", "seat"),
    [("Ann", "red"), ("ann", "red"), ("Bob", "blue"), ("BLUE", "blue"), ("Smith", None), ("Carl", None)],
)
def test_a_holder_s_name_is_the_name_of_the_seat(given: Given, name: str, seat: str | None) -> None:
    found = given(mail(f"{name}:\nDRAW"))
    assert texts(found) == ({seat: ["DRAW"]} if seat else {})
    assert bool(found.diagnostics) is (seat is None)


@pytest.mark.parametrize(
    "holders", [{"red": "Ann Smith", "blue": "Ann Miller"}, {"red": "Ann", "blue": "Ann"}, {"red": "Blue"}]
)
def test_a_name_that_means_two_is_none(given: Given, holders: dict[str, str]) -> None:
    names = {Seat(seat): name for seat, name in holders.items()}
    assert texts(given(mail("Ann: DRAW"), names=names)) == {}
    assert texts(given(mail("blue: DRAW"), names=names)) == {"blue": ["blue: DRAW"]}


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        (None, None, "second"),
        (None, 5, "second"),
        (5, None, "second"),
        (5, 6, "second"),
        (5, 5, "second"),
        (6, 5, "first"),
        (-6, -7, "first"),
    ],
)
@pytest.mark.parametrize("seat", ["red", ""])
def test_the_mail_received_later_counts(given: Given, first: int | None, second: int | None, counts: str, seat: str) -> None:
    head = "" if seat else "red:\n"
    found = given(mail(f"{head}DRAW", seat, first, "a.eml"), mail(f"{head}MOVE C3", seat, second, "b.eml"))
    assert texts(found) == {"red": ["DRAW" if counts == "first" else "MOVE C3"]}
    old, new = ("b.eml", "a.eml") if counts == "first" else ("a.eml", "b.eml")
    assert found.replaced == (("red", f"the sheet in {old} is replaced by the later one in {new}"),)


def test_of_many_mails_the_last_counts_and_the_others_are_told(given: Given) -> None:
    mails = [mail("DRAW", "red", time, f"{time}.eml") for time in (3, 9, 4)]
    assert [note for _, note in given(*mails).replaced] == [
        "the sheet in 3.eml is replaced by the later one in 9.eml",
        "the sheet in 4.eml is replaced by the later one in 9.eml",
    ]
    assert given(mail("DRAW", "red"), mail("DRAW", "blue")).replaced == ()


def test_a_later_mail_without_orders_replaces_nothing_and_is_no_problem(given: Given) -> None:
    found = given(mail("DRAW", "red", 1), mail("Thanks for the report!", "red", 2, "b.eml"))
    assert texts(found) == {"red": ["DRAW"]}
    assert (found.diagnostics, found.replaced) == ((), ())
    assert only(given(mail("Thanks!", "red"))).problem.code == "orders/empty"


def test_of_a_mail_for_two_seats_one_sheet_may_be_replaced(given: Given) -> None:
    found = given(mail("red: DRAW\nblue: DRAW\nDROW"), mail("blue: REFRESH", source="b.eml"))
    assert texts(found) == {"red": ["red: DRAW"], "blue": ["blue: REFRESH"]}
    assert found.diagnostics == ()


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
def test_the_rest_of_a_quoted_line_is_no_order(given: Given, text: str, orders: list[str], wrong: list[int]) -> None:
    found = given(mail(f"REFRESH\n{text}", "red"))
    assert texts(found) == {"red": ["REFRESH", *orders]}
    assert [item.line - 1 for item in found.diagnostics] == wrong


def test_what_comes_with_a_mail_is_told_and_what_cannot_be_read_is_a_problem(given: Given) -> None:
    found = given(Submission("a.eml", ("red: DRAW",), left_out=("map.png (image/png)",), is_mail=True))
    assert [(item.line, item.text) for item in found.ignored] == [(0, "map.png (image/png)")]
    problem = Problem("mail/too-large", "the mail is too large")
    diagnostic = only(given(Submission("a.eml", seat=Seat("red"), problem=problem)))
    assert (diagnostic.problem, diagnostic.seat, diagnostic.line) == (problem, "red", 0)
    skipped = given(Submission("a.eml", ("DROW",), skipped="it is marked as deleted"))
    assert (skipped.diagnostics, [item.why for item in skipped.ignored]) == ((), ["it is marked as deleted"])


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


@pytest.mark.parametrize("case", portion([(kind, seat) for seat in ("red", "") for kind in HOSTILE], 6), ids=" ".join)
def test_the_steps_grow_with_the_lines_and_no_faster(given: Given, case: tuple[str, str]) -> None:
    kind, seat = case

    def steps(size: int) -> int:
        count = 0

        def trace(_frame: FrameType, event: str, _: Any) -> Any:
            nonlocal count
            count += event == "line"
            return trace

        submission = mail("\n".join(HOSTILE[kind](size)), seat)
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            given(submission)
        finally:
            sys.settrace(before)
        return count

    given(mail("\n".join(HOSTILE[kind](99)), seat))  # what is explained and remembered is so by now, but not the mails
    few, many = steps(100), steps(500)
    assert many <= 5.5 * few


def test_withdraw_is_read_in_every_spelling_and_is_no_order(read: Read) -> None:
    for words in ("WITHDRAW", "withdraw my orders.", "Withdraw all", "- WITHDRAW!"):
        (sheet,) = read(f"red:\n{words}\n").sheets
        assert (sheet.withdrawal.first if sheet.withdrawal else 0, sheet.instructions) == (1, ())
    (sheet,) = read("red: WITHDRAW from order 3\nDRAW").sheets
    assert sheet.withdrawal is not None
    assert (sheet.withdrawal.first, sheet.withdrawal.line, len(sheet.instructions)) == (3, 1, 1)


def test_withdraw_is_no_part_of_an_order(read: Read) -> None:
    for words in ("WITHDRAW OR DRAW", "DRAW OR WITHDRAW", "IF hand < 3 THEN WITHDRAW", "WITHDRAW 2"):
        found = read(f"red: {words}")
        assert found.sheets == ()
        assert len(found.diagnostics) == 1
        assert found.flawed == {"red"}


def test_lines_passed_over_are_listed_up_to_a_number_and_counted_beyond(read: Read) -> None:
    from adjudicator.orders.findings import MOST_IGNORED

    found = read("red:\nDRAW\n" + "> quoted\n" * (MOST_IGNORED + 7), "> quoted\nblue: DRAW")
    assert [line.line for line in found.ignored[:2]] == [3, 4]
    assert len(found.ignored) == MOST_IGNORED + 2
    last, other = found.ignored[-2:]
    assert (last.line, last.why, last.source) == (0, "7 more lines of this text not listed here", "1.txt")
    assert (other.line, other.source) == (1, "2.txt")
    assert [line.line for line in read("red:\nDRAW\n" + "> quoted\n" * MOST_IGNORED).ignored][-1] == MOST_IGNORED + 2


def test_an_empty_file_counts_all_that_was_passed_over(read: Read) -> None:
    (diagnostic,) = read("> quoted\n" * 1_500).diagnostics
    assert "1,500" in diagnostic.problem.message


def test_a_seat_without_its_colon_is_to_blame_itself(read: Read) -> None:
    found = read("blue: DRAW\n\nred\n  MOVE C3 D3\n")
    (problem,) = found.diagnostics
    assert (problem.seat, problem.line, problem.text) == ("red", 3, "red")
    assert [sheet.seat for sheet in found.sheets if sheet.instructions] == ["blue"]


@pytest.mark.parametrize("below", ["red: DROW", "red: DRAW"])
def test_what_stands_below_end_is_told_once_with_its_line_and_words(read: Read, below: str) -> None:
    found = read(f"red:\n  DRAW\nEND\nblue: DRAW\n{below}\nMOVE C3 D3\n")
    assert [(one.line, one.text, one.why) for one in found.ignored] == [
        (5, below, "red wrote END above"),
        (6, "MOVE C3 D3", "red wrote END above"),
    ]
    assert found.diagnostics == ()
