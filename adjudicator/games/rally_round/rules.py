"""The rules of Rally Round: the hooks (RR). ``order_of_play.py`` has the phases of a rally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from adjudicator.game import Chance, Decision, Flaw, Moves, Problem, Rules, Seat, Setup, View, drawing, replace
from adjudicator.games.rally_round import components as parts
from adjudicator.games.rally_round import config as settings
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import positions, result
from adjudicator.games.rally_round import state as states
from adjudicator.games.rally_round import table_events as marks
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.driving import AT_CONTROL
from adjudicator.games.rally_round.facts import FACTS
from adjudicator.games.rally_round.kits import Pick
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.order_of_play import ORDER_OF_PLAY
from adjudicator.games.rally_round.orders import ORDERS, TERMS
from adjudicator.games.rally_round.preview import foreseen
from adjudicator.games.rally_round.route import cautions
from adjudicator.games.rally_round.state import Crew, State, course
from adjudicator.games.rally_round.turns import Speed

_SEALED_KIT: Final = "KIT (sealed)"
_SEALED_DRIVE: Final = "SPEED (sealed)"


class RallyRound(Rules[Config, State]):
    """A rally: by internet, each crew alone on the marked route, or at a table, where the players lay the route."""

    meta = META
    components, position, state = parts.Components, states.Position, State
    spent_seen_by = happened.SEALED
    events, orders, terms, facts = marks.EVENTS, ORDERS, TERMS, FACTS
    order_of_play = ORDER_OF_PLAY
    preview, standings = staticmethod(foreseen), staticmethod(result.standings)

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
        self.refuse("unfit-set", settings.unfit(setup, version))
        config = settings.configured(setup, version)
        return replace(config, names=tuple(_names(config)))

    def begin(self, config: Config) -> State:
        return positions.normalized(config, super().begin(config))

    def place(self, config: Config, position: Any) -> State:
        if not isinstance(position, State):
            seats = position.seats or tuple(Crew(seat=seat) for seat in config.seats)
            position = super().place(config, replace(position, seats=seats))
        return positions.normalized(config, position)

    def impossible(self, config: Config, state: State, position: Any) -> Iterator[str | Flaw]:
        return positions.impossible(config, state)

    def decision(self, config: Config, state: State, seat: Seat) -> Decision | Problem | None:
        return super().decision(config, state, seat) or _finished(config, state, seat)

    def is_over(self, config: Config, state: State) -> bool:
        return state.is_over(config)

    def decide(self, config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves[State]:
        state = yield from super().decide(config, state, seat, order, chance)
        if state.is_over(config):
            sections = course(config, state).sections if config.is_table else ()
            controls = tuple(section.end.name for section in sections)
            for crew in state.crews:
                penalties = tuple(line.penalty for line in crew.lines)
                yield happened.SheetOpened(seat=crew.seat, penalties=penalties, out=crew.out, controls=controls)
        return state

    def continuation(self, config: Config, state: State, seat: Seat, order: Any) -> Any | None:
        # At a table the engine carries out a line of speeds, or a kit, one turn at a time.
        if not config.is_table or not isinstance(order, (Pick, Speed)) or not order.then or state.is_over(config):
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


RULESET: Final = RallyRound()
