"""Audit files of any kind, for programs: games, scripts, folders, archives, URLs, and bytes."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from functools import partial
from pathlib import Path

from adjudicator.audit.audit_source import audit_source
from adjudicator.audit.published import compare_texts
from adjudicator.audit.published_texts import PublishedText, published_texts
from adjudicator.audit.run import AuditOptions, audit_sources
from adjudicator.core.problem import Violation
from adjudicator.files.errors import Untrusted
from adjudicator.reports.cli.audits import divergence_text
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.sources.find import find_sources
from adjudicator.verdict import AuditResult, Kind, Skipped


def audit_files(
    paths: str | Path | Iterable[str | Path],
    *,
    jobs: int = 1,
    impact: bool = False,
    timeout: float = 300,
    published: Sequence[PublishedText] = (),
) -> Generator[AuditResult, None, None]:
    """Decide each game at ``paths`` again, and yield the verdicts: files, scripts, folders, archives or URLs.

    The order is stable. A file that is no game gives a ``Skipped``, and a damaged file a ``Verdict`` with a divergence, no
    error. Up to ``jobs`` processes decide the games, each within ``timeout`` seconds; with 0 this process decides them, as
    long as it takes. ``impact`` takes today's rules, whatever the version of the game. The first game must also agree with
    the ``published`` texts of ``read_published``.
    """
    named = [str(path) for path in ([paths] if isinstance(paths, (str, Path)) else paths)]
    compare = partial(compare_texts, path=named[0], texts=published) if published else None
    yield from audit_sources(find_sources(named), AuditOptions(impact, timeout, compare), jobs)


def read_published(paths: Iterable[str | Path]) -> tuple[PublishedText, ...]:
    """Read the published logs, reports and receipts in the files and folders ``paths``, for ``audit_files``.

    Raises ``FileProblem``.
    """
    return published_texts(map(str, paths))


def forgery_in(data: bytes, name: str) -> Untrusted | None:
    """Return the forgery or damage that the audit finds in ``data``, the game file ``name``; ``None`` if it finds none.

    An exception of the rules may be a bug, or the fault of a forged file, where schema, chain and seal can fit. A bug that
    also stops the audit proves nothing against the file.
    """
    verdict = audit_bytes(data, name)
    if isinstance(verdict, Skipped) or verdict.divergence is None:
        return None
    divergence = verdict.divergence
    if divergence.kind in (Kind.UNREAD, Kind.VERSION, Kind.FAULT):
        return None
    path = "$" if divergence.n is None else f"$.journal[{divergence.n}]"
    words = "this file cannot be trusted: it contradicts the rules"
    return Untrusted(name, [Violation(path, divergence_text(divergence))], words)


def audit_bytes(data: bytes, name: str) -> AuditResult:
    """Return the verdict on ``data``, the file ``name``, whatever it contains."""
    with Opener() as opener:
        return audit_source(Source(name, "-", is_named=True, data=data), opener)
