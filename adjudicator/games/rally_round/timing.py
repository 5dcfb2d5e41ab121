"""Calculate times in whole seconds (RR-T), penalties (RR-P) and places (RR-R1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from adjudicator.game import Part, Seat
from adjudicator.games.rally_round.components import Timing

MINUTE: Final = 60
"""The seconds of a turn, and of a mark: 1 mark is 1 minute of penalty (RR-P4)."""
FAULT: Final = 30 * MINUTE
"""The penalty for a control, a Give Way or a Quiet Zone (RR-P4)."""
RULES_OF_TIME: Final = {
    Timing.ROAD: "RR-T1",
    Timing.SELECTIVE: "RR-T2",
    Timing.STAGE: "RR-T3",
    Timing.REGULARITY: "RR-T4",
}
"""The rule of each target time."""
PRINTED: Final = frozenset(
    ((22, 21), (22, 24), (23, 18), (23, 21), (26, 21), (26, 24), (27, 12), (27, 21), (28, 18), (29, 24)),
)
"""The cells of the printed regularity table, speed and squares, that are a second below the formula (RR-T5)."""


def target_time(timing: Timing, squares: int, speed: int | None = None) -> int:
    """Return the target time in seconds for a section of ``squares``; a regularity is driven at ``speed`` mph (RR-T)."""
    if timing is Timing.ROAD:
        return MINUTE * -(-squares // 3)
    if timing is Timing.SELECTIVE:
        return 20 * squares
    if timing is Timing.STAGE:
        return 10 * squares
    if speed is None:
        raise ValueError("a regularity section has a speed")
    return half_up(600 * squares, speed) - ((speed, squares) in PRINTED)


def flying_finish(squares: int, move: int) -> int:
    """Return the seconds of a last turn: the control comes after ``squares`` of a move of ``move`` squares (RR-F3)."""
    return half_up(MINUTE * squares, move)


def half_up(number: int, by: int) -> int:
    """Return ``number`` divided by ``by``, rounded, with halves up."""
    return (2 * number + by) // (2 * by)


def timed(timing: Timing, taken: int, target: int) -> tuple[Part, ...]:
    """Return the penalty in seconds of a section that took ``taken`` seconds instead of ``target`` (RR-P1, RR-P2, RR-P3)."""
    late, early = max(0, taken - target), max(0, target - taken)
    if timing is Timing.ROAD:
        return _part(late, "late", "RR-P1") + _part(2 * early, "early, counted twice", "RR-P1")
    if timing is Timing.REGULARITY:
        return _part(late, "late", "RR-P3") + _part(early, "early", "RR-P3")
    return _part(late, "late", "RR-P2")


def clock(seconds: int) -> str:
    """Return ``seconds`` as ``m:ss``."""
    return f"{seconds // MINUTE}:{seconds % MINUTE:02}"


def _part(seconds: int, what: str, rule: str) -> tuple[Part, ...]:
    return (Part(seconds, what, rule),) if seconds else ()


def ranked(sheets: Mapping[Seat, tuple[int, ...]], squares: Sequence[int]) -> list[list[Seat]]:
    """Return the seats in the order of their penalties; seats that share a place are together.

    ``sheets`` gives the penalty of each after every section, of ``squares`` each. Among equal seats each section
    counts for the one with the least penalty at its end. The most squares win; the others are compared again (RR-R1, RR-H6).
    """
    places: list[list[Seat]] = []
    level: dict[int, dict[Seat, tuple[int, ...]]] = {}
    for seat, totals in sheets.items():
        level.setdefault(totals[-1], {})[seat] = totals
    for _, tied in sorted(level.items()):
        while tied:
            led = dict.fromkeys(tied, 0)
            for section, distance in enumerate(squares):
                least = min(totals[section] for totals in tied.values())
                for seat, totals in tied.items():
                    led[seat] += distance if totals[section] == least else 0
            most = max(led.values())
            places.append([seat for seat in tied if led[seat] == most])
            tied = {seat: totals for seat, totals in tied.items() if led[seat] < most}
    return places
