"""Game files as documents: forged with chain and seal made anew, by the formulas of docs/game-file.md alone."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path as FilePath
from random import Random
from typing import Any

import adjudicator as adj

Document = dict[str, Any]
Path = tuple[str | int, ...]
ROOT = FilePath(__file__).parents[2]
RULESETS = ("checkered-flag", "checkpoint-charlie", "checkpoint-rally", "great-race", "rally-round")
EXAMPLE = {
    "checkered-flag": "examples/checkered-flag/race/game.json",
    "checkpoint-charlie": "examples/checkpoint-charlie/three-players/game.json",
    "checkpoint-rally": "examples/checkpoint-rally/two-players/game.json",
    "great-race": "examples/great-race/race/game.json",
    "rally-round": "examples/rally-round/competition/game.json",
}
"""A whole game of each ruleset."""
DELETE = object()
"""As a new value: leave the member out."""


def canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def digest(*parts: str | bytes) -> str:
    return sha256(b"".join(part.encode() if isinstance(part, str) else part for part in parts)).hexdigest()


def heading(document: Document) -> list[Any]:
    """Return what the hash chain begins with."""
    chance, setup = document["chance"], document["setup"]
    found = [1, *(document[name] for name in ("id", "ruleset", "components"))]
    found += [chance[name] for name in ("source", "commitment", "entropy")]
    found += [setup[name] for name in ("players", "options", "position")]
    return found + (["promised", chance.get("without", [])] if chance.get("promised") else [])


def sealed(document: Document) -> Document:
    """Return ``document`` with chain and seal made anew."""
    before, journal = digest("adjudicator game\n", canonical(heading(document))), []
    for link in document["journal"]:
        before = digest(before, canonical(link["entry"]))
        journal.append({**link, "hash": before})
    later = [document["receipts"]] if document.get("receipts") else []
    for name in ("set_aside", "reported", "languages"):
        later += [name, document[name]] if document.get(name) else []
    rest = [document["chance"]["secret"], document["pending"], document["state"], *later]
    return {**document, "journal": journal, "seal": digest(before, canonical(rest))}


def laid_out(document: Document) -> bytes:
    """Return the bytes of a file: a line for each member and for each entry."""
    lines = []
    for name in sorted(document):
        value = document[name]
        if name == "journal" and isinstance(value, list):
            text = "[\n" + ",\n".join(canonical(link).decode() for link in value) + "\n]"
        else:
            text = canonical(value).decode()
        lines.append(f'"{name}":{text}')
    return ("{" + ",\n".join(lines) + "}\n").encode()


def forge(document: Document) -> bytes:
    """Return the file that a clever forger would make of ``document``."""
    return laid_out(sealed(document))


def at(document: Any, path: Path) -> Any:
    for step in path:
        document = document[step]
    return document


def steps(path: str) -> Path:
    """Return the steps of ``journal[2].entry.order``."""
    return tuple(
        int(step) if step.lstrip("-").isdigit() else step for step in path.replace("]", "").replace("[", ".").split(".")
    )


def put(document: Any, path: str | Path, new: Any) -> Any:
    """Return ``document`` with ``new`` at ``path``, or what ``new`` makes of the value there; all else is shared."""
    way = steps(path) if isinstance(path, str) else path
    if not way:
        return new(copy.deepcopy(document)) if callable(new) else copy.deepcopy(new)
    spoiled = copy.copy(document)
    if len(way) == 1 and new is DELETE:
        del spoiled[way[0]]
    else:
        old = spoiled[way[0]] if not isinstance(spoiled, dict) or way[0] in spoiled else None
        spoiled[way[0]] = put(old, way[1:], new)
    return spoiled


def spoiled(document: Document, changes: dict[str, Any]) -> Document:
    """Return a copy of ``document`` with each of ``changes``, a new value by its path."""
    found = copy.deepcopy(document)
    for path, new in changes.items():
        found = put(found, path, new)
    return found


def entry_of(document: Document, kind: str) -> int:
    """Return the number of the first entry with an event of ``kind``."""
    return next(
        n for n, link in enumerate(document["journal"]) if any(one["kind"] == kind for one in link["entry"]["events"])
    )


def event_of(document: Document, kind: str) -> str:
    """Return the path of the first event of ``kind``."""
    n = entry_of(document, kind)
    events = document["journal"][n]["entry"]["events"]
    return f"journal[{n}].entry.events[{next(at for at, event in enumerate(events) if event['kind'] == kind)}]"


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield path and value of everything in ``value``: members, lists as wholes, their items."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
        return
    yield path, value
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))


def words(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def refusal(data: bytes, name: str = "these bytes") -> str:
    """Return why the file ``data`` cannot be opened, a line for each reason; fail if it can be."""
    try:
        adj.open(data, name=name)
    except adj.Untrusted as error:
        return str(error)
    raise AssertionError("the file is trusted")


def verdict(data: bytes | FilePath, folder: FilePath, **options: Any) -> adj.Verdict:
    """Return what the audit says of a file."""
    path = data if isinstance(data, FilePath) else folder / "game.json"
    if isinstance(data, bytes):
        path.write_bytes(data)
    (found,) = adj.audit_files(path, **{"jobs": 0, **options})
    assert isinstance(found, adj.Verdict)
    return found


@cache
def example(ruleset: str) -> bytes:
    return (ROOT / EXAMPLE[ruleset]).read_bytes()


@cache
def small(ruleset: str, orders: int = 6) -> bytes:
    """Return the file of a game after so many orders at random."""
    seats = {"red": "Ann", "blue": "Bob"} | ({"green": "Cleo"} if ruleset == "checkpoint-charlie" else {})
    return played(adj.new(ruleset, seats, id="small", seed=7), orders).to_bytes()


def played(game: adj.Game, orders: int, seed: int = 1) -> adj.Game:
    """Play so many legal orders at random, each an adjudication, or until the game is over."""
    luck = Random(seed)
    for _ in range(orders):
        if game.is_over:
            break
        seat = game.due_seats[0]
        game = game.apply({seat: luck.choice(game.seen_by(seat).legal).order}).game
    return game


def only(changes: Sequence[Callable[[Document], Any]]) -> Callable[[Document], Document]:
    """Return one change that makes all of ``changes`` in place."""

    def change(document: Document) -> Document:
        for one in changes:
            one(document)
        return document

    return change
