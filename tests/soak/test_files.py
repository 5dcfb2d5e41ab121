"""Damaged and forged files of every kind through the command line: a result or an explained refusal, never a bug."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attack import Attack, mutated_bytes, mutated_document
from typer.testing import Result
from watch import in_time

from adjudicator.files.errors import FileProblem
from adjudicator.rulesets import metas
from adjudicator.session import open_session
from adjudicator.sources.zstd import pack
from adjudicator.store.load import load_game
from tests.drivers.mails import corpus

Run = Callable[..., Result]
Forge = Callable[[dict[str, Any]], bytes]

ROOT = Path(__file__).parents[2]
NAMES = [name for name, _ in metas()]
LARGEST = 60_000
"""Bytes of the games that are damaged: larger ones only take longer."""
GAME_COMMANDS = (
    *("show", "show --as SEAT", "show --as moderator", "show --svg -", "legal", "legal --as SEAT", "log --events"),
    *("log --as SEAT", "log --as moderator --events", "replay --boards", "replay --as SEAT"),
    *("report --as SEAT", "report --as SEAT --format html", "report --as SEAT --format game"),
    *("replay --export - --with-secret", "replay --until 5 --boards --as moderator"),
    *(
        "audit",
        "audit --impact",
        "undo --to 0 --reason x -o -",
        "undo --to 3 --reason x -o -",
    ),
    *("pending", "pending --as SEAT"),
    *("withdraw SEAT --reason x -o -", "pending --bring-back 1 -o -", "seat SEAT --holder Zoe --reason x -o -"),
    *(
        "reveal --force --reason x -o -",
        "apply orders.txt -o -",
        "apply -o -",
    ),
    *("check orders.txt", "check orders.txt --as SEAT"),
)
FILE_COMMANDS = (
    *("language g.json", "language g.json de", "apply g.json orders.txt --log l.jsonl", "turn g.json orders.txt -o out"),
    *("words g.json SEAT=horse", "words g.json --publish", "begin g.json", "rules g.json", "verify-chance g.json"),
    *("show g.json --svg b.svg", "check g.json SEAT=orders.txt --strict", "amend g.json x=1 --reason x"),
)


@cache
def games() -> list[bytes]:
    """Return games of every kind: of the examples, recorded ones, and those of the first format."""
    paths = [*(ROOT / "examples").rglob("*.json"), *(ROOT / "tests/data/games").rglob("*.json")]
    found = [path.read_bytes() for path in sorted(paths)]
    with zipfile.ZipFile(ROOT / "tests/data/games/format-1/games.zip") as archive:
        found += [archive.read(name) for name in archive.namelist() if name.endswith(".json")]
    return [data for data in found if b'"journal"' in data and len(data) <= LARGEST]


@cache
def parts() -> list[tuple[str, bytes]]:
    """Return component sets and positions, each with the game it is for."""
    paths = [*ROOT.glob("examples/*/*/*.json"), *ROOT.glob("adjudicator/games/*/data/*.json")]
    paths += ROOT.glob("tests/data/games/format-1/parts/*.json")
    named = [(str(path).replace("_", "-"), path) for path in sorted(paths)]
    return [
        (next(name for name in NAMES if name in words), path.read_bytes())
        for words, path in named
        if any(name in words for name in NAMES) and b'"journal"' not in path.read_bytes()
    ]


@cache
def mails() -> list[bytes]:
    return list(corpus().values())


@cache
def scripts() -> list[bytes]:
    """Return scripts: one that was kept by hand, and games written as such."""
    from adjudicator.script.export import CannotExportError, export_script

    found = [(ROOT / "examples/checkpoint-rally/hand-kept/race.txt").read_bytes()]
    for data in games()[::25]:
        with suppress(CannotExportError):  # those with parts of their own need files beside the script
            found.append(export_script(open_session(load_game(data)), with_secret=True).text.encode())
    return found


@cache
def seats_of(data: bytes) -> tuple[str, ...]:
    """Return the seats of a sound game, or two that many games have."""
    try:
        return open_session(load_game(data)).seats
    except FileProblem:
        return ("red", "blue")


def answered(attack: Attack, run: Run, arguments: list[str], stdin: bytes = b"") -> None:
    """The command ends with one of its codes and says why; with --json what it prints is JSON."""
    attack.counts["commands"] += 1
    try:
        with in_time(f"{arguments}"):
            result = run(*arguments, stdin=stdin)
    except BaseException:
        keep(attack, arguments, stdin)
        raise
    attack.count(f"exit {result.exit_code}")
    if result.exit_code not in (0, 1, 2, 3):
        keep(attack, arguments, stdin)
    assert result.exit_code in (0, 1, 2, 3), (attack.told, arguments, result.output)
    assert result.exit_code in (0, 1) or result.output.strip(), (attack.told, arguments)
    if "--json" in arguments and result.exit_code in (0, 2, 3) and "-o" not in arguments:
        for line in result.stdout.splitlines():
            json.loads(line)


def keep(attack: Attack, arguments: list[str], stdin: bytes) -> None:
    """Leave what made a command fail where it can be looked at."""
    folder = os.environ.get("SOAK_KEEP")
    if folder:
        where = Path(folder) / f"{attack.seed}-{attack.at - 1}"
        where.mkdir(parents=True, exist_ok=True)
        (where / "arguments.json").write_text(json.dumps(arguments), "utf-8")
        (where / "stdin").write_bytes(stdin)
        for path in Path().rglob("*"):
            if path.is_file():
                (where / path.name).write_bytes(path.read_bytes())


def damaged(luck: Random, data: bytes, forge: Forge | None = None) -> bytes:
    """Return ``data`` damaged as bytes or as JSON, of a game with chain and seal made to fit, or not."""
    if luck.random() < 0.3:
        return mutated_bytes(luck, data)
    try:
        document = mutated_document(luck, json.loads(data), luck.choice((1, 1, 1, 2, 5)))
    except ValueError:
        return mutated_bytes(luck, data)
    if forge is not None and luck.random() < 0.8:
        with suppress(LookupError, TypeError, AttributeError, ValueError):  # too much may be missing for a forger
            return forge(document)
    return json.dumps(document, ensure_ascii=luck.random() < 0.5, indent=luck.choice((None, 1))).encode("utf-8", "replace")


def filled_in(luck: Random, command: str, data: bytes) -> list[str]:
    words = command.replace("SEAT", luck.choice(seats_of(data))).split()
    return [*words, "--json"] if luck.random() < 0.4 and "-o -" not in command and "--svg -" not in command else words


def cleared() -> None:
    """Remove what the round before has written."""
    for path in sorted(Path().rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


def orders_for(luck: Random, data: bytes) -> bytes:
    from hostile_lines import AROUND

    lines = [f"{luck.choice(seats_of(data))}: {luck.choice(('DRAW', 'GEAR 1', 'REFRESH', 'ASK', 'DRIVE', 'IF a THEN b'))}"]
    return "\n".join([*lines, *luck.choices(AROUND, k=2)]).encode()


@pytest.mark.parametrize("whole", [10, pytest.param(100_000, marks=pytest.mark.soak)])
def test_damaged_games(attack: Attack, run: Run, forge: Forge, whole: int) -> None:
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        cleared()
        sound = luck.choice(games())
        data = damaged(luck, sound, forge)
        Path("orders.txt").write_bytes(orders_for(luck, sound))
        if luck.random() < 0.2:
            Path("g.json").write_bytes(data)
            answered(attack, run, filled_in(luck, luck.choice(FILE_COMMANDS), sound))
            continue
        name, *rest = filled_in(luck, luck.choice(GAME_COMMANDS), sound)
        answered(attack, run, [name, "-", *rest], data)


@pytest.mark.parametrize("whole", [10, pytest.param(20_000, marks=pytest.mark.soak)])
def test_damaged_components_and_positions(attack: Attack, run: Run, whole: int) -> None:
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        cleared()
        game, sound = luck.choice(parts())
        Path("part.json").write_bytes(damaged(luck, sound))
        names = ("red", "blue", "green")[: 3 if game == "checkpoint-charlie" else 2]
        seats = [word for name in names for word in ("--seat", name)]
        option = luck.choice(("--components", "--setup"))
        commands = (
            ["components", game, "--components", "part.json"],
            ["components", game, "--components", "part.json", "--svg", "-"],
            ["new", game, *seats, option, "part.json", "-o", "g.json"],
        )
        answered(attack, run, luck.choice(commands))
        if Path("g.json").exists():
            attack.count("games begun")
            for command in ("show g.json", "legal g.json", "audit g.json", "show g.json --svg b.svg"):
                answered(attack, run, command.split())


@pytest.mark.parametrize("whole", [10, pytest.param(20_000, marks=pytest.mark.soak)])
def test_damaged_scripts(attack: Attack, run: Run, whole: int) -> None:
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        cleared()
        Path("s.txt").write_bytes(mutated_bytes(luck, luck.choice(scripts()), 8))
        command = luck.choice(("replay s.txt --boards", "audit s.txt", "replay s.txt --import g.json", "log s.txt"))
        answered(attack, run, command.split())


@pytest.mark.parametrize("whole", [10, pytest.param(20_000, marks=pytest.mark.soak)])
def test_damaged_mails_and_mailboxes(attack: Attack, run: Run, whole: int) -> None:
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        cleared()
        game = luck.choice(games())
        Path("g.json").write_bytes(game)
        one, two, *_ = (*seats_of(game), "blue")
        Path("m.eml").write_bytes(mutated_bytes(luck, luck.choice(mails()), 12))
        some = luck.choices(mails(), k=luck.randint(1, 4))
        box = b"".join(b"From ann@example.org Mon Mar  2 17:08:41 2026\n" + mail + b"\n" for mail in some)
        Path("box").write_bytes(mutated_bytes(luck, box, 12))
        texts = luck.choice((["m.eml"], ["box"], [f"{one}=m.eml", "box"], [f"{two}=box"], [f"{one}=m.eml", f"{two}=m.eml"]))
        command = luck.choice((["check", "g.json"], ["turn", "g.json", "--dry-run"], ["apply", "g.json", "-o", "-"]))
        answered(attack, run, [*command[:2], *texts, *command[2:], *luck.choice(([], ["--strict"]))])


@pytest.mark.parametrize("whole", [8, pytest.param(10_000, marks=pytest.mark.soak)])
def test_damaged_archives(attack: Attack, run: Run, forge: Forge, whole: int) -> None:
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        cleared()
        for name, data in archives(luck, forge):
            Path(name).write_bytes(data)
        answered(attack, run, ["audit", *sorted(map(str, Path().iterdir())), *luck.choice(([], ["--json"], ["--quiet"]))])


def archives(luck: Random, forge: Forge) -> Iterator[tuple[str, bytes]]:
    """Yield a folder's files: archives within archives, damaged inside or outside, compressed games."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", luck.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for number in range(luck.randint(1, 3)):
            data = luck.choice(games())
            name = luck.choice((f"{number}.json", f"../{number}.json", f"a/{number}.json", f"/{number}.json", "é.json"))
            archive.writestr(name, damaged(luck, data, forge) if luck.random() < 0.3 else data)
    whole = packed.getvalue()
    yield "a.zip", mutated_bytes(luck, whole) if luck.random() < 0.8 else whole
    if luck.random() < 0.3:
        data = pack(luck.choice(games()), 3)
        yield "b.json.zst", mutated_bytes(luck, data) if luck.random() < 0.8 else data


@pytest.mark.parametrize("whole", [8, pytest.param(5_000, marks=pytest.mark.soak)])
def test_damaged_promises_and_outboxes(attack: Attack, run: Run, whole: int) -> None:
    """What a game leaves beside it or before it: the file of `new --commit-only`, the reports of `turn`."""
    for number in range(attack.times(whole)):
        luck = attack.next_round()
        cleared()
        if number % 2:
            run("new", "checkered-flag", "--seat", "red", "--seat", "blue", "--commit-only", "-o", "g.json", code=0)
            spoilt = Path("g.json")
            commands = ["words g.json red=horse", "words g.json --publish --without red --without blue", "begin g.json"]
        else:
            Path("g.json").write_bytes((ROOT / "examples/checkered-flag/race/start.json").read_bytes())
            run("turn", "g.json", "-o", "out", code=0)
            spoilt = luck.choice((Path("g.json.outbox"), Path("out/manifest.json")))
            commands = ["turn g.json -o out", "turn g.json -o out --force --json"]
        spoilt.write_bytes(damaged(luck, spoilt.read_bytes()))
        for command in commands:
            answered(attack, run, command.split())
