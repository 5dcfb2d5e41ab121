"""Make small scenes for tests: spaces in a row, with what lies there and the pieces on them."""

from __future__ import annotations

from adjudicator.scenes import Entry, Flow, Frame, Legend, Run, Scene, Token, group, rect, words

Space = tuple[str, object, tuple[str, ...]]
"""A label, what lies there, and the seats of the pieces."""


def space(label: str, *seats: str, holds: object = None) -> Space:
    return label, holds, seats


def lap(*spaces: Space, title: str = "Lap", field: str = "") -> Scene:
    """Return ``spaces`` in a row, 60 pixels wide each."""
    drawn = []
    for at, (label, holds, seats) in enumerate(spaces):
        parts = rect(60, 40, fill="#ffffff", stroke="#888888"), words(label, 30, 12)
        drawn.append(group(parts, 60 * at, 0, id=label, frame=Frame(30, 20, 60, 40), holds=holds))
        for lane, seat in enumerate(seats):
            drawn.append(Token(seat, 60 * at + 20 * (lane + 1), 28, label, seat, seat, field=field))
    columns = tuple((Run(label), *(Run(f"▲{seat}", seat=seat) for seat in seats)) for label, _, seats in spaces)
    told = tuple(f"On {label}: {', '.join(seats)}." for label, _, seats in spaces if seats)
    return Scene(title, title, tuple(drawn), 60 * len(spaces), 40, text=Flow(columns), sentences=told)


def key(*names: str) -> Legend:
    """Return a legend with an entry for each of ``names``, and one for pieces."""
    box = rect(14, 14, fill="#dddddd")
    piece = Token("", 8, 7, ink="#555555", is_key=True)
    entries = tuple(Entry(name, (box,), 20, Run(name[:1], word=name, place=at)) for at, name in enumerate(names))
    return Legend((entries, (Entry("car", (piece,), 22, Run("▲")),)))
