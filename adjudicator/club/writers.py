"""Recognize the writer of a mail to the club: a member, by their token, or a stranger who asks to join."""

from __future__ import annotations

from collections.abc import Callable

from adjudicator.club.commands import Command, Commands, Games, Join, New, Register, StandIn, Who, commands_in
from adjudicator.club.folder import ClubFolder
from adjudicator.club.identify import seats_of, why_unproven
from adjudicator.club.ledger import Ledger
from adjudicator.club.people import Person, mailbox_of
from adjudicator.club.register import MEMBER, is_reachable
from adjudicator.club.tokens import CLUB, Claim, claim_in, is_right, tokens_in_addresses
from adjudicator.core.values import Value
from adjudicator.files.errors import FileProblem
from adjudicator.mail.envelope import Envelope


class Writer(Value, kw_only=True):
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
    if not settings.people.join or envelope.robot or mailbox_of(address) == mailbox_of(settings.address):
        return None
    in_subject = claim_in(envelope.subject)
    if _is_for_game(in_subject) or any(tokens_in_addresses(envelope.recipients, settings.address)):
        return None
    if not is_reachable(address) or why_unproven(settings.trust.authserv_id, envelope):
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
    return claim is not None and (claim.game, claim.seat) != (CLUB, MEMBER)
