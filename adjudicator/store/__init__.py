"""Read game files with every check, and write them without ever losing the old one.

Import the modules, not this package.

* Reading: ``load.py``, ``typed.py`` (JSON to values), ``checking.py`` (the problems of a file), ``integrity.py``,
  ``errors.py``; older formats: ``upcast.py``.
* Writing: ``save.py``, ``atomic.py`` (in one step), ``lock.py`` (keeps others away), ``outbox.py`` (reports of a turn),
  ``site.py``.
* Schemas: ``schema.py`` (the published ones), ``generator.py``.
* Other files: ``prepared.py``, ``entrants.py``, ``components.py``, ``seat_files.py`` and
  ``views.py`` (a player's own file).
"""
