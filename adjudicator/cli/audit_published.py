"""Read the published logs, reports and receipts for `audit --published`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudicator.cli.output import MisuseError

if TYPE_CHECKING:
    from adjudicator import PublishedText


def texts_given(paths: Sequence[str], published: Sequence[str], *, is_impact: bool) -> tuple[PublishedText, ...]:
    """Return the published texts: from the files and folders ``published``, and from ``paths`` after the first.

    A shell turns ``--published out/*.txt`` into one value and many paths. Raises ``MisuseError``, ``CannotRead``,
    ``Untrusted``.
    """
    from adjudicator import read_published

    if is_impact:
        raise MisuseError("use --published or --impact, not both: one checks the past, the other the rules of today")
    if not os.path.isfile(paths[0]):
        raise MisuseError(f"name one game file first with --published; “{paths[0]}” is not a file")
    texts = read_published([*published, *paths[1:]])
    for text in texts:
        if text.is_named and not text.says_something:
            raise MisuseError(f"{text.name} contains no head, no log and no commitment")
    if not any(text.says_something for text in texts):
        raise MisuseError(f"{' '.join(published)} contains no head, no log and no commitment")
    return texts
