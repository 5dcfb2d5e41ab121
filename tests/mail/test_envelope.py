"""The head of a mail: one sender or none, marks of robots, the way that the mail came. The body is never read."""

from __future__ import annotations

from email.headerregistry import HeaderRegistry
from email.parser import BytesParser
from random import Random
from typing import Any

import pytest

from adjudicator.mail.envelope import Envelope, envelope_of
from adjudicator.mail.limits import MOST_BYTES, MOST_PARTS


def envelope(*fields: str, body: bytes = b"GEAR 1\r\n") -> Envelope:
    head = "\r\n".join(["From: red@example.org", *fields] if not any(map(_is_from, fields)) else fields)
    return envelope_of(head.encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body)


_PIECES = (
    *("Smith,", "[Red]", "red@example.org, "),
    *("red@example.org", "mallory@evil.org", "<red@example.org>", "<mallory@evil.org>", "=?utf-8?q?red=40example.org?="),
    *'<>(),"\\ :;@[]\t',
    *(" ", "Ann "),
)


def _is_from(field: str) -> bool:
    return field.startswith("From:")


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("Red <RED@Example.org>", "red@example.org"),
        ('"red@example.org, blue@example.org" <mallory@evil.org>', "mallory@evil.org"),
        ("red@example.org (Ann)", "red@example.org"),
        ("Ann (office) <red@example.org>", "red@example.org"),
        ("Dr. Ann O'Neill <red@example.org>", "red@example.org"),
        ("=?utf-8?q?J=C3=BCrgen?= <j@example.org>", "j@example.org"),
        ("mallory@evil.org (<red@example.org>)", ""),
        ("mallory@evil.org <red@example.org>", ""),
        ("red@example.org <red@example.org>", "red@example.org"),
        ("'red@example.org' <Red@Example.org>", "red@example.org"),
        ("Ann [Red] <red@example.org>", "red@example.org"),
        ("Smith, Ann <red@example.org>", "red@example.org"),
        ("=?utf-8?q?M=C3=BCller=2C_Ann?= <red@example.org>", "red@example.org"),
        ("Smith, =?utf-8?q?red=40example.org?= <mallory@evil.org>", ""),
        ('"red@example.org", Ann <mallory@evil.org>', ""),
        ("Ann [red@example.org] <mallory@evil.org>", ""),
        ("Ann <red@Müller.de>", "red@xn--mller-kva.de"),
        ("red@XN--MLLER-KVA.de", "red@xn--mller-kva.de"),
        ("red@straße.de", "red@xn--strae-oqa.de"),
        ("=?utf-8?q?red=40example.org=2C?=@evil.org", ""),
        ("<mallory@evil.org> <red@example.org>", ""),
        ("<mallory@evil.org>, <red@example.org>", ""),
        ("mallory@evil.org, red@example.org", ""),
        ("players: red@example.org;", ""),
        ("<@evil.org:red@example.org>", ""),
        ('"Ann <red@example.org>', ""),
        ("red@example.org@evil.org", ""),
        ("=?utf-8?q?red=40example.org?= <mallory@evil.org>", "mallory@evil.org"),
        ("=?utf-8?q?red=40example.org?=", ""),
        ("mallory@evil.org=?utf-8?q?red=40example.org?=", ""),
        ("Ann[ <red@example.org>", ""),
        ("Ann Smith", ""),
        ("r\u017fed@example.org", "r\u017fed@example.org"),
    ],
)
def test_the_sender_is_exactly_one_address(written: str, address: str) -> None:
    found = envelope(f"From: {written}")
    assert (found.address, found.robot) == (address, "")


def test_two_from_fields_are_no_sender() -> None:
    assert envelope("From: mallory@evil.org", "From: red@example.org").address == ""


def test_no_other_reader_finds_another_sender() -> None:
    """A mail server may read the field with another program: where the two could differ, the mail has no sender."""
    luck, registry, count = Random(7), HeaderRegistry(), 0
    for _ in range(4_000):
        written = "".join(luck.choice(_PIECES) for _ in range(luck.randint(1, 7))).strip()
        address = envelope(f"From: {written}").address
        if "@" in address:
            count += 1
            others = {one.addr_spec.lower() for one in registry("From", written).addresses if one.domain} - {address}
            assert others == set(), written
    assert count > 100


@pytest.mark.parametrize(
    "written", ['"' * 2_000, "=?a?q?b?=" * 200, "(" * 2_000, "a" * 2_000, "a\\" * 1_000, "<" * 2_000, ' "" ' * 500]
)
def test_a_sender_that_cannot_be_read_is_none(written: str) -> None:
    assert "@" not in envelope(f"From: {written}").address


@pytest.mark.parametrize(
    "fields",
    [
        ["Auto-Submitted: auto-replied"],
        ["Auto-Submitted: no", "Auto-Submitted: auto-generated"],
        ["X-Vacation: yes"],
        ["X-Failed-Recipients: blue@example.org"],
        ["Content-Type: multipart/report; report-type=delivery-status; boundary=b"],
        ["Content-Type: Multipart/Report"],
        ["Return-Path: <MAILER-DAEMON@mx.example.org>"],
        ["Return-Path: MAILER-DAEMON"],
        ["Return-Path: <>"],
        ["Return-Path: <red@example.org>", "Return-Path: <>"],
        ["Precedence: first-class", "Precedence: bulk"],
        ["From: Mail Delivery System <MAILER-DAEMON>"],
        ["From: <>"],
        ["From:"],
        ["List-Id: <a.b>"],
    ],
)
def test_a_robot_is_known_by_its_head(fields: list[str]) -> None:
    assert envelope(*fields).robot


@pytest.mark.parametrize(
    "fields",
    [
        [],
        ["Auto-Submitted: no"],
        ["Return-Path: <red@example.org>"],
        ["Content-Type: multipart/mixed; boundary=b"],
        ["Precedence: first-class"],
    ],
)
def test_a_person_is_no_robot(fields: list[str]) -> None:
    assert envelope(*fields).robot == ""


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        (
            ["Received: from me (host.example [203.0.113.7]) by mx.example.org; Mon, 2 Mar 2026 12:00:00 +0000"],
            "203.0.113.7",
        ),
        (["Received: from [192.0.2.1] (unknown [203.0.113.7]) by mx (10.0.0.1 [10.0.0.1]); x"], "203.0.113.7"),
        (["Received: from a ([IPv6:2001:DB8::7]) by mx; x"], "2001:db8::/64"),
        (["Received: from a ([IPv6:::ffff:203.0.113.7]) by mx; x"], "203.0.113.7"),
        (["Received: from a ([203.0.113.7]) by mx; x", "Received: from b ([192.0.2.9]) by evil; x"], "203.0.113.7"),
        (["Received: by 2002:a05 with SMTP id 7; x", "Return-Path: <Mallory@Evil.org>"], ""),
        (["Received: by 2002:a05 with SMTP id 7; x", "Received: from a ([203.0.113.7]) by mx; x"], "203.0.113.7"),
        (["Received: from mx by box with LMTP id 7; x", "Received: from a ([203.0.113.7]) by mx; x"], "203.0.113.7"),
        (["Received: from a by mx with ESMTP; x", "Received: from b ([192.0.2.9]) by evil; x"], ""),
        (["Received: from a.example (203.0.113.7) by b.example (10.1.2.3) with SMTP; x"], "203.0.113.7"),
        (["Received: from unknown (HELO [192.0.2.9]) (203.0.113.7) by 0 with SMTP; x"], "203.0.113.7"),
        (["Received: from a ([1.2.3.4.5]) by mx; x", "Received: from b ([192.0.2.9]) by evil; x"], ""),
        (["Received: from a (203.0.113.7)\r\n\tby b.example (192.0.2.1)\r\n\twith SMTP; x"], "203.0.113.7"),
        (["Received: from [203.0.113.7] (helo=[192.0.2.9]) by mx with esmtp (Exim 4.98); x"], "203.0.113.7"),
        (["Received: from [203.0.113.7] (port=4711 helo=[192.0.2.9]) by mx with esmtps (Exim 4.98); x"], "203.0.113.7"),
        (["Received: from h.example ([203.0.113.7] helo=[192.0.2.9])\r\n\tby mx with esmtp; x"], "203.0.113.7"),
        (["Received: from h.example ([203.0.113.7]:4711 helo=[192.0.2.9] ident=[192.0.2.8])\r\n\tby mx; x"], "203.0.113.7"),
        (["Received: from h.example ([203.0.113.7] ident=[192.0.2.9]) by mx; x"], "203.0.113.7"),
        (["Received: from [2001:db8::7] (helo=[IPv6:2001:db8:9::1]) by mx with esmtp; x"], "2001:db8::/64"),
        (["Received: from [203.0.113.7] (helo=a [192.0.2.9] (b)) by mx with esmtp; x"], "203.0.113.7"),
        (["Received: from helo=[192.0.2.9] (unknown [203.0.113.7]) by mx (Postfix); x"], "203.0.113.7"),
        (["Received: from [192.0.2.9] (unknown [203.0.113.7]) by mx (Postfix); x"], "203.0.113.7"),
        (
            ["Received: from [10.0.0.2] (helo=[192.0.2.9]) by box; x", "Received: from a ([203.0.113.7]) by mx; x"],
            "203.0.113.7",
        ),
        (["Return-Path: <mallory@evil.org>"], ""),
        (["Received: from mx ([127.0.0.1]) by box; x", "Received: from a ([203.0.113.7]) by mx; x"], "203.0.113.7"),
        (["Received: from mx ([192.168.7.1]) by box; x", "Return-Path: <mallory@evil.org>"], ""),
        ([], ""),
    ],
)
def test_the_path_is_what_the_own_server_has_written(fields: list[str], path: str) -> None:
    assert envelope(*fields).path == path


@pytest.mark.parametrize(
    "body",
    [
        b"x" * MOST_BYTES,
        b"\n" * 500_000,
        b"--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" * (MOST_PARTS + 1),
    ],
)
def test_only_the_head_is_parsed(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    class Counting(BytesParser):
        def parsebytes(self, text: bytes | bytearray, headersonly: bool = False) -> Any:
            sizes.append(len(text))
            return super().parsebytes(text, headersonly)

    monkeypatch.setattr("adjudicator.mail.parse.BytesParser", Counting)
    found = envelope("Content-Type: multipart/mixed; boundary=b", body=body)
    assert found.address == "red@example.org"
    assert len(sizes) == 1
    assert sizes[0] < 200


def test_a_byte_order_mark_hides_no_field() -> None:
    assert envelope_of(b"\xef\xbb\xbfFrom: red@example.org\r\n\r\nGEAR 1").address == "red@example.org"


def test_copies_of_a_mail_have_one_identity() -> None:
    data = b"From: red@example.org\r\nMessage-ID: <1@x>\r\n\r\nGEAR 1\r\n"
    assert envelope_of(data).identity == envelope_of(b"Received: by a; x\r\n" + data.replace(b"\r\n", b"\n")).identity
    assert envelope_of(data).identity != envelope_of(data + b"GEAR 2\r\n").identity
