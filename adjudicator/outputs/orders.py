"""Define the output about orders: rows of the log, legal orders, mistakes, results of adjudications and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from adjudicator.core.chance import Head
from adjudicator.core.event import Part
from adjudicator.core.ruleset import Player, Standing
from adjudicator.core.values import Digest, Name, Seat, Value, Whole

if TYPE_CHECKING:
    from adjudicator.core.rules import AnyRuleset


class Decision(Value):
    """A decision that the game awaits from ``seat``: its ``kind`` (``action``), its question (``ask``), and the rule."""

    seat: Seat
    kind: str
    ask: str
    rule: Name

    @classmethod
    def due_in(cls, rules: AnyRuleset, state: Any) -> tuple[Decision, ...]:
        """Return the decisions that are due in ``state``, in the order in which the seats act."""
        return tuple(cls(ask.seat, ask.kind, ask.text(rules.config, state), ask.rule) for ask in rules.due(state))


class Begun(Value, kw_only=True):
    """How a game began: with this and the published secret, everyone can decide the game again and check its chance.

    ``version`` is the version of the rules, ``position`` says that the game began from an explicit position, which is in the
    game file. ``words`` are the words of the players by seat, ``without`` are the seats that sent none. ``promise`` fixed
    everything except the words before they were known (``None``: it was not published).
    """

    game: Name
    ruleset: Name
    version: Whole
    components: Name
    components_version: Whole
    components_hash: Digest
    players: tuple[Player, ...]
    options: Mapping[str, str]
    position: bool
    words: Mapping[str, str]
    without: tuple[Seat, ...] = ()
    promise: Digest | None = None


class KnownAs(Value, omit_defaults=True):
    """The name of a row of the moderator's log for players: entry ``n``, with another ``order`` if that names an entry."""

    n: Whole
    order: str | None = None


class LogRow(Value, omit_defaults=True):
    """One line of the log: the cost of order ``n`` of adjudication ``turn`` for ``seat`` (``None``: the set-up).

    ``order`` is empty if another seat's order moved this seat's clock. ``min`` is the cost in the ruleset's unit; ``before``
    and ``after`` are the clock (``None``: it did not move), ``why`` are the parts of the cost, ``told`` the other events as
    text. ``written`` has the words of the sheet if they differ, ``notes`` say why a branch was taken. ``undone_by`` is the
    number of the entry that undid this one (``None``: it counts). The row of the set-up has the ``commitment`` of the game's
    chance, and how the game was ``begun``. ``proof`` fixes the entry and all before it; only the row of the entry's own seat
    has it. An order whose condition was false is the ``skipped``-th of its seat after the public entry ``n``. The moderator
    sees other numbers; ``public`` is the name of the row for players if it differs. The last eight are optional.
    """

    n: Whole
    turn: Whole
    seat: Seat | None
    order: str
    min: Whole
    before: Whole | None
    after: Whole | None
    why: tuple[Part, ...]
    told: tuple[str, ...]
    written: str | None = None
    notes: tuple[str, ...] = ()
    undone_by: Whole | None = None
    commitment: str | None = None
    begun: Begun | None = None
    proof: Digest | None = None
    skipped: Whole | None = None
    public: KnownAs | None = None


class LegalRow(Value):
    """A legal ``order`` in canonical words, its cost ``min`` in the ruleset's unit (``None``: not known) and the parts."""

    order: str
    min: int | None
    why: tuple[Part, ...] = ()


class LineCost(Value):
    """The cost ``min`` of the orders on a ``line``, in the ruleset's unit, as far as their seat can know it.

    ``after`` is the clock after them (``None``: not known, or it does not move). If the seat cannot know the cost, ``min``
    is ``None`` and ``unknown`` says why.
    """

    line: int
    min: int | None
    after: int | None
    unknown: str = ""


class OrderProblem(Value, kw_only=True):
    """A problem with an order: its ``code``, a ``message``, the ``rule`` (empty: none), and ``suggestions``.

    ``line`` counts from 1 in ``source`` (0: the problem is about the whole text), ``text`` is that line as written;
    ``column`` (from 1; 0: not known) and ``width`` (characters) are the place on it.
    """

    code: str
    message: str
    rule: str
    seat: str
    source: str
    line: Whole
    column: Whole
    width: Whole
    suggestions: tuple[str, ...]
    text: str


class PassedOver(Value, kw_only=True):
    """An ignored line, and the ``reason``; line 0 is something outside the text, such as an attachment."""

    source: str
    line: Whole
    reason: str
    text: str


class ReadRemark(Value, kw_only=True):
    """A note that ``written``, on a ``line`` of ``source``, was read as the canonical order ``read``, and the ``reason``.

    ``code`` is stable and names the kind; ``note`` is the whole note as text.
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
    """The fate of an order. A line that is not understood is a remark and changes nothing."""

    APPLIED = "applied"
    SKIPPED = "skipped"
    WAITS = "waits"
    REFUSED = "refused"
    IGNORED = "ignored"
    REMARK = "not understood"


class ReceivedOrder(Value):
    """One order of a text: its ``line``, its canonical words, its ``fate`` and perhaps the ``reason``.

    An unreadable line is listed as written, refused.
    """

    line: Whole
    order: str
    fate: Fate
    reason: str


class SeatReceipt(Value, kw_only=True, omit_defaults=True):
    """The receipt of ``seat`` for the text ``source`` and adjudication ``turn``; only that seat may see it.

    ``hash`` is the SHA-256 of the text's bytes, ``received`` the time when the mail server took it, in seconds since 1970
    (``None``: not known). ``shared`` says that other seats have orders in the same text, ``taken`` that it was for this game
    and turn. ``trouble`` says why it does not count, ``waits`` are the seat's pending orders now. ``head`` proves the
    journal after it, as far as the seat may see the journal.
    """

    seat: Seat
    turn: Whole
    source: str
    hash: str | None
    received: Whole | None
    shared: bool
    taken: bool
    orders: tuple[ReceivedOrder, ...]
    trouble: str
    waits: tuple[str, ...]
    head: Head | None = None


class LineFault(Value, kw_only=True):
    """A bug that a ``line`` of ``source`` has revealed: a message with its owner, and the ``traceback``."""

    source: str
    line: int
    seat: str
    message: str
    traceback: str


class SeatNote(Value):
    """A ``note`` for the moderator about what a ``seat`` has sent."""

    seat: Seat
    note: str


class Adjudication(Value, kw_only=True, omit_defaults=True):
    """The result of orders: those ``accepted``, the ``problems`` with others, and the state of the game after them.

    ``turn`` is the number of the next adjudication, ``changed`` says whether the game file changed. ``send_again`` are the
    seats that must send orders again, ``pending`` counts the pending orders by seat, ``due`` are the decisions that are due.
    ``warnings`` are the ruleset's remarks on the position, ``foreseen`` are the expected results of the orders of a seat
    that checks its own, ``costs`` the costs of its lines. ``log_failure`` says why the log could not be written although
    the game was. ``faults`` are the first few bugs that lines have revealed. ``head`` proves the journal after the orders;
    a trial has none.
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
    log_failure: str | None = None
    faults: tuple[LineFault, ...] = ()
    head: Head | None = None
    foreseen: tuple[OrderProblem, ...] = ()
    costs: tuple[LineCost, ...] = ()


class Correction(Value, kw_only=True):
    """A correction: its ``entry``, and the state of the game after it.

    ``turn`` is the number of the next adjudication. ``pending`` counts the pending orders by seat, ``dropped`` those that
    are no longer pending. ``due`` are the decisions that are due, ``warnings`` what the moderator should check.
    """

    game: str
    turn: int
    entry: LogRow
    pending: Mapping[Seat, int]
    dropped: Mapping[Seat, int]
    due: tuple[Decision, ...]
    over: bool
    warnings: tuple[str, ...]
