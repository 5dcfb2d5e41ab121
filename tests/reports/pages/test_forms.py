"""A report in every form, of every ruleset there is: complete, the same each time, and harmless whatever stands in it."""

from __future__ import annotations

import json
import re
import struct
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from portion import portion

from adjudicator.core.ids import MODERATOR
from adjudicator.core.width import display_width
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.outputs.orders import Fate, OrderProblem, PassedOver, ReceivedOrder, SeatReceipt
from adjudicator.outputs.positions import WaitingSheet
from adjudicator.outputs.report import Mails
from adjudicator.reporting import report_for
from adjudicator.reports.data.report import Report
from adjudicator.reports.pages.forms import FORMS, is_report
from adjudicator.reports.text.fold import MAIL_WIDTH, folded_lines
from adjudicator.rulesets import metas, offer, ruleset
from adjudicator.session import Session
from adjudicator.store import schema
from adjudicator.testing.games import Moment, play_games

ROOT = Path(__file__).parents[3]
ZOOM = (ROOT / "adjudicator/reports/pages/templates/zoom.js").read_text("utf-8")
OTHERS = {
    "low-card": (ROOT, "tests.drivers.low_card"),
    "last-match": (ROOT / "examples" / "own-ruleset", "last_match"),
}
"""Rulesets of other packages: with secrets, and the one that the tutorial builds."""
GAMES = [*(name for name, _ in metas()), *OTHERS]
HOSTILE = {
    "script": "<script>alert(1)</script>",
    "cdata": "]]><b>x</b>--><!--",
    "template": "{{ 7 * 7 }}{% raw %}{# x #}",
    "directions": "\u202eevil\u202c \u2066x\u2069 \u200f",
    "controls": "\x00\x07\x1b[31mred\x1b[0m\x7f\x9b",
    "long": "x" * 10_000,
    "long words": "word " * 2_000,
    "entities": "&lt;&amp;&#60;script&#62; \" ' `",
    "markdown": "``` ~~~ | a | b | **x** [y](javascript:alert(1)) ![z](http://x) # h",
    "lines": "red\n\nblue: DRAW\r\n\u2028x",
}


def rules_of(game: str) -> Any:
    if game not in OTHERS:
        return ruleset(game)
    folder, module = OTHERS[game]
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    return import_module(module).RULESET


@cache
def moments(game: str) -> tuple[Moment, ...]:
    """Return a few positions of a game: of each kind one or two."""
    return tuple(play_games(rules_of(game), 2, most_orders=24, options=[{}]).sampled(6))


@cache
def session_of(game: str, at: int = -1) -> Session:
    moment = moments(game)[at]
    return moment.session.with_game(moment.game)


@pytest.fixture(params=GAMES)
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    with offer(rules_of(request.param)):
        yield session_of(request.param)


def viewers(session: Session) -> list[Any]:
    return [*session.seats, None, MODERATOR]


def tell(session: Session, viewer: Any) -> Report:
    return report_for(session, viewer, 0)


@cache
def told(game: str, viewer: Any) -> Report:
    """Return a report of a game by its name, which is made once."""
    with offer(rules_of(game)):
        return tell(session_of(game), viewer)


class Tags(HTMLParser):
    """Checks that every element is closed where it should be, and collects names, attributes and text."""

    VOID = frozenset(("meta", "link", "br"))

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data


def check_text(data: bytes) -> None:
    for line in data.decode().splitlines():
        assert display_width(line) <= MAIL_WIDTH or " " not in line.strip(), line


def check_html(data: bytes) -> None:
    text = data.decode()
    tags = Tags(text)
    names = [name for name, _ in tags.seen]
    assert text.startswith('<!doctype html><html lang="en" ')
    pictures = [own for name, own in tags.seen if name == "svg" and own.get("aria-hidden") != "true"]
    assert names.count("h1") == names.count("title") - len(pictures) == 1
    assert not {"iframe", "object", "img", "form", "base"} & {*names}
    assert text.count("<script") == names.count("script") == text.count(f"<script>{ZOOM}</script>") <= 1
    for name, attributes in tags.seen:
        assert not [key for key in attributes if key.startswith("on")]
        if name == "use":  # what is drawn once, in the same file, and used in several places
            assert (attributes["href"] or "")[1:] in {own.get("id") for _, own in tags.seen}
            assert (attributes["href"] or "").startswith("#")
        else:
            assert (attributes.get("href") or "data:,") == "data:,"
        assert "src" not in attributes
        if name == "th":
            assert attributes["scope"] in ("col", "row")
        if name == "meta" and attributes.get("http-equiv"):
            assert "default-src 'none'" in (attributes["content"] or "")
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert "width=device-width" in text


def check_svg(data: bytes) -> None:
    root = ElementTree.fromstring(data.decode())
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{space}title", f"{space}desc"]
    assert all((child.text or "").strip() for child in [*root][:2])
    assert {element.tag.removeprefix(space) for element in root.iter()} <= {
        *("svg", "title", "desc", "g", "defs", "rect", "circle", "ellipse", "line", "path", "polygon", "polyline", "text"),
        *("tspan", "pattern", "use", "marker", "clipPath", "linearGradient", "radialGradient", "stop", "symbol", "style"),
    }


def check_png(data: bytes) -> None:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert max(struct.unpack(">II", data[16:24])) <= 4096


def check_json(data: bytes) -> None:
    validator = Draft202012Validator(json.loads(schema.text("output.report.json")))
    validator.validate(json.loads(data))
    assert data.decode().rstrip("\n").isprintable()


def check_markdown(data: bytes) -> None:
    text = data.decode()
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert text.startswith("# ")
    assert not re.search(r"(?<!\\)[<>]", outside)
    assert not re.search(r"(?<!\\)\]\(", outside)


CHECKS = {
    "txt": check_text,
    "html": check_html,
    "md": check_markdown,
    "svg": check_svg,
    "png": check_png,
    "json": check_json,
}


def test_every_form_is_checked() -> None:
    assert CHECKS.keys() == FORMS.keys()


def soak_but_one_png(game: str, form: str) -> Any:
    """Leave the pictures that take long to the long runs: a png is drawn from the svg, which every run has of all."""
    return pytest.param(game, form, marks=[pytest.mark.soak] if form == "png" and game != "checkered-flag" else [])


@pytest.mark.parametrize(
    ("session", "form"), [soak_but_one_png(*one) for one in product(GAMES, FORMS)], indirect=["session"]
)
def test_every_ruleset_has_every_form_for_everybody(session: Session, form: str) -> None:
    if form == "png":
        pytest.importorskip("resvg_py")
    readers = viewers(session) if form != "png" else [session.seats[0]]  # a png takes long, and is drawn from the svg
    again = [*FORMS].index(form) % len(readers) if form != "png" or session.rules.meta.id == "checkered-flag" else None
    for at, viewer in enumerate(readers):
        made = FORMS[form](told(session.rules.meta.id, viewer))
        CHECKS[form](made)
        assert is_report(made) or form == "md"
        # What is made again takes as long: of each reader in some form.
        assert at != again or made == FORMS[form](tell(session, viewer))


def test_a_report_is_known_by_a_heading_that_breaks_after_components() -> None:
    first, *others = folded_lines(["g · Checkpoint Charlie · over: Bob has won · components house · as red sees it"], 56)
    assert first.endswith("components")
    assert others
    assert is_report(first.encode())


def test_what_has_changed_since_the_last_report_is_marked_in_every_form(session: Session) -> None:
    seat, journal = session.seats[0], session.game.journal
    nothing = tell(session, seat).described
    first = next(n for n in reversed(range(1, len(journal))) if report_for(session, seat, n).described != nothing)
    report = report_for(session, seat, first)
    assert report.earlier is not None
    since = f" since turn {report.earlier.turn}"
    for form in ("txt", "html", "md", "svg", "json"):
        made = FORMS[form](report)
        CHECKS[form](made)
        assert since in " ".join(made.decode().split()), form
        assert since not in " ".join(FORMS[form](tell(session, seat)).decode().split()), form
        assert made == FORMS[form](report_for(session, seat, first))


def test_every_block_of_a_report_is_in_every_form_that_people_read(session: Session) -> None:
    seat = session.seats[0]
    waiting = (WaitingSheet(seat=seat, turn=1, orders=("X",)),)
    report = replace(tell(session, seat), mails=some_mails("mistake"), waiting=waiting)
    for form in ("txt", "html", "md"):
        text = FORMS[form](report).decode().replace("\\", "")
        for title in ("Your orders", "Pending orders", "What has happened so far", "Standings"):
            assert title in text or (title == "Standings" and "Result" in text), form
        assert "mistake" in text


@pytest.mark.parametrize("asked", portion(product(FORMS, HOSTILE), 11), ids=" ".join)
def test_whatever_names_and_orders_say_is_only_said(asked: tuple[str, str]) -> None:
    form, hostile = asked[0], HOSTILE[asked[1]]
    if form == "png":
        pytest.importorskip("resvg_py")
    for game in ("checkpoint-rally", "rally-round") if form != "png" else ("checkpoint-rally",):  # a map takes long
        plain = replace(told(game, session_of(game).seats[0]), mails=some_mails("x"))
        made = FORMS[form](spoilt(plain, hostile))
        if form == "txt":
            assert all(line.isprintable() for line in made.decode().split("\n"))
        else:
            CHECKS[form](made)
        if form in ("html", "svg", "md"):
            assert all(line.isprintable() for line in made.decode().split("\n"))


def spoilt(report: Report, words: str) -> Report:
    """Return ``report`` with ``words`` in the place of every text that could come from a player or a component set.

    Names are as long as files let them be, lines of mails and orders as long as somebody likes.
    """
    position, name = report.position, words[:80]
    seats = frozenset(position.seats)
    return replace(
        report,
        position=replace(
            position,
            heading=replace(position.heading, game=name, name=name, components=name, words=((position.seats[0], name),)),
            drawing=_spoilt(position.drawing, name, seats),
            decisions=_spoilt(position.decisions, name, seats),
            standings=_spoilt(position.standings, name, seats),
            warnings=(words,),
        ),
        rows=_spoilt(report.rows, words, seats),
        mails=_spoilt(report.mails, words, frozenset()),
        waiting=(WaitingSheet(seat=position.seats[0], turn=1, orders=(words, words)),),
        legal=_spoilt(report.legal or (), name, seats),
        secrets=_spoilt(report.secrets, name, seats),
        out=words,
    )


def _spoilt(value: Any, words: str, kept: frozenset[str]) -> Any:
    if type(value) is str:
        return value if value in kept or not value else words
    if isinstance(value, tuple):
        return tuple(_spoilt(item, words, kept) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        own = {field.name: getattr(value, field.name) for field in fields(value)}
        skipped = ("hash", "proof", "commitment", "begun", "head", "fate", "value", "content")
        return replace(
            value,
            **{
                name: _spoilt(item, words[:80] if name == "why" else words, kept)
                for name, item in own.items()
                if name not in skipped
            },
        )
    return value


def some_mails(words: str) -> Mails:
    problem = OrderProblem(
        code="orders/x",
        message=words,
        rule="",
        seat="red",
        source="a.eml",
        line=3,
        column=2,
        width=3,
        suggestions=(words,),
        text=words,
    )
    receipt = SeatReceipt(
        seat=problem.seat,  # type: ignore[arg-type]
        turn=1,
        source=words,
        hash="ab" * 32,
        received=1,
        shared=False,
        taken=True,
        orders=(ReceivedOrder(line=3, order=words, fate=Fate.REFUSED, reason=words),),
        trouble="",
        waits=(),
    )
    passed_over = PassedOver(source="a.eml", line=1, reason="a greeting", text=words)
    return Mails(receipts=(receipt,), problems=(problem,), passed_over=(passed_over,), notes=(words,))


def test_the_order_form_is_read_back_as_it_is_and_with_an_order(session: Session) -> None:
    asked = [decision.seat for decision in session.rules.awaiting(session.config, session.game.state)]
    for seat in asked:
        report = tell(session, seat)
        form = report.form
        assert form is not None
        assert form.startswith(f"orders of {session.game.id}, turn {report.position.heading.turn}, as {seat}\n")
        assert form.endswith("\nEND of orders\n")
        assert max(map(display_width, form.splitlines()[1:])) <= 58
        empty = adjudicate_files(session, [("form.txt", form.encode())])
        assert not empty.accepted
        assert {found.problem.code for found in empty.diagnostics} <= {"orders/empty"}
        orders = [row.order for row in report.legal or ()]
        lines = [line for line in form.splitlines() if line.removeprefix("  # ") in orders]
        assert lines, "an order of each kind stands in the form"
        filled = "".join(f"{line.replace('# ', '', 1) if line == lines[0] else line}\n" for line in form.splitlines())
        taken = adjudicate_files(session, [("form.txt", filled.encode())])
        assert not taken.diagnostics
        assert taken.accepted or taken.session.game.pending


def test_the_game_needs_no_secrets_to_have_a_report_and_those_with_some_tell_them_to_their_seat_alone() -> None:
    rally = session_of("checkpoint-rally")
    red, blue = (tell(rally, seat) for seat in rally.seats[:2])
    assert any("hand" in secret.called for secret in red.secrets)
    assert {secret.said for secret in red.secrets} != {secret.said for secret in blue.secrets}
    assert tell(rally, None).secrets == tell(rally, MODERATOR).secrets == ()
    assert tell(session_of("checkered-flag"), rally.seats[0]).secrets == ()
