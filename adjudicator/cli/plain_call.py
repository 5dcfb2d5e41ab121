"""Command lines with nothing special to them, read without typer: the same values for the same words, or nothing at all.

Where there is any doubt (a mistake, a word that may be an option, a question for help) nothing is read here, and typer has
it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from adjudicator.cli.declared import Argument, Declared, Option, declarations

Call = dict[str, Any]


class _Doubt(Exception):
    """Something is for typer to read."""


def plain_call(command: Callable[..., Any], words: Sequence[str]) -> Call | None:
    """Return what ``words`` give ``command``, parameter by parameter, or ``None`` if that is for typer to say."""
    # On Windows typer looks for files that match a word; a shell that completes words asks through the environment.
    if os.name == "nt" or not all(words) or any(name.endswith("_COMPLETE") for name in os.environ):
        return None
    try:
        return _Reading(declarations(command)).read(words)
    except _Doubt:
        return None


class _Reading:
    """The parameters of one command, and what has been given for them so far."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        self.options: dict[str, tuple[str, Any]] = {}
        self.arguments: list[tuple[str, Any]] = []
        for name, hint in parameters.items():
            kind, declared = _taken_apart(hint)
            if isinstance(declared, Argument):
                self.arguments.append((name, kind))
            else:
                self.options |= dict.fromkeys(declared.names or (f"--{name.replace('_', '-')}",), (name, kind))
        self.given: Call = {}

    def read(self, words: Sequence[str]) -> Call:
        placed: list[str] = []
        rest = iter(words)
        for word in rest:
            if word == "--":
                placed += rest
            elif word == "-" or not word.startswith("-"):
                placed.append(word)
            else:
                self._take_option(word, rest)
        self._take_arguments(placed)
        return self.given

    def _take_option(self, word: str, rest: Any) -> None:
        word, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        name, kind = self.options.get(word, ("", None))
        if kind not in (bool, str, list) or (kind is not list and name in self.given):
            raise _Doubt
        if kind is bool:
            if equals:
                raise _Doubt
            self.given[name] = True
            return
        if not equals:
            value = next(rest, "-?")
            if value.startswith("-") and value != "-":
                raise _Doubt
        if not value:
            raise _Doubt
        self.given[name] = value if kind is str else [*self.given.get(name, ()), value]

    def _take_arguments(self, placed: list[str]) -> None:
        """Give ``placed`` words to the arguments in their order; a list, which is the last of them, takes what is left."""
        for at, (name, kind) in enumerate(self.arguments):
            if kind is list and at == len(self.arguments) - 1:
                if placed:
                    self.given[name] = placed
                return
            if kind is not str or not placed:
                raise _Doubt
            self.given[name], placed = placed[0], placed[1:]
        if placed:
            raise _Doubt


def _taken_apart(hint: Any) -> tuple[Any, Declared]:
    """Return the plain type of a parameter, ``None`` if it is none that is read here, and what is declared of it."""
    if get_origin(hint) is not Annotated:
        raise _Doubt
    kind, *notes = get_args(hint)
    (declared,) = notes
    if not isinstance(declared, (Argument, Option)):
        raise _Doubt
    known = declared.more.keys() <= {"help", "metavar", "show_default"}
    kinds = [each for each in get_args(kind) if each is not NoneType] if NoneType in get_args(kind) else [kind]
    if not known or len(kinds) != 1 or (kinds == [bool] and not declared.names):  # without a name it has a `--no-` beside it
        return None, declared
    return {bool: bool, str: str, list[str]: list}.get(kinds[0]), declared
