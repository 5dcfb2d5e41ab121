"""What a club tells its moderator: its games, players, messages, standings, and what needs a decision."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.values import Value
from adjudicator.reports.player_standing import SeatRecord
from adjudicator.results import UnmadePage


class RoundDone(Value, kw_only=True):
    """One round of a club.

    ``fetched`` counts new mails; ``sent``, ``later`` and ``given_up`` count letters that were sent, must be tried again, or
    cannot be sent. ``gone_on`` are the games that continued, ``troubles`` the failures.
    """

    fetched: int
    gone_on: tuple[str, ...]
    sent: int
    later: int
    given_up: int
    troubles: tuple[str, ...]


class ClubGame(Value, kw_only=True):
    """A game of a club.

    ``deadline`` is in seconds since 1970, ``awaited`` are the seats that are due, ``orders_from`` those whose newest mail
    waits and has no mistake. ``stopped`` says why the deadline has no effect.
    """

    game: str
    over: bool
    paused: bool
    deadline: int | None
    awaited: tuple[str, ...]
    orders_from: tuple[str, ...]
    stopped: str


class ClubMatter(Value, kw_only=True):
    """A matter for the moderator: its number ``n``, its game, its time (seconds since 1970), and ``what`` it is.

    ``held_mails`` counts the mails that wait with it for `accept`.
    """

    n: int
    game: str
    since: int
    what: str
    held_mails: int


class ClubLetter(Value, kw_only=True):
    """A letter that no server has accepted yet, and ``why``.

    ``next_try`` is in seconds since 1970 (null: the club has given it up).
    """

    kind: str
    game: str
    seat: str
    to: str
    next_try: int | None
    why: str


class ClubPlayer(Value, kw_only=True):
    """The player of a ``seat`` in a game of the club, with the player's addresses."""

    game: str
    seat: str
    player: str
    addresses: tuple[str, ...]


class ClubMember(Value, kw_only=True):
    """A member of the club, who has joined it ``since`` a time, in seconds since 1970."""

    name: str
    address: str
    since: int


class ClubList(Value, kw_only=True):
    """The ``players`` of the games of a club, in the order of games and seats, and the members of the club by name."""

    players: tuple[ClubPlayer, ...]
    club_members: tuple[ClubMember, ...]


class NextClubGame(Value, kw_only=True):
    """The list for the next game of a ``ruleset``: how many have ``joined`` it, and how many of them ``confirmed``."""

    ruleset: str
    players: int
    joined: int
    confirmed: int


class ClubStatus(Value, kw_only=True):
    """The state of a club: its games, the waiting ``lists``, the matters for the moderator, the ``unsent`` letters.

    ``letters`` counts all letters by kind and state. ``desk`` says why the club cannot write the players' pages; it is empty
    if nothing is wrong.
    """

    name: str
    club_games: tuple[ClubGame, ...]
    lists: tuple[NextClubGame, ...]
    matters: tuple[ClubMatter, ...]
    unsent: tuple[ClubLetter, ...]
    desk: str
    letters: Mapping[str, int]


class ClubMessage(Value, kw_only=True):
    """A message of the ``player`` of a ``seat`` to seats, `all` or the `moderator`; ``written_at`` is in seconds since 1970.

    ``state`` is "held" while it waits for the moderator, "accepted" or "dropped"; ``waiting_seats`` must still get it.
    """

    written_at: int
    seat: str
    player: str
    is_anonymous: bool
    message_to: tuple[str, ...]
    waiting_seats: tuple[str, ...]
    state: str
    text: str


class ClubMessages(Value, kw_only=True):
    """The messages of the players of a ``game``, the oldest first."""

    game: str
    club_messages: tuple[ClubMessage, ...]


class LateSeat(Value, kw_only=True):
    """A ``seat`` whose orders were due at the ``deadline``, in seconds since 1970, and are missing."""

    game: str
    seat: str
    player: str
    deadline: int


class RecordedChange(Value, kw_only=True):
    """A change that the moderator has made with a ``task`` of the command; ``changed_at`` is in seconds since 1970."""

    changed_at: int
    task: str
    what: str


class ClubReport(Value, kw_only=True):
    """The events in a club after the time ``since`` (0: from the beginning), who is late, and what needs a decision.

    ``club_mails`` counts the mails fetched by their present state, ``letters`` the letters written by kind. ``continued``
    are the games with a new position, ``games_over`` those among them that are over. ``stopped_games`` says for each stopped
    game why its deadline has no effect. Times are in seconds since 1970.
    """

    name: str
    since: int
    until: int
    club_mails: Mapping[str, int]
    letters: Mapping[str, int]
    continued: tuple[str, ...]
    games_over: tuple[str, ...]
    changes: tuple[RecordedChange, ...]
    late: tuple[LateSeat, ...]
    stopped_games: Mapping[str, str]
    matters: tuple[ClubMatter, ...]
    unsent: tuple[ClubLetter, ...]


class ClubFinding(Value, kw_only=True):
    """A problem that a ``check`` of a club has found: ``what`` it is, and what to do (``advice``)."""

    check: str
    what: str
    advice: str


class ClubCheckup(Value, kw_only=True):
    """The result of the ``checks`` of a club: all ``club_findings``, none if nothing is wrong."""

    checks: tuple[str, ...]
    club_findings: tuple[ClubFinding, ...]


class ClubPublished(Value, kw_only=True):
    """The public pages of a club in ``folder``, with its ``index``, and the numbers of its games.

    ``changed_files`` counts the files that were written because they are new or changed, ``removed_files`` those of earlier
    runs that are gone. ``unmade`` are the pages that could not be made, ``troubles`` the games whose settings could not be
    read: they name no player.
    """

    folder: str
    index: str
    running_games: int
    finished_games: int
    changed_files: int
    removed_files: int
    unmade: tuple[UnmadePage, ...]
    troubles: tuple[str, ...]


class ClubChange(Value, kw_only=True):
    """The changes, a sentence for each."""

    done: tuple[str, ...]


class PlayerRating(Value, kw_only=True):
    """The rating of a player by the games of one ``ruleset``: in two of three cases within ``doubt`` of ``rating``."""

    ruleset: str
    rating: int
    doubt: int
    rated_games: int


class ClubStanding(Value, kw_only=True):
    """The standing of a player, who writes from ``address``, by the last ten games.

    The player sent orders ``on_time`` in so many of the ``turns_due``, and has left ``seats_abandoned`` of those begun and
    taken over. ``excused`` turns do not count. ``seats`` is the record on each seat of these games.
    """

    player: str
    address: str
    on_time: int
    turns_due: int
    excused: int
    seats_abandoned: int
    seats_begun: int
    seats_taken_over: int
    player_ratings: tuple[PlayerRating, ...]
    seats: tuple[SeatRecord, ...]


class ClubStandings(Value, kw_only=True):
    """The ``club_standings`` of players of a club, and the games that could not be read (``troubles``)."""

    club_standings: tuple[ClubStanding, ...]
    troubles: tuple[str, ...]
