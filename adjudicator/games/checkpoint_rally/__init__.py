"""Checkpoint Rally: a tile-laying race for 2 to 4 players, designed by Jesper Kjær."""
