"""Audits a script: a game kept by hand is decided by the rules, and every written number is recomputed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from adjudicator.core.problem import Finding
from adjudicator.reports.verdict import Divergence, Kind, Verdict
from adjudicator.script.minutes import disagreements
from adjudicator.script.play import Played, play_script

_CHANCE: Final = ("core/impossible-outcome", "core/chance-not-recorded")


@dataclass(frozen=True, slots=True)
class ScriptAudit:
    """What the audit of a script came to: the verdict, which has the first divergence, and every divergence there is."""

    verdict: Verdict
    divergences: tuple[Divergence, ...]


def audit_script(source: str, data: bytes, folder: str | None = None) -> ScriptAudit:
    """Return the audit of the script with the bytes ``data``; nothing is raised for what is in it.

    ``source`` is its name for the verdict, ``folder`` where the files it names are looked for (``None``: a script that names
    any is not decided).
    """
    played = play_script(source, data, folder)
    found = tuple(_divergence(played, finding) for finding in played.findings)
    if played.desk is None:
        script, name = played.script, played.script.one("id")
        by = script.rules.meta.id if script.rules else ""
        return ScriptAudit(Verdict(source, name.value[:80] if name else "", by, divergence=found[0]), found)
    desk = played.desk
    claims = () if found else played.script.claims
    found = (*disagreements(desk, played.taken, claims), *found)
    journal, rules = desk.game.journal, desk.rules
    verdict = Verdict(
        source=source,
        game=desk.game.id,
        ruleset=rules.meta.id,
        entries=len(journal),
        orders=sum(1 for link in journal if link.entry.seat is not None),
        draws=journal[-1].entry.drawn,
        is_over=rules.is_over(desk.table, desk.game.state),
        divergence=found[0] if found else None,
    )
    return ScriptAudit(verdict, found)


def _divergence(played: Played, finding: Finding) -> Divergence:
    """Return a problem of a script as what it is to an audit."""
    problem = finding.problem
    is_refused = _kind(played, finding) in (Kind.REFUSED, Kind.CHANCE)
    return Divergence(
        kind=_kind(played, finding),
        entry=len(played.taken) + 1 if is_refused and played.taken else None,
        seat=finding.seat,
        order=finding.text.strip() if finding.seat else "",
        field=f"line {finding.line}" if finding.line else "script",
        recorded=finding.text.strip(),
        recomputed=f"{'refused: ' if is_refused else ''}{problem.message}",
        rule=problem.rule,
    )


def _kind(played: Played, finding: Finding) -> Kind:
    code = finding.problem.code
    if played.desk is None or not finding.line:
        return Kind.SETUP
    if code in _CHANCE:
        return Kind.CHANCE
    return Kind.UNREADABLE if code.startswith(("orders/", "script/bad", "script/mis", "script/tw")) else Kind.REFUSED
