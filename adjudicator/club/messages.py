"""Take messages between players, keep them, and pass them on: at once, or with the next report.

A message without a name always goes with the next report, in an order that depends only on its text: neither its time, its
place, its Message-ID nor its recipients show who wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Final

import adjudicator as adj
from adjudicator.club.club import Club, GameRow, SeatRow
from adjudicator.club.commands import Ask, Reply, for_one_game
from adjudicator.club.counting import line_with_order
from adjudicator.club.letters import page_name, template, write
from adjudicator.club.matters import ADVICE, raise_matter
from adjudicator.club.reports import last_report
from adjudicator.core.phrases import listed
from adjudicator.core.values import MODERATOR, Seat, Value
from adjudicator.library.results import player_name
from adjudicator.library.seat_records import SIMULATED
from adjudicator.library.texts import addressee
from adjudicator.reports.texts import GAP, printable

_ALL: Final = "all"
_LONGEST: Final = 5_000
_LONGEST_WORDS: Final = 500
"""The most characters of a message in a matter for the moderator."""
_FEWEST: Final = 3
"""The fewest players among whom a message without a name does not show who wrote it."""
_FEWEST_WORDS: Final = 3
"""The fewest words of a line of a report: a message with such a line quotes the report."""
_LONGEST_SHOWN: Final = 80
_LONGER: Final = "for more lines, write them below “MESSAGE to {}:”, and END below them."
_HELD: Final = (
    "The club has not sent your message to {to}, because “{line}” in it looks like {like}. Nothing in it counts as an order."
    " If the line belongs to the message, please write it in other words. If not, send the message again without it:"
    " a text after the colon ends with its line, and a text below it with END or a blank line. Write orders below that."
)
_WAITING: Final = "select * from messages where waiting <> '[]' and state = 'accepted'"
_OF_GAME: Final = (
    "select written as written_at, seat, sender as player, is_anonymous, recipients as message_to, waiting as waiting_seats,"
    " state, text from messages where game = ? order by id"
)
_NO_LONGER: Final = "update messages set waiting = (select json_group_array(value) from json_each(waiting) where value <> ?)"


class MessageRow(Value, kw_only=True):
    """A message in the ledger, for those who get it; see `schema.sql`."""

    id: int
    game: int
    seat: str
    sender: str
    recipients: tuple[str, ...]
    waiting: tuple[str, ...]
    is_anonymous: bool
    text: str


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


def take(ask: Ask, to: Sequence[str], text: str, below: str = "", *, anonymous: bool = False) -> Reply:
    """Keep a message in a player's mail ``to`` seats, players, `all` or `moderator`, once; the moderator gets theirs now.

    ``below`` is the line of the mail that the message does not include.
    """
    club, row, seat, game = ask.club, ask.row, ask.seat, ask.game
    if row is None or seat is None or game is None:
        if anonymous or not text or [*to] != [MODERATOR]:
            return for_one_game("MESSAGE")
        words = f"{ask.person.name} ({ask.person.address}) writes:\n\n{quoted(text[:_LONGEST])}"
        raise_matter(club, "note", words, key=f"message/{ask.key}", person=ask.person, advice=ADVICE)
        return Reply("The moderator gets your message.")
    own, players, rules = Seat(seat.seat), [one for one in game.seats if game.players[one] != SIMULATED], club.press(row)
    others = [one for one in players if one != own]
    seats = addressee(game).seats_by_name()
    to = list(dict.fromkeys(name if name in (_ALL, MODERATOR) else seats.get(name, name) for name in to))
    to = [name for name in to if name == _ALL or name not in game.seats] if _ALL in to else to
    if unknown := [name for name in to if name not in (*others, _ALL, MODERATOR)]:
        can = listed([*(player_name(game, one) for one in others), f"`{_ALL}`", f"the `{MODERATOR}`"], "or")
        return Reply(
            printable(f"The club cannot send your message to “{unknown[0]}”. You can write to {can}."), is_done=False
        )
    if not text or len(text) > _LONGEST:
        words = f"The club cannot send your message to {' and '.join(to)}: it must have 1 to {_LONGEST:,} characters."
        return Reply(printable(words), is_done=False)
    people = {club.seat(row, one).person for one in players} if anonymous else set()
    is_to_players = to != [MODERATOR]
    refusals = {
        "the moderator always sees who writes. Please send it again without `anonymous`.": anonymous and MODERATOR in to,
        "in this game, you can write only to the moderator.": is_to_players and rules.press == "off",
        "the moderator has decided that you can write only to the moderator.": is_to_players and seat.muted,
        "this game does not allow messages without a name.": anonymous and not rules.press_anonymous,
        "the game is over, so no report comes with which it could go.": anonymous and game.is_over,
        f"with fewer than {_FEWEST} players, everybody would know who wrote it.": anonymous and len(people) < _FEWEST,
    }
    if refusal := next((words for words, is_refused in refusals.items() if is_refused), ""):
        return Reply(f"The club has not sent your message: {refusal}", is_done=False)
    order = line_with_order(game, own, text.split("\n"))
    if line := order or _line_of_report(club, seat, text):
        like = "an order, or the heading of orders" if order else "a line of your report"
        words = _HELD.format(to=" and ".join(to), line=line[:_LONGEST_SHOWN], like=like)
        return Reply(printable(words), is_done=False, holds_orders=bool(order))
    waiting = others if _ALL in to else [Seat(name) for name in to if name != MODERATOR]
    sender = player_name(game, own)
    for one in club.seats(row):  # no player gives away the secrets of the game, however they are written
        for secret in (one.token, page_name(club.secret, row.name, one.seat, one.token)):
            text = re.sub(r"[\W_]*".join(map(re.escape, secret)), "…", text, flags=re.IGNORECASE)
    is_held = is_to_players and rules.press == "moderated"
    new = club.db.insert(
        "messages",
        unless="key",
        key=ask.key,
        game=row.id,
        seat=own,
        person=seat.person,
        sender=sender,
        recipients=to,
        waiting=waiting,
        is_anonymous=anonymous,
        text=text,
        written=club.now,
        state="held" if is_held else "accepted",
    )
    names, raise_about = listed(player_name(game, one) for one in waiting), partial(raise_matter, club, game=row, seat=own)
    if new and is_held:
        nameless, words = " without a name" if anonymous else "", " ".join(text.split())[:_LONGEST_WORDS]
        words = f"message{nameless} of {sender} to {_ALL if _ALL in to else names}: {words}"
        raise_about("message", words, key=f"held/{ask.key}", message=new, person=ask.person)
    if new and MODERATOR in to:
        words = f"{sender} writes:\n\n{quoted(text)}"
        raise_about("note", words, key=f"message/{ask.key}", message=new, person=ask.person, advice="")
    shown = "" if below and line_with_order(game, own, [below]) else below[:_LONGEST_SHOWN]
    rest = f" It ends above “{shown}”: {_LONGER.format(' and '.join(to))}" if shown else ""
    if not is_to_players:
        return Reply(printable(f"The club sends your message to the moderator.{rest}"))
    whom = ("all players" if _ALL in to else names) + (f" and the {MODERATOR}" if MODERATOR in to else "")
    when = " with the next report" if anonymous or (rules.press_with_report and not game.is_over) else ""
    how = f"to {whom}{when}{', without your name' if anonymous else ''}.{rest}"
    if rules.press == "free":
        return Reply(printable(f"The club sends your message {how}"))
    return Reply(printable(f"The moderator reads your message first. Then the club sends it {how}"))


def _line_of_report(club: Club, seat: SeatRow, text: str) -> str:
    """Return a line of the player's last report in ``text``; empty if it has none.

    A player who answers a report may send all of it with its secrets as a part of a message.
    """
    report = last_report(club, seat)
    lines = f"{report.text if report else ''}\n{template('footer')[2]}".split("\n")
    said = f" {_words(text)} "
    long = (line for line in lines if len(_words(line).split()) >= _FEWEST_WORDS)
    return next((line.strip() for line in long if f" {_words(line)} " in said), "")


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def send_waiting(club: Club) -> None:
    """Queue the accepted messages that need not wait for a report."""
    for message in club.db.all(MessageRow, f"{_WAITING} order by id"):
        with club.db.transaction():
            row = club.row(message.game)
            waits = (message.is_anonymous or club.press(row).press_with_report) and not row.is_over
            for seat in () if waits else message.waiting:
                _pass_on(club, row, message, seat)


def send_with_report(club: Club, row: GameRow, game: adj.Game, seats: Collection[str]) -> None:
    """Queue the accepted messages for which ``seats`` wait: those with a name by time, then the others by their text.

    Those for simulated players are dropped.
    """
    for gone in (seat for seat, holder in game.players.items() if holder == SIMULATED):
        drop_messages_to(club, row, gone)
    waiting = club.db.all(MessageRow, f"{_WAITING} and game = ? order by id", row.id)
    for seat in seats:
        found = [one for one in waiting if seat in one.waiting]
        for message in sorted(found, key=lambda one: (one.is_anonymous, _text_for(one, "", {}) if one.is_anonymous else "")):
            _pass_on(club, row, message, seat)


def drop_messages_to(club: Club, row: GameRow, seat: str) -> None:
    """Drop the messages that a ``seat`` waits for: it has another player now, or none."""
    club.db.run(f"{_NO_LONGER} where game = ? and waiting <> '[]'", seat, row.id)


def _pass_on(club: Club, row: GameRow, message: MessageRow, seat: str) -> None:
    """Queue the letter with ``message`` to ``seat``, unless the moderator has switched off messages, or its sender's."""
    players = {one.seat: one for one in club.seats(row)}
    sender = players.get(message.seat)
    if club.press(row).press == "off" or (sender is not None and sender.muted) or seat not in players:
        return
    name, text = "nameless" if message.is_anonymous else "message", _text_for(message, seat, players)
    write(club, name, players[seat], f"message/{message.id}/{seat}", game=row, sender=message.sender, text=text)
    club.db.run(f"{_NO_LONGER} where id = ?", seat, message.id)


def _text_for(message: MessageRow, seat: str, players: Mapping[str, SeatRow]) -> str:
    """Return ``message`` as ``seat`` gets it.

    The quotation marks keep its lines from being taken for words of the club, and in an answer for orders.
    """
    to = message.recipients
    others = [players[one].player for one in to if one in players and one != seat]
    names = [_ALL] if _ALL in to else ["you", *others]
    names += [f"the {MODERATOR}"] if MODERATOR in to else []
    if message.is_anonymous:  # the other names would show who has not written it
        head = f"A player writes to {names[0]}, without a name"
    else:
        head = f"{message.sender} writes to {listed(names)}"
    return f"{head}:\n\n{quoted(message.text)}\n"


def messages_of(club: Club, row: GameRow) -> ClubMessages:
    """Return all messages of the players of a game."""
    return ClubMessages(game=row.name, club_messages=tuple(club.db.all(ClubMessage, _OF_GAME, row.id)))


def messages_text(found: ClubMessages, moment: Callable[[int], str]) -> str:
    """Return the messages of a game for people: a line for each, and below it its text."""
    blocks = []
    for one in found.club_messages:
        name = ", without a name," if one.is_anonymous else ""
        sent = f"not sent yet to {', '.join(one.waiting_seats)}" if one.waiting_seats else "sent"
        fate = {"accepted": sent, "held": "waits for you"}.get(one.state, "dropped")
        head = f"{moment(one.written_at)}  {one.player}{name} to {', '.join(one.message_to)}  ({fate})"
        blocks.append("\n".join([head, *(f"{GAP}{line}" for line in one.text.split("\n"))]))
    return "\n\n".join(blocks) or f"{found.game}: no messages"


def quoted(text: str) -> str:
    """Return the ``text`` of a player as a quote: each line safe to print, with a mark that the club's own lines lack."""
    return "\n".join(f"> {printable(line.expandtabs(4))}".rstrip() for line in text.splitlines())
