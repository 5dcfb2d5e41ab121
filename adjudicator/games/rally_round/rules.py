"""The rules of Rally Round: who is asked, what is legal, what follows, who has won (RR)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from typing import Any, Final

from adjudicator.game import Chance, Decision, Part, Problem, Rules, Seat, Spent, change, count, listed, suggest
from adjudicator.games.rally_round import board, driving, result
from adjudicator.games.rally_round import components as parts
from adjudicator.games.rally_round import config as settings
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import state as states
from adjudicator.games.rally_round.components import Kind
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.driving import Turn, speeds_here
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.orders import AT_CONTROL, ORDERS, TERMS, Pick, Speed, TurnRound
from adjudicator.games.rally_round.route import cautions
from adjudicator.games.rally_round.state import Crew, State
from adjudicator.games.rally_round.steering import NoWay, targets, way_ahead
from adjudicator.games.rally_round.timing import clock

Moves = Generator[Any, State, Any]
FASTEST_NAMED: Final = 200
"""No order names a higher speed: with the best cards no car comes near it."""
_SEALED_KIT: Final = "KIT (sealed)"
_SEALED_DRIVE: Final = "SPEED (sealed)"


class RallyRound(Rules[Config, State]):
    """A rally by internet: each crew alone on the marked route, scored from the speeds that it sends."""

    meta = META
    components, position, state = parts.Components, states.Position, State
    spent_seen_by = happened.SEALED
    events, orders, terms, facts = happened.EVENTS, ORDERS, TERMS, board.FACTS

    unfit, configure = staticmethod(settings.unfit), staticmethod(settings.configured)
    begin, place = staticmethod(states.begun), staticmethod(states.placed)
    normalized, impossible = staticmethod(states.normalized), staticmethod(states.impossible)
    draw, standings = staticmethod(board.drawn), staticmethod(result.standings)

    def awaiting(self, config: Config, state: State) -> tuple[Decision, ...]:
        return tuple(_ask(config, crew) for crew in state.crews if not crew.is_done(config))

    def is_over(self, config: Config, state: State) -> bool:
        return state.is_over(config)

    def eliminated(self, config: Config, state: State, seat: Seat) -> Problem | None:
        crew = state.crew(seat)
        if not crew.is_done(config):
            return None
        words = "has finished the rally" if crew.out is None else f"is {crew.out}"
        return META.problem("rally-over", f"{seat} {words}: there is nothing more to drive", "RR-R1")

    def validate(self, config: Config, order: Any) -> Problem | None:
        if isinstance(order, Pick):
            return next(filter(None, (_unknown_card(config, card) for card in (order.card, *order.then))), None)
        return _misread(config, order) if isinstance(order, Speed) else None

    def check(self, config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
        crew = state.crew(seat)
        if crew.is_done(config):
            return self.eliminated(config, state, seat)
        if isinstance(order, Pick):
            return _check_kit(config, crew, order)
        if not crew.has_kit():
            message = f"first the kit: it still needs {_missing(config, crew)}"
            return META.problem("kit-first", message, "RR-K1", suggestions=(_some_kit(config, crew),))
        return self._check_line(config, state, seat, order) if isinstance(order, Speed) else None

    def _check_line(self, config: Config, state: State, seat: Seat, order: Speed) -> Problem | None:
        crew = state.crew(seat)
        problem = _check_control(config, crew, order) or _check_card(config, crew, order) or _check_way(config, crew, order)
        if problem is not None or not config.rejects:
            return problem
        events = [event for event, _ in self._outcome(config, state, seat, order)]
        return next(filter(None, map(_illegal, events)), None)

    def candidates(self, config: Config, state: State, seat: Seat) -> Iterator[Any]:
        crew = state.crew(seat)
        taken = {config.kit[card].kind for card in crew.kit}
        yield from (Pick(card.id) for card in config.components.kit if card.kind not in taken)
        if crew.is_done(config) or not crew.has_kit():
            return
        for using in (None, *crew.held):
            yield from (Speed(speed, using=using) for speed in range(10, FASTEST_NAMED + 1, 10))
        yield TurnRound()

    def cost(self, config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...]:
        events = (event for event, _ in self._outcome(config, state, seat, order))
        return tuple(part for event in events if isinstance(event, Spent) for part in event.why)

    def _outcome(self, config: Config, state: State, seat: Seat, order: Any) -> list[tuple[Any, State]]:
        """Return what the legal ``order`` leads to: chance has no part in it."""
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
        state = yield from _carried_out(config, state, seat, order)
        if state.is_over(config):
            for crew in state.crews:
                penalties = tuple(line.penalty for line in crew.lines)
                yield happened.SheetOpened(seat=crew.seat, penalties=penalties, out=crew.out)

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

    def lint(self, config: Config, state: State) -> Iterable[str]:
        """Warn of what the organiser of the rally may not have meant (RR-L1, RR-L3, RR-L4, RR-T6)."""
        return () if state.is_over(config) else cautions(config.network, config.rally, config.sections)


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
    if order.then and (order.via or order.using):
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
