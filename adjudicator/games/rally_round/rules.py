"""The rules of Rally Round: the hooks (RR), facts for conditions, warnings about orders (RR-M4), standings (RR-R1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.chance import UnknownChance
from adjudicator.game import Chance, Fact, FactValue, Flaw, Moves, Problem, Rules, Seat, Setup, Standing, View, count, total
from adjudicator.games.rally_round import components as parts
from adjudicator.games.rally_round import config as settings
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import positions
from adjudicator.games.rally_round import state as states
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.drive import look_ahead
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.orders import ORDERS, TERMS, Pick, Place, Speed, TurnRound, numbered
from adjudicator.games.rally_round.phases import PHASES, alone
from adjudicator.games.rally_round.route import FAULT, Section, cautions, ranked, timed
from adjudicator.games.rally_round.state import Crew, Here, State, course

if TYPE_CHECKING:
    from adjudicator.game import drawing


# Facts for conditions --------------------------------------------------------------------------------------------------


def _of_seat(help: str, value: Callable[[Config, Crew], FactValue]) -> Fact:  # noqa: A002
    """Return a fact of a crew; its value is unknown if the viewer may not see the sheet."""

    def look(at: Here) -> FactValue:
        crew = at.own
        return value(course(at.config, at.state), crew) if crew.is_seen else None

    return Fact.of_seat(help, look)


def _of_section(help: str, value: Callable[[Config, Crew, Section], FactValue]) -> Fact:  # noqa: A002
    """Return a fact of the section that a crew is in; its value is unknown once the crew has finished."""

    def look(config: Config, crew: Crew) -> FactValue:
        if crew.is_done(config) or not config.sections:
            return None
        return value(config, crew, config.sections[len(crew.lines)])

    return _of_seat(help, look)


FACTS: Final = {
    "speed": _of_seat(
        "the speed of the last turn in mph, 0 where a Starting Speed is next; `speed of SEAT`",
        lambda config, crew: crew.speed,
    ),
    "fastest": _of_section(
        "the highest legal speed now; `fastest of SEAT`",
        lambda config, crew, section: crew.legal_speeds(config)[-1],
    ),
    "slowest": _of_section(
        "the lowest legal speed now; `slowest of SEAT`",
        lambda config, crew, section: crew.legal_speeds(config)[0],
    ),
    "square": _of_section("the square the car stands on; `square of SEAT`", lambda config, crew, section: crew.trail[-1]),
    "colour": _of_section(
        "the colour of that square; `colour of SEAT`",
        lambda config, crew, section: str(config.square(crew.trail[-1]).colour),
    ),
    "section": _of_section(
        "the time control that the section leads to; `section of SEAT`", lambda config, crew, section: section.end.name
    ),
    "timing": _of_section(
        "road, selective, stage or regularity; `timing of SEAT`", lambda config, crew, section: str(section.timing)
    ),
    "left": _of_section(
        "squares to that time control, unknown off the correct route; `left of SEAT`",
        lambda config, crew, section: section.left(crew.trail[-1]),
    ),
    "ahead": _of_section(
        "squares to the next control, unknown off the correct route; `ahead of SEAT`",
        lambda config, crew, section: section.left(crew.trail[-1], section.posts[crew.met]),
    ),
    "turns": _of_section("turns taken in the section; `turns of SEAT`", lambda config, crew, section: len(crew.speeds)),
    "target": _of_section(
        "the target time of the section in seconds; `target of SEAT`", lambda config, crew, section: section.target
    ),
    "kept": _of_seat(
        "the hazard cards that the crew keeps (`IF kept has H7`); `kept of SEAT`", lambda config, crew: tuple(crew.held)
    ),
    "penalty": _of_seat("seconds of penalty so far; `penalty of SEAT`", lambda config, crew: crew.penalty),
}
"""The facts that conditions may use."""


# Warnings before orders are sent ---------------------------------------------------------------------------------------


_UNWANTED: Final = (
    happened.SpeedRefused,
    happened.LineDropped,
    happened.LeftRoad,
    happened.Flooded,
    happened.Faulted,
    happened.Disqualified,
)
"""What a crew may not want to happen."""


def foreseen(view: View[Config, State, Crew], orders: Sequence[Any]) -> Iterator[tuple[int, Problem]]:
    """Warn a crew of results of its ``orders`` that it may not want, before it sends them: (index, problem).

    The hazard pack stays unknown. At a table the check covers only the next marker.
    """
    if view.config.is_table:
        is_lost = not view.config.rejects_markers and any(due.seat == view.seat and due.kind == "place" for due in view.due)
        flaw = orders[0].flaw(view.config, view.state.markers) if is_lost and isinstance(orders[0], Place) else None
        if flaw is not None:
            yield 0, _warning(f"a wrong marker, which would lose the turn: {flaw.message}", flaw.rule, "square")
        return
    if not view.own.is_seen or view.own.is_done(view.config):
        return
    at: Here = view
    for index, order in enumerate(orders):
        before = at.own
        if before.is_done(at.config):
            yield index, _warning("the rally is over before this order", "RR-R1")
            return
        (ask,) = alone(at)
        problem = order.check(at) if type(order) in ask.orders else ask.refuse(at)
        if problem is not None:
            if index:  # the check reports the first one anyway
                yield index, problem
            return
        steps, is_known = order.steps if isinstance(order, Speed) else (), True
        told = list(look_ahead(at, order.decide(at, UnknownChance()), steps))
        for number, (step, event, after) in enumerate(told, 1):
            at, part = after, numbered("miles", max(0, step))
            is_known = is_known and not isinstance(event, happened.Disqualified | happened.LineDropped | None)
            if event is None:
                words = f"you would draw a hazard card on {at.own.trail[-1]}: the program cannot predict what follows"
                yield index, _warning(words, "RR-F8", part)
            elif isinstance(event, _UNWANTED):
                words, near = event.tell(at.config), (event.nearest,) if isinstance(event, happened.SpeedRefused) else ()
                following = told[number][1] if number < len(told) else None
                if isinstance(following, happened.TurnsMissed):
                    words += f"; you would miss {'the turn' if near else count(following.turns, 'turn')}"
                yield index, _warning(words, event.rule, part, near)
        if not is_known:
            return
        crew, section = at.own, at.config.sections[len(before.lines)]
        due = section.posts[crew.met :] if len(crew.lines) == len(before.lines) else ()
        post = next((post for post in due if isinstance(order, Speed) and post.number == order.to), None)
        then = orders[index + 1] if index + 1 < len(orders) else None
        goes_on = isinstance(then, (Speed, TurnRound)) and getattr(then, "to", None) in (None, *(one.number for one in due))
        if post is not None and not goes_on:
            here, left = crew.trail[-1], section.left(crew.trail[-1], post)
            missing = "" if left is None else f", {count(left, 'square')} before it"
            words = f"too few speeds for {post.name}: they end on {here}{missing}, and the program will ask you again"
            yield index, _warning(words, "RR-M1", numbered("miles", len(steps) - 1))
            return


def _warning(words: str, rule: str, part: str = "", near: Sequence[str] = ()) -> Problem:
    return META.problem("foreseen", words, rule, part, tuple(near))


# The hooks -------------------------------------------------------------------------------------------------------------


class RallyRound(Rules[Config, State]):
    """A rally: by internet, each crew alone on the marked route, or at a table, where the players lay the route."""

    meta = META
    components, position, state = parts.Components, states.Position, State
    spent_seen_by = states.OfCrew.seen_by
    events, orders, terms, facts = happened.EVENTS, ORDERS, TERMS, FACTS
    phases, pieces = PHASES, (parts.KIT_CARDS, parts.HAZARD_CARDS, parts.SQUARES, parts.PLACES)
    not_due, preview = ("not-due", "RR-M5"), staticmethod(foreseen)

    def draw(self, view: View[Config, State, Crew]) -> drawing.Drawing:
        from adjudicator.games.rally_round import picture

        return picture.drawn(view)

    def choices(self, view: View[Config, State, Crew]) -> Iterable[tuple[str, str]]:
        from adjudicator.games.rally_round import picture

        return picture.choices(view)

    @classmethod
    def catalogue(cls, components: parts.Components) -> drawing.Drawing:
        from adjudicator.games.rally_round import picture

        return picture.boxed(components)

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", settings.unfit(setup, version))
        return settings.configured(setup, version)

    def begin(self) -> State:
        return positions.normalized(self.config, super().begin())

    def place(self, position: Any) -> State:
        return positions.normalized(self.config, super().place(position))

    def impossible(self, state: State, position: Any) -> Iterator[str | Flaw]:
        return positions.impossible(self.config, state)

    def retired(self, state: State, seat: Seat) -> Problem | None:
        crew = state.of(seat)
        is_done = state.part >= self.config.parts and crew.is_done(course(self.config, state))
        if (crew.out is None and not is_done) or self.ask_of(state, seat):
            return None
        words = "has finished the rally" if crew.out is None else f"is {crew.out}"
        return META.problem("rally-over", f"{seat} {words} and has no more orders to give", "RR-R1")

    def is_over(self, state: State) -> bool:
        return state.is_over(self.config)

    def decide(self, at: Here, order: Any, chance: Chance) -> Moves:
        at = yield from super().decide(at, order, chance)
        if at.state.is_over(at.config):
            sections = course(at.config, at.state).sections if at.config.is_table else ()
            controls = tuple(section.end.name for section in sections)
            for crew in at.state.crews:
                yield happened.SheetOpened(seat=crew.seat, penalties=crew.penalties, out=crew.out, controls=controls)

    def standings(self, state: State) -> tuple[Standing, ...]:
        """RR-R1: by progress while sheets are sealed, by penalties when they are open."""
        config, is_final = course(self.config, state), state.is_over(self.config)
        is_open, sheets, others = is_final or config.is_open, dict[Seat, tuple[int, ...]](), dict[Any, list[Seat]]()
        for crew in state.crews:
            if is_open and crew.out is None and config.sections and crew.is_done(config):
                sheets[crew.seat] = crew.totals + crew.penalties
            else:
                progress = crew.out is not None, -len(crew.lines), crew.penalty if is_open else 0
                others.setdefault(progress, []).append(crew.seat)
        places = ranked(sheets, [*state.squares, *(section.distance for section in config.sections)])
        found, place = list[Standing](), 1
        for seats in (*places, *(seats for _, seats in sorted(others.items()))):
            for seat in seats:
                crew = state.of(seat)
                score, note = crew.penalty if is_open else 0, _note(config, state, crew, is_open=is_open)
                found.append(Standing(place=place, seat=seat, score=score, note=note, is_final=is_final))
            place += len(seats)
        return tuple(found)

    def public_text(self, at: Here, order: Any) -> str | None:
        if at.config.is_open:
            return None
        return "KIT (sealed)" if isinstance(order, Pick) else "SPEED (sealed)"

    def warnings(self, state: State) -> Iterable[str]:
        """Warn about details that the organiser of the rally may not want (RR-L1, RR-L3, RR-L4, RR-T6)."""
        laid = course(self.config, state)
        if state.is_over(self.config) or not laid.sections:
            return ()
        return cautions(self.config.network, laid.rally, laid.sections)


def _note(config: Config, state: State, crew: Crew, *, is_open: bool) -> str:
    """Describe a crew in the standings: where it is, and if its sheet is open its faults of 30 marks."""
    if crew.out is not None:
        where = str(crew.out)
    elif not config.sections or not (crew.kit or is_open):
        where = "at the start"
    elif len(crew.lines) == len(config.sections):
        where = "finished" if is_open else "finished; the sheet is sealed"
    else:
        where = f"on the way to {config.sections[len(crew.lines)].end.name}"
    if not is_open:
        return where
    driven = zip(config.sections, crew.lines, strict=False)
    for_time = sum(total(timed(section.timing, line.time, section.target)) for section, line in driven)
    faults = (crew.penalty - for_time) // FAULT
    own = ", the player's own crew" if state.own == crew.seat else ""
    many = f", {count(faults, 'fault')} of 30 marks" if faults and not crew.totals else ""
    return f"{where}{many}{own}"
