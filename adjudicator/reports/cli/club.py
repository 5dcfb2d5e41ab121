"""Write the status of a club: its games by deadline, its unsent mails, and the tasks of the moderator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from adjudicator.reports.data.club import (
    ClubGame,
    ClubLetter,
    ClubList,
    ClubMatter,
    ClubPublished,
    ClubStandings,
    ClubStatus,
    NextClubGame,
)
from adjudicator.reports.data.player_standing import RECORD_HEADINGS, PlayerStanding, record_rows, share
from adjudicator.reports.text.table import GAP, count_of, table_lines

_MOST_LETTERS: Final = 20
_UNSENT: Final = {"queued": "not sent yet", "given up": "given up"}
"""The states of letters that did not go out, with their words."""


def status_text(status: ClubStatus, moment: Callable[[int], str], width: int | None = None) -> str:
    """Return ``status`` for people, tables in ``width`` columns; ``moment`` formats a time in seconds since 1970."""
    room = None if width is None else width - len(GAP)
    blocks = [
        "\n".join([status.name, *_games(status, moment, room)]),
        _lists(status.lists, room),
        matters_text(status.matters, moment),
        letters_text(status.unsent, _unsent_counts(status.letters), moment),
        f"The desk\n{GAP}{status.desk}" if status.desk else "",
    ]
    return "\n\n".join(block for block in blocks if block)


def _games(status: ClubStatus, moment: Callable[[int], str], room: int | None) -> Iterator[str]:
    if not status.club_games:
        yield f"{GAP}no games; add one with `adjudicator club add`"
        return
    rows = [(one.game, _due(one, moment), _names(one.awaited), _names(one.orders_from)) for one in status.club_games]
    headings = ("game", "deadline", "waiting for", "orders from")
    yield from (f"{GAP}{line}" for line in table_lines(headings, rows, room))


def _lists(lists: Iterable[NextClubGame], room: int | None) -> str:
    rows = [(one.ruleset, f"{one.joined} of {one.players}", str(one.confirmed)) for one in lists]
    lines = table_lines(("next game", "joined", "confirmed"), rows, room) if rows else []
    return "\n".join(f"{GAP}{line}" for line in lines)


def _names(seats: tuple[str, ...]) -> str:
    return " ".join(seats) or "–"


def _due(game: ClubGame, moment: Callable[[int], str]) -> str:
    if game.over:
        return "over"
    if game.paused:
        return "paused"
    words = moment(game.deadline) if game.deadline else "not begun"
    return f"{words} (stopped)" if game.stopped else words


def matters_text(matters: Iterable[ClubMatter], moment: Callable[[int], str]) -> str:
    """Return the ``matters`` for the moderator, empty if there are none."""
    lines = []
    for matter in matters:
        where = f"{matter.game}: " if matter.game else ""
        several = f" ({matter.held_mails} mails)" if matter.held_mails > 1 else ""
        first, *rest = matter.what.splitlines() or [""]
        lines.append(f"{GAP}{matter.n}  {moment(matter.since)}  {where}{first}{several}")
        # Words of others must not pass for lines of this list.
        lines += (f"{2 * GAP}> {line.removeprefix('> ')}" for line in rest if line.strip("> "))
    return "\n".join(["Waiting for you", *lines]) if lines else ""


def letters_text(unsent: Sequence[ClubLetter], counts: Mapping[str, int], moment: Callable[[int], str]) -> str:
    """Return the ``unsent`` letters below the ``counts`` of letters by state; empty if there are none."""
    parts = [f"{counts[state]} {words}" for state, words in _UNSENT.items() if counts[state]]
    if not parts:
        return ""
    shown = [f"{GAP}{words}" for words in map(partial(_unsent, moment=moment), unsent[:_MOST_LETTERS])]
    more = len(unsent) - len(shown)
    return "\n".join([f"Mails: {', '.join(parts)}", *shown, *([f"{GAP}… {more} more"] if more else [])])


def _unsent_counts(letters: Mapping[str, int]) -> dict[str, int]:
    """Return the number of letters in each state of ``_UNSENT``, from those by kind and state."""
    return {state: sum(n for words, n in letters.items() if words.endswith(f" {state}")) for state in _UNSENT}


def _unsent(letter: ClubLetter, moment: Callable[[int], str]) -> str:
    where = " of ".join(part for part in (letter.seat, letter.game) if part)
    then = "given up" if letter.next_try is None else f"next try {moment(letter.next_try)}"
    return f"{letter.kind} to {letter.to}{f' ({where})' if where else ''}: {letter.why}; {then}"


def players_text(players: ClubList, width: int | None = None) -> str:
    """Return the players in the games of a club, a row for each seat, and its members, in ``width`` columns."""
    rows = [(one.game, one.seat, one.player or "–", ", ".join(one.addresses)) for one in players.players]
    members = [(one.name, one.address) for one in players.club_members]
    tables = [
        "\n".join(table_lines(("game", "seat", "player", "address"), rows, width)) if rows else "no games",
        "\n".join(table_lines(("member", "address"), members, width)) if members else "",
    ]
    return "\n\n".join(filter(None, tables))


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
    records = record_rows(PlayerStanding(found.club_standings[0].seats)) if is_long and rows else ()
    more = ["", *table_lines(RECORD_HEADINGS, records, width)] if records else []
    return "\n".join([*lines, *more, *(f"left out: {words}" for words in found.troubles)])


def published_text(done: ClubPublished) -> str:
    """Return what is on the public pages of a club, which of them have changed, and what went wrong."""
    lines = [f"not made   {one.page}  {one.cause}{f'  {one.source}' if one.source else ''}" for one in done.unmade]
    games = f"{done.running_games:,} running, {done.finished_games:,} finished"
    removed = f", {done.removed_files:,} removed" if done.removed_files else ""
    files = (
        f"{count_of(done.changed_files, 'file')} written{removed}"
        if done.changed_files or removed
        else "nothing has changed"
    )
    return "\n".join([*lines, *done.troubles, f"{done.index}: {games}; {files}"])
