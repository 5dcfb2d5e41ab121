"""Checks laws of what viewers read: their views, the texts and facts in them, and every event and rule.

The marks of a game say what a viewer sees. The rules must give the same answers about this view as about the whole state:
then no answer reveals a secret.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from itertools import chain
from typing import Any, Final

from adjudicator.core.chance import UnknownChance, UnknownError
from adjudicator.core.event import Spent
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import Known, carry_out, committed_chance, known_rules
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer, canonical_text, replace
from adjudicator.library.game import Game, bind_rules
from adjudicator.resources import MissingResource, rules_page
from adjudicator.results import Decision
from adjudicator.rulebook import read_page
from adjudicator.store.other_files import view_of
from adjudicator.testing.games import Broken, Games, Moment, law
from adjudicator.testing.orders import foreign

COMPARED: Final = 60  # the number of positions compared with their views
ASKED: Final = 24  # the number of words used as arguments of facts
_LEGAL: Final = 20  # the number of legal orders compared in each position
_PLAYED_ON: Final = 3  # the number of legal orders of each seat due that are played on from its own view
_MOST_SEATS: Final = 5
_WORD: Final = r"[\w:]+"


@law
def a_view_answers_as_the_state_does(games: Games) -> None:
    """A view and the whole state agree on all that its viewer can ask: decisions, standings, facts, orders, costs, texts."""
    for moment in games.sampled(COMPARED):
        # An explicit position may hold secrets: players get only the parts that they may know by the rules.
        setup = moment.game.record.setup
        known = replace(setup, position=games.rules.known_position(setup.position))
        rules = bind_rules(games.rules, known, moment.game.record.ruleset.version)
        for viewer in (None, *moment.game.seats[:_MOST_SEATS]):
            who, view = viewer or "a bystander", moment.view(viewer)
            at_home = moment._replace(game=replace(moment.game, rules=rules), state=view.state)
            if at_home.view(viewer).state != view.state:
                raise Broken(f"the view of {who}'s own view is a different one")
            others = [] if viewer is None else list(foreign(games, moment, viewer))
            answers = zip(_answers(games, moment, viewer, others), _answers(games, at_home, viewer, others), strict=True)
            for (what, right), (_, found) in answers:
                if right != found:
                    words = f"{what} of {who}: {_quoted(right)} from the state, but {_quoted(found)} from the view"
                    raise Broken(f"{words}, so it depends on a secret")


def _answers(games: Games, moment: Moment, viewer: Viewer, others: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield what ``viewer`` can ask in a position, which may be a view, each answer with its name."""
    rules, state, text = moment.rules, moment.state, games.rules.language.text
    view = moment.view(viewer)
    yield "the list of decisions due", Decision.due_in(rules, state)
    yield "the end of the game", rules.is_over(state)
    yield "the standings", rules.standings(state)
    yield "the warnings", tuple(rules.warnings(state))
    arguments = ("", *config_words(games, rules)[:ASKED])
    for name, value in rules.fact_values(view).items():
        yield f"the fact `{name}`", [value(argument) for argument in arguments] if callable(value) else value
    yield "the drawing", rules.draw(view)
    if viewer is None:
        return
    yield "the reason of elimination", rules.retired(state, viewer)
    legal = moment.legal(viewer)
    yield "the list of legal orders", [text(order) for order in legal]
    for order in [*legal[:_LEGAL], *others]:
        yield f"the problem with {text(order)}", moment.problem(viewer, order)
        yield f"the cost of {text(order)}", moment.cost(viewer, order)
        yield f"the public text of {text(order)}", rules.public_text(moment.at(viewer), order)
    ahead = None if viewer in moment.due else rules.position_if_due(state, viewer)
    orders = () if ahead is None else moment._replace(state=ahead).legal(viewer)
    yield "the list of orders that would be legal", (ahead is None, [text(order) for order in orders])


@law
def views_can_be_written_for_players(games: Games) -> None:
    """A seat's view of a position is the same after writing it to the player's file and reading it back."""
    for moment in games.sampled(COMPARED):
        for seat in moment.game.seats[:_MOST_SEATS]:
            seen = moment.view(seat).state
            # Members of some enumerations are equal to their names, but not the same.
            if repr(view_of(games.rules.types.state, json.loads(canonical_text(seen)))) != repr(seen):
                words = "changes when it is read back: declare `among` in the mark of the changed field"
                raise Broken(f"the view of {seat} {words}")


@law
def a_what_if_says_what_happens(games: Games) -> None:
    """What a seat sees after playing an order on from its own view also happens when the order is carried out."""
    luck = games.luck("what-if")
    for moment in games.sampled(COMPARED):
        for seat in moment.due[:_MOST_SEATS]:
            orders = moment.legal(seat)
            for order in luck.sample(orders, min(len(orders), _PLAYED_ON)):
                _require_foreseen(games, moment, seat, order)


def _require_foreseen(games: Games, moment: Moment, seat: Seat, order: Any) -> None:
    rules, record, known = moment.rules, moment.game.record, Known()
    view, text = moment.view(seat).state, rules.language.text(order)
    after = None
    with suppress(UnknownError):
        after = carry_out(known_rules(rules, seat, known), view, rules.at(view, seat), order, UnknownChance()).state
    chance = committed_chance(record, record.journal[moment.n].entry.drawn)
    assert chance is not None
    taken = carry_out(rules, moment.state, moment.at(seat), order, chance)
    right = [seen for event in taken.events if (seen := rules.redact(event, seat)) is not None]
    found = [seen for event in known.events if (seen := rules.redact(event, seat)) is not None]
    if found != right[: len(found)]:
        raise Broken(f"{text} of {seat} leads to {_quoted(found)} in a what-if, but to {_quoted(right)} in the game")
    if after is None or rules.config.seats_are_independent:
        return
    foreseen, happened = ((rules.view(state, seat).state, Decision.due_in(rules, state)) for state in (after, taken.state))
    if foreseen != happened or len(found) != len(right):
        raise Broken(f"{text} of {seat} leads to another position in a what-if than in the game: it depends on a secret")


@law
def public_words_hide_what_is_marked(games: Games) -> None:
    """The public text of an order names nothing that its events hide from everybody."""
    for game, entry in games.entries():
        told = set(_words(entry.events))
        shown = set(_words([game.rules.redact(event, None) for event in entry.events]))
        revealed = set(re.findall(_WORD, entry.order)) & (told - shown)
        if revealed:
            raise Broken(f"everybody reads “{entry.order}”, but its events hide {', '.join(sorted(revealed))}")


def config_words(games: Games, rules: AnyRuleset) -> list[str]:
    """Return words for arguments of facts in a game of ``rules``: its seats, then the others in any order."""
    seats = [str(seat) for seat in rules.config.seats]
    others = sorted(set(rules.names()) - set(seats))
    games.luck("words").shuffle(others)
    return [*seats, *others]


def _words(value: Any) -> Iterator[str]:
    """Yield the words in the texts inside ``value``."""
    if isinstance(value, str):
        yield from re.findall(_WORD, value)
    parts = value if isinstance(value, (tuple, list)) else ()
    if isinstance(value, Value):
        parts = [getattr(value, name) for name in value.__struct_fields__]
    for part in parts:
        yield from _words(part)


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:300]}…"


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
