"""The end of a round: clues, markers, statements of players, and the end of the game (CC-K, CC-E, CC-O)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.game import At, Chance, Part, Seat, Spent, total
from adjudicator.games.checkpoint_charlie import purse
from adjudicator.games.checkpoint_charlie import score_events as happened
from adjudicator.games.checkpoint_charlie.components import FACES, TRAITS, Colour, Config, Face, MarkerId, Power, SuspectId
from adjudicator.games.checkpoint_charlie.events import RoundBegun
from adjudicator.games.checkpoint_charlie.round import Moves
from adjudicator.games.checkpoint_charlie.state import POOL, Ending, Here, Speech, State, Statement

_ALL_CLUES: Final = len(TRAITS)


def score_round(at: Here, chance: Chance) -> Moves:
    """Reveal the clues, judge the accusations and draw the markers; then hear the players, or continue (CC-K1 to CC-K3)."""
    at = yield from _reveal(at, chance)
    config = at.config
    chief = chief_of(config, at.state)
    at = yield happened.ChiefNamed(suspect=chief, is_shown=chief in at.state.shown)
    due = list(_judged(config, at.state, chief))
    for judged in due:
        at = yield judged
    for judged in due:
        at = yield from _draw(at, judged.seat, judged.colour, chance)
    if len(purse.colours_next(config, at.state)) < len(Colour):
        at = yield happened.EndDeclared(reason=Ending.COLOUR_OUT)
    elif at.state.round >= config.rounds:
        at = yield happened.EndDeclared(reason=Ending.LAST_ROUND)
    return (yield from _hear(at))


def chief_of(config: Config, state: State) -> SuspectId:
    """Return the one suspect who matches all five clues (CC-K1)."""
    clues = state.clues
    return next(suspect for suspect in config.looks if len(config.matched(suspect, clues)) == _ALL_CLUES)


def _reveal(at: Here, chance: Chance) -> Moves:
    for seat in at.config.seats:
        face = at.of(seat).clue
        assert face is not None
        at = yield happened.ClueRevealed(seat=seat, face=face)
    for trait in at.state.bag:
        face = Face(chance.pick(f"the toss of the {trait} counter", tuple(face.value for face in FACES[trait])))
        at = yield happened.CounterTossed(face=face)
    return at


def _judged(config: Config, state: State, chief: SuspectId) -> Iterator[happened.AccusationJudged]:
    """Yield the colour that each seat has earned, in the order of accusing, the late one last (CC-K2)."""
    for accusation in state.accusations:
        matched = config.matched(accusation.suspect, state.clues)
        colour = {_ALL_CLUES: Colour.GOLD, _ALL_CLUES - 1: Colour.WHITE}.get(len(matched), Colour.BLACK)
        yield happened.AccusationJudged(seat=accusation.by, suspect=accusation.suspect, matched=matched, colour=colour)
    for seat in state.silent:
        colour = Colour.BLACK if chief in state.shown else Colour.WHITE
        yield happened.AccusationJudged(seat=seat, suspect=None, matched=(), colour=colour)


def _draw(at: Here, seat: Seat, colour: Colour, chance: Chance) -> Moves:
    config = at.config
    left = tuple(marker for marker in POOL.left(config, at.state) if config.colour_of(marker) is colour)
    if not left:
        return (yield happened.MarkerMissed(seat=seat, colour=colour))
    marker = MarkerId(chance.pick(f"a {colour} marker for {seat}", left))
    at = yield happened.MarkerDrawn(seat=seat, colour=colour, marker=marker)
    if config.power_of(marker) is Power.STASI:
        at = yield happened.StasiShown(seat=seat, marker=marker)
    return at


def _hear(at: Here) -> Moves:
    """Ask the seats that may have something to say by public knowledge; continue if there are none."""
    each: Iterator[Here] = (At(at.config, at.state, seat) for seat in at.config.seats)
    seats = tuple(one.seat for one in each if purse.may_announce(one) or purse.may_swap(one))
    if seats:
        return (yield happened.HearingOpened(seats=seats, rule=at.config.hearing_rule))
    return (yield from _conclude(at))


def close_hearing(at: Here, chance: Chance) -> Moves:
    """Settle the statements: first announcements, then swaps in the order of drawing; hear again if one had an effect."""
    drawers = (*(accusation.by for accusation in at.state.accusations), *at.state.silent)
    said = [(seat, statement) for seat in drawers if (statement := at.of(seat).statement) is not None]
    announcers = [seat for seat, statement in said if statement.speech is Speech.ANNOUNCE]
    exchanged = len(at.state.swaps)
    for seat in announcers:
        at = yield happened.PointsAnnounced(seat=seat)
    if announcers:
        at = yield happened.EndDeclared(reason=Ending.ANNOUNCED)
    for seat, statement in said:
        if statement.speech is Speech.SWAP:
            at = yield from _swap(at, seat, statement, chance)
    at = yield happened.HearingClosed(rule=at.config.hearing_rule)
    if announcers or len(at.state.swaps) > exchanged:
        return (yield from _hear(at))
    return (yield from _conclude(at))


def _swap(at: Here, seat: Seat, statement: Statement, chance: Chance) -> Moves:
    """Exchange the markers of a sealed swap, if earlier swaps have left any (CC-O2)."""
    config, colour, other = at.config, statement.colour, statement.other
    assert colour is not None
    assert other is not None
    given = purse.adler_of(config, at.of(seat), colour)
    if given is None:
        return (yield happened.SwapVoid(seat=seat, colour=colour))
    theirs = purse.swappable(config, at.of(other), colour)
    if not theirs:
        return (yield happened.SwapMissed(seat=seat, other=other, colour=colour))
    taken = MarkerId(chance.pick(f"the {colour} marker of {other} that {seat} gets", config.sorted_markers(theirs)))
    at = yield happened.MarkersSwapped(seat=seat, other=other, colour=colour, given=given, taken=taken)
    for holder, marker in ((other, given), (seat, taken)):
        if marker in at.of(holder).spent:
            at = yield happened.AdlerOpened(seat=holder, colour=colour, marker=marker)
    return at


def _conclude(at: Here) -> Moves:
    """End the game, or return the Stasi marker and begin the next round (CC-E1, CC-O1, CC-S1)."""
    config, state = at.config, at.state
    if state.ending is not None:
        for agent in state.agents:
            why = tuple(_worth(config, marker) for marker in agent.markers)
            yield Spent(seat=agent.seat, before=0, after=total(why), why=why)
        return (yield happened.GameEnded(winners=purse.winners(config, state)))
    held = purse.stasi_holder(config, state)
    if held is not None:
        yield happened.StasiReturned(seat=held[0], marker=held[1])
    caught = state.accuser(chief_of(config, state))
    assert state.first is not None
    return (yield RoundBegun(round=state.round + 1, first=caught or state.first))


def _worth(config: Config, marker: MarkerId) -> Part:
    held = config.markers[marker]
    optional = {Power.STASI: ("Stasi officer", "CC-O1"), Power.ADLER: (f"{held.colour} Café Adler", "CC-O2")}
    return Part(held.points, *optional.get(held.power, (held.colour.value, "CC-C3")))
