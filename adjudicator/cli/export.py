"""Write a game file as a script for `replay --export`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.cli.files import hold, is_same, write_new
from adjudicator.cli.output import PROBLEMS, MisuseError, leave, say_bytes, say_json, say_safely, warn
from adjudicator.core.values import Value

if TYPE_CHECKING:
    from adjudicator import ScriptExport
    from adjudicator.library.game import Game


class Export(Value):
    """The options of an export: the ``target``, whether to write the secret, to replace files, and to print JSON."""

    target: str
    with_secret: bool
    force: bool
    as_json: bool


def export(game: Game, file: str, wanted: Export) -> None:
    """Write ``game``, from the game file ``file``, as the ``wanted`` script, after a trial run."""
    from adjudicator import CannotExportError

    if wanted.target == "-" and wanted.as_json:
        raise MisuseError("name a file: --json and the script cannot both go to standard output")
    if is_same(file, wanted.target):
        raise MisuseError("name another file: the script would replace its game")
    folder, name = os.path.split(wanted.target)
    stem = "" if wanted.target == "-" else Path(name).stem
    try:
        exported = game.script(stem, with_secret=wanted.with_secret)
    except CannotExportError as error:
        warn(f"adjudicator: {file}: {error}")
        warn("nothing was written")
        leave(PROBLEMS)
    if wanted.target == "-":
        say_bytes(exported.text.encode())
        return
    for beside in exported.files:
        path = Path(folder, beside)
        if path.exists() and not (wanted.force or _is_same_file(path, exported.files[beside])):
            raise MisuseError(f"use --force to replace {path}, which already exists: the script needs a file of that name")
    for beside, data in exported.files.items():
        path = Path(folder, beside)
        if not _is_same_file(path, data):
            write_new(path, data, force=wanted.force)
            continue
        with hold(str(path)):
            pass  # a killed run may have left its lock, which this one removes
    write_new(Path(wanted.target), exported.text.encode(), force=wanted.force)
    _tell(game, exported, wanted)


def _is_same_file(path: Path, data: bytes) -> bool:
    """Return whether the file already has this ``data``, as after a run that was interrupted before the script."""
    try:
        return path.is_file() and path.read_bytes() == data
    except OSError:
        return False


def _tell(game: Game, exported: ScriptExport, wanted: Export) -> None:
    from adjudicator.cli.results import ExportedScript
    from adjudicator.core.phrases import count

    turns = game.record.turn - 1
    if wanted.as_json:
        files = tuple(exported.files)
        say_json(ExportedScript(file=wanted.target, game=game.id, turns=turns, exact=exported.is_exact, beside=files))
        return
    lines = [f"{wanted.target}: {game.meta.name}, game {game.id}, {count(turns, 'turn')}"]
    lines += [f"  beside it   {beside}" for beside in exported.files]
    if not exported.is_exact:
        lines.append(
            "  the secret is not published: each order has its outcomes in brackets\n"
            "  (--with-secret writes the secret instead)"
        )
    if game.pending_counts:
        lines.append("  the script leaves out the pending orders")
    say_safely("\n".join(lines))
