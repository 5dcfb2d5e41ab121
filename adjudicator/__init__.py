"""Adjudicate board games played by mail: written orders in, the new position and the log of minutes out.

The names in ``__all__`` are the library, which docs/library.md describes; each is loaded when it is first used.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, whose import would take longer than `adjudicator --version`
if TYPE_CHECKING:
    from typing import Any

    from adjudicator.audit.published_setup import CannotCheckError, NotPromisedError
    from adjudicator.audit.published_texts import PublishedText
    from adjudicator.core.chance import ImpossibleOutcomeError
    from adjudicator.core.corrections import CorrectionError, WentOnHoliday
    from adjudicator.core.problem import AdjudicatorError, SetupError
    from adjudicator.core.ruleset import Decision, Meta, Standing
    from adjudicator.core.step import EngineFaultError
    from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem, Untrusted
    from adjudicator.library.begin import (
        ScriptResult,
        audit_files,
        new,
        play_script,
        prepare_game,
        read_players,
        read_published,
        render,
        simulate_games,
    )
    from adjudicator.library.begin import open_game as open  # noqa: A004 - `adj.open` is the word of the library
    from adjudicator.library.chance import verify_logs
    from adjudicator.library.game import Game, Result, Turn
    from adjudicator.library.prepared import Prepared, open_prepared
    from adjudicator.library.reading import Step
    from adjudicator.library.rulesets import (
        ComponentSet,
        component_set,
        installed_games,
        rules_of,
        schema,
        schema_names,
    )
    from adjudicator.library.texts import NoOrdersError, RequestError, read_mail, read_orders, read_outcomes
    from adjudicator.orders.languages import LanguageError
    from adjudicator.orders.submission import Submission
    from adjudicator.outputs.orders import LegalRow, LogRow, OrderProblem
    from adjudicator.prepare import PreparationError
    from adjudicator.processes import RulesetLost
    from adjudicator.replay import NoSuchEntryError
    from adjudicator.reports.position import Position
    from adjudicator.reports.report import Report
    from adjudicator.resources import MissingResource
    from adjudicator.rulesets import BrokenRuleset, UnknownRuleset, UnusableRuleset
    from adjudicator.script.export import CannotExportError, ScriptExport
    from adjudicator.session import UnknownViewerError
    from adjudicator.verdict import AuditResult, Divergence, Skipped, Verdict

_NAMES = {
    "audit.published_setup": "CannotCheckError NotPromisedError",
    "audit.published_texts": "PublishedText",
    "verdict": "AuditResult Divergence Skipped Verdict",
    "core.chance": "ImpossibleOutcomeError",
    "core.corrections": "CorrectionError WentOnHoliday",
    "core.problem": "AdjudicatorError SetupError",
    "core.ruleset": "Decision Meta Standing",
    "core.step": "EngineFaultError",
    "library.begin": "ScriptResult audit_files new open play_script prepare_game read_players read_published"
    " render simulate_games",
    "library.rulesets": "ComponentSet component_set installed_games rules_of schema schema_names",
    "library.chance": "verify_logs",
    "library.game": "Game Result Turn",
    "library.reading": "Step",
    "library.prepared": "Prepared open_prepared",
    "library.texts": "NoOrdersError RequestError read_mail read_orders read_outcomes",
    "orders.languages": "LanguageError",
    "orders.submission": "Submission",
    "outputs.orders": "LegalRow LogRow OrderProblem",
    "prepare": "PreparationError",
    "processes": "RulesetLost",
    "replay": "NoSuchEntryError",
    "reports.position": "Position",
    "reports.report": "Report",
    "resources": "MissingResource",
    "rulesets": "BrokenRuleset UnknownRuleset UnusableRuleset",
    "script.export": "CannotExportError ScriptExport",
    "session": "UnknownViewerError",
    "files.errors": "CannotRead CannotWrite FileProblem Untrusted",
}
"""The public names in each module."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "AdjudicatorError",
    "AuditResult",
    "BrokenRuleset",
    "CannotCheckError",
    "CannotExportError",
    "CannotRead",
    "CannotWrite",
    "ComponentSet",
    "CorrectionError",
    "Decision",
    "Divergence",
    "EngineFaultError",
    "FileProblem",
    "Game",
    "ImpossibleOutcomeError",
    "LanguageError",
    "LegalRow",
    "LogRow",
    "Meta",
    "MissingResource",
    "NoOrdersError",
    "NoSuchEntryError",
    "NotPromisedError",
    "OrderProblem",
    "Position",
    "PreparationError",
    "Prepared",
    "PublishedText",
    "Report",
    "RequestError",
    "Result",
    "RulesetLost",
    "ScriptExport",
    "ScriptResult",
    "SetupError",
    "Skipped",
    "Standing",
    "Step",
    "Submission",
    "Turn",
    "UnknownRuleset",
    "UnknownViewerError",
    "Untrusted",
    "UnusableRuleset",
    "Verdict",
    "WentOnHoliday",
    "audit_files",
    "component_set",
    "installed_games",
    "new",
    "open",
    "open_prepared",
    "play_script",
    "prepare_game",
    "read_mail",
    "read_orders",
    "read_outcomes",
    "read_players",
    "read_published",
    "render",
    "rules_of",
    "schema",
    "schema_names",
    "simulate_games",
    "verify_logs",
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
