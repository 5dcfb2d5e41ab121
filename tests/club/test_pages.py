"""Pages of a club: those of each player in the folder of a desk, and those for everybody."""

from __future__ import annotations

import json
import os
import re
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import pytest

import adjudicator as adj
from adjudicator.library.rulesets import ruleset_ids
from tests.drivers.club import DAY, HOUR, Club, begin, club_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

DESK = "https://club.example.org/desk/"
ADDRESS = "https://club.example.org/"
LINK = re.compile(r"^Your board: (\S+)$", re.MULTILINE)
FLAG = Path(__file__).parents[2] / "examples" / "checkered-flag" / "race" / "game.json"


def give_desk(club: Club) -> Path:
    """Let the club write its players' pages into a desk beside it; another page is there, too."""
    desk = club.top / "desk"
    (desk / "0123456789ab").mkdir(parents=True)
    (desk / "index.html").write_text("<title>The desk</title>")
    club.change("club.toml", "[incoming]", f'[desk]\nfolder = "../desk"\naddress = "{DESK}"\n\n[incoming]')
    return desk


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Club:
    club = begin("empty", tmp_path_factory.mktemp("desk"))
    give_desk(club)
    club.add("checkered-flag", "red", "blue", game="race")
    club.round()
    return club


@pytest.fixture
def club(published: Club, tmp_path: Path) -> Club:
    """A club with a desk, and a race whose first reports have gone out."""
    copy = published.copied(tmp_path)
    copy.new = list(published.new)
    return copy


def links(club: Club) -> dict[str, str]:
    """Return the address of the board in the new report to each player."""
    texts = {one.to: one.text for one in club.new if ", turn " in one.subject or " over" in one.subject}
    return {who: found[1] for who, text in texts.items() if (found := LINK.search(text))}


def given_in(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).fragment, strict_parsing=True))


def page_at(club: Club, address: str, form: str = "json") -> bytes:
    assert address.startswith(DESK)
    return (club.top / "desk" / given_in(address)["file"]).with_suffix(f".{form}").read_bytes()


def proof(club: Club, game: str) -> str:
    """Return what only a report of the present position has."""
    head = club.game(game).seen_by("red").head
    assert head is not None
    return head.proof


def names(club: Club) -> set[str]:
    return {path.name for path in (club.top / "desk").iterdir()} - {"index.html", "0123456789ab"}


def test_each_report_links_to_the_own_file_with_the_report_beside_it(club: Club) -> None:
    found = links(club)
    assert set(found) == {"red", "blue"}
    for seat, address in found.items():
        token, file = club.known("token", seat), given_in(address)["file"]
        assert given_in(address) == {"file": file, "to": "club@example.org", "token": token}
        assert file.endswith("/race.json") and token not in f"{address.partition('#')[0]} {file}"
        assert page_at(club, address) == club.game("race").seen_by(seat).own_file()
        report = page_at(club, address, "html").decode()
        assert proof(club, "race") in report and token not in report
        assert token not in page_at(club, address).decode()
    assert len({given_in(address)["file"] for address in found.values()}) == len(names(club)) == 2
    page = club.letter("red", "race, turn 1: your turn").page
    assert f'<a href="{escape(found["red"])}">' in page and "Keep this address secret" in page
    club.mail("red", f"MESSAGE to moderator: look: {found['red']} !")
    club.round()
    assert given_in(found["red"])["file"].partition("/")[0] not in club.matters()[0]


def test_a_page_follows_the_reports_at_the_same_address_and_is_written_only_if_it_differs(club: Club) -> None:
    before = links(club)
    files = {seat: page_at(club, address) for seat, address in before.items()}
    club.mail("red", "GEAR 1 go")
    club.round(HOUR)
    assert links(club) == before
    for seat, address in before.items():
        assert page_at(club, address) == club.game("race").seen_by(seat).own_file() != files[seat]
    times = {path: path.stat().st_mtime_ns for path in (club.top / "desk").rglob("*")}
    club.round(60)
    assert {path: path.stat().st_mtime_ns for path in (club.top / "desk").rglob("*")} == times
    for name in names(club):
        shutil.rmtree(club.top / "desk" / name)
    club.round(60)
    assert all(page_at(club, address) for address in before.values()), "lost pages are written again"


def test_a_link_in_the_place_of_a_page_is_not_followed(club: Club) -> None:
    address = links(club)["red"]
    page = club.top / "desk" / given_in(address)["file"]
    page.unlink()
    (club.top / "other").write_bytes(b"other")
    page.symlink_to(club.top / "other")
    assert "a link" in club.round(60, code=1)
    assert (club.top / "other").read_bytes() == b"other"
    page.unlink()
    club.round(60)
    assert page_at(club, address)


def test_a_handed_over_seat_gets_a_new_address_and_the_old_page_goes(club: Club) -> None:
    before = links(club)
    club.club("seat", "race", "red", "Carol", "carol@example.org")
    club.round(60)
    address = links(club)["carol"]
    assert address != before["red"] and b'"Carol"' in page_at(club, address)
    assert not (club.top / "desk" / given_in(before["red"])["file"]).parent.exists()
    assert page_at(club, before["blue"]) and len(names(club)) == 2


def play_last_turn(club: Club) -> adj.Game:
    """Add the finished game without its last turn, and play that."""
    game = adj.open(FLAG)
    last = game.seen_by("moderator").log()[-1]
    game.undo(len(game.seen_by("moderator").log()) - 2, "the last turn again").save(club.top / "last.json")
    club.club("add", "last.json", "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    club.round()
    club.mail(str(last.seat), last.order, game.id)
    club.round(HOUR)
    assert len([name for name in club.names() if " is over: " in name]) == 3, "each player and the moderator"
    return game


def test_the_final_page_stays_until_the_game_is_removed(club: Club) -> None:
    before = names(club)
    game = play_last_turn(club)
    found = links(club)
    club.round(HOUR)
    assert club.game(game.id).is_over and page_at(club, found["red"]) == club.game(game.id).seen_by("red").own_file()
    club.club("remove", game.id)
    club.round(HOUR)
    assert names(club) == before and (club.top / "desk" / "index.html").is_file()
    assert (club.top / "desk" / "0123456789ab").is_dir()


@pytest.mark.parametrize("lost", ["folder", "desk"])
def test_a_folder_without_a_desk_is_a_warning(club: Club, lost: str) -> None:
    desk = club.top / "desk"
    assert "desk" not in club.club("status").output
    shutil.rmtree(desk) if lost == "folder" else (desk / "index.html").unlink()
    words = {"folder": "this folder does not exist", "desk": "this folder has no desk"}[lost]
    club.mail("red", "GEAR 1 go")
    said = club.round(60, code=1)
    assert words in said and "adjudicator desk -o" in said and words in club.club("status").output
    assert words in club.club("doctor", code=1).output or lost == "desk"
    assert links(club).keys() == {"red", "blue"} and club.journal("race") == ["red GEAR 1 go"]
    desk.mkdir(exist_ok=True)
    (desk / "index.html").write_text("")
    club.round(60)
    assert len(names(club)) == 2


def test_a_game_that_cannot_be_read_keeps_its_pages(club: Club) -> None:
    before, path = names(club), club.folder / "games" / "race" / "game.json"
    data = path.read_bytes()
    path.write_bytes(data[:-100])
    club.mail("red", "GEAR 1 go")
    club.round(60, code=1)
    assert names(club) == before
    path.write_bytes(data)
    club.round(60)


def test_a_page_that_cannot_be_written_delays_no_mail(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    blue, real = given_in(links(club)["blue"])["file"].partition("/")[0], os.replace

    def refuse(old: Any, new: Any, **named: Any) -> None:
        if "desk" in str(new) and blue not in str(new):
            raise OSError(28, "the disk is full")
        real(old, new, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        club.mail("red", "GEAR 1 go")
        assert "disk is full" in club.round(60, code=1)
    found = links(club)
    assert set(found) == {"red", "blue"}
    assert page_at(club, found["blue"]) == club.game("race").seen_by("blue").own_file()
    club.round(60)
    assert b"GEAR 1" in page_at(club, found["red"], "html")


def test_a_bug_in_the_own_file_costs_the_page_alone(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(adj.Reader, "own_file", lambda *_: {}["H2"])
        club.mail("red", "GEAR 1 go")
        club.round(60)
    assert links(club) == {} and names(club) == set(), "an old file beside a new report would be wrong"
    assert ["the players' pages of this game" in words and "KeyError" in words for words in club.matters()] == [True]
    club.mail("blue", "GEAR 1 go")
    club.round(60)
    assert set(links(club)) == {"red", "blue"} and club.matters() == []


def test_a_running_game_gets_its_pages_with_the_next_report_and_none_without_the_setting(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "RESEND")
    club.round()
    assert links(club) == {}
    give_desk(club)
    club.mail("red", "RESEND")
    club.round(60)
    assert links(club) == {} and names(club) == set()
    club.mail("red", "GEAR 1 go")
    club.round(60)
    assert set(links(club)) == {"red", "blue"}
    club.mail("red", "RESEND")
    club.round(60)
    assert set(links(club)) == {"red"}


# Public pages


def publish(club: Club, folder: str = "public", code: int = 0) -> dict[str, Any]:
    return dict(json.loads(club.club("publish", "-o", folder, "--json", code=code).stdout))


def files(club: Club, folder: str = "public") -> dict[str, str]:
    """Return the texts of all pages by path, without seats that begin a sentence: players have the same names."""
    found = (path for path in (club.top / folder).rglob("*") if path.is_file())
    texts = {path.relative_to(club.top / folder).as_posix(): path.read_text("utf-8", "replace") for path in found}
    return {
        name: re.sub(r"(Red|Blue)(&#x27;|&#39;|\\u0027|')s (lever|wheel)", "the lever", text) for name, text in texts.items()
    }


def page_of(club: Club, game: str) -> str:
    (name,) = (name for name in files(club) if name.startswith(f"games/{game}-") and name.endswith(".html"))
    return files(club)[name]


def named(club: Club, *players: str) -> set[str]:
    """Publish the pages; return which of the players they name."""
    publish(club)
    text = "\n".join(files(club).values())
    return {name for name in players if re.search(rf"\b{name}\b", text)}


def name_of(club: Club, seat: str, answer: str, game: str = "race") -> None:
    club.club("set", game, f"seats.{seat}.public_name={answer}")


@pytest.fixture
def race(tmp_path: Path, memory_folder: Path) -> Club:
    """The race, and a finished game, on a machine that remembers pages: a remembered one must not name too many players."""
    club = begin("race", tmp_path)
    club.club("add", FLAG, "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    return club


def test_pages_show_each_game_without_names_and_link_to_each_other(race: Club) -> None:
    done = publish(race)
    assert (done["running_games"], done["finished_games"], done["unmade"]) == (1, 1, [])
    found = files(race)
    index = found["index.html"]
    assert all(f"<caption>{title}</caption>" in index for title in ("Running games", "Finished games", "Rules"))
    assert "Thursday 2026-03-05 20:00 UTC" in index and "Thursday 2026-03-05 20:00 UTC" in page_of(race, "race")
    for name, text in found.items():
        for link in re.findall(r'(?:href|src)="([^"#]+)"', text) if name.endswith(".html") else ():
            target = (race.top / "public" / name).parent.joinpath(link)
            assert link.startswith("data:") or target.resolve().is_file(), (name, link)
    assert named(race, "Red", "Blue", "Ann", "Bob") == set()
    (head,) = re.findall(r"head \d+ \w{64}", page_of(race, "race"))
    assert proof(race, "race") in head
    (rules,) = (text for name, text in found.items() if name.startswith("checkered-flag-") and "rules</h1>" in text)
    assert "CF-" in rules and "ruling</th>" in rules


def test_a_second_run_writes_nothing_and_a_turn_changes_only_pages_that_show_it(race: Club) -> None:
    assert publish(race)["changed_files"] == len(files(race))
    before, texts = {path: path.stat().st_mtime_ns for path in (race.top / "public").rglob("*")}, files(race)
    done = publish(race)
    assert (done["changed_files"], done["removed_files"]) == (0, 0)
    assert {path: path.stat().st_mtime_ns for path in (race.top / "public").rglob("*")} == before
    publish(race, "again")
    assert files(race, "again") == files(race)
    race.mail("red", "GEAR 1 go", "race")
    race.round(HOUR)
    done, after = publish(race), files(race)
    changed = {re.sub(r"-\w{8}\.", ".", name) for name in after if after[name] != texts.get(name)}
    assert after.keys() == texts.keys() and len(changed) == done["changed_files"]
    assert {"index.html", "games/race.html"} <= changed and not any("flag-009" in name for name in changed)


def test_a_running_game_is_shown_as_bystanders_see_it(tmp_path: Path) -> None:
    club = begin("spies", tmp_path)
    publish(club)
    assert "as everybody sees it" in page_of(club, "spies")
    everything = "\n".join(files(club).values())
    tokens = [club.known("token", seat) for seat in ("red", "blue", "green")]
    assert [secret for secret in (*tokens, "ab" * 32, str(tmp_path)) if secret in everything] == []


def test_players_are_named_only_if_they_agree(race: Club) -> None:
    name_of(race, "red", "true")
    assert named(race, "Red", "Blue") == {"Red"}
    race.change("club.toml", "[deadlines]", "[public]\nnames = true\n\n[deadlines]")
    assert named(race, "Red", "Blue") == {"Red", "Blue"}
    name_of(race, "blue", "false")
    assert named(race, "Red", "Blue") == {"Red"}
    race.change("club.toml", "names = true", "names = false")
    race.club("seat", "race", "red", "Carol", "carol@example.org")
    race.round(60)
    assert named(race, "Red", "Carol") == set(), "the setting was that of the earlier player"
    name_of(race, "red", "true")
    assert named(race, "Red", "Carol") == {"Carol"} and "Carol instead of nobody" in page_of(race, "race")


@pytest.mark.usefixtures("memory_folder")
def test_the_no_of_a_player_or_the_moderator_wins(tmp_path: Path) -> None:
    club = begin("begun", tmp_path)
    (game,) = (path.name for path in (club.folder / "games").iterdir())
    for who, word, names in (
        ("ann", "yes", {"Ann"}),
        ("ann", "no", set()),
        ("bob", "YES", {"Bob"}),
    ):
        club.mail(who, f"SET public={word}", "club")
        club.round()
        assert named(club, "Ann", "Bob") == names
    club.change("club.toml", "[incoming]", "[public]\nnames = true\n\n[incoming]")
    name_of(club, "red", "true", game)
    assert named(club, "Ann", "Bob") == {"Bob"}, "the own no wins over all settings"
    club.mail("ann", "SET address=ann@new.example", "club")
    club.round()
    club.mail("ann@new.example", "Yes")
    club.round()
    assert named(club, "Ann", "Bob") == {"Bob"}, "the answer follows its player"
    name_of(club, "blue", "false", game)
    assert named(club, "Ann", "Bob") == set()


def test_what_reveals_secrets_stays_in_the_folder_of_the_club(race: Club) -> None:
    publish(race)
    assert "manifest.json" not in files(race)
    for path in race.folder.rglob("*"):
        if path.is_file() and path.suffix in (".json", ".toml", ".sqlite"):
            assert path.stat().st_mode & 0o077 == 0, path


def test_pages_of_a_removed_game_go_and_other_files_stay(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "notes.ics").write_text("mine")
    assert "use --force" in club.club("publish", "-o", "public", code=2).output
    club.club("publish", "-o", "public", "--force")
    club.club("remove", "race")
    assert publish(club)["removed_files"] and set(files(club)) == {"index.html", "deadlines.ics", "notes.ics"}
    assert "no games here" in files(club)["index.html"]


def test_a_broken_game_does_not_stop_the_others(race: Club) -> None:
    publish(race)
    game = race.folder / "games/race/game.json"
    game.write_bytes(game.read_bytes()[:-100])
    done = publish(race)
    assert (done["finished_games"], done["unmade"]) == (1, [])
    assert "Games that cannot be shown" in files(race)["index.html"]
    assert "This file cannot be shown as a game" in page_of(race, "race")


def test_the_calendar_has_the_deadlines(tmp_path: Path) -> None:
    club = begin("empty", tmp_path)
    club.change("club.toml", "[deadlines]", f'[public]\naddress = "{ADDRESS}"\n\n[deadlines]')
    club.add("checkered-flag", "red", "blue", game="race")
    club.round()
    publish(club)
    everything = (tmp_path / "public" / "deadlines.ics").read_bytes().decode()
    assert everything.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") and everything.endswith("END:VCALENDAR\r\n")
    assert "SUMMARY:race: orders due\r\n" in everything and "DTSTART:20260305T200000Z\r\n" in everything
    assert f"URL:{ADDRESS}games/race-" in everything
    club.club("extend", "race")
    publish(club)
    assert "DTSTART:20260306T200000Z" in files(club)["deadlines.ics"]
    club.club("pause", "race")
    publish(club)
    assert "VEVENT" not in files(club)["deadlines.ics"]
    assert "paused" in files(club)["index.html"]


def test_the_calendars_of_players_by_version_1_0_0_go(club: Club) -> None:
    old = [
        club.top / "public" / f"{name}.ics" for name in (re.findall(r"#file=(\w+)/", links(club).popitem()[1])[0], "a" * 24)
    ]
    publish(club)
    for file in old:
        file.write_text("BEGIN:VCALENDAR")
    publish(club)
    assert [file.exists() for file in old] == [False, True]


def test_long_and_odd_words_in_a_calendar_are_escaped_and_folded(tmp_path: Path) -> None:
    club, words = begin("race", tmp_path), "Thursday, München; " + "ü" * 60
    club.change("club.toml", 'name = "Thursday club"', f'name = "{words}"')
    publish(club)
    data = (tmp_path / "public" / "deadlines.ics").read_bytes()
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    text = data.decode().replace("\r\n ", "")
    assert f"X-WR-CALNAME:{words.replace(',', chr(92) + ',').replace(';', chr(92) + ';')}\r\n" in text


def test_the_feed_has_finished_games(tmp_path: Path) -> None:
    race = begin("empty", tmp_path)
    race.change("club.toml", "[deadlines]", f'[public]\naddress = "{ADDRESS}"\n\n[deadlines]')
    play_last_turn(race)
    publish(race)
    feed = ElementTree.fromstring(files(race)["feed.xml"])
    (entry,) = feed.findall("{http://www.w3.org/2005/Atom}entry")
    (link,) = entry.findall("{http://www.w3.org/2005/Atom}link")
    assert link.get("href", "").removeprefix(ADDRESS) in files(race)
    assert 'href="feed.xml"' in files(race)["index.html"]


def test_the_first_page_says_how_to_join_and_to_stand_in_and_the_house_rules_are_a_page(tmp_path: Path) -> None:
    club = begin("dropped", tmp_path)
    club.club("set", "people.rules=rules.txt")
    (club.folder / "rules.txt").write_text("Be kind\nto all.\n- No <b>shouting</b>.\n- No cheating.\n\nHave fun.\n")
    club.change("club.toml", "", '\n[[people.open]]\nruleset = "checkered-flag"\noptions = { laps = "2" }\n')
    club.round()
    club.mail("ann", "JOIN checkered-flag")
    club.round()
    publish(club)
    index = files(club)["index.html"]
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", index))
    assert re.findall(r"<caption>(.*?)</caption>", index)[0] == "Open games"
    assert "checkered-flag 1 of 2" in text and "laps=2" in text and "write JOIN checkered-flag to club@example.org" in text
    assert "red: write STANDIN race to club@example.org" in text and "ann@" not in index
    rules = files(club)["house-rules.html"]
    for words in ("Be kind to all.", "- No &lt;b&gt;shouting&lt;/b&gt;.", "- No cheating.", "Have fun."):
        assert f">{words}<" in rules
    assert 'href="house-rules.html"' in index and publish(club)["changed_files"] == 0
    club.club("set", "people.join=false")
    club.change("club.toml", '[[people.open]]\nruleset = "checkered-flag"\noptions = { laps = "2" }\n', "")
    publish(club)
    assert "JOIN" not in files(club)["index.html"] and "seats without a player" not in files(club)["index.html"]


def test_public_pages_show_the_standing_of_players_who_agree(tmp_path: Path) -> None:
    club = begin("dropped", tmp_path)
    publish(club)
    assert not [name for name in files(club) if name.startswith("red-")]
    name_of(club, "red", "true")
    club.club("set", "deadlines.nmr=bot")
    publish(club)
    found = [" ".join(re.sub("<[^>]*>", " ", text).split()) for name, text in files(club).items() if name.startswith("red-")]
    assert all("orders on time: 0 of 1 (0 %)" in text for text in found)


@pytest.mark.browser
@pytest.mark.parametrize("device", [(1280, 800, "light"), (375, 740, "dark")], ids=["desktop", "phone"])
def test_everybody_can_use_the_pages(
    race: Club, visit: Callable[..., Page], violations: Callable[[Page], list[str]], device: tuple[int, int, str]
) -> None:
    name_of(race, "red", "true")
    publish(race)
    width, height, scheme = device
    pages = sorted((race.top / "public").rglob("*.html"))
    assert len(pages) >= 4
    for number, path in enumerate(pages):
        page = visit(path.resolve(), color_scheme=scheme, viewport={"width": width, "height": height})
        if number % 2 == (width < height):  # half of them on each device: they have the same parts
            assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


# Reports in letters


@pytest.mark.parametrize(("form", "kind"), [("png", "image/png"), ("svg", "image/svg+xml"), ("none", "")])
def test_a_report_comes_as_a_text_a_page_and_a_picture(tmp_path: Path, form: str, kind: str) -> None:
    club = begin("empty", tmp_path)
    club.club("set", f"pictures={form}")
    club.add("checkered-flag", "red", "blue", game="race")
    club.round()
    letter = club.letter("red", "race, turn 1: your turn")
    footer = (
        "To send orders, answer this mail and keep its subject. PREVIEW tests your orders, WITHDRAW takes them back, HELP"
    )
    assert footer in letter.text and f"<p>{footer}" in letter.page and "<script" not in letter.page
    assert "<h1>Red, it is your turn: choose a gear (neutral now), by Thursday 2026-03-05 20:00 UTC</h1>" in letter.page
    assert "<svg" in letter.page and "GEAR 1" in letter.page
    attached = [(one.get_filename(), one.get_content_type()) for one in letter.mail.iter_attachments()]
    assert attached == ([(f"board.{form}", kind)] if kind else [])


def test_a_long_page_names_the_attached_board_instead_of_drawing_it(tmp_path: Path) -> None:
    club = begin("empty", tmp_path)
    club.club("set", "pictures=svg")
    club.add("rally-round", "red", "blue", game="race")
    club.round()
    (letter,) = (one for one in club.new if one.to == "red" and "turn" in one.subject)
    assert [part.get_filename() for part in letter.mail.iter_attachments()]
    assert "<p>The picture of the board is attached to this mail.</p>" in letter.page and "<figure" not in letter.page
    assert len(letter.page.encode()) < 102_000, "Gmail cuts longer pages"


FORM = re.compile(r"(?s)  orders of race.*END of orders\n")


@pytest.mark.parametrize(
    "back",
    [
        lambda text: "".join(FORM.findall(text)),
        lambda text: text,
        lambda text: f"Hello,\n\n{text}\n-- \nAnn",
        lambda text: "\n> ".join([*FORM.findall(text), "Max wrote:", *text.split("\n")]),
    ],
    ids=["copied", "whole", "whole with a greeting", "above the quote"],
)
@pytest.mark.parametrize("seat", ["red", "blue"])
def test_the_order_form_has_the_line_with_the_token_and_can_be_sent_back_in_a_new_mail(
    tmp_path: Path, seat: str, back: Callable[[str], str]
) -> None:
    club = begin("race", tmp_path)
    (letter,) = (one for one in club_of("race").new if one.to == seat and "turn 1" in one.subject)
    first = f"orders of race, {'turn 1, ' if seat == 'red' else ''}as {seat}"
    line = f"token {club.known('tag', seat)}"
    assert f"\n  {first}\n  {line}\n" in letter.text and f"{first}\n{line}\n" in letter.page
    other = "blue" if seat == "red" else "red"
    assert club.known("token", other) not in letter.mail.as_string()
    club.mail(seat, back(letter.text.replace("  END of orders", "    GEAR 1\n  END of orders")), "new")
    club.round()
    receipt = club.letter(seat, "race: your mail was read").text
    assert "GEAR 1" in receipt and "The club found no mistake in this mail." in receipt
    assert len(receipt.splitlines()) < 40


@pytest.mark.parametrize("ruleset", sorted(ruleset_ids()))
def test_the_first_order_of_a_welcome_is_read_as_it_stands(tmp_path: Path, ruleset: str) -> None:
    club = begin("empty", tmp_path)
    options = {"mode": "table", "kit": "deal"} if ruleset == "rally-round" else {}
    club.add(ruleset, *("red", "blue", "green")[: 3 if ruleset == "checkpoint-charlie" else 2], game="game", **options)
    club.round()
    seat = club.game("game").due_seats[0]
    order = club.letter(seat, "game: welcome").text.partition("A first order")[2].split("\n    ")[1].partition("\n")[0]
    club.mail(seat, f"PREVIEW\n{order}", "game")
    club.round(DAY)
    assert club.letter(seat, "game: your mail was read"), "nothing is wrong with it"


def test_a_private_game_that_a_club_runs_has_a_page(run: Callable[..., Any], tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    run("fork", FLAG, "--at", "9", "--id", "dream", "-o", club.top / "dream.json", code=0)
    club.club("add", "dream.json", "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    done = publish(club)
    assert (done["running_games"], done["unmade"]) == (2, []) and page_of(club, "dream")
