"""Ask the members who offer it to stand in, once for each seat that a simulated player gets."""

from __future__ import annotations

from typing import Final

import adjudicator as adj
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.missing import dropped_seats
from adjudicator.club.register import write_to_member
from adjudicator.core.values import digest

_TEXT: Final = """\
A seat in {game} ({ruleset}) has no player any more: {seat}.

If you want to take it over, write JOIN {game} as {seat} in an answer to
this mail, on a separate line. SET standin=no ends these mails.
"""


def vacancy(club: ClubFolder, game: str, seat: str) -> str:
    """Return the key of the matter that ``seat`` has no player; it depends on the token, which the next player replaces."""
    return f"vacant/{game}/{seat}/{digest(club.seat_of(game, seat).token.encode())[:16]}"


def ask_stand_ins(club: ClubFolder, ledger: Ledger, game: adj.Game, now: int) -> None:
    """Queue a letter about each seat that has just lost its player to all who stand in, and raise a matter."""
    if game.is_over or not club.settings.people.join:
        return
    for seat in sorted(dropped_seats(game)):
        key, words = vacancy(club, game.id, seat), f"{seat} has no player: the club asks those who stand in"
        if not ledger.raise_matter(key, game.id, now, words):
            continue
        playing = {address.casefold() for one in game.seats for address in club.seat_of(game.id, one).addresses}
        for person in ledger.stand_ins():
            if person.address.casefold() not in playing:
                text = _TEXT.format(game=game.id, ruleset=game.meta.name, seat=seat)
                subject = f"{game.id}: {seat} needs a player"
                write_to_member(club, ledger, person, f"{key}/{person.id}", subject, text, now)
