"""What a moderator hands over becomes texts: turn files, mails, mailboxes mail by mail."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from adjudicator.core.ids import Seat
from adjudicator.intake import folder_submissions, submissions
from adjudicator.mail.limits import MOST_BYTES, MOST_TEXT
from adjudicator.orders.clean import MOST_LINES
from adjudicator.orders.submission import Submission

RED = Seat("red")
HEAD = "Received: by a; Mon, 2 Mar 2026 18:08:41 +0100\nFrom: Ann Smith <ann@example.org>\nMessage-ID: <1>\n"
MAIL = f"{HEAD}\nred:\nDRAW\n"
BORDER = "From ann@example.org Mon Mar  2 10:00:00 2026\n"


def of(data: str | bytes, source: str = "a", seat: Seat | None = None) -> list[Submission]:
    return list(submissions(source, data.encode() if isinstance(data, str) else data, seat))


def test_a_text() -> None:
    hash_ = sha256(b"red:\nDRAW\n").hexdigest()
    assert of("red:\nDRAW\n") == [Submission("a", ("red:", "DRAW", ""), hash=hash_, identity=hash_)]
    assert of("red:\nDRAW\n", seat=RED) == [Submission("a", ("red:", "DRAW", ""), RED, hash=hash_, identity=hash_)]
    assert of(b"\0")[0].problem is not None


def test_a_mail() -> None:
    (found,) = of(MAIL, seat=RED)
    hash_ = sha256(MAIL.encode()).hexdigest()
    assert found.identity != hash_
    assert replace(found, identity="") == Submission(
        "a", ("red:", "DRAW"), RED, 1772471321, is_mail=True, names=("Ann Smith",), hash=hash_
    )


PLIST = '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>flags</key></dict></plist>\n'


@pytest.mark.parametrize("line", ["{}\n", "{}        \n", "{}\r\n"])
@pytest.mark.parametrize("name", ["1.emlx", "1.partial.emlx", "a"])
def test_a_mail_of_apple_mail(name: str, line: str) -> None:
    """The file begins with the size of the mail and ends with properties; the hash is that of the mail."""
    (found,) = of(f"{line.format(len(MAIL))}{MAIL}{PLIST}", name, RED)
    (mail,) = of(MAIL, name, RED)
    assert found == mail


@pytest.mark.parametrize(
    "text", ["7\nred:\nDRAW", "12\nFrom: C3\nTo: D3\n\nred: DRAW", "9" * 5000 + "\n" + MAIL, "5\n" + MAIL]
)
def test_other_texts_with_a_number_on_top_are_no_mail_of_apple_mail(text: str) -> None:
    assert not of(text)[0].is_mail


@pytest.mark.parametrize("name", ["a.eml", "A.EML", "a.mail"])
def test_a_file_called_a_mail_is_one_if_it_has_any_head(name: str) -> None:
    text = "From: Ann\nSubject: turn 7\n\nred:\nDRAW"
    assert of(text, name)[0].lines == ("red:", "DRAW")
    assert not of(text, "a.txt")[0].is_mail
    assert [(one.lines, one.is_mail) for one in of("red:\nDRAW", name)] == [(("red:", "DRAW"), False)]


def test_what_is_wrong_with_a_mail_is_its_problem() -> None:
    (found,) = of(HEAD + "\n" + "x" * (MOST_TEXT + 1), seat=RED)
    assert (found.problem and found.problem.code, found.seat, found.is_mail) == ("mail/too-large", "red", True)
    (found,) = of(HEAD + "\n" + "x\n" * (MOST_LINES + 1))
    assert found.problem is not None
    assert f"{MOST_LINES:,}" in found.problem.message


def test_an_mbox_file_is_taken_mail_by_mail() -> None:
    broken = MAIL.replace("\nred:", "Content-Type: text/plain; charset=utf-8\n\n\0red:")
    deleted = f"X-Mozilla-Status: 0009\n{MAIL}"
    found = of("\n".join(BORDER + mail for mail in (MAIL, broken, deleted, MAIL)), "in.mbox", RED)
    assert [one.source for one in found] == [f"in.mbox, mail {number}" for number in (1, 2, 3, 4)]
    assert [one.lines[:2] for one in found] == [("red:", "DRAW"), (), (), ("red:", "DRAW")]
    assert [bool(one.problem) for one in found] == [False, True, False, False]
    assert [bool(one.skipped) for one in found] == [False, False, True, False]
    assert {one.seat for one in found} == {RED}


def test_a_mailbox_with_too_many_mails_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.mail.mailboxes.MOST_MAILS", 1)
    (found,) = of(BORDER + MAIL + "\n" + BORDER + MAIL)
    assert found.problem is not None
    assert (found.source, found.problem.code) == ("a", "mail/too-many-mails")


def test_a_maildir_is_taken_mail_by_mail(tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
    (tmp_path / "new" / "2.a.b").write_text(MAIL)
    (tmp_path / "cur" / "1.a.b:2,T").write_text(MAIL)
    found = list(folder_submissions("box", tmp_path))
    assert [(one.source, one.lines, bool(one.skipped)) for one in found] == [
        ("box, mail 1", (), True),
        ("box, mail 2", ("red:", "DRAW"), False),
    ]


def test_a_mail_that_is_too_large_has_one_hash_wherever_it_lies(tmp_path: Path) -> None:
    for name in ("cur", "new"):
        (tmp_path / name).mkdir()
    data = f"{HEAD}\nDRAW\n".encode() + b"x" * MOST_BYTES
    (tmp_path / "new" / "1.a.b").write_bytes(data)
    found = [*of(data), *folder_submissions("box", tmp_path)]
    assert [one.problem and one.problem.code for one in found] == ["mail/too-large"] * 2
    assert {one.hash for one in found} == {sha256(data[: MOST_BYTES + 1]).hexdigest()}
