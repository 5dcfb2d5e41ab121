"""Make the replay page of a game: one HTML file from its record."""

from __future__ import annotations

from adjudicator.core.values import MODERATOR, Viewer
from adjudicator.library.game import Game
from adjudicator.library.present import position_maker
from adjudicator.library.replay import moves_of
from adjudicator.reports.pages.replay_page import About, ReplayPage, Step, replay_page


def page_of(
    game: Game, viewer: Viewer, first: int = 0, last: int | None = None, *, about: About | None = None
) -> ReplayPage:
    """Return the page of the entries from ``first`` to ``last``, as ``viewer`` may read them; numbers as in ``moves_of``.

    On a site it has something ``about`` the game, too.
    Raises ``NoSuchEntryError``.
    """
    moves = moves_of(game, viewer, first, last)
    position_after = position_maker(game, viewer)
    steps = (Step(move.rows, position_after(move.entry.n, move.state, move.turn)) for move in moves)
    return replay_page(steps, about)


def usual_viewer(game: Game) -> Viewer:
    """Return the default viewer of a replay: a finished game shows everything."""
    return MODERATOR if game.rules.is_over(game.record.state) else None
