"""Write the deadlines of a club as iCalendar files: one for all games, and one for each player at a secret address.

A calendar has one event for each game, which moves with the deadline. The name of a player's file depends on the club's
secret and on the player's address, so it stays when games begin and end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.club.tokens import calendar_name
from adjudicator.core.values import Seat
from adjudicator.reports.sanitize import printable

ALL_GAMES: Final = "deadlines.ics"
SUFFIX: Final = ".ics"
_LONGEST: Final = 74
"""The bytes of a line; the next line continues it."""
_ESCAPED: Final = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


def calendar_of_all(club: ClubFolder, rows: Iterable[GameRow], pages: Mapping[str, str]) -> bytes:
    """Return the calendar with the deadlines of all games in ``rows``; ``pages`` are the addresses of their pages."""
    return _calendar(club, club.settings.name, ((row, row.id) for row in rows), pages)


def player_calendars(club: ClubFolder, rows: Iterable[GameRow], secret: bytes, pages: Mapping[str, str]) -> dict[str, bytes]:
    """Return the calendar of each player, by the name of its file, with the deadlines of the player's own orders.

    Raises ``CannotRead``, ``Untrusted`` if the settings of a game cannot be read.
    """
    due: dict[str, list[tuple[GameRow, str]]] = {}
    for row in rows:
        for seat, settings in club.settings_of(row.id).seats.items():
            own = due.setdefault(calendar_name(secret, settings.addresses[0]), [])
            if seat in row.awaited:
                own.append((row, f"{row.id} ({seat})"))
    title = f"{club.settings.name}: your orders"
    return {f"{name}{SUFFIX}": _calendar(club, title, found, pages) for name, found in due.items()}


def calendar_address(club: ClubFolder, ledger: Ledger, game: str, seat: Seat) -> str:
    """Return the address of the calendar of the player of ``seat``; empty if the club has no address for its pages."""
    url = club.settings.public.url
    return url and f"{url}{calendar_name(ledger.secret(), club.seat_of(game, seat).addresses[0])}{SUFFIX}"


def _calendar(club: ClubFolder, title: str, events: Iterable[tuple[GameRow, str]], pages: Mapping[str, str]) -> bytes:
    """Return a calendar with an event for the deadline of each game and its words."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//adjudicator//club//EN", f"X-WR-CALNAME:{_text(title)}"]
    for row, words in events:
        if row.due and not row.is_over and not row.is_paused:
            lines += _event(row, words, club.settings.address, pages.get(row.id, ""))
    return "".join(f"{part}\r\n" for line in (*lines, "END:VCALENDAR") for part in _folded(line)).encode()


def _event(row: GameRow, words: str, club: str, page: str) -> Iterator[str]:
    due = datetime.fromtimestamp(row.due, UTC).strftime("%Y%m%dT%H%M%SZ")
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(f'{words}/{club}')}"
    yield f"DTSTAMP:{due}"  # not the present time: the same deadlines make the same file
    yield f"DTSTART:{due}"
    yield f"SUMMARY:{_text(f'{words}: orders due')}"
    if page:
        yield f"URL:{page}"
    yield "END:VEVENT"


def _text(words: str) -> str:
    return printable(words).translate(_ESCAPED)


def _folded(line: str) -> Iterator[str]:
    """Yield ``line`` in parts of at most 75 bytes, each after the first with a blank before it."""
    part = ""
    for letter in line:
        if len((part + letter).encode()) > _LONGEST:
            yield part
            part = " "
        part += letter
    yield part
