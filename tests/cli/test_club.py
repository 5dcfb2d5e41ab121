"""The command `club`: begun, games taken in, a round, what waits for the moderator, and what makes no sense."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
INIT = ("--name", "Thursday", "--address", "club@example.org", "--moderator", "gm@example.org")


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where a club lies once it has been founded, to be copied; nothing before that."""
    return tmp_path_factory.mktemp("club") / "founded"


@pytest.fixture
def folder(run: Run, tmp_path: Path, founded: Path) -> Path:
    if founded.exists():
        shutil.copytree(founded, tmp_path, dirs_exist_ok=True)
        return tmp_path / "thu"
    run("new", "checkered-flag", "--seat", "red=Ann", "--seat", "blue=Bob", "--seed", "ab" * 32, "-o", "race.json", code=0)
    run("club", "init", "thu", *INIT, "--zone", "Europe/Berlin", code=0)
    run("club", "add", "thu", "race.json", "--seat", "red=ann@example.org", "--seat", "blue=bob@example.org", code=0)
    run("club", "run", "thu", "--once", code=0)
    shutil.copytree(tmp_path, founded)
    return tmp_path / "thu"


def token(folder: Path, seat: str) -> str:
    found = re.search(rf'\[seats.{seat}\].*?token = "(\w+)"', (folder / "games/race/game.toml").read_text(), re.DOTALL)
    assert found
    return found[1]


def write(folder: Path, seat: str, sender: str, body: str, name: str = "1.a") -> None:
    mail = f"From: {sender}\r\nSubject: Re: [race/{seat}#{token(folder, seat)}]\r\nMessage-ID: <{name}@x>\r\n\r\n{body}\r\n"
    (folder / "inbox" / "new" / name).write_text(mail)


def test_a_club_from_the_beginning(run: Run, folder: Path) -> None:
    assert len(list((folder / "outgoing").glob("*.eml"))) == 5
    write(folder, "red", "ann@example.org", "GEAR 1")
    told = run("club", "run", "thu", "--once", code=0).output
    lines = [re.sub(r"^\w+ 20\d\d-\d\d-\d\d \d\d:\d\d CES?T  ", "", line) for line in told.splitlines()]
    assert lines[:2] == ["race: the mail of red from ann@example.org was answered", "race: waiting for Bob (blue)"]
    assert sorted(lines[2:]) == [
        "race: moderator to gm@example.org: sent",
        "race: receipt to ann@example.org: sent",
        "race: report to ann@example.org: sent",
        "race: report to bob@example.org: sent",
    ]
    assert run("club", "run", "thu", "--once", code=0).output == ""
    status = run("club", "status", "thu", code=0).output
    assert re.search(r"race +\w+ 20\d\d-\d\d-\d\d 20:00 CES?T +blue +–", status)


def test_what_waits_is_listed_under_numbers_and_dealt_with(run: Run, folder: Path) -> None:
    write(folder, "red", "ann@elsewhere.org", "GEAR 1", "1.a")
    write(folder, "blue", "bob@example.org", "MESSAGE to red: hello\nEND", "2.b")
    write(folder, "blue", "bob@example.org", "RESIGN", "3.c")
    run("club", "run", "thu", "--once", code=0)
    status = run("club", "status", "thu", code=0).output
    assert "1  " in status
    assert "another address: ann@elsewhere.org" in status
    assert token(folder, "red") not in status
    assert "Bob (blue) wants to resign" in status
    told = run("club", "accept", "thu", "race", "1", "--seat", "red", code=0).output
    assert told == "the mail from ann@elsewhere.org counts as red's; the next round answers it\n"
    run("club", "release", "thu", "2", code=0)
    run("club", "settle", "thu", "3", code=0)
    run("club", "run", "thu", "--once", code=0)
    found = json.loads(run("club", "status", "thu", "--json", code=0).output)
    assert found["matters"] == []
    assert found["club_games"][0]["awaited"] == ["blue"]


def test_a_mail_server_can_hand_a_mail_over(run: Run, folder: Path) -> None:
    subject = f"Re: [race/red#{token(folder, 'red')}]"
    mail = f"From: ann@example.org\r\nSubject: {subject}\r\nMessage-ID: <9@x>\r\n\r\nGEAR 1\r\n"
    assert run("club", "receive", "thu", stdin=mail, code=0).output == "mails: 1 fetched, 4 sent; adjudicated: race\n"
    Path("again.eml").write_text(mail)
    assert run("club", "receive", "thu", "again.eml", code=0).output == ""
    assert "no such file" in run("club", "receive", "thu", "gone.eml", code=2).output


def test_a_seat_gets_another_player_and_a_game_is_removed(run: Run, folder: Path) -> None:
    before = token(folder, "red")
    told = run("club", "seat", "thu", "race", "RED", "Carol", "carol@example.org", code=0).output
    assert told == "race: Carol now plays red, with a new token; the next `club run` writes to carol@example.org\n"
    assert token(folder, "red") != before
    listed = run("club", "list", "thu", code=0).output
    assert re.search(r"race +red +Carol +carol@example.org", listed)
    assert re.search(r"race +blue +Bob +bob@example.org", listed)
    found = json.loads(run("club", "list", "thu", "race", "--json", code=0).output)
    assert found["players"][0] == {"game": "race", "seat": "red", "player": "Carol", "addresses": ["carol@example.org"]}
    assert token(folder, "red") not in listed
    assert "The game file is thu/removed/race-1/game.json" in run("club", "remove", "thu", "race", code=0).output
    assert "no games" in run("club", "list", "thu", code=0).output
    assert json.loads(run("club", "run", "thu", "--once", "--json", code=0).output)["sent"] == 0


def write_as(folder: Path, address: str, body: str, name: str) -> None:
    """Deliver a mail to the club, with the token of the last letter to ``address``."""
    tags = [
        re.search(r"\[club/member#\w+\]", path.read_text())
        for path in (folder / "outgoing").glob("*.eml")
        if f"To: {address}" in path.read_text()
    ]
    subject = tags[0][0] if tags and tags[0] else "hello"
    mail = f"From: {address}\r\nSubject: Re: {subject}\r\nMessage-ID: <{name}@x>\r\n\r\n{body}\r\n"
    (folder / "inbox" / "new" / name).write_text(mail)


def test_people_join_and_the_moderator_grants_their_requests(run: Run, folder: Path) -> None:
    run("club", "set", "thu", "people.join=true", "people.new=true", code=0)
    told = run("club", "open", "thu", "great-race", "players=2", "deadline=48h", code=0).output
    assert told == "the list is open: great-race, 2 players, 48 hours for a turn\n"
    for number, body in enumerate(("JOIN", "REGISTER Zoe", "JOIN great-race\r\nNEW checkpoint-rally players=3")):
        write_as(folder, "zoe@example.net", body, f"{number}.z")
        done = run("club", "run", "thu", "--once", code=0).output
    assert "the mail of Zoe from zoe@example.net was answered" in done
    status = run("club", "status", "thu", code=0).output
    assert re.search(r"next game +joined +confirmed\n +great-race +1 of 2 +0\n", status)
    assert run("club", "accept", "thu", "1", code=0).output == "the list for the next game of checkpoint-rally is open\n"
    assert json.loads(run("club", "status", "thu", "--json", code=0).output)["lists"][0] == {
        "ruleset": "checkpoint-rally",
        "players": 3,
        "joined": 1,
        "confirmed": 0,
    }
    assert re.search(r"member +address\nZoe +zoe@example.net", run("club", "list", "thu", code=0).output)
    told = run("club", "forget", "thu", "zoe@example.net", code=0).output
    assert told.startswith("member 1: deleted. ")
    assert "Zoe" not in run("club", "list", "thu", code=0).output
    assert told in run("club", "report", "thu", "--since", "1 day", code=0).output


def test_deadlines_are_put_off_and_games_stopped(run: Run, folder: Path) -> None:
    before = json.loads(run("club", "status", "thu", "--json", code=0).output)["club_games"][0]["deadline"]
    assert run("club", "extend", "thu", "race", "--by", "2 days", code=0).output.startswith("race: orders are due ")
    after = json.loads(run("club", "status", "thu", "--json", code=0).output)["club_games"][0]["deadline"]
    assert after - before == 2 * 24 * 3600
    assert run("club", "pause", "thu", "all", code=0).output == "race: paused\n"
    assert "paused" in run("club", "status", "thu", code=0).output
    assert run("club", "resume", "thu", "race", code=0).output == "race: resumed\n"


def test_on_a_terminal_the_club_is_always_before_your_eyes(folder: Path) -> None:
    from adjudicator.cli.club import _screen_lines
    from adjudicator.club.folder import ClubFolder
    from adjudicator.club.post import Delivery
    from adjudicator.club.run import Round

    done = Round(fetched=0, games=(), posted=Delivery(), troubles=("no mails were fetched: \x1b[2J",))
    lines = list(_screen_lines(ClubFolder(folder), done))
    assert lines[0] == "Thursday"
    assert any(line.split()[:1] == ["race"] for line in lines)
    assert "Ctrl-C stops the club" in "\n".join(lines)
    assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("init", "thu", *INIT), 2, "thu already has a club"),
        (("init", "new", "--name", "x"), 2, "add --address, --moderator: a new club needs"),
        (("status", "nowhere"), 2, "this folder has no club.toml"),
        (("add", "thu", "race.json", "--seat", "red=ann@example.org"), 2, "blue has no address"),
        (("add", "thu", "race.json", "--seat", "red=x", "--seat", "blue=b@c"), 2, "“x” is not a mail address"),
        (("add", "thu", "race.json", "--seat", "red=a@b", "--seat", "blue=b@c"), 2, "the club already has a game race"),
        (("add", "thu", "race.json", "--seat", "green=a@b"), 2, "race has no seat green"),
        (("add", "thu"), 2, "name one game file"),
        (("pause", "thu"), 2, "name the games, or `all`"),
        (("pause", "thu", "rally"), 2, "the club has no game rally; its games: race"),
        (("extend", "thu", "race", "--by", "soon"), 2, "duration"),
        (("settle", "thu", "x"), 2, "name one or more numbers"),
        (("release", "thu", "7"), 2, "there is no matter 7"),
        (("accept", "thu", "race", "7", "--seat", "red"), 2, "there is no matter 7"),
        (("accept", "thu", "race", "1.x", "--seat", "red"), 2, "the number in `club status`"),
        (("seat", "thu", "race", "red"), 2, "name the game, the seat, the player and the address"),
        (("seat", "thu", "race", "green", "Carol", "c@example.org"), 2, "race has no seat green"),
        (("seat", "thu", "race", "red", "Carol", "carol"), 2, "“carol”"),
        (("seat", "thu", "race", "red", " ", "c@example.org"), 2, "the player needs a name"),
        (("remove", "thu"), 2, "name one game"),
        (("remove", "thu", "rally"), 2, "no game rally"),
        (("list", "thu", "rally"), 2, "no game rally"),
        (("accept", "thu", "7"), 2, "there is no matter 7"),
        (("open", "thu"), 2, "name a ruleset"),
        (("forget", "thu", "x@example.net"), 2, "no member with the address x@example.net"),
        (("accept", "thu", "race"), 2, "name the game, the number in `club status`"),
    ],
)
def test_what_makes_no_sense_is_told(run: Run, folder: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    assert words in run("club", *arguments, code=code).output


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('every = "3 days"', 'every = "now and then"', "“now and then”"),
        ('at = "20:00"', 'at = "26:00"', "“26:00” is not a time of day"),
        ('nmr = "wait"', 'nmr = "guess"', "deadlines.nmr: must be “wait”, “default”, “bot” or “drop”, not “guess”"),
        ('time_zone = "Europe/Berlin"', 'time_zone = "Mars"', "“Mars”"),
        ('kind = "folder" ', 'kind = "smtp" ', "outgoing.host"),
        ("drop_after = 0", "drop_after = ", "this is not valid TOML"),
    ],
)
def test_settings_that_cannot_be_used_are_told_with_their_place(
    run: Run, folder: Path, old: str, new: str, words: str
) -> None:
    path = folder / "club.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert words in run("club", "run", "thu", "--once", code=3).output


def test_pages_for_everybody_are_written_once(run: Run, folder: Path) -> None:
    told = run("club", "publish", "thu", "-o", "public", code=0).output
    assert re.fullmatch(r"public/index\.html: 1 running, 0 finished; \d+ files written\n", told)
    again = run("club", "publish", "thu", "-o", "public", code=0).output
    assert again == "public/index.html: 1 running, 0 finished; nothing has changed\n"
    found = json.loads(run("club", "publish", "thu", "-o", "public", "--json", code=0).output)
    assert found == {
        "folder": "public",
        "index": "public/index.html",
        "running_games": 1,
        "finished_games": 0,
        "changed_files": 0,
        "removed_files": 0,
        "unmade": [],
        "troubles": [],
    }
    text = "".join(path.read_text() for path in Path("public").rglob("*.html"))
    assert not re.search(r"\b(Ann|Bob)\b", text) and token(folder, "red") not in text


def test_pages_need_a_folder_of_their_own(run: Run, folder: Path) -> None:
    assert "add -o with the folder" in run("club", "publish", "thu", code=2).output
    assert "use --force" in run("club", "publish", "thu", "-o", "thu", code=2).output
    (folder / "games/race/game.toml").write_text("seats = 7")
    told = run("club", "publish", "thu", "-o", "public", code=1).output
    assert told.startswith("race: ")
