"""An archive read: at random and by stream, as any Zstandard program reads it; and whatever may be wrong with it."""

from __future__ import annotations

import io
import json
import random
import struct
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from adjudicator.archive.writer import LEVEL, PackedBlock, archive_of, blocks_of, pack_block
from adjudicator.audit.run import audit_sources
from adjudicator.files.errors import CannotRead, CannotWrite, Untrusted
from adjudicator.sources import archive_frames as frames
from adjudicator.sources import archive_index as index
from adjudicator.sources import archive_reader as reader
from adjudicator.sources import zstd
from adjudicator.sources.archive_frames import Frame, seek_table, skippable
from adjudicator.sources.archive_index import IndexWriter
from adjudicator.sources.archive_lines import PackedGame, pack_game, unpack_game
from adjudicator.sources.archive_places import open_archive
from adjudicator.sources.archive_reader import ArchiveReader
from adjudicator.sources.find import find_sources
from adjudicator.store import schema
from adjudicator.verdict import Kind, Skipped


def verdicts(path: object) -> dict[str, str]:
    """Return what the audit of an archive came to: the name of each game, and `verified` or why not."""
    found = {}
    for result in audit_sources(find_sources([str(path)])):
        assert not isinstance(result, Skipped)
        words = "verified" if result.divergence is None else f"{result.divergence.kind}: {result.divergence.recomputed}"
        found[result.source.rpartition("/games.jsonl.zst")[2].lstrip("#")] = words
    return found


def pack(text: bytes) -> bytes:
    return zstd.pack(text, LEVEL)


def unpacked(packed: bytes) -> bytes:
    unpacker = zstd.Unpacker(io.BytesIO(packed))
    return b"".join(iter(lambda: unpacker.read(1 << 20), b""))


def test_any_zstandard_program_reads_json_lines(packed: bytes, games: dict[str, bytes]) -> None:
    lines = unpacked(packed).splitlines()
    assert {json.loads(line)["name"] for line in lines} == set(games)
    assert {name: data for name, _, data in map(unpack_game, lines)} == games


def test_at_random_by_number(opened: ArchiveReader, games: dict[str, bytes]) -> None:
    numbers = list(range(1, opened.games + 1))
    random.Random(1).shuffle(numbers)
    assert {opened.read(number) for number in numbers} == set(games.items())
    for number in (0, -1, opened.games + 1):
        with pytest.raises(Untrusted, match="the archive has no game"):
            opened.read(number)


def test_the_index_says_what_there_is(opened: ArchiveReader, games: dict[str, bytes]) -> None:
    rows = list(opened.rows())
    assert [(row.n, row.name, row.size) for row in rows] == [(n, *item) for n, item in enumerate(sizes(games), 1)]
    assert [row.n for row in opened.rows(3, 5)] == [3, 4, 5]
    assert [row.n for row in opened.rows(6)] == [6, 7]
    assert list(opened.rows(9)) == []
    assert {row.ruleset for row in rows} == {"checkered-flag", "great-race", "checkpoint-rally", ""}
    assert all(row.game == json.loads(games[row.name])["id"] for row in rows if row.ruleset)


def sizes(games: dict[str, bytes]) -> list[tuple[str, int]]:
    return [(name, len(data)) for name, data in games.items()]


def test_the_index_obeys_its_schema(packed: bytes) -> None:
    found = frames.frames_in_list(io.BytesIO(packed), len(packed))
    place, size = frames.skippable_payload(io.BytesIO(packed), found[-1], frames.INDEX_MAGIC)
    head, *rows = map(json.loads, unpacked(packed[place : place + size]).splitlines())
    valid = Draft202012Validator(json.loads(schema.text(schema.ARCHIVE_INDEX)))
    assert [error for row in (head, *rows) for error in valid.iter_errors(row)] == []
    assert head == {"archive": 1, "games": 7, "blocks": [2, 2, 2, 1]}
    assert not valid.is_valid({**head, "archive": "1"})


def test_the_list_of_blocks_is_that_of_the_seekable_format(packed: bytes) -> None:
    """As contrib/seekable_format of Zstandard has it: whatever reads that finds the blocks."""
    number, flags, magic = struct.unpack("<IBI", packed[-9:])
    assert (number, flags, magic) == (5, 0, 0x8F92EAB1)
    head = struct.unpack_from("<II", packed, len(packed) - 9 - 8 * number - 8)
    assert head == (0x184D2A5E, 8 * number + 9)
    at = 0
    for packed_size, size in struct.iter_unpack("<II", packed[-9 - 8 * number : -9]):
        if size:
            assert len(unpacked(packed[at : at + packed_size])) == size
        at += packed_size


def test_all_of_it_is_audited(archived: Path, games: dict[str, bytes]) -> None:
    found = verdicts(archived)
    assert list(found) == list(games)
    assert [name for name, words in found.items() if words != "verified"] == ["race.txt"]  # it diverges on purpose


def test_a_cut_archive_has_its_first_games(archived: Path, packed: bytes, games: dict[str, bytes]) -> None:
    archived.write_bytes(packed[:-20])
    whole = verdicts(archived)
    assert whole.pop("").startswith("damaged: the list of blocks at its end is missing; games that could be read: 7")
    assert list(whole) == list(games)
    second = frames.frames_in_list(io.BytesIO(packed), len(packed))[1]
    archived.write_bytes(packed[: second.at + second.packed - 1])
    cut = verdicts(archived)
    assert cut.pop("").startswith("damaged: the list of blocks at its end is missing; games that could be read: 2")
    assert list(cut.items()) == [(name, "verified") for name in list(games)[:2]]


def test_a_flipped_byte_costs_its_block_alone(archived: Path, packed: bytes, games: dict[str, bytes]) -> None:
    second = frames.frames_in_list(io.BytesIO(packed), len(packed))[1]
    for at in (second.at, second.at + second.packed // 2, second.at + second.packed - 1):
        flipped = bytearray(packed)
        flipped[at] ^= 0x10
        archived.write_bytes(flipped)
        found = verdicts(archived)
        names = list(games)
        assert {name for name, words in found.items() if words.startswith("damaged: block 2 is damaged")} == set(names[2:4])
        assert [found[name] for name in (*names[:2], *names[4:6])] == ["verified"] * 4


def test_no_flipped_byte_anywhere_costs_other_games_their_verdict(
    archived: Path, packed: bytes, games: dict[str, bytes]
) -> None:
    """Whatever byte it is: at most the games of one block are not read, no wrong game is, and it is never passed over."""
    chosen = random.Random(7)
    for at in sorted(chosen.sample(range(len(packed)), 60)) + list(range(len(packed) - 60, len(packed))):
        flipped = bytearray(packed)
        flipped[at] ^= 1 << chosen.randrange(8)
        with closing(ArchiveReader(io.BytesIO(flipped), "x")) as archive:
            read, lost = {}, 0
            for number in range(1, archive.games + 1):
                try:
                    name, data = archive.read(number)
                except Untrusted:
                    lost += 1
                else:
                    read[name] = data
            assert read.items() <= games.items()
            assert len(games) - len(read) <= 2
            try:
                rows = [(row.name, row.hash) for row in archive.rows()]
            except Untrusted:
                rows = []
            whole = [(game.name, game.hash) for game in (pack_game(*item) for item in games.items())]
            assert archive.damage or lost or rows != whole or read == games  # a bit that nobody reads may be any


def test_without_an_index_blocks_are_found_again(packed: bytes, games: dict[str, bytes]) -> None:
    """Even where something has been written in between that is none."""
    found = frames.frames_in_list(io.BytesIO(packed), len(packed))
    torn = b"".join(packed[frame.at : frame.at + frame.packed] + b"\x28\xb5\x2f\xfd rubbish" for frame in found[:-1])
    archive = ArchiveReader(io.BytesIO(torn), "x")
    assert archive.damage
    assert {archive.read(number) for number in range(1, archive.games + 1)} == set(games.items())


def made_of(*blocks: PackedBlock, head: bytes | None = None) -> ArchiveReader:
    """Return an archive whose index says what it likes."""
    whole = b"".join(archive_of("x", blocks))
    if head is not None:
        at, found = 0, []
        for block in blocks:
            found.append(Frame(at, len(block.packed), block.unpacked))
            at += len(block.packed)
        payload = skippable(frames.INDEX_MAGIC, head)
        whole = whole[:at] + payload + seek_table([*found, Frame(at, len(payload), 0)])
    return ArchiveReader(io.BytesIO(whole), "x")


SMALL = [pack_game(f"{n}.json", b'{"n":%d}' % n) for n in range(3)]


def lying(row: PackedGame) -> Callable[[], bytes]:
    def head() -> bytes:
        writer = IndexWriter()
        for game in (SMALL[0], row, SMALL[2]):
            writer.add(game)
        writer.close_block(3)
        return writer.finish()

    return head


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"", "its index "),  # damaged, or cut off: the libraries differ
        (pack(b"[]\n"), "its index is damaged"),
        (pack(b"[" * 100_000), "its index is damaged"),
        (pack(b'{"archive":2,"games":3,"blocks":[3]}\n'), "its index is of format 2; this program reads 1"),
        (pack(b'{"archive":1,"games":4,"blocks":[3]}\n'), "two things about how many games"),
        (pack(b'{"archive":1,"games":0,"blocks":[]}\n'), "does not fit the list of its blocks"),
        (pack(b'{"archive":1,"games":3,"blocks":[3,0]}\n'), "its index is damaged"),
        (pack(b'{"archive":1,"games":3,"blocks":[true,2]}\n'), "its index is damaged"),
        (pack(b'{"archive":1,"games":3000000,"blocks":[3000000]}\n'), "3,000,000 games; an archive has up to 1,000,000"),
        (pack(b'{"archive":1,"games":3,"blocks":[3]}' + b" " * 20_000_000), "its index is damaged"),
    ],
)
def test_an_index_that_makes_no_sense(head: bytes, words: str) -> None:
    """The games are found without it."""
    archive = made_of(pack_block(SMALL), head=head)
    assert words in archive.damage
    assert [archive.read(number)[0] for number in (1, 2, 3)] == ["0.json", "1.json", "2.json"]


def test_an_index_that_lies_about_a_game() -> None:
    for name in ("other.json", "2.json"):
        row = PackedGame(name, SMALL[1].hash, "", "", SMALL[1].size, b"")
        archive = made_of(pack_block(SMALL), head=lying(row)())
        told = list(archive.rows())[1]
        with pytest.raises(Untrusted, match="game 2: its name or hash in the index differs from that in its block"):
            archive.read(2, told.name, told.hash)
    archive = made_of(pack_block(SMALL), head=lying(PackedGame("1.json", "0" * 64, "", "", 7, b""))())
    with pytest.raises(Untrusted, match="its name or hash in the index differs"):
        archive.read(2, hash_=list(archive.rows())[1].hash)


def test_an_index_that_ends_too_early_or_is_odd_in_the_middle() -> None:
    for rows in (b"", b"{}\n", b'{"n":2}\n', b"x" * 100_000):
        archive = made_of(pack_block(SMALL), head=pack(b'{"archive":1,"games":3,"blocks":[3]}\n' + rows))
        assert not archive.damage
        with pytest.raises(Untrusted, match="index is damaged"):
            list(archive.rows())
        assert archive.read(3)[0] == "2.json"


def test_a_block_with_another_number_of_games_than_the_index_says() -> None:
    archive = made_of(pack_block(SMALL), head=pack(b'{"archive":1,"games":2,"blocks":[2]}\n'))
    with pytest.raises(Untrusted, match="block 1 has 3 games, its index says 2"):
        archive.read(1)


def test_bombs_are_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that unpacks to more than it says, or says that it unpacks to more than a block may."""
    bomb = pack(bytes(50_000_000))
    assert len(bomb) < 10_000
    for said in (1000, 2**29):
        archive = made_of(PackedBlock(tuple(SMALL), bomb, said), pack_block(SMALL))
        with pytest.raises(Untrusted, match=r"block 1 is damaged: (it unpacks to more than|it says that 512 MB)"):
            archive.read(1)
        assert archive.read(4)[0] == "0.json"
    monkeypatch.setattr(reader, "_LARGEST_BLOCK", 1_000_000)
    with pytest.raises(Untrusted, match="it unpacks to more than the limit of 1,000,000 bytes"):
        frames_only(bomb).lines(0)
    monkeypatch.setattr(reader, "_UNLIMITED", 1_000_000)
    archive = made_of(PackedBlock(tuple(SMALL), bomb, 50_000_000))
    assert "it unpacks to more than 200 times its size" in archive.damage


def frames_only(bomb: bytes) -> ArchiveReader:
    """Return an archive whose list has one block of which nothing is known."""
    archive = made_of(pack_block(SMALL))
    archive._stream = io.BytesIO(bomb)
    archive._frames = [Frame(0, len(bomb))]
    return archive


def test_a_window_that_would_take_all_memory_is_refused() -> None:
    frame = b"\x28\xb5\x2f\xfd\0" + bytes([27 - 10 << 3]) + (1000 << 3 | 1).to_bytes(3, "little") + b"x" * 1000
    archive = made_of(PackedBlock(tuple(SMALL), frame, 1000))
    with pytest.raises(Untrusted, match="block 1 is damaged: it cannot be unpacked"):
        archive.read(1)


def test_a_list_of_blocks_that_claims_more_than_there_is(packed: bytes) -> None:
    for number in (0, 4, 2**31, 2**32 - 1):
        claimed = packed[:-9] + struct.pack("<IBI", number, 0, 0x8F92EAB1)
        archive = ArchiveReader(io.BytesIO(claimed), "x")
        assert archive.damage
        assert archive.games == 7


def test_what_is_no_archive_at_all(tmp_path: Path) -> None:
    for data in (b"", b"x", b"\x28\xb5\x2f\xfd" * 40_000, pack(b"no games\n"), random.Random(1).randbytes(100_000)):
        archive = ArchiveReader(io.BytesIO(data), "x")
        assert archive.damage
        assert archive.games == 0
        assert list(archive.rows()) == []
    with pytest.raises(CannotRead, match="no such file"):
        open_archive(str(tmp_path / "nowhere.jsonl.zst"))
    with pytest.raises(CannotRead, match="cannot be opened"):
        open_archive(str(tmp_path))


def test_no_more_games_than_an_archive_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.archive.writer.MOST_GAMES", 2)
    with pytest.raises(CannotWrite, match="an archive has up to 2 games: please make several"):
        b"".join(archive_of("x", [pack_block(SMALL)]))


def test_many_games_take_little_memory_to_list_and_to_find() -> None:
    """20,000 games in two hundred blocks: nothing is held but the block that was read last and the list of blocks."""
    import tracemalloc

    games = [PackedGame(f"{n:06}.json", "0" * 64, "", "", 1, b"") for n in range(100)]
    blocks = (PackedBlock(tuple(games), b"x", 1) for _ in range(200))
    whole = io.BytesIO(b"".join(archive_of("x", blocks)))
    tracemalloc.start()
    archive = ArchiveReader(whole, "x")
    assert sum(1 for _ in archive.rows()) == archive.games == 20_000
    assert next(archive.rows(19_999)).n == 19_999
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 3_000_000


def test_blocks_are_closed_by_games_and_by_bytes() -> None:
    many = [pack_game(f"{n}", b"{}") for n in range(130)]
    assert [len(block.rows) for block in blocks_of(many)] == [64, 64, 2]
    large = [pack_game(f"{n}", b'{"x":"' + b"x" * 3_000_000 + b'"}') for n in range(3)]
    assert [len(block.rows) for block in blocks_of(large)] == [1, 1, 1]


def test_a_disk_that_fails_is_told() -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    assert "Input/output error" in ArchiveReader(Failing(b"x" * 100), "x").damage


def test_what_installs_the_library_is_told_where_it_is_missing(archived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    (result,) = audit_sources(find_sources([str(archived)]))
    assert not isinstance(result, Skipped) and result.divergence is not None
    assert result.divergence.kind is Kind.UNREAD
    assert zstd.MISSING in result.divergence.recomputed


assert index.MOST_GAMES == frames.MOST_FRAMES


@pytest.mark.parametrize("descriptor", [number for number in range(256) if not number & 0x08])
def test_the_length_of_a_header_is_what_the_library_says(descriptor: int) -> None:
    library = pytest.importorskip("zstandard")
    head = b"\x28\xb5\x2f\xfd" + bytes([descriptor]) + bytes(13)
    assert frames._header_size(head) == library.frame_header_size(head)
