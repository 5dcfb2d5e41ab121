"""The files with orders that a command line names, and their seats."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.cli.order_files import order_paths, read_order_files, submissions_of
from adjudicator.cli.output import MisuseError
from adjudicator.library.begin import new


def test_an_unknown_seat_is_refused_before_any_text_is_read(tmp_path: Path) -> None:
    """The readers of orders consume the texts; a mistake on the command line must not surface inside them."""
    (tmp_path / "a.txt").write_text("MOVE C3\n")
    game = new("checkered-flag", ["red", "blue"])
    files = read_order_files(order_paths([f"red={tmp_path}/a.txt", f"rde={tmp_path}/a.txt"]), ())
    with pytest.raises(MisuseError, match="did you mean “red”"):
        submissions_of(files, game)
