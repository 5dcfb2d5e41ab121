"""The rules of a game, as they are looked up."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.frozen import added_later, frozen
from adjudicator.rulebook.page import Revision, Ruling


@frozen(kw_only=True)
class RuleOption:
    """An option about a rule: what it may be and, in a game, what it is.

    ``value`` is there where a game was asked for, ``values`` instead where each seat has its own.
    """

    name: str
    choices: tuple[str, ...]
    default: str
    help: str
    per_seat: bool
    since: int
    before: str
    value: str | None = added_later(None)
    values: Mapping[str, str] | None = added_later(None)


@frozen(kw_only=True)
class FoundRule:
    """A rule by its number ``id``: its ``text``, ``more`` of it in points, its rulings, what versions have changed."""

    id: str
    section: str
    text: str
    more: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    revisions: tuple[Revision, ...]
    options: tuple[RuleOption, ...]


@frozen(kw_only=True)
class FoundRules:
    """The ``facts`` that were asked for, of version ``version`` of the rules of a ruleset, called ``name``.

    ``game`` is there where a game was asked for; then ``version`` is the one that it was begun with.
    """

    ruleset: str
    name: str
    version: int
    facts: tuple[FoundRule, ...]
    game: str | None = added_later(None)
