"""Letters to members of the club: addressed, threaded, and queued in the ledger under a key that they alone have."""

from __future__ import annotations

import hmac
import re
from dataclasses import replace
from html import escape
from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger, NewLetter
from adjudicator.club.tokens import address_with, tag, token_line
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.phrases import listed
from adjudicator.core.record import holders
from adjudicator.mail.outgoing import Attached, Letter, letter_bytes
from adjudicator.reports.sanitize import printable
from adjudicator.session import Session

_SHORT: Final = 32
_MOST_NAMES: Final = 3
"""Players whose names a subject lists."""
_PAGE: Final = re.compile(r"(?s)(.*?<body[^>]*>)(.*)(</body>.*)")
_FOOTER: Final = (
    "To send orders, answer this mail and keep its subject. PREVIEW tests orders, WITHDRAW takes them back, HELP lists all."
)
_FORM: Final = r"(?m)(^|<pre[^<>\n]*+>)([ \t]*+)(game {}\n(?=[ \t]*+(?:turn \d++\n[ \t]*+)?{}:))"
"""Where the order form of a report begins, in a text or on a page."""


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


def player_name(session: Session, seat: Seat) -> str:
    """Return the player of ``seat`` with the seat: ``Ann (red)``; only the seat if nobody's name is known."""
    holder = _holders(session)[seat]
    return printable(f"{holder} ({seat})") if holder else seat


def report_subject(session: Session, seat: Seat | None) -> str:
    """Return what matters in the report to ``seat`` (``None``: to the moderator): ``race, turn 12: your turn``."""
    rules, config, state, game = session.rules, session.config, session.game.state, session.game.id
    if rules.is_over(config, state):
        return f"{game} is over{_result(session)}"
    awaited = dict.fromkeys(one.seat for one in rules.awaiting(config, state))
    turn = f"{game}, turn {session.announced.turn_for(seat) if seat else session.announced.turn}"
    if seat in awaited:
        return f"{turn}: your turn"
    many = f"{len(awaited)} players"
    return (
        f"{turn}: waiting for {many if len(awaited) > _MOST_NAMES else listed(player_name(session, one) for one in awaited)}"
    )


def _result(session: Session) -> str:
    """Return who has won, empty if everybody or nobody is first."""
    standings = session.rules.standings(session.config, session.game.state)
    names = _holders(session)
    first = [printable(names[one.seat] or one.seat) for one in standings if one.place == 1]
    if not first or len(first) == len(session.seats):
        return ": a draw" if len(first) > 1 else ""
    return f": {first[0]} has won" if len(first) == 1 else f": {listed(first)} share the first place"


def _holders(session: Session) -> dict[Seat, str]:
    return holders(session.game.setup.players, (link.entry for link in session.game.journal))


def token_line_of(club: ClubFolder, game: str, seat: Seat) -> str:
    """Return the line by which the club knows that a mail is from the player of ``seat``."""
    return token_line(game, seat, club.seat_of(game, seat).token)


def with_footer(letter: ToSeat, club: ClubFolder, before: str) -> ToSeat:
    """Return a report with ``before`` above it and how to answer below it, in the text and on the page.

    The order form gets the line with the token, so that it can be sent back in a new mail.
    """
    form = re.compile(_FORM.format(re.escape(letter.game), re.escape(letter.seat)))
    token = token_line_of(club, letter.game, Seat(letter.seat))
    text, html = (
        form.sub(lambda found: f"{found[1]}{found[2]}{token}\n{found[2]}{found[3]}", report, count=1)
        for report in (letter.text, letter.html)
    )
    page = _PAGE.fullmatch(html)
    if page is not None:
        html = f"{page[1]}{_paragraph(before)}{page[2]}{_paragraph(_FOOTER)}{page[3]}"
    text = "\n\n".join(block for block in (before, text.rstrip("\n"), _FOOTER) if block)
    return replace(letter, text=f"{text}\n", html=html)


def _paragraph(words: str) -> str:
    return f"<p>{escape(words)}</p>" if words else ""


def write_to_seat(club: ClubFolder, ledger: Ledger, letter: ToSeat, now: int) -> bool:
    """Queue ``letter`` for the player's first address, with the seat's token in its subject; return whether it is new."""
    settings = club.seat_of(letter.game, letter.seat)
    subject = f"{tag(letter.game, letter.seat, settings.token)} {letter.subject}"
    references = letter.references or _thread(club, ledger, letter.game)
    reply_to = address_with(settings.token, club.settings.address) if club.settings.incoming.plus_addresses else ""
    return _queue(club, ledger, letter, settings.addresses[0], subject, references, now, reply_to)


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
    club: ClubFolder,
    ledger: Ledger,
    letter: ToSeat,
    to: str,
    subject: str,
    references: tuple[str, ...],
    now: int,
    reply_to: str = "",
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
        reply_to=f"{_plain(club.settings.name)} <{reply_to}>" if reply_to else "",
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
