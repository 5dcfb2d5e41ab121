"""The command `replay`, run in an empty folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from adjudicator.cli.replay import replay


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the parsers that are built here away from the user's cache."""
    os.environ.setdefault("ADJUDICATOR_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(replay)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object, stdin: str | bytes = b"", code: int = 0) -> Result:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.output
        assert result.exit_code == code, result.output
        return result

    return call
