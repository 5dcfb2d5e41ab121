"""Set up a game from the headings of a script, or find all their problems."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.engine import outcome_problem
from adjudicator.core.problem import Diagnostic, Problem, SetupError
from adjudicator.core.ruleset import Player
from adjudicator.core.values import Seat, replace
from adjudicator.library.begin import GameChoices, begin_game
from adjudicator.library.game import Game
from adjudicator.script.files import components_of, position_of
from adjudicator.script.parts import BadLineError, Item, Script
from adjudicator.script.quoting import unquote


class BadSetupError(Exception):
    """Report in ``diagnostics`` why the headings of a script set up no game."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Keep the ``diagnostics``, at least one."""
        super().__init__("; ".join(diagnostic.problem.message for diagnostic in diagnostics))
        self.diagnostics = diagnostics


def set_up(script: Script, folder: str | None) -> Game:
    """Set up the game of the headings of ``script``, each of which must be valid.

    Files are in ``folder`` (``None``: the script can name none). Raises ``BadSetupError``.
    """
    choices = _choices(script, folder)
    try:
        game = begin_game(choices)
    except SetupError as error:
        raise BadSetupError(tuple(_placed(script, problem) for problem in error.problems)) from error
    except ImpossibleOutcomeError as impossible:
        raise BadSetupError((_outcome(script, choices, impossible),)) from impossible
    promise = script.one("promise")
    if promise is not None and promise.value.lower() != game.record.promise:
        message = f"the set-up of this script has another promise: {game.record.promise}"
        raise BadSetupError((promise.diagnostic(script.source, "script/bad-promise", message),))
    return game


def _choices(script: Script, folder: str | None) -> GameChoices:
    rules, title, name, seed = script.rules, script.one("script"), script.one("id"), script.one("seed")
    version = script.one("rules")
    assert rules is not None and title is not None and name is not None  # noqa: PT018 - the headings are sound
    diagnostics, parts = [], []
    for part in (components_of, position_of):
        try:
            parts.append(part(script, rules, folder))
        except BadLineError as error:
            diagnostics.append(error.diagnostic)
    if diagnostics:
        raise BadSetupError(tuple(diagnostics))
    components, position = parts
    return GameChoices(
        ruleset=rules.meta.id,
        id=name.value,
        players=tuple(_player(item) for item in script.all("seat")),
        components=components,
        options=dict(_pair(item) for item in script.all("option")),
        position=position,
        secret=None if seed is None else seed.value.lower(),
        entropy={seat.lower(): word for seat, word in map(_pair, script.all("entropy"))},
        is_promised=script.one("promise") is not None,
        version=int(version.value) if version else 0,
        recorded=tuple(word for word, _, _ in _outcomes(script)),
    )


def _player(item: Item) -> Player:
    seat, _, holder = item.value.partition("=")
    return Player(Seat(seat.strip().lower()), unquote(holder.strip()))


def _pair(item: Item) -> tuple[str, str]:
    key, _, value = item.value.partition("=")
    return key.strip(), unquote(value.strip())


def _outcomes(script: Script) -> Iterator[tuple[str, Item, int]]:
    """Yield each outcome recorded for the set-up with its line and its column (from 1) there."""
    for item in script.all("recorded"):
        at = 0
        for word in item.value.replace(",", " ").split():
            at = item.value.index(word, at)
            yield word, item, item.column + at
            at += len(word)


def _outcome(script: Script, choices: GameChoices, impossible: ImpossibleOutcomeError) -> Diagnostic:
    """Return the problem of an impossible outcome of the set-up, with the caret under it."""
    problem = outcome_problem(impossible)
    written = list(_outcomes(script))
    if impossible.outcome is None or not written:
        items = script.all("recorded")
        return items[-1].located(script.source, replace(problem, part=""))
    word, item, column = written[_first_impossible(choices)]
    return Diagnostic(replace(problem, part=""), line=item.line, source=script.source).at(column, len(word), item.text)


def _first_impossible(choices: GameChoices) -> int:
    """Return the index of the first recorded outcome that is impossible at its place."""
    for index in range(len(choices.recorded)):
        try:
            begin_game(replace(choices, recorded=choices.recorded[: index + 1]))
        except ImpossibleOutcomeError as error:
            if error.outcome is not None:
                return index
    return len(choices.recorded) - 1


def _placed(script: Script, problem: Problem) -> Diagnostic:
    """Return ``problem`` of the set-up at the heading that is the most likely cause of it."""
    words = _CAUSES.get(problem.code, ("position", "script"))
    items = [item for word in words for item in script.all(word)]
    named = [item for item in items if _is_named(item, problem.message)]
    item = [*named, *items, *script.headings][0]
    return item.located(script.source, problem)


def _is_named(item: Item, message: str) -> bool:
    name = item.value.partition("=")[0].strip()
    return f"“{name}”" in message or f" {name} " in f" {message} "


_CAUSES = {
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
