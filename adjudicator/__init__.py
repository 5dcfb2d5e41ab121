"""Adjudicate board games played by mail: written orders in, the new position and the log of minutes out.

The names in ``__all__`` are the library, which docs/library.md describes; each is loaded when it is first used.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, whose import would take longer than `adjudicator --version`
if TYPE_CHECKING:
    from typing import Any

    from adjudicator.audit.verdict import AuditResult, Divergence, Skipped, Verdict
    from adjudicator.core.corrections import CorrectionError
    from adjudicator.core.problem import AdjudicatorError, SetupError
    from adjudicator.core.ruleset import Decision, Meta, Standing
    from adjudicator.library.begin import (
        ScriptResult,
        audit_files,
        installed_games,
        new,
        play_script,
        render,
        simulate_games,
    )
    from adjudicator.library.begin import open_game as open  # noqa: A004 - `adj.open` is the word of the library
    from adjudicator.library.game import Game, Result
    from adjudicator.library.reading import Step
    from adjudicator.library.texts import NoOrdersError, RequestError, read_orders
    from adjudicator.orders.languages import LanguageError
    from adjudicator.outputs.orders import LegalRow, LogRow, OrderProblem
    from adjudicator.replay import NoSuchEntryError
    from adjudicator.reports.position import Position
    from adjudicator.reports.report import Report
    from adjudicator.rulesets import UnknownRuleset, UnusableRuleset
    from adjudicator.script.export import CannotExportError
    from adjudicator.session import UnknownViewerError
    from adjudicator.store.errors import FileProblem, Untrusted

_BEGIN, _GAME = "library.begin", "library.game"
_HOMES = {
    "AdjudicatorError": "core.problem",
    "AuditResult": "audit.verdict",
    "CannotExportError": "script.export",
    "CorrectionError": "core.corrections",
    "Decision": "core.ruleset",
    "Divergence": "audit.verdict",
    "FileProblem": "store.errors",
    "Game": _GAME,
    "LanguageError": "orders.languages",
    "LegalRow": "outputs.orders",
    "LogRow": "outputs.orders",
    "Meta": "core.ruleset",
    "NoOrdersError": "library.texts",
    "NoSuchEntryError": "replay",
    "OrderProblem": "outputs.orders",
    "Position": "reports.position",
    "Report": "reports.report",
    "RequestError": "library.texts",
    "Result": _GAME,
    "ScriptResult": _BEGIN,
    "SetupError": "core.problem",
    "Skipped": "audit.verdict",
    "Standing": "core.ruleset",
    "Step": "library.reading",
    "UnknownRuleset": "rulesets",
    "UnknownViewerError": "session",
    "Untrusted": "store.errors",
    "UnusableRuleset": "rulesets",
    "Verdict": "audit.verdict",
    "audit_files": _BEGIN,
    "installed_games": _BEGIN,
    "new": _BEGIN,
    "open": _BEGIN,
    "play_script": _BEGIN,
    "read_orders": "library.texts",
    "render": _BEGIN,
    "simulate_games": _BEGIN,
}
"""The module of each public name."""

__all__ = [
    "AdjudicatorError",
    "AuditResult",
    "CannotExportError",
    "CorrectionError",
    "Decision",
    "Divergence",
    "FileProblem",
    "Game",
    "LanguageError",
    "LegalRow",
    "LogRow",
    "Meta",
    "NoOrdersError",
    "NoSuchEntryError",
    "OrderProblem",
    "Position",
    "Report",
    "RequestError",
    "Result",
    "ScriptResult",
    "SetupError",
    "Skipped",
    "Standing",
    "Step",
    "UnknownRuleset",
    "UnknownViewerError",
    "Untrusted",
    "UnusableRuleset",
    "Verdict",
    "audit_files",
    "installed_games",
    "new",
    "open",
    "play_script",
    "read_orders",
    "render",
    "simulate_games",
]


def __getattr__(name: str) -> Any:
    """Load the public ``name`` when a program uses it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), "open_game" if name == "open" else name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
