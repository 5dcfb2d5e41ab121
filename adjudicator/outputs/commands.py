"""List every command with the type of its output with `--json`."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.core.values import Seat, Value
from adjudicator.outputs import (
    archives,
    clubs,
    desks,
    games,
    orders,
    positions,
    report,
    rules,
    simulations,
    sites,
    standings,
    turns,
)
from adjudicator.outputs.failures import Failure
from adjudicator.verdict import AuditEnd, Skipped, Verdict


class Output(Value):
    """The ``type`` of a command's output and a ``description`` of it; ``is_lines`` says that each line has one."""

    type: Any
    description: str
    is_lines: bool = False


_ADJUDICATION: Final = Output(orders.Adjudication, "The result of orders, and the state of the game.")
_CORRECTION: Final = Output(orders.Correction, "The entry of a correction, and the state of the game.")
_WAITING: Final = Output(positions.WaitingOrders, "The pending orders, and those that were set aside.")
FAILURE: Final = "error"
"""The name of the schema of failures, which all commands may print."""

OUTPUTS: Final[dict[str, Output]] = {
    "games": Output(tuple[games.KnownGame | games.BrokenGame, ...], "The installed games, sorted by name."),
    "rules": Output(rules.FoundRules, "Rules of a game, with their rulings and options."),
    "components": Output(games.ComponentCatalogue, "A component set, with all its parts."),
    "new": Output(games.NewGame | games.PromisedGame, "A game that was set up or, with --commit-only, prepared."),
    "words": Output(games.PromisedGame, "A prepared game, with the words of its players so far."),
    "begin": Output(games.NewGame, "A game that was begun."),
    "check": _ADJUDICATION,
    "apply": _ADJUDICATION,
    "turn": Output(turns.WholeTurn, "The result of a whole turn, and the reports that were written."),
    "report": Output(
        report.SeatReport | report.WrittenReports, "The report of a game to a viewer, or the files with reports."
    ),
    "club": Output(
        clubs.RoundDone
        | clubs.ClubStatus
        | clubs.ClubList
        | clubs.ClubReport
        | clubs.ClubMessages
        | clubs.ClubCheckup
        | clubs.ClubPublished
        | standings.ClubStandings
        | clubs.ClubChange,
        "A round of a club, its state, its players, their standings, its report, findings, public pages, or changes.",
        is_lines=True,
    ),
    "pending": _WAITING,
    "withdraw": _WAITING,
    "show": Output(positions.ShownPosition, "The position of a game, as a viewer may see it."),
    "legal": Output(dict[Seat, tuple[orders.LegalRow, ...]], "The legal orders, by seat."),
    "log": Output(orders.LogRow, "One line of the log of minutes.", is_lines=True),
    "replay": Output(
        positions.ReplayedMove
        | positions.WrittenReplay
        | positions.ScriptProblems
        | positions.ImportedScript
        | positions.ExportedScript,
        "One line of a replay: a move; the mistakes of a script; or the file that was written, imported or exported.",
        is_lines=True,
    ),
    "audit": Output(
        Verdict | Skipped | AuditEnd,
        "One line of an audit: a game, a skipped file, or the summary at the end.",
        is_lines=True,
    ),
    "archive": Output(
        archives.ArchivedGame | archives.ArchiveProblem | archives.ArchiveEnd,
        "One line about an archive: a game in it, a problem, or the summary at the end.",
        is_lines=True,
    ),
    "site": Output(sites.WrittenSite, "The site of an archive that was written."),
    "desk": Output(desks.WrittenDesk, "The desk that was written."),
    "undo": _CORRECTION,
    "amend": _CORRECTION,
    "seat": _CORRECTION,
    "reveal": _CORRECTION,
    "language": Output(games.GameLanguages, "The languages in which orders of a game may be written."),
    "simulate": Output(simulations.Simulation, "Statistics of simulated games."),
    "schema": Output(games.SchemaNames | dict[str, Any], "The names of the schemas, or the schema that was asked for."),
    "new-ruleset": Output(games.NewRuleset, "The package of a new ruleset."),
    FAILURE: Output(Failure, "Why a command has failed: any command may print this instead of its output or after it."),
}
"""The output of each command, in the order of the help."""
