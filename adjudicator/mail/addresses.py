"""Read mail addresses as people and mail programs write them, each in one form: the domain in lower case, by IDNA."""

from __future__ import annotations

import re
from email.headerregistry import Address, Group
from typing import Final

from adjudicator.mail.charset import decode_words

_QUOTED: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_COMMENT: Final = r'\([^()<>@\\"]*\)'
_ENCODED: Final = r'=\?[^\s<>()@,;:"\\?]+\?[bqBQ]\?[^\s<>()@,;:"\\?]*\?='
_BRACKETS: Final = r'\[[^\[\]()<>@,;:"\\]*\]'
_NAME: Final = rf"(?P<name>(?:{_QUOTED.pattern}|{_COMMENT}|{_ENCODED}|{_BRACKETS}|(?!=\?)[^<>()@;:\"\\\[\]])*)"
"""A name, also with commas: `Smith, Ann`."""
_ATOM: Final = r'(?:(?!=\?)[^\s<>()@,;:"\\\[\].])+'
_ATOMS: Final = rf"{_ATOM}(?:\.{_ATOM})*"
_ADDRESS: Final = rf"(?P<address>{_ATOMS}(?:@{_ATOMS})?)"
_TWICE: Final = re.compile(rf"\s*(?P<quote>'?)(?P<name>{_ATOMS}@{_ATOMS})(?P=quote)\s*<\s*{_ADDRESS}\s*>\s*")
"""An address as its own name, as some mail programs write it: `ann@example.org <ann@example.org>`."""
_FORMS: Final = (
    re.compile(rf"{_NAME}<\s*{_ADDRESS}\s*>\s*(?:{_COMMENT}\s*)?"),
    _TWICE,
    re.compile(rf"\s*{_ADDRESS}(?:\s*(?P<name>{_COMMENT}))?\s*"),
)
"""The forms of a single address. Other forms name several, or mail servers may read another address in them."""
_LOCAL: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9])?)*")
_LONGEST: Final = 254
_LONGEST_LOCAL: Final = 64


class AddressError(ValueError):
    """A text is not an address to which a club can write; the message says why, and what to write."""


def one_address(written: str) -> tuple[str, str]:
    """Return the name and the address in ``written``, such as `Smith, Ann <ann@example.org>`.

    Both are empty unless it has exactly one address, and no mail server could read another one in it.
    """
    found = next(filter(None, (form.fullmatch(written) for form in _FORMS)), None)
    if found is None:
        return "", ""
    address = with_plain_domains(found["address"])
    name = decode_words((found["name"] or "").strip(' "()')).strip(' "')
    is_twice = found.re is _TWICE and with_plain_domains(name).lower() != address.lower()
    is_list = re.search(r"[,\[]", _QUOTED.sub("", found["name"] or "")) and "@" in name
    return ("", "") if is_twice or is_list else (name, address)


def mail_address(written: str) -> str:
    """Return the one address in ``written``, to which any mail server can send. Raises ``AddressError``."""
    address = one_address(written)[1] if written.isprintable() else ""
    local, at, domain = address.partition("@")
    if not at:
        raise AddressError(f"“{_shown(written)}” is not a mail address; write it like ann@example.org")
    if not local.isascii():
        words = "has letters other than a to z before the @, which many mail servers refuse; use another address"
        raise AddressError(f"“{_shown(written)}” {words}")
    is_short = len(local) <= _LONGEST_LOCAL and len(address) <= _LONGEST
    if not (is_short and _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain)):
        raise AddressError(f"“{_shown(written)}” is not a mail address; write it like ann@example.org")
    return address


def address_flaw(address: str) -> str:
    """Return why no mail can go to ``address``; empty if it can."""
    try:
        mail_address(address)
    except AddressError as error:
        return str(error)
    return ""


def plain_address(written: str) -> str:
    """Return the one address in ``written``, or ``written`` itself if no mail can go to it."""
    return written if address_flaw(written) else mail_address(written)


def plain_domain(domain: str) -> str:
    """Return ``domain`` in the form that DNS knows: `xn--mller-kva.de` for `müller.de`; unchanged if it is not valid."""
    if domain.isascii() and "xn--" not in domain.lower():
        return domain.lower()
    import idna

    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError:
        return domain


def with_plain_domains(text: str) -> str:
    """Return ``text`` with the domain of each address in it as in ``plain_domain``."""
    return re.sub(r"(?<=@)[^\s<>()@,;:\"\\\[\]]+", lambda found: plain_domain(found[0]), text)


def header_of(name: str, address: str) -> Address | Group:
    """Return the value of a field such as ``To``, from its parts; without a recipient if no mail can go to ``address``."""
    try:
        local, _, domain = mail_address(address).partition("@")
    except AddressError:
        return Group("undisclosed-recipients")
    return Address(name, local, domain)


def _shown(written: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in written[:80])
