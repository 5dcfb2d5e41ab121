"""Read published reports, logs and receipts as people have saved them: as text, JSON, or in mails."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from adjudicator.audit.published_logs import PublishedTable, tables_in
from adjudicator.core.frozen import frozen
from adjudicator.core.head import Head
from adjudicator.files.errors import CannotRead, Untrusted, Violation
from adjudicator.files.reading import read
from adjudicator.orders.clean import MOST_BYTES, NotTextError, decode, lines_of
from adjudicator.reports.data.heading import COMMITMENT, HEAD, PROMISE

_QUOTE: Final = re.compile(r"(?:[ \t]?[>|] ?)+")
_HEADING: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,79}) · .* · (?:turn [0-9]+|over) · components ")
_TRIAL: Final = "would be applied"
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_ROW: Final = {"n", "turn", "seat", "order", "min", "before", "after", "why", "told"}
_MOST_FILES: Final = 10_000
_LARGEST: Final = 64_000_000
"""The limit in bytes for one text."""

Row = dict[str, Any]


@frozen(kw_only=True)
class PublishedText:
    """The published facts in one file: ``heads``, and logs as ``tables`` or as ``rows`` of JSON, in runs of entries.

    ``commitments``, ``promises``, ``games`` (their ids), ``beginnings`` (hashes of a heading) and ``begun`` are what it says
    of how the game began. ``is_named`` if the file itself was, and not only its folder.
    """

    name: str
    is_named: bool
    heads: tuple[Head, ...] = ()
    tables: tuple[PublishedTable, ...] = ()
    rows: tuple[tuple[Row, ...], ...] = ()
    commitments: tuple[str, ...] = ()
    promises: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()
    begun: tuple[Row, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether the text contains anything that a game can be compared with."""
        return bool(self.heads or self.tables or self.rows or self.commitments or self.promises or self.beginnings)


def published_texts(paths: Iterable[str]) -> tuple[PublishedText, ...]:
    """Return the texts in the files and folders ``paths``, in order. Raises ``CannotRead``, ``Untrusted``."""
    texts = []
    for number, (path, is_named) in enumerate(_files(paths)):
        if number == _MOST_FILES:
            raise Untrusted(path, [Violation("$", f"the limit is {_MOST_FILES:,} files")], "there are too many files")
        name, data = read(path)
        try:
            texts.append(published_text(name, data, is_named=is_named))
        except NotTextError as error:
            if is_named:
                raise Untrusted(name, [Violation("$", str(error))], "this is not a text") from None
    return tuple(texts)


def published_text(name: str, data: bytes, *, is_named: bool = True) -> PublishedText:
    """Return the published facts in the bytes ``data``, quoted or not. Raises ``NotTextError``."""
    lines = [_QUOTE.sub("", line, count=1) if _QUOTE.match(line) else line for line in _lines(name, data)]
    found = _Found()
    rest = found.take_json(lines)
    text = "\n".join(rest)
    heads = (Head(int(n), proof.lower()) for n, proof in HEAD.findall(text))
    return PublishedText(
        name=name,
        is_named=is_named,
        heads=tuple(dict.fromkeys([*found.heads, *heads])),
        # The output of `check` is not a part of the game.
        tables=() if _TRIAL in text else tuple(tables_in(rest)),
        rows=_runs(found.rows),
        commitments=_unique([*found.said["commitment"], *map(str.lower, COMMITMENT.findall(text))]),
        promises=_unique([*found.said["promise"], *map(str.lower, PROMISE.findall(text))]),
        games=_unique([*found.said["game"], *(match[1] for line in rest if (match := _HEADING.match(line)))]),
        beginnings=_unique(found.said["beginning"]),
        begun=tuple(found.begun),
    )


def _files(paths: Iterable[str]) -> Iterator[tuple[str, bool]]:
    for path in paths:
        if not os.path.isdir(path):
            yield path, True
            continue
        for folder, folders, names in os.walk(path):
            folders.sort()
            found = (os.path.join(folder, name) for name in sorted(names) if not name.startswith("."))
            yield from ((file, False) for file in found if os.path.isfile(file))


def _lines(name: str, data: bytes) -> Iterator[str]:
    """Yield the lines of a text, or those of all mails in it."""
    from adjudicator.intake import submissions
    from adjudicator.mail.mailboxes import is_mbox
    from adjudicator.mail.recognize import is_mail

    if len(data) > _LARGEST:
        raise CannotRead(name, f"the text is too large: it has {len(data):,} bytes, and the limit is {_LARGEST:,}")
    if is_mbox(data) or is_mail(data, is_named_so=name.lower().endswith(".eml")):
        for mail in submissions(name, data):
            yield from mail.lines
            yield ""
    else:
        yield from lines_of(decode(data) if len(data) <= MOST_BYTES else data.decode("utf-8", "replace"))


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _runs(rows: Sequence[Row]) -> tuple[tuple[Row, ...], ...]:
    """Return ``rows`` split where their numbers decrease, because another log begins there."""
    runs: list[list[Row]] = []
    for row in rows:
        if not runs or row["n"] < runs[-1][-1]["n"]:
            runs.append([])
        runs[-1].append(row)
    return tuple(map(tuple, runs))


class _Found:
    """The published facts in the JSON of a text, anywhere in it."""

    def __init__(self) -> None:
        self.heads: list[Head] = []
        self.rows: list[Row] = []
        self.begun: list[Row] = []
        self.said: dict[str, list[str]] = {"commitment": [], "promise": [], "game": [], "beginning": []}

    def take_json(self, lines: Sequence[str]) -> list[str]:
        """Read the JSON in ``lines``, as a whole or line by line, and return the other lines."""
        first = next((line for line in lines if line.strip()), "")
        if first[:1] in ("{", "[") and self._take("\n".join(lines)):
            return []
        return [line for line in lines if not (line.startswith("{") and self._take(line))]

    def _take(self, text: str) -> bool:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return False
        left = [data]
        while left:  # no recursion: the text may be nested as deeply as a parser allows
            value = left.pop()
            if isinstance(value, dict):
                self._look(value)
                # The orders that a trial accepts were never applied.
                is_trial = value.get("changed") is False and "accepted" in value
                left += [] if is_trial else list(value.values())[::-1]
            elif isinstance(value, list):
                left += value[::-1]
        return True

    def _look(self, value: Row) -> None:
        n, proof = value.get("n"), value.get("proof")
        if type(n) is int and n >= 0:
            # The moderator's rows have the players' number too, except those of skipped orders.
            known = value["public"].get("n") if isinstance(value.get("public"), dict) else n
            if isinstance(proof, str) and _DIGEST.fullmatch(proof) and type(known) is int and not value.get("skipped"):
                self.heads.append(Head(known, proof))
            if value.keys() >= _ROW and isinstance(value["told"], list) and isinstance(value["order"], str):
                self.rows.append(value)
        for name in ("commitment", "promise", "beginning"):
            if isinstance(value.get(name), str) and _DIGEST.fullmatch(value[name]):
                self.said[name].append(value[name])
        if isinstance(value.get("game"), str) and not value.keys().isdisjoint(("begun", "head", "turn", "version")):
            self.said["game"].append(value["game"])
        if isinstance(value.get("begun"), dict):
            self.begun.append(value["begun"])
