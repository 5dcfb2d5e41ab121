"""Tar archives, plain or packed: read as a stream, within limits."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from adjudicator.audit import tars
from adjudicator.audit.archives import Opener
from adjudicator.audit.candidates import Source, Unopened
from adjudicator.audit.sources import find_sources
from adjudicator.store.errors import Untrusted


def tar_of(path: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> str:
    with tarfile.open(path, "w") as tar:
        for info, data in members:
            info.size = info.size or len(data)
            tar.addfile(info, io.BytesIO(data))
    return str(path)


@pytest.mark.parametrize("name", ["games.tar", "games.tgz", "games.tar.zst", "games.zip"])
def test_every_kind_of_archive_has_the_same_games_in_any_order(archives: Path, games: dict[str, bytes], name: str) -> None:
    sources = [source for source in find_sources([str(archives / name)]) if isinstance(source, Source)]
    with Opener() as opener:
        for source in (*sources, *reversed(sources)):
            assert opener.read(source) == games[source.name.rpartition("/")[2]]
    assert len(sources) == 4


def test_a_torn_tar_has_its_first_games(archives: Path) -> None:
    *_, last = found = list(find_sources([str(archives / "torn.tar")]))
    assert len(found) > 1
    assert isinstance(last, Unopened) and "damaged, or cut off" in last.why


def test_what_is_no_tar(tmp_path: Path) -> None:
    for name in ("x.tar", "x.tgz", "x.tar.zst"):
        (tmp_path / name).write_bytes(b"no archive at all" * 100)
        (found,) = find_sources([str(tmp_path / name)])
        assert isinstance(found, Unopened)


def test_names_links_and_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tarfile.TarInfo("link.json")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    out, inner, large = tarfile.TarInfo("../up.json"), tarfile.TarInfo("inner.zip"), tarfile.TarInfo("large.json")
    monkeypatch.setattr(tars, "LARGEST", 100)
    path = tar_of(tmp_path / "x.tar", [(link, b""), (out, b"{}"), (inner, b"x"), (large, b" " * 101)])
    words = [found.why if isinstance(found, Unopened) else found.name for found in find_sources([path])]
    assert words == [
        "its name leads out of the archive: not opened",
        "an archive within an archive: not opened; please unpack it first",
        "it has 0 MB; a packed game may have 0 MB",
    ]
    monkeypatch.setattr(tars, "TOTAL", 100)
    assert "the rest of it is not opened" in [one.why for one in find_sources([path]) if isinstance(one, Unopened)][-1]


def test_a_header_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    long = tarfile.TarInfo("x.json")
    long.type, long.size = tarfile.GNUTYPE_LONGNAME, 8 * 1024 * 1024
    path = tar_of(tmp_path / "x.tar", [(long, bytes(8 * 1024 * 1024))])
    (found,) = find_sources([path])
    assert isinstance(found, Unopened) and "more than a megabyte" in found.why


def test_a_member_that_is_not_there(archives: Path) -> None:
    with Opener() as opener, pytest.raises(Untrusted, match="it has no member 99"):
        opener.read(Source("x", str(archives / "games.tar"), 99))
