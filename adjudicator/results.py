"""The results of one game that several parts make and read; they serialise to the published JSON by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeVar

from adjudicator.core import problem as core
from adjudicator.core.chance import Head
from adjudicator.core.event import Part
from adjudicator.core.order import Cause
from adjudicator.core.ruleset import GameMeta, Option, Player, Standing, Unit
from adjudicator.core.values import ByFields, Digest, Name, Seat, Value, Viewer, Whole

if TYPE_CHECKING:
    from adjudicator.core.rules import AnyRuleset


V = TypeVar("V", bound=Value)


def gathered(kind: Callable[..., V], *sources: Value, **more: Any) -> V:
    """Return a value of the class ``kind``: its fields are those in ``sources``, except those in ``more``."""
    wanted: tuple[str, ...] = kind.__struct_fields__  # type: ignore[attr-defined]
    found = {name: getattr(source, name) for source in sources for name in source.__struct_fields__ if name in wanted}
    return kind(**{**found, **more})


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
    sees other numbers; ``public`` is the name of the row for players if it differs. ``note`` is what the player noted beside
    the order, ``comment`` the moderator's comment on it: others read them when the game is over. The last ten are optional.
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
    note: str = ""
    comment: str = ""


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


NOT_UNDERSTOOD: Final = "not understood"
"""The reason why a line is a remark."""


class Ignored(Value, kw_only=True):
    """An ignored line, and the ``reason``; line 0 is something outside the text, such as an attachment."""

    source: str
    line: Whole
    reason: str
    text: str

    @property
    def is_remark(self) -> bool:
        """Whether the program did not understand the line: the receipt quotes it."""
        return self.reason == NOT_UNDERSTOOD


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
    ignored: tuple[Ignored, ...]
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


class WaitingSheet(Value, kw_only=True, omit_defaults=True):
    """The pending ``orders`` of ``seat`` since adjudication ``turn``, in canonical words and in their order.

    ``notes`` are what the player noted beside each of them; it is empty if there is no note.
    """

    seat: Seat
    turn: int
    orders: tuple[str, ...]
    notes: tuple[str, ...] = ()


class SheetSetAside(Value, kw_only=True, omit_defaults=True):
    """The ``orders`` of ``seat`` that were pending since adjudication ``turn`` and were set aside without effect.

    ``n`` is their number in the record, from 1. ``until`` is the number of the adjudication in which they were set aside,
    ``cause`` says why, and ``reason`` is the moderator's reason (empty: it was not the moderator). ``notes`` are as in
    `WaitingSheet`.
    """

    n: int
    seat: Seat
    turn: int
    orders: tuple[str, ...]
    until: int
    cause: Cause
    reason: str
    notes: tuple[str, ...] = ()


class WaitingOrders(Value, kw_only=True, omit_defaults=True):
    """The pending orders of a game, and those that were set aside, as the ``viewer`` may see them."""

    game: str
    turn: int
    viewer: Seat | None
    waiting: tuple[WaitingSheet, ...]
    set_aside: tuple[SheetSetAside, ...]
    head: Head | None = None


class OwnSecret(Value):
    """A fact that only its seat sees: its name (``called``), its value as text and as data.

    The text is empty where it would mean nothing to a player.
    """

    called: str
    said: str
    content: Any


class Mails(Value, kw_only=True):
    """The result of the mails of a viewer in the last turn.

    It has ``receipts``, the ``problems`` with orders, ignored lines (``passed_over``), and ``notes``; the moderator sees
    those of all seats.
    """

    receipts: tuple[SeatReceipt, ...] = ()
    problems: tuple[OrderProblem, ...] = ()
    passed_over: tuple[Ignored, ...] = ()
    notes: tuple[str, ...] = ()


class ReportFile(Value, kw_only=True):
    """A ``file`` with the report to ``viewer`` (``None``: bystanders), and the SHA-256 of its bytes."""

    viewer: Viewer
    file: str
    hash: Digest


class RecordedReceipt(Value, kw_only=True):
    """A text from ``seat`` in adjudication ``turn``: the SHA-256 of its bytes, and when the mail server took it."""

    turn: int
    seat: Name
    hash: Digest
    received: int | None


class Manifest(Value, kw_only=True):
    """The ``reports`` that were written, and their game.

    ``beginning`` is the hash of its heading, ``head`` proves the journal to its last entry (``None``: the outcomes are
    recorded). ``turn`` is the number of the next adjudication, ``awaited`` are the seats that are due. ``receipts`` are
    those of the last adjudication.
    """

    game: Name
    beginning: Digest
    turn: int
    head: Head | None
    over: bool
    awaited: tuple[Name, ...]
    reports: tuple[ReportFile, ...]
    receipts: tuple[RecordedReceipt, ...]


class KnownText(Value, kw_only=True):
    """A text or mail that arrived in an earlier ``turn``, accepted or not, and is left out."""

    source: str
    turn: int


class FailureKind(StrEnum):
    """The kind of a failure: a stable word. docs/json.md lists the exit code of each."""

    USAGE = "usage"
    MISUSE = "misuse"
    RULESET = "ruleset"
    UNKNOWN_SEAT = "unknown-seat"
    SETUP = "setup"
    IMPOSSIBLE_OUTCOME = "impossible-outcome"
    NO_GAME = "no-game"
    FILE = "file"
    SYSTEM = "system"
    UNTRUSTED = "untrusted"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


class Problem(Value):
    """A mistake in one order, with a ``message`` that a player understands.

    ``code`` is stable and begins with its owner's name (``checkpoint-rally/cell-occupied``). ``part`` names the wrong part
    of the order as ``NAME`` or ``NAME:INDEX`` (``cell:1`` is the second cell), in a set-up the wrong choice (``id``,
    ``seat:0``, ``option:laps``); empty means the whole. ``rule`` is the id of the broken rule, empty for a mistake that
    breaks no rule of a game (a spelling mistake).
    """

    code: str
    message: str
    rule: str
    part: str
    suggestions: tuple[str, ...]

    @classmethod
    def of(cls, found: core.Problem) -> Problem:
        """Return the problem ``found``, with the names that look like the wrong one."""
        return cls(found.code, found.message, found.rule, found.part, found.suggestions)


class Failure(Value, kw_only=True, omit_defaults=True):
    """Why a command has failed: the kind of ``error``, and a ``message`` for people.

    ``file`` names the faulty file, ``violations`` are its mistakes, ``problems`` are those of a set-up. Each of these fields
    is present only if it is not empty.
    """

    error: FailureKind
    message: str
    file: str = ""
    violations: tuple[core.Violation, ...] = ()
    problems: tuple[Problem, ...] = ()


class KnownGame(Value, kw_only=True):
    """A ruleset that can be played, described without loading its rules.

    ``players`` are the fewest and the most, ``unit`` is the unit of costs (short, long, the name of a seat's total). The
    first of the ``component_sets`` is the default. ``oldest`` is the oldest version of the rules that this program still
    plays (0: only the present one).
    """

    id: str
    name: str
    version: int
    prefix: str
    players: tuple[int, int]
    unit: Unit
    options: tuple[Option, ...]
    component_sets: tuple[str, ...]
    oldest: int
    older_sets: tuple[str, ...]

    @classmethod
    def of(cls, meta: GameMeta) -> KnownGame:
        """Return the description of the ruleset ``meta``."""
        return gathered(cls, meta)


class BrokenGame(Value):
    """A ruleset that is installed but cannot be used, and why it is ``broken``."""

    id: str
    broken: str


InstalledGame = ByFields[KnownGame | BrokenGame]


class PromisedGame(Value, kw_only=True):
    """A game that was prepared in ``file`` and has not begun: its settings, and the hashes that prove them.

    ``version`` is the version of the rules, ``position`` says that the game begins from an explicit position. ``commitment``
    fixes the secret of chance, ``promise`` all settings. ``words`` are the words of seats so far, ``silent`` the other
    seats; after the words are ``published``, they cannot change.
    """

    file: str
    game: str
    ruleset: str
    name: str
    version: int
    components: str
    components_version: int
    components_hash: Digest
    players: tuple[Player, ...]
    options: Mapping[str, str]
    position: bool
    commitment: Digest
    promise: Digest
    words: Mapping[Seat, str]
    silent: tuple[Seat, ...]
    published: bool


class UnmadePage(Value, kw_only=True):
    """A ``page`` that could not be made, and the ``cause``. ``source`` is the file of its game (empty: a list page)."""

    page: str
    source: str
    cause: str


class ArchivedGame(Value, kw_only=True):
    """One game of an archive: its number from 1 (``n``), its ``name``, and ``hash`` (SHA-256) and ``size`` of its file.

    ``game`` is its id, ``ruleset`` its rules, ``players`` the player of each seat, ``head`` the hash of its last entry.
    ``begun`` and ``ended`` are the dates of the first and, if it is over, of the last orders in UTC (null: not known), and
    ``result`` the place of each seat in a finished game. A script has no facts, a file that cannot be loaded few.
    """

    n: int
    name: str
    game: str = ""
    ruleset: str = ""
    players: Mapping[str, str] = {}
    begun: str | None = None
    ended: str | None = None
    result: Mapping[str, int] | None = None
    head: str = ""
    hash: Digest
    size: int


class ArchiveProblem(Value, kw_only=True):
    """The problem (``wrong``) with a ``source`` that is left out of the archive, or cannot be read from it."""

    source: str
    wrong: str


class ArchiveEnd(Value, kw_only=True):
    """The result for an archive, and its ``task``: ``listed``, ``made``, ``added``, ``checked`` or ``extracted``.

    ``games`` counts the games in the ``file``, ``taken`` those that were added or extracted, ``same`` those that were
    already there, ``unsound`` those that were left out or are damaged. ``size`` is the size of the file in bytes, ``loose``
    the size of its games as separate files. ``folder`` is the target of an extraction (empty: there was none).
    """

    file: str
    task: str
    games: int
    taken: int
    same: int
    unsound: int
    size: int
    loose: int
    folder: str
