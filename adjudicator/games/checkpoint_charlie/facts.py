"""Define the facts for conditions: suspects, clues, markers, accusations."""

from __future__ import annotations

from functools import partial
from typing import Final

from adjudicator.game import Fact, FactValue
from adjudicator.games.checkpoint_charlie.components import Colour, Config, SuspectId
from adjudicator.games.checkpoint_charlie.markers import colours, colours_left, stasi_holder
from adjudicator.games.checkpoint_charlie.state import DECK, Agent, Here, sees_markers

_of_seat: Final = partial(Fact.of_seat, find=Config.seat_called)


def _of_colour(colour: Colour) -> Fact:
    words = f"how many {colour} markers you have; `{colour} of X`"
    return _of_seat(words, lambda at: colours(at.config, at.own).count(colour))


def _accused(at: Here, argument: str) -> FactValue:
    state = at.state
    if argument:
        seat = at.config.seat_called(argument)
        return None if seat is None else state.accused(seat)
    by_seat = (state.accused(agent.seat) for agent in state.agents)
    return tuple(suspect for suspect in by_seat if suspect is not None)


def _holder(at: Here, argument: str) -> tuple[Agent | None, bool]:
    """Return whose markers are asked about, by default the viewer's, and whether the viewer sees them."""
    seat = at.config.seat_called(argument or at.seat or "")
    agent = None if seat is None else at.of(seat)
    return agent, agent is not None and sees_markers(at.config, at.state, agent, at.seat)


def _markers(at: Here, argument: str) -> FactValue:
    agent, is_seen = _holder(at, argument)
    return None if agent is None else agent.markers if is_seen else len(agent.markers)


def _points(at: Here, argument: str) -> FactValue:
    agent, is_seen = _holder(at, argument)
    return None if agent is None or not is_seen else at.config.points(agent.markers)


def _open(at: Here) -> FactValue:
    stasi = stasi_holder(at.config, at.state)
    return (*at.own.spent, *([stasi[1]] if stasi and stasi[0] == at.seat else []))


def _pool(at: Here, argument: str) -> FactValue:
    left, colour = colours_left(at.config, at.state), argument.lower()
    if not colour:
        return left.total()
    return left[Colour(colour)] if colour in set(Colour) else None


def _looks(at: Here, argument: str) -> FactValue:
    looks = at.config.looks.get(SuspectId(argument.capitalize()))
    return None if looks is None else tuple(face.value for face in looks)


def _matches(at: Here, argument: str) -> FactValue:
    suspect = SuspectId(argument.capitalize())
    return len(at.config.matched(suspect, at.state.clues)) if suspect in at.config.looks else None


FACTS: Final = {
    "round": Fact.of_game("the number of the round, from 1", lambda at: at.state.round),
    "window": Fact.of_game("the number of the round's latest window, from 1", lambda at: at.state.window),
    "shown": Fact.of_game("the suspects turned this round, or how many", lambda at: at.state.shown),
    "deck": Fact.of_game(
        "cards left in the deck, including investigators' cards",
        lambda at: len(DECK.left(at.config, at.state)) + len(at.state.cards),
    ),
    "row": _of_seat("the suspects of your row, or how many; `row of X` for an investigator or a seat", "row"),
    "pile": _of_seat("your pile of the innocent, or how many; `pile of X`", "pile"),
    "accused": Fact("all accused suspects, or how many; `accused of X`: the suspect whom X accuses", _accused, "seat"),
    "public": Fact.of_game(
        "the public clues, or how many; a face is one word, such as no_hat",
        lambda at: tuple(face.value for face in at.state.public),
    ),
    "clue": _of_seat(
        "your clue, in one word; `clue of X` if it lies open",
        lambda at: at.own.seen_clue and at.own.seen_clue.value,
    ),
    "looks": Fact("`looks of SUSPECT`: its five faces, such as hat or no_newspaper", _looks, "seat"),
    "matches": Fact(
        "`matches of SUSPECT`: how many of the clues that you know it matches: yours and the open ones", _matches, "seat"
    ),
    "markers": Fact("your score markers by id, or how many; `markers of X`: how many", _markers, "seat"),
    "open": _of_seat("your open markers, or how many: the Stasi marker, exchanged Café Adler markers; `open of X`", _open),
    "points": Fact("the value of your markers; `points of X` when the game is over", _points, "seat"),
    **{colour.value: _of_colour(colour) for colour in Colour},
    "pool": Fact("the number of score markers left; `pool of gold`", _pool, "seat"),
}
"""What conditions may ask for; X is an investigator or a seat, in any case."""
