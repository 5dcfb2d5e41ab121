"""Keep in the ledger what each game says about its players: a standing then opens only games that have changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from adjudicator.club.message_archive import MessageArchive
from adjudicator.core.values import Value
from adjudicator.library.seat_records import SeatRecord, places_of

RECORD_TABLES: Final = """
create table kept_games (id text primary key, mark text not null, data text not null);
alter table games add column vacant text not null default '';
alter table lists add column language text not null default '';
"""
"""The statements that add the records of games to a ledger, and what games and lists have since then."""
_ROWS: Final = 300
"""The games that one statement stores."""


class GameRecord(Value, kw_only=True):
    """What a game says about its players, known by address: its ``ruleset``, their ``records``, their ``names``.

    ``names`` are the words for each player: the address by which the club knows them, their name, all their addresses.
    """

    ruleset: str
    records: tuple[SeatRecord, ...]
    names: tuple[tuple[str, ...], ...]

    @property
    def rated(self) -> dict[str, int]:
        """The place of each player whom the game rates."""
        return places_of(self.records)

    @property
    def finished(self) -> int | None:
        """The time of the last orders, in seconds since 1970 (``None``: not known)."""
        return self.records[0].finished_at if self.records else None


class GameRecords(MessageArchive):
    """The records of games in an open ledger, as the club last read them."""

    def game_records(self) -> dict[str, tuple[str, str]]:
        """Return the mark and the record as text of each game, by name."""
        return {row["id"]: (row["mark"], row["data"]) for row in self._db.execute("select * from kept_games")}

    def keep_game_records(self, games: Mapping[str, tuple[str, str]]) -> None:
        """Store the mark and the record of each of ``games``, many at a time: each statement is one write."""
        rows = [(name, *kept) for name, kept in games.items()]
        for at in range(0, len(rows), _ROWS):
            part = rows[at : at + _ROWS]
            places = ", ".join("(?, ?, ?)" for _ in part)
            values = tuple(value for row in part for value in row)
            self._db.execute(f"insert or replace into kept_games (id, mark, data) values {places}", values)


def record_of(text: str) -> GameRecord:
    """Return the record in ``text``, its canonical JSON."""
    data = json.loads(text)
    records = tuple(SeatRecord(**record) for record in data["records"])
    return GameRecord(ruleset=data["ruleset"], records=records, names=tuple(map(tuple, data["names"])))
