"""Define the facts for conditions: suspects, clues, markers, accusations."""

from __future__ import annotations

from functools import partial
from typing import Final

from adjudicator.game import Fact, FactValue, Seat, View
from adjudicator.games.checkpoint_charlie.components import Colour, Config, SuspectId
from adjudicator.games.checkpoint_charlie.purse import colours, colours_left, left_open, stasi_holder
from adjudicator.games.checkpoint_charlie.state import DECK, State, sees_markers

Seen = View[State]


_of_seat: Final = partial(Fact.of_seat, find=Config.seat_called)
_of_agent: Final = partial(Fact.of_own, find=Config.seat_called)


def _of_colour(colour: Colour) -> Fact:
    words = f"how many {colour} markers you have; `{colour} of X`"
    return _of_agent(words, lambda config, agent: colours(config, agent).count(colour))


def _accused(config: Config, view: Seen, argument: str) -> FactValue:
    state = view.state
    if argument:
        seat = config.seat_called(argument)
        return None if seat is None else state.accused(seat)
    by_seat = (state.accused(agent.seat) for agent in state.agents)
    return tuple(suspect for suspect in by_seat if suspect is not None)


def _markers(config: Config, view: Seen, seat: Seat) -> FactValue:
    agent = view.state.agent(seat)
    return agent.markers if sees_markers(config, view.state, agent, view.viewer) else len(agent.markers)


def _points(config: Config, view: Seen, seat: Seat) -> FactValue:
    agent = view.state.agent(seat)
    return config.points(agent.markers) if sees_markers(config, view.state, agent, view.viewer) else None


def _open(config: Config, view: Seen, seat: Seat) -> FactValue:
    stasi = stasi_holder(config, view.state)
    return (*left_open(config, view.state.agent(seat)), *([stasi[1]] if stasi and stasi[0] == seat else []))


def _pool(config: Config, view: Seen, argument: str) -> FactValue:
    left = colours_left(config, view.state)
    colour = argument.lower()
    known = left[Colour(colour)] if colour in set(Colour) else None
    return known if colour else left.total()


def _looks(config: Config, _view: Seen, argument: str) -> FactValue:
    looks = config.looks.get(SuspectId(argument.capitalize()))
    return None if looks is None else tuple(face.value for face in looks)


def _matches(config: Config, view: Seen, argument: str) -> FactValue:
    suspect = SuspectId(argument.capitalize())
    return len(config.matched(suspect, view.state.clues)) if suspect in config.looks else None


FACTS: Final = {
    "round": Fact.of_game("the number of the round, from 1", lambda _config, view: view.state.round),
    "window": Fact.of_game("the number of the round's latest window, from 1", lambda _config, view: view.state.window),
    "shown": Fact.of_game("the suspects turned this round, or how many", lambda _config, view: view.state.shown),
    "deck": Fact.of_game(
        "cards left in the deck, including investigators' cards",
        lambda config, view: len(DECK.left(config, view.state)) + len(view.state.cards),
    ),
    "row": _of_agent("the suspects of your row, or how many; `row of X` for an investigator or a seat", "row"),
    "pile": _of_agent("your pile of the innocent, or how many; `pile of X`", "pile"),
    "accused": Fact("all accused suspects, or how many; `accused of X`: the suspect whom X accuses", _accused, "seat"),
    "public": Fact.of_game(
        "the public clues, or how many; a face is one word, such as no_hat",
        lambda _config, view: tuple(face.value for face in view.state.public),
    ),
    "clue": _of_agent(
        "your clue, in one word; `clue of X` if it lies open",
        lambda _config, agent: agent.seen_clue and agent.seen_clue.value,
    ),
    "looks": Fact("`looks of SUSPECT`: its five faces, such as hat or no_newspaper", _looks, "seat"),
    "matches": Fact(
        "`matches of SUSPECT`: how many of the clues that you know it matches: yours and the open ones", _matches, "seat"
    ),
    "markers": _of_seat("your score markers by id, or how many; `markers of X`: how many", _markers),
    "open": _of_seat("your open markers, or how many: the Stasi marker, exchanged Café Adler markers; `open of X`", _open),
    "points": _of_seat("the value of your markers; `points of X` when the game is over", _points),
    "gold": _of_colour(Colour.GOLD),
    "white": _of_colour(Colour.WHITE),
    "black": _of_colour(Colour.BLACK),
    "pool": Fact("the number of score markers left; `pool of gold`", _pool, "seat"),
}
"""What conditions may ask for; X is an investigator or a seat, in any case."""
