# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are the library
"""Adjudicate board games played by mail: written orders in, the new position and the log of minutes out.

The imports below are the library, which docs/library.md describes. Type checkers read them as they are; a running program
loads each name when it uses it first, from the same lines.
"""

from __future__ import annotations

__version__ = "2.0.0"

# As in `typing`, whose import would take longer than `adjudicator --version`. `_homes` sets it before it runs this module.
TYPE_CHECKING = "TYPE_CHECKING" in globals()
if TYPE_CHECKING:
    from adjudicator.archive.many import audit_files
    from adjudicator.audit.judge import audit_bytes
    from adjudicator.core.problem import AdjudicatorError, CorrectionError, SetupError
    from adjudicator.files.errors import FileProblem, Untrusted
    from adjudicator.library.begin import Prepared, new, open_prepared, prepare_game
    from adjudicator.library.errors import RequestError
    from adjudicator.library.game import Game
    from adjudicator.library.opening import open_game as open  # noqa: A004 - `adj.open` is the word of the library
    from adjudicator.library.opening import render
    from adjudicator.library.reader import Reader, Step
    from adjudicator.library.results import Result
    from adjudicator.library.rulesets import installed_games
    from adjudicator.library.texts import read_mail, read_orders
    from adjudicator.library.turn import Turn
    from adjudicator.library.what_if import WhatIf
    from adjudicator.orders.submission import Submission
    from adjudicator.reports.position import Position
    from adjudicator.reports.report import Report
    from adjudicator.rulesets import UnknownRuleset
    from adjudicator.script.export import CannotExportError, ScriptExport
    from adjudicator.script.play import ScriptResult, play_script
    from adjudicator.simulate.bots import choose_order
    from adjudicator.simulate.play import fork_game, play_others, simulate_games
    from adjudicator.verdict import Verdict


def _homes() -> dict[str, tuple[str, str]]:
    """Return for each name of the library its module and its name there: run the imports, and load nothing.

    Their compiled code is there even where their source is not: in the desk, and in many archives of programs.
    """
    import builtins

    class Noted(str):
        def __getattr__(self, name: str) -> tuple[str, str]:
            return str(self), name

    noting = {**vars(builtins), "__import__": lambda module, *_: Noted(module)}
    found = {"__name__": __name__, "__builtins__": noting, "TYPE_CHECKING": True}
    exec(__spec__.loader.get_code(__name__), found)  # type: ignore[union-attr]
    return {name: home for name, home in found.items() if isinstance(home, tuple) and home[0] != "__future__"}


def __getattr__(name: str) -> object:
    """Load the public ``name`` when a program uses it."""
    if name == "__all__":
        found: object = sorted(_homes())
    elif name.startswith("_") or name not in (homes := _homes()):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        from importlib import import_module

        module, own = homes[name]
        found = getattr(import_module(module), own)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(_homes())
