"""How much one seat may ask for in a day, robots that only repetition gives away, and identifiers that reveal nothing."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from players_post import DAY, Post, founded

from adjudicator.club.intake import answer_all
from adjudicator.club.ledger import MailState
from adjudicator.core.canonical import digest
from adjudicator.mail.envelope import envelope_of

AWAY = "I am away until Monday.\n\nHoliday in Spain, at last!\n\n> GEAR {}\n"


def limit(post: Post, **limits: int) -> None:
    lines = "".join(f"{name} = {most}\n" for name, most in limits.items())
    post.settings("[deadlines]\n", f"[limits]\n{lines}\n[deadlines]\n")


def answers(post: Post) -> list[str]:
    """Return the answers that red got since the last call."""
    mails = [mail for mail in post.mails() if "your mail" in str(mail["Subject"]) and str(mail["To"]).startswith("red")]
    return [str(mail.get_body(("plain",)).get_content()) for mail in mails]


@pytest.mark.parametrize(
    ("name", "command", "sign"),
    [("rules", "RULES CF-G1", "CF-G1"), ("status", "STATUS", "Track ("), ("status", "RESEND", "in a separate mail")],
)
def test_what_is_asked_for_too_often_is_refused_for_a_day(post: Post, name: str, command: str, sign: str) -> None:
    limit(post, **{name: 2})
    for _ in range(3):
        post.send("race", "red", command)
        post.run(after=60)
    texts = answers(post)
    refused = [text for text in texts if "within 24 hours" in text]
    assert (len(texts), len(refused)) == (3, 1)
    assert "you can make 2 requests" in refused[0]
    assert sum(sign in text for text in texts if text not in refused) == 2
    post.now += DAY
    post.send("race", "red", command)
    post.run()
    assert sign in answers(post)[0]


def test_the_limit_holds_within_one_mail(post: Post) -> None:
    limit(post, rules=3)
    post.send("race", "red", "RULES CF-G1\n" * 5)
    post.run()
    assert answers(post)[0].count("within 24 hours") == 1, "the same words come once"


@pytest.mark.parametrize("line", ["MESSAGE to blue: number {}", "MESSAGE to moderator: number {}", "RESIGN"])
def test_messages_have_a_limit(post: Post, line: str) -> None:
    limit(post, messages=2)
    post.settings('press = "moderated"', 'press = "free"')
    for number in range(4):
        post.send("race", "red", line.format(number))
        post.run(after=60)
    mails = [mail for mail in post.mails() if not str(mail["To"]).startswith("red")]
    assert len(mails) == 2


def test_the_limits_of_one_seat_are_not_those_of_another(post: Post) -> None:
    limit(post, status=1)
    for seat in ("red", "blue"):
        post.send("race", seat, "STATUS")
        post.run(after=60)
    assert all("within 24 hours" not in text for text in post.got().values())


def test_orders_are_taken_where_the_receipts_of_the_day_are_used_up(post: Post) -> None:
    limit(post, receipts=2)
    for gear in ("2", "3", "N", "1"):
        post.send("race", "blue", f"GEAR {gear}")
        post.run(after=60)
    got = [mail for mail in post.mails() if str(mail["To"]).startswith("blue")]
    texts = [str(mail.get_body(("plain",)).get_content()) for mail in got]
    assert len(texts) == 2
    assert sum("This is the last answer" in text for text in texts) == 1
    post.send("race", "red", "GEAR 1")
    post.run(after=60)
    journal = post.session("race").game.journal
    assert [link.entry.order for link in journal if link.entry.seat == "blue"] == ["GEAR 1"]


@pytest.mark.parametrize("text", [AWAY, "Your mail will be answered soon\n\n> GEAR {}", "> {}", "MVOE C3\n> {}"])
def test_a_robot_without_marks_is_answered_once(post: Post, text: str) -> None:
    for number in range(10):
        post.send("race", "red", text.format(number), Subject=f"Away: {post.tag('race', 'red')} {number}")
        post.run(after=60)
    assert len(answers(post)) == 1
    with closing(post.club.ledger()) as ledger:
        assert len(ledger.mails(MailState.WAITING)) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "I am out of the office. Your case is number {}.",
        "Out of office until 2026-03-{}. Ticket #a{}f9.",
        "Thank you for your mail.\n\nReference: TK-{}\n\n> quoted {}",
        "I am away.\n\nCase {} / {}",
        "Bin bis {}.3. im Urlaub.",
    ],
)
def test_an_automatic_reply_without_any_mark_is_answered_once_although_its_numbers_change(post: Post, text: str) -> None:
    for number in range(10, 20):
        post.send("race", "red", text.replace("{}", str(number)), Subject=f"Re: {post.tag('race', 'red')} {number}")
        post.run(after=600)
    assert len(answers(post)) == 1


@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize("text", ["Thank you. {} will answer soon.", "MVOE {}", "GAER 1 {}"])
def test_no_robot_keeps_the_club_writing(post: Post, text: str, quotes: bool) -> None:
    """A robot with a new word in each letter, which may quote the letter without a mark, gets few answers."""
    post.send("race", "red", text.format("alpha"))
    for number in range(22):
        post.run(after=600)
        mails = post.mails()
        if not mails:
            return
        for mail in mails:
            below = str(mail.get_body(("plain",)).get_content()) if quotes else ""
            word = "".join(chr(97 + int(digit)) for digit in str(number))
            post.send("race", "red", f"{text.format(word)}\n\n{below}", Subject=f"Re: {post.tag('race', 'red')} {word}")
    pytest.fail("the club still writes")


def test_a_robot_and_the_club_do_not_talk_for_ever(post: Post) -> None:
    """A robot answers every letter of the club, the answers to its own mails as well."""
    post.send("race", "red", AWAY.format(0))
    for _ in range(20):
        post.run(after=60)
        mails = post.mails()
        if not mails:
            break
        for mail in mails:
            quoted = "\n".join(f"> {line}" for line in str(mail.get_body(("plain",)).get_content()).splitlines())
            post.send("race", "red", f"I am away until Monday.\n\n{quoted}", Subject=f"Away: {mail['Subject']}")
    assert post.mails() == []
    with closing(post.club.ledger()) as ledger:
        assert sum(len(ledger.mails(state)) for state in MailState) <= 4


@pytest.mark.parametrize("text", ["GEAR 9", "GEAR 1", "STATUS", "PREVIEW\nGEAR 1"])
def test_who_repeats_what_can_be_read_is_no_robot(post: Post, text: str) -> None:
    for _ in range(2):
        post.send("race", "red" if text != "GEAR 1" else "blue", text)
        post.run(after=60)
    assert len([mail for mail in post.mails() if "your mail" in str(mail["Subject"])]) == 2


def test_what_is_not_understood_is_answered_again_if_it_differs(post: Post) -> None:
    for text in ("GAER 1", "GAER 2"):
        post.send("race", "red", text)
        post.run(after=60)
    assert len(answers(post)) == 2


def test_a_run_that_is_interrupted_counts_nothing_twice(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(post, rules=1)
    post.send("race", "red", "RULES CF-G1")
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.club.ledger.Ledger.queue", _stop)
        with pytest.raises(KeyboardInterrupt):
            post.run()
    with closing(post.club.ledger()) as ledger:
        answer_all(post.club, ledger, post.now)
    post.run()
    assert ["within 24 hours" in text for text in answers(post)] == [False]


def _stop(*_: object) -> bool:
    raise KeyboardInterrupt


def test_the_identifier_of_a_message_is_no_hash_of_what_its_reader_can_guess(post: Post) -> None:
    """Who gets a message could otherwise try out which orders were in the mail that it came with."""
    post.settings('press = "moderated"', 'press = "free"')
    data = post.send("race", "red", "MESSAGE to blue: hi\nEND\nGEAR 1")
    post.run()
    mails = {str(mail["Subject"]).partition("] ")[2]: mail for mail in post.mails() if str(mail["To"]).startswith("blue")}
    found = re.findall(r"<([0-9a-f]+)@", str(mails["race: message from Red (red)"]["Message-ID"]))
    identity = envelope_of(data).identity
    hashes = {digest(words.encode()) for words in (identity, f"message/{identity}/0/blue", f"{identity}/0")}
    assert len(found) == 1
    assert not any(one.startswith(found[0]) for one in hashes)


def test_two_clubs_have_different_identifiers_and_one_club_always_the_same(post: Post, tmp_path: Path) -> None:
    with closing(post.club.ledger()) as one, closing(founded(tmp_path / "other").club.ledger()) as other:
        secrets = {one.secret(), other.secret()}
    assert len(secrets) == 2
    with closing(post.club.ledger()) as again:
        assert again.secret() in secrets
    assert all(len(secret) == 32 for secret in secrets)


@pytest.mark.parametrize("line", ["x" * 50_000, "as I said " * 5_000, "\U0001f1e9\U0001f1ea" * 25_000, f"{'x' * 50_000}:"])
def test_a_long_line_makes_no_letter_long(post: Post, line: str) -> None:
    """An order and a line of 300,000 letters stopped a round for two minutes, and came back to all readers.

    Each letter is as long as with the 200 characters that are quoted, but for the words that give the length.
    """
    sizes = []
    for remark in (line[:200], line):
        copy = post.copied(post.folder.parent / f"copy-{len(sizes)}")
        copy.send("race", "red", f"GEAR 1\n{remark}\n")
        copy.run()
        sizes.append({(str(mail["To"]), str(mail["Subject"])): len(mail.as_bytes()) for mail in copy.mails()})
    before, after = sizes
    assert len(before) == 4
    assert before.keys() == after.keys()
    assert {letter: size for letter, size in after.items() if size > before[letter] + 150} == {}
