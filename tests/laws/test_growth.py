"""What hostile input costs grows with its size and no faster: counted in calls, which are the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.core.values import Seat
from adjudicator.library.own_orders import counted_orders
from tests.drivers.counted import calls, letters_handed

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
def game() -> adj.Game:
    """Return a game in which red begins."""
    games = (adj.new("checkpoint-rally", {"red": "Ann", "blue": "Bob"}, seed=number) for number in count())
    return next(game for game in games if game.due_seats == ("red",))


def some(cases: Sequence[str], *short: str) -> list[Any]:
    """Return the cases, of which all but the ``short`` ones are for the long run."""
    assert {*short} <= {*cases}
    return [pytest.param(one, marks=() if one in short else pytest.mark.soak) for one in cases]


def told(result: adj.Result) -> list[str]:
    """Return all that is said of a turn to those who read it."""
    reports = [result.report(viewer) for viewer in ("red", "moderator")]
    return [adj.render(report, form) for report in reports for form in ("txt", "html", "md", "json")]


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


@pytest.mark.parametrize("what", some([*SHEETS], "unknown names", "unknown tiles"))
def test_a_turn_file(game: adj.Game, what: str, size: int) -> None:
    fill = lines(SHEETS[what])

    def turn(length: int) -> Callable[[], Any]:
        text = f"red:\n{fill(length)}\n".encode()

        def run() -> None:
            result = game.apply(text)
            assert len(result.problems) <= 2 * 101
            told(result)

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


@pytest.mark.parametrize("what", some([*SCRIPTS], "claims"))
def test_a_script(what: str, size: int) -> None:
    head, pattern = SCRIPTS[what]
    fill = lines(pattern)

    def audit(length: int) -> Callable[[], Any]:
        text = f"{head}{fill(length)}\n"
        return lambda: adj.play_script(text)

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


@pytest.mark.parametrize("what", some([*MAILS], "open tags"))
def test_a_mail(game: adj.Game, what: str, size: int) -> None:
    kind, pattern = MAILS[what]
    fill = lines(pattern)

    def mail(length: int) -> Callable[[], Any]:
        head = f"From: a@example.org\nSubject: x\nMIME-Version: 1.0\n{kind}\n\n"
        data = f"{head}{fill(length)}\n".encode()
        return lambda: game.apply(adj.read_orders(data, name="a.eml", seat="red"))

    mail(SMALL)()
    assert calls(mail(size)) < FIXED + EACH * size


def test_an_amendment_is_taken_apart_without_a_pattern(game: adj.Game) -> None:
    """One with 4,000 blanks took two minutes: the places where a path could end were tried against each other."""
    for text in ("\0x=1", "a\0=1", "a\0+\0=1", "a=\0"):

        def amend(size: int, text: str = text) -> None:
            with suppress(adj.CorrectionError):
                game.amend([text.replace("\0", " " * size)], "x")

        amend(10)
        assert calls(partial(amend, 1_900)) < 1.5 * calls(partial(amend, 10))


@pytest.mark.parametrize("lines_", [100, 500])
def test_that_problems_are_left_out_is_told(game: adj.Game, lines_: int) -> None:
    """The sheet is refused at the first of them anyway; none of what follows is explained at length."""
    result = game.apply("red:\n" + "".join(f"  DISCARD ZZ{number}\n" for number in range(lines_)))
    found = [(problem.code, problem.line) for problem in result.problems]
    assert found[:100] == [("checkpoint-rally/unknown-tile", 2 + number) for number in range(100)]
    assert found[100:] == ([("core/too-many-problems", 102)] if lines_ > 100 else [])


WRONG = ("DISCARD ZZ\0", "DISCRD Z\0", "PLACE H3 at C2 rot 90 plaes\0", "palce H\0 a1 rot 9O", "MOVE C3 OR MVOE Z\0")
"""Lines of which each is wrong; what is to be done to say why is different."""


def mails(wrong: str, count_: int, lines_each: int, seats: Sequence[str], *, alike: bool = False) -> list[adj.Submission]:
    """Return so many texts of wrong lines, each from one of the ``seats``: the same lines in all, or no two alike."""
    numbers, found = count(), []
    for mail in range(count_):
        numbers = count() if alike else numbers
        orders = "".join(f"  {wrong.replace(chr(0), str(next(numbers)))}\n" for _ in range(lines_each))
        text = f"{seats[mail % len(seats)]}:\n{orders}".encode()
        found.extend(adj.read_orders(text, name=f"{mail}.txt"))
    return found


@pytest.mark.parametrize("wrong", some(WRONG, WRONG[0], WRONG[2]))
def test_wrong_lines_of_many_mails(game: adj.Game, wrong: str) -> None:
    """Each was read again by Lark, with all that could stand there: some 4,000 calls, four seconds for 10,000 of them.

    The same lines in many mails are explained once.
    """
    game.apply(mails(wrong, 1, 50, game.seats))
    texts = mails(wrong.replace("Z", "Y").replace("pl", "lp"), 8, 50, game.seats)
    assert calls(partial(game.apply, texts)) < 900 * 8 * 50
    texts = mails(wrong, 20, 50, game.seats, alike=True)
    assert calls(partial(game.apply, texts)) < 450 * 20 * 50


def crowd(crews: int) -> adj.Game:
    return adj.new("rally-round", [f"crew{number}" for number in range(crews)], id="crowd", seed="55" * 32)


def test_a_waiting_mail_is_not_read_again_until_the_position_changes(game: adj.Game) -> None:
    """Each new mail of a seat asks again what counts after all its earlier ones."""
    order = game.seen_by("red").legal[0].order
    text = f"From: a@b.example\nSubject: orders\n\n{order}\n" + "Hello, how are you today?\n" * 200
    mail = adj.read_mail(text.encode(), seat=Seat("red"))
    first, again = (calls(lambda: counted_orders(game, [mail], Seat("red"))) for _ in range(2))
    assert again < first / 100
    later = game.apply({"red": order}).game
    assert counted_orders(later, [mail], Seat("red")) == counted_orders(adj.open(later.to_bytes()), [mail], Seat("red"))


def test_the_orders_of_a_crew_cost_the_same_in_a_larger_crowd() -> None:
    """Nobody looks at the other crews for each of them: no order of one affects what another is asked."""

    def each(crews: int) -> float:
        game = crowd(crews)
        sheets = dict.fromkeys(game.seats, "PICK B3\nPICK E2")
        assert len(game.apply(sheets).game.seen_by("moderator").log()) == 1 + 2 * crews
        return int(calls(partial(game.apply, sheets))) / crews

    assert each(400) < 1.1 * each(25)


def test_a_wrong_mail_of_a_crowd_costs_the_same_in_a_larger_one() -> None:
    """For each text all that the seats are called was put together, for each wrong line all that they may be misspelled."""

    def each(crews: int) -> float:
        game = crowd(crews)
        texts = mails(f"PIKC N{crews}\0", crews, 2, game.seats)
        game.apply(texts[:1])
        return int(calls(partial(game.apply, texts))) / crews

    assert each(400) < 1.1 * each(100)


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


@pytest.mark.parametrize("what", some([*REMARKS], "wide letters"))
def test_a_long_line_is_quoted_up_to_a_limit(what: str) -> None:
    """A good order and a line of 300,000 letters: two minutes, and letters of 812 KB."""
    game, (head, unit) = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=3), REMARKS[what]
    written: dict[int, int] = {}

    def turn(size: int) -> Callable[[], Any]:
        line = head + (unit * size)[:size] + (":" if what == "a seat" else "")
        data = f"From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n\nred:\nGEAR 1\n{line}\nGEAR N\n".encode()

        def run() -> None:
            result = game.apply(adj.read_orders(data, name="ann.eml", seat="red"))
            texts = told(result)
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
    assert [one.text for one in result.ignored] == [quote]
    assert [(one.order, one.fate.value) for one in result.receipts[0].orders][1:] == [
        (quote, "not understood"),
        (f"GEAR {'9' * 195}… (3,005 characters)", "refused"),
    ]
    (problem,) = result.problems
    assert (problem.column, problem.text) == (501, f"GEAR {'9' * 695}… (3,005 characters)")


RECORDED = Path(__file__).parents[1] / "data" / "games"


@pytest.mark.soak
def test_a_replay_page_goes_over_each_entry_a_few_times() -> None:
    """The head after each entry was looked for in all entries before it: for a game of 3,000 orders nine million times."""
    short, long = (next(adj.simulate_games("checkered-flag", seed=3, most_orders=most)) for most in (20, 80))
    long.seen_by("moderator").replay_page()
    assert calls(long.seen_by("moderator").replay_page) < 1.2 * 4 * calls(short.seen_by("moderator").replay_page)


DRAWN_AGAIN = {
    "checkpoint-rally": 0.3,
    "checkpoint-charlie": 0.1,
    "checkered-flag": 0.3,
    "great-race": 0.3,
    "rally-round": 0.01,
}
"""The part of a picture, in calls, that may be drawn again after an order.

A scene has its lines and areas already, so its first picture takes few calls.
"""


@pytest.mark.parametrize("ruleset_id", some([*DRAWN_AGAIN], "great-race"))
def test_the_picture_after_an_order_costs_little_beside_the_first(ruleset_id: str) -> None:
    """All of it was drawn again and again. What an order does not change is taken as it was."""
    from adjudicator.reports.picture import draw

    def picture(position: adj.Position) -> Callable[[], Any]:
        return lambda: draw(position.drawing, seats=position.players, details=False)

    game = adj.open(RECORDED / ruleset_id / "again-002.json")
    drawn = [step.position for step in game.seen_by("moderator").replay()]
    middle = len(drawn) // 2
    for kept in forgotten():
        kept()
    first = calls(picture(drawn[middle]))
    later = [calls(picture(position)) for position in drawn[middle + 1 : middle + 11]]
    assert sum(later) / len(later) < DRAWN_AGAIN[ruleset_id] * first


def test_the_picture_of_a_crowd_grows_with_it() -> None:
    """Letters and colours were found by going over all names for each: 2,000 crews took eight seconds."""

    def picture(crews: int) -> Callable[[], Any]:
        report = crowd(crews).seen_by().report()
        return lambda: adj.render(report, "svg")

    picture(10)()
    assert calls(picture(800)) < 1.2 * 4 * calls(picture(200))


def forgotten() -> Iterator[Callable[[], None]]:
    """Yield what makes the reports forget all that they have kept, whatever other tests have drawn before."""
    from adjudicator import scenes
    from adjudicator.reports import svg

    yield svg._KEPT.clear
    yield scenes._FOUND.clear
    modules = [module for name, module in sys.modules.items() if name.startswith("adjudicator.reports.")]
    for thing in (thing for module in modules for thing in vars(module).values()):
        if hasattr(thing, "cache_clear"):
            yield thing.cache_clear
