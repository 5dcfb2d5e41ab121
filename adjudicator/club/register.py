"""Recognize members by their token, and ask strangers who want to join the club to answer a letter.

Only an answer with the token registers a person: programs open links, and anyone can forge the sender of a first mail. The
letter is the same for every address, quotes nothing, and does not carry out what the first mail asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from adjudicator.club.commands import Command, Commands, Games, Join, New, Register, StandIn, Who, commands_in
from adjudicator.club.folder import ClubFolder
from adjudicator.club.identify import seats_of, why_unproven
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import UNPROVEN, SeatLetter, write_to_player
from adjudicator.club.limits import DAY
from adjudicator.club.people import Person, name_key
from adjudicator.club.tokens import CLUB, Claim, claim_in, is_right, new_token, tag, token_line, tokens_in_addresses
from adjudicator.core.frozen import frozen
from adjudicator.files.errors import FileProblem
from adjudicator.mail.envelope import Envelope

_MEMBER: Final = "member"
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


@frozen(kw_only=True)
class Writer:
    """The writer of a mail to the club: a ``person`` with their token, or a stranger (``None``) who asks to join.

    ``commands`` and ``lines`` are those of the mail. ``has_moved`` says that it confirms the person's new address.
    """

    person: Person | None
    commands: tuple[Command, ...]
    lines: tuple[str, ...] = ()
    has_moved: bool = False


def writer_of(
    club: ClubFolder, ledger: Ledger, envelope: Envelope, read_lines: Callable[[], tuple[str, ...]]
) -> Writer | None:
    """Return the writer of a mail that is for the club; ``None`` if it is for a game, or for the moderator to judge."""
    settings = club.settings
    address, unread = envelope.address, list[FileProblem]()
    if not settings.people.join or envelope.robot or address == settings.address.lower():
        return None
    in_subject = claim_in(envelope.subject)
    if _is_for_game(in_subject) or any(tokens_in_addresses(envelope.recipients, settings.address)):
        return None
    if not ADDRESS.fullmatch(address) or why_unproven(settings.trust.authserv_id, envelope):
        return None
    lines = read_lines()
    claim = in_subject or claim_in("", lines)
    found, person = commands_in(lines), ledger.person_at(address)
    if claim is not None:
        return None if _is_for_game(claim) else _with_token(ledger, claim, address, found)
    if seats_of(club, address, unread) or unread:  # a player who forgot the token gets the letter about it
        return None
    if person is not None and person.confirmed and settings.trust.token == "address":
        return Writer(person=person, commands=found.commands, lines=found.lines)
    asks = any(isinstance(one, (Games, Join, New, Register, StandIn, Who)) for one in found.commands)
    return Writer(person=None, commands=()) if asks else None


def _with_token(ledger: Ledger, claim: Claim, address: str, found: Commands) -> Writer | None:
    """Return the writer of a mail whose token is that of a member, or confirms the new address of one."""
    person, moving = ledger.person_at(address), ledger.person_moving_to(address)
    if person is not None and is_right(claim, person.token):
        return Writer(person=person, commands=found.commands, lines=found.lines)
    if person is None and moving is not None and is_right(claim, moving.new_token):
        return Writer(person=moving, commands=found.commands, lines=found.lines, has_moved=True)
    return None


def _is_for_game(claim: Claim | None) -> bool:
    return claim is not None and (claim.game, claim.seat) != (CLUB, _MEMBER)


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
    return write_to_player(club, ledger, letter, person.address, now, tag(CLUB, _MEMBER, person.token))


def member_line(person: Person) -> str:
    """Return the line that has the same effect in a mail as the token in its subject."""
    return token_line(CLUB, _MEMBER, person.token)


def confirm(ledger: Ledger, person: Person, now: int, name: str = "") -> Person:
    """Register ``person``, unless they are registered, with a ``name`` if it is free; return them as the ledger has them."""
    if not person.confirmed:
        ledger.confirm_person(person.id, now)
        ledger.name_person(person.id, f"player{person.id}")
        if name and not name_flaw(ledger, person, name):
            ledger.name_person(person.id, name)
    return ledger.person(person.id)


def member_at(ledger: Ledger, addresses: tuple[str, ...], name: str, now: int) -> Person:
    """Return the member with one of these ``addresses`` of a seat, whose token has proven them; register a new one."""
    known = [address.lower() if address.isascii() else address for address in addresses]
    found = [person for person in map(ledger.person_at, known) if person is not None]
    if not found:
        ledger.add_person(known[0], new_token(), now, now - _PATIENCE)
        found = [person for person in [ledger.person_at(known[0])] if person is not None]
    return confirm(ledger, next((person for person in found if person.confirmed), found[0]), now, name)


def name_flaw(ledger: Ledger, person: Person, name: str) -> str:
    """Return why ``person`` cannot have this ``name``; empty if they can."""
    if not _NAME.fullmatch(name) or not name.isprintable():
        return "a name has 1 to 40 letters and digits, and between them blanks and the characters . - '"
    other = ledger.member_named(name)
    is_taken = other is not None and other.id != person.id
    return "another member has this name, or nobody may have it" if is_taken or _TAKEN.fullmatch(name_key(name)) else ""
