"""Every command and the shape of what it prints with `--json`."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.outputs import (
    archives,
    audits,
    clubs,
    games,
    orders,
    positions,
    report,
    routes,
    rules,
    simulations,
    sites,
    time_sheets,
    turns,
)
from adjudicator.outputs.failures import Failure


@frozen
class Output:
    """The ``shape`` of what a command prints, a ``description`` of it; ``is_lines`` if there is one on each line."""

    shape: Any
    description: str
    is_lines: bool = False


_ADJUDICATION: Final = Output(orders.Adjudication, "What came of orders, and where the game stands.")
_CORRECTION: Final = Output(orders.Correction, "The entry of a correction, and where the game stands.")
_WAITING: Final = Output(positions.WaitingOrders, "The orders that wait, and those that were set aside.")
FAILURE: Final = "error"
"""What all commands print when they fail is published under this name."""

OUTPUTS: Final[dict[str, Output]] = {
    "games": Output(tuple[games.KnownGame | games.BrokenGame, ...], "The games there are, sorted by name."),
    "rules": Output(rules.FoundRules, "Rules of a game, with their rulings and options."),
    "components": Output(games.ComponentCatalogue, "A component set, with all its parts."),
    "new": Output(games.NewGame | games.PromisedGame, "A game that was set up or, with --commit-only, prepared."),
    "words": Output(games.PromisedGame, "A game that is prepared, with the words that have come."),
    "begin": Output(games.NewGame, "A game that was begun."),
    "check": _ADJUDICATION,
    "apply": _ADJUDICATION,
    "turn": Output(turns.WholeTurn, "What came of a whole turn, and the reports that were written."),
    "report": Output(
        report.SeatReport | report.WrittenReports, "What a viewer is told of a game, or the files that say it."
    ),
    "club": Output(
        clubs.RoundDone | clubs.ClubStatus | clubs.ClubList | clubs.ClubChange,
        "A round of a club, how it stands, who plays, or what was changed.",
        is_lines=True,
    ),
    "pending": _WAITING,
    "withdraw": _WAITING,
    "show": Output(positions.ShownPosition, "Where a game stands, as a viewer may see it."),
    "legal": Output(dict[Seat, tuple[orders.LegalRow, ...]], "The legal orders, by seat."),
    "log": Output(orders.LogRow, "One line of the log of minutes.", is_lines=True),
    "replay": Output(
        positions.ReplayedMove
        | positions.WrittenReplay
        | positions.ScriptProblems
        | positions.ImportedScript
        | positions.ExportedScript,
        "One line of a replay: a move; after a script with mistakes those; or what was written, imported or exported.",
        is_lines=True,
    ),
    "audit": Output(
        audits.AuditedGame | audits.SkippedFile | audits.AuditEnd,
        "One line of an audit: a game, a file passed over, or the summary in the end.",
        is_lines=True,
    ),
    "archive": Output(
        archives.ArchivedGame | archives.ArchiveProblem | archives.ArchiveEnd,
        "One line about an archive: a game in it, something that is wrong, or the summary in the end.",
        is_lines=True,
    ),
    "site": Output(sites.WrittenSite, "The site of an archive that was written."),
    "verify-chance": Output(audits.CheckedLogs, "What the check of published logs came to."),
    "undo": _CORRECTION,
    "amend": _CORRECTION,
    "seat": _CORRECTION,
    "reveal": _CORRECTION,
    "language": Output(games.GameLanguages, "The languages in which orders of a game may be written."),
    "simulate": Output(simulations.Simulation, "Statistics of simulated games."),
    "route": Output(routes.LaidRoute, "A route laid on a map, and what is to be told of it."),
    "sheet": Output(time_sheets.ScoredSheets, "Time sheets as they are scored, in the order of the classification."),
    "schema": Output(games.SchemaNames | dict[str, Any], "The names of the schemas, or the schema that was asked for."),
    FAILURE: Output(Failure, "Why a command has failed: any command may print this instead, or after what it did print."),
}
"""What each command prints, in the order of the help."""
