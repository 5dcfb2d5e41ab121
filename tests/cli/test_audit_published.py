"""`audit --published`: forgeries that `audit` alone verifies, found by what the players had been sent.

Each row of the table in ``docs/audit.md`` is a forgery here, with the texts that find it.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import adjudicator as adj
from tests.cli.test_skipped_orders import in_old_numbers

ROOT = Path(__file__).parents[2]
Run = Callable[..., Result]
Orders = Callable[..., str]
Document = dict[str, Any]
Forge = Callable[[Document], bytes]

SKIPPED = "IF minutes > 500 THEN DRAW"
STEPS = (
    ("red: MOVE D3", "1.txt"),  # entry 1
    ("red: MOVE C3 OR DRAW", "2.txt"),  # entry 2
    (f"red:\n{SKIPPED}\nMOVE D3", "4.txt"),  # entry 3, of which others do not know, and entry 4 in the same turn
    ("blue: REFRESH", "5.txt"),  # entry 5, undone
    ("undo", "--to", "4", "--reason", "the wrong mail"),  # entry 6
    ("seat", "blue", "--holder", "Zoe", "--reason", "Bob is away"),  # entry 7
    ("blue: REFRESH", "8.txt"),  # entry 8
    ("blue: REFRESH", "9.txt"),  # entry 9
)

OTHERWISE = "red:\nMOVE C2\n" + 4 * "REFRESH\n" + "blue:\n" + 5 * "REFRESH\n"


def do(run: Run, orders: Orders, file: str, *steps: tuple[str, ...]) -> None:
    for first, *more in steps:
        if first in ("undo", "seat"):
            run(first, file, *more, code=0)
        else:
            run("apply", file, orders(first, more[0]), code=0)


@dataclass(frozen=True)
class Played:
    """The honest game, and the copies that its moderator kept after each step."""

    run: Run
    orders: Orders
    forge: Forge

    def again(self, after: int, *steps: tuple[str, ...]) -> Path:
        """Go on otherwise with the copy after so many entries."""
        shutil.copy(f"after-{after}.json", "forged.json")
        do(self.run, self.orders, "forged.json", *steps)
        return Path("forged.json")

    def edited(self, change: Callable[[Document], None]) -> Path:
        """Change the file, and make chain and seal anew."""
        document = json.loads(Path("rally.json").read_bytes())
        change(document)
        Path("forged.json").write_bytes(self.forge(document))
        return Path("forged.json")


def play(run: Run, orders: Orders) -> None:
    """Play the game; in ``reports`` is what was sent on the way, each turn's reports and receipts as they came."""
    shutil.copy("rally.json", "after-0.json")
    Path("reports").mkdir()
    for step in STEPS:
        do(run, orders, "rally.json", step)
        n = len(json.loads(Path("rally.json").read_bytes())["journal"]) - 1
        run("turn", "rally.json", "-o", f"out-{n}", code=0)
        shutil.copy("rally.json", f"after-{n}.json")
        for name in ("red.txt", "bystanders.txt"):
            shutil.copy(f"out-{n}/{name}", f"reports/{n}-{name}")
    for viewer in ("red", "blue"):
        Path(f"{viewer}.jsonl").write_text(run("log", "rally.json", "--json", "--as", viewer).stdout)
    Path("public.jsonl").write_text(run("log", "rally.json", "--json").stdout)
    Path("public.txt").write_text(run("log", "rally.json", "--events").stdout)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the honest game, which is played once."""
    return tmp_path_factory.mktemp("kept") / "game"


@pytest.fixture
def honest(run: Run, game: Path, orders: Orders, forge: Forge, kept: Path) -> Played:
    """Play the game, or take it as it was played."""
    if kept.exists():
        shutil.copytree(kept, game.parent, dirs_exist_ok=True)
    else:
        play(run, orders)
        shutil.copytree(game.parent, kept)
    return Played(run, orders, forge)


def undo_erased(game: Played) -> Path:
    return game.again(4, *STEPS[5:])


def tail_played_anew(game: Played) -> Path:
    return game.again(8, ("blue: DRAW", "x.txt"))


def other_orders(game: Played) -> Path:
    return game.again(0, (OTHERWISE, "x.txt"))


def another_secret(game: Played) -> Path:
    document = json.loads(Path("after-0.json").read_bytes())
    Path("setup.json").write_text(json.dumps(document["setup"]["position"]))
    arguments = ["--seat", "red=Ann", "--seat", "blue=Bob", "--id", "rally", "--seed", "-", "--setup", "setup.json"]
    game.run("new", "checkpoint-rally", *arguments, "-o", "after-new.json", stdin="cd" * 32, code=0)
    shutil.copy("after-new.json", "forged.json")
    do(game.run, game.orders, "forged.json", *STEPS)
    return Path("forged.json")


def alternative_added(game: Played) -> Path:
    def change(document: Document) -> None:
        document["journal"][4]["entry"]["written"] = "MOVE D3 OR DRAW"

    return game.edited(change)


def skipped_inserted(game: Played) -> Path:
    return game.again(
        2, (f"red:\n{SKIPPED}\n{SKIPPED}\nMOVE D3", "x.txt"), STEPS[3], ("undo", "--to", "5", *STEPS[4][3:]), *STEPS[5:]
    )


def skipped_removed(game: Played) -> Path:
    return game.again(2, ("red: MOVE D3", "x.txt"), STEPS[3], ("undo", "--to", "3", *STEPS[4][3:]), *STEPS[5:])


def turns_merged(game: Played) -> Path:
    def change(document: Document) -> None:
        last = document["journal"][8]["entry"]["turn"]
        document["journal"][9]["entry"]["turn"] = last
        for receipt in document["receipts"]:
            receipt["turn"] = min(receipt["turn"], last)

    return game.edited(change)


def reason_changed(game: Played) -> Path:
    def change(document: Document) -> None:
        document["journal"][6]["entry"]["events"][0]["reason"] = "blue has asked for it"

    return game.edited(change)


def new_holder_changed(game: Played) -> Path:
    def change(document: Document) -> None:
        document["journal"][7]["entry"]["events"][0]["holder"] = "Max"

    return game.edited(change)


def first_holder_changed(game: Played) -> Path:
    def change(document: Document) -> None:
        document["setup"]["players"][0]["holder"] = "Eve"

    return game.edited(change)


HEAD = "a single head"
REPORTS = "the reports of the turns"
PUBLIC = "the public log"
OWN = "the log of the seat"
OTHER = "the log of another seat"
LOGS = {PUBLIC, OWN, OTHER}
FORGERIES: dict[Callable[[Played], Path], tuple[int | None, int | None, set[str]]] = {
    undo_erased: (5, 5, LOGS),
    tail_played_anew: (9, 9, LOGS),
    other_orders: (1, 1, LOGS),
    another_secret: (None, None, {REPORTS, *LOGS}),
    alternative_added: (4, 4, {OWN}),
    skipped_inserted: (5, 4, {OWN}),
    skipped_removed: (3, 2, {OWN}),
    turns_merged: (9, 9, LOGS),
    reason_changed: (6, 6, LOGS),
    new_holder_changed: (7, 7, LOGS),
    first_holder_changed: (None, None, LOGS),
}
"""Each forgery with the entries that the public log and the seat's own name, with proofs, and what finds it without."""
NAMES = [forgery.__name__ for forgery in FORGERIES]


def test_the_table_in_the_documents_says_the_same() -> None:
    """A row for each forgery, in the same order; what finds it only by heads or proofs is told."""
    text = (ROOT / "docs/audit.md").read_text("utf-8")
    table = [line.strip("|").split("|") for line in text.split("| forgery |")[1].splitlines()[2:] if line.startswith("|")]
    rows = [[cell.strip() for cell in row] for row in table[: len(FORGERIES)]]
    assert len({row[0] for row in rows}) == len(FORGERIES)
    for (_, _, finding), (_, *cells) in zip(FORGERIES.values(), rows, strict=True):
        shown = {text for text, cell in zip((PUBLIC, OWN, OTHER, REPORTS), cells, strict=True) if cell.startswith("yes")}
        assert shown == finding
        assert all(cell.startswith("yes") or cell in ("by proofs", "by heads") for cell in cells)


def without_proofs(text: str) -> str:
    text = re.sub(r"^ *head [0-9]+ [0-9a-f]+\n", "", text, flags=re.MULTILINE)
    return re.sub(r'"proof":"[0-9a-f]{64}",', "", text)


def bare(*paths: Path) -> None:
    Path("bare").mkdir(exist_ok=True)
    for path in paths:
        Path("bare", path.name).write_text(without_proofs(path.read_text()))


def found(run: Run, *arguments: str, code: int = 1) -> Document | None:
    line = run("audit", *arguments, "--json", code=code).stdout.splitlines()[0]
    divergence: Document | None = json.loads(line)["divergence"]
    return divergence


@pytest.mark.parametrize("forgery", FORGERIES, ids=NAMES)
def test_alone_it_is_verified_and_any_head_after_it_finds_it(run: Run, honest: Played, forgery: Any) -> None:
    forged = str(forgery(honest))
    run("audit", forged, code=0)
    last = Path("reports/9-bystanders.txt").read_text()
    heads = [f"> {line}" for line in last.splitlines() if line.startswith("  head ")]
    Path("mail.txt").write_text("\n".join(["That is what you told us:", *heads]))
    divergence = found(run, forged, "--published", "mail.txt")
    assert divergence is not None
    assert (divergence["kind"], divergence["field"]) == ("published", "mail.txt")
    assert divergence["n"] >= (FORGERIES[forgery][0] or 0)


@pytest.mark.parametrize("forgery", FORGERIES, ids=NAMES)
def test_a_log_with_proofs_names_the_entry(run: Run, honest: Played, forgery: Any) -> None:
    forged = str(forgery(honest))
    for name, n in zip(("public.jsonl", "red.jsonl"), FORGERIES[forgery][:2], strict=True):
        divergence = found(run, forged, "--published", name)
        assert divergence is not None
        assert divergence["n"] == n
        assert divergence["field"] == name


@pytest.mark.parametrize("forgery", FORGERIES, ids=NAMES)
@pytest.mark.parametrize(
    ("texts", "paths"),
    [(REPORTS, "reports/*"), (PUBLIC, "public.jsonl"), (OWN, "red.jsonl"), (OTHER, "blue.jsonl")],
    ids=["reports", "public", "own", "other"],
)
def test_what_logs_show_finds_it_even_without_heads(run: Run, honest: Played, forgery: Any, texts: str, paths: str) -> None:
    forged, (_, n, finding) = str(forgery(honest)), FORGERIES[forgery]
    bare(*Path().glob(paths))
    divergence = found(run, forged, "--published", "bare", code=1 if texts in finding else 0)
    assert (divergence is not None) == (texts in finding)
    if divergence is not None and n:
        assert divergence["n"] is None or divergence["n"] >= n
        assert divergence["field"].startswith("bare/")


def test_the_honest_game_contradicts_nothing(run: Run, honest: Played) -> None:
    texts = ["public.jsonl", "red.jsonl", "blue.jsonl", "public.txt", "reports", "out-9"]
    text = run("audit", "rally.json", "--published", *texts, code=0).stdout
    assert re.search(r"^verified +rally +.*as published \(\d+ heads, \d+ entries in \d+ texts\)", text)
    line = json.loads(run("audit", "rally.json", "--published", *texts, "--json", code=0).stdout.splitlines()[0])
    assert line["against"]["texts"] == 5 + 2 * len(STEPS) + 5 - 1
    bare(*(Path(name) for name in texts[:4]))
    assert found(run, "rally.json", "--published", "bare", code=0) is None


def test_the_line_names_entry_text_and_both_values(run: Run, honest: Played) -> None:
    text = run("audit", str(reason_changed(honest)), "--published", "public.jsonl", code=1).stdout
    assert "entry 6 (moderator: UNDO to 4): public.jsonl: told: " in text
    assert 'the wrong mail"] was published, but the game file has ' in text
    assert "blue has asked for it" in text


def test_reports_are_read_as_mail_programs_leave_them(run: Run, honest: Played) -> None:
    """Quoted, twice, with long lines broken, in one mail with another, base64 or not."""
    import base64
    import textwrap

    def quoted(text: str) -> str:
        lines = [
            part
            for line in text.splitlines()
            for part in textwrap.wrap(line, 70, drop_whitespace=False, break_long_words=False) or [""]
        ]
        return "\n".join(f"> > {line}".rstrip() for line in lines)

    body = "\n".join(quoted(Path(f"reports/{n}-red.txt").read_text()) for n in (9, 4))
    head = "Received: by mx; Mon, 2 Mar 2026 18:08:41 +0100\nMessage-ID: <1@x>\nFrom: Ann <ann@example.org>\n"
    coded = base64.encodebytes(body.encode()).decode()
    mime = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n"
    Path("mails").mkdir()
    Path("mails/plain.eml").write_text(f"{head}\n{body}\n")
    Path("mails/coded.eml").write_text(f"{head}{mime}\n{coded}\n")
    text = run("audit", "rally.json", "--published", "mails", code=0).stdout
    assert "(4 heads, " in text
    for name in ("plain.eml", "coded.eml"):
        divergence = found(run, str(alternative_added(honest)), "--published", f"mails/{name}")
        assert divergence is not None
        assert (divergence["n"], divergence["field"]) == (4, f"mails/{name}")


def test_a_shortened_head_is_enough(run: Run, honest: Played) -> None:
    head = next(line for line in Path("public.txt").read_text().splitlines() if line.startswith("head "))
    Path("note.txt").write_text(f"I have {head[: 7 + 16]}")
    run("audit", "rally.json", "--published", "note.txt", code=0)
    assert found(run, str(tail_played_anew(honest)), "--published", "note.txt") is not None


def test_what_was_only_tried_is_no_publication(run: Run, honest: Played, orders: Orders) -> None:
    tried = orders("blue: DRAW", "t.txt")
    shown = run("check", "after-8.json", tried, code=0).stdout
    Path("tried.json").write_text(run("check", "after-8.json", tried, "--json", code=0).stdout)
    Path("tried.txt").write_text(shown)
    assert "tried.json" in run("audit", "rally.json", "--published", "public.txt", "tried.json", "tried.txt", code=2).stderr
    Path("all").mkdir()
    for name in ("public.txt", "tried.json", "tried.txt"):
        shutil.copy(name, "all")
    told = run("audit", "rally.json", "--published", "all", code=0).stdout
    assert "in 1 text)" in told
    assert "  all/tried.json: compared: nothing; not compared: accepted, " in told
    assert "  all/tried.txt: compared: nothing; not compared: its text" in told


def test_a_game_that_was_cut_off_is_told(run: Run, honest: Played) -> None:
    for name in ("public.jsonl", "public.txt"):
        divergence = found(run, "after-8.json", "--published", name)
        assert divergence is not None
        assert (divergence["n"], divergence["recomputed"]) == (
            9,
            "entry 8 was published, but the game file ends with entry 7",
        )


def test_logs_of_older_versions_had_the_numbers_of_the_journal(run: Run, honest: Played) -> None:
    """Before there were heads everybody read them, with gaps where something was skipped."""
    for viewer in ("", "moderator"):
        old = in_old_numbers(run, "rally.json", viewer)
        Path(f"old{viewer}.jsonl").write_text(re.sub(r'"undone_by": [0-9]+', '"undone_by": 6', old))
        assert found(run, "rally.json", "--published", f"old{viewer}.jsonl", code=0) is None
        for forgery in (undo_erased, tail_played_anew, other_orders, reason_changed):
            assert found(run, str(forgery(honest)), "--published", f"old{viewer}.jsonl") is not None


def test_an_entry_that_is_nobody_s_is_told_without_anybody(run: Run, honest: Played) -> None:
    text = run("audit", "after-8.json", "--published", "public.txt", code=1).stdout
    assert "rally  entry 9: public.txt: " in text


def test_a_line_left_out_of_a_log_is_told(run: Run, honest: Played) -> None:
    rows = Path("public.jsonl").read_text().splitlines(keepends=True)
    Path("cut.jsonl").write_text(without_proofs("".join(rows[:4] + rows[5:])))
    divergence = found(run, "rally.json", "--published", "cut.jsonl")
    assert divergence is not None
    assert (divergence["n"], json.loads(rows[4])["n"]) == (5, 4)  # players count without what was skipped


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*/*/game.json")), ids=lambda path: path.parent.name)
def test_what_is_published_of_the_examples_is_as_their_files(run: Run, path: Path) -> None:
    seats = [player["seat"] for player in json.loads(path.read_bytes())["setup"]["players"]]
    for seat in (*seats, "moderator"):
        Path(f"{seat}.jsonl").write_text(run("log", path, "--json", "--as", seat, code=0).stdout)
        Path(f"{seat}.txt").write_text(run("log", path, "--events", "--as", seat, code=0).stdout)
        Path(f"{seat}.show").write_text(run("show", path, "--as", seat, code=0).stdout)
    result = run("audit", path, "--published", ".")
    assert (result.exit_code, "as published" in result.stdout) == (0, True), result.output


def test_misuse_is_told(run: Run, honest: Played) -> None:
    Path("nothing.txt").write_text("Hello!")
    for arguments in (
        ["rally.json", "--published", "nothing.txt"],
        ["rally.json", "--published", "nowhere.txt"],
        ["out-9", "--published", "public.txt"],
        ["rally.json", "--published", "public.txt", "--impact"],
    ):
        assert run("audit", *arguments, code=2).stderr
    Path("picture.png").write_bytes(bytes(range(256)) * 9)
    run("audit", "rally.json", "--published", "picture.png", code=3)


def test_another_game_s_texts_are_not_taken_for_this_one_s(run: Run, honest: Played) -> None:
    text = Path("public.txt").read_text().replace("rally · ", "tally · ", 1)
    Path("other.txt").write_text(text)
    divergence = found(run, "rally.json", "--published", "other.txt")
    assert divergence is not None
    assert divergence["recomputed"] == "the published game is tally, but the game file has rally"


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


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_proof_or_hash_is_refused(run: Run, honest: Played, name: str) -> None:
    for text in (MALFORMED[name], f"{MALFORMED[name]}\n{Path('public.jsonl').read_text()}"):
        Path("malformed.txt").write_text(text)
        assert (
            "malformed.txt: this text cannot be compared\n"
            in run("audit", "rally.json", "--published", "public.jsonl", "malformed.txt", code=3).stderr
        )


def test_a_log_as_text_is_not_compared(run: Run, honest: Played) -> None:
    """A changed line of it is not found, so the audit says what it has read, and what to give instead."""
    Path("forged.txt").write_text(Path("public.txt").read_text().replace("MOVE D3", "MOVE C2"))
    text = run("audit", "rally.json", "--published", "public.jsonl", "forged.txt", code=0).stdout
    asked = "not compared: its text (give the JSON of a log: `adjudicator log --json`)"
    assert f"  forged.txt: compared: heads 8, commitment, game; {asked}\n" in text
    everything = "heads 0 to 8, entries 0 to 8, commitment, set-up, game; not compared: nothing else is in it"
    assert f"  public.jsonl: compared: {everything}\n" in text
    Path("forged.txt").write_text(without_proofs(Path("forged.txt").read_text()).replace("commitment", ""))
    assert (
        "give the lines of `adjudicator log --json`"
        in run("audit", "rally.json", "--published", "forged.txt", code=2).stderr
    )


def test_positions_and_receipts_are_not_compared(run: Run, honest: Played) -> None:
    shown = json.loads(run("show", "rally.json", "--json", code=0).stdout)
    shown["view"]["state"]["board"] = {}
    Path("show.json").write_text(json.dumps(shown))
    Path("turn.json").write_text(Path("out-9/manifest.json").read_text())
    text = " ".join(run("audit", "rally.json", "--published", "show.json", "turn.json", code=0).stdout.split())
    assert "show.json: compared: heads 8, commitment, game; not compared: " in text
    assert ", view.state," in text
    assert "turn.json: compared: heads 8, beginning, game; not compared: awaited, over, receipts, reports, turn" in text


@pytest.mark.parametrize(
    "text",
    [
        '{"n":1,"turn":[],"seat":{},"order":"","min":0.5,"before":null,"after":null,"why":{},"told":[1]}',
        '{"n":99999999999999999999,"proof":"' + "a" * 64 + '"}',
        '{"begun":{"players":7.5,"game":[]},"n":0}\n' + "commitment " + "0" * 64,
        "head 999999999 " + "a" * 64,
    ],
)
def test_hostile_texts_are_told_and_break_nothing(run: Run, honest: Played, text: str) -> None:
    Path("hostile.txt").write_text(text)
    assert found(run, "rally.json", "--published", "hostile.txt") is not None


# Forged texts


def published_texts(run: Run, orders: Orders) -> dict[str, str]:
    """Return a text of each kind that people receive of the honest game."""
    texts = {}
    for viewer in ("red", "blue", "moderator"):
        texts[f"log-{viewer}.jsonl"] = run("log", "rally.json", "--json", "--as", viewer).stdout
        texts[f"show-{viewer}.json"] = run("show", "rally.json", "--json", "--as", viewer).stdout
        texts[f"report-{viewer}.json"] = run("report", "rally.json", "--format", "json", "--as", viewer).stdout
    texts["log.jsonl"], texts["log.txt"] = Path("public.jsonl").read_text(), Path("public.txt").read_text()
    texts["manifest.json"], texts["report.txt"] = (Path("out-9", one).read_text() for one in ("manifest.json", "red.txt"))
    texts["apply.json"] = run("apply", "after-8.json", orders(*STEPS[7]), "-o", "again.json", "--json", code=0).stdout
    receipt = run("apply", "after-8.json", orders(*STEPS[7]), "-o", "again.json", "--force", code=0).stdout
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
    shallow = [place for place in every if len(place) < 3 + is_lines]
    place = luck.choice(luck.choice([every, shallow]))
    *above, key = place
    inside = document
    for one in above:
        inside = inside[one]
    how = luck.choice(["drop", "swap", "alter", "note"])
    other = luck.choice(list(inside if isinstance(inside, dict) else range(len(inside))))
    if how == "drop":
        del inside[key]
    elif how == "swap" and inside[key] != inside[other]:
        inside[key], inside[other] = inside[other], inside[key]
    elif how == "note" and isinstance(inside[key], dict) and "undone_by" not in inside[key]:
        inside[key]["undone_by"] = luck.randrange(9)
    else:
        inside[key] = altered(inside[key], luck)
    made = document if is_lines else [document]
    names = [one for one in (place[1:] if is_lines else place) if isinstance(one, str)]
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


def compared(text: str, name: str) -> tuple[bool, dict[str, tuple[str, ...]]]:
    """Return whether the audit finds something in ``text``, and which parts it has compared and which not."""
    Path(name).write_text(text)
    try:
        published = adj.read_published([name])
        (found,) = adj.audit_files("rally.json", published=published)
    except adj.FileProblem:
        return True, {}
    assert isinstance(found, adj.Verdict) and found.compared is not None
    (detail,) = found.compared.details
    return found.divergence is not None, {"compared": detail.as_published, "not compared": detail.not_compared}


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 13))])
def test_every_changed_text_is_found_or_its_part_named_as_not_compared(
    run: Run, honest: Played, orders: Orders, seed: int
) -> None:
    """Three changes of each of 16 texts for each seed, 576 in all: what is compared contradicts, all else is named."""
    luck, texts, wrong, found = random.Random(seed), published_texts(run, orders), [], 0
    for name, text in texts.items():
        is_found, before = compared(text, name)
        assert not is_found, name
        for _ in range(3):
            made, place = (changed_json if ".json" in name else changed_text)(text, luck)
            while made == text:
                made, place = (changed_json if ".json" in name else changed_text)(text, luck)
            is_found, after = compared(made, name)
            found += is_found
            named = (*before["not compared"], *after.get("not compared", ()))
            parts = [part.partition(" (")[0] for part in named]
            is_named = any(f"{place}.".startswith(f"{part}.") or part.startswith(f"{place}.") for part in parts)
            is_less = before["compared"] != after.get("compared")
            if not (is_found or is_named or is_less):
                wrong.append((name, place, made))
    assert [(name, place) for name, place, _ in wrong] == []
    assert found
