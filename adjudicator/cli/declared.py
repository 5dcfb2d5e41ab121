"""Declare the arguments and options of commands without typer, and convert them where typer is needed.

typer reads every command line correctly, and writes the help and all usage errors; but loading it takes as long as many a
command runs. So it is loaded only where it is needed, and `plain_call` reads simple command lines.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints


class Declared:
    """The declaration of a parameter: the ``names`` of an option, and the further arguments for typer."""

    __slots__ = ("more", "names")

    def __init__(self, *names: str, **more: Any) -> None:
        """Keep the names and the further arguments."""
        self.names, self.more = names, more


class Argument(Declared):
    """A parameter that a command line gives by its place."""

    __slots__ = ()


class Option(Declared):
    """A parameter that a command line gives by its name."""

    __slots__ = ()


Command = Callable[..., Any]


def declarations(command: Command) -> dict[str, Any]:
    """Return the parameters of ``command``, each with its type and, inside ``Annotated``, its declaration."""
    hints = get_type_hints(command, include_extras=True)
    hints.pop("return", None)
    return hints


@cache
def for_typer(command: Command) -> Command:
    """Return ``command`` with the declarations of its parameters converted for typer."""
    import inspect

    hints = {name: _in_typer_s_words(hint) for name, hint in declarations(command).items()}

    @wraps(command)
    def called(**given: Any) -> Any:
        return command(**given)

    signature = inspect.signature(command)
    own = [each.replace(annotation=hints.get(each.name, each.annotation)) for each in signature.parameters.values()]
    called.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
    called.__annotations__ = hints
    return called


def _in_typer_s_words(hint: Any) -> Any:
    import typer

    kinds: dict[type, Callable[..., Any]] = {Argument: typer.Argument, Option: typer.Option}
    if get_origin(hint) is not Annotated:
        return hint
    bare, *notes = get_args(hint)
    made = [kinds[type(note)](*note.names, **note.more) if isinstance(note, Declared) else note for note in notes]
    return Annotated[(bare, *made)]
