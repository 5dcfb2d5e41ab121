"""Correct a game for the moderator: undo, amend, hand a seat over, publish the secret of chance.

The use cases are in ``correct.py``. ``paths.py`` reads assignments of ``amend``. Their events, sentences and effects
are in ``core``. ``seat_records.py`` counts missed deadlines and turns on time from them.
"""
