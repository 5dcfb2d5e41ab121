"""Read, play, audit and write scripts: whole games as one text, also games kept by hand.

From text to game: ``read.py``, ``setup.py``, ``play.py``; ``corrections.py`` for undo and the like. From game to text:
``export.py``, ``outcomes.py`` (its draws), ``assignments.py`` (an amendment as text). ``audit.py`` audits a script.
"""
