"""Run work over many tasks, in processes of this machine or on the workers of a cluster; audit many games so.

The memory keeps on this machine how files were decided, so that a file that is unchanged is not decided again.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, islice, takewhile
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar

from adjudicator import __version__, resources
from adjudicator.archive.find import Source, Unopened, find
from adjudicator.audit.judge import Tally, audit_bytes
from adjudicator.audit.published_texts import PublishedText
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.values import canonical_bytes, replace
from adjudicator.files import typed
from adjudicator.files.errors import CannotRead, CannotWrite
from adjudicator.files.writing import SHARED, write_atomic
from adjudicator.orders.fast import cache_folder, is_private
from adjudicator.processes import TIMEOUT, Crew, Done, Errand, Lost, Pool
from adjudicator.reports.texts import safe_json
from adjudicator.rulesets import package_of
from adjudicator.script.read import is_script
from adjudicator.verdict import NO_GAME, AuditResult, Kind, Skipped, Verdict, undecided

T = TypeVar("T")
_LOCAL: Final = "local"
"""The address of workers that are started on this machine, and end with the command."""
_Shard = list[tuple[Errand, bytes]]
"""Tasks, packed, that a worker gets at once."""
_MOST_TASKS: Final = 16
"""The most tasks that a worker gets at once: the last ones finish at nearly the same time."""
_MOST_BYTES: Final = 1_000_000
"""The bytes of tasks with which a shard is full."""
_AHEAD: Final = 3
"""The number of shards that each thread of a worker has, so that it never waits for work."""
_WAITING: Final = 1024
"""The number of tasks for each thread that may be done before their turn."""
_PATIENCE: Final = 20
"""The seconds within which a cluster answers."""
_POOLS: Final = dict[bytes, list[Pool]]()
"""The pools of a worker that wait for the next shard, by the pickle of what they do; a thread at work has one."""
_SILENCE: Final = 60
"""The seconds without a result after which a cluster must have workers, or get one within the same time."""
_GONE: Final = "the scheduler has gone, or has dropped a task; use `resume` to continue"
_NO_WORKERS: Final = "all workers have gone; start workers, and use `resume` to continue"
_COLUMNS: Final = ("source", "status", "game", "ruleset", "reason")
_COUNTS: Final = ("entries", "orders", "corrections", "draws")
_OF_DIVERGENCE: Final = ("kind", "seat", "order", "field", "recorded", "recomputed", "rule")


class ClusterError(AdjudicatorError):
    """Report that a cluster cannot be used; the message says why, and what to do."""


def run(
    work: Callable[[T], Any],
    tasks: Iterable[T | Done],
    *,
    jobs: int = 1,
    timeout: float | None = TIMEOUT,
    cluster: str = "",
    label: Callable[[T], Any] = lambda task: task,
) -> Iterator[Done]:
    """Yield the result of ``work`` for each of ``tasks``, in their order; take only a few of them ahead.

    Up to ``jobs`` processes work, each for up to ``timeout`` seconds at a task (``None``: no limit); with 0 this process
    does, as long as it takes. ``cluster`` is the address of a dask scheduler whose workers work instead; `local` starts
    ``jobs`` of them. A task that takes too long or ends its process is `Lost`, and all others are done. The function must
    return what goes wrong as a value. A `Done` has the ``label`` of its task; one among the tasks comes back in its place.
    Raises ``ClusterError``.
    """
    if cluster:
        how = pickle.dumps((work, timeout))
        with _connected(cluster, jobs, how) as client:
            yield from _Cluster(client, how).run(tasks, label)
    else:
        with Pool(work, jobs, timeout) as pool:
            yield from pool.run(tasks, label)


@contextmanager
def _connected(address: str, workers: int, how: bytes) -> Iterator[Any]:
    """Yield a client of dask at ``address``; for `local` with ``workers`` here that do ``how``. Raises ``ClusterError``."""
    try:
        dask = import_module("distributed")
    except ImportError:
        raise ClusterError("clusters need the extra `cluster`: pip install 'pbem-adjudicator[cluster]'") from None
    with ExitStack() as stack:
        place: Any = address
        if address == _LOCAL:
            # Each thread has its work done in a process of its own; another one for the worker would only pass on bytes.
            pools = [stack.enter_context(_pool(how).start()) for _ in range(workers)]
            _POOLS[how] = list(pools)
            # Workers look at themselves a hundred times a second, for a page that the command does not show.
            quiet = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}
            stack.enter_context(import_module("dask").config.set(quiet))
            here = {"n_workers": 1, "threads_per_worker": workers, "processes": False, "memory_limit": None}
            pages = {"dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0"}
            place = stack.enter_context(dask.LocalCluster(**here, **pages, silence_logs=logging.CRITICAL))
            for pool in pools:  # dask waits for a thread whose game hangs, unless its process ends first
                stack.callback(pool.__exit__)
            stack.callback(_POOLS.pop, how, None)
        try:
            client = stack.enter_context(dask.Client(place, timeout=_PATIENCE))
            if address != _LOCAL:
                for name in logging.root.manager.loggerDict:  # `ClusterError` says what matters in dask's own log
                    for handler in logging.getLogger(name).handlers if name.split(".")[0] == "distributed" else ():
                        handler.setLevel(logging.CRITICAL)
                client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(f"no cluster with workers answers at {address}: {error}") from error
        try:
            versions = client.run(_version_here)
        except Exception as error:  # a worker that does not have the program fails in many ways
            raise ClusterError(f"a worker cannot run adjudicator {__version__}: {type(error).__name__}: {error}") from error
        for worker, version in versions.items():
            if version != __version__:  # its results could differ
                raise ClusterError(f"the worker {worker} has adjudicator {version}, here it is {__version__}")
        yield client


class _Cluster(Crew):
    """The workers of ``client``, each of which gets a shard of packed tasks at once, and ``how`` to do them as a pickle."""

    def __init__(self, client: Any, how: bytes) -> None:
        self._client, self._how = client, how
        self._threads: int = max(1, sum(client.nthreads().values()))
        self._shard, self._under_way = _Shard(), dict[Any, _Shard]()
        self._suspects = _Shard()
        """Tasks of shards that have failed. One at a time is done, while nothing else is: only then is the fault its own."""

    def has_room(self, waiting: int) -> bool:
        is_short = len(self._under_way) < self._threads * _AHEAD and waiting < self._threads * _WAITING
        return is_short and not self._suspects

    def give(self, errand: Errand, task: Any) -> None:
        self._shard.append((errand, pickle.dumps(task)))
        if len(self._shard) == _MOST_TASKS or sum(len(packed) for _, packed in self._shard) >= _MOST_BYTES:
            self._send_shard()

    def _send_shard(self) -> None:
        future = self._client.submit(_do_shard, self._how, [packed for _, packed in self._shard], pure=False)
        self._under_way[future], self._shard = self._shard, _Shard()

    def wait(self) -> None:
        """Wait until a shard is done; the tasks of one that fails are then done one by one. Raises ``ClusterError``."""
        if self._suspects and not self._under_way:
            self._shard = self._suspects[:1]
        if self._shard:
            self._send_shard()
        try:
            import_module("distributed").wait(list(self._under_way), timeout=_SILENCE, return_when="FIRST_COMPLETED")
        except CancelledError:  # then the shards say so, too
            pass
        except TimeoutError:
            try:
                self._client.wait_for_workers(1, timeout=_SILENCE)
            except (OSError, TimeoutError) as error:
                raise ClusterError(_NO_WORKERS) from error
        for future in [future for future in self._under_way if future.done()]:
            shard, results = self._under_way[future], list[Any]()
            is_alone = shard == self._suspects[:1]
            try:
                results = future.result(_SILENCE)
            except Exception as error:
                if isinstance(error, TimeoutError) and future.status not in ("error", "cancelled"):
                    continue  # its worker has ended, and has taken the results with it: others do it again
                if future.status != "error":
                    raise ClusterError(_GONE) from error
                is_killed = type(error).__name__ == "KilledWorker"
                words = f"has failed on its worker: {type(error).__name__}: {error}"
                results = [Lost("has ended all workers that tried it" if is_killed else words)]
                if not is_alone:
                    self._suspects += shard
                    shard, results = _Shard(), []
            del self._under_way[future]
            future.release()
            if is_alone:
                del self._suspects[0]
            for (errand, _), result in zip(shard, results, strict=True):
                errand.end(result)


def _do_shard(how: bytes, tasks: list[bytes]) -> list[Any]:
    """Return the results of ``tasks``, on the worker that calls this; a process of its own may hang or end."""
    for other in _POOLS.keys() - {how}:
        while _POOLS[other]:
            _POOLS[other].pop().__exit__()
    idle = _POOLS.setdefault(how, [])
    try:
        pool = idle.pop()
    except IndexError:
        pool = _pool(how)
    try:
        return [done.result for done in pool.run(takewhile(lambda _: how in _POOLS, tasks))]
    finally:
        idle.append(pool)


def _pool(how: bytes) -> Pool:
    # Daemon processes must not have children, but those of a pool end with it.
    import_module("multiprocessing").current_process().daemon = False
    work, timeout = pickle.loads(how)
    return Pool(partial(_unpack, work), 1, timeout)


def _unpack(work: Callable[[Any], Any], task: bytes) -> Any:
    return work(pickle.loads(task))


def _version_here() -> str:
    return __version__


# The memory ------------------------------------------------------------------------------------------------------------

_MEMORY: Final = "decided-1.db"
_TABLE: Final = "CREATE TABLE IF NOT EXISTS decided (key BLOB UNIQUE, ruleset TEXT, code BLOB, value BLOB)"
_MOST_KNOWN: Final = 500_000
"""The number of files that are remembered, those that were decided last."""
_BUSY: Final = 2
"""The seconds after which a memory that another process writes to is given up."""
_OFTEN: Final = 1.0
"""The seconds between transactions: one for each file may take as long as to decide it."""


def memory_key(data: bytes, *about: str) -> bytes:
    """Return the key of the file ``data`` for the question that ``about`` names."""
    return sha256("\0".join((*about, "")).encode() + sha256(data).digest()).digest()


class Memory:
    """What was decided about files on this machine: bytes by ``memory_key``, as long as the same code would decide.

    Use it as a context. A memory that is damaged or in use, or has no private folder, knows nothing. ``known`` counts the
    answers.
    """

    def __init__(self, *, is_new: bool = False) -> None:
        """Open the user's memory; one that ``is_new`` knows nothing of before, and takes what is decided now."""
        self._is_new, self._codes, self._taken = is_new, dict[str, bytes](), dict[bytes, tuple[bytes, str, bytes, bytes]]()
        self._base: Any = None
        self._written, self.known = monotonic(), 0
        folder = cache_folder()
        if folder is None:
            return
        self._path = folder / _MEMORY
        try:
            import sqlite3  # takes time to load, and few commands remember
        except ImportError:  # not everywhere is Python built with it
            return
        self._sqlite = sqlite3
        with suppress(OSError, sqlite3.Error):
            self._path.touch(mode=0o600)
            if not is_private(self._path):
                return
            self._base = sqlite3.connect(self._path, timeout=_BUSY, isolation_level=None)
            self._ask("PRAGMA synchronous = OFF")  # what a crash damages is forgotten
            self._ask(_TABLE)

    def __enter__(self) -> Memory:
        """Return the memory itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is new, and forget the oldest if there is too much."""
        self._write()
        self._ask("DELETE FROM decided WHERE rowid <= (SELECT max(rowid) FROM decided) - ?", _MOST_KNOWN)
        if self._base is not None:
            self._base.close()

    def get(self, key: bytes) -> bytes | None:
        """Return what was put under ``key`` by the code of today; ``None`` if there is nothing."""
        asked = "SELECT ruleset, code, value FROM decided WHERE key = ?"
        for ruleset, code, value in () if self._is_new else self._ask(asked, key):
            if isinstance(ruleset, str) and isinstance(value, bytes) and code and code == self._code_of(ruleset):
                self.known += 1
                return value
        return None

    def put(self, key: bytes, value: bytes, ruleset: str) -> None:
        """Remember ``value`` under ``key``; the rules of ``ruleset`` have decided it."""
        if self._base is not None and (code := self._code_of(ruleset)):
            self._taken[key] = key, ruleset, code, value
            if monotonic() - self._written >= _OFTEN:
                self._write()

    def _write(self) -> None:
        taken, self._taken, self._written = self._taken, {}, monotonic()
        if taken:
            self._ask("BEGIN IMMEDIATE")
            self._ask("INSERT OR REPLACE INTO decided VALUES (?, ?, ?, ?)", many=taken.values())
            self._ask("COMMIT")

    def _ask(self, words: str, *values: Any, many: Iterable[tuple[Any, ...]] | None = None) -> list[Any]:
        """Return the rows of an answer. An error ends the use of the memory, and deletes a damaged file."""
        if self._base is None:
            return []
        try:
            answer = self._base.execute(words, values) if many is None else self._base.executemany(words, many)
            return list(answer)
        except self._sqlite.Error as error:
            self._base.close()
            self._base = None
            if not isinstance(error, self._sqlite.OperationalError):  # which is one of the machine: in use, a full disk
                with suppress(OSError):
                    self._path.unlink()
            return []

    def _code_of(self, ruleset: str) -> bytes:
        """Return the mark of the code that decides games of ``ruleset``; empty if it is in no file.

        It changes with the files of the program or of the ruleset's package: their places, sizes and times. By size and time
        Python itself knows whether the code that it has compiled is still that of a file.
        """
        if ruleset not in self._codes:
            self._codes[ruleset] = b""
            with suppress(AdjudicatorError, ImportError, OSError):
                places, seen = [str(resources.folder("grammar"))], [sys.version]
                for name in ("adjudicator", package_of(ruleset)):
                    spec = find_spec(name)
                    places += [] if spec is None else list(spec.submodule_search_locations or [spec.origin or ""])
                for place in dict.fromkeys(places):
                    found = [(folder, file) for folder, _, files in os.walk(place) for file in files if file[-4:] != ".pyc"]
                    for path in [os.path.join(*one) for one in found] or [place]:
                        status = os.stat(path)
                        seen.append(f"{path} {status.st_size} {status.st_mtime_ns}")
                self._codes[ruleset] = sha256("\n".join(sorted(seen)).encode()).digest()
        return self._codes[ruleset]


# Audits ---------------------------------------------------------------------------------------------------------------


def audit_files(
    paths: str | Path | Iterable[str | Path],
    *,
    jobs: int = 1,
    impact: bool = False,
    timeout: float = TIMEOUT,
    published: Sequence[PublishedText] = (),
    cluster: str = "",
    memory: Memory | None = None,
) -> Generator[AuditResult, None, None]:
    """Decide each game at ``paths`` again, and yield the verdicts: files, scripts, folders, archives or URLs.

    The order is stable. A file that is no game gives a ``Skipped``, and a damaged file a ``Verdict`` with a divergence, no
    error. Up to ``jobs`` processes decide the games, each within ``timeout`` seconds; with 0 this process decides them, as
    long as it takes. The workers of a dask scheduler at the address ``cluster`` decide instead; `local` starts ``jobs`` of
    them. ``impact`` takes today's rules, whatever the version of the game. The first game must also agree with the
    ``published`` texts of ``read_published``. A game that ``memory`` knows is not decided again. Raises ``ClusterError``.
    """
    found, about = find(map(str, [paths] if isinstance(paths, (str, Path)) else paths)), "impact" if impact else "audit"
    memory = None if published else memory

    def label(one: Source) -> tuple[str, bytes]:
        """Return the name of a file, and its key in the memory; scripts have none, because they may read other files."""
        return one.name, b"" if memory is None or is_script(one.data) else memory_key(one.data, about)

    def tasks() -> Iterator[Source | Done]:
        for one in found:
            if isinstance(one, Unopened):
                why = Skipped(one.name, one.why or NO_GAME) if one.kind is None else undecided(one.name, one.kind, one.why)
                yield Done((one.name, b""), why)
                continue
            known = None if memory is None else memory.get(memory_key(one.data, about))
            try:
                yield one if known is None else Done((one.name, b""), replace(typed.read(Verdict, known), source=one.name))
            except typed.Misfit:  # damaged
                yield one

    todo = tasks()
    how: dict[str, Any] = {"jobs": jobs, "timeout": timeout, "label": label}
    first = run(partial(_audit, impact, tuple(published)), islice(todo, len(published) and 1), **how)
    for done in chain(first, run(partial(_audit, impact, ()), todo, cluster=cluster, **how)):
        (name, key), result = done.task, done.result
        if isinstance(result, Lost) and result.is_late:
            words = f"the rules have not decided it within {timeout:g} seconds; a longer `timeout` gives it more time"
            result = undecided(name, Kind.UNREAD, words)
        elif isinstance(result, Lost):
            result = undecided(name, Kind.FAULT, f"its audit {result.words}")
        elif key and memory is not None and isinstance(result, Verdict) and result.is_decided:
            with suppress(UnicodeEncodeError):  # half a character
                memory.put(key, canonical_bytes(replace(result, source="")), result.ruleset)
        yield result


def _audit(impact: bool, published: tuple[PublishedText, ...], source: Source) -> AuditResult:
    how: dict[str, Any] = {"is_named": source.is_named, "folder": source.folder}
    return audit_bytes(source.data, source.name, impact=impact, published=published, **how)


def keep_results(
    results: Iterable[AuditResult], out: str, *, resume: bool = False, impact: bool = False, parquet: bool = False
) -> Generator[AuditResult, None, None]:
    """Yield ``results``, and keep them in the folder ``out``: each as a line of `results.jsonl`, then `summary.json`.

    Finally ``parquet`` makes `results.parquet` of the lines, where the fields of a first divergence are beside those of its
    verdict. Only with ``resume`` may the folder contain the results of an earlier run, which are replaced.
    Raises ``CannotRead``, ``CannotWrite``.
    """
    folder, tally = Path(out), Tally(is_impact=impact)
    lines, summary, table = folder / "results.jsonl", folder / "summary.json", folder / "results.parquet"
    if parquet and find_spec("pyarrow") is None:
        words = "to write tables the extra `parquet` is needed: pip install 'pbem-adjudicator[parquet]'"
        raise CannotWrite(str(table), words)
    try:
        if resume and not _is_of_results(lines):
            raise CannotRead(out, "leave `resume` out: this folder contains no audit to continue")
        if not resume and folder.is_dir() and any(folder.iterdir()):
            raise CannotWrite(
                out, "use `resume` to continue the audit in this folder, or name another folder: it is not empty"
            )
        folder.mkdir(parents=True, exist_ok=True)
        summary.unlink(missing_ok=True)
        table.unlink(missing_ok=True)
        with lines.open("w", encoding="utf-8", buffering=1) as stream:
            for result in results:
                stream.write(safe_json(result) + "\n")
                tally.add(result)
                yield result
        if parquet:
            _write_table(lines, table)
        write_atomic(summary, f"{safe_json(tally.end)}\n".encode(), SHARED)
    except OSError as error:
        raise CannotWrite(out, f"the results cannot be written here: {error.strerror or error}") from error


def _is_of_results(file: Path) -> bool:
    """Return whether ``file`` has the lines of an audit, perhaps none yet, and not what somebody else has put there."""
    if not file.is_file():
        return False
    with file.open("rb") as stream, suppress(ValueError):
        line = stream.readline(_MOST_BYTES)
        return not line or {"source", "status"} <= json.loads(line).keys()
    return False


def _write_table(lines: Path, file: Path) -> None:
    """Write ``lines`` of results as a Parquet table."""
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    names = {**dict.fromkeys(_COLUMNS, arrow.string()), **dict.fromkeys(_COUNTS, arrow.int64()), "over": arrow.bool_()}
    names |= {"divergence_n": arrow.int64(), **{f"divergence_{name}": arrow.string() for name in _OF_DIVERGENCE}}
    schema = arrow.schema(list(names.items()))
    with lines.open(encoding="utf-8") as stream, parquet.ParquetWriter(file, schema) as writer:
        while some := list(islice(stream, 10_000)):
            # No table can hold half a character, which the name of a file may have.
            text = json.dumps([json.loads(line) for line in some], ensure_ascii=False).encode("utf-8", "replace")
            rows = json.loads(text)
            for row in rows:
                row.update({f"divergence_{name}": value for name, value in (row.get("divergence") or {}).items()})
            writer.write_table(arrow.Table.from_pylist(rows, schema))
