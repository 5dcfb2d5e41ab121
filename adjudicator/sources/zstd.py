"""Pack and unpack Zstandard with the standard library, or before Python 3.14 with the package ``zstandard``."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any, Final, Protocol

from adjudicator.files.errors import CannotRead

_WINDOW_LOG: Final = 26
"""The largest window of a frame, as a power of two: the unpacker keeps up to 64 MB in memory."""
MISSING: Final = (
    "archives need the extra `archive`: pip install 'pbem-adjudicator[archive]'"
    if sys.version_info < (3, 14)
    else "this Python was built without compression.zstd: pip install zstandard"
)
"""What to install where there is no library."""


class BadZstdError(ValueError):
    """Report bytes that are not Zstandard, are damaged, or need too much memory."""


class Stream(Protocol):
    """Something to read bytes from."""

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes; none at the end."""


class Packer(Protocol):
    """Packs pieces into one frame with a checksum."""

    def compress(self, data: bytes, /) -> bytes:
        """Take ``data`` into the frame, and return the part of the frame that is ready."""

    def flush(self) -> bytes:
        """Return the rest of the frame."""


def pack(data: bytes, level: int) -> bytes:
    """Return ``data`` as one frame with a checksum, which declares its size. Raises ``CannotRead`` without a library."""
    packed: bytes = _library().pack(data, level)
    return packed


def packer(level: int) -> Packer:
    """Return a packer for one frame. Raises ``CannotRead`` without a library."""
    made: Packer = _library().packer(level)
    return made


class Unpacker:
    """Reads the contents of the frames in a stream, one after the other, and skips the skippable frames.

    The sizes that frames declare do not count: a read takes up to the bytes it was asked for, and no more memory.
    """

    def __init__(self, stream: Stream) -> None:
        """Begin at the next byte of ``stream``. Raises ``CannotRead`` without a library."""
        library = _library()
        self._errors = (*library.errors, MemoryError)
        self._stream: Stream = library.reader(stream)

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes; none at the end. Raises ``BadZstdError``."""
        try:
            return self._stream.read(size)
        except self._errors as error:
            raise BadZstdError(str(error) or "it needs too much memory") from None


def _library() -> Any:
    if sys.version_info >= (3, 14):
        with suppress(ImportError):
            return _Standard()
    try:
        return _Package()
    except ImportError:
        raise CannotRead("this file", MISSING) from None


class _Standard:
    """``compression.zstd`` of the standard library."""

    def __init__(self) -> None:
        import compression.zstd

        self._zstd: Any = compression.zstd
        self.errors = (self._zstd.ZstdError, EOFError)

    def _options(self, level: int) -> Any:
        parameters = self._zstd.CompressionParameter
        return {parameters.compression_level: level, parameters.checksum_flag: 1}

    def pack(self, data: bytes, level: int) -> Any:
        return self._zstd.compress(data, options=self._options(level))

    def packer(self, level: int) -> Any:
        return self._zstd.ZstdCompressor(options=self._options(level))

    def reader(self, stream: Stream) -> Any:
        limits = {self._zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
        return self._zstd.ZstdFile(stream, options=limits)


class _Package:
    """The package ``zstandard``."""

    def __init__(self) -> None:
        import zstandard

        self._zstd: Any = zstandard
        self.errors = (self._zstd.ZstdError,)

    def pack(self, data: bytes, level: int) -> Any:
        return self._zstd.ZstdCompressor(level=level, write_checksum=True).compress(data)

    def packer(self, level: int) -> Any:
        return self._zstd.ZstdCompressor(level=level, write_checksum=True).compressobj()

    def reader(self, stream: Stream) -> Any:
        limited = self._zstd.ZstdDecompressor(max_window_size=1 << _WINDOW_LOG)
        return limited.stream_reader(stream, read_across_frames=True, closefd=False)
