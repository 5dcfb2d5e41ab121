"""Write to a player whose mail has no right token, with the line to add."""

from __future__ import annotations

from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import KeptMail, Ledger
from adjudicator.club.letters import ToSeat, write_to_seat
from adjudicator.club.limits import DAY
from adjudicator.club.tokens import token_line
from adjudicator.core.ids import Seat
from adjudicator.reports.receipt import time_words

_KIND: Final = "token"
_TEXT: Final = """\
The club got a mail from your address ({}). The mail did not have
the token of your seat in {}, so the club has not read it.

If the mail was yours, send it again: answer this mail and keep its subject, or
begin with this line above your orders:

    {}

The token is your secret: anyone who has it and writes from your address can
play for you.
"""


def ask_for_token(
    club: ClubFolder,
    ledger: Ledger,
    mail: KeptMail,
    seats: tuple[tuple[str, Seat], ...],
    references: tuple[str, ...],
    now: int,
) -> None:
    """Write to the players of ``seats`` how to send ``mail`` again, each at most once within 24 hours.

    The sender of a mail can be forged: the letter goes to the address in the settings.
    """
    running = [one for one in seats if not ledger.game(one[0]).is_over]
    for game, seat in running or seats[:1]:
        who = f"seat/{game}/{seat}"
        if ledger.uses(who, _KIND, now - DAY):
            continue
        ledger.record_use(who, _KIND, now)
        letter = ToSeat(
            key=f"token/{mail.identity}/{game}/{seat}",
            kind=_KIND,
            game=game,
            seat=seat,
            subject=f"{game}: your mail has no token",
            text=_TEXT.format(time_words(mail.received), game, token_line(game, seat, club.seat_of(game, seat).token)),
            references=references,
        )
        write_to_seat(club, ledger, letter, now)
