"""What the page of the desk asks its Python: the answers are those of the library and the commands, problems are values."""

from __future__ import annotations

import io
import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from email import message_from_bytes
from email.policy import SMTP
from gzip import compress
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import adjudicator as adj
from adjudicator.desk.build import copy_python, copy_sources
from adjudicator.desk.lessons import lesson as library_lesson
from tests.drivers.pages import GAMES, ROOT, Answers, Visit, begun, requests_of_desk

Run = Callable[..., Any]
SECRET = "ab" * 32
REQUESTS = requests_of_desk()
TURN = b"From: ann@example.org\nDate: Mon, 2 Nov 2026 10:00:00 +0000\nSubject: my turn\n\n%s:\n  GEAR 1\n  GAER 2\n"


@pytest.fixture
def ask() -> Answers:
    return Answers()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_looked_at_checked_played_and_saved_as_by_the_library(ask: Answers, run: Run, name: str) -> None:
    described = json.loads(run("games", "--json").stdout)
    assert ask("games")["games"] == described
    game = ask.begin(name)
    seat = game["due"][0]
    look = ask("look", viewer=seat)
    assert look["picture"]["figures"] and look["legal"] and look["keywords"]
    waiting = [one for one in game["seats"] if one not in game["due"]]
    assert [ask("look", viewer=one)["legal"] for one in waiting] == [[]] * len(waiting), "who is not due orders ahead"
    order = ask("choose", seat=seat)["order"]
    assert ask("check", viewer=seat, text=order)["problems"] == []
    done = ask("apply", texts={seat: order})
    assert done["problems"] == [] and done["log"][0]["seat"] == seat
    assert ask("save") == begun(name).apply({seat: order}).game.to_bytes()
    assert ask("audit")["verified"]
    for kind in ("report", "replay"):
        assert b"<!doctype html>" in ask(kind, viewer=seat).lower()[:200]


@pytest.mark.parametrize("name", GAMES)
def test_a_players_own_file_says_no_more_than_its_player_knows(ask: Answers, name: str) -> None:
    game = ask.begin(name)
    seat = game["due"][0]
    order = ask("choose", seat=seat)["order"]
    opened = Answers()
    assert opened("open", begun(name).seen_by(seat).own_file(), name="own.json")["game"]["own"] == seat
    assert opened("look", viewer=seat)["legal"] == ask("look", viewer=seat)["legal"]
    other = next(one for one in game["seats"] if one != seat)
    assert opened("look", viewer=other)["error"]["kind"] == opened("save")["error"]["kind"] == "refused"
    found = opened("what_if", viewer=seat, text=order)
    assert found["picture"]["figures"] and found["words"]
    assert found["ends"] in ("your-turn", "chance", "hidden", "others")
    assert [row["seat"] for row in found["log"] if row["order"]] == [seat]
    assert opened("what_if", viewer=seat, text="")["log"] == []
    costs = opened("costs", viewer=seat, text=f"# later\n{order}\n{order}")["costs"]
    assert [one["line"] for one in costs] == [2, 3]
    assert all((one["min"] is None) == bool(one["unknown"]) for one in costs)
    assert costs == ask("costs", viewer=seat, text=f"# later\n{order}\n{order}")["costs"]


@pytest.mark.parametrize(
    ("text", "problems", "ignored"),
    [
        ("GAER 1", [(1, 1, ["GEAR 1"])], []),
        ("# a comment\nGEAR 1\nPLOUGH 2\n", [], [(3, "PLOUGH 2", "not understood")]),
        ("# later", [], []),
        ("Hello Bob,", [], [(1, "Hello Bob,", "a greeting")]),
        ("  ", [], []),
    ],
)
def test_a_mistake_has_its_place_and_an_ignored_line_its_reason(
    ask: Answers, text: str, problems: list[Any], ignored: list[Any]
) -> None:
    found = ask("check", viewer=ask.begin("checkered-flag")["due"][0], text=text)
    assert [(one["line"], one["column"], one["suggestions"]) for one in found["problems"]] == problems
    assert [(one["line"], one["text"], one["reason"]) for one in found["ignored"] if problems or ignored] == ignored


def test_the_words_that_fit_after_the_beginning_of_a_line_are_those_of_the_grammar(ask: Answers) -> None:
    ask.begin("checkpoint-rally")
    for text, words in (("red: PLACE U10 ", {"at"}), ("", {"withdraw", "IF"}), ("DRAW", {"OR"}), ("PLACE at at ", set())):
        found = set(ask("words", text=text)["words"])
        assert words <= found and (words or not found), text


def test_games_scripts_and_archives_are_audited_under_any_name(ask: Answers) -> None:
    game = ask.begin("checkered-flag")
    ask("apply", texts={game["due"][0]: "GEAR 1"})
    data = ask("save")
    archive = io.BytesIO()
    with ZipFile(archive, "w") as packed:
        packed.writestr("one.json", data)
        packed.writestr("two.json", data.replace(b"GEAR", b"GAER"))
    for name, content, verified in (
        ("../one.json", data, [True]),
        ("/etc/passwd", adj.open(data).script(with_secret=True).text.encode(), [True]),
        ("all.zip", archive.getvalue(), [True, False]),
        ("", b"nothing", [False]),
    ):
        found = ask("audit_file", content, name=name)
        assert [one["verified"] for one in found["results"]] == verified, found


def test_a_moderators_files_are_those_of_the_command_line(ask: Answers, run: Run) -> None:
    """Every step gives the same bytes as its command: new, apply, undo, amend, withdraw, bring-back, archive."""
    chosen = {"laps": "3", "braking": "last"}
    ask("new", ruleset="checkered-flag", players=[["red", "Ann"], ["blue", "Bob"]], id="race", options=chosen, seed=SECRET)
    seats, options = ("--seat", "red=Ann", "--seat", "blue=Bob"), ("--option", "laps=3", "--option", "braking=last")
    run("new", "checkered-flag", *seats, *options, "--seed", SECRET, "-o", "race.json", code=0)
    assert ask("save") == Path("race.json").read_bytes()
    seat = ask("look", viewer="moderator")["game"]["due"][0]
    other = "blue" if seat == "red" else "red"
    mails = {"one.eml": TURN % seat.encode(), "two.txt": f"{other}:\n  GEAR 1\n  GEAR 2\n".encode()}
    for name, data in mails.items():
        Path(name).write_bytes(data)
    before = ask("save")
    assert len(ask("apply", *mails.values(), names=list(mails), trial=True)["log"]) >= 1
    assert ask("save") == before, "a trial changes nothing"
    found = ask("apply", *mails.values(), names=list(mails))
    told = json.loads(run("apply", "race.json", *mails, "--json").stdout)
    assert ([one["order"] for one in found["log"]], found["problems"]) == (
        [one["order"] for one in told["accepted"]],
        told["problems"],
    )
    assert ask("save") == Path("race.json").read_bytes()
    for name, values, command in (
        (
            "withdraw",
            {"seat": other, "reason": "asked", "first": 1},
            f"pending race.json --withdraw {other} --reason asked --from 1",
        ),
        ("pending", {}, "pending race.json"),
        ("bring_back", {"number": 1}, "pending race.json --bring-back 1"),
        ("undo", {"to": 0, "reason": "slip"}, "undo race.json --to 0 --reason slip"),
        ("amend", {"changes": ["gear of red=2"], "reason": "x"}, "amend race.json gear|of|red=2 --reason x"),
    ):
        words = [word.replace("|", " ") for word in command.split()]
        answer, said = ask(name, **values), json.loads(run(*words, "--json", code=0).stdout)
        assert answer.get("correction", answer.get("pending", answer)) == said, name
        assert ask("save") == Path("race.json").read_bytes()
    Path("all.adjudicator.db").write_bytes(ask("archive"))
    run("archive", "all.adjudicator.db", "--extract", "out", code=0)
    assert Path("out", f"{adj.open('race.json').id}.json").read_bytes() == Path("race.json").read_bytes()
    assert ask("audit")["verified"]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_for_practice_goes_back_and_forth_and_counts_what_is_not_saved(ask: Answers, name: str) -> None:
    players = [*begun(name).players.items()]
    seat = players[0][0]
    ask("new", ruleset=name, players=players, seed=7, practice=True)
    game = ask("answer_first", viewer=seat)["game"]
    files, orders = [ask("save")], list[str]()

    def steps(answer: Any) -> tuple[int, int, int]:
        return answer["game"]["undo"], answer["game"]["redo"], answer["game"]["unsaved"]

    assert seat in game["due"] and steps({"game": game}) == (0, 0, 0)
    for count in (1, 2):
        orders.append(ask("choose", seat=seat)["order"])
        found = ask("play", viewer=seat, text=orders[-1], alone=True)
        assert found["problems"] == [] and seat in found["game"]["due"] and steps(found) == (count, 0, count)
        files.append(ask("save"))
    assert ask("step", by=1)["error"]["message"] == "there is no move to play again"
    assert steps(ask("saved", state=found["game"]["state"])) == (2, 0, 0)
    assert steps(ask("step", by=-1)) == (1, 1, 1) and ask("save") == files[1]
    assert steps(ask("step", by=1)) == (2, 0, 0) and ask("save") == files[2]
    assert steps(ask("step", by=-2)) == (0, 2, 2) and ask("save") == files[0]
    assert ask("step", by=-1)["error"]["message"] == "there is no move to take back"
    assert steps(ask("play", viewer=seat, text="nothing", alone=True)) == (0, 2, 2), "a mistake loses no move"
    assert steps(ask("play", viewer=seat, text=orders[0], alone=True))[:2] == (1, 0)
    assert ask("save") == files[1]


@pytest.mark.parametrize(
    ("values", "parts"),
    [
        ({"id": "../x"}, ["id"]),
        ({"players": [["red", "Ann"]]}, ["seat"]),
        ({"players": [["red", "Ann"], ["1x", "B"], ["red", "C" * 81]]}, ["seat:1", "seat:2", "player:2"]),
        ({"players": [["red", ""], ["moderator", ""]]}, ["seat:1"]),
        ({"options": {"layout": "round", "mapp": "upper"}}, ["option:mapp", "option:layout"]),
        ({"options": {"car.red": "bicycle"}}, ["option:car.red"]),
        ({"ruleset": "great-race", "options": {"board": "moon"}}, ["option:board"]),
        ({"ruleset": "rally-round", "options": {"rally": "moon"}}, ["option:rally"]),
    ],
)
def test_a_mistake_in_a_set_up_names_its_part(ask: Answers, values: dict[str, Any], parts: list[str]) -> None:
    usual = {"ruleset": "checkpoint-rally", "players": [["red", "Ann"], ["blue", "Bob"]], "id": "rally"}
    error = ask("new", **usual | values)["error"]
    assert [one["part"] for one in error["problems"]] == parts
    assert all(one["message"] in error["message"] for one in error["problems"])
    assert all(one.keys() == {"code", "message", "rule", "part", "suggestions"} for one in error["problems"])
    assert all(one["suggestions"] == ["map"] for one in error["problems"] if one["part"] == "option:mapp")


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        ("new", {"ruleset": "checkered-flag", "players": []}),
        ("undo", {"to": 7, "reason": "x"}),
        ("amend", {"changes": ["gear of red=99"], "reason": "x"}),
        ("amend", {"changes": ["gear of red=2"], "reason": " "}),
        ("withdraw", {"seat": "red", "reason": "x"}),
        ("bring_back", {"number": 3}),
        ("look", {"viewer": "purple"}),
        ("task", {"ruleset": "no-such-game", "number": 1}),
        ("task", {"ruleset": "checkered-flag", "number": 0}),
        ("solve", {"ruleset": "checkered-flag", "number": 11, "text": "GEAR 1"}),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(ask: Answers, request_: str, values: dict[str, Any]) -> None:
    ask.begin("checkered-flag")
    before = ask("save")
    assert ask(request_, **values)["error"]["kind"] == "refused"
    assert ask("save") == before


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b'{"format": 1}', Path(__file__).read_bytes()])
def test_a_file_that_is_no_game_is_refused_in_words(ask: Answers, data: bytes) -> None:
    found = ask("open", data, name="strange.json")["error"]
    assert found["kind"] == "refused" and "strange.json" in found["message"]


def values_for(request: str, seat: str = "red") -> dict[str, Any]:
    """Return values for every parameter of ``request`` that must be given."""
    known = {"viewer": seat, "seat": seat, "text": "GEAR 1", "reason": "x", "changes": [], "number": 1, "seats": [seat]}
    known |= {"to": "", "by": 0, "state": 1, "n": 0}
    return {name: known[name] for name in REQUESTS[request] if name in known}


WITHOUT_A_GAME = ("games", "open", "new", "task", "solve", "audit_file")


@pytest.mark.parametrize("request_", [name for name in REQUESTS if name not in WITHOUT_A_GAME])
def test_nothing_is_answered_without_a_game(ask: Answers, request_: str) -> None:
    assert ask(request_, **values_for(request_))["error"]["message"] == "open a game first"


def test_the_mail_to_a_player_has_the_report_and_the_players_own_file(ask: Answers) -> None:
    game = ask.begin("checkered-flag")
    seat = game["due"][0]
    result = begun("checkered-flag").apply({seat: "GEAR 1\nGAER 2"})
    ask("apply", texts={seat: "GEAR 1\nGAER 2"})
    written = ask("letters", seats=game["seats"])["letters"]
    assert [one["seat"] for one in written] == game["seats"]
    own = next(one for one in written if one["seat"] == seat)
    assert own["text"] == adj.render(result.report(seat)) and "GAER 2" in own["text"]
    assert not any("GAER" in one["text"] for one in written if one is not own)
    forged = message_from_bytes(ask("letter", seat=seat, to="ann@example.org\nBcc: x@example.org"), policy=SMTP)
    assert "example.org" not in f"{forged['To']} {forged['Bcc']}"
    mail = message_from_bytes(ask("letter", seat=seat, to="ann@example.org"), policy=SMTP)
    assert (mail["To"], mail["Bcc"], mail["X-Unsent"], mail["Subject"]) == ("ann@example.org", None, "1", own["subject"])
    body, attached = mail.get_body(), list(mail.iter_attachments())
    assert body.get_content().replace("\r\n", "\n") == own["text"]
    found = [(one.get_filename(), one.get_content()) for one in attached]
    assert found == [(f"table-{seat}.json", result.game.seen_by(seat).own_file())]


@pytest.mark.parametrize("name", GAMES)
def test_a_lesson_has_ten_tasks_and_each_answer_solves_its_own_alone(ask: Answers, name: str) -> None:
    lesson = library_lesson(name)
    assert len(lesson.tasks) == len({task.say for task in lesson.tasks}) == 10
    for number, task in enumerate(lesson.tasks, 1):
        result = lesson.position(number).apply({task.seat: task.answer})
        assert task.seat in lesson.position(number).due_seats and result.problems == () and result.is_changed, number
        assert lesson.is_solved(number, f"{task.seat}: {task.answer.lower()}\n-- \nAnn"), number
        others = [other.answer for other in lesson.tasks if other is not task and other.after == task.after]
        assert not any(lesson.is_solved(number, wrong) for wrong in ("nothing", *others)), number
    shown = ask("task", ruleset=name, number=2)
    assert (shown["tasks"], shown["seat"], shown["answer"]) == (10, lesson.tasks[1].seat, lesson.tasks[1].answer)
    assert ask("solve", ruleset=name, number=2, text=shown["answer"]) == {"solved": True}


def test_a_file_on_which_the_rules_fail_is_blamed_if_it_is_forged(ask: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules may fail in any way on a forged file: only a sound game shows that they have a bug."""
    game = begun("checkered-flag")
    monkeypatch.setattr(adj.Reader, "position", property(lambda _: 1 / 0))
    ask("open", game.to_bytes(), name="race.json")
    found = ask("look", viewer="red")["error"]
    assert (found["kind"], "ZeroDivisionError" in found["message"]) == ("bug", True)
    found = ask("open", game.seen_by("red").own_file(), name="race.json")["error"]
    words = "somebody has changed it (ask the moderator to send it again), or this is a bug in"
    assert (found["kind"], words in found["message"]) == ("refused", True)


PLAY = """
import sys
sys.path.append({root!r})
from tests.drivers.pages import GAMES, Answers
import adjudicator
before = set(sys.modules)
for game in GAMES:
    ask = Answers()
    seat = ask.begin(game)["due"][0]
    order = ask("choose", seat=seat)["order"]
    given = dict(viewer=seat, seat=seat, seats=[seat], text=order)
    for name, values in {requests}:
        found = ask(name, **values | {{one: given[one] for one in given if one in values}})
        assert isinstance(found, bytes) or "error" not in found and not found.get("problems"), (name, found)
    ask("apply", texts={{seat: order}})
    assert "error" not in ask("undo", reason="a test")
    assert len(ask("audit_file", ask("save"), name="a.json")["results"]) == 1
    assert "error" in ask("open", b'{{"format": 2, "game": 3}}', name="b.json")
    assert "solved" in ask("solve", ruleset=game, number=1, text=order)
loaded = set(sys.modules) - before
print(adjudicator.__file__)
print(sorted({{"multiprocessing", "ssl", "typer", "resvg_py", "mailbox", "imaplib", "smtplib"}} & loaded))
"""


def test_what_the_desk_takes_along_is_enough_and_loads_nothing_that_a_browser_does_not_have(tmp_path: Path) -> None:
    copy_python(tmp_path / "source")
    left_out = {*WITHOUT_A_GAME, "amend", "withdraw", "bring_back", "undo"}
    requests = [(name, values_for(name)) for name in REQUESTS if name not in left_out]
    script = PLAY.format(root=str(ROOT), requests=requests)
    place = tmp_path / "source"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=place)
    assert (done.stdout.split("\n"), done.stderr) == ([str(place / "adjudicator" / "__init__.py"), "[]", ""], "")


# The build


@pytest.mark.parametrize("name", ["index.html", "service.js"])
def test_the_page_of_another_site_is_kept(run: Run, name: str) -> None:
    Path("site").mkdir()
    Path("site", name).write_text("mine")
    assert f"{name} is not a page of a desk" in run("desk", "-o", "site", code=2).stderr
    assert {path.name: path.read_text() for path in Path("site").iterdir()} == {name: "mine"}


def test_a_program_that_is_missing_is_named(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # else an earlier build may have left what npm would fetch
    assert "install npm: the desk is built with it" in run("desk", "-o", "site", code=2).stderr


def test_everything_that_is_taken_has_a_version_and_a_hash() -> None:
    desk = ROOT / "adjudicator" / "desk"
    wheels = [line for line in (desk / "wheels.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    assert wheels and all("==" in line and "--hash=sha256:" in line for line in wheels)
    locked = json.loads((desk / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    assert len(locked) > 5
    assert all("integrity" in package and "resolved" not in package for name, package in locked.items() if name)


@pytest.mark.browser
def test_the_page_asks_its_python_only_what_it_answers(tmp_path: Path) -> None:
    """TypeScript finds no mistake in the page, with the types of requests and answers that follow from the Python."""
    web = tmp_path / "web"
    copy_sources(web)
    (web / "answers.d.ts").write_text(runpy.run_path(str(ROOT / ".ci" / "desk_types.py"))["types"](), "utf-8")
    got = subprocess.run(["npm", "ci", "--prefer-offline"], cwd=web, capture_output=True, text=True, check=False)
    if got.returncode:
        pytest.skip(f"the types of the desk need the registry of npm: {got.stderr.strip()[-300:]}")
    done = subprocess.run(["node_modules/.bin/tsc", "-p", "."], cwd=web, capture_output=True, text=True, check=False)
    assert done.stdout == ""


@pytest.mark.browser
def test_a_move_of_practice_is_taken_back_and_played_again(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    page.get_by_role("button", name="Play one seat of Checkered Flag").click()
    page.locator(".branch").first.wait_for(timeout=120_000)
    assert page.locator("button.primary:visible").count() <= 1 and page.get_by_text("mail").count() == 0
    entries = page.locator(".log li").count
    before = entries()
    page.locator(".cm-content").fill("GEAR 1 go")
    page.get_by_role("button", name="Play these orders").click()
    page.locator(".unsaved", has_text="Not saved: 1 move").wait_for()
    page.locator(".desk[aria-busy=false]").wait_for()
    after = entries()
    assert after > before
    page.get_by_role("button", name="Undo", exact=True).click()
    page.locator("#status", has_text="The last move is taken back.").wait_for()
    page.locator(".desk[aria-busy=false]").wait_for()
    assert page.locator(".unsaved").is_hidden() and entries() == before
    page.get_by_role("button", name="Redo", exact=True).click()
    page.locator(".unsaved", has_text="Not saved: 1 move").wait_for()
    page.locator(".desk[aria-busy=false]").wait_for()
    assert entries() == after


@pytest.mark.browser
def test_the_desk_is_small_and_may_load_and_run_only_its_own_files(desk: Path) -> None:
    """The first visit downloads at most 8 megabytes, and each file of a release has a name of its own."""
    page = (desk / "index.html").read_text("utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    own = ("script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'")
    frames = ("worker-src 'self'", "frame-src 'self'", "base-uri 'none'", "form-action 'none'")
    assert policy is not None and policy[1].split("; ") == ["default-src 'none'", *own, *frames]
    release = list(desk.glob("*/python.pack"))
    assert len(release) == 1
    found = [file for file in (*desk.glob("*.*"), *release[0].parent.rglob("*")) if file.is_file()]
    assert sum(len(compress(file.read_bytes(), 6)) for file in found) <= 8_000_000


def test_a_private_game_begins_from_a_past_position(ask: Answers) -> None:
    game = adj.open(ROOT / "tests/data/games/checkpoint-rally/again-005.json")
    opened = ask("open", game.seen_by("red").own_file(), name="red.json")["game"]
    assert (opened["own"], opened["moments"], opened["fork"]) == ("red", True, None)
    assert ask("moment", viewer="red", n=9)["picture"]["figures"]
    forked = ask("fork", viewer="red", n=9)["game"]
    assert (forked["fork"], forked["due"], forked["over"]) == ("red", ["red"], False)
    saved = adj.open(ask("save"))
    assert saved.fork is not None and saved.fork.n == 9
    order = ask("choose", seat="red")["order"]
    assert ask("play", viewer="red", text=order, alone=True)["game"]["due"] == ["red"]
    assert ask("audit")["verified"]
