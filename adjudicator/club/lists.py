"""Keep the lists for new games: offer games, give places, let people confirm them, begin the game; requests for a seat.

The rows of a game are in the ledger before its folder exists, and the folder appears in one step. So the next round
completes whatever was interrupted, and no list begins two games.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any, Final

import adjudicator as adj
from adjudicator.club import ClubError, matters
from adjudicator.club.club import GAMES, Club, Person
from adjudicator.club.commands import help_text
from adjudicator.club.db import Failure, contain
from adjudicator.club.deadlines import duration
from adjudicator.club.letters import CLUB, MEMBER, message_id, token_line, write
from adjudicator.club.people import ENGLISH, standing, unknown
from adjudicator.club.seats import are_hidden, ask_for_seat, enter_game, free_seats, write_folder
from adjudicator.club.settings import GameSettings, OpenGame
from adjudicator.core.phrases import listed
from adjudicator.core.values import USUAL_SEATS, Value, digest, replace
from adjudicator.library.rulesets import UnusableRuleset, meta_of
from adjudicator.library.words import LanguageError, installed_languages
from adjudicator.reports.texts import printable

_MOST: Final = 30
"""Games of one kind in a letter."""
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}
_TERMS: Final = {
    "players": (r"\d{1,2}", "write the number of players like players=3"),
    "deadline": (r"[1-9]\d{0,2}[hdw]", "write the deadline like deadline=48h, deadline=3d or deadline=1w"),
    "names": (r"hidden|shown", "write names=hidden or names=shown"),
    "reliability": (r"(?:\d\d?|100)%?", "write the least percentage of turns on time like reliability>=90"),
}
"""The terms of a wish, in addition to the options of the game: their form, and how to write them."""
_OPEN: Final = "select * from lists where closed = 0"
_PLACES: Final = "select * from confirmations where kind = 'place'"
_OBSERVED: Final = "select game from observers where person = ?"


class NextGame(Value, kw_only=True):
    """The next game of a ``ruleset``, with so many ``players`` who had ``reliability`` percent of their turns on time.

    ``deadline`` is a duration (empty: as in the club); ``language`` the code of the language in which its players may write
    orders, in addition to English (empty: none).
    """

    ruleset: str
    players: int
    options: Mapping[str, str]
    deadline: str
    language: str
    names: str
    reliability: int

    @property
    def words(self) -> str:
        """The game as text: ``great-race, 3 players, 48 hours for a turn``."""
        options = [f"{name}={value}" for name, value in sorted(self.options.items())]
        deadline = [f"{self.deadline} for a turn"] if self.deadline else []
        language = [f"language={self.language}"] if self.language else []
        reliability = [f"reliability>={self.reliability}"] if self.reliability else []
        names = [f"names={self.names}"] if self.names else []
        return ", ".join([self.ruleset, f"{self.players} players", *options, *deadline, *language, *names, *reliability])


class ListRow(NextGame, kw_only=True):
    """The list for a next game: ``is_set`` says that `club.toml` offers it; ``game`` is the one that began from it."""

    id: int
    is_set: bool
    game: int | None


class Place(Value, kw_only=True):
    """The place of a ``person`` on a ``list``: ``since`` when, when it was ``asked`` and ``done`` (confirmed; 0: not)."""

    id: int
    list: int
    person: int
    since: int
    asked: int
    done: int

    @property
    def key(self) -> str:
        """The key of the letter that asks for the confirmation."""
        return f"place/{self.list}/{self.person}/{self.asked}"


class Offer(Value, kw_only=True):
    """What a person can join, as ``words``: whether they have a place in it, and whether it waits for their JOIN."""

    name: str
    words: str
    has_place: bool
    is_open: bool


def open_lists(club: Club) -> list[ListRow]:
    """Return the open lists, by ruleset."""
    return club.db.all(ListRow, f"{_OPEN} order by ruleset")


def places(club: Club, number: int) -> list[Place]:
    """Return the places on a list in the order in which people joined it."""
    return club.db.all(Place, f"{_PLACES} and list = ? order by since, id", number)


def offers(club: Club, person: Person) -> list[Offer]:
    """Return what each open list is for ``person``, by ruleset."""
    found = []
    for one in open_lists(club):
        taken = places(club, one.id)
        own = next((place for place in taken if place.person == person.id), None)
        have = "has" if len(taken) == 1 else "have"
        words = f"{one.words}: {len(taken)} {have} joined{', and so have you' if own else ''}"
        is_open = own is None or bool(own.asked and not own.done)  # to be confirmed
        found.append(Offer(name=one.ruleset, words=words, has_place=own is not None, is_open=is_open))
    return found


def welcome_member(club: Club, person: Person) -> None:
    """Queue the letter to a new member: the games, the commands, the house rules."""
    rules = club.house_rules()
    write(
        club,
        "member",
        person,
        f"member/{person.id}",
        name=person.name,
        games=games_text(club, person),
        help=help_text(club.settings.people, is_for_seat=False),
        line=token_line(CLUB, MEMBER, person.token),
        consent="unless you write SET public=no" if club.settings.public.names else "only if you write SET public=yes",
        rules=f"\nThe rules of this club\n\n{rules}\n" if rules else "",
    )


def games_text(club: Club, person: Person) -> str:
    """Return the games that ``person`` can join, those that run, and those that are over; names of players are not in it."""
    lists = [f"  {one.words}{'' if one.has_place else f'; write JOIN {one.name}'}" for one in offers(club, person)]
    games, vacant, observed = club.games(), [], set(club.db.all(int, _OBSERVED, person.id))
    for row in games:
        if not row.is_over and (seats := free_seats(club, row)):
            vacant.append(f"  {row.name}: {listed(seats)}; write STANDIN {row.name}")
    running = [f"  {row.name}{'; you observe it' * (row.id in observed)}" for row in games if not row.is_over]
    blocks = [
        ("Games that you can join", lists),
        *([("Games with a seat without a player", _shortened(vacant))] if vacant else []),
        ("Running games", _shortened(running)),
        ("Finished games", _shortened([f"  {row.name}" for row in games if row.is_over])),
    ]
    return "\n\n".join("\n".join([title, *(lines or ["  none"])]) for title, lines in blocks)


def _shortened(lines: list[str]) -> list[str]:
    return [*lines[:_MOST], *([f"  … {len(lines) - _MOST} more"] if len(lines) > _MOST else [])]


def join(club: Club, person: Person, wanted: str, seat: str = "") -> str:
    """Give ``person`` a place on the list ``wanted``, or confirm it, or ask for a seat in that game; return the answer."""
    if not wanted:
        return f"Please write JOIN with the name of a game.\n\n{games_text(club, person)}"
    one = next((one for one in open_lists(club) if one.ruleset == wanted.lower()), None)
    if one is None:
        return ask_for_seat(club, person, wanted, seat)
    if seat:
        return f"Players on a list cannot choose their seats. Please write JOIN {one.ruleset}."
    own = next((place for place in places(club, one.id) if place.person == person.id), None)
    if own is None:
        if refusal := unfit(club, person, one, counts_places=True):
            return refusal
        club.db.insert("confirmations", kind="place", list=one.id, person=person.id, since=club.now)
    elif own.asked:
        club.db.update("confirmations", own.id, done=own.done or club.now)
        return f"You have confirmed your place in the next game of {one.ruleset}. It begins when all have confirmed."
    return (
        f"You are on the list for the next game of {one.ruleset}: {len(places(club, one.id))} of {one.players} places are"
        f" taken. When it is full, you get a mail to confirm your place. LEAVE {one.ruleset} gives it up."
    )


def leave(club: Club, person: Person, wanted: str = "") -> str:
    """Give up the places of ``person`` on the list ``wanted``, or on all (empty); return the answer."""
    held = f"{_OPEN} and id in (select list from confirmations where kind = 'place' and person = ?) order by id"
    own = [one for one in club.db.all(ListRow, held, person.id) if not wanted or one.ruleset == wanted.lower()]
    if not own:
        words = f"You have no place on a list for {wanted}." if wanted else "You have no place on a list."
        return f"{words} To give up your seat in a game, answer a mail of that game and write RESIGN."
    for one in own:
        club.db.run("delete from confirmations where kind = 'place' and list = ? and person = ?", one.id, person.id)
    return f"You have given up your place: {', '.join(one.ruleset for one in own)}."


def unfit(club: Club, person: Person, one: NextGame, *, counts_places: bool = False) -> str:
    """Return why the standing of ``person`` does not allow a place in the game of a list; empty if it does.

    Players who have abandoned more seats than they have taken over may have few games that they began; with
    ``counts_places``, their places on lists are such games, too.
    """
    found = standing(club, person)
    own = found.standing
    if 100 * own.on_time < one.reliability * own.due:
        return f"This game is for players with reliability>={one.reliability}. Your record: {found.words(one.ruleset)}."
    held = "select count(*) from confirmations where person = ? and list in (select id from lists where closed = 0)"
    running = own.running + (club.db.value(held, person.id) if counts_places else 0)
    if own.abandoned > own.taken_over and running >= club.settings.limits.running_games:
        return "You have left games before their end. Please first finish one of your games, or stand in for somebody."
    return ""


def observe(club: Club, person: Person, game: str, *, ends: bool) -> str:
    """Send ``person`` the public report of each turn of ``game`` from now on, or (``ends``) no longer; return the answer."""
    rows = {row.name.casefold(): row for row in club.games()}
    row = rows.get(game.casefold())
    if row is None:
        return unknown(game, [one.name for one in rows.values()], "game")
    if ends:
        is_new = club.db.run("delete from observers where game = ? and person = ?", row.id, person.id)
        return f"You no longer observe {row.name}." if is_new else f"You do not observe {row.name}."
    if row.is_over:
        return f"{row.name} is over: no more reports come."
    if any(one.person == person.id and not one.is_dropped for one in club.seats(row)):
        return f"You play in {row.name}: you get your own reports."
    club.db.run("insert into observers values (?, ?) on conflict do nothing", row.id, person.id)
    return f"From the next turn on, you get what the public may know of {row.name}. OBSERVE {row.name} no ends this."


def propose(club: Club, person: Person, ruleset: str, wish: Mapping[str, str], key: str) -> str:
    """Send the moderator the wish of ``person`` for a game; return the answer. ``key`` identifies the command."""
    if not club.settings.people.new:
        return "In this club, the moderator decides which games there are. Please write to the moderator."
    try:
        wanted = _wanted(ruleset, wish)
    except ClubError as error:
        return printable(f"The club cannot offer this game: {error}.")
    if any(one.ruleset == wanted.ruleset for one in open_lists(club)):
        return f"The club already has a list for the next game of {wanted.ruleset}. Please write JOIN {wanted.ruleset}."
    words = f"{person.name} ({person.address}) proposes {wanted.words}"
    line = shlex.join([club.folder.name, ruleset, *(f"{name}={value}" for name, value in wish.items())])
    advice = f"To open the list, type: adjudicator club open {line}"
    matters.raise_matter(club, "note", words, key=f"new/{key}", person=person, advice=advice)
    return f"The moderator has your proposal: {wanted.words}. When the list is open, GAMES shows it."


def open_list(club: Club, ruleset: str, terms: Sequence[str]) -> str:
    """Open a list for a game with these ``terms``, such as `players=3`; return the game as text. Raises ``ClubError``."""
    wish = dict(term.split("=", 1) for term in terms if "=" in term)
    if not re.fullmatch(r"(?i)[a-z0-9][\w.-]{0,79}", ruleset) or len(wish) < len(terms):
        raise ClubError("name a ruleset, and what else you want, such as: great-race players=3 deadline=48h")
    wanted = _wanted(ruleset.lower(), wish)
    with club.db.transaction():
        if any(one.ruleset == wanted.ruleset for one in open_lists(club)):
            raise ClubError(f"the club already has a list for the next game of {wanted.ruleset}")
        _add_list(club, wanted)
    return wanted.words


def _add_list(club: Club, wanted: NextGame, *, is_set: bool = False) -> int:
    columns = {name: getattr(wanted, name) for name in NextGame.__struct_fields__}
    return club.db.insert("lists", **columns, is_set=is_set, opened=club.now)


def _wanted(ruleset: str, wish: Mapping[str, str]) -> NextGame:
    """Return the game that somebody wishes for. Raises ``ClubError`` if it is impossible."""
    options = {"reliability" if name == "reliability>" else name: written for name, written in wish.items()}
    for name, written in options.items():
        form, how = _TERMS.get(name, ("", ""))
        if form and not re.fullmatch(form, written):
            raise ClubError(how)
        if name.endswith(("<", ">")):
            raise ClubError(f"“{name}={written}” is not a condition; write reliability>=90")
    players, reliability = int(options.pop("players", "0")), int(options.pop("reliability", "0").removesuffix("%"))
    deadline, language, names = (options.pop(name, "") for name in ("deadline", "language", "names"))
    every = f"{deadline[:-1]} {_UNITS[deadline[-1]]}" if deadline else ""
    return next_game(
        NextGame(
            ruleset=ruleset,
            players=players,
            options=options,
            deadline=every,
            language=language,
            names=names,
            reliability=reliability,
        )
    )


def next_game(wanted: NextGame | OpenGame) -> NextGame:
    """Return this game with the number of its players, which can be 0 (the fewest), and the code of its language.

    Raises ``ClubError`` if the game is impossible.
    """
    terms = _terms(wanted)
    language = terms.pop("language")
    try:
        players = wanted.players or meta_of(wanted.ruleset).players[0]
        if players > len(USUAL_SEATS):
            raise ClubError(f"a list has at most {len(USUAL_SEATS)} places")
        seats, languages = USUAL_SEATS[:players], [language] if language else ()
        game = adj.new(wanted.ruleset, seats, options=wanted.options, languages=languages)
    except adj.SetupError as error:
        raise ClubError("; ".join(problem.message for problem in islice(error.problems, 3))) from error
    except (adj.UnknownRuleset, UnusableRuleset, LanguageError) as error:
        raise ClubError(str(error)) from error
    code = "".join(game.record.languages)
    if code and code != language:
        raise ClubError(f"write the language by its code: language={code}")
    return NextGame(**terms, players=players, language=code)


def _terms(game: NextGame | OpenGame) -> dict[str, Any]:
    """Return the fields of a next game but its players; the language is empty for English only."""
    language = "" if game.language.casefold() in ENGLISH else game.language
    terms = {name: getattr(game, name) for name in ("ruleset", "options", "deadline", "names", "reliability")}
    return terms | {"language": language}


def confirm_by(club: Club, person: Person, references: Sequence[str]) -> list[str]:
    """Confirm the places of ``person`` that a mail with these ``references`` answers for; return an answer for each."""
    lists, said = {one.id: one.ruleset for one in open_lists(club)}, []
    for place in club.db.all(Place, f"{_PLACES} and person = ? order by list", person.id):
        if place.asked and place.list in lists and message_id(club, place.key) in references:
            club.db.update("confirmations", place.id, done=place.done or club.now)
            said.append(f"You have confirmed your place in the next game of {lists[place.list]}.")
    return said


def tend(club: Club, troubles: list[str], *, has_all_mails: bool) -> None:
    """Run the lists: ask for confirmations, begin games that are full, open a list for each game that the settings offer.

    Unless the club ``has_all_mails`` that have come, no place expires: another mail may confirm it.
    """
    unfinished = "select lists.* from lists join games on games.id = game where beginning = '' and removed = 0"
    for one in [*club.db.all(ListRow, unfinished), *(open_lists(club) if club.settings.people.join else [])]:

        def fail(failure: Failure, one: ListRow = one) -> None:
            words = f"the next game of {one.ruleset} cannot begin: {failure.cause}"
            troubles.append(words)
            matters.raise_matter(club, "failed", words, key=f"list/{one.id}/{digest(words.encode())}")

        with contain(fail):
            if one.game is not None:  # a round ended before the game had its folder
                row = club.row(one.game)
                people = [club.person(seat.person) for seat in club.seats(row)]
                write_folder(club, row, game_of(one, row.name, people, hides_names=row.hides_names))
                continue
            with club.db.transaction():
                people = _muster(club, one, may_expire=has_all_mails)
            if people:
                _begin(club, one, people)
    if not club.settings.people.join:
        return
    with club.db.transaction():
        offers = {one.ruleset: one for one in club.settings.people.open}
        lists = {one.ruleset: one for one in open_lists(club)}
        for ruleset in sorted(offers.keys() | lists.keys()):
            offer, known, new = offers.get(ruleset), lists.get(ruleset), None
            if known is not None and (not known.is_set or places(club, known.id)):
                continue
            if offer is not None:
                if known is not None and offer.players in (0, known.players) and _terms(offer) == _terms(known):
                    continue
                try:
                    new = next_game(offer)
                except ClubError as error:
                    troubles.append(f"the club cannot offer {ruleset}: {error}")
            if known is not None:  # it is empty, and its settings have changed
                club.db.update("lists", known.id, closed=club.now)
            if new is not None:
                _add_list(club, new, is_set=True)


def _muster(club: Club, one: ListRow, *, may_expire: bool) -> list[Person]:
    """Ask the people on a full list to confirm their places, and free the places that they do not confirm in time.

    Return the players if all have confirmed. A confirmation counts for twice the time that people have for it.
    """
    patience = int(duration(club.settings.people.confirm).total_seconds())

    def free(place: Place, template: str, why: str = "") -> None:
        club.db.run("delete from confirmations where id = ?", place.id)
        key = f"{template}/{place.list}/{place.person}/{place.since}"
        write(club, template, club.person(place.person), key, ruleset=one.ruleset, why=why)

    for place in places(club, one.id) if may_expire else ():
        if place.asked and not place.done and place.asked + patience <= club.now:
            free(place, "place-expired")
    first = places(club, one.id)[: one.players]
    if len(first) == one.players and (not all(place.asked for place in first) or all(place.done for place in first)):
        first = []
        for place in places(club, one.id):  # whose standing still allows it
            if len(first) == one.players:
                break
            if why := unfit(club, club.person(place.person), one):
                free(place, "place-unfit", why)
            else:
                first.append(place)
    if len(first) < one.players:
        return []
    if all(place.done for place in first):
        return [club.person(place.person) for place in first]
    for place in first:
        if not place.asked or (place.done and place.done + 2 * patience <= club.now):
            club.db.update("confirmations", place.id, asked=club.now, done=0)
            until = club.moment(club.now + patience)
            person, key = club.person(place.person), replace(place, asked=club.now).key
            write(club, "place", person, key, ruleset=one.ruleset, until=until)
    return []


def _begin(club: Club, one: ListRow, people: Sequence[Person]) -> None:
    """Begin the game of a list for ``people``, and open the list for those who are left on it."""
    name = next(free_names(club, one.ruleset))
    settings = settings_of(one, GameSettings())
    if hides_names := are_hidden(club, settings):  # the order in which people joined would show their seats
        people = sorted(people, key=lambda person: message_id(club, f"seat/{name}/{person.id}"))
    game = game_of(one, name, people, hides_names=hides_names)
    with club.db.transaction():
        row = enter_game(club, game, dict(zip(game.seats, people, strict=True)), settings)
        club.db.update("lists", one.id, closed=club.now, game=row.id)
        seated = "delete from confirmations where list = ? and person in (select person from seats where game = ?)"
        club.db.run(seated, one.id, row.id)
        if places(club, one.id):
            club.db.run("update confirmations set list = ? where list = ?", _add_list(club, one, is_set=one.is_set), one.id)
    write_folder(club, row, game)


def free_names(club: Club, prefix: str) -> Iterator[str]:
    """Yield the names of ``prefix`` and a number that no game of the club has or had."""
    used = set(club.db.all(str, "select name from games"))
    names = (f"{prefix}-{number}" for number in count(1))
    return (name for name in names if name not in used and not (club.folder / GAMES / name).exists())


def settings_of(one: NextGame, usual: GameSettings) -> GameSettings:
    """Return the settings of a next game: the ``usual`` ones, with its own deadline and names."""
    own: dict[str, Any] = {"names": one.names} if one.names else {}
    if one.deadline:
        own["deadlines"] = usual.deadlines.model_copy(update={"every": one.deadline})
    return usual.model_copy(update=own)


def game_of(one: NextGame, name: str, people: Sequence[Person], *, hides_names: bool) -> adj.Game:
    """Return the new game of a list, which takes orders in the languages of its players. Raises ``SetupError``."""
    names = {seat: "" if hides_names else person.name for seat, person in zip(USUAL_SEATS, people, strict=False)}
    game = adj.new(one.ruleset, names, id=name, options=one.options)
    languages = sorted({one.language, *(person.prefs.language for person in people)} & set(installed_languages(game)))
    return adj.new(one.ruleset, names, id=name, options=one.options, languages=languages) if languages else game
