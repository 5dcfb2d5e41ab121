"""No forged game is ever verified: each value of a file is changed, and chain and seal are made anew."""

from __future__ import annotations

import copy
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from portion import portion

from adjudicator.session import Session
from adjudicator.store.save import dump_game
from adjudicator.verdict import Divergence, Kind

Document = dict[str, Any]
Forge = Callable[[Document], bytes]
Path = tuple[str | int, ...]

MEANINGLESS = (
    r"id",  # what the game is called
    r"ruleset\.version",  # by which version of the rules it was begun, where all of them decide it alike
    r"setup\.players\[\d+\]\.holder",  # who played, where no seat was handed over
    r"journal\[\d+\]\.entry\.events\[0\]\.reason",  # a moderator's words
    r"journal\[\d+\]\.entry\.events\[0\]\.holder",  # who plays from now on
    r"journal\[\d+\]\.entry\.events\[0\]\.(due|policy|first|last)",  # which deadline was missed, who is away until when
    r"journal\[\d+\]\.entry\.notes\[\d+\]",  # the words that explain a branch, not which branch it was
    r"journal\[\d+\]\.entry\.turn",  # which orders came together in one adjudication
    # what was sent and has not been decided yet
    r"reported",
    r"receipts(\[\d+\](\.(turn|seat|hash|received|identity))?)?",  # what has arrived: nothing follows from it
    r"pending(\[\d+\](\.(seat|turn|is_begun|orders(\[\d+\](\.(order|line))?)?))?)?",
)
"""What nobody can decide again: a change here may be verified, since no rule says what should stand there."""

MAY_BE_VERIFIED = re.compile("|".join(f"(?:{pattern})" for pattern in MEANINGLESS))


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


def shape(path: Path) -> str:
    """Return what kind of place ``path`` leads to; the states around an amendment are like the state of the game."""
    steps = ".".join("*" if isinstance(step, int) else step for step in path)
    return re.sub(r"^journal\.\*\.entry\.events\.\*\.(before|after)\.", "state.", steps)


def words(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def others_by_shape(document: Document) -> dict[str, list[Any]]:
    """Return the values that stand in places of the same kind: a forger takes what the schema allows."""
    found: dict[str, list[Any]] = defaultdict(list)
    for path, value in leaves(document):
        place = found[shape(path)]
        if value not in place:
            place.append(value)
    return found


def changed(value: Any, others: list[Any]) -> Iterator[Any]:
    """Yield values that a forger might put in the place of ``value``."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        if value:
            yield value - 1
    elif isinstance(value, list):
        if value:
            yield value[:-1]
            yield [*value, copy.deepcopy(value[0])]
        if len(value) > 1 and value[0] != value[1]:
            yield [value[1], value[0], *value[2:]]
    elif value is None:
        yield from (item for item in others[:3] if item is not None)
    else:
        yield from [item for item in others if item != value][:2]
        yield None
        yield f"{value}x"


def put(value: Any, path: Path, new: Any) -> Any:
    """Return ``value`` with ``new`` at ``path``; what does not lead there is shared, since copies take long."""
    if not path:
        return new
    spoiled = copy.copy(value)
    spoiled[path[0]] = put(value[path[0]], path[1:], new)
    return spoiled


def forgeries(document: Document) -> Iterator[tuple[Path, Any, Document]]:
    others = others_by_shape(document)
    for path, value in leaves(document):
        if path[0] in ("format", "seal", "components") or path[-1] == "hash":
            continue
        for new in changed(value, others[shape(path)]):
            yield path, new, put(document, path, new)


def names_the_place(divergence: Divergence, path: Path) -> bool:
    """Return whether ``divergence`` leads to where the file was changed."""
    if path[0] == "journal" and path[-1] == "turn" and isinstance(path[1], int):
        # Which entries came together shows in the next entry, or in what waits since.
        is_next = divergence.entry in (path[1], path[1] + 1) and divergence.field == "turn"
        return is_next or divergence.kind is Kind.PENDING
    if path[3:6:2] == ("events", "after") and isinstance(path[1], int):
        # What a moderator has made of a position is his to say: only what came of it later can tell.
        return divergence.entry is None or divergence.entry >= path[1]
    if path[0] == "journal" and len(path) > 1:
        if divergence.entry != path[1]:
            return False
        inner = words(path[3:])
        if not inner.startswith("events"):
            return True  # another order, seat or turn has consequences of its own
        field = divergence.field
        # Of a correction, whose events cannot be computed, the words beside it may show it first.
        return inner.startswith(field) or field.startswith(inner) or divergence.kind is Kind.CORRECTION
    return divergence.entry in (None, 0) or path[0] in ("setup", "chance")


def check_forgeries(document: Document, forge: Forge, judged: Callable[..., Any], part: int, parts: int) -> int:
    """Judge every ``parts``-th forgery of ``document``; return how many got as far as the rules."""
    reached = 0
    for number, (path, new, spoiled) in enumerate(forgeries(document)):
        if number % parts != part:
            continue
        verdict = judged(forge(spoiled))
        where = (words(path), new)
        if verdict.divergence is None:
            assert MAY_BE_VERIFIED.fullmatch(words(path)), where
            reached += 1
        elif verdict.divergence.kind not in (Kind.DAMAGED, Kind.VERSION):
            assert names_the_place(verdict.divergence, path), (where, verdict.divergence)
            reached += 1
    return reached


def test_a_forger_who_changes_nothing_makes_the_same_file(table_talk: Session, forge: Forge) -> None:
    data = dump_game(table_talk.game)
    assert forge(json.loads(data)) == data


@pytest.mark.parametrize("part", portion(range(8), 8))
def test_every_change_in_a_small_game_is_found(small: bytes, forge: Forge, judged: Callable[..., Any], part: int) -> None:
    assert check_forgeries(json.loads(small), forge, judged, part, 8) > 20


@pytest.mark.parametrize("part", portion(range(8), 8))
def test_changes_in_a_game_with_corrections_are_found(
    table_talk: Session, forge: Forge, judged: Callable[..., Any], part: int
) -> None:
    assert check_forgeries(json.loads(dump_game(table_talk.game)), forge, judged, part * 3, 24) > 20


@pytest.mark.soak
@pytest.mark.parametrize("which", ["table_talk", "at_a_table", "finished"])
def test_every_change_in_any_game_is_found(
    which: str, request: pytest.FixtureRequest, forge: Forge, judged: Callable[..., Any]
) -> None:
    document = json.loads(dump_game(request.getfixturevalue(which).game))
    assert check_forgeries(document, forge, judged, 0, 16 if which == "finished" else 1) > 500
