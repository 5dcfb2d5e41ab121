"""Files and folders with many mails: which, and in which order."""

from __future__ import annotations

import mailbox
from pathlib import Path

import pytest

from adjudicator.mail import mailboxes
from adjudicator.mail.limits import MOST_BYTES, MailError
from adjudicator.mail.mailboxes import BoxMail, is_maildir, is_mbox, mails_of_maildir, mails_of_mbox

FIRST = "From ann@example.org Mon Mar  2 10:00:00 2026"


def mails(text: str) -> list[str]:
    return [kept.data.decode() for kept in mails_of_mbox(text.encode())]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_the_mails_of_an_mbox_file(ends: str) -> None:
    text = f"{FIRST}\nSubject: 1\n\nDRAW\n\nFrom - Mon Mar 02 10:00:01 2026\nSubject: 2\n\nMOVE C3\n".replace("\n", ends)
    assert is_mbox(text.encode())
    # The blank line behind a mail is the mailbox's: the bytes of a mail, and their hash, are those it has as a file.
    assert mails(text) == [f"Subject: 1{ends}{ends}DRAW{ends}", f"Subject: 2{ends}{ends}MOVE C3{ends}"]
    assert [kept.number for kept in mails_of_mbox(text.encode())] == [1, 2]


def test_lines_that_only_begin_like_a_border_are_text() -> None:
    text = f"{FIRST}\nSubject: 1\n\nFrom here on I drive.\n\nFrom 10:00 on\nDRAW\n\n>From C3\n>>From D3\n{FIRST}\nDRAW\n"
    assert mails(text) == [
        f"Subject: 1\n\nFrom here on I drive.\n\nFrom 10:00 on\nDRAW\n\nFrom C3\n>From D3\n{FIRST}\nDRAW\n",
    ]


@pytest.mark.parametrize(
    "border",
    [
        *(FIRST, "From - Mon Mar 02 10:00:01 2026", "From MAILER-DAEMON  Mon Mar  2 10:00 2026"),
        *("From ann@example.org Mon Mar  2 10:00:00 CET 2026", "From ann@example.org Mon Mar 2 10:00:00 2026 +0100"),
        "From 1234567890123456789@xxx Mon Mar 02 10:00:00 +0000 2026",
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_no_mail_is_lost_without_blank_lines_between_them(border: str, ends: str) -> None:
    text = f"{border}\nSubject: 1\n\nDRAW\n{border}\nSubject: 2\n\nMOVE C3\n".replace("\n", ends)
    assert mails(text) == [f"Subject: 1{ends}{ends}DRAW{ends}", f"Subject: 2{ends}{ends}MOVE C3{ends}"]


@pytest.mark.parametrize("line", ["From C3 at 10:00", "From ann@example.org Mon at 10:00", "From Mon Mar  2 10:00:00 2026"])
def test_other_lines_begin_no_mail_without_a_blank_line(line: str) -> None:
    assert len(mails(f"{FIRST}\nSubject: 1\n\nDRAW\n{line}\nx: y\n")) == 1


@pytest.mark.parametrize(
    "text", ["", "From", "From Ann\nSubject: x\n", "From: Ann\n\nx", f"x\n{FIRST}\nSubject: 1\n", f"{FIRST}\nDRAW\n"]
)
def test_other_files_are_no_mbox(text: str) -> None:
    assert not is_mbox(text.encode())


def test_what_python_writes_is_read(tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "box")
    bodies = ["red: DRAW\n", "From here\n\nFrom there on 10:00\n", "x\n"]
    for body in bodies:
        box.add(f"From: ann@example.org\nSubject: x\n\n{body}")
    box.close()
    data = (tmp_path / "box").read_bytes()
    assert is_mbox(data)
    assert [kept.data.partition(b"\n\n")[2].decode().rstrip("\n") + "\n" for kept in mails_of_mbox(data)] == bodies


@pytest.mark.parametrize(
    ("status", "is_deleted"), [("0001", False), ("0009", True), ("0008", True), ("1FFF", True), ("00", False)]
)
def test_a_mail_that_was_deleted_and_is_still_in_the_file(status: str, is_deleted: bool) -> None:
    text = f"{FIRST}\nX-Mozilla-Status: {status}\nSubject: 1\n\nX-Mozilla-Status: 0008\n"
    assert [kept.is_deleted for kept in mails_of_mbox(text.encode())] == [is_deleted]


def test_too_many_mails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mailboxes, "MOST_MAILS", 2)
    text = f"{FIRST}\nSubject: 1\n\nx\n\n" * 3
    with pytest.raises(MailError, match="it has 3 mails; the limit is 2"):
        mails(text)


def maildir(folder: Path, **files: bytes) -> Path:
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for name, data in files.items():
        (folder / name.replace("__", "/").replace("_T", ":2,")).write_bytes(data)
    return folder


def test_the_mails_of_a_maildir_come_as_they_were_delivered(tmp_path: Path) -> None:
    folder = maildir(tmp_path / "box")
    (folder / "cur" / "1772000100.M2P1.host:2,S").write_bytes(b"second")
    (folder / "cur" / "1772000300.M1P1.host:2,ST").write_bytes(b"fourth, trashed")
    (folder / "cur" / "1772000350.M1P1.host:2,D").write_bytes(b"fifth, a draft")
    (folder / "new" / "1772000200.M1P1.host").write_bytes(b"third")
    (folder / "new" / "999999999.M1P1.host").write_bytes(b"first")
    (folder / "new" / ".hidden").write_bytes(b"none")
    (folder / "new" / "folder").mkdir()
    (folder / "tmp" / "1772000200.M1P1.host").write_bytes(b"not yet delivered")
    assert is_maildir(folder)
    assert list(mails_of_maildir(folder)) == [
        BoxMail(1, b"first"),
        BoxMail(2, b"second"),
        BoxMail(3, b"third"),
        BoxMail(4, b"fourth, trashed", is_deleted=True),
        BoxMail(5, b"fifth, a draft", is_deleted=True),
    ]


def test_of_a_mail_that_is_too_large_only_so_much_is_read(tmp_path: Path) -> None:
    folder = maildir(tmp_path / "box")
    (folder / "new" / "x").write_bytes(b"x" * (MOST_BYTES + 100))
    assert [len(kept.data) for kept in mails_of_maildir(folder)] == [MOST_BYTES + 1]


def test_other_folders_are_no_maildir(tmp_path: Path) -> None:
    assert not is_maildir(tmp_path)
    assert not is_maildir(tmp_path / "nowhere")


@pytest.mark.parametrize("line", ["From " + "1" * 10_000, "From " * 50_000, (FIRST + "\n") * 5_000, "From 10:00" * 20_000])
def test_hostile_mbox_files_are_read_in_linear_time(line: str) -> None:
    data = f"{FIRST}\nSubject: 1\n\n{line}\n".encode()
    assert len(list(mails_of_mbox(data))) == 1
