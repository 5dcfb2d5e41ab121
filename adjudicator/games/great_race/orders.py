"""The orders of a race (GR-B1, GR-L1, GR-V1, GR-K): those here and in other files, what cards do, and how parts are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Annotated, Any, Final

from adjudicator.game import Chance, Given, Order, Part, Problem, Term, count, piles, replace
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.actions import (
    Action,
    Fund,
    Lay,
    Repair,
    ScoutCard,
    ScoutTiles,
    check_held,
    drawn,
    fuel_gained,
    pour_can,
    settle,
)
from adjudicator.games.great_race.components import CardId, CardName, Config, Does, When, card_called, card_words, spellings
from adjudicator.games.great_race.danger import Accept, Cancel, React, Remove, Sabotage, Swap
from adjudicator.games.great_race.drive import Back, Drive, Losing, Pay
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.state import DECK, Assistants, Help, Here, Keeping, Moves, Slot, Use


class Take(Order):
    """Take ``card`` from the bivouac."""

    examples = ("TAKE Jerrycan",)
    card: Annotated[CardName, DECK]

    def check(self, at: Here) -> Problem | None:
        """GR-B1: require a card that lies in the bivouac."""
        if self.card in at.state.offered:
            return None
        offered = tuple(map(card_words, dict.fromkeys(at.state.offered)))
        return META.problem("not-offered", f"no {card_words(self.card)} lies in the bivouac", "GR-B1", "card", offered)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return (cls(card.value) for card in dict.fromkeys(at.state.offered))

    def decide(self, at: Here, chance: Chance) -> Moves:
        """Take the card; when all have one, the last in turn order gets the remaining one."""
        at = yield happened.CardTaken(seat=at.seat, card=CardId(self.card))
        if not at.state.takers:
            for card in at.state.offered:
                at = yield happened.CardTaken(seat=at.state.order[-1], card=card)
            yield happened.PlanningBegun()


class Plan(Order):
    """Place the assistants."""

    examples = ("PLAN mechanics 3 funding 2", "PLAN scouts 2 mechanics 2 escort 1")
    template = "PLAN[[ scouts {scouts}][ mechanics {mechanics}][ escort {escort}][ funding {funding}]| scouts 0]"
    sealed = "PLAN (sealed)"
    scouts: int = 0
    mechanics: int = 0
    escort: int = 0
    funding: int = 0

    @property
    def plan(self) -> Assistants:
        """The assistants in their slots."""
        return Assistants(self.scouts, self.mechanics, self.escort, self.funding)

    def wrong(self, config: Config) -> Problem | None:
        """GR-L1: require all assistants, no more and no fewer."""
        total, all_of_them = self.plan.total, config.components.assistants
        if total == all_of_them:
            return None
        # Missing assistants raise funds; of too many, those of funding and escort go first.
        excess, given = total - all_of_them, {slot.value: getattr(self, slot) for slot in Slot}
        given["funding"] += max(0, -excess)
        for slot in (Slot.FUNDING, Slot.ESCORT, Slot.SCOUTS, Slot.MECHANICS):
            gone = min(given[slot], max(0, excess))
            given[slot], excess = given[slot] - gone, excess - gone
        message = f"the plan has {count(total, 'assistant')}: place {all_of_them}"
        return META.problem("does-not-add-up", message, "GR-L1", "share", (Plan(**given).text(),))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        many = at.config.components.assistants
        for one, two, three in combinations(range(many + 3), 3):
            yield cls(one, two - one - 1, three - two - 1, many + 2 - three)

    def decide(self, at: Here, chance: Chance) -> Moves:
        yield happened.PlanMade(seat=at.seat, plan=self.plan)


class Discard(Order):
    """Discard ``cards``, as many as the hand has too many, or some of them."""

    examples = ("DISCARD Caravan", "DISCARD Caravan, Toolbox")
    template = "DISCARD {cards:, }"
    cards: Annotated[tuple[CardName, ...], DECK]

    def check(self, at: Here) -> Problem | None:
        """GR-H1: require cards of the hand, as many as it has too many."""
        cards, excess = self.cards, at.own.excess
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
        return (cls((card.value,)) for card in dict.fromkeys(at.own.hand))

    def decide(self, at: Here, chance: Chance) -> Moves:
        yield happened.CardsDiscarded(seat=at.seat, cards=tuple(map(CardId, self.cards)))


class Buy(Order):
    """Buy ``levels`` of fuel. Parts are bought with a repair: as ``goods`` they are refused."""

    examples = ("BUY fuel 3",)
    template = "BUY {goods} {levels}"
    levels: int
    goods: str = "fuel"

    @classmethod
    def read(cls, children: list[Any]) -> Buy:
        goods = "parts" if "parts" in children else "fuel"
        return cls(next((child for child in children if child != goods), 1), goods)

    def wrong(self, config: Config) -> Problem | None:
        if self.goods != "fuel":
            repair = f"REPAIR buy {self.levels or 1}"
            return META.problem("parts-in-a-repair", "parts are bought with a repair", "GR-H6", "goods", (repair,))
        if self.levels:
            return None
        return META.problem("nothing-bought", "buy at least 1 level of fuel", "GR-V1", "", ("BUY fuel 1",))

    def check(self, at: Here) -> Problem | None:
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

    def decide(self, at: Here, chance: Chance) -> Moves:
        yield from settle(at, at.seat, self.cost(at))
        yield happened.FuelGained(seat=at.seat, levels=self.levels, fuel=at.own.fuel + self.levels, rule="GR-V1")


class Pass(Order):
    """Play nothing more in this round."""

    examples = ("PASS",)

    def decide(self, at: Here, chance: Chance) -> Moves:
        yield happened.SeatPassed(seat=at.seat)


class Play(Order):
    """Play a card alone; for a Trail hunter, name the cards ``wanted``, the best first."""

    examples = ("PLAY Refuelling", "PLAY Trail hunter", "PLAY Trail hunter keeping Ranger, Toolbox, Jerrycan")
    template = "PLAY {played}[ keeping {wanted:, }]"
    played: Annotated[CardName, DECK]
    wanted: Annotated[tuple[CardName, ...], DECK] = ()

    @property
    def card(self) -> CardId:
        """The card."""
        return CardId(self.played)

    @property
    def sealed(self) -> str | None:
        """The words that others may read, ``None`` for all."""
        return f"PLAY {card_words(self.played)}" if self.wanted else None

    def check(self, at: Here) -> Problem | None:
        """GR-K1, GR-K2, GR-K3: require a card of the hand that needs no other order."""
        card, problem = self.card, check_held(at, self.played, part="played")
        if problem is None and self.wanted and card.does is not Does.CARDS:
            message = f"{card.words} draws no cards to keep: only a Trail hunter does"
            return META.problem("nothing-to-keep", message, "GR-K1", "keeping")
        if problem is not None or card.does in ALONE:
            return problem
        what, instead = card.lacks
        return META.problem("say-more", f"{card.words}: {what}", card.when.rule, "played", (instead,))

    def cost(self, at: Here) -> tuple[Part, ...]:
        if self.card.does is not Does.FRANCS:
            return ()
        return (Part(at.config.amount(self.card), self.card.words, "GR-K1"),)

    def decide(self, at: Here, chance: Chance) -> Moves:
        card, amount = self.card, at.config.amount(self.card)
        if card.when is When.ANY_TIME:
            yield from pour_can(at, at.seat)
            return
        at = yield happened.CardBegun(seat=at.seat, card=card, rule="GR-K1")
        if card.does is Does.FRANCS:
            yield from settle(at, at.seat, self.cost(at))
        elif card.does is Does.FUEL:
            yield fuel_gained(at, at.seat, amount, "GR-K1")
        else:
            found, at = yield from drawn(at, amount, f"a card for {at.seat}", chance)
            if found:
                at = yield happened.CardsSearched(seat=at.seat, cards=found)
            if found and self.wanted:  # the best first, then in the order of drawing
                rank = {name: place for place, name in reversed([*enumerate(self.wanted)])}
                ranked = sorted(found, key=lambda one: rank.get(one.value, len(rank)))
                yield from Keep(tuple([one.value for one in ranked[: _kept(at)]])).decide(at, chance)
            if len(found) < amount:
                yield happened.CardsMissed(seat=at.seat, missing=amount - len(found))


ALONE: Final = (Does.FRANCS, Does.FUEL, Does.CARDS)
"""What a card does that is played alone."""
CAN: Final = Play(CardId.JERRYCAN.value)
"""The order that crews may give at any time (GR-K3)."""


class Keep(Order):
    """Keep ``cards`` of those drawn with a Trail hunter."""

    examples = ("KEEP Ranger, Toolbox",)
    template = "KEEP {cards:, }"
    sealed = "KEEP"
    cards: Annotated[tuple[CardName, ...], DECK]

    @classmethod
    def read(cls, children: list[Any]) -> Keep:
        return cls(tuple(sorted(children)))

    def check(self, at: Here) -> Problem | None:
        """GR-K1: require all cards drawn but one."""
        cards = at.state.pending_as(Keeping).cards
        known = tuple(map(card_words, dict.fromkeys(cards)))
        for card in self.cards:
            if self.cards.count(card) > cards.count(CardId(card)):
                message = f"{card_words(card)} is not among the cards drawn"
                return META.problem("not-drawn", message, "GR-K1", f"card={card_words(card)}", known)
        many = _kept(at)
        if len(self.cards) == many:
            return None
        return META.problem("keep-two", f"keep {count(many, 'card')} of {len(cards)}", "GR-K1", "", known)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, dict.fromkeys(combinations(sorted(at.state.pending_as(Keeping).cards), _kept(at))))

    def decide(self, at: Here, chance: Chance) -> Moves:
        cards = tuple(map(CardId, self.cards))
        yield happened.CardsKept(seat=at.seat, cards=cards, back=piles.without(at.state.pending_as(Keeping).cards, *cards))


def _kept(at: Here) -> int:
    """Return how many of the cards drawn with the card in play the crew keeps."""
    state = at.state
    assert state.in_play is not None
    return min(len(state.pending_as(Keeping).cards), max(1, at.config.amount(state.in_play) - 1))


# All orders, and what a sequence may do (GR-V1)


ORDERS: Final[tuple[type[Order], ...]] = (
    *(Take, Plan, React, Discard, Keep, Buy, Play, Sabotage, Swap, ScoutTiles, ScoutCard, Lay),
    *(Repair, Drive, Pay, Back, Remove, Fund, Pass, Cancel, Accept),
)
SEQUENCE: Final = (Buy, Play, Sabotage, Remove, Swap, ScoutTiles, ScoutCard, Repair, Drive, Fund, Pass, React)
"""The orders of a sequence."""
CARDS: Final[dict[Does, type[Action]]] = {
    Does.REPAIR: Repair,
    Does.DRIVE: Drive,
    Does.SCOUT: ScoutTiles,
    Does.REMOVE: Remove,
    Does.HARM: Sabotage,
    Does.SWAP: Swap,
}
"""The action that a card carries out."""
ASSISTANTS: Final[dict[Slot, tuple[type[Action], ...]]] = {
    Slot.SCOUTS: (ScoutTiles, ScoutCard),
    Slot.MECHANICS: (Repair, Drive),
    Slot.ESCORT: (Remove,),
    Slot.FUNDING: (Fund,),
}
"""The actions that an assistant in each slot carries out."""


def in_sequence(at: Here) -> Iterator[Any]:
    """Yield the orders of a sequence that may be legal (GR-V1): purchases, cards of the hand, assistants, pass, answers."""
    yield from Buy.offers(at)
    for card in dict.fromkeys(at.own.hand):
        if card.does in CARDS:
            yield from CARDS[card.does].ways(at, card)
        elif card.does in ALONE and card.when is When.BEFORE:
            yield Play(card.value)
    for slot, actions in ASSISTANTS.items():
        if getattr(at.own.active, slot):
            yield from chain.from_iterable(action.ways(at, slot) for action in actions)
    yield Pass()
    yield from React.offers(at)


# How the parts of the grammar are read


def _without_article(name: str) -> str:
    return re.sub("^(an?|the) +", "", name, flags=re.IGNORECASE)


def _singular(word: str) -> str:
    return word.lower().rstrip("s")


def _share(children: list[Any]) -> Given:
    slot, many = children if not str(children[0]).isdigit() else children[::-1]
    slots = {"scout": "scouts", "mechanic": "mechanics", "escort": "escort"}
    return Given(slots.get(_singular(slot), "funding"), int(many))


def _stock(children: list[Any]) -> Given:
    word, many = str(children[0]).lower(), children[1]
    name = "buy" if word.startswith("buy") else "toolbox" if word.startswith("tool") else "parts"
    return Given(name, 1 if many is None else int(many))


def _using(children: list[Any]) -> tuple[tuple[Use, ...] | None, int]:
    """Return the helps, each once and in their order, and how many Transport cards; Transport alone leaves helps open."""
    fares, order = sum(child for child in children if isinstance(child, int)), tuple(Help)
    uses = {child for child in children if isinstance(child, Use)}
    helps = tuple(sorted(uses, key=lambda use: (order.index(use.help), use.at or "")))
    return helps if helps or not fares else None, fares


def _played(kind: Any, card: CardId) -> Term:
    """Return the part of the grammar for an action that is done by a card."""
    return Term("", lambda children: replace(kind.read(children), by=card))


_CARD: Final = Term(
    "a card such as Jerrycan", lambda children: card_called(_without_article(children[0])), "GR-C3", spellings()
)
_SPACE: Final = Term(
    "a space such as K4",
    lambda children: name.upper() if re.fullmatch("[A-Za-z]{1,3}[0-9]{1,3}", name := str(children[0])) else name,
    "GR-C1",
)
"""The id of a space: ``k4`` is K4; the names of cities match in any case later."""
TERMS: Final = {
    "card": _CARD,
    "harm": replace(_CARD, spellings=spellings(Does.HARM)),
    "played": _CARD,
    **{f"bare_{card}": Term.constant(card) for card in ("saboteur", "tracker", "cheater", "driver")},
    "play_on": Term("", lambda children: replace(Sabotage.read(children[1:]), by=CardId(children[0]))),
    "play_tracker": _played(Remove, CardId.TRACKER),
    "play_cartographer": _played(ScoutTiles, CardId.CARTOGRAPHER),
    "play_driver": _played(Drive, CardId.DRIVER),
    "play_mechanic": _played(Repair, CardId.MECHANIC),
    "keeping": Term("", tuple),
    "share": Term("assistants such as scouts 2", _share, "GR-L1"),
    "scope": Term(
        "",
        lambda children: (
            "scope",
            word if (word := _singular(str(children[0]).split()[-1])) == "danger" else f"{word}s",
        ),
    ),
    "limit": Term("a limit (older rules only)", lambda children: ("over", int(children[0]))),
    "never": Term.constant(("answer", ())),
    "ask": Term.constant(("answer", None)),
    "levels": Term.number("a number of levels", rule="GR-C4"),
    "goods": Term.constant("parts"),
    "guard": Term("escort or ranger", lambda children: _singular(children[0].split()[-1]), "GR-A3"),
    "target": Term("a seat", lambda children: children[0].lower()),
    "space": _SPACE,
    "where": _SPACE,
    "tile": Term("a tile such as sand", lambda children: children[0].lower(), "GR-C2"),
    "laying": Term("", lambda children: (children[0] or "", tuple(children[1:]))),
    "manner": Term("", lambda children: {"f": "first", "c": "cheap", "d": "dear"}[children[0][0].lower()]),
    "mend": Term("", lambda parts: parts[0] if len(parts) == 1 else Given(parts[0].lower(), int(parts[1]))),
    "stock": Term("", _stock),
    "way": Term(
        "sea or air",
        lambda children: {"boat": "sea", "ship": "sea", "plane": "air"}.get(
            word := next(one for one in str(children[0]).lower().split() if one not in ("by", "to")), word
        ),
        "GR-D5",
    ),
    "losing": Term("", Losing.read),
    "loss": Term("", lambda children: (children[0].lower(), None if children[1] is None else int(children[1]))),
    "using": Term("", _using),
    "no_help": Term.constant(None),
    "aid": Term(
        "",
        lambda children: (
            children[0]
            if isinstance(children[0], int)
            else Use(Help(card_called(_singular(_without_article(children[0])))), children[1])
        ),
    ),
    "fares": Term("", lambda children: 1 if children[0] is None else int(children[0])),
}
"""The parts of the grammar."""
