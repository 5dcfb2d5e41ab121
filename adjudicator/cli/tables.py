"""Write tables of results as HTML and CSV."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from adjudicator.cli.files import is_same, spare_other_files, write_file
from adjudicator.cli.output import MisuseError, say_bytes

if TYPE_CHECKING:
    from adjudicator.reports.cli.classification import ResultTable


def refuse_targets(html: str | None, as_csv: str | None, sources: Iterable[str]) -> None:
    """Raise ``MisuseError`` if a table would replace one of the ``sources``, or the other table."""
    if (html, as_csv) == ("-", "-"):
        raise MisuseError("name a file for --html or --csv: they cannot both go to standard output")
    if html is not None and as_csv is not None and is_same(html, as_csv):
        raise MisuseError(f"name different files for --html and --csv: both are {html}")
    named = tuple(sources)
    for target in filter(None, (html, as_csv)):
        if any(is_same(target, source) for source in named):
            raise MisuseError(f"name another file: the table would replace {target}, which this command reads")


def write_tables(table: ResultTable, html: str | None, as_csv: str | None, *, is_forced: bool) -> None:
    """Write ``table`` as HTML and as CSV to the named files, `-` being standard output.

    Other files are replaced only with ``is_forced``. Raises ``MisuseError``, ``CannotWrite``.
    """
    from adjudicator.reports.cli.classification import table_csv, table_html

    if html is not None:
        headings = "".join(f'<th scope="col">{heading}</th>' for heading in table.headings[:2])
        _write(html, table_html(table), ("<table>\n<caption>", headings), "a table of results", is_forced=is_forced)
    if as_csv is not None:
        text = table_csv(table)
        _write(as_csv, text, (text.partition("\n")[0],), "a table of results as CSV", is_forced=is_forced)


def _write(target: str, text: str, marks: tuple[str, ...], what: str, *, is_forced: bool) -> None:
    """Write ``text``, which is ``what``, to ``target``; keep a file without the ``marks``, the first at its top."""
    if target == "-":
        say_bytes(text.encode())
        return
    if not is_forced:
        first, *others = (mark.encode() for mark in marks)

        def is_own(head: bytes) -> bool:
            return head.startswith(first) and all(mark in head for mark in others)

        spare_other_files(target, what, is_own, "name another file, or use --force")
    write_file(target, text.encode())
