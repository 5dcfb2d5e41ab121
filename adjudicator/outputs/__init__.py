"""What each command prints with `--json`: one class for each shape, of which come both the output and its JSON Schema."""
