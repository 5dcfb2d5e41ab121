"""Read, play, audit and write scripts: whole games as one text, also games kept by hand.

From text to game: ``read.py`` (the lines and their problems), ``play.py`` (set-up, turns, and the numbers that people wrote
down). From game to text: ``export.py``.
"""
