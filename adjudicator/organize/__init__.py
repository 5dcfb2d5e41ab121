"""Help organizers outside a game: check component sets, lay routes on a map, and score time sheets kept by hand.

``component_sets.py`` finds what keeps a set from play, ``routes.py`` lays routes, ``time_sheets.py`` scores sheets. The
rules of routes and sheets are those of Rally Round.
"""
