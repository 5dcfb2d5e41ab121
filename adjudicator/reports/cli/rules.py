"""Show the rules of a game on a terminal, or as data for machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from adjudicator.core.ruleset import GameMeta, Option
from adjudicator.core.values import Seat, Value
from adjudicator.core.width import display_width, padded, wrapped
from adjudicator.outputs.rules import FoundRule, FoundRules, RuleOption
from adjudicator.reports.text.sanitize import printable
from adjudicator.reports.text.table import GAP
from adjudicator.reports.text.terminal_colors import STRONG, painted
from adjudicator.rulebook.page import Page, RuleEntry


class GameRules(Value, kw_only=True):
    """The rules of one game: its ``id``, the ``version`` that it began with, and the values of the options by name."""

    id: str
    version: int
    seats: tuple[Seat, ...]
    options: Mapping[str, str]


class _Chosen(Value):
    """An option for a rule, and its values in a game: by seat if each has its own, else one value with an empty name."""

    option: Option
    values: tuple[tuple[str, str], ...]


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
            lines += _fact_lines(fact, list(_paragraphs(fact, _chosen(page, about, fact, game), game)), indent, width)
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def found_rules(page: Page, about: GameMeta, game: GameRules | None = None) -> FoundRules:
    """Return the facts of ``page`` for machines, with the options for each; with a ``game`` also its values."""
    facts = (
        FoundRule(
            id=fact.id,
            section=section.title,
            text=fact.text,
            more=fact.more,
            rulings=fact.rulings,
            revisions=fact.revisions,
            options=tuple(_rule_option(chosen, is_known=game is not None) for chosen in _chosen(page, about, fact, game)),
        )
        for section in page.sections
        for fact in section.facts
    )
    version, game_id = (about.version, None) if game is None else (game.version, game.id)
    return FoundRules(ruleset=about.id, name=about.name, version=version, facts=tuple(facts), game=game_id)


def _chosen(page: Page, about: GameMeta, fact: RuleEntry, game: GameRules | None) -> tuple[_Chosen, ...]:
    """Return the options for ``fact`` in the order of the page, without options that the ruleset does not know."""
    known = {option.name: option for option in about.options}
    names = [choice.option for choice in page.choices if fact.id in choice.rules and choice.option in known]
    return tuple(_Chosen(known[name], tuple(_values(known[name], game))) for name in names)


def _values(option: Option, game: GameRules | None) -> Iterator[tuple[str, str]]:
    if game is None:
        return
    for seat in game.seats if option.per_seat else ("",):
        yield seat, game.options[f"{option.name}.{seat}" if seat else option.name]


def _rule_option(chosen: _Chosen, *, is_known: bool) -> RuleOption:
    option = chosen.option
    return RuleOption(
        name=option.name,
        choices=option.choices,
        default=option.default,
        help=option.help,
        per_seat=option.per_seat,
        since=option.since,
        before=option.before,
        value=chosen.values[0][1] if is_known and not option.per_seat else None,
        values=dict(chosen.values) if is_known and option.per_seat else None,
    )


def _fact_lines(fact: RuleEntry, paragraphs: list[str], indent: int, width: int) -> Iterator[str]:
    """Yield the lines of a fact: its number on the left, and its paragraphs in a column to the right."""
    lines = [line for paragraph in paragraphs for line in wrapped(printable(paragraph), width - indent)]
    yield padded(fact.id, indent) + lines[0]
    yield from (" " * indent + line for line in lines[1:])


def _paragraphs(fact: RuleEntry, options: Iterable[_Chosen], game: GameRules | None) -> Iterator[str]:
    yield fact.text
    yield from fact.more
    for revision in fact.revisions:
        if game is None:
            yield f"Since version {revision.since}: {revision.text} Before: {revision.before}"
        elif game.version < revision.since:
            yield f"In this game, begun with version {game.version}: {revision.before}"
    for ruling in fact.rulings:
        yield f"{ruling.kind.capitalize()}: {ruling.text} Why: {ruling.why} Instead: {ruling.instead}"
    for chosen in options:
        yield _option_words(chosen, is_known=game is not None)


def _option_words(chosen: _Chosen, *, is_known: bool) -> str:
    option = chosen.option
    name = f"{option.name}.SEAT" if option.per_seat else option.name
    words = f"Option {name}={'|'.join(option.choices) or 'ID'}: {option.help} [{option.default}]"
    if not is_known:
        return words
    if not option.per_seat:
        return f"{words}; in this game {chosen.values[0][1]}"
    return f"{words}; in this game {', '.join(f'{seat}={value}' for seat, value in chosen.values)}"
