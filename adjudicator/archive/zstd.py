"""Pack and unpack Zstandard with the standard library, or before Python 3.14 with the package ``zstandard``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from io import BytesIO
from typing import Any, Final

from adjudicator.files.errors import CannotRead

LEVEL: Final = 12
"""The level of compression: a higher one is many times slower and saves a twentieth."""
_WINDOW_LOG: Final = 26
"""The largest window of a frame, as a power of two: the unpacker keeps up to 64 MB in memory."""
_MISSING: Final = (
    "archives need the extra `archive`: pip install 'pbem-adjudicator[archive]'"
    if sys.version_info < (3, 14)
    else "this Python was built without compression.zstd: pip install zstandard"
)


class BadZstdError(ValueError):
    """Report bytes that are not Zstandard, are damaged, or need too much memory."""


class Unpacker:
    """Reads the contents of the frames in a stream, one after the other, and skips the skippable frames.

    The sizes that frames declare do not count: a read takes up to the bytes it was asked for, and no more memory.
    """

    def __init__(self, stream: Any, dictionary: Any = None) -> None:
        """Begin at the next byte of the binary ``stream``; `Codec` has the ``dictionary``. Raises ``CannotRead``."""
        zstd = _library()
        if hasattr(zstd, "ZstdFile"):
            limits = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
            self._stream = zstd.ZstdFile(stream, options=limits, zstd_dict=dictionary)
        else:
            unpacker = zstd.ZstdDecompressor(dict_data=dictionary, max_window_size=1 << _WINDOW_LOG)
            self._stream = unpacker.stream_reader(stream, read_across_frames=True, closefd=False)
        self.tell = self._stream.tell

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes; none at the end. Raises ``BadZstdError``."""
        with _explained():
            return bytes(self._stream.read(size))

    def seek(self, offset: int) -> int:
        """Skip to byte ``offset`` of the contents, which must lie ahead, and return it. Raises ``BadZstdError``."""
        with _explained():
            return int(self._stream.seek(offset))


class Codec:
    """Packs and unpacks bytes, each as one frame with a checksum.

    What repeats a part of the ``dictionary``, any bytes, takes hardly any space.
    """

    def __init__(self, dictionary: bytes = b"") -> None:
        """Prepare the ``dictionary``. Raises ``CannotRead`` without a library for Zstandard."""
        zstd, self._dictionary = _library(), None
        if hasattr(zstd, "ZstdFile"):
            self._dictionary = zstd.ZstdDict(dictionary, is_raw=True) if dictionary else None
            options = {zstd.CompressionParameter.compression_level: LEVEL, zstd.CompressionParameter.checksum_flag: 1}
            prepared = self._dictionary and self._dictionary.as_digested_dict
            self.pack: Callable[[bytes], bytes] = partial(zstd.compress, options=options, zstd_dict=prepared)
        else:
            if dictionary:
                self._dictionary = zstd.ZstdCompressionDict(dictionary, dict_type=zstd.DICT_TYPE_RAWCONTENT)
            self.pack = zstd.ZstdCompressor(level=LEVEL, dict_data=self._dictionary, write_checksum=True).compress

    def unpacker(self, data: bytes) -> Unpacker:
        """Return a stream of the contents of ``data``, which may be damaged."""
        return Unpacker(BytesIO(data), self._dictionary)


def _library() -> Any:
    with suppress(ImportError):
        return import_module("compression.zstd")
    with suppress(ImportError):
        return import_module("zstandard")
    raise CannotRead("this file", _MISSING)


@contextmanager
def _explained() -> Iterator[None]:
    """Turn the errors of the library into ``BadZstdError``."""
    try:
        yield
    except (_library().ZstdError, EOFError, MemoryError, ValueError) as error:
        raise BadZstdError(str(error) or "it needs too much memory") from None
