"""The command `replay`: a game move by move, from its game file or from a script."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import As, Json
from adjudicator.cli.export import Export, export
from adjudicator.cli.failures import explained
from adjudicator.cli.files import is_same, read_also_archived, write_new
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
    warn,
)
from adjudicator.cli.replay_page import require_page, write_page
from adjudicator.core.frozen import frozen

if TYPE_CHECKING:
    from adjudicator.reports.position import Position
    from adjudicator.reports.verdict import Divergence
    from adjudicator.script.play import Played
    from adjudicator.session import Session

_MOST = 200
"""Problems that are written out in words."""


def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="a game file, a script, or ARCHIVE#GAME; `-` is standard input", show_default=False
        ),
    ],
    first: Annotated[
        int | None, typer.Option("--from", metavar="N", help="begin with entry N of the log; 0 is the set-up")
    ] = None,
    last: Annotated[int | None, typer.Option("--until", metavar="N", help="stop after entry N of the log")] = None,
    viewer: As = None,
    boards: Annotated[bool, typer.Option("--boards", help="show the position after each entry")] = False,
    page: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="PAGE", help="write one page for a browser, with every picture; `-`: print it"
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--import", metavar="GAME", help="write the game of a script there, as a game file, and show nothing"),
    ] = None,
    script: Annotated[
        str | None,
        typer.Option(
            "--export", metavar="SCRIPT", help="write a game file there, as a script, and show nothing; `-`: print it"
        ),
    ] = None,
    with_secret: Annotated[
        bool, typer.Option("--with-secret", help="with --export: the secret too, before it was published")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="with -o, --import, --export: replace the file if it is there")
    ] = False,
    as_json: Json = False,
) -> None:
    """Replay a game move by move, from its file or from a script.

    What a game file records is followed as it stands; `audit` asks the rules again. A script is one text with set-up and
    orders, and is played by the rules; --import and --export make one of the other. With --json, a line of JSON for each
    entry.

    With -o the replay is one page for a browser: the picture after every entry, a slider, the log. It shows a seat or
    bystanders what they may know; of a game that is over it shows all, unless --as says otherwise.

    Examples:
      adjudicator replay race.json --until 12 --boards --as red
      adjudicator replay race.json -o replay.html --as red
      adjudicator replay games.jsonl.zst#rally-042 --boards
      adjudicator replay table-talk.txt --import race.json
      adjudicator replay race.json --export race.txt
    """
    with explained(as_json=as_json) as opened:
        wanted = _Wanted(first, last, viewer, boards, as_json, page, force)
        if force and (target, script, page) == (None, None, None):
            raise MisuseError("--force goes with -o, --import and --export, which alone write a file")
        if with_secret and script is None:
            raise MisuseError("--with-secret goes with --export")
        if script is not None and (target is not None or wanted.is_a_look):
            raise MisuseError("--export writes the whole game and shows nothing: leave all else out")
        if target is not None and wanted.is_a_look:
            raise MisuseError(
                "--import writes the whole game and shows nothing: --from, --until, --as, --boards, -o show it"
            )
        if page is not None:
            require_page(file, page, boards=boards, as_json=as_json)
        data = _read(file)
        played = _played(file, data)
        if script is not None:
            if played is not None:
                raise MisuseError(f"{file} is a script already: --export takes a game file")
            export(opened.session_of(_name(file), data), file, Export(script, with_secret, force, as_json))
        elif target is not None:
            _import(played, file, target, force=force, as_json=as_json)
        elif played is None:
            _show(opened.session_of(_name(file), data), wanted)
        else:
            _show_script(played, wanted)


@frozen
class _Wanted:
    """Which entries are to be shown (``None``: from the first, to the last), to whom, and how.

    With a ``page`` they are written there, over what is there only with ``force``.
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


def _read(file: str) -> bytes:
    return read_also_archived(file)[1]


def _played(file: str, data: bytes) -> Played | None:
    """Return what comes of the script in ``data``, ``None`` if it is none."""
    from adjudicator.script.play import play_script
    from adjudicator.script.read import is_script

    if not is_script(data):
        return None
    folder = "." if file == "-" else os.path.dirname(file) or "."
    return play_script(_name(file), data, folder)


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _show(session: Session, wanted: _Wanted) -> None:
    """Show the moves that are ``wanted``. Raises ``MisuseError``."""
    from adjudicator.replay import NoSuchEntryError

    try:
        if wanted.page is None:
            _print(session, wanted)
        else:
            _write_page(session, wanted, wanted.page)
    except NoSuchEntryError as error:
        raise MisuseError(str(error)) from error


def _write_page(session: Session, wanted: _Wanted, target: str) -> None:
    from adjudicator.replay_page import page_of, usual_viewer

    viewer = usual_viewer(session) if wanted.viewer is None else session.viewer(wanted.viewer)
    page = page_of(session, viewer, wanted.first or 0, wanted.last)
    write_page(page, target, force=wanted.force, as_json=wanted.as_json)


def _print(session: Session, wanted: _Wanted) -> None:
    """Print the moves that are ``wanted``, each as soon as it is followed where it stands by itself."""
    from adjudicator.present import positions_passed
    from adjudicator.replay import (
        Move,
        board_text,
        ending_text,
        follow,
        moves_text,
        numbers_for,
        replayed_move,
    )

    viewer, unit = session.viewer(wanted.viewer), session.rules.meta.unit
    position_after = positions_passed(session, viewer)

    def look(move: Move) -> Position:
        # Of the past that number is told which most were told: to find others the game would be followed again each time.
        return position_after(move.entry.n, move.state, move.turn)

    moves = []
    for move in follow(session, viewer, wanted.first or 0, wanted.last):
        moves.append(move)
        if wanted.as_json:
            say_json(replayed_move(move, look if wanted.boards else None))
        elif wanted.boards:
            say(board_text(move, unit, look, color=is_terminal()) + "\n")
    if not wanted.as_json and not wanted.boards:
        numbers = numbers_for(session, viewer)
        shown = numbers[moves[-1].entry.n]
        ending = ending_text(look(moves[-1]), shown, is_last=shown == numbers[-1])
        say_safely(f"{moves_text(moves, unit)}\n\n{ending}")


def _show_script(played: Played, wanted: _Wanted) -> None:
    """Print the game of a script as far as it goes, then what is wrong, and what was written down wrongly."""
    if played.session is not None and (played.taken or not played.diagnostics):
        try:
            _show(played.session, wanted)
        except MisuseError:  # the entries asked for may be missing only because of what is wrong: that is told
            if not played.diagnostics:
                raise
    _tell_problems(played, _wrong_numbers(played), as_json=wanted.as_json)
    leave(PROBLEMS if played.diagnostics else DONE)


def _wrong_numbers(played: Played) -> tuple[Divergence, ...]:
    from adjudicator.script.minutes import disagreements

    if played.session is None:
        return ()
    return tuple(disagreements(played.session, played.taken, () if played.diagnostics else played.script.claims))


def _tell_problems(played: Played, wrong: tuple[Divergence, ...], *, as_json: bool) -> None:
    from adjudicator.outputs.positions import ScriptProblems
    from adjudicator.reports.audit import divergence_text
    from adjudicator.reports.diagnostics import diagnostics_text, order_problem

    if as_json:
        if played.diagnostics or wrong:
            problems = tuple(map(order_problem, played.diagnostics))
            say_json(ScriptProblems(problems=problems, disagreements=tuple(map(divergence_text, wrong))))
        return
    for one in wrong:
        warn(f"written otherwise: {divergence_text(one)}")
    if played.diagnostics:
        hidden = len(played.diagnostics) - _MOST
        warn(diagnostics_text(played.diagnostics[:_MOST]) + (f"\n\n… and {hidden:,} more problems" if hidden > 0 else ""))


def _import(played: Played | None, file: str, target: str, *, force: bool, as_json: bool) -> None:
    """Write the game of a script to ``target``, unless something is wrong with it; wrong minutes do not matter here."""
    if played is None:
        raise MisuseError(f"{file} is no script (its first line begins with `script`): --import has nothing to do")
    if as_json and target == "-":
        raise MisuseError("--json and the game cannot both go to standard output: name a file")
    if target != "-" and is_same(file, target):
        raise MisuseError("the game would be written over its script")
    wrong = _wrong_numbers(played)
    if played.session is None or played.diagnostics:
        _tell_problems(played, wrong, as_json=as_json)
        warn("nothing is written")
        leave(PROBLEMS)
    from adjudicator.store.save import dump_game

    data = dump_game(played.session.game)
    if target == "-":
        say_bytes(data)
    else:
        write_new(Path(target), data, force=force)
    _tell_import(played.session, played, wrong, target, as_json=as_json)


def _tell_import(session: Session, played: Played, wrong: tuple[Divergence, ...], target: str, *, as_json: bool) -> None:
    from adjudicator.outputs.positions import ImportedScript
    from adjudicator.reports.audit import divergence_text

    game, orders, turns = session.game, len(played.taken), session.game.turn - 1
    if as_json:
        told = tuple(map(divergence_text, wrong))
        say_json(ImportedScript(file=target, game=game.id, orders=orders, turns=turns, disagreements=told))
        return
    for one in wrong:
        warn(f"written otherwise: {divergence_text(one)}")
    if target != "-":
        many = "order" if orders == 1 else "orders"
        say_safely(f"{target}: {session.rules.meta.name}, game {game.id}, {orders} {many} in {turns} turns")
