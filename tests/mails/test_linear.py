"""What a line costs grows with its length and no faster: counted in steps and lines of code, the same everywhere."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import adjudicator
import adjudicator as adj
from adjudicator.library.own_orders import header_turns
from tests.drivers.mails import at_turn_7, grows, lines_run, read
from tests.drivers.steps import TooManyStepsError, steps

UNITS = (
    *(
        " ",
        "a",
        "A",
        "1",
        "é",
        "─",
        "😀",
        "가",
        "(",
        "[",
        "<",
        ">",
        "-",
        "_",
        ".",
        ",",
        ":",
        ";",
        "!",
        "=",
        "@",
        "&",
        "|",
        "\t",
        "\u3000",
    ),
    *(
        "a ",
        "1 ",
        "a.",
        "a,",
        "1.",
        "- ",
        ": ",
        ", ",
        "=?",
        "and ",
        "or ",
        "not ",
        "is ",
        "(a)",
        '"a" ',
        ":) ",
        "then, ",
        "&#1",
        "-->",
    ),
    *("=?a?q?b?= ", "turn 1 ", "DRAW ", "DRAW;", "A1: ", "blue "),
)
BEFORE = ("", "DRAW ", "a", "<", '"', "red: ")
AFTER = ("", " x", ".Ann", ">", ":")
SHAPES = [*product(BEFORE, UNITS, AFTER)]

LENGTHS = (100, 200, 400, 800)
"""Characters of the repeated part."""
HOW = r"\b{}\.(match|fullmatch|search|findall|finditer|sub|split)\b"
TRUSTED = re.compile(
    r"\.(corrections|desk|cli|cluster|site|simulate|reports|rulebook|testing|games|core|store|script|archive|docs)\b|MARK"
)
"""Modules whose patterns read what the program, its installed packages or the moderator have written."""


def filled(shape: tuple[str, str, str], length: int) -> str:
    before, unit, after = shape
    return before + unit * (length // len(unit)) + after


@cache
def patterns() -> dict[str, tuple[re.Pattern[Any], frozenset[str]]]:
    """Return the patterns of all modules by name, and how each is used."""
    found: dict[str, tuple[re.Pattern[Any], frozenset[str]]] = {}
    for info in pkgutil.walk_packages(adjudicator.__path__, "adjudicator."):
        if info.name.endswith("__main__") or TRUSTED.search(info.name):
            continue
        module = importlib.import_module(info.name)
        source = inspect.getsource(module)
        for name, value in vars(module).items():
            for number, pattern in enumerate(_patterns_in(value)):
                used = frozenset(re.findall(HOW.format(name), source)) or frozenset({"match", "fullmatch"})
                found[f"{info.name.removeprefix('adjudicator.')}.{name}{number or ''}"] = pattern, used
    return found


def _patterns_in(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (tuple, list)) and len(value) < 100:
        yield from (pattern for part in value for pattern in _patterns_in(part))
    elif isinstance(value, dict):
        yield from (pattern for part in value.values() for pattern in _patterns_in(part))


def is_slow(pattern: re.Pattern[Any], shape: tuple[str, str, str], how: str, lengths: Sequence[int]) -> bool:
    """Return whether ``pattern`` takes more than twice the steps for twice the length, somewhere in ``lengths``."""
    try:
        counts = [steps(pattern, filled(shape, length), 300 * length, how)[0] for length in lengths]
    except TooManyStepsError:
        return True
    return grows(counts, 500)


def slow_shapes(
    pattern: re.Pattern[Any], used: frozenset[str], shapes: Sequence[tuple[str, str, str]], most: int
) -> list[Any]:
    ways = sorted({"match", "fullmatch"} & used) + (["all"] if used - {"match", "fullmatch"} else [])
    return [(how, shape) for how in ways for shape in shapes if is_slow(pattern, shape, how, LENGTHS[:most])]


@pytest.mark.parametrize(
    ("pattern", "shape", "how"),
    [
        (r"(?:\s*(?:[:=]['-]?[)(/|]+|[\u2190-\U0001faff]+))+$", ("DRAW ", "─", " x"), "all"),
        (r"\s+$", ("", " ", " x"), "all"),
        (r"(?P<word>\w+) +\Z", ("", "a", " x"), "all"),
        (r".* by .* with lmtp\b", ("", " by ", ""), "match"),
        (r"<?\s*(a(@[^<>]*)?)?\s*>?", ("", " ", " x"), "fullmatch"),
        (r"(\w+)\s+(?!\W*anonymous)(.*)", ("a", " ", "anonymous"), "fullmatch"),
        (r"[ ,&+/-]*(?:(?<![^ ,])(?:and|then|also)[ ,]+)*\Z", ("", ", ", "x"), "all"),
    ],
)
def test_the_counter_knows_slow_patterns(pattern: str, shape: tuple[str, str, str], how: str) -> None:
    """Those that were in the reader."""
    assert is_slow(re.compile(pattern), shape, how, LENGTHS[:2])


def test_the_counter_matches_as_python_does() -> None:
    tried = 0
    for (pattern, _), shape in product(patterns().values(), SHAPES[::211]):
        text = filled(shape, 12)
        if isinstance(pattern.pattern, str):
            tried += 1
            ways = {"match": pattern.match(text), "fullmatch": pattern.fullmatch(text), "all": pattern.search(text)}
            for how, found in ways.items():
                assert steps(pattern, text, 10**6, how)[1] == (found.end() if found else -1), (pattern.pattern, text, how)
    assert tried > 500


@pytest.mark.parametrize(("every", "most"), [(121, 2), pytest.param(11, 4, marks=pytest.mark.soak)])
def test_no_pattern_of_a_reader_is_slower_than_linear(every: int, most: int) -> None:
    """Each pattern in a few of 1,500 shapes."""
    assert len(patterns()) >= 80
    assert len(SHAPES) >= 1_500
    slow = {
        name: found
        for name, (pattern, used) in patterns().items()
        if (found := slow_shapes(pattern, used, SHAPES[len(name) % every :: every], most))
    }
    assert slow == {}


def literals() -> Iterator[re.Pattern[str]]:
    """Yield the patterns of the words of all grammars."""
    for path in sorted((Path(__file__).parents[2] / "grammar").glob("*.lark")):
        text = re.sub(r"(?m)^\s*//.*$", "", path.read_text("utf-8"))
        for source, flags in re.findall(r"(?<![\w/\"])/((?:[^/\\\n]|\\.)+)/(\w*)", text):
            if "<" not in source or "(?<" in source:
                yield re.compile(source, re.IGNORECASE if "i" in flags else 0)


def test_no_word_of_a_grammar_is_slower_than_linear() -> None:
    """Each pattern looks for one word of a line, from a given place on."""
    words = list(literals())
    assert len(words) >= 60
    slow = [
        (word.pattern, found)
        for number, word in enumerate(words)
        if (found := slow_shapes(word, frozenset({"match"}), SHAPES[number % 101 :: 101], 2))
    ]
    assert slow == []


def in_field(name: str) -> Callable[[str], object]:
    return lambda text: adj.read_mail(f"{name}: {printed(text)}\n\nDRAW".encode())


def printed(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable())


def of_page(markup: str) -> object:
    return adj.read_mail(b"From: x\nContent-Type: text/html; charset=utf-8\n\n" + markup.encode())


def of_mail(text: str, kind: str = "text/plain") -> object:
    return adj.read_mail(f"From: a@example.org\nContent-Type: {kind}\n\n{text}".encode())


READERS: dict[str, Callable[[str], object]] = {
    "line": lambda text: read(f"DRAW\n{text}"),
    "first line": lambda text: read(f"{text}\nGEAR 1", "checkered-flag", "fr"),
    "lines": lambda text: read(text.replace(" ", "\n"), "rally-round"),
    "earlier mails": lambda text: read("\n".join([text, f"{text}:", f"On {text} wrote:", "> x"])),
    "turns": lambda text: header_turns(at_turn_7(), [text, f"turn 7 {text}", f"{text} turn 6"]),
    "page": of_page,
    "tags": lambda text: of_page(f"<p style='{text}'>{text}<b {text}"),
    "wrapped": lambda text: of_mail(f"game x | {text}\n{text} \n{text}", "text/plain; format=flowed"),
    "mail": of_mail,
    **{name: in_field(name) for name in ("From", "Subject", "To", "Received", "Return-Path", "References", "Content-Type")},
}
STEEP = 4_000
"""Lines for which the growth of a reader does not count: what is explained for the first time takes some."""


@pytest.mark.parametrize("every", [257, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", READERS)
def test_no_reader_is_slower_than_linear(name: str, every: int) -> None:
    READERS[name]("a")
    tried = SHAPES[len(name) % every :: every]
    assert tried
    costs = {shape: [lines_run(partial(READERS[name], filled(shape, length))) for length in LENGTHS[1:3]] for shape in tried}
    assert [shape for shape, counts in costs.items() if grows(counts, STEEP)] == []


@pytest.mark.parametrize(
    "line",
    [
        "DRAW " + "─" * 34 + " Ann",
        "😀" * 26 + " x",
        "안녕하세요 오늘도 즐거운 하루 보내세요 감사합니다.Ann",
        "turn 1 " * 8_000 + "x",
        "é" + " " * 60_000 + "x",
    ],
)
def test_a_line_that_hung_the_program_is_read(line: str) -> None:
    assert set(read(f"DRAW\n{line}").red) == {"DRAW"}
    assert len(read(f"{line}\nDRAW").raw) <= 1


def test_no_order_of_a_long_line_is_lost() -> None:
    for number, unit in product((100, 101, 102, 160, 400, 3000), ("DRAW;", "DRAW; ", "draw ; ")):
        found = read(unit * number)
        assert len(found.red) == number or found.raw, (number, unit)
    for line in ("x" * 600 + " DRAW", "so " * 900 + "MOVE C3 D3", "é x " * 5_000 + "thanks DRAW"):
        assert read(f"{line}\nREFRESH").raw
