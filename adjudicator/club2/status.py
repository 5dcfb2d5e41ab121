"""What a club tells its moderator: its games and what waits, what happened since a time, and the letter of each morning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from adjudicator.club2.club import MODERATOR, Club
from adjudicator.club2.deadlines import duration, zone
from adjudicator.club2.letters import write
from adjudicator.club2.pages import desk_problem
from adjudicator.core.phrases import count
from adjudicator.core.values import Value
from adjudicator.reports.texts import GAP, count_of, table_lines

if TYPE_CHECKING:  # only their texts are written here, and a round needs none of them
    from adjudicator.club2.messages import ClubMessages
    from adjudicator.club2.public import ClubPublished
    from adjudicator.club2.seats import ClubList
    from adjudicator.club2.standings import ClubStandings

LAST: Final = "last"
"""What stands for the time at which the moderator last asked what happened."""
_MOST_LETTERS: Final = 20
_HOUR: Final = 8
"""The letter goes out in the first round after this hour, in the time zone of the club."""
Moment = Callable[[int], str]
"""Formats a time in seconds since 1970."""


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


class NextClubGame(Value, kw_only=True):
    """The list for the next game of a ``ruleset``: how many have ``joined`` it, and how many of them ``confirmed``."""

    ruleset: str
    players: int
    joined: int
    confirmed: int


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


class ClubNews(Value, kw_only=True):
    """The events in a club after the time ``since`` (0: from the beginning), and who is late.

    ``club_mails`` counts the mails fetched by their present state, ``letters`` the letters written by kind. ``continued``
    are the games with a new position, ``games_over`` those among them that are over. ``stopped_games`` says for each stopped
    game why its deadline has no effect. Times are in seconds since 1970.
    """

    since: int
    until: int
    club_mails: Mapping[str, int]
    letters: Mapping[str, int]
    continued: tuple[str, ...]
    games_over: tuple[str, ...]
    changes: tuple[RecordedChange, ...]
    late: tuple[LateSeat, ...]
    stopped_games: Mapping[str, str]


class ClubStatus(Value, kw_only=True):
    """The state of a club: its games, the waiting ``lists``, the matters for the moderator, the ``unsent`` letters.

    ``letters`` counts all letters by kind and state. ``desk`` says why the club cannot write the players' pages; it is empty
    if nothing is wrong. ``news`` is what happened since a time, if somebody has asked.
    """

    name: str
    club_games: tuple[ClubGame, ...]
    lists: tuple[NextClubGame, ...]
    matters: tuple[ClubMatter, ...]
    unsent: tuple[ClubLetter, ...]
    desk: str
    letters: Mapping[str, int]
    news: ClubNews | None = None


class ClubChange(Value, kw_only=True):
    """The changes, a sentence for each."""

    done: tuple[str, ...]


class _Count(Value):
    """A number of things with a name."""

    name: str
    n: int


def status(club: Club, since: str = "") -> ClubStatus:
    """Return the status of the club: its games by deadline, finished ones last, and everything that waits.

    With ``since``, a duration (`2 days`) or `LAST`, also what happened since then; `LAST` begins where the last one ended.
    Raises ``DeadlineError``.
    """
    rows = sorted(club.games(), key=lambda row: (row.is_over, not row.due, row.due, row.name))
    seats = {row.id: club.seats(row) for row in rows}
    lists = (
        "select ruleset, players, count(c.id) as joined, coalesce(sum(c.done > 0), 0) as confirmed from lists"
        " left join confirmations c on c.list = lists.id and c.kind = 'place' where closed = 0 and opened > 0"
        " group by lists.id order by ruleset"
    )
    matters = (
        "select m.id as n, coalesce(g.name, '') as game, m.at as since, m.words as what,"
        " (select count(*) from mails where matter = m.id and state = 'held') as held_mails"
        " from matters m left join games g on g.id = m.game where m.settled = 0 order by m.id"
    )
    unsent = (
        "select l.kind, coalesce(g.name, '') as game, l.seat, l.recipient as \"to\","
        " case l.state when 'queued' then l.next_try end as next_try, l.said as why"
        " from letters l left join games g on g.id = l.game"
        " where l.state = 'given up' or (l.state = 'queued' and l.tries > 0) order by l.id"
    )
    counts = "select kind || ' ' || state as name, count(*) as n from letters group by 1 order by 1"
    found = ClubStatus(
        name=club.settings.name,
        club_games=tuple(
            ClubGame(
                game=row.name,
                over=row.is_over,
                paused=bool(row.paused),
                deadline=row.due or None,
                awaited=tuple(one.seat for one in seats[row.id] if one.is_due),
                orders_from=tuple(one.seat for one in seats[row.id] if one.is_ready),
                stopped=row.stopped,
            )
            for row in rows
        ),
        lists=tuple(club.db.all(NextClubGame, lists)),
        matters=tuple(club.db.all(ClubMatter, matters)),
        unsent=tuple(club.db.all(ClubLetter, unsent)),
        desk=desk_problem(club),
        letters=_counted(club, counts),
    )
    return found
