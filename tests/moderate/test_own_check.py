"""What `check --as` tells a seat is what this seat may know: the same whatever others hold, have sent, or will draw."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from play import begin
from typer.testing import Result

from adjudicator.core.ids import Seat
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.moderate.own_check import check_own
from adjudicator.orders.submission import text_submission
from adjudicator.session import Session

Run = Callable[..., Result]
SEATS = {
    "checkpoint-rally": ("red", "blue"),
    "checkpoint-charlie": ("red", "blue", "green"),
    "checkered-flag": ("red", "blue"),
}
SHEETS = {
    "checkpoint-rally": [
        "DRAW",
        "PLACE H1 at C3",
        "PLACE G1 at A1 OR MOVE C3",
        "KEEP H1",
        "TAKE H1",
        "IF hand has H1 THEN DRAW",
    ],
    "checkpoint-charlie": [
        "CLUE hat",
        "CLUE no hat",
        "ACCUSE Fleming",
        "ACCUSE Boris",
        "SWAP white with red",
        "WAIT",
        "ANNOUNCE",
    ],
    "checkered-flag": ["GEAR 1", "GEAR 3", "BRAKE 2", "GEAR 1 brake to 36", "GO"],
}
"""Orders of which many are refused, with suggestions."""


def begun(game: str, number: int = 7) -> Session:
    return begin(game, " ".join(SEATS[game]), id="g", secret=f"{number:064x}")


def played(game: str, orders: int) -> Session:
    """Return a game after so many orders, each the first that is legal."""
    session = begun(game)
    for _ in range(orders):
        rules, config, state = session.rules, session.config, session.game.state
        due = rules.awaiting(config, state)
        if not due:
            break
        order = next(iter(rules.legal(config, state, due[0].seat)))
        text = f"{due[0].seat}: {rules.language.text(order)}\n"
        session = adjudicate_files(session, [("t", text.encode())]).session
    return session


def told(session: Session, text: str, seat: str, bound: str | None = None) -> list[tuple[Any, ...]]:
    """Return all that ``seat`` is told of a text."""
    submission = text_submission("t.txt", text.encode(), None if bound is None else Seat(bound))
    result = check_own(session, [submission], Seat(seat))
    assert not (result.accepted or result.notes or result.receipts or result.is_changed)
    assert not result.ignored or bound == seat, "only the lines of its own texts"
    assert {sheet.seat for sheet in result.session.game.pending} <= {seat}
    return [
        (found.seat, found.problem.code, found.problem.message, found.problem.suggestions, found.line, found.column)
        for found in result.diagnostics
    ]


def sheet(seat: str, game: str) -> str:
    return f"{seat}:\n" + "".join(f"  {order}\n" for order in SHEETS[game])


@pytest.mark.parametrize("game", SEATS)
@pytest.mark.parametrize("orders", [0, 3, 8])
def test_it_does_not_depend_on_what_will_be_drawn(game: str, orders: int) -> None:
    session = played(game, orders)
    chance = replace(session.game.chance, secret="5" * 64)
    other = session.with_game(replace(session.game, chance=chance))
    for seat in SEATS[game]:
        for order in SHEETS[game]:
            text = f"{seat}: {order}\n  {order}\n{sheet(seat, game)}"
            assert told(session, text, seat) == told(other, text, seat)


@pytest.mark.parametrize("game", SEATS)
@pytest.mark.parametrize("orders", [0, 3, 8])
def test_it_does_not_depend_on_what_others_have_sent(game: str, orders: int) -> None:
    """Neither in the same text nor waiting in the game."""
    session = played(game, orders)
    for seat in SEATS[game]:
        mine = told(session, sheet(seat, game), seat)
        for other in SEATS[game]:
            if other == seat:
                continue
            for order in SHEETS[game]:
                theirs = f"{other}: {order}\n"
                assert told(session, sheet(seat, game) + theirs, seat) == mine
                waiting = adjudicate_files(session, [("t", theirs.encode())]).session.game.pending
                assert told(session.with_game(replace(session.game, pending=waiting)), sheet(seat, game), seat) == mine


def test_it_does_not_depend_on_answers_that_are_sealed() -> None:
    """In Checkpoint Charlie all choose a clue at once; what one has chosen, or on which counter, nobody else is told."""
    session = begun("checkpoint-charlie")
    rules, config, state = session.rules, session.config, session.game.state
    sealed = [
        adjudicate_files(session, [("t", f"red: {rules.language.text(order)}".encode())]).session
        for order in rules.legal(config, state, Seat("red"))
    ]
    assert len(sealed) > 1
    for seat in ("blue", "green"):
        for order in ("CLUE hat", "ACCUSE Boris", "PASS"):
            assert len({repr(told(one, f"{seat}: {order}", seat)) for one in sealed}) == 1


@pytest.mark.parametrize("game", SEATS)
def test_of_others_orders_nothing_is_told(game: str) -> None:
    """A sheet of red's in blue's own mail is refused unseen: what is wrong with it would tell what red holds."""
    session = begun(game)
    for order in (*SHEETS[game], "NONSENSE", "IF hand has Q THEN DRAW"):
        assert told(session, f"red: {order}", "blue") == []
        bound = told(session, f"red: {order}", "blue", bound="blue")
        assert {code for _, code, *_ in bound} <= {"orders/not-yours", "orders/empty"}
        assert len({repr(told(session, f"red: {one}", "blue", bound="blue")) for one in SHEETS[game]}) == 1
        full = adjudicate_files(session, [text_submission("b", f"red: {order}".encode(), Seat("blue"))])
        assert {found.problem.code for found in full.diagnostics} <= {"orders/not-yours", "orders/empty"}
        assert {found.seat for found in full.diagnostics} <= {"blue"}


def test_own_mistakes_are_told() -> None:
    session = begun("checkpoint-charlie")
    ((seat, code, _, suggestions, line, column),) = [
        found for face in ("hat", "grey", "no hat") for found in told(session, f"blue: CLUE {face}", "blue")
    ][:1]
    assert (seat, code, line, column) == ("blue", "checkpoint-charlie/not-on-counter", 1, 12)
    assert suggestions


def test_the_command(run: Run, tmp_path: Path) -> None:
    run("new", "checkpoint-charlie", "--seat", "red", "--seat", "blue", "--seat", "green", "--seed", "07" * 32, code=0)
    before = Path("game.json").read_bytes()
    Path("t.txt").write_text("red: CLUE pink\nblue: CLUE pink\n  ACCUSE Nobody\ngreen: ACCUSE Nobody\n")
    result = run("check", "game.json", "t.txt", "--as", "blue", code=1)
    assert "orders of blue: 2 problems; no order was carried out" in result.stdout
    assert "red:" not in result.stdout + result.stderr
    assert "green:" not in result.stdout + result.stderr
    found = json.loads(run("check", "game.json", "t.txt", "--as", "blue", "--json", code=1).stdout)
    assert {problem["seat"] for problem in found["problems"]} == {"blue"}
    assert (found["accepted"], found["notes"], found["ignored"], found["receipts"]) == ([], [], [], [])
    assert "name a seat with --as" in run("check", "game.json", "t.txt", "--as", "moderator", code=2).stderr
    assert "name the files with the orders" in run("check", "game.json", "--as", "blue", code=2).stderr
    assert Path("game.json").read_bytes() == before


def test_a_seat_without_orders_in_the_files_is_not_called_correct(run: Run) -> None:
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "-o", "rally.json", code=0)
    Path("t.txt").write_text("PLACE H99 at B1\n")
    for given in ("t.txt", "blue=t.txt"):
        error = run("check", "rally.json", given, "--as", "red", code=2).stderr
        assert "these files contain no orders of red: write `red:` above them, or name the file as red=FILE" in error


def test_a_seat_reads_which_lines_of_its_own_texts_are_ignored() -> None:
    session = begun("checkered-flag")
    own, others = (text_submission(f"{seat}.txt", b"GEAR 1\nPLOUGH 2\n", Seat(seat)) for seat in ("red", "blue"))
    shared = text_submission("all.txt", b"red: GEAR 1\nPLOUGH 3\n")
    found = check_own(session, [own, others, shared], Seat("red"))
    assert [(one.source, one.line, one.text.strip()) for one in found.ignored] == [("red.txt", 2, "PLOUGH 2")]
