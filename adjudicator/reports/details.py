"""Choose details of a picture by name, such as one section of a route, each as wide as a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from adjudicator.scenes import scene
from adjudicator.scenes.drawing import Drawing
from adjudicator.scenes.scene import Scene

WIDTH: Final = 400
"""The width of a phone in pixels."""
ALL: Final = "all"
"""The name that means every detail, one below the other."""


def section_names(drawing: Drawing) -> tuple[str, ...]:
    """Return the names of the details of the scenes in ``drawing``."""
    return tuple(name.split()[-1] for shape in drawing.shapes if isinstance(shape, Scene) for name, _ in shape.details)


def section_drawing(drawing: Drawing, wanted: str) -> Drawing | None:
    """Return the details called ``wanted``, with the legends; ``None`` if there is no such detail.

    A detail can be named by its name, ``TC3``, or by its number alone, ``3``; ``all`` means every one.
    """
    scenes = (shape for shape in drawing.shapes if isinstance(shape, Scene))
    found = [
        one
        for shape in scenes
        for name, windows in shape.details
        if _is_meant(name, wanted)
        for one in _windows(shape, name, windows)
    ]
    if not found:
        return None
    return Drawing((*found, *(shape for shape in drawing.shapes if isinstance(shape, scene.Legend))))


def focus_drawing(drawing: Drawing) -> Drawing | None:
    """Return the details that the reader of ``drawing`` needs now; ``None`` if no scene has any."""
    scenes = [shape for shape in drawing.shapes if isinstance(shape, Scene)]
    found = [
        detail
        for shape in scenes
        for name, windows in shape.details
        if name == shape.focus
        for detail in _windows(shape, name, windows)
    ]
    return Drawing(tuple(found)) if found else None


def _windows(shape: Scene, name: str, windows: tuple[scene.Frame, ...]) -> Iterator[Scene]:
    for number, at in enumerate(windows, 1):
        title = f"{name}, part {number} of {len(windows)}" if len(windows) > 1 else name
        parts = (scene.Group((*shape.parts, *shape.over), at.width / 2 - at.x, at.height / 2 - at.y),)
        yield Scene(f"map {title}", title, parts, at.width, at.height)


def _is_meant(name: str, wanted: str) -> bool:
    asked = wanted.casefold().strip()
    return asked in (ALL, name.casefold(), name.casefold().split()[-1]) or (
        asked.isdecimal() and re.sub(r"\D", "", name) == asked
    )
