"""The moderator's desk in a real browser: what it saves is what the command line writes, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from mailbox import mbox
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import pytest

import adjudicator as adj

if TYPE_CHECKING:
    from playwright.sync_api import Page

LONG = pytest.mark.soak
SECRET = "5e" * 32
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
PICKERS = """(() => {
  const folder = () => navigator.storage.getDirectory();
  window.showSaveFilePicker = async ({ suggestedName }) => {
    window.asked = (window.asked ?? 0) + 1;
    return (await folder()).getFileHandle(`${window.asked}-${suggestedName}`, { create: true });
  };
  window.showOpenFilePicker = async () => [await (await folder()).getFileHandle("race.json")];
  window.put = async (text) => {
    const stream = await (await (await folder()).getFileHandle("race.json", { create: true })).createWritable();
    await stream.write(text);
    await stream.close();
  };
  window.contents = async (name) => (await (await (await folder()).getFileHandle(name)).getFile()).text();
})()"""
"""Pickers that choose files in the browser's own folder, without asking anybody."""


def mail(text: str, sender: str = "ann@example.org", subject: str = "my turn", html: str = "") -> EmailMessage:
    message = EmailMessage(SMTP)
    message["From"], message["To"], message["Subject"] = sender, "moderator@example.org", subject
    message["Date"] = "Mon, 02 Nov 2026 10:00:00 +0000"
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    return message


def ten_mails(game: adj.Game) -> list[str]:
    """Write a turn's mails into this folder, and return the names of the files: eight mails, a mailbox and a text."""
    (first, *others), order = [*game.due_seats, *game.seats], game.legal(game.due_seats[0])[0].order
    good = mail(f"{first}:\n  {order}\n  NONSENSE {HOSTILE}\n")
    mails = {
        "good.eml": good,
        "again.eml": good,
        "unknown-seat.eml": mail(f"purple:\n  {order}\n"),
        "hostile.eml": mail(f"{others[1]}:\n  {HOSTILE}\n", HOSTILE, HOSTILE, HOSTILE),
        "html.eml": mail("", html=f"<p>{others[1]}:<br>HOLD<br></p>{HOSTILE}"),
        "no-orders.eml": mail("See you on Sunday!\n"),
        "old-turn.eml": mail(f"turn 99\n{first}:\n  {order}\n"),
        "quoted.eml": mail(f"{others[1]}:\n  {order}\n\n> {first}:\n>   {order}\n"),
    }
    for name, one in mails.items():
        Path(name).write_bytes(one.as_bytes())
    box = mbox("box.mbox")
    for seat in game.seats:
        box.add(mail(f"{seat}:\n  {order}\n  {order}x\n", f"{seat}@example.org"))
    box.close()
    Path("orders.txt").write_text(f"{others[2]}:\n  {order}\nnobody:\n  {order}\n", "utf-8")
    return [*mails, "box.mbox", "orders.txt"]


def downloaded(page: Page, button: str) -> bytes:
    with page.expect_download() as found:
        page.get_by_role("button", name=button).click()
    return Path(found.value.path()).read_bytes()


def begin(page: Page, name: str = "race") -> None:
    """Begin a game of Checkered Flag with the form."""
    page.locator(".new-game > summary").click()
    page.get_by_role("form").get_by_label("Game", exact=True).select_option("checkered-flag")
    page.get_by_label("Name of the game").fill(name)
    for at, player in enumerate(("Ann", "Bob")):
        page.get_by_label("Player", exact=True).nth(at).fill(player)
    page.get_by_label("Mail address").first.fill("ann@example.org")
    page.get_by_label("laps").select_option("3")
    page.get_by_role("button", name="Begin the game").click()


def test_a_turn_with_ten_mails_gives_the_same_file_as_the_command_line(
    at_desk: Callable[..., Page], run: Callable[..., Any]
) -> None:
    seats = [word for seat in ("red=Ann", "blue=Bob", "green=Cleo", "yellow=Dan") for word in ("--seat", seat)]
    run("new", "checkpoint-rally", *seats, "--seed", SECRET, "-o", "rally.json", code=0)
    names = ten_mails(adj.open("rally.json"))
    page = at_desk()
    page.set_input_files("#file", "rally.json")
    page.set_input_files(".moderator input[type=file]", names)
    page.get_by_role("button", name="Check").click()
    page.locator(".result", has_text="would be applied").wait_for()
    assert page.locator(".unsaved").is_hidden()
    page.get_by_role("button", name="Adjudicate").click()
    page.locator(".result", has_text=" applied, ").wait_for()
    page.locator(".unsaved").wait_for()
    told = json.loads(run("apply", "rally.json", *names, "--json").stdout)
    assert told["changed"]
    assert {one["source"] for one in told["problems"]} >= {"unknown-seat.eml", "hostile.eml", "box.mbox, mail 1"}
    assert page.locator(".result ul.bad > li").count() == len(told["problems"])
    said = page.locator(".result").first.text_content()
    assert all(words in said for words in (HOSTILE, "the sheet in good.eml is replaced by the later one in again.eml"))
    assert downloaded(page, "Save the game") == Path("rally.json").read_bytes()
    assert page.locator(".unsaved").is_hidden()
    page.get_by_role("button", name="Audit").click()
    page.locator(".result", has_text="verified").wait_for()


@LONG
def test_a_game_is_begun_corrected_and_archived_as_on_the_command_line(
    at_desk: Callable[..., Page], run: Callable[..., Any]
) -> None:
    page = at_desk()
    begin(page, "no name")
    page.locator("[aria-invalid]").wait_for()
    assert "use only letters" in page.locator(".field", has=page.locator("[aria-invalid]")).inner_text()
    page.get_by_label("Name of the game").fill("race")
    page.get_by_role("button", name="Begin the game").click()
    page.locator(".unsaved").wait_for()
    saved = downloaded(page, "Save the game")
    secret = adj.open(saved).secret
    given = ("--seat", "red=Ann", "--seat", "blue=Bob", "--option", "laps=3", "--seed", secret)
    run("new", "checkered-flag", *given, "-o", "race.json", code=0)
    assert saved == Path("race.json").read_bytes()
    seat = adj.open(saved).due_seats[0]
    other = "blue" if seat == "red" else "red"
    Path("pasted.txt").write_text(f"{seat}:\n  GEAR 1\n{other}:\n  GEAR 1\n  GEAR 2\n", "utf-8")
    page.locator(".moderator textarea").first.fill(Path("pasted.txt").read_text("utf-8"))
    page.get_by_role("button", name="Adjudicate").click()
    page.locator(".result", has_text=" applied, ").wait_for()
    run("apply", "race.json", "pasted.txt")
    correct(page, run)
    assert downloaded(page, "Save the game") == Path("race.json").read_bytes()
    run("archive", "all.jsonl.zst", "race.json", code=0)
    assert downloaded(page, "Archive") == Path("all.jsonl.zst").read_bytes()


def correct(page: Page, run: Callable[..., Any]) -> None:
    """Withdraw pending orders, bring them back, undo and amend, on the page and on the command line."""
    page.get_by_text("Correct the game").click()
    said = page.locator(".part .result")
    page.get_by_role("button", name="Amend").click()
    said.locator(".bad").wait_for()  # without a change and a reason
    page.get_by_label("Reason, for the record").fill("a slip")
    waiting = json.loads(run("pending", "race.json", "--json").stdout)["waiting"]
    for sheet in waiting:
        page.get_by_role("button", name=f"Withdraw {sheet['seat']}").click()
        page.get_by_role("button", name=f"Bring back {sheet['seat']}").click()
        page.get_by_role("button", name=f"Withdraw {sheet['seat']}").wait_for()
        run("withdraw", "race.json", sheet["seat"], "--reason", "a slip", code=0)
        run("pending", "race.json", "--bring-back", "1", code=0)
    page.get_by_label("Undo all after").select_option("0")
    page.get_by_role("button", name="Undo").click()
    said.locator("li", has_text="UNDO").wait_for()
    run("undo", "race.json", "--to", "0", "--reason", "a slip", code=0)
    page.get_by_label("Change the position").fill("gear of red=2\ngear of blue=3")
    page.get_by_role("button", name="Amend").click()
    said.locator("li", has_text="AMEND").wait_for()
    run("amend", "race.json", "gear of red=2", "gear of blue=3", "--reason", "a slip", code=0)


@LONG
def test_each_player_gets_a_mail_with_the_report(at_desk: Callable[..., Page], tmp_path: Path) -> None:
    page = at_desk()
    begin(page)
    page.locator(".moderator").wait_for()
    game = adj.open(downloaded(page, "Save the game"))
    page.get_by_text("Mails to the players").click()
    address = page.get_by_label("Mail address of Bob (blue)")
    address.fill("bob@example.org")
    assert page.get_by_label("Mail address of Ann (red)").input_value() == "ann@example.org"
    seat = game.due_seats[0]
    who = "Ann (red)" if seat == "red" else "Bob (blue)"
    link = urlsplit(page.get_by_role("link", name=f"Write a mail to {who}").get_attribute("href"))
    assert link.path in ("ann@example.org", "bob@example.org")
    given = dict(parse_qsl(link.query))
    assert given["subject"] == "race, turn 1: your turn"
    assert len(link.geturl()) <= 1900
    text = adj.render(game.report(seat))
    assert given.get("body", text.replace("\n", "\r\n")) == text.replace("\n", "\r\n")
    made = message_from_bytes(downloaded(page, f"Download .eml for {who}"), policy=SMTP)
    assert made["To"] == link.path
    assert made.get_body().get_content().replace("\r\n", "\n") == text
    assert [one.get_content() for one in made.iter_attachments()] == [game.own_file(seat)]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=f"Copy the report to {who}").click()
    page.locator("#status.good").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == f"race, turn 1: your turn\n\n{text}"
    (tmp_path / "race.json").write_bytes(game.to_bytes())
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=120_000)
    page.set_input_files("#file", tmp_path / "race.json")
    page.get_by_text("Mails to the players").click()
    assert page.get_by_label("Mail address of Bob (blue)").input_value() == "bob@example.org"
    assert b"example.org" not in downloaded(page, "Save the game")


@LONG
def test_save_writes_into_the_file_that_was_opened(at_desk: Callable[..., Page]) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id="race", seed=5)
    page = at_desk(pickers=PICKERS)
    asked = list[str]()
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.evaluate("put", game.to_bytes().decode())
    page.locator("#file").click()
    adjudicate(page, game)
    page.get_by_role("button", name="Close", exact=True).click()
    assert asked == ["confirm"]
    page.get_by_role("button", name="Save the game").click()
    page.locator("#status.good", has_text="race.json is saved.").wait_for()
    after = game.apply(turn_of(game)).game
    assert page.evaluate("contents('race.json')").encode() == after.to_bytes()
    assert page.evaluate("window.asked") is None
    adjudicate(page, after)
    page.evaluate("put", "another program wrote this")
    page.get_by_role("button", name="Save the game").click()
    page.locator("#status.good", has_text="1-race.json is saved.").wait_for()
    assert page.evaluate("contents('race.json')") == "another program wrote this"
    assert adj.open(page.evaluate("contents('1-race.json')").encode()).audit().is_verified
    assert page.locator(".unsaved").is_hidden()
    page.close(run_before_unload=True)  # nothing is lost: the browser does not ask
    assert asked == ["confirm"]


@LONG
def test_the_browser_asks_before_it_loses_changes(at_desk: Callable[..., Page]) -> None:
    page = at_desk()
    begin(page)
    page.locator(".unsaved").wait_for()
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.accept()


def turn_of(game: adj.Game) -> str:
    return f"{game.due_seats[0]}:\n  GEAR 1\n"


def adjudicate(page: Page, game: adj.Game) -> None:
    page.locator(".moderator textarea").first.fill(turn_of(game))
    page.get_by_role("button", name="Adjudicate").click()
    page.locator(".unsaved").wait_for()
