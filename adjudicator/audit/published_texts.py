"""Read published reports, logs and receipts as people have saved them: as text, JSON, or in mails."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NoReturn

from adjudicator.core.chance import Head
from adjudicator.core.values import Value
from adjudicator.files.errors import CannotRead, Untrusted, Violation
from adjudicator.files.reading import read
from adjudicator.orders.clean import MOST_BYTES, NotTextError, decode, lines_of
from adjudicator.outputs.orders import LogRow
from adjudicator.reports.data.heading import COMMITMENT, HEAD, PROMISE

_QUOTE: Final = re.compile(r"(?:[ \t]?[>|] ?)+")
_HEADING: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,79}) · .* · (?:turn [0-9]+|over) · components ")
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_PROOF: Final = re.compile(r"\b(head +[0-9]{1,9}|commitment|promise)\s+(?=[A-Za-z]*[0-9])([0-9A-Za-z]{16,})", re.IGNORECASE)
"""What a text has in the place of a hash: a word without a digit is prose."""
_PART: Final = re.compile(r"[0-9a-f]{1,64}", re.IGNORECASE)
"""A hash, or the part of one that a mail program has left on its line."""
_ROW: Final = {"n", "turn", "seat", "order", "min", "before", "after", "why", "told"}
_FIELDS: Final = set(LogRow.__struct_fields__)
_HASHES: Final = ("commitment", "promise", "beginning")
_TEXT: Final = "its text (give the JSON of a log: `adjudicator log --json`)"
_DEPTH: Final = 2
"""The number of names that say where in JSON something stands."""
_MOST_FILES: Final = 10_000
_SHOWN: Final = 80
_LARGEST: Final = 64_000_000
"""The limit in bytes for one text."""

Row = dict[str, Any]


class PublishedText(Value, kw_only=True):
    """The published facts in one file: ``heads``, and logs as ``rows`` of JSON, in runs of entries.

    ``commitments``, ``promises``, ``games`` (their ids), ``beginnings`` (hashes of a heading) and ``begun`` are what it says
    of how the game began. ``is_named`` if the file itself was, and not only its folder. ``left_out`` names all the rest of
    it, which nothing is compared with.
    """

    name: str
    is_named: bool
    heads: tuple[Head, ...] = ()
    rows: tuple[tuple[Row, ...], ...] = ()
    commitments: tuple[str, ...] = ()
    promises: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()
    begun: tuple[Row, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether the text contains anything that a game can be compared with."""
        return bool(self.heads or self.rows or self.commitments or self.promises or self.beginnings)


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
            texts.append(PublishedText(name=name, is_named=False, left_out=("all of it: it is not a text",)))
    return tuple(texts)


def published_text(name: str, data: bytes, *, is_named: bool = True) -> PublishedText:
    """Return the published facts in the bytes ``data``, quoted or not.

    Raises ``NotTextError``, and ``Untrusted`` for a proof or another hash that is none.
    """
    found = _Found(name)
    lines = [_QUOTE.sub("", line, count=1) if _QUOTE.match(line) else line for line in _lines(name, data, found.left_out)]
    rest = found.take_json(lines)
    text = "\n".join(rest)
    for what, digits in _PROOF.findall(text):
        if not _PART.fullmatch(digits):
            found.refuse(f"the hash after “{what}” is not hexadecimal digits, at most 64: {digits[:_SHOWN]}")
    if text.strip():
        found.left_out[_TEXT] = None
    heads = (Head(int(n), proof.lower()) for n, proof in HEAD.findall(text))
    return PublishedText(
        name=name,
        is_named=is_named,
        heads=tuple(dict.fromkeys([*found.heads, *heads])),
        rows=tuple(tuple(run) for run in found.runs if run),
        commitments=_unique([*found.said["commitment"], *map(str.lower, COMMITMENT.findall(text))]),
        promises=_unique([*found.said["promise"], *map(str.lower, PROMISE.findall(text))]),
        games=_unique([*found.said["game"], *(match[1] for line in rest if (match := _HEADING.match(line)))]),
        beginnings=_unique(found.said["beginning"]),
        begun=tuple(found.begun),
        left_out=tuple(found.left_out),
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


def _lines(name: str, data: bytes, left_out: dict[str, None]) -> Iterator[str]:
    """Yield the lines of a text, or those of all mails in it; add what cannot be read to ``left_out``."""
    from adjudicator.library.texts import submissions
    from adjudicator.mail.mailboxes import is_mbox
    from adjudicator.mail.recognize import is_mail

    if len(data) > _LARGEST:
        raise CannotRead(name, f"the text is too large: it has {len(data):,} bytes, and the limit is {_LARGEST:,}")
    if is_mbox(data) or is_mail(data, is_named_so=name.lower().endswith(".eml")):
        for mail in submissions(name, data):
            left_out.update(dict.fromkeys(mail.left_out))
            if why := mail.skipped or (mail.problem.message if mail.problem else ""):
                left_out[f"{mail.source}: {why}"] = None
            yield from mail.lines
            yield ""
    else:
        yield from lines_of(decode(data) if len(data) <= MOST_BYTES else data.decode("utf-8", "replace"))


def _place_words(place: Sequence[str]) -> str:
    return ".".join(filter(None, place[:_DEPTH]))


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


class _Found:
    """The published facts in the JSON of the text ``name``, anywhere in it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.heads: list[Head] = []
        self.runs: list[list[Row]] = []
        """The rows of logs, in a new run wherever another document or another log begins."""
        self.begun: list[Row] = []
        self.said: dict[str, list[str]] = {"game": [], **{name: [] for name in _HASHES}}
        self.left_out: dict[str, None] = {}

    def take_json(self, lines: Sequence[str]) -> list[str]:
        """Read the JSON in ``lines``, as a whole or line by line, and return the other lines."""
        first = next((line for line in lines if line.strip()), "")
        if first[:1] in ("{", "[") and self._take("\n".join(lines)):
            return []
        return [line for line in lines if not (line.startswith("{") and self._take(line))]

    def refuse(self, words: str) -> NoReturn:
        """Raise ``Untrusted`` for this text."""
        raise Untrusted(self._name, [Violation("$", words)], "this text cannot be compared")

    def _take(self, text: str) -> bool:
        try:
            data = json.loads(text, object_pairs_hook=self._object)
        except (ValueError, RecursionError):
            return False
        is_row = isinstance(data, dict) and data.keys() >= _ROW
        self.runs += [] if is_row else [[]]
        left: list[tuple[Any, tuple[str, ...]]] = [(data, ())]
        while left:  # no recursion: the text may be nested as deeply as a parser allows
            value, place = left.pop()
            if isinstance(value, dict) and value:
                # The orders that a trial accepts were never applied.
                is_trial = value.get("changed") is False and "accepted" in value
                taken = set[str]() if is_trial else self._look(value)
                rest = [(value[name], (*place, name)) for name in value if name not in taken]
                left += [] if is_trial else rest[::-1]
                self.left_out.update({_place_words(inner): None for _, inner in rest if is_trial})
            elif isinstance(value, list) and value:
                whole = (*place, *[""] * _DEPTH) if place else place  # a list is one part, whatever is in it
                left += [(one, whole) for one in reversed(value)]
            else:
                self.left_out[_place_words(place) or "a value without a name"] = None
        self.runs += [] if is_row else [[]]
        return True

    def _object(self, pairs: list[tuple[str, Any]]) -> Row:
        """Return an object of JSON. One with a name twice says one thing to this program, and another one to others."""
        made = dict(pairs)
        if len(made) < len(pairs):
            self.refuse("a name stands twice in one object of its JSON")
        return made

    def _look(self, value: Row) -> set[str]:
        """Take the facts in ``value``, and return the names of those that are compared."""
        taken, n, proof = set[str](), value.get("n"), value.get("proof")
        if "proof" in value:
            if type(n) is not int or n < 0:
                self.refuse("a proof has no number of its entry")
            if not (isinstance(proof, str) and _DIGEST.fullmatch(proof)):
                self.refuse(f"the proof of entry {n} is not 64 digits 0–9 and a–f: {str(proof)[:_SHOWN]}")
            # The moderator's rows have the players' number too, except those of skipped orders.
            known = value["public"].get("n") if isinstance(value.get("public"), dict) else n
            if type(known) is int and not value.get("skipped"):
                self.heads.append(Head(known, proof))
            taken |= {"n", "proof"}
        if type(n) is int and n >= 0 and value.keys() >= _ROW and isinstance(value["order"], str):
            if not self.runs or (self.runs[-1] and n < self.runs[-1][-1]["n"]):
                self.runs.append([])
            self.runs[-1].append(value)
            taken |= _FIELDS
        for name in _HASHES:
            if (hash_ := value.get(name)) is not None:
                if not (isinstance(hash_, str) and _DIGEST.fullmatch(hash_)):
                    self.refuse(f"the {name} is not 64 digits 0–9 and a–f: {str(hash_)[:_SHOWN]}")
                self.said[name].append(hash_)
                taken.add(name)
        if isinstance(value.get("game"), str) and not value.keys().isdisjoint(("begun", "head", "turn", "version")):
            self.said["game"].append(value["game"])
            taken.add("game")
        if isinstance(value.get("begun"), dict):
            begun: Row = value["begun"]
            self.begun.append(begun)
            self._look(begun)
            taken.add("begun")
        return taken
