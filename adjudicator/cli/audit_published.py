"""Compare a game file with published logs, reports and receipts for `audit --published`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adjudicator.cli.output import MisuseError

if TYPE_CHECKING:
    from adjudicator.audit.published_texts import PublishedText
    from adjudicator.reports.verdict import AuditResult


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


def held_against(
    results: Iterable[AuditResult], path: str, texts: Sequence[PublishedText], timeout: float
) -> Iterator[AuditResult]:
    """Yield ``results`` of the game in the file ``path``, with its first contradiction of ``texts``."""
    from adjudicator.audit.against_published import counted, first_contradiction
    from adjudicator.audit.candidates import Source
    from adjudicator.audit.warden import TimeIsUpError, not_finished, time_limit
    from adjudicator.reports.verdict import NOT_DECIDED, Skipped
    from adjudicator.session import open_session
    from adjudicator.store.load import load_game

    for result in results:
        if isinstance(result, Skipped) or (result.divergence is not None and result.divergence.kind in NOT_DECIDED):
            yield result
            continue
        try:
            with time_limit(timeout):
                found = first_contradiction(open_session(load_game(path)), texts)
        except TimeIsUpError:
            yield not_finished(Source(path, path, is_named=True), timeout)
            continue
        judged = replace(result, compared=counted(texts))
        if found is None:
            yield judged
        elif judged.divergence is None:
            yield replace(judged, divergence=found)
        else:
            yield replace(judged, further=(*judged.further, found))
