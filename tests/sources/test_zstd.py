"""Zstandard by every library that is here: the same frames, the same limits, the same errors."""

from __future__ import annotations

import io
import sys
import tracemalloc
from importlib.util import find_spec

import pytest

from adjudicator.files.errors import CannotRead
from adjudicator.sources import zstd
from adjudicator.sources.zstd import BadZstdError, Unpacker

TEXT = b"PLACE H3 at C2 rot 90\n" * 1000
MAGIC = b"\x28\xb5\x2f\xfd"
LIBRARIES = {
    "standard": (zstd._Standard, "compression.zstd" if sys.version_info >= (3, 14) else "compression"),
    "package": (zstd._Package, "zstandard"),
}


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the code use one library; where it is not here, the tests of it are skipped."""
    made, module = LIBRARIES[request.param]
    if find_spec(module) is None:
        pytest.skip(f"this Python has no {module}")
    monkeypatch.setattr(zstd, "_library", made)
    return str(request.param)


def unpacked(packed: bytes) -> bytes:
    unpacker = Unpacker(io.BytesIO(packed))
    return b"".join(iter(lambda: unpacker.read(1 << 20), b""))


def frame(descriptor: int, header: bytes, *blocks: bytes) -> bytes:
    """Return a frame with raw ``blocks``, laid out by hand as RFC 8878 has it."""
    laid = [
        ((len(block) << 3) | (number == len(blocks))).to_bytes(3, "little") + block for number, block in enumerate(blocks, 1)
    ]
    return MAGIC + bytes([descriptor]) + header + b"".join(laid)


def window(log: int) -> bytes:
    return bytes([(log - 10) << 3])


def skippable(payload: bytes) -> bytes:
    return (0x184D2A50).to_bytes(4, "little") + len(payload).to_bytes(4, "little") + payload


@pytest.mark.parametrize("other", LIBRARIES)
def test_what_one_library_packs_the_other_unpacks(library: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    packer = zstd.packer(9)
    packed = [zstd.pack(TEXT, 12), packer.compress(TEXT) + packer.flush()]
    assert all(len(one) < 200 for one in packed)
    assert all(one[4] & 4 for one in packed)  # the checksum flag
    if find_spec(LIBRARIES[other][1]) is None:
        pytest.skip("only one library is here")
    monkeypatch.setattr(zstd, "_library", LIBRARIES[other][0])
    assert [unpacked(one) for one in packed] == [TEXT, TEXT]


def test_a_whole_text_declares_its_size(library: str) -> None:
    assert zstd.pack(TEXT, 12)[4] == 0x40 | 0x20 | 4  # the size in two bytes, in a single segment, with a checksum
    assert zstd.pack(TEXT, 12)[5:7] == (len(TEXT) - 256).to_bytes(2, "little")


def test_frames_one_after_the_other_and_frames_to_be_skipped(library: str) -> None:
    whole = zstd.pack(b"one ", 3) + skippable(b"index") + zstd.pack(b"", 3) + zstd.pack(b"two", 3) + skippable(b"")
    assert unpacked(whole) == b"one two"
    assert unpacked(skippable(b"x" * 100_000)) == b""


@pytest.mark.parametrize("log", [26, 27])
def test_the_window_has_a_limit(library: str, log: int) -> None:
    greedy = frame(0, window(log), b"x" * 1000)
    if log == 26:
        assert unpacked(greedy) == b"x" * 1000
        return
    with pytest.raises(BadZstdError, match="memory"):
        unpacked(greedy)


def test_a_window_is_limited_that_is_declared_as_the_size_of_a_single_segment(library: str) -> None:
    with pytest.raises(BadZstdError):
        unpacked(frame(0x20 | 0xC0, (1 << 30).to_bytes(8, "little"), b"x" * 1000))


def test_a_dictionary_that_nobody_has(library: str) -> None:
    with pytest.raises(BadZstdError, match=r"(?i)dictionary"):
        unpacked(frame(1, window(20) + b"\x07", b"x" * 1000))


@pytest.mark.parametrize(
    "damaged",
    [
        b"rubbish, and no frame at all",
        frame(0, window(20), b"x") + b"rubbish after it",
        frame(0x08, window(20), b"reserved bit"),
        MAGIC + b"\x00" + window(20) + b"\x07\x00\x00",
    ],
)
def test_what_is_no_frame(library: str, damaged: bytes) -> None:
    with pytest.raises(BadZstdError):
        unpacked(damaged)


def test_a_wrong_checksum(library: str) -> None:
    packed = bytearray(zstd.pack(TEXT, 3))
    packed[-1] ^= 1
    with pytest.raises(BadZstdError, match=r"(?i)checksum"):
        unpacked(bytes(packed))


def test_a_size_declared_is_not_believed(library: str) -> None:
    """A frame that declares 2 GB in a window of 1 MB is read as far as it goes, in the memory of what is asked for."""
    lying = frame(0xC0, window(20) + (1 << 31).to_bytes(8, "little"), b"x" * 1000, b"y" * 1000)
    tracemalloc.start()
    try:
        with pytest.raises(BadZstdError):
            unpacked(lying)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_a_read_gives_no_more_than_it_was_asked_for(library: str) -> None:
    """A bomb is unpacked as far as somebody reads it."""
    bomb, taken = zstd.pack(bytes(50_000_000), 12), 0

    class Counted(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            nonlocal taken
            data = super().read(size)
            taken += len(data)
            return data

    tracemalloc.start()
    reader = Unpacker(Counted(bomb * 1000))
    assert len(reader.read(1000)) <= 1000
    assert len(reader.read(1_000_000)) <= 1_000_000
    assert tracemalloc.get_traced_memory()[1] < 1 << 24
    tracemalloc.stop()
    assert taken <= 1 << 18 < 1000 * len(bomb)


def test_which_library_is_taken() -> None:
    assert type(zstd._library()) is (zstd._Standard if sys.version_info >= (3, 14) else zstd._Package)


def test_without_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    words = "pip install zstandard" if sys.version_info >= (3, 14) else r"pip install 'pbem-adjudicator\[archive\]'"
    for use in (lambda: zstd.pack(b"", 3), lambda: zstd.packer(3), lambda: Unpacker(io.BytesIO())):
        with pytest.raises(CannotRead, match=words):
            use()
