"""Make reports for people and machines from views, drawings, problems and visible events, never from a state.

Every ``…_text`` function returns text without a final newline that is safe to print on a terminal.

Each room has one purpose, and imports only rooms above it in this list:

* ``text/``: text that is safe to print, in columns and lines.
* ``drawings/``: what a game draws: its places, tokens and tables, and the drawing as text.
* ``pictures/``: the drawing as a picture.
* ``data/``: the parts of a report, each as data and as text: heading, position, log, receipts and so on.
* ``pages/``: whole documents: reports in all formats, the replay page, the site.
* ``cli/``: the output of other commands.

``adjudicator/library/reader.py`` collects a report. Its data is in ``data/report.py``, its blocks are
in ``data/report_blocks.py``, and marks for changes in ``drawings/changes.py`` and ``pictures/marks.py``.
"""
