"""Write letters to members of the club, and queue them in the ledger, each with a unique key."""

from __future__ import annotations

import hmac
import re
from html import escape
from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger, NewLetter
from adjudicator.club.tokens import address_with, tag, token_line
from adjudicator.core.values import Seat, Value, replace
from adjudicator.mail.outgoing import Attachment, Letter, letter_bytes

UNPROVEN: Final = "confirmation"
"""The kind of letters to addresses that anybody may have named: if one does not arrive, the moderator need not know."""
_SHORT: Final = 32
_HEADLINE: Final = "</h1>"
_BODY: Final = "</body>"
_END: Final = re.compile(r"(?s)<(?:script>.*</script>\s*<)?/body>")
"""The end of a page, with its script: a mail has none."""
_FIGURE: Final = re.compile(r"(?s)<figure.*?</figure>\n(?:<div class=.swipe.>.*?</div>\n)?")
_LONGEST: Final = 100_000
"""The most bytes of a page in a mail: Gmail cuts longer ones, and the order form is at the end."""
_ATTACHED: Final = "The picture of the board is attached to this mail."
FOOTER: Final = (
    "To send orders, answer this mail and keep its subject."
    " PREVIEW tests your orders, WITHDRAW takes them back, HELP lists all commands."
)
_FOOTER_OF_MEMBERS: Final = f"{FOOTER} GAMES lists the games of this club, JOIN takes a place in one, WHO shows a member."
_SECRET: Final = "Keep this address secret: with it, anyone can read your report and send your orders."
_LINK: Final = f"Your board: {{}}\n{_SECRET}"
_LINK_ON_PAGE: Final = f'<p>Your board: <a href="{{0}}">{{0}}</a><br>{_SECRET}</p>'
_CALENDAR: Final = "Your deadlines for a calendar program: {}\nKeep this address secret, too."
_CALENDAR_ON_PAGE: Final = (
    '<p>Your deadlines for a calendar program: <a href="{0}">{0}</a><br>Keep this address secret, too.</p>'
)
_FORM: Final = r"orders of {},\s++(?:turn \d++,\s++)?as\s++{}\n"
"""The first line of the order form in a report, as text or as a page; a text may break a long one."""
_MARGIN: Final = re.compile(r"(?:.*<pre[^<>]*+>)?([ \t]*+)")
"""What may be before it in its line."""


class SeatLetter(Value, kw_only=True):
    """A letter to the player of a seat.

    ``key`` identifies the letter permanently; ``kind`` is report, receipt, reminder, message and so on. ``references`` are
    the thread of the mail that the letter answers, if it answers one.
    """

    key: str
    kind: str
    game: str
    seat: str
    subject: str
    text: str
    html: str = ""
    references: tuple[str, ...] = ()
    attached: tuple[Attachment, ...] = ()


def token_line_of(club: ClubFolder, game: str, seat: Seat) -> str:
    """Return the line with the token of ``seat``, by which the club recognizes the player's mail."""
    return token_line(game, seat, club.seat_of(game, seat).token)


def with_footer(
    letter: SeatLetter, club: ClubFolder, before: str, page: str, *, until: str = "", calendar: str = ""
) -> SeatLetter:
    """Return a report with ``before`` and the address of the player's ``page`` at its top, and commands in its last line.

    The address of the player's ``calendar`` is above them, unless it is empty. The top of a page is below the
    headline, which ends with ``until`` and then needs no ``before``. The order form gets a line with the token, so that a
    player can send it back in a new mail.
    """
    footer = _FOOTER_OF_MEMBERS if club.settings.people.join else FOOTER
    form = re.compile(_FORM.format(re.escape(letter.game), re.escape(letter.seat)))
    token = token_line_of(club, letter.game, Seat(letter.seat))
    text, html = (_with_token(report, form, token) for report in (letter.text, letter.html))
    head, _, contents = html.partition(_HEADLINE)
    found = _END.search(contents)
    if found is not None:
        top = f"{'' if until else _paragraph(before)}{_LINK_ON_PAGE.format(escape(page)) if page else ''}"
        more = _CALENDAR_ON_PAGE.format(escape(calendar)) if calendar else ""
        contents = f"{top}{contents[: found.start()]}{more}{_paragraph(footer)}{_BODY}{contents[found.end() :]}"
        html = f"{head}{escape(until)}{_HEADLINE}{contents}"
    if letter.attached and len(html.encode()) > _LONGEST:
        html = _FIGURE.sub("", _FIGURE.sub(_paragraph(_ATTACHED), html, count=1))
    link = _LINK.format(page) if page else ""
    more = _CALENDAR.format(calendar) if calendar else ""
    text = "\n\n".join(block for block in (before, link, text.rstrip("\n"), more, footer) if block)
    return replace(letter, text=f"{text}\n", html=html)


def _with_token(report: str, form: re.Pattern[str], token: str) -> str:
    """Return ``report`` with the line ``token`` below the first line ``form`` of the order form, indented like it."""
    for found in form.finditer(report):
        line = report.rfind("\n", 0, found.start()) + 1
        margin = _MARGIN.fullmatch(report, line, found.start())
        if margin is not None:
            return f"{report[: found.end()]}{margin[1]}{token}\n{report[found.end() :]}"
    return report


def _paragraph(words: str) -> str:
    return f"<p>{escape(words)}</p>" if words else ""


def write_to_seat(club: ClubFolder, ledger: Ledger, letter: SeatLetter, now: int) -> bool:
    """Queue ``letter`` as ``letter_to_seat`` returns it; return whether it is new."""
    return ledger.queue(letter_to_seat(club, ledger, letter, now))


def letter_to_seat(club: ClubFolder, ledger: Ledger, letter: SeatLetter, now: int) -> NewLetter:
    """Return ``letter`` for the player's first address, with the seat's token in its subject."""
    settings = club.seat_of(letter.game, letter.seat)
    subject = f"{tag(letter.game, letter.seat, settings.token)} {letter.subject}"
    references = letter.references or (message_id(club, ledger, f"thread:{letter.game}"),)  # mail programs group them
    reply_to = address_with(settings.token, club.settings.address) if club.settings.incoming.plus_addresses else ""
    return _written(club, ledger, letter, settings.addresses[0], subject, references, now, reply_to)


def write_to_player(club: ClubFolder, ledger: Ledger, letter: SeatLetter, address: str, now: int, head: str = "") -> bool:
    """Queue ``letter`` to the player at ``address``, without the token of a seat; return whether it is new.

    Its subject begins with ``head``, or else with the name of the club.
    """
    subject = f"{head or f'[{club.settings.name}]'} {letter.subject}"
    return ledger.queue(_written(club, ledger, letter, address, subject, letter.references, now))


def write_to_moderator(club: ClubFolder, ledger: Ledger, *, key: str, game: str, subject: str, text: str, now: int) -> bool:
    """Queue a letter to the moderator; return whether it is new."""
    letter = SeatLetter(key=key, kind="moderator", game=game, seat="", subject=subject, text=text)
    to = club.settings.moderator
    return ledger.queue(_written(club, ledger, letter, to, f"[{club.settings.name}] {subject}", (), now))


def message_id(club: ClubFolder, ledger: Ledger, key: str) -> str:
    """Return the Message-ID of the letter with this ``key``, always the same: mail programs show copies as one mail.

    It depends on the secret of the ledger. Otherwise a reader could guess a mail whose hash is in the key.
    """
    domain = club.settings.address.rpartition("@")[2]
    return f"<{hmac.digest(ledger.secret(), key.encode(), 'sha256').hex()[:_SHORT]}@{domain}>"


def _written(
    club: ClubFolder,
    ledger: Ledger,
    letter: SeatLetter,
    to: str,
    subject: str,
    references: tuple[str, ...],
    now: int,
    reply_to: str = "",
) -> NewLetter:
    written = Letter(
        sender=club.settings.address,
        sender_name=_plain(club.settings.name),
        to=to,
        subject=subject,
        text=letter.text,
        html="" if ledger.wants_text(to.lower()) else letter.html,
        message_id=message_id(club, ledger, letter.key),
        references=references,
        attached=letter.attached,
        written=now,
        reply_to=reply_to,
    )
    return NewLetter(
        key=letter.key,
        game=letter.game,
        seat=letter.seat,
        kind=letter.kind,
        recipient=to,
        message_id=written.message_id,
        data=letter_bytes(written),
        at=now,
    )


def _plain(name: str) -> str:
    """Return ``name`` without the characters that have a meaning in the header of a mail."""
    return "".join(sign for sign in name if sign.isalnum() or sign in " -_'").strip() or "adjudicator"
