"""Register people who join the club: ask them to answer a letter, and give them their name.

Only an answer with the token registers a person: programs open links, and anyone can forge the sender of a first mail. The
letter is the same for every address, quotes nothing, and does not carry out what the first mail asks for.
"""

from __future__ import annotations

import re
from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import UNPROVEN, SeatLetter, write_to_player
from adjudicator.club.limits import DAY
from adjudicator.club.people import Person, name_key
from adjudicator.club.tokens import CLUB, new_token, tag, token_line
from adjudicator.mail.envelope import Envelope

MEMBER: Final = "member"
JOIN: Final = "join"
_PATIENCE: Final = 14 * DAY
"""The time after which the club forgets an address that was never confirmed, in seconds."""
ADDRESS: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{4,180}\Z)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
"""An address to which the club writes although it does not know its owner."""
_NAME: Final = re.compile(r"[^\W_](?:[\w.' -]{0,38}[\w.])?")
_TAKEN: Final = re.compile(r"player ?\d*|moderator|all|a simulated player|club", re.IGNORECASE)
_ASKED: Final = """\
Somebody asked to join {club} with a mail from your address.

If it was you, answer this mail and keep its subject. Then you are a member, and
you get a list of the games. Write your name on the first line of your answer,
for example: REGISTER Ann

If it was not you, you need not do anything. Your address is not registered.
"""


def ask_to_register(club: ClubFolder, ledger: Ledger, envelope: Envelope, now: int) -> str:
    """Queue the letter that asks the sender of a mail to register, within the limits; return what the club did."""
    rules, address = club.settings.people, envelope.address
    limits = {f"people/{address}": 1, f"path/{envelope.path}": rules.most_on_path, CLUB: rules.most}
    if any(ledger.uses(who, JOIN, now - DAY) >= most for who, most in limits.items()):
        if ledger.uses(CLUB, JOIN, now - DAY) >= rules.most:
            words = f"more than {rules.most} people asked to join within 24 hours: the club does not answer the others"
            ledger.raise_matter(f"people/{now // DAY}", "", now, words)
        return "the club has written to this address, or to many others, within 24 hours"
    for who in limits:
        ledger.record_use(who, JOIN, now)
    ledger.add_person(address, new_token(), now, now - _PATIENCE)
    person = ledger.person_at(address)
    if person is not None:
        text = _ASKED.format(club=club.settings.name)
        key = f"register/{envelope.identity}"
        write_to_member(club, ledger, person, key, "please answer to register", text, now, kind=UNPROVEN)
    return "the club asks for an answer to register"


def write_to_member(
    club: ClubFolder,
    ledger: Ledger,
    person: Person,
    key: str,
    subject: str,
    text: str,
    now: int,
    references: tuple[str, ...] = (),
    kind: str = "membership",
) -> bool:
    """Queue a letter to ``person`` with their token in its subject; return whether it is new."""
    letter = SeatLetter(key=key, kind=kind, game="", seat="", subject=subject, text=text, references=references)
    return write_to_player(club, ledger, letter, person.address, now, tag(CLUB, MEMBER, person.token))


def member_line(person: Person) -> str:
    """Return the line that has the same effect in a mail as the token in its subject."""
    return token_line(CLUB, MEMBER, person.token)


def confirm(ledger: Ledger, person: Person, now: int, name: str = "") -> Person:
    """Register ``person``, unless they are registered, with a ``name`` if it is free; return them as the ledger has them."""
    if not person.confirmed:
        is_free = bool(name) and not name_flaw(ledger, person, name)
        ledger.change_person(person.id, confirmed=now)
        rename(ledger, person, name if is_free else f"player{person.id}")
    return ledger.person(person.id)


def member_at(ledger: Ledger, addresses: tuple[str, ...], name: str, now: int) -> Person:
    """Return the member with one of these ``addresses`` of a seat, whose token has proven them; register a new one."""
    known = [address.lower() if address.isascii() else address for address in addresses]
    found = [person for person in map(ledger.person_at, known) if person is not None]
    if not found:
        ledger.add_person(known[0], new_token(), now, now - _PATIENCE)
        found = [person for person in [ledger.person_at(known[0])] if person is not None]
    return confirm(ledger, next((person for person in found if person.confirmed), found[0]), now, name)


def rename(ledger: Ledger, person: Person, name: str) -> None:
    """Give ``person`` a ``name`` that is free."""
    ledger.change_person(person.id, name=name, name_key=name_key(name))


def name_flaw(ledger: Ledger, person: Person, name: str) -> str:
    """Return why ``person`` cannot have this ``name``; empty if they can."""
    if not _NAME.fullmatch(name) or not name.isprintable():
        return "a name has 1 to 40 letters and digits, and between them blanks and the characters . - '"
    other = ledger.member_named(name)
    is_taken = other is not None and other.id != person.id
    return "another member has this name, or nobody may have it" if is_taken or _TAKEN.fullmatch(name_key(name)) else ""
