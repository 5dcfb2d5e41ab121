"""Chance: the document's example, the exact derivation, uniformity, and recorded outcomes."""

from __future__ import annotations

import contextlib
import hmac
import io
import json
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from play import begin

from adjudicator.core.chance import CommittedChance, ImpossibleOutcomeError, Keyed, RecordedChance, commitment, draw_index
from adjudicator.core.words import words_sent
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.session import Session

SECRET = bytes(range(32))
WORDS = {"red": "horse", "blue": "umbrella"}
DOCUMENT = "".join((Path(__file__).parents[2] / "docs" / name).read_text("utf-8") for name in ("chance.md", "draws.md"))


def block(name: str) -> str:
    """Return the code block under a comment of the document."""
    found = re.search(rf"<!-- example: {name} -->\n```\w*\n(.*?)```", DOCUMENT, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def example() -> Session:
    """Return the game that the document's command begins."""
    assert "--seed 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" in DOCUMENT
    assert "--entropy red=horse --entropy blue=umbrella" in DOCUMENT
    return begin(id="example", secret=SECRET.hex(), entropy=WORDS)


# The document -------------------------------------------------------------------------------------------------------


def test_the_python_example_prints_what_the_document_says() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block("python"), "draws.md", "exec"), {})
    assert printed.getvalue() == block("python output")


def test_the_example_with_later_words_is_how_that_game_goes_on(example: Session) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block("python") + block("later words"), "draws.md", "exec"), {})
    assert f"prints `{printed.getvalue().splitlines()[-1]}`" in DOCUMENT
    assert "`red: WORD Night Train!`" in DOCUMENT
    assert "`blue: WORD dragonfly`" in DOCUMENT
    session = adjudicate_files(example, [("1", b"red: WORD Night Train!\nblue: WORD dragonfly")]).session
    assert [word.outcome for word in words_sent(session.game)] == [43, 43]
    session = adjudicate_files(session, [("2", b"blue: PLACE H9 at E5")]).session
    assert session.game.journal[-1].entry.events[-1].tiles[0] == printed.getvalue().splitlines()[-1]


def test_the_example_is_how_that_game_begins(example: Session) -> None:
    border, first, *_ = example.game.journal[0].entry.events
    sides = zip(("north", "east", "south", "west"), border.frames, strict=True)
    drawn = [f"{side} {frame.piece} {frame.face}" for side, frame in sides]
    corner = f"{first.cell} {first.tile} {first.rot}"
    assert block("python output").splitlines() == [example.game.chance.commitment, *drawn, corner]


def test_every_purpose_in_the_document_s_table_is_one_the_rules_use(example: Session) -> None:
    asked: list[str] = []

    class Listening(CommittedChance):
        def pick(self, purpose: str, among: object) -> str:
            asked.append(purpose)
            return super().pick(purpose, among)  # type: ignore[arg-type]

    patched = pytest.MonkeyPatch()
    with patched.context() as patch:
        patch.setattr("adjudicator.core.step.CommittedChance", Listening)
        begin(id="example", secret=SECRET.hex(), entropy=WORDS)
    kinds = {re.sub(r"\b([A-E][1-5]|[HGUP]\d+|red|blue)\b", "X", purpose) for purpose in asked}
    assert len(asked) == example.game.journal[0].entry.drawn
    config = DOCUMENT[DOCUMENT.index("## What Checkpoint Rally draws") :]
    told = {re.sub(r"\b(CELL|TILE|SEAT|P2)\b", "X", purpose) for purpose in re.findall(r"`((?:the|a) [^`]+)`", config)}
    assert {re.sub(r"north|east|south|west", "north", kind) for kind in kinds} == told


# The derivation -----------------------------------------------------------------------------------------------------


def by_hand(number: int, purpose: str, size: int, attempt: int = 0) -> int:
    words = json.dumps(WORDS, sort_keys=True, separators=(",", ":"))
    message = f"adjudicator draw 1\n{words}\n{number}\n{attempt}\n{purpose}"
    return int.from_bytes(hmac.new(SECRET, message.encode(), sha256).digest(), "big") % size


def test_the_commitment_is_the_sha_256_of_a_label_and_the_secret() -> None:
    assert commitment(SECRET) == sha256(b"adjudicator commit 1\n" + SECRET).hexdigest()


@given(st.integers(1, 60), st.text(max_size=20), st.integers(0, 10**6))
def test_an_outcome_is_derived_as_the_document_says(size: int, purpose: str, drawn: int) -> None:
    chance = CommittedChance(SECRET, WORDS, drawn)
    things = [str(number) for number in range(size)]
    assert chance.pick(purpose, things) == str(by_hand(drawn, purpose, size))
    assert chance.drawn == drawn + 1


def test_outcomes_go_on_where_the_game_stopped() -> None:
    dice = "123456"
    whole = CommittedChance(SECRET, WORDS)
    outcomes = [whole.pick("a die", dice) for _ in range(20)]
    later = CommittedChance(SECRET, WORDS, drawn=12)
    assert [later.pick("a die", dice) for _ in range(8)] == outcomes[12:]


def test_everything_that_goes_in_changes_what_comes_out() -> None:
    things = [str(number) for number in range(2**40)[:: 2**30]]
    variants = [
        (SECRET, WORDS, 0, "a die"),
        (SECRET[::-1], WORDS, 0, "a die"),
        (SECRET, {"red": "horse"}, 0, "a die"),
        (SECRET, {}, 0, "a die"),
        (SECRET, WORDS, 1, "a die"),
        (SECRET, WORDS, 0, "a dice"),
    ]
    drawn = {CommittedChance(secret, words, number).pick(purpose, things) for secret, words, number, purpose in variants}
    assert len(drawn) == len(variants)


def test_the_order_in_which_words_came_does_not_matter() -> None:
    backwards = dict(reversed(WORDS.items()))
    assert CommittedChance(SECRET, WORDS).pick("x", "abcdef") == CommittedChance(SECRET, backwards).pick("x", "abcdef")


def test_a_single_thing_is_an_outcome_too() -> None:
    chance = CommittedChance(SECRET, {})
    assert (chance.pick("the last tile", ["H1"]), chance.drawn) == ("H1", 1)


# Uniformity ---------------------------------------------------------------------------------------------------------

# The values of chi-square that only one fair source in 10,000 goes beyond, by degrees of freedom.
CHI_SQUARE = {1: 15.1, 2: 18.4, 3: 21.1, 5: 25.7, 6: 27.9, 41: 85.0}


def chi_square(counts: Counter[int], size: int) -> float:
    expected = counts.total() / size
    return sum((counts[thing] - expected) ** 2 / expected for thing in range(size))


@pytest.mark.parametrize("size", [2, 3, 4, 6, 7, 42])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_thing_is_equally_likely(size: int, seed: int) -> None:
    secret = sha256(str(seed).encode()).digest()
    counts = Counter(draw_index(Keyed(secret, b"").digest, number, "a tile", size) for number in range(200 * size))
    assert chi_square(counts, size) < CHI_SQUARE[size - 1]


def test_an_outcome_says_nothing_about_the_next_one() -> None:
    drawn = [draw_index(Keyed(SECRET, b"").digest, number, "a die", 6) for number in range(7200)]
    pairs = Counter(first * 6 + second for first, second in zip(drawn[::2], drawn[1::2], strict=True))
    assert chi_square(pairs, 36) < 77.1  # 35 degrees of freedom, one in 20,000


def test_over_all_values_of_a_small_space_each_thing_comes_exactly_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rejection sampling, counted out: one byte in place of 32, every value once, then a value that is accepted."""
    monkeypatch.setattr("adjudicator.core.chance._SPACE", 256)
    for size in (1, 2, 3, 7, 100, 128, 129, 255, 256):
        counts: Counter[int] = Counter()
        for value in range(256):
            answers = [bytes([value])] + [bytes([255])] * (256 % size != 0) + [b"\0"]
            source = iter(answers)
            index = draw_index(lambda _message, source=source: next(source), 0, "a tile", size)
            was_accepted = len(list(source)) == len(answers) - 1
            assert was_accepted == (value < 256 - 256 % size)
            counts[index] += was_accepted
        assert [counts[thing] for thing in range(size)] == [256 // size] * size


@pytest.mark.parametrize("size", [3, 6, 42, 2**255 + 1, 2**256 - 1])
def test_the_last_fair_value_is_taken_and_the_first_unfair_one_is_not(size: int) -> None:
    fair = 2**256 - 2**256 % size
    assert fair % size == 0
    asked: list[bytes] = []

    def fake(message: bytes) -> bytes:
        asked.append(message)
        return (fair if message.endswith(b"\n0\na tile") else fair - 1).to_bytes(32, "big")

    assert draw_index(fake, 5, "a tile", size) == size - 1
    assert asked == [b"5\n0\na tile", b"5\n1\na tile"]


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
@pytest.mark.parametrize("beginning", [b"", b"adjudicator draw 1\n", b"x" * 300])
def test_the_keyed_hash_is_hmac_of_the_whole_message(length: int, beginning: bytes) -> None:
    key = bytes(range(length))
    keyed = Keyed(key, beginning)
    for rest in (b"", b"0\n0\na tile", b"y" * 100):
        assert keyed.digest(rest) == hmac.digest(key, beginning + rest, "sha256")


# Recorded outcomes --------------------------------------------------------------------------------------------------


def test_recorded_outcomes_come_in_order_in_the_rules_own_spelling() -> None:
    chance = RecordedChance(["g2", "H5"], drawn=7)
    assert [chance.pick("a tile", ["H5", "G2"]), chance.pick("a tile", ["H5"])] == ["G2", "H5"]
    assert chance.drawn == 9
    chance.finish()


def draw_all(chance: RecordedChance, asked: int) -> None:
    for _ in range(asked):
        chance.pick("a tile", ["H5"])
    chance.finish()


@pytest.mark.parametrize(
    ("outcomes", "asked", "outcome", "among"),
    [([], 1, None, ("H5",)), (["H6"], 1, "H6", ("H5",)), (["H5"], 2, None, ("H5",)), (["H5", "G2"], 1, "G2", ())],
)
def test_a_recorded_outcome_that_is_missing_impossible_or_left_over_is_named(
    outcomes: list[str], asked: int, outcome: str | None, among: tuple[str, ...]
) -> None:
    with pytest.raises(ImpossibleOutcomeError) as caught:
        draw_all(RecordedChance(outcomes), asked)
    assert (caught.value.outcome, caught.value.among) == (outcome, among)


def test_what_is_passed_in_stays_as_it_is() -> None:
    outcomes = ["1", "2"]
    RecordedChance(outcomes).pick("a die", "123456")
    assert outcomes == ["1", "2"]
