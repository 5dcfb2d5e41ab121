"""Answer the requests of the page: each is one use of the library, and answers are JSON in the published shapes.

This runs in the worker of the page, on CPython for WebAssembly, whose files are in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any, Final

import adjudicator as adj
from adjudicator.archive import pack_archive
from adjudicator.audit import AuditResult, Skipped
from adjudicator.audit.files import forgery_in
from adjudicator.audit.texts import result_text
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.ruleset import Player
from adjudicator.core.values import MODERATOR, USUAL_SEATS, Seat
from adjudicator.desk.lessons import lesson as lesson_of
from adjudicator.library.errors import CannotFollow
from adjudicator.library.letters import report_draft
from adjudicator.library.own_orders import EMPTY
from adjudicator.library.words import keywords, words_after
from adjudicator.mail.outgoing import Draft, draft_bytes
from adjudicator.reports.picture import picture
from adjudicator.reports.position import shown_position
from adjudicator.reports.sanitize import safe_json
from adjudicator.reports.scene_text import description_lines
from adjudicator.results import KnownGame, Problem
from adjudicator.rulesets import bug_words
from adjudicator.simulate.players import choose_order

Values = Mapping[str, Any]
Files = Sequence[bytes]

_LONGEST_NAME: Final = 60


class Desk:
    """What one page has open: a moderator's game, or a player's own file.

    Each method that ``REQUESTS`` names answers one request, with the values that the page sends and the bytes of its files.
    """

    def __init__(self) -> None:
        """Begin without a game."""
        self._game: adj.Game | None = None
        self._result: adj.Result | None = None
        """The result of the latest orders, until the game changes in another way."""
        self._file: tuple[bytes, str] | None = None
        """The bytes and the name of the file that was opened."""

    @property
    def game(self) -> adj.Game:
        """The open game. Raises ``RequestError`` if none is open."""
        if self._game is None:
            raise adj.RequestError("open a game first")
        return self._game

    def change(self, game: adj.Game, result: adj.Result | None = None) -> Any:
        """Make ``game`` the open game, with the ``result`` of the orders that led to it, if any; return its summary."""
        self._game, self._result = game, result
        return self.summary()

    def written_report(self, viewer: str | None) -> adj.Report:
        """Return the report to ``viewer``; after orders, with what followed from them and the results of the mails."""
        return self.game.seen_by(viewer).report() if self._result is None else self._result.report(viewer)

    def summary(self) -> Any:
        """Return what every answer says about the game: its players, whose turn it is, whether it is over."""
        game = self.game
        return {
            "game": {
                "id": game.id,
                "ruleset": game.meta.id,
                "name": game.meta.name,
                "unit": game.meta.unit,
                "seats": game.seats,
                "players": game.players,
                "own": game.own_seat,
                "due": game.due_seats,
                "turn": game.turn,
                "over": game.is_over,
            }
        }

    def answer(self, name: str, text: str, data: Any = None) -> tuple[str, bytes | None]:
        """Answer the request ``name`` with the values in the JSON ``text`` and the bytes ``data`` of files.

        Returns JSON and, if the answer is a file, its bytes. A problem is an ``error`` in the answer, never an exception: a
        ``kind`` (``refused`` or ``bug``), a ``message`` for people, and the ``problems`` of a set-up, each with its part.
        """
        try:
            found = REQUESTS[name](self, json.loads(text), [] if data is None else [bytes(one) for one in data])
        except adj.SetupError as error:
            return _failure("refused", str(error), [*map(Problem.of, error.problems)])
        except CannotFollow as error:
            return _failure("refused", str((self._file and forgery_in(*self._file)) or error))
        except AdjudicatorError as error:
            return _failure("refused", str(error))
        except RecursionError:
            return _failure("refused", "the file is nested too deeply")
        except Exception as error:
            return self._explain(error)
        return (safe_json({}), found) if isinstance(found, bytes) else (safe_json(found), None)

    def _explain(self, error: Exception) -> tuple[str, None]:
        """Return whether a forged file or a bug has raised ``error``: rules may fail in any way on a forged file."""
        forgery = None if self._file is None else forgery_in(*self._file)
        if forgery is not None:
            return _failure("refused", str(forgery))
        words = f"This is {bug_words(error, '' if self._game is None else self._game.meta.id)}"
        if self._file is not None and self._game is not None and self._game.own_seat:
            return _failure("refused", f"{words}, or {self._file[1]} is damaged: ask the moderator to send it again.")
        return _failure("bug", f"{words}.")

    def list_games(self, _values: Values, _files: Files) -> Any:
        """Return the rulesets that can be played, as ``games --json`` describes them, and the usual names of seats."""
        return {"games": list(map(KnownGame.of, adj.installed_games())), "seats": USUAL_SEATS}

    def open(self, values: Values, files: Files) -> Any:
        """Open the game file or the script in ``files``, which has this ``name``."""
        self._game, self._file = None, (files[0], values["name"])
        try:
            played = adj.play_script(files[0], name=values["name"])
        except adj.RequestError:  # it is no script
            return self.change(adj.open(files[0], name=values["name"]))
        if played.game is None:
            raise adj.RequestError("\n".join(one.message for one in played.problems))
        return self.change(played.game)

    def begin(self, values: Values, _files: Files) -> Any:
        """Begin a game of ``ruleset`` with ``players``: names by seat, or pairs of seat and name."""
        named = values["players"]
        pairs = named.items() if isinstance(named, Mapping) else named
        game = adj.new(
            values["ruleset"],
            [Player(Seat(seat), name) for seat, name in pairs],
            id=values.get("id", "game"),
            components=values.get("components"),
            options=values.get("options"),
            seed=values.get("seed"),
        )
        self._file = None
        return self.change(game)

    def task(self, values: Values, _files: Files) -> Any:
        """Open the position of the task ``number`` in the lesson of ``ruleset``, and return what to order there."""
        lesson, number = lesson_of(values["ruleset"]), values["number"]
        self._file, game = None, lesson.position(number)
        task = lesson.tasks[number - 1]
        return {**self.change(game), "tasks": len(lesson.tasks), "say": task.say, "seat": task.seat, "answer": task.answer}

    def solve(self, values: Values, _files: Files) -> Any:
        """Return whether ``text`` solves the task ``number`` in the lesson of ``ruleset``."""
        return {"solved": lesson_of(values["ruleset"]).is_solved(values["number"], values["text"])}

    def look(self, values: Values, _files: Files) -> Any:
        """Return what ``viewer`` may know: position, picture, log, and for a seat its choices and legal orders."""
        game, viewer = self.game, values["viewer"]
        seat = None if viewer == MODERATOR else viewer
        is_due = seat in game.due_seats
        return {
            **self.summary(),
            **_board(game.seen_by(viewer).position),
            "log": game.seen_by(viewer).log(),
            "keywords": keywords(game),
            "choices": () if seat is None else game.seen_by(seat).choices,
            "legal": game.seen_by(seat).legal if seat is not None and is_due else (),
            "ahead": None if seat is None or is_due or game.is_over else game.seen_by(seat).legal_ahead,
        }

    def check(self, values: Values, _files: Files) -> Any:
        """Check the ``text`` of ``viewer`` with only what this seat may know; a text without orders has no mistake yet."""
        found = _mistakes(self.game.seen_by(values["viewer"]).check({values["viewer"]: values["text"]}))
        return {**found, "problems": [one for one in found["problems"] if one.code != EMPTY]}

    def costs(self, values: Values, _files: Files) -> Any:
        """Return the cost of each line of the ``text`` of ``viewer``, as far as this seat can know it."""
        return {"costs": self.game.seen_by(values["viewer"]).costs({values["viewer"]: values["text"]})}

    def words(self, values: Values, _files: Files) -> Any:
        """Return the words that fit after ``text``, the beginning of a line."""
        return {"words": words_after(self.game, values["text"])}

    def what_if(self, values: Values, _files: Files) -> Any:
        """Return where the ``text`` of ``viewer`` leads, as far as this seat can know it: position, log, and why it ends."""
        found = self.game.seen_by(values["viewer"]).what_if({values["viewer"]: values["text"]})
        return {
            **_board(found.position),
            "log": found.rows,
            "ends": found.ends,
            "words": found.words,
            "legal": found.legal,
            "choices": found.choices,
            "ahead": found.is_ahead,
        }

    def apply(self, values: Values, files: Files) -> Any:
        """Adjudicate ``files`` (texts or mails with ``names``) and ``texts`` by seat; with ``trial`` change nothing."""
        named = zip(files, values.get("names", ()), strict=True)
        mails = (mail for data, name in named for mail in adj.read_orders(data, name=name))
        seats = values.get("texts", {}).items()
        result = self.game.apply([*(one for seat, text in seats for one in adj.read_orders(text, seat=seat)), *mails])
        game = self.summary() if values.get("trial") else self.change(result.game, result)
        return {**game, **_mistakes(result), "notes": result.notes, "log": result.log, "changed": result.is_changed}

    def choose(self, values: Values, _files: Files) -> Any:
        """Return an order of the simulated player for ``seat``."""
        return {"order": choose_order(self.game, values["seat"], seed=values.get("seed", 0))}

    # For the moderator: corrections, pending orders, mails to players, an archive

    def undo(self, values: Values, _files: Files) -> Any:
        """Take back all entries after ``to`` (none: those of the last turn), for a ``reason`` that the record keeps."""
        game = self.game
        log = game.seen_by(MODERATOR).log()
        last = max(0, next(row.n for row in log if row.turn == log[-1].turn) - 1)
        return self._corrected(game.undo(values.get("to", last), values["reason"]))

    def amend(self, values: Values, _files: Files) -> Any:
        """Make ``changes`` of the position, such as ``clock of red=31``, for a ``reason`` that the record keeps."""
        return self._corrected(self.game.amend(values["changes"], values["reason"]))

    def list_pending(self, _values: Values, _files: Files) -> Any:
        """Return the pending orders and those that were set aside, as ``pending --json`` prints them."""
        return self.game.seen_by(MODERATOR).pending

    def withdraw(self, values: Values, files: Files) -> Any:
        """Remove the pending orders of ``seat`` from number ``first`` on, for a ``reason``; return the others."""
        self.change(self.game.withdraw(values["seat"], values["reason"], values.get("first", 1)))
        return self.list_pending(values, files)

    def bring_back(self, values: Values, files: Files) -> Any:
        """Make the set-aside orders of this ``number`` pending again; return all pending orders."""
        self.change(self.game.bring_back(values["number"]))
        return self.list_pending(values, files)

    def letters(self, values: Values, _files: Files) -> Any:
        """Return the mail to the player of each of ``seats``: its subject and its text, the report."""
        drafts = [(seat, self._draft(seat)) for seat in values["seats"]]
        return {"letters": [{"seat": seat, "subject": one.subject, "text": one.text} for seat, one in drafts]}

    def letter_file(self, values: Values, _files: Files) -> Any:
        """Return the mail to the player of ``seat`` at the address ``to`` as a file, with the player's own file."""
        return draft_bytes(self._draft(values["seat"], values["to"]))

    def archive(self, _values: Values, _files: Files) -> Any:
        """Return an archive that has only this game."""
        return pack_archive([(f"{self.game.id}.json", self.game.to_bytes())])

    def _draft(self, name: str, to: str = "") -> Draft:
        seat = Seat(name)
        return report_draft(self.game, seat, self.written_report(seat), to)

    def _corrected(self, game: adj.Game) -> Any:
        before = self.game
        return {**self.change(game), "correction": game.correction_since(before)}

    # Files, pages and audits

    def report(self, values: Values, _files: Files) -> Any:
        """Return the report to ``viewer`` as a page."""
        return adj.render(self.written_report(values["viewer"]), "html").encode()

    def replay(self, values: Values, _files: Files) -> Any:
        """Return the page that replays the game as ``viewer`` may know it."""
        return self.game.seen_by(values["viewer"]).replay_page().text.encode()

    def save(self, _values: Values, _files: Files) -> Any:
        """Return the bytes of the game file."""
        return self.game.to_bytes()

    def audit(self, _values: Values, _files: Files) -> Any:
        """Decide the whole game again."""
        verdict = self.game.audit()
        return {"verified": verdict.is_verified, "text": result_text(verdict)}

    def audit_file(self, values: Values, files: Files) -> Any:
        """Decide again what ``files`` holds under this ``name``: a game, a script, or an archive of many."""
        name = _file_name(values["name"])
        with TemporaryDirectory() as folder, chdir(folder):
            Path(name).write_bytes(files[0])
            found = list(adj.audit_files(name, jobs=0))
        return {"results": [{"verified": _is_verified(one), "text": result_text(one)} for one in found]}


def _failure(kind: str, message: str, problems: Sequence[Problem] = ()) -> tuple[str, None]:
    return safe_json({"error": {"kind": kind, "message": message, "problems": problems}}), None


def _file_name(name: str) -> str:
    """Return a name for a file in memory: the last part of ``name`` without odd characters."""
    plain = "".join(letter for letter in PurePath(name).name if letter.isprintable())[-_LONGEST_NAME:]
    return "file" if plain in ("", "-", ".", "..") else plain


def _board(position: adj.Position) -> Any:
    return {
        "position": shown_position(position),
        "picture": picture(position.drawing, position.heading.name, position.players),
        "description": list(description_lines(position.drawing)),
    }


def _is_verified(result: AuditResult) -> bool | None:
    """Return whether the game of ``result`` is verified, ``None`` for a file that is no game."""
    return None if isinstance(result, Skipped) else result.is_verified


def _mistakes(result: adj.Result) -> Any:
    return {
        "problems": result.problems,
        "foreseen": result.foreseen,
        "ignored": [{"source": one.source, "line": one.line, "text": one.text, "why": one.reason} for one in result.ignored],
    }


REQUESTS: dict[str, Callable[[Desk, Values, Files], Any]] = {
    "games": Desk.list_games,
    "open": Desk.open,
    "new": Desk.begin,
    "task": Desk.task,
    "solve": Desk.solve,
    "look": Desk.look,
    "check": Desk.check,
    "costs": Desk.costs,
    "words": Desk.words,
    "what_if": Desk.what_if,
    "apply": Desk.apply,
    "choose": Desk.choose,
    "undo": Desk.undo,
    "amend": Desk.amend,
    "pending": Desk.list_pending,
    "withdraw": Desk.withdraw,
    "bring_back": Desk.bring_back,
    "letters": Desk.letters,
    "letter": Desk.letter_file,
    "archive": Desk.archive,
    "report": Desk.report,
    "replay": Desk.replay,
    "save": Desk.save,
    "audit": Desk.audit,
    "audit_file": Desk.audit_file,
}
"""The requests of the page by name; every other name is a bug of the page."""
