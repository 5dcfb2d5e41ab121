"""Play orders of one seat on from what this seat knows, up to where chance or others decide."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.engine import Outcome, adjudicate
from adjudicator.core.frozen import change, frozen
from adjudicator.core.journal import Entry
from adjudicator.core.phrases import listed
from adjudicator.core.unknown import HiddenError, Known, UnknownChance, known_rules
from adjudicator.library.own_orders import EMPTY
from adjudicator.moderate.own_check import read_texts
from adjudicator.own_file import open_own, own_file
from adjudicator.present import choices_of, legal_of, position_of, redact_entry
from adjudicator.reports.data.log import log_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudicator.core.ids import Seat
    from adjudicator.orders.submission import Submission
    from adjudicator.outputs.orders import LegalRow, LogRow
    from adjudicator.reports.data.position import Position
    from adjudicator.session import Session


class End(StrEnum):
    """Why a what-if ends."""

    TURN = "your-turn"
    """All orders are carried out, and the seat must decide again."""
    CHANCE = "chance"
    """A draw decides what happens next."""
    HIDDEN = "hidden"
    """Something that the seat may not know decides what happens next."""
    OTHERS = "others"
    """Other seats must decide first."""
    MISTAKE = "mistake"
    """The next order cannot be read, or is not legal there."""
    OVER = "over"
    """The game is over."""


_WORDS: Final = {
    End.TURN: "It is your turn again: write the next order.",
    End.CHANCE: "Chance decides from here.",
    End.HIDDEN: "Something that you do not know decides from here: a draw, or another player's secret.",
    End.MISTAKE: "The next order cannot be carried out here.",
    End.OVER: "The game is over.",
}


@frozen(kw_only=True)
class WhatIf:
    """The position after a seat's orders as far as it is known: the ``rows`` of the log until then, and why it ``ends``.

    ``words`` say the latter to the player. If the seat must decide again, ``legal`` are the orders that may come next;
    ``choices`` are its cards or parts. ``is_ahead`` says that the seat is not due: its orders are carried out as if it were.
    """

    position: Position
    rows: tuple[LogRow, ...]
    ends: End
    words: str
    legal: tuple[LegalRow, ...]
    choices: tuple[tuple[str, str], ...]
    is_ahead: bool


def what_if(session: Session, texts: Iterable[Submission], seat: Seat) -> WhatIf:
    """Return the position after the orders of ``seat`` in ``texts``, which are carried out in its own view.

    Nothing hidden takes part: the file of the seat replaces a whole game first.
    """
    if session.knowledge is None:
        session = open_own(session.rules, own_file(session, seat))
    received = read_texts(session, texts)
    sheets = [sheet for sheet in received.sheets if sheet.seat == seat]
    rules, config, state = session.rules, session.config, session.game.state
    is_due = rules.is_over(config, state) or rules.is_due(config, state, seat)
    ahead = None if is_due else rules.position_if_due(config, state, seat)
    known = Known()
    outcome = adjudicate(
        known_rules(rules, seat, known),
        config,
        replace(session.game, state=state if ahead is None else ahead, pending=()),
        sheets,
        chance=UnknownChance(),
    )
    events = () if known.stopped is None else tuple(known.events)
    after = reduce(partial(rules.evolve, config), events, outcome.game.state)
    end = _end(
        session,
        known,
        outcome,
        seat,
        has_mistake=any(one.problem.code != EMPTY for one in (*outcome.diagnostics, *received.diagnostics)),
    )
    then = change(session, game=replace(outcome.game, state=after))
    position = position_of(then, seat)
    return WhatIf(
        position=position if known.stopped is None else change(position, decisions=()),
        rows=_rows(session, outcome, known, events, seat),
        ends=end,
        words=_words(session, outcome.game.state, end),
        legal=legal_of(then, seat) if end is End.TURN else (),
        choices=choices_of(then, seat) if known.stopped is None else (),
        is_ahead=ahead is not None,
    )


def _end(session: Session, known: Known, outcome: Outcome, seat: Seat, *, has_mistake: bool) -> End:
    rules, config, state = session.rules, session.config, outcome.game.state
    if known.stopped is not None:
        return End.HIDDEN if isinstance(known.stopped, HiddenError) else End.CHANCE
    if rules.is_over(config, state):
        return End.OVER
    if has_mistake:
        return End.MISTAKE
    return End.TURN if rules.is_due(config, state, seat) and not outcome.game.pending else End.OTHERS


def _words(session: Session, state: Any, end: End) -> str:
    if end is not End.OTHERS:
        return _WORDS[end]
    due = session.rules.due(session.config, state)
    return f"{listed(due)} must decide next." if due else "What follows depends on other seats."


def _rows(session: Session, outcome: Outcome, known: Known, events: tuple[Any, ...], seat: Seat) -> tuple[LogRow, ...]:
    """Return the log of the orders as ``seat`` would read it, numbered after its own log."""
    rules, config, turn = session.rules, session.config, session.valid_turns.turn
    entries = [link.entry for link in outcome.accepted]
    if known.stopped is not None:
        text = rules.language.text(known.order)
        number = outcome.game.journal[-1].entry.n + 1
        entries.append(Entry(n=number, turn=turn, seat=seat, order=text, written=None, notes=(), events=events, drawn=0))
    last = max((row.n for row in session.knowledge.rows), default=0) if session.knowledge else 0
    shown = (replace(redact_entry(rules, config, entry, seat), n=last + entry.n, turn=turn) for entry in entries)
    return log_rows(rules, config, shown)
