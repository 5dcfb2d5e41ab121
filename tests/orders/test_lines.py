"""A line with an order, a turn, a game or a command in it counts as that, or is a problem: it is never lost as a remark."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from one_mail import received, words

from adjudicator.orders.languages import rules_with_languages
from adjudicator.rulesets import ruleset

HERE = Path(__file__).parent
LINES: dict[str, list[str]] = tomllib.loads((HERE / "lines.toml").read_text("utf-8"))
GAMES = ("checkered-flag", "checkpoint-charlie", "checkpoint-rally", "great-race", "rally-round")
RALLY = "checkpoint-rally"
SPOKEN = ("de", "fr", "es", "nl", "it")


def filled(frame: str, order: str) -> str:
    return frame.replace("ORDER", order)


def pairs(game: str) -> Iterator[tuple[str, str]]:
    """Yield each example of an order of the game with another one that begins with another word."""
    examples = ruleset(game).language.examples
    for order in examples:
        yield order, next(other for other in examples if other.split()[0] != order.split()[0])


def test_the_tables_have_three_hundred_lines() -> None:
    assert sum(len(set(lines)) for lines in LINES.values()) >= 300


@pytest.mark.parametrize("game", GAMES)
def test_an_order_after_a_mark_or_a_label_is_read(game: str) -> None:
    wrong = []
    for order, other in pairs(game):
        plain = words(game, received(game, f"{order}\n{other}"))
        for frame in LINES["read"]:
            found = received(game, f"{filled(frame, order)}\n{other}")
            if words(game, found) != plain or found.diagnostics:
                wrong.append(filled(frame, order))
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_an_order_among_other_words_is_a_problem(game: str) -> None:
    """Above, below and between orders; it has a place on the line, and stops the sheet."""
    wrong = []
    for order, other in pairs(game):
        for frame in LINES["problem"]:
            line = filled(frame, order)
            below = line.count("\n") + 1
            for text, at in ((f"{line}\n{other}", below), (f"{other}\n\n{line}", below + 2)):
                found = received(game, text)
                left = [] if at == below else words(game, received(game, other))
                if words(game, found) != left or not [one for one in found.diagnostics if one.line == at and one.column]:
                    wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_a_shouted_line_without_an_order_is_a_remark(game: str) -> None:
    (first, second), *_ = pairs(game)
    plain = words(game, received(game, f"{first}\n{second}"))
    for line in LINES["remark"]:
        found = received(game, f"{first}\n{line}\n{second}\n{line}")
        assert (words(game, found), found.diagnostics) == (plain, ()), line


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("game", GAMES)
def test_the_order_words_of_the_languages_of_the_game_count(game: str, language: str) -> None:
    other = next(order for order in ruleset(game).language.examples)
    for word in own_words(game, language):
        found = received(game, f"{other}\n\nIch/je/yo {word} x\n{other}", language)
        assert 3 in [one.line for one in found.diagnostics], word


def own_words(game: str, language: str) -> set[str]:
    """Return the first words of orders in ``language``, in capitals."""
    spoken: Any = rules_with_languages(ruleset(game), [language]).language.spoken
    verbs = {example.split()[0].casefold() for example in ruleset(game).language.examples}
    found = {word.upper() for verb in verbs for word in spoken.own.get(verb, ()) if word.isalpha()}
    assert found
    return found


def test_a_problem_says_which_order_the_line_has() -> None:
    (wrong,) = received(RALLY, "I will MOVE C3 D3 I think\nDRAW").diagnostics
    assert (wrong.problem.code, wrong.column, wrong.width) == ("orders/among-words", 8, 4)
    assert wrong.problem.suggestions[0].startswith("MOVE C3 D3")
    (wrong,) = received(RALLY, "My plan is to DRAW now\nREFRESH").diagnostics
    assert wrong.problem.suggestions == ("DRAW",)


def test_what_is_quoted_or_below_the_end_stays_ignored() -> None:
    for text in ("DRAW\n> My move: MOVE C3\n", "DRAW\nEND\nI REFRESH\nPREVIEW", "DRAW\n-- \nI REFRESH"):
        found = received(RALLY, text)
        assert (words(RALLY, found), found.diagnostics) == (["DRAW"], ())


@pytest.mark.parametrize("kind", ["stale", "due", "prose", "stopped"])
def test_a_turn_a_game_or_a_command_counts_whatever_stands_around_it(kind: str) -> None:
    """Above an order, and between two: what is stale stops the orders below it, a command those above it, too."""
    above, below = {
        "stale": ([], ["DRAW"]),
        "due": (["REFRESH"], ["DRAW", "REFRESH"]),
        "prose": (["REFRESH"], ["DRAW", "REFRESH"]),
        "stopped": ([], []),
    }[kind]
    wrong = []
    for line in LINES[kind]:
        first, second = received(RALLY, f"{line}\nREFRESH"), received(RALLY, f"DRAW\n{line}\nREFRESH")
        reported = [1 in [one.line for one in first.diagnostics], 2 in [one.line for one in second.diagnostics]]
        if (words(RALLY, first), words(RALLY, second)) != (above, below) or reported != [kind in ("stale", "stopped")] * 2:
            wrong.append(line)
    assert wrong == []


def test_a_header_among_words_below_the_last_order_concerns_nothing() -> None:
    for line in ("Turn 7 - orders for red", "My orders for turn 7", "Game rally-099!"):
        assert received(RALLY, f"DRAW\n{line}").diagnostics == ()


def test_an_order_on_the_line_of_a_header_counts_below_it() -> None:
    assert words(RALLY, received(RALLY, "Turn 1: DRAW\nREFRESH")) == ["DRAW", "REFRESH"]
    for line in ("Turn 7: DRAW", "Game rally-099: DRAW", "My orders for turn 7: DRAW"):
        assert words(RALLY, received(RALLY, f"{line}\nREFRESH")) == []
    assert received(RALLY, "Turn 1: DRAW, turn 2: REFRESH\nMOVE C3").diagnostics
    found = received(RALLY, "Turn 1: I DRAW\nREFRESH")
    assert [one.problem.code for one in found.diagnostics] == ["orders/among-words"]


def test_a_header_for_another_seat_stops_the_sheet() -> None:
    for line in ("Turn 1 - orders for blue", "Turn 1, blue:", "Bob's orders for turn 1"):
        assert received(RALLY, f"{line}\nDRAW").diagnostics, line
        assert words(RALLY, received(RALLY, f"{line}\nDRAW")) == [], line


def test_a_command_that_is_an_order_of_the_game_is_an_order() -> None:
    game = "checkpoint-charlie"
    assert words(game, received(game, "WAIT, please\nWAIT 3\nMy move: WAIT 2")) == ["WAIT", "WAIT 3", "WAIT 2"]


@pytest.mark.parametrize(
    "word", ["Two:", "Two :", "three:", "Part:", "Bonus:", "Idea:", "Ja:", "pink:", "Questions:", "Lap:"]
)
def test_a_word_with_a_colon_that_is_no_seat_is_a_remark(word: str) -> None:
    assert words(RALLY, received(RALLY, f"{word}\nDRAW\n{word}\nREFRESH")) == ["DRAW", "REFRESH"]
    found = received(RALLY, f"DRAW\n{word}\nREFRESH\n{word}")
    assert (words(RALLY, found), found.diagnostics) == (["DRAW", "REFRESH"], ())
    assert [one.why for one in found.ignored] == ["not understood"] * 2


@pytest.mark.parametrize("word", ["blue:", "Bob:", "bleu:", "bluee:", "blu:", "BLUE :"])
def test_another_seat_or_a_word_near_one_still_stops_the_sheet(word: str) -> None:
    found = received(RALLY, f"DRAW\n{word}\nREFRESH")
    assert words(RALLY, found) == ["DRAW"]
    assert [(one.line, one.problem.code) for one in found.diagnostics] == [(2, "orders/not-yours")]


def test_a_word_near_the_name_of_another_player_stops_the_sheet() -> None:
    game = "checkpoint-charlie"
    for word in ("Carl:", "Crl:", "Carll:"):
        assert received(game, f"PASS\n{word}\nPASS").diagnostics, word
