"""Decide which of several mails of one seat counts, as if they had arrived one after the other.

A later mail replaces an earlier one only if it has no mistake; else the earlier one still counts. A mail with a withdrawal
takes orders back, even if the mail has a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from adjudicator.core.order import Cause, Instruction, Sheet, SheetWord, Withdrawal
from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.values import Seat, Value, replace
from adjudicator.orders.submission import Submission


class SentSheet(Value):
    """The ``sheet`` of ``seat`` in ``text``, the ``number``-th text; the sheet may be empty.

    ``later`` names the text whose sheet replaces this one, ``earlier`` the text that still counts because this sheet has a
    mistake; both are empty if this sheet counts. ``is_alone`` says that no other seat has sent anything in this text,
    ``is_addressed`` that it is for this game and turn, ``is_flawed`` that a part of it cannot be read or used, ``is_part``
    that a part of it counts. ``words`` are its words for chance, ``remarks`` the lines (number, text) that the program does
    not understand.
    """

    text: Submission
    seat: Seat
    sheet: Sheet
    later: str = ""
    is_alone: bool = True
    is_addressed: bool = True
    earlier: str = ""
    is_flawed: bool = False
    is_part: bool = True
    number: int = 0
    words: tuple[SheetWord, ...] = ()
    remarks: tuple[tuple[int, str], ...] = ()


class ReplacedOrders(Value):
    """Orders of one sheet that do not count because the same seat has sent another, and why."""

    seat: Seat
    cause: Cause
    orders: tuple[Instruction, ...]


class CountedSheet(Value):
    """The ``sheet`` of a seat that counts, made of one or several mails; its last part is from mail ``number``.

    ``replaced`` are the orders that do not count, ``wrong`` the problems with withdrawals. ``is_flawed`` says that the sheet
    has a mistake, ``is_backed`` that another mail counts if the sheet is refused. ``place`` is the place of the latest mail
    that replaced those before it. ``not_counted`` has the numbers of later mails that do not count, each with the number of
    the mail that still counts; ``parts`` has the numbers of all mails of which a part counts.
    """

    sheet: Sheet
    number: int
    replaced: tuple[ReplacedOrders, ...] = ()
    wrong: tuple[Diagnostic, ...] = ()
    is_flawed: bool = False
    is_backed: bool = False
    place: int = 0
    not_counted: tuple[tuple[int, int], ...] = ()
    parts: tuple[int, ...] = ()

    def with_results(self, sent: Sequence[SentSheet]) -> Iterator[SentSheet]:
        """Yield the mails ``sent``, in the order of arrival, each with its result."""
        names, not_counted = {one.number: one.text.source for one in sent}, dict(self.not_counted)
        for place, one in enumerate(sent):
            if place < self.place:
                yield replace(one, later=sent[self.place].text.source, is_part=False)
            else:
                earlier = names[not_counted[one.number]] if one.number in not_counted else ""
                yield replace(one, earlier=earlier, is_part=one.number in self.parts)


def counted_sheet(
    sent: Sequence[SentSheet], refused: Collection[int], is_spent: Callable[[CountedSheet], bool]
) -> CountedSheet:
    """Return what counts of ``sent``, the mails of one seat, at least one, in the order of arrival.

    Mails with ``refused`` numbers have a mistake. A sheet that ``is_spent`` has no effect: the next mail takes its place,
    even if that has a mistake, too.
    """
    now = _begun(sent[0], refused)
    for place, one in enumerate(sent[1:], 1):
        is_flawed = one.is_flawed or one.number in refused
        if one.sheet.withdrawal is not None:
            now = _withdrawn(now, one, place, is_flawed=is_flawed)
        elif not is_flawed:
            now = _replaced(now, one, place, "replaced")
        elif (spent := is_spent(now)) or _has_no_effect(now.sheet):
            sheet = replace(one.sheet, withdrawal=None if spent else now.sheet.withdrawal)
            now = replace(now, sheet=sheet, number=one.number, is_flawed=True, is_backed=False, parts=(one.number,))
        else:
            now = _unchanged(now, one)
    return now


def nothing_to_withdraw(seat: Seat, withdrawal: Withdrawal, count: int) -> Diagnostic:
    """Return the problem with a ``withdrawal`` of ``seat`` from an order that is not among its ``count`` pending orders."""
    waits = {0: "nothing waits", 1: "only 1 order waits"}.get(count, f"only {count} orders wait")
    problem = Problem("core/nothing-waits", f"{waits}: there is no order {withdrawal.first} to withdraw")
    return Diagnostic(problem, seat, withdrawal.line, text=withdrawal.text, source=withdrawal.source, place=withdrawal.place)


def _begun(one: SentSheet, refused: Collection[int]) -> CountedSheet:
    return CountedSheet(one.sheet, one.number, is_flawed=one.is_flawed or one.number in refused, parts=(one.number,))


def _has_no_effect(sheet: Sheet) -> bool:
    """Return whether ``sheet`` has no effect: it has no orders and leaves none pending."""
    return not sheet.instructions and (sheet.withdrawal is None or sheet.withdrawal.first == 1)


def _replaced(now: CountedSheet, one: SentSheet, place: int, cause: Cause) -> CountedSheet:
    """Return the result with ``one`` instead of the earlier mails; a withdrawal of all pending orders remains."""
    earlier = now.sheet.withdrawal
    withdrawal = one.sheet.withdrawal or (earlier if earlier is not None and earlier.first == 1 else None)
    before, after = (tuple(item.expression for item in each.instructions) for each in (now.sheet, one.sheet))
    replaced = (ReplacedOrders(one.seat, cause, now.sheet.instructions),) if before and before != after else ()
    sheet = replace(one.sheet, withdrawal=withdrawal)
    is_backed = not _has_no_effect(now.sheet)
    return CountedSheet(
        sheet, one.number, (*now.replaced, *replaced), now.wrong, is_backed=is_backed, place=place, parts=(one.number,)
    )


def _withdrawn(now: CountedSheet, one: SentSheet, place: int, *, is_flawed: bool) -> CountedSheet:
    """Return the result after the withdrawal with which ``one`` begins, followed by its own orders."""
    withdrawal, orders = one.sheet.withdrawal, now.sheet.instructions
    if withdrawal is None or withdrawal.first == 1 or _has_no_effect(now.sheet):
        return replace(_replaced(now, one, place, "withdrawn"), is_flawed=is_flawed, is_backed=False)
    if not 1 < withdrawal.first <= len(orders):
        return replace(_unchanged(now, one), wrong=(*now.wrong, nothing_to_withdraw(one.seat, withdrawal, len(orders))))
    added = () if is_flawed else one.sheet.instructions
    return replace(
        now,
        sheet=replace(now.sheet, instructions=(*orders[: withdrawal.first - 1], *added)),
        number=now.number if is_flawed else one.number,
        replaced=(*now.replaced, ReplacedOrders(one.seat, "withdrawn", orders[withdrawal.first - 1 :])),
        is_backed=now.is_backed or not is_flawed,
        parts=now.parts if is_flawed else (*now.parts, one.number),
    )


def _unchanged(now: CountedSheet, one: SentSheet) -> CountedSheet:
    """Return the result unchanged by ``one``, which does not count."""
    return replace(now, not_counted=(*now.not_counted, (one.number, now.number)))
