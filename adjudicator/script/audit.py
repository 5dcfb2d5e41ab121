"""Audit a script: a game kept by hand is decided by the rules, and every written number is recomputed."""

from __future__ import annotations

from typing import Final

from adjudicator.core.problem import FAULT, Diagnostic
from adjudicator.orders.clean import clean
from adjudicator.rulesets import bug_words
from adjudicator.script.play import ScriptResult, play_script
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


def audit_script(source: str, data: bytes, folder: str | None = None) -> Verdict:
    """Audit the script with the bytes ``data``, which has every divergence; its content raises no error.

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
        return verdict(source, found[0], game=name.value[:80] if name else "", ruleset=by, further=found[1:])
    found = (*played.divergences, *found)
    about, over, divergence = played.game.record, played.game.is_over, found[0] if found else None
    entries = [link.entry for link in about.journal]
    rules = about.ruleset.id
    return verdict(source, divergence, game=about.id, ruleset=rules, entries=entries, over=over, further=found[1:])


def _divergence(played: ScriptResult, diagnostic: Diagnostic) -> Divergence:
    """Return the divergence for a problem of a script."""
    problem, code = diagnostic.problem, diagnostic.problem.code
    if code in _BY_CODE:
        kind = _BY_CODE[code]
    elif played.game is None or not diagnostic.line:
        kind = Kind.SETUP
    elif code in _CHANCE:
        kind = Kind.CHANCE
    else:
        is_unreadable = code.startswith(("orders/", "script/bad", "script/mis", "script/tw"))
        kind = Kind.UNREADABLE if is_unreadable else Kind.REFUSED
    field = f"line {diagnostic.line}" if diagnostic.line else "script"
    if kind in NOT_DECIDED:
        words = problem.message if diagnostic.fault is None else bug_words(diagnostic.fault)
        return Divergence(kind, field=field, recomputed=words, sentence=True)
    is_refused = kind in (Kind.REFUSED, Kind.CHANCE)
    return Divergence(
        kind=kind,
        n=len(played.game.record.journal) if is_refused and played.game and played.accepted else None,
        seat=diagnostic.seat,
        order=clean(diagnostic.written).strip() if diagnostic.seat else "",
        field=field,
        recorded=diagnostic.text.strip(),
        recomputed=f"{'refused: ' if is_refused else ''}{problem.message}",
        rule=problem.rule,
        sentence=True,
    )
