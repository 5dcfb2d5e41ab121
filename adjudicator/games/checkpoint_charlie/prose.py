"""What happened, in sentences. Hidden things are ``None`` in the events and are told as hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_charlie import events as happened
from adjudicator.games.checkpoint_charlie.components import FACES, Colour, Face
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.state import Ending, Speech, Statement

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_ROLES: Final = {Colour.GOLD: "the chief", Colour.WHITE: "an assistant", Colour.BLACK: "an innocent"}
_REASONS: Final = {
    Ending.ANNOUNCED: "the game ends: ten points were announced",
    Ending.COLOUR_OUT: "the game ends: a colour of markers has run out",
    Ending.LAST_ROUND: "the game ends: this was the last round",
}


def tell(config: Config, event: Any) -> str:
    """Return ``event`` as a sentence without a full stop, empty for what the log tells otherwise (the points)."""
    teller = _TOLD.get(type(event))
    return teller(config, event) if teller else ""


def _faces(faces: tuple[Face, ...]) -> str:
    return ", ".join(face.words for face in faces)


def _round_begun(config: Config, event: happened.RoundBegun) -> str:
    return f"round {event.round} begins; {config.named(event.first)} is first"


def _counter_drawn(config: Config, event: happened.CounterDrawn) -> str:
    if event.trait is None:
        return f"{config.named(event.seat)} draws a clue counter"
    front, back = FACES[event.trait]
    return f"{config.named(event.seat)} draws the clue counter with “{front.words}” and “{back.words}”"


def _clue_chosen(config: Config, event: happened.ClueChosen) -> str:
    if event.face is None:
        return f"{config.named(event.seat)} lays a clue"
    watched = ", open to all: the Stasi officer is watching" if event.is_open else ""
    return f"{config.named(event.seat)} lays the clue “{event.face.words}”{watched}"


def _suspect_turned(config: Config, event: happened.SuspectTurned) -> str:
    where = "a suspect, into the row" if event.is_match else "innocent, onto the pile"
    looks = _faces(config.looks[event.suspect])
    return f"{config.named(event.seat)} turns {event.suspect} ({looks}): {where}"


def _investigator_turned(config: Config, event: happened.InvestigatorTurned) -> str:
    return f"{config.named(event.seat)} turns {event.card}, an investigator: the public clue is “{event.face.words}”"


def _answered(config: Config, event: happened.Answered) -> str:
    if event.answer is None:
        return f"{config.named(event.seat)} has answered"
    what = "waits" if event.answer.suspect is None else f"accuses {event.answer.suspect}"
    return f"{config.named(event.seat)} {what} (sealed)"


def _accused(config: Config, event: happened.Accused) -> str:
    return f"{config.named(event.seat)} accuses {event.suspect}, {_ORDINALS[event.place - 1]} to accuse ({event.rule})"


def _claim_rejected(config: Config, event: happened.ClaimRejected) -> str:
    by = config.named(event.by)
    return f"{config.named(event.seat)} accuses {event.suspect} too, but {by} came first: no accusation yet ({event.rule})"


def _claim_void(config: Config, event: happened.ClaimVoid) -> str:
    name = config.named(event.seat)
    return f"{name} accuses {event.suspect} too late: all but one had accused by then ({event.rule})"


def _round_ended(config: Config, event: happened.RoundEnded) -> str:
    if event.late is None:
        return "the round is over: all have accused"
    return f"the round is over: all but {config.named(event.late)} have accused"


def _chief_named(_config: Config, event: happened.ChiefNamed) -> str:
    where = "" if event.is_shown else ", who is still in the deck"
    return f"the chief of spies is {event.suspect}{where}"


def _judged(config: Config, event: happened.AccusationJudged) -> str:
    name, due = config.named(event.seat), f"{event.colour} ({event.rule})"
    if event.suspect is None:
        kept = "the chief is in the deck still" if event.colour is Colour.WHITE else "no accusation"
        return f"{name} was late, {kept}: {due}"
    matched = f": {_faces(event.matched)}" if event.matched else ""
    clues = "1 clue" if len(event.matched) == 1 else f"{len(event.matched)} clues"
    return f"{name} accused {event.suspect}, {_ROLES[event.colour]}, who matches {clues}{matched}; due is {due}"


def _marker_drawn(config: Config, event: happened.MarkerDrawn) -> str:
    if event.marker is None:
        return f"{config.named(event.seat)} draws a {event.colour} marker"
    return f"{config.named(event.seat)} draws a {event.colour} marker, {event.marker}: {_points(config, event.marker)}"


def _points(config: Config, marker: Any) -> str:
    points = config.markers[marker].points
    return f"{points} point" if abs(points) == 1 else f"{points} points"


def _stated(config: Config, event: happened.Stated) -> str:
    if event.statement is None:
        return f"{config.named(event.seat)} has spoken"
    return f"{config.named(event.seat)} {_statement(config, event.statement)} (sealed)"


def _statement(config: Config, statement: Statement) -> str:
    if statement.speech is Speech.ANNOUNCE:
        return "announces ten points"
    if statement.other is not None:
        return f"swaps a {statement.colour} marker with {config.named(statement.other)}"
    return "passes"


def _swapped(config: Config, event: happened.MarkersSwapped) -> str:
    who, other = config.named(event.seat), config.named(event.other)
    words = f"{who} gives a {event.colour} Café Adler marker to {other} for another"
    if event.given is None or event.taken is None:
        return f"{words}, unseen"
    return f"{words}: {event.given} for {event.taken}, which is worth {_points(config, event.taken)}"


def _hearing_opened(config: Config, event: happened.HearingOpened) -> str:
    return f"asked whether they have anything to say: {', '.join(config.named(seat) for seat in event.seats)}"


def _game_ended(config: Config, event: happened.GameEnded) -> str:
    names = [config.named(seat) for seat in event.winners]
    return f"the game is over: {' and '.join(names)} {'wins' if len(names) == 1 else 'share the victory'}"


def _of_seat(words: str) -> Callable[[Config, Any], str]:
    return lambda config, event: words.format(name=config.named(Seat(event.seat)))


_TOLD: Final[dict[type, Callable[[Config, Any], str]]] = {
    happened.FirstDrawn: _of_seat("{name} is drawn to begin"),
    happened.RoundBegun: _round_begun,
    happened.CounterDrawn: _counter_drawn,
    happened.ClueChosen: _clue_chosen,
    happened.SuspectTurned: _suspect_turned,
    happened.InvestigatorTurned: _investigator_turned,
    happened.Answered: _answered,
    happened.Accused: _accused,
    happened.ClaimRejected: _claim_rejected,
    happened.ClaimVoid: _claim_void,
    happened.DeckEmptied: lambda _config, _event: "the deck is empty: all who have not accused must do so now",
    happened.RoundEnded: _round_ended,
    happened.ClueRevealed: lambda config, event: f"the clue of {config.named(event.seat)} is “{event.face.words}”",
    happened.CounterTossed: lambda _config, event: (
        f"a counter left in the bag is tossed: “{event.face.words}” ({event.rule})"
    ),
    happened.ChiefNamed: _chief_named,
    happened.AccusationJudged: _judged,
    happened.MarkerDrawn: _marker_drawn,
    happened.MarkerMissed: lambda config, event: (
        f"no {event.colour} marker is left for {config.named(event.seat)} ({event.rule})"
    ),
    happened.StasiShown: _of_seat("{name} shows the Stasi marker"),
    happened.StasiReturned: _of_seat("the Stasi marker goes back; {name} plays the next round with an open clue"),
    happened.EndDeclared: lambda _config, event: f"{_REASONS[event.reason]} ({event.rule})",
    happened.HearingOpened: _hearing_opened,
    happened.Stated: _stated,
    happened.PointsAnnounced: _of_seat("{name} announces ten points or more, which is true"),
    happened.MarkersSwapped: _swapped,
    happened.SwapVoid: lambda config, event: (
        f"the {event.colour} Café Adler marker of {config.named(event.seat)} was taken in exchange before: nothing to swap"
    ),
    happened.GameEnded: _game_ended,
}
