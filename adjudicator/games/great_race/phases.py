"""The order of play, in the order of the rulebook: its phases, whom each asks what, and what follows (GR-B1 to GR-F2).

Whose decision is due never depends on hidden cards: only the number of cards in a hand counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.game import Ask, Chance, Part, Phase, at_stage, count, listed, ordinal, replace
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.actions import Lay, drawn, settle
from adjudicator.games.great_race.components import Config
from adjudicator.games.great_race.danger import Accept, Cancel, React, react_on
from adjudicator.games.great_race.drive import Back, Pay, drive_on, payment_asked
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.orders import SEQUENCE, Discard, Keep, Plan, Take
from adjudicator.games.great_race.state import (
    BAG,
    BIVOUAC,
    NOT_PLANNED,
    OVER,
    PLANNING,
    Crew,
    Drive,
    Here,
    Keeping,
    Laying,
    Moves,
    Threat,
)

# What seats are asked


def _react(at: Here) -> str:
    threat = at.state.pending_as(Threat)
    aim = f"aims at {listed(threat.spaces)}"
    if threat.target is not None:
        aim = f"takes engine {threat.engine}, chassis {threat.chassis} from {threat.target}"
    return f"the {at.config.cards[threat.card].name} of {threat.seat} {aim}: CANCEL or ACCEPT"


def _ask(
    kind: str,
    rule: str,
    words: str | Callable[[Here], str],
    answers: tuple[type, ...],
    why_not: str,
    *near: str,
    code: str = "",
    interrupts: bool = True,
) -> Ask:
    """Return a question; another order than its ``answers`` is refused by ``why_not``, and ``near`` says what to write."""
    refusal = META.problem(code or f"{kind}-first", why_not, rule, near=near)
    return Ask(kind, rule, words, answers, refusal, interrupts)


TAKE: Final = _ask(
    "take",
    "GR-B1",
    lambda at: (
        f"take a card of the bivouac, round {at.state.round}: TAKE "
        f"{listed(list(dict.fromkeys(at.config.cards[card].name for card in at.state.offered)), 'or')}"
    ),
    (Take,),
    "first take a card of the bivouac",
    interrupts=False,
)
PLAN: Final = _ask(
    "plan",
    "GR-L1",
    lambda at: f"plan your {at.config.components.assistants} assistants for round {at.state.round}: PLAN",
    (Plan, React),
    "first plan the assistants",
    "PLAN mechanics 3 funding 2",
    interrupts=False,
)
PLANNED: Final = replace(PLAN, answered_in=lambda at: at.state.with_own(at.seat, plan=NOT_PLANNED))
"""The question to a seat that has planned, and may change its plan until all have: ``NOT_PLANNED`` asks for that."""
CUT: Final = _ask(
    "cut",
    "GR-H1",
    lambda at: f"discard {count(at.own.excess, 'card')}, too many for the chassis: DISCARD (or PLAY Jerrycan)",
    (Discard,),
    "first discard cards down to the chassis level",
    "DISCARD …",
    "PLAY Jerrycan",
    code="too-many-cards",
)
TURN: Final = _ask(
    "turn",
    "GR-V1",
    lambda at: f"play a sequence of round {at.state.round}: buy fuel, play cards, then use one assistant, or PASS",
    SEQUENCE,
    "this order answers a question that is not open: now play a sequence",
    "PASS",
    code="not-in-a-sequence",
    interrupts=False,
)
LAY: Final = _ask("lay", "GR-A1", "say where the tiles drawn go: LAY", (Lay,), "first lay the tiles drawn", "LAY …")
_CARDS = "which of the Trail hunter's cards to keep"
KEEP: Final = _ask("keep", "GR-K1", f"say {_CARDS}: KEEP", (Keep,), f"first say {_CARDS}", "KEEP …")
PAY: Final = _ask("pay", "GR-D3", payment_asked, (Pay, Back), "first say how to pay for the tile drawn", "PAY", "BACK")
REACT: Final = _ask("react", "GR-K4", _react, (Cancel, Accept), "first answer the danger card", "CANCEL with …", "ACCEPT")


# Which phase it is, and whom it asks


def _planners(at: Here) -> tuple[Ask, ...]:
    """Ask all for their plans, but first to discard; until all have planned, a seat may change its plan (GR-L1)."""
    crews = [at.of(seat) for seat in at.state.order]
    asks = [CUT if crew.excess else PLAN if crew.plan in (None, NOT_PLANNED) else PLANNED for crew in crews]
    return tuple([one for ask, crew in zip(asks, crews, strict=True) for one in ask.to(crew.seat, key=at.state.round)])


def _interrupted(at: Here) -> tuple[Ask, ...]:
    """Ask how to pay for a tile drawn (GR-D3), about a danger card (GR-K4), for tiles to lay or for cards to keep."""
    match at.state.pending:
        case Drive(seat=seat, is_asked=is_asked):
            return PAY.to(seat) if is_asked else ()
        case Threat(asked=asked):
            return () if asked is None else REACT.to(asked)
        case Laying(seat=seat):
            return LAY.to(seat)
        case Keeping(seat=seat):
            return KEEP.to(seat)
    return ()


def _must_cut(at: Here) -> bool:
    """Return whether a hand is too large, and matters: not when nothing follows (GR-H1)."""
    for crew in at.state.crews:
        if len(crew.hand) > crew.chassis and crew.arrival is None:
            return not is_last(at)
    return False


def _is_played_out(at: Here) -> bool:
    return not any(crew.is_playing for crew in at.state.crews)


def is_last(at: Here) -> bool:
    """Return whether the race ends with the present sequence: all crews have played, and no other round begins."""
    return _is_played_out(at) and (at.state.arrived > 0 or is_hopeless(at))


def is_hopeless(at: Here) -> bool:
    """Return whether no vehicle can arrive any more: the bag is empty, and no path leads to the finish (GR-H9)."""
    if BAG.many_left(at.config, at.state):
        return False
    reached = at.config.roads.connected(at.config.roads.finish, at.state.tiles)
    return not any(crew.space in reached for crew in at.state.crews)


# What follows


def _offer(at: Here, chance: Chance) -> Moves:
    """Lay out a card for each player and one more; the last in turn order takes first (GR-B1)."""
    if at.state.round == 1:
        roads = at.config.roads
        at = yield happened.RaceBegun(start=roads.start, finish=roads.finish, order=at.state.order)
    cards, at = yield from drawn(at, len(at.config.seats) + 1, "a card of the bivouac", chance)
    if cards:
        yield happened.CardsOffered(cards=cards, takers=at.state.order[::-1][: len(cards)])
    else:
        yield happened.PlanningBegun()


def _open_plans(at: Here, _chance: Chance) -> Moves:
    """Open all plans, and let the first in turn order begin (GR-L1, GR-V1)."""
    for seat in at.state.order:
        plan = at.of(seat).plan
        assert plan is not None
        at = yield happened.PlanOpened(seat=seat, plan=plan)
    yield happened.SequenceBegun(seat=at.state.order[0])


def _spend_card(_at: Here, _chance: Chance) -> Moves:
    yield happened.CardSpent()


def _next(at: Here, _chance: Chance) -> Moves:
    """Let the next seat with something left play."""
    order, turn = at.state.order, at.state.turn
    place = order.index(turn) + 1 if turn in order else 0
    seats = (*order[place:], *order[:place])
    yield happened.SequenceBegun(seat=next(seat for seat in seats if at.of(seat).is_playing))


def _maintain(at: Here, _chance: Chance) -> Moves:
    """Set the new turn order, and pay the bonus (GR-N)."""
    state = at.state
    lanes = {crew.seat: at.config.roads.lanes[crew.space] for crew in state.crews}
    order = tuple(sorted(state.markers, key=lambda seat: -lanes[seat]))  # in one lane, the marker that came first
    rule = "GR-N1" if len({*lanes.values()}) == len(order) else "GR-N2"
    at = yield happened.OrderChanged(order=order, rule=rule)
    for rank, seat in enumerate(order):
        why = Part(at.config.bonus[rank], f"{ordinal(rank + 1)} on the way", "GR-N3")
        at = yield from settle(at, seat, (why,))


def _finish(at: Here, _chance: Chance) -> Moves:
    for crew in at.state.crews:
        points, levels, francs = prestige(at.config, crew)
        place = crew.arrival or 0
        yield happened.PrestigeCounted(seat=crew.seat, place=place, points=points, levels=levels, francs=francs)
    yield happened.RaceEnded()


def prestige(config: Config, crew: Crew) -> tuple[int, int, int]:
    """Return the points of ``crew`` for its arrival, for engine and chassis, and for its money (GR-F2)."""
    table, arrival = config.components.prestige, crew.arrival
    points = table.arrivals[arrival - 1] if arrival is not None and arrival <= len(table.arrivals) else 0
    return points, crew.parts, crew.cash // table.francs


PHASES: Final = (
    Phase("GR-B1", at_stage(BIVOUAC), lambda at: TAKE.to(*at.state.takers[:1]), _offer),
    Phase("GR-L1", at_stage(PLANNING), _planners, _open_plans),
    Phase("GR-F2", at_stage(OVER)),
    Phase(
        "GR-D1",
        lambda at: at.state.pending is not None,
        _interrupted,
        lambda at, chance: (drive_on if type(at.state.pending) is Drive else react_on)(at, chance),
    ),
    Phase("GR-H1", _must_cut, lambda at: CUT.to(*[seat for seat in at.state.order if at.of(seat).excess])),
    Phase(
        "GR-V1",
        lambda at: (
            at.state.turn is not None
            and not at.state.has_acted
            and at.state.in_play is None
            and at.state.of(at.state.turn).is_playing
        ),
        lambda at: TURN.to(at.state.turn),
    ),
    Phase("GR-H9", lambda at: at.state.in_play is not None, follow=_spend_card),
    Phase("GR-V1", lambda at: not _is_played_out(at), follow=_next),
    Phase("GR-F1", is_last, follow=_finish),
    Phase("GR-N1", lambda _at: True, follow=_maintain),
)
"""The order of play: in a convoy the first row applies that can; what interrupts a sequence comes before it."""
