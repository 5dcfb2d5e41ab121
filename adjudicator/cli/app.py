"""Put the commands together, run one of them, and turn a bug into a message."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from adjudicator import __version__
from adjudicator.cli.output import (
    BUG,
    DONE,
    MISUSE,
    UNHEARD,
    OutputError,
    Stopped,
    abandon_output,
    as_output_error,
    flush,
    leave,
    say_failure,
    warn,
)
from adjudicator.cli.usage import Commands, asks_for_json, help_text

_HELP = """
    Adjudicate board games played by mail. The program reads the players' written orders, applies the rules, and
    writes the new position, the log and a report for every player.

    Your first game, in four steps:
      adjudicator games
      adjudicator new checkpoint-rally --seat red=Ann --seat blue=Bob -o race.json
      adjudicator show race.json --as red
      adjudicator apply race.json orders.txt

    The file orders.txt has the orders of each player after the name of the seat:
      red: PLACE H3 at C2 rot 90
        MOVE C3
      blue: DRAW

    `adjudicator COMMAND --help` explains a command.

    Exit codes: 0 done, 1 problems in the orders, 2 wrong use, 3 a file that cannot be trusted.
    """


_COMMANDS: Final = {
    "games": "games",
    "rules": "rules",
    "components": "components",
    "new": "new",
    "words": "prepared",
    "begin": "prepared",
    "check": "turns",
    "apply": "turns",
    "turn": "turn",
    "report": "report",
    "club": "club",
    "pending": "pending",
    "withdraw": "pending",
    "show": "show",
    "legal": "show",
    "log": "show",
    "replay": "replay",
    "audit": "audit",
    "archive": "archive",
    "site": "site",
    "desk": "desk",
    "undo": "corrections",
    "amend": "corrections",
    "seat": "corrections",
    "reveal": "corrections",
    "language": "language",
    "simulate": "simulate",
    "schema": "games",
    "new-ruleset": "new_ruleset",
}
"""Every command, in the order of the help, and the module of this package that defines it. Games may have more."""


def app_for(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the command line with the command or game that ``arguments`` begin with, or with all commands.

    Loading all of them takes as long as many a command runs. Those of a game are loaded only when somebody needs them.
    """
    app = typer.Typer(
        name="adjudicator",
        cls=Commands,
        help=help_text(_HELP),
        no_args_is_help=True,
        add_completion=not arguments or arguments[0].startswith("-"),
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    first = arguments[0] if arguments else ""
    for name in [first] if first in _COMMANDS else [] if _is_game(first) else _COMMANDS:
        command = _command(name)
        app.command(name=name, help=help_text(command.__doc__ or ""))(command)
    return app


def _is_game(name: str) -> bool:
    """Return whether ``name`` is that of an installed game, not of a command or an option."""
    if not name or name.startswith("-"):
        return False
    from adjudicator.library.rulesets import ruleset_ids

    return name in ruleset_ids()


def _command(name: str) -> Callable[..., Any]:
    """Return the function of the command ``name``."""
    command: Callable[..., Any] = getattr(import_module(f"adjudicator.cli.{_COMMANDS[name]}"), name.replace("-", "_"))
    return command


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"adjudicator {__version__}\n")
        leave(DONE)


_Version = Annotated[
    bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
]


def _options(version: _Version = False) -> None:
    """Take the options before the command."""


def run() -> None:
    """Run the command line, and exit with the code of the command; a user cannot cause a traceback."""
    _set_up_streams()
    _heed_signals()
    try:
        try:
            app_for(sys.argv[1:])()
        finally:
            flush()  # the help and usage that typer itself has printed
    except BrokenPipeError:
        abandon_output()
        sys.exit(UNHEARD)
    except SystemExit:
        # Click exits with 1, as for problems, when the output pipe of its help was closed; this stream shows it.
        if type(sys.stdout).__name__ == "PacifyFlushWrapper":
            abandon_output()
            sys.exit(UNHEARD)
        raise
    except (OutputError, OSError) as error:
        # Commands explain their own system errors; the only one left is help that cannot be printed.
        abandon_output()
        warn(f"adjudicator: {as_output_error(error)}")
        sys.exit(MISUSE)
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, KeyboardInterrupt):  # Python 3.11 makes a RuntimeError of one in the body of a class
                raise cause from None
            cause = cause.__cause__ or cause.__context__
        if os.environ.get("ADJUDICATOR_DEBUG"):
            raise
        _tell_bug(error)
        sys.exit(BUG)


def _tell_bug(error: Exception) -> None:
    """Print whose bug ended the command, its place, and what to do next."""
    from adjudicator.cli.faults import whose
    from adjudicator.library.rulesets import place_of_bug

    lines = [
        f"{whose(error)}: {type(error).__name__}: {error}",
        f"The bug is in {place_of_bug(error)}.",
        *filter(None, getattr(error, "__notes__", ())),
        "Please report it, with the command that you used.",
        "Your game file is safe: it is unchanged, or completely written."
        " With ADJUDICATOR_DEBUG=1 the program also prints every step that led there.",
    ]
    words = "\n".join(lines)
    if not asks_for_json(sys.argv[1:]):
        warn(f"adjudicator: {words}")
        return
    with suppress(OutputError, OSError):
        say_failure("internal", words)
        flush()


def _heed_signals() -> None:
    """End cleanly, as with Ctrl-C, when the system shuts down (SIGTERM) or the terminal closes (SIGHUP)."""
    import signal

    def stop(number: int, _frame: object) -> None:
        raise Stopped(number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # A signal that was set to be ignored, as by nohup, stays ignored. Only the main thread may set signals.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            with suppress(ValueError):
                signal.signal(number, stop)


def _set_up_streams() -> None:
    """Use UTF-8 whatever the system uses, and replace streams that were closed from outside."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open to the end, like the others
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
