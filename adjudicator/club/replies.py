"""What each command in a mail is answered with, and what it changes."""

from __future__ import annotations

from typing import Final

from adjudicator.club.commands import Command, Help, Holiday, Message, Resend, Resign, RulesAsked, Status, Unclear, Vote
from adjudicator.club.deadlines import holiday_flaw
from adjudicator.club.folder import ClubFolder
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.present import position_of
from adjudicator.reports.position import position_text
from adjudicator.reports.rules import rules_text
from adjudicator.reports.sanitize import printable
from adjudicator.resources import rules_page
from adjudicator.rulebook.page import MalformedPage, read_page
from adjudicator.rulebook.search import NotOnThePage, look_up
from adjudicator.session import Session

_WIDTH: Final = 78
_LONGEST_MESSAGE: Final = 5_000
_ALL: Final = "all"

HELP: Final = """\
How to write to this club

Answer a mail of your game, so that the subject stays; or begin with its subject in brackets.
Write your orders one on a line; greetings, quotes and signatures do no harm. `END` ends them.
Above orders, `turn 7` makes sure that they are taken for no other turn.
A new mail with all your orders takes the place of what waits. WITHDRAW takes back all that waits.

Commands, each on a line of its own:
  PREVIEW                             say what is wrong with the orders in this mail, and keep nothing
  STATUS                              how the game stands, as you may see it
  RESEND                              your last report once more
  RULES CR-P1                         a rule by its number, or by a word in it
  HOLIDAY 2026-12-20 to 2027-01-03    nothing is due from you on these days
  MESSAGE to blue: …                  a message to a seat, to `all` or to the `moderator`, up to END
  VOTE draw, VOTE undo                the moderator acts when all have voted for it
  RESIGN                              give your seat up; the moderator finds somebody
  HELP                                this"""


@frozen(kw_only=True)
class Reply:
    """What a ``command`` is answered with, and what became of it: ``is_done`` unless it made no sense."""

    command: Command
    text: str
    is_done: bool = True


def reply_to(club: ClubFolder, session: Session, seat: Seat, command: Command, at: int) -> Reply:
    """Return the answer to ``command``, which the player of ``seat`` sent ``at`` a time, in seconds since 1970."""
    match command:
        case Status():
            return Reply(command=command, text=position_text(position_of(session, seat)))
        case RulesAsked(wanted=wanted):
            return _rules(session, command, wanted)
        case Help():
            return Reply(command=command, text=HELP)
        case Resend():
            return Reply(command=command, text="Your last report comes in a mail of its own.")
        case Holiday():
            return _holiday(club, command, at)
        case Resign():
            words = "The moderator is told that you want to give your seat up. Until then it stays yours."
            return Reply(command=command, text=words)
        case Vote(motion=motion):
            return Reply(command=command, text=f"Your vote for {motion} is noted. It lasts until the game has gone on.")
        case Message():
            return _message(club, session, seat, command)
        case Unclear(line=line, hint=hint):
            return Reply(command=command, text=printable(f"“{line[:80]}” cannot be read: {hint}."), is_done=False)
        case _:
            return Reply(command=command, text="")


def _rules(session: Session, command: Command, wanted: str) -> Reply:
    about = session.rules.meta
    try:
        page = look_up(read_page(rules_page(about)), wanted.split())
    except (NotOnThePage, MalformedPage) as error:
        return Reply(command=command, text=printable(f"RULES {wanted}: {error}"), is_done=False)
    return Reply(command=command, text=rules_text(page, about, width=_WIDTH))


def _holiday(club: ClubFolder, command: Holiday, at: int) -> Reply:
    flaw = holiday_flaw(club.settings.limits, command.first, command.last, at, club.settings.time_zone)
    when = f"from {command.first} to {command.last}"
    if flaw:
        return Reply(command=command, text=f"Your holiday {when} was not accepted: {flaw}.", is_done=False)
    return Reply(command=command, text=f"You are away {when}: nothing is due from you until then.")


def _message(club: ClubFolder, session: Session, seat: Seat, command: Message) -> Reply:
    others = [*(other for other in session.seats if other != seat), _ALL, MODERATOR]
    if command.to not in others:
        words = f"No message was sent: there is no “{command.to}”; there are {', '.join(others)}."
        return Reply(command=command, text=printable(words), is_done=False)
    if not command.text or len(command.text) > _LONGEST_MESSAGE:
        words = f"No message was sent to {command.to}: it must have 1 to {_LONGEST_MESSAGE:,} characters."
        return Reply(command=command, text=words, is_done=False)
    if command.to == MODERATOR:
        return Reply(command=command, text="Your message goes to the moderator.")
    if club.settings.press == "off":
        return Reply(command=command, text="No message was sent: this club passes none on.", is_done=False)
    when = "goes" if club.settings.press == "free" else "waits for the moderator, and then goes"
    return Reply(command=command, text=f"Your message {when} to {command.to}.")
