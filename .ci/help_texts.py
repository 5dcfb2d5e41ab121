"""Print the manual page for `man`, with the help of every command: `python .ci/help_texts.py > man/adjudicator.1`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO

from adjudicator import __version__
from adjudicator.cli.app import COMMANDS, program


def help_texts() -> Iterator[tuple[str, str]]:
    """Yield each command and its help, the program first."""
    for command in ("", *COMMANDS):
        shown = StringIO()
        with redirect_stdout(shown), suppress(SystemExit):
            program().main([*command.split(), "--help"], prog_name="adjudicator", terminal_width=80)
        yield f"adjudicator {command}".rstrip(), shown.getvalue().strip()


def manual_page() -> str:
    """Return the manual page in the format of `man`."""
    lines = [f'.TH ADJUDICATOR 1 "" "adjudicator {__version__}"', ".SH NAME", "adjudicator \\- run board games by mail"]
    for command, text in help_texts():
        shown = text.replace("\\", "\\e").replace("-", "\\-")
        lines += [f".SH {command.upper()}", ".nf", *(f"\\&{line}" for line in shown.splitlines()), ".fi"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(manual_page() + "\n")
