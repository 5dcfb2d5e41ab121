"""Define the arguments that commands share, and ``Ui``, with which they read, guard and write files, print, and end."""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, get_type_hints

import typer

from adjudicator.reports.texts import printable, safe_json

if TYPE_CHECKING:
    from adjudicator import Untrusted
    from adjudicator.core.problem import SetupError
    from adjudicator.library.game import Game

DONE: Final = 0
PROBLEMS: Final = 1
MISUSE: Final = 2
UNTRUSTED: Final = 3
BUG: Final = 70
INTERRUPTED: Final = 130
"""The exit code of a program that was stopped with Ctrl-C (128 + SIGINT)."""
UNHEARD: Final = 141
"""The exit code after the output pipe was closed (128 + SIGPIPE), as in ``adjudicator log g.json | head -1``."""

_WIDTH: Final = 80
_MOST_HEAD: Final = 1024 * 1024
_PICTURE: Final = "a picture of this program"
# typer exports only a subclass of the base class of all usage errors.
UsageError: Final[Any] = typer.BadParameter.__mro__[1]
T = TypeVar("T")


class MisuseError(Exception):
    """Report a wrong use of a command; the message says what to do instead."""

    def __init__(self, words: str, kind: str = "misuse") -> None:
        """Keep the ``words``, and the ``kind`` of the failure for programs."""
        super().__init__(words)
        self.kind, self.exit_code = kind, MISUSE


class OutputError(Exception):
    """Report that standard output cannot be written, for example because the disk is full."""


class Stopped(KeyboardInterrupt):
    """Stop the program because of a signal other than Ctrl-C; ``code`` is the exit code for it."""

    def __init__(self, signal: int) -> None:
        """Keep the number of the ``signal``."""
        super().__init__()
        self.code = 128 + signal


def option(default: Any, *words: str, **more: Any) -> Any:
    """Return an option of typer: its names, its metavar if it takes a value, and its help; ``more`` is for typer.

    ``default`` is ``...`` in ``Annotated``, where the default of the parameter counts. An option called ``DIR`` names a
    folder to write, so it takes neither an empty name nor `-`.
    """
    *metavar, help_text = (word for word in words if not word.startswith("-"))
    names = [word for word in words if word.startswith("-")]
    if metavar == ["DIR"]:
        more["callback"] = _require_folder
    return typer.Option(default, *names, metavar=metavar[0] if metavar else None, help=help_text, **more)


def _require_folder(parameter: typer.CallbackParam, path: str | None) -> str | None:
    if path in ("", "-"):
        name, why = min(parameter.opts, key=len), ": the name is empty" if not path else ", not standard output (`-`)"
        raise MisuseError(f"name a folder with {name}{why}")
    return path


def argument(default: Any, metavar: str, help_text: str, **more: Any) -> Any:
    """Return an argument of typer with its ``default`` (see ``option``), called ``metavar``; ``more`` is for typer."""
    return typer.Argument(default, metavar=metavar, help=help_text, show_default=False, **more)


def complete_ruleset(incomplete: str) -> list[str]:
    """Return the rulesets that the shell offers after the typed beginning ``incomplete``."""
    from adjudicator.library.rulesets import ruleset_ids

    return [name for name in ruleset_ids() if name.startswith(incomplete)]


def complete_seat(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the readers of the game on the command line that the shell offers after the typed ``incomplete``."""
    from adjudicator.library.game import open_game

    try:
        file = ctx.params.get("game") or ctx.args[0]  # before the value of an option the arguments are not named yet
        seats = open_game(file).players
    except Exception:  # the shell needs an answer, not the reason why the file cannot be read
        return []
    return [name for name in (*seats, "moderator") if name.startswith(incomplete)]


Json = Annotated[bool, option(..., "--json", "print JSON for programs instead of text")]
RulesetId = Annotated[
    str, argument(..., "RULESET", "the game to play, such as checkpoint-rally", autocompletion=complete_ruleset)
]
GameFile = Annotated[str, argument(..., "GAME", "the game file; `-` is standard input")]
Output = Annotated[
    str | None, option(..., "-o", "--output", "FILE", "write the new game here and keep GAME; `-` for standard output")
]
Force = Annotated[bool, option(..., "--force", "with -o: replace the file even if it is not this game")]
As = Annotated[
    str | None,
    option(
        ...,
        "--as",
        "SEAT",
        "the reader: a seat, or `moderator` (who sees everything); without it, the public view",
        autocompletion=complete_seat,
    ),
]


def pairs(arguments: Iterable[str], what: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """Return items such as ``laps=3`` as a dictionary. Raises ``MisuseError``.

    ``what`` names one of them in messages, ``form`` is its pattern.
    """
    result: dict[str, str] = {}
    for item in arguments:
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise MisuseError(f"write {what} as {form}, not “{item}”")
        if key.strip() in result:
            raise MisuseError(f"give {what} only once: {key.strip()} is given twice")
        result[key.strip()] = value.strip()
    return result


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Return ``function`` as typer wants it: without its first argument, ``ui``, and with the option ``--json``."""
    hints = get_type_hints(function, include_extras=True)
    first, *others = inspect.signature(function).parameters.values()
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("ctx", kind, annotation=typer.Context)]
    parameters += [one.replace(kind=kind, annotation=hints[one.name]) for one in others]
    parameters.append(inspect.Parameter("as_json", kind, annotation=Json, default=False))

    @wraps(function)
    def run(ctx: typer.Context, *, as_json: bool, **given: Any) -> None:
        ui: Ui = ctx.obj
        ui.as_json, ui.is_running = as_json, True
        function(**{first.name: ui}, **given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


class Ui:
    """What a command talks to: files, standard streams, and the user; ``code`` is the exit code so far.

    ``as_json`` says that the output is for a program. Nothing else in this program prints or exits.
    """

    def __init__(self, *, as_json: bool = False) -> None:
        """Begin with exit code 0; ``as_json`` applies until the command line is read."""
        self.as_json, self.code, self.is_running = as_json, DONE, False
        self._force: bool | None = None
        self._sources: list[str] = []
        self._opened: tuple[str, bytes, str] | None = None
        self.saved = ""
        self._is_aside = False
        self._held: list[tuple[bool, str]] | None = None

    # What a command prints

    def show(self, value: object, text: str | Callable[[], str] = "", *, is_safe: bool = False) -> None:
        """Print ``value`` as one line of JSON with ``--json``, else its ``text``; each may be a function that returns it."""
        if self.as_json:
            self._put(safe_json(value() if callable(value) else value) + "\n", is_error=self._is_aside)
        elif words := text() if callable(text) else text:
            self.say(words, is_safe=is_safe)

    def say(self, text: str, *, is_safe: bool = False, is_fitted: bool = True) -> None:
        """Print ``text``, made safe for a terminal unless it ``is_safe`` (with colours); with ``--json`` print nothing.

        A terminal gets lines of its width if the text ``is_fitted``; commands and hashes stay whole, for copying.
        """
        if self.as_json:
            return
        lines = text.split("\n")
        if not is_safe:
            lines = [printable(line) for line in lines]
        if is_fitted and self.width is not None:
            from adjudicator.reports.texts import folded_lines  # only terminals need it

            folded = (
                [line] if line.lstrip().startswith("adjudicator ") else folded_lines([line], self.width, is_hard=False)
                for line in lines
            )
            lines = [piece for pieces in folded for piece in pieces]
        self._put("\n".join(lines) + "\n", is_error=self._is_aside)

    def say_outcome(self, text: str, *, is_good: bool) -> None:
        """Print ``text``, whose first column is an outcome: on a terminal this is green, or red if not ``is_good``."""
        if not self.is_colored:
            self.say(text)
            return
        from adjudicator.reports.texts import painted, word_style

        outcome, gap, others = "\n".join(map(printable, text.split("\n"))).partition("  ")
        self.say(painted(outcome, word_style("green" if is_good else "red"), color=True) + gap + others, is_safe=True)

    def warn(self, text: str) -> None:
        """Print ``text``, made safe for a terminal, on standard error, after all earlier output."""
        self._put("\n".join(map(printable, text.split("\n"))) + "\n", is_error=True)

    def send(self, data: bytes) -> None:
        """Write ``data`` to standard output unchanged."""
        with _output():
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def flush(self) -> None:
        """Flush the output. Raises ``OutputError``, or ``BrokenPipeError`` if the output pipe was closed."""
        with _output():
            sys.stdout.flush()

    def _put(self, text: str, *, is_error: bool) -> None:
        if self._held is not None:
            self._held.append((is_error, text))
        elif is_error:
            self.flush()
            with suppress(OSError):  # standard error may be closed
                sys.stderr.write(text)
        else:
            with _output():
                sys.stdout.write(text)

    @property
    def is_colored(self) -> bool:
        """Whether standard output is a terminal that shows colours."""
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    @property
    def width(self) -> int | None:
        """The width of the terminal in columns, at least 40; ``None`` without a terminal, which needs no limit."""
        if not sys.stdout.isatty():
            return None
        from shutil import get_terminal_size

        return max(40, get_terminal_size((_WIDTH, 24)).columns)

    @contextmanager
    def progress(self, what: str, total: int | None = None, *, is_shown: bool = True) -> Iterator[Callable[[], None]]:
        """Show a bar for work on a number of things, ``total`` of them if known; call the yielded function after each.

        Without a terminal on standard error, or unless it ``is_shown``, nothing appears.
        """
        if not is_shown or not sys.stderr.isatty():
            yield lambda: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        count = "{task.completed:,.0f}" + (" of {task.total:,.0f}" if total else "")
        columns = (TextColumn(f"{what} {count}"), BarColumn(), TimeElapsedColumn())
        # The streams are not redirected, so the output goes to standard output unchanged.
        with Progress(
            *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
        ) as bar:
            task = bar.add_task("", total=total)
            yield lambda: bar.advance(task)

    def each(self, items: Iterable[T], what: str, total: int | None = None, *, is_quiet: bool = True) -> Iterator[T]:
        """Yield ``items`` with a bar, unless the terminal shows a line for each of them because it is not ``is_quiet``."""
        with self.progress(what, total, is_shown=is_quiet or not sys.stdout.isatty()) as advance:
            for item in items:
                yield item
                advance()

    # What a command reads

    def open(self, path: str, *, whole: bool = True) -> Game:
        """Return the game in the file ``path``. Raises ``FileProblem``.

        Unless it must be ``whole``, it may be a player's own file, or ARCHIVE#GAME.
        """
        from adjudicator.files.reading import read
        from adjudicator.library.game import read_game_file

        return self.open_bytes(*(read if whole else read_game_file)(path), whole=whole)

    def open_bytes(self, name: str, data: bytes, *, whole: bool = True) -> Game:
        """Return the game in ``data``, the bytes of the file ``name``.

        If the program or the rules fail on it, its file is audited: rules may fail in any way on a forged file.
        """
        from adjudicator.library.errors import CannotFollow
        from adjudicator.library.game import open_game

        self._opened = (name, data, "")
        try:
            game = open_game(data, name=name, whole=whole)
        except CannotFollow as error:
            raise self.forgery() or error from error
        self._opened = (name, data, game.meta.id) if game.own_seat is None else None
        return game

    # What a command writes

    def guard(
        self,
        reads: Iterable[str | None] = (),
        writes: Mapping[str, str | None] | None = None,
        force: bool | None = None,
        *,
        changes: str | None = None,
    ) -> None:
        """Raise ``MisuseError`` if the files contradict each other: those that the command ``reads``, and ``writes``.

        ``writes`` has the file of each option. No file may be written that is read or written twice, and only one can go
        to standard output; only ``-o`` may name the game file that the command ``changes``. ``force`` also applies to
        ``write`` and ``spare``; ``None``: the command has no such option.
        """
        self._force = force
        self._sources = [path for path in reads if path is not None]
        named = [(option, path) for option, path in (writes or {}).items() if path is not None]
        if [*self._sources, changes].count("-") > 1:
            raise MisuseError("name standard input (`-`) only once")
        if force and not named:
            options = list(writes or {})
            these = f"{', '.join(options[:-1])} or {options[-1]}" if len(options) > 1 else options[0]
            why = "nothing else writes a file" if changes is None else "the game file itself is always replaced"
            raise MisuseError(f"use --force only with {these}: {why}")
        printed = [option for option, path in named if path == "-"]
        if len(printed) > 1:
            raise MisuseError(f"name a file with {printed[0]}: only one thing can go to standard output")
        if printed and self.as_json:
            raise MisuseError(f"name a file with {printed[0]}: it cannot go to standard output together with --json")
        for place, (option, path) in enumerate(named):
            if any(is_same(path, source) for source in self._sources):
                raise MisuseError(f"name another file with {option}: it would replace {path}, which this command reads")
            if changes is not None and option != "-o" and is_same(path, changes):
                raise MisuseError(f"name another file with {option}: it would replace the game in {path}")
            if any(is_same(path, other) for _, other in named[:place]):
                raise MisuseError(f"name another file with {option}: the command also writes {path}")

    def spare(self, path: str, what: str = "", is_own: Callable[[bytes], bool] | None = None) -> None:
        """Raise ``MisuseError`` if ``path`` is a file that the command must not replace: one that it reads, or another's.

        ``is_own`` decides by the head of the file (up to a megabyte) whether it is an earlier ``what``; without it, every
        file is spared. ``--force`` allows another's file.
        """
        if path == "-":
            return
        if any(is_same(path, source) for source in self._sources):
            raise MisuseError(f"name another file: {path} would be replaced, which this command reads")
        if self._force or not os.path.exists(path):
            return
        if os.path.isdir(path):
            raise MisuseError(f"{path}: this is a folder, not a file")
        remedy = "name another file" if self._force is None else "name another file, or use --force"
        if is_own is None:
            instead = "name another file" if self._force is None else "use --force to replace it"
            raise MisuseError(f"{path} already exists; {instead}")
        if not os.path.isfile(path) or not os.path.getsize(path):
            return
        try:
            with Path(path).open("rb") as stream:
                is_spared = not is_own(stream.read(_MOST_HEAD))
        except (OSError, ValueError):
            is_spared = True
        if is_spared:
            raise MisuseError(f"{remedy}: {path} already exists and is not {what}")

    def write(
        self,
        path: str,
        data: bytes,
        what: str = "",
        is_own: Callable[[bytes], bool] | None = None,
        *,
        is_shared: bool = False,
    ) -> None:
        """Write ``data`` to ``path`` at once, `-` being standard output; spare the files that ``spare`` names.

        Others may read the file if it ``is_shared``. Raises ``MisuseError``, ``CannotWrite``.
        """
        if path == "-":
            self.send(data)
            return
        from adjudicator.files.writing import PRIVATE, SHARED, write_atomic

        with nullcontext() if is_own else _lock(path):
            self.spare(path, what, is_own)
            write_atomic(Path(path), data, SHARED if is_shared else PRIVATE)

    def write_picture(self, path: str, data: bytes) -> None:
        """Write the picture ``data`` to ``path``, unless ``spare_picture`` spares the file there."""
        from adjudicator.reports.images import is_picture

        self.write(path, data, _PICTURE, is_picture)

    def spare_picture(self, path: str) -> None:
        """Raise ``MisuseError`` if ``path`` is a file other than a picture of this program, without ``--force``."""
        from adjudicator.reports.images import is_picture

        self.spare(path, _PICTURE, is_picture)

    @contextmanager
    def change(
        self,
        path: str,
        output: str | None = None,
        *,
        force: bool | None = None,
        is_trial: bool = False,
        opener: Callable[[str], Any] | None = None,
    ) -> Iterator[Edit]:
        """Lock the target, open the game file ``path``, and yield the ``Edit`` that saves the new game.

        The target is ``output``; without it the file itself is replaced, and from standard input the game goes to standard
        output, and all words to standard error. Words printed in the block appear after it, so that an error in making them
        comes first.
        """
        target = output or path
        if force and output is None:
            raise MisuseError("use --force only with -o: the game file itself is always replaced")
        if target == "-" and self.as_json and not is_trial:
            name = "name a file" if force is None else "name a file with -o"
            raise MisuseError(f"{name}: --json and the game cannot both go to standard output")
        if any(is_same(target, source) for source in self._sources):
            raise MisuseError(f"name another file: the game would replace {target}, which this command reads")
        self._is_aside = target == "-" and not is_trial
        with nullcontext() if is_trial else _lock(target):
            edit = Edit(self, path, target, force, (opener or self.open)(path))
            self._held = []
            yield edit
        held, self._held = self._held or (), None
        for is_error, text in held:
            self._put(text, is_error=is_error)

    # How a command ends

    def forgery(self) -> Untrusted | None:
        """Return the error if the audit finds the open game forged: rules may fail in any way on a forged position.

        A forger can make schema, chain and seal fit. A bug that also stops the audit proves nothing against the file.
        """
        if self._opened is None or os.environ.get("ADJUDICATOR_DEBUG"):  # a developer wants to see the bug itself
            return None
        from adjudicator.audit.judge import forgery_in

        name, data, _ = self._opened
        return forgery_in(data, name)

    def end(self, error: BaseException) -> None:
        """Explain the ``error`` that ended the command, and keep the exit code for it; bugs are called bugs."""
        self._held, self._is_aside = None, False
        with suppress(OSError, OutputError):
            try:
                self._explain(error)
                self.flush()
            except (OSError, OutputError) as also:
                self._explain(also)

    def _explain(self, error: BaseException) -> None:
        if isinstance(error, typer.Exit):
            self.code = error.exit_code
        elif isinstance(error, KeyboardInterrupt):
            words = "interrupted; your game file is safe: it is unchanged, or completely written"
            self._fail(getattr(error, "code", INTERRUPTED), "interrupted", words)
        elif isinstance(error, BrokenPipeError):
            self.code = UNHEARD
            _abandon_output()
        elif isinstance(error, OutputError):
            self.code = MISUSE
            _abandon_output()
            self.warn(f"adjudicator: {error}" + (f"; but {self.saved} is completely written" if self.saved else ""))
        elif isinstance(error, UsageError):
            self.code = MISUSE
            if self.as_json:
                self._fail(MISUSE, "usage", error.format_message())
            else:
                self.flush()
                error.show()
        elif hasattr(error, "kind") and hasattr(error, "exit_code"):  # those of a ruleset may have a kind of their own
            self._fail(error.exit_code, error.kind, _words(error), error)
        elif isinstance(error, OSError) and not self.is_running:  # the help, which typer prints
            self._explain(OutputError(f"standard output cannot be written: {error.strerror or error}"))
        elif isinstance(error, OSError):
            words = error.strerror or str(error)
            self._fail(MISUSE, "system", f"system error: {words}" + (f": {error.filename}" if error.filename else ""))
        else:
            cause = error.__cause__ or error.__context__
            if isinstance(cause, KeyboardInterrupt):  # Python 3.11 makes a RuntimeError of one in the body of a class
                self._explain(cause)
                return
            forgery = self.forgery() if isinstance(error, Exception) else None
            if forgery is not None:
                self._explain(forgery)
                return
            if os.environ.get("ADJUDICATOR_DEBUG"):
                raise error
            from adjudicator.core.problem import EngineFaultError
            from adjudicator.library.rulesets import place_of_bug, whose_bug

            if not isinstance(error, Exception):  # only a ruleset ends in this way
                words = f"a ruleset tried to end the program: {type(error).__name__}: {error}".removesuffix(": ")
                error = EngineFaultError(words).with_traceback(error.__traceback__)
            file, _, ruleset = self._opened or ("", b"", "")
            of = f", a game of the ruleset “{ruleset}”," if ruleset else ""
            lines = [
                f"this is {whose_bug(error)}, not a mistake of yours: {type(error).__name__}: {error}",
                f"The bug is in {place_of_bug(error)}.",
                *([f"The file {file}{of} may be fine."] if file else []),
                "Please report it, with the command that you used.",
                "Your game file is safe: it is unchanged, or completely written."
                " With ADJUDICATOR_DEBUG=1 the program also prints every step that led there.",
            ]
            self._fail(BUG, "internal", "\n".join(lines))

    def _fail(self, code: int, kind: str, words: str, error: object = None) -> None:
        """Print a failure: ``kind`` is a stable word for programs, ``words`` are for people."""
        self.code = code
        if not self.as_json:
            self.warn(f"adjudicator: {words}")
            return
        from adjudicator.results import Failure, FailureKind, Problem

        made = Failure(
            error=FailureKind(kind),
            message=words,
            file=getattr(error, "file", ""),
            violations=getattr(error, "violations", ()),
            problems=tuple(map(Problem.of, getattr(error, "problems", ()))),
        )
        self.show(made)


class Edit:
    """A game file that is being changed: ``game`` is the game in it, ``save`` writes the new one."""

    def __init__(self, ui: Ui, path: str, target: str, force: bool | None, game: Any) -> None:
        """Keep the file ``path`` and the ``target``, which may be another one."""
        self._ui, self._force, self.target, self.game = ui, force, target, game
        self.is_copy = target not in (path, "-") and not is_same(path, target)

    def save(self, game: Any) -> None:
        """Write ``game``, after a check that its bytes can be read again; a copy replaces only earlier versions of it.

        Raises ``MisuseError``, ``UnsoundGameError``, ``CannotWrite``.
        """
        from adjudicator.files.reading import LIMIT, MEGABYTE
        from adjudicator.files.writing import write_atomic
        from adjudicator.library.errors import RequestError

        try:
            if self.is_copy and not self._force:
                game.require_own_file(self.target)
        except RequestError as error:
            remedy = "name another file" if self._force is None else "name another file, or use --force"
            raise MisuseError(f"{remedy}: {error}") from None
        data: bytes = game.to_bytes()
        if 4 * len(data) > 3 * LIMIT:
            size, most = f"{len(data) / MEGABYTE:,.1f} MB", f"{LIMIT // MEGABYTE} MB"
            self._ui.warn(
                f"adjudicator: the file of game {game.id} has {size} already; the limit is {most} (docs/game-file.md)"
            )
        if self.target == "-":
            self._ui.send(data)
        else:
            write_atomic(Path(self.target), data)
            self._ui.saved = self.target


def is_same(one: str, other: str) -> bool:
    """Return whether two names lead to the same file; standard input is not a file."""
    return "-" not in (one, other) and os.path.realpath(one) == os.path.realpath(other)


def _lock(path: str) -> AbstractContextManager[None]:
    """Return the lock of the file ``path``, for writing it; pipes, devices and folders need none."""
    from adjudicator.files.writing import locked

    is_file = path != "-" and (os.path.isfile(path) or not os.path.exists(path))
    return locked(Path(path)) if is_file else nullcontext()


@contextmanager
def _output() -> Iterator[None]:
    """Turn errors of the system on standard output into ``OutputError``, except for a closed pipe."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"standard output cannot be written: {error.strerror or error}") from error


def _abandon_output() -> None:
    """Discard the rest of standard output, so that Python does not complain at the end of the program."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def reasons(headline: str, error: SetupError) -> str:
    """Return ``headline``, and below it each reason of ``error`` with its rule and its suggestions."""
    lines = [headline]
    for problem in error.problems:
        lines.append(f"  {problem.message}" + (f" ({problem.rule})" if problem.rule else ""))
        if problem.suggestions:
            lines.append(f"    did you mean: {', '.join(problem.suggestions)}")
    return "\n".join(lines)


def _words(error: Any) -> str:
    """Return the message of an expected ``error``."""
    if error.kind == "setup":
        return reasons("the game cannot be set up in this way:", error)
    if error.kind != "impossible-outcome":  # the library names its arguments, which are options here
        words = re.sub(r"`(add|force|reason|replace|resume|reveal|without)`", r"--\1", str(error))
        return words.replace("`viewer`", "--as")
    if error.purpose == "nothing":
        return f"too many recorded outcomes: there is no draw for “{error.outcome}”"
    possible = ", ".join(error.among[:12]) + (" …" if len(error.among) > 12 else "")
    if error.outcome is None:
        return f"a recorded outcome is missing for this draw: {error.purpose}; possible outcomes: {possible}"
    return f"“{error.outcome}” is not a possible outcome of this draw: {error.purpose}; possible outcomes: {possible}"
