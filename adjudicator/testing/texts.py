"""Checks laws of texts: events, facts, standings; and that the games show every event and rule."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from itertools import chain
from typing import Any

from adjudicator.core.event import Spent
from adjudicator.core.values import MODERATOR
from adjudicator.library.game import Game
from adjudicator.resources import MissingResource, rules_page
from adjudicator.rulebook import read_page
from adjudicator.testing.games import Broken, Games, law
from adjudicator.testing.secrets import ASKED, COMPARED, config_words


@law
def events_have_texts(games: Games) -> None:
    """Every event has a text for every viewer, without a full stop and without traces of missing values."""
    for game, event in games.events():
        for viewer in (MODERATOR, None, *game.seats):
            seen = game.rules.redact(event, viewer)
            words = "" if seen is None else game.rules.tell(seen)
            if re.search(r"\bNone\b", words) or words.endswith("."):
                raise Broken(f"the text of {seen!r} for {viewer or 'a bystander'} is “{words}”")


@law
def facts_are_explained(games: Games) -> None:
    """Every fact has a help text and exists in every position, and its values are names that orders can use."""
    known = games.rules.facts
    for name, fact in known.items():
        help_ = fact.explained(name)
        if not help_.strip() or help_.endswith("."):
            raise Broken(f"the help of the fact `{name}` is “{help_}”: empty, or with a full stop")
        if fact.argument and f"`{name} {fact.link} " not in help_:
            raise Broken(f"`{name}` has an argument, but its help does not say `{name} {fact.link} …`")
    for moment in games.sampled(COMPARED):
        rules = moment.game.rules
        names = {name.casefold() for name in rules.names()}
        arguments = ("", *config_words(games, rules)[:ASKED], "nonsense", "7")
        for viewer in (None, MODERATOR, *moment.game.seats):
            facts = rules.fact_values(moment.view(viewer))
            for name, value_of in facts.items():
                for argument in arguments:
                    value = value_of(argument)
                    _require_value(name, argument, value, names)
                    is_asked = value is not None and argument not in ("", viewer) and viewer != MODERATOR
                    if is_asked and known[name].argument is None:
                        raise Broken(f"`{name}` takes {argument}, but its `argument` is None")


@law
def standings_name_everybody(games: Games) -> None:
    """The standings have each seat once, the leader first, and are final once the game is over."""
    for moment in games.sampled():
        rules = moment.game.rules
        standings = rules.standings(moment.state)
        if sorted(one.seat for one in standings) != sorted(moment.game.seats):
            raise Broken(f"the standings have {', '.join(one.seat for one in standings)}, which are not exactly the seats")
        places = [one.place for one in standings]
        if places != sorted(places) or places[:1] != [1]:
            raise Broken(f"the places are {places}: they must begin with 1 and never decrease")
        if rules.is_over(moment.state) and not all(one.is_final for one in standings):
            raise Broken("the game is over, but the standings are not final")


@law
def everything_happens(games: Games) -> None:
    """The games show every kind of event and order except rare ones, so that the laws check all of them."""
    kinds = {kind for kind in games.rules.types.events if kind is not Spent} | games.rules.language.texts.keys()
    seen = {type(event) for _, event in games.events()} | games.orders.keys()
    games.look_at_all()
    missing = sorted(kind.__name__ for kind in kinds - seen - games.rare)
    if missing:
        raise Broken(f"no game shows {', '.join(missing)}: play more games, use other set-ups, or list them in `rare`")


@law
def rules_are_shown(games: Games) -> None:
    """The log of some game cites every rule of the author's list, except those that no log can show."""
    if games.rule_ids:
        require_shown(games.rules.meta.prefix, games.rule_ids, games.never_shown, rules_cited(games.games))


@law
def cited_rules_are_on_the_page(games: Games) -> None:
    """The page of rules has every rule that a log or a question cites, if the ruleset has such a page."""
    try:
        page = read_page(rules_page(games.rules.meta))
    except MissingResource:
        return
    asked = {ask.rule for moment in games.sampled() for ask in moment.game.rules.due(moment.state)}
    missing = sorted((rules_cited(games.games) | asked) - {entry.id for entry in page.facts})
    if missing:
        raise Broken(f"the page of rules has no {', '.join(missing)}: number this rule there")


def rules_cited(games: Iterable[Game]) -> set[str]:
    """Return the ids of the rules that the logs of ``games`` cite."""
    events = [event for game in games for link in game.record.journal for event in link.entry.events]
    causes = chain(events, (part for event in events if isinstance(event, Spent) for part in event.why))
    return {str(cause.rule) for cause in causes if getattr(cause, "rule", "")}


def require_shown(prefix: str, rule_ids: Collection[str], never: Mapping[str, str], cited: Collection[str]) -> None:
    """Raise ``Broken`` unless logs have ``cited`` each of ``rule_ids``, except those ``never`` shown (with reasons)."""
    known, shown = set(rule_ids), set(cited)
    for rules, words in (
        (shown - known, "logs cite rules that are not in `rule_ids`: {}"),
        (shown & never.keys(), "logs cite {}: remove them from `never_shown`"),
        (never.keys() - known, "`never_shown` has unknown rules: {}"),
        (known - shown - never.keys(), f"no log cites {{}} of {prefix}"),
    ):
        if rules:
            raise Broken(words.format(", ".join(sorted(rules))))


def _require_value(name: str, argument: str, value: Any, names: Collection[str]) -> None:
    where = f"`{name} of {argument}`" if argument else f"`{name}`"
    if value is not None and not isinstance(value, (int, str, tuple)):
        raise Broken(f"{where} is {value!r}: it must be a number, a name, a tuple of these, or None")
    for word in (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ():
        text = str(word.value if isinstance(word, Enum) else word)
        if names and text.casefold() not in names and not text.isdigit():
            raise Broken(f"{where} is {text}, which is not in `names`: no condition can use it")
