"""The moderator's part: lists, requests, seats for stand-ins, and the data of a member."""

from __future__ import annotations

import re
from contextlib import closing
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from players_post import DAY, HOUR, Post, awaited, matters
from test_new_address import token_for
from test_public import files, publish
from test_register import JOIN_ON, asks, letters, members, registered, tagged, write
from test_waiting_lists import address, joins, lists

from adjudicator.club.manage import ClubError, status_of
from adjudicator.club.members import forget_member, grant, open_list, settle
from adjudicator.club.players import members_of, remove_game
from adjudicator.core.corrections import WentOnHoliday
from adjudicator.outputs.clubs import ClubMember, NextClubGame
from adjudicator.reports.data.player_standing import SIMULATED

pytestmark = pytest.mark.usefixtures("slow_bots")


def vacant(seat: str) -> str:
    return f"{seat} has no player: the club asks those who stand in"


@pytest.fixture(scope="module")
def _dropped(_racing: Post, tmp_path_factory: pytest.TempPathFactory) -> Post:
    post = _racing.copied(tmp_path_factory.mktemp("dropped") / "club")
    post.settings("[incoming]", JOIN_ON)
    post.settings('nmr = "wait"', 'nmr = "drop"')
    registered(post, "ann")
    post.run(after=5 * DAY)
    post.mails()
    return post


@pytest.fixture
def dropped(_dropped: Post, tmp_path: Path) -> Post:
    """A club that people can join, with the member Ann and a race whose red seat a simulated player has."""
    return _dropped.copied(tmp_path / "club")


def granted(post: Post, number: int, seat: str = "") -> str:
    with closing(post.club.ledger()) as ledger:
        return grant(post.club, ledger, number, seat, post.now)


@pytest.mark.parametrize(("line", "seat"), [("STANDIN race", "red"), ("JOIN race as red", ""), ("JOIN race", "red")])
def test_a_member_gets_a_seat_without_a_player_from_the_moderator(dropped: Post, line: str, seat: str) -> None:
    assert "The moderator has your request for a seat in race." in asks(dropped, address("ann"), line)
    about, words = matters(dropped)
    assert about == vacant("red")
    assert words.startswith("Ann") and words.endswith("red")
    if seat:
        with pytest.raises(ClubError, match="name the seat with --seat"):
            granted(dropped, 2)
    assert granted(dropped, 2, seat) == "race: Ann now plays red, with a new token"
    dropped.run()
    assert "race: welcome" in [subject for to, subject, _ in letters(dropped) if to == address("ann")]
    assert dropped.club.settings_of("race").seats["red"].addresses == (address("ann"),)
    assert matters(dropped) == []
    with pytest.raises(ClubError, match="there is no matter 2"):
        granted(dropped, 2, "red")


def test_those_who_stand_in_are_asked_once(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    post.settings('nmr = "wait"', 'nmr = "drop"')
    registered(post, "ann", "bob", "eve")
    for name in ("ann", "bob"):
        asks(post, address(name), "SET standin=yes")
    asks(post, address("bob"), "SET standin=no")
    post.send("race", "blue", "SET standin=yes")
    post.run(after=5 * DAY)
    found = [(to, text) for to, subject, text in letters(post) if subject == "race: red needs a player"]
    assert [to for to, _ in found] == [address("ann")]
    assert "write JOIN race as red in an answer" in found[0][1]
    post.run(after=5 * DAY)
    assert [to for to, subject, _ in letters(post) if "red needs a player" in subject] == []


@pytest.mark.parametrize("line", ["STANDIN race", "JOIN race as blue"])
def test_a_seat_with_a_player_is_not_free(post: Post, line: str) -> None:
    post.settings("[incoming]", JOIN_ON)
    registered(post, "ann")
    assert "no free seat" in asks(post, address("ann"), line)
    assert matters(post) == []


def test_the_seat_of_a_player_who_resigns_can_be_asked_for(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    registered(post, "ann")
    post.send("race", "blue", "RESIGN")
    post.run()
    assert "your request" in asks(post, address("ann"), "JOIN race as blue")


def test_those_who_stand_in_are_asked_when_the_moderator_grants_a_resignation(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    registered(post, "ann")
    asks(post, address("ann"), "SET standin=yes")
    post.send("race", "blue", "RESIGN")
    post.run()
    assert ["`club accept`" in text for to, subject, text in letters(post) if "wants to resign" in subject] == [True]
    post.send("race", "blue", "RESIGN")
    post.run()
    assert "race has no free seat red" in asks(post, address("ann"), "JOIN race as red")
    assert granted(post, 1) == "race: a simulated player has blue from now on"
    post.run()
    assert [subject for to, subject, _ in letters(post) if to == address("ann")] == ["race: blue needs a player"]
    assert matters(post) == [vacant("blue")]
    with closing(post.club.ledger()) as ledger, ledger.change():
        ledger.raise_matter("resign/an-old-mail/0", "race", 1, "Red wants to resign")
    with pytest.raises(ClubError, match="--seat"):
        granted(post, 4)
    with pytest.raises(ClubError, match="no seat green"):
        granted(post, 4, "green")
    assert granted(post, 4, "red") == "race: a simulated player has red from now on"


def test_a_resignation_is_settled_when_another_player_gets_the_seat(post: Post) -> None:
    post.send("race", "blue", "RESIGN")
    post.run()
    post.seat("race", "blue", "Carol", "carol@example.net")
    assert matters(post) == []


def test_a_player_asks_for_no_second_seat(dropped: Post) -> None:
    dropped.send("race", "blue", "STANDIN race")
    dropped.run()
    assert "You already play in race." in "".join(text for to, _, text in letters(dropped) if to == "blue@example.org")


def test_games_names_the_seats_without_a_player(dropped: Post) -> None:
    text = asks(dropped, address("ann"), "GAMES")
    assert "Games with a seat without a player\n  race: red; write STANDIN race\n" in text
    asks(dropped, address("ann"), "JOIN race as red")
    granted(dropped, 2)
    dropped.run()
    dropped.mails()
    assert "without a player" not in asks(dropped, address("ann"), "GAMES")


def test_a_player_who_was_dropped_can_ask_for_the_seat_again(dropped: Post) -> None:
    dropped.send("race", "red", "STANDIN race")
    dropped.run()
    assert matters(dropped)[-1] == "Red (red@example.org) asks for red"
    assert granted(dropped, 2, "red") == "race: Red now plays red, with a new token"
    dropped.run()
    assert dropped.session("race").holders["red"] == "Red"


def dropped_matter(post: Post, number: int) -> None:
    with closing(post.club.ledger()) as ledger:
        settle(post.club, ledger, number, post.now)


def test_a_request_that_the_moderator_drops_is_declined_and_can_be_made_again_after_a_week(dropped: Post) -> None:
    asks(dropped, address("ann"), "STANDIN race")
    dropped_matter(dropped, 2)
    dropped.run()
    ((to, subject, text),) = letters(dropped)
    assert to == address("ann")
    assert "has declined" in subject
    assert "race, any seat" in text
    for _ in range(2):
        assert "The moderator has declined this" in asks(dropped, address("ann"), "STANDIN race")
    assert matters(dropped) == [vacant("red")]
    dropped.now += 8 * DAY
    assert "your request" in asks(dropped, address("ann"), "STANDIN race")
    assert matters(dropped)[1] == "Ann (ann@example.net) asks for red"


def test_a_proposal_that_the_moderator_drops_is_declined(offering: Post) -> None:
    joins(offering, "ann", words="NEW great-race players=3")
    joins(offering, "bob", words="NEW great-race players=3")
    dropped_matter(offering, 1)
    offering.mails()
    offering.run()
    found = [(to, subject, "great-race, 3 players" in text) for to, subject, text in letters(offering)]
    assert sorted(found) == [(address(name), "the moderator has declined your request", True) for name in ("ann", "bob")]
    assert "has declined" in asks(offering, address("ann"), "NEW great-race players=3")
    assert "no place" in asks(offering, address("ann"), "LEAVE")
    assert "has your proposal" in asks(offering, address("eve"), "NEW great-race players=3")
    assert matters(offering) == ["Eve (eve@example.net) proposes great-race, 3 players"]


def test_a_request_that_an_earlier_version_dropped_reaches_the_moderator_again(dropped: Post) -> None:
    asks(dropped, address("ann"), "STANDIN race")
    with closing(dropped.club.ledger()) as ledger, ledger.change():
        ledger.settle_matter(2)
    asks(dropped, address("ann"), "STANDIN race\nGAMES")
    assert len(matters(dropped)) == 2


def test_a_proposal_becomes_a_list_with_a_place_for_its_author(offering: Post) -> None:
    joins(offering, "ann", words="NEW great-race players=3 deadline=48h")
    offering.mails()
    assert granted(offering, 1) == "the list for the next game of great-race is open"
    offering.run()
    assert [(to, subject) for to, subject, _ in letters(offering)] == [(address("ann"), "great-race: your list is open")]
    assert [place.person for place in lists(offering)["great-race"]] == [1]
    joins(offering, "bob", words="NEW great-race players=2")
    assert matters(offering) == []
    joins(offering, "bob", "eve", words="JOIN great-race")
    joins(offering, "ann", "bob", "eve", words="JOIN great-race")
    assert offering.club.games == ("great-race-1",)
    assert set(lists(offering)) == {"checkered-flag"}


def test_the_author_of_a_proposal_can_leave_it(offering: Post) -> None:
    joins(offering, "ann", words="NEW great-race players=3")
    offering.mails()
    assert "given up your place: great-race" in asks(offering, address("ann"), "LEAVE")


def test_the_moderator_opens_a_list(offering: Post) -> None:
    with closing(offering.club.ledger()) as ledger:
        assert open_list(ledger, ["great-race", "players=3", "deadline=2d"], 5) == "great-race, 3 players, 2 days for a turn"
        for words, why in (
            (["great-race"], "already has a list"),
            (["checkerd-flag"], "checkerd-flag"),
            (["checkpoint-rally", "players=9"], "at most 8 places"),
            (["checkpoint-rally", "sea"], "name a ruleset"),
        ):
            with pytest.raises(ClubError, match=why):
                open_list(ledger, words, 5)
        found = status_of(offering.club, ledger).lists
    assert found == (
        NextClubGame(ruleset="checkered-flag", players=2, joined=0, confirmed=0),
        NextClubGame(ruleset="great-race", players=3, joined=0, confirmed=0),
    )


def test_the_data_of_a_member_can_be_deleted(offering: Post) -> None:
    joins(offering, "bob", words="JOIN checkered-flag\nMESSAGE to moderator: hello from Bob")
    write(offering, address("bob"), "SECRET", tagged(offering, address("bob")))
    assert [one.name for one in members_of(offering.club)] == ["Ann", "Bob", "Eve"]
    with closing(offering.club.ledger()) as ledger:
        assert forget_member(offering.club, ledger, address("Bob")) == "member 2: deleted. Backups still have the data."
        with pytest.raises(ClubError, match="no member with the address bob@"):
            forget_member(offering.club, ledger, address("bob"))
    assert list(members_of(offering.club))[1] == ClubMember(name="Eve", address=address("eve"), since=offering.now)
    assert [len(places) for places in lists(offering).values()] == [0]
    assert matters(offering) == []
    with closing(offering.club.ledger()) as ledger:
        tables = ("people", "mails", "letters", "uses", "matters", "changes")
        rows = [tuple(row) for table in tables for row in ledger._db.execute(f"select * from {table}")]
    assert "bob" not in repr(rows).casefold()


def test_a_member_with_a_seat_is_not_deleted(offering: Post) -> None:
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    with closing(offering.club.ledger()) as ledger, pytest.raises(ClubError, match="a seat in checkered-flag-1"):
        forget_member(offering.club, ledger, address("ann"))


def test_a_deleted_member_can_join_again(offering: Post) -> None:
    with closing(offering.club.ledger()) as ledger:
        forget_member(offering.club, ledger, address("bob"))
    registered(offering, "bob")
    assert [(one.id, one.name) for one in members(offering)] == [(1, "Ann"), (4, "Bob"), (3, "Eve")]


def test_a_member_may_get_text_only(offering: Post) -> None:
    assert "text only" in asks(offering, address("ann"), "SET format=text")
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    forms = {
        str(mail["To"]): {part.get_content_type() for part in mail.walk()} & {"text/html"}
        for mail in offering.mails()
        if "turn 1" in str(mail["Subject"]) and mail["To"] != "gm@example.org"
    }
    assert forms == {address("ann"): set(), address("bob"): {"text/html"}}


def test_new_games_take_orders_in_the_languages_of_their_players(offering: Post) -> None:
    asked = "SET language=DE\nSET language=nonsense language\nSET language=xx\nSET colour=blue"
    known, *unknown, _ = asks(offering, address("ann"), asked).split("\n\n")
    assert known == "In games that begin from a list, you can also write your orders in German."
    assert unknown == [
        f"The club does not know the language “{word}”. After SET language= you can write de (German), es (Spanish),"
        " fr (French), it (Italian), nl (Dutch), pl (Polish) or en (English only)."
        for word in ("nonsense language", "xx")
    ]
    assert members(offering)[0].language == "de"
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    assert offering.session("checkered-flag-1").game.languages == ("de",)
    offering.mails()
    assert "only in English" in asks(offering, address("ann"), "SET language=english")
    assert members(offering)[0].language == ""


def test_a_simulated_player_is_no_name_for_a_member(dropped: Post) -> None:
    assert "has not changed your name" in asks(dropped, address("ann"), f"SET name={SIMULATED}")


def test_the_holiday_of_a_member_is_for_all_their_games(offering: Post) -> None:
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    offering.mails()
    (due,) = awaited(offering.session("checkered-flag-1"))
    player = {"red": "ann", "blue": "bob"}[due]
    line = "HOLIDAY 2026-03-04 to 2026-03-10"
    assert "from 2026-03-04 to 2026-03-10" in asks(offering, address(player), line)
    assert "it is over" in asks(offering, address(player), "HOLIDAY 2026-03-01 to 2026-03-01")
    offering.run(after=3 * DAY)
    found = [subject for to, subject, _ in letters(offering) if to == address(player)]
    assert found == ["checkered-flag-1: orders due Friday 2026-03-13 20:00 UTC"]


def holidays(post: Post, game: str) -> list[tuple[str, str, str]]:
    """Return the holidays in the journal of ``game``."""
    events = [event for link in post.session(game).game.journal for event in link.entry.events]
    return [(event.seat, event.first, event.last) for event in events if isinstance(event, WentOnHoliday)]


def test_the_holiday_of_a_member_is_in_the_journal_of_each_of_their_games(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    post.add("checkered-flag", "red", "blue", game="other")
    post.send("race", "red", "GAMES")
    post.run()
    post.mails()
    asks(post, "red@example.org", "HOLIDAY 2026-03-04 to 2026-03-10")
    red = ("red", "2026-03-04", "2026-03-10")
    assert (holidays(post, "race"), holidays(post, "other")) == ([red], [red])
    post.run()
    post.send("race", "red", "HOLIDAY 2026-03-20 to 2026-03-21")
    post.run(after=60)
    assert len(holidays(post, "other")) == 2
    assert [subject for to, subject, _ in letters(post) if to == "blue@example.org"] == []
    post.add("checkered-flag", "red", "green", game="third")
    post.run()
    assert len(holidays(post, "third")) == 2


def test_a_holiday_in_one_game_is_for_the_others_of_a_member(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    post.add("checkered-flag", "red", "blue", game="other")
    post.send("race", "red", "GAMES")
    post.send("race", "red", "HOLIDAY 2026-03-04 to 2026-03-10")
    post.run()
    post.mails()
    post.run(after=4 * DAY)
    assert "red: other: orders due Saturday 2026-03-14 20:00 UTC" in post.got()


def test_the_letter_about_a_holiday_names_the_turn(post: Post) -> None:
    """Two turns can have the same deadline: without the number, the second letter would be the same as the first."""
    post.send("race", "red", "HOLIDAY 2026-03-04 to 2026-03-10")
    post.run(after=4 * DAY)
    (text,) = [text for name, text in post.got().items() if name.startswith("blue: race: orders due")]
    assert "the deadline of race, turn 1 has moved" in text


def test_a_turn_waits_for_its_deadline_if_a_player_wants_it(post: Post) -> None:
    post.send("race", "blue", "WAIT FOR DEADLINE")
    post.send("race", "red", "wait until the deadline.\nGEAR 1")
    post.run()
    got = post.got()
    assert "not your turn" in got["blue: race: your mail has a mistake"]
    assert "NOWAIT ends this" in got["red: race: your mail was read"]
    assert len(post.session("race").game.journal) == 1
    post.run(after=3 * DAY)
    assert not any("reminder" in name for name in post.got())
    post.run(after=21 * HOUR)
    assert len(post.session("race").game.journal) > 1


def test_a_player_can_end_the_wait(post: Post) -> None:
    post.send("race", "red", "WAIT FOR DEADLINE\nGEAR 1")
    post.run()
    post.send("race", "red", "NOWAIT")
    post.run()
    assert len(post.session("race").game.journal) > 1


def forgets(post: Post, name: str) -> str:
    with closing(post.club.ledger()) as ledger:
        return forget_member(post.club, ledger, address(name))


def test_only_the_data_of_the_named_member_is_deleted(offering: Post) -> None:
    """Other addresses contain this one, and other people write about it; the moderator's mails still go out."""
    registered(offering, "joann")
    joins(offering, "ann", words="SET address=ann@old.example")
    write(offering, "ann@old.example", "Yes", token_for(offering, "ann@old.example"))
    joins(offering, "joann", words="SET address=ann@example.net")
    write(offering, "ann@old.example", f"SET address={address('ann')}", tagged(offering, "ann@old.example"))
    offering.run(after=DAY)
    write(offering, address("ann"), "Yes", token_for(offering, address("ann")))
    offering.run()
    joins(offering, "ann", words="MESSAGE to moderator: hello from Ann")
    with closing(offering.club.ledger()) as ledger:
        settle(offering.club, ledger, ledger.matters()[0].number, offering.now)
    joins(offering, "bob", "joann", words="MESSAGE to moderator: is ann@example.net there?")
    joins(offering, "ann", words="SET address=ann@new.example\nNEW great-race")
    write(offering, address("ann"), "What is this?")
    offering.run()
    offering.mails()
    with closing(offering.club.ledger()) as ledger, ledger.change():
        ledger.record_change(offering.now, "seat", "red: joann@example.net instead of ann@example.net")
        ledger.record_change(offering.now, "accept", "race: Joann now plays blue, race: Ann now plays red, with a new token")
        ledger.add_holiday("club", "1", 5, 6)
        ledger._db.execute("update letters set state = 'queued' where kind = 'moderator'")
    forgets(offering, "ann")
    assert matters(offering) == [
        "Bob (bob@example.net) writes:\n\nis (deleted) there?",
        "Joann (joann@example.net) writes:\n\nis (deleted) there?",
    ]
    with closing(offering.club.ledger()) as ledger:
        left = [message_from_bytes(one.data, policy=default) for one in ledger.due_letters(offering.now, DAY, 99)]
        assert [str(one["Subject"]) for one in left] == [
            *("[Thursday club] Bob (bob@example.net) writes", "[Thursday club] Joann (joann@example.net) writes")
        ]
        assert all("is (deleted) there?" in one.get_content() for one in left)
        assert ledger.holidays("club", "1", 0, DAY) == []
        tables = ("people", "letters", "uses", "matters", "changes")
        rows = [tuple(row) for table in tables for row in ledger._db.execute(f"select * from {table}")]
        rows += map(tuple, ledger._db.execute("select address, why from mails"))
    found = re.findall(r"(?<!o)ann@.{30}", repr(rows))
    assert {one[:20] for one in found} == {"ann@example.org     ", "ann@new.example', 'j"}, "help, and a limit for a week"
    assert "red: joann@example.net instead of (deleted)" in repr(rows)
    assert "race: Joann now plays blue, race: (deleted) now plays red" in repr(rows)


def test_former_seats_of_a_deleted_member_name_nobody(dropped: Post) -> None:
    dropped.settings("[deadlines]", "[public]\nnames = true\n\n[deadlines]")
    dropped.seat("race", "red", "Ann", address("ann"))
    dropped.seat("race", "red", "Zoe", address("zoe"))
    dropped.run()
    text = forgets(dropped, "ann")
    assert text == (
        "member 1: deleted. Backups still have the data. The game file and the reports of race still have the name."
    )
    settings = (dropped.folder / "games/race/game.toml").read_text()
    assert "ann@" not in settings.casefold() and '"Ann"' not in settings and 'name = "Zoe"' in settings
    publish(dropped)
    assert not re.search(r"\bAnn\b", "".join(data.decode("utf-8", "replace") for data in files(dropped).values()))


def test_a_removed_game_with_the_address_is_named(offering: Post) -> None:
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    with closing(offering.club.ledger()) as ledger:
        remove_game(offering.club, ledger, "checkered-flag-1")
    assert "Delete the folder removed/checkered-flag-1-1" in forgets(offering, "ann")
