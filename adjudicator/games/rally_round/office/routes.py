"""Read, check, describe and compare a route on a map, and write it for a new game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from adjudicator.core.canonical import json_value
from adjudicator.core.drawing import Drawing
from adjudicator.core.frozen import frozen
from adjudicator.core.problem import Diagnostic, Flaw, Problem, SetupError
from adjudicator.core.ruleset import Setup
from adjudicator.games.rally_round import network as maps
from adjudicator.games.rally_round import route
from adjudicator.games.rally_round.board import LEGEND, route_map
from adjudicator.games.rally_round.components import Components, Rally
from adjudicator.games.rally_round.config import Config, configured
from adjudicator.games.rally_round.network import Network
from adjudicator.games.rally_round.office.ambiguity import ambiguities, settled
from adjudicator.games.rally_round.office.outputs import (
    AmbiguousLeg,
    BlackSpots,
    ComparedSection,
    LaidControl,
    LaidRoute,
    LaidSection,
)
from adjudicator.games.rally_round.office.road_book import compared, road_book, road_names
from adjudicator.games.rally_round.office.route_text import read_rally, read_transcription
from adjudicator.games.rally_round.office.sheet import Row
from adjudicator.games.rally_round.office.typed import diagnostics, lines_of
from adjudicator.games.rally_round.route import Section
from adjudicator.games.rally_round.state import Position
from adjudicator.games.rally_round.ways import Way
from adjudicator.orders.clean import NotTextError, decode
from adjudicator.reports.diagnostics import order_problem
from adjudicator.rulesets import ruleset

_RULES: Final = {"control": "RR-C4", "side": "RR-C4", "square": "RR-C1", "regularity": "RR-T4", "start": "RR-L1"}
"""The rule for each mistake in a route, by its code."""
MOST_WAYS: Final = 10**15 - 1
"""The number of ways up to which they are counted."""


@frozen
class Route:
    """A rally on a map; it has a ``config`` only if every control can be reached."""

    components: Components
    network: Network
    rally: Rally
    config: Config | None
    flaws: tuple[Flaw, ...]


@frozen
class Asked:
    """The rally in a text (``None``: it cannot be read), or the old ways in it, and the unreadable lines."""

    rally: Rally | None
    ways: dict[str, Way]
    problems: tuple[Diagnostic, ...]


def require_sound_map(components: Components) -> None:
    """Raise ``SetupError`` with all flaws of a map, if it has any."""
    found = tuple(maps.flaws_of(components))
    if found:
        raise SetupError(tuple(Problem("rally-round/unfit-set", flaw.message, flaw.rule) for flaw in found))


def read_route(name: str, data: bytes, components: Components) -> Asked:
    """Return the rally in ``data``, the bytes of the file ``name``: an explicit position as JSON, or lines.

    Raises ``Untrusted`` for JSON that is no position with a rally.
    """
    if data.lstrip()[:1] == b"{":
        from adjudicator.files.errors import Untrusted, Violation
        from adjudicator.store.load import load_position

        position = load_position(data, ruleset("rally-round"), name)
        if position.rally is None:
            raise Untrusted(name, [Violation("$.rally", "add a rally: this file has none")])
        return Asked(position.rally, {}, ())
    return _read(name, data, components, is_rally=True)


def read_old_route(name: str, data: bytes, components: Components) -> Asked:
    """Return the ways in ``data``, a transcript of an old route."""
    return _read(name, data, components, is_rally=False)


def _read(name: str, data: bytes, components: Components, *, is_rally: bool) -> Asked:
    try:
        text = decode(data)
    except NotTextError as error:
        return Asked(None, {}, (Diagnostic(Problem(error.code, str(error)), source=name),))
    squares = [square.id for square in components.squares]
    if is_rally:
        rally, wrong = read_rally(text, squares, maps.network_of(components).sides)
        return Asked(rally, {}, diagnostics("route", name, lines_of(text), wrong, _RULES))
    found, wrong = read_transcription(text, squares)
    return Asked(None, dict(found.ways), diagnostics("route", name, lines_of(text), wrong, _RULES))


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
    rules = ruleset("rally-round")
    options = {option.name: option.default for option in rules.meta.options}
    setup = Setup(players=(), options=options, components=components, position=Position(rally=rally))
    return configured(setup, rules.meta.version)


def flaw_text(flaw: Flaw) -> str:
    """Return ``flaw`` for people, with its rule."""
    return f"{flaw.message} ({flaw.rule})"


def told(laid: Route, ways: dict[str, Way], problems: Sequence[Diagnostic] = ()) -> LaidRoute:
    """Return ``laid`` as an output; ``ways`` are those of an old route to compare with."""
    legs = tuple(_ambiguous(laid))
    is_fit = laid.config is not None and not legs
    sections = laid.config.sections if laid.config is not None and is_fit else ()
    return LaidRoute(
        rally=laid.rally.name,
        map=laid.components.name,
        laid=tuple(_sections(laid.config)) if laid.config is not None and is_fit else (),
        flaws=tuple(map(flaw_text, route.flaws_of(laid.network, laid.rally, is_certain=not legs))),
        ambiguous=legs,
        settled_by=settled(laid.network, laid.rally) if legs else None,
        warnings=tuple(route.cautions(laid.network, laid.rally, sections)) if is_fit else (),
        old_route=tuple(_compared(sections, ways)) if ways else (),
        problems=tuple(map(order_problem, problems)),
    )


def route_drawing(laid: Route) -> Drawing | None:
    """Return the map with the marked route, ``None`` if some control cannot be reached."""
    return None if laid.config is None else Drawing((route_map(laid.config, {}), LEGEND))


def rows_of(config: Config) -> tuple[Row, ...]:
    """Return the rows of a time sheet of a rally, with no speeds yet."""
    return tuple(
        Row(control=post.name, distance=distance, speeds=(), timing=post.timing, speed=post.speed)
        for section in config.sections
        for post, distance in zip(section.posts, section.distances, strict=True)
    )


def setup_file(rally: Rally) -> dict[str, Any]:
    """Return the position for `new --setup` to begin a game with ``rally``."""
    return {"rally": json_value(rally)}


def _ambiguous(laid: Route) -> Iterator[AmbiguousLeg]:
    if any(control.square not in laid.network.links for control in laid.rally.controls):
        return
    for one in ambiguities(laid.network, laid.rally):
        yield AmbiguousLeg(
            control=one.leg.end.name,
            leaves=one.leg.start.name,
            distance=one.leg.distance,
            ways=min(one.ways, MOST_WAYS),
            remedies=tuple(BlackSpots(through=choice.through, squares=choice.spots) for choice in one.choices),
        )


def _sections(config: Config) -> Iterator[LaidSection]:
    names = road_names(config)
    for section in config.sections:
        controls = tuple(
            LaidControl(control=post.name, square=post.square, side=str(post.side or ""), distance=distance)
            for post, distance in zip(section.posts, section.distances, strict=True)
        )
        yield LaidSection(
            control=section.end.name,
            timing=section.timing.value,
            speed=section.end.speed,
            distance=section.distance,
            target=section.target,
            controls=controls,
            squares=section.way,
            road_book=tuple(road_book(config, section, names)),
        )


def _compared(sections: Sequence[Section], ways: dict[str, Way]) -> Iterator[ComparedSection]:
    for section in sections:
        found = compared(section, ways)
        if found is not None:
            yield ComparedSection(control=found.control, step=found.square, ours=found.ours, theirs=found.theirs)
