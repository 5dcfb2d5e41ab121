"""Define the command line: read arguments, call one use case, print. No other package prints or exits.

Each group of commands has a file; ``app.py`` puts them together. ``declared.py`` defines the parameters,
``plain_call.py`` reads ordinary command lines, and typer all others. ``given.py`` reads texts, mails and their seats,
``turn_summary.py`` prints what ``check`` and ``apply`` found. ``failures.py`` turns failures into exit codes,
``faults.py`` reports bugs that a line of orders revealed. ``isolation.py`` runs a command with another package's
ruleset in a separate process.
"""
