"""The commands `check` and `apply`: adjudicate orders, as a trial or for good."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from adjudicator.cli.arguments import GameFile, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.faults import fault_text, faults_of, refuse_forgery, without_faults
from adjudicator.cli.files import (
    hold,
    is_players,
    is_same,
    only_one_stdin,
    sound_bytes,
    spare_other_files,
    spare_others,
    write_file,
)
from adjudicator.cli.order_files import OrderFile, OrderPath, order_paths, read_order_files, submissions_of
from adjudicator.cli.output import (
    DONE,
    MISUSE,
    PROBLEMS,
    MisuseError,
    OutputError,
    flush,
    leave,
    say_bytes,
    say_json,
    say_outcome,
    say_safely,
    say_unchanged,
    terminal_width,
    warn,
)
from adjudicator.core.values import Value, replace

if TYPE_CHECKING:
    from adjudicator import FileProblem
    from adjudicator.library.game import Game
    from adjudicator.library.results import Result

Orders = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SEAT=]ORDERS...",
        help="texts, mails, mailboxes or folders with orders, each optionally with its seat; `-` for standard input;"
        " without ORDERS, only the pending orders in the game",
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="write the new game here and keep GAME; `-` for standard output"),
]
Log = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="write the whole public log here, as JSON lines"),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="write nothing, like `check`")]
Force = Annotated[
    bool, typer.Option("--force", help="with -o or --log: replace a file even if it is not this game or its log")
]
_REMEDY: Final = "name another file, or use --force"
AsSeat = Annotated[
    str | None, typer.Option("--as", metavar="SEAT", help="check the orders of this seat, with only what it may know")
]
Strict = Annotated[bool, typer.Option("--strict", help="apply no order if there is any problem")]


def check(
    game: GameFile, orders: Orders = None, viewer: AsSeat = None, strict: Strict = False, as_json: Json = False
) -> None:
    """Check orders: print what `apply` would, and change nothing.

    With --strict the command reports what `apply --strict` would do: with any problem, no order would be applied.

    With --as it checks only the orders of this seat, with the knowledge of this seat. It carries out no order, so the
    answer reveals neither draws nor the orders of others. A player can do the same with the player's own file, which
    `report --format game` writes.

    Examples:
      adjudicator check race.json turn-7.txt
      adjudicator check race.json red=ann.eml blue=bob.eml --strict
    """
    if viewer is None and not is_players(game):
        apply(game, orders, dry_run=True, strict=strict, as_json=as_json)
        return
    with explained(as_json=as_json) as opened:
        from adjudicator.cli.turn_summary import adjudication
        from adjudicator.library.errors import NoOrdersError

        paths = order_paths(orders or [])
        only_one_stdin(game, *(path.path for path in paths))
        if not paths:
            raise MisuseError("name the files with the orders: --as does not check pending orders")
        files, checked = read_order_files(paths, (game,)), opened.seen(game)
        seat = checked.viewer(viewer)
        if seat is None or seat not in checked.seats:
            raise MisuseError("name a seat with --as, or leave out --as to see the moderator's answer")
        try:
            texts = list(submissions_of(files, checked))
            result = checked.seen_by(seat).check(texts)
        except NoOrdersError:
            words = f"write `{seat}:` above them, or name the file as {seat}=FILE"
            raise MisuseError(f"these files contain no orders of {seat}: {words}") from None
        refuse_forgery(opened, result)
        if as_json:
            say_json(replace(adjudication(without_faults(result), is_trial=True), costs=checked.seen_by(seat).costs(texts)))
        else:
            _tell_own(without_faults(result), checked, seat)
        leave(PROBLEMS if result.problems else DONE)


def apply(
    game: GameFile,
    orders: Orders = None,
    output: Output = None,
    log: Log = None,
    dry_run: DryRun = False,
    force: Force = False,
    strict: Strict = False,
    as_json: Json = False,
) -> None:
    """Adjudicate orders: apply them and report mistakes.

    The program applies all accepted orders and replaces the game file. A rejected order stops only the rest of that seat's
    sheet. All problems are reported at once, on standard error. Orders that are not due yet stay pending in the game file.
    A new sheet without a mistake replaces the pending orders of its seat; `pending` can bring them back.

    ORDERS are texts, mails (.eml), mbox files, Maildir folders, or folders with such files; in a folder, a file named
    red=….eml belongs to red. With SEAT=, which may also be the player's name, the orders need no heading, and orders of
    other seats are rejected. If one seat sends several mails, the latest one without a mistake counts.

    Without ORDERS, the command applies the pending orders that are due, for example after a correction.

    -o and --log replace an earlier version of the same game or log. They replace other files only with --force.

    Examples:
      adjudicator apply race.json turn-7.txt
      adjudicator apply race.json red.txt blue.txt --strict --log minutes.jsonl
      adjudicator apply race.json red=ann.eml blue=bob.eml inbox.mbox mails/
    """
    with explained(as_json=as_json) as opened:
        target, paths = output or game, order_paths(orders or [])
        if force and output is None and log is None:
            raise MisuseError("use --force only with -o or --log: the game file itself is always replaced")
        _refuse_nonsense(game, [path.path for path in paths], target, log)
        if as_json and target == "-" and not dry_run:
            raise MisuseError("name a file with -o: --json and the game cannot both go to standard output")
        files = read_order_files(paths, (game, target, *([log] if log else [])))
        with nullcontext() if dry_run else hold(target):
            result = _adjudicated(opened.game(game), paths, files, is_strict=strict)
            refuse_forgery(opened, result)
            if not (force or dry_run or is_same(game, target)):
                spare_others(target, result.game, _REMEDY)
            if log is not None and not (force or dry_run):
                spare_other_files(log, "the log of this game", _is_log_of(result.game), _REMEDY)
            answer = _machine_answer if as_json else _people_answer
            tell = answer(result, is_trial=dry_run, is_strict=strict)
            saved = _Saved() if dry_run else _save(result, game, target, log)
        tell(saved)
        leave(MISUSE if saved.trouble is not None else PROBLEMS if result.problems else DONE)


def _adjudicated(before: Game, paths: list[OrderPath], files: list[OrderFile], *, is_strict: bool) -> Result:
    if not files and not before.pending_counts:
        empty = ", ".join(path.path for path in paths)
        words = f"{empty} contains no files" if empty else "name the files with the orders"
        raise MisuseError(f"{words}: the game has no pending orders")
    return before.apply(submissions_of(files, before), strict=is_strict)


class _Saved(Value):
    """The file of the written game (empty: not written), and the error if the log could not be written."""

    target: str = ""
    trouble: FileProblem | None = None


_Answer = Callable[[_Saved], None]
"""Prints the result of an adjudication. It is made before any file is written, so that errors come first."""


def _refuse_nonsense(game: str, orders: list[str], target: str, log: str | None) -> None:
    """Raise ``MisuseError`` if standard input is named twice, or an output file is one of the inputs."""
    only_one_stdin(game, *orders)
    if log == "-":
        raise MisuseError("name a file with --log, or use `adjudicator log --json` for standard output")
    for order in orders:
        if is_same(order, target):
            raise MisuseError(f"name another file: the game would replace the orders in {order}")
        if log is not None and is_same(order, log):
            raise MisuseError(f"name another file: the log would replace the orders in {order}")
    if log is not None and (is_same(log, game) or is_same(log, target)):
        raise MisuseError(f"name another file: the log would replace the game in {log}")


def _save(result: Result, game: str, target: str, log: str | None) -> _Saved:
    """Write the game if it has changed or goes to another file, then the log, which is made first because it may fail."""
    from adjudicator.reports.data.log import log_json

    lines = "" if log is None else log_json(result.game.seen_by().log()) + "\n"
    if not result.is_changed and is_same(game, target):
        return _Saved("", _save_log(lines, log))
    data = sound_bytes(result.game)
    if target == "-":
        say_bytes(data)
        return _Saved("-", _save_log(lines, log))
    write_file(target, data)
    return _Saved(target, _save_log(lines, log))


def _is_log_of(game: Game) -> Callable[[bytes], bool]:
    """Return a function that recognizes a log of ``game`` by its first line, which describes the set-up."""

    def is_log(head: bytes) -> bool:
        try:
            row: Any = json.loads(head.partition(b"\n")[0])
        except ValueError:
            return False
        if not isinstance(row, dict) or row.get("n") != 0 or row.get("commitment") != game.commitment:
            return False
        begun = row.get("begun")  # missing in logs of earlier versions
        return not isinstance(begun, dict) or begun.get("game") == game.id

    return is_log


def _save_log(lines: str, path: str | None) -> FileProblem | None:
    """Write the whole log again, so that it always agrees with the game file; return the error if that fails."""
    if path is None:
        return None
    from adjudicator import FileProblem

    try:
        write_file(path, lines.encode(), is_shared=True)
    except FileProblem as trouble:  # the game is already written: the answer must say so first
        return trouble
    return None


def _machine_answer(result: Result, *, is_trial: bool, is_strict: bool) -> _Answer:
    """Return a function that prints the result as JSON, which is the same with and without ``is_strict``."""
    from adjudicator.cli.turn_summary import adjudication
    from adjudicator.reports.text.sanitize import safe_json

    made = adjudication(result, is_trial=is_trial)
    text = safe_json(made)

    def tell(saved: _Saved) -> None:
        with _owning_up(saved):
            say_unchanged(text if saved.trouble is None else safe_json(replace(made, log_failure=str(saved.trouble))))

    return tell


def _tell_own(result: Result, checked: Game, seat: str) -> None:
    """Print the problems of the orders of ``seat``, for its player."""
    from adjudicator.cli.turn_summary import foreseen_text, problems_text

    problems, count = problems_text(result), len(result.problems)
    if problems:
        warn(f"{problems}\n")
    if result.details.foreseen:
        say_safely(f"{foreseen_text(result)}\n")
    found = f"{count} problems" if count > 1 else "1 problem" if count else "no problem with what this seat knows now"
    say_safely(f"orders of {seat}: {found}; no order was carried out")
    if checked.caveat:
        say_safely(checked.caveat)


def _people_answer(result: Result, *, is_trial: bool, is_strict: bool) -> _Answer:
    """Return a function that prints the accepted orders and the next decisions; problems go to standard error."""
    from adjudicator.cli.turn_summary import accepted_text, problems_text, summary_text
    from adjudicator.reports.data.receipt import receipts_text

    accepted, problems = accepted_text(result, terminal_width()), problems_text(result)
    receipts = result.details.receipts if is_trial else result.receipts
    receipt_text = receipts_text(receipts) if receipts else ""
    summary = summary_text(result, is_trial=is_trial, is_strict=is_strict)
    faults = [fault_text(fault) for fault in faults_of(result.details.diagnostics)]

    def tell(saved: _Saved) -> None:
        out = warn if saved.target == "-" else say_safely
        with _owning_up(saved):
            for text, say_it in ((accepted, out), (problems, warn), (receipt_text, out)):
                if text:
                    say_it(f"{text}\n")
            if saved.target == "-":
                warn(summary)
            else:
                first, *others = summary.split("\n")
                say_outcome(first, is_good=not problems)
                say_safely("\n".join(others))
        for fault in faults:
            warn(fault)
        if saved.trouble is not None:
            warn(f"adjudicator: {saved.trouble}; the orders listed above were applied anyway")

    return tell


@contextmanager
def _owning_up(saved: _Saved) -> Iterator[None]:
    """If the result cannot be printed, add to the error that the game is written."""
    try:
        yield
        flush()
    except OutputError as error:
        if saved.target:
            raise OutputError(f"{error}; but {saved.target} is completely written") from error
        raise
