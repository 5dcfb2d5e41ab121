"""The library that ``import adjudicator`` offers; the command line uses it, too.

* ``reading.py``: what a game says to each reader
* ``game.py``: what makes a new game of it: orders, corrections; audit, saving
* ``begin.py``: open, begin, play and audit games
* ``texts.py``: the texts with orders that a program gives
"""
