"""What players may write: every variant is the same order as its canonical words, and `WORD umbrella` stands anywhere."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import adjudicator as adj
from tests.drivers.mails import EXAMPLES, GAMES, LANGUAGES, Found, at_turn_7, new_game, read, read_at_turn_7, read_file

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


# A word for chance.


def words(*texts: Any, language: str = "", ruleset: str = "checkpoint-rally") -> dict[str, str]:
    """Return the words that count after the texts, by seat."""
    game = at_turn_7(ruleset).with_languages([language]) if language else at_turn_7(ruleset)
    rows = game.apply(list(texts)).log
    return {str(row.seat): row.order.removeprefix("WORD ") for row in rows if row.order.startswith("WORD ")}


@pytest.mark.parametrize(
    "text",
    [
        "red: WORD umbrella",
        "red:\nWORD umbrella",
        "red:\n  word Umbrella.",
        "red:\n- WORD: umbrella",
        'red:\n* WORD = "Umbrella"   # mine',
        "RED : word, UMBRELLA!",
        "turn 7\nred:\nWORD umbrella ; a comment",
        "red:\nWORD \u00a0\uff35mbrella",  # a wide U
        "red:\n**WORD umbrella**",
    ],
)
@pytest.mark.parametrize("ruleset", ["checkpoint-rally", "checkered-flag", "checkpoint-charlie"])
def test_a_word_is_read_in_every_game_however_it_is_written(ruleset: str, text: str) -> None:
    assert words(text, ruleset=ruleset) == {"red": "umbrella"}


@pytest.mark.parametrize(
    ("text", "sent", "orders"),
    [
        ("red:\nWORD: DRAW\nblue:\nWORD draw", {"red": "draw", "blue": "draw"}, {}),  # what reads like an order is a word
        ("red:\nWORD cow\nDRAW\nWORD fish\nREFRESH\nWORD umbrella", {"red": "umbrella"}, {"red": ["DRAW", "REFRESH"]}),
        ("red:\nDRAW\nPLAICE H3\nWORD umbrella", {"red": "umbrella"}, {"red": ["DRAW"]}),
        ("turn 6\nred: WORD umbrella", {}, {}),
        ("game other\nred: WORD umbrella", {}, {}),
        ("red:\nEND\nWORD umbrella", {}, {}),
        ("WORD umbrella", {}, {}),
        ("pink: WORD umbrella", {}, {}),
        ("red:\nDRAW\n\nWords fail me.\nWordplay\nWord has it that you are well.\n", {}, {"red": ["DRAW"]}),
        ("red: WORD has it that you are well", {"red": "has it that you are well"}, {}),
    ],
)
def test_a_word_stands_anywhere_and_leaves_the_orders_around_it(
    text: str, sent: dict[str, str], orders: dict[str, list[str]]
) -> None:
    assert (words(text), read_at_turn_7(text).orders) == (sent, orders)


def test_a_text_with_a_word_alone_replaces_no_other_and_the_word_received_last_counts() -> None:
    assert read_at_turn_7("red:\nDRAW", "red: WORD umbrella").red == ["DRAW"]
    late, early = (
        adj.read_mail(f"Received: by mx; Mon, 2 Mar 2026 12:0{at}:00 +0000\n\nWORD {word}".encode(), name=word, seat="red")  # type: ignore[arg-type]
        for at, word in ((5, "late"), (1, "early"))
    )
    assert words(late, early) == {"red": "late"}


@pytest.mark.parametrize(
    "bad",
    [
        "WORD",
        "WORD no",
        "WORD ...",
        "WORD # mine",
        "WORD umb\u200brella",
        "WORD umbrella\u200b",
        "WORD \ufeffumbrella",
        "WORD " + "x" * 900,
        "WORD a" * 90,
    ],
)
def test_a_bad_word_is_told_with_its_place_and_harms_nothing(bad: str) -> None:
    found = read_at_turn_7(f"red:\nDRAW\n{bad}\nREFRESH")
    assert (found.only.code, found.only.seat, found.only.line) == ("orders/bad-word", "red", 3)
    assert found.only.column == {"WORD": 1, "WORD # mine": 1, "WORD \ufeffumbrella": 7}.get(bad, 6)
    assert "still count" in found.only.message
    assert found.red == ["DRAW", "REFRESH"]
    assert words(f"red:\n{bad}") == {}


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
    assert words(f"red: WORD {written}") == words(f"red: WORD {FORMS[written]}") == {"red": FORMS[written]}


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
    found = adj.read_mail(f"From: x\nContent-Type: text/plain; charset=utf-8\n\nWORD hor{sign}se".encode(), seat="red")  # type: ignore[arg-type]
    if found.problem is None:
        problem = at_turn_7().apply([found]).problems[0]
        assert f"U+{ord(sign):04X}" in problem.message
        assert problem.code == "orders/bad-word"
    assert words(found) == {}


def test_a_thousand_variants_of_one_look_are_one_word() -> None:
    looks = set()
    for number in range(0, 998, 7):
        spaces = "".join(" \u00a0\u2003\t"[(number >> shift) % 4] for shift in (0, 2, 4, 6, 8))
        looks |= set(words(f"red: WORD um{'B' if number % 2 else 'b'}rella{spaces}tree").values())
    assert looks == {"umbrella tree"}


@pytest.mark.parametrize(("length", "is_word"), [(2, False), (3, True), (60, True), (61, False)])
def test_a_word_has_its_bounds(length: int, is_word: bool) -> None:
    assert words(f"red: WORD {'x' * length}") == ({"red": "x" * length} if is_word else {})


def keywords() -> list[tuple[str, str]]:
    files = {code: json.loads((ROOT / "grammar" / "languages" / f"{code}.json").read_text("utf-8")) for code in LANGUAGES}
    return [(code, word) for code, language in files.items() for word in language["words"]["word"]]


@pytest.mark.parametrize(("code", "keyword"), keywords())
def test_every_language_has_its_word_for_it(code: str, keyword: str) -> None:
    assert words(f"red: {keyword} umbrella\nblue:\n{keyword.upper()}: fish", language=code) == {
        "red": "umbrella",
        "blue": "fish",
    }
    assert words("red: WORD umbrella", language=code) == {"red": "umbrella"}


@example("´:0")
@given(
    st.text(
        st.characters(exclude_characters="#;\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", exclude_categories=["Cs", "Cc"]),
        max_size=70,
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_is_written_is_a_word_or_told_and_the_orders_stay(written: str) -> None:
    text = f"red:\nDRAW\nWORD {written}\nREFRESH"
    found = read_at_turn_7(text)
    assert found.red == ["DRAW", "REFRESH"]
    assert [one.code for one in found.raw] in ([], ["orders/bad-word"])
    sent = words(text).get("red", "")
    assert bool(sent) is (not found.raw)
    assert not sent or words(f"red: WORD {sent}") == {"red": sent}  # the one form is its own form


def test_a_line_of_a_mail_with_a_word_is_no_problem() -> None:
    assert read("WORD umbrella\nDRAW").problems == []
    assert read_at_turn_7("red:\nDRAW\nWORD ´:0\nREFRESH").problems[0] == Found(
        3, "bad-word", read_at_turn_7("red:\nWORD ´:0").problems[0].above
    )
