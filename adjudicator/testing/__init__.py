"""The laws that every game must keep, for the author of a game to check it by.

All of them in one call::

    def test_it_keeps_the_laws():
        check_laws(RULESET, games=50, conserved=lambda config, state: state.matches + sum(state.taken))

Or one test a law::

    GAMES = play_games(RULESET, games=50)

    @pytest.mark.parametrize("law", LAWS)
    def test_it_keeps_the_law(law):
        law(GAMES)

A law that is broken is named, with the game, its seed and the entry where it shows, and what differs. How it is used
is shown in ``docs/own-ruleset.md``.
"""

from __future__ import annotations

from typing import Final, Unpack

from adjudicator.core.ruleset import AnyRuleset
from adjudicator.testing import amendments, home, orders, records, secrets, sheets, told  # noqa: F401
from adjudicator.testing.failure import Broken, LawBrokenError
from adjudicator.testing.games import Games, How, Moment, Told, play_games
from adjudicator.testing.law import Law, all_laws
from adjudicator.testing.told import require_shown, rules_told

__all__ = [
    "LAWS",
    "Broken",
    "Games",
    "How",
    "Law",
    "LawBrokenError",
    "Moment",
    "Told",
    "check_laws",
    "play_games",
    "require_shown",
    "rules_told",
]

LAWS: Final = all_laws()
"""Every law: a function of games that raises ``LawBrokenError``, named for what holds."""


def check_laws(rules: AnyRuleset, games: int = 50, **how: Unpack[How]) -> None:
    """Play ``games`` games of ``rules`` and check every law on them. Raises ``AssertionError`` with each that is broken.

    ``how`` they are played and what the author tells the laws: see ``How``.
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
