"""Read the commands that players write in their mails, each on a separate line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Final

from adjudicator.core.phrases import PLEASE
from adjudicator.core.values import Value, replace
from adjudicator.library.texts import own_lines

_MOST: Final = 20
"""The most commands of one mail that the club carries out."""
_LONGEST: Final = 300
_LONGEST_MESSAGE: Final = 10_000
"""The most characters of the line of a command; some mail programs send a paragraph as one line."""
_TRIED: Final = PLEASE | {
    "only",
    "my",
    "the",
    "these",
    "this",
    "orders",
    "order",
    "moves",
    "turn",
    "sheet",
    "mail",
    "of",
    "for",
    "me",
}
"""Words that may follow PREVIEW."""
_MARKS: Final = "*_[](){}<>`\"'•–“”„‘’«» -"
"""Signs of lists and emphasis around a command."""
_QUOTED: Final = re.compile(r"\s*[>|]")
_SIGNATURE: Final = re.compile(r"-- ?")
_HOLIDAY: Final = re.compile(r"(?i)HOLIDAY\s+(?:from\s+)?(\d{4}-\d\d-\d\d)\s*(?:to|until|-|–)\s*(\d{4}-\d\d-\d\d)\.?")
_NAME: Final = r"(?!(?:to|and|anonymous(?:ly)?)\b)[^\W\d]\w{0,23}"
_AND: Final = r"\s*(?:,|&|\band\b)\s*"
_TO: Final = r"(?i)MESSAGE\s+(anonymous(?:ly)?\s+)?(?:to\s+)?"
_MESSAGE: Final = (
    re.compile(rf"{_TO}({_NAME}(?:{_AND}{_NAME}){{0,30}})\s*(?::\s*(.*))?"),
    re.compile(rf"{_TO}({_NAME})\s++(?!\W*anonymous|and\b|[,&])(.*)"),
)
"""The line of a message: several names need the colon, so that no word of a text is taken for a name, or a name for text."""
_HINT_OF_MESSAGE: Final = (
    "write a message like MESSAGE to blue: or MESSAGE anonymous to blue, green: and the text below it, up to a line END"
)
_RULES: Final = re.compile(r"(?i)RULES?\b\s*(.{0,80})")
_VOTE: Final = re.compile(r"(?i)VOTE\s+(?:for\s+)?(draw|undo)\.?")
_END: Final = re.compile(r"(?i)END\.?")
_JOIN: Final = re.compile(r"(?i)JOIN(?:\s+([a-z0-9][\w.-]{0,79}?)(?:\s+as\s+([a-z]\w{0,23}))?)?\.?")
_LEAVE: Final = re.compile(r"(?i)LEAVE(?:\s+([a-z0-9][\w.-]{0,79}?))?\.?")
_STANDIN: Final = re.compile(r"(?i)STANDIN(?:\s+([a-z0-9][\w.-]{0,79}?))\.?")
_WHO: Final = re.compile(r"(?i)WHO\s+([^?]{1,40})")
_REGISTER: Final = re.compile(r"(?i)REGISTER\s+([^?]{1,80})")
_NEW: Final = re.compile(r"(?i)NEW\s+([a-z0-9][\w.-]{0,79})((?:\s+[a-z][\w-]{0,23}[<>]?=[\w.:-]{1,40}){0,20})")
_WAIT: Final = re.compile(r"(?i)WAIT\s+(?:for|until|till)\s+(?:the\s+)?deadline[.!]?")
_SET: Final = re.compile(r"(?i)SET\s+([a-z]{1,20})\s*=\s*(.{1,254})")


class Preview(Value):
    """PREVIEW: test the orders of this mail, and do not keep them."""


class Status(Value):
    """STATUS: show the position as the seat may see it."""


class Resend(Value):
    """RESEND: send another copy of the last report."""


class RulesRequest(Value):
    """RULES: show a rule by its number or by a word in it; ``wanted`` is empty for all rules."""

    wanted: str


class Help(Value):
    """HELP: explain how to write to the club."""


class Holiday(Value):
    """HOLIDAY first to last: no orders of the seat are due on these days."""

    first: date
    last: date


class Resign(Value):
    """RESIGN: the player gives the seat up."""


class Message(Value):
    """MESSAGE to seats, to `all` or to the `moderator`: a text of the player; if it ``is_anonymous``, without their name.

    ``below`` is the line after its end, if it may be meant as a part of it.
    """

    to: tuple[str, ...]
    text: str
    is_anonymous: bool = False
    below: str = ""


class Vote(Value):
    """VOTE draw, VOTE undo: a motion that needs the votes of all players."""

    motion: str


class Games(Value):
    """GAMES: list the games of the club, and those that people can join."""


class Join(Value):
    """JOIN a waiting list (the ``wanted`` ruleset), or a free ``seat`` of the ``wanted`` game; empty: not said."""

    wanted: str = ""
    seat: str = ""


class Leave(Value):
    """LEAVE a waiting list (the ``wanted`` ruleset), or all (empty)."""

    wanted: str = ""


class Who(Value):
    """WHO: show a member and their games."""

    name: str


class Register(Value):
    """REGISTER: take a name as a member of the club."""

    name: str


class New(Value):
    """NEW: propose a game of a ruleset; ``choices`` are pairs of name and value, such as players and deadline."""

    ruleset: str
    choices: tuple[tuple[str, str], ...]


class StandIn(Value):
    """STANDIN: offer to take over a seat of a ``game`` that has no player."""

    game: str


class Set(Value):
    """SET: change a setting of the member."""

    name: str
    value: str


class Wait(Value):
    """WAIT FOR DEADLINE: adjudicate this turn no earlier; NOWAIT takes this back (not ``is_on``).

    WAIT alone is an order of a game.
    """

    is_on: bool


class Unclear(Value):
    """A line that begins like a command but is not one; ``hint`` shows how to write it."""

    line: str
    hint: str


MemberCommand = Games | Join | Leave | Who | Register | New | StandIn | Set
"""A command that concerns the club, not a game."""
SeatCommand = Preview | Status | Resend | RulesRequest | Help | Holiday | Resign | Message | Vote | Wait
"""A command that concerns a game; some concern the club, too."""
Command = SeatCommand | Unclear | MemberCommand


class Commands(Value):
    """The commands of a mail in their order, and its lines, in which blank lines replace the commands."""

    commands: tuple[Command, ...]
    lines: tuple[str, ...]


def commands_in(lines: Sequence[str], has_orders: Callable[[list[str]], bool] = lambda _lines: False) -> Commands:
    """Return the commands in the ``lines`` of a mail, above the mail that it quotes.

    ``has_orders`` tells whether lines below a message look like orders.
    """
    found: list[Command] = []
    own, left = own_lines(lines), list(lines)
    at = 0
    while at < len(own):
        line = own[at].strip()
        if _SIGNATURE.fullmatch(own[at]):
            break
        longest = _LONGEST_MESSAGE if line[:7].upper() == "MESSAGE" else _LONGEST
        command = None if _QUOTED.match(line) or len(line) > longest else _command(line)
        until = at + 1
        if isinstance(command, Message):
            until, text, below = _text_of(own, at, command.text, has_orders)
            command = replace(command, text=text, below=below)
        elif isinstance(command, Unclear) and command.hint == _HINT_OF_MESSAGE:
            until, _, _ = _text_of(own, at, "", lambda _lines: False)  # its text has no orders, either
        if command is not None and len(found) < _MOST:
            found.append(command)
            left[at:until] = [""] * (until - at)
        at = until
    return Commands(tuple(found), tuple(left))


def without_quotes(lines: Sequence[str]) -> Iterator[str]:
    """Yield the ``lines`` that the sender of a mail wrote: those above earlier mails, without quotes."""
    return (line for line in own_lines(lines) if not _QUOTED.match(line))


def _command(line: str) -> Command | None:
    """Return the command on ``line``, perhaps after “please”, in the usual marks of lists and emphasis."""
    bare = line.lstrip(_MARKS)
    bare = line if bare == line else bare.rstrip(_MARKS)
    first, _, rest = bare.partition(" ")
    if rest and first.strip(".,!").casefold() in PLEASE:
        bare = rest.lstrip()
    word = next(iter(bare.split(maxsplit=1)), "")  # a line may consist of marks and of controls that count as blanks
    read = _WORDS.get(word.rstrip(".,:!?").upper())
    return None if read is None else read(bare)


def _holiday(line: str) -> Command | None:
    hint = "write a holiday like HOLIDAY 2026-12-20 to 2027-01-03"
    found = _HOLIDAY.fullmatch(line)
    if found is None:
        return Unclear(line, hint)
    try:
        first, last = date.fromisoformat(found[1]), date.fromisoformat(found[2])
    except ValueError:
        return Unclear(line, f"{hint}; one of these days does not exist")
    return Holiday(first, last) if first <= last else Unclear(line, f"{hint}, with the first day first")


def _message(line: str) -> Command | None:
    found = next(filter(None, (form.fullmatch(line) for form in _MESSAGE)), None)
    if found is None:
        return Unclear(line, _HINT_OF_MESSAGE)
    names = dict.fromkeys(re.split(_AND, found[2].lower()))
    return Message(tuple(names), found[3] or "", is_anonymous=bool(found[1]))


def _rules(line: str) -> Command | None:
    found = _RULES.fullmatch(line)
    return RulesRequest(found[1].strip(" :.")) if found else None


def _vote(line: str) -> Command | None:
    found = _VOTE.fullmatch(line)
    return Vote(found[1].lower()) if found else Unclear(line, "write VOTE draw or VOTE undo")


def _matched(form: re.Pattern[str], make: Callable[..., Command]) -> Callable[[str], Command | None]:
    """Return the reader of a command of this ``form``, whose groups it gives to ``make``; other lines may be prose."""

    def read(line: str) -> Command | None:
        found = form.fullmatch(line)
        return None if found is None else make(*((group or "").strip(" .") for group in found.groups()))

    return read


def _new(ruleset: str, choices: str) -> New:
    pairs = (choice.partition("=") for choice in choices.lower().split())
    return New(ruleset.lower(), tuple((name, value) for name, _, value in pairs))


def _alone(command: Command) -> Callable[[str], Command | None]:
    """Return the reader of a command without further words except “please”: a longer line may be prose or an order."""
    return lambda line: command if all(word.strip(".,!?").casefold() in PLEASE for word in line.split()[1:]) else None


def _preview(line: str) -> Command | None:
    """Return the wish for a preview; the words after it may only say what to preview."""
    return Preview() if all(word.strip(".,!:").casefold() in _TRIED for word in line.split()[1:]) else None


def _resign(line: str) -> Command | None:
    """Return the wish to resign; “Resign?” is none."""
    return None if "?" in line else _alone(Resign())(line)


_WORDS: Final[dict[str, Callable[[str], Command | None]]] = {
    "PREVIEW": _preview,
    "STATUS": _alone(Status()),
    "RESEND": _alone(Resend()),
    "HELP": _alone(Help()),
    "RESIGN": _resign,
    "RULE": _rules,
    "RULES": _rules,
    "HOLIDAY": _holiday,
    "MESSAGE": _message,
    "VOTE": _vote,
    "WAIT": _matched(_WAIT, lambda: Wait(is_on=True)),
    "NOWAIT": _alone(Wait(is_on=False)),
    "GAMES": _alone(Games()),
    "JOIN": _matched(_JOIN, lambda wanted, seat: Join(wanted, seat.lower())),
    "LEAVE": _matched(_LEAVE, Leave),
    "WHO": _matched(_WHO, Who),
    "REGISTER": _matched(_REGISTER, Register),
    "NEW": _matched(_NEW, _new),
    "STANDIN": _matched(_STANDIN, StandIn),
    "SET": _matched(_SET, lambda name, value: Set(name.lower(), value)),
}


def _text_of(lines: Sequence[str], at: int, first: str, has_orders: Callable[[list[str]], bool]) -> tuple[int, str, str]:
    """Return the end of a message that begins on line ``at`` with the words ``first``, its text, and the line below it.

    With END, the text is all above it, unless that ``has_orders``; next to words on the first line, it has no blank line.
    Without END, it is the rest of the first line, or else the lines below, up to a blank one. Quotes and the next message
    end it. The line below is empty if it is no text of the sender.
    """
    stop = next((number for number in range(at + 1, len(lines)) if _ends_text(lines[number])), len(lines))
    blank = next((number for number in range(at + 1, stop) if not lines[number].strip()), stop)
    end = next((number for number in range(at + 1, blank if first else stop) if _END.fullmatch(lines[number].strip())), None)
    if end is not None and not has_orders(list(lines[at + 1 : end])):
        return end + 1, _joined(first, lines[at + 1 : end]), ""
    begin = until = at + 1
    if not first:
        begin = next((number for number in range(at + 1, stop) if lines[number].strip()), stop)
        until = next((n for n in range(begin, stop) if not lines[n].strip() or _END.fullmatch(lines[n].strip())), stop)
    text = _joined(first, lines[begin:until])
    until += until < stop and not first and bool(lines[until].strip())  # END
    below = lines[at + 1 : min(stop, at + 2)] if first else [line for line in lines[until:stop] if line.strip()][:1]
    return until, text, "".join(below).strip()


def _ends_text(line: str) -> bool:
    """Return whether a line ends the text of a message above it: a quote, a signature, or the next message."""
    is_message = line.lstrip()[:7] == "MESSAGE" and isinstance(_command(line.strip()), Message)
    return bool(_QUOTED.match(line) or _SIGNATURE.fullmatch(line)) or is_message


def _joined(first: str, lines: Sequence[str]) -> str:
    return "\n".join([*([first] if first else []), *lines]).strip()
