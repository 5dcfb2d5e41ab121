"""Tables of results, written as HTML and CSV where a command is asked to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.cli.files import is_same, spare_other_files
from adjudicator.cli.output import MisuseError, say_bytes

if TYPE_CHECKING:
    from adjudicator.reports.classification import ResultTable


def refuse_targets(html: str | None, as_csv: str | None, sources: Iterable[str]) -> None:
    """Raise ``MisuseError`` if a table would be written over one of the ``sources``, or over the other table."""
    if (html, as_csv) == ("-", "-"):
        raise MisuseError("--html and --csv cannot both go to standard output")
    if html is not None and as_csv is not None and is_same(html, as_csv):
        raise MisuseError(f"--html and --csv both name {html}")
    named = tuple(sources)
    for target in filter(None, (html, as_csv)):
        if any(is_same(target, source) for source in named):
            raise MisuseError(f"the table would be written over {target}, which is read")


def write_tables(table: ResultTable, html: str | None, as_csv: str | None, *, is_forced: bool) -> None:
    """Write ``table`` as HTML and as CSV to the files that are named, `-` being standard output.

    Other files are spared, unless with ``is_forced``. Raises ``MisuseError``, ``CannotWrite``.
    """
    from adjudicator.reports.classification import table_csv, table_html

    if html is not None:
        _write(html, table_html(table), "<table>", "an HTML table", is_forced=is_forced)
    if as_csv is not None:
        _write(as_csv, table_csv(table), ",".join(table.headings[:2]), "a table of results as CSV", is_forced=is_forced)


def _write(target: str, text: str, first: str, what: str, *, is_forced: bool) -> None:
    """Write ``text`` to ``target``; spare a file that does not begin with ``first``, as ``what`` it is to be does."""
    from adjudicator.store.save import write_atomic

    if target == "-":
        say_bytes(text.encode())
        return
    if not is_forced:
        begins = first.encode()
        spare_other_files(target, what, lambda line: line.startswith(begins), "name another file, or use --force")
    write_atomic(Path(target), text.encode())
