"""Read, check, describe and compare a route on a map, and write it for a new game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from adjudicator.core.problem import Diagnostic, Flaw, Problem, SetupError, Violation
from adjudicator.core.ruleset import Setup
from adjudicator.core.values import Value, replace
from adjudicator.files.errors import Untrusted
from adjudicator.games.rally_round import network as maps
from adjudicator.games.rally_round import route
from adjudicator.games.rally_round.board import road_names
from adjudicator.games.rally_round.components import Components, Rally, SquareId
from adjudicator.games.rally_round.config import Config, configured
from adjudicator.games.rally_round.network import Network
from adjudicator.games.rally_round.office import outputs
from adjudicator.games.rally_round.office.road_book import road_book
from adjudicator.games.rally_round.office.route_text import OldRouteReader, RallyReader
from adjudicator.games.rally_round.route import Section
from adjudicator.games.rally_round.state import Position
from adjudicator.games.rally_round.ways import Way
from adjudicator.rulesets import ruleset
from adjudicator.store.other_files import load_position

MOST_WAYS: Final = 10**15 - 1
"""The number of ways up to which they are counted."""
MOST_SPOTS: Final = 12
"""The most Black Spots that an organiser would place to leave one way."""
SHOWN: Final = 3
"""How many ways of an ambiguous leg the report lists with their Black Spots."""
Wrong = list[Diagnostic]
"""The unreadable lines of a text."""


class Route(Value):
    """A rally on a map; it has a ``config`` only if every control can be reached."""

    components: Components
    network: Network
    rally: Rally
    config: Config | None
    flaws: tuple[Flaw, ...]


def require_sound_map(components: Components) -> None:
    """Raise ``SetupError`` with all flaws of a map, if it has any."""
    found = (*maps.flaws_of(components), *maps.flaws_of_signs(components))
    if found:
        raise SetupError(tuple(Problem("rally-round/unfit-set", flaw.message, flaw.rule) for flaw in found))


def read_route(name: str, data: bytes, components: Components) -> tuple[Rally | None, Wrong]:
    """Return the rally in ``data``, the bytes of the file ``name``: an explicit position as JSON, or lines.

    Raises ``Untrusted`` for JSON that is no position with a rally.
    """
    if data.lstrip()[:1] == b"{":
        position = load_position(data, ruleset("rally-round"), name)
        if position.rally is None:
            raise Untrusted(name, [Violation("$.rally", "add a rally: this file has none")])
        return position.rally, []
    reader = RallyReader(name, maps.network_of(components))
    reader.read(data)
    return reader.rally, reader.wrong


def read_old_route(name: str, data: bytes, components: Components) -> tuple[Mapping[str, Way], Wrong]:
    """Return the ways in ``data``, a transcript of an old route, by the control that each leads to."""
    reader = OldRouteReader(name, maps.network_of(components))
    reader.read(data)
    return reader.ways, reader.wrong


def lay(components: Components, rally: Rally) -> Route:
    """Return ``rally`` laid on the map of ``components``, which has no flaws."""
    network = maps.network_of(components)
    flaws = tuple(route.flaws_of(network, rally))
    config = None
    if all(control.square in network.links for control in rally.controls) and rally.controls[-1].section is not None:
        legs = route.legs_of(network, rally)
        if all(leg.ways for leg in legs) and all(flaw.rule != "RR-T4" for flaw in flaws):
            config = _config(components, rally)
    return Route(components, network, rally, config, flaws)


def _config(components: Components, rally: Rally) -> Config:
    meta = ruleset("rally-round").meta
    options = {option.name: option.default for option in meta.options}
    setup = Setup(players=(), options=options, components=components, position=Position(rally=rally))
    return configured(setup, meta.version)


def nothing_laid(components: Components, name: str = "") -> outputs.LaidRoute:
    """Return the output for a rally called ``name`` without a section on the map of ``components``."""
    return outputs.LaidRoute(
        rally=name,
        map=components.name,
        laid=(),
        flaws=(),
        ambiguous=(),
        settled_by=None,
        warnings=(),
        old_route=(),
        problems=(),
    )


def told(laid: Route, ways: Mapping[str, Way]) -> outputs.LaidRoute:
    """Return ``laid`` as an output; ``ways`` are those of an old route to compare with."""
    network, rally, config = laid.network, laid.rally, laid.config
    legs = tuple(ambiguities(network, rally)) if all(one.square in network.links for one in rally.controls) else ()
    flaws = tuple(map(route.flaw_text, route.flaws_of(network, rally, is_certain=not legs)))
    found = replace(nothing_laid(laid.components, rally.name), flaws=flaws, ambiguous=legs)
    if legs:
        return replace(found, settled_by=settled(network, rally))
    if config is None:
        return found
    return replace(
        found,
        laid=tuple(_sections(config)),
        warnings=tuple(route.cautions(network, rally, config.sections)),
        old_route=tuple(filter(None, [compared(section, ways) for section in config.sections])),
    )


def ambiguities(network: Network, rally: Rally) -> Iterator[outputs.AmbiguousLeg]:
    """Yield every leg of ``rally`` with several shortest ways, and the Black Spots that would settle it (RR-L2)."""
    legs = route.legs_of(network, rally)
    for leg in legs:
        if leg.ways.number > 1:
            remedies = islice(route.remedies(legs, leg, MOST_SPOTS), SHOWN)
            yield outputs.AmbiguousLeg(
                control=leg.end.name,
                leaves=leg.start.name,
                distance=leg.distance,
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


def rows_of(config: Config) -> tuple[outputs.SheetRow, ...]:
    """Return the rows of a time sheet of a rally, with no speeds yet."""
    posts = ((post, at) for one in config.sections for post, at in zip(one.posts, one.distances, strict=True))
    rows = ((post, outputs.SheetRow(control=post.name, distance=at, speeds=(), speed=post.speed)) for post, at in posts)
    return tuple(row if post.timing is None else replace(row, timing=post.timing.value) for post, row in rows)


def _sections(config: Config) -> Iterator[outputs.LaidSection]:
    names = road_names(config.components)
    for section in config.sections:
        controls = tuple(
            outputs.LaidControl(control=post.name, square=post.square, side=str(post.side or ""), distance=distance)
            for post, distance in zip(section.posts, section.distances, strict=True)
        )
        yield outputs.LaidSection(
            control=section.end.name,
            timing=section.timing.value,
            speed=section.end.speed,
            distance=section.distance,
            target=section.target,
            controls=controls,
            squares=section.way,
            road_book=tuple(road_book(config, section, names)),
        )


def compared(section: Section, ways: Mapping[str, Way]) -> outputs.ComparedSection | None:
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
