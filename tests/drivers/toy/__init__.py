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
    ruleset="tests.drivers.toy:RULES",
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
        return (*self.components.cards, "ann")


CARDS = game.piles.Pieces("card", "TC-0", lambda config: config.components.cards, "purses.card", "deck")


class Purse(game.Value, kw_only=True):
    seat: Public[Seat]
    coins: Public[Annotated[int, Meta(ge=0, le=9999)]] = 0
    acts: Public[Count] = 0
    has_quit: Public[bool] = False
    is_dared: Public[bool] = False
    card: Annotated[Annotated[game.Name, CARDS] | None, game.OWNER, game.Said(lambda _config, card: f"the {card}")] = None
    bid: Secret[Count | None] = None


class State(game.Value, kw_only=True):
    purses: Public[Annotated[tuple[Purse, ...], Meta(min_length=1, max_length=3)]]
    deck: Annotated[tuple[Annotated[game.Name, CARDS], ...], game.NOBODY.counted] = ()
    rounds: Public[Count] = 0
    is_dealt: Public[bool] = False
    is_over: Public[bool] = False
    purse, with_purse = game.each_seats("purses", Purse)

    @property
    def active(self) -> tuple[Purse, ...]:
        return tuple(purse for purse in self.purses if not purse.has_quit)


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
    seat: Public[Seat]
    card: Secret[game.Name | None]
    rule: game.Name = "TC-0"

    def apply(self, config: Config, state: State) -> State:
        deck = tuple(card for card in state.deck if card != self.card)
        return state.with_purse(self.seat, {"deck": deck}, card=self.card)


class AllDealt(game.Event):
    """Every seat has a card."""

    becomes = {"is_dealt": True}
    rule: game.Name = "TC-0"


class Gained(game.Event):
    says = "{seat} gains {coins:coin}"
    seen_by = game.OWNER
    seat: Public[Seat]
    coins: Public[game.Whole]
    rule: game.Name = "TC-1"

    def apply(self, config: Config, state: State) -> State:
        return state.with_purse(self.seat, acts=state.purse(self.seat).acts + 1)


class CardShown(game.Event):
    says = "{seat} shows {card}"
    seat: Public[Seat]
    card: Public[game.Name]
    rule: game.Name = "TC-0"

    def apply(self, config: Config, state: State) -> State:
        return state.with_purse(self.seat, acts=state.purse(self.seat).acts + 1)


class SeatLeft(game.Event):
    says = "{seat} leaves"
    seat: Public[Seat]
    rule: game.Name = "TC-4"

    def apply(self, config: Config, state: State) -> State:
        return state.with_purse(self.seat, has_quit=True, is_dared=False, bid=None)


class SeatDared(game.Event):
    says = "{seat} dares {whom}"
    seat: Public[Seat]
    whom: Public[Seat]
    rule: game.Name = "TC-7"

    def apply(self, config: Config, state: State) -> State:
        acted = state.with_purse(self.seat, acts=state.purse(self.seat).acts + 1)
        return acted.with_purse(self.whom, is_dared=True)


class DareAnswered(game.Event):
    says = "{seat} answers"
    sets_own = {"is_dared": "again"}
    seat: Public[Seat]
    again: Public[bool] = False
    rule: game.Name = "TC-7"


class BidSealed(game.Event):
    says = "{seat} bids {coins:coin}"
    unseen = "{seat} bids"
    sets_own = {"bid": "coins"}
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
    lucky: Public[Seat]
    rule: game.Name = "TC-5"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, rounds=state.rounds + 1)


class GameOver(game.Event):
    """Somebody has enough."""

    says = "it is over"
    becomes = {"is_over": True}
    rule: game.Name = "TC-6"


def gain(state: State, seat: Seat, coins: int) -> Moves:
    before = state.purse(seat).coins
    yield Gained(seat=seat, coins=coins)
    yield game.Spent(seat=seat, before=before, after=before + coins, why=(Part(coins, "coins", "TC-1"),))


# Orders --------------------------------------------------------------------------------------------------------------


class Add(game.Order):
    """So many coins: one to nine ever, and only some of them at a time."""

    examples = ("ADD 1",)
    coins: int

    def validate(self, config: Config) -> game.Problem | None:
        if 1 <= self.coins <= 9:
            return None
        return META.problem("impossible", f"nobody can ever add {self.coins}", "TC-2", "amount")

    def check(self, config: Config, state: State, seat: Seat) -> game.Problem | None:
        if self.coins <= config.most:
            return None
        return META.problem("too-many", f"{self.coins} coins are more than {config.most}", "TC-3", "amount")

    @classmethod
    def offers(cls, config: Config, state: State, seat: Seat) -> Iterator[Add]:
        return map(cls, range(1, config.most + 1))

    def cost(self, config: Config, state: State, seat: Seat) -> tuple[Part, ...]:
        return (Part(self.coins, "coins", "TC-1"),)

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield from gain(state, seat, self.coins)


class Roll(game.Order):
    """As many coins as so many dice show."""

    examples = ("ROLL", "ROLL 2")
    dice: int = 1

    def validate(self, config: Config) -> game.Problem | None:
        return None if 1 <= self.dice <= 3 else META.problem("dice", "roll one to three dice", "TC-1", "amount")

    @classmethod
    def offers(cls, config: Config, state: State, seat: Seat) -> Iterator[Roll]:
        return map(cls, range(1, 4))

    def cost(self, config: Config, state: State, seat: Seat) -> None:
        return None

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        shown = [int(chance.pick(f"die {number} of {seat}", DICE)) for number in range(1, self.dice + 1)]
        yield from gain(state, seat, sum(shown))


class Hide(game.Order):
    """One coin, and nobody else reads which order it was."""

    examples = ("HIDE",)

    def cost(self, config: Config, state: State, seat: Seat) -> tuple[Part, ...]:
        return (Part(1, "coins", "TC-1"),)

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield from gain(state, seat, 1)


class Show(game.Order):
    """Show the own card."""

    examples = ("SHOW",)

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield CardShown(seat=seat, card=state.purse(seat).card or "nothing")


class Quit(game.Order):
    """Never to be asked again."""

    examples = ("QUIT",)

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield SeatLeft(seat=seat)


class Steps(game.Order):
    """An order of several steps, of which each adds its coins or what a die shows; the rest stays pending."""

    def validate(self, config: Config) -> game.Problem | None:
        return None if 1 <= self.coins <= 9 else META.problem("steps", "take one to nine steps", "TC-1", "amount")

    @classmethod
    def offers(cls, config: Config, state: State, seat: Seat) -> Iterator[Any]:
        return (cls(coins) for coins in range(1, 10))  # type: ignore[call-arg]

    def cost(self, config: Config, state: State, seat: Seat) -> tuple[Part, ...] | None:
        return (Part(self.coins, "coins", "TC-1"),)

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield from gain(state, seat, self.coins)


class Climb(Steps):
    """Three coins, then two, then one, until the seat is rich."""

    examples = ("CLIMB 2",)
    coins: int


class Rush(Steps):
    """As climbing, in one round: what is left at its end has expired."""

    examples = ("RUSH 2",)
    coins: int
    of_round: int | None = None

    def text(self) -> str:
        return f"RUSH {self.coins}" if self.of_round is None else f"RUSH {self.coins} ROUND {self.of_round}"


class Throw(Steps):
    """One die after the other."""

    examples = ("THROW 2",)
    coins: int

    def cost(self, config: Config, state: State, seat: Seat) -> None:
        return None

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield from gain(state, seat, int(chance.pick(f"a die of {seat}", DICE)))


class Dare(game.Order):
    """Ask another seat something that it must answer first."""

    examples = ("DARE blue",)
    whom: str

    def validate(self, config: Config) -> game.Problem | None:
        return META.unknown("seat", self.whom, config.seats, "TC-7", "who")

    def check(self, config: Config, state: State, seat: Seat) -> game.Problem | None:
        if self.whom != seat and not state.purse(Seat(self.whom)).has_quit:
            return None
        return META.problem("no-dare", f"{self.whom} cannot be dared", "TC-7", "who")

    @classmethod
    def offers(cls, config: Config, state: State, seat: Seat) -> Iterator[Dare]:
        return map(cls, config.seats)

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield SeatDared(seat=seat, whom=Seat(self.whom))


class Yes(game.Order):
    """Take the dare, and a coin."""

    examples = ("YES",)

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield DareAnswered(seat=seat)
        before = state.purse(seat).coins
        yield game.Spent(seat=seat, before=before, after=before + 1, why=(Part(1, "a dare", "TC-7"),))

    def cost(self, config: Config, state: State, seat: Seat) -> tuple[Part, ...]:
        return (Part(1, "a dare", "TC-7"),)


class No(game.Order):
    """Leave it."""

    examples = ("NO",)

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield DareAnswered(seat=seat)


class Bid(game.Order):
    """Bid coins, unseen by the others."""

    examples = ("BID 1",)
    coins: int

    def validate(self, config: Config) -> game.Problem | None:
        return None if self.coins <= 9 else META.problem("bid", "nobody bids more than 9", "TC-8", "amount")

    @classmethod
    def offers(cls, config: Config, state: State, seat: Seat) -> Iterator[Bid]:
        return map(cls, range(10))

    def decide(self, config: Config, state: State, seat: Seat, chance: game.Chance) -> Moves:
        yield BidSealed(seat=seat, coins=self.coins)


# The order of play ---------------------------------------------------------------------------------------------------

ACTION = game.order_of_play.Question(
    *("coins", "TC-1", lambda *_at: "how many?", (Add, Roll, Hide, Show, Quit, Climb, Rush, Throw, Dare)),
    META.problem("act-first", "first act", "TC-1"),
)
DARED = game.order_of_play.Question(
    *("dare", "TC-7", lambda *_at: "YES or NO?", (Yes, No), META.problem("answer-first", "first answer the dare", "TC-7")),
    interrupts=True,
)
BIDDING = game.order_of_play.Question(
    "bid", "TC-8", lambda *_at: "how much?", (Bid, Quit), META.problem("bid-first", "first bid", "TC-8")
)


def deal(config: Config, state: State, chance: game.Chance) -> Moves:
    for seat in config.seats:
        if state.purse(seat).card is None:
            state = yield CardDealt(seat=seat, card=chance.pick(f"a card for {seat}", state.deck))
    yield AllDealt()


def who_acts(config: Config, state: State) -> dict[Seat, Any]:
    if config.mode == "sealed":
        return {purse.seat: BIDDING for purse in state.active if purse.bid is None}
    least = min((purse.acts for purse in state.active), default=0)
    due = [purse.seat for purse in state.active if purse.acts == least]
    return dict.fromkeys(due[:1] if config.mode == "turns" else due, ACTION)


def end_round(config: Config, state: State, chance: game.Chance) -> Moves:
    if config.mode == "sealed" and state.active:
        yield BidsOpened(coins=tuple(purse.bid or 0 for purse in state.active))
        yield RoundEnded(lucky=Seat(chance.pick("who is lucky", config.seats)))


def is_round_over(config: Config, state: State) -> bool:
    return config.mode == "together" and bool(state.active) and min(one.acts for one in state.active) > state.rounds


def be_lucky(config: Config, state: State, chance: game.Chance) -> Moves:
    yield RoundEnded(lucky=Seat(chance.pick("who is lucky", config.seats)))


def end(config: Config, state: State, chance: game.Chance) -> Moves:
    yield GameOver()


def has_enough(config: Config, state: State) -> bool:
    return any(purse.coins >= config.goal for purse in state.purses) or not state.active


Phase = game.order_of_play.Phase


class ToyCoins(game.Rules[Config, State]):
    meta, components, position, state = META, Components, Position, State
    events = game.events_of(__name__)
    orders = (Add, Roll, Hide, Show, Quit, Climb, Rush, Throw, Dare, Yes, No, Bid)
    grammar = "tests.drivers.toy:toy.lark"
    pieces = (CARDS,)
    terms: ClassVar[Any] = {
        "amount": game.Term.number("a number such as 2", rule="TC-1"),
        "round": game.Term.number("a round"),
        "who": game.Term("a seat", lambda children: str(children[0]).lower()),
    }
    facts: ClassVar[Any] = {
        "coins": game.Fact.of_own("the coins", "coins"),
        "round": game.Fact.of_game("rounds so far", lambda config, view: view.state.rounds),
        "seats": game.Fact.of_game("the seats", lambda config, view: config.seats),
        "everything": game.Fact.of_game("all cards, and again", lambda config, view: config.components.cards * 200),
        "nobody": game.Fact.of_game("an empty list", lambda config, view: ()),
        "card": game.Fact.of_own("the own card", "card"),
        "bid": game.Fact.of_own("the bid", "bid"),
        "first": game.Fact.of_game("who begins", lambda config, view: config.seats[0]),
        "ann": game.Fact.of_game("a name that is a fact, too", lambda config, view: 1),
        "echo": game.Fact("`echo of NAME`", lambda config, view, word: word.lower() or None, "seat"),
    }
    order_of_play = game.order_of_play.OrderOfPlay(
        Phase("TC-0", lambda _config, state: not state.is_dealt, follow=deal),
        Phase("TC-6", lambda _config, state: state.is_over),
        Phase("TC-6", has_enough, follow=end),
        Phase(
            "TC-7",
            lambda _config, state: any(purse.is_dared for purse in state.purses),
            lambda _config, state: {purse.seat: DARED for purse in state.purses if purse.is_dared},
        ),
        Phase("TC-5", is_round_over, follow=be_lucky),
        Phase("TC-1", lambda *_at: True, who_acts, end_round),
        not_due=("not-due", "TC-1"),
    )

    def configure(self, setup: game.Setup, version: int) -> Config:
        flaws = [] if setup.options["goal"].isdigit() else ["the goal is a number", game.Flaw("so many coins", "TC-6")]
        self.refuse("unfit-options", flaws)
        most = {"slow": 3, "fast": 5}[setup.options["pace"]]
        goal = int(setup.options["goal"])
        return Config(setup.seats, setup.position, setup.components, setup.options["mode"], goal, most)

    def begin(self, config: Config) -> State:
        return State(purses=tuple(Purse(seat=seat) for seat in config.seats), deck=config.components.cards)

    def place(self, config: Config, position: Any) -> State:
        if isinstance(position, State):
            purses = tuple(position.purse(seat) for seat in config.seats)
            return replace(position, purses=purses, deck=CARDS.left(config, replace(position, deck=())))
        given = {at.seat: at for at in position.seats}
        purses = tuple(Purse(seat=seat, coins=given[seat].coins, card=given[seat].card) for seat in config.seats)
        placed = State(purses=purses, rounds=position.rounds)
        return replace(placed, deck=CARDS.left(config, placed))

    def impossible(self, config: Config, state: State, position: Any) -> Iterator[str | game.Flaw]:
        if position is not None and any(at.coins == 77 for at in position.seats):
            yield "77 coins cannot be counted"
        yield from (game.Flaw(f"{one.seat} has {one.coins} coins", "TC-2") for one in state.purses if one.coins > 5000)
        if config.mode != "sealed" and any(purse.bid is not None for purse in state.purses):
            yield game.Flaw("there are no bids in this game", "TC-8")
        if state.is_over != (state.is_dealt and has_enough(config, state)) and state.is_dealt and state.is_over:
            yield game.Flaw("it is over only when somebody has enough", "TC-6")
        if not state.is_dealt and position is None:
            yield "the cards are dealt"
        if any(purse.card is None for purse in state.purses) and position is None:
            yield game.Flaw("every seat has a card", "TC-0")
        if any(purse.is_dared and purse.has_quit for purse in state.purses):
            yield game.Flaw("who has left cannot be dared", "TC-7")
        if any(purse.bid is not None and purse.has_quit for purse in state.purses):
            yield game.Flaw("who has left cannot bid", "TC-8")

    def decision(self, config: Config, state: State, seat: Seat) -> game.Decision | game.Problem | None:
        if state.purse(seat).has_quit:
            return META.problem("gone", f"{seat} has left", "TC-4")
        return super().decision(config, state, seat)

    def is_over(self, config: Config, state: State) -> bool:
        return state.is_over

    def continuation(self, config: Config, state: State, seat: Seat, order: Any) -> Any:
        if not isinstance(order, Steps) or order.coins < 2:
            return None
        if isinstance(order, Climb):
            return Climb(order.coins - 1) if state.purse(seat).coins < RICH else None
        return Throw(order.coins - 1) if isinstance(order, Throw) else Rush(order.coins - 1, state.rounds)

    def readiness(self, config: Config, state: State, seat: Seat, order: Any) -> game.Readiness:
        if isinstance(order, Rush) and order.of_round is not None and (state.is_over or order.of_round < state.rounds):
            return game.Readiness.EXPIRED
        return super().readiness(config, state, seat, order)

    def position_before_answer(self, config: Config, state: State, seat: Seat) -> State | None:
        return None if state.purse(seat).bid is None else state.with_purse(seat, bid=None)

    def public_text(self, config: Config, state: State, seat: Seat, order: Any) -> str | None:
        return "HIDE or ADD 1" if isinstance(order, Hide) else "BID" if isinstance(order, Bid) else None

    def standings(self, config: Config, state: State) -> tuple[game.Standing, ...]:
        return game.Standing.ranking(
            state.purses,
            key=lambda purse: -purse.coins,
            score=lambda purse: purse.coins,
            note=lambda purse: "has left" if purse.has_quit else "plays",
            is_final=state.is_over,
        )

    def draw(self, config: Config, view: game.View[State]) -> game.drawing.Drawing:
        rows = ((purse.seat, purse.coins, purse.card or "?", purse.bid) for purse in view.state.purses)
        return game.drawing.Drawing((game.drawing.table("Purses", ("seat", "coins", "card", "bid"), rows),))

    def choices(self, config: Config, view: game.View[State]) -> Iterator[tuple[str, str]]:
        own = view.own(view.state.purses)
        if own is not None and own.card:
            yield own.card, "a card like any other"

    def warnings(self, config: Config, state: State) -> Iterator[str]:
        if state.rounds > 2:
            yield "it is late"


RULES: Any = ToyCoins()
_kept = ExitStack()
_kept.enter_context(offer(RULES))  # for all tests, as if its package were installed


# How tests play it ---------------------------------------------------------------------------------------------------


@contextmanager
def offered(**hooks: Any) -> Iterator[Any]:
    """Let the game have other hooks in the block."""
    changed = RULES.changed(**hooks)
    with offer(changed):
        yield changed


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
