"""Carry out the commands of members about lists, names and settings, and write the welcome letter."""

from __future__ import annotations

from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.join_game import ask_for_seat, other_places, unfit
from adjudicator.club.ledger import Ledger
from adjudicator.club.new_address import ask_new_address
from adjudicator.club.offers import games_of, games_text, unknown
from adjudicator.club.people import Person
from adjudicator.club.register import flaw_of_name, member_line, rename
from adjudicator.club.replies import help_for_members
from adjudicator.club.standings import standing_of
from adjudicator.club.waiting_lists import ENGLISH, Place
from adjudicator.core.phrases import listed
from adjudicator.core.values import replace
from adjudicator.library.words import program_languages
from adjudicator.reports.sanitize import printable
from adjudicator.reports.texts import table_lines
from adjudicator.site.standings import LAST_GAMES, RECORD_HEADINGS, record_rows

_MAY_NAME: Final = "Public pages and chat rooms may name you in your games."
_MUST_NOT_NAME: Final = (
    "From now on, the club names you on no public page and in no chat room. Older pages change when it next publishes them."
)
_WELCOME: Final = """\
Welcome to {club}! You are now a member. Your name here is {name}.

{games}

{help}

Answer any mail of the club and keep its subject, or begin a new mail with this
line. The token in it is your secret:

    {line}

Public pages name you {consent}.

To leave the club, write LEAVE on a line, and on another one:
“MESSAGE to moderator: please delete my data”, without the quotes.
"""


def welcome_text(club: ClubFolder, ledger: Ledger, person: Person) -> str:
    """Return the text of the letter to a new member: the games, the commands, the house rules."""
    text = _WELCOME.format(
        club=club.settings.name,
        name=person.name,
        games=games_text(club, ledger, person),
        help=help_for_members(club),
        line=member_line(person),
        consent="unless you write SET public=no" if club.settings.public.names else "only if you write SET public=yes",
    )
    rules = club.house_rules()
    return f"{text}\nThe rules of this club\n\n{rules}\n" if rules else text


def join_list(club: ClubFolder, ledger: Ledger, person: Person, wanted: str, seat: str, now: int) -> str:
    """Give ``person`` a place on the list ``wanted``, or confirm it, or ask for a seat in that game; return the answer."""
    if not wanted:
        return f"Please write JOIN with the name of a game.\n\n{games_text(club, ledger, person)}"
    one = next((one for one in ledger.open_lists() if one.ruleset == wanted.lower()), None)
    if one is not None and seat:
        return f"Players on a list cannot choose their seats. Please write JOIN {one.ruleset}."
    if one is None:
        if wanted in club.games:
            return ask_for_seat(club, ledger, person, wanted, seat, now)
        return unknown(wanted, [*(one.ruleset for one in ledger.open_lists()), *club.games])
    own = next((place for place in ledger.places(one.id) if place.person == person.id), None)
    if own is not None and own.asked:
        ledger.set_place(replace(own, confirmed=own.confirmed or now))
        return f"You have confirmed your place in the next game of {one.ruleset}. It begins when all have confirmed."
    if own is None:
        refusal = unfit(club, ledger, person, one, other_places(ledger, person, one.id))
        if refusal:
            return refusal
        ledger.set_place(Place(list=one.id, person=person.id, joined=now, asked=0, confirmed=0))
    taken = len(ledger.places(one.id))
    return (
        f"You are on the list for the next game of {one.ruleset}: {taken} of {one.players} places are taken."
        f" When it is full, you get a mail to confirm your place. LEAVE {one.ruleset} gives it up."
    )


def leave_lists(ledger: Ledger, person: Person, wanted: str) -> str:
    """Give up the places of ``person`` on the list ``wanted``, or on all (empty); return the answer."""
    lists = [one for place in ledger.places_of(person.id) if (one := ledger.waiting_list(place.list)) is not None]
    own = [one for one in lists if not wanted or one.ruleset == wanted.lower()]
    if not own:
        words = f"You have no place on a list for {wanted}." if wanted else "You have no place on a list."
        return f"{words} To give up your seat in a game, answer a mail of that game and write RESIGN."
    for one in own:
        ledger.leave_list(one.id, person.id)
    return f"You have given up your place: {', '.join(one.ruleset for one in own)}."


def show_member(club: ClubFolder, ledger: Ledger, name: str) -> str:
    """Return the member called ``name``, their games, and their standing with each game that counts."""
    found = ledger.member_named(name)
    if found is None:
        return unknown(name, [one.name for one in ledger.members()], "member")
    running, over = games_of(club, ledger, found)
    record = standing_of(club, ledger, found.address)
    rows = record_rows(record.standing.seats)
    table = ["", f"The last {LAST_GAMES} games", *table_lines(RECORD_HEADINGS, rows)] if rows else []
    games = [f"plays     {', '.join(running) or '–'}", f"finished  {', '.join(over) or '–'}"]
    return "\n".join([found.name, *(f"  {line}" for line in (*games, *record.words().split("; "))), *table])


def _change_language(ledger: Ledger, person: Person, wanted: str) -> str:
    known = program_languages()
    called = {**{name.casefold(): code for code, name in known.items()}, **dict(zip(known, known, strict=True))}
    code = called.get(wanted.casefold(), "")
    if not code and wanted.casefold() not in ENGLISH:
        words = listed([*(f"{code} ({name})" for code, name in known.items()), "en (English only)"], "or")
        return printable(f"The club does not know the language “{wanted[:40]}”. After SET language= you can write {words}.")
    ledger.change_person(person.id, language=code)
    if not code:
        return "In new games, you can write your orders only in English."
    return f"In games that begin from a list, you can also write your orders in {known[code]}."


def change_setting(club: ClubFolder, ledger: Ledger, person: Person, name: str, value: str, now: int) -> str:
    """Change a setting of ``person``, such as their name; return the answer."""
    value = value.strip()
    match name:
        case "name":
            flaw = flaw_of_name(club, ledger, person, value)
            if flaw:
                return f"The club has not changed your name: {flaw}."
            rename(ledger, person, value)
            return f"Your name in new games is {value}."
        case "address":
            return ask_new_address(club, ledger, person, value, now)
        case "format" if value.lower() in ("html", "text"):
            ledger.change_person(person.id, format=value.lower())
            return f"You get your next mails as {'pages and text' if value.lower() == 'html' else 'text only'}."
        case "public" if value.lower() in ("yes", "no"):
            ledger.change_person(person.id, public=value.lower())
            return _MAY_NAME if value.lower() == "yes" else _MUST_NOT_NAME
        case "standin" if value.lower() in ("yes", "no"):
            is_stand_in = value.lower() == "yes"
            ledger.change_person(person.id, is_stand_in=int(is_stand_in))
            return f"The club {'now asks you' if is_stand_in else 'no longer asks you'} when a seat has no player."
        case "language":
            return _change_language(ledger, person, value)
        case _:
            return "HELP shows what you can write after SET."
