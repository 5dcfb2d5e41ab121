"""The orders of bivouac and planning, and those of a sequence that play no card and drive nowhere (GR-B1, GR-L1, GR-V1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from adjudicator.game import Chance, Part, Problem, count
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.cards import CardId, card_words
from adjudicator.games.great_race.components import SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import RaceOrder, check_held, settle
from adjudicator.games.great_race.state import Assistants, Help, Here, Moves, Reaction, Slot
from adjudicator.games.great_race.terms import cards_text, summed


class Take(RaceOrder):
    """Take ``card`` from the bivouac."""

    examples = ("TAKE Jerrycan",)

    names_cards = ("card",)
    card: str

    def text(self) -> str:
        return f"TAKE {card_words(self.card)}"

    def refusal(self, at: Here) -> Problem | None:
        """GR-B1: require a card that lies in the bivouac."""
        if self.card in at.state.offered:
            return None
        offered = tuple(map(card_words, dict.fromkeys(at.state.offered)))
        return META.problem("not-offered", f"no {card_words(self.card)} lies in the bivouac", "GR-B1", "card", offered)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return (cls(card.value) for card in dict.fromkeys(at.state.offered))

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Take the card; when all have one, the last in turn order gets the remaining one."""
        at = yield dealt.CardTaken(seat=at.seat, card=CardId(self.card))
        if not at.state.takers:
            for card in at.state.offered:
                at = yield dealt.CardTaken(seat=at.state.order[-1], card=card)
            yield happened.PlanningBegun()


class Plan(RaceOrder):
    """Place the assistants."""

    examples = ("PLAN mechanics 3 funding 2", "PLAN scouts 2 mechanics 2 escort 1")

    sealed = "PLAN (sealed)"
    scouts: int = 0
    mechanics: int = 0
    escort: int = 0
    funding: int = 0

    @classmethod
    def read(cls, children: list[Any]) -> Plan:
        return cls(**summed(children))

    def text(self) -> str:
        return f"PLAN {self.plan.text('scouts 0').replace(',', '')}"

    @property
    def plan(self) -> Assistants:
        """The assistants in their slots."""
        return Assistants(self.scouts, self.mechanics, self.escort, self.funding)

    def mistake(self, config: Config) -> Problem | None:
        """GR-L1: require all assistants, no more and no fewer."""
        total, all_of_them = self.plan.total, config.components.assistants
        if total == all_of_them:
            return None
        message = f"the plan has {count(total, 'assistant')}: place {all_of_them}"
        return META.problem("does-not-add-up", message, "GR-L1", "share", (self._filled(all_of_them).text(),))

    def _filled(self, all_of_them: int) -> Plan:
        """Correct this plan: missing assistants raise funds; of too many, those of funding and escort go first."""
        excess, given = self.plan.total - all_of_them, {slot.value: getattr(self, slot) for slot in Slot}
        given["funding"] += max(0, -excess)
        for slot in (Slot.FUNDING, Slot.ESCORT, Slot.SCOUTS, Slot.MECHANICS):
            gone = min(given[slot], max(0, excess))
            given[slot], excess = given[slot] - gone, excess - gone
        return Plan(**given)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        many = at.config.components.assistants
        for one, two, three in combinations(range(many + 3), 3):
            yield cls(one, two - one - 1, three - two - 1, many + 2 - three)

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield happened.PlanMade(seat=at.seat, plan=self.plan)


class React(RaceOrder):
    """Answer danger from now on with ``helps`` (none: never; ``None``: ask), if it costs more than ``over`` parts.

    ``scope`` is ``danger`` (all), ``cards`` (danger cards of others) or ``tiles`` (tiles drawn).
    """

    examples = (
        "REACT danger with escort, ranger",
        "REACT danger never",
        "REACT danger ask",
        "REACT cards with ranger only if parts > 1",
    )

    sealed = "REACT (sealed)"
    helps: tuple[str, ...] | None
    over: int = -1
    scope: str = "danger"

    @classmethod
    def read(cls, children: list[Any]) -> React:
        given: dict[str, Any] = dict(child for child in children if isinstance(child, tuple))
        helps = tuple(dict.fromkeys(child for child in children if isinstance(child, str)))
        scope = given.get("scope", "danger")
        if "answer" in given:
            return cls(given["answer"], -1, scope)
        return cls(helps or ("escort", "ranger"), given.get("over", -1), scope)

    def text(self) -> str:
        if not self.helps:
            return f"REACT {self.scope} {'ask' if self.helps is None else 'never'}"
        over = f" only if parts > {self.over}" if self.over >= 0 else ""
        return f"REACT {self.scope} with {', '.join(self.helps)}{over}"

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, (None, (), ("escort",), ("ranger",), ("escort", "ranger"), ("ranger", "escort")))

    def effect(self, at: Here, chance: Chance) -> Moves:
        reaction = None if self.helps is None else Reaction(tuple(map(Help, self.helps)), self.over if self.helps else -1)
        for to in ("cards", "tiles"):
            if self.scope in ("danger", to):
                yield happened.ReactionChosen(seat=at.seat, to=to, reaction=reaction)


class Discard(RaceOrder):
    """Discard ``card`` and others, as many as the hand has too many."""

    examples = ("DISCARD Caravan", "DISCARD Caravan, Toolbox")

    names_cards = ("card", "more")
    card: str
    more: tuple[str, ...] = ()

    @classmethod
    def read(cls, children: list[Any]) -> Discard:
        return cls(children[0], tuple(children[1:]))

    def text(self) -> str:
        return cards_text("DISCARD", (self.card, *self.more))

    def refusal(self, at: Here) -> Problem | None:
        """GR-H1: require cards of the hand, as many as it has too many."""
        cards, excess = (self.card, *self.more), at.own.excess
        for place, card in enumerate(cards):
            problem = check_held(at, card, cards.count(card), f"card:{place}")
            if problem is not None:
                return problem
        if len(cards) <= excess:
            return None
        message = f"{at.seat} has {count(excess, 'card')} too many, not {len(cards)}"
        return META.problem("too-few-left", message, "GR-H1", f"card:{excess}")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return (cls(card.value) for card in dict.fromkeys(at.own.hand))

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield dealt.CardsDiscarded(seat=at.seat, cards=tuple(map(CardId, (self.card, *self.more))))


class Buy(RaceOrder):
    """Buy ``levels`` of fuel. Parts are bought with a repair: as ``goods`` they are refused."""

    examples = ("BUY fuel 3",)

    words = "BUY {0.goods} {0.levels}"
    levels: int
    goods: str = "fuel"

    @classmethod
    def read(cls, children: list[Any]) -> Buy:
        goods = "parts" if "parts" in children else "fuel"
        return cls(next((child for child in children if child != goods), 1), goods)

    def mistake(self, config: Config) -> Problem | None:
        if self.goods != "fuel":
            repair = f"REPAIR buy {self.levels or 1}"
            return META.problem("parts-in-a-repair", "parts are bought with a repair", "GR-H6", "goods", (repair,))
        if self.levels:
            return None
        return META.problem("nothing-bought", "buy at least 1 level of fuel", "GR-V1", "", ("BUY fuel 1",))

    def refusal(self, at: Here) -> Problem | None:
        """GR-V1, GR-S2: require that no card was played before, and that the fuel fits and the crew can pay for it."""
        if not at.state.may_buy:
            return META.problem("too-late-to-buy", "buy fuel first, before you play cards", "GR-V1")
        crew = at.own
        price, room = at.config.fuel_price(crew.space), at.config.components.gauges.fuel - crew.fuel
        if self.levels > room:
            code, rule, message, most = "no-room", "GR-S2", f"there is room for {count(room, 'level')} of fuel", room
        elif self.levels * price > crew.cash:
            code, rule, most, francs = "too-dear", "GR-V1", min(room, crew.cash // price), self.levels * price
            message = f"{count(self.levels, 'level')} of fuel would cost {francs} F here, and {at.seat} has {crew.cash} F"
        else:
            return None
        return META.problem(code, message, rule, "", (f"BUY fuel {most}",) if most else ())

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        room = at.config.components.gauges.fuel - at.own.fuel
        return map(cls, range(1, room + 1) if at.state.may_buy else ())

    def cost(self, at: Here) -> tuple[Part, ...]:
        francs = self.levels * at.config.fuel_price(at.own.space)
        return (Part(-francs, f"{self.levels} fuel", "GR-V1"),) if francs else ()

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield from settle(at, at.seat, self.cost(at))
        yield happened.FuelGained(seat=at.seat, levels=self.levels, fuel=at.own.fuel + self.levels, rule="GR-V1")


class Escort(RaceOrder):
    """Remove the tile on ``space``, beside the vehicle, with an escort."""

    examples = ("ESCORT remove K4",)

    words = "ESCORT remove {0.space}"
    slot = Slot.ESCORT
    rule = "GR-A3"
    names_spaces = ("space",)
    space: SpaceId

    def refusal(self, at: Here) -> Problem | None:
        """GR-A3: require a tile beside the vehicle, with no vehicle on it."""
        space, here = self.space, at.own.space
        near = at.state.removable(at.config.roads.beside(here))
        if space in near:
            return None
        if space not in at.state.tiles:
            return META.problem("no-tile-there", f"there is no tile at {space}", self.rule, "space", near)
        if space in at.state.occupied:
            return META.problem("vehicle-there", f"a vehicle is at {space}", self.rule, "space", near)
        return META.problem("not-beside", f"{space} is not beside {here}", self.rule, "space", near)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, at.state.removable(at.config.roads.beside(at.own.space)))

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield dealt.TileRemoved(seat=at.seat, space=self.space, tile=at.state.tiles[self.space], rule=self.rule)


class Fund(RaceOrder):
    """Play all assistants of the funding at once."""

    examples = ("FUND",)

    slot = Slot.FUNDING
    rule = "GR-A4"

    def cost(self, at: Here) -> tuple[Part, ...]:
        """GR-A4: the more assistants, the more francs each brings."""
        many = at.own.active.funding
        return (Part(at.config.components.funding[many - 1] if many else 0, f"funding of {many}", "GR-A4"),)

    def decide(self, at: Here, chance: Chance) -> Moves:
        why = self.cost(at)  # before the assistants are played
        at = yield happened.AssistantPlayed(seat=at.seat, slot=Slot.FUNDING, rule=self.rule)
        yield from settle(at, at.seat, why)


class Pass(RaceOrder):
    """Play nothing more in this round."""

    examples = ("PASS",)

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield happened.SeatPassed(seat=at.seat)
