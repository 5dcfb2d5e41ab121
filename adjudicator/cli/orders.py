"""The commands `check` and `apply`: adjudicate the orders in texts, mails, mailboxes and folders, as a trial or for good."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from traceback import extract_tb, format_exception
from typing import TYPE_CHECKING, Annotated, Any, Final

import adjudicator as adj
from adjudicator.cli.ui import MISUSE, PROBLEMS, GameFile, MisuseError, Output, Ui, argument, is_same, option
from adjudicator.core.phrases import count
from adjudicator.core.problem import did_you_mean
from adjudicator.core.values import Seat, Value, replace
from adjudicator.files.errors import CannotRead
from adjudicator.files.reading import read
from adjudicator.library.errors import NoOrdersError
from adjudicator.library.rulesets import whose_bug
from adjudicator.library.texts import addressee, read_orders
from adjudicator.reports.heading import due_lines, head_text, standing_lines, to_write
from adjudicator.reports.log import log_json, log_text
from adjudicator.reports.receipt import ignored_lines, problems_text, receipts_text
from adjudicator.reports.texts import GAP
from adjudicator.results import Adjudication, LineFault, SeatNote

if TYPE_CHECKING:
    from adjudicator.core.problem import Diagnostic
    from adjudicator.library.game import Game
    from adjudicator.library.results import Result
    from adjudicator.results import OrderProblem

_COPY: Final = re.compile(r"(?i).*(?:~|\.(?:bak|swp|swo|orig|rej|tmp))|#.*#|~\$.*")
"""Names that programs give to copies of a file on which somebody works."""

Orders = Annotated[
    list[str] | None,
    argument(
        ...,
        "[SEAT=]ORDERS...",
        "texts, mails, mailboxes or folders with orders, each optionally with its seat; `-` for standard input;"
        " without ORDERS, only the pending orders in the game",
    ),
]
DryRun = Annotated[bool, option(..., "--dry-run", "write nothing, like `check`")]
Strict = Annotated[bool, option(..., "--strict", "apply no order if there is any problem")]
Comment = Annotated[str, option(..., "--comment", "TEXT", "a comment that players read when the game is over")]
_MOST: Final = 200
"""The number of problems that the text lists."""
_MOST_FAULTS: Final = 5
"""The number of bugs to report."""
_FRAMES: Final = 3


def check(
    ui: Ui,
    game: GameFile,
    orders: Orders = None,
    viewer: str | None = option(None, "--as", "SEAT", "check the orders of this seat, with only what it may know"),
    strict: Strict = False,
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
    paths = order_paths(orders or [])
    ui.guard([game, *(path.path for path in paths)])
    if any(is_same(game, path.path) for path in paths):
        raise MisuseError(f"name the files with the orders: {game} is the game itself")
    checked = ui.open(game, whole=False)
    if viewer is None and checked.own_seat is None:
        files = read_order_files(paths, (game,))
        result = _adjudicated(ui, checked, paths, files, is_strict=strict)
        made = tell(ui, result, is_trial=True, is_strict=strict)
        if made is not None:
            ui.show(made)
        return
    if not paths:
        raise MisuseError("name the files with the orders: --as does not check pending orders")
    files = read_order_files(paths, (game,))
    seat = checked.viewer(viewer)
    if seat is None or seat not in checked.seats:
        raise MisuseError("name a seat with --as, or leave out --as to see the moderator's answer")
    try:
        texts = list(submissions_of(files, checked))
        result = checked.seen_by(seat).check(texts)
    except NoOrdersError:
        words = f"write `{seat}:` above them, or name the file as {seat}=FILE"
        raise MisuseError(f"these files contain no orders of {seat}: {words}") from None
    refuse_forgery(ui, result)
    # The texts of bugs may contain secrets of other players.
    result = replace(result, faults=())
    ui.code = PROBLEMS if result.problems else ui.code
    if ui.as_json:
        ui.show(replace(adjudication(result, is_trial=True), costs=checked.seen_by(seat).costs(texts)))
        return

    problems, number = _problems_text(result), len(result.problems)
    if problems:
        ui.warn(f"{problems}\n")
    if result.foreseen:
        ui.say(f"the result of these orders would be:\n\n{listed_problems(result.foreseen)}\n")
    found = count(number, "problem") if number else "no problem with what this seat knows now"
    ui.say(f"orders of {seat}: {found}; no order was carried out")
    if checked.caveat:
        ui.say(checked.caveat)


def apply(
    ui: Ui,
    game: GameFile,
    orders: Orders = None,
    output: Output = None,
    log: str | None = option(None, "FILE", "write the whole public log here, as JSON lines"),
    dry_run: DryRun = False,
    force: bool = option(False, "--force", "with -o or --log: replace a file even if it is not this game or its log"),
    strict: Strict = False,
    comment: Comment = "",
) -> None:
    """Adjudicate orders: apply them and report mistakes.

    The program applies all accepted orders and replaces the game file. A rejected order stops only the rest of that seat's
    sheet. All problems are reported at once, on standard error. Orders that are not due yet stay pending in the game file.
    A new sheet replaces the pending orders of its seat, unless it has an unreadable line or an order that no position
    allows; `pending` can bring them back.

    ORDERS are texts, mails (.eml), mbox files, Maildir folders, or folders with such files; in a folder, a file named
    red=….eml belongs to red. With SEAT=, which may also be the player's name, the orders need no heading, and orders of
    other seats are rejected. If one seat sends several mails, the latest one counts, unless it has such a line or order.

    Without ORDERS, the command applies the pending orders that are due, for example after a correction.

    In a private game that `fork` made for a player, simulated players then decide for the others.

    -o and --log replace an earlier version of the same game or log. They replace other files only with --force.

    Examples:
      adjudicator apply race.json turn-7.txt
      adjudicator apply race.json red.txt blue.txt --strict --log minutes.jsonl
      adjudicator apply race.json red=ann.eml blue=bob.eml inbox.mbox mails/
    """
    paths, trouble = order_paths(orders or []), None
    writes = {"-o": None if dry_run and output == "-" else output, "--log": log}
    ui.guard((path.path for path in paths), writes, force, changes=game)
    if log == "-":
        raise MisuseError("name a file with --log, or use `adjudicator log --json` for standard output")
    files = read_order_files(paths, (game, output or game, *([log] if log else [])))
    with ui.change(game, output, force=force and output is not None, is_trial=dry_run) as edit:
        result = _adjudicated(ui, edit.game, paths, files, is_strict=strict, comment=comment)
        made = tell(ui, result, is_trial=dry_run, is_strict=strict, comment=comment)
        if not dry_run:
            after = result.game
            kept, lines = ("the log of this game", partial(_is_log, after)), ""
            if log is not None:
                ui.spare(log, *kept)
                lines = log_json(after.seen_by().log()) + "\n"
            if result.is_changed or edit.is_copy or edit.target == "-":
                edit.save(after)
            try:
                if log is not None:
                    ui.write(log, lines.encode(), *kept, is_shared=True)
            except adj.FileProblem as problem:  # the game is already written: the answer must say so first
                trouble, ui.code = problem, MISUSE
        if made is not None:
            ui.show(made if trouble is None else replace(made, log_failure=str(trouble)))
    if trouble is not None and not ui.as_json:
        ui.flush()
        ui.warn(f"adjudicator: {trouble}; the orders listed above were applied anyway")


def _adjudicated(
    ui: Ui, before: Game, paths: list[OrderFile], files: list[OrderFile], *, is_strict: bool, comment: str = ""
) -> Result:
    is_waiting = before.fork is not None and before.fork.seat not in (None, *before.due_seats)  # for simulated players
    if not files and not before.pending_counts and not is_waiting:
        empty = ", ".join(path.path for path in paths)
        words = f"{empty} contains no files" if empty else "name the files with the orders"
        raise MisuseError(f"{words}: the game has no pending orders")
    result = before.apply(submissions_of(files, before), strict=is_strict, comment=comment)
    refuse_forgery(ui, result)
    return result if is_strict and result.problems else with_answers(result)


def with_answers(result: Result) -> Result:
    """Return the ``result`` of orders with what simulated players then order, if the game is a private one."""
    if result.game.fork is None:
        return result
    from adjudicator.simulate.play import others_answering

    return others_answering(result)


def refuse_forgery(ui: Ui, result: Result) -> None:
    """Raise ``Untrusted`` if the rules failed on an order because the game is forged; then the line is not the cause."""
    if result.faults and (forgery := ui.forgery()):
        raise forgery


def _is_log(game: Game, head: bytes) -> bool:
    """Return whether a file is a log of ``game`` by its first line, which describes the set-up."""
    try:
        row: Any = json.loads(head.partition(b"\n")[0])
    except ValueError:
        return False
    if not isinstance(row, dict) or row.get("n") != 0 or row.get("commitment") != game.commitment:
        return False
    begun = row.get("begun")  # missing in logs of earlier versions
    return not isinstance(begun, dict) or begun.get("game") == game.id


def tell(
    ui: Ui, result: Result, *, is_trial: bool, is_strict: bool, known: Iterable[str] | None = None, comment: str = ""
) -> Adjudication | None:
    """Print the result of orders, with problems and bugs on standard error; with ``--json``, return it instead.

    The accepted orders come first, then the receipts or, from ``turn``, the lines about ``known`` mails, then the summary.
    """
    ui.code = PROBLEMS if result.problems else ui.code
    if ui.as_json:
        return adjudication(result, is_trial=is_trial)
    rows, names, receipts = result.log, result.game.players, result.unproven if is_trial else result.receipts
    if rows:
        unit = result.game.meta.unit
        ui.say(log_text(rows, unit, with_events=True, width=ui.width, holders=lambda _row: names) + "\n")
    problems = _problems_text(result)
    if problems:
        ui.warn(f"{problems}\n")
    if known is not None:
        for line in known:
            ui.say(line)
    elif receipts:
        ui.say(f"{receipts_text(receipts)}\n")
    counts, number = result.counts, len(result.problems)
    words = f"{count(counts['applied'], 'order')} {'would be applied' if is_trial else 'applied'}"
    if counts["skipped"]:
        words += f", {counts['skipped']} skipped because a condition is not true"
    if number:
        words += f", {count(number, 'problem')}"
    if is_strict and number:
        words += f"; nothing {'would be applied' if is_trial else 'was changed'}, because --strict allows no problem"
    elif is_trial or not result.is_changed:
        words += "; nothing was changed"
    ui.say_outcome(words, is_good=not problems)
    if comment.strip() and not any(link.entry.comment for link in result.accepted):
        ui.say("the comment is not kept: no order was accepted")
    game, pending, following = result.game, result.game.pending_counts, list[str]()
    if asked := result.send_again:
        label = "to be corrected" if is_strict else "ask for new orders"
        following.append(f"{label}: {', '.join(_again(game, problem, pending) for problem in asked)}")
    if pending:
        following.append(f"{'would be pending' if is_trial and result.is_changed else 'pending'}: {orders_of(pending)}")
    following += next_lines(game, would_be=is_trial and bool(result.accepted))
    if not game.is_over:
        following += (f"note: {line}" for line in game.rules.warnings(game.record.state))
    if not is_trial and game.head is not None:
        following.append(head_text(game.head))
    ui.say("\n".join(following))
    for diagnostic, error in _faults(result):
        frames = extract_tb(error.__traceback__)[-_FRAMES:]
        lines = [
            f"adjudicator: {diagnostic.source}:{diagnostic.line}: {_whose(error)}",
            *(f"  in {frame.name} ({os.path.basename(frame.filename)}:{frame.lineno})" for frame in frames),
            "Only this line was left out. Please report the bug with the line; `check --json` prints all details.",
        ]
        if os.environ.get("ADJUDICATOR_DEBUG"):
            lines.append("".join(format_exception(error)))
        ui.warn("\n".join(lines))
    return None


def _faults(result: Result) -> list[tuple[Diagnostic, Exception]]:
    """Return the first few problems that a bug has caused, each with the bug."""
    return [(one, one.fault) for one in result.faults if one.fault is not None][:_MOST_FAULTS]


def _whose(error: Exception) -> str:
    return f"this is {whose_bug(error)}, not a mistake of yours: {type(error).__name__}: {error}"


def adjudication(result: Result, *, is_trial: bool) -> Adjudication:
    """Return the result for programs."""
    game, accepted = result.game, result.log
    if is_trial:  # only real entries have proofs
        accepted = tuple(replace(row, proof=None) for row in accepted)
    return Adjudication(
        game=game.id,
        turn=game.turn,
        changed=result.is_changed and not is_trial,
        accepted=accepted,
        problems=result.problems,
        send_again=tuple(Seat(problem.seat) for problem in result.send_again),
        notes=tuple(SeatNote(seat, note) for seat, note in result.notes),
        ignored=result.ignored,
        receipts=result.unproven if is_trial else result.receipts,
        pending=game.pending_counts,
        due=game.due,
        standings=game.standings,
        warnings=tuple(game.rules.warnings(game.record.state)),
        over=game.is_over,
        foreseen=result.foreseen,
        faults=tuple(
            LineFault(
                source=one.source,
                line=one.line,
                seat=one.seat,
                message=_whose(fault),
                traceback="".join(format_exception(fault)),
            )
            for one, fault in _faults(result)
        ),
        head=None if is_trial else game.head,
    )


def _problems_text(result: Result) -> str:
    """Return every problem under its line, the ignored lines, and the notes; empty without any of them."""
    remarks = [*ignored_lines(result.ignored), *(f"note: {seat}: {note}" for seat, note in result.notes)]
    return "\n\n".join(filter(None, (listed_problems(result.problems), "\n".join(remarks))))


def listed_problems(problems: Sequence[OrderProblem]) -> str:
    """Return ``problems`` as text, up to a maximum; it counts the others."""
    hidden = len(problems) - _MOST
    more = f"\n\n… and {hidden:,} more problems; --json lists them all" if hidden > 0 else ""
    return problems_text(problems[:_MOST]) + more


def _again(game: Game, problem: OrderProblem, pending: Mapping[Seat, int]) -> str:
    """Return which seat must send orders again, why, and which pending orders its new sheet replaces."""
    is_pending = problem.source.startswith("(")
    line = f"line {problem.line}{', ' if is_pending else ' of '}" if problem.line else ""
    words = f"{problem.seat} ({line}{problem.source.strip('()')}"
    orders = pending.get(Seat(problem.seat))
    if orders is not None:
        does = "an answer is carried out before" if game.seen_by(problem.seat).is_asked_between else "a new sheet replaces"
        words += f"; {does} the pending {count(orders, 'order')}"
    return words + ")"


def next_lines(game: Game, name: str = "the game", *, would_be: bool = False) -> Iterator[str]:
    """Yield the next decisions, or the result of a game that is over; ``would_be``: of a trial."""
    if game.is_over:
        yield f"{name} {'would be' if would_be else 'is'} over:"
        yield from (GAP + line for line in standing_lines(game.standings, game.meta.unit, game.players))
        return
    yield f"turn {game.turn}, {'then due' if would_be else 'due now'}:"
    yield from (GAP + line for line in due_lines(game.due, game.players))
    yield f"players {to_write(game.turn, 'their')}"


def orders_of(counts: Mapping[Seat, int]) -> str:
    """Return the numbers of pending orders by seat, as in ``red 2 orders, blue 1 order``."""
    return ", ".join(f"{seat} {count(orders, 'order')}" for seat, orders in counts.items())


# Files with orders ---------------------------------------------------------------------------------------------------


class OrderFile(Value):
    """A file with orders: its ``path``, and the word before ``=`` in an argument such as ``red=mail.eml``, or an empty one.

    ``is_in_folder``: the word comes from a file name in a folder, and counts only if it names a seat or a player. Once the
    file is read, it has its ``name`` for messages and its ``data``: the bytes, or the folder of a Maildir.
    """

    path: str
    seat_name: str = ""
    is_in_folder: bool = False
    name: str = ""
    data: bytes | Path = b""


def order_paths(arguments: Iterable[str]) -> list[OrderFile]:
    """Return the paths and seats in ``arguments``. An argument that is itself the name of a file names no seat."""
    found = []
    for word in arguments:
        seat_name, equals, path = word.partition("=")
        if not equals or not seat_name.strip() or "/" in seat_name or os.sep in seat_name or os.path.exists(word):
            found.append(OrderFile(word))
        elif path:
            found.append(OrderFile(path, seat_name.strip()))
        else:
            raise MisuseError(f"write the seat and then a file, as in {seat_name}=mail.eml: {word} names no file")
    return found


def read_order_files(paths: Iterable[OrderFile], ignored: Collection[str]) -> list[OrderFile]:
    """Return the texts, mails and mailboxes at ``paths``; of a plain folder, each file in it, by name and number.

    This ignores hidden files, copies such as ``red.txt~``, folders inside a folder, and the files ``ignored`` with their
    locks and outboxes. In a folder without a seat, a file's name may contain its seat: ``red=mail.eml``. Raises
    ``CannotRead``.
    """
    from adjudicator.mail.mailbox import is_maildir

    def in_order(name: str) -> tuple[list[str | int], ...]:  # a.txt, a (2).txt, a (10).txt
        parts = (re.split("([0-9]+)", part) for part in (*os.path.splitext(name.casefold()), name))
        return tuple([int(piece) if index % 2 else piece for index, piece in enumerate(part)] for part in parts)

    found = list[OrderFile]()
    for path in paths:
        if path.path == "-" or not os.path.isdir(path.path):
            found.append(path)
            continue
        if is_maildir(Path(path.path)):
            found.append(replace(path, name=path.path, data=Path(path.path)))
            continue
        from adjudicator.files.outbox import outbox_of
        from adjudicator.files.writing import lock_of
        from adjudicator.mail import MOST_MAILS

        real = [os.path.realpath(path) for path in ignored]
        skipped = {*real, *map(lock_of, real), *map(outbox_of, real)}
        try:
            names = sorted(os.listdir(path.path), key=in_order)
        except OSError as error:
            raise CannotRead(path.path, f"the folder cannot be read: {error.strerror or error}") from error
        own = [name for name in names if not (name.startswith(".") or _COPY.fullmatch(name))]
        files = [(name, os.path.join(path.path, name)) for name in own]
        files = [(name, file) for name, file in files if os.path.isfile(file) and os.path.realpath(file) not in skipped]
        if len(files) > MOST_MAILS:
            raise CannotRead(path.path, f"this folder contains {len(files):,} files; the limit is {MOST_MAILS:,}")
        for name, file in files:
            seat_name, equals, _ = name.partition("=")
            is_named = bool(equals) and not path.seat_name
            found.append(OrderFile(file, seat_name if is_named else path.seat_name, is_in_folder=is_named))
    for at, one in enumerate(found):
        if not one.name:
            name, data = read(one.path)
            found[at] = replace(one, name=name, data=data)
    return found


def submissions_of(files: Sequence[OrderFile], game: Game) -> Iterator[adj.Submission]:
    """Return the contents of ``files``, text by text and mail by mail, each with its seat if the command line names one.

    A seat has its own name and its player's. Raises ``MisuseError`` for an unknown seat, before it reads the first text.
    """
    known = addressee(game).seats_by_name()
    for file in files:
        if file.seat_name and not file.is_in_folder and file.seat_name.casefold() not in known:
            hint = did_you_mean(file.seat_name, game.seats)
            raise MisuseError(f"this game has no seat “{file.seat_name}”{hint}; its seats are: {', '.join(game.seats)}")
    seats = [known.get(file.seat_name.casefold()) if file.seat_name else None for file in files]
    return (
        text for file, seat in zip(files, seats, strict=True) for text in read_orders(file.data, name=file.name, seat=seat)
    )
