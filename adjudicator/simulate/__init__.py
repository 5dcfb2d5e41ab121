"""Plays whole games with seeded players: for archives, statistics, and stress tests of the rules."""
