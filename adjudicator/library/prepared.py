"""Begin a game in steps, so that even the moderator cannot choose the deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.core.values import Value
from adjudicator.library.game import Game

if TYPE_CHECKING:
    from adjudicator.core.game import PreparedGame
    from adjudicator.reports.cli.promise import Promise


class Prepared(Value):
    """A game before its deal, which ``prepare_game`` makes. It never changes: a method returns the next step.

    Publish its ``promise``, ``add_words`` of the players, ``publish`` the words, then ``begin``. So not even the
    moderator can choose the deal.
    """

    details: PreparedGame

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.details.id

    @property
    def promise(self) -> Promise:
        """What to publish: the hashes that fix the secret and the settings, and the words so far; never the secret."""
        from adjudicator.library.prepare import promise_of

        return promise_of(self.details)

    def add_words(self, words: Mapping[str, str], *, replace: bool = False) -> Prepared:
        """Return the game with more ``words``, by seat; with ``replace``, a seat's second word replaces its first.

        Raises ``PreparationError`` with all reasons.
        """
        from adjudicator.library.prepare import add_words

        return Prepared(add_words(self.details, words, is_replacing=replace))

    def publish(self, without: Iterable[str] = ()) -> Prepared:
        """Return the game with final words: none can change any more. ``without`` names each seat that sent no word.

        Raises ``PreparationError`` if these are not exactly the seats without a word.
        """
        from adjudicator.library.prepare import publish_words

        return Prepared(publish_words(self.details, without))

    def begin(self) -> Game:
        """Deal, and return the game. Raises ``PreparationError`` if the words are not published."""
        from adjudicator.library.prepare import begin_prepared

        return Game(begin_prepared(self.details))

    def to_bytes(self) -> bytes:
        """Return the bytes of the file, which ``open_prepared`` reads."""
        from adjudicator.store.other_files import dump_prepared

        return dump_prepared(self.details)


def open_prepared(source: str | Path | bytes) -> Prepared:
    """Open a prepared game: the path of its file, or its bytes. Raises ``FileProblem``."""
    from adjudicator.store.other_files import load_prepared

    return Prepared(load_prepared(source))
