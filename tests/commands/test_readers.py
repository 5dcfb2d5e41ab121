"""What a reader may know: the same, to the byte, whatever others hold, have sent, have tried in vain, or will draw."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.errors import NoOrdersError
from adjudicator.library.rulesets import ruleset_ids
from tests.drivers.commands import POSITION, Run, argv, begun, rally, written

PROOF = re.compile(r'(?<=head \d )[0-9a-f]{64}|(?<="proof":")[0-9a-f]{64}')
HEAD = re.compile(r"^ *head (\d+) ([0-9a-f]{64})$", re.MULTILINE)
NOT_KNOWN = "This file does not know the hands, the secrets and the orders of others, or later draws."
Forge = Callable[[dict[str, Any]], bytes]


def bare(text: str) -> str:
    """Return ``text`` without the proofs of heads, which depend on what is hidden, and in which nobody can read anything."""
    return PROOF.sub("PROOF", text)


def folder(path: str) -> dict[str, str]:
    return {one.name: one.read_text() for one in Path(path).iterdir()}


def rows(run: Run, game: str | Path, *options: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("log", game, "--json", *options, code=0).stdout.splitlines()]


def mail(text: str, minute: int = 8, number: int = 1) -> str:
    received = f"Received: by mx; Mon, 2 Mar 2026 18:{minute:02}:41 +0100"
    return f"{received}\nMessage-ID: <{number}@x>\nFrom: Ann <ann@example.org>\n\n{text}"


# The reports of a turn ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blue", ["REFRESH\nDRAW", "MVOE\nnonsense\n\n\nDRAW", "I am away this week.", None])
@pytest.mark.parametrize("form", ["mails", "text", "mailbox"])
def test_what_others_have_sent_does_not_change_a_seat_s_report(run: Run, blue: str | None, form: str) -> None:
    """Not what waits, not what was refused, not how much it was: not in the words, the places or the hashes."""
    red, found = "MOVE D3\nMOVE Z9\nTELEPORT\nDRAW", []
    for theirs in ("DRAW", blue):
        if form == "mails":
            given = [f"red={written(mail(red), 'r.eml')}"]
            given += [] if theirs is None else [f"blue={written(mail(theirs, 3), 'b.eml')}"]
        elif form == "text":
            lines = (theirs or "").replace("I am", "# I am")
            given = [written(f"blue:\n{lines}\nred:\n{red}\n", "t.txt")]
        else:
            texts = [
                mail(f"{seat}:\n{text}\n", 4, at) for at, (seat, text) in enumerate((("blue", theirs or ""), ("red", red)))
            ]
            given = [
                written("".join(f"From ann@example.org Mon Mar  2 10:00:00 2026\n{text}\n" for text in texts), "in.mbox")
            ]
        run("turn", rally(), *given, "-o", "out", "--force")
        Path("rally.json.outbox").unlink()
        found.append(folder("out"))
    for name in ("red.txt", "bystanders.txt"):
        assert found[0][name] == found[1][name]
    assert "MOVE Z9" in found[0]["red.txt"]


def test_nor_do_the_hands_of_others_or_answers_that_are_sealed(run: Run) -> None:
    """In Checkpoint Charlie all lay a clue at once: which one, nobody learns from a report but who laid it."""
    charlie = adj.new("checkpoint-charlie", ["red", "blue", "green"], seed="ab" * 32, id="c")
    red, blue = POSITION["seats"]
    pairs = [
        [
            (begun({**POSITION, "seats": [red, {**blue, "hand": hand}]}), "red", "MOVE D3")
            for hand in (["U1", "U2"], ["G4", "G5"])
        ],
        [(charlie, "blue", row.order) for row in charlie.seen_by("blue").legal[:2]],
    ]
    for pair in pairs:
        found = []
        for game, seat, order in pair:
            written(game.to_bytes(), "g.json")
            run("turn", "g.json", f"{seat}={written(order)}", "-o", "out", "--force", code=0)
            Path("g.json.outbox").unlink()
            found.append(folder("out"))
            shutil.rmtree("out")
        for name in found[0]:
            is_open = name in ("blue.txt", "moderator.txt", "manifest.json")
            assert (bare(found[0][name]) == bare(found[1][name])) != is_open, name


# Orders that were skipped ---------------------------------------------------------------------------------------------

NEVER = "IF minutes is 999 THEN DRAW"
LOOKS = """\
log
log --json
log --events
log --as blue --json
log --as blue --events
log --turn 3
replay
replay --json
replay --json --boards --as blue
replay --as blue --boards
replay --as blue --until 3
replay --from 2 --until 4
show
show --json
show --as blue
show --as blue --json
pending --as blue
pending --as blue --json
report
report --as blue --format json
"""


def played(run: Run, name: str, tried: int, alone: bool = False) -> list[str]:
    """Play five turns, in which red tries orders in vain, ``alone`` in mails of their own; return what others were sent."""
    game = adj.new("checkpoint-rally", ["red", "blue"], seed="07" * 32, id="g")
    written(game.to_bytes(), name)
    sent = []
    for _ in range(5):
        seat = adj.open(name).due_seats[0]
        order, vain = adj.open(name).seen_by(seat).legal[0].order, [NEVER] * (tried if seat == "red" else 0)
        for sheet in [vain[:1], vain[1:], [order]] if alone and seat == "red" else [[*vain, order]]:
            run("turn", name, written("\n".join([f"{seat}:", *sheet, ""])), "-o", "out")
            sent += [bare(Path("out", file).read_text()) for file in ("blue.txt", "bystanders.txt")]
        shutil.rmtree("out")
    return sent


@pytest.fixture(scope="module")
def gappy() -> bytes:
    """Return the file of a game in which red has tried two orders in vain in each of its turns."""
    game = adj.new("checkpoint-rally", ["red", "blue"], seed="07" * 32, id="g")
    for _ in range(5):
        seat = game.due_seats[0]
        vain = [NEVER, NEVER] if seat == "red" else []
        game = game.apply("\n".join([f"{seat}:", *vain, game.seen_by(seat).legal[0].order])).game
    return game.to_bytes()


@pytest.mark.parametrize("alone", [False, True])
def test_nobody_else_can_tell_whether_an_order_was_skipped(run: Run, alone: bool) -> None:
    assert played(run, "plain.json", 0, alone) == played(run, "gappy.json", 2, alone)
    for look in LOOKS.splitlines():
        name, *options = look.split()
        texts = [bare(run(name, game, *options, code=0).stdout) for game in ("plain.json", "gappy.json")]
        assert texts[0] == texts[1], look
    told = []
    for name in ("plain.json", "gappy.json"):
        game = adj.open(name)
        result = game.apply(f"{game.due_seats[0]}:\n{game.seen_by(game.due_seats[0]).legal[0].order}\n")
        told.append([order.reason for receipt in result.receipts for order in receipt.orders])
    assert told == [["entry 6"]] * 2


def test_the_moderator_reads_both_numbers_and_red_its_own_under_the_number_before(run: Run, gappy: bytes) -> None:
    """A player says "entry 3": the moderator finds it, and goes back to it by the number of the file."""
    written(gappy, "g.json")
    own = [row for row in rows(run, "g.json", "--as", "moderator") if "skipped" not in row]
    known = {row.get("public", row)["n"]: row for row in own}
    public = rows(run, "g.json")
    assert [known[row["n"]]["order"] for row in public] == [row["order"] for row in public]
    three = known[3]
    text = run("log", "g.json", "--as", "moderator", code=0).stdout
    second = next(row for row in rows(run, "g.json", "--as", "moderator") if row.get("skipped") == 2)
    assert three["n"] > 3 and f"{three['n']} (3)  {three['seat']}" in text
    assert f"{second['n']} ({second['public']['n']}b)  red " in text
    mine = [row for row in rows(run, "g.json", "--as", "red") if "skipped" in row]
    assert [row["skipped"] for row in mine[:2]] == [1, 2]
    assert all(row["seat"] == "red" and "public" not in row for row in mine)
    text = run("log", "g.json", "--as", "red", code=0).stdout
    assert f" {mine[0]['n']}a  red " in text and f" {mine[0]['n']}b  red " in text
    run("undo", "g.json", "--to", three["n"], "--reason", "a mail", code=0)
    assert rows(run, "g.json")[-1]["order"] == "UNDO to 3"
    last = rows(run, "g.json", "--as", "moderator")[-1]
    text = run("log", "g.json", "--as", "moderator", code=0).stdout
    assert f"UNDO to {three['n']} (3)" in text and f"undone by entry {last['n']} ({last['public']['n']})" in text


def test_what_was_skipped_alone_has_the_number_of_the_turn_before_and_older_games_stand(run: Run) -> None:
    """A turn of which nobody is told anything would tell that there was something. Older versions counted such a turn."""
    game = adj.new("checkpoint-rally", ["red", "blue"], seed="07" * 32, id="g")
    seat, never = game.due_seats[0], f"{game.due_seats[0]}: {NEVER}"
    order = f"{seat}: {game.seen_by(seat).legal[0].order}"
    turns = []
    for text in (never, never, order, never):
        turns.append(game.turn)
        game = game.apply(text).game
    assert turns == [1, 1, 1, 2]
    game = game.undo(0, "x").apply(never).game.apply(order).game
    entries = [link["entry"] for link in json.loads(game.to_bytes())["journal"]]
    recorded = [(entry["order"], entry["turn"]) for entry in entries]
    assert [turn for name, turn in recorded if name == "(condition not met)"][:2] == [0, 0]
    assert [turn for _, turn in recorded][-3:] == [2, 2, 3]
    again = adj.play_script(game.script(with_secret=True).text).game
    assert game.audit().is_verified and again is not None and again.head == game.head
    heads = f"script checkpoint-rally\nid g\nseat red\nseat blue\nseed {'07' * 32}"
    old = adj.play_script(f"{heads}\nturn 1\n{never}\nturn 2\n{order}\n").game
    assert old is not None and old.audit().is_verified
    assert [link["entry"]["turn"] for link in json.loads(old.to_bytes())["journal"]] == [0, 1, 2]
    assert f"turn 1\n{seat}: IF minutes = 999 THEN DRAW\nturn 2\n" in old.script(with_secret=True).text
    for last in (order, f"{never}\n{order}", "reveal"):
        assert "script/bad-turn" in {one.code for one in adj.play_script(f"{heads}\nturn 0\n{last}\n").problems}


# Heads ----------------------------------------------------------------------------------------------------------------


def heads(text: str) -> set[tuple[int, str]]:
    return {(int(n), proof) for n, proof in HEAD.findall(text)}


def head(path: str | Path) -> tuple[int, str]:
    found = adj.open(path).head
    assert found is not None
    return found.n, found.proof


def test_everything_that_is_sent_out_is_headed_by_entry_and_proof(run: Run) -> None:
    game = rally()
    before = head(game)
    text = run("apply", game, "-", stdin="red: MOVE D3", code=0).stdout
    now = head(game)
    assert text.splitlines()[-1] == "head {} {}".format(*now)
    assert "\n  head {} {}".format(*now) in text[text.index("red: received") :].split("\n\n")[0]
    for look in ("show", "show --as red", "log", "log --as blue --events", "pending", "report --as red"):
        name, *options = look.split()
        text = run(name, game, *options, code=0).stdout
        assert (heads(text), "commitment " in text) == ({now}, True)
        assert max(len(line) for line in text.splitlines() if "head " in line) <= 78  # no mail program breaks it
    as_data = {"n": now[0], "proof": now[1]}
    for name in ("show", "pending"):
        assert json.loads(run(name, game, "--json", code=0).stdout)["head"] == as_data
    for name in ("log", "replay"):
        told = [json.loads(line) for line in run(name, game, "--json", code=0).stdout.splitlines()][:2]
        assert [row["proof"] for row in told] == [before[1], now[1]]
    shutil.copy(game, "turn.json")
    assert heads(run("turn", "turn.json", "-", "-o", "out", stdin="red: MOVE C3", code=0).stdout) == {head("turn.json")}
    texts = folder("out")
    assert {name: heads(text) for name, text in texts.items() if name.endswith("txt")} == {
        name: {head("turn.json")} for name in ("red.txt", "blue.txt", "bystanders.txt", "moderator.txt")
    }
    assert heads(run("undo", game, "--to", "0", "--reason", "slip", code=0).stdout) == {head(game)}
    for command in (["check"], ["apply", "--dry-run"], ["check", "--as", "red"]):
        line = run(command[0], game, written("red: MOVE D3"), *command[1:], code=0).stdout
        assert not heads(line), "what is only tried has none"
    tried = run("check", game, "turn.txt", "--json", code=0).stdout
    assert '"head"' not in tried and '"proof"' not in tried


def test_no_head_tells_what_others_skipped_and_recorded_chance_has_none(run: Run) -> None:
    game = rally()
    before = head(game)
    run("apply", game, "-", stdin="red: IF minutes > 500 THEN DRAW", code=0)
    for viewer in ([], ["--as", "blue"], ["--as", "red"], ["--as", "moderator"]):
        assert heads(run("show", game, *viewer, code=0).stdout) == {before}
    run("apply", game, "-", stdin="red: MOVE D3", code=0)
    assert {n for n, _ in heads(run("show", game, "--as", "moderator", code=0).stdout)} == {1}
    written("1 2 3 4", "draws.txt")
    run(*argv("new checkered-flag --seat red --seat blue --recorded draws.txt -o flag.json"), code=0)
    assert not heads(run("show", "flag.json", code=0).stdout)
    assert json.loads(run("show", "flag.json", "--json", code=0).stdout)["head"] is None


def test_once_the_secret_is_out_no_entry_is_proved_until_the_game_is_over(run: Run) -> None:
    """Whoever knows the secret can try out what was sealed or drawn, by the proof as well as by the hash."""
    game = rally()
    run("apply", game, "-", stdin="red: MOVE D3", code=0)
    before = head(game)
    run("reveal", game, "--before-the-end", "--reason", "all may know", code=0)
    run("apply", game, "-", stdin="red: MOVE C3", code=0)
    for look in (["show"], ["log", "--as", "moderator"], ["show", "--as", "red"]):
        assert heads(run(look[0], game, *look[1:], code=0).stdout) == {before}
    for look in (["log"], ["replay"], ["log", "--as", "moderator"]):
        lines = run(look[0], game, *look[1:], "--json", code=0).stdout.splitlines()[:4]
        assert ["proof" in json.loads(line) for line in lines] == [True, True, False, False]


def test_a_sealed_order_cannot_be_tried_out_by_what_is_published(run: Run) -> None:
    """Who knows the hash before it, and all that an entry may be, has still to know the secret.

    With the hash of the entry itself it is done at once: so that is what must not be published.
    """
    start = adj.new("checkpoint-charlie", ["red", "blue", "green"], seed="ab" * 32, id="c")
    clues = [row.order for row in start.seen_by("blue").legal]
    written(start.apply(f"blue: {clues[1]}").game.to_bytes(), "c.json")
    published = run("log", "c.json", "--json").stdout + run("show", "c.json", "--as", "red", "--json").stdout

    def entry(clue: str) -> tuple[str, str, bytes]:
        before, after = json.loads(start.apply(f"blue: {clue}").game.to_bytes())["journal"][:2]
        text = json.dumps(after["entry"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return before["hash"], after["hash"], text.encode()

    hash_ = entry(clues[1])[1]
    tried = [sha256(before.encode() + text).hexdigest() for before, _, text in map(entry, clues)]
    assert tried.index(hash_) == 1
    assert not any(one in published for one in (entry(clues[1])[0], *tried))
    assert head("c.json")[1] in published


# A seat's own check, and its own file --------------------------------------------------------------------------------------

SHEETS = {
    "checkpoint-rally": "DRAW | PLACE H1 at C3 | PLACE G1 at A1 OR MOVE C3 | KEEP H1 | TAKE H1 | IF hand has H1 THEN DRAW",
    "checkpoint-charlie": "CLUE hat | CLUE no hat | ACCUSE Fleming | ACCUSE Boris | SWAP white with red | WAIT | ANNOUNCE",
    "checkered-flag": "GEAR 1 | GEAR 3 | BRAKE 2 | GEAR 1 brake to 36 | GO",
}
"""Orders of which many are refused, with suggestions."""


def checked(game: adj.Game, text: str, seat: str, bound: str = "") -> list[tuple[Any, ...]]:
    """Return all that ``seat`` is told of a text."""
    try:
        result = game.seen_by(seat).check({bound: text} if bound else text)
    except NoOrdersError:
        return []
    assert not (result.log or result.notes or result.receipts or result.is_changed)
    assert {sheet.seat for sheet in result.game.seen_by(seat).pending.waiting} <= {seat}
    return [
        (found.seat, found.code, found.message, found.suggestions, found.line, found.column) for found in result.problems
    ]


@pytest.mark.parametrize("ruleset", SHEETS)
@pytest.mark.parametrize("orders", [0, 3, 8])
def test_a_seat_s_check_does_not_depend_on_what_is_drawn_later_or_others_have_sent(
    ruleset: str, orders: int, forge: Forge
) -> None:
    seats = ["red", "blue", "green"][: 3 if ruleset == "checkpoint-charlie" else 2]
    game = adj.new(ruleset, seats, id="g", seed=7)
    for _ in range(orders):
        seat = (*game.due_seats, "")[0]
        game = game.apply(f"{seat}: {game.seen_by(seat).legal[0].order}\n").game if seat else game
    document = json.loads(game.to_bytes())
    drawn = adj.new(ruleset, seats, id="g", seed="5" * 64)
    document["chance"] |= {"secret": "5" * 64, "commitment": drawn.commitment}
    elsewhere = adj.open(forge(document))
    lines = SHEETS[ruleset].split(" | ")
    for seat in seats:
        sheet = f"{seat}:\n" + "".join(f"  {line}\n" for line in lines)
        mine = checked(game, sheet, seat)
        assert checked(elsewhere, sheet, seat) == mine
        for order in lines:
            text = f"{seat}: {order}\n  {order}\n"
            assert checked(elsewhere, text, seat) == checked(game, text, seat)
        for other in (one for one in seats if one != seat):
            for order in lines:
                theirs = f"{other}: {order}\n"
                assert checked(game, sheet + theirs, seat) == mine, "neither in the same text"
                after = game.apply(theirs)
                if not after.log:
                    assert checked(after.game, sheet, seat) == mine, "nor waiting in the game"


@pytest.mark.parametrize("ruleset", SHEETS)
def test_of_others_orders_and_sealed_answers_a_seat_is_told_nothing(ruleset: str) -> None:
    """A sheet of red's in blue's own mail is refused unseen: what is wrong with it would tell what red holds."""
    seats = ["red", "blue", "green"][: 3 if ruleset == "checkpoint-charlie" else 2]
    game = adj.new(ruleset, seats, id="g", seed=7)
    lines = SHEETS[ruleset].split(" | ")
    for order in (*lines, "NONSENSE", "IF hand has Q THEN DRAW"):
        assert checked(game, f"red: {order}", "blue") == []
        bound = checked(game, f"red: {order}", "blue", bound="blue")
        full = game.apply({"blue": f"red: {order}"}).problems
        assert {code for _, code, *_ in bound} | {found.code for found in full} <= {"orders/not-yours", "orders/empty"}
        assert {found.seat for found in full} <= {"blue"}
    assert len({repr(checked(game, f"red: {one}", "blue", bound="blue")) for one in lines}) == 1
    if ruleset == "checkpoint-charlie":
        sealed = [game.apply(f"red: {row.order}").game for row in game.seen_by("red").legal]
        for order in ("CLUE hat", "ACCUSE Boris", "PASS"):
            assert len({repr(checked(one, f"blue: {order}", "blue")) for one in sealed}) == 1 < len(sealed)
        own = next(found for face in ("hat", "grey", "no hat") for found in checked(game, f"blue: CLUE {face}", "blue"))
        assert (own[:2], own[4:], bool(own[3])) == (("blue", "checkpoint-charlie/not-on-counter"), (1, 12), True)


def test_the_command_checks_for_a_seat_and_tells_only_its_own_ignored_lines(run: Run) -> None:
    run(*argv("new checkpoint-charlie --seat red --seat blue --seat green --seed"), "07" * 32, code=0)
    text = written("red: CLUE pink\nblue: CLUE pink\n  ACCUSE Nobody\ngreen: ACCUSE Nobody\n")
    result = run("check", "game.json", text, "--as", "blue", code=1)
    assert "orders of blue: 2 problems; no order was carried out" in result.stdout
    assert "red:" not in result.output and "green:" not in result.output
    found = json.loads(run("check", "game.json", text, "--as", "blue", "--json", code=1).stdout)
    assert {problem["seat"] for problem in found["problems"]} == {"blue"}
    assert (found["accepted"], found["notes"], found["ignored"], found["receipts"]) == ([], [], [], [])
    run(*argv("new checkered-flag --seat red --seat blue -o flag.json"), code=0)
    for name, lines in (
        ("r.txt", "GEAR 1\nPLOUGH 2\n"),
        ("b.txt", "GEAR 1\nPLOUGH 2\n"),
        ("all.txt", "red: GEAR 1\nPLOUGH 3\n"),
    ):
        written(lines, name)
    line = "check flag.json red=r.txt blue=b.txt all.txt --as red --json"
    ignored = json.loads(run(*line.split()).stdout)["ignored"]
    assert [(one["source"], one["line"], one["text"].strip()) for one in ignored] == [("r.txt", 2, "PLOUGH 2")]
    written("WITHDRAW from 3\n", "w.txt")
    missed = run(*argv("check flag.json red=r.txt red=w.txt --as red"), code=1)
    assert "w.txt:1:1: core/nothing-waits" in missed.stderr and "there is no order 3 to withdraw" in missed.stderr
    run(*argv("check flag.json red=w.txt --as red"), code=0)  # an earlier mail may have these orders


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_a_player_s_own_file_says_at_home_what_the_moderator_would_say_and_no_more(run: Run, ruleset: str) -> None:
    (played,) = adj.simulate_games(ruleset, 1, most_orders=12)
    written(played.to_bytes(), "game.json")
    seats = adj.open("game.json").seats
    written("nonsense\n", "orders.txt")
    for seat in seats:
        run("report", "game.json", "--as", seat, "--format", "game", "-o", "own.json", "--force", code=0)
        for look in ("show", "legal", "log --events", f"check {seat}=orders.txt"):
            name, *more = look.split()
            for options in (more, [*more, "--json"]):
                there, here = run(name, "game.json", *options, "--as", seat), run(name, "own.json", *options)
                assert (here.exit_code, here.stderr) == (there.exit_code, there.stderr)
                is_json = "--json" in options
                assert here.stdout.replace("" if is_json else NOT_KNOWN, "").rstrip() == there.stdout.rstrip()
                assert is_json or NOT_KNOWN in here.stdout
        document, shown = json.loads(Path("own.json").read_text()), json.loads(run("show", "own.json", "--json").stdout)
        assert (document["chance"]["secret"], document["setup"]["position"]) == (None, None)
        assert document["view"] == shown["view"]["state"]
        assert {sheet["seat"] for sheet in document["pending"]} <= {seat}


def test_an_own_file_has_costs_own_pending_orders_and_is_known_whatever_a_seat_is_called(run: Run) -> None:
    game = rally()
    line = "--format game -o"
    run("report", game, "--as", "red", *line.split(), "red.json", code=0)
    text = written("red:\nMOVE D3\nDRAW\nDRAW\n")
    for given in (("red.json",), (game, "--as", "red")):
        found = json.loads(run("check", *given, text, "--json", code=0).stdout)["costs"]
        assert [(one["line"], one["min"]) for one in found] == [(2, 2), (3, 2), (4, None)]
        assert found[2]["unknown"].startswith("Something that you do not know decides from here: a draw")
    run("turn", game, "-", "-o", "turn", "--format", "txt,game", stdin="red: MOVE D3\nblue: DRAW\n  REFRESH\n", code=0)
    files = {seat: Path("turn", f"{seat}.game.json").read_text() for seat in ("red", "blue")}
    assert ("REFRESH" in files["red"], "REFRESH" in files["blue"]) == (False, True)
    run("legal", "turn/red.game.json", code=0)
    new = "new checkpoint-rally --seat seat_file --seat blue --entropy seat_file=hen -o game.json --seed"
    run(*new.split(), "ab" * 32, code=0)
    run("report", "game.json", "--as", "seat_file", *line.split(), "own.json", code=0)
    for name in ("game.json", "own.json"):
        for command in ("show", "log", "legal"):
            run(command, name, code=0)
        run("check", name, "seat_file=-", stdin="DRAW")
    assert "player's own file" in run("apply", "own.json", "seat_file=-", stdin="DRAW", code=2).stderr
    whole = Path("own.json").read_bytes()
    for old, new_bytes in ((whole[-20:], b""), (b'"turn":1', b'"turn":2'), (b'"seat_file":2', b'"seat_file":9')):
        Path("own.json").write_bytes(whole.replace(old, new_bytes, 1))
        run("show", "own.json", code=3)
