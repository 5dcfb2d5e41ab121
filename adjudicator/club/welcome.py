"""Write the first letter to a player: who plays, how to answer, an order to copy, and the deadline."""

from __future__ import annotations

from typing import Final

import adjudicator as adj
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger, NewLetter
from adjudicator.club.letters import SeatLetter, letter_to_seat, token_line_of
from adjudicator.core.phrases import listed
from adjudicator.core.values import Seat, digest
from adjudicator.library.letters import player_name

_TEXT: Final = """\
Welcome to {club}! You play {ruleset}. The name of your game is {name}.

You play {seat}. The players are {players}.
{task}

How to answer

  Answer any mail of this game and keep its subject. Write your orders at the
  top of your answer, each on a separate line. The club answers at once and
  tells you how it has read them. In a new mail, begin with this line:

    {token}

  The token in it is your secret. It shows the club that the mail is yours.

{order}Commands, each on a separate line

  PREVIEW     tests the orders in your mail; the club does not keep them
  WITHDRAW    takes back your orders that wait
  STATUS      shows the position
  RULES       shows the rules; add a word or a number to find one rule
  HELP        lists all commands

Where to look

  You get a report for each turn. It begins with what you must do now. Further
  down are your legal orders and a form to fill in. RESEND sends the report
  again. If you have a question, write `MESSAGE to moderator:` and your text.
"""
_ORDER: Final = """\
A first order

  This order is legal now. Copy it, or choose another one from your report:

    {}

"""


def welcome(club: ClubFolder, ledger: Ledger, game: adj.Game, seat: Seat, due: int, now: int) -> NewLetter:
    """Return the welcome letter to the player of ``seat``, of which each token gets one.

    ``due`` is the deadline in seconds since 1970 (0: none).
    """
    order = game.seen_by(seat).example
    until = f" Your orders are due {club.moment(due)}." if due else ""
    is_due = seat in game.due_seats
    task = f"It is your turn now.{until}" if is_due else "It is not your turn yet. You will get a mail when it is."
    token = token_line_of(club, game.id, seat)
    text = _TEXT.format(
        name=game.id,
        ruleset=game.meta.name,
        club=club.settings.name,
        seat=seat,
        players=listed(player_name(game, one) for one in game.seats),
        task=task,
        token=token,
        order="" if order is None else _ORDER.format(order),
    )
    letter = SeatLetter(
        key=f"welcome/{game.id}/{seat}/{digest(token.encode())}",
        kind="welcome",
        game=game.id,
        seat=seat,
        subject=f"{game.id}: welcome",
        text=text,
    )
    return letter_to_seat(club, ledger, letter, now)
