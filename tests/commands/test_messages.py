"""The page of messages (docs/messages.md) quotes what the program really says, and messages.tsv what needs no page.

The case at the same place in ``ON_PAGE`` provokes each row of the page, that in ``OTHERS`` each line of messages.tsv. When
messages have changed, ``python tests/commands/test_messages.py`` writes the new ones there, and keeps the other column.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.commands import ROOT, Run, rally_bytes

PAGE = ROOT / "docs" / "messages.md"
OTHER_MESSAGES = Path(__file__).parent / "messages.tsv"
ROW = re.compile(r"^\| `(?P<code>[a-z/-]+)` \| (?P<message>.*?) \| (?P<remedy>[^|]+) \|$")
WRITES = "ADJUDICATOR_WRITE_MESSAGES"
NEW = "new checkpoint-rally --seat red --seat blue"


def order(text: str, name: str = "turn.txt") -> tuple[str, dict[str, str | bytes]]:
    """Return the case of a turn file with this ``text``."""
    return f"check rally.json {name}", {"turn.txt": text}


def changed(old: str, new: str) -> tuple[str, dict[str, Any]]:
    """Return the case of the game file with ``new`` in the place of ``old``."""
    return "show bad.json", {"bad.json": lambda game: new.encode().join(game.rsplit(old.encode(), 1))}


def setting(line: str) -> tuple[str, dict[str, str | bytes]]:
    """Return the case of a club whose settings have this ``line`` as well."""
    head = 'name = "T"\naddress = "club@example.org"\nmoderator = "me@example.org"\n'
    return "club status thu", {"thu/club.toml": head + line}


ON_PAGE: list[tuple[str, dict[str, Any]]] = [
    order("red: PLACE H2 at B1\n  rot 90"),
    order("red: DRAW\n  I will DRAW"),
    order("Dear all, no orders today."),
    order("> red: DRAW\n> MOVE D3\n"),
    ("check rally.json turn.txt", {"turn.txt": b"\x7fELF\x00\x00" * 100}),
    order("red: WITHDRAW from 3"),
    ("show bad.json", {"bad.json": b"red: DRAW\n"}),
    changed('"minutes":5', '"minutes":4'),
    changed('"holder":"Ann"', '"holder":"Eve"'),
    ("undo rally.json --to last --reason x", {}),
]
"""The same for each row of the page."""
OTHERS: list[tuple[str, dict[str, Any]]] = [
    # Orders that cannot be read
    order("red: PLAC H2 at B1"),
    order("red: MOVE"),
    order("red: DRAW quickly"),
    order("red: DRAW OR REFRESH MOVE D3"),
    order("red: DRAW\n  PREVEIW"),
    order("DRAW"),
    order("red MOVE D3"),
    order("green: DRAW"),
    order("blue: DRAW", "red=turn.txt"),
    order("game rally-43\nred: DRAW"),
    order("red: DRAW\n\norders of rally, turn 1, as red\n  MOVE D3\nEND of orders"),
    order("# red: DRAW\n"),
    order("red: MOVE D3\n  WITHDRAW"),
    order("red: IF wealth > 3 THEN DRAW"),
    order("red: IF row has X99 THEN DRAW"),
    order("red: DRAW [H1 H2]"),
    # Orders that the rules do not allow
    order("red: PLACE H99 at B1"),
    order("red: PLACE H2 at B1 rot 45"),
    order("red: PLACE H9 at B1"),
    order("red: PLACE H2 at A1"),
    order("red: MOVE B3"),
    order("red: MOVE C4"),
    order("red: MOVE E5"),
    order("red: MOVE D3 C3 C2"),
    order("red: TAKE H4"),
    order("red: TAKE U9"),
    order("red: DISCARD H2"),
    # Files
    ("show nowhere.json", {}),
    ("show .", {}),
    ("show empty.json", {"empty.json": b""}),
    ("show bad.json", {"bad.json": b"{}"}),
    changed('"format":2', '"format":99'),
    changed('"gps":0', '"gps":-1'),
    (f"{NEW} -o rally.json", {}),
    # Command lines
    ("aply rally.json turn.txt", {}),
    ("apply", {}),
    ("show rally.json --as green", {}),
    ("apply rally.json", {}),
    ("new checkpoint-raly --seat red", {}),
    ("new checkpoint-rally --seat red", {}),
    (f"{NEW} --option map=middle", {}),
    ("turn rally.json turn.txt", {"turn.txt": "red: DRAW"}),
    # Clubs
    ("club status nowhere", {}),
    setting("[deadlines]\nnrm = 'bot'\n"),
    setting("[deadlines]\nnmr = 'bto'\n"),
    setting("[incoming]\nport = '993'\n"),
    order("turn 7\nred: DRAW"),
    ("show bad.json", {"bad.json": lambda game: game[: len(game) // 2]}),
    changed('"id":"checkpoint-rally"', '"id":"checkpoint-ralley"'),
    changed('"pending":[]', '"pendig":[]'),
]
"""A command line and the files that it reads (a function changes the bytes of the game), for each message that says what
to do, or what is possible."""
CASES = [*ON_PAGE, *OTHERS]


def said(run: Run, game: bytes, case: tuple[str, dict[str, Any]]) -> tuple[str, str]:
    """Return the code and the words of the first message that the ``case`` provokes."""
    line, files = case
    for name, data in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        made = data(game) if callable(data) else data
        Path(name).write_bytes(made if isinstance(made, bytes) else made.encode())
        assert made != game
    answer = json.loads(run(*line.split(), "--json").stdout.splitlines()[0])
    first = answer["problems"][0] if answer.get("problems") else answer
    # Below its heading, a message about a file has a line for each problem.
    words = first["message"].split("\n")[1] if first.get("violations") else first["message"]
    return first.get("code") or first["error"], " ".join(words.split()).replace("|", "\\|")


@pytest.fixture
def page() -> list[re.Match[str]]:
    """Return the rows of the page."""
    return [match for line in PAGE.read_text(encoding="utf-8").splitlines() if (match := ROW.match(line))]


@pytest.fixture
def recorded(page: list[re.Match[str]]) -> list[tuple[str, str]]:
    """Return the code and the words of the message that each of ``CASES`` has."""
    others = [line.partition("\t") for line in OTHER_MESSAGES.read_text(encoding="utf-8").splitlines()]
    return [(row["code"], row["message"]) for row in page] + [(code, message) for code, _, message in others]


def test_every_case_has_a_row(page: list[re.Match[str]], recorded: list[tuple[str, str]]) -> None:
    assert len(page) == len(ON_PAGE)
    assert len(recorded) == len(CASES) >= 60


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda number: f"{number}-{CASES[number][0][:30]}")
def test_what_is_recorded_is_what_the_program_says(run: Run, recorded: list[tuple[str, str]], number: int) -> None:
    Path("rally.json").write_bytes(rally_bytes())
    now = said(run, rally_bytes(), CASES[number])
    if os.environ.get(WRITES):
        place, form = (PAGE, "| `{}` | {} |") if number < len(ON_PAGE) else (OTHER_MESSAGES, "{}\t{}\n")
        text = place.read_text(encoding="utf-8").replace(form.format(*recorded[number]), form.format(*now), 1)
        place.write_text(text, encoding="utf-8", newline="\n")
        return
    assert recorded[number] == now


def test_every_row_says_what_to_do(page: list[re.Match[str]]) -> None:
    for row in page:
        assert row["remedy"].strip().endswith("."), row[0]


if __name__ == "__main__":
    os.environ[WRITES] = "1"
    raise SystemExit(pytest.main([__file__, "-q", "-n", "0"]))
