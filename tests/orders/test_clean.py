"""Cleaning: what mail programs leave behind goes, and every character stays where it was."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudicator.orders import clean as module
from adjudicator.orders.clean import (
    MOST_BYTES,
    NotTextError,
    clean,
    comment_start,
    decode,
    depth,
    is_quoted,
    is_ruled,
    is_signature_mark,
    lines_of,
)

ORDER = "PLACE H3 at C2 rot 90"


@pytest.mark.parametrize(
    ("written", "cleaned"),
    [
        ("DRAW  ", "DRAW"),
        ("DRAW # why not", "DRAW"),
        ("DRAW; why not", "DRAW"),
        ("DRAW ; # both", "DRAW"),
        ("# all of it", ""),
        ("red: 1. DRAW", "red:    DRAW"),
        ("  Red :12) draw", "  Red :    draw"),
        ("red: 1.DRAW", "red: 1.DRAW"),
        ("TC3: 10. 20", "TC3: 10. 20"),
        ("TC3: 10.", "TC3: 10."),
        ("red: - DRAW", "red: - DRAW"),
        ("\tDRAW\t", " DRAW"),
        ("MOVE\vC3\fD3", "MOVE C3 D3"),
        ("MOVE\u00a0C3\u2009D3", "MOVE C3 D3"),
        ("\ufeffDRAW", " DRAW"),
        ("DRAW\u200b", "DRAW"),
        ("\u202eDRAW\u202c", " DRAW"),
        ("“DRAW”", " DRAW"),
        ("„DRAW‟", " DRAW"),
        ("«DRAW»", " DRAW"),
        ("'DRAW'", " DRAW"),
        ("`DRAW`", " DRAW"),
        ("**DRAW**", "  DRAW"),
        ("• DRAW", "  DRAW"),
        ("- DRAW", "  DRAW"),
        ("– DRAW", "  DRAW"),
        ("  1. DRAW", "     DRAW"),
        ("12) DRAW", "    DRAW"),
        ("-", ""),
        ("1.", ""),
        ("MOVE C3 — D3", "MOVE C3 - D3"),
        ("ｒｅｄ：（ＤＲＡＷ）［Ｈ５，Ｇ２］", "red:(DRAW)[H5,G2]"),
        ("MOVE C3\u2028D3", "MOVE C3 D3"),
        ("＊ＤＲＡＷ＊", " DRAW"),
        ("-5", "-5"),
        ("2 tiles", "2 tiles"),
        ("~~DRAW~~", ""),
        ("MOVE C3 ~~D3~~ E3", "MOVE C3        E3"),
        ("~~MOVE C3~~ DRAW", "            DRAW"),
        ("~~DRAW", "~~DRAW"),
        ("~~~DRAW~~~", "~~~DRAW~~~"),
        ("~~ DRAW ~~", "~~ DRAW ~~"),
        ("~DRAW~", "~DRAW~"),
        ("1.5", "1.5"),
        ("", ""),
    ],
)
def test_clean(written: str, cleaned: str) -> None:
    assert clean(written) == cleaned


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=60))
@example("12) #-")
@example("\u00b2 x")  # A digit to Python that is none to a player.
@example("\u0661. x")
@example("-\u00a0DRAW")
@settings(max_examples=100, deadline=None)
def test_cleaning_never_moves_a_character(line: str) -> None:
    cleaned = clean(line)
    assert len(cleaned) <= len(line)
    for index, character in enumerate(cleaned):
        is_translated = character in " -" or "\uff01" <= line[index] <= "\uff5e"
        assert is_translated or character == line[index]
    assert clean(cleaned).strip() in (cleaned.strip(), cleaned.strip().lstrip("-0123456789.) "))


def test_the_start_of_a_comment() -> None:
    assert comment_start("DRAW") == 4
    assert comment_start("DRAW#;") == 4
    assert comment_start("DRAW;#") == 4


@pytest.mark.parametrize("line", ["> DRAW", ">DRAW", "  >> DRAW", ">", "\u00a0> DRAW", "\ufeff> DRAW", "＞ DRAW"])
def test_quoted(line: str) -> None:
    assert is_quoted(clean(line))


def test_not_quoted() -> None:
    assert not is_quoted(clean("MOVE C3 > D3"))
    assert not is_quoted(clean(""))


@pytest.mark.parametrize("line", ["-- ", "--", "--\u00a0", "—", "__", " -- "])
def test_signature_mark(line: str) -> None:
    assert is_signature_mark(line)


@pytest.mark.parametrize("line", ["- DRAW", "---", "-- Bob", "", "-"])
def test_no_signature_mark(line: str) -> None:
    assert not is_signature_mark(line)


@pytest.mark.parametrize("line", ["-----", "=====", "_______", "* * *", "~~~", "..."])
def test_ruled(line: str) -> None:
    assert is_ruled(clean(line))


def test_not_ruled() -> None:
    assert not is_ruled("DRAW")
    assert not is_ruled("-- 3 --")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way(end: str) -> None:
    assert lines_of(f"red:{end}DRAW{end}{end}") == ["red:", "DRAW", "", ""]


def test_lines_end_in_mixed_ways() -> None:
    assert lines_of("a\rb\nc\r\nd\n\re") == ["a", "b", "c", "d", "", "e"]


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1", "ascii"])
def test_charsets_of_plain_orders(charset: str) -> None:
    assert decode(f"red:\n  {ORDER}\n".encode(charset)).lstrip("\ufeff") == f"red:\n  {ORDER}\n"


@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "cp1252"])
def test_charsets_of_mail(charset: str) -> None:
    text = "red: “DRAW” – 90°…"
    assert decode(text.encode(charset)) == text


def test_a_mark_of_utf_8_before_cp1252_is_dropped() -> None:
    assert decode(b"\xef\xbb\xbfred: \x93DRAW\x94") == "red: “DRAW”"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01",
        bytes(range(256)),
        b"\xff\xfe\0\0r\0\0\0",
        b"\x1f\x8b\x08\x02\x03\x04\x05\x06\x07\x01\x02\x03\x04",
        b"red: DRAW" * 30 + b"\0",
        b"\0",
        b"\x81\x8d\x8f\x90" * 5,
    ],
)
def test_binary_files_are_no_text(data: bytes) -> None:
    with pytest.raises(NotTextError, match="binary") as caught:
        decode(data)
    assert caught.value.code == "orders/not-text"


@pytest.mark.parametrize(("signs", "is_text"), [(2, True), (4, True), (5, False)])
def test_a_text_may_have_a_twentieth_of_strange_signs_and_two_more(signs: int, is_text: bool) -> None:
    data = b"\x01" * signs + b"a" * (40 - signs)
    if is_text:
        assert len(decode(data)) == 40
    else:
        with pytest.raises(NotTextError, match="binary"):
            decode(data)


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(("letters", "is_text"), [(20, True), (16, True), (15, False), (13, False)])
def test_utf_16_that_does_not_say_so_is_known_by_three_quarters_of_latin_letters(
    charset: str, letters: int, is_text: bool
) -> None:
    text = "a" * letters + "я" * (20 - letters)
    if is_text:
        assert decode(text.encode(charset)) == text
    else:
        with pytest.raises(NotTextError, match="binary"):
            decode(text.encode(charset))


def test_half_a_sign_of_utf_16_does_not_spoil_the_rest() -> None:
    assert decode("red: DRAW".encode("utf-16-le") + b"\x01\xd8") == "red: DRAW\ufffd"


@pytest.mark.parametrize("sign", ["\u202a", "\u202e", "\u2066", "\u2069", "\ufe00", "\ufe0f", "\u200b", "\u3000"])
def test_signs_that_nobody_sees_are_blanks(sign: str) -> None:
    assert clean(f"{sign}DRAW{sign}2") == " DRAW 2"


def test_files_may_be_only_so_large() -> None:
    assert decode(b" " * MOST_BYTES) == " " * MOST_BYTES
    with pytest.raises(NotTextError, match="1,000,001 bytes") as caught:
        decode(b" " * (MOST_BYTES + 1))
    assert caught.value.code == "orders/too-large"


@pytest.mark.parametrize(
    ("line", "deep"),
    [
        ("DRAW", 0),
        ("gift notify android", 0),
        ("(DRAW)", 1),
        ("((DRAW) OR (REFRESH))", 2),
        ("(DRAW) OR (REFRESH) OR (DRAW)", 1),
        ("IF a = 1 THEN DRAW", 1),
        ("DRAW IF a = 1 OR DRAW IF b = 1 OR DRAW IF c = 1", 1),
        ("IF a = 1 THEN DRAW ELSE IF b = 1 THEN DRAW ELSE IF c = 1 THEN DRAW", 3),
        ("IF NOT a = 1 AND NOT b = 1 AND NOT c = 1 THEN DRAW", 2),
        ("IF NOT NOT NOT a = 1 THEN DRAW", 4),
        ("IF (NOT a = 1 OR NOT b = 1) THEN DRAW", 3),
        ("IF (a = 1 OR (b = 1 AND (c = 1 OR d = 1))) THEN DRAW", 4),
        (")))((DRAW", 2),
        ("IF NOT (IF NOT (DRAW", 6),
    ],
)
def test_depth(line: str, deep: int) -> None:
    assert depth(line) == depth(line.lower()) == deep


def test_limits_are_what_the_documentation_says() -> None:
    assert (module.MOST_BYTES, module.MOST_LINES, module.MOST_COLUMNS, module.MOST_DEPTH) == (1_000_000, 20_000, 500, 20)
