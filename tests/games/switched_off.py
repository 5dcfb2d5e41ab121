"""Run the tests of each rule of a game with this rule switched off, and tell which rules they hold.

``python switched_off.py checkered-flag`` prints a line for each rule: *held* if a test fails without the rule, *not held*
if all pass, *not reached* if its tests do not meet it as a refusal, an event, a cost or a flaw of a set-up, which are what
can be switched off.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import Phase, settings

from adjudicator.core.event import Part
from adjudicator.core.problem import Problem
from adjudicator.rulesets import ruleset

HERE = Path(__file__).parent
SECONDS = 3
"""The processor time for one test; every test takes much less with all rules."""
EVENTS = 1_000
"""The number of events after which an order counts as endless; every order has much fewer with all rules."""


class Switches:
    """Switch the rules of a game off, one at a time, while its tests run. ``results`` says what its tests found."""

    def __init__(self, game: str) -> None:
        """Take the name of the ``game``, such as ``great-race``."""
        self.game, self.results = game, dict[str, str]()
        self.rule, self.is_reached, self.has_failed = "", False, False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests of each rule without it, up to the first that fails."""
        with pytest.MonkeyPatch.context() as patch:
            self._replace(patch)
            for rule, items in _by_rule(session.items).items():
                with self._off(rule):
                    fails = any(self._fails(item) for item in items)
                    self.results[rule] = "held" if fails else "not held" if self.is_reached else "not reached"
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note whether the test that runs has failed."""
        self.has_failed |= report.failed

    def _fails(self, item: pytest.Item) -> bool:
        """Return whether a test fails, or has no end: without one of its rules a game can go on for ever."""
        self.has_failed = False
        signal.signal(signal.SIGPROF, _stop)
        signal.setitimer(signal.ITIMER_PROF, SECONDS, 1)
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return self.has_failed

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
        rules = type(ruleset(self.game))
        for name in ("validate", "check", "decision"):
            patch.setattr(rules, name, self._without_refusals(getattr(rules, name)))
        patch.setattr(rules, "evolve", self._without_events(rules.evolve))
        refuse = rules.refuse
        patch.setattr(
            rules, "refuse", lambda own, code, flaws: refuse(own, code, [one for one in flaws if not self._is_off(one)])
        )
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

    def _without_events(self, evolve: Callable[..., Any]) -> Callable[..., Any]:
        """An event that changes no state only announces: without it nothing would be different."""

        def change(own: Any, config: Any, state: Any, event: Any) -> Any:
            after = evolve(own, config, state, event)
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


def _stop(*_given: Any) -> None:
    pytest.fail("it has no end")


def _by_rule(items: list[pytest.Item]) -> dict[str, list[pytest.Item]]:
    """Return the tests of each rule: ``test_cr_p3_…`` is about CR-P3."""
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        if name := re.match(r"test_([a-z]{2})_([a-z]\d+)_", item.name):
            found.setdefault(f"{name[1]}-{name[2]}".upper(), []).append(item)
    return found


if __name__ == "__main__":
    settings.register_profile(
        "switched-off", deadline=None, max_examples=20, phases=(Phase.explicit, Phase.generate), database=None
    )
    switches = Switches(sys.argv[1])
    folder = HERE / switches.game.replace("-", "_")
    options = ("-q", "-p", "no:cacheprovider", "-n", "0", "--hypothesis-profile=switched-off", "-W", "ignore")
    options += ("--assert=plain", "--tb=no")  # nobody reads why a test fails
    with redirect_stdout(StringIO()):
        pytest.main([str(folder), *options], [switches])
    for rule, result in sorted(switches.results.items()):
        sys.stdout.write(f"{rule} {result}\n")
