"""The audit by lines says of a game what the audit that takes it apart says, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adjudicator.audit import audit_source
from adjudicator.audit.as_written import verified
from adjudicator.audit.decide import audit_game
from adjudicator.audit.verdict import AuditResult, Kind
from adjudicator.core.canonical import canonical_text
from adjudicator.rulesets import ruleset
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

pytest.importorskip("jsonschema_rs")

RECORDED = Path(__file__).parents[1] / "recorded"
FOLDERS = sorted(path.parent for path in RECORDED.glob("*/situations.py"))
Document = dict[str, Any]
Forge = Callable[[Document], bytes]


@pytest.fixture
def taken_apart(judged: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], AuditResult]:
    """Return what the audit says that takes every game apart."""

    def run(data: bytes) -> AuditResult:
        with monkeypatch.context() as patched:
            patched.setattr(audit_source, "verified", lambda _data, _source: None)
            found: AuditResult = judged(data)
        return found

    return run


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_game_of_each_ruleset_is_verified_by_its_lines(folder: Path) -> None:
    data = min(folder.glob("*.json"), key=lambda path: path.stat().st_size).read_bytes()
    assert verified(data, "x") == audit_game(open_session(load_game(data, bulk=True)), "x")


@pytest.mark.soak
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_recorded_game_is_verified_by_its_lines(folder: Path) -> None:
    for path in folder.glob("*.json"):
        data = path.read_bytes()
        assert verified(data, "x") == audit_game(open_session(load_game(data, bulk=True)), "x"), path.name


@pytest.mark.parametrize("which", ["table_talk", "at_a_table", "worded"])
def test_games_with_everything_are_verified_by_their_lines(which: str, request: pytest.FixtureRequest) -> None:
    session: Session = request.getfixturevalue(which)
    found = verified(dump_game(session.game), "x")
    assert found == audit_game(session, "x")
    assert found is not None and found.divergence is None


def flips(data: bytes, luck: Random, times: int) -> Iterator[bytes]:
    """Yield ``data`` with a byte changed, left out, put in, or a piece exchanged for another."""
    for _ in range(times):
        at, size = luck.randrange(len(data)), luck.randrange(1, 40)
        other = luck.randrange(len(data) - size)
        yield from (
            data[:at] + bytes([data[at] ^ 1 << luck.randrange(8)]) + data[at + 1 :],
            data[:at] + data[at + 1 :],
            data[:at] + luck.choice([b",", b"\n", b'"', b"0", b"{", b"]"]) + data[at:],
            data[:at] + data[other : other + size] + data[at:],
        )


def line_flips(data: bytes, luck: Random, times: int) -> Iterator[bytes]:
    """Yield ``data`` with lines left out, doubled and exchanged."""
    for _ in range(times):
        lines = data.split(b"\n")
        one, two = luck.randrange(len(lines)), luck.randrange(len(lines))
        yield b"\n".join(lines[:one] + lines[one + 1 :])
        yield b"\n".join(lines[:one] + lines[one : one + 1] + lines[one:])
        lines[one], lines[two] = lines[two], lines[one]
        yield b"\n".join(lines)


@pytest.mark.parametrize("which", ["small", "table_talk"])
def test_flipped_files_get_the_same_verdict(
    which: str, request: pytest.FixtureRequest, judged: Callable[..., Any], taken_apart: Callable[[bytes], AuditResult]
) -> None:
    given = request.getfixturevalue(which)
    data, luck = given if isinstance(given, bytes) else dump_game(given.game), Random(which)
    for flipped in (*flips(data, luck, 4), *line_flips(data, luck, 3)):
        assert judged(flipped) == taken_apart(flipped), flipped


def forged(document: Document, luck: Random, times: int) -> Iterator[Document]:
    """Yield ``document`` with a member of an entry exchanged for that of another, or entries in another order."""
    for _ in range(times):
        spoiled = json.loads(json.dumps(document))
        journal = spoiled["journal"]
        one, two = (luck.choice(journal)["entry"] for _ in range(2))
        name = luck.choice(sorted(one))
        one[name] = two[name]
        yield spoiled
        spoiled = json.loads(json.dumps(document))
        journal = spoiled["journal"]
        at = luck.randrange(len(journal))
        spoiled["journal"] = luck.choice([journal[:at] + journal[at + 1 :], [*journal, journal[at]], journal[::-1]])
        yield spoiled


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_forged_journals_get_the_same_verdict(
    folder: Path, forge: Forge, judged: Callable[..., Any], taken_apart: Callable[[bytes], AuditResult]
) -> None:
    data = min(folder.glob("*.json"), key=lambda path: path.stat().st_size).read_bytes()
    luck, diverged = Random(folder.name), 0
    for spoiled in forged(json.loads(data), luck, 2):
        found = judged(forge(spoiled))
        assert found == taken_apart(forge(spoiled))
        diverged += found.divergence is not None
    assert diverged


def spoil_reported(document: Document) -> None:
    document["reported"] = len(document["journal"]) + 1


def spoil_receipts(document: Document) -> None:
    turn = document["journal"][-1]["entry"]["turn"] + 2
    document["receipts"] = [{"turn": turn, "seat": "red", "hash": "0" * 64, "received": None}]


def spoil_players(document: Document) -> None:
    document["setup"]["players"][1] = document["setup"]["players"][0]


def spoil_secret(document: Document) -> None:
    document["chance"]["secret"] = "0" * 64


def spoil_line(document: Document) -> None:
    document["journal"][1]["entry"]["order"] = "DRAW" + " " * 2_000


def spoil_note(document: Document) -> None:
    noted = next(link["entry"] for link in document["journal"] if link["entry"]["notes"])
    noted["notes"][0] += "." * 2_000


@pytest.mark.parametrize(
    "spoil",
    [spoil_reported, spoil_receipts, spoil_players, spoil_secret, spoil_line, spoil_note],
    ids=lambda one: one.__name__,
)
def test_what_a_schema_or_the_numbering_forbids_is_damaged(
    spoil: Callable[[Document], None],
    table_talk: Session,
    forge: Forge,
    judged: Callable[..., Any],
    taken_apart: Callable[[bytes], AuditResult],
) -> None:
    document = json.loads(dump_game(table_talk.game))
    spoil(document)
    data = forge(document)
    assert judged(data) == taken_apart(data)
    assert judged(data).divergence.kind is Kind.DAMAGED


def test_a_state_that_the_rules_do_not_come_to_is_named(finished: Session, forge: Forge, judged: Callable[..., Any]) -> None:
    document = json.loads(dump_game(finished.game))
    document["state"]["racers"][0]["minutes"] += 1
    assert judged(forge(document)).divergence.field == "state.racers[0].minutes"


def test_a_game_of_a_version_that_cannot_be_decided_is_not_verified(table_talk: Session, forge: Forge) -> None:
    document = json.loads(dump_game(table_talk.game))
    meta = ruleset("checkpoint-rally").meta
    document["ruleset"]["version"] = (meta.oldest or meta.version) - 1
    assert verified(forge(document), "x") is None


def test_without_the_extra_every_game_is_taken_apart(small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jsonschema_rs.canonical.json", None)
    assert verified(small, "x") is None


def test_a_note_may_say_more_than_the_rules_do(table_talk: Session, forge: Forge) -> None:
    """The words that explain a branch may be put better by a later version: they stay as they are."""
    document = json.loads(dump_game(table_talk.game))
    noted = next(link["entry"] for link in document["journal"] if link["entry"]["notes"])
    noted["notes"][0] += " “so it was”"
    assert verified(forge(document), "x") is not None
    noted["notes"][0] = "IF it rains: yes"
    assert verified(forge(document), "x") is None


def test_files_are_read_as_they_are_laid_out(small: bytes) -> None:
    assert verified(small, "x") is not None
    document = json.loads(small)
    others = [canonical_text(document), json.dumps(document), small.decode().replace("\n", "\r\n")]
    assert [verified(other.encode(), "x") for other in others] == [None] * 3
