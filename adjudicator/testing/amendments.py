"""Laws of corrections: one validator for what a moderator places and what a moderator amends."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from adjudicator.core.canonical import canonical_bytes, json_value
from adjudicator.core.corrections import CorrectionError
from adjudicator.core.diff import differences
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.corrections.correct import amend
from adjudicator.session import Session, configured
from adjudicator.store.errors import Untrusted
from adjudicator.store.load import load_position
from adjudicator.store.parts import build_state
from adjudicator.testing.failure import Broken
from adjudicator.testing.games import Games
from adjudicator.testing.law import law

_TRIED: Final = 12
"""How many amendments of a position are tried."""

Path = tuple[str | int, ...]


@law
def what_came_about_is_possible(games: Games) -> None:
    """A position that came about in play is possible, and an amendment by nothing leaves it as it is."""
    for moment in games.sampled():
        try:
            again = games.rules.validated_amendment(moment.session.config, moment.state)
        except SetupError as refused:
            raise Broken(f"it is refused as impossible: {refused}") from None
        for path, before, after in differences(json_value(moment.state), json_value(again)):
            raise Broken(f"{path} is {before}, and {after} after an amendment by nothing")


@law
def amendments_are_refused_or_can_be_played(games: Games) -> None:
    """Whatever a moderator amends is refused with reasons of the game, or is a position that the game goes on from."""
    for moment in games.sampled(40):
        luck = games.luck(f"amend {moment.session.game.id} {moment.n}")
        session = moment.session.with_game(moment.game)
        for assignment in _assignments(moment.state, luck):
            try:
                amended = amend(session, [assignment], "a law is tried")
            except CorrectionError:
                continue
            except SetupError as refused:
                _require_reasons(games.rules, assignment, refused.problems)
                continue
            state = amended.game.journal[-1].entry.events[0].after
            again = games.rules.validated_amendment(session.config, state)
            for path, before, after in differences(json_value(state), json_value(again)):
                raise Broken(f"{assignment}: put right once {path} is {before}, put right twice {after}")


@law
def positions_and_amendments_have_one_validator(games: Games) -> None:
    """A value that is refused in an amendment and in an explicit position is refused in the same words."""
    begun = {session.game.setup.position: session for session in games.each() if session.game.setup.position is not None}
    for session in begun.values():
        games.look_at(f"a position that game {session.game.id} begins from")
        luck = games.luck(f"position {session.game.id}")
        placed, state = json_value(session.game.setup.position), json_value(session.rules.initial(session.config))
        for in_position, in_state in _shared(placed, state):
            value = _other_value(_at(placed, in_position), luck)
            as_amendment = _refused_state(session, _with(state, in_state, value))
            as_position = _refused_position(session, _with(placed, in_position, value))
            # Where only one is refused, more follows from the value there.
            if as_amendment and as_position and not set(as_amendment).intersection(as_position):
                words = f"{_written(in_state)} = {value} is refused with “{'; '.join(as_amendment)}”"
                raise Broken(f"{words}; the position with that value with “{'; '.join(as_position)}”")


def _require_reasons(rules: AnyRuleset, assignment: str, problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        if "the rules cannot go on from it" in problem.message:
            raise Broken(f"{assignment}: no reason of the game is against it, and {problem.message}")
        if not problem.code.startswith((f"{rules.meta.id}/", "core/")) or not problem.message:
            raise Broken(f"{assignment}: refused with the code “{problem.code}” and the words “{problem.message}”")


def _assignments(state: Any, luck: Random) -> Iterator[str]:
    """Yield amendments of one value each, as a moderator writes them."""
    document = json_value(state)
    paths = [path for path in _paths(document) if path[-1] != "seat"]
    words = [value for path in paths if isinstance(value := _at(document, path), str)]
    for path in luck.sample(paths, min(len(paths), _TRIED)):
        yield f"{_written(path)}={json.dumps(_other_value(_at(document, path), luck, words))}"


def _other_value(value: Any, luck: Random, words: Sequence[str] = ()) -> Any:
    """Return another JSON value in the place of ``value``, of which it may be that nothing is against it."""
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
    """Yield where a value of the same name and of the same seat stands in a position and in a state."""
    by_meaning: dict[tuple[str, str], list[Path]] = {}
    for path in _paths(state):
        by_meaning.setdefault(_meaning(state, path), []).append(path)
    for path in _paths(placed):
        meaning = _meaning(placed, path)
        if isinstance(path[-1], str) and path[-1] != "seat" and len(by_meaning.get(meaning, ())) == 1:
            yield path, by_meaning[meaning][0]


def _meaning(document: Any, path: Path) -> tuple[str, str]:
    """Return whose the value at ``path`` is, and what it is called; of items without a seat, where they stand."""
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
    """Return why the state in ``document`` is refused, ``None`` if no file could hold it."""
    try:
        session.rules.validated_amendment(session.config, build_state(session.rules, document))
    except Untrusted:
        return None
    except SetupError as refused:
        return [problem.message for problem in refused.problems]
    return []


def _refused_position(session: Session, document: Any) -> list[str] | None:
    """Return why the position in ``document`` is refused, ``None`` if no file could hold it."""
    rules, game = session.rules, session.game
    try:
        position = load_position(canonical_bytes(document), rules)
        rules.initial(configured(rules, replace(game.setup, position=position), game.ruleset.version))
    except Untrusted:
        return None
    except SetupError as refused:
        return [problem.message for problem in refused.problems]
    return []
