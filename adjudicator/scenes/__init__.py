"""Draw a game: helpers that make scenes of paths, texts, groups, symbols and tokens, for all games.

``adjudicator.scenes.scene`` describes the parts of a scene and their ids. Everything here is pure.

* Shapes: ``shapes.py`` (rectangles, circles, lines), ``letters.py`` (widths of text),
  ``labels.py`` (places of names that cover nothing), ``colors.py`` (grounds, seats).
* Parts that several games have: ``panels.py`` (seats side by side).
* Text: ``characters.py`` (inks, boards in parts), ``names.py`` (short names of seats), ``describe.py`` (sentences).
* ``cache.py`` caches results under names, because a replay draws nearly the same picture hundreds of times.
"""

from adjudicator.core.width import clip, display_width
from adjudicator.scenes.cache import Kept
from adjudicator.scenes.canvas import Canvas
from adjudicator.scenes.characters import SIGNS, bare, in_parts, inked
from adjudicator.scenes.colors import ground_ink
from adjudicator.scenes.describe import describe
from adjudicator.scenes.labels import Box, Taken, placed_names
from adjudicator.scenes.letters import fitting, text_lines, text_width
from adjudicator.scenes.names import initial, short_name
from adjudicator.scenes.panels import Gauge, Panel, panel_scenes
from adjudicator.scenes.scene import (
    FAINT,
    LETTER,
    SEAT,
    STRONG,
    Element,
    Entry,
    Flow,
    Frame,
    Group,
    Hatch,
    Later,
    Legend,
    Lines,
    Path,
    Road,
    Run,
    Scene,
    Sign,
    Strip,
    Strips,
    Symbol,
    Text,
    Token,
)
from adjudicator.scenes.shapes import Point, circle, ellipse, group, line, number, polygon, rect, way, words

__all__ = ["Canvas", "Kept", "clip", "display_width", "ground_ink"]
__all__ += ["Box", "Taken", "placed_names"]
__all__ += ["fitting", "text_lines", "text_width"]
__all__ += ["SIGNS", "bare", "in_parts", "initial", "inked", "short_name"]
__all__ += ["describe"]
__all__ += ["Gauge", "Panel", "panel_scenes"]
__all__ += ["FAINT", "LETTER", "SEAT", "STRONG", "Element", "Entry", "Flow", "Frame", "Group", "Hatch", "Later"]
__all__ += ["Legend", "Lines", "Path", "Road", "Run", "Scene", "Sign", "Strip", "Strips", "Symbol", "Text", "Token"]
__all__ += ["Point", "circle", "ellipse", "group", "line", "number", "polygon", "rect", "way", "words"]
