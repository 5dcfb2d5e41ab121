"""`audit --published`: forgeries that `audit` alone verifies, found by what the players had been sent.

Each row of the table in ``docs/audit.md`` is a forgery here, with the texts that find it.
"""

from __future__ import annotations

import base64
import json
import random
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.audit import read_published
from tests.drivers.commands import ROOT, Run, rally, written

Document = dict[str, Any]
Forge = Callable[[Document], bytes]
SKIPPED = "IF minutes > 500 THEN DRAW"
STEPS = (
    ("red: MOVE D3",),  # entry 1
    ("red: MOVE C3 OR DRAW",),  # entry 2
    (f"red:\n{SKIPPED}\nMOVE D3",),  # entry 3, of which others do not know, and entry 4 in the same turn
    ("blue: REFRESH",),  # entry 5, undone
    ("undo", "--to", "4", "--reason", "the wrong mail"),  # entry 6
    ("seat", "blue", "--holder", "Zoe", "--reason", "Bob is away"),  # entry 7
    ("blue: REFRESH",),  # entry 8
    ("blue: REFRESH",),  # entry 9
)
OTHERWISE = "red:\nMOVE C2\n" + 4 * "REFRESH\n" + "blue:\n" + 5 * "REFRESH\n"


def do(run: Run, file: str, *steps: tuple[str, ...]) -> None:
    for first, *more in steps:
        if first in ("undo", "seat"):
            run(first, file, *more, code=0)
        else:
            run("apply", file, "-", stdin=first, code=0)


@dataclass(frozen=True)
class Played:
    """The honest game, and the copies that its moderator kept after each step."""

    run: Run
    forge: Forge

    def again(self, after: int, *steps: tuple[str, ...]) -> None:
        """Go on otherwise with the copy after so many entries."""
        shutil.copy(f"after-{after}.json", "forged.json")
        do(self.run, "forged.json", *steps)

    def edited(self, change: Callable[[Document], Any]) -> None:
        """Change the file, and make chain and seal anew."""
        document = json.loads(Path("rally.json").read_bytes())
        change(document)
        written(self.forge(document), "forged.json")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the honest game, which is played once."""
    return tmp_path_factory.mktemp("kept") / "game"


@pytest.fixture
def honest(run: Run, tmp_path: Path, forge: Forge, kept: Path) -> Played:
    """Play the game, or take it as it was played; in ``reports`` is what was sent on the way, each turn's as it came."""
    if kept.exists():
        shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
        return Played(run, forge)
    rally()
    shutil.copy("rally.json", "after-0.json")
    Path("reports").mkdir()
    for step in STEPS:
        do(run, "rally.json", step)
        n = len(json.loads(Path("rally.json").read_bytes())["journal"]) - 1
        run("turn", "rally.json", "-o", f"out-{n}", code=0)
        shutil.copy("rally.json", f"after-{n}.json")
        for name in ("red.txt", "bystanders.txt"):
            shutil.copy(f"out-{n}/{name}", f"reports/{n}-{name}")
    for viewer in ("red", "blue"):
        written(run("log", "rally.json", "--json", "--as", viewer).stdout, f"{viewer}.jsonl")
    written(run("log", "rally.json", "--json").stdout, "public.jsonl")
    written(run("log", "rally.json", "--events").stdout, "public.txt")
    shutil.copytree(tmp_path, kept)
    return Played(run, forge)


def another_secret(game: Played) -> None:
    position = json.loads(Path("after-0.json").read_bytes())["setup"]["position"]
    line = "new checkpoint-rally --seat red=Ann --seat blue=Bob --id rally --seed - -o forged.json --setup"
    game.run(*line.split(), written(json.dumps(position), "setup.json"), stdin="cd" * 32, code=0)
    do(game.run, "forged.json", *STEPS)


def merge_turns(document: Document) -> None:
    last = document["journal"][8]["entry"]["turn"]
    document["journal"][9]["entry"]["turn"] = last
    for receipt in document["receipts"]:
        receipt["turn"] = min(receipt["turn"], last)


def entry(n: int, change: Callable[[Document], Any]) -> Callable[[Played], None]:
    return lambda game: game.edited(lambda document: change(document["journal"][n]["entry"]))


TWICE = (f"red:\n{SKIPPED}\n{SKIPPED}\nMOVE D3",)
UNDONE = STEPS[4][3:]
REPORTS, PUBLIC, OWN, OTHER = "the reports of the turns", "the public log", "the log of the seat", "the log of another seat"
LOGS = {PUBLIC, OWN, OTHER}
FORGERIES: dict[str, tuple[Callable[[Played], None], int | None, int | None, set[str]]] = {
    "an undo erased": (lambda game: game.again(4, *STEPS[5:]), 5, 5, LOGS),
    "the tail played anew": (lambda game: game.again(8, ("blue: DRAW",)), 9, 9, LOGS),
    "other orders": (lambda game: game.again(0, (OTHERWISE,)), 1, 1, LOGS),
    "another secret": (another_secret, None, None, {REPORTS, *LOGS}),
    "an alternative added": (entry(4, lambda one: one.update(written="MOVE D3 OR DRAW")), 4, 4, {OWN}),
    "a skipped order inserted": (
        lambda game: game.again(2, TWICE, STEPS[3], ("undo", "--to", "5", *UNDONE), *STEPS[5:]), 5, 4, {OWN}),
    "a skipped order removed": (
        lambda game: game.again(2, ("red: MOVE D3",), STEPS[3], ("undo", "--to", "3", *UNDONE), *STEPS[5:]), 3, 2, {OWN}),
    "turns merged": (lambda game: game.edited(merge_turns), 9, 9, LOGS),
    "a reason changed": (entry(6, lambda one: one["events"][0].update(reason="blue has asked for it")), 6, 6, LOGS),
    "a new holder changed": (entry(7, lambda one: one["events"][0].update(holder="Max")), 7, 7, LOGS),
    "a first holder changed": (
        lambda game: game.edited(lambda document: document["setup"]["players"][0].update(holder="Eve")), None, None, LOGS),
}  # fmt: skip
"""Each forgery with the entries that the public log and the seat's own name, with proofs, and what finds it without."""


def bare(text: str) -> str:
    """Return ``text`` without its proofs."""
    text = re.sub(r"^ *head [0-9]+ [0-9a-f]+\n", "", text, flags=re.MULTILINE)
    return re.sub(r'"proof":"[0-9a-f]{64}",', "", text)


def found(run: Run, game: str, *published: str, code: int = 1) -> Document | None:
    line = run("audit", game, "--published", *published, "--json", code=code).stdout.splitlines()[0]
    divergence: Document | None = json.loads(line)["divergence"]
    return divergence


def test_the_table_in_the_documents_says_the_same() -> None:
    text = (ROOT / "docs/audit.md").read_text("utf-8")
    table = [line.strip("|").split("|") for line in text.split("| forgery |")[1].splitlines()[2:] if line.startswith("|")]
    rows = [[cell.strip() for cell in row] for row in table[: len(FORGERIES)]]
    assert len({row[0] for row in rows}) == len(FORGERIES)
    for (*_, finding), (_, *cells) in zip(FORGERIES.values(), rows, strict=True):
        shown = {text for text, cell in zip((PUBLIC, OWN, OTHER, REPORTS), cells, strict=True) if cell.startswith("yes")}
        assert shown == finding
        assert [cell for cell in cells if not cell.startswith("yes") and cell not in ("by proofs", "by heads")] == []


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_verified_alone_and_found_by_a_head_by_logs_with_proofs_and_by_what_they_show(
    run: Run, honest: Played, name: str
) -> None:
    forge, public, own, finding = FORGERIES[name]
    forge(honest)
    run("audit", "forged.json", code=0)
    heads = [f"> {line}" for line in Path("reports/9-bystanders.txt").read_text().splitlines() if line.startswith("  head ")]
    divergence = found(run, "forged.json", written("\n".join(["That is what you told us:", *heads]), "mail.txt"))
    assert divergence is not None and divergence["n"] >= (public or 0)
    assert (divergence["kind"], divergence["field"]) == ("published", "mail.txt")
    for log, n in (("public.jsonl", public), ("red.jsonl", own)):
        divergence = found(run, "forged.json", log)
        assert divergence is not None and (divergence["n"], divergence["field"]) == (n, log)
    for texts, paths in ((REPORTS, "reports/*"), (PUBLIC, "public.jsonl"), (OWN, "red.jsonl"), (OTHER, "blue.jsonl")):
        shutil.rmtree("bare", ignore_errors=True)
        Path("bare").mkdir()
        for path in Path().glob(paths):
            written(bare(path.read_text()), f"bare/{path.name}")
        divergence = found(run, "forged.json", "bare", code=1 if texts in finding else 0)
        assert (divergence is not None) == (texts in finding)
        if divergence is not None and own and divergence["n"] is not None:
            assert divergence["n"] >= own


def test_the_honest_game_contradicts_nothing_and_a_line_names_both_values(run: Run, honest: Played) -> None:
    texts = ["public.jsonl", "red.jsonl", "blue.jsonl", "public.txt", "reports", "out-9"]
    text = run("audit", "rally.json", "--published", *texts, code=0).stdout
    assert re.search(r"^verified +rally +.*as published \(\d+ heads, \d+ entries in \d+ texts\)", text)
    line = json.loads(run("audit", "rally.json", "--published", *texts, "--json", code=0).stdout.splitlines()[0])
    assert line["against"]["texts"] == 5 + 2 * len(STEPS) + 5 - 1
    Path("bare").mkdir()
    for name in texts[:4]:
        written(bare(Path(name).read_text()), f"bare/{name}")
    assert found(run, "rally.json", "bare", code=0) is None
    FORGERIES["a reason changed"][0](honest)
    text = run("audit", "forged.json", "--published", "public.jsonl", code=1).stdout
    for words in ("entry 6 (moderator: UNDO to 4): public.jsonl: told: ", "blue has asked for it"):
        assert words in text
    assert 'the wrong mail"] was published, but the game file has ' in text


def test_reports_are_read_as_mail_programs_leave_them(run: Run, honest: Played) -> None:
    """Quoted, twice, with long lines broken, in one mail with another, base64 or not; a shortened head is enough."""
    wrap: Callable[[str], list[str]] = lambda line: textwrap.wrap(line, 70, drop_whitespace=False, break_long_words=False)  # noqa: E731
    lines = [
        part for n in (9, 4) for line in Path(f"reports/{n}-red.txt").read_text().splitlines() for part in wrap(line) or [""]
    ]
    body = "\n".join(f"> > {line}".rstrip() for line in lines)
    head = "Received: by mx; Mon, 2 Mar 2026 18:08:41 +0100\nMessage-ID: <1@x>\nFrom: Ann <ann@example.org>\n"
    mime = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n"
    Path("mails").mkdir()
    written(f"{head}\n{body}\n", "mails/plain.eml")
    written(f"{head}{mime}\n{base64.encodebytes(body.encode()).decode()}\n", "mails/coded.eml")
    assert "(4 heads, " in run("audit", "rally.json", "--published", "mails", code=0).stdout
    FORGERIES["an alternative added"][0](honest)
    for name in ("mails/plain.eml", "mails/coded.eml"):
        divergence = found(run, "forged.json", name)
        assert divergence is not None and (divergence["n"], divergence["field"]) == (4, name)
    line = next(line for line in Path("public.txt").read_text().splitlines() if line.startswith("head "))
    written(f"I have {line[: 7 + 16]}", "note.txt")
    run("audit", "rally.json", "--published", "note.txt", code=0)
    FORGERIES["the tail played anew"][0](honest)
    assert found(run, "forged.json", "note.txt") is not None


def test_games_cut_off_lines_left_out_and_texts_of_other_games_are_told(run: Run, honest: Played) -> None:
    for name in ("public.jsonl", "public.txt"):
        divergence = found(run, "after-8.json", name)
        assert divergence is not None
        words = "entry 8 was published, but the game file ends with entry 7"
        assert (divergence["n"], divergence["recomputed"]) == (9, words)
    assert "rally  entry 9: public.txt: " in run("audit", "after-8.json", "--published", "public.txt", code=1).stdout
    rows = Path("public.jsonl").read_text().splitlines(keepends=True)
    divergence = found(run, "rally.json", written(bare("".join(rows[:4] + rows[5:])), "cut.jsonl"))
    assert divergence is not None
    assert (divergence["n"], json.loads(rows[4])["n"]) == (5, 4)  # players count without what was skipped
    divergence = found(
        run, "rally.json", written(Path("public.txt").read_text().replace("rally · ", "tally · ", 1), "other.txt")
    )
    assert divergence is not None
    assert divergence["recomputed"] == "the published game is tally, but the game file has rally"


def test_what_is_not_compared_is_named(run: Run, honest: Played) -> None:
    """What was only tried, a log as text, positions and receipts: a changed line of these is not found."""
    tried = written("blue: DRAW", "t.txt")
    written(run("check", "after-8.json", tried, code=0).stdout, "tried.txt")
    written(run("check", "after-8.json", tried, "--json", code=0).stdout, "tried.json")
    assert "tried.json" in run("audit", "rally.json", "--published", "public.txt", "tried.json", "tried.txt", code=2).stderr
    Path("all").mkdir()
    for name in ("public.txt", "tried.json", "tried.txt"):
        shutil.copy(name, "all")
    text = run("audit", "rally.json", "--published", "all", code=0).stdout
    for words in ("in 1 text)", "  all/tried.json: compared: nothing; not compared: accepted, "):
        assert words in text
    written(Path("public.txt").read_text().replace("MOVE D3", "MOVE C2"), "forged.txt")
    text = run("audit", "rally.json", "--published", "public.jsonl", "forged.txt", code=0).stdout
    asked = "not compared: its text (give the JSON of a log: `adjudicator log --json`)"
    assert f"  forged.txt: compared: heads 8, commitment, game; {asked}\n" in text
    everything = "heads 0 to 8, entries 0 to 8, commitment, set-up, game; not compared: nothing else is in it"
    assert f"  public.jsonl: compared: {everything}\n" in text
    written(bare(Path("forged.txt").read_text()).replace("commitment", ""), "forged.txt")
    told = run("audit", "rally.json", "--published", "forged.txt", code=2).stderr
    assert "give the lines of `adjudicator log --json`" in told
    shown = json.loads(run("show", "rally.json", "--json", code=0).stdout)
    shown["view"]["state"]["board"] = {}
    written(json.dumps(shown), "show.json")
    shutil.copy("out-9/manifest.json", "turn.json")
    text = " ".join(run("audit", "rally.json", "--published", "show.json", "turn.json", code=0).stdout.split())
    assert "show.json: compared: heads 8, commitment, game; not compared: " in text and ", view.state," in text
    assert "turn.json: compared: heads 8, beginning, game; not compared: awaited, over, receipts, reports, turn" in text
    written("Hello!", "nothing.txt")
    for line in ("rally.json --published nothing.txt", "rally.json --published nowhere.txt", "out-9 --published public.txt"):
        assert run("audit", *line.split(), code=2).stderr
    assert run("audit", "rally.json", "--published", "public.txt", "--impact", code=2).stderr
    run("audit", "rally.json", "--published", written(bytes(range(256)) * 9, "picture.png"), code=3)


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*/*/game.json")), ids=lambda path: path.parent.name)
def test_what_is_published_of_the_examples_is_as_their_files(run: Run, path: Path) -> None:
    for seat in (*adj.open(path).seats, "moderator"):
        for name, options in (("jsonl", ["log", "--json"]), ("txt", ["log", "--events"]), ("show", ["show"])):
            written(run(options[0], path, *options[1:], "--as", seat, code=0).stdout, f"{seat}.{name}")
    assert "as published" in run("audit", path, "--published", ".", code=0).stdout


HASH = "0123456789abcdef" * 4
MALFORMED = {
    "a letter in a proof": json.dumps({"n": 3, "proof": HASH.replace("7", "g", 1)}),
    "upper case": json.dumps({"n": 3, "proof": HASH.upper()}),
    "a proof cut off": json.dumps({"n": 3, "proof": HASH[:63]}),
    "a proof too long": json.dumps({"n": 3, "proof": f"{HASH}0"}),
    "no proof": json.dumps({"n": 3, "proof": None}),
    "a proof without a number": json.dumps({"proof": HASH}),
    "a number that is none": json.dumps({"n": True, "proof": HASH}),
    "a number as text": json.dumps({"n": "3", "proof": HASH}),
    "a commitment cut off": json.dumps({"commitment": HASH[:60], "game": "rally"}),
    "a promise that is none": json.dumps({"promise": "yes"}),
    "two proofs": json.dumps({"n": 3, "proof": HASH, "Proof": HASH[::-1]}).replace("Proof", "proof"),
    "a letter in a head of a text": f"head 3 {HASH[:30]}x{HASH[31:]}",
    "a head of a text that is too long": f"> head 3 {HASH}0",
    "a letter in a commitment of a text": f"The commitment {HASH[:63]}z is known.",
}
HOSTILE = [
    '{"n":1,"turn":[],"seat":{},"order":"","min":0.5,"before":null,"after":null,"why":{},"told":[1]}',
    '{"n":99999999999999999999,"proof":"' + "a" * 64 + '"}',
    '{"begun":{"players":7.5,"game":[]},"n":0}\n' + "commitment " + "0" * 64,
    "head 999999999 " + "a" * 64,
]


def test_malformed_proofs_are_refused_and_hostile_texts_told(run: Run, honest: Played) -> None:
    for name, line in MALFORMED.items():
        for text in (line, f"{line}\n{Path('public.jsonl').read_text()}"):
            published = ("public.jsonl", written(text, "malformed.txt"))
            told = run("audit", "rally.json", "--published", *published, code=3).stderr
            assert "malformed.txt: this text cannot be compared\n" in told, name
    for text in HOSTILE:
        assert found(run, "rally.json", written(text, "hostile.txt")) is not None


# Any change -----------------------------------------------------------------------------------------------------------


def published_texts(run: Run) -> dict[str, str]:
    """Return a text of each kind that people receive of the honest game."""
    texts = {}
    for viewer in ("red", "blue", "moderator"):
        texts[f"log-{viewer}.jsonl"] = run("log", "rally.json", "--json", "--as", viewer).stdout
        texts[f"show-{viewer}.json"] = run("show", "rally.json", "--json", "--as", viewer).stdout
        texts[f"report-{viewer}.json"] = run("report", "rally.json", "--format", "json", "--as", viewer).stdout
    texts["log.jsonl"], texts["log.txt"] = Path("public.jsonl").read_text(), Path("public.txt").read_text()
    texts["manifest.json"], texts["report.txt"] = (Path("out-9", one).read_text() for one in ("manifest.json", "red.txt"))
    last = written(STEPS[7][0], "9.txt")
    texts["apply.json"] = run("apply", "after-8.json", last, "-o", "again.json", "--json", code=0).stdout
    receipt = run("apply", "after-8.json", last, "-o", "again.json", "--force", code=0).stdout
    head = "From: Ann <ann@example.org>\nDate: Mon, 2 Mar 2026 18:08:41 +0100\nSubject: what you sent me\n\n"
    texts["receipt.eml"] = head + "".join(f"> {line}\n" for line in receipt.splitlines())
    texts["heads.txt"] = "".join(f"{line}\n" for line in texts["report.txt"].splitlines() if "head" in line)
    return texts


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of everything in plain ``value``, but its own."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*place, key)
        yield from places(inner, (*place, key))


def altered(value: Any, luck: random.Random) -> Any:
    """Return another value, of the same type or not."""
    if isinstance(value, str) and value:
        at = luck.randrange(len(value))
        sign = luck.choice("0123456789abcdefgzXY ,.".replace(value[at], ""))
        return luck.choice([value[:at] + sign + value[at + 1 :], value[:at] + value[at + 1 :], f"{value}.", None])
    if value == "":
        return luck.choice(["x", None])
    if isinstance(value, bool | None):
        return luck.choice([one for one in (True, False, 1, "x") if one is not value])
    if isinstance(value, int):
        return luck.choice([value + 1, -value - 1, str(value), float(value), None])
    if isinstance(value, list):
        return luck.choice([[*value, *(value[:1] or ["x"])], value[::-1] if value[::-1] != value else ["x"], {}])
    return luck.choice([{**value, "undone_by": 2}, {**value, "kind": "x"}, []])


def changed_json(text: str, luck: random.Random) -> tuple[str, str]:
    """Return JSON, a document or lines, with one change, and the names of the place."""
    is_lines = text.count("\n") > 1
    document = [json.loads(line) for line in text.splitlines()] if is_lines else json.loads(text)
    every = list(places(document))
    place = luck.choice(luck.choice([every, [place for place in every if len(place) < 3 + is_lines]]))
    *above, key = place
    inside = document
    for one in above:
        inside = inside[one]
    how, other = (
        luck.choice(["drop", "swap", "alter", "note"]),
        luck.choice(list(inside if isinstance(inside, dict) else range(len(inside)))),
    )
    if how == "drop":
        del inside[key]
    elif how == "swap" and inside[key] != inside[other]:
        inside[key], inside[other] = inside[other], inside[key]
    elif how == "note" and isinstance(inside[key], dict) and "undone_by" not in inside[key]:
        inside[key]["undone_by"] = luck.randrange(9)
    else:
        inside[key] = altered(inside[key], luck)
    names = [one for one in (place[1:] if is_lines else place) if isinstance(one, str)]
    made = document if is_lines else [document]
    return "".join(json.dumps(one, sort_keys=True, separators=(",", ":")) + "\n" for one in made), ".".join(names)


def changed_text(text: str, luck: random.Random) -> tuple[str, str]:
    """Return a text with a line left out, moved or altered, or with a note; all of it is its place."""
    lines = text.splitlines(keepends=True)
    body = lines.index("\n") + 1 if text.startswith("From:") else 0
    at, other = (luck.randrange(body, len(lines)) for _ in range(2))
    how = luck.choice(["drop", "swap", "alter", "note"])
    if how == "drop":
        del lines[at]
    elif how == "swap" and lines[at] != lines[other]:
        lines[at], lines[other] = lines[other], lines[at]
    elif how == "note":
        lines.insert(at + 1, "                    note: undone by entry 6: it does not count\n")
    else:
        lines[at] = f"{altered(lines[at].removesuffix(chr(10)) or 'x', luck) or ''}\n"
    return "".join(lines), "its text"


def compared(text: str, name: str) -> tuple[bool, tuple[str, ...], tuple[str, ...]]:
    """Return whether the audit finds something in ``text``, and which parts it has compared and which not."""
    written(text, name)
    try:
        (verdict,) = adj.audit_files("rally.json", published=read_published([name]))
    except adj.FileProblem:
        return True, (), ()
    assert isinstance(verdict, adj.Verdict) and verdict.against is not None
    (detail,) = verdict.against.details
    return verdict.divergence is not None, detail.as_published, detail.not_compared


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 13))])
def test_every_changed_text_is_found_or_its_part_named_as_not_compared(run: Run, honest: Played, seed: int) -> None:
    """Three changes of each of 16 texts for each seed: what is compared contradicts, all else is named."""
    luck, wrong, count = random.Random(seed), list[tuple[str, str]](), 0
    for name, text in published_texts(run).items():
        is_found, before, not_compared = compared(text, name)
        assert not is_found, name
        for _ in range(3):
            made = text
            while made == text:
                made, place = (changed_json if ".json" in name else changed_text)(text, luck)
            is_found, after, named = compared(made, name)
            count += is_found
            parts = [part.partition(" (")[0] for part in (*not_compared, *named)]
            is_named = any(f"{place}.".startswith(f"{part}.") or part.startswith(f"{place}.") for part in parts)
            if not (is_found or is_named or before != after):
                wrong.append((name, place))
    assert (wrong, count > 10) == ([], True)


@pytest.mark.parametrize("begun", [0, "REVEAL", [1]])
def test_a_beginning_of_another_shape_is_named_as_not_compared(run: Run, honest: Played, begun: Any) -> None:
    rows = [json.loads(line) for line in run("log", "rally.json", "--json", code=0).stdout.splitlines()]
    for row in (rows[0], rows[3]):
        text = "".join(json.dumps({**one, "begun": begun} if one is row else one) + "\n" for one in rows)
        assert compared(text, "public.jsonl")[2] == ("begun",)
