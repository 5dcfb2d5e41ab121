"""Draw a game: helpers that make scenes of paths, texts, groups, symbols and tokens, for all games.

* ``scene.py``: the parts of a scene and their ids, makers of shapes, panels of seats, colours, sentences about a scene.
* ``letters.py``: widths of text, letters that fit, free places for names; short names and inks on boards of characters.
* ``drawing.py``: pictures, legends and tables from top to bottom.

Everything here is pure.
"""

from adjudicator.core.phrases import clip, display_width
from adjudicator.scenes.letters import (
    Box,
    Taken,
    bare,
    fitting,
    in_parts,
    initial,
    inked,
    short_name,
    text_lines,
    text_width,
)
from adjudicator.scenes.scene import (
    FAINT,
    LETTER,
    SEAT,
    SIGNS,
    STRONG,
    Element,
    Entry,
    Frame,
    Gauge,
    Group,
    Hatch,
    Later,
    Legend,
    Panel,
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
    ground_ink,
    group,
    line,
    number,
    panel_scenes,
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
