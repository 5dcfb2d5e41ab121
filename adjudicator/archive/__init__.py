"""Many games: kept in one file, found wherever they are, decided in many processes or on many machines.

* ``store.py``: archives, which are SQLite files of packed games; those of version 1.0.0 are only read.
* ``add.py``: games with their facts into archives, and out of them again.
* ``find.py``: games in files, folders, archives, and behind URLs.
* ``many.py``: work on many games, in processes or on a cluster, with the memory of verdicts of before.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "add": ("GameCopy", "check_archive", "extract_games", "write_archive", "write_games"),
    "store": ("is_archive", "open_archive"),
}


def __getattr__(name: str) -> Any:
    """Load what programs use when they use it: the modules here need very different parts of this program."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
