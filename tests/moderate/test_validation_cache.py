"""The problems that an order has in every position are found once in a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from play import begin

from adjudicator.games.checkpoint_rally.orders import Discard
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.moderate.validation_cache import with_validation_cache
from adjudicator.rulesets import ruleset
from adjudicator.session import Session


def begun(validate: Callable[[Any, Any], Any] | None = None) -> Session:
    session = begin(secret="07" * 32)
    return session if validate is None else replace(session, rules=session.rules.changed(validate=validate))


def test_the_same_mistake_in_many_mails_of_a_seat_is_looked_at_once() -> None:
    """Twenty mails of one seat are tried out one after the other, and each trial looked at all their orders."""
    asked: list[Any] = []
    real = ruleset("checkpoint-rally").validate
    session = begun(lambda config, order: asked.append(order) or real(config, order))
    texts = [(f"{number}.txt", b"red:\n  DISCARD ZZ1\n  DISCARD ZZ2\n") for number in range(20)]
    result = adjudicate_files(session, texts)
    assert {found.problem.code for found in result.diagnostics} == {"checkpoint-rally/unknown-tile"}
    assert asked == [Discard(("ZZ1",)), Discard(("ZZ2",))]


def test_what_is_right_is_asked_again_and_what_has_no_hash_as_well() -> None:
    asked: list[Any] = []
    rules = ruleset("checkpoint-rally").changed(validate=lambda _config, order: asked.append(order))
    cached = with_validation_cache(rules)
    for order in ("fine", "fine", ["unhashable"]):
        assert cached.validate(None, order) is None
    assert asked == ["fine", "fine", ["unhashable"]]
