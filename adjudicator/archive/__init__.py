"""Many games: kept in one file, found wherever they are, decided in many processes or on many machines.

Import the modules, not this package.

* ``store.py``: archives, which are SQLite files; ``zstd.py`` packs what is in them.
* ``add.py``: games with their facts into archives, and out of them again. ``old.py``: archives of version 1.0.0, to read.
* ``find.py``: games in files, folders, archives, and behind URLs.
* ``many.py``: work on many games, in processes or on a cluster. ``memory.py``: the verdicts of before.
"""
