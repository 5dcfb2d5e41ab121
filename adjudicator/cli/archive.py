"""The command `archive`: keep many games in one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import is_same, only_one_stdin
from adjudicator.cli.output import DONE, UNTRUSTED, MisuseError, leave, say_json, say_safely
from adjudicator.cli.progress import progress, with_progress

if TYPE_CHECKING:
    from adjudicator.archive import ArchiveReader, GameCopy, Omission


def archive(
    file: Annotated[str, typer.Argument(metavar="ARCHIVE", help="the archive, NAME.jsonl.zst", show_default=False)],
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="the games to archive: files, folders, archives", show_default=False),
    ] = None,
    add: Annotated[bool, typer.Option("--add", help="add the games to an existing archive")] = False,
    check: Annotated[bool, typer.Option("--check", help="unpack every game and compare it with its hash")] = False,
    extract: Annotated[
        str | None, typer.Option("--extract", metavar="DIR", help="write the games as files into this folder")
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="GAME", help="with --extract: only this game, by name, id or number [repeatable]"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="replace an existing archive or existing files")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="list only games with problems")] = False,
    as_json: Json = False,
) -> None:
    """Keep many games in one small file.

    With PATHs the command makes an archive of all games that it finds there, byte
    for byte; with --add it adds the new ones to an existing archive. Without PATHs
    it lists the archive. `audit` and `replay` can read a game in an archive as
    ARCHIVE#GAME. An interrupted run leaves the archive unchanged.

    Examples:
      adjudicator archive games.jsonl.zst archive/ old-games.zip
      adjudicator archive games.jsonl.zst more/ --add
      adjudicator archive games.jsonl.zst
      adjudicator archive games.jsonl.zst --check --quiet
      adjudicator archive games.jsonl.zst --extract out --game rally-042

    Exit codes: 0 done, 2 wrong use, 3 a game was left out or is damaged.
    """
    with explained(as_json=as_json):
        from adjudicator.archive import open_archive, write_archive

        _require_sense(file, paths or [], add=add, check=check, extract=extract, games=game or ())
        output = _Output(file, is_quiet=quiet, as_json=as_json)
        if paths:
            with progress("archived") as advance:

                def notify(one: GameCopy | Omission) -> None:
                    output.add(one)
                    advance()

                write_archive(file, paths, notify, add=add, force=force)
            with closing(open_archive(file)) as opened:
                output.end("added" if add else "made", opened)
        with closing(open_archive(file)) as opened:
            _look(opened, output, game or [], check=check, extract=extract, force=force)


def _require_sense(file: str, paths: list[str], *, add: bool, check: bool, extract: str | None, games: object) -> None:
    """Raise ``MisuseError`` if the arguments contradict each other."""
    from adjudicator.archive import is_archive

    only_one_stdin(*paths)
    if not is_archive(file):
        raise MisuseError(f"give the archive a name like NAME.jsonl.zst, not {file}")
    if add and not paths:
        raise MisuseError("name the files or folders whose games --add should add")
    if paths and (check or extract is not None or games):
        raise MisuseError("leave out the PATHs: --check, --extract and --game work on an existing archive")
    if check and extract is not None:
        raise MisuseError("leave out --check: --extract also compares every game with its hash")
    if games and extract is None:
        raise MisuseError("use --game only with --extract; `replay` and `audit` read ARCHIVE#GAME")
    if any(is_same(path, file) for path in paths):
        raise MisuseError("leave the archive itself out of the PATHs: it cannot contain itself")


def _look(
    opened: ArchiveReader, output: _Output, games: list[str], *, check: bool, extract: str | None, force: bool
) -> None:
    """List the games of the archive, or check them, or write them as files."""
    from adjudicator.archive import check_archive, extract_games

    if check:
        output.all(check_archive(opened), opened.games)
        output.end("checked", opened)
    if extract is not None:
        output.all(extract_games(opened, extract, games, force=force))
        output.end("extracted", opened, extract)
    output.list(opened)
    output.end("listed", opened)


class _Output:
    """Print each game of an archive, its problems, and at the end the counts."""

    def __init__(self, file: str, *, is_quiet: bool, as_json: bool) -> None:
        self._file, self._is_quiet, self._as_json = file, is_quiet, as_json
        self._counts: Counter[str] = Counter()

    def add(self, one: GameCopy | Omission) -> None:
        """Print the result for one game."""
        from adjudicator.archive import Omission
        from adjudicator.cli.results import ArchiveProblem

        if not isinstance(one, Omission):
            self._counts["same" if one.is_same else "changed"] += 1
        elif one.is_wrong:
            self._counts["problems"] += 1
            if self._as_json:
                say_json(ArchiveProblem(source=one.source, wrong=one.why))
            else:
                say_safely(f"problem  {one.source}  {one.why}")

    def all(self, games: Iterator[GameCopy | Omission], total: int | None = None) -> None:
        """Print the result for each of ``games``."""
        for one in with_progress(games, "games", total):
            self.add(one)

    def list(self, opened: ArchiveReader) -> None:
        """Print the archive's line for each game."""
        from adjudicator.archive import Omission
        from adjudicator.reports.cli.archives import row_text

        if opened.damage:
            self.add(Omission(opened.name, f"{opened.damage}; games that could be read: {opened.games:,}"))
        for row in opened.rows():
            if self._is_quiet:
                return
            if self._as_json:
                say_json(row)
            else:
                say_safely(row_text(row))

    def end(self, done: str, opened: ArchiveReader, folder: str = "") -> None:
        """Print the summary, and end the command."""
        from adjudicator.reports.cli.archives import end_text
        from adjudicator.results import ArchiveEnd

        loose = sum(row.size for row in opened.rows())
        counts = self._counts
        end = ArchiveEnd(
            file=self._file,
            task=done,
            games=opened.games,
            taken=counts["changed"] if done in ("made", "added", "extracted") else 0,
            same=counts["same"],
            unsound=counts["problems"],
            size=opened.size,
            loose=loose,
            folder=folder,
        )
        if self._as_json:
            say_json(end)
        else:
            say_safely(end_text(end))
        leave(UNTRUSTED if counts["problems"] else DONE)
