"""The desk in a real browser: what a moderator saves is what the commands write, everybody can use it, nobody harms it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from mailbox import mbox
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

import pytest

import adjudicator as adj
from tests.drivers.attacks import mutated_bytes, mutated_document
from tests.drivers.pages import MARKUP, Visit, found_by_axe, tab_to

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
    (first, *others), order = [*game.due_seats, *game.seats], game.seen_by(game.due_seats[0]).legal[0].order
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


@pytest.mark.browser
def test_a_turn_with_ten_mails_gives_the_same_file_as_the_command_line(at_desk: Visit, run: Callable[..., Any]) -> None:
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
    page.locator(".unsaved").wait_for(state="hidden")
    page.get_by_role("button", name="Audit").click()
    page.locator(".result", has_text="verified").wait_for()


@pytest.mark.browser
def test_a_game_is_begun_corrected_and_archived_as_on_the_command_line(at_desk: Visit, run: Callable[..., Any]) -> None:
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
    Path("all.adjudicator.db").write_bytes(downloaded(page, "Archive"))
    run("archive", "all.adjudicator.db", "--extract", "out", code=0)
    assert Path("out", f"{adj.open('race.json').id}.json").read_bytes() == Path("race.json").read_bytes()


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
        run("pending", "race.json", "--withdraw", sheet["seat"], "--reason", "a slip", code=0)
        run("pending", "race.json", "--bring-back", "1", code=0)
    page.get_by_label("Undo all after").select_option("0")
    page.get_by_role("button", name="Undo").click()
    said.locator("li", has_text="UNDO").wait_for()
    run("undo", "race.json", "--to", "0", "--reason", "a slip", code=0)
    page.get_by_label("Change the position").fill("gear of red=2\ngear of blue=3")
    page.get_by_role("button", name="Amend").click()
    said.locator("li", has_text="AMEND").wait_for()
    run("amend", "race.json", "gear of red=2", "gear of blue=3", "--reason", "a slip", code=0)


@pytest.mark.browser
def test_each_player_gets_a_mail_with_the_report(at_desk: Visit, tmp_path: Path) -> None:
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
    text = adj.render(game.seen_by(seat).report())
    assert given.get("body", text.replace("\n", "\r\n")) == text.replace("\n", "\r\n")
    made = message_from_bytes(downloaded(page, f"Download .eml for {who}"), policy=SMTP)
    assert made["To"] == link.path
    assert made.get_body().get_content().replace("\r\n", "\n") == text
    assert [one.get_content() for one in made.iter_attachments()] == [game.seen_by(seat).own_file()]
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


@pytest.mark.browser
def test_save_writes_into_the_file_that_was_opened(at_desk: Visit) -> None:
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


@pytest.mark.browser
def test_the_browser_asks_before_it_loses_changes(at_desk: Visit) -> None:
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


# Everybody


NARROW = {"viewport": {"width": 375, "height": 800}}
DARK = {"color_scheme": "dark"}


@pytest.mark.browser
def test_a_game_is_moderated_with_the_keyboard_alone(at_desk: Visit) -> None:
    page = at_desk()
    tab_to(page, "Begin a game as its moderator")
    page.keyboard.press("Enter")
    tab_to(page, "Begin the game")
    page.keyboard.press("Enter")
    page.locator(".unsaved").wait_for()
    tab_to(page, "A pasted mail")
    page.keyboard.type("red:\n  GEAR 1\nblue:\n  GEAR 1\n")
    tab_to(page, "Adjudicate")
    page.keyboard.press("Enter")
    page.locator(".result", has_text=" applied").wait_for()
    tab_to(page, "Mails to the players")
    page.keyboard.press("Enter")
    page.locator(".letters li").first.wait_for()
    tab_to(page, "Write a mail to red")
    tab_to(page, "Correct the game")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Pending orders").wait_for()
    tab_to(page, "Reason, for the record")
    page.keyboard.type("a slip")
    tab_to(page, "Undo all after")
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    page.locator(".part .result li", has_text="UNDO").wait_for()
    tab_to(page, "Save the game", "Shift+Tab")
    with page.expect_download():
        page.keyboard.press("Enter")


def write(page: Page, text: str) -> None:
    """Write ``text`` into the sheet, which is folded on a phone, and wait until it is checked."""
    if page.locator(".writing").evaluate("one => !one.open"):
        page.locator(".writing > summary").click()
    page.locator(".cm-content").fill("")  # Chromium gives styles to text that replaces a selection from outside
    page.locator(".cm-content").fill(text)
    page.locator(".verdict *").first.wait_for()
    settle(page)


def settle(page: Page) -> None:
    """Wait until the table shows what Python has said about all that was done."""
    page.locator(".desk[aria-busy=false]").wait_for(timeout=120_000)


def is_within_the_screen(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="wide", marks=pytest.mark.browser),
        pytest.param(NARROW, id="narrow", marks=pytest.mark.browser),
        pytest.param(DARK, id="dark", marks=pytest.mark.browser),
        pytest.param(NARROW | DARK, id="narrow-dark", marks=pytest.mark.browser),
    ],
)
def test_axe_finds_nothing_in_any_view(at_desk: Visit, tmp_path: Path, options: dict[str, object]) -> None:
    game = adj.new("checkpoint-rally", {"red": "Ann", "blue": "Bob"}, id="rally", seed=7)
    own, whole = tmp_path / "own.json", tmp_path / "rally.json"
    own.write_bytes(game.seen_by(game.due_seats[0]).own_file())
    game.save(whole)
    page = at_desk("#seed=7", **options)

    def require_sound(view: str) -> None:
        assert (view, found_by_axe(page)) == (view, [])
        assert is_within_the_screen(page), view

    page.get_by_role("button", name="Play one seat of Checkered Flag").wait_for()
    require_sound("first page")
    page.locator(".new-game > summary").click()
    page.get_by_role("form").get_by_label("Game", exact=True).select_option("checkpoint-rally")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_label("car").last.fill("bicycle")
    page.get_by_role("button", name="Begin the game").click()
    page.locator(".new-game [aria-invalid]").wait_for()
    require_sound("new game")
    page.set_input_files(".drop.small input", [own, whole])
    page.locator(".verdicts .good", has_text="verified").wait_for()
    require_sound("auditor")
    page.set_input_files("#file", own)
    page.locator(".branch").first.click()
    settle(page)
    require_sound("a choice")
    write(page, game.seen_by(game.due_seats[0]).legal[0].order)
    require_sound("player")
    page.get_by_role("button", name="New draft").click()
    page.locator(".ways > li > p").nth(1).wait_for()
    require_sound("two drafts")
    page.get_by_role("button", name="Close").click()
    page.locator(".tasks li").wait_for()
    require_sound("list of games")
    page.set_input_files("#file", whole)
    page.locator(".moderator textarea").first.fill("red:\n  NONSENSE\n")
    page.get_by_role("button", name="Check").click()
    page.locator(".result", has_text="problem").wait_for()
    require_sound("moderator")
    page.locator(".moderator textarea").first.fill(
        f"{game.due_seats[0]}:\n  {game.seen_by(game.due_seats[0]).legal[0].order}\n"
    )
    page.get_by_role("button", name="Adjudicate").click()
    page.locator(".unsaved").wait_for()
    page.get_by_text("Mails to the players").click()
    page.locator(".letters summary").first.click()
    page.get_by_text("Correct the game").click()
    page.get_by_role("heading", name="Pending orders").wait_for()
    require_sound("mails and corrections")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Learn the orders of Checkered Flag").click()
    page.get_by_role("heading", name="Task 1 of 10").wait_for()
    page.locator(".branch").first.wait_for()
    require_sound("lesson")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Play all seats of Checkpoint Rally").click()
    page.locator(".branch").first.wait_for()
    seat = page.locator("#viewer").input_value()
    write(
        page,
        adj.new("checkpoint-rally", {"red": "", "blue": ""}, id="practice-checkpoint-rally", seed=7)
        .seen_by(seat)
        .legal[0]
        .order,
    )
    page.get_by_role("button", name="Play these orders").click()
    page.locator("#status", has_text="Applied: 1 order.").wait_for()
    write(page, "DRAW\nDRAW")
    page.locator(".costs", has_text="is not known").wait_for()
    require_sound("all seats")


@pytest.mark.browser
def test_drafts_are_played_on_side_by_side(at_desk: Visit, tmp_path: Path) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=3)
    file = tmp_path / "own.json"
    file.write_bytes(game.seen_by(game.due_seats[0]).own_file())
    page = at_desk()
    page.set_input_files("#file", file)
    editor = page.locator(".cm-content")
    write(page, "GEAR N")
    page.get_by_role("button", name="New draft").click()
    write(page, "GEAR 1 go")
    ways = page.locator(".ways > li")
    ways.nth(1).filter(has_text="Chance decides from here.").wait_for()
    assert ways.count() == 2
    assert "must decide next" in ways.first.inner_text()
    page.get_by_role("heading", name="After your orders").wait_for()
    editor.fill("")
    page.get_by_role("heading", name="it is your turn").wait_for()


@pytest.mark.browser
def test_the_first_page_lists_the_games_in_which_it_is_ones_turn(at_desk: Visit, tmp_path: Path) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id="flag", seed=3)
    other = adj.new("checkpoint-rally", {"red": "Ann <b>", "blue": "Bob"}, id="rally", seed=7)
    due, waits = game.due_seats[0], next(seat for seat in other.seats if seat not in other.due_seats)
    files = [tmp_path / "flag.json", tmp_path / "rally.json", tmp_path / "whole.json"]
    for path, data in zip(
        files, (game.seen_by(due).own_file(), other.seen_by(waits).own_file(), other.to_bytes()), strict=True
    ):
        path.write_bytes(data)
    page = at_desk()
    page.set_input_files("#file", files)
    page.locator("#status", has_text="whole.json has a whole game").wait_for()
    for _ in range(2):  # before and after another visit
        assert page.locator(".tasks li").all_inner_texts()[0].startswith("Your turn in flag")
        assert page.locator(".tasks .waiting li").count() == 1
        page.reload()
        page.wait_for_selector("body[data-ready]", timeout=120_000)
        page.locator(".tasks li").first.wait_for()
    page.get_by_role("button", name="Forget rally").click()
    page.locator(".tasks .waiting").wait_for(state="detached")
    page.get_by_role("button", name="Your turn in flag").click()
    page.locator(".desk .branch").first.wait_for()


# Hostile files


NESTED: Final = (b"[" * 100_000, b'{"a":' * 100_000, b'{"format": 2, "game": ' + b"[" * 100_000)


def hostile_game() -> adj.Game:
    players = {"red": MARKUP[:80], "blue": "javascript:alert(4)"}
    game = adj.new("checkered-flag", players, id="x-onload-alert", seed=3)
    return game.apply({game.due_seats[0]: "GEAR 1"}).game.undo(0, MARKUP[:200])


def odd_mails(folder: Path) -> list[Path]:
    """Write mails with markup in each part of them, and return their paths."""
    paths = []
    for number, data in enumerate(
        (
            mail(MARKUP, MARKUP, MARKUP.replace("\n", " "), MARKUP).as_bytes(),
            b"Content-Type: text/html\n\n" + MARKUP.encode() * 50,
            b"Subject: =?utf-8?q?" + MARKUP.encode() + b"?=\n\nred:\n  GEAR 1\n",
            b"Content-Type: multipart/mixed; boundary=" + MARKUP.encode() + b"\n\n--x\n\nred: GEAR 1\n",
            b"\xff\xfe\x00",
        )
    ):
        paths.append(folder / f"{number}.eml")
        paths[-1].write_bytes(data)
    return paths


def hostile_files() -> Iterator[bytes]:
    """Yield damaged games and own files, files that are nested too deeply, and files of other kinds."""
    yield from NESTED
    yield from (MARKUP.encode(), b"", b"\xff\xfe\x00", json.dumps({"format": 2, "game": MARKUP}).encode())
    game, luck = hostile_game(), Random(7)
    for data in (game.to_bytes(), game.seen_by("red").own_file()) * 6:
        yield mutated_bytes(luck, data)
        yield json.dumps(mutated_document(luck, json.loads(data))).encode()


@pytest.fixture
def page(at_desk: Visit) -> Page:
    """Return the desk; a dialog that a file opens fails the test."""
    page = at_desk()
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    return page


def require_sound(page: Page) -> None:
    """The page has no element of a file, no script of a file has run, and its own elements are there."""
    assert (
        page.locator("main img:not(.cm-widgetBuffer), main script, main svg[onload], main a[href^='javascript']").count()
        == 0
    )
    assert page.locator("#bar h1").inner_text() == "The desk"
    assert page.locator("main > *").count() > 0


@pytest.mark.browser
def test_a_hostile_file_is_refused_or_shown_and_the_next_one_opens(page: Page, tmp_path: Path) -> None:
    for number, data in enumerate(hostile_files()):
        path = tmp_path / f"{number}.json"
        path.write_bytes(data)
        page.evaluate("document.getElementById('status').className = ''")
        page.set_input_files("#file", path)
        page.wait_for_selector("#status.bad, .desk .headline")
        require_sound(page)
        if page.get_by_role("button", name="Close").count():
            page.get_by_role("button", name="Close").click()
            page.locator("#file").wait_for(state="attached")
    path = tmp_path / "sound.json"
    hostile_game().save(path)
    page.set_input_files("#file", path)
    page.locator(".desk .headline").wait_for()


@pytest.mark.browser
def test_markup_in_names_orders_and_reasons_is_text(page: Page, tmp_path: Path) -> None:
    game = hostile_game()
    whole, own = tmp_path / "whole.json", tmp_path / "own.json"
    game.save(whole)
    own.write_bytes(game.seen_by(game.due_seats[0]).own_file())
    page.set_input_files("#file", own)
    page.locator(".desk .headline").wait_for()
    page.locator(".cm-content").click()
    page.locator(".cm-content").type(f"GEAR {MARKUP}")
    page.locator(".problems li").first.wait_for()
    page.get_by_role("button", name="New draft").click()
    page.locator(".ways li p").first.wait_for()
    require_sound(page)
    page.get_by_role("button", name="Close").click()
    page.locator(".tasks li").wait_for()
    require_sound(page)
    page.set_input_files("#file", whole)
    page.set_input_files(".moderator input", [str(one) for one in odd_mails(tmp_path)])
    page.locator(".moderator textarea").first.fill(f"Subject: {MARKUP}\n\nred:\n  {MARKUP}\nblue:\n  {MARKUP}\n")
    page.get_by_role("button", name="Check").click()
    page.locator(".result p").first.wait_for()
    assert MARKUP[:40] in page.locator(".desk").inner_text() + page.locator(".result").first.inner_text()
    require_sound(page)
    page.get_by_text("Mails to the players").click()
    page.get_by_label("Mail address of").first.fill(f"{MARKUP}?bcc=x@evil.example&body=x")
    link = page.locator(".letters a").first.get_attribute("href")
    assert link.startswith("mailto:%3Cimg%20src")
    assert link.count("?") == link.count("bcc") == 1
    page.locator(".letters summary").first.click()
    page.get_by_text("Correct the game").click()
    page.get_by_label("Reason, for the record").fill(MARKUP[:200])
    page.get_by_label("Change the position").fill(MARKUP)
    page.get_by_role("button", name="Amend").click()
    page.locator(".part .result .bad").wait_for()
    page.get_by_label("Change the position").fill("gear of red=3")
    page.get_by_role("button", name="Amend").click()
    page.locator(".part .result li").first.wait_for()
    assert MARKUP[:40] in page.locator(".part .result").inner_text()
    require_sound(page)


@pytest.mark.browser
def test_markup_in_a_new_game_is_text(page: Page) -> None:
    page.locator(".new-game > summary").click()
    page.get_by_role("form").get_by_label("Game", exact=True).select_option("great-race")
    for at, label in enumerate(("Name of the game", "Seat", "board")):
        page.get_by_label(label, exact=True).first.fill(MARKUP)
        page.get_by_role("button", name="Begin the game").click()
        page.locator("[aria-invalid]").first.wait_for()
        assert "<img src" in page.locator(".new-game").inner_text(), at
        require_sound(page)
        page.get_by_label(label, exact=True).first.fill(("race", "red", "")[at])
    page.get_by_label("Player", exact=True).first.fill(MARKUP[:80])
    page.get_by_label("Mail address").first.fill(MARKUP)
    page.get_by_role("button", name="Begin the game").click()
    page.locator("[aria-invalid]").first.wait_for()
    page.get_by_label("Mail address").first.fill("")
    page.get_by_role("button", name="Begin the game").click()
    page.locator(".moderator").wait_for()
    page.get_by_text("Mails to the players").click()
    page.locator(".letters strong", has_text="<img src").wait_for()
    require_sound(page)
