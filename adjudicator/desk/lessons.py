"""Lessons teach the orders of a game: each task has a position, says what to order there, and has an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from adjudicator.core.values import Value, Whole
from adjudicator.files import typed
from adjudicator.library.begin import new
from adjudicator.library.errors import RequestError
from adjudicator.library.rulesets import meta_of
from adjudicator.resources import data_of, text_of

if TYPE_CHECKING:
    from adjudicator.library.game import Game


class Task(Value):
    """One task: ``say`` tells ``seat`` what to order after this number of moves, ``answer`` is one way to write it.

    ``rules`` are the numbers of the rules that it teaches.
    """

    say: str
    seat: str
    answer: str
    after: Whole = 0
    rules: tuple[str, ...] = ()


class Lesson(Value):
    """A lesson in writing orders: ``tasks`` in one game of ``ruleset``, each in a later position.

    ``players`` and ``seed`` begin the game (see ``new``); ``moves`` are its orders, pairs of seat and order.
    """

    ruleset: str
    players: Mapping[str, str]
    seed: Whole
    moves: tuple[tuple[str, str], ...]
    tasks: tuple[Task, ...]

    def position(self, number: int) -> Game:
        """Return the game in the position of task ``number`` (from 1). Raises ``RequestError`` if there is no such task."""
        if not 1 <= number <= len(self.tasks):
            raise RequestError(f"name a task from 1 to {len(self.tasks)}, not {number}")
        game = new(self.ruleset, self.players, id=f"lesson-{self.ruleset}", seed=self.seed)
        for seat, text in self.moves[: self.tasks[number - 1].after]:
            game = game.apply({seat: text}).game
        return game

    def is_solved(self, number: int, text: str) -> bool:
        """Return whether ``text`` gives the same orders as the answer to task ``number``, in any words.

        Raises ``RequestError`` if there is no such task.
        """
        game = self.position(number)
        task = self.tasks[number - 1]
        return _ordered(game, task.seat, text) == _ordered(game, task.seat, task.answer)


def lesson(ruleset: str) -> Lesson:
    """Return the lesson of ``ruleset``. Raises ``UnknownRuleset``, and ``MissingResource`` if the game brings none."""
    meta = meta_of(ruleset)
    found: Lesson = typed.read(Lesson, text_of(data_of(meta) / "lesson.json", f"{meta.name} has no lesson"))
    return found


def _ordered(game: Game, seat: str, text: str) -> object:
    """Return the orders of ``seat`` in ``text``, in canonical words and lower case, with their fates; and problems."""
    result = game.apply({seat: text})
    read = [
        (order.order.casefold(), order.fate)
        for receipt in result.receipts
        if receipt.seat == seat
        for order in receipt.orders
    ]
    return read, [problem.code for problem in result.problems]
