"""The command `replay`: show a game move by move, from its game file or from a script."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import As, Json
from adjudicator.cli.export import Export, export
from adjudicator.cli.failures import explained
from adjudicator.cli.files import is_same, write_new
from adjudicator.cli.output import (
    DONE,
    PROBLEMS,
    MisuseError,
    is_terminal,
    leave,
    say,
    say_bytes,
    say_json,
    say_safely,
    terminal_width,
    warn,
)
from adjudicator.cli.progress import progress
from adjudicator.cli.replay_page import is_film, require_page, write_film, write_page
from adjudicator.core.values import Value
from adjudicator.library.errors import RequestError
from adjudicator.library.opening import read_game_file
from adjudicator.script.play import play_script

if TYPE_CHECKING:
    from adjudicator.library.game import Game
    from adjudicator.script.play import ScriptResult

_MOST = 200
"""The number of problems that the text lists."""


def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="a game file, a script, or ARCHIVE#GAME; `-` is standard input", show_default=False
        ),
    ],
    first: Annotated[
        int | None, typer.Option("--from", metavar="N", help="the first entry of the log to show; 0 is the set-up")
    ] = None,
    last: Annotated[int | None, typer.Option("--until", metavar="N", help="the last entry of the log to show")] = None,
    viewer: As = None,
    boards: Annotated[bool, typer.Option("--boards", help="show the position after each entry")] = False,
    page: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PAGE",
            help="write a web page with a picture of every position, or a film NAME.gif; `-` prints the page",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--import", metavar="GAME", help="turn a script into this game file, and show nothing"),
    ] = None,
    script: Annotated[
        str | None,
        typer.Option(
            "--export", metavar="SCRIPT", help="turn a game file into this script, and show nothing; `-` prints it"
        ),
    ] = None,
    with_secret: Annotated[
        bool, typer.Option("--with-secret", help="with --export: include the secret even if it is not published yet")
    ] = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="with -o: replace a file that is not such a page; with --import, --export: replace a file"
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Replay a game move by move, from its file or from a script.

    A game file is replayed as recorded; use `audit` to check it against the rules. A script is a text with set-up and
    orders, which the program plays by the rules. --import and --export convert one into the other. With --json you get
    one line of JSON for each entry.

    With -o you get one web page with the picture after every entry, a slider and the log. While the game runs, it shows
    only what a seat or bystanders may know; after the end it shows everything, unless you use --as. With a name that ends
    in .gif you get the pictures as a film (extra `gif`).

    Examples:
      adjudicator replay race.json --until 12 --boards --as red
      adjudicator replay race.json -o replay.html --as red
      adjudicator replay race.json -o race.gif
      adjudicator replay games.jsonl.zst#rally-042 --boards
      adjudicator replay table-talk.txt --import race.json
      adjudicator replay race.json --export race.txt
    """
    with explained(as_json=as_json) as opened:
        wanted = _Wanted(first, last, viewer, boards, as_json, page, force)
        if force and (target, script, page) == (None, None, None):
            raise MisuseError("use --force only with -o, --import or --export: nothing else writes a file")
        if with_secret and script is None:
            raise MisuseError("use --with-secret only with --export")
        if script is not None and (target is not None or wanted.is_a_look):
            raise MisuseError("use --export alone: it writes the whole game and shows nothing")
        if target is not None and wanted.is_a_look:
            raise MisuseError(
                "use --import without --from, --until, --as, --boards and -o: it writes the whole game and shows nothing"
            )
        if page is not None:
            require_page(file, page, boards=boards, as_json=as_json)
        data = read_game_file(file)[1]
        played = _played(file, data)
        if script is not None:
            if played is not None:
                raise MisuseError(f"name a game file for --export: {file} is already a script")
            export(opened.game_of(_name(file), data), file, Export(script, with_secret, force, as_json))
        elif target is not None:
            _import(played, file, target, force=force, as_json=as_json)
        elif played is None:
            _show(opened.game_of(_name(file), data), wanted)
        else:
            _show_script(played, wanted)


class _Wanted(Value):
    """The entries to show (``None``: from the first, to the last), the viewer, and the form.

    With a ``page`` they are written to that file, which is replaced only with ``force``.
    """

    first: int | None
    last: int | None
    viewer: str | None
    boards: bool
    as_json: bool
    page: str | None = None
    force: bool = False

    @property
    def is_a_look(self) -> bool:
        return self.boards or (self.first, self.last, self.viewer, self.page) != (None, None, None, None)


def _played(file: str, data: bytes) -> ScriptResult | None:
    """Return the result of the script in ``data``, ``None`` if it is not a script."""
    folder = "." if file == "-" else os.path.dirname(file) or "."
    try:
        with progress("adjudications played:", is_shown=not data.startswith(b"{")) as advance:
            return play_script(data, name=_name(file), folder=folder, notify=advance)
    except RequestError:
        return None


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _show(game: Game, wanted: _Wanted) -> None:
    """Show the ``wanted`` moves. Raises ``NoSuchEntryError``."""
    if wanted.page is None:
        _print(game, wanted)
    else:
        from adjudicator.core.values import MODERATOR

        viewer = MODERATOR if wanted.viewer is None and game.is_over else wanted.viewer
        if is_film(wanted.page):
            write_film(game, viewer, wanted.first or 0, wanted.last, wanted.page, force=wanted.force, as_json=wanted.as_json)
            return
        page = game.seen_by(viewer).replay_page(wanted.first or 0, wanted.last)
        write_page(page, wanted.page, force=wanted.force, as_json=wanted.as_json)


def _print(game: Game, wanted: _Wanted) -> None:
    """Print the ``wanted`` moves, each as soon as possible."""
    from adjudicator.reports.cli.replay import board_text, ending_text, moves_text, replayed_move

    unit = game.meta.unit
    steps = []
    for step in game.seen_by(wanted.viewer).replay(wanted.first or 0, wanted.last):
        steps.append(step)
        if wanted.as_json:
            say_json(replayed_move(step, step.position if wanted.boards else None))
        elif wanted.boards:
            say(board_text(step, unit, step.position, color=is_terminal(), width=terminal_width()) + "\n")
    if not wanted.as_json and not wanted.boards:
        last = steps[-1]
        ending = ending_text(last.position, last.n, is_last=last.is_last)
        say_safely(f"{moves_text(steps, unit, terminal_width())}\n\n{ending}")


def _show_script(played: ScriptResult, wanted: _Wanted) -> None:
    """Print the game of a script up to the first problem, then the problems and the wrong notes in the script."""
    from adjudicator.library.errors import NoSuchEntryError

    if played.game is not None and (played.accepted or not played.problems):
        try:
            _show(played.game, wanted)
        except NoSuchEntryError:  # a problem, which is printed below, may be the reason for the missing entries
            if not played.problems:
                raise
    _tell_problems(played, as_json=wanted.as_json)
    leave(PROBLEMS if played.problems else DONE)


def _tell_problems(played: ScriptResult, *, as_json: bool) -> None:
    from adjudicator.cli.results import ScriptProblems
    from adjudicator.reports.cli.audits import divergence_text
    from adjudicator.reports.data.diagnostics import diagnostics_text

    wrong, found = played.divergences, played.diagnostics
    if as_json:
        if found or wrong:
            say_json(ScriptProblems(problems=played.problems, disagreements=tuple(map(divergence_text, wrong))))
        return
    for one in wrong:
        warn(f"the script says otherwise: {divergence_text(one)}")
    if found:
        hidden = len(found) - _MOST
        warn(diagnostics_text(found[:_MOST]) + (f"\n\n… and {hidden:,} more problems" if hidden > 0 else ""))


def _import(played: ScriptResult | None, file: str, target: str, *, force: bool, as_json: bool) -> None:
    """Write the game of a script to ``target``, unless the script has problems; wrong minutes do not matter here."""
    if played is None:
        raise MisuseError(f"name a script for --import: the first line of {file} does not begin with `script`")
    if as_json and target == "-":
        raise MisuseError("name a file: --json and the game cannot both go to standard output")
    if target != "-" and is_same(file, target):
        raise MisuseError("name another file: the game would replace its script")
    if played.game is None or played.problems:
        _tell_problems(played, as_json=as_json)
        warn("nothing was written")
        leave(PROBLEMS)
    data = played.game.to_bytes()
    if target == "-":
        say_bytes(data)
    else:
        write_new(Path(target), data, force=force)
    _tell_import(played, played.game, target, as_json=as_json)


def _tell_import(played: ScriptResult, game: Game, target: str, *, as_json: bool) -> None:
    from adjudicator.cli.results import ImportedScript
    from adjudicator.core.phrases import count
    from adjudicator.reports.cli.audits import divergence_text

    wrong, orders, turns = played.divergences, len(played.accepted), game.record.turn - 1
    if as_json:
        disagreements = tuple(map(divergence_text, wrong))
        say_json(ImportedScript(file=target, game=game.id, orders=orders, turns=turns, disagreements=disagreements))
        return
    for one in wrong:
        warn(f"the script says otherwise: {divergence_text(one)}")
    if target != "-":
        say_safely(f"{target}: {game.meta.name}, game {game.id}, {count(orders, 'order')} in {turns} turns")
