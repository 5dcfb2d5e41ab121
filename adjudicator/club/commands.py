"""Commands that players write in their mails besides orders: each on a line of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Final

from adjudicator.core.frozen import frozen

_MOST: Final = 20
"""Commands of one mail that are heeded."""
_QUOTED: Final = re.compile(r"\s*[>|]")
_EARLIER: Final = re.compile(r"(?i)\s*(-{2,}\s*original message|on .{5,300} wrote:|from: .+)")
_SIGNATURE: Final = re.compile(r"-- ?")
_HOLIDAY: Final = re.compile(r"(?i)HOLIDAY\s+(?:from\s+)?(\d{4}-\d\d-\d\d)\s*(?:to|until|-|–)\s*(\d{4}-\d\d-\d\d)\.?")
_MESSAGE: Final = re.compile(r"(?i)MESSAGE\s+(?:to\s+)?([a-z][a-z0-9_]{0,23})\s*:?\s*(.*)")
_RULES: Final = re.compile(r"(?i)RULES?\b\s*(.{0,80})")
_VOTE: Final = re.compile(r"(?i)VOTE\s+(?:for\s+)?(draw|undo)\.?")
_END: Final = re.compile(r"(?i)END\.?")


@frozen
class Preview:
    """PREVIEW: say what would come of the orders, and do not keep them."""


@frozen
class Status:
    """STATUS: say how the game stands, and of whom orders are missing."""


@frozen
class Resend:
    """RESEND: send the last report once more."""


@frozen
class RulesAsked:
    """RULES: say a rule by its number or by a word; ``wanted`` is empty for all."""

    wanted: str


@frozen
class Help:
    """HELP: say how to write."""


@frozen
class Holiday:
    """HOLIDAY first to last: nothing is due from the seat on these days."""

    first: date
    last: date


@frozen
class Resign:
    """RESIGN: the player gives the seat up."""


@frozen
class Message:
    """MESSAGE to a seat, to `all` or to the `moderator`: press, in the words of the player."""

    to: str
    text: str


@frozen
class Vote:
    """VOTE draw, VOTE undo: what the table is to agree on."""

    motion: str


@frozen
class Unclear:
    """A line that begins as a command and is none; ``hint`` says how it is written."""

    line: str
    hint: str


Command = Preview | Status | Resend | RulesAsked | Help | Holiday | Resign | Message | Vote | Unclear


@frozen
class Commands:
    """The commands of a mail in their order, and its lines without them: blank where one stood, so that places stay."""

    commands: tuple[Command, ...]
    lines: tuple[str, ...]


def commands_in(lines: Sequence[str]) -> Commands:
    """Return what commands stand in the ``lines`` of a mail, above what it quotes."""
    found: list[Command] = []
    left = list(lines)
    at = 0
    while at < len(left):
        line = left[at].strip()
        if _EARLIER.match(line) or _SIGNATURE.fullmatch(left[at]):
            break
        command = None if _QUOTED.match(line) or len(line) > 300 else _command(line)
        until = at + 1
        if isinstance(command, Message):
            until, text = _text_below(left, at, command.text)
            command = Message(command.to, text)
        if command is not None and len(found) < _MOST:
            found.append(command)
            left[at:until] = [""] * (until - at)
        at = until
    return Commands(tuple(found), tuple(left))


def unquoted(lines: Sequence[str]) -> Iterator[str]:
    """Yield the ``lines`` of a mail that its sender wrote: those above earlier mails, without quotes."""
    for line in lines:
        if _EARLIER.match(line):
            return
        if not _QUOTED.match(line):
            yield line


def _command(line: str) -> Command | None:
    word = line.split(maxsplit=1)[0].rstrip(".:!").upper() if line else ""
    read = _WORDS.get(word)
    return None if read is None else read(line)


def _holiday(line: str) -> Command | None:
    hint = "a holiday is written like HOLIDAY 2026-12-20 to 2027-01-03"
    found = _HOLIDAY.fullmatch(line)
    if found is None:
        return Unclear(line, hint)
    try:
        first, last = date.fromisoformat(found[1]), date.fromisoformat(found[2])
    except ValueError:
        return Unclear(line, f"{hint}; this is no day of the calendar")
    return Holiday(first, last) if first <= last else Unclear(line, f"{hint}: the first day comes first")


def _message(line: str) -> Command | None:
    found = _MESSAGE.fullmatch(line)
    if found is None:
        return Unclear(line, "a message is written like MESSAGE to blue: and below it the text, up to END")
    return Message(found[1].lower(), found[2])


def _rules(line: str) -> Command | None:
    found = _RULES.fullmatch(line)
    return RulesAsked(found[1].strip(" :.")) if found else None


def _vote(line: str) -> Command | None:
    found = _VOTE.fullmatch(line)
    return Vote(found[1].lower()) if found else Unclear(line, "a vote is VOTE draw or VOTE undo")


def _alone(command: Command) -> Callable[[str], Command | None]:
    """Return what reads a command that stands alone on its line: with more words it may be prose, or an order."""
    return lambda line: command if len(line.split()) == 1 else None


_WORDS: Final[dict[str, Callable[[str], Command | None]]] = {
    "PREVIEW": _alone(Preview()),
    "STATUS": _alone(Status()),
    "RESEND": _alone(Resend()),
    "HELP": _alone(Help()),
    "RESIGN": _alone(Resign()),
    "RULE": _rules,
    "RULES": _rules,
    "HOLIDAY": _holiday,
    "MESSAGE": _message,
    "VOTE": _vote,
}


def _text_below(lines: Sequence[str], at: int, first: str) -> tuple[int, str]:
    """Return where a message ends that begins on line ``at`` with the words ``first``, and its text: up to END."""
    end = at + 1
    while end < len(lines) and not _END.fullmatch(lines[end].strip()):
        if _QUOTED.match(lines[end]) or _EARLIER.match(lines[end]) or _SIGNATURE.fullmatch(lines[end]):
            return end, _joined(first, lines[at + 1 : end])
        end += 1
    return min(end + 1, len(lines)), _joined(first, lines[at + 1 : end])


def _joined(first: str, lines: Sequence[str]) -> str:
    return "\n".join([*([first] if first else []), *lines]).strip()
