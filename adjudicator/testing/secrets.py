"""Checks laws of secrets by non-interference: states that differ only in secrets look the same.

The marks of a game say what a viewer may see. The laws use them to make positions that differ only in hidden fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from adjudicator.core.canonical import json_value
from adjudicator.core.diff import differences
from adjudicator.core.frozen import hints_of
from adjudicator.core.ids import MODERATOR, Viewer
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.visibility import Mark, mark_of
from adjudicator.outputs.orders import Decision
from adjudicator.testing.failure import Broken
from adjudicator.testing.games import Games, Moment, Transition
from adjudicator.testing.law import law
from adjudicator.testing.orders import foreign

_TRIES: Final = 12
"""The number of tries to find another position."""
COMPARED: Final = 40
"""The number of positions compared with others."""
ASKED: Final = 24
"""The number of words used as arguments of facts."""
_OF_A_KIND: Final = 60
"""The number of events checked of each kind."""
_WORD: Final = r"[\w:]+"

Path = tuple[str | int, ...]


class Hidden(NamedTuple):
    """A field that a viewer does not see: its path, the class that holds it, its value, and the value shown instead."""

    path: Path
    holder: type
    name: str
    value: Any
    shown: Any


@law
def views_hold_no_secrets(games: Games) -> None:
    """A viewer gets the same from two positions that differ only in what this viewer may not see."""
    domains, has_secrets, compared = _Domains(games), False, 0
    for moment in games.sampled(COMPARED):
        for viewer in (None, *moment.session.seats):
            luck = games.luck(f"secrets {moment.session.game.id} {moment.n} {viewer}")
            has_secrets = has_secrets or bool(hidden_from(moment.session.rules.config, moment.state, viewer))
            for other in _others(games, moment, viewer, domains, luck):
                compared += 1
                _require_same(games, moment, viewer, other)
    if has_secrets and not compared:
        games.look_at("")
        raise Broken("found no two positions that differ only in secrets: please give `otherwise`")


@law
def events_hide_what_is_marked(games: Games) -> None:
    """Events that differ only in what a viewer may not see look the same to it; the moderator sees everything."""
    domains, seen = _Domains(games), dict[type, int]()
    for transition in games.transitions():
        kind = type(transition.event)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= _OF_A_KIND:
            _require_redacted(games, transition, domains)


@law
def public_words_hide_what_is_marked(games: Games) -> None:
    """The public text of an order names nothing that its events hide from everybody."""
    for session in games.each():
        for entry in games.entries(session):
            hidden, shown = set[str](), set[str]()
            for event in entry.events:
                redacted = session.rules.redact(event, None)
                secret = (
                    [event] if redacted is None else [one.value for one in hidden_from(session.rules.config, event, None)]
                )
                hidden |= _words(secret)
                shown |= _words([redacted])
            revealed = set(re.findall(_WORD, entry.order)) & (hidden - shown)
            if revealed:
                raise Broken(f"everybody reads “{entry.order}”, but its events hide {', '.join(sorted(revealed))}")


def hidden_from(config: Any, whole: Any, viewer: Viewer) -> list[Hidden]:
    """List the fields in the state or event ``whole``, at any depth, that ``viewer`` does not see."""
    return list(_hidden(config, whole, whole, viewer, ()))


def _hidden(config: Any, whole: Any, value: Any, viewer: Viewer, path: Path) -> Iterator[Hidden]:
    kind: type = type(value)
    for name, mark in _marks(kind).items():
        own, here = getattr(value, name), (*path, name)
        if mark is not None and not mark.sees(config, whole, value, viewer):
            yield Hidden(here, kind, name, own, mark.instead(config, own))
        else:
            for item, there in _things(own, here):
                yield from _hidden(config, whole, item, viewer, there)


def _things(value: Any, path: Path) -> Iterator[tuple[Any, Path]]:
    """Yield the dataclasses that ``value`` is or holds, with their paths."""
    if is_dataclass(value):
        yield value, path
    elif isinstance(value, tuple):
        for at, item in enumerate(value):
            yield from _things(item, (*path, at))


@cache
def _marks(kind: type) -> Mapping[str, Mark | None]:
    return {name: mark_of(hint) for name, hint in hints_of(kind).items()}


class _Domains:
    """The values seen in secret fields of games, and the fields that hold the same kind of things (a hand, a stack)."""

    def __init__(self, games: Games) -> None:
        self.values: dict[tuple[type, str], dict[Any, None]] = {}
        self._of: dict[Any, tuple[type, str]] = {}
        self._joined: dict[tuple[type, str], tuple[type, str]] = {}
        for moment in games.sampled():
            for one in hidden_from(moment.session.rules.config, moment.state, None):
                self._meet(one)
        seen = dict[type, int]()
        for transition in games.transitions():
            kind = type(transition.event)
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= 4 * _OF_A_KIND:
                for one in hidden_from(transition.session.rules.config, transition.event, None):
                    self.values.setdefault((one.holder, one.name), {})[one.value] = None

    def _meet(self, one: Hidden) -> None:
        place = (one.holder, one.name)
        self.values.setdefault(place, {})[one.value] = None
        for atom in _atoms(one.value):
            if isinstance(atom, (str, Enum)):
                self._joined[self.of(place)] = self.of(self._of.setdefault(atom, place))

    def of(self, place: tuple[type, str]) -> tuple[type, str]:
        """Return the field that represents all fields with the same kind of things as the one at ``place``."""
        found = self._joined.get(place, place)
        return found if found == place else self.of(found)


def _others(games: Games, moment: Moment, viewer: Viewer, domains: _Domains, luck: Random) -> Iterator[Any]:
    """Yield positions that differ from that of ``moment`` only in what ``viewer`` does not see."""
    config, state = moment.session.rules.config, moment.state
    if games.otherwise is not None:
        other = games.otherwise(config, state, viewer, luck)
        if other != state:
            yield other
    hidden = hidden_from(config, state, viewer)
    for _ in range(_TRIES if hidden else 0):
        changed = state
        for _ in range(luck.randint(1, 3)):
            way = luck.choice((_shuffled, _exchanged, _substituted))
            changed = way(changed, hidden, domains, luck)
        try:
            other = moment.session.rules.amended(changed)
        except Exception:  # A position that the game refuses, or fails on, cannot be compared.
            continue
        if other != state and _is_same_to(config, state, other, hidden):
            yield other
            return


def _is_same_to(config: Any, state: Any, other: Any, hidden: list[Hidden]) -> bool:
    """Return whether ``other`` differs from ``state`` only in the ``hidden`` fields, with equal values shown instead."""
    try:
        for path, holder, name, _, shown in hidden:
            mark = _marks(holder)[name]
            if mark is None or mark.instead(config, _at(other, path)) != shown:
                return False
            state, other = _put(state, path, None), _put(other, path, None)
    except (AttributeError, IndexError, TypeError):
        return False
    return bool(state == other)


def _shuffled(state: Any, hidden: list[Hidden], domains: _Domains, luck: Random) -> Any:
    """Return ``state`` with the hidden things of one kind shuffled among their places."""
    chosen = luck.choice(hidden)
    domain = domains.of((chosen.holder, chosen.name))
    places = [one for one in hidden if domains.of((one.holder, one.name)) == domain]
    values = [_at(state, one.path) for one in places]
    atoms = [atom for value in values for atom in _atoms(value)]
    luck.shuffle(atoms)
    dealt = iter(atoms)
    for one, value in zip(places, values, strict=True):
        state = _put(state, one.path, _refilled(value, dealt))
    return state


def _exchanged(state: Any, hidden: list[Hidden], _domains: _Domains, luck: Random) -> Any:
    """Return ``state`` with the hidden fields of one thing swapped with those of another of its class."""
    one = luck.choice(hidden)
    rivals = [other for other in hidden if other.holder is one.holder and other.name == one.name]
    other = luck.choice(rivals)
    names = [field.name for field in hidden if field.path[:-1] == one.path[:-1]]
    if any((*other.path[:-1], name) not in {field.path for field in hidden} for name in names):
        return state
    for name in names:
        here, there = (*one.path[:-1], name), (*other.path[:-1], name)
        left, right = _at(state, here), _at(state, there)
        state = _put(_put(state, here, right), there, left)
    return state


def _substituted(state: Any, hidden: list[Hidden], domains: _Domains, luck: Random) -> Any:
    """Return ``state`` with a value in one hidden field that another position had there."""
    one = luck.choice(hidden)
    return _put(state, one.path, luck.choice(list(domains.values.get((one.holder, one.name), {one.value: None}))))


def _require_same(games: Games, moment: Moment, viewer: Viewer, other: Any) -> None:
    orders = [] if viewer is None else list(foreign(games, moment, viewer))
    here = dict(_given(games, moment.session.rules, moment.state, viewer, orders))
    there = dict(_given(games, moment.session.rules, other, viewer, orders))
    for what, right in here.items():
        if right != there[what]:
            secret = "; ".join(
                f"{path}: {before} or {after}"
                for path, before, after in differences(json_value(moment.state), json_value(other))
            )
            who = viewer or "a bystander"
            raise Broken(
                f"{what} of {who} reveals a secret: {_shortened(right)} or {_shortened(there[what])}, depending on {secret}"
            )


def _given(games: Games, rules: AnyRuleset, state: Any, viewer: Viewer, orders: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield everything that ``viewer`` gets in ``state``, each with its name."""
    seen = rules.view(state, viewer)
    yield "the list of decisions due", Decision.due_in(rules, state)
    yield "the view", seen.state
    arguments = ("", *config_words(games, rules)[:ASKED])
    for name, value in rules.fact_values(seen).items():
        yield f"the fact `{name}`", [value(argument) for argument in arguments] if callable(value) else value
    yield "the drawing", rules.draw(seen)
    yield "the standings", rules.standings(state)
    yield "the warnings", tuple(rules.warnings(state))
    yield "the end of the game", rules.is_over(state)
    if viewer is None:
        return
    yield "the reason of elimination", rules.retired(state, viewer)
    legal = list(rules.legal(rules.at(state, viewer)))
    yield "the list of legal orders", [rules.language.text(order) for order in legal]
    for order in [*legal[:20], *orders]:
        text = rules.language.text(order)
        yield f"the problem with {text}", rules.check(rules.at(state, viewer), order)
        yield f"the cost of {text}", rules.cost_if_legal(rules.at(state, viewer), order)
        yield f"the public text of {text}", rules.public_text(rules.at(state, viewer), order)


def config_words(games: Games, rules: AnyRuleset) -> list[str]:
    """Return words for arguments of facts in a game of ``rules``: its seats, then the others in any order."""
    seats = [str(seat) for seat in rules.config.seats]
    others = sorted(set(rules.names()) - set(seats))
    games.luck("words").shuffle(others)
    return [*seats, *others]


def _require_redacted(games: Games, transition: Transition, domains: _Domains) -> None:
    rules, event = transition.session.rules, transition.event
    if rules.redact(event, MODERATOR) != event:
        raise Broken(f"the moderator does not see everything in {event!r}")
    for viewer in (None, *transition.session.seats):
        shown = rules.redact(event, viewer)
        for one in hidden_from(rules.config, event, viewer):
            for value in list(domains.values.get((one.holder, one.name), ()))[:6]:
                other = _put(event, one.path, value)
                mark = _marks(one.holder)[one.name]
                if mark is None or mark.instead(rules.config, value) != one.shown:
                    continue
                if rules.redact(other, viewer) != shown:
                    words = f"{'.'.join(map(str, one.path))} of {event!r} is hidden from {viewer or 'bystanders'}"
                    raise Broken(f"{words}, but with {value!r} there the event looks different to them")


def _atoms(value: Any) -> Iterator[Any]:
    """Yield the simple values inside ``value``, in order."""
    if isinstance(value, tuple):
        for item in value:
            yield from _atoms(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _atoms(getattr(value, field.name))
    elif value is not None:
        yield value


def _refilled(value: Any, atoms: Iterator[Any]) -> Any:
    """Return ``value`` with its simple values replaced by ``atoms``."""
    if isinstance(value, tuple):
        return tuple([_refilled(item, atoms) for item in value])
    if is_dataclass(value):
        return replace(
            value, **{field.name: _refilled(getattr(value, field.name), atoms) for field in fields(value) if field.init}
        )  # type: ignore[type-var]
    return value if value is None else next(atoms)


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step] if isinstance(step, int) else getattr(value, step)
    return value


def _put(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    step, *rest = path
    if isinstance(step, int):
        return (*value[:step], _put(value[step], tuple(rest), new), *value[step + 1 :])
    return replace(value, **{step: _put(getattr(value, step), tuple(rest), new)})


def _words(things: Any) -> set[str]:
    atoms = (atom for thing in things for atom in _atoms(thing))
    return {word for atom in atoms if isinstance(atom, str) for word in re.findall(_WORD, atom)}


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:300]}…"
