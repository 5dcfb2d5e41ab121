"""Write the status of a club: its games by deadline, its unsent mails, and the tasks of the moderator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from adjudicator.outputs.clubs import ClubGame, ClubLetter, ClubList, ClubPublished, ClubStatus
from adjudicator.reports.text.table import GAP, count_of, table_lines

_MOST_LETTERS: Final = 20


def status_text(status: ClubStatus, moment: Callable[[int], str]) -> str:
    """Return ``status`` for people; ``moment`` formats a time in seconds since 1970."""
    blocks = [
        "\n".join([status.name, *_games(status, moment)]),
        "\n".join(_matters(status, moment)),
        _letters(status, moment),
        f"The desk\n{GAP}{status.desk}" if status.desk else "",
    ]
    return "\n\n".join(block for block in blocks if block)


def _games(status: ClubStatus, moment: Callable[[int], str]) -> Iterator[str]:
    if not status.club_games:
        yield f"{GAP}no games; add one with `adjudicator club add`"
        return
    rows = [(one.game, _due(one, moment), _names(one.awaited), _names(one.orders_from)) for one in status.club_games]
    yield from (f"{GAP}{line}" for line in table_lines(("game", "deadline", "waiting for", "orders from"), rows))


def _names(seats: tuple[str, ...]) -> str:
    return " ".join(seats) or "–"


def _due(game: ClubGame, moment: Callable[[int], str]) -> str:
    if game.over:
        return "over"
    if game.paused:
        return "paused"
    words = moment(game.deadline) if game.deadline else "not begun"
    return f"{words} (stopped)" if game.stopped else words


def _matters(status: ClubStatus, moment: Callable[[int], str]) -> Iterator[str]:
    if not status.matters:
        return
    yield "Waiting for you"
    for matter in status.matters:
        where = f"{matter.game}: " if matter.game else ""
        several = f" ({matter.held_mails} mails)" if matter.held_mails > 1 else ""
        yield f"{GAP}{matter.n}  {moment(matter.since)}  {where}{matter.what}{several}"


def _letters(status: ClubStatus, moment: Callable[[int], str]) -> str:
    queued = sum(count for words, count in status.letters.items() if words.endswith(" queued"))
    lost = sum(count for words, count in status.letters.items() if words.endswith(" given up"))
    parts = [f"{queued} not sent yet" if queued else "", f"{lost} given up" if lost else ""]
    counts = ", ".join(part for part in parts if part)
    if not counts:
        return ""
    shown = [f"{GAP}{words}" for words in map(partial(_unsent, moment=moment), status.unsent[:_MOST_LETTERS])]
    more = len(status.unsent) - len(shown)
    return "\n".join([f"Mails: {counts}", *shown, *([f"{GAP}… {more} more"] if more else [])])


def _unsent(letter: ClubLetter, moment: Callable[[int], str]) -> str:
    where = " of ".join(part for part in (letter.seat, letter.game) if part)
    then = "given up" if letter.next_try is None else f"next try {moment(letter.next_try)}"
    return f"{letter.kind} to {letter.to}{f' ({where})' if where else ''}: {letter.why}; {then}"


def players_text(players: ClubList) -> str:
    """Return the players in the games of a club, a line for each seat."""
    rows = [(one.game, one.seat, one.player or "–", ", ".join(one.addresses)) for one in players.players]
    return "\n".join(table_lines(("game", "seat", "player", "address"), rows)) if rows else "no games"


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
