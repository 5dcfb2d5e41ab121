"""Hold the public facts about one game of a site, for the lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from adjudicator.core.ruleset import Unit
from adjudicator.core.values import Value, digest
from adjudicator.library.seat_records import SeatRecord, places_of
from adjudicator.simulate.statistics import GameTally, SeatTally

_UNSAFE: Final = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 40
VERIFIED: Final = "verified"


class SiteGame(Value, kw_only=True):
    """A game of the archive: the ``file`` of its page, the ``source`` of the game, and its public facts.

    ``status`` is the one-word verdict of the audit; ``players`` are pairs of seat and player. ``tally`` is ``None`` for an
    unreadable game; then ``ruleset`` and ``name`` may be empty, too. ``unit`` is that of the ruleset. ``finished`` is the
    time of the last orders of a finished game, in seconds since 1970 (``None``: not known). ``records`` are those of the
    players on each seat. ``vacant`` are the seats of a running game that a simulated player has.
    """

    file: str
    source: str
    game: str
    status: str
    ruleset: str = ""
    name: str = ""
    unit: Unit = Unit("", "")
    players: tuple[tuple[str, str], ...] = ()
    tally: GameTally | None = None
    finished: int | None = None
    records: tuple[SeatRecord, ...] = ()
    vacant: tuple[str, ...] = ()

    @property
    def thumbnail(self) -> str:
        """The file of the small picture of the board."""
        return f"{self.file.removesuffix('.html')}.svg"

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.tally is not None and self.tally.is_finished

    @property
    def date(self) -> str:
        """The date of the last orders, such as 2026-11-23; empty if not known."""
        return self.time[:10]

    @property
    def time(self) -> str:
        """The date and time of the last orders in UTC; empty if not known."""
        return "" if self.finished is None else _time_text(self.finished)

    @property
    def ranked(self) -> tuple[SeatTally, ...]:
        """The seats in the order of the result; empty before the end, because an order of scores might reveal a secret."""
        if self.tally is None or not self.is_over:
            return ()
        return tuple(sorted(self.tally.seats, key=lambda seat: seat.place))

    @property
    def winners(self) -> frozenset[str]:
        """The seats that have won."""
        return frozenset(seat.seat for seat in self.ranked if seat.place == 1)

    @property
    def places(self) -> dict[str, int]:
        """The place of each player in a finished game, empty if a player is unknown or has several seats."""
        held = dict(self.players)
        placed = {held.get(seat.seat, ""): seat.place for seat in self.ranked}
        return placed if "" not in placed and len(placed) == len(self.players) else {}

    @property
    def rated(self) -> dict[str, int]:
        """The place of each player whom the game rates: empty unless it is verified and finished."""
        return places_of(self.records) if self.status == VERIFIED else {}


@lru_cache(1 << 16)
def _time_text(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def page_name(*words: str) -> str:
    """Return a file name for the page about ``words``: valid on every system, and different for other words."""
    stem = _UNSAFE.sub("-", words[0].lower()).strip("-")[:_LONGEST].strip("-")
    mark = digest("\n".join(words).encode("utf-8", "surrogatepass"))[:8]
    return f"{stem}-{mark}.html" if stem else f"{mark}.html"


def player_page(holder: str) -> str:
    """Return the name of the page about the player ``holder``."""
    return page_name(holder, "player")


def newest_first(games: Iterable[SiteGame]) -> list[SiteGame]:
    """Return ``games`` with the latest first; those without a date keep their order at the end."""
    return sorted(games, key=lambda game: -1 if game.finished is None else game.finished, reverse=True)


def verdicts(games: Iterable[SiteGame]) -> str:
    """Return how many ``games`` have each verdict, as text."""
    counts = Counter(game.status for game in games)
    return ", ".join(f"{counts[status]} {status}" for status in sorted(counts, key=lambda one: (one != VERIFIED, one)))
