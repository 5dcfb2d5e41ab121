"""Keep the people of the club: sign-ups and new addresses, confirmed by an answer; names, settings, consent; their data."""

from __future__ import annotations

from typing import Final

from adjudicator.club2.club import Club, GameRow, Person, SeatRow
from adjudicator.club2.tokens import Claim

import adjudicator as adj
from adjudicator.core.values import Value
from adjudicator.mail.envelope import Envelope

MEMBER: Final = "member"
"""What stands for the seat in the token of a member."""


class Confirmation(Value, kw_only=True):
    """A sign-up (``kind`` register) or a new address (address) of a ``person`` that an answer with the ``token`` confirms."""

    id: int
    kind: str
    person: int | None
    address: str
    token: str
    since: int


def mailbox_of(address: str) -> str:
    """Return what all addresses of a mailbox have in common, at servers that ignore dots and what follows a plus."""
    raise NotImplementedError


def is_reachable(address: str) -> bool:
    """Return whether the club may write to ``address`` although it does not know its owner."""
    raise NotImplementedError


def ask_to_register(club: Club, envelope: Envelope) -> str:
    """Queue the letter that asks the sender of a mail to register, within the limits; return what the club did."""
    raise NotImplementedError


def confirmation_of(club: Club, address: str, claim: Claim) -> Confirmation | None:
    """Return what a mail from ``address`` with this ``claim`` confirms: a sign-up or a new address; ``None`` for nothing."""
    raise NotImplementedError


def register(club: Club, answered: Confirmation, name: str = "") -> Person:
    """Make the person who ``answered`` a member, with a ``name`` if it is free."""
    raise NotImplementedError


def ask_new_address(club: Club, person: Person, wanted: str) -> str:
    """Queue the letters to the old and the new address of ``person``; return the answer.

    The answer does not reveal whether the new address belongs to another member.
    """
    raise NotImplementedError


def move(club: Club, answered: Confirmation) -> Person:
    """Give the person who ``answered`` the new address, with a new token; return them."""
    raise NotImplementedError


def member_of(club: Club, seat: SeatRow) -> Person:
    """Return the player of ``seat``, whose token has proven them, as a member: they join if they have not."""
    raise NotImplementedError


def members(club: Club) -> list[Person]:
    """Return the members by name."""
    raise NotImplementedError


def name_flaw(club: Club, person: Person, name: str) -> str:
    """Return why ``person`` cannot have this ``name``; empty if they can."""
    raise NotImplementedError


def rename(club: Club, person: Person, name: str) -> None:
    """Give ``person`` a ``name`` that is free."""
    raise NotImplementedError


def prefer(club: Club, person: Person, **prefs: str) -> None:
    """Change settings of ``person``: format, language, public, standin."""
    raise NotImplementedError


def change_setting(club: Club, person: Person, name: str, value: str) -> str:
    """Change a setting of ``person``, such as their name; return the answer."""
    raise NotImplementedError


def show_member(club: Club, name: str) -> str:
    """Return the member called ``name``, their games, and their standing with each game that counts."""
    raise NotImplementedError


def agrees(club: Club, seat: SeatRow) -> bool:
    """Return whether public pages may name the player of ``seat``."""
    raise NotImplementedError


def ask_stand_ins(club: Club, row: GameRow, game: adj.Game) -> None:
    """Queue a letter about each seat that has just lost its player to all who stand in, and raise a matter."""
    raise NotImplementedError


def forget(club: Club, address: str) -> str:
    """Delete the data of the person who writes from ``address``; return what was done, and what remains.

    The seats of this person must have other players. Raises ``ClubError``, ``CannotWrite``.
    """
    raise NotImplementedError
