"""Whose a mail is, and to whom a letter goes: exactly one address or nobody, whatever stands in the head."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.headerregistry import HeaderRegistry
from random import Random

import pytest

import adjudicator as adj
from adjudicator.mail.envelope import Envelope, address_flaw, envelope_of, one_address, plain_address
from adjudicator.mail.message import lean
from adjudicator.mail.outgoing import Letter, letter_bytes
from tests.data.mails.pieces import attachment, mail, multipart, plain
from tests.drivers.mails import corpus, lines_run

FORMS = (
    "{0}",
    "<{0}>",
    "  {0} ",
    "Ann <{0}>",
    "Ann Smith <{0}>",
    "Smith, Ann <{0}>",
    "Smith, Ann, Dr. <{0}>",
    "Ann [Red] <{0}>",
    "[club] Ann <{0}>",
    "Ann (Red) <{0}>",
    "{0} (Ann)",
    '"Smith, Ann" <{0}>',
    '"Ann [Red]" <{0}>',
    "'Ann' <{0}>",
    "{0} <{0}>",
    "'{0}' <{0}>",
    '"{0}" <{0}>',
    "=?utf-8?q?J=C3=BCrgen?= <{0}>",
    "Jürgen Müller <{0}>",
    "安 <{0}>",
)
ADDRESSES = {
    "ann@example.org": "ann@example.org",
    "Ann.Smith+club@Example.ORG": "Ann.Smith+club@example.org",
    "o'neill@example.org": "o'neill@example.org",
    "ann@localhost": "ann@localhost",
    "ann@müller.de": "ann@xn--mller-kva.de",
    "ann@XN--MLLER-KVA.DE": "ann@xn--mller-kva.de",
    "ann@straße.example": "ann@xn--strae-oqa.example",
    "ann@例え.jp": "ann@xn--r8jz45g.jp",
}
REFUSED = (
    *("", "ann", "Ann Smith", "@example.org", "ann@", "ann@b@c.de", "ann @example.org", "ann@exa mple.org"),
    *("ann@example..org", ".ann@example.org", "ann.@example.org", "ann@.example.org", "ann@-a.org", "ann@a-.org"),
    *("a" * 65 + "@example.org", "ann@" + "a." * 130 + "org", "ann@example.org\n", "ann@example.org\r\nBcc: x@y.z"),
    *("ann@example.org\u2028", "ann\u202e@example.org", "ann@exam\u200bple.org\u202e", "ann\x1b[2J@example.org"),
    *("jürgen@example.org", "J. <jürgen@example.org>", "аnn@example.org", "安@example.org", "ann\u3164@example.org"),
    *("ann@example.org, bob@example.org", "ann@example.org; bob@example.org", "<ann@example.org> <bob@example.org>"),
    *("bob@example.org <ann@example.org>", "bob@example.org, Ann <ann@example.org>", "Ann [bob@b.org] <ann@example.org>"),
    *('"bob@example.org", Ann <ann@example.org>', "x: ann@example.org;", "<@b.org:ann@example.org>", "Ann <ann@example.org"),
    *("=?utf-8?q?bob=40example.org?=@evil.example", "=?utf-8?q?bob=40example.org=2C?=@evil.example"),
    *("=?utf-8?b?Ym9iQGV4YW1wbGUub3JnLA==?=@evil.example", "ann@=?utf-8?q?evil.example?=", "a=?utf-8?q?x?=@evil.example"),
    *("=?utf-8?q?=0D=0ABcc:_bob=40example.org?=@evil.example", "=?utf-8?q?bob=40example.org=2C?=, Ann <ann@example.org>"),
    *('"ann"@example.org', "ann(bob@b.org)@example.org", "ann@[192.0.2.1]", "ann\\@example.org", "ann@exa\\mple.org"),
    *("ann@xn--\u00e4.de", "ann@a\u0338.de\u0000", "ann%", "mailto:ann@example.org"),
)


HEAD = {
    *("from", "to", "reply-to", "subject", "date", "message-id", "auto-submitted", "x-auto-response-suppress"),
    *("content-type", "content-transfer-encoding", "mime-version"),
}


@pytest.mark.parametrize("form", FORMS)
def test_one_address_in_any_form(form: str) -> None:
    for written, address in ADDRESSES.items():
        assert plain_address(form.format(written)) == one_address(form.format(written))[1] == address


@pytest.mark.parametrize("written", REFUSED)
def test_what_is_not_one_address_is_refused_with_a_reason_that_can_be_printed(written: str) -> None:
    flaw = address_flaw(written)
    assert flaw.endswith(("write it like ann@example.org", "use another address"))
    assert flaw.isprintable()
    assert plain_address(written) == written


def test_a_letter_names_its_recipient_or_nobody_and_asks_every_program_for_silence() -> None:
    for written in (*REFUSED[1:], *(form.format(one) for form in FORMS for one in ADDRESSES)):
        wanted = [] if address_flaw(written) else [plain_address(written)]
        letter = Letter(
            to=written,
            reply_to=written,
            subject="x",
            text="x",
            written=0,
            message_id="<1@club.example>",
            sender="club@müller.de",
            sender_name="Thursday club",
        )
        read = message_from_bytes(letter_bytes(letter), policy=policy.default)
        for name, addresses in (("To", wanted), ("Reply-To", wanted), ("From", ["club@xn--mller-kva.de"])):
            assert [one.addr_spec for one in read[name].addresses] == addresses, written
        assert set(map(str.lower, read)) <= HEAD, written
        assert (read["Auto-Submitted"], read["X-Auto-Response-Suppress"]) == ("auto-generated", "All")


def envelope(*fields: str, body: bytes = b"GEAR 1\r\n") -> Envelope:
    lines = fields if any(field.startswith("From:") for field in fields) else ["From: red@example.org", *fields]
    return envelope_of("\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body)


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


_PIECES = (
    *("Smith,", "[Red]", "red@example.org, "),
    *("red@example.org", "mallory@evil.org", "<red@example.org>", "<mallory@evil.org>", "=?utf-8?q?red=40example.org?="),
    *'<>(),"\\ :;@[]\t',
    *(" ", "Ann "),
)


def test_no_other_reader_finds_another_sender() -> None:
    """A mail server may read the field with another program: where the two could differ, the mail has no sender."""
    assert envelope("From: mallory@evil.org", "From: red@example.org").address == ""
    for hostile in ('"' * 2_000, "=?a?q?b?=" * 200, "(" * 2_000, "a" * 2_000, "a\\" * 1_000, "<" * 2_000, ' "" ' * 500):
        assert "@" not in envelope(f"From: {hostile}").address
    luck, registry, count = Random(7), HeaderRegistry(), 0
    for _ in range(2_000):
        written = "".join(luck.choice(_PIECES) for _ in range(luck.randint(1, 7))).strip()
        address = envelope(f"From: {written}").address
        if "@" in address:
            count += 1
            others = {one.addr_spec.lower() for one in registry("From", written).addresses if one.domain} - {address}
            assert others == set(), written
    assert count > 50


ROBOTS: list[list[str]] = [
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
]
PERSONS: list[list[str]] = [
    [],
    ["Auto-Submitted: no"],
    ["Return-Path: <red@example.org>"],
    ["Content-Type: multipart/mixed; boundary=b"],
    ["Precedence: first-class"],
]


@pytest.mark.parametrize(("fields", "is_robot"), [*((one, True) for one in ROBOTS), *((one, False) for one in PERSONS)])
def test_a_robot_is_known_by_its_head(fields: list[str], is_robot: bool) -> None:
    assert bool(envelope(*fields).robot) is is_robot


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


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_the_head_ends_at_the_first_blank_line(end: bytes) -> None:
    data = b"\xef\xbb\xbf" + end.join([b"From: a@example.org", b"Subject: x", b" y", b"", b"Message-ID: <1@b>", b"", b"z"])
    found = envelope_of(data)
    assert (found.address, found.subject, found.references) == ("a@example.org", "x y", ())
    assert envelope_of(b"").address == envelope_of(end).address == ""
    written = b"Subject: =?utf-8?Q?J=C3=BCrgens_Befehle?=\r\n =?utf-8?Q?_f=C3=BCr_Runde_7?=\r\n\r\nDRAW"
    assert envelope_of(written).subject == "Jürgens Befehle für Runde 7"


def test_an_envelope_costs_nothing_for_the_body() -> None:
    """Only the topmost results of servers are looked at, too."""
    few, many = (b"From: a@b.c\nMessage-ID: <1@x>\n" + multipart("mixed", *[plain("DRAW")] * n) for n in (1, 900))
    assert envelope_of(many).references == ("<1@x>",)
    assert lines_run(lambda: envelope_of(many)) == lines_run(lambda: envelope_of(few))
    results = b"".join(b"Authentication-Results: x; spf=pass %d\n" % number for number in range(100))
    found = envelope_of(results + b"From: a@b.c\n\nx")
    assert (found.results[0], len(found.results)) == ("x; spf=pass 0", 20)


def test_copies_of_a_mail_have_one_identity_for_a_club_too() -> None:
    data = b"From: red@example.org\r\nMessage-ID: <1@x>\r\n\r\nGEAR 1\r\n"
    assert envelope_of(data).identity == envelope_of(b"Received: by a; x\r\n" + data.replace(b"\r\n", b"\n")).identity
    assert envelope_of(data).identity != envelope_of(data + b"GEAR 2\r\n").identity


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_a_club_keeps_of_a_large_mail_says_the_same(ends: str) -> None:
    photo = (
        attachment("photo.jpg", "image/jpeg", b"")
        + b"/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoM\n" * 40_000
    )
    parts = multipart("mixed", plain("GEAR 1"), photo, photo.replace(b"photo", b"b"), plain("GEAR 2"))
    data = mail(parts, sender="Ann <ann@example.org>", subject="turn 7", ends=ends)
    small = lean(data)
    assert len(small) < 3_000 < len(data)
    one, other = adj.read_mail(small), adj.read_mail(data)
    assert (one.lines, one.left_out, one.received) == (other.lines, other.left_out, other.received)
    assert lean(small) == small
    assert (envelope_of(small).address, envelope_of(small).references) == ("ann@example.org", envelope_of(data).references)
    huge = b"From: x\n\n" + b"x" * 40_000_001
    assert len(lean(huge)) < 100_000
    assert adj.read_mail(lean(huge)).problem == adj.read_mail(huge).problem != None  # noqa: E711
    assert [name for name, whole in corpus().items() if lean(whole) != whole] == []  # what is small stays as it came
