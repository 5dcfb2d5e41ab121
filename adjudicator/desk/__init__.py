"""Run the program in a browser, with nothing to install: the desk.

``build.py`` writes its files, of which ``web`` has the pages. ``requests.py`` answers them. ``lessons.py`` has the tasks
from which players learn to write orders.
"""
