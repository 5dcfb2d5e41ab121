"""Bytes become text by what is said of them, as far as that is true."""

from __future__ import annotations

from contextlib import suppress
from encodings.aliases import aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.mail.charset import decode


@pytest.mark.parametrize(
    ("data", "charset", "text", "is_right"),
    [
        ("Grüße".encode(), "utf-8", "Grüße", True),
        ("Grüße".encode(), "UTF8", "Grüße", True),
        ("Grüße".encode(), "", "Grüße", False),
        ("Grüße".encode(), "us-ascii", "Grüße", False),
        (b"DRAW", "us-ascii", "DRAW", True),
        (b"DRAW", "", "DRAW", True),
        ("„Grüße“ – 5 €".encode("cp1252"), "iso-8859-1", "„Grüße“ – 5 €", True),
        ("„Grüße“ – 5 €".encode("cp1252"), "windows-1252", "„Grüße“ – 5 €", True),
        ("„Grüße“ – 5 €".encode("cp1252"), "utf-8", "„Grüße“ – 5 €", False),
        ("Привет".encode("koi8-r"), "KOI8-R", "Привет", True),
        ("Привет".encode("cp1251"), "windows-1251", "Привет", True),
        ("Łąka".encode("iso-8859-2"), "iso-8859-2", "Łąka", True),
        ("車".encode("shift_jis"), "Shift_JIS", "車", True),
        ("車".encode("iso2022_jp"), "iso-2022-jp", "車", True),
        ("车".encode("gb2312"), "GB2312", "车", True),
        ("Grüße".encode("utf-16"), "utf-16", "Grüße", True),
        ("Grüße".encode(), "klingon", "Grüße", False),
        ("Grüße".encode(), "zlib", "Grüße", False),
        ("Grüße".encode(), "punycode", "Grüße", False),
        ("Grüße".encode(), "unicode_escape", "Grüße", False),
        ("Grüße".encode(), "utf-8\0", "Grüße", False),
        ("Grüße".encode(), "ü", "Grüße", False),
        ("Grüße".encode(), "x" * 10_000, "Grüße", False),
        (b"\xef\xbb\xbfDRAW", "utf-8", "DRAW", True),
        (b"\x81\x8d", "utf-8", "\ufffd\ufffd", False),
        (b"\xff\xff", "shift_jis", "ÿÿ", False),
        (b"", "", "", True),
    ],
)
def test_decoded(data: bytes, charset: str, text: str, is_right: bool) -> None:
    assert decode(data, charset) == (text, is_right)


def test_every_codec_that_python_has_is_one_of_text_or_none() -> None:
    for name in sorted({*aliases, *aliases.values(), "idna", "punycode", "undefined", "raw_unicode_escape"}):
        text, _ = decode(b"red: DRAW \xe9\xff\n" * 10, name)
        assert isinstance(text, str), name
        with suppress(UnicodeError):
            try:
                "".encode(name)
            except LookupError:  # it is no codec of text, or unknown
                assert text.startswith("red: DRAW"), name


@given(st.binary(max_size=60), st.text(max_size=12))
def test_anything_is_decoded_somehow(data: bytes, charset: str) -> None:
    assert isinstance(decode(data, charset)[0], str)
