"""Run tournaments: people enter by mail, each round has its games, a table says who leads, and the next round follows.

A round begins in one transaction, with the rows of its games and the letters about it; then its games get their folders. So
the next round of the club completes whatever was interrupted, and no round begins twice. The points follow from what the
games say about their players: only who plays where is kept.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import combinations, permutations
from secrets import token_hex
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from adjudicator.club import ClubError, matters
from adjudicator.club.club import Club, GameRow, Person
from adjudicator.club.db import Failure, contain
from adjudicator.club.deadlines import Words, time_of
from adjudicator.club.letters import CLUB, write
from adjudicator.club.lists import NextGame, Offer, free_names, game_of, next_game, open_lists, settings_of, unfit
from adjudicator.club.people import member_called
from adjudicator.club.seats import are_hidden, enter_game, write_folder
from adjudicator.club.settings import GameSettings, Name, OpenGame
from adjudicator.core.phrases import count, listed
from adjudicator.core.values import Value, digest, replace
from adjudicator.files.documents import Document, checked, formed
from adjudicator.library.rulesets import meta_of, ruleset_ids
from adjudicator.library.seat_records import SeatRecord
from adjudicator.reports.texts import printable, table_lines

_MOST: Final = 200
"""The most players of a tournament."""
_SHOWN: Final = 20
"""The rows of a table in the answer to GAMES."""
_STEPS: Final = 2_000
"""The places that are tried before the club allows another pair to meet again."""
_FEW: Final = 5
"""So many meetings are tried before each game simply gets those who have met its players least."""
_WIDTH: Final = 72
_NAME_HOW: Final = "a name has 2 to 32 small letters, digits and hyphens, such as spring-2026"
HEADINGS: Final = ("place", "player", "points", "opponents", "games")
_RUNNING: Final = "select * from tournaments where closed = 0 order by name"
_NAMED: Final = "select * from tournaments where name = ?"
_PLAYED: Final = "select distinct game from pairings where tournament = ? and game is not null"


def _require_day(words: str) -> None:
    if words and not re.fullmatch(r"\d{4}-\d\d-\d\d", words):
        raise ValueError("write the day like 2026-12-01")
    date.fromisoformat(words or "2026-12-01")


class Tournament(Document):
    """A tournament, as its moderator writes it.

    ``games`` has the game of each round, the first again after the last. The players of a round get ``points`` by place,
    and level ones share theirs; without ``points``, one for each player that they have beaten. ``pairing`` says who meets
    whom: "swiss" those with as many points, "random" those whom the lot chooses; with "groups", the best ``winners`` of each
    game go on, until one game is left.

    It begins on the day ``begins``; without it, as soon as it has ``places`` players; without both, at once with the
    ``members``, who are named by name or address and have a place from the beginning. ``settings`` are those of its games.
    The same ``seed`` draws the same lots (empty: the club chooses one).
    """

    name: Annotated[str, formed(r"[a-z][a-z0-9-]{1,31}", _NAME_HOW)]
    games: Annotated[tuple[OpenGame, ...], Field(min_length=1, max_length=50)]
    rounds: Annotated[int, Field(ge=1, le=50)]
    pairing: Literal["swiss", "random", "groups"] = "swiss"
    winners: Annotated[int, Field(ge=1, le=7)] = 1
    points: Annotated[tuple[Annotated[int, Field(ge=0, le=1000)], ...], Field(max_length=8)] = ()
    begins: Annotated[Words, checked(_require_day)] = ""
    places: Annotated[int, Field(ge=0, le=_MOST)] = 0
    members: Annotated[tuple[Name, ...], Field(max_length=_MOST)] = ()
    settings: GameSettings = GameSettings()
    seed: Words = ""

    @model_validator(mode="after")
    def _require_begin(self) -> Tournament:
        if not (self.begins or self.places or self.members):
            raise ValueError("say when it begins: begins='2026-12-01', places=8, or the members")
        return self

    @property
    def most(self) -> int:
        """The number of places."""
        return self.places or (_MOST if self.begins else len(self.members))


class TournamentRow(Value, kw_only=True):
    """A tournament in the ledger; see `schema.sql`."""

    id: int
    name: str
    settings: Tournament
    seed: str
    round: int
    closed: int

    def lot(self, person: int) -> str:
        """Return the lot of a person in the next round."""
        return digest(f"{self.seed}/{self.round + 1}/{person}".encode())


class Entry(Value, kw_only=True):
    """The entry of a ``person``: when they have ``gone``, in seconds since 1970 (0: they have not)."""

    id: int
    person: int
    name: str
    gone: int


class _Pairing(Value, kw_only=True):
    """The seat of a ``person`` in a ``game`` of a ``round``, or a bye (no game)."""

    round: int
    person: int
    game: int | None
    seat: str


class _Seat(Value, kw_only=True):
    game: int
    seat: str
    record: tuple[SeatRecord, ...]


class _Result(Value, kw_only=True):
    """What a person has got in a ``round``: ``points``, and in a game that is over the ``place``.

    ``game`` is null for a bye. ``has_left`` the game before its end.
    """

    round: int
    person: int
    game: int | None
    points: Fraction = Fraction(0)
    place: int | None = None
    has_left: bool = False


class TableLine(Value, kw_only=True):
    """The ``place`` of a player in the table of a tournament: ``points`` from ``finished_games`` and from byes.

    Of players with as many points, the one whose opponents have more (``opponents_points``) is ahead. ``is_out`` says that
    the player plays no further round.
    """

    place: int
    player: str
    points: float
    opponents_points: float
    finished_games: int
    is_out: bool


class TournamentTable(Value, kw_only=True):
    """The table of a tournament in its ``round`` (0: it has not begun), of so many ``rounds``.

    ``tournament_games`` are those of all its rounds, ``running_games`` counts those that are not over.
    """

    name: str
    pairing: str
    round: int
    rounds: int
    is_over: bool
    tournament_games: tuple[str, ...]
    running_games: int
    table: tuple[TableLine, ...]


class ClubTournaments(Value, kw_only=True):
    """The ``club_tournaments`` with their tables, those that are over last."""

    club_tournaments: tuple[TournamentTable, ...]


def tournaments(club: Club) -> list[TournamentRow]:
    """Return the tournaments of the club, those that are over last."""
    return club.db.all(TournamentRow, "select * from tournaments order by closed, name")


def check_tournament(club: Club, wanted: Tournament) -> list[Person]:
    """Return the members with a place in the tournament from the beginning. Raises ``ClubError`` if it is impossible."""
    flaws, found, taken = list[str](), list[Person](), {CLUB, *ruleset_ids(), *(one.ruleset for one in open_lists(club))}
    taken |= {*club.db.all(str, "select name from games"), *club.db.all(str, "select name from tournaments")}
    if wanted.name in taken:
        flaws.append(f"{wanted.name} is already the name of something else in this club")
    for game in wanted.games:
        try:
            most = next_game(game)
            for players in range(_fewest(game), most.players):
                next_game(replace(most, players=players))
            if wanted.pairing == "groups" and wanted.winners >= most.players:
                flaws.append(f"{game.ruleset}: winners must be fewer than the {most.players} players of a game")
        except ClubError as error:
            flaws.append(f"{game.ruleset}: {error}")
    for words in wanted.members:
        at = member_called(club, words)
        if at is None:
            flaws.append(f"{words} is not a member; who writes JOIN to the club is one")
        elif at not in found:
            found.append(at)
    if len(found) > wanted.most:
        flaws.append(f"{len(found)} members do not fit in {count(wanted.most, 'place')}")
    if flaws:
        raise ClubError("; ".join(flaws))
    return found


def open_tournament(club: Club, wanted: Tournament) -> str:
    """Open a tournament; return it as text. Raises ``ClubError`` if it is impossible."""
    people = check_tournament(club, wanted)
    row = club.db.insert(
        "tournaments", name=wanted.name, settings=wanted, seed=wanted.seed or token_hex(16), opened=club.now
    )
    for person in people:
        club.db.insert("entries", tournament=row, person=person.id, since=club.now)
    return _words(wanted)


def close_tournament(club: Club, name: str) -> None:
    """End a tournament, and write to its players; its running games go on. Raises ``ClubError``."""
    one = club.db.first(TournamentRow, f"{_NAMED} and closed = 0", name)
    if one is None:
        known = ", ".join(row.name for row in club.db.all(TournamentRow, _RUNNING))
        raise ClubError(f"no tournament {name} is open; open are: {known or 'none'}")
    club.db.update("tournaments", one.id, closed=club.now)
    _tell(club, replace(one, closed=club.now), {}, "The moderator has ended the tournament. Its running games go on.")


def _words(wanted: Tournament) -> str:
    """Return a tournament as text: its games, its rounds and its begin."""
    games = "; ".join(next_game(one).words for one in wanted.games)
    full = f"when {wanted.most} have joined" if wanted.places else "at once"
    begin = f"on {wanted.begins}" if wanted.begins else full
    return printable(f"{wanted.name}: {games}; {count(wanted.rounds, 'round')} ({wanted.pairing}); begins {begin}")


def open_to(club: Club, name: str) -> TournamentRow | None:
    """Return the tournament that is called ``name`` and is not over."""
    return club.db.first(TournamentRow, f"{_NAMED} and closed = 0", name.lower())


def enter(club: Club, person: Person, one: TournamentRow) -> str:
    """Give ``person`` a place in a tournament; return the answer."""
    entries = _entries(club, one)
    own = next((entry for entry in entries if entry.person == person.id), None)
    if own is None:
        if one.round:
            return f"The tournament {one.name} has begun. Please wait for the next one."
        if len(entries) >= one.settings.most:
            return f"The tournament {one.name} is full."
        for game in map(next_game, one.settings.games):
            if refusal := unfit(club, person, game):
                return refusal
        club.db.insert("entries", tournament=one.id, person=person.id, since=club.now)
    elif own.gone:
        return f"You have left the tournament {one.name}."
    elif one.round:
        return f"You play in the tournament {one.name}, which has begun."
    where = f"{count(len(_entries(club, one)), 'has joined', 'have joined')}. LEAVE {one.name} gives up your place."
    return f"You have a place in the tournament {_words(one.settings)}. {where}"


def withdraw(club: Club, person: Person, one: TournamentRow) -> str:
    """Give up the place of ``person`` in a tournament, or in its further rounds; return the answer."""
    own = next((entry for entry in _entries(club, one) if entry.person == person.id and not entry.gone), None)
    if own is None:
        return f"You have no place in the tournament {one.name}."
    if not one.round:
        club.db.run("delete from entries where id = ?", own.id)
        return f"You have given up your place in the tournament {one.name}."
    club.db.update("entries", own.id, gone=club.now)
    own_game = "To give up your seat in its present game, answer a mail of that game and write RESIGN."
    return f"You play no further round of the tournament {one.name}. {own_game}"


def offers(club: Club, person: Person) -> list[Offer]:
    """Return what each tournament that is not over is for ``person``, by name."""
    found = []
    for one in club.db.all(TournamentRow, _RUNNING):
        entries = _entries(club, one)
        has_place = any(entry.person == person.id and not entry.gone for entry in entries)
        is_open = not (one.round or has_place or len(entries) >= one.settings.most)
        if one.round:
            words = f"{one.name}: round {one.round} of {one.settings.rounds}{', in which you play' if has_place else ''}"
        else:
            own = ", and so have you" if has_place else "" if is_open else "; it is full"
            words = f"{_words(one.settings)}: {count(len(entries), 'has joined', 'have joined')}{own}"
        found.append(Offer(name=one.name, words=words, has_place=has_place, is_open=is_open))
    return found


def games_text(club: Club, person: Person) -> str:
    """Return the tournaments that ``person`` can enter, and the tables of those that have begun; empty without any."""
    blocks = []
    for one, offer in zip(club.db.all(TournamentRow, _RUNNING), offers(club, person), strict=True):
        blocks.append(f"  {offer.words}{f'; write JOIN {one.name}' if offer.is_open else ''}")
        if one.round:
            lines = _table_text(table_of(club, one)).split("\n")
            more = [f"… {len(lines) - 1 - _SHOWN} more"] if len(lines) > _SHOWN + 1 else []
            blocks += [f"    {line}" for line in (*lines[: _SHOWN + 1], *more)]
    return "\n".join(["Tournaments", *blocks]) if blocks else ""


def tend(club: Club, troubles: list[str], *, has_all_mails: bool) -> None:
    """Do what is due in the tournaments: begin the first round or, when all games of a round are over, the next one.

    Unless the club ``has_all_mails`` that have come, no round begins: another mail may enter or leave a tournament.
    """
    for one in club.db.all(TournamentRow, _RUNNING):

        def fail(failure: Failure, one: TournamentRow = one) -> None:
            words = f"the next round of the tournament {one.name} cannot begin: {failure.cause}"
            troubles.append(words)
            matters.raise_matter(club, "failed", words, key=f"tournament/{one.id}/{digest(words.encode())}")

        with contain(fail):
            wanted, begun = one.settings, False
            if one.round:
                running = "select count(*) from games where is_over = 0 and removed = 0 and id in"
                of_round = "(select game from pairings where tournament = ? and round = ?)"
                is_due = not club.db.value(f"{running} {of_round}", one.id, one.round)
            elif wanted.begins:
                is_due = club.now >= time_of(wanted.begins, club.settings.time_zone)
            else:
                is_due = len(_entries(club, one)) >= wanted.most
            if has_all_mails and is_due:
                begun = _begin_round(club, one)
            if begun or one.round:
                unmade = f"select * from games where id in ({_PLAYED}) and beginning = '' and removed = 0 order by id"
                for row in club.db.all(GameRow, unmade, one.id):
                    people = [club.person(seat.person) for seat in club.seats(row)]
                    number = club.db.value("select round from pairings where game = ?", row.id)
                    game = game_of(_game(wanted, number), row.name, people, hides_names=row.hides_names)
                    write_folder(club, row, game)


def _game(wanted: Tournament, number: int) -> NextGame:
    """Return the game of the round ``number``."""
    return next_game(wanted.games[(number - 1) % len(wanted.games)])


def _begin_round(club: Club, one: TournamentRow) -> bool:
    """Begin the next round of a tournament, or end it; write to its players. Return whether there are new games."""
    with club.db.transaction():
        results = _results(club, one)
        left = {result.person for result in results if result.has_left}
        for entry in _entries(club, one):
            if entry.person in left and not entry.gone:
                club.db.update("entries", entry.id, gone=club.now)
        number = one.round + 1
        order = [entry.person for entry, _ in ranked(club, one) if not entry.gone]
        if one.settings.pairing == "groups" and one.round:
            present = [result for result in results if result.round == one.round]
            going = {result.person for result in present if result.game is None}
            for played in _groups(present):  # of level players, those who are first in the order
                known = [result for result in played if result.place is not None and result.person in order]
                known.sort(key=lambda result: (result.place, order.index(result.person)))
                going |= {result.person for result in known[: one.settings.winners]}
            order = [person for person in order if person in going]
        if one.settings.pairing != "swiss":
            order.sort(key=one.lot)
        is_final = one.settings.pairing == "groups" and len({own.game for own in results if own.round == one.round}) == 1
        is_last = bool(one.round) and (is_final or number > one.settings.rounds)
        game = _game(one.settings, number)
        sizes = () if is_last else _sizes(len(order), game)
        if not sizes and not one.round:
            words = f"the tournament {one.name} cannot begin: it has {count(len(order), 'player')}, too few for a game"
            advice = f"It begins when enough have joined; `club tournament {club.folder.name} --close {one.name}` ends it."
            matters.raise_matter(club, "note", words, key=f"few/{one.id}", advice=advice)
            return False
        if not sizes:
            club.db.update("tournaments", one.id, closed=club.now)
            best = [line.player for line in table_of(club, one).table if line.place == 1]
            early = "" if is_last else " Too few players are left for another round."
            words = f"The tournament is over.{early} {listed(best)} {'wins' if len(best) == 1 else 'share the first place'}."
            _tell(club, replace(one, closed=club.now), {}, words)
            return False
        rests = Counter(own.person for own in results if own.game is None)
        byes = sorted(order, key=lambda person: (rests[person], -order.index(person)))[: len(order) - sum(sizes)]
        met = Counter(pair for group in _groups(results) for pair in combinations(sorted(own.person for own in group), 2))
        plan = people_of_games([person for person in order if person not in byes], sizes, met)
        said = dict[int, str]()
        names = free_names(club, f"{one.name}-{number}")
        settings = settings_of(game, one.settings.settings)
        hides_names = are_hidden(club, settings)
        for group in plan:
            people = [club.person(person) for person in sorted(group, key=one.lot)]
            new = game_of(game, next(names), people, hides_names=hides_names)
            row = enter_game(club, new, dict(zip(new.seats, people, strict=True)), settings)
            for seat, person in zip(new.seats, people, strict=True):
                club.db.insert("pairings", tournament=one.id, round=number, person=person.id, game=row.id, seat=str(seat))
                said[person.id] = f"You play {seat} in {row.name}; its mails follow."
        for rest in byes:
            club.db.insert("pairings", tournament=one.id, round=number, person=rest)
            said[rest] = "You sit this round out, and get as many points as for a win."
        club.db.update("tournaments", one.id, round=number)
        _tell(club, replace(one, round=number), said, f"Round {number} of {one.settings.rounds} begins: {game.words}.")
        return True


def _tell(club: Club, one: TournamentRow, said: Mapping[int, str], words: str) -> None:
    """Write to the players of a tournament: ``words``, what is ``said`` to each, and the table."""
    table = table_of(club, one)
    what = "the tournament is over" if one.closed else f"round {one.round} of {one.settings.rounds}"
    page = f"{club.settings.public.url}{page_of(one.name)}" if club.settings.public.url else ""
    for entry in _entries(club, one):
        if not entry.gone:
            own = said.get(entry.person, "" if one.closed else "You play no further round.")
            key = f"tournament/{one.id}/{one.round}/{'end' if one.closed else 'begin'}/{entry.person}"
            text = "\n\n".join(filter(None, [f"{words} {own}".strip(), _table_text(table), page]))
            write(club, "tournament", club.person(entry.person), key, tournament=one.name, what=what, text=text)


def page_of(name: str) -> str:
    """Return the file of the public page of a tournament."""
    return f"tournament-{name}.html"


def _entries(club: Club, one: TournamentRow) -> list[Entry]:
    query = "select entries.id, person, name, gone from entries join people on people.id = person where tournament = ?"
    return club.db.all(Entry, f"{query} order by since, entries.id", one.id)


def _results(club: Club, one: TournamentRow) -> list[_Result]:
    """Return the results in a tournament by round and game; those of running and removed games have no place."""
    present = "select id from games where removed = 0"
    own = f"select game, seat, record from seats where game in ({_PLAYED}) and game in ({present})"
    begun, places = dict[tuple[int, str], SeatRecord](), defaultdict[int, list[int]](list)
    for seat in club.db.all(_Seat, own, one.id):
        for record in seat.record:
            if record.is_begun:
                begun[seat.game, seat.seat] = record
                places[seat.game] += [record.place] if record.place is not None else []
    unfinished = "select distinct round from pairings join games on games.id = game where tournament = ?"
    running = set(club.db.all(int, f"{unfinished} and removed = 0 and is_over = 0", one.id))
    found = []
    for pairing in club.db.all(_Pairing, "select * from pairings where tournament = ? order by round, game, id", one.id):
        result = _Result(round=pairing.round, person=pairing.person, game=pairing.game)
        if pairing.game is None and pairing.round not in running:
            seats = _game(one.settings, pairing.round).players
            result = replace(result, points=_points(one.settings, 1, 1, seats))
        elif pairing.game is not None and (known := begun.get((pairing.game, pairing.seat))) is not None:
            result = replace(result, place=known.place, has_left=known.has_left)
            if known.place is not None and not known.has_left:
                level = places[pairing.game]
                points = _points(one.settings, known.place, level.count(known.place), len(level))
                result = replace(result, points=points)
        found.append(result)
    return found


def _points(wanted: Tournament, place: int, level: int, seats: int) -> Fraction:
    """Return the points for a place that so many players share, in a game of so many seats."""
    points = wanted.points or tuple(range(seats - 1, -1, -1))
    return Fraction(sum(points[place - 1 : place - 1 + level]), level)


def _groups(results: Iterable[_Result]) -> list[list[_Result]]:
    """Return the results by game."""
    found = defaultdict[int, list[_Result]](list)
    for one in results:
        if one.game is not None:
            found[one.game].append(one)
    return list(found.values())


def ranked(club: Club, one: TournamentRow) -> list[tuple[Entry, TableLine]]:
    """Return the table of a tournament with the entry of each line, the best player first; the lot puts level ones in order.

    In a tournament with groups, those who have got further are ahead, then those with more points in their last round.
    """
    entries, results = _entries(club, one), _results(club, one)
    points, last, games = Counter[int](), dict[int, tuple[int, Fraction]](), Counter[int]()
    for result in results:
        points[result.person] += result.points  # type: ignore[assignment]
        last[result.person] = result.round, result.points
        games[result.person] += result.place is not None
    met = defaultdict[int, Fraction](Fraction)
    for group in _groups(result for result in results if result.place is not None):
        for own, other in permutations(group, 2):
            met[own.person] += points[other.person]

    def key(person: int) -> tuple[Fraction, ...]:
        stage = last.get(person, (0, Fraction(0))) if one.settings.pairing == "groups" else ()
        return tuple(-Fraction(value) for value in (*stage, points[person], met[person]))

    entries.sort(key=lambda entry: (key(entry.person), one.lot(entry.person)))
    keys = [key(entry.person) for entry in entries]
    is_out = one.settings.pairing == "groups"
    return [
        (
            entry,
            TableLine(
                place=keys.index(own) + 1,
                player=printable(entry.name),
                points=round(float(points[entry.person]), 2),
                opponents_points=round(float(met[entry.person]), 2),
                finished_games=games[entry.person],
                is_out=bool(entry.gone) or (is_out and last.get(entry.person, (one.round,))[0] < one.round),
            ),
        )
        for entry, own in zip(entries, keys, strict=True)
    ]


def _fewest(game: NextGame | OpenGame) -> int:
    return max(2, meta_of(game.ruleset).players[0])


def _sizes(people: int, game: NextGame) -> list[int]:
    """Return the number of players of each game, the most first, so that as few ``people`` as possible have none."""
    fewest = _fewest(game)
    for seated in range(people, fewest - 1, -1):
        games = -(-seated // game.players)
        least, more = divmod(seated, games)
        if least >= fewest:
            return [least + (number < more) for number in range(games)]
    return []


def people_of_games(order: Sequence[int], sizes: Sequence[int], met: Mapping[tuple[int, int], int]) -> list[list[int]]:
    """Return the people of each game: those near each other in ``order`` play, without those who have ``met`` if possible.

    ``met`` counts the games that a pair has played, the lower number first. If somebody must meet again, the club looks for
    few such pairs, and if even that takes too many steps, each game gets those who have met its players least.
    """
    steps = 0

    def meetings(person: int, others: Iterable[int]) -> int:
        return sum(met.get((min(person, other), max(person, other)), 0) for other in others)

    def place(games: list[list[int]], rest: Sequence[int], left: int) -> list[list[int]] | None:
        nonlocal steps
        steps += 1
        if rest and len(games[-1]) == sizes[len(games) - 1]:
            games, rest = [*games, [rest[0]]], rest[1:]
        if not rest:
            return games
        *full, last = games
        for person in rest:
            if steps > _STEPS:
                return None
            if (again := meetings(person, last)) <= left:
                found = place([*full, [*last, person]], [one for one in rest if one != person], left - again)
                if found is not None:
                    return found
        return None

    for repeats in range(_FEW):
        steps = 0
        if found := place([[order[0]]], order[1:], repeats):
            return found
    games, rest = list[list[int]](), list(order)
    for size in sizes:
        games.append([rest.pop(0)])
        while len(games[-1]) < size:
            person = min(rest, key=lambda one: meetings(one, games[-1]))
            rest.remove(person)
            games[-1].append(person)
    return games


def table_of(club: Club, one: TournamentRow) -> TournamentTable:
    """Return the table of a tournament; it does not say who plays where."""
    rows = club.db.all(GameRow, f"select * from games where id in ({_PLAYED}) and removed = 0 order by id", one.id)
    return TournamentTable(
        name=one.name,
        pairing=one.settings.pairing,
        round=one.round,
        rounds=one.settings.rounds,
        is_over=bool(one.closed),
        tournament_games=tuple(row.name for row in rows),
        running_games=sum(not row.is_over for row in rows),
        table=tuple(line for _, line in ranked(club, one)),
    )


def _table_text(table: TournamentTable, width: int | None = _WIDTH) -> str:
    return "\n".join(table_lines(HEADINGS, [cells(line) for line in table.table], width)) if table.table else ""


def cells(line: TableLine) -> tuple[str, ...]:
    """Return the cells of a line below ``HEADINGS``."""
    player = f"{line.player} (out)" if line.is_out else line.player
    return str(line.place), player, f"{line.points:g}", f"{line.opponents_points:g}", str(line.finished_games)


def tournaments_text(found: ClubTournaments, width: int | None = None) -> str:
    """Return the tournaments of a club with their tables, in ``width`` columns."""
    blocks = []
    for one in found.club_tournaments:
        state = "over" if one.is_over else f"round {one.round} of {one.rounds}" if one.round else "people can join"
        running = f"; {count(one.running_games, 'game')} running" if one.running_games else ""
        blocks.append("\n".join(filter(None, [f"{one.name} ({one.pairing}): {state}{running}", _table_text(one, width)])))
    return "\n\n".join(blocks) or "no tournaments; open one with `adjudicator club tournament`"
