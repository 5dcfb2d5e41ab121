"""What a newcomer meets first: help, the version, words that are not commands."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from adjudicator import __version__
from adjudicator.cli.app import app_for

Run = Callable[..., Result]
COMMANDS = [command.name or getattr(command.callback, "__name__", "") for command in app_for().registered_commands]
SOURCE = Path(__file__).parents[2] / "adjudicator" / "cli"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_command_has_help_with_an_example_that_stands_on_lines_of_its_own(run: Run, command: str, option: str) -> None:
    text = run(command, option, code=0).stdout
    assert re.search(rf"\n  Examples?:\n(    adjudicator .*\n)*    adjudicator {command}( .*)?\n", text)
    assert re.search(r"\n  --json  +print JSON for programs instead of text\n", text)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_the_options_in_an_example_are_options_of_the_command(run: Run, command: str) -> None:
    text = run(command, "--help", code=0).stdout
    for example in re.findall(rf"\n    adjudicator {command} (.*)\n", text):
        for option in re.findall(r"(?<!\S)--?[a-z-]+", example):
            assert re.search(rf"[ ,]{option}[ ,\n]", text[text.index("Options:") :]), option


def test_the_program_s_help_lists_every_command_with_a_whole_sentence(run: Run) -> None:
    text = run("--help", code=0).stdout
    listed = dict(re.findall(r"\n  ([\w-]+)  +(\S.*)", text[text.index("Commands:") :]))
    assert list(listed) == [*COMMANDS, "rally-round"]
    assert {"games", "new", "check", "apply", "show", "legal", "log", "schema"} <= set(COMMANDS)
    assert [words for words in listed.values() if not words.endswith(".") or words.endswith("...")] == []
    assert "Exit codes: 0 done, 1 problems in the orders, 2 wrong use, 3 a file" in text
    assert "\n    adjudicator apply race.json orders.txt\n" in text


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    result = run(code=2)
    assert "Commands:" in result.output


def test_a_word_that_is_no_command_is_misuse_with_a_hint(run: Run) -> None:
    result = run("aply", code=2)
    assert "No such command 'aply'" in result.stderr
    assert "apply" in result.stderr


@pytest.mark.parametrize("arguments", [["apply"], ["show"], ["new"], ["legal"]])
def test_missing_arguments_are_misuse(run: Run, arguments: list[str]) -> None:
    result = run(*arguments, code=2)
    assert "Usage: " in result.stderr
    assert "--help' for help" in result.stderr or "-h' for help" in result.stderr


@pytest.mark.parametrize(
    "arguments", [["games", "x"], ["show", "x", "--as"], ["log", "x", "--event"], ["check", "x", "y", "--dry-run"]]
)
def test_arguments_that_nobody_asked_for_are_misuse(run: Run, arguments: list[str]) -> None:
    assert "Error: " in run(*arguments, code=2).stderr


def test_what_can_be_given_more_than_once_says_so() -> None:
    for name, command in typer.main.get_command(app_for()).commands.items():  # type: ignore[attr-defined]
        for parameter in command.params:
            written = f"{parameter.metavar} {getattr(parameter, 'help', '')}"
            is_repeatable = parameter.nargs == -1 or getattr(parameter, "multiple", False)
            assert is_repeatable == ("..." in written or "[repeatable]" in written), f"{name}: {parameter.name}"


def test_the_version(run: Run) -> None:
    assert run("--version", code=0).stdout == f"adjudicator {__version__}\n"


@pytest.mark.parametrize("arguments", [["--version"], ["--version", "games"]])
def test_the_version_as_a_module(arguments: list[str]) -> None:
    result = subprocess.run([sys.executable, "-m", "adjudicator", *arguments], capture_output=True, text=True, check=True)
    assert result.stdout == f"adjudicator {__version__}\n"


def test_the_command_is_installed() -> None:
    command = shutil.which("adjudicator", path=str(Path(sys.executable).parent))
    assert command is not None
    result = subprocess.run([command, "games", "--json"], capture_output=True, text=True, check=True)
    assert '"id":"checkpoint-rally"' in result.stdout


def test_asking_for_the_version_loads_none_of_the_program() -> None:
    script = (
        "import sys; sys.argv = ['adjudicator', '--version']\n"
        "from adjudicator.__main__ import main\n"
        "main()\n"
        "print([name for name in sys.modules if name.startswith(('typer', 'pydantic', 'lark', 'adjudicator.c'))])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[1] == "[]"


def test_loading_the_command_line_loads_nothing_heavy() -> None:
    """Lark, pydantic and jsonschema are felt at every start: they are loaded by the commands that need them."""
    script = (
        "import sys\n"
        "from adjudicator.cli.app import app_for\n"
        "app_for()\n"
        "print([name for name in ('lark', 'pydantic', 'jsonschema', 'jinja2', 'rich', 'filelock',\n"
        "    'asyncio', 'adjudicator.core.engine', 'adjudicator.games', 'adjudicator.rulesets', 'adjudicator.reports',\n"
        "    'adjudicator.store') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


def test_adjudicating_a_text_loads_nothing_that_only_others_need(tmp_path: Path) -> None:
    """What reads mails, zipped packages and JSON Schemas is felt at every start of `apply`."""
    game, orders = str(tmp_path / "game.json"), tmp_path / "orders.txt"
    orders.write_text("red: GEAR 1\n")
    script = (
        "import sys\n"
        "from adjudicator.__main__ import main\n"
        f"sys.argv = ['adjudicator', 'apply', {game!r}, {str(orders)!r}]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    pass\n"
        "print([name for name in ('email.message', 'adjudicator.mail.mailboxes', 'importlib.resources',\n"
        "    'pydantic', 'jsonschema', 'adjudicator.outputs.positions') if name in sys.modules])"
    )
    made = ["new", "checkered-flag", "--seat", "red", "--seat", "blue", "--seed", f"{1:064x}", "-o", game]
    assert CliRunner().invoke(app_for(made), made).exit_code == 0
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_alone_is_the_same_as_among_all(name: str) -> None:
    (alone,) = app_for([name, "--help"]).registered_commands
    among = next(command for command in app_for().registered_commands if command.callback == alone.callback)
    assert (alone.name, alone.help) == (among.name, among.help) == (name, alone.help)


def test_a_misspelt_command_is_known_for_one_among_all() -> None:
    result = CliRunner().invoke(app_for(["aply"]), ["aply"])
    assert result.exit_code == 2
    assert "apply" in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("undo game.json --to x --reason y", "'x' is not a whole number."),
        ("simulate checkpoint-rally --games many", "'many' is not a whole number."),
        ("audit game.json --jobs x", "'x' is not"),
        ("audit game.json --jobs 0", "0 is not from 1 to 256."),
    ],
)
def test_a_value_of_the_wrong_type_is_told_in_plain_words(run: Callable[..., Result], arguments: str, words: str) -> None:
    assert words in run(*arguments.split(), code=2).stderr
    assert words in run(*arguments.split(), "--json", code=2).stdout
