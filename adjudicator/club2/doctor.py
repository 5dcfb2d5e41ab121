"""Check a club before something fails: settings, servers, offers, addresses, permissions, clock, disk, backups and desk."""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.values import Value


class ClubFinding(Value, kw_only=True):
    """A problem that a ``check`` of a club has found: ``what`` it is, and what to do (``advice``)."""

    check: str
    what: str
    advice: str


class ClubCheckup(Value, kw_only=True):
    """The result of the ``checks`` of a club: all ``club_findings``, none if nothing is wrong."""

    checks: tuple[str, ...]
    club_findings: tuple[ClubFinding, ...]


def check(folder: Path, now: int, *, is_online: bool = False) -> ClubCheckup:
    """Return what is wrong with the club in ``folder`` at the time ``now``; if ``is_online``, also log in to its servers."""
    raise NotImplementedError


def checkup_text(checkup: ClubCheckup) -> str:
    """Return ``checkup`` for people: each problem, and below it what to do."""
    raise NotImplementedError
