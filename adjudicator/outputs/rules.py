"""Define the output about the rules of a game."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.values import Value
from adjudicator.rulebook.page import Revision, Ruling


class RuleOption(Value, kw_only=True, omit_defaults=True):
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
    value: str | None = None
    values: Mapping[str, str] | None = None


class FoundRule(Value, kw_only=True):
    """A rule with its number ``id``: its ``text``, ``more`` text in points, its rulings, the changes of versions."""

    id: str
    section: str
    text: str
    more: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    revisions: tuple[Revision, ...]
    options: tuple[RuleOption, ...]


class FoundRules(Value, kw_only=True, omit_defaults=True):
    """The requested ``facts`` from ``version`` of the rules of a ruleset, called ``name``.

    ``game`` is present if the request named a game; then ``version`` is the one with which the game began.
    """

    ruleset: str
    name: str
    version: int
    facts: tuple[FoundRule, ...]
    game: str | None = None
