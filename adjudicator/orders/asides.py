"""What stands in a text beside the orders: found where a line cannot be read, or means something else than it seems."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from adjudicator.core.remember import remember_last
from adjudicator.orders.build import OrderLine, WithdrawalLine
from adjudicator.orders.clean import normalized
from adjudicator.orders.findings import Findings
from adjudicator.orders.parser import LineReader
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.wishes import is_wish

if TYPE_CHECKING:  # most texts have nothing of the kind, and these take time to load
    from adjudicator.orders.courtesy import Courtesy
    from adjudicator.orders.vocabulary import Vocabulary

_PLAYER: Final = "the name of the player"
_FEW: Final = 3
"""Words of a line that is short."""


class Asides:
    """Finds them in one text; what is passed over goes to ``findings``."""

    def __init__(self, reader: LineReader, addressee: Addressee, text: Submission, findings: Findings) -> None:
        """Look at ``text``, which is for ``addressee``."""
        self._reader = reader
        self._names = addressee.names
        self._addressee = addressee
        self._called = addressee.called()
        self._text = text
        self._findings = findings

    @cached_property
    def _courtesy(self) -> Courtesy:
        from adjudicator.orders.courtesy import Courtesy

        return Courtesy(self._vocabulary, self._text.names)

    def _vocabulary(self) -> Vocabulary:
        from adjudicator.orders.vocabulary import vocabulary

        return vocabulary(self._reader.rules, self._names)

    def is_rest_of_quote(self, number: int, parsed: object) -> bool:
        """Return whether line ``number`` belongs to the quoted line above it, from which a mail program broke it off."""
        if number == 1 or self._findings.last_ignored != number - 1:
            return False
        from adjudicator.orders.wrapped_quote import is_rest_of_quote

        return is_rest_of_quote(self._reader, self._vocabulary, self._text.lines, number, parsed)

    def is_wish(self, number: int, raw: str, line: str) -> bool:
        """Return whether what could be read as an order is a good wish; if so, it is told as such."""
        if not is_wish(line, self._names):
            return False
        self._findings.ignore(number, raw, "a good wish")
        return True

    def is_label(self, number: int, raw: str, line: str, parsed: OrderLine) -> bool:
        """Return whether what looks like the head of a sheet is something else, ``Orders:`` or ``PS:``.

        If no order follows on the line, it is told as passed over.
        """
        if parsed.expression is not None:
            return self._courtesy.is_heading(line)
        why = self._courtesy.why_phrase(number, line)
        if why:
            self._findings.ignore(number, raw, why)
        return bool(why)

    def speaks_of_another(self, line: str, own: str) -> bool:
        """Return whether ``line`` may say that what follows is another seat's than ``own``: no courtesy may be in the way.

        It begins with a seat, is short and begins with something like one, or introduces something and names one.
        """
        from adjudicator.orders.courtesy import ORDERS
        from adjudicator.orders.vocabulary import TOKEN

        tokens = TOKEN.findall(normalized(line))
        if not tokens:
            return False
        if tokens[0] in _seats(self._addressee) and not self._courtesy.is_chat(line):
            return True
        if len(tokens) <= _FEW and self._is_like_another(tokens[0], own):
            return True
        others = {self._called[token] for token in tokens if token in self._called} - {own}
        return bool(others) and (line.rstrip().endswith(":") or not ORDERS.isdisjoint(tokens))

    def _is_like_another(self, word: str, own: str) -> bool:
        """Return whether a letter makes the difference between ``word`` and a seat that is not ``own``."""
        from adjudicator.orders.vocabulary import spellings_of

        known = _misspelled(self._addressee)
        return any(seat != own for short in spellings_of(word) for seat in known.get(short, ()))

    def is_like_head(self, line: str) -> bool:
        """Return whether ``line`` looks like the head of a sheet, one word and a colon, and is no known phrase."""
        before, colon, _ = line.partition(":")
        return bool(colon) and before.strip(" ").isalnum() and not self._courtesy.is_phrase(line)

    def why(self, number: int, raw: str, line: str, *, holder: str, is_before_sheet: bool, order_line: int) -> str:
        """Return why an unreadable line is no order; empty if it may be one.

        ``holder`` may have signed it. ``order_line`` is the number of the latest order read, 0 for none.
        """
        name = line.strip(" -–—~.,!").casefold()
        if name and name in (holder.casefold(), *holder.casefold().split()[:1]):
            return _PLAYER
        before, colon, after = line.partition(":")
        if colon and before.strip(" ").isalnum() and isinstance(self._reader.skim(after), (OrderLine, WithdrawalLine)):
            return ""  # like the head of a sheet, and an order follows
        return self._courtesy.why(number, raw, line, is_before_sheet=is_before_sheet, order_line=order_line)


@remember_last
def _seats(addressee: Addressee) -> frozenset[str]:
    return frozenset(addressee.seats)


@remember_last
def _misspelled(addressee: Addressee) -> dict[str, list[str]]:
    """Return for each misspelling of a seat the seats of which it is one: found once, since there may be thousands."""
    from adjudicator.orders.vocabulary import misspellings

    known: dict[str, list[str]] = {}
    for seat in addressee.seats:
        for short in misspellings((seat,)):
            known.setdefault(short, []).append(seat)
    return known
