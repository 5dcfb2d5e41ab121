"""Define the output about the rules of a game."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.frozen import added_later, frozen
from adjudicator.rulebook.page import Revision, Ruling


@frozen(kw_only=True)
class RuleOption:
    """An option of a rule: its possible values and, in a game, its value.

    A game has ``value``, or ``values`` if each seat has its own.
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
    """A rule with its number ``id``: its ``text``, ``more`` text in points, its rulings, the changes of versions."""

    id: str
    section: str
    text: str
    more: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    revisions: tuple[Revision, ...]
    options: tuple[RuleOption, ...]


@frozen(kw_only=True)
class FoundRules:
    """The requested ``facts`` from ``version`` of the rules of a ruleset, called ``name``.

    ``game`` is present if the request named a game; then ``version`` is the one with which the game began.
    """

    ruleset: str
    name: str
    version: int
    facts: tuple[FoundRule, ...]
    game: str | None = added_later(None)
