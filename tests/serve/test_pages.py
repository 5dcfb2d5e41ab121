"""The pages of a club for its members: log in, see what is due, send orders, use commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.club import DAY, HOUR, Club, begin
from tests.drivers.serve import Served, Visitor, serve_club

Serve = Callable[..., Served]
ORDERS = "/g/race/red/orders"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve a club of ``clubs.txt`` until the test ends."""
    with ExitStack() as stack:
        yield lambda name, **site: stack.enter_context(serve_club(begin(name, tmp_path), **site))


@pytest.fixture
def race(serve: Serve) -> Served:
    """Serve the race of Red and Blue."""
    return serve("race")


def statuses(*answers: Any) -> list[int]:
    return [one.status for one in answers]


# Logging in


def test_a_link_works_once_and_for_half_an_hour_after_a_click_on_its_button(race: Served) -> None:
    link, late, visitor = race.link("red"), race.link("red"), race.visitor()
    assert [visitor.get(link).status for _ in range(3)] == [200] * 3, "programs follow links"
    assert visitor.get("/me").headers["location"] == "/"
    assert visitor.post(link).headers["location"] == "/me"
    assert "race (red)" in visitor.get("/me").text
    assert visitor.get("/").headers["location"] == "/me"
    assert statuses(race.visitor().post(link), race.visitor().post("/login/abcdefgh")) == [403, 403]
    race.club.now += HOUR // 2 + 1
    assert race.visitor().post(late).status == 403


def test_the_answer_to_an_address_does_not_tell_whether_the_club_knows_it(race: Served) -> None:
    pages = [
        race.visitor().post("/login", {"address": one}).text for one in ("red@example.org", "eve@example.org", "", "\0")
    ]
    assert len({*pages}) == 1
    race.club.round()
    assert race.club.names() == ["red: log in to Thursday club"]


def test_few_letters_with_links_go_to_one_address_and_for_one_client(race: Served) -> None:
    for _ in range(12):
        race.visitor().post("/login", {"address": "red@example.org"})
    race.club.round()
    assert len(race.club.new) == 10
    for number in range(50):
        race.visitor().post("/login", {"address": f"{number}@example.org"})
    race.visitor().post("/login", {"address": "blue@example.org"})
    race.club.round()
    assert race.club.new == []
    race.club.now += DAY
    assert race.login("blue").get("/me").status == 200


def test_a_session_ends_by_logging_out_here_or_everywhere_and_after_a_month(race: Served) -> None:
    first, second, third = (race.login("red") for _ in range(3))
    stolen = Visitor(race.address, first.cookie)
    assert first.fill("/me", "/logout").headers["location"] == "/"
    assert first.cookie == "" and stolen.get("/me").status == 303, "the cookie is of no use any more"
    assert second.get("/me").status == 200
    third.fill("/me", "/logout", everywhere="yes")
    assert second.get("/me").status == 303
    fourth = race.login("red")
    race.club.now += 30 * DAY
    assert fourth.get("/me").status == 200
    race.club.now += 1
    assert fourth.get("/me").status == 303


def test_the_cookie_is_for_this_site_and_no_script_and_behind_https_for_nothing_else(serve: Serve) -> None:
    served = serve("race", address="https://club.example.org/", is_behind_proxy=True)
    outside = Visitor(served.address, headers={"Host": "club.example.org", "X-Forwarded-For": "192.0.2.1, 198.51.100.7"})
    origin = {"Origin": "https://club.example.org"}
    outside.post("/login", {"address": "red@example.org"}, **origin)
    served.club.round()
    link = re.search(r"https://club.example.org(/login/\w+)", served.club.letter("red", "log in to Thursday club").text)
    assert link is not None
    cookie = outside.post(link[1], {}, **origin).headers["set-cookie"]
    assert {"HttpOnly", "Secure", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert outside.get("/me").status == 200
    assert statuses(*(outside.get("/me", Host=host) for host in ("evil.example", "localhost", "127.0.0.1"))) == [421] * 3


def test_a_link_leads_to_the_page_that_was_asked_for_and_changes_who_is_there(race: Served) -> None:
    blue = race.login("blue")
    first = race.visitor().get("/g/race/red/orders")
    assert 'wanted="/g/race/red/orders"' in first.headers["set-cookie"]
    for wanted, page in (
        ("/g/race/red/orders", "/g/race/red/orders"),
        ("//evil.example/g/x", "/me"),
        ("https://evil.example", "/me"),
        ("/logout", "/me"),
    ):
        link, visitor = race.link("red"), race.visitor()
        assert visitor.post(link, Cookie=f'wanted="{wanted}"').headers["location"] == page
    link = race.link("red")
    assert blue.fill(link, link).status == 303
    assert "race (red)" in blue.get("/me").text


# What everybody gets


def test_every_answer_has_headers_that_keep_other_sites_out(race: Served) -> None:
    red = race.login("red")
    found = [race.visitor().get("/"), red.get("/me"), red.get(ORDERS), red.get("/nothing"), red.get("/g/race/blue")]
    found += [red.get("/style.css"), red.get("/g/race/red/report"), red.get("/g/race/red/state"), red.post(ORDERS)]
    for answer in found:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "no-" in answer.headers["cache-control"]
    for answer in found[:5]:
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "script-src" not in answer.headers["content-security-policy"]
        assert "<script" not in answer.text and "style=" not in answer.text
    assert "sandbox" in found[6].headers["content-security-policy"]


def test_what_another_site_or_an_old_form_sends_is_refused(race: Served) -> None:
    red, blue = race.login("red"), race.login("blue")
    form = {**red.get(ORDERS).hidden, "text": "GEAR 1"}
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ):
        assert red.post(ORDERS, form, **headers).status == 403, headers
    assert red.post("/login", {"address": "red@example.org"}, Origin="https://evil.example").status == 403
    assert red.post(ORDERS, {**form, "csrf": blue.token()}).status == 403
    assert red.post(ORDERS, {**form, "csrf": ""}).status == 403
    assert red.send(ORDERS, "", text="GEAR 1", key="abcdefgh").status == 403
    race.club.round()
    assert race.club.journal("race") == []
    assert red.post(ORDERS, form).status == 200


def test_a_request_that_makes_no_sense_is_refused_with_words(race: Served) -> None:
    red = race.login("red")
    token, key = red.token(), "abcdefgh"
    as_json = {"Origin": race.address, "X-Token": token, "Content-Type": "application/json"}
    asked = [
        (400, red.ask("POST", ORDERS, b"{", **as_json)),
        (400, red.ask("POST", ORDERS, b"[1]", **as_json)),
        (400, red.ask("POST", ORDERS, b"[" * 50_000, **as_json)),
        (400, red.ask("POST", ORDERS, b"\xff\xfe", **as_json)),
        (413, red.ask("POST", ORDERS, b"x" * 200_000, **as_json)),
        (413, red.send(ORDERS, token, text="x" * 20_001, key=key)),
        (400, red.send(ORDERS, token, text=" ", key=key)),
        (400, red.send(ORDERS, token, text=["GEAR 1"], key=key)),
        (400, red.send(ORDERS, token, text="GEAR 1", key="no key")),
        (400, red.send(ORDERS, token, text="GEAR 1", key=7)),
        (400, red.send(ORDERS, token, text="GEAR 1", key=key, turn="-1")),
        (400, red.send("/g/race/red/ask", token, name="undo", values={"reason": "x"})),
        (400, red.send("/g/race/red/ask", token, name="open", values={})),
        (400, red.send("/g/race/red/ask", token, name=["look"], values=[1])),
        (413, red.send("/g/race/red/ask", token, name="check", values={"viewer": "red", "text": "x" * 20_001})),
        (404, red.send("/g/race/blue/ask", token, name="look", values={"viewer": "blue"})),
        (404, red.send("/g/race/blue/orders", token, text="GEAR 1", key=key)),
        (401, race.visitor().send("/g/race/red/orders", token, text="GEAR 1", key=key)),
    ]
    assert [(one.status, one.json["error"]["kind"]) for _, one in asked] == [(code, "refused") for code, _ in asked]
    assert all(one.json["error"]["message"] for _, one in asked)
    assert red.send("/g/race/red/command", token, command=["VOTE"], key=key).status == 400
    assert red.send("/g/race/red/command", token, command="VOTE", motion=7, key=key).status == 400
    assert race.visitor().send("/login", "", address=["red@example.org"]).status == 200
    assert statuses(red.ask("PUT", "/me"), red.get("/g/other"), red.get("/g/race/blue/report")) == [404, 404, 404]


# Orders


def test_orders_of_a_page_count_as_those_of_a_mail_and_the_receipt_is_the_answer(race: Served) -> None:
    red, club = race.login("red"), race.club
    assert "Your orders are due" in red.get("/me").text
    answer = red.fill(ORDERS, ORDERS, text="GAER 1")
    assert answer.status == 200 and "Line 1: “GAER” is not an order" in answer.said
    assert "None of your orders count yet" in answer.said
    answer = red.fill(ORDERS, ORDERS, text="GEAR 1")
    assert "line 1  GEAR 1" in answer.said and "The club found no mistake" in answer.said
    assert "Your orders are there" in red.get("/me").text
    club.round()
    assert club.journal("race") == ["red GEAR 1"]
    assert [one for one in club.names() if "mail" in one] == [], "the receipt does not go out as a letter, too"
    assert club.letter("red", "…turn…")
    assert "It is not your turn" in red.get("/me").text


def test_a_mail_after_an_input_of_a_page_replaces_it_and_the_reverse(race: Served) -> None:
    red, club = race.login("red"), race.club
    red.fill(ORDERS, ORDERS, text="GEAR 1")
    club.now += 60
    club.mail("red", "GEAR 2", "race")
    club.now += 60
    red.fill(ORDERS, ORDERS, text="GEAR 1")
    club.round()
    assert club.journal("race") == ["red GEAR 1"]


def test_the_same_request_again_counts_once_and_gets_the_same_receipt(race: Served) -> None:
    red, club = race.login("red"), race.club
    token = red.token()
    first = red.send(ORDERS, token, text="GEAR 1", key="the-same-key", turn=1)
    club.round()
    assert club.journal("race") == ["red GEAR 1"]
    again = red.send(ORDERS, token, text="GEAR 1", key="the-same-key", turn=1)
    assert again.json["receipt"] == first.json["receipt"]
    assert (first.json["state"], again.json["state"]) == ("waiting", "taken")
    assert again.json["position"] != first.json["position"]
    mended = red.send(ORDERS, token, text="GEAR 2", key="the-same-key", turn=1)
    assert mended.json["receipt"] != first.json["receipt"], "a browser has kept the form: another text is another input"
    blue = race.login("blue")
    other = blue.send("/g/race/blue/orders", blue.token(), text="GEAR 1", key="the-same-key")
    assert other.json["receipt"] != first.json["receipt"], "the keys of others are others"


def test_orders_for_an_earlier_turn_change_nothing(race: Served) -> None:
    red, blue, club = race.login("red"), race.login("blue"), race.club
    red.send(ORDERS, red.token(), text="GEAR 1", key="first-key", turn=1)
    blue.send("/g/race/blue/orders", blue.token(), text="GEAR 1", key="first-key", turn=1)
    club.round()
    late = red.send(ORDERS, red.token(), text="GEAR 2", key="second-key", turn=1)
    assert late.json["subject"] == "your text is for another turn"
    assert "It changes nothing" in late.json["receipt"]


def test_a_web_input_waits_while_the_game_is_locked_and_a_round_answers_it(
    race: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    from filelock import FileLock

    red, club = race.login("red"), race.club
    token = red.token()
    monkeypatch.setattr("adjudicator.club.mails._PATIENCE_ON_PAGES", 0.1)
    with FileLock(club.folder / "games" / "race" / "game.json.lock"):
        found = red.send(ORDERS, token, text="GEAR 1", key="the-same-key")
    assert found.json["state"] == "new" and "The club has your text" in found.json["receipt"]
    club.round()
    assert club.journal("race") == ["red GEAR 1"]
    found = red.send(ORDERS, token, text="GEAR 1", key="the-same-key")
    assert found.json["state"] == "taken" and "line 1  GEAR 1" in found.json["receipt"]


def test_a_player_who_has_lost_the_seat_sees_nothing_of_it_any_more(race: Served) -> None:
    red, club = race.login("red"), race.club
    token = red.token()
    club.club("seat", "race", "red", "Carol", "carol@example.org")
    club.round()
    for path in ("", "/orders", "/report", "/replay", "/state"):
        assert red.get(f"/g/race/red{path}").status == 404
    assert red.send(ORDERS, token, text="GEAR 1", key="the-same-key").status == 404
    assert "race (red)" not in red.get("/me").text
    carol = race.login("carol")
    assert "race (red)" in carol.get("/me").text


def test_after_a_change_of_the_moderator_the_board_waits_for_the_report(race: Served) -> None:
    red, club = race.login("red"), race.club
    red.fill(ORDERS, ORDERS, text="GEAR 1")
    club.round()
    club.command("undo", "thursday/games/race/game.json", "--to", "0", "--reason", "a test")
    token = red.token()
    look = {"name": "look", "values": {"viewer": "red"}}
    assert red.send("/g/race/red/ask", token, **look).status == 409
    club.round()
    assert red.send("/g/race/red/ask", token, **look).json["game"]["due"] == ["red"]


def test_who_plays_for_a_player_on_holiday_has_the_seat_until_its_end(serve: Serve) -> None:
    served = serve("club with ben")
    red, ben, club = served.login("red"), served.login("ben"), served.club
    form = {"command": "HOLIDAY", "first": "2026-03-04", "last": "2026-03-08", "sitter": "Ben"}
    assert "The club asks Ben to play for you" in red.fill(ORDERS, "/g/race/red/command", **form).said
    club.round()
    club.mail("ben", "YES")
    club.round()
    assert ben.get(ORDERS).status == 404
    club.round(2 * DAY)
    assert "race (red)" in ben.get("/me").text and ben.get("/g/race/red/report").status == 200
    ben.send(ORDERS, ben.token(), text="GEAR 1", key="the-same-key", turn=1)
    club.round()
    assert club.journal("race") == ["red GEAR 1"]
    assert "Your holiday is over" in red.fill(ORDERS, "/g/race/red/command", command="HOLIDAY end").said
    club.round()
    assert ben.get(ORDERS).status == 404 and red.get(ORDERS).status == 200
    assert ben.send(ORDERS, ben.token(), text="GEAR 1", key="another-key", turn=1).status == 404


def test_only_the_pages_of_a_late_player_say_until_when_the_time_bank_runs(serve: Serve) -> None:
    served = serve("spies")
    red, green, club = served.login("red"), served.login("green"), served.club
    club.club("set", "deadlines.bank=2 days")
    club.mail("red", "CLUE raincoat")
    club.round(3 * DAY + 8 * HOUR)
    assert "Your orders are due Saturday 2026-03-07 20:00 UTC." in green.get("/me").text
    assert "2026-03-07" in green.get("/g/spies/green/state").text
    assert "Your orders are there. You can change them." in red.get("/me").text
    assert "2026-03-07" not in red.get("/g/spies/red/state").text + red.get("/g/spies/red/orders").text


# Commands


def test_commands_are_forms_and_their_answers_are_those_of_mails(serve: Serve) -> None:
    served = serve("open race")
    red, club = served.login("red"), served.club
    path = "/g/race/red/command"

    def command(name: str, **values: str) -> str:
        return red.fill(ORDERS, path, command=name, **values).said

    assert "You have sent no orders yet" in command("STATUS")
    assert "You are on holiday from 2026-12-20 to 2027-01-03" in command("HOLIDAY", first="2026-12-20", last="2027-01-03")
    assert "counted your vote for draw" in command("VOTE", motion="draw")
    assert "counted your vote for extend 2 days" in command("VOTE", motion="extend", term="2 days")
    assert "Please write" in command("VOTE", motion="chess")
    assert "Please write" in command("HOLIDAY", last="2026-12-20")
    assert "You are on holiday on 2027-01-20" in command("HOLIDAY", first="2027-01-20")
    assert "this is no command" in command("DELETE")
    assert "The club now waits" in command("WAIT") or "waits for the deadline" in command("WAIT")
    said = command("MESSAGE", to="blue", text="Good luck!\n\nEND\nRESIGN\n> GEAR 5")
    assert "moderator" in said or "sent" in said
    club.round()
    assert not [one for one in club.matters() if "resign" in one], "a text has no commands"
    assert red.send("/g/race/red/orders", red.token(), text="GEAR 1", key="some-key").json["state"] == "waiting"
    for text in ("Hello\nMESSAGE to blue: hello\nBye", "Hello\n\nRESIGN\nGEAR 2"):
        assert "has not sent your message to moderator" in command("MESSAGE", to="moderator", text=text)
    assert "resign" not in command("MESSAGE", to="moderator", text="Hello\x85END\rRESIGN\u2028END\x0cRESIGN")
    assert "GEAR 1" in red.get("/g/race/red/state?words=1").json["words"]
    club.round()
    assert not [one for one in club.matters() if "resign" in one]
    assert "a separate mail" in command("RESEND")
    club.round()
    assert [one.to for one in club.new] == ["red"]
    said = red.send("/g/race/red/orders", red.token(), text="SET mail=late", key="last-key").json["receipt"]
    assert "in place of reminders" in said and "separate mail" not in said
    club.club("pause", "race", "--until", "2026-03-20")
    assert red.get("/g/race/red/state").json["due_at"] == 0


def test_members_join_lists_and_change_settings(serve: Serve) -> None:
    served = serve("members")
    ann, club = served.login("ann"), served.club
    page = ann.get("/me").text
    assert "checkered-flag" in page and "0 have joined" in page
    said = ann.fill("/me", "/me/command", command="JOIN", wanted="checkered-flag").said
    assert "You are on the list" in said
    assert "1 has joined, and so have you" in ann.get("/me").text
    assert "You have given up your place" in ann.fill("/me", "/me/command", command="LEAVE", wanted="checkered-flag").said
    assert "Your name in new games is Anna" in ann.fill("/me", "/me/command", command="SET", name="name", value="Anna").said
    assert "you are Anna" in ann.get("/me").text
    said = ann.fill("/me", "/me/command", command="SET", name="name", value="x\nJOIN checkered-flag").said
    assert "0 have joined" in ann.get("/me").text, "a line is one command"
    club.round()
    assert club.new == []


def test_members_enter_and_leave_a_tournament(serve: Serve) -> None:
    served = serve("spring")
    ann, bob = served.login("ann"), served.login("bob")
    shown = ann.get("/me").text
    assert "spring: rally-round, 2 players" in shown and "begins when 3 have joined: 0 have joined." in shown
    assert "You have a place" in ann.fill("/me", "/me/command", command="JOIN", wanted="spring").said
    assert "begins when 3 have joined: 1 has joined, and so have you." in ann.get("/me").text
    assert "You have given up your place" in ann.fill("/me", "/me/command", command="LEAVE", wanted="spring").said
    for name in ("ann", "bob", "eve"):
        assert ": 3 have joined" not in bob.get("/me").text
        served.login(name).fill("/me", "/me/command", command="JOIN", wanted="spring")
    served.club.round()
    assert "spring: round 1 of 2, in which you play." in bob.get("/me").text
    assert "You play no further round" in bob.fill("/me", "/me/command", command="LEAVE", wanted="spring").said
    left = bob.get("/me").text.partition("spring: round 1 of 2.")[2]
    assert left and "Leave" not in left.partition("</form>")[0]


def test_a_player_who_is_no_member_has_the_commands_of_the_games_alone(race: Served) -> None:
    red = race.login("red")
    assert "Games and tournaments" not in red.get("/me").text and "<summary>" not in red.get("/me").text
    assert red.fill("/me", "/me/command", command="GAMES").status == 403


def test_a_late_player_sees_the_own_time_bank_and_the_others_see_no_new_deadline(race: Served) -> None:
    red, blue, club = race.login("red"), race.login("blue"), race.club
    club.club("set", "race", "deadlines.bank='5 days'")
    club.round()
    assert "Your time bank: 5 days" in red.get("/me").text
    due = blue.get("/g/race/blue/state").json["due_at"]
    club.round(3 * DAY + HOUR)
    club.now = due + HOUR
    club.round()
    assert "Your time bank runs until" in red.get("/me").text
    assert blue.get("/g/race/blue/state").json["due_at"] == due
    assert red.get("/g/race/red/state").json["due_at"] == due + 5 * DAY


# The board


def test_the_board_asks_from_the_own_file_and_a_report_is_another_position(race: Served) -> None:
    red, blue, club = race.login("red"), race.login("blue"), race.club
    token = red.token()

    def ask(name: str, **values: Any) -> Any:
        return red.send("/g/race/red/ask", token, name=name, values=values)

    look = ask("look", viewer="red")
    assert look.json["game"]["own"] == "red" and look.json["legal"]
    assert ask("look", viewer="blue").json["error"]["kind"] == "refused"
    assert ask("check", viewer="red", text="GAER 1").json["problems"][0]["suggestions"] == ["GEAR 1"]
    assert ask("what_if", viewer="red", text="GEAR 1").json["words"]
    assert ask("check", viewer="red", nothing=1).json["error"]["kind"] in ("bug", "refused")
    for kind in ("report", "replay"):
        assert "<!doctype html>" in red.get(f"/g/race/red/{kind}").text.lower()[:200]
    state = red.get("/g/race/red/state?words=1").json
    assert state["position"] == look.headers["x-position"] and state["is_due"] and state["until"]
    assert "You have sent no orders yet" in state["words"]
    before = blue.get("/g/race/blue/state").json
    red.fill(ORDERS, ORDERS, text="GEAR 1")
    assert blue.get("/g/race/blue/state").json == before, "whether orders are in is a secret of their seat"
    assert "GEAR 1" in red.get("/g/race/red/state?words=1").json["words"]
    club.round()
    after = red.get("/g/race/red/state").json
    assert after["position"] != state["position"] and not after["is_due"]


def test_without_a_desk_the_board_is_the_page_for_orders_and_with_one_its_files_alone_are_served(
    race: Served, tmp_path: Path
) -> None:
    import adjudicator

    red, club, desk = race.login("red"), race.club, tmp_path / "desk"
    assert red.get("/g/race").headers["location"] == red.get("/g/race/red").headers["location"] == ORDERS
    (desk / "0123456789ab").mkdir(parents=True)
    (desk / "index.html").write_text(f'<body data-release="0123456789ab" data-version="{adjudicator.__version__}">')
    (desk / "0123456789ab" / "desk.js").write_text("let it = 1;")
    (desk / "secret.html").write_text("a page of a player")
    club.change("club.toml", "", f'\n[desk]\nfolder = "{desk}"\naddress = "https://club.example.org/desk/"\n')
    assert red.get("/g/race").headers["location"] == "/g/race/red"
    page = red.get("/g/race/red")
    assert page.status == 200 and 'content="/g/race/red"' in page.text and red.token() in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert race.visitor().get("/desk/0123456789ab/desk.js").headers["content-type"].startswith("text/javascript")
    for path in ("secret.html", "0123456789ab/../secret.html", "0123456789ab/..%2fsecret.html", "0123456789ab/x", "../x/y"):
        assert race.visitor().get(f"/desk/{path}").status in (404, 400), path
    (desk / "index.html").write_text('<body data-release="0123456789ab" data-version="0.1">')
    assert red.get("/g/race/red").headers["location"] == ORDERS, "another version has built it"


def test_the_command_says_what_is_missing(race: Served) -> None:
    club: Club = race.club
    assert "[serve] address" in club.club("serve", "--proxy", code=2).output
    port = race.address.rpartition(":")[2]
    assert "choose another --port" in club.club("serve", "--port", port, code=2).output


def test_every_command_has_a_form_whose_examples_give_it_back() -> None:
    from adjudicator.club.commands import forms, line_of, read
    from adjudicator.club.mails import MOVES

    assert MOVES  # this module fills the table of commands
    words = {form.name: form.words for to in ("seat", "club") for form in forms(to)}
    assert words["NOWAIT"] == ("Plays this turn when all orders are in",)
    assert words["HOLIDAY end"] == ("Ends your holiday early",)
    assert words["STANDIN"] == ("Asks for any seat without a player",)
    assert words["SET"][3].endswith("SET mail=turn, each at once")
    for to in ("seat", "club"):
        for form in forms(to):
            values = {
                one.name: one.example or {"text": "hello", "players": "blue"}.get(one.kind, "race-7") for one in form.fields
            }
            (asked,) = read(line_of(form.name, to, values).split("\n")).asks
            assert (asked.command.name, asked.hint) == (form.name.split()[0], "")
            assert {*asked.values} - {"below"} == {*values}
            least = {one.name: values[one.name] for one in form.fields if one.is_required}
            (asked,) = read(line_of(form.name, to, least).split("\n")).asks
            assert (asked.command.name, asked.hint) == (form.name.split()[0], "")


def test_a_sitter_has_the_seat_on_the_pages_only_while_the_holiday_lasts(tmp_path: Path) -> None:
    club = begin("club with ben", tmp_path)
    with serve_club(club) as served:
        red, ben = served.login("red"), served.login("ben")
        club.mail("red", "HOLIDAY 2026-03-02 to 2026-03-20 sitter Ben", "race")
        club.round()
        assert "race (red)" not in ben.get("/me").text
        assert ben.get("/g/race/red/orders").status == 404
        club.mail("ben", "Yes", "club")
        club.round()
        assert "race (red)</a> for Red" in ben.get("/me").text
        assert "for Red" not in red.get("/me").text
        token = ben.token()
        answer = ben.send("/g/race/red/orders", token, text="GEAR 1", key="a" * 32)
        assert answer.status == 200
        assert "GEAR 1" in answer.json["receipt"]
        club.round()
        assert club.journal("race")[-1] == "red GEAR 1"
        assert red.fill("/g/race/red/orders", "/g/race/red/orders", text="HOLIDAY end").status == 200
        club.round()
        assert ben.send("/g/race/red/orders", token, text="GEAR 1", key="b" * 32).status == 404
        assert ben.get("/g/race/red/orders").status == 404
        assert "race (red)" not in ben.get("/me").text
