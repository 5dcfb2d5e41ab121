"""Hostile mails, large ones, robots, and limits: what each costs, and whom."""

from __future__ import annotations

from email.message import Message
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.club import DAY, Club, begin, flat

LARGE = ("<a " * 20 + "\n") * 14_500
"""A body of 900 KB that would take long to decode."""
PATH = "from x (x [203.0.113.7]) by mx.example.org; Mon, 02 Mar 2026 12:00:00 +0000"


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the bodies that were decoded."""
    sizes, real = list[int](), Message.get_payload

    def counting(mail: Message, i: int | None = None, decode: bool = False) -> Any:
        data = real(mail, i, decode)
        if decode and isinstance(data, bytes):
            sizes.append(len(data))
        return data

    monkeypatch.setattr(Message, "get_payload", counting)
    return sizes


@pytest.mark.parametrize(
    "changes",
    [
        {"From": "mallory@evil.org", "Subject": "orders"},
        {"From": "mallory@evil.org", "Subject": "Re: [race/red#aaaabbbbccccdddd] turn 1"},
        {"From": "mallory@evil.org"},
        {"From": "red@example.org, mallory@evil.org"},
        {"Auto-Submitted": "auto-replied"},
        {"X-Vacation": "yes", "Subject": "orders"},
        {"Subject": "orders", "Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"},
        {"Authentication-Results": "mx.example.org; spf=pass smtp.mailfrom=evil.org"},
        {"Subject": "orders"},
    ],
)
def test_no_body_is_decoded_for_a_mail_that_proves_nothing(
    tmp_path: Path, bodies: list[int], changes: dict[str, str]
) -> None:
    """All sizes of a stranger's mail cost the same: a body of 900 KB is kept as it came, and not read."""
    club = begin("race", tmp_path)
    club.club("set", "trust.authserv_id=mx.example.org")
    club.mail("red", LARGE, **{name.replace("-", "_"): value for name, value in changes.items()})
    club.round()
    assert [size for size in bodies if size > 500_000] == []
    assert club.journal("race") == []


def test_the_body_of_a_players_mail_is_decoded_for_the_token_in_it(tmp_path: Path, bodies: list[int]) -> None:
    club = begin("race", tmp_path)
    club.mail("red", f"token {club.known('tag', 'red')}\nGEAR 1", "new")
    club.round()
    assert bodies and club.journal("race") == ["red GEAR 1"]


@pytest.mark.parametrize(
    "sender",
    [
        "mallory@evil.org (<red@example.org>)",
        "red@example.org <mallory@evil.org>",
        "<red@example.org> <mallory@evil.org>",
        "mallory@evil.org, red@example.org",
    ],
)
def test_a_sender_that_can_be_read_in_two_ways_is_no_player(tmp_path: Path, sender: str) -> None:
    club = begin("race", tmp_path)
    club.club("set", "trust.authserv_id=mx.example.org")
    proof = "Authentication-Results: mx.example.org; dmarc=pass header.from=evil.org; spf=pass smtp.mailfrom=evil.org"
    head = f"{proof}\r\nFrom: {sender}\r\nSubject: [{club.known('tag', 'red')}]\r\n\r\nGEAR 1\r\n"
    club.deliver(head.encode())
    club.round()
    assert (club.new, club.journal("race"), len(club.matters())) == ([], [], 1)
    assert "exactly one address" in club.matters()[0]


@pytest.mark.parametrize("sender", ["ev\u202el@evil.example", "e\x1b[2Jvil@evil.example", "\u3164@evil.example"])
def test_an_address_in_a_matter_is_safe_to_print(tmp_path: Path, sender: str) -> None:
    club = begin("race", tmp_path)
    club.deliver(f"From: {sender}\nSubject: x\n\nhi\n".encode())
    club.round()
    status = club.club("status").output
    assert "Waiting for you" in status and status.replace("\n", "").isprintable()


@pytest.mark.parametrize("text", ["hi\r\n  7  Monday", "\x1b[2J\x1b[1;1H  8  Tuesday", "hi\x0b  8  Tuesday\x85  9\x0c10"])
def test_a_message_to_the_moderator_forges_no_line(tmp_path: Path, text: str) -> None:
    club = begin("race", tmp_path)
    club.mail("red", f"MESSAGE to moderator:\n{text}\nEND")
    club.round()
    before, _, new = club.club("status").output.partition("Waiting for you\n")
    first, *quoted = new.rstrip("\n").split("\n")
    assert "\x1b" not in before + new and first.endswith(" writes:")
    assert quoted and all(line.startswith("    > ") and line.isprintable() for line in quoted)


def with_photo(club: Club, size: int) -> bytes:
    head = f"From: red@example.org\nSubject: [{club.known('tag', 'red')}]\nMessage-ID: <photo@x>\nMIME-Version: 1.0\n"
    parts = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nGEAR 1\n--b\nContent-Type: image/jpeg; name=photo.jpg\n"
    return f"{head}{parts}Content-Transfer-Encoding: base64\n\n".encode() + b"/9j/" * (size // 3) + b"\n--b--\n"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0\0",
        b"From: red@example.org\r\nSubject: \xff\xfe\r\n\r\n\xff",
        b"Content-Type: multipart/mixed; boundary=x\r\n" + b"\r\n--x\r\nContent-Type: multipart/mixed; boundary=x\r\n" * 60,
        b"A" * 41_000_000,
    ],
    ids=["empty", "zeros", "odd", "nested", "large"],
)
def test_whatever_comes_costs_only_itself(tmp_path: Path, data: bytes) -> None:
    club = begin("race", tmp_path)
    club.deliver(data)
    club.mail("red", "GEAR 1")
    club.round()
    assert club.journal("race") == ["red GEAR 1"]


def test_a_mail_with_too_much_text_is_told_to_its_player(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "GEAR 1\n" + "x" * 1_100_000)
    club.round()
    assert "The mail has" in club.letter("red", "race: your mail has a mistake").text


def test_a_mail_with_a_large_photo_is_answered_and_kept_without_it(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    data = with_photo(club, 6_100_000)
    club.deliver(data)
    club.round()
    told = club.letter("red", "race: your mail was read").text
    assert "GEAR 1" in told and "photo.jpg (image/jpeg, 6.1 MB)" in told and f"sha256 {sha256(data).hexdigest()}" in told
    assert (club.folder / "ledger.sqlite").stat().st_size < 1_000_000
    club.deliver(data)
    club.round(60)
    assert club.new == []


def test_a_mail_beyond_the_limit_is_answered_with_what_to_do_and_never_read_again(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    data = with_photo(club, 40_000_000)
    club.deliver(data)
    club.round()
    told = club.letter("red", "race: your mail has a mistake").text
    assert "Problem:\n\nThe mail has more than 40 MB: send your orders again in a mail without attachments" in told
    assert (club.folder / "ledger.sqlite").stat().st_size < 1_000_000
    assert club.journal("race") == []
    club.deliver(data)
    club.round(60)
    assert club.new == []


def test_what_is_attached_is_told_and_not_opened(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    head = f"From: red@example.org\r\nSubject: [{club.known('tag', 'red')}]\r\nMessage-ID: <z@z>\r\n"
    text = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nGEAR 1\r\n--b\r\n"
    packed = 'Content-Type: application/zip\r\nContent-Disposition: attachment; filename="orders.zip"\r\n\r\nPK\r\n--b--'
    club.deliver(f"{head}{text}{packed}".encode())
    club.round()
    assert "orders.zip" in club.letter("red", "race: your mail was read").text
    assert club.journal("race") == ["red GEAR 1"]


@pytest.mark.parametrize("line", ["x" * 50_000, "as I said " * 5_000, "\U0001f1e9\U0001f1ea" * 25_000, f"{'x' * 50_000}:"])
def test_a_long_line_makes_no_letter_long(tmp_path: Path, line: str) -> None:
    """Each letter is as long as with the 200 characters that are quoted, but for the words that give the length."""
    sizes = []
    for number, remark in enumerate((line[:200], line)):
        club = begin("race", tmp_path / str(number))
        club.mail("red", f"GEAR 1\n{remark}\n")
        club.round()
        sizes.append({(one.to, one.subject): len(one.mail.as_bytes()) for one in club.new})
    before, after = sizes
    assert len(before) == 4 and before.keys() == after.keys()
    assert {letter: size for letter, size in after.items() if size > before[letter] + 150} == {}


@pytest.mark.parametrize("text", ["Buy!", "Buy {}!"])
def test_a_flood_of_strangers_is_one_matter(tmp_path: Path, text: str) -> None:
    """They are counted by the path by which they come, not by the name that they use."""
    club = begin("race", tmp_path)
    for number in range(30):
        club.mail(f"m{number}@evil.org", text.format(number), Received=PATH)
    club.round()
    assert len(club.matters()) == 6 and "more than 5 mails" in club.matters()[-1]
    club.round(DAY)
    letter = club.letter("gm", "waiting for you: 6 matters").text
    assert letter.count("evil.org") == 6 and "(25 mails)" in letter
    club.mail("mallory@evil.org", "Buy!", Received=PATH)
    club.round(2 * DAY)
    assert len(club.matters()) == 7, "a day later, they are counted anew"


@pytest.mark.parametrize("trust", ["required", "address"])
def test_guesses_take_nothing_from_the_player(tmp_path: Path, trust: str) -> None:
    club = begin("race", tmp_path)
    club.club("set", f"trust.token={trust}")
    for number in range(20):
        club.mail("red", "GEAR N", Subject=f"[race/red#wrongtoken{number}]", Received=PATH)
    club.round()
    club.mail("red", "GEAR 1", "" if trust == "required" else "new", Received=PATH)
    club.round(60)
    assert club.journal("race") == ["red GEAR 1"]


# Robots and limits


def answers(club: Club, who: str = "red") -> list[str]:
    return [one.text for one in club.new if one.to == who and "your mail" in one.subject]


@pytest.mark.parametrize(
    "text",
    [
        "I am away until Monday.\n\nHoliday in Spain, at last!\n\n> GEAR {}\n",
        "> {}",
        "MVOE C3\n> {}",
        "I am out of the office. Your case is number {}.",
        "Out of office until 2026-03-{}. Ticket #a{}f9.",
        "Thank you for your mail.\n\nReference: TK-{}\n\n> quoted {}",
        "Bin bis {}.3. im Urlaub.",
    ],
)
def test_a_robot_without_marks_is_answered_once_although_its_numbers_change(tmp_path: Path, text: str) -> None:
    club = begin("race", tmp_path)
    for number in range(10, 16):
        club.mail("red", text.replace("{}", str(number)), Subject=f"Away: [{club.known('tag', 'red')}] {number}")
        club.next_round(600)
    assert len(answers(club)) == 1


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("Thank you. {} will answer soon.", False),
        ("MVOE {}", False),
        ("I am away until Monday.", False),
        pytest.param("Thank you. {} will answer soon.", True, marks=pytest.mark.soak),
        pytest.param("MVOE {}", True, marks=pytest.mark.soak),
    ],
)
def test_no_robot_keeps_the_club_writing(tmp_path: Path, text: str, quotes: bool) -> None:
    """A robot with a new word in each letter, which may quote the letter without a mark, gets few answers."""
    club = begin("race", tmp_path)
    club.mail("red", text.format("alpha"))
    for number in range(22):
        club.round(600)
        if not club.new:
            return
        for letter in club.new:
            word = "".join(chr(97 + int(digit)) for digit in str(number))
            club.mail("red", f"{text.format(word)}\n\n{letter.text if quotes else ''}")
    pytest.fail("the club still writes")


@pytest.mark.parametrize("texts", [["GEAR 9"] * 2, ["STATUS"] * 2, ["PREVIEW\nGEAR 1"] * 2, ["GAER 1", "GAER 2"]])
def test_who_repeats_what_can_be_read_or_writes_something_else_is_no_robot(tmp_path: Path, texts: list[str]) -> None:
    club = begin("race", tmp_path)
    for text in texts:
        club.mail("red", text)
        club.next_round(60)
    assert len(answers(club)) == 2


@pytest.mark.parametrize(
    ("name", "command", "sign"),
    [("rules", "RULES CF-G1", "CF-G1"), ("status", "STATUS", "Track ("), ("status", "RESEND", "in a separate mail")],
)
def test_what_is_asked_for_too_often_is_refused_for_a_day(tmp_path: Path, name: str, command: str, sign: str) -> None:
    club = begin("race", tmp_path)
    club.club("set", f"limits.{name}=2")
    for _ in range(3):
        club.mail("red", command)
        club.next_round(60)
    texts = answers(club)
    refused = [text for text in texts if "within 24 hours" in text]
    assert (len(texts), len(refused)) == (3, 1) and "you can make 2 requests" in flat(refused[0])
    assert sum(sign in text for text in texts if text not in refused) == 2
    club.mail("blue", command)
    club.round()
    assert "within 24 hours" not in answers(club, "blue")[0], "the limits of one seat are not those of another"
    club.mail("red", command)
    club.round(DAY)
    assert sign in answers(club)[0]


@pytest.mark.parametrize("line", ["MESSAGE to blue: number {}", "MESSAGE to moderator: number {}", "RESIGN"])
def test_messages_have_a_limit(tmp_path: Path, line: str) -> None:
    club = begin("race", tmp_path)
    club.club("set", "limits.messages=2", "press=free")
    for number in range(4):
        club.mail("red", line.format(number))
        club.next_round(60)
    assert len([one for one in club.new if one.to != "red"]) == 2


def test_the_limit_holds_within_one_mail(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.club("set", "limits.rules=3")
    club.mail("red", "RULES CF-G1\n" * 5)
    club.round()
    assert answers(club)[0].count("within 24 hours") == 1, "the same words come once"


def test_orders_are_taken_where_the_receipts_of_the_day_are_used_up(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.club("set", "limits.receipts=2")
    for gear in ("2", "3", "N", "1"):
        club.mail("blue", f"GEAR {gear}")
        club.next_round(60)
    texts = answers(club, "blue")
    assert (len(texts), sum("This is the last answer" in text for text in texts)) == (2, 1)
    club.mail("red", "GEAR 1")
    club.round(60)
    assert club.journal("race") == ["red GEAR 1", "blue GEAR 1"]


# Bounces


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


@pytest.mark.parametrize(
    ("name", "who", "action", "matters"),
    [
        (
            "race",
            "red",
            "failed",
            ["a mail (report) to Red (red) at red@example.org came back: smtp; 550 5.1.1 no such user here"],
        ),
        ("race", "red", "delayed", []),
        ("race", "", "failed", []),
        ("members", "ann", "failed", ["a mail (membership) to a member at ann@example.org came back: smtp; 550"]),
    ],
)
def test_a_bounce_is_matched_to_its_letter(tmp_path: Path, name: str, who: str, action: str, matters: list[str]) -> None:
    club = begin(name, tmp_path)
    identifier = club.known("id", who) if who else f"<{'0' * 32}@example.org>"
    for number in range(2):
        club.deliver(DSN.format(identifier=identifier, action=action, number=number).replace("\n", "\r\n").encode())
    club.round(60)
    found = club.matters()
    assert len(found) == len(matters) and all(map(str.__contains__, found, matters)), found
    assert club.new == []


def test_a_bounce_of_a_letter_to_an_earlier_player_does_not_name_the_present_one(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    identifier = club.known("id", "red")
    club.club("seat", "race", "red", "Carol", "carol@example.org")
    club.deliver(DSN.format(identifier=identifier, action="failed", number=1).replace("\n", "\r\n").encode())
    club.round(60)
    assert [words for words in club.matters() if "(report) to Red (red) at red@example.org came back" in words]


def test_the_moderator_hears_nothing_of_forged_addresses_that_do_not_exist(tmp_path: Path) -> None:
    club = begin("open", tmp_path)
    club.mail("zoe", "JOIN")
    club.round()
    identifier = club.known("id", "zoe")
    club.deliver(DSN.format(identifier=identifier, action="failed", number=1).replace("\n", "\r\n").encode())
    club.round()
    assert (club.matters(), club.new) == ([], [])


def test_identifiers_of_letters_are_secret_and_those_of_one_club(tmp_path: Path) -> None:
    """Who gets a message could otherwise try out which orders were in the mail that it came with."""
    found = []
    for number in range(2):
        club = Club(tmp_path / str(number))
        club.top.mkdir()
        address = ("--address", "club@example.org", "--moderator", "gm@example.org")
        club.command("club", "init", "thursday", "--name", "T", *address)
        club.club("set", "press=free", "pictures=none")
        club.add("checkered-flag", "red", "blue", game="race")
        club.round()
        club.mail("red", "MESSAGE to blue: hi\nEND\nGEAR 1", Message_ID="<same@x>")
        club.round()
        found.append(str(club.letter("blue", "race: message from Red (red)").mail["Message-ID"]))
    assert len(set(found)) == 2


@pytest.mark.parametrize("frame", ["{0}", "schrieb wer auch immer\n{0}", "\u53d1\u4ef6\u4eba club\n{0}", "{0}\ngood luck"])
def test_no_part_of_a_report_goes_out_in_a_message(tmp_path: Path, frame: str) -> None:
    """Each block of the own report, without quotation marks, wrapped in another way, below words of any language."""
    club = begin("spies", tmp_path)
    club.club("set", "press=free")
    report = club.command("report", "thursday/games/spies/game.json", "--as", "red").stdout
    blocks = [block for block in report.split("\n\n") if len(block.split()) >= 8]
    assert len(blocks) > 3
    for block in blocks:
        for text in (block, "\n".join(block.split()), " ".join(block.split())):
            lines = "\n".join(line for line in text.splitlines() if line.strip())
            club.mail("red", f"MESSAGE to blue:\n{frame.format(lines)}\nEND")
    club.round(60)
    assert {one.to for one in club.new} == {"red"}
    assert club.matters() == []


@pytest.mark.parametrize("line", ["*\x1c*", "-\u2003-"])
def test_a_line_of_marks_and_odd_blanks_is_no_command(tmp_path: Path, line: str) -> None:
    club = begin("begun", tmp_path)
    club.mail("ann", f"{line}\nSTATUS", "club")
    club.round()
    assert [words for words in club.matters() if "program failed" in words] == []
