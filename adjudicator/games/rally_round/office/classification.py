"""Rank time sheets that were kept by hand: by the least penalties, overall and in each class (RR-R1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from adjudicator.game import Seat, replace
from adjudicator.games.rally_round.office.outputs import ScoredSheet, SheetFinding, Verdict
from adjudicator.games.rally_round.office.sheet import FALSE, NOTE
from adjudicator.games.rally_round.result import ranked
from adjudicator.games.rally_round.timing import clock

Route = tuple[tuple[str, int, int], ...]
"""The sections of a rally: the control at the end of each, its squares, its target time in seconds."""


def classification(sheets: Sequence[ScoredSheet], known: Route = ()) -> tuple[ScoredSheet, ...]:
    """Return ``sheets`` with their places, the winner first; those that are out or have not finished come last.

    The route is the ``known`` one, or if that is empty the one that most sheets have. RR-R1 settles ties, overall and in
    each class. The findings also say where a sheet differs from other sheets.
    """
    routes = Counter(map(_route, sheets))
    route = known or max(routes, key=lambda one: (routes[one], len(one)), default=())
    others: Verdict = FALSE if 2 * routes[route] > len(sheets) else NOTE
    running = {at: _running(sheet, route) for at, sheet in enumerate(sheets)}
    placed = {at: totals for at, totals in running.items() if totals and not sheets[at].out}
    overall = _places(placed, route)
    by_class: dict[str, dict[int, tuple[int, ...]]] = {}
    for at, totals in placed.items():
        by_class.setdefault(sheets[at].entry_class.casefold(), {})[at] = totals
    own = {at: place for members in by_class.values() for at, place in _places(members, route).items()}

    def rank(at: int) -> tuple[bool, int, bool, int, int]:
        """Put those without a place last: first those still in the rally, by how far they got."""
        sheet, controls = sheets[at], {control for control, _, _ in route}
        driven = sum(section.control in controls for section in sheet.sections)
        return (False, overall[at], False, 0, 0) if at in overall else (True, 0, bool(sheet.out), -driven, sheet.total)

    return tuple(
        replace(
            sheets[at],
            place=overall.get(at),
            class_place=own.get(at),
            finished=bool(running[at]),
            findings=(*sheets[at].findings, *_differences(sheets[at], route, others)),
        )
        for at in sorted(range(len(sheets)), key=rank)
    )


def _route(sheet: ScoredSheet) -> Route:
    return tuple((section.control, section.distance, section.target) for section in sheet.sections)


def _running(sheet: ScoredSheet, route: Route) -> tuple[int, ...]:
    """Return the penalty after each section of ``route``, nothing if the sheet does not have all of them."""
    there = {section.control: section.penalty + section.fault_penalty for section in sheet.sections}
    if any(control not in there for control, _, _ in route):
        return ()
    own = [there[control] for control, _, _ in route]
    return tuple([*accumulate(own[:-1]), sheet.total][: len(own)])


def _places(members: dict[int, tuple[int, ...]], route: Route) -> dict[int, int]:
    """Return the place of each of ``members``, from 1, by their penalties after each section; equal ones share a place."""
    found, place = dict[int, int](), 1
    for level in ranked([(Seat(str(at)), totals) for at, totals in members.items()], [squares for _, squares, _ in route]):
        found |= {int(seat): place for seat in level}
        place += len(level)
    return found


def _differences(sheet: ScoredSheet, route: Route, verdict: Verdict) -> list[SheetFinding]:
    """Return where a sheet differs from most sheets in its route; a ``verdict`` needs a majority."""
    planned, found = {control: (squares, target) for control, squares, target in route}, list[SheetFinding]()
    for section in sheet.sections:
        squares, target = planned.pop(section.control, (0, 0))
        if not squares:
            words = "the other sheets have no such section"
        elif squares != section.distance:
            words = f"{section.distance} squares, where other sheets have {squares}"
        elif target != section.target:
            words = f"a target of {clock(section.target)}, where other sheets have {clock(target)}"
        else:
            continue
        found.append(SheetFinding(control=section.control, verdict=verdict, message=words, rule="RR-P7"))
    if planned:
        missing = ", ".join(planned)
        found.append(SheetFinding(control=missing, verdict=NOTE, message="not on this sheet", rule="RR-R1"))
    return found
