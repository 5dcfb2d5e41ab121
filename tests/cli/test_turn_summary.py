"""Receipts on the command line: printed seat by seat, in the record of the game, whole for machines."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from typer.testing import Result

from adjudicator.core.head import proof_maker
from adjudicator.store.load import load_game

Run = Callable[..., Result]
Orders = Callable[..., str]

MAIL = "Received: by mx; Mon, 2 Mar 2026 18:08:41 +0100\nMessage-ID: <1@x>\nFrom: Ann <ann@example.org>\n\n"


def test_apply_prints_a_receipt_for_each_seat_and_keeps_its_hash(run: Run, game: Path, orders: Orders) -> None:
    red, blue = f"{MAIL}MOVE D3\nMOVE Z9\n", "blue: DRAW\n"
    result = run("apply", game, f"red={orders(red, 'ann.eml')}", f"blue={orders(blue, 'blue.txt')}", code=1)
    hashes = [sha256(text.encode()).hexdigest() for text in (red, blue)]
    receipts = result.stdout.split("\n\n")[1]
    saved = load_game(str(game))
    proof = f"  head 1 {proof_maker(saved.chance.secret)(saved.journal[-1])}"
    assert receipts.splitlines()[:4] == [
        f"red: received ann.eml, 2026-03-02 17:08:41 UTC, sha256 {hashes[0][:16]}",
        "  line 1  MOVE D3  applied: entry 1",
        "  line 2  MOVE Z9  refused: Z9 is not on the board (A1 to E5)",
        proof,
    ]
    assert receipts.splitlines()[4:] == [
        f"blue: received blue.txt, sha256 {hashes[1][:16]}",
        "  line 1  DRAW  waits",
        "  waiting now: DRAW",
        proof,
    ]
    kept = load_game(str(game)).receipts
    assert [(one.turn, one.seat, one.hash, one.received) for one in kept] == [
        (1, "red", hashes[0], 1772471321),
        (1, "blue", hashes[1], None),
    ]


def test_machines_get_the_whole_hash(run: Run, game: Path, orders: Orders) -> None:
    text = "red: MOVE D3\n"
    told = json.loads(run("check", game, orders(text), "--json", code=0).stdout)["receipts"]
    assert [(one["seat"], one["hash"]) for one in told] == [("red", sha256(text.encode()).hexdigest())]


def test_where_nothing_is_changed_nothing_is_recorded(run: Run, game: Path, orders: Orders) -> None:
    before = game.read_bytes()
    result = run("apply", game, orders("red: MOVE Z9"), code=1)
    assert "red: received turn.txt" in result.stdout
    assert game.read_bytes() == before


def test_the_record_is_sealed(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders("red: MOVE D3"), code=0)
    document = game.read_text()
    hash_ = load_game(str(game)).receipts[0].hash
    game.write_text(document.replace(hash_, "0" * 64))
    assert "receipts" in run("show", game, code=3).stderr


def test_an_undo_leaves_the_receipts(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders("red: MOVE D3"), code=0)
    kept = load_game(str(game)).receipts
    run("undo", game, "--to", "0", "--reason", "a mistake", code=0)
    assert load_game(str(game)).receipts == kept != ()


def test_a_mail_has_one_hash_as_a_file_and_in_a_mailbox(run: Run, game: Path, orders: Orders) -> None:
    mail = f"{MAIL}MOVE D3\n"
    box = f"From ann@example.org Mon Mar  2 10:00:00 2026\n{mail}\n"
    for name, text in (("a.eml", mail), ("box.mbox", box)):
        told = json.loads(run("check", game, f"red={orders(text, name)}", "--json", code=0).stdout)["receipts"]
        assert told[0]["hash"] == sha256(mail.encode()).hexdigest()
