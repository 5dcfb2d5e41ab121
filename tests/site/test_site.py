"""The command `site`: a page for each game, lists that lead there, and nothing told that is not to be known."""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.processes import Lost
from adjudicator.replay_page import page_of
from adjudicator.session import open_session
from adjudicator.site import build, game_page
from adjudicator.site import folder as site_folder
from adjudicator.site.game_page import Task, make_page
from adjudicator.sources.archives import Opener
from adjudicator.store.load import load_game

Run = Callable[..., Result]
Built = Callable[[str], None]


def files(folder: str) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def page(name: str, folder: str = "public/games") -> str:
    """Return the one page of the game whose file name begins with ``name``."""
    (found,) = Path(folder).glob(f"{name}-*.html")
    return found.read_text("utf-8")


def test_every_game_that_is_over_has_a_page_and_a_verdict(run: Run, archive: Path) -> None:
    told = run("archive", "-o", "public", code=1).stdout
    assert "diverged   rally-021" in told and "damaged    –" in told
    assert told.splitlines()[-1] == "public/index.html: 6 shown on 16 pages; 1 unfinished left out (--unfinished shows them)"
    assert "audit: verified" in page("flag-009")
    assert "<h1>flag-009: Ann (red) has won</h1>" in page("flag-009")
    result = re.sub("<[^>]*>", "", page("checkered-flag", "public"))
    assert "Ann (red) 55, Bob (blue) 40 sp" in result
    assert "orders decided again" in page("charlie-03")
    assert "diverged: " in unescape(page("rally-021"))
    assert "no proof shows whether the draws were fair" in page("sunday-7")
    assert not list(Path("public/games").glob("*rally-021-on*"))


def test_all_links_lead_somewhere_inside(run: Run, archive: Path) -> None:
    run("archive", "-o", "public", "--unfinished", code=1)
    pages = [*Path("public").rglob("*.html")]
    met = set()
    for path in pages:
        for link in re.findall(r'(?:href|src)="([^"]*)"', path.read_text("utf-8")):
            target, _, _ = unescape(link).partition("#")
            if target and target != "data:,":
                assert not re.match(r"[a-z]+:|/", target), link
                met.add((path.parent / target).resolve())
                assert (path.parent / target).is_file(), link
    assert {path.resolve() for path in pages} - met == set()


def test_a_damaged_game_has_a_page_that_gives_nothing_away(built: Built) -> None:
    built("public")
    text = page("torn-json")
    assert "torn.json" in text and "The audit says: damaged" in text
    assert "K1" not in text.partition("<body>")[2]
    assert 'href="games/torn-json-' in Path("public/index.html").read_text("utf-8")


def test_of_a_game_that_goes_on_the_site_has_what_bystanders_see(run: Run, archive: Path) -> None:
    told = run("archive/on.json", "-o", "public", "--unfinished").stdout
    assert "1 shown" in told
    session = open_session(load_game(archive / "on.json"))
    data = re.compile(r'<script type="application/json".*?</script>', re.DOTALL)
    shown, meant = data.search(page(session.game.id)), data.search(page_of(session, None).text)
    assert shown is not None and meant is not None and shown[0] == meant[0]
    whole = "".join(text.decode() for text in files("public").values())
    assert not any(racer.card and f"{racer.card}" in whole for racer in session.game.state.racers if racer.card != "K1")


def test_what_diverges_in_a_game_that_goes_on_is_told_to_the_moderator_only(
    run: Run, archive: Path, forge: Callable[[dict[str, object]], bytes]
) -> None:
    document = json.loads((archive / "on.json").read_bytes())
    document["state"]["racers"][0]["minutes"] = 77
    (archive / "on.json").write_bytes(forge(document))
    told = run("archive/on.json", "-o", "public", "--unfinished", code=1).stdout
    assert "minutes is 77" in told
    whole = "".join(text.decode() for text in files("public").values())
    assert "diverged" in whole and "should be" not in whole


def test_the_same_archive_gives_the_same_bytes(run: Run, built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    built("one")
    monkeypatch.setattr(game_page, "page_of", page_of)  # replays are made anew
    run("archive", "-o", "two", "--jobs", 2, code=1)
    assert files("one") == files("two")
    before = {name: os.stat(f"one/{name}").st_mtime_ns for name in files("one") if name.endswith(".html")}
    run("archive", "-o", "one", code=1)
    assert {name: os.stat(f"one/{name}").st_mtime_ns for name in before} == before


def test_where_the_archive_lies_is_nobody_s_business(run: Run, archive: Path, built: Built) -> None:
    built("public")
    moved = archive.parent / "elsewhere"
    archive.rename(moved)
    run(moved, "-o", "again", code=1)
    assert str(archive.parent).encode() not in b"".join(files("again").values())
    assert files("again") == files("public")


def test_a_zip_archive_and_games_of_the_same_name(run: Run, archive: Path) -> None:
    with zipfile.ZipFile("games.zip", "w") as packed:
        packed.write("archive/flag.json", "flag.json")
        packed.write("archive/flag.json", "copy/flag.json")
    run("games.zip", "archive/flag.json", "-o", "public")
    assert len(list(Path("public/games").glob("flag-009-*.html"))) == 3


def test_pages_of_games_that_are_no_more_are_removed_and_nothing_else(run: Run, archive: Path, built: Built) -> None:
    built("public")
    (own := Path("public/CNAME")).write_text("games.example")
    (edited,) = Path("public/games").glob("charlie-03-*.html")
    edited.write_text("mine now")
    for name in ("flag.json", "deep/charlie.json"):
        (archive / name).unlink()
    run("archive", "-o", "public", code=1)
    assert not list(Path("public/games").glob("flag-009-*.html"))
    assert own.read_text() == "games.example" and edited.read_text() == "mine now"
    assert "flag-009" not in Path("public/index.html").read_text("utf-8")


def test_an_interrupted_run_leaves_whole_pages_and_the_next_one_completes_them(
    run: Run, archive: Path, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    built("meant")
    written = 0
    write = site_folder.write_atomic

    def stop(*arguments: object, **options: object) -> None:
        nonlocal written
        written += 1
        if written == 5:
            raise KeyboardInterrupt
        write(*arguments, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(site_folder, "write_atomic", stop)
        run("archive", "-o", "public", code=130)
    there = files("public")
    assert len(there) == 4 and all(text == files("meant")[name] for name, text in there.items() if name.endswith(".html"))
    run("archive", "-o", "public", code=1)
    assert files("public") == files("meant")


def test_a_folder_with_other_things_in_it_is_spared(run: Run, archive: Path) -> None:
    Path("public").mkdir()
    Path("public/index.html").write_text("mine")
    assert "this one contains other files" in run("archive", "-o", "public", code=2).stderr
    assert files("public") == {"index.html": b"mine"}
    run("archive", "-o", "public", "--force", code=1)
    assert "archive/flag.json: this is a file" in run("archive", "-o", "archive/flag.json", code=2).stderr


def test_a_manifest_cannot_make_it_remove_what_lies_elsewhere(run: Run, archive: Path) -> None:
    Path("precious.txt").write_text("")
    run("archive/flag.json", "-o", "public")
    manifest = Path("public/manifest.json")
    document = json.loads(manifest.read_bytes())
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    document["pages"] |= {"../precious.txt": empty, str(Path("precious.txt").resolve()): empty}
    manifest.write_text(json.dumps(document))
    run("archive/flag.json", "-o", "public")
    assert Path("precious.txt").exists()


def test_what_players_write_becomes_no_markup(built: Built) -> None:
    built("public")
    for name, data in files("public").items():
        text = data.decode() if name != "manifest.json" else ""
        ours = 2 if 'id="replay"' in text else 1 if name.endswith(".html") else 0
        assert text.count("<script") == ours, name
        assert "{{" not in text or "{{ 7*7 }}" in text, name
    assert "alert(1)" in Path("public/index.html").read_text("utf-8")


def test_for_machines(run: Run, archive: Path) -> None:
    told = json.loads(run("archive", "-o", "public", "--json", code=1).stdout)
    assert (told["games"], told["left_out"], told["index"]) == (6, 1, "public/index.html")
    assert {one["status"] for one in told["problems"]} == {"diverged", "damaged"}
    assert told["summary"]["verified"] == 4


def test_a_site_of_games_that_all_go_on_says_that_there_are_none_yet(run: Run, archive: Path) -> None:
    told = run("archive/on.json", "-o", "public").stdout
    assert "public/index.html: 0 shown on 1 page; 1 unfinished left out" in told
    assert "There are no games here yet." in Path("public/index.html").read_text("utf-8")


def test_where_there_is_no_game(run: Run) -> None:
    Path("empty").mkdir()
    assert "no game was found in empty" in run("empty", "-o", "public", code=2).stderr


def test_a_game_that_ends_the_process_is_told_and_the_others_are_shown(
    run: Run, archive: Path, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fatal(opener: Opener, task: Task) -> object:
        return Lost("has ended its process") if task.verdict.ruleset == "checkered-flag" else make_page(opener, task)

    built("meant")
    monkeypatch.setattr(build, "make_page", fatal)
    told = run("archive", "-o", "public", "--jobs", 2, code=1).stdout
    assert re.search("not made   games/flag-009-.* the game has ended its process  archive/flag.json", told)
    assert "not be made" in page("flag-009")
    others = {name: data for name, data in files("meant").items() if name.startswith("games/") and "flag" not in name}
    assert others.items() <= files("public").items()
