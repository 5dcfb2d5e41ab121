"""Set up a game from the headings of a script, with the files that it names, or find all problems of this."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.engine import outcome_problem
from adjudicator.core.problem import Diagnostic, Problem, SetupError
from adjudicator.core.rules import AnyRules
from adjudicator.core.ruleset import Player
from adjudicator.core.values import Seat, replace
from adjudicator.files.errors import FileProblem, Untrusted
from adjudicator.library.begin import GameChoices, begin_game
from adjudicator.library.game import Game
from adjudicator.script.read import BadLinesError, Item, Script, unquote
from adjudicator.store.game_file import shipped
from adjudicator.store.other_files import load_components, load_position

_SHOWN: Final = 5
"""The violations of a file that a problem names."""
_CAUSES: Final = {
    "core/player-count": ("seat",),
    "core/bad-seat": ("seat",),
    "core/bad-id": ("id",),
    "core/bad-seed": ("seed",),
    "core/no-such-version": ("rules",),
    "core/unknown-option": ("option",),
    "core/bad-choice": ("option",),
    "core/unknown-seat": ("entropy",),
    "core/bad-entropy": ("entropy",),
}
"""The headings that cause a problem of the set-up; other problems concern the position or the whole game."""


def set_up(script: Script, folder: str | None) -> Game:
    """Set up the game of the headings of ``script``, each of which must be valid.

    Files are in ``folder`` (``None``: the script can name none). Raises ``BadLinesError``.
    """
    choices = _choices(script, folder)
    try:
        game = begin_game(choices)
    except SetupError as error:
        raise BadLinesError(*(_at_its_cause(script, problem) for problem in error.problems)) from error
    except ImpossibleOutcomeError as impossible:
        raise BadLinesError(_impossible_outcome(script, choices, impossible)) from impossible
    promise = script.one("promise")
    if promise is not None and promise.value.lower() != game.record.promise:
        message = f"the set-up of this script has another promise: {game.record.promise}"
        raise BadLinesError(promise.wrong("bad-promise", message))
    return game


def _choices(script: Script, folder: str | None) -> GameChoices:
    rules, name, seed, version = script.rules, script.one("id"), script.one("seed"), script.one("rules")
    assert rules is not None and name is not None  # noqa: PT018 - the headings are sound
    chosen, loaded, wrong = "", dict[str, Any](), list[Diagnostic]()
    for word, load in (("components", load_components), ("position", load_position)):
        item = script.one(word)
        if word == "components" and item and item.value in (*rules.meta.component_sets, *rules.meta.older_sets):
            chosen = item.value
        elif item is not None:
            try:
                loaded[word] = _loaded(item, folder, load, rules)
            except BadLinesError as error:
                wrong += error.diagnostics
    if wrong:
        raise BadLinesError(*wrong)
    return GameChoices(
        ruleset=rules.meta.id,
        id=name.value,
        players=tuple(Player(Seat(item.name.lower()), unquote(item.named) or "") for item in script.all("seat")),
        components=loaded.get("components") or shipped(rules, chosen)[0],
        options={item.name: unquote(item.named) or "" for item in script.all("option")},
        position=loaded.get("position"),
        secret=None if seed is None else seed.value.lower(),
        entropy={item.name.lower(): unquote(item.named) or "" for item in script.all("entropy")},
        is_promised=script.one("promise") is not None,
        version=int(version.value) if version else 0,
        recorded=tuple(word for word, _, _ in _outcomes(script)),
    )


def _loaded(item: Item, folder: str | None, load: Callable[[str, AnyRules], Any], rules: AnyRules) -> Any:
    """Return the content of the file that ``item`` names, which must be in ``folder`` or below it."""
    path, home = item.value, os.path.realpath(folder or ".")
    target = "" if "\0" in path else os.path.realpath(os.path.join(home, path))
    why = ""
    if folder is None:
        why = "a script in an archive or on standard input cannot name a file: put both into a folder"
    elif "\\" in path or "\0" in path:
        why = "write `/` between the folders of a path"
    elif path.startswith("/") or re.match("[A-Za-z]:", path):
        why = "paths are relative to the script's folder: this one is absolute"
    elif ".." in path.split("/"):
        why = "paths are relative to the script's folder: this one leads out of it"
    elif os.path.commonpath((home, target)) != home:
        why = "a link leads out of the script's folder: the program does not open this file"
    elif os.path.exists(target) and not os.path.isfile(target):
        why = "this is not a file"
    if why:
        raise BadLinesError(item.wrong("bad-path", why))
    try:
        return load(os.path.join(folder or ".", path), rules)
    except Untrusted as error:
        shown, more = "; ".join(map(str, error.violations[:_SHOWN])), len(error.violations) - _SHOWN
        why = shown + (f"; and {more} more" if more > 0 else "")
    except FileProblem as error:
        why = error.words
    raise BadLinesError(item.wrong("bad-file", f"{path}: {why}"))


def _outcomes(script: Script) -> Iterator[tuple[str, Item, int]]:
    """Yield each outcome recorded for the set-up with its line and its column (from 1) there."""
    for item in script.all("recorded"):
        for word in re.finditer(r"[^\s,]+", item.value):
            yield word[0], item, item.column + word.start()


def _impossible_outcome(script: Script, choices: GameChoices, impossible: ImpossibleOutcomeError) -> Diagnostic:
    """Return the problem of an impossible outcome of the set-up, with the caret under it."""
    problem, written = replace(outcome_problem(impossible), part=""), list(_outcomes(script))
    if impossible.outcome is None or not written:
        return script.all("recorded")[-1].at(problem)
    for number in range(1, len(written) + 1):
        try:
            begin_game(replace(choices, recorded=choices.recorded[:number]))
        except ImpossibleOutcomeError as error:
            if error.outcome is not None:
                break
    word, item, column = written[number - 1]
    return Diagnostic(problem, line=item.line).at(column, len(word), item.text)


def _at_its_cause(script: Script, problem: Problem) -> Diagnostic:
    """Return ``problem`` of the set-up at the heading that is the most likely cause of it."""
    items = [item for word in _CAUSES.get(problem.code, ("position", "script")) for item in script.all(word)]
    message = f" {problem.message} "
    named = [item for item in items if f"“{item.name}”" in message or f" {item.name} " in message]
    return [*named, *items, *script.headings][0].at(problem)
