"""Read game files with every check, and write them without ever losing the old one.

Import the modules, not this package.

* Reading: ``load.py``, ``checking.py``, ``integrity.py``, ``errors.py``; quickly, long files piece by piece:
  ``bulk.py``, ``lines.py``; older formats: ``upcast.py``.
* Writing: ``save.py``, ``atomic.py`` (in one step), ``lock.py`` (keeps others away), ``outbox.py`` (reports of a turn),
  ``site.py``.
* Schemas: ``schema.py``, ``shape.py``, ``adapters.py``.
* Other files: ``prepared.py``, ``entrants.py``, ``components.py``, ``time_sheets.py``, ``seat_files.py`` and
  ``view_builder.py`` (a player's own file).
"""
