"""Answer the mails of members: carry out their commands, and write what the club has done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
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
    Set,
    StandIn,
    Unclear,
    Who,
)
from adjudicator.club.deadlines import holiday_span
from adjudicator.club.folder import ClubFolder
from adjudicator.club.join_game import ask_for_seat, ask_moderator, propose
from adjudicator.club.ledger import Ledger, MailState
from adjudicator.club.limits import Quota, RequestKind
from adjudicator.club.muster import confirm_places
from adjudicator.club.new_address import ask_new_address, move
from adjudicator.club.offers import games_of, games_text, unknown
from adjudicator.club.people import Person
from adjudicator.club.register import Writer, ask_to_register, confirm, member_line, name_flaw, write_to_member
from adjudicator.club.replies import help_for_members, reply_to_holiday
from adjudicator.club.tokens import CLUB
from adjudicator.club.waiting_lists import Place
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.mail.envelope import Envelope
from adjudicator.reports.text.sanitize import printable

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})?")
_MOST_RULES: Final = 20_000
"""The most characters of the house rules in a letter."""
_LONGEST: Final = 5_000
"""The most characters of a message to the moderator."""
_LAST: Final = "This is the last answer to you today. Please write again tomorrow."
_NOTHING: Final = "Your mail has no command of this club."
_WELCOME: Final = """\
Welcome to {club}! You are now a member. Your name here is {name}.

{games}

{help}

Answer any mail of the club and keep its subject, or begin a new mail with this
line. The token in it is your secret:

    {line}

To leave the club, write LEAVE on a line, and on another one:
“MESSAGE to moderator: please delete my data”, without the quotes.
"""


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
    quota = Quota(club.settings.limits, ledger, CLUB, Seat(str(before.id)), now)
    wanted = next((one.name for one in writer.commands if isinstance(one, Register)), "")
    if writer.has_moved:
        before = move(club, ledger, before)
    person, is_new = confirm(ledger, before, now, wanted), not before.confirmed
    if is_new:
        write_to_member(club, ledger, person, f"member/{person.id}", "welcome", _welcome(club, ledger, person), now)
    texts = [f"The club now writes to {envelope.address}."] if writer.has_moved else []
    texts += list(confirm_places(club, ledger, person, envelope.references, now))
    commands = [one for one in writer.commands if not (is_new and isinstance(one, Register) and one.name == person.name)]
    for number, command in enumerate(commands):
        key = f"message/{envelope.identity}/{number}"
        texts.append(quota.refusal(command) or carry_out(club, ledger, person, command, key, now))
    if not texts and not is_new and not quota.is_repeated(writer.lines):
        texts = [_NOTHING, help_for_members(club)]
    if texts and quota.take(RequestKind.RECEIPTS):
        texts += [] if quota.left(RequestKind.RECEIPTS) else [_LAST]
        _answer(club, ledger, person, texts, envelope.identity, envelope.references, now)
    quota.record()
    return person.name


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
    texts = [carry_out(club, ledger, person, command, identity, now) for command in commands]
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


def carry_out(club: ClubFolder, ledger: Ledger, person: Person, command: Command, key: str, now: int) -> str:
    """Carry out a ``command`` of a member, with the same result if it is repeated under its ``key``; return the answer."""
    match command:
        case Games():
            return games_text(club, ledger, person)
        case Join(wanted=wanted, seat=seat):
            return _join(club, ledger, person, wanted, seat, now)
        case StandIn(game=game):
            return ask_for_seat(club, ledger, person, game, "", now)
        case Leave(wanted=wanted):
            return _leave(ledger, person, wanted)
        case Who(name=name):
            return _who(club, ledger, name)
        case New():
            return propose(club, ledger, person, command, now)
        case Register(name=name):
            return _set(ledger, person, "name", name)
        case Set(name=name, value=value):
            is_address = name == "address"
            return ask_new_address(club, ledger, person, value, now) if is_address else _set(ledger, person, name, value)
        case Holiday(first=first, last=last):
            reply = reply_to_holiday(club, command, now)
            if reply.is_done:
                begin, end = holiday_span(first, last, club.settings.time_zone)
                ledger.add_holiday(CLUB, str(person.id), begin, end)
            return reply.text
        case Message(to=to, text=text) if to == MODERATOR and text:
            ask_moderator(club, ledger, key, "", f"{person.name} ({person.address}) writes:\n\n{text[:_LONGEST]}", now)
            return "The moderator gets your message."
        case Help():
            return help_for_members(club)
        case Unclear(line=line, hint=hint):
            return printable(f"The club cannot read “{line[:80]}”. Please {hint}.")
        case _:
            word = type(command).__name__.removesuffix("Request").upper()
            return f"{word} is for one game. Please answer a mail of that game."


def _welcome(club: ClubFolder, ledger: Ledger, person: Person) -> str:
    text = _WELCOME.format(
        club=club.settings.name,
        name=person.name,
        games=games_text(club, ledger, person),
        help=help_for_members(club),
        line=member_line(person),
    )
    rules = _house_rules(club)
    return f"{text}\nThe rules of this club\n\n{rules}\n" if rules else text


def _house_rules(club: ClubFolder) -> str:
    """Return the house rules; empty if there are none, or their file cannot be read."""
    name = club.settings.people.rules
    try:
        return (club.folder / name).read_text("utf-8", "replace")[:_MOST_RULES].strip() if name else ""
    except OSError:
        return ""


def _join(club: ClubFolder, ledger: Ledger, person: Person, wanted: str, seat: str, now: int) -> str:
    if not wanted:
        return f"Please write JOIN with the name of a game.\n\n{games_text(club, ledger, person)}"
    one = next((one for one in ledger.open_lists() if one.ruleset == wanted.lower()), None)
    if one is not None and seat:
        return f"Players on a list cannot choose their seats. Please write JOIN {one.ruleset}."
    if one is None:
        if wanted in club.games:
            return ask_for_seat(club, ledger, person, wanted, seat, now)
        return unknown(wanted, [*(one.ruleset for one in ledger.open_lists()), *club.games])
    own = next((place for place in ledger.places(one.id) if place.person == person.id), None)
    if own is not None and own.asked:
        ledger.set_place(replace(own, confirmed=own.confirmed or now))
        return f"You have confirmed your place in the next game of {one.ruleset}. It begins when all have confirmed."
    if own is None:
        ledger.set_place(Place(list=one.id, person=person.id, joined=now, asked=0, confirmed=0))
    taken = len(ledger.places(one.id))
    return (
        f"You are on the list for the next game of {one.ruleset}: {taken} of {one.players} places are taken."
        f" When it is full, you get a mail to confirm your place. LEAVE {one.ruleset} gives it up."
    )


def _leave(ledger: Ledger, person: Person, wanted: str) -> str:
    lists = [one for place in ledger.places_of(person.id) if (one := ledger.waiting_list(place.list)) is not None]
    own = [one for one in lists if not wanted or one.ruleset == wanted.lower()]
    if not own:
        words = f"You have no place on a list for {wanted}." if wanted else "You have no place on a list."
        return f"{words} To give up your seat in a game, answer a mail of that game and write RESIGN."
    for one in own:
        ledger.leave_list(one.id, person.id)
    return f"You have given up your place: {', '.join(one.ruleset for one in own)}."


def _who(club: ClubFolder, ledger: Ledger, name: str) -> str:
    found = ledger.member_named(name)
    if found is None:
        return unknown(name, [one.name for one in ledger.members()], "member")
    running, over = games_of(club, ledger, found)
    return "\n".join([found.name, f"  plays     {', '.join(running) or '–'}", f"  finished  {', '.join(over) or '–'}"])


def _set(ledger: Ledger, person: Person, name: str, value: str) -> str:
    value = value.strip()
    match name:
        case "name":
            flaw = name_flaw(ledger, person, value)
            if flaw:
                return f"The club has not changed your name: {flaw}."
            ledger.name_person(person.id, value)
            return f"Your name in new games is {value}."
        case "format" if value.lower() in ("html", "text"):
            ledger.set_format(person.id, value.lower())
            return f"You get your next mails as {'pages and text' if value.lower() == 'html' else 'text only'}."
        case "standin" if value.lower() in ("yes", "no"):
            is_stand_in = value.lower() == "yes"
            ledger.set_stand_in(person.id, is_stand_in=is_stand_in)
            return f"The club {'now asks you' if is_stand_in else 'no longer asks you'} when a seat has no player."
        case "language" if _LANGUAGE.fullmatch(value.lower()):
            ledger.set_language(person.id, value.lower())
            return f"In new games that know the language “{value.lower()}”, you can write orders in it, besides English."
        case _:
            return "HELP shows what you can write after SET."
