"""A game file held against what was published while it was played: the first thing that it contradicts.

Whoever has the secret can write a game anew from end to end, and it is verified. But what was published stays with those who
have it: the heads fix the journal, and the logs say what was told of each entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from adjudicator.audit.published_logs import PublishedLog, PublishedRow
from adjudicator.audit.published_texts import PublishedText, Row
from adjudicator.core.canonical import canonical_text, json_value
from adjudicator.core.frozen import frozen
from adjudicator.core.head import proof_maker
from adjudicator.core.ids import MODERATOR, Viewer
from adjudicator.outputs.orders import LogRow
from adjudicator.present import begun_as, log_of
from adjudicator.reports.heading import reader_told
from adjudicator.reports.sanitize import printable
from adjudicator.reports.verdict import Compared, Divergence, Kind
from adjudicator.session import Session

_COMPARED: Final = ("seat", "order", "turn", "min", "before", "after", "why", "told", "written", "notes")
_SHORT: Final = 16


@frozen
class Contradiction:
    """What the game file has otherwise than the text ``name``: about entry ``n`` (``None``: the whole), in ``words``."""

    n: int | None
    name: str
    words: str


def counted(texts: Iterable[PublishedText]) -> Compared:
    """Return how much there is in ``texts`` to hold a game against."""
    saying = [text for text in texts if text.says_something]
    entries = sum(len({row["n"] for row in run}) for text in saying for run in text.rows)
    entries += sum(len(log.rows) for text in saying for log in text.tables)
    return Compared(len(saying), sum(len(text.heads) for text in saying), entries)


def first_contradiction(session: Session, texts: Sequence[PublishedText]) -> Divergence | None:
    """Return the first thing in ``texts`` that the game of ``session`` contradicts: of the first entry, first in words."""
    found = [next(_about_beginning(session, text), None) for text in texts]
    for text in texts:
        found += [_in_rows(session, text, run) for run in text.rows]
        found += [_in_table(session, text, log) for log in text.tables]
        found.append(_in_heads(session, text))
    first = min(filter(None, found), key=lambda one: -1 if one.n is None else one.n, default=None)
    return None if first is None else _divergence(session, first)


def _divergence(session: Session, found: Contradiction) -> Divergence:
    journal = session.game.journal
    entry = journal[found.n].entry if found.n is not None and found.n < len(journal) else None
    return Divergence(
        Kind.PUBLISHED,
        entry=found.n,
        seat="" if entry is None else entry.seat or "",
        order="" if entry is None else entry.order,
        field=found.name,
        recomputed=found.words,
        is_sentence=True,
    )


def _about_beginning(session: Session, text: PublishedText) -> Iterator[Contradiction]:
    game = session.game
    for what, right, said in (
        ("commitment", game.chance.commitment, text.commitments),
        ("promise", game.promise, text.promises),
        ("game", game.id, text.games),
        ("beginning", game.beginning, text.beginnings),
    ):
        for other in said:
            if other != right:
                yield Contradiction(None, text.name, f"published is the {what} {other}, the game file has {right or 'none'}")
    right_begun = json_value(begun_as(session))
    for begun in text.begun:
        for name in sorted(begun.keys() & right_begun.keys()):
            if begun[name] != right_begun[name]:
                words = _otherwise(name, begun[name], right_begun[name])
                yield Contradiction(None, text.name, f"how the game began: {words}")


def _in_heads(session: Session, text: PublishedText) -> Contradiction | None:
    journal, prove = session.game.journal, proof_maker(session.game.chance.secret)
    for head in sorted(text.heads, key=lambda head: head.n):
        if head.n >= len(journal):
            return _beyond(session, head.n, text.name)
        right = prove(journal[head.n])
        if right is None or not right.startswith(head.proof):
            words = f"published is head {head.n} {head.proof[:_SHORT]}…, the game file has {(right or 'none')[:_SHORT]}…"
            return Contradiction(head.n, text.name, f"{words}: this entry, or one before it, is not as it was")
    return None


def _beyond(session: Session, n: int, name: str) -> Contradiction:
    last = len(session.game.journal) - 1
    return Contradiction(n, name, f"entry {n} was published, and the game file ends with entry {last}")


def _viewers(session: Session) -> list[Viewer]:
    return [None, *session.seats, MODERATOR]


def _as_told(session: Session, n: int, viewer: Viewer) -> tuple[LogRow, ...]:
    return log_of(session, session.game.journal[n : n + 1], viewer)


def _in_rows(session: Session, text: PublishedText, run: Sequence[Row]) -> Contradiction | None:
    """Return what a log in lines of JSON says otherwise. Its reader is any who may have read all that stands before."""
    published: dict[int, list[Row]] = {}
    for row in run:
        published.setdefault(row["n"], []).append(row)
    viewers, numbers = _viewers(session), sorted(published)
    for n in range(numbers[0], min(numbers[-1] + 1, len(session.game.journal))):
        told = {viewer: [_data(row) for row in _as_told(session, n, viewer)] for viewer in viewers}
        left = [viewer for viewer, rows in told.items() if _difference(published.get(n, []), rows) is None]
        if not left:
            return Contradiction(n, text.name, _difference(published.get(n, []), told[viewers[0]]) or "")
        viewers = left
    return _beyond(session, numbers[-1], text.name) if numbers[-1] >= len(session.game.journal) else None


def _data(row: LogRow) -> Row:
    data: Row = json_value(row)
    return data


def _difference(published: Sequence[Row], rows: Sequence[Row]) -> str | None:
    if len(published) != len(rows):
        return f"published are {len(published)} lines on it, the game file gives {len(rows)}"
    for there, here in zip(published, rows, strict=True):
        for name in _COMPARED:
            if there.get(name) != here.get(name) and (there.get(name) or here.get(name)):
                return _otherwise(name, there.get(name), here.get(name))
        # That it was undone may have been found out later, but is not forgotten.
        if "undone_by" in there and there["undone_by"] != here.get("undone_by"):
            return _otherwise("undone_by", there["undone_by"], here.get("undone_by"))
    return None


def _otherwise(name: str, published: Any, right: Any) -> str:
    return f"{name}: published is {_words(published)}, the game file has {_words(right)}"


def _words(value: Any) -> str:
    try:
        return canonical_text(value)
    except TypeError:  # a fraction: no file of this program has one
        return repr(value)


def _in_table(session: Session, text: PublishedText, log: PublishedLog) -> Contradiction | None:
    viewers = list(reader_told(log.head, session.seats)) or _viewers(session)
    for n in sorted(log.rows):
        if n >= len(session.game.journal):
            return _beyond(session, n, text.name)
        told = {viewer: [_as_row(session, log, row) for row in _as_told(session, n, viewer)] for viewer in viewers}
        left = [viewer for viewer, rows in told.items() if _row_difference(log.rows[n], rows) is None]
        if not left:
            return Contradiction(n, text.name, _row_difference(log.rows[n], told[viewers[0]]) or "")
        viewers = left
    return None


def _as_row(session: Session, log: PublishedLog, row: LogRow) -> PublishedRow:
    shown = log.row_of(row, session.rules.meta.unit)
    told = tuple(printable(words) for words in shown.told or ())
    return PublishedRow(shown.seat, shown.order, shown.line, told, row.written and printable(row.written))


def _row_difference(published: Sequence[PublishedRow], rows: Sequence[PublishedRow]) -> str | None:
    if len(published) != len(rows):
        return f"published are {len(published)} lines on it, the game file gives {len(rows)}"
    for there, here in zip(published, rows, strict=True):
        told = here.told if there.told is None else there.told
        for one, other in (
            (there.line, here.line),
            (there.written or "", here.written or ""),
            ("; ".join(told or ()), "; ".join(here.told or ())),
        ):
            if _spaced(one) != _spaced(other):
                return f"published is “{_spaced(one)}”, the game file gives “{_spaced(other)}”"
    return None


def _spaced(words: str) -> str:
    return " ".join(words.split())
