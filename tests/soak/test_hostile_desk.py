"""Damaged and hostile files through the requests of the desk: an answer or a refusal in words, never a bug."""

from __future__ import annotations

import json
from functools import cache
from pathlib import PurePath
from random import Random
from typing import Any, Final

import pytest
from attack import ODD_CHARACTERS, Attack, mutated_bytes
from hostile_lines import AROUND
from test_files import archives, damaged, games, mails, parts, scripts
from watch import in_time

from adjudicator.desk.requests import Desk
from adjudicator.files.errors import FileProblem
from adjudicator.own_file import own_file
from adjudicator.session import open_session
from adjudicator.store.load import load_game
from adjudicator.store.seat_files import dump_seat_file

MARKUP: Final = "<img src=//evil.example/x onerror=alert(1)><script>alert(1)</script>"
NAMES: Final = ("game.json", "", "/", "..", "../../etc/passwd", "-", "a\0b", MARKUP, "x" * 5_000, ODD_CHARACTERS, "box.mbox")
NESTED: Final = (b"[" * 100_000, b'{"a":' * 100_000, b'{"format": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")
ASKED: Final = ("look", "check", "costs", "words", "what_if", "choose", "report", "replay", "save", "audit", "apply", "undo")


@cache
def own_files() -> list[bytes]:
    """Return players' own files of every fifth game."""
    found = []
    for data in games()[::5]:
        try:
            session = open_session(load_game(data))
        except FileProblem:
            continue
        found.append(dump_seat_file(session.rules, own_file(session, session.seats[0])))
    return found


def hostile_file(luck: Random, forge: Any) -> bytes:
    kind = luck.choice((games, own_files, own_files, scripts, mails, parts, archives))
    if kind is archives:
        return luck.choice([data for _, data in archives(luck, forge)])
    if kind is parts:
        return damaged(luck, luck.choice(parts())[1])
    if kind is games:
        return damaged(luck, luck.choice(games()), forge)
    return damaged(luck, luck.choice(kind())) if kind is own_files else mutated_bytes(luck, luck.choice(kind()), 8)


def answered(attack: Attack, desk: Desk, request: str, *files: bytes, **values: Any) -> Any:
    """Return the answer to ``request``, which is JSON in any case, and never a bug."""
    with in_time(request):
        said, data = desk.answer(request, json.dumps(values), list(files))
    answer = json.loads(said)
    error = answer.get("error")
    attack.count(f"{request} {error['kind'] if error else 'answered'}")
    assert error is None or (error["kind"] == "refused" and error["message"]), (attack.told, request, values, error)
    return data if data is not None else answer


def ask_everything(attack: Attack, desk: Desk, game: Any) -> None:
    luck = attack.luck
    viewer = game["own"] or luck.choice((*game["seats"], "moderator", MARKUP, ""))
    seat = game["own"] or luck.choice((*game["seats"], MARKUP))
    text = "\n".join((f"{seat}:", *luck.choices((*AROUND, MARKUP, "GEAR 1", "WITHDRAW"), k=4)))
    for request in luck.sample(ASKED, 4):
        texts = {seat: text} if luck.random() < 0.5 else {}
        sent = () if texts else (mutated_bytes(luck, luck.choice(mails()), 8),)
        by = seat if request in ("check", "costs", "what_if") else viewer
        values = {"viewer": by, "seat": seat, "text": text, "texts": texts, "names": [luck.choice(NAMES)] * len(sent)}
        reason = luck.choice((MARKUP, "", "x"))
        files = sent if request == "apply" else ()
        answered(attack, desk, request, *files, trial=luck.random() < 0.5, reason=reason, **values)


@pytest.mark.parametrize("whole", [5, pytest.param(20_000, marks=pytest.mark.soak)])
def test_hostile_files_at_the_desk(attack: Attack, forge: Any, whole: int) -> None:
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        desk, data, name = Desk(), hostile_file(luck, forge), luck.choice(NAMES)
        opened = answered(attack, desk, "open", data, name=name)
        if "game" in opened:
            ask_everything(attack, desk, opened["game"])
        elif luck.random() < 0.3:
            answered(attack, desk, "audit_file", data, name=name)


@pytest.mark.parametrize("data", NESTED, ids=["lists", "objects", "closed"])
def test_files_nested_a_hundred_thousand_deep(attack: Attack, data: bytes) -> None:
    desk = Desk()
    assert "error" in answered(attack, desk, "open", data, name="deep.json")
    answered(attack, desk, "audit_file", data, name="deep.json")
    answered(attack, desk, "new", ruleset="checkered-flag", players={"red": "A", "blue": "B"}, seed=7)
    answered(attack, desk, "apply", data, names=[PurePath("deep.json").name])
