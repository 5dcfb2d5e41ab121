"""The rules of Rally Round: the hooks (RR). ``phases.py`` has the phases of a rally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from adjudicator.game import Chance, Flaw, Moves, Problem, Rules, Seat, Setup, Standing, View, replace
from adjudicator.games.rally_round import components as parts
from adjudicator.games.rally_round import config as settings
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import positions, result
from adjudicator.games.rally_round import state as states
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.facts import FACTS
from adjudicator.games.rally_round.kits import Pick
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.orders import ORDERS, TERMS
from adjudicator.games.rally_round.phases import PHASES
from adjudicator.games.rally_round.preview import foreseen
from adjudicator.games.rally_round.route import cautions
from adjudicator.games.rally_round.state import Crew, Here, State, course

if TYPE_CHECKING:
    from adjudicator.game import drawing


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
        config = settings.configured(setup, version)
        return replace(config, names=tuple(_names(config)))

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
        return result.standings(self.config, state)

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


def _names(config: Config) -> Iterator[str]:
    yield from (*config.network.squares, *config.kit, *config.hazards, *parts.Colour, *parts.Timing)
    yield from (post.name for section in config.sections for post in section.posts)
    numbers = range(2, 100) if config.is_table else ()
    yield from (f"{prefix}{number}" for prefix in parts.PREFIXES.values() for number in numbers)
