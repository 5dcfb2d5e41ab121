"""Keep many games in one file: JSON lines in blocks, each block its own Zstandard frame, with an index at the end."""
