"""Compare a game file with the texts published during the game, and find the first contradiction.

With the secret, somebody can write a whole new game that an audit verifies. But the players keep the published texts: the
heads fix the journal, and the logs show what each reader knew about each entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, TypeVar

from adjudicator.audit.published_logs import PublishedRow, PublishedTable, spaced, tables_in
from adjudicator.audit.published_texts import PublishedText, Row
from adjudicator.core.canonical import canonical_text, json_value
from adjudicator.core.entry_numbers import is_skipped
from adjudicator.core.frozen import frozen
from adjudicator.core.head import proof_maker
from adjudicator.core.ids import MODERATOR, Viewer
from adjudicator.outputs.orders import LogRow
from adjudicator.present import beginning_of, is_hidden, log_of, redact_entry
from adjudicator.reports.data.heading import viewers_named_in
from adjudicator.reports.data.log import log_rows, log_text
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game
from adjudicator.verdict import NOT_DECIDED, AuditResult, Comparison, Divergence, Kind, Skipped

T = TypeVar("T")
Place = tuple[int, int]
"""The number of an entry for a reader, and which of the orders skipped after it (0: the entry itself)."""
_COMPARED: Final = ("seat", "order", "turn", "min", "before", "after", "why", "told", "written", "notes", "public")
_SHORT: Final = 16
_LONGEST: Final = 400
"""The number of characters of a value that a message quotes."""


@frozen
class Contradiction:
    """A contradiction between the game file and the text ``name``: at entry ``n`` (``None``: the whole), in ``words``."""

    n: int | None
    name: str
    words: str


def compare_texts(result: AuditResult, path: str, texts: Sequence[PublishedText]) -> AuditResult:
    """Return the ``result`` for the game in the file ``path`` with its first contradiction of ``texts``."""
    if isinstance(result, Skipped) or (result.divergence is not None and result.divergence.kind in NOT_DECIDED):
        return result
    found = first_contradiction(open_session(load_game(path)), texts)
    compared = replace(result, compared=comparison_of(texts))
    if found is None:
        return compared
    if compared.divergence is None:
        return replace(compared, divergence=found)
    return replace(compared, further=(*compared.further, found))


def comparison_of(texts: Iterable[PublishedText]) -> Comparison:
    """Return the numbers of texts, heads and entries in ``texts`` that a game can be compared with."""
    texts_with_facts = [text for text in texts if text.says_something]
    entries = sum(len({_place(row) for row in run}) for text in texts_with_facts for run in text.rows)
    entries += sum(len(table.rows) for text in texts_with_facts for table in text.tables)
    return Comparison(len(texts_with_facts), sum(len(text.heads) for text in texts_with_facts), entries)


def first_contradiction(session: Session, texts: Sequence[PublishedText]) -> Divergence | None:
    """Return the first contradiction between ``texts`` and the game of ``session``, that of the first entry."""
    logs, older = _GameLogs(session), _GameLogs(session, is_older=True)
    found = [next(_about_beginning(session, text), None) for text in texts]
    for text in texts:
        published: list[Sequence[Row] | PublishedTable] = [*text.rows, *text.tables]
        for log in published:
            otherwise = _in_log(logs, text.name, log)
            # In versions without heads, all logs had the numbers of the journal.
            if otherwise is not None and (text.heads or not logs.has_skipped or _in_log(older, text.name, log) is not None):
                found.append(otherwise)
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
    for what, right, published in (
        ("commitment", game.chance.commitment, text.commitments),
        ("promise", game.promise, text.promises),
        ("game", game.id, text.games),
        ("beginning", game.beginning, text.beginnings),
    ):
        for other in published:
            if other != right:
                words = f"the published {what} is {other}, but the game file has {right or 'none'}"
                yield Contradiction(None, text.name, words)
    right_begun = json_value(beginning_of(session))
    for begun in text.begun:
        for name in sorted(begun.keys() & right_begun.keys()):
            if begun[name] != right_begun[name]:
                words = _otherwise(name, begun[name], right_begun[name])
                yield Contradiction(None, text.name, f"the beginning of the game: {words}")


def _in_heads(session: Session, text: PublishedText) -> Contradiction | None:
    entries = [link for link in session.game.journal if not is_skipped(link.entry)]
    prove = proof_maker(session.game.chance.secret)
    for head in sorted(text.heads, key=lambda head: head.n):
        if head.n >= len(entries):
            return Contradiction(len(session.game.journal), text.name, _beyond(head.n, len(entries) - 1))
        right = prove(entries[head.n])
        if right is None or not right.startswith(head.proof):
            known = f"{right[:_SHORT]}…" if right else "none"
            words = f"the published head {head.n} is {head.proof[:_SHORT]}…, but the game file has {known}"
            words += ": somebody has changed this entry or an earlier one"
            return Contradiction(entries[head.n].entry.n, text.name, words)
    return None


def _beyond(n: int, last: int) -> str:
    return f"entry {n} was published, but the game file ends with entry {last}"


class _GameLogs:
    """The logs of a game for each viewer, as rows of JSON and as rows of a table, each by its place.

    With ``is_older`` the logs are those of old versions, which used the numbers of the journal for everybody.
    """

    def __init__(self, session: Session, *, is_older: bool = False) -> None:
        self.session, self.is_older = session, is_older
        self.viewers: list[Viewer] = [None, *session.seats, MODERATOR]
        self.numbers = session.timeline.entry_numbers
        self.rows: Callable[[Viewer], Mapping[Place, Sequence[Row]]] = cache(self._rows)
        self.table: Callable[[Viewer], Mapping[Place, Sequence[PublishedRow]]] = cache(self._table)
        self.entries: Callable[[Viewer], Mapping[Place, int]] = cache(self._entries)

    @property
    def has_skipped(self) -> bool:
        """Whether the players' numbers differ from those of the journal."""
        return self.numbers.has_skipped

    def _log(self, viewer: Viewer) -> tuple[LogRow, ...]:
        session, journal = self.session, self.session.game.journal
        if not self.is_older:
            return log_of(session, journal, viewer)
        shown = (link.entry for link in journal if not is_hidden(link.entry, viewer))
        entries = (redact_entry(session.rules, session.config, entry, viewer) for entry in shown)
        return log_rows(session.rules, session.config, entries, undone=session.timeline.undone)

    def _rows(self, viewer: Viewer) -> Mapping[Place, Sequence[Row]]:
        found: dict[Place, list[Row]] = {}
        for row in self._log(viewer):
            data: Row = json_value(row)
            found.setdefault(_place(data), []).append(data)
        return found

    def _table(self, viewer: Viewer) -> Mapping[Place, Sequence[PublishedRow]]:
        rows = self._log(viewer)
        # Written and read back, it has the same form as in a text.
        written = log_text(rows, self.session.rules.meta.unit, with_events=True).split("\n")
        return next(tables_in(written)).rows

    def _entries(self, viewer: Viewer) -> Mapping[Place, int]:
        """Return the numbers of the journal's entries by their place in the log for ``viewer``."""
        entries = (link.entry for link in self.session.game.journal)
        if self.is_older:
            return {(link.entry.n, 0): link.entry.n for link in self.session.game.journal}
        return {
            (self.numbers.number(entry.n, viewer), self.numbers.skipped(entry.n) or 0): entry.n
            for entry in entries
            if not is_hidden(entry, viewer)
        }

    def first_difference(
        self,
        name: str,
        viewers: Sequence[Viewer],
        places: Sequence[Place],
        differ: Callable[[Viewer, Place], str | None],
    ) -> Contradiction | None:
        """Return the contradiction at the first of ``places`` where the log of no viewer agrees any longer.

        The reader is one of ``viewers``, whose log agrees with all earlier places. ``differ`` describes a difference.
        """
        left = list(viewers)
        for place in places:
            still = [viewer for viewer in left if differ(viewer, place) is None]
            if not still:
                entry = self.entries(left[0]).get(place)
                if entry is None and place[0] > max(self.entries(left[0]))[0]:
                    words = _beyond(place[0], max(self.entries(left[0]))[0])
                    return Contradiction(len(self.session.game.journal), name, words)
                return Contradiction(place[0] if entry is None else entry, name, differ(left[0], place) or "")
            left = still
        return None


def _place(row: Row) -> Place:
    skipped = row.get("skipped")
    return row["n"], skipped if type(skipped) is int else 0


def _in_log(logs: _GameLogs, name: str, log: Sequence[Row] | PublishedTable) -> Contradiction | None:
    return _in_table(logs, name, log) if isinstance(log, PublishedTable) else _in_rows(logs, name, log)


def _in_rows(logs: _GameLogs, name: str, run: Sequence[Row]) -> Contradiction | None:
    """Return the first contradiction or omission of a log in lines of JSON."""
    published: dict[Place, list[Row]] = {}
    for row in run:
        published.setdefault(_place(row), []).append(row)
    first, last = min(published), max(published)
    every = {place for viewer in logs.viewers for place in logs.rows(viewer) if first < place < last}

    def differ(viewer: Viewer, place: Place) -> str | None:
        # The turn numbers of older versions do not matter.
        ignored = "turn" if logs.is_older else ""
        return _difference(published.get(place, []), logs.rows(viewer).get(place, []), ignored)

    return logs.first_difference(name, logs.viewers, sorted(published.keys() | every), differ)


def _difference(published: Sequence[Row], rows: Sequence[Row], ignored: str) -> str | None:
    if len(published) != len(rows):
        return _count(published, rows)
    for there, here in zip(published, rows, strict=True):
        for name in _COMPARED:
            if name != ignored and there.get(name) != here.get(name) and (there.get(name) or here.get(name)):
                return _otherwise(name, there.get(name), here.get(name))
        # An entry may be undone later, but it then stays undone.
        if "undone_by" in there and there["undone_by"] != here.get("undone_by"):
            return _otherwise("undone_by", there["undone_by"], here.get("undone_by"))
    return None


def _in_table(logs: _GameLogs, name: str, table: PublishedTable) -> Contradiction | None:
    """Return the first contradiction of a table; it may lack rows, since people quote parts of logs."""
    viewers = viewers_named_in(table.head, logs.session.seats) or tuple(logs.viewers)

    def differ(viewer: Viewer, place: Place) -> str | None:
        return _row_difference(table.rows[place], logs.table(viewer).get(place, ()))

    return logs.first_difference(name, viewers, sorted(table.rows), differ)


def _row_difference(published: Sequence[PublishedRow], rows: Sequence[PublishedRow]) -> str | None:
    if len(published) != len(rows):
        return _count(published, rows)
    for there, here in zip(published, rows, strict=True):
        sentences = here.told if there.told is None else there.told
        for one, other in (
            (there.line, here.line),
            (there.written or "", here.written or ""),
            ("; ".join(sentences or ()), "; ".join(here.told or ())),
        ):
            if spaced(one) != spaced(other):
                return f"“{spaced(one)[:_LONGEST]}” was published, but the game file has “{spaced(other)[:_LONGEST]}”"
    return None


def _count(published: Sequence[T], rows: Sequence[T]) -> str:
    return f"{len(published)} lines were published about it, but the game file has {len(rows)}"


def _otherwise(name: str, published: Any, right: Any) -> str:
    return f"{name}: {_words(published)} was published, but the game file has {_words(right)}"


def _words(value: Any) -> str:
    try:
        text = canonical_text(value)
    except TypeError:  # a fraction, which no file of this program contains
        text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
