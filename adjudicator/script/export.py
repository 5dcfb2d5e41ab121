"""Write a game as a script: set-up, the secret or the recorded outcomes, orders and corrections."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from adjudicator.core.corrections import Amended, Correction, MissedDeadline, SeatHanded, Undone, WentOnHoliday
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.step import gist
from adjudicator.core.values import Value, canonical_text, json_value, replace
from adjudicator.library.game import Game
from adjudicator.orders.submission import clean
from adjudicator.script.play import play_script
from adjudicator.script.read import item_of
from adjudicator.store.game_file import is_shipped

_A_LINE: Final = 12
"""Outcomes of the set-up on one line."""
_MEMBER: Final = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)


class CannotExportError(AdjudicatorError):
    """Report why a game cannot be exported as a script."""


class ScriptExport(Value):
    """A game as a script: its ``text``, and the ``files`` to write beside it, which map names to bytes."""

    text: str
    files: Mapping[str, bytes]

    @classmethod
    def of(cls, game: Game, stem: str = "", *, with_secret: bool = False) -> ScriptExport:
        """Export ``game`` as a script that gives the same game again.

        The script contains the secret of chance, if there is one: it must be public unless you ask for it (``with_secret``).
        A custom component set and an explicit position become files named after the ``stem`` of the script's name (empty:
        the game can have neither). Raises ``CannotExportError``, also unless the script gives the same game again.
        """
        record, past = game.record, game.timeline.past
        if game.fork is not None:
            raise CannotExportError("it is a private game that goes on from another one, and a script begins at a set-up")
        if past.words_sent:
            raise CannotExportError("players sent words for chance during this game, and a script cannot hold them")
        if record.chance.source == "committed" and not with_secret and past.revealed is None:
            raise CannotExportError(
                "its script has the secret of chance, which is not published: if no one else will read the script, "
                "export it with the secret (--with-secret)"
            )
        setup, files = record.setup, dict[str, bytes]()  # what the script names: a custom component set, a position
        custom = None if is_shipped(game.rules, record.components) else setup.components
        for kind, part in (("components", custom), ("position", setup.position)):
            if part is not None and not stem:
                raise CannotExportError(
                    f"the {kind} of this game must go into a separate file: "
                    "write the script to a file, not to standard output"
                )
            if part is not None:
                files[f"{stem}.{kind}.json"] = (canonical_text(part) + "\n").encode()
        lines = [*_headings(game, files), *_turns(game)]
        left_out = [
            f"# This script leaves out the pending orders of {one.seat}: {len(one.orders)}." for one in record.pending
        ]
        exported = cls("\n".join([*left_out, *lines]) + "\n", files)
        with TemporaryDirectory() as folder:
            for name, data in files.items():
                Path(folder, name).write_bytes(data)
            played = play_script(exported.text, name="the script", folder=folder)
        if played.diagnostics:
            first = played.diagnostics[0]
            raise CannotExportError(
                f"line {first.line} of the script would be refused ({first.text.strip()}): {first.problem.message}"
            )
        plain = []  # entries and position, apart from the words of explanations in notes
        for one in (record, *([played.game.record] if played.game else ())):
            entries = [replace(link.entry, notes=tuple(map(gist, link.entry.notes))) for link in one.journal]
            plain.append((entries, replace(one.chance, secret=None), one.state))
        if plain[1:] != plain[:1]:
            raise CannotExportError(
                "the script would give another game: run `audit`, which says whether this one follows the rules"
            )
        return exported


def _headings(game: Game, files: Mapping[str, bytes]) -> Iterator[str]:
    record, components = game.record, game.record.components
    yield f"script {record.ruleset.id}"
    yield f"rules {record.ruleset.version}"
    yield f"id {record.id}"
    for player in record.setup.players:
        yield f"seat {player.seat}={_text(player.holder)}" if player.holder else f"seat {player.seat}"
    yield from (f"option {name}={_text(value)}" for name, value in record.setup.options.items())
    own = next((name for name in files if name.endswith(".components.json")), "")
    older = f"{components.id}-{components.version}"
    yield f"components {own or (older if older in game.meta.older_sets else components.id)}"
    yield from (f"position {name}" for name in files if name.endswith(".position.json"))
    chance = record.chance
    if chance.source == "committed":
        yield f"seed {chance.secret}"
        yield from (f"entropy {seat}={_text(word)}" for seat, word in chance.entropy.items())
        if chance.promised:
            yield f"promise {record.promise}"
        return
    drawn = (record.journal[0].entry.written or "[]")[1:-1].split()
    yield from (f"recorded {' '.join(drawn[at : at + _A_LINE])}" for at in range(0, len(drawn), _A_LINE))
    if not drawn:
        yield "recorded"


def _turns(game: Game) -> Iterator[str]:
    entries = [link.entry for link in game.record.journal]
    joins = {entry.n for entry in entries if getattr(entry.outside, "may_share_turn", False)}
    done = {entry.turn: entry.n for entry in entries if not entry.is_skipped and entry.n not in joins}
    for before, entry in pairwise(entries):
        # Skipped orders have the number of the adjudication before them: here they are a separate turn.
        is_apart = entry.n > done.get(entry.turn, entry.n) and (before.n == done[entry.turn] or before.seat != entry.seat)
        if entry.turn != before.turn or is_apart or joins & {before.n, entry.n}:
            yield f"turn {entry.turn}"
        event = entry.outside
        match event:
            case Undone(to=to):
                yield f"undo to {to}"
            case Amended(before=old, after=new):
                yield from (f"amend {assignment}" for assignment in _assignments(json_value(old), json_value(new)))
            case SeatHanded(seat=seat, holder=holder):
                yield f"seat {seat}={_text(holder)}"
            case MissedDeadline(seat=seat, due=due, policy=policy, missed=missed):
                yield f"nmr {seat} {policy} {missed} by {due}"
            case WentOnHoliday(seat=seat, first=first, last=last):
                yield f"holiday {seat} {first} to {last}"
            case Correction():
                yield "reveal"
            case _:
                if entry.comment:
                    yield f"comment: {_text(entry.comment)}"
                if entry.note:
                    yield f"note: {_text(entry.note)}"
                yield f"{entry.seat}: {entry.written or entry.order}"
        reason = getattr(event, "reason", "") if isinstance(event, Correction) else ""
        if reason:
            yield f"because {_text(reason)}"


def _assignments(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Yield ``PATH=VALUE`` for each part in which two plain values differ: as few and as small as possible, in order."""
    if isinstance(before, dict) and isinstance(after, dict):
        has_same_places = before.keys() == after.keys() and all(map(_MEMBER.fullmatch, after))
    else:
        is_list = isinstance(before, list) and isinstance(after, list) and len(before) == len(after)
        has_same_places = is_list and any(isinstance(item, dict | list) for item in after)
    if path and not has_same_places:
        yield f"{path}={_without_comments(canonical_text(after))}"
        return
    for key in after if isinstance(after, dict) else range(len(after)):
        old = before.get(key) if isinstance(before, dict) else before[key]
        if old != after[key]:
            inner = f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}" if path else key
            yield from _assignments(old, after[key], inner)


def _text(value: str) -> str:
    """Return ``value`` as written at the end of a line, in quotes where necessary."""
    item = item_of(1, f"because {value}")
    is_plain = item is not None and item.value == clean(value) == value and not value.startswith('"')
    return value if is_plain else _without_comments(json.dumps(value))


def _without_comments(written: str) -> str:
    """Return the JSON ``written`` with signs that begin a comment escaped; JSON has them only inside strings."""
    return written.replace("#", "\\u0023").replace(";", "\\u003b")
