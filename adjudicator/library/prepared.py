"""Begin a game in steps, so that even the moderator cannot choose the deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.core.frozen import frozen
from adjudicator.library.game import Game

if TYPE_CHECKING:
    from adjudicator.core.prepared import PreparedGame
    from adjudicator.reports.cli.promise import Promise


@frozen
class Prepared:
    """A game before its deal, which never changes: its methods return a new one, and at last the game."""

    details: PreparedGame

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.details.id

    @property
    def promise(self) -> Promise:
        """What to publish: the promise, which fixes the game, and the words that came; the secret is not in it."""
        from adjudicator.prepare import promise_of

        return promise_of(self.details)

    def add_words(self, words: Mapping[str, str], *, replace: bool = False) -> Prepared:
        """Return the game with the ``words`` that seats have sent; a second word only to ``replace`` the first.

        Raises ``PreparationError`` with all problems.
        """
        from adjudicator.prepare import add_words

        return Prepared(add_words(self.details, words, is_replacing=replace))

    def publish(self, without: Iterable[str] = ()) -> Prepared:
        """Return the game with its final words; name the seats ``without`` a word. Raises ``PreparationError``."""
        from adjudicator.prepare import publish_words

        return Prepared(publish_words(self.details, without))

    def begin(self) -> Game:
        """Return the game, dealt. Raises ``PreparationError`` if its words are not published."""
        from adjudicator.prepare import begin_prepared

        return Game(begin_prepared(self.details))

    def to_bytes(self) -> bytes:
        """Return the bytes of the file, which ``open_prepared`` reads."""
        from adjudicator.store.prepared import dump_prepared

        return dump_prepared(self.details)


def open_prepared(source: str | Path | bytes) -> Prepared:
    """Open a prepared game: the path of its file, or its bytes. Raises ``FileProblem``."""
    from adjudicator.store.prepared import load_prepared

    return Prepared(load_prepared(source))
