"""One mail: what its head says, which of its parts is its text, what is left out."""

from __future__ import annotations

import pytest
from frames.pieces import attachment, mail, multipart, page, plain

from adjudicator.mail.envelope import envelope_of
from adjudicator.mail.limits import MOST_BYTES, MOST_DEPTH, MOST_FIELDS, MOST_LINES, MOST_PARTS, MOST_TEXT, MailError
from adjudicator.mail.message import Mail, read_mail, sender_of
from adjudicator.mail.parse import parse
from adjudicator.mail.recognize import is_mail

ANN = "Ann <ann@example.org>"


def read(body: bytes, **head: str) -> Mail:
    return read_mail(mail(body, **{"sender": ANN, "subject": "turn 7", **head}))  # type: ignore[arg-type]


def bare(*fields: str, text: str = "DRAW") -> Mail:
    return read_mail("\r\n".join([*fields, "", text]).encode("utf-8", "surrogateescape"))


def test_a_plain_mail() -> None:
    found = read(plain("red:\nDRAW"))
    assert found == Mail(("red:", "DRAW"), 1772471321, "Ann", identity=found.identity)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("how", ["7bit", "8bit", "quoted-printable", "base64"])
def test_line_ends_and_encodings(ends: str, how: str) -> None:
    assert read(plain("red:\n\nDRAW", how=how), ends=ends).lines == ("red:", "", "DRAW")


@pytest.mark.parametrize(
    "how", ["quoted-printable;", "Quoted-Printable ; charset=utf-8", "'quoted-printable'", "quoted-printable (x)"]
)
def test_an_encoding_is_known_in_spite_of_stray_signs(how: str) -> None:
    assert bare(f"Content-Transfer-Encoding: {how}", text="MOVE =\r\nC3 D=33").lines == ("MOVE C3 D3",)


@pytest.mark.parametrize(
    ("written", "name", "address"),
    [
        ("Ann Smith <ann@example.org>", "Ann Smith", "ann@example.org"),
        ('"Smith, Ann" <ann@example.org>', "Smith, Ann", "ann@example.org"),
        ("=?utf-8?q?J=C3=BCrgen_M=C3=BC=C3=9Fig?= <j@example.org>", "Jürgen Müßig", "j@example.org"),
        ("=?utf-8?B?15DXoNeUINeb15TXnw==?= <anna@example.org>", "אנה כהן", "anna@example.org"),
        ("=?iso-8859-1?Q?J=FCrgen_?=\r\n =?iso-8859-1?Q?M=FC=DFig?=\r\n <j@example.org>", "Jürgen Müßig", "j@example.org"),
        ("Jürgen <j@example.org>", "Jürgen", "j@example.org"),
        ("ann@example.org (Ann Smith)", "Ann Smith", "ann@example.org"),
        ("ann@example.org", "", "ann@example.org"),
        ("=?utf-8?q?=00=1B[2J?= <x>", "[2J", "x"),
        ("=?klingon?q?Ann?= <x>", "Ann", "x"),
        ("=?utf-8?b?$$$?= <x>", None, "x"),
        ("<>", "", ""),
        ("", "", ""),
        ("((((" * 400 + "<x@y>", None, None),
        ("\udcff\udcfe <x>", None, "x"),
    ],
)
def test_who_has_sent_it(written: str, name: str | None, address: str | None) -> None:
    sender, found = sender_of(parse(f"From: {written}\r\nSubject: x\r\n\r\nDRAW".encode("utf-8", "surrogateescape")))
    assert name is None or sender == name
    assert address is None or found == address
    assert sender.isprintable()


def test_the_subject_is_decoded_and_on_one_line() -> None:
    written = b"Subject: =?utf-8?Q?J=C3=BCrgens_Befehle?=\r\n =?utf-8?Q?_f=C3=BCr_Runde_7?=\r\n\r\nDRAW"
    assert envelope_of(written).subject == "Jürgens Befehle für Runde 7"
    assert envelope_of(b"From: x\r\n\r\nDRAW").subject == ""


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
    assert found.left_out == ((name,) if name is not None else found.left_out)
    assert len(found.left_out) == 1


@pytest.mark.parametrize("kind", ["application/pgp-signature", "application/pkcs7-signature", "application/pgp-keys"])
def test_signatures_of_programs_are_left_out_without_a_word(kind: str) -> None:
    parts = multipart("signed", plain("DRAW"), f"Content-Type: {kind}; name=signature.asc\n\nx".encode())
    assert read(parts) == read(plain("DRAW"))


def test_an_encrypted_mail_says_nothing_but_that() -> None:
    parts = multipart("encrypted", b"Content-Type: application/pgp-encrypted\n\nVersion: 1", plain("x"))
    assert (read(parts).lines, read(parts).left_out) == ((), ("an encrypted text",))


def test_parts_that_have_no_borders_are_a_text() -> None:
    assert read(b"Content-Type: multipart/mixed\n\nred:\nDRAW\n").lines == ("red:", "DRAW")
    assert read(b'Content-Type: multipart/mixed; boundary="b"\n\nred:\nDRAW\n').lines == ("red:", "DRAW")


def test_a_border_that_never_ends_ends_with_the_mail() -> None:
    assert read(b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nDRAW').lines == ("DRAW",)


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


@pytest.mark.parametrize("coding", ["", "x", "7-bit", "uuencode-not", "base 64", "8bit; x"])
def test_odd_encodings_are_none(coding: str) -> None:
    assert bare("From: x", f"Content-Transfer-Encoding: {coding}").lines == ("DRAW",)


@pytest.mark.parametrize("text", ["====", "RFJBVw", "RFJBVw==RFJBVw==", "RF\r\nJB\r\nVw==", "!!!!"])
def test_broken_base64_is_read_as_far_as_it_goes(text: str) -> None:
    assert bare("From: x", "Content-Transfer-Encoding: base64", text=text).lines


def nested(depth: int) -> bytes:
    opening = b"".join(
        f'Content-Type: multipart/mixed; boundary="b{level}"\n\n--b{level}\n'.encode() for level in range(depth)
    )
    return opening + b"Content-Type: text/plain\n\nDRAW\n"


def test_limits() -> None:
    assert bare("From: x", text="x" * MOST_TEXT)
    codes = {
        "mail/too-large": b"From: x\n\n" + b"x" * MOST_BYTES,
        "mail/too-many-lines": b"From: x\n\n" + b"\n" * (MOST_LINES + 1),
        "mail/too-many-parts": b"From: x\n" + multipart("mixed", *[b"\nx"] * (MOST_PARTS + 1), border="b"),
        "mail/too-many-fields": b"From: x\n" * (MOST_FIELDS + 1) + b"\nDRAW",
        "mail/too-deep": b"From: x\n" + nested(MOST_DEPTH + 1),
        "mail/not-text": b"From: x\nContent-Type: text/plain; charset=utf-8\n\nDRAW\0",
        "mail/too-many-tags": b"From: x\nContent-Type: text/html\n\n" + b"<p>x" * 30_000,
    }
    for code, data in codes.items():
        with pytest.raises(MailError) as error:
            read_mail(data)
        assert error.value.code == code
        assert str(error.value).startswith(("the mail", "the parts of the mail", "the HTML of the mail"))


@pytest.mark.parametrize("depth", [100, 400, 900, 5_000])
def test_parts_within_parts_without_end(depth: int) -> None:
    with pytest.raises(MailError) as error:
        read_mail(b"From: x\n" + nested(depth))
    assert error.value.code in ("mail/too-deep", "mail/too-many-parts")


@pytest.mark.parametrize("depth", [1, 100, 5_000])
def test_forwarded_mails_within_each_other_are_one_attachment(depth: int) -> None:
    found = read_mail(b"From: x\n" + b"Content-Type: message/rfc822\n\n" * depth + b"\nDRAW")
    assert found.lines == ()
    assert [name.partition(" (")[0] for name in found.left_out] == ["a mail"]


def test_parts_within_parts_to_the_limit_are_read() -> None:
    assert read_mail(b"From: x\n" + nested(20)).lines == ("DRAW",)


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
        (b"", False, False),
        (b"\0\1\2", False, False),
        (b"From x Mon Mar  2 10:00:00 2026\nReceived: by a\n\n", False, False),
    ],
)
def test_what_is_a_mail(data: bytes, is_one: bool, is_one_by_name: bool) -> None:
    assert (is_mail(data), is_mail(data, is_named_so=True)) == (is_one, is_one_by_name)
