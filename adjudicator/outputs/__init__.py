"""Define the JSON that commands print with `--json`: one class for each shape makes the output and its JSON Schema.

``commands.py`` lists the commands. ``reports`` fills the classes, ``store`` makes the schemas.
"""
