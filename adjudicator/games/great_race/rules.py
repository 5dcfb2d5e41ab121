"""The rules of The Great Race: who is asked, what is legal, what follows, who has won (GR)."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, Final

from adjudicator.game import Chance, Part, Problem, Rules, Seat, Standing, change, count, ranking
from adjudicator.games.great_race import (
    asking,
    board,
    box,
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
    begin, draw, catalogue = staticmethod(states.begun), staticmethod(board.drawn), staticmethod(box.boxed)
    place, misplaced = staticmethod(positions.placed), staticmethod(positions.misplaced)
    impossible = staticmethod(possible.impossible)
    validate, check = staticmethod(legality.validate), staticmethod(legality.check)
    candidates, awaiting = staticmethod(legality.candidates), staticmethod(asking.awaiting)
    due = staticmethod(asking.due)
    proceed = staticmethod(rounds.go_on)

    def is_over(self, config: Config, state: State) -> bool:
        return state.stage is Stage.OVER

    def decide(self, config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
        match order:
            case given.Take():
                yield from cards.take(state, seat, order)
            case given.Plan():
                plan = Assistants(order.scouts, order.mechanics, order.escort, order.funding)
                yield happened.PlanMade(seat=seat, plan=plan)
            case given.React():
                yield from _reacted(seat, order)
            case given.Discard():
                thrown = tuple(map(CardId, (order.card, *order.more)))
                yield dealt.CardsDiscarded(seat=seat, cards=thrown)
            case given.Lay():
                yield from laying.lay(config, state, seat, order)
            case given.Keep():
                yield from cards.keep(state, seat, order)
            case given.Pay() | given.Back():
                yield from _paid(config, state, order)
            case given.Cancel(guard=guard):
                yield from threats.cancel(state, seat, Help(guard))
            case given.Accept():
                yield DangerAccepted(seat=seat)
            case _:
                yield from _sequence(config, state, seat, order, chance)

    def if_due(self, config: Config, state: State, seat: Seat) -> State | None:
        # So that a player can look ahead to the own card, or the own sequence, while another is to act.
        if state.stage is Stage.BIVOUAC and seat in state.takers:
            return change(state, takers=(seat, *(other for other in state.takers if other != seat)))
        is_busy = state.pending is not None or state.in_play is not None or any(crew.excess for crew in state.crews)
        if state.stage is not Stage.CONVOY or is_busy or not state.crew(seat).is_playing:
            return None
        return change(state, turn=seat, may_buy=True, has_acted=False)

    def reopened(self, config: Config, state: State, seat: Seat) -> State | None:
        # GR-L1: until all have planned, a plan can be made anew; that is asked for by a plan of nobody.
        if state.stage is not Stage.PLANNING or not state.crew(seat).plan:
            return None
        return state.with_crew(seat, plan=NOT_PLANNED)

    def is_for_later(self, config: Config, state: State, seat: Seat, order: Any) -> bool:
        return asking.is_for_later(state, seat, order)

    def eliminated(self, config: Config, state: State, seat: Seat) -> Problem | None:
        if state.stage is Stage.OVER or state.crew(seat).arrival is None:
            return None
        return META.problem("arrived", f"{seat} is in the finish city and plays no more", "GR-F1")

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
        match order:
            case given.Plan():
                return "PLAN (sealed)"
            case given.React():
                return "REACT (sealed)"
            case given.Keep():
                return "KEEP"
            case given.Play(card=card):
                return given.Play(card).text()
            case given.Pay():
                return "PAY"
            case given.Drive() | given.PlayDriver():
                return type(order)(order.space, order.then, order.line, order.transports).text()
        return None

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        is_final = self.is_over(config, state)
        found = ranking(
            state.crews,
            key=lambda crew: _rank(config, state, crew),
            score=lambda crew: crew.cash,
            note=lambda crew: _note(config, crew),
            is_final=is_final,
        )
        has_no_winner = is_final and not state.arrived  # GR-F1, GR-H9: nobody comes first then
        return tuple(change(one, place=one.place + 1) for one in found) if has_no_winner else found

    def names(self, config: Config) -> Iterable[str]:
        yield from names.words_of(config)
        yield from Stage
        yield from ("yes", "no")


def _rank(config: Config, state: State, crew: Crew) -> tuple[int, ...]:
    """Return the key by which crews stand: those in the finish by prestige, the others by progress (GR-F1, GR-F2, GR-N1)."""
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


def _paid(config: Config, state: State, order: Any) -> Moves:
    drive = state.pending
    assert isinstance(drive, Drive)
    if isinstance(order, given.Pay):
        yield from driving.pay_as_said(config, state, drive, order)
        return
    short = driving.said_toll(config, state, drive, None, ())
    assert isinstance(short, Short)
    yield from driving.turn_back(state, drive, short)


def _sequence(config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
    """Yield what comes of an order of a sequence: cards are begun, and assistants played, before what they do."""
    match order:
        case given.Buy():
            yield from convoy.buy(config, state, seat, order)
        case given.Play():
            yield from cards.play(config, state, seat, order, chance)
        case given.PlayTracker() | given.PlayCheater() | given.PlaySaboteur():
            yield from threats.threaten(config, state, seat, order)
        case given.PlayCartographer():
            state = yield dealt.CardBegun(seat=seat, card=CardId.CARTOGRAPHER, rule="GR-K1")
            many = laying.many_of(config, CardId.CARTOGRAPHER)
            yield from laying.scout(config, state, seat, order, many, "GR-K1", chance)
        case given.PlayDriver():
            state = yield dealt.CardBegun(seat=seat, card=CardId.DRIVER, rule="GR-K1")
            yield from driving.begin_drive(config, state, seat, order)
        case given.PlayMechanic():
            state = yield dealt.CardBegun(seat=seat, card=CardId.MECHANIC, rule="GR-K1")
            yield from convoy.repair(config, state, seat, order)
        case given.Escort():
            yield from convoy.remove(config, state, seat, order)
        case given.Fund():
            yield from convoy.fund(config, state, seat)
        case given.Pass():
            yield happened.SeatPassed(seat=seat)
        case _:
            yield from _assistant(config, state, seat, order, chance)


def _assistant(config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
    """Yield what comes of a scout or a mechanic."""
    is_scout = isinstance(order, (given.ScoutTiles, given.ScoutCard))
    slot = Slot.SCOUTS if is_scout else Slot.MECHANICS
    state = yield happened.AssistantPlayed(seat=seat, slot=slot, rule="GR-A1" if is_scout else "GR-A2")
    match order:
        case given.ScoutTiles():
            yield from laying.scout(config, state, seat, order, laying.SCOUTED, "GR-A1", chance)
        case given.ScoutCard():
            yield from drawing.cards_drawn(config, state, seat, 1, chance, "GR-A1")
        case given.Repair():
            yield from convoy.repair(config, state, seat, order)
        case given.Drive():
            yield from driving.begin_drive(config, state, seat, order)


RULESET: Final = GreatRace().record()
