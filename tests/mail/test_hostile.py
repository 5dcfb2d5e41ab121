"""Mails of strangers cost no more work than their size, and the head of a mail costs none for its body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from counted import calls
from frames.pieces import mail, multipart, page, plain

from adjudicator.mail import body
from adjudicator.mail.envelope import envelope_of
from adjudicator.mail.limits import MailError
from adjudicator.mail.message import read_mail

HEAD = b"From: Ann <ann@example.org>\nSubject: turn 7\nMessage-ID: <1@example.org>\n"


def nested(depth: int, part: bytes) -> bytes:
    for level in range(depth):
        part = multipart("alternative", part, border=f"b{level}")
    return part


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of the parts that are decoded, in their order."""
    kinds: list[str] = []
    decode = body._lines

    def note(part: Any) -> list[str]:
        kinds.append(part.get_content_type())
        return decode(part)

    monkeypatch.setattr(body, "_lines", note)
    return kinds


@pytest.mark.parametrize("depth", [1, 2, 40])
def test_a_part_within_alternatives_is_decoded_once(depth: int, decoded: list[str]) -> None:
    assert read_mail(mail(nested(depth, plain("DRAW")), sender="a@b", subject="x")).lines == ("DRAW",)
    assert decoded == ["text/plain"]


def test_the_html_of_a_mail_is_decoded_only_if_its_text_says_nothing(decoded: list[str]) -> None:
    both = multipart("alternative", page("<b>" * 20_001), plain("DRAW"))
    assert read_mail(mail(both, sender="a@b", subject="x")).lines == ("DRAW",)
    assert decoded == ["text/plain"]
    blank = multipart("alternative", multipart("mixed", plain(" "), plain("\n"), border="c"), page("DRAW"))
    assert read_mail(mail(blank, sender="a@b", subject="x")).lines == ("DRAW",)
    assert decoded[1:] == ["text/plain", "text/plain", "text/html"]


def test_an_envelope_is_read_without_the_body(decoded: list[str]) -> None:
    few, many = (HEAD + multipart("mixed", *[plain("DRAW")] * count, border="b") for count in (1, 900))
    assert envelope_of(many).references == ("<1@example.org>",)
    assert calls(lambda: envelope_of(many)) == calls(lambda: envelope_of(few))
    assert calls(lambda: envelope_of(few)) < calls(lambda: read_mail(few))
    assert "text/plain" not in decoded[1:]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_the_head_ends_at_the_first_blank_line(end: bytes) -> None:
    data = b"\xef\xbb\xbf" + end.join([b"From: a@example.org", b"Subject: x", b" y", b"", b"Message-ID: <1@b>", b"", b"z"])
    found = envelope_of(data)
    assert (found.address, found.subject, found.references) == ("a@example.org", "x y", ())
    assert envelope_of(b"").address == envelope_of(end).address == ""


def test_only_the_topmost_results_of_servers_are_looked_at() -> None:
    data = b"".join(b"Authentication-Results: x; spf=pass %d\n" % number for number in range(100)) + HEAD
    assert envelope_of(data).results[0] == "x; spf=pass 0"
    assert len(envelope_of(data).results) == 20


def test_a_mail_that_is_too_deep_is_refused_before_it_is_parsed_to_its_end() -> None:
    def deep(depth: int) -> bytes:
        return HEAD + nested(depth, plain("DRAW\n" * 100))

    def refused(data: bytes) -> None:
        with pytest.raises(MailError, match="deep"):
            read_mail(data)

    assert read_mail(deep(49)).lines == ("DRAW",) * 100
    few, many = deep(50), deep(200)
    refused(many)  # the library compiles a pattern for each border
    refused(few)
    assert calls(lambda: refused(many)) <= calls(lambda: refused(few)) + 20


PARTS: dict[str, Callable[[int], bytes]] = {
    "semicolons in quotes": lambda size: b'text/plain; charset=utf-8; a="' + b";" * size,
    "semicolons behind a slash": lambda size: b'text/plain; charset=utf-8; a="' + b'\\";' * size,
    "parameters": lambda size: b"text/plain; charset=utf-8" + b"; a=b" * size,
    "parameters in pieces": lambda size: b"text/plain; charset=utf-8" + b"".join(b"; a*%d*=b" % at for at in range(size)),
}


@pytest.mark.parametrize("kind", PARTS)
def test_a_field_costs_little_whatever_parameters_it_has(kind: str) -> None:
    def of(size: int) -> bytes:
        return HEAD + b"Content-Type: " + PARTS[kind](size) + b"\nContent-Transfer-Encoding: 8bit\n\nDR\xc3\x84W"

    few, many = of(50), of(350)
    assert read_mail(few).lines == read_mail(many).lines == ("DRÄW",)
    assert calls(lambda: read_mail(many)) <= calls(lambda: read_mail(few)) + 20
