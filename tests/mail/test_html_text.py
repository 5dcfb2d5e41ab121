"""HTML becomes the lines that one sees of it."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patterns import given_back

from adjudicator.mail import html_text
from adjudicator.mail.html_text import html_lines
from adjudicator.mail.limits import MOST_TAGS, MailError


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("DRAW", ["DRAW"]),
        ("red:<br>DRAW<br/>MOVE C3<BR />x", ["red:", "DRAW", "MOVE C3", "x"]),
        ("<div>red:</div><div>DRAW</div>", ["red:", "DRAW"]),
        ("<p>red:<p>DRAW", ["red:", "", "DRAW"]),
        ("<div>a<div>b</div>c</div>", ["a", "b", "c"]),
        ("<div>a</div>\n\n  <div>b</div>", ["a", "b"]),
        ("MOVE\n  C3\tD3", ["MOVE C3 D3"]),
        ("<b>MOVE</b> <i>C3</i>", ["MOVE C3"]),
        ("MO<b>VE</b>", ["MOVE"]),
        ("<div>DRAW<br></div><div><br></div><div>x</div>", ["DRAW", "", "x"]),
        ("a&nbsp;b &amp; c &lt;d&gt; &#x2013; &bogus; &", ["a\xa0b & c <d> – &bogus; &"]),
        ("<head><title>red: DRAW</title><style>p {}</style></head><body>x<script>DRAW</script></body>", ["x"]),
        ("<!-- DRAW --><![if mso]>x<![endif]><?xml y?>", ["x"]),
        ("a<!-- never ends <p>b", ["a"]),
        ("a<!-- ends -->b<!-- never ends --", ["ab"]),
        ("<div style='display: none'>DRAW</div>x<span hidden>DRAW</span>", ["x"]),
        ("<div style='DISPLAY:NONE'><p>DRAW<br>DRAW</p></div>x", ["x"]),
        ("<blockquote>DRAW<br>MOVE C3</blockquote>x", ["> DRAW", "> MOVE C3", "", "x"]),
        ("<blockquote type=cite>a<blockquote>b</blockquote></blockquote>", ["> a", ">", ">> b"]),
        ("<blockquote style='margin:0 0 0 40px; border: none'>DRAW</blockquote>", ["DRAW"]),
        ("<blockquote style='border:none;border-left:solid #CCC 1pt'>DRAW</blockquote>", ["> DRAW"]),
        ("<ul><li>DRAW<li>MOVE C3</ul>x", ["DRAW", "MOVE C3", "", "x"]),
        ("<table><tr><td>MOVE</td><td>C3</td></tr><tr><td>DRAW</table>", ["MOVE  C3", "DRAW"]),
        ("<pre>red:\n  DRAW\r\n\n</pre>x", ["red:", "  DRAW", "", "x"]),
        ("<div style='white-space: pre-wrap'>red:\n  DRAW</div>", ["red:", "  DRAW"]),
        ("x<hr>y", ["x", "-----", "y"]),
        ("<s>DRAW</s><br><del>GO</del><br><strike>x</strike>", ["~~DRAW~~", "~~GO~~", "~~x~~"]),
        ("<div style='text-decoration: line-through'><p>DRAW<p>GO</div>x", ["~~DRAW~~", "", "~~GO~~", "x"]),
        ("MOVE <s>C3 <b>D3</b></s> E3<s> F3</s>", ["MOVE ~~C3 D3~~ E3~~F3~~"]),
        ("<s>DRAW<s> GO</s><br>x</s>y<s></s><s> </s>z", ["~~DRAW GO~~", "~~x~~yz"]),
        ("<s>a~~b", ["~~a  b~~"]),
        ("<ul><li><s>DRAW</s><li>GO</ul>", ["~~DRAW~~", "GO"]),
        ("<pre><s>DRAW\n GO</s>\nx</pre>", ["~~DRAW~~", "~~GO~~", "x"]),
        ("<blockquote><s>DRAW</s></blockquote>", ["> ~~DRAW~~"]),
        ("<blockquote type=cite style='border:none'>DRAW</blockquote>x", ["> DRAW", "", "x"]),
        ("a<div class='yahoo_quoted'>b<div>c</div></div>d", ["a", "> b", "> c", "d"]),
        ("a<div id=divRplyFwdMsg>b</div>c", ["a", "-----Original Message-----", "b", "c"]),
        ("a<div class='x gmail_quote'>b<br>c</div>d", ["a", "> b", "> c", "d"]),
        ("a<div class='gmail_quote'>b<blockquote class=gmail_quote>c</blockquote>d</div>", ["a", "b", "", "> c", "", "d"]),
        ("<div class=gmail_quote>a<div class=gmail_quote>b<p>c", ["> a", "> b", ">", "> c"]),
        ("a<img src=x alt=DRAW>b", ["ab"]),
        ("</div></p></blockquote>x", ["x"]),
        ("<div>x</blockquote>y</div>z", ["xy", "z"]),
        ("<b><i>x</b>y</i>z", ["xyz"]),
        ("<o:p>&nbsp;</o:p>", []),
        ("<a href='x>y'>DRAW</a>", ["DRAW"]),
        ("<", ["<"]),
        ("</", ["</"]),
        ("a</>b</ x>c</3>d", ["abcd"]),
        ("a<!-->b<!--->c<!-- --!>d<!doctype x>e<![CDATA[f]]>g", ["abcdeg"]),
        ("a<b", ["a"]),
        ("a<b c='>d", ["a"]),
        ("a</b", ["a"]),
        ('<a b=c">DRAW</a>', ["DRAW"]),
        ("<a b=\"c\"d='e>f'/>DRAW</a>", ["DRAW"]),
        ('<p ">DRAW', ["DRAW"]),
        ("<textarea><b>x</b></textarea>y", ["<b>x</b>y"]),
        ("<script><!-- </scripts> </b> </SCRIPT\t>x", ["x"]),
        ("x<title>y<p>", ["x"]),
        ("x<iframe><p>y</iframe>z", ["xz"]),
        ("<p style='' style='display:none'>x<i HIDDEN=''>y</i>z", ["xz"]),
        ("<i title='hidden style'>x</i>", ["x"]),
        ("<i style='display&#58;none'>x</i>y", ["y"]),
        ("&#" + "1" * 5000 + ";&#x" + "0" * 5000 + "41;", ["\ufffd;\ufffd;"]),
        ("&<blockquote>&nbsp;<br></blockquote>y", ["&", "", ">", "y"]),
        ("3 < 4 <5", ["3 < 4 <5"]),
        ("", []),
        ("<p>", []),
    ],
)
def test_lines(page: str, lines: list[str]) -> None:
    assert [line.replace("\xa0\xa0", "") for line in html_lines(page)] == lines


def test_a_page_may_have_only_so_many_tags() -> None:
    assert len(html_lines("x<br>" * MOST_TAGS)) == MOST_TAGS
    for page in ("<b>", "<!", "<!-- -->"):
        assert html_lines(page * MOST_TAGS) == []
        with pytest.raises(MailError, match="tags"):
            html_lines(page * (MOST_TAGS + 1))


@given(st.text(alphabet="<>/!-='\" abp\n&;#", max_size=200))
@settings(max_examples=200, deadline=None)
def test_anything_is_read_somehow(page: str) -> None:
    assert all("\n" not in line for line in html_lines(page))


HOSTILE = {
    "tags within tags": lambda size: "<div>" * size,
    "tags that end": lambda size: "<div></div>" * size,
    "wrong ends": lambda size: "<b>" * size + "</i>" * size,
    "quotes within quotes": lambda size: "<blockquote>x" * size,
    "formats and paragraphs": lambda size: "<b><i>" * size + "<p>x</p>" * size,
    "tags that never end": lambda size: "<a " * size,
    "attributes": lambda size: "<a " + "b=c " * 10 * size + ">",
    "blanks in a tag": lambda size: "<a" + " " * 100 * size,
    "slashes in a tag": lambda size: "<a" + "/" * 100 * size,
    "quotation marks": lambda size: "<a b='" * size,
    "references": lambda size: "&#x2013;&amp&bogus;" * size,
    "ampersands": lambda size: "&" * 10 * size,
    "blanks": lambda size: " \n" * 50 * size,
    "cells": lambda size: "<td>x" * size,
    "breaks": lambda size: "<br>" * size,
    "open attributes": lambda size: '<a b="' * size,
    "both quotation marks": lambda size: "<a b='\"" * size,
    "ends that never end": lambda size: "</" * size,
    "instructions": lambda size: "<?x " * size,
    "comments that never end": lambda size: "<!-- --" * size,
    "declarations": lambda size: "<![" * size,
    "raw text that never ends": lambda size: "<script>" + "</script" * size,
    "long numbers": lambda size: "&#" + "1" * 100 * size,
    "a long line between paragraphs": lambda size: ">" * 20 * size + "<p>" * size,
    "hidden paragraphs below a long line": lambda size: "<pre> " + "x" * 20 * size + "</pre><div hidden>" + "<p>" * size,
}


def steps(page: str) -> int:
    """Return how many lines of code are run to read ``page``, the standard library's included."""
    count = 0

    def trace(_frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        html_lines(page)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_steps_grow_with_the_page_and_no_faster(kind: str) -> None:
    few, many = steps(HOSTILE[kind](50)), steps(HOSTILE[kind](500))
    assert many <= 11 * few


PATTERNS = [found for found in vars(html_text).values() if isinstance(found, re.Pattern)]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_pattern_looks_twice_at_what_it_has_taken(pattern: re.Pattern[str]) -> None:
    assert given_back(re.compile("<a +b=[^>]*>"))
    assert not given_back(pattern)


@given(st.text(alphabet="<>/!?-='\" abp\n&;#", max_size=200))
@settings(max_examples=200, deadline=None)
def test_a_page_is_cut_into_pieces_without_a_gap(page: str) -> None:
    at = 0
    while piece := html_text._PIECE.match(page, at):
        assert piece.end() > at
        at = piece.end()
    assert at == len(page)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_page_as_large_as_a_mail_may_be_is_read_or_refused(kind: str) -> None:
    page = HOSTILE[kind](50_000)[:1_000_000]
    lines: list[str] = []
    with suppress(MailError):
        lines = html_lines(page)
    assert sum(map(len, lines)) <= len(page) + len(lines) * 20
