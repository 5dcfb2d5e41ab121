"""Change the address of a member: a letter goes to the old and to the new one, and an answer from the new one confirms."""

from __future__ import annotations

from typing import Final

from adjudicator.club.addresses import move_address
from adjudicator.club.folder import ClubFolder
from adjudicator.club.identify import seats_of
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import UNPROVEN
from adjudicator.club.people import Person, mailbox_of
from adjudicator.club.register import is_reachable, may_write, write_to_member
from adjudicator.club.tokens import new_token
from adjudicator.core.values import replace
from adjudicator.mail.envelope import plain_address

_ASKED: Final = """\
A member of {} wants to get their mails at this address.

If it was you, answer this mail and keep its subject. If it was not you, you need
not do anything.
"""
_TOLD: Final = """\
On {}, the club got a mail with your token
that asks for another address. An answer from the new address confirms it.

If you did not send it, answer this mail at once. Write `MESSAGE to moderator:`
and, below it, what happened.
"""
_ANSWER: Final = (
    "The club writes to the new address, unless another member has it, or it got such a mail within 24 hours."
    " Please answer that mail from there."
)


def ask_new_address(club: ClubFolder, ledger: Ledger, person: Person, wanted: str, now: int) -> str:
    """Queue the letters to the old and the new address of ``person``; return the answer.

    The answer does not reveal whether the new address belongs to another member.
    """
    address = plain_address(wanted).lower()
    if club.settings.trust.token == "address":  # anybody could have sent the mail
        return "In this club, only the moderator can change your address. Please write to them."
    if not is_reachable(address) or mailbox_of(address) == mailbox_of(club.settings.address):
        return "The club cannot write to this address. Please write it like SET address=ann@example.org."
    if not may_write(club, ledger, address, f"member {person.id}", now):
        return _ANSWER
    if ledger.person_at(address) is None and not seats_of(club, address, []):
        token, key = new_token(), f"address/{person.id}/{address}/{now}"
        rival = ledger.person_moving_to(address)
        if rival is not None:
            ledger.change_person(rival.id, new_address="")
        ledger.change_person(person.id, new_address=address, new_token=token)
        told = _TOLD.format(club.moment(now))
        write_to_member(club, ledger, person, f"{key}/old", "another address", told, now)
        there = replace(person, address=address, token=token)
        text = _ASKED.format(club.settings.name)
        write_to_member(club, ledger, there, f"{key}/new", "please confirm this address", text, now, kind=UNPROVEN)
    return _ANSWER


def move(club: ClubFolder, ledger: Ledger, person: Person) -> Person:
    """Give ``person`` the address that they have just confirmed, in their games, too, with a new token; return the person.

    A repeated call completes an interrupted one.
    """
    move_address(club, person.address, person.new_address)
    ledger.change_person(person.id, address=person.new_address, token=new_token(), new_address="", new_token="")
    return ledger.person(person.id)
