"""The letters of a club: their templates, the lines of the club in reports, and what becomes of old ones."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from string import Formatter

import pytest

import adjudicator as adj
from adjudicator.club import letters
from adjudicator.club.club import open_club
from adjudicator.club.letters import LetterRow, content_of, template
from adjudicator.reports.forms import filled_text
from adjudicator.reports.web import filled_page
from tests.drivers.club import DAY, HOUR, START, Club, Letter, begin

TEMPLATES = sorted(path.stem for path in (Path(letters.__file__).parent / "letters").iterdir())
SLOT = re.compile("\x1d|<!-- (?:slot|/?figure|/?script)")


def mails(club: Club) -> list[Letter]:
    """Return all letters that a club has sent."""
    found = (club.folder / "outgoing").glob("*.eml")
    return [Letter(path.read_bytes()) for path in found]


def rewrite(club: Club, statement: str) -> list[tuple[str, ...]]:
    """Run a statement on the ledger of a club, and return its rows."""
    with closing(sqlite3.connect(club.folder / "ledger.sqlite")) as ledger, ledger:
        return ledger.execute(statement).fetchall()


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_begins_with_its_kind_and_subject_and_its_places_have_names(name: str) -> None:
    kind, subject, text = template(name)
    assert re.fullmatch("[a-z]+", kind) and subject
    fields = [field for part in (subject, text) for _, field, form, change in Formatter().parse(part) if field is not None]
    assert all(re.fullmatch("[a-z]+", field) for field in fields)
    assert text == "" or "\n" in text or text == "{text}"


def test_no_letter_of_a_game_has_an_open_slot(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1\nRESEND")
    club.round()
    kinds = {kind for (kind,) in rewrite(club, "select kind from letters where state = 'sent'")}
    assert kinds == {"welcome", "report", "receipt", "resent", "moderator"}
    assert not any(SLOT.search(mail.mail.as_bytes().decode()) for mail in mails(club))


def test_a_page_for_the_desk_is_the_report_without_lines_of_the_club(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    with open_club(club.folder, club.now) as one:
        row = one.db.first(LetterRow, "select * from letters where kind = 'report' and seat = 'red'")
    assert row is not None
    content = content_of(row)
    page = filled_page(content.html, {}, has_script=True)
    assert "<script>" in page and "<figure" in page and not SLOT.search(page)
    assert "<script>" not in filled_page(content.html, {})
    assert "token" not in page and "are due" not in page and "HELP lists" not in page
    assert SLOT.search(content.text) and not SLOT.search(filled_text(content.text, ""))


FORGED = "<!-- slot form --> <!-- /script --> \x1dform {game} {0}"


def test_what_players_write_fills_no_slot_and_no_place_of_a_template(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.club("set", "press=free")
    club.mail("red", f"GEAR 1\n\n{FORGED}\n\nMESSAGE to blue: see {FORGED}")
    club.round()
    for mail in mails(club):
        if mail.mail.get_body(("html",)) is not None:
            assert mail.page.count("token race/") == (mail.to != "gm")
    text = club.letter("blue", "race: message from Red (red)").text
    assert "> see <!-- slot form --> <!-- /script -->\n> form {game} {0}" in text


def test_old_letters_are_forgotten_but_for_the_last_report_of_each_player(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1")
    club.round()
    report = club.letter("blue", "race, turn 2: your turn").text
    club.club("pause", "race")
    club.round(40 * DAY)
    left = rewrite(club, f"select kind, seat from letters where length(content) and written < {START + DAY} order by id")
    assert left == [("report", "red"), ("report", "blue")]
    club.mail("blue", "RESEND")
    club.round(60)
    again = club.letter("blue", "race, turn 2: your turn (sent again)").text
    assert again.partition("\n\n")[2] == report.partition("\n\n")[2] and again.startswith("The game is paused.")


def test_a_letter_of_which_no_mail_can_be_made_costs_no_other(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1")
    rewrite(club, "update letters set state = 'queued', content = x'00' where kind = 'report' and seat = 'red'")
    said = club.round()
    assert "race: report to red@example.org: not sent yet: error: " in said and "report to blue@example.org: sent" in said


def test_the_last_report_of_a_game_does_not_wait(tmp_path: Path) -> None:
    club, flag = (
        begin("open race", tmp_path),
        Path(__file__).parents[2] / "examples" / "checkered-flag" / "race" / "game.json",
    )
    club.mail("red", "SET mail=late", "race")
    club.mail("blue", "SET mail=digest", "race")
    club.round()
    log = (game := adj.open(flag)).seen_by("moderator").log()
    game.undo(len(log) - 2, "the last turn again").save(club.top / "last.json")
    club.club("add", "last.json", "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    club.round()
    club.mail(str(log[-1].seat), log[-1].order, game.id)
    club.round(HOUR)
    assert sorted(one.to for one in club.new if " is over: " in one.subject) == ["blue", "gm", "red"]
