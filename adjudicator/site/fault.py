"""Contain faults of single pages: a page that cannot be made becomes a value, and the other pages are made as usual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from adjudicator.core.values import Value
from adjudicator.results import UnmadePage
from adjudicator.rulesets import bug_words

T = TypeVar("T")

NOT_MADE: Final = "This page could not be made. The moderator of this site has the cause."
"""The sentence on such a page. It leaves the cause out, which might quote secrets of a game."""


class NoPageError(Exception):
    """Report a page that cannot be made for a reason other than a bug."""


class Fault(Value):
    """The ``cause`` why a page cannot be made, for the moderator."""

    cause: str


def contain(make: Callable[[], T]) -> T | Fault:
    """Return the result of ``make``, or why it failed, even if a ruleset tried to end the program."""
    try:
        return make()
    except NoPageError as error:
        return Fault(str(error))
    except (Exception, SystemExit) as error:
        return Fault(bug_words(error))


def unmade_text(page: UnmadePage) -> str:
    """Return as one line which ``page`` of a site could not be made, and why."""
    return "  ".join(filter(None, ("not made ", page.page, page.cause, page.source)))
