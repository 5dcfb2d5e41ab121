"""A few whole games of several rulesets, a script, and an archive of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from adjudicator.archive.writer import archive_of, pack_block
from adjudicator.sources.archive_lines import pack_game
from adjudicator.sources.archive_places import open_archive
from adjudicator.sources.archive_reader import ArchiveReader

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "data" / "games"


@pytest.fixture(scope="session")
def games() -> dict[str, bytes]:
    """Return the files of seven games, two of each of three rulesets and a script, by name."""
    chosen = sorted(
        path
        for ruleset in ("checkered-flag", "great-race", "checkpoint-rally")
        for path in sorted((RECORDED / ruleset).glob("recorded-*.json"), key=lambda path: path.stat().st_size)[:2]
    )
    found = {f"{path.parent.name}/{path.name}": path.read_bytes() for path in chosen}
    return {**found, "race.txt": (ROOT / "examples" / "checkpoint-rally" / "hand-kept" / "race.txt").read_bytes()}


@pytest.fixture(scope="session")
def packed(games: dict[str, bytes]) -> bytes:
    """Return the bytes of an archive of ``games`` in blocks of two."""
    lines = [pack_game(name, data) for name, data in games.items()]
    return b"".join(archive_of("games", (pack_block(lines[at : at + 2]) for at in range(0, len(lines), 2))))


@pytest.fixture
def archived(packed: bytes, tmp_path: Path) -> Path:
    """Return the archive as a file."""
    path = tmp_path / "games.jsonl.zst"
    path.write_bytes(packed)
    return path


@pytest.fixture
def opened(archived: Path) -> Iterator[ArchiveReader]:
    """Return the archive, opened."""
    with closing(open_archive(str(archived))) as reader:
        yield reader
