"""Toy Coins: a small game with everything that the program must cope with, and the ways to play it in tests.

It is written as the author of a game writes one (``adjudicator.game``), and is played by the library (``new``). Seats
collect coins: one after the other (``mode=turns``), all in a round (``together``), or by sealed bids (``sealed``).
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Annotated, Any, ClassVar

import adjudicator as adj
from adjudicator import game
from adjudicator.core.rules import changed
from adjudicator.game import Count, Meta, Part, Positive, Public, Seat, Secret, replace
from adjudicator.rulesets import offer

DICE = ("1", "2", "3", "4", "5", "6")
RICH = 8
"""Coins with which a seat climbs no further."""
SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
Moves = Generator[Any, Any, None]

META = game.GameMeta(
    id="toy-coins",
    name="Toy Coins",
    version=3,
    oldest=2,
    prefix="TC",
    players=(1, 3),
    unit=game.Unit("coin", "coins"),
    options=(
        game.Option("mode", ("turns", "together", "sealed"), "turns", "who is asked"),
        game.Option("goal", (), "1000", "how many coins end the game"),
        game.Option("luck", ("none", "much"), "none", "of a seat", per_seat=True),
        game.Option("pace", ("slow", "fast"), "fast", "how many coins at a time", since=3, before="slow"),
    ),
    ruleset="tests.drivers.toy:ToyCoins",
)


class Components(game.Value, kw_only=True):
    id: game.Name
    version: Positive
    cards: Annotated[tuple[game.Name, ...], Meta(min_length=3, max_length=9)]


class Config(game.Configuration[Components]):
    mode: str
    goal: int
    most: int

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.components.cards, "ann", "Straße")


CARDS = game.piles.Pieces("card", "TC-0", lambda config: config.components.cards, "purses.card", "deck")


class Purse(game.Value, kw_only=True):
    seat: Public[Seat]
    coins: Public[Annotated[int, Meta(ge=0, le=9999)]] = 0
    acts: Public[Count] = 0
    has_quit: Public[bool] = False
    is_dared: Public[bool] = False
    card: Annotated[Annotated[game.Name, CARDS] | None, game.OWNER, game.Said(lambda _config, card: f"the {card}")] = None
    bid: Secret[Count | None] = None


class State(game.State[Purse], kw_only=True):
    own_in, account = "purses", "coins"

    purses: Public[Annotated[tuple[Purse, ...], Meta(min_length=1, max_length=3)]]
    deck: Annotated[tuple[Annotated[game.Name, CARDS], ...], game.NOBODY.counted] = ()
    rounds: Public[Count] = 0
    is_dealt: Public[bool] = False
    is_over: Public[bool] = False

    @property
    def active(self) -> tuple[Purse, ...]:
        return tuple(purse for purse in self.purses if not purse.has_quit)


Here = game.At[Config, State, Purse]
"""A position of the game."""


class PurseAt(game.Value, kw_only=True):
    seat: Seat
    coins: Annotated[int, Meta(ge=0, le=9999)] = 0
    card: Annotated[game.Name, CARDS] | None = None


class Position(game.Value, kw_only=True):
    seats: Annotated[tuple[PurseAt, ...], Meta(min_length=1, max_length=3)]
    rounds: Count = 0


# Events --------------------------------------------------------------------------------------------------------------


class CardDealt(game.Event):
    says = "{seat} draws {card}"
    unseen = "{seat} draws a card"
    moves = "card: deck > own.card"
    seat: Public[Seat]
    card: Secret[game.Name | None]
    rule: game.Name = "TC-0"


class AllDealt(game.Event):
    """Every seat has a card."""

    becomes = {"is_dealt": True}
    rule: game.Name = "TC-0"


class Gained(game.Event):
    says = "{seat} gains {coins:coin}"
    seen_by = game.OWNER
    adds = {"own.acts": 1}
    seat: Public[Seat]
    coins: Public[game.Whole]
    rule: game.Name = "TC-1"


class CardShown(game.Event):
    says = "{seat} shows {card}"
    adds = {"own.acts": 1}
    seat: Public[Seat]
    card: Public[game.Name]
    rule: game.Name = "TC-0"


class SeatLeft(game.Event):
    says = "{seat} leaves"
    becomes = {"own.has_quit": True, "own.is_dared": False, "own.bid": None}
    seat: Public[Seat]
    rule: game.Name = "TC-4"


class SeatDared(game.Event):
    says = "{seat} dares {whom}"
    seat: Public[Seat]
    whom: Public[Seat]
    rule: game.Name = "TC-7"

    def apply(self, config: Config, state: State) -> State:
        acted = state.with_own(self.seat, acts=state.of(self.seat).acts + 1)
        return acted.with_own(self.whom, is_dared=True)


class DareAnswered(game.Event):
    says = "{seat} answers"
    sets = {"own.is_dared": "again"}
    seat: Public[Seat]
    again: Public[bool] = False
    rule: game.Name = "TC-7"


class BidSealed(game.Event):
    says = "{seat} bids {coins:coin}"
    unseen = "{seat} bids"
    sets = {"own.bid": "coins"}
    seat: Public[Seat]
    coins: Secret[Count | None]
    rule: game.Name = "TC-8"


class BidsOpened(game.Event):
    says = "the bids are {coins}"
    coins: Public[tuple[game.Whole, ...]]
    rule: game.Name = "TC-8"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, purses=tuple(replace(purse, bid=None, acts=purse.acts + 1) for purse in state.purses))


class RoundEnded(game.Event):
    says = "{lucky} is lucky"
    adds = {"rounds": 1}
    lucky: Public[Seat]
    rule: game.Name = "TC-5"


class GameOver(game.Event):
    """Somebody has enough."""

    says = "it is over"
    becomes = {"is_over": True}
    rule: game.Name = "TC-6"


def gain(state: State, seat: Seat, coins: int) -> Moves:
    before = state.of(seat).coins
    yield Gained(seat=seat, coins=coins)
    yield game.Spent(seat=seat, before=before, after=before + coins, why=(Part(coins, "coins", "TC-1"),))


# Orders --------------------------------------------------------------------------------------------------------------


class Add(game.Order):
    """So many coins: one to nine ever, and only some of them at a time."""

    examples = ("ADD 1",)
    coins: int

    def wrong(self, config: Config) -> game.Problem | None:
        if 1 <= self.coins <= 9:
            return None
        return META.problem("impossible", f"nobody can ever add {self.coins}", "TC-2", "amount")

    def check(self, at: Here) -> game.Problem | None:
        if self.coins <= at.config.most:
            return None
        return META.problem("too-many", f"{self.coins} coins are more than {at.config.most}", "TC-3", "amount")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Add]:
        return map(cls, range(1, at.config.most + 1))

    def cost(self, at: Here) -> tuple[Part, ...]:
        return (Part(self.coins, "coins", "TC-1"),)

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield from gain(at.state, at.seat, self.coins)


class Roll(game.Order):
    """As many coins as so many dice show."""

    examples = ("ROLL", "ROLL 2")
    dice: int = 1

    def wrong(self, config: Config) -> game.Problem | None:
        return None if 1 <= self.dice <= 3 else META.problem("dice", "roll one to three dice", "TC-1", "amount")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Roll]:
        return map(cls, range(1, 4))

    def cost(self, at: Here) -> None:
        return None

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        shown = [int(chance.pick(f"die {number} of {at.seat}", DICE)) for number in range(1, self.dice + 1)]
        yield from gain(at.state, at.seat, sum(shown))


class Hide(game.Order):
    """One coin, and nobody else reads which order it was."""

    examples = ("HIDE",)

    def cost(self, at: Here) -> tuple[Part, ...]:
        return (Part(1, "coins", "TC-1"),)

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield from gain(at.state, at.seat, 1)


class Show(game.Order):
    """Show the own card."""

    examples = ("SHOW",)

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield CardShown(seat=at.seat, card=at.own.card or "nothing")


class Quit(game.Order):
    """Never to be asked again."""

    examples = ("QUIT",)

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield SeatLeft(seat=at.seat)


class Steps(game.Order):
    """An order of several steps, of which each adds its coins or what a die shows; the rest stays pending."""

    def wrong(self, config: Config) -> game.Problem | None:
        return None if 1 <= self.coins <= 9 else META.problem("steps", "take one to nine steps", "TC-1", "amount")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return (cls(coins) for coins in range(1, 10))  # type: ignore[call-arg]

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return (Part(self.coins, "coins", "TC-1"),)

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield from gain(at.state, at.seat, self.coins)


class Climb(Steps):
    """Three coins, then two, then one, until the seat is rich."""

    examples = ("CLIMB 2",)
    coins: int

    def rest(self, at: Here) -> Climb | None:
        return Climb(self.coins - 1) if self.coins > 1 and at.own.coins < RICH else None


class Rush(Steps):
    """As climbing, in one round: what is left at its end has expired."""

    examples = ("RUSH 2",)
    template = "RUSH {coins}[ ROUND {of_round}]"
    coins: int
    of_round: int | None = None

    def rest(self, at: Here) -> Rush | None:
        return Rush(self.coins - 1, at.state.rounds) if self.coins > 1 else None

    def has_expired(self, at: Here) -> bool:
        return self.of_round is not None and (at.state.is_over or self.of_round < at.state.rounds)


class Throw(Steps):
    """One die after the other."""

    examples = ("THROW 2",)
    coins: int

    def rest(self, at: Here) -> Throw | None:
        return Throw(self.coins - 1) if self.coins > 1 else None

    def cost(self, at: Here) -> None:
        return None

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield from gain(at.state, at.seat, int(chance.pick(f"a die of {at.seat}", DICE)))


class Dare(game.Order):
    """Ask another seat something that it must answer first."""

    examples = ("DARE blue",)
    who: Seat

    def check(self, at: Here) -> game.Problem | None:
        if self.who != at.seat and not at.of(self.who).has_quit:
            return None
        return META.problem("no-dare", f"{self.who} cannot be dared", "TC-7", "who")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Dare]:
        return map(cls, at.config.seats)

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield SeatDared(seat=at.seat, whom=self.who)


class Yes(game.Order):
    """Take the dare, and a coin."""

    examples = ("YES",)

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield DareAnswered(seat=at.seat)
        before = at.own.coins
        yield game.Spent(seat=at.seat, before=before, after=before + 1, why=(Part(1, "a dare", "TC-7"),))

    def cost(self, at: Here) -> tuple[Part, ...]:
        return (Part(1, "a dare", "TC-7"),)


class No(game.Order):
    """Leave it."""

    examples = ("NO",)

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield DareAnswered(seat=at.seat)


class Bid(game.Order):
    """Bid coins, unseen by the others."""

    examples = ("BID 1",)
    coins: int

    def wrong(self, config: Config) -> game.Problem | None:
        return None if self.coins <= 9 else META.problem("bid", "nobody bids more than 9", "TC-8", "amount")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Bid]:
        return map(cls, range(10))

    def decide(self, at: Here, chance: game.Chance) -> Moves:
        yield BidSealed(seat=at.seat, coins=self.coins)


# The order of play ---------------------------------------------------------------------------------------------------

ACTION = game.Ask(
    *("coins", "TC-1", lambda _at: "how many?", (Add, Roll, Hide, Show, Quit, Climb, Rush, Throw, Dare)),
    META.problem("act-first", "first act", "TC-1"),
)
DARED = game.Ask(
    *("dare", "TC-7", lambda _at: "YES or NO?", (Yes, No), META.problem("answer-first", "first answer the dare", "TC-7")),
    interrupts=True,
)
BIDDING = game.Ask("bid", "TC-8", lambda _at: "how much?", (Bid, Quit), META.problem("bid-first", "first bid", "TC-8"))
SEALED = replace(BIDDING, answered_in=lambda at: at.state.with_own(at.seat, bid=None))


def deal(at: Here, chance: game.Chance) -> Moves:
    for seat in at.config.seats:
        if at.of(seat).card is None:
            at = yield CardDealt(seat=seat, card=chance.pick(f"a card for {seat}", at.state.deck))
    yield AllDealt()


def who_acts(at: Here) -> tuple[game.Ask, ...]:
    if at.config.mode == "sealed":
        return tuple(ask for one in at.state.active for ask in (BIDDING if one.bid is None else SEALED).to(one.seat))
    least = min((purse.acts for purse in at.state.active), default=0)
    due = [purse.seat for purse in at.state.active if purse.acts == least]
    return ACTION.to(*(due[:1] if at.config.mode == "turns" else due))


def end_round(at: Here, chance: game.Chance) -> Moves:
    if at.config.mode == "sealed" and at.state.active:
        yield BidsOpened(coins=tuple(purse.bid or 0 for purse in at.state.active))
        yield RoundEnded(lucky=Seat(chance.pick("who is lucky", at.config.seats)))


def is_round_over(at: Here) -> bool:
    return (
        at.config.mode == "together" and bool(at.state.active) and min(one.acts for one in at.state.active) > at.state.rounds
    )


def be_lucky(at: Here, chance: game.Chance) -> Moves:
    yield RoundEnded(lucky=Seat(chance.pick("who is lucky", at.config.seats)))


def end(_at: Here, chance: game.Chance) -> Moves:
    yield GameOver()


def has_enough(at: Here) -> bool:
    return any(purse.coins >= at.config.goal for purse in at.state.purses) or not at.state.active


class ToyCoins(game.Rules[Config, State]):
    meta, components, position, state = META, Components, Position, State
    events = game.events_of(__name__)
    orders = (Add, Roll, Hide, Show, Quit, Climb, Rush, Throw, Dare, Yes, No, Bid)
    grammar = "tests.drivers.toy:toy.lark"
    pieces, has_windows, not_due = (CARDS,), True, ("not-due", "TC-1")
    terms: ClassVar[Any] = {
        "amount": game.Term.number("a number such as 2", rule="TC-1"),
        "round": game.Term.number("a round"),
        "who": game.Term("a seat", lambda children: str(children[0]).lower()),
    }
    facts: ClassVar[Any] = {
        "coins": game.Fact.of_seat("the coins", "coins"),
        "round": game.Fact.of_game("rounds so far", lambda at: at.state.rounds),
        "seats": game.Fact.of_game("the seats", lambda at: at.config.seats),
        "everything": game.Fact.of_game("all cards, and again", lambda at: at.config.components.cards * 200),
        "nobody": game.Fact.of_game("an empty list", lambda _at: ()),
        "card": game.Fact.of_seat("the own card", "card"),
        "bid": game.Fact.of_seat("the bid", "bid"),
        "first": game.Fact.of_game("who begins", lambda at: at.config.seats[0]),
        "ann": game.Fact.of_game("a name that is a fact, too", lambda _at: 1),
        "echo": game.Fact("`echo of NAME`", lambda _at, word: word.lower() or None, "seat"),
    }
    phases = (
        game.Phase("TC-0", lambda at: not at.state.is_dealt, follow=deal),
        game.Phase("TC-6", lambda at: at.state.is_over),
        game.Phase("TC-6", has_enough, follow=end),
        game.Phase(
            "TC-7",
            lambda at: any(purse.is_dared for purse in at.state.purses),
            lambda at: DARED.to(*(purse.seat for purse in at.state.purses if purse.is_dared)),
        ),
        game.Phase("TC-5", is_round_over, follow=be_lucky),
        game.Phase("TC-1", lambda _at: True, who_acts, end_round),
    )

    def configure(self, setup: game.Setup, version: int) -> Config:
        flaws = [] if setup.options["goal"].isdigit() else ["the goal is a number", game.Flaw("so many coins", "TC-6")]
        self.refuse("unfit-options", flaws)
        most = {"slow": 3, "fast": 5}[setup.options["pace"]]
        goal = int(setup.options["goal"])
        return Config(setup.seats, setup.position, setup.components, setup.options["mode"], goal, most)

    def begin(self) -> State:
        return State(purses=tuple(Purse(seat=seat) for seat in self.config.seats), deck=self.config.components.cards)

    def place(self, position: Any) -> State:
        placed = replace(super().place(position), deck=())
        return replace(placed, deck=CARDS.left(self.config, placed))

    def impossible(self, state: State, position: Any) -> Iterator[str | game.Flaw]:
        if position is not None and any(at.coins == 77 for at in position.seats):
            yield "77 coins cannot be counted"
        yield from (game.Flaw(f"{one.seat} has {one.coins} coins", "TC-2") for one in state.purses if one.coins > 5000)
        if self.config.mode != "sealed" and any(purse.bid is not None for purse in state.purses):
            yield game.Flaw("there are no bids in this game", "TC-8")
        if state.is_over != (state.is_dealt and has_enough(self.at(state))) and state.is_dealt and state.is_over:
            yield game.Flaw("it is over only when somebody has enough", "TC-6")
        if not state.is_dealt and position is None:
            yield "the cards are dealt"
        if any(purse.card is None for purse in state.purses) and position is None:
            yield game.Flaw("every seat has a card", "TC-0")
        if any(purse.is_dared and purse.has_quit for purse in state.purses):
            yield game.Flaw("who has left cannot be dared", "TC-7")
        if any(purse.bid is not None and purse.has_quit for purse in state.purses):
            yield game.Flaw("who has left cannot bid", "TC-8")

    def retired(self, state: State, seat: Seat) -> game.Problem | None:
        return META.problem("gone", f"{seat} has left", "TC-4") if state.of(seat).has_quit else None

    def is_over(self, state: State) -> bool:
        return state.is_over

    def public_text(self, at: Here, order: Any) -> str | None:
        return "HIDE or ADD 1" if isinstance(order, Hide) else "BID" if isinstance(order, Bid) else None

    def standings(self, state: State) -> tuple[game.Standing, ...]:
        return game.Standing.ranking(
            state.purses,
            key=lambda purse: -purse.coins,
            score=lambda purse: purse.coins,
            note=lambda purse: "has left" if purse.has_quit else "plays",
            is_final=state.is_over,
        )

    def draw(self, view: game.View[Config, State, Purse]) -> game.drawing.Drawing:
        rows = ((purse.seat, purse.coins, purse.card or "?", purse.bid) for purse in view.state.purses)
        return game.drawing.Drawing((game.drawing.table("Purses", ("seat", "coins", "card", "bid"), rows),))

    def choices(self, view: game.View[Config, State, Purse]) -> Iterator[tuple[str, str]]:
        own = view.own
        if own is not None and own.card:
            yield own.card, "a card like any other"

    def warnings(self, state: State) -> Iterator[str]:
        if state.rounds > 2:
            yield "it is late"


_kept = ExitStack()
_kept.enter_context(offer(ToyCoins))  # for all tests, as if its package were installed


# How tests play it ---------------------------------------------------------------------------------------------------


@contextmanager
def offered(**hooks: Any) -> Iterator[Any]:
    """Let the game have other hooks in the block; methods get ``self``, as in a class."""
    made = changed(ToyCoins, **hooks)
    with offer(made):
        yield made


def new(*seats: str, seed: Any = SEED, words: Any = None, recorded: Any = None, **options: str) -> adj.Game:
    """Begin a game; ``options`` are its options, with ``_`` for a dot."""
    given = {name.replace("_", "."): value for name, value in options.items()}
    chance = {"recorded": recorded} if recorded is not None else {"seed": seed, "words": words}
    return adj.new("toy-coins", list(seats or ("red", "blue")), id="toy-1", options=given, **chance)


def entries(game: adj.Game) -> list[dict[str, Any]]:
    """Return the entries of the journal as they stand in the game file."""
    return [link["entry"] for link in document(game)["journal"]]


def document(game: adj.Game) -> dict[str, Any]:
    """Return the game file as plain JSON."""
    found: dict[str, Any] = json.loads(game.to_bytes())
    return found


def orders(game: adj.Game, *, since: int = 1) -> list[str]:
    """Return what was carried out, from an entry on: `red ADD 1`."""
    return [f"{entry['seat']} {entry['order']}" for entry in entries(game)[since:]]


def pending(game: adj.Game) -> dict[str, list[str]]:
    """Return the pending orders of each seat."""
    return {sheet["seat"]: [one["order"] for one in sheet["orders"]] for sheet in document(game)["pending"]}


def coins(game: adj.Game) -> dict[str, int]:
    return {purse["seat"]: purse["coins"] for purse in document(game)["state"]["purses"]}


def codes(result: adj.Result) -> list[str]:
    return [problem.code.removeprefix("toy-coins/") for problem in result.problems]
