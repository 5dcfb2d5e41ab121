"""Addresses as people and mail programs write them: one address each, or a reason; no letter goes to anybody else."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.headerregistry import HeaderRegistry

import pytest

from adjudicator.mail.addresses import AddressError, mail_address, one_address
from adjudicator.mail.outgoing import Letter, letter_bytes

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


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("written", "address"), ADDRESSES.items())
def test_one_address_in_any_form(form: str, written: str, address: str) -> None:
    assert mail_address(form.format(written)) == address
    assert one_address(form.format(written))[1] == address


@pytest.mark.parametrize("written", REFUSED)
def test_what_is_not_one_address_is_refused_with_a_reason_that_can_be_printed(written: str) -> None:
    with pytest.raises(AddressError, match=r"write it like ann@example\.org|use another address") as raised:
        mail_address(written)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize("written", [*REFUSED[1:], *(form.format(one) for form in FORMS for one in ADDRESSES)])
def test_a_letter_names_its_recipient_or_nobody(written: str) -> None:
    try:
        wanted = [mail_address(written)]
    except AddressError:
        wanted = []
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
    data = letter_bytes(letter)
    read = message_from_bytes(data, policy=policy.default)
    for name, addresses in (("To", wanted), ("Reply-To", wanted), ("From", ["club@xn--mller-kva.de"])):
        assert [one.addr_spec for one in read[name].addresses] == addresses
    assert set(map(str.lower, read)) <= HEAD
    assert "Bcc" not in HeaderRegistry()("To", str(read["To"]))


HEAD = {
    *("from", "to", "reply-to", "subject", "date", "message-id", "auto-submitted", "x-auto-response-suppress"),
    *("content-type", "content-transfer-encoding", "mime-version"),
}


def test_a_letter_asks_every_mail_program_for_silence() -> None:
    letter = Letter(to="a@b.c", subject="", text="", written=0, message_id="<1@b>", sender="c@b.c", sender_name="Club")
    read = message_from_bytes(letter_bytes(letter), policy=policy.default)
    assert (read["Auto-Submitted"], read["X-Auto-Response-Suppress"]) == ("auto-generated", "All")
