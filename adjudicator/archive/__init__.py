"""Many games in one file: JSON lines in blocks, each block a Zstandard frame of its own, with an index in the end."""
