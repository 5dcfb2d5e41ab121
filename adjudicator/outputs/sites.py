"""Sites made of archives."""

from __future__ import annotations

from adjudicator.core.frozen import frozen
from adjudicator.outputs.audits import AuditSummary


@frozen(kw_only=True)
class SiteProblem:
    """A ``source`` whose audit came to another ``status`` than verified, and the ``reason``."""

    source: str
    game: str
    status: str
    reason: str


@frozen(kw_only=True)
class UnmadePage:
    """A ``page`` that could not be made, and the ``cause``. ``source`` is the file of its game (empty: a page of lists)."""

    page: str
    source: str
    cause: str


@frozen(kw_only=True)
class WrittenSite:
    """A site in ``folder``, beginning at ``index``: so many ``games`` have a page, and the site as many ``pages`` in all.

    ``left_out`` counts games that go on, ``problems`` are games that are not as they should be, ``unmade`` the pages that
    only say that they could not be made. ``summary`` is that of the audit.
    """

    folder: str
    index: str
    games: int
    pages: int
    left_out: int
    problems: tuple[SiteProblem, ...]
    unmade: tuple[UnmadePage, ...]
    summary: AuditSummary
