"""What a whole turn came to, and which files it has written."""

from __future__ import annotations

from adjudicator.core.frozen import frozen
from adjudicator.core.head import Head
from adjudicator.core.ids import Digest, Name, Viewer
from adjudicator.outputs.orders import Adjudication


@frozen(kw_only=True)
class ReportFile:
    """A ``file`` with the report to ``viewer`` (``None``: bystanders), and the SHA-256 of its bytes."""

    viewer: Viewer
    file: str
    hash: Digest


@frozen(kw_only=True)
class RecordedReceipt:
    """What has come from ``seat`` in adjudication ``turn``: the SHA-256 of its bytes, and when the mail server took it."""

    turn: int
    seat: Name
    hash: Digest
    received: int | None


@frozen(kw_only=True)
class Manifest:
    """Which ``reports`` were written, and of which game.

    ``beginning`` is the hash of its heading, ``head`` proves the journal to its last entry (``None``: the outcomes are
    recorded). ``turn`` is the number of the adjudication that comes next, ``awaited`` are the seats that the game waits for.
    ``receipts`` are those of the adjudication that came last.
    """

    game: Name
    beginning: Digest
    turn: int
    head: Head | None
    over: bool
    awaited: tuple[Name, ...]
    reports: tuple[ReportFile, ...]
    receipts: tuple[RecordedReceipt, ...]


@frozen(kw_only=True)
class KnownText:
    """A text or mail that came in an earlier ``turn``, whether it was taken or not, and was left out."""

    source: str
    turn: int


@frozen(kw_only=True)
class WholeTurn:
    """What came of a turn: of the orders, and for whom reports were written into ``folder``.

    ``known`` are the texts that came before and were left out; ``again`` says that the reports are those of the last run,
    since nothing new has come. There is no ``manifest`` where nothing was done.
    """

    adjudication: Adjudication
    known: tuple[KnownText, ...]
    again: bool
    folder: str | None
    manifest: Manifest | None
