"""Check every order, and list the legal ones: when each is due and what it requires (GR-B1 to GR-K4)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import partial
from itertools import combinations
from operator import attrgetter
from typing import Any, Final

from adjudicator.game import Problem, Seat, change, suggest
from adjudicator.games.great_race import asking, cards, convoy, laying, routes, threats
from adjudicator.games.great_race import orders as given
from adjudicator.games.great_race.asking import CUT, KEEP, LAY, PAY, PLAN, REACT, TAKE, TURN
from adjudicator.games.great_race.components import CardId, LineKind
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.driving import aids_ahead, said_toll
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.names import unknown_card, unknown_space
from adjudicator.games.great_race.order_parts import Aid, Losing
from adjudicator.games.great_race.state import Crew, Drive, Help, Slot, State
from adjudicator.games.great_race.tolls import Short, short_problem

_CAN: Final = given.Play(CardId.JERRYCAN.value)
Validate = Callable[[Config, Any], Problem | None]
Check = Callable[[Config, State, Seat, Any], Problem | None]

# Problems in every position


def validate(config: Config, order: Any) -> Problem | None:
    """Return the problem that ``order`` has in every position, or ``None``."""
    for validated in _VALIDATED.get(type(order), ()):
        problem = validated(config, order)
        if problem is not None:
            return problem
    return None


def _naming(part: str, known: Callable[[Config], Container[str]], unknown: Any, named: Callable[[Any], Any]) -> Validate:
    """Check each ``part`` that an order names."""

    def validate_names(config: Config, order: Any) -> Problem | None:
        there = known(config)
        for at, name in enumerate(named(order)):
            if name not in there:  # the space may exist with other capitals
                problem: Problem | None = unknown(config, name, f"{part}:{at}")
                if problem is not None:
                    return problem
        return None

    return validate_names


_CARDS: Final[dict[type, CardId]] = {
    given.PlaySaboteur: CardId.SABOTEUR,
    given.PlayTracker: CardId.TRACKER,
    given.PlayCheater: CardId.CHEATER,
    given.PlayCartographer: CardId.CARTOGRAPHER,
    given.PlayDriver: CardId.DRIVER,
    given.PlayMechanic: CardId.MECHANIC,
}
"""The cards with a special order."""


def _validate_plan(config: Config, order: given.Plan) -> Problem | None:
    """GR-L1: require all assistants, no more and no fewer."""
    total, all_of_them = order.scouts + order.mechanics + order.escort + order.funding, config.components.assistants
    if total == all_of_them:
        return None
    message = f"the plan has {total} assistants: place {all_of_them}"
    return META.problem("does-not-add-up", message, "GR-L1", "share", (_filled(order, all_of_them).text(),))


def _filled(plan: given.Plan, all_of_them: int) -> given.Plan:
    """Correct ``plan`` to all assistants: missing ones raise funds; of too many, those of funding and escort go first."""
    many = [plan.scouts, plan.mechanics, plan.escort, plan.funding]
    many[-1] += max(0, all_of_them - sum(many))
    for slot in (3, 2, 0, 1):
        many[slot] -= min(many[slot], max(0, sum(many) - all_of_them))
    return given.Plan(*many)


_LINES: Final = frozenset(LineKind)


def _validate_drive(config: Config, order: Any) -> Problem | None:
    for aid in order.using or ():
        problem = unknown_space(config, aid.at, "using") if aid.at else None
        if problem is not None:
            return problem
    if order.line and order.line not in _LINES:
        return META.problem("unknown-line", "lines go by sea or by air", "GR-D5", "way", ("sea", "air"))
    if order.transports and CardId.TRANSPORT not in config.cards:
        return unknown_card(config, CardId.TRANSPORT, "using")
    return None


def _validate_lay(config: Config, order: given.Lay) -> Problem | None:
    if order.tile in config.tiles:
        return None
    message = f"there is no tile “{order.tile}” in this game"
    return META.problem("unknown-tile", message, "GR-C2", "tile", suggest(order.tile, config.tiles))


def _validate_buy(_config: Config, order: given.Buy) -> Problem | None:
    if order.goods != "fuel":
        repair = f"REPAIR buy {order.levels or 1}"
        return META.problem("parts-in-a-repair", "parts are bought with a repair", "GR-H6", "goods", (repair,))
    if order.levels:
        return None
    return META.problem("nothing-bought", "buy at least 1 level of fuel", "GR-V1", "", ("BUY fuel 1",))


def _validate_pay(config: Config, order: given.Pay) -> Problem | None:
    return next((unknown_space(config, aid.at, "using") for aid in order.using or () if aid.at), None)


_cards: Final = partial(_naming, "card", attrgetter("cards"), unknown_card)
_spaces: Final = partial(_naming, "space", attrgetter("roads.spaces"), unknown_space)
_own_card: Final = _cards(lambda order: (_CARDS[type(order)],))
_space: Final = _spaces(lambda order: (order.space,))
_way: Final = _spaces(lambda order: (order.space, *order.then))
_VALIDATED: Final[dict[type, tuple[Validate, ...]]] = {
    given.Take: (_cards(lambda order: (order.card,)),),
    given.Plan: (_validate_plan,),
    given.Discard: (_cards(lambda order: (order.card, *order.more)),),
    given.Keep: (_cards(lambda order: order.cards),),
    given.Buy: (_validate_buy,),
    given.Play: (_cards(lambda order: (order.card, *order.keeping)),),
    given.PlaySaboteur: (_own_card,),
    given.PlayTracker: (_own_card, _space),
    given.PlayCheater: (_own_card, _spaces(lambda order: (order.one, order.other))),
    given.PlayCartographer: (_own_card, _spaces(lambda order: order.spaces)),
    given.PlayDriver: (_own_card, _way, _validate_drive),
    given.PlayMechanic: (_own_card,),
    given.ScoutTiles: (_spaces(lambda order: order.spaces),),
    given.Lay: (_space, _validate_lay),
    given.Drive: (_way, _validate_drive),
    given.Pay: (_validate_pay,),
    given.Escort: (_space,),
}
"""The checks of each order that no position changes: its cards, spaces and amounts."""


# Problems in this position


def check(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    """Return why ``seat`` may not give ``order`` now, or ``None`` if it may."""
    kind = asking.decision_kind(config, state, seat)
    if kind == PLAN and state.crew(seat).plan is not None and not isinstance(order, given.Plan):
        message = f"{seat} has planned, and others have not: to send a new sheet, begin it with the plan; later orders wait"
        return META.problem("planned-already", message, "GR-L1", suggestions=("PLAN …",))
    if kind and isinstance(order, given.Play) and order == _CAN:
        return cards.check_card(config, state, seat, CardId.JERRYCAN)
    kinds, checked = _CHECKED[type(order)]
    if kind not in kinds:
        return _reaction_not_asked(state, seat, order) or asking.not_asked(config, state, seat, kind)
    return checked(config, state, seat, order)


def _reaction_not_asked(state: State, seat: Seat, order: Any) -> Problem | None:
    if not isinstance(order, (given.Cancel, given.Accept)):
        return None
    message = f"{seat} has no danger card to answer now"
    return META.problem("no-danger", message, "GR-K4", "", ("REACT danger ask",))


def _with_mechanic(checked: Check) -> Check:
    def check_both(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
        return convoy.check_assistant(state, seat, Slot.MECHANICS) or checked(config, state, seat, order)

    return check_both


def _with_card(checked: Check) -> Check:
    def check_both(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
        problem = cards.check_card(config, state, seat, _CARDS[type(order)])
        return problem or checked(config, state, seat, order)

    return check_both


def _check_repair(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    crew = state.crew(seat)
    found = convoy.mending(config, crew, order)
    if not isinstance(found, Problem):
        return None
    return found if found.suggestions else change(found, suggestions=convoy.fitting(config, crew, order))


def _check_scout(config: Config, state: State, seat: Seat, order: given.ScoutTiles) -> Problem | None:
    problem = convoy.check_assistant(state, seat, Slot.SCOUTS)
    return problem or laying.check_laying(config, state, seat, order.spaces, laying.many_of(config, None))


def _check_map(config: Config, state: State, seat: Seat, order: given.PlayCartographer) -> Problem | None:
    many = laying.many_of(config, CardId.CARTOGRAPHER)
    return laying.check_laying(config, state, seat, order.spaces, many)


def _check_scout_card(config: Config, state: State, seat: Seat, _order: Any) -> Problem | None:
    problem = convoy.check_assistant(state, seat, Slot.SCOUTS)
    if problem is None and not config.may_be_idle and not state.deck_size(config) and not state.discards:
        return META.problem("deck-empty", "no card is left to draw", "GR-H9", suggestions=("SCOUT tiles",))
    return problem


def _check_pay(config: Config, state: State, seat: Seat, order: given.Pay) -> Problem | None:
    """GR-H3: require that the crew can pay for the tile this way, and that the split adds up."""
    crew, drive = state.crew(seat), state.pending
    assert isinstance(drive, Drive)
    for aid in order.using or ():
        problem = routes.check_help(crew, aid)
        if problem is not None:
            return problem
        if aid.at and aid.at != drive.path[0]:
            return META.problem("not-on-the-way", f"now pay for {drive.path[0]}", "GR-D2", "using")
    toll = said_toll(config, state, drive, order.losing, order.using)
    if isinstance(toll, Short):
        return short_problem(seat, toll, "", ("BACK",))
    exact = order.losing
    if exact is None or exact.first or (exact.engine, exact.chassis) == (toll.engine, toll.chassis):
        return None
    split = f"engine {exact.engine} chassis {exact.chassis}"
    message = f"the tile costs {toll.engine + toll.chassis} parts, and {split} cannot pay that"
    fitting = given.Pay(Losing("", toll.engine, toll.chassis), order.using).text()
    return META.problem("does-not-add-up", message, "GR-D1", "loss", (fitting,))


def _check_back(config: Config, state: State, seat: Seat, _order: Any) -> Problem | None:
    """GR-H3: require payment if the crew can pay without help."""
    drive = state.pending
    assert isinstance(drive, Drive)
    if isinstance(said_toll(config, state, drive, None, ()), Short):
        return None
    message = f"the vehicle can pay for {drive.path[0]} without help, so it must pay"
    return META.problem("must-pay", message, "GR-H3", suggestions=("PAY",))


def _free(_config: Config, _state: State, _seat: Seat, _order: Any) -> Problem | None:
    return None


_CHECKED: Final[dict[type, tuple[tuple[str, ...], Check]]] = {
    given.Take: ((TAKE,), cards.check_take),
    given.Plan: ((PLAN,), _free),
    given.React: ((PLAN, TURN), _free),
    given.Discard: ((CUT,), cards.check_discard),
    given.Keep: ((KEEP,), cards.check_keep),
    given.Buy: ((TURN,), convoy.check_buy),
    given.Play: ((TURN,), cards.check_play),
    given.PlaySaboteur: ((TURN,), _with_card(threats.check_saboteur)),
    given.PlayTracker: ((TURN,), _with_card(threats.check_tracker)),
    given.PlayCheater: ((TURN,), _with_card(threats.check_cheater)),
    given.PlayCartographer: ((TURN,), _with_card(_check_map)),
    given.PlayDriver: ((TURN,), _with_card(routes.check_drive)),
    given.PlayMechanic: ((TURN,), _with_card(_check_repair)),
    given.ScoutTiles: ((TURN,), _check_scout),
    given.ScoutCard: ((TURN,), _check_scout_card),
    given.Lay: ((LAY,), laying.check_lay),
    given.Repair: ((TURN,), _with_mechanic(_check_repair)),
    given.Drive: ((TURN,), _with_mechanic(routes.check_drive)),
    given.Pay: ((PAY,), _check_pay),
    given.Back: ((PAY,), _check_back),
    given.Escort: ((TURN,), convoy.check_escort),
    given.Fund: ((TURN,), lambda _config, state, seat, _order: convoy.check_assistant(state, seat, Slot.FUNDING)),
    given.Pass: ((TURN,), _free),
    given.Cancel: ((REACT,), threats.check_cancel),
    given.Accept: ((REACT,), _free),
}
"""The decision that each order answers, and its further checks."""


# The list of legal orders


def candidates(config: Config, state: State, seat: Seat) -> Iterator[Any]:
    """Yield orders that may be legal for ``seat`` now, in the shortest words."""
    kind = asking.decision_kind(config, state, seat)
    if not kind:
        return
    crew = state.crew(seat)
    yield from _LISTED[kind](config, state, crew)
    if kind == PLAN and crew.plan is not None:
        return
    if CardId.JERRYCAN in crew.hand:
        yield given.Play(CardId.JERRYCAN.value)


def _takes(_config: Config, state: State, _crew: Crew) -> Iterator[Any]:
    yield from (given.Take(card.value) for card in dict.fromkeys(state.offered))


def _plans(config: Config, _state: State, _crew: Crew) -> Iterator[Any]:
    many = config.components.assistants
    for bars in combinations(range(many + 3), 3):
        one, two, three = bars
        yield given.Plan(one, two - one - 1, three - two - 1, many + 2 - three)
    yield from _reactions()


def _reactions() -> Iterator[given.React]:
    for helps in (None, (), ("escort",), ("ranger",), ("escort", "ranger"), ("ranger", "escort")):
        yield given.React(helps)


def _discards(_config: Config, _state: State, crew: Crew) -> Iterator[Any]:
    yield from (given.Discard(card.value) for card in dict.fromkeys(crew.hand))


def _pays(config: Config, state: State, crew: Crew) -> Iterator[Any]:
    helps = [one.value for one in Help if routes.check_help(crew, Aid(one.value)) is None]
    yield given.Pay()
    drive = state.pending
    assert isinstance(drive, Drive)
    if config.kept_for_payment and aids_ahead(config, crew, drive, state.tiles[drive.path[0]]):
        yield given.Pay(None, ())
    for many in range(1, len(helps) + 1):
        for some in combinations(helps, many):
            yield given.Pay(None, tuple(map(Aid, some)))
    yield given.Back()


def _answers(_config: Config, _state: State, _crew: Crew) -> Iterator[Any]:
    yield from (given.Cancel("escort"), given.Cancel("ranger"), given.Accept())


def _sequence(config: Config, state: State, crew: Crew) -> Iterator[Any]:
    """Yield the orders of a sequence: fuel, cards, an assistant."""
    if state.may_buy:
        yield from convoy.buys(config, crew)
    for card in dict.fromkeys(crew.hand):
        yield from _playable(config, state, crew, card)
    active = crew.active
    if active.scouts:
        yield from (given.ScoutTiles(), given.ScoutCard())
    if active.mechanics:
        yield from convoy.repairs(config, crew, given.Repair)
        yield from routes.drives(config, state, crew.seat, given.Drive)
    if active.escort:
        yield from map(given.Escort, convoy.removable(config, state, crew.seat))
    yield from (given.Fund(), given.Pass())
    yield from _reactions()


def _playable(config: Config, state: State, crew: Crew, card: CardId) -> Iterator[Any]:
    seat = crew.seat
    match card:
        case CardId.TRACKER:
            yield from map(given.PlayTracker, threats.trackable(config, state, seat))
        case CardId.CHEATER:
            yield from threats.swaps(config, state)
        case CardId.SABOTEUR:
            yield from map(given.PlaySaboteur, threats.victims(config, state, seat))
        case CardId.CARTOGRAPHER:
            yield given.PlayCartographer()
        case CardId.DRIVER:
            yield from routes.drives(config, state, seat, given.PlayDriver)
        case CardId.MECHANIC:
            yield from convoy.repairs(config, crew, given.PlayMechanic)
        case _ if card in cards.PLAIN:
            yield given.Play(card.value)


_LISTED: Final[dict[str, Callable[[Config, State, Crew], Iterator[Any]]]] = {
    TAKE: _takes,
    PLAN: _plans,
    CUT: _discards,
    TURN: _sequence,
    LAY: lambda config, state, _crew: laying.lays(config, state),
    KEEP: lambda config, state, _crew: cards.keeps(config, state),
    PAY: _pays,
    REACT: _answers,
}
