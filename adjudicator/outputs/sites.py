"""Define the output about sites of archives."""

from __future__ import annotations

from adjudicator.core.values import Value
from adjudicator.verdict import AuditSummary


class SiteProblem(Value, kw_only=True):
    """A ``source`` whose audit has another ``status`` than verified, and the ``reason``."""

    source: str
    game: str
    status: str
    reason: str


class UnmadePage(Value, kw_only=True):
    """A ``page`` that could not be made, and the ``cause``. ``source`` is the file of its game (empty: a list page)."""

    page: str
    source: str
    cause: str


class WrittenSite(Value, kw_only=True):
    """A site in ``folder`` with its first page ``index``: ``games`` counts games with a page, ``pages`` all pages.

    ``left_out`` counts unfinished games, ``problems`` are the games that the audit did not verify, ``unmade`` the pages that
    could not be made. ``summary`` is the summary of the audit.
    """

    folder: str
    index: str
    games: int
    pages: int
    left_out: int
    problems: tuple[SiteProblem, ...]
    unmade: tuple[UnmadePage, ...]
    summary: AuditSummary
