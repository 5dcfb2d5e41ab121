"""Play every example again, as its README says, and rewrite what comes of it.

Run it when a ruling or a message has changed on purpose, and read the difference before it is committed::

    python examples/regenerate.py                                  # all of them
    python examples/regenerate.py examples/checkpoint-rally/golden # some of them

An example is a folder whose README has its commands in ``sh`` blocks. A file that a command makes is shipped if it is in
the folder (to ship another, create it empty first); ``expected.txt`` is what the commands print. The tests import this file
and compare where it writes.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
README = "README.md"
TRANSCRIPT = "expected.txt"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LOOP = re.compile(r"for (\w+) in (\S+); do (.*); done")
_MAKES = ("-o", "--log", ">")


@dataclass(frozen=True, slots=True)
class Printed:
    """What a command printed: its exit ``code``, standard output where that goes to a file, and what the user sees."""

    code: int
    out: bytes
    seen: bytes


Console = Callable[[Sequence[str], Path, bool], Printed]
"""Runs ``adjudicator`` with arguments in a folder; the flag says whether standard output goes to a file."""


@dataclass(frozen=True, slots=True)
class Example:
    """One folder of the examples."""

    folder: Path

    @property
    def shipped(self) -> set[str]:
        """The names of all files in the folder."""
        return {path.name for path in self.folder.iterdir()}

    @property
    def lines(self) -> list[str]:
        """The commands of the README in order, loops unrolled."""
        text = (self.folder / README).read_text("utf-8")
        blocks = (block.replace("\\\n", " ") for block in _BLOCK.findall(text))
        lines = (" ".join(line.split()) for block in blocks for line in block.splitlines())
        return [single for line in lines if line for single in self._unrolled(line)]

    def _unrolled(self, line: str) -> Iterator[str]:
        loop = _LOOP.fullmatch(line)
        if loop is None:
            yield line
            return
        variable, pattern, body = loop.groups()
        yield from (body.replace(f"${variable}", path.name) for path in sorted(self.folder.glob(pattern)))

    @property
    def made(self) -> set[str]:
        """The names of the files that the commands make, shipped or not."""
        words = [shlex.split(line) for line in self.lines]
        named = {after for line in words for word, after in pairwise(line) if word in _MAKES}
        return named | {line[-1] for line in words if line[0] == "cp"} | {TRANSCRIPT}

    @property
    def read(self) -> set[str]:
        """The names of the shipped files that the commands read, and of those that the texts among them name."""
        named = {word for line in self.lines for word in shlex.split(line)} & self.shipped
        texts = [(self.folder / name).read_text("utf-8", "replace") for name in named if name.endswith(".txt")]
        named |= {word for text in texts for word in text.split()} & self.shipped
        return named - self.made

    def replay(self, scratch: Path, console: Console) -> dict[str, bytes]:
        """Run the commands in ``scratch``, an empty folder; return the bytes of each file made that is shipped."""
        for name in self.read:
            shutil.copy(self.folder / name, scratch)
        seen = b"".join(_run(line, scratch, console) for line in self.lines)
        (scratch / TRANSCRIPT).write_bytes(seen)
        return {name: (scratch / name).read_bytes() for name in sorted(self.made & self.shipped)}


def examples(root: Path = HERE) -> list[Example]:
    """Return the examples under ``root``, by path."""
    readmes = (path for path in sorted(root.rglob(README)) if _BLOCK.search(path.read_text("utf-8")))
    return [Example(path.parent) for path in readmes]


def _run(line: str, scratch: Path, console: Console) -> bytes:
    """Run one command of a README; return what stands in a terminal after it."""
    words = shlex.split(line)
    if words[0] == "cp":
        shutil.copy(scratch / words[1], scratch / words[2])
        return f"$ {line}\n".encode()
    if words[0] != "adjudicator":
        raise ValueError(f"an example knows adjudicator, cp and for; not: {line}")
    is_redirected = ">" in words
    arguments = words[1 : words.index(">")] if is_redirected else words[1:]
    printed = console(arguments, scratch, is_redirected)
    if is_redirected:
        (scratch / words[-1]).write_bytes(printed.out)
    ending = f"[exit {printed.code}]\n" if printed.code else ""
    return f"$ {line}\n".encode() + printed.seen + ending.encode()


def in_this_process(arguments: Sequence[str], folder: Path, is_redirected: bool) -> Printed:
    """Run the command line without starting a program: quick."""
    from adjudicator.cli.app import run

    seen, out = _stream(), _stream()
    before = sys.argv
    sys.argv = ["adjudicator", *arguments]
    try:
        with chdir(folder), redirect_stdout(out if is_redirected else seen), redirect_stderr(seen):
            run()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.argv = before
    return Printed(code, *(stream.buffer.getvalue() for stream in (out, seen)))  # type: ignore[attr-defined]


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)


def in_a_process(arguments: Sequence[str], folder: Path, is_redirected: bool) -> Printed:
    """Run the command line as a program of its own: slow, and what users do."""
    command = [sys.executable, "-m", "adjudicator", *arguments]
    # Unbuffered, so that both streams stand in the order in which they were written, as in a terminal.
    surroundings = {**os.environ, "PYTHONUNBUFFERED": "1"}
    errors = subprocess.PIPE if is_redirected else subprocess.STDOUT
    done = subprocess.run(command, cwd=folder, env=surroundings, stdout=subprocess.PIPE, stderr=errors, check=False)
    return Printed(done.returncode, done.stdout, done.stderr if is_redirected else done.stdout)


def main(folders: Sequence[str] = (), root: Path = HERE) -> None:
    """Rewrite what the examples in ``folders`` (all under ``root`` if none is named) give; say what has changed."""
    for example in [Example(Path(folder)) for folder in folders] or examples(root):
        with tempfile.TemporaryDirectory() as scratch:
            made = example.replay(Path(scratch), in_this_process)
        for name, data in made.items():
            path = example.folder / name
            if path.read_bytes() != data:
                path.write_bytes(data)
                sys.stdout.write(f"rewritten: {path}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
