"""What a club tells its moderator: its games and what waits, what happened since a time, and the letter of each morning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from adjudicator.club.clock import rest
from adjudicator.club.club import Club
from adjudicator.club.deadlines import MORNING, duration, span_words, zone
from adjudicator.club.letters import write
from adjudicator.club.matters import record
from adjudicator.club.reports import desk_problem
from adjudicator.core.phrases import count
from adjudicator.core.values import MODERATOR, Value, replace
from adjudicator.reports.texts import GAP, table_lines

LAST: Final = "last"
"""The word for the time at which the moderator last asked what had happened."""
_READ: Final = "status"
"""The task under which the log has these times."""
_MOST_LETTERS: Final = 20
_NO_GAMES: Final = "no games; add one with `adjudicator club add`"
_SEATS: Final = "(select json_group_array(seat) from (select seat from seats where game = games.id and {} order by place))"
_GAMES: Final = (
    "select name as game, is_over as over, paused > 0 as paused, nullif(due, 0) as deadline, stopped,"
    " nullif(resumes, 0) as resumes, nullif(overtime, 0) as overtime,"
    f" {_SEATS.format('until = 0 and is_due')} as awaited, {_SEATS.format('until = 0 and is_ready')} as orders_from"
    " from games where removed = 0 order by is_over, due = 0, due, name"
)
_LATE: Final = (
    "select games.name as game, seat, iif(hidden_name = '', seats.name, hidden_name) as player, due as deadline"
    " from seats join games on games.id = seats.game"
    " where removed = 0 and until = 0 and is_due and not is_ready and not (paused or is_over) and due between 1 and ?"
    " order by due, games.name, place"
)
_LISTS: Final = (
    "select ruleset, players, count(c.id) as joined, coalesce(sum(c.done > 0), 0) as confirmed from lists"
    " left join confirmations c on c.list = lists.id and c.kind = 'place'"
    " where closed = 0 group by lists.id order by ruleset"
)
_TOURNAMENTS: Final = (
    "select name, round, json_extract(settings, '$.rounds') as rounds,"
    " (select count(*) from entries where tournament = t.id and gone = 0) as players, (select count(*) from games"
    " where removed = 0 and is_over = 0 and id in (select game from pairings where tournament = t.id)) as running_games"
    " from tournaments t where closed = 0 order by name"
)
_MATTERS: Final = (
    "select m.id as n, coalesce(g.name, '') as game, m.at as since, m.words as what,"
    " (select count(*) from mails where matter = m.id and state = 'held') as held_mails"
    " from matters m left join games g on g.id = m.game where m.settled = 0 order by m.id"
)
_UNSENT: Final = (
    "select l.kind, coalesce(g.name, '') as game, l.seat, l.recipient as \"to\","
    " case l.state when 'queued' then l.next_try end as next_try, l.said as why"
    " from letters l left join games g on g.id = l.game"
    " where l.state = 'given up' or (l.state = 'queued' and l.tries > 0) order by l.id"
)
Moment = Callable[[int], str]
"""Formats a time in seconds since 1970."""


class ClubGame(Value, kw_only=True):
    """A game of a club.

    ``deadline`` is in seconds since 1970, ``awaited`` are the seats that are due, ``orders_from`` those whose newest mail
    waits and has no mistake. ``stopped`` says why the deadline has no effect. A pause ends at the time ``resumes`` (null: by
    a command or a vote). ``banks`` are the seconds that seats have left in their time banks, as of the last turn. After the
    deadline ``overtime`` they run; then ``deadline`` is the end of the longest.
    """

    game: str
    over: bool
    paused: bool
    deadline: int | None
    awaited: tuple[str, ...]
    orders_from: tuple[str, ...]
    stopped: str
    resumes: int | None
    overtime: int | None
    banks: Mapping[str, int] = {}


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


class ClubTournament(Value, kw_only=True):
    """A tournament that is not over, in its ``round`` (0: it has not begun) of so many ``rounds``, and its ``players``."""

    name: str
    round: int
    rounds: int
    players: int
    running_games: int


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
    """The state of a club: games, waiting ``lists``, ``tournaments``, matters for the moderator, ``unsent`` letters.

    ``letters`` counts all letters by kind and state. ``desk`` says why the club cannot write the players' pages; it is empty
    if nothing is wrong. ``news`` is what happened since a time, if somebody has asked.
    """

    name: str
    club_games: tuple[ClubGame, ...]
    lists: tuple[NextClubGame, ...]
    tournaments: tuple[ClubTournament, ...]
    matters: tuple[ClubMatter, ...]
    unsent: tuple[ClubLetter, ...]
    desk: str
    letters: Mapping[str, int]
    news: ClubNews | None = None


class ClubChange(Value, kw_only=True):
    """The changes, a sentence for each."""

    done: tuple[str, ...]


def status(club: Club, since: str = "") -> ClubStatus:
    """Return the status of the club: its games by deadline, finished ones last, and everything that waits.

    With ``since``, a duration (`2 days`) or `LAST`, also what happened since then; `LAST` begins where the last one ended.
    Raises ``DeadlineError``.
    """
    games = tuple(club.db.all(ClubGame, _GAMES))
    if club.settings.deadlines.bank or club.db.value("select exists (select 1 from games where settings like '%\"bank\"%')"):
        rows = {row.name: row for row in club.games()}
        own = {name: {one.seat: rest(club, row, one) for one in club.seats(row)} for name, row in rows.items()}
        has_bank = {name for name, row in rows.items() if club.deadlines(row).bank and not row.is_over}
        games = tuple(replace(one, banks=own[one.game]) if one.game in has_bank else one for one in games)
    news = None
    if since:
        if since == LAST:
            begin = club.db.value("select max(at) from log where who = ? and what = ?", MODERATOR, _READ) or 0
        else:
            begin = max(0, club.now - int(duration(since).total_seconds()))
        reported = (
            "select distinct games.name from letters join games on games.id = letters.game"
            " where letters.kind = 'report' and state <> 'prepared' and written > ? order by 1"
        )
        changes = "select at as changed_at, what as task, words as what from log where who = ? and what <> ? and at > ?"
        mails = "select state, count(*) from mails where fetched > ? group by 1 order by 1"
        letters = "select kind, count(*) from letters where state <> 'prepared' and written > ? group by 1 order by 1"
        by_name, continued = sorted(games, key=lambda one: one.game), tuple(club.db.all(str, reported, begin))
        news = ClubNews(
            since=begin,
            until=club.now,
            club_mails=dict(club.db.all(tuple, mails, begin)),
            letters=dict(club.db.all(tuple, letters, begin)),
            continued=continued,
            games_over=tuple(one.game for one in by_name if one.over and one.game in continued),
            changes=tuple(club.db.all(RecordedChange, f"{changes} order by id", MODERATOR, _READ, begin)),
            late=tuple(club.db.all(LateSeat, _LATE, club.now)),  # the longest wait first
            stopped_games={one.game: one.stopped for one in by_name if one.stopped},
        )
        if since == LAST:
            record(club, _READ, "the moderator has read the news")
    return ClubStatus(
        name=club.settings.name,
        club_games=games,
        lists=tuple(club.db.all(NextClubGame, _LISTS)),
        tournaments=tuple(club.db.all(ClubTournament, _TOURNAMENTS)),
        matters=tuple(club.db.all(ClubMatter, _MATTERS)),
        unsent=tuple(club.db.all(ClubLetter, _UNSENT)),
        desk=desk_problem(club),
        letters=dict(club.db.all(tuple, "select kind || ' ' || state, count(*) from letters group by 1 order by 1")),
        news=news,
    )


def digest(club: Club) -> None:
    """Queue the letter in the first round of a morning, if anything has waited since before that morning."""
    local = datetime.fromtimestamp(club.now, UTC).astimezone(zone(club.settings.time_zone))
    morning = int(local.replace(hour=MORNING, minute=0, second=0).timestamp())
    first = (
        "select min(at) from (select at from matters where settled = 0 union all select written from letters"
        " where state = 'given up' or (state = 'queued' and tries > 0))"
    )
    since = club.db.value(first)
    if club.now < morning or since is None or since >= morning:
        return
    found = status(club)
    words = [count(len(found.matters), "matter")] if found.matters else []
    words += [count(len(found.unsent), "unsent mail")] if found.unsent else []
    with club.db.transaction():
        waiting, text = ", ".join(words), status_text(found, club.moment)
        write(club, "digest", MODERATOR, f"digest/{local.date()}", what=waiting, text=text)


def status_text(found: ClubStatus, moment: Moment, width: int | None = None) -> str:
    """Return a status for people, tables in ``width`` columns; its news, if it has some, in the place of the games."""
    if (news := found.news) is not None:
        since = f"since {moment(news.since)}" if news.since else "since the club began"
        running = [game for game in news.continued if game not in news.games_over]
        head = (
            f"mails fetched: {_counts(news.club_mails)}",
            f"letters written: {_counts(news.letters)}",
            f"games with a new position: {', '.join(running) or 'none'}",
            f"games over: {', '.join(news.games_over) or 'none'}",
        )
        late = (f"{one.game}: {one.player or one.seat} ({one.seat}), due {moment(one.deadline)}" for one in news.late)
        blocks = [
            _block(f"{found.name}, {since}", head),
            _block("Your changes", (f"{moment(one.changed_at)}  {one.task}: {one.what}" for one in news.changes)),
            _block("Late", late),
            _block("Stopped", (f"{game}: {why}" for game, why in news.stopped_games.items())),
        ]
    else:
        games = []
        for each in found.club_games:
            words = moment(each.deadline) if each.deadline else "not begun"
            end = f" until {moment(each.resumes)}" if each.resumes else ""
            words += " (time banks run)" if each.overtime and each.overtime != each.deadline else ""
            due = "over" if each.over else f"paused{end}" if each.paused else f"{words} (stopped)" if each.stopped else words
            games.append((each.game, due, " ".join(each.awaited) or "–", " ".join(each.orders_from) or "–"))
        banks = [
            (each.game, ", ".join(f"{seat} {span_words(left) if left else 'nothing'}" for seat, left in each.banks.items()))
            for each in found.club_games
            if each.banks
        ]
        lists = [(each.ruleset, f"{each.joined} of {each.players}", str(each.confirmed)) for each in found.lists]
        contests = [
            (one.name, f"{one.round} of {one.rounds}", str(one.players), str(one.running_games)) for one in found.tournaments
        ]
        room = None if width is None else width - len(GAP)
        lines = table_lines(("game", "deadline", "waiting for", "orders from"), games, room) if games else [_NO_GAMES]
        blocks = [
            _block(found.name, lines),
            _block("", table_lines(("next game", "joined", "confirmed"), lists, room) if lists else ()),
            _block("Time banks", table_lines(("game", "left"), banks, room) if banks else ()),
            _block("", table_lines(("tournament", "round", "players", "games running"), contests, room) if contests else ()),
        ]
    matters, mails = [], []
    for matter in found.matters:
        where = f"{matter.game}: " if matter.game else ""
        several = f" ({matter.held_mails} mails)" if matter.held_mails > 1 else ""
        first, *rest = matter.what.splitlines() or [""]
        matters.append(f"{matter.n}  {moment(matter.since)}  {where}{first}{several}")
        # Words of others must not pass for lines of this list.
        matters += (f"{GAP}> {line.removeprefix('> ')}" for line in rest if line.strip("> "))
    for letter in found.unsent[:_MOST_LETTERS]:
        of = " of ".join(filter(None, (letter.seat, letter.game)))
        then = "given up" if letter.next_try is None else f"next try {moment(letter.next_try)}"
        mails.append(f"{letter.kind} to {letter.to}{f' ({of})' if of else ''}: {letter.why}; {then}")
    if more := len(found.unsent) - len(mails):
        mails.append(f"… {more} more")
    states = (("not sent yet", "queued"), ("given up", "given up"))
    sums = ((words, sum(n for kind, n in found.letters.items() if kind.endswith(f" {state}"))) for words, state in states)
    unsent = ", ".join(f"{number} {words}" for words, number in sums if number)
    is_calm = news and not (news.late or news.stopped_games or found.matters or found.unsent or found.desk)
    blocks += [
        _block("Waiting for you", matters),
        "\n".join([f"Mails: {unsent}", *(GAP + line for line in mails)]) if found.unsent or (unsent and not news) else "",
        _block("The desk", [found.desk] if found.desk else ()),
        "Nobody is late, and nothing waits for you." if is_calm else "",
    ]
    return "\n\n".join(filter(None, blocks))


def _counts(counts: Mapping[str, int]) -> str:
    """Return ``counts`` as text: `5 (3 answered, 2 held)`."""
    parts = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    return f"{sum(counts.values())} ({parts})" if parts else "none"


def _block(title: str, lines: Iterable[str]) -> str:
    """Return ``lines``, indented, below their ``title``; empty without any."""
    found = [f"{GAP}{line}" for line in lines]
    return "\n".join([title, *found] if title else found) if found else ""
