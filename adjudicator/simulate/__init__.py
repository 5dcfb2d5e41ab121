"""Whole games played by seeded players: archives to audit, statistics, and a stress test of the rules."""
