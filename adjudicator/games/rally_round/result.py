"""Rank the crews (RR-R1): by least penalties; ties by who drove the greater part of the rally on the lesser penalty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from adjudicator.game import Seat, Standing, count, total
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.state import Crew, State, course
from adjudicator.games.rally_round.timing import FAULT, timed


def ranked(sheets: Sequence[tuple[Seat, tuple[int, ...]]], squares: Sequence[int]) -> list[list[Seat]]:
    """Return the seats in the order of their penalties; seats that share a place are together.

    ``sheets`` gives the penalty of each after every section, of ``squares`` each. Among equal seats each section
    counts for the one with the least penalty at its end. The most squares win; the others are compared again (RR-R1, RR-H6).
    """
    places: list[list[Seat]] = []
    level: dict[int, list[tuple[Seat, tuple[int, ...]]]] = {}
    for sheet in sheets:
        level.setdefault(sheet[1][-1], []).append(sheet)
    for _, tied in sorted(level.items()):
        while tied:
            leading = _leading(tied, squares)
            places.append(leading)
            placed = frozenset(leading)
            tied = [sheet for sheet in tied if sheet[0] not in placed]
    return places


def _leading(tied: Sequence[tuple[Seat, tuple[int, ...]]], squares: Sequence[int]) -> list[Seat]:
    led = {seat: 0 for seat, _ in tied}
    for section, distance in enumerate(squares):
        least = min(totals[section] for _, totals in tied)
        for seat, totals in tied:
            led[seat] += distance if totals[section] == least else 0
    most = max(led.values())
    return [seat for seat, _ in tied if led[seat] == most]


def standings(config: Config, state: State) -> tuple[Standing, ...]:
    """Return the standings: by progress while sheets are sealed, by penalties when they are open (RR-R1)."""
    is_final = state.is_over(config)
    config, is_open = course(config, state), is_final or config.is_open
    found, place = list[Standing](), 1
    for seats in _by_penalty(config, state) if is_open else _grouped(state.crews, _progress):
        for seat in seats:
            crew = state.of(seat)
            note = _note(config, state, crew) if is_open else _where(config, crew, is_open=False)
            score = crew.penalty if is_open else 0
            found.append(Standing(place=place, seat=seat, score=score, note=note, is_final=is_final))
        place += len(seats)
    return tuple(found)


def _by_penalty(config: Config, state: State) -> list[list[Seat]]:
    finished = [crew for crew in state.crews if crew.out is None and config.sections and crew.is_done(config)]
    sheets = [(crew.seat, crew.totals + crew.penalties) for crew in finished]
    places, placed = [*state.squares, *(section.distance for section in config.sections)], {crew.seat for crew in finished}
    others = [crew for crew in state.crews if crew.seat not in placed]
    return ranked(sheets, places) + _grouped(others, lambda crew: (*_progress(crew), crew.penalty))


def _grouped(crews: Iterable[Crew], key: Callable[[Crew], tuple[int, ...]]) -> list[list[Seat]]:
    groups: dict[tuple[int, ...], list[Seat]] = {}
    for crew in crews:
        groups.setdefault(key(crew), []).append(crew.seat)
    return [seats for _, seats in sorted(groups.items())]


def _progress(crew: Crew) -> tuple[int, ...]:
    return crew.out is not None, -len(crew.lines)


def _where(config: Config, crew: Crew, *, is_open: bool) -> str:
    if crew.out is not None:
        return str(crew.out)
    if not config.sections or not (crew.kit or is_open):
        return "at the start"
    if len(crew.lines) == len(config.sections):
        return "finished" if is_open else "finished; the sheet is sealed"
    return f"on the way to {config.sections[len(crew.lines)].end.name}"


def _note(config: Config, state: State, crew: Crew) -> str:
    """Describe a crew in the standings: where it is, and how many faults of 30 marks its penalty has."""
    own = ", the player's own crew" if state.own == crew.seat else ""
    driven = zip(config.sections, crew.lines, strict=False)
    for_time = sum(total(timed(section.timing, line.time, section.target)) for section, line in driven)
    faults = (crew.penalty - for_time) // FAULT
    many = f", {count(faults, 'fault')} of 30 marks" if faults and not crew.totals else ""
    return f"{_where(config, crew, is_open=True)}{many}{own}"
