"""A ruleset of another package that exits or has a bug stops its own game of a club, and no other one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.drivers.club import Club, begin

ROOT = Path(__file__).parents[2]
PACK = ROOT / "tests" / "drivers" / "pack"
HOSTILE = """

import os, sys
def hostile(hook, *given):
    how = os.environ.get("HOSTILE", "")
    if how == "exit": sys.exit(0)
    if how == "gone": os._exit(0)
    if how == "bug": raise ValueError("a mistake of its author")
    return hook(*given)
def asked(*given): return hostile(_asked, *given)
def due(*given): return hostile(_due, *given)
_asked, _due = RULES.asked, RULES.due
language = replace(
    RULES.language, grammar="toy_ladder:toy.lark", builders={"climb": lambda parts: Climb(rungs=int(parts[-1]))}
)
RULES = changed(RULES, asked=asked, due=due, language=language)
if os.environ.get("HOSTILE") == "load": sys.exit(0)
"""
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes can be forked here")

GRAMMAR = """
%override order: climb
climb: _CLIMB INT
_CLIMB.2: /climb/i
"""
PROGRAM = """
import json, os, sys, time, traceback
def call(words, environment):
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.environ |= environment
    for number, name in enumerate(("stdout", "stderr"), 1):
        os.dup2(os.open(name, os.O_CREAT | os.O_TRUNC | os.O_WRONLY), number)
    now = float(words[0])
    time.time = lambda: now
    sys.argv = ["adjudicator", *words[1:]]
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    os._exit(code)
if __name__ == "__main__":  # in other processes nothing of this is loaded
    from adjudicator.__main__ import main
    import adjudicator.cli.club
    for line in sys.stdin:
        print(call(*json.loads(line)), flush=True)
"""

Ended = subprocess.CompletedProcess[str]
Run = Callable[..., Ended]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run a command at a time of a club with the hostile ruleset installed; ``how`` says what that does.

    Each runs in a fork of a program that has loaded all but the ruleset.
    """
    folder = tmp_path_factory.mktemp("hostile")
    pack = folder / "pack"
    shutil.copytree(PACK, pack)
    with (pack / "toy_ladder" / "__init__.py").open("a") as source:
        source.write(HOSTILE)
    (pack / "toy_ladder" / "toy.lark").write_text(GRAMMAR)
    (folder / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(pack), str(ROOT)])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    with subprocess.Popen([sys.executable, "program.py"], cwd=folder, env=environment, **pipes) as program:

        def call(*words: object, now: int = 1_772_452_800, how: str = "", check: bool = True) -> Ended:
            print(json.dumps([[str(now), *map(str, words)], {"HOSTILE": how}]), file=program.stdin)
            code = int(program.stdout.readline())
            done = subprocess.CompletedProcess(words, code, *((folder / name).read_text() for name in ("stdout", "stderr")))
            assert code == 0 or not check, done
            return done

        yield call
        program.stdin.close()


@pytest.fixture(scope="module")
def begun(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A club with a race and a game of the toy, whose first letters have gone out."""
    club = begin("race", tmp_path_factory.mktemp("begun"))
    toy = club.top / "toy.json"
    run("new", "toy-ladder", "--seat", "red", "--seat", "blue", "-o", toy)
    run("club", "add", club.folder, toy, "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    run("club", "run", club.folder, "--once")
    club.read_letters()
    return club


@pytest.fixture
def club(begun: Club, tmp_path: Path) -> Club:
    """A copy of that club."""
    return begun.copied(tmp_path)


def a_round(run: Run, club: Club, **options: object) -> dict[str, object]:
    """Do a round; return which games went on, and the troubles."""
    found = json.loads(run("club", "run", club.folder, "--once", "--json", check=False, **options).stdout)
    return {name: found[name] for name in ("gone_on", "troubles")}


@pytest.fixture(scope="module")
def other(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another game of the toy, which is in no club."""
    path = tmp_path_factory.mktemp("other") / "other.json"
    run("new", "toy-ladder", "--seat", "red", "--seat", "blue", "-o", path)
    return path


@pytest.fixture
def toy(club: Club) -> Path:
    """Return the file of the toy's game."""
    return club.folder / "games" / "toy" / "game.json"


@pytest.mark.parametrize(
    ("how", "words"), [("exit", "SystemExit: 0"), ("bug", "ValueError: a mistake"), ("load", "SystemExit: 0")]
)
def test_the_other_games_go_on(club: Club, run: Run, toy: Path, how: str, words: str) -> None:
    before = toy.read_bytes()
    club.mail("red", "red: CLIMB 1\n", "toy")
    club.mail("red", "red: GEAR 1\n", "race")
    done = a_round(run, club, how=how)
    assert done["gone_on"] == ["race"]
    assert done["troubles"] and all(words in trouble for trouble in done["troubles"]), done
    assert toy.read_bytes() == before
    (matter,) = club.matters()
    assert words in matter


def test_in_a_round_with_many_games_one_that_ends_its_process_stops_no_other(club: Club, run: Run, toy: Path) -> None:
    for number in range(31):
        club.add("checkered-flag", "red", "blue", game=f"race-{number}")
    os.utime(toy)
    club.mail("red", "red: GEAR 1\n", "race")
    words = "the game has ended its process (exit code 0)"
    found = a_round(run, club, how="gone")
    assert (len(found["gone_on"]), found["troubles"]) == (32, [f"toy: {words}"])
    assert len([one for one in club.matters() if words in one]) == 1


def test_the_game_goes_on_when_the_ruleset_is_repaired(club: Club, run: Run, toy: Path) -> None:
    before = toy.read_bytes()
    club.mail("red", "red: CLIMB 1\n", "toy")
    a_round(run, club, how="exit")
    for seat in ("red", "blue"):
        club.mail(seat, f"{seat}: CLIMB 1\n", "toy")
    assert a_round(run, club) == {"gone_on": ["toy"], "troubles": []}
    assert toy.read_bytes() != before


@pytest.mark.parametrize(
    ("task", "how", "code", "words"),
    [  # adding only folds the events
        ("add", "load", 2, "loading it failed: SystemExit: 0"),
        ("seat", "load", 2, "loading it failed: SystemExit: 0"),
        ("seat", "bug", 70, "a bug in the ruleset “toy-ladder”"),
    ],
)
def test_the_moderator_is_told_whose_bug_it_is(
    club: Club, run: Run, toy: Path, other: Path, task: str, how: str, code: int, words: str
) -> None:
    addresses = {"add": (other, "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")}
    call = (task, club.folder, *addresses.get(task, ("toy", "red", "Carol", "carol@example.org")))
    found = run("club", *call, how=how, check=False)
    assert (found.returncode, words in found.stderr) == (code, True), found.stderr
    done = run("club", *call)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_mistake_of_the_moderator_is_told_as_elsewhere(club: Club, run: Run, toy: Path) -> None:
    for seat, address, words in (
        ("green", "carol@example.org", "toy has no seat green; it has red, blue"),
        ("red", "carol", "“carol” is not a mail address"),
    ):
        found = run("club", "seat", club.folder, "toy", seat, "Carol", address, check=False)
        assert (found.returncode, words in found.stderr) == (2, True), found.stderr


def test_a_club_can_offer_its_games(club: Club, run: Run) -> None:
    club.change("club.toml", "[incoming]", '[people]\njoin = true\n[[people.open]]\nruleset = "toy-ladder"\n[incoming]')
    assert "people.open" not in run("club", "doctor", club.folder, check=False).stdout
    found = run("club", "doctor", club.folder, how="load", check=False).stdout
    assert "people.open: toy-ladder: the ruleset “toy-ladder” cannot be used" in found
