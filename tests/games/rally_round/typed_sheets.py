"""Time sheets and routes as an organiser types them, read from a text."""

from __future__ import annotations

from adjudicator.games.rally_round.office.sheet_text import SheetReader


def read_sheets(text, crew="", route=(), cards=()):
    """Return the reader that has read the sheets in ``text``."""
    reader = SheetReader("a text", crew, route, cards)
    reader.read(text.encode())
    return reader


def codes(reader):
    """Return the last word of the code of each problem, with its diagnostic."""
    return [(one.problem.code.partition("/")[2], one) for one in reader.wrong]
