"""Files, folders, archives: found in a stable order, within limits, nothing written, nothing lost without a word."""

from __future__ import annotations

import io
import os
import random
import struct
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.audit import audit_source
from adjudicator.audit.run import audit_sources
from adjudicator.files.errors import Untrusted
from adjudicator.sources import archives
from adjudicator.sources.candidates import Source, Unopened
from adjudicator.sources.find import find_sources
from adjudicator.sources.zstd import MISSING, packer
from adjudicator.sources.zstd import pack as pack_zstd
from adjudicator.verdict import AuditResult, Kind, Skipped, Verdict

Pack = Callable[..., Path]
_DEEP = 250


def found(*paths: object) -> list[str]:
    """Return what is found, those not opened with why."""
    return [item.name if isinstance(item, Source) else f"{item.name}: {item.why}" for item in find_sources(map(str, paths))]


def audited(*paths: object) -> list[AuditResult]:
    return list(audit_sources(find_sources(map(str, paths))))


def outcomes(results: Iterable[AuditResult]) -> list[str]:
    """Return for each result how it came out, in a word."""
    return [
        ("skipped" if isinstance(item, Skipped) else item.divergence.kind if item.divergence else "verified")
        for item in results
    ]


def words(result: AuditResult) -> str:
    if isinstance(result, Skipped):
        return result.why
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


def test_paths_in_their_order_folders_by_name(tmp_path: Path, small: bytes) -> None:
    for name in ("b/2.json", "b/10.json", "b/sub/1.json", "b/a.json.zst", "a.json", "c.JSON", "notes.txt", "b/._2.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(small)
    names = ["b/10.json", "b/2.json", "b/a.json.zst", "b/sub/1.json"]
    in_b = [str(tmp_path / name) for name in names]
    assert found(tmp_path / "c.JSON", tmp_path / "b") == [str(tmp_path / "c.JSON"), *in_b]
    assert found(tmp_path) == [str(tmp_path / "a.json"), *in_b, str(tmp_path / "c.JSON"), str(tmp_path / "notes.txt")]


def test_a_folder_in_which_there_is_nothing(tmp_path: Path) -> None:
    assert found(tmp_path) == []


def test_links_to_folders_are_followed_only_where_they_are_named(tmp_path: Path, small: bytes) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "1.json").write_bytes(small)
    (tmp_path / "games" / "loop").symlink_to(tmp_path / "games")
    (tmp_path / "games" / "up").symlink_to(tmp_path)
    (tmp_path / "named").symlink_to(tmp_path / "games")
    assert outcomes(audited(tmp_path / "games")) == ["verified", "skipped", "skipped"]
    assert outcomes(audited(tmp_path / "named")) == ["verified", "skipped", "skipped"]
    assert "a link to a folder" in found(tmp_path / "games")[1]


def test_links_to_files_are_files(tmp_path: Path, small: bytes) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "1.json").write_bytes(small)
    (tmp_path / "games" / "good.json").symlink_to(tmp_path / "1.json")
    (tmp_path / "games" / "gone.json").symlink_to(tmp_path / "2.json")
    (tmp_path / "games" / "self.json").symlink_to(tmp_path / "games" / "self.json")
    (tmp_path / "games" / "self").symlink_to(tmp_path / "games" / "self")
    assert outcomes(audited(tmp_path / "games")) == [Kind.UNREAD, "verified", Kind.UNREAD]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    assert outcomes(audited(tmp_path)) == ["skipped"]


def test_files_that_are_no_games_are_passed_over_but_a_named_one_is_judged(tmp_path: Path, small: bytes) -> None:
    (tmp_path / "position.json").write_text('{"seats": [], "board": []}')
    (tmp_path / "list.json").write_text("[1, 2]")
    (tmp_path / "torn.json").write_bytes(small[: len(small) // 2])
    (tmp_path / "half.json").write_text('{"journal": []}')
    (tmp_path / "empty.json").write_text("")
    results = {str(item.source).rpartition("/")[2]: item for item in audited(tmp_path)}
    assert isinstance(results["position.json"], Skipped)
    assert isinstance(results["list.json"], Skipped)
    assert all(isinstance(results[name], Verdict) for name in ("torn.json", "half.json", "empty.json"))
    assert outcomes(audited(tmp_path / "position.json")) == [Kind.DAMAGED]


def test_what_is_not_there(tmp_path: Path) -> None:
    (nothing,) = audited(tmp_path / "nowhere.json")
    assert "no such file" in words(nothing)
    assert outcomes(audited(tmp_path / "nowhere.zip")) == [Kind.UNREAD]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="here everything may be read")
def test_a_folder_that_may_not_be_read(tmp_path: Path, small: bytes) -> None:
    (tmp_path / "a").mkdir(mode=0)
    (tmp_path / "b.json").write_bytes(small)
    assert outcomes(audited(tmp_path)) == [Kind.UNREAD, "verified"]


def test_a_folder_that_cannot_be_listed_stops_nothing(tmp_path: Path, small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b.json").write_bytes(small)
    scan = os.scandir

    def refuse(path: str) -> Any:
        if str(path).endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    results = audited(tmp_path)
    assert outcomes(results) == [Kind.UNREAD, "verified"]
    assert words(results[0]) == "this folder cannot be read: Permission denied"


def test_a_very_deep_folder(tmp_path: Path, small: bytes) -> None:
    """A path too long for the system is told; the folders are taken away again, as pytest could not do it."""
    here = os.getcwd()
    try:
        os.chdir(tmp_path)
        for _ in range(_DEEP):
            os.mkdir("d" * 20)
            os.chdir("d" * 20)
        Path("deep.json").write_bytes(small)
        os.chdir(here)
        (result,) = audited(tmp_path)
        assert "cannot be read" in words(result)
    finally:
        os.chdir(tmp_path)
        for _ in range(_DEEP):
            os.chdir("d" * 20)
        Path("deep.json").unlink()
        for _ in range(_DEEP):
            os.chdir("..")
            os.rmdir("d" * 20)
        os.chdir(here)


def test_members_of_an_archive(pack: Pack, small: bytes) -> None:
    path = pack({"readme.txt": b"x", "b/1.json": small, "a.json": small, "b/": b"", "set.json": b"{}"})
    assert found(path) == [f"{path}/readme.txt", f"{path}/b/1.json", f"{path}/a.json", f"{path}/set.json"]
    assert outcomes(audited(path)) == ["skipped", "verified", "verified", "skipped"]


def test_two_members_of_one_name_are_both_read(tmp_path: Path, small: bytes) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a.json", small)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.json", small[:-30])
    assert outcomes(audited(tmp_path)) == ["verified", Kind.DAMAGED]


@pytest.mark.parametrize(
    "name", ["../up.json", "a/../../up.json", "/etc/up.json", "C:\\up.json", "..\\up.json", "C:up.json"]
)
def test_names_that_climb_out_are_told_and_go_nowhere(
    pack: Pack, small: bytes, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = pack({name: small, "a.json": small})
    monkeypatch.chdir(tmp_path)
    results = audited(path)
    assert outcomes(results) == [Kind.UNREAD, "verified"]
    assert "leads out" in words(results[0])
    assert [item.name for item in tmp_path.iterdir()] == ["games.zip"]


def test_an_archive_within_an_archive_is_not_opened_and_that_is_said(pack: Pack, small: bytes) -> None:
    inner = pack({"a.json": small}, "inner.zip").read_bytes()
    results = audited(pack({"inner.zip": inner, "b.json": small}))
    assert outcomes(results) == [Kind.UNREAD, "verified"]
    assert "within an archive" in words(results[0])


def test_a_bomb_in_an_archive_is_not_unpacked(pack: Pack, small: bytes) -> None:
    results = audited(pack({"bomb.json": b" " * 20_000_000, "large.json": b" " * 70_000_000, "a.json": small}))
    assert outcomes(results) == [Kind.UNREAD, Kind.UNREAD, "verified"]
    assert "100 times" in words(results[0])
    assert words(results[1]) == "not opened: it unpacks to 66 MB, and the limit is 64 MB"


def test_a_bomb_that_hides_its_size(pack: Pack, small: bytes) -> None:
    path = pack({"bomb.json": b" " * 20_000_000, "a.json": small})
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 1_000)
    path.write_bytes(bytes(data))
    assert outcomes(audited(path)) == [Kind.DAMAGED, "verified"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packers_that_cannot_be_bounded(pack: Pack, small: bytes, method: int) -> None:
    (result,) = audited(pack({"a.json": small}, method=method))
    assert "unusual way" in words(result)


def test_limits_of_an_archive(pack: Pack, small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    path = pack({f"{number}.json": small for number in range(4)})
    monkeypatch.setattr(archives, "TOTAL", 2 * len(small) + 1)
    results = audited(path)
    assert outcomes(results) == ["verified", "verified", Kind.UNREAD]
    assert "the rest" in words(results[2])
    monkeypatch.setattr(archives, "MEMBERS", 3)
    (result,) = audited(path)
    assert words(result) == "not opened: the archive has 4 members, and the limit is 3"


def test_an_encrypted_member(pack: Pack, small: bytes) -> None:
    path = pack({"a.json": small})
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(bytes(data))
    assert "encrypted" in words(audited(path)[0])


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_an_archive_cut_off(pack: Pack, small: bytes, kept: float) -> None:
    path = pack({"a.json": small, "b.json": small})
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * kept)])
    (result,) = audited(path)
    assert words(result) == "this is not a zip archive, or it is cut off"


def test_archives_with_bytes_changed_anywhere(pack: Pack, small: bytes) -> None:
    path = pack({"a.json": small, "b.json": small})
    data, chosen = path.read_bytes(), random.Random(1)
    ends = list(range(len(data) - 180, len(data)))
    for position in [*chosen.sample(range(len(data)), 150), *ends]:
        spoiled = bytearray(data)
        spoiled[position] ^= 1 << chosen.randrange(8)
        path.write_bytes(bytes(spoiled))
        for result in audited(path):
            assert isinstance(result, (Verdict, Skipped))
            assert words(result) is not None


def test_an_archive_that_is_gone_when_its_turn_comes(pack: Pack, small: bytes) -> None:
    path = pack({"a.json": small})
    sources = list(find_sources([str(path)]))
    path.unlink()
    assert outcomes(audit_sources(sources)) == [Kind.UNREAD]


def zstd(data: bytes) -> bytes:
    return pack_zstd(data, 3)


def test_a_compressed_game(tmp_path: Path, small: bytes, pack: Pack) -> None:
    packed = zstd(small)
    (tmp_path / "a.json.zst").write_bytes(packed)
    (tmp_path / "b.json.zst").write_bytes(zstd(small[:100]) + zstd(small[100:]))
    pack({"c.json.zst": packed})
    assert outcomes(audited(tmp_path)) == ["verified"] * 3


@pytest.mark.parametrize("declares", [True, False])
def test_a_compressed_bomb(tmp_path: Path, declares: bool) -> None:
    size = 80_000_000
    writer = packer(3)
    packed = b"".join([*(writer.compress(b" " * 1_000_000) for _ in range(size // 1_000_000)), writer.flush()])
    if declares:
        packed = zstd(b" " * size)
    assert len(packed) < 100_000
    (tmp_path / "bomb.json.zst").write_bytes(packed)
    (result,) = audited(tmp_path)
    assert words(result) == "not opened: it unpacks to more than 100 times its size, so it is not a game"


def test_a_compressed_bomb_within_an_archive(pack: Pack, small: bytes) -> None:
    """What counts is how many bytes it has in the archive: packed twice it would be out of all proportion."""
    once = zstd(b" " * 5_000_000)
    results = audited(pack({"bomb.json.zst": once * 20, "a.json": small}))
    assert outcomes(results) == [Kind.DAMAGED, "verified"]
    assert "100 times" in words(results[0])


def test_no_more_is_unpacked_than_is_needed_to_see_that_it_is_too_much() -> None:
    class Endless:
        taken = 0

        def read(self, size: int) -> bytes:
            self.taken += size
            return b" " * size

    stream = Endless()
    with pytest.raises(Untrusted, match="100 times"):
        archives._limited("x", stream, 20_000)
    assert stream.taken < 3_000_000


def test_a_file_of_nothing_but_lists_is_not_built(pack: Pack, small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 5.6 KB took more than 3 GB: each empty list is three bytes in a file, and twenty times that in memory."""
    chosen = random.Random(1)
    lists = b"[" + b",".join(b"[" + b"%d" % chosen.randrange(10**9) + b"]" for _ in range(200_000)) + b"]"
    assert len(lists) > archives.SMALL
    dense = (
        b'{"format": 2, "ruleset": {"id": "checkpoint-rally"}, "journal": [' + b"[]," * 400_000 + b"[]]" + b" " * 9 + b"}"
    )
    parsed: list[int] = []
    monkeypatch.setattr(audit_source, "_parsed", lambda data: parsed.append(len(data)))
    path = pack({"lists.json": lists, "dense.json": dense, "a.json": small}, method=zipfile.ZIP_STORED)
    results = audited(path)
    assert outcomes(results)[1:] == [Kind.DAMAGED, "verified"]
    assert "far more brackets" in words(results[1])
    assert len(dense) not in parsed


def test_members_that_overlap(pack: Pack, small: bytes) -> None:
    """A small archive whose list names the same bytes a hundred times would be unpacked a hundred times."""
    path = pack({f"{number}.json": small for number in range(3)})
    data = bytearray(path.read_bytes())
    at = -1
    for _ in range(3):
        at = data.index(b"PK\x01\x02", at + 1)
        data[at + 42 : at + 46] = struct.pack("<I", 0)
    path.write_bytes(bytes(data))
    other = pack({"a.json": small}, name="other.zip")
    results = audited(path, other)
    assert outcomes(results) == [Kind.DAMAGED, "verified"]
    assert words(results[0]) == "not opened: its members overlap, which no normal archive does"


def test_a_list_of_members_that_is_too_long_is_not_read(pack: Pack, small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    path = pack({f"{number}.json": small for number in range(30)})
    assert outcomes(audited(path)) == ["verified"] * 30
    monkeypatch.setattr(archives, "DIRECTORY", 1_000)
    monkeypatch.setattr(archives, "ZipFile", None)
    (result,) = audited(path)
    assert "its list of members has more than" in words(result)


def test_compressed_files_that_are_damaged(tmp_path: Path, small: bytes) -> None:
    packed = zstd(small)
    for number, data in enumerate((b"", packed[: len(packed) // 2], b"x" + packed, packed[:-5], small)):
        (tmp_path / f"{number}.json.zst").write_bytes(data)
    assert outcomes(audited(tmp_path)) == [Kind.DAMAGED] * 5


def test_without_the_extra_it_is_named(tmp_path: Path, small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "a.json.zst").write_bytes(b"anything")
    (tmp_path / "b.json").write_bytes(small)
    results = audited(tmp_path)
    assert outcomes(results) == [Kind.UNREAD, "verified"]
    assert MISSING in words(results[0])


def test_standard_input(small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(small)))
    (source,) = find_sources(["-"])
    assert isinstance(source, Source)
    assert (source.name, source.is_named) == ("standard input", True)
    assert outcomes(audit_sources([source])) == ["verified"]


def test_sources_are_found_as_they_are_needed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.json").write_text("{}")
    sources = find_sources([str(tmp_path / "a"), str(tmp_path / "b")])
    assert isinstance(next(sources), Source)
    (tmp_path / "b").mkdir()
    assert list(sources) == []


def test_a_mishap_that_loses_no_game_has_no_kind() -> None:
    assert Unopened("a", "b").kind is Kind.UNREAD
    assert outcomes(audit_sources([Unopened("a", "b", None), Unopened("c", "d")])) == ["skipped", Kind.UNREAD]
