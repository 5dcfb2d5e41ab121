"""What came of orders: rows of the log, legal orders, mistakes, and the results of adjudications and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from adjudicator.core.event import Part
from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.head import Head
from adjudicator.core.ids import Digest, Name, Seat
from adjudicator.core.ruleset import Decision, Player, Standing


@frozen(kw_only=True)
class Begun:
    """How a game was begun: with the secret, once it is told, everybody can decide it again and so check its chance.

    ``version`` is that of the rules, ``position`` says that it began from an explicit one, which stands in the game file.
    ``words`` are those of the players, by seat, ``without`` the seats that sent none; ``promise`` fixed all but the words
    before these were known (``None``: it was not published).
    """

    game: Name
    ruleset: Name
    version: int
    components: Name
    components_version: int
    components_hash: Digest
    players: tuple[Player, ...]
    options: Mapping[str, str]
    position: bool
    words: Mapping[str, str]
    without: tuple[Seat, ...] = ()
    promise: Digest | None = None


@frozen
class KnownAs:
    """How players know a row of the moderator's log: by entry ``n``, with another ``order`` where that names an entry."""

    n: int
    order: str | None = added_later(None)


@frozen
class LogRow:
    """One line of the log: what order ``n`` of adjudication ``turn`` cost ``seat`` (``None``: the set-up).

    ``order`` is empty where another seat's order moved this seat's clock. ``min`` is the cost in the ruleset's unit;
    ``before`` and ``after`` are the clock (``None``: it did not move), ``why`` the parts of the cost. ``told`` says in words
    what else happened; ``written`` is what the sheet said where that differs, and ``notes`` why a branch was taken.
    ``undone_by`` is the number of the entry that undid this one (``None``: it counts). The row of the set-up carries the
    ``commitment`` of the game's chance, and how the game was ``begun``. ``proof`` fixes the entry and all before it;
    it stands in the row of the entry's own seat. An order whose condition did not hold is the ``skipped``-th of its seat
    after entry ``n``, which everybody is told of; the moderator's entries have numbers of their own, and ``public`` is how
    players know the row where that is otherwise. The last eight are there only where they say anything.
    """

    n: int
    turn: int
    seat: Seat | None
    order: str
    min: int
    before: int | None
    after: int | None
    why: tuple[Part, ...]
    told: tuple[str, ...]
    written: str | None = added_later(None)
    notes: tuple[str, ...] = added_later(())
    undone_by: int | None = added_later(None)
    commitment: str | None = added_later(None)
    begun: Begun | None = added_later(None)
    proof: Digest | None = added_later(None)
    skipped: int | None = added_later(None)
    public: KnownAs | None = added_later(None)


@frozen
class LegalRow:
    """A legal ``order`` in canonical words, its cost ``min`` in the ruleset's unit (``None``: not known) and the parts."""

    order: str
    min: int | None
    why: tuple[Part, ...] = ()


@frozen(kw_only=True)
class OrderProblem:
    """What is wrong with an order: its ``code``, a ``message``, the ``rule`` (empty: none), and what to try instead.

    ``line`` counts from 1 in ``source`` (0: it is about the whole), ``text`` is that line as it was written, and in it
    ``column`` (from 1; 0: not known) and ``width`` (characters) say where.
    """

    code: str
    message: str
    rule: str
    seat: str
    source: str
    line: int
    column: int
    width: int
    suggestions: tuple[str, ...]
    text: str


@frozen(kw_only=True)
class PassedOver:
    """A line that was not taken for an order, and the ``reason``; line 0: something beside it, such as an attachment."""

    source: str
    line: int
    reason: str
    text: str


@frozen(kw_only=True)
class ReadRemark:
    """That ``written``, on a ``line`` of ``source``, was read as the canonical order ``read``, and the ``reason``.

    ``code`` is stable and says of which kind it is; ``note`` says all of it in words.
    """

    code: str
    seat: Seat
    source: str
    line: int
    written: str
    read: str
    reason: str
    note: str


class Fate(StrEnum):
    """What became of an order that was read, or that a line is a remark: it was not understood, and changes nothing."""

    APPLIED = "applied"
    SKIPPED = "skipped"
    WAITS = "waits"
    REFUSED = "refused"
    IGNORED = "ignored"
    REMARK = "not understood"


@frozen(kw_only=True)
class ReceivedOrder:
    """One order as it was read: its ``line``, its canonical words, its ``fate`` and, if need be, the ``reason``.

    A line that could not be read stands there as it was written, refused.
    """

    line: int
    order: str
    fate: Fate
    reason: str


@frozen(kw_only=True)
class SeatReceipt:
    """What has arrived from ``seat`` in the text called ``source`` for adjudication ``turn``; it is for that seat alone.

    ``hash`` is the SHA-256 of its bytes, ``received`` when the mail server took it, in seconds since 1970 (``None``: not
    known). ``shared`` says that other seats have orders in the same text, ``taken`` that it was for this game and turn.
    ``trouble`` says why nothing of it counts, ``waits`` what of the seat waits in the game now. ``head`` proves the
    journal after it, as far as the seat is told of it.
    """

    seat: Seat
    turn: int
    source: str
    hash: str | None
    received: int | None
    shared: bool
    taken: bool
    orders: tuple[ReceivedOrder, ...]
    trouble: str
    waits: tuple[str, ...]
    head: Head | None = added_later(None)


@frozen(kw_only=True)
class LineFault:
    """A bug that a ``line`` of ``source`` has brought to light: whose it is and what failed, and the ``traceback`` to it."""

    source: str
    line: int
    seat: str
    message: str
    traceback: str


@frozen
class SeatNote:
    """A ``note`` for the moderator about what a ``seat`` has sent."""

    seat: Seat
    note: str


@frozen(kw_only=True)
class Adjudication:
    """What came of orders: those ``accepted``, the ``problems`` with others, and where the game stands after them.

    ``turn`` is the number of the adjudication that comes next, ``changed`` whether the game file was. ``send_again`` names
    the seats that must, ``pending`` counts the orders that wait, by seat. ``due`` are the decisions that the game awaits.
    ``warnings`` are the ruleset's remarks on the position, ``foreseen`` is what the orders of a seat that checks its own
    would lead to. ``log_failure`` says why, where the game was written and its log could not be. ``faults`` are the bugs
    that lines have brought to light, the first few.
    ``head`` proves the journal after it; a trial has none.
    """

    game: str
    turn: int
    changed: bool
    accepted: tuple[LogRow, ...]
    problems: tuple[OrderProblem, ...]
    send_again: tuple[Seat, ...]
    notes: tuple[SeatNote, ...]
    read_as: tuple[ReadRemark, ...]
    ignored: tuple[PassedOver, ...]
    receipts: tuple[SeatReceipt, ...]
    pending: Mapping[Seat, int]
    due: tuple[Decision, ...]
    standings: tuple[Standing, ...]
    warnings: tuple[str, ...]
    over: bool
    log_failure: str | None = added_later(None)
    faults: tuple[LineFault, ...] = added_later(())
    head: Head | None = added_later(None)
    foreseen: tuple[OrderProblem, ...] = added_later(())


@frozen(kw_only=True)
class Correction:
    """A correction: the ``entry`` it made, and where the game stands after it.

    ``turn`` is the number of the adjudication that comes next. ``pending`` counts the orders that wait, ``dropped`` those
    that no longer do, by seat. ``due`` are the decisions that the game awaits, ``warnings`` what to think of.
    """

    game: str
    turn: int
    entry: LogRow
    pending: Mapping[Seat, int]
    dropped: Mapping[Seat, int]
    due: tuple[Decision, ...]
    over: bool
    warnings: tuple[str, ...]
