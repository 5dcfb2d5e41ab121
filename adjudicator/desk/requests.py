"""Answer the requests of the page: each is one use of the library, and each answer is a value in the published shapes.

This runs in the worker of the page, on CPython for WebAssembly, whose files are in memory. The signatures of the methods
that ``REQUESTS`` names are the types of the page, too (see ``.ci/desk_types.py``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import chdir
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any, Final

import adjudicator as adj
from adjudicator.archive.add import fill
from adjudicator.archive.store import change_archive
from adjudicator.audit import Skipped
from adjudicator.audit.judge import forgery_in, result_text
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.ruleset import Player, Unit
from adjudicator.core.values import MODERATOR, USUAL_SEATS, Seat, Value
from adjudicator.desk.lessons import lesson as lesson_of
from adjudicator.library.errors import CannotFollow
from adjudicator.library.own_orders import EMPTY
from adjudicator.library.results import report_draft
from adjudicator.library.words import keywords, words_after
from adjudicator.mail.outgoing import Draft, draft_bytes
from adjudicator.reports.changes import Earlier
from adjudicator.reports.drawing_text import description_lines
from adjudicator.reports.log import LogEntry, log_entries
from adjudicator.reports.picture import Picture, draw
from adjudicator.reports.position import ShownPosition, shown_position
from adjudicator.reports.texts import safe_json
from adjudicator.results import (
    Correction,
    Ignored,
    KnownGame,
    LegalRow,
    LineCost,
    LogRow,
    OrderProblem,
    Problem,
    WaitingOrders,
)
from adjudicator.rulesets import bug_words
from adjudicator.simulate.bots import choose_order
from adjudicator.simulate.play import fork_game, play_others

Files = Sequence[bytes]

_LONGEST_NAME: Final = 60


class OpenGame(Value, kw_only=True):
    """What every answer says about the open game.

    ``own`` is the seat of a player's own file, ``fork`` that of the player of a private game, who plays with simulated ones.
    ``moments`` says that there are past positions, ``due`` are the seats that must decide. ``state`` is another number after
    each change. ``unsaved`` counts the changes that the file does not have, ``undo`` and ``redo`` the possible steps.
    """

    id: str
    ruleset: str
    name: str
    unit: Unit
    seats: tuple[Seat, ...]
    players: Mapping[Seat, str]
    own: Seat | None
    fork: Seat | None
    due: tuple[Seat, ...]
    turn: int
    over: bool
    state: int
    unsaved: int
    undo: int
    redo: int
    moments: bool


class Opened(Value):
    """The game that is open now."""

    game: OpenGame


class Games(Value):
    """The rulesets that can be played, as ``games --json`` describes them, and the usual names of ``seats``."""

    games: tuple[KnownGame, ...]
    seats: tuple[str, ...]


class TaskToSolve(Opened, kw_only=True):
    """A task of a lesson: what to ``say`` to ``seat``, an ``answer`` to it, and how many ``tasks`` there are."""

    tasks: int
    say: str
    seat: str
    answer: str


class Solved(Value):
    """Whether an answer solves a task."""

    solved: bool


class Board(Value, kw_only=True):
    """A position, its picture, and its ``description`` in sentences."""

    position: ShownPosition
    picture: Picture
    description: tuple[str, ...]


class Look(Board, kw_only=True):
    """What a viewer may know of the game.

    ``choices`` are the cards or parts of a seat, each with what it does; ``legal`` its orders now, ``ahead`` those that it
    could give if it were due (``None``: the rules cannot tell, or it is due).
    """

    game: OpenGame
    log: tuple[LogEntry, ...]
    keywords: tuple[str, ...]
    choices: tuple[tuple[str, str], ...]
    legal: tuple[LegalRow, ...]
    ahead: tuple[LegalRow, ...] | None


class Mistakes(Value, kw_only=True):
    """What is wrong with orders: the ``problems``, those that are ``foreseen``, and the lines that are ``ignored``."""

    problems: tuple[OrderProblem, ...]
    foreseen: tuple[OrderProblem, ...]
    ignored: tuple[Ignored, ...]


class Applied(Mistakes, kw_only=True):
    """What became of orders: the new rows of the ``log``, ``notes`` about seats, and whether the game has ``changed``."""

    game: OpenGame
    log: tuple[LogEntry, ...]
    notes: tuple[tuple[Seat, str], ...]
    changed: bool


class Supposed(Board, kw_only=True):
    """Where orders lead as far as their seat can know it, and in ``words`` why it ``ends`` there."""

    log: tuple[LogEntry, ...]
    ends: str
    words: str
    legal: tuple[LegalRow, ...]
    choices: tuple[tuple[str, str], ...]
    ahead: bool


class Costs(Value):
    """The cost of each line of a text."""

    costs: tuple[LineCost, ...]


class RuleText(Value):
    """The ``text`` of a rule."""

    text: str


class Words(Value):
    """Words that fit somewhere in an order."""

    words: tuple[str, ...]


class Chosen(Value):
    """The ``order`` of a simulated player."""

    order: str


class Corrected(Opened, kw_only=True):
    """A correction of the game, as ``undo --json`` and ``amend --json`` print it, and its ``entry`` for the log."""

    correction: Correction
    entry: LogEntry


class PendingChanged(Opened, kw_only=True):
    """The orders that are pending now."""

    pending: WaitingOrders


class Letter(Value):
    """The mail to the player of ``seat``."""

    seat: str
    subject: str
    text: str


class Letters(Value):
    """Mails to players."""

    letters: tuple[Letter, ...]


class Audited(Value):
    """The result of an audit in words; ``verified`` is ``None`` for a file that is no game."""

    verified: bool | None
    text: str


class Audits(Value):
    """The results of the games in a file."""

    results: tuple[Audited, ...]


class Mistake(Value):
    """Why a request was not answered: its ``kind`` (``refused``, ``bug``), a ``message``, the ``problems`` of a set-up."""

    kind: str
    message: str
    problems: tuple[Problem, ...] = ()


class Refused(Value):
    """The answer to a request that was not answered."""

    error: Mistake


class Desk:
    """What one page has open: a moderator's game, or a player's own file, and how it was before.

    Each method that ``REQUESTS`` names answers one request, with the values and the ``files`` that the page sends.
    """

    def __init__(self) -> None:
        """Begin without a game."""
        self._states: list[tuple[int, adj.Game, adj.Result | None]] = []
        """The game as it was and is, each time with a number, and with the result of the orders that led to it, if any."""
        self._at = -1
        self._last = 0
        self._saved: int | None = None
        """The number of the state in the file."""
        self._file: tuple[bytes, str] | None = None
        """The bytes and the name of the file that was opened."""

    @property
    def game(self) -> adj.Game:
        """The open game. Raises ``RequestError`` if none is open."""
        if self._at < 0:
            raise adj.RequestError("open a game first")
        return self._states[self._at][1]

    def show(self, game: adj.Game, file: tuple[bytes, str] | None = None, *, is_saved: bool = True) -> Opened:
        """Make ``game`` the open game, which comes from ``file``, without what was open before."""
        self._file, self._at, self._states = file, -1, []
        opened = self.change(game)
        return self.mark_saved(state=opened.game.state) if is_saved else opened

    def change(self, game: adj.Game, result: adj.Result | None = None) -> Opened:
        """Let ``game``, the ``result`` of orders if there is one, follow the open game."""
        self._at, self._last = self._at + 1, self._last + 1
        self._states[self._at :] = [(self._last, game, result)]
        return self.summary()

    def written_report(self, viewer: str | None) -> adj.Report:
        """Return the report to ``viewer``; after orders, with what followed from them and the results of the mails."""
        game, (*_, result) = self.game, self._states[self._at]
        return game.seen_by(viewer).report() if result is None else result.report(viewer)

    def summary(self) -> Opened:
        """Return what every answer says about the game: its players, whose turn it is, whether it is over."""
        game, numbers = self.game, [number for number, *_ in self._states]
        saved = numbers.index(self._saved) if self._saved in numbers else -1
        return Opened(
            OpenGame(
                id=game.id,
                ruleset=game.meta.id,
                name=game.meta.name,
                unit=game.meta.unit,
                seats=game.seats,
                players=game.players,
                own=game.own_seat,
                fork=None if game.fork is None else game.fork.seat,
                due=game.due_seats,
                turn=game.turn,
                over=game.is_over,
                state=numbers[self._at],
                unsaved=abs(self._at - saved),
                undo=self._at,
                redo=len(numbers) - 1 - self._at,
                moments=_has_moments(game),
            )
        )

    def answer(self, name: str, text: str, data: Any = None) -> tuple[str, bytes | None]:
        """Answer the request ``name`` with the values in the JSON ``text`` and the bytes ``data`` of files.

        Returns JSON and, if the answer is a file, its bytes. A problem is ``Refused``, never an exception.
        """
        values = json.loads(text)
        if data:
            values["files"] = [bytes(one) for one in data]
        try:
            found = REQUESTS[name](self, **values)
        except adj.SetupError as error:
            found = _refused(str(error), map(Problem.of, error.problems))
        except CannotFollow as error:
            found = _refused(str((self._file and forgery_in(*self._file)) or error))
        except AdjudicatorError as error:
            found = _refused(str(error))
        except RecursionError:
            found = _refused("the file is nested too deeply")
        except Exception as error:
            found = self._explain(error)
        return (safe_json({}), found) if isinstance(found, bytes) else (safe_json(found), None)

    def _explain(self, error: Exception) -> Refused:
        """Return whether a forged file or a bug has raised ``error``: rules may fail in any way on a forged file."""
        forgery = None if self._file is None else forgery_in(*self._file)
        if forgery is not None:
            return _refused(str(forgery))
        is_open = self._at >= 0
        words = f"This is {bug_words(error, self.game.meta.id if is_open else '')}"
        if self._file is not None and is_open and self.game.own_seat:
            return _refused(f"{words}, or {self._file[1]} is damaged: ask the moderator to send it again.")
        return Refused(Mistake("bug", f"{words}."))

    # Games to open and to begin, and lessons

    def list_games(self) -> Games:
        """Return the rulesets that can be played."""
        return Games(tuple(map(KnownGame.of, adj.installed_games())), USUAL_SEATS)

    def open(self, *, name: str, files: Files) -> Opened:
        """Open the game file or the script in ``files``, which has this ``name``."""
        self._at, self._file = -1, (files[0], name)
        try:
            played = adj.play_script(files[0], name=name)
        except adj.RequestError:  # it is no script
            return self.show(adj.open(files[0], name=name), self._file)
        if played.game is None:
            raise adj.RequestError("\n".join(one.message for one in played.problems))
        return self.show(played.game, self._file)

    def begin(
        self,
        *,
        ruleset: str,
        players: Sequence[tuple[str, str]],
        id: str = "game",  # noqa: A002 - the word of the library
        components: str | None = None,
        options: Mapping[str, str] | None = None,
        seed: int | str | None = None,
        practice: bool = False,
    ) -> Opened:
        """Begin a game of ``ruleset`` with ``players``, pairs of seat and name; one for ``practice`` needs no saving yet."""
        named = [Player(Seat(seat), name) for seat, name in players]
        game = adj.new(ruleset, named, id=id, components=components, options=options, seed=seed)
        return self.show(game, is_saved=practice)

    def task(self, *, ruleset: str, number: int) -> TaskToSolve:
        """Open the position of the task ``number`` in the lesson of ``ruleset``, and return what to order there."""
        lesson = lesson_of(ruleset)
        opened, task = self.show(lesson.position(number)), lesson.tasks[number - 1]
        return TaskToSolve(opened.game, tasks=len(lesson.tasks), say=task.say, seat=task.seat, answer=task.answer)

    def solve(self, *, ruleset: str, number: int, text: str) -> Solved:
        """Return whether ``text`` solves the task ``number`` in the lesson of ``ruleset``."""
        return Solved(lesson_of(ruleset).is_solved(number, text))

    # What a seat sees and may do

    def look(self, *, viewer: str) -> Look:
        """Return what ``viewer`` may know: position, picture, log, and for a seat its choices and legal orders."""
        game, reader = self.game, self.game.seen_by(viewer)
        is_seat, is_due, rows = viewer != MODERATOR, viewer in game.due_seats, reader.log()
        own, earlier = [row for row in rows if row.seat == reader.viewer], None
        if own and _has_moments(game):  # marks show what others have done since the last order of the viewer
            earlier = Earlier(reader.position_at(own[-1].n).drawing, own[-1].turn)
        return Look(
            game=self.summary().game,
            **_board(reader.position, earlier),
            log=self._entries(rows),
            keywords=keywords(game),
            choices=reader.choices if is_seat else (),
            legal=reader.legal if is_due else (),
            ahead=None if not is_seat or is_due or game.is_over else reader.legal_ahead,
        )

    def moment(self, *, viewer: str, n: int) -> Board:
        """Return the position after entry ``n`` as ``viewer`` saw it then, with what was new."""
        reader = self.game.seen_by(viewer)
        before = max((row.n for row in reader.log() if row.n < n), default=None)
        earlier = None if before is None else Earlier(reader.position_at(before).drawing)
        return Board(**_board(reader.position_at(n), earlier))

    def fork(self, *, viewer: str, n: int) -> Opened:
        """Open a private game that goes on after entry ``n`` as ``viewer`` knew it, up to where this seat must act."""
        game = fork_game(self.game.seen_by(viewer), n)
        return self.show(game if viewer == MODERATOR else play_others(game, viewer), is_saved=False)

    def rule(self, *, number: str) -> RuleText:
        """Return the text of a rule."""
        return RuleText(self.game.rule_texts.get(number, "The rules do not have this number."))

    def check(self, *, viewer: str, text: str) -> Mistakes:
        """Check the ``text`` of ``viewer`` with only what this seat may know; a text without orders has no mistake yet."""
        found = self.game.seen_by(viewer).check({viewer: text})
        problems = tuple(one for one in found.problems if one.code != EMPTY)
        return Mistakes(problems=problems, foreseen=found.foreseen, ignored=found.ignored)

    def costs(self, *, viewer: str, text: str) -> Costs:
        """Return the cost of each line of the ``text`` of ``viewer``, as far as this seat can know it."""
        return Costs(self.game.seen_by(viewer).costs({viewer: text}))

    def words(self, *, text: str) -> Words:
        """Return the words that fit after ``text``, the beginning of a line."""
        return Words(words_after(self.game, text))

    def what_if(self, *, viewer: str, text: str, order: str = "") -> Supposed:
        """Return where the ``text`` of ``viewer`` leads, as far as this seat can know it: position, log, and why it ends.

        With an ``order`` it also leads there, and the picture marks what this order changes.
        """
        reader = self.game.seen_by(viewer)
        before = reader.what_if({viewer: text}).position if text.strip() and order else reader.position
        found = reader.what_if({viewer: f"{text}\n{order}"})
        return Supposed(
            **_board(found.position, Earlier(before.drawing)),
            log=self._entries(found.rows),
            ends=found.ends,
            words=found.words,
            legal=found.legal,
            choices=found.choices,
            ahead=found.is_ahead,
        )

    def _entries(self, rows: Iterable[LogRow]) -> tuple[LogEntry, ...]:
        return log_entries(rows, self.game.meta.unit, lambda _: self.game.players)

    # Orders

    def apply(
        self,
        *,
        texts: Mapping[str, str] | None = None,
        names: Sequence[str] = (),
        trial: bool = False,
        files: Files = (),
    ) -> Applied:
        """Adjudicate ``files`` (texts or mails with ``names``) and ``texts`` by seat; with ``trial`` change nothing."""
        mails = (mail for data, name in zip(files, names, strict=True) for mail in adj.read_orders(data, name=name))
        sheets = (one for seat, text in (texts or {}).items() for one in adj.read_orders(text, seat=Seat(seat)))
        result = self.game.apply([*sheets, *mails])
        if result.is_changed and not trial:
            self.change(result.game, result)
        return self._applied(result)

    def play(self, *, viewer: str, text: str, alone: bool = False) -> Applied:
        """Adjudicate the ``text`` of ``viewer``; with ``alone`` simulated players then answer, in the same step."""
        result = self.game.apply(adj.read_orders(text, seat=Seat(viewer)))
        if result.is_changed:
            self.change(play_others(result.game, viewer) if alone else result.game)
        return self._applied(result)

    def answer_first(self, *, viewer: str) -> Opened:
        """Let simulated players decide until it is the turn of ``viewer``; this is no step that can be undone."""
        return self.show(play_others(self.game, viewer))

    def choose(self, *, seat: str, seed: int = 0) -> Chosen:
        """Return an order of the simulated player for ``seat``."""
        return Chosen(choose_order(self.game, seat, seed=seed))

    def step(self, *, by: int) -> Opened:
        """Go back to an earlier game, or again to a later one, ``by`` this number of steps."""
        steps = self.summary().game
        if not -steps.undo <= by <= steps.redo:
            raise adj.RequestError("there is no move to take back" if by < 0 else "there is no move to play again")
        self._at += by
        return self.summary()

    def _applied(self, result: adj.Result) -> Applied:
        return Applied(
            game=self.summary().game,
            problems=result.problems,
            foreseen=result.foreseen,
            ignored=result.ignored,
            log=self._entries(result.log),
            notes=result.notes,
            changed=result.is_changed,
        )

    # For the moderator: corrections, pending orders, mails to players, an archive

    def undo(self, *, reason: str, to: int | None = None) -> Corrected:
        """Take back all entries after ``to`` (none: those of the last turn), for a ``reason`` that the record keeps."""
        log = self.game.seen_by(MODERATOR).log()
        last = max(0, next(row.n for row in log if row.turn == log[-1].turn) - 1)
        return self._corrected(self.game.undo(last if to is None else to, reason))

    def amend(self, *, changes: Sequence[str], reason: str) -> Corrected:
        """Make ``changes`` of the position, such as ``clock of red=31``, for a ``reason`` that the record keeps."""
        return self._corrected(self.game.amend(changes, reason))

    def list_pending(self) -> WaitingOrders:
        """Return the pending orders and those that were set aside, as ``pending --json`` prints them."""
        return self.game.seen_by(MODERATOR).pending

    def withdraw(self, *, seat: str, reason: str, first: int = 1) -> PendingChanged:
        """Remove the pending orders of ``seat`` from number ``first`` on, for a ``reason``; return the others."""
        return PendingChanged(self.change(self.game.withdraw(seat, reason, first)).game, pending=self.list_pending())

    def bring_back(self, *, number: int) -> PendingChanged:
        """Make the set-aside orders of this ``number`` pending again; return all pending orders."""
        return PendingChanged(self.change(self.game.bring_back(number)).game, pending=self.list_pending())

    def letters(self, *, seats: Sequence[str]) -> Letters:
        """Return the mail to the player of each of ``seats``: its subject and its text, the report."""
        drafts = [(seat, self._draft(seat)) for seat in seats]
        return Letters(tuple(Letter(seat, one.subject, one.text) for seat, one in drafts))

    def letter_file(self, *, seat: str, to: str) -> bytes:
        """Return the mail to the player of ``seat`` at the address ``to`` as a file, with the player's own file."""
        return draft_bytes(self._draft(seat, to))

    def archive(self) -> bytes:
        """Return an archive that has only this game."""
        with TemporaryDirectory() as folder:
            path = Path(folder, "archive.adjudicator.db")
            with change_archive(str(path)) as archive:
                fill(archive, [(self.game.id, f"{self.game.id}.json", self.game.to_bytes())])
            return path.read_bytes()

    def _draft(self, name: str, to: str = "") -> Draft:
        seat = Seat(name)
        return report_draft(self.game, seat, self.written_report(seat), to)

    def _corrected(self, game: adj.Game) -> Corrected:
        before = self.game
        changed, correction = self.change(game).game, game.correction_since(before)
        return Corrected(changed, correction=correction, entry=self._entries([correction.entry])[0])

    # Files, pages and audits

    def report(self, *, viewer: str | None) -> bytes:
        """Return the report to ``viewer`` as a page."""
        return adj.render(self.written_report(viewer), "html").encode()

    def replay(self, *, viewer: str | None) -> bytes:
        """Return the page that replays the game as ``viewer`` may know it."""
        return self.game.seen_by(viewer).replay_page().text.encode()

    def save(self) -> bytes:
        """Return the bytes of the game file."""
        return self.game.to_bytes()

    def mark_saved(self, *, state: int) -> Opened:
        """Remember that the file has the game with this number of its ``state``."""
        self._saved = state
        return self.summary()

    def audit(self) -> Audited:
        """Decide the whole game again."""
        verdict = self.game.audit()
        return Audited(verdict.is_verified, result_text(verdict))

    def audit_file(self, *, name: str, files: Files) -> Audits:
        """Decide again what ``files`` holds under this ``name``: a game, a script, or an archive of many."""
        plain = "".join(letter for letter in PurePath(name).name if letter.isprintable())[-_LONGEST_NAME:]
        plain = "file" if plain in ("", "-", ".", "..") else plain  # a name for a file in memory
        with TemporaryDirectory() as folder, chdir(folder):
            Path(plain).write_bytes(files[0])
            found = [
                Audited(None if isinstance(one, Skipped) else one.is_verified, result_text(one))
                for one in adj.audit_files(plain, jobs=0)
            ]
        return Audits(tuple(found))


def _refused(message: str, problems: Iterable[Problem] = ()) -> Refused:
    return Refused(Mistake("refused", message, tuple(problems)))


def _has_moments(game: adj.Game) -> bool:
    """Return whether the file of ``game`` has past positions: own files of earlier versions have none."""
    return game.own is None or bool(game.own.past)


def _board(position: adj.Position, before: Earlier | None) -> dict[str, Any]:
    return {
        "position": shown_position(position),
        "picture": draw(position.drawing, seats=position.players, before=before),
        "description": tuple(description_lines(position.drawing)),
    }


REQUESTS: dict[str, Callable[..., Value | bytes]] = {
    "games": Desk.list_games,
    "open": Desk.open,
    "new": Desk.begin,
    "task": Desk.task,
    "solve": Desk.solve,
    "look": Desk.look,
    "check": Desk.check,
    "costs": Desk.costs,
    "moment": Desk.moment,
    "fork": Desk.fork,
    "rule": Desk.rule,
    "words": Desk.words,
    "what_if": Desk.what_if,
    "apply": Desk.apply,
    "play": Desk.play,
    "answer_first": Desk.answer_first,
    "choose": Desk.choose,
    "step": Desk.step,
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
    "saved": Desk.mark_saved,
    "audit": Desk.audit,
    "audit_file": Desk.audit_file,
}
"""The requests of the page by name; every other name is a bug of the page."""
