"""Rank the crews (RR-R1): by least penalties; ties by who drove the greater part of the rally on the lesser penalty."""

from __future__ import annotations

from collections.abc import Sequence

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
    config = course(config, state)
    if not (is_final or config.is_open):
        return _by_progress(config, state)
    finished = [crew for crew in state.crews if crew.out is None and config.sections and crew.is_done(config)]
    sheets = [(crew.seat, (*crew.totals, *(line.penalty for line in crew.lines))) for crew in finished]
    groups = ranked(sheets, [*state.squares, *(section.distance for section in config.sections)])
    placed = {crew.seat for crew in finished}
    others: dict[tuple[bool, int, int], list[Seat]] = {}
    for crew in state.crews:
        if crew.seat not in placed:
            others.setdefault(_rank(crew), []).append(crew.seat)
    groups += [seats for _, seats in sorted(others.items())]
    found, place = list[Standing](), 1
    for seats in groups:
        for seat in seats:
            crew = state.crew(seat)
            found.append(
                Standing(place=place, seat=seat, score=crew.penalty, note=_note(config, state, crew), is_final=is_final)
            )
        place += len(seats)
    return tuple(found)


def _rank(crew: Crew) -> tuple[bool, int, int]:
    return crew.out is not None, -len(crew.lines), crew.penalty


def _by_progress(config: Config, state: State) -> tuple[Standing, ...]:
    order = sorted(state.crews, key=lambda crew: (crew.out is not None, -len(crew.lines)))
    keys = [(crew.out is not None, len(crew.lines)) for crew in order]
    first = {key: place for place, key in reversed([*enumerate(keys, 1)])}
    return tuple(
        Standing(place=first[key], seat=crew.seat, score=0, note=_progress(config, crew))
        for crew, key in zip(order, keys, strict=True)
    )


def _progress(config: Config, crew: Crew) -> str:
    if crew.out is not None:
        return str(crew.out)
    if len(crew.lines) == len(config.sections):
        return "finished; the sheet is sealed"
    return f"on the way to {config.sections[len(crew.lines)].end.name}" if crew.kit else "at the start"


def _note(config: Config, state: State, crew: Crew) -> str:
    """Describe a crew in the standings: where it is, and how many faults of 30 marks its penalty has."""
    if crew.out is not None:
        where = str(crew.out)
    elif not config.sections:
        where = "at the start"
    elif len(crew.lines) == len(config.sections):
        where = "finished"
    else:
        where = f"on the way to {config.sections[len(crew.lines)].end.name}"
    own = ", the player's own crew" if state.own == crew.seat else ""
    faults = (crew.penalty - _for_time(config, crew)) // FAULT
    many = f", {count(faults, 'fault')} of 30 marks" if faults and not crew.totals else ""
    return f"{where}{many}{own}"


def _for_time(config: Config, crew: Crew) -> int:
    """Return a crew's penalty for being late or early, in this part of the rally."""
    driven = zip(config.sections, crew.lines, strict=False)
    return sum(total(timed(section.timing, line.time, section.target)) for section, line in driven)
