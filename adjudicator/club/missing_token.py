"""Write to a player whose mail has no right token, with the line to add."""

from __future__ import annotations

from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger, StoredMail
from adjudicator.club.letters import SeatLetter, token_line_of, write_to_player, write_to_seat
from adjudicator.club.limits import DAY
from adjudicator.core.values import Seat

_KIND: Final = "token"
_SUBJECT: Final = "your mail has no token"
_TEXT: Final = """\
The club got a mail from your address on {}, but has not
read it: it does not have your token, which shows that a mail is yours.

If the mail was yours, please send it again. Answer a mail of your game and keep
its subject, or put this line above your orders:

{}

If it was not yours, you need not do anything. Your token is your secret: do not
send it to others.
"""
_SEVERAL: Final = _TEXT.replace("this line above", "the line of that game above")


def ask_for_token(
    club: ClubFolder,
    ledger: Ledger,
    mail: StoredMail,
    seats: tuple[tuple[str, Seat], ...],
    references: tuple[str, ...],
    now: int,
) -> None:
    """Write to the players of ``seats`` how to send ``mail`` again, each at most once within 24 hours.

    A player of several seats gets one letter with the lines of all. The sender of a mail can be forged: the letter goes to
    the address in the settings.
    """
    running = [one for one in seats if not ledger.game(one[0]).is_over]
    own: dict[str, list[tuple[str, Seat]]] = {}
    for game, seat in running or seats[:1]:
        own.setdefault(club.seat_of(game, seat).addresses[0], []).append((game, seat))
    for address, held in own.items():
        new = [one for one in held if not ledger.uses(_who(*one), _KIND, now - DAY)]
        for one in new:
            ledger.record_use(_who(*one), _KIND, now)
        if not new:
            continue
        game, seat = new[0]
        lines = "\n".join(f"    {token_line_of(club, *one)}" for one in new)
        letter = SeatLetter(
            key=f"token/{mail.identity}/{game}/{seat}",
            kind=_KIND,
            game=game,
            seat=seat,
            subject=f"{game}: {_SUBJECT}" if len(new) == 1 else _SUBJECT,
            text=(_TEXT if len(new) == 1 else _SEVERAL).format(club.moment(mail.received), lines),
            references=references,
        )
        if len(new) == 1:
            write_to_seat(club, ledger, letter, now)
        else:  # with the token of one game in the subject, an answer would belong to that game
            write_to_player(club, ledger, letter, address, now)


def _who(game: str, seat: Seat) -> str:
    return f"seat/{game}/{seat}"
