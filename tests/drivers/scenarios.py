"""Scenarios: the rules of a game as texts that a player can read, `tests/rules/GAME/*.txt`.

A file has scenarios, each under a line `== RULE title`. What stands above the first is the usual set-up of the file; a
scenario adds to it or replaces it. First comes the set-up, then mails with what they must bring about:

    == CF-B1 a car that brakes stays on the line
    option corner=red                            a heading of a script: option, components, rules, recorded, seed, position …
    turn red                                     a field of the explicit position, as its schema calls it
    red position=4 gear=2 hand=HC1,HC2           a seat and its part of the position
    red: GEAR 2 [5 3] / BRAKE 2                  a mail: lines are parted by ` / `, outcomes in brackets as in a script
    + moved seat=red to=8 CF-M1                  it makes this event, after those above: its kind, some fields, its rule
    - crashed                                    and none of this kind
    $ 4 CR-P1, -1 CR-P2                          it costs exactly this, by these rules (`$ none`: nothing)
    ? blue:gear                                  who is asked what afterwards (`? none`)
    ! bad-gear CF-G1 “5” -> 1 / 2                it has exactly these problems: code, rule, words at fault, suggestions;
    ! bad-gear CF-G1 says there is no gear 5     then `says` and words of the message
    = racers.red.minutes 4                       a value of the state in the game file
    @ blue racers.red.hand none                  a value as a reader sees it: a seat, `public` or `moderator`
    log public: red brakes                       the log of the mail has these words for a reader (`no log`: it has not)
    show red: A3  HC1                            a line of the position for a reader has these words (`no show`)
    legal red: GO / BRAKE 1 {2}                  these are all orders that it may give, some with their cost
    legal red 12                                 so many orders are legal
    legal red has: GO                            these are among them (`lacks`: these are not)
    standings 1 red 12, 2 blue 10                place, seat, score
    undo to 3 because …                          a correction, as in a script; `amend a=1 / b=2 because …` may get `!` lines

A seat with no fields is a line with its name. A value is written as in the file: `none` for null and for an empty list,
commas between the items of a list, colons between the values of an object (`board C3:HM1:90`). A table at the end of a
scenario plays it once for each row, with the cells in place of `{head}`; `title`, if a head, is added to the title. A
scenario whose set-up is wrong has `!` lines and no mail. Comments begin with `#`.

A refused mail must leave no trace. At the end the file must read back byte for byte, and the audit must verify it.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import adjudicator as adj
from adjudicator.library.rulesets import schema as library_schema

RULES = Path(__file__).parent.parent / "rules"
RULE = re.compile(r"[A-Z]{2}-[A-Z]\d+")
_HEADINGS = ("components", "entropy", "id", "option", "position", "promise", "recorded", "rules", "seat", "seed")
_STEP = re.compile(r"([-+$?!=@]) ?(.*)|(no log|no show|log|show|legal|standings|undo|amend)\b ?(.*)|([a-z]\w*): ?(.*)")
_PROBLEM = re.compile(r"(\S+)(?: ([A-Z]{2}-[A-Z]\d+))?(?: “(.*?)”)?(?: -> ?(.*?))?(?: says (.*))?")


@dataclass
class Scenario:
    """One case: its title with the rules, and the lines of its set-up and of its steps with their numbers in the file."""

    file: Path
    title: str
    setup: list[tuple[int, str]]
    steps: list[tuple[int, str]] = field(default_factory=list)

    @property
    def game(self) -> str:
        """The game, by the folder of the file."""
        return self.file.parent.name

    @property
    def rules(self) -> list[str]:
        """The numbers at the beginning of the title."""
        return RULE.findall(re.match(r"(?:[A-Z]{2}-[A-Z]\d+,? *)*", self.title)[0])  # type: ignore[index]


def read(file: Path) -> list[Scenario]:
    """Return the scenarios of ``file``, each row of a table as one."""
    usual: list[tuple[int, str]] = []
    found: list[Scenario] = []
    tables: list[list[list[str]]] = []
    for number, whole in enumerate(file.read_text("utf-8").splitlines(), 1):
        line = re.sub(r"\s+# .*|^#.*", "", whole).rstrip()
        if line.startswith("== "):
            found.append(Scenario(file, line[3:], [*usual]))
            tables.append([])
        elif not line:
            continue
        elif not found:
            usual.append((number, line))
        elif line.startswith("|"):
            tables[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        elif tables[-1]:
            raise ValueError(f"{file}:{number}: a table is the last part of a scenario")
        elif _STEP.fullmatch(line):
            found[-1].steps.append((number, line))
        elif found[-1].steps:
            raise ValueError(f"{file}:{number}: this is not a step: {line}")
        else:
            found[-1].setup.append((number, line))
    return [row for one, table in zip(found, tables, strict=True) for row in (_rows(one, table) if table else [one])]


def _rows(found: Scenario, table: list[list[str]]) -> Iterator[Scenario]:
    heads, *rows = table
    for row in rows:
        given = dict(zip(heads, row, strict=True))

        def fill(text: str, given: dict[str, str] = given) -> str:
            return re.sub(r"\{(\w+)\}", lambda name: given.get(name[1], name[0]), text)

        title = fill(found.title)
        if title == found.title:
            title += f": {given['title']}" if "title" in given else f" ({', '.join(row)})"
        setup, steps = ([(at, fill(line)) for at, line in lines] for lines in (found.setup, found.steps))
        setup = [(at, line) for at, line in setup if line]
        yield Scenario(found.file, title, setup, [(at, line) for at, line in steps if line[2:] or line[0] not in "+-$?!=@"])


def begin(case: Scenario, folder: Path) -> adj.ScriptResult:
    """Begin the game of ``case`` as a script with its headings; its explicit position becomes a file in ``folder``."""
    schema = _schema(case.game)
    of_seat = _resolved(schema, schema["properties"]["seats"]["items"])
    seats: dict[str, dict[str, Any]] = {}
    position: dict[str, Any] = {}
    headings: dict[str, str] = {}
    for number, line in case.setup:
        head, _, rest = line.partition(" ")
        rest = rest.strip()
        if head in _HEADINGS:
            name = f"{head} {rest.partition('=')[0]}" if head in ("option", "entropy", "seat") else head
            headings[name] = f"{head} {rest}"
        elif head in schema["properties"]:
            position[head] = _value(schema, schema["properties"][head], rest)
        elif not rest or "=" in rest.split()[0]:
            _add(schema, of_seat, seats.setdefault(head, {"seat": head}), rest)
        else:
            raise ValueError(f"{case.file}:{number}: neither a heading of a script nor a field of a position: {line}")
    for seat in seats:
        headings.setdefault(f"seat {seat}", f"seat {seat}")
    if position or any(len(one) > 1 for one in seats.values()):
        (folder / "position.json").write_text(json.dumps({**position, "seats": [*seats.values()]}), "utf-8")
        headings["position"] = "position position.json"
    if parts := headings.get("components", "").partition(" ")[2]:
        beside = case.file.parent / parts
        if beside.exists():
            (folder / parts).write_bytes(beside.read_bytes())
    if "seed" not in headings:
        headings.setdefault("recorded", "recorded")
    text = "\n".join((f"script {case.game}", headings.pop("id", "id case"), *headings.values(), ""))
    return adj.play_script(text, name=str(case.file), folder=str(folder))


def table(game: str, *lines: str, folder: Path) -> adj.Game:
    """Return the game that a scenario with these ``lines`` of set-up begins with; its position is written to ``folder``."""
    begun = begin(Scenario(RULES / game / "table", "", [*enumerate(lines, 1)]), folder)
    assert begun.game is not None, [problem.message for problem in begun.problems]
    return begun.game


@cache
def _schema(game: str) -> Any:
    return json.loads(library_schema(f"{game}.position.json"))


def _resolved(schema: Any, part: Any) -> Any:
    part = next((one for one in part["anyOf"] if one.get("type") != "null"), part) if "anyOf" in part else part
    return {**schema["$defs"][part["$ref"].rpartition("/")[2]], **part} if "$ref" in part else part


def _add(schema: Any, kind: Any, one: dict[str, Any], words: str) -> None:
    """Read `name=value` and `name.part=value` into ``one``."""
    for word in shlex.split(words):
        name, _, value = word.partition("=")
        name, _, inner = name.partition(".")
        part = _resolved(schema, kind["properties"][name])
        if inner:
            _add(schema, part, one.setdefault(name, {}), f"{inner}={value}")
        else:
            one[name] = _value(schema, part, value)


def _value(schema: Any, part: Any, text: str) -> Any:
    part = _resolved(schema, part)
    if re.match(r"[\[{]", text) or text == "none":
        return [] if text == "none" and "array" in part.get("type", ()) else None if text == "none" else json.loads(text)
    if "properties" in part:
        if "=" in text:
            made: dict[str, Any] = {}
            _add(schema, part, made, text)
            return made
        values = zip(part["properties"].items(), text.split(":"), strict=False)
        return {name: _value(schema, one, value) for (name, one), value in values if value}
    if "array" in part.get("type", ()):
        inner = part.get("items") or part["prefixItems"][0]
        return [_value(schema, inner, one) for one in re.split("[ ,]+", text) if one]
    kinds = part.get("type", "string")
    return text if kinds == "string" or ("string" in kinds and not isinstance(kinds, str)) else json.loads(text)


def play(case: Scenario, begun: adj.ScriptResult) -> adj.Game | None:
    """Play ``case``, which has ``begun``, and check all that it expects; raise ``AssertionError`` with file and line."""
    assert case.steps, f"{case.file}: {case.title}: this scenario expects nothing"
    if begun.game is None or begun.problems or case.steps[0][1][0] == "!":
        _problems(begun.problems, [line for _, line in case.steps], f"{case.file}: {case.title}: the set-up")
        return None
    played = _Played(begun.game)
    for at, (number, line) in enumerate(case.steps):
        sign, rest, word, more, seat, mail = _STEP.fullmatch(line).groups()  # type: ignore[union-attr]
        where = f"{case.file}:{number}: {line}"
        if seat or word in ("undo", "amend"):
            reports = [one for _, one in case.steps[at + 1 :]]
            ends = next((n for n, one in enumerate(reports) if re.match(r"[a-z]\w*:|undo|amend", one)), len(reports))
            played.take(seat, mail if seat else more, word, [one for one in reports[:ends] if one[0] == "!"], where)
        else:
            played.expect(sign or word, rest if sign else more, where)
    assert adj.open(played.data).to_bytes() == played.data, f"{case.file}: {case.title}: the file reads back otherwise"
    verdict = adj.audit_bytes(played.data, case.title)
    assert isinstance(verdict, adj.Verdict), f"{case.file}: {case.title}: {verdict}"
    assert verdict.divergence is None, f"{case.file}: {case.title}: {verdict.divergence}"
    return played.game


def game_at(folder: Path, game: str, text: str) -> adj.Game:
    """Return the game after the set-up and the mails in ``text``, as a scenario has them; ``folder`` is for its files."""
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line]
    split = next((at for at, (_, line) in enumerate(lines) if _STEP.fullmatch(line)), len(lines))
    if split == len(lines):
        return table(game, *(line for _, line in lines), folder=folder)
    case = Scenario(RULES / game / "table", text, lines[:split], lines[split:])
    made = play(case, begin(case, folder))
    assert made is not None
    return made


def _problems(found: Any, lines: list[str], where: str) -> None:
    """Check that ``found`` are the problems that the `!` ``lines`` describe, all of them, in this order."""
    at_fault = [one.text[one.column - 1 :][: one.width] if hasattr(one, "text") else "" for one in found]
    shown = [
        f"{one.code} {one.rule} “{words}” -> {one.suggestions}: {one.message}"
        for one, words in zip(found, at_fault, strict=True)
    ]
    assert len(found) == len(lines), f"{where}: {shown}"
    for problem, line, words, real in zip(found, lines, shown, at_fault, strict=True):
        code, rule, fault, instead, message = _PROBLEM.fullmatch(line[1:].strip()).groups()  # type: ignore[union-attr]
        assert code in (problem.code, problem.code.partition("/")[2]), f"{where}: {words}"
        assert (rule or "") == problem.rule, f"{where}: {words}"
        assert fault is None or fault == real, f"{where}: {words}"
        assert instead is None or instead == " / ".join(problem.suggestions), f"{where}: {words}"
        assert (message or "") in problem.message, f"{where}: {words}"


class _Played:
    """A game in the middle of a scenario: where it stands, and what the last mail has brought about."""

    def __init__(self, game: adj.Game) -> None:
        self.game, self.before = game, game
        self.data = game.to_bytes()
        self.file = msgspec.json.decode(self.data)
        self.events = _events(self.file)
        self.at = 0

    def take(self, seat: str, text: str, correction: str, problems: list[str], where: str) -> None:
        """Send a mail or make a correction, with exactly these ``problems``."""
        self.before, old = self.game, self.file
        if correction:
            what, _, why = text.partition(" because ")
            wrong: Any = ()
            try:
                is_undo = correction == "undo"
                self.game = self.game.undo(int(what[3:]), why) if is_undo else self.game.amend(what.split(" / "), why)
            except adj.SetupError as error:
                wrong = error.problems
            _problems(wrong, problems, where)
        else:
            result = self.game.apply(f"{seat}: " + text.replace(" / ", "\n"))
            self.game = result.game
            _problems(result.problems, problems, where)
        self.data = self.game.to_bytes()
        self.file = msgspec.json.decode(self.data)
        if not correction and not result.is_changed:
            assert self.file == old, f"{where}: a refused mail leaves a trace"
        self.events, self.at = _events(self.file)[len(_events(old)) :], 0

    def expect(self, sign: str, rest: str, where: str) -> None:
        """Check a line about what the last mail has brought about."""
        made = [_short(event) for event in self.events]
        viewer, _, words = rest.partition(": ")
        reader = None if viewer.strip() == "public" else viewer.strip()
        if sign == "+":
            kind, *wanted = shlex.split(rest)
            found = next((n for n in range(self.at, len(made)) if _fits(self.events[n], kind, wanted)), None)
            assert found is not None, f"{where}: not among these events: {made[self.at :]}"
            self.at = found + 1
        elif sign == "-":
            assert not {event["kind"] for event in self.events} & {*rest.split()}, f"{where}: {made}"
        elif sign == "$":
            paid = [
                f"{part['amount']} {part['rule']}"
                for event in self.events
                if event["kind"] == "spent"
                for part in event["why"]
            ]
            assert ", ".join(paid) == rest.replace("none", ""), f"{where}: {paid}"
        elif sign == "?":
            asked = " ".join(f"{one.seat}:{one.kind}" for one in self.game.due) or "none"
            assert asked == rest, f"{where}: {asked}"
        elif sign == "=":
            path, _, value = rest.partition(" ")
            found = _text(_at(self.file["state"], path))
            assert found == value.strip(), f"{where}: {found}"
        elif sign == "@":
            viewer, path, value = rest.split(" ", 2)
            seen = json.loads(adj.render(self.game.seen_by(None if viewer == "public" else viewer).position, "json"))[
                "view"
            ]["state"]
            assert _text(_at(seen, path)) == value.strip(), f"{where}: {_text(_at(seen, path))}"
        elif sign in ("log", "no log"):
            rows = (
                self.game.seen_by(reader).log_since(self.before)
                if self.game is not self.before
                else self.game.seen_by(reader).log()
            )
            told = [
                one
                for row in rows
                for one in (
                    row.order,
                    row.written or "",
                    *row.told,
                    *(f"{part.amount} {part.what}" for part in row.why),
                    *row.notes,
                )
            ]
            assert any(words in one for one in told) == (sign == "log"), f"{where}: {told}"
        elif sign in ("show", "no show"):
            lines = adj.render(self.game.seen_by(reader).position).splitlines()
            assert any(words in one for one in lines) == (sign == "show"), "\n".join((where, *lines))
        elif sign == "standings":
            ranked = ", ".join(f"{one.place} {one.seat} {one.score}" for one in self.game.standings)
            assert ranked == rest, f"{where}: {ranked}"
        elif sign == "legal":
            self._legal(rest, where)

    def _legal(self, rest: str, where: str) -> None:
        seat, how, listed = re.fullmatch(r"(\w+) ?(has|lacks|\d+)?:? ?(.*)", rest).groups()  # type: ignore[union-attr]
        rows = {row.order: row for row in self.game.seen_by(seat).legal}
        if how and how.isdigit():
            assert len(rows) == int(how), f"{where}: {len(rows)}: {[*rows]}"
            return
        wanted = {}
        for one in listed.split(" / ") if listed != "none" else ():
            order, cost = re.fullmatch(r"(.*?)(?: \{(-?\d+|none)\})?", one).groups()  # type: ignore[union-attr]
            wanted[order] = cost
        if how == "lacks":
            assert not {*wanted} & {*rows}, f"{where}: {[*rows]}"
            return
        assert {*wanted} <= {*rows} if how else {*wanted} == {*rows}, f"{where}: {[*rows]}"
        for order, cost in wanted.items():
            assert cost is None or cost == _text(rows[order].min), f"{where}: {order} costs {rows[order].min}"


def _events(file: dict[str, Any]) -> list[dict[str, Any]]:
    return [event for link in file["journal"] for event in link["entry"]["events"]]


def _fits(event: dict[str, Any], kind: str, wanted: list[str]) -> bool:
    if event["kind"] != kind:
        return False
    pairs = (word.split("=", 1) if "=" in word else ("rule", word) for word in wanted)
    return all(_text(_at(event, name)) == value for name, value in pairs)


def _short(event: dict[str, Any]) -> str:
    return " ".join(
        (event["kind"], *(f"{name}={_text(value)}" for name, value in event.items() if name not in ("kind", "why")))
    )


def _at(value: Any, path: str) -> Any:
    """Return the part of ``value`` at ``path``: names of fields, numbers of items, or the first value of an item."""
    for step in path.split("."):
        if isinstance(value, list):
            items = [one for one in value if isinstance(one, dict)]
            named = next((one for one in items if one.get("seat") == step), None)
            named = named or next((one for one in items if step in map(_text, one.values())), None)
            value = value[int(step)] if named is None and step.isdigit() else named
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def _text(value: Any) -> str:
    """Return ``value`` as scenarios write it."""
    if isinstance(value, dict):
        return ":".join(map(_text, value.values()))
    if isinstance(value, list):
        return ",".join(map(_text, value)) or "none"
    return "none" if value is None else value if isinstance(value, str) else json.dumps(value)
