"""Define the result of a whole turn, and the files that it has written."""

from __future__ import annotations

from adjudicator.core.chance import Head
from adjudicator.core.values import Digest, Name, Value, Viewer
from adjudicator.outputs.orders import Adjudication


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


class WholeTurn(Value, kw_only=True):
    """The result of a turn: the result of its orders, and the reports that were written into ``folder``.

    ``known`` are the texts that arrived before and are left out; ``again`` says that the reports are those of the last run,
    because no new text has arrived. There is no ``manifest`` if the command changed nothing.
    """

    adjudication: Adjudication
    known: tuple[KnownText, ...]
    again: bool
    folder: str | None
    manifest: Manifest | None
