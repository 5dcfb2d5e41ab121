"""Turn files: headers, sheets, and everything that can be wrong with them, each with its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Diagnostic
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.clean import MOST_BYTES, MOST_COLUMNS, MOST_LINES
from adjudicator.orders.parser import reader
from adjudicator.orders.turnfile import MOST_PROBLEMS, Addressee, TurnFile, read_turn_files

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
    ignored = read("red:\nDRAW\n> quoted\n=====\n-- \nAnn", "blue: DRAW; MOVE C3").ignored
    assert [(item.source, item.line, item.text, item.why) for item in ignored] == [
        ("1.txt", 3, "> quoted", "quoted from an earlier mail"),
        ("1.txt", 4, "=====", "a line without words"),
        ("1.txt", 5, "-- ", "part of a signature"),
        ("1.txt", 6, "Ann", "part of a signature"),
        ("2.txt", 1, "blue: DRAW; MOVE C3", "a comment stands behind `;`, though this one reads like an order"),
    ]


@pytest.mark.parametrize("line", ["red: DRAW; good luck", "; DRAW", "red: DRAW # DRAW; DRAW", "red:; DRAW 17"])
def test_a_comment_that_is_one_is_not_worth_telling(read: Read, line: str) -> None:
    assert read(line).ignored == ()


DRAWN = {"red": ["DRAW"]}
WRONG: dict[str, tuple[str, list[tuple[str, int, str]], dict[str, list[str]]]] = {
    # The text, what is found (code, line, text above the carets), the orders that stand.
    "unknown verb": ("red: DROW", [("unknown-order", 1, "DROW")], {}),
    "unreadable words": ("red:\nPLACE H3 at C2 foo", [("unexpected", 2, "foo")], {}),
    "half an order": ("red: MOVE", [("incomplete", 1, "")], {}),
    "two orders on a line": ("red: DRAW MOVE C3", [("two-orders", 1, "MOVE")], {}),
    "wrong game": ("game other\nred: DRAW", [("wrong-game", 1, "other")], {}),
    "wrong game called game": ("game game\nred: DRAW", [("wrong-game", 1, "game")], {}),
    "wrong game, other language": ("game other\npurple:\nF LON - NTH\nfoo\nturn 99", [("wrong-game", 1, "other")], {}),
    "stale turn": ("turn 6\nred: DRAW", [("wrong-turn", 1, "6")], {}),
    "future turn": ("turn 77\nred: DRAW", [("wrong-turn", 1, "77")], {}),
    "stale turn beside the game": ("game rally-042 turn 6\nred: DRAW", [("wrong-turn", 1, "6")], {}),
    "garbled turn": ("turn seven\nred: DRAW", [("unexpected", 1, "seven")], {}),
    "garbled game": ("game rally 042\nred: DRAW", [("unexpected", 1, "042")], {}),
    "unknown seat": ("purple: DRAW\nMOVE C3", [("unknown-seat", 1, "purple")], {}),
    "unknown seat and verb": ("purple: DROW\nMVOE C3", [("unknown-seat", 1, "purple"), ("unknown-order", 2, "MVOE")], {}),
    "second sheet": ("red: DRAW\nblue:\n red: MOVE C3", [("second-sheet", 3, "red")], DRAWN),
    "second sheet, unreadable": ("red: DRAW\nred: DROW", [("second-sheet", 2, "red")], DRAWN),
    "second sheet after a bad one": ("red: D\nred: DRAW", [("unknown-order", 1, "D"), ("second-sheet", 2, "red")], {}),
    "no seat": (" DRAW # now\nMOVE C3", [("no-seat", 1, "DRAW")], {}),
    "no seat, then one": ("DRAW\nred: DRAW", [("no-seat", 1, "DRAW")], DRAWN),
    "no seat, unreadable": ("DROW\nMVOE", [("unknown-order", 1, "DROW"), ("unknown-order", 2, "MVOE")], {}),
    "missing colon": ("red MOVE C3\nDRAW", [("missing-colon", 1, "red")], {}),
    "missing colon below a sheet": ("red:\nDRAW\nBlue MOVE C3\nDRAW", [("missing-colon", 3, "Blue")], DRAWN),
    "missing colon, then none": ("red MOVE C3\nred: DRAW", [("missing-colon", 1, "red")], DRAWN),
    "wrapped line": ("red:\nDRAW\nPLACE H3 at C2\nrot 90\nDRAW", [("wrapped-line", 4, "rot 90")], DRAWN),
    "wrapped condition": ("red: TAKE U7 IF row has U7\n  ELSE DRAW", [("wrapped-line", 2, "ELSE DRAW")], {}),
    "wrapped names": ("red: DISCARD G7\nH2", [("wrapped-line", 2, "H2")], {}),
    "name below a move": ("red: MOVE C3\nBob", [("unknown-order", 2, "Bob")], {"red": ["MOVE C3"]}),
    "name far below a move": ("red: MOVE C3\n\nD3", [("unknown-order", 3, "D3")], {"red": ["MOVE C3"]}),
    "empty file": ("", [("empty", 0, "")], {}),
    "only blanks": ("  \n\t\n", [("empty", 0, "")], {}),
    "only comments": ("# DRAW\n; DRAW", [("empty", 0, "")], {}),
    "only headers": ("game rally-042\nturn 7\nred:\nblue:", [("empty", 0, "")], {}),
    "only quotes": ("> red: DRAW", [("empty", 0, "")], {}),
    "line too long": ("red: DRAW\n" + "x" * (MOST_COLUMNS + 3), [("line-too-long", 2, "xxx")], DRAWN),
    "million characters": ("red: " + "x" * 900_000, [("line-too-long", 1, "x" * (900_005 - MOST_COLUMNS))], {}),
    "deep brackets": ("red:\n " + "(" * 21 + "DRAW" + ")" * 21, [("too-deep", 2, "(" * 21 + "DRAW" + ")" * 21)], {}),
    "deep conditions": ("red:\n" + "IF a = 1 THEN " * 21 + "DRAW", [("too-deep", 2, "IF a = 1 THEN " * 21 + "DRAW")], {}),
    "too many lines": ("red:\n" + "DRAW\n" * MOST_LINES, [("too-many-lines", 0, "")], {}),
    "binary": ("\0\1\2", [("not-text", 0, "")], {}),
    "letters that lengthen in lower case": ("İ İ\nturn ⅷ", [("unknown-order", 1, "İ"), ("unexpected", 2, "ⅷ")], {}),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(read: Read, words: Words, summary: Summary, case: str) -> None:
    text, found, standing = WRONG[case]
    assert summary(read(text)) == found
    assert words(text) == standing


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
        ("second-sheet", 13, "red"),
    ]
    assert words(text) == {"red": ["DRAW"], "blue": ["MOVE C3"]}


def test_what_stands_behind_an_unreadable_line_is_kept_apart(read: Read) -> None:
    text = "red:\nDRAW\nDROW\nMOVE Z9\nred: REFRESH\nblue: DROW\nMOVE C3\npink: MOVE C3"
    red, blue = read(text).sheets
    assert [item.text for item in red.instructions] == ["DRAW"]
    assert [item.text for item in red.unheard] == ["MOVE Z9"]
    assert blue.instructions == ()
    assert [item.line for item in blue.unheard] == [7]


def only(found: TurnFile) -> Diagnostic:
    (diagnostic,) = found.diagnostics
    return diagnostic


def test_findings_know_whose_sheet_it_is(read: Read) -> None:
    assert [diagnostic.seat for diagnostic in read("DROW\nred: DROW\nblue:\nDROW\nred: DRAW").diagnostics] == [
        "",
        "red",
        "blue",
        "red",
    ]


def test_two_sheets_in_two_files(read: Read, words: Words) -> None:
    diagnostic = only(read("\nred: DRAW", "red: MOVE C3"))
    assert (diagnostic.problem.code, diagnostic.source, diagnostic.line) == ("orders/second-sheet", "2.txt", 1)
    assert diagnostic.problem.message == "red has a sheet already (1.txt, line 2): this second one is refused"
    assert words("red: DRAW", "red: MOVE C3", "blue: DRAW") == {"red": ["DRAW"], "blue": ["DRAW"]}


def test_a_second_sheet_in_the_same_file(read: Read) -> None:
    message = only(read("red: DRAW\nred: DRAW")).problem.message
    assert message == "red has a sheet already (line 1): this second one is refused"


def test_a_bad_file_leaves_the_others_alone(read: Read, words: Words) -> None:
    files = ["game other\nred: REFRESH", b"\0", "red: DRAW"]
    assert [diagnostic.source for diagnostic in read(*files).diagnostics] == ["1.txt", "2.txt"]
    assert words(*files) == {"red": ["DRAW"]}


def test_a_header_rules_until_the_next(words: Words) -> None:
    text = "game other\nturn 7\nred: MOVE A1\ngame rally-042\nred: MOVE B1\nturn 8\nblue: MOVE C1\nturn 7\nblue: MOVE D1"
    assert words(text) == {"red": ["MOVE B1"], "blue": ["MOVE D1"]}


def test_a_garbled_header_refuses_what_follows_and_says_so(read: Read, words: Words) -> None:
    text = "turn seven\nred: DRAW\nturn 7\nblue: DRAW"
    assert only(read(text)).problem.message.endswith("; the sheets that follow are refused")
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
        ("red", "red:"),
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
    assert "turn 6 has been adjudicated already, turn 7 is due" in only(read("turn 6\nred: DRAW")).problem.message
    assert "turn 8 has not come yet, turn 7 is due" in only(read("turn 8\nred: DRAW")).problem.message


def test_an_empty_file_says_what_was_passed_over(read: Read) -> None:
    assert only(read("> red: DRAW\n> DRAW")).problem.message.endswith("; 2 of its lines are quotes and the like")


@pytest.mark.parametrize("size", [MOST_BYTES + 1, 10_000_000])
def test_a_file_too_large(read: Read, size: int) -> None:
    diagnostic = only(read(b"red: DRAW\n".ljust(size)))
    assert (diagnostic.problem.code, diagnostic.line, diagnostic.source) == ("orders/too-large", 0, "1.txt")


@pytest.mark.parametrize("line", ["foo{0}", "red foo{0}", "turn {0}\nturn 7", "seat{0}: DRAW", "red: DRAW\nred: DROW{0}"])
def test_many_problems_are_counted(read: Read, words: Words, line: str) -> None:
    count = MOST_LINES // 2 - 10
    text = "red:\nDRAW\n" + "".join(line.format(number + 10) + "\n" for number in range(count)) + "blue: DRAW"
    diagnostics = read(text).diagnostics
    assert len(diagnostics) == MOST_PROBLEMS + 1
    assert diagnostics[-1].problem.code == "orders/too-many-problems"
    assert "more problems of this file are not listed" in diagnostics[-1].problem.message
    assert diagnostics[-1].line == 0
    assert words(text) == {"red": ["DRAW"], "blue": ["DRAW"]}


def test_lines_are_remembered(read: Read, no_parsers: Any) -> None:
    read("red:\n" + "DRAW\n" * 500)
    assert reader(RULESET).skim.cache_info().misses == 2


def test_nothing_at_all(read: Read) -> None:
    assert read() == TurnFile((), (), ())


def test_the_head_of_a_mail_is_passed_over(read: Read, words: Words) -> None:
    text = "From: Ann <ann@example.org>\nTo: the moderator\nSubject: turn 7\nDate: Sun, 1 Mar 2026\n\nred:\nDRAW\n"
    assert words(text) == {"red": ["DRAW"]}
    received = read(text)
    assert received.diagnostics == ()
    assert [(ignored.line, ignored.why) for ignored in received.ignored] == [(n, "the head of a mail") for n in (1, 2, 3, 4)]


def test_a_seat_may_be_called_like_a_word_of_a_mail_s_head() -> None:
    files = [("1.txt", b"from: DRAW\n")]
    (sheet,) = read_turn_files(RULESET, Addressee("rally-042", 7, (Seat("from"), Seat("blue"))), files).sheets
    assert sheet.seat == "from"
