"""Recognize games whose pages the last run has made already, so that a new run makes only the others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import adjudicator
from adjudicator.core.ruleset import Unit
from adjudicator.core.values import Value, canonical_bytes, digest
from adjudicator.library.seat_records import SeatRecord
from adjudicator.simulate.statistics import GameTally, SeatTally
from adjudicator.site.site_game import SiteGame


class CachedGame(Value):
    """A game with its pages from the last run: ``key`` covers everything that they depend on."""

    key: str
    game: SiteGame


@cache
def program_key() -> str:
    """Return a hash over the files of this program: another version makes all pages again."""
    root = Path(adjudicator.__file__).parent
    names = sorted(
        path for path in root.rglob("*") if path.suffix in (".py", ".html", ".css", ".js", ".json", ".lark", ".ttf")
    )
    return digest(*(canonical_bytes((path.relative_to(root).as_posix(), digest(path.read_bytes()))) for path in names))


def cached_game(data: Any) -> CachedGame | None:
    """Return the game from ``data``, its JSON in the manifest; ``None`` if the manifest is damaged."""
    try:
        row: Mapping[str, Any] = data["game"]
        tally = row["tally"]
        seats = tuple(SeatTally(**seat) for seat in tally["seats"])
        players = tuple((str(seat), str(who)) for seat, who in row["players"])
        records = tuple(SeatRecord(**record) for record in row["records"])
        more = {"unit": Unit(*row["unit"]), "players": players, "tally": GameTally(**{**tally, "seats": seats})}
        more |= {"records": records, "vacant": tuple(map(str, row["vacant"]))}
        return CachedGame(str(data["key"]), SiteGame(**{**row, **more}))
    except (KeyError, TypeError, ValueError):
        return None
