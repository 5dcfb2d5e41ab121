"""Commands as a moderator types them: a game whose position is known, processes, and transcripts.

A transcript is a part of a file ``tests/commands/*.txt``. It shows what stands in a terminal::

    ## An undo names the orders that it drops
    The moderator must read `set aside: blue 1 order`, and where they are.
    Never printed: `Traceback`

    $ adjudicator apply rally.json -
    > red: MOVE D3
    > blue: REFRESH
    …
    $ adjudicator undo rally.json --to 0 --reason mail
    …
    set aside: blue 1 order; `adjudicator pending` lists them and can bring them back
    $ adjudicator undo rally.json --to 9 --reason mail
    adjudicator: …
    [exit 2]

* ``##`` and the text below it say what a user must see. What stands there in backticks must be printed, and what stands so
  behind ``Never printed:`` must not: so a wrong output cannot be accepted by accident.
* ``$`` begins a command. Lines with ``>`` right below it are its standard input. All else is what it prints, on both
  streams; ``[exit N]`` comes last where the exit code is not 0.
* ``…`` stands for anything within a line; alone on its line, for any lines. Elide what is not the subject.
* Each transcript runs in an empty folder, in which ``rally.json`` is made if it is named: the game of ``POSITION``.
* Commands: ``adjudicator``, with ``< FILE`` and ``> FILE``; and, as small parts of what a shell has, ``cat > FILE`` (typed
  lines), ``cat FILE``, ``grep WORDS FILE``, ``sed -i s/OLD/NEW/ FILE`` (plain words, the first place), ``cp``, ``mv``,
  ``rm``, ``mkdir``, ``ls``. ``cp`` also finds files of this repository.

To write what is printed anew, and then to read the difference::

    python -m tests.drivers.commands --write tests/commands/corrections.txt
    git diff tests/commands

Lines that are still printed stay as they are written, with their elisions.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from typer.testing import CliRunner, Result

import adjudicator as adj

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "commands"
WRITES = "ADJUDICATOR_WRITE_TRANSCRIPTS"
Run = Callable[..., Any]
"""The fixture ``run``: a command line inside this process, in an empty folder."""

POSITION: dict[str, Any] = {
    "seats": [
        {"seat": "red", "card": "K1", "cell": "C3", "hand": ["H2", "H3", "G1"], "gps": 0},
        {"seat": "blue", "card": "K2", "cell": "A1", "hand": ["U1", "U2"], "minutes": 5},
    ],
    "board": [
        {"cell": "C3", "tile": "H13"},
        {"cell": "D3", "tile": "H14"},
        {"cell": "C2", "tile": "G13"},
        {"cell": "B3", "tile": "H1"},
        {"cell": "A1", "tile": "U13"},
    ],
    "row": ["H4", "H5", "H6"],
}
"""Red is due, has spent its GPS updates and stands on C3, from where roads lead to D3 and C2, but not to B3."""


@cache
def rally_bytes() -> bytes:
    """Return the file of the game ``rally``, which begins from ``POSITION``."""
    return begun(POSITION).to_bytes()


def begun(position: dict[str, Any], **changes: Any) -> adj.Game:
    """Return a game that begins from ``position``."""
    usual = {"id": "rally", "seed": "ab" * 32, **changes}
    with NamedTemporaryFile("w") as file:
        file.write(json.dumps(position))
        file.flush()
        return adj.new("checkpoint-rally", {"red": "Ann", "blue": "Bob"}, position=file.name, **usual)


def rally() -> Path:
    """Write ``rally.json`` into the present folder, and return its path."""
    path = Path.cwd() / "rally.json"
    path.write_bytes(rally_bytes())
    return path


def written(text: str | bytes, name: str = "turn.txt") -> str:
    """Write a file into the present folder, and return its name."""
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def argv(line: str) -> list[str]:
    """Return the words of a command line."""
    return shlex.split(line)


def called(words: Sequence[str], stdin: str | bytes = b"") -> Result:
    """Run the command line with ``words`` in this process."""
    runner, code = CliRunner(), 0
    with runner.isolation(input=stdin) as (out, err, both):
        try:
            _program().main(args=words)
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        sys.stdout.flush()
        sys.stderr.flush()
        said = out.getvalue(), err.getvalue(), both.getvalue()
    return Result(runner, *said, return_value=None, exit_code=code, exception=None)


@cache
def _program() -> Any:
    from adjudicator.cli.app import program

    return program(with_completion=False)


def process(*words: object, before: str = "", **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own, in the present folder; ``before`` is Python code that runs first."""
    script = f"{before}\nfrom adjudicator.__main__ import main\nmain()"
    command = [sys.executable, "-c", script] if before else [sys.executable, "-m", "adjudicator"]
    return subprocess.run([*command, *map(str, words)], check=False, **{"capture_output": True, "timeout": 60, **options})


def package(folder: Path, source: str = "", **files: str) -> Path:
    """Install Last Match, the ruleset of docs/own-ruleset.md, in ``folder``, with more ``source`` and modules behind it."""
    target = folder / "last_match"
    shutil.copytree(ROOT / "examples" / "own-ruleset" / "last_match", target, ignore=shutil.ignore_patterns("__pycache__"))
    with (target / "__init__.py").open("a") as file:
        file.write(source)
    for name, text in files.items():
        (target / f"{name}.py").write_text(text)
    info = folder / "last_match-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: last-match\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[adjudicator.rulesets]\nlast-match = last_match:META\n")
    return folder


def beside(folder: Path, **variables: str) -> dict[str, str]:
    """Return the surroundings of a process that finds the packages in ``folder``, and this program."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "PYTHONUTF8": "1", **variables}


JARGON = re.compile(
    r"""
    input\ should | unexpected\ keyword | valid\ (array|list|tuple|dict|string|integer|boolean|number) | \bunion\b
    | pydantic | jsonschema | \btyper\b | \bclick\b | traceback | codec | errno | serializable | positional
    | \w(Error|Exception)\b | NoneType | (?-i:\b(None|True|False)\b) | \bdict\b | \btuples?\b
    | dataclass | \barrays?\b | \bboolean\b | \bstr\b | \bint\b | \bfloat\b | \bobject\b | <class | 0x[0-9a-f]{6} | <= | >=
    | \b(oneOf|anyOf|allOf|additionalProperties|minItems|maxItems|minLength|maxLength|multipleOf|enum)\b
    | \$[.:\[] | \b[a-z_]+__[a-z_]+\b | \bb'
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Words of libraries, Python and JSON Schema, which only programmers know."""


def plain(message: str) -> str:
    """Return ``message`` after a check that it needs no knowledge of the code."""
    assert [match[0] for match in JARGON.finditer(message)] == [], message
    return message


def contents(folder: Path) -> dict[str, Any]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Transcripts ---------------------------------------------------------------------------------------------------------


@dataclass
class Step:
    """A command of a transcript: what is typed, and what must be printed."""

    command: str
    typed: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)


@dataclass
class Transcript:
    """What stands in a terminal, below the words about it."""

    path: Path
    words: list[str]
    steps: list[Step]

    def __str__(self) -> str:
        return f"{self.path.stem}: {self.words[0].removeprefix('## ')}"

    @property
    def text(self) -> str:
        """The transcript as its file has it."""
        lines = list(self.words)
        for step in self.steps:
            lines += [f"$ {step.command}", *(f"> {line}" for line in step.typed), *step.expected]
        return "\n".join(lines) + "\n"

    def quoted(self, *, never: bool) -> list[str]:
        """Return what the words have in backticks: what must be printed, or what must ``never`` be."""
        lines = [line for line in self.words if line.startswith("Never printed:") is never]
        return re.findall(r"`([^`]+)`", "\n".join(lines))

    def play(self, run: Run) -> list[list[str]]:
        """Return what each command prints."""
        if "rally.json" in self.text:
            rally()
        return [performed(run, step) for step in self.steps]

    def problems(self, shown: Sequence[Sequence[str]]) -> Iterator[str]:
        """Yield what is wrong with what the commands have printed."""
        text = "\n".join(line for lines in shown for line in lines)
        yield from (f"must be printed: {words}" for words in self.quoted(never=False) if words not in text)
        yield from (f"must not be printed: {words}" for words in self.quoted(never=True) if words in text)
        for step, lines in zip(self.steps, shown, strict=True):
            again = merged(step.expected, lines)
            if again != step.expected:
                yield f"$ {step.command}\nexpected:\n" + "\n".join(step.expected) + "\nprinted:\n" + "\n".join(lines)


def read(path: Path) -> list[Transcript]:
    """Return the transcripts in a file."""
    found: list[Transcript] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("## "):
            found.append(Transcript(path, [line], []))
        elif not found:
            continue
        elif line.startswith("$ "):
            found[-1].steps.append(Step(line.removeprefix("$ ")))
        elif not (steps := found[-1].steps):
            found[-1].words.append(line)
        elif line.startswith("> ") and not steps[-1].expected:
            steps[-1].typed.append(line.removeprefix("> "))
        else:
            steps[-1].expected.append(line)
    assert found and all(one.steps for one in found), path
    for transcript in found[:-1]:  # the blank line between two transcripts
        while transcript.steps[-1].expected[-1:] == [""]:
            transcript.steps[-1].expected.pop()
    return found


def performed(run: Run, step: Step) -> list[str]:
    """Carry out a command; return what stands in the terminal below it."""
    name, *words = shlex.split(step.command)
    target = words[words.index(">") + 1] if ">" in words else ""
    source = words[words.index("<") + 1] if "<" in words else ""
    words = words[: min(words.index(sign) for sign in "<>" if sign in words)] if target or source else words
    typed = "".join(f"{line}\n" for line in step.typed)
    if name == "adjudicator":
        done = run(*words, stdin=Path(source).read_bytes() if source else typed)
        if target:
            Path(target).write_bytes(done.stdout_bytes)
        printed = done.stderr if target else done.output
        lines = printed.replace("\r\n", "\n").rstrip("\n").split("\n") if printed.strip() else []
        return [*lines, *([f"[exit {done.exit_code}]"] if done.exit_code else [])]
    if name == "cat" and target:
        written(typed, target)
    elif name in ("cat", "grep"):
        lines = Path(words[-1]).read_text("utf-8").splitlines()
        return [line for line in lines if name == "cat" or words[0] in line]
    elif name == "sed":
        _, old, new, _ = words[1].split(words[1][1])
        text = Path(words[2]).read_text("utf-8")
        assert old in text, f"{words[2]} lacks {old}"
        Path(words[2]).write_text(text.replace(old, new, 1), "utf-8")
    elif name == "cp":
        shutil.copy(words[0] if Path(words[0]).exists() else ROOT / words[0], words[1])
    elif name == "mv":
        Path(words[0]).rename(words[1])
    elif name == "rm":
        Path(words[0]).unlink()
    elif name == "mkdir":
        Path(words[0]).mkdir()
    elif name == "ls":
        return sorted(path.name for path in Path(*words).iterdir())
    else:
        raise ValueError(f"a transcript knows no command {name}")
    return []


@cache
def pattern(line: str) -> re.Pattern[str]:
    """Return what a line fits in which ``…`` stands for anything."""
    return re.compile(".*".join(map(re.escape, line.split("…"))))


def merged(expected: Sequence[str], shown: Sequence[str]) -> list[str]:
    """Return ``expected`` with the fewest changes after which ``shown`` fits; the same if it fits."""
    if any(line.startswith("[exit ") for line in (*expected[-1:], *shown[-1:])):  # never elided
        code = [line for line in shown[-1:] if line.startswith("[exit ")]
        wanted = [line for line in expected if not line.startswith("[exit ")]
        return [*merged(wanted, shown[: len(shown) - len(code)]), *code]
    shown = [re.sub(r"[0-9a-f]{16,}", "…", line) if line not in expected else line for line in shown]
    best: list[list[tuple[int, list[str]]]] = [[(0, [])]]
    for at in range(len(expected) + 1):
        row = best[0] if at == 0 else [(best[at - 1][0][0] + (expected[at - 1].strip() != "…"), best[at - 1][0][1])]
        if at and expected[at - 1].strip() == "…":
            row[0] = (row[0][0], [*row[0][1], expected[at - 1]])
        for here in range(1, len(shown) + 1):
            line = shown[here - 1]
            ways = [(row[here - 1][0] + 1, [*row[here - 1][1], line])]
            if at:
                words, above = expected[at - 1], best[at - 1]
                if words.strip() == "…":
                    ways = [row[here - 1], (above[here][0], [*above[here][1], words]), *ways]
                else:
                    if pattern(words).fullmatch(line):
                        ways.insert(0, (above[here - 1][0], [*above[here - 1][1], words]))
                    ways.append((above[here][0] + 1, above[here][1]))
            row.append(min(ways, key=lambda way: way[0]))
        if at:
            best.append(row)
    return best[-1][-1][1]


def rewritten(transcript: Transcript, shown: Sequence[Sequence[str]]) -> None:
    """Write into its file what the commands of ``transcript`` have printed."""
    text = transcript.path.read_text("utf-8")
    old = transcript.text
    assert old in text, transcript
    for step, lines in zip(transcript.steps, shown, strict=True):
        step.expected = merged(step.expected, lines)
    transcript.path.write_text(text.replace(old, transcript.text, 1), "utf-8", newline="\n")


def main() -> int:
    """Write the transcripts in some files anew."""
    parser = argparse.ArgumentParser(description="Write what the commands of transcripts print; then read `git diff`.")
    parser.add_argument("--write", metavar="FILE", nargs="+", type=Path, required=True)
    stems = [path.stem for path in parser.parse_args().write]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        str(FOLDER / "test_transcripts.py"),
    ]
    command += ["--no-header", "--tb=line", "-k", " or ".join(stems)]
    return subprocess.run(command, env={**os.environ, WRITES: os.pathsep.join(stems)}, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
