"""Conversations with a club (``tests/club/*.txt``) go as they are written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.drivers.club import FOLDER, Conversation, conversations

IS_OLD = os.environ.get("CLUB") != "club2"
CASES = [one for file in sorted(FOLDER.glob("*.txt")) for one in conversations(file)]
FAULTS = pytest.mark.xfail(IS_OLD, reason="known faults", strict=True)


def case(one: Conversation) -> object:
    return pytest.param(one, id=one.name, marks=FAULTS if one.file.stem == "faults" else ())


@pytest.mark.parametrize("conversation", [case(one) for one in CASES])
def test_a_conversation_goes_as_it_is_written(conversation: Conversation, tmp_path: Path) -> None:
    conversation.take_place(tmp_path)
