"""`new`: a game set up, with every option, and what the moderator is told to do next."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from play import begin
from typer.testing import Result

from adjudicator.core.chance import ImpossibleOutcomeError, commitment
from adjudicator.store.load import load_game

Run = Callable[..., Result]
TWO = ("new", "checkpoint-rally", "--seat", "red=Ann", "--seat", "blue=Bob")
SEED = "0f" * 32


def test_it_writes_a_game_and_says_what_to_do_next(run: Run, tmp_path: Path) -> None:
    text = run(*TWO, "-o", "rally-042.json", code=0).stdout
    game = load_game(str(tmp_path / "rally-042.json"))
    assert game.id == "rally-042"
    assert text.startswith("rally-042.json: Checkpoint Rally, game rally-042, components house\n")
    assert "  seats       red (Ann), blue (Bob)\n" in text
    assert f"  commitment  {game.chance.commitment}\n" in text
    assert "due now:\n" in text
    assert "place a start tile in" in text
    for step in ("show rally-042.json --as red", "legal rally-042.json", "apply rally-042.json ORDERS"):
        assert f"  adjudicator {step} " in text


def test_the_default_file_is_game_json(run: Run, tmp_path: Path) -> None:
    run(*TWO, code=0)
    assert load_game(str(tmp_path / "game.json")).id == "game"


def test_names_with_spaces_are_quoted_where_they_are_to_be_typed(run: Run) -> None:
    text = run(*TWO, "-o", "my rally.json", code=0).stdout
    assert "adjudicator legal 'my rally.json' " in text
    assert "game my-rally," in text


def test_for_machines(run: Run) -> None:
    told = json.loads(run(*TWO, "-o", "x.json", "--seed", SEED, "--json", code=0).stdout)
    assert (told["file"], told["game"], told["turn"]) == ("x.json", "x", 1)
    assert told["commitment"] == commitment(bytes.fromhex(SEED))
    assert (told["ruleset"], told["components"], len(told["components_hash"])) == ("checkpoint-rally", "house", 64)
    assert [sorted(due) for due in told["due"]] == [["ask", "kind", "rule", "seat"]]


def test_to_standard_output_goes_the_game_and_nothing_else(run: Run) -> None:
    result = run(*TWO, "-o", "-", "--id", "piped", code=0)
    assert result.stderr == ""
    assert load_game(result.stdout_bytes).id == "piped"


def test_a_seed_gives_the_same_game_again_in_capitals_too(run: Run) -> None:
    one, other, fresh = (
        run(*TWO, "-o", "-", *seed).stdout_bytes for seed in (("--seed", SEED), ("--seed", SEED.upper()), ())
    )
    assert one == other
    assert one != fresh


def test_options_words_and_id_end_up_in_the_game(run: Run) -> None:
    more = ("--option", "map=lower", "--option", "corner.red=E5", "--entropy", "Red=horse", "--id", "spring.1")
    game = load_game(run(*TWO, *more, "-o", "-", code=0).stdout_bytes)
    assert game.setup.options["map"] == "lower"
    assert game.setup.options["corner.red"] == "E5"
    assert game.chance.entropy == {"red": "horse"}
    assert game.id == "spring.1"


def test_what_is_chosen_may_be_typed_in_any_case(run: Run, tmp_path: Path) -> None:
    options = ["--option", "MAP=Lower", "--option", "corner.RED=a1", "--components", "House"]
    run("new", "Checkpoint-Rally", "--seat", "RED", "--seat", "blue", *options, code=0)
    game = json.loads((tmp_path / "game.json").read_text())
    assert (game["ruleset"]["id"], game["components"]["id"]) == ("checkpoint-rally", "house")
    assert (game["setup"]["options"]["map"], game["setup"]["options"]["corner.red"]) == ("lower", "A1")
    twice = run(
        "new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--option", "map=upper", "--option", "MAP=lower"
    )
    assert (twice.exit_code, "option map is given twice" in twice.output) == (2, True)


def test_seats_are_written_small(run: Run) -> None:
    game = load_game(run("new", "checkpoint-rally", "--seat", "Red", "--seat", " BLUE = Bob ", "-o", "-").stdout_bytes)
    assert [(player.seat, player.holder) for player in game.setup.players] == [("red", ""), ("blue", "Bob")]


def test_a_position_is_taken_from_a_file(run: Run, game: Path) -> None:
    loaded = load_game(str(game))
    assert loaded.state.racer("red").hand == ("H2", "H3", "G1")
    assert loaded.setup.position is not None


def test_components_by_name_or_from_a_file(run: Run, tmp_path: Path) -> None:
    assert load_game(run(*TWO, "--components", "house", "-o", "-", code=0).stdout_bytes).components.id == "house"
    own = house()
    own["id"] = "mine"
    (tmp_path / "mine.json").write_text(json.dumps(own))
    game = load_game(run(*TWO, "--components", "mine.json", "-o", "-", code=0).stdout_bytes)
    assert game.components.id == "mine"


def house() -> dict[str, Any]:
    from importlib.resources import files

    text = files("adjudicator.games.checkpoint_rally").joinpath("data", "house.json").read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def recorded_outcomes() -> list[str]:
    """Return the outcomes of a set-up of two, each the first that was possible."""
    drawn: list[str] = []
    while True:
        try:
            begin(recorded=drawn)
        except ImpossibleOutcomeError as asked:
            drawn.append(asked.among[0])
        else:
            return drawn


def test_chance_may_be_written_down(run: Run, tmp_path: Path) -> None:
    drawn = recorded_outcomes()
    (tmp_path / "drawn.txt").write_text(f"# the border\n{', '.join(drawn[:8])}\n" + "\n".join(drawn[8:]).lower())
    text = run(*TWO, "--recorded", "drawn.txt", code=0).stdout
    assert "  chance      recorded: " in text
    game = load_game(str(tmp_path / "game.json"))
    assert (game.chance.source, game.chance.secret, game.chance.commitment) == ("recorded", None, None)
    assert game.journal[0].entry.drawn == len(drawn)


@pytest.mark.parametrize(("outcomes", "words"), [
    ("", "a recorded outcome is missing for this draw: the border piece in the north; possible outcomes: P1, P2, P3, P4"),
    ("P7", "“P7” is not a possible outcome of this draw: the border piece in the north; possible outcomes: P1, P2, P3, P4"),
])  # fmt: skip
def test_outcomes_that_cannot_have_been_are_a_problem(run: Run, tmp_path: Path, outcomes: str, words: str) -> None:
    (tmp_path / "drawn.txt").write_text(outcomes)
    result = run(*TWO, "--recorded", "drawn.txt", code=1)
    assert result.stderr == f"adjudicator: {words}\n"
    assert not (tmp_path / "game.json").exists()
    answer = json.loads(run(*TWO, "--recorded", "drawn.txt", "--json", code=1).stdout)
    assert (answer["error"], answer["message"]) == ("impossible-outcome", words)


def test_outcomes_that_are_left_over_are_a_problem(run: Run, tmp_path: Path) -> None:
    (tmp_path / "drawn.txt").write_text(" ".join([*recorded_outcomes(), "H1"]))
    assert "there is no draw for “H1”" in run(*TWO, "--recorded", "drawn.txt", code=1).stderr


@pytest.mark.parametrize("content", [b"\x00\x01\x02", b"P1 " * 50_000])
def test_outcomes_that_are_no_text_or_without_end_are_misuse(run: Run, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "drawn.txt").write_bytes(content)
    assert run(*TWO, "--recorded", "drawn.txt", code=2).stderr.startswith("adjudicator: drawn.txt: ")


def test_a_file_that_is_there_is_kept_unless_forced(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("dear to me")
    result = run(*TWO, code=2)
    assert result.stderr == "adjudicator: game.json already exists; use --force to replace it\n"
    assert (tmp_path / "game.json").read_text() == "dear to me"
    run(*TWO, "--force", code=0)
    assert load_game(str(tmp_path / "game.json")).turn == 1


@pytest.mark.parametrize(("arguments", "words"), [
    (("--seed", "12"), "as 64 digits"),
    (("--seed", SEED, "--recorded", "x.txt"), "use --seed or --recorded, not both"),
    (("--entropy", "red=horse", "--recorded", "x.txt"), "use --entropy or --recorded, not both"),
    (("--option", "maps=lower"), "there is no option “maps”"),
    (("--option", "map=low"), "did you mean: lower"),
    (("--option", "map"), "write an option as NAME=VALUE, not “map”"),
    (("--option", "map=lower", "--option", "map=upper"), "give an option only once: map is given twice"),
    (("--entropy", "green=x"), "“green”, which is not a seat of this game"),
    (("--entropy", "red"), "write a word of entropy as SEAT=WORD"),
    (("--seat", "red"), "two seats"),
    (("--seat", "draw"), "“draw”"),
    (("--seat", "a", "--seat", "b", "--seat", "c"), "is for 2 to 4 players, not 5"),
    (("--id", "a b"), "in the id of a game, at most 80"),
    (("--components", "hose"), "“hose” is neither a component set nor a file; the sets of checkpoint-rally are: house"),
    (("--setup", "nowhere.json"), "nowhere.json: "),
    (("--recorded", "nowhere.txt"), "nowhere.txt: "),
    (("-o", "no/such/folder/x.json"), "no such folder"),
    (("--setup", "-", "--components", "-"), "only once"),
])  # fmt: skip
def test_what_makes_no_sense_is_misuse_and_nothing_is_written(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    result = run(*TWO, *arguments, code=2)
    assert result.stderr.startswith("adjudicator: ")
    assert words in result.stderr
    assert result.stdout == ""
    assert [path for path in tmp_path.iterdir() if path.suffix == ".json"] == []


def test_everything_wrong_with_a_set_up_is_told_at_once_for_machines_too(run: Run) -> None:
    arguments = ("new", "checkpoint-rally", "--seat", "1", "--seed", "2", "--id", "?", "--json")
    answer = json.loads(run(*arguments, code=2).stdout)
    assert answer["error"] == "setup"
    assert {problem["code"] for problem in answer["problems"]} == {
        "core/player-count",
        "core/bad-seat",
        "core/bad-seed",
        "core/bad-id",
    }


def test_a_game_that_is_not_there_is_misuse_with_a_hint(run: Run) -> None:
    assert "mean “checkpoint-rally”?" in run("new", "checkpoint-raly", "--seat", "a", "--seat", "b", code=2).stderr


@pytest.mark.parametrize(("content", "words"), [
    ("{", "complete JSON"),
    ("{}", "this is not a position of Checkpoint Rally"),
    ('{"seats": [], "bord": []}', "did you mean “board”?"),
])  # fmt: skip
def test_a_position_that_is_none_cannot_be_trusted(run: Run, tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "setup.json").write_text(content)
    assert words in run(*TWO, "--setup", "setup.json", code=3).stderr


def test_a_position_that_the_rules_refuse_is_misuse(run: Run, tmp_path: Path) -> None:
    seats = [{"seat": "red", "hand": ["H1"]}, {"seat": "blue", "hand": ["H1"]}]
    (tmp_path / "setup.json").write_text(json.dumps({"seats": seats}))
    assert "the game cannot be set up in this way:" in run(*TWO, "--setup", "setup.json", code=2).stderr


def test_components_that_are_none_cannot_be_trusted(run: Run, tmp_path: Path) -> None:
    broken = house()
    broken["tiles"][3]["road"] = "railway"
    (tmp_path / "mine.json").write_text(json.dumps(broken))
    result = run(*TWO, "--components", "mine.json", code=3)
    assert "\n  tiles[3].road" in result.stderr
    answer = json.loads(run(*TWO, "--components", "mine.json", "--json", code=3).stdout)
    assert (answer["error"], answer["violations"][0]["path"]) == ("untrusted", "$.tiles[3].road")


def test_seats_of_a_list_for_very_many(run: Run, tmp_path: Path) -> None:
    (tmp_path / "entrants.csv").write_text("seat,name,class\n" + "".join(f"c{n},Crew {n},Novice\n" for n in range(1, 1201)))
    done = run("new", "rally-round", "--seat", "red=Ann", "--seats", "entrants.csv", "-o", "many.json", code=0)
    game = load_game("many.json")
    assert [game.setup.players[at].holder for at in (0, 1, 1200)] == ["Ann", "Crew 1, Novice", "Crew 1200, Novice"]
    assert "red (Ann), c1 (Crew 1, Novice)" in done.stdout
    assert "… 1,181 more …" in done.stdout
    assert "  1,201 seats, red to c1200: choose a kit" in done.stdout
    assert len(done.stdout) < 3_000


def test_a_list_of_seats_with_mistakes_begins_no_game(run: Run, tmp_path: Path) -> None:
    (tmp_path / "entrants.csv").write_text("red,Ann\nred,Bob\n")
    done = run("new", "rally-round", "--seats", "entrants.csv", "-o", "many.json", code=3)
    assert "line 2: the seat “red” is already in line 1" in done.stderr
    (tmp_path / "entrants.csv").write_text("red,Ann\n1st,Bob\n")
    assert "not “1st”" in run("new", "rally-round", "--seats", "entrants.csv", "-o", "many.json", code=2).stderr
    assert "--seats FILE with a line for each" in run("new", "rally-round", "-o", "many.json", code=2).stderr
    assert not (tmp_path / "many.json").exists()
