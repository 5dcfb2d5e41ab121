"""A ruleset of another package that exits, hangs or sends signals ends no command without a message, and harms no file."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PACK = Path(__file__).parents[1] / "store" / "pack"
ROOT = Path(__file__).parents[2]
HOSTILE = """

import os, signal, sys, time
def harm(how):
    if how == "exit": sys.exit(0)
    if how == "raise": raise BaseException("what nobody catches")
    if how == "gone": os._exit(0)
    if how == "killed": os.kill(os.getpid(), signal.SIGKILL)
    if how == "group": os.killpg(0, signal.SIGKILL)
    if how == "parent": os.kill(os.getppid(), signal.SIGKILL)
    if how == "hang":
        open(os.environ["PIDS"], "a").write(f"{os.getpid()}\\n")
        while True: time.sleep(1)
harm(os.environ.get("LOADED", ""))
_due = RULESET.due
def due(*given):
    harm(os.environ.get("USED", ""))
    return _due(*given)
RULESET = RULESET.changed(due=due)
"""
UNHARMED = "Your game file is safe: it is unchanged, or completely written."

Command = Callable[..., "subprocess.Popen[str]"]
Run = Callable[..., "subprocess.CompletedProcess[str]"]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes can be forked here")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install a hostile ruleset in a folder of its own."""
    folder = tmp_path_factory.mktemp("hostile") / "pack"
    shutil.copytree(PACK, folder)
    with (folder / "toy_ladder" / "__init__.py").open("a") as source:
        source.write(HOSTILE)
    return folder


@pytest.fixture
def command(tmp_path: Path, pack: Path) -> Command:
    """Start the command line with the hostile ruleset; ``loaded`` and ``used`` say what that does, and when."""

    def start(*words: object, loaded: str = "", used: str = "", seconds: float = 100) -> subprocess.Popen[str]:
        hostile = {"LOADED": loaded, "USED": used, "PIDS": str(tmp_path / "pids")}
        environment = {**os.environ, **hostile, "ADJUDICATOR_RULESET_SECONDS": str(seconds)}
        environment["PYTHONPATH"] = os.pathsep.join([str(pack), str(ROOT)])
        call = [sys.executable, "-m", "adjudicator", *map(str, words)]
        pipe = subprocess.PIPE
        return subprocess.Popen(call, cwd=tmp_path, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    return start


@pytest.fixture
def run(command: Command) -> Run:
    """Run the same to its end; ``given`` is its standard input."""

    def call(*words: object, given: str = "", **how: str | float) -> subprocess.CompletedProcess[str]:
        with command(*words, **how) as process:
            out, error = process.communicate(given, 60)
            return subprocess.CompletedProcess(words, process.returncode, out, error)

    return call


@pytest.fixture(scope="module")
def _new_game(pack: Path) -> Path:
    """Begin a game of the toy once."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(pack), str(ROOT)])}
    call = [sys.executable, "-m", "adjudicator", "new", "toy-ladder", "--seat", "red", "--seat", "blue", "-o", "toy.json"]
    subprocess.run(call, cwd=pack.parent, env=environment, check=True)
    return pack.parent / "toy.json"


@pytest.fixture
def game(_new_game: Path, tmp_path: Path) -> Path:
    """Return a game of the toy."""
    shutil.copy(_new_game, tmp_path / "toy.json")
    return tmp_path / "toy.json"


def is_gone(pids: Path) -> bool:
    """Return whether the process that hung has ended."""
    try:
        os.kill(int(pids.read_text().split()[-1]), 0)
    except ProcessLookupError:
        return True
    return False


def soak(*case: object) -> object:
    """Return a case for long runs: others go the same way through the program, and each takes a process or two."""
    return pytest.param(*case, marks=pytest.mark.soak)


DONE_BY_IT = [
    ("gone", "the ruleset “toy-ladder” ended the program (exit code 0)"),
    ("killed", "the ruleset “toy-ladder” was ended by signal 9"),
    ("group", "the ruleset “toy-ladder” was ended by signal 9"),
    ("hang", "the ruleset “toy-ladder” did not finish within 1.5 seconds"),
]


@pytest.mark.parametrize(
    ("how", "words", "when"),
    [
        *((*done, "used") for done in (DONE_BY_IT[0], *DONE_BY_IT[2:])),
        *(soak(*done, "loaded") for done in DONE_BY_IT),
        soak(*DONE_BY_IT[1], "used"),
    ],
)
def test_the_end_of_a_ruleset_is_told(run: Run, game: Path, tmp_path: Path, how: str, words: str, when: str) -> None:
    before = game.read_bytes()
    found = run("show", game, seconds=1.5 if how == "hang" else 100, **{when: how})
    assert (found.returncode, found.stdout) == (70, ""), found.stderr
    assert found.stderr == f"adjudicator: {words}. It is not part of this program.\n{UNHARMED}\n"
    assert game.read_bytes() == before
    if how == "hang":
        assert is_gone(tmp_path / "pids")


CHECK, TURN = ("check", "toy.json", "-"), ("turn", "toy.json", "-", "-o", "out")


@pytest.mark.parametrize(("words", "how"), [(TURN, "gone"), (TURN, "hang"), (CHECK, "gone"), soak(CHECK, "hang")])
def test_game_files_and_their_locks_stay_as_they_were(
    run: Run, game: Path, tmp_path: Path, words: tuple[str, ...], how: str
) -> None:
    before = game.read_bytes()
    found = run(*words, "--json", given="red: CLIMB\n", used=how, seconds=1.5 if how == "hang" else 100)
    assert found.returncode == 70
    assert json.loads(found.stdout)["message"].startswith("the ruleset “toy-ladder” ")
    assert game.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} <= {"toy.json", "pids", "hostile0"}


@pytest.mark.parametrize("how", ["exit", "raise"])
def test_what_python_can_catch_is_told_as_its_bug(run: Run, game: Path, how: str) -> None:
    found = run("show", game, used=how)
    assert found.returncode == 70
    assert "“toy-ladder”" in found.stderr
    assert "tried to end" in found.stderr


def test_a_command_that_is_well_and_one_whose_parent_gets_a_signal_return_the_same(run: Run, game: Path) -> None:
    assert run("show", game, "--as", "nobody").returncode == 2
    plain = run("show", game)
    assert "turn 1" in plain.stdout
    for found in (
        run("show", "-", given=game.read_text()),
        run("show", game, loaded="parent"),
        run("show", game, used="parent"),
    ):
        assert (found.returncode, found.stdout, found.stderr) == (0, plain.stdout, "")
    before = game.read_bytes()
    assert run("seat", game, "red", "--holder", "Ann", "--reason", "she came").returncode == 0
    assert game.read_bytes() != before
    assert sorted(path.name for path in game.parent.iterdir() if path.name != "hostile0") == ["toy.json"]


CAUGHT = [("exit", "SystemExit: 0"), ("raise", "BaseException: what")]


@pytest.mark.parametrize(
    ("how", "words"), [DONE_BY_IT[0], *(soak(*done) for done in DONE_BY_IT[1:3]), DONE_BY_IT[3], soak(*CAUGHT[0]), CAUGHT[1]]
)
def test_the_list_of_games_names_the_unusable_one_and_has_all_others(run: Run, tmp_path: Path, how: str, words: str) -> None:
    found = run("games", "--json", loaded=how, seconds=1.5 if how == "hang" else 100)
    assert found.returncode == 0, found.stderr
    listed = {one["id"]: one for one in json.loads(found.stdout)}
    assert {"checkered-flag", "checkpoint-rally", "toy-ladder"} <= listed.keys()
    assert listed["toy-ladder"]["broken"].startswith(f"loading it failed: {words}")
    if how == "hang":
        assert is_gone(tmp_path / "pids")


def test_another_broken_ruleset_is_not_loaded_for_a_game(run: Run, game: Path, pack: Path) -> None:
    """All rulesets were loaded to know one of them."""
    (pack / "worse.py").write_text("import os\nos._exit(0)\n")
    (pack / "worse-1.0.dist-info").mkdir()
    (pack / "worse-1.0.dist-info" / "entry_points.txt").write_text("[adjudicator.rulesets]\nworse = worse:META\n")
    try:
        assert run("show", game).returncode == 0
        found = run("new", "nothing", "--seat", "red", "-o", "x.json")
        assert (found.returncode, "no game “nothing” is installed" in found.stderr) == (2, True)
    finally:
        shutil.rmtree(pack / "worse-1.0.dist-info")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_command_can_be_stopped(command: Command, game: Path, tmp_path: Path, number: int, code: int) -> None:
    pids = tmp_path / "pids"
    with command("show", game, used="hang") as process:
        end = time.monotonic() + 60
        while not (pids.exists() and pids.read_text().endswith("\n")):
            assert time.monotonic() < end
            time.sleep(0.05)
        process.send_signal(number)
        out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (code, "")
    assert error.startswith("adjudicator: interrupted; ")
    assert is_gone(pids)


# Commands that may take hours ---------------------------------------------------------------------------------------

LOST = [
    ("exit", "tried to end the program: SystemExit: 0"),
    ("raise", "tried to end the program: BaseException: what nobody catches"),
    ("gone", "has ended its process (exit code 0)"),
    ("killed", "has ended its process (exit code -9)"),
    ("group", "has ended its process (exit code -9)"),
    ("hang", "did not finish within 1.5 seconds"),
]
LIMITED = {"hang": 1.5}


@pytest.fixture
def own(run: Run, tmp_path: Path) -> Path:
    """Return a finished game by rules of this program."""
    shutil.copy(ROOT / "examples" / "checkered-flag" / "race" / "game.json", tmp_path / "own.json")
    return tmp_path / "own.json"


@pytest.mark.parametrize(("how", "words"), [LOST[0], *(soak(*lost) for lost in LOST[1:4]), *LOST[4:]])
def test_a_simulation_names_the_game_that_a_ruleset_does_not_finish(run: Run, how: str, words: str) -> None:
    found = run("simulate", "toy-ladder", "--games", 2, used=how, seconds=LIMITED.get(how, 100))
    assert (found.returncode, found.stdout) == (70, "")
    game = "game 1 of `simulate toy-ladder --players 2 --player random --seed 1`"
    assert found.stderr.startswith(f"adjudicator: {game}: the ruleset “toy-ladder” {words}. ")


@pytest.mark.parametrize(("how", "words"), [DONE_BY_IT[0], *(soak(*done) for done in DONE_BY_IT[1:])])
def test_a_simulation_survives_the_loading_of_a_ruleset(run: Run, how: str, words: str) -> None:
    found = run("simulate", "toy-ladder", loaded=how, seconds=LIMITED.get(how, 100))
    assert found.returncode == 70
    assert found.stderr.startswith(f"adjudicator: {words}. ")


@pytest.mark.parametrize(
    ("when", "how", "words"),
    [("loaded", *LOST[2]), ("used", *LOST[4]), soak("used", *LOST[2]), soak("loaded", *LOST[4])],
)
def test_a_site_shows_all_other_games(run: Run, own: Path, game: Path, when: str, how: str, words: str) -> None:
    found = run("site", own, game, "-o", "public", "--unfinished", "--json", **{when: how})
    told = json.loads(found.stdout)
    assert [page["cause"] for page in told["unmade"]] == [f"the ruleset “toy-ladder” {words}"]
    assert told["games"] == 2
    assert len(list((own.parent / "public" / "games").glob("*.html"))) == 2


@pytest.mark.parametrize("how", ["gone", soak("parent"), soak("hang")])
def test_an_archive_runs_no_ruleset(run: Run, own: Path, game: Path, how: str) -> None:
    for words in (("archive", "games.jsonl.zst", own, game), ("archive", "games.jsonl.zst", "--extract", "out")):
        found = run(*words, loaded=how, used=how)
        assert (found.returncode, found.stderr) == (0, "")
    assert len(list((own.parent / "out").iterdir())) == 2


def test_games_of_this_program_stay_in_one_process(run: Run, pack: Path, tmp_path: Path) -> None:
    """Forking a process and waiting for it takes time."""
    program = "import os, sys; os.fork = None; from adjudicator.__main__ import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(pack), str(ROOT)]), "LOADED": "gone"}
    call = [sys.executable, "-c", program, "new", "checkered-flag", "--seat", "red", "--seat", "blue", "-o", "a.json"]
    assert subprocess.run(call, cwd=tmp_path, env=environment, check=False).returncode == 0


def test_rulesets_are_watched_only_while_a_command_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from adjudicator import rulesets
    from adjudicator.__main__ import main

    before = rulesets._watcher
    monkeypatch.setattr("sys.argv", ["adjudicator", "rules", "checkered-flag", "CF-B2"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out
    assert rulesets._watcher is before
