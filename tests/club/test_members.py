"""The moderator's part: lists, requests, seats for stand-ins, and the data of a member."""

from __future__ import annotations

from contextlib import closing

import pytest
from players_post import DAY, Post, matters
from test_register import JOIN_ON, asks, letters, members, registered, tagged, write
from test_waiting_lists import address, joins, lists

from adjudicator.club.manage import ClubError, status_of
from adjudicator.club.members import forget_member, grant, open_list
from adjudicator.club.missing import DROPPED
from adjudicator.club.players import members_of
from adjudicator.outputs.clubs import ClubMember, NextClubGame


@pytest.fixture
def dropped(post: Post) -> Post:
    """A club that people can join, with the member Ann and a race whose red seat a simulated player has."""
    post.settings("[incoming]", JOIN_ON)
    post.settings('nmr = "wait"', 'nmr = "drop"')
    registered(post, "ann")
    post.run(after=5 * DAY)
    post.mails()
    return post


def granted(post: Post, number: int, seat: str = "") -> str:
    with closing(post.club.ledger()) as ledger:
        return grant(post.club, ledger, number, seat, post.now)


@pytest.mark.parametrize(("line", "seat"), [("STANDIN race", "red"), ("JOIN race as red", ""), ("JOIN race", "red")])
def test_a_member_gets_a_seat_without_a_player_from_the_moderator(dropped: Post, line: str, seat: str) -> None:
    assert "The moderator has your request for a seat in race." in asks(dropped, address("ann"), line)
    (words,) = matters(dropped)
    assert words.startswith("Ann (ann@example.net) asks for") and words.endswith("red")
    if seat:
        with pytest.raises(ClubError, match="name the seat with --seat"):
            granted(dropped, 1)
    assert granted(dropped, 1, seat) == "race: Ann now plays red, with a new token"
    dropped.run()
    assert "race: welcome" in [subject for to, subject, _ in letters(dropped) if to == address("ann")]
    assert dropped.club.settings_of("race").seats["red"].addresses == (address("ann"),)
    assert matters(dropped) == []
    with pytest.raises(ClubError, match="there is no matter 1"):
        granted(dropped, 1, "red")


@pytest.mark.parametrize("line", ["STANDIN race", "JOIN race as blue"])
def test_a_seat_with_a_player_is_not_free(post: Post, line: str) -> None:
    post.settings("[incoming]", JOIN_ON)
    registered(post, "ann")
    assert "race has no free seat" in asks(post, address("ann"), line)
    assert matters(post) == []


def test_the_seat_of_a_player_who_resigns_can_be_asked_for(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    registered(post, "ann")
    post.send("race", "blue", "RESIGN")
    post.run()
    assert "The moderator has your request" in asks(post, address("ann"), "JOIN race as blue")


def test_a_player_asks_for_no_second_seat(dropped: Post) -> None:
    dropped.send("race", "blue", "STANDIN race")
    dropped.run()
    assert "You already play in race." in "".join(text for to, _, text in letters(dropped) if to == "blue@example.org")


def test_a_request_that_was_settled_is_not_asked_again(dropped: Post) -> None:
    asks(dropped, address("ann"), "STANDIN race")
    with closing(dropped.club.ledger()) as ledger, ledger.change():
        ledger.settle_matter(1)
    asks(dropped, address("ann"), "STANDIN race\nGAMES")
    assert matters(dropped) == []


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
        assert forget_member(offering.club, ledger, address("Bob")) == "member 2: all data deleted"
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
    joins(offering, "ann", words="SET language=DE\nSET language=nonsense language\nSET colour=blue")
    assert members(offering)[0].language == "de"
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    assert offering.session("checkered-flag-1").game.languages == ("de",)


def test_a_simulated_player_is_no_name_for_a_member(dropped: Post) -> None:
    assert "has not changed your name" in asks(dropped, address("ann"), f"SET name={DROPPED}")
