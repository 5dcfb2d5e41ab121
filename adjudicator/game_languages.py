"""Set the languages of a game, in which its players may write orders in addition to English."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adjudicator.orders.languages import choose_languages, rules_with_languages
from adjudicator.session import Session


def with_languages(session: Session, wanted: Iterable[str]) -> Session:
    """Return ``session`` with English and the languages ``wanted``, each a code or an English name.

    Nothing else changes: pending orders are stored in English. Raises ``LanguageError`` for one that is not installed.
    """
    return session.with_game(replace(session.game, languages=choose_languages(session.rules.meta, wanted)))


def conflicts_of(session: Session) -> tuple[str, ...]:
    """Return a sentence for each ambiguous word in the languages and names of the game."""
    from adjudicator.orders.conflicts import conflicts

    names = (*session.rules.names(session.config), *session.seats)
    return conflicts(rules_with_languages(session.rules, session.game.languages), names)
