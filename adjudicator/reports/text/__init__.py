"""Write text that is safe to print, in columns and lines.

* Text of players and files, with visible characters only: ``sanitize.py``.
* Tables, numbers and counts: ``table.py``. Lines that fit a mail: ``fold.py``.
* The cost of an order as a sum: ``why.py``. Colours on a terminal: ``terminal_colors.py``.
"""
