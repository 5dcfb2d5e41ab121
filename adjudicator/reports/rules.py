"""Show the rules of a game on a terminal, or as data for machines."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.phrases import display_width, padded, wrapped
from adjudicator.core.ruleset import GameMeta
from adjudicator.core.values import Seat, Value
from adjudicator.reports.texts import GAP, STRONG, painted, printable
from adjudicator.results import gathered
from adjudicator.rulebook import Page, Revision, RuleEntry, Ruling


class GameRules(Value, kw_only=True):
    """The rules of one game: its ``id``, the ``version`` that it began with, and the values of the options by name."""

    id: str
    version: int
    seats: tuple[Seat, ...]
    options: Mapping[str, str]


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


def rules_text(page: Page, about: GameMeta, game: GameRules | None = None, *, width: int, color: bool = False) -> str:
    """Return the facts of ``page`` for people, in lines of at most ``width`` columns; with a ``game`` as in that game."""
    name = printable(about.name)
    head = f"{name}, rules version {about.version}"
    if game is not None:
        head = f"{printable(game.id)}: {name}, begun with version {game.version} of the rules"
    indent = max(display_width(fact.id) for fact in page.facts) + len(GAP)
    blocks = [painted(head, STRONG, color=color)]
    for section in page.sections:
        lines = [painted(printable(section.title), STRONG, color=color)]
        for fact in section.facts:
            paragraphs = [fact.text, *fact.more]
            for revision in fact.revisions:
                if game is None:
                    paragraphs.append(f"Since version {revision.since}: {revision.text} Before: {revision.before}")
                elif game.version < revision.since:
                    paragraphs.append(f"In this game, begun with version {game.version}: {revision.before}")
            paragraphs += (f"{ruling.kind.capitalize()}: {ruling.reasoned}" for ruling in fact.rulings)
            for option in _options(page, about, fact, game):
                shown = f"{option.name}.SEAT" if option.per_seat else option.name
                words = f"Option {shown}={'|'.join(option.choices) or 'ID'}: {option.help} [{option.default}]"
                if option.values is not None:
                    words += f"; in this game {', '.join(f'{seat}={value}' for seat, value in option.values.items())}"
                paragraphs.append(words if option.value is None else f"{words}; in this game {option.value}")
            first, *others = (line for one in paragraphs for line in wrapped(printable(one), width - indent))
            lines += [padded(fact.id, indent) + first, *(" " * indent + line for line in others)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def found_rules(page: Page, about: GameMeta, game: GameRules | None = None) -> FoundRules:
    """Return the facts of ``page`` for machines, with the options for each; with a ``game`` also its values."""
    facts = (
        gathered(FoundRule, fact, section=section.title, options=_options(page, about, fact, game))
        for section in page.sections
        for fact in section.facts
    )
    version, game_id = (about.version, None) if game is None else (game.version, game.id)
    return FoundRules(ruleset=about.id, name=about.name, version=version, facts=tuple(facts), game=game_id)


def _options(page: Page, about: GameMeta, fact: RuleEntry, game: GameRules | None) -> tuple[RuleOption, ...]:
    """Return the options for ``fact`` in the order of the page, without options that the ruleset does not know."""
    known, found = {option.name: option for option in about.options}, []
    for option in (known[one.option] for one in page.choices if fact.id in one.rules and one.option in known):
        value, values = None, None
        if game is not None and option.per_seat:
            values = {seat: game.options[f"{option.name}.{seat}"] for seat in game.seats}
        elif game is not None:
            value = game.options[option.name]
        found.append(gathered(RuleOption, option, value=value, values=values))
    return tuple(found)
