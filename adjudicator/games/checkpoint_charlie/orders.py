"""The orders of Checkpoint Charlie: what they are, how they are built from words, and their canonical words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from adjudicator.core.order import FirstOf, When
from adjudicator.core.ruleset import Language
from adjudicator.games.checkpoint_charlie.components import INVESTIGATORS, SuspectId

_STAMP: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\D+(\d{1,2}):(\d{2})(?::(\d{2}))?")


@dataclass(frozen=True, slots=True)
class Clue:
    """Lay the clue counter with ``face`` up; the value of a ``Face``, or whatever was written in its place."""

    face: str


@dataclass(frozen=True, slots=True)
class Accuse:
    """Accuse ``suspect``; ``received`` is when the order came in, as ``2026-11-20T18:05`` with or without seconds."""

    suspect: SuspectId
    received: str | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Accuse nobody in this window and in so many as make ``times``; ``of_round`` says that it counts in that round only."""

    times: int = 1
    of_round: int | None = None


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce ten points or more."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Give the Café Adler marker of ``colour`` for a marker of ``who``: an investigator, or a seat."""

    colour: str
    who: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Announce nothing and swap nothing."""


Order = Clue | Accuse | Wait | Announce | Swap | Pass


def _face(children: list[Any]) -> str:
    no, name = children
    words = str(name).lower().replace("gray", "grey").replace("coloured", "")
    return f"no_{words}" if no else words


def _received(children: list[Any]) -> str:
    """Return the time as ``YYYY-MM-DDTHH:MM`` with seconds where there are any: such strings sort by time."""
    found = _STAMP.search(children[0])
    assert found is not None
    year, month, day, hour, minute, second = found.groups()
    written = f"{year}-{month:0>2}-{day:0>2}T{hour:0>2}:{minute}"
    return written if second is None else f"{written}:{second}"


def _instruction(children: list[Any]) -> tuple[Any, tuple[str, ...]]:
    """Return a line's expression and recorded outcomes; a time at its end is that of every accusation in it."""
    expression, received, draws = children
    return (expression if received is None else _stamped(expression, received)), draws or ()


def _stamped(expression: Any, received: str) -> Any:
    match expression:
        case Accuse(received=None):
            return replace(expression, received=received)
        case FirstOf(options=options):
            return FirstOf(tuple(_stamped(option, received) for option in options))
        case When(condition=condition, then=then, otherwise=otherwise):
            return When(condition, _stamped(then, received), None if otherwise is None else _stamped(otherwise, received))
        case _:
            return expression


def _who(children: list[Any]) -> str:
    name = str(children[0])
    return name.capitalize() if name.capitalize() in INVESTIGATORS else name.lower()


BUILDERS: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "instruction": _instruction,
    "face": _face,
    "suspect": lambda children: SuspectId(children[0].capitalize()),
    "colour": lambda children: children[0].lower(),
    "investigator": _who,
    "received": _received,
    "times": lambda children: int(children[0]),
    "of_round": lambda children: int(children[0]),
    "clue": lambda children: Clue(children[0]),
    "accuse": lambda children: Accuse(children[0], children[1]),
    "wait": lambda children: Wait(1 if children[0] is None else children[0], children[1]),
    "announce": lambda _children: Announce(),
    "swap": lambda children: Swap(children[0], children[1]),
    "pass_by": lambda _children: Pass(),
}


def _accuse_text(order: Accuse) -> str:
    return f"ACCUSE {order.suspect}" + (f" received {order.received}" if order.received else "")


def _wait_text(order: Wait) -> str:
    times = "" if order.times == 1 else f" {order.times}"
    return f"WAIT{times}" + ("" if order.of_round is None else f" in round {order.of_round}")


TEXTS: Final[Mapping[type, Callable[[Any], str]]] = {
    Clue: lambda order: f"CLUE {order.face.replace('no_', 'no ')}",
    Accuse: _accuse_text,
    Wait: _wait_text,
    Announce: lambda _order: "ANNOUNCE",
    Swap: lambda order: f"SWAP {order.colour} with {order.who}",
    Pass: lambda _order: "PASS",
}

LANGUAGE: Final = Language(
    grammar="checkpoint_charlie.lark",
    builders=BUILDERS,
    texts=TEXTS,
    terms={
        "face": "a face of the clue counter such as `no hat`",
        "suspect": "a suspect such as Boris",
        "colour": "gold, white or black",
        "investigator": "an investigator such as Laces",
        "times": "a number of windows",
        "received": "a time such as `received 2026-11-20 18:05`",
    },
    examples=("CLUE no hat", "ACCUSE Fleming", "WAIT 3", "ANNOUNCE", "SWAP white with Laces", "PASS"),
)
