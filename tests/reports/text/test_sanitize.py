"""Players' and files' texts are shown, never obeyed."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.canonical import canonical_text
from adjudicator.reports.text.sanitize import printable, safe_json, visible_characters


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("PLACE H3 at C2 rot 90", "PLACE H3 at C2 rot 90"),
        ("Søren 李 🚗", "Søren 李 🚗"),
        ("\x1b[31mred", "␛[31mred"),
        ("a\nb\tc\r", "a␊b␉c␍"),
        ("\x7f", "␡"),
        ("\x9b31m", r"\u009b31m"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("r\u200bed", r"r\u200bed"),
        ("\ud83d", r"\ud83d"),
        ("\U000e0041", r"\U000e0041"),
        ("red\u00a0blue", "red blue"),
        ("\u3164", r"\u3164"),
        ("é", "é"),
        ("e\u0301\u0301\u0301\u0301\u0301", "e\u0301\u0301\u0301\u0301\\u0301"),
    ],
)
def test_everything_invisible_is_made_visible(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.characters()))
def test_no_text_keeps_a_control_a_direction_or_a_surrogate(text: str) -> None:
    shown = printable(text)
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}
    shown.encode()


@given(st.text(st.characters()))
def test_what_is_printable_stays_as_it_is(text: str) -> None:
    assert printable(printable(text)) == printable(text)


@given(st.text(st.characters()))
def test_every_character_has_its_place(text: str) -> None:
    assert len(visible_characters(text)) == len(text)


@given(st.text(st.characters()))
def test_json_is_safe_to_print_and_reads_back_the_same(text: str) -> None:
    line = safe_json({"text": text, "n": 1})
    assert json.loads(line) == {"n": 1, "text": json.loads(json.dumps(text))}
    assert line.isprintable()


def test_ordinary_json_is_canonical() -> None:
    data = {"b": [1, None, "Søren 李"], "a": True}
    assert safe_json(data) == canonical_text(data) == '{"a":true,"b":[1,null,"Søren 李"]}'
