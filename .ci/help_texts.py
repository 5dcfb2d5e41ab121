"""Print the manual page for `man`, with the help of every command: `python .ci/help_texts.py > man/adjudicator.1`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from typer.testing import CliRunner

from adjudicator import __version__
from adjudicator.cli.app import app_for
from schemas import FAILURE, OUTPUTS


def help_texts() -> Iterator[tuple[str, str]]:
    """Yield each command and its help, the program first."""
    for command in ("", *(name for name in OUTPUTS if name != FAILURE)):
        words = command.split()
        text = CliRunner().invoke(app_for(words), [*words, "--help"], prog_name="adjudicator", terminal_width=80).stdout
        yield f"adjudicator {command}".rstrip(), text.strip()


def manual_page() -> str:
    """Return the manual page in the format of `man`."""
    lines = [f'.TH ADJUDICATOR 1 "" "adjudicator {__version__}"', ".SH NAME", "adjudicator \\- run board games by mail"]
    for command, text in help_texts():
        shown = text.replace("\\", "\\e").replace("-", "\\-")
        lines += [f".SH {command.upper()}", ".nf", *(f"\\&{line}" for line in shown.splitlines()), ".fi"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(manual_page() + "\n")
