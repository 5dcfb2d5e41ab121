"""`verify-chance`: a player with the logs and the secret computes every draw again, and finds each that was changed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import adjudicator as adj
from tests.drivers.commands import ROOT, Run

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


@pytest.fixture
def table(run: Run) -> str:
    return save_log(run, EXAMPLES["rally"], "public.txt", "--events")


@pytest.mark.parametrize("name", ["rally", "four", "flag"])
def test_with_the_public_log_alone_a_game_with_open_orders_is_checked_to_the_end(run: Run, name: str) -> None:
    game = EXAMPLES[name]
    log = save_log(run, game, "public.jsonl", "--json")
    entries = len({json.loads(line)["n"] for line in Path(log).read_text("utf-8").splitlines()})
    text = run("verify-chance", log, "--reveal", secret(game), code=0).stdout
    assert f"checked     {entries} entries of {entries}" in text
    assert "sound       every draw follows from the secret" in text


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_recorded_games_are_sound_with_the_logs_of_all(run: Run, path: Path) -> None:
    game = json.loads(path.read_bytes())
    seats = [player["seat"] for player in game["setup"]["players"]]
    logs = [save_log(run, path, f"{seat}.jsonl", "--json", "--as", seat) for seat in seats]
    logs.append(save_log(run, path, "public.jsonl", "--json"))
    more = ["--components", "set.json"] if game["setup"]["components"] else []
    Path("set.json").write_text(json.dumps(game["setup"]["components"]))
    found = json.loads(run("verify-chance", *logs, "--reveal", game["chance"]["secret"], *more, "--json").stdout)
    assert (found["mismatch"], found["unchecked"]) == ("", "")
    assert found["draws"] == game["journal"][-1]["entry"]["drawn"]


def test_where_orders_are_sealed_it_says_from_where_on_and_whose_log_would_tell(run: Run) -> None:
    game = EXAMPLES["charlie"]
    public = save_log(run, game, "public.jsonl", "--json")
    text = run("verify-chance", public, "--reveal", secret(game), code=3).stdout
    assert "not checked  entries 1 to 66: these logs do not show the order of blue (“CLUE”): add the log of blue" in text
    assert "sound       as far as it could be checked" in text
    own = [save_log(run, game, f"{seat}.jsonl", "--json", "--as", seat) for seat in ("red", "blue", "green")]
    assert "not checked" not in run("verify-chance", public, *own, "--reveal", secret(game), code=0).stdout


def test_a_table_and_lines_of_json_of_several_readers_are_checked_together(run: Run, public: str, table: str) -> None:
    game = EXAMPLES["rally"]
    red = save_log(run, game, "red.txt", "--events", "--as", "red")
    short = save_log(run, game, "short.txt")
    assert "52 of 52" in run("verify-chance", public, table, red, short, "--reveal", secret(game), code=0).stdout.replace(
        " entries", ""
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [("turned 180°", "turned 90°"), ('"after":', '"after":1'), ("H2 is dealt to C1", "H3 is dealt to C1")],
)
def test_a_changed_line_is_named(run: Run, public: str, old: str, new: str) -> None:
    lines = Path(public).read_text("utf-8").splitlines()
    at = next(at for at, line in enumerate(lines) if old in line and '"after":null' not in (line if "after" in old else ""))
    lines[at] = lines[at].replace(old, new, 1)
    Path(public).write_text("\n".join(lines), "utf-8")
    text = run("verify-chance", public, "--reveal", secret(EXAMPLES["rally"]), code=1).stdout
    n = json.loads(lines[at])["n"]
    assert f"MISMATCH    entry {n} (public.jsonl): " in text
    assert " was published, but " in text
    assert f"checked     {n} entr" in text


def test_a_changed_line_of_a_table_is_named(run: Run, table: str, public: str) -> None:
    text = Path(table).read_text("utf-8")
    drawn = re.search(r"· .*the row gets (\w+)", text)
    assert drawn is not None
    Path(table).write_text(
        text.replace(drawn[0], drawn[0].replace(drawn[1], "U14" if drawn[1] != "U14" else "U13"), 1), "utf-8"
    )
    told = run("verify-chance", public, table, "--reveal", secret(EXAMPLES["rally"]), code=1).stdout
    assert "MISMATCH" in told
    assert "” was published, but “" in told


def test_another_secret_or_another_promise_is_not_accepted(run: Run, public: str) -> None:
    right = secret(EXAMPLES["rally"])
    assert "committed to" in run("verify-chance", public, "--reveal", "ab" * 32, code=1).stderr
    told = run("verify-chance", public, "--reveal", right, "--commitment", "00" * 32, code=1).stderr
    assert "one committed to" in told
    assert "not the one promised" in run("verify-chance", public, "--reveal", right, "--promise", "00" * 32, code=1).stderr


def test_the_secret_is_taken_from_the_log_in_which_it_was_published(run: Run, tmp_path: Path) -> None:
    (tmp_path / "g.json").write_bytes(EXAMPLES["rally"].read_bytes())
    public = save_log(run, tmp_path / "g.json", "public.jsonl", "--json")
    assert "--reveal" in run("verify-chance", public, code=2).stderr
    run("reveal", "g.json", code=0)
    for name, option in (("public.jsonl", "--json"), ("public.txt", "--events")):
        log = save_log(run, tmp_path / "g.json", name, option)
        run("verify-chance", log, "public.jsonl", code=0)


def test_undone_entries_are_checked_and_an_amendment_ends_it(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "g.json"
    run("new", "checkered-flag", "--seat", "red", "--seat", "blue", "--seed", "ab" * 32, "-o", game, code=0)
    run("apply", game, "-", stdin="red: GEAR 1\nblue: GEAR 1\n")
    run("undo", game, "--to", "1", "--reason", "slip", code=0)
    run("seat", game, "red", "--holder", "Zoe", "--reason", "moved", code=0)
    run("apply", game, "-", stdin="blue: GEAR 1\n")
    public = save_log(run, game, "public.jsonl", "--json")
    assert "sound       every draw" in run("verify-chance", public, "--reveal", secret(game), code=0).stdout
    run("amend", game, "racers[red].driven=3", "--reason", "slip", code=0)
    later = save_log(run, game, "later.jsonl", "--json")
    assert "has changed the position" in run("verify-chance", later, "--reveal", secret(game), code=3).stdout
    assert "sound       every draw" in run("verify-chance", later, "--reveal", game, code=0).stdout


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
        told = run("verify-chance", log, "--reveal", secret(absent), code=0).stdout
        assert "sound       every draw" in told
        assert "changed the position" not in told
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
    assert words in run("verify-chance", log, "--reveal", secret(absent), code=1).stdout


def test_the_game_file_that_was_published_at_the_end_is_held_against_the_logs(run: Run, public: str) -> None:
    game = EXAMPLES["rally"]
    journal = json.loads(game.read_bytes())["journal"]
    run("verify-chance", public, "--reveal", game, "--hash", journal[7]["hash"], code=0)
    assert "no entry" in run("verify-chance", public, "--reveal", game, "--hash", "0" * 64, code=1).stderr
    told = run("verify-chance", public, "--reveal", EXAMPLES["four"], code=1).stderr
    assert "the commitment of the game file is 726acf4f" in told
    assert "--reveal" in run("verify-chance", public, "--reveal", secret(game), "--hash", "0" * 64, code=2).stderr


def test_a_promised_game_is_checked_with_its_words(run: Run, tmp_path: Path) -> None:
    run("new", "checkered-flag", "--seat", "red", "--seat", "blue", "--commit-only", "-o", "g.json", code=0)
    promise = json.loads(run("begin", "g.json", "--json", code=0).stdout)["promise"]
    run("begin", "g.json", "red=horse", "--publish", "--without", "blue", code=0)
    run("begin", "g.json", "--deal", code=0)
    for name, options in (("public.jsonl", ("--json",)), ("public.txt", ("--events",))):
        save_log(run, tmp_path / "g.json", name, *options)
    reveal = ("--reveal", secret(tmp_path / "g.json"))
    run("verify-chance", "public.jsonl", "public.txt", "--promise", promise, *reveal, code=0)
    said = ("public.txt", "--ruleset", "checkered-flag", *reveal, "--seat", "red")
    assert "sound " in run("verify-chance", *said, "--seat", "blue", "--promise", promise, code=0).stdout
    assert "with its name" in run("verify-chance", *said, "--seat", "blue=Bob", code=2).stderr
    text = Path("public.jsonl").read_text("utf-8").replace('"holder":""', '"holder":"Eve"', 1)
    Path("forged.jsonl").write_text(text, "utf-8")
    assert "one promised" in run("verify-chance", "forged.jsonl", "--promise", promise, *reveal, code=1).stderr


def test_the_reports_of_each_turn_are_checked_as_they_were_sent(run: Run) -> None:
    seed = "ab" * 32
    run("new", "checkered-flag", "--seat", "red=Ann", "--seat", "blue=Bob", "--seed", seed, "-o", "g.json", code=0)
    texts = []
    for gear in (1, 2):
        Path("t.txt").write_text(f"red: GEAR {gear} go\nblue: GEAR {gear} go\n")
        run("turn", "g.json", "t.txt", "-o", f"out{gear}", code=0)
        texts.append(Path(f"out{gear}", "red.txt").read_text("utf-8"))
    said = ("--reveal", seed, "--ruleset", "checkered-flag", "--seat", "red", "--seat", "blue")
    assert "checked     5 entries of 5" in run("verify-chance", "out1/red.txt", "out2/red.txt", *said, code=0).stdout
    Path("all.txt").write_text("\n".join(texts), "utf-8")
    assert "5 entries" in run("verify-chance", "all.txt", *said, code=0).stdout
    told = run("verify-chance", "out2/red.txt", *said, code=3).stdout  # the first report was left out: nobody is accused
    assert "MISMATCH" not in told
    assert "the cause may be an entry that no log contains, such as entry 0" in told
    spun = re.search(r"red spins (\d) and (\d)", texts[1])
    assert spun is not None
    Path("all.txt").write_text("\n".join(texts).replace(spun[0], f"red spins {spun[1]} and 7"), "utf-8")
    assert "MISMATCH    entry 3 (all.txt): “red spins" in run("verify-chance", "all.txt", *said, code=1).stdout


@pytest.mark.parametrize(
    "text",
    ["", "hello", "{", "{}", "[]", '{"n":0}', '{"n":-1,"order":"","seat":null,"told":[]}', '{"n":1e400}', "{" * 5000,
     '{"n":0,"order":"","seat":7,"told":[],"min":0,"before":null,"after":null,"why":[]}', "\0", "  #  seat  order  min\n",
     '{"n":0,"order":"","seat":null,"told":[],"min":0,"before":null,"after":null,"why":[],"begun":{"game":1}}',
     '{"n":0,"order":"","seat":null,"told":[],"min":0,"before":null,"after":null,"why":[],"commitment":5}'],
)  # fmt: skip
def test_what_is_no_log_is_refused(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    assert run("verify-chance", "x", "--reveal", "ab" * 32).exit_code in (2, 3)


@pytest.mark.parametrize(
    "line",
    ['"n":999999999', '"n":999999999999999999999999', '"seat":"nobody"', '"order":"UNDO to 99"', '"seat":"moderator"'],
)
def test_a_line_that_cannot_be_is_told_and_takes_no_time(run: Run, public: str, line: str) -> None:
    lines = Path(public).read_text("utf-8").splitlines()
    name = line.partition(":")[0]
    lines[5] = re.sub(rf'{name}:("[^"]*"|\d+|null)', line, lines[5], count=1)
    Path(public).write_text("\n".join(lines), "utf-8")
    assert run("verify-chance", public, "--reveal", secret(EXAMPLES["rally"])).exit_code in (1, 3)


# Words for chance in later turns --------------------------------------------------------------------------------------


WORDED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


def first_order(run: Run, seat: str) -> str:
    rows = json.loads(run("legal", "w.json", "--as", seat, "--json", code=0).stdout)[seat]
    return next((row["order"] for row in rows if row["order"] == "DRAW"), rows[0]["order"])


@pytest.fixture
def worded(run: Run) -> Path:
    """Return a game with words in later turns, and an undo behind one of them."""
    run("new", "checkpoint-rally", *SEATS, "--entropy", "red=horse", "--seed", "-", "-o", "w.json", stdin=WORDED, code=0)
    (first,) = json.loads(run("legal", "w.json", "--json", code=0).stdout)
    other = "red" if first == "blue" else "blue"
    run("apply", "w.json", "-", stdin=f"{first}: {first_order(run, first)}\nWORD n\u00efght train\n".encode(), code=0)
    order = first_order(run, other)
    run("apply", "w.json", "-", stdin=f"{other}: {order}\nWORD fish\n", code=0)
    run("undo", "w.json", "--to", "2", "--reason", "x", code=0)
    run("apply", "w.json", "-", stdin=f"{other}: {order}", code=0)
    for _ in range(4):
        (seat,) = json.loads(run("legal", "w.json", "--json", code=0).stdout)
        run("apply", "w.json", "-", stdin=f"{seat}: {first_order(run, seat)}", code=0)
    return Path("w.json")


@pytest.mark.parametrize("kind", ["--json", "--events"])
def test_words_of_later_turns_are_checked_with_the_logs_alone(run: Run, worded: Path, kind: str) -> None:
    log = save_log(run, worded, "log", kind)
    options = () if kind == "--json" else ("--ruleset", "checkpoint-rally", *SEATS)
    result = run("verify-chance", log, "--reveal", WORDED, *options, code=0)
    assert "sound  " in result.stdout
    text = Path(log).read_text("utf-8")
    assert "WORD n\u00efght train" in text
    Path(log).write_text(text.replace("n\u00efght train", "night train"), "utf-8")
    assert "night train" in Path(log).read_text("utf-8")
    run("verify-chance", log, "--reveal", WORDED, *options, code=1)
