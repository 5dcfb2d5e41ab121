"""Every outcome is the one that docs/draws.md says: computed again here from game files, by the document and its script."""

from __future__ import annotations

import contextlib
import hmac
import io
import re
from hashlib import sha256
from random import Random
from runpy import run_path
from typing import Any

import pytest
from hypothesis import example as case
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudicator as adj
from adjudicator.core.chance import CommittedChance, draw_index  # no game has lists so long that one value must be refused
from adjudicator.library.errors import PreparationError
from adjudicator.library.rulesets import component_set
from tests.drivers import toy
from tests.drivers.older import with_word
from tests.drivers.records import DELETE, ROOT, RULESETS, event_of, example, forge, put, sealed, spoiled

SCRIPT = run_path(str(ROOT / "examples" / "verify_chance.py"))
"""The script that needs only Python: ``outcome(game, number, purpose, things)`` and ``check(game, told)``."""
SECRET = bytes(range(32))
WORDS = {"red": "horse", "blue": "umbrella"}
PAGE = "".join((ROOT / "docs" / name).read_text("utf-8") for name in ("chance.md", "draws.md"))


def ran() -> tuple[dict[str, Any], str]:
    """Run the program in the document; return its names, and what it prints."""
    (block,) = re.findall(r"<!-- example: python -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    names, output = dict[str, Any](), io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(block, "draws.md", "exec"), names)
    return names, output.getvalue()


@pytest.fixture(scope="module")
def begun() -> adj.Game:
    """Return the game that the document's command begins."""
    assert f"--seed {SECRET.hex()}" in PAGE and "--entropy red=horse --entropy blue=umbrella" in PAGE
    return adj.new("checkpoint-rally", ["red", "blue"], id="example", seed=SECRET.hex(), words=WORDS)


def test_the_program_in_the_document_computes_how_its_game_begins(begun: adj.Game) -> None:
    border, first, *_ = toy.entries(begun)[0]["events"]
    sides = zip(("north", "east", "south", "west"), border["frames"], strict=True)
    lines = [begun.commitment, *(f"{side} {frame['piece']} {frame['face']}" for side, frame in sides)]
    lines.append(f"{first['cell']} {first['tile']} {first['rot']}")
    (told,) = re.findall(r"<!-- example: python output -->\n```\n(.*?)```", PAGE, re.DOTALL)
    assert ran()[1] == told == "\n".join(lines) + "\n"
    assert begun.commitment == sha256(b"adjudicator commit 1\n" + SECRET).hexdigest()


def test_later_words_count_as_the_document_says(begun: adj.Game) -> None:
    names, _ = ran()
    (names["words"],) = re.findall(r"`(\[2,\{.*?\}\])`", PAGE)
    left = {"H": (1, 2, 7, 8, 10, 11, 13, 14), "G": (2, 3, 5, 9, 11, 13), "U": (3, 4, 5, 6, 8, 9, 10, 11, 12, 13)}
    stack = [f"{road}{number}" for road, numbers in left.items() for number in numbers]
    game = with_word(with_word(begun, "red", "night train"), "blue", "dragonfly", beside=True)
    sent = [event for entry in toy.entries(game) for event in entry["events"] if event["kind"] == "word-sent"]
    assert [(event["seat"], event["word"], event["outcome"]) for event in sent] == [
        *(("red", "night train", 43), ("blue", "dragonfly", 43))
    ]
    assert toy.entries(game.apply("blue: PLACE H9 at E5").game)[-1]["events"][-1]["tiles"][0] == names["outcome"](
        43, "a tile of the stack for red", stack
    )


def test_the_whole_set_up_of_checkpoint_rally_follows_from_the_table_of_the_document(begun: adj.Game) -> None:
    document, events = toy.document(begun), toy.entries(begun)[0]["events"]
    parts = component_set("checkpoint-rally").parts
    left = {name: [one["id"] for one in parts[name]] for name in ("borders", "tiles", "cards", "cars")}
    purposes: list[str] = []

    def drawn(purpose: str, among: list[str], *, is_kept: bool = False) -> str:
        found = str(SCRIPT["outcome"](document, len(purposes), purpose, among))
        purposes.append(purpose)
        if not is_kept:
            among.remove(found)
        return found

    def tile(event: dict[str, Any]) -> dict[str, Any]:
        found = drawn(f"a tile of the stack for {event['cell']}", left["tiles"])
        rot = drawn(f"the rotation of {found}", ["0", "90", "180", "270"])
        return {**event, "tile": found, "rot": int(rot)}

    again: list[dict[str, Any]] = []
    for event in events:
        match event["kind"]:
            case "border-laid":
                pieces = [drawn_piece(drawn, side, left["borders"]) for side in ("north", "east", "south", "west")]
                again.append({**event, "frames": pieces})
            case "tile-dealt":
                again.append(tile(event))
            case "row-filled":
                again.append({**event, "tiles": [drawn("a tile of the stack for the row", left["tiles"]) for _ in range(3)]})
            case "seat-prepared":
                car = drawn(f"the car of {event['seat']}", left["cars"])
                again.append({**event, "car": car, "card": drawn(f"the checkpoint card of {event['seat']}", left["cards"])})
            case "markers-stacked":
                seats = ["red", "blue"]
                again.append({**event, "seats": [drawn("the next marker of the stack", seats) for _ in range(2)]})
            case "tiles-drawn":
                tiles = [drawn(f"a tile of the stack for {event['seat']}", left["tiles"]) for _ in event["tiles"]]
                again.append({**event, "tiles": tiles})
    assert again == events
    assert len(purposes) == toy.entries(begun)[0]["drawn"] == 43
    kinds = {re.sub(r"\b([A-E][1-5]|[HGUP]\d+|red|blue)\b", "X", purpose) for purpose in purposes}
    table = PAGE[PAGE.index("## What Checkpoint Rally draws") :]
    told = {re.sub(r"\b(CELL|TILE|SEAT|P2)\b", "X", purpose) for purpose in re.findall(r"`((?:the|a) [^`]+)`", table)}
    assert {re.sub(r"north|east|south|west", "north", kind) for kind in kinds} == told


def drawn_piece(drawn: Any, side: str, left: list[str]) -> dict[str, str]:
    piece = drawn(f"the border piece in the {side}", left)
    return {"piece": piece, "face": drawn(f"the side up of border piece {piece}", ["front", "back"])}


# Whole games ---------------------------------------------------------------------------------------------------------


def recomputed(document: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return what the toy's record says of each card and each roll, and what the script computes for it."""
    cards, found = list(component_set("toy-coins").parts["cards"]), list[tuple[Any, Any]]()
    for event in document["journal"][0]["entry"]["events"][:-1]:
        card = SCRIPT["outcome"](document, len(found), f"a card for {event['seat']}", cards)
        found.append((event["card"], card))
        cards.remove(card)
    number = len(found)
    for before, link in zip(document["journal"], document["journal"][1:], strict=False):
        entry = link["entry"]
        if entry["order"].startswith("UNDO"):
            number = entry["drawn"]
        if entry["order"].startswith("ROLL"):
            dice = range(1, int([*entry["order"].split(), "1"][1]) + 1)
            rolled = [SCRIPT["outcome"](document, number + n - 1, f"die {n} of {entry['seat']}", toy.DICE) for n in dice]
            gained = next(event["coins"] for event in entry["events"] if event["kind"] == "gained")
            found.append((gained, sum(map(int, rolled))))
            number += len(rolled)
        assert (entry["drawn"], before["entry"]["n"]) == (number, entry["n"] - 1)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_each_outcome_follows_from_the_words_that_count_for_it_whatever_is_undone(seed: int) -> None:
    """Rolls, words beside orders, words alone, and undos, in any order: all dice of the record are computed again."""
    luck, words = Random(seed), {"red": "horse"} if seed % 2 else {}
    game, before = toy.new("red", "blue", "green", seed=f"{seed:064x}", words=words), list[int]()
    for number in range(14):
        seat = game.due_seats[0]
        kind = luck.choice(("roll", "roll", "word", "alone", "undo"))
        if kind == "undo" and number > 3:
            game = game.undo(luck.choice([n for n in before if n < len(toy.entries(game)) - 1][-1:] or [0]), "again")
            before.clear()
        elif kind == "alone":
            game = with_word(game, luck.choice(game.seats), f"{luck.choice(('cow', 'fish', 'hen'))} {number}")
            before.clear()
        else:
            before.append(len(toy.entries(game)) - 1)
            game = game.apply({seat: f"ROLL {luck.randint(1, 3)}"}).game
            game = with_word(game, seat, f"w{number} x", beside=True) if kind == "word" else game
    pairs = recomputed(toy.document(game))
    assert len(pairs) > 8
    assert [right for right, _ in pairs] == [again for _, again in pairs]
    assert game.audit().is_verified
    assert list(SCRIPT["check"](toy.document(game), "")) == []


def test_a_draw_repeated_after_an_undo_keeps_its_outcome_and_a_word_changes_only_later_ones() -> None:
    game = toy.new("red").apply({"red": "ROLL 3"}).game
    again = game.undo(0, "again").apply({"red": "ROLL 3"}).game
    assert toy.coins(again) == toy.coins(game)
    rolls = "\n".join(["ROLL 3"] * 6)
    worded = with_word(toy.new("red").apply({"red": rolls}).game, "red", "cow", beside=True)
    plain = toy.new("red").apply({"red": rolls}).game
    assert toy.coins(worded) == toy.coins(plain), "it counts from the next turn on"
    undone = worded.undo(0, "again").apply({"red": rolls}).game
    assert toy.coins(undone) == toy.coins(plain), "what was drawn before the word stays"
    later = [game.apply({"red": rolls}).game for game in (worded, plain)]
    assert toy.coins(later[0]) != toy.coins(later[1])
    mixed = toy.new("red", words={"red": "cow"}).apply({"red": rolls}).game
    assert toy.coins(mixed) != toy.coins(plain)


PROOFS = {
    "checkered-flag": "eb59b7e0ae43c0abccabf279eea3182b29985206e006d8e5a3793ebf82ae1b1a",
    "checkpoint-charlie": "8c2d9c24b708632cd3983c77aaee9c86559c9d0d0a76b8214623d1408ff78a9d",
    "checkpoint-rally": "0073829cc1e28310e868f251dde7b98587059a930dc88fb1f13869a08da50f68",
    "great-race": "f9d8bf9a0d9e0d3cd7f5ed4f085b56b667fa58c4c96e5eaa52655f5caba0018c",
    "rally-round": "f463089f4dade6b0251993ea27edc3e0cfdb609ef837347a422c1586c226cd01",
}
"""The proof of the last head of a game with a word, as its players have it."""


@pytest.mark.parametrize("ruleset", PROOFS)
def test_a_recorded_game_with_a_word_loads_replays_and_passes_its_audit(ruleset: str) -> None:
    game = adj.open(ROOT / "tests/data/games" / ruleset / "recorded-700.json")
    log, reader = game.seen_by().log(), game.seen_by("moderator")
    assert [row.order for row in log if row.order.startswith("WORD")] == ["WORD umbrella"]
    assert game.head is not None and game.head.proof == PROOFS[ruleset]
    *_, last = reader.replay()
    assert last.position.view.state == reader.position.view.state
    assert game.audit().is_verified


def test_a_word_is_told_to_everybody_with_the_numbers_of_letters_that_only_look_plain() -> None:
    game = with_word(toy.new(), "red", "h\u043erse")
    row = game.seen_by().log()[-1]
    told = "red's word for chance: h\u043erse (U+043E), mixed in from the next turn on"
    assert (row.order, list(row.told)) == ("WORD h\u043erse", [told])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_script_finds_every_game_sound_and_what_was_changed_in_it(ruleset: str) -> None:
    document = toy.document(adj.open(example(ruleset)))
    assert list(SCRIPT["check"](document, document["chance"]["commitment"] or "")) == []
    last = len(document["journal"]) - 1
    changed = put(document, f"journal[{last}].entry.drawn", lambda drawn: drawn + 1)
    (told,) = SCRIPT["check"](changed, "")
    assert told.startswith(f"entry {last}")


# Proofs --------------------------------------------------------------------------------------------------------------


def test_a_proof_can_be_computed_by_whoever_has_the_secret() -> None:
    game = toy.new().apply({"red": "ROLL", "blue": "ADD 1"}).game
    document, key = toy.document(game), bytes.fromhex(toy.SEED)
    proofs = [
        hmac.digest(key, b"adjudicator proof 1\n" + link["hash"].encode(), "sha256").hex() for link in document["journal"]
    ]
    assert [row.proof for row in game.seen_by().log()] == proofs
    assert game.head.proof == proofs[-1]
    assert [row.proof for row in toy.new(recorded=["A1", "A2"]).seen_by().log()] == [None], "recorded chance has no secret"


@pytest.mark.parametrize(
    ("member", "value"),
    [("turn", 2), ("seat", "blue"), ("order", "ADD 2"), ("written", "X"), ("notes", ["IF"]), ("events", []), ("drawn", 9)],
)
def test_the_hash_behind_a_proof_fixes_everything_that_an_entry_holds_and_all_before(member: str, value: Any) -> None:
    document = toy.document(toy.new().apply({"red": "ADD 1", "blue": "ADD 1"}).game)
    changed = sealed(spoiled(document, {f"journal[1].entry.{member}": value}))
    same = [one["hash"] == other["hash"] for one, other in zip(document["journal"], changed["journal"], strict=True)]
    assert same == [True, False, False]


# A game that nobody can deal -----------------------------------------------------------------------------------------


def promised() -> adj.Game:
    prepared = adj.prepare_game("toy-coins", ["red", "blue"], id="toy-1", seed=toy.SEED)
    return prepared.add_words({"red": "Horse"}).publish(without=["blue"]).begin()


def test_a_promise_fixes_all_but_the_words() -> None:
    game = promised()
    document = toy.document(game)
    assert SCRIPT["promise"](document) == game.promise
    assert list(SCRIPT["check"](document, game.promise)) == []
    assert [right for right, _ in recomputed(document)] == [again for _, again in recomputed(document)]
    with pytest.raises(PreparationError, match="publish"):
        adj.prepare_game("toy-coins", ["red"]).begin()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"chance.without": []}, "chance.without"),
        ({"chance.entropy.red": "Horse"}, "chance.entropy.red"),
        ({"chance.entropy.green": "cow"}, "chance.entropy"),
    ],
)
def test_a_promised_game_with_other_words_is_no_such_game(changes: dict[str, Any], field: str) -> None:
    data = forge(spoiled(toy.document(promised()), changes))
    divergence = adj.open(data).audit().divergence
    assert divergence is not None
    assert divergence.field == field
    other = forge(spoiled(toy.document(promised()), {"chance.promised": DELETE, "chance.without": DELETE}))
    assert adj.open(other).promise != promised().promise


# The law of draws, beyond what games ask -----------------------------------------------------------------------------


@given(st.integers(1, 60), st.text(st.characters(exclude_categories=["Cs"]), max_size=20), st.integers(0, 10**6))
@settings(max_examples=60)
def test_an_outcome_is_derived_as_the_document_says_whatever_is_drawn(size: int, purpose: str, drawn: int) -> None:
    game = {"chance": {"entropy": WORDS, "secret": SECRET.hex()}, "journal": []}
    things = [str(number) for number in range(size)]
    chance = CommittedChance(SECRET, WORDS, drawn)
    assert chance.pick(purpose, things) == SCRIPT["outcome"](game, drawn, purpose, things)
    assert chance.drawn == drawn + 1


@pytest.mark.parametrize("size", [3, 6, 42, 2**255 + 1, 2**256 - 1])
def test_the_last_fair_value_is_taken_and_the_first_unfair_one_is_not(size: int) -> None:
    fair, asked = 2**256 - 2**256 % size, list[bytes]()

    def keyed(message: bytes) -> bytes:
        asked.append(message)
        return (fair if message.endswith(b"\n0\na tile") else fair - 1).to_bytes(32, "big")

    assert draw_index(keyed, 5, "a tile", size) == size - 1
    assert asked == [b"5\n0\na tile", b"5\n1\na tile"]


@pytest.mark.parametrize("size", [2, 3, 6, 7, 42])
def test_each_thing_is_equally_likely_and_says_nothing_about_the_next(size: int) -> None:
    """One fair source in 10,000 goes beyond these values of chi-square, by degrees of freedom."""
    limits = {1: 15.1, 2: 18.4, 3: 21.1, 5: 25.7, 6: 27.9, 8: 31.8, 41: 85.0, 35: 73.3, 48: 94.5}
    game = {"chance": {"entropy": {}, "secret": f"{size:064x}"}, "journal": []}
    drawn = [SCRIPT["outcome"](game, number, "a tile", range(size)) for number in range(200 * size)]

    def chi_square(values: list[int], kinds: int) -> float:
        expected = len(values) / kinds
        return sum((values.count(kind) - expected) ** 2 / expected for kind in range(kinds))

    assert chi_square(drawn, size) < limits[size - 1]
    if size in (2, 3, 6, 7):
        pairs = [first * size + second for first, second in zip(drawn[::2], drawn[1::2], strict=True)]
        assert chi_square(pairs, size * size) < limits[size * size - 1]


def test_an_outcome_is_of_its_event() -> None:
    """The die in the record is the one that its account has grown by."""
    document = toy.document(toy.new("red").apply({"red": "ROLL 3"}).game)
    spent = put(document, event_of(document, "gained") + ".coins", lambda coins: coins + 1)
    divergence = adj.open(forge(spent)).audit().divergence
    assert divergence is not None
    assert (divergence.n, divergence.field) == (1, "events[0].coins")


# The form of a word at the set-up.


def in_one_form(word: str) -> str:
    """Return the form in which a prepared game keeps a word. Raises ``PreparationError`` if it is not valid."""
    return adj.prepare_game("toy-coins", ["red", "blue"]).add_words({"red": word}).promise.words["red"]


FORMS = {
    "horse": "horse",
    "  HORSE ": "horse",
    "Straße": "strasse",
    "two \t words\u00a0here": "two words here",
    "ｆｕｌｌ": "full",
    "cafe\u0301": "café",
    "ﬁsh": "fish",
    "狐狸と犬": "狐狸と犬",
    "4 8 15 16": "4 8 15 16",
    "Horse!": "horse",
    "“horse.”": "horse",
}


@pytest.mark.parametrize("written", FORMS)
def test_a_word_has_one_form(written: str) -> None:
    assert in_one_form(written) == in_one_form(FORMS[written]) == FORMS[written]


@pytest.mark.parametrize(
    "sign",
    [
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u00ad",
        "\u2060",
        "\ufe0f",
        "\u034f",
        "\u3164",
        "\u2800",
        "\U000e0101",
        "\0",
        "\x7f",
        "\u202e",
        "\ue000",
        "\U000e0041",
        "\u0378",
    ],
)
def test_what_nobody_can_see_is_refused_with_its_number(sign: str) -> None:
    with pytest.raises(PreparationError, match=re.escape(f"U+{ord(sign):04X}")):
        in_one_form(f"hor{sign}se")


def test_a_thousand_variants_of_one_look_are_one_word() -> None:
    looks = set()
    for number in range(0, 998, 7):
        spaces = "".join(" \u00a0\u2003\t"[(number >> shift) % 4] for shift in (0, 2, 4, 6, 8))
        looks.add(in_one_form(f"um{'B' if number % 2 else 'b'}rella{spaces}tree"))
    assert looks == {"umbrella tree"}


@pytest.mark.parametrize(
    ("word", "is_word"), [("xx", False), ("...", False), ("xxx", True), ("x" * 60, True), ("x" * 61, False)]
)
def test_a_word_has_its_bounds(word: str, is_word: bool) -> None:
    if is_word:
        assert in_one_form(word) == word
    else:
        with pytest.raises(PreparationError, match="3 to 60"):
            in_one_form(word)


@case("´:0")
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=70))
@settings(max_examples=60, deadline=None)
def test_whatever_is_written_is_a_word_in_its_own_form_or_refused(written: str) -> None:
    try:
        word = in_one_form(written)
    except PreparationError:
        return
    assert in_one_form(word) == word
    assert not set(word) & set("{}[]\"'\\:<>#;")
