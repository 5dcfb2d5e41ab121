"""A player's own file: written for one seat, looked at and checked against at home, and nothing of others in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.cli.files import Opened
from adjudicator.core.canonical import canonical_text
from adjudicator.own_file import NOT_KNOWN
from adjudicator.rulesets import metas, ruleset
from adjudicator.session import Session
from adjudicator.store.save import dump_game
from adjudicator.store.seat_files import _seal
from adjudicator.testing.games import play_games

Run = Callable[..., Result]
Orders = Callable[..., str]
GAMES = [name for name, _ in metas()]
ORDERS = "nonsense\n"


@pytest.fixture(params=GAMES)
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Session:
    """Return a game in its middle, which is in ``game.json``."""
    moments = list(play_games(ruleset(request.param), 2, most_orders=24, options=[{}]).sampled(8))
    moment = moments[len(moments) // 2]
    session = moment.session.with_game(moment.game)
    (tmp_path / "game.json").write_bytes(dump_game(session.game))
    return session


@pytest.fixture
def own(run: Run, game: Path) -> Path:
    """Return the file that red has of the game of the other tests."""
    run("report", game, "--as", "red", "--format", "game", "-o", "red.json", code=0)
    return game.parent / "red.json"


def test_at_home_everything_is_as_the_moderator_would_say_it(run: Run, played: Session, tmp_path: Path) -> None:
    (tmp_path / "orders.txt").write_text(ORDERS)
    for seat in played.seats:
        run("report", "game.json", "--as", seat, "--format", "game", "-o", "own.json", "--force", code=0)
        for command in (["show"], ["legal"], ["log", "--events"], ["check", "orders.txt"]):
            name, *more = command
            for arguments in (more, [*more, "--json"]):
                as_seat = [f"{seat}=orders.txt" if one == "orders.txt" else one for one in arguments]
                there = run(name, "game.json", *as_seat, "--as", seat)
                here = run(name, "own.json", *arguments)
                assert here.exit_code == there.exit_code
                assert here.stderr == there.stderr
                if "--json" in arguments:
                    assert here.stdout == there.stdout
                else:
                    assert here.stdout.replace(NOT_KNOWN, "").rstrip() == there.stdout.rstrip()
                    assert NOT_KNOWN in here.stdout


def test_a_seat_may_have_the_name_of_the_key_of_such_files(run: Run, tmp_path: Path) -> None:
    """The game has this key inside, where each seat has its word for chance, and in all logs."""
    seats = ("--seat", "seat_file", "--seat", "blue")
    run("new", "checkpoint-rally", *seats, "--entropy", "seat_file=hen", "--seed", "ab" * 32, "-o", "game.json", code=0)
    run("report", "game.json", "--as", "seat_file", "--format", "game", "-o", "own.json", code=0)
    for command in ("show", "log", "legal"):
        run(command, "game.json", code=0)
        run(command, "own.json", code=0)
    run("check", "game.json", "seat_file=-", stdin="DRAW", code=0)
    run("check", "own.json", "seat_file=-", stdin="DRAW", code=0)
    assert "player's own file" in run("apply", "own.json", "seat_file=-", stdin="DRAW", code=2).stderr
    (tmp_path / "own.json").write_bytes((tmp_path / "own.json").read_bytes()[:-20])
    run("show", "own.json", code=3)


def test_the_file_says_what_the_seat_sees_and_no_more(run: Run, played: Session, tmp_path: Path) -> None:
    seat = played.seats[0]
    run("report", "game.json", "--as", seat, "--format", "game", "-o", "own.json", code=0)
    document = json.loads((tmp_path / "own.json").read_text())
    assert document["chance"]["secret"] is None
    assert document["setup"]["position"] is None
    view = played.rules.view(played.config, played.game.state, seat).state
    assert canonical_text(document["view"]) == canonical_text(view)
    assert {sheet["seat"] for sheet in document["pending"]} <= {seat}


def test_orders_are_checked_before_the_mail_is_sent(run: Run, own: Path, orders: Orders) -> None:
    run("check", own, orders("MOVE D3"), code=0)
    result = run("check", own, orders("red: PLACE H99 at B1\n"), code=1)
    assert "H99" in result.stderr
    assert NOT_KNOWN in result.stdout
    assert "blue" in run("check", own, orders("blue: DRAW\n"), code=1).stderr
    assert run("check", own, orders("turn 9\nred: DRAW"), code=1).stderr


def test_the_check_for_programs_has_the_cost_of_each_line(run: Run, own: Path, game: Path, orders: Orders) -> None:
    text = orders("red:\nMOVE D3\nDRAW\nDRAW\n")
    for arguments in ((own,), (game, "--as", "red")):
        found = json.loads(run("check", *arguments, text, "--json", code=0).stdout)["costs"]
        assert [(one["line"], one["min"]) for one in found] == [(2, 2), (3, 2), (4, None)]
        assert found[2]["unknown"].startswith("Something that you do not know decides from here: a draw")


def test_what_waits_of_the_seat_is_in_it_and_nothing_of_others(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders("red: MOVE D3 OR DRAW\nblue: DRAW\n  REFRESH\n"), code=0)
    files = {}
    for seat in ("red", "blue"):
        run("report", game, "--as", seat, "--format", "game", "-o", f"{seat}.json", code=0)
        files[seat] = (game.parent / f"{seat}.json").read_text()
    assert "REFRESH" not in files["red"]
    assert "REFRESH" in files["blue"]


def test_only_what_looks_takes_it(run: Run, own: Path, orders: Orders) -> None:
    for arguments in (
        ("apply", own, orders("DRAW")),
        ("turn", own, "-o", "out"),
        ("audit", own),
        ("replay", own),
        ("report", own),
    ):
        result = run(*arguments)
        assert result.exit_code != 0
        assert "player's own file" in result.output
    assert "this is red's own file" in run("show", own, "--as", "blue", code=2).stderr
    assert "red's own file" in run("legal", own, "--as", "moderator", code=2).stderr
    run("show", own, "--as", "RED", code=0)


def test_only_seats_have_one(run: Run, game: Path) -> None:
    assert "name the seat" in run("report", game, "--format", "game", "-o", "x.json", code=2).stderr
    assert "name the seat" in run("report", game, "--as", "moderator", "--format", "game", code=2).stderr
    made = json.loads(run("report", game, "--all", "out", "--format", "txt,game", "--json", code=0).stdout)["made"]
    assert [Path(one["file"]).name for one in made if one["format"] == "game"] == ["red.game.json", "blue.game.json"]
    run("turn", game, "-o", "turn", "--format", "txt,game", code=0)
    manifest = json.loads((game.parent / "turn" / "manifest.json").read_text())
    assert {one["file"]: one["viewer"] for one in manifest["reports"]}["red.game.json"] == "red"
    run("legal", "turn/red.game.json", code=0)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b'"turn":1', b'"turn":2', 1),
        lambda data: data.replace(b'"seat_file":1', b'"seat_file":9'),
        lambda data: data.replace(b'"checkpoint-rally"', b'"checkpoint-rall"'),
        lambda data: b'{"seat_file":1}',
        lambda data: b'["seat_file":1]',
    ],
)
def test_a_damaged_one_is_refused(run: Run, own: Path, damage: Callable[[bytes], bytes]) -> None:
    data = damage(own.read_bytes())
    assert data != own.read_bytes()
    own.write_bytes(data)
    for command in ("show", "legal", "log"):
        assert run(command, own, code=3).stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("view", None),
        ("view", {}),
        ("view", []),
        ("seat", "moderator"),
        ("seat", 7),
        ("log", [{}]),
        ("setup", {}),
        ("counting", ["x"]),
        ("pending", "x"),
        ("chance", {}),
    ],
)
def test_one_that_was_made_up_is_refused_or_looked_at(run: Run, own: Path, name: str, value: Any) -> None:
    document = json.loads(own.read_bytes())
    document[name] = value
    del document["seal"]
    own.write_text(json.dumps({**document, "seal": _seal(document)}))
    assert run("show", own).exit_code == 3


def test_values_of_a_made_up_view_that_cannot_be_are_refused(run: Run, own: Path) -> None:
    whole = json.loads(own.read_bytes())
    for key in whole["view"]:
        document = {**whole, "view": {**whole["view"], key: "nonsense"}}
        del document["seal"]
        own.write_text(json.dumps({**document, "seal": _seal(document)}))
        assert run("show", own).exit_code in (0, 3)


def test_the_game_itself_is_opened_as_ever(game: Path) -> None:
    assert Opened().seen(str(game)).own_seat is None


def test_a_message_about_it_names_the_file_and_the_remedy(run: Run, own: Path, orders: Orders) -> None:
    error = run("apply", own, orders("DRAW"), code=2).stderr
    assert error.startswith(f"adjudicator: {own}: name the game file: this is a player's own file")
