"""An attack: its seed, its size, what it counted; hostile words, bytes and values; and processes that are killed or fail.

Every attack is a loop of rounds with luck of its own: a small one in every run, a long one with `-m soak`.
"""

from __future__ import annotations

import builtins
import errno
import io
import json
import os
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from socket import socket
from typing import Any, Final, NoReturn

import pytest

ODD_CHARACTERS: Final = (
    "\u202e\u200b\u00a0\ufeff\u2028\u2029\u0085\x00\x07\x1b\x7f\u0301\u0323\u00ad\u2060\ufffd\ud7ff\ue000\U0001f3ce\U000e0041"
    "İıſßﬀＡ３٣Ⅷ²½СсΑαéÄœŁ中\u3000\u115f“”„«»‘’–—−•*·\t\v\f\x1c"
)
"""Controls, marks, invisible and double-faced letters, digits of other scripts, odd quotes, dashes and blanks."""
SIGNS: Final = " \n\r:;,.#>-()[]{}<=!/\\|&%$@^~`'\"+_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
NUMBERS: Final = (0, -1, 1, 2, 3, 7, 2**31, 2**63, 2**64, 10**30, -(10**30))


AROUND: Final = (
    *("", " ", "> DRAW", ">> > x", "-- ", "--", "-----", "# comment", "; GO", "END", "end.", "WITHDRAW", "WITHDRAW 2"),
    *("On Friday Bob wrote:", "Am Freitag schrieb Bob:", "From: a@example.org", "Date: Mon, 2 Mar 2026", "Subject: turn 7"),
    *("-----Original Message-----", "Begin forwarded message:", "Hello Ann,", "Viele Grüße", "Sent from my phone", "PS: no"),
    *("game", "turn", "turn 0", "turn 1", "turn 999999999", "game x", "turn: 3", "Orders:", "received", "received: now"),
    *("(" * 30, ")" * 30, "x" * 520, "9" * 400, "if " * 90, "[" * 60, "IF IF IF", "OR", "THEN", "ELSE", "NOT", "\t\t"),
)
"""What stands in mails beside orders, and what is nothing."""


class Attack:
    """What one attack does: ``luck`` decides everything by the seed, ``counts`` says how often each outcome was met.

    It goes round by round, each with luck of its own, so that one that failed can be run again alone.
    """

    def __init__(self, name: str, seed: int, share: float, first: int = 0, *, is_long: bool = True) -> None:
        """Begin with round ``first``. A short attack plays games with the usual options, a long one with any."""
        self.options: tuple[dict[str, str], ...] = () if is_long else ({},)
        self.name, self.seed, self.share, self.at = name, seed, share, first
        self.counts: Counter[str] = Counter()
        self.luck = Random()
        self.next_round()

    def next_round(self) -> Random:
        """Go on to the next round, and return its luck."""
        self.luck = Random(f"{self.seed}\n{self.name}\n{self.at}")
        self.at += 1
        return self.luck

    def times(self, whole: int) -> int:
        """Return how often is to be tried what is tried ``whole`` times at full size."""
        return max(1, round(whole * self.share))

    def count(self, outcome: str, times: int = 1) -> None:
        """Count an ``outcome``."""
        self.counts[outcome] += times

    @property
    def told(self) -> str:
        """What came of it, in a line."""
        counted = ", ".join(f"{outcome} {times:,}" for outcome, times in sorted(self.counts.items()))
        return f"{self.name} (seed {self.seed}, size {self.share:g}, last round {self.at - 1}): {counted}"


FOUGHT: Final = pytest.StashKey[list["Attack"]]()
"""The attacks of this run, for the lines at its end."""


@pytest.fixture
def attack(request: pytest.FixtureRequest) -> Attack:
    """Return the attack of this test: a short one has the size it names, a long one its share of that."""
    is_long = request.node.get_closest_marker("soak") is not None
    share = float(request.config.getoption("--soak-size")) if is_long else 1.0
    seed, first = (int(request.config.getoption(name)) for name in ("--soak-seed", "--soak-round"))
    fought = Attack(request.node.name, seed, share, first, is_long=is_long)
    request.config.stash.setdefault(FOUGHT, []).append(fought)
    return fought


def sizes(short: Any, long: Any, *case: Any) -> list[Any]:
    """Return the parameters ``case`` with the size of a short attack, and with that of a long one, which is marked."""
    return [pytest.param(*case, short), pytest.param(*case, long, marks=pytest.mark.soak)]


# Hostile words, bytes and values


def mutated_text(luck: Random, text: str, most: int = 3) -> str:
    """Return ``text`` with a few characters or words exchanged, left out, doubled or put in."""
    for _ in range(luck.randint(1, most)):
        text = luck.choice(_TEXT_WAYS)(luck, text)
    return text


def mutated_bytes(luck: Random, data: bytes, most: int = 4) -> bytes:
    """Return ``data`` with a few bytes flipped, cut, doubled, moved or put in."""
    for _ in range(luck.randint(1, most)):
        at, end = sorted((luck.randrange(len(data) + 1), luck.randrange(len(data) + 1)))
        near = min(end, at + luck.randint(1, 12))
        match luck.randrange(7):
            case 0:
                data = data[:at] + bytes([luck.randrange(256)]) + data[at + 1 :]
            case 1:
                data = data[:at] + data[near:]
            case 2:
                data = data[:near] + data[at:]
            case 3:
                data = data[:at] + luck.randbytes(luck.randint(1, 4)) + data[at:]
            case 4:
                data = data[:at] + luck.choice(ODD_CHARACTERS).encode("utf-8", "surrogatepass") + data[near:]
            case 5:
                data = data[:at] if luck.random() < 0.3 else data
            case _:
                data = data[:at] + data[at:near][::-1] + data[near:]
    return data


def mutated_document(luck: Random, document: Any, most: int = 3) -> Any:
    """Return a copy of the JSON value ``document`` with a few of its values changed, left out, moved or doubled."""
    changed = json.loads(json.dumps(document))
    for _ in range(luck.randint(1, most)):
        places = list(_places(changed))  # anew: what was changed before may be gone
        if not places:
            return _odd_value(luck, changed)
        holder, key = luck.choice(places)
        if luck.random() < 0.5:
            _exchange_alike(luck, holder, key, places)
        else:
            _change(luck, holder, key, places)
    return changed


def _exchange_alike(luck: Random, holder: Any, key: Any, places: list[tuple[Any, Any]]) -> None:
    """Put something in a place that stands in another of the same name: most schemas have nothing against it."""
    alike = [other[there] for other, there in places if there == key and type(other) is type(holder)]
    holder[key] = json.loads(json.dumps(luck.choice(alike)))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from _places(item)


def _change(luck: Random, holder: Any, key: Any, places: list[tuple[Any, Any]]) -> None:
    match luck.randrange(6):
        case 0:
            del holder[key]
        case 1:
            other, there = luck.choice(places)
            try:
                holder[key] = json.loads(json.dumps(other[there]))
            except (KeyError, IndexError):  # that place has gone
                holder[key] = None
        case 2 if isinstance(holder, list):
            holder.insert(luck.randrange(len(holder) + 1), json.loads(json.dumps(holder[key])))
        case 2:
            holder[luck.choice(["", "x", "$schema", f"{key}s"])] = holder[key]
        case _:
            holder[key] = _odd_value(luck, holder[key])


def _odd_value(luck: Random, value: Any) -> Any:
    if isinstance(value, bool):
        return luck.choice([not value, 0, 1, None])
    if isinstance(value, int) and luck.random() < 0.8:
        return luck.choice([value + 1, value - 1, -value, luck.choice(NUMBERS)])
    if isinstance(value, str) and luck.random() < 0.8:
        return mutated_text(luck, value) if value else luck.choice(ODD_CHARACTERS)
    return luck.choice([None, True, "", "x", [], {}, [value], {"x": value}, 0.5, luck.choice(NUMBERS), "x" * 5_000])


def _exchange(luck: Random, text: str) -> str:
    at = luck.randrange(len(text) + 1)
    return text[:at] + luck.choice(SIGNS) + text[at + 1 :]


def _leave_out(luck: Random, text: str) -> str:
    at = luck.randrange(len(text) + 1)
    return text[:at] + text[at + luck.randint(1, 3) :]


def _put_in(luck: Random, text: str) -> str:
    at = luck.randrange(len(text) + 1)
    return text[:at] + luck.choice((luck.choice(ODD_CHARACTERS), luck.choice(SIGNS), "((", "[", "9" * 30)) + text[at:]


def _move_word(luck: Random, text: str) -> str:
    words = text.split(" ")
    word = words.pop(luck.randrange(len(words)))
    for _ in range(luck.choice((0, 1, 1, 2))):
        words.insert(luck.randrange(len(words) + 1), word)
    return " ".join(words)


def _other_case(luck: Random, text: str) -> str:
    return luck.choice((text.upper(), text.lower(), text.title(), text.swapcase()))


def _repeat(luck: Random, text: str) -> str:
    return luck.choice((" ", "", " OR ", " AND ", "\t")).join([text] * luck.choice((2, 2, 3, 30)))[:700]


_TEXT_WAYS: Final = (_exchange, _exchange, _leave_out, _put_in, _put_in, _move_word, _other_case, _repeat)


# Steps that never end, processes that are killed, calls that fail


PATIENCE: Final = 300
"""Seconds: far more than anything takes that ends at all."""


class NeverEndsError(BaseException):
    """A step does not end; nothing that only catches exceptions may catch this."""


@contextmanager
def in_time(what: str) -> Iterator[None]:
    """Raise ``NeverEndsError`` if the block has not ended after ``PATIENCE`` seconds."""

    def stop(_number: int, _frame: object) -> None:
        raise NeverEndsError(what)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


CALLS: Final = {"write": (os, "write"), "fsync": (os, "fsync"), "rename": (os, "replace"), "unlink": (os, "unlink")} | {
    "open": (os, "open"),
    "open by name": (io, "open"),
    "mkdir": (os, "mkdir"),
}
"""The calls to the system that may fail: where each is looked up."""
ERRORS: Final = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT)
KILLED: Final = -signal.SIGKILL
LASTING: Final = ((os, "write"), (os, "fsync"), (os, "replace"), (os, "unlink"), (socket, "send"), (socket, "sendall"))
"""The functions of the system, and of sockets, that change something outside the process; SQLite has its own."""


@dataclass(frozen=True)
class Failure:
    """From its ``first`` time on (from 0), so many ``times``, the call ``kind`` fails with the error ``number``."""

    kind: str
    first: int
    times: int
    number: int


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit ``code`` (negative: the signal), what it said, what was counted in it."""

    code: int
    said: str
    counted: dict[str, int]


class Steps:
    """Counts the steps of this process, calls of functions and their returns, and kills it at the step ``kill_at``.

    With ``kill_in``, it counts only steps that last, calls of ``LASTING`` and of SQLite, and kills the process at that one.
    """

    def __init__(self, kill_at: int = -1, kill_in: int = -1) -> None:
        self.kill_at, self.kill_in, self.count = kill_at, kill_in, 0

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count what the block does."""
        with pytest.MonkeyPatch.context() as patch:
            if self.kill_in >= 0:
                self._watch(patch)
            else:
                sys.setprofile(lambda _frame, _event, _argument: self._step(self.kill_at))
            try:
                yield
            finally:
                sys.setprofile(None)

    def _step(self, last: int) -> None:
        self.count += 1
        if self.count == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def _watch(self, patch: pytest.MonkeyPatch) -> None:
        """Let each lasting call be a step, and its return another one."""
        connect, step = sqlite3.connect, partial(self._step, self.kill_in)

        class Watched(sqlite3.Connection):
            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
                is_lasting = statement in ("begin immediate", "commit")
                _ = is_lasting and step()
                done = super().execute(statement, *values)
                _ = is_lasting and step()
                return done

        def watched(call: Callable[..., Any]) -> Callable[..., Any]:
            def stepped(*given: Any, **named: Any) -> Any:
                step()
                done = call(*given, **named)
                step()
                return done

            return stepped

        for owner, name in LASTING:
            patch.setattr(owner, name, watched(getattr(owner, name)))
        patch.setattr(sqlite3, "connect", lambda *given, **named: connect(*given, **{"factory": Watched, **named}))


def run_apart(folder: Path, arguments: list[str], kill_at: int = -1, failure: Failure | None = None) -> Ended:
    """Run the command line in a child of this process, in ``folder``; see ``call_apart``."""
    return call_apart(folder, partial(_command, arguments), Steps(kill_at), failure)


def call_apart(folder: Path, work: Callable[[], None], steps: Steps, failure: Failure | None = None) -> Ended:
    """Call ``work`` in a child of this process, in ``folder``. ``steps`` may kill it, or ``failure`` happens.

    What this process has loaded the child need not load again: the same run in this process makes it quick.
    """
    said, counts = folder.with_name("said"), folder.with_name("counted")
    counts.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        _be_child(folder, work, said, _Watch(counts, steps, failure))
    _, status = os.waitpid(child, 0)
    counted = json.loads(counts.read_bytes()) if counts.exists() else {}
    return Ended(os.waitstatus_to_exitcode(status), said.read_text("utf-8", "replace"), counted)


class _Watch:
    """Counts the steps and the calls to the system of the child, and does to it what is planned."""

    def __init__(self, counts: Path, steps: Steps, failure: Failure | None) -> None:
        self.counts, self.steps, self.failure = counts, steps, failure
        self.counted: dict[str, int] = {"first": 0, "last": 0, **dict.fromkeys(CALLS, 0)}

    def begin(self) -> None:
        for kind, (module, name) in CALLS.items():
            setattr(module, name, self._failing(kind, getattr(module, name)))
        builtins.open = io.open
        os.remove = os.unlink
        os.rename = os.replace

    def end(self, code: int) -> NoReturn:
        self.failure = None
        with suppress(OSError):
            self.counts.write_text(json.dumps({**self.counted, "steps": self.steps.count}), "utf-8")
        os._exit(code)

    def _failing(self, kind: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*args: Any, **kwargs: Any) -> Any:
            nth, self.counted[kind] = self.counted[kind], self.counted[kind] + 1
            if kind in ("write", "fsync", "rename"):
                self.counted["first"] = self.counted["first"] or self.steps.count
                self.counted["last"] = self.steps.count
            planned = self.failure
            if planned is not None and planned.kind == kind and planned.first <= nth < planned.first + planned.times:
                if kind == "write":
                    call(args[0], args[1][: len(args[1]) // 2])  # a disk that is full takes a part of it
                raise OSError(planned.number, os.strerror(planned.number), *[name for name in args[:1] if kind != "write"])
            return call(*args, **kwargs)

        return tried


def _command(arguments: list[str]) -> None:
    from adjudicator.cli.app import run

    sys.argv = ["adjudicator", *arguments]
    run()


def _be_child(folder: Path, work: Callable[[], None], said: Path, watch: _Watch) -> NoReturn:
    try:
        os.chdir(folder)
        output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        for number, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(output, number)
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115 - open to the end
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        watch.begin()
        try:
            with watch.steps.counting() if watch.failure is None else nullcontext():
                work()
            code = 0
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        watch.end(code)
    except BaseException as error:
        with suppress(BaseException):
            os.write(2, f"the child failed: {type(error).__name__}: {error}\n".encode())
    os._exit(99)
