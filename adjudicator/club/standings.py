"""Compute the standing of players of a club from its games: turns on time, seats abandoned, ratings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import partial

from adjudicator.club.failures import Failure, contain
from adjudicator.club.folder import ClubFolder
from adjudicator.club.foreign import supervised
from adjudicator.club.manage import ClubError
from adjudicator.club.settings import FormerPlayer, SeatSettings
from adjudicator.club.turns import open_game
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.outputs.standings import ClubStanding, ClubStandings, PlayerRating, SeatRecord
from adjudicator.reports.data.player_standing import SIMULATED, PlayerStanding, by_player, places_of, player_standing
from adjudicator.reports.pages.ratings import Rating, ratings


@frozen
class _Played:
    """A game of the club: its ruleset, and the records of its players, known by address."""

    ruleset: str
    records: tuple[SeatRecord, ...]

    @property
    def rated(self) -> dict[str, int]:
        return places_of(self.records)

    @property
    def finished(self) -> int | None:
        return self.records[0].finished_at if self.records else None


def standing_of(club: ClubFolder, player: str) -> PlayerStanding:
    """Return the standing of ``player``, an address or a name; an unknown address has an empty one.

    It leaves out games that cannot be read now. Raises ``ClubError`` for a name that no player or several players have.
    """
    address, own = _address(club, player), list[SeatRecord]()
    for game in club.games:
        with contain(lambda _failure: None):  # the round reports it
            if any(address == _id(one) for _, one in club.settings_of(game).players):
                own += (one for one in _played(club, game).records if one.player == address)
    return player_standing(own)


def standings(club: ClubFolder, player: str = "") -> ClubStandings:
    """Return the standing of ``player``, an address or a name, or (empty) of all, with ratings. Raises ``ClubError``."""
    wanted = _address(club, player) if player else ""
    failures, played = list[Failure](), list[_Played]()
    for game in club.games:
        with contain(failures.append):
            played.append(_played(club, game))
    rated = {name: ratings(one for one in played if one.ruleset == name) for name in sorted({one.ruleset for one in played})}
    names = {_id(one): one.name for game in club.games for _, one in _readable(club, game)}
    found = dict(by_player(record for one in played for record in one.records))
    if wanted:
        found = {wanted: found.get(wanted, PlayerStanding())}
    rows = tuple(_row(names.get(address, ""), address, one, rated) for address, one in found.items())
    return ClubStandings(club_standings=rows, troubles=tuple(one.cause for one in failures))


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


def _readable(club: ClubFolder, game: str) -> tuple[tuple[Seat, SeatSettings | FormerPlayer], ...]:
    with contain(lambda _failure: None):
        return club.settings_of(game).players
    return ()


def _id(player: SeatSettings | FormerPlayer) -> str:
    """Return what identifies a player in all games: the first address."""
    return player.addresses[0].casefold()


def _played(club: ClubFolder, game: str) -> _Played:
    """Return the records of ``game``. Raises ``FileProblem``, ``SetupError``, ``RulesetLost``."""
    return supervised(club.game_file(game), partial(_read, club, game))


def _read(club: ClubFolder, game: str) -> _Played:
    found = open_game(club, game)
    names = {(seat, one.name): _id(one) for seat, one in club.settings_of(game).players}
    for seat, one in club.settings_of(game).seats.items():
        holder = found.players.get(Seat(seat), SIMULATED)
        if holder != SIMULATED:  # the present player, also under another name
            names[Seat(seat), holder] = _id(one)
    return _Played(found.meta.id, found.seat_records(names))


def _address(club: ClubFolder, player: str) -> str:
    """Return the first address of ``player``, one of the player's addresses or the name. Raises ``ClubError``."""
    wanted = player.casefold()
    named: dict[str, set[str]] = defaultdict(set)
    for game in club.games:
        for _, one in _readable(club, game):
            for word in (*one.addresses, one.name):
                named[word.casefold()].add(_id(one))
    found = named.get(wanted, {wanted} if "@" in wanted else set())
    if len(found) != 1:
        several = f"several players are called {player}; name one by address: {', '.join(sorted(found))}"
        raise ClubError(several if found else f"the club has no player {player}; `club list` lists all")
    return found.pop()
