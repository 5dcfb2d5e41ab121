"""Game files of older formats, brought up to the present one before anything else looks at them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from adjudicator.store.errors import Violation

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upcaster:
    """The step from one format to the next.

    ``verify`` lists what is wrong with a document of the older format by that format's own rules, hash chain included: once
    it is changed nobody could tell. ``upgrade`` returns the document in the next format; its hashes are made anew by the
    loader.
    """

    verify: Callable[[Document], tuple[Violation, ...]]
    upgrade: Callable[[Document], Document]


UPCASTERS: Final[Mapping[int, Upcaster]] = {}
"""The step from each older format, by its number. Format 1 is the first: there is none yet."""


def upcast(document: Document, target: int, steps: Mapping[int, Upcaster]) -> tuple[Document, tuple[Violation, ...]]:
    """Return ``document`` in format ``target`` and what is wrong with it as it was: then it is returned unchanged.

    ``document["format"]`` must be a number; one without a step is a violation.
    """
    number = document["format"]
    if number == target:
        return document, ()
    missing = next((old for old in range(number, target) if old not in steps), None)
    if missing is not None:
        return document, (Violation("$.format", f"there is no format {missing}"),)
    wrong = steps[number].verify(document)
    if wrong:
        return document, wrong
    for old in range(number, target):
        document = {**steps[old].upgrade(document), "format": old + 1}
    return document, ()
