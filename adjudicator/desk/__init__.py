"""Run the program in a browser, with nothing to install: the desk. ``build`` writes its files, ``web`` has its pages.

``requests`` answers the page about the game in ``open_game``; ``moderating`` has the answers for moderators alone.
"""
