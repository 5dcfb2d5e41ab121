"""`audit --published` without the game file: a player with the logs and the secret computes every draw again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from tests.drivers.commands import ROOT, Run, written
from tests.drivers.older import with_word

EXAMPLES = {
    "rally": ROOT / "examples/checkpoint-rally/two-players/game.json",
    "four": ROOT / "examples/checkpoint-rally/four-players/game.json",
    "flag": ROOT / "examples/checkered-flag/race/game.json",
    "charlie": ROOT / "examples/checkpoint-charlie/three-players/game.json",
}
RECORDED = [
    path
    for folder in ("checkpoint-rally", "checkered-flag", "checkpoint-charlie")
    for path in sorted((ROOT / "tests/data/games" / folder).glob("*.json"))[::9]
    if json.loads(path.read_bytes())["chance"]["source"] == "committed"
    and json.loads(path.read_bytes())["setup"]["position"] is None
    and b'"kind":"amended"' not in path.read_bytes()
]
SEATS = ("--seat", "red", "--seat", "blue")


def secret(path: Path) -> str:
    return str(json.loads(path.read_bytes())["chance"]["secret"])


def save_log(run: Run, game: Path, name: str, *options: str) -> str:
    Path(name).write_bytes(run("log", game, *options, code=0).stdout_bytes)
    return name


@pytest.fixture
def public(run: Run) -> str:
    return save_log(run, EXAMPLES["rally"], "public.jsonl", "--json")


def told(run: Run, *logs: object, reveal: str, code: int) -> str:
    return run("audit", "--published", *logs, "--reveal", reveal, code=code).stdout


def verdict(run: Run, *logs: object) -> Any:
    return json.loads(run("audit", "--published", *logs, "--json").stdout.splitlines()[0])


@pytest.mark.parametrize("name", ["rally", "four", "flag"])
def test_with_the_public_log_alone_a_game_with_open_orders_is_checked_to_the_end(run: Run, name: str) -> None:
    game = EXAMPLES[name]
    log = save_log(run, game, "public.jsonl", "--json")
    entries = len({json.loads(line)["n"] for line in Path(log).read_text("utf-8").splitlines()})
    text = told(run, log, reveal=secret(game), code=0)
    assert text.startswith("verified ")
    assert (
        f"  public.jsonl: compared: entries 0 to {entries - 1}, commitment, set-up, game; not compared: heads 0 to" in text
    )
    assert f"  all together: compared: {entries} of {entries} entries; not compared: " in text


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_recorded_games_are_sound_with_the_logs_of_all(run: Run, path: Path) -> None:
    game = json.loads(path.read_bytes())
    seats = [player["seat"] for player in game["setup"]["players"]]
    logs = [save_log(run, path, f"{seat}.jsonl", "--json", "--as", seat) for seat in seats]
    logs.append(save_log(run, path, "public.jsonl", "--json"))
    more = ["--components", "set.json"] if game["setup"]["components"] else []
    Path("set.json").write_text(json.dumps(game["setup"]["components"]))
    found = verdict(run, *logs, "--reveal", game["chance"]["secret"], *more)
    assert (found["status"], found["divergence"]) == ("verified", None)
    assert found["draws"] == game["journal"][-1]["entry"]["drawn"]


def test_where_orders_are_sealed_it_says_from_where_on_and_whose_log_would_tell(run: Run) -> None:
    game = EXAMPLES["charlie"]
    public = save_log(run, game, "public.jsonl", "--json")
    text = told(run, public, reveal=secret(game), code=3)
    assert text.startswith("partial ")
    assert "entries 1 to 66: these logs do not show the order of blue (“CLUE”): add the log of blue" in text
    assert "  next: add the logs that are missing, or name the game file first" in text
    own = [save_log(run, game, f"{seat}.jsonl", "--json", "--as", seat) for seat in ("red", "blue", "green")]
    assert told(run, public, *own, reveal=secret(game), code=0).startswith("verified ")


@pytest.mark.parametrize(
    ("old", "new"),
    [("turned 180°", "turned 90°"), ('"after":', '"after":1'), ("H2 is dealt to C1", "H3 is dealt to C1")],
)
def test_a_changed_line_is_named(run: Run, public: str, old: str, new: str) -> None:
    lines = Path(public).read_text("utf-8").splitlines()
    at = next(at for at, line in enumerate(lines) if old in line and '"after":null' not in (line if "after" in old else ""))
    lines[at] = lines[at].replace(old, new, 1)
    Path(public).write_text("\n".join(lines), "utf-8")
    found = verdict(run, public, "--reveal", secret(EXAMPLES["rally"]))
    n = json.loads(lines[at])["n"]
    assert (found["status"], found["entries"]) == ("diverged", n)
    assert (found["divergence"]["n"], found["divergence"]["field"]) == (n, "public.jsonl")
    assert " was published, but the secret and the rules give " in found["divergence"]["recomputed"]


def test_another_secret_or_another_promise_is_not_accepted(run: Run, public: str) -> None:
    right = secret(EXAMPLES["rally"])
    assert "the published commitment is" in told(run, public, reveal="ab" * 32, code=1)
    said = written(f"Our commitment  {'0' * 64}", "said.txt")
    assert f"said.txt: the published commitment is {'0' * 64}" in told(run, public, said, reveal=right, code=1)
    said = written(f"promise  {'0' * 64}", "said.txt")
    assert f"said.txt: the published promise is {'0' * 64}" in told(run, public, said, reveal=right, code=1)
    assert "64 digits" in run("audit", "--published", public, "--reveal", "ab", code=2).stderr


def test_the_secret_is_taken_from_the_log_in_which_it_was_published(run: Run, tmp_path: Path) -> None:
    (tmp_path / "g.json").write_bytes(EXAMPLES["rally"].read_bytes())
    public = save_log(run, tmp_path / "g.json", "public.jsonl", "--json")
    assert "with --reveal" in run("audit", "--published", public, code=2).stderr
    run("reveal", "g.json", code=0)
    run("audit", "--published", save_log(run, tmp_path / "g.json", "public.jsonl", "--json"), code=0)
    own = save_log(run, tmp_path / "g.json", "red.jsonl", "--json", "--as", "red")
    run("audit", "--published", public, own, code=0)  # a shell may also have made `--published *.jsonl` of this


def test_undone_entries_are_checked_and_an_amendment_ends_it(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "g.json"
    run("new", "checkered-flag", "--seat", "red", "--seat", "blue", "--seed", "ab" * 32, "-o", game, code=0)
    run("apply", game, "-", stdin="red: GEAR 1\nblue: GEAR 1\n")
    run("undo", game, "--to", "1", "--reason", "slip", code=0)
    run("seat", game, "red", "--holder", "Zoe", "--reason", "moved", code=0)
    run("apply", game, "-", stdin="blue: GEAR 1\n")
    public = save_log(run, game, "public.jsonl", "--json")
    assert "2 corrections" in told(run, public, reveal=secret(game), code=0)
    run("amend", game, "racers[red].driven=3", "--reason", "slip", code=0)
    later = save_log(run, game, "later.jsonl", "--json")
    assert "has changed the position" in told(run, later, reveal=secret(game), code=3)
    run("audit", game, "--published", later, code=0)


@pytest.fixture
def absent(run: Run, tmp_path: Path) -> Path:
    """Return a game in which blue missed a deadline and is away."""
    path = tmp_path / "g.json"
    run("new", "checkered-flag", "--seat", "red", "--seat", "blue", "--seed", "ab" * 32, "-o", path, code=0)
    game = adj.open(path).apply("red: GEAR 1").game.take_holiday("blue", "2026-03-09", "2026-03-16")
    game = game.miss_deadline("blue", "2026-03-05 20:00 UTC", "bot").apply("blue: GEAR 2").game
    game.miss_deadline("red", "2026-03-06 20:00 UTC", "drop").save(path, force=True)
    run("undo", path, "--to", "1", "--reason", "slip", code=0)
    run("apply", path, "-", stdin="blue: GEAR 1\n")
    return path


def test_holidays_and_missed_deadlines_stop_no_check(run: Run, absent: Path) -> None:
    """Nobody has changed the position, so nobody is accused of it."""
    for viewer, options in (("public", ()), ("red", ("--as", "red"))):
        log = save_log(run, absent, f"{viewer}.jsonl", "--json", *options)
        assert log
        assert "4 corrections" in told(run, log, reveal=secret(absent), code=0)
        run("audit", absent, "--published", log, code=0)


@pytest.mark.parametrize(("order", "words"), [
    ("NMR violet", "no seat “violet” plays in this game"),
    ("HOLIDAY violet", "no seat “violet” plays in this game"),
    ("SEAT violet", "no seat “violet” plays in this game"),
    ("HAND red", "“HAND red” is not a correction"),
])  # fmt: skip
def test_a_correction_that_nobody_can_make_is_named(run: Run, absent: Path, order: str, words: str) -> None:
    log = save_log(run, absent, "public.jsonl", "--json")
    Path(log).write_text(Path(log).read_text("utf-8").replace('"HOLIDAY blue"', f'"{order}"', 1), "utf-8")
    assert words in told(run, log, reveal=secret(absent), code=1)


def test_the_game_file_that_was_published_at_the_end_needs_no_secret(run: Run, public: str) -> None:
    game = EXAMPLES["rally"]
    assert (
        "use --reveal, --components and --setup without"
        in run(*("audit", game, "--published", public, "--reveal", secret(game)), code=2).stderr
    )
    assert "the published commitment is" in run("audit", EXAMPLES["four"], "--published", public, code=1).stdout
    head = json.loads(Path(public).read_text("utf-8").splitlines()[7])
    told_early = written(f"head {head['n']} {head['proof']}", "head.txt")
    text = told(run, public, told_early, reveal=secret(game), code=0)
    assert f"head.txt: compared: nothing; not compared: heads {head['n']} (name the game file)" in text


def test_without_a_log_from_the_beginning_nothing_can_be_decided(run: Run, public: str) -> None:
    later = written("".join(Path(public).read_text("utf-8").splitlines(keepends=True)[9:]), "later.jsonl")
    for texts in ([later], [written(f"commitment {'0' * 64}", "said.txt")]):
        assert "no text tells how the game was begun" in run("audit", "--published", *texts, code=2).stderr
    assert "name the games to audit" in run("audit", code=2).stderr
    assert "use `audit --published`" in run("verify-chance", public, code=2).stderr


def test_a_promised_game_is_checked_with_its_words(run: Run, tmp_path: Path) -> None:
    promised = run("new", "checkered-flag", "--seat", "red", "--seat", "blue", "--commit-only", "-o", "g.json", code=0)
    promise = json.loads(run("begin", "g.json", "--json", code=0).stdout)["promise"]
    run("begin", "g.json", "red=horse", "--publish", "--without", "blue", code=0)
    run("begin", "g.json", "--deal", code=0)
    save_log(run, tmp_path / "g.json", "public.jsonl", "--json")
    announced = written(promised.stdout, "announced.txt")
    assert promise in promised.stdout
    text = told(run, "public.jsonl", announced, reveal=secret(tmp_path / "g.json"), code=0)
    assert "announced.txt: compared: commitment, promise;" in text
    forged = Path("public.jsonl").read_text("utf-8").replace('"holder":""', '"holder":"Eve"', 1)
    text = told(run, written(forged, "forged.jsonl"), announced, reveal=secret(tmp_path / "g.json"), code=1)
    assert f"the published promise is {promise}, but the secret and the rules give " in text


def test_the_reports_of_each_turn_are_checked_as_they_were_sent(run: Run) -> None:
    seed = "ab" * 32
    run("new", "checkered-flag", "--seat", "red=Ann", "--seat", "blue=Bob", "--seed", seed, "-o", "g.json", code=0)
    names = [save_log(run, Path("g.json"), "0.jsonl", "--json")]
    for gear in (1, 2):
        run("apply", "g.json", "-", stdin=f"red: GEAR {gear} go\nblue: GEAR {gear} go\n", code=0)
        since = ("--since", str(gear))
        text = run("report", "g.json", "--format", "json", "--as", "red", *since, code=0).stdout
        names.append(written(text, f"{gear}.json"))
    assert "all together: compared: 5 of 5 entries" in told(run, *names, reveal=seed, code=0)
    text = told(run, names[0], names[2], reveal=seed, code=3)  # a report was left out: nobody is accused
    assert "the cause may be entry 1, which no log contains" in text


@pytest.mark.parametrize(
    "text",
    ["", "hello", "{", "{}", "[]", '{"n":0}', '{"n":-1,"order":"","seat":null,"told":[]}', '{"n":1e400}', "{" * 5000,
     '{"n":0,"order":"","seat":7,"told":[],"min":0,"before":null,"after":null,"why":[]}', "\0", "  #  seat  order  min\n",
     '{"n":0,"order":"","seat":null,"told":[],"min":0,"before":null,"after":null,"why":[],"begun":{"game":1}}',
     '{"n":0,"order":"","seat":null,"told":[],"min":0,"before":null,"after":null,"why":[],"commitment":5}'],
)  # fmt: skip
def test_what_is_no_log_is_refused(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    assert run("audit", "--published", "x", "--reveal", "ab" * 32).exit_code in (2, 3)


@pytest.mark.parametrize(
    "line",
    ['"n":999999999', '"n":999999999999999999999999', '"seat":"nobody"', '"order":"UNDO to 99"', '"seat":"moderator"'],
)
def test_a_line_that_cannot_be_is_told_and_takes_no_time(run: Run, public: str, line: str) -> None:
    lines = Path(public).read_text("utf-8").splitlines()
    name = line.partition(":")[0]
    lines[5] = re.sub(rf'{name}:("[^"]*"|\d+|null)', line, lines[5], count=1)
    Path(public).write_text("\n".join(lines), "utf-8")
    assert run("audit", "--published", public, "--reveal", secret(EXAMPLES["rally"])).exit_code in (1, 3)


# Words for chance in later turns --------------------------------------------------------------------------------------


WORDED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


def first_order(run: Run, seat: str) -> str:
    rows = json.loads(run("legal", "w.json", "--as", seat, "--json", code=0).stdout)[seat]
    return next((row["order"] for row in rows if row["order"] == "DRAW"), rows[0]["order"])


def save_word(seat: str, word: str) -> None:
    game = adj.open("w.json")
    Path("w.json").write_bytes(with_word(game, seat, word, beside=True).to_bytes())


@pytest.fixture
def worded(run: Run) -> Path:
    """Return a game of an earlier version with words in later turns, and an undo behind one of them."""
    run("new", "checkpoint-rally", *SEATS, "--entropy", "red=horse", "--seed", "-", "-o", "w.json", stdin=WORDED, code=0)
    (first,) = json.loads(run("legal", "w.json", "--json", code=0).stdout)
    other = "red" if first == "blue" else "blue"
    run("apply", "w.json", "-", stdin=f"{first}: {first_order(run, first)}", code=0)
    save_word(first, "n\u00efght train")
    order = first_order(run, other)
    run("apply", "w.json", "-", stdin=f"{other}: {order}", code=0)
    save_word(other, "fish")
    run("undo", "w.json", "--to", "2", "--reason", "x", code=0)
    run("apply", "w.json", "-", stdin=f"{other}: {order}", code=0)
    for _ in range(4):
        (seat,) = json.loads(run("legal", "w.json", "--json", code=0).stdout)
        run("apply", "w.json", "-", stdin=f"{seat}: {first_order(run, seat)}", code=0)
    return Path("w.json")


def test_words_of_later_turns_are_checked_with_the_logs_alone(run: Run, worded: Path) -> None:
    log = save_log(run, worded, "log", "--json")
    assert told(run, log, reveal=WORDED, code=0).startswith("verified ")
    text = Path(log).read_text("utf-8")
    assert "WORD n\u00efght train" in text
    Path(log).write_text(text.replace("n\u00efght train", "night train"), "utf-8")
    assert "night train" in Path(log).read_text("utf-8")
    told(run, log, reveal=WORDED, code=1)
