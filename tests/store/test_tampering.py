"""A changed byte anywhere is found; what a forger makes anew must still obey the schema and add up."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from adjudicator import rulesets
from adjudicator.core.game import FORMAT, Game
from adjudicator.files.errors import CannotRead, Untrusted
from adjudicator.rulesets import BrokenRuleset, UnusableRuleset
from adjudicator.store.load import load_canonical, load_carefully, load_game
from adjudicator.store.save import dump_game

Forge = Callable[[dict[str, Any]], bytes]


def refusal(data: bytes) -> str:
    with pytest.raises(Untrusted) as caught:
        load_game(data)
    assert load_canonical(data) is None
    return "\n".join(str(violation) for violation in caught.value.violations)


def flipped(data: bytes, position: int, bit: int) -> bytes:
    return data[:position] + bytes([data[position] ^ (1 << bit)]) + data[position + 1 :]


@pytest.fixture(scope="module")
def small(make_game: Callable[..., Game]) -> bytes:
    return dump_game(make_game(orders=1))


def test_no_flipped_bit_passes_the_quick_way(small: bytes) -> None:
    for position in range(len(small)):
        for bit in range(8):
            assert load_canonical(flipped(small, position, bit)) is None, (position, bit)


def one_bit(position: int) -> Sequence[int]:
    return () if position % 3 else (position * 5 % 8,)


def all_bits(_position: int) -> Sequence[int]:
    return range(8)


@pytest.mark.parametrize("bits", [one_bit, pytest.param(all_bits, marks=pytest.mark.soak)])
def test_no_flipped_bit_makes_another_game(small: bytes, bits: Callable[[int], Sequence[int]]) -> None:
    original = load_game(small)
    for position, bit in ((place, each) for place in range(len(small)) for each in bits(place)):
        try:
            found = load_game(flipped(small, position, bit))
        except Untrusted:
            continue
        assert found == original, (position, bit)


def test_no_byte_left_out_or_doubled_makes_another_game(small: bytes) -> None:
    original, chosen = load_game(small), random.Random(1)
    for _ in range(400):
        at, length = chosen.randrange(len(small)), chosen.choice((1, 1, 2, 10, 64))
        for spoiled in (small[:at] + small[at + length :], small[: at + length] + small[at:]):
            try:
                found = load_game(spoiled)
            except Untrusted:
                continue
            assert found == original


def test_the_changed_entry_is_named(document: dict[str, Any]) -> None:
    document["journal"][2]["entry"]["order"] = "CLIMB 9"
    told = refusal(json.dumps(document).encode())
    assert told == "journal[2]: somebody has changed entry 2 (red: “CLIMB 9”): it does not fit its hash"


def test_a_changed_heading_is_named(document: dict[str, Any]) -> None:
    document["setup"]["players"][0]["holder"] = "Eve"
    assert "journal[0]: somebody has changed the heading of the file or entry 0" in refusal(json.dumps(document).encode())


def test_an_entry_left_out_or_exchanged(document: dict[str, Any]) -> None:
    journal = document["journal"]
    for changed, told in (
        (journal[:2] + journal[3:], "journal[2]: somebody has deleted entry 2"),
        ([journal[0], journal[2], journal[1], *journal[3:]], "journal[1]: somebody has changed entry"),
        (journal[1:], "journal[0]: somebody has deleted entry 0"),
    ):
        assert told in refusal(json.dumps({**document, "journal": changed}).encode())
    assert "seal: " in refusal(json.dumps({**document, "journal": journal[:-1]}).encode())


@pytest.mark.parametrize("name", ["state", "pending", "secret"])
def test_what_the_chain_does_not_cover_is_sealed(document: dict[str, Any], name: str) -> None:
    if name == "state":
        document["state"]["climbers"][0]["seconds"] -= 1
    elif name == "pending":
        document["pending"] = []
    else:
        document["chance"]["secret"] = None
    assert refusal(json.dumps(document).encode()) == (
        "seal: does not fit: somebody has changed the state, the pending orders, the receipts or the secret, "
        "or deleted the last entries"
    )


def test_several_things_are_told_at_once(document: dict[str, Any]) -> None:
    document["journal"][1]["entry"]["turn"] = 3
    document["state"]["wood"] = None
    document["chance"]["secret"] = "0" * 64
    told = refusal(json.dumps(document).encode())
    assert [line.split(":")[0] for line in told.splitlines()] == [
        "chance.secret",
        "journal[1]",
        "seal",
        "journal[2].entry.turn",
    ]


# A forger makes chain and seal anew. What then is found must be found by both ways alike.


def test_forge_of_an_unchanged_document_is_the_file(document: dict[str, Any], game: Game, forge: Forge) -> None:
    assert forge(document) == dump_game(game)


def spoil_secret(document: dict[str, Any]) -> None:
    document["chance"]["secret"] = "ab" * 32


def spoil_commitment(document: dict[str, Any]) -> None:
    document["chance"]["commitment"] = None


def spoil_source(document: dict[str, Any]) -> None:
    document["chance"]["source"] = "recorded"


def spoil_number(document: dict[str, Any]) -> None:
    document["journal"][3]["entry"]["n"] = 4


def spoil_seat(document: dict[str, Any]) -> None:
    document["journal"][1]["entry"]["seat"] = "green"


def spoil_players(document: dict[str, Any]) -> None:
    document["setup"]["players"][1]["seat"] = "red"


def spoil_moderator(document: dict[str, Any]) -> None:
    document["setup"]["players"].append({"seat": "moderator", "holder": ""})


def spoil_pending(document: dict[str, Any]) -> None:
    document["pending"] *= 2
    document["pending"] += [{"seat": "green", "turn": 1, "orders": [], "is_begun": False}]


def spoil_components_hash(document: dict[str, Any]) -> None:
    document["components"]["hash"] = "0" * 64


def spoil_components_version(document: dict[str, Any]) -> None:
    document["components"]["version"] = 2


def spoil_components_id(document: dict[str, Any]) -> None:
    document["components"]["id"] = "../../secret"


def spoil_embedded(document: dict[str, Any]) -> None:
    document["setup"]["components"] = {"id": "standard", "version": 1, "rungs": [{"height": 1, "wood": "oak"}]}


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (spoil_secret, "chance.secret: this is not the secret of this game"),
        (spoil_commitment, "chance.commitment: is missing"),
        (spoil_source, "chance.secret: must be null"),
        (spoil_number, "journal[3].entry.n: must be 3, not 4"),
        (spoil_seat, "journal[1].entry.seat: “green” is not a seat of this game"),
        (spoil_players, "setup.players[1].seat: “red” has two players"),
        (spoil_moderator, "setup.players[2].seat: “moderator” is not a player's seat"),
        (spoil_pending, "pending[1].seat: “red” has two sheets of pending orders\npending[2].seat: “green” is not a seat"),
        (spoil_components_hash, "components.hash: the game began with another set “standard”"),
        (spoil_components_version, "components.version: the game uses version 2 of “standard”, but this program has"),
        (spoil_components_id, "components.id: toy-ladder has no component set “../../secret”; it has: standard"),
        (spoil_embedded, "setup.components: this is not the component set that `components` names"),
    ],
)
def test_what_does_not_add_up(
    document: dict[str, Any], forge: Forge, spoil: Callable[[dict[str, Any]], None], told: str
) -> None:
    spoil(document)
    assert told in refusal(forge(document))


def test_the_moderator_may_have_entries(document: dict[str, Any], forge: Forge) -> None:
    document["journal"][1]["entry"]["seat"] = "moderator"
    document["journal"][2]["entry"]["seat"] = None
    assert load_carefully("x", forge(document)) == load_canonical(forge(document))


# Formats, rulesets, versions.


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        (
            "format",
            FORMAT + 1,
            f"format: install a newer adjudicator: the file has format {FORMAT + 1}, and this program reads",
        ),
        ("format", 0, "format: "),
        ("format", -3, "format: there is no format -3"),
        ("format", True, f"format: must be a whole number from 1 to {FORMAT}"),
        ("format", "1", f"format: must be a whole number from 1 to {FORMAT}"),
        ("format", [1], f"format: must be a whole number from 1 to {FORMAT}"),
        ("format", None, f"format: must be a whole number from 1 to {FORMAT}"),
        ("ruleset", {"id": "toy-lader", "version": 1}, "ruleset.id: no ruleset “toy-lader” is installed; installed are:"),
        ("ruleset", {"id": "x" * 1000, "version": 1}, "ruleset.id: must be the name of a ruleset"),
        ("ruleset", {"id": ["toy-ladder"]}, "ruleset.id: must be the name of a ruleset"),
        ("ruleset", [], "ruleset.id: must be the name of a ruleset"),
        (
            "ruleset",
            {"id": "toy-ladder", "version": 3},
            "ruleset.version: install a newer adjudicator: the game uses version 3",
        ),
        ("ruleset", {"id": "toy-ladder", "version": 0}, "ruleset.version: must be 1 or more, not 0"),
        ("journal", [], "journal: must not"),
    ],
)
def test_formats_and_rulesets(document: dict[str, Any], key: str, value: Any, told: str) -> None:
    document[key] = value
    assert told in refusal(json.dumps(document).encode())


def test_a_ruleset_that_does_not_work(document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise UnusableRuleset(BrokenRuleset(name, "it is broken"))

    monkeypatch.setattr(rulesets, "ruleset", refuse)
    with pytest.raises(CannotRead, match="the ruleset “toy-ladder” cannot be used: it is broken"):
        load_game(json.dumps(document).encode())


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {"format": 1}, {"ruleset": {}}])
def test_something_else_than_a_game(value: Any) -> None:
    assert refusal(json.dumps(value).encode()).startswith("this is not a game file")


def test_an_older_version_of_the_rules_is_read(game: Game, forge: Forge, document: dict[str, Any]) -> None:
    document["ruleset"]["version"] = 1
    data = forge(document)
    assert load_carefully("x", data) == load_canonical(data)
    assert load_game(data).ruleset == replace(game.ruleset, version=1)


# Values that lax readers take for others.


@pytest.mark.parametrize(
    ("spot", "value"),
    [
        ("n", True),
        ("n", "1"),
        ("seat", 1),
        ("order", None),
        ("order", "x" * 2001),
        ("written", False),
        ("notes", "x"),
        ("notes", {"0": "x"}),
        ("events", [[]]),
        ("events", [{"kind": "climbed", "seat": "red", "rungs": True, "found": None}]),
        ("events", [{"kind": "climbed", "seat": "red", "rungs": 1, "found": {"kind": "saw", "teeth": [False]}}]),
        ("events", [{"kind": "climbed", "seat": "red", "rungs": 1, "found": {"kind": "saw", "teeth": [True]}}]),
        ("events", [{"kind": "climbed", "seat": "red", "rungs": 1}]),
        ("events", [{"kind": "rested", "seat": "red", "wood": "OAK"}]),
        ("events", [{"kind": "rested", "seat": "red", "wood": 0}]),
        ("drawn", 2**53),
        ("drawn", -1),
    ],
)
def test_values_of_another_kind(document: dict[str, Any], forge: Forge, spot: str, value: Any) -> None:
    document["journal"][1]["entry"][spot] = value
    assert f"journal[1].entry.{spot}" in refusal(forge(document))


@pytest.mark.parametrize("written", ["1.0", "1e0", "10E-1"])
def test_one_written_as_a_fraction(document: dict[str, Any], forge: Forge, written: str) -> None:
    data = forge(document).replace(b'"n":1,', b'"n":' + written.encode() + b",")
    assert "journal[1].entry.n: must be written as a whole number: 1" in refusal(data)


@pytest.mark.parametrize(
    "path", [("seal",), ("chance", "commitment"), ("chance", "secret"), ("components", "hash"), ("journal", 1, "hash")]
)
@pytest.mark.parametrize("change", [lambda x: x[:-1] + "\n", lambda x: x + "\n", str.upper, lambda x: x[:-1] + " "])
def test_hashes_are_64_lower_case_digits(
    document: dict[str, Any], path: tuple[str | int, ...], change: Callable[[str], str]
) -> None:
    *way, last = path
    place: Any = document
    for key in way:
        place = place[key]
    assert place[last] != change(place[last])
    place[last] = change(place[last])
    assert "must " in refusal(json.dumps(document).encode())


def test_a_doubled_name_in_a_forged_line(document: dict[str, Any], forge: Forge) -> None:
    data = forge(document).replace(b'"n":1,', b'"n":1,"n":1,')
    assert "journal[1].entry: the name “n” appears twice" in refusal(data)


def test_unsorted_names_in_a_forged_line_take_the_careful_way(document: dict[str, Any], forge: Forge) -> None:
    data = forge(document).replace(b'"format":%d,\n"id":"toy-1"' % FORMAT, b'"id":"toy-1",\n"format":%d' % FORMAT)
    assert data != forge(document)
    assert load_canonical(data) is None
    assert load_game(data) == load_game(data)


def test_thousands_of_faults_are_told_in_a_few_lines(document: dict[str, Any]) -> None:
    document["journal"] *= 500
    for link in document["journal"]:
        link["entry"] = {"n": "x"}
    with pytest.raises(Untrusted) as caught:
        load_game(json.dumps(document).encode())
    lines = str(caught.value).splitlines()
    assert len(lines) == 22
    assert lines[-1] == f"  … and {len(caught.value.violations) - 20} more"
