"""Adjudicate board games played by mail: written orders in, the new position and the log of minutes out.

The names in ``__all__`` are the library, which docs/library.md describes; each is loaded when it is first used.

Files beside the packages:

* Begin a game: ``begin.py`` (at once), ``prepare.py`` (in steps).
* One game: ``session.py`` (open it), ``present.py`` (what a viewer may know), ``reporting.py`` (its reports; marks follow
  from the reader's last view), ``own_file.py`` (a player's own file), ``replay.py``, ``replay_page.py``.
* Input: ``intake.py`` (texts, mails, mailboxes).
* Games and data: ``rulesets.py`` (find and load them; whose bug it is), ``resources.py`` (grammars, schemas, docs),
  ``game.py`` (the one import for authors), ``results.py`` and ``verdict.py`` (what the library returns).
* Processes: ``processes.py`` (tasks that may hang or exit).
"""

from __future__ import annotations

__version__ = "1.0.0"

TYPE_CHECKING = False  # as in `typing`, whose import would take longer than `adjudicator --version`
if TYPE_CHECKING:
    from typing import Any

    from adjudicator.archive.extract import check_archive, extract_games
    from adjudicator.archive.make import GameCopy, Omission, pack_archive, write_archive
    from adjudicator.audit.published import audit_published
    from adjudicator.audit.published_texts import PublishedText
    from adjudicator.cluster.audit import audit_on_cluster
    from adjudicator.cluster.workers import ClusterError
    from adjudicator.core.chance import ImpossibleOutcomeError
    from adjudicator.core.corrections import WentOnHoliday
    from adjudicator.core.problem import AdjudicatorError, CorrectionError, EngineFaultError, SetupError
    from adjudicator.core.ruleset import GameMeta as Meta
    from adjudicator.core.ruleset import Standing
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
    )
    from adjudicator.library.begin import open_game as open  # noqa: A004 - `adj.open` is the word of the library
    from adjudicator.library.errors import UnknownViewerError
    from adjudicator.library.game import Game, Result, Turn
    from adjudicator.library.lessons import Lesson, lesson
    from adjudicator.library.prepare import PreparationError
    from adjudicator.library.prepared import Prepared, open_prepared
    from adjudicator.library.reading import Step
    from adjudicator.library.replay import NoSuchEntryError
    from adjudicator.library.rulesets import (
        ComponentSet,
        component_set,
        rules_of,
        schema,
        schema_names,
    )
    from adjudicator.library.simulations import simulate_games, simulation_plan, tally_games
    from adjudicator.library.texts import NoOrdersError, RequestError, read_mail, read_orders, read_outcomes
    from adjudicator.orders.languages import LanguageError
    from adjudicator.orders.submission import Submission
    from adjudicator.reports.data.position import Position
    from adjudicator.reports.data.report import Report
    from adjudicator.reports.data.statistics import GameTally, Plan, statistics
    from adjudicator.resources import MissingResource
    from adjudicator.results import Decision, LegalRow, LogRow, OrderProblem, UnmadePage
    from adjudicator.rulesets import (
        BrokenRuleset,
        UnknownRuleset,
        UnusableRuleset,
        commands_of,
        ids_with_commands,
        installed_games,
        ruleset_ids,
    )
    from adjudicator.script.export import CannotExportError, ScriptExport
    from adjudicator.simulate.plot import CannotPlotError, draw_plot, require_plot
    from adjudicator.site.build import SiteListing, build_site
    from adjudicator.site.folder import SiteFolder
    from adjudicator.site.home import HomeGame, build_home
    from adjudicator.sources.archive_places import is_archive, open_archive
    from adjudicator.sources.archive_reader import ArchiveReader
    from adjudicator.store.other_files import is_seat_file
    from adjudicator.verdict import AuditResult, Divergence, Skipped, Verdict

_NAMES = {
    "audit.published": "audit_published",
    "audit.published_texts": "PublishedText",
    "verdict": "AuditResult Divergence Skipped Verdict",
    "core.chance": "ImpossibleOutcomeError",
    "core.corrections": "WentOnHoliday",
    "core.problem": "AdjudicatorError CorrectionError EngineFaultError SetupError",
    "core.ruleset": "Meta Standing",
    "library.begin": "ScriptResult audit_files new open play_script prepare_game read_players read_published render",
    "library.rulesets": "ComponentSet component_set rules_of schema schema_names",
    "library.game": "Game Result Turn",
    "library.lessons": "Lesson lesson",
    "library.reading": "Step",
    "library.prepared": "Prepared open_prepared",
    "library.texts": "NoOrdersError RequestError read_mail read_orders read_outcomes",
    "orders.languages": "LanguageError",
    "orders.submission": "Submission",
    "results": "Decision LegalRow LogRow OrderProblem UnmadePage",
    "prepare": "PreparationError",
    "replay": "NoSuchEntryError",
    "reports.data.position": "Position",
    "reports.data.report": "Report",
    "resources": "MissingResource",
    "rulesets": "BrokenRuleset UnknownRuleset UnusableRuleset commands_of ids_with_commands installed_games ruleset_ids",
    "script.export": "CannotExportError ScriptExport",
    "session": "UnknownViewerError",
    "files.errors": "CannotRead CannotWrite FileProblem Untrusted",
    "archive.extract": "check_archive extract_games",
    "archive.make": "GameCopy Omission pack_archive write_archive",
    "cluster.audit": "audit_on_cluster",
    "cluster.workers": "ClusterError",
    "library.simulations": "simulate_games simulation_plan tally_games",
    "reports.data.statistics": "GameTally Plan statistics",
    "simulate.plot": "CannotPlotError draw_plot require_plot",
    "site.build": "SiteListing build_site",
    "site.folder": "SiteFolder",
    "site.home": "HomeGame build_home",
    "sources.archive_places": "is_archive open_archive",
    "sources.archive_reader": "ArchiveReader",
    "store.other_files": "is_seat_file",
}
"""The public names in each module."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "AdjudicatorError",
    "ArchiveReader",
    "AuditResult",
    "BrokenRuleset",
    "CannotExportError",
    "CannotPlotError",
    "CannotRead",
    "CannotWrite",
    "ClusterError",
    "ComponentSet",
    "CorrectionError",
    "Decision",
    "Divergence",
    "EngineFaultError",
    "FileProblem",
    "Game",
    "GameCopy",
    "GameTally",
    "HomeGame",
    "ImpossibleOutcomeError",
    "LanguageError",
    "LegalRow",
    "Lesson",
    "LogRow",
    "Meta",
    "MissingResource",
    "NoOrdersError",
    "NoSuchEntryError",
    "Omission",
    "OrderProblem",
    "Plan",
    "Position",
    "PreparationError",
    "Prepared",
    "PublishedText",
    "Report",
    "RequestError",
    "Result",
    "ScriptExport",
    "ScriptResult",
    "SetupError",
    "SiteFolder",
    "SiteListing",
    "Skipped",
    "Standing",
    "Step",
    "Submission",
    "Turn",
    "UnknownRuleset",
    "UnknownViewerError",
    "UnmadePage",
    "Untrusted",
    "UnusableRuleset",
    "Verdict",
    "WentOnHoliday",
    "audit_files",
    "audit_on_cluster",
    "audit_published",
    "build_home",
    "build_site",
    "check_archive",
    "commands_of",
    "component_set",
    "draw_plot",
    "extract_games",
    "ids_with_commands",
    "installed_games",
    "is_archive",
    "is_seat_file",
    "lesson",
    "new",
    "open",
    "open_archive",
    "open_prepared",
    "pack_archive",
    "play_script",
    "prepare_game",
    "read_mail",
    "read_orders",
    "read_outcomes",
    "read_players",
    "read_published",
    "render",
    "require_plot",
    "rules_of",
    "ruleset_ids",
    "schema",
    "schema_names",
    "simulate_games",
    "simulation_plan",
    "statistics",
    "tally_games",
    "write_archive",
]


def __getattr__(name: str) -> Any:
    """Load the public ``name`` when a program uses it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), {"open": "open_game", "Meta": "GameMeta"}.get(name, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
