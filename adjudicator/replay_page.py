"""Make the replay page of a game: one HTML file from its record."""

from __future__ import annotations

from adjudicator.core.values import MODERATOR, Viewer
from adjudicator.present import position_maker
from adjudicator.replay import moves_of
from adjudicator.reports.pages.replay_page import About, ReplayPage, Step, replay_page
from adjudicator.session import Session


def page_of(
    session: Session, viewer: Viewer, first: int = 0, last: int | None = None, *, about: About | None = None
) -> ReplayPage:
    """Return the page of the entries from ``first`` to ``last``, as ``viewer`` may read them; numbers as in ``moves_of``.

    On a site it has something ``about`` the game, too.
    Raises ``NoSuchEntryError``.
    """
    moves = moves_of(session, viewer, first, last)
    position_after = position_maker(session, viewer)
    steps = (Step(move.rows, position_after(move.entry.n, move.state, move.turn)) for move in moves)
    return replay_page(steps, about)


def usual_viewer(session: Session) -> Viewer:
    """Return the default viewer of a replay: a finished game shows everything."""
    return MODERATOR if session.rules.is_over(session.game.state) else None
