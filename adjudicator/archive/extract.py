"""Extract games of an archive as files, and check them against the index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import repeat
from pathlib import Path

from adjudicator.archive.make import GameCopy, Omission
from adjudicator.files.atomic import write_atomic
from adjudicator.files.errors import Untrusted
from adjudicator.results import ArchivedGame
from adjudicator.sources.archive_lines import BadLineError, pack_game
from adjudicator.sources.archive_reader import ArchiveReader
from adjudicator.sources.candidates import leads_out
from adjudicator.sources.game_archives import find


def extract_games(
    archive: ArchiveReader, folder: str | Path, games: Sequence[str] = (), *, force: bool = False
) -> Iterator[GameCopy | Omission]:
    """Write the ``games`` (name, id or number; without any, all) into ``folder``, each under its name; yield each result.

    Existing files stay, unless with ``force``. Raises ``CannotRead`` for an unknown game, ``CannotWrite``.
    """
    for number in [find(archive, which) for which in games] if games else range(1, archive.games + 1):
        source = f"{archive.name}#{number}"
        try:
            name, data = archive.read(number)
            parts = name.replace("\\", "/").split("/")
            if leads_out(name) or not all(parts) or not name.isprintable():
                raise ValueError("its name leads out of the folder, or is not a valid file name")
            source, target = f"{archive.name}#{name}", Path(folder, *parts)
            if target.exists() and not force:
                is_same = target.is_file() and target.read_bytes() == data
                yield (
                    GameCopy(source, str(target), is_same=True) if is_same else Omission(source, f"{target} already exists")
                )
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
        except Untrusted as error:
            yield Omission(source, error.violations[0].message)
            continue
        except (OSError, ValueError) as error:
            yield Omission(source, f"the file cannot be written: {getattr(error, 'strerror', None) or error}")
            continue
        write_atomic(target, data)
        yield GameCopy(source, str(target))


def check_archive(archive: ArchiveReader) -> Iterator[GameCopy | Omission]:
    """Compare each game in ``archive`` with the index and its hash; yield the results. The rules are not asked."""
    if archive.damage:
        yield Omission(archive.name, archive.damage)
    rows, names = _rows(archive), set[str]()
    for number in range(1, archive.games + 1):
        source, row = f"{archive.name}#{number}", next(rows)
        try:
            name, data = archive.read(number)
        except Untrusted as error:
            yield Omission(source, error.violations[0].message)
            continue
        wrong = "" if archive.damage else _wrong_in_index(row, name, data)
        if not wrong and name in names:
            wrong = "another game of this archive has the same name"
        names.add(name)
        yield Omission(source, wrong) if wrong else GameCopy(source, name)


def _rows(archive: ArchiveReader) -> Iterator[ArchivedGame | None]:
    """Yield the index row of each game; ``None`` from the first damage on."""
    with suppress(Untrusted):
        yield from archive.rows()
    yield from repeat(None)


def _wrong_in_index(row: ArchivedGame | None, name: str, data: bytes) -> str:
    """Return the mistake of the index about the game ``name`` with the file ``data``; empty if it is right."""
    if row is None:
        return "the index is damaged"
    try:
        packed = pack_game(name, data).row
    except BadLineError as error:
        return str(error)
    for word in ("name", "hash", "size", "game", "ruleset"):
        told, there = getattr(row, word), getattr(packed, word)
        if told != there:
            return f"its {word} is {there}, but the index says {told}"
    return ""
