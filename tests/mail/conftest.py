"""What the tests of mails share: the corpus, and a reader of mails against a game that is known.

Test modules are imported by path, so that only this folder makes ``making`` and ``frames`` known to them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.order import instruction_text
from adjudicator.intake import submissions
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.rulesets import ruleset

sys.path.insert(0, str(Path(__file__).parent))

SEATS = (Seat("red"), Seat("blue"))
NAMES = {
    "checkpoint-rally": frozenset({"c3", "d3", "a1", "b1", "c2", "h3", "u7"}),
    "checkered-flag": frozenset({"straight", "danger", "wide", "narrow"}),
    "checkpoint-charlie": frozenset({"fleming", "hat", "glasses", "laces"}),
}


@pytest.fixture(scope="session")
def receive() -> Callable[..., TurnFile]:
    """Read what was sent for turn 7 of the game `rally-042` with the seats red and blue."""

    def read(game: str, files: Iterable[Submission | tuple[str, bytes]]) -> TurnFile:
        return read_turn_files(ruleset(game), Addressee("rally-042", 7, SEATS, {}, NAMES[game]), files)

    return read


@pytest.fixture(scope="session")
def receive_mail(receive: Callable[..., TurnFile]) -> Callable[..., TurnFile]:
    """Read the bytes of a mail, bound to a seat or not."""

    def read(game: str, data: bytes, seat: str | None = None) -> TurnFile:
        return receive(game, submissions("a.eml", data, Seat(seat) if seat else None))

    return read


@pytest.fixture(scope="session")
def sheets() -> Callable[[str, TurnFile], dict[str, list[str]]]:
    """Return the canonical words of the orders for each seat that has sent any."""

    def words(game: str, found: TurnFile) -> dict[str, list[str]]:
        text: Any = ruleset(game).language.text
        return {sheet.seat: [instruction_text(item, text) for item in sheet.instructions] for sheet in found.sheets}

    return words
