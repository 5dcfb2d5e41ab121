"""Write every published schema into schemas/, and remove obsolete ones: `python .ci/schemas.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from adjudicator import rulesets
from adjudicator.cli.corrections import GameLanguages
from adjudicator.cli.games import ComponentCatalogue, NewRuleset, SchemaNames
from adjudicator.cli.new import NewGame
from adjudicator.cli.pages import WrittenDesk, WrittenSite
from adjudicator.cli.replay import ExportedScript, ImportedScript, ScriptProblems, WrittenReplay
from adjudicator.cli.simulate import ForkedGame
from adjudicator.cli.turn import WholeTurn, WrittenReports
from adjudicator.club.doctor import ClubCheckup
from adjudicator.club.messages import ClubMessages
from adjudicator.club.people import ClubStandings
from adjudicator.club.public import ClubPublished
from adjudicator.club.rounds import RoundDone
from adjudicator.club.seats import ClubList
from adjudicator.club.status import ClubChange, ClubStatus
from adjudicator.club.tournament import ClubTournaments, Tournament
from adjudicator.core.game import FORMAT
from adjudicator.core.values import Seat
from adjudicator.files.documents import Document
from adjudicator.orders.languages import LanguageWords
from adjudicator.reports.position import ReplayedMove, ShownPosition
from adjudicator.reports.report import SeatReport
from adjudicator.reports.rules import FoundRules
from adjudicator.results import (
    Adjudication,
    ArchivedGame,
    ArchiveEnd,
    ArchiveProblem,
    Correction,
    Failure,
    InstalledGame,
    LegalRow,
    LogRow,
    PromisedGame,
    WaitingOrders,
)
from adjudicator.simulate.play import Simulation
from adjudicator.store.schema import FileKind, file_name, generate, published, text_of
from adjudicator.verdict import AuditEnd, Skipped, Verdict

_ADJUDICATION: Final = (Adjudication, "The result of orders, and the state of the game.")
_CORRECTION: Final = (Correction, "The entry of a correction, and the state of the game.")
FAILURE: Final = "error"
"""The name of the schema of failures, which all commands may print."""

OUTPUTS: Final[dict[str, tuple[Any, str]]] = {
    "games": (
        (tuple[InstalledGame, ...], ComponentCatalogue),
        "The installed games, sorted by name, or a component set of one, with all its parts.",
    ),
    "rules": (FoundRules, "Rules of a game, with their rulings and options."),
    "new": ((NewGame, PromisedGame), "A game that was set up or, with --commit-only, prepared."),
    "begin": ((PromisedGame, NewGame), "A prepared game with its words, or the game that was begun."),
    "check": _ADJUDICATION,
    "apply": _ADJUDICATION,
    "turn": (WholeTurn, "The result of a whole turn, and the reports that were written."),
    "report": ((SeatReport, WrittenReports), "The report of a game to a viewer, or the files with reports."),
    "club": (
        (
            RoundDone,
            ClubStatus,
            ClubList,
            ClubMessages,
            ClubCheckup,
            ClubPublished,
            ClubStandings,
            ClubTournaments,
            ClubChange,
        ),
        "A round of a club, its state, its players, their standings, tournaments, findings, public pages, or changes.",
    ),
    "pending": (WaitingOrders, "The pending orders, and those that were set aside."),
    "show": (ShownPosition, "The position of a game, as a viewer may see it."),
    "legal": (dict[Seat, tuple[LegalRow, ...]], "The legal orders, by seat."),
    "log": (LogRow, "One line of the log of minutes."),
    "replay": (
        (ReplayedMove, WrittenReplay, ScriptProblems),
        "One line of a replay: a move; the mistakes of a script; or the page or film that was written.",
    ),
    "fork": (ForkedGame, "A private game that goes on from an earlier position."),
    "script": (
        (ImportedScript, ExportedScript, ScriptProblems),
        "The game file or the script that was written, or the mistakes of a script.",
    ),
    "audit": (
        (Verdict, Skipped, AuditEnd),
        "One line of an audit: a game, a skipped file, or the summary at the end.",
    ),
    "archive": (
        (ArchivedGame, ArchiveProblem, ArchiveEnd),
        "One line about an archive: a game in it, a problem, or the summary at the end.",
    ),
    "site": (WrittenSite, "The site of an archive that was written."),
    "desk": (WrittenDesk, "The desk that was written."),
    "undo": _CORRECTION,
    "amend": _CORRECTION,
    "seat": _CORRECTION,
    "reveal": _CORRECTION,
    "language": (GameLanguages, "The languages in which orders of a game may be written."),
    "simulate": (Simulation, "Statistics of simulated games."),
    "schema": ((SchemaNames, dict[str, Any]), "The names of the schemas, or the schema that was asked for."),
    "new-ruleset": (NewRuleset, "The package of a new ruleset."),
    FAILURE: (Failure, "Why a command has failed: any command may print this instead of its output or after it."),
}
"""The output of each command, in the order of the help."""


def of_output(command: str, kind: Any, description: str) -> dict[str, Any]:
    """Return the schema of the output of ``command`` with `--json`, or of each of its lines."""
    title = "Failure" if command == FAILURE else f"Output of {command}"
    return {**published(kind, f"output:{command}", title, is_complete=True), "description": description}


def of_file(name: str, kind: Any, title: str) -> dict[str, Any]:
    """Return the schema ``name`` of files that people write, in which editors look for the address of the schema."""
    found = published(kind, name, title)
    return {**found, "properties": {"$schema": {"type": "string"}, **found["properties"]}}


def of_settings(name: str, kind: type[Document], title: str) -> dict[str, Any]:
    """Return the schema ``name`` of TOML files that people write."""
    found = {**kind.model_json_schema(), "title": title}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:adjudicator:{name}:{FORMAT}", **found}


def schemas() -> dict[str, str]:
    """Return the text of every schema by its file name."""
    found = {f"output.{command}.json": of_output(command, *output) for command, output in OUTPUTS.items()} | {
        "turn-log.json": published(LogRow, "turn-log", "Line of a turn log", is_complete=True),
        "language.json": of_file("language", LanguageWords, "Words of a language"),
        "tournament.json": of_settings("tournament", Tournament, "Tournament of a club"),
    }
    for meta in rulesets.installed_games():
        if meta.is_shipped:
            types = rulesets.ruleset(meta.id).types
            found |= {file_name(meta.id, kind): generate(meta, types, kind) for kind in FileKind}
            for name, (kind, words) in (rulesets.attribute(meta.schemas) if meta.schemas else {}).items():
                stem = name.removesuffix(".json")
                is_output = name.startswith("output.")
                found[name] = of_output(stem.partition(".")[2], kind, words) if is_output else of_file(stem, kind, words)
    return {name: text_of(schema) for name, schema in found.items()}


if __name__ == "__main__":
    target, wanted = Path(__file__).resolve().parents[1] / "schemas", schemas()
    for stale in set(target.glob("*.json")) - {target / name for name in wanted}:
        stale.unlink()
    for name, content in wanted.items():
        (target / name).write_text(content, encoding="utf-8", newline="\n")
