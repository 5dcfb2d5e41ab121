"""The mails of the club: the states of a mail, and the steps in which each is answered, in the order of arrival.

A mail on which the program fails is held with its cause, and the others go on. After another failure, it keeps its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from adjudicator.club import requests  # noqa: F401 - it fills the table of commands
from adjudicator.club.clock import LONGEST_GAP
from adjudicator.club.club import WEB, Club, GameRow, MailRow, Person, SeatRow
from adjudicator.club.commands import Ask, Quota, carry_out, help_text, read
from adjudicator.club.counting import answer, read_orders
from adjudicator.club.db import Failure, Kind, contain
from adjudicator.club.holidays import answer_as_sitter
from adjudicator.club.identify import Writer, ask_for_token, identify, writer_on_page
from adjudicator.club.letters import LetterRow, content_of, write
from adjudicator.club.lists import confirm_by, welcome_member
from adjudicator.club.matters import DAY, game_failed, raise_matter
from adjudicator.club.people import ask_to_register, member_of, register
from adjudicator.club.people import move as move_person
from adjudicator.club.post import note_bounce
from adjudicator.core.values import MODERATOR, Seat, digest, replace
from adjudicator.library.texts import own_lines
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
_PATIENCE, _PATIENCE_ON_PAGES = 10.0, 2.0
"""Seconds to wait for a game at which another process is at work; a page says meanwhile that a round will answer."""
_LATER: Final = "The club has your text, and is at work just now: it answers in a minute. You need not send it again."
_HELD: Final = "The program has failed on this text. The club has kept it, and the moderator will look at it."
_NOTHING: Final = "Your mail has no command of this club."


@dataclass
class Backlog:
    """The games that are ``stuck``, by number (0: mails of no game): their mails stay new, in their order.

    ``troubles`` say why, ``done`` has a line for each mail that the club handled, ``writer`` is that of the mail at work,
    whose game ``is_opening``.
    """

    stuck: set[int] = field(default_factory=set)
    troubles: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
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
    with club.db.transaction():
        number = club.db.insert(
            "mails",
            unless="identity",
            identity=identity,
            hash=mail_hash(found.data),
            received=max(found.received, _latest(club, address)),
            fetched=club.now,
            address=address,
            data=data,
        )
    return bool(number)


def _latest(club: Club, address: str) -> int:
    """Return when the last mail from ``address`` came, if that is after the present time: the clock went back."""
    query = "select max(received) from mails where address = ? and received > ? and received <= ?"
    return club.db.value(query, address, club.now, club.now + LONGEST_GAP) or 0


def keep_input(club: Club, person: Person, text: str, key: str, seat: SeatRow | None = None, turn: int = 0) -> int:
    """Store what a ``person`` writes on a page, for ``seat`` or (none) to the club; return its number.

    It becomes a mail with the source `web`: what counts of mails counts of it. The last text of a ``key`` again is the one
    that is stored; an earlier one, from a page to which a browser went back, is another mail. The orders in it are for a
    ``turn`` (0: the one at which the game is then), which the line above them names.
    """
    row, of_seat = (club.row(seat.game), f"{seat.game}/{seat.seat}") if seat else (None, "")
    of_key = digest(f"web/{person.id}/{of_seat}/{turn}/{key}".encode())[:32]
    with club.db.transaction(is_repeatable=True):  # the transaction with the answer waits for the disk
        count = club.db.value("select count(*) from mails where identity between ? and ?", of_key, f"{of_key}~")
        last, identity = (
            of_key + digest(f"{number}/{text}".encode("utf-8", "replace"))[:32] for number in (count, count + 1)
        )
        if stored := club.db.value("select id from mails where identity = ?", last):
            return int(stored)
        # The same text again is another mail, not a copy: the subject says so.
        head = f"From: {person.address}\nSubject: {identity}\nContent-Type: text/plain; charset=utf-8\n"
        body = f"{f'turn {turn}' if turn else ''}\n{text}\n"
        data = f"{head}Content-Transfer-Encoding: 8bit\n\n{body}".encode("utf-8", "replace")
        return club.db.insert(
            "mails",
            identity=identity,
            hash=mail_hash(data),
            source=WEB,
            received=max(club.now, _latest(club, person.address)),
            fetched=club.now,
            address=person.address,
            person=person.id,
            game=row.id if row else None,
            seat=seat.seat if seat else "",
            data=data,
        )


def answer_all(club: Club) -> Backlog:
    """Answer every new mail; return which of them stay new, and why."""
    at = Backlog()
    for number in club.db.all(int, "select id from mails where state = 'new' order by received, id"):
        _answer(club, number, at)  # one by one: they may be large
    return at


def answer_one(club: Club, number: int) -> tuple[str, str, str]:
    """Answer the input with this ``number`` from a page, unless that was done; return its state, a subject and the answer.

    If the mail stays new, a round will answer it.
    """
    _answer(club, number, Backlog())
    with club.db.transaction():  # before the person is told that the club has it, the disk has it
        club.db.run("update mails set id = id where id = ? and state = 'new'", number)
    query = "select * from letters where key in (?, ?) order by id"
    mail = club.db.all(MailRow, "select * from mails where id = ?", number)[0]
    letters = club.db.all(LetterRow, query, f"receipt/{mail.identity}", f"answer/{mail.identity}")
    subjects = [letter.subject.partition("] ")[2].rpartition(": ")[2] for letter in letters]
    said = "\n".join(content_of(letter).text for letter in letters)
    none = {"new": _LATER, "held": _HELD, "ignored": f"The club has not taken this: {mail.why}."}
    return mail.state, next(iter(subjects), ""), said or none.get(mail.state, "")


def waiting_mails(club: Club, row: GameRow, seat: str) -> list[MailRow]:
    """Return the mails of a seat that wait, in their order."""
    query = "select * from mails where state = 'waiting' and game = ? and seat = ? order by received, id"
    return club.db.all(MailRow, query, row.id, seat)


def _answer(club: Club, number: int, at: Backlog) -> None:
    at.writer, at.is_opening = Writer(kind="doubt"), False

    def fail(failure: Failure) -> None:
        row = at.writer.game
        at.troubles.append(f"{row.name if row else 'mail'}: {failure.cause}")
        if failure.kind is Kind.FAULT and not at.is_opening:
            _hold_failed(club, mail, at.writer, failure)
        else:
            at.stuck.add(row.id if row else 0)
            if row is not None:
                game_failed(club, row, failure)

    for mail in club.db.all(MailRow, "select * from mails where id = ? and state = 'new'", number):
        with contain(fail):
            at.done += filter(None, [_handle(club, mail, at)])


def _handle(club: Club, mail: MailRow, at: Backlog) -> str:
    """Answer one mail, step by step; return what was done, empty if it stays new or another process has answered it."""
    is_new = "select count(*) from mails where id = ? and state = 'new'"
    with club.db.transaction():
        if not club.db.value(is_new, mail.id):
            return ""
        envelope = envelope_of(mail.data)

        @cache
        def read_lines() -> tuple[str, ...]:
            try:
                return read_mail(mail.data).lines
            except MailError:
                return ()

        at.writer = identify(club, mail, envelope, read_lines)
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
    with club.game_locked(row, _PATIENCE_ON_PAGES if mail.source == WEB else _PATIENCE):
        at.is_opening = True
        game = club.game(row)
        at.is_opening = False
        with club.db.transaction():
            if not club.db.value(is_new, mail.id):
                return ""
            if mail.source == WEB and (writer := writer_on_page(club, mail)).seat is None:  # since the lock is free
                move(club, mail, "ignored", why=writer.why)
                return f"{row.name}: an input for {seat.seat} was ignored: {writer.why}"
            own = replace(mail, **writer.columns)
            quota = Quota(club, f"seat/{row.id}/{seat.seat}")
            ask = Ask(club, person, own, envelope.references, club.row(row.id), seat, game)
            waiting = waiting_mails(club, row, seat.seat)
            submission, found = read_orders(game, own, Seat(seat.seat))
            replies = carry_out(found.asks, ask, quota)
            ask = ask._replace(row=club.row(row.id))  # a vote may have moved the deadline
            answered = answer(ask, submission, found, replies, quota, waiting)
            of_members = [
                one for one, reply in zip(found.asks, replies, strict=True) if "seat" not in one.command.to and reply.is_done
            ]
            if of_members:
                member = member_of(club, seat)
                more = carry_out(of_members, Ask(club, member, mail, envelope.references), None)
                _write_answer(club, mail, member.id, [reply.text for reply in more], envelope)
            if answered.text:
                key, thread, how = f"receipt/{mail.identity}", envelope.references, answered.subject
                is_shown = mail.source == WEB
                write(club, "receipt", seat, key, game=row, thread=thread, is_shown=is_shown, how=how, text=answered.text)
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
    texts += answer_as_sitter(club, person, envelope.references, own_lines(found.rest))
    texts += [reply.text for reply in replies]
    is_web = mail.source == WEB
    if not texts and not is_new and (is_web or not quota.is_repeated(found.rest, is_remark=True)):
        texts = [_NOTHING, help_text(club.settings.people, is_for_seat=False)]
    if texts and (is_web or quota.take("receipts")):
        texts += [] if is_web or quota.left("receipts") else [_LAST]
        _write_answer(club, mail, person.id, texts, envelope)
    move(club, mail, "answered", person=person.id)
    return f"the mail of {person.name} from {envelope.address} was answered"


def _write_answer(club: Club, mail: MailRow, person: int, texts: list[str], envelope: Envelope) -> None:
    key, to, text, is_shown = f"answer/{mail.identity}", club.person(person), "\n\n".join(texts) + "\n", mail.source == WEB
    write(club, "answer", to, key, thread=envelope.references, is_shown=is_shown, text=text)


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
