"""Nested JSON is refused before any parser sees it, and brackets in strings do not count."""

from __future__ import annotations

import pytest

from adjudicator.files.reading import MOST_NESTED, is_deep


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a":[' * (MOST_NESTED + 1) + b"]}" * (MOST_NESTED + 1),
        b'["]",' * (MOST_NESTED + 1) + b"1" + b"]" * (MOST_NESTED + 1),
    ],
)
def test_deep_brackets_are_found(data: bytes) -> None:
    assert is_deep(data)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * MOST_NESTED + b"]" * MOST_NESTED,
        b'{"a": "' + b"[" * 500 + b'"}',
        rb'{"a\"[[": "\\", "b": "' + b"{" * 500 + b'"}',
        b"[" + b"[]," * 5_000 + b"[]]",
        b'{"a": 1',
        b"",
    ],
)
def test_brackets_in_strings_and_beside_each_other_are_not_deep(data: bytes) -> None:
    assert not is_deep(data)
