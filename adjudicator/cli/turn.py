"""The commands `turn` and `report`: adjudicate all new mails, and write the reports."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Final

from adjudicator.cli.orders import (
    Comment,
    DryRun,
    Orders,
    Strict,
    order_paths,
    read_order_files,
    refuse_forgery,
    submissions_of,
    tell,
    with_answers,
)
from adjudicator.cli.ui import GameFile, MisuseError, Ui, is_same, option
from adjudicator.core.values import MODERATOR, Digest, Value, Viewer, digest, replace
from adjudicator.files.outbox import (
    MANIFEST,
    Outbox,
    deliver,
    make_folder,
    outbox_of,
    read_outbox,
    report_name,
    spare_foreign,
    write_outbox,
)
from adjudicator.reports.forms import form_named, is_report, report_text, write_report
from adjudicator.reports.report import report_data
from adjudicator.reports.texts import MAIL_WIDTH, safe_json
from adjudicator.results import Adjudication, KnownText, Manifest, ReportFile

if TYPE_CHECKING:
    from adjudicator.library.game import Game
    from adjudicator.library.results import Turn
    from adjudicator.reports.report import Report


USUAL: Final = ("txt",)
"""The default formats."""
FORMATS: Final = "txt, html, md, svg, png, json, game"
OWN_FILE: Final = "game"
"""The format of a player's own file, which is made of the game itself."""

Formats = Annotated[str | None, option(..., "--format", "LIST", f"the formats, separated by commas: {FORMATS}")]


class WrittenReport(Value, kw_only=True):
    """A ``file`` with the report to ``viewer``, its ``format``, and the SHA-256 of its bytes."""

    viewer: Viewer
    format: str
    file: str
    hash: Digest


class WrittenReports(Value, kw_only=True):
    """The reports that were ``made`` of a game; ``turn`` is the number to write above orders."""

    game: str
    turn: int
    made: tuple[WrittenReport, ...]


class WholeTurn(Value, kw_only=True):
    """The result of a turn: the result of its orders, and the reports that were written into ``folder``.

    ``known`` are the texts that arrived before and are left out; ``again`` says that the reports are those of the last run,
    because no new text has arrived. There is no ``manifest`` if the command changed nothing.
    """

    adjudication: Adjudication
    known: tuple[KnownText, ...]
    again: bool
    folder: str | None
    manifest: Manifest | None


def turn(
    ui: Ui,
    game: GameFile,
    orders: Orders = None,
    output: str | None = option(None, "-o", "--output", "DIR", "the folder for the reports; the program creates it"),
    dry_run: DryRun = False,
    force: bool = option(False, "--force", "replace files even if they are not reports of this game"),
    strict: Strict = False,
    formats: Formats = None,
    comment: Comment = "",
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
    paths = order_paths(orders or [])
    ui.guard(path.path for path in paths)
    if game == "-":
        raise MisuseError("name the game file: `turn` changes it, so standard input is not possible")
    if output is None and not dry_run:
        raise MisuseError("name a folder for the reports with -o, or try first with --dry-run")
    forms = _forms_wanted(formats) or USUAL
    with ui.change(game, is_trial=dry_run) as edit:
        before: Game = edit.game
        files = read_order_files(paths, (game,))
        last = read_outbox(outbox_of(game), before.record.beginning)
        is_current = last is not None and last.seal == before.record.seal
        since, told = (last.since if last and is_current else None), {} if last is None else last.told_to(before.record.seal)
        played = before.play_turn(
            submissions_of(files, before), strict=strict, last=since, reported=told, comment=comment, answer=with_answers
        )
        after, reports, outbox, is_again = played.game, played.reports, None, False
        refuse_forgery(ui, played.result)
        names = {name for name, _, _ in _files_of(reports, forms)}
        if reports and last is not None and is_current and not played.is_new:
            is_again = last.files.keys() == {*names, MANIFEST}
            reports = tuple(replace(report, mails=last.mails.get(report.viewer or "")) for report in reports)
        if is_again:
            outbox = last
        elif reports:
            named = [*_files_of(reports, forms)]
            written = {
                name: _form_bytes(after, report, form) for name, report, form in ui.each(named, "reports made:", len(named))
            }
            outbox = Outbox(
                seal=after.record.seal,
                since=played.since,
                files={**written, MANIFEST: (safe_json(_manifest(played, written)) + "\n").encode()},
                earlier=() if last is None else last.hashes,
                mails={one.viewer: one.mails for one in reports if one.viewer and one.mails is not None},
                told=played.reported,
                before=before.record.seal,
                news=tuple(text for text, number in played.reported.items() if told.get(text) != number),
            )
        is_changed = outbox is not None and after != before
        known = [f"ignored: {one.source}, which was processed in turn {one.turn}" for one in played.known]
        result = tell(ui, played.result, is_trial=dry_run, is_strict=strict, known=known, comment=comment)
        if result is not None:
            manifest = None if outbox is None else _manifest(played, outbox.files)
            made = replace(result, changed=is_changed and not dry_run)
            whole = WholeTurn(
                adjudication=made, known=played.known, again=is_again, folder=output or None, manifest=manifest
            )
            ui.show(whole)
        elif outbox is not None:
            these = ", ".join(outbox.files)
            again = "no new mail; the reports are those of the last run" if is_again else "reports written"
            ui.say(f"reports that would be written: {these}" if dry_run else f"{again}: {these} in {output}")
        if output is None or dry_run or outbox is None:
            return
        # Keep the reports, save the game, write the reports: after an interruption the next run can continue.
        for name in outbox.files:
            path = os.path.join(output, name)
            if any(is_same(path, other) for other in (game, *(file.path for file in files))):
                raise MisuseError(f"name another folder with -o: a report would replace {path}, which this command reads")
        if not force:
            spare_foreign(output, outbox, after.record.beginning)
        make_folder(output)  # first: where this fails, nothing has changed
        if not is_again:
            write_outbox(outbox_of(game), after.record.beginning, outbox)
            if is_changed:
                edit.save(after)
        deliver(output, outbox.files)


def _manifest(played: Turn, files: Mapping[str, bytes]) -> Manifest:
    named = _files_of(played.reports, FORMATS.split(", "))
    return played.manifest(
        ReportFile(viewer=report.viewer, file=name, hash=digest(files[name])) for name, report, _ in named if name in files
    )


def report(
    ui: Ui,
    game: GameFile,
    viewer: str | None = option(None, "--as", "SEAT", "the reader: a seat, `bystander` (the default), or `moderator`"),
    since: int | None = option(None, "N", "include the events of turn N and later; without it, those since the last report"),
    formats: Formats = None,
    output: str | None = option(None, "-o", "--output", "FILE", "the file for the report; its extension selects the format"),
    everybody: str | None = option(
        None, "--all", "DIR", "write everybody's report into this folder; the program creates it"
    ),
    force: bool = option(False, "--force", "replace files even if they are not reports of this program"),
) -> None:
    """Write the report for a player, for bystanders or for you.

    A report lists the next decision, the results of the mails, the position as this reader may see it, the events, and the
    possible orders with their costs. Then comes a form for the orders.

    --format game writes a player's own file. With it the player can use `show`, `legal`, `log`, `check`, `replay` and
    `fork` at home.

    The game does not change. `turn` writes the same reports when it adjudicates the mails.

    Examples:
      adjudicator report race.json --as red
      adjudicator report race.json --as red -o red.html
      adjudicator report race.json --all out/ --format html,txt
      adjudicator report race.json --as red --format game -o red.json
    """
    ui.guard([game, None if game == "-" else outbox_of(game)], {"-o": output, "--all": everybody}, force)
    wanted = _forms_wanted(formats)
    if everybody is None and len(wanted) > 1:
        raise MisuseError("name only one format with --format, or write several files with --all: one file has one format")
    if everybody is not None and (viewer is not None or output is not None):
        raise MisuseError("use --all without --as and -o: it writes everybody's reports into its folder")
    if not wanted and output is not None and output != "-":
        ending = os.path.splitext(output)[1]
        form = form_named(ending)
        if form is None:
            what = f"no format has the extension “{ending}”" if ending else f"{output} has no extension"
            raise MisuseError(f"name the format with --format ({FORMATS}): {what}")
        wanted = (form,)
    if ui.as_json and everybody is None and output is None and wanted not in ((), ("json",)):
        raise MisuseError("name a file with -o for this format: --json prints the report as JSON")
    opened = ui.open(game)
    if everybody is not None:
        viewers: tuple[Viewer, ...] = (*opened.seats, None, MODERATOR)
        reports = (_report(opened, game, reader, since) for reader in viewers)
        made = [
            (os.path.join(everybody, name), one, form, _form_bytes(opened, one, form))
            for name, one, form in ui.each(_files_of(reports, wanted or USUAL), "reports made:")
        ]
        make_folder(everybody)
    else:
        one = _report(opened, game, opened.viewer(viewer), since)
        form = (wanted or USUAL)[0]
        if output is None and ui.as_json:
            ui.show(report_data(one))
            return
        if output is None or output == "-":
            is_narrow = form == "txt" and ui.width is not None
            text = report_text(one, min(MAIL_WIDTH, ui.width or MAIL_WIDTH)).encode() if is_narrow else b""
            ui.send(text or _form_bytes(opened, one, form))
            return
        made = [(output, one, form, _form_bytes(opened, one, form))]
    for path, *_ in made:  # look at all the files that would be replaced, before the first is written
        ui.spare(path, "a report", is_report)
    for path, _, _, data in made:
        ui.write(path, data, "a report", is_report)
    done = tuple(
        WrittenReport(viewer=one.viewer, format=form, file=path, hash=digest(data)) for path, one, form, data in made
    )
    words = f"{'report' if len(made) == 1 else 'reports'} written: {', '.join(path for path, *_ in made)}"
    ui.show(WrittenReports(game=opened.id, turn=opened.turn, made=done), words)


def _forms_wanted(formats: str | None) -> tuple[str, ...]:
    """Return the formats named in ``formats``, each once. Raises ``MisuseError`` for an unknown one."""
    names = [name.strip() for name in (formats or "").split(",") if name.strip()]
    found = [(name, OWN_FILE if name.lower() == OWN_FILE else form_named(name)) for name in names]
    for name, form in found:
        if form is None:
            raise MisuseError(f"the format “{name}” is unknown; choose from: {FORMATS}")
    return tuple(dict.fromkeys(form for _, form in found if form is not None))


def _report(game: Game, file: str, viewer: Viewer, since: int | None) -> Report:
    """Return the report to ``viewer``, with the results of its mails from the last turn if they are kept."""
    last = None if file == "-" else read_outbox(outbox_of(file), game.record.beginning)
    if last is None or last.seal != game.record.seal:
        return game.seen_by(viewer).report(since=since)
    return replace(game.seen_by(viewer).report(since=since, last=last.since), mails=last.mails.get(viewer or ""))


def _form_bytes(game: Game, made: Report, form: str) -> bytes:
    """Return the report in the given ``form``. Raises ``MisuseError`` for a picture that cannot be drawn."""
    if form == OWN_FILE:
        if made.viewer is None or not made.is_of_seat:
            raise MisuseError("name the seat with --as: --format game writes the file of one player")
        return game.seen_by(made.viewer).own_file()
    return write_report(made, form)


def _files_of(reports: Iterable[Report], forms: Iterable[str]) -> Iterator[tuple[str, Report, str]]:
    """Yield the name of each file to write, its report, and its format; only players have own files."""
    wanted = tuple(forms)
    for report in reports:
        for form in wanted:
            if form != OWN_FILE:
                yield report_name(report.viewer, form), report, form
            elif report.is_of_seat:
                yield report_name(report.viewer, f"{OWN_FILE}.json"), report, form
