"""Read simple command lines without typer: with the same values, or not at all.

In any doubt (a mistake, a word that may be an option, a request for help) typer reads the command line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from adjudicator.cli.declared import Argument, Declared, Option, declarations

Call = dict[str, Any]


class _Doubt(Exception):
    """Leave the command line to typer."""


def plain_call(command: Callable[..., Any], words: Sequence[str]) -> Call | None:
    """Return the parameters of ``command`` that ``words`` give, or ``None`` if typer must read them."""
    # On Windows typer looks for files that match a word; a shell that completes words asks through the environment.
    if os.name == "nt" or not all(words) or any(name.endswith("_COMPLETE") for name in os.environ):
        return None
    try:
        return _Reading(declarations(command)).read(words)
    except _Doubt:
        return None


class _Reading:
    """The parameters of one command, and their values so far."""

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
        """Assign the ``placed`` words to the arguments in order; a list, which comes last, takes the rest."""
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
    """Return the plain type of a parameter (``None`` if this module cannot read it) and its declaration."""
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
