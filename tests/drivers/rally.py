"""Drive rallies in tests: maps drawn in letters, games on them, and amendments in a few words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import adjudicator as adj

ROWS = Path(__file__).parent.parent / "rules" / "rally-round" / "rows.json"
"""The component set of the scenarios."""
PLAIN = ("D1", "N1", "E1", "S1", "A1", "B1")
KINDS = ("driver", "navigator", "equipment", "start", "accel", "decel")
SIGNS = {
    "b": ("bend", None), "h": ("bridge", None), "q": ("quiet-zone", None), "f": ("ford", None), "!": ("hazard", None),
    "r": ("rough", None), "#": ("chequered", None), ">": ("gradient", "E"), "<": ("gradient", "W"), "}": ("steep", "E"),
    "{": ("steep", "W"), "g": ("give-way", "E"), "G": ("give-way", "W"),
}  # fmt: skip
COLOURS = {"r": "red", "o": "orange", "y": "yellow", "w": "white"}


def effect(does: str, *mph: int, turns: int = 0) -> dict[str, Any]:
    """Return an effect of a card, with one mph or one for each of red, yellow, white."""
    return {
        "does": does,
        "turns": turns,
        **dict(zip(("red", "yellow", "white"), mph * (3 // len(mph or (0,))), strict=False)),
    }


def hazard(name: str, *effects: dict[str, Any]) -> dict[str, Any]:
    """Return a hazard card."""
    return {"id": name, "name": f"Card {name}", "effects": effects}


def plain_kit(*special: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a card of each kind, D1 to B1, that changes nothing for a crew alone; the driver has ``special`` effects."""
    nothing = [effect("unovertaken")]
    return [
        {"id": card, "kind": kind, "name": f"Plain {kind}", "effects": (special if card == "D1" else ()) or nothing}
        for card, kind in zip(PLAIN, KINDS, strict=True)
    ]


def drawn(
    main: str,
    colours: str = "",
    *,
    lanes: Iterable[str] = (),
    tracks: Iterable[str] = (),
    hazards: Iterable[dict[str, Any]] = (),
    kit: Iterable[dict[str, Any]] = (),
    controls: str = "",
    timing: str = "road",
    black_spots: str = "",
) -> dict[str, Any]:
    """Return a component set: a road from A1 to the east in signs, yellow ``lanes``, and a rally to its end."""
    squares: dict[str, dict[str, Any]] = {}
    for x, (sign, colour) in enumerate(zip(main, colours or "r" * len(main), strict=True), 1):
        feature, toward = SIGNS.get(sign, (None, None))
        name = f"{chr(64 + x)}1"
        squares[name] = {"id": name, "x": x, "y": 1, "colour": COLOURS[colour], "feature": feature, "toward": toward}
    roads = [{"name": "Main Road", "squares": [*squares]}]
    for number, lane in enumerate(lanes, 1):
        for name in lane.split():
            square = {"id": name, "x": ord(name[0]) - 64, "y": int(name[1:]), "colour": "yellow"}
            squares.setdefault(name, square)
        roads.append({"name": f"Lane {number}", "squares": lane.split()})
    marked = rally(controls or f"A1 {chr(64 + len(main))}1:W:{timing}", black_spots)
    hidden = [{"id": f"HT{n}", "name": f"Path {n}", "ends": ends.split()} for n, ends in enumerate(tracks, 1)]
    return {
        "id": "drawn", "version": 1, "name": "Drawn", "note": "", "squares": [*squares.values()], "roads": roads,
        "tracks": hidden, "hazards": [*hazards], "kit": [*kit] or plain_kit(), "rallies": [marked],
    }  # fmt: skip


def rally(controls: str, black_spots: str = "") -> dict[str, Any]:
    """Return a marked map: `A1 F1:W M1:W:regularity:24`."""
    return {"id": "drawn", "name": "Drawn", "controls": as_controls(controls), "black_spots": black_spots.split()}


def as_controls(text: str) -> list[dict[str, Any]]:
    """Return controls by their squares, sides, sections and speeds."""
    made = []
    for word in text.replace(",", " ").split():
        one: dict[str, Any] = dict(zip(("square", "side", "section", "speed"), word.split(":"), strict=False))
        made.append({name: int(value) if name == "speed" else value for name, value in one.items() if value})
    return made


def begin(
    folder: Path, components: dict[str, Any] | Path | None, seats: str = "red", *, position: Any = None, **choices: Any
) -> adj.Game:
    """Begin a game with a component set and a position that are written to ``folder``; options as ``illegal_speed=…``."""
    options = {
        name.replace("_", "-"): value for name, value in choices.items() if name not in ("version", "seed", "recorded")
    }
    files = {}
    for name, value in (("components", components), ("position", position)):
        if isinstance(value, dict):
            path = folder / f"{name}.json"
            path.write_text(json.dumps(value), "utf-8")
            files[name] = str(path)
        elif value is not None:
            files[name] = str(value)
    return adj.new("rally-round", seats.split(), options=options, **{"seed": 7, **more}, **files)


def told(error: adj.AdjudicatorError) -> list[str]:
    """Return all problems of a refused set-up or amendment, each with its rule."""
    return [f"{one.message} ({one.rule})" for one in error.problems]
