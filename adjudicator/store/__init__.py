"""Read game files with every check, and write them.

Import the modules, not this package.

* Reading: ``load.py`` (to ``game.py``), ``checking.py`` (the problems of a file), ``integrity.py``; older formats:
  ``upcast.py``.
* Writing: ``save.py``.
* Schemas: ``schema.py``.
* Kinds of file: ``kinds.py``.
* Other files: ``prepared.py``, ``entrants.py``, ``components.py``, ``seat_files.py`` and ``views.py`` (a player's own
  file).

Msgspec reads the files (in ``files/``). Jsonschema explains every problem of a file that the types refuse, with path and
reason; it also checks files that leave out fields with a default, and files of older formats.

``load_game`` first reads a file with its types. If the result, written again, gives the same bytes (or, for a file that an
editor has laid out, the same canonical JSON), and components, chance, chain, seal and numbers fit, the file obeys its
schema.
"""
