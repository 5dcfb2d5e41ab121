"""Another player on a seat, a game taken out of the club, and what waits: under one kind of number, with its reasons."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from players_post import DAY, HOUR, Post
from test_identify import MALLORY

import adjudicator as adj
from adjudicator.club.ledger import MailState
from adjudicator.club.manage import ClubError, accept, add_game, pause, release, status_of
from adjudicator.club.players import players_of, remove_game
from adjudicator.mail.smtp import Fate, Handover
from adjudicator.outputs.clubs import ClubPlayer, ClubStatus
from adjudicator.reports.cli.club import status_text

DSN = """\
From: MAILER-DAEMON@mx.example.net
To: club@example.org
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
Return-Path: <>
Message-ID: <{number}@mx.example.net>
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I am sorry.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; red@example.org
Action: {action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such
    user here

--b
Content-Type: text/rfc822-headers

Message-ID: {identifier}
Subject: a report

--b--
"""


def status(post: Post) -> ClubStatus:
    with closing(post.club.ledger()) as ledger:
        return status_of(post.club, ledger)


def shown(post: Post) -> str:
    return status_text(status(post), str)


def seat(post: Post, name: str = "Carol", address: str = "carol@example.net") -> None:
    post.seat("race", "red", name, address)


def recipients(post: Post) -> list[str]:
    return sorted(str(mail["To"]).partition("@")[0] for mail in post.mails())


def test_a_new_player_gets_a_token_a_welcome_and_a_report_and_the_old_one_nothing(post: Post) -> None:
    old = post.tag("race", "red")
    seat(post)
    post.run(after=60)
    mails = [mail for mail in post.mails() if str(mail["To"]) != "gm@example.org"]
    subjects = sorted((str(mail["To"]), str(mail["Subject"]).partition("] ")[2]) for mail in mails)
    assert subjects == [
        ("blue@example.org", "race, turn 1: waiting for Carol (red)"),
        ("carol@example.net", "race, turn 1: your turn"),
        ("carol@example.net", "race: welcome"),
    ]
    assert not any(old.strip("[]") in mail.as_string() for mail in mails)
    assert any("Carol (red) and Blue (blue)" in mail.get_body(("plain",)).get_content() for mail in mails)
    post.send("race", "red", "GEAR 1", Subject=old)
    post.run(after=60)
    assert len([link for link in post.session("race").game.journal if link.entry.seat == "red"]) == 0
    post.send("race", "red", "GEAR 1", From="carol@example.net")
    post.run(after=60)
    assert len([link for link in post.session("race").game.journal if link.entry.seat == "red"]) == 1


def test_a_new_address_of_the_same_player_is_no_event_of_the_game(post: Post) -> None:
    journal = len(post.session("race").game.journal)
    seat(post, "Red", "red@elsewhere.example")
    post.run(after=60)
    assert len(post.session("race").game.journal) == journal
    assert {(str(mail["To"]), str(mail["Subject"]).partition("] ")[2]) for mail in post.mails()} == {
        ("red@elsewhere.example", "race: welcome"),
        ("red@elsewhere.example", "race, turn 1: your turn (sent again)"),
    }


def test_letters_and_orders_of_the_old_player_go_no_further(post: Post) -> None:
    post.send("race", "blue", "MESSAGE to red: only for Red\nEND")
    post.send("race", "red", "GEAR 1\nGOO")
    post.run()
    post.mails()
    with closing(post.club.ledger()) as ledger:
        number = ledger.matters()[0].number
        seat(post)
        assert ledger.mails(MailState.WAITING, "race") == []
        with pytest.raises(ClubError, match="its seat has another player now"):
            release(ledger, number)
    post.run(after=60)
    assert "red" not in recipients(post)


def test_the_settings_keep_everything_else(post: Post) -> None:
    path = post.folder / "games" / "race" / "game.toml"
    path.write_text(path.read_text() + '\n[deadlines]\nevery = "5 days"\n# a remark\n')
    before = path.read_text()
    seat(post, 'Ca"rol')
    after = path.read_text()
    assert post.club.settings_of("race").seats["red"].name == 'Ca"rol'
    former = '\n[[former]]\nseat = "red"\nname = "Red"\naddresses = ["red@example.org"]\n'
    assert after.partition("[seats.blue]")[2] == before.partition("[seats.blue]")[2] + former


def test_settings_that_the_program_cannot_change_are_left_alone(post: Post) -> None:
    post.settings("[seats.red]", '[seats."red"]', "race")
    with pytest.raises(ClubError, match="please write it yourself"):
        seat(post)
    assert post.session("race").seats == ("red", "blue")
    assert len(post.session("race").game.journal) == 1


def test_who_plays_is_listed_without_tokens(post: Post) -> None:
    assert list(players_of(post.club, ())) == [
        ClubPlayer(game="race", seat="red", player="Red", addresses=("red@example.org",)),
        ClubPlayer(game="race", seat="blue", player="Blue", addresses=("blue@example.org",)),
    ]


def test_a_removed_game_sends_nothing_and_one_of_its_name_can_come_back(post: Post) -> None:
    post.send("race", "red", "RESIGN")
    post.run()
    post.mails()
    with closing(post.club.ledger()) as ledger:
        file = remove_game(post.club, ledger, "race")
    post.run(after=5 * DAY)
    assert post.mails() == []
    assert status(post).club_games == status(post).matters == ()
    add_game(post.club, Path(file), {"red": "red@example.org", "blue": "blue@example.org"})
    post.run(after=60)
    assert recipients(post) == ["blue", "blue", "red", "red"], "to each a welcome and a report"


def test_a_game_is_added_with_the_players_that_it_has_now(empty: Post) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id="race", seed=1).hand_over("red", "Carol", "moved")
    game.save(file := empty.folder / "race.json")
    add_game(empty.club, file, {"red": "carol@example.org", "blue": "blue@example.org"})
    assert [one.player for one in players_of(empty.club, ["race"])] == ["Carol", "Bob"]
    assert empty.club.player_of("race", "red") == "Carol (red)"


# Numbers and reasons


def test_accept_takes_the_number_that_status_shows(post: Post) -> None:
    post.send("race", "blue", "STATUS")
    post.send("race", "blue", "RESIGN")
    post.send("race", "red", "GEAR 1", From="ann@elsewhere.example")
    post.run()
    (matter,) = [one for one in status(post).matters if "ann@elsewhere.example" in one.what]
    assert f"  {matter.n}  " in shown(post)
    with closing(post.club.ledger()) as ledger:
        wrong = next(one.n for one in status(post).matters if one.n != matter.n)
        with pytest.raises(ClubError, match="is not about a mail that waits"):
            accept(post.club, ledger, wrong, 0, "race", "red")
        assert accept(post.club, ledger, matter.n, 0, "race", "red").address == "ann@elsewhere.example"
    post.run(after=60)
    assert len(post.session("race").game.journal) == 2


def test_a_mail_of_many_is_accepted_by_its_part_of_the_number(post: Post) -> None:
    for number in range(8):
        post.send("race", "red", f"GEAR {number % 2}", Received=MALLORY, Subject=f"[race/red#wrongtoken{number}]")
    post.run()
    matter = status(post).matters[-1]
    assert matter.held_mails == 3
    assert "(3 mails)" in shown(post)
    with closing(post.club.ledger()) as ledger:
        with pytest.raises(ClubError, match=rf"has 3 mails.*\n  {matter.n}\.1  red@example.org, Monday"):
            accept(post.club, ledger, matter.n, 0, "race", "red")
        with pytest.raises(ClubError, match="has 3 mails"):
            accept(post.club, ledger, matter.n, 4, "race", "red")
        accept(post.club, ledger, matter.n, 3, "race", "red")
    post.run(after=60)
    assert len(post.session("race").game.journal) == 2
    assert status(post).matters[-1].held_mails == 2


def test_only_orders_without_a_mistake_are_there(post: Post) -> None:
    with closing(post.club.ledger()) as ledger:
        pause(post.club, ledger, ["race"], post.now)
    seen = []
    for body in ("GEAR 1\nGOO", "GEAR 1", "hello?"):
        post.send("race", "red", body)
        post.run(after=60)
        seen.append(status(post).club_games[0].orders_from)
    assert seen == [(), ("red",), ()]


def test_status_says_why_a_mail_waits_to_be_sent(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [Handover(Fate.LATER, "451 greylisted"), Handover(Fate.REFUSED, "550 no such user")]
    monkeypatch.setattr("adjudicator.club.post._into_folder", lambda _club: lambda *_given: answers.pop(0))
    post.send("race", "red", "STATUS")
    post.send("race", "blue", "STATUS")
    answers += [Handover(Fate.SENT)] * 2
    post.run()
    first, second = status(post).unsent
    assert (first.to, first.why, first.next_try) == ("red@example.org", "451 greylisted", post.now + 60)
    assert (second.to, second.why, second.next_try) == ("blue@example.org", "550 no such user", None)
    assert f"receipt to red@example.org (red of race): 451 greylisted; next try {post.now + 60}" in shown(post)
    assert "receipt to blue@example.org (blue of race): 550 no such user; given up" in shown(post)


@pytest.mark.parametrize(("action", "count"), [("failed", 1), ("delayed", 0)])
def test_a_bounce_is_matched_to_its_player(post: Post, action: str, count: int) -> None:
    post.send("race", "red", "STATUS")
    post.run()
    identifier = str(next(mail for mail in post.mails() if str(mail["To"]) == "red@example.org")["Message-ID"])
    for number in range(2):
        post.deliver(DSN.format(identifier=identifier, action=action, number=number).replace("\n", "\r\n").encode())
    post.run(after=60)
    what = "a mail (receipt) to Red (red) at red@example.org came back: smtp; 550 5.1.1 no such user here"
    assert [one.what for one in status(post).matters] == [what] * count
    assert recipients(post) == []


@pytest.mark.parametrize("identifier", ["<unknown@example.org>", f"<{'0' * 32}@example.org>"])
def test_a_bounce_of_no_letter_of_this_club_is_none(post: Post, identifier: str) -> None:
    post.deliver(DSN.format(identifier=identifier, action="failed", number=1).replace("\n", "\r\n").encode())
    post.run()
    assert status(post).matters == ()


# The letter of the morning


def test_each_morning_the_moderator_gets_what_waits(post: Post) -> None:
    post.send("race", "red", "GEAR 1", From="ann@elsewhere.example")
    post.run()
    assert post.got() == {}, "it is noon"
    post.run(after=19 * HOUR)
    assert post.got() == {}, "it is seven"
    for _ in range(2):
        post.run(after=HOUR)
    got = post.got()
    assert list(got) == ["gm: waiting for you: 1 matter"]
    assert "ann@elsewhere.example" in got["gm: waiting for you: 1 matter"]
    post.run(after=DAY)
    assert "gm: waiting for you: 1 matter" in post.got()
    with closing(post.club.ledger()) as ledger, ledger.change():
        ledger.settle_matter(ledger.matters()[0].number)
    post.run(after=DAY)
    assert not any("waiting for you" in subject for subject in post.got())


def test_the_letter_lists_a_flood_as_one_matter(post: Post) -> None:
    for number in range(30):
        post.send("race", "red", "Buy!", Received=MALLORY, From=f"m{number}@evil.org", Subject="Buy!")
    post.run()
    post.run(after=DAY)
    text = post.got()["gm: waiting for you: 6 matters"]
    assert text.count("evil.org") == 6
    assert "(25 mails)" in text


def test_a_round_says_what_it_has_done(post: Post) -> None:
    post.send("race", "red", "GEAR 1")
    post.send("race", "red", "x", From="mallory@evil.org", Subject="hi")
    done = post.run().done
    assert done[:3] == (
        "race: the mail of red from red@example.org was answered",
        "a mail from mallory@evil.org waits for you: its address is unknown",
        "race: waiting for Blue (blue)",
    )
    assert "race: report to blue@example.org: sent" in done
    assert post.run(after=60).done == ()


@pytest.mark.parametrize("game", ["club", "Club"])
def test_a_game_cannot_have_the_name_that_tokens_of_members_have(empty: Post, game: str) -> None:
    with pytest.raises(ClubError, match="a game in a club cannot be called"):
        empty.add("checkered-flag", "red", "member", game=game)
    assert empty.club.games == ()
