"""What must hold in every rally, whatever happens in it: of time, of marks, of cars, and which cards were seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from adjudicator.core.corrections import Amended, MissedDeadline, Undone, WentOnHoliday
from adjudicator.core.event import Spent, total
from adjudicator.games.rally_round.components import Timing
from adjudicator.games.rally_round.events import CardPicked, Faulted, HazardDrawn, SectionEnded
from adjudicator.games.rally_round.state import course
from adjudicator.games.rally_round.table_events import TableHazardDrawn
from adjudicator.games.rally_round.timing import FAULT, MINUTE, timed
from adjudicator.session import Session


def happenings(session: Session) -> Iterator[tuple[Any, Any, Any]]:
    """Yield every event of the game with the state before and after it."""
    state = session.rules.initial(session.config)
    for link in session.game.journal:
        for event in link.entry.events:
            after = session.rules.evolve(session.config, state, event)
            yield event, state, after
            state = after


def is_corrected(session: Session) -> bool:
    """Return whether the moderator has changed something, so that the sums are not those of the events."""
    corrections = Amended | MissedDeadline | Undone | WentOnHoliday
    return any(isinstance(event, corrections) for link in session.game.journal for event in link.entry.events)


def require_sums(session: Session) -> None:
    """Raise ``AssertionError`` unless times and marks add up to the last second."""
    spent, faults = Counter[str](), Counter[str]()
    before_section = Counter[str]()
    for event, before, after in happenings(session):
        if isinstance(event, Spent):
            assert event.after - event.before == total(event.why) == sum(part.amount for part in event.why)
            assert event.before == spent[event.seat]
            spent[event.seat] += event.after - event.before
        elif isinstance(event, Faulted):
            faults[event.seat] += 1
        elif isinstance(event, SectionEnded):
            _require_section(
                session, event, before, spent[event.seat] - before_section[event.seat], faults.pop(event.seat, 0)
            )
            before_section[event.seat] = spent[event.seat]
        for crew in after.crews:
            assert crew.penalty == spent[crew.seat]


def _require_section(session: Session, event: SectionEnded, before: Any, cost: int, faults: int) -> None:
    crew, config = before.crew(event.seat), course(session.config, before)
    section = config.sections[len(crew.lines)]
    turns = len(crew.speeds)
    assert MINUTE * (turns - 1) < event.time <= MINUTE * turns
    assert event.target == section.target
    if section.timing is Timing.ROAD:
        assert event.time == MINUTE * turns
    assert cost == total(timed(section.timing, event.time, section.target)) + FAULT * faults
    if config.is_table:  # one turn a minute from the minute in which it started
        driven = sum(len(line.speeds) for line in crew.lines) + turns
        assert driven == before.minute - before.order.index(event.seat)


def require_room(session: Session) -> None:
    """Raise ``AssertionError`` if two cars stand on a square that is no control, at a table (RR-O1).

    Cars off the road are nowhere; two that went off at one square drive on from there (RR-H4), as soon as they can.
    """
    if not session.config.is_table:
        return
    off: dict[str, tuple[str, ...]] = {}
    """Where cars went off that have not got away since."""
    for entry, state in session.timeline.states():
        laid = course(session.config, state)
        if not laid.sections:
            continue
        controls = {control.square for control in laid.rally.controls}
        for crew in state.crews:
            if crew.is_off or (not crew.speed and crew.speeds[-1:] == (0,)):
                off[crew.seat] = crew.trail
            elif off.get(crew.seat) != crew.trail:
                off.pop(crew.seat, None)
        cars = Counter(
            crew.trail[-1] for crew in state.crews if crew.trail and crew.seat not in off and not crew.is_done(laid)
        )
        shared = [square for square, cars_there in cars.items() if cars_there > 1 and square not in controls]
        assert not shared, (entry.n, shared)


def cards_seen(session: Session) -> set[str]:
    """Return the kit cards that were taken and the hazard cards that were drawn."""
    events = [event for link in session.game.journal for event in link.entry.events]
    return {str(event.card) for event in events if isinstance(event, CardPicked | HazardDrawn | TableHazardDrawn)}
