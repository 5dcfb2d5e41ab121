"""Change the address of a member: a letter goes to the old and to the new one, and an answer from the new one confirms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from adjudicator.club.deadlines import moment
from adjudicator.club.folder import GAME_SETTINGS, ClubFolder
from adjudicator.club.identify import seats_of
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import UNPROVEN
from adjudicator.club.limits import DAY
from adjudicator.club.people import Person
from adjudicator.club.register import ADDRESS, JOIN, write_to_member
from adjudicator.club.tokens import new_token
from adjudicator.files.atomic import PRIVATE, write_atomic

_ASKED: Final = """\
A member of {} wants to get their mails at this address.

If it was you, answer this mail and keep its subject. If it was not you, you need
not do anything.
"""
_TOLD: Final = """\
The club got a mail with your token on {}:
it asks for another address. An answer from there confirms it. If it was not you,
please write to the club at once: MESSAGE to moderator: and what has happened.
"""
_ANSWER: Final = "The club writes to the new address, unless another member has it. Please answer that mail from there."


def ask_new_address(club: ClubFolder, ledger: Ledger, person: Person, wanted: str, now: int) -> str:
    """Queue the letters to the old and the new address of ``person``; return the answer.

    The answer does not reveal whether the new address belongs to another member.
    """
    address = wanted.lower()
    if club.settings.trust.token == "address":  # anybody could have sent the mail
        return "In this club, only the moderator can change your address. Please write to them."
    if not ADDRESS.fullmatch(address) or address == club.settings.address.lower():
        return "The club cannot write to this address. Please write it like SET address=ann@example.org."
    who = f"people/{address}"
    if ledger.uses(who, JOIN, now - DAY):
        return _ANSWER
    ledger.record_use(who, JOIN, now)
    if ledger.person_at(address) is None and not seats_of(club, address, []):
        token, key = new_token(), f"address/{person.id}/{address}/{now}"
        rival = ledger.person_moving_to(address)
        if rival is not None:
            ledger.change_person(rival.id, new_address="")
        ledger.change_person(person.id, new_address=address, new_token=token)
        told = _TOLD.format(moment(now, club.settings.time_zone))
        write_to_member(club, ledger, person, f"{key}/old", "another address", told, now)
        there = replace(person, address=address, token=token)
        text = _ASKED.format(club.settings.name)
        write_to_member(club, ledger, there, f"{key}/new", "please confirm this address", text, now, kind=UNPROVEN)
    return _ANSWER


def move(club: ClubFolder, ledger: Ledger, person: Person) -> Person:
    """Give ``person`` the address that they have just confirmed, in their games, too, with a new token; return the person.

    A repeated call completes an interrupted one.
    """
    for game, seat in seats_of(club, person.address, []):
        _replace_address(club, game, seat, person.address, person.new_address)
    ledger.change_person(person.id, address=person.new_address, token=new_token(), new_address="", new_token="")
    return ledger.person(person.id)


def _replace_address(club: ClubFolder, game: str, seat: str, old: str, new: str) -> None:
    import tomlkit

    path = club.path(game, GAME_SETTINGS)
    document: Any = tomlkit.parse(path.read_text("utf-8"))
    section = document["seats"][seat]
    section["addresses"] = [new if str(one).casefold() == old else str(one) for one in section["addresses"]]
    write_atomic(path, tomlkit.dumps(document).encode(), PRIVATE)
    club.forget(game)
