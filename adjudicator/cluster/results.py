"""Keep the results of a large audit in a folder: a file for each finished shard, and at the end one file of all.

Each file is written in one step. So you can stop a run at any point, and the next one continues there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from adjudicator.cluster.shards import Shard
from adjudicator.core.values import canonical_bytes
from adjudicator.files import typed
from adjudicator.files.atomic import SHARED, write_atomic
from adjudicator.files.errors import CannotRead, CannotWrite
from adjudicator.reports.cli.audits import Tally, audit_end
from adjudicator.verdict import AuditResult, Skipped, Verdict

PARTS: Final = "parts"
LINES: Final = "results.jsonl"
TABLE: Final = "results.parquet"
SUMMARY: Final = "summary.json"
_PART: Final = re.compile(r"[0-9]{6,}-[0-9a-f]{16}\.jsonl")
"""The name of a file in ``PARTS``: its shard, and the mark of its sources. Other files there belong to somebody else."""
_COLUMNS: Final = ("source", "status", "game", "ruleset", "reason")
_COUNTS: Final = ("entries", "orders", "corrections", "draws")
_OF_DIVERGENCE: Final = ("kind", "seat", "order", "field", "recorded", "recomputed", "rule")


class Results:
    """The folder ``path`` for the results: with ``is_parquet`` finally a table, else JSON lines."""

    def __init__(self, path: str, *, is_resumed: bool, is_parquet: bool, is_impact: bool) -> None:
        """Begin in a new or empty folder, or continue a run if it ``is_resumed``. Raises ``CannotRead``, ``CannotWrite``."""
        self._folder, self._is_parquet, self._is_impact = Path(path), is_parquet, is_impact
        if is_parquet:
            _arrow()
        parts = self._folder / PARTS
        try:
            if not is_resumed and self._folder.is_dir() and any(self._folder.iterdir()):
                raise CannotWrite(
                    path, "use `resume` to continue the audit in this folder, or name another folder: it is not empty"
                )
            there = set(os.listdir(parts)) if parts.is_dir() else set()
            is_finished = any((self._folder / name).exists() for name in (LINES, TABLE, SUMMARY))
            if is_resumed and (not parts.is_dir() or (is_finished and not any(map(_PART.fullmatch, there)))):
                raise CannotRead(path, "leave `resume` out: this folder contains no audit to continue")
            parts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotWrite(path, f"the results cannot be written here: {error.strerror or error}") from error
        self._there = set(os.listdir(parts))
        self._names: dict[int, str] = {}
        self.resumed = 0

    def has(self, shard: Shard) -> bool:
        """Return whether the results of ``shard`` exist for its present files."""
        name = f"{shard.number:06}-{shard.mark}.jsonl"
        self._names[shard.number] = name
        self.resumed += name in self._there
        return name in self._there

    def write(self, shard: Shard, results: tuple[AuditResult, ...]) -> None:
        """Write the results of ``shard``. Raises ``CannotWrite``."""
        lines = b"".join(canonical_bytes(result) + b"\n" for result in results)
        write_atomic(self._folder / PARTS / self._names[shard.number], lines, SHARED)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield all results in the order of their sources. Raises ``CannotRead``."""
        for _, name in sorted(self._names.items()):
            path = self._folder / PARTS / name
            try:
                yield from map(json.loads, path.read_bytes().splitlines())
            except (OSError, ValueError) as error:
                raise CannotRead(
                    str(path), f"delete this file and use `resume` to repeat its part: the results cannot be read: {error}"
                ) from error

    def results(self) -> Iterator[AuditResult]:
        """Yield all results in the order of their sources. Raises ``CannotRead``."""
        return (typed.convert(Skipped if row["status"] == "skipped" else Verdict, row) for row in self.rows())

    def finish(self) -> Tally:
        """Write one file of all results and the summary, and return it. Raises ``CannotRead``, ``CannotWrite``."""
        for stale in filter(_PART.fullmatch, self._there - set(self._names.values())):
            with suppress(OSError):
                (self._folder / PARTS / stale).unlink()
        tally = Tally(is_impact=self._is_impact)
        for result in self.results():
            tally.add(result)
        if self._is_parquet:
            self._write_table()
        else:
            pieces = ((self._folder / PARTS / name).read_bytes() for _, name in sorted(self._names.items()))
            write_atomic(self._folder / LINES, pieces, SHARED)
        write_atomic(self._folder / SUMMARY, canonical_bytes(audit_end(tally)) + b"\n", SHARED)
        return tally

    def _write_table(self) -> None:
        arrow, parquet = _arrow()
        types = {**dict.fromkeys(_COLUMNS, arrow.string()), **dict.fromkeys(_COUNTS, arrow.int64()), "over": arrow.bool_()}
        types |= {"divergence_n": arrow.int64(), **{f"divergence_{name}": arrow.string() for name in _OF_DIVERGENCE}}
        schema = arrow.schema(list(types.items()))
        target, beside = self._folder / TABLE, self._folder / f".{TABLE}.tmp"
        with parquet.ParquetWriter(beside, schema) as writer:
            for _, name in sorted(self._names.items()):
                rows = map(json.loads, (self._folder / PARTS / name).read_bytes().splitlines())
                writer.write_table(arrow.Table.from_pylist([_flat(row) for row in rows], schema))
        os.replace(beside, target)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return ``row`` with the fields of its first divergence beside its own."""
    divergence = row.get("divergence") or {}
    return {**row, **{f"divergence_{name}": divergence.get(name) for name in ("n", *_OF_DIVERGENCE)}}


def _arrow() -> Any:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise CannotWrite(
            TABLE, "to write tables the extra `parquet` is needed: pip install 'pbem-adjudicator[parquet]'"
        ) from None
    return pyarrow, parquet
