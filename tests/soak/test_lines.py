"""Millions of lines through the whole way of an order: each is answered in its place, by a rule or code of the docs."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from attack import Attack
from hostile_lines import LineMaker

from adjudicator.cli.turn_summary import adjudication, problems_text
from adjudicator.core.problem import FAULT, Diagnostic
from adjudicator.library.game import Result
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.moderate.own_check import check_own
from adjudicator.orders.submission import text_submission
from adjudicator.reports.data.diagnostics import diagnostics_text
from adjudicator.rulesets import metas, ruleset
from adjudicator.session import Session
from adjudicator.testing.games import play_games

DOCS = Path(__file__).parents[2] / "docs"
GAMES = [name for name, _ in metas()]
SIZES = (5, 40, 300, 4_000)
"""Lines of a text: in short ones more is carried out, long ones are read quicker."""
MINDED = 1.5
"""How much more than ten times as many calls ten times as many lines may cost."""
FIXED = 600_000
"""Calls that may be spent whatever the size is: explaining a hundred problems takes most of them."""


@cache
def maker(name: str, seed: int, is_usual: bool) -> LineMaker:
    """Return what makes lines by games with the usual options, or with any."""
    options = ({},) if is_usual else ()
    return LineMaker(name, play_games(ruleset(name), 4 if is_usual else 12, seed=seed, most_orders=80, options=options))


@cache
def known_to_docs() -> str:
    return "\n".join(page.read_text("utf-8") for page in DOCS.glob("*.md"))


@cache
def is_documented(ruleset: str, code: str, rule: str) -> bool:
    """Return whether docs have the rule by its number, or the code; a problem of a game needs a rule or a code there."""
    if rule:
        page = (DOCS / f"{ruleset}.md").read_text("utf-8")
        return re.search(rf"\b{re.escape(rule)}\b", page) is not None
    return f"`{code}`" in known_to_docs() or code.partition("/")[0] in ("core", ruleset)


def require_answered(session: Session, texts: list[Any], found: Diagnostic) -> None:
    """A problem has words, a place that is there with a caret under it, and a rule or a code that docs explain."""
    problem = found.problem
    assert problem.code != FAULT.code and found.fault is None, (found, found.fault)
    assert problem.message.strip()
    assert is_documented(session.rules.meta.id, problem.code, problem.rule), problem
    assert not found.seat or found.seat in session.seats
    if not found.line or not found.source:
        return
    lines = {text.source: text.lines for text in texts}[found.source]
    if problem.code == "core/too-many-problems":  # it is about all lines from this one on
        assert 1 <= found.line <= len(lines) and not found.text
        return
    assert found.text == lines[found.line - 1], found
    assert 1 <= found.column <= len(found.text) + 1, found
    assert found.width >= 1 and (found.width == 1 or found.column + found.width <= len(found.text) + 1), found


def require_carets(diagnostics: Sequence[Diagnostic]) -> None:
    """Every problem with a line is printed with a caret, and nothing that a terminal would obey."""
    words = diagnostics_text(diagnostics)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", words)
    assert words.count("^") >= sum(1 for found in diagnostics if found.line and found.text)


def is_about_own_text(texts: list[Any], found: Diagnostic, seat: str) -> bool:
    """Return whether ``found`` is about a text that only ``seat`` sent, for instance a heading of another seat in it."""
    return {text.seat for text in texts if text.source == found.source} == {seat}


def fight(attack: Attack, made: LineMaker) -> int:
    """Send texts to one position; return how many lines they had."""
    luck = attack.next_round()
    session = made.session(luck)
    texts = made.texts(luck, session, luck.choice(SIZES), luck.choice((0.0, 0.01, 0.1, 0.5, 0.9)))
    lines = sum(len(text.lines) for text in texts)
    result = adjudicate_files(session, texts, strict=luck.random() < 0.1)
    for found in result.diagnostics:
        require_answered(session, texts, found)
        attack.count(found.problem.code)
    require_carets(result.diagnostics)
    problems_text(Result.of(result))
    adjudication(Result.of(result), is_trial=False)
    attack.count("accepted", len(result.accepted))
    if luck.random() < 0.2:
        seat = luck.choice(session.seats)
        for found in check_own(session, texts, seat).diagnostics:
            require_answered(session, texts, found)
            assert found.seat == seat or is_about_own_text(texts, found, seat), found
        attack.count("own checks")
        attack.count("lines of own checks", lines)
    attack.count("lines", lines)
    attack.count("texts", len(texts))
    return lines


@pytest.mark.parametrize("whole", [40, pytest.param(2_500_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", GAMES)
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


@pytest.mark.parametrize(("whole", "lines"), [(1, 100), pytest.param(40, 300, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", GAMES)
def test_ten_times_the_lines_cost_ten_times_the_calls(attack: Attack, name: str, whole: int, lines: int) -> None:
    made = maker(name, attack.seed, bool(attack.options))
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        session, error = made.session(luck), luck.choice((0.1, 0.5, 0.9))
        seed = luck.random()

        def spent(size: int, session: Session = session, error: float = error, seed: float = seed) -> int:
            data = made.text(Random(seed), session, size, error).encode("utf-8", "replace")
            adjudicate_files(session, [("t.txt", data)])  # what is built once is built by now
            return calls(lambda: adjudicate_files(session, [("t.txt", data)]))

        few, many = spent(lines), spent(10 * lines)
        assert many < FIXED + MINDED * 10 * few, (few, many)
        attack.count("compared")


def test_a_problem_without_a_place_would_be_found(attack: Attack) -> None:
    made = maker("checkered-flag", attack.seed, bool(attack.options))
    session = made.session(attack.luck)
    texts = [text_submission("t.txt", f"{session.seats[0]}: GAER 1\n".encode())]
    (found,) = adjudicate_files(session, texts).diagnostics
    require_answered(session, texts, found)
    for wrong in (
        replace(found, column=0),
        replace(found, column=len(found.text) + 2),
        replace(found, width=len(found.text) + 1),
        replace(found, text="another line"),
        replace(found, problem=replace(found.problem, code="orders/nobody-knows")),
        replace(found, problem=replace(found.problem, rule="CF-Z9")),
        replace(found, problem=FAULT),
    ):
        with pytest.raises(AssertionError):
            require_answered(session, texts, wrong)
