"""Compare a game file with the texts published during the game, and find the first contradiction.

With the secret, somebody can write a whole new game that an audit verifies. But the players keep the published texts: the
heads fix the journal, and the logs show what each reader knew about each entry.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final

from adjudicator.audit.published_texts import PublishedText, Row
from adjudicator.core.chance import proof_maker
from adjudicator.core.values import MODERATOR, Value, Viewer, added_later, defaults_of, json_value, replace
from adjudicator.library.game import Game
from adjudicator.library.reader import Reader, beginning_of, is_hidden, redact_entry
from adjudicator.outputs.audits import ComparedText
from adjudicator.outputs.orders import LogRow
from adjudicator.reports.data.log import log_rows
from adjudicator.reports.text.table import count_of
from adjudicator.store.load import load_game
from adjudicator.verdict import NOT_DECIDED, AuditResult, Comparison, Divergence, Kind, Skipped

Place = tuple[int, int]
"""The number of an entry for a reader, and which of the orders skipped after it (0: the entry itself)."""
_ELSEWHERE: Final = ("n", "skipped", "undone_by", "commitment", "begun")
"""The fields of a row that are its place, or that are compared in another way."""
_DEFAULTS: Final[Mapping[str, Any]] = {
    name: json_value(defaults_of(LogRow)[name]) if name in added_later(LogRow) else ...
    for name in LogRow.__struct_fields__
    if name not in _ELSEWHERE
}
"""The compared fields of a row, with the values that rows leave out."""
_NUMBERS: Final = ("turn", "min", "before", "after", "why", "public")
"""The fields with numbers, where 1, 1.0 and true are different."""
_SHORT: Final = 16
_LONGEST: Final = 400
"""The number of characters of a value that a message quotes."""


class Contradiction(Value):
    """A contradiction between the game file and the text ``name``: at entry ``n`` (``None``: the whole), in ``words``."""

    n: int | None
    name: str
    words: str


def compare_texts(result: AuditResult, path: str, texts: Sequence[PublishedText]) -> AuditResult:
    """Return the ``result`` for the game in the file ``path`` with its first contradiction of ``texts``."""
    if isinstance(result, Skipped) or (result.divergence is not None and result.divergence.kind in NOT_DECIDED):
        return result
    missing: dict[str, dict[str, None]] = {text.name: {} for text in texts}
    found = first_contradiction(Game.of(load_game(path)), texts, missing)
    compared = replace(result, compared=comparison_of(texts, missing))
    if found is None:
        return compared
    if compared.divergence is None:
        return replace(compared, divergence=found)
    return replace(compared, further=(*compared.further, found))


def comparison_of(texts: Iterable[PublishedText], missing: Mapping[str, Iterable[str]]) -> Comparison:
    """Return what of ``texts`` a game was compared with, and what not, such as the ``missing`` parts of each."""
    found = []
    for text in texts:
        runs = [f"entries {_spans({row['n'] for row in run})}" for run in text.rows]
        heads = [f"heads {_spans({head.n for head in text.heads})}"] if text.heads else []
        facts = (text.commitments, text.promises, text.beginnings, text.begun, text.games)
        said = (
            name
            for name, there in zip(("commitment", "promise", "beginning", "set-up", "game"), facts, strict=True)
            if there
        )
        found.append(ComparedText(text.name, (*heads, *runs, *said), (*missing[text.name], *text.left_out)))
    telling = [text for text in texts if text.says_something]
    entries = sum(len({_place(row) for row in run}) for text in telling for run in text.rows)
    return Comparison(len(telling), sum(len(text.heads) for text in telling), entries, tuple(found))


def _spans(numbers: Iterable[int]) -> str:
    """Return ``numbers`` as text, ``0 to 3, 7``."""
    listed = sorted(numbers)
    firsts = [listed[0], *(later for earlier, later in pairwise(listed) if later != earlier + 1)]
    lasts = [*(earlier for earlier, later in pairwise(listed) if later != earlier + 1), listed[-1]]
    return ", ".join(f"{first} to {last}" if first < last else f"{first}" for first, last in zip(firsts, lasts, strict=True))


def first_contradiction(
    game: Game, texts: Sequence[PublishedText], missing: Mapping[str, dict[str, None]]
) -> Divergence | None:
    """Return the first contradiction between ``texts`` and ``game``, that of the first entry.

    Add to the ``missing`` parts of each text what it could have said, but does not.
    """
    logs, older = _GameLogs(game), _GameLogs(game, is_older=True)
    found = [next(_about_beginning(game, text, missing[text.name]), None) for text in texts]
    for text in texts:
        for run in text.rows:
            otherwise = _in_rows(logs, text.name, run, missing[text.name])
            # In versions without heads, all logs had the numbers of the journal.
            may_be_older = logs.has_skipped and not text.heads
            if otherwise is not None and not (may_be_older and _in_rows(older, text.name, run, {}) is None):
                found.append(otherwise)
        found.append(_in_heads(game, text))
    first = min(filter(None, found), key=lambda one: -1 if one.n is None else one.n, default=None)
    return None if first is None else _divergence(game, first)


def _divergence(game: Game, found: Contradiction) -> Divergence:
    journal = game.record.journal
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


def _about_beginning(game: Game, text: PublishedText, missing: dict[str, None]) -> Iterator[Contradiction]:
    record = game.record
    for what, right, published in (
        ("commitment", record.chance.commitment, text.commitments),
        ("promise", record.promise, text.promises),
        ("game", record.id, text.games),
        ("beginning", record.beginning, text.beginnings),
    ):
        for other in published:
            if other != right:
                words = f"the published {what} is {other}, but the game file has {right or 'none'}"
                yield Contradiction(None, text.name, words)
    right_begun = json_value(beginning_of(game))
    for begun in text.begun:
        missing.update({f"begun.{name}": None for name in sorted(begun.keys() ^ right_begun.keys())})
        for name in sorted(begun.keys() & right_begun.keys()):
            if _words(begun[name]) != _words(right_begun[name]):
                words = _otherwise(name, begun[name], right_begun[name])
                yield Contradiction(None, text.name, f"the beginning of the game: {words}")


def _in_heads(game: Game, text: PublishedText) -> Contradiction | None:
    entries = [link for link in game.record.journal if not link.entry.is_skipped]
    prove = proof_maker(game.record.chance.secret)
    for head in sorted(text.heads, key=lambda head: head.n):
        if head.n >= len(entries):
            return Contradiction(len(game.record.journal), text.name, _beyond(head.n, len(entries) - 1))
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
    """The logs of a game for each viewer, as rows of JSON by their place.

    With ``is_older`` the logs are those of old versions, which used the numbers of the journal for everybody.
    """

    def __init__(self, game: Game, *, is_older: bool = False) -> None:
        self.game, self.is_older = game, is_older
        self.viewers: list[Viewer] = [None, *game.seats, MODERATOR]
        self.numbers = game.timeline.entry_numbers
        self.rows: Callable[[Viewer], Mapping[Place, Sequence[Row]]] = cache(self._rows)
        self.entries: Callable[[Viewer], Mapping[Place, int]] = cache(self._entries)

    @property
    def has_skipped(self) -> bool:
        """Whether the players' numbers differ from those of the journal."""
        return self.numbers.has_skipped

    def _log(self, viewer: Viewer) -> tuple[LogRow, ...]:
        game, journal = self.game, self.game.record.journal
        if not self.is_older:
            return Reader(game, viewer).rows(journal)
        shown = (link.entry for link in journal if not is_hidden(link.entry, viewer))
        entries = (redact_entry(game.rules, entry, viewer) for entry in shown)
        return log_rows(game.rules, entries, undone=game.timeline.undone)

    def _rows(self, viewer: Viewer) -> Mapping[Place, Sequence[Row]]:
        found: dict[Place, list[Row]] = {}
        for row in self._log(viewer):
            data: Row = json_value(row)
            found.setdefault(_place(data), []).append(data)
        return found

    def _entries(self, viewer: Viewer) -> Mapping[Place, int]:
        """Return the numbers of the journal's entries by their place in the log for ``viewer``."""
        entries = (link.entry for link in self.game.record.journal)
        if self.is_older:
            return {(link.entry.n, 0): link.entry.n for link in self.game.record.journal}
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
                    return Contradiction(len(self.game.record.journal), name, words)
                return Contradiction(place[0] if entry is None else entry, name, differ(left[0], place) or "")
            left = still
        return None


def _place(row: Row) -> Place:
    skipped = row.get("skipped")
    return row["n"], skipped if type(skipped) is int else 0


def _in_rows(logs: _GameLogs, name: str, run: Sequence[Row], missing: dict[str, None]) -> Contradiction | None:
    """Return the first contradiction or omission of a log in lines of JSON."""
    published: dict[Place, list[Row]] = {}
    for row in run:
        published.setdefault(_place(row), []).append(row)
    first, last = min(published), max(published)
    every = {place for viewer in logs.viewers for place in logs.rows(viewer) if first < place < last}
    ignored = {"turn"} if logs.is_older else set[str]()  # the turn numbers of older versions do not matter
    if not any("proof" in row for row in run):  # nor did they have proofs
        missing["proofs of its entries"] = None
        ignored.add("proof")

    def differ(viewer: Viewer, place: Place) -> str | None:
        there, here = published.get(place, []), logs.rows(viewer).get(place, [])
        if len(there) != len(here):
            return f"{count_of(len(there), 'line')} about it published, but the game file has {len(here)}"
        for one, right in zip(there, here, strict=True):
            for field, default in _DEFAULTS.items():
                told, known = one.get(field, default), right.get(field, default)
                if field not in ignored and (told != known or (field in _NUMBERS and _words(told) != _words(known))):
                    return _otherwise(field, told, known)
            # An entry may be undone later, but it then stays undone.
            if "undone_by" in one and _words(one["undone_by"]) != _words(right.get("undone_by")):
                return _otherwise("undone_by", one["undone_by"], right.get("undone_by"))
            if "undone_by" in right.keys() - one.keys():
                missing[f"undone_by of entry {place[0]}"] = None
        return None

    return logs.first_difference(name, logs.viewers, sorted(published.keys() | every), differ)


def _otherwise(name: str, published: Any, right: Any) -> str:
    shown = (f"{text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''}" for text in (_words(published), _words(right)))
    return f"{name}: {' was published, but the game file has '.join(shown)}"


def _words(value: Any) -> str:
    """Return ``value`` as JSON, which tells 1, 1.0 and true apart."""
    return json.dumps(None if value is ... else value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
