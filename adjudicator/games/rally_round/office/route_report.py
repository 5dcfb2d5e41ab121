"""Write a rally route for people: its flaws, its sections with target times, and its road book."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.game import count
from adjudicator.games.rally_round.office.outputs import AmbiguousLeg, ComparedSection, LaidRoute, LaidSection
from adjudicator.games.rally_round.timing import clock
from adjudicator.reports.text.sanitize import printable
from adjudicator.reports.text.table import table_lines

_HEADINGS: Final = ("control", "square", "from", "squares", "section", "target")


def route_text(laid: LaidRoute) -> str:
    """Return ``laid`` for people, problems first."""
    blocks = [[f"{laid.rally}: a route on {laid.map}"]]
    if laid.flaws or laid.ambiguous:
        legs = [line for leg in laid.ambiguous for line in _leg(leg)]
        if laid.settled_by:
            legs.append(f"  with Black Spots on {', '.join(laid.settled_by)} there is only one way everywhere")
        blocks.append(["This route cannot be driven:", *(f"  {flaw}" for flaw in laid.flaws), *legs])
    if laid.warnings:
        blocks.append(["Please check:", *(f"  {warning}" for warning in laid.warnings)])
    if laid.laid:
        sections, squares = len(laid.laid), sum(section.distance for section in laid.laid)
        time = clock(sum(section.target for section in laid.laid))
        rows = [row for section in laid.laid for row in _rows(section)]
        blocks.append(
            [*table_lines(_HEADINGS, rows), f"{count(sections, 'section')}, {count(squares, 'square')}, {time} in all"]
        )
    if laid.old_route:
        blocks.append(["Compared with the transcription:", *(f"  {_compared(one)}" for one in laid.old_route)])
    if laid.laid:
        blocks.append(["Road book", *(line for section in laid.laid for line in section.road_book)])
    return "\n\n".join("\n".join(map(printable, block)) for block in blocks)


def _rows(section: LaidSection) -> Iterator[tuple[str, ...]]:
    for control in section.controls:
        place = (control.control, control.square, control.side)
        if control.control != section.control:
            yield (*place, f"({control.distance})", "", "")
            continue
        speed = f" at {section.speed} mph" if section.speed else ""
        yield (*place, str(control.distance), f"{section.timing}{speed}", clock(section.target))


def _leg(leg: AmbiguousLeg) -> Iterator[str]:
    yield f"  from {leg.leaves} to {leg.control} there are {leg.ways:,} ways of {leg.distance} squares (RR-L2)"
    for remedy in leg.remedies:
        spots = "a Black Spot" if len(remedy.squares) == 1 else "Black Spots"
        yield f"    {spots} on {', '.join(remedy.squares)} would leave only the way over {remedy.through}"
    if not leg.remedies:
        yield "    move a control or add a PC: no Black Spots off the route leave only one way"


def _compared(one: ComparedSection) -> str:
    if not one.step:
        return f"{one.control}: the same"
    ours, theirs = one.ours or "nothing more", one.theirs or "nothing more"
    return f"{one.control}: first difference at step {one.step}: here {ours}, there {theirs}"
