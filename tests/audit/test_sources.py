"""Files, folders, archives, URLs: audited in a stable order, within limits, nothing written, nothing lost without a word."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import struct
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.archive import find, write_archive
from adjudicator.audit import AuditResult, Skipped
from tests.drivers.records import small as game_of

Pack = Callable[..., Path]
DEEP = 250
SMALL = game_of("checkpoint-rally")


def zstd(data: bytes) -> bytes:
    return import_module("adjudicator.archive.store").Codec().pack(data)  # type: ignore[no-any-return]


def audited(*paths: object) -> list[AuditResult]:
    return list(adj.audit_files([str(path) for path in paths], jobs=0))


def outcome(result: AuditResult) -> str:
    if isinstance(result, Skipped):
        return "skipped"
    return "verified" if result.divergence is None else str(result.divergence.kind)


def outcomes(*paths: object) -> list[str]:
    """Return for each result how it came out: ``UNREAD`` for what was not looked at."""
    return [outcome(one).replace("not looked at", "UNREAD") for one in audited(*paths)]


def words(result: AuditResult) -> str:
    if isinstance(result, Skipped):
        return result.reason
    return result.divergence.recomputed if result.divergence else "verified"


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    """Write a zip archive: name → bytes, packed."""

    def write(members: dict[str, bytes], name: str = "games.zip", method: int = zipfile.ZIP_DEFLATED) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w", method) as archive:
            for member, data in members.items():
                archive.writestr(member, data)
        return tmp_path / name

    return write


# Folders -------------------------------------------------------------------------------------------------------------


def test_paths_in_their_order_and_folders_by_name(tmp_path: Path) -> None:
    for name in ("b/2.json", "b/10.json", "b/sub/1.json", "b/a.json.zst", "a.json", "c.JSON", "notes.txt", "b/._2.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(SMALL)
    in_b = [str(tmp_path / name) for name in ("b/10.json", "b/2.json", "b/a.json.zst", "b/sub/1.json")]
    assert [one.source for one in audited(tmp_path / "c.JSON", tmp_path / "b")] == [str(tmp_path / "c.JSON"), *in_b]
    whole = [str(tmp_path / "a.json"), *in_b, str(tmp_path / "c.JSON"), str(tmp_path / "notes.txt")]
    assert [one.source for one in audited(tmp_path)] == whole
    (tmp_path / "empty").mkdir()
    assert audited(tmp_path / "empty") == []


def test_links_pipes_and_files_that_are_gone(tmp_path: Path) -> None:
    """Links to folders are followed only where they are named, and nobody waits for a pipe."""
    games = tmp_path / "games"
    games.mkdir()
    (games / "1.json").write_bytes(SMALL)
    (tmp_path / "2.json").write_bytes(SMALL)
    for name, to in (
        ("loop", games),
        ("up", tmp_path),
        ("good.json", tmp_path / "2.json"),
        ("gone.json", tmp_path / "3.json"),
    ):
        (games / name).symlink_to(to)
    for name in ("self.json", "self"):
        (games / name).symlink_to(games / name)
    os.mkfifo(games / "pipe.json")
    (tmp_path / "named").symlink_to(games)
    found = {Path(one.source).name: outcome(one) for one in audited(games)}
    unread = "not looked at"
    assert found == {
        "1.json": "verified",
        "good.json": "verified",
        "gone.json": unread,
        "self.json": unread,
        "loop": "skipped",
        "up": "skipped",
        "pipe.json": "skipped",
    }
    assert sorted(outcomes(tmp_path / "named")) == sorted(outcomes(games))
    assert "a link to a folder" in next(words(one) for one in audited(games) if one.source.endswith("loop"))
    assert "no such file" in words(audited(tmp_path / "nowhere.json")[0])
    assert outcomes(tmp_path / "nowhere.zip") == ["UNREAD"]


def test_an_archive_that_is_written_to_is_not_opened_under_any_name(tmp_path: Path) -> None:
    """To close it would end the locks that this process has on it."""
    (tmp_path / "own.adjudicator.db").write_bytes(b"open me")
    (tmp_path / "linked.zip").symlink_to(tmp_path / "own.adjudicator.db")
    (tmp_path / "other.tar").hardlink_to(tmp_path / "own.adjudicator.db")
    (tmp_path / "game.json").write_bytes(b"{}")
    paths = [str(tmp_path), str(tmp_path / "other.tar"), "memory://nowhere/x.json"]
    found = [Path(one.name).name for one in find.find(paths, without=str(tmp_path / "linked.zip"))]
    assert found == ["game.json", "x.json"]


def test_files_that_are_no_games_are_skipped_but_a_named_one_is_judged(tmp_path: Path) -> None:
    for name, data in (
        *(("position.json", b'{"seats": [], "board": []}'), ("list.json", b"[1, 2]"), ("torn.json", SMALL[:2000])),
        *(("half.json", b'{"journal": []}'), ("empty.json", b"")),
    ):
        (tmp_path / name).write_bytes(data)
    found = {Path(one.source).name: outcome(one) for one in audited(tmp_path)}
    assert found == {
        "position.json": "skipped",
        "list.json": "skipped",
        **dict.fromkeys(("torn.json", "half.json", "empty.json"), "damaged"),
    }
    assert outcomes(tmp_path / "position.json") == ["damaged"]


def test_a_folder_that_cannot_be_listed_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b.json").write_bytes(SMALL)
    scan = os.scandir

    def refuse(path: str) -> Any:
        if str(path).endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    results = audited(tmp_path)
    assert [outcome(one) for one in results] == ["not looked at", "verified"]
    assert words(results[0]) == "this folder cannot be read: Permission denied"


def test_a_very_deep_folder(tmp_path: Path) -> None:
    """A path too long for the system is told; the folders are taken away again, as pytest could not do it."""
    here = os.getcwd()
    try:
        os.chdir(tmp_path)
        for _ in range(DEEP):
            os.mkdir("d" * 20)
            os.chdir("d" * 20)
        Path("deep.json").write_bytes(SMALL)
        os.chdir(here)
        (result,) = audited(tmp_path)
        assert "cannot be read" in words(result)
    finally:
        os.chdir(tmp_path)
        for _ in range(DEEP):
            os.chdir("d" * 20)
        Path("deep.json").unlink()
        for _ in range(DEEP):
            os.chdir("..")
            os.rmdir("d" * 20)
        os.chdir(here)


def test_standard_input_and_sources_found_as_they_are_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SMALL)))
    (found,) = audited("-")
    assert (found.source, outcome(found)) == ("standard input", "verified")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.json").write_bytes(SMALL)
    results = adj.audit_files([tmp_path / "a", tmp_path / "b"], jobs=0)
    assert outcome(next(results)) == "verified"
    (tmp_path / "b").mkdir()
    assert list(results) == []


# Zip archives --------------------------------------------------------------------------------------------------------


def test_members_of_an_archive(pack: Pack, tmp_path: Path) -> None:
    path = pack({"readme.txt": b"x", "b/1.json": SMALL, "a.json": SMALL, "b/": b"", "set.json": b"{}"})
    assert [one.source for one in audited(path)] == [
        f"{path}/{name}" for name in ("readme.txt", "b/1.json", "a.json", "set.json")
    ]
    assert outcomes(path) == ["skipped", "verified", "verified", "skipped"]
    with zipfile.ZipFile(tmp_path / "twice.zip", "w") as archive:
        archive.writestr("a.json", SMALL)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.json", SMALL[:-30])
    assert outcomes(tmp_path / "twice.zip") == ["verified", "damaged"], "two members of one name are both read"


@pytest.mark.parametrize(
    "name", ["../up.json", "a/../../up.json", "/etc/up.json", "C:\\up.json", "..\\up.json", "C:up.json"]
)
def test_names_that_climb_out_are_told_and_go_nowhere(
    pack: Pack, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = pack({name: SMALL, "a.json": SMALL})
    monkeypatch.chdir(tmp_path)
    results = audited(path)
    assert [outcome(one) for one in results] == ["not looked at", "verified"]
    assert "leads out" in words(results[0])
    assert [item.name for item in tmp_path.iterdir()] == ["games.zip"]


def with_patch(path: Path, mark: bytes, offset: int, new: bytes, times: int = 1) -> Path:
    """Overwrite some bytes behind each of the first ``times`` marks."""
    data, at = bytearray(path.read_bytes()), -1
    for _ in range(times):
        at = data.index(mark, at + 1)
        data[at + offset : at + offset + len(new)] = new
    path.write_bytes(bytes(data))
    return path


HOSTILE: dict[str, tuple[Callable[[Pack], Path], list[str], str]] = {
    "an archive within an archive": (
        lambda pack: pack({"inner.zip": pack({"a.json": SMALL}, "inner.zip").read_bytes(), "b.json": SMALL}),
        *(["UNREAD", "verified"], "within an archive"),
    ),
    "a bomb": (
        lambda pack: pack({"bomb.json": b" " * 20_000_000, "a.json": SMALL}),
        *(["UNREAD", "verified"], "100 times"),
    ),
    "a file that is too large": (
        lambda pack: pack({"large.json": b" " * 70_000_000, "a.json": SMALL}, method=zipfile.ZIP_STORED),
        *(["UNREAD", "verified"], "not opened: it unpacks to more than 64 MB"),
    ),
    "a bomb that hides its size": (
        lambda pack: with_patch(
            pack({"bomb.json": b" " * 20_000_000, "a.json": SMALL}), b"PK\x01\x02", 24, struct.pack("<I", 1_000)
        ),
        *(["damaged", "verified"], ""),
    ),
    "a packer that cannot be bounded": (
        lambda pack: pack({"a.json": SMALL}, method=zipfile.ZIP_BZIP2),
        *(["UNREAD"], "unusual way"),
    ),
    "another": (lambda pack: pack({"a.json": SMALL}, method=zipfile.ZIP_LZMA), ["UNREAD"], "unusual way"),
    "an encrypted member": (
        lambda pack: with_patch(
            with_patch(pack({"a.json": SMALL}), b"PK\x03\x04", 6, b"\x01"), b"PK\x01\x02", 8, b"\x01"
        ),
        *(["UNREAD"], "encrypted"),
    ),
    "a compressed bomb": (
        lambda pack: pack({"bomb.json.zst": zstd(b" " * 5_000_000) * 20, "a.json": SMALL}),
        *(["UNREAD", "verified"], "100 times"),
    ),
    "a file of nothing but brackets": (  # each empty list is three bytes in a file, and twenty times that in memory
        lambda pack: pack(
            {
                "dense.json": b'{"format": 2, "ruleset": {"id": "checkpoint-rally"}, "journal": ['
                + b"[]," * 400_000
                + b"[]]         }",
                "a.json": SMALL,
            },
            method=zipfile.ZIP_STORED,
        ),
        *(["damaged", "verified"], "far more brackets"),
    ),
    "no archive at all": (lambda pack: with_patch(pack({"a.json": SMALL}), b"PK\x05\x06", 0, b"xxxx"), ["damaged"], "zip"),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_costs_no_other_game_its_verdict(what: str, pack: Pack) -> None:
    make, verdicts, told = HOSTILE[what]
    results = audited(make(pack))
    assert [outcome(one).replace("not looked at", "UNREAD") for one in results] == verdicts
    assert told in words(results[0])


def test_members_that_overlap_are_unpacked_once(pack: Pack) -> None:
    """A small archive whose list names the same bytes a hundred times."""
    path = pack({"a.json": SMALL})
    data = path.read_bytes()
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 100, 100, 100 * (end - start), start, 0)
    path.write_bytes(data[:start] + 100 * data[start:end] + tail)
    results = audited(path)
    assert [outcome(one) for one in results].count("verified") < 4
    assert outcome(results[-1]) == "damaged"


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.999])
def test_an_archive_cut_off(pack: Pack, kept: float) -> None:
    path = pack({"a.json": SMALL, "b.json": SMALL})
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * kept)])
    assert [words(one) for one in audited(path)] == ["the file is damaged or cut off: File is not a zip file"]


def test_archives_with_bytes_changed_anywhere(pack: Pack) -> None:
    path, seen = pack({"a.json": SMALL, "b.json": SMALL}), set[str]()
    data, chosen = path.read_bytes(), random.Random(1)
    for position in [*chosen.sample(range(len(data)), 40), *range(len(data) - 180, len(data), 3)]:
        path.write_bytes(data[:position] + bytes([data[position] ^ 1 << chosen.randrange(8)]) + data[position + 1 :])
        seen |= {outcome(one) for one in audited(path)}
    assert {"verified", "damaged", "not looked at"} <= seen <= {"verified", "damaged", "not looked at", "skipped"}


def test_limits_of_archives(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    path = pack({f"{number}.json": SMALL for number in range(4)})
    monkeypatch.setattr(find, "TOTAL", 2 * len(SMALL) + 1)
    results = audited(path)
    assert [outcome(one) for one in results] == ["verified", "verified", "not looked at"]
    assert words(results[2]) == "the rest was not opened: the archive unpacks to more than 0 MB"
    monkeypatch.setattr(find, "MEMBERS", 1)
    assert words(audited(path)[-1]) == "the rest was not opened: the archive has more than 1 members"
    monkeypatch.setattr(find, "LARGEST", 100)
    assert "its list of members has more than" in words(audited(path)[0])


# Compressed files ----------------------------------------------------------------------------------------------------


def test_compressed_games_sound_and_damaged(tmp_path: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = zstd(SMALL)
    (tmp_path / "a.json.zst").write_bytes(packed)
    (tmp_path / "b.json.zst").write_bytes(zstd(SMALL[:100]) + zstd(SMALL[100:]))
    pack({"c.json.zst": packed})
    assert outcomes(tmp_path) == ["verified"] * 3
    assert adj.open(tmp_path / "b.json.zst").to_bytes() == SMALL
    bad = tmp_path / "bad"
    bad.mkdir()
    for number, data in enumerate((b"", packed[: len(packed) // 2], b"x" + packed, packed[:-5], SMALL)):
        (bad / f"{number}.json.zst").write_bytes(data)
    assert outcomes(bad) == ["damaged"] * 5
    (bad / "bomb.json.zst").write_bytes(zstd(b" " * 80_000_000))
    assert words(audited(bad / "bomb.json.zst")[0]) == (
        "not opened: it unpacks to more than 100 times its size, so it is not a game"
    )
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    missing = "pip install zstandard" if sys.version_info >= (3, 14) else "pip install 'pbem-adjudicator[archive]'"
    assert missing in words(audited(tmp_path / "a.json.zst")[0])


# Tar archives --------------------------------------------------------------------------------------------------------

EMPTY = tarfile.TarInfo("a.json").tobuf()


def tar_of(path: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w") as tar:
        for info, data in members:
            info.size = info.size or len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def extra(kind: bytes, data: bytes) -> bytes:
    """Return a header of that ``kind`` with its ``data``, as it stands before the header of a member."""
    info = tarfile.TarInfo("extra")
    info.type, info.size = kind, len(data)
    return info.tobuf() + data + bytes(-len(data) % tarfile.BLOCKSIZE)


def packed_tar(path: Path, content: bytes) -> list[str]:
    """Return what is found in the packed tar file with this ``content``: names, and why the rest is not opened."""
    path.write_bytes(gzip.compress(content + bytes(2 * tarfile.BLOCKSIZE)))
    return [words(one) if one.source == str(path) else one.source[-7:] for one in audited(path)]


def test_names_links_and_sizes_in_a_tar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tarfile.TarInfo("link.json")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    out, inner, large = (tarfile.TarInfo(name) for name in ("../up.json", "inner.zip", "large.json"))
    monkeypatch.setattr(find, "LARGEST", 100)
    path = tar_of(tmp_path / "x.tar", [(link, b""), (out, b"{}"), (inner, b"x"), (large, b" " * 101)])
    assert [words(one) for one in audited(path)] == [
        "its name leads out of the archive: not opened",
        "an archive within an archive: not opened; please unpack it first",
        "not opened: it unpacks to more than 0 MB, so it is not a game",
    ]
    monkeypatch.setattr(find, "TOTAL", 100)
    assert "the rest" in words(audited(path)[-1])


def test_what_is_no_tar_and_a_torn_one(tmp_path: Path) -> None:
    for name in ("x.tar", "x.tgz", "x.tar.zst"):
        (tmp_path / name).write_bytes(b"no archive at all" * 100)
    assert outcomes(tmp_path) == ["damaged"] * 3
    whole = tar_of(tmp_path / "y.tar", [(tarfile.TarInfo(f"{n}.json"), SMALL) for n in range(3)]).read_bytes()
    (tmp_path / "y.tar").write_bytes(whole[: len(whole) // 2])
    first, *_, last = audited(tmp_path / "y.tar")
    assert (outcome(first), "damaged or cut off" in words(last)) == ("verified", True)


SPARSE = extra(tarfile.XHDTYPE, b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n")
"""The extra before a file with holes, whose list comes first in the file."""


@pytest.mark.parametrize(
    ("member", "why"),
    [
        (extra(tarfile.GNUTYPE_SPARSE, b""), "sparse"),
        (SPARSE + extra(tarfile.REGTYPE, b"1\n0\n0\n"), "sparse"),
        (SPARSE + extra(tarfile.REGTYPE, b"999999\n" + b"0\n" * 999_999), "its headers unpack to far more"),
        (SPARSE + EMPTY, "damaged or cut off"),
        (extra(tarfile.GNUTYPE_LONGNAME, b"name") * 2000 + EMPTY, "recursion"),
        (extra(tarfile.XHDTYPE, b"1" * 300_000) + EMPTY, "its headers unpack to far more"),
        (extra(tarfile.GNUTYPE_LONGNAME, bytes(8 * 1024 * 1024)), "its headers unpack to far more"),
    ],
)
def test_odd_headers_end_the_archive_and_not_the_audit(tmp_path: Path, member: bytes, why: str) -> None:
    """The list of the holes of a sparse file was read however long it was; nested extras ended the program."""
    first, last = packed_tar(tmp_path / "x.tgz", EMPTY + member + EMPTY)
    assert (first, why in last) == ("/a.json", True)


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        (EMPTY * 1000, 39),
        ((extra(tarfile.XHDTYPE, b"6 a=b\n" * 1000) + EMPTY) * 100, 2),
        ((extra(tarfile.GNUTYPE_LONGNAME, b"n" * 9000 + b".json") + EMPTY) * 100, 1),
    ],
)
def test_headers_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, headers: bytes, found: int) -> None:
    """200 KB with 99,000 headers cost ten seconds, 300 KB with their extras forty-seven."""
    monkeypatch.setattr(find, "HEADERS", 20_000)
    *opened, last = packed_tar(tmp_path / "x.tgz", headers)
    assert len(opened) == found
    assert last == "its headers unpack to far more than those of games: the rest of it is not opened"


# URLs ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def archive_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two games as files and in archives of every kind."""
    folder = tmp_path_factory.mktemp("archives")
    (folder / "loose").mkdir()
    for n in (1, 2):
        (folder / "loose" / f"{n}.json").write_bytes(SMALL)
    tar_of(folder / "games.tar", [(tarfile.TarInfo(f"{n}.json"), SMALL) for n in (1, 2)])
    (folder / "games.tar.zst").write_bytes(zstd((folder / "games.tar").read_bytes()))
    (folder / "games.tgz").write_bytes(gzip.compress((folder / "games.tar").read_bytes()))
    with zipfile.ZipFile(folder / "games.zip", "w") as archive:
        for n in (1, 2):
            archive.writestr(f"{n}.json", SMALL)
    write_archive(str(folder / "games.adjudicator.db"), [str(folder / "loose")], lambda _: None)
    (folder / "old.jsonl.zst").write_bytes(zstd(b"".join(old_line(f"{n}.json", SMALL) for n in (7, 8))))
    return folder


def old_line(name: str, data: bytes) -> bytes:
    """Return a game as archives of version 1.0.0 have it."""
    line = {"hash": sha256(data).hexdigest(), "name": name, "text": data.decode()}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("games.adjudicator.db#1", "1.json"),
        ("games.adjudicator.db#1.json", "1.json"),
        ("old.jsonl.zst#7", "7.json"),
        ("old.jsonl.zst#8.json", "8.json"),
        ("old.jsonl.zst#1", "7.json"),
    ],
)
def test_one_game_of_an_archive(archive_folder: Path, path: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive_folder)
    (result,) = audited(path)
    assert (result.source, outcome(result)) == (f"{path.partition('#')[0]}#{name}", "verified")
    assert adj.open(path).id == adj.open(SMALL).id
    for missing in (f"{path}9", path.partition("#")[0]):
        with pytest.raises(adj.FileProblem, match=r"no game in this archive|name one game of this archive"):
            adj.open(missing)


def told(head: str) -> list[tuple[str, str]]:
    return sorted((one.source.removeprefix(head).lstrip("/"), outcome(one)) for one in audited(head))


def test_what_is_behind_a_url_is_what_is_in_the_folder(archive_folder: Path) -> None:
    pytest.importorskip("fsspec", reason="URLs need fsspec: pip install 'pbem-adjudicator[cluster]'")
    there = told(str(archive_folder))
    assert [verdict for _, verdict in there] == ["verified"] * 14
    assert told(archive_folder.as_uri()) == told(archive_folder.as_uri() + "/") == there
    for name in ("games.zip", "games.tar.zst", "games.adjudicator.db", "old.jsonl.zst"):
        assert outcomes(f"{archive_folder.as_uri()}/{name}") == ["verified"] * 2
    assert outcomes(f"{archive_folder.as_uri()}/games.adjudicator.db#2") == ["verified"]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("file:///nowhere/at/all", "there is nothing there"),
        ("nosuch://x/y", "such URLs need another package, or cannot be read: "),
        ("file:///nowhere/games.adjudicator.db", "there is nothing there"),
    ],
)
def test_a_url_that_leads_nowhere_is_told(url: str, why: str) -> None:
    pytest.importorskip("fsspec", reason="URLs need fsspec: pip install 'pbem-adjudicator[cluster]'")
    assert [why in words(one) for one in audited(url)] == [True]


def test_what_installs_the_library_is_told_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    assert ["pip install 'pbem-adjudicator[cluster]'" in words(one) for one in audited("s3://games/")] == [True]


@pytest.fixture
def bucket(archive_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the URL of a bucket with the archives, on a server of this machine that speaks S3."""
    server = pytest.importorskip("moto.server", reason="the test of S3 needs moto: pip install -e '.[test-storage]'")
    s3fs = pytest.importorskip("s3fs", reason="the test of S3 needs s3fs: pip install -e '.[test-storage]'")
    running = server.ThreadedMotoServer("127.0.0.1", 0)
    running.start()
    host, port = running.get_host_and_port()
    for name, value in (
        *(("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test"), ("AWS_DEFAULT_REGION", "us-east-1")),
        ("AWS_ENDPOINT_URL", f"http://{host}:{port}"),
    ):
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    system = s3fs.S3FileSystem()
    system.mkdir("games")
    for path in archive_folder.rglob("*.*"):
        system.put_file(str(path), f"games/2024/{path.relative_to(archive_folder)}")
    yield "s3://games/2024"
    running.stop()


def test_object_storage_is_audited(archive_folder: Path, bucket: str) -> None:
    assert told(bucket) == told(str(archive_folder))
