"""Remarks never void orders, and no order with a slip in it is taken for a remark: 300 lines and 200 slips, counted."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import play
import pytest
from one_mail import mail, orders, received, session, words
from portion import portion

from adjudicator.core.ids import Seat
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.rulesets import ruleset
from adjudicator.session import Session

HERE = Path(__file__).parent
REMARKS: dict[str, list[str]] = tomllib.loads((HERE / "remarks.toml").read_text("utf-8"))
SLIPS: dict[str, list[str]] = tomllib.loads((HERE / "slips.toml").read_text("utf-8"))
GAMES = tuple(SLIPS)
HEADERS = {"Ende", "Fin", "Einde", "Fine", "Runde 3:"}
"""Lines that end a sheet, or name another turn, in a game in which their language is switched on."""
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def due(game: Session) -> tuple[Seat, str]:
    return play.due(game), play.legal(game)[0]


def spoken(language: str) -> Iterator[tuple[str, str]]:
    """Yield each remark in ``language`` with the languages of the games in which it is sent: English, and its own."""
    for line in REMARKS[language]:
        yield from ((line, switched) for switched in dict.fromkeys(("en", language)))


def test_the_corpus_has_three_hundred_remarks_in_six_languages_and_two_hundred_slips() -> None:
    assert {language: len(set(lines)) for language, lines in REMARKS.items()} == dict.fromkeys(
        ("en", "de", "fr", "es", "nl", "it"), 50
    )
    assert sum(map(len, SLIPS.values())) >= 200
    assert len(GAMES) == 5


@pytest.mark.parametrize("case", portion(product(GAMES, REMARKS), 5), ids=" ".join)
def test_no_remark_refuses_an_order(case: tuple[str, str]) -> None:
    """Below, between and above legal orders: none of them is refused or lost, and no remark becomes an order."""
    game, language = case
    first, second = ruleset(game).language.examples[:2]
    refused = []
    for line, switched in spoken(language):
        texts = {f"{first}\n{line}": [1], f"{first}\n\n{line}\n": [1]}
        if not (line in HEADERS and switched != "en") and line != "Ann":
            texts |= {f"{first}\n{line}\n{second}": [1, 3], f"{line}\n{first}": [2]}
        for text, wanted in texts.items():
            found = received(game, text, switched)
            if found.diagnostics or orders(found) != wanted:
                refused.append((switched, text))
    assert refused == []


@pytest.mark.parametrize("game", GAMES)
def test_an_order_with_remarks_around_it_is_applied_and_they_are_quoted_back(game: str) -> None:
    of = session(game)
    seat, order = due(of)
    around = [line for lines in REMARKS.values() for line in lines[:12]]
    text = "\n".join([*around, order, *around])
    result = adjudicate_files(of, [mail(text, seat)])
    assert result.diagnostics == ()
    assert [link.entry.seat for link in result.accepted] == [seat]
    (receipt,) = result.receipts
    fates = [one.fate.value for one in receipt.orders]
    assert fates.count("applied") == 1
    assert fates.count("not understood") == len(fates) - 1 > 10
    assert "When is the deadline?" in [one.order for one in receipt.orders]


@pytest.mark.parametrize("game", GAMES)
def test_no_slip_is_taken_for_a_remark(game: str) -> None:
    first, second = ruleset(game).language.examples[:2]
    swallowed = []
    for line in SLIPS[game]:
        found = received(game, f"{first}\n\n{line}\n{second}")
        if 3 not in orders(found) and 3 not in [one.line for one in found.diagnostics]:
            swallowed.append(line)
        if found.diagnostics:
            assert 4 not in orders(found), line  # it stops the sheet
    assert swallowed == []


def mistyped(word: str) -> Iterator[str]:
    """Yield ``word`` with two letters swapped, one doubled, one left out, and the key beside that of one."""
    places = range(len(word))
    yield from (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places[:-1])
    yield from (word[: at + 1] + word[at:] for at in places)
    if len(word) > 3:
        yield from (word[:at] + word[at + 1 :] for at in places)
        for at, row in product(places, KEYS):
            key = row.find(word[at])
            beside = row[max(0, key - 1) : key] + row[key + 1 : key + 2] if key >= 0 else ""
            yield from (word[:at] + letter + word[at + 1 :] for letter in beside)


@pytest.mark.parametrize("game", GAMES)
def test_no_mistyped_verb_is_taken_for_a_remark(game: str) -> None:
    """Of every example of an order, in capitals and in small letters."""
    first, second = ruleset(game).language.examples[:2]
    count, swallowed = 0, []
    for example in ruleset(game).language.examples:
        verb, _, rest = example.partition(" ")
        for wrong in mistyped(verb.lower()) if verb.isalpha() else ():
            for word in (wrong, wrong.upper()):
                line = f"{word} {rest}".strip()
                found = received(game, f"{first}\n\n{line}\n{second}")
                count += 1
                if 3 not in orders(found) and not found.diagnostics:
                    swallowed.append(line)
    assert count >= 100
    assert swallowed == []


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("move a1 b1 thanks!", ["MOVE A1 B1"]),
        ("draw please", ["DRAW"]),
        ("Please, draw.", ["DRAW"]),
        ("DRAW, good luck to all!", ["DRAW"]),
        ("DRAW :-)", ["DRAW"]),
        ("PLACE H3 at C2 rot 90 thanks Bob", ["PLACE H3 at C2 rot 90"]),
        ("PLACE H3 at C2; MOVE A2", ["PLACE H3 at C2 rot 0", "MOVE A2"]),
        ("DRAW; MOVE A2; REFRESH", ["DRAW", "MOVE A2", "REFRESH"]),
        ("DRAW; good luck", ["DRAW"]),
        ("DRAW # MOVE A2", ["DRAW"]),
        ("DRAW MOVE A2", ["DRAW", "MOVE A2"]),
        ("DRAW, then MOVE A2.", ["DRAW", "MOVE A2"]),
        ("DRAW and MOVE A2 please", ["DRAW", "MOVE A2"]),
    ],
)
def test_courtesy_and_two_orders_on_a_line_are_read(line: str, read: list[str]) -> None:
    found = received("checkpoint-rally", f"{line}\nREFRESH")
    assert words("checkpoint-rally", found) == [*read, "REFRESH"]
    assert found.diagnostics == ()


@pytest.mark.parametrize(
    "line",
    [
        "DRAW; MVOE A2",
        "Bitte ziehen: DRAW",
        "DRAW OR REFRESH MOVE A2",
        "DRAW please if row has U7",
        "DRAW please and MVOE A2",
        "DRAW unless C3",
    ],
)
def test_what_may_change_an_order_is_no_courtesy(line: str) -> None:
    found = received("checkpoint-rally", f"{line}\nREFRESH")
    assert [one.line for one in found.diagnostics] == [1]
    assert "REFRESH" not in words("checkpoint-rally", found)


@pytest.mark.parametrize("name", ["red", "Red", "blue", "Ann", "Ann Smith", "Bob", "- Bob", "bob."])
def test_a_name_below_the_last_order_is_a_signature(name: str) -> None:
    found = received("checkpoint-rally", f"DRAW\n\nCheers,\n{name}")
    assert (found.diagnostics, words("checkpoint-rally", found)) == ((), ["DRAW"])


def test_the_name_of_another_above_an_order_says_that_it_is_not_this_seats() -> None:
    found = received("checkpoint-rally", "DRAW\nblue\nMOVE A2")
    assert words("checkpoint-rally", found) == ["DRAW"]
    assert [(one.line, one.problem.code) for one in found.diagnostics] == [(2, "orders/not-yours")]


@pytest.mark.parametrize("line", ["Game on", "Game over!", "Turn 1:", "turn 9", "Turn that frown upside down", "turn 9."])
def test_a_header_below_the_last_order_concerns_nothing(line: str) -> None:
    found = received("checkpoint-rally", f"DRAW\n{line}")
    assert (found.diagnostics, words("checkpoint-rally", found)) == ((), ["DRAW"])


@pytest.mark.parametrize("line", ["turn 9", "turn 9:", "turn nine", "game other", "trun 9"])
def test_a_header_between_orders_counts_for_those_below_it(line: str) -> None:
    found = received("checkpoint-rally", f"DRAW\n{line}\nMOVE A2")
    assert words("checkpoint-rally", found) == ["DRAW"]
    assert [one.line for one in found.diagnostics] == [2]


@pytest.mark.parametrize(
    ("line", "code"), [("C3 D3", "unknown-order"), ("2", "unknown-order"), ("I move to C3", "unknown-order")]
)
def test_a_remark_in_the_place_of_an_order_is_a_problem(line: str, code: str) -> None:
    """A sheet without any order needs one."""
    (wrong,) = received("checkpoint-rally", f"Hi Bob,\n{line}\nregards").diagnostics
    assert (wrong.line, wrong.problem.code) == (2, f"orders/{code}")


def test_a_form_sent_back_with_its_comment_signs_is_answered_with_what_to_do() -> None:
    for form in ("# game club-1\n# turn 1\n# red:\n#   DRAW\n", "game club-1\nturn 1\nred:\n  # DRAW\n  # REFRESH"):
        (wrong,) = received("checkpoint-rally", form).diagnostics
        assert wrong.problem.code == "orders/empty"
        assert "remove the # before each order" in wrong.problem.message
    (wrong,) = received("checkpoint-rally", "# no time this week").diagnostics
    assert "#" not in wrong.problem.message


@pytest.mark.parametrize(
    ("game", "line", "never"),
    [
        ("checkpoint-rally", "PLACE H3 at C2 rot 180 degrees counterclockwise", "clockwise"),
        ("checkpoint-rally", "PLACE H3 at C2 rot 90 ccw", "cw"),
        ("checkpoint-charlie", "please!", "PASS"),
        ("checkpoint-charlie", "PASS not", "PASS"),
        ("great-race", "buy 2 tyres", "buy 2"),
        ("rally-round", "BLOCK not ever", "BLOCK"),
    ],
)
def test_no_suggestion_turns_the_meaning_round(game: str, line: str, never: str) -> None:
    for one in received(game, line).diagnostics:
        assert not any(suggestion.strip().endswith(never) for suggestion in one.problem.suggestions), line
    (problem,) = received(game, f"{line} C3" if line == "please!" else line).diagnostics
    assert problem.problem.code.startswith("orders/")
