"""Play the scenarios of each rule of a game with this rule switched off, and say which rules they hold.

``python -m tests.drivers.switched_off checkered-flag`` prints a line for each rule that has scenarios: *held* if one fails
without the rule, *not held* if all pass, *not reached* if they do not meet the rule as a refusal, an event, a cost or a flaw
of a set-up, which are what can be switched off.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.event import Part
from adjudicator.core.problem import Problem
from adjudicator.rulesets import ruleset
from tests.drivers.scenarios import Scenario, begin, play, read

RULES = Path(__file__).parent.parent / "rules"
SECONDS = 3
"""The processor time for one scenario; each takes much less with all rules."""
EVENTS = 1_000
"""The number of events after which an order counts as endless; every order has much fewer with all rules."""


class Switches:
    """Switch the rules of a game off, one at a time, while its scenarios are played."""

    def __init__(self, game: str) -> None:
        """Take the name of the ``game``, such as ``great-race``."""
        self.game, self.rule, self.is_reached = game, "", False

    def results(self) -> Iterator[tuple[str, str]]:
        """Yield each rule with what its scenarios found, each played up to the first that fails."""
        found: dict[str, list[Scenario]] = {}
        for case in (case for file in sorted(RULES.glob(f"{self.game}/*.txt")) for case in read(file)):
            for rule in case.rules:
                found.setdefault(rule, []).append(case)
        with pytest.MonkeyPatch.context() as patch:
            self._replace(patch)
            # A switch that breaks a game would hold all of its rules.
            assert not any(_fails(cases[0]) for cases in found.values()), f"{self.game} fails with all rules on"
            for rule, cases in sorted(found.items()):
                with self._off(rule):
                    fails = any(map(_fails, cases))
                    yield rule, "held" if fails else "not held" if self.is_reached else "not reached"

    @contextmanager
    def _off(self, rule: str) -> Iterator[None]:
        self.rule, self.is_reached = rule, False
        self._forget()
        yield
        self.rule = ""
        self._forget()

    def _is_off(self, thing: Any) -> bool:
        if not self.rule or getattr(thing, "rule", "") != self.rule:
            return False
        self.is_reached = True
        return True

    def _replace(self, patch: pytest.MonkeyPatch) -> None:
        rules = ruleset(self.game)
        for name in ("wrong", "refusal", "retired"):
            patch.setattr(rules, name, self._without_refusals(getattr(rules, name)))
        for kind in rules.events:
            patch.setattr(kind, "apply", self._without_events(kind.apply))
        refuse = rules.refuse
        without = staticmethod(lambda code, flaws: refuse(code, [one for one in flaws if not self._is_off(one)]))
        patch.setattr(rules, "refuse", without)
        for module in self._modules():
            if getattr(module, "Part", None) is Part:
                patch.setattr(module, "Part", self._part)
        patch.setattr("adjudicator.core.step._MOST_EVENTS", EVENTS)

    def _modules(self) -> list[ModuleType]:
        package = f"adjudicator.games.{self.game.replace('-', '_')}."
        return [module for name, module in sys.modules.items() if name.startswith(package)]

    def _forget(self) -> None:
        """Forget what functions have cached with the rule, or without it; pictures know no rules."""
        for module in self._modules():
            if module.__name__.endswith((".picture", ".sheet")):
                continue
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()

    def _without_events(self, apply: Callable[..., Any]) -> Callable[..., Any]:
        """An event that changes no state only announces: without it nothing would be different."""

        def change(event: Any, config: Any, state: Any) -> Any:
            after = apply(event, config, state)
            return state if after != state and self._is_off(event) else after

        return change

    def _without_refusals(self, hook: Callable[..., Any]) -> Callable[..., Any]:
        def ask(*given: Any) -> Any:
            found = hook(*given)
            return None if isinstance(found, Problem) and self._is_off(found) else found

        return ask

    def _part(self, *given: Any, **named: Any) -> Part:
        part = Part(*given, **named)
        return Part(0, part.what, part.rule) if self._is_off(part) else part


def _fails(case: Scenario) -> bool:
    """Return whether a scenario fails, or has no end: without one of its rules a game can go on for ever."""
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 1)
    try:
        with TemporaryDirectory() as folder:
            play(case, begin(case, Path(folder)))
    except Exception:  # an assertion, or what the program raises without the rule
        return True
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return False


def _stop(*_given: Any) -> None:
    raise AssertionError("it has no end")


if __name__ == "__main__":
    for name, result in Switches(sys.argv[1]).results():
        sys.stdout.write(f"{name} {result}\n")
