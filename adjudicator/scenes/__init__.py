"""Draw a game: helpers that make scenes of paths, texts, groups, symbols and tokens, for all games.

``adjudicator.scenes.scene`` describes the parts of a scene and their ids. Everything here is pure.

* ``scene.py``: the parts of a scene, makers of shapes (rectangles, circles, lines), and sentences about them.
* ``letters.py``: widths of text, letters that fit, free places for names; ``colors.py``: grounds, seats.
* ``panels.py``: parts that several games have, seats side by side.
* ``characters.py``: text with short names, inks, boards in parts.
"""

from adjudicator.core.phrases import clip, display_width
from adjudicator.scenes.characters import SIGNS, bare, in_parts, initial, inked, short_name
from adjudicator.scenes.colors import ground_ink
from adjudicator.scenes.letters import Box, Taken, fitting, text_lines, text_width
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
    Point,
    Scene,
    Sign,
    Symbol,
    Text,
    Token,
    circle,
    describe,
    ellipse,
    group,
    line,
    number,
    polygon,
    rect,
    way,
    words,
)

__all__ = ["Box", "Taken", "clip", "describe", "display_width", "ground_ink"]
__all__ += ["SIGNS", "bare", "in_parts", "initial", "inked", "short_name"]
__all__ += ["fitting", "text_lines", "text_width"]
__all__ += ["Gauge", "Panel", "panel_scenes"]
__all__ += ["FAINT", "LETTER", "SEAT", "STRONG", "Element", "Entry", "Frame", "Group", "Hatch", "Later", "Legend", "Path"]
__all__ += ["Scene", "Sign", "Symbol", "Text", "Token"]
__all__ += ["Point", "circle", "ellipse", "group", "line", "number", "polygon", "rect", "way", "words"]
