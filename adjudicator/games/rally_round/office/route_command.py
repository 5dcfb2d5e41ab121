"""The command `route`: lay and check a route on a map before a game begins with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import is_picture, is_same, only_one_stdin, spare_other_files, write_new
from adjudicator.cli.output import PROBLEMS, MisuseError, leave, say, say_bytes, say_json, warn
from adjudicator.library.rulesets import chosen_components

if TYPE_CHECKING:
    from adjudicator.games.rally_round.components import Components, Rally
    from adjudicator.games.rally_round.office.routes import Asked, Route


def route(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", help="the controls, as text or JSON; without it, the map's first rally", show_default=False
        ),
    ] = None,
    on: Annotated[
        str | None, typer.Option("--map", metavar="MAP", help="the name of a component set, or a file with your own set")
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option("--compare", metavar="FILE", help="a file with the squares of an old route, to compare with"),
    ] = None,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="also draw the map with the route; `-` prints only the picture"),
    ] = None,
    section: Annotated[
        str | None,
        typer.Option("--section", metavar="NAME", help="with --svg: only this section, or `all`, for narrow screens"),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="write the position file for `new --setup`")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="with -o or --svg: replace existing files")] = False,
    as_json: Json = False,
) -> None:
    """Lay a route for Rally Round on a map, and check it.

    You get the shortest correct way to every control, the target times, every
    ambiguity with the Black Spots that remove it, warnings, and the road book as
    text. docs/rally-round.md explains how to type a route.

    Exit code 1: the route cannot be driven, or differs from the old one.

    Examples:
      adjudicator rally-round route evening.txt
      adjudicator rally-round route evening.txt --map my-map.json --svg evening.svg
      adjudicator rally-round route evening.txt --svg for-phones.svg --section all
      adjudicator rally-round route evening.txt -o evening.json
    """
    with explained(as_json=as_json):
        from adjudicator.games.rally_round.office.route_report import route_text
        from adjudicator.games.rally_round.office.routes import lay, require_sound_map, told
        from adjudicator.rulesets import ruleset

        if section is not None and svg is None:
            raise MisuseError("use --section only with --svg: it selects the part of the map to draw")
        only_one_stdin(*filter(None, (file, on, compare)))
        _spare_inputs((svg, output), (file, on, compare))
        components: Components = chosen_components(ruleset("rally-round"), on)
        require_sound_map(components)
        asked, old = asked_route(file, components), _old(compare, components)
        if asked.rally is None or asked.problems or old.problems:
            _refuse(asked, old, components, as_json=as_json)
        laid = lay(components, asked.rally)
        found = told(laid, old.ways)
        if svg is not None:
            _draw(laid, svg, section, is_forced=force)
        if output is not None and not (found.flaws or found.ambiguous):
            _write(laid.rally, output, is_forced=force)
        if as_json and svg != "-":
            say_json(found)
        elif svg != "-":
            say(route_text(found))
        if found.flaws or found.ambiguous or any(one.step for one in found.old_route):
            leave(PROBLEMS)


def _spare_inputs(targets: tuple[str | None, ...], sources: tuple[str | None, ...]) -> None:
    for target in filter(None, targets):
        if any(is_same(target, source) for source in filter(None, sources)):
            raise MisuseError(f"name another file: the output would replace {target}, which this command reads")


def asked_route(file: str | None, components: Components) -> Asked:
    """Return the rally in ``file``, or without a file the first rally of the map. Raises as reading does."""
    from adjudicator.files.reading import read
    from adjudicator.games.rally_round.office.routes import Asked, read_route

    if file is not None:
        return read_route(*read(file), components)
    if not components.rallies:
        raise MisuseError(f"name a file with a rally: the map {components.id} is correct, but has none")
    return Asked(components.rallies[0], {}, ())


def _old(compare: str | None, components: Components) -> Asked:
    from adjudicator.files.reading import read
    from adjudicator.games.rally_round.office.routes import Asked, read_old_route

    return Asked(None, {}, ()) if compare is None else read_old_route(*read(compare), components)


def _refuse(asked: Asked, old: Asked, components: Components, *, as_json: bool) -> NoReturn:
    """Print every line that cannot be read, and end."""
    from adjudicator.games.rally_round.office.outputs import LaidRoute
    from adjudicator.reports.diagnostics import diagnostics_text, order_problem

    problems = (*asked.problems, *old.problems)
    if as_json:
        unreadable = tuple(map(order_problem, problems))
        nothing = LaidRoute(
            rally=asked.rally.name if asked.rally else "",
            map=components.name,
            laid=(),
            flaws=(),
            ambiguous=(),
            settled_by=None,
            warnings=(),
            old_route=(),
            problems=unreadable,
        )
        say_json(nothing)
    else:
        warn(diagnostics_text(problems))
    leave(PROBLEMS)


def _draw(laid: Route, target: str, section: str | None, *, is_forced: bool) -> None:
    from adjudicator.cli.show import drawn_section
    from adjudicator.files.atomic import write_atomic
    from adjudicator.games.rally_round.office.routes import route_drawing
    from adjudicator.reports.sanitize import printable

    if target != "-" and not target.lower().endswith(".svg"):
        raise MisuseError(f"give the picture a name that ends in .svg, not “{target}”")
    shapes = route_drawing(laid)
    drawn = None if shapes is None else drawn_section(shapes, printable(laid.rally.name), section)
    if drawn is None:
        warn("adjudicator: no picture was drawn, because some controls cannot be reached")
    elif target == "-":
        say_bytes(drawn.encode())
    else:
        if not is_forced:
            spare_other_files(target, "a picture", is_picture, "name another file, or use --force")
        write_atomic(Path(target), drawn.encode())


def _write(rally: Rally, target: str, *, is_forced: bool) -> None:
    from adjudicator.games.rally_round.office.routes import setup_file

    data = (json.dumps(setup_file(rally), indent=1, ensure_ascii=False) + "\n").encode()
    if target == "-":
        say_bytes(data)
    else:
        write_new(Path(target), data, force=is_forced)
