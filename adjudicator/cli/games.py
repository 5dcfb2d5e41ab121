"""The commands `games` and `schema`: what there is to play, and how its files are built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.output import MisuseError, say, say_bytes, say_json, say_safely

if TYPE_CHECKING:
    from adjudicator.core.ruleset import Meta, Option


def games(as_json: Json = False) -> None:
    """List the games there are: players, options, component sets.

    Example:
      adjudicator games
    """
    with explained(as_json=as_json):
        from adjudicator.core.ruleset import Meta
        from adjudicator.rulesets import metas

        found = [known for _, known in metas()]
        if as_json:
            say_json([_data(known) if isinstance(known, Meta) else _broken_data(known) for known in found])
            return
        texts = [_lines(known) if isinstance(known, Meta) else [f"{known.name}  BROKEN: {known.reason}"] for known in found]
        say_safely("\n\n".join("\n".join(lines) for lines in texts) or "no game is installed")


def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="the schema to print; without it their names are listed")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print a JSON Schema of the files, or list their names.

    Example:
      adjudicator schema checkpoint-rally.game-file
    """
    with explained(as_json=as_json):
        from adjudicator.store import schema as schemas

        shipped, foreign = schemas.names(), schemas.foreign_names()
        names = (*shipped, *foreign)
        if name is None and as_json:
            say_json(list(names))
        elif name is None:
            say("\n".join(names))
        else:
            wanted = _known(name, names)
            say_bytes((schemas.text(wanted) if wanted in shipped else schemas.foreign_text(wanted)).encode())


def _known(name: str, names: tuple[str, ...]) -> str:
    from adjudicator.core.suggestions import suggest

    wanted = name if name.endswith(".json") else f"{name}.json"
    if wanted not in names:
        near = suggest(wanted, names, 1)
        hint = f" (did you mean “{near[0].removesuffix('.json')}”?)" if near else ""
        raise MisuseError(f"there is no schema “{name}”{hint}; there are: {', '.join(names)}")
    return wanted


def _lines(meta: Meta) -> list[str]:
    lines = [
        f"{meta.id}  {meta.name}, rules version {meta.version}, {meta.players_words}, counts {meta.unit[1]}",
        f"  component sets: {', '.join(meta.component_sets)} (default: {meta.component_sets[0]})",
    ]
    if not meta.options:
        return lines
    width = max(len(_written(option)) for option in meta.options)
    lines.append("  options (in brackets the default):")
    return lines + [f"    {_written(option):{width}}  {option.help} [{option.default}]" for option in meta.options]


def _written(option: Option) -> str:
    name = f"{option.name}.SEAT" if option.per_seat else option.name
    return f"{name}={'|'.join(option.choices) or 'ID'}"


def _data(meta: Meta) -> dict[str, Any]:
    from adjudicator.core.canonical import json_value

    data: dict[str, Any] = json_value(meta)
    del data["ruleset"]
    return data


def _broken_data(broken: Any) -> dict[str, Any]:
    return {"id": broken.name, "broken": broken.reason}
