"""Mails fetched, kept in the ledger, and answered one by one in the order in which the server took them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from adjudicator.club.answer import Answer, answer
from adjudicator.club.asked import carry_out
from adjudicator.club.folder import ClubFolder
from adjudicator.club.identify import Identified, Standing, identified
from adjudicator.club.ledger import KeptMail, Ledger, MailState
from adjudicator.club.letters import ToSeat, write_to_seat
from adjudicator.club.limits import Quota
from adjudicator.club.missing_token import ask_for_token
from adjudicator.club.settings import server_of
from adjudicator.club.turns import deadline_words, opened
from adjudicator.core.canonical import digest
from adjudicator.core.ids import Seat
from adjudicator.mail.envelope import Envelope, envelope_of
from adjudicator.mail.imap import ImapFolder
from adjudicator.mail.incoming import Fetched, Mailbox, Maildir
from adjudicator.mail.limits import MailError
from adjudicator.mail.message import read_mail
from adjudicator.session import Session
from adjudicator.store.errors import FileProblem
from adjudicator.store.lock import locked

_MOST: Final = 1_000
"""Mails fetched in one run; the others wait in their mailbox for the next."""
_LONGEST_SUBJECT: Final = 200


@contextmanager
def mailbox_of(club: ClubFolder) -> Iterator[Mailbox]:
    """Yield the mailbox of the club. Raises ``MailboxError``, ``LookupError``."""
    incoming = club.settings.incoming
    if incoming.kind == "maildir":
        with Maildir(club.folder / incoming.folder) as folder:
            yield folder
    else:
        with ImapFolder(server_of(incoming), incoming.folder, incoming.done) as box:
            yield box


def fetch(ledger: Ledger, box: Mailbox) -> int:
    """Keep every mail in ``box``, and only then put it away there; return how many were new. Raises ``MailboxError``."""
    new = 0
    for found in box.fetch(_MOST):
        new += keep(ledger, found)
        box.put_away(found.key)
    return new


def keep(ledger: Ledger, found: Fetched) -> bool:
    """Keep a mail in the ledger; return whether it is new: a copy of one that was kept before is not."""
    envelope = _envelope(found.data)
    with ledger.change():
        return ledger.keep(
            identity=envelope.identity,
            hash_=digest(found.data),
            received=found.received,
            address=envelope.address[:_LONGEST_SUBJECT],
            subject="",  # it may have a token
            data=found.data,
        )


def answer_all(club: ClubFolder, ledger: Ledger, now: int) -> None:
    """Answer every mail that is kept and was not answered yet; games for which something has come are looked at next."""
    games: dict[str, Session] = {}
    for mail in (*ledger.mails(MailState.ACCEPTED), *ledger.mails(MailState.KEPT)):
        _answer(club, ledger, mail, games, now)


def _answer(club: ClubFolder, ledger: Ledger, mail: KeptMail, games: dict[str, Session], now: int) -> None:
    """Answer one mail, unless nobody may, or the moderator is to look at it first."""
    envelope = _envelope(mail.data)
    with ledger.change():
        found = _identified(club, ledger, mail, envelope)
        if found.standing is not Standing.OWN:
            _put_aside(ledger, mail, found, now)
            ask_for_token(club, ledger, mail, found.lacking, envelope.references, now)
    if found.standing is not Standing.OWN:
        return
    try:
        with locked(club.game_file(found.game)):
            session = games.get(found.game) or opened(club, found.game)
            games[found.game] = _answer_own(club, ledger, session, mail, found, envelope, now)
    except FileProblem as error:
        with ledger.change():
            why = f"the game {found.game} cannot be opened: {error.words}"
            _put_aside(ledger, mail, Identified(standing=Standing.HELD, game=found.game, seat=found.seat, why=why), now)


def _identified(club: ClubFolder, ledger: Ledger, mail: KeptMail, envelope: Envelope) -> Identified:
    """Return whose ``mail`` is: what the moderator has said, or else what it says itself."""
    if mail.seat and mail.game in club.games:
        return Identified(standing=Standing.OWN, game=mail.game, seat=Seat(mail.seat))
    return identified(club, ledger, envelope, lambda: _lines(mail.data), mail.received)


def _answer_own(
    club: ClubFolder, ledger: Ledger, session: Session, mail: KeptMail, found: Identified, envelope: Envelope, now: int
) -> Session:
    """Answer a mail that is its seat's, and do what it asks for; return the game afterwards."""
    row = ledger.game(found.game)
    quota = Quota(club.settings.limits, ledger, found.game, found.seat, now)
    answered = answer(club, session, mail, found.seat, deadline_words(club, row), quota)
    after = carry_out(club, ledger, session, mail, found.seat, answered.replies, envelope.references, now)
    with ledger.change():
        state = MailState.WAITING if answered.has_orders and not row.is_over else MailState.ANSWERED
        ledger.settle(mail.id, state, game=found.game, seat=found.seat, is_flawed=not answered.is_flawless)
        ledger.look_at(found.game)
        quota.record()
        if answered.text:
            _reply(club, ledger, mail, found, envelope, answered, now)
    return after


def _reply(
    club: ClubFolder, ledger: Ledger, mail: KeptMail, found: Identified, envelope: Envelope, answered: Answer, now: int
) -> None:
    letter = ToSeat(
        key=f"receipt/{mail.identity}",
        kind="receipt",
        game=found.game,
        seat=found.seat,
        subject="your mail" if answered.is_flawless else "your mail: something is wrong with it",
        text=answered.text,
        references=envelope.references,
    )
    write_to_seat(club, ledger, letter, now)


def _put_aside(ledger: Ledger, mail: KeptMail, found: Identified, now: int) -> None:
    """Note that a mail is not to be read, or waits for the moderator."""
    is_held = found.standing is Standing.HELD
    state = MailState.HELD if is_held else MailState.PASSED_OVER
    ledger.settle(mail.id, state, game=found.game, seat=found.seat, why=found.why)
    if is_held:
        sender = mail.address or "an unclear sender"
        key = found.matter or f"mail/{mail.id}"
        ledger.raise_matter(key, found.game, now, f"mail {mail.id} from {sender}: {found.why}")


def _envelope(data: bytes) -> Envelope:
    try:
        return envelope_of(data)
    except MailError:
        return Envelope(
            address="",
            subject="",
            message_id="",
            references=(),
            received=None,
            robot="it cannot be read as a mail",
            identity=digest(data),
        )


def _lines(data: bytes) -> tuple[str, ...]:
    try:
        return read_mail(data).lines
    except MailError:
        return ()
