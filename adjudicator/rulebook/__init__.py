"""The rules of a game from its page: facts by number, rulings with their reasons, and a search."""
