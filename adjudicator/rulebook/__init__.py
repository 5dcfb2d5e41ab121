"""Reads the rules of a game from its page: facts by number, rulings with their reasons.

``page.py`` reads the page, ``search.py`` looks rules up.
"""
