"""The script with which players hold published texts against each other, without the program."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPT = EXAMPLES / "verify_published.py"
GAME = EXAMPLES / "checkpoint-charlie" / "three-players" / "game.json"
Run = Callable[..., Result]


def script(*arguments: object, code: int) -> str:
    # Isolated (-I), so that nothing of the checkout or of the installed package is on the path by accident.
    command = [sys.executable, "-I", str(SCRIPT), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, ""), done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def texts(run: Run) -> list[str]:
    """Save what several readers were told of one game, in several forms."""
    for viewer in ("red", "blue", "moderator"):
        Path(f"{viewer}.jsonl").write_text(run("log", GAME, "--json", "--as", viewer, code=0).stdout)
    Path("public.txt").write_text(run("log", GAME, code=0).stdout)
    quoted = "".join(f"> {line}\n" for line in run("show", GAME, code=0).stdout.splitlines())
    Path("mail.eml").write_text(f"From: Ann\nSubject: our game\n\nLook:\n{quoted}")
    Path("show.json").write_text(run("show", GAME, "--json", code=0).stdout)
    return ["red.jsonl", "blue.jsonl", "moderator.jsonl", "public.txt", "mail.eml", "show.json"]


def entries() -> list[Any]:
    journal: list[Any] = json.loads(GAME.read_bytes())["journal"]
    return journal


def test_honest_texts_agree_and_the_game_file_proves_them(texts: list[str]) -> None:
    last = len(entries()) - 1
    told = script(*texts, code=0)
    assert told.startswith(f"agree: 6 texts with the proofs of {last + 1} entries, up to entry {last}; the game file, once")
    assert script(GAME, *texts, code=0).endswith("and the game file proves them\n")
    script(texts[3], texts[4], code=0)


@pytest.mark.parametrize("at", [0, 3, -1])
def test_a_journal_that_was_changed_in_between_is_found_without_any_game_file(texts: list[str], at: int) -> None:
    rows = [json.loads(line) for line in Path("blue.jsonl").read_text().splitlines()]
    proved = [row for row in rows if "proof" in row]
    later = proved[at]["n"]
    for row in proved:  # whatever is changed: from there on every proof is another one
        if row["n"] >= later:
            row["proof"] = "ab" * 32
    Path("blue.jsonl").write_text("\n".join(map(json.dumps, rows)))
    told = script("red.jsonl", "blue.jsonl", code=1)
    assert told.startswith(f"proof of entry {later}: red.jsonl has ")
    assert "blue.jsonl has abab" in told


def test_logs_that_tell_otherwise_of_an_order_are_found_without_proofs(texts: list[str]) -> None:
    for name in ("red.jsonl", "blue.jsonl"):
        rows = [json.loads(line) for line in Path(name).read_text().splitlines()]
        for row in rows:
            row.pop("proof", None)
        if name == "blue.jsonl":
            at = next(row for row in rows if row["n"] and row["order"])
            at["order"] = "PASS"
        Path(name).write_text("\n".join(map(json.dumps, rows)))
    assert script("red.jsonl", "blue.jsonl", code=1).startswith(f"order of entry {at['n']}: ")


def forged(change: Callable[[Any], None], forge: Callable[[Any], bytes]) -> str:
    document = json.loads(GAME.read_bytes())
    change(document)
    Path("forged.json").write_bytes(forge(document))
    return "forged.json"


def test_a_game_file_that_was_written_anew_is_found(texts: list[str], forge: Callable[[Any], bytes]) -> None:
    def written(document: Any) -> None:
        document["journal"][5]["entry"]["written"] = "PASS OR PASS"

    def ended(document: Any) -> None:
        del document["journal"][-3:]

    assert script(forged(written, forge), "red.jsonl", code=1).startswith("proof of entry 5: forged.json has ")
    last = len(entries()) - 1
    assert f"entry {last} stands in public.txt, and the game file ends with entry {last - 3}" in script(
        forged(ended, forge), "public.txt", code=1
    )


def test_a_game_file_that_does_not_hold_together_is_told(texts: list[str]) -> None:
    document = json.loads(GAME.read_bytes())
    for change, words in (
        ({"secret": "ab" * 32}, "its secret is not the one committed to"),
        ({"secret": None}, "it has no secret"),
    ):
        Path("bad.json").write_text(json.dumps({**document, "chance": {**document["chance"], **change}}))
        assert words in script("bad.json", "red.jsonl", code=1)
    document["journal"][4]["entry"]["turn"] += 1
    Path("bad.json").write_text(json.dumps(document))
    assert "entry 4 does not fit its hash" in script("bad.json", "red.jsonl", code=1)


def test_another_commitment_is_told(texts: list[str]) -> None:
    text = Path("public.txt").read_text()
    commitment = json.loads(GAME.read_bytes())["chance"]["commitment"]
    Path("public.txt").write_text(text.replace(commitment, "cd" * 32))
    assert script("red.jsonl", "public.txt", code=1).startswith("commitment: red.jsonl has ")


def test_what_was_skipped_is_counted_by_nobody(run: Run, tmp_path: Path) -> None:
    source = EXAMPLES / "checkered-flag" / "race" / "game.json"
    shutil.copy(source, "race.json")
    arguments = ["--seat", "red", "--seat", "blue", "-o", "race.json", "--force"]
    run("new", "checkered-flag", *arguments, code=0)
    due = json.loads(run("show", "race.json", "--json").stdout)["due"][0]["seat"]
    run("apply", "race.json", "-", stdin=f"{due}:\nIF gear > 3 THEN GEAR 2\nGEAR 1\n", code=0)
    journal = json.loads(Path("race.json").read_bytes())["journal"]
    assert [link["entry"]["order"] for link in journal[1:]][:2] == ["(condition not met)", "GEAR 1"]
    for viewer in (due, "moderator"):
        Path(f"{viewer}.jsonl").write_text(run("log", "race.json", "--json", "--as", viewer).stdout)
    Path("public.txt").write_text(run("log", "race.json").stdout)
    script("race.json", f"{due}.jsonl", "moderator.jsonl", "public.txt", code=0)


def test_nothing_to_compare_is_told(texts: list[str]) -> None:
    Path("chat.txt").write_text("Hello!")
    assert "nothing to compare" in script("red.jsonl", code=2)
    assert "chat.txt: there is nothing in it to compare" in script("red.jsonl", "chat.txt", code=0)
    assert "nowhere.txt" in script("nowhere.txt", code=1)


@pytest.mark.parametrize(
    "text", ["{" * 5000, '{"n":[],"proof":7}', '{"public":{"n":{}},"n":1,"proof":"a"}', "\x00\xff", '{"n":1,"proof":""}']
)
def test_hostile_texts_break_nothing(texts: list[str], text: str) -> None:
    Path("hostile.txt").write_text(text)
    subprocess_result = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), "red.jsonl", "hostile.txt"], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in subprocess_result.stderr
    assert subprocess_result.returncode in (0, 1)
