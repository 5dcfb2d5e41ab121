"""Damaged and forged files of every kind, to commands and to the desk: a result or an explained refusal, never a bug."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from inspect import signature
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from typer.testing import Result

import adjudicator as adj
from adjudicator.archive import write_archive
from tests.drivers.attacks import AROUND, ODD_CHARACTERS, Attack, in_time, mutated_bytes, mutated_document, sizes
from tests.drivers.pages import GAMES, MARKUP, ROOT, Answers

Run = Callable[..., Result]
Forge = Callable[[dict[str, Any]], bytes]
LARGEST = 60_000
"""Bytes of the games that are damaged: larger ones only take longer."""
READS = """show|show --as SEAT|show --as moderator|show --svg -|legal|legal --as SEAT|log --events|log --as SEAT
log --as moderator --events|replay --boards|replay --as SEAT|report --as SEAT|report --as SEAT --format html
report --as SEAT --format game|script -o - --with-secret|replay --until 5 --boards --as moderator|audit|audit --impact
undo --to 0 --reason x -o -|undo --to 3 --reason x -o -|pending|pending --as SEAT|pending --withdraw SEAT --reason x -o -
pending --bring-back 1 -o -|seat SEAT --holder Zoe --reason x -o -|reveal --before-the-end --reason x -o -
apply orders.txt -o -|apply -o -|check orders.txt|check orders.txt --as SEAT""".replace("\n", "|").split("|")
"""The commands that read a game from standard input, and write none."""
WRITES = """language g.json|language g.json de|apply g.json orders.txt --log l.jsonl|turn g.json orders.txt -o out
begin g.json SEAT=horse|begin g.json --publish|begin g.json --deal|rules g.json|audit --published g.json
show g.json --svg b.svg|check g.json SEAT=orders.txt --strict|amend g.json x=1 --reason x""".replace("\n", "|").split("|")


# Sound files of every kind


@cache
def games() -> list[bytes]:
    """Return games of every kind: of the examples, and recorded ones."""
    paths = [*(ROOT / "examples").rglob("*.json"), *ROOT.glob("tests/data/games/*/*.json")]
    found = [path.read_bytes() for path in sorted(paths)]
    found = [data for data in found if b'"journal"' in data and len(data) <= LARGEST]
    assert len(found) > 30
    return found


@cache
def parts() -> list[tuple[str, bytes]]:
    """Return component sets and positions, each with the game it is for."""
    paths = [*ROOT.glob("examples/*/*/*.json"), *ROOT.glob("adjudicator/games/*/data/*.json")]
    named = [(str(path).replace("_", "-"), path) for path in sorted(paths)]
    found = [(next(name for name in GAMES if name in words), path) for words, path in named if any(map(words.count, GAMES))]
    return [(name, data) for name, path in found if b'"journal"' not in (data := path.read_bytes())]


@cache
def mails() -> list[bytes]:
    found = [path.read_bytes() for path in sorted((ROOT / "tests").rglob("*.eml"))]
    found += [f"From: ann@example.org\nSubject: turn\n\n{words}\n".encode() for words in AROUND]
    return found


@cache
def scripts() -> list[bytes]:
    """Return scripts: one that was kept by hand, and games written as such."""
    found = [(ROOT / "examples/checkpoint-rally/hand-kept/race.txt").read_bytes()]
    for data in games()[::25]:
        with suppress(adj.AdjudicatorError, ValueError):  # those with parts of their own need files beside the script
            found.append(adj.open(data).script(with_secret=True).text.encode())
    return found


@cache
def own_files() -> list[bytes]:
    """Return players' own files of some games."""
    found = []
    for data in games()[::9]:
        with suppress(adj.AdjudicatorError):
            game = adj.open(data)
            found.append(game.seen_by(game.seats[0]).own_file())
    return found


@cache
def seats_of(data: bytes) -> tuple[str, ...]:
    """Return the seats of a sound game, or two that many games have."""
    with suppress(adj.AdjudicatorError):
        return tuple(adj.open(data).seats)
    return ("red", "blue")


def damaged(luck: Random, data: bytes, forge: Forge | None = None) -> bytes:
    """Return ``data`` damaged as bytes or as JSON, of a game with chain and seal made to fit, or not."""
    if luck.random() < 0.3:
        return mutated_bytes(luck, data)
    try:
        document = mutated_document(luck, json.loads(data), luck.choice((1, 1, 1, 2, 5)))
    except ValueError:
        return mutated_bytes(luck, data)
    if forge is not None and luck.random() < 0.8:
        with suppress(LookupError, TypeError, AttributeError, ValueError):  # too much may be missing for a forger
            return forge(document)
    return json.dumps(document, ensure_ascii=luck.random() < 0.5, indent=luck.choice((None, 1))).encode("utf-8", "replace")


@cache
def packed_games() -> bytes:
    """Return an archive of the program."""
    with TemporaryDirectory() as folder:
        Path(folder, "a.json").write_bytes(games()[0])
        write_archive(f"{folder}/all.adjudicator.db", [f"{folder}/a.json"], str)
        return Path(folder, "all.adjudicator.db").read_bytes()


def archives(luck: Random, forge: Forge) -> Iterator[tuple[str, bytes]]:
    """Yield a folder's files: archives within archives, damaged inside or outside."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", luck.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for number in range(luck.randint(1, 3)):
            data = luck.choice(games())
            name = luck.choice((f"{number}.json", f"../{number}.json", f"a/{number}.json", f"/{number}.json", "é.json"))
            archive.writestr(name, damaged(luck, data, forge) if luck.random() < 0.3 else data)
    whole = packed.getvalue()
    yield "a.zip", mutated_bytes(luck, whole) if luck.random() < 0.8 else whole
    if luck.random() < 0.3:
        data = packed_games()
        yield "b.adjudicator.db", mutated_bytes(luck, data) if luck.random() < 0.8 else data


# To commands


def answered(attack: Attack, run: Run, words: list[str], stdin: bytes = b"") -> Result:
    """The command ends with one of its codes and says why; with --json what it prints is JSON."""
    attack.count("commands")
    try:
        with in_time(f"{words}"):
            result = run(*words, stdin=stdin)
        assert result.exit_code in (0, 1, 2, 3), (attack.told, words, result.output)
    except BaseException:
        keep(attack, words, stdin)
        raise
    attack.count(f"exit {result.exit_code}")
    assert result.exit_code in (0, 1) or result.output.strip(), (attack.told, words)
    if "--json" in words and result.exit_code in (0, 2, 3) and "-o" not in words:
        for line in result.stdout.splitlines():
            json.loads(line)
    return result


def keep(attack: Attack, words: list[str], stdin: bytes) -> None:
    """Leave what made a command fail where it can be looked at."""
    folder = os.environ.get("SOAK_KEEP")
    if folder:
        where = Path(folder) / f"{attack.seed}-{attack.at - 1}"
        where.mkdir(parents=True, exist_ok=True)
        (where / "arguments.json").write_text(json.dumps(words), "utf-8")
        (where / "stdin").write_bytes(stdin)
        for path in Path().rglob("*"):
            if path.is_file():
                (where / path.name).write_bytes(path.read_bytes())


def filled_in(luck: Random, command: str, data: bytes) -> list[str]:
    words = command.replace("SEAT", luck.choice(seats_of(data))).split()
    return [*words, "--json"] if luck.random() < 0.4 and "-o -" not in command and "--svg -" not in command else words


def a_game(attack: Attack, run: Run, forge: Forge) -> None:
    luck, sound = attack.luck, attack.luck.choice(games())
    data = damaged(luck, sound, forge)
    lines = [f"{luck.choice(seats_of(sound))}: {luck.choice(('DRAW', 'GEAR 1', 'REFRESH', 'ASK', 'DRIVE', 'IF a THEN b'))}"]
    Path("orders.txt").write_bytes("\n".join([*lines, *luck.choices(AROUND, k=2)]).encode())
    if luck.random() < 0.2:
        Path("g.json").write_bytes(data)
        answered(attack, run, filled_in(luck, luck.choice(WRITES), sound))
    else:
        name, *rest = filled_in(luck, luck.choice(READS), sound)
        answered(attack, run, [name, "-", *rest], data)


def a_set_or_position(attack: Attack, run: Run, _forge: Forge) -> None:
    luck = attack.luck
    game, sound = luck.choice(parts())
    Path("part.json").write_bytes(damaged(luck, sound))
    names = ("red", "blue", "green")[: 3 if game == "checkpoint-charlie" else 2]
    seats = [word for name in names for word in ("--seat", name)]
    commands = (
        ["games", game, "--components", "part.json"],
        ["games", game, "--components", "part.json", "--svg", "-"],
        ["new", game, *seats, luck.choice(("--components", "--setup")), "part.json", "-o", "g.json"],
    )
    answered(attack, run, luck.choice(commands))
    if Path("g.json").exists():
        attack.count("games begun")
        for command in ("show g.json", "legal g.json", "audit g.json", "show g.json --svg b.svg"):
            answered(attack, run, command.split())


def a_script(attack: Attack, run: Run, _forge: Forge) -> None:
    Path("s.txt").write_bytes(mutated_bytes(attack.luck, attack.luck.choice(scripts()), 8))
    commands = ("replay s.txt --boards", "audit s.txt", "script s.txt -o g.json", "log s.txt")
    answered(attack, run, attack.luck.choice(commands).split())


def a_mail_or_mailbox(attack: Attack, run: Run, _forge: Forge) -> None:
    luck, game = attack.luck, attack.luck.choice(games())
    Path("g.json").write_bytes(game)
    one, two, *_ = (*seats_of(game), "blue")
    Path("m.eml").write_bytes(mutated_bytes(luck, luck.choice(mails()), 12))
    some = luck.choices(mails(), k=luck.randint(1, 4))
    box = b"".join(b"From ann@example.org Mon Mar  2 17:08:41 2026\n" + mail + b"\n" for mail in some)
    Path("box").write_bytes(mutated_bytes(luck, box, 12))
    texts = luck.choice((["m.eml"], ["box"], [f"{one}=m.eml", "box"], [f"{two}=box"], [f"{one}=m.eml", f"{two}=m.eml"]))
    command = luck.choice((["check", "g.json"], ["turn", "g.json", "--dry-run"], ["apply", "g.json", "-o", "-"]))
    answered(attack, run, [*command[:2], *texts, *command[2:], *luck.choice(([], ["--strict"]))])


def an_archive(attack: Attack, run: Run, forge: Forge) -> None:
    for name, data in archives(attack.luck, forge):
        Path(name).write_bytes(data)
    more = attack.luck.choice(([], ["--json"], ["--quiet"]))
    answered(attack, run, ["audit", *sorted(map(str, Path().iterdir())), *more])


def a_promise_or_outbox(attack: Attack, run: Run, _forge: Forge) -> None:
    """What a game leaves beside it or before it: the file of `new --commit-only`, the reports of `turn`."""
    if attack.at % 2:
        run("new", "checkered-flag", "--seat", "red", "--seat", "blue", "--commit-only", "-o", "g.json", code=0)
        spoilt = Path("g.json")
        commands = ["begin g.json red=horse", "begin g.json --publish --without red --without blue", "begin g.json --deal"]
    else:
        Path("g.json").write_bytes((ROOT / "examples/checkered-flag/race/start.json").read_bytes())
        run("turn", "g.json", "-o", "out", code=0)
        spoilt = attack.luck.choice((Path("g.json.outbox"), Path("out/manifest.json")))
        commands = ["turn g.json -o out", "turn g.json -o out --force --json"]
    spoilt.write_bytes(damaged(attack.luck, spoilt.read_bytes()))
    for command in commands:
        answered(attack, run, command.split())


def at_the_desk(attack: Attack, _run: Run, forge: Forge) -> None:
    luck, desk, name = attack.luck, Answers(), attack.luck.choice(NAMES)
    kind = luck.choice((games, own_files, own_files, scripts, mails, parts, archives))
    if kind is archives:
        data = luck.choice([data for _, data in archives(luck, forge)])
    elif kind is parts:
        data = damaged(luck, luck.choice(parts())[1])
    else:
        data = damaged(luck, luck.choice(kind()), forge if kind is games else None)
    opened = asked(attack, desk, "open", data, name=name)
    if "game" in opened:
        ask_everything(attack, desk, opened["game"])
    elif luck.random() < 0.3:
        asked(attack, desk, "audit_file", data, name=name)


KINDS = {
    "games": (a_game, 10, 100_000),
    "component sets and positions": (a_set_or_position, 10, 20_000),
    "scripts": (a_script, 10, 20_000),
    "mails and mailboxes": (a_mail_or_mailbox, 10, 20_000),
    "archives": (an_archive, 8, 10_000),
    "promises and outboxes": (a_promise_or_outbox, 8, 5_000),
    "the desk": (at_the_desk, 5, 20_000),
}
"""What is damaged, with the number of files in a short and in a long run."""


@pytest.mark.parametrize(("kind", "whole"), [case for kind, (_, *of) in KINDS.items() for case in sizes(*of, kind)])
def test_damaged_files_are_refused_in_words(attack: Attack, run: Run, forge: Forge, kind: str, whole: int) -> None:
    way, *_ = KINDS[kind]
    for _ in range(attack.times(whole)):
        attack.next_round()
        for path in sorted(Path().rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        way(attack, run, forge)


# To the desk


NAMES = ("game.json", "", "/", "..", "../../etc/passwd", "-", "a\0b", MARKUP, "x" * 5_000, ODD_CHARACTERS, "box.mbox")
NESTED = (b"[" * 100_000, b'{"a":' * 100_000, b'{"format": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")
ASKED = ("look", "check", "costs", "words", "what_if", "choose", "report", "replay", "save", "audit", "apply", "undo")


def asked(attack: Attack, desk: Answers, request: str, *files: bytes, **values: Any) -> Any:
    """Return the answer to ``request``, which is JSON in any case, and never a bug."""
    with in_time(request):
        answer = desk(request, *files, **values)
    error = answer.get("error") if isinstance(answer, dict) else None
    attack.count(f"{request} {error['kind'] if error else 'answered'}")
    assert error is None or (error["kind"] == "refused" and error["message"]), (attack.told, request, values, error)
    return answer


def ask_everything(attack: Attack, desk: Answers, game: Any) -> None:
    luck = attack.luck
    viewer = game["own"] or luck.choice((*game["seats"], "moderator", MARKUP, ""))
    seat = game["own"] or luck.choice((*game["seats"], MARKUP))
    text = "\n".join((f"{seat}:", *luck.choices((*AROUND, MARKUP, "GEAR 1", "WITHDRAW"), k=4)))
    for request in luck.sample(ASKED, 4):
        texts = {seat: text} if luck.random() < 0.5 else {}
        sent = () if texts else (mutated_bytes(luck, luck.choice(mails()), 8),)
        by = seat if request in ("check", "costs", "what_if") else viewer
        values = {"viewer": by, "seat": seat, "text": text, "texts": texts, "names": [luck.choice(NAMES)] * len(sent)}
        reason, files = luck.choice((MARKUP, "", "x")), sent if request == "apply" else ()
        values |= {"trial": luck.random() < 0.5, "reason": reason}
        taken = signature(getattr(desk.desk, request)).parameters
        asked(attack, desk, request, *files, **{name: value for name, value in values.items() if name in taken})


@pytest.mark.parametrize("data", NESTED, ids=["lists", "objects", "closed"])
def test_files_nested_a_hundred_thousand_deep(attack: Attack, data: bytes) -> None:
    desk = Answers()
    assert "error" in asked(attack, desk, "open", data, name="deep.json")
    asked(attack, desk, "audit_file", data, name="deep.json")
    desk.begin("checkered-flag")
    asked(attack, desk, "apply", data, names=["deep.json"])
