"""List the commands, load the one that is asked for, and run it; its errors end in ``Ui.end``."""

from __future__ import annotations

import inspect
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperGroup

from adjudicator import __version__
from adjudicator.cli.ui import Stopped, Ui, UsageError, command

_HELP = """
    Adjudicate board games played by mail. The program reads the players' written orders, applies the rules, and
    writes the new position, the log and a report for every player.

    Your first game, in four steps:
      adjudicator games
      adjudicator new checkered-flag --seat red=Ann --seat blue=Bob -o race.json
      adjudicator turn race.json -o reports/
      adjudicator turn race.json orders.txt -o reports/

    The folder reports/ has the report to send to each player, who answers with orders.

    The file orders.txt has the orders of each player after the name of the seat:
      red: GEAR 1
      blue: GEAR 1 brake 1

    `adjudicator COMMAND --help` explains a command.

    Exit codes: 0 done, 1 problems in the orders, 2 wrong use or a system error, 3 a file that cannot be trusted,
    70 a bug in the program, 130 interrupted, 141 the output pipe was closed.
    """


class Entry(NamedTuple):
    """A command: the module of this package with its function, the line in the help, and the heading above it."""

    module: str
    line: str
    group: str


_PLAY, _LOOK, _CORRECT, _MANY = "Play a turn", "Look", "Correct", "Many games"
_RUN, _DECIDE, _CHANGE, _KEEP = "Run a club", "Decide what waits for you", "Change", "Keep and publish"
COMMANDS: Final[dict[str, Entry]] = {
    "games": Entry("games", "List the installed games: players, options, component sets.", _PLAY),
    "new": Entry("new", "Set up a game and write its game file.", _PLAY),
    "begin": Entry("new", "Begin a prepared game: collect the players' words, publish, deal.", _PLAY),
    "check": Entry("orders", "Check orders: print what `apply` would, and change nothing.", _PLAY),
    "apply": Entry("orders", "Adjudicate orders: apply them and report mistakes.", _PLAY),
    "turn": Entry("turn", "Run a whole turn: adjudicate mails and write all reports.", _PLAY),
    "report": Entry("turn", "Write the report for a player, for bystanders or for you.", _PLAY),
    "pending": Entry("corrections", "List the pending orders, and those that were set aside.", _PLAY),
    "show": Entry("look", "Show the position of a game, as one seat may see it.", _LOOK),
    "legal": Entry("look", "List every legal order, with its cost and the reason.", _LOOK),
    "log": Entry("look", "Print the log: what each order cost, and why.", _LOOK),
    "replay": Entry("replay", "Replay a game move by move, from its file or from a script.", _LOOK),
    "fork": Entry("simulate", "Play on privately from an earlier position.", _LOOK),
    "rules": Entry("games", "Print the rules of a game, with all rulings.", _LOOK),
    "undo": Entry("corrections", "Return to the position after an entry.", _CORRECT),
    "amend": Entry("corrections", "Change values of the position: a clock, a hand, a tile.", _CORRECT),
    "seat": Entry("corrections", "Give a seat to another player; the game continues.", _CORRECT),
    "reveal": Entry("corrections", "Publish the secret of chance: all can check the draws.", _CORRECT),
    "language": Entry("corrections", "Show or choose the languages of the players' orders.", _CORRECT),
    "club": Entry("", "Run games by mail: fetch mails, adjudicate, send reports.", _MANY),
    "script": Entry("replay", "Turn a script into a game file, or a game file into a script.", _MANY),
    "audit": Entry("audit", "Check recorded games: decide them again by the rules.", _MANY),
    "archive": Entry("audit", "Keep many games in one small file.", _MANY),
    "site": Entry("pages", "Make a web site of an archive of games.", _MANY),
    "desk": Entry("pages", "Write the desk, a web page for playing and moderating.", _MANY),
    "simulate": Entry("simulate", "Play games with simulated players, and print statistics.", _MANY),
    "schema": Entry("games", "Print the JSON Schema of a file or an output, or list all.", _MANY),
    "new-ruleset": Entry("games", "Write a package to begin a ruleset of your own.", _MANY),
    "club init": Entry("club", "Make a new club in a folder.", _RUN),
    "club add": Entry("club", "Add a game file to the club.", _RUN),
    "club run": Entry("club_rounds", "Run the club until you stop it.", _RUN),
    "club serve": Entry("club_rounds", "Run the club, with pages for its members.", _RUN),
    "club receive": Entry("club_rounds", "Take mails as received now, and do a round.", _RUN),
    "club status": Entry("club", "Show the games, what waits for you, and what happened.", _LOOK),
    "club list": Entry("club", "List the players and members.", _LOOK),
    "club standing": Entry("club", "Show who sends orders on time, and ratings.", _LOOK),
    "club messages": Entry("club", "List the messages of the players of a game, with all writers.", _LOOK),
    "club doctor": Entry("club", "Check settings, files, clock, disk and backups.", _LOOK),
    "club accept": Entry("club", "Accept a mail as one from a seat, or grant a member's request.", _DECIDE),
    "club release": Entry("club", "Send messages that wait for you.", _DECIDE),
    "club settle": Entry("club", "Close matters: drop a message, decline a request.", _DECIDE),
    "club set": Entry("club", "Change settings of the club or of a game.", _CHANGE),
    "club pause": Entry("club", "Stop the clock of games, and write to their players.", _CHANGE),
    "club resume": Entry("club", "Resume games that are paused or have failed.", _CHANGE),
    "club extend": Entry("club", "Move the deadline of games, and write to their players.", _CHANGE),
    "club open": Entry("club", "Open a list for the next game.", _CHANGE),
    "club tournament": Entry("club", "Open a tournament from a file, or show all.", _CHANGE),
    "club seat": Entry("club", "Give a seat and a new token to a player.", _CHANGE),
    "club remove": Entry("club", "Remove a game from the club; keep its files.", _CHANGE),
    "club forget": Entry("club", "Delete a member's data.", _CHANGE),
    "club publish": Entry("club", "Write public pages of the games.", _KEEP),
    "club backup": Entry("club", "Copy the club to a new folder.", _KEEP),
    "club restore": Entry("club", "Go back to the ledger and games of a backup.", _KEEP),
    "club upgrade": Entry("club", "Take over a club of version 1.0.0.", _KEEP),
}
"""Every command in the order of the help. ``club add`` is a command of the group ``club``. Games may have more."""
_GROUPS: Final = {
    "club": """
    The program fetches and answers mails, adjudicates games, sends reports and reminds players who are late. The page
    docs/club.md explains everything.

    Your first club, in four steps:
      adjudicator club init thursday --name "Thursday club" --address club@example.org --moderator me@example.org
      adjudicator club add thursday race.json --seat red=ann@example.org --seat blue=bob@example.org
      adjudicator club run thursday --once
      adjudicator club status thursday

    `adjudicator club COMMAND --help` explains a command.
    """
}
"""What the help of each group says below its line."""
_RENAMED: Final = {
    "withdraw": "pending GAME --withdraw SEAT",
    "components": "games RULESET",
    "words": "begin GAME SEAT=WORD",
    "verify-chance": "audit --published",
    "replay --import": "script FILE -o GAME",
    "replay --export": "script GAME -o FILE",
    "--out": "-o",
    "club report": "club status --since last",
}
"""Commands and options of earlier versions, and what to use today."""
_PLAIN: Final = (
    (r"is not a valid int(eger)?( range)?\b", "is not a whole number"),
    (r"is not a valid float( range)?\b", "is not a number"),
    (r"is not in the range (\S+)<=x<=(\S+?)\.?$", r"is not from \1 to \2."),
    (r"is not one of ('[^',]+')\.?$", r"is not \1."),
    (r"is not in the range x>=(\S+?)\.?$", r"is not \1 or more."),
)
"""What typer's messages say in the names of Python's types and in formulas, and the plain words for it."""


class Commands(TyperGroup):
    """The commands that begin with the name of this group; each is loaded when it is asked for."""

    prefix = ""
    """The words before the names of this group, such as ``club ``; empty for the program itself."""

    @cached_property
    def _table(self) -> dict[str, Entry]:
        """The commands of this group, by the name below it."""
        own = ((name.removeprefix(self.prefix), entry) for name, entry in COMMANDS.items() if name.startswith(self.prefix))
        return {name: entry for name, entry in own if " " not in name}

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **given: Any) -> None:  # type: ignore[override]
        """Run the command in ``args``, and exit with its code; neither a user nor a ruleset can cause a traceback."""
        words = list(sys.argv[1:] if args is None else args)
        if args is None and os.name == "nt":  # other shells than those of Windows replace patterns such as *.eml
            from glob import glob

            words = [file for word in words for file in (sorted(glob(word)) or [word])]
        options = words[: words.index("--")] if "--" in words else words
        ui = Ui(as_json="--json" in options)
        name = prog_name or "adjudicator"
        if "_ADJUDICATOR_COMPLETE" in os.environ:  # a shell asks which words may come next
            super().main(words, name)
        try:
            with self.make_context(name, words, obj=ui, **given) as ctx:
                self.invoke(ctx)
            ui.flush()
        except BaseException as error:  # the only place where errors become words and exit codes
            if isinstance(error, SystemExit) and not ui.is_running:  # typer has printed the script of a shell
                raise
            if isinstance(error, UsageError):
                old = getattr(error, "option_name", "")
                new = _RENAMED.get(f"{error.ctx.info_name} {old}", _RENAMED.get(old)) if old and error.ctx else None
                for pattern, plain in () if new else _PLAIN:
                    error.message = re.sub(pattern, plain, error.message)
                error.message = f"use `{new}`, the new name of `{old}`" if new else error.message
                error.possibilities = None if new else getattr(error, "possibilities", None)
            ui.end(error)
        sys.exit(ui.code)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, and of the games of this program that have their own."""
        return [*self._table, *self._games()]

    def _games(self) -> Sequence[str]:
        from adjudicator.library.rulesets import ids_with_commands

        return () if self.prefix else ids_with_commands()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command or group ``cmd_name``, the commands of that game, or ``None``."""
        entry = self._table.get(cmd_name)
        if entry is not None and entry.module:
            return _command_of(entry.module, f"{self.prefix}{cmd_name}")
        if entry is not None:
            words = _help_text(f"{entry.line}\n\n{inspect.cleandoc(_GROUPS[cmd_name])}")
            group = Commands(name=cmd_name, help=words, no_args_is_help=True, rich_markup_mode=None)
            group.prefix = f"{cmd_name} "
            return group
        from adjudicator.library.rulesets import UnusableRuleset, commands_of, ruleset_ids

        if self.prefix or cmd_name not in ruleset_ids():
            return None
        try:
            app = commands_of(cmd_name)
        except UnusableRuleset as error:
            raise UsageError(str(error)) from error
        if not isinstance(app, typer.Typer):
            raise UsageError(f"the game “{cmd_name}” has no commands of its own")
        own: Any = typer.main.get_group(app)
        own.name, own.help, own.no_args_is_help = cmd_name, f"Commands of the game {cmd_name}.", True
        for one in (own, *own.commands.values()):
            one.help, one.rich_markup_mode = _help_text(one.help or ""), None
        return own

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command in ``args``; if there is none, the error names the new or a similar one."""
        if f"{self.prefix}{args[0]}" in _RENAMED:
            raise UsageError(f"use `{_RENAMED[self.prefix + args[0]]}`, the new name of `{args[0]}`", ctx)
        if self.get_command(ctx, args[0]) is None:
            self.commands = dict.fromkeys(self.list_commands(ctx), typer.core.TyperCommand(None))  # to find similar names
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands below their headings, without loading them."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for name, entry in self._table.items():
            rows.setdefault(entry.group, []).append((name, entry.line))
        games = [(name, f"Commands of the game {name}.") for name in self._games()]
        if games:
            rows["Games with commands of their own"] = games
        for group, listed in rows.items():
            with formatter.section(group):
                formatter.write_dl(listed)


@cache
def _command_of(module: str, name: str) -> Any:
    """Return the command ``name``, such as ``club add``: typer makes it of the function ``club_add`` in ``module``."""
    words = name.replace("-", "_").replace(" ", "_")
    function: Callable[..., Any] = getattr(import_module(f"adjudicator.cli.{module}"), words)
    one = typer.Typer(add_completion=False, rich_markup_mode=None)
    one.command(name=name.split()[-1], help=_help_text(function.__doc__ or ""))(command(function))
    return typer.main.get_command(one)


def _help_text(text: str) -> str:
    """Return ``text`` for typer: paragraphs are wrapped, those with an indented line keep their line breaks."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(f"\b\n{paragraph}" if "\n  " in paragraph else paragraph for paragraph in paragraphs)


def program(*, with_completion: bool = True) -> Any:
    """Return the command line as a command of typer; options to install shell completion take time to make."""
    app = typer.Typer(
        name="adjudicator",
        cls=Commands,
        help=_help_text(_HELP),
        no_args_is_help=True,
        add_completion=with_completion,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    def print_version(wanted: bool) -> None:
        if wanted:
            sys.stdout.write(f"adjudicator {__version__}\n")
            raise typer.Exit

    @app.callback()
    def options(
        version: bool = typer.Option(
            False, "--version", callback=print_version, is_eager=True, help="Print the version and stop."
        ),
    ) -> None:
        """Take the options before the command."""

    return typer.main.get_command(app)


def run() -> None:
    """Run the command line of this process."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # streams that were closed from outside
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open to the end, like the others
    for stream in (sys.stdout, sys.stderr):  # UTF-8 whatever the system uses
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]

    def stop(number: int, _frame: object) -> None:
        raise Stopped(number)

    # End cleanly, as with Ctrl-C, when the system shuts down or the terminal closes.
    for number in filter(None, (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))):
        # A signal that was set to be ignored, as by nohup, stays ignored. Only the main thread may set signals.
        if signal.getsignal(number) is signal.SIG_DFL:
            with suppress(ValueError):
                signal.signal(number, stop)
    program(with_completion=sys.argv[1:2] == [] or sys.argv[1].startswith("-")).main()
