"""Write one page of lists of a site: plots, and tables to sort and to search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from adjudicator.core.ruleset import GameMeta
from adjudicator.core.values import Value, replace
from adjudicator.reports.plots import Plot
from adjudicator.reports.web import Preview, json_block, web_page
from adjudicator.rulebook.page import Page, RuleEntry

INDEX: Final = "index.html"
FEED: Final = "feed.xml"
HOME: Final = "All games"


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


class Choice(Value):
    """A filter of a table: its ``label``, the ``column``, and ``options`` as pairs of the beginning of a cell and words."""

    label: str
    column: int
    options: tuple[tuple[str, str], ...]


class ListTable(Value):
    """A table with its ``title``, ``headings`` and rows.

    ``choices`` are its filters (``None``: it has no search). ``more`` are further rows that only a search shows, as data for
    the script, and ``count`` is the number of all rows.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    choices: tuple[Choice, ...] | None = None
    more: Any = None
    count: int = 0


class ListPage(Value):
    """A page of lists: its ``title``, the sentences below it, ``plots`` and ``tables``; ``up`` links to the pages above.

    ``parts`` links to the other parts of a page that is too long for one file. ``has_feed`` if the site has a feed.
    """

    title: str
    lead: tuple[str, ...]
    plots: tuple[Plot, ...]
    tables: tuple[ListTable, ...]
    up: tuple[Cell, ...] = ()
    parts: tuple[Cell, ...] = ()
    has_feed: bool = False


def list_page(page: ListPage, url: str = "") -> str:
    """Return ``page`` as HTML; ``url`` is its address, if known."""
    drawn = [(plot.title, plot.svg, plot.words) for plot in page.plots]
    preview = Preview(page.title, " ".join(page.lead), url)
    return web_page(
        "site/templates/list.html",
        style="site/templates/list.css",
        script="site/templates/list.js",
        images="'self'",
        page=page,
        plots=drawn,
        preview=preview,
        json_block=json_block,
        feed=FEED if page.has_feed else "",
    )


def trouble_page(title: str, sentences: Sequence[str], links: Sequence[Cell] = (), home: str = INDEX) -> str:
    """Return a page that explains in ``sentences`` why it shows no more; ``home`` is the link to the index."""
    return list_page(ListPage(title, tuple(sentences), (), (), (replace(Cell(HOME), href=home), *links)))


def rules_page(page: Page, about: GameMeta, url: str = "") -> str:
    """Return ``page``, the rules of the ruleset ``about``, as HTML; ``url`` is its address, if known."""
    tables = (
        ListTable(section.title, ("rule", "text"), tuple(one for fact in section.facts for one in _rows(fact)))
        for section in page.sections
    )
    lead = f"rules version {about.version}, as the program decides them"
    return list_page(ListPage(f"{about.name}: rules", (lead,), (), tuple(tables), (Cell(HOME, INDEX),)), url)


def _rows(fact: RuleEntry) -> Iterator[Row]:
    """Yield a row for a rule, and one for each point, ruling and change about it."""
    yield row_of(Cell(fact.id, is_strong=True), fact.text)
    yield from (row_of(fact.id, text) for text in fact.more)
    for ruling in fact.rulings:
        yield row_of(f"{fact.id}, {ruling.kind}", f"{ruling.text} Why: {ruling.why} Instead: {ruling.instead}")
    for revision in fact.revisions:
        yield row_of(f"{fact.id}, since version {revision.since}", f"{revision.text} Before: {revision.before}")
