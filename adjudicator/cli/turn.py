"""The command `turn`: adjudicate all new mails, and write everybody's report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import GameFile, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.faults import fault_text, faults_of, refuse_forgery
from adjudicator.cli.files import Opened, hold, is_same, only_one_stdin, sound_bytes, write_file
from adjudicator.cli.order_files import order_paths, read_order_files, submissions_of
from adjudicator.cli.output import DONE, PROBLEMS, MisuseError, leave, say_safely, say_unchanged, terminal_width, warn
from adjudicator.cli.progress import with_progress
from adjudicator.cli.report import FORMATS, USUAL, Formats, files_of, form_bytes, forms_wanted
from adjudicator.cli.turns import DryRun, Orders, Strict
from adjudicator.core.values import Value, replace

if TYPE_CHECKING:
    from adjudicator.files.outbox import Outbox
    from adjudicator.library.game import Game
    from adjudicator.library.turn import Turn
    from adjudicator.reports.data.report import Report
    from adjudicator.results import Mails, Manifest

Folder = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FOLDER", help="the folder for the reports; the program creates it")
]
Force = Annotated[bool, typer.Option("--force", help="replace files even if they are not reports of this game")]


def turn(
    game: GameFile,
    orders: Orders = None,
    output: Folder = None,
    dry_run: DryRun = False,
    force: Force = False,
    strict: Strict = False,
    formats: Formats = None,
    as_json: Json = False,
) -> None:
    """Run a whole turn: adjudicate mails and write all reports.

    ORDERS are the same as for `apply`. The command ignores mails that it has already processed, so you can give it the same
    folder every time.

    It writes a text for each seat, bystanders.txt, moderator.txt, and manifest.json for programs; --format selects other
    formats. Each report lists the results of the seat's mails, the events since the last report, the position, and the
    next decisions. If a run was interrupted, run the same command again: it completes the reports and repeats nothing.

    Without ORDERS the command writes the reports for the present position, as at the beginning of a game.

    Examples:
      adjudicator turn race.json -o out/
      adjudicator turn race.json red=ann.eml blue=bob.eml -o out/
      adjudicator turn race.json mails/ -o out/ --format txt,html
    """
    with explained(as_json=as_json) as opened:
        _refuse_nonsense(game, output, orders or [], is_trial=dry_run)
        forms = forms_wanted(formats) or USUAL
        with nullcontext() if dry_run else hold(game):
            done = _done(opened, game, orders or [], forms, is_strict=strict)
            refuse_forgery(opened, done.played.result)
            answer = _machine_answer if as_json else _people_answer
            tell = answer(done, output or "", is_trial=dry_run, is_strict=strict)
            if output is not None and not dry_run and done.outbox is not None:
                _write(done, game, output, is_forced=force)
        tell()
        leave(PROBLEMS if done.played.result.problems else DONE)


class _Done(Value, kw_only=True):
    """The result of a run: the game ``before`` it, the turn, the files that were read, and the reports as texts.

    ``is_again`` says that these are the reports of an earlier run, because nothing new has happened since then.
    """

    before: Game
    played: Turn
    read: tuple[str, ...] = ()
    outbox: Outbox | None = None
    is_again: bool = False


def _refuse_nonsense(game: str, output: str | None, orders: list[str], *, is_trial: bool) -> None:
    if game == "-":
        raise MisuseError("name the game file: `turn` changes it, so standard input is not possible")
    if output is None and not is_trial:
        raise MisuseError("name a folder for the reports with -o, or try first with --dry-run")
    if output == "-":
        raise MisuseError("name a folder with -o: there are several reports")
    only_one_stdin(game, *(path.path for path in order_paths(orders)))


def _done(opened: Opened, game: str, orders: list[str], forms: tuple[str, ...], *, is_strict: bool) -> _Done:
    """Return the result of the turn, without writing anything."""
    from adjudicator.files.outbox import MANIFEST, Outbox, outbox_of, read_outbox

    before = opened.game(game)
    files = read_order_files(order_paths(orders), (game,))
    last = read_outbox(outbox_of(game), before.record.beginning)
    is_current = last is not None and last.seal == before.record.seal
    texts = submissions_of(files, before)
    since, reported = (last.since if last and is_current else None), {} if last is None else last.told_to(before.record.seal)
    played = before.play_turn(texts, strict=is_strict, last=since, reported=reported)
    read, reports = tuple(file.path.path for file in files), played.reports
    if not reports:
        return _Done(before=before, played=played, read=read)
    earlier = () if last is None else last.hashes
    if last is not None and is_current and not played.is_new:
        if last.files.keys() == {*(name for name, _, _ in files_of(reports, forms)), MANIFEST}:
            return _Done(before=before, played=played, read=read, outbox=last, is_again=True)
        reports = tuple(replace(report, mails=last.mails_of(report.viewer)) for report in reports)
    outbox = Outbox(
        seal=played.game.record.seal,
        since=played.since,
        files=_files(played, reports, forms),
        earlier=earlier,
        mails=_mails(reports),
        told=played.reported,
        before=before.record.seal,
        news=tuple(text for text, count in played.reported.items() if reported.get(text) != count),
    )
    return _Done(before=before, played=played, read=read, outbox=outbox)


def _mails(reports: Iterable[Report]) -> dict[str, Mails]:
    return {report.viewer: report.mails for report in reports if report.viewer and report.mails is not None}


def _files(played: Turn, reports: Sequence[Report], forms: tuple[str, ...]) -> dict[str, bytes]:
    """Return the files to write, with the manifest last, since it lists the others. Raises ``MisuseError``."""
    from adjudicator.files.outbox import MANIFEST
    from adjudicator.reports.text.sanitize import safe_json

    named = [*files_of(reports, forms)]
    shown = with_progress(named, "reports made:", len(named))
    files = {name: form_bytes(played.game, report, form) for name, report, form in shown}
    return {**files, MANIFEST: (safe_json(_manifest(played, files)) + "\n").encode()}


def _manifest(played: Turn, files: Mapping[str, bytes]) -> Manifest:
    from adjudicator.core.values import digest
    from adjudicator.results import ReportFile

    named = files_of(played.reports, FORMATS.split(", "))
    return played.manifest(
        ReportFile(viewer=report.viewer, file=name, hash=digest(files[name])) for name, report, _ in named if name in files
    )


def _write(done: _Done, game: str, folder: str, *, is_forced: bool) -> None:
    """Keep the reports, save the game, write the reports: after an interruption the next run can continue."""
    from adjudicator.files.outbox import deliver, make_folder, outbox_of, spare_foreign, write_outbox

    outbox, after = done.outbox, done.played.game
    if outbox is None:
        return
    for name in outbox.files:
        path = os.path.join(folder, name)
        if any(is_same(path, other) for other in (game, *done.read)):
            raise MisuseError(f"name another folder with -o: a report would replace {path}, which this command reads")
    if not is_forced:
        spare_foreign(folder, outbox, after.record.beginning)
    make_folder(folder)  # first: where this fails, nothing has changed
    if not done.is_again:
        data = sound_bytes(after)
        write_outbox(outbox_of(game), after.record.beginning, outbox)
        if after != done.before:
            write_file(game, data)
    deliver(folder, outbox.files)


_Answer = Callable[[], None]
"""Prints the result of a turn. It is made before any file is written, so that errors come first."""


def _people_answer(done: _Done, folder: str, *, is_trial: bool, is_strict: bool) -> _Answer:
    from adjudicator.cli.turn_summary import accepted_text, problems_text, summary_text

    result = done.played.result
    accepted, problems = accepted_text(result, terminal_width()), problems_text(result)
    summary = "\n".join([*_taken(done), summary_text(result, is_trial=is_trial, is_strict=is_strict)])
    faults = [fault_text(fault) for fault in faults_of(result.details.diagnostics)]

    def tell() -> None:
        if accepted:
            say_safely(f"{accepted}\n")
        if problems:
            warn(f"{problems}\n")
        say_safely(summary)
        for fault in faults:
            warn(fault)
        if done.outbox is not None:
            say_safely(_written(done, folder, is_trial=is_trial))

    return tell


def _taken(done: _Done) -> Iterator[str]:
    """Yield the mails and texts that were ignored because an earlier run has processed them."""
    for known in done.played.known:
        yield f"ignored: {known.source}, which was processed in turn {known.turn}"


def _written(done: _Done, folder: str, *, is_trial: bool) -> str:
    names = ", ".join(done.outbox.files) if done.outbox is not None else ""
    if is_trial:
        return f"reports that would be written: {names}"
    again = "no new mail; the reports are those of the last run" if done.is_again else "reports written"
    return f"{again}: {names} in {folder}"


def _machine_answer(done: _Done, folder: str, *, is_trial: bool, is_strict: bool) -> _Answer:
    from adjudicator.cli.results import WholeTurn
    from adjudicator.cli.turn_summary import adjudication
    from adjudicator.reports.text.sanitize import safe_json

    played = done.played
    is_changed = done.outbox is not None and played.game != done.before
    made = WholeTurn(
        adjudication=replace(adjudication(played.result, is_trial=is_trial), changed=is_changed and not is_trial),
        known=played.known,
        again=done.is_again,
        folder=folder or None,
        manifest=None if done.outbox is None else _manifest(played, done.outbox.files),
    )
    return partial(say_unchanged, safe_json(made))
