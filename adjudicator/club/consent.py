"""Find out which players agree to be named on public pages and in chat rooms.

The player's own no always wins. Otherwise the moderator's answer for a seat (`public_name` in `game.toml`) counts, then the
player's own yes, and last the setting of the club (`names` in `club.toml`).
"""

from __future__ import annotations

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.settings import FormerPlayer, SeatSettings
from adjudicator.core.values import Seat


def named_seats(club: ClubFolder, ledger: Ledger, game: str) -> tuple[Seat, ...]:
    """Return the seats of ``game`` whose present players agree to be named. Raises ``CannotRead``, ``Untrusted``."""
    return tuple(Seat(seat) for seat, one in club.settings_of(game).seats.items() if _agrees(club, ledger, one))


def agreed_names(club: ClubFolder, ledger: Ledger, game: str) -> frozenset[tuple[Seat, str]]:
    """Return the seats of ``game`` with the names of all their players who agree, earlier ones included.

    Raises ``CannotRead``, ``Untrusted``.
    """
    return frozenset((seat, one.name) for seat, one in club.settings_of(game).players if _agrees(club, ledger, one))


def _agrees(club: ClubFolder, ledger: Ledger, player: SeatSettings | FormerPlayer) -> bool:
    answers = {ledger.answer_about_names(address.lower()) for address in player.addresses}
    if "no" in answers:
        return False
    if player.public_name is not None:
        return player.public_name
    return "yes" in answers or club.settings.public.names
