"""What each mail command does. Its form, its limit and its lines in HELP are above each function."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final

import adjudicator as adj
from adjudicator.club import clock, lists, messages, people, reports
from adjudicator.club.club import GameRow, SeatRow
from adjudicator.club.commands import Ask, Command, Reply, for_one_game, help_text
from adjudicator.club.matters import raise_matter
from adjudicator.core.phrases import PLEASE
from adjudicator.core.values import Seat
from adjudicator.library.rulesets import rules_of
from adjudicator.library.seat_records import SIMULATED
from adjudicator.reports.report import Report
from adjudicator.reports.report_text import report_text
from adjudicator.reports.rules import rules_text
from adjudicator.reports.sanitize import printable

_WIDTH: Final = 78
_TRIED: Final = PLEASE | {
    *("only", "my", "the", "these", "this", "orders", "order", "moves", "turn", "sheet", "mail", "of", "for", "me")
}
"""Words that may follow PREVIEW."""
_STATUS: Final = frozenset({"position", "secrets", "due", "standings", "notes", "proofs"})
"""The blocks of a report that STATUS sends."""
_HOLIDAY: Final = "HOLIDAY 2026-12-20 to 2027-01-03"
_HINT_OF_HOLIDAY: Final = f"write a holiday like {_HOLIDAY}"
_HINT_OF_MESSAGE: Final = (
    "write a message like MESSAGE to blue: or MESSAGE anonymous to blue, green: and the text below it, up to a line END"
)
_RESIGNS: Final = """\
`club seat` gives the seat to another player. `club accept`, with the number in `club status`, gives it to a
simulated player, and the club asks the members who stand in."""


@Command(
    "PREVIEW",
    to="seat",
    beside=_TRIED,
    seat_help="PREVIEW | tests the orders in this mail; the club does not keep them\n"
    "WITHDRAW | takes back all your orders that wait",  # an order of every game
)
def preview(_ask: Ask) -> Reply:
    """Test the orders of the mail: the receipt does it."""
    return Reply("")


@Command("STATUS", to="seat", quota="status", seat_help="STATUS | shows the position, as you may see it")
def status(ask: Ask) -> Reply:
    """Return the position as the player may see it, and what this player must do now."""
    _, seat, game = _own(ask)
    own = game.seen_by(Seat(seat.seat))
    report = Report(position=own.position, since=0, happened=(), secrets=own.secrets, has_answered=own.has_answered)
    blocks = _STATUS | ({"to-do"} if report.own_due or own.has_answered else set())
    return Reply(report_text(report, only=blocks).rstrip("\n"))


@Command("RESEND", to="seat", quota="status", seat_help="RESEND | sends your last report again")
def resend(ask: Ask) -> Reply:
    """Queue a copy of the last report, with the present deadline."""
    row, seat, game = _own(ask)
    reports.resend(ask.club, row, game, seat, f"resend/{ask.key}", ask.thread)
    return Reply("The club sends your last report in a separate mail.")


Command("GAMES", to="club", quota="status", club_help="GAMES | lists the games, and those that you can join")(
    lambda ask: Reply(lists.games_text(ask.club, ask.person))
)
Command(
    "JOIN [{wanted:game} [as {seat:seat}]]",
    to="club",
    quota="messages",
    club_help="JOIN checkered-flag | takes a place on the list for the next game\n"
    "JOIN race-7 as blue | asks for a seat without a player; STANDIN race-7 asks for any",
)(lambda ask, wanted="", seat="": Reply(lists.join(ask.club, ask.person, wanted, seat)))
Command("STANDIN {game:game}", to="club", quota="messages")(
    lambda ask, game: Reply(lists.ask_for_seat(ask.club, ask.person, game))
)
Command(
    "LEAVE [{wanted:game}]",
    to="club",
    quota="messages",
    club_help="LEAVE checkered-flag | gives up your place on a list; LEAVE alone, all your places",
)(lambda ask, wanted="": Reply(lists.leave(ask.club, ask.person, wanted)))


@Command(
    "RULES|RULE {wanted:rest}",
    to="seat club",
    quota="rules",
    seat_help="RULES CR-P1 | shows a rule, by its number or by a word in it",
    club_help="RULES | sends the house rules of the club",
)
def rules(ask: Ask, wanted: str) -> Reply:
    """Return rules of the game by number or word (empty: all), or the house rules of the club."""
    if ask.game is None and wanted:
        return for_one_game("RULES")
    if ask.game is None:
        none = "This club has no house rules. For the rules of a game, answer a mail of that game."
        return Reply(ask.club.house_rules() or none)
    try:
        page = rules_of(ask.game.meta.id, wanted.split())
    except adj.RequestError as error:  # its cause does not repeat the name of the game
        return Reply(printable(f"RULES {wanted}: {error.__cause__}"), is_done=False)
    return Reply(rules_text(page, ask.game.meta, width=_WIDTH))


Command(
    "WHO {name:member}", to="club", quota="status", club_help="WHO Ann | shows a member with games, standing and ratings"
)(lambda ask, name: Reply(people.show_member(ask.club, name)))


@Command(
    "HOLIDAY [from] {first:date} to|until|–|- {last:date}",
    to="seat club",
    quota="messages",
    hint=_HINT_OF_HOLIDAY,
    seat_help=f"{_HOLIDAY} | no orders of yours are due on these days, in all your games",
    club_help=f"{_HOLIDAY} | no orders of yours are due on these days, in all your games",
)
def holiday(ask: Ask, first: date, last: date) -> Reply:
    """Note that the person is away: deadlines move, and the journals of all their games say so."""
    if last < first:
        words = f"The club cannot read “HOLIDAY {first} to {last}”. Please {_HINT_OF_HOLIDAY}, with the first day first."
        return Reply(words, is_done=False)
    when = f"from {first} to {last}"
    if flaw := clock.holiday_flaw(ask.club, ask.person, first, last, ask.mail.received):
        return Reply(f"The club cannot accept your holiday {when}: {flaw}.", is_done=False)
    clock.note_holiday(ask.club, ask.person, first, last)
    return Reply(f"You are on holiday {when}. No orders of yours are due on these days.")


@Command("MESSAGE [{anonymous:anonymous}] [to] {to:player} {text:prose}", to="seat club", quota="messages", has_text=True)
@Command(
    "MESSAGE [{anonymous:anonymous}] [to] {to:players} [: {text:text}]",
    to="seat club",
    quota="messages",
    hint=_HINT_OF_MESSAGE,
    has_text=True,
    seat_help="MESSAGE to blue, green: … | sends this line to players, `all` or the `moderator`; for a longer text, write\n"
    " | nothing after the colon, the text below, and END or a blank line below it\n"
    "MESSAGE anonymous to blue: … | sends it without your name, with the next report, if your game allows this",
)
def message(ask: Ask, to: tuple[str, ...], text: str, below: str, anonymous: bool = False) -> Reply:
    """Send a text to players or the moderator; ``below`` is the line after its end, if it may be meant as a part of it."""
    return messages.take(ask, to, text, below, anonymous=anonymous)


def wait(ask: Ask, *, is_on: bool) -> Reply:
    """Let the present turn last until its deadline, or no longer."""
    _, seat, game = _own(ask)
    if seat.seat not in game.due_seats:
        return Reply("It is not your turn: the game does not wait for you.", is_done=False)
    _vote(ask, "wait", game.position_hash if is_on else "")
    words = "The game now waits for the deadline, even if all orders are in. NOWAIT ends this."
    return Reply(words if is_on else "The game no longer waits for the deadline on your account.")


Command(
    "WAIT for|until|till [the] deadline",
    to="seat",
    quota="messages",
    seat_help="WAIT FOR DEADLINE | plays this turn at the deadline, even if all orders are in; NOWAIT takes this back",
)(partial(wait, is_on=True))
Command("NOWAIT", to="seat", quota="messages")(partial(wait, is_on=False))


@Command(
    "VOTE [for] {motion:motion}",
    to="seat",
    hint="write VOTE draw or VOTE undo",
    seat_help="VOTE draw, VOTE undo | if all players vote for it, the moderator decides",
)
def vote(ask: Ask, motion: str) -> Reply:
    """Count a vote in the present position; if all players agree, the moderator decides. Simulated players have no vote."""
    row, _, game = _own(ask)
    seal = game.record.seal
    _vote(ask, motion, seal)
    voters = (one for one in ask.club.seats(row) if game.players[Seat(one.seat)] != SIMULATED)
    if all(one.votes.get(motion) == seal for one in voters):
        words = f"all players vote for {motion}"
        raise_matter(ask.club, "note", words, key=f"vote/{row.id}/{seal}/{motion}", game=row, advice="")
    return Reply(f"The club has counted your vote for {motion}. It counts until the game continues.")


@Command(
    "RESIGN",
    to="seat",
    quota="messages",
    signs=".,!",
    seat_help="RESIGN | asks the moderator for another player in your place",
)
def resign(ask: Ask) -> Reply:
    """Ask the moderator for another player in the seat."""
    row, seat, _ = _own(ask)
    words, key = f"{seat.player} wants to resign", f"resign/{seat.id}/{ask.key}"
    raise_matter(ask.club, "resign", words, key=key, game=row, seat=seat.seat, person=ask.person, advice=_RESIGNS)
    return Reply("The moderator gets your wish to resign. Please send orders until another player has your seat.")


Command("REGISTER {name:name}", to="club", quota="messages")(
    lambda ask, name: Reply(people.change_setting(ask.club, ask.person, "name", name))
)
Command(
    "SET {name:word} = {value:value}",
    to="club",
    quota="messages",
    club_help="SET name=Ann | changes your name in new games; SET format=text gives you mails without pages\n"
    "SET address=ann@example.org | changes your address, when you have confirmed it by a mail from there\n"
    "SET public=yes | lets public pages name you in your games; SET public=no ends this\n"
    "SET standin=yes | asks you when a seat of a game loses its player\n"
    "SET language=de | lets you write orders in German, too, in games that begin from a list",
)(lambda ask, name, value: Reply(people.change_setting(ask.club, ask.person, name, value)))
Command(
    "NEW {ruleset:word} [{wish:pairs}]",
    to="club",
    quota="messages",
    club_help="NEW great-race players=3 deadline=48h | asks the moderator for a list for a new game",
)(lambda ask, ruleset, wish=None: Reply(lists.propose(ask.club, ask.person, ruleset, wish or {}, ask.key)))


Command("HELP", to="seat club", quota="status", seat_help="HELP | sends this list")(
    lambda ask: Reply(help_text(ask.club.settings.people, is_for_seat=ask.game is not None))
)


def _own(ask: Ask) -> tuple[GameRow, SeatRow, adj.Game]:
    """Return the game and the seat of a command that works only in a player's mail."""
    assert ask.row is not None
    assert ask.seat is not None
    assert ask.game is not None
    return ask.row, ask.seat, ask.game


def _vote(ask: Ask, motion: str, mark: str) -> None:
    """Record a vote for ``motion`` in the position of ``mark`` (empty: no longer), and look at the game again."""
    row, seat, _ = _own(ask)
    ask.club.db.update("seats", seat.id, votes={**ask.club.seat(row, seat.seat).votes, motion: mark})
    ask.club.db.update("games", row.id, changed=-1)
