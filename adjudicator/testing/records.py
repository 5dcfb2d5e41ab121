"""Checks laws of the record: the stored game is the played game, and an audit verifies it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final, get_args

from adjudicator.audit.decide import audit_game
from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.canonical import canonical_bytes, json_value
from adjudicator.core.diff import differences
from adjudicator.core.engine import adjudicate, fold
from adjudicator.core.event import Spent, total
from adjudicator.core.frozen import hints_of
from adjudicator.core.order import Instruction, Sheet
from adjudicator.resources import MissingResource, state_fields_text
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_carefully, load_game
from adjudicator.store.save import dump_game
from adjudicator.testing.failure import Broken
from adjudicator.testing.games import Games
from adjudicator.testing.law import law
from adjudicator.testing.orders import read

_AGAIN: Final = 8
"""The number of games played again, and loaded by both methods."""
_PLAIN: Final = (str, int, bool, type(None))


@law
def why_adds_up(games: Games) -> None:
    """Each account continues from its previous value, its costs add up, and every part of a cost has its rule."""
    prefix = f"{games.rules.meta.prefix}-"
    balances: dict[tuple[str, str], int] = {}
    for transition in games.transitions():
        event = transition.event
        if not isinstance(event, Spent):
            continue
        if total(event.why) != event.after - event.before:
            raise Broken(f"{event.seat}: {event.before} to {event.after}, but the parts add up to {total(event.why)}")
        account = (transition.session.game.id, event.seat)
        if balances.get(account, event.before) != event.before:
            raise Broken(f"{event.seat}: the account was at {balances[account]}, but continues from {event.before}")
        balances[account] = event.after
        for part in event.why:
            if not part.what or not part.rule.startswith(prefix):
                raise Broken(
                    f"{event.seat}: a part of a cost has the text “{part.what}” and the rule “{part.rule}”, not {prefix}…"
                )


@law
def replays_give_the_state(games: Games) -> None:
    """Folding the events of a game gives its state."""
    for session in games.each():
        events = (event for link in session.game.journal for event in link.entry.events)
        require_same("the replay", fold(session.rules, events), "the game", session.game.state)


@law
def games_can_be_played_again(games: Games) -> None:
    """The same seed and the same orders give the same game, byte for byte."""
    for session in list(games.each())[:_AGAIN]:
        again = _played_again(session)
        if canonical_bytes(again.game) != canonical_bytes(session.game):
            require_same("played again", again.game, "the game", session.game)


@law
def files_keep_the_game(games: Games) -> None:
    """Loading a game from its file, with and without its schema, gives the same game, which gives the same file."""
    for number, session in enumerate(games.each()):
        data = dump_game(session.game)
        loaded = load_game(data)
        require_same("loaded", loaded, "the game", session.game)
        if number < _AGAIN:
            require_same("loaded with its schema", load_carefully("the file", data), "the game", session.game)
        if dump_game(loaded) != data:
            raise Broken("the loaded game gives a different file")


@law
def games_are_verified(games: Games) -> None:
    """The audit verifies every game after loading it from its file."""
    for session in games.each():
        found = audit_game(open_session(load_game(dump_game(session.game)))).divergence
        if found is not None:
            where = f"entry {found.entry}, {found.field}"
            raise Broken(f"{where}: recorded {found.recorded[:300]}, recomputed {found.recomputed[:300]}")


@law
def values_are_frozen(games: Games) -> None:
    """States, events and orders consist of frozen dataclasses, tuples, enums, strings and numbers."""
    met: set[type] = set()
    for moment in games.sampled():
        for thing in _things_in(moment.state, met):
            _require_frozen(thing)
    for transition in games.transitions():
        for thing in _things_in(transition.event, met):
            _require_frozen(thing)
    games.look_at("the orders")
    for orders in games.orders.values():
        for thing in (thing for order in orders for thing in _things_in(order, met)):
            _require_frozen(thing)


@law
def things_are_conserved(games: Games) -> None:
    """The quantity that the author calls conserved is the same after every order and its consequences."""
    if games.conserved is None:
        return
    for session in games.each():
        first = games.conserved(session.rules.config, session.rules.initial())
        for moment in games.moments(session):
            now = games.conserved(session.rules.config, moment.state)
            if now != first:
                raise Broken(f"the conserved quantity is {now!r}, but was {first!r} at the beginning")


@law
def a_changed_state_has_a_new_version(games: Games) -> None:
    """The classes of the state have the fields that ``data/state.json`` lists for this version, if there is such a file."""
    try:
        known = json.loads(state_fields_text(games.rules.meta))
    except MissingResource:
        return
    version, found = str(games.rules.meta.version), dict(_fields_by_class(games.rules.types.state))
    if known.get(version) != found:
        changed = [name for name, names in found.items() if known.get(version, {}).get(name) != names]
        raise Broken(
            f"data/state.json does not list the fields of {', '.join(changed) or 'the state'} for version {version}: raise "
            f"the version if people have played it, and write into this file: {json.dumps({version: found})}"
        )


def _played_again(session: Session) -> Session:
    game, rules = session.game, session.rules
    choices = GameChoices(
        ruleset=rules.meta.id,
        id=game.id,
        players=game.setup.players,
        components=game.setup.components,
        options=game.setup.options,
        position=game.setup.position,
        secret=game.chance.secret,
        version=game.ruleset.version,
    )
    again = begin_game(choices)
    for link in game.journal[1:]:
        seat, text = link.entry.seat, link.entry.written or link.entry.order
        order = read(rules, text)
        if seat is None or order is None:
            raise Broken(f"the journal has “{text}”, which is not readable")
        outcome = adjudicate(rules, again.game, [Sheet(seat, (Instruction(order),))])
        again = again.with_game(outcome.game)
    return again


def require_same(one: str, left: Any, other: str, right: Any) -> None:
    """Raise ``Broken`` with the first difference of ``left`` and ``right``, called ``one`` and ``other``."""
    if left == right:
        return
    for path, found, expected in differences(json_value(left), json_value(right)):
        raise Broken(f"{path or 'the whole'}: {one} has {found}, {other} has {expected}")
    raise Broken(f"{one} is not equal to {other}, though all their members are")


def _things_in(value: Any, met: set[type]) -> Iterator[Any]:
    """Yield one thing inside ``value`` for each class not ``met`` yet."""
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        for item in value:
            yield from _things_in(item, met)
        return
    if is_dataclass(value):
        for field in fields(value):
            yield from _things_in(getattr(value, field.name), met)
    if type(value) not in met:
        met.add(type(value))
        yield value


def _fields_by_class(hint: Any, met: set[Any] | None = None) -> Iterator[tuple[str, list[str]]]:
    """Yield each class inside the type ``hint`` that is not ``met`` yet, with the names of its fields."""
    met = set() if met is None else met
    if hint in met:
        return
    met.add(hint)
    inner = get_args(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        hints = hints_of(hint)
        yield hint.__name__, sorted(hints)
        inner = tuple(hints.values())
    for each in inner:
        yield from _fields_by_class(each, met)


def _require_frozen(thing: Any) -> None:
    if isinstance(thing, (*_PLAIN, Enum, tuple)):
        return
    name = type(thing).__name__
    if not is_dataclass(thing):
        raise Broken(f"{thing!r} is a {name}, which is mutable or cannot be stored in a file")
    if hasattr(thing, "__dict__"):
        raise Broken(f"{name} is not slotted")
    for field in fields(thing):
        try:
            setattr(thing, field.name, getattr(thing, field.name))
        except AttributeError:
            continue
        raise Broken(f"{name}.{field.name} can be set")
