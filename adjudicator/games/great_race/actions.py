"""What a crew does in a sequence: each action once, and the card or the assistant by which it is done (GR-A, GR-K)."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, cast

from adjudicator.game import Chance, Order, Part, Problem, Said, Seat, Spent, count, piles, remember_last, replace
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.components import CardId, Config, SpaceId, TileId, card_words
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.state import BAG, DECK, Help, Here, Laying, Moves, Slot, Use

Means = Annotated[CardId | Slot, Said(lambda _config, means: card_words(means))]
"""By what an action is done: a card of the hand, or an assistant in a slot."""
SLOTS: Final = {
    Slot.SCOUTS: ("GR-A1", "scout", "SCOUT tiles"),
    Slot.MECHANICS: ("GR-A2", "mechanic", "DRIVE …", "REPAIR …"),
    Slot.ESCORT: ("GR-A3", "escort", "ESCORT remove …"),
    Slot.FUNDING: ("GR-A4", "assistant in the funding", "FUND"),
}
"""The rule of the assistants in each slot, their name, and the orders that play one."""
MOST_SUGGESTED: Final = 8
"""The most spaces that a refusal suggests."""


class Action(Order):
    """An order of a sequence, done ``by`` a card, which is played first, or by an assistant.

    A kind of action says why it cannot be done (``refusal``), the actions ``by`` one means that may be legal (``ways``), and
    its ``effect``.
    """

    own_verb: ClassVar[str] = ""

    if TYPE_CHECKING:

        @property
        def by(self) -> Means:
            """The card or the assistant."""
            ...

    @property
    def verb(self) -> str:
        """The first words of the order: those of its kind, or those that play the card."""
        return self.own_verb if isinstance(self.by, Slot) else f"PLAY {self.by.words}"

    @property
    def rule(self) -> str:
        """The rule of the card or the assistant."""
        return SLOTS[self.by][0] if isinstance(self.by, Slot) else "GR-K1"

    def check(self, at: Here) -> Problem | None:
        """GR-V1, GR-K1: require the card or the assistant, and that the action can be done."""
        by = self.by
        if isinstance(by, CardId):
            return check_held(at, by) or self.refusal(at)
        active = at.own.active
        if getattr(active, by):
            return self.refusal(at)
        message = f"{at.seat} has no {SLOTS[by][1]} left; it still has {active.text()}"
        others = [words for slot in SLOTS if getattr(active, slot) for words in SLOTS[slot][2:]]
        return META.problem("no-assistant", message, "GR-V1", near=(*others, "PASS"))

    def refusal(self, at: Here) -> Problem | None:
        """Return why the seat of ``at``, which has the card or the assistant, cannot do this; ``None`` if it can."""
        return None

    @classmethod
    def ways(cls, at: Here, by: Means) -> Iterator[Any]:
        """Yield the actions of this kind ``by`` that may be legal."""
        made: Any = cls
        yield made(by=by)

    def decide(self, at: Here, chance: Chance) -> Moves:
        if isinstance(self.by, Slot):
            at = yield happened.AssistantPlayed(seat=at.seat, slot=self.by, rule=self.rule)
        else:
            at = yield happened.CardBegun(seat=at.seat, card=self.by, rule=self.rule)
        yield from self.effect(at, chance)

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Yield what this action does after its card or its assistant is played."""
        yield from ()


class Repair(Action):
    """Repair: the points for each gauge (``None``: the engine first), and where they come from (GR-A2, GR-H6)."""

    examples = (
        *("REPAIR using parts 2 buy 1", "REPAIR engine 2 chassis 1 using parts 2 buy 1", "REPAIR using toolbox 1"),
        *("PLAY Mechanic using parts 1", "PLAY Mechanic engine 1 buy 1"),
    )
    template = "{verb}[ engine {engine}][ chassis {chassis}][ using[ parts {parts}][ toolbox {toolbox}]][ buy {buy}]"
    own_verb = "REPAIR"
    engine: int | None = None
    chassis: int | None = None
    parts: int = 0
    toolbox: int = 0
    buy: int = 0
    by: Means = Slot.MECHANICS

    def _used(self) -> list[tuple[str, CardId, int]]:
        used = (("parts", CardId.SPARE_PARTS, self.parts), ("toolbox", CardId.TOOLBOX, self.toolbox))
        return [one for one in used if one[2]]

    def _levels(self, at: Here) -> tuple[int, int, int, int]:
        """Return the points of the repair, those for engine and for chassis that fit, and the sum of both before that."""
        crew, full = at.own, at.config.components.gauges
        points = self.buy + sum([many * at.config.amount(card) for _, card, many in self._used()])
        room = full.engine - crew.engine
        engine, chassis = engine_first(self.engine, self.chassis, points, room)
        return points, min(engine, room), min(chassis, full.chassis - crew.chassis), engine + chassis

    def refusal(self, at: Here) -> Problem | None:
        """GR-A2, GR-H6: require cards and francs for at least one point, and room for the points."""
        for what, card, many in self._used():
            problem = check_held(at, card, many, f"stock={what}")
            if problem is not None:
                return problem
        problem = self._fault(at)
        if problem is None or problem.near:
            return problem
        full = at.config.components.gauges
        for bought in range(min(self.buy, full.engine + full.chassis), -1, -1):  # the nearest that is possible
            near = Repair(parts=self.parts, toolbox=self.toolbox, buy=bought, by=self.by)
            if near._fault(at) is None:
                _, engine, chassis, _ = near._levels(at)
                split = replace(near, engine=engine or None, chassis=chassis or None)
                return replace(problem, near=((near if split._fault(at) else split).text(),))
        return problem

    def _fault(self, at: Here) -> Problem | None:
        francs, cash = self.buy * at.config.part_price(at.own.space), at.own.cash
        if francs > cash:
            message = f"{count(self.buy, 'part')} would cost {francs} F here, and {at.seat} has {cash} F"
            return META.problem("too-dear", message, "GR-A2", "stock=buy")
        points, engine, chassis, said = self._levels(at)
        if not points:
            message = "a repair needs at least one spare part, toolbox or bought part"
            return META.problem("nothing-to-repair-with", message, "GR-H6", "", ("PASS",))
        if said != points:
            split = f"engine {self.engine or 0} chassis {self.chassis or 0}"
            message = f"the parts give {count(points, 'point')}, but {split} is {said}"
            return META.problem("does-not-add-up", message, "GR-A2", "mend")
        gained = engine + chassis
        if not gained:
            return META.problem("no-room", "engine and chassis have no room for that", "GR-H6", "mend")
        if self.buy and gained < points:
            message = f"there is room for {count(gained, 'point')} of {points}: you cannot buy parts that do not fit"
            return META.problem("no-room", message, "GR-S2", "stock=buy")
        return None

    @classmethod
    def ways(cls, at: Here, by: Means) -> Iterator[Any]:
        """Yield repairs by the parts they use; an order may also say how to spread the points."""
        crew, full = at.own, at.config.components.gauges
        price, most = at.config.part_price(crew.space), full.engine + full.chassis - crew.parts
        for parts in range(crew.hand.count(CardId.SPARE_PARTS) + 1):
            for toolbox in range(crew.hand.count(CardId.TOOLBOX) + 1):
                for bought in range((min(most, crew.cash // price) if price else most) + 1):
                    yield cls(parts=parts, toolbox=toolbox, buy=bought, by=by)

    def cost(self, at: Here) -> tuple[Part, ...]:
        francs = self.buy * at.config.part_price(at.own.space)
        return (Part(-francs, count(self.buy, "part"), "GR-A2"),) if francs else ()

    def effect(self, at: Here, chance: Chance) -> Moves:
        _, engine, chassis, _ = self._levels(at)
        for _, card, many in self._used():
            for _ in range(many):
                at = yield happened.CardPlayed(seat=at.seat, card=card, rule="GR-K2")
        yield from settle(at, at.seat, self.cost(at))
        yield happened.PartsRestored(seat=at.seat, engine=engine, chassis=chassis)


class ScoutCard(Action):
    """Draw a resource card with a scout (GR-A1)."""

    examples = ("SCOUT card",)
    template = "SCOUT card"
    by: Means = Slot.SCOUTS

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield from cards_drawn(at, at.seat, 1, chance, "GR-A1")


class Fund(Action):
    """Play all assistants of the funding at once (GR-A4)."""

    examples = ("FUND",)
    template = "FUND"
    by: Means = Slot.FUNDING

    def cost(self, at: Here) -> tuple[Part, ...]:
        """GR-A4: the more assistants, the more francs each brings."""
        many = at.own.active.funding
        return (Part(at.config.components.funding[many - 1] if many else 0, f"funding of {many}", "GR-A4"),)

    def decide(self, at: Here, chance: Chance) -> Moves:
        why = self.cost(at)  # before the assistants are played
        at = yield happened.AssistantPlayed(seat=at.seat, slot=Slot.FUNDING, rule=self.rule)
        yield from settle(at, at.seat, why)


# Tiles drawn and laid, with a scout or with a Cartographer (GR-A1, GR-K1, GR-H9)


SCOUTED: Final = 2
"""How many tiles a scout draws (GR-A1)."""


class ScoutTiles(Action):
    """Draw tiles and lay them on ``spaces`` (none: the crew decides when it sees them).

    ``manner`` says which goes to the first: that drawn ``first``, the ``cheap`` one, the ``dear`` one (empty: ask).
    """

    examples = (
        *("SCOUT tiles", "SCOUT tiles K4 K5", "SCOUT tiles first K4 then K5", "SCOUT tiles cheap K4 then K5"),
        *("PLAY Cartographer", "PLAY Cartographer first K4 then K5 then K6"),
    )
    template = "{verb}[ {where}]"
    own_verb = "SCOUT tiles"
    spaces: tuple[SpaceId, ...] = ()
    manner: str = ""
    by: Means = Slot.SCOUTS

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        manner, spaces = children[0] or ("", ())
        return cls(spaces, manner)

    @property
    def where(self) -> str:
        """The words for manner and spaces."""
        if self.manner:
            return f"{self.manner} {' then '.join(self.spaces)}"
        tiles = ("tiles",) if self.spaces and not isinstance(self.by, Slot) else ()
        return " ".join((*tiles, *self.spaces))

    def _many(self, config: Config) -> int:
        return SCOUTED if isinstance(self.by, Slot) else config.cards[self.by].amount

    def refusal(self, at: Here) -> Problem | None:
        """GR-A1, GR-H9: require tiles in the bag, and that named spaces are free and an unbroken path leads to them."""
        config, tiles, here, left = at.config, at.state.tiles, at.own.space, BAG.many_left(at.config, at.state)
        if not left:
            return META.problem("bag-empty", "no tile is left in the bag", "GR-H9")
        if not self.spaces:
            return None
        free = config.roads.free(here, tiles)
        if not free:
            return META.problem("no-free-space", "no path leads from the vehicle to a blank space", "GR-H9")
        many, wanted, near = min(self._many(config), left), self.spaces, free[:MOST_SUGGESTED]
        if len(wanted) > many:
            message = f"you draw {count(many, 'tile')}, not {len(wanted)}"
            return META.problem("too-many-spaces", message, "GR-A1", f"space:{many}")
        for place, space in enumerate(wanted):
            part = f"space:{place}"
            if config.roads.is_city(space):
                return META.problem("city", f"{space} is a city: you cannot lay a tile there", "GR-A1", part, near)
            if space in tiles:
                return META.problem("tile-there", f"{space} already has a tile", "GR-A1", part, near)
            if space in wanted[:place]:
                return META.problem("space-twice", f"{space} is named twice", "GR-A1", part)
        reached = _in_reach(config, here, tiles, wanted)
        for place, space in enumerate(wanted):
            if space not in reached:
                message = f"no unbroken path of tiles and cities leads from {here} to {space}"
                return META.problem("no-path", message, "GR-A1", f"space:{place}", near)
        return None

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Draw tiles, and lay those for which the order names a space: as drawn, or in the order of their cost.

        The cost is one number: fuel, twice the parts with those of a danger, and one for a stop.
        """
        config, spaces, rule = at.config, self.spaces, self.rule
        tiles, at = yield from piles.draw_from(
            lambda at: BAG.left(at.config, at.state),
            lambda _at: None,
            at,
            self._many(config),
            f"a tile for {at.seat}",
            chance,
        )
        is_settled = bool(self.manner) or (bool(spaces) and len(set(tiles)) == 1)
        at = yield happened.TilesScouted(seat=at.seat, tiles=tiles, to=() if is_settled else spaces, rule=rule)
        if is_settled:
            if self.manner in ("cheap", "dear"):
                kinds = {tile: config.tiles[tile] for tile in tiles}
                costs = {tile: kind.fuel + 2 * config.tile_parts(tile) + kind.stop for tile, kind in kinds.items()}
                tiles = tuple(sorted(tiles, key=costs.__getitem__, reverse=self.manner == "dear"))
            laid = dict(zip(spaces, tiles, strict=False))
            for space in _in_reach(config, at.own.space, at.state.tiles, spaces):
                at = yield happened.TileLaid(seat=at.seat, space=space, tile=laid[space], rule=rule)
        yield from _put_back(at)


class Lay(Order):
    """Lay a ``tile`` that was drawn on ``space``."""

    examples = ("LAY sand at K4",)
    template = "LAY {tile} at {space}"
    tile: TileId
    space: SpaceId

    def check(self, at: Here) -> Problem | None:
        """GR-A1: require a tile that was drawn, on a free space that an unbroken path leads to."""
        tiles, near = at.state.pending_as(Laying).tiles, _spaces_for(at)
        if self.tile not in tiles:
            drawn = tuple(dict.fromkeys(tiles))
            return META.problem("not-drawn", f"{self.tile} is not one of the tiles drawn", "GR-A1", "tile", drawn)
        if self.space in near:
            return None
        message = f"you cannot lay a tile at {self.space} now"
        return META.problem("no-path", message, "GR-A1", "space", near[:MOST_SUGGESTED])

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        tiles, spaces = dict.fromkeys(at.state.pending_as(Laying).tiles), _spaces_for(at)
        return (cls(tile, space) for tile in tiles for space in spaces)

    def decide(self, at: Here, chance: Chance) -> Moves:
        """Lay the tile, and the last one if its space is named; tiles without a free space go back."""
        rule = "GR-A1" if at.state.in_play is None else "GR-K1"
        at = yield happened.TileLaid(seat=at.seat, space=self.space, tile=self.tile, rule=rule)
        match at.state.pending:
            case Laying(tiles=(tile,), to=(space,)) if space in _spaces_for(at):
                at = yield happened.TileLaid(seat=at.seat, space=space, tile=tile, rule=rule)
        yield from _put_back(at)


def _in_reach(config: Config, here: SpaceId, tiles: Collection[SpaceId], wanted: Sequence[SpaceId]) -> list[SpaceId]:
    """Return those of ``wanted`` on which tiles can go one after the other, in that order."""
    laid, left = set(tiles), list(wanted)
    found: list[SpaceId] = []
    while left:
        free = config.roads.free(here, laid)
        space = next((space for space in left if space in free), None)
        if space is None:
            break
        left.remove(space)
        laid.add(space)
        found.append(space)
    return found


def _put_back(at: Here) -> Moves:
    """Put tiles without a free space back into the bag (GR-H9)."""
    laying = at.state.pending
    if isinstance(laying, Laying) and not at.config.roads.free(at.own.space, at.state.tiles):
        yield happened.TilesReturned(seat=laying.seat, tiles=laying.tiles)


def _spaces_for(at: Here) -> tuple[SpaceId, ...]:
    """Return the spaces for the next tile: those named that are in reach, or else any free space."""
    laying = at.state.pending_as(Laying)
    free = at.config.roads.free(at.own.space, at.state.tiles)
    return tuple([space for space in free if space in laying.to]) or free


# What crews have, and what it is used for


def check_held(
    at: Here, card: str, many: int = 1, part: str = "card", others: tuple[str, ...] | None = None
) -> Problem | None:
    """GR-K1: require ``many`` of a card in the seat's hand; a refusal suggests the ``others``, by default of the hand."""
    hand = at.own.hand
    has = hand.count(cast("CardId", card))
    if has >= many:
        return None
    message = f"{at.seat} has no {card_words(card)} in hand"
    if has:
        message = f"{at.seat} has {has} of the {many} cards “{card_words(card)}” in hand"
    suggested = tuple(map(card_words, dict.fromkeys(hand))) if others is None else others
    return META.problem("not-in-hand", message, "GR-K1", part, suggested)


def check_help(at: Here, guard: str, part: str, others: tuple[str, ...] | None = None) -> Problem | None:
    """GR-A3, GR-K3: require an escort, or another help that is a card of the hand."""
    if guard != Slot.ESCORT:
        return check_held(at, guard, 1, part, others)
    if at.own.active.escort:
        return None
    return META.problem("no-escort", f"{at.seat} has no escort", "GR-A3", part, others or ())


def settle(at: Here, seat: Seat, why: Iterable[Part]) -> Moves:
    """Add the francs of each part of ``why`` to the cash of ``seat``, or pay them if they are below 0."""
    for part in why:
        if part.amount:
            cash = at.of(seat).cash
            at = yield Spent(seat=seat, before=cash, after=cash + part.amount, why=(part,))
    return at


def pour_can(at: Here, seat: Seat) -> Moves:
    """Play a jerrycan of ``seat`` (GR-K3)."""
    at = yield happened.CardPlayed(seat=seat, card=CardId.JERRYCAN, rule="GR-K3")
    return (yield fuel_gained(at, seat, at.config.can, "GR-K3"))


def fuel_gained(at: Here, seat: Seat, levels: int, rule: str) -> happened.FuelGained:
    """Return the event of ``levels`` of fuel filled in; levels that do not fit are lost (GR-S2)."""
    fuel = at.of(seat).fuel
    full = min(fuel + levels, at.config.components.gauges.fuel)
    return happened.FuelGained(seat=seat, levels=full - fuel, fuel=full, rule=rule)


def guard_given(seat: Seat, guard: Help, rule: str) -> happened.EscortGiven | happened.CardPlayed:
    """Return the event of an escort or a Ranger that is given up (GR-A3, GR-K3)."""
    if guard is Help.ESCORT:
        return happened.EscortGiven(seat=seat, rule=rule)
    return happened.CardPlayed(seat=seat, card=CardId.RANGER, rule=rule)


def drawn(at: Here, many: int, purpose: str, chance: Chance) -> Generator[Any, Here, tuple[tuple[CardId, ...], Here]]:
    """Draw ``many`` cards, or as many as there are; return them and the position, in which they are in no hand yet.

    When the deck is empty and a card must be drawn, the discards become the deck (GR-K4, GR-H9).
    """
    return piles.draw_from(
        lambda at: DECK.left(at.config, at.state),
        lambda at: happened.DeckShuffled(cards=at.state.discards) if at.state.discards else None,
        at,
        many,
        purpose,
        chance,
    )


def cards_drawn(at: Here, seat: Seat, many: int, chance: Chance, rule: str) -> Moves:
    """Draw ``many`` cards for ``seat``."""
    found, at = yield from drawn(at, many, f"a card for {seat}", chance)
    if found:
        at = yield happened.CardsDrawn(seat=seat, cards=found, rule=rule)
    return (yield happened.CardsMissed(seat=seat, missing=many - len(found))) if len(found) < many else at


# Names and numbers in orders


@remember_last
def spelled(config: Config, order: Any) -> Any:
    """Return ``order`` with the names of spaces as the board has them: players may write them in any case."""
    called = config.roads.called

    def change(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple([change(one) for one in value])
        if isinstance(value, Use):
            return replace(value, at=change(value.at)) if value.at else value
        return called.get(value.casefold(), value)

    for name in ("space", "spaces", "path", "one", "other", "using"):
        old = getattr(order, name, None)
        if old and (new := change(old)) != old:
            order = replace(order, **{name: new})
    return order


def engine_first(engine: int | None, chassis: int | None, points: int, most: int) -> tuple[int, int]:
    """Split ``points`` between ``engine`` and ``chassis``: as an order says, or else the engine first, up to ``most``."""
    if engine is None and chassis is None:
        engine = min(points, most)
        return engine, points - engine
    return engine or 0, chassis or 0
