"""Texts and mails on the command line: mistakes told under their line, mails bound to seats, copies, hostile input."""

from __future__ import annotations

import base64
import json
import quopri
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from tests.drivers.commands import Run, rally, rally_bytes, written
from tests.drivers.mails import corpus

MISTAKES = [
    ("PLAC H2 at B1", "orders/unknown-order", "PLAC"),
    ("TELEPORT B1", "orders/unknown-order", "TELEPORT"),
    ("MOVE", "orders/incomplete", ""),
    ("PLACE H99 at B1", "checkpoint-rally/unknown-tile", "H99"),
    ("PLACE H2 at Z9", "checkpoint-rally/unknown-cell", "Z9"),
    ("MOVE D3 F3", "checkpoint-rally/unknown-cell", "F3"),
    ("PLACE H2 at B1 rot 45", "checkpoint-rally/bad-rotation", "45"),
    ("PLACE H9 at B1", "checkpoint-rally/not-in-hand", "H2 H3 G1"),
    ("PLACE H2 at A1", "checkpoint-rally/car-on-cell", "blue"),
    ("PLACE H2 at C3", "checkpoint-rally/car-on-cell", "red"),
    ("MOVE B3", "checkpoint-rally/no-road", "C2, D3"),
    ("MOVE C4", "checkpoint-rally/no-tile", "C4"),
    ("MOVE E5", "checkpoint-rally/not-adjacent", "C3"),
    ("MOVE D3 C3 C2", "checkpoint-rally/three-steps", "not 3"),
    ("TAKE H4", "checkpoint-rally/gps-spent", "GPS"),
    ("PLACE H2 at B3 gps", "checkpoint-rally/gps-spent", "GPS"),
    ("TAKE U9", "checkpoint-rally/not-in-row", "H4 H5 H6"),
    ("DISCARD H2", "checkpoint-rally/no-discard-due", "nothing to discard"),
    ("IF wealth > 3 THEN DRAW", "orders/unknown-fact", "wealth"),
    ("DRAW [H1 H2]", "core/chance-not-recorded", "brackets"),
    ("MOVE B3 OR MOVE C4", "checkpoint-rally/no-tile", "C4"),
    ("IF gps = 0 THEN TAKE H4", "checkpoint-rally/gps-spent", "GPS"),
    ("IF hand ıs 3 THEN DRAW", "orders/unexpected", ""),
    ("DRAW " * 190_000, "orders/line-too-long", "characters"),
    ("(" * 200 + "DRAW" + ")" * 200, "orders/too-deep", "brackets"),
    ("PLACE \x1b[31mH2\x07 at B1", "orders/", "␛"),
]


@pytest.mark.parametrize(("order", "code", "words"), MISTAKES, ids=[ascii(order[:24]) for order, *_ in MISTAKES])
def test_a_mistake_is_told_under_its_line_and_changes_nothing(run: Run, order: str, code: str, words: str) -> None:
    game = rally()
    for command in ("check", "apply"):
        result = run(command, game, written(f"red: {order}"), code=1)
        assert result.stderr.startswith("turn.txt:1:")
        assert code in result.stderr and words in result.stderr and "^" in result.stderr
        assert ("\x1b" in result.output, max(map(len, result.stderr.splitlines())) < 250) == (False, True)
        assert "0 orders" in result.stdout and "red (line 1 of turn.txt)" in result.stdout
        assert "1 problem" in result.stdout or " OR " in order
        assert game.read_bytes() == rally_bytes()


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("", "orders/empty", "turn.txt: "),
        ("\n \n\t\n", "orders/empty", "turn.txt: "),
        ("# nothing but remarks\n", "orders/empty", "turn.txt: "),
        ("game rally\nturn 1\n", "orders/empty", "turn.txt: "),
        ("> red: DRAW\n", "orders/empty", "turn.txt: "),
        (bytes(range(256)), "orders/not-text", "turn.txt: "),
        (b"\x7fELF\x00\x00" * 100, "orders/not-text", "turn.txt: "),
        ("red: DRAW\n" * 1_000_000, "orders/too-large", "turn.txt: "),
        (b"x" * 10_000_000, "10,000,000", "turn.txt: "),
        ("red: " + "DRAW " * 250_000, "orders/too-large", "turn.txt: "),
        ("red: DRAW\n" * 30_000, "orders/too-many-lines", "turn.txt: "),
        ("DRAW\n", "orders/no-seat", "turn.txt:1:"),
        ("green: DRAW", "orders/unknown-seat", "turn.txt:1:"),
        ("game rally-43\nred: DRAW", "orders/wrong-game", "turn.txt:1:"),
        ("turn 7\nred: DRAW", "orders/wrong-turn", "turn.txt:1:"),
        ("turn 0\nred: DRAW", "orders/wrong-turn", "turn.txt:1:"),
    ],
)
def test_a_file_without_a_single_good_order_changes_nothing(run: Run, text: str | bytes, code: str, place: str) -> None:
    game = rally()
    for command in ("check", "apply"):
        result = run(command, game, written(text), code=1)
        assert result.stderr.startswith(place)
        assert (code in result.stderr, len(result.stderr) < 20_000) == (True, True)
        assert "0 orders" in result.stdout and "nothing was changed" in result.stdout
        assert game.read_bytes() == rally_bytes()


def test_invisible_characters_are_no_mistake_and_of_very_many_mistakes_people_read_the_first(run: Run) -> None:
    game = rally()
    run("check", game, written("red: DRAW \u202e\u2066"), code=0)
    text = run("check", game, written("red:\n" + "MOVE Z9\n" * 300), code=1).stderr
    assert text.count("checkpoint-rally/unknown-cell") == 100
    assert "turn.txt:102: core/too-many-problems\n  red:\n  checking stopped here: " in text
    both = written("red:\n" + "MOVE Z9\n" * 150 + "blue:\n" + "MOVE Z9\n" * 150)
    text = run("check", game, both, code=1).stderr
    assert text.count("checkpoint-rally/unknown-cell") == 199
    assert "\n… and 2 more problems; --json lists them all\n" in text
    assert len(json.loads(run("check", game, both, "--json", code=1).stdout)["problems"]) == 202


def told(run: Run, *arguments: object, code: int | None = None, **how: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run("check", "rally.json", *arguments, "--json", code=code, **how).stdout)
    return data


def applied(run: Run, *arguments: object, **how: Any) -> list[tuple[str, str]]:
    return [(row["seat"], row["order"]) for row in told(run, *arguments, **how)["accepted"]]


def test_mistakes_and_their_absence_for_machines(run: Run) -> None:
    game = rally()
    found = told(run, written("red: MOVE D3\n  PLACE H99 at B1\nblue: DRAW\n  DRAWW"), code=1)
    assert [(one["code"], one["seat"], one["line"], one["column"]) for one in found["problems"]] == [
        ("checkpoint-rally/unknown-tile", "red", 2, 9),
        ("orders/unknown-order", "blue", 4, 3),
    ]
    assert (found["problems"][0]["rule"], found["problems"][0]["suggestions"]) == ("CR-C2", ["H9"])
    assert (found["send_again"], found["pending"]) == (["red", "blue"], {"blue": 1})
    turn = written("red: MOVE D3\nblue: DRAW\n")
    checked, done = told(run, turn, code=0), json.loads(run("apply", game, turn, "--json", code=0).stdout)
    assert (checked.pop("changed"), done.pop("changed")) == (False, True)
    assert done.pop("head") == {"n": 1, "proof": done["accepted"][0].pop("proof")}
    assert [receipt.pop("head")["n"] for receipt in done["receipts"]] == [1, 1]
    assert checked == done
    assert (done["game"], done["turn"], [one["seat"] for one in done["due"]]) == ("rally", 2, ["red"])


# Mails ----------------------------------------------------------------------------------------------------------------

WHEN = "Mon, 2 Mar 2026 18:08:41 +0100"
BORDER = "From ann@example.org Mon Mar  2 10:00:00 2026\n"


def mail(text: str, received: str = WHEN, more: str = "", number: int = 1) -> str:
    head = f"Received: by mx.example.org; {received}\n" if received else ""
    return f"{head}Message-ID: <{number}@example.org>\nFrom: Ann <ann@example.org>\nSubject: Re: turn 1\n{more}\n{text}\n"


MIXED = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n'
PART = "Content-Type: text/plain; name=orders.txt\nContent-Disposition: attachment\n\nDRAW\n"
PHOTO = "Content-Type: image/jpeg; name=photo.jpg\nContent-Transfer-Encoding: base64\n\n" + ("/9j/" * 19 + "\n") * 107_000
STRUCK = "<p><s>DRAW</s><p>MOVE D3<p><span style='text-decoration: line-through'>REFRESH<br>DRAW</span>"
READ = {
    "a reply": mail("Hi,\n\nMOVE D3\n\nThanks!\nAnn\n\nOn Mon, Mar 2, 2026 at 10:15 AM GM <gm@x> wrote:\n> DRAW"),
    "struck out orders": mail(STRUCK, more="Content-Type: text/html\n"),
    "an attachment": mail(f"--b\n\nMOVE D3\n--b\n{PART}--b--", more=MIXED),
    "a large photo": mail(f"--b\n\nMOVE D3\n--b\n{PHOTO}--b--", more=MIXED),
    "a signature": mail("Hi Max,\n\nMOVE D3\n\nBest regards,\nAnn\nACME Ltd, London SW1A 2AA\n\nSent from my iPhone"),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("file", ["a.eml", "inbox.mbox"])
def test_a_mail_bound_to_a_seat_needs_no_head_and_courtesy_asks_nobody_to_send_again(run: Run, name: str, file: str) -> None:
    rally()
    found = told(run, f"red={written(BORDER * file.endswith('mbox') + READ[name], file)}", code=0)
    assert [(row["seat"], row["order"]) for row in found["accepted"]] == [("red", "MOVE D3")]
    assert (found["send_again"], found["problems"]) == ([], [])
    ignored = [(line["text"], line["reason"]) for line in found["ignored"]]
    if "photo" in name:
        assert [text for text, _ in ignored] == ["photo.jpg (image/jpeg, 6.1 MB)"]
    if "attachment" in name:
        assert ignored == [("orders.txt (text/plain, 4 bytes)", "attachments are ignored; only the text of a mail is read")]
    if "struck" in name:
        assert ignored == [(f"~~{text}~~", "it is struck out") for text in ("DRAW", "REFRESH", "DRAW")]


def test_seats_are_named_by_themselves_or_their_players_and_files_may_have_an_equals_sign(run: Run) -> None:
    rally()
    for word in ("red", "RED", "Ann", "ann"):
        assert applied(run, f"{word}={written(mail('MOVE D3'))}", code=0) == [("red", "MOVE D3")]
    for argument in (written("red: MOVE D3", "red=mail.txt"), f"./{written('red: MOVE D3', 'x=y')}"):
        assert applied(run, argument) == [("red", "MOVE D3")]
    assert applied(run, f"red={written('MOVE D3', 'x=y')}") == [("red", "MOVE D3")]
    for text in ("MOVE D3", mail("MOVE D3")):
        assert applied(run, "red=-", stdin=text, code=0) == [("red", "MOVE D3")]


def test_lines_are_those_of_the_mail_and_other_seats_in_a_bound_one_are_refused(run: Run) -> None:
    game = rally()
    more = "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n"
    result = run(
        "check",
        game,
        f"red={written(mail('Hi,' + chr(10) * 2 + 'MOVE =' + chr(10) + 'D3' + chr(10) + 'MVOE C3', more=more), 'b.eml')}",
        code=1,
    )
    assert "b.eml:4:1: orders/unknown-order" in result.stderr and "red (line 4 of b.eml)" in result.stdout
    foreign = mail("MOVE D3\nblue: DRAW\nDROW")
    found = told(run, f"red={written(foreign)}", code=1)
    assert [(one["code"], one["line"], one["seat"]) for one in found["problems"]] == [("orders/not-yours", 2, "red")]
    assert ([row["order"] for row in found["accepted"]], found["pending"]) == (["MOVE D3"], {})


def test_of_two_mails_of_a_seat_the_one_received_later_counts_and_without_a_time_the_last_argument(run: Run) -> None:
    rally()
    late = written(mail("MOVE D3", WHEN, more="Date: Sun, 1 Jan 2000 00:00:00 +0000\n"), "late.eml")
    early = written(
        mail("DRAW", "Mon, 2 Mar 2026 17:08:40 +0000", more="Date: Fri, 1 Jan 2100 00:00:00 +0000\n"), "early.eml"
    )
    for given in ((late, early), (early, late)):
        found = told(run, *(f"red={path}" for path in given), code=0)
        assert [row["order"] for row in found["accepted"]] == ["MOVE D3"]
        assert found["notes"] == [{"seat": "red", "note": "the sheet in early.eml is replaced by the later one in late.eml"}]
    one, two = written(mail("DRAW", ""), "1.eml"), written("red: MOVE D3", "2.txt")
    assert applied(run, f"red={one}", two) == [("red", "MOVE D3")]
    assert applied(run, two, f"red={one}") == [("red", "DRAW")]


def test_a_mailbox_is_taken_mail_by_mail(run: Run) -> None:
    game = rally()
    texts = ("red: MOVE D3", "blue:\nDRAW\nDROW", "Shall we MOVE the convention to May?\nI would draw up a plan")
    box = written("\n".join(BORDER + mail(text, number=at) for at, text in enumerate(texts)), "inbox.mbox")
    result = run("check", game, box, code=1)
    assert "inbox.mbox, mail 2:3:1: orders/unknown-order" in result.stderr
    assert "inbox.mbox, mail 3: orders/empty\n  there are no orders in this mail" in result.stderr
    assert result.stderr.count("orders/") == 2
    assert "ask for new orders: blue (line 3 of inbox.mbox, mail 2; a new sheet" in result.stdout
    many = written("\n".join(BORDER + mail("pink: DRAW", number=at) for at in range(12)), "inbox")
    assert [one["source"] for one in told(run, many, code=1)["problems"]] == [f"inbox, mail {at}" for at in range(1, 13)]
    for name in ("cur", "new", "tmp"):
        Path("box", name).mkdir(parents=True)
    written(mail("MOVE D3"), "box/new/1.a.b")
    written(mail("DRAW"), "box/cur/2.a.b:2,ST")
    result = run("check", game, "red=box", code=0)
    assert "MOVE D3" in result.stdout
    assert "ignored: box, mail 2 (this mail is marked as deleted in its mailbox)\n" in result.stderr


PLIST = '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>flags</key></dict></plist>\n'


def test_a_mail_has_one_hash_however_it_is_stored_and_other_texts_with_a_number_on_top_are_none(run: Run) -> None:
    rally()
    whole = mail("MOVE D3")
    apple = [f"{len(whole)}{end}{whole}{PLIST}" for end in ("\n", "        \n", "\r\n")]
    files = [(whole, "a.eml"), (f"{BORDER}{whole}\n", "box.mbox"), *((text, "1.emlx") for text in apple)]
    hashes = {told(run, f"red={written(text, name)}", code=0)["receipts"][0]["hash"] for text, name in files}
    assert hashes == {sha256(whole.encode()).hexdigest()}
    for text in ("7\nred:\nMOVE D3", "12\nFrom: C3\nTo: D3\n\nred: MOVE D3", "5\n" + whole, "9" * 5000 + "\n" + whole):
        assert not any(one["received"] for one in told(run, written(text, "x"))["receipts"])


HOSTILE = {
    "too much text": (mail("x" * 1_000_000).encode(), ": mail/too-large"),
    "too large": (mail("x" * 40_000_000).encode(), ": mail/too-large"),
    "too many lines": (mail("\n" * 50_000).encode(), ": mail/too-many-lines"),
    "NUL": (mail("red: DRAW\0", more="Content-Type: text/plain; charset=utf-8\n").encode(), ": mail/not-text"),
    "parts": (mail("--b\n\n" * 1_100, more="Content-Type: multipart/mixed; boundary=b\n").encode(), ": mail/too-many-parts"),
    "fields": (b"Received: x\n" * 3_000 + b"\nDRAW", ": mail/too-many-fields"),
    "binary": (b"\x89PNG\r\n\x1a\n\0\0", ": orders/not-text"),
    "only a head": (b"Received: x\nFrom: y\n", ": orders/empty"),
    "escapes": (mail("red: \x1b[2J\x1b]0;x\x07DRAW").encode(), ":1:6: orders/"),
    "no orders": (mail("Thanks for the report!").encode(), ": orders/empty"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_mails_are_told(run: Run, kind: str) -> None:
    data, words = HOSTILE[kind]
    result = run("check", rally(), f"red={written(data, 'b.eml')}", code=1)
    assert f"b.eml{words}" in result.stderr
    assert ("\x1b" in result.output, "new orders: red (" in result.stdout) == (False, True)


@pytest.mark.parametrize("rounds", [25, pytest.param(150, marks=pytest.mark.soak)])
def test_any_bytes_are_told_and_end_in_no_traceback(run: Run, rounds: int) -> None:
    """Mutate whole mails: cut, doubled, with bytes changed, mixed with each other."""
    mails = [*corpus().values()]
    luck = random.Random(7)
    rally()
    for _ in range(rounds):
        data = bytearray(luck.choice(mails))
        for _ in range(luck.randrange(1, 12)):
            at = luck.randrange(len(data) + 1)
            what = luck.randrange(4)
            if what == 0:
                data[at : at + luck.randrange(1, 40)] = luck.randbytes(luck.randrange(12))
            elif what == 1:
                del data[at : at + luck.randrange(1, 400)]
            elif what == 2:
                data[at:at] = luck.choice(mails)[: luck.randrange(1, 3_000)]
            else:
                data[at:at] = data[at : at + luck.randrange(1, 200)] * luck.randrange(1, 5)
        assert told(run, f"red={written(bytes(data), 'b.eml')}", "blue=b.eml", "b.eml")["changed"] is False


# Folders --------------------------------------------------------------------------------------------------------------

COPIES_OF_EDITORS = (
    "a.txt~",
    "a.bak",
    "a.txt.BAK",
    ".a.txt.swp",
    "a.swp",
    "a.txt.swo",
    "a.orig",
    "a.tmp",
    "#a.txt#",
    "~$a.txt",
)
NAMES = [
    ("monday.txt", "monday (2).txt", "monday (10).txt"),
    ("9.txt", "10.txt", "100.txt"),
    ("turn-9.txt", "turn-10.txt"),
    ("Turn 2.txt", "turn 10.txt"),
    ("a", "a1", "a1b", "a2", "b"),
    ("2026-03-02 9h.txt", "2026-03-02 10h.txt"),
    ("0" * 100 + "7.txt", "8.txt", "9" * 200 + ".txt"),
]


@pytest.mark.posix
@pytest.mark.parametrize("command", ["check", "apply", "turn"])
def test_every_command_takes_folders_with_seats_in_names_mails_texts_and_standard_input(run: Run, command: str) -> None:
    game = rally()
    Path("mails/old").mkdir(parents=True)
    for name in COPIES_OF_EDITORS:
        written("red: REFRESH", f"mails/{'' if name[0] in '#~' else 'red='}{name}")
    out = ["-o", "out"] if command == "turn" else []
    empty = run(command, game, "mails", *out, code=0 if out else 2)
    assert out or "mails contains no files" in empty.stderr
    written(mail("MOVE D3"), "mails/ann=1.eml")
    written("blue: DRAW", "mails/rules=2.txt")
    written("red: REFRESH", "mails/.hidden")
    Path("mails/game").symlink_to(game)
    given = ("mails", written("blue: DRAW", "b.txt"), "blue=-", *out, "--json")
    result = json.loads(run(command, game, *given, stdin="DRAW", code=0).stdout)
    result = result.get("adjudication", result)
    assert [(one["seat"], one["source"]) for one in result["receipts"]] == [
        ("red", "mails/ann=1.eml"),
        ("blue", "mails/rules=2.txt"),
        ("blue", "b.txt"),
        ("blue", "standard input"),
    ]
    assert result["problems"] == []
    Path("whole").mkdir()
    written(mail("DRAW", "Mon, 2 Mar 2026 19:00:00 +0100", number=9), "whole/blue=9.eml")
    whole = json.loads(run(command, rally(), "Ann=whole", *out, "--json", "--force" if out else "--json", code=0).stdout)
    receipts = whole.get("adjudication", whole)["receipts"]
    assert {one["seat"] for one in receipts} == {"red"}, "a folder may be one seat's"
    words = "this game has no seat “rde” (did you mean “red”?)"
    assert words in run(command, game, "rde=whole", *out, code=2).stderr


@pytest.mark.parametrize("names", NAMES)
def test_the_files_of_a_folder_come_in_the_order_of_their_numbers(run: Run, names: tuple[str, ...]) -> None:
    rally()
    Path("mails").mkdir()
    for at, name in reversed(list(enumerate(names))):
        written(f"red: {'MOVE D3' if at == len(names) - 1 else 'DRAW'}", f"mails/{name}")
    found = told(run, "mails", code=0)
    assert [one["source"] for one in found["receipts"]] == [f"mails/{name}" for name in names]
    assert [row["order"] for row in found["accepted"]] == ["MOVE D3"]


def test_what_a_command_writes_is_no_input_of_its_folder(run: Run) -> None:
    rally()
    written("MOVE D3", "red=1.txt")
    for _ in range(2):
        line = ("apply", "rally.json", ".", "-o", "later.json", "--log", "log.jsonl", "--json")
        assert json.loads(run(*line, code=0).stdout)["problems"] == []


# Copies ---------------------------------------------------------------------------------------------------------------

HEAD = (
    b"Received: from a by mx; Mon, 2 Mar 2026 18:08:41 +0100\nMessage-ID: <1@x>\nFrom: Ann <ann@example.org>\n"
    b"Date: Mon, 2 Mar 2026 18:08:40 +0100\nSubject: Z\xc3\xbcge\n"
)
BODY = "From me to you: é\n\nMOVE D3\n".encode()
MAIL = HEAD + b"\n" + BODY
WITHOUT_ID = MAIL.replace(b"Message-ID: <1@x>\n", b"")
WITHOUT_DATE = WITHOUT_ID.replace(b"Date: Mon, 2 Mar 2026 18:08:40 +0100\n", b"")
LATER = b"Received: from mx by mda; Mon, 2 Mar 2026 21:00:00 +0100\n"
TYPE = b"Content-Type: text/plain; charset=%b\nContent-Transfer-Encoding: %b\n\n"
TEXT = b"red:\nMOVE D3\n"
QUOTED = BORDER.encode() + MAIL.replace(b"\nFrom me", b"\n>From me")
COPIES = {
    "marked as read by Thunderbird": (MAIL, b"X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\n" + MAIL),
    "marked as read by mutt": (MAIL, HEAD + b"Status: RO\nX-Status: A\nLines: 3\nContent-Length: 30\n\n" + BODY),
    "through another server": (MAIL, b"Return-Path: <ann@example.org>\n" + LATER + MAIL),
    "with other line ends": (MAIL, MAIL.replace(b"\n", b"\r\n")),
    "with a byte order mark": (MAIL, b"\xef\xbb\xbf" + MAIL),
    "with blank lines at the end": (MAIL, MAIL + b"\n\n"),
    "in an mbox": (MAIL, QUOTED + b"\n"),
    "out of an mbox": (QUOTED, MAIL.replace(b"\nFrom me", b"\n>From me")),
    "in base64": (MAIL, HEAD + TYPE % (b"utf-8", b"base64") + base64.encodebytes(BODY)),
    "quoted printable": (MAIL, HEAD + TYPE % (b"utf-8", b"quoted-printable") + quopri.encodestring(BODY)),
    "in another charset": (MAIL, HEAD + TYPE % (b"iso-8859-1", b"8bit") + BODY.decode().encode("latin-1")),
    "with an encoded subject": (MAIL, MAIL.replace("Züge".encode(), b"=?utf-8?q?Z=C3=BCge?=")),
    "with folded fields": (MAIL, MAIL.replace(b"From: Ann", b"From:\n Ann")),
    "with a quoted name": (MAIL, MAIL.replace(b"From: Ann", b'From: "Ann"')),
    "without a Message-ID": (WITHOUT_ID, LATER + WITHOUT_ID.replace(b"\n", b"\r\n")),
    "without Message-ID and date": (WITHOUT_DATE, b"Status: O\n" + LATER + WITHOUT_DATE),
    "a text with other line ends": (TEXT, TEXT.replace(b"\n", b"\r\n")),
    "a text without its last line end": (TEXT, TEXT[:-1]),
    "a text with a byte order mark": (TEXT, b"\xef\xbb\xbf" + TEXT),
    "a text as Notepad keeps it": (TEXT.replace(b"\n", b"\r\n"), TEXT.decode().encode("utf-16")),
}
OTHERS = {
    "corrected, with the same Message-ID": (MAIL, MAIL.replace(b"MOVE D3", b"DRAW")),
    "the same words in another mail": (MAIL, MAIL.replace(b"<1@x>", b"<2@x>")),
    "the same words on another day, without a Message-ID": (WITHOUT_ID, WITHOUT_ID.replace(b"2 Mar", b"3 Mar")),
    "the same words on another day, without both": (WITHOUT_DATE, WITHOUT_DATE.replace(b"2 Mar", b"3 Mar")),
}


def sent(data: bytes) -> str:
    return f"red={written(data, '1.eml' if b'From:' in data[:400] else '1.txt')}"


@pytest.mark.parametrize("name", [*COPIES, *OTHERS])
def test_a_copy_of_a_mail_is_not_taken_again_and_another_mail_counts(run: Run, name: str) -> None:
    game = rally()
    first, second = {**COPIES, **OTHERS}[name]
    run("turn", game, sent(first), "-o", "out", code=0)
    before = game.read_bytes()
    assert [row.order for row in adj.open(game).seen_by().log()][1:] == ["MOVE D3"]
    again = run("turn", game, sent(second), "-o", "out")
    assert (", which was processed in turn 1\n" in again.stdout) == (name in COPIES)
    assert (game.read_bytes() == before) == (name in COPIES)
    assert len({one.hash for one in adj.open(game).record.receipts}) == (1 if name in COPIES else 2)


@pytest.mark.parametrize("name", ["marked as read by mutt", "with other line ends", "a text with other line ends"])
def test_a_copy_of_a_mail_that_was_reported_without_a_receipt_is_not_reported_again(run: Run, name: str) -> None:
    game = rally()
    run("turn", game, sent(TEXT), "-o", "out", code=0)
    ends = (b"\n", b"\r\n" if b"\r" in COPIES[name][1] else b"\n")
    stale, copy = (
        data.replace(b"MOVE D3", b"turn 1" + end + b"MOVE D3") for data, end in zip(COPIES[name], ends, strict=True)
    )
    run("turn", game, sent(stale), "-o", "out", code=1)
    before = game.read_bytes()
    again = run("turn", game, sent(copy), "-o", "out", code=0)
    assert ", which was processed in turn 2\n" in again.stdout
    assert (again.stderr, game.read_bytes()) == ("", before)


def test_a_late_copy_replaces_no_newer_mail_and_an_older_game_knows_its_mails(run: Run, forge: Any) -> None:
    """A copy came when its first copy came, whichever way it took. Older receipts have only the hashes of the bytes."""
    newer = MAIL.replace(b"<1@x>", b"<2@x>").replace(b"18:08", b"19:08").replace(b"MOVE D3", b"DRAW")
    for names in (("a.eml", "c.eml", "b.eml"), ("c.eml", "a.eml", "b.eml")):
        for name, data in zip(names, (LATER + MAIL, MAIL, newer), strict=True):
            written(data, name)
        game = rally()
        run("turn", game, *(f"red={name}.eml" for name in "abc"), "-o", "out", "--force")
        assert [row.order for row in adj.open(game).seen_by().log()][1:] == ["DRAW"]
    game = rally()
    run("turn", game, sent(MAIL), "-o", "out", "--force", code=0)
    document = json.loads(game.read_bytes())
    assert [receipt.pop("identity") for receipt in document["receipts"]]
    game.write_bytes(forge(document))
    Path("rally.json.outbox").unlink()
    before = adj.open(game).head
    assert "which was processed in turn 1" in run("turn", game, sent(MAIL), "-o", "out", code=0).stdout
    assert adj.open(game).head == before


# Receipts -------------------------------------------------------------------------------------------------------------

RECEIVED = "Received: by a; Mon, 2 Mar 2026 18:08:41 +0100\nMessage-ID: <1>\nFrom: Ann <ann@example.org>\n\n"


@pytest.mark.parametrize(
    ("text", "fates"),
    [
        ("Hi!\nmove d3\ndraw or refresh\n", "2 MOVE D3 applied | 3 DRAW OR REFRESH applied"),
        ("MOVE D3\nDRWA\nDRAW\nMOVE Z9", "1 MOVE D3 applied | 2 DRWA refused | 3 DRAW ignored | 4 MOVE Z9 refused"),
        ("MOVE B3\n  REFRESH", "1 MOVE B3 refused | 2 REFRESH ignored"),
        ("MOVE D3 IF gps = 99\nMOVE D3", "1 IF gps = 99 THEN MOVE D3 skipped | 2 MOVE D3 applied"),
        ("MOVE D3; MOVE C3; MVOE B1; DRAW", "1 MOVE D3 applied | 1 MOVE C3 applied | 1 MVOE B1 refused | 1 DRAW ignored"),
    ],
)
def test_a_receipt_says_what_became_of_each_order(run: Run, text: str, fates: str) -> None:
    whole = f"{RECEIVED}{text}"
    rally()
    (receipt,) = told(run, f"red={written(whole, 'ann.eml')}")["receipts"]
    assert [f"{one['line']} {one['order']} {one['fate']}" for one in receipt["orders"]] == fates.split(" | ")
    assert (receipt["hash"], receipt["received"], receipt["shared"]) == (
        sha256(whole.encode()).hexdigest(),
        1772471321,
        False,
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I am away.\n", "no order"),
        ("game other\nDRAW\n", "other"),
        ("turn 9\nDRAW\n", "turn 9 has not begun yet, and the game is at turn 1: orders for turn 9 do not count now"),
        ("\0\n", "binary"),
    ],
)
def test_a_mail_that_says_nothing_has_its_receipt_too_and_no_word_is_recorded(run: Run, text: str, words: str) -> None:
    game = rally()
    (receipt,) = told(run, f"red={written(RECEIVED + text, 'a.eml')}", code=1)["receipts"]
    assert (receipt["seat"], receipt["orders"], words in receipt["trouble"]) == ("red", [], True)
    assert told(run, written(f"{RECEIVED}I am away.", "a.eml"), code=1)["receipts"] == []
    run("apply", game, f"red={written(f'{RECEIVED}MOVE D3{chr(10)}QUIBBLE', 'bob.eml')}", code=0)
    assert b"QUIBBLE" not in game.read_bytes() and b"bob.eml" not in game.read_bytes()
    hashes = adj.open(game).record.receipts
    assert adj.open(game).undo(0, "a mistake").record.receipts == hashes != ()


def test_an_older_mail_and_an_order_that_did_less_than_its_words_are_told(run: Run) -> None:
    game = rally()
    run("apply", game, f"red={written(f'{RECEIVED}MOVE D3', 'new.eml')}", code=0)
    note = "old.eml came before a mail that the game took in turn 1: perhaps it is an older one"
    for hour, is_older in (("17:08", True), ("18:08", False), ("19:08", False)):
        found = told(run, f"red={written(f'{RECEIVED}REFRESH'.replace('18:08', hour), 'old.eml')}")
        assert ({"seat": "red", "note": note} in found["notes"]) == is_older
    seats = [{"seat": "red", "position": 1, "gear": 2}, {"seat": "blue"}]
    written(json.dumps({"seats": seats, "turn": "red"}), "setup.json")
    written("", "none.txt")
    run(
        *[
            "new",
            "checkered-flag",
            "--seat",
            "red",
            "--seat",
            "blue",
            "--setup",
            "setup.json",
            "--recorded",
            "none.txt",
            "-o",
            "race.json",
        ],
        code=0,
    )
    told_of = run("check", "race.json", "red=-", stdin="GEAR 2 brake 4 [1 2]", code=0).stdout
    assert "note: red cannot brake 4 spaces with this spin: it goes on (CF-B2)" in told_of
