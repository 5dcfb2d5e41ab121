"""Heads: every report, log and receipt has the number of an entry and its proof, in one form that is read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.game import Game
from adjudicator.core.head import Head, proof_maker
from adjudicator.reports.data.heading import HEAD
from adjudicator.store.load import load_game

Run = Callable[..., Result]
Orders = Callable[..., str]
COMMITMENT = "commitment "


def head(game: Game | Path, back: int = 1) -> Head:
    read = load_game(str(game)) if isinstance(game, Path) else game
    last = read.journal[-back]
    proof = proof_maker(read.chance.secret)(last)
    assert proof is not None
    return Head(last.entry.n, proof)


def heads(text: str) -> set[Head]:
    return {Head(int(n), proof) for n, proof in HEAD.findall(text)}


def as_data(one: Head) -> dict[str, Any]:
    return {"n": one.n, "proof": one.proof}


@pytest.mark.parametrize(
    "command", [["show"], ["show", "--as", "red"], ["log"], ["log", "--as", "blue", "--events"], ["pending"]]
)
def test_every_text_is_headed_by_it(run: Run, game: Path, orders: Orders, command: list[str]) -> None:
    run("apply", game, orders("red: MOVE D3"), code=0)
    text = run(command[0], game, *command[1:], code=0).stdout
    assert heads(text) == {head(game)}
    assert COMMITMENT in text
    assert max(len(line) for line in text.splitlines() if line.startswith("head ")) <= 76  # no mail program breaks it


def test_machines_get_it_too(run: Run, game: Path, orders: Orders) -> None:
    done = json.loads(run("apply", game, orders("red: MOVE D3"), "--json", code=0).stdout)
    now = as_data(head(game))
    assert done["head"] == now
    assert [receipt["head"] for receipt in done["receipts"]] == [now]
    for command in ("show", "pending"):
        assert json.loads(run(command, game, "--json", code=0).stdout)["head"] == now


def test_each_entry_of_a_log_has_its_proof(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders("red: MOVE D3"), code=0)
    for command in ("log", "replay"):
        rows = [json.loads(line) for line in run(command, game, "--json", code=0).stdout.splitlines()][:2]
        assert [row["proof"] for row in rows] == [head(game, 2).proof, head(game).proof]
    run("apply", game, "--log", "log.jsonl", orders("red: DRAW", "more.txt"), code=0)
    assert json.loads((game.parent / "log.jsonl").read_text().splitlines()[-1])["proof"] == head(game).proof


def test_apply_prints_it_with_each_receipt_and_in_the_end(run: Run, game: Path, orders: Orders) -> None:
    text = run("apply", game, orders("red: MOVE D3"), code=0).stdout
    assert text.splitlines()[-1] == f"head 1 {head(game).proof}"
    receipt = text[text.index("red: received") :].split("\n\n")[0]
    assert f"\n  head 1 {head(game).proof}" in receipt


def test_what_is_only_tried_has_none(run: Run, game: Path, orders: Orders) -> None:
    for command in (["check"], ["apply", "--dry-run"], ["check", "--as", "red"]):
        assert not heads(run(command[0], game, orders("red: MOVE D3"), *command[1:], code=0).stdout)
    tried = json.loads(run("check", game, orders("red: MOVE D3"), "--json", code=0).stdout)
    assert "head" not in tried
    assert "proof" not in tried["accepted"][0]
    assert "head" not in tried["receipts"][0]


def test_all_that_turn_writes_has_it(run: Run, game: Path, orders: Orders) -> None:
    text = run("turn", game, orders("red: MOVE D3"), "-o", "out", code=0).stdout
    assert heads(text) == {head(game)}
    for name in ("red.txt", "blue.txt", "bystanders.txt", "moderator.txt"):
        report = (game.parent / "out" / name).read_text()
        assert heads(report) == {head(game)}
        assert COMMITMENT in report
    assert json.loads((game.parent / "out/manifest.json").read_text())["head"] == as_data(head(game))


def test_a_correction_tells_it(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders("red: MOVE D3"), code=0)
    text = run("undo", game, "--to", "0", "--reason", "slip", code=0).stdout
    assert heads(text) == {head(game)}


def test_what_others_skipped_shows_in_no_head(run: Run, game: Path, orders: Orders) -> None:
    """That red has tried something in vain is told to red and the moderator alone; the head is the same for all."""
    before = head(game)
    run("apply", game, orders("red: IF minutes > 500 THEN DRAW"), code=0)
    assert head(game).n == 1
    assert heads(run("show", game, "--as", "blue", code=0).stdout) == {before}
    assert heads(run("show", game, code=0).stdout) == {before}
    for seat in ("red", "moderator"):
        assert heads(run("show", game, "--as", seat, code=0).stdout) == {before}
    run("apply", game, orders("red: MOVE D3"), code=0)
    assert heads(run("show", game, "--as", "moderator", code=0).stdout) == {Head(1, head(game).proof)}


def test_where_chance_is_recorded_there_is_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "draws.txt").write_text("1 2 3 4")
    arguments = ["--seat", "red", "--seat", "blue", "--recorded", "draws.txt", "-o", "flag.json"]
    run("new", "checkered-flag", *arguments, code=0)
    assert not heads(run("show", "flag.json", code=0).stdout)
    assert json.loads(run("show", "flag.json", "--json", code=0).stdout)["head"] is None


def test_once_the_secret_is_out_no_entry_is_proved_until_the_game_is_over(run: Run, game: Path, orders: Orders) -> None:
    """Whoever knows the secret can try out what was sealed or drawn, by the proof as well as by the hash."""
    run("apply", game, orders("red: MOVE D3"), code=0)
    before = head(game)
    run("reveal", game, "--force", "--reason", "all may know", code=0)
    run("apply", game, orders("red: MOVE C3"), code=0)
    for command in (["show"], ["log", "--as", "moderator"], ["show", "--as", "red"]):
        assert heads(run(command[0], game, *command[1:], code=0).stdout) == {before}
    for command in (["log"], ["replay"], ["log", "--as", "moderator"]):
        lines = run(command[0], game, *command[1:], "--json", code=0).stdout.splitlines()[:4]
        assert ["proof" in json.loads(line) for line in lines] == [True, True, False, False]


def test_a_sealed_order_cannot_be_tried_out_by_what_is_published(run: Run, tmp_path: Path, orders: Orders) -> None:
    """Who knows the hash before it, and all that an entry may be, has still to know the secret.

    With the hash of the entry itself it is done at once: so that is what must not be published.
    """
    seats = ["--seat", "red", "--seat", "blue", "--seat", "green", "--seed", "ab" * 32, "--id", "c"]
    run("new", "checkpoint-charlie", *seats, "-o", "c.json", code=0)
    start = (tmp_path / "c.json").read_bytes()
    clues = [row["order"] for row in json.loads(run("legal", "c.json", "--as", "blue", "--json").stdout)["blue"]]
    run("apply", "c.json", orders(f"blue: {clues[1]}"), code=0)
    game = load_game("c.json")
    published = run("log", "c.json", "--json").stdout + run("show", "c.json", "--as", "red", "--json").stdout
    candidates = []
    for clue in clues:  # what anybody can do alone: play the same game with another clue
        Path("try.json").write_bytes(start)
        run("apply", "try.json", orders(f"blue: {clue}"), code=0)
        candidates.append(load_game("try.json").journal[1].entry)
    before = game.journal[0].hash
    tried = [sha256(before.encode() + canonical_bytes(entry)).hexdigest() for entry in candidates]
    assert tried.index(game.journal[1].hash) == 1
    assert not any(hash_ in published for hash_ in (before, *tried))
    assert head(game).proof in published
