"""Checkpoint Charlie: a game of deduction for 3 to 5 players."""
