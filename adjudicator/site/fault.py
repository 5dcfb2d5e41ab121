"""Faults of single pages: a page that cannot be made becomes a value, and the other pages are made as usual."""

from __future__ import annotations

import os
from collections.abc import Callable
from traceback import extract_tb
from typing import Final, TypeVar

from adjudicator.core.frozen import frozen
from adjudicator.rulesets import culprit

T = TypeVar("T")

NOT_MADE: Final = "This page could not be made. Whoever makes this site is told the cause."
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
        ruleset = culprit(error)
        owner = "the program" if ruleset is None else f"the ruleset “{ruleset}”"
        *_, frame = extract_tb(error.__traceback__)
        place = f"{frame.name}, {os.path.basename(frame.filename)}:{frame.lineno}"
        return Fault(f"a bug in {owner}: {type(error).__name__}: {error} ({place})")
