"""The order of play: by internet each crew alone, at a table phase by phase; and whom each phase asks what (RR)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from adjudicator.core.order_of_play import Asked, OrderOfPlay, Phase, Question
from adjudicator.game import Chance, Moves, Problem, Seat, count, listed
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import table_events as table
from adjudicator.games.rally_round.components import CardId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.kits import Choose, Pick, cards_left
from adjudicator.games.rally_round.laying import Finish, Pass, Place, Start, chequered, number_due
from adjudicator.games.rally_round.markers import legs_so_far
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.route import ambiguity_told
from adjudicator.games.rally_round.state import Announced, Crew, State, course, is_laid
from adjudicator.games.rally_round.timing import clock
from adjudicator.games.rally_round.turns import Block, Speed, TurnRound

# The words of questions


def _ask_kit(_config: Config, state: State, seat: Seat) -> str:
    """Ask a crew that drives alone, in words that reveal nothing sealed."""
    cards = len(state.crew(seat).kit)
    chosen = f" ({count(cards, 'card')} chosen)" if cards else ""
    return f"choose a kit, one card of each of the six kinds{chosen}: KIT D1 N1 E1 S1 A1 B1"


def _ask_speeds(config: Config, state: State, seat: Seat) -> str:
    section = config.sections[len(state.crew(seat).lines)]
    speed = f" at {section.end.speed} mph" if section.end.speed else ""
    what = f"{section.timing}{speed}, {section.distance} squares, target {clock(section.target)}"
    return f"choose the speeds to {section.end.name} ({what}): TC{section.end.number}: 10 20 …"


def _ask_end(order: str) -> Callable[[Config, State, Seat], str]:
    name = order.lower()
    return lambda config, state, _seat: f"choose the {name}: {order} at {listed(chequered(config, state), 'or')}"


def _ask_marker(config: Config, state: State, _seat: Seat) -> str:
    legs = legs_so_far(config, state.markers)
    doubtful = next((leg for leg in legs if leg.ways.number > 1), None)
    if doubtful is not None:
        return f"place a marker; {ambiguity_told(legs, doubtful)}"
    assert state.finish is not None
    what, sides = f"place a marker, control {number_due(state)} or a Black Spot", config.network.sides(state.finish)
    return f"{what}: PLACE TC at {state.finish} from {sides[0]} ends the route"


def _ask_card(config: Config, state: State, seat: Seat) -> str:
    return f"choose a kit card ({listed(state.crew(seat).missing(config), 'or')}): PICK D1"


def _ask_speed(config: Config, state: State, seat: Seat) -> str:
    end = course(config, state).sections[len(state.crew(seat).lines)].end.name
    return f"choose the speed in minute {state.minute}, on the way to {end}: SPEED 10"


# The questions


def _not_now(*orders: str) -> Problem:
    message = f"the rally is at another stage: give an order such as {listed(orders, 'or')}"
    return META.problem("other-stage", message, "RR-L1")


_ONLY_AT_TABLE: Final = META.problem("not-at-a-table", "this order is only for the game at a table", "RR-L1")
_ALONE: Final = (Pick, Speed, TurnRound)
"""The orders of a crew that drives alone."""
KIT: Final = Question("kit", "RR-K1", _ask_kit, _ALONE, _ONLY_AT_TABLE)
DRIVE: Final = Question("drive", "RR-M1", _ask_speeds, _ALONE, _ONLY_AT_TABLE)
START: Final = Question("start", "RR-L1", _ask_end("START"), (Start,), _not_now("START at A4"))
FINISH: Final = Question("finish", "RR-L1", _ask_end("FINISH"), (Finish,), _not_now("FINISH at G16"))
PLACE: Final = Question("place", "RR-L3", _ask_marker, (Pass, Place), _not_now("PLACE BLACKSPOT at D6", "PASS"))
CARD: Final = Question("kit", "RR-K1", _ask_card, (Pick,), _not_now("PICK D3"))
CREW: Final = Question(
    "choose",
    "RR-V1",
    lambda _config, state, _seat: f"choose a crew for yourself: CHOOSE {listed(state.order, 'or')}",
    (Choose,),
    _not_now("CHOOSE red"),
)
SPEED: Final = Question(
    "drive", "RR-M1", _ask_speed, (Speed, TurnRound, Block), _not_now("SPEED 40", "TURN ROUND", "BLOCK never")
)


def _answer(waiting: Announced) -> Question:
    words, near = f"say whether {waiting.mover} may overtake", "BLOCK yes, or BLOCK no"
    first = META.problem("answer-first", f"first {words}: {near}", "RR-O1", near=("BLOCK yes", "BLOCK no"))
    return Question("block", "RR-O1", lambda *_at: f"{words} at {waiting.speed} mph: {near}", (Block,), first)


# Which phase it is, and whom it asks


class _Alone(Mapping[Seat, Question]):
    """The questions to crews that drive alone, each found when it is needed: there may be thousands."""

    def __init__(self, config: Config, state: State) -> None:
        self.config, self.state = config, state

    def __getitem__(self, seat: Seat) -> Question:
        crew: Crew = self.state.crew(seat)
        if crew.is_done(self.config):
            raise KeyError(seat)
        return DRIVE if crew.has_kit() else KIT

    def __iter__(self) -> Iterator[Seat]:
        return (crew.seat for crew in self.state.crews if not crew.is_done(self.config))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return not self.state.is_over(self.config)


def _players(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.order if state.crew(seat).out is None)


def _next(question: Question) -> Callable[[Config, State], Asked]:
    """Ask the players one after the other, from turn to turn."""

    def asks(_config: Config, state: State) -> Asked:
        players = _players(state)
        return {players[state.laid % len(players)]: question}

    return asks


def _answerer(_config: Config, state: State) -> Asked:
    waiting = state.announced
    return {} if waiting is None else {waiting.by: _answer(waiting)}


def _needs_kits(_config: Config, state: State) -> bool:
    return any(crew.out is None and not crew.has_kit() for crew in state.crews)


def _chooser_of_card(config: Config, state: State) -> Asked:
    """Ask for one card at a time, the last to start first; chance deals if the option says so."""
    players = _players(state)[::-1]
    return {} if config.is_dealt else {min(players, key=lambda seat: len(state.crew(seat).kit)): CARD}


def _mover(_config: Config, state: State) -> Asked:
    queue = state.queue[:1]
    return {} if any(state.crew(seat).lost for seat in queue) else dict.fromkeys(queue, SPEED)


# What follows


def _draw_cars(config: Config, _state: State, chance: Chance) -> Moves[State]:
    left, order = list(config.seats), list[Seat]()
    while left:
        order.append(Seat(chance.pick(f"the crew that starts as number {len(order) + 1}", tuple(left))))
        left.remove(order[-1])
    return (yield table.StartDrawn(order=tuple(order)))


def _deal(config: Config, state: State, chance: Chance) -> Moves[State]:
    """RR-K1, RR-V1: deal one card of each kind to each crew."""
    for seat in state.order:
        for kind in state.crew(seat).missing(config):
            left = tuple(card for card in cards_left(config, state) if config.kit[card].kind is kind)
            card = CardId(chance.pick(f"a {kind} card for {seat}", left))
            state = yield happened.CardPicked(seat=seat, card=card)
    return state


def _go_on(config: Config, state: State, _chance: Chance) -> Moves[State]:
    """Let a crew miss its turn; after the last turn begin the next minute, or the next part."""
    if state.queue:
        first = state.crew(state.queue[0])
        return (yield table.TurnLost(seat=first.seat, left=first.lost - 1))
    laid = course(config, state)
    if all(crew.is_done(laid) for crew in state.crews):
        assert state.finish is not None
        squares = tuple(section.distance for section in laid.sections)
        return (yield table.PartEnded(part=state.part, finish=state.finish, squares=squares))
    return (yield table.MinuteBegun(minute=state.minute + 1, order=moving_order(config, state, state.minute + 1)))


def moving_order(config: Config, state: State, minute: int) -> tuple[Seat, ...]:
    """Return the crews that move in ``minute``, in order: the furthest along the route first, those off it last (RR-M5)."""
    laid = course(config, state)
    places: list[tuple[int, int, int, int, Seat]] = []
    # If all crews that have started are done, the others still start minute by minute.
    for start, seat in enumerate(state.order[:minute]):
        crew = state.crew(seat)
        if not crew.is_done(laid):
            places.append((*_place(laid, crew), start, seat))
    return tuple([place[-1] for place in sorted(places)])


def _place(laid: Config, crew: Crew) -> tuple[int, int, int]:
    number, here = len(crew.lines), crew.trail[-1]
    # A car that rolled back over the start of its section is still on the route; in version 1 it was not.
    earliest = number if laid.version < 2 else 0
    for section in reversed(laid.sections[earliest : number + 1]):
        at = section.place(here)
        if at >= 0:
            return 0, -section.before - at, crew.arrived
    return 1, 0, 0


ORDER_OF_PLAY: Final = OrderOfPlay(
    Phase("RR-H4", lambda config, _state: not config.is_table, _Alone),
    Phase("RR-R1", lambda config, state: state.is_over(config)),
    Phase("RR-H7", lambda _config, state: not state.order, follow=_draw_cars),
    Phase("RR-L1", lambda _config, state: not state.controls, _next(START)),
    Phase("RR-L1", lambda _config, state: state.finish is None, _next(FINISH)),
    Phase("RR-L3", lambda config, state: not is_laid(config, state), _next(PLACE)),
    Phase("RR-K1", _needs_kits, _chooser_of_card, _deal),
    Phase("RR-V1", lambda config, state: config.is_solo and state.own is None, lambda _c, state: {_players(state)[0]: CREW}),
    Phase("RR-O1", lambda _config, state: state.announced is not None, _answerer),
    Phase("RR-M5", lambda _config, _state: True, _mover, _go_on),
    not_due=("not-due", "RR-M5"),
)
"""The order of play: by internet the first row, at a table the first of the others that applies."""
