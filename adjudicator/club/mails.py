"""The mails of the club: the states of a mail, and the steps in which each is answered, in the order of arrival.

A mail on which the program fails is held with its cause, and the others go on. After another failure, it keeps its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from adjudicator.club import requests  # noqa: F401 - it fills the table of commands
from adjudicator.club.clock import LONGEST_GAP
from adjudicator.club.club import Club, MailRow
from adjudicator.club.commands import Ask, Quota, carry_out, help_text, read
from adjudicator.club.counting import read_orders
from adjudicator.club.db import Failure, Kind, contain
from adjudicator.club.identify import Writer, ask_for_token, identify
from adjudicator.club.letters import write
from adjudicator.club.lists import confirm_by, welcome_member
from adjudicator.club.matters import DAY, game_failed, raise_matter
from adjudicator.club.people import ask_to_register, member_of, register
from adjudicator.club.people import move as move_person
from adjudicator.club.post import note_bounce
from adjudicator.club.receipts import answer
from adjudicator.core.values import MODERATOR, Seat, Value, digest, replace
from adjudicator.mail import MOST_TEXT, MailError, mail_hash
from adjudicator.mail.envelope import Envelope, envelope_of
from adjudicator.mail.mailbox import NewMail
from adjudicator.mail.message import lean, read_mail

MOVES: Final = {
    "new": frozenset({"ignored", "held", "answered", "waiting"}),
    "held": frozenset({"new", "ignored"}),
    "waiting": frozenset({"taken", "answered", "ignored"}),
}
"""The states to which a mail can go from each state.

* new: it came, or the moderator has accepted it; it keeps its place while its game cannot be opened.
* ignored: a program or a stranger wrote it, or the moderator has settled it. held: the moderator must decide, see ``why``.
* answered: it has no orders for this turn or a later one. waiting: it has, or a mistake where some may be meant.
* taken: the game has its receipt. A waiting mail whose turn is over without one, or whose seat has another player, is
  answered.
"""
_LONGEST_ADDRESS: Final = 200
_LAST: Final = "This is the last answer to you today. Please write again tomorrow."
_NOTHING: Final = "Your mail has no command of this club."


class Backlog(Value, kw_only=True):
    """The numbers of the ``games`` with mails that stay new (0: mails of no game), and why (``troubles``).

    ``done`` has a line for each mail that the club handled.
    """

    games: frozenset[int]
    troubles: tuple[str, ...]
    done: tuple[str, ...] = ()


@dataclass
class _Progress:
    """How far the steps of a mail have come, and the games that are ``stuck``: their mails keep their order."""

    stuck: set[int] = field(default_factory=set)
    writer: Writer = field(default_factory=lambda: Writer(kind="doubt"))
    is_opening: bool = False


def move(club: Club, mail: MailRow, state: str, **columns: Any) -> None:
    """Give ``mail`` another ``state`` and other values in ``columns``. Raises ``ValueError`` if `MOVES` lacks it."""
    if state not in MOVES.get(mail.state, ()):
        raise ValueError(f"a mail that is {mail.state} cannot become {state}")
    club.db.update("mails", mail.id, state=state, **columns)


def keep(club: Club, found: NewMail) -> bool:
    """Store a mail in the ledger; return whether it is new and not a copy of a stored one.

    A large mail is stored without its attachments. If the clock went back since the sender's last mail, this one counts as
    received at the same time, after it.
    """
    address, identity, data = "", digest(found.data), found.data[:MOST_TEXT]
    with contain(lambda _failure: None):  # the club reports a failure when it answers the mail
        envelope = envelope_of(found.data)
        address, identity = envelope.address[:_LONGEST_ADDRESS], envelope.identity
        data = data if envelope.robot else lean(found.data)  # a report of a mail server has the letter as an attachment
    query = "select max(received) from mails where address = ? and received > ? and received <= ?"
    with club.db.transaction():
        latest = club.db.value(query, address, club.now, club.now + LONGEST_GAP) or 0
        number = club.db.insert(
            "mails",
            unless="identity",
            identity=identity,
            hash=mail_hash(found.data),
            received=max(found.received, latest),
            fetched=club.now,
            address=address,
            data=data,
        )
    return bool(number)


def answer_all(club: Club) -> Backlog:
    """Answer every new mail; return which of them stay new, and why."""
    at, troubles, done = _Progress(), list[str](), list[str]()

    def fail(failure: Failure) -> None:
        row = at.writer.game
        troubles.append(f"{row.name if row else 'mail'}: {failure.cause}")
        if failure.kind is Kind.FAULT and not at.is_opening:
            _hold_failed(club, mail, at.writer, failure)
        else:
            at.stuck.add(row.id if row else 0)
            if row is not None:
                game_failed(club, row, failure)

    for number in club.db.all(int, "select id from mails where state = 'new' order by received, id"):
        for mail in club.db.all(MailRow, "select * from mails where id = ?", number):  # one by one: they may be large
            at.writer, at.is_opening = Writer(kind="doubt"), False
            with contain(fail):
                done += filter(None, [_handle(club, mail, at)])
    return Backlog(games=frozenset(at.stuck), troubles=tuple(dict.fromkeys(troubles)), done=tuple(done))


def _handle(club: Club, mail: MailRow, at: _Progress) -> str:
    """Answer one mail, step by step; return what was done, empty if it stays new."""
    with club.db.transaction():
        envelope = envelope_of(mail.data)
        read_lines = cache(lambda: _lines(mail.data))
        accepted = club.row(mail.game) if mail.game is not None and mail.seat else None
        if accepted is not None and not accepted.removed:
            own_seat = club.seat(accepted, mail.seat)
            at.writer = Writer(kind="player", person=club.person(own_seat.person), game=accepted, seat=own_seat)
        else:
            at.writer = identify(club, envelope, read_lines, mail.received)
        writer, sender = at.writer, mail.address or "an unclear sender"
        if envelope.is_bounce:
            note_bounce(club, mail.data)
        if writer.kind == "program":
            move(club, mail, "ignored", why=writer.why)
            return f"a mail from {sender} was sent by a program: {writer.why}"
        if writer.kind == "doubt":
            _hold(club, mail, writer, writer.why, f"mail from {sender}: {writer.why}", writer.group)
            ask_for_token(club, mail, writer.lacking, envelope.references)
            return f"a mail from {sender} waits for you: {writer.why}"
        if writer.kind == "stranger":
            why = ask_to_register(club, envelope)
            move(club, mail, "ignored", why=why)
            return f"a mail from {envelope.address}: {why}"
        if writer.kind == "member":
            return _answer_member(club, mail, writer, envelope, read_lines())
    person, row, seat = writer.person, writer.game, writer.seat
    assert person is not None
    assert row is not None
    assert seat is not None
    if row.id in at.stuck:  # its lock or file would fail again, and the mails keep their order
        return ""
    with club.game_locked(row):
        at.is_opening = True
        game = club.game(row)
        at.is_opening = False
        with club.db.transaction():
            own = replace(mail, **writer.columns)
            quota = Quota(club, f"seat/{row.id}/{seat.seat}")
            ask = Ask(club, person, own, envelope.references, club.row(row.id), seat, game)
            query = "select * from mails where state = 'waiting' and game = ? and seat = ? order by received, id"
            waiting = club.db.all(MailRow, query, row.id, seat.seat)
            submission, found = read_orders(game, own, Seat(seat.seat))
            replies = carry_out(found.asks, ask, quota)
            answered = answer(ask, submission, found, replies, quota, waiting)
            of_members = [
                one for one, reply in zip(found.asks, replies, strict=True) if "seat" not in one.command.to and reply.is_done
            ]
            if of_members:
                member = member_of(club, seat)
                more = carry_out(of_members, Ask(club, member, mail, envelope.references), None)
                _write_answer(club, mail, member.id, [reply.text for reply in more], envelope)
            if answered.text:
                key, text = f"receipt/{mail.identity}", answered.text
                write(club, "receipt", seat, key, game=row, thread=envelope.references, how=answered.subject, text=text)
            move(club, mail, answered.state, why=answered.why, **writer.columns)
            club.db.update("seats", seat.id, is_ready=answered.is_ready)
            club.db.update("games", row.id, changed=-1)
    return f"{row.name}: the mail of {seat.seat} from {mail.address} was answered"


def _answer_member(club: Club, mail: MailRow, writer: Writer, envelope: Envelope, lines: tuple[str, ...]) -> str:
    """Register the member or take the new address, carry out the commands, and queue the answer; return what was done."""
    found, person, texts, answered = read(lines), writer.person, list[str](), writer.answered
    asks, is_new = list(found.asks), answered is not None and answered.kind == "register"
    if answered is not None and is_new:
        wanted = next((one.values["name"] for one in asks if one.command.name == "REGISTER"), "")
        person = register(club, answered, wanted)
        welcome_member(club, person)
        asks = [one for one in asks if not (one.command.name == "REGISTER" and one.values["name"] == person.name)]
    elif answered is not None:
        person = move_person(club, answered)
        texts.append(f"The club now writes to {envelope.address}.")
    assert person is not None
    quota = Quota(club, f"person/{person.id}")
    replies = carry_out(asks, Ask(club, person, mail, envelope.references), quota)
    texts += confirm_by(club, person, envelope.references)  # after LEAVE, there is nothing to confirm
    texts += [reply.text for reply in replies]
    if not texts and not is_new and not quota.is_repeated(found.rest, is_remark=True):
        texts = [_NOTHING, help_text(club.settings.people, is_for_seat=False)]
    if texts and quota.take("receipts"):
        _write_answer(club, mail, person.id, [*texts, *([] if quota.left("receipts") else [_LAST])], envelope)
    move(club, mail, "answered", person=person.id)
    return f"the mail of {person.name} from {envelope.address} was answered"


def _write_answer(club: Club, mail: MailRow, person: int, texts: list[str], envelope: Envelope) -> None:
    text = "\n\n".join(texts) + "\n"
    write(club, "answer", club.person(person), f"answer/{mail.identity}", thread=envelope.references, text=text)


def _hold(club: Club, mail: MailRow, writer: Writer, why: str, words: str, group: str = "") -> None:
    """Let ``mail`` wait under a matter with these ``words``: its own one, or that of the ``group``."""
    key = group or f"mail/{mail.id}"
    matter = raise_matter(club, "mail", words, key=key, game=writer.game)
    matter = matter or club.db.value("select id from matters where key = ?", key)
    move(club, mail, "held", why=why, matter=matter, **writer.columns)


def _hold_failed(club: Club, mail: MailRow, writer: Writer, failure: Failure) -> None:
    """Hold a mail on which the program failed for the moderator; tell the moderator, and the player if known."""
    row, seat, is_own = writer.game, writer.seat, writer.kind == "player"
    words = f"mail from {mail.address or 'an unknown address'}: the program failed on it: {failure.cause}"
    with club.db.transaction():
        _hold(club, mail, writer, failure.cause, words)
        if is_own and row is not None and seat is not None:
            with contain(lambda _failure: None):
                write(club, "unread", seat, f"aside/{mail.identity}", game=row, when=club.moment(mail.received))
            key = f"aside/{mail.id}/{club.now}"
            about = club.person(seat.person)
            write(club, "failed-mail", MODERATOR, key, game=row, about=about, seat=seat.seat, words=words)
        else:  # strangers can send any number of such mails: the moderator gets one letter a day about them
            write(club, "failed-mails", MODERATOR, f"aside/{club.now // DAY}", words=words)


def _lines(data: bytes) -> tuple[str, ...]:
    try:
        return read_mail(data).lines
    except MailError:
        return ()
