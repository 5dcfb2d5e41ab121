"""Waiting lists: people join and leave them, confirm their places, and a game begins once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from players_post import DAY, HOUR, Post, awaited, matters
from test_register import asks, letters, registered, tagged, write

from adjudicator.club.database import Database
from adjudicator.club.waiting_lists import Place, WaitingList

OFFER = """[people]
join = true
new = true

[[people.open]]
ruleset = "checkered-flag"
deadline = "48 hours"
options = { laps = "2" }

[incoming]"""
CONFIRM = "checkered-flag: please confirm your place by"


@pytest.fixture
def club(empty: Post) -> Post:
    """A club that offers a race of two players, with three members."""
    empty.settings("[incoming]", OFFER)
    registered(empty, "ann", "bob", "eve")
    return empty


def address(name: str) -> str:
    return f"{name}@example.net"


def joins(post: Post, *names: str, words: str = "JOIN checkered-flag") -> None:
    """Let members write the same, and do a round."""
    for name in names:
        write(post, address(name), words, tagged(post, address(name)))
    post.run()


def lists(post: Post) -> dict[str, list[Place]]:
    """Return the places on each open list."""
    with closing(post.club.ledger()) as ledger:
        return {one.ruleset: ledger.places(one.id) for one in ledger.open_lists()}


def open_lists(post: Post) -> list[WaitingList]:
    with closing(post.club.ledger()) as ledger:
        return ledger.open_lists()


def subjects(post: Post, name: str) -> list[str]:
    return sorted(subject for to, subject, _ in letters(post) if to == address(name))


def test_a_game_begins_when_its_list_is_full_and_all_have_confirmed(club: Post) -> None:
    assert "1 of 2 places are taken" in asks(club, address("ann"), "JOIN checkered-flag")
    joins(club, "bob")
    found = letters(club)
    asked = {to: text for to, subject, text in found if subject.startswith(CONFIRM)}
    assert set(asked) == {address("ann"), address("bob")}
    assert "answer this mail by Wednesday 2026-03-04 12:00 UTC" in asked[address("ann")]
    assert club.club.games == ()
    joins(club, "ann")
    assert club.club.games == ()
    joins(club, "bob")
    assert club.club.games == ("checkered-flag-1",)
    session = club.session("checkered-flag-1")
    assert [(one.seat, one.holder) for one in session.game.setup.players] == [("red", "Ann"), ("blue", "Bob")]
    assert session.game.setup.options["laps"] == "2"
    settings = club.club.settings_of("checkered-flag-1")
    assert settings.seats["red"].addresses == (address("ann"),)
    assert settings.deadlines is not None and (settings.deadlines.every, settings.deadlines.at) == ("48 hours", "20:00")
    assert {to for to, subject, _ in letters(club) if subject == "checkered-flag-1: welcome"} == set(asked)
    club.run()
    assert lists(club) == {"checkered-flag": []}
    assert letters(club) == []


def test_an_answer_to_the_letter_confirms_a_place(club: Post) -> None:
    joins(club, "ann", "bob")
    mails = [mail for mail in club.mails() if CONFIRM in str(mail["Subject"])]
    assert len(mails) == 2
    for mail in mails:
        write(club, str(mail["To"]), "Yes!", f"Re: {mail['Subject']}", In_Reply_To=str(mail["Message-ID"]))
    club.run()
    assert club.club.games == ("checkered-flag-1",)


def test_the_answer_may_give_up_the_place_instead(club: Post) -> None:
    joins(club, "ann", "bob")
    (mail,) = [mail for mail in club.mails() if CONFIRM in str(mail["Subject"]) and mail["To"] == address("bob")]
    write(club, address("bob"), "LEAVE checkered-flag", f"Re: {mail['Subject']}", In_Reply_To=str(mail["Message-ID"]))
    joins(club, "ann")
    assert club.club.games == ()
    assert len(lists(club)["checkered-flag"]) == 1


def test_the_letter_of_another_confirms_nothing(club: Post) -> None:
    joins(club, "ann", "bob")
    (mail,) = [mail for mail in club.mails() if CONFIRM in str(mail["Subject"]) and mail["To"] == address("ann")]
    write(club, address("bob"), "Yes!", tagged(club, address("bob")), In_Reply_To=str(mail["Message-ID"]))
    club.run()
    assert [place.confirmed for place in lists(club)["checkered-flag"]] == [0, 0]


def test_who_does_not_confirm_in_time_loses_the_place_to_the_next(club: Post) -> None:
    joins(club, "ann", "bob", "eve")
    assert not any(CONFIRM in subject for subject in subjects(club, "eve"))
    joins(club, "ann")
    club.mails()
    club.run(after=2 * DAY - 1)
    assert letters(club) == []
    club.run(after=1)
    found = letters(club)
    assert [(to, subject) for to, subject, _ in found if "free again" in subject] == [
        (address("bob"), "checkered-flag: your place is free again")
    ]
    assert [to for to, subject, _ in found if subject.startswith(CONFIRM)] == [address("eve")]
    joins(club, "eve")
    assert club.club.games == ("checkered-flag-1",)


def test_a_confirmation_does_not_count_for_ever(club: Post) -> None:
    joins(club, "ann", "bob")
    joins(club, "ann")
    club.run(after=2 * DAY)
    club.mails()
    club.now += 30 * DAY
    joins(club, "bob")
    assert sorted(to for to, subject, _ in letters(club) if subject.startswith(CONFIRM)) == [address("ann"), address("bob")]


def test_no_place_is_lost_while_mails_cannot_be_fetched(club: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    joins(club, "ann", "bob")
    joins(club, "ann")
    club.now += 3 * DAY - HOUR
    write(club, address("bob"), "JOIN checkered-flag", tagged(club, address("bob")))
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.club.run._fetched", lambda *_: some_arrivals())
        club.run()
    club.run()
    assert club.club.games == ("checkered-flag-1",)


def some_arrivals() -> object:
    from adjudicator.club.intake import Arrivals

    return Arrivals(new=0, is_all=False)


def test_the_same_request_twice_takes_one_place(club: Post) -> None:
    joins(club, "ann", "ann")
    assert len(lists(club)["checkered-flag"]) == 1
    club.mails()
    assert "given up your place: checkered-flag" in asks(club, address("ann"), "LEAVE")
    assert "You have no place on a list." in asks(club, address("ann"), "LEAVE")


def test_people_left_on_a_list_are_first_on_the_next(club: Post) -> None:
    joins(club, "ann", "bob", "eve")
    joins(club, "ann", "bob")
    assert len(lists(club)["checkered-flag"]) == 1
    joins(club, "ann")
    joins(club, "ann", "eve")
    assert club.club.games == ("checkered-flag-1", "checkered-flag-2")
    assert [one.holder for one in club.session("checkered-flag-2").game.setup.players] == ["Eve", "Ann"]


def test_an_unknown_name_gets_a_suggestion(club: Post) -> None:
    assert "Did you mean checkered-flag?" in asks(club, address("ann"), "JOIN checkerd-flag")


def test_games_lists_what_there_is(club: Post) -> None:
    text = asks(club, address("ann"), "GAMES")
    assert "  checkered-flag  0 of 2 places taken, laps=2, 48 hours for a turn; write JOIN checkered-flag" in text
    joins(club, "ann", "bob")
    joins(club, "ann", "bob")
    club.mails()
    assert "Running games\n  checkered-flag-1" in asks(club, address("eve"), "GAMES")
    assert "  plays     checkered-flag-1" in asks(club, address("eve"), "WHO ann")


def test_other_settings_replace_a_list_that_nobody_has_joined(club: Post) -> None:
    club.settings('deadline = "48 hours"', 'deadline = "3 days"')
    club.run()
    assert [one.deadline for one in open_lists(club)] == ["3 days"]
    joins(club, "ann")
    club.settings('deadline = "3 days"', 'deadline = "4 days"')
    club.run()
    assert [one.deadline for one in open_lists(club)] == ["3 days"]


def test_an_offer_that_makes_no_sense_is_reported(club: Post) -> None:
    club.settings("[incoming]", '[[people.open]]\nruleset = "checkerd-flag"\n\n[incoming]')
    assert "the club cannot offer checkerd-flag: " in club.run().troubles[0]
    club.settings('"checkerd-flag"', '"great-race"\nplayers = 7')
    assert "The Great Race is for 2 to 4 players, not 7" in club.run().troubles[0]


@pytest.mark.parametrize("wish", ["players=9", "players=x", "deadline=soon", "laps=77", "colour=red"])
def test_a_proposal_that_makes_no_sense_is_refused(club: Post, wish: str) -> None:
    club.settings('ruleset = "checkered-flag"', 'ruleset = "great-race"')
    club.settings('{ laps = "2" }', "{}")
    assert "The club cannot offer this game: " in asks(club, address("ann"), f"NEW checkered-flag {wish}")
    assert matters(club) == []


def test_a_proposal_waits_for_the_moderator(club: Post) -> None:
    write(club, address("ann"), "NEW great-race players=3 deadline=48h\n" * 2, tagged(club, address("ann")))
    club.run()
    assert matters(club) == ["Ann (ann@example.net) proposes great-race, 3 players, 48 hours for a turn"]
    assert "great-race" not in lists(club)
    club.mails()
    assert "JOIN checkered-flag" in asks(club, address("ann"), "NEW checkered-flag")
    club.settings("new = true", "new = false")
    assert "the moderator decides" in asks(club, address("ann"), "NEW great-race players=2")


class Strike(BaseException):
    """The machine stops."""


class Steps:
    """Counts the steps of a round that change a file or the ledger, and stops the machine at the step ``stop``."""

    def __init__(self, patch: pytest.MonkeyPatch, stop: int) -> None:
        self.count, self.stop = 0, stop
        for name in ("rename", "replace"):
            patch.setattr(os, name, self._counted(getattr(os, name)))
        change = Database.change

        @contextmanager
        def changed(db: Database) -> Iterator[None]:
            with change(db):
                self.step()
                yield
                self.step()
            self.step()

        patch.setattr(Database, "change", changed)

    def step(self) -> None:
        self.count += 1
        if self.count == self.stop:
            raise Strike

    def _counted(self, call: Callable[..., None]) -> Callable[..., None]:
        def counted(*args: object, **kwargs: object) -> None:
            self.step()
            call(*args, **kwargs)
            self.step()

        return counted


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.soak)])
def test_no_interruption_begins_a_game_twice_or_loses_a_place(
    club: Post, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, every: int
) -> None:
    """The machine stops within, before and after each change of ledger and files, in the round of the last answer."""
    joins(club, "ann", "bob")
    joins(club, "ann")
    write(club, address("bob"), "JOIN checkered-flag\nWHO ann", tagged(club, address("bob")))
    club.mails()
    for stop in range(1, 1_000, every):
        copy = Post(tmp_path / "copy", now=club.now, seen=set(club.seen))
        shutil.copytree(club.folder, copy.folder)
        with monkeypatch.context() as patch:
            steps = Steps(patch, stop)
            with suppress(Strike):
                copy.run()
        require_begun_once(copy)
        shutil.rmtree(copy.folder)
        if steps.count < stop:
            break
    assert 20 < stop < 200


def require_begun_once(post: Post) -> None:
    """The next rounds begin one game, and each letter goes out once."""
    post.run()
    post.run()
    assert post.club.games == ("checkered-flag-1",)
    assert len(awaited(post.session("checkered-flag-1"))) == 1
    assert lists(post) == {"checkered-flag": []}
    found = sorted((to, subject) for to, subject, _ in letters(post))
    assert len(found) == len(set(found))
    assert {to for to, subject in found if subject == "checkered-flag-1: welcome"} == {address("ann"), address("bob")}
    assert (address("bob"), "your mail was read") in found
