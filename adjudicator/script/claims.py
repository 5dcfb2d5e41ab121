"""Read the result that people wrote down at the end: the winner and each clock."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.values import Seat
from adjudicator.script.parts import Claim, Item, Script

_NUMBER: Final = re.compile(r"-?[0-9]{1,6}")


def read_claim(script: Script, item: Item) -> Iterator[Diagnostic]:
    """Add the result on the line ``item`` to ``script``; yield its problems."""
    words = item.value.replace(",", " ").lower().split()
    minutes = None
    if item.word != "winner":
        if len(words) != 2 or not _NUMBER.fullmatch(words[1]):
            message = f"a clock at the end is written like `{item.word} {script.seats[0] if script.seats else 'red'} 50`"
            yield item.diagnostic(script.source, "script/bad-value", message)
            return
        minutes = int(words.pop())
    unknown = [word for word in words if word not in script.seats]
    if unknown or not words:
        named = f"no seat “{unknown[0]}” in this game" if unknown else "who has won?"
        message = f"{named}: {', '.join(script.seats)}"
        word = unknown[0] if unknown else ""
        yield item.located(script.source, Problem("orders/unknown-seat", message, near=tuple(script.seats), written=word))
        return
    claim = Claim(item, tuple(Seat(word) for word in words), minutes)
    if _is_said(script, claim):
        yield item.diagnostic(script.source, "script/twice", "an earlier line says this already")
        return
    script.claims.append(claim)


def _is_said(script: Script, claim: Claim) -> bool:
    if claim.minutes is None:
        return any(other.minutes is None for other in script.claims)
    return any(other.minutes is not None and other.seats == claim.seats for other in script.claims)
