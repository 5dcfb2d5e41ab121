"""Score a round: the chief, the markers, what players say of theirs, and the end of the game (CC-K, CC-E, CC-O)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

from adjudicator.game import (
    OWNER,
    Ask,
    At,
    Chance,
    Event,
    Mark,
    Moves,
    Name,
    Order,
    Part,
    Problem,
    Public,
    Said,
    Seat,
    Secret,
    Spent,
    count,
    listed,
    remembered,
    replace,
    suggest,
    total,
)
from adjudicator.games.checkpoint_charlie import components as parts
from adjudicator.games.checkpoint_charlie.components import Called, Colour, Config, Face, MarkerId, Power, SuspectId, Who
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.rounds import RoundBegun
from adjudicator.games.checkpoint_charlie.state import POOL, Agent, Ending, Here, Speech, Stage, State, Statement, in_turn

# --- what all know of markers: their colours ---------------------------------------------------------------------------


def colours(config: Config, agent: Agent) -> tuple[Colour, ...]:
    """Return the colours of the markers that ``agent`` holds, in their order."""
    return tuple([config.colour_of(marker) for marker in agent.markers])


def colours_told(held: Iterable[Colour]) -> str:
    """Describe the number of markers of each colour."""
    counts = Counter(held)
    return ", ".join(f"{counts[colour]} {colour}" for colour in Colour if counts[colour]) or "no markers"


def colours_left(config: Config, state: State) -> Counter[Colour]:
    """Return how many markers of each colour are in the pool."""
    left = Counter(marker.colour for marker in config.markers.values())
    for agent in state.agents:
        left.subtract(colours(config, agent))
    return left


def colours_next(config: Config, state: State) -> Counter[Colour]:
    """Return how many of each colour are in the pool in the next scoring: the Stasi marker goes back (CC-O1)."""
    return colours_left(config, state) + Counter({Colour.BLACK: 1} if stasi_holder(config, state) else {})


def stasi_holder(config: Config, state: State) -> tuple[Seat, MarkerId] | None:
    """Return who holds the Stasi marker, which lies open, and its id; ``None`` while it is in the pool or not played."""
    held = ((agent.seat, marker) for agent in state.agents for marker in agent.markers)
    return next((one for one in held if config.power_of(one[1]) is Power.STASI), None)


def points_rank(config: Config, agent: Agent) -> tuple[int, ...]:
    """Return the key of ``agent`` once its markers lie open: the most points, then the most gold, come first (CC-E1)."""
    return (-config.points(agent.markers), -colours(config, agent).count(Colour.GOLD))


# --- CC-K1: five clues, and the chief ----------------------------------------------------------------------------------


class ClueRevealed(Event):
    """A seat showed its secret clue."""

    says = "the clue of {seat} is “{face.words}”"
    seat: Who
    face: Public[Face]
    rule: Name = "CC-K1"


class CounterTossed(Event):
    """A counter left in the bag was tossed for scoring."""

    says = "a counter left in the bag is tossed: “{face.words}”"
    moves = "face: > public"
    face: Public[Face]
    rule: Name = "CC-K1"


_Shown = Annotated[bool, Said(lambda _config, is_shown: "" if is_shown else ", who is still in the deck")]


class ChiefNamed(Event):
    """The suspect who matches all five clues; ``is_shown`` unless it lies in the deck still."""

    says = "the chief of spies is {suspect}{is_shown}"
    suspect: Public[SuspectId]
    is_shown: Public[_Shown]
    rule: Name = "CC-K1"


def chief_of(config: Config, state: State) -> SuspectId:
    """Return the one suspect who matches all five clues."""
    clues = frozenset(state.clues)
    return next(suspect for suspect, looks in config.looks.items() if clues.issubset(looks))


def score_round(at: Here, chance: Chance) -> Moves:
    """Reveal the clues, judge the accusations, the late seat last, and draw markers in that order; then hear the players."""
    config = at.config
    for seat in config.seats:
        face = at.of(seat).clue
        assert face is not None
        at = yield ClueRevealed(seat=seat, face=face)
    for trait in at.state.bag:
        at = yield CounterTossed(face=Face(chance.pick(f"the toss of the {trait} counter", parts.FACES[trait])))
    chief = chief_of(config, at.state)
    at = yield ChiefNamed(suspect=chief, is_shown=chief in at.state.shown)
    state = at.state
    late = Colour.BLACK if chief in state.shown else Colour.WHITE
    due = [(accusation.by, accusation.suspect) for accusation in state.accusations]
    earned = []
    for seat, suspect in (*due, *((seat, None) for seat in state.silent)):
        matched = () if suspect is None else config.matched(suspect, state.clues)
        colour = late if suspect is None else _EARNED.get(len(matched), Colour.BLACK)
        earned.append((seat, colour))
        at = yield AccusationJudged(seat=seat, suspect=suspect, matched=matched, colour=colour)
    for seat, colour in earned:
        left = tuple(marker for marker in POOL.left(config, at.state) if config.colour_of(marker) is colour)
        if not left:
            at = yield MarkerMissed(seat=seat, colour=colour)
            continue
        marker = MarkerId(chance.pick(f"a {colour} marker for {seat}", left))
        at = yield MarkerDrawn(seat=seat, colour=colour, marker=marker)
        if config.power_of(marker) is Power.STASI:
            at = yield StasiShown(seat=seat, marker=marker)
    if len(colours_next(config, at.state)) < len(Colour):
        at = yield EndDeclared(reason=Ending.COLOUR_OUT)
    elif at.state.round >= config.rounds:
        at = yield EndDeclared(reason=Ending.LAST_ROUND)
    return (yield from _open_hearing(at))


# --- CC-K2: the colours that accusations earn, and the markers drawn for them ------------------------------------------

_EARNED: Final = {len(parts.TRAITS): Colour.GOLD, len(parts.TRAITS) - 1: Colour.WHITE}
"""The colour for an accusation by the number of clues that its suspect matches; black for fewer."""
_ROLES: Final = {Colour.GOLD: "the chief", Colour.WHITE: "an assistant", Colour.BLACK: "an innocent"}


class AccusationJudged(Event):
    """The accusation of a seat was judged: the clues its suspect matches, and the colour that is due for them.

    A seat that did not accuse has no ``suspect``.
    """

    seat: Who
    suspect: Public[SuspectId | None]
    matched: Public[tuple[Face, ...]]
    colour: Public[Colour]
    rule: Name = "CC-K2"

    def tell(self, config: Config) -> str:
        name = config.named(self.seat)
        if self.suspect is None:
            but = ", but the chief is still in the deck" if self.colour is Colour.WHITE else ""
            return f"{name} has accused nobody{but}: {self.colour} is due"
        clues = f"{count(len(self.matched), 'clue')}: {parts.faces_told(self.matched)}" if self.matched else "no clue"
        return f"{name} accused {self.suspect}, {_ROLES[self.colour]}, who matches {clues}; {self.colour} is due"


def _points(config: Config, marker: MarkerId) -> str:
    return count(config.markers[marker].points, "point")


_Marker = Annotated[MarkerId | None, Said(lambda config, marker: f"{marker}: {_points(config, marker)}")]


class MarkerDrawn(Event):
    """A seat drew a score marker; ``marker`` is ``None`` to the others."""

    says = "{seat} draws a {colour} marker, {marker}"
    unseen = "{seat} draws a {colour} marker"
    moves = "marker: > own.markers"
    seat: Who
    colour: Public[Colour]
    marker: Secret[_Marker]
    rule: Name = "CC-K2"


class MarkerMissed(Event):
    """No marker of the colour due was left for a seat."""

    says = "no {colour} marker is left for {seat}"
    seat: Who
    colour: Public[Colour]
    rule: Name = "CC-K3"


# --- CC-O1: the Stasi marker -------------------------------------------------------------------------------------------


class StasiShown(Event):
    """A seat drew the Stasi marker and showed it."""

    says = "{seat} shows the Stasi marker"
    seat: Who
    marker: Public[MarkerId]
    rule: Name = "CC-O1"


class StasiReturned(Event):
    """The Stasi marker went back to the pool; the seat plays the next round with its clue open."""

    says = "the Stasi marker goes back; {seat} plays the next round with an open clue"
    moves = "marker: own.markers >"
    sets = {"watched": "seat"}
    seat: Who
    marker: Public[MarkerId]
    rule: Name = "CC-O1"


# --- CC-O2: Café Adler markers are swapped -----------------------------------------------------------------------------

_COLOURS: Final = frozenset(Colour)
_Taken = Annotated[MarkerId | None, Said(lambda config, marker: f"{marker}, which is worth {_points(config, marker)}")]
_THE_TWO: Final = Mark(lambda _config, swap, _holder, viewer: viewer in (swap.seat, swap.other))


def _swappable(config: Config, agent: Agent, colour: Colour) -> tuple[MarkerId, ...]:
    """Return the markers of ``colour`` that ``agent`` holds face down: the Stasi marker and those exchanged lie open."""
    face_down = [one for one in agent.markers if one not in agent.spent and config.power_of(one) is not Power.STASI]
    return tuple([marker for marker in face_down if config.colour_of(marker) is colour])


def _adler_of(config: Config, agent: Agent, colour: Colour) -> MarkerId | None:
    """Return a Café Adler marker of ``colour`` that ``agent`` holds, not exchanged yet, or ``None``."""
    own = _swappable(config, agent, colour)
    return next((marker for marker in own if config.power_of(marker) is Power.ADLER), None)


def _partners(at: Here, colour: Colour) -> tuple[Seat, ...]:
    """Return the seats with whom the seat could exchange a marker of ``colour``, in the order of the seats."""
    config = at.config
    return tuple(other for other in config.seats if other != at.seat and _swappable(config, at.of(other), colour))


def _may_swap(at: Here) -> bool:
    """Return whether the seat could hold a Café Adler marker and have a partner for it, by public knowledge."""
    config = at.config
    opened = [config.colour_of(marker) for agent in at.state.agents for marker in agent.spent]
    return any(
        config.adlers.get(colour, 0) > opened.count(colour) and _swappable(config, at.own, colour) and _partners(at, colour)
        for colour in Colour
    )


class Swap(Order):
    """Give the Café Adler marker of ``colour`` for a marker of ``who``: an investigator, or a seat."""

    examples = ("SWAP white with Laces",)
    template = "SWAP {colour} with {who}"
    colour: str
    who: str

    def wrong(self, config: Config) -> Problem | None:
        if self.colour not in _COLOURS:
            message = f"markers are gold, white or black, not {self.colour}"
            return META.problem("unknown-colour", message, "CC-C3", "colour", Colour, self.colour)
        if config.seat_called(self.who) is None:
            names = [name for seat in config.seats for name in (seat, config.investigators[seat])]
            is_known = self.who in parts.INVESTIGATORS
            whom = "no seat plays" if is_known else "this game has no player or investigator"
            near = suggest(self.who, names) or tuple(config.investigators.values())
            return META.problem("unknown-investigator", f"{whom} {self.who}", "CC-C2", "investigator", near)
        if not config.adlers.get(Colour(self.colour)):
            message = f"no {self.colour} Café Adler marker is in this game"
            return META.problem("no-adler-marker", message, "CC-O2", "colour")
        return None

    def check(self, at: Here) -> Problem | None:
        """CC-O2: a Café Adler marker of the seat, not exchanged yet, for another's face-down marker of the same colour."""
        config, colour = at.config, Colour(self.colour)
        other = config.seat_called(self.who)
        if _adler_of(config, at.own, colour) is None:
            message = f"{at.seat} holds no {colour} Café Adler marker that can be exchanged"
            return META.problem("no-adler-held", message, "CC-O2", "colour", ("PASS",))
        near = tuple(config.investigators[partner] for partner in _partners(at, colour))
        if other == at.seat or other is None:
            return META.problem("own-markers", "a swap needs another player", "CC-O2", "investigator", near)
        if _swappable(config, at.of(other), colour):
            return None
        stay = [marker for marker in at.of(other).spent if config.colour_of(marker) is colour]
        if not stay:
            message = f"{config.named(other)} has no {colour} marker to exchange"
            return META.problem("nothing-to-exchange", message, "CC-O2", "investigator", near)
        have = "has" if len(stay) == 1 else "have"
        message = f"{config.named(other)} has no {colour} marker face down: {listed(stay)} {have} been exchanged before"
        return META.problem("exchanged-before", message, "CC-O2", "investigator", near or ("PASS",))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        for colour in Colour:
            if _adler_of(at.config, at.own, colour) is not None:
                for other in _partners(at, colour):
                    yield cls(colour.value, at.config.investigators[other])

    def decide(self, at: Here, chance: Chance) -> Moves:
        statement = Statement(Speech.SWAP, Colour(self.colour), at.config.seat_called(self.who))
        yield Stated(seat=at.seat, statement=statement, rule=_hearing_rule(at))


class MarkersSwapped(Event):
    """A seat gave its Café Adler marker for one of ``other``; both markers are ``None`` to all but the two."""

    says = "{seat} gives a {colour} Café Adler marker to {other} for another: {given} for {taken}"
    unseen = "{seat} gives a {colour} Café Adler marker to {other} for another, unseen"
    seat: Who
    other: Who
    colour: Public[Colour]
    given: Annotated[MarkerId | None, _THE_TWO]
    taken: Annotated[_Taken, _THE_TWO]
    rule: Name = "CC-O2"

    def apply(self, config: Config, state: State) -> State:
        """Let each marker take the other's place; a Café Adler marker that was exchanged can be exchanged no more."""
        places = {self.given: self.taken, self.taken: self.given}
        adlers = {marker for marker in places if marker is not None and config.power_of(marker) is Power.ADLER}
        adlers.update(*(state.of(seat).spent for seat in (self.seat, self.other)))
        for seat in (self.seat, self.other):
            markers = tuple(places.get(marker, marker) for marker in state.of(seat).markers)
            state = state.with_own(seat, markers=markers, spent=config.sorted_markers(adlers.intersection(markers)))
        return replace(state, swaps=(*state.swaps, self.colour))


class SwapVoid(Event):
    """The Café Adler marker a seat meant to give had been taken in exchange just before. Only that seat learns of it."""

    says = "the {colour} Café Adler marker of {seat} was taken in exchange before: nothing to swap"
    seen_by = OWNER
    seat: Who
    colour: Public[Colour]
    rule: Name = "CC-O2"


class AdlerOpened(Event):
    """A Café Adler marker that was exchanged lies open with the seat that received it."""

    says = "the {colour} Café Adler marker {marker} lies open with {seat} from now on: it is exchanged no more"
    seat: Who
    colour: Public[Colour]
    marker: Public[MarkerId]
    rule: Name = "CC-O2"


class SwapMissed(Event):
    """All face-down markers of the colour that ``other`` held were exchanged just before. Only that seat learns of it."""

    says = "{seat} gets nothing from {other}, whose last {colour} marker face down was exchanged before"
    seen_by = OWNER
    seat: Who
    other: Who
    colour: Public[Colour]
    rule: Name = "CC-O2"


def _swap(at: Here, seat: Seat, statement: Statement, chance: Chance) -> Moves:
    """Exchange the markers of a sealed swap, if earlier swaps have left any."""
    config, colour, other = at.config, statement.colour, statement.other
    assert colour is not None
    assert other is not None
    given = _adler_of(config, at.of(seat), colour)
    if given is None:
        return (yield SwapVoid(seat=seat, colour=colour))
    theirs = _swappable(config, at.of(other), colour)
    if not theirs:
        return (yield SwapMissed(seat=seat, other=other, colour=colour))
    taken = MarkerId(chance.pick(f"the {colour} marker of {other} that {seat} gets", config.sorted_markers(theirs)))
    at = yield MarkersSwapped(seat=seat, other=other, colour=colour, given=given, taken=taken)
    for holder, marker in ((other, given), (seat, taken)):
        if marker in at.of(holder).spent:
            at = yield AdlerOpened(seat=holder, colour=colour, marker=marker)
    return at


# --- CC-E1: a hearing, in which ten points may be announced, and the end -----------------------------------------------

ENOUGH: Final = 10
"""Points that may be announced to end the game."""
_REASONS: Final = {
    Ending.ANNOUNCED: "ten points were announced",
    Ending.COLOUR_OUT: "a colour of markers has run out",
    Ending.LAST_ROUND: "this was the last round",
}
_Reason = Annotated[Ending, Said(lambda _config, reason: _REASONS[reason])]


class EndDeclared(Event):
    """No round follows: for a reason that all can see, or because somebody announced ten points."""

    says = "the game ends: {reason}"
    sets = {"ending": "reason"}
    reason: Public[_Reason]
    rule: Name = "CC-E1"


class HearingOpened(Event):
    """The seats that may have something to say, by public knowledge, were asked at once."""

    says = "asked whether they have anything to say: {seats}"
    sets = {"speaking": "seats"}
    seats: Public[tuple[Called, ...]]
    rule: Name


_SAID: Final = Said(
    lambda config, statement: (
        f"swaps a {statement.colour} marker with {config.named(statement.other)}"
        if statement.other is not None
        else "announces ten points"
        if statement.speech is Speech.ANNOUNCE
        else "passes"
    )
)


class Stated(Event):
    """A seat spoke in a scoring phase, sealed: ``statement`` is ``None`` to the others."""

    says = "{seat} {statement} (sealed)"
    unseen = "{seat} has spoken"
    sets = {"own.statement": "statement"}
    seat: Who
    statement: Secret[Annotated[Statement | None, _SAID]]
    rule: Name


class PointsAnnounced(Event):
    """A seat announced ten points or more, which were verified."""

    says = "{seat} announces ten points or more, which is true"
    seat: Who
    rule: Name = "CC-E1"


@remembered
def most_points(config: Config, held: tuple[MarkerId, ...], opened: tuple[MarkerId, ...]) -> int:
    """Return the most that the markers ``held`` can be worth to those who see only colours and the ``opened`` markers."""
    values = {colour: list(worth) for colour, worth in config.values.items()}
    for marker in opened:
        values[config.colour_of(marker)].remove(config.points([marker]))
    seen = [marker for marker in held if marker in opened or config.power_of(marker) is Power.STASI]
    hidden = Counter(config.colour_of(marker) for marker in held if marker not in seen)
    return config.points(seen) + sum(sum(values[colour][:many]) for colour, many in hidden.items())


def _may_announce(at: Here) -> bool:
    """Return whether the seat could have ten points, by public knowledge."""
    opened = tuple([marker for agent in at.state.agents for marker in agent.spent])
    return at.state.ending is None and most_points(at.config, at.own.markers, opened) >= ENOUGH


def _hearing_rule(*asked: Here) -> str:
    """Return the rule by which seats are asked, as all know it: that of Café Adler if none of them can announce."""
    older = asked[0].config.hearing_rule
    return older or ("CC-E1" if any(map(_may_announce, asked)) else "CC-O2")


class Pass(Order):
    """Neither announce nor swap."""

    examples = ("PASS",)

    def decide(self, at: Here, chance: Chance) -> Moves:
        yield Stated(seat=at.seat, statement=Statement(Speech.PASS), rule=_hearing_rule(at))


class Announce(Order):
    """Announce ten points or more."""

    examples = ("ANNOUNCE",)

    def check(self, at: Here) -> Problem | None:
        """CC-E1: ten points or more, in a game that does not end anyway."""
        if at.state.ending is not None:
            return META.problem("ends-anyway", "the game ends with this round anyway", "CC-E1", near=("PASS",))
        points = at.config.points(at.own.markers)
        if points >= ENOUGH:
            return None
        message = f"the markers of {at.seat} are worth {count(points, 'point')}: announcing takes {ENOUGH}"
        return META.problem("too-few-points", message, "CC-E1", near=("PASS",))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return iter((cls(),) if cls().check(at) is None else ())

    def decide(self, at: Here, chance: Chance) -> Moves:
        yield Stated(seat=at.seat, statement=Statement(Speech.ANNOUNCE), rule=_hearing_rule(at))


def _open_hearing(at: Here) -> Moves:
    """Ask the seats that may have something to say by public knowledge; conclude the round if no seat has."""
    each: Iterator[Here] = (At(at.config, at.state, seat) for seat in at.config.seats)
    asked = [one for one in each if _may_announce(one) or _may_swap(one)]
    if not asked:
        return (yield from _conclude(at))
    return (yield HearingOpened(seats=tuple([one.seat for one in asked]), rule=_hearing_rule(*asked)))


_HEARING: Final = Ask(
    "hearing",
    "CC-E1",
    lambda at: (
        f"announce or pass: ANNOUNCE ({ENOUGH} points or more)"
        f"{', SWAP (a Café Adler marker)' if _may_swap(at) else ''} or PASS"
    ),
    (Pass, Announce, Swap),
    META.problem("hearing-open", "the round is over: answer ANNOUNCE, SWAP or PASS", "CC-E1", near=("PASS",)),
)
_SWAPPING: Final = replace(_HEARING, rule="CC-O2", words="swap a Café Adler marker or pass: SWAP or PASS")


def hear(at: Here) -> tuple[Ask, ...]:
    """Ask the seats that have not spoken yet."""
    waiting = in_turn(at, [seat for seat in at.state.speaking if at.of(seat).statement is None])
    each: Iterator[Here] = (At(at.config, at.state, seat) for seat in waiting)
    return tuple([ask for one in each for ask in (_HEARING if _may_announce(one) else _SWAPPING).to(one.seat)])


class HearingClosed(Event):
    """Everybody asked has spoken."""

    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return replace(state, speaking=(), agents=state.unsealed)


def close_hearing(at: Here, chance: Chance) -> Moves:
    """Settle the statements: first announcements, then swaps in the order of drawing; hear again if one had an effect."""
    rule = _hearing_rule(*[At(at.config, at.state, seat) for seat in at.state.speaking])
    drawers = (*(accusation.by for accusation in at.state.accusations), *at.state.silent)
    said = [(seat, statement) for seat in drawers if (statement := at.of(seat).statement) is not None]
    announcers = [seat for seat, statement in said if statement.speech is Speech.ANNOUNCE]
    exchanged = len(at.state.swaps)
    for seat in announcers:
        at = yield PointsAnnounced(seat=seat)
    if announcers:
        at = yield EndDeclared(reason=Ending.ANNOUNCED)
    for seat, statement in said:
        if statement.speech is Speech.SWAP:
            at = yield from _swap(at, seat, statement, chance)
    at = yield HearingClosed(rule=rule)
    has_effect = announcers or len(at.state.swaps) > exchanged
    return (yield from (_open_hearing if has_effect else _conclude)(at))


class GameEnded(Event):
    """All markers were turned over; ``winners`` have the most points, or of those the most gold."""

    becomes = {"stage": Stage.OVER}
    winners: Public[tuple[Called, ...]]
    rule: Name = "CC-E1"

    def tell(self, config: Config) -> str:
        verb = "wins" if len(self.winners) == 1 else "share the victory"
        return f"the game is over: {listed(map(config.named, self.winners))} {verb}"


def _conclude(at: Here) -> Moves:
    """End the game, or return the Stasi marker and begin the next round (CC-E1, CC-O1, CC-S1)."""
    config, state = at.config, at.state
    if state.ending is not None:
        for agent in state.agents:
            why = tuple(_worth(config, marker) for marker in agent.markers)
            yield Spent(seat=agent.seat, before=0, after=total(why), why=why)
        best = min(points_rank(config, agent) for agent in state.agents)
        winners = tuple(agent.seat for agent in state.agents if points_rank(config, agent) == best)
        return (yield GameEnded(winners=winners))
    held = stasi_holder(config, state)
    if held is not None:
        yield StasiReturned(seat=held[0], marker=held[1])
    caught = state.accuser(chief_of(config, state))
    assert state.first is not None
    return (yield RoundBegun(round=state.round + 1, first=caught or state.first))


def _worth(config: Config, marker: MarkerId) -> Part:
    held = config.markers[marker]
    optional = {Power.STASI: ("Stasi officer", "CC-O1"), Power.ADLER: (f"{held.colour} Café Adler", "CC-O2")}
    return Part(held.points, *optional.get(held.power, (held.colour.value, "CC-C3")))
