"""Waiting lists: people join and leave them, confirm their places, and a game begins once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from players_post import DAY, HOUR, Post, awaited, matters
from test_register import asks, letters, tagged, write

from adjudicator.club.database import Database
from adjudicator.club.manage import pause
from adjudicator.club.waiting_lists import Place, WaitingList

pytestmark = pytest.mark.usefixtures("slow_bots")

CONFIRM = "checkered-flag: please confirm your place by"


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


def test_a_game_begins_when_its_list_is_full_and_all_have_confirmed(offering: Post) -> None:
    assert "1 of 2 places are taken" in asks(offering, address("ann"), "JOIN checkered-flag")
    joins(offering, "bob")
    found = letters(offering)
    asked = {to: text for to, subject, text in found if subject.startswith(CONFIRM)}
    assert set(asked) == {address("ann"), address("bob")}
    assert "answer this mail by Wednesday 2026-03-04 12:00 UTC" in asked[address("ann")]
    assert offering.club.games == ()
    joins(offering, "ann")
    assert offering.club.games == ()
    joins(offering, "bob")
    assert offering.club.games == ("checkered-flag-1",)
    session = offering.session("checkered-flag-1")
    assert [(one.seat, one.holder) for one in session.game.setup.players] == [("red", "Ann"), ("blue", "Bob")]
    assert session.game.setup.options["laps"] == "2"
    settings = offering.club.settings_of("checkered-flag-1")
    assert settings.seats["red"].addresses == (address("ann"),)
    assert settings.deadlines is not None and (settings.deadlines.every, settings.deadlines.at) == ("48 hours", "20:00")
    assert {to for to, subject, _ in letters(offering) if subject == "checkered-flag-1: welcome"} == set(asked)
    offering.run()
    assert lists(offering) == {"checkered-flag": []}
    assert letters(offering) == []


def test_an_answer_to_the_letter_confirms_a_place(offering: Post) -> None:
    joins(offering, "ann", "bob")
    mails = [mail for mail in offering.mails() if CONFIRM in str(mail["Subject"])]
    assert len(mails) == 2
    for mail in mails:
        write(offering, str(mail["To"]), "Yes!", f"Re: {mail['Subject']}", In_Reply_To=str(mail["Message-ID"]))
    offering.run()
    assert offering.club.games == ("checkered-flag-1",)


def test_the_answer_may_give_up_the_place_instead(offering: Post) -> None:
    joins(offering, "ann", "bob")
    (mail,) = [mail for mail in offering.mails() if CONFIRM in str(mail["Subject"]) and mail["To"] == address("bob")]
    write(offering, address("bob"), "LEAVE checkered-flag", f"Re: {mail['Subject']}", In_Reply_To=str(mail["Message-ID"]))
    joins(offering, "ann")
    assert offering.club.games == ()
    assert len(lists(offering)["checkered-flag"]) == 1


def test_the_letter_of_another_confirms_nothing(offering: Post) -> None:
    joins(offering, "ann", "bob")
    (mail,) = [mail for mail in offering.mails() if CONFIRM in str(mail["Subject"]) and mail["To"] == address("ann")]
    write(offering, address("bob"), "Yes!", tagged(offering, address("bob")), In_Reply_To=str(mail["Message-ID"]))
    offering.run()
    assert [place.confirmed for place in lists(offering)["checkered-flag"]] == [0, 0]


def test_who_does_not_confirm_in_time_loses_the_place_to_the_next(offering: Post) -> None:
    joins(offering, "ann", "bob", "eve")
    assert not any(CONFIRM in subject for subject in subjects(offering, "eve"))
    joins(offering, "ann")
    offering.mails()
    offering.run(after=2 * DAY - 1)
    assert letters(offering) == []
    offering.run(after=1)
    found = letters(offering)
    assert [(to, subject) for to, subject, _ in found if "free again" in subject] == [
        (address("bob"), "checkered-flag: your place is free again")
    ]
    assert [to for to, subject, _ in found if subject.startswith(CONFIRM)] == [address("eve")]
    joins(offering, "eve")
    assert offering.club.games == ("checkered-flag-1",)


def test_a_confirmation_does_not_count_for_ever(offering: Post) -> None:
    joins(offering, "ann", "bob")
    joins(offering, "ann")
    offering.run(after=2 * DAY)
    offering.mails()
    offering.now += 30 * DAY
    joins(offering, "bob")
    assert sorted(to for to, subject, _ in letters(offering) if subject.startswith(CONFIRM)) == [
        address("ann"),
        address("bob"),
    ]


def test_no_place_is_lost_while_mails_cannot_be_fetched(offering: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    joins(offering, "ann", "bob")
    joins(offering, "ann")
    offering.now += 3 * DAY - HOUR
    write(offering, address("bob"), "JOIN checkered-flag", tagged(offering, address("bob")))
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.club.run._fetched", lambda *_: some_arrivals())
        offering.run()
    offering.run()
    assert offering.club.games == ("checkered-flag-1",)


def some_arrivals() -> object:
    from adjudicator.club.intake import Arrivals

    return Arrivals(new=0, is_all=False)


def test_the_same_request_twice_takes_one_place(offering: Post) -> None:
    joins(offering, "ann", "ann")
    assert len(lists(offering)["checkered-flag"]) == 1
    offering.mails()
    assert "given up your place: checkered-flag" in asks(offering, address("ann"), "LEAVE")
    assert "You have no place on a list." in asks(offering, address("ann"), "LEAVE")


def test_people_left_on_a_list_are_first_on_the_next(offering: Post) -> None:
    joins(offering, "ann", "bob", "eve")
    joins(offering, "ann", "bob")
    assert len(lists(offering)["checkered-flag"]) == 1
    joins(offering, "ann")
    joins(offering, "ann", "eve")
    assert offering.club.games == ("checkered-flag-1", "checkered-flag-2")
    assert [one.holder for one in offering.session("checkered-flag-2").game.setup.players] == ["Eve", "Ann"]


def test_an_unknown_name_gets_a_suggestion(offering: Post) -> None:
    assert "Did you mean checkered-flag?" in asks(offering, address("ann"), "JOIN checkerd-flag")


def test_games_lists_what_there_is(offering: Post) -> None:
    text = asks(offering, address("ann"), "GAMES")
    assert "  checkered-flag, 2 players, laps=2, 48 hours for a turn: 0 have joined; write JOIN checkered-flag" in text
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    offering.mails()
    assert "Running games\n  checkered-flag-1" in asks(offering, address("eve"), "GAMES")
    assert "  plays     checkered-flag-1" in asks(offering, address("eve"), "WHO ann")


def test_a_game_can_have_a_language(offering: Post) -> None:
    offering.settings('deadline = "48 hours"', 'deadline = "48 hours"\nlanguage = "de"')
    offering.run()
    number = open_lists(offering)[0].id
    assert "laps=2, 48 hours for a turn, language=de: 0 have joined" in asks(offering, address("ann"), "GAMES")
    assert "great-race, 2 players, language=fr." in asks(offering, address("ann"), "NEW great-race language=fr")
    for wrong in ("xx", "german"):
        assert "cannot offer" in asks(offering, address("ann"), f"NEW great-race language={wrong}")
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    assert open_lists(offering)[0].id == number + 2  # one was the proposal
    assert offering.session("checkered-flag-1").game.languages == ("de",)
    offering.settings('language = "de"', 'language = "English"')
    offering.run()
    number = open_lists(offering)[0].id
    offering.run()
    assert (open_lists(offering)[0].id, open_lists(offering)[0].language) == (number, "")


def test_other_settings_replace_a_list_that_nobody_has_joined(offering: Post) -> None:
    offering.settings('deadline = "48 hours"', 'deadline = "3 days"')
    offering.run()
    assert [one.deadline for one in open_lists(offering)] == ["3 days"]
    joins(offering, "ann")
    offering.settings('deadline = "3 days"', 'deadline = "4 days"')
    offering.run()
    assert [one.deadline for one in open_lists(offering)] == ["3 days"]


def test_an_offer_that_makes_no_sense_is_reported(offering: Post) -> None:
    offering.settings("[incoming]", '[[people.open]]\nruleset = "checkerd-flag"\n\n[incoming]')
    assert "the club cannot offer checkerd-flag: " in offering.run().troubles[0]
    offering.settings('"checkerd-flag"', '"great-race"\nplayers = 7')
    assert "The Great Race is for 2 to 4 players, not 7" in offering.run().troubles[0]


@pytest.mark.parametrize("wish", ["players=9", "players=x", "deadline=soon", "laps=77", "colour=red"])
def test_a_proposal_that_makes_no_sense_is_refused(offering: Post, wish: str) -> None:
    offering.settings('ruleset = "checkered-flag"', 'ruleset = "great-race"')
    offering.settings('{ laps = "2" }', "{}")
    assert "The club cannot offer this game: " in asks(offering, address("ann"), f"NEW checkered-flag {wish}")
    assert matters(offering) == []


def test_a_proposal_waits_for_the_moderator(offering: Post) -> None:
    write(offering, address("ann"), "NEW great-race players=3 deadline=48h\n" * 2, tagged(offering, address("ann")))
    offering.run()
    assert matters(offering) == ["Ann (ann@example.net) proposes great-race, 3 players, 48 hours for a turn"]
    assert "great-race" not in lists(offering)
    offering.mails()
    assert "JOIN checkered-flag" in asks(offering, address("ann"), "NEW checkered-flag")
    offering.settings("new = true", "new = false")
    assert "the moderator decides" in asks(offering, address("ann"), "NEW great-race players=2")


@pytest.fixture(scope="module")
def _left(_offering: Post, tmp_path_factory: pytest.TempPathFactory) -> Post:
    post = _offering.copied(tmp_path_factory.mktemp("left") / "club")
    post.settings('nmr = "wait"', 'nmr = "drop"')
    joins(post, "ann", "bob")
    joins(post, "ann", "bob")
    post.run(after=5 * DAY)
    post.run(after=5 * DAY)
    with closing(post.club.ledger()) as ledger:
        pause(post.club, ledger, ["all"], post.now)  # else each round sends reports about the simulated players
    post.run()
    post.mails()
    return post


@pytest.fixture
def left(_left: Post, tmp_path: Path) -> Post:
    """The club that offers a race, after a race in which Ann and Bob missed their turns and lost their seats."""
    return _left.copied(tmp_path / "club")


def limit_games(post: Post, running: int) -> None:
    """Let players who have abandoned a game play so many ``running`` games."""
    post.settings("[incoming]", f"[limits]\nrunning_games = {running}\n\n[incoming]")


def test_a_list_can_be_for_reliable_players(left: Post) -> None:
    left.settings('{ laps = "2" }', '{ laps = "2" }\ncondition = "reliability>=50"')
    left.run()
    assert "checkered-flag, 2 players, laps=2, 48 hours for a turn, reliability>=50" in asks(left, address("eve"), "GAMES")
    assert "time: 0 of 1 (0 %)\n  seats abandoned: 1 of 1 (100 %)" in asks(left, address("eve"), "WHO ann")
    assert "This game is for players with reliability>=50. Your record: " in asks(
        left, address("ann"), "JOIN checkered-flag"
    )
    assert "1 of 2" in asks(left, address("eve"), "JOIN checkered-flag")


def test_a_proposal_may_have_a_condition(offering: Post) -> None:
    assert "The moderator has your proposal: great-race, 3 players, abandoned<=10." in asks(
        offering, address("ann"), "NEW great-race players=3 abandoned<=10"
    )
    assert "“luck>=9” is not a condition" in asks(offering, address("bob"), "NEW great-race luck>=9")


def test_a_proposal_is_no_way_around_the_limit_of_running_games(left: Post) -> None:
    limit_games(left, 0)
    for line in ("JOIN checkered-flag", "NEW great-race players=2"):
        assert "left games" in asks(left, address("bob"), line)
    assert all("proposes" not in words for words in matters(left))
    with closing(left.club.ledger()) as ledger:
        assert ledger.places_of(2) == []


def test_places_on_lists_count_as_running_games(left: Post) -> None:
    limit_games(left, 1)
    assert "1 of 2" in asks(left, address("bob"), "JOIN checkered-flag")
    assert "1 of 2" in asks(left, address("bob"), "JOIN checkered-flag")
    assert "have left games" in asks(left, address("bob"), "NEW great-race players=2")


def test_a_proposal_needs_a_proposer_who_meets_its_condition(left: Post) -> None:
    limit_games(left, 9)
    assert "This game is for players with abandoned<=10. Your record: " in asks(
        left, address("ann"), "NEW great-race players=2 abandoned<=10"
    )
    assert "has your proposal" in asks(left, address("eve"), "NEW great-race players=2 abandoned<=10")


def test_a_full_list_checks_the_standing_of_its_people_again(offering: Post) -> None:
    """One player joins the list, then abandons a game; the other does so after confirming the place."""
    offering.settings('nmr = "wait"', 'nmr = "drop"')
    offering.settings("new = true", 'new = true\nconfirm = "9 days"')
    offering.settings("[incoming]", "[limits]\nrunning_games = 0\n\n[incoming]")
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    early, late = ("ann", "bob") if awaited(offering.session("checkered-flag-1")) == ["red"] else ("bob", "ann")
    joins(offering, early)
    offering.mails()
    offering.run(after=5 * DAY)
    joins(offering, "eve")
    found = [(subject, text) for to, subject, text in letters(offering) if to == address(early)]
    (lost,) = [text for subject, text in found if subject == "checkered-flag: your place is free again"]
    assert "You have left games before their end." in lost
    assert not any(subject.startswith(CONFIRM) for subject, _ in found)
    assert [place.person for place in lists(offering)["checkered-flag"]] == [3]
    joins(offering, late)
    joins(offering, late)
    assert [place.confirmed > 0 for place in lists(offering)["checkered-flag"]] == [False, True]
    offering.run(after=5 * DAY)
    joins(offering, "eve")
    assert offering.club.games == ("checkered-flag-1",)
    assert [place.person for place in lists(offering)["checkered-flag"]] == [3]


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


def copies(post: Post, patch: pytest.MonkeyPatch, folder: Path, every: int) -> Iterator[Post]:
    """Yield a copy of the club for every step of a round, or each so many, in which the machine stopped at that step."""
    for stop in range(1, 1_000, every):
        copy = Post(folder, now=post.now, seen=set(post.seen))
        shutil.copytree(post.folder, copy.folder)
        with patch.context() as patched:
            steps = Steps(patched, stop)
            with suppress(Strike):
                copy.run()
        copy.run()
        copy.run()
        yield copy
        shutil.rmtree(copy.folder)
        if steps.count < stop:
            break
    assert 20 < stop < 200


@pytest.mark.parametrize("every", [17, pytest.param(1, marks=pytest.mark.soak)])
def test_no_interruption_begins_a_game_twice_or_loses_a_place(
    offering: Post, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, every: int
) -> None:
    """The machine stops within, before and after each change of ledger and files, in the round of the last answer."""
    joins(offering, "ann", "bob")
    joins(offering, "ann")
    write(offering, address("bob"), "JOIN checkered-flag\nWHO ann", tagged(offering, address("bob")))
    offering.mails()
    for post in copies(offering, monkeypatch, tmp_path / "copy", every):
        assert post.club.games == ("checkered-flag-1",)
        assert len(awaited(post.session("checkered-flag-1"))) == 1
        assert lists(post) == {"checkered-flag": []}
        found = sorted((to, subject) for to, subject, _ in letters(post))
        assert len(found) == len(set(found))
        assert {to for to, subject in found if subject == "checkered-flag-1: welcome"} == {address("ann"), address("bob")}
        assert (address("bob"), "your mail was read") in found


@pytest.mark.parametrize("every", [23, pytest.param(1, marks=pytest.mark.soak)])
def test_no_interruption_loses_or_repeats_a_letter(
    offering: Post, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, every: int
) -> None:
    """The same as in a round that nothing interrupts, with all kinds of mails."""
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    joins(offering, "eve", words="SET address=eve@new.example")
    write(offering, "zoe@example.net", "JOIN")
    offering.run()
    (letter,) = [mail for mail in offering.mails() if mail["To"] == "eve@new.example"]
    write(offering, "yan@example.net", "JOIN")
    write(offering, "zoe@example.net", "REGISTER Zoe\nJOIN checkered-flag", tagged(offering, "zoe@example.net"))
    write(offering, "eve@new.example", "JOIN checkered-flag", str(letter["Subject"]))
    write(offering, address("bob"), "NEW great-race players=2\nMESSAGE to moderator: hi", tagged(offering, address("bob")))
    offering.send("checkered-flag-1", "red", "JOIN checkered-flag\nHELP", From=address("ann"))
    calm = Post(tmp_path / "calm", now=offering.now, seen=set(offering.seen))
    shutil.copytree(offering.folder, calm.folder)
    calm.run()
    calm.run()
    expected, places, waiting = letters(calm), lists(calm), matters(calm)
    assert len(places["checkered-flag"]) == 3 and len(waiting) == 2 and len(expected) > 8
    for post in copies(offering, monkeypatch, tmp_path / "copy", every):
        assert sorted(one[:2] for one in letters(post)) == sorted(one[:2] for one in expected)
        assert lists(post) == places
        assert matters(post) == waiting


def test_the_conversation_in_the_documents_takes_place(offering: Post) -> None:
    page = (Path(__file__).parents[2] / "docs" / "club.md").read_text("utf-8")
    block = page.partition("```text\nAnn   ")[2].partition("\n```")[0]
    zed, found = "zed@example.net", list[tuple[str, str, str]]()
    for line in f"Ann   {block}".splitlines():
        who, words = line.partition("  (")[0].strip().split(maxsplit=1)
        if who == "Ann":
            is_member = any(to == zed for to, _, _ in found)
            write(
                offering,
                zed,
                words.replace("Ann", "Zed"),
                tagged(offering, zed) if is_member else "hello",
                **answered(offering),
            )
            offering.run()
            found += letters(offering)
            continue
        if words.startswith("please confirm"):  # another member takes the other place
            joins(offering, "bob")
            joins(offering, "bob")
        found += letters(offering)
        sought = words.partition(": games")[0].partition(" by Thursday")[0].removeprefix("[club/member#…] ")
        assert any(to == zed and sought in f"{subject}\n{text}" for to, subject, text in found), line
    assert offering.club.games == ("checkered-flag-1",)


def answered(post: Post) -> dict[str, str]:
    """Return the field that makes a mail an answer to all letters that ask Zed to confirm a place."""
    with closing(post.club.ledger()) as ledger:
        query = "select message_id from letters where key like 'muster/%' and recipient = 'zed@example.net'"
        found = [row[0] for row in ledger._db.execute(query)]
    return {"References": " ".join(found)} if found else {}
