"""Checkpoint Charlie."""
