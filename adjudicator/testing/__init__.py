"""Check that a game keeps the laws of every game.

All of them in one call::

    def test_it_keeps_the_laws():
        check_laws(MyGame, games=50, conserved=lambda config, state: state.matches + sum(state.taken))

Or one test a law::

    GAMES = play_games(MyGame, games=50)

    @pytest.mark.parametrize("law", LAWS)
    def test_it_keeps_the_law(law):
        law(GAMES)

The message for a broken law names the game, its seed, the entry and the difference. ``docs/own-ruleset.md`` shows how to
use it.
"""

from __future__ import annotations

from adjudicator.testing import orders, records, views  # noqa: F401
from adjudicator.testing.games import (
    LAWS,
    Broken,
    Expectations,
    Games,
    Law,
    LawBrokenError,
    Moment,
    PlayOptions,
    check_laws,
    play_games,
)
from adjudicator.testing.views import require_shown, rules_cited

__all__ = [
    "LAWS",
    "Broken",
    "Expectations",
    "Games",
    "Law",
    "LawBrokenError",
    "Moment",
    "PlayOptions",
    "check_laws",
    "play_games",
    "require_shown",
    "rules_cited",
]
