"""Mails with large attachments: their text is read, and attachments are named with their sizes at next to no cost."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import making
import pytest
from counted import calls
from frames.pieces import attachment, mail, multipart, page, plain

from adjudicator.mail import parse
from adjudicator.mail.envelope import envelope_of
from adjudicator.mail.limits import MOST_BYTES, MailError
from adjudicator.mail.message import Mail, read_mail
from adjudicator.mail.parse import lean

TEXT = 100_000
LINES = 8_000
"""Lower limits for the tests that count work."""
ANN = "Ann <ann@example.org>"
LINE = b"/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoM\n"


def photo(size: int, name: str = "photo.jpg") -> bytes:
    """Return a part with a photo of at least so many bytes."""
    return attachment(name, "image/jpeg", b"") + LINE * (size // 54 + 1)


def mixed(*parts: bytes, ends: str = "\n") -> bytes:
    return mail(multipart("mixed", *parts), sender=ANN, subject="turn 7", ends=ends)


def outcome(data: bytes) -> Mail | str:
    try:
        return read_mail(data)
    except MailError as error:
        return f"{error.code}: {error}"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_mail_with_a_large_photo_is_read(ends: str) -> None:
    found = read_mail(mixed(plain("GEAR 1"), photo(6_100_000), ends=ends))
    assert (found.lines, found.left_out) == (("GEAR 1",), ("photo.jpg (image/jpeg, 6.1 MB)",))


def test_text_below_attachments_is_read() -> None:
    found = read_mail(mixed(photo(3_000_000), plain("GEAR 1"), photo(3_000_000, "b.jpg"), plain("GEAR 2")))
    assert found.lines == ("GEAR 1", "GEAR 2")
    assert found.left_out == ("photo.jpg (image/jpeg, 3.0 MB)", "b.jpg (image/jpeg, 3.0 MB)")


@pytest.mark.parametrize(
    ("data", "size"), [(b"", "0 bytes"), (b"x", "1 byte"), (b"x" * 999, "999 bytes"), (b"x" * 45_678, "46 kB")]
)
def test_the_size_of_an_attachment_is_that_of_its_file(data: bytes, size: str) -> None:
    assert read_mail(mixed(plain("GEAR 1"), attachment("a.pdf", "application/pdf", data))).left_out == (
        f"a.pdf (application/pdf, {size})",
    )


def test_a_forwarded_mail_is_an_attachment_with_all_that_is_in_it() -> None:
    old = mail(multipart("mixed", plain("GEAR 5\n" * 200_000), photo(2_000_000), border="old"), sender=ANN, subject="x")
    found = read_mail(mixed(plain("GEAR 1"), b"Content-Type: message/rfc822\n\n" + old, photo(50_000)))
    assert found.lines == ("GEAR 1",)
    assert found.left_out == ("a mail (4.1 MB)", "photo.jpg (image/jpeg, 50 kB)")


def test_only_text_that_is_read_has_a_limit() -> None:
    long = "x" * 70 + "\n"
    with pytest.raises(MailError, match="bytes of text") as raised:
        read_mail(mixed(plain(long * 15_000, how="7bit"), photo(50)))
    assert raised.value.code == "mail/too-large"
    markup = f'<p>GEAR 9<img src="data:image/png;base64,{"A" * 2_000_000}">'
    both = multipart("alternative", plain("GEAR 1"), page(markup, how="7bit"), border="c")
    found = read_mail(mixed(both, photo(2_000_000)))
    assert (found.lines, found.left_out) == (("GEAR 1",), ("photo.jpg (image/jpeg, 2.0 MB)",))


def test_a_mail_beyond_all_limits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_BYTES == 40_000_000
    monkeypatch.setattr(parse, "MOST_BYTES", 4_000_000)
    data = mixed(plain("GEAR 1"), photo(4_000_000))
    with pytest.raises(MailError, match=r"the mail has more than 4 MB: .* without attachments") as raised:
        read_mail(data)
    assert raised.value.code == "mail/too-large"
    assert len(lean(data)) < 100_000
    assert outcome(lean(data)) == outcome(data)
    assert envelope_of(lean(data)).references == envelope_of(data).references


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_lean_mail_says_the_same(ends: str) -> None:
    data = mixed(plain("GEAR 1"), photo(2_000_000), photo(1_000_000, "b.jpg"), plain("GEAR 2"), ends=ends)
    small = lean(data)
    assert len(small) < 3_000
    assert read_mail(small) == read_mail(data)
    assert lean(small) == small
    ours, theirs = envelope_of(small), envelope_of(data)
    assert (ours.address, ours.references) == (theirs.address, theirs.references)


def test_a_mail_that_is_not_large_stays_as_it_came() -> None:
    data = mixed(plain("GEAR 1"), photo(500_000))
    assert lean(data) == data


@pytest.mark.parametrize("rounds", [150, pytest.param(2_000, marks=pytest.mark.soak)])
def test_a_lean_mail_says_the_same_whatever_is_in_it(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mix whole mails, cut them and mix their parts, with a limit so low that much of their text is beyond it."""
    corpus = sorted(making.files().items())
    rng = Random(26)
    for _ in range(rounds):
        monkeypatch.setattr(parse, "MOST_TEXT", rng.choice([100, 400, 1_000, 3_000]))
        monkeypatch.setattr(parse, "MOST_LINES", rng.choice([30, 100, 1_000]))
        data = bytearray(rng.choice(corpus)[1])
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(data) + 1)
            other = rng.choice(corpus)[1]
            data[at : at + rng.randrange(60)] = other[: rng.randrange(3_000)] if rng.randrange(2) else b""
        ends = rng.choice([b"\n", b"\r\n", b"\r"])
        mixed_up = bytes(data).replace(b"\r\n", b"\n").replace(b"\n", ends)
        small = lean(mixed_up)
        assert outcome(small) == outcome(mixed_up), mixed_up
        assert outcome(lean(small)) == outcome(small), mixed_up


HOSTILE: dict[str, tuple[Callable[[int], bytes], str]] = {
    "photos of many lines": (lambda size: mixed(plain("GEAR 1"), photo(size * 800)), "GEAR 1"),
    "a line without end": (lambda size: mixed(plain("GEAR 1"), photo(9) + b"x" * size * 1_000), "GEAR 1"),
    "mails in mails": (
        lambda size: mixed(plain("GEAR 1"), b"Content-Type: message/rfc822\n\n" * size * 100 + b"GEAR 2"),
        "GEAR 1",
    ),
    "an epilogue": (lambda size: mixed(plain("GEAR 1"), photo(9)) + b"x\n" * size * 1_000, "GEAR 1"),
    "text in base64": (lambda size: mixed(plain("GEAR 2\n" * size * 1_000, how="base64")), "mail/too-large"),
    "a long head": (lambda size: b"X-Spam: " + b"x" * size * 10_000 + b"\n" + mixed(plain("GEAR 1")), "mail/too-large"),
    "many parts": (lambda size: mixed(plain("GEAR 1"), *[b"\nx"] * size * 60), "mail/too-many-parts"),
    "borders in a photo": (
        lambda size: mixed(plain("GEAR 1"), photo(9) + b"--\n" * size * LINES),
        "mail/too-many-lines",
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_left_out_costs_no_work(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    re.purge()
    monkeypatch.setattr(parse, "MOST_TEXT", TEXT)
    monkeypatch.setattr(parse, "MOST_LINES", LINES)
    make, wanted = HOSTILE[kind]
    few, many = make(20), make(60)
    found = outcome(many)
    assert (found.lines == (wanted,)) if isinstance(found, Mail) else found.startswith(wanted)
    outcome(few)  # the library compiles a pattern for each border, and remembers a limited number of them
    assert calls(lambda: outcome(many)) <= calls(lambda: outcome(few)) + 50
    assert len(lean(many)) < 3 * TEXT


def test_a_head_of_megabytes_is_not_read() -> None:
    for head in (b"X: y\n" * 200_000, b"X: " + b"y\n " * 200_000, b"X" * 1_500_000):
        assert str(outcome(head + mixed(plain("GEAR 1")))).startswith(("mail/too-many-lines", "mail/too-large"))


def test_the_names_of_attachments_are_short_and_printable() -> None:
    parts = [attachment("\x1b[2J\x07" + "x" * 10_000 + str(number), "image/png", b"x") for number in range(40)]
    found = read_mail(mixed(plain("GEAR 1"), *parts))
    assert (len(found.left_out), found.lines) == (40, ("GEAR 1",))
    assert all(name.isprintable() and len(name) < 120 for name in found.left_out)
