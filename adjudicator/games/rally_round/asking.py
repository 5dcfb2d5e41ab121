"""Refuse orders (RR): in every position, at this stage of a table, and for the crew that gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from adjudicator.game import Problem, change, listed, suggest
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import laying, table
from adjudicator.games.rally_round.components import CardId, Does, Kind, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.orders import (
    AT_CONTROL,
    ORDERS,
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
from adjudicator.games.rally_round.route import NO_REGULARITY, REGULARITIES
from adjudicator.games.rally_round.state import Crew, State, course
from adjudicator.games.rally_round.steering import NoWay, targets, way_ahead
from adjudicator.games.rally_round.table import Stage

FASTEST_NAMED: Final = 200
"""The highest speed that an order may name: no car comes near it even with the best cards."""
_PLAIN: Final = range(10, FASTEST_NAMED + 1, 10)
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


def part(name: str, number: int) -> str:
    """Return the part of an order with that ``name`` and ``number``, from 0, for a problem."""
    return f"{name}:{number}" if number else name


def illegal(event: Any) -> Problem | None:
    """Return why the option refuses the line that led to ``event``: its speed is illegal (RR-M4)."""
    if isinstance(event, happened.SpeedRefused):
        may = f"{event.least} to {event.most}" if event.most > event.least else f"only {event.least}"
        message = f"{event.speed} mph is illegal there: {may} mph"
        return META.problem("illegal-speed", message, "RR-M4", "miles", (f"SPEED {event.most}",))
    if isinstance(event, happened.LineDropped) and event.rule == "RR-M4":
        message = f"the car must stop before the turn at {event.speeds[0]} mph, which is not a legal Starting Speed"
        return META.problem("illegal-speed", message, "RR-M4", "miles")
    return None


def check_stage(config: Config, state: State, crew: Crew, order: Any) -> Problem | None:
    """Refuse an order of another stage of the game at a table, and what the rules of laying refuse."""
    if state.announced is not None and not isinstance(order, Block):
        words = f"first say whether {state.announced.mover} may overtake: BLOCK yes, or BLOCK no"
        return META.problem("answer-first", words, "RR-O1", suggestions=("BLOCK yes", "BLOCK no"))
    stage = table.stage_of(config, state)
    wanted = _STAGES[stage]
    if not isinstance(order, wanted):
        words = listed((_EXAMPLES[kind] for kind in wanted), "or")
        message = f"the rally is at another stage: give an order such as {words}"
        return META.problem("other-stage", message, "RR-L1", suggestions=())
    if isinstance(order, Speed):
        return None
    match order:
        case Start() | Finish():
            free = laying.chequered(config, state)
            if order.square not in free:
                message = f"{order.square} is not a free chequered square: choose {listed(free, 'or')}"
                return META.problem("not-chequered", message, "RR-L1", "square", tuple(free))
        case Place():
            flaw = laying.wrong_marker(config, state.markers, order) if config.rejects_markers else None
            if flaw is not None:
                return META.problem("wrong-marker", flaw.message, flaw.rule, "square")
            if order.number not in (None, laying.number_due(state)):
                message = f"the next control is number {laying.number_due(state)}"
                return META.problem("wrong-number", message, "RR-L1", "marker")
        case Pick():
            return _check_taken(config, state, crew, order)
        case Block():
            return _check_block(config, state, crew, order)
    return None


def _check_taken(config: Config, state: State, crew: Crew, order: Pick) -> Problem | None:
    """RR-K1: refuse a card that is in a kit; if a crew sends its kit again, name the card that another crew has taken."""
    holders = {card: other.seat for other in state.crews for card in other.kit}
    if order.card not in holders:
        return None
    cards, left = order.cards, table.cards_left(config, state)
    gone = next((number for number, card in enumerate(cards) if holders.get(card, crew.seat) != crew.seat), None)
    if gone is None:
        return _chosen_before(config, crew, order, 0, left)
    kind = config.kit[cards[gone]].kind
    free = tuple(card for card in left if config.kit[card].kind is kind)
    message = f"{holders[cards[gone]]} has taken {cards[gone]}: choose {listed(free, 'or')}"
    return META.problem("card-taken", message, "RR-K1", part("card", gone), free)


def _chosen_before(config: Config, crew: Crew, order: Pick, number: int, left: Sequence[CardId]) -> Problem:
    """Refuse the card of that ``number`` in ``order``: the kit of ``crew`` has it; suggest others of ``left``."""
    card, kinds = order.cards[number], crew.missing(config)
    needed = [one for one in left if config.kit[one].kind in kinds]
    named = [one for one in order.then if one in needed]
    message = f"your kit already has {card}; it still needs {_needed(config, crew)}"
    return META.problem("one-of-a-kind", message, "RR-K1", part("card", number), tuple(named or needed)[:6])


def _check_block(config: Config, state: State, crew: Crew, order: Block) -> Problem | None:
    if state.announced is not None:
        if order.when == "ask":
            message = "a crew is asking now: answer BLOCK yes, or BLOCK no"
            return META.problem("answer-first", message, "RR-O1", "blocking", ("yes", "no"))
        return check_way(course(config, state), state.crew(state.announced.mover), state.announced.order)
    if order.when in ("yes", "no"):
        near = ("always" if order.when == "yes" else "never",)
        return META.problem("nothing-asked", "no crew asks to overtake now", "RR-O1", "blocking", near)
    now = "ask" if crew.is_asking else "always" if crew.is_blocking else "never"
    if not crew.rights(config).can(Does.UNOVERTAKEN) or order.when == now:
        return META.problem("nothing-to-block", "you have no card to block with, or this is already your answer", "RR-O1")
    return None


def misplaced(config: Config, order: Start | Finish | Place) -> Problem | None:
    """Return the problem that a marker has in every position, or ``None``."""
    if order.square not in config.network.links:
        squares = tuple(config.network.links)
        message = f"the map has no square {order.square}"
        return META.problem("no-such-square", message, "RR-C1", "square", suggest(order.square, squares))
    if not isinstance(order, Place):
        return None
    is_timed, is_bare = order.what == "tc", not (order.section or order.speed)
    if (not is_timed and not is_bare) or (order.what == "blackspot" and (order.side or order.number)):
        return META.problem("no-section", "only a TC ends a section, and a Black Spot has no side and no number", "RR-L2")
    if (order.section == "regularity") is (order.speed is None) or (order.speed and order.speed not in REGULARITIES):
        return META.problem("no-such-speed", NO_REGULARITY, "RR-T4", "kind", ("regularity 24",))
    if order.section and (order.section == "stage") is not config.is_stage_rally:
        return META.problem("other-rally", "only a stage rally has stages, and it has nothing else", "RR-T6", "kind")
    return None if order.what == "blackspot" else _wrong_side(config, order)


def _wrong_side(config: Config, order: Place) -> Problem | None:
    """Refuse a control that no road enters from its side."""
    sides = config.network.sides(SquareId(order.square))
    if order.side in sides:
        return None
    told = f", not from {order.side}" if order.side else ": say from which side"
    message = f"cars can enter {order.square} from {listed(sides, 'or')}{told}"
    return META.problem(
        "wrong-side", message, "RR-L3", "side" if order.side else "", tuple(f"from {side}" for side in sides)
    )


def unknown_card(config: Config, cards: Sequence[str]) -> Problem | None:
    """Refuse the first of ``cards`` that is not a kit card."""
    number, card = next(((number, card) for number, card in enumerate(cards) if card not in config.kit), (0, None))
    if card is None:
        return None
    called = [known for known, kit_card in config.kit.items() if kit_card.name.casefold().startswith(card.casefold())]
    near = called or suggest(card, config.kit)
    return META.problem("no-such-card", f"the game has no kit card {card}", "RR-C3", part("card", number), tuple(near[:3]))


def misread(config: Config, order: Speed) -> Problem | None:
    """Return the problem that a line of speeds has in every position, or ``None`` (RR-M1)."""
    if order.speed in _PLAIN and not (order.then or order.via or order.using) and (config.is_table or not order.lands):
        return None  # nearly every order at a table is such a line
    if order.speed in (0, AT_CONTROL):
        return META.problem("no-speed", "begin a line with a speed of at least 10 mph", "RR-M1", "miles", ("10",))
    steps = (order.speed, *(step for step in order.then if step != AT_CONTROL)) if order.then else (order.speed,)
    for number, speed in enumerate(steps):
        if speed % 10 or speed > FASTEST_NAMED:
            message = f"no car can drive {speed} mph: use multiples of 10, up to {FASTEST_NAMED}"
            near = min(FASTEST_NAMED, max(10, round(speed, -1)))
            return META.problem("no-such-speed", message, "RR-M1", part("miles", number), (str(near),))
    if order.lands and not config.is_table:
        return META.problem("alone", "by internet no other car is in the way", "RR-H4", "lands")
    if order.then and (order.via or order.using or order.lands):
        message = "a way or a card belongs to one speed: write each turn on a separate line"
        return META.problem("one-at-a-time", message, "RR-M6", "via" if order.via else "hazard_card")
    for number, name in enumerate(order.via):
        if not targets(config.network, name):
            known = (*config.network.named, *config.network.squares)
            meant, words = (
                suggest(name, known) or _squares_like(config, name),
                f"the map has no square, place or road “{name}”",
            )
            return META.problem("no-such-place", words, "RR-M6", part("via", number), meant)
    if order.using is not None and order.using not in config.hazards:
        message = f"the game has no hazard card {order.using}"
        return META.problem("no-such-card", message, "RR-C3", "hazard_card", suggest(order.using, config.hazards))
    return None


def _squares_like(config: Config, name: str) -> tuple[str, ...]:
    """Return squares that a name such as ``q99`` may mean: the last ones of that column."""
    column = name.upper().rstrip("0123456789")
    return tuple(square for square in config.network.squares if square.rstrip("0123456789") == column)[-2:]


def check_kit(config: Config, crew: Crew, order: Pick) -> Problem | None:
    """RR-K1: require one card of each kind, and exchange none."""
    if crew.has_kit():
        return META.problem("kit-complete", "your kit is complete, and you cannot exchange cards", "RR-K1", "card")
    kinds = Counter(config.kit[card].kind for card in crew.kit)
    for number, card in enumerate(order.cards):
        kind = config.kit[card].kind
        kinds[kind] += 1
        if kinds[kind] > 1:
            if card in crew.kit:
                return _chosen_before(config, crew, order, number, tuple(config.kit))
            others = (other for other in (*crew.kit, *order.cards) if config.kit[other].kind is kind)
            message = f"a kit has one {kind} card: {listed(dict.fromkeys(others))} are too many"
            return META.problem("one-of-a-kind", message, "RR-K1", part("card", number))
    return None


def _needed(config: Config, crew: Crew) -> str:
    """Return the cards that the kit of ``crew`` still needs, as text."""
    return listed(f"{'an' if kind in (Kind.EQUIPMENT, Kind.ACCEL) else 'a'} {kind} card" for kind in crew.missing(config))


def check_alone(config: Config, crew: Crew, order: Any) -> Problem | None:
    """Refuse an order that the crew could not carry out even if it were alone."""
    if isinstance(order, Pick):
        return check_kit(config, crew, order)
    if not isinstance(order, (Speed, TurnRound)):
        return META.problem("not-at-a-table", "this order is only for the game at a table", "RR-L1")
    if not crew.has_kit():
        message = f"first complete the kit: it still needs {_needed(config, crew)}"
        first = {card.kind: card.id for card in reversed(config.components.kit)}
        cards = [first[kind] for kind in crew.missing(config)]
        return META.problem("kit-first", message, "RR-K1", suggestions=(Pick(cards[0], tuple(cards[1:])).text(),))
    if isinstance(order, TurnRound):
        return None
    return check_control(config, crew, order) or _check_card(crew, order) or check_way(config, crew, order)


def check_control(config: Config, crew: Crew, order: Speed) -> Problem | None:
    """Refuse a line that names a control of another section than the crew is in."""
    if order.to is None:
        return None
    section = config.sections[len(crew.lines)]
    if any(order.to == post.number for post in section.posts[crew.met :]):
        return None
    message = f"the next time control is {section.end.name}, not number {order.to}"
    again = change(order, to=section.end.number).text()
    return META.problem("wrong-control", message, "RR-H2", "section", (again,))


def _check_card(crew: Crew, order: Speed) -> Problem | None:
    """Refuse a hazard card that the crew has not kept (RR-F8)."""
    if order.using is None or order.using in crew.held:
        return None
    held = f"only {listed(crew.held)}" if crew.held else "no hazard card"
    return META.problem("card-not-held", f"you have kept {held}, and cannot use {order.using}", "RR-F8", "hazard_card")


def check_way(config: Config, crew: Crew, order: Speed) -> Problem | None:
    """Refuse a way that no car can drive from where it stands (RR-M6)."""
    try:
        ahead = way_ahead(config, crew.car(config), 1, order.via)
    except NoWay as none:
        number, words = order.via.index(none.name), none.words
        if none.tracks:
            needs = "" if crew.rights(config, order.using).can(Does.HIDDEN_TRACK) else ", with a card for hidden tracks"
            words = f"{words}; {listed(none.tracks, 'or')} leads there{needs}"
        near = (*none.tracks, "TURN ROUND")
        return META.problem("no-way", words, "RR-M6", part("via", number), near)
    if ahead:
        return None
    return META.problem("dead-end", "the road ends here", "RR-M6", "", ("TURN ROUND",))
