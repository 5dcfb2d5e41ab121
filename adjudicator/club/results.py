"""What a club tells its moderator: its games, players, messages, standings, and what needs a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from adjudicator.core.phrases import count
from adjudicator.core.values import Value
from adjudicator.library.seat_records import SeatRecord
from adjudicator.reports.texts import GAP, count_of, table_lines
from adjudicator.results import UnmadePage
from adjudicator.site.build import unmade_text
from adjudicator.site.standings import RECORD_HEADINGS, record_rows, share


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


_MOST_LETTERS: Final = 20
Moment = Callable[[int], str]
"""Formats a time in seconds since 1970."""


def status_text(status: ClubStatus, moment: Moment, width: int | None = None) -> str:
    """Return ``status`` for people, tables in ``width`` columns."""
    games = []
    for one in status.club_games:
        words = moment(one.deadline) if one.deadline else "not begun"
        due = "over" if one.over else "paused" if one.paused else f"{words} (stopped)" if one.stopped else words
        games.append((one.game, due, " ".join(one.awaited) or "–", " ".join(one.orders_from) or "–"))
    lists = [(one.ruleset, f"{one.joined} of {one.players}", str(one.confirmed)) for one in status.lists]
    room = None if width is None else width - len(GAP)
    counts = {
        state: sum(n for kind, n in status.letters.items() if kind.endswith(f" {state}")) for state in ("queued", "given up")
    }
    return _joined(
        _block(status.name, table_lines(("game", "deadline", "waiting for", "orders from"), games, room))
        if games
        else f"{status.name}\n{GAP}no games; add one with `adjudicator club add`",
        _block("", table_lines(("next game", "joined", "confirmed"), lists, room) if lists else ()),
        matters_text(status.matters, moment),
        letters_text(status.unsent, counts, moment),
        _block("The desk", [status.desk] if status.desk else ()),
    )


def matters_text(matters: Iterable[ClubMatter], moment: Moment) -> str:
    """Return the ``matters`` for the moderator, empty if there are none."""
    lines = []
    for matter in matters:
        where = f"{matter.game}: " if matter.game else ""
        several = f" ({matter.held_mails} mails)" if matter.held_mails > 1 else ""
        first, *rest = matter.what.splitlines() or [""]
        lines.append(f"{matter.n}  {moment(matter.since)}  {where}{first}{several}")
        # Words of others must not pass for lines of this list.
        lines += (f"{GAP}> {line.removeprefix('> ')}" for line in rest if line.strip("> "))
    return _block("Waiting for you", lines)


def letters_text(unsent: Sequence[ClubLetter], counts: Mapping[str, int], moment: Moment) -> str:
    """Return the ``unsent`` letters below the ``counts`` of letters by state; empty if there are none."""
    states = {"queued": "not sent yet", "given up": "given up"}
    parts = [f"{counts[state]} {words}" for state, words in states.items() if counts[state]]
    if not parts:
        return ""
    lines = []
    for one in unsent[:_MOST_LETTERS]:
        where = " of ".join(part for part in (one.seat, one.game) if part)
        then = "given up" if one.next_try is None else f"next try {moment(one.next_try)}"
        lines.append(f"{one.kind} to {one.to}{f' ({where})' if where else ''}: {one.why}; {then}")
    more = len(unsent) - len(lines)
    return "\n".join(
        [f"Mails: {', '.join(parts)}", *(GAP + line for line in lines), *([f"{GAP}… {more} more"] if more else [])]
    )


def report_text(report: ClubReport, moment: Moment) -> str:
    """Return ``report`` for people."""
    since = f"since {moment(report.since)}" if report.since else "since the club began"
    running = [game for game in report.continued if game not in report.games_over]
    lost = sum(one.next_try is None for one in report.unsent)
    head = (
        f"mails fetched: {_counts(report.club_mails)}",
        f"letters written: {_counts(report.letters)}",
        f"games with a new position: {', '.join(running) or 'none'}",
        f"games over: {', '.join(report.games_over) or 'none'}",
    )
    late = (f"{one.game}: {one.player or one.seat} ({one.seat}), due {moment(one.deadline)}" for one in report.late)
    is_calm = not (report.late or report.stopped_games or report.matters or report.unsent)
    return _joined(
        _block(f"{report.name}, {since}", head),
        _block("Your changes", (f"{moment(one.changed_at)}  {one.task}: {one.what}" for one in report.changes)),
        _block("Late", late),
        _block("Stopped", (f"{game}: {why}" for game, why in report.stopped_games.items())),
        matters_text(report.matters, moment),
        letters_text(report.unsent, {"queued": len(report.unsent) - lost, "given up": lost}, moment),
        "Nobody is late, and nothing waits for you." if is_calm else "",
    )


def checkup_text(checkup: ClubCheckup) -> str:
    """Return ``checkup`` for people: each problem, and below it what to do."""
    if not checkup.club_findings:
        return f"nothing is wrong; checked: {', '.join(checkup.checks)}"
    lines = [f"{count(len(checkup.club_findings), 'problem')}:"]
    for one in checkup.club_findings:
        lines += [f"{one.check}: {one.what}", f"{GAP}→ {one.advice}"]
    return "\n".join(lines)


def messages_text(found: ClubMessages, moment: Moment) -> str:
    """Return the messages of a game for people: a line for each, and below it its text."""
    blocks = []
    for one in found.club_messages:
        name = ", without a name," if one.is_anonymous else ""
        sent = f"not sent yet to {', '.join(one.waiting_seats)}" if one.waiting_seats else "sent"
        fate = {"accepted": sent, "held": "waits for you"}.get(one.state, "dropped")
        head = f"{moment(one.written_at)}  {one.player}{name} to {', '.join(one.message_to)}  ({fate})"
        blocks.append(_block(head, one.text.split("\n")))
    return _joined(*blocks) or f"{found.game}: no messages"


def players_text(players: ClubList, width: int | None = None) -> str:
    """Return the players in the games of a club, a row for each seat, and its members, in ``width`` columns."""
    rows = [(one.game, one.seat, one.player or "–", ", ".join(one.addresses)) for one in players.players]
    members = [(one.name, one.address) for one in players.club_members]
    return _joined(
        "\n".join(table_lines(("game", "seat", "player", "address"), rows, width)) if rows else "no games",
        "\n".join(table_lines(("member", "address"), members, width)) if members else "",
    )


def standings_text(found: ClubStandings, width: int | None = None, *, is_long: bool) -> str:
    """Return the standings of players in ``width`` columns, a row for each; if ``is_long``, with the record on each seat."""
    rows = [
        (
            one.player or "–",
            one.address,
            share(one.on_time, one.turns_due, "turns"),
            str(one.excused),
            share(one.seats_abandoned, one.seats_begun + one.seats_taken_over, "seats"),
            ", ".join(f"{each.ruleset} {each.rating} ± {each.doubt}" for each in one.player_ratings) or "–",
        )
        for one in found.club_standings
    ]
    headings = ("player", "address", "on time", "excused", "abandoned", "ratings")
    lines = list(table_lines(headings, rows, width)) if rows else ["no players"]
    records = record_rows(found.club_standings[0].seats) if is_long and rows else ()
    more = ["", *table_lines(RECORD_HEADINGS, records, width)] if records else []
    return "\n".join([*lines, *more, *(f"left out: {words}" for words in found.troubles)])


def published_text(done: ClubPublished) -> str:
    """Return what is on the public pages of a club, which of them have changed, and what went wrong."""
    games = f"{done.running_games:,} running, {done.finished_games:,} finished"
    removed = f", {done.removed_files:,} removed" if done.removed_files else ""
    is_same = not done.changed_files and not removed
    files = "nothing has changed" if is_same else f"{count_of(done.changed_files, 'file')} written{removed}"
    return "\n".join([*map(unmade_text, done.unmade), *done.troubles, f"{done.index}: {games}; {files}"])


def _counts(counts: Mapping[str, int]) -> str:
    """Return ``counts`` as text: `5 (3 answered, 2 held)`."""
    parts = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    return f"{sum(counts.values())} ({parts})" if parts else "none"


def _block(title: str, lines: Iterable[str]) -> str:
    """Return ``lines``, indented, below their ``title``; empty without any."""
    found = [f"{GAP}{line}" for line in lines]
    return "\n".join([title, *found] if title else found) if found else ""


def _joined(*blocks: str) -> str:
    return "\n\n".join(filter(None, blocks))
