"""Define the JSON that commands print with `--json`: one class for each shape makes the output and its JSON Schema."""
