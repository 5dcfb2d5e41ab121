"""Mark the places in a report where a mail has lines of its own: its deadline, secret addresses, a token, instructions.

Text of players never has such a mark: ``printable`` shows the sign, and templates escape the comment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

FORM_IN_TEXT: Final = "\x1dform"
"""A line of a text: below the first line of the order form."""
_PAGE: Final = re.compile(r"<!-- slot (\w+) -->")
_FIGURE: Final = re.compile(r"(?s)<!-- figure -->.*?<!-- /figure -->\n")
_SCRIPT: Final = re.compile(r"(?s)<!-- script -->.*<!-- /script -->\n")
_MARK: Final = re.compile(r"<!-- /?(?:figure|script) -->")


def filled_text(text: str, form: str) -> str:
    """Return the ``text`` of a report with the line ``form`` in its order form, indented like it (empty: no line)."""
    return text.replace(FORM_IN_TEXT, form) if form else re.sub(rf"(?m)^ *{FORM_IN_TEXT}\n", "", text)


def filled_page(page: str, slots: Mapping[str, str], *, has_script: bool = False) -> str:
    """Return a ``page`` with markup in its slots: `until`, `due`, `form`, `end`. Without script, it is for a mail."""
    page = _PAGE.sub(lambda found: slots.get(found[1], ""), page)
    return _MARK.sub("", page if has_script else _SCRIPT.sub("", page))


def without_figures(page: str, words: str) -> str:
    """Return a ``page`` whose slots are still empty, with the markup ``words`` in place of its figures."""
    return _FIGURE.sub("", _FIGURE.sub(lambda _: words, page, count=1))
