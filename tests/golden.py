"""Record what the program says about games, mails and scripts, and compare it with what it said before.

    python -m tests.golden              # write the record again, after a change that is meant
    python -m tests.golden --compare    # say what differs, the first difference of each kind first
    python -m tests.golden --compare --part 1/12    # only a twelfth of it

It uses only the library and the command line, so that it outlives any change inside the program. For each source (a game, a
mail, a script) and each kind (its log, its legal orders …) the record has the hash of one text; what that text was, the
program says that wrote the record. To accept a change, read what differs, write the record again, and name the change in the
commit.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir
from enum import Enum
from itertools import islice, zip_longest
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import adjudicator as adj
from adjudicator.__main__ import main as adjudicator_command
from adjudicator.core.values import Tagged, Value
from tests.data.mails.pieces import FRAMES
from tests.drivers.mails import corpus

ROOT = Path(__file__).parents[1]
RECORD = Path(__file__).with_name("golden.xz")
GAMES = ("tests/data/games/*/*.json", "examples/*/*/*.json")
SCRIPTS = ("examples/*/*/case-*.orders.txt", "examples/*/hand-kept/race.txt")
POSITIONS = 3
"""The number of positions of a game at which legal orders, views and refusals are recorded."""
TRIED = 12
"""The number of orders that are tried at each position, for each seat."""
Texts = Iterator[tuple[str, str]]
"""Kinds with their texts."""


def sources() -> list[str]:
    """Return the names of all games, mails and scripts, in a fixed order."""
    games = [path for pattern in GAMES for path in sorted(ROOT.glob(pattern)) if b'"journal"' in path.read_bytes()]
    scripts = [path for pattern in SCRIPTS for path in sorted(ROOT.glob(pattern))]
    return [*(str(path.relative_to(ROOT)) for path in (*games, *scripts)), *(f"mail {name}" for name in sorted(corpus()))]


def texts_of(name: str) -> dict[str, str]:
    """Return what the program says about the source ``name``, a text for each kind."""
    path = ROOT / name
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        os.environ["ADJUDICATOR_CACHE"] = f"{folder}/cache"  # what was audited before is audited again
        of_file = of_game if path.suffix == ".json" else of_script
        of = of_mail(name.removeprefix("mail ")) if name.startswith("mail ") else of_file(path)
        return {kind: text.replace(str(ROOT), "").replace(folder, "") for kind, text in of}


def of_game(path: Path) -> Texts:
    """Yield what the program says about a recorded game."""
    game = adj.open(path)
    yield "file", hashlib.sha256(game.to_bytes()).hexdigest()
    yield "heads", f"{game.id} {game.turn} {game.head} {game.position_hash} {game.commitment} {game.is_over}"
    yield "verdict", said("audit", str(path), "--json")
    yield "facts", "\n".join(map(str, game.standings))
    for reader in ("public", "moderator", *game.seats):
        who = [] if reader == "public" else ["--as", reader]
        yield f"log {reader}", said("log", str(path), *who)
        yield f"entries {reader}", said("replay", str(path), "--json", *who)
        if reader not in game.seats:
            yield f"boards {reader}", said("replay", str(path), "--boards", *who)
        yield f"report {reader}", said("report", str(path), *who)
        yield f"view {reader}", said("show", str(path), "--json", *who)
    script = said("script", str(path), "-o", "script.txt", "--with-secret")
    yield "script", script + Path("script.txt").read_text("utf-8") if Path("script.txt").exists() else script
    yield from at_positions(game)


def at_positions(game: adj.Game) -> Texts:
    """Yield what the program says in the middle of ``game``: views, legal orders with their costs, refusals."""
    entries = [step.n for step in game.seen_by().replay()]
    orders = list(dict.fromkeys(row.order for row in game.seen_by("moderator").log() if row.seat in game.seats))
    shares = [entries[len(entries) * part // (POSITIONS + 1)] for part in range(POSITIONS + 1)]
    for number, entry in enumerate(dict.fromkeys(shares)):
        try:
            there = game.undo(to=entry, reason="record")
        except adj.AdjudicatorError as error:
            yield f"at {entry} undo", str(error)
            continue
        there.save(f"{entry}.json")
        for reader in ("public", *game.seats):
            who = [] if reader == "public" else ["--as", reader]
            yield f"at {entry} view {reader}", said("show", f"{entry}.json", *who)
        yield f"at {entry} legal", said("legal", f"{entry}.json", "--json")
        lines = []
        for seat in game.seats[:4]:
            wrong = [orders[(number * TRIED + at * 7) % len(orders)] for at in range(TRIED)] if orders else []
            for order in dict.fromkeys((*wrong, *WRONG)):
                try:
                    result = there.apply({seat: order})
                except adj.AdjudicatorError as error:
                    lines.append(f"{seat}: {order} raises {error}")
                    continue
                lines += [f"{seat}: {order}", *(f"  {plain(one)}" for one in (*result.problems, *result.log))]
        yield f"at {entry} tried", "\n".join(lines)


WRONG = ("PLACE Z9 at Q9 rot 45", "DRAW DRAW", "MOVE", "drwa", "IF nothing > 3 THEN DRAW", "GEAR 9", "PASS", "hello there")
"""Orders that are wrong in most positions of most games."""


def of_script(path: Path) -> Texts:
    """Yield what the program says about a script."""
    setup = path.with_name(path.name.replace("orders.txt", "setup.json"))
    if setup.is_file() and setup != path:
        ruleset = path.parents[1].name
        seats = [f"--seat={seat}" for seat in ("red", "blue")]
        yield (
            "made",
            said("new", ruleset, *seats, "--setup", str(setup), "--seed", "7" * 64, "-o", "game.json", "--id", "case"),
        )
        yield "applied", said("apply", "game.json", str(path), "-o", "after.json")
        yield "log", said("log", "after.json", "--as", "moderator", "--json")
    else:
        yield "replay", said("replay", str(path), "--boards", "--as", "moderator")
        yield "entries", said("replay", str(path), "--json", "--as", "moderator")
        yield "verdict", said("audit", str(path), "--json")


def of_mail(name: str) -> Texts:
    """Yield what the program reads in a mail of the corpus, sent to the game that it is for, at turn 7."""
    frame = next(one for one in FRAMES if one.name == name)
    ruleset = frame.game
    third = {"green": "Cy"} if ruleset == "checkpoint-charlie" else {}
    game = adj.new(ruleset, {"red": "Ann Smith", "blue": "Bob", **third}, id="rally-042", seed=7)
    while game.turn < 7 and not game.is_over:
        seat = game.due_seats[0]
        rows = game.seen_by(seat).legal
        game = game.apply({seat: rows[len(rows) // 2].order}).game
    game.save("game.json")
    Path("mail.eml").write_bytes(corpus()[name])
    named = f"{frame.seat}=mail.eml" if frame.seat else "mail.eml"
    yield "check", said("check", "game.json", named, "--json")
    yield "texts", said("check", "game.json", named)


def plain(value: Any) -> Any:
    """Return ``value`` as numbers, texts, lists and dicts, whatever kind of class it has."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, Value):
        kind = {"kind": value.kind} if isinstance(value, Tagged) else {}
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__} | kind
    return value


def said(*arguments: str) -> str:
    """Return what ``adjudicator`` with these ``arguments`` prints, and its exit code."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    before = sys.argv, sys.stdout, sys.stderr
    sys.argv, sys.stdout, sys.stderr = ["adjudicator", *arguments], out, err
    try:
        adjudicator_command()
        code: object = 0
    except SystemExit as stopped:
        code = stopped.code or 0
    finally:
        sys.argv, sys.stdout, sys.stderr = before
    out.flush()
    err.flush()
    printed = out.buffer.getvalue().decode() + err.buffer.getvalue().decode()  # type: ignore[attr-defined]
    return printed + (f"exit {code}\n" if code else "")


def made(names: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each of ``names`` with its texts, made by as many processes as there are processors."""
    os.environ.update(COLUMNS="100", NO_COLOR="1", LC_ALL="C.UTF-8", TZ="UTC")
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        yield from zip(names, pool.map(texts_of, names, chunksize=2), strict=True)


def hashed(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the first digits of the SHA-256 of each text."""
    return {kind: hashlib.sha256(text.encode()).hexdigest()[:16] for kind, text in texts.items()}


def first_difference(name: str, kind: str, now: str) -> str:
    """Return the first line in which the text of ``name`` and ``kind`` is not as it was when the record was written.

    The program of that day says what it was, in a work tree of the commit that wrote the record.
    """
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run(
        [*git, "log", "-1", "--format=%H", "--", str(RECORD)], capture_output=True, text=True
    ).stdout.strip()
    if not commit:
        return "the record is not committed"
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder, "before")
        subprocess.run([*git, "worktree", "add", "-q", "--detach", str(there), commit], check=True)
        try:
            code = f"from tests.golden import texts_of; print(texts_of({name!r})[{kind!r}])"
            run = subprocess.run([sys.executable, "-c", code], cwd=there, capture_output=True, text=True)
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", str(there)], check=True)
    if run.returncode:
        return f"the program of {commit[:8]} fails: {run.stderr[-200:]}"
    pairs = enumerate(zip_longest(run.stdout.splitlines(), now.splitlines()), 1)
    number, (was, is_) = next(((number, pair) for number, pair in pairs if pair[0] != pair[1]), (0, ("", "")))
    same = next((at for at, (old, new) in enumerate(zip(was or "", is_ or "", strict=False)) if old != new), 0)
    start = max(0, same - 40)
    return f"line {number}\n    was {cut(was, start)}\n    is  {cut(is_, start)}"


def cut(line: str | None, start: int) -> str:
    """Return what a reader needs of ``line`` to see a difference near ``start``."""
    return "nothing" if line is None else ("…" if start else "") + line[start : start + 160]


def main() -> int:
    """Write the record, or compare with it."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--compare", action="store_true", help="say what differs from the record")
    parser.add_argument("--part", default="1/1", help="only one part of the sources: 1/12 is every twelfth")
    parser.add_argument("--only", default="", help="only sources whose names match this regular expression")
    given = parser.parse_args()
    part, of = map(int, given.part.split("/"))
    names = [name for name in islice(sources(), part - 1, None, of) if re.search(given.only, name)]
    before: dict[str, dict[str, str]] = json.loads(lzma.decompress(RECORD.read_bytes())) if RECORD.is_file() else {}
    now = {name: before[name] for name in sources() if name in before and name not in names}
    differ, first = Counter[str](), dict[str, tuple[str, str, str]]()
    for name, texts in made(names):
        was, now[name] = before.get(name, {}), hashed(texts)
        for kind in dict.fromkeys((*was, *now[name])):
            if was.get(kind) != now[name].get(kind):
                short = re.sub(r"\d+ ", "", kind)
                differ[short] += 1
                first.setdefault(short, (name, kind, texts.get(kind, "")))
    gone = sorted(before.keys() - now.keys())
    for short, count in differ.items():
        name, kind, text = first[short]
        if kind not in before.get(name, {}):
            why = "which is new"
        elif kind not in now[name]:
            why = "which is gone"
        else:
            why = first_difference(name, kind, text)
        print(f"{short}: {count} differ; the first is {name}, {kind}, {why}", flush=True)
    if gone:
        print(f"{len(gone)} sources are gone; the first is {gone[0]}")
    print(f"{len(names)} sources, {sum(map(len, (now[name] for name in names)))} texts, {differ.total()} differ")
    if given.compare:
        return 1 if differ or gone else 0
    in_order = {name: now[name] for name in sources() if name in now}
    RECORD.write_bytes(lzma.compress(json.dumps(in_order, indent=0).encode()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
