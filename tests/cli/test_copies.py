"""One mail counts once, however servers, mail programs, editors and git have stored its copies."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

Run = Callable[..., Result]

HEAD = (
    b"Received: from a by mx; Mon, 2 Mar 2026 18:08:41 +0100\nMessage-ID: <1@x>\nFrom: Ann <ann@example.org>\n"
    b"Date: Mon, 2 Mar 2026 18:08:40 +0100\nSubject: Z\xc3\xbcge\n"
)
BODY = "From me to you: é\n\nMOVE D3\n".encode()
MAIL = HEAD + b"\n" + BODY
WITHOUT_ID = MAIL.replace(b"Message-ID: <1@x>\n", b"")
WITHOUT_DATE = WITHOUT_ID.replace(b"Date: Mon, 2 Mar 2026 18:08:40 +0100\n", b"")
BORDER = b"From ann@example.org Mon Mar  2 18:08:41 2026\n"
LATER = b"Received: from mx by mda; Mon, 2 Mar 2026 21:00:00 +0100\n"
TYPE = b"Content-Type: text/plain; charset=%b\nContent-Transfer-Encoding: %b\n\n"
TEXT = b"red:\nMOVE D3\n"
COPIES = {
    "marked as read by Thunderbird": (MAIL, b"X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\n" + MAIL),
    "marked as read by mutt": (MAIL, HEAD + b"Status: RO\nX-Status: A\nLines: 3\nContent-Length: 30\n\n" + BODY),
    "through another server": (MAIL, b"Return-Path: <ann@example.org>\n" + LATER + MAIL),
    "with other line ends": (MAIL, MAIL.replace(b"\n", b"\r\n")),
    "with a byte order mark": (MAIL, b"\xef\xbb\xbf" + MAIL),
    "with blank lines at the end": (MAIL, MAIL + b"\n\n"),
    "in an mbox": (MAIL, BORDER + MAIL.replace(b"\nFrom me", b"\n>From me") + b"\n"),
    "out of an mbox": (BORDER + MAIL.replace(b"\nFrom me", b"\n>From me"), MAIL.replace(b"\nFrom me", b"\n>From me")),
    "in base64": (MAIL, HEAD + TYPE % (b"utf-8", b"base64") + base64.encodebytes(BODY)),
    "quoted printable": (MAIL, HEAD + TYPE % (b"utf-8", b"quoted-printable") + quopri.encodestring(BODY)),
    "in another charset": (MAIL, HEAD + TYPE % (b"iso-8859-1", b"8bit") + BODY.decode().encode("latin-1")),
    "with an encoded subject": (MAIL, MAIL.replace("Züge".encode(), b"=?utf-8?q?Z=C3=BCge?=")),
    "with folded fields": (MAIL, MAIL.replace(b"From: Ann", b"From:\n Ann")),
    "with a quoted name": (MAIL, MAIL.replace(b"From: Ann", b'From: "Ann"')),
    "without a Message-ID": (WITHOUT_ID, LATER + WITHOUT_ID.replace(b"\n", b"\r\n")),
    "without Message-ID and date": (WITHOUT_DATE, b"Status: O\n" + LATER + WITHOUT_DATE),
    "a text with other line ends": (TEXT, TEXT.replace(b"\n", b"\r\n")),
    "a text without its last line end": (TEXT, TEXT[:-1]),
    "a text with a byte order mark": (TEXT, b"\xef\xbb\xbf" + TEXT),
    "a text as Notepad keeps it": (TEXT.replace(b"\n", b"\r\n"), TEXT.decode().encode("utf-16")),
}
OTHERS = {
    "corrected, with the same Message-ID": MAIL.replace(b"MOVE D3", b"DRAW"),
    "the same words in another mail": MAIL.replace(b"<1@x>", b"<2@x>"),
    "the same words on another day, without a Message-ID": WITHOUT_ID.replace(b"2 Mar", b"3 Mar"),
    "the same words on another day, without Message-ID and date": WITHOUT_DATE.replace(b"2 Mar", b"3 Mar"),
}


def send(game: Path, data: bytes) -> None:
    """Put ``data`` into the folder ``mails`` as the only mail of red."""
    folder = game.parent / "mails"
    folder.mkdir(exist_ok=True)
    (folder / ("red=1.eml" if b"From:" in data[:400] else "red=1.txt")).write_bytes(data)


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_of_a_mail_is_not_taken_again(run: Run, game: Path, name: str) -> None:
    first, second = COPIES[name]
    send(game, first)
    run("turn", game, "mails", "-o", "out", code=0)
    before = game.read_bytes()
    assert [link.entry.order for link in load_game(str(game)).journal[1:]] == ["MOVE D3"]
    send(game, second)
    again = run("turn", game, "mails", "-o", "out", code=0)
    assert ", which was processed in turn 1\n" in again.stdout
    assert game.read_bytes() == before


@pytest.mark.parametrize("name", ["marked as read by mutt", "with other line ends", "a text with other line ends"])
def test_a_copy_of_a_mail_without_a_receipt_is_not_reported_again(run: Run, game: Path, name: str) -> None:
    send(game, TEXT)
    run("turn", game, "mails", "-o", "out", code=0)
    (game.parent / "mails" / "red=1.txt").unlink()
    end = b"\r\n" if b"\r" in COPIES[name][1] else b"\n"
    first, second = (
        data.replace(b"MOVE D3", b"turn 1" + own + b"MOVE D3") for data, own in zip(COPIES[name], (b"\n", end), strict=True)
    )
    send(game, first)
    run("turn", game, "mails", "-o", "out", code=1)
    before = game.read_bytes()
    send(game, second)
    again = run("turn", game, "mails", "-o", "out", code=0)
    assert ", which was processed in turn 2\n" in again.stdout
    assert again.stderr == ""
    assert game.read_bytes() == before


@pytest.mark.parametrize("name", OTHERS)
def test_another_mail_counts(run: Run, game: Path, name: str) -> None:
    second = OTHERS[name]
    send(game, MAIL if b"Message-ID" in second else WITHOUT_ID if b"Date:" in second else WITHOUT_DATE)
    run("turn", game, "mails", "-o", "out", code=0)
    send(game, second)
    again = run("turn", game, "mails", "-o", "out")
    assert "which was processed" not in again.stdout
    assert len(load_game(str(game)).receipts) == 2


@pytest.mark.parametrize("copy_first", [False, True])
def test_a_copy_that_comes_late_does_not_replace_a_newer_mail(run: Run, game: Path, copy_first: bool) -> None:
    """A copy came when its first copy came, whichever way it took."""
    newer = MAIL.replace(b"<1@x>", b"<2@x>").replace(b"18:08", b"19:08").replace(b"MOVE D3", b"DRAW")
    names = ("a.eml", "c.eml") if copy_first else ("c.eml", "a.eml")
    for name, data in zip((*names, "b.eml"), (LATER + MAIL, MAIL, newer), strict=True):
        (game.parent / name).write_bytes(data)
    run("turn", game, *(f"red={name}.eml" for name in "abc"), "-o", "out")
    assert [link.entry.order for link in load_game(str(game)).journal[1:]] == ["DRAW"]


@pytest.mark.parametrize("data", [MAIL, TEXT.replace(b"\n", b"\r\n")], ids=["mail", "text"])
def test_a_game_file_of_an_earlier_version_knows_its_mails(run: Run, game: Path, data: bytes) -> None:
    """Its receipts have only the hashes of the bytes."""
    send(game, data)
    run("turn", game, "mails", "-o", "out", code=0)
    saved = load_game(str(game))
    assert saved.receipts[0].identity
    game.write_bytes(dump_game(replace(saved, receipts=tuple(replace(one, identity=None) for one in saved.receipts))))
    assert b"identity" not in game.read_bytes()
    (game.parent / "rally.json.outbox").unlink()
    before = load_game(str(game)).journal
    again = run("turn", game, "mails", "-o", "out", code=0)
    assert "which was processed in turn 1" in again.stdout
    assert load_game(str(game)).journal == before
