"""Describe the component set: the map, what each card does, the marked rallies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.game import View, drawing
from adjudicator.games.rally_round.board import LEGEND, SIGNS_TOLD, bare_map
from adjudicator.games.rally_round.components import BY_COLOUR, Components, Does, Effect
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.kits import choosable
from adjudicator.games.rally_round.picture import map_scene
from adjudicator.games.rally_round.route import posts_of
from adjudicator.games.rally_round.state import Crew, State

_EFFECTS: Final = {
    Does.START: "start at up to",
    Does.ACCELERATE: "speed up by up to",
    Does.DECELERATE: "slow down by up to",
    Does.BRIDGE: "take bridges faster by",
    Does.BEND: "take bends faster by",
    Does.ROUGH: "cross rough ground faster by",
    Does.QUIET: "drive through Quiet Zones faster by",
    Does.WATERPROOF: "stop in fords without flooding the engine",
    Does.BLACK_SPOT: "pass Black Spots",
    Does.HIDDEN_TRACK: "use hidden tracks",
    Does.PASSAGE: "pass PCs without stopping",
    Does.GIVE_WAY: "pass Give Ways without stopping",
    Does.UNOVERTAKEN: "let no one overtake",
    Does.STOP: "stop here",
}


def boxed(components: Components) -> drawing.Drawing:
    """Draw the component set: the map with its signs and hidden tracks, the kit and hazard cards, the rallies."""
    kit = tuple((card.id, card.kind, card.name, _effects(card.effects)) for card in components.kit)
    hazards = tuple(
        (card.id, "kept" if card.is_kept else "at once", card.name, _effects(card.effects)) for card in components.hazards
    )
    tracks = tuple((track.id, track.name, "–".join(track.ends)) for track in components.tracks)
    rallies = tuple(
        (rally.id, rally.name, " ".join(f"{post.name} {post.square}" for post in posts_of(rally.controls)))
        for rally in components.rallies
    )
    return drawing.Drawing(
        (
            drawing.Fields("", ((components.name, components.note),)),
            map_scene(bare_map(components, "Map")),
            LEGEND,
            SIGNS_TOLD,
            drawing.Columns(f"Hidden tracks ({len(tracks)})", ("track", "name", "from and to"), tracks),
            drawing.Columns(f"Kit cards ({len(kit)})", ("card", "kind", "name", "what it does"), kit),
            drawing.Columns(f"Hazard cards ({len(hazards)})", ("card", "when", "name", "what it does"), hazards),
            drawing.Columns(f"Rallies ({len(rallies)})", ("rally", "name", "controls"), rallies),
        )
    )


def _effects(effects: tuple[Effect, ...]) -> str:
    return "; ".join(map(effect_told, effects))


def choices(view: View[Config, State, Crew]) -> Iterator[tuple[str, str]]:
    """Yield the kit cards that the viewer can pick or has, and the hazard cards it keeps, each with what it does."""
    crew, config = view.own, view.config
    if crew is None or crew.out is not None:
        return
    is_asked = not config.is_table or any(due.kind == "kit" for due in view.due)
    for name in (*(choosable(config, view.state, crew) if is_asked else ()), *crew.kit):
        card = config.kit[name]
        yield name, f"{card.name} ({card.kind}): {_effects(card.effects)}"
    for held in crew.held:
        hazard = config.hazards[held]
        yield held, f"{hazard.name} (for one turn): {_effects(hazard.effects)}"


def effect_told(effect: Effect) -> str:
    """Return what a card does: ``take bends faster by 20 mph on red, 10 mph on yellow``."""
    if effect.does is Does.MISS:
        return f"miss {effect.turns} {'turn' if effect.turns == 1 else 'turns'}"
    words = _EFFECTS[effect.does]
    if effect.does not in BY_COLOUR:
        return words
    speeds = {"red": effect.red, "yellow": effect.yellow, "white": effect.white}
    if len({*speeds.values()}) == 1:
        return f"{words} {effect.red} mph"
    return f"{words} {', '.join(f'{mph} mph on {colour}' for colour, mph in speeds.items() if mph)}"
