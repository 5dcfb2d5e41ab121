"""Texts that try to do something to a terminal, and a check that they did not get through."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pytest

HOSTILE = {
    "colour": "\x1b[31mred\x1b[0m",
    "title": "\x1b]0;owned\x07",
    "c1": "\x9b2Jx",
    "bidi": "\u202eder\u2066",
    "zero-width": "r\u200be\ufeffd",
    "lines": "red\nblue: DRAW\r",
    "separator": "red\u2028blue",
    "nul": "\x00\x7f\t",
    "surrogate": "\ud800",
    "tag": "red\U000e0041",
    "pile": "e" + "\u0301" * 60,
}

_OWN_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(params=HOSTILE.values(), ids=HOSTILE.keys())
def hostile(request: pytest.FixtureRequest) -> str:
    text: str = request.param
    return text


@pytest.fixture
def assert_harmless() -> Callable[..., None]:
    """Return a check that a text holds nothing invisible but its own line breaks (and colours, where it may)."""

    def check(text: str, lines: int | None = None, *, has_colour: bool = False) -> None:
        if has_colour:
            text = _OWN_COLOUR.sub("", text)
        hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
        assert {character for character in text if unicodedata.category(character) in hidden} <= {"\n"}
        assert "\u0301" * 5 not in text
        text.encode()
        if lines is not None:
            assert text.count("\n") == lines - 1

    return check
