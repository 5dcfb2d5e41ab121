"""Audit on a cluster with the same results as on one machine, even if workers, shards or games fail.

A folder can keep the results: a file for each finished shard, and at the end one file of all. Each file is written in one
step. So you can stop a run at any point, and the next one continues there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from functools import lru_cache
from hashlib import sha256
from itertools import count, groupby, islice
from pathlib import Path
from typing import Any, Final

from adjudicator.audit.files import AuditOptions, audit_in, audit_pool
from adjudicator.audit.texts import Tally, audit_end
from adjudicator.cluster.workers import connect, in_order, run_on, thread_pool
from adjudicator.core.values import Value, canonical_bytes, replace
from adjudicator.files import typed
from adjudicator.files.atomic import SHARED, write_atomic
from adjudicator.files.errors import CannotRead, CannotWrite
from adjudicator.processes import TIMEOUT, Lost
from adjudicator.sources.candidates import Candidate, Source
from adjudicator.sources.find import find_sources
from adjudicator.sources.places import is_url, mark_of
from adjudicator.verdict import AuditResult, Kind, Skipped, Verdict, undecided

SHARD: Final = 64
"""The number of sources in a shard, as in a block of an archive: about a second of work, so workers rarely wait."""
_PARTS: Final = "parts"
_LINES: Final = "results.jsonl"
_TABLE: Final = "results.parquet"
_SUMMARY: Final = "summary.json"
_PART: Final = re.compile(r"[0-9]{6,}-[0-9a-f]{16}\.jsonl")
"""The name of a file in ``_PARTS``: its shard, and the mark of its sources. Other files there belong to somebody else."""
_COLUMNS: Final = ("source", "status", "game", "ruleset", "reason")
_COUNTS: Final = ("entries", "orders", "corrections", "draws")
_OF_DIVERGENCE: Final = ("kind", "seat", "order", "field", "recorded", "recomputed", "rule")


def audit_on_cluster(
    paths: Iterable[str | Path],
    address: str,
    *,
    jobs: int = 1,
    impact: bool = False,
    timeout: float = TIMEOUT,
    out: str | None = None,
    resume: bool = False,
    parquet: bool = False,
    notify: Callable[[int], None] | None = None,
) -> Generator[AuditResult, None, None]:
    """Yield the results of ``audit_files`` from a cluster at ``address``, a dask scheduler; `local` starts ``jobs`` workers.

    The folder ``out`` keeps the results, as JSON lines or as ``parquet``. With ``resume`` a stopped run continues
    there, and ``notify`` gets the number of its finished shards. Raises ``ClusterError``, ``CannotRead``, ``CannotWrite``.
    """
    how, shards = AuditOptions(impact, timeout), _shards_of(map(str, paths), f"{impact} {timeout}")
    if out is None:
        with connect(address, jobs) as client, closing(_audited(client, shards, how)) as audited:
            for results in in_order((shard.number, results) for shard, results in audited):
                yield from results
        return
    folder = _Folder(out, is_resumed=resume, is_parquet=parquet, is_impact=impact)
    with connect(address, jobs) as client:
        for shard, results in _audited(client, filter(folder.lacks, shards), how):
            folder.write(shard, results)
    if folder.resumed and notify is not None:
        notify(folder.resumed)
    yield from folder.finish()


# Shards ---------------------------------------------------------------------------------------------------------------


class Shard(Value):
    """Some of the ``candidates`` of an audit, in order, which contain no game: the worker reads it.

    ``number`` counts shards from 0; ``mark`` changes when a file of theirs does.
    """

    number: int
    mark: str
    candidates: tuple[Candidate, ...]

    @property
    def file(self) -> str:
        """The name of the file for its results."""
        return f"{self.number:06}-{self.mark}.jsonl"


def _shards_of(paths: Iterable[str], settings: str) -> Iterator[Shard]:
    """Yield the sources at ``paths`` in shards, whose marks depend on the ``settings``."""

    def archive(one: Candidate) -> str:  # each begins a shard, so that shards and blocks of archives fit
        return one.path if isinstance(one, Source) and one.member is not None else ""

    def words(one: Candidate) -> str:
        if not isinstance(one, Source):
            return f"{one.name} {one.why}"
        return f"{one.name} {one.member} {mark(one.path) if one.data is None else sha256(one.data).hexdigest()}"

    def from_anywhere(one: Candidate) -> Candidate:  # a worker may run in another folder
        if not isinstance(one, Source) or one.data is not None or is_url(one.path):
            return one
        return replace(one, path=os.path.abspath(one.path))

    number, mark = count(), lru_cache(1)(mark_of)
    for _, sources in groupby(find_sources(paths), archive):
        while some := tuple(islice(sources, SHARD)):
            digest = sha256("\n".join((settings, *map(words, some))).encode()).hexdigest()
            yield Shard(next(number), digest[:16], tuple(map(from_anywhere, some)))


def _audit_shard(shard: Shard, how: AuditOptions) -> tuple[AuditResult, ...]:
    """Return the results of the sources of ``shard``, in order, on the worker that calls this."""
    return tuple(audit_in(thread_pool(how, audit_pool), shard.candidates, how))


def _audited(
    client: Any, shards: Iterable[Shard], how: AuditOptions
) -> Generator[tuple[Shard, tuple[AuditResult, ...]], None, None]:
    """Yield each of ``shards`` with the results of its sources, as soon as it is done.

    A shard that ends its workers is cut up, until the one game is found that does it.
    """
    for done in run_on(client, _audit_shard, shards, how):
        shard, results = done.task, done.result
        if isinstance(results, Lost) and len(shard.candidates) == 1:
            results = (undecided(shard.candidates[0].name, Kind.UNREAD, results.words),)
        elif isinstance(results, Lost):
            alone = (Shard(at, shard.mark, (one,)) for at, one in enumerate(shard.candidates))
            each = in_order((one.number, found) for one, found in _audited(client, alone, how))
            results = tuple(result for (result,) in each)
        yield shard, results


# The folder of results ------------------------------------------------------------------------------------------------


class _Folder:
    """The folder ``path`` for the results: with ``is_parquet`` finally a table, else JSON lines."""

    def __init__(self, path: str, *, is_resumed: bool, is_parquet: bool, is_impact: bool) -> None:
        """Begin in a new or empty folder, or continue a run if it ``is_resumed``. Raises ``CannotRead``, ``CannotWrite``."""
        self._path, self._is_parquet, self._tally = Path(path), is_parquet, Tally(is_impact=is_impact)
        self._parts = self._path / _PARTS
        if is_parquet:
            _arrow()
        try:
            if not is_resumed and self._path.is_dir() and any(self._path.iterdir()):
                raise CannotWrite(
                    path, "use `resume` to continue the audit in this folder, or name another folder: it is not empty"
                )
            is_begun = self._parts.is_dir()
            self._there = set(filter(_PART.fullmatch, os.listdir(self._parts) if is_begun else ()))
            is_finished = any((self._path / name).exists() for name in (_LINES, _TABLE, _SUMMARY))
            if is_resumed and (not is_begun or (is_finished and not self._there)):
                raise CannotRead(path, "leave `resume` out: this folder contains no audit to continue")
            self._parts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotWrite(path, f"the results cannot be written here: {error.strerror or error}") from error
        self._names: list[str] = []

    @property
    def resumed(self) -> int:
        return len(self._there.intersection(self._names))

    def lacks(self, shard: Shard) -> bool:
        """Return whether ``shard``, the next one, has no results yet for its present files."""
        self._names.append(shard.file)
        return shard.file not in self._there

    def write(self, shard: Shard, results: tuple[AuditResult, ...]) -> None:
        write_atomic(self._parts / shard.file, b"".join(canonical_bytes(result) + b"\n" for result in results), SHARED)

    def _rows(self) -> Iterator[list[dict[str, Any]]]:
        """Yield the rows of each part, in order. Raises ``CannotRead``."""
        for name in self._names:
            try:
                yield [json.loads(line) for line in (self._parts / name).read_bytes().splitlines()]
            except (OSError, ValueError) as error:
                raise CannotRead(
                    str(self._parts / name),
                    f"delete this file and use `resume` to repeat its part: the results cannot be read: {error}",
                ) from error

    def _results(self) -> Iterator[AuditResult]:
        for row in (row for rows in self._rows() for row in rows):
            yield typed.convert(Skipped if row["status"] == "skipped" else Verdict, row)

    def finish(self) -> Iterator[AuditResult]:
        """Write one file of all results and the summary, and yield the results. Raises ``CannotRead``, ``CannotWrite``."""
        for stale in self._there.difference(self._names):
            with suppress(OSError):
                (self._parts / stale).unlink()
        for result in self._results():
            self._tally.add(result)
        if self._is_parquet:
            self._write_table()
        else:
            pieces = ((self._parts / name).read_bytes() for name in self._names)
            write_atomic(self._path / _LINES, pieces, SHARED)
        write_atomic(self._path / _SUMMARY, canonical_bytes(audit_end(self._tally)) + b"\n", SHARED)
        yield from self._results()

    def _write_table(self) -> None:
        """Write the results as a table, in which the fields of a first divergence are beside those of its verdict."""
        arrow, parquet = _arrow()
        types = {**dict.fromkeys(_COLUMNS, arrow.string()), **dict.fromkeys(_COUNTS, arrow.int64()), "over": arrow.bool_()}
        types |= {"divergence_n": arrow.int64(), **{f"divergence_{name}": arrow.string() for name in _OF_DIVERGENCE}}
        schema = arrow.schema(list(types.items()))
        target, beside = self._path / _TABLE, self._path / f".{_TABLE}.tmp"
        with parquet.ParquetWriter(beside, schema) as writer:
            for rows in self._rows():
                for row in rows:
                    row.update({f"divergence_{name}": value for name, value in (row.get("divergence") or {}).items()})
                writer.write_table(arrow.Table.from_pylist(rows, schema))
        os.replace(beside, target)


def _arrow() -> Any:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise CannotWrite(
            _TABLE, "to write tables the extra `parquet` is needed: pip install 'pbem-adjudicator[parquet]'"
        ) from None
    return pyarrow, parquet
