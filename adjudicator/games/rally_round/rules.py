"""Assemble the rules of Rally Round: decisions, legality, events, winners (RR)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any, Final

from adjudicator.game import (
    Chance,
    Decision,
    Flaw,
    Part,
    Problem,
    Rules,
    Seat,
    Setup,
    Spent,
    View,
    change,
    count,
    drawing,
    remembered,
    suggest,
)
from adjudicator.games.rally_round import asking, driving, laying, possible, result, table
from adjudicator.games.rally_round import components as parts
from adjudicator.games.rally_round import config as settings
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import state as states
from adjudicator.games.rally_round import table_events as marks
from adjudicator.games.rally_round.components import SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.driving import Turn, speeds_here
from adjudicator.games.rally_round.facts import FACTS
from adjudicator.games.rally_round.foreseeing import foreseen, why_refused
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.orders import (
    AT_CONTROL,
    ORDERS,
    TERMS,
    Block,
    Choose,
    Finish,
    Pass,
    Pick,
    Place,
    Speed,
    Start,
    TurnRound,
)
from adjudicator.games.rally_round.quiet import quiet_way
from adjudicator.games.rally_round.route import cautions
from adjudicator.games.rally_round.state import Crew, State, course
from adjudicator.games.rally_round.table import Stage
from adjudicator.games.rally_round.timing import clock

Moves = Generator[Any, State, Any]
_BLOCKING: Final = ("always", "never", "ask", "yes", "no")
_SEALED_KIT: Final = "KIT (sealed)"
_SEALED_DRIVE: Final = "SPEED (sealed)"


class RallyRound(Rules[Config, State]):
    """A rally: by internet, each crew alone on the marked route, or at a table, where the players lay the route."""

    meta = META
    components, position, state = parts.Components, states.Position, State
    spent_seen_by = happened.SEALED
    events, orders, terms, facts = marks.EVENTS, ORDERS, TERMS, FACTS

    begin, preview = staticmethod(states.begun), staticmethod(foreseen)
    standings, proceed = staticmethod(result.standings), staticmethod(table.proceed)

    def draw(self, config: Config, view: View[State]) -> drawing.Drawing:
        from adjudicator.games.rally_round import board

        return board.drawn(config, view)

    def choices(self, config: Config, view: View[State]) -> Iterable[tuple[str, str]]:
        from adjudicator.games.rally_round import box

        return box.choices(config, view)

    def catalogue(self, components: parts.Components) -> drawing.Drawing:
        from adjudicator.games.rally_round import box

        return box.boxed(components)

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", settings.unfit(setup))
        config = settings.configured(setup, version)
        return change(config, names=tuple(_names(config)))

    def place(self, config: Config, position: Any) -> State:
        return possible.normalized(config, position if isinstance(position, State) else states.placed(config, position))

    def impossible(self, config: Config, state: State, position: Any) -> Iterator[str | Flaw]:
        return possible.impossible(config, state)

    def decision(self, config: Config, state: State, seat: Seat) -> Decision | Problem | None:
        if config.is_table:
            asked = table.decision(config, state)
            if asked is not None and asked.seat == seat:
                return asked
        elif not (crew := state.crew(seat)).is_done(config):
            return _ask(config, crew)
        return _finished(config, state, seat)

    def due(self, config: Config, state: State) -> tuple[Seat, ...]:
        if not config.is_table:
            return tuple([crew.seat for crew in state.crews if not crew.is_done(config)])
        seat = table.due(config, state)
        return () if seat is None else (seat,)

    def is_over(self, config: Config, state: State) -> bool:
        return state.is_over(config)

    def validate(self, config: Config, order: Any) -> Problem | None:
        match order:
            case Speed():
                return asking.misread(config, order)
            case Pick():
                return asking.unknown_card(config, (order.card, *order.then))
            case Start() | Finish() | Place():
                return asking.misplaced(config, order)
            case Choose(crew=crew) if crew not in config.seats:
                message = f"this rally has no crew {crew}"
                return META.problem("no-such-crew", message, "RR-V1", "crew", suggest(crew, config.seats))
        return None

    def check(self, config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
        crew, laid, gone = state.crew(seat), course(config, state), _finished(config, state, seat)
        if gone is not None:
            return gone
        if config.is_table:
            if table.due(config, state) != seat:
                return self.not_due(config, state, seat, "not-due", "RR-M5")
            problem = asking.check_stage(config, state, crew, order)
            if problem is not None or not isinstance(order, (Speed, Pick, TurnRound)):
                return problem
        elif not isinstance(order, (Pick, Speed, TurnRound)):
            return META.problem("not-at-a-table", "this order is only for the game at a table", "RR-L1")
        if isinstance(order, Pick):
            return asking.check_kit(laid, crew, order)
        if not crew.has_kit():
            message = f"first complete the kit: it still needs {asking.missing(laid, crew)}"
            return META.problem("kit-first", message, "RR-K1", suggestions=(asking.some_kit(laid, crew),))
        return _check_line(laid, state, crew, order) if isinstance(order, Speed) else None

    def candidates(self, config: Config, state: State, seat: Seat) -> Iterator[Any]:
        crew = state.crew(seat)
        if config.is_table and table.due(config, state) != seat:
            return
        if config.is_table and table.stage_of(config, state) is not Stage.DRIVE:
            yield from table.candidates(config, state, seat)
            return
        taken = {config.kit[card].kind for card in crew.kit}
        yield from (Pick(card.id) for card in config.components.kit if card.kind not in taken)
        if crew.is_done(course(config, state)) or not crew.has_kit():
            return
        for using in (None, *crew.held):
            yield from (Speed(speed, using=using) for speed in range(10, asking.FASTEST_NAMED + 1, 10))
        yield TurnRound()
        yield from map(Block, _BLOCKING if config.is_table else ())

    def cost(self, config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        if config.is_table:
            if isinstance(order, Speed):
                return _illegal(config, state, seat, order) or None
            if isinstance(order, Place) and not config.rejects_markers:
                flaw = laying.wrong_marker(config, state.markers, order)
                return () if flaw is None else (Part(0, f"a wrong marker, which loses the turn: {flaw.message}", flaw.rule),)
            return None if state.announced is not None else ()
        events = (event for event, _ in self._outcome(config, state, seat, order))
        spent = tuple(part for event in events if isinstance(event, Spent) for part in event.why)
        return (*_illegal(config, state, seat, order), *spent) if isinstance(order, Speed) else spent

    def _outcome(self, config: Config, state: State, seat: Seat, order: Any) -> list[tuple[Any, State]]:
        """Return the events of the legal ``order``, which needs no chance."""
        moves, found = _carried_out(config, state, seat, order), []
        event = next(moves, None)
        while event is not None:
            state = self.spent(config, state, event) if isinstance(event, Spent) else event.apply(config, state)
            found.append((event, state))
            try:
                event = moves.send(state)
            except StopIteration:
                event = None
        return found

    def decide(self, config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
        laid = course(config, state)
        if config.is_table:
            state = yield from _carried_out_at_table(laid, state, seat, order, chance)
        else:
            state = yield from _carried_out(config, state, seat, order)
        if state.is_over(config):
            controls = tuple(section.end.name for section in laid.sections) if config.is_table else ()
            for crew in state.crews:
                penalties = tuple(line.penalty for line in crew.lines)
                yield happened.SheetOpened(seat=crew.seat, penalties=penalties, out=crew.out, controls=controls)

    def spent(self, config: Config, state: State, event: Spent) -> State:
        return state.with_crew(event.seat, penalty=event.after)

    def continuation(self, config: Config, state: State, seat: Seat, order: Any) -> Any | None:
        # At a table the engine carries out a line of speeds, or a kit, one turn at a time.
        if not config.is_table or not order_has_more(order) or state.is_over(config):
            return None
        if isinstance(order, Pick):
            return Pick(order.then[0], order.then[1:])
        crew, left = state.crew(seat), order.then
        for _ in range(crew.lost):
            left = left[1:] if left[:1] == (0,) else left
        left = tuple(step for at, step in enumerate(left) if at or step != AT_CONTROL)
        is_waiting = state.announced is not None and state.announced.mover == seat
        if not left or not (crew.speeds or is_waiting):  # the section is over
            return None
        end = course(config, state).sections[len(crew.lines)].end.number if is_waiting else None
        return Speed(left[0], then=left[1:], to=order.to or end)

    def public_text(self, config: Config, state: State, seat: Seat, order: Any) -> str | None:
        if config.is_open:
            return None
        return _SEALED_KIT if isinstance(order, Pick) else _SEALED_DRIVE

    def warnings(self, config: Config, state: State) -> Iterable[str]:
        """Warn about details that the organiser of the rally may not want (RR-L1, RR-L3, RR-L4, RR-T6)."""
        laid = course(config, state)
        if state.is_over(config) or not laid.sections:
            return ()
        return cautions(config.network, laid.rally, laid.sections)


def _names(config: Config) -> Iterator[str]:
    yield from (*config.network.squares, *config.kit, *config.hazards, *parts.Colour, *parts.Timing)
    yield from (post.name for section in config.sections for post in section.posts)
    numbers = range(2, 100) if config.is_table else ()
    yield from (f"{prefix}{number}" for prefix in parts.PREFIXES.values() for number in numbers)


def _finished(config: Config, state: State, seat: Seat) -> Problem | None:
    crew = state.crew(seat)
    if crew.out is None and (state.part < config.parts or not crew.is_done(course(config, state))):
        return None
    words = "has finished the rally" if crew.out is None else f"is {crew.out}"
    return META.problem("rally-over", f"{seat} {words} and has no more orders to give", "RR-R1")


def _check_line(config: Config, state: State, crew: Crew, order: Speed) -> Problem | None:
    """Refuse a line of speeds that the crew cannot drive, and if the option says so one with illegal speeds."""
    is_looked_at_whole = config.rejects and not config.is_table and order.then
    problem = asking.check_control(config, crew, order)
    if not (order.via or order.using or is_looked_at_whole) and problem is None and quiet_way(config, crew, order.speed):
        return None
    problem = problem or asking.check_card(config, crew, order) or asking.check_way(config, crew, order)
    if problem is not None or not config.rejects:
        return problem
    if is_looked_at_whole:
        return why_refused(config, state, crew.seat, order)
    legal = speeds_here(config, crew, Turn(order.speed, order.via, order.using))
    if order.speed in legal:
        return None
    return asking.illegal(happened.SpeedRefused(seat=crew.seat, speed=order.speed, least=legal[0], most=legal[-1]))


def _illegal(config: Config, state: State, seat: Seat, order: Speed) -> tuple[Part, ...]:
    """Return the effect of an illegal speed, which costs no marks by itself (RR-M4); nothing for a legal one."""
    legal = speeds_here(course(config, state), state.crew(seat), Turn(order.speed, order.via, order.using))
    if order.speed in legal:
        return ()
    may = f"{legal[0]} to {legal[-1]} mph are" if len(legal) > 1 else f"only {legal[0]} mph is"
    return (Part(0, f"a missed turn: {may} legal here", "RR-M4"),)


def order_has_more(order: Any) -> bool:
    """Return whether ``order`` is a line of several turns, or of several cards."""
    return isinstance(order, (Pick, Speed)) and bool(order.then)


def _carried_out_at_table(
    config: Config, state: State, seat: Seat, order: Any, chance: Chance
) -> Generator[Any, State, State]:
    match order:
        case Speed():
            by = driving.who_is_asked(config, state, seat, order)
            if by is not None:
                return (yield _announced(seat, by, order))
            yield from driving.drive_once(config, state, seat, order, chance)
        case Start():
            return (yield marks.StartChosen(seat=seat, square=SquareId(order.square)))
        case Finish():
            return (yield marks.FinishChosen(seat=seat, square=SquareId(order.square)))
        case Place():
            return (yield _placed(config, state, seat, order))
        case Pass():
            return (yield marks.MarkerPassed(seat=seat))
        case Pick():
            return (yield happened.CardPicked(seat=seat, card=order.card))
        case Choose():
            return (yield marks.CrewChosen(seat=Seat(order.crew)))
        case Block():
            return (yield from _blocked(config, state, seat, order, chance))
        case _:
            yield happened.TurnedRound(seat=seat)
    return (yield marks.TurnTaken(seat=seat))


def _blocked(config: Config, state: State, seat: Seat, order: Block, chance: Chance) -> Generator[Any, State, State]:
    """RR-O1: set the standing answer of ``seat``, and carry out the announced move, if there is one."""
    waiting, is_on = state.announced, order.when in ("always", "yes")
    if order.when in ("always", "never", "ask"):
        # A crew that wants to be asked has not given way in advance: its card still blocks.
        state = yield marks.BlockSet(seat=seat, is_on=order.when != "never", is_asking=order.when == "ask")
    if waiting is None:
        return state
    state = yield marks.BlockAnswered(seat=seat, is_on=is_on)
    free = (*waiting.free, *(() if is_on else (seat,)))
    move = Speed(waiting.speed, waiting.via, waiting.using, lands=waiting.lands)
    by = None if is_on else driving.who_is_asked(config, state, waiting.mover, move, free)
    if by is not None:
        return (yield _announced(waiting.mover, by, move, free))
    yield from driving.drive_once(config, state, waiting.mover, move, chance, seat if is_on else None)
    return (yield marks.TurnTaken(seat=waiting.mover))


def _announced(seat: Seat, by: Seat, order: Speed, free: tuple[Seat, ...] = ()) -> marks.BlockAsked:
    return marks.BlockAsked(
        seat=seat, by=by, speed=order.speed, via=order.via, using=order.using, lands=order.lands, free=free
    )


def _placed(
    config: Config, state: State, seat: Seat, order: Place
) -> marks.ControlPlaced | marks.BlackSpotPlaced | marks.MarkerRemoved:
    flaw = laying.wrong_marker(config, state.markers, order)
    if flaw is not None:
        return marks.MarkerRemoved(seat=seat, square=SquareId(order.square), why=flaw.message, rule=flaw.rule)
    if order.what == "blackspot":
        return marks.BlackSpotPlaced(seat=seat, square=SquareId(order.square))
    control = laying.control_of(config, order)
    assert control.side is not None
    return marks.ControlPlaced(
        seat=seat,
        name=laying.name_of(control, state),
        square=control.square,
        side=control.side,
        section=control.section,
        speed=control.speed,
        distance=laying.distance_to(config, state.markers, order),
    )


def _ask(config: Config, crew: Crew) -> Decision:
    """Return the question to ``crew``, in words that reveal nothing sealed."""
    return _question(config, crew.seat, len(crew.kit), len(crew.lines))


@remembered
def _question(config: Config, seat: Seat, cards: int, done: int) -> Decision:
    if cards < len(parts.Kind):
        chosen = f" ({count(cards, 'card')} chosen)" if cards else ""
        return Decision(
            seat, "kit", f"choose a kit, one card of each of the six kinds{chosen}: KIT D1 N1 E1 S1 A1 B1", "RR-K1"
        )
    section = config.sections[done]
    speed = f" at {section.end.speed} mph" if section.end.speed else ""
    what = f"{section.timing}{speed}, {section.distance} squares, target {clock(section.target)}"
    words = f"choose the speeds to {section.end.name} ({what})"
    return Decision(seat, "drive", f"{words}: TC{section.end.number}: 10 20 …", "RR-M1")


def _carried_out(config: Config, state: State, seat: Seat, order: Any) -> Generator[Any, State, State]:
    match order:
        case Pick():
            for card in (order.card, *order.then):
                state = yield happened.CardPicked(seat=seat, card=card)
        case Speed():
            return (yield from driving.drive(config, state, seat, order))
        case _:
            state = yield happened.TurnedRound(seat=seat)
    return state


__all__ = ["RULESET", "RallyRound", "Turn", "speeds_here"]
RULESET: Final = RallyRound()
