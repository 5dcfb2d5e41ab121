"""Ask the moderator for members: for a seat without a player, or for a list for a new game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Final

import adjudicator as adj
from adjudicator.club.commands import New
from adjudicator.club.failures import contain
from adjudicator.club.folder import ClubFolder
from adjudicator.club.identify import seats_of
from adjudicator.club.ledger import Ledger
from adjudicator.club.letters import write_to_moderator
from adjudicator.club.limits import DAY
from adjudicator.club.messages import quoted
from adjudicator.club.missing import dropped_seats
from adjudicator.club.offers import unknown
from adjudicator.club.people import Person
from adjudicator.club.settings import OpenGame
from adjudicator.club.standings import standing_of
from adjudicator.club.tokens import CLUB
from adjudicator.club.turns import open_game
from adjudicator.club.waiting_lists import NextGame, Place
from adjudicator.core.phrases import listed
from adjudicator.core.values import USUAL_SEATS
from adjudicator.library.rulesets import UnusableRuleset, meta_of
from adjudicator.library.words import LanguageError
from adjudicator.reports.sanitize import printable
from adjudicator.site.standings import NEW_RATING, PlayerStanding

_CONDITION: Final = re.compile(r"(reliability|abandoned|rating)(>=|<=)(\d{1,3}|(?<=rating[<>]=)\d{4})%?")
_DURATION: Final = re.compile(r"(\d{1,3})(h|d|w)")
_PATIENCE: Final = 7 * DAY
"""The time after which a member can ask again for what the moderator has declined, in seconds."""
_DECLINED: Final = (
    "The moderator has declined this within the last week. Please ask again later, or write MESSAGE to moderator:"
    " and your text."
)
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}


class ConditionError(ValueError):
    """A condition on a player's standing is not valid; the message shows a valid one."""


class OfferError(Exception):
    """The club cannot offer such a game; the message says why."""


def ask_for_seat(club: ClubFolder, ledger: Ledger, person: Person, game: str, seat: str, now: int) -> str:
    """Ask the moderator to give ``person`` the ``seat`` of ``game`` (empty: any) if it has no player; return the answer."""
    if game not in club.games:
        return unknown(game, club.games)
    row = ledger.game(game)
    own = {seat for one, seat in seats_of(club, person.address, []) if one == game}
    if own - set(row.vacant) and not row.is_over:
        return f"You already play in {game}."
    free = _free_seats(club, ledger, game)
    if row.is_over or not free or (seat and seat not in free):
        return f"{game} has no free seat{f' {seat}' if seat else ''}."
    if _was_declined(ledger, person, seat_words(game, seat), now):
        return _DECLINED
    words = f"{person.name} ({person.address}) asks for {f'the seat {seat}' if seat else listed(free, 'or')}"
    ask_moderator(club, ledger, f"standin/{game}/{seat}/{person.id}", game, words, now)
    return f"The moderator has your request for a seat in {game}. When you have the seat, you get a mail."


def seat_words(game: str, seat: str) -> str:
    """Return what a member asks for, a ``seat`` (empty: any) of ``game``."""
    return f"{game}, {seat or 'any seat'}"


def record_decline(ledger: Ledger, person: Person, what: str, now: int) -> None:
    """Record that the moderator has declined the request of ``person`` for ``what``."""
    ledger.record_use(f"seat/{CLUB}/{person.id}", f"declined/{what}", now)


def _was_declined(ledger: Ledger, person: Person, what: str, now: int) -> bool:
    return ledger.uses(f"seat/{CLUB}/{person.id}", f"declined/{what}", now - _PATIENCE) > 0


def _free_seats(club: ClubFolder, ledger: Ledger, game: str) -> tuple[str, ...]:
    """Return the seats of ``game`` that a simulated player has, or whose players want to resign."""
    with contain(lambda _failure: None):
        found = dropped_seats(open_game(club, game))
        resigning = (one.resigned for one in ledger.matters() if one.game == game and one.resigned)
        return tuple(sorted({*found, *resigning}))
    return ()


def propose(club: ClubFolder, ledger: Ledger, person: Person, wish: New, now: int) -> str:
    """Ask the moderator to open a list for the game of ``wish``, with a place for ``person``; return the answer."""
    if not club.settings.people.new:
        return "In this club, the moderator decides which games there are. Please write to the moderator."
    try:
        wanted = required_list(wish)
    except OfferError as error:
        return printable(f"The club cannot offer this game: {error}.")
    if any(one.ruleset == wanted.ruleset for one in ledger.open_lists()):
        return f"The club already has a list for the next game of {wanted.ruleset}. Please write JOIN {wanted.ruleset}."
    found = ledger.proposed_list(wanted)
    is_declined = _was_declined(ledger, person, wanted.words, now)
    refusal = _DECLINED if is_declined else unfit(club, ledger, person, wanted, other_places(ledger, person, found))
    if refusal:
        return refusal
    found = found or ledger.add_list(wanted, opened=0)
    ledger.set_place(Place(list=found, person=person.id, joined=now, asked=0, confirmed=0))
    words = f"{person.name} ({person.address}) proposes {wanted.words}"
    ask_moderator(club, ledger, f"new/{found}", "", words, now)
    return f"The moderator has your proposal: {wanted.words}. When the list is open, you get a mail."


def required_list(wish: New) -> NextGame:
    """Return the game that ``wish`` is for. Raises ``OfferError`` if there is none."""
    condition = " ".join(f"{name}={value}" for name, value in wish.choices if name.endswith(("<", ">")))
    choices = {name: value for name, value in wish.choices if not name.endswith(("<", ">"))}
    number, deadline = _number(choices.pop("players", "0")), _deadline(choices.pop("deadline", ""))
    language = choices.pop("language", "")
    return next_game(wish.ruleset, number, choices, deadline, condition, language)


def offered_game(one: OpenGame) -> NextGame:
    """Return the game that the club offers as ``one``. Raises ``OfferError`` if it is impossible."""
    return next_game(one.ruleset, one.players, one.options, one.deadline, one.condition, one.language, is_set=True)


def next_game(
    ruleset: str,
    number: int,
    options: Mapping[str, str],
    deadline: str,
    condition: str,
    language: str,
    *,
    is_set: bool = False,
) -> NextGame:
    """Return such a game with ``number`` players (0: the fewest). Raises ``OfferError`` if it is impossible."""
    try:
        fewest = meta_of(ruleset).players[0]
    except (adj.UnknownRuleset, UnusableRuleset) as error:
        raise OfferError(str(error)) from error
    players = number or fewest
    if players > len(USUAL_SEATS):
        raise OfferError(f"a list has at most {len(USUAL_SEATS)} places")
    try:
        game = adj.new(ruleset, USUAL_SEATS[:players], options=options, languages=[language] if language else ())
        if condition:
            meets(PlayerStanding(), condition)
    except adj.SetupError as error:
        raise OfferError("; ".join(problem.message for problem in islice(error.problems, 3))) from error
    except (ConditionError, LanguageError) as error:
        raise OfferError(str(error)) from error
    code = "".join(game.record.languages)
    if code and code != language:
        raise OfferError(f"write the language by its code: language={code}")
    return NextGame(
        ruleset=ruleset,
        players=players,
        options=option_lines(options),
        deadline=deadline,
        condition=condition,
        language=code,
        is_set=is_set,
    )


def other_places(ledger: Ledger, person: Person, number: int) -> int:
    """Return how many places ``person`` has on lists other than that with this ``number``."""
    return sum(place.list != number for place in ledger.places_of(person.id))


def unfit(club: ClubFolder, ledger: Ledger, person: Person, one: NextGame, places: int = 0) -> str:
    """Return why the standing of ``person`` does not allow a place in the game of a list; empty if it does.

    ``places`` on other lists count as running games.
    """
    found = standing_of(club, ledger, person.address)
    if one.condition and not meets(found.standing, one.condition, found.rating(one.ruleset)):
        return f"This game is for players with {one.condition}. Your record: {found.words(one.ruleset)}."
    if not has_room(found.standing, club.settings.limits.running_games - places):
        return "You have left games before their end. Please first finish one of your games, or stand in for somebody."
    return ""


def meets(standing: PlayerStanding, condition: str, rating: int = NEW_RATING) -> bool:
    """Return whether ``standing`` and ``rating`` meet a ``condition``, such as `reliability>=90 abandoned<=10 rating>=1500`.

    `reliability` is the percentage of turns on time, `abandoned` that of seats abandoned. A player without turns due or
    seats meets both. Raises ``ConditionError``.
    """
    parts = re.sub(r" ?([<>]=) ?", r"\1", " ".join(condition.lower().split())).split()
    found = [(part, _CONDITION.fullmatch(part)) for part in parts]
    if not found or not all(match for _, match in found):
        wrong = next((part for part, match in found if not match), condition)
        raise ConditionError(f"“{wrong}” is not a condition; write reliability>=90, abandoned<=10 or rating>=1500")
    return all(_meets(standing, rating, *match.groups()) for _, match in found if match is not None)


def _meets(standing: PlayerStanding, rating: int, name: str, sign: str, number: str) -> bool:
    match name:
        case "reliability":
            part, whole = (standing.on_time, standing.due) if standing.due else (1, 1)
        case "abandoned":
            part, whole = standing.abandoned, standing.begun + standing.taken_over or 1
        case _:
            part, whole = rating, 100
    value, bound = 100 * part, int(number) * whole
    return value >= bound if sign == ">=" else value <= bound


def has_room(standing: PlayerStanding, most: int) -> bool:
    """Return whether the player may begin another game.

    Players who have abandoned more seats than they have taken over may have at most ``most`` games that they began.
    """
    return standing.abandoned <= standing.taken_over or standing.running < most


def option_lines(options: Mapping[str, str]) -> str:
    """Return ``options`` as lines for the ledger, by name."""
    return "\n".join(f"{name}={value}" for name, value in sorted(options.items()))


def _number(words: str) -> int:
    if not re.fullmatch(r"\d{1,2}", words):
        raise OfferError("write the number of players like players=3")
    return int(words)


def _deadline(words: str) -> str:
    """Return `48 hours` for ``words`` such as `48h`; empty for none. Raises ``OfferError``."""
    found = _DURATION.fullmatch(words)
    if words and (found is None or not int(found[1])):
        raise OfferError("write the deadline like deadline=48h, deadline=3d or deadline=1w")
    return f"{found[1]} {_UNITS[found[2]]}" if found else ""


def ask_moderator(club: ClubFolder, ledger: Ledger, key: str, game: str, words: str, now: int) -> None:
    """Raise a matter with a unique ``key`` and the ``words`` of a member's request, and write to the moderator.

    The letter quotes a message below the first paragraph of ``words``.
    If the moderator has dropped a matter with this key, it is a new one.
    """
    if not any(one.key == key for one in ledger.matters()):
        ledger.settle_by_key(key)
    if ledger.raise_matter(key, game, now, words):
        first, _, message = words.partition("\n\n")
        text = f"{first}\n\n{quoted(message)}\n\n" if message else f"{first}\n\n"
        text += "`club status` lists its number; `club accept` grants a request, `club settle` drops it.\n"
        write_to_moderator(club, ledger, key=f"{key}/{now}", game=game, subject=first.rstrip(":"), text=text, now=now)
