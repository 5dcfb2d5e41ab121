"""Write letters from templates, keep their contents, and make mails of them when they go out; the secrets in them.

The secrets of a seat are its token, in the subject of its letters and of the answers, and the name of its page.

A template (`letters/NAME.txt`) begins with the kind and the subject of the letter; its text is below a blank line. A
letter keeps what it says, not the mail: the lines of the club in a report (deadline, secret addresses, token) are slots. So
the same report can be sent again with other lines, and shown on a page without them.
"""

from __future__ import annotations

import hmac
import re
import secrets
import zlib
from base64 import b32encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

import msgspec

from adjudicator.club.club import Club, GameRow, Person, SeatRow
from adjudicator.core.values import MODERATOR, Value
from adjudicator.files.typed import decoder
from adjudicator.mail.outgoing import Attachment, Letter, letter_bytes
from adjudicator.reports.forms import filled_text
from adjudicator.reports.web import filled_page, without_figures

CLUB: Final = "club"
"""The name that takes the place of the game in the token of a member."""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits, without those that look alike."""
_LENGTH: Final = 16
_CLAIM: Final = r"([A-Za-z0-9][A-Za-z0-9._-]{0,79})/([a-z][a-z0-9_]{0,23})#([a-z0-9-]{8,80})"
_IN_SUBJECT: Final = re.compile(rf"\[{_CLAIM}\]")
_LINE: Final = re.compile(rf"token\s++{_CLAIM}", re.IGNORECASE)
_IN_ADDRESS: Final = re.compile(r"\+[a-z0-9-]{8,80}@", re.IGNORECASE)
_PAGE: Final = re.compile(r"#file=[a-z2-7]{24}/[\w.-]*+(?:&[\w.@%+=&;-]*+)?|\btoken=[a-z0-9-]{8,80}", re.IGNORECASE)
"""What follows the address of the desk in a link, or the token at the end of such a link that a mail program has broken."""
_PAGE_LENGTH: Final = 24
_PAGE_RANDOM: Final = 16
"""Letters and digits of a page's name that depend on its seat, 80 bits; from the others the club recognizes its pages."""


class Claim(Value):
    """The claim of a mail: it is for a ``game``, from a ``seat``, and has its ``token``."""

    game: str
    seat: str
    token: str

    def __repr__(self) -> str:
        """Return the claim without its token, for messages."""
        return f"Claim({self.game}/{self.seat})"


def new_token() -> str:
    """Return a new random token: 16 letters and digits, about 79 bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def tag(game: str, seat: str, token: str) -> str:
    """Return the beginning of the subject of a letter, which every answer repeats."""
    return f"[{game}/{seat}#{token}]"


def token_line(game: str, seat: str, token: str) -> str:
    """Return the line that has the same effect in a mail as the tag in its subject."""
    return f"token {game}/{seat}#{token}"


def address_with(token: str, address: str) -> str:
    """Return the club's ``address`` with a ``token`` in it; empty if this token cannot be in an address."""
    name, _, domain = address.partition("@")
    found = f"{name}+{token.lower()}@{domain}"
    return found if _IN_ADDRESS.search(found) else ""


def claim_in(subject: str, lines: Iterable[str] = ()) -> Claim | None:
    """Return the claim in the ``subject`` of a mail, or else in its first line ``token …``; ``None`` if it has none."""
    found = _IN_SUBJECT.search(subject) or next(filter(None, (_LINE.fullmatch(line.strip()) for line in lines)), None)
    return None if found is None else Claim(found[1], found[2].lower(), found[3].lower())


def tokens_in_addresses(fields: tuple[str, ...], address: str) -> Iterator[str]:
    """Yield the tokens in header ``fields`` with the club's ``address``, such as ``club+TOKEN@example.org``."""
    name, _, domain = address.partition("@")
    form = re.compile(rf"(?<![^\s<,;:]){re.escape(name)}\+([a-z0-9-]{{8,80}})@{re.escape(domain)}(?![\w.-])", re.IGNORECASE)
    for field in fields:
        yield from (found[1].lower() for found in form.finditer(field))


def without_tokens(text: str) -> str:
    """Return ``text`` without anything that may be a token, or the address of a player's page."""
    text = _IN_SUBJECT.sub(lambda found: f"[{found[1]}/{found[2]}]", text)
    return _PAGE.sub("", _LINE.sub("", _IN_ADDRESS.sub("@", text)))


def is_right(claim: Claim, token: str) -> bool:
    """Return whether the ``claim`` has this ``token``, in a time that reveals nothing about it."""
    return hmac.compare_digest(claim.token.encode(), token.lower().encode())


def page_name(secret: bytes, game: str, seat: str, token: str) -> str:
    """Return the name of a player's page, which depends on the club's ``secret`` and on the token: 24 letters and digits.

    With another token, the seat has another page.
    """
    name = _hash_letters(secret, f"page/{game}/{seat}/{token}", _PAGE_RANDOM)
    return name + _hash_letters(secret, f"own page/{name}", _PAGE_LENGTH - _PAGE_RANDOM)


def is_page_name(secret: bytes, name: str) -> bool:
    """Return whether ``name`` is that of a page which the club with this ``secret`` has written, for any player."""
    shown = _hash_letters(secret, f"own page/{name[:_PAGE_RANDOM]}", _PAGE_LENGTH - _PAGE_RANDOM)
    return len(name) == _PAGE_LENGTH and name[_PAGE_RANDOM:] == shown


def _hash_letters(secret: bytes, words: str, count: int) -> str:
    return b32encode(hmac.digest(secret, words.encode(), "sha256")).decode().lower()[:count]


MEMBER: Final = "member"
UNPROVEN: Final = "confirmation"
"""The kind of letters to addresses that anybody may have named: if one does not arrive, the moderator need not know."""
UNTIL: Final = " \x1duntil"
"""The place of the deadline in a welcome letter."""
_OF_SEAT: Final = frozenset({"report", "reminder", "deadline", "message"})
"""The kinds of letters to a player that also go to the member who plays for them."""
_SHORT: Final = 32
_LONGEST: Final = 100_000
"""The most bytes of a page in a mail: Gmail cuts longer ones, and the order form is at the end."""
_BOARD: Final = "Your board: "
_SECRET: Final = "Keep this address secret: with it, anyone can read your report and send your orders."
_PAGES: Final = "You log in there with your mail address."
_ATTACHED: Final = "<p>The picture of the board is attached to this mail.</p>"


class Content(Value, kw_only=True):
    """What a letter says: as ``text``, as a page (``html``), with a ``picture`` of its kind (`image/png`).

    ``raw`` is a whole mail that an earlier version of the program has written.
    """

    text: str = ""
    html: str = ""
    picture: bytes | None = None
    kind_of_picture: str = ""
    raw: bytes | None = None


class LetterRow(Value, kw_only=True):
    """A letter in the ledger, as far as it is needed to send it; see `schema.sql`."""

    id: int
    kind: str
    game: int | None
    seat: str
    person: int | None
    recipient: str
    message_id: str
    subject: str
    thread: str
    slots: Mapping[str, str]
    content: bytes
    written: int
    tries: int


@cache
def template(name: str) -> tuple[str, str, str]:
    """Return the kind, the subject and the text of the template ``name``, with places such as ``{game}``."""
    head, _, text = (files(__package__) / "letters" / f"{name}.txt").read_text("utf-8").partition("\n\n")
    kind, _, subject = head.partition(" | ")
    return kind, subject, text


def write(
    club: Club,
    name: str,
    to: SeatRow | Person | str,
    key: str,
    /,
    *,
    game: GameRow | None = None,
    token: str = "",
    thread: Sequence[str] = (),
    about: Person | None = None,
    seal: str = "",
    slots: Mapping[str, str] | None = None,
    content: Content | None = None,
    is_shown: bool = False,
    **words: str,
) -> int:
    """Queue the letter of the template ``name``, once under its ``key``; return its number, 0 if the key is known.

    It goes ``to`` the player of a seat, with the tag of the seat in its subject (what is for the seat goes to its sitter,
    too); to a person with the person's tag; to `MODERATOR`; or to an address without a person, with the ``token`` of a
    confirmation (empty: no tag). A letter ``about`` a person is deleted with the person. With a ``seal``, it waits until
    ``free`` finds the game with this seal, and fills its ``slots``. One that ``is_shown`` on a page does not go out.
    ``words`` fill the template, beside `game` and `club`; ``content`` replaces its text.
    """
    kind, subject, text = template(name)
    named = {"game": game.name if game else "", "club": club.settings.name, **words}
    subject, head, person, seat = subject.format_map(named), f"[{club.settings.name}]", None, ""
    if isinstance(to, SeatRow):
        game = game or club.row(to.game)
        recipient, head, person, seat = to.address, tag(game.name, to.seat, to.token), to.person, to.seat
        if kind in _OF_SEAT and (sitter := club.as_sitter(to)) is not None:
            same: Any = {"game": game, "seal": seal, "slots": slots, "content": content, **words}
            write(club, name, sitter, f"{key}/{to.sitter}", **same)
        thread = thread or (message_id(club, f"thread:{game.name}"),)  # mail programs group them
    elif isinstance(to, Person):
        recipient, head, person = to.address, tag(CLUB, MEMBER, to.token), to.id
    elif to == MODERATOR:
        recipient, kind = club.settings.moderator, "moderator"
    else:
        recipient, head = to, tag(CLUB, MEMBER, token) if token else head
    return club.db.insert(
        "letters",
        unless="key",
        key=key,
        kind=kind,
        game=game.id if game else None,
        seat=seat,
        person=person,
        about=about.id if about else None,
        recipient=recipient,
        message_id=message_id(club, key),
        subject=f"{head} {subject}",
        thread=" ".join(thread),
        slots=slots or {},
        content=packed(content or Content(text=text.format_map(named))),
        seal=seal,
        state="prepared" if seal else "sent" if is_shown else "queued",
        written=club.now,
        next_try=club.now,
    )


def free(club: Club, row: GameRow, slots: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Queue the prepared letters of a game with its next seal, which its file has now; delete the other prepared ones.

    Fill the ``slots`` of each seat's report and welcome. Return the seats whose reports are new, in the order of letters.
    """
    club.db.run("delete from letters where game = ? and state = 'prepared' and seal <> ?", row.id, row.next_seal)
    letters = club.db.all(LetterRow, "select * from letters where game = ? and state = 'prepared' order by id", row.id)
    for letter in letters:
        own = dict(slots.get(letter.seat, {}))
        club.db.update("letters", letter.id, state="queued", slots=own, written=club.now, next_try=club.now)
    return list(dict.fromkeys(letter.seat for letter in letters if letter.kind == "report"))


def message_id(club: Club, key: str) -> str:
    """Return the Message-ID of the letter with this ``key``, always the same: mail programs show copies as one mail.

    It depends on the secret of the ledger. Otherwise a reader could guess a mail whose hash is in the key.
    """
    domain = club.settings.address.rpartition("@")[2]
    return f"<{hmac.digest(club.secret, key.encode(), 'sha256').hex()[:_SHORT]}@{domain}>"


def packed(content: Content) -> bytes:
    """Return ``content`` for the ledger."""
    return zlib.compress(msgspec.json.encode(content), 1)


def content_of(letter: LetterRow) -> Content:
    """Return what ``letter`` says; nothing if its content has been deleted."""
    return decoder(Content).decode(zlib.decompress(letter.content)) if letter.content else Content()


def report_lines(letter: LetterRow) -> str:
    """Return the text of a report, with its slots filled; above it, the deadline and the address of the board."""
    due, bank, board, form = (letter.slots.get(name, "") for name in ("due", "bank", "board", "form"))
    secret = _SECRET if "#" in board else _PAGES
    text = filled_text(content_of(letter).text, form).rstrip("\n")
    return "\n\n".join(filter(None, ("\n".join(filter(None, (due, bank))), board and f"{_BOARD}{board}\n{secret}", text)))


def mime(club: Club, letter: LetterRow) -> bytes:
    """Return the mail of ``letter``, the same each time, with its slots filled; without a page if its reader wants text."""
    content, seat = content_of(letter), claim_in(letter.subject)
    if content.raw is not None:
        return content.raw
    due, bank, until, board, form = (letter.slots.get(name, "") for name in ("due", "bank", "until", "board", "form"))
    text, html = content.text.replace(UNTIL, due and f" {due}"), content.html
    footer = template("footer-member" if club.settings.people.join else "footer")[2].rstrip("\n")
    secret = _SECRET if "#" in board else _PAGES
    if letter.kind in ("report", "resent", "observed"):
        text = f"{report_lines(letter)}\n\n{footer}\n"
    if letter.person is not None and club.person(letter.person).prefs.format == "text":
        html = ""
    if html:  # of a report
        link = f'<p>{_BOARD}<a href="{escape(board)}">{escape(board)}</a><br>{secret}</p>' if board else ""
        lines = {
            "until": escape(until),
            "due": "".join(f"<p>{escape(line)}</p>" for line in (due * (not until), bank) if line) + link,
            "form": form and f"{form}\n",
            "end": f"<p>{escape(footer)}</p>",
        }
        page = filled_page(html, lines)
        if content.picture is not None and len(page.encode()) > _LONGEST:
            page = filled_page(without_figures(html, _ATTACHED), lines)
        html = page
    picture, kind = content.picture, content.kind_of_picture
    name, has_token = f"board.{'svg' if 'svg' in kind else 'png'}", club.settings.incoming.plus_addresses
    written = Letter(
        sender=club.settings.address,
        sender_name="".join(sign for sign in club.settings.name if sign.isalnum() or sign in " -_'").strip()
        or "adjudicator",
        to=letter.recipient,
        subject=letter.subject,
        text=text,
        html=html,
        message_id=letter.message_id,
        references=tuple(letter.thread.split()),
        attached=() if picture is None else (Attachment(name=name, kind=kind, data=picture),),
        written=letter.written,
        reply_to=address_with(seat.token, club.settings.address) if letter.seat and seat and has_token else "",
    )
    return letter_bytes(written)
