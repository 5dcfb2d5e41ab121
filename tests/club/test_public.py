"""The public pages of a club: who is named, what changes, calendars, and failures of single games."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ElementTree
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from players_post import DAY, HOUR, Post, founded
from test_register import asks

from adjudicator.club.calendars import player_calendars
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow
from adjudicator.club.manage import add_game, extend, pause
from adjudicator.club.players import remove_game
from adjudicator.club.public import write_public_pages
from adjudicator.club.tokens import calendar_name, without_tokens
from adjudicator.club.turns import open_game
from adjudicator.club.waiting_lists import NextGame
from adjudicator.files.errors import Untrusted
from adjudicator.outputs.clubs import ClubPublished
from adjudicator.reports.data.player_standing import SIMULATED
from adjudicator.reports.pages import rules_page
from adjudicator.site import home
from adjudicator.site.folder import NotASite

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

FLAG = Path(__file__).parents[2] / "examples" / "checkered-flag" / "race" / "game.json"
ADDRESS = "https://club.example.org/"
SECRET_FILE = re.compile(r"[a-z2-7]{24}\.ics")


def publish(post: Post, name: str = "public", **options: Any) -> ClubPublished:
    with closing(post.club.ledger()) as ledger:
        return write_public_pages(post.club, ledger, str(post.folder.parent / name), **options)


def files(post: Post, name: str = "public") -> dict[str, bytes]:
    folder = post.folder.parent / name
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def times(post: Post) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in (post.folder.parent / "public").rglob("*")}


def page_of(post: Post, game: str) -> str:
    (name,) = (name for name in files(post) if name.startswith(f"games/{game}-") and name.endswith(".html"))
    return files(post)[name].decode()


def index(post: Post) -> str:
    return files(post)["index.html"].decode()


def calendar(post: Post, address: str) -> str:
    with closing(post.club.ledger()) as ledger:
        return files(post)[f"{calendar_name(ledger.secret(), address)}.ics"].decode()


def name_of(post: Post, seat: str, answer: str, game: str = "race") -> None:
    """Set whether public pages may name the player of ``seat``."""
    post.settings(f"[seats.{seat}]\n", f"[seats.{seat}]\npublic_name = {answer}\n", game)


def add_finished(post: Post) -> None:
    add_game(post.club, FLAG, {seat: f"{seat}@example.org" for seat in ("red", "blue")})


def names_in(post: Post) -> set[str]:
    """Return the players whom the public files name."""
    text = "\n".join(data.decode() for name, data in files(post).items() if not name.endswith(".png"))
    return {name for name in ("Red", "Blue", "Carol") if re.search(rf"\b{name}\b", text)}


def test_pages_show_each_game_without_names_and_link_to_each_other(post: Post) -> None:
    add_finished(post)
    done = publish(post)
    assert (done.running_games, done.finished_games, done.unmade, done.troubles) == (1, 1, (), ())
    assert "<h1>Thursday club</h1>" in index(post)
    assert all(f"<caption>{title}</caption>" in index(post) for title in ("Running games", "Finished games", "Rules"))
    assert "Thursday 2026-03-05 20:00 UTC" in index(post) and "Thursday 2026-03-05 20:00 UTC" in page_of(post, "race")
    found = files(post)
    for name, data in found.items():
        if name.endswith(".html"):
            for link in re.findall(r'(?:href|src)="([^"#]+)"', data.decode()):
                target = (post.folder.parent / "public" / name).parent.joinpath(link)
                assert link.startswith("data:") or target.resolve().is_file(), (name, link)
    assert "players" in index(post) and names_in(post) == set()
    assert not re.search(r"\b(Ann|Bob)\b", page_of(post, "flag-009"))


def test_a_running_game_is_shown_as_bystanders_see_it(empty: Post) -> None:
    empty.add("checkpoint-charlie", "red", "blue", "green", game="spies")
    empty.run()
    publish(empty)
    assert "as everybody sees it" in page_of(empty, "spies")
    tokens = [one.token for one in empty.club.settings_of("spies").seats.values()]
    everything = b"\n".join(files(empty).values())
    for secret in (*tokens, "ab" * 32, "@example.org\n", str(empty.folder)):
        assert secret.encode() not in everything


def test_players_are_named_only_if_they_agree(post: Post) -> None:
    name_of(post, "red", "true")
    publish(post)
    assert names_in(post) == {"Red"}
    assert "<caption>Players</caption>" in index(post)
    post.settings("[deadlines]", "[public]\nnames = true\n\n[deadlines]")
    publish(post)
    assert names_in(post) == {"Red", "Blue"}
    name_of(post, "blue", "false")
    publish(post)
    assert names_in(post) == {"Red"}


def test_the_next_player_of_a_seat_agrees_for_himself_only(post: Post) -> None:
    name_of(post, "red", "true")
    post.seat("race", "red", "Carol", "carol@example.org")
    post.run(after=60)
    publish(post)
    assert names_in(post) == set(), "the setting was that of the earlier player"
    name_of(post, "red", "true")
    publish(post)
    assert names_in(post) == {"Carol"}
    assert "Carol instead of nobody" in page_of(post, "race")


def test_heads_on_pages_without_names_are_those_of_the_reports(post: Post) -> None:
    publish(post)
    (head,) = re.findall(r"head \d+ \w{64}", page_of(post, "race"))
    assert head in (post.folder / "games/race/reports/red.txt").read_text()


def test_a_second_run_writes_nothing(post: Post) -> None:
    add_finished(post)
    first = publish(post)
    before = times(post)
    second = publish(post)
    assert first.changed_files == len(files(post)) and (second.changed_files, second.removed_files) == (0, 0)
    assert times(post) == before


def test_a_second_run_decides_no_game_again(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(post)
    monkeypatch.setattr(home, "audit_sources", lambda sources, *_: iter(pytest.fail("audited") for _ in sources))
    assert publish(post).changed_files == 0


def test_a_turn_changes_only_pages_that_show_it(post: Post) -> None:
    add_finished(post)
    publish(post)
    before = files(post)
    post.send("race", "red", "GEAR 1 go")
    post.run(after=HOUR)
    done = publish(post)
    after = files(post)
    changed = {re.sub(r"-\w{8}\.", ".", name) for name in after if after[name] != before.get(name)}
    assert after.keys() == before.keys() and len(changed) == done.changed_files
    assert {"index.html", "games/race.html"} <= changed
    assert not any("flag-009" in name for name in changed)


def test_the_same_club_makes_the_same_bytes(post: Post) -> None:
    add_finished(post)
    publish(post)
    publish(post, "again")
    assert files(post, "again") == files(post)


def test_what_reveals_secrets_stays_in_the_folder_of_the_club(post: Post) -> None:
    publish(post)
    assert "manifest.json" not in files(post)
    secret = [name for name in files(post) if SECRET_FILE.fullmatch(name)]
    assert len(secret) == 2
    texts = b"\n".join(data for name, data in files(post).items())
    assert not any(name.removesuffix(".ics").encode() in texts for name in secret)
    (manifest,) = post.folder.glob("published-*.json")
    if os.name == "posix":
        assert manifest.stat().st_mode & 0o077 == 0


def test_pages_of_a_removed_game_go(post: Post) -> None:
    publish(post)
    with closing(post.club.ledger()) as ledger:
        remove_game(post.club, ledger, "race")
    assert publish(post).removed_files
    assert set(files(post)) == {"index.html", "deadlines.ics"}
    assert "no games here" in index(post)


def test_other_files_in_the_folder_are_left_alone(post: Post) -> None:
    folder = post.folder.parent / "public"
    folder.mkdir()
    (folder / "notes.ics").write_text("mine")
    with pytest.raises(NotASite):
        publish(post)
    publish(post, force=True)
    publish(post)
    assert (folder / "notes.ics").read_text() == "mine"


def test_a_broken_game_does_not_stop_the_others(post: Post) -> None:
    add_finished(post)
    name_of(post, "red", "true")
    path = post.folder / "games/race/game.json"
    path.write_bytes(path.read_bytes()[:-100])
    done = publish(post)
    assert "Games that cannot be shown" in index(post) and "This file cannot be shown as a game" in page_of(post, "race")
    assert (done.finished_games, done.unmade) == (1, ())
    assert "moderator sees it" in page_of(post, "flag-009")


def test_settings_that_cannot_be_read_hide_all_names_and_keep_calendars(post: Post) -> None:
    add_finished(post)
    name_of(post, "red", "true")
    publish(post)
    before = {name for name in files(post) if SECRET_FILE.fullmatch(name)}
    (post.folder / "games/race/game.toml").write_text("seats = 7")
    done = publish(post)
    (trouble,) = done.troubles
    assert trouble.startswith("race: its page names no player, because its settings cannot be read: ")
    assert names_in(post) == set() and done.unmade == ()
    assert before <= files(post).keys()


def test_a_page_that_cannot_be_made_is_named(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "rules_page", lambda *_: 1 // 0)
    (unmade,) = publish(post).unmade
    assert unmade.page.startswith("checkered-flag-") and "ZeroDivisionError" in unmade.cause
    assert "not be made" in files(post)[unmade.page].decode()


def test_the_rules_of_each_game_are_there(post: Post) -> None:
    publish(post)
    texts = [data.decode() for name, data in files(post).items() if name.startswith("checkered-flag-")]
    (rules,) = (text for text in texts if "Checkered Flag: rules</h1>" in text)
    assert "CF-" in rules and "ruling</th>" in rules and rules_page.HOME in rules


def test_calendars_have_the_deadlines(post: Post) -> None:
    post.add("checkpoint-charlie", "red", "green", "white", game="spies")
    post.run()
    publish(post)
    everything = files(post)["deadlines.ics"].decode()
    assert everything.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") and everything.endswith("END:VCALENDAR\r\n")
    assert re.findall(r"SUMMARY:(.*)\r", everything) == ["race: orders due", "spies: orders due"]
    assert everything.count("DTSTART:20260305T200000Z\r\n") == 2
    assert re.findall(r"SUMMARY:(.*)\r", calendar(post, "RED@example.org")) == [
        "race (red): orders due",
        "spies (red): orders due",
    ]
    assert "VEVENT" not in calendar(post, "blue@example.org"), "blue is not due"


def test_a_calendar_follows_deadline_and_pause(post: Post) -> None:
    with closing(post.club.ledger()) as ledger:
        extend(post.club, ledger, ["race"], "1 day", post.now)
        publish(post)
        assert "DTSTART:20260306T200000Z" in calendar(post, "red@example.org")
        pause(post.club, ledger, ["race"], post.now)
    publish(post)
    assert "VEVENT" not in calendar(post, "red@example.org") + files(post)["deadlines.ics"].decode()
    assert "paused" in index(post)


def test_an_earlier_player_has_no_calendar(post: Post) -> None:
    publish(post)
    before = {name for name in files(post) if SECRET_FILE.fullmatch(name)}
    post.seat("race", "red", "Carol", "carol@example.org")
    publish(post)
    after = {name for name in files(post) if SECRET_FILE.fullmatch(name)}
    assert len(before) == len(after) == 2 and len(before & after) == 1
    assert calendar(post, "carol@example.org")


def test_long_and_odd_words_in_a_calendar_are_escaped_and_folded(post: Post) -> None:
    words = "Thursday, München; " + "ü" * 60
    post.settings('name = "Thursday club"', f'name = "{words}"')
    with closing(post.club.ledger()) as ledger:
        row = ledger.game("race")
        texts = player_calendars(post.club, [row, GameRow(id="race", due=1)], ledger.secret(), {"race": f"{ADDRESS}x"})
    for data in texts.values():
        assert all(len(line) <= 75 for line in data.split(b"\r\n"))
        text = data.decode().replace("\r\n ", "")
        assert f"X-WR-CALNAME:{words.replace(',', chr(92) + ',').replace(';', chr(92) + ';')}: your orders\r\n" in text


def with_address(post: Post) -> Post:
    post.settings("[deadlines]", f'[public]\naddress = "{ADDRESS}"\n\n[deadlines]')
    return post


def test_with_an_address_reports_have_that_of_the_calendar(tmp_path: Path) -> None:
    post = with_address(founded(tmp_path / "club"))
    post.add("checkered-flag", "red", "blue", game="race")
    post.run()
    reports = [mail for mail in post.mails() if "race, turn" in str(mail["Subject"]) and "/red#" in str(mail["Subject"])]
    (red,) = (found.group() for mail in reports if (found := SECRET_FILE.search(mail.get_body(("plain",)).get_content())))
    (report,) = reports
    assert f'<a href="{ADDRESS}{red}">' in report.get_body(("html",)).get_content()
    assert report.get_body(("plain",)).get_content().rstrip().splitlines()[-1].endswith("all commands.")
    publish(post)
    assert "race (red): orders due" in files(post)[red].decode()
    assert f"URL:{ADDRESS}games/race-" in files(post)["deadlines.ics"].decode()
    post.send("race", "red", "RESEND")
    post.run(after=60)
    assert red in post.got()["red: race, turn 1: your turn (sent again)"]
    assert without_tokens(f"look: {ADDRESS}{red} !") == "look: https://club.example.org !"


def test_the_feed_has_finished_games(post: Post) -> None:
    with_address(post)
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.settings("most_missing = 1", "most_missing = 9")
    post.send("race", "red", "GEAR 1 go")
    for _ in range(200):
        if post.session("race").rules.is_over(post.session("race").config, post.session("race").game.state):
            break
        post.run(after=4 * DAY)
    publish(post)
    feed = ElementTree.fromstring(files(post)["feed.xml"])
    (entry,) = feed.findall("{http://www.w3.org/2005/Atom}entry")
    (link,) = entry.findall("{http://www.w3.org/2005/Atom}link")
    assert link.get("href", "").removeprefix(ADDRESS) in files(post)
    assert 'href="feed.xml"' in index(post) and names_in(post) == set()


def test_an_address_that_no_browser_opens_is_refused(post: Post) -> None:
    post.settings("[deadlines]", '[public]\naddress = "club.example.org"\n\n[deadlines]')
    with pytest.raises(Untrusted) as refused:
        ClubFolder(post.folder)
    assert "$.public.address" in str(refused.value.violations)


@pytest.mark.parametrize("device", [(1280, 800, "light"), (375, 740, "dark")], ids=["desktop", "phone"])
def test_everybody_can_use_the_pages(
    post: Post, visit: Callable[..., Page], violations: Callable[[Page], list[str]], device: tuple[int, int, str]
) -> None:
    add_finished(post)
    name_of(post, "red", "true")
    publish(post)
    width, height, scheme = device
    pages = sorted((post.folder.parent / "public").rglob("*.html"))
    assert len(pages) >= 4
    for number, path in enumerate(pages):
        page = visit(path.resolve(), color_scheme=scheme, viewport={"width": width, "height": height})
        if number % 2 == (width < height):  # half of them on each device: they have the same parts
            assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_the_first_page_says_how_to_join_open_games_and_to_stand_in(offering: Post) -> None:
    assert "checkered-flag" in asks(offering, "ann@example.net", "JOIN checkered-flag")
    publish(offering)
    page = index(offering)
    assert re.findall(r"<caption>(.*?)</caption>", page)[0] == "Open games"
    row = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "checkered-flag 1 of 2 48 hours laps=2 – write JOIN checkered-flag to club@example.org" in row
    assert not re.search(r"\b[Aa]nn\b", page)


def test_a_hostile_list_stays_text_on_the_first_page(offering: Post) -> None:
    with closing(offering.club.ledger()) as ledger, ledger.change():
        ledger.add_list(
            NextGame(
                ruleset="<b>x", players=2, options="a=<script>alert(1)</script>\nb=\u202ec", deadline="", condition='"><i>'
            ),
            offering.now,
        )
    publish(offering)
    assert not re.search(r"<b>x|<script>alert|\u202e|<i>", index(offering))
    assert "&lt;script&gt;alert(1)" in index(offering)


def test_a_club_without_join_shows_no_open_games(offering: Post) -> None:
    offering.settings("join = true", "join = false")
    publish(offering)
    assert "Open games" not in index(offering) and "JOIN" not in index(offering)


def test_running_games_list_seats_without_a_player(post: Post) -> None:
    publish(post)
    assert "seats without a player" not in index(post)
    post.club.save(open_game(post.club, "race").hand_over("blue", SIMULATED, "deadlines missed: 3"))
    publish(post)
    assert "seats without a player" not in index(post)  # nobody can join this club
    post.settings("[incoming]", "[people]\njoin = true\n\n[incoming]")
    publish(post)
    assert "blue: write STANDIN race to club@example.org" in index(post)
    publish(post)
    assert "blue: write STANDIN race to club@example.org" in index(post)


def test_the_house_rules_are_a_page(post: Post) -> None:
    publish(post)
    assert "house-rules.html" not in files(post)
    post.settings("[incoming]", '[people]\nrules = "rules.txt"\n\n[incoming]')
    (post.folder / "rules.txt").write_text("Be kind\nto all.\n- No <b>shouting</b>.\n- No cheating.\n\nHave fun.\n")
    publish(post)
    text = files(post)["house-rules.html"].decode()
    for words in ("Be kind to all.", "- No &lt;b&gt;shouting&lt;/b&gt;.", "- No cheating.", "Have fun."):
        assert f">{words}<" in text
    assert 'href="house-rules.html"' in files(post)["index.html"].decode()
    assert publish(post).changed_files == 0
