"""Games to audit: played through the engine, corrected, recorded at a table; and a forger who makes chain and seal anew."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from play import begin, due

from adjudicator.audit.audit_source import audit_source
from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.corrections import MissedPolicy
from adjudicator.core.engine import adjudicate
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet
from adjudicator.corrections.correct import amend, hand_over, miss_deadline, reveal, take_holiday, undo
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.session import Session
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.store.save import dump_game
from adjudicator.verdict import AuditResult, Verdict

SECRET = "ab" * 32
RULES = "checkpoint-rally"
Document = dict[str, Any]
Forge = Callable[[Document], bytes]


def begun(**changes: Any) -> Session:
    return begin(seats="red=Ann blue=Bob", **{"id": "rally-042", "secret": SECRET, **changes})


def legal(session: Session) -> list[Any]:
    return list(session.rules.legal(session.config, session.game.state, due(session)))


def ordered(session: Session, *lines: str) -> Session:
    """Apply lines of text as a sheet of the seat that is due."""
    text = "\n".join((f"{due(session)}:", *lines)).encode()
    result = adjudicate_files(session, [("turn", text)])
    assert result.accepted, result.diagnostics
    return result.session


def played(session: Session, orders: int, seed: int = 1) -> Session:
    """Play so many orders at random, each an adjudication, or until the game is over."""
    chosen = random.Random(seed)
    for _ in range(orders):
        if session.rules.is_over(session.config, session.game.state):
            break
        instruction = _with_outcomes(session, chosen.choice(_worthwhile(session, chosen)))
        outcome = adjudicate(session.rules, session.config, session.game, [Sheet(due(session), (instruction,))])
        assert not outcome.diagnostics
        session = session.with_game(outcome.game)
    return session


def _worthwhile(session: Session, chosen: random.Random) -> list[Any]:
    orders = legal(session)
    moves = [order for order in orders if hasattr(order, "path")]
    return moves if moves and chosen.random() < 0.5 else orders


def _with_outcomes(session: Session, order: Any) -> Instruction:
    """Return ``order`` with the outcomes that a game needs whose chance is recorded: always the first possible ones."""
    draws: tuple[str, ...] = ()
    while session.game.chance.source == "recorded":
        outcome = adjudicate(
            session.rules, session.config, session.game, [Sheet(due(session), (Instruction(order, draws),))]
        )
        missing = [diagnostic for diagnostic in outcome.diagnostics if diagnostic.problem.code == "core/impossible-outcome"]
        if not missing:
            break
        draws = (*draws, missing[0].problem.suggestions[0])
    return Instruction(order, draws)


def _recorded_setup() -> list[str]:
    drawn: list[str] = []
    while True:
        try:
            begun(secret=None, recorded=drawn)
        except ImpossibleOutcomeError as asked:
            drawn.append(asked.among[-1])
        else:
            return drawn


def _branching(session: Session) -> Session:
    """Give orders with alternatives and conditions, one of which comes to nothing, and leave some waiting."""
    text = session.rules.language.text(legal(session)[0])
    session = ordered(session, f"IF minutes > 500 THEN DRAW ELSE {text}")
    text = session.rules.language.text(legal(session)[-1])
    session = ordered(session, f"IF minutes > 500 THEN REFRESH ELSE ({text} OR DRAW)")
    other = next(seat for seat in session.seats if seat != due(session))
    return adjudicate_files(session, [("early", f"{other}:\nDRAW\nMOVE C3 OR REFRESH".encode())]).session


def _corrected(session: Session) -> Session:
    entries = len(session.game.journal)
    session = undo(played(session, 3, seed=7), entries - 1, "the wrong mail")
    session = amend(played(session, 2, seed=8), ["racers[red].minutes=40"], "a slip of the pen")
    session = hand_over(session, Seat("blue"), "Cleo", "Bob is away")
    session = take_holiday(session, Seat("blue"), "2026-03-02", "2026-03-09")
    session = miss_deadline(session, Seat("red"), "2026-03-05 20:00 UTC", MissedPolicy.BOT, 1)
    return reveal(played(session, 2, seed=9), "all may know", is_forced=True)


@pytest.fixture(scope="session")
def table_talk() -> Session:
    """Return a small game with everything a record can hold: branches, notes, corrections of each kind, waiting orders."""
    return _branching(_corrected(played(begun(entropy={"red": "horse"}), 4)))


@pytest.fixture(scope="session")
def at_a_table() -> Session:
    """Return a game whose chance is recorded."""
    session = played(begun(secret=None, recorded=_recorded_setup()), 14, seed=3)
    return played(undo(session, 8, "a tile too many"), 4, seed=4)


@pytest.fixture(scope="session")
def finished() -> Session:
    """Return a game played to its end, its secret told."""
    session = played(begun(), 4_000, seed=2)
    assert session.rules.is_over(session.config, session.game.state)
    return reveal(session, "", is_forced=False)


@pytest.fixture(scope="session")
def make_game() -> Callable[..., bytes]:
    """Return the file of a game after so many orders at random."""

    def make(orders: int = 6, seed: int = 1, **changes: Any) -> bytes:
        return dump_game(played(begun(**changes), orders, seed).game)

    return make


@pytest.fixture(scope="session")
def small(make_game: Callable[..., bytes]) -> bytes:
    """Return the file of a game of six orders."""
    return make_game()


@pytest.fixture(scope="session")
def judged() -> Callable[..., AuditResult]:
    """Return what the audit says of the bytes of a file, or of the file at a path."""

    def run(source: bytes | Path, **options: Any) -> AuditResult:
        with Opener() as opener:
            if isinstance(source, bytes):
                return audit_source(Source("game.json", "game.json", is_named=True, data=source), opener, **options)
            return audit_source(Source(str(source), str(source), is_named=True), opener, **options)

    return run


@pytest.fixture
def spoiled(
    table_talk: Session, forge: Forge, judged: Callable[..., AuditResult]
) -> Callable[[Callable[[Document], None]], Verdict]:
    """Return the verdict on the game with everything in it after something was changed, chain and seal made anew."""

    def run(spoil: Callable[[Document], None], session: Session | None = None) -> Verdict:
        document = json.loads(dump_game((session or table_talk).game))
        spoil(document)
        verdict = judged(forge(document))
        assert isinstance(verdict, Verdict)
        return verdict

    return run


@pytest.fixture(scope="session")
def worded() -> Session:
    """Return a game with words for chance: beside an order, behind an undo, by themselves."""

    def step(session: Session, *lines: str) -> Session:
        orders = [session.rules.language.text(order) for order in legal(session)]
        text = f"{due(session)}: {'DRAW' if 'DRAW' in orders else orders[0]}"
        return adjudicate_files(session, [("turn", "\n".join((text, *lines)).encode())]).session

    session = step(step(begun(entropy={"red": "horse"})), "red: WORD cow", "blue: WORD fish")
    session = step(undo(step(session), 4, "x"))
    session = adjudicate_files(session, [("words", b"red: WORD hen")]).session
    return step(step(step(step(session))))
