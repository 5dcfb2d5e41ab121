"""Parsers built anew, as in a run of its own."""

from __future__ import annotations

from adjudicator.orders import line_parser, parser, parser_cache


def forget_parsers() -> None:
    """Let every parser be built anew, and the folder of tables be looked for."""
    for kept in (parser.reader, line_parser.stepper, line_parser.line_parser, line_parser.part_parser):
        kept.forget()
    parser_cache.cache_folder.cache_clear()
