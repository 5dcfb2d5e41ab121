"""Defines a law: a check of games, with a message if they break it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final

from adjudicator.rulesets import offer
from adjudicator.testing.failure import Broken, LawBrokenError
from adjudicator.testing.games import Games

Law = Callable[[Games], None]
"""A check of games that raises ``LawBrokenError`` if they break it. Its name and docstring say what must be true."""

_LAWS: Final[list[Law]] = []


def law(check: Callable[[Games], None]) -> Law:
    """Turn ``check``, which raises ``Broken``, into a law that every game must keep."""

    @wraps(check)
    def kept(games: Games) -> None:
        games.look_at("")
        with offer(games.rules):
            try:
                check(games)
            except Broken as broken:
                raise _broken(check, games, str(broken)) from None
            except Exception as error:
                raise _broken(check, games, f"the rules raise {type(error).__name__}: {error}") from error

    _LAWS.append(kept)
    return kept


def all_laws() -> tuple[Law, ...]:
    """Return the laws in the order of their definition."""
    return tuple(_LAWS)


def _broken(check: Callable[[Games], None], games: Games, words: str) -> LawBrokenError:
    sentence = (check.__doc__ or "").split("\n")[0]
    return LawBrokenError(check.__name__.replace("_", " "), sentence, games.place, words)
