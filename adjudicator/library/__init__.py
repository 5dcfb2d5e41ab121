"""The library that ``import adjudicator`` offers; the command line uses it, too.

* ``game.py``: a game as a value, with its methods
* ``begin.py``: open, begin, play and audit games
* ``texts.py``: the texts with orders that a program gives
"""
