# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Keep many games in one file, an archive: ``make.py`` makes it with ``writer.py``, ``extract.py`` takes games out.

``sources`` reads archives.
"""

from adjudicator.archive.extract import check_archive, extract_games
from adjudicator.archive.make import GameCopy, Omission, pack_archive, write_archive
from adjudicator.sources.archive_reader import ArchiveReader, open_archive
from adjudicator.sources.candidates import is_archive
