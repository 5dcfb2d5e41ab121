"""Compute the standing of players of a club from its games: turns on time, seats abandoned, ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from typing import Final

import adjudicator
from adjudicator.club.failures import Failure, contain
from adjudicator.club.folder import GAME_FILE, GAME_SETTINGS, ClubFolder
from adjudicator.club.game_records import GameRecord, record_of
from adjudicator.club.ledger import Ledger
from adjudicator.club.manage import ClubError
from adjudicator.club.results import ClubStanding, ClubStandings, PlayerRating
from adjudicator.club.settings import FormerPlayer, SeatSettings
from adjudicator.club.turns import open_game
from adjudicator.core.values import Seat, Value, canonical_text
from adjudicator.library.seat_records import SIMULATED, records_of
from adjudicator.mail.envelope import plain_address
from adjudicator.site.standings import (
    NEW_RATING,
    PlayerStanding,
    Rating,
    player_standing,
    ratings,
    standing_words,
    standings_by_player,
)

_FORM: Final = 1
"""The number of the form in which the ledger keeps games; another one makes it ask all games again."""


class MemberStanding(Value, kw_only=True):
    """The standing of a member, and the ``ratings`` by ruleset of those rulesets of which a finished game counts."""

    standing: PlayerStanding
    ratings: Mapping[str, Rating]

    def rating(self, ruleset: str) -> int:
        """Return the rating in games of ``ruleset``; without such games, that of a new player."""
        return self.ratings[ruleset].value if ruleset in self.ratings else NEW_RATING

    def words(self, *rulesets: str) -> str:
        """Return the two ratios and the ratings by ``rulesets`` (none: by all) as text."""
        rated = (f"{name} {self.ratings[name]}" for name in rulesets or self.ratings if name in self.ratings)
        return f"{standing_words(self.standing)}; rating: {', '.join(rated) or f'{NEW_RATING} (no games yet)'}"


def standing_of(club: ClubFolder, ledger: Ledger, address: str) -> MemberStanding:
    """Return the standing of the player who writes from ``address``; an unknown one has an empty standing.

    It leaves out games that cannot be read now, and games of others that the club has not seen end.
    """
    rows = ledger.games()

    def concerns(game: str) -> bool:
        known = rows.get(game)
        players = (words for _, one in club.settings_of(game).players for words in one.addresses)
        return (known is not None and known.is_over) or address.casefold() in map(str.casefold, players)

    games = _game_records(club, ledger, lambda _failure: None, concerns)
    own = _known_as(address, games)
    player = address.casefold() if address.casefold() in own or not own else min(own)
    rated = {ruleset: found[player] for ruleset, found in _ratings(games).items() if player in found}
    records = (record for one in games for record in one.records if record.player == player)
    return MemberStanding(standing=player_standing(records), ratings=rated)


def standings(club: ClubFolder, player: str = "") -> ClubStandings:
    """Return the standing of ``player``, an address or a name, or (empty) of all, with ratings. Raises ``ClubError``."""
    failures = list[Failure]()
    with closing(club.ledger()) as ledger:
        games = _game_records(club, ledger, failures.append)
    names = {words[0]: words[1] for one in games for words in one.names}
    found = dict(standings_by_player(record for one in games for record in one.records))
    if player:
        wanted = _identified(plain_address(player), games)
        found = {wanted: found.get(wanted, PlayerStanding())}
    rated = _ratings(games)
    rows = tuple(_row(names.get(address, ""), address, one, rated) for address, one in found.items())
    return ClubStandings(club_standings=rows, troubles=tuple(one.cause for one in failures))


def _ratings(games: Sequence[GameRecord]) -> dict[str, dict[str, Rating]]:
    """Return the rating of each player by ruleset."""
    rulesets = sorted({one.ruleset for one in games})
    return {name: ratings((one.finished, one.rated) for one in games if one.ruleset == name) for name in rulesets}


def _row(name: str, address: str, one: PlayerStanding, rated: Mapping[str, Mapping[str, Rating]]) -> ClubStanding:
    own = ((ruleset, found[address]) for ruleset, found in rated.items() if address in found)
    return ClubStanding(
        player=name,
        address=address,
        on_time=one.on_time,
        turns_due=one.due,
        excused=one.excused,
        seats_abandoned=one.abandoned,
        seats_begun=one.begun,
        seats_taken_over=one.taken_over,
        player_ratings=tuple(
            PlayerRating(ruleset=ruleset, rating=rating.value, doubt=rating.doubt, rated_games=rating.games)
            for ruleset, rating in own
        ),
        seats=one.seats,
    )


def _id(player: SeatSettings | FormerPlayer) -> str:
    """Return what identifies a player in all games: the first address."""
    return player.addresses[0].casefold()


def _known_as(word: str, games: Iterable[GameRecord]) -> set[str]:
    """Return what identifies the players whom ``games`` know by a ``word``, a name or an address."""
    wanted = word.casefold()
    return {names[0] for one in games for names in one.names if wanted in map(str.casefold, names)}


def _identified(player: str, games: Iterable[GameRecord]) -> str:
    """Return what identifies ``player``, an address or a name.

    Raises ``ClubError`` for a name that no player or several players have.
    """
    found, own = _known_as(player, games), player.casefold()
    if "@" in player and (own in found or not found):
        return own
    if len(found) != 1:
        several = f"several players are called {player}; name one by address: {', '.join(sorted(found))}"
        raise ClubError(several if found else f"the club has no player {player}; `club list` lists all")
    return found.pop()


def _game_records(
    club: ClubFolder, ledger: Ledger, fail: Callable[[Failure], None], concerns: Callable[[str], bool] = lambda _game: True
) -> list[GameRecord]:
    """Return what each game says about its players; ``fail`` gets the failure of each game that cannot be read.

    A game whose files have changed since the ledger kept it is read again, if it ``concerns`` the caller; else it is left
    out.
    """
    known, found, new = ledger.game_records(), list[GameRecord](), dict[str, tuple[str, str]]()
    for game in club.games:
        with contain(fail):
            mark, kept = _mark(club, game), known.get(game)
            if kept is not None and kept[0] == mark:
                found.append(record_of(kept[1]))
            elif concerns(game):
                found.append(_read(club, game))
                new[game] = mark, canonical_text(found[-1])
    with contain(lambda _failure: None):  # the next call reads them again
        ledger.keep_game_records(new)
    return found


def _mark(club: ClubFolder, game: str) -> str:
    """Return a text that changes when the files of ``game`` or the program change. Raises ``OSError``."""
    files = [club.path(game, name).stat() for name in (GAME_FILE, GAME_SETTINGS)]
    return " ".join([f"{_FORM} {adjudicator.__version__}", *(f"{one.st_size} {one.st_mtime_ns}" for one in files)])


def _read(club: ClubFolder, game: str) -> GameRecord:
    found, players = open_game(club, game), club.settings_of(game).players
    ids = {(seat, one.name): _id(one) for seat, one in players}
    for seat, one in club.settings_of(game).seats.items():
        holder = found.players.get(Seat(seat), SIMULATED)
        if holder != SIMULATED:  # the present player, also under another name
            ids[Seat(seat), holder] = _id(one)
    names = dict.fromkeys((_id(one), one.name, *one.addresses) for _, one in players)
    return GameRecord(ruleset=found.meta.id, records=records_of(found, ids), names=tuple(names))
