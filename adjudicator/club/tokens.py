"""Write and find the secrets of a seat: its token, in the subject of its letters and answers, and the name of its page."""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import b32encode
from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.core.values import Value

CLUB: Final = "club"
"""The name that takes the place of the game in the token of a member."""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits, without those that look alike."""
_LENGTH: Final = 16
_CLAIM: Final = r"([A-Za-z0-9][A-Za-z0-9._-]{0,79})/([a-z][a-z0-9_]{0,23})#([a-z0-9-]{8,80})"
_IN_SUBJECT: Final = re.compile(rf"\[{_CLAIM}\]")
_LINE: Final = re.compile(rf"token\s++{_CLAIM}", re.IGNORECASE)
_IN_ADDRESS: Final = re.compile(r"\+[a-z0-9-]{8,80}@", re.IGNORECASE)
_PAGE: Final = re.compile(r"#file=[a-z2-7]{24}/[\w.-]*+(?:&[\w.@%+=&;-]*+)?|\btoken=[a-z0-9-]{8,80}", re.IGNORECASE)
"""What follows the address of the desk in a link, or the token at the end of such a link that a mail program has broken."""
_PAGE_LENGTH: Final = 24
_PAGE_RANDOM: Final = 16
"""Letters and digits of a page's name that depend on its seat, 80 bits; from the others the club recognizes its pages."""


class Claim(Value):
    """The claim of a mail: it is for a ``game``, from a ``seat``, and has its ``token``."""

    game: str
    seat: str
    token: str

    def __repr__(self) -> str:
        """Return the claim without its token, for messages."""
        return f"Claim({self.game}/{self.seat})"


def new_token() -> str:
    """Return a new random token: 16 letters and digits, about 79 bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def tag(game: str, seat: str, token: str) -> str:
    """Return the beginning of the subject of a letter, which every answer repeats."""
    return f"[{game}/{seat}#{token}]"


def token_line(game: str, seat: str, token: str) -> str:
    """Return the line that has the same effect in a mail as the tag in its subject."""
    return f"token {game}/{seat}#{token}"


def address_with(token: str, address: str) -> str:
    """Return the club's ``address`` with a ``token`` in it; empty if this token cannot be in an address."""
    name, _, domain = address.partition("@")
    found = f"{name}+{token.lower()}@{domain}"
    return found if _IN_ADDRESS.search(found) else ""


def claim_in(subject: str, lines: Iterable[str] = ()) -> Claim | None:
    """Return the claim in the ``subject`` of a mail, or else in its first line ``token …``; ``None`` if it has none."""
    found = _IN_SUBJECT.search(subject) or next(filter(None, (_LINE.fullmatch(line.strip()) for line in lines)), None)
    return None if found is None else Claim(found[1], found[2].lower(), found[3].lower())


def tokens_in_addresses(fields: tuple[str, ...], address: str) -> Iterator[str]:
    """Yield the tokens in header ``fields`` with the club's ``address``, such as ``club+TOKEN@example.org``."""
    name, _, domain = address.partition("@")
    form = re.compile(rf"(?<![^\s<,;:]){re.escape(name)}\+([a-z0-9-]{{8,80}})@{re.escape(domain)}(?![\w.-])", re.IGNORECASE)
    for field in fields:
        yield from (found[1].lower() for found in form.finditer(field))


def without_tokens(text: str) -> str:
    """Return ``text`` without anything that may be a token, or the address of a player's page."""
    text = _IN_SUBJECT.sub(lambda found: f"[{found[1]}/{found[2]}]", text)
    return _PAGE.sub("", _LINE.sub("", _IN_ADDRESS.sub("@", text)))


def is_right(claim: Claim, token: str) -> bool:
    """Return whether the ``claim`` has this ``token``, in a time that reveals nothing about it."""
    return hmac.compare_digest(claim.token.encode(), token.lower().encode())


def page_name(secret: bytes, game: str, seat: str, token: str) -> str:
    """Return the name of a player's page, which depends on the club's ``secret`` and on the token: 24 letters and digits.

    With another token, the seat has another page.
    """
    name = _hash_letters(secret, f"page/{game}/{seat}/{token}", _PAGE_RANDOM)
    return name + _hash_letters(secret, f"own page/{name}", _PAGE_LENGTH - _PAGE_RANDOM)


def is_page_name(secret: bytes, name: str) -> bool:
    """Return whether ``name`` is that of a page which the club with this ``secret`` has written, for any player."""
    shown = _hash_letters(secret, f"own page/{name[:_PAGE_RANDOM]}", _PAGE_LENGTH - _PAGE_RANDOM)
    return len(name) == _PAGE_LENGTH and name[_PAGE_RANDOM:] == shown


def _hash_letters(secret: bytes, words: str, count: int) -> str:
    return b32encode(hmac.digest(secret, words.encode(), "sha256")).decode().lower()[:count]
