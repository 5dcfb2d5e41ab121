"""The desk: the adjudicator in a browser, with nothing to install. ``build`` writes its files, ``web`` has its pages."""
