"""How a club stands, in words: its games by deadline, and what waits for the moderator."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from adjudicator.outputs.clubs import ClubGame, ClubStatus
from adjudicator.reports.table import GAP, table_lines


def status_text(status: ClubStatus, moment: Callable[[int], str]) -> str:
    """Return ``status`` for people; ``moment`` says a time given in seconds since 1970."""
    blocks = ["\n".join([status.name, *_games(status, moment)]), "\n".join(_matters(status, moment)), _letters(status)]
    return "\n\n".join(block for block in blocks if block)


def _games(status: ClubStatus, moment: Callable[[int], str]) -> Iterator[str]:
    if not status.club_games:
        yield f"{GAP}no games; `adjudicator club add` takes one in"
        return
    rows = [(one.game, _due(one, moment), _names(one.awaited), _names(one.orders_from)) for one in status.club_games]
    yield from (f"{GAP}{line}" for line in table_lines(("game", "deadline", "awaited", "orders there"), rows))


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
        yield f"{GAP}{matter.n}  {moment(matter.since)}  {where}{matter.what}"


def _letters(status: ClubStatus) -> str:
    queued = sum(count for words, count in status.letters.items() if words.endswith(" queued"))
    lost = sum(count for words, count in status.letters.items() if words.endswith(" given up"))
    parts = [f"{queued} to be sent" if queued else "", f"{lost} that could not be sent" if lost else ""]
    told = ", ".join(part for part in parts if part)
    return f"Mails: {told}" if told else ""
