"""Drive with a mechanic or a Driver card: check the way, and list legal ways, without every way to pay (GR-D, GR-H6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, ClassVar, Final

from adjudicator.core.graph import cheapest_ways
from adjudicator.game import Chance, Part, Problem, count, replace
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import LineKind, SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.driving import DriveBegun, LineTaken, choices_of_help, loss_of
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import RaceOrder, check_held, check_helps, check_uses, settle, unknown_card
from adjudicator.games.great_race.roads import other_end
from adjudicator.games.great_race.state import BAG, Crew, Here, Moves, Slot, Use
from adjudicator.games.great_race.terms import Losing, using_words
from adjudicator.games.great_race.tolls import CHASSIS_FIRST, Short, Toll, after_toll, aids_at, known_toll

_MOST_PATHS: Final = 60
"""The most paths of several spaces in the list, the cheapest first: others are legal, too."""


class Driving(RaceOrder):
    """A drive: to ``space``, ``then`` on; by sea or air along a ``line``, with so many Transport cards.

    ``losing`` names the gauge that loses parts, ``using`` the helps (none: no help; ``None``: ask where it matters).
    """

    verb: ClassVar[str]
    names_spaces = ("space", "then")
    space: SpaceId
    then: tuple[SpaceId, ...] = ()
    line: str = ""
    transports: int = 0
    losing: Losing | None = None
    using: tuple[Use, ...] | None = None

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        spaces = [SpaceId(child) for child in children if isinstance(child, str)]
        given: dict[str, Any] = dict(child for child in children if isinstance(child, tuple))
        losing = next((child for child in children if isinstance(child, Losing)), None)
        using, fares = given.get("using", (None, 0))
        return cls(spaces[0], tuple(spaces[1:]), given.get("line", ""), fares, losing, using)

    def text(self) -> str:
        line = (self.line,) if self.line else ()
        losing = (f"losing {self.losing.text()}",) if self.losing is not None else ()
        return " ".join((self.verb, *line, self.space, *self.then, *losing, *using_words(self.using, self.transports)))

    def public_text(self) -> str:
        hides = self.losing is not None or self.using is not None
        return (replace(self, losing=None, using=None) if hides else self).text()

    @property
    def path(self) -> tuple[SpaceId, ...]:
        """The spaces of the way, in order."""
        return self.space, *self.then

    def mistake(self, config: Config) -> Problem | None:
        problem = check_uses(config, self.using)
        if problem is None and self.line not in ("", *LineKind):
            return META.problem("unknown-line", "lines go by sea or by air", "GR-D5", "way", ("sea", "air"))
        if problem is None and self.transports and CardId.TRANSPORT not in config.cards:
            return unknown_card(config, CardId.TRANSPORT, "using")
        return problem

    def refusal(self, at: Here) -> Problem | None:
        """GR-D: require an engine, spaces that join, and that the crew can pay for those that are known."""
        crew = at.own
        if not crew.engine:
            message = f"{at.seat} has broken down: repair the engine first"
            return META.problem("broken-down", message, "GR-D6", near=("REPAIR …",))
        return (
            self._check_line(at, crew)
            or self._check_joined(at.config, crew)
            or check_helps(at, self.using, self.path)
            or self._check_paid(at, crew)
        )

    def _check_line(self, at: Here, crew: Crew) -> Problem | None:
        """GR-D5: require a line between the two cities, its price, and Transport cards of the hand."""
        if not self.line and not self.transports:
            return None
        config = at.config
        lines = tuple(f"{line.kind.value} {other_end(line, crew.space)}" for line in config.roads.lines.get(crew.space, ()))
        if not self.line:
            message = "use Transport cards only with a line by sea or air"
            return META.problem("no-line", message, "GR-D5", "using", lines)
        kind, city = LineKind(self.line), self.space
        if config.roads.line(kind, crew.space, city) is None or city == crew.space:
            message = f"no line by {self.line} leads from {crew.space} to {city}"
            return META.problem("no-line", message, "GR-D5", "space", lines)
        problem = check_held(at, CardId.TRANSPORT, self.transports, "using")
        price = config.fare(kind, crew.space, city, self.transports)
        if problem is None and price > crew.cash:
            message = f"the line costs {price} F, and {crew.seat} has {crew.cash} F"
            return META.problem("too-dear", message, "GR-D5", "way", tuple(_lines_paid(config, crew, city)))
        return problem

    def _check_joined(self, config: Config, crew: Crew) -> Problem | None:
        """GR-D1, GR-D4: require each space beside the one before, no more than the engine allows, none after a city."""
        here, path = crew.space, self.path
        for place, space in enumerate(path):
            beside = config.roads.beside(here)
            if space not in beside and not (place == 0 and self.line):
                return META.problem("no-way", f"{space} is not beside {here}", "GR-D1", f"space:{place}", beside)
            if config.roads.is_city(space) and place < len(path) - 1:
                return META.problem("city-ends-drive", f"the drive ends in {space}", "GR-D4", f"space:{place + 1}")
            here = space
        if len(path) > crew.engine:
            message = f"the way has {count(len(path), 'space')}, but the engine is at {crew.engine}"
            return META.problem("too-far", message, "GR-D1", f"space:{crew.engine}", _advice(path[: crew.engine]))
        return None

    def _check_paid(self, at: Here, crew: Crew) -> Problem | None:
        """GR-D1, GR-D2, GR-D6, GR-H3: require that the crew can pay for the known way, up to the first blank space."""
        config, tiles, load, path, loss = at.config, at.state.tiles, crew, self.path, loss_of(self.losing)
        engine = chassis = 0
        for place, space in enumerate(path):
            goes_on = place < len(path) - 1
            toll = known_toll(config, tiles, space, load, loss, aids_at(self.using, space), goes_on=goes_on)
            if toll is None:
                return self._check_blank(at, space, f"space:{place}", (engine, chassis))
            if isinstance(toll, Short):
                return toll.problem(crew.seat, f"space:{place}", _advice(path[:place]))
            if toll.stops and goes_on:
                message = f"{space} stops the drive, and the order uses no Caravan"
                return META.problem("stops-there", message, "GR-D2", f"space:{place + 1}", _advice(path[: place + 1]))
            engine, chassis = engine + toll.engine, chassis + toll.chassis
            if not goes_on:
                break
            load = after_toll(config, load, toll)
            loss = loss.after(toll.chassis) if loss is not None else None
            if not load.engine:
                message = f"the engine is at 0 after {space}: the vehicle breaks down there"
                return META.problem("breaks-down", message, "GR-D6", f"space:{place + 1}", _advice(path[: place + 1]))
        return self._check_exact(engine, chassis, "the way")

    def _check_blank(self, at: Here, space: SpaceId, part: str, known: tuple[int, int]) -> Problem | None:
        """GR-D1, GR-D3, GR-H9: require a tile in the bag; an exact split must match what the way before it costs."""
        if not BAG.many_left(at.config, at.state):
            return META.problem("bag-empty", f"no tile is left in the bag for {space}", "GR-H9", part)
        if self.losing is None or self.losing.first or any(known):
            return self._check_exact(*known, f"the way before {space}")
        message = f"the cost of {space} is not known yet: say which gauge loses parts first"
        return META.problem("not-known-yet", message, "GR-D3", "losing", ("losing chassis", "losing engine"))

    def _check_exact(self, engine: int, chassis: int, way: str) -> Problem | None:
        losing = self.losing
        if losing is None or losing.fits(engine, chassis):
            return None
        parts = engine + chassis
        message = f"{way} costs {count(parts, 'part')}: engine {losing.engine} chassis {losing.chassis} does not match"
        return META.problem("does-not-add-up", message, "GR-D1", "losing", (f"losing engine {engine} chassis {chassis}",))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        """Yield drives that may be legal: to each neighbour, with helps where the crew needs them.

        Longer paths: the cheapest to each space over known tiles, and to the blank spaces after those.
        """
        crew = at.own
        if not crew.engine:
            return
        for line in at.config.roads.lines.get(crew.space, ()):
            for cards in range(crew.hand.count(CardId.TRANSPORT) + 1):
                near = cls(other_end(line, crew.space), line=line.kind.value, transports=cards)
                yield from near._with_helps(at)
        for space in at.config.roads.beside(crew.space):
            yield from cls(space)._with_helps(at)
        for path in _known_paths(at):
            yield cls(path[0], path[1:])

    def _with_helps(self, at: Here) -> Iterator[Any]:
        """Yield this order without help, or, if the crew cannot pay that way, with each choice of helps."""
        if self.refusal(at) is None:
            yield self
            return
        for uses in choices_of_help(at.own):
            yield replace(self, using=uses)

    def cost(self, at: Here) -> tuple[Part, ...]:
        if not self.line:
            return ()
        francs = at.config.fare(LineKind(self.line), at.own.space, self.space, self.transports)
        return (Part(-francs, f"the {self.line} line to {self.space}", "GR-D5"),) if francs else ()

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Board a ship or a plane, and set off; ``drive_on`` drives on."""
        steps, path = at.own.engine, self.path
        if self.line:
            for _ in range(self.transports):
                at = yield dealt.CardPlayed(seat=at.seat, card=CardId.TRANSPORT, rule="GR-D5")
            at = yield LineTaken(seat=at.seat, by=LineKind(self.line), city=path[0], cards=self.transports)
            yield from settle(at, at.seat, self.cost(at))
        yield DriveBegun(seat=at.seat, path=path, steps=steps, loss=loss_of(self.losing), using=self.using)


class Drive(Driving):
    """Drive with a mechanic."""

    examples = (
        "DRIVE K4",
        "DRIVE K4 K5 Tamanrasset losing chassis",
        "DRIVE K4 K5 using jerrycan, escort at K5, ranger",
        "DRIVE K4 losing engine 1 chassis 2 using nothing",
        "DRIVE sea Mombasa using transport 1",
    )

    verb = "DRIVE"
    slot = Slot.MECHANICS
    rule = "GR-A2"


class PlayDriver(Driving):
    """Drive with a Driver card."""

    examples = ("PLAY Driver K4 K5", "PLAY Driver K4 K5 using ranger, caravan")

    verb = "PLAY Driver"
    plays = CardId.DRIVER


def _lines_paid(config: Config, crew: Crew, wanted: SpaceId) -> Iterator[str]:
    """Yield the lines that ``crew`` can pay, with the fewest Transport cards, those to the city ``wanted`` first."""
    lines = config.roads.lines.get(crew.space, ())
    for line in sorted(lines, key=lambda line: wanted not in line.ends):
        city = other_end(line, crew.space)
        for cards in range(crew.hand.count(CardId.TRANSPORT) + 1):
            if config.fare(line.kind, crew.space, city, cards) <= crew.cash:
                yield f"{line.kind.value} {city}" + (f" using transport {cards}" if cards else "")
                break


def _advice(path: tuple[SpaceId, ...]) -> tuple[str, ...]:
    return (" ".join(path),) if path else ()


def _known_paths(at: Here) -> Iterator[tuple[SpaceId, ...]]:
    """Yield paths of several spaces that the crew can pay without help: the cheapest to each space, by cost."""
    config, crew, tiles, has_tiles = at.config, at.own, at.state.tiles, BAG.many_left(at.config, at.state) > 0

    def onward(path: tuple[SpaceId, ...], load: Crew) -> Iterator[tuple[int, SpaceId, Crew]]:
        """Yield the next spaces: a city, a blank space, a stop or a breakdown ends a drive."""
        tile = tiles.get(path[-1]) if path else None
        is_stopped = tile is None or config.tiles[tile].stop or not load.engine or len(path) == crew.engine
        if path and is_stopped:
            return
        for space in config.roads.beside(path[-1] if path else crew.space):
            toll = known_toll(config, tiles, space, load, CHASSIS_FIRST, (), goes_on=False)
            if isinstance(toll, Toll):
                yield toll.fuel + 2 * (toll.engine + toll.chassis), space, after_toll(config, load, toll)
            elif toll is None and has_tiles:
                yield 0, space, load

    ways = (path for path, _ in cheapest_ways(crew.space, crew, onward) if len(path) > 1)
    return islice(ways, _MOST_PATHS)
