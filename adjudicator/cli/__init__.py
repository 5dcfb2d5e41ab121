"""Define the command line: read arguments, call one use case, print. No other package prints or exits.

``app.py`` lists all commands in a table and loads the one that is asked for; each group of commands has a file. A command is
a function of a ``Ui`` (``ui.py``), which reads, guards and writes files, prints, and turns every error into an exit code.
``arguments.py`` has the parameters that many commands share, ``order_files.py`` reads texts, mails and their seats.

A new command needs a function here, a line in the table, and its output in ``outputs/commands.py``.
"""
