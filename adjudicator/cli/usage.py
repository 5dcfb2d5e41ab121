"""Report usage errors in plain English, and as JSON for programs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

from adjudicator.cli.output import MISUSE, fail

# typer exports only a subclass of the base class of all usage errors.
_UsageError: Final[Any] = typer.BadParameter.__mro__[1]
RENAMED: Final = {"verify-chance": "audit --published"}
"""The commands of earlier versions, with their present names."""


def asks_for_json(arguments: Sequence[str]) -> bool:
    """Return whether ``--json`` is an option in ``arguments``, not a value after ``--``."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def in_plain_words(message: str) -> str:
    """Return a ``message`` of typer without the names of Python's types and its formulas for ranges."""
    message = re.sub(r"is not a valid int(eger)?( range)?\b", "is not a whole number", message)
    message = re.sub(r"is not a valid float( range)?\b", "is not a number", message)
    message = re.sub(r"is not in the range (\S+)<=x<=(\S+?)\.?$", r"is not from \1 to \2.", message)
    message = re.sub(r"is not one of ('[^',]+')\.?$", r"is not \1.", message)
    return re.sub(r"is not in the range x>=(\S+?)\.?$", r"is not \1 or more.", message)


def help_text(text: str) -> str:
    """Return ``text`` for typer: paragraphs are wrapped, those with an indented line keep their line breaks."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(f"\b\n{paragraph}" if "\n  " in paragraph else paragraph for paragraph in paragraphs)


class RulesetCommands(TyperGroup):
    """The commands of a ruleset, loaded from the typer app that its ``GameMeta`` names once somebody asks for one."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Load the commands, and parse the options before one."""
        self._group()
        return super().make_context(info_name, args, parent, **extra)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands."""
        return list(self._group().list_commands(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command ``cmd_name``, ``None`` without one."""
        command: Any = self._group().get_command(ctx, cmd_name)
        if command is not None:
            command.help, command.rich_markup_mode = help_text(command.help or ""), None
        return command

    def _group(self) -> Any:
        from adjudicator import UnknownRuleset
        from adjudicator.library.rulesets import UnusableRuleset, commands_of

        try:
            app = commands_of(self.name or "")
        except (UnknownRuleset, UnusableRuleset) as error:
            raise _UsageError(str(error)) from error
        if not isinstance(app, typer.Typer):
            raise _UsageError(f"the game “{self.name}” has no commands of its own")
        return typer.main.get_group(app)


class Commands(TyperGroup):
    """The commands together; with --json, usage errors are JSON like every other failure."""

    _is_for_machines = False

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, and of the games of this program that have their own."""
        from adjudicator.library.rulesets import ids_with_commands

        return [*super().list_commands(ctx), *ids_with_commands()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command ``cmd_name`` or the commands of that game, ``None`` without any."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            return command
        if cmd_name in RENAMED:
            ctx.fail(f"use `{RENAMED[cmd_name]}`, the new name of `{cmd_name}`")
        from adjudicator.library.rulesets import ruleset_ids

        if cmd_name not in ruleset_ids():
            return None
        words = f"Commands of the game {cmd_name}."
        return RulesetCommands(name=cmd_name, help=words, no_args_is_help=True, rich_markup_mode=None)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Parse the options before the command."""
        self._is_for_machines = asks_for_json(args)
        with self._explained_usage():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Parse the arguments of the command and run it."""
        with self._explained_usage():
            return super().invoke(ctx)

    @contextmanager
    def _explained_usage(self) -> Iterator[None]:
        """Put usage errors in plain words, and print them as JSON for programs."""
        try:
            yield
        except _UsageError as error:
            error.message = in_plain_words(error.message)
            if not self._is_for_machines:
                raise
            fail(MISUSE, "usage", error.format_message(), as_json=True)
