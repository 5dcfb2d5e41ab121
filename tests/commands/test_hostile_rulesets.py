"""A ruleset of another package that exits, hangs, sends signals or has bugs harms no file, and ends no command silently."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.drivers.commands import ROOT, argv, beside, package, written

HOSTILE = """

import os, signal, sys
def harm(how):
    if how == "exit": sys.exit(0)
    if how == "raise": raise BaseException("what nobody catches")
    if how == "gone": os._exit(0)
    if how == "killed": os.kill(os.getpid(), signal.SIGKILL)
    if how == "group": os.killpg(0, signal.SIGKILL)
    if how == "parent": os.kill(os.getppid(), signal.SIGKILL)
    if how == "hang":
        with open(os.environ["PIDS"], "w") as pipe: pipe.write(f"{os.getpid()}\\n")
        signal.pause()
harm(os.environ.get("LOADED", ""))

def bug(name):
    if os.environ.get("BUG") == name: raise KeyError("laps")

class LastMatch(LastMatch):
    def is_over(self, state):
        harm(os.environ.get("USED", ""))
        bug("is_over")
        return super().is_over(state)
    def standings(self, state):
        bug("standings")
        return super().standings(state)
    def refusal(self, at, order):
        if order.count == 3: bug("refusal")
        return super().refusal(at, order)
"""
UNHARMED = "Your game file is safe: it is unchanged, or completely written."
ORDERS = "red: TAKE 1\nblue: TAKE 1\n"
Command = Callable[..., "subprocess.Popen[str]"]
Run = Callable[..., "subprocess.CompletedProcess[str]"]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes can be forked here")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install a hostile ruleset in a folder of its own, with a new game."""
    folder = package(tmp_path_factory.mktemp("hostile"), HOSTILE)
    new = "-m adjudicator new last-match --seat red --seat blue --id toy -o toy.json"
    subprocess.run([sys.executable, *argv(new)], cwd=folder, env=beside(folder), check=True)
    return folder


@pytest.fixture
def command(tmp_path: Path, pack: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Start the command line with the hostile ruleset; ``loaded`` and ``used`` say what that does, and when."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(pack / "toy.json", tmp_path)
    written(ORDERS)

    def start(line: str, loaded: str = "", used: str = "", bug: str = "") -> subprocess.Popen[str]:
        hangs = "hang" in (loaded, used)
        hostile = {"LOADED": loaded, "USED": used, "BUG": bug, "PIDS": str(tmp_path / "pids")}
        call = [sys.executable, "-m", "adjudicator", *argv(line)]
        environment = beside(pack, ADJUDICATOR_RULESET_SECONDS="2" if hangs else "100", **hostile)
        pipe = subprocess.PIPE
        return subprocess.Popen(call, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    return start


@pytest.fixture
def run(command: Command) -> Run:
    """Run the same to its end; ``given`` is its standard input."""

    def call(line: str, given: str = "", **how: str) -> subprocess.CompletedProcess[str]:
        with command(line, **how) as process:
            out, error = process.communicate(given)
            return subprocess.CompletedProcess(line, process.returncode, out, error)

    return call


def files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path.cwd().iterdir() if path.is_file() and path.name != "pids"}


def is_gone() -> bool:
    """Return whether the process that hung has ended."""
    try:
        os.kill(int(Path("pids").read_text()), 0)
    except ProcessLookupError:
        return True
    return False


def soak(*case: object) -> object:
    """Return a case for long runs: others go the same way through the program, and each takes a process or two."""
    return pytest.param(*case, marks=pytest.mark.soak)


DONE_BY_IT = [
    ("gone", "the ruleset “last-match” ended the program (exit code 0)"),
    ("killed", "the ruleset “last-match” was ended by signal 9"),
    ("group", "the ruleset “last-match” was ended by signal 9"),
    ("hang", "the ruleset “last-match” did not finish within 2 seconds"),
]


@pytest.mark.parametrize(
    ("how", "words", "when", "line"),
    [
        (*DONE_BY_IT[0], "used", "show toy.json"),
        (*DONE_BY_IT[2], "used", "check toy.json -"),
        (*DONE_BY_IT[3], "used", "turn toy.json turn.txt -o out"),
        *(soak(*done, "loaded", "show toy.json") for done in DONE_BY_IT),
        soak(*DONE_BY_IT[1], "used", "show toy.json"),
    ],
)
def test_the_end_of_a_ruleset_is_told_and_files_stay(run: Run, how: str, words: str, when: str, line: str) -> None:
    before = files()
    found = run(line, given="red: TAKE 1\n", **{when: how})
    assert (found.returncode, found.stdout) == (70, ""), found.stderr
    assert found.stderr == f"adjudicator: {words}. It is not part of this program.\n{UNHARMED}\n"
    assert files() == before
    assert how != "hang" or is_gone()


@pytest.mark.parametrize("how", ["exit", "raise"])
def test_what_python_can_catch_is_told_as_its_bug(run: Run, how: str) -> None:
    found = run("show toy.json --json", used=how)
    assert found.returncode == 70
    assert "“last-match”" in json.loads(found.stdout)["message"] and "tried to end" in found.stdout


def test_a_command_that_is_well_and_one_whose_parent_gets_a_signal_return_the_same(run: Run) -> None:
    plain = run("show toy.json")
    assert "turn 1" in plain.stdout
    for found in (run("show -", given=Path("toy.json").read_text()), run("show toy.json", used="parent")):
        assert (found.returncode, found.stdout, found.stderr) == (0, plain.stdout, "")
    assert run("show toy.json --as nobody").returncode == 2
    before = Path("toy.json").read_bytes()
    assert run("seat toy.json red --holder Ann --reason came").returncode == 0
    assert Path("toy.json").read_bytes() != before
    assert set(files()) == {"toy.json", "turn.txt"}


CAUGHT = [("exit", "SystemExit: 0"), ("raise", "BaseException: what")]


@pytest.mark.parametrize(
    ("how", "words"), [DONE_BY_IT[0], *(soak(*done) for done in DONE_BY_IT[1:3]), DONE_BY_IT[3], soak(*CAUGHT[0]), CAUGHT[1]]
)
def test_the_list_of_games_names_the_unusable_one_and_has_all_others(run: Run, how: str, words: str) -> None:
    found = run("games --json", loaded=how)
    assert found.returncode == 0, found.stderr
    listed = {one["id"]: one for one in json.loads(found.stdout)}
    assert {"checkered-flag", "checkpoint-rally", "last-match"} <= listed.keys()
    assert listed["last-match"]["broken"].startswith(f"loading it failed: {words}")
    assert how != "hang" or is_gone()


def test_another_broken_ruleset_is_not_loaded_for_a_game(run: Run, pack: Path) -> None:
    """All rulesets were loaded to know one of them."""
    (pack / "worse.py").write_text("import os\nos._exit(0)\n")
    (pack / "worse-1.0.dist-info").mkdir()
    (pack / "worse-1.0.dist-info" / "entry_points.txt").write_text("[adjudicator.rulesets]\nworse = worse:META\n")
    try:
        assert run("show toy.json").returncode == 0
        found = run("new nothing --seat red -o x.json")
        assert (found.returncode, "no game “nothing” is installed" in found.stderr) == (2, True)
    finally:
        shutil.rmtree(pack / "worse-1.0.dist-info")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_command_can_be_stopped_while_a_ruleset_hangs(
    command: Command, number: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo("pids")  # reading it waits until the ruleset hangs
    with command("games", loaded="hang") as process:
        pid = int(Path("pids").read_text())
        process.send_signal(number)
        out, error = process.communicate()
    assert (process.returncode, out) == (code, "")
    assert error.startswith("adjudicator: interrupted; ")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


# Commands that may take hours ---------------------------------------------------------------------------------------

LOST = [
    ("exit", "tried to end the program: SystemExit: 0"),
    ("raise", "tried to end the program: BaseException: what nobody catches"),
    ("gone", "has ended its process (exit code 0)"),
    ("killed", "has ended its process (exit code -9)"),
    ("group", "has ended its process (exit code -9)"),
    ("hang", "did not finish within 2 seconds"),
]


@pytest.mark.parametrize(("how", "words"), [LOST[0], *(soak(*lost) for lost in LOST[1:4]), *LOST[4:]])
def test_a_simulation_names_the_game_that_a_ruleset_does_not_finish(run: Run, how: str, words: str) -> None:
    found = run("simulate last-match --games 2", used=how)
    assert (found.returncode, found.stdout) == (70, "")
    game = "game 1 of `simulate last-match --players 2 --player random --seed 1`"
    assert found.stderr.startswith(f"adjudicator: {game}: the ruleset “last-match” {words}. ")


@pytest.mark.parametrize(("when", "how", "words"), [("loaded", *LOST[2]), ("used", *LOST[4]), soak("used", *LOST[2])])
def test_a_site_shows_all_other_games_and_an_archive_runs_no_ruleset(run: Run, when: str, how: str, words: str) -> None:
    shutil.copy(ROOT / "examples" / "checkered-flag" / "race" / "game.json", "own.json")
    for line in ("archive games.jsonl.zst own.json toy.json", "archive games.jsonl.zst --extract out"):
        found = run(line, **{when: how})
        assert (found.returncode, found.stderr) == (0, "")
    assert len(list(Path("out").iterdir())) == 2
    told = json.loads(run("site games.jsonl.zst -o public --unfinished --json", **{when: how}).stdout)
    assert [page["cause"] for page in told["unmade"]] == [f"the ruleset “last-match” {words}"]
    assert (told["games"], len(list(Path("public/games").glob("*.html")))) == (2, 2)


def test_games_of_this_program_stay_in_one_process(pack: Path, tmp_path: Path) -> None:
    """Forking a process and waiting for it takes time."""
    program = "import os, sys; os.fork = None; from adjudicator.__main__ import main; main()"
    call = [sys.executable, "-c", program, *argv("new checkered-flag --seat red --seat blue -o a.json")]
    assert subprocess.run(call, cwd=tmp_path, env=beside(pack, LOADED="gone"), check=False).returncode == 0


# Bugs ---------------------------------------------------------------------------------------------------------------


def test_a_bug_in_the_rules_is_told_as_theirs_and_the_file_is_not_blamed(run: Run) -> None:
    found = run("show toy.json", bug="standings")
    assert (found.returncode, "cannot be trusted" in found.stderr) == (70, False)
    assert found.stderr.startswith(
        "adjudicator: this is a bug in the ruleset “last-match”, which is not part of this program, not a mistake of yours"
    )
    assert "KeyError: 'laps'" in found.stderr and re.search(r"last_match.*line \d+", found.stderr)
    assert "The file toy.json, a game of the ruleset “last-match”, may be fine." in found.stderr
    failure = json.loads(run("show toy.json --json", bug="standings").stdout)
    assert failure["error"] == "internal" and "last_match" in failure["message"]


def test_a_bug_over_one_line_leaves_that_line_out_and_the_others_count(run: Run) -> None:
    written("red: TAKE 2\nblue: TAKE 3\n")
    found = run("apply toy.json turn.txt", bug="refusal")
    assert (found.returncode, "1 order applied" in found.stdout) == (1, True)
    for words in ("core/fault", "turn.txt:2: this is a bug", "KeyError: 'laps'", "Please report the bug"):
        assert words in found.stderr
    (fault,) = json.loads(run("check toy.json turn.txt --json", bug="refusal").stdout)["faults"]
    assert (fault["seat"], fault["line"], fault["source"]) == ("blue", 2, "turn.txt")
    assert "last_match" in fault["traceback"]


def test_an_audit_tells_the_bug_and_judges_the_other_games(run: Run) -> None:
    Path("games").mkdir()
    shutil.copy("toy.json", "games/a.json")
    shutil.copy(ROOT / "examples" / "checkered-flag" / "race" / "game.json", "games/b.json")
    written(Path("toy.json").read_bytes()[:-9], "games/c.json")
    found = run("audit games --json", bug="is_over")
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert [row.get("status") for row in rows] == ["fault", "verified", "damaged", None], found.stderr
    divergence = rows[0]["divergence"]
    assert (divergence["kind"], divergence["sentence"]) == ("fault", True)
    assert re.match(r"a bug in the ruleset “last-match”.*\(.*\): KeyError: 'laps'", divergence["recomputed"])
    assert (rows[-1]["summary"]["kinds"], found.returncode) == ({"damaged": 1, "fault": 1}, 70)


@pytest.mark.parametrize(
    ("line", "bug"),
    [
        ("apply toy.json turn.txt --log log.jsonl", "is_over"),
        ("apply toy.json turn.txt --json", "standings"),
        ("turn toy.json turn.txt -o reports", "standings"),
        ("undo played.json --to 0 --reason x", "standings"),
        ("amend played.json left=9 --reason x", "standings"),
        ("seat played.json red --holder Zoe --reason x", "standings"),
    ],
)
def test_a_command_that_fails_over_what_it_prints_has_changed_nothing(run: Run, line: str, bug: str) -> None:
    assert run("apply toy.json turn.txt -o played.json").returncode == 0
    before = files()
    found = run(line, bug=bug)
    assert (found.returncode, "last-match" in found.stderr + found.stdout) == (70, True)
    assert files() == before
    assert not Path("reports").exists()


# Commands that a ruleset brings along ---------------------------------------------------------------------------------

COMMANDS = '''
import typer

COMMANDS = typer.Typer()


@COMMANDS.command()
def heaps(count: int = 3) -> None:
    """Print a heap of matches.

    Examples:
      adjudicator last-match heaps --count 2
    """
    typer.echo("|" * count)
    if count > 9:
        raise ValueError("a heap this large falls over")
'''


def test_a_ruleset_of_another_package_brings_commands(tmp_path: Path) -> None:
    pack = package(tmp_path, commands=COMMANDS)
    source = pack / "last_match" / "__init__.py"
    source.write_text(
        source.read_text().replace("    ruleset=", '    commands="last_match.commands:COMMANDS",\n    ruleset=')
    )

    def foreign(line: str) -> subprocess.CompletedProcess[str]:
        call = [sys.executable, "-m", "adjudicator", *argv(line)]
        return subprocess.run(call, cwd=tmp_path, env=beside(pack), capture_output=True, text=True, check=False)

    assert foreign("last-match heaps --count 2").stdout == "||\n"
    assert "\n    adjudicator last-match heaps --count 2\n" in foreign("last-match heaps --help").stdout
    assert "heaps  Print a heap of matches." in foreign("last-match --help").stdout
    wrong = foreign("last-match heaps --json --count x")
    assert (wrong.returncode, '"error":"usage"' in wrong.stdout) == (2, True)
    broken = foreign("last-match heaps --count 10")
    assert (broken.returncode, "“last-match”" in broken.stderr) == (70, True)
