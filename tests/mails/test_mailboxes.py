"""Files and folders with many mails: which are read, and in which order."""

from __future__ import annotations

import mailbox
from pathlib import Path

import pytest

import adjudicator as adj
from tests.drivers.mails import lines_run

FIRST = "From ann@example.org Mon Mar  2 10:00:00 2026"


def mails(text: str) -> list[tuple[str, ...]]:
    """Return the lines of each mail in a file with many."""
    return [one.lines for one in adj.read_orders(text.encode(), name="box")]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("blank", ["\n", ""])
@pytest.mark.parametrize(
    "border",
    [
        *(FIRST, "From - Mon Mar 02 10:00:01 2026", "From MAILER-DAEMON  Mon Mar  2 10:00 2026"),
        *("From ann@example.org Mon Mar  2 10:00:00 CET 2026", "From ann@example.org Mon Mar 2 10:00:00 2026 +0100"),
        "From 1234567890123456789@xxx Mon Mar 02 10:00:00 +0000 2026",
    ],
)
def test_the_mails_of_an_mbox_file_with_or_without_blank_lines_between_them(border: str, blank: str, ends: str) -> None:
    """The blank line after a mail is the mailbox's: the bytes of a mail, and their hash, are those it has as a file."""
    text = f"{border}\nSubject: 1\n\nDRAW\n{blank}{border}\nSubject: 2\n\nMOVE C3\n".replace("\n", ends)
    first, second = adj.read_orders(text.encode(), name="box")
    assert (first.lines, second.lines) == (("DRAW",), ("MOVE C3",))
    assert first.hash == adj.read_mail(f"Subject: 1{ends}{ends}DRAW{ends}".encode()).hash
    assert (first.source, second.source) == ("box, mail 1", "box, mail 2")


def test_lines_that_only_begin_like_a_border_are_text() -> None:
    text = f"{FIRST}\nSubject: 1\n\nFrom here on I drive.\n\nFrom 10:00 on\nDRAW\n\n>From C3\n>>From D3\n{FIRST}\nDRAW\n"
    (lines,) = mails(text)
    assert lines == ("From here on I drive.", "", "From 10:00 on", "DRAW", "", "From C3", ">From D3", FIRST, "DRAW")
    for line in ("From C3 at 10:00", "From ann@example.org Mon at 10:00", "From Mon Mar  2 10:00:00 2026"):
        assert len(mails(f"{FIRST}\nSubject: 1\n\nDRAW\n{line}\nx: y\n")) == 1


@pytest.mark.parametrize(
    "text", ["", "From", "From Ann\nSubject: x\n", "From: Ann\n\nx", f"x\n{FIRST}\nSubject: 1\n", f"{FIRST}\nDRAW\n"]
)
def test_other_files_are_one_text(text: str) -> None:
    (one,) = adj.read_orders(text.encode(), name="box")
    assert (one.source, one.is_mail) == ("box", False)


def test_what_python_writes_is_read(tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "box")
    bodies = ["red: DRAW\n", "From here\n\nFrom there on 10:00\n", "x\n"]
    for body in bodies:
        box.add(f"From: ann@example.org\nSubject: x\n\n{body}")
    box.close()
    assert ["\n".join(one.lines) for one in adj.read_orders(tmp_path / "box")] == [body.rstrip("\n") for body in bodies]


def test_too_many_mails_are_refused() -> None:
    (one,) = adj.read_orders((f"{FIRST}\nSubject: 1\n\nx\n\n" * 10_001).encode(), name="box")
    assert one.problem is not None
    assert (one.problem.code, one.problem.message) == ("mail/too-many-mails", "it has 10,001 mails; the limit is 10,000")


def test_the_mails_of_a_maildir_come_as_they_were_delivered(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    (folder / "new" / "folder").mkdir()
    for path, text in {
        "cur/1772000100.M2P1.host:2,S": "second",
        "cur/1772000300.M1P1.host:2,ST": "fourth, trashed",
        "cur/1772000350.M1P1.host:2,D": "fifth, a draft",
        "new/1772000200.M1P1.host": "third",
        "new/999999999.M1P1.host": "first",
        "new/.hidden": "none",
        "tmp/1772000200.M1P1.host": "not yet delivered",
    }.items():
        (folder / path).write_text(f"Received: x\n\n{text}")
    found = list(adj.read_orders(folder, name="box"))
    lines = [one.lines or (one.skipped,) for one in found]
    assert lines[:3] == [("first",), ("second",), ("third",)]
    assert [bool(one.skipped) for one in found] == [False, False, False, True, True]
    (folder / "new" / "1772000000.large").write_bytes(b"Received: x\n\n" + b"x" * 40_000_100)
    assert [one.problem.code for one in adj.read_orders(folder) if one.problem] == ["mail/too-large"]


@pytest.mark.parametrize("name", [".", "nowhere"])
def test_a_folder_that_is_no_maildir_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(adj.FileProblem):
        list(adj.read_orders(tmp_path / name))


@pytest.mark.parametrize("line", ["From " + "1" * 10, "From " * 50, (FIRST + "\n") * 5, "From 10:00" * 20])
def test_hostile_mbox_files_are_read_in_linear_time(line: str) -> None:
    few, many = (f"{FIRST}\nSubject: 1\n\n{line * times}\n" for times in (20, 200))
    assert len(mails(many)) == 1
    assert lines_run(lambda: mails(many)) <= 11 * lines_run(lambda: mails(few))


@pytest.mark.parametrize("status", ["0001", "0008", "0009", "ffff"])
def test_a_mail_that_thunderbird_deleted_counts_until_its_mbox_file_is_compacted(status: str) -> None:
    text = f"{FIRST}\nX-Mozilla-Status: {status}\nSubject: 1\n\nDRAW\n\n{FIRST}\nSubject: 2\n\nMOVE C3\n"
    assert mails(text) == [("DRAW",), ("MOVE C3",)]
