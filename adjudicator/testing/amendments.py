"""Checks laws of corrections: positions and amendments have one validator."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from adjudicator.core.canonical import canonical_bytes, json_value
from adjudicator.core.corrections import CorrectionError
from adjudicator.core.diff import differences
from adjudicator.core.problem import SetupError
from adjudicator.core.rules import AnyRules
from adjudicator.corrections.correct import amend
from adjudicator.files.errors import Untrusted
from adjudicator.session import Session, bind_rules
from adjudicator.store.load import load_position
from adjudicator.store.parts import build_state
from adjudicator.testing.failure import Broken
from adjudicator.testing.games import Games
from adjudicator.testing.law import law

_IMPOSSIBLE: Final = "core/impossible-amendment"
_TRIED: Final = 12
"""The number of amendments tried on a position."""

Path = tuple[str | int, ...]


@law
def what_came_about_is_possible(games: Games) -> None:
    """A position from a played game is possible, and an empty amendment does not change it."""
    for moment in games.sampled():
        try:
            again = moment.session.rules.amended(moment.state)
        except SetupError as refused:
            raise Broken(f"the rules refuse it as impossible: {refused}") from None
        for path, before, after in differences(json_value(moment.state), json_value(again)):
            raise Broken(f"{path} is {before}, and {after} after an empty amendment")


@law
def amendments_are_refused_or_can_be_played(games: Games) -> None:
    """The game refuses an amendment with its own reasons, or can continue from the amended position."""
    for moment in games.sampled(40):
        luck = games.luck(f"amend {moment.session.game.id} {moment.n}")
        session = moment.session.with_game(moment.game)
        for assignment in _assignments(moment.state, luck):
            try:
                amended = amend(session, [assignment], "a law is tried")
            except CorrectionError:
                continue
            except SetupError as refused:
                _require_reasons(games.rules, assignment, refused)
                continue
            state = amended.game.journal[-1].entry.events[0].after
            again = session.rules.amended(state)
            for path, before, after in differences(json_value(state), json_value(again)):
                raise Broken(f"{assignment}: after one validation {path} is {before}, after a second one {after}")


@law
def positions_and_amendments_have_one_validator(games: Games) -> None:
    """A value that an amendment and an explicit position may not have gets the same message in both."""
    begun = {session.game.setup.position: session for session in games.each() if session.game.setup.position is not None}
    for session in begun.values():
        games.look_at(f"the explicit position of game {session.game.id}")
        luck = games.luck(f"position {session.game.id}")
        placed, state = json_value(session.game.setup.position), json_value(session.rules.initial())
        for in_position, in_state in _shared(placed, state):
            value = _other_value(_at(placed, in_position), luck)
            as_amendment = _refused_state(session, _with(state, in_state, value))
            as_position = _refused_position(session, _with(placed, in_position, value))
            # If the rules refuse only one of them, the value has other consequences there.
            if as_amendment and as_position and not set(as_amendment).intersection(as_position):
                words = f"the message for {_written(in_state)} = {value} is “{'; '.join(as_amendment)}” in an amendment"
                raise Broken(f"{words} and “{'; '.join(as_position)}” in a position")


def _require_reasons(rules: AnyRules, assignment: str, refused: SetupError) -> None:
    # The core refuses an amendment without a reason of the game only if the rules failed: their error is the cause.
    have_rules_failed = refused.__cause__ is not None
    for problem in refused.problems:
        if have_rules_failed and problem.code == _IMPOSSIBLE:
            raise Broken(f"{assignment}: the game gives no reason against it, but {problem.message}")
        if not problem.code.startswith((f"{rules.meta.id}/", "core/")) or not problem.message:
            raise Broken(f"{assignment}: the code is “{problem.code}” and the message “{problem.message}”")


def _assignments(state: Any, luck: Random) -> Iterator[str]:
    """Yield amendments of one value each, as a moderator writes them."""
    document = json_value(state)
    paths = [path for path in _paths(document) if path[-1] != "seat"]
    words = [value for path in paths if isinstance(value := _at(document, path), str)]
    for path in luck.sample(paths, min(len(paths), _TRIED)):
        yield f"{_written(path)}={json.dumps(_other_value(_at(document, path), luck, words))}"


def _other_value(value: Any, luck: Random, words: Sequence[str] = ()) -> Any:
    """Return another JSON value to replace ``value``, which may be valid or not."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return luck.choice((value - 1, value + 1, 0, 999))
    if isinstance(value, str):
        return luck.choice((None, "nowhere", "X" * len(value), luck.choice(words or [value])))
    if isinstance(value, list):
        return luck.choice(([], value[:-1], value + value[:1], value[::-1]))
    return luck.choice((0, 1, "nowhere", []))


def _paths(document: Any, path: Path = ()) -> Iterator[Path]:
    items = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for key, value in items:
        here = (*path, key)
        if not isinstance(value, dict):
            yield here
        yield from _paths(value, here)


def _shared(placed: Any, state: Any) -> Iterator[tuple[Path, Path]]:
    """Yield the paths, in a position and in a state, of values with the same name and seat."""
    by_meaning: dict[tuple[str, str], list[Path]] = {}
    for path in _paths(state):
        by_meaning.setdefault(_meaning(state, path), []).append(path)
    for path in _paths(placed):
        meaning = _meaning(placed, path)
        if isinstance(path[-1], str) and path[-1] != "seat" and len(by_meaning.get(meaning, ())) == 1:
            yield path, by_meaning[meaning][0]


def _meaning(document: Any, path: Path) -> tuple[str, str]:
    """Return the seat and the name of the value at ``path``; for items without a seat, their place."""
    seat, place = "", document
    for key in path[:-1]:
        place = place[key]
        seat = place.get("seat", f"{seat}.{key}") if isinstance(place, dict) else seat
    return seat, str(path[-1])


def _at(document: Any, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document


def _with(document: Any, path: Path, value: Any) -> Any:
    changed = json.loads(json.dumps(document))
    _at(changed, path[:-1])[path[-1]] = value
    return changed


def _written(path: Path) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def _refused_state(session: Session, document: Any) -> list[str] | None:
    """Return why the rules refuse the state in ``document``, ``None`` if no file could hold it."""
    try:
        session.rules.amended(build_state(session.rules, document))
    except Untrusted:
        return None
    except SetupError as refused:
        return [problem.message for problem in refused.problems]
    return []


def _refused_position(session: Session, document: Any) -> list[str] | None:
    """Return why the rules refuse the position in ``document``, ``None`` if no file could hold it."""
    rules, game = session.rules, session.game
    try:
        position = load_position(canonical_bytes(document), rules)
        bind_rules(type(rules), replace(game.setup, position=position), game.ruleset.version).initial()
    except Untrusted:
        return None
    except SetupError as refused:
        return [problem.message for problem in refused.problems]
    return []
