"""Parsers built anew, as in a run of its own."""

from __future__ import annotations

from adjudicator.orders import parser, parser_cache


def forget_parsers() -> None:
    """Let every parser be built anew, and the folder of tables be looked for."""
    for kept in (parser.reader, parser.line_parser, parser.position_parser, parser._fast):
        kept.forget()
    parser_cache.cache_folder.cache_clear()
