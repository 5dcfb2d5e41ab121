"""The rules of a game as its page tells them: facts by number, rulings with their reasons, and where to look them up."""
