"""The end of a round: clues, markers, statements of players, and the end of the game (CC-K, CC-E, CC-O)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.game import Chance, Part, Seat, Spent, total
from adjudicator.games.checkpoint_charlie import purse
from adjudicator.games.checkpoint_charlie import score_events as happened
from adjudicator.games.checkpoint_charlie.components import FACES, TRAITS, Colour, Config, Face, MarkerId, Power, SuspectId
from adjudicator.games.checkpoint_charlie.events import RoundBegun
from adjudicator.games.checkpoint_charlie.round import Moves
from adjudicator.games.checkpoint_charlie.state import POOL, Ending, Speech, State, Statement

_ALL_CLUES: Final = len(TRAITS)


def score_round(config: Config, state: State, chance: Chance) -> Moves:
    """Reveal the clues, judge the accusations and draw the markers; then hear the players, or continue (CC-K1 to CC-K3)."""
    state = yield from _reveal(config, state, chance)
    chief = chief_of(config, state)
    state = yield happened.ChiefNamed(suspect=chief, is_shown=chief in state.shown)
    due = list(_judged(config, state, chief))
    for judged in due:
        state = yield judged
    for judged in due:
        state = yield from _draw(config, state, judged.seat, judged.colour, chance)
    if len(purse.colours_next(config, state)) < len(Colour):
        state = yield happened.EndDeclared(reason=Ending.COLOUR_OUT)
    elif state.round >= config.rounds:
        state = yield happened.EndDeclared(reason=Ending.LAST_ROUND)
    return (yield from _hear(config, state))


def chief_of(config: Config, state: State) -> SuspectId:
    """Return the one suspect who matches all five clues (CC-K1)."""
    clues = state.clues
    return next(suspect for suspect in config.looks if len(config.matched(suspect, clues)) == _ALL_CLUES)


def _reveal(config: Config, state: State, chance: Chance) -> Moves:
    for seat in config.seats:
        face = state.agent(seat).clue
        assert face is not None
        state = yield happened.ClueRevealed(seat=seat, face=face)
    for trait in state.bag:
        face = Face(chance.pick(f"the toss of the {trait} counter", tuple(face.value for face in FACES[trait])))
        state = yield happened.CounterTossed(face=face)
    return state


def _judged(config: Config, state: State, chief: SuspectId) -> Iterator[happened.AccusationJudged]:
    """Yield the colour that each seat has earned, in the order of accusing, the late one last (CC-K2)."""
    for accusation in state.accusations:
        matched = config.matched(accusation.suspect, state.clues)
        colour = {_ALL_CLUES: Colour.GOLD, _ALL_CLUES - 1: Colour.WHITE}.get(len(matched), Colour.BLACK)
        yield happened.AccusationJudged(seat=accusation.by, suspect=accusation.suspect, matched=matched, colour=colour)
    for seat in state.silent:
        colour = Colour.BLACK if chief in state.shown else Colour.WHITE
        yield happened.AccusationJudged(seat=seat, suspect=None, matched=(), colour=colour)


def _draw(config: Config, state: State, seat: Seat, colour: Colour, chance: Chance) -> Moves:
    left = tuple(marker for marker in POOL.left(config, state) if config.colour_of(marker) is colour)
    if not left:
        return (yield happened.MarkerMissed(seat=seat, colour=colour))
    marker = MarkerId(chance.pick(f"a {colour} marker for {seat}", left))
    state = yield happened.MarkerDrawn(seat=seat, colour=colour, marker=marker)
    if config.power_of(marker) is Power.STASI:
        state = yield happened.StasiShown(seat=seat, marker=marker)
    return state


def _hear(config: Config, state: State) -> Moves:
    """Ask the seats that may have something to say by public knowledge; continue if there are none."""
    seats = tuple(
        seat for seat in config.seats if purse.may_announce(config, state, seat) or purse.may_swap(config, state, seat)
    )
    if seats:
        return (yield happened.HearingOpened(seats=seats, rule=config.hearing_rule))
    return (yield from _conclude(config, state))


def close_hearing(config: Config, state: State, chance: Chance) -> Moves:
    """Settle the statements: first announcements, then swaps in the order of drawing; hear again if one had an effect."""
    drawers = (*(accusation.by for accusation in state.accusations), *state.silent)
    said = [(seat, statement) for seat in drawers if (statement := state.agent(seat).statement) is not None]
    announcers = [seat for seat, statement in said if statement.speech is Speech.ANNOUNCE]
    exchanged = len(state.swaps)
    for seat in announcers:
        state = yield happened.PointsAnnounced(seat=seat)
    if announcers:
        state = yield happened.EndDeclared(reason=Ending.ANNOUNCED)
    for seat, statement in said:
        if statement.speech is Speech.SWAP:
            state = yield from _swap(config, state, seat, statement, chance)
    state = yield happened.HearingClosed(rule=config.hearing_rule)
    if announcers or len(state.swaps) > exchanged:
        return (yield from _hear(config, state))
    return (yield from _conclude(config, state))


def _swap(config: Config, state: State, seat: Seat, statement: Statement, chance: Chance) -> Moves:
    """Exchange the markers of a sealed swap, if earlier swaps have left any (CC-O2)."""
    colour, other = statement.colour, statement.other
    assert colour is not None
    assert other is not None
    given = purse.adler_of(config, state, seat, colour)
    if given is None:
        return (yield happened.SwapVoid(seat=seat, colour=colour))
    theirs = purse.swappable(config, state, other, colour)
    if not theirs:
        return (yield happened.SwapMissed(seat=seat, other=other, colour=colour))
    taken = MarkerId(chance.pick(f"the {colour} marker of {other} that {seat} gets", config.sorted_markers(theirs)))
    state = yield happened.MarkersSwapped(seat=seat, other=other, colour=colour, given=given, taken=taken)
    for holder, marker in ((other, given), (seat, taken)):
        if marker in purse.left_open(config, state.agent(holder)):
            state = yield happened.AdlerOpened(seat=holder, colour=colour, marker=marker)
    return state


def _conclude(config: Config, state: State) -> Moves:
    """End the game, or return the Stasi marker and begin the next round (CC-E1, CC-O1, CC-S1)."""
    if state.ending is not None:
        for agent in state.agents:
            why = tuple(_worth(config, marker) for marker in agent.markers)
            state = yield Spent(seat=agent.seat, before=0, after=total(why), why=why)
        return (yield happened.GameEnded(winners=purse.winners(config, state)))
    held = purse.stasi_holder(config, state)
    if held is not None:
        state = yield happened.StasiReturned(seat=held[0], marker=held[1])
    caught = state.accuser(chief_of(config, state))
    assert state.first is not None
    return (yield RoundBegun(round=state.round + 1, first=caught or state.first))


def _worth(config: Config, marker: MarkerId) -> Part:
    held = config.markers[marker]
    optional = {Power.STASI: ("Stasi officer", "CC-O1"), Power.ADLER: (f"{held.colour} Café Adler", "CC-O2")}
    return Part(held.points, *optional.get(held.power, (held.colour.value, "CC-C3")))
