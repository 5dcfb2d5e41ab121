"""The audit of a file names what was changed in it, and verifies it only if nothing was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adjudicator.core.canonical import canonical_text
from adjudicator.session import Session
from adjudicator.store.save import dump_game
from adjudicator.verdict import Kind

RECORDED = Path(__file__).parents[1] / "data" / "games"
FOLDERS = sorted({path.parent for path in RECORDED.glob("*/recorded-*.json")})
Document = dict[str, Any]
Forge = Callable[[Document], bytes]


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
def test_no_flipped_file_is_verified_or_finds_a_bug(
    which: str, request: pytest.FixtureRequest, judged: Callable[..., Any]
) -> None:
    given = request.getfixturevalue(which)
    data, luck = given if isinstance(given, bytes) else dump_game(given.game), Random(which)
    for flipped in (*flips(data, luck, 4), *line_flips(data, luck, 3)):
        found = judged(flipped)
        if found.divergence is None:
            assert json.loads(flipped) == json.loads(data), flipped
        else:
            assert found.divergence.kind is not Kind.FAULT


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
def test_no_forged_journal_is_verified_or_finds_a_bug(folder: Path, forge: Forge, judged: Callable[..., Any]) -> None:
    document = json.loads(min(folder.glob("*.json"), key=lambda path: path.stat().st_size).read_bytes())
    assert judged(forge(document)).divergence is None
    for spoiled in forged(document, Random(folder.name), 2):
        found = judged(forge(spoiled))
        if found.divergence is None:
            assert entries(spoiled) == entries(document)
        else:
            assert found.divergence.kind is not Kind.FAULT


def entries(document: Document) -> list[Any]:
    return [link["entry"] for link in document["journal"]]


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
) -> None:
    document = json.loads(dump_game(table_talk.game))
    spoil(document)
    data = forge(document)
    assert judged(data).divergence.kind is Kind.DAMAGED


def test_a_state_that_the_rules_do_not_come_to_is_named(finished: Session, forge: Forge, judged: Callable[..., Any]) -> None:
    document = json.loads(dump_game(finished.game))
    document["state"]["racers"][0]["minutes"] += 1
    assert judged(forge(document)).divergence.field == "state.racers[0].minutes"


def test_a_note_may_say_more_than_the_rules_do(table_talk: Session, forge: Forge, judged: Callable[..., Any]) -> None:
    """The words that explain a branch may be put better by a later version: they stay as they are."""
    document = json.loads(dump_game(table_talk.game))
    noted = next(link["entry"] for link in document["journal"] if link["entry"]["notes"])
    noted["notes"][0] += " “so it was”"
    assert judged(forge(document)).divergence is None
    noted["notes"][0] = "IF it rains: yes"
    assert judged(forge(document)).divergence.kind is Kind.BRANCH


def test_the_layout_of_a_file_does_not_matter(small: bytes, judged: Callable[..., Any]) -> None:
    document = json.loads(small)
    for other in (canonical_text(document), json.dumps(document), small.decode().replace("\n", "\r\n")):
        assert judged(other.encode()).divergence is None
