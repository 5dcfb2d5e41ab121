"""The order form of a report comes back in any mail: what is filled in counts, and nothing else of the report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.order import instruction_text
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.turnfile import TurnFile, header_turns, read_turn_files

NOTES = """\
choose an action: PLACE, MOVE or DRAW (CR-T1)
Write your orders below, one on a line,
or remove the # before one of these:"""
ASKED = "  # choose an action: PLACE, MOVE or DRAW (CR-T1)"
HELP = "  # Write your orders below, one on a line,\n  # or remove the # before one of these:"
FIRST = "orders of rally-042, turn 7, as red"
LAST = "END of orders"
TO = Addressee(
    "rally-042",
    7,
    (Seat("red"), Seat("blue")),
    turns={Seat("red"): (7,), Seat("blue"): (7,)},
    latest=7,
    form_notes=lambda seat: NOTES if seat == "red" else "hand G7: discard it at once",
)
ABOVE = """\
rally-042 · Checkpoint Rally · turn 7 · components house · as Ann (red) sees it

What happened
  12  red   DRAW
Row: G7 and H6.
"""
HEAD = "From: Max <gm@example.org>\nSent: Monday, 2 March 2026 10:15\nTo: Ann\nSubject: turn 7"
BELOW = "\nFor the record\n  head 12 5899ff5da2029ba3ee401dada8863e62\n"


def form(*lines: str, first: str = FIRST, last: str = LAST) -> str:
    return "\n".join(filter(None, [first, ASKED, HELP, *lines, last]))


def quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.split("\n"))


def received(text: str, seat: str | None = "red", *, is_mail: bool = True) -> TurnFile:
    mail = Submission("a.eml", tuple(text.split("\n")), None if seat is None else Seat(seat), is_mail=is_mail)
    return read_turn_files(RULESET, TO, [mail])


def orders(found: TurnFile) -> dict[str, list[str]]:
    text: Any = RULESET.language.text
    return {
        sheet.seat: [instruction_text(item, text) for item in sheet.instructions]
        for sheet in found.sheets
        if sheet.instructions
    }


def codes(found: TurnFile) -> list[str]:
    return [one.problem.code.removeprefix("orders/") for one in found.diagnostics]


COUNTED = {
    "alone": form("  DRAW"),
    "without a comment": f"{FIRST}\nDRAW\n{LAST}",
    "the whole report": f"{ABOVE}{form('  DRAW')}{BELOW}",
    "below a greeting": f"Hi,\nhere is mine:\n\n{ABOVE}{form('  DRAW')}{BELOW}\n-- \nAnn",
    "in capitals": form("  DRAW", first=FIRST.upper(), last=LAST.upper()),
    "with signs at the ends": form("DRAW", first=f"**{FIRST}:**", last=f"{LAST}."),
    "without its last line": form("", "  DRAW", "", "Cheers", last=""),
    "with a plain END": form("  DRAW", "END", "", "Cheers", last=""),
    "on top of a quoted report": f"{form('  DRAW')}\n\nMax wrote:\n{quoted(ABOVE + form('  # MOVE C3') + BELOW)}",
    "quoted": f"Hi\n\nMax wrote:\n{quoted(ABOVE + form('  DRAW') + BELOW)}",
    "quoted, and typed between": quoted(ABOVE + FIRST) + "\nDRAW\n" + quoted(ASKED + "\n" + LAST + BELOW),
    "quoted, and typed at its end": quoted(form(last="")) + "\n\nDRAW\n\n" + quoted(LAST),
    "quoted, without its last line": quoted(form("  DRAW", last="")) + "\n\nCheers\nAnn",
    "quoted twice": quoted(quoted(form("DRAW"))),
    "quoted, and above a signature": quoted(form("DRAW")) + "\n-- \nAnn",
    "below an unmarked head": f"{HEAD}\n\n{ABOVE}{form('DRAW')}",
    "comments without their sign": form("DRAW").replace("# ", ""),
    "comments broken and without their sign": form("DRAW").replace("# ", "").replace("action:", "action:\n"),
    "a broken comment": form("DRAW").replace("# choose", f"# {'very ' * 12}choose\nan order"),
}


@pytest.mark.parametrize("mark", ["", "> ", ">", "> > ", "| ", "\u00a0>\u00a0", "    ", "\t", "\ufeff"])
@pytest.mark.parametrize("text", COUNTED.values(), ids=COUNTED)
def test_what_is_filled_in_counts(text: str, mark: str) -> None:
    """Also if the whole mail is quoted once more."""
    found = received(quoted(text, mark))
    assert (orders(found), codes(found)) == ({"red": ["DRAW"]}, [])


@pytest.mark.parametrize("seat", [None, "red"])
@pytest.mark.parametrize("is_mail", [True, False])
def test_the_form_names_its_seat(seat: str | None, is_mail: bool) -> None:
    found = received(f"{ABOVE}{form('DRAW', '# MOVE C3')}{BELOW}", seat, is_mail=is_mail)
    assert (orders(found), codes(found)) == ({"red": ["DRAW"]}, [])


def test_a_file_holds_the_forms_of_several_seats() -> None:
    blue = form("REFRESH", first="orders of rally-042, turn 7, as blue")
    found = received(f"{ABOVE}{form('DRAW')}{BELOW}\n\n{blue}\n", None, is_mail=False)
    assert (orders(found), codes(found)) == ({"red": ["DRAW"], "blue": ["REFRESH"]}, [])


@pytest.mark.parametrize("name", ["rally-042", "a" * 70])
@pytest.mark.parametrize("width", [24, 34, 40])
@pytest.mark.parametrize("mark", ["", "> "])
def test_the_first_line_may_be_broken(name: str, width: int, mark: str) -> None:
    import textwrap

    first = f"\n{mark}".join(textwrap.wrap(f"orders of {name}, turn 7, as red", width, break_long_words=False))
    to = Addressee(name, 7, TO.seats)
    text = f"{mark}{first}\n{mark}  DRAW\n{mark}{LAST}"
    found = read_turn_files(RULESET, to, [Submission("a.eml", tuple(text.split("\n")), Seat("red"), is_mail=True)])
    assert (orders(found), codes(found)) == ({"red": ["DRAW"]}, [])


@pytest.mark.parametrize("text", [form("  # DRAW"), f"{ABOVE}{form('  # DRAW')}{BELOW}"])
@pytest.mark.parametrize("mark", ["", "> ", "| "])
def test_an_empty_form_is_nothing(text: str, mark: str) -> None:
    empty = quoted(text, mark)
    assert codes(received(empty)) == ["empty"]
    for whole in (f"DRAW\n\n{empty}", f"red:\nturn 7\nDRAW\n\n{empty}", f"DRAW\nEND\n{empty}"):
        found = received(whole)
        assert (orders(found), codes(found)) == ({"red": ["DRAW"]}, []), whole


def test_orders_below_a_quoted_form_count_as_ever() -> None:
    found = received(f"{quoted(ABOVE + form('  # MOVE C3') + BELOW)}\n\nDRAW\n\nCheers\nAnn")
    assert (orders(found), codes(found)) == ({"red": ["DRAW"]}, [])


@pytest.mark.parametrize("mark", ["", "> "])
@pytest.mark.parametrize(
    ("first", "code", "words"),
    [
        ("orders of rally-042, turn 6, as red", "wrong-turn", "turn 6 is over"),
        ("orders of rally-042, turn 9, as red", "wrong-turn", "turn 9 has not begun yet"),
        ("orders of rally-099, turn 7, as red", "wrong-game", "“rally-099”"),
        ("orders of rally-042, turn 7, as blue", "not-yours", "“blue”"),
        ("orders of rally-042, turn 7, as mauve", "not-yours", "“mauve”"),
    ],
)
def test_a_form_for_something_else_is_refused_as_a_whole(first: str, code: str, words: str, mark: str) -> None:
    found = received(f"Hi,\n{quoted(form('DRAW', 'FOO BAR', 'MOVE C3', first=first), mark)}")
    assert (orders(found), codes(found)) == ({}, [code])
    (problem,) = found.diagnostics
    assert words in problem.problem.message
    assert problem.text == f"{mark}{first}"
    assert problem.text[problem.column - 1 :].startswith(
        words.strip("“”").split()[1] if code == "wrong-turn" else words.strip("“”")
    )


def test_a_seat_that_the_game_lacks_is_told_to_the_moderator() -> None:
    found = received(form("DRAW", first="orders of rally-042, turn 7, as mauve"), None)
    assert (orders(found), codes(found)) == ({}, ["unknown-seat"])


OLD = form("  MOVE A1", first="orders of rally-042, turn 6, as red")


@pytest.mark.parametrize(
    "text",
    [
        f"DRAW\n\n{quoted(OLD)}",
        f"turn 7\nDRAW\n\n{quoted(quoted(form('  MOVE A1')))}",
        f"DRAW\nEND\n\n{quoted(form('  MOVE A1'))}",
        f"{form('  DRAW')}\n\n{quoted(form('  MOVE A1'))}",
        f"{quoted(quoted(form('  MOVE A1')))}\n{quoted(form('  DRAW'))}",
        f"{quoted(OLD)}\n\n{quoted(form('  DRAW'))}",
        f"{quoted(OLD)}\n\nDRAW",
        f"{quoted(form('  DRAW'))}\n\n{quoted(quoted(OLD))}",
        f"{form('  DRAW')}\n\n{quoted(form('  MOVE A1', first='orders of rally-042, turn 7, as blue'))}",
    ],
)
def test_the_form_of_an_earlier_mail_is_passed_over(text: str) -> None:
    found = received(text)
    assert (orders(found), codes(found)) == ({"red": ["DRAW"]}, [])
    assert any("MOVE A1" in line.text for line in found.ignored)


@pytest.mark.parametrize(
    "text",
    [
        f"MOVE A1\n\n{quoted(form('  DRAW'))}",
        f"MOVE A1\n\n{ABOVE}{form('  DRAW')}{BELOW}",
        f"{quoted(form('  DRAW'))}\n\nMOVE A1",
        f"{form('  DRAW')}\n\n{form('  MOVE A1')}",
    ],
)
def test_orders_in_the_form_and_outside_are_two_sheets_in_one(text: str) -> None:
    """Which of them counts is not for the program to guess: none does, and the player is asked."""
    found = received(text)
    assert (orders(found), codes(found)) == ({}, ["two-places"])


@pytest.mark.parametrize("filled", ["  DRAW", "  # DRAW"])
@pytest.mark.parametrize("typed", ["", "MOVE C3"])
def test_the_ends_of_broken_lines_are_no_orders(filled: str, typed: str) -> None:
    """A program that breaks lines without marking their ends has broken several, and each at its width."""
    report = "> red takes a tile and then another one, so that\nREFRESH\n"
    report += "> or the like is what remains to be done. Blue says\nblue: x\n"
    board = f"> {' ' * 60}2+    A1\n"
    found = received(f"{report}{board}> short\n{typed}\n{quoted(form(filled))}")
    wanted = [order for order in (typed, filled.strip()) if order and order[0] != "#"]
    assert orders(found) == ({"red": wanted} if len(wanted) == 1 else {})
    assert codes(found) == [[], ["empty"], ["two-places"]][(len(wanted) != 1) + (len(wanted) > 1)]


def test_a_mistake_in_the_form_is_shown_in_its_place() -> None:
    found = received(quoted(form("  DRAW", "  PLACE H3 at C2 rto 90", "  MOVE C3")))
    (problem,) = found.diagnostics
    assert orders(found) == {"red": ["DRAW"]}
    assert (problem.text, problem.column) == (">   PLACE H3 at C2 rto 90", 20)


def test_a_slip_in_the_form_is_no_comment() -> None:
    assert codes(received(quoted(form("  DARW")))) != ["empty"]


def test_what_the_form_of_another_seat_says_is_not_known() -> None:
    """Two mails that differ only in another seat's secret get answers of the same kind."""
    texts = [form(f"  hand {tile}: discard it at once") for tile in ("G7", "H6")]
    assert codes(received(texts[0])) == codes(received(texts[1]))


def test_the_turn_of_a_filled_form_is_that_of_its_orders() -> None:
    assert header_turns(RULESET, form("DRAW").split("\n")) == {7}
    assert header_turns(RULESET, quoted(form("DRAW")).split("\n")) == {7}
    assert header_turns(RULESET, quoted(form("  # DRAW")).split("\n")) == set()
    assert header_turns(RULESET, [quoted(FIRST)]) == {7}


def test_every_line_is_told_or_read() -> None:
    text = f"Hi\n\n{ABOVE}{form('  DRAW')}{BELOW}"
    told = {line.line for line in received(text).ignored}
    said = {number for number, line in enumerate(text.split("\n"), 1) if line.strip() and not line.strip().startswith("#")}
    read = {number for number, line in enumerate(text.split("\n"), 1) if line in (FIRST, "  DRAW", LAST)}
    assert said - told == read


Read = Callable[..., TurnFile]


def test_prose_that_begins_like_a_form_is_prose(read: Read, words: Callable[..., dict[str, list[str]]]) -> None:
    text = "orders of the day, as usual:\nred:\nDRAW\norders of mine, turn by turn, as I said"
    assert words(text) == {"red": ["DRAW"]}
    assert read(text).diagnostics == ()
