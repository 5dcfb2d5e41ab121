"""Assemble the rules of The Great Race: decisions, legality, events, winners (GR)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any, Final

from adjudicator.game import Chance, Drawing, Part, Problem, Rules, Seat, Standing, View, change, count, ranking
from adjudicator.games.great_race import (
    asking,
    cards,
    convoy,
    drawing,
    driving,
    facts,
    flaws,
    laying,
    legality,
    names,
    positions,
    possible,
    rounds,
    threats,
)
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import config as configs
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race import orders as given
from adjudicator.games.great_race import state as states
from adjudicator.games.great_race.components import CardId, Components, LineKind
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.drive_events import EVENTS, DangerAccepted
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.names import space_called
from adjudicator.games.great_race.orders import ORDERS
from adjudicator.games.great_race.said import ORDINALS
from adjudicator.games.great_race.state import NOT_PLANNED, Assistants, Crew, Drive, Help, Reaction, Slot, Stage, State
from adjudicator.games.great_race.terms import TERMS
from adjudicator.games.great_race.tolls import Short

Moves = Generator[Any, State, Any]


class GreatRace(Rules[Config, State]):
    """A race across a continent for 2 to 4 crews, planned in secret and driven in the open."""

    meta = META
    components, position, state = Components, positions.Position, State
    events, orders, terms, facts = EVENTS, ORDERS, TERMS, facts.FACTS

    unfit, configure = staticmethod(flaws.unfit), staticmethod(configs.configured)
    begin = staticmethod(states.begun)
    place, misplaced = staticmethod(positions.placed), staticmethod(positions.misplaced)
    impossible = staticmethod(possible.impossible)
    validate, check = staticmethod(legality.validate), staticmethod(legality.check)
    candidates, awaiting = staticmethod(legality.candidates), staticmethod(asking.awaiting)
    due = staticmethod(asking.due)
    proceed = staticmethod(rounds.go_on)

    def draw(self, config: Config, view: View[State]) -> Drawing:
        from adjudicator.games.great_race import board

        return board.drawn(config, view)

    def choices(self, config: Config, view: View[State]) -> Iterable[tuple[str, str]]:
        from adjudicator.games.great_race import board

        return board.choices(config, view)

    def catalogue(self, components: Components) -> Drawing:
        from adjudicator.games.great_race import box

        return box.boxed(components)

    def is_over(self, config: Config, state: State) -> bool:
        return state.stage is Stage.OVER

    def decide(self, config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
        return _CARRIED_OUT[type(order)](config, state, seat, order, chance)

    def if_due(self, config: Config, state: State, seat: Seat) -> State | None:
        # A player can look ahead to its card, or its sequence, while another acts.
        if state.stage is Stage.BIVOUAC and seat in state.takers:
            return change(state, takers=(seat, *(other for other in state.takers if other != seat)))
        is_busy = state.pending is not None or state.in_play is not None or any(crew.excess for crew in state.crews)
        if state.stage is not Stage.CONVOY or is_busy or not state.crew(seat).is_playing:
            return None
        return change(state, turn=seat, may_buy=True, has_acted=False)

    def reopened(self, config: Config, state: State, seat: Seat) -> State | None:
        # GR-L1: until all have planned, a seat may change its plan; a plan without assistants asks for that.
        if state.stage is not Stage.PLANNING or not state.crew(seat).plan:
            return None
        return state.with_crew(seat, plan=NOT_PLANNED)

    def is_for_later(self, config: Config, state: State, seat: Seat, order: Any) -> bool:
        return asking.is_for_later(config, state, seat, order)

    def eliminated(self, config: Config, state: State, seat: Seat) -> Problem | None:
        if state.stage is Stage.OVER or state.crew(seat).arrival is None:
            return None
        return META.problem("arrived", f"{seat} is in the finish city and has no more orders to give", "GR-F1")

    def cost(self, config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        crew = state.crew(seat)
        match order:
            case given.Buy():
                return convoy.fuel_cost(config, crew, order)
            case given.Repair() | given.PlayMechanic():
                return convoy.repair_cost(config, crew, order)
            case given.Fund():
                return (Part(convoy.funded(config, crew), f"funding of {crew.active.funding}", "GR-A4"),)
            case given.Play(card=CardId.FINANCIAL.value):
                return (Part(config.cards[CardId.FINANCIAL].amount, "Financial", "GR-K1"),)
            case given.Drive(line=line) | given.PlayDriver(line=line) if line:
                city = space_called(config, order.space)
                francs = driving.fare(config, LineKind(line), crew.space, city, order.transports)
                return (Part(-francs, f"the {line} line to {city}", "GR-D5"),) if francs else ()
        return ()

    def public_text(self, config: Config, state: State, seat: Seat, order: Any) -> str | None:
        words, spelled = _TOLD.get(type(order)), names.spelled(config, order) if config.spells_names else order
        if words is None:
            return None if spelled is order else str(spelled.text())
        return words(spelled) if callable(words) else words

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        is_final = self.is_over(config, state)
        found = ranking(
            state.crews,
            key=lambda crew: _rank(config, state, crew),
            score=lambda crew: crew.cash,
            note=lambda crew: _note(config, crew),
            is_final=is_final,
        )
        has_no_winner = is_final and not state.arrived  # GR-F1, GR-H9: then no seat comes first
        return tuple(change(one, place=one.place + 1) for one in found) if has_no_winner else found

    def names(self, config: Config) -> Iterable[str]:
        if not config.words:  # every order with a condition needs this
            config.words.extend((*names.words_of(config), *Stage, "yes", "no"))
        return config.words


def _rank(config: Config, state: State, crew: Crew) -> tuple[int, ...]:
    """Return the key that ranks crews: those in the finish by prestige, the others by progress (GR-F1, GR-F2, GR-N1)."""
    if crew.arrival is not None:
        return 0, -sum(rounds.prestige(config, crew)), crew.arrival
    return 1, -config.roads.lane(crew.space), state.markers.index(crew.seat)


def _note(config: Config, crew: Crew) -> str:
    gauges = f"fuel {crew.fuel}, engine {crew.engine}, chassis {crew.chassis}"
    if crew.arrival is None:
        return f"at {crew.space}, {gauges}"
    points = sum(rounds.prestige(config, crew))
    return f"{count(points, 'point')} of prestige, arrived {ORDINALS[crew.arrival - 1]}, {gauges}"


def _reacted(seat: Seat, order: given.React) -> Moves:
    reaction = None if order.helps is None else Reaction(tuple(map(Help, order.helps)), order.over if order.helps else -1)
    for to in ("cards", "tiles"):
        if order.scope in ("danger", to):
            yield happened.ReactionChosen(seat=seat, to=to, reaction=reaction)


def _paid(config: Config, state: State, _seat: Seat, order: Any, _chance: Chance) -> Moves:
    drive = state.pending
    assert isinstance(drive, Drive)
    if isinstance(order, given.Pay):
        yield from driving.pay_as_said(config, state, drive, order)
        return
    short = driving.said_toll(config, state, drive, None, ())
    assert isinstance(short, Short)
    yield from driving.turn_back(state, drive, short)


def _planned(_config: Config, _state: State, seat: Seat, order: given.Plan, _chance: Chance) -> Moves:
    yield happened.PlanMade(seat=seat, plan=Assistants(order.scouts, order.mechanics, order.escort, order.funding))


def _discarded(_config: Config, _state: State, seat: Seat, order: given.Discard, _chance: Chance) -> Moves:
    yield dealt.CardsDiscarded(seat=seat, cards=tuple(map(CardId, (order.card, *order.more))))


def _accepted(_config: Config, _state: State, seat: Seat, _order: Any, _chance: Chance) -> Moves:
    yield DangerAccepted(seat=seat)


def _passed(_config: Config, _state: State, seat: Seat, _order: Any, _chance: Chance) -> Moves:
    yield happened.SeatPassed(seat=seat)


# The events of an order of a sequence: it begins a card, or plays an assistant, before its effect.

_CarryOut = Callable[[Config, State, Seat, Any, Chance], Moves]


def _mapped(config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
    state = yield dealt.CardBegun(seat=seat, card=CardId.CARTOGRAPHER, rule="GR-K1")
    many = laying.many_of(config, CardId.CARTOGRAPHER)
    yield from laying.scout(config, state, seat, order, many, "GR-K1", chance)


def _scouted(config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
    state = yield happened.AssistantPlayed(seat=seat, slot=Slot.SCOUTS, rule="GR-A1")
    if isinstance(order, given.ScoutTiles):
        yield from laying.scout(config, state, seat, order, laying.SCOUTED, "GR-A1", chance)
    else:
        yield from drawing.cards_drawn(config, state, seat, 1, chance, "GR-A1")


def _by_card(card: CardId, then: Callable[[Config, State, Seat, Any], Moves]) -> _CarryOut:
    def carried_out(config: Config, state: State, seat: Seat, order: Any, _chance: Chance) -> Moves:
        state = yield dealt.CardBegun(seat=seat, card=card, rule="GR-K1")
        yield from then(config, state, seat, order)

    return carried_out


def _by_mechanic(then: Callable[[Config, State, Seat, Any], Moves]) -> _CarryOut:
    def carried_out(config: Config, state: State, seat: Seat, order: Any, _chance: Chance) -> Moves:
        state = yield happened.AssistantPlayed(seat=seat, slot=Slot.MECHANICS, rule="GR-A2")
        yield from then(config, state, seat, order)

    return carried_out


_CARRIED_OUT: Final[dict[type, _CarryOut]] = {
    given.Take: lambda _config, state, seat, order, _chance: cards.take(state, seat, order),
    given.Plan: _planned,
    given.React: lambda _config, _state, seat, order, _chance: _reacted(seat, order),
    given.Discard: _discarded,
    given.Lay: lambda config, state, seat, order, _chance: laying.lay(config, state, seat, order),
    given.Keep: lambda _config, state, seat, order, _chance: cards.keep(state, seat, order),
    given.Pay: _paid,
    given.Back: _paid,
    given.Cancel: lambda _config, state, seat, order, _chance: threats.cancel(state, seat, Help(order.guard)),
    given.Accept: _accepted,
    given.Buy: lambda config, state, seat, order, _chance: convoy.buy(config, state, seat, order),
    given.Play: cards.play,
    given.PlayTracker: lambda config, state, seat, order, _chance: threats.threaten(config, state, seat, order),
    given.PlayCheater: lambda config, state, seat, order, _chance: threats.threaten(config, state, seat, order),
    given.PlaySaboteur: lambda config, state, seat, order, _chance: threats.threaten(config, state, seat, order),
    given.PlayCartographer: _mapped,
    given.PlayDriver: _by_card(CardId.DRIVER, driving.begin_drive),
    given.PlayMechanic: _by_card(CardId.MECHANIC, convoy.repair),
    given.Escort: lambda config, state, seat, order, _chance: convoy.remove(config, state, seat, order),
    given.Fund: lambda config, state, seat, _order, _chance: convoy.fund(config, state, seat),
    given.Pass: _passed,
    given.ScoutTiles: _scouted,
    given.ScoutCard: _scouted,
    given.Repair: _by_mechanic(convoy.repair),
    given.Drive: _by_mechanic(driving.begin_drive),
}
"""The events of each order."""


def _way_told(order: Any) -> str:
    hides = order.losing is not None or order.using is not None
    told: str = (type(order)(order.space, order.then, order.line, order.transports) if hides else order).text()
    return told


_TOLD: Final[dict[type, str | Callable[[Any], str]]] = {
    given.Plan: "PLAN (sealed)",
    given.React: "REACT (sealed)",
    given.Keep: "KEEP",
    given.Play: lambda order: given.Play(order.card).text(),
    given.Pay: "PAY",
    given.Drive: _way_told,
    given.PlayDriver: _way_told,
}
"""The public text of orders that would reveal secrets."""


RULESET: Final = GreatRace().record()
