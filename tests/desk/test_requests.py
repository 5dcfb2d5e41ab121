"""The requests of the page, asked without a browser: the answers are those of the library, and problems are values."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import adjudicator as adj
from adjudicator.desk.requests import REQUESTS, Desk
from adjudicator.own_file import own_file
from adjudicator.rulesets import metas
from adjudicator.store.seat_files import dump_seat_file

GAMES = [name for name, _ in metas()]
SEED = 7


def ask(desk: Desk, request: str, /, *files: bytes, **values: Any) -> Any:
    said, data = desk.answer(request, json.dumps(values), list(files))
    answer = json.loads(said)
    return data if data is not None else answer


def begun(name: str) -> tuple[Desk, dict[str, Any]]:
    desk = Desk()
    meta = next(meta for meta in adj.installed_games() if meta.id == name)
    players = dict(zip(("red", "blue", "green", "yellow"), ("Ann", "Bob", "Cleo", "Dan"), strict=True))
    chosen = dict(list(players.items())[: max(2, meta.players[0])])
    return desk, ask(desk, "new", ruleset=name, players=chosen, seed=SEED, id="table")["game"]


def test_all_installed_games_are_offered() -> None:
    assert [game["id"] for game in ask(Desk(), "games")["games"]] == GAMES


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_looked_at_checked_played_and_saved_as_by_the_library(name: str) -> None:
    desk, game = begun(name)
    seat = game["due"][0]
    look = ask(desk, "look", viewer=seat)
    assert look["picture"].startswith("<svg")
    assert look["legal"]
    order = ask(desk, "choose", seat=seat)["order"]
    assert ask(desk, "check", viewer=seat, text=order)["problems"] == []
    done = ask(desk, "apply", texts={seat: order})
    assert done["problems"] == []
    players = {seat: game["players"][seat] for seat in game["seats"]}
    same = adj.new(name, players, id="table", seed=SEED).apply({seat: order}).game
    assert done["log"][0]["seat"] == seat
    assert ask(desk, "save") == same.to_bytes()
    assert ask(desk, "audit")["verified"]


@pytest.mark.parametrize("name", GAMES)
def test_a_players_own_file_opens_and_says_no_more_than_its_player_knows(name: str) -> None:
    desk, game = begun(name)
    seat = game["due"][0]
    session = desk.game.session
    data = dump_seat_file(session.rules, own_file(session, session.seat(seat)))
    opened = Desk()
    assert ask(opened, "open", data, name="own.json")["game"]["own"] == seat
    assert ask(opened, "look", viewer=seat)["legal"] == ask(desk, "look", viewer=seat)["legal"]
    other = next(one for one in game["seats"] if one != seat)
    assert ask(opened, "look", viewer=other)["error"]["kind"] == "refused"
    assert ask(opened, "save")["error"]["kind"] == "refused"


def test_a_mistake_is_a_value_with_its_place() -> None:
    desk, game = begun("checkered-flag")
    found = ask(desk, "check", viewer=game["due"][0], text="GAER 1")["problems"]
    assert [(one["line"], one["column"], one["suggestions"]) for one in found] == [(1, 1, ["GEAR 1"])]


def test_a_line_that_is_no_order_is_named_with_the_reason() -> None:
    desk, game = begun("checkered-flag")
    found = ask(desk, "check", viewer=game["due"][0], text="# a comment\nGEAR 1\nPLOUGH 2\n")
    assert (found["problems"], found["ignored"]) == (
        [],
        [{"source": f"orders of {game['due'][0]}", "line": 3, "text": "PLOUGH 2", "why": "not understood"}],
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_what_if_of_an_own_file_gives_a_board_and_the_log_until_chance_or_others_decide(name: str) -> None:
    desk, game = begun(name)
    seat = game["due"][0]
    order = ask(desk, "choose", seat=seat)["order"]
    opened = Desk()
    ask(opened, "open", desk.game.own_file(seat), name="own.json")
    found = ask(opened, "what_if", viewer=seat, text=order)
    assert found["picture"].startswith("<svg")
    assert found["ends"] in ("your-turn", "chance", "hidden", "others")
    assert found["words"]
    assert [row["seat"] for row in found["log"] if row["order"]] == [seat]
    assert ask(opened, "what_if", viewer=seat, text="")["log"] == []


@pytest.mark.parametrize("name", GAMES)
def test_each_line_has_a_cost_or_the_reason_why_it_is_not_known(name: str) -> None:
    desk, game = begun(name)
    seat = game["due"][0]
    order = ask(desk, "choose", seat=seat)["order"]
    opened = Desk()
    ask(opened, "open", desk.game.own_file(seat), name="own.json")
    found = ask(opened, "costs", viewer=seat, text=f"# later\n{order}\n{order}")["costs"]
    assert [one["line"] for one in found] == [2, 3]
    assert all((one["min"] is None) == bool(one["unknown"]) for one in found)
    assert found == ask(desk, "costs", viewer=seat, text=f"# later\n{order}\n{order}")["costs"]


def test_the_words_that_fit_after_the_beginning_of_a_line_are_those_of_the_grammar() -> None:
    desk, game = begun("checkpoint-rally")
    assert "at" in ask(desk, "words", text="red: PLACE U10 ")["words"]
    assert {"withdraw", "IF"} <= set(ask(desk, "words", text="")["words"])
    assert "OR" in ask(desk, "words", text="DRAW")["words"]
    assert ask(desk, "words", text="PLACE at at ")["words"] == []
    keywords = ask(desk, "look", viewer=game["due"][0])["keywords"]
    assert {"place", "rot", "if", "withdraw"} <= set(keywords)


def test_games_scripts_and_archives_are_audited_under_any_name() -> None:
    desk, game = begun("checkered-flag")
    ask(desk, "apply", texts={game["due"][0]: "GEAR 1"})
    data = desk.answer("save", "{}", None)[1]
    assert data is not None
    script = desk.game.script(with_secret=True).text.encode()
    archive = io.BytesIO()
    with ZipFile(archive, "w") as packed:
        packed.writestr("one.json", data)
        packed.writestr("two.json", data.replace(b"GEAR", b"GAER"))
    for name, content, verified in (
        ("../one.json", data, [True]),
        ("/etc/passwd", script, [True]),
        ("all.zip", archive.getvalue(), [True, False]),
        ("", b"nothing", [False]),
    ):
        found = json.loads(desk.answer("audit_file", json.dumps({"name": name}), [content])[0])
        assert [one["verified"] for one in found["results"]] == verified, found


@pytest.mark.parametrize("text", ["# later", "Hello Bob,", "  ", "Thanks!\n\n# GEAR 1"])
def test_a_text_without_orders_has_no_mistake(text: str) -> None:
    desk, game = begun("checkered-flag")
    assert ask(desk, "check", viewer=game["due"][0], text=text)["problems"] == []


def test_mails_are_read_and_a_trial_changes_nothing() -> None:
    desk, game = begun("checkered-flag")
    seat = game["due"][0]
    mail = f"From: ann@example.org\nSubject: my turn\n\n{seat}:\n  GEAR 1\n".encode()
    before = ask(desk, "save")
    assert len(ask(desk, "apply", mail, trial=True, names=["turn.eml"])["log"]) == 1
    assert ask(desk, "save") == before
    assert ask(desk, "apply", mail, names=["turn.eml"])["problems"] == []
    assert ask(desk, "undo", reason="a test")["game"]["due"][0] == seat


@pytest.mark.parametrize("ruleset", GAMES)
def test_games_are_described_as_by_the_command_line(run: Callable[..., Any], ruleset: str) -> None:
    described = {one["id"]: one for one in json.loads(run("games", "--json").stdout)}
    assert {one["id"]: one for one in ask(Desk(), "games")["games"]}[ruleset] == described[ruleset]


SECRET = "ab" * 32
TURN = b"From: ann@example.org\nDate: Mon, 2 Nov 2026 10:00:00 +0000\nSubject: my turn\n\n%s:\n  GEAR 1\n  GAER 2\n"


def test_a_moderators_files_are_those_of_the_command_line(run: Callable[..., Any]) -> None:
    """Every step gives the same bytes as its command: new, apply, undo, amend, withdraw, bring-back, archive."""
    desk = Desk()
    chosen = {"laps": "3", "braking": "last"}
    ask(
        desk,
        "new",
        ruleset="checkered-flag",
        players=[["red", "Ann"], ["blue", "Bob"]],
        id="race",
        options=chosen,
        seed=SECRET,
    )
    seats, options = ("--seat", "red=Ann", "--seat", "blue=Bob"), ("--option", "laps=3", "--option", "braking=last")
    assert run("new", "checkered-flag", *seats, *options, "--seed", SECRET, "-o", "race.json").exit_code == 0

    def require_equal(step: str) -> None:
        assert (step, ask(desk, "save")) == (step, Path("race.json").read_bytes())

    require_equal("new")
    seat = ask(desk, "look", viewer="moderator")["game"]["due"][0]
    other = "blue" if seat == "red" else "red"
    mails = {"one.eml": TURN % seat.encode(), "two.txt": f"{other}:\n  GEAR 1\n  GEAR 2\n".encode()}
    for name, data in mails.items():
        Path(name).write_bytes(data)
    found = ask(desk, "apply", *mails.values(), names=list(mails))
    told = json.loads(run("apply", "race.json", *mails, "--json").stdout)
    assert (found["log"], found["problems"]) == (told["accepted"], told["problems"])
    require_equal("apply")
    for name, values, command in (
        (
            "withdraw",
            {"seat": other, "reason": "asked", "first": 1},
            ("withdraw", "race.json", other, "--reason", "asked", "--from", "1"),
        ),
        ("pending", {}, ("pending", "race.json")),
        ("bring_back", {"number": 1}, ("pending", "race.json", "--bring-back", "1")),
        ("undo", {"to": 0, "reason": "a slip"}, ("undo", "race.json", "--to", "0", "--reason", "a slip")),
        (
            "amend",
            {"changes": ["gear of red=2"], "reason": "said so"},
            ("amend", "race.json", "gear of red=2", "--reason", "said so"),
        ),
    ):
        answer, said = ask(desk, name, **values), run(*command, "--json")
        assert said.exit_code == 0, said.output
        assert answer.get("correction", answer) == json.loads(said.stdout), name
        require_equal(name)
    run("archive", "all.jsonl.zst", "race.json")
    assert ask(desk, "archive") == Path("all.jsonl.zst").read_bytes()
    assert ask(desk, "audit")["verified"]


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
        ({"ruleset": "great-race", "options": {"start": "moon"}}, ["option:start"]),
        ({"ruleset": "rally-round", "options": {"rally": "moon"}}, ["option:rally"]),
        (
            {
                "ruleset": "checkpoint-charlie",
                "players": [["laces", ""], ["b", ""], ["c", ""]],
                "options": {"investigator.laces": "Britton"},
            },
            ["option:investigator.laces"],
        ),
    ],
)
def test_a_mistake_in_a_set_up_names_its_part(values: dict[str, Any], parts: list[str]) -> None:
    usual = {"ruleset": "checkpoint-rally", "players": [["red", "Ann"], ["blue", "Bob"]], "id": "rally"}
    error = ask(Desk(), "new", **usual | values)["error"]
    assert [one["part"] for one in error["problems"]] == parts
    assert all(one["message"] in error["message"] for one in error["problems"])


def test_a_refused_set_up_or_correction_changes_nothing() -> None:
    desk, _ = begun("checkered-flag")
    before = ask(desk, "save")
    for name, values in (
        ("new", {"ruleset": "checkered-flag", "players": []}),
        ("undo", {"to": 7, "reason": "x"}),
        ("amend", {"changes": ["gear of red=99"], "reason": "x"}),
        ("amend", {"changes": ["gear of red=2"], "reason": " "}),
        ("withdraw", {"seat": "red", "reason": "x"}),
        ("bring_back", {"number": 3}),
    ):
        assert ask(desk, name, **values)["error"]["kind"] == "refused", name
        assert ask(desk, "save") == before


def test_the_mail_to_a_player_has_the_report_and_the_players_own_file() -> None:
    desk, game = begun("checkered-flag")
    seat = game["due"][0]
    result = desk.game.apply({seat: "GEAR 1\nGAER 2"})
    ask(desk, "apply", texts={seat: "GEAR 1\nGAER 2"})
    written = ask(desk, "letters", seats=game["seats"])["letters"]
    assert [one["seat"] for one in written] == game["seats"]
    own = next(one for one in written if one["seat"] == seat)
    assert own["text"] == adj.render(result.report(seat))
    assert "GAER 2" in own["text"]
    assert not any("GAER" in one["text"] for one in written if one is not own)
    forged = message_from_bytes(ask(desk, "letter", seat=seat, to="ann@example.org\nBcc: x@example.org"), policy=SMTP)
    assert "example.org" not in f"{forged['To']} {forged['Bcc']}"
    mail = message_from_bytes(ask(desk, "letter", seat=seat, to="ann@example.org"), policy=SMTP)
    assert (mail["To"], mail["Bcc"], mail["X-Unsent"]) == ("ann@example.org", None, "1")
    assert mail["Subject"] == own["subject"]
    body, attached = mail.get_body(), list(mail.iter_attachments())
    assert body.get_content().replace("\r\n", "\n") == own["text"]
    assert [(one.get_filename(), one.get_content()) for one in attached] == [
        (f"table-{seat}.json", desk.game.own_file(seat))
    ]
    ask(desk, "undo", reason="a test")
    again = ask(desk, "letters", seats=[seat])["letters"][0]["text"]
    assert again == adj.render(desk.game.report(seat))


def test_reports_and_replays_are_pages() -> None:
    desk, game = begun("checkpoint-charlie")
    for name in ("report", "replay"):
        page = ask(desk, name, viewer=game["seats"][0])
        assert b"<!doctype html>" in page.lower()[:200]


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b'{"format": 1}', Path(__file__).read_bytes()])
def test_a_file_that_is_no_game_is_refused_in_words(data: bytes) -> None:
    found = ask(Desk(), "open", data, name="strange.json")["error"]
    assert found["kind"] == "refused"
    assert "strange.json" in found["message"]


@pytest.mark.parametrize(
    "name", [name for name in REQUESTS if name not in ("games", "open", "new", "audit_file", "task", "solve")]
)
def test_nothing_is_answered_without_a_game(name: str) -> None:
    values = {
        "viewer": "red",
        "text": "",
        "seat": "red",
        "reason": "none",
        "changes": [],
        "number": 1,
        "seats": ["red"],
        "to": "",
    }
    assert ask(Desk(), name, **values)["error"]["message"] == "open a game first"


def test_a_bug_is_called_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REQUESTS, "games", lambda *_: 1 / 0)
    found = ask(Desk(), "games")["error"]
    assert found["kind"] == "bug"
    assert "ZeroDivisionError" in found["message"]


PLAY = """
import json, sys
from pathlib import Path
from adjudicator.desk.requests import Desk
desk = Desk()
def ask(name, *files, **values):
    said, data = desk.answer(name, json.dumps(values), list(files))
    assert "error" not in json.loads(said), said
    return data or json.loads(said)
ask("games")
seat = ask("new", ruleset="checkered-flag", players={"red": "A", "blue": "B"})["game"]["due"][0]
ask("look", viewer=seat)
ask("check", viewer=seat, text="GEAR 1")
ask("apply", texts={seat: "GEAR 1"})
for name in ("report", "replay", "save", "audit", "archive", "letters", "letter", "pending"):
    data = ask(name, viewer="red", seats=["red"], seat="red", to="")
ask("undo", reason="a test")
ask("what_if", viewer=seat, text="GEAR 1")
ask("choose", seat=seat)
ask("task", ruleset="great-race", number=1)
ask("solve", ruleset="great-race", number=1, text="REST")
print(sorted({"multiprocessing", "ssl", "typer", "filelock", "resvg_py", "mailbox"} & set(sys.modules)))
used = {Path(found.__file__) for found in sys.modules.values() if getattr(found, "__file__", None)}
from adjudicator.desk.build import _NOT_IN_BROWSER
package = Path(sys.modules["adjudicator"].__file__).parent
print(sorted(str(one) for part in _NOT_IN_BROWSER for one in package.glob(part) if used & {one, *one.rglob("*.py")}))
"""


def test_nothing_is_loaded_that_a_browser_does_not_have() -> None:
    done = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n[]\n", "")


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_lesson_has_ten_tasks_and_each_answer_solves_its_own_alone(ruleset: str) -> None:
    lesson = adj.lesson(ruleset)
    assert len(lesson.tasks) == 10
    assert len({task.say for task in lesson.tasks}) == 10
    for number, task in enumerate(lesson.tasks, 1):
        game = lesson.position(number)
        assert task.seat in game.due_seats, number
        result = game.apply({task.seat: task.answer})
        assert result.problems == (), (number, result.problems)
        assert result.is_changed, number
        assert lesson.is_solved(number, f"{task.seat}: {task.answer.lower()}\n-- \nAnn"), number
        others = [other.answer for other in lesson.tasks if other is not task and other.after == task.after]
        assert not any(lesson.is_solved(number, wrong) for wrong in ("nothing", *others)), number
    with pytest.raises(adj.RequestError, match="from 1 to 10"):
        lesson.position(11)


def test_a_task_is_opened_and_solved() -> None:
    desk = Desk()
    task = ask(desk, "task", ruleset="checkered-flag", number=1)
    assert task["tasks"] == 10
    assert task["seat"] in task["game"]["due"]
    assert ask(desk, "solve", ruleset="checkered-flag", number=1, text=task["answer"]) == {"solved": True}
    assert ask(desk, "task", ruleset="checkered-flag", number=0)["error"]["kind"] == "refused"
    assert ask(desk, "solve", ruleset="checkered-flag", number=11, text="GEAR 1")["error"]["kind"] == "refused"
    assert ask(desk, "task", ruleset="no-such-game", number=1)["error"]["kind"] == "refused"


def test_a_file_on_which_the_rules_fail_is_blamed_if_it_is_forged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules may fail in any way on a forged file: only a sound game shows that they have a bug."""
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=SEED)
    monkeypatch.setitem(REQUESTS, "look", lambda *_: 1 / 0)
    for data, kind, words in (
        (game.to_bytes(), "bug", "ZeroDivisionError"),
        (game.own_file("red"), "refused", "or race.json is damaged: ask the moderator to send it again."),
    ):
        desk = Desk()
        ask(desk, "open", data, name="race.json")
        found = ask(desk, "look", viewer="red")["error"]
        assert (found["kind"], words in found["message"]) == (kind, True)
