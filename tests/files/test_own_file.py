"""A player's own file: every position that its player has seen, and nothing else."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from tests.drivers.records import ROOT

GAMES = sorted((ROOT / "tests/data/games").glob("*/*.json"))
FEW = {path for name in {path.parent for path in GAMES} for path in sorted(name.glob("*.json"))[1::4]}
"""Every fourth game of each ruleset; the others are for the long run."""
ONE_EACH = [ROOT / f"tests/data/games/{name}" for name in ("checkpoint-rally/again-005.json", "great-race/again-001.json")]


def own_of(path: Path, seat: str | None = None) -> tuple[adj.Reader, bytes]:
    game = adj.open(path)
    reader = game.seen_by(seat or game.seats[-1])
    return reader, reader.own_file()


def sealed(document: dict[str, Any]) -> bytes:
    """Return the bytes of an own file with these contents and the right seal."""
    rest = {name: value for name, value in document.items() if name != "seal"}
    seal = sha256(f"adjudicator seat file\n{canonical(rest)}".encode()).hexdigest()
    return canonical({**rest, "seal": seal}).encode()


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=() if path in FEW else pytest.mark.soak, id=f"{path.parent.name}-{path.stem}")
        for path in GAMES
    ],
)
def test_an_own_file_replays_what_its_seat_has_seen(path: Path) -> None:
    reader, data = own_of(path)
    own = adj.open(data).seen_by()
    for seen, kept in zip(reader.replay(), own.replay(), strict=True):
        assert (seen.n, seen.rows, seen.events, seen.is_last) == (kept.n, kept.rows, kept.events, kept.is_last)
        there, here = seen.position, kept.position
        assert there.drawing == here.drawing
        assert (there.heading, there.due, there.standings) == (here.heading, here.due, here.standings)
        assert there.view == here.view
    assert own.position_at(1).drawing == reader.position_at(1).drawing
    whole = json.loads(data)
    past = canonical(whole["past"])
    assert len(data) <= 3 * (len(data) - len(past)) or len(past) < 10_000, "the past takes too much space"


def test_an_own_file_of_version_1_0_opens_without_a_past() -> None:
    reader, data = own_of(ONE_EACH[0])
    document = json.loads(data)
    del document["past"]
    own = adj.open(sealed({**document, "seat_file": 1})).seen_by()
    assert own.position.drawing == reader.position.drawing
    with pytest.raises(adj.RequestError, match="ask the moderator for a new own file"):
        own.replay()


def test_an_entry_that_the_game_does_not_have_is_refused() -> None:
    own = adj.open(own_of(ONE_EACH[0])[1]).seen_by()
    with pytest.raises(adj.AdjudicatorError, match="there is no entry 9999"):
        own.position_at(9999)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("past", 1, "before"), {"racers": {"9": {"cell": ["A1"]}}}),
        (("past", 1, "before"), {"stage": 1}),
        (("past", 1, "before"), 7),
        (("past", 1, "before"), ["nothing"]),
        (("past", 2, "events"), [{"kind": "no-such-event"}]),
        (("past", 2, "events"), [7]),
        (("past", 3, "rows"), 10**9),
        (("past", 3, "rows"), 0),
        (("past", 3, "n"), 4),
        (("past", 0, "n"), 1),
        (("log", 3, "n"), 2),
    ],
)
def test_a_forged_past_is_told(place: tuple[Any, ...], value: Any) -> None:
    document = json.loads(own_of(ONE_EACH[0])[1])
    *way, last = place
    holder: Any = document
    for name in way:
        holder = holder[name]
    holder[last] = value
    with pytest.raises(adj.Untrusted, match="past"):
        _ = [step.position for step in adj.open(sealed(document)).seen_by().replay()]
