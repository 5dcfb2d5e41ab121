"""What a line costs grows with its length and no faster: counted in steps, calls and lines of code, the same everywhere."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from types import ModuleType
from typing import Any

import pytest
from counted import work
from one_mail import read_with, received, words
from portion import portion
from steps import TooManyStepsError, steps

import adjudicator.mail
import adjudicator.orders
from adjudicator.club import commands, tokens
from adjudicator.club.commands import commands_in
from adjudicator.library.texts import own_lines
from adjudicator.mail.charset import decode_words
from adjudicator.mail.envelope import envelope_of
from adjudicator.mail.flowed import divide, unwrap
from adjudicator.mail.html_text import html_lines
from adjudicator.mail.message import read_mail
from adjudicator.orders.line_parser import stepper
from adjudicator.rulesets import metas

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
MINDED = 2.3
"""How much more than once a text of twice the length may cost."""
FIXED = 500
"""Steps for which a growth does not count."""
OF_AUTHORS = {f"adjudicator.orders.{name}" for name in ("grammar", "lark_tables", "synonyms", "expected")}
"""Modules whose patterns read grammars and lists of words, which come from authors and not from players."""
HOW = re.compile(r"\b{}\.(match|fullmatch|search|findall|finditer|sub|split)\b")


def filled(shape: tuple[str, str, str], length: int) -> str:
    before, unit, after = shape
    return before + unit * (length // len(unit)) + after


def modules() -> Iterator[ModuleType]:
    for package in (adjudicator.orders, adjudicator.mail):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(found.name)
    yield from (commands, tokens)


def patterns() -> dict[str, tuple[re.Pattern[Any], set[str]]]:
    """Return the patterns of all readers by name, and how each is used."""
    found: dict[str, tuple[re.Pattern[Any], set[str]]] = {}
    for module in modules():
        source = inspect.getsource(module)
        for name, value in vars(module).items():
            for number, pattern in enumerate(_patterns_in(value)):
                used = set(re.findall(HOW.pattern.format(name), source)) or {"match", "fullmatch"}
                if module.__name__ not in OF_AUTHORS:
                    found[f"{module.__name__.removeprefix('adjudicator.')}.{name}{number or ''}"] = pattern, used
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
    return grows(counts)


def grows(counts: Sequence[int], fixed: int = FIXED) -> bool:
    return any(second > MINDED * first + fixed for first, second in pairwise(counts))


PATTERNS = patterns()


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
    assert is_slow(re.compile(pattern), shape, how, LENGTHS)


def test_the_counter_matches_as_python_does() -> None:
    for (pattern, _), shape in product(PATTERNS.values(), SHAPES[::61]):
        text = filled(shape, 12)
        if isinstance(pattern.pattern, str):
            for how, found in (
                ("match", pattern.match(text)),
                ("fullmatch", pattern.fullmatch(text)),
                ("all", pattern.search(text)),
            ):
                assert steps(pattern, text, 10**6, how)[1] == (found.end() if found else -1), (pattern.pattern, text, how)


def slow_shapes(pattern: re.Pattern[Any], used: set[str], shapes: Sequence[tuple[str, str, str]], most: int) -> list[Any]:
    ways = {"match", "fullmatch"} & used | ({"all"} if used - {"match", "fullmatch"} else set())
    return [(how, shape) for how in ways for shape in shapes if is_slow(pattern, shape, how, LENGTHS[:most])]


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_of_a_reader_is_slower_than_linear(name: str) -> None:
    assert slow_shapes(*PATTERNS[name], SHAPES[len(name) :: 61], 2) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_of_a_reader_is_slower_than_linear_in_many_shapes(name: str) -> None:
    assert slow_shapes(*PATTERNS[name], SHAPES[len(name) % 11 :: 11], 4) == []


@pytest.mark.parametrize("case", portion(product([name for name, _ in metas()], ("en", "de", "fr", "nl")), 7), ids=" ".join)
def test_no_word_of_a_grammar_is_slower_than_linear(case: tuple[str, str]) -> None:
    """Each pattern looks for one word of a line, from a given place on."""
    rules, _ = read_with(*case)
    scanners = {(pattern, flags) for pattern, flags, _ in stepper(rules).tables.scanners.values()}
    for number, (pattern, flags) in enumerate(sorted(scanners)):
        assert slow_shapes(re.compile(pattern, flags), {"match"}, SHAPES[number % 151 :: 151], 2) == []


def in_field(name: str) -> Callable[[str], object]:
    return lambda text: envelope_of(f"{name}: {printed(text)}\n\nDRAW".encode())


def printed(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable())


READERS: dict[str, Callable[[str], object]] = {
    "line": lambda text: received("checkpoint-rally", f"DRAW\n{text}"),
    "first line": lambda text: received("checkered-flag", f"{text}\nGEAR 1", "fr"),
    "lines": lambda text: received("rally-round", text.replace(" ", "\n")),
    "message": lambda text: commands_in([f"MESSAGE to bob {text}", f"MESSAGE {text}", text, "END"]),
    "earlier mails": lambda text: own_lines([text, f"{text}:", f"On {text} wrote:"]),
    "page": html_lines,
    "tags": lambda text: html_lines(f"<p style='{text}'>{text}<b {text}"),
    "wrapped": lambda text: unwrap(divide([f"game x | {text}", f"{text} ", text]), has_extra_space=False),
    "words": decode_words,
    "mail": lambda text: read_mail(f"From: a@example.org\n\n{text}".encode()),
    **{name: in_field(name) for name in ("From", "Subject", "To", "Received", "Return-Path", "References", "Content-Type")},
}
STEEP = 4_000
"""Lines and calls for which the growth of a reader does not count: what is explained for the first time takes some."""


def reader_grows(name: str, shape: tuple[str, str, str], lengths: Sequence[int]) -> bool:
    READERS[name]("a")
    return grows([work(partial(READERS[name], filled(shape, length))) for length in lengths], STEEP)


@pytest.mark.parametrize("name", READERS)
def test_no_reader_is_slower_than_linear(name: str) -> None:
    assert [shape for shape in SHAPES[len(name) :: 127] if reader_grows(name, shape, LENGTHS[1:3])] == []


@pytest.mark.soak
@pytest.mark.parametrize("name", READERS)
def test_no_reader_is_slower_than_linear_in_all_shapes(name: str) -> None:
    """1,500 shapes."""
    assert len(SHAPES) >= 1_500
    assert [shape for shape in SHAPES if reader_grows(name, shape, LENGTHS[1:3])] == []


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
    found = received("checkpoint-rally", f"DRAW\n{line}")
    assert words("checkpoint-rally", found) in (["DRAW"], ["DRAW"] * 2)
    assert all(one.fault is None for one in received("checkpoint-rally", f"{line}\nDRAW").diagnostics)


def test_no_order_of_a_long_line_is_lost() -> None:
    for count, unit in product((100, 101, 102, 160, 400, 3000), ("DRAW;", "DRAW; ", "draw ; ")):
        found = received("checkpoint-rally", unit * count)
        assert len(words("checkpoint-rally", found)) == count or found.diagnostics, (count, unit)
    for line in ("x" * 600 + " DRAW", "so " * 900 + "MOVE C3 D3"):
        assert received("checkpoint-rally", f"{line}\nREFRESH").diagnostics
