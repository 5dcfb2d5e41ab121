"""Conditions of orders: what holds, what the record says about it, and what no game can make sense of."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

import adjudicator as adj
from adjudicator.game import Fact
from adjudicator.rulesets import offer
from tests.drivers import toy

HOLDS = """
    # Numbers.
    coins = 3                          yes  coins is 3
    coins = 4                          no   coins is 3
    coins is 3                         yes  coins is 3
    coins != 4                         yes  coins is 3
    coins < 4                          yes  coins is 3
    coins < 3                          no   coins is 3
    coins <= 3                         yes  coins is 3
    coins > 2                          yes  coins is 3
    coins > 3                          no   coins is 3
    coins >= 3                         yes  coins is 3
    coins >= 4                         no   coins is 3
    coins of blue >= 2                 yes  coins of blue is 2
    coins > coins of BLUE              yes  coins is 3; coins of BLUE is 2
    # Of several names, their number counts.
    seats = 2                          yes  seats is red blue
    seats > nobody                     yes  seats is red blue; nobody is empty
    nobody = 0                         yes  nobody is empty
    # Names are compared in any case, and have no order.
    first = RED                        yes  first is red
    first = blue                       no   first is red
    first != blue                      yes  first is red
    first != Red                       no   first is red
    first < blue                       no   first is red
    first = 3                          no   first is red
    first != 3                         yes  first is red
    seats = red                        no   seats is red blue
    echo of A1 = a1                    yes  echo of A1 is a1
    # A name with ß is written with ss: orders have the letters A to Z.
    echo of Strasse = STRASSE          yes  echo of Strasse is strasse
    first != Strasse                   yes  first is red
    # What is among what.
    seats has Blue                     yes  seats is red blue
    seats has A1                       no   seats is red blue
    nobody has A1                      no   nobody is empty
    first has red                      yes  first is red
    blue in seats                      yes  seats is red blue
    A1 in seats                        no   seats is red blue
    A1 not in seats                    yes  seats is red blue
    # A word on the right is a fact if there is one of that name, else itself; beside a name it is the name.
    coins > Round                      yes  coins is 3; round is 1
    coins > ann                        yes  coins is 3; ann is 1
    first != ann                       yes  first is red
    echo of ann = ann                  yes  echo of ann is ann
    # Nothing holds of what is not known.
    bid = 0                            no   bid is not known
    bid != 0                           no   bid is not known
    bid < coins                        no   bid is not known; coins is 3
    card of blue = A8                  no   card of blue is not known
    card of blue != A8                 no   card of blue is not known
    NOT card of blue = A8              yes  card of blue is not known
    # Costs.
    cost of ADD 2 < 3                  yes  the cost is 2
    cost of ADD 5 > cost of ADD 1      yes  the cost is 5; the cost is 1
    cost of ADD 9 < 99                 no   that order is not possible now
    cost of ROLL < 99                  no   that order is not possible now
    # All, one, none; what was asked twice is told once.
    coins = 3 AND first = red          yes  coins is 3; first is red
    coins = 3 AND coins = 4            no   coins is 3
    (coins = 4 OR first = red)         yes  coins is 3; first is red
    (coins = 4 OR coins = 5)           no   coins is 3
    NOT coins = 4                      yes  coins is 3
    NOT (coins = 3 AND coins = 4)      yes  coins is 3
    NOT (coins = 3 OR coins = 4)       no   coins is 3
    coins = 3 AND (coins = 4 OR round = 1)  yes  coins is 3; round is 1
"""
ROWS = [line.strip() for line in HOLDS.splitlines() if line.strip() and not line.strip().startswith("#")]


@pytest.fixture(scope="module")
def game() -> adj.Game:
    """Return a game in which red has three coins and blue two, and a round is over."""
    return toy.new(mode="together", seed=toy.SEED).apply({"red": "ADD 3", "blue": "ADD 2"}).game


@pytest.mark.parametrize("row", ROWS)
def test_a_condition(game: adj.Game, row: str) -> None:
    condition, _, rest = row.partition("  ")
    verdict, _, because = rest.strip().partition(" ")
    entry = toy.entries(game.apply({"red": f"IF {condition} THEN ADD 1 ELSE ADD 2"}).game)[-1]
    assert entry["order"] == {"yes": "ADD 1", "no": "ADD 2"}[verdict]
    (note,) = entry["notes"]
    asked, _, told = note.partition(f": {verdict} (")
    assert told == f"{because.strip()})"
    again = game.apply({"red": f"{asked} THEN ADD 1 ELSE ADD 2"}).game
    assert toy.entries(again)[-1]["notes"] == [note], "its canonical words mean the same"


def test_a_seat_knows_its_own_secrets() -> None:
    game = toy.new()
    card = toy.document(game)["state"]["purses"][0]["card"]
    taken = game.apply({"red": f"IF card = {card} THEN ADD 1 ELSE ADD 2"}).game
    assert toy.orders(taken) == ["red ADD 1"]
    sealed = toy.new(mode="sealed").apply({"red": "BID 3"}).game
    assert sealed.apply({"blue": "IF bid of red >= 0 THEN BID 9 ELSE BID 1"}).game.apply({}).game.audit().is_verified
    log = sealed.apply({"blue": "IF bid of red >= 0 THEN BID 9 ELSE BID 1"}).game.seen_by("moderator").log()
    assert log[-1].notes == ("IF bid of red >= 0: no (bid of red is not known)",)


FACTS = "ann, bid, card, coins, echo, everything, first, nobody, round, seats"
WRONG = [
    ("cions > 1", "unknown-fact", f"there is no fact called “cions”; this game knows: {FACTS}", "coins"),
    ("coins of bleu = 1", "unknown-name", "nothing in this game is called “bleu”", "blue"),
    ("NOT coins of bleu = 1", "unknown-name", "nothing in this game is called “bleu”", "blue"),
    ("first = bleu", "unknown-name", "nothing in this game is called “bleu”", "blue"),
    ("bleu in seats", "unknown-name", "nothing in this game is called “bleu”", "blue"),
    ("(coins = 1 OR coins of bleu = 1)", "unknown-name", "nothing in this game is called “bleu”", "blue"),
    ("coins at red = 1", "no-argument", "“coins” does not go with “at red”: the coins; `coins of SEAT`", "coins of red"),
    ("round of red = 1", "no-argument", "“round” does not go with “of red”: rounds so far", "round"),
]


@pytest.mark.parametrize(("condition", "code", "message", "suggested"), WRONG)
def test_what_no_position_can_make_sense_of_is_a_problem_with_what_was_meant(
    game: adj.Game, condition: str, code: str, message: str, suggested: str
) -> None:
    result = game.apply({"red": f"IF {condition} THEN ADD 1"})
    (problem,) = result.problems
    assert (problem.code, problem.message) == (f"orders/{code}", message)
    assert suggested in problem.suggestions
    assert result.game == game


def test_the_kind_of_a_fact_and_not_its_help_says_whether_it_takes_an_argument(game: adj.Game) -> None:
    class Helped(toy.ToyCoins):
        facts: ClassVar[Any] = {
            "coins": Fact.of_seat("the coins: `IF coins > 3`", "coins"),
            "round": Fact.of_game("the same for all: no `round of SEAT`", lambda at: at.state.rounds),
            "spot": Fact("what is there", lambda _at, word: word, "place"),
        }

    with offer(Helped):
        begun = adj.open(game.to_bytes())
        assert toy.orders(begun.apply({"red": "IF coins of blue = 2 THEN ADD 1"}).game)[-1] == "red ADD 1"
        (problem,) = begun.apply({"red": "IF coins at blue = 2 THEN ADD 1"}).problems
        assert problem.message == "“coins” does not go with “at blue”: the coins: `IF coins > 3`; `coins of SEAT`"
        assert toy.codes(begun.apply({"red": "IF round of red = 1 THEN ADD 1"})) == ["orders/no-argument"]
        assert toy.orders(begun.apply({"red": "IF spot at A1 = A1 THEN ADD 2"}).game)[-1] == "red ADD 2"
        assert toy.codes(begun.apply({"red": "IF spot of A1 = A1 THEN ADD 2"})) == ["orders/no-argument"]


def test_every_mistake_in_a_condition_is_told(game: adj.Game) -> None:
    result = game.apply({"red": "IF cions > 1 AND (seats has bleu OR rownd = 1) THEN ADD 0"})
    assert sorted(toy.codes(result)) == ["impossible", "orders/unknown-fact", "orders/unknown-fact", "orders/unknown-name"]


def test_a_later_alternative_is_not_looked_at() -> None:
    """A condition that comes after a legal alternative is no reason, and is not in the record."""
    entry = toy.entries(toy.new().apply({"red": "ADD 1 OR (IF coins > 3 THEN ADD 2 ELSE ADD 3)"}).game)[1]
    assert (entry["order"], entry["notes"]) == ("ADD 1", [])


NESTED = [
    ("IF coins = 3 THEN (IF coins < 3 THEN ADD 1 ELSE ADD 2)", "ADD 2", ["yes", "no"]),
    ("IF coins = 3 THEN (ADD 9 OR ADD 1)", "ADD 1", ["yes", "ADD 9: not possible"]),
    ("(IF coins = 3 THEN ADD 9) OR ADD 2", "ADD 2", ["yes", "ADD 9: not possible"]),
    ("(IF coins < 3 THEN ADD 1) OR (IF coins < 2 THEN ADD 2)", "(condition not met)", ["no", "no"]),
    ("(ADD 9 OR ADD 8) OR ADD 1", "ADD 1", ["ADD 9: not possible", "ADD 8: not possible"]),
]


@pytest.mark.parametrize(("line", "order", "notes"), NESTED)
def test_alternatives_and_conditions_in_each_other(game: adj.Game, line: str, order: str, notes: list[str]) -> None:
    entry = toy.entries(game.apply({"red": line}).game)[-1]
    assert entry["order"] == order
    assert [words in note for words, note in zip(notes, entry["notes"], strict=True)] == [True] * len(notes)


def test_where_a_branch_is_unmet_and_the_other_alternative_refused_the_refusal_is_told(game: adj.Game) -> None:
    result = game.apply({"red": "(IF coins < 3 THEN ADD 1) OR ADD 8"})
    assert (toy.codes(result), result.game == game) == (["too-many"], True)
