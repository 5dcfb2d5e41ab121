"""Explicit positions and amendments: their states, and why they are impossible (CC-C, CC-S, CC-V, CC-A, CC-K, CC-O)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

from adjudicator.game import Flaw, Meta, Rules, Seat, Seen, Value, View, count, replace, several
from adjudicator.games.checkpoint_charlie.components import (
    FACES,
    UPPER_HALF,
    Colour,
    Config,
    Face,
    MarkerId,
    Power,
    SuspectId,
    Trait,
)
from adjudicator.games.checkpoint_charlie.markers import ENOUGH, Announce, Pass, PointsAnnounced, Swap, stasi_holder
from adjudicator.games.checkpoint_charlie.meta import MOST_ROUNDS
from adjudicator.games.checkpoint_charlie.rounds import Accuse
from adjudicator.games.checkpoint_charlie.state import (
    DECK,
    POOL,
    SEALED,
    Accusation,
    Agent,
    Answer,
    SpareCards,
    Speech,
    Stage,
    State,
    Statement,
    Suspects,
)

if TYPE_CHECKING:
    from adjudicator.game import advice

_TRIES: Final = 200
"""How often other markers are dealt to seats that announced ten points."""


class SeatAt(Value, kw_only=True):
    """The place of a seat: its secret ``clue`` (``None``: counters are still to be drawn), cards, accusation and markers.

    ``is_watched`` says that the Stasi officer is with this seat, so that its clue is open to all.
    """

    seat: Seat
    clue: Face | None = None
    row: Suspects = ()
    pile: Suspects = ()
    accused: SuspectId | None = None
    markers: Annotated[tuple[MarkerId, ...], Meta(max_length=30)] = ()
    is_watched: bool = False


class Position(Value, kw_only=True):
    """The whole table, at the beginning of a round or in the middle of one.

    ``first`` begins the round and defaults to the first seat, ``to_turn`` turns the next card and defaults to ``first``.
    ``is_window`` says that a window is open; otherwise the next card is turned at once. ``accusations`` lists the seats in
    the order of accusing and defaults to that of the seats. ``cards`` (investigator cards in the deck) default to as many
    as there are no public clues for. The deck, the bag of clue counters and the pool of markers are what is nowhere else.
    ``spent`` are the Café Adler markers exchanged already, ``swaps`` the colours of the exchanges.
    """

    seats: Annotated[tuple[SeatAt, ...], Meta(min_length=3, max_length=5)]
    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 1
    first: Seat | None = None
    to_turn: Seat | None = None
    is_window: bool = False
    public: Annotated[tuple[Face, ...], Meta(max_length=2)] = ()
    accusations: Annotated[tuple[Seat, ...], Meta(max_length=5)] | None = None
    cards: Annotated[SpareCards, Meta(max_length=2)] | None = None
    spent: Annotated[tuple[MarkerId, ...], Meta(max_length=8)] = ()
    swaps: Annotated[tuple[Colour, ...], Meta(max_length=8)] = ()


def place(config: Config, state: State, position: Position | State) -> State:
    """Return ``state``, made of an explicit position or amended, with what follows from it, and all in its usual order."""
    agents = []
    for agent in state.agents:
        spent = agent.spent
        if isinstance(position, Position):
            spent = tuple(marker for marker in position.spent if marker in agent.markers)
        trait = agent.trait if agent.clue is None else None  # there is no counter beside the clue that was made of it
        agents.append(replace(agent, trait=trait, spent=config.sorted_markers(dict.fromkeys(spent))))
    if isinstance(position, Position):
        first, is_laid = state.first or config.seats[0], all(agent.clue is not None for agent in agents)
        accused = {at.seat: at.accused for at in position.seats}
        order = config.seats if position.accusations is None else position.accusations
        state = replace(
            state,
            stage=Stage.WINDOW if position.is_window else Stage.TURNING if is_laid else Stage.CLUES,
            first=first,
            to_turn=state.to_turn or first,
            cards=config.unused[len(position.public) :] if position.cards is None else position.cards,
            accusations=tuple(Accusation(seat, suspect) for seat in order if (suspect := accused.get(seat)) is not None),
            window=1 if position.is_window else 0,
            watched=next((at.seat for at in position.seats if at.is_watched), None),
        )
    return replace(state, agents=tuple(agents), cards=tuple(sorted(state.cards, key=config.unused.index)))


def supposed(view: View[Config, State, Agent], known: Seen, luck: advice.Luck) -> State:
    """Return the state of ``view`` with clues, markers, answers and statements that its viewer may think others have.

    A clue fits the suspects beside it (CC-V1). Whose markers were exchanged with the viewer, it remembers (CC-O2); seats
    that announced ten points have them (CC-E1). Sealed answers wait, and sealed statements pass.
    """
    config, state = view.config, view.state
    announcers = [event.seat for event in known.events if isinstance(event, PointsAnnounced)]
    for _ in range(_TRIES):
        found = _with_markers(config, _with_clues(config, state, luck), known, luck)
        if all(config.points(found.of(seat).markers) >= ENOUGH for seat in announcers):
            break
    sealed = [agent.seat for agent in state.agents if agent.seat != view.seat]
    for agent in map(found.of, sealed):
        answer, statement = agent.answer and Answer(), agent.statement and Statement(Speech.PASS)
        found = found.with_own(agent.seat, answer=answer, statement=statement)
    return found


def _with_clues(config: Config, state: State, luck: advice.Luck) -> State:
    """Deal the counters that nobody sees to the seats that hide theirs; each clue fits the suspects of its seat."""
    hidden = [agent for agent in state.agents if SEALED in (agent.trait, agent.clue)]
    seen = {agent.counter for agent in state.agents if agent not in hidden} | {face.trait for face in state.public}

    def dealt(agents: list[Agent], traits: list[Trait]) -> State | None:
        if not agents:
            return state
        agent = agents[0]
        for trait in traits:
            faces = [face for face in FACES[trait] if all(face in config.looks[one] for one in agent.row)]
            faces = [face for face in faces if not any(face in config.looks[one] for one in agent.pile)]
            rest = dealt(agents[1:], [one for one in traits if one is not trait]) if faces else None
            if rest is not None:
                own = {"trait": trait} if agent.clue is None else {"clue": luck.choice(faces)}
                return rest.with_own(agent.seat, **own)
        return None

    left = [trait for trait in FACES if trait not in seen]
    return dealt(hidden, luck.sample(left, k=len(left))) or state


def _with_markers(config: Config, state: State, known: Seen, luck: advice.Luck) -> State:
    """Deal the markers that nobody sees to the seats that hide theirs: of the colours that all see, the known ones first."""
    there = {agent.seat: [*agent.spent, *known.held.get((agent.seat, "agents.markers"), ())] for agent in state.agents}
    pool = [marker for marker in POOL.left(config, state) if not any(marker in own for own in there.values())]
    pool = luck.sample(pool, k=len(pool))
    for agent in state.agents:
        markers = list[Any]()
        for marker in agent.markers:
            if isinstance(marker, Colour):
                marker = next((one for one in (*there[agent.seat], *pool) if config.colour_of(one) is marker), marker)
            markers.append(marker)
            for pile in (there[agent.seat], pool):
                if marker in pile:
                    pile.remove(marker)
        state = state.with_own(agent.seat, markers=tuple(markers))
    return state


def impossible(rules: Rules[Config, State], state: State, position: Position | None) -> Iterator[Flaw]:
    """Yield why ``state``, or the ``position`` of it, is impossible: wrong rows or accusations, stages out of order."""
    if position is not None:  # errors that no state can show
        accusers = sorted(at.seat for at in position.seats if at.accused is not None)
        if position.accusations is not None and sorted(position.accusations) != accusers:
            named = ", ".join(accusers) or "nobody"
            yield Flaw(f"the order of accusing must name once each who has accused: {named}", "CC-A1")
        watched = [at.seat for at in position.seats if at.is_watched]
        if len(watched) > 1:
            yield Flaw(f"the Stasi officer watches one seat, not {' and '.join(watched)}", "CC-O1")
        held = {marker for at in position.seats for marker in at.markers}
        yield from (_unexchanged(marker) for marker in position.spent if marker not in held)
    config = rules.config
    found = [*_wrong(config, state)]
    yield from found
    # What is sealed is judged as an order, which asks for a state that can be.
    for agent in () if found else state.agents:
        yield from _sealed(rules, state, agent)


def _wrong(config: Config, state: State) -> Iterator[Flaw]:
    """Yield every flaw of a state that can be seen without judging what is sealed."""
    # CC-V1, CC-S2, CC-S3: suspects where their match with the clue puts them, clue counters, investigator cards.
    for agent in state.agents:
        if state.stage is Stage.CLUES and (agent.row or agent.pile):
            yield Flaw(f"{agent.seat}: cards are turned only once all clues are laid", "CC-V1")
        for where, suspect in [("row", suspect) for suspect in agent.row] + [("pile", suspect) for suspect in agent.pile]:
            if agent.clue is not None and (agent.clue in config.looks[suspect]) is (where == "pile"):
                fits = f"{'matches' if where == 'pile' else 'does not match'} the clue “{agent.clue.words}”"
                yield Flaw(f"{agent.seat}: {suspect} {fits}, so it is not in the {where}", "CC-V1")
    drawn = sum(agent.counter is not None for agent in state.agents)
    is_laying, is_laid = state.stage is Stage.CLUES, all(agent.clue is not None for agent in state.agents)
    left, together = len(DECK.left(config, state)), len(state.cards) + len(state.public)
    wrong_cards = (
        f"the investigator cards in the deck and the public clues are {len(config.unused)} together, not {together}"
    )
    upper = (
        f"the upper half of the deck is turned by now, {' and '.join(state.cards)} with it: only {left} suspects are left"
    )
    yield from Flaw.where(
        (0 < drawn < len(state.agents), "either every seat has a clue counter, or none has one yet", "CC-S2"),
        (is_laying and state.public, "a public clue comes after all clues are laid", "CC-V2"),
        (not (is_laying or is_laid), f"the stage “{state.stage}” comes after everybody has laid a clue", "CC-S2"),
        (not state.is_scored and together != len(config.unused), wrong_cards, "CC-S3"),
        (state.cards and left < UPPER_HALF, upper, "CC-S3"),
    )
    # CC-O1, CC-O2: exchanged markers are held and of Café Adler, the Stasi marker is in the pool until it is drawn.
    for agent in state.agents:
        for marker in agent.spent:
            if marker not in agent.markers or config.power_of(marker) is not Power.ADLER:
                yield _unexchanged(marker)
    opened = Counter(config.colour_of(marker) for agent in state.agents for marker in agent.spent)
    for colour, times in Counter(state.swaps).items():
        if times > opened[colour]:
            told = f"{count(times, 'exchange')} and {count(opened[colour], 'such marker')}"
            message = f"each exchange leaves a Café Adler marker that is exchanged no more: {colour} has {told}"
            yield Flaw(message, "CC-O2")
    if not state.is_scored and stasi_holder(config, state) is not None:
        yield Flaw("the Stasi marker is in the pool between two scoring phases", "CC-O1")
    if state.watched is not None and not any(marker.power is Power.STASI for marker in config.markers.values()):
        yield Flaw(f"{state.watched} cannot be watched: this game has no Stasi officer", "CC-O1")
    # CC-A1: one accusation of a seat and one of a suspect; CC-P1, CC-A2, CC-K1, CC-E1: what each stage comes after.
    for seat, times in several(accusation.by for accusation in state.accusations):
        yield Flaw(f"{seat} has accused {times} times: a seat accuses once a round", "CC-A1")
    for accusation in state.accusations:
        if accusation.suspect not in state.shown:
            yield Flaw(f"{accusation.by}: {accusation.suspect} is accused, but has not been turned", "CC-A1")
    for suspect, times in several(accusation.suspect for accusation in state.accusations):
        yield Flaw(f"{suspect} is accused by {times} seats", "CC-A1")
    stage, is_empty = state.stage, not (DECK.left(config, state) or state.cards)
    is_window, has_turned = stage is Stage.WINDOW, bool(state.shown or state.public)
    in_play, has_tossed = stage in (Stage.TURNING, Stage.WINDOW), stage is Stage.OVER or bool(state.speaking)
    heard_early = f"players are heard when a round is scored, not in the stage “{stage}”"
    no_round = f"there is no round {state.round}: the game has {count(config.rounds, 'round')}"
    yield from Flaw.where(
        (state.round > config.rounds, no_round, "CC-E1"),
        (state.first is None, "a seat must begin the round (“first”)", "CC-S1"),
        (state.to_turn is None, "a seat must turn the next card (“to_turn”)", "CC-V1"),
        (state.speaking and stage is not Stage.SCORING, heard_early, "CC-E1"),
        (is_window and not has_turned, "a window opens after a card has been turned", "CC-P1"),
        (is_window and is_empty, "no window opens after the last card: all must accuse then", "CC-A2"),
        (stage is Stage.LAST_CALL and not is_empty, "the last call comes when the deck is empty", "CC-A2"),
        (in_play and len(state.silent) < 2, "once all but one have accused, the round is over", "CC-A2"),
        (stage is Stage.SCORING and len(state.silent) > 1, "a round is scored when all but one have accused", "CC-A2"),
        (has_tossed and state.bag, "all counters of the bag have been tossed for scoring", "CC-K1"),
    )


def _unexchanged(marker: str) -> Flaw:
    message = f"marker {marker} cannot have been exchanged: only a Café Adler marker that somebody holds can"
    return Flaw(message, "CC-O2")


def _sealed(rules: Rules[Config, State], state: State, agent: Agent) -> Iterator[Flaw]:
    """Yield why ``agent`` could not have given its sealed answer or statement."""
    seat, answer, statement = agent.seat, agent.answer, agent.statement
    order: Any = None
    if answer is not None:
        if state.stage is not Stage.WINDOW or state.accused(seat) is not None:
            yield Flaw(f"{seat}: there is no window in which it could have answered", "CC-P1")
        elif answer.suspect is not None:
            order = Accuse(answer.suspect, answer.received)
        elif answer.received is not None:
            yield Flaw(f"{seat}: only an accusation says when it was received", "CC-P1")
    if statement is not None:
        is_swap, names = statement.speech is Speech.SWAP, (statement.colour, statement.other)
        if seat not in state.speaking:
            yield Flaw(f"{seat}: it has not been asked whether it has anything to say", "CC-E1")
        elif is_swap and None in names:
            yield Flaw(f"{seat}: a swap names a colour and a seat", "CC-O2")
        elif not is_swap and names != (None, None):
            yield Flaw(f"{seat}: only a swap names a colour and a seat", "CC-O2")
        else:
            order = {Speech.ANNOUNCE: Announce(), Speech.SWAP: Swap(*map(str, names)), Speech.PASS: Pass()}[statement.speech]
    if order is not None:
        before = state.with_own(seat, answer=None, statement=None)
        problem = rules.check(rules.at(before, seat), order)
        if problem is not None:
            yield Flaw(f"{seat}: {problem.message}", problem.rule)
