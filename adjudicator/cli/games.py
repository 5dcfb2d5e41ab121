"""The commands `games` and `schema`: what there is to play, and how its files are built."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.output import MisuseError, say, say_bytes, say_json
from adjudicator.core.ruleset import Meta, Option


def games(as_json: Json = False) -> None:
    """List the rulesets: players, options, component sets.

    Example:  adjudicator games
    """
    from adjudicator.rulesets import metas

    with explained(as_json=as_json):
        found = metas()
        if as_json:
            say_json([_data(known) if isinstance(known, Meta) else _broken_data(known) for _, known in found])
            return
        for _, known in found:
            say("\n".join(_lines(known)) if isinstance(known, Meta) else f"{known.name}  BROKEN: {known.reason}")


def schema(
    name: Annotated[str | None, typer.Argument(help="the schema to print; without it the names are listed")] = None,
    as_json: Json = False,
) -> None:
    """Print a JSON Schema, or the names of all.

    Example:  adjudicator schema checkpoint-rally.game-file
    """
    from adjudicator.store import schema as schemas

    with explained(as_json=as_json):
        names = schemas.names()
        if name is None:
            if as_json:
                say_json(list(names))
            else:
                say("\n".join(names))
            return
        wanted = name if name in names else f"{name}.json"
        if wanted not in names:
            raise MisuseError(f"there is no schema “{name}”; there are: {', '.join(names)}")
        say_bytes(schemas.text(wanted).encode())


def _lines(meta: Meta) -> list[str]:
    fewest, most = meta.players
    lines = [
        f"{meta.id}  {meta.name}, rules version {meta.version}, {fewest} to {most} players, counts {meta.unit[1]}",
        f"  component sets: {', '.join(meta.component_sets)} (default: {meta.component_sets[0]})",
        "  options:",
    ]
    width = max(len(_written(option)) for option in meta.options) if meta.options else 0
    return lines + [f"    {_written(option):{width}}  {option.help} [{option.default}]" for option in meta.options]


def _written(option: Option) -> str:
    name = f"{option.name}.SEAT" if option.per_seat else option.name
    return f"{name}={'|'.join(option.choices) or 'ID'}"


def _data(meta: Meta) -> dict[str, Any]:
    from adjudicator.core.plain import plain

    data: dict[str, Any] = plain(meta)
    del data["ruleset"]
    return data


def _broken_data(broken: Any) -> dict[str, Any]:
    return {"id": broken.name, "broken": broken.reason}
