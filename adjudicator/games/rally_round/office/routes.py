"""Lay a route on a map, check and describe it, and compare it with an old one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, zip_longest
from typing import Final

from adjudicator.core.ruleset import Setup
from adjudicator.core.values import replace
from adjudicator.game import count
from adjudicator.games.rally_round import route
from adjudicator.games.rally_round.components import Components, Rally, SquareId
from adjudicator.games.rally_round.config import Config, configured
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.office import outputs
from adjudicator.games.rally_round.picture import route_table
from adjudicator.games.rally_round.roads import Network, Way, network_of
from adjudicator.games.rally_round.route import Leg, Section
from adjudicator.games.rally_round.state import Position
from adjudicator.games.rally_round.timing import clock
from adjudicator.reports.texts import printable, table_lines

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
    legs = route.legs_of(network, rally) if is_on_map else ()
    ambiguous = tuple(_ambiguities(legs))
    flaws = tuple(route.flaws_of(network, rally, is_certain=not ambiguous))
    found = outputs.LaidRoute(
        rally=rally.name, map=components.name, flaws=tuple(map(route.flaw_text, flaws)), ambiguous=ambiguous
    )
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
    warnings = tuple(route.cautions(network, rally, config.sections))
    return replace(found, laid=sections, warnings=warnings, old_route=old_route), config


def _ambiguities(legs: tuple[Leg, ...]) -> Iterator[outputs.AmbiguousLeg]:
    """Yield each of the ``legs`` with several shortest ways, and the Black Spots that would settle it (RR-L2)."""
    for leg in legs:
        if leg.ways.number > 1:
            choices = islice(route.remedies(legs, leg, _MOST_SPOTS), _SHOWN)
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
        legs = route.legs_of(network, replace(rally, black_spots=(*rally.black_spots, *added)))
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
