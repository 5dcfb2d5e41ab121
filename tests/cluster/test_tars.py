"""Tar archives, plain or packed: read as a stream, within limits."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from adjudicator.files.errors import Untrusted
from adjudicator.sources import tars
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source, Unopened
from adjudicator.sources.find import find_sources


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
    assert isinstance(last, Unopened) and "damaged or cut off" in last.why


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
        "not opened: it has 0 MB, and the limit is 0 MB",
    ]
    monkeypatch.setattr(tars, "TOTAL", 100)
    assert "the rest" in [one.why for one in find_sources([path]) if isinstance(one, Unopened)][-1]


def test_a_header_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    long = tarfile.TarInfo("x.json")
    long.type, long.size = tarfile.GNUTYPE_LONGNAME, 8 * 1024 * 1024
    path = tar_of(tmp_path / "x.tar", [(long, bytes(8 * 1024 * 1024))])
    (found,) = find_sources([path])
    assert isinstance(found, Unopened) and "more than a megabyte" in found.why


def test_a_member_that_is_not_there(archives: Path) -> None:
    with Opener() as opener, pytest.raises(Untrusted, match="the archive has no member 99"):
        opener.read(Source("x", str(archives / "games.tar"), 99))


# Small archives that unpack to a lot ----------------------------------------------------------------------------------

EMPTY = tarfile.TarInfo("a.json").tobuf()


def extra(kind: bytes, data: bytes) -> bytes:
    """Return a header of that ``kind`` with its ``data``, as it stands before the header of a member."""
    info = tarfile.TarInfo("extra")
    info.type, info.size = kind, len(data)
    return info.tobuf() + data + bytes(-len(data) % tarfile.BLOCKSIZE)


def packed(path: Path, content: bytes) -> list[str]:
    """Return what is found in the packed tar file with this ``content``: why it is not opened, or its name."""
    path.write_bytes(gzip.compress(content + bytes(2 * tarfile.BLOCKSIZE)))
    return [one.why if isinstance(one, Unopened) else one.name for one in find_sources([str(path)])]


def test_an_archive_unpacks_to_a_hundred_times_its_size_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = tarfile.TarInfo("zeros.bin")
    large.size = 300_000
    content = EMPTY + large.tobuf() + bytes(300_032) + EMPTY
    assert len(packed(tmp_path / "x.tgz", content)) == 2
    monkeypatch.setattr(tars, "LARGEST", 100_000)
    *opened, last = packed(tmp_path / "x.tgz", content)
    assert [name[-7:] for name in opened] == ["/a.json"]
    assert last == "the rest was not opened: the archive unpacks to more than 100 times its size"


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        (EMPTY * 5000, 40),
        ((extra(tarfile.XHDTYPE, b"6 a=b\n" * 1000) + EMPTY) * 100, 3),
        ((extra(tarfile.GNUTYPE_LONGNAME, b"n" * 9000 + b".json") + EMPTY) * 100, 2),
    ],
)
def test_headers_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, headers: bytes, found: int) -> None:
    """200 KB with 99,000 headers cost ten seconds, 300 KB with their extras forty-seven."""
    monkeypatch.setattr(tars, "HEADERS", 20_000)
    monkeypatch.setattr(tars, "HEADER_RATIO", 1)
    *opened, last = packed(tmp_path / "x.tgz", headers)
    assert len(opened) == found
    assert last == "its headers unpack to far more than those of games: the rest of it is not opened"


@pytest.mark.parametrize(
    ("member", "why"),
    [
        (extra(tarfile.GNUTYPE_SPARSE, b""), "sparse"),
        (extra(tarfile.XHDTYPE, b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n") + EMPTY, "sparse"),
        (extra(tarfile.GNUTYPE_LONGNAME, b"name") * 2000 + EMPTY, "recursion"),
    ],
)
def test_odd_headers_end_the_archive_and_not_the_audit(tmp_path: Path, member: bytes, why: str) -> None:
    """The list of the holes of a sparse file was read however long it was; nested extras ended the program."""
    first, last = packed(tmp_path / "x.tgz", EMPTY + member + EMPTY)
    assert first.endswith("/a.json")
    assert why in last
