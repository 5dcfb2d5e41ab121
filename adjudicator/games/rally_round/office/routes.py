"""Lay a route on a map, check and describe it, and compare it with an old one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from adjudicator.core.problem import Flaw
from adjudicator.core.ruleset import Setup
from adjudicator.core.values import Value, replace
from adjudicator.game import count
from adjudicator.games.rally_round import roads as maps
from adjudicator.games.rally_round import route
from adjudicator.games.rally_round.components import Components, Rally, SquareId
from adjudicator.games.rally_round.config import Config, configured
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.office import outputs
from adjudicator.games.rally_round.roads import Network, Way
from adjudicator.games.rally_round.route import Section
from adjudicator.games.rally_round.state import Position
from adjudicator.games.rally_round.timing import clock
from adjudicator.reports.text.sanitize import printable
from adjudicator.reports.text.table import table_lines

MOST_WAYS: Final = 10**15 - 1
"""The number of ways up to which they are counted."""
MOST_SPOTS: Final = 12
"""The most Black Spots that an organiser would place to leave one way."""
SHOWN: Final = 3
"""How many ways of an ambiguous leg the report lists with their Black Spots."""
_HEADINGS: Final = ("control", "square", "from", "squares", "section", "target")


class Route(Value):
    """A rally on a map; it has a ``config`` only if every control can be reached."""

    components: Components
    network: Network
    rally: Rally
    config: Config | None
    flaws: tuple[Flaw, ...]


def lay(components: Components, rally: Rally) -> Route:
    """Return ``rally`` laid on the map of ``components``, which has no flaws."""
    network, config = maps.network_of(components), None
    flaws = tuple(route.flaws_of(network, rally))
    is_whole = all(one.square in network.links for one in rally.controls) and rally.controls[-1].section is not None
    has_speeds = all(flaw.rule != "RR-T4" for flaw in flaws)
    if is_whole and has_speeds and all(leg.ways for leg in route.legs_of(network, rally)):
        options = {option.name: option.default for option in META.options}
        setup = Setup(players=(), options=options, components=components, position=Position(rally=rally))
        config = configured(setup, META.version)
    return Route(components, network, rally, config, flaws)


def told(laid: Route, ways: Mapping[str, Way]) -> outputs.LaidRoute:
    """Return ``laid`` as an output; ``ways`` are those of an old route to compare with."""
    network, rally, config = laid.network, laid.rally, laid.config
    legs = tuple(ambiguities(network, rally)) if all(one.square in network.links for one in rally.controls) else ()
    flaws = tuple(map(route.flaw_text, route.flaws_of(network, rally, is_certain=not legs)))
    found = outputs.LaidRoute(rally=rally.name, map=laid.components.name, flaws=flaws, ambiguous=legs)
    if legs:
        return replace(found, settled_by=settled(network, rally))
    if config is None:
        return found
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
    old_route = tuple(filter(None, [_compared(section, ways) for section in config.sections]))
    warnings = tuple(route.cautions(network, rally, config.sections))
    return replace(found, laid=sections, warnings=warnings, old_route=old_route)


def ambiguities(network: Network, rally: Rally) -> Iterator[outputs.AmbiguousLeg]:
    """Yield every leg of ``rally`` with several shortest ways, and the Black Spots that would settle it (RR-L2)."""
    legs = route.legs_of(network, rally)
    for leg in legs:
        if leg.ways.number > 1:
            remedies = islice(route.remedies(legs, leg, MOST_SPOTS), SHOWN)
            yield outputs.AmbiguousLeg(
                control=leg.end.name,
                leaves=leg.start.name,
                distance=leg.ways.distance,
                ways=min(leg.ways.number, MOST_WAYS),
                remedies=tuple(outputs.BlackSpots(through=choice.through, squares=choice.spots) for choice in remedies),
            )


def settled(network: Network, rally: Rally) -> tuple[SquareId, ...] | None:
    """Return Black Spots that together leave one way on every leg, ``None`` if the search finds none.

    For each ambiguous leg it takes the choice with the fewest.
    """
    added: tuple[SquareId, ...] = ()
    for _ in rally.controls:
        marked = replace(rally, black_spots=(*rally.black_spots, *added))
        if not all(leg.ways for leg in route.legs_of(network, marked)):
            return None
        first = next(ambiguities(network, marked), None)
        if first is None:
            return added
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
    ours, longer = section.way, max(len(theirs), len(section.way))
    pairs = (((*ours[at : at + 1], "")[0], (*theirs[at : at + 1], "")[0]) for at in range(longer))
    step, own, other = next(((at, own, other) for at, (own, other) in enumerate(pairs) if own != other), (0, "", ""))
    return outputs.ComparedSection(control=section.end.name, step=step, ours=own, theirs=other)


def route_text(laid: outputs.LaidRoute) -> str:
    """Return ``laid`` for people, problems first."""
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
    if laid.laid:
        rows = list[tuple[str, ...]]()
        for section in laid.laid:
            *passages, end = section.controls
            rows += [(one.control, one.square, one.side, f"({one.distance})", "", "") for one in passages]
            timing = section.timing + (f" at {section.speed} mph" if section.speed else "")
            rows.append((end.control, end.square, end.side, str(end.distance), timing, clock(section.target)))
        squares, time = (sum(getattr(one, name) for one in laid.laid) for name in ("distance", "target"))
        sums = f"{count(len(laid.laid), 'section')}, {count(squares, 'square')}, {clock(time)} in all"
        blocks.append([*table_lines(_HEADINGS, rows), sums])
    if laid.old_route:
        blocks.append(["Compared with the transcription:"])
        for one in laid.old_route:
            ours, theirs = one.ours or "nothing more", one.theirs or "nothing more"
            difference = f"first difference at step {one.step}: here {ours}, there {theirs}" if one.step else "the same"
            blocks[-1].append(f"  {one.control}: {difference}")
    return "\n\n".join("\n".join(map(printable, block)) for block in blocks)
