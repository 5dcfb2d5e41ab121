"""Texts in, orders and problems out: what the program reads in a text, a mail or a mailbox, through the public library.

* `read(text)`: a mail of red in a new game, as a player sends it.
* `read_at_turn_7(*texts)`: several texts of any seats for turn 7 of the game `rally-042`; green moves, red and blue wait.
* `corpus()`: 222 mails as mail programs write them (`tests/data/mails`), made in memory.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import FrameType
from typing import Any, NamedTuple

import pytest

import adjudicator as adj
from adjudicator.library.own_orders import orders_in
from tests.data.mails import others, replies
from tests.data.mails.pieces import FRAMES, ORDERS, Frame, lines_for

assert others
assert replies  # both add their frames

GAMES = ("checkered-flag", "checkpoint-charlie", "checkpoint-rally", "great-race", "rally-round")
EXAMPLES: dict[str, tuple[str, ...]] = {
    "checkered-flag": (
        *("GEAR 2", "GEAR 3 go", "GEAR 3 brake before danger", "GEAR 1 brake 2", "GEAR 2 brake to 36", "BRAKE 2"),
        *("BRAKE to 36", "BRAKE before danger", "GO"),
    ),
    "checkpoint-charlie": (
        *("CLUE no hat", "ACCUSE Fleming", "WAIT 3", "ANNOUNCE", "SWAP white with Laces", "PASS"),
    ),
    "checkpoint-rally": (
        *("PLACE H3 at C2 rot 90", "MOVE C3 D3", "DRAW", "REFRESH", "TAKE U7", "DISCARD G7 H2", "KEEP H3 U1 U2"),
    ),
    "great-race": (
        *("TAKE Jerrycan", "PLAN mechanics 3 funding 2", "PLAN scouts 2 mechanics 2 escort 1"),
        *("REACT danger with escort, ranger", "REACT danger never", "REACT danger ask"),
        *("REACT danger with ranger", "DISCARD Caravan", "DISCARD Caravan, Toolbox"),
        *("KEEP Ranger, Toolbox", "BUY fuel 3", "PLAY Refuelling", "PLAY Trail hunter"),
        *("PLAY Trail hunter keeping Ranger, Toolbox, Jerrycan", "PLAY Saboteur on blue"),
        *("PLAY Saboteur on blue engine 1 chassis 1", "PLAY Tracker remove K7", "PLAY Cheater swap K4 with M2"),
        *("PLAY Cartographer", "PLAY Cartographer first K4 then K5 then K6", "PLAY Driver K4 K5"),
        *("PLAY Driver K4 K5 using ranger, caravan", "PLAY Mechanic using parts 1", "PLAY Mechanic engine 1 buy 1"),
        *("SCOUT tiles", "SCOUT tiles K4 K5", "SCOUT tiles first K4 then K5", "SCOUT tiles cheap K4 then K5"),
        *("SCOUT card", "LAY sand at K4", "REPAIR using parts 2 buy 1"),
        *("REPAIR engine 2 chassis 1 using parts 2 buy 1", "REPAIR using toolbox 1", "DRIVE K4"),
        *("DRIVE K4 K5 Tamanrasset losing chassis", "DRIVE K4 K5 using jerrycan, escort at K5, ranger"),
        *("DRIVE K4 losing engine using nothing", "DRIVE sea Mombasa using transport 1", "PAY"),
        *("PAY engine 1 chassis 1", "PAY engine using ranger", "PAY using nothing", "BACK", "ESCORT remove K4"),
        *("FUND", "PASS", "CANCEL with ranger", "ACCEPT"),
    ),
    "rally-round": (
        *("PICK D3", "KIT D1 N1 E4 S2 A2 B5", "SPEED 40", "SPEED 40 via mill lane"),
        *("SPEED 30 via D10 via mill lane using H7", "SPEED 40 behind", "SPEED 10 20 30", "TC3: 10 20 30 30 30"),
        *("TC5: 10 30 / 20 30 20", "TURN ROUND", "START at A4", "FINISH at G16", "PLACE BLACKSPOT at D6"),
        *("PLACE PC at E3 from N", "PLACE TC4 at K2 from S regularity 24", "PLACE TC at T8 from S selective", "PASS"),
        *("CHOOSE red", "BLOCK never", "BLOCK ask"),
    ),
}  # fmt: skip
"""Orders of every kind, in canonical words."""
LANGUAGES = ("de", "es", "fr", "it", "nl", "pl")
RALLY = "checkpoint-rally"
PLAYERS = {"red": "Ann Smith", "blue": "Bob"}
HEAD = "From: Zoé Lefèvre <zoe@example.org>\nSubject: orders\nMessage-ID: <1@example.org>\n\n"
CORPUS_SUM = "0c2b00769066ce1d5a925a2e3814f2753cba39b56554344a19ebed31a0b0eb12"
"""SHA-256 over the names and bytes of all mails of the corpus."""


class Found(NamedTuple):
    """A problem: the number of its line, its code without the owner, and the text above its carets."""

    line: int
    code: str
    above: str


@dataclass(frozen=True)
class Reading:
    """What was read: ``orders`` by seat in canonical words, ``problems``, and ``ignored`` lines with the reason."""

    orders: dict[str, list[str]]
    lines: list[int]
    raw: list[Any]
    passed: list[Any]

    @property
    def red(self) -> list[str]:
        return self.orders.get("red", [])

    @property
    def problems(self) -> list[Found]:
        return [found(one) for one in self.raw]

    @property
    def wrong(self) -> list[int]:
        """The numbers of the lines with a problem."""
        return [one.line for one in self.raw]

    @property
    def codes(self) -> list[str]:
        return [one.code for one in self.problems]

    @property
    def ignored(self) -> list[tuple[int, str]]:
        return [(one.line, one.reason) for one in self.passed]

    @property
    def only(self) -> Any:
        """The only problem."""
        (problem,) = self.raw
        return problem


def found(problem: Any) -> Found:
    above = problem.text[problem.column - 1 :][: problem.width] if problem.column else ""
    return Found(problem.line, problem.code.removeprefix("orders/"), above)


def is_of_reading(problem: Any) -> bool:
    """Tell whether a problem is about the words, and not about what the rules allow now."""
    return bool(problem.code.startswith(("orders/", "mail/")))


@cache
def new_game(ruleset: str = RALLY, language: str = "") -> adj.Game:
    """Return a new game `club-1` of Ann Smith (red) and Bob (blue), and of Carl Lee where it takes three."""
    players = {**PLAYERS, "green": "Carl Lee"} if ruleset == "checkpoint-charlie" else PLAYERS
    game = adj.new(ruleset, players, id="club-1", seed=7)
    return game.with_languages([language]) if language else game


def mail_of(text: str, head: str = HEAD) -> bytes:
    return (head + text).encode("utf-8", "surrogatepass")


def read(text: str, ruleset: str = RALLY, language: str = "", head: str = HEAD) -> Reading:
    """Return what is read in the mail ``text`` of red, who sends it for turn 1 of a new game."""
    return reading(new_game(ruleset, language), adj.read_mail(mail_of(text, head), name="a.eml", seat="red"))


def read_file(text: str, ruleset: str = RALLY, language: str = "") -> Reading:
    """Return the same of a text that is red's and no mail."""
    (submission,) = adj.read_orders(text, name="a.txt", seat="red")
    return reading(new_game(ruleset, language), submission)


def reading(game: adj.Game, submission: adj.Submission, seat: str = "red") -> Reading:
    own = orders_in(game, [submission], seat)
    raw = [_row(one) for one in own.problems]
    orders = {seat: [order for _, order in own.orders]} if own.orders else {}
    return Reading(orders, [line for line, _ in own.orders], list(filter(is_of_reading, raw)), list(own.ignored))


class _Row(NamedTuple):
    code: str
    message: str
    rule: str
    line: int
    column: int
    width: int
    suggestions: tuple[str, ...]
    text: str


def _row(one: Any) -> _Row:
    problem = one.problem
    return _Row(
        problem.code, problem.message, problem.rule, one.line, one.column, one.width, tuple(problem.suggestions), one.text
    )


@cache
def at_turn_7(ruleset: str = RALLY) -> adj.Game:
    """Return the game `rally-042` at turn 7. In Checkpoint Rally green must move: all orders of red and blue wait."""
    third = {} if ruleset == "checkered-flag" else {"green": "Cy"}
    game = adj.new(ruleset, {**PLAYERS, **third}, id="rally-042", seed=1)
    while game.turn < 7:
        seat = game.due_seats[0]
        rows = game.seen_by(seat).legal
        game = game.apply({seat: rows[len(rows) // 2].order}).game
    assert game.turn == 7
    assert ruleset != RALLY or game.due_seats == ("green",)
    return game


Text = str | bytes | adj.Submission


def read_at_turn_7(*texts: Text) -> Reading:
    """Return what is read in the texts, which are called `1.txt` and so on."""
    return pending_after(at_turn_7(), *texts)


def pending_after(game: adj.Game, *texts: Text) -> Reading:
    """Return what waits after the texts, with all problems, of the rules too."""
    result = game.apply([one for number, text in enumerate(texts, 1) for one in submitted(text, f"{number}.txt")])
    orders = {sheet.seat: list(sheet.orders) for sheet in result.game.seen_by("moderator").pending.waiting}
    return Reading(orders, [], list(result.problems), list(result.ignored))


def submitted(text: Text, name: str) -> Iterator[adj.Submission]:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    yield from adj.read_orders(data, name=name)


def bound(text: str, seat: str | None = "red", name: str = "a.eml", received: str = "") -> adj.Submission:
    """Return a mail that is known to be from ``seat``; ``received`` is the time at which the mail server took it."""
    head = f"Received: by mx; {received}\n{HEAD}" if received else HEAD
    return adj.read_mail(mail_of(text, head), name=name, seat=seat)  # type: ignore[arg-type]


def caret(problem: Any) -> str:
    return found(problem).above


# The corpus.


@cache
def corpus() -> dict[str, bytes]:
    """Return the mails by name."""
    return {one.name: one.build(lines_for(one)) for one in FRAMES}


def corpus_sum() -> str:
    digest = hashlib.sha256()
    for name, data in sorted(corpus().items()):
        digest.update(name.encode() + b"\0" + data + b"\0")
    return digest.hexdigest()


def wanted(one: Frame) -> dict[str, list[str]]:
    """Return the orders that a mail of the corpus must give, by seat."""
    return {"red": list(ORDERS[one.game])} if one.sheets is None else one.sheets


def other_ends(data: bytes) -> bytes:
    """Return a mail with CR LF at the ends of its lines if it has LF, and with LF if it has CR LF."""
    return data.replace(b"\r\n", b"\n") if b"\r\n" in data else data.replace(b"\n", b"\r\n")


def read_in(game: str, data: bytes, seat: str | None) -> tuple[dict[str, list[str]], list[str], list[str]]:
    """Return the orders by seat, the codes of the problems, and what of a mail is no text, all at turn 7."""
    of, submission = at_turn_7(game), adj.read_mail(data, name="a.eml", seat=seat)  # type: ignore[arg-type]
    orders = {one: [order for _, order in orders_in(of, [submission], one).orders] for one in ([seat] if seat else of.seats)}
    result = of.apply([submission])
    codes = [one.code for one in result.problems if is_of_reading(one)]
    left_out = [one.text for one in result.ignored if not one.line]
    return {one: words for one, words in orders.items() if words}, codes, left_out


# Cases and costs.


def portion(cases: Iterable[Any], every: int, first: int = 0) -> list[Any]:
    """Return ``cases``, all marked for long runs but the ``first``, and from there each ``every``-th; with 0 all of them."""
    return [
        case if every and number % every == first else pytest.param(case, marks=pytest.mark.soak)
        for number, case in enumerate(cases)
    ]


def lines_run(run: Callable[[], object]) -> int:
    """Return how many lines of Python ``run`` executes: the same on every machine."""
    count = 0

    def trace(_frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def grows(counts: Iterable[int], fixed: int) -> bool:
    """Tell whether a cost more than doubles with the length, somewhere; ``fixed`` is what does not count."""
    return any(second > 2.3 * first + fixed for first, second in pairwise(counts))
