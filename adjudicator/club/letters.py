"""Letters to members of the club: addressed, threaded, and queued in the ledger under a key that they alone have."""

from __future__ import annotations

import hmac
from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger, NewLetter
from adjudicator.club.tokens import tag
from adjudicator.core.frozen import frozen
from adjudicator.mail.outgoing import Attached, Letter, letter_bytes

_SHORT: Final = 32


@frozen(kw_only=True)
class ToSeat:
    """What is to be written to the player of a seat.

    ``key`` is what the letter is known by for ever, ``kind`` says what it is (report, receipt, reminder, message …).
    ``references`` are the thread of the mail that it answers, if it answers one.
    """

    key: str
    kind: str
    game: str
    seat: str
    subject: str
    text: str
    html: str = ""
    references: tuple[str, ...] = ()
    attached: tuple[Attached, ...] = ()
    is_held: bool = False


def write_to_seat(club: ClubFolder, ledger: Ledger, letter: ToSeat, now: int) -> bool:
    """Queue ``letter`` for the player's first address, with the seat's token in its subject; return whether it is new."""
    settings = club.seat_of(letter.game, letter.seat)
    subject = f"{tag(letter.game, letter.seat, settings.token)} {letter.subject}"
    references = letter.references or _thread(club, ledger, letter.game)
    return _queue(club, ledger, letter, settings.addresses[0], subject, references, now)


def write_to_moderator(club: ClubFolder, ledger: Ledger, *, key: str, game: str, subject: str, text: str, now: int) -> bool:
    """Queue a letter to the moderator; return whether it is new."""
    letter = ToSeat(key=key, kind="moderator", game=game, seat="", subject=subject, text=text)
    return _queue(club, ledger, letter, club.settings.moderator, f"[{club.settings.name}] {subject}", (), now)


def message_id(club: ClubFolder, ledger: Ledger, key: str) -> str:
    """Return the identifier of the letter with this ``key``: always the same, so that a copy shows as one.

    The secret of the ledger is in it: without that, a reader could try out what the mail said that the key is a hash of.
    """
    domain = club.settings.address.rpartition("@")[2]
    return f"<{hmac.digest(ledger.secret(), key.encode(), 'sha256').hex()[:_SHORT]}@{domain}>"


def _thread(club: ClubFolder, ledger: Ledger, game: str) -> tuple[str, ...]:
    """Return what all letters about ``game`` answer that answer nothing else: so they stand together."""
    return (message_id(club, ledger, f"thread:{game}"),)


def _queue(
    club: ClubFolder, ledger: Ledger, letter: ToSeat, to: str, subject: str, references: tuple[str, ...], now: int
) -> bool:
    written = Letter(
        sender=f"{_plain(club.settings.name)} <{club.settings.address}>",
        to=to,
        subject=subject,
        text=letter.text,
        html=letter.html,
        message_id=message_id(club, ledger, letter.key),
        references=references,
        attached=letter.attached,
        written=now,
    )
    return ledger.queue(
        NewLetter(
            key=letter.key,
            game=letter.game,
            seat=letter.seat,
            kind=letter.kind,
            recipient=to,
            message_id=written.message_id,
            data=letter_bytes(written),
            at=now,
            is_held=letter.is_held,
        )
    )


def _plain(name: str) -> str:
    """Return ``name`` without the signs that mean something in the head of a mail."""
    return "".join(sign for sign in name if sign.isalnum() or sign in " -_'").strip() or "adjudicator"
