"""Keep the holidays of players: in the ledger for the deadlines, in the journals for everybody to see."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import adjudicator as adj
from adjudicator.club.deadlines import holiday_dates, zone
from adjudicator.club.folder import ClubFolder
from adjudicator.club.identify import seats_of
from adjudicator.club.ledger import Ledger
from adjudicator.club.limits import DAY, Away
from adjudicator.club.offers import games_of
from adjudicator.club.people import Person
from adjudicator.club.settings import Limits
from adjudicator.club.tokens import CLUB
from adjudicator.core.values import Seat
from adjudicator.library.seat_records import SIMULATED


def seated_member(club: ClubFolder, ledger: Ledger, game: str, seat: str) -> Person | None:
    """Return the member of the club who plays ``seat`` of ``game``; ``None`` if the player is not one."""
    settings = club.settings_of(game).seats.get(seat) if club.settings.people.join else None
    person = ledger.person_at(settings.addresses[0].lower()) if settings is not None else None
    return person if person is not None and person.confirmed else None


def names_of(club: ClubFolder, ledger: Ledger, address: str) -> Away:
    """Return the names under which the ledger has holidays of the player with this ``address``: seats, and a member."""
    person = ledger.person_at(address.lower())
    own = [(game, str(seat)) for game, seat in seats_of(club, address.casefold(), [])]
    return [*own, *([(CLUB, str(person.id))] if person is not None else [])]


def note_holiday(club: ClubFolder, ledger: Ledger, person: Person, span: tuple[int, int]) -> None:
    """Record a holiday of a member, from one time to another, for all their games, whose journals get it in this round."""
    ledger.add_holiday(CLUB, str(person.id), *span)
    for game in games_of(club, ledger, person)[0]:
        ledger.look_at(game)


def with_holidays(club: ClubFolder, ledger: Ledger, game: adj.Game, now: int) -> adj.Game:
    """Return ``game`` with all present and future holidays of members in its journal; save it if that changes it."""
    after = game
    for seat in game.seats if not game.is_over else ():
        person = seated_member(club, ledger, game.id, seat)
        if person is None or game.players[seat] == SIMULATED:
            continue
        for span in ledger.holidays(CLUB, str(person.id), now, _longest(club)):
            first, last = holiday_dates(*span, club.settings.time_zone)
            after = after.take_holiday(seat, first.isoformat(), last.isoformat())
    if after is not game:
        club.save(after)
    return after


def away_until(club: ClubFolder, ledger: Ledger, game: str, seat: Seat, now: int) -> int:
    """Return the end of the holiday that the player of ``seat`` has now, in this game or as a member; 0 for none."""
    person = seated_member(club, ledger, game, seat)
    names = [(game, str(seat)), *([(CLUB, str(person.id))] if person is not None else [])]
    spans = (span for name in names for span in ledger.holidays(*name, now - 1, _longest(club)))
    return max((end for begin, end in spans if begin <= now), default=0)


def _longest(club: ClubFolder) -> int:
    return (club.settings.limits.holiday_days + 1) * DAY


def holiday_flaw(limits: Limits, first: date, last: date, at: int, time_zone: str) -> str:
    """Return why the club cannot accept a holiday, asked for ``at`` a time; empty if it can."""
    today = datetime.fromtimestamp(at, zone(time_zone)).date()
    furthest = today + timedelta(days=limits.days_ahead)
    if last < today:
        return "it is over"
    if last > furthest:
        return f"it must end on {furthest} or earlier"
    if (last - first).days >= limits.holiday_days:
        return f"a holiday lasts at most {limits.holiday_days} days; please ask the moderator for a longer one"
    return ""
