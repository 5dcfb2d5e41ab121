"""The table as shapes: investigators, suspects with their looks, deck and markers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.core.drawing import Columns, Drawing, Fields, Shape
from adjudicator.games.checkpoint_charlie.components import SuspectId
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.standings import colours_told
from adjudicator.games.checkpoint_charlie.state import Stage
from adjudicator.games.checkpoint_charlie.view import AgentView, View, known_clues

_IN_WINDOW: Final = (Stage.CLUES, Stage.WINDOW, Stage.HEARING)
_NOTHING: Final = "–"


def draw(config: Config, seen: View) -> Drawing:
    """Return what ``seen`` shows: the round, the investigators, the suspects turned with their looks, the markers."""
    shapes: list[Shape] = [_round(config, seen), _seats(seen)]
    if seen.shown:
        shapes.append(_suspects(config, seen))
    if any(agent.markers for agent in seen.agents):
        shapes.append(_markers(config, seen))
    return Drawing(tuple(shapes))


def _round(config: Config, seen: View) -> Fields:
    investigators = f", {len(seen.cards)} of investigators" if seen.cards else ""
    rows = [
        ("round", f"{seen.round} of {config.rounds}"),
        ("first player", config.named(seen.first) if seen.first else _NOTHING),
        ("turns next", config.named(seen.to_turn) if seen.to_turn else _NOTHING),
        ("deck", f"{len(seen.unseen)} suspects{investigators}"),
        ("not turned yet", " ".join(seen.unseen) or "nobody"),
        ("public clues", ", ".join(face.words for face in seen.public) or "none"),
        ("counters in the bag", str(seen.bag_count)),
        ("markers left", colours_told(seen.pool)),
    ]
    watched = seen.stasi or next((agent.seat for agent in seen.agents if agent.is_watched), None)
    if watched is not None:
        rows.append(("Stasi officer", f"with {config.named(watched)}"))
    return Fields("Round", tuple(rows))


def _seats(seen: View) -> Columns:
    headings = ["seat", "investigator", "clue", "row", "pile", "accuses", "markers"]
    is_sealing = seen.stage in _IN_WINDOW
    if is_sealing:
        headings.append("answer")
    rows = tuple((*_seat_row(agent), *([_answer(seen, agent)] if is_sealing else [])) for agent in seen.agents)
    return Columns("Investigators", tuple(headings), rows)


def _seat_row(agent: AgentView) -> tuple[str, ...]:
    clue = agent.clue.words if agent.clue else "secret"
    if agent.clue is None and agent.trait is not None:
        clue = f"{agent.trait} counter"
    return (
        agent.seat,
        agent.investigator,
        f"{clue} (open)" if agent.is_watched else clue,
        " ".join(agent.row) or _NOTHING,
        " ".join(agent.pile) or _NOTHING,
        agent.accused or _NOTHING,
        colours_told(agent.colours),
    )


def _answer(seen: View, agent: AgentView) -> str:
    if agent.answer is not None:
        return "waits" if agent.answer.suspect is None else f"accuses {agent.answer.suspect}"
    if agent.statement is not None:
        words = (agent.statement.speech, agent.statement.colour, agent.statement.other and f"with {agent.statement.other}")
        return " ".join(word for word in words if word)
    if agent.has_answered:
        return "in"
    return "awaited" if any(decision.seat == agent.seat for decision in seen.due) else _NOTHING


def _suspects(config: Config, seen: View) -> Columns:
    """Tell the looks of all who were turned, and how many of the clues one knows they match."""
    headings = ("suspect", "hat", "glasses", "coat", "colour", "newspaper", "lies", "accused by", "matches")
    clues = known_clues(seen)
    rows = []
    for agent in seen.agents:
        for where, suspects in (("row", agent.row), ("pile", agent.pile)):
            for suspect in suspects:
                looks = tuple(face.words for face in config.looks[suspect])
                matches = f"{len(config.matched(suspect, clues))} of {len(clues)}" if clues else _NOTHING
                rows.append((suspect, *looks, f"{where} of {agent.investigator}", _accuser(seen, suspect), matches))
    return Columns("Suspects turned", headings, tuple(rows))


def _accuser(seen: View, suspect: SuspectId) -> str:
    return next((agent.investigator for agent in seen.agents if agent.accused == suspect), _NOTHING)


def _markers(config: Config, seen: View) -> Columns:
    rows = tuple(row for agent in seen.agents for row in _marker_rows(config, agent))
    return Columns("Score markers one may see", ("of", "marker", "colour", "points", ""), rows)


def _marker_rows(config: Config, agent: AgentView) -> Iterator[tuple[str, ...]]:
    for marker in agent.markers or ():
        held = config.markers[marker]
        remark = "" if held.power == "none" else {"stasi": "Stasi officer", "adler": "Café Adler"}[held.power]
        spent = ", exchanged" if marker in (agent.spent or ()) else ""
        yield (agent.investigator, marker, held.colour.value, str(held.points), f"{remark}{spent}")
