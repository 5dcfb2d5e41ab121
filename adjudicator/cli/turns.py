"""The commands `check` and `apply`: turn files against a game."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.arguments import GameFile, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin, open_desk, read_bytes
from adjudicator.cli.output import DONE, PROBLEMS, MisuseError, leave, say, say_bytes, say_json, warn
from adjudicator.core.ids import MODERATOR

if TYPE_CHECKING:
    from adjudicator.moderate import Adjudicated

OrderFiles = Annotated[
    list[str], typer.Argument(metavar="ORDERS...", help="turn files; `-` is standard input", show_default=False)
]


def check(game: GameFile, orders: OrderFiles, as_json: Json = False) -> None:
    """Say everything that `apply` would say, and change nothing.

    Example:  adjudicator check rally-042.json turn-7.txt
    """
    apply(game, orders, dry_run=True, as_json=as_json)


def apply(
    game: GameFile,
    orders: OrderFiles,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="write the game there instead of replacing it")
    ] = None,
    log: Annotated[str | None, typer.Option(help="write the whole public log of minutes there, as JSON lines")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="change nothing")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="one problem, and nothing is applied")] = False,
    as_json: Json = False,
) -> None:
    """Adjudicate turn files: accepted orders stand, refused ones are reported.

    Orders that are not due yet stay pending in the game file; a new sheet of a seat replaces what was pending of it.

    Example:  adjudicator apply rally-042.json turn-7.txt
    """
    from adjudicator.moderate import adjudicate_files
    from adjudicator.orders.clean import MOST_BYTES
    from adjudicator.store.save import locked

    with explained(as_json=as_json):
        only_one_stdin(game, *orders)
        files = [("standard input" if path == "-" else path, read_bytes(path, MOST_BYTES)) for path in orders]
        target = output or game
        is_locked = not dry_run and target == game and game != "-"
        with locked(Path(game)) if is_locked else nullcontext():
            result = adjudicate_files(open_desk(game), files, strict=strict)
            if not dry_run and (result.is_changed or target != game or target == "-"):
                _save(result, target, quiet=target == "-")
        if log is not None and not dry_run:
            _save_log(result, log)
        if target != "-" or dry_run:
            _tell(result, as_json=as_json, dry_run=dry_run)
        else:
            _tell_problems(result)
        leave(PROBLEMS if result.findings else DONE)


def _save(result: Adjudicated, target: str, *, quiet: bool) -> None:
    from adjudicator.store.save import dump_game, write_atomic

    data = dump_game(result.desk.game)
    if quiet:
        say_bytes(data)
    else:
        write_atomic(Path(target), data)


def _save_log(result: Adjudicated, path: str) -> None:
    """Write the log anew and whole, so that it always says what the game file says, whatever was interrupted."""
    from adjudicator.present import log_of
    from adjudicator.reports.log import log_json
    from adjudicator.store.save import write_atomic

    text = log_json(log_of(result.desk, result.desk.game.journal, None))
    if path == "-":
        raise MisuseError("--log needs a file; for standard output there is `adjudicator log --json`")
    write_atomic(Path(path), text.encode())


def _tell(result: Adjudicated, *, as_json: bool, dry_run: bool) -> None:
    if as_json:
        say_json(_data(result))
        return
    from adjudicator.present import log_of
    from adjudicator.reports.log import log_text

    rows = log_of(result.desk, result.accepted, MODERATOR)
    if rows:
        say(log_text(rows, result.desk.rules.meta.unit, with_events=True))
        say("")
    _tell_problems(result)
    say(_summary(result, dry_run=dry_run))
    for line in _next(result):
        say(line)


def _tell_problems(result: Adjudicated) -> None:
    from adjudicator.reports.findings import findings_text

    if result.findings:
        warn_raw = findings_text(result.findings)
        warn(warn_raw)
        warn("")
    for ignored in result.ignored:
        warn(f"passed over: {ignored.source}, line {ignored.line} ({ignored.why}): {ignored.text.strip()[:60]}")
    for seat, note in result.notes:
        warn(f"note: {seat}: {note}")


def _summary(result: Adjudicated, *, dry_run: bool) -> str:
    accepted, problems = len(result.accepted), len(result.findings)
    parts = [f"{accepted} {'order' if accepted == 1 else 'orders'} {'would be applied' if dry_run else 'applied'}"]
    if problems:
        parts.append(f"{problems} {'problem' if problems == 1 else 'problems'}")
    for sheet in result.desk.game.pending:
        count = len(sheet.orders)
        parts.append(f"{count} {'order' if count == 1 else 'orders'} of {sheet.seat} waiting")
    return ", ".join(parts) + ("; nothing was changed" if dry_run else "")


def _next(result: Adjudicated) -> list[str]:
    from adjudicator.present import position_of

    position = position_of(result.desk, None)
    if position.is_over:
        unit = position.unit[0]
        return [f"{row.place}. {row.seat}  {row.score} {unit}  {row.note}" for row in position.standings]
    due = [f"{decision.seat}: {decision.ask} ({decision.rule})" for decision in position.decisions]
    return [
        f"turn {position.turn}, due now:",
        *(f"  {line}" for line in due),
        *(f"note: {line}" for line in position.warnings),
    ]


def _data(result: Adjudicated) -> dict[str, Any]:
    from adjudicator.core.plain import plain
    from adjudicator.present import log_of, position_of
    from adjudicator.reports.findings import finding_data
    from adjudicator.reports.log import log_data

    position = position_of(result.desk, None)
    return {
        "game": result.desk.game.id,
        "turn": result.desk.game.turn,
        "accepted": [log_data(row) for row in log_of(result.desk, result.accepted, MODERATOR)],
        "problems": [finding_data(finding) for finding in result.findings],
        "notes": [{"seat": seat, "note": note} for seat, note in result.notes],
        "ignored": [
            {"source": ignored.source, "line": ignored.line, "why": ignored.why, "text": ignored.text}
            for ignored in result.ignored
        ],
        "pending": dict(position.pending),
        "due": plain(position.decisions),
        "standings": plain(position.standings),
        "warnings": list(position.warnings),
        "over": position.is_over,
    }
