"""The command `components`: show the contents of a game's box."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from adjudicator.cli.arguments import Json, complete_ruleset
from adjudicator.cli.failures import explained
from adjudicator.cli.files import is_same, spare_other_pictures, write_file, write_new
from adjudicator.cli.output import (
    PROBLEMS,
    MisuseError,
    flush,
    is_terminal,
    leave,
    say,
    say_bytes,
    say_json,
    terminal_width,
    warn,
)

if TYPE_CHECKING:
    from adjudicator.results import OrderProblem
    from adjudicator.scenes.drawing import Drawing


def components(
    name: Annotated[
        str, typer.Argument(metavar="RULESET", help="the game, such as `checkpoint-rally`", autocompletion=complete_ruleset)
    ],
    wanted: Annotated[
        str | None,
        typer.Option("--set", "--components", metavar="SET", help="the name of a set, or a file with your own set"),
    ] = None,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="also draw the tiles or the track; `-` prints only the picture"),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="also copy the set into a new file, as a template"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="replace the file of -o, or a file that is no picture")] = False,
    as_json: Json = False,
) -> None:
    """Show a component set: its tiles, cards, cars and track.

    A copy of a set is the template for your own: change it, and begin a game with
    `new --components`. `schema RULESET.components` says what each field means. For
    your own set you get a list of everything that prevents a game with it; for a
    map, square by square.

    Exit code 1: no game can begin with the set.

    Examples:
      adjudicator components checkpoint-rally
      adjudicator components checkpoint-rally -o my-set.json
      adjudicator components checkpoint-rally --set my-set.json --svg my-set.svg
    """
    with explained(as_json=as_json):
        from adjudicator.cli.results import ComponentCatalogue
        from adjudicator.library.rulesets import component_set
        from adjudicator.reports.drawings.drawing_text import drawing_text
        from adjudicator.reports.text.sanitize import printable

        if force and svg is None and output is None:
            raise MisuseError("use --force only with --svg or -o: nothing else writes a file")
        if svg is not None and wanted is not None and is_same(svg, wanted):
            raise MisuseError(f"name another file: the picture would replace the component set in {wanted}")
        found = component_set(name, wanted)
        known, shapes = found.reference, found.drawing
        title = printable(f"{found.meta.name}: components {known.id}, version {known.version}")
        if svg is not None:
            _draw(shapes, title, svg, is_forced=force)
        if output is not None:
            write_new(Path(output), found.copied(Path(output).stem).encode(), force=force)
        flaws = found.problems
        if as_json and svg != "-":
            catalogue = ComponentCatalogue(
                ruleset=found.meta.id,
                name=found.meta.name,
                components=known.id,
                components_version=known.version,
                components_hash=known.hash,
                parts=found.parts,
                problems=flaws,
            )
            say_json(catalogue)
        elif svg != "-":
            say(f"{title}\nhash {known.hash}\n\n{drawing_text(shapes, color=is_terminal(), width=terminal_width())}")
        if flaws:
            _tell(title, flaws, as_json=as_json)


def _tell(title: str, flaws: tuple[OrderProblem, ...], *, as_json: bool) -> NoReturn:
    """Print the problems of a set, and end."""
    from adjudicator.reports.text.sanitize import printable

    if not as_json:
        flush()
        rules = (f" ({flaw.rule})" if flaw.rule else "" for flaw in flaws)
        lines = (f"  {printable(flaw.message)}{printable(rule)}" for flaw, rule in zip(flaws, rules, strict=True))
        warn("\n".join([f"\n{title}: no game can begin with this set", *lines]))
    leave(PROBLEMS)


def _draw(shapes: Drawing, title: str, target: str, *, is_forced: bool) -> None:
    from adjudicator.reports.pictures.picture import picture

    if target != "-" and not target.lower().endswith(".svg"):
        raise MisuseError(f"give the picture a name that ends in .svg, not “{target}”")
    drawn = picture(shapes, title)
    if drawn is None:
        raise MisuseError("leave out --svg: this component set has neither tiles nor a track to draw")
    if target == "-":
        say_bytes(drawn.encode())
        return
    if not is_forced:
        spare_other_pictures(target)
    write_file(target, drawn.encode())
