"""Take messages between players, keep them, and pass them on: at once, or with the next report.

A message without a name always goes with the next report, in an order that depends only on its text: neither its time, its
place, its Message-ID nor its recipients show who wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

import adjudicator as adj
from adjudicator.club2.club import Club, GameRow, SeatRow
from adjudicator.club2.commands import Ask, Reply
from adjudicator.club2.counting import line_with_order
from adjudicator.club2.letters import footer, write
from adjudicator.club2.matters import raise_matter
from adjudicator.club2.reports import last_report
from adjudicator.club2.tokens import calendar_name, page_name
from adjudicator.core.phrases import listed
from adjudicator.core.values import MODERATOR, Seat, Value
from adjudicator.library.letters import player_name
from adjudicator.library.seat_records import SIMULATED
from adjudicator.library.texts import addressee
from adjudicator.reports.sanitize import printable
from adjudicator.reports.slots import FORM_IN_TEXT

_ALL: Final = "all"
_LONGEST: Final = 5_000
_LONGEST_WORDS: Final = 500
"""The most characters of a message in a matter for the moderator."""
_FEWEST: Final = 3
"""The fewest players among whom a message without a name does not show who wrote it."""
_AN_ORDER: Final = "an order, or the heading of orders"
_FEWEST_WORDS: Final = 3
"""The fewest words of a line of a report that shows that a message quotes it."""
_LONGEST_SHOWN: Final = 80
_LONGER: Final = "for more lines, write them below “MESSAGE to {}:”, and END below them."
_NOT_SENT: Final = "The club has not sent your message: "
_HELD: Final = (
    "The club has not sent your message to {to}, because “{line}” in it looks like {like}. Nothing in it counts as an order."
    " If the line belongs to the message, please write it in other words. If not, send the message again without it:"
    " a text after the colon ends with its line, and a text below it with END or a blank line. Write orders below that."
)


class MessageRow(Value, kw_only=True):
    """A message in the ledger; see `schema.sql`."""

    id: int
    key: str
    game: int
    seat: str
    person: int | None
    sender: str
    recipients: tuple[str, ...]
    waiting: tuple[str, ...]
    is_anonymous: bool
    text: str
    written: int
    state: str


class ClubMessage(Value, kw_only=True):
    """A message of the ``player`` of a ``seat`` to seats, `all` or the `moderator`; ``written_at`` is in seconds since 1970.

    ``state`` is "held" while it waits for the moderator, "accepted" or "dropped"; ``waiting_seats`` must still get it.
    """

    written_at: int
    seat: str
    player: str
    is_anonymous: bool
    message_to: tuple[str, ...]
    waiting_seats: tuple[str, ...]
    state: str
    text: str


class ClubMessages(Value, kw_only=True):
    """The messages of the players of a ``game``, the oldest first."""

    game: str
    club_messages: tuple[ClubMessage, ...]


def take(ask: Ask, to: Collection[str], text: str, below: str = "", anonymous: bool = False) -> Reply:  # noqa: FBT001, FBT002
    """Keep a message in a player's mail ``to`` seats, players, `all` or `moderator`, once; the moderator gets theirs at once.

    ``below`` is the line of the mail that the message does not include.
    """
    raise NotImplementedError


def send_waiting(club: Club) -> None:
    """Queue the accepted messages that need not wait for a report."""
    raise NotImplementedError


def send_with_report(club: Club, row: GameRow, game: adj.Game, seats: Collection[str]) -> None:
    """Queue the accepted messages for which ``seats`` wait: those with a name by time, then the others by their text.

    Those for simulated players are dropped.
    """
    raise NotImplementedError


def drop_messages_to(club: Club, row: GameRow, seat: str) -> None:
    """Drop the messages that a ``seat`` waits for: it has another player now, or none."""
    raise NotImplementedError


def messages_of(club: Club, row: GameRow) -> ClubMessages:
    """Return all messages of the players of a game."""
    raise NotImplementedError


def quoted(text: str) -> str:
    """Return the ``text`` of a player as a quote: each line safe to print, with a mark that the club's own lines lack."""
    return "\n".join(f"> {printable(line.expandtabs(4))}".rstrip() for line in text.splitlines())
