"""Define the command line: read arguments, call one use case, print. No other package prints or exits.

Each group of commands has a file. ``app.py`` puts them together, and typer reads the command line. ``arguments.py`` has the
parameters that many commands share. ``order_files.py`` reads texts, mails and their seats, and ``turn_summary.py`` prints
the results of ``check`` and ``apply``. ``failures.py`` turns failures into exit codes, ``faults.py`` reports bugs that a
line of orders revealed. ``progress.py`` shows a bar.

A new command or option needs a file here, a place in ``app.py``, and its output in ``.ci/schemas.py``.
"""
