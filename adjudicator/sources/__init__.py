"""Find and read the games in files, folders, archives and behind URLs.

* The games of a path: ``find.py``; one of them: ``candidates.py``; URLs: ``places.py``.
* Zip and tar archives: ``archives.py``, ``tars.py``.
* Archives of this program are JSON lines in blocks, each block its own Zstandard frame, with an index at the end.
  ``game_archives.py`` offers their games. ``archive_lines.py`` has a game as a line, ``archive_frames.py`` the frames and
  their list, ``archive_index.py`` the index; ``archive_reader.py`` reads them. ``zstd.py`` is the only file that knows the
  library.
"""
