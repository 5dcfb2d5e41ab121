"""Adjudicate board games played by mail: written orders in, the new position and the log of minutes out.

The names in ``__all__`` are the library, which docs/library.md describes; each is loaded when it is first used.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, whose import would take longer than `adjudicator --version`
if TYPE_CHECKING:
    from typing import Any

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
    from adjudicator.verdict import AuditResult, Divergence, Skipped, Verdict

_NAMES = {
    "verdict": "AuditResult Divergence Skipped Verdict",
    "core.corrections": "CorrectionError",
    "core.problem": "AdjudicatorError SetupError",
    "core.ruleset": "Decision Meta Standing",
    "library.begin": "ScriptResult audit_files installed_games new open play_script render simulate_games",
    "library.game": "Game Result",
    "library.reading": "Step",
    "library.texts": "NoOrdersError RequestError read_orders",
    "orders.languages": "LanguageError",
    "outputs.orders": "LegalRow LogRow OrderProblem",
    "replay": "NoSuchEntryError",
    "reports.position": "Position",
    "reports.report": "Report",
    "rulesets": "UnknownRuleset UnusableRuleset",
    "script.export": "CannotExportError",
    "session": "UnknownViewerError",
    "store.errors": "FileProblem Untrusted",
}
"""The public names in each module."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

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
