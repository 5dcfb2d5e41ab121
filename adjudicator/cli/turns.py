"""The commands `check` and `apply`: turn files against a game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from adjudicator.cli.arguments import GameFile, Json
from adjudicator.cli.declared import Argument, Option
from adjudicator.cli.failures import explained
from adjudicator.cli.faults import fault_text, faults_of, refuse_forgery, without_faults
from adjudicator.cli.files import hold, is_players, is_same, only_one_stdin, sound_bytes, spare_other_files, spare_others
from adjudicator.cli.given import Arrived, Given, given, read_given, submitted
from adjudicator.cli.output import (
    DONE,
    MISUSE,
    PROBLEMS,
    MisuseError,
    OutputError,
    flush,
    leave,
    say,
    say_bytes,
    say_json,
    say_safely,
    warn,
)
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat

if TYPE_CHECKING:
    from adjudicator.core.game import Game
    from adjudicator.moderate.adjudicate import Adjudicated
    from adjudicator.session import Session
    from adjudicator.store.errors import CannotWrite

OrderFiles = Annotated[
    list[str] | None,
    Argument(
        metavar="[SEAT=]ORDERS...",
        help="texts of orders, mails, mailboxes, and folders of them, each perhaps with its seat; `-` is standard input;"
        " none: only the orders that wait in the game",
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    Option("-o", "--output", metavar="FILE", help="write the game there, and leave GAME alone; `-` is standard output"),
]
Log = Annotated[
    str | None,
    Option(metavar="FILE", help="write the log of minutes there, whole, as everybody may read it: JSON lines"),
]
DryRun = Annotated[bool, Option("--dry-run", help="write nothing: the same as `check`")]
Force = Annotated[
    bool, Option("--force", help="with -o or --log: replace the file, also if it is not this game, or not its log")
]
_REMEDY: Final = "name another file, or replace it with --force"
AsSeat = Annotated[
    str | None, Option("--as", metavar="SEAT", help="only what this seat may know: what is wrong with its own orders")
]
Strict = Annotated[bool, Option("--strict", help="one problem is enough, and no order is applied")]


def check(
    game: GameFile, orders: OrderFiles = None, viewer: AsSeat = None, strict: Strict = False, as_json: Json = False
) -> None:
    """Say what `apply` would say, and change nothing.

    With --strict it says what `apply --strict` would: one problem, and no order would be applied.

    With --as it says what this seat may know, and nothing more: what is wrong with its own orders by what it sees now. No
    order is carried out for that, so nothing is told of what would be drawn, or of others' orders. The same is said of a
    player's own file, as `report --format game` writes it.

    Examples:
      adjudicator check race.json turn-7.txt
      adjudicator check race.json red=ann.eml blue=bob.eml --strict
    """
    if viewer is None and not is_players(game):
        apply(game, orders, dry_run=True, strict=strict, as_json=as_json)
        return
    with explained(as_json=as_json) as opened:
        from adjudicator.moderate.adjudicate import addressee
        from adjudicator.moderate.own_check import check_own

        named = given(orders or [])
        only_one_stdin(game, *(one.path for one in named))
        if not named:
            raise MisuseError("name the files with the orders: --as does not check the orders that wait")
        arrived, session = read_given(named, (game,)), opened.seen(game)
        seat = session.viewer(viewer)
        if seat is None or seat not in session.seats:
            raise MisuseError("--as takes a seat here: leave it out for all that the moderator is told")
        texts = list(submitted(arrived, addressee(session)))
        if session.known is not None:  # at home there are no orders of others
            texts = [replace(text, seat=text.seat or seat) for text in texts]
        result = check_own(session, texts, Seat(seat))
        refuse_forgery(opened, result)
        _tell_own(without_faults(result), seat, as_json=as_json)
        leave(PROBLEMS if result.diagnostics else DONE)


def apply(
    game: GameFile,
    orders: OrderFiles = None,
    output: Output = None,
    log: Log = None,
    dry_run: DryRun = False,
    force: Force = False,
    strict: Strict = False,
    as_json: Json = False,
) -> None:
    """Adjudicate orders: apply them to the game, report mistakes.

    Accepted orders stand and the game file is replaced. A refused order stops that seat's sheet only; every problem is told
    at once, on standard error. Orders that are not due yet wait in the game file; a seat's new sheet without a mistake
    replaces them, and `pending` brings them back.

    ORDERS may be texts, mails (.eml), mbox files, Maildir folders, and folders of such files; in a folder, a file named
    red=….eml is red's. With SEAT=, by its own name or its holder's, orders need no head, and those of other seats are
    refused. Of two mails of one seat the later one without a mistake counts.

    Without ORDERS, what waits in the game is taken as far as it is due: a correction may have made it so.

    With -o an earlier writing of the same game is replaced, with --log an earlier log of it; a file that is anything else is
    kept, unless with --force.

    Examples:
      adjudicator apply race.json turn-7.txt
      adjudicator apply race.json red.txt blue.txt --strict --log minutes.jsonl
      adjudicator apply race.json red=ann.eml blue=bob.eml inbox.mbox mails/
    """
    with explained(as_json=as_json) as opened:
        target, named = output or game, given(orders or [])
        if force and output is None and log is None:
            raise MisuseError("--force goes with -o or --log: the game itself is always replaced")
        _refuse_nonsense(game, [one.path for one in named], target, log)
        if as_json and target == "-" and not dry_run:
            raise MisuseError("--json and the game cannot both go to standard output: name a file with -o")
        arrived = read_given(named, (game, target, *([log] if log else [])))
        with nullcontext() if dry_run else hold(target):
            result = _adjudicated(opened.session(game), named, arrived, is_strict=strict)
            refuse_forgery(opened, result)
            if not (force or dry_run or is_same(game, target)):
                spare_others(target, result.session.game, _REMEDY)
            if log is not None and not (force or dry_run):
                spare_other_files(log, "the log of this game", _is_log_of(result.session.game), _REMEDY)
            answer = _machine_answer if as_json else _people_answer
            tell = answer(result, is_trial=dry_run, is_strict=strict)
            saved = _Saved() if dry_run else _save(result, game, target, log)
        tell(saved)
        leave(MISUSE if saved.trouble is not None else PROBLEMS if result.diagnostics else DONE)


def _adjudicated(session: Session, named: list[Given], arrived: list[Arrived], *, is_strict: bool) -> Adjudicated:
    from adjudicator.moderate.adjudicate import addressee, adjudicate_files

    if not arrived and not session.game.pending:
        empty = ", ".join(one.path for one in named)
        words = f"there are no files in {empty}" if empty else "name the files with the orders"
        raise MisuseError(f"{words}: no orders wait in the game")
    return adjudicate_files(session, submitted(arrived, addressee(session)), strict=is_strict)


@frozen
class _Saved:
    """Where the game was written (empty: nowhere), and why the log could not be."""

    target: str = ""
    trouble: CannotWrite | None = None


_Answer = Callable[[_Saved], None]
"""Prints the result of an adjudication. It is made before anything is written: what may fail over the game is done then."""


def _refuse_nonsense(game: str, orders: list[str], target: str, log: str | None) -> None:
    """Raise ``MisuseError`` if standard input is named twice, or something would be overwritten that nobody can mean."""
    only_one_stdin(game, *orders)
    if log == "-":
        raise MisuseError("--log needs a file; for standard output there is `adjudicator log --json`")
    for order in orders:
        if is_same(order, target):
            raise MisuseError(f"the game would be written over the orders in {order}")
        if log is not None and is_same(order, log):
            raise MisuseError(f"the log would be written over the orders in {order}")
    if log is not None and (is_same(log, game) or is_same(log, target)):
        raise MisuseError(f"the log would be written over the game in {log}")


def _save(result: Adjudicated, game: str, target: str, log: str | None) -> _Saved:
    """Write the game, where it has changed or goes elsewhere, then the log, which is made before: that may fail."""
    from adjudicator.present import log_lines
    from adjudicator.store.save import write_atomic

    lines = "" if log is None else log_lines(result.session, result.session.game.journal, None)
    if not result.is_changed and is_same(game, target):
        return _Saved("", _save_log(lines, log))
    data = sound_bytes(result.session.game)
    if target == "-":
        say_bytes(data)
        return _Saved("-", _save_log(lines, log))
    write_atomic(Path(target), data)
    return _Saved(target, _save_log(lines, log))


def _is_log_of(game: Game) -> Callable[[bytes], bool]:
    """Return what tells by the first line of a file whether it is a log of ``game``: that of the set-up says which it is."""

    def is_log(first_line: bytes) -> bool:
        try:
            row: Any = json.loads(first_line)
        except ValueError:
            return False
        if not isinstance(row, dict) or row.get("n") != 0 or row.get("commitment") != game.chance.commitment:
            return False
        begun = row.get("begun")  # logs of earlier versions do not say
        return not isinstance(begun, dict) or begun.get("game") == game.id

    return is_log


def _save_log(lines: str, path: str | None) -> CannotWrite | None:
    """Write the log anew and whole, so that it always says what the game file says; return why it could not be written."""
    if path is None:
        return None
    from adjudicator.store.atomic import SHARED
    from adjudicator.store.errors import CannotWrite
    from adjudicator.store.save import write_atomic

    try:
        write_atomic(Path(path), lines.encode(), SHARED)
    except CannotWrite as trouble:  # the game is written by now: that must be told first
        return trouble
    return None


def _machine_answer(result: Adjudicated, *, is_trial: bool, is_strict: bool) -> _Answer:
    """Return what prints the result as data, which is the same with and without ``is_strict``."""
    from adjudicator.cli.turn_summary import adjudication
    from adjudicator.reports.sanitize import safe_json

    made = adjudication(result, is_trial=is_trial)
    text = safe_json(made)

    def tell(saved: _Saved) -> None:
        with _owning_up(saved):
            say(text if saved.trouble is None else safe_json(replace(made, log_failure=str(saved.trouble))))

    return tell


def _tell_own(result: Adjudicated, seat: str, *, as_json: bool) -> None:
    """Print what is wrong with the orders of ``seat``, for itself."""
    from adjudicator.cli.turn_summary import adjudication, foreseen_text, problems_text

    if as_json:
        say_json(adjudication(result, is_trial=True))
        return
    problems, count = problems_text(result), len(result.diagnostics)
    if problems:
        warn(f"{problems}\n")
    if result.foreseen:
        say_safely(f"{foreseen_text(result)}\n")
    found = f"{count} problems" if count > 1 else "1 problem" if count else "nothing wrong as far as can be told now"
    say_safely(f"orders of {seat}: {found}; nothing was carried out")
    if result.session.known is not None:
        from adjudicator.own_file import NOT_KNOWN

        say_safely(NOT_KNOWN)


def _people_answer(result: Adjudicated, *, is_trial: bool, is_strict: bool) -> _Answer:
    """Return what prints the accepted orders and what comes next; problems, or all beside the game, go to standard error."""
    from adjudicator.cli.turn_summary import accepted_text, problems_text, summary_text
    from adjudicator.present import with_heads
    from adjudicator.reports.receipt import receipts_text

    accepted, problems = accepted_text(result), problems_text(result)
    told = result.receipts if is_trial else with_heads(result.session, result.receipts)
    receipts = receipts_text(told) if told else ""
    summary = summary_text(result, is_trial=is_trial, is_strict=is_strict)
    faults = [fault_text(fault) for fault in faults_of(result.diagnostics)]

    def tell(saved: _Saved) -> None:
        out = warn if saved.target == "-" else say_safely
        with _owning_up(saved):
            for text, say_it in ((accepted, out), (problems, warn), (receipts, out)):
                if text:
                    say_it(f"{text}\n")
            out(summary)
        for fault in faults:
            warn(fault)
        if saved.trouble is not None:
            warn(f"adjudicator: {saved.trouble}; what is listed above was done all the same")

    return tell


@contextmanager
def _owning_up(saved: _Saved) -> Iterator[None]:
    """Where the result cannot be printed, say that the game is written nevertheless."""
    try:
        yield
        flush()
    except OutputError as error:
        if saved.target:
            raise OutputError(f"{error}; {saved.target} is written, and complete") from error
        raise
