"""Draw the table and define the facts for conditions: suspects on cards, clues, markers, accusations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from adjudicator.game import Fact, Seat, Value, View, drawing, fact, fact_at, fact_of_own, fact_of_seat
from adjudicator.games.checkpoint_charlie import tableau
from adjudicator.games.checkpoint_charlie.components import TRAITS, Colour, Config, Face, MarkerId, SuspectId
from adjudicator.games.checkpoint_charlie.picture import legend, tableau_scene
from adjudicator.games.checkpoint_charlie.purse import colours, colours_left, colours_told, left_open, stasi_holder
from adjudicator.games.checkpoint_charlie.state import SEALED, Agent, Stage, State, lies_open, sees_markers
from adjudicator.games.checkpoint_charlie.tableau_text import tableau_tables

Seen = View[State]
_NOTHING: Final = "–"


def draw(config: Config, view: Seen) -> drawing.Drawing:
    """Return the table: the middle, and before each seat its clue, its markers, its row and its pile of suspects."""
    table = table_of(config, view)
    shapes: list[drawing.Shape] = [tableau_scene(table), legend(table), *tableau_tables(table)]
    rows = [row for agent in view.state.agents for row in _marker_rows(config, view, agent)]
    if rows:
        shapes.append(drawing.table("Visible score markers", ("of", "marker", "colour", "points", ""), rows))
    return drawing.Drawing(tuple(shapes))


def table_of(config: Config, view: Seen) -> tableau.Tableau:
    """Return what lies on the table, as the viewer may see it."""
    places = (_middle(config, view.state), *(_place(config, view, agent) for agent in view.state.agents))
    return tableau.Tableau("Investigators", places, "Suspects", "suspect", tuple(TRAITS), "accused by", "matches")


def _middle(config: Config, state: State) -> tableau.Place:
    deck = state.deck(config)
    investigators = f", {len(state.cards)} of investigators" if state.cards else ""
    rows = [
        ("first player", config.named(state.first) if state.first else _NOTHING),
        ("turns next", config.named(state.to_turn) if state.to_turn else _NOTHING),
        ("not turned yet", " ".join(deck) or "nobody"),
        ("counters in the bag", str(state.bag_size)),
        ("markers left", colours_told(colours_left(config, state).elements())),
    ]
    stasi = stasi_holder(config, state)
    watched = stasi[0] if stasi else state.watched
    if watched is not None:
        rows.append(("Stasi officer", f"with {config.named(watched)}"))
    clues = tableau.Counters("public clues", tuple(map(_clue, state.public)))
    cards = tableau.Cards("deck", down=len(deck) + len(state.cards), told=f"{len(deck)} suspects{investigators}")
    return tableau.Place(f"Round {state.round} of {config.rounds}", rows=tuple(rows), counters=(clues,), cards=(cards,))


def _place(config: Config, view: Seen, agent: Agent) -> tableau.Place:
    state = view.state
    rows = [("accuses", state.accused(agent.seat) or _NOTHING)]
    if state.speaking or state.stage in (Stage.CLUES, Stage.WINDOW):
        rows.append(("answer", _answer(view, agent)))
    drawn = f"{agent.trait} counter" if agent.trait not in (None, SEALED) else "secret"
    clue = tableau.Counter(drawn) if agent.seen_clue is None else _clue(agent.seen_clue)
    watched = "open" if lies_open(config, state, agent) else "open when all have chosen"
    told = f"{clue.text} ({watched})" if state.watched == agent.seat else ""
    stay = left_open(config, agent)
    held = colours_told(colours(config, agent)) + (f" ({' '.join(stay)} open)" if stay else "")
    markers = tuple(_marker(config, marker) for marker in agent.markers)
    counters = tableau.Counters("clue", (clue,), told), tableau.Counters("markers", markers, held)
    row, pile = (tuple(_cards(config, state, suspects)) for suspects in (agent.row, agent.pile))
    cards = tableau.Cards("row", row), tableau.Cards("pile", pile, is_pile=True)
    return tableau.Place(config.named(agent.seat), agent.seat, tuple(rows), counters, cards)


def _cards(config: Config, state: State, suspects: tuple[SuspectId, ...]) -> Iterator[tableau.Card]:
    """Yield suspects with their looks, accusers, and the number of clues known to the viewer that they match."""
    for suspect in suspects:
        by, matches = state.accuser(suspect), len(config.matched(suspect, state.clues))
        remark = f"{matches}/{len(state.clues)}" if state.clues else ""
        yield tableau.Card(suspect, tuple(map(_seen, config.looks[suspect])), remark, (by,) if by else ())


def _seen(face: Face) -> tableau.Feature:
    return tableau.Feature(face.words, tableau.Look(face.value.removeprefix("no_")), face.value.startswith("no_"))


def _clue(face: Face) -> tableau.Counter:
    return tableau.Counter(face.words, feature=_seen(face))


def _marker(config: Config, marker: MarkerId | Colour) -> tableau.Counter:
    """Return a marker with its points, or its back with the colour."""
    colour = config.colour_of(marker)
    points = "" if isinstance(marker, Colour) else config.points([marker])
    return tableau.Counter(f"{colour} {points}".strip(), f"{colour[0].upper()}{points}".replace("-", "−"), ground=colour)


def _answer(view: Seen, agent: Agent) -> str:
    """Return the sealed answer of a seat as the viewer may read it."""
    answer: Any = agent.answer
    statement: Any = agent.statement
    if SEALED in (answer, statement) or (view.state.stage is Stage.CLUES and agent.clue is not None):
        return "in"
    if answer is not None:
        return str(answer.text())
    if statement is not None:
        return str(statement.text())
    return "awaited" if view.is_due(agent.seat) else _NOTHING


def _marker_rows(config: Config, view: Seen, agent: Agent) -> Iterator[tuple[object, ...]]:
    is_open = sees_markers(config, view.state, agent, view.viewer)
    for marker in agent.markers if is_open else left_open(config, agent):
        held = config.markers[marker]
        remark = {"none": "", "stasi": "Stasi officer", "adler": "Café Adler"}[held.power]
        spent = ", exchanged" if marker in agent.spent else ""
        yield (config.investigators[agent.seat], marker, held.colour.value, held.points, f"{remark}{spent}")


_of_seat: Final = partial(fact_of_seat, find=Config.seat_called)
_of_agent: Final = partial(fact_of_own, find=Config.seat_called)


def _of_colour(colour: Colour) -> Fact:
    words = f"how many {colour} markers you have; `{colour} of X`"
    return _of_agent(words, lambda config, agent: colours(config, agent).count(colour))


def _accused(config: Config, view: Seen, argument: str) -> Value:
    state = view.state
    if argument:
        seat = config.seat_called(argument)
        return None if seat is None else state.accused(seat)
    by_seat = (state.accused(agent.seat) for agent in state.agents)
    return tuple(suspect for suspect in by_seat if suspect is not None)


def _markers(config: Config, view: Seen, seat: Seat) -> Value:
    agent = view.state.agent(seat)
    return agent.markers if sees_markers(config, view.state, agent, view.viewer) else len(agent.markers)


def _points(config: Config, view: Seen, seat: Seat) -> Value:
    agent = view.state.agent(seat)
    return config.points(agent.markers) if sees_markers(config, view.state, agent, view.viewer) else None


def _open(config: Config, view: Seen, seat: Seat) -> Value:
    stasi = stasi_holder(config, view.state)
    return (*left_open(config, view.state.agent(seat)), *([stasi[1]] if stasi and stasi[0] == seat else []))


def _pool(config: Config, view: Seen, argument: str) -> Value:
    left = colours_left(config, view.state)
    colour = argument.lower()
    known = left[Colour(colour)] if colour in set(Colour) else None
    return known if colour else left.total()


def _looks(config: Config, _view: Seen, argument: str) -> Value:
    looks = config.looks.get(SuspectId(argument.capitalize()))
    return None if looks is None else tuple(face.value for face in looks)


def _matches(config: Config, view: Seen, argument: str) -> Value:
    suspect = SuspectId(argument.capitalize())
    return len(config.matched(suspect, view.state.clues)) if suspect in config.looks else None


FACTS: Final = {
    "round": fact("the number of the round, from 1", lambda _config, view: view.state.round),
    "window": fact("the number of the round's latest window, from 1", lambda _config, view: view.state.window),
    "shown": fact("the suspects turned this round, or how many", lambda _config, view: view.state.shown),
    "deck": fact(
        "cards left in the deck, including investigators' cards",
        lambda config, view: len(view.state.deck(config)) + len(view.state.cards),
    ),
    "row": _of_agent("the suspects of your row, or how many; `row of X` for an investigator or a seat", "row"),
    "pile": _of_agent("your pile of the innocent, or how many; `pile of X`", "pile"),
    "accused": fact_at("all accused suspects, or how many; `accused of X`: the suspect whom X accuses", _accused),
    "public": fact(
        "the public clues, or how many; a face is one word, such as no_hat",
        lambda _config, view: tuple(face.value for face in view.state.public),
    ),
    "clue": _of_agent(
        "your clue, in one word; `clue of X` if it lies open",
        lambda _config, agent: agent.seen_clue and agent.seen_clue.value,
    ),
    "looks": fact_at("`looks of SUSPECT`: its five faces, such as hat or no_newspaper", _looks),
    "matches": fact_at(
        "`matches of SUSPECT`: how many of the clues that you know it matches: yours and the open ones", _matches
    ),
    "markers": _of_seat("your score markers by id, or how many; `markers of X`: how many", _markers),
    "open": _of_seat("your open markers, or how many: the Stasi marker, exchanged Café Adler markers; `open of X`", _open),
    "points": _of_seat("the value of your markers; `points of X` when the game is over", _points),
    "gold": _of_colour(Colour.GOLD),
    "white": _of_colour(Colour.WHITE),
    "black": _of_colour(Colour.BLACK),
    "pool": fact_at("the number of score markers left; `pool of gold`", _pool),
}
"""What conditions may ask for; X is an investigator or a seat, in any case."""
