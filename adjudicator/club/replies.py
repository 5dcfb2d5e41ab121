"""Reply to each command in a mail."""

from __future__ import annotations

from typing import Final

import adjudicator as adj
from adjudicator.club.commands import (
    Command,
    Help,
    Holiday,
    MemberCommand,
    Message,
    Resend,
    Resign,
    RulesRequest,
    Status,
    Unclear,
    Vote,
    Wait,
)
from adjudicator.club.folder import ClubFolder
from adjudicator.club.holidays import holiday_flaw
from adjudicator.club.limits import Quota
from adjudicator.club.messages import AN_ORDER, promise_to_send, refusal, why_held, with_seats
from adjudicator.core.values import Seat, Value
from adjudicator.library.rulesets import rules_of
from adjudicator.reports.report import Report
from adjudicator.reports.report_text import report_text
from adjudicator.reports.rules import rules_text
from adjudicator.reports.sanitize import printable

_WIDTH: Final = 78
_STATUS: Final = frozenset({"position", "secrets", "due", "standings", "notes", "proofs"})
"""The blocks of a report that `STATUS` sends."""

_LONGEST_LINE: Final = 80
_HELD: Final = (
    "The club has not sent your message to {to}, because “{line}” in it looks like {like}. Nothing in it counts as an order."
    " If the line belongs to the message, please write it in other words. If not, send the message again without it:"
    " a text after the colon ends with its line, and a text below it with END or a blank line. Write orders below that."
)

HELP: Final = """\
How to write to this club

Answer any mail of your game and keep its subject. In a new mail, begin with the
line `token …` from the order form of your report.

Write each order on a separate line. The club ignores greetings, quotes and
signatures. `END` ends your orders. With `turn 7` above them, your orders count
for turn 7 only. Each new mail replaces your earlier orders, so write all of them
again.

Commands, each on a separate line:
  PREVIEW                             tests the orders in this mail; the club does not keep them
  WITHDRAW                            takes back all your orders that wait
  STATUS                              shows the position, as you may see it
  RESEND                              sends your last report again
  RULES CR-P1                         shows a rule, by its number or by a word in it
  HOLIDAY 2026-12-20 to 2027-01-03    no orders of yours are due on these days
  MESSAGE to blue, green: …           sends this line to players, `all` or the `moderator`; for a longer text, write
                                      nothing after the colon, the text below, and END or a blank line below it
  MESSAGE anonymous to blue: …        sends it without your name, with the next report, if your game allows this
  WAIT FOR DEADLINE                   plays this turn at the deadline, even if all orders are in; NOWAIT takes this back
  VOTE draw, VOTE undo                if all players vote for it, the moderator decides
  RESIGN                              asks the moderator for another player in your place
  HELP                                sends this list"""

_HELP_FOR_MEMBERS: Final = """\
Commands for members of the club, each on a separate line:
  GAMES                               lists the games, and those that you can join
  JOIN checkered-flag                 takes a place on the list for the next game
  JOIN race-7 as blue                 asks for a seat without a player; STANDIN race-7 asks for any
  LEAVE checkered-flag                gives up your place on a list; LEAVE alone, all your places
  RULES                               sends the house rules of the club
  WHO Ann                             shows a member with games, standing and ratings
  HOLIDAY 2026-12-20 to 2027-01-03    no orders of yours are due on these days, in all your games
  SET name=Ann                        changes your name in new games; SET format=text gives you mails without pages
  SET address=ann@example.org         changes your address, when you have confirmed it by a mail from there
  SET public=yes                      lets public pages name you in your games; SET public=no ends this
  SET standin=yes                     asks you when a seat of a game loses its player
  SET language=de                     lets you write orders in German, too, in games that begin from a list"""
_HELP_FOR_NEW: Final = "  NEW great-race players=3 deadline=48h   asks the moderator for a list for a new game"


class Reply(Value, kw_only=True):
    """The reply to a ``command``; ``is_done`` says whether the club carries it out.

    ``holds_orders`` says that it is a message, not sent, with what may be orders of the player.
    """

    command: Command
    text: str
    is_done: bool = True
    holds_orders: bool = False


def reply_to(club: ClubFolder, game: adj.Game, seat: Seat, command: Command, quota: Quota, at: int) -> Reply:
    """Return the reply to ``command``, which the player of ``seat`` sent ``at`` a time, in seconds since 1970.

    ``quota`` counts the days of holidays.
    """
    if isinstance(command, MemberCommand):
        return _of_member(club, command)
    match command:
        case Status():
            return Reply(command=command, text=_status(game, seat))
        case RulesRequest(wanted=wanted):
            return _rules(game, command, wanted)
        case Help():
            more = f"\n\n{help_for_members(club)}" if club.settings.people.join else ""
            return Reply(command=command, text=f"{HELP}{more}")
        case Resend():
            return Reply(command=command, text="The club sends your last report in a separate mail.")
        case Holiday():
            return reply_to_holiday(club, command, quota, at)
        case Resign():
            words = "The moderator gets your wish to resign. Please send orders until another player has your seat."
            return Reply(command=command, text=words)
        case Wait(is_on=is_on):
            return _wait(game, seat, command, is_on=is_on)
        case Vote(motion=motion):
            return Reply(
                command=command, text=f"The club has counted your vote for {motion}. It counts until the game continues."
            )
        case Message():
            return _message(club, game, seat, command)
        case Unclear(line=line, hint=hint):
            return Reply(
                command=command, text=printable(f"The club cannot read “{line[:80]}”. Please {hint}."), is_done=False
            )
        case _:
            return Reply(command=command, text="")


def _status(game: adj.Game, seat: Seat) -> str:
    """Return the position as the player of ``seat`` may see it, and what this player must do now."""
    own = game.seen_by(seat)
    report = Report(position=own.position, since=0, happened=(), secrets=own.secrets, has_answered=own.has_answered)
    return report_text(report, only=_STATUS | ({"to-do"} if report.own_due or own.has_answered else set())).rstrip("\n")


def _of_member(club: ClubFolder, command: Command) -> Reply:
    if club.settings.people.join:
        return Reply(command=command, text="The club answers your commands for members in a separate mail.")
    words = "In this club, the moderator decides who plays what. Please write `MESSAGE to moderator:` and your text."
    return Reply(command=command, text=words, is_done=False)


def help_for_members(club: ClubFolder) -> str:
    """Return the list of the commands for members."""
    return f"{_HELP_FOR_MEMBERS}\n{_HELP_FOR_NEW}" if club.settings.people.new else _HELP_FOR_MEMBERS


def _wait(game: adj.Game, seat: Seat, command: Command, *, is_on: bool) -> Reply:
    if seat not in game.due_seats:
        return Reply(command=command, text="It is not your turn: the game does not wait for you.", is_done=False)
    words = "The game now waits for the deadline, even if all orders are in. NOWAIT ends this."
    return Reply(command=command, text=words if is_on else "The game no longer waits for the deadline on your account.")


def _rules(game: adj.Game, command: Command, wanted: str) -> Reply:
    try:
        page = rules_of(game.meta.id, wanted.split())
    except adj.RequestError as error:  # its cause does not repeat the name of the game
        return Reply(command=command, text=printable(f"RULES {wanted}: {error.__cause__}"), is_done=False)
    return Reply(command=command, text=rules_text(page, game.meta, width=_WIDTH))


def reply_to_holiday(club: ClubFolder, command: Holiday, quota: Quota, at: int) -> Reply:
    """Return the reply to a holiday, as ``reply_to``."""
    time_zone = club.settings.time_zone
    flaw = holiday_flaw(club.settings.limits, command.first, command.last, at, time_zone)
    flaw = flaw or quota.holiday_flaw(command.first, command.last, time_zone)
    when = f"from {command.first} to {command.last}"
    if flaw:
        return Reply(command=command, text=f"The club cannot accept your holiday {when}: {flaw}.", is_done=False)
    return Reply(command=command, text=f"You are on holiday {when}. No orders of yours are due on these days.")


def _message(club: ClubFolder, game: adj.Game, seat: Seat, command: Message) -> Reply:
    command = with_seats(game, command)
    words = refusal(club, game, seat, command)
    line, like = ("", "") if words else why_held(club, game, seat, command)
    if line:
        to = " and ".join(command.to)
        words = printable(_HELD.format(to=to, line=line[:_LONGEST_LINE], like=like))
    text = words or promise_to_send(club, game, seat, command)
    return Reply(command=command, text=text, is_done=not words, holds_orders=like == AN_ORDER)
