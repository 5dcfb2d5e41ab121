"""Missed deadlines and holidays: noted in the journal, told to everybody, audited, written as a script and read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from play import begin

from adjudicator.audit.audit_source import audit_source
from adjudicator.core.corrections import MissedPolicy, tell_correction
from adjudicator.core.ids import Seat
from adjudicator.corrections.correct import CorrectionError, miss_deadline, take_holiday, undo
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.present import log_of
from adjudicator.session import Session
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.store.save import dump_game
from adjudicator.verdict import Verdict

RED = Seat("red")
Forge = Callable[[dict[str, Any]], bytes]


@pytest.fixture(params=[True, False], ids=["with numbers", "without"])
def session(request: pytest.FixtureRequest) -> Session:
    """A game in which red missed two deadlines, and is away; before November 2026, each of these took a turn number."""
    own = bool(request.param)
    session = begin("checkered-flag", "red=Ann blue=Bob", id="race", secret="ab" * 32)
    session = miss_deadline(session, RED, "2026-03-02 20:00 UTC", MissedPolicy.BOT, 1, takes_number=own)
    session = miss_deadline(
        session, RED, "2026-03-05 20:00 UTC", MissedPolicy.DROP, 2, "no answer on the telephone", takes_number=own
    )
    return take_holiday(session, RED, "2026-03-09", "2026-03-16", "as the player says", takes_number=own)


def test_everybody_reads_what_happened_and_why(session: Session) -> None:
    rows = log_of(session, session.game.journal, None)
    assert [row.order for row in rows][1:] == ["NMR red", "NMR red", "HOLIDAY red"]
    assert [row.told[0] for row in rows[1:]] == [
        "no orders of red had come by 2026-03-02 20:00 UTC: a simulated player decides for it this time",
        "no orders of red had come by 2026-03-05 20:00 UTC (2 deadlines missed in a row):"
        " a simulated player decides for it from now on: no answer on the telephone",
        "the player of red is away from 2026-03-09 to 2026-03-16: as the player says",
    ]


def test_without_numbers_the_turns_go_on_as_if_nothing_had_happened(session: Session) -> None:
    takes_numbers = session.game.journal[1].entry.turn == 1
    assert session.valid_turns.turn == 1
    played = adjudicate_files(session, [("red.txt", b"turn 1\nred: GEAR 1")]).session
    assert played.game.journal[-1].entry.order == "GEAR 1"
    assert played.valid_turns.turn == (5 if takes_numbers else 2)
    away = take_holiday(played, RED, "today", "tomorrow", takes_number=False)
    assert away.valid_turns == played.valid_turns
    assert away.turn_number(away.game.turn) == played.valid_turns.turn
    undone = undo(away, 0, "back")
    assert undone.valid_turns.turn == 1
    assert audited(dump_game(undone.game)).divergence is None


def test_a_number_between_is_found(session: Session, forge: Forge) -> None:
    document = json.loads(dump_game(session.game))
    for link in document["journal"][2:]:
        link["entry"]["turn"] += 2
    divergence = audited(forge(document)).divergence
    assert divergence is not None
    assert (divergence.entry, divergence.field) == (2, "turn")


def test_nothing_of_the_position_changes(session: Session) -> None:
    before = undo(session, 0, "as it began").game.state
    assert session.game.state == before


def test_they_stay_in_the_record_whatever_is_undone(session: Session) -> None:
    rows = log_of(undo(session, 0, "back"), undo(session, 0, "back").game.journal, None)
    assert [row.undone_by for row in rows] == [None] * len(rows)


def test_a_passing_is_told_as_one() -> None:
    from adjudicator.core.corrections import MissedDeadline

    event = MissedDeadline(seat=RED, due="noon", policy=MissedPolicy.DEFAULT, missed=1)
    assert tell_correction(event) == "no orders of red had come by noon: it passes, or does what costs least"


@pytest.mark.parametrize("reason", ["x" * 401, "two\nlines"])
def test_a_reason_is_a_line_of_text(session: Session, reason: str) -> None:
    with pytest.raises(CorrectionError):
        miss_deadline(session, RED, "noon", MissedPolicy.BOT, 1, reason)
    with pytest.raises(CorrectionError):
        take_holiday(session, RED, "today", "tomorrow", reason)


def audited(data: bytes) -> Verdict:
    with Opener() as opener:
        found = audit_source(Source("game.json", "-", is_named=True, data=data), opener)
    assert isinstance(found, Verdict)
    return found


def test_a_game_with_them_is_verified(session: Session) -> None:
    assert audited(dump_game(session.game)).divergence is None


@pytest.mark.parametrize("n", [1, 3])
def test_a_seat_that_is_none_is_found(session: Session, forge: Forge, n: int) -> None:
    document = json.loads(dump_game(session.game))
    document["journal"][n]["entry"]["events"][0]["seat"] = "green"
    divergence = audited(forge(document)).divergence
    assert divergence is not None
    assert (divergence.entry, divergence.field, divergence.recomputed) == (n, "events[0].seat", "one of red blue")


@pytest.mark.parametrize(("n", "count", "right"), [(1, 2, "1"), (2, 3, "1 or 2")])
def test_more_deadlines_than_were_missed_are_found(session: Session, forge: Forge, n: int, count: int, right: str) -> None:
    document = json.loads(dump_game(session.game))
    document["journal"][n]["entry"]["events"][0]["missed"] = count
    divergence = audited(forge(document)).divergence
    assert divergence is not None
    assert (divergence.entry, divergence.field, divergence.recomputed) == (n, "events[0].missed", right)


def test_words_that_do_not_fit_are_found(session: Session, forge: Forge) -> None:
    document = json.loads(dump_game(session.game))
    document["journal"][1]["entry"]["order"] = "NMR blue"
    divergence = audited(forge(document)).divergence
    assert divergence is not None
    assert (divergence.entry, divergence.field, divergence.recomputed) == (1, "order", "NMR red")


def test_as_a_script_and_back_it_is_the_same_game(session: Session, run: Callable[..., Any], tmp_path: Any) -> None:
    (tmp_path / "race.json").write_bytes(dump_game(session.game))
    run("replay", "race.json", "--export", "race.txt", "--with-secret", code=0)
    script = (tmp_path / "race.txt").read_text()
    assert "nmr red bot 1 by 2026-03-02 20:00 UTC\n" in script
    assert "nmr red drop 2 by 2026-03-05 20:00 UTC\nbecause no answer on the telephone\n" in script
    assert "holiday red 2026-03-09 to 2026-03-16\nbecause as the player says\n" in script
    run("replay", "race.txt", "--import", "back.json", code=0)
    assert json.loads((tmp_path / "back.json").read_bytes())["journal"] == json.loads(dump_game(session.game))["journal"]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("nmr green bot 1 by noon", "`nmr red bot 1 by 2026-03-02 20:00 UTC`"),
        ("nmr red wait 1 by noon", "`nmr red bot 1 by 2026-03-02 20:00 UTC`"),
        ("holiday red next week", "`holiday red 2026-12-20 to 2027-01-03`"),
        ("holiday green today to tomorrow", "`holiday red 2026-12-20 to 2027-01-03`"),
    ],
)
def test_a_line_of_a_script_that_is_none_is_told(
    session: Session, run: Callable[..., Any], tmp_path: Any, line: str, hint: str
) -> None:
    (tmp_path / "race.json").write_bytes(dump_game(session.game))
    run("replay", "race.json", "--export", "race.txt", "--with-secret", code=0)
    script = (tmp_path / "race.txt").read_text().replace("nmr red bot 1 by 2026-03-02 20:00 UTC", line)
    (tmp_path / "bad.txt").write_text(script)
    found = run("replay", "bad.txt", code=1)
    assert hint in found.output
