"""What hostile input costs grows with its size and no faster: counted in calls, which are the same on every machine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from counted import calls, letters_handed
from crowd import begun
from play import begin, due

import adjudicator as adj
from adjudicator import present
from adjudicator.cli.turn_summary import adjudication, problems_text, summary_text
from adjudicator.core.corrections import CorrectionError
from adjudicator.core.entry_numbers import is_skipped
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.journal import Entry
from adjudicator.corrections.paths import parse_assignment
from adjudicator.intake import mail_submission
from adjudicator.library.game import Result
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.orders.repair import _conditions
from adjudicator.outputs.orders import Fate
from adjudicator.present import position_maker, position_of
from adjudicator.replay import moves_of
from adjudicator.replay_page import page_of
from adjudicator.reports.drawings.scene_parts import KeptGroups
from adjudicator.reports.pages.replay_page import step_picture
from adjudicator.reports.text.fold import folded
from adjudicator.reports.text.sanitize import safe_json
from adjudicator.scenes.cache import Kept
from adjudicator.script.audit import audit_script
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game

SMALL = 1_000
"""Bytes of the input with which a larger one is compared."""
FIXED = 1_000_000
"""Calls that may be spent whatever the size is: explaining the hundred problems that are told takes most of them."""
EACH = 60
"""Calls that each further byte may cost."""


@pytest.fixture(params=[12_000, pytest.param(100_000, marks=pytest.mark.soak)])
def size(request: pytest.FixtureRequest) -> int:
    """Return how many bytes the larger input has."""
    return int(request.param)


@pytest.fixture(scope="module")
def session() -> Session:
    """Return a game in which red begins."""
    games = (begin(secret=f"{number:064x}") for number in count())
    return next(game for game in games if due(game) == "red")


def lines(pattern: str) -> Callable[[int], str]:
    """Return what fills a text of a size with lines like ``pattern``, ``N`` being a number that is new each time."""

    def fill(size: int) -> str:
        numbers = count()
        made, length = [], 0
        while length < size:
            line = "".join(f"{next(numbers)}" if sign == "\0" else sign for sign in pattern)
            made.append(line)
            length += len(line) + 1
        return "\n".join(made)

    return fill


def repeated(unit: str, glue: str = " ") -> str:
    return glue.join([unit] * (470 // (len(unit) + len(glue))))


SHEETS = {
    "unknown tiles": "  " + repeated("DISCARD ZZ\0", " OR "),
    "the same unknown tile": "  " + repeated("DISCARD ZZ9", " OR "),
    "unknown names": "  IF " + repeated("hand has Q\0", " AND ") + " THEN DRAW",
    "unknown words": "  " + repeated("DISCARDX"),
    "many ifs": "  " + repeated("if"),
    "an or among blanks": "  IF" + " " * 460 + "or then",
    "is is is": "  IF hand " + repeated("is") + " 3 THEN DRAW",
    "steps among blanks": "  MOVE C3 and" + " " * 460 + "!",
    "brackets": "  " + "(" * 470,
    "outcomes": "  DRAW [" + repeated("H5") + "]",
    "unknown seats": "purple\0: DRAW",
    "bare seats": "red DRAW",
    "heads": "red:",
    "comments": "  REFRESH ; REFRESH",
    "quotes": "> DRAW\nMOVE",
    "labels": "Orders:\nPS: hi",
    "prose": "Thank you so much for the nice game last week my friend",
    "headers": "game x\nturn 3",
    "earlier mails": "From: a@example.org\nDate: Mon\nSubject: hi\n\nDRAW",
}


@pytest.mark.parametrize("what", SHEETS)
def test_a_turn_file(session: Session, what: str, size: int) -> None:
    fill = lines(SHEETS[what])

    def turn(length: int) -> Callable[[], Any]:
        text = f"red:\n{fill(length)}\n".encode()

        def run() -> None:
            result = adjudicate_files(session, [("t.txt", text)])
            assert len(result.diagnostics) <= 2 * 101
            told = Result.of(result)
            problems_text(told)
            summary_text(told, is_trial=True, is_strict=False)
            adjudication(told, is_trial=True)

        return run

    turn(SMALL)()  # what is built once is built by now
    large = calls(turn(size))
    assert large < FIXED + EACH * size
    assert large < 1.2 * size / SMALL * calls(turn(SMALL))


HEADINGS = f"script checkpoint-rally\nid x\nseed {'ab' * 32}\nseat red=Ann\nseat blue=Bob\n"
SCRIPTS = {
    "options": (HEADINGS, "option a\0=1"),
    "one option": (HEADINGS, "option a=1"),
    "seats": (HEADINGS, "seat s\0=x"),
    "words of entropy": (HEADINGS, "entropy s\0=x"),
    "unknown headings": (HEADINGS, "foo bar"),
    "turns": (HEADINGS, "turn 1\nred: DRAW"),
    "unknown tiles": (f"{HEADINGS}turn 1\nred: DRAW\n", "red: DISCARD ZZ\0"),
    "unknown orders": (f"{HEADINGS}turn 1\nred: DRAW\n", "red: DISCRD ZZ\0"),
    "claims": (f"{HEADINGS}turn 1\nred: DRAW\n", "minutes red 5"),
    "minutes": (f"{HEADINGS}turn 1\nred: DRAW\n", "red: DRAW " + "{1 " * 100),
}


@pytest.mark.parametrize("what", SCRIPTS)
def test_a_script(what: str, size: int) -> None:
    head, pattern = SCRIPTS[what]
    fill = lines(pattern)

    def audit(length: int) -> Callable[[], Any]:
        text = f"{head}{fill(length)}\n".encode()
        return lambda: audit_script("s.txt", text)

    audit(SMALL)()
    large = calls(audit(size))
    assert large < FIXED + EACH * size
    assert large < 1.2 * size / SMALL * calls(audit(SMALL))


MAILS = {
    "text": ("Content-Type: text/plain", "Hello Bob, how are you"),
    "markup": ("Content-Type: text/html", "<p><b>Hello</b> Bob &amp; <i>co"),
    "open tags": ("Content-Type: text/html", "<div <div <div"),
    "flowed": ("Content-Type: text/plain; format=flowed", "> > Hello Bob, how are "),
}


@pytest.mark.parametrize("what", MAILS)
def test_a_mail(session: Session, what: str, size: int) -> None:
    kind, pattern = MAILS[what]
    fill = lines(pattern)

    def mail(length: int) -> Callable[[], Any]:
        head = f"From: a@example.org\nSubject: x\nMIME-Version: 1.0\n{kind}\n\n"
        data = f"{head}{fill(length)}\n".encode()
        return lambda: adjudicate_files(session, [mail_submission("a.eml", data, Seat("red"))])

    mail(SMALL)()
    assert calls(mail(size)) < FIXED + EACH * size


def test_an_amendment_is_taken_apart_without_a_pattern() -> None:
    """One with 4,000 blanks took two minutes: the places where a path could end were tried against each other."""
    for text in (
        " " * 3_990 + "x=1",
        "a" + " " * 3_990 + "=1",
        "a" + " " * 3_900 + "+" + " " * 9 + "=1",
        "a=" + " " * 3_990,
    ):
        with suppress(CorrectionError):
            parse_assignment(text)
    with_blanks = parse_assignment("  a [b] \t -= \n 5 ")
    assert (with_blanks.path, with_blanks.how, with_blanks.value) == ("a [b]", "-=", 5)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("IF a or b THEN x", ["a or b"]),
        ("if  a  then x if b then", ["a", "b"]),
        ("if (a then b", []),
        ("if a (b) then", []),
        ("if then x", []),
        ("if a if b then x", ["a if b"]),
        ("iffy a then b", []),
    ],
)
def test_what_stands_between_if_and_then(line: str, found: list[str]) -> None:
    assert [line[start:end] for start, end in _conditions(line)] == found


def test_that_problems_are_left_out_is_told(session: Session) -> None:
    """The sheet is refused at the first of them anyway; none of what follows is explained at length."""
    text = "red:\n" + "".join(f"  DISCARD ZZ{number}\n" for number in range(500))
    result = adjudicate_files(session, [("t.txt", text.encode())])
    told = [(found.problem.code, found.line) for found in result.diagnostics]
    assert told[-1] == ("core/too-many-problems", 102)
    assert len(told) == 101


def test_a_hundred_problems_are_all_told(session: Session) -> None:
    text = "red:\n" + "".join(f"  DISCARD ZZ{number}\n" for number in range(100))
    result = adjudicate_files(session, [("t.txt", text.encode())])
    assert [found.problem.code for found in result.diagnostics] == ["checkpoint-rally/unknown-tile"] * 100


WRONG = ("DISCARD ZZ\0", "DISCRD Z\0", "PLACE H3 at C2 rot 90 plaes\0", "palce H\0 a1 rot 9O", "MOVE C3 OR MVOE Z\0")
"""Lines of which each is wrong; what is to be done to say why is different."""


def mails(wrong: str, count_: int, lines_each: int, seats: Sequence[str], *, alike: bool = False) -> list[tuple[str, bytes]]:
    """Return so many texts of wrong lines, each from one of the ``seats``: the same lines in all, or no two alike."""
    numbers, found = count(), []
    for mail in range(count_):
        numbers = count() if alike else numbers
        orders = "".join(f"  {wrong.replace(chr(0), str(next(numbers)))}\n" for _ in range(lines_each))
        found.append((f"{mail}.txt", f"{seats[mail % len(seats)]}:\n{orders}".encode()))
    return found


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_lines_of_many_mails(session: Session, wrong: str) -> None:
    """Each was read again by Lark, with all that could stand there: some 4,000 calls, four seconds for 10,000 of them."""
    adjudicate_files(session, mails(wrong, 1, 3, session.seats))
    texts = mails(wrong.replace("Z", "Y").replace("pl", "lp"), 8, 50, session.seats)
    assert calls(partial(adjudicate_files, session, texts)) < 900 * 8 * 50


@pytest.mark.parametrize("wrong", WRONG)
def test_the_same_wrong_lines_in_many_mails_are_explained_once(session: Session, wrong: str) -> None:
    adjudicate_files(session, mails(wrong, 1, 50, session.seats))
    texts = mails(wrong, 20, 50, session.seats, alike=True)
    assert calls(partial(adjudicate_files, session, texts)) < 450 * 20 * 50


def test_a_wrong_mail_of_a_crowd_costs_the_same_in_a_larger_one() -> None:
    """For each text all that the seats are called was put together, for each wrong line all that they may be misspelled."""

    def each(crews: int) -> float:
        crowd = begun(crews)
        texts = mails(f"PIKC N{crews}\0", crews, 2, crowd.seats)
        adjudicate_files(crowd, texts[:1])
        return int(calls(partial(adjudicate_files, crowd, texts))) / crews

    assert each(400) < 1.1 * each(100)


SHAPES = {
    "letters": "x",
    "wide letters": "漢",
    "letters with marks": "e\u0301",
    "flags": "\U0001f1e9\U0001f1ea",
    "families": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "marks alone": "\u0301",
    "hyphens": "a-",
    "words": "word ",
    "wide words": "漢字 ",
    "columns": "ab   漢 ",
    "blanks": " ",
}


@pytest.mark.parametrize("is_hard", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_line_is_folded(shape: str, is_hard: bool) -> None:
    """A word of 300,000 letters took a minute: what was left of it was copied and measured for each line."""

    def fold(size: int) -> Callable[[], Any]:
        text = f"line 3  漢{(SHAPES[shape] * size)[:size]}x"
        return lambda: folded(text, 78, 4, is_hard=is_hard)

    for measure in (calls, letters_handed):
        small, double, fourfold = (measure(fold(size)) for size in (1_000, 2_000, 4_000))
        assert double < 2.2 * small
        assert fourfold < 2.2 * double


REMARKS = {
    "a remark": ("", "x"),
    "a remark of words": ("", "as I said "),
    "wide letters": ("", "漢"),
    "flags": ("", "\U0001f1e9\U0001f1ea"),
    "an order": ("GEAR ", "9"),
    "a seat": ("", "x"),
    "a condition": ("IF ", "clock of red > 3 and "),
    "a header": ("game ", "g"),
    "a quotation": ("> ", "GEAR 1 "),
    "markup": ("<b>", "<i>x</i>"),
}


@pytest.mark.parametrize("what", REMARKS)
def test_a_long_line_is_quoted_up_to_a_limit(what: str) -> None:
    """A good order and a line of 300,000 letters: two minutes, and letters of 812 KB."""
    game, (head, unit) = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=3), REMARKS[what]
    written: dict[int, int] = {}

    def turn(size: int) -> Callable[[], Any]:
        line = head + (unit * size)[:size] + (":" if what == "a seat" else "")
        data = f"From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n\nred:\nGEAR 1\n{line}\nGEAR N\n".encode()

        def run() -> None:
            result = game.apply(adj.read_orders(data, name="ann.eml", seat="red"))
            texts = [problems_text(result), summary_text(result, is_trial=True, is_strict=False)]
            reports = [result.report(viewer) for viewer in ("red", "moderator")]
            texts += [adj.render(report, form) for report in reports for form in ("txt", "html", "md", "json")]
            texts.append(safe_json(adjudication(result, is_trial=True)))
            written[size] = max(map(len, texts))

        return run

    turn(100)()
    for measure in (calls, letters_handed):
        small, double, fourfold = (measure(turn(size)) for size in (3_000, 6_000, 12_000))
        assert double < 1.2 * 2 * small
        assert fourfold < 1.2 * 2 * double
    assert max(written.values()) < 1.01 * written[3_000]


def test_a_quotation_says_how_long_the_line_is_and_shows_its_fault() -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=3)
    text = f"red:\nGEAR 1\n{'x' * 3_000}\nGEAR {'9' * 3_000}"
    result = game.apply(adj.read_orders(text.encode(), seat="red"))
    quote = f"{'x' * 200}… (3,000 characters)"
    assert [one.text for one in result.details.ignored] == [quote]
    assert [(one.order, one.fate) for one in result.receipts[0].orders][1:] == [
        (quote, Fate.REMARK),
        (f"GEAR {'9' * 195}… (3,005 characters)", Fate.REFUSED),
    ]
    (problem,) = result.problems
    assert (problem.column, problem.text) == (501, f"GEAR {'9' * 695}… (3,005 characters)")
    _, line, carets, *_ = problems_text(result).splitlines()
    assert line[carets.index("^") :].startswith("9")


RECORDED = Path(__file__).parent / "data" / "games"


def test_a_replay_page_goes_over_each_entry_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The head after each entry was looked for in all entries before it: for a game of 3,000 orders nine million times."""
    asked = Counter[int]()

    def noted(entry: Entry) -> bool:
        asked[entry.n] += 1
        return is_skipped(entry)

    monkeypatch.setattr(present, "is_skipped", noted)
    session = open_session(load_game(RECORDED / "checkered-flag" / "recorded-001.json"))
    page_of(session, MODERATOR)
    assert len(asked) == len(session.game.journal)
    assert max(asked.values()) <= 3


DRAWN_AGAIN = {
    "checkpoint-rally": 0.2,
    "checkpoint-charlie": 0.3,
    "checkered-flag": 0.6,
    "great-race": 0.5,
    "rally-round": 0.05,
}
"""The part of a picture, in calls, that may be drawn again after an order: twice as much as is, or more.

A scene has its lines and areas already, so its first picture takes few calls.
"""


@pytest.mark.parametrize(("ruleset_id", "most"), DRAWN_AGAIN.items())
def test_the_picture_after_an_order_costs_little_beside_the_first(ruleset_id: str, most: float) -> None:
    """All of it was drawn again and again. What an order does not change is taken as it was."""
    session = open_session(load_game(RECORDED / ruleset_id / "recorded-002.json"))
    position_after = position_maker(session, MODERATOR)
    drawn = [position_after(move.entry.n, move.state, move.turn) for move in moves_of(session, MODERATOR)]
    middle = len(drawn) // 2
    for kept in forgotten():
        kept()
    first = calls(lambda: step_picture(drawn[middle]))
    later = [calls(partial(step_picture, position)) for position in drawn[middle + 1 : middle + 11]]
    assert sum(later) / len(later) < most * first


def test_the_picture_of_a_crowd_grows_with_it() -> None:
    """Letters and colours were found by going over all names for each: 2,000 crews took eight seconds."""

    def picture(crews: int) -> Callable[[], Any]:
        position = position_of(begun(crews), None)
        return lambda: step_picture(position)

    picture(10)()
    assert calls(picture(800)) < 1.2 * 4 * calls(picture(200))


def forgotten() -> Iterator[Callable[[], None]]:
    """Yield what makes the reports forget all that they have kept, whatever other tests have drawn before."""
    modules = [module for name, module in sys.modules.items() if name.startswith("adjudicator.reports.")]
    for thing in (thing for module in modules for thing in vars(module).values()):
        if isinstance(thing, Kept | KeptGroups):
            yield thing.clear
        elif hasattr(thing, "cache_clear"):
            yield thing.cache_clear
