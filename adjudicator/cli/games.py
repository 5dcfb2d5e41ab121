"""The commands `games` and `schema`: list the installed games, and print the schemas of files and outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.output import MisuseError, say, say_bytes, say_json, say_safely, terminal_width

if TYPE_CHECKING:
    from adjudicator.core.ruleset import GameMeta, Option
    from adjudicator.library.rulesets import BrokenRuleset
    from adjudicator.results import BrokenGame, KnownGame

_OUTPUT: Final = "output."
"""The beginning of the name of a schema for the output of a command."""


def games(as_json: Json = False) -> None:
    """List the installed games: players, options, component sets.

    Example:
      adjudicator games
    """
    with explained(as_json=as_json):
        from adjudicator.core.ruleset import GameMeta
        from adjudicator.library.rulesets import all_rulesets

        found = all_rulesets()
        if as_json:
            say_json(tuple(map(_data, found)))
            return
        texts = [
            _lines(known) if isinstance(known, GameMeta) else [f"{known.name}  BROKEN: {known.reason}"] for known in found
        ]
        say_safely("\n\n".join("\n".join(lines) for lines in texts) or "no games are installed")


def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="the schema to print; without it, a list of all schemas")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the JSON Schema of a file or an output, or list all.

    The output of a command with --json follows the schema of its name, such as
    `output.apply`, which you can shorten to `apply`. If the command fails, the
    output follows `output.error`.

    Examples:
      adjudicator schema
      adjudicator schema checkpoint-rally.game-file
      adjudicator schema output.apply
    """
    with explained(as_json=as_json):
        from adjudicator.library.rulesets import schema as text_of
        from adjudicator.library.rulesets import schema_names

        names = schema_names()
        if name is None:
            _list(names, as_json=as_json)
        else:
            say_bytes(text_of(_known(name, names)).encode())


def _list(names: tuple[str, ...], *, as_json: bool) -> None:
    from adjudicator.cli.results import SchemaNames

    outputs = tuple(name for name in names if name.startswith(_OUTPUT))
    files = tuple(name for name in names if name not in outputs)
    if as_json:
        say_json(SchemaNames(files, outputs))
    else:
        lines = ["files:", *(f"  {name}" for name in files), "outputs of commands:", *(f"  {name}" for name in outputs)]
        say("\n".join(lines))


def _known(name: str, names: tuple[str, ...]) -> str:
    from adjudicator.core.problem import suggest

    wanted = name if name.endswith(".json") else f"{name}.json"
    if _OUTPUT + wanted in names:
        return _OUTPUT + wanted
    if wanted not in names:
        similar = suggest(wanted, names, 1)
        hint = f" (did you mean “{similar[0].removesuffix('.json')}”?)" if similar else ""
        raise MisuseError(f"no schema has the name “{name}”{hint}; `adjudicator schema` lists them all")
    return wanted


def _lines(meta: GameMeta) -> list[str]:
    lines = [
        f"{meta.id}  {meta.name}, rules version {meta.version}, {meta.players_words}, counts {meta.unit[1]}",
        f"  component sets: {', '.join(meta.component_sets)} (default: {meta.component_sets[0]})",
    ]
    if not meta.options:
        return lines
    widest, width = max(len(_written(option)) for option in meta.options), terminal_width()
    if width is not None and widest > width // 2:
        widest = 0
    lines.append("  options (in brackets the default):")
    return lines + [f"    {_written(option):{widest}}  {option.help} [{option.default}]" for option in meta.options]


def _written(option: Option) -> str:
    name = f"{option.name}.SEAT" if option.per_seat else option.name
    return f"{name}={'|'.join(option.choices) or 'ID'}"


def _data(known: GameMeta | BrokenRuleset) -> KnownGame | BrokenGame:
    from adjudicator.core.ruleset import GameMeta
    from adjudicator.results import BrokenGame, KnownGame

    return KnownGame.of(known) if isinstance(known, GameMeta) else BrokenGame(known.name, known.reason)
