"""Register people who join the club: ask them to answer a letter, and give them their name.

Only an answer with the token registers a person: programs open links, and anyone can forge the sender of a first mail. The
letter is the same for every address, quotes nothing, and does not carry out what the first mail asks for.
"""

from __future__ import annotations

from typing import Final

from adjudicator.club.failures import contain
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import UNPROVEN, SeatLetter, write_to_player
from adjudicator.club.limits import DAY
from adjudicator.club.names import name_flaw, name_key
from adjudicator.club.people import Person, mailbox_of
from adjudicator.club.tokens import CLUB, new_token, tag, token_line
from adjudicator.mail.envelope import Envelope, address_flaw

MEMBER: Final = "member"
JOIN: Final = "join"
_PATIENCE: Final = 14 * DAY
"""The time after which the club forgets an address that was never confirmed, in seconds."""
_ASKED: Final = """\
Somebody asked to join {club} with a mail from your address.

If it was you, answer this mail and keep its subject. Then you are a member, and
you get a list of the games. Write your name on the first line of your answer,
for example: REGISTER Ann

If it was not you, you need not do anything. Your address is not registered.
"""


def is_reachable(address: str) -> bool:
    """Return whether the club may write to ``address`` although it does not know its owner."""
    return not address_flaw(address) and "." in address.partition("@")[2]


def ask_to_register(club: ClubFolder, ledger: Ledger, envelope: Envelope, now: int) -> str:
    """Queue the letter that asks the sender of a mail to register, within the limits; return what the club did."""
    address = envelope.address
    if not may_write(club, ledger, address, envelope.path, now):
        return "the club has written to this address, or to many others, within 24 hours"
    ledger.add_person(address, new_token(), now, now - _PATIENCE)
    person = ledger.person_at(address)
    if person is not None:
        text = _ASKED.format(club=club.settings.name)
        key = f"register/{envelope.identity}"
        write_to_member(club, ledger, person, key, "please answer to register", text, now, kind=UNPROVEN)
    return "the club asks for an answer to register"


def may_write(club: ClubFolder, ledger: Ledger, address: str, path: str, now: int) -> bool:
    """Count a letter to an ``address`` that anybody may have named; return whether the limits allow it.

    ``path`` is that of the mail, or names the member who asks for the letter.
    """
    rules = club.settings.people
    limits = {f"people/{mailbox_of(address)}": 1, f"path/{path}": rules.most_on_path, CLUB: rules.most}
    is_too_many = ledger.uses(CLUB, JOIN, now - DAY) >= rules.most
    if is_too_many or any(ledger.uses(who, JOIN, now - DAY) >= most for who, most in limits.items()):
        if is_too_many:
            words = (
                f"{rules.most} strangers got a mail within 24 hours: the club does not write to more (`most` in [people])"
            )
            ledger.raise_matter(f"people/{now // DAY}", "", now, words)
        return False
    for who in limits:
        ledger.record_use(who, JOIN, now)
    return True


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


def confirm(club: ClubFolder, ledger: Ledger, person: Person, now: int, name: str = "") -> Person:
    """Register ``person``, unless they are registered, with a ``name`` if it is free; return them as the ledger has them."""
    if not person.confirmed:
        is_free = bool(name) and not flaw_of_name(club, ledger, person, name)
        ledger.change_person(person.id, confirmed=now)
        rename(ledger, person, name if is_free else f"player{person.id}")
    return ledger.person(person.id)


def member_at(club: ClubFolder, ledger: Ledger, addresses: tuple[str, ...], name: str, now: int) -> Person:
    """Return the member with one of these ``addresses`` of a seat, whose token has proven them; register a new one."""
    known = [address.lower() if address.isascii() else address for address in addresses]
    found = [person for person in map(ledger.person_at, known) if person is not None]
    if not found:
        ledger.add_person(known[0], new_token(), now, now - _PATIENCE)
        found = [person for person in [ledger.person_at(known[0])] if person is not None]
    return confirm(club, ledger, next((person for person in found if person.confirmed), found[0]), now, name)


def rename(ledger: Ledger, person: Person, name: str) -> None:
    """Give ``person`` a ``name`` that is free."""
    ledger.change_person(person.id, name=name, name_key=name_key(name))


def flaw_of_name(club: ClubFolder, ledger: Ledger, person: Person, name: str) -> str:
    """Return why ``person`` cannot have this ``name``; empty if they can.

    Others have the names of the club, its members, and the seats and players of its games. Whoever plays red can be Red.
    """
    others = [club.settings.name, *(one.name for one in ledger.members() if one.id != person.id)]
    own = set[str]()
    for game in club.games:
        with contain(lambda _failure: None):  # the club reports unreadable settings when it looks at the game
            for seat, one in club.settings_of(game).seats.items():
                if person.address in map(str.casefold, one.addresses):
                    own.add(seat)
                else:
                    others += filter(None, (seat, one.name))
    return name_flaw(name, [one for one in others if one not in own], own)
