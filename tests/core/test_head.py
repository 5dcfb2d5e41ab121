"""Heads: a proof can be computed again by whoever has the secret, and by nobody else."""

from __future__ import annotations

import hmac
from typing import Any

import pytest

from adjudicator.core.head import proof_maker
from adjudicator.core.journal import Link, link

SECRET = bytes(range(32))


def entry(**changes: Any) -> Any:
    from adjudicator.core.journal import Entry

    plain = {"n": 1, "turn": 1, "seat": "red", "order": "CLUE", "written": None, "notes": (), "events": (), "drawn": 0}
    return Entry(**{**plain, **changes})


def test_it_is_the_hmac_that_the_documents_say() -> None:
    made = link("0" * 64, entry())
    right = hmac.digest(SECRET, b"adjudicator proof 1\n" + made.hash.encode(), "sha256").hex()
    assert proof_maker(SECRET.hex())(made) == right


def test_where_chance_is_recorded_there_is_none() -> None:
    assert proof_maker(None)(link("0" * 64, entry())) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"turn": 2},
        {"seat": "blue"},
        {"order": "DRAW"},
        {"written": "DRAW OR CLUE"},
        {"notes": ("IF minutes > 20: yes",)},
        {"events": ({"reason": "slip"},)},
        {"drawn": 1},
    ],
)
def test_it_fixes_everything_that_an_entry_holds(changes: dict[str, Any]) -> None:
    prove = proof_maker(SECRET.hex())
    assert prove(link("0" * 64, entry(**changes))) != prove(link("0" * 64, entry()))


def test_it_fixes_everything_before_it() -> None:
    prove = proof_maker(SECRET.hex())
    assert prove(link("0" * 64, entry())) != prove(link("1" * 64, entry()))


def test_another_secret_gives_another_proof() -> None:
    same = Link(entry(), "0" * 64)
    assert proof_maker(SECRET.hex())(same) != proof_maker("ab" * 32)(same)
