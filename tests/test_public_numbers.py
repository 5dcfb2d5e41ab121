"""The numbers of a public log have no gap where an order was skipped: nobody learns that there was one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from play import begin, due, legal
from typer.testing import Result

from adjudicator.core.ids import MODERATOR
from adjudicator.corrections.correct import undo
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.present import log_of
from adjudicator.replay import NoSuchEntryError, moves_of
from adjudicator.reports.data.log import log_json
from adjudicator.session import Session
from adjudicator.store.save import dump_game

Run = Callable[..., Result]
SKIPPED = "IF minutes is 99 THEN DRAW\n"


@pytest.fixture(scope="module")
def begun() -> Session:
    return begin()


def played(session: Session, *, skipped: int) -> Session:
    """Return the game after four orders, ``skipped`` conditional orders before each of the last two."""
    for number in range(4):
        text = f"{due(session)}:\n{SKIPPED * (skipped if number > 1 else 0)}{legal(session)[0]}\n"
        session = adjudicate_files(session, [("t", text.encode())]).session
    return session


@pytest.fixture(scope="module")
def plain(begun: Session) -> Session:
    return played(begun, skipped=0)


@pytest.fixture(scope="module")
def gappy(begun: Session) -> Session:
    return played(begun, skipped=2)


def told_to_all(session: Session) -> str:
    """Return the public log, without the proofs, which nobody can read anything in."""
    return re.sub(r'"proof":"[0-9a-f]{64}",', "", log_json(log_of(session, session.game.journal, None)))


def test_a_public_log_is_the_same_with_and_without_skipped_orders(plain: Session, gappy: Session) -> None:
    assert (len(plain.game.journal), len(gappy.game.journal)) == (5, 9)
    assert told_to_all(plain) == told_to_all(gappy)


def test_the_moderator_has_the_real_numbers(gappy: Session) -> None:
    rows = log_of(gappy, gappy.game.journal, MODERATOR)
    assert sorted({row.n for row in rows}) == list(range(9))
    numbers = gappy.timeline.entry_numbers
    assert [numbers.public(n) for n in range(9)] == [0, 1, 2, 2, 2, 3, 3, 3, 4]


def test_a_seat_reads_its_own_skipped_orders_under_the_number_before(gappy: Session) -> None:
    last = gappy.game.journal[-1].entry.seat
    other = next(seat for seat in gappy.seats if seat != last)
    mine = log_of(gappy, gappy.game.journal, last)
    assert [row.n for row in mine if row.order.startswith("(")] == [3, 3]
    assert sorted({row.n for row in mine}) == sorted({row.n for row in log_of(gappy, gappy.game.journal, other)})


def test_what_was_undone_is_told_by_the_same_numbers(plain: Session, gappy: Session) -> None:
    """Back to after the second order: skipped orders that were undone with it mark no other entry."""
    told = [told_to_all(undo(session, 2, "a mail")) for session in (plain, gappy)]
    assert told[0] == told[1]
    assert '"undone_by":5' in told[0]
    # One that goes back to a skipped order goes back, for everybody else, to what was before it.
    back = undo(gappy, 4, "a mail")
    assert told_to_all(back) == told[0]


def test_a_replay_counts_as_its_viewer_does(plain: Session, gappy: Session) -> None:
    for first, last in ((0, None), (1, 3), (3, 3), (2, 4)):
        shown = [
            [(row.n, row.order) for move in moves_of(session, None, first, last) for row in move.rows]
            for session in (plain, gappy)
        ]
        assert shown[0] == shown[1]
    assert [move.entry.n for move in moves_of(gappy, MODERATOR, 3, 5)] == [3, 4, 5]
    with pytest.raises(NoSuchEntryError, match=r"it has entries 0 .* to 4"):
        moves_of(gappy, None, 5)


def test_the_commands(run: Run, gappy: Session) -> None:
    Path("g.json").write_bytes(dump_game(gappy.game))
    rows = [json.loads(line) for line in run("log", "g.json", "--json", code=0).stdout.splitlines()]
    assert sorted({row["n"] for row in rows}) == [0, 1, 2, 3, 4]
    assert "it has entries 0 (the set-up) to 4" in run("replay", "g.json", "--until", "7", code=2).stderr
    run("replay", "g.json", "--until", "7", "--as", "moderator", code=0)
    run("undo", "g.json", "--to", "7", "--reason", "x", code=0)
