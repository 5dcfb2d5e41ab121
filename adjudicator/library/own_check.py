"""Check orders that a seat has not sent yet, using only what this seat knows now.

The check carries out nothing. The order that is due next is checked in the present position. The orders after it may meet
any position: later draws, pending and sealed orders of others are unknown. So they only get problems that exist in every
position.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from adjudicator.core.engine import Messages, preview
from adjudicator.core.order import FirstOf, Instruction, Sheet, When
from adjudicator.core.problem import Diagnostic
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.adjudicate import AdjudicationResult, addressee
from adjudicator.library.game import Game
from adjudicator.library.submit import NOTHING_WAITS, Submitted, problems_in, submitted
from adjudicator.orders.locate import Locator
from adjudicator.orders.reading import Reading
from adjudicator.orders.reading_notes import reading_notes
from adjudicator.orders.submission import Submission
from adjudicator.orders.turnfile import read_turn_files, sent_sheets
from adjudicator.results import Ignored


class OwnTexts(Value):
    """Texts as they were read, and which of their sheets count."""

    readings: tuple[Reading, ...]
    counted: Submitted

    @property
    def ignored(self) -> tuple[Ignored, ...]:
        """The lines that the program ignores."""
        return tuple(one for reading in self.readings for one in reading.findings.ignored)

    @property
    def problems(self) -> list[Diagnostic]:
        """What is wrong with these texts in every position; the first WITHDRAW may be for mails that are not here."""
        later = {(seat, one.text.source) for seat, own in self.counted.mails.items() for one in own[1:]}
        missed = (one for one in self.counted.problems if one.problem.code == NOTHING_WAITS)
        found = tuple(one for one in missed if (one.seat, one.source) in later)
        return problems_in(self.readings, replace(self.counted, problems=found))

    def sheet(self, seat: Seat) -> Sheet | None:
        """Return the last sheet of ``seat`` that counts, or whose mistake no other sheet makes up for; ``None``: none."""
        own = (one.sheet for one in reversed(self.counted.mails.get(seat, ())) if not one.earlier)
        return next((one for one in own if one.instructions or one.check_only or one.withdrawal), None)


def _foreseen(game: Game, sheet: Sheet) -> Iterable[Diagnostic]:
    """Return the results of the first orders of ``sheet``, up to one that is a choice or illegal in every position.

    If the ruleset fails on them, this is a problem of the first order.
    """
    rules = game.rules
    messages = Messages(rules.meta.id, contain_faults=True)
    plain: tuple[Instruction, ...] = ()
    try:
        plain = tuple(takewhile(lambda one: _is_plain(game, one), sheet.instructions))
        view = rules.view(game.record.state, sheet.seat)
        for index, problem in rules.preview(view, [one.expression for one in plain]):
            messages.report(sheet.seat, plain[index], plain[index].expression, problem)
    except (Exception, SystemExit) as fault:
        messages.report_fault(sheet.seat, (*plain, *sheet.instructions)[0], fault)
    return messages.diagnostics


def _is_plain(game: Game, instruction: Instruction) -> bool:
    """Return whether ``instruction`` is a single order that is legal in some position."""
    order = instruction.expression
    return not isinstance(order, (FirstOf, When)) and game.rules.wrong(order) is None


def read_texts(game: Game, files: Iterable[Submission]) -> OwnTexts:
    """Return the contents of ``files`` for ``game``. Raises ``LanguageError``."""
    readings = read_turn_files(game.spoken_rules, addressee(game), files)
    since = {sheet.seat: sheet.turn for sheet in game.record.pending}
    return OwnTexts(readings, submitted(game.rules, game.record, since, sent_sheets(readings)))


def check_own(game: Game, files: Iterable[Submission], seat: Seat, received: OwnTexts | None = None) -> AdjudicationResult:
    """Return the problems of the orders of ``seat`` in ``files``, as far as this seat can know; the game does not change.

    All problems of a text that is only the seat's are its own, also those of its headers, and its ignored lines.
    ``received`` are the contents of ``files``, if they are already read. Raises ``LanguageError`` if the words of a
    language of the game are missing.
    """
    spoken = game.spoken_rules
    received = received or read_texts(game, files)
    sheet = received.sheet(seat)
    is_own_file = game.own is not None  # then all texts are the seat's
    own = {one.text.source for one in received.readings if one.text.seat == seat or is_own_file}
    found = [one for one in received.problems if one.seat == seat or one.source in own]
    for mail in received.counted.mails.get(seat, ()):
        found += preview(game.rules, game.record, mail.sheet)
    foreseen = _foreseen(game, sheet) if sheet is not None and sheet.instructions else ()
    locator = Locator(spoken)
    located = sorted(locator.located(found), key=lambda one: (one.source, one.line, one.column))
    pending = tuple(sheet for sheet in game.record.pending if sheet.seat == seat)
    return AdjudicationResult(
        game.with_record(replace(game.record, pending=pending)),
        accepted=(),
        diagnostics=tuple(located),
        notes=(),
        ignored=tuple(one for one in received.ignored if one.source in own),
        is_changed=False,
        foreseen=tuple(map(locator.locate, foreseen)),
        reading_notes=() if sheet is None else tuple(reading_notes(spoken, sheet)),
    )
