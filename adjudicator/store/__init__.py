"""Read the files of a game with every check, and write them.

Import the modules, not this package.

* ``game_file.py``: games, and the component sets with which they are played.
* ``other_files.py``: prepared games, players' own files, component sets, positions and lists of players.
* ``schema.py``: the types of these files, and their published schemas.

Msgspec reads the files (in ``files/``). Jsonschema explains every problem of a file that the types refuse, with path and
reason; it also checks files that leave out fields with a default, and files of older formats.
"""
