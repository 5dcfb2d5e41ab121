"""Failures during a round: each costs only its own mail or game, and what is temporary is tried again."""

from __future__ import annotations

import errno
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import pytest
from players_post import DAY, HOUR, Post, matters, states

import adjudicator as adj
from adjudicator import session
from adjudicator.club import folder, intake
from adjudicator.club.ledger import GameRow
from adjudicator.club.manage import accept, extend, resume
from adjudicator.core.corrections import MissedDeadline
from adjudicator.core.problem import Problem
from adjudicator.files import atomic
from adjudicator.files.errors import InUse
from adjudicator.mail.incoming import MailboxError, Maildir, NewMail
from adjudicator.store import save


def fail(*_given: object, **_named: object) -> NoReturn:
    raise KeyError("H2")


def failing_once(call: Callable[..., Any], error: Exception) -> Callable[..., Any]:
    """Return ``call``, which fails the first time with ``error``."""
    errors = [error]

    def tried(*given: Any, **named: Any) -> Any:
        if errors:
            raise errors.pop()
        return call(*given, **named)

    return tried


def row(post: Post, game: str = "race") -> GameRow:
    with closing(post.club.ledger()) as ledger:
        return ledger.game(game)


def orders(post: Post, game: str = "race") -> list[str]:
    return [link.entry.order for link in post.session(game).game.journal][1:]


def decided_for(post: Post) -> list[str]:
    """Return the seats of the race for which the club has decided."""
    events = (event for link in post.session("race").game.journal for event in link.entry.events)
    return [event.seat for event in events if isinstance(event, MissedDeadline)]


@pytest.mark.parametrize("last", ["9999-12-31", "9999-12-30", "9000-12-30", "2027-03-04", "2026-06-01"])
def test_a_holiday_without_end_is_refused(post: Post, last: str) -> None:
    before = row(post).due
    post.send("race", "red", f"HOLIDAY 2026-03-03 to {last}")
    post.send("race", "blue", "STATUS")
    assert post.run().troubles == ()
    told = post.got()["red: race: your mail has a mistake"]
    assert re.search("cannot accept your holiday .*: (a holiday lasts at most 60 days|it must end on .* or earlier)", told)
    assert post.run(after=2 * DAY).troubles == ()
    assert row(post).due == before
    assert len(post.session("race").game.journal) == 1


def test_a_date_that_is_too_far_off_is_refused(post: Post) -> None:
    post.send("race", "red", "HOLIDAY 2027-03-01 to 2027-03-09")
    post.run()
    assert "it must end on 2027-03-03 or earlier" in post.got()["red: race: your mail has a mistake"]


def test_the_bounds_of_holidays_are_settings(post: Post) -> None:
    post.settings('press = "moderated"', 'press = "moderated"\nlimits = {holiday_days = 100, days_ahead = 100}')
    post.send("race", "red", "HOLIDAY 2026-03-04 to 2026-06-09")
    post.run()
    assert "on holiday" in post.got()["red: race: your mail was read"]


def test_holidays_in_a_chain_have_a_limit_of_days_in_a_year(post: Post) -> None:
    lines = ["2026-03-04 to 2026-04-30", "2026-05-01 to 2026-06-28", "2026-06-29 to 2026-08-25"]
    post.send("race", "red", "\n".join(f"HOLIDAY {line}" for line in lines))
    post.run()
    told = post.got()["red: race: your mail has a mistake"]
    assert "You are on holiday from 2026-03-04 to 2026-04-30." in told
    assert "cannot accept your holiday from 2026-05-01 to 2026-06-28: with it, you would have 117 days" in told
    assert "at most 90" in told and "from 2026-06-29 to 2026-08-25: with it" in told
    post.send("race", "red", "HOLIDAY 2026-03-04 to 2026-04-30\nHOLIDAY 2026-05-01 to 2026-06-01")
    post.send("race", "red", "HOLIDAY 2026-06-02 to 2026-06-02")
    post.run()
    got = post.mails()
    assert ["cannot accept" in mail.as_string() for mail in got if mail["To"] == "red@example.org"] in (
        [False, True],
        [True, False],
    )


def test_the_days_of_a_member_count_in_all_games(post: Post) -> None:
    post.settings("[incoming]", "[people]\njoin = true\n\n[incoming]")
    post.add("checkered-flag", "red", "blue", game="other")
    post.send("race", "red", "GAMES\nHOLIDAY 2026-03-04 to 2026-04-30")
    post.run()
    post.send("race", "red", "HOLIDAY 2026-03-10 to 2026-04-30")
    post.mails()
    post.send("other", "red", "HOLIDAY 2026-05-01 to 2026-06-28")
    post.run()
    assert "have 117 days" in post.got()["red: other: your mail has a mistake"]


def test_a_holiday_of_an_older_ledger_beyond_all_bounds_counts_for_nothing(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    with closing(post.club.ledger()) as ledger, ledger.change():
        ledger.add_holiday("race", "red", post.now, 253_402_214_400)
    assert post.run(after=4 * DAY).troubles == ()
    assert decided_for(post) == ["red"]


def test_a_bug_over_one_mail_costs_only_that_mail(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.send("race", "blue", "STATUS")
    post.now += 1
    post.send("race", "red", "GEAR 1")
    real = intake.answer

    def of_blue(*given: Any) -> Any:
        return fail() if "blue" in given else real(*given)

    monkeypatch.setattr(intake, "answer", of_blue)
    done = post.run()
    assert orders(post) == ["GEAR 1"]
    assert "KeyError" in done.troubles[0]
    got = post.got()
    assert "The program failed" in got["blue: race: your mail could not be read"]
    assert "H2" not in got["blue: race: your mail could not be read"]
    told = got["gm: race: the program failed on a mail of blue"]
    assert "KeyError: 'H2'" in told and "test_failures.py" in told
    assert "KeyError" in matters(post)[0]
    assert states(post) == ["taken", "held"]


def test_a_mail_that_was_set_aside_is_tried_again_when_it_is_accepted(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.send("race", "red", "GEAR 1")
    monkeypatch.setattr(intake, "answer", fail)
    for _ in range(2):
        post.run(after=60)
        assert [words.partition(":")[0] for words in matters(post)] == ["mail from red@example.org"]
        with closing(post.club.ledger()) as ledger:
            accept(post.club, ledger, ledger.matters()[0].number, 0, "race", "red")
        assert matters(post) == []
    monkeypatch.undo()
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]


def test_a_mail_of_a_stranger_that_no_one_can_read_stops_no_other(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    real = intake.envelope_of

    def hostile(data: bytes) -> Any:
        return fail() if b"mallory" in data else real(data)

    monkeypatch.setattr(intake, "envelope_of", hostile)
    post.send("race", "red", "hi", From="mallory@example.net")
    post.send("race", "red", "GEAR 1")
    post.run()
    assert orders(post) == ["GEAR 1"]
    got = post.got()
    assert "gm: the program failed on mails" in got
    assert not any("mallory" in subject for subject in got)
    assert states(post) == ["taken", "held"]


def test_a_bug_whose_words_no_mail_can_carry_is_told_all_the_same(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(*_given: object) -> NoReturn:
        raise ValueError("a\udc80\x00b\r\nBcc: all@example.org")

    monkeypatch.setattr(intake, "answer", odd)
    post.send("race", "red", "GEAR 1")
    post.run()
    assert "ValueError: a\\udc80␀b" in post.got()["gm: race: the program failed on a mail of red"]
    assert states(post) == ["held"]


def test_a_game_over_whose_file_the_rules_fail_sets_no_mail_aside(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.send("race", "red", "GEAR 1")
    with monkeypatch.context() as patch:
        patch.setattr(intake, "open_game", fail)
        post.run()
        assert "KeyError" in post.got()["gm: race: this game cannot run"]
        assert states(post) == ["kept"]
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]


def test_a_game_whose_set_up_the_rules_refuse_waits_for_the_moderator(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object) -> NoReturn:
        raise adj.SetupError((Problem("a/b", "the race needs three cars"),))

    post.send("race", "red", "GEAR 1")
    with monkeypatch.context() as patch:
        patch.setattr(session, "config_of", refuse)
        assert post.run().troubles == ("race: the race needs three cars",)
        told = post.got()["gm: race: this game cannot run"]
        assert told.startswith("this game cannot run: the race needs three cars\n")
        assert states(post) == ["kept"]
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]


def test_a_mail_after_which_a_game_could_not_be_read_again_is_set_aside(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """The club reads what it is about to write: if it cannot, that is a bug, and would be one in every round."""
    real = save.dump_game
    monkeypatch.setattr(save, "dump_game", lambda game: real(game)[:-2])
    post.send("race", "red", "HOLIDAY 2026-03-05 to 2026-03-09")
    post.run()
    assert states(post) == ["held"]
    assert len(post.session("race").game.journal) == 1


def test_a_bug_over_one_game_costs_only_that_game(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.add("checkered-flag", "green", "white", game="other")
    post.run()
    post.send("race", "red", "GEAR 1")
    post.send("other", "green", "GEAR 1")
    real = adj.Game.play_turn

    def of_race(game: adj.Game, *given: Any, **named: Any) -> Any:
        return fail() if game.id == "race" else real(game, *given, **named)

    monkeypatch.setattr(adj.Game, "play_turn", of_race)
    post.mails()
    done = post.run()
    assert done.games == ("other",)
    assert "race" in done.troubles[0] and "KeyError" in done.troubles[0]
    assert "KeyError: 'H2'" in post.got()["gm: race: this game cannot run"]
    assert "KeyError" in row(post).stopped
    assert post.run(after=60).troubles == (), "it is not tried again until something changes"
    monkeypatch.undo()
    with closing(post.club.ledger()) as ledger:
        resume(post.club, ledger, ["race"], post.now)
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]
    assert row(post).stopped == ""


def test_broken_settings_of_a_game_cost_no_mail_of_it_and_no_other_game(post: Post) -> None:
    post.add("checkered-flag", "green", "white", game="other")
    post.run()
    post.mails()
    post.settings("[seats.red]", "[seats.red", "race")
    tag = post.tag("other", "green").replace("other/green", "race/red")
    post.send("", "red", "GEAR 1", Subject=tag)
    post.now += 1
    post.send("other", "green", "GEAR 1")
    done = post.run()
    assert done.games == ("other",)
    assert "game.toml" in done.troubles[0]
    assert "gm: race: this game cannot run" in post.got()
    assert states(post) == ["kept", "taken"]
    post.settings("[seats.red", "[seats.red]", "race")
    post.run(after=60)
    assert states(post) == ["taken", "held"], "its token is wrong, which is a judgment"


def test_a_draft_of_kits_survives_a_card_that_there_is_not(empty: Post) -> None:
    empty.add("rally-round", "red", "blue", game="rally", options={"kit": "draft"})
    empty.run()
    empty.mails()
    empty.send("rally", "red", "PICK BC\nPICK BC")
    assert empty.run().troubles == ()
    assert "the game has no kit card BC" in empty.got()["red: rally: your mail has a mistake"]


def test_a_mail_that_costs_too_much_work_is_set_aside(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_given: object) -> NoReturn:
        while True:
            try:
                signal.raise_signal(signal.SIGPROF)  # what the timer sends when the time is over
            except Exception:  # a ruleset, or the engine, may contain what fails within
                continue

    monkeypatch.setattr(adj.Game, "own_orders", endless)
    post.send("race", "red", "GEAR 1")
    post.run()
    got = post.got()
    assert "more than 10 seconds of work" in got["gm: race: the program failed on a mail of red"]
    assert "red: race: your mail could not be read" in got
    assert states(post) == ["held"]


def test_the_time_of_one_mail_is_measured(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    real = signal.setitimer

    def spy(which: int, seconds: float, interval: float = 0.0) -> Any:
        asked.append(seconds)
        return real(which, seconds, interval)

    monkeypatch.setattr(signal, "setitimer", spy)
    post.send("race", "red", "GEAR 1")
    post.run()
    assert asked[0] == max(asked) == 10
    assert asked[-1] == 0, "the timer runs on"
    assert signal.getsignal(signal.SIGPROF) == signal.SIG_DFL


# What is temporary


def test_a_game_that_another_command_has_locked_keeps_its_mails_and_its_deadline(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.now += 4 * DAY
    post.send("race", "red", "GEAR 1")
    post.send("race", "blue", "STATUS")
    tries: list[str] = []

    def busy(path: Path, *_given: object) -> NoReturn:
        tries.append(str(path))
        raise InUse(str(path), "another adjudicator is using this file; try again when it has finished")

    with monkeypatch.context() as patch:
        patch.setattr(intake, "locked", busy)
        done = post.run()
    assert "race" in done.troubles[0]
    assert len(tries) == 1, "each mail of that game would wait for the lock again"
    assert states(post) == ["kept", "kept"]
    assert orders(post) == [] and decided_for(post) == []
    assert "gm: race: the deadline waits for mails" in post.got()
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]
    assert {"red: race: your mail was read", "blue: race: your mail was read"} <= set(post.got())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_fails_once_loses_no_mail(post: Post, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.now += 3 * DAY - HOUR
    post.send("race", "red", "HOLIDAY 2026-03-05 to 2026-03-09\nGEAR 1")
    with monkeypatch.context() as patch:
        patch.setattr(atomic, "_write_all", failing_once(atomic._write_all, OSError(number, "no luck")))
        done = post.run()
    assert "cannot be written" in done.troubles[0]
    assert states(post) == ["kept"]
    post.run(after=2 * DAY)
    assert orders(post)[1:] == ["GEAR 1"]
    assert decided_for(post) == []


def test_settings_that_cannot_be_read_for_a_moment_lose_no_mail(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.settings('token = "required"', 'token = "address"')
    post.send("race", "red", "GEAR 1", Subject="orders")
    with monkeypatch.context() as patch:
        patch.setattr(folder, "game_settings", failing_once(folder.game_settings, OSError(errno.EIO, "Input/output error")))
        post.run()
    assert states(post) == ["kept"]
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]


def test_no_deadline_is_judged_while_mails_cannot_be_fetched(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.now += 2 * DAY
    post.send("race", "red", "GEAR 1")
    (post.folder / "inbox").rename(post.folder / "away")
    done = post.run(after=2 * DAY)
    assert done.games == ()
    assert any("could not fetch mails" in words for words in done.troubles)
    assert "gm: race: the deadline waits for mails" in post.got()
    (post.folder / "away").rename(post.folder / "inbox")
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]
    assert decided_for(post) == []


@pytest.mark.parametrize("sent", [["GEAR 1", "GEAR N"], ["GEAR N"]])
def test_a_game_waits_until_all_mails_are_fetched(post: Post, monkeypatch: pytest.MonkeyPatch, sent: list[str]) -> None:
    """One of those that are left may replace the one that is here."""
    for order in sent:
        post.now += 1
        post.send("race", "red", order)
    real = Maildir.fetch

    def first(box: Maildir, most: int) -> Iterator[NewMail]:
        yield next(iter(real(box, most)))
        raise MailboxError("the connection is gone")

    with monkeypatch.context() as patch:
        patch.setattr(Maildir, "fetch", first)
        assert post.run().games == ()
    post.run(after=60)
    assert orders(post) == ["GEAR N"]


@pytest.mark.parametrize("sent", [["GEAR 1", "GEAR N"], ["GEAR N", "GEAR 1"]])
@pytest.mark.parametrize("unread", [0, 1])
def test_mails_keep_their_order_if_one_cannot_be_read(
    post: Post, monkeypatch: pytest.MonkeyPatch, sent: list[str], unread: int
) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.now += 4 * DAY
    for order in sent:
        post.send("race", "red", order)
        post.now += 1
    hidden = sorted((post.folder / "inbox" / "new").iterdir())[unread]
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.mail.incoming.open", _open_all_but(hidden), raising=False)
        assert post.run().games == ()
    assert "gm: race: the deadline waits for mails" in post.got()
    post.run(after=60)
    assert orders(post) == sent[-1:]
    assert decided_for(post) == []


def test_games_continue_after_an_hour_with_a_mail_that_cannot_be_read(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.send("", "mallory", "Hello")
    (hidden,) = (post.folder / "inbox" / "new").iterdir()
    post.send("race", "red", "GEAR 1")
    monkeypatch.setattr("adjudicator.mail.incoming.open", _open_all_but(hidden), raising=False)
    post.run(after=HOUR - 1)
    assert states(post) == []
    post.run(after=1)
    assert orders(post) == ["GEAR 1"]


def _open_all_but(hidden: Path) -> Callable[..., Any]:
    def tried(path: Any, mode: str) -> Any:
        if Path(path) == hidden:
            raise OSError(errno.EIO, "Input/output error")
        return open(path, mode)

    return tried


def test_a_deadline_can_still_be_put_off_while_a_game_waits(post: Post) -> None:
    before = row(post).due
    with closing(post.club.ledger()) as ledger:
        assert extend(post.club, ledger, ["race"], "1 day", post.now) == {"race": before + DAY}
