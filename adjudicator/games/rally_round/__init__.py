"""Rally Round: a motor rally on a map of roads, timed to the minute or the second, by mail or at a table."""
