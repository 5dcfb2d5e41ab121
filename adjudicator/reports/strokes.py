"""Choose the characters for roads: for each stroke a line across, a line down, and a joint for every set of exits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.core.drawing import Stroke
from adjudicator.core.frozen import frozen

NORTH, EAST, SOUTH, WEST = range(4)


@frozen
class Pen:
    """The characters of a stroke: ``across``, ``down``, and ``joints`` by the sum of 1 north, 2 east, 4 south, 8 west."""

    across: str
    down: str
    joints: str

    def joint(self, exits: Sequence[bool]) -> str:
        """Return the joint of roads to ``exits`` (north, east, south, west), a blank for none."""
        return self.joints[sum(1 << side for side, is_exit in enumerate(exits) if is_exit)]


PENS: Final = {
    Stroke.DOUBLE: Pen("═", "║", " ║═╚║║╔╠═╝═╩╗╣╦╬"),
    Stroke.SINGLE: Pen("─", "│", " ╵╶└╷│┌├╴┘─┴┐┤┬┼"),
    Stroke.DOTTED: Pen("∙", "∙", " ∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙"),
}
