"""Tend the waiting lists: offer the next games, let the people on a full list confirm their places, begin the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.club.begin_game import begin_game
from adjudicator.club.deadlines import duration
from adjudicator.club.failures import Failure, contain
from adjudicator.club.folder import ClubFolder
from adjudicator.club.join_game import OfferError, offered_game, option_lines, unfit
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import message_id
from adjudicator.club.people import Person
from adjudicator.club.register import write_to_member
from adjudicator.club.settings import OpenGame
from adjudicator.club.waiting_lists import ENGLISH, Place, WaitingList
from adjudicator.core.values import digest, replace

_ASKED: Final = """\
The list for the next game of {ruleset} is full: you have a place.

To confirm it, answer this mail by {until}. If you cannot play
now, write LEAVE {ruleset} in your answer. The game begins when all have confirmed.
"""
_FREE: Final = "your place is free again"
_UNFIT: Final = """\
You had a place on the list for the next game of {ruleset}, but the club cannot
keep it. {why}
"""
_EXPIRED: Final = """\
You have not confirmed your place in the next game of {ruleset}, so another
person can have it. To get a new place, answer this mail and write JOIN {ruleset}.
"""


def tend_lists(club: ClubFolder, ledger: Ledger, now: int, troubles: list[str], *, has_all_mails: bool) -> ClubFolder:
    """Do what is due on the waiting lists, and return the club with the games that have begun.

    Unless the club ``has_all_mails`` that have come, nobody loses a place: another mail may confirm it.
    """
    if not club.settings.people.join:
        return club
    for one in ledger.open_lists():

        def fail(failure: Failure, one: WaitingList = one) -> None:
            words = f"the next game of {one.ruleset} cannot begin: {failure.cause}"
            troubles.append(words)
            with ledger.change():
                ledger.raise_matter(f"list/{one.id}/{digest(words.encode())}", "", now, words)

        with contain(fail):
            is_ready = bool(one.game) and club.path(one.game).exists()  # a round ended before it closed the list
            if not is_ready:
                with ledger.change():
                    is_ready = _muster(club, ledger, one, now, may_expire=has_all_mails)
            if is_ready:
                begin_game(club, ledger, one, now)
                club = ClubFolder(club.folder)  # the new game counts for the standing of people on the next lists
    _offer(club, ledger, now, troubles)
    return club


def confirm_places(club: ClubFolder, ledger: Ledger, person: Person, references: Sequence[str], now: int) -> Iterator[str]:
    """Confirm the places of ``person`` that a mail with these ``references`` answers for; yield an answer for each."""
    lists = {one.id: one.ruleset for one in ledger.open_lists()}
    for place in ledger.places_of(person.id):
        if place.asked and place.list in lists and message_id(club, ledger, _key(place)) in references:
            ledger.set_place(replace(place, confirmed=place.confirmed or now))
            yield f"You have confirmed your place in the next game of {lists[place.list]}."


def _offer(club: ClubFolder, ledger: Ledger, now: int, troubles: list[str]) -> None:
    """Open a list for each game that the settings offer, and replace lists with other settings that nobody has joined."""
    wanted = {one.ruleset: one for one in club.settings.people.open}
    there = set()
    for known in ledger.open_lists():
        one = wanted.get(known.ruleset)
        is_same = one is not None and _terms(one) == (known.options, known.deadline, known.condition, known.language)
        is_same = is_same and one is not None and one.players in (0, known.players)
        if known.is_set and not is_same and not known.game and not ledger.places(known.id):
            with ledger.change():
                ledger.close_list(known.id, now)
        else:
            there.add(known.ruleset)
    for ruleset in sorted(wanted.keys() - there):
        one = wanted[ruleset]
        try:
            new = offered_game(one)
        except OfferError as error:
            troubles.append(f"the club cannot offer {ruleset}: {error}")
            continue
        with ledger.change():
            ledger.add_list(new, opened=now)


def _terms(one: OpenGame) -> tuple[str, str, str, str]:
    language = "" if one.language.casefold() in ENGLISH else one.language
    return option_lines(one.options), one.deadline, one.condition, language


def _key(place: Place) -> str:
    return f"muster/{place.list}/{place.person}/{place.asked}"


def _muster(club: ClubFolder, ledger: Ledger, one: WaitingList, now: int, *, may_expire: bool) -> bool:
    """Ask the people on a full list to confirm their places, and free those that nobody confirmed in time.

    Return whether all have confirmed. A confirmation counts for twice the time that people have for it.
    """
    patience = int(duration(club.settings.people.confirm).total_seconds())
    places = ledger.places(one.id)
    for place in [place for place in places if place.asked and not place.confirmed and place.asked + patience <= now]:
        if may_expire:
            ledger.leave_list(place.list, place.person)
            _write(club, ledger, place, f"expired/{_key(place)}", one, _FREE, _EXPIRED, now)
    first = ledger.places(one.id)[: one.players]
    if len(first) == one.players and (not all(place.asked for place in first) or all(place.confirmed for place in first)):
        first = _fit_places(club, ledger, one, now)
    if len(first) < one.players:
        return False
    if all(place.confirmed for place in first):
        return True
    until = club.moment(now + patience)
    for place in first:
        if not place.asked or (place.confirmed and place.confirmed + 2 * patience <= now):
            asked = replace(place, asked=now, confirmed=0)
            ledger.set_place(asked)
            text = _ASKED.replace("{until}", until)
            _write(club, ledger, asked, _key(asked), one, f"please confirm your place by {until}", text, now)
    return False


def _fit_places(club: ClubFolder, ledger: Ledger, one: WaitingList, now: int) -> list[Place]:
    """Return the first places on a list, and free the places of people whose standing no longer allows them."""
    found = list[Place]()
    for place in ledger.places(one.id):
        if len(found) == one.players:
            break
        why = unfit(club, ledger, ledger.person(place.person), one)
        if why:
            ledger.leave_list(one.id, place.person)
            text = _UNFIT.replace("{why}", why)
            _write(club, ledger, place, f"unfit/{one.id}/{place.person}/{place.joined}", one, _FREE, text, now)
        else:
            found.append(place)
    return found


def _write(
    club: ClubFolder, ledger: Ledger, place: Place, key: str, one: WaitingList, subject: str, text: str, now: int
) -> None:
    words = text.format(ruleset=one.ruleset)
    write_to_member(club, ledger, ledger.person(place.person), key, f"{one.ruleset}: {subject}", words, now)
