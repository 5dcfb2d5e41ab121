"""Read the files of a game with every check, and write them.

Import the modules, not this package.

* ``game_file.py``: games. ``other_files.py``: prepared games, players' own files, component sets and positions.
* ``kinds.py``: the types of these files. ``components.py``: shipped component sets. ``entrants.py``: lists of players.
* ``schema.py``: the published schemas.

Msgspec reads the files (in ``files/``). Jsonschema explains every problem of a file that the types refuse, with path and
reason; it also checks files that leave out fields with a default, and files of older formats.
"""
