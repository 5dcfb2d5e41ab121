"""Faults of single pages: a page that cannot be made becomes a value, and the other pages are made as usual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from adjudicator.core.frozen import frozen
from adjudicator.rulesets import bug_words

T = TypeVar("T")

NOT_MADE: Final = "This page could not be made. The moderator of this site has the cause."
"""The sentence on such a page. It leaves the cause out, which might quote what is hidden in a game."""


class NoPageError(Exception):
    """A page cannot be made, and this is no bug; the message says why."""


@frozen
class Fault:
    """Why a page could not be made: the ``cause`` in words for the moderator."""

    cause: str


def contained(make: Callable[[], T]) -> T | Fault:
    """Return what ``make`` returns, or why it failed: also where a ruleset tried to end the program."""
    try:
        return make()
    except NoPageError as error:
        return Fault(str(error))
    except (Exception, SystemExit) as error:
        return Fault(bug_words(error))
