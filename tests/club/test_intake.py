"""Mails of a club: whose they are, what they are answered, each once; nothing hostile gets any further."""

from __future__ import annotations

import re
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from players_post import Post, awaited, legal, matters, states
from test_pending import flat

from adjudicator.club.commands import Preview, commands_in
from adjudicator.club.ledger import MailState
from adjudicator.club.manage import ClubError, accept, release
from adjudicator.club.members import settle
from adjudicator.mail.limits import MOST_BYTES, MOST_TEXT


def test_a_receipt_says_when_it_came_with_which_hash_and_what_was_passed_over(post: Post) -> None:
    post.send("race", "red", "Hi there,\n\nGEAR 1\n\nBye\nAnn")
    post.run()
    told = post.got()["red: race: your mail was read"]
    assert "Received 2026-03-02 12:00:00 UTC, sha256 " in told
    assert "line 3  GEAR 1" in told
    assert "ignored: line 1 (a greeting):\n  Hi there," in told


def test_an_answer_stands_in_the_thread_of_the_mail(post: Post) -> None:
    post.send("race", "red", "GEAR 1", Message_ID="<mine@x>")
    post.run()
    mails = [mail for mail in post.mails() if "your mail" in str(mail["Subject"])]
    assert [str(mail["In-Reply-To"]) for mail in mails] == ["<mine@x>"]
    assert mails[0]["Auto-Submitted"] == "auto-replied"


def test_the_same_mail_twice_is_taken_once(post: Post) -> None:
    data = post.send("race", "red", "GEAR 1")
    post.deliver(data)
    post.deliver(b"Received: by another.host; Mon, 02 Mar 2026 12:00:09 +0000\r\n" + data)
    assert post.run().fetched == 1
    post.deliver(data)
    assert post.run(after=60).fetched == 0
    assert len([mail for mail in post.mails() if "your mail" in str(mail["Subject"])]) == 1
    assert len(post.session("race").game.journal) == 2


def test_what_counts_is_when_the_server_took_a_mail_not_what_it_says(post: Post) -> None:
    post.send("race", "blue", "GEAR N", Date="Mon, 09 Mar 2026 12:00:00 +0000")
    post.now += 10
    post.send("race", "blue", "GEAR 1", Date="Mon, 02 Feb 2026 12:00:00 +0000")
    post.run()
    post.send("race", "red", "GEAR 1")
    post.run()
    assert [link.entry.order for link in post.session("race").game.journal if link.entry.seat == "blue"] == ["GEAR 1"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"From": "mallory@example.net"}, "but comes from another address"),
        ({"Subject": "Re: [race/red#aaaabbbbccccdddd] turn 1"}, "its token is not one of this club"),
        ({"Subject": "Re: [nowhere/red#aaaabbbbccccdddd] turn 1"}, "not one of"),
        ({"Subject": "orders"}, "it lacks the token of Red (red)"),
        ({"Subject": "orders", "From": "mallory@example.net"}, "its address is"),
    ],
)
def test_what_is_not_surely_a_players_waits_for_the_moderator_and_only_a_player_is_told(
    post: Post, changes: dict[str, str], why: str
) -> None:
    post.send("race", "red", "GEAR 1", **changes)
    post.run()
    assert len(post.session("race").game.journal) == 1
    assert [why in words for words in matters(post)] == [True]
    assert list(post.got()) == ([] if "From" in changes else ["red: race: your mail has no token"])


def test_a_mail_that_waits_can_be_taken_as_a_seats(post: Post) -> None:
    post.send("race", "red", "GEAR 1", From="ann@elsewhere.example")
    post.run()
    with closing(post.club.ledger()) as ledger:
        with pytest.raises(ClubError, match="no seat green"):
            accept(post.club, ledger, 1, 0, "race", "green")
        with pytest.raises(ClubError, match="no game x"):
            accept(post.club, ledger, 1, 0, "x", "red")
        accept(post.club, ledger, 1, 0, "race", "red")
        with pytest.raises(ClubError, match="there is no matter 1"):
            accept(post.club, ledger, 1, 0, "race", "red")
    post.run()
    assert matters(post) == []
    assert len(post.session("race").game.journal) == 2
    assert "red: race: your mail was read" in post.got()


def test_with_addresses_enough_a_mail_without_a_token_is_taken(post: Post) -> None:
    post.settings('token = "required"', 'token = "address"')
    post.send("race", "red", "GEAR 1", Subject="orders", From="Ann <RED@Example.org>")
    post.run()
    assert len(post.session("race").game.journal) == 2


def test_who_plays_twice_must_say_which_game_is_meant(post: Post) -> None:
    post.settings('token = "required"', 'token = "address"')
    post.add("checkered-flag", "red", "blue", game="other")
    post.send("race", "red", "GEAR 1", Subject="orders")
    post.run()
    assert "other: Red (red), race: Red (red)" in matters(post)[0]


def test_a_token_may_stand_on_a_line_of_its_own(post: Post) -> None:
    post.send("race", "red", f"token {post.tag('race', 'red').strip('[]')}\nGEAR 1", Subject="orders")
    post.run()
    assert len(post.session("race").game.journal) == 2
    assert post.club.settings_of("race").seats["red"].token not in post.got()["red: race: your mail was read"]


def test_a_mail_is_kept_as_it_came(post: Post) -> None:
    data = post.send("race", "red", "GEAR 1")
    post.run()
    with closing(post.club.ledger()) as ledger:
        (mail,) = ledger.mails(MailState.TAKEN)
    assert (mail.data, mail.received, mail.seat) == (data, post.now, "red")


def test_what_is_attached_is_told_and_not_opened(post: Post) -> None:
    boundary = "Content-Type: multipart/mixed; boundary=b"
    text = "--b\r\nContent-Type: text/plain\r\n\r\nGEAR 1\r\n"
    packed = (
        '--b\r\nContent-Type: application/zip\r\nContent-Disposition: attachment; filename="orders.zip"\r\n\r\nPK\r\n--b--'
    )
    head = f"From: red@example.org\r\nSubject: {post.tag('race', 'red')}\r\nMessage-ID: <z@z>\r\n{boundary}\r\n\r\n"
    post.deliver((head + text + packed).encode())
    post.run()
    assert "orders.zip" in post.got()["red: race: your mail was read"]
    assert len(post.session("race").game.journal) == 2


def test_reports_about_a_game_stand_in_one_thread(post: Post) -> None:
    for seat in ("red", "blue"):
        post.send("race", seat, "GEAR 1")
        post.run()
    reports = [mail for mail in post.mails() if "turn" in str(mail["Subject"]) and "red@" in str(mail["To"])]
    assert len(reports) == 2
    assert len({str(mail["In-Reply-To"]) for mail in reports}) == 1


def test_no_mail_but_the_players_own_has_a_token(post: Post) -> None:
    tokens = {seat: one.token for seat, one in post.club.settings_of("race").seats.items()}
    post.send(
        "race", "red", f"MESSAGE to all:\nmy subject is {post.tag('race', 'red')}\nEND\nGEAR 1\n> {post.tag('race', 'blue')}"
    )
    post.settings('press = "moderated"', 'press = "free"')
    post.run()
    for mail in post.mails():
        to = str(mail["To"]).partition("@")[0]
        text = f"{mail['Subject']}{mail.as_string()}"
        assert tokens["red"] not in text or to == "red"
        assert tokens["blue"] not in text or to == "blue"


@pytest.mark.parametrize(
    "head",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List-Id": "<a.b>"},
        {"Return-Path": "<>"},
        {"From": "MAILER-DAEMON@example.org"},
        {"From": ""},
    ],
)
def test_programs_are_not_answered(post: Post, head: dict[str, str]) -> None:
    changes = {name.replace("-", "_"): value for name, value in head.items()}
    post.send("race", "red", "GEAR 1", **changes)
    post.run()
    assert post.mails() == []
    assert matters(post) == []
    assert states(post) == ["passed over"]


def test_what_the_own_server_says_of_a_sender_counts_where_it_is_asked_for(post: Post) -> None:
    post.settings('# authserv_id = "mx.example.org"', 'authserv_id = "mx.example.org"')
    said = {
        "": "its sender is not proven",
        "mx.example.org; dmarc=fail header.from=example.org": "may be forged: dmarc=fail",
        "mx.example.org; spf=softfail smtp.mailfrom=example.org": "may be forged: spf=softfail",
        "evil.example; dkim=pass header.d=example.org": "its sender is not proven",
        "mx.example.org; dkim=pass header.d=example.org; spf=pass": "",
        "mx.example.org; dmarc=pass header.from=example.org; spf=softfail": "",
    }
    for results, why in said.items():
        before = len(matters(post))
        post.send("race", "red", "GEAR 1", Authentication_Results=results)
        post.run()
        assert [why in words for words in matters(post)[before:]] == ([True] if why else []), results


LIMIT = 4_000_000


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the largest mail have a tenth of its usual size, to be quick."""
    assert LIMIT * 10 == MOST_BYTES
    for name in ("limits", "parse", "incoming"):
        monkeypatch.setattr(f"adjudicator.mail.{name}.MOST_BYTES", LIMIT)


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0\0",
        b"From: red@example.org\r\nSubject: \xff\xfe\r\n\r\n\xff",
        b"Content-Type: multipart/mixed; boundary=x\r\n" + b"\r\n--x\r\nContent-Type: multipart/mixed; boundary=x\r\n" * 60,
        b"A" * (LIMIT + 1),
    ],
    ids=["empty", "zeros", "odd", "nested", "large"],
)
def test_whatever_comes_costs_only_itself(post: Post, data: bytes) -> None:
    post.deliver(data)
    post.send("race", "red", "GEAR 1")
    post.run()
    assert len(post.session("race").game.journal) == 2


def with_photo(post: Post, size: int) -> bytes:
    head = f"From: red@example.org\nSubject: {post.tag('race', 'red')}\nMessage-ID: <photo@x>\nMIME-Version: 1.0\n"
    parts = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nGEAR 1\n--b\nContent-Type: image/jpeg; name=photo.jpg\n"
    return f"{head}{parts}Content-Transfer-Encoding: base64\n\n".encode() + b"/9j/" * (size // 3) + b"\n--b--\n"


def kept(post: Post) -> list[bytes]:
    with closing(post.club.ledger()) as ledger:
        return [bytes(row[0]) for row in ledger._db.execute("select data from mails")]


def test_a_mail_with_too_much_text_is_told_to_its_player(post: Post) -> None:
    post.send("race", "red", "GEAR 1\n" + "x" * MOST_TEXT)
    post.run()
    assert "The mail has" in post.got()["red: race: your mail has a mistake"]


def test_a_mail_with_a_large_photo_is_answered_and_kept_without_it(post: Post) -> None:
    data = with_photo(post, 6_100_000)
    post.deliver(data)
    assert post.run().troubles == ()
    told = post.got()["red: race: your mail was read"]
    assert "GEAR 1" in told
    assert "photo.jpg (image/jpeg, 6.1 MB)" in told
    assert f"sha256 {sha256(data).hexdigest()}" in told
    assert [receipt.hash for receipt in post.session("race").game.receipts] == [sha256(data).hexdigest()]
    assert [len(one) < 1_000 for one in kept(post)] == [True]


@pytest.mark.usefixtures("limited")
def test_a_mail_beyond_the_limit_is_answered_with_what_to_do_and_never_read_again(post: Post) -> None:
    data = with_photo(post, LIMIT)
    post.deliver(data)
    post.run()
    told = post.got()["red: race: your mail has a mistake"]
    assert "Problem:\n\nThe mail has more than 4 MB: send your orders again in a mail without attachments" in told
    assert [len(one) < 100_000 for one in kept(post)] == [True]
    assert len(post.session("race").game.journal) == 1
    post.deliver(data)
    assert (post.run(after=60).fetched, post.got()) == (0, {})


def test_a_report_of_a_mail_server_is_kept_from_its_beginning(post: Post) -> None:
    """The letter that came back is an attachment of it."""
    report = b"From: MAILER-DAEMON@x\nContent-Type: message/rfc822\n\n" + b"Message-ID: <1@x>\n" + b"x" * 2_000_000
    post.deliver(report)
    post.run()
    assert kept(post) == [report[:MOST_TEXT]]


def test_nothing_in_a_mail_adds_a_field_to_another(post: Post) -> None:
    post.settings('press = "moderated"', 'press = "free"')
    post.send("race", "red", "MESSAGE to blue: hi\nBcc: all@example.net\nEND\nGEAR 1", Message_ID="<a@b>")
    post.run()
    for mail in post.mails():
        assert mail["Bcc"] is None
        assert "\n" not in str(mail["Subject"])


def test_a_preview_tells_and_keeps_nothing(post: Post) -> None:
    post.send("race", "red", "PREVIEW\nGEAR 1\nGEAR 9")
    post.run()
    assert len(post.session("race").game.journal) == 1
    told = post.got()["red: race: your mail has a mistake"]
    assert "GEAR 9" in told
    assert "This was a preview" in told


@pytest.mark.parametrize(
    "line",
    [
        *("PREVIEW only", "Please PREVIEW", "please, preview", "PREVIEW my orders:", "*PREVIEW*", "- PREVIEW", "[PREVIEW]"),
        *("preview only, please", "“PREVIEW”", "PREVIEW these orders!"),
    ],
)
def test_a_preview_in_other_words_is_one(line: str) -> None:
    assert commands_in([line, "GEAR 1"]).commands == (Preview(),)


@pytest.mark.parametrize("place", ["{}\nGEAR 1", "GEAR 1\n{}", "GEAR 1\n\nBye\n{}\nAnn"])
@pytest.mark.parametrize(
    "line", ["PREVEIW", "This is a PREVIEW", "WAIT, please", "preview of my orders first", "I want to RESIGN"]
)
def test_a_command_that_the_club_cannot_read_keeps_all_orders_from_being_played(post: Post, line: str, place: str) -> None:
    post.send("race", "red", place.format(line))
    post.run()
    assert len(post.session("race").game.journal) == 1
    told = post.got()["red: race: your mail has a mistake"]
    assert line in told and "is a command to a club" in told


def test_a_preview_tells_what_the_first_order_would_cost(empty: Post) -> None:
    game = empty.add("checkpoint-rally", "red", "blue", game="rally")
    empty.run()
    empty.mails()
    seat = awaited(empty.session(game))[0]
    order = legal(empty.session(game), seat)[0]
    empty.send(game, seat, f"PREVIEW\n{order}")
    empty.run()
    assert re.search(r"The first order would cost \d+ min: .*\(CR-P1", empty.got()[f"{seat}: rally: your mail was read"])
    assert len(empty.session(game).game.journal) == 1


def test_commands_without_orders_are_answered_and_are_no_orders(post: Post) -> None:
    post.send("race", "blue", "STATUS\n\nRULES CF-G1\nHELP\n\nBye!")
    post.run()
    got = post.got()
    assert list(got) == ["blue: race: your mail was read"]
    assert "Track (1 lap" in got["blue: race: your mail was read"]
    assert "CF-G1" in got["blue: race: your mail was read"]
    assert "How to write to this club" in got["blue: race: your mail was read"]
    assert len(post.session("race").game.journal) == 1


def test_the_last_report_comes_again(post: Post) -> None:
    post.send("race", "blue", "RESEND")
    post.run()
    assert "happened so far" in post.got()["blue: race, turn 1: waiting for Red (red) (sent again)"]


def test_a_message_waits_for_the_moderator_and_then_goes_once(post: Post) -> None:
    post.send("race", "red", "MESSAGE to blue:\nshall we draw?\nEND")
    post.run()
    assert [subject for subject in post.got() if subject.startswith("blue")] == []
    with closing(post.club.ledger()) as ledger:
        number = ledger.matters()[0].number
        assert "shall we draw?" in release(ledger, number)
        with pytest.raises(ClubError, match="no matter"):
            release(ledger, number)
    post.run()
    assert post.got()["blue: race: message from Red (red)"] == "Red (red) writes to you:\n\n> shall we draw?\n"


def test_a_message_that_is_settled_never_goes(post: Post) -> None:
    post.send("race", "red", "MESSAGE to blue: rude words")
    post.run()
    with closing(post.club.ledger()) as ledger:
        settle(post.club, ledger, ledger.matters()[0].number, post.now)
        with pytest.raises(ClubError, match="no matter 99"):
            settle(post.club, ledger, 99, post.now)
    post.run()
    assert [subject for subject in post.got() if subject.startswith("blue")] == []


@pytest.mark.parametrize(
    ("words", "told"),
    [("purple: x", "message to “purple”"), ("blue:", "1 to 5,000 characters")],
)
def test_a_message_that_cannot_go_is_told(post: Post, words: str, told: str) -> None:
    post.send("race", "red", f"MESSAGE to {words}")
    post.run()
    assert told in post.got()["red: race: your mail has a mistake"]


def test_when_all_vote_for_it_the_moderator_is_told(post: Post) -> None:
    post.send("race", "red", "VOTE draw")
    post.run()
    assert matters(post) == []
    post.send("race", "blue", "VOTE draw\nVOTE undo")
    post.run()
    assert matters(post) == ["all players vote for draw"]


def test_who_resigns_stays_until_the_moderator_has_acted(post: Post) -> None:
    post.send("race", "red", "RESIGN")
    post.run()
    assert matters(post) == ["Red (red) wants to resign"]
    assert awaited(post.session("race")) == ["red"]


@pytest.mark.parametrize(
    "line", ["HOLIDAY next week", "HOLIDAY 2026-03-09 to 2026-03-02", "HOLIDAY 2026-02-30 to 2026-03-02"]
)
def test_a_holiday_that_cannot_be_read_is_told(post: Post, line: str) -> None:
    post.send("race", "red", line)
    post.run()
    assert "write a holiday like HOLIDAY 2026-12-20 to 2027-01-03" in post.got()["red: race: your mail has a mistake"]


def test_what_is_quoted_is_no_command(post: Post) -> None:
    post.send("race", "red", "GEAR 1\n\n> HELP\n> RESIGN\n")
    post.run()
    assert matters(post) == []
    assert "How to write" not in post.got()["red: race: your mail was read"]


def test_a_mail_in_the_mailbox_is_put_away_only_when_it_is_kept(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.send("race", "red", "GEAR 1")
    inbox = post.folder / "inbox"

    def fail(*_: object, **__: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.club.ledger.Ledger.keep", fail)
        with pytest.raises(KeyboardInterrupt):
            post.run()
    assert len(list((inbox / "new").iterdir())) == 1
    post.run()
    assert list((inbox / "new").iterdir()) == []
    assert [path.name.endswith(":2,S") for path in (inbox / "cur").iterdir()] == [True]


def test_the_ledger_is_readable_by_its_owner_alone(post: Post) -> None:
    for name in ("ledger.sqlite", "club.toml", "games/race/game.toml", "games/race/game.json"):
        assert Path(post.folder / name).stat().st_mode & 0o077 == 0, name


def test_a_message_names_its_recipient_by_the_player_or_the_seat(post: Post) -> None:
    post.seat("race", "blue", "Zoë Miller", "zoe@example.org")
    post.run()
    post.mails()
    post.send("race", "red", "MESSAGE to Zoë: hello\nEND\nMESSAGE to yellow: hello")
    post.run()
    told = flat(post.got()["red: race: your mail has a mistake"])
    assert "Then the club sends it to Zoë Miller (blue)." in told
    assert "You can write to Zoë Miller (blue), `all` or the `moderator`." in told
    assert len(matters(post)) == 1


def test_the_receipt_of_withdraw_says_what_waits_and_what_to_do(post: Post) -> None:
    post.send("race", "red", "GEAR 1\nGEAR 2")
    post.run()
    post.mails()
    post.send("race", "red", "WITHDRAW")
    post.run(after=60)
    told = flat(post.got()["red: race: your mail was read"])
    assert "You have no orders for this turn, and you need not send any now." in told


def test_orders_ahead_wait_for_the_turn_of_their_seat(post: Post) -> None:
    post.send("race", "blue", "GEAR 1")
    post.run()
    told = post.got()["blue: race: your mail was read"]
    assert told.startswith("It is not your turn: the game waits for Red (red).\n\n")
    assert "The club found no mistake in this mail. Your orders wait until it is your turn." in told


def test_a_mistake_out_of_turn_is_answered_with_whom_the_game_waits_for(post: Post) -> None:
    post.send("race", "blue", "GAER 1")
    post.run()
    assert post.got()["blue: race: your mail has a mistake"].startswith("It is not")


def test_status_out_of_turn_asks_for_nothing(post: Post) -> None:
    post.send("race", "blue", "STATUS")
    post.run()
    told = post.got()["blue: race: your mail was read"]
    assert told.startswith("It is not") and "need not send" in told
    assert "Track (1 lap" in told
    assert "turn 1`" not in told
    assert "send orders" not in flat(told)


def test_status_in_turn_says_what_to_do_and_what_counts(post: Post) -> None:
    post.send("race", "red", "STATUS")
    post.run()
    told = post.got()["red: race: your mail was read"]
    due = "Please send your orders for turn 1 by Thursday 2026-03-05 20:00 UTC."
    assert flat(told).startswith(f"You have sent no orders yet. {due} ")
    assert "\n  Choose a gear" in told
    assert "  Write `turn 1` on a line above your orders." in told
    assert told.index("Track (1 lap") < told.index("commitment ")
    assert max(map(len, told.splitlines()[1:])) <= 80


def test_status_names_the_orders_that_count(post: Post) -> None:
    post.send("race", "blue", "GEAR 1")
    post.run()
    post.mails()
    post.send("race", "blue", "STATUS")
    post.run(after=60)
    told = flat(post.got()["blue: race: your mail was read"])
    assert "Your orders in your mail of Monday 2026-03-02 12:00 UTC count: GEAR 1." in told


def test_without_new_orders_the_answer_names_the_last_report(post: Post) -> None:
    post.send("race", "red", "GEAR 1")
    post.run()
    post.mails()
    for seat, end in (("red", ", and you need not send any now."), ("blue", ". Please send your orders for turn 2 by")):
        post.send("race", seat, "Thanks!")
        post.run(after=60)
        when = "since the last report" if seat == "red" else "yet"
        assert f"sent no orders {when}{end}" in flat(post.got()[f"{seat}: race: your mail has no orders"])


def test_a_mistake_is_shown_by_its_line(post: Post) -> None:
    post.send("race", "red", "Hello,\nturn 1\nGAER 1\n")
    post.run()
    told = post.got()["red: race: your mail has a mistake"]
    assert "\nProblem:\n\nLine 3: “GAER” is not an order; " in told
    assert "\n  GAER 1\n  ^^^^\n  try: GEAR 1\n  [orders/unknown-order]\n" in told
    assert "\nignored: line 1 (a greeting):\n  Hello,\n" in told
    assert "your mail:" not in told


@pytest.mark.parametrize("line", ["STATUS please", "Status?", "status, please!"])
def test_a_command_may_be_polite(post: Post, line: str) -> None:
    post.send("race", "red", line)
    post.run()
    assert "Track (1 lap" in post.got()["red: race: your mail was read"]


@pytest.mark.parametrize("line", ["Resign?", "Help me, I have lost my report", "I like the preview of the next race"])
def test_a_question_or_prose_is_no_command(post: Post, line: str) -> None:
    post.send("race", "red", line)
    post.run()
    assert list(post.got()) == ["red: race: your mail has no orders"]
    assert matters(post) == []


def test_a_mail_without_orders_gets_an_answer_that_says_what_to_do(post: Post) -> None:
    post.send("race", "red", "Thanks for the quick turn!")
    post.run()
    told = flat(post.got()["red: race: your mail has no orders"])
    assert "There are no orders in this mail" in told
    assert "Please send your orders for turn 1 by Thursday" in told
    assert "To get a list of all commands, write HELP." in told
    assert "Problem" not in told
    assert "mistake" not in told


def test_a_report_that_is_sent_again_says_when_orders_are_due(post: Post) -> None:
    post.send("race", "red", "RESEND")
    post.run()
    assert "2026-03-05 20:00" in post.got()["red: race, turn 1: your turn (sent again)"].partition("\n")[0]
