"""The commands of mails: a table of patterns with the functions that carry them out, how lines are read, limits, and HELP.

`requests` fills the table: its functions get an ``Ask`` and the values of the pattern, and return a ``Reply``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

import adjudicator as adj
from adjudicator.club.club import WEB, Club, GameRow, MailRow, Person, SeatRow
from adjudicator.club.letters import template
from adjudicator.club.matters import note_use, uses
from adjudicator.club.settings import PeopleSettings
from adjudicator.core.phrases import PLEASE
from adjudicator.core.values import Value, digest
from adjudicator.library.texts import own_lines
from adjudicator.reports.texts import printable

_MOST: Final = 20
"""The most commands of one mail that the club carries out."""
_LONGEST: Final = 300
_LONGEST_TEXT: Final = 10_000
"""The most characters of the line of a command; some mail programs send a paragraph as one line."""
_MOST_UNREAD: Final = 20
"""The most mails without anything that can be read to which a person gets an answer within 24 hours."""
_MOST_ALIKE: Final = 5
"""The most remarks, or texts with mistakes that differ only in numbers, that get an answer within 24 hours."""
_MARKS: Final = "*_[](){}<>`\"'•–“”„‘’«» -"
"""Signs of lists and emphasis around a command."""
_QUOTED: Final = re.compile(r"\s*[>|]")
_SIGNATURE: Final = re.compile(r"-- ?")
_END: Final = re.compile(r"(?i)END\.?")
_TOKEN: Final = re.compile(r"\{\w+:\w+\}|[\[\]]|[^\s\[\]{}]+")
_NAME: Final = r"(?!(?:to|and|anonymous(?:ly)?)\b)[^\W\d]\w{0,23}"
_AND: Final = r"\s*(?:,|&|\band\b)\s*"
_NEAR, _APART = r"\s*", r"\s++"
_PAIR: Final = r"[a-z][\w-]{0,23}[<>]?=[\w.:-]{1,40}"


_KINDS: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    "date": (r"\d{4}-\d\d-\d\d", date.fromisoformat),
    "game": (r"[a-z0-9][\w.-]{0,79}?", str),
    "seat": (r"[a-z]\w{0,23}", str.lower),
    "word": (r"[a-z0-9][\w.-]{0,79}", lambda word: word.lower().strip(".")),
    "member": (r"[^?]{1,40}", lambda words: words.strip(" .")),
    "name": (r"[^?]{1,80}", lambda words: words.strip(" .")),
    "value": (r".{1,254}", lambda words: words.strip(" .")),
    "player": (_NAME, lambda name: (name.lower(),)),
    "players": (rf"{_NAME}(?:{_AND}{_NAME}){{0,30}}", lambda names: tuple(dict.fromkeys(re.split(_AND, names.lower())))),
    "anonymous": (r"anonymous(?:ly)?", bool),
    "text": (r".*", str),
    "prose": (r"(?!\W*anonymous|and\b|[,&]).*", str),
    "rest": (r"\b.{0,80}", lambda words: words.strip(" :.")),
    "motion": (r"draw|undo|extend|pause|resume|none", str.lower),
    "term": (
        r"(?:(?:by|until|till) +)?(?:\d{4}-\d\d-\d\d|\d{1,5} *(?:minute|hour|day|week)s?)",
        lambda words: re.sub(r"^(?:by|until|till) +", "", words.lower()),
    ),
    "no": (r"no", bool),
    "pairs": (
        rf"{_PAIR}(?:\s+{_PAIR}){{0,19}}",
        lambda words: dict(one.split("=", 1) for one in words.lower().rstrip(".").split()),
    ),
}
"""The kinds of values in patterns: their form, and how to read it."""


class Reply(Value):
    """The reply to a command; ``is_done`` says whether the club has carried it out.

    ``holds_orders`` says that it is a message, not sent, with what may be orders of the player.
    """

    text: str
    is_done: bool = True
    holds_orders: bool = False


class Ask(NamedTuple):
    """A command in a ``mail``, the ``number``-th in it: who asks, and in a player's mail of which game and seat.

    ``thread`` are the identifiers of the mails that an answer belongs to.
    """

    club: Club
    person: Person
    mail: MailRow
    thread: tuple[str, ...]
    row: GameRow | None = None
    seat: SeatRow | None = None
    game: adj.Game | None = None
    number: int = 0

    @property
    def key(self) -> str:
        """What the keys of letters and messages of this command have in common."""
        return f"{self.mail.identity}/{self.number}"

    @property
    def own(self) -> tuple[GameRow, SeatRow, adj.Game]:
        """The game and the seat of a player's mail."""
        assert self.row is not None
        assert self.seat is not None
        assert self.game is not None
        return self.row, self.seat, self.game


class Command:
    """A mail command, as a decorator of the function that carries it out."""

    def __init__(
        self,
        pattern: str,
        *,
        to: str,
        quota: str = "",
        seat_help: str = "",
        club_help: str = "",
        hint: str = "",
        has_text: bool = False,
        beside: Collection[str] = PLEASE,
        signs: str = ".,:!?",
    ) -> None:
        """Compile ``pattern``: words in any case, `[…]` is optional, `a|b` are alternatives, `{name:kind}` is a value.

        The function gets the values of the line by their names. ``to`` says which mails can have the command: "seat" (those
        of players), "club" (those of members) or both. ``quota`` names the limit in `[limits]` that counts it. ``seat_help``
        and ``club_help`` are its lines in HELP: `example | what it does`. A line that begins with its first word and has
        another form gets the ``hint``; without a hint, the line is prose. ``has_text`` says that lines below belong to it:
        the values `text` and `below`. After a pattern of one word, the line can have the words ``beside`` it, with ``signs``
        around them.
        """
        kinds, form, is_close = dict[str, str](), "", False
        for token in _TOKEN.findall(pattern):
            if token in "[]":
                form += "(?:" if token == "[" else ")?"
            elif token[0] == "{":
                name, kind = token[1:-1].split(":")
                kinds[name] = kind
                form += f"{'' if kind == 'rest' else _NEAR if is_close else _APART}(?P<{name}>{_KINDS[kind][0]})"
                is_close = False
            else:
                is_close = not token.split("|")[-1].isalpha()
                between = "" if not form.strip("(?:") else _NEAR if is_close else _APART
                form += f"{between}(?:{'|'.join(map(re.escape, token.split('|')))})"
        first, *more = pattern.split()
        self.parts = _TOKEN.findall(pattern)
        end = "" if has_text else "[.]?" if kinds else "[.!]?"
        if not more:
            end = rf"[{signs}]*(?:\s+[{signs}]*(?:{'|'.join(beside)})[{signs}]*)*"
        self.words, self.name, self.kinds = first.split("|"), first.split("|")[0], kinds
        self.form = re.compile(f"(?i){form}{end}")
        self.to, self.quota, self.hint, self.has_text = to.split(), quota, hint, has_text
        self.seat_help, self.club_help = seat_help, club_help

    def __call__(self, run: Callable[..., Reply]) -> Callable[..., Reply]:
        """Add the command, which the function ``run`` carries out, to the table."""
        self.run = run
        for word in self.words:
            _TABLE.setdefault(word, []).append(self)
        return run

    def values(self, line: str) -> dict[str, Any] | None:
        """Return the values in ``line``, which begins with a word of the command; ``None`` if it has another form."""
        found = self.form.fullmatch(line)
        if found is None:
            return None
        return {name: _KINDS[kind][1](found[name]) for name, kind in self.kinds.items() if found[name] is not None}


class Asked(NamedTuple):
    """A command on a ``line`` of a mail, with its values; or, with a ``hint``, a line that only begins like one."""

    command: Command
    line: str
    values: Mapping[str, Any]
    hint: str = ""


class Found(Value):
    """The commands of a mail in their order (``asks``), and its lines, in which blank lines replace them (``rest``)."""

    asks: tuple[Asked, ...]
    rest: tuple[str, ...]


_TABLE: Final[dict[str, list[Command]]] = {}
"""The commands by their first words."""
_HELP_FOR_MEMBERS: Final = "Commands for members of the club, each on a separate line:"


def read(lines: Sequence[str], *, has_orders: Callable[[list[str]], bool] = lambda _lines: False) -> Found:
    """Return the commands in the ``lines`` of a mail, above the mail that it quotes, and its other lines.

    ``has_orders`` tells whether lines below a message look like orders.
    """
    found = list[Asked]()
    own, rest = own_lines(lines), list(lines)
    at = 0
    while at < len(own):
        line = own[at].strip()
        if _SIGNATURE.fullmatch(own[at]):
            break
        asked, until = None if _QUOTED.match(line) else _read(line), at + 1
        if asked is not None and asked.command.has_text:
            are_orders = (lambda _lines: False) if asked.hint else has_orders  # a text without an addressee has none
            until, text, below = _text_of(own, at, asked.values.get("text", ""), are_orders)
            asked = asked._replace(values={**asked.values, "text": text, "below": below})
        if asked is not None and len(found) < _MOST:
            found.append(asked)
            rest[at:until] = [""] * (until - at)
        at = until
    return Found(tuple(found), tuple(rest))


def _read(line: str) -> Asked | None:
    """Return the command on ``line``, perhaps after “please”, in the usual marks of lists and emphasis."""
    bare = line.lstrip(_MARKS)
    bare = line if bare == line else bare.rstrip(_MARKS)
    first, _, rest = bare.partition(" ")
    if rest and first.strip(".,!").casefold() in PLEASE:
        bare = rest.lstrip()
    word = next(iter(bare.split(maxsplit=1)), "")  # a line may consist of marks and of controls that count as blanks
    known = _TABLE.get(word.rstrip(".,:!?").upper(), ())
    if not known or len(line) > (_LONGEST_TEXT if known[0].has_text else _LONGEST):
        return None
    for one in known:
        try:
            values = one.values(bare)
        except ValueError:  # of a date: any other value is right if it has the form
            return Asked(one, line, {}, f"{one.hint}; one of these days does not exist")
        if values is not None:
            return Asked(one, line, values)
    return Asked(known[0], line, {}, known[0].hint) if known[0].hint else None


def _text_of(lines: Sequence[str], at: int, first: str, has_orders: Callable[[list[str]], bool]) -> tuple[int, str, str]:
    """Return the end of a message that begins on line ``at`` with the words ``first``, its text, and the line below it.

    The text ends above a line END, unless the lines between look like orders (``has_orders``), or the first line has words
    and a blank line is between. Without such an END, the text is the rest of the first line, or else the lines below it, up
    to a blank one. Quotes and the next message end any text. The line below is empty if it is not the sender's text.
    """

    def ends_text(line: str) -> bool:
        asked = _read(line.strip()) if line.lstrip()[:7] == "MESSAGE" else None
        return bool(_QUOTED.match(line) or _SIGNATURE.fullmatch(line)) or (asked is not None and not asked.hint)

    def joined(below: Sequence[str]) -> str:
        return "\n".join([*([first] if first else []), *below]).strip()

    stop = next((number for number in range(at + 1, len(lines)) if ends_text(lines[number])), len(lines))
    blank = next((number for number in range(at + 1, stop) if not lines[number].strip()), stop)
    end = next((number for number in range(at + 1, blank if first else stop) if _END.fullmatch(lines[number].strip())), None)
    if end is not None and not has_orders(list(lines[at + 1 : end])):
        return end + 1, joined(lines[at + 1 : end]), ""
    begin = until = at + 1
    if not first:
        begin = next((number for number in range(at + 1, stop) if lines[number].strip()), stop)
        until = next((n for n in range(begin, stop) if not lines[n].strip() or _END.fullmatch(lines[n].strip())), stop)
    text = joined(lines[begin:until])
    until += until < stop and not first and bool(lines[until].strip())  # END
    below = lines[at + 1 : min(stop, at + 2)] if first else [line for line in lines[until:stop] if line.strip()][:1]
    return until, text, "".join(below).strip()


class Quota:
    """The requests that a seat or a member has left within 24 hours; the log counts them."""

    def __init__(self, club: Club, who: str) -> None:
        """Count the uses of ``who``, such as `seat/17/red` or `person/5`."""
        self._club, self._who = club, who

    def most(self, kind: str) -> int:
        """Return the limit of a ``kind`` of request, named as in the settings."""
        return int(getattr(self._club.settings.limits, kind))

    def left(self, kind: str) -> int:
        """Return how many requests of this ``kind`` are left."""
        return self.most(kind) - uses(self._club, self._who, kind)

    def take(self, kind: str) -> bool:
        """Count one request, if one is left; return whether it is."""
        may = self.left(kind) > 0
        if may:
            note_use(self._club, self._who, kind)
        return may

    def is_repeated(self, lines: Sequence[str], *, is_remark: bool) -> bool:
        """Record the text of a mail with no order and no command that can be read; return whether it gets no answer.

        A program that answers each letter would get another one each time. So within 24 hours, the club answers a text
        once. It answers a remark once also if only numbers differ, such as that of a case, and few such mails at all.
        """
        words = " ".join(line for line in own_lines(lines) if not _QUOTED.match(line)).casefold().split()
        shape = [word for word in words if not any(map(str.isdigit, word))]
        most = {f"text/{_hash(words)}": 1, f"shape/{_hash(shape)}": 1 if is_remark else _MOST_ALIKE}
        most |= {"unread": _MOST_UNREAD} | ({"remark": _MOST_ALIKE} if is_remark else {})
        is_known = any(uses(self._club, self._who, what) >= count for what, count in most.items())
        for what in most:
            note_use(self._club, self._who, what)
        return is_known


def _hash(words: Sequence[str]) -> str:
    return digest(" ".join(words).encode("utf-8", "surrogatepass"))


def carry_out(asks: Sequence[Asked], ask: Ask, quota: Quota | None) -> list[Reply]:
    """Carry out the commands of a mail in their order, within the ``quota``; return a reply to each.

    In a player's mail, those of members are only announced: call it again for them, without the game and the quota.
    """
    is_own, replies = ask.game is not None, list[Reply]()
    for number, one in enumerate(asks):
        kind = one.command.quota
        if one.hint:
            reply = Reply(printable(f"The club cannot read “{one.line[:80]}”. Please {one.hint}."), is_done=False)
        elif quota is not None and kind and not quota.take(kind):
            most = f"you can make {quota.most(kind)} requests of this kind within 24 hours"
            reply = Reply(f"The club has not done this: {most}. Please try again tomorrow.", is_done=False)
        elif ("seat" if is_own else "club") in one.command.to:
            person = ask.club.person(ask.person.id)  # a command above may have changed the name
            reply = one.command.run(ask._replace(number=number, person=person), **one.values)
        elif not is_own:
            reply = for_one_game(one.command.name)
        elif ask.club.settings.people.join:
            is_web = ask.mail.source == WEB  # a page has both answers
            reply = Reply("" if is_web else "The club answers your commands for members in a separate mail.")
        else:
            words = "the moderator decides who plays what. Please write `MESSAGE to moderator:` and your text."
            reply = Reply(f"In this club, {words}", is_done=False)
        replies.append(reply)
    return replies


def for_one_game(name: str) -> Reply:
    """Return the reply to the command ``name`` in a mail to the club that makes sense only in a mail of a game."""
    return Reply(f"{name} is for one game. Please answer a mail of that game.", is_done=False)


def help_text(people: PeopleSettings, *, is_for_seat: bool) -> str:
    """Return the answer to HELP in a player's mail or in one to the club: the commands in the order of their table."""
    commands, blocks = dict.fromkeys(one for known in _TABLE.values() for one in known), list[str]()

    def add(title: str, texts: Iterable[str]) -> None:
        lines = (line.partition(" | ") for text in texts for line in text.splitlines())
        blocks.append("\n".join([title, *(f"  {example:<34}  {words}" for example, _, words in lines)]))

    if is_for_seat:
        add(template("help")[2], (one.seat_help for one in commands))
    if people.join:
        add(_HELP_FOR_MEMBERS, (one.club_help for one in commands if people.new or one.name != "NEW"))
    return "\n\n".join(blocks)


_MARKED: Final = ("anonymous", "no")
"""Kinds of values that are one word, which is there or not."""
_LABELS: Final[Mapping[str, str]] = {
    "anonymous": "without my name",
    "first": "first day",
    "last": "last day",
    "ends": "no longer",
    "wanted": "which",
    "wish": "options",
    "term": "how long, or until when",
}
"""What fields of forms are called, if not as the values of patterns."""


class Field(Value, kw_only=True):
    """A value of a command in a form: its ``name`` and ``kind``, its ``label``, an ``example``, the possible ``choices``.

    Without ``is_required``, it can be left empty. ``kind`` is one of the kinds in patterns, or `text` for several lines.
    """

    name: str
    kind: str
    label: str
    example: str
    choices: tuple[str, ...]
    is_required: bool


class Form(Value, kw_only=True):
    """A command as a form: its ``name``, what it does in ``words``, and the ``fields`` for its values."""

    name: str
    words: tuple[str, ...]
    fields: tuple[Field, ...]


@cache
def _forms(to: str) -> dict[str, Command]:
    """Return the commands of ``to`` by the names of their forms: another one of a name has more words, as `HOLIDAY end`."""
    found = dict[str, Command]()
    for one in dict.fromkeys(command for known in _TABLE.values() for command in known if to in command.to):
        more = "" if one.kinds else " ".join(part.split("|")[0] for part in one.parts)
        found.setdefault(one.name if one.name not in found else more, one)
    return {name: one for name, one in found.items() if name}


@cache
def forms(to: str) -> tuple[Form, ...]:
    """Return the commands of ``to`` (`seat` or `club`) as forms, in the order of HELP."""
    return tuple(form_of(name, one, to) for name, one in _forms(to).items())


def form_of(name: str, command: Command, to: str) -> Form:
    """Return ``command`` as a form; lines of HELP, if possible that of ``to``, say what it does, and have examples."""
    said, found = list[str](), list[Mapping[str, Any]]()
    known = dict.fromkeys(one for commands in _TABLE.values() for one in commands)
    for which in sorted(("seat_help", "club_help"), key=lambda which: not which.startswith(to)):
        helps = [line for one in known for line in getattr(one, which).replace("\n | ", " ").splitlines()]
        for line in helps if not said else ():
            example, _, words = line.partition(" | ")
            first, *more = words.split("; ")
            own = [piece for piece in (*example.split(", "), *more) if f"{piece} ".startswith(f"{name} ")]
            found += filter(None, map(command.values, own))
            more = [piece for piece in more if piece.split(" ")[0] in _TABLE]  # others are about texts in mails
            if own and own[0] in more:  # the line of another command says it: the example, and then what it does
                example = next(filter(command.form.fullmatch, accumulate(own[0].split(), "{} {}".format)))
                found.append(command.values(example) or {})
                first, more = own[0].removeprefix(f"{example} "), []
            first = f"{example.removesuffix(': …')}: {first}" if said else first[:1].upper() + first[1:]
            said += ["; ".join([first, *more])] if own else []
    depth, required, text = 0, set[str](), "text" if command.has_text else ""
    for part in command.parts:
        depth += {"[": 1, "]": -1}.get(part, 0)
        required |= {part[1:-1].split(":")[0]} if part[0] == "{" and not depth else set()
    fields = []
    for key, kind in command.kinds.items():
        form, examples = _KINDS[kind][0], [_written(values[key]) for values in found if key in values]
        choices = form.split("|") if re.fullmatch(r"[a-z|]+", form) else ()
        if kind == "word" and len({*examples}) > 1:
            choices = list(dict.fromkeys(examples))
        fields.append(
            Field(
                name=key,
                kind="text" if key == text else kind,
                label=_LABELS.get(key, key),
                example=next(iter(examples), ""),
                choices=tuple(choices),
                is_required=(key in required and kind != "rest") or key == text,
            )
        )
    return Form(name=name, words=tuple(said), fields=tuple(fields))


def line_of(name: str, to: str, values: Mapping[str, str]) -> str:
    """Return the line of a mail, or lines, that give the command ``name`` with these ``values`` of its form.

    Raises ``ValueError`` if there is no such command, or if it cannot be read so; the message says what to write.
    """
    command = _forms(to).get(name)
    if command is None:
        raise ValueError("this is no command")
    given = {key: " ".join(values.get(key, "").split()) for key in command.kinds}
    text = "\n".join(values.get("text", "").strip().splitlines()) if command.has_text else ""
    given |= {"text": ""} if command.has_text else {}
    open_parts = [(list[str](), False)]  # the words of each part in brackets, and whether it has a value
    for part in command.parts:
        words, has_value = open_parts.pop()
        if part == "[":
            open_parts += [(words, has_value), ([], False)]
        elif part == "]":
            outer, outer_has = open_parts.pop()
            open_parts.append((outer + words if has_value else outer, outer_has or has_value))
        elif part[0] == "{":
            key, kind = part[1:-1].split(":")
            value = kind if given[key] and kind in _MARKED else given[key]
            open_parts.append((words + [value] * bool(value), has_value or bool(value)))
        else:
            open_parts.append(([*words, part.split("|")[0]], has_value))
    line = " ".join(open_parts[0][0])
    if command.has_text:
        ends = (
            _QUOTED.match,
            _SIGNATURE.fullmatch,
            lambda one: _END.fullmatch(one.strip()),
            re.compile(r"\s*MESSAGE").match,
        )
        own = [f"· {one}" if any(is_end(one) for is_end in ends) else one for one in text.split("\n")]
        line = "\n".join([f"{line}:", *own, "END"])
    asked = _read(line.partition("\n")[0])
    if asked is None or asked.hint or asked.command.name != command.name or bool(text) != command.has_text:
        raise ValueError((asked and asked.hint) or command.hint or "fill in all fields")
    return line


def _written(value: Any) -> str:
    """Return a value as it is written in a mail."""
    pairs = (f"{name}={words}" for name, words in value.items()) if isinstance(value, dict) else ()
    return ", ".join(value) if isinstance(value, tuple) else " ".join(pairs) or str(value)
