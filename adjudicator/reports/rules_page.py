"""Write the rules of a game as a web page: a table for each section, with rulings and changes below their rules."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.ruleset import GameMeta
from adjudicator.reports.list_page import HOME, INDEX, Cell, ListPage, ListTable, Row, list_page
from adjudicator.rulebook.page import Page, RuleEntry


def rules_page(page: Page, about: GameMeta, url: str = "") -> str:
    """Return ``page``, the rules of the ruleset ``about``, as HTML; ``url`` is its address, if known."""
    tables = (
        ListTable(section.title, ("rule", "text"), tuple(row for fact in section.facts for row in _rows(fact)))
        for section in page.sections
    )
    lead = f"rules version {about.version}, as the program decides them"
    return list_page(ListPage(f"{about.name}: rules", (lead,), (), tuple(tables), (Cell(HOME, INDEX),)), url)


def _rows(fact: RuleEntry) -> Iterator[Row]:
    """Yield a row for a rule, and one for each point, ruling and change about it."""
    yield _row(fact.id, fact.text, is_strong=True)
    yield from (_row(fact.id, text) for text in fact.more)
    for ruling in fact.rulings:
        yield _row(f"{fact.id}, {ruling.kind}", f"{ruling.text} Why: {ruling.why} Instead: {ruling.instead}")
    for revision in fact.revisions:
        yield _row(f"{fact.id}, since version {revision.since}", f"{revision.text} Before: {revision.before}")


def _row(name: str, text: str, *, is_strong: bool = False) -> Row:
    return (Cell(name, is_strong=is_strong),), (Cell(text),)
