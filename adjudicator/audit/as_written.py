"""Audit a game by the lines of its file: decide and write each entry again, and compare the bytes.

It says that a game is verified, or nothing: only where bytes differ a game is loaded and taken apart (``decide.py``), and
what is wrong is named there. So nothing is verified here that would not be verified there.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from adjudicator import rulesets
from adjudicator.audit.compare import Diverged
from adjudicator.audit.decide import (
    audit_entry,
    audit_heading,
    audit_pending,
    begun,
    close_order,
    decided_again,
    verdict,
    with_all_options,
)
from adjudicator.audit.progress import AuditProgress, Written
from adjudicator.audit.verdict import Verdict
from adjudicator.core.canonical import canonical_text
from adjudicator.core.ids import Seat
from adjudicator.core.problem import SetupError
from adjudicator.session import open_session
from adjudicator.store.written import WrittenGame, is_coherent, written_game

_ORDER: Final = re.compile(
    rb'\],"n":[0-9]{1,9},"notes":(\[\]|\[.*\]),"order":"([^"\\\x00-\x1f]{0,2000})","seat":"([^"\\\x00-\x1f]{1,80})"'
    rb',"turn":(0|[1-9][0-9]{0,8}),"written":(?:null|"([^"\\\x00-\x1f]{0,2000})")\}'
)
"""The part of an entry after its events, with texts and numbers in their only possible form."""
_LONGEST: Final = 2000
"""The largest number of characters of a line of text in a file (see ``Line`` in ``core/ids.py``)."""
_MODERATOR: Final = b',"seat":"moderator",'
_WORD: Final = b',"events":[{"kind":"word-sent"'


class _DifferentError(Exception):
    """Report that the file differs from what this program would write."""


def verified(data: bytes, source: str) -> Verdict | None:
    """Return the verdict on the game file ``data`` if the rules result in exactly these bytes, else ``None``."""
    try:
        has_others = _MODERATOR in data or _WORD in data
        written = written_game(data, _is_other if has_others else None)
        return None if written is None else _audited(written, source)
    except (Diverged, _DifferentError, SetupError):
        return None


def _audited(written: WrittenGame, source: str) -> Verdict | None:
    game = written.game
    if not rulesets.ruleset(game.ruleset.id).meta.can_decide(game.ruleset.version):
        return None
    session = open_session(with_all_options(game)).with_game(game)
    progress = begun(session)
    audit_heading(progress)
    for number, line in enumerate(written.lines):
        entry = written.entries.get(number)
        if entry is None:
            _audit_order(progress, number, line.text)
        elif entry.n == number:
            audit_entry(progress, entry)
        else:
            return None
    _require(game.state == progress.past[-1] and is_coherent(game, len(progress.past), progress.turn + 1))
    audit_pending(progress)
    return verdict(progress, source, None)


def _is_other(text: bytes) -> bool:
    """Return whether an entry is not an order."""
    return text.find(_MODERATOR, _tail_of(text)) >= 0 or _WORD in text[:60]


def _tail_of(text: bytes) -> int:
    """Return the position after the events; inside a text every quotation mark has a backslash."""
    return text.rfind(b'],"n":')


def _audit_order(progress: AuditProgress, number: int, text: bytes) -> None:
    """Decide the order with the canonical JSON ``text`` again, as entry ``number``. Raises ``Diverged`` and the like."""
    tail = _ORDER.fullmatch(text, _tail_of(text))
    if tail is None:
        raise _DifferentError
    notes, order, seat, turn, written = tail.groups()
    told = () if notes == b"[]" else _notes(notes)
    words = None if written is None else _text(written)
    said = Written(number, int(turn), Seat(_text(seat)), _text(order), words, told, (), 0)
    right, state = decided_again(progress, said)
    _require(right.order == said.order and right.written == said.written)
    _require(notes == b"[]" or canonical_text(told).encode() == notes)
    # All but the beginning is what it must be now: the rest was matched to its last byte.
    head = f'{{"drawn":{right.drawn},"events":{canonical_text(right.events)},"n":{number},"notes":'.encode()
    _require(len(head) == tail.start(1) and text.startswith(head))
    close_order(progress, right, right, state)


def _text(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise _DifferentError from error


def _notes(text: bytes) -> tuple[str, ...]:
    try:
        notes = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _DifferentError from error
    _require(all(type(note) is str and len(note) <= _LONGEST for note in notes))
    return tuple(notes)


def _require(is_so: Any) -> None:
    if not is_so:
        raise _DifferentError
