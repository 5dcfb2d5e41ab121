"""The page on mails says what is so: its limits, its codes, its commands, its examples."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.mail import limits
from adjudicator.orders.findings import MOST_IGNORED
from adjudicator.orders.turnfile import TurnFile

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mail.md").read_text("utf-8")
LIMITS = PAGE.partition("## Limits")[2]


def test_limits() -> None:
    numbers = [int(number) for number in re.findall(r"\d+", LIMITS.partition("The text also")[0].replace(",", ""))]
    assert numbers == [
        *(limits.MOST_BYTES // 1_000_000, limits.MOST_BYTES + 1, limits.MOST_TEXT, limits.MOST_LINES, limits.MOST_PARTS),
        *(limits.MOST_DEPTH, limits.MOST_FIELDS, limits.MOST_TAGS, limits.MOST_MAILS),
        *(limits.MOST_OF_A_FIELD, limits.MOST_PARAMETERS, limits.MOST_HEAD, MOST_IGNORED),
    ]


def test_codes() -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "adjudicator" / "mail").glob("*.py")]
    used = {code for text in sources for code in re.findall(r'"(mail/[a-z-]+)"', text)}
    assert set(re.findall(r"`(mail/[a-z-]+)`", LIMITS)) == used


@pytest.mark.parametrize(
    "line", re.findall(r"`([^`]+)`", PAGE.partition("A line that begins like an order")[2].partition("\n\n")[0])
)
def test_lines_that_are_problems(line: str, receive_mail: Callable[..., TurnFile]) -> None:
    found = receive_mail("checkpoint-rally", f"Received: x\n\nDRAW\n{line}\n".encode(), "red")
    assert [diagnostic.line for diagnostic in found.diagnostics] == [2]


@pytest.mark.parametrize("command", re.findall(r"^adjudicator (.*)$", PAGE, re.MULTILINE))
def test_commands_name_mails_with_seats(command: str) -> None:
    assert command.split()[0] in ("check", "apply", "turn")
    assert "red=ann.eml" in command or command == "apply rally-042.json mails/ inbox.mbox Maildir"
