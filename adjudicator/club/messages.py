"""Take messages between players, keep them, and pass them on: at once, or with the next report.

A message without a name always goes with the next report, in an order that depends only on its text: neither its time, its
place, its Message-ID nor its recipients show who wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

import adjudicator as adj
from adjudicator.club.commands import Message
from adjudicator.club.failures import Failure, contain
from adjudicator.club.folder import REPORTS, ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import FOOTER, SeatLetter, write_to_moderator, write_to_seat
from adjudicator.club.message_archive import MessageRow, NewMessage
from adjudicator.club.missing import dropped_seats
from adjudicator.club.pending import line_with_order
from adjudicator.club.tokens import calendar_name, page_name
from adjudicator.core.phrases import listed
from adjudicator.core.values import MODERATOR, Seat, replace
from adjudicator.files.outbox import report_name
from adjudicator.library.letters import player_name
from adjudicator.library.texts import addressee
from adjudicator.reports.sanitize import printable

_ALL: Final = "all"
_LONGEST: Final = 5_000
_LONGEST_WORDS: Final = 500
"""The most characters of a message in a matter for the moderator."""
_FEWEST: Final = 3
"""The fewest players among whom a message without a name does not show who wrote it."""
AN_ORDER: Final = "an order, or the heading of orders"
_FEWEST_WORDS: Final = 3
"""The fewest words of a line of a report that shows that a message quotes it."""
_LONGEST_SHOWN: Final = 80
_LONGER: Final = "for more lines, write them below “MESSAGE to {}:”, and END below them."
_NOT_SENT: Final = "The club has not sent your message: "


def with_seats(game: adj.Game, message: Message) -> Message:
    """Return ``message`` with the seats that its names mean; unknown names stay, and `all` replaces all seats."""
    seats = addressee(game).seats_by_name()
    to = dict.fromkeys(name if name in (_ALL, MODERATOR) else seats.get(name, name) for name in message.to)
    if _ALL in to:
        to = {name: None for name in to if name == _ALL or name not in game.seats}
    return replace(message, to=tuple(to))


def refusal(club: ClubFolder, game: adj.Game, seat: Seat, message: Message) -> str:
    """Return why the club does not take ``message`` of ``seat`` (empty: it does); ``with_seats`` has read its names."""
    others = [other for other in _players(game) if other != seat]
    unknown = [name for name in message.to if name not in (*others, _ALL, MODERATOR)]
    if unknown:
        can = listed([*(player_name(game, other) for other in others), f"`{_ALL}`", f"the `{MODERATOR}`"], "or")
        return printable(f"The club cannot send your message to “{unknown[0]}”. You can write to {can}.")
    if not message.text or len(message.text) > _LONGEST:
        to = " and ".join(message.to)
        return printable(f"The club cannot send your message to {to}: it must have 1 to {_LONGEST:,} characters.")
    if message.is_anonymous and MODERATOR in message.to:
        return f"{_NOT_SENT}the moderator always sees who writes. Please send it again without `anonymous`."
    return "" if message.to == (MODERATOR,) else _refusal_among_players(club, game, seat, message)


def _refusal_among_players(club: ClubFolder, game: adj.Game, seat: Seat, message: Message) -> str:
    press = club.press_of(game.id)
    if press.policy == "off":
        return f"{_NOT_SENT}in this game, you can write only to the moderator."
    if club.seat_of(game.id, seat).muted:
        return f"{_NOT_SENT}the moderator has decided that you can write only to the moderator."
    if not message.is_anonymous:
        return ""
    if not press.is_anonymous:
        return f"{_NOT_SENT}this game does not allow messages without a name."
    if game.is_over:
        return f"{_NOT_SENT}the game is over, so no report comes with which it could go."
    if len({club.seat_of(game.id, one).addresses[0].lower() for one in _players(game)}) < _FEWEST:
        return f"{_NOT_SENT}with fewer than {_FEWEST} players, everybody would know who wrote it."
    return ""


def why_held(club: ClubFolder, game: adj.Game, seat: Seat, message: Message) -> tuple[str, str]:
    """Return the line for which the club holds ``message`` of ``seat`` back, and what it looks like; empty if it does not.

    A player who answers a report may send orders, or all of the report with its secrets, as a part of a message.
    """
    order = line_with_order(game, seat, message.text.split("\n"))
    if order:
        return order, AN_ORDER
    path = club.path(game.id, REPORTS, report_name(seat))
    report = path.read_text("utf-8", "replace") if path.is_file() else ""
    said = f" {_words(message.text)} "
    lines = (line for line in f"{report}\n{FOOTER}".split("\n") if len(_words(line).split()) >= _FEWEST_WORDS)
    return next(((line.strip(), "a line of your report") for line in lines if f" {_words(line)} " in said), ("", ""))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def promise_to_send(club: ClubFolder, game: adj.Game, seat: Seat, message: Message) -> str:
    """Return what the club does with ``message`` of ``seat``, which it takes, as sentences for its writer."""
    press = club.press_of(game.id)
    below = "" if line_with_order(game, seat, [message.below]) else message.below
    rest = f" It ends above “{below[:_LONGEST_SHOWN]}”: {_LONGER.format(' and '.join(message.to))}" if below else ""
    to = "all players" if _ALL in message.to else listed(player_name(game, Seat(one)) for one in _seats(message.to))
    to += f" and the {MODERATOR}" if MODERATOR in message.to else ""
    when = " with the next report" if message.is_anonymous or (press.is_with_report and not game.is_over) else ""
    name = ", without your name" if message.is_anonymous else ""
    if message.to == (MODERATOR,):
        return printable(f"The club sends your message to the moderator.{rest}")
    if press.policy == "free":
        return printable(f"The club sends your message to {to}{when}{name}.{rest}")
    return printable(f"The moderator reads your message first. Then the club sends it to {to}{when}{name}.{rest}")


def take_message(club: ClubFolder, ledger: Ledger, game: adj.Game, seat: Seat, message: Message, key: str, now: int) -> None:
    """Keep ``message`` of ``seat``, once under its ``key``; tell the moderator if it is for them or waits for them."""
    sender, text = player_name(game, seat), _harmless(club, ledger, game, message.text)
    others = [other for other in _players(game) if other != seat]
    is_held = club.press_of(game.id).policy == "moderated" and message.to != (MODERATOR,)
    kept = NewMessage(
        key=key,
        game=game.id,
        seat=seat,
        sender=sender,
        address=club.seat_of(game.id, seat).addresses[0].lower(),
        recipients=message.to,
        waiting=tuple(others if _ALL in message.to else _seats(message.to)),
        is_anonymous=message.is_anonymous,
        text=text,
        written=now,
        state="held" if is_held else "accepted",
    )
    with ledger.change():
        is_new = ledger.keep_message(kept)
        if is_new and is_held:
            names = _ALL if _ALL in message.to else listed(player_name(game, Seat(one)) for one in kept.waiting)
            nameless = " without a name" if message.is_anonymous else ""
            words = f"message{nameless} of {sender} to {names}: {' '.join(text.split())[:_LONGEST_WORDS]}"
            ledger.raise_matter(f"held/{key}", game.id, now, words)
    if MODERATOR in message.to:
        tell_moderator(club, ledger, game.id, f"message/{key}", f"{sender} writes:\n\n{quoted(text)}", now)


def tell_moderator(club: ClubFolder, ledger: Ledger, game: str, key: str, words: str, now: int, *, advice: str = "") -> None:
    """Raise a matter for the moderator with these ``words``, and write a letter about it, once under its ``key``.

    Only the letter has the ``advice``.
    """
    with ledger.change():
        ledger.raise_matter(key, game, now, words)
        first = words.partition("\n")[0].rstrip(":")
        write_to_moderator(club, ledger, key=key, game=game, subject=f"{game}: {first}", text=f"{words}\n{advice}", now=now)


def send_messages(club: ClubFolder, ledger: Ledger, now: int, troubles: list[str]) -> None:
    """Queue the accepted messages that need not wait for a report; ``troubles`` gets those of unusable games."""
    failures = list[Failure]()
    for message in ledger.waiting_messages():
        if message.game in club.games:
            with contain(failures.append), ledger.change():
                waits = message.is_anonymous or club.press_of(message.game).is_with_report
                for seat in () if waits and not ledger.game(message.game).is_over else message.waiting:
                    _pass_on(club, ledger, message, seat, now)
    troubles += dict.fromkeys(f"the club could not pass on a message: {one.cause}" for one in failures)


def send_messages_with_report(club: ClubFolder, ledger: Ledger, game: adj.Game, seats: Collection[str], now: int) -> None:
    """Queue the accepted messages for which ``seats`` wait: those with a name by time, then the others by their text.

    Those for simulated players are dropped.
    """
    for gone in dropped_seats(game):
        ledger.drop_messages_to(game.id, gone)
    waiting = ledger.waiting_messages(game.id)
    for seat in seats:
        found = [one for one in waiting if seat in one.waiting]
        for message in sorted(found, key=lambda one: (one.is_anonymous, _shown(club, one, "") if one.is_anonymous else "")):
            _pass_on(club, ledger, message, seat, now)


def _pass_on(club: ClubFolder, ledger: Ledger, message: MessageRow, seat: str, now: int) -> None:
    """Queue the letter with ``message`` to ``seat``, unless the moderator has switched off messages, or its sender's."""
    sender = club.settings_of(message.game).seats.get(message.seat)
    if club.press_of(message.game).policy == "off" or (sender is not None and sender.muted):
        return
    letter = SeatLetter(
        key=f"message/{message.key}/{seat}",
        kind="message",
        game=message.game,
        seat=seat,
        subject=f"{message.game}: message {'without a name' if message.is_anonymous else f'from {message.sender}'}",
        text=_shown(club, message, seat),
    )
    write_to_seat(club, ledger, letter, now)
    ledger.got_message(message.id, seat)


def _shown(club: ClubFolder, message: MessageRow, seat: str) -> str:
    """Return ``message`` as ``seat`` gets it.

    The quotation marks keep its lines from being taken for words of the club, and in an answer for orders.
    """
    to = message.recipients
    names = [_ALL] if _ALL in to else ["you", *(club.player_of(message.game, one) for one in _seats(to) if one != seat)]
    names += [f"the {MODERATOR}"] if MODERATOR in to else []
    if message.is_anonymous:  # the other names would show who has not written it
        head = f"A player writes to {names[0]}, without a name"
    else:
        head = f"{message.sender} writes to {listed(names)}"
    return f"{head}:\n\n{quoted(message.text)}\n"


def _players(game: adj.Game) -> Iterator[Seat]:
    """Yield the seats of people: simulated players neither write nor read."""
    gone = dropped_seats(game)
    return (seat for seat in game.seats if seat not in gone)


def _seats(to: tuple[str, ...]) -> Iterator[str]:
    return (name for name in to if name not in (_ALL, MODERATOR))


def _harmless(club: ClubFolder, ledger: Ledger, game: adj.Game, text: str) -> str:
    """Return ``text`` without the secrets of the game's players, however they are written, and invisible characters."""
    key = ledger.secret()
    for seat, one in club.settings_of(game.id).seats.items():
        page, calendar = page_name(key, game.id, seat, one.token), calendar_name(key, one.addresses[0])
        for secret in (one.token, page, calendar):
            text = re.sub(r"[\W_]*".join(map(re.escape, secret)), "…", text, flags=re.IGNORECASE)
    return text


def quoted(text: str) -> str:
    """Return the ``text`` of a player as a quote: each line safe to print, with a mark that the club's own lines lack."""
    return "\n".join(f"> {printable(line.expandtabs(4))}".rstrip() for line in text.splitlines())
