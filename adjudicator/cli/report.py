"""The command `report`: write the report for a player, as text, web page, picture or JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer

from adjudicator.cli.arguments import GameFile, Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import is_same, spare_other_files, write_file
from adjudicator.cli.output import MisuseError, say, say_bytes, say_json, terminal_width
from adjudicator.cli.progress import with_progress
from adjudicator.core.values import Value, replace

if TYPE_CHECKING:
    from adjudicator.cli.results import WrittenReport
    from adjudicator.core.values import Viewer
    from adjudicator.library.game import Game
    from adjudicator.reports.data.report import Report

_REMEDY: Final = "name another file, or use --force"
USUAL: Final = ("txt",)
"""The default formats."""
FORMATS: Final = "txt, html, md, svg, png, json, game"
OWN_FILE: Final = "game"
"""The format of a player's own file, which is made of the game itself."""

Formats = Annotated[
    str | None, typer.Option("--format", metavar="LIST", help=f"the formats, separated by commas: {FORMATS}")
]


def report(
    game: GameFile,
    viewer: Annotated[
        str | None,
        typer.Option("--as", metavar="SEAT", help="the reader: a seat, `bystander` (the default), or `moderator`"),
    ] = None,
    since: Annotated[
        int | None,
        typer.Option(metavar="N", help="include the events of turn N and later; without it, those since the last report"),
    ] = None,
    formats: Formats = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="the file for the report; its extension selects the format"),
    ] = None,
    everybody: Annotated[
        str | None,
        typer.Option("--all", metavar="FOLDER", help="write everybody's report into this folder; the program creates it"),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="replace files even if they are not reports of this program")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write the report for a player, for bystanders or for you.

    A report lists the next decision, the results of the mails, the events, the position as this reader may see it, and the
    possible orders with their costs. It ends with a form for the orders.

    --format game writes a player's own file. With it the player can use `show`, `legal`, `log` and `check` at home.

    The game does not change. `turn` writes the same reports when it adjudicates the mails.

    Examples:
      adjudicator report race.json --as red
      adjudicator report race.json --as red -o red.html
      adjudicator report race.json --all out/ --format html,txt
      adjudicator report race.json --as red --format game -o red.json
    """
    with explained(as_json=as_json) as opened:
        wanted = _wanted(formats, output, everybody)
        opened_game = opened.game(game)
        if everybody is not None:
            _refuse_single(viewer, output)
            _tell(opened_game, _write_all(opened_game, game, everybody, wanted, since, is_forced=force), as_json=as_json)
            return
        made = _report(opened_game, game, opened_game.viewer(viewer), since)
        if output is not None and output != "-":
            _spare(output, game, is_forced=force)
            one = _written(_Made(output, made.viewer, wanted[0], form_bytes(opened_game, made, wanted[0])))
            _tell(opened_game, [one], as_json=as_json)
        elif as_json:
            from adjudicator.reports.data.report import report_data

            say_json(report_data(made))
        else:
            say_bytes(_for_stdout(opened_game, made, wanted[0]))


def _for_stdout(game: Game, made: Report, form: str) -> bytes:
    """Return the report in the given ``form``; a text has lines that fit a mail, and a narrower terminal."""
    width = terminal_width()
    if (form,) != USUAL or width is None:
        return form_bytes(game, made, form)
    from adjudicator.reports.pages.report_text import report_text
    from adjudicator.reports.text.fold import MAIL_WIDTH

    return report_text(made, min(MAIL_WIDTH, width)).encode()


def forms_wanted(formats: str | None) -> tuple[str, ...]:
    """Return the formats named in ``formats``, each once. Raises ``MisuseError`` for an unknown one."""
    from adjudicator.reports.pages.forms import form_named

    names = [name.strip() for name in (formats or "").split(",") if name.strip()]
    found = [(name, OWN_FILE if name.lower() == OWN_FILE else form_named(name)) for name in names]
    for name, form in found:
        if form is None:
            raise MisuseError(f"the format “{name}” is unknown; choose from: {FORMATS}")
    return tuple(dict.fromkeys(form for _, form in found if form is not None))


def _wanted(formats: str | None, output: str | None, everybody: str | None) -> tuple[str, ...]:
    """Return the wanted formats, at least one: the named ones, else that of the file extension, else text."""
    from adjudicator.reports.pages.forms import form_named

    named = forms_wanted(formats)
    if everybody is None and len(named) > 1:
        raise MisuseError("name only one format with --format, or write several files with --all: one file has one format")
    if named:
        return named
    if output is None or output == "-":
        return USUAL
    ending = os.path.splitext(output)[1]
    form = form_named(ending)
    if form is None:
        what = f"no format has the extension “{ending}”" if ending else f"{output} has no extension"
        raise MisuseError(f"name the format with --format ({FORMATS}): {what}")
    return (form,)


def _refuse_single(viewer: str | None, output: str | None) -> None:
    if viewer is not None or output is not None:
        raise MisuseError("use --all without --as and -o: it writes everybody's reports into its folder")


def _report(game: Game, file: str, viewer: Viewer, since: int | None) -> Report:
    """Return the report to ``viewer``, with the results of its mails from the last turn if they are kept."""
    from adjudicator.files.outbox import outbox_of, read_outbox

    last = None if file == "-" else read_outbox(outbox_of(file), game.record.beginning)
    if last is None or last.seal != game.record.seal:
        return game.seen_by(viewer).report(since=since)
    return replace(game.seen_by(viewer).report(since=since, last=last.since), mails=last.mails_of(viewer))


def form_bytes(game: Game, made: Report, form: str) -> bytes:
    """Return the report in the given ``form``. Raises ``MisuseError`` for a picture that cannot be drawn."""
    if form == OWN_FILE:
        if made.viewer is None or not made.is_of_seat:
            raise MisuseError("name the seat with --as: --format game writes the file of one player")
        return game.seen_by(made.viewer).own_file()
    from adjudicator.reports.pages.forms import FORMS
    from adjudicator.reports.pictures.png import NoPictureError

    try:
        return FORMS[form](made)
    except NoPictureError as error:
        raise MisuseError(str(error)) from None


def files_of(reports: Iterable[Report], forms: Iterable[str]) -> Iterator[tuple[str, Report, str]]:
    """Yield the name of each file to write, its report, and its format; only players have own files."""
    from adjudicator.files.outbox import report_name

    wanted = tuple(forms)
    for report in reports:
        for form in wanted:
            if form != OWN_FILE:
                yield report_name(report.viewer, form), report, form
            elif report.is_of_seat:
                yield report_name(report.viewer, f"{OWN_FILE}.json"), report, form


def _write_all(
    game: Game, file: str, folder: str, forms: tuple[str, ...], since: int | None, *, is_forced: bool
) -> list[WrittenReport]:
    """Write the reports of all seats, bystanders and moderator in all ``forms``, after all of them are made."""
    from adjudicator.core.values import MODERATOR
    from adjudicator.files.outbox import make_folder

    viewers: tuple[Viewer, ...] = (*game.seats, None, MODERATOR)
    reports = (_report(game, file, viewer, since) for viewer in viewers)
    named = [
        _Made(os.path.join(folder, name), made.viewer, form, form_bytes(game, made, form))
        for name, made, form in with_progress(files_of(reports, forms), "reports made:")
    ]
    make_folder(folder)
    for made in named:
        _spare(made.path, file, is_forced=is_forced)
    return [_written(made) for made in named]


class _Made(Value):
    """A report to be written to ``path``."""

    path: str
    viewer: Viewer
    form: str
    data: bytes


def _spare(path: str, game: str, *, is_forced: bool) -> None:
    """Raise ``MisuseError`` if ``path`` is a file that a report must not replace."""
    from adjudicator.files.outbox import outbox_of
    from adjudicator.reports.pages.forms import is_report

    if is_same(path, game) or (game != "-" and is_same(path, outbox_of(game))):
        raise MisuseError(f"name another file: the report would replace the game in {game}")
    if not is_forced:
        spare_other_files(path, "a report", is_report, _REMEDY)


def _written(made: _Made) -> WrittenReport:
    from adjudicator.cli.results import WrittenReport
    from adjudicator.core.values import digest

    write_file(made.path, made.data)
    return WrittenReport(viewer=made.viewer, format=made.form, file=made.path, hash=digest(made.data))


def _tell(game: Game, written: list[WrittenReport], *, as_json: bool) -> None:
    from adjudicator.cli.results import WrittenReports
    from adjudicator.reports.text.sanitize import printable

    if as_json:
        say_json(WrittenReports(game=game.id, turn=game.turn, made=tuple(written)))
    else:
        what = "report" if len(written) == 1 else "reports"
        say(printable(f"{what} written: {', '.join(one.file for one in written)}"))
