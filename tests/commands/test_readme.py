"""The first pages: README, tutorial and players' page; their commands run as printed, in order.

``--program`` plays them, and a call of every other command, with an installed program away from the checkout: see `.ci/run`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest

import adjudicator as adj
from adjudicator.library.rulesets import ids_with_commands
from tests.drivers.commands import ROOT, Run

PICTURE = ROOT / "docs" / "pictures" / "report.svg"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INSTALLS = re.compile(r"\.venv/bin/pip install .*")
EXTRAS = ["zstandard", "resvg_py", "PIL", "matplotlib", "authres", "imap_tools", "keyring", "dask", "fsspec", "pyarrow"]
CODE = re.compile(r"# exit code ([0-9]+)")


OTHERS = r"""
adjudicator rally-round route ../examples/rally-round/route/evening.txt --svg evening.svg -o evening.json
adjudicator rally-round sheet score ../examples/rally-round/time-sheets/club-night.txt      # exit code 1
adjudicator rally-round sheet score ../examples/rally-round/time-sheets/skeet.txt --map house    # exit code 1
adjudicator script rally-021.txt -o again.json
adjudicator new checkpoint-rally --seat red=Ann --seat blue=Bob --commit-only -o dealt.json
adjudicator begin dealt.json red=horse blue=umbrella
adjudicator begin dealt.json --publish
adjudicator begin dealt.json --deal
adjudicator language dealt.json de
printf 'red: refresh\n' > orders.txt
adjudicator apply rally-021.json orders.txt
adjudicator fork rally-021.json --at 1
adjudicator simulate checkered-flag --games 2 --jobs 1
adjudicator new-ruleset my-game
adjudicator desk --help
adjudicator new checkered-flag --seat red=Ann --seat blue=Bob -o race.json
adjudicator club init thursday --name "Thursday club" --address club@example.org --moderator me@example.org
adjudicator club add thursday race.json --seat red=ann@example.org --seat blue=bob@example.org
adjudicator club run thursday --once
adjudicator club status thursday
adjudicator club set thursday trust.token=address people.join=true
adjudicator club open thursday checkered-flag players=2
adjudicator club tournament thursday
printf 'From: ann@example.org\nTo: club@example.org\nSubject: race\n\nJOIN checkered-flag\nMESSAGE to Bob: hello\n' > ann.eml
adjudicator club receive thursday ann.eml
adjudicator club messages thursday race
adjudicator club release thursday 1
printf 'From: eve@example.org\nTo: club@example.org\nSubject: race\n\nGEAR 1 go\n' > eve.eml
adjudicator club receive thursday eve.eml
adjudicator club accept thursday race 2 --seat red
printf 'From: eve@example.org\nTo: club@example.org\nSubject: hello\n\nGEAR 1 go\n' > eve.eml
adjudicator club receive thursday eve.eml
adjudicator club settle thursday 3
adjudicator club pause thursday race
adjudicator club resume thursday race
adjudicator club extend thursday race --by "2 days"
adjudicator club seat thursday race red Carol carol@example.org
adjudicator club forget thursday ann@example.org
adjudicator club list thursday
adjudicator club standing thursday
adjudicator club status thursday --since "1 day"
adjudicator club upgrade thursday
adjudicator club backup thursday copy
adjudicator club restore thursday copy
adjudicator club set thursday trust.token=required
adjudicator club doctor thursday
adjudicator club publish thursday -o pages
adjudicator club serve thursday --proxy                                            # exit code 2
adjudicator club remove thursday race
"""
"""A call of every command, and of every command of a club, that the tutorial lacks; they use its files."""


def commands_of(run: Run) -> Iterator[str]:
    """Yield the name of each command of the program, those of games and clubs included."""
    for name in listed(run("--help", code=0).stdout):
        more = listed(run(name, "--help", code=0).stdout) if name in ("club", *ids_with_commands()) else []
        yield from (f"{name} {command} " for command in more) if more else [f"{name} "]


def listed(text: str) -> list[str]:
    """Return the commands that a page of help lists."""
    return re.findall(r"\n  (\w[\w-]*)  +\S", text)


@pytest.fixture
def clone(tmp_path: Path, pytestconfig: pytest.Config) -> Path:
    """Lay out what the commands need of a fresh clone, with the program of ``--program`` or this one without extras."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    program = programs / "adjudicator"
    if installed := pytestconfig.getoption("--program"):
        program.symlink_to(Path(installed).resolve())
    else:
        program.write_text(
            f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
            f"sys.modules.update(dict.fromkeys({EXTRAS}))\nfrom adjudicator.__main__ import main\nmain()\n"
        )
        program.chmod(0o755)
    (programs / "activate").write_text(f"PATH='{programs}':$PATH\n")
    return tmp_path


def lines_of(page: Path) -> list[str]:
    """Return the commands of ``page``, but those that install something."""
    blocks = BLOCK.findall(page.read_text("utf-8").replace("\\\n", " "))
    return [line for block in blocks for line in block.splitlines() if INSTALLS.search(line) is None]


def code_of(line: str) -> int:
    """Return the exit code with which a line must end: 0, or as its comment says."""
    comment = CODE.search(line)
    return int(comment[1]) if comment else 0


def play(lines: list[str], folder: Path) -> str:
    """Run the command ``lines`` in one shell; return what they print."""
    script = []
    for line in lines:
        otherwise = f"{{ echo ended with $code: {shlex.quote(line)}; exit 99; }}"
        script += [line, f"code=$?; [ $code = {code_of(line)} ] || {otherwise}"]
    assert script
    done = subprocess.run(
        ["bash", "-uc", "\n".join(script)],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


def assert_shown(page: Path, printed: str) -> None:
    """Check that ``printed`` has everything that the page shows of it."""
    shown = SHOWN.findall(page.read_text("utf-8"))
    assert shown
    for block in shown:
        assert block in printed


@pytest.mark.parametrize("name", ["README.md", "docs/audit.md"])
def test_the_commands_of_a_page_run_as_printed_from_a_fresh_clone(name: str, clone: Path) -> None:
    assert_shown(ROOT / name, play(lines_of(ROOT / name), clone))


def test_the_commands_of_the_tutorial_run_as_printed_and_then_every_other(
    clone: Path, run: Run, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    """They are many, so this program runs in this process, and a shell only for the other commands."""
    page = ROOT / "docs" / "tutorial.md"
    lines = [*lines_of(page), *OTHERS.strip().splitlines()]
    called = [line.removeprefix("adjudicator ") for line in lines]
    missing = [name for name in commands_of(run) if not any(f"{one} ".startswith(name) for one in called)]
    assert not missing, f"add a call of each to OTHERS: {missing}"
    if pytestconfig.getoption("--program"):
        assert_shown(page, play(lines, clone))
        return
    printed = ""
    for line in lines:
        words = shlex.split(re.sub(r"\s+# .*", "", line))
        if words[0] == "adjudicator":
            target = Path(words[words.index(">") + 1]) if ">" in words else None
            result = run(*words[1 : words.index(">") if target else None], code=code_of(line))
            if target:
                target.write_bytes(result.stdout_bytes)
            printed += result.output
        elif (folder := line.partition(" && cd ")[2]) or line.startswith("mkdir"):
            subprocess.run(["bash", "-uc", line], check=True)
            monkeypatch.chdir(folder or ".")
        elif words[0] == "cp":
            shutil.copy(words[1], words[2])
        elif words[0] == "cat":
            printed += Path(words[1]).read_text("utf-8")
        elif words[0] == "printf":
            Path(words[words.index(">") + 1]).write_text(words[1].encode().decode("unicode_escape"), "utf-8")
        else:
            assert line == ". .venv/bin/activate", line
    assert_shown(page, printed)


def test_the_readme_installs_no_extra() -> None:
    (install,) = re.findall(r"<!-- run command -->\n```sh\n(.+)\n", (ROOT / "README.md").read_text("utf-8"))
    assert install.endswith("pip install -q -c constraints.txt .")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 110


def test_every_page_of_the_docs_can_be_reached_from_the_readme() -> None:
    """A page that fails here needs a link: in the README, or in a page that the README links to."""
    reached: set[Path] = set()
    ahead = [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page in reached or page.suffix != ".md" or not page.is_file():
            continue
        reached.add(page)
        ahead += [(page.parent / target).resolve() for target in re.findall(r"\]\(([^)#:]+)", page.read_text("utf-8"))]
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - {page.name for page in reached} == set()


def test_the_picture_on_the_page_about_reports_is_a_report_of_the_example(run: Run, tmp_path: Path) -> None:
    """To draw it again: apply `turn-01.txt` to `turn-11.txt` to `start.json`, then `report --as red --since 8 -o`."""
    example = ROOT / "examples" / "checkpoint-rally" / "two-players"
    shutil.copy(example / "start.json", tmp_path / "game.json")
    for number in range(1, 12):
        run("apply", "game.json", example / f"turn-{number:02}.txt")
    run("report", "game.json", "--as", "red", "--since", "8", "-o", "report.svg", code=0)
    assert f"({PICTURE.relative_to(ROOT / 'docs').as_posix()})" in (ROOT / "docs" / "turn.md").read_text("utf-8")
    assert (tmp_path / "report.svg").read_text("utf-8") == PICTURE.read_text("utf-8")


def test_the_orders_on_the_page_for_players_are_legal(run: Run, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "players.md").read_text("utf-8")
    example = ROOT / "examples" / "checkpoint-rally" / "two-players"
    run("apply", example / "start.json", example / "turn-01.txt", "-o", "game.json", code=0)
    first, either, asked, noted = re.findall(r"^```orders\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    for orders in (first, either, either + asked, noted):
        (tmp_path / "mail.txt").write_text(orders)
        run("check", "game.json", "red=mail.txt", code=0)
    shown = SHOWN.findall(page)[0]
    (tmp_path / "mail.txt").write_text("place u10 at a1 rot 91\n")
    run("turn", "game.json", "red=mail.txt", "-o", "out", code=1)
    assert indent(shown, "  ") in (tmp_path / "out" / "red.txt").read_text("utf-8")


def test_each_changed_ruling_has_its_rule_its_game_and_what_it_means_for_running_games() -> None:
    changed = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n### Adjudication changed\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in changed.splitlines() if row.startswith("| ")][1:]
    documented = {meta.name: (ROOT / "docs" / f"{meta.id}.md").read_text("utf-8") for meta in adj.installed_games()}
    assert rows
    for game, rule, ruling, running in rows:
        assert ruling
        assert running
        if not game.startswith(("all", "games")):
            page = documented[game.split(",")[0]]
            assert all(one in page for one in rule.split(", ")), rule
