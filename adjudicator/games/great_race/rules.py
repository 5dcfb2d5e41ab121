"""The rules of The Great Race: the hooks, and who has won (GR). ``phases.py`` has those of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from adjudicator.game import (
    Chance,
    Fact,
    FactValue,
    Flaw,
    Part,
    Problem,
    Rules,
    Seat,
    Seen,
    Setup,
    Standing,
    View,
    count,
    events_of,
    ordinal,
    replace,
)
from adjudicator.games.great_race import components as parts
from adjudicator.games.great_race import danger, drive, limits
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race import orders as given
from adjudicator.games.great_race import state as states
from adjudicator.games.great_race.actions import check_held, spelled
from adjudicator.games.great_race.components import CardId, Components, Config, SpaceId, TileId
from adjudicator.games.great_race.danger import Accept, Cancel
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.orders import CAN, Plan, in_sequence
from adjudicator.games.great_race.phases import PHASES, prestige
from adjudicator.games.great_race.state import BAG, BIVOUAC, CONVOY, OVER, Crew, Drive, Here, Keeping, Laying, Moves, State

if TYPE_CHECKING:
    from adjudicator.game import advice


# The facts of conditions: `IF fuel < 3 THEN BUY fuel 3`


def _of_tile(help: str, value: Callable[[Config, SpaceId, TileId], FactValue]) -> Fact:  # noqa: A002
    def look(at: Here, argument: str) -> FactValue:
        space = at.config.roads.called.get(argument.casefold())
        tile = space and at.state.tiles.get(space)
        return value(at.config, space, tile) if space and tile else None

    return Fact(help, look, "place")


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _drawn(at: Here) -> FactValue:
    match at.state.pending:
        case Laying(seat=at.seat, tiles=tiles):
            return tuple(tiles)
        case Keeping(seat=at.seat, cards=cards):
            return tuple(card.fact for card in cards)
        case Drive(path=path, is_asked=True):
            return (at.state.tiles[path[0]],)
    return ()


FACTS: Final = {
    "round": Fact.of_game("the number of the round", lambda at: at.state.round),
    "stage": Fact.of_game("bivouac, planning, convoy or over", lambda at: at.state.stage.value),
    "fuel": Fact.of_seat("your fuel, or `fuel of SEAT`", "fuel"),
    "engine": Fact.of_seat("the level of your engine, or `engine of SEAT`", "engine"),
    "chassis": Fact.of_seat("the level of your chassis, or `chassis of SEAT`", "chassis"),
    "cash": Fact.of_seat("your francs, or `cash of SEAT`", "cash"),
    "cards": Fact.of_seat("how many cards you hold, or `cards of SEAT`", lambda at: len(at.own.hand)),
    "excess": Fact.of_seat("how many cards you have above your chassis level, or `excess of SEAT`", "excess"),
    "space": Fact.of_seat("the space of your vehicle, or `space of SEAT`", "space"),
    "lane": Fact.of_seat("your lane of progress, or `lane of SEAT`", lambda at: at.config.roads.lanes[at.own.space]),
    "to_finish": Fact.of_seat(
        "the fewest spaces from your vehicle to the finish, or `to_finish of SEAT`",
        lambda at: at.config.roads.to_finish.get(at.own.space),
    ),
    "scouts": Fact.of_seat("your active scouts, or `scouts of SEAT`", "active.scouts"),
    "mechanics": Fact.of_seat("your active mechanics, or `mechanics of SEAT`", "active.mechanics"),
    "escorts": Fact.of_seat("your active escorts, or `escorts of SEAT`", "active.escort"),
    "funding": Fact.of_seat("your assistants in the funding, or `funding of SEAT`", "active.funding"),
    "hand": Fact.of_game(
        "the cards of your hand: `hand has ranger`", lambda at: at.own and tuple(card.fact for card in at.own.hand)
    ),
    "drawn": Fact.of_game("the tiles or cards that you must lay, keep or pay for", _drawn),
    "offered": Fact.of_game("the cards in the bivouac", lambda at: tuple(card.fact for card in at.state.offered)),
    "bag": Fact.of_game("how many tiles are in the bag", lambda at: BAG.many_left(at.config, at.state)),
    "arrived": Fact.of_game("how many vehicles are in the finish city", lambda at: at.state.arrived),
    "tile": _of_tile("`tile at SPACE`: the tile that lies there", lambda _config, _space, tile: tile),
    "fuel_cost": _of_tile("`fuel_cost at SPACE`: levels of fuel", Config.tile_fuel),
    "parts_cost": _of_tile(
        "`parts_cost at SPACE`: parts, including those of its danger", lambda config, _space, tile: config.tile_parts(tile)
    ),
    "danger": _of_tile("`danger at SPACE`: yes or no", lambda config, _space, tile: _yes(config.tiles[tile].danger)),
    "stop": _of_tile("`stop at SPACE`: yes or no", lambda config, _space, tile: _yes(config.tiles[tile].stop)),
}
"""The facts, each with the words that explain it."""


# The hooks


class GreatRace(Rules[Config, State]):
    """A race across a continent for 2 to 4 crews, planned in secret and driven in the open."""

    meta = META
    components, position, state, pieces = Components, states.Position, State, states.PIECES
    events = events_of(*(module.__name__ for module in (happened, drive, danger)))
    orders, terms, facts = given.ORDERS, given.TERMS, FACTS
    phases, has_windows, not_due = PHASES, True, ("not-due", "GR-V1")

    def wrong(self, order: Any) -> Problem | None:
        return super().wrong(spelled(self.config, order))

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", limits.unfit(setup))
        return parts.configured(setup, (*states.Stage, "yes", "no"), is_older=version < 3)

    def begin(self) -> State:
        return states.begun(self.config)

    def place(self, position: Any) -> State:
        state = super().place(position)
        if isinstance(position, State):
            return state
        active = {at.seat: at.assistants for at in position.seats}
        is_convoy = position.turn is not None or any(at.assistants.total or at.has_passed for at in position.seats)
        crews = tuple([replace(crew, active=active.get(crew.seat, crew.active)) for crew in state.crews])
        stage, markers = position.stage or (CONVOY if is_convoy else BIVOUAC), position.markers or state.order
        return replace(state, stage=stage, markers=markers, laid=position.tiles, crews=crews)

    def impossible(self, state: State, position: Any) -> Iterator[Flaw]:
        return limits.impossible(self.config, state)

    def retired(self, state: State, seat: Seat) -> Problem | None:
        if state.stage is OVER or state.of(seat).arrival is None:
            return None
        return META.problem("arrived", f"{seat} is in the finish city and has no more orders to give", "GR-F1")

    def refusal(self, at: Here, order: Any) -> Problem | None:
        ask = self.ask_of(at.state, at.seat)
        if order == CAN and at.own.arrival is None and at.state.stage is not OVER:  # GR-K3: at any time
            return check_held(at, CardId.JERRYCAN)
        if ask is not None and ask.kind == "plan" and type(order) is not Plan and at.own.plan is not None:
            message = "has planned, and others have not: to send a new sheet, begin it with the plan; later orders wait"
            return META.problem("planned-already", f"{at.seat} {message}", "GR-L1", near=("PLAN …",))
        if isinstance(order, (Cancel, Accept)) and (ask is None or ask.kind != "react"):
            message = f"{at.seat} has no danger card to answer now"
            return META.problem("no-danger", message, "GR-K4", near=("REACT danger ask",))
        return super().refusal(at, spelled(at.config, order))

    def candidates(self, at: Here) -> Iterator[Any]:
        ask, crew = self.ask_of(at.state, at.seat), at.own
        if ask is None or not ask.is_due:
            return
        if ask.kind == "turn":
            yield from in_sequence(at)
        else:
            for kind in ask.orders:
                yield from kind.offers(at)
        if CardId.JERRYCAN in crew.hand and (ask.kind != "plan" or crew.plan is None):
            yield CAN

    def cost(self, at: Here, order: Any) -> tuple[Part, ...] | None:
        return super().cost(at, spelled(at.config, order))

    def decide(self, at: Here, order: Any, chance: Chance) -> Moves:
        return super().decide(at, spelled(at.config, order), chance)

    def needs_no_turn(self, at: Here, order: Any) -> bool:
        # GR-K3: where it gains fuel; with a full gauge, a crew that planned ahead wants it later.
        return order == CAN and at.own.fuel < at.config.components.gauges.fuel and self.refusal(at, order) is None

    def waits(self, at: Here, order: Any) -> bool:
        # GR-K3: a jerrycan never waits, and the answer may follow it in the same sheet.
        return order != CAN and super().waits(at, order)

    def suppose(self, view: View[Config, State, Crew], known: Seen, luck: advice.Luck) -> State:
        state = super().suppose(view, known, luck)
        for crew in (crew for crew in state.crews if crew.seat != view.seat):
            plan = crew.plan
            if plan is not None:  # sealed
                slots = Counter(luck.choice(tuple(states.Slot)) for _ in range(self.config.components.assistants))
                plan = states.Assistants(**{slot.value: many for slot, many in slots.items()})
            state = state.with_own(crew.seat, plan=plan, to_cards=states.USUAL)
        drive = state.pending
        if isinstance(drive, states.Drive) and drive.seat != view.seat:
            loss, using = (None if drive.loss is None else states.Loss()), (None if drive.using is None else ())
            state = replace(state, pending=replace(drive, loss=loss, using=using))
        return state

    def draw(self, view: View[Config, State, Crew]) -> Any:
        return _picture().drawn(view)

    def choices(self, view: View[Config, State, Crew]) -> Any:
        return _picture().choices(view)

    @classmethod
    def catalogue(cls, components: Components) -> Any:
        return _picture().boxed(components)

    def is_over(self, state: State) -> bool:
        return state.stage is OVER

    def position_if_due(self, state: State, seat: Seat) -> State | None:
        # A player can look ahead to its card, or its sequence, while another acts.
        if state.stage is BIVOUAC and seat in state.takers:
            return replace(state, takers=(seat, *(other for other in state.takers if other != seat)))
        is_busy = state.pending is not None or state.in_play is not None or any(crew.excess for crew in state.crews)
        if state.stage is not CONVOY or is_busy or not state.of(seat).is_playing:
            return None
        return replace(state, turn=seat, may_buy=True, has_acted=False)

    def public_text(self, at: Here, order: Any) -> str | None:
        known = spelled(at.config, order)
        told: str | None = getattr(known, "sealed", None)  # what others may read of an order with secrets
        return str(known.text()) if told is None and known is not order else told

    def standings(self, state: State) -> tuple[Standing, ...]:
        config, is_final = self.config, self.is_over(state)

        def rank(crew: Crew) -> tuple[int, ...]:
            """Rank crews in the finish by prestige, the others by progress (GR-F1, GR-F2, GR-N1)."""
            if crew.arrival is not None:
                return 0, -sum(prestige(config, crew)), crew.arrival
            return 1, -config.roads.lanes[crew.space], state.markers.index(crew.seat)

        def note(crew: Crew) -> str:
            gauges = f"fuel {crew.fuel}, engine {crew.engine}, chassis {crew.chassis}"
            if crew.arrival is None:
                return f"at {crew.space}, {gauges}"
            points = count(sum(prestige(config, crew)), "point")
            return f"{points} of prestige, arrived {ordinal(crew.arrival)}, {gauges}"

        found = Standing.ranking(state.crews, key=rank, score=lambda crew: crew.cash, note=note, is_final=is_final)
        has_no_winner = is_final and not state.arrived  # GR-F1, GR-H9: then no seat comes first
        return tuple(replace(one, place=one.place + 1) for one in found) if has_no_winner else found


def _picture() -> Any:
    """Return the module that draws, which most commands do not need."""
    from adjudicator.games.great_race import picture

    return picture
