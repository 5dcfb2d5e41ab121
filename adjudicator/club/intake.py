"""Fetch mails, store them in the ledger, and answer them one by one in the order in which the server received them.

If the club cannot answer a mail for a temporary reason, the mail stays in the queue; otherwise it waits for the moderator.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import adjudicator as adj
from adjudicator.club.answer import Answer, answer
from adjudicator.club.bounces import note_bounce
from adjudicator.club.clock import LONGEST_GAP
from adjudicator.club.failures import Budget, Failure, Kind, contain, game_failed
from adjudicator.club.folder import ClubFolder
from adjudicator.club.holidays import names_of
from adjudicator.club.identify import Handling, Identification, identify
from adjudicator.club.ledger import Ledger, MailState, StoredMail
from adjudicator.club.letters import SeatLetter, write_to_moderator, write_to_seat
from adjudicator.club.limits import Quota
from adjudicator.club.member_requests import answer_writer
from adjudicator.club.missing_token import ask_for_token
from adjudicator.club.requests import carry_out
from adjudicator.club.settings import Limits, server_of
from adjudicator.club.turns import open_game
from adjudicator.club.writers import writer_of
from adjudicator.core.values import Seat, Value, digest
from adjudicator.files.lock import locked
from adjudicator.mail import MOST_TEXT, MailError, mail_hash
from adjudicator.mail.envelope import Envelope, envelope_of
from adjudicator.mail.mailbox import Mailbox, Maildir, NewMail
from adjudicator.mail.message import lean, read_mail

_MOST: Final = 1_000
"""Mails to fetch in one run; others wait in their mailbox for the next run."""
_LONGEST_WAIT: Final = 3600
"""Seconds for which mails wait after the arrival of one that cannot be fetched."""
_LONGEST_SUBJECT: Final = 200
_DAY: Final = 24 * 3600
_UNREAD: Final = """\
The program failed on your mail of {}. This is not your fault, and the
mail is not lost: the moderator has it. You need not send it again.
"""


class Arrivals(Value, kw_only=True):
    """How many ``new`` mails a mailbox had; ``is_all`` says that it has no more for which games wait."""

    new: int
    is_all: bool


class Backlog(Value, kw_only=True):
    """The ``games`` with mails that stay in the queue (empty name: mails of an unknown game), and why (``troubles``).

    ``done`` has a line for each mail that the club handled.
    """

    games: frozenset[str]
    troubles: tuple[str, ...]
    done: tuple[str, ...] = ()


@contextmanager
def mailbox_of(club: ClubFolder) -> Iterator[Mailbox]:
    """Yield the mailbox of the club. Raises ``MailboxError``, ``LookupError``."""
    incoming = club.settings.incoming
    if incoming.kind == "maildir":
        with Maildir(club.folder / incoming.folder) as folder:
            yield folder
    else:
        from adjudicator.mail.imap import ImapFolder  # it needs the extra `club`

        with ImapFolder(server_of(incoming), incoming.folder, incoming.done) as box:
            yield box


def fetch(ledger: Ledger, box: Mailbox, now: int) -> Arrivals:
    """Store each mail in ``box``, and only then put it away there. Raises ``MailboxError``.

    If a new mail cannot be fetched, the mails after it stay in ``box``, too: the club must not read them in another order.
    """
    found = new = 0
    for mail in box.fetch(_MOST):
        if _is_waiting(box, now):
            break
        found += 1
        new += keep(ledger, mail, now)
        box.put_away(mail.key)
    return Arrivals(new=new, is_all=found < _MOST and not _is_waiting(box, now))


def _is_waiting(box: Mailbox, now: int) -> bool:
    """Return whether a mail that could not be fetched is so new that the others wait for it."""
    return any(abs(now - came) < _LONGEST_WAIT for came in box.unread)


def keep(ledger: Ledger, found: NewMail, now: int) -> bool:
    """Store a mail in the ledger; return whether it is new and not a copy of a stored one.

    A large mail is stored without its attachments. If the clock went back since the sender's last mail, this one counts as
    received at the same time, after it.
    """
    envelope = _unread(found.data)
    data = found.data[:MOST_TEXT]
    with contain(lambda _failure: None), Budget(Limits().cpu_seconds).spend():
        envelope = _envelope(found.data)  # the club reports a failure when it answers the mail
        data = data if envelope.robot else lean(found.data)  # a report of a mail server has the letter as an attachment
    address = envelope.address[:_LONGEST_SUBJECT]
    with ledger.change():
        return ledger.keep(
            identity=envelope.identity,
            hash_=mail_hash(found.data),
            received=max(found.received, ledger.latest_from(address, now, now + LONGEST_GAP)),
            fetched=now,
            address=address,
            data=data,
        )


def answer_all(club: ClubFolder, ledger: Ledger, now: int) -> Backlog:
    """Answer every stored mail that has no answer yet; return which of them stay in the queue, and why."""
    work = Answering(club, ledger, now)
    for mail in (*ledger.mails(MailState.ACCEPTED), *ledger.mails(MailState.KEPT)):
        work.handle(mail)
    return work.result()


class Answering:
    """Answers the mails of one round, one by one."""

    def __init__(self, club: ClubFolder, ledger: Ledger, now: int) -> None:
        """Answer mails ``now``."""
        self.club, self.ledger, self.now = club, ledger, now
        self.games: dict[str, adj.Game] = {}
        self.stuck: set[str] = set()
        self.troubles: list[str] = []
        self.done: list[str] = []
        self.found = Identification(handling=Handling.HOLD)
        self.is_opening = False

    def handle(self, mail: StoredMail) -> None:
        """Answer ``mail``, or else leave it in the queue or set it aside for the moderator."""
        self.found, self.is_opening = Identification(handling=Handling.HOLD), False
        with contain(lambda failure: self._fail(mail, failure)):
            self._answer(mail, Budget(self.club.settings.limits.cpu_seconds))

    def result(self) -> Backlog:
        """Return the result for the mails since the last call."""
        queued = Backlog(games=frozenset(self.stuck), troubles=tuple(dict.fromkeys(self.troubles)), done=tuple(self.done))
        self.troubles, self.done = [], []
        return queued

    def _answer(self, mail: StoredMail, budget: Budget) -> None:
        """Answer one mail, unless a program sent it or it needs the moderator first."""
        club, ledger = self.club, self.ledger
        with ledger.change():
            with budget.spend():
                envelope = _envelope(mail.data)
                writer = None if mail.seat else writer_of(club, ledger, envelope, lambda: _lines(mail.data))
                found = self.found if writer else _identified(club, ledger, mail, envelope)
                self.found = found
            if writer is not None:
                self.done.append(answer_writer(club, ledger, mail.id, writer, envelope, self.now))
                return
            if found.handling is not Handling.ANSWER:
                _put_aside(ledger, mail, found, self.now)
                if envelope.is_bounce:
                    note_bounce(club, ledger, mail, self.now)
                ask_for_token(club, ledger, mail, found.lacking, envelope.references, self.now)
                what = "waits for you" if found.handling is Handling.HOLD else "was sent by a program"
                self.done.append(f"a mail from {mail.address or 'an unclear sender'} {what}: {found.why}")
                return
        if found.game in self.stuck:  # its lock or file would fail again, and the mails keep their order
            return
        with locked(club.game_file(found.game)):
            self.is_opening = True
            game = self.games.pop(found.game, None) or open_game(club, found.game)
            self.is_opening = False
            self.games[found.game] = _answer_own(club, ledger, game, mail, found, envelope, budget, self.now)
        self.done.append(f"{found.game}: the mail of {found.seat} from {mail.address} was answered")

    def _fail(self, mail: StoredMail, failure: Failure) -> None:
        game = self.found.game or self.club.game_at(failure.file)
        self.troubles.append(f"{game or 'mail'}: {failure.cause}")
        if failure.kind is Kind.FAULT and not self.is_opening:
            _set_aside(self.club, self.ledger, mail, self.found, failure, self.now)
            return
        self.stuck.add(game)
        if game:
            game_failed(self.club, self.ledger, game, failure, self.now)


def _identified(club: ClubFolder, ledger: Ledger, mail: StoredMail, envelope: Envelope) -> Identification:
    """Return the game and seat of ``mail``, as the moderator has said or as the mail claims."""
    if mail.seat and mail.game in club.games:
        return Identification(handling=Handling.ANSWER, game=mail.game, seat=Seat(mail.seat))
    return identify(club, ledger, envelope, lambda: _lines(mail.data), mail.received)


def _answer_own(
    club: ClubFolder,
    ledger: Ledger,
    game: adj.Game,
    mail: StoredMail,
    found: Identification,
    envelope: Envelope,
    budget: Budget,
    now: int,
) -> adj.Game:
    """Answer a seat's mail, and do what it asks for; return the game afterwards."""
    row = ledger.game(found.game)
    away = names_of(club, ledger, club.seat_of(found.game, found.seat).addresses[0])
    quota = Quota(club.settings.limits, ledger, found.game, found.seat, now, away)
    waiting = [one for one in ledger.mails(MailState.WAITING, found.game) if one.seat == found.seat]
    with budget.spend():
        answered = answer(club, game, mail, found.seat, quota, row, waiting)
    after = carry_out(club, ledger, game, mail, found.seat, answered.replies, envelope.references, now)
    with ledger.change():
        state = MailState.WAITING if answered.has_orders and not row.is_over else MailState.ANSWERED
        ledger.settle(mail.id, state, game=found.game, seat=found.seat, is_flawed=not answered.is_flawless)
        ledger.look_at(found.game)
        quota.record()
        if answered.text:
            _reply(club, ledger, mail, found, envelope, answered, now)
    return after


def _reply(
    club: ClubFolder, ledger: Ledger, mail: StoredMail, found: Identification, envelope: Envelope, answered: Answer, now: int
) -> None:
    letter = SeatLetter(
        key=f"receipt/{mail.identity}",
        kind="receipt",
        game=found.game,
        seat=found.seat,
        subject=f"{found.game}: {answered.subject}",
        text=answered.text,
        references=envelope.references,
    )
    write_to_seat(club, ledger, letter, now)


def _put_aside(ledger: Ledger, mail: StoredMail, found: Identification, now: int) -> None:
    """Record that a mail came from a program, or waits for the moderator."""
    is_held = found.handling is Handling.HOLD
    state = MailState.HELD if is_held else MailState.PASSED_OVER
    key = (found.matter or f"mail/{mail.id}") if is_held else ""
    ledger.settle(mail.id, state, game=found.game, seat=found.seat, why=found.why, matter=key)
    if is_held:
        sender = mail.address or "an unclear sender"
        ledger.raise_matter(key, found.game, now, f"mail from {sender}: {found.why}")


def _set_aside(
    club: ClubFolder, ledger: Ledger, mail: StoredMail, found: Identification, failure: Failure, now: int
) -> None:
    """Hold a mail on which the program failed for the moderator; tell the moderator, and the player if known."""
    is_own = found.handling is Handling.ANSWER
    if is_own:
        letter = SeatLetter(
            key=f"aside/{mail.identity}",
            kind="receipt",
            game=found.game,
            seat=found.seat,
            subject=f"{found.game}: your mail could not be read",
            text=_UNREAD.format(club.moment(mail.received)),
        )
        with contain(lambda _failure: None), ledger.change():
            write_to_seat(club, ledger, letter, now)
    with ledger.change():
        key = f"mail/{mail.id}"
        ledger.settle(mail.id, MailState.HELD, game=found.game, seat=found.seat, why=failure.cause, matter=key)
        words = f"mail from {mail.address or 'an unknown address'}: the program failed on it: {failure.cause}"
        ledger.raise_matter(key, found.game, now, words)
        # Strangers can send any number of such mails: the moderator gets one letter a day about them.
        write_to_moderator(
            club,
            ledger,
            key=f"aside/{mail.id}/{now}" if is_own else f"aside/{now // _DAY}",
            game=found.game,
            subject=f"{found.game}: the program failed on a mail of {found.seat}"
            if is_own
            else "the program failed on mails",
            text=f"{words}\n\nThe mail waits for you. `club status` lists its number; `club accept` tries it again.\n",
            now=now,
        )


def _envelope(data: bytes) -> Envelope:
    try:
        return envelope_of(data)
    except MailError:
        return _unread(data)


def _unread(data: bytes) -> Envelope:
    """Return the envelope of a mail whose head cannot be read."""
    return Envelope(
        address="",
        subject="",
        references=(),
        robot="it cannot be read as a mail",
        identity=digest(data),
    )


def _lines(data: bytes) -> tuple[str, ...]:
    try:
        return read_mail(data).lines
    except MailError:
        return ()
