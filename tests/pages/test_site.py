"""The command `site`: a page for each game, lists that lead there, and nothing told that is not to be known."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from functools import partial
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jinja2
import pytest
from typer.testing import Result

import adjudicator as adj
from tests.drivers.pages import DESKTOP, EXAMPLES, PHONE, Visit, expect_at, found_by_axe
from tests.drivers.scenarios import game_at

Run = Callable[..., Result]
Forge = Callable[[dict[str, Any]], bytes]
HOSTILE = "</script><script>alert(1)</script>{{ 7*7 }}"
ATOM = "{http://www.w3.org/2005/Atom}"
JULY = 1_784_000_000
"""A time on 2026-07-14."""
TWO = ("archive/flag.json", "archive/charlie.json")


@pytest.fixture
def site(run: Run, tmp_path: Path, forge: Forge) -> Callable[..., Result]:
    """Return the command `site`, in a folder whose ``archive`` has games over, going on, forged, torn and hostile."""
    folder = tmp_path / "archive"
    (folder / "deep").mkdir(parents=True)
    for name, source in (
        ("flag.json", "checkered-flag/race/game.json"),
        ("charlie.json", "checkpoint-charlie/three-players/game.json"),
        ("on.json", "checkpoint-rally/two-players/start.json"),
        ("deep/hand.txt", "checkpoint-rally/hand-kept/race.txt"),
        ("deep/tiny-set.json", "checkpoint-rally/hand-kept/tiny-set.json"),
    ):
        shutil.copyfile(EXAMPLES / source, folder / name)
    whole = (EXAMPLES / "checkpoint-rally/two-players/game.json").read_bytes()
    (folder / "torn.json").write_bytes(whole[:-200])
    document = json.loads(whole)
    document["state"]["racers"][0]["minutes"] = 77
    (folder / "forged.json").write_bytes(forge(document))
    document = json.loads(whole)
    document["setup"]["players"][0]["holder"], document["id"] = HOSTILE, "hostile"
    (folder / "hostile.json").write_bytes(forge(document))
    (folder / "notes.json").write_text('{"to": "do"}')
    return partial(run, "site")


@pytest.fixture(scope="module")
def last_move(tmp_path_factory: pytest.TempPathFactory) -> adj.Game:
    """Return a game of one order, from a position just before its end."""
    lines = (
        "seat red=Ann\nseat blue=Bob\nturn red\nred position=30 gear=3\nblue position=30 lost=2 gear=3\nred: GEAR 3 [6 5]"
    )
    found = game_at(tmp_path_factory.mktemp("last"), "checkered-flag", f"components drawn.json\n{lines}")
    assert found.is_over
    return found


@pytest.fixture
def brief(site: Callable[..., Result], last_move: adj.Game, forge: Forge) -> Callable[..., Result]:
    """Return the command `site`, with ``TWO`` short games: their pages are made in little time."""
    document = json.loads(last_move.to_bytes())
    for path, name in zip(TWO, ("flag-009", "charlie-03"), strict=True):
        Path(path).write_bytes(forge({**document, "id": name}))
    return site


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site") / "public"


@pytest.fixture
def built(site: Callable[..., Result], kept: Path) -> Callable[[str], Path]:
    """Lay the site of that archive into a folder, as the command has made it: to make it for each test takes long."""

    def lay(name: str) -> Path:
        if not kept.exists():
            site("archive", "-o", name, code=1)
            shutil.copytree(name, kept)
        return Path(shutil.copytree(kept, name, dirs_exist_ok=True))

    return lay


def files(folder: str, pattern: str = "*") -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob(pattern)) if path.is_file()
    }


def page(name: str, folder: str = "public/games") -> str:
    """Return the one page whose file name begins with ``name``."""
    (found,) = Path(folder).glob(f"{name}-*.html")
    return found.read_text("utf-8")


def home() -> str:
    return Path("public/index.html").read_text("utf-8")


# What is shown


@pytest.mark.usefixtures("memory_folder")
def test_every_game_that_is_over_has_a_page_and_a_verdict(site: Run) -> None:
    told = site("archive", "-o", "public", code=1).stdout
    assert "diverged   rally-021" in told and "damaged    –" in told
    assert told.splitlines()[-1] == "public/index.html: 6 shown on 16 pages; 1 unfinished left out (--unfinished shows them)"
    assert "audit: verified" in page("flag-009")
    assert "<h1>flag-009: Ann (red) has won</h1>" in page("flag-009")
    assert "Ann (red) 55, Bob (blue) 40 sp" in re.sub("<[^>]*>", "", page("checkered-flag", "public"))
    assert "orders decided again" in page("charlie-03")
    assert "diverged: " in unescape(page("rally-021"))
    assert "no proof shows whether the draws were fair" in page("sunday-7")
    assert not list(Path("public/games").glob("*rally-021-on*"))
    data = json.loads(site("archive", "-o", "public", "--json", code=1).stdout)
    assert (data["games"], data["left_out"], data["index"]) == (6, 1, "public/index.html")
    assert {one["status"] for one in data["problems"]} == {"diverged", "damaged"} and data["summary"]["verified"] == 4


def test_all_links_lead_somewhere_inside_and_lead_to_every_page(built: Any) -> None:
    pages = [*built("public").rglob("*.html")]
    met, links = set(), 0
    for path in pages:
        for link in re.findall(r'(?:href|src)="([^"]*)"', path.read_text("utf-8")):
            target, _, _ = unescape(link).partition("#")
            if target and target != "data:,":
                links += 1
                assert not re.match(r"[a-z]+:|/", target), link
                met.add((path.parent / target).resolve())
                assert (path.parent / target).is_file(), link
    assert links > 50 and {path.resolve() for path in pages} - met == set()


def test_what_players_write_becomes_no_markup(built: Any) -> None:
    built("public")
    for name, data in files("public", "*.html").items():
        text = data.decode()
        assert text.count("<script") == (2 if 'id="replay"' in text else 1), name
        assert "{{" not in text or "{{ 7*7 }}" in text, name
    assert "alert(1)" in home()


def test_a_damaged_game_has_a_page_that_gives_nothing_away(built: Any) -> None:
    built("public")
    text = page("torn-json")
    assert "torn.json" in text and "The audit says: damaged" in text
    assert "K1" not in text.partition("<body>")[2]
    assert 'href="games/torn-json-' in home()


def test_of_a_game_that_goes_on_the_site_has_what_bystanders_see(site: Run) -> None:
    assert "1 shown" in site("archive/on.json", "-o", "public", "--unfinished", code=0).stdout
    found = adj.open("archive/on.json")
    data = re.compile(r'<script type="application/json".*?</script>', re.DOTALL)
    shown, meant = data.search(page(found.id)), data.search(found.seen_by().replay_page().text)
    assert shown is not None and meant is not None and shown[0] == meant[0]
    whole = b"".join(files("public").values()).decode()
    cards = [racer.card for racer in found.seen_by("moderator").position.view.state.racers]
    assert cards and not [card for card in cards if card not in (None, "K1") and f"{card}" in whole]


def test_what_diverges_in_a_game_that_goes_on_is_told_to_the_moderator_only(site: Run, forge: Forge) -> None:
    document = json.loads(Path("archive/on.json").read_bytes())
    document["state"]["racers"][0]["minutes"] = 77
    Path("archive/on.json").write_bytes(forge(document))
    assert "minutes is 77" in site("archive/on.json", "-o", "public", "--unfinished", code=1).stdout
    whole = b"".join(files("public").values()).decode()
    assert "diverged" in whole and "should be" not in whole


def test_dates_of_mails_date_the_games_and_make_a_feed(site: Run, forge: Forge) -> None:
    site(TWO[0], "-o", "undated", code=0)
    assert not Path("undated/feed.xml").exists() and "feed.xml" not in Path("undated/index.html").read_text("utf-8")
    document = json.loads(Path(TWO[0]).read_bytes())
    for receipt in document["receipts"]:
        receipt["received"] = JULY
    Path(TWO[0]).write_bytes(forge(document))
    site(*TWO, "-o", "public", code=0)
    assert "2026-07-14" in home() and 'href="feed.xml"' in home()
    assert home().index("flag-009") < home().index("charlie-03"), "the latest games come first, those without a date last"
    feed = ElementTree.parse("public/feed.xml").getroot()
    (entry,) = feed.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "flag-009: Checkered Flag"
    assert entry.findtext(f"{ATOM}updated") == feed.findtext(f"{ATOM}updated") == "2026-07-14T03:33:20Z"
    (link,) = entry.findall(f"{ATOM}link")
    assert Path("public", link.get("href", "")).is_file()


def test_a_game_in_progress_has_no_date_and_its_players_no_order(site: Run, forge: Forge) -> None:
    """Who sent orders when, and the order of the scores, may be secret until the end."""
    document = json.loads(Path("archive/on.json").read_bytes())
    receipt = {"turn": 1, "seat": "red", "hash": "0" * 64, "received": JULY}
    Path("archive/on.json").write_bytes(forge({**document, "receipts": [receipt]}))
    site("archive/on.json", "-o", "public", "--unfinished", code=0)
    assert not any(b"2026-07" in data for data in files("public").values())
    row = re.sub("<[^>]*>", "", home()[home().index("<tbody>") :])
    assert row.index("Ann") < row.index("Bob")


@pytest.mark.usefixtures("memory_folder")
def test_with_an_address_links_have_a_preview_with_a_card(site: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "begins with https://" in site(TWO[0], "-o", "public", "--url", "example.org", code=2).stderr
    with monkeypatch.context() as patch:
        patch.setitem(__import__("sys").modules, "resvg_py", None)
        told = site(TWO[0], "-o", "public", "--url", "https://a.org", code=2).stderr
        assert "pip install 'pbem-adjudicator[png]'" in told and not Path("public").exists()
    pytest.importorskip("resvg_py", reason="previews need resvg: pip install -e '.[test]'")
    for address in ((), ("--url", "https://example.org/games")):
        site(TWO[0], "-o", "public", *address, code=0)
    (path,) = Path("public/games").glob("*.html")
    text = path.read_text("utf-8")
    assert f'<meta property="og:url" content="https://example.org/games/games/{path.name}">' in text
    (image,) = re.findall(r'og:image" content="https://example.org/games/([^"]*)"', text)
    data = Path("public", image).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")
    assert '<meta property="og:description" content="Ann (red) has won. Players: Ann (red), Bob (blue)">' in text


def words(name: str) -> str:
    """Return the words of a page of the site without its styles and scripts."""
    text = re.sub(r"(?s)<(style|script).*?</\1>", "", page(name, "public"))
    return " ".join(unescape(re.sub("<[^>]*>", " ", text)).split())


def test_ratings_and_records_follow_the_results_of_verified_games(site: Run) -> None:
    """Ann has beaten Bob in a game; the forged one, which Bob has won, changes no rating."""
    site(TWO[0], "archive/forged.json", "-o", "public", code=1)
    for who, other in (("ann", "Bob"), ("bob", "Ann")):
        (rating,) = re.findall(r"Checkered Flag (\d{4}) ± \d+ \d of 2", words(who))
        assert (int(rating) > 1500) == (who == "ann")
        assert f"{other} 2 1 0 1 " in words(who), "games, and how often ahead, level and behind"
    site(TWO[0], "-o", "public", code=0)
    assert "Bob 1 1 0 0 " in words("ann") and "Ann 1 0 0 1 " in words("bob")
    site(TWO[0], "archive/forged.json", "-o", "public", code=1)
    assert "longest game 31 orders flag-009" in words("checkered-flag")
    assert "Ranking" not in words("checkpoint-rally") and "longest game" not in words("checkpoint-rally")


def test_a_site_leaves_private_games_out(run: Run, site: Run) -> None:
    run("fork", "archive/flag.json", "--at", "9", "--id", "dream", "-o", "archive/dream.json", code=0)
    told = site(TWO[0], "archive/dream.json", "-o", "public", "--unfinished", code=0).stdout
    assert "1 private game left out" in told and "unfinished left out" not in told
    assert "dream" not in home() and not [*Path("public/games").glob("*dream*")]


def test_notes_and_comments_are_on_a_site_only_when_the_game_is_over(run: Run) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed="5e" * 32, options={"laps": "1"})
    first = game.due_seats[0]
    game = game.apply({first: f"NOTE I must brake early\n{adj.choose_order(game, first)}"}, comment="a bold start").game
    written = ("I must brake early", "a bold start")
    for folder in ("running", "over"):
        game.save("race.json")
        run("site", "race.json", "-o", folder, "--unfinished", code=0)
        texts = [data.decode("utf-8", "replace") for data in files(folder, "**/*").values()]
        assert [any(words in text for text in texts) for words in written] == [game.is_over] * 2
        while not game.is_over:
            game = game.apply({game.due_seats[0]: adj.choose_order(game, game.due_seats[0])}).game
    assert game.is_over


def test_a_site_of_games_that_all_go_on_or_of_none_says_so(site: Run) -> None:
    told = site("archive/on.json", "-o", "public", code=0).stdout
    assert "public/index.html: 0 shown on 1 page; 1 unfinished left out" in told
    assert "There are no games here yet." in home()
    Path("empty").mkdir()
    assert "no game was found in empty" in site("empty", "-o", "nothing", code=2).stderr


@pytest.mark.usefixtures("memory_folder")
def test_each_run_decides_whether_unfinished_games_are_shown(site: Run) -> None:
    for options in ((), ("--unfinished",), ()):
        told = site("archive/on.json", "-o", "public", *options, code=0).stdout
        assert len(list(Path("public/games").glob("*.html"))) == len(options)
        assert f"{len(options)} shown" in told


def test_a_mistyped_path_leaves_the_site_as_it_was(site: Run) -> None:
    site("archive/on.json", "-o", "public", "--unfinished", code=0)
    made = files("public", "**/*")
    assert "no game was found in archvie" in site("archvie", "-o", "public", "--unfinished", code=2).stderr
    assert files("public", "**/*") == made
    site("archvie", "-o", "new", code=2)
    assert not files("new", "**/*.html")


def test_a_ruleset_in_which_nobody_has_won(run: Run) -> None:
    """The plot of the winners' scores has nothing to show then."""
    for name, options in (("a", ["laps=1"]),):
        run("new", "checkered-flag", "--seat", "red=Ann", "--option", options[0], "--seed", "5e" * 32, "-o", f"{name}.json")
    run("simulate", "great-race", "--games", "1", "--seed", "5", "--most-orders", "3", "-o", "played", code=0)
    run("site", "played", "-o", "public", "--unfinished", code=0)
    assert "Score of the winner" not in page("great-race", "public")


# The folder


def test_the_same_archive_gives_the_same_bytes_wherever_it_lies_and_whoever_works(
    site: Run, built: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built("one")
    (tmp_path / "archive").rename(tmp_path / "elsewhere")
    monkeypatch.setattr("adjudicator.processes.is_alone", False)
    site(tmp_path / "elsewhere", "-o", "two", "--jobs", 2, code=1)
    assert files("one") == files("two")
    assert str(tmp_path).encode() not in b"".join(files("two").values())


@pytest.mark.usefixtures("memory_folder")
def test_a_new_run_makes_only_the_pages_of_new_and_changed_games(brief: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Renders()
    monkeypatch.setattr(jinja2.Template, "render", made)
    told = brief(*TWO, "-o", "public", code=0).stdout
    all_of_them, before = made.count, files("public")
    times = {name: os.stat(f"public/{name}").st_mtime_ns for name in before}
    made.count = 0
    with monkeypatch.context() as patch:
        patch.delattr("adjudicator.site.page.audit_bytes")  # no game is audited
        assert brief(*TWO, "-o", "public", code=0).stdout == told
    assert made.count <= all_of_them - 2, "the pages of both games were kept"
    assert files("public") == before
    assert {name: os.stat(f"public/{name}").st_mtime_ns for name in times} == times
    (flag,) = Path("public/games").glob("flag-*.svg")
    size = flag.stat().st_size
    for change in (flag.unlink, lambda: flag.write_text("another picture"), lambda: flag.write_text("x" * size)):
        change()
        made.count = 0
        brief(*TWO, "-o", "public", code=0)
        assert made.count <= all_of_them - 1, "the other game was kept"
        assert files("public") == before
    made.count = 0
    brief(*TWO, "-o", "public", "--again", code=0)
    assert made.count == all_of_them and files("public") == before
    brief(*TWO, "-o", "public", "--unfinished", code=0)
    brief(TWO[0], "-o", "other", code=0)
    assert files("other", "flag-*").items() <= files("public", "flag-*").items(), "it has all its pages"


def test_a_manifest_of_an_earlier_version_or_a_damaged_one(brief: Run) -> None:
    brief(*TWO, "-o", "public", code=0)
    before, manifest = files("public"), Path("public/manifest.json")
    document = json.loads(manifest.read_bytes())
    del document["sizes"]
    gone = Path("public/games/gone-12345678.html")
    gone.write_text("gone")
    document["pages"]["games/gone-12345678.html"] = sha256(b"gone").hexdigest()
    manifest.write_text(json.dumps({**document, "games": {"games/gone-12345678.html": {"key": "7"}}}))
    brief(*TWO, "-o", "public", code=0)
    assert files("public") == before
    manifest.write_text(json.dumps({**document, "pages": 7}))
    assert "this one contains other files" in brief(*TWO, "-o", "public", code=2).stderr
    brief(*TWO, "-o", "public", "--force", code=0)
    assert files("public") == before
    gone.write_text("gone")
    manifest.write_text(json.dumps({**document, "by": "another program"}))
    brief(*TWO, "-o", "public", "--force", code=0)
    assert gone.exists(), "this site did not write it"


def test_what_the_memory_has_of_a_game_may_be_of_another_version(brief: Run, memory_folder: Path) -> None:
    brief(TWO[0], "-o", "public", code=0)
    before = files("public")
    with closing(sqlite3.connect(memory_folder / "decided-1.db")) as base:
        assert base.execute("UPDATE decided SET value = ?", (b'{"hashes": {}}',)).rowcount == 1
        base.commit()
    brief(TWO[0], "-o", "public", code=0)
    assert files("public") == before


def test_pages_of_games_that_are_no_more_are_removed_and_nothing_else(site: Run, built: Any) -> None:
    own = built("public") / "CNAME"
    own.write_text("games.example")
    (edited,) = Path("public/games").glob("charlie-03-*.html")
    edited.write_text("mine now")
    for name in TWO:
        Path(name).unlink()
    site("archive", "-o", "public", code=1)
    assert not list(Path("public/games").glob("flag-009-*.html")) and "flag-009" not in home()
    assert own.read_text() == "games.example" and edited.read_text() == "mine now"


def test_an_interrupted_run_leaves_whole_pages_and_the_next_one_completes_them(
    site: Run, built: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    built("meant")
    replace, done = os.replace, list[Any]()

    def stop(*given: Any, **named: Any) -> None:
        done.append(given)
        if len(done) == 5:
            raise KeyboardInterrupt
        replace(*given, **named)

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", stop)
        site("archive", "-o", "public", code=130)
    meant, there = files("meant"), files("public", "*.html")
    assert 2 <= len(there) <= 4 and all(text == meant[name] for name, text in there.items())
    site("archive", "-o", "public", code=1)
    assert files("public") == meant


def test_a_folder_with_other_things_in_it_is_spared(brief: Run) -> None:
    Path("public").mkdir()
    Path("public/index.html").write_text("mine")
    assert "this one contains other files" in brief(TWO[0], "-o", "public", code=2).stderr
    assert files("public") == {"index.html": b"mine"}
    brief(TWO[0], "-o", "public", "--force", code=0)
    assert "archive/flag.json: this is a file" in brief(TWO[0], "-o", "archive/flag.json", code=2).stderr
    manifest = Path("public/manifest.json")
    Path("precious.txt").write_text("")
    document, empty = json.loads(manifest.read_bytes()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    document["pages"] |= {"../precious.txt": empty, str(Path("precious.txt").resolve()): empty}
    manifest.write_text(json.dumps(document))
    brief(TWO[0], "-o", "public", code=0)
    assert Path("precious.txt").exists(), "a forged manifest makes it remove nothing elsewhere"


@pytest.mark.posix
@pytest.mark.usefixtures("memory_folder")
def test_a_file_whose_name_is_no_text(brief: Run) -> None:
    Path("odd").mkdir()
    for name in (b"odd/flag.json", b"odd/fl\xffag.json"):
        shutil.copyfile(TWO[0], name)
    for _ in range(2):
        brief("odd", "-o", "public", code=0)
        assert len(list(Path("public/games").glob("flag-009-*.html"))) == 2


@pytest.mark.usefixtures("memory_folder")
def test_a_script_is_shown_again_because_it_reads_other_files(site: Run) -> None:
    site("archive/deep/hand.txt", "-o", "public", code=1)
    assert 'id="replay"' in page("sunday-7")
    Path("archive/deep/tiny-set.json").unlink()
    site("archive/deep/hand.txt", "-o", "public", code=3)
    assert "cannot be shown as a game" in page("sunday-7")


@pytest.mark.usefixtures("memory_folder")
def test_a_zip_archive_and_games_of_the_same_name(brief: Run) -> None:
    with zipfile.ZipFile("games.zip", "w") as packed:
        packed.write(TWO[0], "flag.json")
        packed.write(TWO[0], "copy/flag.json")
    found = []
    for _ in range(2):
        brief("games.zip", TWO[0], "-o", "public", code=0)
        found.append(files("public"))
    assert found[0] == found[1] and len(list(Path("public/games").glob("flag-009-*.html"))) == 3


# Pages that cannot be made


class Renders:
    """Counts the pages that are made of templates; the number ``broken`` (from 1) fails with ``error``."""

    sound = staticmethod(jinja2.Template.render)

    def __init__(self, broken: int = 0, error: BaseException | None = None) -> None:
        self.broken, self.error, self.count = broken, error, 0

    def __get__(self, template: Any, _kind: Any) -> Callable[..., str]:
        return partial(self, template)

    def __call__(self, template: Any, **values: Any) -> str:
        self.count += 1
        if self.error is not None and self.count == self.broken:
            raise self.error
        return str(self.sound(template, **values))


@pytest.mark.parametrize("error", [ValueError("min() arg is empty"), SystemExit(0), MemoryError(), RecursionError()])
def test_one_bad_page_costs_no_other(brief: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """It says so, the command names it, and every other page is as it would have been."""
    alone = Renders()
    with monkeypatch.context() as patch:
        patch.setattr(jinja2.Template, "render", alone)
        brief(TWO[0], "-o", "sound", code=0)
    sound, met = files("sound", "*.html"), set()
    every = range(1, alone.count + 1)
    for broken in every if isinstance(error, ValueError) else (1, alone.count):
        with monkeypatch.context() as patch:
            patch.setattr(jinja2.Template, "render", Renders(broken, error))
            told = brief(TWO[0], "-o", f"public{broken}", "--json", code=1).stdout
        (bad,) = json.loads(told)["unmade"]
        assert type(error).__name__ in bad["cause"] and str(error) in bad["cause"] and ", line " in bad["cause"]
        made = files(f"public{broken}", "*.html")
        text = made[bad["page"]].decode()
        assert "This page could not be made." in text or bad["page"] == "index.html"
        assert str(error) in ("", "0") or str(error) not in text, "it may quote what is hidden"
        if not bad["page"].startswith("games/"):  # the lists leave such a game out
            assert {name for name in sound if made.get(name) != sound[name]} == {bad["page"]}
            assert re.search(r'href="checkered-flag-\w+\.html"', made["index.html"].decode())
        met.add(bad["page"].partition("-")[0])
    assert met == {"games/flag", "index.html", "ann", "bob", "checkered"} or not isinstance(error, ValueError)


ENDS = """
import os, jinja2
from adjudicator.__main__ import main
sound = jinja2.Template.render
def fails(template, **values):
    if "replay" in (template.name or "") and any("flag-009" in str(value)[:2_000] for value in values.values()):
        os._exit(9)
    return sound(template, **values)
jinja2.Template.render = fails
main()
"""


@pytest.mark.posix
@pytest.mark.usefixtures("brief")
def test_a_game_that_ends_the_process_is_told_and_the_others_are_shown() -> None:
    command = [sys.executable, "-c", ENDS, "site", *TWO, "-o", "public", "--jobs", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert re.search("not made   games/flag-json-.* the game has ended its process .*archive/flag.json", done.stdout)
    assert "not be made" in page("flag-json") and "charlie-03: " in page("charlie-03")


# In a browser

LISTS = ("index", "ann-*", "checkpoint-rally-*", "script-*", "checkered-flag-*", "games/torn-*")
"""A page of each kind, by its address: games, players, one of them with a hostile name, rulesets, what is no game."""
CUT = "[...document.querySelectorAll('.table')].filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.ariaLabel)"
"""The tables that are wider than their place."""


@pytest.mark.parametrize(
    ("patterns", "options"),
    [
        (LISTS[:1], PHONE | {"color_scheme": "dark"}),
        pytest.param(LISTS, DESKTOP, marks=pytest.mark.browser),
        pytest.param(LISTS, PHONE | {"color_scheme": "dark"}, marks=pytest.mark.browser),
    ],
)
def test_everybody_can_use_the_lists(built: Any, visit: Visit, patterns: tuple[str, ...], options: dict[str, Any]) -> None:
    pages = [path for pattern in patterns for path in sorted(built("public").glob(f"{pattern}.html"))]
    assert len(pages) >= len(patterns)
    for path in pages:
        opened = visit(path.resolve(), **options)
        assert found_by_axe(opened) == [], path
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert opened.evaluate(CUT) == [], path


@pytest.mark.browser
def test_from_the_index_to_a_move_and_back(site: Run, visit: Visit) -> None:
    site(TWO[0], "-o", "public", code=0)
    index = Path("public/index.html").resolve()
    for path in Path("public").rglob("*.html"):
        visit(path.resolve())
    opened = visit(index)
    opened.get_by_role("link", name="Checkered Flag").first.click()
    opened.get_by_role("link", name="flag-009").last.click()
    opened.locator("#entry-3 a").click()
    expect_at(opened, 3)
    opened.get_by_role("link", name="All games").click()
    opened.wait_for_url(index.as_uri())


@pytest.mark.browser
def test_a_list_is_searched_and_sorted(built: Any, visit: Visit) -> None:
    opened = visit(built("public").resolve() / "index.html")
    rows = opened.locator(".games tbody tr:visible")
    assert rows.count() == 5
    opened.get_by_label("search").fill("charlie")
    assert rows.count() == 1 and "charlie-03" in (rows.first.locator("th a").get_attribute("href") or "")
    opened.get_by_label("search").fill("")
    for way, order in (("ascending", 1), ("descending", -1)):
        opened.get_by_role("button", name="orders", exact=True).click()
        counts = [int(row.locator("td").nth(2).inner_text()) for row in rows.all()]
        assert counts == sorted(counts)[::order]
        assert opened.locator(".games th").nth(3).get_attribute("aria-sort") == way
    assert "5 of 5" in opened.get_by_role("status").inner_text()
    opened.get_by_label("search").fill("flag verified")
    assert rows.count() == 1, "all words are in the row"


def test_more_games_than_the_first_page_takes_are_on_pages_by_year(
    brief: Run, forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudicator.site.lists.LATEST", 2)
    document = json.loads(Path(TWO[0]).read_bytes())
    for year in (0, 1, 2):
        for receipt in document["receipts"]:
            receipt["received"] = JULY - year * 31_600_000
        Path("archive", f"of-{2026 - year}.json").write_bytes(forge({**document, "id": f"of-{2026 - year}"}))
    brief(*TWO, *(f"archive/of-{year}.json" for year in (2024, 2025, 2026)), "-o", "public", code=0)
    first = "games/of-2026-", "games/of-2025-"
    assert re.findall(r'<th scope="row"><a href="(games/of-\d+-)', home()) == list(first)
    assert "The latest 2 games" in home()
    for name, games in (
        ("games-2025.html", ["of-2025"]),
        ("games-2024.html", ["of-2024"]),
        ("games-undated.html", ["flag-009", "charlie-03"]),
    ):
        assert f'href="{name}"' in home()
        text = Path("public", name).read_text("utf-8")
        assert re.findall(r'<th scope="row"><a href="games/([\w-]+)-\w{8}.html', text) == games
        assert 'href="games-2026.html"' in text and 'href="index.html"' in text
    assert len(re.findall('<th scope="row"><a href="games/', Path("public", "games-2024.html").read_text("utf-8"))) == 1


def test_a_year_ruleset_or_player_with_many_games_has_them_on_several_pages(
    brief: Run, forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudicator.site.lists.LATEST", 2)
    monkeypatch.setattr("adjudicator.site.lists.MOST_GAMES", 2)
    document = json.loads(Path(TWO[0]).read_bytes())
    paths = [Path("archive", f"race-{number}.json") for number in range(5)]
    for path in paths:
        path.write_bytes(forge({**document, "id": path.stem}))

    def listed(text: str) -> list[str]:
        return re.findall(r'<th scope="row"><a href="games/(race-\d)', text)

    brief(*paths[:2], "-o", "public", code=0)
    assert not list(Path("public").glob("games-*")), "all are on the first page"
    for text in (page("checkered-flag", "public"), page("ann", "public")):
        assert listed(text) == ["race-0", "race-1"] and "The latest" not in text and "undated" not in text
    brief(*paths, "-o", "public", code=0)
    names = ("games-undated.html", "games-undated-2.html", "games-undated-3.html")
    texts = [Path("public", name).read_text("utf-8") for name in names]
    assert [listed(text) for text in texts] == [["race-0", "race-1"], ["race-2", "race-3"], ["race-4"]]
    for text in texts:
        assert re.findall(r'<a href="([^"]*)">page (\d)</a>', text) == [*zip(names, "123", strict=True)]
        assert "5 games: 5 verified" in text
    assert "<h1>Games without a date, page 3</h1>" in texts[2]
    for text in (page("checkered-flag", "public"), page("ann", "public")):
        assert (
            listed(text) == ["race-0", "race-1"] and "The latest 2 games" in text and "5 games, 5 of them finished" in text
        )
        assert "The table of games has the latest 2; the pages linked above list all games." in text
        assert f'<a href="{names[0]}">no date</a>' in text
    assert home().count(names[0]) == 1 and names[1] not in home()
