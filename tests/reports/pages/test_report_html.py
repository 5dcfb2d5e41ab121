"""The page of a report: its headline, its players, its legal orders, and the outcomes of the reader's orders."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.ids import MODERATOR
from adjudicator.outputs.orders import Fate, ReceivedOrder, SeatReceipt
from adjudicator.outputs.report import Mails
from adjudicator.reporting import report_for
from adjudicator.reports.data.report import Report, report_data
from adjudicator.reports.pages.forms import FORMS
from adjudicator.reports.pages.report_html import report_html
from adjudicator.session import open_session
from adjudicator.store.load import load_game

PICTURE = re.compile(r"(?s)<svg .*?</svg>")
MAIL_LIMIT = 102_000
"""Gmail shows only the beginning of a longer mail; it removes pictures in a page, so they do not count."""


RECORDED = Path(__file__).parents[2] / "data" / "games"
GAMES = {
    "checkered-flag": ("recorded-001", 12),
    "checkpoint-charlie": ("recorded-003", 30),
    "checkpoint-rally": ("recorded-001", 24),
    "great-race": ("recorded-001", 36),
    "rally-round": ("recorded-002", 20),
}
"""A recorded game of each ruleset, and the entry after which the report is made."""


@cache
def report(game: str, who: str = "asked") -> Report:
    """Return the report in the middle of ``game``: to the seat that is ``asked``, an ``other`` one, or the moderator."""
    name, last = GAMES[game]
    session = open_session(load_game(str(RECORDED / game / f"{name}.json")))
    state, journal = session.timeline.state_after(last), session.game.journal[: last + 1]
    session = session.with_game(replace(session.game, journal=journal, state=state, pending=(), set_aside=()))
    asked = [one.seat for one in session.rules.awaiting(session.config, session.game.state)]
    others = [seat for seat in session.seats if seat not in asked]
    viewer: Any = {"asked": asked[0], "other": others[0] if others else None, "moderator": MODERATOR}[who]
    return report_for(session, viewer, last - 4)


def named(made: Report, ask: str = "") -> Report:
    """Return the report with a name for every player, and with ``ask`` as the first question."""
    position = made.position
    holders = {seat: f"Ann {seat}" for seat in position.seats}
    first, *others = position.decisions
    decisions = (replace(first, ask=ask) if ask else first, *others)
    return replace(made, position=replace(position, heading=replace(position.heading, holders=holders), decisions=decisions))


def test_the_headline_tells_the_reader_what_to_do_or_for_whom_the_game_waits() -> None:
    asked = named(report("checkpoint-rally"), "choose an action: PLACE or MOVE")
    assert asked.headline == f"Ann {asked.viewer}, it is your turn: choose an action"
    assert f"<h1>{asked.headline}</h1>" in report_html(asked)
    other = named(report("checkpoint-rally", "other"))
    assert other.headline == f"Waiting for Ann {asked.viewer} ({asked.viewer})"
    unnamed = replace(asked.position.heading, holders={})
    title = replace(asked, position=replace(asked.position, heading=unnamed)).headline
    assert title == f"{str(asked.viewer).capitalize()}, it is your turn: choose an action"
    over = replace(unnamed, is_over=True)
    assert replace(asked, position=replace(asked.position, heading=over)).headline == "The game is over"


def test_many_players_are_counted_in_the_headline() -> None:
    made = report("checkpoint-rally", "moderator")
    due = tuple(replace(made.position.decisions[0], seat=f"seat{n}") for n in range(7))  # type: ignore[arg-type]
    assert replace(made, position=replace(made.position, decisions=due)).headline == "Waiting for 7 players"


def test_only_the_seat_that_is_asked_gets_the_legal_orders_but_programs_get_them_always() -> None:
    asked, other = report("great-race"), report("great-race", "other")
    assert other.legal
    assert other.is_ahead
    assert report_data(other).legal == other.legal
    for form in ("txt", "md", "html"):
        assert "What you can order now" in FORMS[form](asked).decode()
        text = FORMS[form](other).decode()
        assert "What you can order now" not in text
        assert "legal order" not in text


def test_the_groups_of_a_page_are_folded_and_hold_every_order() -> None:
    made = report("checkpoint-rally")
    text = PICTURE.sub("", report_html(made))
    assert '<details class="group">' in text
    assert "<details open" not in text
    folded = text.partition('id="legal"')[2].partition("</section>")[0]
    assert folded.count("<td") >= sum(row.order.startswith("PLACE") for row in made.legal or ())
    assert "never under 0" not in folded
    assert "`adjudicator legal`" in FORMS["txt"](made).decode()
    assert "adjudicator legal" not in folded


@pytest.mark.parametrize(("fate", "color"), [(Fate.APPLIED, "good"), (Fate.REFUSED, "bad"), (Fate.REMARK, "soft")])
def test_an_order_has_its_outcome_in_words_and_in_a_colour(fate: Fate, color: str) -> None:
    made = report("checkpoint-rally")
    order = ReceivedOrder(line=3, order="DRAW", fate=fate, reason="")
    viewer: Any = made.viewer
    receipt = SeatReceipt(
        seat=viewer,
        turn=1,
        source="a.eml",
        hash=None,
        received=None,
        shared=False,
        taken=True,
        orders=(order,),
        trouble="trouble with a.eml",
        waits=(),
    )
    page = report_html(replace(made, mails=Mails(receipts=(receipt,))))
    assert f'<span class="soft">line 3</span> <b>DRAW</b> <span class="{color}">{fate.value}</span>' in page
    assert page.count("<p>trouble with a.eml</p>") == 1
    assert "<p>Received a.eml</p>" in page


def test_every_player_has_a_badge_with_the_colour_and_the_letter_of_the_pieces() -> None:
    page = report_html(named(report("checkpoint-rally")))
    players = page.partition('<ul class="players"')[2].partition("</ul>")[0]
    assert re.findall(r'<span class="badge (ink-\w+)(?: dark)?" aria-hidden="true">(\w+)</span> ([\w ]+)', players) == [
        ("ink-red", "R", "Ann red "),
        ("ink-blue", "B", "Ann blue "),
        ("ink-green", "G", "Ann green "),
    ], "in the order of the seats"


@pytest.mark.parametrize("game", GAMES)
def test_a_mail_with_the_page_is_not_clipped(game: str) -> None:
    page = PICTURE.sub("", report_html(report(game)))
    assert len(page.encode()) < MAIL_LIMIT / 2


def test_an_unknown_cost_has_no_unit() -> None:
    """The spins of Checkered Flag decide how far an order leads."""
    html = report_html(report("checkered-flag"))
    assert "GEAR" in html and not re.search(r'class="cost">–', html)
