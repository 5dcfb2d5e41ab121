"""The commands of mails: their table, HELP, and the page for players agree, and prose is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.club import requests  # noqa: F401 - it fills the table
from adjudicator.club.commands import help_text, read
from adjudicator.club.settings import PeopleSettings
from adjudicator.orders.lines import COMMANDS
from tests.drivers.club import begin, flat
from tests.drivers.commands import ROOT

HELP = help_text(PeopleSettings(join=True, new=True), is_for_seat=True)
WITHDRAW = "WITHDRAW"
"""An order of every game, and no command of a club."""


def names(*lines: str) -> tuple[str, ...]:
    """Return the commands that the club reads in ``lines``, with ``?`` for one that it cannot read."""
    return tuple("?" if one.hint else one.command.name for one in read(lines).asks)


def test_help_has_every_command_and_examples_that_can_be_read() -> None:
    lines = re.findall(r"(?m)^  (?=[A-Z])(.*?)  ", HELP.replace("VOTE draw, VOTE undo", "VOTE draw  "))
    examples = [line.strip() for line in lines]
    assert [one for one in examples if names(one) != (one.split()[0],)] == [WITHDRAW]
    assert {one.split()[0] for one in examples} - {WITHDRAW} <= COMMANDS
    assert COMMANDS - {"RULE", "REGISTER"} <= set(re.findall(r"[A-Z]{3,}", HELP))  # REGISTER is in the letter to strangers


def test_help_does_not_name_what_the_club_does_not_do() -> None:
    assert "  NEW " not in help_text(PeopleSettings(join=True), is_for_seat=True)
    assert "  JOIN " not in help_text(PeopleSettings(), is_for_seat=True)
    assert "PREVIEW" not in help_text(PeopleSettings(join=True, new=True), is_for_seat=False)


def test_the_page_for_players_has_every_command() -> None:
    page = (ROOT / "docs" / "players.md").read_text("utf-8")
    lines = re.findall(r"^\| `([A-Z].*?)` \|", page, re.MULTILINE)
    assert [line for line in lines if names(line) != (line.split()[0],)] == [WITHDRAW]
    assert len({line.split()[0] for line in lines}) >= 20


def test_every_word_of_a_command_is_known_to_the_readers_of_orders() -> None:
    """They tell a player who writes a command beside orders, or to a club that does not run the game."""
    words = {
        word for word in COMMANDS if names(word) or names(f"{word} a = b") or names(f"{word} for deadline", f"{word} a")
    }
    assert words == COMMANDS


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("JOIN race-7 as Blue.", {"wanted": "race-7", "seat": "blue"}),
        ("please JOIN", {}),
        ("HOLIDAY from 2026-12-20 until 2027-01-03.", {"first": "2026-12-20", "last": "2027-01-03"}),
        ("HOLIDAY 2026-12-20-2027-01-03", {"first": "2026-12-20", "last": "2027-01-03"}),
        ("MESSAGE to Blue & green and WHITE : hi", {"to": "('blue', 'green', 'white')", "text": "hi", "below": ""}),
        ("MESSAGE anonymously to all: boo", {"anonymous": "True", "to": "('all',)", "text": "boo", "below": ""}),
        ("*set Name = Ann Lee*", {"name": "name", "value": "Ann Lee"}),
        ("NEW great-race PLAYERS=3 deadline=48h.", {"ruleset": "great-race", "wish": "{'players': '3', 'deadline': '48h'}"}),
        ("RULES: CF-G1.", {"wanted": "CF-G1"}),
        ("rule", {"wanted": ""}),
    ],
)
def test_a_pattern_gives_its_values(line: str, values: dict[str, str]) -> None:
    [asked] = read([line]).asks
    assert {name: str(value) for name, value in asked.values.items()} == values


def test_a_line_that_begins_like_a_command_says_how_to_write_it(tmp_path: Path) -> None:
    hints = {
        "HOLIDAY next week": "write a holiday like HOLIDAY 2026-12-20 to 2027-01-03",
        "HOLIDAY 2026-02-30 to 2026-03-02": "one of these days does not exist",
        "VOTE maybe": "write VOTE draw, VOTE undo",
        "MESSAGE to blue, all hi": "write a message like MESSAGE to blue:",
        "MESSAGE anonymous: hi": "write a message like MESSAGE to blue:",
    }
    club = begin("race", tmp_path)
    for line in hints:
        club.mail("red", line)
    club.round()
    answers = [flat(letter.text) for letter in club.new if letter.to == "red"]
    assert [hint for hint, said in zip(hints.values(), answers, strict=True) if hint not in said] == []


def test_at_most_twenty_commands_of_a_mail_count(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.mail("red", "\n".join(f"HOLIDAY next week {day}" for day in range(1, 26)))
    club.round()
    text = club.letter("red", "race: your mail has a mistake").text
    assert text.count("write a holiday like") == 20
    assert re.findall(r"(?m)^Line (\d+): “HOLIDAY” is a command to a club", text) == ["21", "22", "23", "24", "25"]
