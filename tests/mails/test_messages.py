"""The bytes of one mail become the lines that its writer sees; what is no text is named, and what is too much is refused."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from encodings.aliases import aliases
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudicator as adj
from tests.data.mails.pieces import attachment, mail, multipart, page, plain
from tests.drivers.mails import corpus, lines_run

ANN = "Ann <ann@example.org>"
PAGE = (Path(__file__).parents[2] / "docs" / "mail.md").read_text("utf-8").partition("## Limits")[2]
NUMBERS = [int(number) for number in re.findall(r"\d+", PAGE.partition("The text also")[0].replace(",", ""))]
MEGABYTES, _, MOST_TEXT, MOST_LINES, MOST_PARTS, MOST_DEPTH, MOST_FIELDS, MOST_TAGS, *_ = NUMBERS
"""The limits as the page on mails has them."""
MOST_BYTES = MEGABYTES * 1_000_000


def read(body: bytes, **head: str) -> adj.Submission:
    return adj.read_mail(mail(body, **{"sender": ANN, "subject": "turn 7", **head}))  # type: ignore[arg-type]


def bare(*fields: str, text: str | bytes = "DRAW") -> adj.Submission:
    head = "\r\n".join([*fields, "", ""]).encode("utf-8", "surrogateescape")
    return adj.read_mail(head + (text if isinstance(text, bytes) else text.encode()))


def code_of(data: bytes) -> str:
    problem = adj.read_mail(data).problem
    return problem.code if problem else ""


def lines_of_page(markup: str) -> list[str]:
    read = adj.read_mail(b"From: x\nContent-Type: text/html; charset=utf-8\n\n" + markup.encode("utf-8", "surrogatepass"))
    assert read.problem is None or read.problem.code in ("mail/too-many-tags", "mail/too-many-lines")
    return list(read.lines)


def test_a_plain_mail() -> None:
    found = read(plain("red:\nDRAW"))
    assert (found.lines, found.received, found.names) == (("red:", "DRAW"), 1772471321, ("Ann",))
    assert (found.is_mail, found.problem, found.left_out) == (True, None, ())


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("how", ["7bit", "8bit", "quoted-printable", "base64"])
def test_line_ends_and_encodings(ends: str, how: str) -> None:
    assert read(plain("red:\n\nDRAW", how=how), ends=ends).lines == ("red:", "", "DRAW")


ENCODINGS = {
    "quoted-printable;": ("MOVE =\r\nC3 D=33", ("MOVE C3 D3",)),
    "Quoted-Printable ; charset=utf-8": ("MOVE =\r\nC3 D=33", ("MOVE C3 D3",)),
    "'quoted-printable'": ("MOVE =\r\nC3 D=33", ("MOVE C3 D3",)),
    "quoted-printable (x)": ("MOVE =\r\nC3 D=33", ("MOVE C3 D3",)),
    **dict.fromkeys(("", "x", "7-bit", "uuencode-not", "base 64", "8bit; x"), ("DRAW", ("DRAW",))),
}


@pytest.mark.parametrize("how", ENCODINGS)
def test_an_encoding_is_known_in_spite_of_stray_signs_and_odd_ones_are_none(how: str) -> None:
    text, lines = ENCODINGS[how]
    assert bare("From: x", f"Content-Transfer-Encoding: {how}", text=text).lines == lines


@pytest.mark.parametrize("text", ["====", "RFJBVw", "RFJBVw==RFJBVw==", "RF\r\nJB\r\nVw==", "!!!!"])
def test_broken_base64_is_read_as_far_as_it_goes(text: str) -> None:
    assert bare("From: x", "Content-Transfer-Encoding: base64", text=text).lines


@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text",
        "/",
        "text/",
        ";;;",
        "text/plain; charset",
        "TEXT/PLAIN; CHARSET=UTF-8",
        "text/plain; charset=\xff",
        "(" * 900,
    ],
)
def test_odd_content_types_are_plain_text(kind: str) -> None:
    assert bare("From: x", f"Content-Type: {kind}").lines == ("DRAW",)


@pytest.mark.parametrize(
    ("data", "charset", "text", "is_right"),
    [
        ("Grüße".encode(), "utf-8", "Grüße", True),
        ("Grüße".encode(), "UTF8", "Grüße", True),
        ("Grüße".encode(), "", "Grüße", False),
        ("Grüße".encode(), "us-ascii", "Grüße", False),
        (b"DRAW", "us-ascii", "DRAW", True),
        (b"DRAW", "", "DRAW", True),
        ("„Grüße“ – 5 €".encode("cp1252"), "iso-8859-1", "„Grüße“ – 5 €", True),
        ("„Grüße“ – 5 €".encode("cp1252"), "windows-1252", "„Grüße“ – 5 €", True),
        ("„Grüße“ – 5 €".encode("cp1252"), "utf-8", "„Grüße“ – 5 €", False),
        ("Привет".encode("koi8-r"), "KOI8-R", "Привет", True),
        ("Привет".encode("cp1251"), "windows-1251", "Привет", True),
        ("Łąka".encode("iso-8859-2"), "iso-8859-2", "Łąka", True),
        ("車".encode("shift_jis"), "Shift_JIS", "車", True),
        ("車".encode("iso2022_jp"), "iso-2022-jp", "車", True),
        ("车".encode("gb2312"), "GB2312", "车", True),
        ("Grüße".encode("utf-16"), "utf-16", "Grüße", True),
        ("Grüße".encode(), "klingon", "Grüße", False),
        ("Grüße".encode(), "zlib", "Grüße", False),
        ("Grüße".encode(), "punycode", "Grüße", False),
        ("Grüße".encode(), "unicode_escape", "Grüße", False),
        ("Grüße".encode(), "utf-8\0", "Grüße", False),
        ("Grüße".encode(), "ü", "Grüße", False),
        ("Grüße".encode(), "x" * 10_000, "Grüße", False),
        (b"\xef\xbb\xbfDRAW", "utf-8", "DRAW", True),
        (b"\x81\x8d", "utf-8", "\ufffd\ufffd", False),
        (b"\xff\xff", "shift_jis", "ÿÿ", False),
        (b"", "", "", True),
    ],
)
def test_bytes_become_text_by_what_is_said_of_them_as_far_as_it_is_true(
    data: bytes, charset: str, text: str, is_right: bool
) -> None:
    told = charset.replace("\0", "")
    found = bare("From: x", f"Content-Type: text/plain; charset={told}", "Content-Transfer-Encoding: 8bit", text=data)
    assert "\n".join(found.lines) == text


def test_every_codec_that_python_has_is_one_of_text_or_none() -> None:
    for name in sorted({*aliases, *aliases.values(), "idna", "punycode", "undefined", "raw_unicode_escape"}):
        found = bare("From: x", f"Content-Type: text/plain; charset={name}", text=b"red: DRAW \xe9\xff\n" * 10)
        assert found.lines or found.problem, name
        with suppress(UnicodeError):
            try:
                "".encode(name)
            except LookupError:  # it is no codec of text, or unknown
                assert found.lines[0].startswith("red: DRAW"), name


@given(st.binary(max_size=60), st.text(max_size=12).filter(str.isprintable))
@settings(max_examples=50)
def test_anything_is_decoded_somehow(data: bytes, charset: str) -> None:
    assert bare("From: x", f"Content-Type: text/plain; charset={charset}", text=data).is_mail


NAMES = [
    ("Ann Smith <ann@example.org>", "Ann Smith"),
    ('"Smith, Ann" <ann@example.org>', "Smith, Ann"),
    ("=?utf-8?q?J=C3=BCrgen_M=C3=BC=C3=9Fig?= <j@example.org>", "Jürgen Müßig"),
    ("=?utf-8?B?15DXoNeUINeb15TXnw==?= <anna@example.org>", "אנה כהן"),
    ("=?iso-8859-1?Q?J=FCrgen_?=\r\n =?iso-8859-1?Q?M=FC=DFig?=\r\n <j@example.org>", "Jürgen Müßig"),
    ("Jürgen <j@example.org>", "Jürgen"),
    ("ann@example.org (Ann Smith)", "Ann Smith"),
    ("ann@example.org", ""),
    ("=?utf-8?q?=00=1B[2J?= <x>", "[2J"),
    ("=?klingon?q?Ann?= <x>", "Ann"),
    ("<>", ""),
    ("", ""),
]


@pytest.mark.parametrize(("written", "name"), NAMES)
def test_the_name_of_the_sender_may_be_a_signature(written: str, name: str) -> None:
    found = bare(f"From: {written}", "Subject: x")
    assert (found.names, found.lines) == ((name,) if name else (), ("DRAW",))


@pytest.mark.parametrize("written", ["=?utf-8?b?$$$?= <x>", "((((" * 400 + "<x@y>", "\udcff\udcfe <x>"])
def test_a_name_that_cannot_be_read_is_printable(written: str) -> None:
    assert all(name.isprintable() for name in bare(f"From: {written}").names)


@pytest.mark.parametrize(
    ("fields", "received"),
    [
        (["Received: from a by b; Mon, 2 Mar 2026 18:08:41 +0100"], 1772471321),
        (["Received: by a; Mon, 02 Mar 2026 09:15:33 -0800 (PST)"], 1772471733),
        (["Received: from a\r\n\tby b with ESMTP id 1;\r\n\tMon,  2 Mar 2026 17:08:41 GMT"], 1772471321),
        (["Received: by a; Mon, 2 Mar 2026 17:08:41"], 1772471321),
        (["Received: by a; 2 Mar 2026 17:08:41 +0000", "Received: by b; 1 Mar 2027 17:08:41 +0000"], 1772471321),
        (["Received: by a", "Received: by b; 2 Mar 2026 17:08:41 +0000"], None),
        (["Received: by a; the other day"], None),
        (["Received: by a; 2 Mar 99999 17:08:41 +0000"], None),
        (["Received: by a; 31 Feb 2026 17:08:41 +0000"], None),
        (["Received: by a; 2 Mar 2026 17:08:41 +9999999"], None),
        (["Received:"], None),
        (["Date: Mon, 2 Mar 2026 18:08:41 +0100"], None),
    ],
)
def test_when_it_was_received_is_what_the_topmost_server_says(fields: list[str], received: int | None) -> None:
    assert bare(*fields, "From: x").received == received


def test_plain_text_is_preferred_to_html_if_it_says_anything() -> None:
    assert read(multipart("alternative", plain("DRAW"), page("<p>REFRESH"))).lines == ("DRAW",)
    assert read(multipart("alternative", page("<p>REFRESH"), plain("DRAW"))).lines == ("DRAW",)
    assert read(multipart("alternative", plain(" \n\n "), page("<p>REFRESH"))).lines == ("REFRESH",)
    assert read(multipart("alternative", plain(""), page("<p> "))).lines == ()
    assert read(page("<p>REFRESH")).lines == ("REFRESH",)
    both = multipart("alternative", page("<b>" * (MOST_TAGS + 1)), plain("DRAW"))
    assert (read(both).lines, read(both).problem) == (("DRAW",), None)  # a page that nobody reads has no limit


def test_parts_of_text_follow_each_other() -> None:
    parts = multipart("mixed", plain("red:"), attachment("a.pdf", "application/pdf", b"%PDF"), plain("DRAW"))
    assert read(parts).lines == ("red:", "DRAW")
    assert read(parts).left_out == ("a.pdf (application/pdf, 4 bytes)",)


@pytest.mark.parametrize(
    ("part", "name"),
    [
        (attachment("orders.txt", "text/plain", b"DRAW"), "orders.txt (text/plain, 4 bytes)"),
        (attachment("orders.txt", "text/plain", b"DRAW", "inline"), "orders.txt (text/plain, 4 bytes)"),
        (attachment("page.html", "text/html", b"DRAW"), "page.html (text/html, 4 bytes)"),
        (b"Content-Type: text/plain\nContent-Disposition: attachment\n\nDRAW", "text/plain (5 bytes)"),
        (b"Content-Type: text/calendar\n\nBEGIN:VCALENDAR", "text/calendar (16 bytes)"),
        (b"Content-Type: text/rtf; name=x.rtf\n\n{\\rtf1", "x.rtf (text/rtf, 7 bytes)"),
        (b"Content-Type: message/rfc822\n\nSubject: old\n\nred: DRAW", "a mail (24 bytes)"),
        (b"Content-Type: message/delivery-status\n\nStatus: 5.0.0", "message/delivery-status (14 bytes)"),
        (b"Content-Type: application/ms-tnef; name=winmail.dat\n\n\xff", "winmail.dat (application/ms-tnef, 2 bytes)"),
        (b"Content-Type: image/png; name*=utf-8''Gr%C3%BC%C3%9Fe.png\n\n", "Grüße.png (image/png, 0 bytes)"),
        (b"Content-Type: image/png; name*0=lo; name*1=ng.png\n\n", "long.png (image/png, 0 bytes)"),
        (b"Content-Type: image/png; name*=klingon''x%FF.png\n\n", None),
        (b'Content-Type: image/png; name="=?utf-8?q?Gr=C3=BC=C3=9Fe=2Epng?="\n\n', "Grüße.png (image/png, 0 bytes)"),
        (b'Content-Type: image/png; name="a\x1b[2Jb.png"\n\n', "a [2Jb.png (image/png, 0 bytes)"),
        (f"Content-Type: image/png; name={'x' * 500}.png\n\n".encode(), f"{'x' * 80} (image/png, 0 bytes)"),
        (b"Content-Type: image/png; name=\n\n", "image/png (0 bytes)"),
    ],
)
def test_what_is_no_text_of_the_mail_is_left_out_by_name(part: bytes, name: str | None) -> None:
    found = read(multipart("mixed", plain("MOVE C3"), part))
    assert found.lines == ("MOVE C3",)
    (told,) = found.left_out
    assert told == (name or told)


@pytest.mark.parametrize("kind", ["application/pgp-signature", "application/pkcs7-signature", "application/pgp-keys"])
def test_signatures_of_programs_are_left_out_without_a_word(kind: str) -> None:
    found = read(multipart("signed", plain("DRAW"), f"Content-Type: {kind}; name=signature.asc\n\nx".encode()))
    assert (found.lines, found.left_out) == (("DRAW",), ())


def test_an_encrypted_mail_says_nothing_but_that() -> None:
    parts = multipart("encrypted", b"Content-Type: application/pgp-encrypted\n\nVersion: 1", plain("x"))
    assert (read(parts).lines, read(parts).left_out) == ((), ("an encrypted text",))


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Type: multipart/mixed\n\nred:\nDRAW\n",
        b'Content-Type: multipart/mixed; boundary="b"\n\nred:\nDRAW\n',
        b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nred:\nDRAW',
    ],
)
def test_parts_without_borders_are_a_text_and_a_border_that_never_ends_ends_with_the_mail(body: bytes) -> None:
    assert read(body).lines == ("red:", "DRAW")


def nested(depth: int) -> bytes:
    opening = (f'Content-Type: multipart/mixed; boundary="b{level}"\n\n--b{level}\n'.encode() for level in range(depth))
    return b"".join(opening) + b"Content-Type: text/plain\n\nDRAW\n"


def test_limits() -> None:
    assert bare("From: x", text="x" * MOST_TEXT).lines
    assert adj.read_mail(b"From: x\n" + nested(20)).lines == ("DRAW",)
    codes = {
        "mail/too-large": b"From: x\n\n" + b"x" * MOST_BYTES,
        "mail/too-many-lines": b"From: x\n\n" + b"\n" * (MOST_LINES + 1),
        "mail/too-many-parts": b"From: x\n" + multipart("mixed", *[b"\nx"] * (MOST_PARTS + 1), border="b"),
        "mail/too-many-fields": b"From: x\n" * (MOST_FIELDS + 1) + b"\nDRAW",
        "mail/too-deep": b"From: x\n" + nested(MOST_DEPTH + 1),
        "mail/not-text": b"From: x\nContent-Type: text/plain; charset=utf-8\n\nDRAW\0",
        "mail/too-many-tags": b"From: x\nContent-Type: text/html\n\n" + b"<p>x" * (MOST_TAGS + 1),
    }
    for code, data in codes.items():
        problem = adj.read_mail(data).problem
        assert problem is not None
        assert problem.code == code
        assert problem.message.startswith(("the mail", "the parts of the mail", "the HTML of the mail"))


@pytest.mark.parametrize("depth", [100, 900, 5_000])
def test_parts_within_parts_without_end(depth: int) -> None:
    assert code_of(b"From: x\n" + nested(depth)) == "mail/too-deep"
    found = adj.read_mail(b"From: x\n" + b"Content-Type: message/rfc822\n\n" * depth + b"\nDRAW")
    assert [name.partition(" (")[0] for name in found.left_out] == ["a mail"]  # mails within each other are one attachment
    assert found.lines == ()


def test_a_field_of_any_length_does_no_harm() -> None:
    for name in ("From", "Subject", "Received", "Content-Type", "Content-Disposition", "X-Spam", "To"):
        for value in ("(" * 90_000, "=?utf-8?q?" * 9_000, '"' * 90_000, ";a=b" * 20_000, "a, " * 30_000, "\udcff" * 90_000):
            assert bare(f"{name}: {value}", "From: x").lines == ("DRAW",)


@pytest.mark.parametrize(
    ("data", "is_one", "is_one_by_name"),
    [
        (b"Return-Path: <a@b>\nFrom: x\n\nDRAW", True, True),
        (b"From: x\nMessage-ID: <1>\n\nDRAW", True, True),
        (b"\xef\xbb\xbfReceived: by a;\n\tb\nFrom: x\n\nDRAW", True, True),
        (b"From: Ann\nTo: Max\nSubject: turn 7\nDate: today\n\nred: DRAW", False, True),
        (b"From: Ann\n\nred: DRAW", False, True),
        (b"red: DRAW\nblue: DRAW\n", False, False),
        (b"game: rally\nturn: 7\n\nred: DRAW", False, False),
        (b"red: DRAW\nReceived: by a\n\nx", True, True),
        (b"DRAW\nReceived: by a\n\n", False, False),
        (b"\nReceived: by a\n\n", False, False),
        (b" Received: by a\n\n", False, False),
        (b" x\nReceived: by a\n\n", False, False),
        (b"", False, False),
        (b"\0\1\2", False, False),
    ],
)
def test_what_is_a_mail(data: bytes, is_one: bool, is_one_by_name: bool) -> None:
    """Some files are one only if they are called so."""
    kinds = [[one.is_mail for one in adj.read_orders(data, name=name)] for name in ("a.txt", "a.eml")]
    assert kinds == [[is_one], [is_one_by_name]]


# Large attachments: the text of the mail is read, and they are named with their sizes.

LINE = b"/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoM\n"


def photo(size: int, name: str = "photo.jpg") -> bytes:
    """Return a part with a photo of at least so many bytes."""
    return attachment(name, "image/jpeg", b"") + LINE * (size // 54 + 1)


def mixed(*parts: bytes, ends: str = "\n") -> bytes:
    return mail(multipart("mixed", *parts), sender=ANN, subject="turn 7", ends=ends)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_text_below_large_attachments_is_read(ends: str) -> None:
    found = adj.read_mail(mixed(photo(3_000_000), plain("GEAR 1"), photo(3_000_000, "b.jpg"), plain("GEAR 2"), ends=ends))
    assert found.lines == ("GEAR 1", "GEAR 2")
    assert found.left_out == ("photo.jpg (image/jpeg, 3.0 MB)", "b.jpg (image/jpeg, 3.0 MB)")


@pytest.mark.parametrize(
    ("data", "size"), [(b"", "0 bytes"), (b"x", "1 byte"), (b"x" * 999, "999 bytes"), (b"x" * 45_678, "46 kB")]
)
def test_the_size_of_an_attachment_is_that_of_its_file(data: bytes, size: str) -> None:
    found = adj.read_mail(mixed(plain("GEAR 1"), attachment("a.pdf", "application/pdf", data)))
    assert found.left_out == (f"a.pdf (application/pdf, {size})",)


def test_a_forwarded_mail_is_an_attachment_with_all_that_is_in_it() -> None:
    old = mail(multipart("mixed", plain("GEAR 5\n" * 200_000), photo(2_000_000), border="old"), sender=ANN, subject="x")
    found = adj.read_mail(mixed(plain("GEAR 1"), b"Content-Type: message/rfc822\n\n" + old, photo(50_000)))
    assert found.lines == ("GEAR 1",)
    assert found.left_out == ("a mail (4.1 MB)", "photo.jpg (image/jpeg, 50 kB)")


def test_only_text_that_is_read_has_a_limit() -> None:
    assert code_of(mixed(plain(("x" * 70 + "\n") * 15_000, how="7bit"), photo(50))) == "mail/too-large"
    markup = f'<p>GEAR 9<img src="data:image/png;base64,{"A" * 2_000_000}">'
    both = multipart("alternative", plain("GEAR 1"), page(markup, how="7bit"), border="c")
    found = adj.read_mail(mixed(both, photo(2_000_000)))
    assert (found.lines, found.left_out) == (("GEAR 1",), ("photo.jpg (image/jpeg, 2.0 MB)",))


def test_the_names_of_attachments_are_short_and_printable() -> None:
    parts = [attachment("\x1b[2J\x07" + "x" * 10_000 + str(number), "image/png", b"x") for number in range(40)]
    found = adj.read_mail(mixed(plain("GEAR 1"), *parts))
    assert (len(found.left_out), found.lines) == (40, ("GEAR 1",))
    assert [name for name in found.left_out if not name.isprintable() or len(name) >= 120] == []


@pytest.mark.parametrize(
    "data",
    [b"a:\n" * 500_000, b"a:" + b"\n " * 700_000, b"From a\n" * 200_000, b"From: x\n\n" + b"\r" * 1_500_000],
    ids=["fields", "one field", "envelopes", "lone CR"],
)
def test_a_head_or_a_text_of_many_lines_takes_no_more_memory_than_any_other(data: bytes) -> None:
    code_of(data[:1_000])
    tracemalloc.start()
    try:
        assert code_of(data) in ("mail/too-large", "mail/too-many-lines")
        assert tracemalloc.get_traced_memory()[1] < 20 * len(data)
    finally:
        tracemalloc.stop()


def test_a_text_may_begin_like_the_envelope_of_an_mbox() -> None:
    assert adj.read_mail(b"From: x\nSubject: y\n \nFrom me:\nDRAW\n").lines == ("From me:", "DRAW")
    kept = b"From: x\nFrom ann@example.org Mon Mar  2 17:08:41 2026\nContent-Type: text/html\n\n<p>DRAW"
    assert adj.read_mail(kept).lines == ("DRAW",)


LARGE: dict[str, tuple[Callable[[int], bytes], str]] = {
    "photos of many lines": (lambda size: mixed(plain("GEAR 1"), photo(size * 800)), ""),
    "a line without end": (lambda size: mixed(plain("GEAR 1"), photo(9) + b"x" * size * 1_000), ""),
    "mails in mails": (
        lambda size: mixed(plain("GEAR 1"), b"Content-Type: message/rfc822\n\n" * size * 100 + b"GEAR 2"),
        "",
    ),
    "an epilogue": (lambda size: mixed(plain("GEAR 1"), photo(9)) + b"x\n" * size * 1_000, ""),
    "text in base64": (lambda size: mixed(plain("GEAR 2\n" * size * 7_200, how="base64")), "mail/too-large"),
    "a long head": (lambda size: b"X-Spam: " + b"x" * size * 60_000 + b"\n" + mixed(plain("GEAR 1")), "mail/too-large"),
    "many parts": (lambda size: mixed(plain("GEAR 1"), *[b"\nx"] * size * 60), "mail/too-many-parts"),
    "borders in a photo": (lambda size: mixed(plain("GEAR 1"), photo(9) + b"--\n" * size * 2_100), "mail/too-many-lines"),
    **{
        kind: (
            lambda size, of=of: b"From: x\nContent-Type: " + of(size) + b"\nContent-Transfer-Encoding: 8bit\n\nGEAR 1",
            "",
        )
        for kind, of in {
            "semicolons in quotes": lambda size: b'text/plain; charset=utf-8; a="' + b";" * size * 10,
            "semicolons behind a slash": lambda size: b'text/plain; charset=utf-8; a="' + b'\\";' * size * 10,
            "parameters": lambda size: b"text/plain; charset=utf-8" + b"; a=b" * size * 10,
            "parameters in pieces": lambda size: (
                b"text/plain; charset=utf-8" + b"".join(b"; a*%d*=b" % n for n in range(size * 10))
            ),
        }.items()
    },
}


@pytest.mark.parametrize("kind", LARGE)
def test_what_is_left_out_costs_no_work(kind: str) -> None:
    make, code = LARGE[kind]
    few, many = make(20), make(60)
    found = adj.read_mail(many)
    assert (found.lines, found.problem.code if found.problem else "") == (() if code else ("GEAR 1",), code)
    adj.read_mail(few)  # the library compiles a pattern for each border, and remembers a limited number of them
    assert lines_run(lambda: adj.read_mail(many)) <= lines_run(lambda: adj.read_mail(few)) + 200


def test_a_head_of_megabytes_is_refused_before_it_is_read() -> None:
    for head in (b"X: y\n" * 200_000, b"X: " + b"y\n " * 200_000, b"X" * 1_500_000):
        assert code_of(head + mixed(plain("GEAR 1"))) in ("mail/too-many-lines", "mail/too-large")
    few, many = (b"From: x\n" + nested(depth) for depth in (60, 300))
    adj.read_mail(few)  # the first mail loads modules, whose lines would count
    assert lines_run(lambda: adj.read_mail(many)) <= lines_run(lambda: adj.read_mail(few)) + 200


# HTML becomes the lines that one sees of it.


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        ("DRAW", ["DRAW"]),
        ("red:<br>DRAW<br/>MOVE C3<BR />x", ["red:", "DRAW", "MOVE C3", "x"]),
        ("<div>red:</div><div>DRAW</div>", ["red:", "DRAW"]),
        ("<p>red:<p>DRAW", ["red:", "", "DRAW"]),
        ("<div>a<div>b</div>c</div>", ["a", "b", "c"]),
        ("<div>a</div>\n\n  <div>b</div>", ["a", "b"]),
        ("MOVE\n  C3\tD3", ["MOVE C3 D3"]),
        ("<b>MOVE</b> <i>C3</i>", ["MOVE C3"]),
        ("MO<b>VE</b>", ["MOVE"]),
        ("<div>DRAW<br></div><div><br></div><div>x</div>", ["DRAW", "", "x"]),
        ("a&nbsp;b &amp; c &lt;d&gt; &#x2013; &bogus; &", ["a\xa0b & c <d> – &bogus; &"]),
        ("<head><title>red: DRAW</title><style>p {}</style></head><body>x<script>DRAW</script></body>", ["x"]),
        ("<!-- DRAW --><![if mso]>x<![endif]><?xml y?>", ["x"]),
        ("a<!-- never ends <p>b", ["a"]),
        ("a<!-- ends -->b<!-- never ends --", ["ab"]),
        ("<div style='display: none'>DRAW</div>x<span hidden>DRAW</span>", ["x"]),
        ("<div style='DISPLAY:NONE'><p>DRAW<br>DRAW</p></div>x", ["x"]),
        ("<blockquote>DRAW<br>MOVE C3</blockquote>x", ["> DRAW", "> MOVE C3", "", "x"]),
        ("<blockquote type=cite>a<blockquote>b</blockquote></blockquote>", ["> a", ">", ">> b"]),
        ("<blockquote style='margin:0 0 0 40px; border: none'>DRAW</blockquote>", ["DRAW"]),
        ("<blockquote style='border:none;border-left:solid #CCC 1pt'>DRAW</blockquote>", ["> DRAW"]),
        ("<ul><li>DRAW<li>MOVE C3</ul>x", ["DRAW", "MOVE C3", "", "x"]),
        ("<table><tr><td>MOVE</td><td>C3</td></tr><tr><td>DRAW</table>", ["MOVE  C3", "DRAW"]),
        ("<pre>red:\n  DRAW\r\n\n</pre>x", ["red:", "  DRAW", "", "x"]),
        ("<div style='white-space: pre-wrap'>red:\n  DRAW</div>", ["red:", "  DRAW"]),
        ("x<hr>y", ["x", "-----", "y"]),
        ("<s>DRAW</s><br><del>GO</del><br><strike>x</strike>", ["~~DRAW~~", "~~GO~~", "~~x~~"]),
        ("<div style='text-decoration: line-through'><p>DRAW<p>GO</div>x", ["~~DRAW~~", "", "~~GO~~", "x"]),
        ("MOVE <s>C3 <b>D3</b></s> E3<s> F3</s>", ["MOVE ~~C3 D3~~ E3~~F3~~"]),
        ("<s>DRAW<s> GO</s><br>x</s>y<s></s><s> </s>z", ["~~DRAW GO~~", "~~x~~yz"]),
        ("<s>a~~b", ["~~a  b~~"]),
        ("<ul><li><s>DRAW</s><li>GO</ul>", ["~~DRAW~~", "GO"]),
        ("<pre><s>DRAW\n GO</s>\nx</pre>", ["~~DRAW~~", "~~GO~~", "x"]),
        ("<blockquote><s>DRAW</s></blockquote>", ["> ~~DRAW~~"]),
        ("<blockquote type=cite style='border:none'>DRAW</blockquote>x", ["> DRAW", "", "x"]),
        ("a<div class='yahoo_quoted'>b<div>c</div></div>d", ["a", "> b", "> c", "d"]),
        ("a<div id=divRplyFwdMsg>b</div>c", ["a", "-----Original Message-----", "b", "c"]),
        ("a<div class='x gmail_quote'>b<br>c</div>d", ["a", "> b", "> c", "d"]),
        ("a<div class='gmail_quote'>b<blockquote class=gmail_quote>c</blockquote>d</div>", ["a", "b", "", "> c", "", "d"]),
        ("<div class=gmail_quote>a<div class=gmail_quote>b<p>c", ["> a", "> b", ">", "> c"]),
        ("a<img src=x alt=DRAW>b", ["ab"]),
        ("</div></p></blockquote>x", ["x"]),
        ("<div>x</blockquote>y</div>z", ["xy", "z"]),
        ("<b><i>x</b>y</i>z", ["xyz"]),
        ("<o:p>&nbsp;</o:p>", []),
        ("<a href='x>y'>DRAW</a>", ["DRAW"]),
        ("<", ["<"]),
        ("</", ["</"]),
        ("a</>b</ x>c</3>d", ["abcd"]),
        ("a<!-->b<!--->c<!-- --!>d<!doctype x>e<![CDATA[f]]>g", ["abcdeg"]),
        ("a<b", ["a"]),
        ("a<b c='>d", ["a"]),
        ("a</b", ["a"]),
        ('<a b=c">DRAW</a>', ["DRAW"]),
        ("<a b=\"c\"d='e>f'/>DRAW</a>", ["DRAW"]),
        ('<p ">DRAW', ["DRAW"]),
        ("<textarea><b>x</b></textarea>y", ["<b>x</b>y"]),
        ("<script><!-- </scripts> </b> </SCRIPT\t>x", ["x"]),
        ("x<title>y<p>", ["x"]),
        ("x<iframe><p>y</iframe>z", ["xz"]),
        ("<p style='' style='display:none'>x<i HIDDEN=''>y</i>z", ["xz"]),
        ("<i title='hidden style'>x</i>", ["x"]),
        ("<i style='display&#58;none'>x</i>y", ["y"]),
        ("&#" + "1" * 5000 + ";&#x" + "0" * 5000 + "41;", ["\ufffd;\ufffd;"]),
        ("&<blockquote>&nbsp;<br></blockquote>y", ["&", "", ">", "y"]),
        ("3 < 4 <5", ["3 < 4 <5"]),
        ("", []),
        ("<p>", []),
    ],
)
def test_a_page_becomes_the_lines_that_one_sees(markup: str, lines: list[str]) -> None:
    assert [line.replace("\xa0\xa0", "") for line in lines_of_page(markup)] == lines


def test_a_page_may_have_only_so_many_tags() -> None:
    assert len(lines_of_page("x<br>" * MOST_TAGS)) == MOST_TAGS
    for piece in ("<b>", "<!", "<!-- -->"):
        assert code_of(b"From: x\nContent-Type: text/html\n\n" + piece.encode() * MOST_TAGS) == ""
        assert code_of(b"From: x\nContent-Type: text/html\n\n" + piece.encode() * (MOST_TAGS + 1)) == "mail/too-many-tags"


@given(st.text(alphabet="<>/!?-='\" abp\n&;#", max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_page_is_read_somehow(markup: str) -> None:
    assert not [line for line in lines_of_page(markup) if "\n" in line]


PAGES: dict[str, Callable[[int], str]] = {
    "tags within tags": lambda size: "<div>" * size,
    "tags that end": lambda size: "<div></div>" * size,
    "wrong ends": lambda size: "<b>" * size + "</i>" * size,
    "quotes within quotes": lambda size: "<blockquote>x" * size,
    "formats and paragraphs": lambda size: "<b><i>" * size + "<p>x</p>" * size,
    "tags that never end": lambda size: "<a " * size,
    "attributes": lambda size: "<a " + "b=c " * 10 * size + ">",
    "blanks in a tag": lambda size: "<a" + " " * 100 * size,
    "slashes in a tag": lambda size: "<a" + "/" * 100 * size,
    "quotation marks": lambda size: "<a b='" * size,
    "references": lambda size: "&#x2013;&amp&bogus;" * size,
    "ampersands": lambda size: "&" * 10 * size,
    "blanks": lambda size: " \n" * 50 * size,
    "cells": lambda size: "<td>x" * size,
    "breaks": lambda size: "<br>" * size,
    "open attributes": lambda size: '<a b="' * size,
    "both quotation marks": lambda size: "<a b='\"" * size,
    "ends that never end": lambda size: "</" * size,
    "instructions": lambda size: "<?x " * size,
    "comments that never end": lambda size: "<!-- --" * size,
    "declarations": lambda size: "<![" * size,
    "raw text that never ends": lambda size: "<script>" + "</script" * size,
    "long numbers": lambda size: "&#" + "1" * 100 * size,
    "a long line between paragraphs": lambda size: ">" * 20 * size + "<p>" * size,
    "hidden paragraphs below a long line": lambda size: "<pre> " + "x" * 20 * size + "</pre><div hidden>" + "<p>" * size,
}


@pytest.mark.parametrize("kind", PAGES)
def test_the_steps_grow_with_the_page_and_no_faster(kind: str) -> None:
    few, many = (lines_run(lambda size=size: lines_of_page(PAGES[kind](size))) for size in (50, 500))  # type: ignore[misc]
    assert many <= 11 * few
    large = PAGES[kind](50_000)[:1_000_000]
    lines = lines_of_page(large)  # as large as a mail may be: read or refused
    assert sum(map(len, lines)) <= len(large) + len(lines) * 20


# Lines that were wrapped in transit are joined again; lines that end with a space by chance are not.

LONG = "PLACE H3 at C2 rot 90 OR PLACE H3 at C2 rot 180 OR PLACE H3 at D2 rot"


def flowed(lines: list[str], more: str = "") -> list[str]:
    return list(bare("From: x", f"Content-Type: text/plain; format=flowed{more}", text="\n".join(lines)).lines)


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        ([f"{LONG} ", "90 OR DRAW"], [f"{LONG} 90 OR DRAW"]),
        ([f"{LONG} ", f"{LONG} ", "90"], [f"{LONG} {LONG} 90"]),
        (["DRAW ", "MOVE C3 ", "REFRESH"], ["DRAW ", "MOVE C3 ", "REFRESH"]),
        ([LONG, "90"], [LONG, "90"]),
        ([f"{LONG} ", ""], [f"{LONG} ", ""]),
        ([f"{LONG} "], [f"{LONG} "]),
        ([" >DRAW", " From here", "  MOVE C3"], [">DRAW", "From here", " MOVE C3"]),
        ([f"> {LONG} ", "> 90"], [f"> {LONG} ", "> 90"]),
        ([f"{LONG} ", "> 90"], [f"{LONG} ", "> 90"]),
        (["-- ", "Ann"], ["-- ", "Ann"]),
        ([], []),
    ],
)
def test_wrapped_lines_are_joined(lines: list[str], joined: list[str]) -> None:
    assert [line.rstrip() for line in flowed(lines) if line.strip()] == [line.rstrip() for line in joined if line.strip()]


def test_the_space_at_the_end_may_be_no_part_of_the_text() -> None:
    assert flowed([f"{LONG} ", "90"], "; delsp=yes") == [f"{LONG}90"]
    assert flowed([f"{LONG}  ", "90"], "; delsp=yes") == [f"{LONG} 90"]


@given(st.lists(st.text(alphabet="ab >-", max_size=80), max_size=20), st.booleans())
@settings(max_examples=60)
def test_no_word_is_lost(lines: list[str], has_extra_space: bool) -> None:
    joined = flowed(lines, "; delsp=yes" if has_extra_space else "")
    assert len(joined) <= len(lines) + 1
    assert "".join(joined).replace(" ", "") == "".join(lines).replace(" ", "")


SHEET = ["game spring", "turn 3", "red:", "  GEAR 1", "  BRAKE 2"]
"""Lines that the desk writes into a link for a mail, each with its mark."""


@pytest.mark.parametrize("end", ["\r\n", "\n", "", " "])
def test_a_mail_from_the_desk_is_read_whatever_became_of_its_lines(end: str) -> None:
    text = "".join(f"{line} |{end}" for line in SHEET)
    assert [line.strip() for line in bare("From: x", text=text).lines] == [line.strip() for line in SHEET]


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (["red:", "  GEAR 1 | BRAKE 2"], []),
        (["Ann Smith | Example & Co. | London", "game spring"], []),
        (["> game spring | turn 3 |", "red: GEAR 1 | GEAR 2"], []),
        (["game spring", "Ann | London"], []),
        (
            ["game spring |", "turn 3 | red: |", "GEAR 1", "", "> a | b", "BRAKE 2 |"],
            ["game spring", "turn 3", "red:", "GEAR 1", "", "> a | b", "BRAKE 2"],
        ),
    ],
)
def test_the_mark_of_the_desk_means_nothing_in_other_mails(lines: list[str], read: list[str]) -> None:
    assert list(bare("From: x", text="\n".join(lines)).lines) == (read or lines)


@pytest.mark.parametrize("rounds", [40, pytest.param(2_000, marks=pytest.mark.soak)])
def test_whatever_is_mixed_up_is_read_or_refused_and_once_more_the_same(rounds: int) -> None:
    """Mix whole mails, cut them and mix their parts."""
    mails, rng = list(corpus().values()), Random(26)
    for _ in range(rounds):
        data = bytearray(rng.choice(mails))
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(data) + 1)
            data[at : at + rng.randrange(60)] = rng.choice(mails)[: rng.randrange(3_000)] if rng.randrange(2) else b""
        mixed_up = re.sub(rb"\r?\n", rng.choice([b"\n", b"\r\n", b"\r"]), bytes(data))
        first, second = adj.read_mail(mixed_up), adj.read_mail(mixed_up)
        assert first == second
        assert first.fault is None
        assert bool(first.problem) <= (first.lines == ())
