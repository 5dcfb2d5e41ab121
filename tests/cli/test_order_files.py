"""Files with orders on the command line: mails bound to seats, out of mailboxes, the later one counting; hostile ones."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.cli.order_files import order_paths, read_order_files, submissions_of
from adjudicator.cli.output import MisuseError
from adjudicator.library.begin import new
from tests.drivers.mails import corpus

Run = Callable[..., Result]
Orders = Callable[..., str]

WHEN = "Mon, 2 Mar 2026 18:08:41 +0100"


def mail(text: str, received: str = WHEN, sender: str = "Ann <ann@example.org>", more: str = "") -> str:
    head = f"Received: by mx.example.org; {received}\n" if received else ""
    return f"{head}Message-ID: <1@example.org>\nFrom: {sender}\nSubject: Re: turn 1\n{more}\n{text}\n"


def told(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def applied(result: Result) -> list[tuple[str, str]]:
    return [(row["seat"], row["order"]) for row in told(result)["accepted"]]


def test_a_bound_mail_needs_no_head(run: Run, game: Path, orders: Orders) -> None:
    path = orders(
        mail("Hi,\n\nMOVE D3\nDRAW\n\nThanks!\nAnn\n\nOn Mon, Mar 2, 2026 at 10:15 AM GM <gm@x> wrote:\n> red: DRAW")
    )
    result = run("apply", game, f"red={path}", code=0)
    assert "2 orders applied" in result.stdout
    assert f"ignored: {path}, line 1 (a greeting):" in result.stderr


@pytest.mark.parametrize("word", ["red", "RED", "Ann", "ann"])
def test_a_seat_is_named_by_itself_or_by_its_holder(run: Run, game: Path, orders: Orders, word: str) -> None:
    result = run("check", game, f"{word}={orders(mail('MOVE D3'))}", "--json", code=0)
    assert applied(result) == [("red", "MOVE D3")]


def test_a_text_may_be_bound_as_well_also_from_standard_input(run: Run, game: Path, orders: Orders) -> None:
    assert applied(run("check", game, f"red={orders('MOVE D3')}", "--json", code=0)) == [("red", "MOVE D3")]
    assert applied(run("check", game, "red=-", "--json", stdin="MOVE D3", code=0)) == [("red", "MOVE D3")]
    assert applied(run("check", game, "red=-", "--json", stdin=mail("MOVE D3"), code=0)) == [("red", "MOVE D3")]


def test_lines_are_those_of_the_mail_s_text(run: Run, game: Path, orders: Orders) -> None:
    coded = mail(
        "Hi,\n\nMOVE =\nD3\nMVOE C3", more="Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n"
    )
    result = run("check", game, f"red={orders(coded, 'b.eml')}", code=1)
    assert "b.eml:4:1: orders/unknown-order" in result.stderr
    assert "red (line 4 of b.eml)" in result.stdout


FOREIGN = "MOVE D3\nblue: DRAW\nDROW"


def test_in_a_bound_mail_other_seats_are_refused(run: Run, game: Path, orders: Orders) -> None:
    result = run(
        "check", game, f"red={orders(mail('MOVE D3' + chr(10) + 'blue: DRAW' + chr(10) + 'DROW'))}", "--json", code=1
    )
    assert applied(result) == [("red", "MOVE D3")]
    (problem,) = told(result)["problems"]
    assert (problem["code"], problem["line"], problem["seat"]) == ("orders/not-yours", 2, "red")
    assert told(result)["pending"] == {}


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("rde={}", "no seat “rde” (did you mean “red”?); its seats are: red, blue"),
        ("violet={}", "this game has no seat “violet”; its seats are: red, blue"),
        ("red=", "write the seat and then a file, as in red=mail.eml: red= names no file"),
        ("red=nowhere.eml", "nowhere.eml: "),
        ("./red={}", "no such file"),
        ("=x", "=x: "),
    ],
)
def test_what_is_misused(run: Run, game: Path, orders: Orders, argument: str, words: str) -> None:
    result = run("apply", game, argument.format(orders(mail("MOVE D3"))), code=2)
    assert words in result.stderr


def test_a_file_with_an_equals_sign_in_its_name_is_named_as_ever(run: Run, game: Path, orders: Orders) -> None:
    assert applied(run("check", game, orders("red: MOVE D3", "red=mail.txt"), "--json")) == [("red", "MOVE D3")]
    assert applied(run("check", game, f"./{orders('red: MOVE D3', 'x=y')}", "--json")) == [("red", "MOVE D3")]
    assert applied(run("check", game, f"red={orders('MOVE D3', 'x=y')}", "--json")) == [("red", "MOVE D3")]


def test_the_game_is_not_written_over_a_bound_mail(run: Run, game: Path, orders: Orders) -> None:
    path = orders(mail("MOVE D3"), "b.eml")
    assert "the game would replace the orders in b.eml" in run("apply", game, f"red={path}", "-o", path, code=2).stderr
    assert "standard input" in run("apply", game, "red=-", "blue=-", code=2).stderr


def test_of_two_mails_of_a_seat_the_one_received_later_counts(run: Run, game: Path, orders: Orders) -> None:
    late = orders(
        mail("MOVE D3", "Mon, 2 Mar 2026 18:08:41 +0100", more="Date: Sun, 1 Jan 2000 00:00:00 +0000\n"), "late.eml"
    )
    early = orders(
        mail("DRAW", "Mon, 2 Mar 2026 17:08:40 +0000", more="Date: Fri, 1 Jan 2100 00:00:00 +0000\n"), "early.eml"
    )
    for given in ((late, early), (early, late)):
        result = run("check", game, *(f"red={path}" for path in given), "--json", code=0)
        assert applied(result) == [("red", "MOVE D3")]
        words = "the sheet in early.eml is replaced by the later one in late.eml"
        assert told(result)["notes"] == [{"seat": "red", "note": words}]


def test_without_a_time_the_order_of_the_arguments_counts(run: Run, game: Path, orders: Orders) -> None:
    first, second = orders(mail("DRAW", ""), "1.eml"), orders("red: MOVE D3", "2.txt")
    assert applied(run("check", game, f"red={first}", second, "--json")) == [("red", "MOVE D3")]
    assert applied(run("check", game, second, f"red={first}", "--json")) == [("red", "DRAW")]


def test_a_mailbox_is_taken_mail_by_mail(run: Run, game: Path, orders: Orders) -> None:
    border = "From ann@example.org Mon Mar  2 10:00:00 2026\n"
    box = orders(
        border + mail("red: MOVE D3")
        + "\n" + border + mail("blue:\nDRAW\nDROW", sender="bob@example.org")
        + "\n" + border + mail("Shall we MOVE the convention to May?\nI would draw up a plan", sender="carol@x.org"),
        "inbox.mbox",
    )  # fmt: skip
    result = run("check", game, box, code=1)
    assert "inbox.mbox, mail 2:3:1: orders/unknown-order" in result.stderr
    assert "inbox.mbox, mail 3: orders/empty\n  there are no orders in this mail" in result.stderr
    assert result.stderr.count("orders/") == 2
    assert "ask for new orders: blue (line 3 of inbox.mbox, mail 2; a new sheet" in result.stdout
    assert "MOVE D3" in result.stdout


def test_mails_of_a_mailbox_come_in_their_order(run: Run, game: Path, orders: Orders) -> None:
    border = "From ann@example.org Mon Mar  2 10:00:00 2026\n"
    box = orders("\n".join(border + mail("pink: DRAW") for _ in range(12)), "inbox")
    told_of = [problem["source"] for problem in told(run("check", game, box, "--json", code=1))["problems"]]
    assert told_of == [f"inbox, mail {number}" for number in range(1, 13)]


def test_a_maildir_is_a_mailbox(run: Run, game: Path, tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / "box" / name).mkdir(parents=True)
    (tmp_path / "box" / "new" / "1.a.b").write_text(mail("MOVE D3"))
    (tmp_path / "box" / "cur" / "2.a.b:2,ST").write_text(mail("DRAW"))
    result = run("check", game, "red=box", code=0)
    assert "MOVE D3" in result.stdout
    assert "ignored: box, mail 2 (this mail is marked as deleted in its mailbox)\n" in result.stderr


@pytest.mark.parametrize("command", ["check", "apply", "turn"])
def test_every_command_takes_the_same_inputs(run: Run, game: Path, tmp_path: Path, orders: Orders, command: str) -> None:
    """Folders, with seats in the names of their files, mails, texts, and standard input."""
    folder = tmp_path / "mails"
    folder.mkdir()
    (folder / "ann=1.eml").write_text(mail("MOVE D3"))
    (folder / "rules=2.txt").write_text("blue: DRAW")
    (folder / ".hidden").write_text("red: REFRESH")
    (folder / "old").mkdir()
    (folder / "game").symlink_to(game)
    options = ("-o", "out") if command == "turn" else ()
    result = told(run(command, game, "mails", orders("blue: DRAW", "b.txt"), "blue=-", *options, "--json", stdin="DRAW"))
    receipts = result.get("adjudication", result)["receipts"]
    assert [(one["seat"], one["source"]) for one in receipts] == [
        ("red", "mails/ann=1.eml"),
        ("blue", "mails/rules=2.txt"),
        ("blue", "b.txt"),
        ("blue", "standard input"),
    ]
    assert result.get("adjudication", result)["problems"] == []


@pytest.mark.parametrize("command", ["check", "apply", "turn"])
def test_a_folder_may_be_one_seat_s(run: Run, game: Path, tmp_path: Path, command: str) -> None:
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "blue=1.eml").write_text(mail("MOVE D3"))
    options = ("-o", "out") if command == "turn" else ()
    assert "red" in run(command, game, "Ann=mails", *options, code=0).stdout
    words = "this game has no seat “rde” (did you mean “red”?)"
    assert words in run(command, game, "rde=mails", *options, code=2).stderr


def test_a_player_checks_a_folder_too(run: Run, game: Path, tmp_path: Path) -> None:
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "red=1.txt").write_text("MOVE D3")
    assert "no problem with what this seat knows now" in run("check", game, "mails", "--as", "red", code=0).stdout


def test_what_a_command_writes_is_no_input_of_its_folder(run: Run, game: Path, tmp_path: Path) -> None:
    (tmp_path / "red=1.txt").write_text("MOVE D3")
    arguments = ("apply", game, tmp_path, "-o", "later.json", "--log", "log.jsonl", "--json")
    for _ in range(2):
        assert told(run(*arguments, code=0))["problems"] == []


def test_copies_of_editors_in_a_folder_are_not_read(run: Run, game: Path, tmp_path: Path) -> None:
    (tmp_path / "mails").mkdir()
    for name in (
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
    ):
        (tmp_path / "mails" / f"{'' if name[0] in '#~' else 'red='}{name}").write_text("red: REFRESH")
    assert "mails contains no files" in run("apply", game, "mails", code=2).stderr
    (tmp_path / "mails" / "red=a.txt").write_text("MOVE D3")
    assert applied(run("check", game, "mails", "--json", code=0)) == [("red", "MOVE D3")]


@pytest.mark.parametrize(
    "names",
    [
        ("monday.txt", "monday (2).txt", "monday (10).txt"),
        ("9.eml", "10.eml", "100.eml"),
        ("red=turn-9.txt", "red=turn-10.txt"),
        ("Turn 2.txt", "turn 10.txt"),
        ("a", "a1", "a1b", "a2", "b"),
        ("2026-03-02 9h.txt", "2026-03-02 10h.txt"),
        ("0" * 100 + "7.txt", "8.txt", "9" * 200 + ".txt"),
    ],
)
def test_the_files_of_a_folder_come_in_the_order_of_their_numbers(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in reversed(names):
        (tmp_path / name).write_text("red: DRAW")
    found = read_order_files(order_paths([str(tmp_path)]), ())
    assert [Path(file.path.path).name for file in found] == list(names)


def test_the_newest_copy_of_a_text_in_a_folder_counts(run: Run, game: Path, tmp_path: Path) -> None:
    (tmp_path / "mails").mkdir()
    for number, order in enumerate(("DRAW", "REFRESH", "MOVE D3")):
        (tmp_path / "mails" / f"red=monday{f' ({number * 5})' if number else ''}.txt").write_text(order)
    assert applied(run("check", game, "mails", "--json", code=0)) == [("red", "MOVE D3")]


def test_struck_out_orders_are_no_orders(run: Run, game: Path, orders: Orders) -> None:
    page = "<p><s>DRAW</s><p>MOVE D3<p><span style='text-decoration: line-through'>REFRESH<br>DRAW</span>"
    path = orders(mail(page, more="Content-Type: text/html\n"), "b.eml")
    result = run("check", game, f"red={path}", "--json", code=0)
    assert applied(result) == [("red", "MOVE D3")]
    assert [(line["text"], line["reason"]) for line in told(result)["ignored"]] == [
        (text, "it is struck out") for text in ("~~DRAW~~", "~~REFRESH~~", "~~DRAW~~")
    ]


def test_an_empty_folder_is_named(run: Run, game: Path, tmp_path: Path) -> None:
    (tmp_path / "mails").mkdir()
    assert "mails contains no files: the game has no pending orders" in run("apply", game, "mails", code=2).stderr
    run("turn", game, "mails", "-o", "out", code=0)


def test_attachments_are_refused_by_name(run: Run, game: Path, orders: Orders) -> None:
    more = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n'
    parts = "--b\n\nMOVE D3\n--b\nContent-Type: text/plain; name=orders.txt\nContent-Disposition: attachment\n\nDRAW\n--b--"
    result = run("check", game, f"red={orders(mail(parts, more=more), 'b.eml')}", code=0)
    assert (
        "ignored: b.eml (attachments are ignored; only the text of a mail is read):\n  orders.txt (text/plain, 4 bytes)"
        in result.stderr
    )


@pytest.mark.parametrize("command", ["check", "apply", "turn"])
@pytest.mark.parametrize("name", ["a.eml", "inbox.mbox"])
def test_a_mail_with_a_large_photo_is_read(run: Run, game: Path, orders: Orders, command: str, name: str) -> None:
    more = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n'
    head = "Content-Type: image/jpeg; name=photo.jpg\nContent-Transfer-Encoding: base64\n\n"
    photo = head + ("/9j/" * 19 + "\n") * 107_000
    whole = mail(f"--b\n\nMOVE D3\n--b\n{photo}--b--", more=more)
    border = "From ann@example.org Mon Mar  2 10:00:00 2026\n" if name == "inbox.mbox" else ""
    out = ["-o", "out"] if command == "turn" else []
    result = run(command, game, f"red={orders(border + whole, name)}", *out, "--json", code=0)
    ignored = told(result)["adjudication" if command == "turn" else "ignored"]
    (line,) = ignored["ignored"] if command == "turn" else ignored
    assert line["text"] == "photo.jpg (image/jpeg, 6.1 MB)"
    if command == "turn":
        assert line["text"] in (game.parent / "out" / "red.txt").read_text()


def test_an_empty_mail_asks_for_another_and_leaves_what_waits(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, f"blue={orders('DRAW')}", code=0)
    result = run("apply", game, f"blue={orders(mail('Thanks for the report!'), 'b.eml')}", "--json", code=1)
    assert (told(result)["send_again"], told(result)["pending"]) == (["blue"], {"blue": 1})
    words = run("check", game, "blue=b.eml", code=1).stdout
    assert "ask for new orders: blue (b.eml; a new sheet replaces the pending 1 order)" in words


COURTEOUS = """\
Hi Max,

sorry for the delay.

MOVE D3

Thanks!

Best regards,
Ann Smith
ACME Ltd, London SW1A 2AA

Sent from my iPhone"""


def test_courtesy_asks_nobody_to_send_again(run: Run, game: Path, orders: Orders) -> None:
    result = run("check", game, f"red={orders(mail(COURTEOUS))}", "--json", code=0)
    assert (told(result)["send_again"], told(result)["problems"]) == ([], [])
    asked = run("check", game, f"red={orders(mail(COURTEOUS + chr(10) + 'MVOE C3'))}", "--json", code=1)
    assert told(asked)["send_again"] == ["red"]


HOSTILE: dict[str, tuple[bytes, str]] = {
    "too much text": (mail("x" * 1_000_000).encode(), ": mail/too-large"),
    "too large": (mail("x" * 40_000_000).encode(), ": mail/too-large"),
    "too many lines": (mail("\n" * 50_000).encode(), ": mail/too-many-lines"),
    "NUL": (mail("red: DRAW\0", more="Content-Type: text/plain; charset=utf-8\n").encode(), ": mail/not-text"),
    "parts": (mail("--b\n\n" * 1_100, more="Content-Type: multipart/mixed; boundary=b\n").encode(), ": mail/too-many-parts"),
    "fields": (b"Received: x\n" * 3_000 + b"\nDRAW", ": mail/too-many-fields"),
    "binary": (b"\x89PNG\r\n\x1a\n\0\0", ": orders/not-text"),
    "only a head": (b"Received: x\nFrom: y\n", ": orders/empty"),
    "escapes": (mail("red: \x1b[2J\x1b]0;x\x07DRAW").encode(), ":1:6: orders/"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_mails_are_told(run: Run, game: Path, orders: Orders, kind: str) -> None:
    data, told = HOSTILE[kind]
    result = run("check", game, f"red={orders(data, 'b.eml')}", code=1)
    assert f"b.eml{told}" in result.stderr
    assert "\x1b" not in result.output
    assert "new orders: red (" in result.stdout


@pytest.mark.parametrize("rounds", [25, pytest.param(150, marks=pytest.mark.soak)])
def test_any_bytes_are_told_and_end_in_no_traceback(run: Run, game: Path, orders: Orders, rounds: int) -> None:
    """Mutate whole mails: cut, doubled, with bytes changed, mixed with each other."""
    mails = list(corpus().values())
    rng = random.Random(7)
    for _ in range(rounds):
        data = bytearray(rng.choice(mails))
        for _ in range(rng.randrange(1, 12)):
            at = rng.randrange(len(data) + 1)
            what = rng.randrange(4)
            if what == 0:
                data[at : at + rng.randrange(1, 40)] = rng.randbytes(rng.randrange(12))
            elif what == 1:
                del data[at : at + rng.randrange(1, 400)]
            elif what == 2:
                data[at:at] = rng.choice(mails)[: rng.randrange(1, 3_000)]
            else:
                data[at:at] = data[at : at + rng.randrange(1, 200)] * rng.randrange(1, 5)
        result = run("check", game, f"red={orders(bytes(data), 'b.eml')}", "blue=b.eml", "b.eml", "--json")
        assert result.exit_code in (0, 1), data
        assert told(result)["changed"] is False


def test_an_unknown_seat_is_refused_before_any_text_is_read(tmp_path: Path) -> None:
    """The readers of orders consume the texts; a mistake on the command line must not surface inside them."""
    (tmp_path / "a.txt").write_text("MOVE C3\n")
    game = new("checkered-flag", ["red", "blue"])
    files = read_order_files(order_paths([f"red={tmp_path}/a.txt", f"rde={tmp_path}/a.txt"]), ())
    with pytest.raises(MisuseError, match="mean “red”"):
        submissions_of(files, game)
