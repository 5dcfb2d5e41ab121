"""The commands of Rally Round: `route` lays and checks a route and compares it with an old one, `sheet` scores sheets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import islice, zip_longest
from pathlib import PurePath
from typing import Annotated, Final

import typer

from adjudicator.cli.look import write_drawing
from adjudicator.cli.ui import PROBLEMS, MisuseError, Ui, argument, command, option
from adjudicator.core.problem import Diagnostic, Problem, SetupError, Violation
from adjudicator.core.ruleset import Setup
from adjudicator.core.values import json_value, replace
from adjudicator.files.errors import Untrusted
from adjudicator.files.reading import read
from adjudicator.game import count
from adjudicator.games.rally_round import roads as maps
from adjudicator.games.rally_round.components import Components, Rally, SquareId
from adjudicator.games.rally_round.config import Config, configured
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.office import outputs
from adjudicator.games.rally_round.office.drive import drive
from adjudicator.games.rally_round.office.sheets import Row, Sheet, classified, score, sheets_text
from adjudicator.games.rally_round.office.texts import RouteReader, SheetReader
from adjudicator.games.rally_round.picture import LEGEND, route_map, route_table
from adjudicator.games.rally_round.roads import Network, Way, network_of
from adjudicator.games.rally_round.route import Leg, Section, cautions, clock, flaw_text, flaws_of, legs_of, remedies
from adjudicator.games.rally_round.state import Position
from adjudicator.library.rulesets import chosen_components
from adjudicator.reports.receipt import order_problem, problems_text
from adjudicator.reports.texts import printable, table_lines
from adjudicator.rulesets import ruleset
from adjudicator.scenes.drawing import Drawing
from adjudicator.store.other_files import load_position

_MOST_WAYS: Final = 10**15 - 1
"""The number of ways up to which they are counted."""
_MOST_SPOTS: Final = 12
"""The most Black Spots that an organiser would place to leave one way."""
_SHOWN: Final = 3
"""How many ways of an ambiguous leg the report lists with their Black Spots."""


def lay(components: Components, rally: Rally, old: Mapping[str, Way]) -> tuple[outputs.LaidRoute, Config | None]:
    """Return ``rally`` on the map of ``components``, which has no flaws, compared with the ways of an ``old`` route.

    With it comes the configuration to draw and drive it, ``None`` if some control cannot be reached.
    """
    network = network_of(components)
    is_on_map = all(one.square in network.links for one in rally.controls)
    legs = legs_of(network, rally) if is_on_map else ()
    ambiguous = tuple(_ambiguities(legs))
    flaws = tuple(flaws_of(network, rally, is_certain=not ambiguous))
    found = outputs.LaidRoute(rally=rally.name, map=components.name, flaws=tuple(map(flaw_text, flaws)), ambiguous=ambiguous)
    config, has_speeds = None, all(flaw.rule != "RR-T4" for flaw in flaws)
    if legs and all(leg.ways for leg in legs) and rally.controls[-1].section is not None and has_speeds:
        options = {option.name: option.default for option in META.options}
        setup = Setup(players=(), options=options, components=components, position=Position(rally=rally))
        config = configured(setup, META.version)
    if ambiguous:
        return replace(found, settled_by=settled(network, rally)), config
    if config is None:
        return found, None
    sections = tuple(
        outputs.LaidSection(
            control=section.end.name,
            timing=section.timing.value,
            speed=section.end.speed,
            distance=section.distance,
            target=section.target,
            controls=tuple(
                outputs.LaidControl(control=post.name, square=post.square, side=str(post.side or ""), distance=distance)
                for post, distance in zip(section.posts, section.distances, strict=True)
            ),
            squares=section.way,
        )
        for section in config.sections
    )
    old_route = tuple(filter(None, [_compared(section, old) for section in config.sections]))
    warnings = tuple(cautions(network, rally, config.sections))
    return replace(found, laid=sections, warnings=warnings, old_route=old_route), config


def _ambiguities(legs: tuple[Leg, ...]) -> Iterator[outputs.AmbiguousLeg]:
    """Yield each of the ``legs`` with several shortest ways, and the Black Spots that would settle it (RR-L2)."""
    for leg in legs:
        if leg.ways.number > 1:
            choices = islice(remedies(legs, leg, _MOST_SPOTS), _SHOWN)
            yield outputs.AmbiguousLeg(
                control=leg.end.name,
                leaves=leg.start.name,
                distance=leg.ways.distance,
                ways=min(leg.ways.number, _MOST_WAYS),
                remedies=tuple(outputs.BlackSpots(through=choice.through, squares=choice.spots) for choice in choices),
            )


def settled(network: Network, rally: Rally) -> tuple[SquareId, ...] | None:
    """Return Black Spots that together leave one way on every leg, ``None`` if the search finds none.

    For each ambiguous leg it takes the choice with the fewest.
    """
    added: tuple[SquareId, ...] = ()
    for _ in rally.controls:
        legs = legs_of(network, replace(rally, black_spots=(*rally.black_spots, *added)))
        first = next(_ambiguities(legs), None)
        if first is None:
            return added if all(leg.ways for leg in legs) else None
        if not first.remedies:
            return None
        added = (*added, *map(SquareId, min(first.remedies, key=lambda remedy: len(remedy.squares)).squares))
    return None


def _compared(section: Section, ways: Mapping[str, Way]) -> outputs.ComparedSection | None:
    """Compare ``section`` with the transcribed ``ways`` to its controls; ``None`` if the transcription has none of them."""
    theirs: list[str] = []
    for post in section.posts:
        part = ways.get(post.name, ())
        theirs += part[1:] if theirs and part and part[0] == theirs[-1] else part
    if not theirs:
        return None
    if theirs[0] != section.way[0]:
        theirs.insert(0, section.way[0])
    pairs = enumerate(zip_longest(section.way, theirs, fillvalue=""))
    step, (own, other) = next((one for one in pairs if one[1][0] != one[1][1]), (0, ("", "")))
    return outputs.ComparedSection(control=section.end.name, step=step, ours=own, theirs=other)


def route_text(laid: outputs.LaidRoute, config: Config | None) -> str:
    """Return ``laid`` for people, problems first; ``config`` comes with it."""
    blocks, wrong = [[f"{laid.rally}: a route on {laid.map}"]], [f"  {flaw}" for flaw in laid.flaws]
    for leg in laid.ambiguous:
        wrong.append(f"  from {leg.leaves} to {leg.control} there are {leg.ways:,} ways of {leg.distance} squares (RR-L2)")
        for remedy in leg.remedies:
            spots = "a Black Spot" if len(remedy.squares) == 1 else "Black Spots"
            wrong.append(f"    {spots} on {', '.join(remedy.squares)} would leave only the way over {remedy.through}")
        if not leg.remedies:
            wrong.append("    move a control or add a PC: no Black Spots off the route leave only one way")
    if laid.settled_by:
        wrong.append(f"  with Black Spots on {', '.join(laid.settled_by)} there is only one way everywhere")
    if wrong:
        blocks.append(["This route cannot be driven:", *wrong])
    if laid.warnings:
        blocks.append(["Please check:", *(f"  {warning}" for warning in laid.warnings)])
    if config is not None and laid.laid:
        squares, time = (sum(getattr(one, name) for one in laid.laid) for name in ("distance", "target"))
        sums = f"{count(len(laid.laid), 'section')}, {count(squares, 'square')}, {clock(time)} in all"
        table = route_table(config)
        blocks.append([*table_lines(table.headings, table.rows), sums])
    if laid.old_route:
        blocks.append(["Compared with the transcription:"])
        for one in laid.old_route:
            ours, theirs = one.ours or "nothing more", one.theirs or "nothing more"
            difference = f"first difference at step {one.step}: here {ours}, there {theirs}" if one.step else "the same"
            blocks[-1].append(f"  {one.control}: {difference}")
    return "\n\n".join("\n".join(map(printable, block)) for block in blocks)


# The commands


def route(
    ui: Ui,
    file: str | None = argument(None, "[FILE]", "the controls, as text or JSON; without it, the map's first rally"),
    on: str | None = option(None, "--map", "MAP", "the name of a component set, or a file with your own set"),
    compare: str | None = option(None, "--compare", "FILE", "a file with the squares of an old route, to compare with"),
    svg: str | None = option(None, "--svg", "FILE", "also draw the map with the route; `-` prints only the picture"),
    section: str | None = option(None, "--section", "NAME", "with --svg: only this section, or `all`, for narrow screens"),
    output: str | None = option(None, "-o", "--output", "FILE", "write the position file for `new --setup`"),
    force: bool = option(False, "--force", "with -o or --svg: replace existing files"),
) -> None:
    """Lay a route for Rally Round on a map, and check it.

    You get the shortest correct way to every control, the target times, every
    ambiguity with the Black Spots that remove it, and warnings.
    docs/rally-round.md explains how to type a route.

    Exit code 1: the route cannot be driven, or differs from the old one.

    Examples:
      adjudicator rally-round route evening.txt
      adjudicator rally-round route evening.txt --map my-map.json --svg evening.svg
      adjudicator rally-round route evening.txt --svg for-phones.svg --section all
      adjudicator rally-round route evening.txt -o evening.json
    """
    ui.guard((file, on, compare), {"-o": output, "--svg": svg}, force)
    if section is not None and svg is None:
        raise MisuseError("use --section only with --svg: it selects the part of the map to draw")
    components = _sound_map(on)
    rally, wrong = _asked_rally(file, components)
    old = RouteReader("" if compare is None else compare, network_of(components), is_old=True)
    if compare is not None:
        old.name, data = read(compare)
        old.read(data)
    problems = tuple(map(order_problem, (*wrong, *old.wrong)))
    found, config = outputs.LaidRoute(rally=rally.name if rally else "", map=components.name, problems=problems), None
    if rally is not None and not problems:
        found, config = lay(components, rally, old.ways)
        if svg is not None:
            shapes, part = ((), None) if config is None else ((route_map(config, {}), LEGEND), section)
            if not write_drawing(ui, Drawing(shapes), printable(rally.name), svg, part):
                ui.warn("adjudicator: no picture was drawn, because some controls cannot be reached")
        if output is not None and not (found.flaws or found.ambiguous):
            ui.write(output, (json.dumps({"rally": json_value(rally)}, indent=1, ensure_ascii=False) + "\n").encode())
    if problems and not ui.as_json:
        ui.warn(problems_text(problems))
    elif problems or "-" not in (svg, output):
        ui.show(found, lambda: route_text(found, config))
    if problems or found.flaws or found.ambiguous or any(one.step for one in found.old_route):
        ui.code = PROBLEMS


def _sound_map(on: str | None) -> Components:
    """Return the component set ``on`` whose map the command works. Raises ``SetupError`` with all flaws of the map."""
    components: Components = chosen_components(ruleset("rally-round"), on)
    wrong = (*maps.flaws_of(components), *maps.flaws_of_signs(components))
    if wrong:
        raise SetupError(tuple(Problem("rally-round/unfit-set", flaw.message, flaw.rule) for flaw in wrong))
    return components


def _asked_rally(file: str | None, components: Components) -> tuple[Rally | None, list[Diagnostic]]:
    """Return the rally in ``file``, or without a file the first rally of the map, and what cannot be read."""
    if file is None:
        if not components.rallies:
            raise MisuseError(f"name a file with a rally: the map {components.id} is correct, but has none")
        return components.rallies[0], []
    name, data = read(file)
    if data.lstrip()[:1] == b"{":
        rally = load_position(data, ruleset("rally-round"), name).rally
        if rally is None:
            raise Untrusted(name, [Violation("$.rally", "add a rally: this file has none")])
        return rally, []
    reader = RouteReader(name, network_of(components))
    reader.read(data)
    return reader.rally, reader.wrong


class Task(StrEnum):
    """The tasks of the command."""

    SCORE = "score"


def sheet(
    ui: Ui,
    task: Annotated[Task, argument(..., "TASK", "`score`, the only task")],
    files: Annotated[list[str], argument(..., "FILE...", "the time sheets, as text; `-` for standard input")],
    route: str | None = option(None, "--route", "FILE", "a route file as for `route`; the sheets then need no distances"),
    on: str | None = option(None, "--map", "MAP", "drive the sheets on this map, along --route or its first rally"),
    in_full: bool = option(False, "--full", "print every sheet section by section"),
) -> None:
    """Score time sheets of Rally Round that were kept by hand.

    Without a map, the program scores a sheet from its own entries: distances, kinds
    of section, speeds and noted faults. It lists all entries that do not follow
    from the speeds. With --map (or --route, on the house map) it drives every sheet
    square by square and compares each section with the sheet. It drives each car
    alone, even in a table game, because a sheet does not show other cars. For
    several sheets you also get the classification.
    docs/rally-round.md explains how to type a sheet.

    Exit code 1: some lines cannot be read, or some entries are wrong.

    Examples:
      adjudicator rally-round sheet score ann.txt
      adjudicator rally-round sheet score sheets/*.txt --map house
      adjudicator rally-round sheet score ann.txt --map my-map.json --route evening.txt --full
    """
    del task  # the only one so far
    components = _sound_map(on)
    config = None
    if route is not None or on is not None:
        rally, unreadable = _asked_rally(route, components)
        if rally is None:
            raise MisuseError(f"the route cannot be read:\n{problems_text(map(order_problem, unreadable))}")
        laid, config = lay(components, rally, {})
        if laid.flaws or laid.ambiguous:
            raise MisuseError(f"the route cannot be driven:\n{route_text(laid, config)}")
    sections = () if config is None else config.sections
    posts = [pair for section in sections for pair in zip(section.posts, section.distances, strict=True)]
    title, sheets, wrong = "", list[Sheet](), list[Diagnostic]()
    for name, data in map(read, files):
        if data.lstrip()[:1] in (b"{", b"["):
            raise Untrusted(name, [Violation("$", "type the time sheets as text: this is JSON")])
        crew = "" if name == "standard input" else PurePath(name).stem
        reader = SheetReader(name, crew, [Row(post.name, at, post.timing, post.speed) for post, at in posts], components.kit)
        reader.read(data)
        if not (reader.wrong or reader.sheets):
            reader.wrong.append(Diagnostic(Problem("sheet/empty", "there is no time sheet in this text"), source=name))
        title, wrong = title or reader.rally, [*wrong, *reader.wrong]
        sheets += [] if reader.wrong else reader.sheets
    known = tuple((section.end.name, section.distance, section.target) for section in sections)
    found = classified([score(one) if config is None else drive(config, one) for one in sheets], known)
    problems = tuple(map(order_problem, wrong))
    if ui.as_json:
        ui.show(outputs.ScoredSheets(rally=title, sheets=found, problems=problems))
    else:
        if found:
            ui.say(sheets_text(found, title, in_full=in_full))
        if problems:
            ui.warn(problems_text(problems))
    if problems or any(one.verdict == "false" for scored in found for one in scored.findings):
        ui.code = PROBLEMS


COMMANDS: Final = typer.Typer()
COMMANDS.command()(command(route))
COMMANDS.command()(command(sheet))
