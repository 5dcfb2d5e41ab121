"""Write the page of each player into the folder of a desk: the report and the own file, at a secret address."""

from __future__ import annotations

import adjudicator as adj
from adjudicator.club2.club import Club, GameRow


def write_pages(club: Club, row: GameRow, game: adj.Game | None = None) -> None:
    """Write the pages of the players of a game into the desk, and remove those of earlier players.

    Nothing happens if the club has no desk. Raises ``CannotWrite``.
    """
    raise NotImplementedError


def write_missing(club: Club) -> list[str]:
    """Write the pages that are missing in the desk, and remove those of others; return what has failed."""
    raise NotImplementedError


def desk_problem(club: Club) -> str:
    """Return why the club cannot write pages into the folder of its desk; empty if it can, or if it has none."""
    raise NotImplementedError
