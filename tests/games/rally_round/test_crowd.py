"""An internet rally of very many crews takes time in proportion to them: counted in calls, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import crowd
import pytest
from counted import calls

from adjudicator.audit.decide import audit_game
from adjudicator.cli.turn_summary import accepted_text, adjudication, problems_text, summary_text
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.games.rally_round.components import Control, Rally, Side, SquareId, Timing
from adjudicator.library.game import Result
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.present import log_of, position_of
from adjudicator.reports.data.receipt import receipts_text
from adjudicator.session import Session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

FEW = 40
SHORT = Rally(
    id="short",
    name="Short",
    controls=(Control(square=SquareId("A4")), Control(square=SquareId("E3"), side=Side.NORTH, section=Timing.ROAD)),
)
WHOLE = "KIT D1 N1 E1 S1 A1 B1", "TC2: 10 20 30 30 30 30"
"""The whole of a sheet."""
BEGUN = "KIT D1 N1 E1 S1 A1 B1", "SPEED 10"


def applied(session: Session, lines: tuple[str, ...]) -> Any:
    text = "".join(f"{seat}:\n" + "".join(f"  {line}\n" for line in lines) for seat in session.seats)
    return adjudicate_files(session, [("sheets.txt", text.encode())])


def tell(session: Session) -> None:
    result = applied(session, WHOLE)
    assert not result.diagnostics
    told = Result.of(result)
    accepted_text(told)
    problems_text(told)
    receipts_text(result.receipts)
    summary_text(told, is_trial=False, is_strict=False)
    adjudication(told, is_trial=False)


def mistaken(session: Session) -> None:
    result = applied(session, ("KIT D1 D2 D3", "SPEED 10"))
    assert len(result.diagnostics) == len(session.seats)
    problems_text(Result.of(result))
    summary_text(Result.of(result), is_trial=False, is_strict=False)


def over(session: Session) -> Session:
    return applied(session, WHOLE).session


def begun(session: Session) -> Session:
    return applied(session, BEGUN).session


def turn_by_turn(session: Session) -> None:
    """Two crews send theirs by themselves while all others have begun."""
    for seat in session.seats[:2]:
        session = adjudicate_files(session, [("one.txt", f"{seat}:\n SPEED 10\n".encode())]).session


def begin(session: Session) -> None:
    """All send a part of their sheet, and the rally goes on."""
    summary_text(Result.of(applied(session, BEGUN)), is_trial=False, is_strict=False)


def same(session: Session) -> Session:
    return session


PARTS: dict[str, tuple[Callable[[Session], Session], Callable[[Session], Any]]] = {
    "all finish": (same, tell),
    "all begin": (same, begin),
    "all are mistaken": (same, mistaken),
    "single sheets": (begun, turn_by_turn),
    "the file": (over, lambda session: load_game(dump_game(session.game))),
    "the audit": (over, audit_game),
    "what a crew sees": (over, lambda session: position_of(session, Seat("crew0"))),
    "what a crew sees before the end": (begun, lambda session: position_of(session, Seat("crew0"))),
    "what the moderator reads": (over, lambda session: log_of(session, session.game.journal, MODERATOR)),
}


@pytest.mark.parametrize("most", [160, pytest.param(320, marks=pytest.mark.soak)])
@pytest.mark.parametrize("part", PARTS)
def test_each_crew_takes_the_same_time_however_many_there_are(part: str, most: int) -> None:
    prepare, run = PARTS[part]
    first, few, many = (prepare(crowd.begun(crews, SHORT)) for crews in (FEW, FEW, most))
    run(first)  # what the process builds once is built by now, and nothing of the other two
    assert calls(lambda: run(many)) < 1.2 * most / FEW * calls(lambda: run(few))
