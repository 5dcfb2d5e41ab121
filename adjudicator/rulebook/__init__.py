"""Read the rules of a game from its page: facts by number, rulings with their reasons, and a search.

``page.py`` reads the page, ``search.py`` looks rules up.
"""
