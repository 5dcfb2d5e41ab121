"""Define the command line: read arguments, call the library, print. No other package prints or exits.

``app.py`` has the table of commands and loads the one that is asked for; typer reads the command line. A command is a
function of a ``Ui`` (``ui.py``), which reads, guards and writes files, prints, and turns every error into an exit code. A
new command needs a function, a line in the table, and its output in ``.ci/schemas.py``.
"""
