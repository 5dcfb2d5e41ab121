"""Failures during a round: each costs only its own mail or game, and what is temporary is tried again."""

from __future__ import annotations

import builtins
import errno
import io
import mailbox
import os
from collections.abc import Callable
from email.parser import BytesParser
from pathlib import Path
from typing import Any, NoReturn

import filelock
import pytest

import adjudicator as adj
from adjudicator.library import own_orders
from adjudicator.library.adjudicate import problems_in
from tests.drivers.club import DAY, HOUR, Club, begin


def fail(*_given: object, **_named: object) -> NoReturn:
    raise KeyError("H2")


def fail_for(name: str, of: Callable[..., Any], is_hit: Callable[..., bool]) -> Callable[..., Any]:
    """Return ``of``, which raises a `KeyError` with this ``name`` for the calls that are hit."""

    def tried(*given: Any, **named: Any) -> Any:
        if is_hit(*given):
            raise KeyError(name)
        return of(*given, **named)

    return tried


def test_a_bug_over_one_mail_costs_only_that_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)
    club.mail("blue", "STATUS")
    club.now += 1
    club.mail("red", "GEAR 1")
    with monkeypatch.context() as patch:
        hit = fail_for("H2", problems_in, lambda readings, _counted: any(one.text.seat == "blue" for one in readings))
        patch.setattr(own_orders, "problems_in", hit)
        assert "KeyError" in club.round(code=1)
    assert club.journal("race") == ["red GEAR 1"]
    told = club.letter("blue", "race: your mail could not be read").text
    assert "The program failed" in told and "H2" not in told
    told = club.letter("gm", "race: the program failed on a mail of blue").text
    assert "KeyError: 'H2'" in told and "test_failures.py" in told
    (matter,) = club.matters()
    assert "KeyError" in matter
    club.club("accept", "race", "1", "--seat", "blue")
    club.round(60)
    assert club.letter("blue", "race: your mail was read") and club.matters() == []


def test_a_mail_that_was_set_aside_waits_again_if_it_fails_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1")
    monkeypatch.setattr(own_orders, "problems_in", fail)
    for number in (1, 2):
        club.round(60, code=1)
        assert [words.partition(":")[0] for words in club.matters()] == ["mail from red@example.org"]
        club.club("accept", "race", number, "--seat", "red")
    monkeypatch.undo()
    club.round(60)
    assert club.journal("race") == ["red GEAR 1"]


def test_a_mail_of_a_stranger_that_no_one_can_read_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)
    club.mail("mallory@example.net", "hi")
    club.mail("red", "GEAR 1")
    hit = fail_for("H2", BytesParser.parsebytes, lambda _parser, data, *_more: b"mallory" in data)
    monkeypatch.setattr(BytesParser, "parsebytes", hit)
    club.round(code=1)
    assert club.journal("race") == ["red GEAR 1"]
    assert "gm: the program failed on mails" in club.names()
    assert not any("mallory" in name for name in club.names())


def test_a_bug_whose_words_no_mail_can_carry_is_told_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(*_given: object) -> NoReturn:
        raise ValueError("a\udc80\x00b\r\nBcc: all@example.org")

    club = begin("race", tmp_path)
    monkeypatch.setattr(own_orders, "problems_in", odd)
    club.mail("red", "GEAR 1")
    club.round(code=1)
    letter = club.letter("gm", "race: the program failed on a mail of red")
    assert "ValueError: a\\udc80␀b" in letter.text and letter.mail["Bcc"] is None


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("open", KeyError("H2"), "KeyError"),
        ("open", adj.SetupError(()), "cannot run"),
    ],
)
def test_a_game_that_cannot_be_opened_sets_no_mail_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: Exception, words: str
) -> None:
    def refuse(*_given: object, **_named: object) -> NoReturn:
        raise error

    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1")
    with monkeypatch.context() as patch:
        patch.setattr(adj, name, refuse)
        club.round(code=1)
    assert words in club.letter("gm", "race: this game cannot run").text
    assert "red: race: your mail was read" not in club.names()
    club.round(60)
    assert club.journal("race") == ["red GEAR 1"]


def test_a_bug_over_one_game_costs_only_that_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("two races", tmp_path)
    for game in ("race", "other"):
        club.mail("red", "GEAR 1", game)
    with monkeypatch.context() as patch:
        patch.setattr(adj.Game, "play_turn", fail_for("H2", adj.Game.play_turn, lambda game, *_more: game.id == "race"))
        assert "race: " in club.round(code=1)
        assert "KeyError: 'H2'" in club.letter("gm", "race: this game cannot run").text
        assert "KeyError" in club.club("status", "--since", "last").output
        assert (club.journal("race"), club.journal("other")) == ([], ["red GEAR 1"])
        club.round(60)  # it is not tried again until something changes
    club.club("resume", "race")
    club.round(60)
    assert club.journal("race") == ["red GEAR 1"]


def test_a_bug_over_a_paused_game_is_told_once_also_after_the_end_of_the_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = begin("race", tmp_path)
    club.club("pause", "race", "--until", "2026-03-03 12:00")
    club.command("seat", f"{club.folder}/games/race/game.json", "red", "--holder", "Zed", "--reason", "moved")
    with monkeypatch.context() as patch:
        patch.setattr(adj.Game, "play_turn", fail)
        club.round(2 * DAY, code=1)
        club.round(60)
    club.club("resume", "race")
    club.round(60)
    assert "paused" not in club.club("status").output


@pytest.mark.parametrize("damage", ["{}", "{", '{"format":2', ""])
def test_a_game_file_that_cannot_be_trusted_stops_no_other_game(tmp_path: Path, damage: str) -> None:
    club = begin("two races", tmp_path)
    (club.folder / "games" / "race" / "game.json").write_text(damage)
    club.mail("red", "GEAR 1", "other")
    assert "race" in club.round(code=1)
    assert club.journal("other") == ["red GEAR 1"]


# What is temporary


def test_a_game_that_another_command_has_locked_keeps_its_mails_and_its_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = begin("bots", tmp_path)
    club.now += 4 * DAY
    club.mail("red", "GEAR 1")
    club.mail("blue", "STATUS")
    tries, real = list[str](), filelock.FileLock.acquire

    def busy(lock: filelock.FileLock, *given: Any, **named: Any) -> Any:
        if "game.json" in str(lock.lock_file):
            tries.append(str(lock.lock_file))
            raise filelock.Timeout(str(lock.lock_file))
        return real(lock, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(filelock.FileLock, "acquire", busy)
        assert "race" in club.round(code=1)
    assert len(tries) == 1, "each mail of that game would wait for the lock again"
    assert club.journal("race") == []
    assert club.names() == ["gm: race: the deadline waits for mails"]
    club.round(60)
    assert club.journal("race") == ["red GEAR 1"]
    assert {"red: race: your mail was read", "blue: race: your mail was read"} <= set(club.names())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_fails_once_loses_no_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    club = begin("bots", tmp_path)
    club.now += 3 * DAY - HOUR
    club.mail("red", "HOLIDAY 2026-03-05 to 2026-03-09\nGEAR 1")
    errors, real = [OSError(number, "no luck")], os.write

    def write(file: int, data: Any) -> int:
        if errors:
            raise errors.pop()
        return real(file, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        assert "cannot be written" in club.round(code=1)
    assert errors == []
    club.round(2 * DAY)
    assert club.journal("race") == ["moderator HOLIDAY red", "red GEAR 1"]


def test_settings_that_cannot_be_read_for_a_moment_lose_no_mail(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.club("set", "trust.token=address")
    club.mail("red", "GEAR 1", "new")
    path = club.folder / "club.toml"
    path.rename(path.with_name("kept"))
    path.mkdir()
    club.round(code=2)
    path.rmdir()
    path.with_name("kept").rename(path)
    club.round(60)
    assert club.journal("race") == ["red GEAR 1"]


def hide(patch: pytest.MonkeyPatch, hidden: Path) -> None:
    """Let the disk fail over one file."""
    real = open

    def tried(path: Any, *given: Any, **named: Any) -> Any:
        if not isinstance(path, int) and Path(path).absolute() == hidden:
            raise OSError(errno.EIO, "Input/output error")
        return real(path, *given, **named)

    patch.setattr(builtins, "open", tried)
    patch.setattr(io, "open", tried)  # which `Path` calls


@pytest.mark.parametrize("orders", [["GEAR 1", "GEAR N"], ["GEAR N", "GEAR 1"]])
@pytest.mark.parametrize("unread", [0, 1])
def test_mails_keep_their_order_if_one_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, orders: list[str], unread: int
) -> None:
    club = begin("bots", tmp_path)
    club.now += 4 * DAY
    for order in orders:
        club.mail("red", order)
        club.now += 1
    hidden = sorted((club.folder / "inbox" / "new").iterdir())[unread]
    with monkeypatch.context() as patch:
        hide(patch, hidden)
        assert f"a mail could not be read: thursday/inbox/new/{hidden.name}: Input/output error" in club.round(code=1)
    assert club.journal("race") == []
    assert club.letter("gm", "race: the deadline waits for mails")
    club.round(60)
    assert club.journal("race") == [f"red {orders[-1]}"]


def test_games_continue_after_an_hour_with_a_mail_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = begin("race", tmp_path)
    club.mail("mallory", "Hello")
    (hidden,) = (club.folder / "inbox" / "new").iterdir()
    club.mail("red", "GEAR 1")
    hide(monkeypatch, hidden)
    club.round(HOUR - 1, code=1)
    assert club.journal("race") == []
    club.club("extend", "race")  # a deadline can still be put off
    club.round(1, code=1)
    assert club.journal("race") == ["red GEAR 1"]


def test_a_program_that_delivers_mail_finds_a_whole_maildir(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    mail = club.mail("red", "GEAR 1")
    (delivered,) = (club.folder / "inbox" / "new").iterdir()
    delivered.unlink()
    mailbox.Maildir(club.folder / "inbox", create=False).add(mail)
    club.round()
    assert club.journal("race") == ["red GEAR 1"]


def test_the_round_after_one_that_was_killed_removes_its_temporary_files(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    rests = [
        club.folder / place / f".{name}.0123456789abcdef.tmp"
        for place, name in (("outgoing", "letter.eml"), ("games/race", "game.json"))
    ]
    other = club.folder / "outgoing" / ".of-another-program.tmp"
    for path in (*rests, other):
        path.write_bytes(b"half")
    club.round(60)
    assert all(path.exists() for path in rests)
    (club.folder / "round.lock").touch()
    club.round(60)
    assert [path for path in (*rests, other) if path.exists()] == [other]


def test_a_mail_is_put_away_only_when_it_is_kept(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    new, cur = club.folder / "inbox" / "new", club.folder / "inbox" / "cur"
    club.mail("red", "GEAR 1")
    club.round()
    assert list(new.iterdir()) == []
    assert [path.name.endswith(":2,S") for path in cur.iterdir()] == [True]


def test_a_round_with_nothing_new_opens_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("two races", tmp_path)
    opened, real = list[str](), adj.open

    def note(*given: Any, **named: Any) -> adj.Game:
        game = real(*given, **named)
        opened.append(game.id)
        return game

    monkeypatch.setattr(adj, "open", note)
    club.round(60)
    assert opened == []
    club.mail("red", "STATUS", "other")
    club.round(60)
    assert set(opened) == {"other"}


@pytest.mark.parametrize(
    "text", ["GEAR 1\nGAER {}", "GEAR 9\nGAER {}", "Hello number {}", "turn 9\nGEAR 1\n;{}", "WITHDRAW\nGAER {}"]
)
def test_the_work_grows_no_faster_than_the_mails_of_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    work, real = list[int](), adj.read_mail

    def counted(*given: Any, **named: Any) -> Any:
        work.append(1)
        return real(*given, **named)

    monkeypatch.setattr(adj, "read_mail", counted)
    for number in (10, 40):
        work.clear()
        club: Club = begin("race", tmp_path / str(number))
        for one in range(number):
            club.now += 1
            club.mail("red", text.format(one))
            if one % 4 == 0:
                club.round()
        club.round()
        club.round(5 * DAY)
        assert 0 < len(work) <= 5 * number + 10
