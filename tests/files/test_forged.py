"""Files that are damaged, forged or hostile are refused with the place and the reason; sound ones are read in any layout."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path as FilePath
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import adjudicator as adj
from adjudicator.library.errors import CannotRead
from adjudicator.library.rulesets import component_set
from adjudicator.library.rulesets import schema as library_schema
from tests.drivers import toy
from tests.drivers.older import with_word
from tests.drivers.records import (
    DELETE,
    RULESETS,
    Document,
    Path,
    entry_of,
    event_of,
    forge,
    laid_out,
    leaves,
    put,
    refusal,
    small,
    spoiled,
)

FORMAT = 2
WORD = "a word “é”\u2028 with 漢字"


def toy_game() -> adj.Game:
    """Return a game with conditions, hidden orders, pending orders, a word and an undo."""
    begun = adj.new("toy-coins", {"red": "Ann", "blue": "Bob “é” 漢"}, id="toy-1", seed=toy.SEED, words={"red": "horse"})
    game = begun.apply("red:\n  IF coins = 0 THEN ADD 2\n  HIDE\nblue: ROLL 2\n").game
    game = with_word(game.apply("blue: ADD 1").game, "blue", "night train", beside=True).undo(4, "a slip")
    return game.apply("red:\n  ADD 1\n  ADD 2\n  ADD 3\nblue: ROLL\n").game


@pytest.fixture(scope="module")
def game() -> adj.Game:
    return toy_game()


@pytest.fixture
def document(game: adj.Game) -> Document:
    return toy.document(game)


def test_the_forger_of_these_tests_makes_the_file_that_the_program_writes(game: adj.Game, document: Document) -> None:
    """So he knows chain, seal and layout: by the formulas of docs/game-file.md alone."""
    assert forge(document) == game.to_bytes()
    for ruleset in RULESETS:
        assert forge(json.loads(small(ruleset))) == small(ruleset)


def test_the_file_is_canonical_with_a_line_for_each_member_and_each_entry(game: adj.Game, document: Document) -> None:
    lines = game.to_bytes().decode().split("\n")
    assert [json.loads(line.rstrip(","))["entry"]["n"] for line in lines if line.startswith('{"entry"')] == [
        *range(len(document["journal"]))
    ]
    assert (lines[-1], toy_game().to_bytes() == game.to_bytes()) == ("", True)
    more = game.apply({"blue": "ADD 1"}).game.to_bytes().split(b"\n")
    assert len(set(lines) - {line.decode() for line in more}) <= 5, "one more order changes few lines"


@pytest.mark.parametrize("ruleset", ["toy-coins", *RULESETS])
def test_the_layout_does_not_matter_to_the_reader(ruleset: str, game: adj.Game, tmp_path: FilePath) -> None:
    data = game.to_bytes() if ruleset == "toy-coins" else small(ruleset)
    whole = json.loads(data)
    spread = json.dumps(whole, indent=4, ensure_ascii=True)
    swapped = dict(reversed(whole.items()))
    for other in (spread, "\ufeff" + spread.replace("\n", "\r\n"), json.dumps(swapped), data.decode()[:-1]):
        found = adj.open(other.encode())
        assert (found, found.to_bytes()) == (adj.open(data), data)
    (tmp_path / "game.json").write_bytes(data)
    assert adj.open(tmp_path / "game.json") == adj.open(str(tmp_path / "game.json")) == adj.open(data)


def test_a_file_from_standard_input(game: adj.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(game.to_bytes())))
    assert adj.open("-") == game


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=25)
@given(st.lists(st.tuples(WORDS, st.none() | WORDS, st.lists(WORDS, max_size=2)), min_size=3, max_size=3), WORDS)
def test_any_words_survive(lines: list[tuple[str, str | None, list[str]]], waiting: str) -> None:
    found = toy.document(toy.new().apply("red:\n  ADD 1\n  ADD 2\nblue:\n  ADD 1\n  ADD 2\n  ADD 3\n").game)
    for link, (order, written, notes) in zip(found["journal"][1:], lines, strict=False):
        link["entry"] |= {"order": order, "written": written, "notes": notes}
    found["pending"][0]["orders"][0]["order"] = waiting
    data = forge(found)
    assert adj.open(data).to_bytes() == data
    assert adj.open(json.dumps(json.loads(data)).encode()).to_bytes() == data


# Damaged -------------------------------------------------------------------------------------------------------------

CHANGED: list[tuple[str, Any, str]] = [
    ("id", "other", "journal[0]: somebody has changed the heading of the file or entry 0"),
    ("setup.players[0].holder", "Eve", "journal[0]: somebody has changed the heading of the file or entry 0"),
    ("chance.entropy", {"red": "cow"}, "journal[0]: somebody has changed the heading of the file or entry 0"),
    ("journal[2].entry.order", "PASS", "journal[2]: somebody has changed entry 2 ("),
    ("journal[3].entry.drawn", lambda drawn: drawn + 1, "journal[3]: somebody has changed entry 3 ("),
    ("journal[2].hash", "0" * 64, "journal[2]: somebody has changed entry 2 ("),
    ("journal", lambda links: links[:2] + links[3:], "journal[2]: somebody has deleted entry 2: entry 3 follows entry 1"),
    ("journal", lambda links: links[:1] + links[3:], "journal[1]: somebody has deleted entries 1 to 2: entry 3 follows "),
    ("journal", lambda links: links[1:], "journal[0]: somebody has deleted entry 0: entry 1 comes first"),
    ("journal", lambda links: [links[0], links[2], links[1], *links[3:]], "journal[1]: somebody has changed entry 2"),
    ("journal", lambda links: links[:-1], "seal: does not fit: somebody has changed the state, the pending orders,"),
    ("chance.secret", None, "seal: does not fit"),
    ("chance.secret", "0" * 64, "chance.secret: this is not the secret of this game"),
    ("reported", 1, "seal: does not fit"),
    ("receipts", [{"turn": 1, "seat": "red", "hash": "0" * 64, "received": None}], "seal: does not fit"),
    ("languages", ["de"], "seal: does not fit"),
    ("seal", "0" * 64, "seal: does not fit"),
]  # fmt: skip


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(("path", "value", "words"), CHANGED)
def test_what_was_changed_afterwards_is_named(ruleset: str, path: str, value: Any, words: str) -> None:
    assert words in refusal(laid_out(put(json.loads(small(ruleset)), path, value)))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_change_of_any_number_or_word_in_the_position_is_found_by_the_seal(ruleset: str) -> None:
    document, luck = json.loads(small(ruleset)), Random(ruleset)
    places = [(path, value) for path, value in leaves(document["state"], ("state",)) if isinstance(value, int)]
    for path, value in luck.sample(places, min(6, len(places))):
        spoilt = refusal(laid_out(put(document, path, (not value) if isinstance(value, bool) else value + 1)))
        assert "seal: does not fit" in spoilt or "must " in spoilt


def test_several_things_are_told_at_once(document: Document) -> None:
    changes = {"journal[1].entry.turn": 3, "state.rounds": 7, "chance.secret": "0" * 64}
    told = refusal(laid_out(spoiled(document, changes))).splitlines()[1:]
    assert [line.strip().split(":")[0] for line in told] == [
        *("chance.secret", "journal[1]", "seal", "journal[2].entry.turn"),
    ]


def test_no_flipped_bit_no_byte_left_out_or_doubled_makes_another_game(game: adj.Game) -> None:
    data, luck, refused = toy.new().apply({"red": "ADD 1"}).game.to_bytes(), Random(1), 0
    original = adj.open(data)

    def mutants() -> Iterator[bytes]:
        for position in range(0, len(data), 7):
            yield data[:position] + bytes([data[position] ^ (1 << position * 5 % 8)]) + data[position + 1 :]
        for _ in range(60):
            at, length = luck.randrange(len(data)), luck.choice((1, 1, 2, 10, 64))
            yield from (data[:at] + data[at + length :], data[: at + length] + data[at:])

    for spoilt in mutants():
        try:
            found = adj.open(spoilt)
        except adj.Untrusted:
            refused += 1
            continue
        assert found == original
    assert refused > 300


@pytest.mark.parametrize("share", range(0, 100, 7))
def test_a_file_cut_off_anywhere_is_refused(game: adj.Game, share: int) -> None:
    data = game.to_bytes()
    assert refusal(data[: len(data) * share // 100])
    assert "cut off" in refusal(data[:-2])


# Forged: chain and seal fit ------------------------------------------------------------------------------------------

FORGED: list[tuple[str, Any, str]] = [
    ("chance.secret", "ab" * 32, "chance.secret: this is not the secret of this game"),
    ("chance.commitment", None, "chance.commitment: is missing"),
    ("chance.source", "recorded", "chance.secret: must be null"),
    ("journal[3].entry.n", 4, "journal[3].entry.n: must be 3, not 4"),
    ("journal[1].entry.seat", "green", "journal[1].entry.seat: “green” is not a seat of this game"),
    ("setup.players[1].seat", "red", "setup.players[1].seat: “red” has two players"),
    ("setup.players[1].seat", "moderator", "setup.players[1].seat: “moderator” is not a player's seat"),
    ("pending", lambda sheets: [*sheets, *sheets], "pending[1].seat: “red” has two sheets of pending orders"),
    ("pending[0].seat", "green", "pending[0].seat: “green” is not a seat"),
    ("components.hash", "0" * 64, "components.hash: the game began with another set “house”"),
    ("components.version", 2, "components.version: the game uses version 2 of “house”, but this program has"),
    ("components.id", "../../secret", "components.id: toy-coins has no component set “../../secret”; it has: house"),
    ("setup.components", {"id": "house", "version": 1, "cards": ["X1", "X2", "X3"]}, "setup.components: this is not the "),
    ("reported", 99, "reported: "),
    # Values of another kind, which lax readers take for the right ones.
    ("journal[1].entry.n", True, "journal[1].entry.n"),
    ("journal[1].entry.n", "1", "journal[1].entry.n"),
    ("journal[1].entry.seat", 1, "journal[1].entry.seat"),
    ("journal[1].entry.order", None, "journal[1].entry.order"),
    ("journal[1].entry.order", "x" * 2001, "journal[1].entry.order"),
    ("journal[1].entry.written", False, "journal[1].entry.written"),
    ("journal[1].entry.notes", "x", "journal[1].entry.notes"),
    ("journal[1].entry.notes", {"0": "x"}, "journal[1].entry.notes"),
    ("journal[1].entry.notes", ["x" * 2001], "journal[1].entry.notes"),
    ("journal[1].entry.events", [[]], "journal[1].entry.events"),
    ("journal[1].entry.events[0].coins", True, "journal[1].entry.events[0].coins"),
    ("journal[1].entry.events[0].coins", DELETE, "journal[1].entry.events[0]"),
    ("journal[1].entry.events[0].kind", "gaind", "not “gaind”; did you mean “gained”?"),
    ("journal[1].entry.drawn", 2**53, "journal[1].entry.drawn"),
    ("journal[1].entry.drawn", -1, "journal[1].entry.drawn"),
    ("state.purses[0].coins", -1, "state.purses[0].coins: must be 0 or more, not -1"),
    ("state.purses[0].has_quit", 0, "state.purses[0].has_quit"),
    ("state.purses[0].coins", DELETE, "state.purses[0]: “coins” is missing"),
    ("state.colour", "red", "the name “colour” is unknown here"),
    ("state", {}, "state: “purses” is missing"),
    ("state", [], "state: must be a group of names and values, not a list"),
    ("journal", [], "journal: must not"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "words"), FORGED)
def test_what_does_not_add_up_is_refused_though_chain_and_seal_fit(
    document: Document, path: str, value: Any, words: str
) -> None:
    assert words in refusal(forge(put(document, path, value)))


HEADINGS: list[tuple[str, Any, str]] = [
    ("format", FORMAT + 1, f"format: install a newer adjudicator: the file has format {FORMAT + 1}, and this program reads"),
    ("format", 0, "format: "),
    ("format", -3, "format: there is no format -3"),
    *(("format", wrong, f"format: must be the number of a format, such as {FORMAT}") for wrong in (True, "1", [1], None)),
    ("ruleset", {"id": "toy-cions", "version": 1}, "ruleset.id: no ruleset “toy-cions” is installed; installed are:"),
    *(("ruleset", wrong, "ruleset.id: must be the name of a ruleset") for wrong in ({"id": "x" * 999}, {"id": ["x"]}, [])),
    ("ruleset.version", 4, "ruleset.version: install a newer adjudicator: the game uses version 4"),
    ("ruleset.version", 0, "ruleset.version: must be 1 or more, not 0"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "words"), HEADINGS)
def test_a_file_of_another_format_or_ruleset_says_what_to_install(
    document: Document, path: str, value: Any, words: str
) -> None:
    assert words in refusal(laid_out(put(document, path, value)))


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {"format": 1}, {"ruleset": {}}])
def test_something_else_than_a_game_is_called_so(value: Any) -> None:
    assert "this is not a game file" in refusal(json.dumps(value).encode())


@pytest.mark.parametrize("path", ["seal", "chance.commitment", "chance.secret", "components.hash", "journal[1].hash"])
@pytest.mark.parametrize("change", [lambda x: x[:-1] + "\n", lambda x: x + "\n", str.upper, lambda x: x[:-1] + " "])
def test_hashes_are_64_lower_case_digits(document: Document, path: str, change: Callable[[str], str]) -> None:
    assert "must " in refusal(laid_out(put(document, path, change)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"n":1,', b'"n":1.0,', "journal[1].entry.n: must be written as a whole number: 1"),
        (b'"n":1,', b'"n":10E-1,', "journal[1].entry.n: must be written as a whole number: 1"),
        (b'"n":1,', b'"n":1,"n":1,', "journal[1].entry: the name “n” appears twice"),
    ],
)
def test_one_written_as_a_fraction_or_twice(document: Document, old: bytes, new: bytes, words: str) -> None:
    assert words in refusal(forge(document).replace(old, new))


def test_the_moderator_and_nobody_may_have_entries_and_the_secret_may_be_withheld(document: Document) -> None:
    data = forge(spoiled(document, {"journal[1].entry.seat": "moderator", "journal[2].entry.seat": None}))
    assert adj.open(data).to_bytes() == data
    veiled = forge(put(document, "chance.secret", None))
    assert adj.open(veiled).to_bytes() == veiled


def test_thousands_of_faults_are_told_in_a_few_lines(document: Document) -> None:
    document["journal"] = [{"entry": {"n": "x"}, "hash": "y"}] * 4000
    lines = refusal(laid_out(document)).splitlines()
    assert len(lines) == 22
    assert re.fullmatch(r"  … and \d{3,5} more", lines[-1])


# Hostile bytes -------------------------------------------------------------------------------------------------------

ODD: list[tuple[bytes, str]] = [
    (b"", "the file is empty"),
    (b" \n\t", "the file is empty"),
    (b'{"a":1,', "this is not complete JSON: it ends too early, in line 1; is the file cut off?"),
    (b'{"a":\n"bc', "this is not complete JSON: it ends too early, in line 2; is the file cut off?"),
    (b'{"a":1}\n]', "this is not JSON: line 2, column 1: there is more text after the last closing bracket"),
    (b"game rally-042", "this is not JSON: it begins with “game rally-042”"),
    (b'{"a":"\x80"}', "this is not text in UTF-8: byte 7 of 9 is wrong"),
    (b"\xff\xfe{\x00}\x00", "UTF-16"),
    (b'{"a":{"b":1,"b":1}}', "a: the name “b” appears twice"),
    (b'[{"x":1,"y":2,"x":3}]', "[0]: the name “x” appears twice"),
    (b'{"a":[1,1.0]}', "a[1]: must be written as a whole number: 1"),
    (b'{"a":1e2}', "a: must be written as a whole number: 100"),
    (b'{"a":2.5}', "a: must be a whole number, not 2.5"),
    (b'{"a":1e999}', "a: must be a whole number"),
    (b'{"a":NaN,"b":-Infinity}', "b: must be a whole number"),
    (b'{"a b":["\\ud800"]}', "[“a b”][0]: “\\ud800” contains half a character (a lone surrogate)"),
    (b'{"a\\u001b[31m":2.5}', "[“a\\u001b[31m”]: must be a whole number"),
    (b"[" * 100_000, "the brackets are nested too deeply"),
    (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "the brackets are nested too deeply"),
    (b'["]",' * 300 + b"1" + b"]" * 300, "the brackets are nested too deeply"),
    (b'{"a":' + b"9" * 5000 + b"}", "a number in the file has thousands of digits"),
    (b'{"a":1.5,"a":[NaN,{"b":1,"b":2}],"c":"\\ud834"}', "a[1]: the name “b” appears twice"),
]


@pytest.mark.parametrize(("data", "words"), ODD)
def test_odd_bytes_are_refused_with_the_place_and_the_reason(data: bytes, words: str) -> None:
    told = refusal(data)
    assert words in told
    assert "\x1b" not in told


@pytest.mark.parametrize(
    "data", [b'{"a": "' + b"[" * 500 + b'"}', rb'{"a\"[[": "\\", "b": "' + b"{" * 500 + b'"}', b"[" + b"[]," * 500 + b"[]]"]
)
def test_brackets_in_words_and_beside_each_other_are_not_deep(data: bytes) -> None:
    assert "this is not a game file" in refusal(data)


@pytest.mark.parametrize("depth", [50, 198, 300, 900, 5000])
def test_nesting_of_any_depth_in_a_game_is_refused(document: Document, depth: int) -> None:
    data = laid_out(put(document, "state", "@")).replace(b'"@"', b"[" * depth + b"]" * depth)
    assert refusal(data) == refusal(data)


@given(st.binary(max_size=60))
@settings(max_examples=60)
def test_any_bytes_are_refused(data: bytes) -> None:
    assert refusal(data)


def test_names_that_lead_to_no_file(tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, words in (
        (tmp_path / "none.json", "there is no such file"),
        (tmp_path, "this is a folder"),
        (tmp_path / "none" / "x", "there is no such file"),
        ("a\0b", "this is not a valid file name"),
        (tmp_path / ("x" * 300), "cannot be read"),
    ):
        with pytest.raises(CannotRead, match=words):
            adj.open(name)

    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(FilePath, "open", refuse)
    with pytest.raises(CannotRead, match="permission to read"):
        adj.open(tmp_path / "x")


def test_a_file_that_is_too_large_is_not_read(tmp_path: FilePath) -> None:
    with (tmp_path / "x.json").open("wb") as file:
        file.truncate(256 * 1024 * 1024 + 1)
    with pytest.raises(CannotRead, match="larger than"):
        adj.open(tmp_path / "x.json")


# Every checker says the same -----------------------------------------------------------------------------------------

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2.5, 2**53, 10**30, "", "x", "spent", "a\n", [], [1], {}, {"kind": "x"}),
    *("y" * 81, "0" * 64, "f" * 63 + "\n", ["z"] * 40),
)


def mutations(document: Document) -> list[tuple[str, Callable[[], Document]]]:
    """Return functions that make the document with each value in turn replaced, left out, renamed or doubled."""
    found: list[tuple[str, Callable[[], Document]]] = []
    for path, _ in every_place(document):
        found += [(f"{path} = {value!r}", partial(put, document, path, value)) for value in VALUES]
        found.append((f"del {path}", partial(_without, document, path)))
        found.append((f"twice {path}", partial(_doubled, document, path)))
    return found


def every_place(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if path:
        yield path, value
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from every_place(item, (*path, key))


def _without(document: Document, path: Path) -> Document:
    return put(document, path, DELETE) if isinstance(path[-1], str) else put(document, path[:-1], _dropped(path[-1]))


def _dropped(at: int) -> Callable[[list[Any]], list[Any]]:
    return lambda items: items[:at] + items[at + 1 :]


def _doubled(document: Document, path: Path) -> Document:
    last = path[-1]
    if isinstance(last, int):
        return put(document, path[:-1], lambda items: [*items[:last], items[last], *items[last:]])
    return put(document, path[:-1], lambda group: {f"{key}_" if key == last else key: item for key, item in group.items()})


@pytest.mark.parametrize("every", [60, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("ruleset", ["checkered-flag", "checkpoint-rally"])
def test_a_forged_file_is_trusted_only_if_the_published_schema_holds(ruleset: str, every: int) -> None:
    schema = Draft202012Validator(json.loads(library_schema(f"{ruleset}.game-file.json")))
    document = json.loads(small(ruleset, 2))
    good, told = 0, list[str]()
    renamed = [
        ("id", partial(put, document, "id", "x")),
        ("holder", partial(put, document, "setup.players[0].holder", "Eve")),
    ]
    for what, make in (*renamed, *mutations(document)[::every]):
        mutant = make()
        try:
            data = forge(mutant)
        except (KeyError, TypeError, AttributeError):
            data = json.dumps(mutant).encode()
        try:
            found = adj.open(data)
        except adj.Untrusted as error:
            told.append(str(error))
            continue
        except Exception:  # events that cannot follow: see the audit
            assert schema.is_valid(mutant), what
            continue
        good += 1
        assert schema.is_valid(json.loads(data)), what
        assert adj.open(found.to_bytes()) == found, what
    assert len(told) > good > 1
    assert all("\n" in words or ": " in words for words in told)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_component_set_is_taken_only_if_its_schema_holds(ruleset: str, tmp_path: FilePath) -> None:
    schema = Draft202012Validator(json.loads(library_schema(f"{ruleset}.components.json")))
    path, (own, good, bad) = tmp_path / "own.json", (_own_set(ruleset), 0, 0)
    changes = mutations(own)
    for what, make in changes[:: max(1, len(changes) // 12)]:
        mutant = make()
        path.write_text(json.dumps(mutant))
        try:
            adj.new(ruleset, ["red", "blue"], components=str(path))
        except adj.Untrusted:
            bad += 1
            continue
        except adj.SetupError:
            pass  # it fits the schema and not the rules
        good += 1
        assert schema.is_valid(mutant), what
    assert (bad > good, good + bad > 11) == (True, True)


def _own_set(ruleset: str) -> Document:
    found: Document = json.loads(json.dumps(component_set(ruleset).parts))
    return {**found, "id": "own"}


# A moderator's own sets and positions --------------------------------------------------------------------------------

OWN = {"id": "own", "version": 1, "cards": ["X1", "X2", "X3", "X4"]}
MISSING = "“cards” is missing"
PARTS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("components", {"id": DELETE, "version": DELETE}, ["“id” is missing", "“version” is missing"]),
    ("components", {"id": "", "version": 0}, ["id: must not be empty", "version: must be 1 or more, not 0"]),
    ("components", {"cards": ["X1"]}, ["cards: must have at least 3 items, but has 1"]),
    ("components", {"cards": [f"X{n}" for n in range(10)]}, ["cards: must have at most 9 items, but has 10"]),
    ("components", {"cards[1]": 7}, ["cards[1]: must be text, not 7"]),
    ("components", {"id": "x" * 81}, ["id: must have at most 80 characters, but has 81"]),
    ("components", {"colour\x1b": None}, ["the name “colour\\u001b” is unknown here"]),
    ("components", {"card": []}, ["the name “card” is unknown here"]),
    ("components", {"card": [], "cards": DELETE}, ["the name “card” is unknown here; did you mean “cards”?", MISSING]),
    ("components", {"version": 2**60}, [f"version: must be {2**53 - 1} or less, not {2**60}"]),
    ("components", {"version": 10**40}, ["version: must be 9007199254740991 or less, not a number of 41 digits"]),
    ("position", {"seats": []}, ["seats: must not be empty"]),
    ("position", {"seats[0].coins": -1}, ["seats[0].coins: must be 0 or more, not -1"]),
    ("position", {"seats[0].coins": True}, ["seats[0].coins: must be a whole number, not true"]),
    ("position", {"seats[0]": []}, ["seats[0]: must be a group of names and values, not a list"]),
    ("position", {"rounds": "a\n"}, ["rounds: must be a whole number, not “a\\u000a”"]),
]  # fmt: skip
AT: Document = {"seats": [{"seat": "red", "coins": 3, "card": "A2"}, {"seat": "blue"}], "rounds": 1}


@pytest.mark.parametrize(("what", "changes", "words"), PARTS)
def test_every_fault_of_an_own_set_or_position_is_told(
    what: str, changes: dict[str, Any], words: list[str], tmp_path: FilePath
) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps(spoiled(OWN if what == "components" else AT, changes)))
    with pytest.raises(adj.Untrusted) as caught:
        adj.new("toy-coins", ["red", "blue"], **{what: str(path)})
    headline, *told = str(caught.value).splitlines()
    kind = "a component set for Toy Coins" if what == "components" else "a position of Toy Coins"
    assert (headline, [line.strip() for line in told]) == (f"{path}: this is not {kind}", words)


def test_an_own_set_is_in_the_file_and_a_shipped_one_is_only_named(tmp_path: FilePath) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps({**OWN, "id": "house"}))
    with pytest.raises(adj.SetupError, match="give your own component set another id than “house”"):
        adj.new("toy-coins", ["red", "blue"], components=str(path))
    path.write_text(json.dumps(OWN))
    own = adj.new("toy-coins", ["red", "blue"], components=str(path), seed=toy.SEED)
    assert toy.document(own)["setup"]["components"]["cards"] == OWN["cards"]
    assert adj.open(own.to_bytes()) == own
    shipped = toy.document(toy.new())
    assert (shipped["setup"]["components"], shipped["components"]["id"]) == (None, "house")
    changed = forge(put(toy.document(own), "setup.components.cards[0]", "X9"))
    assert "setup.components: this is not the component set that `components` names" in refusal(changed)


def test_an_explicit_position_begins_the_game_and_impossible_ones_are_refused(tmp_path: FilePath) -> None:
    path = tmp_path / "at.json"
    path.write_text(json.dumps(AT))
    begun = adj.new("toy-coins", ["blue", "red"], position=str(path), recorded=["A5"], options={"mode": "together"})
    assert [(one["seat"], one["coins"], one["card"]) for one in toy.document(begun)["state"]["purses"]] == [
        *(("blue", 0, "A5"), ("red", 3, "A2")),
    ]
    assert (adj.open(begun.to_bytes()), begun.audit().is_verified) == (begun, True)
    for changes, told in (
        ({"seats[1].seat": "green"}, "the position is for the seats red, green, the game for red, blue"),
        ({"seats[0].card": "A9"}, "red: there is no card A9 in this game"),
        ({"seats[1].card": "A2"}, "card A2 is in 2 places"),
        ({"seats[0].coins": 77}, "77 coins cannot be counted"),
        ({"seats[1].coins": 6000}, "blue has 6000 coins"),
    ):
        path.write_text(json.dumps(spoiled(AT, changes)))
        with pytest.raises(adj.SetupError, match=told):
            adj.new("toy-coins", ["red", "blue"], position=str(path))


OPTIONS: list[tuple[dict[str, str], list[str]]] = [
    ({"mod": "turns"}, ["there is no option “mod”; this game has: mode, goal, luck.red, luck.blue, pace"]),
    ({"mode": "togehter"}, ["option mode cannot be “togehter”; it may be: turns, together, sealed"]),
    ({"luck": "much", "luck.green": "much"}, ["there is no option “luck”", "there is no option “luck.green”"]),
    ({"luck.red": "some", "mod": "x"}, ["there is no option “mod”", "option luck.red cannot be “some”"]),
    ({"goal": "many"}, ["the goal is a number", "so many coins"]),
    ({"mode": "turns", "MODE": "together"}, ["option mode is given twice"]),
]


@pytest.mark.parametrize(("options", "told"), OPTIONS)
def test_every_wrong_option_is_told_with_what_was_meant(options: dict[str, str], told: list[str]) -> None:
    with pytest.raises(adj.SetupError) as caught:
        adj.new("toy-coins", ["red", "blue"], options=options)
    messages = [problem.message for problem in caught.value.problems]
    assert [words in message for words, message in zip(told, messages, strict=True)] == [True] * len(told)


def test_options_are_filled_in_and_may_be_written_in_any_case() -> None:
    game = adj.new("toy-coins", ["red", "blue"], options={"MODE": "Together", "Luck.BLUE": "MUCH"})
    assert toy.document(game)["setup"]["options"] == {
        "goal": "1000",
        "luck.blue": "much",
        "luck.red": "none",
        "mode": "together",
        "pace": "fast",
    }


def test_the_value_of_an_option_may_be_a_number() -> None:
    assert adj.new("checkered-flag", ["red", "blue"], options={"laps": 2}).record.setup.options["laps"] == "2"
    with pytest.raises(adj.SetupError, match="option laps cannot be “77”"):
        next(adj.simulate_games("checkered-flag", options={"laps": 77}))


def test_a_game_of_an_older_version_of_the_rules_is_decided_as_then() -> None:
    """Its file does not name an option that came later, which stands for what was so before."""
    document = toy.document(toy.new())
    older = adj.open(forge(spoiled(document, {"ruleset.version": 2, "setup.options.pace": DELETE})))
    assert (older.audit().is_verified, adj.open(older.to_bytes()) == older) == (True, True)
    assert toy.codes(older.apply({"red": "ADD 4"})) == ["too-many"]
    assert toy.codes(toy.new().apply({"red": "ADD 4"})) == []
    oldest = forge(spoiled(document, {"ruleset.version": 1, "setup.options.pace": DELETE}))
    divergence = adj.open(oldest).audit().divergence
    assert divergence is not None
    assert (divergence.kind, "can no longer decide" in divergence.recomputed) == ("version", True)
    paced = adj.open(forge(put(document, "ruleset.version", 2))).audit().divergence
    assert paced is not None
    assert paced.field.startswith("setup")
    assert (entry_of(document, "all-dealt"), event_of(document, "all-dealt")) == (0, "journal[0].entry.events[2]")
