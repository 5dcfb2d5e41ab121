"""Work on games by rulesets of other packages in another process, which their code may end or block."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from adjudicator import processes
from adjudicator.club.manage import ClubError
from adjudicator.files.errors import FileProblem
from adjudicator.files.reading import read
from adjudicator.library.rulesets import bug_of, is_foreign
from adjudicator.processes import Lost, Pool, RulesetLost

T = TypeVar("T")
_RULESET: Final = re.compile(rb'"ruleset"\s*:\s*\{\s*"id"\s*:\s*"([^"]*)"')


class ForeignGames:
    """The process for such games, which starts with the first task that needs it."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        """Let the process call ``work`` with each task."""
        self._pool = Pool(work, seconds=processes.ruleset_seconds(), is_forked=False)  # SQLite does not survive a fork

    def __enter__(self) -> ForeignGames:
        """Return the object itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._pool.__exit__()

    def do(self, task: Any) -> Any:
        """Return the result of ``task``. Raises ``RulesetLost``."""
        (done,) = self._pool.run([task])
        if not isinstance(done.result, Lost):
            return done.result
        late = f"did not finish within {processes.ruleset_seconds():g} seconds"
        raise RulesetLost(f"{done.by('the game')} {late if done.result.is_late else done.result.words}")


def is_foreign_game(file: Path) -> bool:
    """Return whether the game in ``file`` may run code of another package. Raises ``CannotRead``."""
    if processes.is_alone:
        return False
    named = _RULESET.findall(read(file)[1])
    return not named or any(is_foreign(name.decode(errors="replace")) for name in named)


def supervised(file: Path | None, work: Callable[[], T]) -> T:
    """Return the result of ``work``, which runs the rules of the game in ``file`` if any, in another process if it must.

    Raises the errors of ``work``, and ``RulesetLost``.
    """
    if file is None or not is_foreign_game(file):
        return work()
    with ForeignGames(_outcome) as foreign:
        found: T | Exception = foreign.do(work)
    if isinstance(found, Exception):
        raise found
    return found


def _outcome(work: Callable[[], T]) -> T | Exception:
    """Return the result of ``work``, or its error in a form that another process can read."""
    try:
        return work()
    except (ClubError, FileProblem, OSError) as problem:
        return problem
    except Exception as error:
        return bug_of(error)
