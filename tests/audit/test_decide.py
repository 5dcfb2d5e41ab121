"""Honest games are verified, whatever happened in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.audit.decide import audit_game
from adjudicator.core.chance import ChanceRecord
from adjudicator.core.corrections import CORRECTIONS
from adjudicator.session import Session
from adjudicator.store.save import dump_game
from adjudicator.verdict import Kind, Verdict


def corrections_of(session: Session) -> int:
    return sum(1 for link in session.game.journal for event in link.entry.events if isinstance(event, CORRECTIONS))


def test_the_game_with_everything_has_everything(table_talk: Session) -> None:
    entries = [link.entry for link in table_talk.game.journal]
    assert {type(event) for entry in entries for event in entry.events} >= set(CORRECTIONS)
    assert any(entry.notes for entry in entries)
    assert any(entry.written for entry in entries)
    assert table_talk.game.pending


def test_a_game_with_corrections_of_each_kind_is_verified(table_talk: Session, judged: Callable[..., Any]) -> None:
    verdict = judged(dump_game(table_talk.game))
    assert verdict.divergence is None
    assert verdict.corrections == corrections_of(table_talk) == 6
    assert verdict.entries == len(table_talk.game.journal) == verdict.orders + verdict.corrections + 1
    assert verdict.draws == table_talk.game.journal[-1].entry.drawn
    assert (verdict.game, verdict.ruleset, verdict.is_over) == ("rally-042", "checkpoint-rally", False)


def test_a_game_whose_chance_is_recorded_is_verified(at_a_table: Session, judged: Callable[..., Any]) -> None:
    assert any("[" in (link.entry.written or "") for link in at_a_table.game.journal[1:])
    verdict = judged(dump_game(at_a_table.game))
    assert verdict.divergence is None
    assert verdict.draws == at_a_table.game.journal[-1].entry.drawn


def test_a_finished_game_is_verified_and_over(finished: Session, judged: Callable[..., Any]) -> None:
    verdict = judged(dump_game(finished.game))
    assert (verdict.divergence, verdict.is_over) == (None, True)


@pytest.mark.parametrize("seed", range(8))
def test_games_at_random_are_verified(make_game: Callable[..., bytes], judged: Callable[..., Any], seed: int) -> None:
    verdict = judged(make_game(60, seed, secret=f"{seed:064x}"))
    assert (verdict.divergence, verdict.orders) == (None, 60)


def test_the_verdict_travels_with_the_name_of_the_source(table_talk: Session) -> None:
    assert audit_game(table_talk, "a/b.json").source == "a/b.json"


def test_without_its_secret_a_game_cannot_be_verified(table_talk: Session) -> None:
    from dataclasses import replace

    chance = table_talk.game.chance
    told = ChanceRecord(source="committed", commitment=chance.commitment, entropy=chance.entropy)
    verdict = audit_game(table_talk.with_game(replace(table_talk.game, chance=told)))
    assert isinstance(verdict, Verdict)
    assert verdict.divergence is not None
    assert (verdict.divergence.kind, verdict.divergence.field) == (Kind.CHANCE, "chance.secret")
