"""Keep many games in one file, an archive: ``make.py`` makes it with ``writer.py``, ``extract.py`` takes games out.

``sources`` reads archives.
"""
