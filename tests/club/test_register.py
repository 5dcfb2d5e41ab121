"""People register by answering a letter: nobody else is written to twice, and nothing shows who is a member."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from players_post import DAY, HOUR, TAG, Post, matters, states

from adjudicator.club import commands
from adjudicator.club import post as posting
from adjudicator.club.commands import Games, Join, New, Set, Wait, commands_in
from adjudicator.club.people import Person
from adjudicator.mail.smtp import Fate, Handover

JOIN_ON = "[people]\njoin=true\n\n[incoming]"
TAGGED = re.compile(r"\[club/member#[a-z0-9]+\]")
ASKED = "please answer to register"


@pytest.fixture
def club(empty: Post) -> Post:
    """A club that people can join, without a game."""
    empty.settings("[incoming]", JOIN_ON)
    return empty


def write(post: Post, address: str, body: str, subject: str = "hello", **head: str) -> None:
    post.send("", "", body, From=address, Subject=subject, **head)


def letters(post: Post) -> list[tuple[str, str, str]]:
    """Return the recipient, the subject without its token, and the text of each new letter."""
    return [
        (
            str(mail["To"]),
            TAG.sub("", str(mail["Subject"])).strip(),
            mail.get_body(("plain",)).get_content().replace("\r\n", "\n"),
        )
        for mail in post.mails()
    ]


def tagged(post: Post, address: str) -> str:
    """Return the beginning of the subject of a member's letters."""
    with closing(post.club.ledger()) as ledger:
        person = ledger.person_at(address)
    assert person is not None
    return f"Re: [club/member#{person.token}] x"


def registered(post: Post, *names: str) -> None:
    """Let people register, and read their letters."""
    for name in names:
        write(post, f"{name}@example.net", "JOIN")
    post.run()
    for name in names:
        write(post, f"{name}@example.net", f"REGISTER {name.title()}", tagged(post, f"{name}@example.net"))
    post.run()
    post.mails()


def members(post: Post) -> list[Person]:
    with closing(post.club.ledger()) as ledger:
        return ledger.members()


def asks(post: Post, address: str, body: str) -> str:
    """Let a member write, and return the only answer."""
    write(post, address, body, tagged(post, address))
    post.run()
    found = [text for to, _, text in letters(post) if to == address]
    assert len(found) == 1
    return found[0]


def test_a_stranger_becomes_a_member_by_an_answer(club: Post) -> None:
    write(club, "Ann@Example.net", "Hello,\nJOIN checkered-flag\n", "SECRET words")
    club.run()
    (mail,) = club.mails()
    assert TAGGED.search(str(mail["Subject"]))
    assert str(mail["To"]) == "ann@example.net"
    assert "SECRET" not in mail.as_string() and "checkered-flag" not in mail.as_string()
    assert mail["References"] is None and mail["In-Reply-To"] is None
    assert members(club) == []
    write(club, "ann@example.net", "REGISTER Ann\n\n> Somebody asked", f"Re: {mail['Subject']}")
    club.run()
    ((to, subject, text),) = letters(club)
    assert (to, subject) == ("ann@example.net", "welcome")
    assert "Public pages name you only if you write SET public=yes." in text
    assert "Your name here is Ann." in text and "Games that you can join" in text and "LEAVE" in text
    assert [one.name for one in members(club)] == ["Ann"]
    assert matters(club) == []


@pytest.mark.parametrize("word", ["JOIN", "games", "WHO ann", "NEW great-race players=3", "STANDIN race", "REGISTER Ann"])
def test_each_of_these_words_asks_for_the_letter(club: Post, word: str) -> None:
    write(club, "ann@example.net", word)
    club.run()
    assert [one[:2] for one in letters(club)] == [("ann@example.net", ASKED)]


@pytest.mark.parametrize("word", ["Hello", "Join us for dinner tomorrow", "> JOIN", "SET name=Ann", "LEAVE"])
def test_other_words_of_strangers_wait_for_the_moderator(club: Post, word: str) -> None:
    write(club, "ann@example.net", word)
    club.run()
    assert letters(club) == []
    assert states(club) == ["held"]


def test_without_the_setting_strangers_get_no_answer(empty: Post) -> None:
    write(empty, "ann@example.net", "JOIN")
    empty.run()
    assert letters(empty) == []
    assert states(empty) == ["held"]


@pytest.mark.parametrize(
    "head",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List-Id": "<x.example.net>"},
        {"Return-Path": "<>"},
        {"From": "mailer-daemon@example.net"},
        {"From": "no-reply@example.net"},
        {"From": "club@example.org"},
        {"From": "Club+7@example.org"},
        {"From": "ann@example.net, bob@example.net"},
        {"From": "ann@localhost"},
        {"From": "änn@example.net"},
    ],
)
def test_programs_lists_and_loops_get_nothing(club: Post, head: dict[str, str]) -> None:
    write(club, head.pop("From", "ann@example.net"), "JOIN", **{key.replace("-", "_"): value for key, value in head.items()})
    club.run()
    assert [one for one in letters(club) if one[0] != "gm@example.org"] == []


def test_a_sender_that_is_not_proven_gets_nothing(club: Post) -> None:
    club.settings('token = "required"', 'token = "required"\nauthserv_id = "mx.example.org"')
    for number, result in enumerate(("dmarc=fail header.from=example.net", "spf=pass smtp.mailfrom=evil.example", "")):
        head = {"Authentication_Results": f"mx.example.org; {result}"} if result else {}
        write(club, f"ann{number}@example.net", "JOIN", **head)
    write(club, "bob@example.net", "JOIN", Authentication_Results="mx.example.org; dmarc=pass header.from=example.net")
    club.run()
    assert [one[0] for one in letters(club)] == ["bob@example.net"]


def test_an_address_gets_one_letter_a_day(club: Post) -> None:
    for _ in range(5):
        write(club, "ann@example.net", "JOIN")
    club.run()
    write(club, "ann@example.net", "GAMES")
    club.run(after=23 * HOUR)
    assert len(letters(club)) == 1
    write(club, "ann@example.net", "GAMES")
    club.run(after=2 * HOUR)
    assert len(letters(club)) == 1


def test_thousands_of_forged_sign_ups_cost_few_letters(club: Post) -> None:
    """The limits are for a path and for the club; the moderator hears of it once."""
    club.settings("join=true", "join=true\nmost = 12\nmost_on_path = 5")
    for number in range(60):
        path = f"from x ([192.0.2.{number % 4}]) by mx; x" if number < 40 else f"from x ([198.51.100.{number}]) by mx; x"
        write(club, f"a{number}@example.net", "JOIN", Received=path)
    club.run()
    assert len([one for one in letters(club) if one[1] == ASKED]) == 12
    assert len(matters(club)) == 1


@pytest.mark.parametrize("number", range(3))
def test_all_addresses_of_a_mailbox_get_one_letter_a_day(club: Post, number: int) -> None:
    """Forged mails must not fill it: many servers ignore what follows a plus, dots, and capitals."""
    other = ("Ann.Lee+{}@Example.net", "annlee+x{}@example.net", "ANN.LEE@EXAMPLE.NET")[number]
    write(club, "ann.lee@example.net", "JOIN")
    for one in range(5):
        write(club, other.format(one), "JOIN")
    club.run()
    assert len(letters(club)) == 1


def test_a_sender_cannot_choose_the_path(club: Post) -> None:
    club.settings("join=true", "join=true\nmost_on_path = 5")
    for number in range(8):
        head = {"Received": "by 2002:a05 with SMTP id 7; x", "Return-Path": f"<a{number}@example.net>"}
        write(club, f"a{number}@example.net", "JOIN", **{name.replace("-", "_"): value for name, value in head.items()})
    club.run()
    assert len(letters(club)) == 5


def test_a_path_has_its_own_limit(club: Post) -> None:
    club.settings("join=true", "join=true\nmost_on_path = 5")
    for number in range(8):
        write(club, f"a{number}@example.net", "JOIN", Received="from x ([192.0.2.1]) by mx; x")
    write(club, "bob@example.net", "JOIN", Received="from x ([192.0.2.2]) by mx; x")
    club.run()
    assert len(letters(club)) == 6


def test_members_and_strangers_get_the_same_letter(club: Post) -> None:
    registered(club, "ann")
    club.now += DAY
    for name in ("ann", "bob"):
        write(club, f"{name}@example.net", "WHO ann")
    club.run()
    one, other = letters(club)
    assert one[1:] == other[1:]
    assert {one[0], other[0]} == {"ann@example.net", "bob@example.net"}


def test_to_sign_up_again_changes_nothing(club: Post) -> None:
    registered(club, "ann")
    before = members(club)
    club.now += DAY
    write(club, "ann@example.net", "JOIN")
    write(club, "ann@example.net", "REGISTER Anna", "[club/member#abcdefgh23456789] x")
    club.run()
    assert members(club) == before
    assert [one[1] for one in letters(club) if one[0] == "ann@example.net"] == [ASKED]
    assert "is Anna" in asks(club, "ann@example.net", "REGISTER Anna")


def test_a_token_of_another_registers_nobody(club: Post) -> None:
    for name in ("ann", "bob"):
        write(club, f"{name}@example.net", "JOIN")
    club.run()
    club.mails()
    write(club, "bob@example.net", "REGISTER Bob", tagged(club, "ann@example.net"))
    write(club, "eve@example.net", "REGISTER Eve", tagged(club, "ann@example.net"))
    club.run()
    assert members(club) == []
    assert [one for one in letters(club) if one[0] != "gm@example.org"] == []


def test_the_token_may_be_on_a_line(club: Post) -> None:
    write(club, "ann@example.net", "JOIN")
    club.run()
    token = tagged(club, "ann@example.net").split("[")[1].split("]")[0]
    write(club, "ann@example.net", f"token {token}\nREGISTER Ann", "a new mail")
    club.run()
    assert [one.name for one in members(club)] == ["Ann"]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "x" * 41,
            "<b>Ann</b>",
            "Ann\u202eBob",
            "Ann\x07",
            "moderator",
            "A simulated player",
            "player7",
            "ＰＬＡＹＥＲ７",
            "-",
        ),
        *("Bob", "bob", "ＢＯＢ", "Ann, Bcc: x@y.z"),
        *("evil.com", "Воb", "B0b"),
    ],
)
def test_a_name_that_may_mislead_is_refused(club: Post, name: str) -> None:
    registered(club, "bob")
    write(club, "ann@example.net", "JOIN")
    club.run()
    write(club, "ann@example.net", f"REGISTER {name}", tagged(club, "ann@example.net"))
    club.run()
    assert [one.name for one in members(club)] == ["Bob", "player2"]


def test_a_name_that_looks_like_that_of_a_member_is_refused(club: Post) -> None:
    registered(club, "ann", "bob")
    assert "Your name in new games is Bill." in asks(club, "ann@example.net", "SET name=Bill")
    assert "too much like that of another member" in asks(club, "bob@example.net", "SET name=BiII")
    assert "is Anna." in asks(club, "ann@example.net", "SET name=Anna"), "not compared with itself"


def test_an_address_that_nobody_confirms_is_forgotten(club: Post) -> None:
    write(club, "ann@example.net", "JOIN")
    club.run()
    write(club, "bob@example.net", "JOIN")
    club.run(after=15 * DAY)
    with closing(club.club.ledger()) as ledger:
        assert ledger.person_at("ann@example.net") is None


def test_who_shows_a_member_and_no_address(club: Post) -> None:
    registered(club, "ann", "bob")
    text = asks(club, "ann@example.net", "WHO BOB")
    assert text.startswith("Bob\n") and "@" not in text
    assert "Did you mean Bob?" in asks(club, "ann@example.net", "WHO bobb")


def test_a_member_can_write_to_the_moderator(club: Post) -> None:
    registered(club, "ann")
    write(club, "ann@example.net", "MESSAGE to moderator: please delete my data", tagged(club, "ann@example.net"))
    club.run()
    assert {(to, subject) for to, subject, _ in letters(club)} == {
        ("gm@example.org", "Ann (ann@example.net) writes"),
        ("ann@example.net", "your mail was read"),
    }
    assert matters(club) == ["Ann (ann@example.net) writes:\n\nplease delete my data"]


def test_a_mail_without_a_command_is_answered_once(club: Post) -> None:
    registered(club, "ann")
    assert "no command" in asks(club, "ann@example.net", "Thanks!")
    write(club, "ann@example.net", "Thanks!", tagged(club, "ann@example.net"))
    club.run()
    assert letters(club) == []


def test_house_rules_are_in_the_welcome(club: Post) -> None:
    club.settings("join=true", 'join=true\nrules = "rules.txt"')
    (club.folder / "rules.txt").write_text("Be kind.\n")
    write(club, "ann@example.net", "JOIN")
    club.run()
    club.mails()
    write(club, "ann@example.net", "Hi", tagged(club, "ann@example.net"))
    club.run()
    ((_, subject, text),) = letters(club)
    assert subject == "welcome" and "The rules of this club\n\nBe kind." in text


def test_a_member_asks_for_the_house_rules(club: Post) -> None:
    registered(club, "ann")
    assert "This club has no house rules." in asks(club, "ann@example.net", "RULES")
    club.settings("join=true", 'join=true\nrules = "rules.txt"')
    (club.folder / "rules.txt").write_text("Be kind.\n")
    assert asks(club, "ann@example.net", "RULES") == "Be kind.\n"
    assert "is for one game" in asks(club, "ann@example.net", "RULES CF-G1")


def test_a_player_joins_from_the_mail_of_a_game(post: Post) -> None:
    """The token of a seat proves the address, too."""
    post.settings("[incoming]", JOIN_ON)
    post.send("race", "red", "GAMES\nGEAR 1")
    post.run()
    got = post.got()
    assert "Running games\n  race" in got["red: your mail was read"]
    assert "GEAR 1" in got["red: race: your mail was read"]
    assert [(one.name, one.address) for one in members(post)] == [("Red", "red@example.org")]


def test_several_commands_in_the_mail_of_a_game_are_announced_once(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    post.send("race", "red", "GAMES\nWHO Red\nSET public=yes\nLEAVE")
    post.run()
    assert post.got()["red: race: your mail was read"].count("separate mail") == 1


def test_a_player_without_a_token_is_asked_for_it(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    post.send("race", "red", "JOIN", Subject="x")
    post.run()
    assert [mail for mail in post.got() if mail.startswith("red:")] == ["red: race: your mail has no token"]


def test_reports_name_the_commands_of_members(post: Post) -> None:
    post.settings("[incoming]", JOIN_ON)
    post.send("race", "red", "RESEND")
    post.run()
    text = next(text for name, text in post.got().items() if name.endswith("(sent again)"))
    assert text.splitlines()[-1].endswith(
        "GAMES lists the games of this club, JOIN takes a place in one, WHO shows a member."
    )


def test_no_order_begins_like_a_command() -> None:
    grammars = "".join(path.read_text("utf-8") for path in (Path(__file__).parents[2] / "grammar").glob("*.lark"))
    verbs = {word.upper() for word in re.findall(r"/\(\?:([a-z]+)\)", grammars)}
    assert "DRAW" in verbs
    assert verbs & set(commands._WORDS) == {"WAIT"}  # alone, it is an order


@pytest.mark.parametrize(
    "line",
    [
        *("Join us tomorrow at eight", "Leave me alone, please", "Who is going to win this?", "New rules: none", "Set sail"),
        *(
            "Wait for me",
            "WAIT",
            "WAIT 2",
            "Set laps to 3",
            "standin",
            "Games people play",
            "joining",
            "> JOIN race",
            "New here, by the way",
        ),
    ],
)
def test_prose_is_no_command(line: str) -> None:
    assert commands_in([line]).commands == ()


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("join checkered-flag.", Join("checkered-flag")),
        ("JOIN race-7 as Blue", Join("race-7", "blue")),
        ("JOIN", Join()),
        ("games, please", Games()),
        ("new great-race PLAYERS=3 deadline=48h", New("great-race", (("players", "3"), ("deadline", "48h")))),
        ("SET Name = Ann Lee", Set("name", "Ann Lee")),
        ("NOWAIT", Wait(is_on=False)),
    ],
)
def test_commands_are_read_in_any_case(line: str, command: object) -> None:
    assert commands_in([line]).commands == (command,)


def test_a_club_that_nobody_can_join_says_so_to_its_players(post: Post) -> None:
    post.send("race", "red", "GAMES\nHELP")
    post.run()
    text = post.got()["red: race: your mail has a mistake"]
    assert "In this club, the moderator decides who plays what." in text
    assert "Commands for members" not in text
    assert members(post) == []


def bounce(post: Post, message_id: str) -> None:
    """Deliver the report of a mail server about a letter."""
    report = f"Action: failed\r\nStatus: 5.1.1\r\n\r\nMessage-ID: {message_id}\r\n"
    head = "From: mailer-daemon@mx.example\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=x"
    post.deliver(f"{head}\r\n\r\n--x\r\n\r\n{report}--x--\r\n".encode())


def test_the_moderator_hears_nothing_of_forged_addresses_that_do_not_exist(
    club: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(club, "ann@example.net", "JOIN")
    club.run()
    (mail,) = club.mails()
    bounce(club, str(mail["Message-ID"]))
    write(club, "bob@example.net", "JOIN")
    with monkeypatch.context() as patch:
        patch.setattr(posting, "_into_folder", lambda _club: lambda *_mail: Handover(Fate.REFUSED, "550 no such user"))
        club.run()
    club.run()
    assert matters(club) == []
    assert letters(club) == []


def test_a_letter_to_a_member_that_comes_back_is_reported(club: Post) -> None:
    registered(club, "ann")
    write(club, "ann@example.net", "GAMES", tagged(club, "ann@example.net"))
    club.run()
    (mail,) = club.mails()
    bounce(club, str(mail["Message-ID"]))
    club.run()
    assert matters(club) == ["a mail (membership) to a member at ann@example.net came back: 5.1.1"]
