"""What is in the box: the map, the cards in words, the rallies that are marked."""

from __future__ import annotations

from typing import Final

from adjudicator.game import drawing
from adjudicator.games.rally_round.board import LEGEND, SIGNS_TOLD, feature_sign
from adjudicator.games.rally_round.components import BY_COLOUR, Components, Does, Effect
from adjudicator.games.rally_round.network import network_of
from adjudicator.games.rally_round.route import posts_of

_IN_WORDS: Final = {
    Does.START: "start at up to",
    Does.ACCELERATE: "accelerate by up to",
    Does.DECELERATE: "slow down by up to",
    Does.BRIDGE: "over bridges faster by",
    Does.BEND: "through bends faster by",
    Does.ROUGH: "over rough ground faster by",
    Does.QUIET: "through Quiet Zones faster by",
    Does.WATERPROOF: "waterproof in fords",
    Does.BLACK_SPOT: "may pass Black Spots",
    Does.HIDDEN_TRACK: "may use hidden tracks",
    Does.PASSAGE: "need not stop at PCs",
    Does.GIVE_WAY: "need not stop at Give Ways",
    Does.UNOVERTAKEN: "may not be overtaken",
    Does.STOP: "stop here",
}


def boxed(components: Components) -> drawing.Drawing:
    """Return what is in the box: the map with its signs and hidden tracks, the kit and hazard cards, the rallies."""
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
            _map(components),
            LEGEND,
            SIGNS_TOLD,
            drawing.Columns(f"Hidden tracks ({len(tracks)})", ("track", "name", "from and to"), tracks),
            drawing.Columns(f"Kit cards ({len(kit)})", ("card", "kind", "name", "what it does"), kit),
            drawing.Columns(f"Hazard cards ({len(hazards)})", ("card", "when", "name", "what it does"), hazards),
            drawing.Columns(f"Rallies ({len(rallies)})", ("rally", "name", "controls"), rallies),
        )
    )


def _map(components: Components) -> drawing.Roadmap:
    network = network_of(components)
    spots = tuple(
        drawing.Spot(
            x=square.x,
            y=square.y,
            label=square.id,
            ground=str(square.colour),
            sign=feature_sign(square),
            name=square.place or "",
        )
        for square in components.squares
    )
    roads = tuple((here, there) for here, others in network.links.items() for there in others if here < there)
    tracks = tuple((track.ends[0], track.ends[1]) for track in components.tracks)
    return drawing.Roadmap("Map", spots, roads, tracks, track_names=tuple(str(track.id) for track in components.tracks))


def _effects(effects: tuple[Effect, ...]) -> str:
    return "; ".join(map(effect_told, effects))


def effect_told(effect: Effect) -> str:
    """Return in words what a card does."""
    if effect.does is Does.MISS:
        return f"miss {effect.turns} {'turn' if effect.turns == 1 else 'turns'}"
    words = _IN_WORDS[effect.does]
    if effect.does not in BY_COLOUR:
        return words
    speeds = {"red": effect.red, "yellow": effect.yellow, "white": effect.white}
    if len({*speeds.values()}) == 1:
        return f"{words} {effect.red} mph"
    return f"{words} {', '.join(f'{mph} on {colour}' for colour, mph in speeds.items() if mph)}"
