"""A club of version 1.0.0 goes on after `club upgrade`: games, people, tokens, letters, and what waits for the moderator."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from tests.club.test_races import killed
from tests.drivers.club import DAY, HOUR, Club, flat
from tests.drivers.old_club import unpacked

STEPS = (
    "alter table people add column public text not null default ''",
    """create table messages (
    id integer primary key autoincrement, key text not null unique, game text not null, seat text not null,
    sender text not null, address text not null, recipients text not null, waiting text not null,
    is_anonymous integer not null, text text not null, written integer not null, state text not null)""",
    """create table kept_games (id text primary key, mark text not null, data text not null);
    alter table games add column vacant text not null default '';
    alter table lists add column language text not null default ''""",
)
"""How development versions after 1.0.0 changed its ledger, from version 8 to 11."""
BOARD = re.compile(r"^Your board: (\S+)$", re.MULTILINE)


@pytest.fixture
def old(tmp_path: Path) -> Club:
    return unpacked(tmp_path / "old")


@pytest.fixture
def club(old: Club) -> Club:
    """The club after the upgrade and a round, whose letters are the new ones."""
    old.club("upgrade")
    old.round(60)
    return old


def version(club: Club) -> int:
    with closing(sqlite3.connect(club.folder / "ledger.sqlite")) as ledger:
        return int(ledger.execute("pragma user_version").fetchone()[0])


def places(club: Club) -> dict[str, tuple[str, ...]]:
    """Return what stays the same in all reports to a player of a game: token, thread and board."""
    found = {}
    for path in sorted((club.folder / "outgoing").glob("*.eml"), key=lambda path: path.stat().st_mtime_ns):
        other = Club(club.top)
        other.take(path.read_bytes())
        (letter,) = other.new
        if board := BOARD.search(letter.text):
            game = letter.subject.partition(",")[0]
            token = other.known("token", letter.to)
            found[f"{game} {letter.to}"] = (token, str(letter.mail["References"]).split()[0], board[1])
    return found


def test_an_old_club_is_left_alone_until_its_moderator_wants_the_upgrade(old: Club) -> None:
    for task, *words in (("status",), ("run", "--once"), ("set", "press=free"), ("pause", "waiting")):
        before = old.files()
        assert "run `adjudicator club upgrade thursday`" in flat(old.club(task, *words, code=2).output)
        assert old.files() == before
    assert version(old) == 8


def test_the_upgrade_tells_what_the_moderator_must_do_and_keeps_the_old_files(old: Club) -> None:
    path = old.folder / "club.toml"
    path.write_text(path.read_text().replace('"abandoned<=50"', '"Reliability >= 80 abandoned<=50"'))
    before = old.files()
    said = flat(old.club("upgrade").output)
    assert "hook" in said and "the condition “abandoned<=50” is gone" in said
    settings = (old.folder / "club.toml").read_text()
    assert "webhooks" not in settings and "CLUB_DISCORD_URL" not in settings and "condition" not in settings
    assert "docs/club.md\n\n# [people]\n# join" in settings, "other comments stay"
    assert "reliability = 80" in settings and 'options = { laps = "2" }' in settings
    known = ("game.json", "game.json.lock", "killed", "paused", "waiting")  # the killed round has left its lock
    assert not [path for path in (old.folder / "games").rglob("*") if path.name not in known]
    (kept,) = (old.folder / "replaced").iterdir()
    (ledger,) = kept.rglob("ledger.sqlite")
    with closing(sqlite3.connect(ledger)) as opened:
        assert opened.execute("pragma user_version").fetchone()[0] == 8
    rows = [path.read_bytes() for path in kept.rglob("*") if path.is_file()]
    assert [name for name, data in before.items() if name.endswith("game.toml") and data not in rows] == []
    assert all(path.stat().st_mode & 0o077 == 0 for path in (kept, *kept.rglob("*")))
    assert "nothing is wrong" in old.club("doctor").output


def test_letters_that_waited_go_out_and_the_round_that_was_killed_ends(old: Club) -> None:
    with closing(sqlite3.connect(old.folder / "ledger.sqlite")) as ledger:
        waited = {row[0] for row in ledger.execute("select message_id from letters where state = 'queued'")}
    before = places(old)
    assert len(waited) == 6 and len(before) == 7
    old.club("upgrade")
    old.round(60)
    assert waited <= {str(one.mail["Message-ID"]) for one in old.new}
    reports = [
        name for name in old.names() if name.startswith(("red: killed, turn", "white: killed, turn", "gm: killed, turn"))
    ]
    assert len(reports) == 3
    assert old.journal("killed") == ["red GEAR 1"]
    assert [name for name in old.names() if ", turn" in name and "killed" not in name] == [], "the others have nothing new"
    after = places(old)
    assert {name: after[name] for name in before} == before
    old.round(60)
    assert old.new == []


def test_the_games_go_on(club: Club) -> None:
    assert "waiting for" in club.club("status").output
    club.club("resume", "paused")
    club.round(60)
    assert club.journal("paused") == ["moderator HOLIDAY blue", "red GEAR 1"]
    assert club.journal("waiting") == ["moderator SEAT blue", "moderator HOLIDAY blue"]
    club.mail("ann@home.example", "GEAR 1", "waiting")
    club.round(60)
    club.letter("ann", "waiting: your mail was read")  # a person has one address for letters
    for who, game in (("blue", "waiting"), ("bob", "paused"), ("white", "killed")):
        club.mail(who, "GEAR 1", game)
    club.round(HOUR)
    for game, players in (
        ("waiting", ("ann", "blue")),
        ("paused", ("ann", "bob")),
        ("killed", ("red", "white")),
    ):
        assert len([line for line in club.journal(game) if "GEAR" in line]) == 2, game
        for who in players:
            club.letter(who, f"{game}, turn …")
        club.command("audit", f"thursday/games/{game}/game.json")


def test_deadlines_holidays_and_settings_of_games_hold(club: Club) -> None:
    status = flat(club.club("status").output)
    assert "waiting Saturday 2026-03-07 12:02 UTC" in status and "paused paused" in status
    assert 'deadlines.every: "5 days" → "6 days"' in club.club("set", "waiting", "deadlines.every=6 days").output
    club.now += 12 * DAY
    club.mail("ann@home.example", "GEAR 1", "waiting")
    club.round(60)
    assert "waiting Sunday 2026-03-22 18:02 UTC" in flat(club.club("status").output)
    club.round(7 * DAY)
    assert "waiting Wednesday 2026-04-01 00:00 UTC" in flat(club.club("status").output), "blue was away until the 25th"


def test_a_person_with_several_addresses_is_one(club: Club) -> None:
    standing = club.club("standing").output
    assert standing.count("Ann") == 1
    assert "1 of 1" in club.club("standing", "carol@example.org").output
    club.mail("ann", "HOLIDAY 2026-05-20 to 2026-05-21", "club")
    club.round(60)
    assert "moderator HOLIDAY red" in club.journal("waiting") and "moderator HOLIDAY red" in club.journal("paused")
    club.mail("ann", "STATUS", Subject=f"[{club.known('tag', 'ann@home.example', 'waiting')}]")
    club.round(60)
    assert [one.subject for one in club.new] == ["waiting: your mail was read"]


def test_members_and_lists_stay(club: Club) -> None:
    members = club.club("list").output
    assert all(f"{who}@example.org" in members for who in ("ann", "bob", "eve", "blue", "red", "white"))
    assert "checkered-flag 1 of 2" in flat(club.club("status").output)
    club.mail("bob", "JOIN checkered-flag", "club")
    club.round(60)
    for who in ("bob", "eve"):
        club.mail(who, "Yes!")
    club.round(60)
    assert (club.folder / "games" / "checkered-flag-1" / "game.json").exists()
    club.mail("zoe", "REGISTER Zoe", "")
    club.round(60)
    assert "Zoe" in club.club("list").output, "an answer to a letter of the old version registers"


def test_what_waited_for_the_moderator_waits(club: Club) -> None:
    matters = club.matters()
    assert len(matters) == 3
    assert "a question" in matters[0] and "hello" in matters[1] and "zoe@example.org" in matters[2]
    club.club("release", "1")
    club.club("settle", "2")
    club.club("accept", "killed", "3", "--seat", "red")
    club.round(60)
    assert "a question" in club.letter("ann", "waiting: message from Blue (blue)").text
    club.letter("red", "killed: your mail was read")
    assert club.matters() == []


@pytest.mark.parametrize(
    ("who", "game", "subject"),
    [
        ("ann", "paused", "paused, turn 1: your turn (sent again)"),
        ("blue", "waiting", "waiting, turn 1: waiting for Ann (red) (sent again)"),
        ("white", "killed", "killed, turn 2: your turn (sent again)"),
    ],
)
def test_the_last_report_can_be_sent_again(club: Club, who: str, game: str, subject: str) -> None:
    club.mail(who, "RESEND", game)
    club.round(60)
    text = club.letter(who, subject).text
    assert re.search(r"head \d+ \w{64}", text) and text.startswith(("The game is paused.", "The orders of ", "Your orders "))


def test_mails_that_were_taken_are_not_taken_again(club: Club) -> None:
    before = club.game("killed").record.seal
    for path in sorted((club.folder / "inbox" / "cur").iterdir()):
        path.rename(club.folder / "inbox" / "new" / path.name.partition(":")[0])
    club.round(60)
    assert club.new == [] and club.game("killed").record.seal == before


@pytest.mark.posix
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.soak)])
def test_an_upgrade_that_is_killed_can_be_repeated(old: Club, tmp_path: Path, every: int) -> None:
    calm = old.copied(tmp_path / "calm")
    calm.club("upgrade")
    calm.round(60)
    wanted = calm.names(), calm.club("status").output, calm.club("list").output
    for at in count(1, every):
        club = old.copied(tmp_path / str(at))
        if not killed(club, at, "club", "upgrade", "thursday"):
            break
        if version(club) == 8:
            club.club("upgrade")
        club.round(60)
        assert (club.names(), club.club("status").output, club.club("list").output) == wanted, at
    assert at > 10


@pytest.mark.parametrize("number", [9, 10, 11])
def test_a_club_of_a_development_version_keeps_what_1_0_0_did_not_have(old: Club, tmp_path: Path, number: int) -> None:
    calm = old.copied(tmp_path / "calm")
    with closing(sqlite3.connect(old.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        for step in STEPS[: number - 8]:
            ledger.executescript(step)
        ledger.execute(f"pragma user_version = {number}")
        ledger.execute("update people set public = 'no' where name = 'Ann'")
        if number > 9:
            at = f"'waiting', 'blue', 'Blue (blue)', 'blue@example.org', 'red', 'red', 0, 'a {number}', {old.now}"
            ledger.execute(f"insert into messages values (1, 'one', {at}, 'accepted'), (2, 'two', {at}, 'held')")
            ledger.execute(f"insert into matters values (9, 'held/two', 'waiting', {old.now}, 'a {number}', 0)")
        if number > 10:
            ledger.execute("update lists set language = 'de'")
    for club in (calm, old):
        club.club("upgrade")
        club.round(60)
    shown = [(club.names(), club.club("list").output, club.club("standing").output) for club in (calm, old)]
    assert sum("message from Blue" in name for name in shown[1][0]) == (number > 9)
    assert ([name for name in shown[1][0] if "message from Blue" not in name], *shown[1][1:]) == shown[0]
    if number > 9:
        assert f"a {number}" in old.matters()[-1]
        old.club("release", "9")
        old.round(60)
        assert f"a {number}" in old.letter("ann", "waiting: message from Blue (blue)").text


def test_a_second_upgrade_changes_nothing(club: Club) -> None:
    before = club.files()
    club.club("upgrade", code=None)
    assert club.files() == before
    club.round(60)
    assert club.new == []


def test_all_flaws_are_told_at_once_and_nothing_changes(old: Club) -> None:
    games = old.folder / "games"
    (games / "killed" / "game.json").write_bytes((games / "killed" / "game.json").read_bytes()[:-100])
    (games / "waiting" / "game.toml").write_text("[seats")
    (old.folder / "club.lock").unlink()  # of the round that was killed
    before, ledger = old.files(), (old.folder / "ledger.sqlite").read_bytes()
    said = old.club("upgrade", code=3).output
    assert "killed/game.json" in said and "waiting/game.toml" in said
    assert old.files() == before and (old.folder / "ledger.sqlite").read_bytes() == ledger


@pytest.mark.parametrize("number", [1, 7])
def test_a_club_before_1_0_is_refused(old: Club, number: int) -> None:
    with closing(sqlite3.connect(old.folder / "ledger.sqlite")) as ledger:
        ledger.execute(f"pragma user_version = {number}")
    (old.folder / "club.lock").unlink()
    before = old.files()
    assert "bring it to 1.0.0" in flat(old.club("upgrade", code=2).output)
    assert old.files() == before


@pytest.mark.parametrize("address", ["jürgen@example.org", "red@example.org, eve@example.org", "=?utf-8?q?x=40y.z?=@e.org"])
def test_an_address_that_cannot_get_mail_is_named_and_stops_nothing(old: Club, address: str) -> None:
    old.change("games/killed/game.toml", "white@example.org", address)
    old.club("upgrade")
    old.round(60, code=None)
    old.letter("red", "killed, turn …")
    status = flat(old.club("status").output)
    assert "could not send a report to" in status
    assert "killed/blue: the club cannot write to this player: “" in old.club("doctor", code=1).output


def test_two_players_of_a_seat_are_one_person_if_another_game_says_so(old: Club) -> None:
    for name, before, after in (
        ("killed", "", '[[former]]\nseat = "red"\nname = "Olga"\naddresses = ["olga@example.org"]\n'),
        ("waiting", '"blue@example.org"', '"red@example.org", "olga@example.org"'),
    ):
        path = old.folder / "games" / name / "game.toml"
        text = path.read_text()
        path.write_text(text.replace(before, after) if before else text + after)
    old.club("upgrade")
    old.round(60)
    assert "waiting blue Blue red@example.org olga@example.org" in flat(old.club("list").output).replace(",", "")
    assert "nothing is wrong" in old.club("doctor").output
