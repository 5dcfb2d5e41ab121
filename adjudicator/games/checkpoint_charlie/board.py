"""Show the table: suspects on cards, clues, markers, accusations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from adjudicator.game import View, drawing
from adjudicator.games.checkpoint_charlie import tableau
from adjudicator.games.checkpoint_charlie.components import TRAITS, Colour, Components, Config, Face, MarkerId, SuspectId
from adjudicator.games.checkpoint_charlie.picture import look_entries, piece_entry, tableau_scenes
from adjudicator.games.checkpoint_charlie.purse import colours, colours_left, colours_told, stasi_holder
from adjudicator.games.checkpoint_charlie.state import DECK, SEALED, Agent, Stage, State, lies_open, sees_markers
from adjudicator.games.checkpoint_charlie.tableau_text import tableau_tables
from adjudicator.games.checkpoint_charlie.wall import wall_entries, wall_scene
from adjudicator.scenes import Legend, Scene

Seen = View[Config, State, Agent]
_NOTHING: Final = "–"


def draw(view: Seen) -> drawing.Drawing:
    """Return the wall of suspects, the middle, and before each seat its clue, its markers, its row and its pile."""
    table = table_of(view)
    legend = Legend(((*look_entries(), *wall_entries(), piece_entry(table)),))
    shapes: list[drawing.Shape] = [_wall(view.config, view.state), *tableau_scenes(table), legend, *tableau_tables(table)]
    rows = [row for agent in view.state.agents for row in _marker_rows(view, agent)]
    if rows:
        shapes.append(drawing.table("Visible score markers", ("of", "marker", "colour", "points", ""), rows))
    return drawing.Drawing(tuple(shapes))


def catalogue(components: Components) -> tuple[drawing.Shape, ...]:
    """Return the suspects of a component set as cards, with the meaning of their signs."""
    cards = [tableau.Card(suspect.id, tuple(map(_seen, suspect.looks))) for suspect in components.suspects]
    return wall_scene(cards), Legend((tuple(look_entries()),))


def _wall(config: Config, state: State) -> Scene:
    """Return all suspects, with the clues that the viewer knows."""
    absent = frozenset(DECK.left(config, state))
    matches = {suspect: len(config.matched(suspect, state.clues)) for suspect in config.looks}
    cards = [
        tableau.Card(suspect, tuple(map(_seen, looks)), f"{matches[suspect]}/{len(state.clues)}" if state.clues else "")
        for suspect, looks in config.looks.items()
    ]
    crossed = frozenset(suspect for suspect, many in matches.items() if many < len(state.clues))
    return wall_scene(cards, crossed, absent)


def table_of(view: Seen) -> tableau.Tableau:
    """Return what lies on the table, as the viewer may see it."""
    places = (_middle(view.config, view.state), *(_place(view, agent) for agent in view.state.agents))
    return tableau.Tableau("Investigators", places, "Suspects", "suspect", tuple(TRAITS), "accused by", "matches")


def _middle(config: Config, state: State) -> tableau.Place:
    deck = DECK.left(config, state)
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


def _place(view: Seen, agent: Agent) -> tableau.Place:
    config, state = view.config, view.state
    rows = [("accuses", state.accused(agent.seat) or _NOTHING)]
    if state.speaking or state.stage in (Stage.CLUES, Stage.WINDOW):
        rows.append(("answer", _answer(view, agent)))
    drawn = f"{agent.trait} counter" if agent.trait not in (None, SEALED) else "secret"
    clue = tableau.Counter(drawn) if agent.seen_clue is None else _clue(agent.seen_clue)
    watched = "open" if lies_open(config, state, agent) else "open when all have chosen"
    told = f"{clue.text} ({watched})" if state.watched == agent.seat else ""
    stay = agent.spent
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
    return tableau.Feature(face.words, face.look, face.look is not face)


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


def _marker_rows(view: Seen, agent: Agent) -> Iterator[tuple[object, ...]]:
    config = view.config
    is_open = sees_markers(config, view.state, agent, view.seat)
    for marker in agent.markers if is_open else agent.spent:
        held = config.markers[marker]
        remark = {"none": "", "stasi": "Stasi officer", "adler": "Café Adler"}[held.power]
        spent = ", exchanged" if marker in agent.spent else ""
        yield (config.investigators[agent.seat], marker, held.colour.value, held.points, f"{remark}{spent}")
