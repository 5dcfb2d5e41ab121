"""The site as a home: dates, a feed, records, ratings, previews, and lists of ten thousand games."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import Result

from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Unit
from adjudicator.outputs.standings import SeatRecord
from adjudicator.reports.data.statistics import GameTally, SeatTally
from adjudicator.reports.pages import game_list
from adjudicator.reports.pages.game_list import records_table
from adjudicator.reports.pages.ratings import ratings, versus
from adjudicator.reports.pages.site import list_pages
from adjudicator.reports.pages.site_game import SiteGame, newest_first
from adjudicator.site import game_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

Run = Callable[..., Result]
ATOM = "{http://www.w3.org/2005/Atom}"
JULY = 1_784_000_000
"""A time on 2026-07-14."""


def played(name: str, *players: str, orders: int = 20, finished: int | None = None, status: str = "verified") -> SiteGame:
    """Return a finished game in which ``players`` came in this order, with scores of 10, 20 and so on."""
    seats = tuple(Seat(seat) for seat in ("red", "blue", "green")[: len(players)])
    tallies = tuple(SeatTally(seat, at, 10 * at, "", at, {}) for at, seat in enumerate(seats, 1))
    return SiteGame(
        file=f"games/{name}-12345678.html",
        source=f"{name}.json",
        game=name,
        status=status,
        ruleset="race",
        name="Race",
        unit=Unit("pt", "points"),
        players=tuple(zip(seats, players, strict=True)),
        tally=GameTally(1, True, orders, tallies, {}),
        finished=finished,
        records=tuple(
            SeatRecord(game=name, seat=seat, player=who, is_begun=True, is_over=True, place=place, finished_at=finished)
            for place, (seat, who) in enumerate(zip(seats, players, strict=True), 1)
        ),
    )


def dated(path: Path, forge: Callable[[dict[str, Any]], bytes], received: int) -> None:
    """Give the mails of the game at ``path`` this time."""
    document = json.loads(path.read_bytes())
    for receipt in document["receipts"]:
        receipt["received"] = received
    path.write_bytes(forge(document))


def home() -> str:
    return Path("public/index.html").read_text("utf-8")


def test_dates_of_mails_date_the_games_and_make_a_feed(
    run: Run, archive: Path, forge: Callable[[dict[str, Any]], bytes]
) -> None:
    dated(archive / "flag.json", forge, JULY)
    run("archive/flag.json", "archive/deep/charlie.json", "-o", "public", code=0)
    assert "2026-07-14" in home() and 'href="feed.xml"' in home()
    assert home().index("flag-009") < home().index("charlie-03")
    feed = ElementTree.parse("public/feed.xml").getroot()
    (entry,) = feed.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "flag-009: Checkered Flag"
    assert entry.findtext(f"{ATOM}updated") == feed.findtext(f"{ATOM}updated") == "2026-07-14T03:33:20Z"
    (link,) = entry.findall(f"{ATOM}link")
    assert Path("public", link.get("href", "")).is_file()


def test_without_dates_there_is_no_feed(run: Run, archive: Path) -> None:
    run("archive/flag.json", "-o", "public", code=0)
    assert not Path("public/feed.xml").exists() and "feed.xml" not in home()


def test_a_game_in_progress_has_no_date_and_its_players_no_order(
    run: Run, archive: Path, forge: Callable[[dict[str, Any]], bytes]
) -> None:
    """Who sent orders when, and the order of the scores, may be secret until the end."""
    document = json.loads((archive / "on.json").read_bytes())
    receipt = {"turn": 1, "seat": "red", "hash": "0" * 64, "received": JULY}
    (archive / "on.json").write_bytes(forge({**document, "receipts": [receipt]}))
    run("archive/on.json", "-o", "public", "--unfinished", code=0)
    assert not any(b"2026-07" in path.read_bytes() for path in Path("public").rglob("*.*"))
    (kept,) = json.loads(Path("public/manifest.json").read_bytes())["games"].values()
    assert kept["game"]["tally"]["seats"] == []
    row = re.sub("<[^>]*>", "", home()[home().index("<tbody>") :])
    assert row.index("Ann") < row.index("Bob")


@pytest.mark.usefixtures("whole_size")
def test_with_an_address_links_have_a_preview_with_a_card(run: Run, archive: Path) -> None:
    pytest.importorskip("resvg_py")
    run("archive/flag.json", "-o", "public", "--url", "https://example.org/games", code=0)
    (page,) = Path("public/games").glob("*.html")
    text = page.read_text("utf-8")
    assert f'<meta property="og:url" content="https://example.org/games/games/{page.name}">' in text
    (image,) = re.findall(r'og:image" content="https://example.org/games/([^"]*)"', text)
    data = Path("public", image).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")
    assert '<meta property="og:description" content="Ann (red) has won. Players: Ann (red), Bob (blue)">' in text


def test_a_preview_needs_an_address_and_the_extra(run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "begins with https://" in run("archive", "-o", "public", "--url", "example.org", code=2).stderr
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    assert "pip install 'pbem-adjudicator[png]'" in run("archive", "-o", "public", "--url", "https://a.org", code=2).stderr
    assert not Path("public").exists()


def test_ratings_follow_the_results_of_verified_games() -> None:
    games = [played("a", "Ann", "Bob"), played("b", "Ann", "Bob", "Cleo"), played("c", "Cleo", "Bob", status="diverged")]
    found = ratings(games)
    assert list(found) == ["Ann", "Bob", "Cleo"]
    assert (found["Ann"].games, found["Cleo"].games) == (2, 1)
    assert found["Ann"].value > 1500 > found["Cleo"].value
    assert ratings([played("a", "Ann", "Ann"), played("b", "", "Bob")]) == {}


def test_results_against_each_other() -> None:
    found = versus(
        "Ann", [played("a", "Ann", "Bob"), played("b", "Bob", "Ann"), played("c", "Cleo", "Ann"), played("d", "Bob")]
    )
    assert {who: (one.ahead, one.level, one.behind) for who, one in found.items()} == {"Bob": (1, 0, 1), "Cleo": (0, 0, 1)}


def test_records_are_of_verified_games() -> None:
    games = [played("a", "Ann", orders=9), played("b", "Bob", orders=30), played("c", "Cleo", orders=99, status="diverged")]
    table = records_table(games)
    shown = {row[0][0].text: (row[1][0].text, row[3][0].text) for row in table.rows}
    assert shown["longest game"] == ("30 orders", "b") and shown["shortest game"] == ("9 orders", "a")
    assert shown["highest score of a winner"][0] == "10 pt"


def test_the_latest_games_come_first_and_those_without_a_date_last() -> None:
    games = [played("none"), played("old", finished=5), played("new", finished=9), played("neither")]
    assert [game.game for game in newest_first(games)] == ["new", "old", "none", "neither"]


def test_long_lists_have_parts_and_no_page_is_large() -> None:
    games = [played(f"game-{at:05}", f"Player {at % 400}", "Bob", finished=JULY + at) for at in range(2_000)]
    made = {page.name: page.make() for page in list_pages(games)}
    assert max(map(len, made.values())) < 400_000
    (bob,) = (name for name in made if re.fullmatch(r"bob-\w{8}\.html", name))
    parts = [name for name in made if name.startswith(bob.removesuffix(".html"))]
    assert len(parts) == 2_000 // game_list.LONGEST
    assert sum(made[name].count('<th scope="row"><a href="games/') for name in parts) == 2_000
    assert all(f'href="{name}"' in made[bob] for name in parts if name != bob)


def test_the_home_sorts_and_finds_games_of_all_pages(tmp_path: Path, visit: Callable[..., Page]) -> None:
    games = [played(f"game-{at:05}", f"Player {at % 400}", "Bob", orders=at) for at in range(600)]
    for page in list_pages(games):
        (tmp_path / page.name).write_text(page.make(), "utf-8")
    (tmp_path / "games").mkdir()
    for game in games:
        (tmp_path / game.thumbnail).write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    opened = visit(tmp_path / "index.html")
    rows = opened.locator(".games tbody tr")
    assert rows.count() == game_list.LONGEST
    opened.get_by_label("search").fill("game-00577")
    assert rows.count() == 1
    assert rows.first.locator("th a").get_attribute("href") == "games/game-00577-12345678.html"
    assert rows.first.locator("strong").inner_text() == "Player 177"
    opened.get_by_label("search").fill("")
    opened.get_by_role("button", name="orders", exact=True).click()
    opened.get_by_role("button", name="orders", exact=True).click()
    assert rows.first.locator("td").nth(2).inner_text() == "599"
    assert opened.locator(".games th").nth(3).get_attribute("aria-sort") == "descending"
    assert "600 of 600" in opened.get_by_role("status").inner_text()


def test_a_new_run_makes_only_the_pages_of_new_and_changed_games(
    run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("archive/flag.json", "archive/deep/charlie.json", "-o", "public", code=0)
    before = {path: path.read_bytes() for path in Path("public").rglob("*.*")}
    made: list[str] = []
    sound = game_page.page_of

    def counted(session: Any, *given: Any, **named: Any) -> Any:
        made.append(session.game.id)
        return sound(session, *given, **named)

    monkeypatch.setattr(game_page, "page_of", counted)
    run("archive/flag.json", "archive/deep/charlie.json", "-o", "public", code=0)
    assert made == [] and {path: path.read_bytes() for path in Path("public").rglob("*.*")} == before
    (flag,) = Path("public/games").glob("flag-*.svg")
    flag.unlink()
    run("archive/deep/charlie.json", "archive/flag.json", "-o", "public", "--unfinished", code=0)
    assert made == ["charlie-03", "flag-009"]  # with other options all
    flag.write_text("another picture")
    run("archive/deep/charlie.json", "archive/flag.json", "-o", "public", "--unfinished", code=0)
    assert made[2:] == ["flag-009"]
    assert flag.read_bytes() == before[flag]


def test_a_damaged_manifest_only_costs_time(run: Run, archive: Path) -> None:
    run("archive/flag.json", "-o", "public", code=0)
    manifest = Path("public/manifest.json")
    whole = manifest.read_text("utf-8")
    document = json.loads(whole)
    ((_, game),) = document["games"].items()
    game["game"]["tally"] = 7
    manifest.write_text(json.dumps(document))
    run("archive/flag.json", "-o", "public", code=0)
    assert manifest.read_text("utf-8") == whole
