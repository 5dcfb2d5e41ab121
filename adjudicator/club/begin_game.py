"""Begin the game of a waiting list.

The id of a game is in the ledger before its folder exists, and the folder appears in one step. So the next round completes
whatever was interrupted, and no list begins two games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import adjudicator as adj
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.manage import add_new_game
from adjudicator.club.people import Person
from adjudicator.club.waiting_lists import WaitingList
from adjudicator.core.values import USUAL_SEATS, replace
from adjudicator.library.words import installed_languages


def begin_game(club: ClubFolder, ledger: Ledger, one: WaitingList, now: int) -> None:
    """Begin the game of a list whose people have confirmed, and open the list for those who are left on it."""
    name = one.game or _free_name(club, ledger, one.ruleset)
    if name != one.game:
        with ledger.change():
            ledger.name_game(one.id, name)
    if not club.path(name).exists():
        people = [ledger.person(place.person) for place in ledger.places(one.id)[: one.players]]
        _create(club, replace(one, game=name), people)
    seated = {address for seat in club.settings_of(name).seats.values() for address in seat.addresses}
    with ledger.change():
        ledger.close_list(one.id, now)
        left = [place for place in ledger.places(one.id) if ledger.person(place.person).address not in seated]
        if left:
            new = ledger.add_list(one, opened=now)
            for place in left:
                ledger.move_place(place, new)


def _free_name(club: ClubFolder, ledger: Ledger, ruleset: str) -> str:
    used = ledger.names_of_games()
    names = (f"{ruleset}-{number}" for number in range(1, 1_000_000))
    return next(name for name in names if name not in used and not club.path(name).exists())


def _create(club: ClubFolder, one: WaitingList, people: Sequence[Person]) -> None:
    """Write the game of a list into the club. Raises ``ClubError``, ``SetupError``."""
    names = dict(zip(USUAL_SEATS, (person.name for person in people), strict=False))
    addresses = dict(zip(USUAL_SEATS, (person.address for person in people), strict=False))
    options = dict(line.split("=", 1) for line in one.options.splitlines())
    game = adj.new(one.ruleset, names, id=one.game, options=options)
    languages = sorted({one.language, *(person.language for person in people)} & set(installed_languages(game)))
    if languages:
        game = adj.new(one.ruleset, names, id=one.game, options=options, languages=languages)
    add_new_game(club, game, addresses, _deadlines(club, one.deadline))


def _deadlines(club: ClubFolder, every: str) -> str:
    """Return the section of `game.toml` with the deadlines of the club, but for their length; empty for no own length."""
    if not every:
        return ""
    rule = club.settings.deadlines.model_copy(update={"every": every})
    lines = (f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in rule)
    return f"\n[deadlines]\n{''.join(lines)}"
