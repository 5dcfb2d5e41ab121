"""The command `archive`: many games in one file."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Final

from adjudicator.archive.add import Copied, GameCopy, check_archive, extract_games, misnamed, problem, write_archive
from adjudicator.archive.store import ENDING, OLD, open_archive
from adjudicator.cli.ui import UNTRUSTED, MisuseError, Ui, argument, is_same, option
from adjudicator.files.errors import Untrusted
from adjudicator.reports.sanitize import printable
from adjudicator.reports.texts import count_of
from adjudicator.results import ArchiveEnd

_MEGABYTE: Final = 1_000_000


def archive(
    ui: Ui,
    file: Annotated[str, argument(..., "ARCHIVE", "the archive, NAME.adjudicator.db")],
    paths: list[str] | None = argument(None, "[PATH]...", "the games to archive: files, folders, archives"),
    add: bool = option(False, "--add", "add the games to an archive, or make it"),
    check: bool = option(False, "--check", "check the file, unpack every game and compare it with its row"),
    extract: str | None = option(None, "--extract", "DIR", "write the games as files into this folder"),
    game: list[str] | None = option(
        None, "--game", "GAME", "with --extract: only this game, by name, id or number [repeatable]"
    ),
    output: str | None = option(
        None, "-o", "--output", "NEW", "convert ARCHIVE, such as one of version 1.0.0 (.jsonl.zst), into this new archive"
    ),
    force: bool = option(False, "--force", "replace an existing archive or existing files"),
    quiet: bool = option(False, "--quiet", "-q", "list only games with problems"),
) -> None:
    """Keep many games in one small file.

    The file is an SQLite database. With PATHs the command makes an archive of all games that it finds there, byte for byte;
    with --add it adds the new ones to an existing archive. Without PATHs it lists the archive. `audit` and `replay` can
    read a game in an archive as ARCHIVE#GAME. An interrupted run leaves the archive unchanged.

    Examples:
      adjudicator archive games.adjudicator.db archive/ old-games.zip
      adjudicator archive games.adjudicator.db more/ --add
      adjudicator archive games.adjudicator.db
      adjudicator archive games.adjudicator.db --check --quiet
      adjudicator archive games.adjudicator.db --extract out --game rally-042
      adjudicator archive old-games.jsonl.zst -o games.adjudicator.db

    Exit codes: 0 done, 2 wrong use, 3 a game was left out or is damaged.
    """
    ui.guard(paths or ())
    if output is not None and (paths or add or check or extract is not None):
        raise MisuseError("use -o without PATHs and without --add, --check and --extract: it converts the whole ARCHIVE")
    sources, target = ([file], output) if output is not None else (paths or [], file)
    if words := misnamed(target):
        is_kept = target.lower().endswith(OLD) and not sources
        hint = f"convert this archive first: `adjudicator archive {file} -o {file[: -len(OLD)]}{ENDING}`"
        raise MisuseError(hint if is_kept else words)
    if add and not paths:
        raise MisuseError("name the files or folders whose games --add should add")
    if paths and (check or extract is not None or game):
        raise MisuseError("leave out the PATHs: --check, --extract and --game work on an existing archive")
    if check and extract is not None:
        raise MisuseError("leave out --check: --extract also compares every game with its hash")
    if game and extract is None:
        raise MisuseError("use --game only with --extract; `replay` and `audit` read ARCHIVE#GAME")
    if any(is_same(path, target) for path in sources):
        raise MisuseError("leave the archive itself out of the PATHs: it cannot contain itself")
    counts: Counter[str] = Counter()

    def note(one: Copied) -> None:
        if isinstance(one, GameCopy):
            counts["same" if one.is_same else "changed"] += 1
        else:
            counts["problems"] += 1
            ui.show(one, printable(f"problem  {one.source}  {one.wrong}"))

    if sources:
        with ui.progress("archived") as advance:

            def notify(one: Copied) -> None:
                note(one)
                advance()

            write_archive(target, sources, notify, add=add, force=force)
    with open_archive(target) as opened:
        games, loose = opened.totals()
        if sources:
            done = "added" if add else "made"
        elif check or extract is not None:
            done = "checked" if check else "extracted"
            found = check_archive(opened) if check else extract_games(opened, extract or "", game or [], force=force)
            for one in ui.each(found, "games", games):
                note(one)
        else:
            done = "listed"
            for row in () if quiet else opened.rows():
                if isinstance(row, Untrusted):
                    note(problem(row))
                else:
                    line = f"{row.n:>7,}  {row.size:>10,}  {row.ruleset or '–'}  {row.game or '–'}  {row.name}"
                    ui.show(row, printable(line))
        end = ArchiveEnd(
            file=target,
            task=done,
            games=games,
            taken=counts["changed"] if done in ("made", "added", "extracted") else 0,
            same=counts["same"],
            unsound=counts["problems"],
            size=opened.size,
            loose=loose,
            folder=extract or "",
        )
    times = f": {end.loose / end.size:.1f} times smaller than its games, {_size(end.loose)}" if end.loose > end.size else ""
    lines = [f"{end.file}: {count_of(end.games, 'game')}, {_size(end.size)}{times}"]
    same = f", {end.same:,} there already" if end.same else ""
    if done in ("made", "added"):
        lines.append(f"{count_of(end.taken, 'game')} put in{same}")
    if done == "extracted":
        lines.append(f"{count_of(end.taken, 'game')} written to {end.folder}{same}")
    if end.unsound:
        lines.append(f"{end.unsound:,} could not be added or read: see above")
    elif done == "checked":
        lines.append("every game agrees with its row and with its hash")
    ui.show(end, "\n".join(lines))
    if counts["problems"]:
        ui.code = UNTRUSTED


def _size(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f} MB" if size >= _MEGABYTE else f"{size:,} bytes"
