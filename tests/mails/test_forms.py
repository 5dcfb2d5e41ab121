"""The order form of a report comes back in any mail: what is filled in counts, and nothing else of the report."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.own_orders import header_turns, orders_in
from tests.data.mails import pieces
from tests.data.mails.pieces import FRAMES, TYPED, mail, page, plain
from tests.data.mails.pieces import quoted as quoted_text
from tests.drivers.mails import Reading, at_turn_7, bound, pending_after, read_at_turn_7

ROOT = Path(__file__).parents[2]


HELP = "  # Write your orders below, one on a line,\n  # or remove the # before one of these:"
FIRST = "orders of rally-042, turn 7, as red"
LAST = "END of orders"
ABOVE = """\
rally-042 · Checkpoint Rally · turn 7 · components house · as Ann (red) sees it

What happened
  12  red   DRAW
Row: G7 and H6.
"""
HEAD = "From: Max <gm@example.org>\nSent: Monday, 2 March 2026 10:15\nTo: Ann\nSubject: turn 7"
BELOW = "\nFor the record\n  head 12 5899ff5da2029ba3ee401dada8863e62\n"


def form(*lines: str, first: str = FIRST, last: str = LAST) -> str:
    return "\n".join(filter(None, [first, HELP, *lines, last]))


def quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.split("\n"))


def received(text: str, seat: str | None = "red", *, is_mail: bool = True) -> Reading:
    if is_mail:
        return read_at_turn_7(bound(text, seat))
    (submission,) = adj.read_orders(text, name="a.txt", seat=seat)  # type: ignore[arg-type]
    return read_at_turn_7(submission)


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
    "quoted, and typed between": quoted(ABOVE + FIRST) + "\nDRAW\n" + quoted(HELP + "\n" + LAST + BELOW),
    "quoted, and typed at its end": quoted(form(last="")) + "\n\nDRAW\n\n" + quoted(LAST),
    "quoted, without its last line": quoted(form("  DRAW", last="")) + "\n\nCheers\nAnn",
    "quoted twice": quoted(quoted(form("DRAW"))),
    "quoted, and above a signature": quoted(form("DRAW")) + "\n-- \nAnn",
    "below an unmarked head": f"{HEAD}\n\n{ABOVE}{form('DRAW')}",
    "comments without their sign": form("DRAW").replace("# ", ""),
    "comments broken and without their sign": form("DRAW").replace("# ", "").replace("orders below,", "orders\nbelow,"),
    "a broken comment": form("DRAW").replace("# Write", f"# {'very ' * 12}well\nwrite"),
}


@pytest.mark.parametrize("mark", ["", "> ", ">", "> > ", "| ", "\u00a0>\u00a0", "    ", "\t", "\ufeff"])
def test_what_is_filled_in_counts(mark: str) -> None:
    """Also if the whole mail is quoted once more."""
    reads = {name: received(quoted(text, mark)) for name, text in COUNTED.items()}
    assert {name: read for name, read in reads.items() if (read.orders, read.raw) != ({"red": ["DRAW"]}, [])} == {}


@pytest.mark.parametrize("seat", [None, "red"])
@pytest.mark.parametrize("is_mail", [True, False])
def test_the_form_names_its_seat(seat: str | None, is_mail: bool) -> None:
    found = received(f"{ABOVE}{form('DRAW', '# MOVE C3')}{BELOW}", seat, is_mail=is_mail)
    assert (found.orders, found.raw) == ({"red": ["DRAW"]}, [])


def test_a_file_holds_the_forms_of_several_seats() -> None:
    blue = form("REFRESH", first="orders of rally-042, turn 7, as blue")
    found = received(f"{ABOVE}{form('DRAW')}{BELOW}\n\n{blue}\n", None, is_mail=False)
    assert (found.orders, found.raw) == ({"red": ["DRAW"], "blue": ["REFRESH"]}, [])


@pytest.mark.parametrize("name", ["rally-042", "a" * 60])
@pytest.mark.parametrize("mark", ["", "> "])
def test_the_first_line_may_be_broken(name: str, mark: str) -> None:
    game = adj.new("checkpoint-rally", ["red", "blue"], id=name, seed=7)
    (seat,) = {"red", "blue"} - {*game.due_seats}
    for width in (24, 34, 40):
        first = f"\n{mark}".join(textwrap.wrap(f"orders of {name}, turn 1, as {seat}", width, break_long_words=False))
        found = pending_after(game, bound(f"{mark}{first}\n{mark}  DRAW\n{mark}{LAST}", seat))
        assert (found.orders, found.raw) == ({seat: ["DRAW"]}, [])


@pytest.mark.parametrize("text", [form("  # DRAW"), f"{ABOVE}{form('  # DRAW')}{BELOW}"])
@pytest.mark.parametrize("mark", ["", "> ", "| "])
def test_an_empty_form_is_nothing(text: str, mark: str) -> None:
    empty = quoted(text, mark)
    assert received(empty).codes == ["empty"]
    for whole in (f"DRAW\n\n{empty}", f"red:\nturn 7\nDRAW\n\n{empty}", f"DRAW\nEND\n{empty}"):
        found = received(whole)
        assert (found.orders, found.raw) == ({"red": ["DRAW"]}, []), whole


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
    assert (found.orders, found.codes) == ({}, [code])
    assert words in found.only.message
    assert found.only.text == f"{mark}{first}"
    blamed = words.strip("“”").split()[1] if code == "wrong-turn" else words.strip("“”")
    assert found.only.text[found.only.column - 1 :].startswith(blamed)


def test_a_seat_that_the_game_lacks_is_told_to_the_moderator() -> None:
    found = received(form("DRAW", first="orders of rally-042, turn 7, as mauve"), None)
    assert (found.orders, found.codes) == ({}, ["unknown-seat"])


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
        f"{quoted(ABOVE + form('  # MOVE A1') + BELOW)}\n\nDRAW\n\nCheers\nAnn",
    ],
)
def test_the_form_of_an_earlier_mail_is_passed_over(text: str) -> None:
    found = received(text)
    assert (found.orders, found.raw) == ({"red": ["DRAW"]}, [])
    assert "# MOVE A1" in text or [line for line in found.passed if "MOVE A1" in line.text]


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
    assert (found.orders, found.codes) == ({}, ["two-places"])


@pytest.mark.parametrize(
    ("filled_in", "typed_in", "orders", "codes"),
    [("  DRAW", "", ["DRAW"], []), ("  # DRAW", "", [], ["empty"]), ("  # DRAW", "MOVE C3", ["MOVE C3"], []),
     ("  DRAW", "MOVE C3", [], ["two-places"])],
)  # fmt: skip
def test_the_ends_of_broken_lines_are_no_orders(filled_in: str, typed_in: str, orders: list[str], codes: list[str]) -> None:
    """A program that breaks lines without marking their ends has broken several, and each at its width."""
    report = "> red takes a tile and then another one, so that\nREFRESH\n"
    report += "> or the like is what remains to be done. Blue says\nblue: x\n"
    board = f"> {' ' * 60}2+    A1\n"
    found = received(f"{report}{board}> short\n{typed_in}\n{quoted(form(filled_in))}")
    assert (found.red, found.codes) == (orders, codes)


def test_a_mistake_in_the_form_is_shown_in_its_place() -> None:
    found = received(quoted(form("  DRAW", "  PLACE H3 at C2 rto 90", "  MOVE C3")))
    assert found.orders == {"red": ["DRAW"]}
    assert (found.only.text, found.only.column) == (">   PLACE H3 at C2 rto 90", 20)
    assert received(quoted(form("  DARW"))).codes == ["unknown-order"]


def test_what_the_form_of_another_seat_says_is_not_known() -> None:
    """Two mails that differ only in another seat's secret get answers of the same kind."""
    texts = [form(f"  hand {tile}: discard it at once") for tile in ("G7", "H6")]
    assert received(texts[0]).codes == received(texts[1]).codes != []


def test_the_turn_of_a_filled_form_is_that_of_its_orders() -> None:
    game = at_turn_7()
    assert header_turns(game, form("DRAW").split("\n")) == header_turns(game, quoted(form("DRAW")).split("\n")) == (7,)
    assert header_turns(game, quoted(form("  # DRAW")).split("\n")) == ()
    assert header_turns(game, [quoted(FIRST)]) == (7,)


def test_every_line_is_told_or_read() -> None:
    text = f"Hi\n\n{ABOVE}{form('  DRAW')}{BELOW}"
    told = {number for number, _ in received(text).ignored}
    said = {number for number, line in enumerate(text.split("\n"), 1) if line.strip() and not line.strip().startswith("#")}
    read = {number for number, line in enumerate(text.split("\n"), 1) if line in (FIRST, "  DRAW", LAST)}
    assert said - told == read


def test_prose_that_begins_like_a_form_is_prose() -> None:
    found = read_at_turn_7("orders of the day, as usual:\nred:\nDRAW\norders of mine, turn by turn, as I said")
    assert (found.orders, found.raw) == ({"red": ["DRAW"]}, [])


# Reports of real games sent back with their form filled in, in each way in which players and mail programs do it.

RECORDED = sorted((ROOT / "tests/data/games").glob("*-*/*.json"))
GAMES = [str(path.relative_to(ROOT)) for path in RECORDED if b'"journal"' in path.read_bytes()]
FEW = [
    min((name for name in GAMES if f"/{game}/" in name), key=lambda name: (ROOT / name).stat().st_size)
    for game in sorted({path.parent.name for path in RECORDED})
]
"""The shortest game of each ruleset, for every run."""
AROUND = [one for one in FRAMES if one.sheets is None and not one.codes]
WHOLE = [one for one in AROUND if "between" not in one.name]
"""The frames that keep all lines together."""


@dataclass(frozen=True)
class SentReport:
    """A report to ``seat``, and the orders that its form offers, each as it stands there."""

    game: adj.Game
    seat: str
    text: str
    html: str
    offered: tuple[str, ...]


def games(name: str, every: int) -> Iterator[adj.Game]:
    """Yield a game as it was after every so many of its entries, without orders that waited."""
    game = adj.open(ROOT / name)
    for entry in [step.n for step in game.seen_by("moderator").replay()][::every]:
        try:
            yield game.undo(to=entry, reason="to send its reports back")
        except adj.AdjudicatorError:
            continue


def reports(name: str, every: int) -> Iterator[SentReport]:
    """Yield reports of a game, each in another format."""
    numbers = count()
    for game in games(name, every):
        for seat in game.seats:
            form = ("txt", "html", "md")[next(numbers) % 3]
            report = game.seen_by(seat).report()
            written: Any = adj.render(report, form)
            written = written.decode() if isinstance(written, bytes) else written
            legal = {row.order for row in report.legal or ()}
            lines = (report.form or "").splitlines()
            offered = tuple(line for line in lines if line.strip().removeprefix("# ") in legal)
            yield SentReport(
                game,
                seat,
                lines_of(written) if form == "html" else written.rstrip("\n"),
                written if form == "html" else "",
                offered,
            )


def lines_of(written: str) -> str:
    """Return the text of a page as a mail program shows it."""
    return "\n".join(adj.read_mail(b"From: x\nContent-Type: text/html; charset=utf-8\n\n" + written.encode()).lines)


def filled(text: str, line: str) -> str:
    """Return a report with the ``#`` of one of its offered orders removed."""
    found = re.subn(rf"(?m)^( *){re.escape(line.strip())}$", lambda match: f"{match[1]}{line.strip()[2:]}", text, count=1)
    assert found[1] == 1, (line, text)
    return found[0]


def typed(text: str, line: str, where: int) -> str:
    """Return a report with an order typed between the lines of its form, without a mark of a quote."""
    lines = text.split("\n")
    first = next(at for at, each in enumerate(lines) if each.strip().startswith("orders of "))
    last = next(at for at, each in enumerate(lines) if each.strip() == "END of orders")
    at = first + 1 + where % (last - first)
    return "\n".join([*lines[:at], f"{line.strip()[2:]}{TYPED}", *lines[at:]])


@cache
def quoting() -> list[Any]:
    """Return the frames that quote an earlier mail."""
    return [one for one in AROUND if around(one.build, "a probe", []) != around(one.build, "another", [])]


def around(build: Callable[[Any], bytes], report: str, lines: list[str]) -> bytes:
    """Return the mail that a frame makes around ``lines``, with the ``report`` quoted."""
    pieces.SENT_BACK.append(report)
    try:
        return build(lines)
    finally:
        pieces.SENT_BACK.pop()


def broken(text: str, mark: str, width: int, *, is_marked: bool) -> str:
    """Return a quoted text whose lines a program has broken; what is left of a line is marked as well, or not."""
    result = []
    for line in quoted_text(text, mark).split("\n"):
        while len(line) > width and " " in line[len(mark) + 1 : width + 1].rstrip():
            at = line.rindex(" ", 0, width + 1)
            result.append(line[:at])
            line = f"{mark if is_marked else ''}{line[at + 1 :]}"
        result.append(line)
    return "\n".join(result)


BREAKS = [
    (mark, width, is_marked)
    for mark in ("> ", ">", "> > ", "| ", "\u00a0> ")
    for width in (78, 72)
    for is_marked in (True, False)
]


def as_page(html: str, *, is_quoted: bool) -> bytes:
    """Return the mail of a program that keeps the page: as it is, or in a block quote."""
    body = html.partition("<body>")[2].partition("</body>")[0]
    inner = f'<blockquote type="cite">{body}</blockquote>' if is_quoted else body
    return mail(
        page(f"<html><body><div>Hello</div>{inner}</body></html>"), sender="Ann <ann@example.org>", subject="Re: turn"
    )


def in_page(html: str, order: str) -> str:
    """Return a page with an order typed between two halves of the quoted form."""
    between = f'</pre></blockquote><div>{order}</div><blockquote type="cite"><pre>'
    return re.sub(r"(orders of [^\n]* as [^\n]*\n)", lambda found: found[1] + between, html, count=1)


def mails(report: SentReport, number: int) -> Iterator[tuple[str, bytes]]:
    """Yield the mails in which one report comes back with one order, each with the way."""
    line = report.offered[number % len(report.offered)]
    full, between = filled(report.text, line), typed(report.text, line, number)
    whole, quote = WHOLE[number % len(WHOLE)], quoting()[number % len(quoting())]
    yield f"a {whole.name}", whole.build(full.split("\n"))
    yield f"b {quote.name}", around(quote.build, full, [""])
    yield f"c {quote.name}", around(quote.build, between, [""])
    mark, width, is_marked = BREAKS[number % len(BREAKS)]
    for way, text in (("b", full), ("c", between)):
        body = f"Hi,\n\n{broken(text, mark, width, is_marked=is_marked)}\n\nCheers\nAnn"
        yield f"{way} {mark!r} {width} {is_marked}", mail(plain(body), sender="Ann <ann@example.org>", subject="Re: turn")
    if report.html:
        yield "a page", as_page(filled(report.html, line), is_quoted=False)
        yield "b page", as_page(filled(report.html, line), is_quoted=True)
        yield "c page", as_page(in_page(report.html, line.strip()[2:]), is_quoted=True)


def unfilled(report: SentReport, number: int) -> Iterator[tuple[str, bytes]]:
    """Yield the mail in which a report comes back that offers no order, perhaps because it has no form."""
    quote = quoting()[number % len(quoting())]
    yield f"empty {quote.name}", around(quote.build, report.text, [""])


def sent_back(name: str, every: int) -> tuple[int, dict[str, Any]]:
    """Return how many mails brought the reports of a game back, and those that were not read right."""
    wrong, sent = {}, 0
    for number, report in enumerate(reports(name, every)):
        wanted = [report.offered[number % len(report.offered)].strip()[2:]] if report.offered else []
        for way, data in mails(report, number) if report.offered else unfilled(report, number):
            own = orders_in(report.game, [adj.read_mail(data, name="a.eml", seat=report.seat)], report.seat)  # type: ignore[arg-type]
            codes = [one.problem.code for one in own.problems if one.problem.code.startswith("orders/")]
            orders = [order for _, order in own.orders]
            sent += 1
            if orders != wanted or codes != ([] if wanted else ["orders/empty"]):
                wrong[f"report {number} to {report.seat}, {way}"] = (wanted, orders, codes)
    return sent, wrong


@pytest.mark.parametrize("name", FEW)
def test_a_report_comes_back_with_its_order(name: str) -> None:
    sent, wrong = sent_back(name, every=7)
    assert wrong == {}
    assert sent >= 5


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_every_report_comes_back_with_its_order(name: str, request: pytest.FixtureRequest) -> None:
    """It takes hours; ``--soak-size 0.02`` sends back a share of the reports of every game."""
    sent, wrong = sent_back(name, every=round(1 / request.config.option.soak_size))
    assert wrong == {}
    assert sent


@pytest.mark.parametrize("header", ["turn 6", "turn seven", "game other", "Turn 8:"])
@pytest.mark.parametrize("below", ["", "bye", quoted(form("  # DRAW")), f"{ABOVE}{form('  # DRAW')}{BELOW}"])
@pytest.mark.parametrize("seat", [None, "red"])
def test_a_header_below_the_last_order_has_no_effect(seat: str | None, below: str, header: str) -> None:
    found = received(f"red:\nMOVE C3\n\n{header}\n{below}", seat)
    assert (found.orders, found.codes) == ({"red": ["MOVE C3"]}, [])
