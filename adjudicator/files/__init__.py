"""Read and write files of any kind: with limits, in one step, and without two writers at once.

Import the modules, not this package.

* ``reading.py``: files and JSON, with limits of size and depth.
* ``typed.py``: JSON to values with msgspec, which checks every type and bound while it reads; ``core/values.py`` writes the
  bytes that are hashed.
* ``documents.py``: what people write by hand, such as settings in TOML, to models of pydantic.
* ``explain.py``: why plain JSON does not fit a schema, in plain English; jsonschema finds it.
* ``writing.py``: write a file whole or not at all, and keep other writers away.
* ``outbox.py``: the folder of the reports of a turn.
* ``errors.py``: the errors that name a file.
"""
