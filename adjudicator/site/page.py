"""Write one page of lists of a site: plots, and tables that readers can sort and search."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from adjudicator.core.ruleset import GameMeta
from adjudicator.core.values import Value, digest
from adjudicator.reports.svg import Plot
from adjudicator.reports.web import Preview, web_page
from adjudicator.rulebook import Page
from adjudicator.rulesets import bug_words

T = TypeVar("T")

INDEX: Final = "index.html"
FEED: Final = "feed.xml"
HOME: Final = "All games"
NOT_MADE: Final = "This page could not be made. The moderator of this site has the cause."
"""The sentence on such a page. It leaves the cause out, which might quote secrets of a game."""
_UNSAFE: Final = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 40


class Cell(Value):
    """A piece of a table cell: its ``text``, its link if any, ``is_strong`` if it is emphasized, and a small ``image``."""

    text: str
    href: str = ""
    is_strong: bool = False
    image: str = ""


Row = tuple[tuple[Cell, ...], ...]
"""The cells of a row, each with one or more pieces."""


def row_of(*cells: str | int | Cell | tuple[Cell, ...]) -> Row:
    """Return a row of ``cells``: each a text, a number, one piece or several."""
    pieces = (Cell(str(one)) if isinstance(one, (str, int)) else one for one in cells)
    return tuple((one,) if isinstance(one, Cell) else one for one in pieces)


class ListTable(Value):
    """A table with its ``title``, ``headings`` and rows; with ``has_search`` readers can search its rows.

    ``look`` is ``games`` or ``games running`` for a table of games (empty: another one).
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    look: str = ""
    has_search: bool = False


class ListPage(Value):
    """A page of lists: its ``title``, the sentences below it, ``tables`` and ``plots``; ``up`` links to other pages.

    A table without rows is left out. ``has_feed`` if the site has a feed.
    """

    title: str
    lead: tuple[str, ...]
    tables: tuple[ListTable, ...] = ()
    up: tuple[Cell, ...] = ()
    plots: tuple[Plot, ...] = ()
    has_feed: bool = False


def list_page(page: ListPage, url: str = "") -> str:
    """Return ``page`` as HTML; ``url`` is its address, if known."""
    return web_page(
        "site/templates/list.html",
        style="site/templates/list.css",
        script="site/templates/list.js",
        images="'self'",
        page=page,
        tables=[table for table in page.tables if table.rows],
        preview=Preview(page.title, " ".join(page.lead), url),
        feed=FEED if page.has_feed else "",
    )


def trouble_page(title: str, sentences: Sequence[str], links: Sequence[Cell] = (), home: str = INDEX) -> str:
    """Return a page that explains in ``sentences`` why it shows no more; ``home`` is the link to the index."""
    return list_page(ListPage(title, tuple(sentences), up=(Cell(HOME, home), *links)))


def rules_page(page: Page, about: GameMeta, url: str = "") -> str:
    """Return ``page``, the rules of the ruleset ``about``, as HTML; ``url`` is its address, if known."""
    tables = list[ListTable]()
    for section in page.sections:
        rows = list[Row]()
        for fact in section.facts:
            rows += row_of(Cell(fact.id, is_strong=True), fact.text), *(row_of(fact.id, text) for text in fact.more)
            rows += (row_of(f"{fact.id}, {one.kind}", one.reasoned) for one in fact.rulings)
            for one in fact.revisions:
                rows.append(row_of(f"{fact.id}, since version {one.since}", f"{one.text} Before: {one.before}"))
        tables.append(ListTable(section.title, ("rule", "text"), tuple(rows)))
    lead = f"rules version {about.version}, as the program decides them"
    return list_page(ListPage(f"{about.name}: rules", (lead,), tuple(tables), (Cell(HOME, INDEX),)), url)


def page_name(*words: str) -> str:
    """Return a file name for the page about ``words``: valid on every system, and different for other words."""
    stem = _UNSAFE.sub("-", words[0].lower()).strip("-")[:_LONGEST].strip("-")
    mark = digest("\n".join(words).encode("utf-8", "surrogatepass"))[:8]
    return f"{stem}-{mark}.html" if stem else f"{mark}.html"


def contain(make: Callable[[], T]) -> tuple[T | None, str]:
    """Return the result of ``make``, or ``None`` and why it failed, even if a ruleset tried to end the program."""
    try:
        return make(), ""
    except (Exception, SystemExit) as error:
        return None, bug_words(error)
