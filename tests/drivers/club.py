r"""Play a club by mail at times that a test says, from Python or as a *conversation*: a text that a moderator can read.

A file of ``tests/club/*.txt`` has conversations. Each begins with ``== TITLE`` and has statements; indented lines belong to
the statement above them, and ``#`` begins a comment. The club is the folder ``thursday``; ``ann`` is ``ann@example.org``,
and ``gm`` is the moderator::

    == An order with a mistake waits for a better mail
    from race
    mail red: GAER 1
    > red: race: your mail has a mistake
      None of your orders count yet
    > nothing else
    journal race:

``from NAME``
    Begin with a copy of the club at the end of the conversation NAME of ``clubs.txt``; without it, with an empty folder.
``each A | B``
    Below it, a row of values in each line: the conversation takes place once for each, with the value for ``{A}``. ``\n`` in
    a value begins a new line.
``at 2026-03-02 12:00``, ``wait 3 days``
    Set the clock (UTC), or let time pass. Nothing happens by itself.
``round``, ``round after 2 hours``, ``5 rounds after 1 day``
    Let time pass and do a round (``adjudicator club run thursday --once``); or several, each after this time. A round
    also takes place before ``>``, ``journal`` and ``matters`` if a mail has come since the last one.
``mail WHO: TEXT``, ``mail WHO (GAME): TEXT``, ``5 mails WHO: TEXT``
    Deliver a mail, or several, with their numbers for ``{n}``: answers to the newest letter with a token that WHO has got
    (about GAME; ``new``: no answers). Indented lines are more text; those that begin with ``@``, such as
    ``@Subject: orders``, are fields of the head.
``> WHO: SUBJECT``
    Exactly one letter with this subject (without its token; ``…`` stands for any words) has gone to WHO in the last rounds.
``> nothing``, ``> nothing else``, ``> nothing to WHO``
    No letter has gone out, or none but those that are named since the last round, or none to WHO.
``$ adjudicator WORDS``
    Run a command. It must exit with 0, or with 1 below ``exit 1``; with 2 or 3, it must have changed no file. A round takes
    these lines, too.
``in FILE``
    Change a file: in the place of lines that begin with ``-`` come those with ``+``; without ``-``, they come at its end.
    Other lines say what the file has.
``journal GAME: red GEAR 1; blue GEAR 1``
    The game has these orders, with their seats, and no others.
``matters:``
    ``club status`` lists so many matters for the moderator; each indented line is in one of them, in this order.
``let NAME = VALUE``
    Keep a value for ``{NAME}``. ``{tag WHO}`` (or ``{tag WHO GAME}``) is the token in WHO's newest letter (about GAME) as
    ``race/red#…``, ``{token WHO}`` its last part, ``{id WHO}`` the identifier of that letter, ``{seed}`` a seed,
    ``{examples}`` the folder of the examples.

Lines below a letter, a command or a file say what its text has, whatever its line breaks. Other lines begin with a sign:
``=`` the whole text, line by line; ``|`` lines as they are printed; ``!`` words that must not occur; ``~`` a regular
expression; ``@Field: words`` words of a field of the head.
"""

from __future__ import annotations

import atexit
import email
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import chdir
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from functools import cache, cached_property
from pathlib import Path

import pytest
from typer.testing import Result

import adjudicator as adj
from tests.drivers.commands import called

START = 1_772_452_800
"""Monday, 2 March 2026, noon UTC."""
HOUR, DAY = 3600, 24 * 3600
FOLDER = Path(__file__).parents[1] / "club"
TAG = re.compile(r"\[([\w-]+/[\w-]+)#(\w+)\]")
UNITS = {"second": 1, "minute": 60, "hour": HOUR, "day": DAY, "week": 7 * DAY}


def flat(text: str) -> str:
    """Return ``text`` with single blanks between its words."""
    return " ".join(text.split())


def address(who: str) -> str:
    return who if "@" in who else f"{who}@example.org"


@dataclass
class Letter:
    """A mail of the club: its head, recipient, subject without its tag, text, and the whole, which few tests parse."""

    data: bytes

    @cached_property
    def head(self) -> EmailMessage:
        return BytesHeaderParser(policy=policy.default).parsebytes(self.top)  # type: ignore[return-value]

    @cached_property
    def top(self) -> bytes:
        """The lines of the head."""
        return re.split(rb"\r?\n\r?\n", self.data, maxsplit=1)[0] + b"\n\n"

    def written(self, name: str) -> str:
        """Return a field of the head; the words of most are as they are written, which takes little time."""
        field = re.search(rb"^%s:(.*(?:\n[ \t].*)*)" % name.encode(), self.top, re.MULTILINE | re.IGNORECASE)
        assert field is not None, f"a letter without {name}"
        return str(self.head[name]) if b"=?" in field[1] else flat(field[1].decode())

    @cached_property
    def mail(self) -> EmailMessage:
        return email.message_from_bytes(self.data, policy=policy.default)  # type: ignore[return-value]

    @cached_property
    def to(self) -> str:
        return self.written("To").lower().removesuffix("@example.org")

    @cached_property
    def subject(self) -> str:
        return flat(re.sub(r"\[[^\]]*\]", "", self.written("Subject")))

    @property
    def text(self) -> str:
        body = self.mail.get_body(("plain",))
        assert body is not None
        return str(body.get_content()).replace("\r\n", "\n")

    @property
    def page(self) -> str:
        body = self.mail.get_body(("html",))
        assert body is not None
        return str(body.get_content()).replace("\r\n", "\n")


@dataclass
class Club:
    """The club ``top``/``thursday``, its clock, and what its players have got."""

    top: Path
    now: int = START
    number: int = 0
    seen: set[str] = field(default_factory=set)
    new: list[Letter] = field(default_factory=list)
    tags: dict[str, dict[str, str]] = field(default_factory=dict)
    """For each address, the tag and the identifier of the newest letter with a token: under ``""``, and under its game."""
    is_written_to: bool = False
    """Whether a mail has come since the last round."""

    @property
    def folder(self) -> Path:
        return self.top / "thursday"

    def copied(self, top: Path) -> Club:
        """Return a copy of the club in the folder ``top``, which may exist."""
        shutil.copytree(self.top, top, dirs_exist_ok=True)
        return Club(top, self.now, self.number, set(self.seen), [], deepcopy(self.tags))

    def command(self, *words: object, stdin: bytes = b"", code: int | None = 0) -> Result:
        """Run `adjudicator` with these ``words`` in the folder of the club, at its time; ``code`` must be its exit code."""
        arguments = [str(word) for word in words]
        with chdir(self.top), pytest.MonkeyPatch.context() as patch:
            patch.setattr("time.time", lambda: float(self.now))
            result = called(arguments, stdin)
        assert code is None or result.exit_code == code, f"exit {result.exit_code}: {result.output}"
        return result

    def club(self, task: str, *words: object, code: int | None = 0) -> Result:
        return self.command("club", task, "thursday", *words, code=code)

    def round(self, after: int = 0, code: int | None = 0) -> str:
        """Let time pass, do a round, and return what it printed; its letters are the ``new`` ones."""
        self.new = []
        return self.next_round(after, code)

    def next_round(self, after: int = 0, code: int | None = 0) -> str:
        """Do another round, and keep the letters of the one before as ``new`` ones."""
        self.now += after
        self.is_written_to = False
        result = self.club("run", "--once", code=code)
        self.read_letters()
        return result.output

    def read_letters(self) -> None:
        for path in sorted((self.folder / "outgoing").glob("*.eml"), key=lambda path: path.stat().st_mtime_ns):
            if path.name not in self.seen:
                self.seen.add(path.name)
                self.take(path.read_bytes())

    def take(self, data: bytes) -> None:
        """Let its player get a letter."""
        letter = Letter(data)
        self.new.append(letter)
        if found := TAG.search(letter.written("Subject")):
            known = {"tag": f"{found[1]}#{found[2]}", "id": letter.written("Message-ID")}
            got = self.tags.setdefault(letter.written("To").lower(), {})
            for game in ("", found[1].partition("/")[0]):
                got |= {f"{name} {game}": value for name, value in known.items()}

    def known(self, what: str, who: str, game: str = "") -> str:
        """Return the ``tag``, ``token`` or ``id`` of the newest letter to ``who``."""
        found = self.tags[address(who)][f"{'id' if what == 'id' else 'tag'} {game}"]
        return found.partition("#")[2] if what == "token" else found

    def mail(self, who: str, text: str, game: str = "", **head: str) -> bytes:
        """Deliver a mail of ``who``, an answer to the newest letter (about ``game``); an empty field is left out."""
        message = EmailMessage(policy.SMTP)
        self.number += 1
        fields = {"From": address(who), "To": "club@example.org", "Subject": "hello"}
        if game != "new" and f"tag {game}" in self.tags.get(address(who), {}):
            fields |= {"Subject": f"Re: [{self.known('tag', who, game)}] x", "In-Reply-To": self.known("id", who, game)}
        fields |= {"Message-ID": f"<{self.number}@players.example>", "Date": "Mon, 02 Mar 2026 12:00:00 +0000"}
        for name, value in (fields | {name.replace("_", "-"): value for name, value in head.items()}).items():
            if value:
                message[name] = value
        message.set_content(text)
        self.deliver(message.as_bytes())
        self.is_written_to = True
        return message.as_bytes()

    def deliver(self, data: bytes) -> Path:
        """Put a mail into the Maildir, as a mail server does."""
        self.number += 1
        path = self.folder / "inbox" / "new" / f"{self.now}.{self.number:06}.host"
        path.write_bytes(data)
        os.utime(path, (self.now, self.now))
        return path

    def change(self, file: str, old: str, new: str) -> None:
        """Replace ``old`` in a file of the club; an empty ``old`` is its end."""
        path = self.folder / file
        text = path.read_text("utf-8") if path.exists() else ""
        assert old in text, f"{file} has no “{old}”"
        path.write_text(text.replace(old, new) if old else text + new, "utf-8")

    def add(self, ruleset: str, *seats: str, game: str, **options: str) -> None:
        """Take a new game into the club; the player of each seat has its name."""
        given = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
        names = [word for seat in seats for word in ("--seat", f"{seat}={seat.title()}")]
        self.command("new", ruleset, *names, *given, "--seed", "ab" * 32, "-o", f"{game}.json")
        self.club("add", f"{game}.json", *(word for seat in seats for word in ("--seat", f"{seat}={address(seat)}")))

    def files(self) -> dict[str, bytes]:
        """Return all files but the ledger."""
        found = (path for path in self.top.rglob("*") if path.is_file() and not path.name.startswith("ledger"))
        return {path.relative_to(self.top).as_posix(): path.read_bytes() for path in found}

    def game(self, name: str) -> adj.Game:
        return adj.open(self.folder / "games" / name / "game.json")

    def journal(self, game: str) -> list[str]:
        """Return the orders of a game with their seats."""
        return [f"{row.seat or ''} {row.order}".strip() for row in self.game(game).seen_by("moderator").log() if row.order]

    def matters(self) -> list[str]:
        status = json.loads(self.club("status", "--json").stdout)
        return [flat(one["what"]) for one in status["matters"]]

    def letter(self, who: str, subject: str) -> Letter:
        """Return the only new letter to ``who`` with this ``subject``."""
        pattern = re.compile(".*".join(map(re.escape, subject.split("…"))))
        found = [one for one in self.new if one.to == who and pattern.fullmatch(one.subject)]
        assert len(found) == 1, f"{len(found)} letters “{who}: {subject}” of {self.names()}"
        return found[0]

    def names(self) -> list[str]:
        return sorted(f"{one.to}: {one.subject}" for one in self.new)


@dataclass
class Statement:
    """A line of a conversation, with the number of the line and those below it."""

    number: int
    line: str
    below: list[str]


@dataclass
class Conversation:
    """One conversation of a file, for one row of its table."""

    file: Path
    title: str
    statements: list[Statement]

    @property
    def name(self) -> str:
        return f"{self.file.stem}: {self.title}"

    def take_place(self, top: Path) -> Club:
        """Let everything be said in a club in the folder ``top``."""
        club, self.named = Club(top), list[Letter]()
        self.values = {"seed": "ab" * 32, "examples": str(FOLDER.parents[1] / "examples")}
        for one in self.statements:
            try:
                club = self.say(club, one)
            except (AssertionError, KeyError, ValueError, adj.AdjudicatorError) as error:
                words = str(error).partition("\nassert ")[0]
                raise AssertionError(f"{self.file.name}:{one.number}: {one.line}\n{words}") from None
        return club

    def say(self, club: Club, one: Statement) -> Club:
        """Carry out one statement, and return the club as it is then."""
        line, below = self.filled(club, one.line), [self.filled(club, more) for more in one.below]
        word, _, rest = line.partition(" ")
        if word in (">", "journal", "matters:") and club.is_written_to:
            self.named = []
            club.round()
        if word == "from":
            return club_of(rest).copied(club.top)
        if word == "at":
            club.now = int(datetime.fromisoformat(rest).replace(tzinfo=UTC).timestamp())
        elif word == "wait":
            club.now += seconds(rest)
        elif match := re.fullmatch(r"(?:(\d+) )?rounds?(?: after (.*))?", line):
            club.new, self.named = [], []
            code = exit_code(below)
            for _ in range(int(match[1] or 1)):
                said = club.next_round(seconds(match[2] or ""), code)
            check(said, below)
        elif match := re.fullmatch(r"(?:(\d+) mails|mail) (\S+)(?: \((\S+)\))?:(.*)", line):
            for number in range(1, int(match[1] or 1) + 1):
                lines = [more.replace("{n}", str(number)) for more in (match[4].strip(), *below)]
                head = dict(
                    more[1:].split(": ", 1) if ": " in more else (more[1:-1], "") for more in lines if more[:1] == "@"
                )
                text = [more for more in lines if more[:1] != "@"]
                club.mail(
                    match[2].replace("{n}", str(number)), "\n".join(text if text[0] else text[1:]), match[3] or "", **head
                )
        elif word == "$":
            code = exit_code(below)
            before = club.files() if code > 1 else {}
            check(club.command(*shlex.split(rest)[1:], code=code).output, below)
            assert code < 2 or club.files() == before, "a command that is refused has changed a file"
            club.read_letters()
        elif match := re.fullmatch(r"> nothing(?: to (\S+)| (else))?", line):
            left = [one for one in club.new if one.to == match[1]] if match[1] else club.new
            left = [one for one in left if not any(one is other for other in self.named)] if match[2] else left
            assert not left, [f"{one.to}: {one.subject}\n{one.text}" for one in left]
        elif match := re.fullmatch(r"> (\S+?): (.*)", line):
            self.named.append(letter := club.letter(match[1], match[2]))
            if below:
                check(letter.text, below, letter.head)
        elif word == "in":
            old, new = ("\n".join(more[2:] for more in below if more[:1] == sign) for sign in "-+")
            if old or new:
                club.change(os.path.relpath(rest, "thursday"), old, new if old else f"{new}\n")
            else:
                check((club.top / rest).read_text("utf-8"), below)
        elif match := re.fullmatch(r"journal (\S+):(.*)", line):
            found = "; ".join(club.journal(match[1]))
            assert found == match[2].strip(), f"“{found}”, not “{match[2].strip()}”"
        elif line == "matters:":
            found = club.matters()
            assert len(found) == len(below) and all(map(str.__contains__, found, map(flat, below))), found
        elif word == "let":
            name, _, value = rest.partition(" = ")
            self.values[name] = value
        else:
            raise ValueError("this is no statement")
        return club

    def filled(self, club: Club, line: str) -> str:
        """Return ``line`` with the values for what stands in braces."""

        def value(match: re.Match[str]) -> str:
            return self.values[match[0][1:-1]] if match[0][1:-1] in self.values else club.known(*match[1].split())

        names = "|".join([*map(re.escape, self.values), r"(?:tag|token|id) [^{}]+"])
        return re.sub(rf"\{{({names})\}}", value, line)


def exit_code(below: list[str]) -> int:
    """Take the line ``exit N`` out, and return its number, or else 0."""
    codes = [line for line in below if line.startswith("exit ")]
    below[:] = [line for line in below if line not in codes]
    return int(codes[0][5:]) if codes else 0


def check(text: str, below: list[str], head: EmailMessage | None = None) -> None:
    """Compare a text with the lines ``below`` its statement."""
    for sign, wanted in (("=", text.rstrip("\n")), ("|", text)):
        block = "\n".join(line[2:] for line in below if line[:1] == sign)
        assert not block or (block == wanted if sign == "=" else block in wanted), f"not “{block}” but:\n{text}"
    for line in below:
        sign, words = line[:1], line[1:].strip()
        if sign == "!":
            assert flat(words) not in flat(text), f"“{words}” occurs in:\n{text}"
        elif sign == "~":
            assert re.search(words, text, re.MULTILINE), f"no “{words}” in:\n{text}"
        elif sign == "@":
            name, _, value = words.partition(":")
            found = str((head or {}).get(name, ""))
            assert value.strip() in found, f"{name} is “{found}”"
        elif sign not in "=|":
            assert flat(line) in flat(text), f"no “{line}” in:\n{text}"


def seconds(words: str) -> int:
    """Return a length of time, such as ``2 days 3 hours``, in seconds."""
    found = re.findall(r"(\d+) (\w+?)s?\b", words)
    assert bool(found) == bool(words.strip())
    return sum(int(number) * UNITS[unit] for number, unit in found)


def conversations(file: Path) -> Iterator[Conversation]:
    """Yield the conversations of a file, each once for every row of its table."""
    found: list[tuple[str, list[Statement]]] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if line.startswith("== "):
            found.append((line[3:], []))
        elif line[:1] in ("#", "") or not found:
            if not line and found and found[-1][1]:
                found[-1][1][-1].below.append("")
        elif line.startswith("  "):
            found[-1][1][-1].below.append(line[2:])
        else:
            found[-1][1].append(Statement(number, line, []))
    for title, statements in found:
        for one in statements:
            while one.below and not one.below[-1]:
                one.below.pop()
        table = statements.pop(0) if statements[0].line.startswith("each ") else None
        names = [name.strip() for name in table.line[5:].split(" | ")] if table else []
        rows = [line for line in (table.below if table else [""]) if line or not table]
        for row in rows:
            values = [value.strip() for value in re.split(r" \|(?= )", f" {row} ")]
            assert len(values) == max(1, len(names)), f"{file.name}: the row “{row}” of “{title}”"
            given = {f"{{{name}}}": value for name, value in zip(names, values, strict=False)}
            yield Conversation(file, f"{title} [{row}]" if row else title, [filled_row(one, given) for one in statements])


def filled_row(one: Statement, given: Mapping[str, str]) -> Statement:
    """Return a statement with the values of a row."""

    def fill(line: str) -> list[str]:
        for name, value in reversed(given.items()):  # a value may have the names of those before it
            line = line.replace(name, value.replace("\\n", "\n"))
        return line.split("\n")

    first, *more = fill(one.line)
    return Statement(one.number, first, [*more, *(line for words in one.below for line in fill(words))])


@cache
def club_of(name: str) -> Club:
    """Return the club at the end of the conversation ``name`` of ``clubs.txt``; callers copy it."""
    (found,) = (one for one in conversations(FOLDER / "clubs.txt") if one.title == name)
    top = Path(tempfile.mkdtemp(prefix="adjudicator-club-"))
    atexit.register(shutil.rmtree, top, ignore_errors=True)
    return found.take_place(top)


def begin(name: str, top: Path) -> Club:
    """Return a copy of a club of ``clubs.txt`` in the folder ``top``."""
    return club_of(name).copied(top)
