"""Every report sent back with its form filled in, in each way in which players do it: no order lost, none wrong.

The reports are those of all turns of the recorded games and examples. The order is one that the form offers. Mail programs
quote and break them as the frames of the corpus do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import making  # noqa: F401 - it fills the list of frames
import pytest
from frames import pieces
from frames.pieces import FRAMES, TYPED, mail, page, plain, quoted

from adjudicator.core.ids import Seat
from adjudicator.core.order import instruction_text
from adjudicator.intake import submissions
from adjudicator.mail.html_text import html_lines
from adjudicator.moderate.adjudicate import addressee
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.reporting import report_for
from adjudicator.reports.pages.forms import FORMS
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game

ROOT = Path(__file__).parents[2]
RECORDED = sorted((ROOT / "tests/data/games").glob("*/recorded-*.json")) + sorted(
    (ROOT / "tests/data/games").glob("*/rally-*.json")
)
GAMES = [str(path.relative_to(ROOT)) for path in (*RECORDED, *sorted((ROOT / "examples").glob("*/*/game.json")))]
AROUND = [one for one in FRAMES if one.sheets is None and not one.codes]
WHOLE = [one for one in AROUND if "between" not in one.name]
"""The frames that keep all lines together."""
FORMATS = ("txt", "html", "md")
FEW = [next(name for name in GAMES if f"/{game}/" in name) for game in sorted({path.parent.name for path in RECORDED})]
"""A game of each ruleset, for every run."""


@dataclass(frozen=True)
class SentReport:
    """A report to ``seat``, and the orders that its form offers, each as it stands there."""

    session: Session
    seat: Seat
    text: str
    html: str
    offered: tuple[str, ...]


def sessions(name: str) -> Iterator[Session]:
    """Yield a game after each of its turns."""
    session = open_session(load_game(str(ROOT / name)))
    journal = session.game.journal
    for at, link in enumerate(journal):
        if at + 1 == len(journal) or journal[at + 1].entry.turn != link.entry.turn:
            state = session.timeline.state_after(at)
            yield session.with_game(replace(session.game, journal=journal[: at + 1], state=state, pending=(), set_aside=()))


def reports(name: str, every: int) -> Iterator[SentReport]:
    """Yield each report of a game, or every so many, in a format, turn by turn."""
    numbers = count()
    for session in sessions(name):
        for seat in session.seats:
            number = next(numbers)
            if number % every:
                continue
            report = report_for(session, seat, max(0, len(session.game.journal) - 4))
            form = FORMATS[number // every % 3]
            written = FORMS[form](report).decode()
            lines = (report.form or "").splitlines()
            legal = {row.order for row in report.legal or ()}
            offered = tuple(line for line in lines if line.strip().removeprefix("# ") in legal)
            text = "\n".join(html_lines(written)) if form == "html" else written.rstrip("\n")
            yield SentReport(session, seat, text, written if form == "html" else "", offered)


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


def read(report: SentReport, data: bytes) -> TurnFile:
    found = submissions("a.eml", data, report.seat)
    return read_turn_files(report.session.spoken_rules, addressee(report.session), found)


def orders_of(report: SentReport, found: TurnFile) -> list[str]:
    text: Any = report.session.rules.language.text
    assert {sheet.seat for sheet in found.sheets} <= {report.seat}
    return [instruction_text(item, text) for sheet in found.sheets for item in sheet.instructions]


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
    for line in quoted(text, mark).split("\n"):
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


@pytest.mark.parametrize("name", FEW)
def test_a_report_comes_back_with_its_order(name: str) -> None:
    assert sent_back(name, every=23)[1] == {}


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_every_report_comes_back_with_its_order(name: str, request: pytest.FixtureRequest) -> None:
    """It takes hours; ``--soak-size 0.02`` sends back a share of the reports of every game, and ``-s`` tells the counts."""
    sent, wrong = sent_back(name, every=round(1 / request.config.option.soak_size))
    print(f"{name}: {sent} mails, {len(wrong)} wrong")  # noqa: T201 - how much was tried
    assert wrong == {}


def sent_back(name: str, every: int) -> tuple[int, dict[str, Any]]:
    """Return how many mails brought the reports of a game back, and those that were not read right."""
    wrong, sent = {}, 0
    for number, report in enumerate(reports(name, every)):
        wanted = [report.offered[number % len(report.offered)].strip()[2:]] if report.offered else []
        for way, data in mails(report, number) if report.offered else unfilled(report, number):
            found = read(report, data)
            codes = [one.problem.code for one in found.diagnostics]
            sent += 1
            if orders_of(report, found) != wanted or codes != ([] if wanted else ["orders/empty"]):
                wrong[f"report {number} to {report.seat}, {way}"] = (wanted, orders_of(report, found), codes)
    return sent, wrong
