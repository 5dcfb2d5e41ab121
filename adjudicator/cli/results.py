"""What only commands print with `--json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.core.values import Digest, Seat, Value, Viewer
from adjudicator.results import (
    Adjudication,
    Decision,
    KnownText,
    LogRow,
    Manifest,
    OrderProblem,
    UnmadePage,
)
from adjudicator.verdict import AuditSummary


class WrittenReplay(Value, kw_only=True):
    """A replay page that was written: its ``file``, and the number of ``entries`` of the ``game`` that it shows.

    ``viewer`` is the player who may read it (``None``: the public).
    """

    file: str
    game: str
    viewer: Seat | None
    entries: int


class ScriptProblems(Value, kw_only=True):
    """The problems of a script, and its ``disagreements``: a sentence for each difference from the recorded results."""

    problems: tuple[OrderProblem, ...]
    disagreements: tuple[str, ...]


class ImportedScript(Value, kw_only=True):
    """A script that became a game: its ``file``, and the number of its ``orders`` and ``turns``."""

    file: str
    game: str
    orders: int
    turns: int
    disagreements: tuple[str, ...]


class ExportedScript(Value, kw_only=True):
    """A game that was written as a script: its ``file``, the number of ``turns``, and the files ``beside`` it."""

    file: str
    game: str
    turns: int
    beside: tuple[str, ...]


class ForkedGame(Value, kw_only=True):
    """A private game that was begun in ``file``: its id (``game``), and the game and the entry ``n`` after which it begins.

    ``seat`` is the player whose knowledge it has (``None``: it knows everything). ``happened`` are the entries that
    simulated players have added, as this player sees them, and ``due`` the decisions that are due then.
    """

    file: str
    game: str
    forked_from: str
    n: int
    seat: Seat | None
    happened: tuple[LogRow, ...]
    due: tuple[Decision, ...]


class WrittenReport(Value, kw_only=True):
    """A ``file`` with the report to ``viewer``, its ``format``, and the SHA-256 of its bytes."""

    viewer: Viewer
    format: str
    file: str
    hash: Digest


class WrittenReports(Value, kw_only=True):
    """The reports that were ``made`` of a game; ``turn`` is the number to write above orders."""

    game: str
    turn: int
    made: tuple[WrittenReport, ...]


class WholeTurn(Value, kw_only=True):
    """The result of a turn: the result of its orders, and the reports that were written into ``folder``.

    ``known`` are the texts that arrived before and are left out; ``again`` says that the reports are those of the last run,
    because no new text has arrived. There is no ``manifest`` if the command changed nothing.
    """

    adjudication: Adjudication
    known: tuple[KnownText, ...]
    again: bool
    folder: str | None
    manifest: Manifest | None


class NewRuleset(Value):
    """The package of a new ruleset: its ``id``, its ``folder``, and the ``files`` there."""

    id: str
    folder: str
    files: tuple[str, ...]


class NewGame(Value, kw_only=True):
    """A game that was set up: its ``file``, and the ``commitment`` of its chance, which the moderator should publish.

    ``commitment`` is ``None`` if people write down the random outcomes by hand.
    """

    file: str
    game: str
    ruleset: str
    turn: int
    components: str
    components_version: int
    components_hash: Digest
    commitment: Digest | None
    due: tuple[Decision, ...]


class SchemaNames(Value):
    """The names of all schemas: those of ``files``, and those of the ``outputs`` of commands."""

    files: tuple[str, ...]
    outputs: tuple[str, ...]


class GameLanguages(Value, kw_only=True):
    """The codes of the ``languages`` in which orders of a game may be written in addition to English.

    ``installed`` are the codes and English names of all installed languages. ``warnings`` name ambiguous words.
    """

    game: str
    languages: tuple[str, ...]
    installed: Mapping[str, str]
    warnings: tuple[str, ...]


class ComponentCatalogue(Value, kw_only=True):
    """A component set: ``parts`` are all its parts, in the form of the ruleset's schema for component sets.

    ``problems`` are the reasons why no game can begin with it.
    """

    ruleset: str
    name: str
    components: str
    components_version: int
    components_hash: Digest
    parts: Mapping[str, Any]
    problems: tuple[OrderProblem, ...] = ()


class SiteProblem(Value, kw_only=True):
    """A ``source`` whose audit has another ``status`` than verified, and the ``reason``."""

    source: str
    game: str
    status: str
    reason: str


class WrittenSite(Value, kw_only=True):
    """A site in ``folder`` with its first page ``index``: ``games`` counts games with a page, ``pages`` all pages.

    ``left_out`` counts unfinished games, without private ones. ``problems`` are the games that the audit did not verify,
    ``unmade`` the pages that could not be made. ``summary`` is the summary of the audit.
    """

    folder: str
    index: str
    games: int
    pages: int
    left_out: int
    problems: tuple[SiteProblem, ...]
    unmade: tuple[UnmadePage, ...]
    summary: AuditSummary


class WrittenDesk(Value, kw_only=True):
    """A desk in ``folder``: its ``release``, the ``file_count``, and the ``size`` of all files in bytes."""

    folder: str
    release: str
    file_count: int
    size: int
