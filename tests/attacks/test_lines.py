"""Lines of orders that are nearly right, quite wrong, or none at all: each is answered in its place, by a rule or code."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from types import FrameType
from typing import Any, Final

import pytest

import adjudicator as adj
from adjudicator.core.values import replace
from adjudicator.library.errors import NoOrdersError
from adjudicator.library.rulesets import rules_of
from adjudicator.library.words import installed_languages, words_after
from tests.drivers.attacks import AROUND, Attack, mutated_text, sizes
from tests.drivers.pages import GAMES, ROOT, begun, played

SIZES = (5, 40, 300, 4_000)
"""Lines of a text: in short ones more is carried out, long ones are read quicker."""
MINDED = 1.5
"""How much more than ten times as many calls ten times as many lines may cost."""
FIXED = 600_000
"""Calls that may be spent whatever the size is: explaining a hundred problems takes most of them."""
COMPARISONS: Final = ("is", "is not", "has", "has no", "<", ">=", "=", "!=", "at least", "more than", "", "in")


class LineMaker:
    """Makes lines for games of one ruleset, at positions that simulated players came to, in English or with languages."""

    def __init__(self, name: str, seed: int, is_usual: bool) -> None:
        luck = Random(f"{name} {seed}")
        self.games, self.orders = [], set[str]()
        for number in range(2 if is_usual else 12):
            game = begun(name, 3, seed=seed * 100 + number)
            for _ in range(3 if is_usual else 8):
                self.games.append(game)
                self.orders |= {
                    row.order
                    for seat in game.seats
                    for row in luck.sample(game.seen_by(seat).legal, min(30, len(game.seen_by(seat).legal)))
                }
                game = played(game, luck.randint(1, 12))
        self.words = sorted({word for order in self.orders for word in order.split()})
        self.ordered = sorted(self.orders)
        self.facts = sorted({"nonsense", *(word for one in (words_after(self.games[0], "IF "),) for word in one)})

    def game(self, luck: Random) -> adj.Game:
        """Return a game at one of the positions, with some languages in it or none."""
        game = luck.choice(self.games)
        codes = [*installed_languages(game)]
        chosen = luck.sample(codes, luck.choice((0, 0, 1, 1, min(2, len(codes)), len(codes)))) if codes else []
        return game.with_languages(chosen) if chosen else game

    def text(self, luck: Random, game: adj.Game, size: int, error: float) -> str:
        """Return ``size`` lines; of each the chance is ``error`` that it is changed. Sound orders may stand before them."""
        noise, opening = luck.choice((0.0, 0.002, 0.1)), list[str]()
        for seat in game.due_seats if luck.random() < 0.7 else ():
            legal = [row.order for row in game.seen_by(seat).legal[:40]]
            opening += [f"{seat}:", *luck.choices(legal, k=luck.randint(1, 3))] if legal else []
        return "\n".join([*opening, *(self._line(luck, game, error, noise) for _ in range(size - len(opening)))])

    def _line(self, luck: Random, game: adj.Game, error: float, noise: float) -> str:
        line = luck.choice(AROUND) if luck.random() < noise else self._sound(luck, game)
        if luck.random() < 0.1:
            line = f"{luck.choice(game.seats)}{luck.choice((':', ' :', ': ', '', '::'))} {line}"
        if luck.random() < 0.3:
            line = luck.choice(("  ", "\t", " - ", "1. ", "* ", "> ", "\u00a0")) + line
        return mutated_text(luck, line) if luck.random() < error else line

    def _sound(self, luck: Random, game: adj.Game) -> str:
        match luck.randrange(12):
            case 0 | 1:
                name, value = luck.choice(self.words), luck.choice((str(luck.randrange(40)), luck.choice(self.words)))
                asked = f"{luck.choice(self.facts)}{luck.choice(('', f' of {name}', f' at {name}'))}"
                condition = f"{luck.choice(('', 'NOT ', '('))}{asked} {luck.choice(COMPARISONS)} {value}"
                otherwise = f" ELSE {luck.choice(self.ordered)}" if luck.random() < 0.6 else ""
                return f"IF {condition} THEN {luck.choice(self.ordered)}{otherwise}"
            case 2:
                return " OR ".join(luck.choices(self.ordered, k=luck.randint(2, 4)))
            case 3 if luck.random() < 0.3:
                return f"{luck.choice(self.ordered)} [{' '.join(luck.choices(self.words, k=luck.randint(0, 3)))}]"
            case 4:
                return luck.choice((f"{luck.choice(game.seats)}:", f"game {game.id}", f"turn {game.turn}"))
            case _:
                return luck.choice(self.ordered)


@cache
def maker(name: str, seed: int, is_usual: bool) -> LineMaker:
    return LineMaker(name, seed, is_usual)


@cache
def known_to_docs() -> str:
    return "\n".join(page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md"))


@cache
def rule_numbers(ruleset: str) -> set[str]:
    return {fact.id for fact in rules_of(ruleset).facts}


def require_answered(game: adj.Game, lines: Iterable[str], found: Any) -> None:
    """A problem has words, a place that is there with a caret under it, and a rule or a code that docs explain."""
    assert found.code != "core/fault" and found.message.strip(), found
    assert "internal error" not in found.message, found
    if found.rule:
        assert found.rule in rule_numbers(game.meta.id), found
    else:
        assert f"`{found.code}`" in known_to_docs() or found.code.partition("/")[0] in ("core", game.meta.id), found
    assert not found.seat or found.seat in game.seats
    if not found.line:
        return
    every = list(lines)
    assert 1 <= found.line <= len(every), found
    if found.code == "core/too-many-problems":  # it is about all lines from this one on
        assert not found.text
        return
    if re.search(r"… \(\d+ characters\)$", found.text):  # only the beginning of a long line is quoted
        assert every[found.line - 1].startswith(found.text.rpartition("…")[0]), found
        return
    assert found.text == every[found.line - 1], found
    assert 1 <= found.column <= len(found.text) + 1, found
    assert found.width >= 1 and (found.width == 1 or found.column + found.width <= len(found.text) + 1), found


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as a mail program counts them."""
    return re.split(r"\r\n|\r|\n", text)


def fight(attack: Attack, made: LineMaker) -> int:
    """Send a text to one position; return how many lines it had."""
    luck = attack.next_round()
    game = made.game(luck)
    text = made.text(luck, game, luck.choice(SIZES), luck.choice((0.0, 0.01, 0.1, 0.5, 0.9)))
    text = text if luck.random() < 0.1 else text.replace("\0", "")  # one NUL makes a text a picture
    seat = luck.choice((None, None, *game.seats))
    data = text.encode(luck.choice(("utf-8",) * 8 + ("utf-8-sig", "utf-16")), "replace") if seat is None else text
    result = game.apply(data if seat is None else {seat: text}, strict=luck.random() < 0.1)
    for found in result.problems:
        require_answered(game, [found.text] * max(1, found.line) if seat is None else lines_of(text), found)
        attack.count(found.code)
    attack.count("accepted", len(result.log))
    if luck.random() < 0.2 and seat is not None:
        try:
            own = game.seen_by(seat).check({seat: text})
        except NoOrdersError:
            own = None
        for found in own.problems if own is not None else ():
            require_answered(game, lines_of(text), found)
            assert found.seat in (seat, "") or found.text, found
        attack.count("own checks")
    lines = text.count("\n") + 1
    attack.count("lines", lines)
    attack.count("texts")
    return lines


@pytest.mark.parametrize(("name", "whole"), [case for name in GAMES for case in sizes(60, 2_500_000, name)])
def test_every_line_is_answered(attack: Attack, name: str, whole: int) -> None:
    made, left = maker(name, attack.seed, bool(attack.options)), attack.times(whole)
    while left > 0:
        left -= fight(attack, made)


def calls(run: Callable[[], Any]) -> int:
    """Return how many functions are called in ``run``, those that are written in C counted too."""
    counted: Counter[str] = Counter()

    def profile(_frame: FrameType, event: str, _argument: Any) -> None:
        counted[event] += 1

    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
    return counted["call"] + counted["c_call"]


@pytest.mark.parametrize(
    ("name", "whole", "lines"),
    [("checkered-flag", 1, 60), *(pytest.param(name, 40, 300, marks=pytest.mark.soak) for name in GAMES)],
)
def test_ten_times_the_lines_cost_ten_times_the_calls(attack: Attack, name: str, whole: int, lines: int) -> None:
    made = maker(name, attack.seed, bool(attack.options))
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        game, error, seed = made.game(luck), luck.choice((0.1, 0.5, 0.9)), luck.random()

        def spent(size: int, game: adj.Game = game, error: float = error, seed: float = seed) -> int:
            data = made.text(Random(seed), game, size, error).encode("utf-8", "replace")
            game.apply(data)  # what is built once is built by now
            return calls(lambda: game.apply(data))

        few, many = spent(lines), spent(10 * lines)
        assert many < FIXED + MINDED * 10 * few, (few, many)
        attack.count("compared")


PIECES = (
    *(" ", "\t", "\u00a0", ">", "> ", "-", "--", "token ", "[a/b#", "MOVE", " C3", "(", ")", "IF ", "NOT ", "1. ", "red: "),
    *(
        ":",
        "On ",
        " wrote:",
        "From: ",
        "http://",
        "a@b.c",
        "x",
        "*",
        "_",
        "#",
        ";",
        "'",
        "\u0301",
        "MESSAGE to x:",
        "turn 7",
    ),
    *("HOLIDAY ", "END", "game ", "WITHDRAW ", "-----Original Message-----", "2026-03-02 ", "12:00", ".", ",", "!"),
    *("<", "<a ", "</a", "<!--", "-->", "<![CDATA[", "]]>", "=", '"', "&#x", "<p>", "<div hidden>", "<blockquote>", "<td>"),
)
HEADS = {
    "text": "Content-Type: text/plain; charset=utf-8\n\n",
    "flowed": "Content-Type: text/plain; charset=utf-8; format=flowed\n\n",
    "page": "Content-Type: text/html; charset=utf-8\n\n",
    "field": "Subject: ",
}


@pytest.mark.parametrize(("kind", "whole"), [case for kind in HEADS for case in sizes(1, 300, kind)])
def test_twice_the_mail_costs_twice_the_calls(attack: Attack, kind: str, whole: int) -> None:
    """Mails of the same few pieces again and again; that no single pattern takes long is a law of the reader."""
    game = begun("checkpoint-rally")
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        begin, again = "".join(luck.choices(PIECES, k=2)), "".join(luck.choices(PIECES, k=luck.randint(1, 4)))

        def mail(size: int, begin: str = begin, again: str = again) -> bytes:
            text = begin + again * (size // len(again.encode()))
            text = text.replace("\n", "") if kind == "field" else text
            return f"From: Ann <ann@example.org>\n{HEADS[kind]}{text}\n\nDRAW\n".encode()

        game.apply(mail(2_000))
        few, many = (calls(lambda size=size: game.apply(mail(size))) for size in (20_000, 40_000))  # type: ignore[misc]
        assert many < 50_000 + 2.5 * few, (attack.told, few, many, begin, again)
        attack.count("mails")


def test_a_problem_without_a_place_would_be_found() -> None:
    game = begun("checkered-flag")
    (found,) = game.apply({game.due_seats[0]: "GAER 1"}).problems
    require_answered(game, ["GAER 1"], found)
    for wrong in (
        *({"column": 0}, {"column": 8}, {"width": 7}, {"text": "another line"}, {"code": "orders/nobody-knows"}),
        *({"rule": "CF-Z9"}, {"line": 2}, {"message": " "}, {"seat": "purple"}),
    ):
        with pytest.raises(AssertionError):
            require_answered(game, ["GAER 1"], replace(found, **wrong))
