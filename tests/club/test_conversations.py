"""Conversations with a club (``tests/club/*.txt``) go as they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.club import FOLDER, Conversation, conversations

CASES = [pytest.param(one, id=one.name) for file in sorted(FOLDER.glob("*.txt")) for one in conversations(file)]


@pytest.mark.parametrize("conversation", CASES)
def test_a_conversation_goes_as_it_is_written(conversation: Conversation, tmp_path: Path) -> None:
    conversation.take_place(tmp_path)
