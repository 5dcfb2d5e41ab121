"""Draw a game: helpers that make scenes of paths, texts, groups, symbols and tokens, for all games.

``adjudicator.scenes.scene`` describes the parts of a scene and their ids. Everything here is pure.

* Shapes: ``shapes.py`` (rectangles, circles, lines), ``letters.py`` (widths of text, letters that fit), ``labels.py`` (free
  places), ``colors.py`` (grounds, seats).
* Parts that several games have: ``panels.py`` (seats side by side).
* Text: ``characters.py`` (short names, inks, boards in parts), ``things.py`` (sentences).
"""

from adjudicator.core.width import clip, display_width
from adjudicator.scenes.characters import SIGNS, bare, in_parts, initial, inked, short_name
from adjudicator.scenes.colors import ground_ink
from adjudicator.scenes.labels import Box, Taken
from adjudicator.scenes.letters import fitting, text_lines, text_width
from adjudicator.scenes.panels import Gauge, Panel, panel_scenes
from adjudicator.scenes.scene import (
    FAINT,
    LETTER,
    SEAT,
    STRONG,
    Element,
    Entry,
    Frame,
    Group,
    Hatch,
    Later,
    Legend,
    Path,
    Scene,
    Sign,
    Symbol,
    Text,
    Token,
)
from adjudicator.scenes.shapes import Point, circle, ellipse, group, line, number, polygon, rect, way, words
from adjudicator.scenes.things import describe

__all__ = ["Box", "Taken", "clip", "describe", "display_width", "ground_ink"]
__all__ += ["SIGNS", "bare", "in_parts", "initial", "inked", "short_name"]
__all__ += ["fitting", "text_lines", "text_width"]
__all__ += ["Gauge", "Panel", "panel_scenes"]
__all__ += ["FAINT", "LETTER", "SEAT", "STRONG", "Element", "Entry", "Frame", "Group", "Hatch", "Later", "Legend", "Path"]
__all__ += ["Scene", "Sign", "Symbol", "Text", "Token"]
__all__ += ["Point", "circle", "ellipse", "group", "line", "number", "polygon", "rect", "way", "words"]
