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

from typing import Final, Unpack

from adjudicator.core.rules import Ruleset
from adjudicator.testing import amendments, orders, records, seat_views, secrets, sheets, texts  # noqa: F401
from adjudicator.testing.failure import Broken, LawBrokenError
from adjudicator.testing.games import Expectations, Games, Moment, PlayOptions, play_games
from adjudicator.testing.law import Law, all_laws
from adjudicator.testing.texts import require_shown, rules_cited

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

LAWS: Final = all_laws()
"""Every law: a function of games that raises ``LawBrokenError``; its name says what must be true."""


def check_laws(rules: Ruleset, games: int = 50, **how: Unpack[PlayOptions]) -> None:
    """Play ``games`` games of ``rules`` and check every law on them. Raises ``AssertionError`` with each broken law.

    ``PlayOptions`` describes the keywords: how games are played, and what the author tells the laws.
    """
    played = play_games(rules, games, **how)
    broken = []
    for law in LAWS:
        try:
            law(played)
        except LawBrokenError as found:
            broken.append(found)
    if broken:
        raise AssertionError("\n\n".join(map(str, broken))) from (broken[0] if len(broken) == 1 else None)
