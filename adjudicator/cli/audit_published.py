"""Read the published logs, reports and receipts for `audit --published`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from adjudicator.cli.output import MisuseError

if TYPE_CHECKING:
    from adjudicator.audit.published_texts import PublishedText
    from adjudicator.verdict import AuditResult


def texts_given(paths: Sequence[str], published: Sequence[str], *, is_impact: bool) -> tuple[PublishedText, ...]:
    """Return the published texts: from the files and folders ``published``, and from ``paths`` after the first.

    A shell turns ``--published out/*.txt`` into one value and many paths. Raises ``MisuseError``, ``CannotRead``,
    ``Untrusted``.
    """
    from adjudicator.audit.published_texts import published_texts

    if is_impact:
        raise MisuseError("use --published or --impact, not both: one checks the past, the other the rules of today")
    if not os.path.isfile(paths[0]):
        raise MisuseError(f"name one game file first with --published; “{paths[0]}” is not a file")
    texts = published_texts([*published, *paths[1:]])
    for text in texts:
        if text.is_named and not text.says_something:
            raise MisuseError(f"{text.name} contains no head, no log and no commitment")
    if not any(text.says_something for text in texts):
        raise MisuseError(f"{' '.join(published)} contains no head, no log and no commitment")
    return texts


def comparison(path: str, texts: Sequence[PublishedText]) -> Callable[[AuditResult], AuditResult]:
    """Return the function that adds to the result for the game in the file ``path`` its first contradiction of ``texts``."""
    from adjudicator.audit.against_published import compare_texts

    return partial(compare_texts, path=path, texts=texts)
