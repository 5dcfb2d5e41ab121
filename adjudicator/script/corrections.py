"""Carry out corrections in a script: a separate turn with the arguments of `undo`, `amend`, `seat` or `reveal`.

Missed deadlines and holidays, which a club notes automatically, are written in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from adjudicator.core.corrections import MissedPolicy
from adjudicator.core.problem import CorrectionError, SetupError
from adjudicator.core.values import Seat
from adjudicator.library.game import Game
from adjudicator.script.parts import BadLineError, Item
from adjudicator.script.quoting import BadQuoteError, unquote

_TO: Final = re.compile("(?:to +)?([0-9]{1,9})", re.IGNORECASE)
_NMR: Final = re.compile(r"(\S{1,40}) +(default|bot|drop) +([1-9][0-9]{0,3}) +by +(.{1,80})", re.IGNORECASE)
_HOLIDAY: Final = re.compile(r"(\S{1,40}) +(\S.{0,79}) to (\S.{0,79})", re.IGNORECASE)
_MOST: Final = 1_000
"""Lines of one correction."""
_ABSENCES: Final = ("nmr", "holiday")


def is_absence(items: Sequence[Item]) -> bool:
    """Return whether the correction in ``items`` is a missed deadline or a holiday, which need no turn number."""
    return items[0].word in _ABSENCES


def apply_correction(game: Game, source: str, items: Sequence[Item], *, takes_number: bool = True) -> Game:
    """Return ``game`` after the correction in ``items``, lines of one turn. Raises ``BadLineError``.

    Unless it ``takes_number``, an absence joins the adjudication before it.
    """
    reasons = [item for item in items if item.word == "because"]
    said = [item for item in items if item.word != "because"]
    first = said[0] if said else items[0]
    if not said:
        raise _bad(source, first, "write the correction before its reason: a line such as `undo to 12`, then `because`")
    for other in (*said[1:], *reasons[1:]):
        if other.word != "amend" or first.word != "amend" or len(said) > _MOST:
            raise _bad(source, other, "one turn holds one correction with one reason: write the next one in a separate turn")
    reason = _text(source, reasons[0]) if reasons else ""
    try:
        return _carried_out(game, source, said, reason, takes_number=takes_number)
    except CorrectionError as error:
        raise _bad(source, first, str(error)) from error
    except SetupError as error:
        raise _bad(source, first, "; ".join(problem.message for problem in error.problems)) from error


def _carried_out(game: Game, source: str, said: Sequence[Item], reason: str, *, takes_number: bool) -> Game:
    first = said[0]
    if first.word == "amend":
        return game.amend([item.value for item in said], reason)
    if first.word == "reveal":
        if not reason and not game.is_over:
            words = "to publish the secret before the end, give a reason, which the journal records (`because`)"
            raise _bad(source, first, words)
        return game.reveal(reason, force=True)
    if first.word == "seat":
        name, equals, _ = first.value.partition("=")
        words = f"write the new holder of a seat like `seat {game.seats[0]}=Zoe`"
        seat = _seat(game, source, first, name.strip() if equals else "", words)
        return game.hand_over(seat, _text(source, first, behind="="), reason)
    if first.word in _ABSENCES:
        return _absent(game, source, first, reason, takes_number=takes_number)
    match = _TO.fullmatch(first.value)
    if match is None:
        raise _bad(source, first, "write the number of the entry to go back to, as in `undo to 12`")
    return game.undo(int(match[1]), reason)


def _absent(game: Game, source: str, item: Item, reason: str, *, takes_number: bool) -> Game:
    """Return the game after noting a missed deadline or a holiday."""
    if item.word == "nmr":
        words = f"write a missed deadline like `nmr {game.seats[0]} bot 1 by 2026-03-02 20:00 UTC`"
        match = _NMR.fullmatch(item.value)
        seat = _seat(game, source, item, match[1] if match else "", words)
        assert match is not None
        policy, count = MissedPolicy(match[2].lower()), int(match[3])
        return game.miss_deadline(seat, match[4].strip(), policy, count, reason, takes_number=takes_number)
    words = f"write a holiday like `holiday {game.seats[0]} 2026-12-20 to 2027-01-03`"
    match = _HOLIDAY.fullmatch(item.value)
    seat = _seat(game, source, item, match[1] if match else "", words)
    assert match is not None
    return game.take_holiday(seat, match[2].strip(), match[3].strip(), reason, takes_number=takes_number)


def _seat(game: Game, source: str, item: Item, name: str, words: str) -> Seat:
    """Return the seat called ``name``. Raises ``BadLineError`` with ``words`` that show the right form."""
    seat = Seat(name.lower())
    if seat not in game.seats:
        raise _bad(source, item, f"{words}: {', '.join(game.seats)}")
    return seat


def _text(source: str, item: Item, behind: str = "") -> str:
    """Return the text of ``item``, or its part after the sign ``behind``."""
    written = item.value.partition(behind)[2].strip() if behind else item.value
    try:
        return unquote(written)
    except BadQuoteError:
        raise _bad(source, item, "a text that begins with a quotation mark is a JSON string and must end with one") from None


def _bad(source: str, item: Item, message: str) -> BadLineError:
    return BadLineError(item.diagnostic(source, "script/bad-correction", message))
