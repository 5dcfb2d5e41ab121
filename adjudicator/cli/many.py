"""The command `archive`: many games in one file."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import Annotated, Final

from adjudicator.archive import GameCopy, Omission, check_archive, extract_games, is_archive, open_archive, write_archive
from adjudicator.cli.results import ArchiveProblem
from adjudicator.cli.ui import UNTRUSTED, MisuseError, Ui, argument, is_same, option
from adjudicator.reports.texts import count_of
from adjudicator.results import ArchiveEnd

_MEGABYTE: Final = 1_000_000


def archive(
    ui: Ui,
    file: Annotated[str, argument(..., "ARCHIVE", "the archive, NAME.jsonl.zst")],
    paths: list[str] | None = argument(None, "[PATH]...", "the games to archive: files, folders, archives"),
    add: bool = option(False, "--add", "add the games to an existing archive"),
    check: bool = option(False, "--check", "unpack every game and compare it with its hash"),
    extract: str | None = option(None, "--extract", "DIR", "write the games as files into this folder"),
    game: list[str] | None = option(
        None, "--game", "GAME", "with --extract: only this game, by name, id or number [repeatable]"
    ),
    force: bool = option(False, "--force", "replace an existing archive or existing files"),
    quiet: bool = option(False, "--quiet", "-q", "list only games with problems"),
) -> None:
    """Keep many games in one small file.

    With PATHs the command makes an archive of all games that it finds there, byte for byte; with --add it adds the new ones
    to an existing archive. Without PATHs it lists the archive. `audit` and `replay` can read a game in an archive as
    ARCHIVE#GAME. An interrupted run leaves the archive unchanged.

    Examples:
      adjudicator archive games.jsonl.zst archive/ old-games.zip
      adjudicator archive games.jsonl.zst more/ --add
      adjudicator archive games.jsonl.zst
      adjudicator archive games.jsonl.zst --check --quiet
      adjudicator archive games.jsonl.zst --extract out --game rally-042

    Exit codes: 0 done, 2 wrong use, 3 a game was left out or is damaged.
    """
    ui.guard(paths or ())
    if not is_archive(file):
        raise MisuseError(f"give the archive a name like NAME.jsonl.zst, not {file}")
    if add and not paths:
        raise MisuseError("name the files or folders whose games --add should add")
    if paths and (check or extract is not None or game):
        raise MisuseError("leave out the PATHs: --check, --extract and --game work on an existing archive")
    if check and extract is not None:
        raise MisuseError("leave out --check: --extract also compares every game with its hash")
    if game and extract is None:
        raise MisuseError("use --game only with --extract; `replay` and `audit` read ARCHIVE#GAME")
    if any(is_same(path, file) for path in paths or ()):
        raise MisuseError("leave the archive itself out of the PATHs: it cannot contain itself")
    counts: Counter[str] = Counter()

    def note(one: GameCopy | Omission) -> None:
        if not isinstance(one, Omission):
            counts["same" if one.is_same else "changed"] += 1
        elif one.is_wrong:
            counts["problems"] += 1
            ui.show(ArchiveProblem(source=one.source, wrong=one.why), f"problem  {one.source}  {one.why}")

    if paths:
        with ui.progress("archived") as advance:

            def notify(one: GameCopy | Omission) -> None:
                note(one)
                advance()

            write_archive(file, paths, notify, add=add, force=force)
    with closing(open_archive(file)) as opened:
        if paths:
            done = "added" if add else "made"
        elif check or extract is not None:
            done = "checked" if check else "extracted"
            found = check_archive(opened) if check else extract_games(opened, extract or "", game or [], force=force)
            for one in ui.each(found, "games", opened.games if check else None):
                note(one)
        else:
            done = "listed"
            if opened.damage:
                note(Omission(opened.name, f"{opened.damage}; games that could be read: {opened.games:,}"))
            for row in () if quiet else opened.rows():
                ui.show(row, f"{row.n:>7,}  {row.size:>10,}  {row.ruleset or '–'}  {row.game or '–'}  {row.name}")
        end = ArchiveEnd(
            file=file,
            task=done,
            games=opened.games,
            taken=counts["changed"] if done in ("made", "added", "extracted") else 0,
            same=counts["same"],
            unsound=counts["problems"],
            size=opened.size,
            loose=sum(row.size for row in opened.rows()),
            folder=extract or "",
        )
    ui.show(end, _end_text(end))
    if counts["problems"]:
        ui.code = UNTRUSTED


def _end_text(end: ArchiveEnd) -> str:
    """Return the size of the archive, and the results of the command."""
    times = f": {end.loose / end.size:.1f} times smaller than its games, {_size(end.loose)}" if end.loose else ""
    lines = [f"{end.file}: {count_of(end.games, 'game')}, {_size(end.size)}{times}"]
    same = f", {end.same:,} there already" if end.same else ""
    if end.task in ("made", "added"):
        lines.append(f"{count_of(end.taken, 'game')} put in{same}")
    if end.task == "extracted":
        lines.append(f"{count_of(end.taken, 'game')} written to {end.folder}{same}")
    if end.unsound:
        lines.append(f"{end.unsound:,} could not be added or read: see above")
    elif end.task == "checked":
        lines.append("every game agrees with the index and with its hash")
    return "\n".join(lines)


def _size(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f} MB" if size >= _MEGABYTE else f"{size:,} bytes"
