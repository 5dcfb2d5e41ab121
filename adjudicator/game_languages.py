"""The languages of a game: those in which its players may write orders besides English."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adjudicator.orders.languages import chosen, speaking
from adjudicator.session import Session


def with_languages(session: Session, wanted: Iterable[str]) -> Session:
    """Return ``session`` with the languages ``wanted``, by code or English name, and no others besides English.

    Nothing else changes: orders that wait are kept in English words. Raises ``LanguageError`` for one that is not there.
    """
    return session.with_game(replace(session.game, languages=chosen(session.rules.meta, wanted)))


def conflicts_of(session: Session) -> tuple[str, ...]:
    """Return in words what is hard to tell apart in the languages of the game: words of two, or words and its names."""
    from adjudicator.orders.conflicts import conflicts

    names = (*session.rules.names(session.config), *session.seats)
    return conflicts(speaking(session.rules, session.game.languages), names)
