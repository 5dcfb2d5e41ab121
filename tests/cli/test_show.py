"""`show`, `legal` and `log`: a game looked at by whoever may see what."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]
Orders = Callable[..., str]

LOOKS = ("show", "legal", "log")


@pytest.fixture
def played(run: Run, game: Path, orders: Orders) -> Path:
    """Return the game after red has drawn two tiles that only red may know, and discarded."""
    run("apply", game, orders("red: DRAW\n  KEEP H2 H3 G1 OR DISCARD H2 H3"), code=0)
    return game


@pytest.mark.parametrize("command", LOOKS)
def test_looking_changes_nothing_and_makes_no_files(run: Run, game: Path, command: str) -> None:
    before = game.read_bytes()
    for arguments in ((), ("--json",), ("--as", "red")):
        assert run(command, game, *arguments, code=0).stderr == ""
    assert game.read_bytes() == before
    assert [path.name for path in game.parent.iterdir()] == ["rally.json"]


@pytest.mark.parametrize("command", LOOKS)
def test_a_game_may_come_from_standard_input(run: Run, game: Path, command: str) -> None:
    assert run(command, "-", stdin=game.read_bytes(), code=0).stdout == run(command, game).stdout


@pytest.mark.parametrize("command", LOOKS)
@pytest.mark.parametrize("name", ["RED", "Red"])
def test_seats_are_known_in_capitals_too(run: Run, game: Path, command: str, name: str) -> None:
    assert run(command, game, "--as", name, code=0).stdout == run(command, game, "--as", "red").stdout


@pytest.mark.parametrize("command", LOOKS)
def test_a_seat_that_does_not_play_is_misuse_with_a_hint(run: Run, game: Path, command: str) -> None:
    result = run(command, game, "--as", "rde", code=2)
    assert result.stderr == (
        "adjudicator: this game has no seat “rde” (did you mean “red”?); choose from: red, blue, moderator\n"
    )
    answer = json.loads(run(command, game, "--as", "green", "--json", code=2).stdout)
    assert answer["error"] == "unknown-seat"


def test_show_tells_everybody_the_board_the_clocks_and_what_is_due(run: Run, game: Path) -> None:
    text = run("show", game, code=0).stdout
    assert text.startswith("rally · Checkpoint Rally · turn 1 · ")
    for words in ("▲red", "Decisions due\n  Ann (red): choose an action", "Standings\n", "H4 H5 H6"):
        assert words in text
    assert "\x1b" not in text


def test_hands_and_cards_are_shown_to_whom_they_belong(run: Run, game: Path) -> None:
    assert "hand of" not in run("show", game).stdout
    red, blue, all_ = (run("show", game, "--as", seat).stdout for seat in ("red", "blue", "moderator"))
    assert ("hand of red" in red, "hand of blue" in red) == (True, False)
    assert ("hand of red" in blue, "hand of blue" in blue) == (False, True)
    assert ("hand of red" in all_, "hand of blue" in all_) == (True, True)


def test_show_for_machines(run: Run, game: Path) -> None:
    told = json.loads(run("show", game, "--as", "red", "--json", code=0).stdout)
    assert (told["game"], told["viewer"], told["turn"], told["over"]) == ("rally", "red", 1, False)
    assert [decision["seat"] for decision in told["due"]] == ["red"]
    assert told["view"]
    assert json.loads(run("show", game, "--json").stdout)["viewer"] is None


def test_legal_lists_every_order_with_its_cost(run: Run, game: Path) -> None:
    text = run("legal", game, code=0).stdout
    head, titles, *rows = text.splitlines()
    assert head == f"red: {sum(len(row.split(' | ')) for row in rows)} legal orders; write `turn 1` above your orders"
    assert titles.split() == ["order", "min", "why"]
    assert any(row.startswith("MOVE D3 C3 ") and row.endswith(" (CR-M1)") for row in rows)
    assert not any(row.startswith("TAKE") for row in rows)
    listed = json.loads(run("legal", game, "--json").stdout)["red"]
    assert {word for row in rows for word in row.split("  ")[0].split()} - {"|"} == {
        word for row in listed for word in row["order"].split()
    }
    assert text == run("legal", game, "--as", "red").stdout


def test_every_order_that_legal_lists_is_accepted(run: Run, game: Path, orders: Orders) -> None:
    listed = json.loads(run("legal", game, "--json", code=0).stdout)["red"]
    for row in listed[:: len(listed) // 12]:
        told = json.loads(run("check", game, orders(f"red: {row['order']}"), "--json", code=0).stdout)
        assert (told["accepted"][0]["order"], told["accepted"][0]["min"]) == (row["order"], row["min"])


def test_legal_for_a_seat_that_is_not_due_says_who_is(run: Run, game: Path) -> None:
    text = run("legal", game, "--as", "blue", code=0).stdout
    assert text.startswith("blue: this seat has no decision now; due: red\nif it were due now (others act first, ")
    assert "DRAW " in text
    assert json.loads(run("legal", game, "--as", "blue", "--json").stdout) == {"blue": []}


def test_what_legal_tells_of_a_seat_that_is_not_due_is_what_it_can_do_then(run: Run, game: Path, orders: Orders) -> None:
    ahead = run("legal", game, "--as", "blue", code=0).stdout.split("legal orders")[1].partition("\n")[2]
    run("amend", game, "racers[red].minutes=40", "--reason", "so that blue is due", code=0)
    due = run("legal", game, "--as", "blue", code=0).stdout.split("legal orders")[1]
    assert due.partition("\n")[2] == ahead


def test_where_the_rules_cannot_tell_legal_says_so(run: Run, tmp_path: Path) -> None:
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--seed", "ab" * 32, "-o", "g.json", code=0)
    due = json.loads(run("show", "g.json", "--json").stdout)["due"][0]["seat"]
    other = "blue" if due == "red" else "red"
    text = run("legal", "g.json", "--as", other, code=0).stdout
    first, *rest = text.splitlines()
    assert first.startswith(f"{other}: ") and first.endswith(f"due: {due}")
    assert rest == [
        "the rules of Checkpoint Rally cannot tell its legal orders before it is due",
    ]


def test_legal_may_be_asked_for_kinds_of_orders(run: Run, game: Path) -> None:
    head, _, *rows = run("legal", game, "--kind", "Place", "--kind", "draw", code=0).stdout.splitlines()
    assert head.endswith("legal orders with DRAW, PLACE; write `turn 1` above your orders")
    assert {row.split()[0] for row in rows} == {"PLACE", "DRAW"}
    listed = json.loads(run("legal", game, "--kind", "move", "--json", code=0).stdout)["red"]
    assert {row["order"].split()[0] for row in listed} == {"MOVE"}
    assert run("legal", game, "--kind", "discard", code=0).stdout == "red: no legal order with DISCARD\n"
    assert "no order begins with “mov” (did you mean “move”?)" in run("legal", game, "--kind", "mov", code=2).stderr


def test_legal_may_be_cut_short_and_says_how_many_are_left(run: Run, game: Path) -> None:
    whole = json.loads(run("legal", game, "--json", code=0).stdout)["red"]
    head, _, *rows, last = run("legal", game, "--limit", "3", code=0).stdout.splitlines()
    assert head.startswith(f"red: {len(whole)} legal orders; ")
    shown = sum(len(row.split(" | ")) for row in rows)
    assert (len(rows), last) == (3, f"… {len(whole) - shown} more")
    assert json.loads(run("legal", game, "--limit", "3", "--json").stdout)["red"] == whole
    run("legal", game, "--limit", "0", code=2)


def test_the_log_of_a_turn_or_since_one(run: Run, game: Path, orders: Orders) -> None:
    for order in ("MOVE D3", "MOVE C3", "MOVE C2"):
        run("apply", game, orders(f"red: {order}"))
    whole = run("log", game, "--json", code=0).stdout.splitlines()
    assert [json.loads(line)["turn"] for line in whole] == [0, 1, 2, 3]
    assert run("log", game, "--turn", "2", "--json", code=0).stdout.splitlines() == whole[2:3]
    assert run("log", game, "--since", "2", "--json", code=0).stdout.splitlines() == whole[2:]
    assert run("log", game, "--turn", "0", "--json", code=0).stdout.splitlines() == whole[:1]
    text = run("log", game, "--turn", "2", "--events", code=0).stdout
    assert "MOVE C3" in text
    assert "MOVE D3" not in text


@pytest.mark.parametrize(("options", "words"), [
    (("--turn", "9"), "from 0 (the set-up) to 0"),
    (("--since", "-1"), "this game has no turn -1"),
    (("--turn", "0", "--since", "0"), "use --turn for one turn or --since"),
])  # fmt: skip
def test_a_log_of_turns_that_have_not_been(run: Run, game: Path, options: tuple[str, ...], words: str) -> None:
    assert words in run("log", game, *options, code=2).stderr


def test_legal_orders_are_a_seat_s_so_the_moderator_names_one(run: Run, game: Path) -> None:
    assert "with --as" in run("legal", game, "--as", "moderator", code=2).stderr


def test_the_log_tells_orders_costs_and_rules(run: Run, played: Path) -> None:
    lines = run("log", played, code=0).stdout.splitlines()
    assert lines[0].startswith("rally · Checkpoint Rally · turn 2 · ")
    assert lines[2].startswith("head 2 ")
    assert lines[3] == "write `turn 2` above your orders"
    assert lines[5].split() == ["#", "seat", "order", "min", "clock", "why"]
    assert lines[7].split() == ["1", "red", "DRAW", "2", "0", "→", "2", "2", "(CR-D1)"]
    assert "·" not in "".join(lines[1:])


@pytest.mark.parametrize("command", ["show", "log"])
def test_the_commitment_of_chance_stands_in_the_head_of_what_is_sent_out(run: Run, played: Path, command: str) -> None:
    committed = json.loads(played.read_bytes())["chance"]["commitment"]
    assert run(command, played, code=0).stdout.splitlines()[1] == f"commitment {committed}"
    first = json.loads(run(command, played, "--json", code=0).stdout.splitlines()[0])
    assert first["commitment"] == committed


def test_the_log_with_events_tells_what_happened(run: Run, played: Path) -> None:
    assert "· red draws" in run("log", played, "--events", code=0).stdout


def test_what_was_drawn_is_told_to_its_seat_and_the_moderator(run: Run, played: Path) -> None:
    public, red, blue, all_ = (
        run("log", played, "--events", *who, code=0).stdout
        for who in ((), ("--as", "red"), ("--as", "blue"), ("--as", "moderator"))
    )
    drawn = next(line for line in all_.splitlines() if "· red draws" in line)
    assert drawn in red
    assert drawn not in blue + public
    assert "written: " in red
    assert "written: " not in blue + public
    assert blue == public.replace("everybody sees", "Bob (blue) sees")


def test_the_log_for_machines_is_a_line_an_order(run: Run, played: Path) -> None:
    rows = [json.loads(line) for line in run("log", played, "--json", code=0).stdout.splitlines()]
    assert [row["n"] for row in rows] == [0, 1, 2]
    assert (rows[1]["order"], rows[1]["min"], rows[1]["before"], rows[1]["after"]) == ("DRAW", 2, 0, 2)
    assert sum(part["amount"] for part in rows[1]["why"]) == 2


def test_colours_are_for_terminals_that_want_them(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.cli.show.is_terminal", lambda: True)
    assert "\x1b[" in run("show", game).stdout


def test_no_color_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudicator.cli import output

    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert output.is_terminal()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not output.is_terminal()


def test_the_board_is_drawn_as_a_picture_for_whom_it_is(run: Run, game: Path, tmp_path: Path) -> None:
    text = run("show", game, "--as", "red", "--svg", "red.svg", code=0).stdout
    assert text == run("show", game, "--as", "red").stdout
    drawn = (tmp_path / "red.svg").read_text("utf-8")
    assert drawn.startswith("<svg ")
    said = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawn))
    assert "as Ann (red)" in said
    assert "R Ann (red)" in said
    assert "B Bob (blue)" in said
    assert run("show", game, "--as", "red", "--svg", "-", code=0).stdout == drawn
    run("show", game, "--svg", "red.svg", code=0)
    assert (tmp_path / "red.svg").read_text("utf-8") != drawn


def test_a_picture_is_never_written_over_a_game(run: Run, game: Path) -> None:
    before = game.read_bytes()
    assert "ends in .svg" in run("show", game, "--svg", game, code=2).stderr
    assert game.read_bytes() == before


def test_the_standings_are_written_as_html_and_csv(run: Run, game: Path, tmp_path: Path) -> None:
    run("show", game, "--html", "r.html", "--csv", "r.csv", code=0)
    page, table = (tmp_path / "r.html").read_text("utf-8"), (tmp_path / "r.csv").read_text("utf-8")
    assert page.startswith("<table>\n<caption>Checkpoint Rally, game rally: standings</caption>\n")
    assert "<td>red</td><td>Ann</td>" in page
    assert table.startswith("place,seat,player,")
    assert ",blue,Bob," in table
    assert run("show", game, "--csv", "-", code=0).stdout.replace("\r\n", "\n") == table.replace("\r\n", "\n")
    assert "the table would" in run("show", game, "--csv", game, "--force", code=2).stderr
    assert "only one of them" in run("show", game, "--csv", "-", "--svg", "-", code=2).stderr
    (tmp_path / "note.txt").write_text("mine")
    assert "already exists" in run("show", game, "--html", "note.txt", code=2).stderr
