"""Scripts: a whole game as one text, from the set-up to the last order; also games that were kept by hand at a table."""
