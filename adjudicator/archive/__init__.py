"""Keep many games in one file: JSON lines in blocks, each block its own Zstandard frame, with an index at the end.

A game as a line: ``lines.py``. Frames and their list: ``frames.py``. Compression: ``zstd.py``, the only file that knows
the library. Index: ``index.py``. Reading, writing, making an archive, taking games out: ``reader.py``, ``writer.py``,
``make.py``, ``extract.py``. ``sources.py`` offers the games to everything that reads games.
"""
