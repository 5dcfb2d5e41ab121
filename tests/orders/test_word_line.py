"""`WORD umbrella`: read anywhere in a sheet, in one form, and no order is the worse for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adjudicator.core.ids import Seat
from adjudicator.orders.clean import clean
from adjudicator.orders.languages import languages, rules_with_languages
from adjudicator.orders.player_words import BadWordError, normalize_word
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.rulesets import ruleset

GAMES = ("checkpoint-rally", "checkered-flag", "checkpoint-charlie", "rally-round")
TO = Addressee("g", 3, (Seat("red"), Seat("blue")), {}, frozenset())


def read(
    *texts: str | Submission, game: str = "checkpoint-rally", to: Addressee = TO, codes: tuple[str, ...] = ()
) -> TurnFile:
    files = [text if isinstance(text, Submission) else (f"t{n}", text.encode()) for n, text in enumerate(texts)]
    return read_turn_files(rules_with_languages(ruleset(game), codes), to, files)


def words(found: TurnFile) -> dict[str, list[str]]:
    return {seat: [word.word for word in sent] for seat, sent in found.words.items()}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "text",
    [
        "red: WORD umbrella",
        "red:\nWORD umbrella",
        "red:\n  word Umbrella.",
        "red:\n- WORD: umbrella",
        'red:\n* WORD = "Umbrella"   # mine',
        "RED : word, UMBRELLA!",
        "turn 3\nred:\nWORD umbrella ; a comment",
        "red:\nWORD \u00a0\uff35mbrella",  # a wide U
        "red:\n**WORD umbrella**",
    ],
)
def test_a_word_is_read_in_every_game_however_it_is_written(game: str, text: str) -> None:
    found = read(text, game=game)
    assert (words(found), found.diagnostics) == ({"red": ["umbrella"]}, ())
    assert not found.sheets


def test_what_reads_like_an_order_behind_the_keyword_is_a_word() -> None:
    found = read("red:\nWORD: DRAW\nblue:\nWORD draw")
    assert words(found) == {"red": ["draw"], "blue": ["draw"]}
    assert not found.diagnostics


def test_a_word_stands_anywhere_and_leaves_the_orders_around_it() -> None:
    found = read("red:\nWORD cow\nDRAW\nWORD fish\nREFRESH\nWORD umbrella")
    assert words(found) == {"red": ["cow", "fish", "umbrella"]}
    assert [order.line for order in found.sheets[0].instructions] == [3, 5]
    assert not found.diagnostics


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
    found = read(f"red:\nDRAW\n{bad}\nREFRESH")
    (problem,) = found.diagnostics
    assert (problem.problem.code, problem.seat, problem.line) == ("orders/bad-word", "red", 3)
    assert problem.column == {"WORD": 1, "WORD # mine": 1, "WORD \ufeffumbrella": 7}.get(bad, 6)
    assert "still count" in problem.problem.message
    assert [order.line for order in found.sheets[0].instructions] == [2, 4]
    assert not found.flawed
    assert words(found) == {"red": []}


def test_a_word_counts_below_a_line_that_closes_the_sheet() -> None:
    found = read("red:\nDRAW\nPLAICE H3\nWORD umbrella")
    assert [problem.line for problem in found.diagnostics] == [3]
    assert words(found) == {"red": ["umbrella"]}


@pytest.mark.parametrize(
    "text", ["turn 2\nred: WORD umbrella", "game other\nred: WORD umbrella", "red:\nEND\nWORD umbrella"]
)
def test_a_word_for_another_turn_or_game_or_below_end_is_none(text: str) -> None:
    assert not read(text).words


def test_a_word_in_nobodys_name_is_none() -> None:
    assert not read("WORD umbrella").words
    (problem,) = read("pink: WORD umbrella").diagnostics
    assert problem.problem.code == "orders/unknown-seat"


def test_a_seat_of_that_name_heads_its_sheet() -> None:
    found = read("word: DRAW\nword: WORD umbrella\n", to=Addressee("g", 3, (Seat("word"),), {}, frozenset()))
    assert words(found) == {"word": ["umbrella"]}
    assert len(found.sheets[0].instructions) == 1


def test_a_text_with_a_word_alone_replaces_no_other() -> None:
    found = read("red:\nDRAW", "red: WORD umbrella")
    assert [len(sheet.instructions) for sheet in found.sheets] == [1]
    assert words(found) == {"red": ["umbrella"]}
    assert not found.replaced
    assert [(sent.text.source, sent.later) for sent in found.arrived] == [("t0", ""), ("t1", "")]


def test_the_word_received_last_counts_last() -> None:
    lines = (("late", 20, "WORD late"), ("early", 10, "WORD early"))
    texts = [Submission(name, (line,), seat=Seat("red"), received=received, is_mail=True) for name, received, line in lines]
    assert words(read(*texts)) == {"red": ["early", "late"]}


def test_prose_that_only_begins_like_a_word_is_none() -> None:
    assert not read("red:\nDRAW\n\nWords fail me.\nWordplay\nWord has it that you are well.\n").words
    long = "has it that you are well"
    found = read(f"red: WORD {long}\nblue: word: {long}")
    assert words(found) == {"red": [long], "blue": [long]}


def keywords() -> Iterator[tuple[str, str]]:
    for code, language in languages(ruleset("checkpoint-rally").meta).items():
        for word in language.words["word"]:
            yield code, word


@pytest.mark.parametrize(("code", "keyword"), list(keywords()))
def test_every_language_has_its_word_for_it(code: str, keyword: str) -> None:
    assert words(read(f"red: {keyword} umbrella", codes=(code,))) == {"red": ["umbrella"]}
    assert words(read(f"red: WORD umbrella\nblue:\n{keyword.upper()}: fish", codes=(code,))) == {
        "red": ["umbrella"],
        "blue": ["fish"],
    }


def test_every_language_is_there() -> None:
    assert {code for code, _ in keywords()} == set(languages(ruleset("checkpoint-rally").meta)) >= {"de", "es", "fr"}


def test_a_lone_accent_before_a_colon_is_a_blank_and_what_follows_is_told() -> None:
    found = read("red:\nDRAW\nWORD ´:0\nREFRESH")
    assert (words(found), [problem.problem.code for problem in found.diagnostics]) == ({"red": []}, ["orders/bad-word"])


def after_keyword(line: str) -> int:
    """Return where the word begins: behind a colon, if only blanks and quotation marks are before it."""
    found = re.match("WORD(?:[ ,]*[:=])?", clean(line))
    assert found is not None
    return found.end()


@example("´:0")
@given(st.text(st.characters(exclude_characters="#;\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), max_size=70))
def test_whatever_is_written_is_a_word_by_its_rules_or_told(written: str) -> None:
    line = f"WORD {written}"
    found = read(Submission("t", ("red:", "DRAW", line, "REFRESH"), seat=None))
    try:
        assert words(found) == {"red": [normalize_word(line[after_keyword(line) :])]}
    except BadWordError:
        assert [problem.problem.code for problem in found.diagnostics] == ["orders/bad-word"]
    assert [order.line for order in found.sheets[0].instructions] == [2, 4]
