"""The token of a seat: a secret in the subject of every mail that its player gets, and so of every answer."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.core.frozen import frozen

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that are mistaken for others."""
_LENGTH: Final = 16
_IN_SUBJECT: Final = re.compile(r"\[([A-Za-z0-9][A-Za-z0-9._-]{0,79})/([a-z][a-z0-9_]{0,23})#([a-z0-9-]{8,80})\]")
_LINE: Final = re.compile(
    r"token\s++([A-Za-z0-9][A-Za-z0-9._-]{0,79})/([a-z][a-z0-9_]{0,23})#([a-z0-9-]{8,80})", re.IGNORECASE
)
_IN_ADDRESS: Final = re.compile(r"\+[a-z0-9-]{8,80}@", re.IGNORECASE)


@frozen
class Claim:
    """What a mail claims: that it is for a ``game``, from a ``seat``, whose ``token`` it has."""

    game: str
    seat: str
    token: str

    def __repr__(self) -> str:
        """Return what may stand in a message: all but the token."""
        return f"Claim({self.game}/{self.seat})"


def new_token() -> str:
    """Return a token that nobody can guess: 16 letters and digits, about 79 bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def tag(game: str, seat: str, token: str) -> str:
    """Return what the subject of a mail begins with, and of every answer to it."""
    return f"[{game}/{seat}#{token}]"


def token_line(game: str, seat: str, token: str) -> str:
    """Return the line of a mail that has the same effect as the tag in its subject."""
    return f"token {game}/{seat}#{token}"


def address_with(token: str, address: str) -> str:
    """Return the club's ``address`` with a ``token`` in it, empty if this token cannot be part of an address."""
    name, _, domain = address.partition("@")
    found = f"{name}+{token.lower()}@{domain}"
    return found if _IN_ADDRESS.search(found) else ""


def claim_in(subject: str, lines: Iterable[str] = ()) -> Claim | None:
    """Return what a mail claims in its ``subject``, or on a line ``token …`` of its own; ``None`` if it claims nothing.

    The ``lines`` are read only if the subject claims nothing, and only up to the first claim.
    """
    found = _IN_SUBJECT.search(subject) or next(filter(None, (_LINE.fullmatch(line.strip()) for line in lines)), None)
    return None if found is None else Claim(found[1], found[2].lower(), found[3].lower())


def tokens_in_addresses(fields: tuple[str, ...], address: str) -> Iterator[str]:
    """Yield the tokens that ``fields`` carry in the club's ``address``, as in ``club+TOKEN@example.org``."""
    name, _, domain = address.partition("@")
    form = re.compile(rf"(?<![^\s<,;:]){re.escape(name)}\+([a-z0-9-]{{8,80}})@{re.escape(domain)}(?![\w.-])", re.IGNORECASE)
    for field in fields:
        yield from (found[1].lower() for found in form.finditer(field))


def without_tokens(text: str) -> str:
    """Return ``text``, written by whoever it was, without anything that may be a token."""
    text = _IN_SUBJECT.sub(lambda found: f"[{found[1]}/{found[2]}]", text)
    return _LINE.sub("", _IN_ADDRESS.sub("@", text))


def is_right(claim: Claim, token: str) -> bool:
    """Return whether the ``claim`` has this ``token``; how long that takes tells nothing of it."""
    return hmac.compare_digest(claim.token.encode(), token.lower().encode())
