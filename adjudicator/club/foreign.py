"""Work on games by rulesets of other packages in another process, which their code may end or block."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from adjudicator import processes
from adjudicator.club.folder import ClubFolder
from adjudicator.processes import Lost, Pool, RulesetLost
from adjudicator.rulesets import is_foreign
from adjudicator.store.reading import read

_RULESET: Final = re.compile(rb'"ruleset"\s*:\s*\{\s*"id"\s*:\s*"([^"]*)"')


class ForeignGames:
    """The other process of a round, which starts with the first task that needs it."""

    def __init__(self, club: ClubFolder, work: Callable[[Any], Any]) -> None:
        """Let the process call ``work`` with each task."""
        self._club = club
        self._pool = Pool(work, seconds=processes.ruleset_seconds(), is_forked=False)  # SQLite does not survive a fork

    def __enter__(self) -> ForeignGames:
        """Return the object itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._pool.__exit__()

    def has(self, game: str) -> bool:
        """Return whether ``game`` of the club may run code of another package. Raises ``CannotRead``."""
        if processes.is_alone:
            return False
        named = _RULESET.findall(read(self._club.game_file(game))[1])
        return not named or any(is_foreign(name.decode(errors="replace")) for name in named)

    def do(self, task: Any) -> Any:
        """Return the result of ``task``. Raises ``RulesetLost``."""
        (done,) = self._pool.run([task])
        if not isinstance(done.result, Lost):
            return done.result
        late = f"did not finish within {processes.ruleset_seconds():g} seconds"
        raise RulesetLost(f"{done.by('the game')} {late if done.result.is_late else done.result.words}")
