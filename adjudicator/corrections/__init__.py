"""What a moderator may put right in a game: undo, amend, hand a seat over, publish the secret of chance."""
