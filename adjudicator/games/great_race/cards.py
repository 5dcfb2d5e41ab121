"""Take, discard and play resource cards (GR-B1, GR-H1, GR-K)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import combinations
from typing import Any, Final

from adjudicator.game import Chance, Problem, Seat, count
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.components import CardId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.convoy import paid
from adjudicator.games.great_race.drawing import drawn
from adjudicator.games.great_race.driving import gain_fuel, pour_can
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.names import not_in_hand
from adjudicator.games.great_race.order_parts import card_words
from adjudicator.games.great_race.orders import Discard, Keep, Play, Take
from adjudicator.games.great_race.state import Keeping, State, without

Moves = Generator[Any, State, Any]

PLAIN: Final = (CardId.FINANCIAL, CardId.REFUELLING, CardId.TRAIL_HUNTER)
"""Cards that a crew plays in its sequence with nothing more to say."""
_MORE: Final = {
    CardId.TRACKER: ("say which tile it removes", "PLAY Tracker remove …"),
    CardId.CHEATER: ("say which tiles it swaps", "PLAY Cheater swap … with …"),
    CardId.SABOTEUR: ("say whom it harms", "PLAY Saboteur on …"),
    CardId.CARTOGRAPHER: ("play it alone", "PLAY Cartographer"),
    CardId.DRIVER: ("say where it drives", "PLAY Driver …"),
    CardId.MECHANIC: ("say what it repairs with", "PLAY Mechanic using parts …"),
    CardId.SPARE_PARTS: ("use it in a repair", "REPAIR using parts …"),
    CardId.TOOLBOX: ("use it in a repair", "REPAIR using toolbox …"),
    CardId.TRANSPORT: ("use it with a line by sea or air", "DRIVE sea … using transport 1"),
    CardId.CARAVAN: ("use it on the way, against a stop", "DRIVE … using caravan"),
    CardId.RANGER: (
        "there is no danger now: use it on the way, or to answer a danger card",
        "DRIVE … using ranger",
    ),
}


# The bivouac, and the limit of a hand


def check_take(_config: Config, state: State, _seat: Seat, order: Take) -> Problem | None:
    """GR-B1: require a card that lies in the bivouac."""
    if order.card in state.offered:
        return None
    offered = tuple(map(card_words, dict.fromkeys(state.offered)))
    return META.problem("not-offered", f"no {card_words(order.card)} lies in the bivouac", "GR-B1", "card", offered)


def take(state: State, seat: Seat, order: Take) -> Moves:
    """Take a card; when all have one, the last in turn order gets the remaining one."""
    state = yield dealt.CardTaken(seat=seat, card=CardId(order.card))
    if state.takers:
        return
    for card in state.offered:
        state = yield dealt.CardTaken(seat=state.order[-1], card=card)
    yield happened.PlanningBegun()


def check_discard(_config: Config, state: State, seat: Seat, order: Discard) -> Problem | None:
    """GR-H1: require as many cards of the hand as it has too many."""
    crew, cards = state.crew(seat), (order.card, *order.more)
    problem = _check_held(seat, cards, crew.hand)
    if problem is not None:
        return problem
    if len(cards) > crew.excess:
        message = f"{seat} has {count(crew.excess, 'card')} too many, not {len(cards)}"
        return META.problem("too-few-left", message, "GR-H1", f"card:{crew.excess}")
    return None


def _check_held(seat: Seat, cards: tuple[str, ...], hand: tuple[CardId, ...]) -> Problem | None:
    for at, card in enumerate(cards):
        has, many = hand.count(card), cards.count(card)
        if many > has:
            return not_in_hand(seat, card, many, has, f"card:{at}", hand)
    return None


def check_keep(config: Config, state: State, seat: Seat, order: Keep) -> Problem | None:
    """GR-K1: require all cards drawn but one."""
    keeping = state.pending
    assert isinstance(keeping, Keeping)
    known = tuple(map(card_words, dict.fromkeys(keeping.cards)))
    for at, card in enumerate(order.cards):
        if order.cards.count(card) > keeping.cards.count(card):
            message = f"{card_words(card)} is not among the cards drawn"
            return META.problem("not-drawn", message, "GR-K1", f"card:{at}", known)
    many = kept_of(config, keeping)
    if len(order.cards) == many:
        return None
    return META.problem("keep-two", f"keep {count(many, 'card')} of {len(keeping.cards)}", "GR-K1", "", known)


def kept_of(config: Config, keeping: Keeping) -> int:
    """Return how many of a Trail hunter's cards the crew keeps."""
    return min(len(keeping.cards), max(1, config.cards[CardId.TRAIL_HUNTER].amount - 1))


def keeps(config: Config, state: State) -> Iterator[Keep]:
    """Yield every legal choice of cards to keep."""
    keeping = state.pending
    assert isinstance(keeping, Keeping)
    yield from map(Keep, dict.fromkeys(combinations(sorted(keeping.cards), kept_of(config, keeping))))


def _best(config: Config, state: State, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards to keep: those ``wanted``, the best first, then in the order of drawing."""
    keeping = state.pending
    assert isinstance(keeping, Keeping)
    rank = {card: place for place, card in reversed(list(enumerate(wanted)))}
    ranked = sorted(keeping.cards, key=lambda card: rank.get(card.value, len(wanted)))
    return tuple(card.value for card in ranked[: kept_of(config, keeping)])


def keep(state: State, seat: Seat, order: Keep) -> Moves:
    """Keep some cards and discard the others."""
    keeping = state.pending
    assert isinstance(keeping, Keeping)
    cards = tuple(map(CardId, order.cards))
    yield dealt.CardsKept(seat=seat, cards=cards, back=without(keeping.cards, *cards))


# Cards that need no assistant


def check_card(config: Config, state: State, seat: Seat, card: CardId) -> Problem | None:
    """GR-K1: require a card of the seat's hand."""
    hand = state.crew(seat).hand
    return None if card in hand else not_in_hand(seat, card, 1, 0, "card", hand)


def check_play(config: Config, state: State, seat: Seat, order: Play) -> Problem | None:
    """GR-K1, GR-K2, GR-K3: require a card that needs no other order."""
    card = CardId(order.card)
    problem = check_card(config, state, seat, card)
    if problem is None and order.keeping and card is not CardId.TRAIL_HUNTER:
        message = f"{card_words(card)} draws no cards to keep: only a Trail hunter does"
        return META.problem("nothing-to-keep", message, "GR-K1", "keeping")
    if problem is not None or card in PLAIN or card is CardId.JERRYCAN:
        return problem
    words, instead = _MORE[card]
    rule = {CardId.RANGER: "GR-K3"}.get(card, "GR-K2" if instead.startswith(("REPAIR", "DRIVE")) else "GR-K1")
    return META.problem("say-more", f"{card_words(card)}: {words}", rule, "card", (instead,))


def play(config: Config, state: State, seat: Seat, order: Play, chance: Chance) -> Moves:
    """Play a plain card or a jerrycan."""
    card = CardId(order.card)
    if card is CardId.JERRYCAN:
        yield from pour_can(config, state, seat)
        return
    amount = config.cards[card].amount
    state = yield dealt.CardBegun(seat=seat, card=card, rule="GR-K1")
    if card is CardId.FINANCIAL:
        yield from paid(state, seat, amount, "Financial", "GR-K1")
    elif card is CardId.REFUELLING:
        yield from gain_fuel(config, state, seat, amount, "GR-K1")
    else:
        found = yield from drawn(config, state, amount, f"a card for {seat}", chance)
        if found:
            state = yield dealt.CardsSearched(seat=seat, cards=tuple(found))
            if order.keeping:
                yield from keep(state, seat, Keep(_best(config, state, order.keeping)))
        if len(found) < amount:
            yield dealt.CardsMissed(seat=seat, missing=amount - len(found))
