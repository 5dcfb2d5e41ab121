"""Corrects a game for the moderator: undo, amend, hand a seat over, publish the secret of chance."""
