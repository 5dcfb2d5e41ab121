"""The replay: a game followed move by move, out of its record, as one viewer may read it."""
