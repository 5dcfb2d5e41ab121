"""Audits a script: a game kept by hand is decided by the rules, and every written number is recomputed."""

from __future__ import annotations

from typing import Final

from adjudicator.core.problem import FAULT, Diagnostic
from adjudicator.core.values import MODERATOR, Value
from adjudicator.orders.clean import clean
from adjudicator.rulesets import bug_words
from adjudicator.script.minutes import disagreements
from adjudicator.script.play import ScriptResult, play_script
from adjudicator.script.read import without_minutes
from adjudicator.verdict import NOT_DECIDED, Divergence, Kind, Verdict, verdict

_CHANCE: Final = ("core/impossible-outcome", "core/chance-not-recorded")
_BY_CODE: Final = {
    "script/bad-path": Kind.UNREAD,
    "script/bad-file": Kind.UNREAD,
    "script/bad-correction": Kind.CORRECTION,
    "script/unknown-ruleset": Kind.VERSION,
    FAULT.code: Kind.FAULT,
    "orders/not-text": Kind.DAMAGED,
    "orders/too-large": Kind.DAMAGED,
    "orders/too-many-lines": Kind.DAMAGED,
    "orders/too-many-problems": Kind.UNREADABLE,
}
"""Problems whose kind does not depend on their line; most of them prevent a decision about the script."""


class ScriptAudit(Value):
    """The result of auditing a script: the verdict, which has the first divergence, and all divergences."""

    verdict: Verdict
    divergences: tuple[Divergence, ...]


def audit_script(source: str, data: bytes, folder: str | None = None) -> ScriptAudit:
    """Audit the script with the bytes ``data``; its content raises no error.

    ``source`` is its name for the verdict, ``folder`` the place of the files that it names (``None``: a script that
    names any is not decided).
    """
    played = play_script(data, name=source, folder=folder)
    divergences = (_divergence(played, diagnostic) for diagnostic in played.diagnostics)
    # Without the rules, or a file, no other divergence counts: this one comes first.
    found = tuple(sorted(divergences, key=lambda divergence: divergence.kind not in NOT_DECIDED))
    if played.game is None:
        script, name = played.script, played.script.one("id")
        by = script.rules.meta.id if script.rules else ""
        return ScriptAudit(verdict(source, found[0], game=name.value[:80] if name else "", ruleset=by), found)
    game = played.game
    claims = () if found else played.script.claims
    found = (*disagreements(game, played.accepted, claims), *found)
    journal, rules = game.record.journal, game.rules
    judged = verdict(
        source,
        found[0] if found else None,
        game=game.record.id,
        ruleset=rules.meta.id,
        entries=len(journal),
        orders=sum(1 for link in journal if link.entry.seat not in (None, MODERATOR) and link.entry.outside is None),
        corrections=sum(1 for link in journal if link.entry.seat == MODERATOR),
        draws=journal[-1].entry.drawn,
        over=rules.is_over(game.record.state),
    )
    return ScriptAudit(judged, found)


def _divergence(played: ScriptResult, diagnostic: Diagnostic) -> Divergence:
    """Return the divergence for a problem of a script."""
    problem, kind = diagnostic.problem, _kind(played, diagnostic)
    field = f"line {diagnostic.line}" if diagnostic.line else "script"
    if kind in NOT_DECIDED:
        words = problem.message if diagnostic.fault is None else bug_words(diagnostic.fault)
        return Divergence(kind, field=field, recomputed=words, sentence=True)
    is_refused = kind in (Kind.REFUSED, Kind.CHANCE)
    return Divergence(
        kind=kind,
        n=len(played.game.record.journal) if is_refused and played.game and played.accepted else None,
        seat=diagnostic.seat,
        order=_order(diagnostic),
        field=field,
        recorded=diagnostic.text.strip(),
        recomputed=f"{'refused: ' if is_refused else ''}{problem.message}",
        rule=problem.rule,
        sentence=True,
    )


def _order(diagnostic: Diagnostic) -> str:
    """Return the order on the line of ``diagnostic`` without minutes and seat, which the divergence has separately."""
    if not diagnostic.seat:
        return ""
    text = clean(without_minutes(diagnostic.text)[0]).strip()
    head, colon, rest = text.partition(":")
    return rest.strip() if colon and head.strip().lower() == diagnostic.seat else text


def _kind(played: ScriptResult, diagnostic: Diagnostic) -> Kind:
    code = diagnostic.problem.code
    if code in _BY_CODE:
        return _BY_CODE[code]
    if played.game is None or not diagnostic.line:
        return Kind.SETUP
    if code in _CHANCE:
        return Kind.CHANCE
    return Kind.UNREADABLE if code.startswith(("orders/", "script/bad", "script/mis", "script/tw")) else Kind.REFUSED
