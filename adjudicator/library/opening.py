# mypy: implicit-reexport
"""Open a game from a file, and render what a reader sees."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.core.problem import SetupError, Violation
from adjudicator.files.errors import FileProblem, Untrusted
from adjudicator.files.reading import read
from adjudicator.library.errors import CannotFollow, RequestError
from adjudicator.library.game import Game
from adjudicator.store.other_files import is_seat_file

if TYPE_CHECKING:
    from adjudicator.core.ruleset import Player
    from adjudicator.reports.position import Position
    from adjudicator.reports.report import Report


def open_game(source: str | Path | bytes, *, name: str = "these bytes", whole: bool = False) -> Game:
    """Open a game and return it: ``source`` is the path of its file, ``ARCHIVE#GAME``, or the bytes of a file.

    Messages call bytes ``name``. The game in a player's own file has what that player may know; if ``whole``, such files
    are refused. Raises ``FileProblem``: ``CannotRead``, or ``Untrusted`` if the file was changed or damaged:
    ``CannotFollow`` if an audit may find the place.
    """
    name, data = (name, source) if isinstance(source, bytes) else read_game_file(os.fspath(source))
    try:
        if not whole and is_seat_file(data):
            return _own_game(name, data)
        try:
            return Game.load(data)
        except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError) as error:
            from adjudicator.rulesets import bug_words

            words = f"the rules cannot follow these entries: somebody has changed them, or this is {bug_words(error)}"
            raise CannotFollow(name, [Violation("$.journal", words)]) from error
    except SetupError as error:
        raise Untrusted(name, [Violation("$.setup", problem.message) for problem in error.problems]) from error
    except FileProblem as error:
        error.rename(name)
        raise


def read_game_file(path: str) -> tuple[str, bytes]:
    """Return name and bytes of the file ``path``, which may be ``ARCHIVE#GAME``. Raises ``FileProblem``."""
    if "#" not in path and not path.endswith((".zst", ".db")):
        return read(path)
    from adjudicator.archive.find import read_game  # slow to load, and few games are in archives

    return read_game(path)


def _own_game(name: str, data: bytes) -> Game:
    """Return the game in the player's own file ``name``. Raises ``SetupError``, ``Untrusted``."""
    from adjudicator.rulesets import bug_words
    from adjudicator.store.other_files import load_seat_file

    rules, file = load_seat_file(name, data)
    place, does = "$.setup", "begin with this set-up"
    try:
        game = Game.of_player(rules, file)
        place, does = "$.view", "show this position"
        _ = game.seen_by().position
    except SetupError:
        raise
    except Exception as error:  # without a journal no audit can distinguish a forgery from a bug
        cause = f"somebody has changed it (ask the moderator to send it again), or this is {bug_words(error, rules.meta.id)}"
        raise Untrusted(name, [Violation(place, f"the rules cannot {does}: {cause}")]) from None
    return game


def read_players(path: str | Path) -> tuple[Player, ...]:
    """Read the file ``path``, with a line such as ``red,Ann`` for each seat, and return its players for ``new``.

    Raises ``FileProblem``.
    """
    from adjudicator.store.other_files import load_entrants

    return load_entrants(path)


def render(value: Position | Report, form: str = "txt") -> str:
    """Return a position as ``txt`` or ``json``, or a report as ``txt``, ``html``, ``md``, ``svg`` or ``json``.

    Raises ``RequestError`` for another form, and for a picture of a game without a board.
    """
    from adjudicator.reports.position import Position, position_text, shown_position
    from adjudicator.reports.texts import safe_json

    if isinstance(value, Position):
        if form not in ("txt", "json"):
            raise RequestError(f"choose a form from txt, json, not {form}")
        return position_text(value) if form == "txt" else safe_json(shown_position(value))
    from adjudicator.reports.forms import FORMS, write_report
    from adjudicator.reports.images import NoPictureError

    if form not in FORMS or form == "png":
        raise RequestError(f"choose a form from {', '.join(one for one in FORMS if one != 'png')}, not {form}")
    try:
        return write_report(value, form).decode()
    except NoPictureError as error:
        raise RequestError(str(error)) from error
