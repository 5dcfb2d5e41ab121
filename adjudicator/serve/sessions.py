"""Log people in by a single-use link in a mail, and know them again by a signed cookie.

Anybody can ask for a link to any address, and the answer is always the same. Programs open links, so the page of a link
only has a button. The ledger keeps hashes: a copy of it has no session, and a link only in a letter that is less than half
an hour old.
"""

from __future__ import annotations

import hmac
from ipaddress import ip_address, ip_network
from typing import Final

from itsdangerous import BadSignature, URLSafeTimedSerializer

from adjudicator.club.club import Club, Person
from adjudicator.club.letters import new_token, write
from adjudicator.club.matters import note_use, uses
from adjudicator.core.values import Value, digest

LONGEST: Final = 30 * 24 * 3600
"""The time after which a session ends, in seconds."""
_LINK: Final = 30 * 60
"""The time for which a link works, in seconds."""
_MOST: Final = 10
"""The most letters with a link to one person within 24 hours."""
_MOST_OF_CLIENT: Final = 50
"""The most such letters for which one client may ask within 24 hours."""


class Session(Value, kw_only=True):
    """A browser in which ``person`` has logged in. ``id`` is its row, ``csrf`` what each of its forms must have."""

    id: int
    person: Person
    csrf: str


def _signer(club: Club) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(hmac.digest(club.secret, b"sessions", "sha256"), salt="session")


def _hashed(token: str) -> str:
    return digest(f"login/{token}".encode())


def network_of(client: str) -> str:
    """Return what counts as one client: an IPv4 address, or a network of IPv6, whose owner chooses the rest."""
    try:
        address = ip_address(client)
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if address.version == 6 else address
    return str(mapped or ip_network((address, 64), strict=False))


def ask_for_link(club: Club, written: str, client: str, site: str) -> None:
    """Queue the letter with a link to the person with this address, within the limits; ``site`` is that of the pages."""
    address, path = written.strip().lower()[:254], f"path/{network_of(client)}"
    with club.db.transaction():
        old = "delete from confirmations where kind = 'login' and since < iif(done = 0, ?, ?)"
        club.db.run(old, club.now - _LINK, club.now - LONGEST)
        if uses(club, path, "login") >= _MOST_OF_CLIENT:
            return
        note_use(club, path, "login")
        person = club.person_at(address)
        if person is None or uses(club, f"person/{person.id}", "login") >= _MOST:
            return
        note_use(club, f"person/{person.id}", "login")
        token = new_token() + new_token()
        club.db.insert("confirmations", kind="login", person=person.id, token=_hashed(token), since=club.now, asked=club.now)
        page, until = f"{site}/login/{token}", club.moment(club.now + _LINK)
        write(club, "login", person.address, f"login/{_hashed(token)}", about=person, link=page, until=until)


def log_in(club: Club, token: str) -> str | None:
    """Use the link with this ``token``; return the value of the cookie, or ``None`` if the link is unknown, used or old."""
    new = new_token() + new_token()
    with club.db.transaction():
        query = "select id from confirmations where kind = 'login' and done = 0 and token = ? and since >= ?"
        number = club.db.value(query, _hashed(token), club.now - _LINK)
        if number is None:
            return None
        club.db.update("confirmations", number, token=_hashed(new), done=club.now, since=club.now)
    return _signer(club).dumps([number, new])


def session_of(club: Club, cookie: str) -> Session | None:
    """Return the session whose ``cookie`` a browser has sent; ``None`` if it is none, or over."""
    try:
        number, token = _signer(club).loads(cookie)
    except (BadSignature, ValueError, TypeError):
        return None
    query = "select person from confirmations where id = ? and kind = 'login' and done > 0 and token = ? and done >= ?"
    person = club.db.value(query, number, _hashed(str(token)), club.now - LONGEST)
    if person is None:
        return None
    csrf = hmac.digest(club.secret, f"csrf/{number}/{token}".encode(), "sha256").hex()[:32]
    return Session(id=number, person=club.person(person), csrf=csrf)


def log_out(club: Club, session: Session, *, everywhere: bool = False) -> None:
    """End a session; with ``everywhere`` all sessions of its person, and the links that were not used."""
    if everywhere:
        club.db.run("delete from confirmations where kind = 'login' and person = ?", session.person.id)
    else:
        club.db.run("delete from confirmations where kind = 'login' and id = ?", session.id)
