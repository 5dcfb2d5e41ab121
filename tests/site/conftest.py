"""An archive with games of every fate, and the command `site` over it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.replay_page import page_of
from adjudicator.site import game_page
from adjudicator.store.save import dump_game

ROOT = Path(__file__).parents[2]
HOSTILE = "</script><script>alert(1)</script>{{ 7*7 }}"


@pytest.fixture
def run(run: Callable[..., Result]) -> Callable[..., Result]:
    """Return the command `site`, which is to succeed unless another ``code`` is asked for."""
    return partial(run, "site", code=0)


_REPLAYS: dict[Any, Any] = {}


@pytest.fixture(autouse=True)
def _replays_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the replay of each game once: it takes most of the time of a site, and `replay` has tests of its own."""

    def replay(session: Any, *given: Any, **named: Any) -> Any:
        key = (dump_game(session.game), *given, *named.items())
        return _REPLAYS.get(key) or _REPLAYS.setdefault(key, page_of(session, *given, **named))

    monkeypatch.setattr(game_page, "page_of", replay)


@pytest.fixture
def archive(tmp_path: Path, forge: Callable[[dict[str, Any]], bytes]) -> Path:
    """Return the folder ``archive``: games over and going on, forged, torn, kept by hand, and with a hostile name in it."""
    folder = tmp_path / "archive"
    (folder / "deep").mkdir(parents=True)
    examples = ROOT / "examples"
    for name, source in (
        ("flag.json", "checkered-flag/race/game.json"),
        ("deep/charlie.json", "checkpoint-charlie/three-players/game.json"),
        ("on.json", "checkpoint-rally/two-players/start.json"),
        ("deep/hand.txt", "checkpoint-rally/hand-kept/race.txt"),
        ("deep/tiny-set.json", "checkpoint-rally/hand-kept/tiny-set.json"),
    ):
        shutil.copyfile(examples / source, folder / name)
    whole = (examples / "checkpoint-rally/two-players/game.json").read_bytes()
    (folder / "torn.json").write_bytes(whole[:-200])
    document = json.loads(whole)
    document["state"]["racers"][0]["minutes"] = 77
    (folder / "forged.json").write_bytes(forge(document))
    (folder / "hostile.json").write_bytes(hostile(whole, forge))
    (folder / "notes.json").write_text('{"to": "do"}')
    return folder


@pytest.fixture(scope="session")
def _kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site") / "public"


@pytest.fixture
def built(run: Callable[..., Result], archive: Path, _kept: Path) -> Callable[[str], None]:
    """Lay the site of that archive into a folder, as the command has made it: to make it for each test takes long."""

    def lay(name: str) -> None:
        if _kept.exists():
            shutil.copytree(_kept, name)
        else:
            run("archive", "-o", name, code=1)
            shutil.copytree(name, _kept)

    return lay


def hostile(whole: bytes, forge: Callable[[dict[str, Any]], bytes]) -> bytes:
    """Return the game with a player of a hostile name."""
    document = json.loads(whole)
    document["setup"]["players"][0]["holder"] = HOSTILE
    document["id"] = "hostile"
    return forge(document)
