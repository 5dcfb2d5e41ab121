"""Every transcript of this folder is what stands in a terminal today."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.drivers.commands import FOLDER, WRITES, Run, Transcript, merged, read, rewritten

TRANSCRIPTS = [transcript for path in sorted(FOLDER.glob("*.txt")) for transcript in read(path)]
WRITTEN = set(os.environ.get(WRITES, "").split(os.pathsep))


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=str)
def test_a_terminal_shows(run: Run, transcript: Transcript) -> None:
    shown = transcript.play(run)
    if transcript.path.stem in WRITTEN:
        rewritten(transcript, shown)
    assert list(transcript.problems(shown)) == [], "\n".join(transcript.problems(shown))


def test_each_says_above_it_what_a_user_must_see() -> None:
    assert [str(one) for one in TRANSCRIPTS if not any(line.strip() for line in one.words[1:])] == []
    assert len({str(one) for one in TRANSCRIPTS}) == len(TRANSCRIPTS)


@pytest.mark.parametrize(
    ("expected", "shown", "again"),
    [
        (["a", "…", "d"], ["a", "b", "c", "d"], ["a", "…", "d"]),
        (["a", "…", "d"], ["a", "d"], ["a", "…", "d"]),
        (["a … 7"], ["a b c 7"], ["a … 7"]),
        (["a … 7"], ["a b c 8"], ["a b c 8"]),
        (["a", "b", "c"], ["a", "c"], ["a", "c"]),
        (["a", "…", "x", "z …"], ["a", "1", "y", "z 9"], ["a", "…", "z …"]),
        ([], [f"head {'0a' * 32}", "[exit 1]"], ["head …", "[exit 1]"]),
    ],
)
def test_what_is_still_printed_stays_as_it_is_written(expected: list[str], shown: list[str], again: list[str]) -> None:
    assert merged(expected, shown) == again


def test_what_a_user_must_see_cannot_be_written_away(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("## Say it\n`no such word`\nNever printed: `Usage`\n\n$ adjudicator show\n…\n[exit 1]\n")
    (transcript,) = read(path)
    shown = transcript.play(run)
    assert len(list(transcript.problems(shown))) == 3
    rewritten(transcript, shown)
    (again,) = read(path)
    assert path.read_text().endswith("…\n[exit 2]\n")
    assert list(again.problems(shown)) == ["must be printed: no such word", "must not be printed: Usage"]
