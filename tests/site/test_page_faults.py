"""A page that cannot be made says so; the command names it, and every other page is as it would have been."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app_for
from adjudicator.processes import Lost
from adjudicator.reports.pages import site as site_lists
from adjudicator.session import Session
from adjudicator.site import build, game_page

Run = Callable[..., Result]
Built = Callable[[str], None]

KINDS = {
    "index": (site_lists, "_index", "index.html"),
    "ruleset": (site_lists, "_ruleset_page", r"checkered-flag-\w+\.html"),
    "player": (site_lists, "_player_page", r"\w+(-\w+)*-\w{8}\.html"),
    "players": (site_lists, "_players_page", "players.html"),
    "statistics": (site_lists, "statistics", r"checkered-flag-\w+\.html"),
    "game": (game_page, "page_of", r"games/flag-009-\w+\.html"),
}
"""For each kind of page the function that makes it, or a part of it, and the name of a page of that kind."""


_SOUND: dict[str, bytes] = {}
"""The pages as they are without a fault, made once."""


def pages(folder: str) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*.html")}


def break_once(monkeypatch: pytest.MonkeyPatch, kind: str, error: BaseException) -> None:
    """Let the function behind ``kind`` fail for the first page that it makes."""
    module, name, _ = KINDS[kind]
    sound: Callable[..., Any] = getattr(module, name)
    failures = [error]

    def broken(*given: Any, **named: Any) -> Any:
        if failures:
            raise failures.pop()
        return sound(*given, **named)

    monkeypatch.setattr(module, name, broken)


def unmade_pages(output: str) -> list[str]:
    return re.findall(r"^not made +(\S+)  ", output, re.MULTILINE)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        *((kind, ValueError("min() arg is empty")) for kind in KINDS),
        ("ruleset", SystemExit(0)),
        ("index", MemoryError()),
        ("game", SystemExit(0)),
        ("game", RecursionError()),
    ],
)
def test_one_bad_page_costs_no_other(
    run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch, kind: str, error: BaseException
) -> None:
    monkeypatch.setattr(site_lists, "_MOST_PLAYERS", 1)  # so that there is a page of all players
    sources = ("archive/flag.json", "archive/deep/charlie.json")
    if not _SOUND:
        run(*sources, "-o", "sound", code=0)
        _SOUND.update(pages("sound"))
    break_once(monkeypatch, kind, error)
    told = run(*sources, "-o", "public", code=1).stdout
    (name,) = unmade_pages(told)
    assert re.fullmatch(KINDS[kind][2], name)
    assert type(error).__name__ in told and str(error) in told and ", line " in told
    assert "1 page could not be made" in told
    sound, made = _SOUND, pages("public")
    assert "This page could not be made." in made[name].decode()
    assert str(error) in ("", "0") or str(error) not in made[name].decode()  # it may quote what is hidden
    if kind == "game":  # the lists leave this game out
        sound, made = ({file: data for file, data in of.items() if file.startswith("games/")} for of in (sound, made))
    assert made.keys() == sound.keys()
    assert {file for file in sound if made[file] != sound[file]} == {name}


def test_every_page_may_fail_at_once(run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: Any, **_named: Any) -> Any:
        raise KeyError("nothing works")

    for module, name, _ in KINDS.values():
        monkeypatch.setattr(module, name, broken)
    told = run("archive/flag.json", "archive/deep/charlie.json", "-o", "public", "--quiet", code=1).stdout
    assert sorted(unmade_pages(told)) == sorted(pages("public"))
    assert len(pages("public")) == 3
    assert "3 pages could not be made" in told


def test_the_first_page_leads_on_where_it_fails(run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    break_once(monkeypatch, "index", ValueError("x"))
    run("archive/flag.json", "-o", "public", code=1)
    assert re.search(r'href="checkered-flag-\w+\.html">Checkered Flag<', Path("public/index.html").read_text("utf-8"))


def test_for_machines(run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    break_once(monkeypatch, "game", ValueError("x"))
    told = json.loads(run("archive/flag.json", "-o", "public", "--json", code=1).stdout)
    (page,) = told["unmade"]
    assert page["page"].startswith("games/flag-009-") and page["source"] == "archive/flag.json"
    assert re.fullmatch(r"a bug in the program \([\w.]+, broken, line \d+\): ValueError: x", page["cause"])
    assert told["problems"] == [] and told["summary"]["verified"] == 1


def test_a_page_that_takes_too_long(run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "make_page", lambda _opener, _task: Lost("", is_late=True))
    told = run("archive/flag.json", "-o", "public", code=1).stdout
    assert "the page was not finished within 300 seconds  archive/flag.json" in told


def test_a_ruleset_in_which_nobody_has_won(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plot of the winners' scores has nothing to show then."""
    page_of: Callable[..., Any] = game_page.page_of

    def last_step(session: Session, viewer: Any, **named: Any) -> Any:
        """Return the page of the last entry: the game is long, and has a picture for each entry."""
        return page_of(session, viewer, len(session.game.journal) - 1, **named)

    monkeypatch.setattr(game_page, "page_of", last_step)
    words = ["simulate", "great-race", "--games", "1", "--seed", "5", "-o", "played"]
    assert CliRunner().invoke(app_for(words), words).exit_code == 0
    run("played", "-o", "public", code=0)
    (ruleset,) = Path("public").glob("great-race-*.html")
    text = ruleset.read_text("utf-8")
    assert "Score of every seat" in text and "Score of the winner" not in text
