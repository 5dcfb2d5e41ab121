"""The commands `replay` and `script`: show a game move by move; turn a script into a game file, and the reverse."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import adjudicator as adj
from adjudicator.audit.judge import divergence_text
from adjudicator.cli.orders import listed_problems
from adjudicator.cli.ui import PROBLEMS, As, MisuseError, Ui, argument, option
from adjudicator.core.phrases import count
from adjudicator.core.values import MODERATOR, Seat, Value
from adjudicator.library.errors import NoSuchEntryError, RequestError
from adjudicator.library.game import read_game_file
from adjudicator.reports.heading import due_lines, reader, standing_lines
from adjudicator.reports.images import frames_of, gif_of, require_gif
from adjudicator.reports.log import log_text
from adjudicator.reports.picture import position_sheet
from adjudicator.reports.position import ReplayedMove, position_text, shown_position
from adjudicator.reports.replay_page import FIRST_LINE
from adjudicator.reports.texts import GAP, count_of
from adjudicator.results import OrderProblem, gathered
from adjudicator.script.play import play_script

if TYPE_CHECKING:
    from adjudicator.library.game import Game
    from adjudicator.library.reader import Step
    from adjudicator.reports.replay_page import ReplayPage
    from adjudicator.script.play import ScriptResult

_PAGE: Final = "a replay page", lambda head: head.startswith(FIRST_LINE.encode())
"""What a page is called that may be replaced, and how to recognise its first bytes."""


class WrittenReplay(Value, kw_only=True):
    """A replay page that was written: its ``file``, and the number of ``entries`` of the ``game`` that it shows.

    ``viewer`` is the player who may read it (``None``: the public).
    """

    file: str
    game: str
    viewer: Seat | None
    entries: int


class ScriptProblems(Value, kw_only=True):
    """The problems of a script, and its ``disagreements``: a sentence for each difference from the recorded results."""

    problems: tuple[OrderProblem, ...]
    disagreements: tuple[str, ...]


class ImportedScript(Value, kw_only=True):
    """A script that became a game: its ``file``, and the number of its ``orders`` and ``turns``."""

    file: str
    game: str
    orders: int
    turns: int
    disagreements: tuple[str, ...]


class ExportedScript(Value, kw_only=True):
    """A game that was written as a script: its ``file``, the number of ``turns``, and the files ``beside`` it."""

    file: str
    game: str
    turns: int
    beside: tuple[str, ...]


def replay(
    ui: Ui,
    file: Annotated[
        str, argument(..., "FILE", "a game file, your own file, a script, or ARCHIVE#GAME; `-` is standard input")
    ],
    first: int | None = option(None, "--from", "N", "the first entry of the log to show; 0 is the set-up"),
    last: int | None = option(None, "--until", "N", "the last entry of the log to show"),
    viewer: As = None,
    boards: bool = option(False, "--boards", "show the position after each entry"),
    page: str | None = option(
        None,
        "-o",
        "--output",
        "PAGE",
        "write a web page with a picture of every position, or a film NAME.gif; `-` prints the page",
    ),
    force: bool = option(False, "--force", "replace a file that is not such a page"),
) -> None:
    """Replay a game move by move, from its file or from a script.

    A game file is replayed as recorded; use `audit` to check it against the rules. A player's own file is replayed as this
    player saw the game. A script is a text with set-up and orders, which the program plays by the rules; `script` turns it
    into a game file. With --json you get one line of JSON for each entry.

    With -o you get one web page with the picture after every entry, a slider and the log. While the game runs, it shows
    only what a seat or bystanders may know; after the end it shows everything, unless you use --as. With a name that ends
    in .gif you get the pictures as a film (extra `gif`).

    Examples:
      adjudicator replay race.json --until 12 --boards --as red
      adjudicator replay race.json -o replay.html --as red
      adjudicator replay red.json -o replay.html
      adjudicator replay race.json -o race.gif
      adjudicator replay games.adjudicator.db#rally-042 --boards
    """
    ui.guard([file], {"-o": page}, force)
    if page is not None and boards:
        raise MisuseError("leave out --boards: a page always shows the position after each entry")
    if page not in (None, "-") and not str(page).lower().endswith((".html", ".htm", ".gif")):
        raise MisuseError(f"give the page a name that ends in .html, or the film one that ends in .gif, not “{page}”")
    if page is not None and page.lower().endswith(".gif"):  # before the game is played and drawn, which takes long
        ui.spare_picture(page)
    elif page is not None:
        ui.spare(page, *_PAGE)
    played, game = _opened(ui, file, whole=False)
    if game is not None and (played is None or played.accepted or not played.problems):
        try:
            if page is None:
                _print(ui, game, first or 0, last, viewer, boards=boards)
            else:
                _write(ui, game, first or 0, last, viewer, page)
        except NoSuchEntryError:  # a problem, which is printed below, may be the reason for the missing entries
            if played is None or not played.problems:
                raise
    if played is not None:
        _tell_problems(ui, played)


def _opened(ui: Ui, file: str, *, whole: bool = True) -> tuple[ScriptResult | None, Game | None]:
    """Return the result of the script ``file`` with its game, or the game of a game file, which may have to be ``whole``."""
    data = read_game_file(file)[1]
    name, folder = ("standard input", ".") if file == "-" else (file, os.path.dirname(file) or ".")
    try:
        with ui.progress("adjudications played:", is_shown=not data.startswith(b"{")) as advance:
            played = play_script(data, name=name, folder=folder, notify=advance)
    except RequestError:  # it is not a script
        return None, ui.open_bytes(name, data, whole=whole)
    return played, played.game


def _print(ui: Ui, game: Game, first: int, last: int | None, viewer: str | None, *, boards: bool) -> None:
    """Print the moves, with ``boards`` each as soon as possible. Raises ``NoSuchEntryError``."""

    def log_of(steps: Sequence[Step]) -> str:
        rows = [row for step in steps for row in step.rows]
        held = {row.n: step.holders for step in steps for row in step.rows}
        return log_text(rows, game.meta.unit, with_events=True, width=ui.width, holders=lambda row: held[row.n])

    reader, steps = game.seen_by(viewer), []
    for step in reader.replay(first, last):
        steps.append(step)
        if ui.as_json:
            row, *others = step.rows
            shown = shown_position(step.position) if boards else None
            ui.show(gathered(ReplayedMove, row, also=tuple(others), position=shown))
        elif boards:
            is_past = not step.is_last and step.position.heading.turn != reader.turn
            board = position_text(step.position, color=ui.is_colored, width=ui.width, is_past=is_past)
            ui.say(f"{log_of([step])}\n\n{board}\n", is_safe=True)
    if not ui.as_json and not boards:
        end, position = steps[-1], steps[-1].position
        if position.heading.over:
            lines = ["the game is over:"]
            heading = position.heading
            lines += (GAP + line for line in standing_lines(position.standings, heading.unit, heading.holders))
        else:
            lines = ["due now:" if end.is_last else f"due after entry {end.n}:"]
            lines += (GAP + line for line in due_lines(position.due, position.heading.holders))
        ui.say("\n".join([log_of(steps), "", *lines]))


def _write(ui: Ui, game: Game, first: int, last: int | None, viewer: str | None, target: str) -> None:
    """Write the positions as a page or as a film. Raises ``MisuseError``, ``NoSuchEntryError``, ``CannotWrite``."""
    viewer = MODERATOR if viewer is None and game.is_over and game.own_seat is None else viewer
    if target.lower().endswith(".gif"):
        require_gif()
        steps = list(game.seen_by(viewer).replay(first, last))
        chosen = [steps[at].position for at in frames_of(len(steps))]
        drawn = list(map(position_sheet, chosen))
        with ui.progress("drawn", len(drawn)) as advance:
            ui.write_picture(target, gif_of(drawn, advance))
        heading, entries = chosen[-1].heading, len(steps)
        words = f"{len(drawn)} pictures of {entries} entries"
    else:
        page: ReplayPage = game.seen_by(viewer).replay_page(first, last)
        ui.write(target, page.text.encode(), *_PAGE)
        if target == "-":
            return
        heading, entries = page.heading, page.entries
        words = f"{count_of(entries, 'entry', 'entries')}, {reader(heading)}"
    ui.show(
        WrittenReplay(file=target, game=heading.game, viewer=heading.viewer, entries=entries),
        f"{target}: {heading.name}, game {heading.game}, {words}",
    )


def _tell_problems(ui: Ui, played: ScriptResult) -> None:
    """Print the problems and the wrong notes of a script."""
    wrong, found = tuple(map(divergence_text, played.divergences)), played.problems
    ui.code = PROBLEMS if found else ui.code
    if ui.as_json:
        if found or wrong:
            ui.show(ScriptProblems(problems=found, disagreements=wrong))
        return
    for words in wrong:
        ui.warn(f"the script says otherwise: {words}")
    if found:
        ui.warn(listed_problems(found))


def script(
    ui: Ui,
    file: Annotated[str, argument(..., "FILE", "a script, or a game file; `-` is standard input")],
    output: Annotated[
        str, option(..., "-o", "--output", "FILE", "the new file; `-` for standard output", show_default=False)
    ],
    with_secret: bool = option(
        False, "--with-secret", "of a game file: its script may have the secret, even if that is not published yet"
    ),
    force: bool = option(False, "--force", "replace the file if it already exists"),
) -> None:
    """Turn a script into a game file, or a game file into a script.

    A script is a text with set-up and orders, which the program plays by the rules: the same script gives the same game
    every time. The program writes nothing if a script has problems. The script of a game is tried before it is written.

    Examples:
      adjudicator script table-talk.txt -o race.json
      adjudicator script race.json -o race.txt --with-secret
    """
    ui.guard([file], {"-o": output}, force)
    played, game = _opened(ui, file)
    if played is None:
        assert game is not None
        _export(ui, game, file, output, with_secret=with_secret, force=force)
        return
    if with_secret:
        raise MisuseError(f"name a game file for --with-secret: {file} is a script")
    if game is None or played.problems:
        _tell_problems(ui, played)
        ui.warn("nothing was written")
        return

    ui.write(output, game.to_bytes())
    wrong, orders, turns = tuple(map(divergence_text, played.divergences)), len(played.accepted), game.record.turn - 1
    if not ui.as_json:
        _tell_problems(ui, played)
    if output != "-":
        ui.show(
            ImportedScript(file=output, game=game.id, orders=orders, turns=turns, disagreements=wrong),
            f"{output}: {game.meta.name}, game {game.id}, {count(orders, 'order')} in {turns} turns",
        )


def _export(ui: Ui, game: Game, file: str, output: str, *, with_secret: bool, force: bool) -> None:
    """Write ``game``, from the game file ``file``, as a script with the files beside it, after a trial run."""
    try:
        exported = game.script("" if output == "-" else Path(output).stem, with_secret=with_secret)
    except adj.CannotExportError as error:
        ui.code = PROBLEMS
        ui.warn(f"adjudicator: {file}: {error}\nnothing was written")
        return
    if output == "-":
        ui.send(exported.text.encode())
        return
    beside = {Path(output).parent / name: data for name, data in exported.files.items()}
    for path, data in beside.items():
        if path.exists() and not (force or _has(path, data)):
            raise MisuseError(f"use --force to replace {path}, which already exists: the script needs a file of that name")
    for path, data in beside.items():
        if not _has(path, data):
            ui.write(str(path), data)
    ui.write(output, exported.text.encode())
    lines = [f"{output}: {game.meta.name}, game {game.id}, {count(game.record.turn - 1, 'turn')}"]
    lines += [f"  beside it   {name}" for name in exported.files]
    if game.pending_counts:
        lines.append("  the script leaves out the pending orders")
    files = tuple(exported.files)
    ui.show(
        ExportedScript(file=output, game=game.id, turns=game.record.turn - 1, beside=files),
        "\n".join(lines),
    )


def _has(path: Path, data: bytes) -> bool:
    """Return whether the file already has this ``data``, as after a run that was interrupted before the script."""
    try:
        return path.is_file() and path.read_bytes() == data
    except OSError:
        return False
