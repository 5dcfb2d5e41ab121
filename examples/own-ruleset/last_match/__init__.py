"""Last Match: a game in a package of its own."""
