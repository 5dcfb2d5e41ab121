"""Rank time sheets that were kept by hand: by the least penalties, overall and in each class (RR-R1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from adjudicator.game import Seat, frozen
from adjudicator.games.rally_round.office.sheet import Finding, Score, Sheet, Verdict
from adjudicator.games.rally_round.result import ranked
from adjudicator.games.rally_round.timing import clock

Route = tuple[tuple[str, int, int], ...]
"""The sections of a rally: the control at the end of each, its squares, its target time in seconds."""


@frozen(kw_only=True)
class Placed:
    """The result of one sheet: its index, its ``place`` overall and in its class (both ``None`` without a place).

    ``finished`` says whether it has every section of the ``route``; ``findings`` say where it differs from other sheets.
    """

    index: int
    place: int | None
    class_place: int | None
    finished: bool
    findings: tuple[Finding, ...]


def classified(sheets: Sequence[tuple[Sheet, Score]], known: Route = ()) -> tuple[Placed, ...]:
    """Rank the ``sheets``, the winner first; those that are out or have not finished come last, without a place.

    The route is the ``known`` one, or if that is empty the one that most sheets have. RR-R1 settles ties, overall and in
    each class.
    """
    route = known or _route([score for _, score in sheets])
    others = Verdict.FALSE if 2 * sum(_sections(score) == route for _, score in sheets) > len(sheets) else Verdict.NOTE
    running = [_running(score, route) for _, score in sheets]
    placed = [index for index, (sheet, _) in enumerate(sheets) if running[index] is not None and not sheet.out]
    overall = _places(placed, running, route)
    classes: dict[str, list[int]] = {}
    for index in placed:
        classes.setdefault(sheets[index][0].entry_class.casefold(), []).append(index)
    own = {index: place for members in classes.values() for index, place in _places(members, running, route).items()}
    order = [*sorted(placed, key=lambda index: overall[index]), *_unplaced(sheets, placed, route)]
    return tuple(
        Placed(
            index=index,
            place=overall.get(index),
            class_place=own.get(index),
            finished=running[index] is not None,
            findings=_differences(sheets[index][1], route, others),
        )
        for index in order
    )


def _route(scores: Sequence[Score]) -> Route:
    routes = Counter(_sections(score) for score in scores)
    return max(routes, key=lambda route: (routes[route], len(route)), default=())


def _sections(score: Score) -> Route:
    return tuple((section.control, section.distance, section.target) for section in score.sections)


def _running(score: Score, route: Route) -> tuple[int, ...] | None:
    """Return the penalty after each section of ``route``, ``None`` if the sheet does not have all of them."""
    there = {section.control: section.penalty + section.faults for section in score.sections}
    if not route or any(control not in there for control, _, _ in route):
        return None
    totals, so_far = list[int](), 0
    for control, _, _ in route:
        so_far += there[control]
        totals.append(so_far)
    return (*totals[:-1], score.total)


def _places(members: Sequence[int], running: Sequence[tuple[int, ...] | None], route: Route) -> dict[int, int]:
    """Return the place of each of ``members``, from 1; equal members share a place."""
    known = [(Seat(str(index)), totals) for index in members for totals in [running[index]] if totals is not None]
    found, place = dict[int, int](), 1
    for level in ranked(known, [squares for _, squares, _ in route]):
        found |= {int(seat): place for seat in level}
        place += len(level)
    return found


def _unplaced(sheets: Sequence[tuple[Sheet, Score]], placed: Sequence[int], route: Route) -> list[int]:
    """Return the sheets without a place: those still in the rally first, by how far they got."""
    there = {control for control, _, _ in route}
    left = set(range(len(sheets))) - set(placed)

    def rank(index: int) -> tuple[bool, int, int, int]:
        sheet, score = sheets[index]
        driven = sum(section.control in there for section in score.sections)
        return bool(sheet.out), -driven, score.total, index

    return sorted(left, key=rank)


def _differences(score: Score, route: Route, verdict: Verdict) -> tuple[Finding, ...]:
    """Yield where a sheet differs from most sheets in its route; a ``verdict`` needs a majority."""
    planned = {control: (squares, target) for control, squares, target in route}
    found = list[Finding]()
    for section in score.sections:
        if section.control not in planned:
            found.append(Finding(section.control, verdict, "the other sheets have no such section", "RR-P7"))
            continue
        squares, target = planned.pop(section.control)
        if squares != section.distance:
            words = f"{section.distance} squares, where other sheets have {squares}"
            found.append(Finding(section.control, verdict, words, "RR-P7"))
        elif target != section.target:
            words = f"a target of {clock(section.target)}, where other sheets have {clock(target)}"
            found.append(Finding(section.control, verdict, words, "RR-P7"))
    missing = ", ".join(planned)
    return (*found, *((Finding(missing, Verdict.NOTE, "not on this sheet", "RR-R1"),) if missing else ()))
