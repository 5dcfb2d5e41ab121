"""Read game files with every check, and write them.

Import the modules, not this package.

* Reading: ``load.py`` (to ``game.py``), ``checking.py`` (the problems of a file, with ``messages.py``),
  ``integrity.py``; older formats: ``upcast.py``.
* Writing: ``save.py``.
* Schemas: ``schema.py`` (the published ones), ``generator.py``.
* Kinds of file: ``kinds.py``; single parts: ``parts.py``.
* Other files: ``prepared.py``, ``entrants.py``, ``components.py``, ``seat_files.py`` and ``views.py`` (a player's own
  file).
"""
