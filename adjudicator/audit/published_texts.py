"""Read what was published of a game as people have saved it: reports, logs and receipts as text or JSON, or in mails."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn

from adjudicator.core.chance import Head
from adjudicator.core.problem import Violation
from adjudicator.core.values import defaults_of
from adjudicator.files.errors import CannotRead, Untrusted
from adjudicator.files.reading import read
from adjudicator.library.texts import submissions
from adjudicator.mail.mailbox import is_mail, is_mbox
from adjudicator.orders.submission import MOST_BYTES, NotTextError, decode, lines_of
from adjudicator.reports.heading import COMMITMENT, HEAD, PROMISE
from adjudicator.results import LogRow

_QUOTE: Final = re.compile(r"^(?:[ \t]?[>|] ?)+")
_HEADING: Final = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]{0,79}) · .* · (?:turn [0-9]+|over) · components ", re.MULTILINE)
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_PROOF: Final = re.compile(r"\b(head +[0-9]{1,9}|commitment|promise)\s+(?=[A-Za-z]*[0-9])([0-9A-Za-z]{16,})", re.IGNORECASE)
"""What a text has in the place of a hash: a word without a digit is prose."""
_PART: Final = re.compile(r"[0-9a-f]{1,64}", re.IGNORECASE)
"""A hash, or the part of one that a mail program has left on its line."""
_FIELDS: Final = set(LogRow.__struct_fields__) - {"begun"}
_ROW: Final = _FIELDS - defaults_of(LogRow).keys()
HASHES: Final = ("commitment", "promise", "beginning")
_TEXT: Final = "its text (give the JSON of a log: `adjudicator log --json`)"
_DEPTH: Final = 2
"""The number of names in the path of a part of JSON."""
_MOST_FILES: Final = 10_000
_SHOWN: Final = 80
_LARGEST: Final = 64_000_000
"""The limit in bytes for one text."""

Row = dict[str, Any]


@dataclass(slots=True)
class PublishedText:
    """The published facts in one file: ``heads``, and logs as ``rows`` of JSON, in runs of entries.

    ``said`` has each commitment, promise, beginning (the hash of a heading) and game (its id) in it, and ``begun`` what it
    says of how the game began. ``is_named`` if the file itself was, and not only its folder. ``left_out`` names all the rest
    of it, which nothing is compared with.
    """

    name: str
    is_named: bool
    heads: dict[Head, None] = field(default_factory=dict)
    rows: list[list[Row]] = field(default_factory=list)
    said: dict[str, dict[str, None]] = field(default_factory=lambda: {name: {} for name in (*HASHES, "game")})
    begun: list[Row] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)

    @property
    def says_something(self) -> bool:
        """Whether the text contains anything that a game can be compared with."""
        return bool(self.heads or self.rows or any(self.said[name] for name in HASHES))

    def lines_in(self, data: bytes) -> Iterator[str]:
        """Yield the lines of the text in ``data``, or those of all mails in it. Raises ``NotTextError``."""
        if not is_mbox(data) and not is_mail(data, is_named_so=self.name.lower().endswith(".eml")):
            yield from lines_of(decode(data) if len(data) <= MOST_BYTES else data.decode("utf-8", "replace"))
            return
        for mail in submissions(self.name, data):
            self.left_out.update(dict.fromkeys(mail.left_out))
            if why := mail.skipped or (mail.problem.message if mail.problem else ""):
                self.left_out[f"{mail.source}: {why}"] = None
            yield from mail.lines
            yield ""

    def take(self, lines: Sequence[str]) -> None:
        """Take the facts in the JSON of ``lines``, as a whole or line by line, and in the text of the others."""
        first = next((line for line in lines if line.strip()), "")
        is_whole = first[:1] in ("{", "[") and self._take_json("\n".join(lines))
        text = "" if is_whole else "\n".join(line for line in lines if not (line.startswith("{") and self._take_json(line)))
        for what, digits in _PROOF.findall(text):
            if not _PART.fullmatch(digits):
                self._refuse(f"the hash after “{what}” is not hexadecimal digits, at most 64: {digits[:_SHOWN]}")
        if text.strip():
            self.left_out[_TEXT] = None
        self.heads.update({Head(int(n), proof.lower()): None for n, proof in HEAD.findall(text)})
        for name, pattern in (("commitment", COMMITMENT), ("promise", PROMISE)):
            self.said[name].update(dict.fromkeys(map(str.lower, pattern.findall(text))))
        self.said["game"].update(dict.fromkeys(_HEADING.findall(text)))
        self.rows = [run for run in self.rows if run]

    def _refuse(self, words: str) -> NoReturn:
        raise Untrusted(self.name, [Violation("$", words)], "this text cannot be compared")

    def _take_json(self, text: str) -> bool:
        """Take the facts in ``text``, wherever they are in it, and return whether it is JSON."""

        def group(pairs: list[tuple[str, Any]]) -> Row:
            made = dict(pairs)
            if len(made) < len(pairs):  # an object with a name twice says one thing to this program, and another to others
                self._refuse("a name appears twice in one object of its JSON")
            return made

        try:
            data = json.loads(text, object_pairs_hook=group)
        except (ValueError, RecursionError):
            return False
        is_row = isinstance(data, dict) and data.keys() >= _ROW
        self.rows += [] if is_row else [[]]
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
        self.rows += [] if is_row else [[]]
        return True

    def _look(self, value: Row) -> set[str]:
        """Take the facts in ``value``, and return the names of those that are compared."""
        taken, n = set[str](), value.get("n")
        for name in ("proof", *HASHES):
            if name in value and (value[name] is not None or name == "proof"):
                if not (isinstance(value[name], str) and _DIGEST.fullmatch(value[name])):
                    self._refuse(f"the {name} is not 64 digits 0–9 and a–f: {str(value[name])[:_SHOWN]}")
                taken.add(name)
                if name in HASHES:
                    self.said[name][value[name]] = None
        if "proof" in value:
            if type(n) is not int or n < 0:
                self._refuse("a proof has no number of its entry")
            # The moderator's rows of skipped orders have no number of the players.
            known = players_part(value).get("n")
            if type(known) is int and not value.get("skipped"):
                self.heads[Head(known, value["proof"])] = None
            taken.add("n")
        if type(n) is int and n >= 0 and value.keys() >= _ROW and isinstance(value["order"], str):
            if not self.rows or (self.rows[-1] and n < self.rows[-1][-1]["n"]):
                self.rows.append([])
            self.rows[-1].append(value)
            taken |= _FIELDS
        if isinstance(value.get("game"), str) and not value.keys().isdisjoint(("begun", "head", "turn", "version")):
            self.said["game"][value["game"]] = None
            taken.add("game")
        begun = value.get("begun")
        if isinstance(begun, dict):
            self.begun.append(begun)
            self._look(begun)
        return taken | {"begun"} if begun is None or isinstance(begun, dict) else taken


def players_part(row: Row) -> Row:
    """Return the number and the order of ``row`` as players know them, which the moderator has beside his own."""
    public = row.get("public")
    return public if isinstance(public, dict) else row


def _place_words(place: Sequence[str]) -> str:
    return ".".join(filter(None, place[:_DEPTH]))


def read_published(paths: Iterable[str | Path]) -> tuple[PublishedText, ...]:
    """Read the published logs, reports and receipts in the files and folders ``paths``, for ``audit_files``.

    Raises ``CannotRead``, and ``Untrusted`` for a proof or another hash that is none.
    """
    texts = list[PublishedText]()
    for number, (path, is_named) in enumerate(_files(map(str, paths))):
        if number == _MOST_FILES:
            raise Untrusted(path, [Violation("$", f"the limit is {_MOST_FILES:,} files")], "there are too many files")
        name, data = read(path)
        if len(data) > _LARGEST:
            raise CannotRead(name, f"the text is too large: it has {len(data):,} bytes, and the limit is {_LARGEST:,}")
        texts.append(found := PublishedText(name, is_named))
        try:
            lines = [_QUOTE.sub("", line, count=1) for line in found.lines_in(data)]
        except NotTextError as error:
            if is_named:
                raise Untrusted(name, [Violation("$", str(error))], "this is not a text") from None
            found.left_out = {"all of it: it is not a text": None}
        else:
            found.take(lines)
    return tuple(texts)


def _files(paths: Iterable[str]) -> Iterator[tuple[str, bool]]:
    for path in paths:
        if not os.path.isdir(path):
            yield path, True
            continue
        for folder, folders, names in os.walk(path):
            folders.sort()
            found = (os.path.join(folder, name) for name in sorted(names) if not name.startswith("."))
            yield from ((file, False) for file in found if os.path.isfile(file))
