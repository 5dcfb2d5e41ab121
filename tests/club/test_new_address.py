"""A member changes their address: both addresses get a letter, and only an answer from the new one counts."""

from __future__ import annotations

from contextlib import closing

import pytest
from players_post import DAY, Post
from test_register import asks, letters, members, registered, tagged, write
from test_waiting_lists import address, joins

from adjudicator.club.folder import ClubFolder
from adjudicator.club.standings import standing_of
from adjudicator.files.errors import CannotWrite

NEW = "ann@new.example"
WISH = f"SET address={NEW.title()}"


def token_for(post: Post, new: str) -> str:
    """Return the beginning of the subject of the letter to a new address."""
    with closing(post.club.ledger()) as ledger:
        person = ledger.person_moving_to(new)
    assert person is not None
    return f"Re: [club/member#{person.new_token}] x"


def asked(post: Post) -> None:
    """Let Ann ask for her new address."""
    write(post, address("ann"), WISH, tagged(post, address("ann")))
    post.run()


def test_both_addresses_get_a_letter_and_the_new_one_confirms(offering: Post) -> None:
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    offering.mails()
    asked(offering)
    assert sorted((to, subject) for to, subject, _ in letters(offering)) == [
        (address("ann"), "another address"),
        (address("ann"), "your mail was read"),
        (NEW, "please confirm this address"),
    ]
    subject = token_for(offering, NEW)
    write(offering, NEW, "Yes", subject)
    offering.run()
    assert [(to, text) for to, _, text in letters(offering)] == [(NEW, f"The club now writes to {NEW}.\n")]
    assert [one.address for one in members(offering)] == [NEW, address("bob"), address("eve")]
    assert offering.club.settings_of("checkered-flag-1").seats["red"].addresses == (NEW,)
    assert "  plays     checkered-flag-1" in asks(offering, NEW, "WHO ann")
    write(offering, address("ann"), "GAMES", subject)
    offering.run()
    assert [one for one in letters(offering) if one[0] == address("ann")] == []


def test_only_the_new_address_with_its_token_confirms(offering: Post) -> None:
    asked(offering)
    offering.mails()
    write(offering, NEW, "Yes", tagged(offering, address("ann")))
    write(offering, "eve@evil.example", "Yes", token_for(offering, NEW))
    write(offering, address("ann"), "Yes", token_for(offering, NEW))
    offering.run()
    assert members(offering)[0].address == address("ann")
    assert [one for one in letters(offering) if one[0] == NEW] == []


@pytest.mark.parametrize("taken", [address("bob"), "red@example.org"])
def test_the_answer_does_not_say_whose_an_address_is(offering: Post, taken: str) -> None:
    offering.add("checkered-flag", "red", "blue", game="race")
    offering.run()
    offering.mails()
    answers = {asks(offering, address("eve"), f"SET address={one}") for one in (taken, taken)}
    write(offering, address("ann"), WISH, tagged(offering, address("ann")))
    offering.run()
    found = letters(offering)
    answers |= {text for to, subject, text in found if to == address("ann") and subject == "your mail was read"}
    assert len(answers) == 1
    assert not [one for one in found if one[0] == taken]


@pytest.mark.parametrize(
    "wish",
    [
        "x",
        "a b@example.org",
        "a@b",
        "a@example.org\u2028Bcc:x@y.z",
        "club@example.org",
        "club+x@example.org",
        "<a@b.c",
        "jürgen@example.org",
        "=?utf-8?q?a=40b.c?=@evil.example",
    ],
)
def test_an_address_that_is_none_is_refused(offering: Post, wish: str) -> None:
    assert "cannot write to this address" in asks(offering, address("ann"), f"SET address={wish}")


def test_an_address_gets_one_letter_a_day(offering: Post) -> None:
    for _ in range(3):
        asked(offering)
    joins(offering, "bob", words=WISH)
    assert len([one for one in letters(offering) if one[0] == NEW]) == 1
    offering.now += DAY
    joins(offering, "bob", words=WISH)
    write(offering, NEW, "Yes", token_for(offering, NEW))
    offering.run()
    assert [one.name for one in members(offering) if one.address == NEW] == ["Bob"]


def test_an_interrupted_change_is_completed(offering: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    asked(offering)
    offering.mails()
    write(offering, NEW, "Yes", token_for(offering, NEW))
    with monkeypatch.context() as patch:

        def fail(_club: ClubFolder, game: str) -> None:
            raise CannotWrite(game, "no space left")

        patch.setattr(ClubFolder, "forget", fail)
        offering.run()
    assert members(offering)[0].address == address("ann")
    offering.run()
    assert members(offering)[0].address == NEW
    assert offering.club.settings_of("checkered-flag-1").seats["red"].addresses == (NEW,)
    assert [NEW in text for to, _, text in letters(offering) if to == NEW] == [True]


def test_a_new_member_cannot_take_an_address_on_its_way(offering: Post) -> None:
    asked(offering)
    subject = token_for(offering, NEW)
    offering.now += DAY
    registered(offering, "zoe")
    write(offering, NEW, "JOIN")
    offering.run()
    write(offering, NEW, "REGISTER Zed", tagged(offering, NEW))
    write(offering, NEW, "Yes", subject)
    offering.run()
    assert sorted((one.name, one.address) for one in members(offering) if one.name in ("Ann", "Zed")) == [
        ("Ann", address("ann")),
        ("Zed", NEW),
    ]


def test_without_tokens_an_address_cannot_be_changed(offering: Post) -> None:
    """Anybody could write in the name of a member."""
    offering.settings('token = "required"', 'token = "address"')
    write(offering, address("ann"), f"{WISH}\nGAMES")
    offering.run()
    ((to, _, text),) = letters(offering)
    assert to == address("ann")
    assert "only the moderator can change your address" in text and "you can join" in text


def test_a_new_address_keeps_the_record_of_seats_that_were_left(offering: Post) -> None:
    joins(offering, "ann", "bob")
    joins(offering, "ann", "bob")
    offering.seat("checkered-flag-1", "red", "Eve", address("eve"))
    asked(offering)
    write(offering, NEW, "Yes", token_for(offering, NEW))
    offering.run()
    assert [one.addresses for one in offering.club.settings_of("checkered-flag-1").former] == [(NEW,)]
    with closing(offering.club.ledger()) as ledger:
        assert standing_of(offering.club, ledger, NEW).standing.begun == 1


def flood(post: Post, number: int, name: str = "victim") -> str:
    """Return one of the addresses whose mails go to the same mailbox."""
    return f"{name.title() if number % 2 else name}+{number}@example.com"


def test_one_mail_with_many_new_addresses_sends_few_letters(offering: Post) -> None:
    offering.settings("new = true", "new = true\nmost = 9\nmost_on_path = 5")
    offering.now += DAY
    joins(offering, "ann", words="\n".join(f"SET address={flood(offering, number)}" for number in range(10)))
    assert len([one for one in letters(offering) if "victim" in one[0].lower()]) == 1
    for name in ("ann", "bob", "eve"):
        joins(offering, name, words="\n".join(f"SET address={name}{number}@example.com" for number in range(9)))
    sent = [to[:3] for to, subject, _ in letters(offering) if subject == "please confirm this address"]
    assert {name: sent.count(name) for name in sent} == {"ann": 4, "bob": 4}, "5 for a member, 9 for the club"


def test_sign_ups_and_new_addresses_have_one_limit(offering: Post) -> None:
    offering.settings("new = true", "new = true\nmost = 3")
    offering.now += DAY
    joins(offering, "ann", words="SET address=a1@example.com\nSET address=a2@example.com")
    for name in ("zoe", "zac"):
        write(offering, address(name), "JOIN")
    write(offering, "A.1+x@example.com", "JOIN")
    offering.run()
    assert sorted(to for to, subject, _ in letters(offering) if subject.startswith("please")) == [
        *("a1@example.com", "a2@example.com", address("zoe"))
    ]
