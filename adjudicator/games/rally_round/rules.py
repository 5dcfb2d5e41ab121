"""The rules of Rally Round: who is asked, what is legal, what follows, who has won (RR)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from typing import Any, Final

from adjudicator.game import Chance, Decision, Part, Problem, Rules, Seat, Spent, change, count, listed, suggest
from adjudicator.games.rally_round import board, driving, laying, result, table
from adjudicator.games.rally_round import components as parts
from adjudicator.games.rally_round import config as settings
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import state as states
from adjudicator.games.rally_round import table_events as marks
from adjudicator.games.rally_round.components import Does, Kind, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.driving import Turn, speeds_here
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
from adjudicator.games.rally_round.route import cautions
from adjudicator.games.rally_round.state import Crew, State, course
from adjudicator.games.rally_round.steering import NoWay, targets, way_ahead
from adjudicator.games.rally_round.table import Stage
from adjudicator.games.rally_round.timing import clock

Moves = Generator[Any, State, Any]
FASTEST_NAMED: Final = 200
"""No order names a higher speed: with the best cards no car comes near it."""
_BLOCKING: Final = ("always", "never")
_STAGES: Final[dict[Stage, tuple[type, ...]]] = {
    Stage.DRAW: (),
    Stage.START: (Start,),
    Stage.FINISH: (Finish,),
    Stage.LAY: (Place, Pass),
    Stage.KIT: (Pick,),
    Stage.CHOOSE: (Choose,),
    Stage.DRIVE: (Speed, TurnRound, Block),
}
_EXAMPLES: Final[dict[type, str]] = {kind: kind.examples[0] for kind in ORDERS}
_SEALED_KIT: Final = "KIT (sealed)"
_SEALED_DRIVE: Final = "SPEED (sealed)"


class RallyRound(Rules[Config, State]):
    """A rally: by internet, each crew alone on the marked route, or at a table, where the players lay the route."""

    meta = META
    components, position, state = parts.Components, states.Position, State
    spent_seen_by = happened.SEALED
    events, orders, terms, facts = marks.EVENTS, ORDERS, TERMS, board.FACTS

    unfit, configure = staticmethod(settings.unfit), staticmethod(settings.configured)
    begin, place = staticmethod(states.begun), staticmethod(states.placed)
    normalized, impossible = staticmethod(states.normalized), staticmethod(states.impossible)
    draw, standings = staticmethod(board.drawn), staticmethod(result.standings)

    def awaiting(self, config: Config, state: State) -> tuple[Decision, ...]:
        if config.is_table:
            asked = table.decision(config, state)
            return () if asked is None else (asked,)
        return tuple(_ask(config, crew) for crew in state.crews if not crew.is_done(config))

    def is_over(self, config: Config, state: State) -> bool:
        return state.is_over(config)

    def eliminated(self, config: Config, state: State, seat: Seat) -> Problem | None:
        crew = state.crew(seat)
        has_more = state.part < config.parts and crew.out is None
        if has_more or not crew.is_done(course(config, state)):
            return None
        words = "has finished the rally" if crew.out is None else f"is {crew.out}"
        return META.problem("rally-over", f"{seat} {words}: there is nothing more to drive", "RR-R1")

    def validate(self, config: Config, order: Any) -> Problem | None:
        match order:
            case Pick():
                return next(filter(None, (_unknown_card(config, card) for card in (order.card, *order.then))), None)
            case Speed():
                return _misread(config, order)
            case Start() | Finish() | Place():
                return _misplaced(config, order)
            case Choose(crew=crew) if crew not in config.seats:
                return META.problem("no-such-crew", f"there is no crew {crew}", "RR-V1", "crew", suggest(crew, config.seats))
        return None

    def check(self, config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
        crew, laid = state.crew(seat), course(config, state)
        if self.eliminated(config, state, seat) is not None:
            return self.eliminated(config, state, seat)
        if config.is_table:
            if table.due(config, state) != seat:
                return self.not_due(config, state, seat, "not-due", "RR-M5")
            problem = _check_stage(config, state, crew, order)
            if problem is not None or not isinstance(order, (Speed, Pick, TurnRound)):
                return problem
        elif not isinstance(order, (Pick, Speed, TurnRound)):
            return META.problem("not-at-a-table", "that is an order of the game at a table", "RR-L1")
        if isinstance(order, Pick):
            return _check_kit(laid, crew, order)
        if not crew.has_kit():
            message = f"first the kit: it still needs {_missing(laid, crew)}"
            return META.problem("kit-first", message, "RR-K1", suggestions=(_some_kit(laid, crew),))
        return self._check_line(laid, state, seat, order) if isinstance(order, Speed) else None

    def _check_line(self, config: Config, state: State, seat: Seat, order: Speed) -> Problem | None:
        crew = state.crew(seat)
        problem = _check_control(config, crew, order) or _check_card(config, crew, order) or _check_way(config, crew, order)
        if problem is not None or not config.rejects:
            return problem
        if config.is_table:
            turn = Turn(order.speed, order.via, order.using)
            legal = speeds_here(config, crew, turn)
            refused = happened.SpeedRefused(seat=seat, speed=order.speed, least=legal[0], most=legal[-1])
            return None if order.speed in legal else _illegal(refused)
        events = [event for event, _ in self._outcome(config, state, seat, order)]
        return next(filter(None, map(_illegal, events)), None)

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
            yield from (Speed(speed, using=using) for speed in range(10, FASTEST_NAMED + 1, 10))
        yield TurnRound()
        yield from map(Block, _BLOCKING if config.is_table else ())

    def cost(self, config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        if config.is_table:
            return None if isinstance(order, Speed) else ()
        events = (event for event, _ in self._outcome(config, state, seat, order))
        return tuple(part for event in events if isinstance(event, Spent) for part in event.why)

    def _outcome(self, config: Config, state: State, seat: Seat, order: Any) -> list[tuple[Any, State]]:
        """Return what the legal ``order`` leads to where chance has no part in it."""
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

    def proceed(self, config: Config, state: State, chance: Chance) -> Moves:
        if config.is_table:
            yield from table.proceed(config, state, chance)

    def continuation(self, config: Config, state: State, seat: Seat, order: Any) -> Any | None:
        # At a table a line of speeds, and a kit, are carried out one turn at a time.
        if not config.is_table or not order_has_more(order) or state.is_over(config):
            return None
        if isinstance(order, Pick):
            return Pick(order.then[0], order.then[1:])
        crew, left = state.crew(seat), order.then
        for _ in range(crew.lost):
            left = left[1:] if left[:1] == (0,) else left
        left = tuple(step for at, step in enumerate(left) if at or step != AT_CONTROL)
        if not crew.speeds or not left:  # the section is over
            return None
        return Speed(left[0], then=left[1:], to=order.to)

    def spent(self, config: Config, state: State, event: Spent) -> State:
        return state.with_crew(event.seat, penalty=event.after)

    def public_text(self, config: Config, state: State, seat: Seat, order: Any) -> str | None:
        if config.is_open:
            return None
        return _SEALED_KIT if isinstance(order, Pick) else _SEALED_DRIVE

    def names(self, config: Config) -> Iterable[str]:
        yield from config.network.squares
        yield from (*config.kit, *config.hazards, *parts.Colour, *parts.Timing)
        yield from (post.name for section in config.sections for post in section.posts)
        if config.is_table:
            yield from (f"{prefix}{number}" for prefix in parts.PREFIXES.values() for number in range(2, 100))

    def lint(self, config: Config, state: State) -> Iterable[str]:
        """Warn of what the organiser of the rally may not have meant (RR-L1, RR-L3, RR-L4, RR-T6)."""
        laid = course(config, state)
        if state.is_over(config) or not laid.sections:
            return ()
        return cautions(config.network, laid.rally, laid.sections)


def order_has_more(order: Any) -> bool:
    """Return whether ``order`` is a line of several turns, or of several cards."""
    return isinstance(order, (Pick, Speed)) and bool(order.then)


def _check_stage(config: Config, state: State, crew: Crew, order: Any) -> Problem | None:
    """Refuse an order of another stage of the game at a table, and what the rules of laying refuse."""
    stage = table.stage_of(config, state)
    wanted = _STAGES[stage]
    if not isinstance(order, wanted):
        words = listed((_EXAMPLES[kind] for kind in wanted), "or")
        return META.problem("other-stage", f"now it is time for orders such as {words}", "RR-L1", suggestions=())
    match order:
        case Start() | Finish():
            free = laying.chequered(config, state)
            if order.square not in free:
                message = f"{order.square} is no chequered square that is free: {listed(free, 'or')}"
                return META.problem("not-chequered", message, "RR-L1", "square", tuple(free))
        case Place():
            flaw = laying.wrong_marker(config, state, order)
            if flaw is not None:
                return META.problem("wrong-marker", flaw.message, flaw.rule, "square")
            if order.number not in (None, laying.number_due(state)):
                message = f"the next control is number {laying.number_due(state)}"
                return META.problem("wrong-number", message, "RR-L1", "marker")
        case Pick(card=card) if card not in table.cards_left(config, state):
            return META.problem("card-taken", f"{card} is taken", "RR-K1", "card")
        case Block():
            if not crew.rights(config).can(Does.UNOVERTAKEN) or crew.is_blocking is (order.when == "always"):
                return META.problem("nothing-to-block", "there is no card to block with, or it is so already", "RR-O1")
    return None


def _misplaced(config: Config, order: Start | Finish | Place) -> Problem | None:
    """Return what is wrong with a marker in every position."""
    if order.square not in config.network.links:
        squares = tuple(config.network.links)
        message = f"there is no square {order.square}"
        return META.problem("no-such-square", message, "RR-C1", "square", suggest(order.square, squares))
    if not isinstance(order, Place):
        return None
    is_timed, is_bare = order.what == "tc", not (order.section or order.speed)
    if (not is_timed and not is_bare) or (order.what == "blackspot" and (order.side or order.number)):
        return META.problem("no-section", "only a TC ends a section, and a Black Spot has no side and no number", "RR-L2")
    if (order.section == "regularity") is (order.speed is None) or (order.speed and not 20 <= order.speed <= 30):
        return META.problem("no-such-speed", "a regularity section, and no other, has a speed from 20 to 30 mph", "RR-T4")
    if order.section and (order.section == "stage") is not config.is_stage_rally:
        return META.problem("other-rally", "stages are for stage rallies, which have no other sections", "RR-T6", "kind")
    return None


def _carried_out_at_table(
    config: Config, state: State, seat: Seat, order: Any, chance: Chance
) -> Generator[Any, State, State]:
    match order:
        case Start():
            return (yield marks.StartChosen(seat=seat, square=SquareId(order.square)))
        case Finish():
            return (yield marks.FinishChosen(seat=seat, square=SquareId(order.square)))
        case Place(what="blackspot"):
            return (yield marks.BlackSpotPlaced(seat=seat, square=SquareId(order.square)))
        case Place():
            return (yield _placed(config, state, seat, order))
        case Pass():
            return (yield marks.MarkerPassed(seat=seat))
        case Pick():
            return (yield happened.CardPicked(seat=seat, card=order.card))
        case Choose():
            return (yield marks.CrewChosen(seat=Seat(order.crew)))
        case Block():
            return (yield marks.BlockSet(seat=seat, is_on=order.when == "always"))
        case Speed():
            yield from driving.drive_once(config, state, seat, order, chance)
        case _:
            yield happened.TurnedRound(seat=seat)
    return (yield marks.TurnTaken(seat=seat))


def _placed(config: Config, state: State, seat: Seat, order: Place) -> marks.ControlPlaced:
    control = laying.control_of(config, order)
    assert control.side is not None
    return marks.ControlPlaced(
        seat=seat,
        name=laying.name_of(control, state),
        square=control.square,
        side=control.side,
        section=control.section,
        speed=control.speed,
        distance=laying.distance_to(config, state, order),
    )


def _illegal(event: Any) -> Problem | None:
    """Return why the line that led to ``event`` is refused where illegal speeds are (RR-M4)."""
    if isinstance(event, happened.SpeedRefused):
        may = f"{event.least} to {event.most}" if event.most > event.least else f"only {event.least}"
        message = f"{event.speed} mph is illegal there: {may} mph"
        return META.problem("illegal-speed", message, "RR-M4", "miles", (f"SPEED {event.most}",))
    if isinstance(event, happened.LineDropped) and event.why == driving.NO_START:
        message = f"before the {event.speeds[0]} mph the car has had to stop: it is no legal Starting Speed"
        return META.problem("illegal-speed", message, "RR-M4", "miles")
    return None


def _ask(config: Config, crew: Crew) -> Decision:
    """Return what is asked of ``crew``, in words that tell nothing of what is sealed."""
    if not crew.has_kit():
        chosen = f" ({count(len(crew.kit), 'card')} chosen)" if crew.kit else ""
        return Decision(
            crew.seat, "kit", f"a kit, one card of each of the six kinds{chosen}: KIT D1 N1 E1 S1 A1 B1", "RR-K1"
        )
    section = config.sections[len(crew.lines)]
    speed = f" at {section.end.speed} mph" if section.end.speed else ""
    what = f"{section.timing}{speed}, {section.distance} squares, target {clock(section.target)}"
    words = f"the speeds to {section.end.name} ({what})"
    return Decision(crew.seat, "drive", f"{words}: TC{section.end.number}: 10 20 …", "RR-M1")


def _carried_out(config: Config, state: State, seat: Seat, order: Any) -> Generator[Any, State, State]:
    match order:
        case Pick():
            for card in (order.card, *order.then):
                state = yield happened.CardPicked(seat=seat, card=card)
        case Speed():
            state = yield from driving.drive(config, state, seat, order)
        case _:
            state = yield happened.TurnedRound(seat=seat)
    return state


def _unknown_card(config: Config, card: str) -> Problem | None:
    if card in config.kit:
        return None
    return META.problem("no-such-card", f"there is no kit card {card}", "RR-C3", "card", suggest(card, config.kit))


def _misread(config: Config, order: Speed) -> Problem | None:
    """Return what is wrong with a line in every position (RR-M1)."""
    if order.speed in (0, AT_CONTROL):
        return META.problem("no-speed", "the first entry of a line is a speed, 10 mph at least", "RR-M1", "miles")
    for number, speed in enumerate((order.speed, *order.then)):
        if speed != AT_CONTROL and (speed % 10 or speed > FASTEST_NAMED):
            message = f"{speed} mph cannot be driven: speeds are multiples of 10, up to {FASTEST_NAMED}"
            near = min(FASTEST_NAMED, max(10, round(speed, -1)))
            return META.problem("no-such-speed", message, "RR-M1", f"miles:{number}" if number else "miles", (str(near),))
    if order.lands and not config.is_table:
        return META.problem("alone", "by internet no other car is in the way", "RR-H4", "lands")
    if order.then and (order.via or order.using or order.lands):
        message = "a way and a card stand with one speed at a time: please write the turns on lines of their own"
        return META.problem("one-at-a-time", message, "RR-M6", "via" if order.via else "hazard_card")
    for number, name in enumerate(order.via):
        if not targets(config.network, name):
            known = (*config.network.named, *config.network.squares)
            part = f"via:{number}" if number else "via"
            return META.problem(
                "no-such-place", f"there is no square, place or road “{name}”", "RR-M6", part, suggest(name, known)
            )
    if order.using is not None and order.using not in config.hazards:
        message = f"there is no hazard card {order.using}"
        return META.problem("no-such-card", message, "RR-C3", "hazard_card", suggest(order.using, config.hazards))
    return None


def _check_kit(config: Config, crew: Crew, order: Pick) -> Problem | None:
    """RR-K1: one card of each kind, and none exchanged."""
    if crew.has_kit():
        return META.problem("kit-complete", "the kit is complete, and cards are not exchanged", "RR-K1", "card")
    kinds = Counter(config.kit[card].kind for card in crew.kit)
    for number, card in enumerate((order.card, *order.then)):
        kind = config.kit[card].kind
        kinds[kind] += 1
        if kinds[kind] > 1:
            others = (other for other in (*crew.kit, order.card, *order.then) if config.kit[other].kind is kind)
            message = f"a kit has one {kind} card: {listed(dict.fromkeys(others))} would be too many"
            return META.problem("one-of-a-kind", message, "RR-K1", f"card:{number}" if number else "card")
    return None


def _missing(config: Config, crew: Crew) -> str:
    taken = {config.kit[card].kind for card in crew.kit}
    return listed(
        f"a {kind} card" if kind not in (Kind.EQUIPMENT, Kind.ACCEL) else f"an {kind} card"
        for kind in Kind
        if kind not in taken
    )


def _some_kit(config: Config, crew: Crew) -> str:
    taken = {config.kit[card].kind for card in crew.kit}
    first = {card.kind: card.id for card in reversed(config.components.kit)}
    cards = [first[kind] for kind in Kind if kind not in taken]
    return Pick(cards[0], tuple(cards[1:])).text()


def _check_control(config: Config, crew: Crew, order: Speed) -> Problem | None:
    """Refuse a line that names a control of another section than the crew is in."""
    section = config.sections[len(crew.lines)]
    numbers = [post.number for post in section.posts[crew.met :]]
    if order.to is None or order.to in numbers:
        return None
    message = f"the next time control is {section.end.name}, not number {order.to}"
    again = change(order, to=section.end.number).text()
    return META.problem("wrong-control", message, "RR-H2", "section", (again,))


def _check_card(config: Config, crew: Crew, order: Speed) -> Problem | None:
    if order.using is None or order.using in crew.held:
        return None
    held = f"only {listed(crew.held)}" if crew.held else "none"
    return META.problem("card-not-held", f"{order.using} is not kept: {held}", "RR-F8", "hazard_card")


def _check_way(config: Config, crew: Crew, order: Speed) -> Problem | None:
    try:
        ahead = way_ahead(config, crew.car(config), max(1, order.speed // 10), order.via)
    except NoWay as none:
        number = order.via.index(none.name) if none.name in order.via else 0
        return META.problem("no-way", none.words, "RR-M6", f"via:{number}" if number else "via", ("TURN ROUND",))
    if ahead:
        return None
    return META.problem("dead-end", "the road ends here", "RR-M6", "", ("TURN ROUND",))


__all__ = ["RULESET", "RallyRound", "Turn", "speeds_here"]
RULESET: Final = RallyRound().record()
