"""What players may write: every variant is the same order as its canonical words, and `WORD umbrella` stands anywhere."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

import adjudicator as adj
from tests.drivers.mails import EXAMPLES, GAMES, LANGUAGES, at_turn_7, new_game, read_at_turn_7, read_file

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "orders.md").read_text("utf-8")
VARIANTS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("variants.toml").read_text("utf-8"))


@pytest.mark.parametrize("canonical", VARIANTS)
def test_a_variant_is_the_order_it_means(canonical: str) -> None:
    """The names in conditions stay as they are written."""
    reads = {written: read_file(written) for written in (canonical, *VARIANTS[canonical])}
    wrong = {
        text: found.red for text, found in reads.items() if [one.casefold() for one in found.red] != [canonical.casefold()]
    }
    assert wrong == {}
    assert reads[canonical].red == [canonical]
    assert [found.raw for found in reads.values() if found.codes] == []


BLOCKS = [block.splitlines() for block in re.findall(r"```variants\n(.*?)```", PAGE, re.DOTALL)[0].split("\n\n")]


def test_the_variants_of_the_page_are_those_of_every_order() -> None:
    for lines in BLOCKS:
        assert [read_file(line).red for line in lines] == [[lines[0]]] * len(lines)
    assert {lines[0].split()[0] for lines in BLOCKS} == {one.split()[0] for one in EXAMPLES["checkpoint-rally"]}


def test_the_comparisons_and_facts_of_the_page_are_read() -> None:
    quoted = re.findall(r"`([^`]+)`", PAGE.partition("| comparison |")[2].partition("\n\n")[0])
    conditions = [words if " row" in f" {words}" else f"minutes {words} 3" for words in quoted]
    assert [one for one in conditions if read_file(f"IF {one} THEN DRAW").raw] == []
    facts = re.findall(r"^\| `(\w+)[^`]*` \|", PAGE.partition("| fact |")[2].partition("\n\n")[0], re.MULTILINE)
    unknown = read_file("IF nothing_such > 3 THEN DRAW").only
    assert unknown.code == "orders/unknown-fact"
    assert [fact for fact in facts if fact != "cost" and f"{fact}" not in unknown.message + PAGE] == []
    assert len(quoted) >= 8 <= len(facts)


@pytest.mark.parametrize("game", GAMES)
def test_canonical_words_of_every_kind_of_order_are_read_as_what_they_were_in_any_case(game: str) -> None:
    """Alone, in conditions, as alternatives, and as they are legal in a game."""
    legal = [row.order for seat in new_game(game).due_seats for row in new_game(game).seen_by(seat).legal[:60]]
    whole = [*EXAMPLES[game], *legal]
    assert [order for order in whole if read_file(order, game).red != [order]] == []
    for order, other in zip(EXAMPLES[game], EXAMPLES[game][1:], strict=False):
        for text in (f"{order} OR {other}", f"IF {new_fact(game)} > 3 THEN {order} ELSE {other}"):
            assert read_file(text, game).red == [text]
    for order in EXAMPLES[game]:
        for written in (order.lower(), order.upper(), f"  {order.lower()}  "):
            assert [one.casefold() for one in read_file(written, game).red] == [order.casefold()], written


def new_fact(game: str) -> str:
    return {"checkered-flag": "left", "great-race": "round", "rally-round": "left"}.get(
        game, "minutes" if "rally" in game else "round"
    )


def recorded(game: str) -> list[str]:
    """Return what was written in the games on file."""
    lines = []
    for path in (ROOT / "tests" / "data" / "games" / game).glob("*.json"):
        entries = [link["entry"] for link in json.loads(path.read_bytes())["journal"]]
        lines += [one["written"] or one["order"] for one in entries if one["seat"] not in (None, "moderator")]
    return sorted({line for line in lines if line and not line.startswith("WORD")})


@pytest.mark.parametrize("game", GAMES)
def test_orders_of_recorded_games_are_read_as_they_stand(game: str) -> None:
    lines = recorded(game)
    every = max(1, len(lines) // 150)
    assert len(lines) >= 30
    wrong = []
    for line in lines[::every]:
        found = read_file(line, game)
        again = read_file("\n".join(found.red), game)
        if not found.red or found.codes or again.red != found.red:
            wrong.append((line, found.red, found.codes))
    assert wrong == []


@pytest.mark.parametrize(
    "line", ["lay a1 b1", "lay a1 b1 if hand<1or lay a1 b1", "if not gps<1then lay a1 b1 else lay a1 b1"]
)
def test_the_longest_line_can_still_be_read_in_its_longer_canonical_words(line: str) -> None:
    """Canonical words wait in the game file: what a player may write must never become unreadable there."""
    whole = line
    while len(whole) + len(line) + 4 <= 500:
        whole += f" or {line}"
    game = at_turn_7().apply(f"red:\n{whole.replace('a1', 'H3')}").game
    (waiting,) = game.seen_by("red").pending.waiting
    assert 500 < len(waiting.orders[0]) < 2_000
    again = adj.open(game.to_bytes()).apply("blue: DRAW").game
    assert [sheet.orders for sheet in again.seen_by("red").pending.waiting] == [waiting.orders]


@pytest.mark.parametrize("word", ["draw", "Place", "IF", "game", "turn"])
def test_a_seat_cannot_be_called_like_a_word_of_the_language(word: str) -> None:
    with pytest.raises(adj.SetupError, match="this word has a meaning in orders"):
        adj.new("checkpoint-rally", [word.lower(), "red"])


@pytest.mark.parametrize(
    ("written", "draws"), [("DRAW [H5 G2]", "H5 G2"), ("draw [h5, g2]", "h5 g2"), ("red: DRAW [H5,G2].", "H5 G2")]
)
def test_recorded_outcomes_stand_in_brackets(written: str, draws: str) -> None:
    problem = read_at_turn_7(written if ":" in written else f"red:\n{written}").only
    assert (problem.code, problem.line) == ("core/chance-not-recorded", 2 - (":" in written))
    assert read_at_turn_7("red: IF row has IN THEN DRAW").codes == ["unknown-name"]  # a word of the language may be a name


# A word for chance, which counts only when a game is set up.

WORDS = "words for chance count only when a game is set up"


@pytest.mark.parametrize(
    ("text", "ignored", "orders"),
    [
        ("red: WORD umbrella\nDRAW", {1}, {"red": ["DRAW"]}),
        ("red:\n  word Umbrella.\nDRAW", {2}, {"red": ["DRAW"]}),
        ("red:\nDRAW\n- WORD: umbrella\nREFRESH", {3}, {"red": ["DRAW", "REFRESH"]}),
        ("red:\nDRAW\n**WORD umbrella**", {3}, {"red": ["DRAW"]}),
        ("red:\nWORD: DRAW\nDRAW\nblue:\nWORD draw", {2, 5}, {"red": ["DRAW"]}),  # what reads like an order is a word
        ("red:\nDRAW\nWORD", {3}, {"red": ["DRAW"]}),
        ("red:\nDRAW\nWORD has it that you are well", {3}, {"red": ["DRAW"]}),
        ("red:\nDRAW\n\nWords fail me.\nWordplay\nWord has it that you are well.\n", set(), {"red": ["DRAW"]}),
    ],
)
def test_a_word_for_chance_is_ignored_with_the_reason_and_leaves_the_orders_around_it(
    text: str, ignored: set[int], orders: dict[str, list[str]]
) -> None:
    result = at_turn_7().apply(text)
    assert {one.line for one in result.ignored if one.reason == WORDS} == ignored
    assert not any(row.order.startswith("WORD") for row in result.log)
    found = read_at_turn_7(text)
    assert (found.problems, found.orders) == ([], orders)


@pytest.mark.parametrize("ruleset", ["checkpoint-rally", "checkered-flag", "checkpoint-charlie"])
def test_a_text_with_only_a_word_has_no_orders(ruleset: str) -> None:
    result = at_turn_7(ruleset).apply("red: WORD umbrella")
    assert ([one.code for one in result.problems], result.is_changed) == (["orders/empty"], False)
    assert read_at_turn_7("red:\nDRAW", "red: WORD umbrella").red == ["DRAW"]


def keywords() -> list[tuple[str, str]]:
    files = {code: json.loads((ROOT / "grammar" / "languages" / f"{code}.json").read_text("utf-8")) for code in LANGUAGES}
    return [(code, word) for code, language in files.items() for word in language["words"]["word"]]


@pytest.mark.parametrize(("code", "keyword"), keywords())
def test_every_language_has_its_word_for_it(code: str, keyword: str) -> None:
    game = at_turn_7().with_languages([code])
    ignored = game.apply(f"red: {keyword} umbrella\nblue:\n{keyword.upper()}: fish\nWORD hen").ignored
    assert [(one.line, one.reason) for one in ignored] == [(1, WORDS), (3, WORDS), (4, WORDS)]
