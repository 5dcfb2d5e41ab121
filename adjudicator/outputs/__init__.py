"""Defines what each command prints with `--json`: one class for each shape gives the output and its JSON Schema.

``commands.py`` lists the commands. ``reports`` fills the classes, ``store`` makes the schemas.
"""
