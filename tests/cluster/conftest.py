"""Workers in this process, few small games in every kind of archive, and a storage server on this machine."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.archive.make import write_archive
from adjudicator.cluster.workers import Workers
from adjudicator.sources.zstd import pack

RECORDED = Path(__file__).parents[1] / "data" / "games" / "checkered-flag"


@pytest.fixture(scope="session")
def distributed() -> Any:
    """Return the library; where it is not installed, the tests that ask for it are skipped."""
    return pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")


@pytest.fixture(scope="session")
def pool(distributed: Any) -> Iterator[Workers]:
    """Return two workers that are threads of this process."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield Workers(client)


@pytest.fixture(scope="session")
def games() -> dict[str, bytes]:
    """Return four small games by name."""
    smallest = sorted(RECORDED.glob("recorded-*.json"), key=lambda path: path.stat().st_size)[:4]
    return {path.name: path.read_bytes() for path in smallest}


@pytest.fixture(scope="session")
def archives(games: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the games as files, in archives of every kind, and a damaged archive."""
    folder = tmp_path_factory.mktemp("archives")
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar, zipfile.ZipFile(folder / "games.zip", "w") as packed:
        for name, data in games.items():
            (folder / "loose").mkdir(exist_ok=True)
            (folder / "loose" / name).write_bytes(data)
            packed.writestr(name, data)
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    (folder / "games.tar").write_bytes(plain.getvalue())
    (folder / "games.tar.zst").write_bytes(pack(plain.getvalue(), 3))
    with tarfile.open(folder / "games.tgz", "w:gz") as tar:
        tar.add(folder / "loose", "inner")
    whole = folder / "games.jsonl.zst"
    write_archive(str(whole), [str(folder / "loose")], lambda _: None)
    (folder / "torn.jsonl.zst").write_bytes(whole.read_bytes()[:-30])
    (folder / "torn.tar").write_bytes(plain.getvalue()[: len(plain.getvalue()) // 2])
    return folder
