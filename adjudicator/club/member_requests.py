"""Answer the mails of members: carry out their commands, and write what the club has done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.club.commands import (
    Command,
    Games,
    Help,
    Holiday,
    Join,
    Leave,
    MemberCommand,
    Message,
    New,
    Register,
    RulesRequest,
    Set,
    StandIn,
    Unclear,
    Who,
)
from adjudicator.club.deadlines import holiday_span
from adjudicator.club.folder import ClubFolder
from adjudicator.club.holidays import names_of, note_holiday
from adjudicator.club.join_game import ask_for_seat, ask_moderator, propose
from adjudicator.club.ledger import Ledger, MailState
from adjudicator.club.limits import Quota, RequestKind
from adjudicator.club.member_commands import change_setting, join_list, leave_lists, show_member, welcome_text
from adjudicator.club.muster import confirm_places
from adjudicator.club.new_address import move
from adjudicator.club.offers import games_text
from adjudicator.club.people import Person
from adjudicator.club.register import ask_to_register, confirm, write_to_member
from adjudicator.club.replies import help_for_members, reply_to_holiday
from adjudicator.club.tokens import CLUB
from adjudicator.club.writers import Writer
from adjudicator.core.values import MODERATOR, Seat
from adjudicator.mail.envelope import Envelope
from adjudicator.reports.sanitize import printable

_LONGEST: Final = 5_000
"""The most characters of a message to the moderator."""
_LAST: Final = "This is the last answer to you today. Please write again tomorrow."
_NOTHING: Final = "Your mail has no command of this club."


def answer_writer(club: ClubFolder, ledger: Ledger, number: int, writer: Writer, envelope: Envelope, now: int) -> str:
    """Answer the mail ``number`` to the club, and settle it; return what the club has done, for the log."""
    if writer.person is None:
        done = ask_to_register(club, ledger, envelope, now)
        ledger.settle(number, MailState.PASSED_OVER, why=done)
        return f"a mail from {envelope.address}: {done}"
    name = _answer_member(club, ledger, writer.person, writer, envelope, now)
    ledger.settle(number, MailState.ANSWERED)
    return f"the mail of {name} from {envelope.address} was answered"


def _answer_member(club: ClubFolder, ledger: Ledger, before: Person, writer: Writer, envelope: Envelope, now: int) -> str:
    """Register the member, carry out the commands, and queue the answer; return the name of the member."""
    quota = _quota(club, ledger, before, now)
    wanted = next((one.name for one in writer.commands if isinstance(one, Register)), "")
    if writer.has_moved:
        before = move(club, ledger, before)
    person, is_new = confirm(club, ledger, before, now, wanted), not before.confirmed
    if is_new:
        write_to_member(club, ledger, person, f"member/{person.id}", "welcome", welcome_text(club, ledger, person), now)
    texts = [f"The club now writes to {envelope.address}."] if writer.has_moved else []
    texts += list(confirm_places(club, ledger, person, envelope.references, now))
    commands = [one for one in writer.commands if not (is_new and isinstance(one, Register) and one.name == person.name)]
    for number, command in enumerate(commands):
        key = f"message/{envelope.identity}/{number}"
        texts.append(quota.refusal(command) or carry_out(club, ledger, person, command, quota, key, now))
    if not texts and not is_new and not quota.is_repeated(writer.lines, is_remark=True):
        texts = [_NOTHING, help_for_members(club)]
    if texts and quota.take(RequestKind.RECEIPTS):
        texts += [] if quota.left(RequestKind.RECEIPTS) else [_LAST]
        _answer(club, ledger, person, texts, envelope.identity, envelope.references, now)
    quota.record()
    return person.name


def _quota(club: ClubFolder, ledger: Ledger, person: Person, now: int) -> Quota:
    away = names_of(club, ledger, person.address)
    return Quota(club.settings.limits, ledger, CLUB, Seat(str(person.id)), now, away)


def answer_seat(
    club: ClubFolder,
    ledger: Ledger,
    person: Person,
    commands: Sequence[MemberCommand],
    identity: str,
    references: tuple[str, ...],
    now: int,
) -> None:
    """Carry out the ``commands`` for members that ``person`` wrote in a mail of a seat, and queue the answer."""
    quota = _quota(club, ledger, person, now)
    texts = [carry_out(club, ledger, person, command, quota, identity, now) for command in commands]
    _answer(club, ledger, person, texts, identity, references, now)


def _answer(
    club: ClubFolder,
    ledger: Ledger,
    person: Person,
    texts: Sequence[str],
    identity: str,
    references: tuple[str, ...],
    now: int,
) -> None:
    text = "\n\n".join(texts) + "\n"
    write_to_member(club, ledger, person, f"answer/{identity}", "your mail was read", text, now, references)


def carry_out(club: ClubFolder, ledger: Ledger, person: Person, command: Command, quota: Quota, key: str, now: int) -> str:
    """Carry out a ``command`` of a member, with the same result if it is repeated under its ``key``; return the answer.

    ``quota`` counts the days of holidays.
    """
    match command:
        case Games():
            return games_text(club, ledger, person)
        case Join(wanted=wanted, seat=seat):
            return join_list(club, ledger, person, wanted, seat, now)
        case StandIn(game=game):
            return ask_for_seat(club, ledger, person, game, "", now)
        case Leave(wanted=wanted):
            return leave_lists(ledger, person, wanted)
        case Who(name=name):
            return show_member(club, ledger, name)
        case New():
            return propose(club, ledger, person, command, now)
        case Register(name=name):
            return change_setting(club, ledger, person, "name", name, now)
        case Set(name=name, value=value):
            return change_setting(club, ledger, person, name, value, now)
        case Holiday(first=first, last=last):
            reply = reply_to_holiday(club, command, quota, now)
            if reply.is_done:
                note_holiday(club, ledger, person, holiday_span(first, last, club.settings.time_zone))
            return reply.text
        case Message(to=to, text=text, is_anonymous=False) if to == (MODERATOR,) and text:
            ask_moderator(club, ledger, key, "", f"{person.name} ({person.address}) writes:\n\n{text[:_LONGEST]}", now)
            return "The moderator gets your message."
        case RulesRequest(wanted=""):
            return club.house_rules() or "This club has no house rules. For the rules of a game, answer a mail of that game."
        case Help():
            return help_for_members(club)
        case Unclear(line=line, hint=hint):
            return printable(f"The club cannot read “{line[:80]}”. Please {hint}.")
        case _:
            word = type(command).__name__.removesuffix("Request").upper()
            return f"{word} is for one game. Please answer a mail of that game."
